"""Segmentation of running text: paragraphs, by max-margin semi-Markov models and their rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.late_names import imported_late

if TYPE_CHECKING:
    from bitext.segment.feature_groups import GROUPS, PRESETS, FeatureOptions
    from bitext.segment.features import FeatureModel
    from bitext.segment.segmenter import ParagraphSegmenter
    from bitext.segment.semi_markov import decode, k_best, marginals
    from bitext.segment.sentence_splitting import SentenceSplitter
    from bitext.segment.training import train

# Where each public name lives; it is imported when it is first asked for.
_HOMES = {
    "bitext.segment.feature_groups": ("GROUPS", "PRESETS", "FeatureOptions"),
    "bitext.segment.features": ("FeatureModel",),
    "bitext.segment.segmenter": ("ParagraphSegmenter",),
    "bitext.segment.semi_markov": ("decode", "k_best", "marginals"),
    "bitext.segment.sentence_splitting": ("SentenceSplitter",),
    "bitext.segment.training": ("train",),
}

__all__ = [
    "GROUPS",
    "PRESETS",
    "FeatureModel",
    "FeatureOptions",
    "ParagraphSegmenter",
    "SentenceSplitter",
    "decode",
    "k_best",
    "marginals",
    "train",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = imported_late(__name__, _HOMES)
