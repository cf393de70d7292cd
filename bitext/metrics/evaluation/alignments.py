"""Systems scored on a corpus: counts of texts, averages, intervals, and tests between systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import floor, isnan
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bitext.errors import InputError, many, remedy
from bitext.kernels.arrays import Floats, Ints
from bitext.kernels.distributions import Reading
from bitext.metrics.arcade import MEASURES, Comparison, Weigher, compare_many, counts_of
from bitext.metrics.bisegment_similarity import Similarities, SimilarityDifference, SimilarityRow
from bitext.metrics.evaluation import (
    ALSO,
    BLOCKS_OF_ONE_TEXT,
    BeadType,
    Options,
    SystemAverages,
    bead_types,
    mean_of_defined,
    pool,
)
from bitext.metrics.registry import stored_numbers
from bitext.metrics.significance import Figures, Interval, blocks, figures
from bitext.model import Alignment, Bitext, Counts, Text
from bitext.model.languages import lacks_blanks
from bitext.notebooks import InNotebooks

# Detection of alignments that would score well with their sides exchanged or all positions shifted.

SWAP_GAIN = 0.4  # gain of sentence F1 that is not accidental; set by hand
_SHIFT_STEPS = range(-2, 3)
SHIFTS = sorted(
    (Reading(False, i, j) for i in _SHIFT_STEPS for j in _SHIFT_STEPS),
    key=lambda shift: abs(shift.src_step) + abs(shift.tgt_step),
)
"""The shifts of positions to try, small ones first; the first is no shift."""
# Set by hand; tests have shifted corpora.
_GOOD_F1 = 0.95  # sentence F1 above which no shift is tried
_SAMPLED_BISEGMENTS = 4000  # bisegments of a gold standard, evenly over the text
_LEAST_BISEGMENTS = 10  # of a sample that decides
_LEAST_GAIN = 0.1  # of the share of hits by a shift
_MOST_MISSES = 0.5  # misses with a shift over misses without one
_DISTINCT_SIZES = 8  # distinct numbers of segments of a side; greater ones are the same


def both_ways(gold: Bitext, hyp: Bitext, comparison: Comparison) -> tuple[Counts, Counts] | None:
    """Return the counts of sentence pairs of a poor text, as given and with its sides exchanged.

    `None` for a text that scores well, or whose exchanged sides do not fit.
    """
    as_given = counts_of(comparison, "sentence")
    if not as_given.f1 < 1 - SWAP_GAIN:
        return None
    try:
        compared = compare_many([_bare(gold)], [_bare(hyp.swapped())])[0]
    except InputError:
        return None
    return as_given, counts_of(compared, "sentence")


def hits_shifted(gold: Bitext, hyp: Bitext, comparison: Comparison) -> Ints | None:
    """Count the hits among gold bisegments under each of `SHIFTS`; the last count is their number.

    `None` for a text that scores well, or whose segmentation differs. Bisegments with an empty side
    are left out.
    """
    if gold.src is not hyp.src or gold.tgt is not hyp.tgt:
        return None
    if not counts_of(comparison, "sentence").f1 < _GOOD_F1:
        return None
    width = 1 + max(
        int(rows.idx.max(initial=0))
        for each in (gold, hyp)
        for rows in (each.alignment.src, each.alignment.tgt)
    )
    # No step reaches the next source segment.
    width += max(_SHIFT_STEPS) - min(_SHIFT_STEPS)
    gold_codes, proposed = _coded(gold.alignment, width), np.sort(_coded(hyp.alignment, width))
    gold_codes = gold_codes[:: -(-len(gold_codes) // _SAMPLED_BISEGMENTS) or 1]
    if not len(gold_codes) or not len(proposed):
        return None
    hits = []
    for shift in SHIFTS:
        shifted = gold_codes - (shift.src_step * width + shift.tgt_step) * _DISTINCT_SIZES**2
        places = np.minimum(np.searchsorted(proposed, shifted), len(proposed) - 1)
        hits.append(np.count_nonzero(proposed[places] == shifted))
    return np.array([*hits, len(gold_codes)], dtype=np.int64)


def better_shift(hits: Ints) -> tuple[Reading, float, float] | None:
    """Return the shift with far more hits, and the shares of hits as given and shifted.

    `hits` are the sums of the counts of `hits_shifted` over texts.
    """
    shares = hits[:-1] / max(int(hits[-1]), 1)
    best, share_as_given = int(shares.argmax()), float(shares[0])
    most = float(shares[best])
    too_few = hits[-1] < _LEAST_BISEGMENTS or most < share_as_given + _LEAST_GAIN
    if too_few or 1 - most > _MOST_MISSES * (1 - share_as_given):
        return None
    return SHIFTS[best], share_as_given, most


def _coded(alignment: Alignment, width: int) -> Ints:
    """Code each bisegment as a number: the starts of its sides, and their numbers of segments."""
    src, tgt = alignment.src, alignment.tgt
    both = np.flatnonzero((src.lengths > 0) & (tgt.lengths > 0))
    first = src.idx[src.ptr[both]] * width + tgt.idx[tgt.ptr[both]]
    sizes = [np.minimum(rows.lengths[both], _DISTINCT_SIZES - 1) for rows in (src, tgt)]
    return np.asarray((first * _DISTINCT_SIZES + sizes[0]) * _DISTINCT_SIZES + sizes[1])


def _bare(bitext: Bitext) -> Bitext:
    """Return a bitext without its characters, which names segments by position or identifier."""
    src, tgt = (
        Text.of_ids(text.ids) if text is not None and text.has_ids else None
        for text in (bitext.src, bitext.tgt)
    )
    return Bitext(src, tgt, bitext.alignment)


# The share of the systems' texts that matches the texts of the gold standard.


def _matched_notes(
    matched: Sequence[Sequence[Sequence[float]]], systems: Sequence[str], texts: Sequence[str]
) -> list[str]:
    """Return a note for each system and side with a text that differs from the gold text.

    `matched` has, text by text, the shares of the source and of the target of each system.
    """
    out = []
    for k, system in enumerate(systems):
        for n, side in enumerate(("source", "target")):
            shares = [of_systems[k][n] for of_systems in matched]
            if min(shares, default=1) < 1:
                out.append(f"{system}: {_difference_note(side, shares, texts)}")
    return out


def _difference_note(side: str, shares: Sequence[float], texts: Sequence[str]) -> str:
    least = min(shares)
    count = sum(share < 1 for share in shares)
    if len(shares) == 1:
        return (
            f"the {side} text differs from the gold standard's: {_percent(least)} of the "
            f"characters match, white space apart"
        )
    where = texts[shares.index(least)]
    return (
        f"{count:,} of {len(shares):,} {side} texts {'differs' if count == 1 else 'differ'} from "
        f"the gold standard's: {'' if count == 1 else 'at least '}{_percent(least)} of the "
        f"characters match, white space apart ({where})"
    )


def _percent(share: float) -> str:
    """Format a share, rounded down, so that only a full share is 100 %."""
    return f"{floor(share * 1_000) / 10:.1f}%"


_FIGURES = ("precision", "recall", "F1")
_F1 = 2  # index of F1
# Blocks of a single text. With more of them, bursts of errors cross the borders of blocks, and
# tests find differences where there are none (scripts/bench/interval_coverage.md).
_BLOCK_COUNT = 10
# Gold bisegments of a text with blocks: the smallest text of the same measurement
_LEAST_OF_BLOCKS = 30


class Row(NamedTuple):
    """The figures of one system on one text, or on average, by one measure."""

    system: str
    text: str | None  # `None` for averages
    measure: str
    average: str  # `text`, `micro` or `macro`
    # Precision, recall, F1 (and AER of word links, or the figures of `Options.also`); `nan` where
    # undefined.
    values: tuple[float, ...]
    counts: Counts | None  # the counts behind them; `None` for macro averages
    # One a value; `None` if there are too few units to resample.
    intervals: tuple[Interval, ...] | None
    undefined: str  # the reason where a value is `nan`
    signature: str  # every choice behind the figures


class Difference(NamedTuple):
    """The difference of a system from the baseline by one measure, and its p."""

    system: str
    baseline: str
    measure: str
    average: str
    values: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(slots=True)
class Evaluation(InNotebooks):
    """The counts of systems on texts, and the figures computed from them.

    Texts are added one at a time and not stored, so a corpus may be of any size.
    """

    head: ClassVar[str] = "granularity"  # the name of measures in tables
    metric: ClassVar[str] = "arcade"  # in signatures of whole tables
    unit: ClassVar[str] = "bisegments"  # that may be too few to resample
    resamples_blocks: ClassVar[bool] = True  # for a single text, whose counts have no blocks

    systems: Sequence[str]  # their names
    options: Options = field(default_factory=Options)  # the options of the scores
    detailed: bool = False  # whether to collect the breakdown by bead type
    similar: bool = False  # whether to measure the bisegment similarity, too
    # The treatment of texts that a system lacks, as in `bitext.formats.corpora.pairing`. It is
    # signed where they are `empty`, since the number of texts does not show it then.
    missing: str = "leave"
    selected_by: tuple[str, ...] = ()  # the choices of bisegments that count, for signatures
    texts: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    _weigher: Weigher | None = None
    _counts: dict[tuple[int, str], list[Counts]] = field(default_factory=dict)
    _bisegments: list[int] = field(default_factory=list)
    _types: dict[int, list[list[BeadType]]] = field(default_factory=dict)
    _single: list[Comparison] = field(default_factory=list)
    _units: dict[tuple[int, str], Floats] = field(default_factory=dict)
    _exchanged: dict[int, list[tuple[Counts, Counts]]] = field(default_factory=dict)
    _shifted: dict[int, list[Ints]] = field(default_factory=dict)
    # Text by text, the matched share of the source and of the target of each system.
    _matched: list[list[Sequence[float]]] = field(default_factory=list)
    _unspaced: dict[str, str] = field(default_factory=dict)  # the first such text, by its side
    _similarities: Similarities = field(init=False)
    _block_state: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self._similarities = Similarities(self.systems, self.options)

    def add(self, gold: Bitext, hyps: Sequence[Bitext], name: str = "") -> list[Comparison]:
        """Score every system's alignment of one text; hyps are in the order of the systems.

        Raises `InputError` when there is not one hypothesis a system, a hypothesis has no common
        ground with the gold standard, or a requested measure lacks its texts.
        """
        # The word counts of the text of the gold standard serve all systems.
        self._weigher = Weigher(self.options.words, self.options.characters)
        label = self._label(gold, hyps, name)
        compared = [self._compare(gold, hyp) for hyp in hyps]
        # Everything is computed before anything is stored, so that a refused text leaves no trace.
        counted = [self._count(comparison) for comparison in compared]
        types = [bead_types(comparison) for comparison in compared] if self.detailed else []
        similar = self._similarities
        edges = [similar.measure(c, self._weigher) for c in compared] if self.similar else []
        for system, (comparison, hyp) in enumerate(zip(compared, hyps, strict=True)):
            for measure, counts in counted[system].items():
                self._counts.setdefault((system, measure), []).append(counts)
            for measure in self._optional():
                if lacking := comparison.ground.missing_texts(measure):
                    self.left_out.setdefault(measure, f"{label} lacks {lacking}")
            if (pair := both_ways(gold, hyp, comparison)) is not None:
                self._exchanged.setdefault(system, []).append(pair)
            if (hits := hits_shifted(gold, hyp, comparison)) is not None:
                self._shifted.setdefault(system, []).append(hits)
        for system, bead_types_found in enumerate(types):
            self._types.setdefault(system, []).append(bead_types_found)
        if self.similar:
            similar.keep(label, edges)
        grounds = [comparison.ground for comparison in compared]
        self._matched.append([(ground.src.matched, ground.tgt.matched) for ground in grounds])
        self._look_for_blanks(gold, label)
        self._bisegments.append(len(gold.alignment))
        self.texts.append(label)
        self._units.clear()
        # A single text is resampled in blocks; for several texts the counts are enough.
        self._single = compared if len(self.texts) == 1 else []
        return compared

    def _label(self, gold: Bitext, hyps: Sequence[Bitext], name: str) -> str:
        """Check that there is one hypothesis a system; return the name of the text."""
        label = name or gold.name or str(len(self.texts) + 1)
        if len(hyps) != len(self.systems):
            raise InputError(
                f"{label}: {len(hyps)} hypotheses for {len(self.systems)} systems: want one each"
            )
        return label

    def _look_for_blanks(self, gold: Bitext, label: str) -> None:
        """Collect the sides whose words are counted by blanks, and have none between."""
        if self.options.words != "space" or "word" not in (self.options.measures or MEASURES):
            return
        for side, text in (("source", gold.src), ("target", gold.tgt)):
            if side in self._unspaced or text is None or not text.has_text:
                continue
            if lacks_blanks(text.segments()):
                self._unspaced[side] = label

    @property
    def baseline(self) -> str:
        """The system that the others are tested against."""
        return self.systems[self.options.baseline_of(self.systems)]

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures of a row."""
        return (*_FIGURES, *self.options.also)

    @property
    def _of(self) -> Figures:
        return partial(_figures_and, self.options.also) if self.options.also else figures

    def _count(self, comparison: Comparison) -> dict[str, Counts]:
        """Return the counts by every requested measure, or by every one that the texts allow."""
        if self.options.measures is not None:
            return {m: counts_of(comparison, m) for m in self.options.measures}
        return {
            m: counts_of(comparison, m) for m in MEASURES if not comparison.ground.missing_texts(m)
        }

    def _optional(self) -> list[str]:
        """Return the measures to leave out where a text is missing."""
        similar = self._similarities.wanted if self.similar else ()
        return [*(MEASURES if self.options.measures is None else ()), *similar]

    def _compare(self, gold: Bitext, hyp: Bitext) -> Comparison:
        return compare_many(
            [gold], [hyp], weigher=self._weigher, min_matched=self.options.min_matched
        )[0]

    def __repr__(self) -> str:
        start = f"<{type(self).__name__} on {many(len(self.texts), 'text')}"
        measure = next(iter(self.measures), "") if self.texts else ""
        if not measure:
            return f"{start}>"
        totals = (sum(self.counts(k, measure), Counts(0, 0, 0)) for k in range(len(self.systems)))
        shown = (
            f"{name} {self.values_of(total)[_F1]:.4f}"
            for name, total in zip(self.systems, totals, strict=True)
        )
        return f"{start}, {self.figures[_F1]} of {measure}: {', '.join(shown)}>"

    def swapped_systems(self) -> dict[str, tuple[float, float]]:
        """Return the systems whose sides seem exchanged, with sentence F1 as given and exchanged.

        The sides seem exchanged when most texts of the system score poorly, and at least 0.4 better
        with sides exchanged.
        """
        swapped = {}
        for system, pairs in self._exchanged.items():
            f1_as_given = sum((a for a, _ in pairs), Counts(0, 0, 0)).f1
            f1_swapped = sum((b for _, b in pairs), Counts(0, 0, 0)).f1
            if 2 * len(pairs) > len(self.texts) and f1_swapped >= f1_as_given + SWAP_GAIN:
                swapped[self.systems[system]] = (f1_as_given, f1_swapped)
        return swapped

    def shifted_notes(self) -> list[str]:
        """Return a note for each system that fits far better with all positions shifted."""
        notes = []
        for system, texts in self._shifted.items():
            better = (
                better_shift(np.sum(texts, axis=0)) if 2 * len(texts) > len(self.texts) else None
            )
            if better is not None:
                reading, share_as_given, share_shifted = better
                notes.append(
                    f"{self.systems[system]}: fits better with positions {reading.steps} (of the "
                    f"bisegments of the gold standard {share_as_given:.4f} are found as given, "
                    f"{share_shifted:.4f} so): does it count from another base, or was a "
                    f"line more or less aligned?"
                )
        return notes

    def matched_notes(self) -> list[str]:
        """Return a note for each system whose texts differ, and on words without blanks between."""
        notes = _matched_notes(self._matched, self.systems, self.texts)
        if self._unspaced:
            side, first = next(iter(self._unspaced.items()))
            way = remedy("words unicode")
            notes.append(
                f"words of the {side} text are counted by blanks, which its script does not put "
                f"between words, first {first} ({way} counts each sign of Chinese and Kana)"
            )
        return notes

    @property
    def measures(self) -> list[str]:
        """The measures that every text and system allows."""
        requested = self.options.measures or MEASURES
        return [m for m in requested if m not in self.left_out]

    def counts(self, system: int, measure: str) -> list[Counts]:
        """Return the counts of a system by one measure, one a text."""
        return self._counts[system, measure]

    def bead_types(self, system: int) -> list[BeadType]:
        """Return the breakdown by bead type of a system over all texts, when `detailed`."""
        return pool(self._types.get(system, []))

    @property
    def resampled(self) -> str:
        """The resampled units in words; empty when there are too few to resample."""
        count, what = self._resampled()
        return f"{count} {what}" if count else ""

    def _resampled(self, *, macro: bool = False) -> tuple[int, str]:
        """Return the number of units that the intervals of an average resample, and their name."""
        del macro  # the same units serve both averages
        if not self.options.resamples or not self.texts:
            return 0, ""
        if len(self.texts) > 1:
            return len(self.texts), "texts"
        return self._block_count(), BLOCKS_OF_ONE_TEXT

    @property
    def units_of_tests(self) -> tuple[int, str]:
        """The number and the name of the units that tests of micro averages resample."""
        return self._resampled()

    def sampling_notes(self, averages: Sequence[str] = ("micro", "macro")) -> list[str]:
        """Warn of the limits of intervals and tests of few texts or blocks.

        Raises `InputError` when there are too few units for the bootstrap test, and it is
        requested.
        """
        if not self.resampled:
            return self.options.without_units(self.unit)
        units = dict.fromkeys(self._resampled(macro=average == "macro") for average in averages)
        tested = len(self.systems) > 1
        warnings_of_units = [
            self.options.few(count, what, tested=tested) for count, what in units if count
        ]
        return [note for notes in warnings_of_units for note in notes]

    def _block_count(self) -> int:
        if len(self.texts) == 1 and self._block_state is not None:
            return int(self._block_state["blocks"])
        return _BLOCK_COUNT if self._single and self._bisegments[0] >= _LEAST_OF_BLOCKS else 0

    def _sizes(self, *, macro: bool = False) -> Floats:
        """Return the number of gold bisegments of each resampled unit."""
        count, what = self._resampled(macro=macro)
        if what == BLOCKS_OF_ONE_TEXT:
            return np.full(count, self._bisegments[0] / count)
        return np.array(self._bisegments, dtype=np.float64)

    def units(self, system: int, measure: str, *, macro: bool = False) -> Floats:
        """Return the resampled counts: of each text, or of each block of a single text."""
        del macro  # the same units serve both averages
        key = (system, measure)
        if key not in self._units:
            if len(self.texts) > 1:
                rows = [c.row for c in self._counts[key]]
                self._units[key] = np.array(rows, dtype=np.float64)
            elif self._block_state is not None:
                stored = self._block_state["units"][f"{system} {measure}"]
                self._units[key] = np.array(stored, dtype=np.float64)
            else:
                self._units[key] = blocks(self._single[system], measure, self._block_count())
        return self._units[key]

    def rows(
        self, *, averages: Sequence[str] = ("micro", "macro"), texts: bool = True
    ) -> list[Row]:
        """Return the figures: measure by measure, system by system, averages before texts."""
        if not self.texts:
            raise InputError("no text was scored: give at least one")
        out = []
        for measure in self.measures:
            for k, system in enumerate(self.systems):
                out += [self._average_row(k, measure, average) for average in averages]
                if texts:
                    each = zip(self.texts, self._counts[k, measure], strict=True)
                    out += [self._text_row(system, measure, text, c) for text, c in each]
        return out

    def signature(self, *names: str, averages: Sequence[str]) -> str:
        """Return the names, and every choice that changes a figure or an interval, as one string.

        The signature of an average has the number of texts and the options of intervals and tests.
        """
        parts = [*names, f"average:{','.join(averages)}"]
        if "text" not in averages:
            parts.append(f"texts:{len(self.texts)}")
            if resampled := self.resampled:
                parts.append(f"resampled:{resampled.replace(' ', '-')}")
                parts += self.options.parts(*self._resampled(), tested=len(self.systems) > 1)
        parts += ["missing:empty"] * (self.missing == "empty")
        return self.options.signature(*parts, *self.selected_by)

    def _text_row(self, system: str, measure: str, text: str, counts: Counts) -> Row:
        signature = self.signature(measure, averages=("text",))
        values = self.values_of(counts)
        return Row(system, text, measure, "text", values, counts, None, counts.undefined, signature)

    def _average_row(self, system: int, measure: str, average: str) -> Row:
        counts = self._counts[system, measure]
        total = sum(counts, Counts(0, 0, 0))
        if average == "micro":
            values, undefined = self.values_of(total), total.undefined
        else:
            means, bare = mean_of_defined(self._each(system, measure))
            values, undefined = tuple(means), _left_out(self.figures, bare)
        resampled = self.resampled
        return Row(
            self.systems[system],
            None,
            measure,
            average,
            values,
            total if average == "micro" else None,
            self._averages(measure, average).intervals(system) if resampled else None,
            undefined,
            self.signature(measure, averages=(average,)),
        )

    def most_undefined(self) -> tuple[int, str]:
        """Return the greatest number of texts left out of a macro average, and its name."""
        undefined_counts = [
            (count, f"{measure} {name} of {system}")
            for measure in self.measures
            for k, system in enumerate(self.systems)
            for name, count in zip(
                self.figures, np.isnan(self._each(k, measure)).sum(axis=0).tolist(), strict=True
            )
        ]
        return max(undefined_counts, key=lambda item: item[0], default=(0, ""))

    def _each(self, system: int, measure: str) -> Floats:
        return np.array([self.values_of(c) for c in self._counts[system, measure]])

    def values_of(self, counts: Counts) -> tuple[float, ...]:
        """Return the figures of counts, with the value of the options for 0/0."""
        zero = self.options.zero_division
        three = counts.precision, counts.recall, counts.f1
        values = tuple(zero if isnan(value) else value for value in three)
        return (*values, *(1 - values[ALSO[name]] for name in self.options.also))

    def _averages(self, measure: str, average: str) -> SystemAverages:
        # The blocks of one text make no macro average of their own.
        macro = average == "macro" and len(self.texts) > 1
        return SystemAverages(
            systems=self.systems,
            options=self.options,
            units=lambda system: self.units(system, measure, macro=macro),
            values=lambda system: self._resampled_values(system, measure, macro=macro),
            of=self._of,
            macro=macro,
            what=self._resampled(macro=macro)[1],
            sizes=lambda: self._sizes(macro=macro),
        )

    def differences(self, *, average: str = "micro") -> list[Difference]:
        """Test systems against the baseline, or in all pairs, measure by measure."""
        if not self.resampled:
            return []
        return [
            Difference(d.system, d.baseline, measure, average, d.values, d.p)
            for measure in self.measures
            for d in self._averages(measure, average).differences()
        ]

    def similarity_rows(
        self, *, averages: Sequence[str] = ("micro", "macro"), texts: bool = True
    ) -> list[SimilarityRow]:
        """Return the bisegment similarities, in the order of `rows`; none unless `similar`."""
        return self._similarities.rows(
            averages=averages,
            texts=texts,
            blocks=self._block_count(),
            sizes=self._sizes if self.resampled else None,
            sign=self.signature,
        )

    def similarity_differences(self, *, average: str = "micro") -> list[SimilarityDifference]:
        """Test the bisegment similarity of systems as `differences` tests their figures."""
        if not self.resampled:
            return []
        return self._similarities.differences(
            average=average, blocks=self._block_count(), sizes=self._sizes
        )

    def _resampled_values(self, system: int, measure: str, *, macro: bool) -> list[float]:
        """Return the figures of all resampled units together."""
        units, zero = self.units(system, measure, macro=macro), self.options.zero_division
        if macro:
            return mean_of_defined(self._of(units, zero))[0]
        return [float(value) for value in self._of(units.sum(axis=0), zero)]

    def state(self) -> dict[str, Any]:
        """Return the counts of the only text, as JSON can hold them.

        Another evaluation of the same systems and options adds them by `add_state`: jobs score each
        text where it is, and only counts travel.
        """
        counts: dict[str, list[Any]] = {}
        for (system, measure), (c,) in self._counts.items():
            counts.setdefault(str(system), []).append([measure, *c.row])
        return {
            "text": self.texts[0],
            "bisegments": self._bisegments[0],
            "counts": counts,
            "types": {
                str(system): [[t.type, t.expected, t.found, t.became, t.proposed] for t in types[0]]
                for system, types in self._types.items()
            },
            "lacking": self.left_out,
            "matched": self._matched[0],
            "exchanged": {
                str(system): [counts_as_given.row, counts_swapped.row]
                for system, ((counts_as_given, counts_swapped),) in self._exchanged.items()
            },
            "shifted": {str(system): hits[0].tolist() for system, hits in self._shifted.items()},
            "similar": self._similarities.state() if self.similar else {},
            "unspaced": self._unspaced,
        }

    def add_state(self, state: dict[str, Any]) -> None:
        """Add a text by the counts that `state` returned.

        Raises `TypeError` or `KeyError` when the state was changed in the meantime.
        """
        for system, rows in state["counts"].items():
            for measure, *numbers in rows:
                counts = Counts(*stored_numbers(numbers))
                self._counts.setdefault((int(system), measure), []).append(counts)
        for system, rows in state["types"].items():
            self._types.setdefault(int(system), []).append([BeadType(*row) for row in rows])
        self._matched.append([stored_numbers(shares) for shares in state["matched"]])
        for side, text in state.get("unspaced", {}).items():
            self._unspaced.setdefault(side, str(text))
        for measure, lacking in state["lacking"].items():
            self.left_out.setdefault(measure, lacking)
        for system, (counts_as_given, counts_swapped) in state["exchanged"].items():
            pair = Counts(*stored_numbers(counts_as_given)), Counts(*stored_numbers(counts_swapped))
            self._exchanged.setdefault(int(system), []).append(pair)
        for system, hits in state["shifted"].items():
            if len(stored_numbers(hits)) != len(SHIFTS) + 1:
                raise TypeError(f"want {len(SHIFTS) + 1} numbers, found {len(hits)}")
            self._shifted.setdefault(int(system), []).append(np.array(hits, dtype=np.int64))
        if self.similar:
            self._similarities.add_state(state["text"], state["similar"])
        self._bisegments.append(int(stored_numbers([state["bisegments"]])[0]))
        self.texts.append(state["text"])
        self._units.clear()

    def block_state(self) -> dict[str, Any]:
        """Return the counts of the blocks of the only text, as JSON can hold them.

        Intervals of a single text resample its blocks, and `state` has only their sums.
        """
        count = self._block_count()
        measures = self.measures if count else []
        return {
            "blocks": count,
            "units": {
                f"{k} {measure}": self.units(k, measure).tolist()
                for measure in measures
                for k in range(len(self.systems))
            },
            "similar": self._similarities.block_state(count) if self.similar and count else {},
        }

    def add_block_state(self, state: dict[str, Any]) -> None:
        """Set the blocks of the only text to those that `block_state` returned."""
        self._block_state = state
        self._similarities.add_block_state(state["similar"])


def _figures_and(also: Sequence[str], counts: Floats, zero_division: float = np.nan) -> Floats:
    """Return precision, recall, F1 and further figures of counts."""
    values = figures(counts, zero_division)
    places = [ALSO[name] for name in also]
    return np.concatenate([values, 1 - values[..., places]], axis=-1)


def _left_out(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return a note on the texts that lack a figure; empty if none does."""
    notes = [
        f"{name} of {many(count, 'text')}"
        for name, count in zip(names, counts, strict=True)
        if count
    ]
    return f"undefined and left out: {', '.join(notes)}" if notes else ""
