"""Aligners: sentences and words of translated texts; words of comparable ones, and lattices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.lazy import imported_late

if TYPE_CHECKING:
    from bitext.align.links import LinkedCorpus, link_corpus, link_words
    from bitext.align.links.directions import symmetrise
    from bitext.align.links.projection import project_labels
    from bitext.align.links.similarity import link_by_vectors
    from bitext.align.links.terms import term_candidates
    from bitext.align.links.token_encoders import token_encoder
    from bitext.align.sentences import (
        align_corpus,
        align_sentences,
        aligner_of,
        alignment_of,
        learned_lexicon,
    )
    from bitext.align.sentences.aligner import SentenceAligner, explain_bead
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.align.sentences.options import SENTENCE_METHODS, SentenceOptions
    from bitext.align.words import align_many, align_words, pair_scores
    from bitext.align.words.aligning import bitexts, pairwise
    from bitext.align.words.automaton import Automaton, minimise
    from bitext.align.words.event_clusters import event_clusters
    from bitext.align.words.explanation import explain
    from bitext.align.words.ngram_model import NgramModel
    from bitext.align.words.options import PRESETS, WordOptions
    from bitext.align.words.paraphrases import paraphrases
    from bitext.align.words.progressive import align_cluster, leave_one_out
    from bitext.align.words.ranking import read_model

# The module of each public name, which is imported at its first use.
_HOMES = {
    "bitext.align.links": ("LinkedCorpus", "link_corpus", "link_words"),
    "bitext.align.links.projection": ("project_labels",),
    "bitext.align.links.similarity": ("link_by_vectors",),
    "bitext.align.links.token_encoders": ("token_encoder",),
    "bitext.align.links.terms": ("term_candidates",),
    "bitext.align.sentences": (
        "align_corpus",
        "align_sentences",
        "aligner_of",
        "alignment_of",
        "learned_lexicon",
    ),
    "bitext.align.sentences.lexical.lexicon": ("Lexicon",),
    "bitext.align.sentences.aligner": ("SentenceAligner", "explain_bead"),
    "bitext.align.sentences.options": ("SENTENCE_METHODS", "SentenceOptions"),
    "bitext.align.links.directions": ("symmetrise",),
    "bitext.align.words": ("align_many", "align_words", "pair_scores"),
    "bitext.align.words.automaton": ("Automaton", "minimise"),
    "bitext.align.words.event_clusters": ("event_clusters",),
    "bitext.align.words.explanation": ("explain",),
    "bitext.align.words.ranking": ("read_model",),
    "bitext.align.words.aligning": ("bitexts", "pairwise"),
    "bitext.align.words.ngram_model": ("NgramModel",),
    "bitext.align.words.paraphrases": ("paraphrases",),
    "bitext.align.words.progressive": ("align_cluster", "leave_one_out"),
    "bitext.align.words.options": ("PRESETS", "WordOptions"),
}

# Names that were public in 0.1, by the modules that have them.
_FORMER = {
    "bitext.align.sentences.aligner": ("BeadExplanation",),
    "bitext.align.words.event_clusters": ("EventCluster", "documents_of"),
    "bitext.align.words.explanation": ("WordMatch",),
    "bitext.align.words.paraphrases": ("Paraphrase", "Paraphrases"),
}

__all__ = [
    "PRESETS",
    "SENTENCE_METHODS",
    "Automaton",
    "Lexicon",
    "LinkedCorpus",
    "NgramModel",
    "SentenceAligner",
    "SentenceOptions",
    "WordOptions",
    "align_cluster",
    "align_corpus",
    "align_many",
    "align_sentences",
    "align_words",
    "aligner_of",
    "alignment_of",
    "bitexts",
    "event_clusters",
    "explain",
    "explain_bead",
    "learned_lexicon",
    "leave_one_out",
    "link_by_vectors",
    "link_corpus",
    "link_words",
    "minimise",
    "pair_scores",
    "pairwise",
    "paraphrases",
    "project_labels",
    "read_model",
    "symmetrise",
    "term_candidates",
    "token_encoder",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = imported_late(__name__, _HOMES, former=_FORMER)
