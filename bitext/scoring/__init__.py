"""Whole evaluations, from files or values to figures: what `evaluate` and `compare` do and return.

The commands `bitext score` and `bitext compare` use the same functions.
"""
