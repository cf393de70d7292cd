"""The ARCADE measures: precision, recall and F of alignments at four granularities.

ARCADE was an evaluation exercise for alignment systems (Langlais, Simard and Véronis 1998;
Véronis and Langlais 2000). An alignment is a set of bisegments; a system's alignment A is compared
with a reference alignment Ar:

    recall = |A n Ar| / |Ar|      precision = |A n Ar| / |A|      F = 2 |A n Ar| / (|A| + |Ar|)

The granularity decides the items that are counted:

- *alignment*: the bisegments, as pairs of sets. A bisegment that is off by a sentence is wrong.
- *sentence*: the pairs of sentences (s, t) in any bisegment, each counted once.
- *word*, *character*: the same pairs, each weighing |s| x |t| in words or characters, so that an
  error on a long sentence weighs more. White space inside a segment counts as characters.

Two more measures are those of papers on sentence aligners (Sennrich and Volk 2010; Thompson and
Koehn 2019): *strict* and *lax*. Precision is over all proposed bisegments; recall is over the gold
bisegments without an empty side. A strict hit equals a gold bisegment; a lax hit equals one, or
overlaps one on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError, check_one_of
from bitext.kernels.arrays import Bools, Ints, Rows, concatenate, identify, prefix, row_of, sums
from bitext.kernels.overlap import Beads, Overlay, overlay
from bitext.metrics.common_ground import Ground, Side, common_ground
from bitext.metrics.registry import metric
from bitext.metrics.units import CHARACTERS, WORDS, Counter, check_counter, lengths_in
from bitext.model import Alignment, Bitext, Counts, Text
from bitext.notebooks import InNotebooks

# Comparison of two alignments: the one computation behind every measure of alignments.

WEIGHTS = ("sentence", "word", "character")
# The least sum of weights that is refused: 64 bits hold less than 2^63, and sums in floats round.
_LARGEST_WEIGHT = 2.0**63 * (1 - 2.0**-30)
MEASURES = ("alignment", *WEIGHTS, "strict", "lax")


class Tally(NamedTuple):
    """The four counts of a measure, item by item: each an axis and its values.

    An axis is `gold` or `hyp` (one value per bisegment) or `src` (one value a source segment). The
    sums of the values are the counts of the text; sums over part of an axis are those of that part.
    """

    hits: tuple[str, Ints]
    proposed: tuple[str, Ints]
    expected: tuple[str, Ints]
    found: tuple[str, Ints]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A hypothesis laid over a gold standard."""

    ground: Ground  # the two alignments over the same segments
    overlay: Overlay  # the pairs of segments of each alignment, weighted by 1, words and characters
    # `gold_counts`, `hyp_counts`: which bisegments count: not those that repeat an earlier one (an
    # alignment is a set), nor those without any character of the common text.
    gold_counts: Bools
    hyp_counts: Bools
    # `gold_exact`, `hyp_exact`: which bisegments stand in the other alignment, too.
    gold_exact: Bools
    hyp_exact: Bools

    def tally(self, measure: str) -> Tally:
        """Return the counts of a measure, item by item.

        Raises `InputError` when the measure needs characters and a text has none, and `OptionError`
        when the measure is not known.
        """
        check_one_of("measure", measure, MEASURES)
        self.ground.check_texts(measure)
        if measure in WEIGHTS:
            k = WEIGHTS.index(measure)
            hits = ("src", self.overlay.hits[k])
            expected, proposed = self.overlay.expected[k], self.overlay.proposed[k]
            return Tally(hits, ("src", proposed), ("src", expected), hits)
        proposed = ("hyp", _ones(self.hyp_counts))
        if measure == "alignment":
            exact = ("gold", _ones(self.gold_exact & self.gold_counts))
            return Tally(exact, proposed, ("gold", _ones(self.gold_counts)), exact)
        right_hyp, right_gold = self.hyp_exact, self.gold_exact
        if measure == "lax":
            right_hyp = right_hyp | self.overlay.hyp_touched
            right_gold = right_gold | self.overlay.gold_touched
        gold = self.ground.gold
        # As in papers on aligners, recall has no items for gold bisegments with an empty side.
        two_sided = self.gold_counts & (gold.src.lengths > 0) & (gold.tgt.lengths > 0)
        return Tally(
            ("hyp", _ones(right_hyp & self.hyp_counts)),
            proposed,
            ("gold", _ones(two_sided)),
            ("gold", _ones(right_gold & two_sided)),
        )

    def anchors(self) -> tuple[Ints, Ints]:
        """Return the source segment at which each gold and each proposed bisegment stands.

        A bisegment stands at the first segment of its source side. One without a source side takes
        the place of the nearest target segment before it to which the gold standard gives a source.
        """
        gold, hyp = self.ground.gold, self.ground.hyp
        own = _first(gold.src)
        at = np.full(self.ground.tgt.size + 1, -1, dtype=np.int64)
        source = np.repeat(own, gold.tgt.lengths)
        at[gold.tgt.idx[source >= 0]] = source[source >= 0]
        last = np.maximum.accumulate(np.where(at >= 0, np.arange(at.size), 0))
        at = np.maximum(at[last], 0)
        return _anchor(gold, own, at), _anchor(hyp, _first(hyp.src), at)


def _ones(mask: Bools) -> Ints:
    return mask.astype(np.int64)


def _first(rows: Rows) -> Ints:
    """Return the first member of each row, -1 if it is empty."""
    padded = np.append(rows.idx, -1)
    return np.where(rows.lengths > 0, padded[rows.ptr[:-1]], -1)


def _anchor(beads: Beads, own: Ints, at: Ints) -> Ints:
    return np.where(own >= 0, own, at[_first(beads.tgt)])


class Weigher:
    """A counter of the words and characters of segments, which counts each text once."""

    def __init__(self, words: Counter = "space", characters: Counter = "codepoint") -> None:
        self._counters: tuple[tuple[Counter, dict[str, str]], ...] = (
            (words, WORDS),
            (characters, CHARACTERS),
        )
        for counter, names in self._counters:
            check_counter(counter, names)
        self._known: dict[tuple[int, int], tuple[Text, Ints]] = {}

    def weights(self, side: Side) -> Ints:
        """Return the weight of each segment: 1, words, characters (0 where unknown)."""
        out = np.zeros((len(WEIGHTS), side.size), dtype=np.int64)
        out[0] = 1
        if side.texts:
            for k in range(len(self._counters)):
                out[k + 1] = side.lengths(partial(self._lengths, k))
        return out

    def _lengths(self, k: int, text: Text) -> Ints:
        """Return the counts of a text, counted once; the text is stored so that its `id` lasts."""
        key = (id(text), k)
        if key not in self._known:
            counter, names = self._counters[k]
            self._known[key] = (text, lengths_in(text, counter, names))
        return self._known[key][1]


def common_grounds(
    golds: Sequence[Bitext | Alignment], hyps: Sequence[Bitext | Alignment], min_matched: float
) -> list[Ground]:
    """Return the common ground of each hypothesis and its gold standard.

    Raises `InputError` when there are not as many of both, or a pair has no common ground.
    """
    if len(golds) != len(hyps):
        raise InputError(f"{len(golds)} gold standards and {len(hyps)} hypotheses: want as many")
    pairs = zip(golds, hyps, strict=True)
    return [common_ground(gold, hyp, min_matched=min_matched) for gold, hyp in pairs]


def compare_many(
    golds: Sequence[Bitext | Alignment],
    hyps: Sequence[Bitext | Alignment],
    *,
    weigher: Weigher | None = None,
    min_matched: float = 0.9,
) -> list[Comparison]:
    """Lay each hypothesis over its gold standard, all in one pass over the arrays.

    Raises `InputError` when there are not as many hypotheses as gold standards, a pair has no
    common ground (see `bitext.metrics.common_ground`), or the pairs of one source segment weigh
    2^63 or more.
    """
    weigher = weigher or Weigher()
    grounds = common_grounds(golds, hyps, min_matched)
    if not grounds:
        return []
    # The pairs come after each other as one long bitext, overlaid in one call, then cut again.
    src_at = prefix(np.array([ground.src.size for ground in grounds]))
    tgt_at = prefix(np.array([ground.tgt.size for ground in grounds]))
    gold, hyp = (
        Beads(
            concatenate([beads.src for beads in family], src_at[:-1].tolist()),
            concatenate([beads.tgt for beads in family], tgt_at[:-1].tolist()),
        )
        for family in ([g.gold for g in grounds], [g.hyp for g in grounds])
    )
    src = _joined([weigher.weights(ground.src) for ground in grounds])
    tgt = _joined([weigher.weights(ground.tgt) for ground in grounds])
    for beads in (gold, hyp):
        _refuse_beyond(beads, src, tgt)
    laid = overlay(gold, hyp, src, tgt)
    flags = _matches(gold, hyp)
    gold_at = prefix(np.array([len(ground.gold.src.ptr) - 1 for ground in grounds]))
    hyp_at = prefix(np.array([len(ground.hyp.src.ptr) - 1 for ground in grounds]))
    comparisons = []
    for k, ground in enumerate(grounds):
        s = slice(src_at[k], src_at[k + 1])
        g, h = slice(gold_at[k], gold_at[k + 1]), slice(hyp_at[k], hyp_at[k + 1])
        part = Overlay(
            laid.expected[:, s],
            laid.proposed[:, s],
            laid.hits[:, s],
            laid.gold_touched[g],
            laid.hyp_touched[h],
        )
        comparisons.append(
            Comparison(ground, part, flags[0][g], flags[1][h], flags[2][g], flags[3][h])
        )
    return comparisons


def _refuse_beyond(beads: Beads, src: Ints, tgt: Ints) -> None:
    """Refuse pairs of one source segment whose weights 64 bits cannot hold."""
    heaviest = src.max(axis=1, initial=0).astype(np.float64)
    if (heaviest * tgt.sum(axis=1, dtype=np.float64) < _LARGEST_WEIGHT).all():
        return  # not even the heaviest segment against a whole text
    row = row_of(beads.src)
    for k in range(1, len(WEIGHTS)):
        opposite = sums(beads.tgt, tgt[k]).astype(np.float64)[row]
        opposite_sums = np.bincount(beads.src.idx, opposite, minlength=src.shape[1])
        beyond = np.flatnonzero(opposite_sums * src[k] >= _LARGEST_WEIGHT)
        if beyond.size:
            s = beyond[0]
            raise InputError(
                f"at {WEIGHTS[k]} granularity a source segment and what is aligned to it weigh "
                f"{src[k, s]:,} x {opposite_sums[s]:,.0f}: want less than 2^63"
            )


def _joined(parts: list[Ints]) -> Ints:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


def _matches(gold: Beads, hyp: Beads) -> tuple[Bools, Bools, Bools, Bools]:
    """Return the bisegments of either alignment that count, and those that both have, as masks."""
    both = [concatenate([a, b], [0, 0]) for a, b in zip(gold, hyp, strict=True)]
    ids = identify(*both)
    size = len(gold.src.ptr) - 1
    counts, exact = [], []
    for own_ids, other_ids, beads in (
        (ids[:size], ids[size:], gold),
        (ids[size:], ids[:size], hyp),
    ):
        place = np.arange(own_ids.size)
        first = np.empty(ids.max(initial=0) + 1, dtype=np.int64)
        first[own_ids[::-1]] = place[::-1]
        hollow = (beads.src.lengths == 0) & (beads.tgt.lengths == 0)
        counts.append((first[own_ids] == place) & ~hollow)
        seen = np.zeros(first.size, dtype=bool)
        seen[other_ids] = True
        exact.append(seen[own_ids])
    return counts[0], counts[1], exact[0], exact[1]


class _LackingError(InputError, KeyError):
    """A measure without its texts; a `KeyError`, so that `Mapping.get` returns its default."""

    __str__ = InputError.__str__  # `KeyError` puts quotation marks around a message


class _UnknownError(OptionError, KeyError):
    """An unknown measure; a `KeyError`, too."""

    __str__ = OptionError.__str__


class ArcadeScores(Mapping[str, Counts], InNotebooks):
    """The counts of one text by measure: the four granularities, `strict` and `lax`.

    Iteration yields the measures that the texts allow. `word` or `character` without a text raises
    an `InputError` that names the missing text, and an unknown measure an `OptionError`. Both are a
    `KeyError`, too, so `get` returns `None`, or its default.
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._known: dict[str, Counts] = {}

    def __getitem__(self, measure: str) -> Counts:
        if measure not in self._known:
            try:
                self._known[measure] = counts_of(self.comparison, measure)
            except InputError as error:
                raise _LackingError(str(error)) from None
            except OptionError as error:
                raise _UnknownError(str(error)) from None
        return self._known[measure]

    def __contains__(self, measure: object) -> bool:
        return measure in MEASURES and not self.comparison.ground.missing_texts(str(measure))

    def __iter__(self) -> Iterator[str]:
        return (measure for measure in MEASURES if measure in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        figures = ", ".join(f"{m}: {self[m].f1:.4f}" for m in self)
        return f"<ArcadeScores F {figures}>"


def counts_of(comparison: Comparison, measure: str) -> Counts:
    """Return the counts of one measure; errors as in `Comparison.tally`."""
    hits, proposed, expected, found = (_total(v) for _, v in comparison.tally(measure))
    return Counts(hits, proposed, expected, found)


def _total(values: Ints) -> int:
    """Return the exact sum, even where 64 bits cannot hold it."""
    if values.sum(dtype=np.float64) < 2.0**62:
        return int(values.sum())
    return int(sum(values.tolist()))


def _arcade_many(
    golds: Sequence[Bitext | Alignment],
    hyps: Sequence[Bitext | Alignment],
    *,
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> list[ArcadeScores]:
    weigher = Weigher(words, characters)
    compared = compare_many(golds, hyps, weigher=weigher, min_matched=min_matched)
    return [ArcadeScores(comparison) for comparison in compared]


@metric(
    "arcade",
    over="alignment",
    better="higher",
    source="Isabelle and Simard 1996, Véronis and Langlais 2000; strict, lax: Thompson, Koehn 2019",
    many=_arcade_many,
    measures=MEASURES,
)
def arcade(
    gold: Bitext | Alignment,
    hyp: Bitext | Alignment,
    *,
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> ArcadeScores:
    """Precision, recall and F at alignment, sentence, word and character granularity.

    All of them are between 0 and 1, and 1 is best. Cost is linear in the memberships (the sum of
    the sizes of all sides of all bisegments), whatever the size of one bisegment.

    Parameters
    ----------
    gold, hyp : Bitext or Alignment
        The reference and the alignment to score. They may name segments by position or identifier,
        and may segment the same two texts differently; the two are then compared on the common
        pieces (`bitext.metrics.common_ground`). An alignment by itself has no texts, and so no word
        and character granularity.
    words : str or callable
        How words are counted: `space` (maximal runs of non-space), `unicode`, `treebank`, or a
        function of the characters of a segment.
    characters : str or callable
        How characters are counted: `codepoint`, `grapheme`, or a function.
    min_matched : float
        The least share of characters that texts of gold and hyp must have in common.

    Returns
    -------
    ArcadeScores
        `Counts` by measure, with `precision`, `recall`, `f1`, `silence` (1 - recall) and `noise` (1
        - precision). Of two empty alignments every ratio is `nan`: 0/0.

    Raises
    ------
    InputError
        When the two have no common ground, or texts are missing for the requested granularity; when
        the counts of a function are so large that the pairs of a source segment weigh 2^63 or more.
    OptionError
        When a counter is not known.

    Notes
    -----
    **Source**: P. Isabelle and M. Simard, Propositions pour la représentation et l'évaluation des
    alignements de textes parallèles, CITI, 1996, whose measures, among them silence and noise, the
    exercise took over: J. Véronis and P. Langlais, Evaluation of parallel text alignment systems:
    the ARCADE project, in Parallel Text Processing, 2000. Strict and lax: B. Thompson and P.
    Koehn, Vecalign, EMNLP 2019.

    **Departures**: bisegments with an empty side count at alignment level, as in the worked example
    of the ARCADE page. That page prints 11 × 6 for the last product at word level, and so 96
    proposed words, recall 0.69 and F 0.82; the sentence has 5 words, and its own 11 × 10 for the
    reference needs 5. With 11 × 5 the proposed words are 85, recall is 0.607 and F 0.756.

    Examples
    --------
    The worked example of the ARCADE page, by position:

    >>> from bitext import Alignment
    >>> gold = Alignment([((0,), (0,)), ((1,), (1, 2))])
    >>> hyp = Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))])
    >>> scores = arcade(gold, hyp)
    >>> scores["alignment"].recall, scores["alignment"].precision, scores["alignment"].f1
    (0.5, 0.3333333333333333, 0.4)
    >>> scores["sentence"].f1
    0.8
    >>> scores["alignment"].silence, round(scores["alignment"].noise, 4)
    (0.5, 0.6667)

    """
    (scores,) = _arcade_many(
        [gold], [hyp], words=words, characters=characters, min_matched=min_matched
    )
    return scores
