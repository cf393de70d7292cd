"""Systems scored by word links: counts of sentence pairs, averages, intervals and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isnan, nan
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError, remedy
from bitext.kernels.arrays import Bools, Floats, Ints, prefix
from bitext.metrics.arcade import Comparison
from bitext.metrics.evaluation import Options, exactly
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.metrics.link_scores import link_counts
from bitext.metrics.registry import number, stored_numbers
from bitext.metrics.significance import Figures, figures
from bitext.model import Bitext, Counts, WordLinks
from bitext.model.word_links import COLUMN, NULL, LinkColumn

PARTS = ("all", "punctuation", "frequent", "other")
FREQUENT = 0.005  # share of the words of a side: in English some thirty words, "the" to "they"
_LEAST_FREQUENT = 3  # occurrences of a frequent word, in short texts
_LEAST_PAIRS = 20  # sentence pairs; below, intervals cover less than their level
_MOST_UNITS = 2_000  # resampled units; more sentence pairs are joined to blocks
_GOLD = "gold standard"  # in notes
_SAMPLED_PAIRS = 5_000  # sentence pairs of a text that are counted in other readings, too
_GAIN = 0.4  # of F by another reading, which is not accidental; set by hand
# A smaller gain is not accidental either, where it is this many standard deviations of the gains of
# sentence pairs; set by hand.
_LEAST_GAIN, _DEVIATIONS = 0.1, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOptions(Options):
    """The options of scores of word links, beside those of `Sampling`."""

    alpha: float = 0.5  # the weight of precision in F, from 0 to 1
    sure_only: bool = False  # whether possible links of the gold standard count for nothing
    null: bool = False  # whether links to no word count; each word without a link then has one
    by_part: bool = False  # whether to count punctuation and frequent words apart

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        if not 0 <= number("alpha", self.alpha) <= 1:
            raise OptionError(f"{remedy('alpha')} is {self.alpha}: want a weight from 0 to 1")

    def _choices(self) -> list[str]:
        return [
            f"alpha:{exactly(self.alpha)}",
            f"possible:{'left-out' if self.sure_only else 'counted'}",
            f"null:{'counted' if self.null else 'left-out'}",
        ]


# The words of the sentence pairs of a text, source and target; `None` for a side that is not known.
_Words = tuple[list[list[str]] | None, list[list[str]] | None]


class LinkErrors(NamedTuple):
    """The links of a sentence pair in which a system and the gold standard differ."""

    pair: int  # the index of the pair in the text, from 0
    missing: list[tuple[int, int]]  # the sure links that are not proposed
    wrong: list[tuple[int, int]]  # the proposed links that are not even possible
    right: int  # the number of proposed links that are possible

    @property
    def weight(self) -> int:
        """The number of missing and wrong links."""
        return len(self.missing) + len(self.wrong)


class Misfit(NamedTuple):
    """A system whose links fit the gold standard much better in another reading."""

    system: int
    given: float  # F1 of the links as given
    other: float  # F1 in the other reading
    shift: int  # the number added to the positions of the system: 1, 0 or -1
    swapped: bool  # whether source and target are exchanged
    zeros: tuple[bool, bool]  # whether the gold standard and the system have a position 0
    naacl: tuple[bool, bool]  # whether their files count from 1 by default


class _Text(NamedTuple):
    """The links of a text by the gold standard and by each system, and its words."""

    gold: WordLinks
    hyps: list[WordLinks]
    words: _Words


@dataclass(slots=True, repr=False)
class LinkEvaluation(Evaluation):
    """The counts of word links of systems on texts, and the figures computed from them.

    It is used as `Evaluation` is. The measures are parts of the links: `all`, and where asked for
    `punctuation` (a word of the link has no letter and no digit), `frequent` (one makes up at least
    half a percent of the words of its side, in all texts, and occurs three times) and `other`.
    Intervals and tests are over sentence pairs, or blocks of them where there are many; those of
    macro averages over texts.
    """

    head: ClassVar[str] = "part"
    metric: ClassVar[str] = "word-links"
    unit: ClassVar[str] = "sentence pairs"
    resamples_blocks: ClassVar[bool] = False  # `state` has the counts of all sentence pairs

    options: LinkOptions = field(default_factory=LinkOptions)
    _pairs: dict[tuple[int, str], list[Ints]] = field(default_factory=dict)
    _texts: list[_Text] = field(default_factory=list)
    _differing: dict[int, tuple[int, str]] = field(default_factory=dict)
    _readings: dict[tuple[int, int, bool], Ints] = field(default_factory=dict)
    _left_null: int = 0
    _no_value: dict[str, int] = field(default_factory=dict)
    _zeros: dict[int, bool] = field(default_factory=dict)
    _naacl: set[int] = field(default_factory=set)  # likewise, of files that count from 1 by default

    def add(self, gold: Bitext, hyps: Sequence[Bitext], name: str = "") -> list[Comparison]:
        """Score every system's links of one text; hyps are in the order of the systems.

        Raises `InputError` when there is not one hypothesis a system, a hypothesis has no word
        links or links of other sentence pairs, or an option (`null`, `by_part`) needs words that
        are not known.
        """
        label = self._label(gold, hyps, name)
        gold_links = self._links(gold)
        known = [self._links(hyp, like=gold) for hyp in hyps]
        pairs = [_same_pairs(gold, hyp, links) for hyp, links in zip(hyps, known, strict=True)]
        words = _known_words([gold, *(hyp for hyp in hyps if len(hyp.alignment))])
        for each, links in zip((gold, *hyps), (gold_links, *known), strict=True):
            _check_within(each, links, words)
        if self.options.null or self.options.by_part:
            self._refuse_wordless(gold, words)
        left = [_null_count(each) for each in (gold_links, *known)]
        if not self.options.null and any(left):
            self._left_null += sum(left)
        # Pairs that nobody annotated (`null`) count for no system; those without links do.
        looked_at = self._with_value(gold, hyps)
        counted_links = [
            links if looked_at.all() else links.where(looked_at[links.pair])
            for links in (self._counted(each, words) for each in (gold_links, *known))
        ]
        text = _Text(counted_links[0], counted_links[1:], words)
        counted = [
            link_counts(text.gold, hyp, sure_only=self.options.sure_only) for hyp in text.hyps
        ]
        for system, counts in enumerate(counted):
            self._pairs.setdefault((system, "all"), []).append(counts)
            self._counts.setdefault((system, "all"), []).append(_total(counts))
            if pairs[system] is not None:
                count, first = self._differing.get(system, (0, pairs[system]))
                self._differing[system] = (count + 1, first or "")
            self._read_otherwise(system, gold_links, known[system])
        self._zeros[-1] = self._zeros.get(-1, False) or _has_zero(gold_links)
        formats = (bitext.meta.get("format") for bitext in (gold, *hyps))
        self._naacl.update(k for k, name in enumerate(formats, start=-1) if name == "naacl")
        if self.options.by_part:
            self._texts.append(text)
        else:
            self._texts = [text]
        self.texts.append(label)
        self._units.clear()
        return []

    def _links(self, bitext: Bitext, *, like: Bitext | None = None) -> WordLinks:
        where = bitext.meta.get("path") or bitext.name or "the bitext"
        try:
            links = bitext.alignment.word_links(null=True)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if links is None and not len(bitext.alignment):
            nothing = like is not None and self.missing == "empty"
            return WordLinks.parse([None] * (len(like.alignment) if like and nothing else 0))
        if links is None:
            raise InputError(
                f"{where} has no word links to score; give links for every system, or score the "
                f"bisegments ({remedy('granularity alignment', python='Evaluation')})"
            )
        return links

    def _with_value(self, gold: Bitext, hyps: Sequence[Bitext]) -> Bools:
        """Mask the pairs with a value in the gold standard; no value does not mean "no links"."""
        column = gold.alignment.attributes.get(COLUMN, ())
        has_value = np.array([value is not None for value in column], dtype=np.bool_)
        self._no_value[_GOLD] = self._no_value.get(_GOLD, 0) + int((~has_value).sum())
        for system, hyp in zip(self.systems, hyps, strict=True):
            values = hyp.alignment.attributes.get(COLUMN, ())
            count = 0 if isinstance(values, LinkColumn) else sum(v is None for v in values)
            self._no_value[system] = self._no_value.get(system, 0) + count
        return has_value

    def _refuse_wordless(self, gold: Bitext, words: _Words) -> None:
        missing_sides = [side for side, of in zip(("src", "tgt"), words, strict=True) if of is None]
        if missing_sides:
            what = "links to no word (null)" if self.options.null else "parts of the links"
            raise InputError(
                f"{what} want the words of {gold.name or 'the text'}: give the texts, one sentence "
                f"a line ({remedy(*missing_sides)})"
            )

    def _counted(self, links: WordLinks, words: _Words) -> WordLinks:
        """Return the links that count: without links to no word, or with all of these."""
        if not self.options.null:
            return links.without_null()
        sizes = [[len(row) for row in side or ()] for side in words]
        return links.with_sizes(*sizes).with_null()

    def _read_otherwise(self, system: int, gold: WordLinks, hyp: WordLinks) -> None:
        """Count a sample of the pairs as given, and with positions shifted or sides exchanged."""
        chosen = np.unique(np.linspace(0, max(len(gold) - 1, 0), _SAMPLED_PAIRS).astype(np.int64))
        if len(gold) > _SAMPLED_PAIRS:
            gold, hyp = gold.take(chosen), hyp.take(chosen)
        gold, hyp = gold.without_null(), hyp.without_null()
        as_given = link_counts(gold, hyp, sure_only=False)
        for swapped in (False, True):
            turned = hyp.swapped() if swapped else hyp
            for shift in (0, 1, -1):
                moved = turned.shifted(shift, shift) if shift else turned
                counts = link_counts(gold, moved, sure_only=False)
                more = counts[:, 0] - as_given[:, 0]
                total = np.append(counts.sum(axis=0), (more.sum(), (more**2).sum()))
                total[1] = hyp.src.size  # links shifted out of their sentence count as proposed
                key = (system, shift, swapped)
                self._readings[key] = self._readings.get(key, np.zeros(6, dtype=np.int64)) + total
        self._zeros[system] = self._zeros.get(system, False) or _has_zero(hyp)

    def misfits(self) -> list[Misfit]:
        """Return the systems whose links fit much better with sides exchanged or positions shifted.

        F is much better when it gains .4, or .1 where the gain is three standard deviations of the
        gains of sentence pairs. Any gain is enough for a shift by one where only one of the two has
        a position 0.
        """
        misfits = []
        for system in range(len(self.systems)):
            ways = {
                (shift, swapped): Counts(*self._readings[system, shift, swapped][:4].tolist())
                for shift in (0, 1, -1)
                for swapped in (False, True)
            }
            as_given = ways[0, False]
            zeros = self._zeros[-1], self._zeros[system]
            best = max(ways, key=lambda way: (_share(ways[way].f1), -abs(way[0]), not way[1]))
            other = ways[best]
            gain = _share(other.f1) - _share(as_given.f1)
            more, squares = self._readings[system, *best][4:].tolist()
            clear = more > 0 and more >= _DEVIATIONS * squares**0.5
            expected = {(False, True): 1, (True, False): -1}.get(zeros)
            if gain >= _GAIN or (gain >= _LEAST_GAIN and clear) or (
                best == (expected, False) and gain > 0
            ):  # fmt: skip
                naacl = -1 in self._naacl, system in self._naacl
                misfits.append(Misfit(system, as_given.f1, other.f1, *best, zeros, naacl))
        return misfits

    def errors(self, system: int) -> list[LinkErrors]:
        """Return the errors of a system in the last text, one item a sentence pair, in order."""
        gold, hyp = self._texts[-1].gold, self._texts[-1].hyps[system]
        counts = self._pairs[system, "all"][-1]
        wrong = np.flatnonzero((counts[:, 0] < counts[:, 1]) | (counts[:, 3] < counts[:, 2]))
        errors = []
        for k in wrong.tolist():
            one, other = gold[k], hyp[k]
            links = list(zip(one.src.tolist(), one.tgt.tolist(), strict=True))
            proposed = list(zip(other.src.tolist(), other.tgt.tolist(), strict=True))
            sure = [link for link, is_sure in zip(links, one.sure.tolist(), strict=True) if is_sure]
            possible, has = set(sure if self.options.sure_only else links), set(proposed)
            missing = [link for link in sure if link not in has]
            wrong_links = [link for link in proposed if link not in possible]
            errors.append(LinkErrors(k, missing, wrong_links, int(counts[k, 0])))
        return errors

    @property
    def last_words(self) -> _Words:
        """The words of the pairs of the last text, source and target; `None` if not known."""
        return self._texts[-1].words

    @property
    def last_links(self) -> tuple[WordLinks, list[WordLinks]]:
        """The counted links of the last text, of the gold standard and of each system."""
        return self._texts[-1].gold, self._texts[-1].hyps

    def _split_parts(self) -> None:
        """Count the links of each part, which depend on the words of all texts."""
        frequent = [_frequent([text.words[side] for text in self._texts]) for side in (0, 1)]
        for text in self._texts:
            kinds = [_kinds(text.words[side], frequent[side]) for side in (0, 1)]
            golds = _by_part(text.gold, kinds)
            for system, hyp in enumerate(text.hyps):
                for part, gold, own in zip(PARTS[1:], golds, _by_part(hyp, kinds), strict=True):
                    part_counts = link_counts(gold, own, sure_only=self.options.sure_only)
                    self._pairs.setdefault((system, part), []).append(part_counts)
                    self._counts.setdefault((system, part), []).append(_total(part_counts))
        self._texts = []

    # The methods of `Evaluation` that differ: figures of counts, and units.

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of precision, recall, F (F1 for equal weights) and AER."""
        return ("precision", "recall", "F1" if self.options.alpha == 0.5 else "F", "AER")

    @property
    def measures(self) -> list[str]:
        """The counted parts of the links."""
        if self.options.by_part and self._texts:
            self._split_parts()
        return list(PARTS) if self.options.by_part else ["all"]

    @property
    def _of(self) -> Figures:
        return partial(_link_figures, self.options.alpha)

    def signature(self, *names: str, averages: Sequence[str]) -> str:
        """Return the signature as `Evaluation` does, with a part of the links after their name."""
        named = [name if name == self.metric else f"{self.metric}:{name}" for name in names]
        return Evaluation.signature(self, *named, averages=averages)

    def values_of(self, counts: Counts) -> tuple[float, ...]:
        """Return the figures of counts, with the value of the options for 0/0."""
        zero = self.options.zero_division
        values = (counts.precision, counts.recall, counts.f(self.options.alpha), counts.aer)
        return tuple(zero if isnan(value) else value for value in values)

    def _block_count(self) -> int:
        pairs = sum(map(len, self._pairs[0, "all"])) if self._pairs else 0
        return min(pairs, _MOST_UNITS) if pairs >= _LEAST_PAIRS else 0

    def _resampled(self, *, macro: bool = False) -> tuple[int, str]:
        """Return the number of units that the intervals of an average resample, and their name."""
        count = self._block_count() if self.options.resamples else 0
        if count and macro and len(self.texts) > 1:
            return len(self.texts), "texts"
        pairs = sum(map(len, self._pairs[0, "all"])) if count else 0
        return count, f"blocks of {pairs} sentence pairs" if pairs > count else "sentence pairs"

    def _sizes(self, *, macro: bool = False) -> Floats:
        """Return the number of sentence pairs of each resampled unit."""
        each = np.array([len(counts) for counts in self._pairs[0, "all"]], dtype=np.float64)
        count, what = self._resampled(macro=macro)
        return each if what == "texts" else np.full(count, each.sum() / count)

    def units(self, system: int, measure: str, *, macro: bool = False) -> Floats:
        """Return the resampled counts: of each sentence pair, block of pairs, or text."""
        if macro:
            return np.array([c.row for c in self._counts[system, measure]], dtype=np.float64)
        key = (system, measure)
        if key not in self._units:
            every = np.concatenate(self._pairs[key])
            count = self._block_count()
            ends = np.arange(count + 1) * len(every) // count
            self._units[key] = np.diff(prefix(every.T)[:, ends], axis=1).T.astype(np.float64)
        return self._units[key]

    def matched_notes(self) -> list[str]:
        """Return notes on left-out links and pairs, and on systems that linked other words."""
        notes = []
        if self._left_null:
            counted = f"{remedy('null')} counts them"
            notes.append(f"links to no word, left out ({counted}): {self._left_null:,}")
        for name, count in self._no_value.items():
            if count:
                treatment = "left out" if name == _GOLD else "taken as pairs without links"
                notes.append(f"{name}: pairs with no value of word links, {treatment}: {count:,}")
        return notes + [
            f"{self.systems[system]}: words differ from the gold standard's in {count:,} "
            f"text{'s' * (count > 1)}, first {first}"
            for system, (count, first) in self._differing.items()
        ]

    def state(self) -> dict[str, Any]:
        """Return the counts of the only text, as JSON can hold them.

        The state has the counts of each sentence pair, four columns of whole numbers, since pairs
        of all texts are resampled; and the sums of other readings, for `misfits`. It has no words
        and no links, so parts of the links, which depend on the words of all texts, cannot be
        counted from states.
        """
        readings: dict[str, list[list[int]]] = {}
        for (system, shift, swapped), sums in self._readings.items():
            row = [shift, int(swapped), *sums.tolist()]
            readings.setdefault(str(system), []).append(row)
        return {
            "text": self.texts[0],
            "pairs": {str(k): counts.T.tolist() for (k, _), (counts,) in self._pairs.items()},
            "readings": readings,
            "zeros": {str(k): has_zero for k, has_zero in self._zeros.items()},
            "naacl": sorted(self._naacl),
            "differing": {str(k): first for k, (_, first) in self._differing.items()},
            "left_null": self._left_null,
            "no_value": self._no_value,
        }

    def add_state(self, state: dict[str, Any]) -> None:
        """Add a text by the counts that `state` returned."""
        for system, columns in state["pairs"].items():
            counts = np.array([stored_numbers(column) for column in columns], dtype=np.int64).T
            self._pairs.setdefault((int(system), "all"), []).append(counts)
            self._counts.setdefault((int(system), "all"), []).append(_total(counts))
        for system, rows in state["readings"].items():
            for row in rows:
                shift, swapped, *sums = stored_numbers(row)
                key = (int(system), shift, bool(swapped))
                known = self._readings.get(key, np.zeros(6, dtype=np.int64))
                self._readings[key] = known + np.array(sums, dtype=np.int64)
        for system, has_zero in state["zeros"].items():
            self._zeros[int(system)] = self._zeros.get(int(system), False) or has_zero is True
        self._naacl.update(stored_numbers(state["naacl"]))
        for system, first in state["differing"].items():
            count, known_first = self._differing.get(int(system), (0, first))
            self._differing[int(system)] = (count + 1, known_first)
        for name, count in state["no_value"].items():
            self._no_value[name] = self._no_value.get(name, 0) + stored_numbers([count])[0]
        self._left_null += stored_numbers([state["left_null"]])[0]
        self.texts.append(state["text"])
        self._units.clear()


def _link_figures(alpha: float, counts: Floats, zero_division: float = nan) -> Floats:
    """Return precision, recall, F and AER of counts, shape (..., 4) to (..., 4)."""
    values = np.asarray(counts, dtype=np.float64)
    out = np.empty((*values.shape[:-1], 4))
    out[..., :3] = figures(values, nan)
    precision, recall = out[..., 0], out[..., 1]
    hits, proposed, expected, found = np.moveaxis(values, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        if alpha != 0.5:
            below = alpha / precision if alpha else 0.0
            below = below + ((1 - alpha) / recall if alpha < 1 else 0.0)
            # A precision or recall of 0 makes F 0, even where the other is undefined.
            zero = ((precision == 0) & (alpha > 0)) | ((recall == 0) & (alpha < 1))
            out[..., 2] = np.where(zero, 0.0, 1 / below)
        out[..., 3] = 1 - (hits + found) / (proposed + expected)
    return np.where(np.isnan(out), zero_division, out)


def _total(counts: Ints) -> Counts:
    return Counts(*counts.sum(axis=0).tolist())


def _share(value: float) -> float:
    return 0.0 if isnan(value) else value


def _null_count(links: WordLinks) -> int:
    if links.without_null() is links:
        return 0
    return int(((links.src == NULL) | (links.tgt == NULL)).sum())


def _has_zero(links: WordLinks) -> bool:
    return bool((links.src == 0).any() or (links.tgt == 0).any())


def _known_words(bitexts: Sequence[Bitext]) -> _Words:
    """Return the words of each side from the first bitext with a text on that side."""
    known: list[list[list[str]] | None] = [None, None]
    for each in bitexts:
        texts = each.src, each.tgt
        for side in (0, 1):
            text = texts[side]
            if known[side] is None and text is not None and text.has_text:
                known[side] = each.words()[side]
    return known[0], known[1]


def _same_pairs(gold: Bitext, hyp: Bitext, links: WordLinks) -> str | None:
    """Refuse links of other sentence pairs; return the first pair whose words differ, if one does.

    Raises `InputError` when the numbers of pairs differ, or the numbers of words of a sentence.
    """
    roles = ((gold, "the gold standard"), (hyp, "the hypothesis"))
    names = [each.meta.get("path") or f"{role} {each.name}".rstrip() for each, role in roles]
    size = len(gold.alignment)
    if size != len(links):
        short = int(len(links) < size)
        texts = remedy("src", "tgt", python="src=, tgt=")
        is_naacl = (gold, hyp)[short].meta.get("format") == "naacl"
        way = f"the texts ({texts}) if those at its end have none" if is_naacl else (
            "an empty line for a pair without links"
        )  # fmt: skip
        raise InputError(
            f"{names[0]} has {size} sentence pairs and {names[1]} has {len(links)}: {names[short]} "
            f"ends before pair {min(size, len(links)) + 1}; give the links of the same sentences, "
            f"{way}"
        )
    first: str | None = None
    ours, theirs = gold.alignment.src.idx, hyp.alignment.src.idx
    same_texts = gold.src is hyp.src and gold.tgt is hyp.tgt
    if same_texts and ours.size == theirs.size == size and (ours != theirs).any():
        k = int((ours != theirs).argmax())
        raise InputError(
            f"{names[0]} has sentence pair {ours[k] + 1} where {names[1]} has {theirs[k] + 1}, as "
            f"other pairs were left out of one file than of the other; leave out the same ones"
        )
    if not len(hyp.alignment):  # a text that the system lacks, taken as nothing proposed
        return first
    for side, one, other in (("source", gold.src, hyp.src), ("target", gold.tgt, hyp.tgt)):
        if one is None or other is None or one is other or not (one.has_text and other.has_text):
            continue
        index = 0 if side == "source" else 1
        rows = zip(gold.words()[index] or (), hyp.words()[index] or (), strict=True)
        for k, (gold_words, hyp_words) in enumerate(rows):
            if len(gold_words) != len(hyp_words):
                raise InputError(
                    f"{names[1]}: the {side} sentence of pair {k + 1} has {len(hyp_words)} words, "
                    f"and {len(gold_words)} in {names[0]}; give links of the same words, or "
                    f"exchange the sides ({remedy('swap')}) if they are those"
                )
            if gold_words != hyp_words and first is None:
                first = f"{side} sentence of pair {k + 1}"
    if first is not None and hyp.words() == gold.words()[::-1]:
        raise InputError(
            f"{names[1]}: its source words are the target words of {names[0]}, and the other way "
            f"round; exchange the sides ({remedy('swap')})"
        )
    return first


def _check_within(bitext: Bitext, links: WordLinks, words: _Words) -> None:
    """Refuse links beyond the words of their sentences."""
    sides = (("source", words[0], links.src), ("target", words[1], links.tgt))
    for side, rows, positions in sides:
        if rows is None:
            continue
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        beyond = np.flatnonzero(positions >= sizes[links.pair])
        if beyond.size:
            k = int(links.pair[beyond[0]])
            raise InputError(
                f"{bitext.meta.get('path') or bitext.name}: links word {positions[beyond[0]]} "
                f"(from 0) of {side} sentence {k + 1}, which has {sizes[k]} words; give the text "
                f"that was aligned, exchange the sides ({remedy('swap')}), or say that positions "
                f"count from 1 ({remedy('base 1')})"
            )


def _frequent(texts: Sequence[list[list[str]] | None]) -> set[str]:
    counts = Counter(word.lower() for rows in texts for row in rows or () for word in row)
    least = max(_LEAST_FREQUENT, FREQUENT * counts.total())
    return {word for word, count in counts.items() if count >= least}


def _kinds(rows: list[list[str]] | None, frequent: set[str]) -> tuple[Ints, NDArray[np.int8]]:
    """Return the start of each sentence, and the kind of each word.

    0 is punctuation, 1 a frequent word, 2 any other word.
    """
    known: dict[str, int] = {}

    def kind(word: str) -> int:
        if not any(character.isalnum() for character in word):
            return 0
        return 1 if word.lower() in frequent else 2

    kinds = [
        known[word] if word in known else known.setdefault(word, kind(word))
        for row in rows or ()
        for word in row
    ]
    sizes = np.array([len(row) for row in rows or ()], dtype=np.int64)
    return prefix(sizes), np.array([*kinds, 2], dtype=np.int8)  # the last one stands for no word


def _by_part(links: WordLinks, kinds: Sequence[tuple[Ints, NDArray[np.int8]]]) -> list[WordLinks]:
    """Return the links of punctuation, of frequent words, and the others."""
    pair = links.pair
    of = [
        np.where(at == NULL, 2, kind[np.where(at == NULL, -1, begins[pair] + at)])
        for at, (begins, kind) in zip((links.src, links.tgt), kinds, strict=True)
    ]
    least = np.minimum(of[0], of[1])
    return [links.where(least == part) for part in range(3)]
