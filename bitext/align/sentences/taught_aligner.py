"""A text aligned by itself with what was learned from a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.bead_types import learned_chances, told_each_other
from bitext.align.sentences.search_spaces import SMALL
from bitext.align.sentences.sentence_aligner import SentenceAligner
from bitext.align.sentences.sentence_options import choose_options
from bitext.align.sentences.text_sizes import are_unequal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corpus_knowledge import Knowledge, KnownWords, LexiconIndex
    from bitext.align.sentences.pair_paths import Evidence, PairPath
    from bitext.align.sentences.sentence_options import SentenceMethod, SentenceOptions
    from bitext.align.sentences.sentence_pair import Each, SentencePair, Side
    from bitext.align.sentences.vocabulary import Vocabulary
    from bitext.align.sentences.word_links import WordPairs

__all__ = ["TaughtAligner"]


class TaughtAligner(SentenceAligner):
    """Aligns a text and its translation with all that a corpus taught.

    There are two rounds: the first looks everywhere, in a large table with little evidence, the
    second near the path found there with all. The lengths and the lexicon are those of the corpus;
    how frequent beads are is that of the corpus and, once there is a path, of the text: it may be
    abridged where others are not. How frequent words are is that of the corpus, or of the text
    where they are more frequent there. So what comes out depends on the text and on what is known,
    and on nothing else.

    Parameters
    ----------
    pair : SentencePair
        With vocabularies of its own.
    method, options, given, more
        As in `SentenceAligner`.
    known : Knowledge
    lexicon : LexiconIndex
        Of what is known.

    """

    def __init__(
        self,
        pair: SentencePair,
        method: SentenceMethod,
        options: SentenceOptions,
        *,
        known: Knowledge,
        lexicon: LexiconIndex,
        given: Sequence[WordPairs] = (),
        more: Callable[[int], Sequence[Evidence]] | None = None,
    ) -> None:
        self._known = known
        asked = choose_options(options, {"rounds": 2})
        super().__init__([pair], method, asked, given=given, more=more)
        # Where the others are not cut so, a text is not held to be so from the beginning.
        src, tgt = (sum(bead[k] * n for bead, n in known.beads.items()) for k in (0, 1))
        self._finely = None if are_unequal(tgt / max(src, 1)) else set()
        self._taught = lexicon.onto(pair.src.vocabulary, pair.tgt.vocabulary)
        # In a small table all is looked at in any case, so all is told at once.
        small = (len(pair.src) + 1) * (len(pair.tgt) + 1) <= SMALL
        self.lexicon = self._taught if small else None
        self.chance = self._usual = known.chances(self.beads)
        self.lengths = known.lengths._replace(poisson=method.poisson, unit=self.lengths.unit)

    def _begin(self, each: Each) -> dict[int, PairPath]:
        """Return the first path of a text that may be cut finely, an excerpt or abridged."""
        if not self._is_odd(0):
            return {}  # how frequent beads are is known
        self._begin_round()
        return self._taken(self._of_rare_kinds(self._tried(self.chance, [0], each), each))

    def _learn(self) -> None:
        # The lexicon was only not wanted where nothing was told of the path.
        self.lexicon = self._taught
        self._learn_beads()

    def _learn_beads(self) -> None:
        told = min(float(sum(self._known.beads.values())), self._trust)
        counts = told_each_other(self.beads, self.beads_of(0)) + told * self._usual
        self._own = learned_chances(self.beads, counts, usual=self._usual)[None]

    def _statistics(
        self, *vocabularies: Vocabulary
    ) -> tuple[
        tuple[NDArray[np.float64], NDArray[np.float64]],
        tuple[NDArray[np.float64], NDArray[np.float64]],
    ]:
        pair = self.pairs[0]
        (src, src_share), (tgt, tgt_share) = (
            _together(side, vocabulary, known)
            for side, vocabulary, known in zip(
                (pair.src, pair.tgt), vocabularies, self._known.words, strict=True
            )
        )
        return (src, tgt), (src_share, tgt_share)


def _together(
    side: Side, vocabulary: Vocabulary, known: KnownWords
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how frequent words are in a text and a corpus, and how many sentences have them.

    The text may be one of those that were learned from: it must not count twice.
    """
    counts, sentences = known.of(vocabulary.forms)
    counts = np.maximum(counts, np.bincount(side.ids, side.times, len(counts)))
    sentences = np.maximum(sentences, np.bincount(side.ids, minlength=len(sentences)))
    total = max(known.total, int(side.times.sum()))
    frequent = (counts + 0.5) / (total + 100)
    shares = np.maximum(sentences - 2, 0) / max(known.sentences, len(side), 1)
    return frequent, shares
