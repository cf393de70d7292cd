"""Aligners of the words of comparable sentences, their lattices, and figures of lattices."""

from bitext.align.words.aligning import align_many, align_words, pair_scores

__all__ = ["align_many", "align_words", "pair_scores"]
