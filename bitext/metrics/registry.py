"""The registry of metrics: by name, with their options, and the checks of options they share."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial, update_wrapper
from importlib import import_module
from math import inf, isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar

import numpy as np

from bitext.errors import (
    BitextError,
    IgnoredTypesWarning,
    InputError,
    OptionError,
    SegmentationError,
    check_list,
    check_order,
    did_you_mean,
    remedy,
)
from bitext.metrics.segmentation import Pairs
from bitext.model.counts import Counts, CountsTable, Ratio, Ratios, common_empty, joined
from bitext.model.segmentation import Segmentation
from bitext.plugins import Plugin, Plugins, fault_at

Over = Literal["alignment", "segmentation", "coders", "word links"]
BLOCK = 4096  # pairs laid out together; set by hand: their arrays stay in the cache

P = ParamSpec("P")
R = TypeVar("R")


class Metric(Generic[P, R]):
    """A metric: a function of (gold, hyp), its version for many pairs, and its description.

    Attributes
    ----------
    name : str
        Its name on the command line and in signatures.
    over : {"alignment", "segmentation", "coders", "word links"}
        The kind of its arguments. A metric over coders compares codings with each other, any other
        a hypothesis with a gold standard.
    better : {"higher", "lower"}
        The direction of better values.
    source : str
        The paper or page that defines the metric.
    measures : tuple of str
        The names of its figures, where it has several.
    typed : bool
        Whether the types of boundaries count; other metrics compare positions alone.
    unbounded : tuple of str
        The options by which figures leave the range from 0 to 1 at its worse end; `*` if they do
        without any.
    is_plain : bool
        Whether it is a plain function, made a metric by `metric_of`; its figures are any numbers.
    package : str
        The package and version that a plug-in comes from; empty for metrics of `bitext`.

    """

    package = ""

    def __init__(
        self,
        function: Callable[P, R],
        *,
        name: str,
        over: Over,
        better: Literal["higher", "lower"],
        source: str,
        many: Callable[..., Sequence[R]] | None = None,
        pairs: Callable[..., Sequence[R]] | None = None,
        measures: Sequence[str] = (),
        typed: bool = False,
        unbounded: Sequence[str] = (),
    ) -> None:
        self.unbounded = tuple(unbounded)
        self.name, self.over, self.better, self.source = name, over, better, source
        self.typed = typed
        self.measures = tuple(measures)
        self._function, self._many, self._pairs = function, many, pairs
        self.is_plain = False
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compare one pair.

        An `IgnoredTypesWarning` reports types of boundaries that differ and do not count.
        """
        if self.over in {"segmentation", "coders"} and self.ignores_types(args, kwargs):
            warnings.warn(
                f"{self.name}: types of boundaries count nothing; see boundary_similarity, "
                f"segmentation_similarity, boundary_confusion or slot_error_rate, or give "
                f"alignment_similarity type_weights={{}}",
                IgnoredTypesWarning,
                stacklevel=2,
            )
        self._check_truths(kwargs)
        return self._function(*args, **kwargs)

    def ignores_types(self, arguments: Sequence[Any], options: Mapping[str, Any]) -> bool:
        """Test arguments for boundaries of several types, which the metric ignores."""
        by_similarity = options.get("observed", "boundaries") != "boundaries"  # it may look at them
        if self.typed or by_similarity or options.get("type_weights") is not None:
            return False
        first = arguments[0] if arguments else None
        listed = self.over == "coders" and isinstance(first, list | tuple)
        several: Sequence[Any] = first if listed else arguments  # type: ignore[assignment]
        typed = [each.types for each in several if getattr(each, "types", None)]
        return len({type_ for types in typed for place in types for type_ in place}) > 1

    def many(
        self, golds: Sequence[Any], hyps: Sequence[Any] | None = None, **options: Any
    ) -> Sequence[R]:
        """Compare many pairs in one pass over the arrays, with the options of one pair.

        A coefficient of agreement takes one list: the codings of each text.
        """
        self._check_truths(options)
        if hyps is None:
            if self.over != "coders":
                raise TypeError(f"{self.name}.many wants gold standards and hypotheses")
            return [self._function(codings, **options) for codings in golds]
        if not (hasattr(golds, "__len__") and hasattr(hyps, "__len__")):
            of = " of segmentations" if self.over == "segmentation" else ""
            raise TypeError(f"{self.name}.many wants two lists{of}")
        if isinstance(golds, Mapping) or isinstance(hyps, Mapping):
            function = "compare" if self.over == "segmentation" else "evaluate"
            raise InputError(
                f"{self.name}.many pairs texts by their order, and these have names: give "
                f"list(.values()) of both in one order, or the mappings to bitext.{function}"
            )
        for name, given in (("the gold standards", golds), ("the hypotheses", hyps)):
            check_list(name, given, "a list, which pairs them by their order")
        check_order(golds, hyps)
        if self._many is not None:
            return self._many(golds, hyps, **options)
        if self.over == "alignment":
            pairs = zip(golds, hyps, strict=True)
            return [self._function(gold, hyp, **options) for gold, hyp in pairs]
        if self.over != "segmentation":
            raise TypeError(f"{self.name}.many wants one list of codings, and options by name")
        unknown = next((name for name in options if name not in self.options), None)
        if unknown is not None:
            raise TypeError(f"{self.name}.many has no option {unknown!r}")
        if len(golds) != len(hyps) or len(golds) <= BLOCK:
            return self.pairs(Pairs.of(golds, hyps, first=0), **options)
        golds, hyps = list(golds), list(hyps)  # views of the values of a mapping have no slices
        blocks = (
            Pairs.of(golds[k : k + BLOCK], hyps[k : k + BLOCK], first=k)
            for k in range(0, len(golds), BLOCK)
        )
        return joined([self.pairs(block, **options) for block in blocks])

    def pairs(self, pairs: Pairs, **options: Any) -> Sequence[R]:
        """Compare many pairs of segmentations, already laid out.

        A metric without a version for many pairs is called for each pair.
        """
        self._check_truths(options)
        if self._pairs is not None:
            return self._pairs(pairs, **options)
        if self.over != "segmentation":
            raise TypeError(f"{self.name} is not over pairs of segmentations")
        each = ((pairs.name(p), gold, hyp) for p, (gold, hyp) in enumerate(pairs.each()))
        return score_each(partial(self._function, **options), each)  # type: ignore[return-value]

    def _check_truths(self, options: Mapping[str, Any]) -> None:
        """Refuse other values for options that are truth values: `"no"` would count as true."""
        for name, value in options.items():
            is_truth = isinstance(self._defaults.get(name), bool)
            if is_truth and not isinstance(value, bool | np.bool_):
                raise OptionError(f"{name} is {value!r:.60}: want True or False")

    def check_options(self, names: Iterable[str]) -> None:
        """Refuse names of options that the metric does not have.

        Raises `OptionError` with the first of them, in alphabetical order, and the known ones.
        """
        if unknown := sorted({*names} - {*self._defaults}):
            known = ", ".join(self._defaults) or "none"
            raise OptionError(f"{self.name} has no option {unknown[0]!r}: its options are {known}")

    @property
    def is_slow(self) -> bool:
        """Whether the metric is called pair by pair, as it has no version for many."""
        return self._pairs is None and self._many is None

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a metric as its name, for other processes; one of `metric_of` as its function."""
        if self.is_plain:
            return _plain_metric, (self._function, self.name, self.over)
        return str(getattr(self._function, "__qualname__", self.name))

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self._function) or "").partition("\n")[0]

    @property
    def options(self) -> dict[str, Any]:
        """Its options, with their defaults."""
        return dict(self._defaults)

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        parameters = inspect.signature(self._function).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    def __repr__(self) -> str:
        return f"<Metric {self.name}>"


def metric(
    name: str,
    *,
    over: Over,
    better: Literal["higher", "lower"],
    source: str,
    many: Callable[..., Sequence[R]] | None = None,
    pairs: Callable[..., Sequence[R]] | None = None,
    measures: Sequence[str] = (),
    typed: bool = False,
    unbounded: Sequence[str] = (),
) -> Callable[[Callable[P, R]], Metric[P, R]]:
    """Register a function of (gold, hyp) as a metric.

    `many` is the same function over two lists; a metric of segmentations gives `pairs` instead,
    the same function over `Pairs`.
    """

    def make(function: Callable[P, R]) -> Metric[P, R]:
        return Metric(
            function,
            name=name,
            over=over,
            better=better,
            source=source,
            many=many,
            pairs=pairs,
            measures=measures,
            typed=typed,
            unbounded=unbounded,
        )

    return make


class PairMetric(Metric[..., R], Generic[P, R]):
    """A metric of segmentations that is written over `Pairs`, and is called for one pair, too."""

    def __init__(
        self, function: Callable[Concatenate[Pairs, P], Sequence[R]], name: str, **description: Any
    ) -> None:
        def of_one(gold: Segmentation, hyp: Segmentation, *args: P.args, **options: P.kwargs) -> R:
            return function(Pairs.of([gold], [hyp]), *args, **options)[0]

        update_wrapper(of_one, function)
        # The signature has the two sides for `pairs`, and the value of one pair.
        signature = inspect.signature(function)
        pairs, *options = signature.parameters.values()
        sides = [pairs.replace(name=side, annotation=Segmentation) for side in ("gold", "hyp")]
        value = Ratio if signature.return_annotation in {"Ratios", Ratios} else Counts
        of_one.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*sides, *options], return_annotation=value
        )
        super().__init__(of_one, name=name, over="segmentation", pairs=function, **description)

    if TYPE_CHECKING:

        def __call__(
            self, gold: Segmentation, hyp: Segmentation, *args: P.args, **options: P.kwargs
        ) -> R:
            """Compare one pair."""


def pair_metric(
    name: str, **description: Any
) -> Callable[[Callable[Concatenate[Pairs, P], Sequence[R]]], PairMetric[P, R]]:
    """Register a function of `Pairs` as a metric of segmentations; the description as in `metric`.

    The metric is called as (gold, hyp), with the options of the function.
    """

    def make(function: Callable[Concatenate[Pairs, P], Sequence[R]]) -> PairMetric[P, R]:
        return PairMetric(function, name, **description)

    return make


def metric_of(
    function: Callable[..., Any] | Metric[..., Any], name: str = "", *, over: Over = "segmentation"
) -> Metric[..., Any]:
    """Return a plain function of (gold, hyp) as a metric.

    The function returns a number, whose averages are means over texts; or a `Ratio` or `Counts`,
    which pool. Its attributes `better` (`"lower"`; default: higher) and `source` describe it, as
    the arguments of `metric` do.

    Parameters
    ----------
    function : callable or Metric
        A `Metric` is returned unchanged.
    name : str, optional
        Default: the name of the function, with hyphens for underscores.
    over : {"segmentation", "alignment"}
        The kind of its arguments.

    Raises
    ------
    OptionError
        When the value is no function of two arguments, or has no name that can be one of a metric.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> def segment_ratio(gold, hyp):
    ...     return len(hyp.masses) / len(gold.masses)
    >>> metric_of(segment_ratio).many([Segmentation([2, 2])], [Segmentation([4])])
    <Ratios of 1 pairs, pooled 0.5000>

    """
    if isinstance(function, Metric):
        return function
    named = name or str(getattr(function, "__name__", "")).replace("_", "-")
    if not callable(function):
        raise OptionError(f"metric {function!r:.60}: want a function of (gold, hyp), or a name")
    if not _PLAIN_NAME.fullmatch(named):
        raise OptionError(
            f"metric {named or repr(function)!r:.60}: is no name of a metric; give the function by "
            f"a name of letters, digits, - and _: {{'name': function}}"
        )
    try:
        inspect.signature(function).bind(None, None)
    except (TypeError, ValueError):
        raise OptionError(
            f"metric {named!r}: want a function that can be called as f(gold, hyp)"
        ) from None
    described, options = function, {"*"}
    while isinstance(described, partial):  # of a metric, with some of its options
        options.update(described.keywords)
        described = described.func
    bounded = isinstance(described, Metric) and options.isdisjoint(described.unbounded)
    better: Any = getattr(function, "better", getattr(described, "better", "higher"))
    if better not in {"higher", "lower"}:
        raise OptionError(f"metric {named!r}: better is {better!r:.40}: want 'higher' or 'lower'")
    new_metric: Metric[..., Any] = Metric(
        function,
        name=named,
        over=over,
        better=better,
        source=str(getattr(function, "source", getattr(described, "source", ""))) or "a function",
        typed=True,  # it may look at them
        unbounded=() if bounded else ("*",),
    )
    new_metric.is_plain = True
    return new_metric


def _plain_metric(function: Callable[..., Any], name: str, over: Over) -> Metric[..., Any]:
    return metric_of(function, name, over=over)


def score_each(
    function: Callable[[Any, Any], Any], pairs: Iterable[tuple[str, Any, Any]]
) -> Ratios | CountsTable:
    """Compare pairs by a function of one pair; numbers become ratios to 1, which add to means.

    A pair is the prefix of a message about it, the gold standard, and the hypothesis.

    Raises `SegmentationError` when the function fails, or returns no finite number, `Ratio` or
    `Counts`.
    """
    values: list[Any] = []
    kinds: set[type] = set()
    for name, gold, hyp in pairs:
        try:
            value = function(gold, hyp)
        except (BitextError, MemoryError):
            raise
        # Any other error is a fault of the given function, and names the text.
        except Exception as error:
            raise SegmentationError(f"{name}fails: {fault_at(error)}") from error
        number = isinstance(value, Real) and isfinite(value)
        if not number and not isinstance(value, Ratio | Counts):
            raise SegmentationError(
                f"{name}returns {value!r:.60}: want a finite number, a Ratio or Counts"
            )
        kinds.add(Real if number else type(value))
        if len(kinds) > 1:
            names = " and ".join(sorted("numbers" if k is Real else k.__name__ for k in kinds))
            raise InputError(f"returns {names} for different texts: want one of them")
        values.append(Ratio(float(value), 1, reason="") if number else value)
    sizes = [value.k for value in values]
    k = None if None in sizes or not sizes else np.array(sizes, dtype=np.int64)
    if values and isinstance(values[0], Counts):
        return CountsTable(np.array([value.row for value in values], dtype=np.float64), k=k)
    empty, reason = np.nan, ""
    if values:
        empty, reason = common_empty((not v.denominator, v.empty, v.reason) for v in values)
    return Ratios(
        np.array([value.numerator for value in values], dtype=np.float64),
        np.array([value.denominator for value in values], dtype=np.float64),
        empty=empty,
        reason=reason,
        k=k,
    )


@cache
def own_metrics() -> dict[str, Metric[..., Any]]:
    """Return the metrics of `bitext` by name, sorted."""
    package = import_module("bitext.metrics")
    metrics: dict[str, Metric[..., Any]] = {}
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        metrics.update({m.name: m for m in vars(module).values() if isinstance(m, Metric)})
    return dict(sorted(metrics.items()))


def all_metrics() -> dict[str, Metric[..., Any]]:
    """Return every metric by its name: those of `bitext`, sorted, then plug-ins that work."""
    return own_metrics() | PLUGINS.all()


def _plugged(plugin: Plugin, plugged_metric: object) -> Metric[..., Any]:
    """Check the metric of a plug-in: a `Metric`, or a plain function."""
    if not isinstance(plugged_metric, Metric):
        try:
            plugged_metric = metric_of(plugged_metric, plugin.name)  # type: ignore[arg-type]
        except OptionError as error:
            raise plugin.error(str(error).partition(": ")[2]) from None
    if plugged_metric.name != plugin.name:
        raise plugin.error(
            f"its metric is named {plugged_metric.name!r}: want the name of the entry point"
        )
    if plugged_metric.over != "segmentation":
        raise plugin.error(f"is over {plugged_metric.over}: want a metric over segmentations")
    plugged_metric.package = plugin.package
    return plugged_metric


PLUGINS: Plugins[Metric[..., Any]] = Plugins("bitext.metrics", make=_plugged, own=own_metrics)


# Metrics by name, as the command line writes them: `window-diff(k=5, padded=True)`.
#
# The name is that of the registry; the options are the keywords of the metric, with literal values.
# A word that is no literal is taken as a string, so `script=greedy` needs no second quotes. Nothing
# is ever evaluated.

# Names by which the field calls metrics: the letters of the papers, abbreviations, authors. Case,
# hyphens and underscores do not count in aliases and in names of metrics (`WindowDiff`). One of
# several metrics is refused, with the names of these.
ALIASES: dict[str, tuple[str, ...]] = {
    "a": ("alignment-similarity",),
    "b": ("boundary-similarity",),
    "s": ("segmentation-similarity",),
    "wd": ("window-diff",),
    "windowdifference": ("window-diff",),
    "ghd": ("generalized-hamming",),
    "hamming": ("generalized-hamming",),
    "generalisedhamming": ("generalized-hamming",),
    "generalizedhammingdistance": ("generalized-hamming",),
    "accuracy": ("boundary-accuracy",),
    "bed": ("boundary-confusion",),
    "ser": ("slot-error-rate",),
    "rand": ("rand-index",),
    "ri": ("rand-index",),
    "cohen": ("cohen-kappa",),
    "fleiss": ("fleiss-kappa",),
    "scott": ("scott-pi",),
    "bennett": ("bennett-s",),
    "krippendorff": ("krippendorff-alpha",),
    "alpha": ("krippendorff-alpha",),
    "kappa": ("cohen-kappa", "fleiss-kappa", "multi-kappa"),
    "pi": ("scott-pi", "multi-pi"),
    **dict.fromkeys(
        ("f", "f1", "fscore", "fmeasure", "precision", "recall"),
        ("boundary", "boundary-confusion", "exact-segments", "winpr"),
    ),
}
_OVER = {"alignment": "alignments", "segmentation": "segmentations", "coders": "coders"}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_FORM = re.compile(r"\s*([^\s()]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_WORDS = {"true": "True", "false": "False", "none": "None", "null": "None"}


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric with its options, as a user writes it."""

    metric: Metric[..., Any]  # from the registry
    # The given options; the others have their defaults.
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the metric, without its options."""
        return self.metric.name

    @property
    def typed(self) -> bool:
        """Whether types of boundaries count: by the metric, or by an option with their weights."""
        return self.metric.typed or self.options.get("type_weights") is not None

    @property
    def bound(self) -> dict[str, Any]:
        """Every option of the metric with its value: the given ones, and the defaults."""
        return {**self.metric.options, **self.options}

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest possible value, with these options."""
        defaults = self.metric.options
        changed = {name for name, value in self.options.items() if value != defaults[name]}
        if not changed.union("*").intersection(self.metric.unbounded):
            return 0.0, 1.0
        if self.metric.is_plain:
            return -inf, inf
        return (0.0, inf) if self.metric.better == "lower" else (-inf, 1.0)

    @property
    def label(self) -> str:
        """The metric as a user writes it: its name and the options that are not the default."""
        defaults = self.metric.options
        changed = [f"{k}={v!r}" for k, v in self.options.items() if v != defaults[k]]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    @property
    def counting_ends(self) -> NamedMetric:
        """The metric with the boundary at the end of each text, if it has the option `closing`."""
        if "closing" not in self.metric.options:
            return self
        return replace(self, options={"closing": True, **self.options})

    def signature(self, *parts: str) -> str:
        """Return the name, every option with its value, and further parts, joined to one string."""
        values = (f"{name}:{_signature_value(name, value)}" for name, value in self.bound.items())
        package = [self.metric.package.replace(" ", ":")] if self.metric.package else []
        return "|".join([self.name, *values, *parts, *package])

    def pairs(self, pairs: Pairs) -> Ratios | CountsTable:
        """Compare pairs of segmentations as `Metric.pairs` does; errors name the metric."""
        try:
            return self.metric.pairs(pairs, **self.options)  # type: ignore[return-value]
        except (OptionError, InputError) as error:
            raise type(error)(f"{self.label}: {error}") from error

    def __call__(self, gold: Any, hyp: Any) -> Any:
        """Compare one pair."""
        return self.metric(gold, hyp, **self.options)


def parse_metric(
    given: str,
    *,
    over: str = "segmentation",
    also: Collection[str] = (),
    among: Mapping[str, Metric[..., Any]] | None = None,
) -> NamedMetric:
    """Parse a metric of the command line: `pk` or `window-diff(k=5)`.

    A metric has its name or an alias (`WindowDiff`, `wd`, `B`), with its options in parentheses. It
    is over `over`: `segmentation`, `alignment` or `coders`; or it is one of `also`, the names of
    metrics of another kind that are allowed, too. `among` has the known metrics; default: the
    registry.

    Raises `OptionError` when a metric or an option is not known (the message names the nearest
    one), an alias is of several metrics, a value is no literal, or a truth value is expected and
    another is given. Other values are checked by the metric when it runs.

    Examples
    --------
    >>> from bitext.metrics.registry import metric
    >>> @metric("width", over="segmentation", better="lower", source="here")
    ... def width(gold, hyp, *, k=None, padded=False): ...
    >>> result = parse_metric("width(k=5)", among={"width": width})
    >>> result.label, result.bound, result.signature("average:micro")
    ('width(k=5)', {'k': 5, 'padded': False}, 'width|k:5|padded:no|average:micro')

    """
    known = own_metrics() if among is None else among
    form = _FORM.fullmatch(given)
    if not form:
        raise OptionError(f"metric {given!r}: want a name, or a name with options: NAME(k=5)")
    inside = form[2]
    fit = [n for n, parsed in known.items() if parsed.over == over or n in also]
    name = _documented(form[1], fit)
    if name not in fit and among is None and over == "segmentation":
        further = [each for each in PLUGINS.names() if each not in known]
        name, fit = _documented(name, further), [*fit, *further]
        if (plugged := PLUGINS.get(name)) is not None:
            known = {**known, name: plugged}
    if name not in known or name not in fit:
        raise OptionError(_unknown(name, over, known, fit))
    parsed = known[name]
    options: dict[str, Any] = {}
    for keyword in _keywords(given, inside or ""):
        option = keyword.arg or ""
        if option not in parsed.options:
            raise OptionError(f"metric {given!r}: {_no_option(parsed, option)}")
        if option in options:
            raise OptionError(f"metric {given!r}: {option} is given twice: want it once")
        options[option] = _value(given, option, keyword.value)
        if isinstance(parsed.options[option], bool) and not isinstance(options[option], bool):
            raise OptionError(
                f"metric {given!r}: {option} is {options[option]!r}: want True or False"
            )
    return NamedMetric(parsed, options)


def parse_metrics(
    given: Iterable[str],
    *,
    also: Collection[str] = (),
    among: Mapping[str, Metric[..., Any]] | None = None,
) -> list[NamedMetric]:
    """Parse metrics of segmentations, separated by commas in each item: `pk,window-diff(k=5)`.

    Raises `OptionError` as in `parse_metric`, and when a metric is given twice with the same
    options.
    """
    out: list[NamedMetric] = []
    for item in given:
        for part in split_items(item):
            named = parse_metric(part, also=also, among=among)
            if any(named.metric is other.metric and named.bound == other.bound for other in out):
                raise OptionError(f"metric {part.strip()!r} is asked for twice: want each once")
            out.append(named)
    return out


def split_items(item: str) -> list[str]:
    """Split at commas outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for character in item:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        else:
            depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def aliases_of(name: str) -> list[str]:
    """Return the aliases of one metric, without those that it shares with others."""
    return [alias for alias, names in ALIASES.items() if names == (name,)]


def _documented(given: str, fit: Sequence[str]) -> str:
    """Return the name of the metric that a user calls `given`; `given` itself if there is none."""
    if given in fit:
        return given
    squashed = _squashed(given)
    named = [name for name in fit if _squashed(name) == squashed]
    named = named or [name for name in ALIASES.get(squashed, ()) if name in fit]
    if len(named) > 1:
        raise OptionError(f"metric {given!r} may be one of several: want {', '.join(named)}")
    return named[0] if named else given


def _squashed(name: str) -> str:
    return re.sub("[_-]", "", name).lower()


def _keywords(given: str, inside: str) -> list[ast.keyword]:
    try:
        call = ast.parse(f"f({inside}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise OptionError(
            f"metric {given!r}: want options as name=value with commas between, the names with _"
        )
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise OptionError(f"metric {given!r}: want every option with its name, as in k=5")
    return call.keywords


def _value(given: str, option: str, node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        if node.id.lower() in _WORDS:
            right = _WORDS[node.id.lower()]
            raise OptionError(
                f"metric {given!r}: {option} is {node.id}: did you mean {option}={right}?"
            )
        return node.id
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise OptionError(
            f"metric {given!r}: {option} is {ast.unparse(node)}: want a number, a text, True, "
            f"False or None"
        ) from None


def _unknown(
    name: str, over: str, known: Mapping[str, Metric[..., Any]], fit: Sequence[str]
) -> str:
    elsewhere = [name, *ALIASES.get(_squashed(name), ())]
    if kind := next((known[each].over for each in elsewhere if each in known), ""):
        way = ""
        if (kind, over) == ("coders", "segmentation"):
            way = f" ({remedy('agreement', python='agreement=True', command='compare')})"
        return (
            f"metric {name!r} is over {_OVER[kind]}{way}: want one over {_OVER[over]}: "
            f"{', '.join(fit)}"
        )
    hint = did_you_mean(name.lower().replace("_", "-"), fit)
    return f"no metric {name!r}; {hint}the metrics: {', '.join(fit)}"


def _no_option(metric: Metric[..., Any], option: str) -> str:
    names = list(metric.options)
    if not names:
        return f"{metric.name} has no options; leave {option!r} out"
    hint = did_you_mean(option, names)
    return f"{metric.name} has no option {option!r}; {hint}its options: {', '.join(names)}"


def _signature_value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "auto" if name == "k" else "none"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_signature_value("", item) for item in value)
    return str(value)


# Checks of options that metrics share, and of those of intervals and tests.


def whole(name: str, given: Any, of: str = "", *, least: int = 0, most: int | None = None) -> int:
    """Return an option as a whole number; `of` names its unit in messages.

    Raises `OptionError` when the value is not a whole number, or outside of the range.
    """
    fits = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not fits or given < least or (most is not None and given > most):
        span = f"{least} or more" if most is None else f"{least} to {most:,}"
        number = f"whole number of {of}" if of else "whole number"
        raise OptionError(f"{name} is {given!r}: want a {number}, {span}")
    return int(given)


def is_number(given: object) -> bool:
    """Check for a real number, also of NumPy, that is no truth value."""
    return isinstance(given, Real) and not isinstance(given, bool)


def number(name: str, given: Any) -> float:
    """Return an option as a float; `nan` is allowed.

    Raises `OptionError` when the value is not a number.
    """
    if not is_number(given):
        raise OptionError(f"{name} is {given!r}: want a number")
    return float(given)


def confidence(level: Any) -> float:
    """Return a confidence level.

    Raises `OptionError` when the level is not a number between 0 and 1.
    """
    if not isinstance(level, Real) or not 0 < float(level) < 1:
        raise OptionError(f"the confidence level is {level!r}: want one between 0 and 1")
    return float(level)


def stored_numbers(stored: Iterable[Any]) -> list[Any]:
    """Check that a stored state holds plain numbers, `int` or `float`; return them.

    Raises `TypeError` when one of the values is no such number: the file was changed.
    """
    numbers = list(stored)
    if not all(type(each) in {int, float} for each in numbers):
        raise TypeError(f"want numbers, found {numbers!r:.60}")
    return numbers
