"""Metrics of alignments and segmentations: functions to counts that add up."""

from bitext.metrics.alignment_similarity import alignment_similarity
from bitext.metrics.arcade import ArcadeScores, arcade
from bitext.metrics.boundary_similarity import boundary_similarity
from bitext.metrics.nwin import nwin, tnwin
from bitext.metrics.pk import pk
from bitext.metrics.registry import Metric, all_metrics
from bitext.metrics.segment_alignment import SegmentAlignment, segment_alignment
from bitext.metrics.segmentation_similarity import segmentation_similarity
from bitext.metrics.window_diff import window_diff
from bitext.metrics.winpr import winpr

__all__ = [
    "ArcadeScores",
    "Metric",
    "SegmentAlignment",
    "alignment_similarity",
    "all_metrics",
    "arcade",
    "boundary_similarity",
    "nwin",
    "pk",
    "segment_alignment",
    "segmentation_similarity",
    "tnwin",
    "window_diff",
    "winpr",
]
