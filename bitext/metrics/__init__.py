"""Metrics of alignments and segmentations: functions to counts that add up."""

from bitext.metrics.agreement import (
    bennett_s,
    bias,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    multi_kappa,
    multi_pi,
    scott_pi,
)
from bitext.metrics.agreement_correlation import AgreementCorrelation, agreement_correlation
from bitext.metrics.agreement_interval import agreement_interval
from bitext.metrics.alignment_similarity import alignment_similarity
from bitext.metrics.arcade import ArcadeScores, arcade
from bitext.metrics.bisegment_similarity import bisegment_edges, bisegment_similarity
from bitext.metrics.boundary_confusion import (
    ConfusionMatrix,
    boundary_confusion,
    boundary_confusion_matrix,
)
from bitext.metrics.boundary_edits import (
    Addition,
    BoundaryEdits,
    Match,
    Substitution,
    Transposition,
    boundary_edits,
)
from bitext.metrics.boundary_scores import boundary_accuracy, boundary_f, exact_segments
from bitext.metrics.boundary_similarity import boundary_similarity
from bitext.metrics.coders import Agreement
from bitext.metrics.edgain import EdGain, edgain
from bitext.metrics.generalized_hamming import generalized_hamming
from bitext.metrics.lattice_figures import Figures, compression, lattice_figures
from bitext.metrics.link_scores import link_scores
from bitext.metrics.novelty import path_novelty, trigram_novelty
from bitext.metrics.nwin import nwin, tnwin
from bitext.metrics.observed import observed_agreement
from bitext.metrics.pk import pk
from bitext.metrics.references import (
    any_reference,
    best_reference,
    majority,
    majority_reference,
    mean_over_references,
)
from bitext.metrics.registry import Metric, all_metrics
from bitext.metrics.repetition_ratio import RepetitionRatio, repetition_ratio
from bitext.metrics.segment_alignment import SegmentAlignment, segment_alignment
from bitext.metrics.segmentation_similarity import segmentation_similarity
from bitext.metrics.significance import Interval, bootstrap, paired_bootstrap, randomisation
from bitext.metrics.window_diff import window_diff
from bitext.metrics.winpr import winpr
from bitext.metrics.wisebe import WisebeScore, wisebe
from bitext.metrics.word_links import word_links

__all__ = [
    "Addition",
    "Agreement",
    "AgreementCorrelation",
    "ArcadeScores",
    "BoundaryEdits",
    "ConfusionMatrix",
    "EdGain",
    "Figures",
    "Interval",
    "Match",
    "Metric",
    "RepetitionRatio",
    "SegmentAlignment",
    "Substitution",
    "Transposition",
    "WisebeScore",
    "agreement_correlation",
    "agreement_interval",
    "alignment_similarity",
    "all_metrics",
    "any_reference",
    "arcade",
    "bennett_s",
    "best_reference",
    "bias",
    "bisegment_edges",
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
    "krippendorff_alpha",
    "lattice_figures",
    "link_scores",
    "majority",
    "majority_reference",
    "mean_over_references",
    "multi_kappa",
    "multi_pi",
    "nwin",
    "observed_agreement",
    "paired_bootstrap",
    "path_novelty",
    "pk",
    "randomisation",
    "repetition_ratio",
    "scott_pi",
    "segment_alignment",
    "segmentation_similarity",
    "tnwin",
    "trigram_novelty",
    "window_diff",
    "winpr",
    "wisebe",
    "word_links",
]
