"""Paragraph segmentation of text by max-margin semi-Markov models and by rival methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.lazy import imported_late

if TYPE_CHECKING:
    from bitext.segment.features.groups import GROUPS, PRESETS, FeatureOptions
    from bitext.segment.features.model import FeatureModel
    from bitext.segment.segmenter import ParagraphSegmenter
    from bitext.segment.semi_markov import decode, k_best, marginals
    from bitext.segment.sentences.splitter import SentenceSplitter
    from bitext.segment.training import train

# The module of each public name, imported at the first access to the name.
_HOMES = {
    "bitext.segment.features.groups": ("GROUPS", "PRESETS", "FeatureOptions"),
    "bitext.segment.features.model": ("FeatureModel",),
    "bitext.segment.segmenter": ("ParagraphSegmenter",),
    "bitext.segment.semi_markov": ("decode", "k_best", "marginals"),
    "bitext.segment.sentences.splitter": ("SentenceSplitter",),
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
