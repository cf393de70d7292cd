"""Metrics of segmentations: boundaries, windows and edits, against one reference or many."""
