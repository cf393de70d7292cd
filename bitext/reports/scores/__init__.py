"""Scores of alignments as tables and pages."""
