"""Aligners of the sentences of translated texts: by lengths, words, and vectors."""

from bitext.align.sentences.aligning import (
    align_corpus,
    align_sentences,
    aligner_of,
    alignment_of,
    learned_lexicon,
)

__all__ = ["align_corpus", "align_sentences", "aligner_of", "alignment_of", "learned_lexicon"]
