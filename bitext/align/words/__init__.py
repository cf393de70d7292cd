"""Aligners of the words of comparable sentences, lattices of them, and what lattices tell."""

from bitext.align.words.aligning import align_many, align_words, pair_scores

__all__ = ["align_many", "align_words", "pair_scores"]
