"""Metrics of alignments and segmentations: functions to counts that add up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.lazy import imported_late
from bitext.metrics.agreement import (
    agreement_correlation,
    agreement_interval,
    bennett_s,
    bias,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    multi_kappa,
    multi_pi,
    scott_pi,
)
from bitext.metrics.arcade import arcade
from bitext.metrics.bisegment_similarity import bisegment_similarity
from bitext.metrics.edgain import edgain
from bitext.metrics.jackknife import jackknife_interval, paired_t
from bitext.metrics.lattice_metrics import (
    compression,
    lattice_figures,
    path_novelty,
    repetition_ratio,
    trigram_novelty,
    word_links,
)
from bitext.metrics.link_scores import link_scores
from bitext.metrics.registry import Metric, all_metrics
from bitext.metrics.segmentation.boundary_edits import boundary_edits
from bitext.metrics.segmentation.boundary_scores import (
    boundary_accuracy,
    boundary_f,
    exact_segments,
    rand_index,
    slot_error_rate,
)
from bitext.metrics.segmentation.boundary_similarity import (
    boundary_confusion,
    boundary_confusion_matrix,
    boundary_similarity,
    generalized_hamming,
    segmentation_similarity,
)
from bitext.metrics.segmentation.references import (
    any_reference,
    best_reference,
    majority,
    majority_reference,
    mean_over_references,
    wisebe,
)
from bitext.metrics.segmentation.segment_alignment import alignment_similarity, segment_alignment
from bitext.metrics.segmentation.window_metrics import nwin, pk, tnwin, window_diff, winpr
from bitext.metrics.significance import bootstrap, paired_bootstrap, randomisation

__all__ = [
    "Metric",
    "agreement_correlation",
    "agreement_interval",
    "alignment_similarity",
    "all_metrics",
    "any_reference",
    "arcade",
    "bennett_s",
    "best_reference",
    "bias",
    "bisegment_similarity",
    "bootstrap",
    "boundary_accuracy",
    "boundary_confusion",
    "boundary_confusion_matrix",
    "boundary_edits",
    "boundary_f",
    "boundary_similarity",
    "cohen_kappa",
    "compression",
    "edgain",
    "exact_segments",
    "fleiss_kappa",
    "generalized_hamming",
    "jackknife_interval",
    "krippendorff_alpha",
    "lattice_figures",
    "link_scores",
    "majority",
    "majority_reference",
    "mean_over_references",
    "multi_kappa",
    "multi_pi",
    "nwin",
    "paired_bootstrap",
    "paired_t",
    "path_novelty",
    "pk",
    "rand_index",
    "randomisation",
    "repetition_ratio",
    "scott_pi",
    "segment_alignment",
    "segmentation_similarity",
    "slot_error_rate",
    "tnwin",
    "trigram_novelty",
    "window_diff",
    "winpr",
    "wisebe",
    "word_links",
]

# Names that were public in 0.1, by the modules that have them.
_FORMER = {
    "bitext.metrics.agreement": ("AgreementCorrelation", "observed_agreement"),
    "bitext.metrics.arcade": ("ArcadeScores",),
    "bitext.metrics.bisegment_similarity": ("bisegment_edges",),
    "bitext.metrics.coder_counts": ("Agreement",),
    "bitext.metrics.edgain": ("EdGain",),
    "bitext.metrics.lattice_metrics": ("Figures", "RepetitionRatio"),
    "bitext.metrics.segmentation.boundary_similarity": ("ConfusionMatrix",),
    "bitext.metrics.segmentation.boundary_edits": (
        "Addition",
        "BoundaryEdits",
        "Match",
        "Substitution",
        "Transposition",
    ),
    "bitext.metrics.segmentation.segment_alignment": ("SegmentAlignment",),
    "bitext.metrics.segmentation.references": ("WisebeScore",),
    "bitext.metrics.significance": ("Interval",),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = imported_late(__name__, {__name__: __all__}, former=_FORMER)
