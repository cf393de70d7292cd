"""Alignment of single texts with statistics from a corpus.

First comes the lexicon that is learned from the beads of the corpus; then the statistics of some
text pairs, their sums, and the aligner of a single text that is made from these.
"""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.aligner import SentenceAligner
from bitext.align.sentences.bead_types import are_unequal, share_alone, smoothed_priors
from bitext.align.sentences.evidence import LEAST_SPREAD, WORD, Evidence, LengthModel
from bitext.align.sentences.knowledge import (
    Knowledge,
    KnownWords,
    LexiconIndex,
    beads_as_text,
    path_of_text,
)
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.cognates import SimilarWords, cognates
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.align.sentences.lexical.repeated_beads import is_near_duplicate
from bitext.align.sentences.lexical.translation_model import (
    ALIKE_WEIGHT,
    FIRST_DISCOUNT,
    FREQUENCY_WEIGHT,
    MOST_SENTENCES,
    MOST_WORD_PAIRS,
    NULL,
    Translation,
    adjusted_discount,
    informative_pairs,
    translation_probabilities,
)
from bitext.align.sentences.lexical.word_links import (
    WordPairs,
    join_pairs,
    links_of,
    without_common,
)
from bitext.align.sentences.options import SentenceMethod, SentenceOptions, choose_options, named
from bitext.align.sentences.path_choice import may_be_partial
from bitext.align.sentences.search_space import SMALL
from bitext.align.sentences.state import (
    AlignerState,
    AlignmentTask,
    Pretrained,
    WordStatistics,
    first_state,
    lengths_in,
    marks_of_pairs,
    prepare_task,
    with_links,
)
from bitext.align.sentences.texts import SentencePair, Side
from bitext.kernels.arrays import Bools, Floats, Ints, batches, positions, prefix, ranges
from bitext.kernels.bead_path import BeadPath

# A lexicon learned from the beads of a corpus, in bounded memory.
#
# The model is that of `translation_model`. Pairs of words in the same bead are enumerated in parts,
# once to count them and twice in each step of expectation maximization. The number of pairs is
# bounded: only those with the highest counts remain. Counts are integers, and the selection depends
# on total counts only, so the division into parts does not change the result.

_WORD_PAIRS_AT_ONCE = 1_000_000  # pairs of words in beads that are enumerated at once: memory only
_MOST_WORD_PAIRS = 2_000_000  # distinct pairs of words: bounds memory to some 100 MB


class BagWords(NamedTuple):
    """The words of one side of many beads."""

    ptr: Ints  # shape (beads + 1,)
    # The distinct words of bead k are `ids[ptr[k]:ptr[k + 1]]`, in ascending order.
    ids: NDArray[np.int32]
    times: NDArray[np.int32]  # occurrences of each of these words in the bead
    forms: int  # size of the vocabulary

    @property
    def bead(self) -> Ints:
        """The bead of each of `ids`."""
        return np.repeat(np.arange(len(self.ptr) - 1), np.diff(self.ptr))

    def chosen(self, beads: Bools) -> BagWords:
        """Return the words of the marked beads."""
        sizes = np.diff(self.ptr)
        is_chosen = np.repeat(beads, sizes)
        return BagWords(
            prefix(sizes[beads]), self.ids[is_chosen], self.times[is_chosen], self.forms
        )


def learn_from_bags(
    src: BagWords,
    tgt: BagWords,
    prior: WordPairs,
    *,
    shares: tuple[Floats, Floats],
    discount: float = 0.55,
    steps: int = 3,
    at_once: int = _WORD_PAIRS_AT_ONCE,
) -> WordPairs:
    """Learn translation probabilities of words from many beads.

    `src` and `tgt` are both sides of the same beads; `prior`, `shares`, `discount` and `steps` are
    as in `translation_model.learn`. The pairs of words in the same bead are enumerated `at_once` at
    a time: this changes memory only.
    """
    pair_counts = np.diff(src.ptr) * np.diff(tgt.ptr)
    words = ((side.bead, side.ids.astype(np.int64)) for side in (src, tgt))
    duplicates = is_near_duplicate(*words, beads=len(pair_counts))
    used = (pair_counts > 0) & (pair_counts <= MOST_WORD_PAIRS) & ~duplicates
    src, tgt = src.chosen(used), tgt.chosen(used)
    keys = kept_pairs(src, tgt, at_once=at_once)
    known = prior.src.astype(np.int64) * tgt.forms + prior.tgt
    place, is_known = positions(keys, known)
    hints = np.zeros((2, len(keys)))
    hints[:, place[is_known]] = prior.forward[is_known], prior.backward[is_known]
    forward, backward = _translations(
        src, tgt, keys, hints, discount=discount, steps=steps, at_once=at_once
    )
    pairs = keys // tgt.forms, keys % tgt.forms
    return informative_pairs(pairs, forward, backward, shares=shares, discount=discount)


def kept_pairs(
    src: BagWords,
    tgt: BagWords,
    *,
    most: int = _MOST_WORD_PAIRS,
    at_once: int = _WORD_PAIRS_AT_ONCE,
) -> Ints:
    """Return the pairs of words with the highest counts, at most `most` of them.

    The count of a pair is the number of beads with both words. The threshold is the smallest count
    that leaves at most `most` pairs: 1, which leaves all pairs, if there are few beads. The result
    encodes each pair as `source word * size of the target vocabulary + target word`, in ascending
    order. `at_once` changes memory only.

    Examples
    --------
    >>> src = BagWords(np.array([0, 1, 2]), np.array([0, 0]), np.array([1, 1]), 1)
    >>> tgt = BagWords(np.array([0, 2, 3]), np.array([0, 2, 2]), np.array([1, 1, 1]), 3)
    >>> kept_pairs(src, tgt).tolist(), kept_pairs(src, tgt, most=1).tolist()
    ([0, 2], [2])

    """
    least, total = 1, 0
    counted: list[tuple[Ints, Ints]] = []
    for keys in _counted_together(src, tgt, at_once):
        opens = np.flatnonzero(np.diff(keys, prepend=-1))
        beads = np.diff(opens, append=len(keys))
        often = beads >= least
        counted.append((keys[opens[often]], beads[often]))
        total += len(counted[-1][0])
        # The threshold rises while there are too many pairs, also for the pairs counted before.
        while total > most:
            least += 1
            counted = [(key[n >= least], n[n >= least]) for key, n in counted]
            total = sum(len(key) for key, _ in counted)
    return np.concatenate([np.zeros(0, dtype=np.int64), *(key for key, _ in counted)])


def _counted_together(src: BagWords, tgt: BagWords, at_once: int) -> Iterator[Ints]:
    """Yield the pairs of words of all beads, in ascending order, in parts of some source words."""
    width = np.diff(tgt.ptr)
    order = np.argsort(src.ids, kind="stable")
    words, beads = src.ids[order], src.bead[order]
    ends = np.append(np.flatnonzero(np.diff(words)) + 1, len(words))
    sizes = prefix(width[beads])
    begin = 0
    while begin < len(words):
        # A part has as many source words as fit into `at_once` pairs, but at least one.
        last = int(np.searchsorted(sizes[ends], sizes[begin] + at_once, side="right"))
        end = int(ends[max(last - 1, int(np.searchsorted(ends, begin, side="right")))])
        batch_beads = beads[begin:end]
        target = tgt.ids[ranges(tgt.ptr[batch_beads], width[batch_beads])]
        keys = np.repeat(words[begin:end].astype(np.int64), width[batch_beads]) * tgt.forms + target
        keys.sort()
        yield keys
        begin = end


def _translations(
    src: BagWords,
    tgt: BagWords,
    keys: Ints,
    hints: Floats,
    *,
    discount: float,
    steps: int,
    at_once: int,
) -> tuple[Translation, Translation]:
    sides = src, tgt
    counts = [np.bincount(side.ids, side.times, side.forms).astype(np.float64) for side in sides]
    frequent = [count / max(count.sum(), 1.0) for count in counts]
    # The number of words of each bead.
    room = [
        np.bincount(side.bead, side.times, len(side.ptr) - 1).astype(np.float64) for side in sides
    ]
    source, target = keys // tgt.forms, keys % tgt.forms
    probability = [
        ALIKE_WEIGHT * hints[0] + FREQUENCY_WEIGHT * frequent[1][target],
        ALIKE_WEIGHT * hints[1] + FREQUENCY_WEIGHT * frequent[0][source],
    ]
    known_parts = partial(_met_pairs, src, tgt, keys, at_once)
    # A single part, as from a usual sample, stays in memory for all steps.
    is_one = int(np.diff(src.ptr) @ np.diff(tgt.ptr)) <= at_once
    cached_parts = list(known_parts()) if is_one else None
    for step in range(steps):
        expected = [np.zeros(len(keys)), np.zeros(len(keys))]
        for kind, x, y, first, last in known_parts() if cached_parts is None else cached_parts:
            for way, (gives, takes, giver, taker) in enumerate(
                ((src, tgt, x, y), (tgt, src, y, x))
            ):
                # Expectation: each word is shared out among the words of the other side of its bead
                # and the empty word, by their probabilities.
                begin = int(takes.ptr[first])
                own = slice(begin, int(takes.ptr[last]))
                part = gives.times[giver] * probability[way][kind]
                total = np.bincount(taker - begin, part, own.stop - begin)
                here_room = np.repeat(room[way][first:last], np.diff(takes.ptr[first : last + 1]))
                total += NULL * here_room * frequent[1 - way][takes.ids[own]]
                part *= (takes.times[own] / np.maximum(total, 1e-300))[taker - begin]
                expected[way] += np.bincount(kind, part, len(keys))
        less = discount * (1.0 if step else FIRST_DISCOUNT)
        for way, giver in enumerate((source, target)):
            each = float(counts[1 - way].sum()) / max(float(counts[way].sum()), 1.0)
            probability[way] = translation_probabilities(
                expected[way], giver, counts[way], each=each, less=less
            )
    return (
        Translation(probability[0], expected[0], frequent[1], counts[1]),
        Translation(probability[1], expected[1], frequent[0], counts[0]),
    )


def _met_pairs(
    src: BagWords, tgt: BagWords, keys: Ints, at_once: int
) -> Iterator[tuple[Ints, Ints, Ints, int, int]]:
    """Yield the pairs of words in `keys` as `pairs_in_parts` does, with their positions there."""
    for x, y, first, last in pairs_in_parts(src.ptr, tgt.ptr, at_once):
        kind, is_known = positions(keys, src.ids[x].astype(np.int64) * tgt.forms + tgt.ids[y])
        yield kind[is_known], x[is_known], y[is_known], first, last


def pairs_in_parts(src: Ints, tgt: Ints, at_once: int) -> Iterator[tuple[Ints, Ints, int, int]]:
    """Yield the pairs of words in the same bead, in parts.

    A part is: positions of the source words and of the target words among those of all beads, and
    the first and last bead of the part, half-open. A part has `at_once` pairs at most, unless a
    single bead has more. The words of bead k are `src[k]` to `src[k + 1]`, and `tgt[k]` to
    `tgt[k + 1]`.
    """
    across, down = np.diff(tgt), np.diff(src)
    for first, last in batches(prefix(across * down), at_once):
        pair_counts = (across * down)[first:last]
        bead = np.repeat(np.arange(first, last), pair_counts)
        inner = np.arange(len(bead)) - np.repeat(prefix(pair_counts)[:-1], pair_counts)
        yield inner // across[bead] + src[bead], inner % across[bead] + tgt[bead], first, last


# Statistics of some text pairs, which `CorpusStatistics` adds up to those of a corpus.
#
# They are small compared with the texts and consist of numbers and words. The sums do not depend on
# how the texts are divided into jobs, as long as statistics are added in the order of the texts:
# counts are integers, and other numbers are added in this order.

_MOST_BEADS = 16_000  # beads of a text that are learned from: bounds memory and the size of files
# Source sentences of a group of texts that are aligned to compare priors, set by hand: groups of
# 2,000 give the same results (some cases of alignment_corpora.py), and learning takes longer.
_COMPARED_SENTENCES = 400
# Source sentences of a group of texts that teach without the last round, set by hand: those of the
# smallest group of a large corpus. With 500 F1 is up to .008 less (align_profile.md).
_ENOUGH_TAUGHT = 1_800


def teacher_of(
    pairs: Sequence[SentencePair],
    method: SentenceMethod,
    options: SentenceOptions,
    *,
    given: Sequence[WordPairs] = (),
    enough: int = _ENOUGH_TAUGHT,
) -> SentenceAligner:
    """Prepare the aligner of some text pairs of a sample, which share what they learn.

    If they have `enough` source sentences and words are learned, the last round is left to
    `taught_aligner`. Other parameters are as in `prepare_task`.
    """
    task = prepare_task(pairs, method, options, given=given)
    spared = int(method.words and sum(len(pair.src) for pair in pairs) >= enough)
    return SentenceAligner(replace(task, compared=_COMPARED_SENTENCES, scored=False, spared=spared))


def text_statistics(aligner: SentenceAligner, *, most: int = _MOST_BEADS) -> dict[str, Any]:
    """Collect the statistics of the text pairs of an aligner that has run, as for JSON.

    At most `most` beads of a text pair are learned from. The result has

    - `texts`: the number of text pairs;
    - `beads`: the number of beads of each type, as `beads_of_path` counts them;
    - `lengths`: the lengths of the two sides of beads that have both, of `most` beads at most at
      even distances;
    - `letters`: for each side the number of sentences, and the sums of the logarithms of their
      lengths and of the squares of these logarithms;
    - `sums`: the lengths of both texts;
    - `paths`: the beads of each pair (`beads_as_text`), by the digest of its texts;
    - `src`, `tgt`: the words, if the method uses any; those of beads, and their counts, are packed.
    """
    numbers = range(len(aligner.pairs))
    counts = sum(
        (aligner.count_beads(k).astype(np.int64) for k in numbers),
        start=np.zeros(len(aligner.beads), dtype=np.int64),
    )
    beads = [_beads_with_both(aligner, k, most) for k in numbers]
    sizes = [[aligner.task.sizes[k][side] for k in numbers] for side in (0, 1)]
    logs = [np.log(np.maximum(np.concatenate([[1.0], *side]), 1.0))[1:] for side in sizes]
    statistics: dict[str, Any] = {
        "texts": len(numbers),
        "beads": {f"{a}-{b}": n for (a, b), n in zip(aligner.beads, counts.tolist(), strict=True)},
        "lengths": [[n for one in beads for n in one.lengths[side].tolist()] for side in (0, 1)],
        "letters": [[len(log), float(log.sum()), float((log * log).sum())] for log in logs],
        "sums": [float(sum(float(one.sum()) for one in side)) for side in sizes],
        "paths": {
            aligner.pairs[k].digest: beads_as_text(aligner.beads, aligner.paths[k])
            for k in reversed(numbers)  # of equal texts the first one counts
        },
    }
    if aligner.task.method.words:
        for name, side in (("src", 0), ("tgt", 1)):
            sides = [aligner.pairs[k].tgt if side else aligner.pairs[k].src for k in numbers]
            statistics[name] = _words(sides, [(one.ends[side], one.used) for one in beads])
    return statistics


class _BothSided(NamedTuple):
    """The beads of a path that have two sides."""

    # Where the beads of the path begin and end, on each side. Shape (beads of the path + 1,).
    ends: tuple[Ints, Ints]
    # The lengths of both sides of the beads that are learned from.
    lengths: tuple[Floats, Floats]
    used: Bools  # the beads whose words are learned from; shape (beads of the path,)


def _beads_with_both(aligner: SentenceAligner, k: int, most: int) -> _BothSided:
    """Return the beads of text pair k that are learned from, `most` of them at even distances."""
    path = aligner.paths[k]
    has_type = path.kinds >= 0
    ends = np.append(0, path.row), np.append(0, path.column)
    lengths = [
        np.diff(np.append(0.0, np.cumsum(size))[at])
        for size, at in zip(aligner.task.sizes[k], ends, strict=True)
    ]
    both = np.flatnonzero(has_type & (lengths[0] > 0) & (lengths[1] > 0))
    both = both[:: -(-len(both) // most) or 1]
    used = np.zeros(len(has_type), dtype=bool)
    used[both] = True
    for at in ends:
        used &= np.diff(at) <= MOST_SENTENCES
    return _BothSided(ends, (lengths[0][both], lengths[1][both]), used)


def _words(sides: Sequence[Side], beads: Sequence[tuple[Ints, Bools]]) -> dict[str, Any]:
    """Return the words of some texts with their frequencies, and the words of the beads in use."""
    vocabulary = sides[0].vocabulary if sides else Vocabulary()
    number = len(vocabulary)
    counts, sentences = np.zeros(number, dtype=np.int64), np.zeros(number, dtype=np.int64)
    sizes: list[int] = []
    ids: list[NDArray[Any]] = []
    times: list[NDArray[Any]] = []
    for side, (ends, used) in zip(sides, beads, strict=True):
        members = np.diff(ends)
        bead = np.repeat(np.arange(len(members)), members)
        of_word = np.repeat(bead, np.diff(side.ptr))
        word_used = used[of_word]
        key, key_index = np.unique(
            of_word[word_used] * number + side.ids[word_used], return_inverse=True
        )
        times.append(np.bincount(key_index, side.times[word_used], len(key)))
        ids.append(key % max(number, 1))
        # Both sides have the same number of beads, even if one side has no words at all.
        sizes += np.bincount(key // max(number, 1), minlength=len(members))[used].tolist()
        counts += np.bincount(side.ids, side.times, number).astype(np.int64)
        sentences += np.bincount(side.ids, minlength=number)
    return {
        "forms": vocabulary.forms,
        "counts": counts.tolist(),
        "sentences": [sum(map(len, sides)), *sentences.tolist()],
        "sizes": sizes,
        "ids": _packed(ids),
        "times": _packed(times),
    }


# The words of all beads are most of the statistics. As JSON they are a string: lists of numbers
# took a twentieth of the time of a hundred texts by jobs to write, read and add up.


def _packed(arrays: Sequence[NDArray[Any]]) -> str:
    """Return whole numbers as the Base64 of integers of 32 bits, the least byte first."""
    return b64encode(b"".join(one.astype("<i4").tobytes() for one in arrays)).decode("ascii")


def _unpacked(numbers: str | list[int]) -> NDArray[np.int32]:
    if isinstance(numbers, list):  # in journals of earlier versions
        return np.array(numbers, dtype=np.int32)
    return np.frombuffer(b64decode(numbers, validate=True), dtype="<i4").astype(np.int32)


@dataclass(slots=True)
class _Heap:
    """The words of one side of all texts."""

    vocabulary: Vocabulary
    counts: array[int]  # occurrences of each word
    sentences: array[int]  # sentences with each word
    sizes: array[int]  # distinct words of each bead
    ids: array[int]
    times: array[int]
    number: int = 0  # all sentences

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
        for counted, counts in ((self.counts, lesson["counts"]), (self.sentences, sentences)):
            np.frombuffer(counted, dtype=np.int64)[own] += np.array(counts, dtype=np.int64)
        self.sizes.extend(lesson["sizes"])
        self.ids.frombytes(own[_unpacked(lesson["ids"])].tobytes())
        self.times.frombytes(_unpacked(lesson["times"]).tobytes())

    def words(self) -> KnownWords:
        pairs = zip(self.counts.tolist(), self.sentences.tolist(), strict=True)
        counts = dict(zip(self.vocabulary.forms, pairs, strict=True))
        return KnownWords(counts, sum(self.counts), self.number)

    def shares(self) -> Floats:
        """Return the share of the sentences with each word, as `shares_of` does."""
        sentences = np.array(self.sentences, dtype=np.float64)
        return np.maximum(sentences - 2, 0) / max(self.number, 1)

    def bags(self) -> BagWords:
        """Return the words of all beads, in ascending order within each bead."""
        ptr = prefix(np.array(self.sizes, dtype=np.int64))
        ids, times = np.array(self.ids, dtype=np.int32), np.array(self.times, dtype=np.int32)
        bead = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        order = np.argsort(bead * len(self.vocabulary) + ids)  # all differ
        return BagWords(ptr, ids[order], times[order], len(self.vocabulary))


class CorpusStatistics:
    """Adds up the statistics of texts, in their order, and estimates the models.

    Memory grows by about 200 bytes a sentence, so a large corpus has to be sampled. `name` is the
    name of the method.
    """

    def __init__(self, name: str, method: SentenceMethod, options: SentenceOptions) -> None:
        self.name, self.method, self.options = name, method, options
        self.texts = 0
        self._given: list[Lexicon] = []
        self._unit = 1.0 if method.unit == "letters" else WORD
        self._beads = dict.fromkeys(options.kinds, 0)
        self._lengths = array("d"), array("d")
        self._letters = [0, 0.0, 0.0], [0, 0.0, 0.0]
        self._whole = [0.0, 0.0]
        self._sides = _Heap.empty(), _Heap.empty()
        self._paths: dict[str, str] = {}

    @property
    def sentences(self) -> int:
        """Number of target sentences of all texts."""
        return int(self._letters[1][0])

    @property
    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        """Words of the source and of the target."""
        return self._sides[0].vocabulary, self._sides[1].vocabulary

    def give(self, lexicon: Lexicon) -> None:
        """Add a lexicon from elsewhere, for example a dictionary."""
        self._given.append(lexicon)

    def add(self, lesson: dict[str, Any]) -> None:
        """Add the statistics of some texts, from `text_statistics`."""
        self.texts += lesson["texts"]
        for kind, count in lesson["beads"].items():
            a, b = map(int, kind.split("-"))
            self._beads[a, b] = self._beads.get((a, b), 0) + count
        for lengths, more in zip(self._lengths, lesson["lengths"], strict=True):
            lengths.extend(more)
        sums = [*lesson["letters"], lesson["sums"]]
        for total, more in zip([*self._letters, self._whole], sums, strict=True):
            for k, value in enumerate(more):
                total[k] += value
        for digest, path in lesson["paths"].items():
            self._paths.setdefault(digest, path)
        if self.method.words:
            for side, name in zip(self._sides, ("src", "tgt"), strict=True):
                side.add(lesson[name])

    def learned(self) -> Knowledge:
        """Estimate the models from all texts."""
        src, tgt = self._sides
        words = src.words(), tgt.words()
        none = np.zeros(0)
        pairs = WordPairs(none.astype(np.int32), none.astype(np.int32), none, none, none, none)
        if self.method.words and len(src.vocabulary) and len(tgt.vocabulary):
            pairs = self._pairs()
        lexicon = Lexicon(src.vocabulary, tgt.vocabulary, pairs)
        model, beads, paths = self._model(), dict(self._beads), dict(sorted(self._paths.items()))
        return Knowledge(self.name, model, beads, words, lexicon, paths)

    def _pairs(self) -> WordPairs:
        src, tgt = self._sides
        vocabularies = src.vocabulary, tgt.vocabulary
        shares = src.shares(), tgt.shares()
        lexicon_pairs = [lexicon.onto(*vocabularies) for lexicon in self._given]
        prior = without_common(
            join_pairs([*lexicon_pairs, cognates(*vocabularies, shares=shares)]), *shares
        )
        options = self.options
        priors = smoothed_priors([*self._beads], np.array([*self._beads.values()]))
        return learn_from_bags(
            src.bags(),
            tgt.bags(),
            prior,
            shares=shares,
            discount=adjusted_discount(options.discount, share_alone([*self._beads], priors)),
            steps=options.steps,
        )

    def _model(self) -> LengthModel:
        """Estimate the length model from sums, as `LengthModel.first` and `learned` from texts."""
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
            spreads=(max(spreads[0], LEAST_SPREAD), max(spreads[1], LEAST_SPREAD)),
            ratio=self._whole[1] / self._whole[0] if all(self._whole) else 1.0,
        )
        return first.learned(*(np.array(lengths) for lengths in self._lengths))


_UNKNOWN = " "  # in place of words that a corpus lacks
# Sentences of a corpus whose lexicon replaces similar words, set by hand: with 6,000 and more F1 is
# the same, with 200 to 450 lower by up to .023 (align_profile.md).
_ENOUGH_SENTENCES = 5_000


class CorpusWords:
    """The words of a corpus as numbers, with their links, for the texts that taught them.

    The frequency of a word in such a text is that in the corpus, so that all these texts share
    numbers, frequencies and links. Words that are neither counted nor linked have one number, the
    last one. Of the words that are alike only equal ones are linked, unless the lexicon has them.
    """

    @staticmethod
    def suffice(known: Knowledge) -> bool:
        """Check whether a corpus is so large that its words suffice for its texts."""
        return min(words.sentences for words in known.words) >= _ENOUGH_SENTENCES

    def __init__(self, known: Knowledge, lexicon: LexiconIndex) -> None:
        linked = lexicon.lexicon.src.forms, lexicon.lexicon.tgt.forms
        src, tgt = (
            Vocabulary(chain(words.counts, forms, [_UNKNOWN]))
            for words, forms in zip(known.words, linked, strict=True)
        )
        self.vocabularies = src, tgt
        of_src, of_tgt = (
            _frequencies(
                *(np.maximum(counts, 1) for counts in words.of(side.forms)),
                total=words.total,
                number=words.sentences,
            )
            for words, side in zip(known.words, (src, tgt), strict=True)
        )
        self.frequencies, self.shares = zip(of_src, of_tgt, strict=True)
        none = np.zeros(0, dtype=np.int64)
        similar = SimilarWords(none, none, np.zeros(0))
        equal = cognates(src, tgt, shares=self.shares, similar=similar)
        prior = without_common(equal, *self.shares)
        self.pairs = join_pairs([prior, lexicon.onto(src, tgt)])
        self.links = links_of(self.pairs, *self.frequencies)

    def renumbered(self, pair: SentencePair) -> SentencePair:
        """Return a pair that taught these words with their numbers."""
        return pair.within(self.vocabularies)

    def statistics(self, pair: SentencePair) -> WordStatistics:
        """Return the statistics for a renumbered pair, with the links of its words."""
        is_used = [np.zeros(len(side), dtype=bool) for side in self.vocabularies]
        for used, side in zip(is_used, (pair.src, pair.tgt), strict=True):
            used[side.ids] = True
        inside = is_used[0][self.pairs.src] & is_used[1][self.pairs.tgt]
        return WordStatistics(self.frequencies, self.shares, self.pairs.chosen(inside))


def taught_path(
    pair: SentencePair, method: SentenceMethod, options: SentenceOptions, known: Knowledge
) -> BeadPath | None:
    """Return the path of a pair that the corpus statistics were learned from by this method.

    None if there is none, or the sizes of the pair are unusual: its path depends on more than its
    beads.
    """
    text = known.paths.get(pair.digest) if known.paths and named(known.method) == method else None
    if text is None or may_be_partial(pair) or are_unequal(len(pair.tgt) / max(len(pair.src), 1)):
        return None
    return path_of_text(text, options.kinds, (len(pair.src), len(pair.tgt)))


def taught_aligner(
    pair: SentencePair,
    path: BeadPath,
    method: SentenceMethod,
    options: SentenceOptions,
    *,
    known: Knowledge,
    words: CorpusWords,
) -> SentenceAligner:
    """Prepare the aligner of one text pair that the models of a corpus were learned from.

    The aligner does the last round, near the `path` of that time. Lengths and words are those of
    the corpus, as in `pretrained_aligner`, and so are priors with those of this path. The alignment
    depends on the text and on `known` only.
    """
    own = words.renumbered(pair) if method.words else pair
    statistics = words.statistics(own) if method.words else None
    lexicon = words.pairs if statistics is None else statistics.prior_links
    options = choose_options(options, {"rounds": 2})
    marks = marks_of_pairs([own], method, options)
    task = AlignmentTask([own], method, options, [lengths_in(method, own)], statistics, marks)
    state = replace(first_state(task, words.links if method.words else None), lexicon=lexicon)
    return _with_models(task, state, known, lexicon, path)


def _with_models(
    task: AlignmentTask,
    state: AlignerState,
    known: Knowledge,
    lexicon: WordPairs,
    path: BeadPath | None,
) -> SentenceAligner:
    """Return the aligner of the one pair of a task, with the models of a corpus."""
    priors, method = known.chances(task.beads), task.method
    pretrained = Pretrained(priors, float(sum(known.beads.values())), lexicon, path)
    # A text with finer sentences than its translation is expected only if other texts are so.
    sizes = [sum(bead[k] * n for bead, n in known.beads.items()) for k in (0, 1)]
    state = replace(
        state,
        priors=priors,
        lengths=known.lengths._replace(poisson=method.poisson, unit=state.lengths.unit),
        finer=None if are_unequal(sizes[1] / max(sizes[0], 1)) else frozenset(),
    )
    return SentenceAligner(replace(task, pretrained=pretrained), state)


def pretrained_aligner(
    pair: SentencePair,
    method: SentenceMethod,
    options: SentenceOptions,
    *,
    known: Knowledge,
    lexicon: LexiconIndex,
    given: Sequence[WordPairs] = (),
    more: Callable[[int], Sequence[Evidence]] | None = None,
    similar: SimilarWords | None = None,
    small: int = SMALL,
) -> SentenceAligner:
    """Prepare the aligner of one text pair with the models of a corpus.

    The aligner does two rounds. The first one searches the whole table, without the lexicon if the
    table is large; the second one searches near the first path, with the lexicon. For a pair from
    which the corpus statistics were learned, the path of that time replaces the first round, unless
    its sizes are unusual or it has further evidence. The length model and the lexicon are those of
    the corpus. In the second round, priors combine the beads of the corpus with those of this text,
    which may be abridged where others are not. The frequency of a word is the greater one of its
    frequency in the corpus and in the text. The alignment depends on the text and on `known` only.

    The vocabularies of the pair are its own, and `lexicon` is the index of `known.lexicon`. A table
    of at most `small` points is searched with the lexicon in the first round. Other parameters are
    as in `prepare_task`.
    """
    path = None if more is not None else taught_path(pair, method, options, known)
    (src, src_share), (tgt, tgt_share) = (
        _together(side, words)
        for side, words in zip((pair.src, pair.tgt), known.words, strict=True)
    )
    task = prepare_task(
        [pair],
        method,
        choose_options(options, {"rounds": 2}),
        given=given,
        more=more,
        statistics=((src, tgt), (src_share, tgt_share)),
        similar=similar,
    )
    own = lexicon.onto(pair.src.vocabulary, pair.tgt.vocabulary)
    state = first_state(task)
    # A small table is searched whole in any case, so the lexicon is used at once.
    if (len(pair.src) + 1) * (len(pair.tgt) + 1) <= small:
        state = with_links(task, replace(state, lexicon=own))
    return _with_models(task, state, known, own, path)


def _together(side: Side, known: KnownWords) -> tuple[Floats, Floats]:
    """Return the relative frequency of each word, and the share of the sentences with it.

    The text may be part of the corpus and must not count twice: counts are the maximum of those of
    text and corpus, not the sum.
    """
    counts, sentences = known.of(side.vocabulary.forms)
    counts = np.maximum(counts, np.bincount(side.ids, side.times, len(counts)))
    sentences = np.maximum(sentences, np.bincount(side.ids, minlength=len(sentences)))
    total = max(known.total, int(side.times.sum()))
    return _frequencies(counts, sentences, total=total, number=max(known.sentences, len(side)))


def _frequencies(
    counts: Floats, sentences: Floats, *, total: int, number: int
) -> tuple[Floats, Floats]:
    """Return relative frequencies of words, and the shares of the sentences with them."""
    return (counts + 0.5) / (total + 100), np.maximum(sentences - 2, 0) / max(number, 1)
