"""Segmentation of running text: paragraphs, by max-margin semi-Markov models and their rivals."""

from bitext.segment.feature_groups import GROUPS, PRESETS, FeatureOptions
from bitext.segment.features import FeatureModel
from bitext.segment.segmenter import ParagraphSegmenter
from bitext.segment.semi_markov import decode, k_best, marginals
from bitext.segment.sentence_splitting import SentenceSplitter
from bitext.segment.training import train

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
