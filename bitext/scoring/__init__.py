"""Whole evaluations, from files or values to figures: `evaluate`, `compare` and their results.

The commands `bitext score` and `bitext compare` use the same functions.
"""
