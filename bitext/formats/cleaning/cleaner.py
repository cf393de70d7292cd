"""Profiles of filters: their application to bitexts, and bounds that are proposed from a corpus.

A profile is a TOML file with one table `[[filter]]` for each filter, in order:

    [[filter]]
    name = "length-words"
    min = 1
    max = 100

Bounds are proposed from the robust spread of what each filter measures. The faults of a dirty
corpus would move a mean, a standard deviation or an outer quantile. The median and the median
absolute deviation (MAD) stand up to faults in nearly half of the corpus. A bound is four standard
deviations from the median, as estimated from the MAD of the values on this side of the median,
since most distributions are skewed. Lengths and ratios are log-normal, so their logarithms are
taken: those of a side, or a direction, each for itself. If more than half of the values are equal,
the MAD is 0, and the default bound remains.

**Source**: P. J. Rousseeuw and C. Croux, Alternatives to the median absolute deviation, Journal of
the American Statistical Association 88, 1993 (robust scales).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import IO, Any, Literal, Protocol

import numpy as np

from bitext.errors import InputError, OptionError, did_you_mean, remedy
from bitext.formats.beads import ChunkPosition, joined_sides, name_of
from bitext.formats.cleaning import Pair, Side
from bitext.formats.cleaning.filters import FILTERS, Filter
from bitext.formats.cleaning.repeats import Repeats, Step, of_rows
from bitext.formats.languages import finds, languages_of
from bitext.formats.line_files import flat
from bitext.kernels.arrays import Bools, Floats, Singles
from bitext.model import Bitext

SIDES = ("src", "tgt")  # values of the parameter `side`
_MIN_COEFFICIENT = 0.5  # of the coefficient of near-duplicates, as in `bitext split`
_SAMPLES = 5  # rejected bisegments of a filter that a report shows
_LONGEST = 300  # characters of a side in a sample
_DENSE = 0.8  # least share of bisegments left for which arrays are used again; set by hand

BUILT_IN = ("default",)  # the names of the profiles that lie beside this module, as .toml


class PairScorer(Protocol):
    """Computes the values of a filter for one run, from files or models of other rooms."""

    def begin(self, bitext: Bitext, number: int) -> None:
        """Take a part of a bitext; `number` is that of its first bisegment."""

    def __call__(self, pair: Pair) -> Any:
        """Return the values of bisegments of this part."""

    def finish(self) -> None:
        """Check at the end of the run whether the files fit all bisegments."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A filter with the bounds and parameters of a profile."""

    name: str  # the name of the filter
    # `low`, `high`: the bounds.
    low: float | None
    high: float | None
    parameters: tuple[tuple[str, Any], ...] = ()  # the parameters that differ from their defaults
    # Returns a `PairScorer` for each run of a filter by scores.
    scorer: Callable[[], PairScorer] | None = field(default=None, compare=False, repr=False)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that parameters name."""
        return tuple(value for key, value in self.parameters if key in self.filter.files)

    @property
    def filter(self) -> Filter:
        """The filter of this name."""
        return FILTERS[self.name]

    @property
    def reason(self) -> str:
        """The reason of a rejection, with the bounds."""
        bounds = [value for key, value in self.parameters if key in {"measure", "side"}]
        if self.low is not None:
            bounds.append(f"min {self.low:g}")
        if self.high is not None:
            bounds.append(f"max {self.high:g}")
        return f"{self.filter.meaning} ({' '.join([self.name, *bounds])})"


@dataclass(frozen=True, slots=True)
class Profile:
    """Filters in order, and the name of their file or profile."""

    name: str
    rules: tuple[Rule, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the parameters of its filters name."""
        return tuple(name for rule in self.rules for name in rule.files)


def profile_of(name: str) -> Profile:
    """Read a profile: a TOML file, or the name of a built-in one.

    Raises `InputError` when the file cannot be read or is no TOML, and `OptionError` when it names
    no filter, an unknown one, or a wrong bound or parameter.
    """
    import tomllib

    if name in BUILT_IN:
        text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    else:
        if not name.lower().endswith(".toml"):
            raise OptionError(
                f"{name!r} is no profile of filters: want {', '.join(BUILT_IN)}, or the name of a "
                f"file that ends with .toml"
            )
        try:
            text = Path(name).read_text(encoding="utf-8-sig")
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(
                f"{name}: cannot be read as a profile of filters: {reason}; check the path"
            ) from None
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: cannot be read as a profile of filters: {error}") from None
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{name}: is no TOML: {error}") from None
    filters = tables.pop("filter", None)
    if tables:
        raise OptionError(
            f"{name}: {next(iter(tables))!r} is no part of a profile; want tables [[filter]] only"
        )
    if not isinstance(filters, list) or not all(isinstance(one, dict) for one in filters):
        raise OptionError(f"{name}: has no filters; want tables [[filter]] with a name each")
    folder = Path(name).parent
    rules = (_rule(one, f"{name}: filter {k}", folder) for k, one in enumerate(filters, 1))
    return Profile(name, tuple(rules))


def _rule(table: dict[str, Any], place: str, folder: Path) -> Rule:
    """Return the filter that a table of a profile describes; files lie in a folder."""
    name = table.pop("name", None)
    known = FILTERS.get(name) if isinstance(name, str) else None
    if known is None:
        near = did_you_mean(name, FILTERS) if isinstance(name, str) else ""
        raise OptionError(
            f"{place}: {name!r} is no filter; {near}the filters: {', '.join(FILTERS)}"
        )
    place = f"{place} ({name})"
    given: dict[str, Any] = {}
    bounds = {"min": known.low, "max": known.high}
    if "measure" in table and known.measures:
        given["measure"] = measure = table.pop("measure")
        if not isinstance(measure, str) or measure not in known.measures:
            wanted = ", ".join(map(repr, known.measures))
            raise OptionError(f"{place}: measure = {measure!r}: want one of {wanted}")
        bounds = dict(zip(bounds, known.measures[measure], strict=True))
    for key, value in table.items():
        where = f"{place}: {key} = {value!r}"
        if key in bounds:
            if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
                raise OptionError(f"{where}: want a number")
            bounds[key] = None if math.isinf(value) else float(value)
        elif key == "side" and known.has_sides:
            if value not in SIDES:
                raise OptionError(f"{where}: want one of {', '.join(map(repr, SIDES))}")
            given[key] = value
        elif key in known.parameters:
            _check_parameter(where, key, value, known)
            given[key] = str(folder / value) if key in known.files and value else value
        else:
            allowed = [*bounds, *known.names]
            near = did_you_mean(key, allowed)
            raise OptionError(
                f"{where}: is no parameter of this filter; {near}it has {', '.join(allowed)}"
            )
    if given.get("measure") == known.defaults.get("measure"):
        given.pop("measure", None)
    rule = Rule(known.name, bounds["min"], bounds["max"], tuple(given.items()))
    _check_together(rule, place)
    return rule


def _check_together(rule: Rule, place: str) -> None:
    """Refuse bounds and parameters of a filter that do not go together."""
    low, high, given = rule.low, rule.high, dict(rule.parameters)
    _check_bounds(place, low, high, rule.filter)
    if rule.name.startswith("ratio") and low is not None and "side" not in given:
        raise OptionError(
            f"{place}: min = {low:g}: is of one direction: name it, side = 'tgt' for characters "
            f"or words of the target for one of the source"
        )
    if rule.name == "regex" and not any(given.values()):
        raise OptionError(f"{place}: want a pattern, as src = '^\\d+$', or tgt")
    if rule.name == "vectors" and not (given.get("src") and given.get("tgt")):
        raise OptionError(f"{place}: want src and tgt, a file of vectors each")
    if rule.name == "vectors" and given["src"] == given["tgt"]:
        raise OptionError(f"{place}: {given['src']} is named for both sides: name a file of each")
    if given.get("lexicon") and given.get("dictionary"):
        raise OptionError(f"{place}: want a lexicon or a dictionary, not both")


def _check_bounds(where: str, low: float | None, high: float | None, known: Filter) -> None:
    if low is not None and high is not None and low > high:
        raise OptionError(f"{where}: min = {low:g} is above max = {high:g}")
    if known.inclusive and high is not None and not _MIN_COEFFICIENT < high <= 1:
        raise OptionError(f"{where}: max = {high:g}: want more than {_MIN_COEFFICIENT:g}, up to 1")


def _check_parameter(where: str, key: str, value: Any, known: Filter) -> None:
    default = known.parameters[key]
    if isinstance(default, str):
        if not isinstance(value, str):
            raise OptionError(f"{where}: want a string")
        if known.name == "regex":
            try:
                re.compile(value)
            except re.error as error:
                raise OptionError(f"{where}: is no regular expression: {error}") from None
        return
    whole = isinstance(default, int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise OptionError(f"{where}: want a {'whole ' if whole else ''}number")
    if not 0 < value < math.inf:
        raise OptionError(f"{where}: want a number above 0")


# Rejected bisegments: each by its number, the value of the filter, and its row in the pair.
_Cases = Iterable[tuple[int, float, int]]


@dataclass(slots=True)
class _Count:
    rule: Rule
    judged: int = 0
    rejected: int = 0
    # The first rejected bisegments: their texts, the value of the filter and the place.
    samples: list[dict[str, Any]] = field(default_factory=list)


class Cleaner:
    """Applies a profile to the parts of bitexts, one after another.

    A bisegment is rejected by the first filter of the profile that it does not pass. `rejected`
    takes a line for each rejected bisegment: filter, value, place, source, target. `repeats` judges
    duplicates and near-duplicates, by default among the bisegments of this cleaner. `langs` are the
    languages that the user names, which those of the texts may refine.
    """

    def __init__(
        self,
        profile: Profile,
        rejected: IO[str] | None = None,
        repeats: Repeats | None = None,
        *,
        langs: tuple[str, str] = ("", ""),
    ) -> None:
        self._langs = langs
        self._counts = [_Count(rule) for rule in profile.rules]
        steps = dict(comparing_rules(profile))
        repeats = repeats or Repeats()
        self._scorers = [rule.scorer and rule.scorer() for rule in profile.rules]
        self._measures = [
            scorer
            or (_measure(rule) if steps.get(k) is None else _comparison(rule, steps[k], repeats))
            for k, (rule, scorer) in enumerate(zip(profile.rules, self._scorers, strict=True))
        ]
        self._seen = 0  # bisegments of the file so far
        self._out = rejected
        self.total = 0
        if rejected is not None:
            rejected.write("src\ttgt\tfilter\tvalue\tplace\n")

    def passing(self, bitext: Bitext, chosen: Bools, place: ChunkPosition) -> Any:
        """Return a mask of the chosen bisegments that pass all filters."""
        return self._judge(bitext, chosen, place, first=True)[0]

    def each(self, bitext: Bitext, place: ChunkPosition) -> Iterator[tuple[Rule, Any]]:
        """Yield each filter with a mask of the bisegments that it rejects."""
        chosen = np.ones(len(bitext.alignment), dtype=np.bool_)
        masks = self._judge(bitext, chosen, place, first=False)[1]
        for count, mask in zip(self._counts, masks, strict=True):
            yield count.rule, mask

    def _judge(
        self, bitext: Bitext, chosen: Bools, place: ChunkPosition, *, first: bool
    ) -> tuple[Bools, list[Bools]]:
        src, tgt = joined_sides(bitext, "the filters of a profile")
        pairs = zip(languages_of(bitext), self._langs, strict=True)
        langs = [lang if not named or finds(named, lang) else named for lang, named in pairs]
        if not chosen.all():
            indices = np.flatnonzero(chosen).tolist()
            src, tgt = [src[k] for k in indices], [tgt[k] for k in indices]
        places = np.flatnonzero(chosen)
        self.total += len(src)
        pair = Pair(Side(src, langs[0]), Side(tgt, langs[1]), self._seen + places)
        for scorer in filter(None, self._scorers):
            scorer.begin(bitext, self._seen)
        self._seen += len(chosen)
        passing, masks = chosen.copy(), []
        for count, measure in zip(self._counts, self._measures, strict=True):
            left = int(pair.open.sum())
            count.judged += left
            if first and left < _DENSE * len(pair):
                # Filters measure all bisegments of a pair: go on with those that are left.
                rows = np.flatnonzero(pair.open)
                places = places[rows]
                pair = pair.select(rows.tolist())
            values = measure(pair) if len(pair) else np.zeros(0)
            bad, worst = _out_of_bounds(values, count.rule)
            if first:
                bad &= pair.open
            out = np.flatnonzero(bad)
            count.rejected += out.size
            mask = np.zeros(len(chosen), dtype=np.bool_)
            mask[places[out]] = True
            masks.append(mask)
            if first and out.size:
                cases = zip(places[out].tolist(), worst[out].tolist(), out.tolist(), strict=True)
                self._record(count, bitext, place, pair, cases)
                pair.open[out] = False
                passing[places[out]] = False
        return passing, masks

    def _record(
        self, count: _Count, bitext: Bitext, place: ChunkPosition, pair: Pair, cases: _Cases
    ) -> None:
        for bead, value, row in cases:
            if self._out is None and len(count.samples) >= _SAMPLES:
                return
            src, tgt = pair.src.strings[row], pair.tgt.strings[row]
            spelled = f"{_place(bitext, bead)}: {place.bead(bitext, bead)}"
            if len(count.samples) < _SAMPLES:
                texts = {"src": src[:_LONGEST], "tgt": tgt[:_LONGEST]}
                count.samples.append({**texts, "value": value, "place": spelled})
            if self._out is not None:
                cells = (src, tgt, count.rule.name, f"{value:.6g}", spelled)
                self._out.write("\t".join(map(flat, cells)) + "\n")

    def finish(self) -> None:
        """Check whether the files of filters fit all bisegments.

        Raises `InputError` when one does not.
        """
        for scorer in filter(None, self._scorers):
            scorer.finish()

    def account(self) -> list[dict[str, Any]]:
        """Return the counts and samples of each filter, in the order of the profile."""
        return [
            {
                "filter": count.rule.name,
                "parameters": dict(count.rule.parameters),
                "min": count.rule.low,
                "max": count.rule.high,
                "judged": count.judged,
                "rejected": count.rejected,
                "samples": count.samples,
            }
            for count in self._counts
        ]

    def reasons(self) -> Iterator[tuple[str, str, int]]:
        """Yield the reason, the first case and the number of rejections of each filter."""
        for count in self._counts:
            if count.rejected and count.samples:
                yield count.rule.reason, count.samples[0]["place"], count.rejected


def _place(bitext: Bitext, bead: int) -> str:
    """Name the file and line of a bisegment, where lines are known, or its bitext."""
    name, path = name_of(bitext), bitext.meta.get("path", "")
    if bitext.lines is None or not path:
        return name
    line = f"{path} line {bitext.lines[bead]}"
    # A name that is that of the file, or of its part of the path, adds nothing.
    return line if name == path or PurePath(path).name.startswith(name) else f"{line}: {name}"


def comparing_rules(profile: Profile) -> Iterator[tuple[int, Step]]:
    """Yield the rules that compare bisegments with earlier ones: their numbers, and their steps."""
    for k, rule in enumerate(profile.rules):
        if rule.filter.compares:
            threshold = None
            if rule.filter.inclusive:
                threshold = math.inf if rule.high is None else rule.high
            yield k, Step(str(k), threshold)


def _measure(rule: Rule) -> Callable[[Pair], Any]:
    function = rule.filter.measure
    parameters = {**rule.filter.defaults, **dict(rule.parameters)}
    side = parameters.pop("side", None)
    if side is None:
        return lambda pair: function(pair, **parameters)
    row = SIDES.index(side)
    return lambda pair: function(pair, **parameters)[row]


def _comparison(rule: Rule, step: Step, repeats: Repeats) -> Callable[[Pair], Any]:
    """Return the measure of a rule that compares bisegments with earlier ones."""
    signatures = rule.filter.measure

    def measure(pair: Pair) -> Floats:
        rows = np.flatnonzero(pair.open)
        values = np.zeros(len(pair))
        if step.threshold != math.inf:
            numbers = pair.numbers[rows]
            values[rows] = repeats.values(step, numbers, lambda: of_rows(signatures(pair), rows))
        return values

    return measure


def _out_of_bounds(values: Floats, rule: Rule) -> tuple[Bools, Floats]:
    """Return a mask of the bisegments out of bounds, and the value that is so, or the first one."""
    values = np.atleast_2d(values)
    bad = np.zeros(values.shape, dtype=np.bool_)
    if rule.low is not None:
        bad |= values < rule.low
    if rule.high is not None:
        bad |= values >= rule.high if rule.filter.inclusive else values > rule.high
    row = bad.argmax(axis=0)
    rejected: Bools = bad.max(axis=0, initial=False)
    return rejected, values[row, np.arange(values.shape[1])]


# Bounds of filters proposed from a corpus, by robust spreads of what each filter measures.


# Filters with bounds that depend on the corpus: the bound that is proposed, and the scale on which
# values are about normally distributed.
_LENGTHS = ("length-chars", "length-words", "ratio-chars", "ratio-words")
_OF_WORDS = ("long-words", "average-word")
_BOUNDED: dict[str, tuple[Literal["min", "max"], Literal["log", "logit", ""]]] = {
    **dict.fromkeys((*_LENGTHS, *_OF_WORDS), ("max", "log")),
    "letters": ("min", "logit"),
    **dict.fromkeys(("repeated-chars", "repeated-words"), ("max", "")),
    "similar-sides": ("max", "logit"),
    "numbers": ("max", ""),
}
_MAX_SAMPLE = 1 << 17  # bisegments whose values are stored; of more every second, fourth ... one
_FEWEST = 100  # bisegments that quantiles need; set by hand
_BINS = 40  # bars of a histogram
_BEYOND = 0.005  # share of the bisegments beyond the quantile, which stands beside a bound
_NORMAL = 1.4826  # standard deviations of a normal distribution for one MAD
# Chosen by scripts/bench/cleaning.md, so that hardly any good bisegment is lost.
_SPREADS = 4.0  # standard deviations between median and bound


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposed bound of a filter, with the distribution of its values."""

    name: str
    side: str  # `src` or `tgt`, for a bound of one side, or of one direction; else empty
    # `low`, `high`, `expected`: the bounds, and the expected ratio of filters that have one.
    low: float | None
    high: float | None
    expected: float | None
    share: float  # the share of the bisegments beyond the bound
    quantile: float | None  # the value beyond which a given share of the bisegments lies
    # `edges`, `counts`: a histogram up to twice the bound, so that the bound is in the middle; the
    # last bar has all above. For a lowest bound, up to the highest value.
    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def title(self) -> str:
        """The name with the side."""
        return f"{self.name} {self.side}".strip()


def suggested_bounds(bitexts: Iterable[Bitext]) -> list[Suggestion]:
    """Propose a bound for each filter whose bounds depend on the corpus.

    `bitexts` may be parts of bitexts. Raises `InputError` when the corpus has fewer than 100
    bisegments with texts on both sides.
    """
    values, number = _measured(bitexts)
    if number < _FEWEST:
        raise InputError(
            f"bounds are proposed from {_FEWEST} bisegments with texts on both sides or more, and "
            f"there are {number}: name more, or a profile of your own ({remedy('clean')})"
        )
    suggestions = []
    for name, (bound, scale) in _BOUNDED.items():
        rows, expected = np.asarray(values[name], dtype=np.float64), None
        if name.startswith("ratio"):
            expected = float(f"{np.nanmedian(rows[1]):.3g}")
            rows = rows * np.array([[expected], [1 / expected]])
        robust = [_robust_bound(row[~np.isnan(row)], bound, scale) for row in rows]
        sides: tuple[str, ...] = SIDES if len(rows) > 1 else ("",)
        if not any(robust):
            sides, rows, robust = ("",), rows.reshape(1, -1), [None]
        for side, row, value in zip(sides, rows, robust, strict=True):
            known = row[~np.isnan(row)]
            if known.size:
                suggestions.append(_suggestion(name, side, known, value, expected))
    return suggestions


def _measured(bitexts: Iterable[Bitext]) -> tuple[dict[str, Singles], int]:
    """Return the values of each filter, of at most 131,072 bisegments, and their number.

    The number is that of bisegments with texts on both sides.
    """
    rows: dict[str, list[Singles]] = {name: [] for name in _BOUNDED}
    filled: list[Singles] = []
    step, seen, stored = 1, 0, 0
    for bitext in bitexts:
        src, tgt = joined_sides(bitext, "the proposal of bounds")
        first = -seen % step
        seen += len(src)
        pair = Pair(Side(src[first::step]), Side(tgt[first::step]))
        if not len(pair):
            continue
        stored += len(pair)
        filled.append(pair.both[None].astype(np.float32))
        for name, measured in rows.items():
            values = FILTERS[name].measure(pair, **FILTERS[name].defaults)
            measured.append(np.atleast_2d(values).astype(np.float32))
        if stored > _MAX_SAMPLE:
            # Bisegments whose number is no multiple of twice the step are let go.
            step *= 2
            chosen = np.arange(stored) % 2 == 0
            for arrays in (filled, *rows.values()):
                arrays[:] = [np.concatenate(arrays, axis=1)[:, chosen]]
            stored = int(chosen.sum())
    if not filled:
        return {}, 0
    whole = {name: np.concatenate(arrays, axis=1) for name, arrays in rows.items()}
    return whole, int(np.concatenate(filled, axis=1).sum())


def _suggestion(
    name: str, side: str, values: Floats, robust: float | None, expected: float | None
) -> Suggestion:
    """Propose the bound of one side of a filter."""
    up = _BOUNDED[name][0] == "max"
    share = 1 - _BEYOND if up else _BEYOND
    quantile = float(np.quantile(values, share, method="higher" if up else "lower"))
    default = FILTERS[name].high if up else FILTERS[name].low
    value = float(default or 0.0)
    if robust is not None:
        whole = bool((values == np.floor(values)).all())
        value = _rounded(robust, up=up, decimals=0 if whole else 2)
    beyond = values > value if up else values < value
    top = 2 * value or max(quantile, 4.0) if up else float(values.max(initial=1.0))
    counts, edges = np.histogram(np.minimum(values, top), bins=_BINS, range=(0.0, max(top, 1e-9)))
    low, high = (None, value) if up else (value, None)
    bars = tuple(edges.tolist()), tuple(counts.tolist())
    return Suggestion(name, side, low, high, expected, float(beyond.mean()), quantile, *bars)


def _robust_bound(values: Floats, bound: str, scale: str) -> float | None:
    """Return the bound by the median and the MAD of the values beyond it; none for a MAD of 0."""
    scaled = values
    if not values.size:
        return None
    if scale:
        scaled = np.clip(values, 1e-6, None if scale == "log" else 1 - 1e-6)
        scaled = np.log(scaled if scale == "log" else scaled / (1 - scaled))
    median, sign = float(np.median(scaled)), 1 if bound == "max" else -1
    beyond = sign * (scaled - median)
    spread = _NORMAL * float(np.median(beyond[beyond >= 0]))
    if spread <= 0:
        return None
    end = np.exp(median + sign * _SPREADS * spread)
    if scale == "logit":
        return float(end / (1 + end))
    return float(end) if scale == "log" else median + sign * _SPREADS * spread


def _rounded(value: float, *, up: bool, decimals: int) -> float:
    """Round a bound outwards."""
    factor = 10.0**decimals
    scaled = value * factor
    return float(np.ceil(scaled - 1e-6) if up else np.floor(scaled + 1e-6)) / factor


def as_profile(suggestions: Iterable[Suggestion]) -> str:
    """Return a profile with the proposed bounds, after the filter of blank sides.

    Examples
    --------
    >>> print(as_profile([Suggestion("ratio-chars", "tgt", None, 2.5, 1.1, 0.002, 2.2, (), ())]))
    [[filter]]
    name = "empty"
    <BLANKLINE>
    [[filter]]  # beyond it: 0.20% of the bisegments; quantile .995: 2.2
    name = "ratio-chars"
    side = "tgt"
    max = 2.5
    expected = 1.1
    <BLANKLINE>

    """
    parts = ['[[filter]]\nname = "empty"\n']
    for one in suggestions:
        share = ".005" if one.high is None else ".995"
        quantile = "" if one.quantile is None else f"; quantile {share}: {one.quantile:.6g}"
        lines = [f"[[filter]]  # beyond it: {one.share:.2%} of the bisegments{quantile}"]
        lines += [f'name = "{one.name}"', *([f'side = "{one.side}"'] if one.side else [])]
        values = (("min", one.low), ("max", one.high), ("expected", one.expected))
        lines += [f"{key} = {value:.6g}" for key, value in values if value is not None]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
