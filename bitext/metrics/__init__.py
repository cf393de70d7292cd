"""Metrics of alignments and segmentations: functions to counts that add up."""

from bitext.metrics.arcade import ArcadeScores, arcade
from bitext.metrics.registry import Metric, all_metrics

__all__ = ["ArcadeScores", "Metric", "all_metrics", "arcade"]
