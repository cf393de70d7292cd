"""What a text and its translation teach of all texts of the two languages: a lesson.

Lessons are small beside the texts, are numbers and words only, and add up: `CorpusLearner` makes
of them what is known of a corpus. It is the same in whatever parts they came, as long as they come
in the order of the texts: counts are whole numbers, and sums of others are taken in this order.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import alone_among, learned_chances
from bitext.align.sentences.cognates import cognates
from bitext.align.sentences.corpus_knowledge import Knowledge, KnownWords
from bitext.align.sentences.corpus_lexicon import BagWords, learn_from_bags
from bitext.align.sentences.length_evidence import WORD, LengthModel
from bitext.align.sentences.lexicon import Lexicon
from bitext.align.sentences.lexicon_learning import doubting
from bitext.align.sentences.vocabulary import Vocabulary
from bitext.align.sentences.word_links import WordPairs, join_pairs, without_common
from bitext.align.sentences.words_together import LONGEST
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_aligner import SentenceAligner
    from bitext.align.sentences.sentence_options import SentenceMethod, SentenceOptions
    from bitext.align.sentences.sentence_pair import Side

__all__ = ["CorpusLearner", "lesson_of"]

_MOST = 16_000  # beads of a text that are learned from


def lesson_of(aligner: SentenceAligner, k: int = 0) -> dict[str, Any]:
    """Return what text pair k of an aligner that has run teaches, as for JSON.

    Returns
    -------
    dict
        `beads`: how many of each kind, as `beads_of_path` counts them, `lengths`: of beads with two
        sides (at most 16,000, evenly spread) the total length of both, `letters`: of the sentences
        of each side how many there are, and the sums of the logarithms of their lengths and of
        their squares; `sums`: the lengths of both texts; `src`, `tgt`: the words, empty where the
        method asks for none.

    """
    path, pair = aligner.paths[k], aligner.pairs[k]
    src, tgt = aligner.sizes[k]
    told = path.kinds >= 0
    row, column = (np.append(0, ends) for ends in (path.row, path.column))
    lengths = [
        np.diff(np.append(0.0, np.cumsum(size))[ends]) for size, ends in ((src, row), (tgt, column))
    ]
    both = np.flatnonzero(told & (lengths[0] > 0) & (lengths[1] > 0))
    both = both[:: -(-len(both) // _MOST) or 1]
    logs = [np.log(np.maximum(side, 1.0)) for side in (src, tgt)]
    counts = aligner.beads_of(k).astype(np.int64)
    found: dict[str, Any] = {
        "beads": {f"{a}-{b}": n for (a, b), n in zip(aligner.beads, counts.tolist(), strict=True)},
        "lengths": [lengths[0][both].tolist(), lengths[1][both].tolist()],
        "letters": [[len(log), float(log.sum()), float((log * log).sum())] for log in logs],
        "sums": [float(src.sum()), float(tgt.sum())],
    }
    if aligner.method.words:
        kept = np.zeros(len(told), dtype=bool)
        kept[both] = True
        kept &= (np.diff(row) <= LONGEST) & (np.diff(column) <= LONGEST)
        found["src"], found["tgt"] = _words(pair.src, row, kept), _words(pair.tgt, column, kept)
    return found


def _words(side: Side, ends: NDArray[np.int64], kept: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the words of a side, how frequent they are, and those of the beads to learn from."""
    number = len(side.vocabulary)
    members = np.diff(ends)
    bead = np.repeat(np.arange(len(members)), members)
    of_word = np.repeat(bead, np.diff(side.ptr))
    mine = kept[of_word]
    key, which = np.unique(of_word[mine] * number + side.ids[mine], return_inverse=True)
    times = np.bincount(which, side.times[mine], len(key)).astype(np.int64)
    # A side without any word has as many beads as the other, each of no word.
    sizes = np.bincount(key // max(number, 1), minlength=len(members))[kept]
    return {
        "forms": side.vocabulary.forms,
        "counts": np.bincount(side.ids, side.times, number).astype(np.int64).tolist(),
        "sentences": [len(side), *np.bincount(side.ids, minlength=number).tolist()],
        "sizes": sizes.tolist(),
        "ids": (key % max(number, 1)).tolist(),
        "times": times.tolist(),
    }


@dataclass(slots=True)
class _Heap:
    """The words of one side of all lessons."""

    vocabulary: Vocabulary
    counts: array[int]  # of each word
    sentences: array[int]  # that have it
    sizes: array[int]  # words of each bead
    ids: array[int]
    times: array[int]
    number: int = 0  # of all sentences

    @classmethod
    def empty(cls) -> _Heap:
        return cls(Vocabulary(), array("q"), array("q"), array("i"), array("i"), array("i"))

    def add(self, lesson: dict[str, Any]) -> None:
        own = self.vocabulary.numbers(lesson["forms"]) if lesson["forms"] else np.zeros(0, np.int32)
        more = len(self.vocabulary) - len(self.counts)
        for counted in (self.counts, self.sentences):
            counted.extend([0] * more)
        number, *sentences = lesson["sentences"]
        self.number += number
        for place, count, of in zip(own.tolist(), lesson["counts"], sentences, strict=True):
            self.counts[place] += count
            self.sentences[place] += of
        self.sizes.extend(lesson["sizes"])
        self.ids.extend(own[np.array(lesson["ids"], dtype=np.int64)].tolist())
        self.times.extend(lesson["times"])

    def words(self) -> KnownWords:
        pairs = zip(self.counts.tolist(), self.sentences.tolist(), strict=True)
        counts = dict(zip(self.vocabulary.forms, pairs, strict=True))
        return KnownWords(counts, sum(self.counts), self.number)

    def shares(self) -> NDArray[np.float64]:
        """Return the share of sentences that has each word, as `shares_of` does."""
        held = np.array(self.sentences, dtype=np.float64)
        result: NDArray[np.float64] = np.maximum(held - 2, 0) / max(self.number, 1)
        return result

    def bags(self) -> BagWords:
        """Return the words of beads, those of each bead ascending."""
        ptr = prefix(np.array(self.sizes, dtype=np.int64))
        ids, times = np.array(self.ids, dtype=np.int32), np.array(self.times, dtype=np.int32)
        bead = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        order = np.lexsort((ids, bead))
        return BagWords(ptr, ids[order], times[order], len(self.vocabulary))


class _Sums(NamedTuple):
    """The lengths of beads with two sides, of all lessons."""

    src: array[float]
    tgt: array[float]


class CorpusLearner:
    """Takes lessons in the order of their texts, and makes of them what is known of the corpus.

    Memory grows with the lessons: with about 200 bytes a sentence. They are to be a sample.

    Parameters
    ----------
    name : str
        That of the method.
    method : SentenceMethod
    options : SentenceOptions

    """

    def __init__(
        self,
        name: str,
        method: SentenceMethod,
        options: SentenceOptions,
    ) -> None:
        self.name, self.method, self.options = name, method, options
        self.texts = 0
        self._given: list[Lexicon] = []
        self._unit = 1.0 if method.unit == "letters" else WORD
        self._beads = dict.fromkeys(options.kinds, 0)
        self._lengths = _Sums(array("d"), array("d"))
        self._letters = [0, 0.0, 0.0], [0, 0.0, 0.0]
        self._whole = [0.0, 0.0]
        self._sides = _Heap.empty(), _Heap.empty()

    @property
    def sentences(self) -> int:
        """How many sentences of the target there were."""
        return int(self._letters[1][0])

    @property
    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        """The words that were met."""
        return self._sides[0].vocabulary, self._sides[1].vocabulary

    def give(self, lexicon: Lexicon) -> None:
        """Take what is known of words beforehand."""
        self._given.append(lexicon)

    def add(self, lesson: dict[str, Any]) -> None:
        """Take a lesson."""
        self.texts += 1
        for kind, count in lesson["beads"].items():
            a, b = map(int, kind.split("-"))
            self._beads[a, b] = self._beads.get((a, b), 0) + count
        for held, more in zip(self._lengths, lesson["lengths"], strict=True):
            held.extend(more)
        told = [*lesson["letters"], lesson["sums"]]
        for total, more in zip([*self._letters, self._whole], told, strict=True):
            for k, value in enumerate(more):
                total[k] += value
        if self.method.words:
            for side, name in zip(self._sides, ("src", "tgt"), strict=True):
                side.add(lesson[name])

    def learned(self) -> Knowledge:
        """Return what is known after all lessons."""
        src, tgt = self._sides
        words = src.words(), tgt.words()
        none = np.zeros(0)
        pairs = WordPairs(none.astype(np.int32), none.astype(np.int32), none, none, none, none)
        if self.method.words and len(src.vocabulary) and len(tgt.vocabulary):
            pairs = self._pairs()
        lexicon = Lexicon(src.vocabulary, tgt.vocabulary, pairs)
        return Knowledge(self.name, self._model(), dict(self._beads), words, lexicon)

    def _pairs(self) -> WordPairs:
        src, tgt = self._sides
        vocabularies = src.vocabulary, tgt.vocabulary
        shares = src.shares(), tgt.shares()
        given = [lexicon.onto(*vocabularies) for lexicon in self._given]
        prior = without_common(
            join_pairs([*given, cognates(*vocabularies, shares=shares)]), *shares
        )
        options = self.options
        chance = learned_chances([*self._beads], np.array([*self._beads.values()]))
        return learn_from_bags(
            src.bags(),
            tgt.bags(),
            prior,
            shares=shares,
            discount=doubting(options.discount, alone_among([*self._beads], chance)),
            steps=options.steps,
        )

    def _model(self) -> LengthModel:
        """Return the model of lengths, as `LengthModel.first` and `learned` make it of texts."""
        none = np.zeros(0)
        first = LengthModel.first(none, none, poisson=self.method.poisson, unit=self._unit)
        if not (self._letters[0][0] and self._letters[1][0]):
            return first
        means, spreads = [], []
        for number, logs, squares in self._letters:
            means.append(logs / number)
            spreads.append(max(squares / number - means[-1] * means[-1], 0.0) ** 0.5)
        first = first._replace(
            means=(means[0], means[1]),
            spreads=(max(spreads[0], 0.3), max(spreads[1], 0.3)),
            ratio=self._whole[1] / self._whole[0] if all(self._whole) else 1.0,
        )
        return first.learned(*(np.array(held) for held in self._lengths))
