"""Segmentations compared: pages, drawings, and lists of boundary edits."""
