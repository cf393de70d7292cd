"""The registry of metrics: by name, with their options, and the checks of options they share."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, update_wrapper
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, TypeVar

import numpy as np

from bitext.errors import InputError, OptionError, SegmentationError, did_you_mean
from bitext.metrics.segmentation.pairs import Pairs
from bitext.model.counts import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from bitext.model import CountsTable, Ratios

__all__ = [
    "LETTERS",
    "Metric",
    "NamedMetric",
    "all_metrics",
    "confidence",
    "metric",
    "number",
    "parse_metric",
    "parse_metrics",
    "split_items",
    "stored_numbers",
    "whole",
]

Over = Literal["alignment", "segmentation", "coders", "word links"]
_BLOCK = 4096  # pairs laid out together: as much as stays near the processor

P = ParamSpec("P")
R = TypeVar("R")


class Metric(Generic[P, R]):
    """A metric: a function of (gold, hyp), its form over many pairs, and what is known of it.

    Attributes
    ----------
    name : str
        Its name on the command line and in signatures.
    over : {"alignment", "segmentation", "coders", "word links"}
        What it compares: a hypothesis with a gold standard, or codings with each other.
    better : {"higher", "lower"}
        Which way it points.
    source : str
        The paper or page that defines it.
    measures : tuple of str
        The figures it gives, when it gives several.
    typed : bool
        Whether it looks at the types of boundaries; other metrics compare their positions alone.

    """

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
    ) -> None:
        self.name, self.over, self.better, self.source = name, over, better, source
        self.typed = typed
        self.measures = tuple(measures)
        self._function, self._many, self._pairs = function, many, pairs
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compare one pair."""
        return self._function(*args, **kwargs)

    def many(
        self, golds: Sequence[Any], hyps: Sequence[Any] | None = None, **options: Any
    ) -> Sequence[R]:
        """Compare many pairs in one pass of the arrays; the options are those of one pair.

        A coefficient of agreement takes one list: of the codings that it is to be had of.
        """
        if hyps is None:
            if self.over != "coders":
                raise TypeError(f"{self.name}.many wants gold standards and hypotheses")
            return [self._function(codings, **options) for codings in golds]
        if self._many is not None:
            return self._many(golds, hyps, **options)
        if self._pairs is None:
            raise TypeError(f"{self.name}.many wants one list of codings, and options by name")
        if not (hasattr(golds, "__len__") and hasattr(hyps, "__len__")):
            raise TypeError(f"{self.name}.many wants two lists of segmentations")
        unknown = next((name for name in options if name not in self.options), None)
        if unknown is not None:
            raise TypeError(f"{self.name}.many has no option {unknown!r}")
        if len(golds) != len(hyps) or len(golds) <= _BLOCK:
            return self.pairs(Pairs.of(golds, hyps, first=0), **options)
        blocks = (
            Pairs.of(golds[k : k + _BLOCK], hyps[k : k + _BLOCK], first=k)
            for k in range(0, len(golds), _BLOCK)
        )
        return joined([self.pairs(block, **options) for block in blocks])

    def pairs(self, pairs: Pairs, **options: Any) -> Sequence[R]:
        """Compare many pairs of segmentations that were laid out already."""
        if self._pairs is None:
            raise TypeError(f"{self.name} is not over pairs of segmentations")
        return self._pairs(pairs, **options)

    def __reduce__(self) -> str:
        """Send a metric to another process by its name."""
        return str(getattr(self._function, "__qualname__", self.name))

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self._function) or "").partition("\n")[0]

    @property
    def options(self) -> dict[str, Any]:
        """Its options, with their defaults."""
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
) -> Callable[[Callable[P, R]], Metric[P, R]]:
    """Make a metric of a function of (gold, hyp).

    `many` is its form over lists of both; or, for segmentations, `pairs` is that over `Pairs`.
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
        )

    return make


@cache
def all_metrics() -> dict[str, Metric[..., Any]]:
    """Return every metric by its name, sorted: those that the modules of this package hold."""
    package = import_module("bitext.metrics")
    found: dict[str, Metric[..., Any]] = {}
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        found.update({m.name: m for m in vars(module).values() if isinstance(m, Metric)})
    return dict(sorted(found.items()))


# Metrics by name, as the command line writes them: `window-diff(k=5, padded=True)`.
#
# The name is that of the registry, the options are those of the metric, as keywords with literal
# values. A word that is no literal is taken as text, so `script=greedy` needs no second quotes.
# Nothing is ever evaluated.

# The letters of the papers.
LETTERS = {
    "S": "segmentation-similarity",
    "B": "boundary-similarity",
    "A": "alignment-similarity",
}
_OVER = {"alignment": "alignments", "segmentation": "segmentations", "coders": "coders"}
_FORM = re.compile(r"\s*([^\s()]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_WORDS = {"true": "True", "false": "False", "none": "None", "null": "None"}


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric with the options that it was asked for.

    Attributes
    ----------
    metric : Metric
        From the registry.
    options : dict of str to value
        The options that were given; the others have their defaults.

    """

    metric: Metric[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the metric, without its options."""
        return self.metric.name

    @property
    def bound(self) -> dict[str, Any]:
        """Every option of the metric with its value: the given ones, and the defaults."""
        return {**self.metric.options, **self.options}

    @property
    def label(self) -> str:
        """The metric as one writes it: its name, and the options that are not at their default."""
        defaults = self.metric.options
        told = [f"{k}={v!r}" for k, v in self.options.items() if v != defaults[k]]
        return f"{self.name}({', '.join(told)})" if told else self.name

    def signature(self, *parts: str) -> str:
        """Return the name and every option with its value, then other parts, as one string."""
        told = (f"{name}:{_told(name, value)}" for name, value in self.bound.items())
        return "|".join([self.name, *told, *parts])

    def pairs(self, pairs: Pairs) -> Ratios | CountsTable:
        """Compare pairs of segmentations, as of `Metric.pairs`; errors name the metric."""
        try:
            return self.metric.pairs(pairs, **self.options)  # type: ignore[return-value]
        except OptionError as error:
            raise OptionError(f"{self.label}: {error}") from error
        except SegmentationError as error:
            raise SegmentationError(f"{self.label}: {error}") from error
        except InputError as error:
            raise InputError(f"{self.label}: {error}") from error

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
    """Find a metric by what the command line says: `pk` or `window-diff(k=5)`.

    Parameters
    ----------
    given : str
        A name, and its options in parentheses if there are any.
    over : {"segmentation", "alignment", "coders"}
        What the metric has to be over.
    also : collection of str
        The names of metrics that will do though they are over something else.
    among : dict of str to Metric, optional
        The metrics that there are; default: those of the registry.

    Raises
    ------
    OptionError
        When there is no such metric or option, naming the nearest; when a value is not a literal;
        when something is no truth value that has to be one. What else a value may be is for the
        metric to say when it runs.

    Examples
    --------
    >>> from bitext.metrics.registry import metric
    >>> @metric("width", over="segmentation", better="lower", source="here")
    ... def width(gold, hyp, *, k=None, padded=False): ...
    >>> found = parse_metric("width(k=5)", among={"width": width})
    >>> found.label, found.bound, found.signature("average:micro")
    ('width(k=5)', {'k': 5, 'padded': False}, 'width|k:5|padded:no|average:micro')

    """
    known = all_metrics() if among is None else among
    form = _FORM.fullmatch(given)
    if not form:
        raise OptionError(f"metric {given!r}: want a name, or a name with options: NAME(k=5)")
    name, inside = LETTERS.get(form[1], form[1]), form[2]
    fit = [n for n, found in known.items() if found.over == over or n in also]
    if name not in fit:
        raise OptionError(_unknown(name, over, known, fit))
    found = known[name]
    options: dict[str, Any] = {}
    for keyword in _keywords(given, inside or ""):
        option = keyword.arg or ""
        if option not in found.options:
            raise OptionError(f"metric {given!r}: {_no_option(found, option)}")
        if option in options:
            raise OptionError(f"metric {given!r}: {option} is given twice: want it once")
        options[option] = _value(given, option, keyword.value)
        if isinstance(found.options[option], bool) and not isinstance(options[option], bool):
            raise OptionError(
                f"metric {given!r}: {option} is {options[option]!r}: want True or False"
            )
    return NamedMetric(found, options)


def parse_metrics(
    given: Iterable[str],
    *,
    over: str = "segmentation",
    also: Collection[str] = (),
    among: Mapping[str, Metric[..., Any]] | None = None,
) -> list[NamedMetric]:
    """Find several metrics, each item one or more with commas between: `pk,window-diff(k=5)`.

    Raises
    ------
    OptionError
        As of `parse_metric`, and when a metric is asked for twice with the same options.

    """
    out: list[NamedMetric] = []
    for item in given:
        for part in split_items(item):
            found = parse_metric(part, over=over, also=also, among=among)
            if any(found.metric is other.metric and found.bound == other.bound for other in out):
                raise OptionError(f"metric {part.strip()!r} is asked for twice: want each once")
            out.append(found)
    return out


def split_items(item: str) -> list[str]:
    """Cut at commas that stand in no bracket and in no quotes."""
    parts, depth, quote = [""], 0, ""
    for sign in item:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        else:
            depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


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
    if name in known:
        kind = known[name].over
        return (
            f"metric {name!r} is over {_OVER[kind]}: want one over {_OVER[over]}: {', '.join(fit)}"
        )
    hint = did_you_mean(name.lower().replace("_", "-"), fit)
    return f"no metric {name!r}; {hint}the metrics: {', '.join(fit)}"


def _no_option(found: Metric[..., Any], option: str) -> str:
    names = list(found.options)
    if not names:
        return f"{found.name} has no options; leave {option!r} out"
    hint = did_you_mean(option, names)
    return f"{found.name} has no option {option!r}; {hint}its options: {', '.join(names)}"


def _told(name: str, value: Any) -> str:
    """Write a value for a signature."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "auto" if name == "k" else "none"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_told("", item) for item in value)
    return str(value)


# Checks of options that metrics share, and of those of intervals and tests.


def whole(name: str, given: Any, of: str = "", *, least: int = 0, most: int | None = None) -> int:
    """Return an option as a whole number, `of` saying what it counts.

    Raises
    ------
    OptionError
        When it is none, or not in the range.

    """
    fits = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not fits or given < least or (most is not None and given > most):
        span = f"{least} or more" if most is None else f"{least} to {most:,}"
        number = f"whole number of {of}" if of else "whole number"
        raise OptionError(f"{name} is {given!r}: want a {number}, {span}")
    return int(given)


def number(name: str, given: Any) -> float:
    """Return an option as a number; `nan` is one.

    Raises
    ------
    OptionError
        When it is none.

    """
    if not isinstance(given, Real) or isinstance(given, bool):
        raise OptionError(f"{name} is {given!r}: want a number")
    return float(given)


def confidence(level: Any) -> float:
    """Return a confidence level.

    Raises
    ------
    OptionError
        When it is no number between 0 and 1.

    """
    if not isinstance(level, Real) or not 0 < float(level) < 1:
        raise OptionError(f"the confidence level is {level!r}: want one between 0 and 1")
    return float(level)


def stored_numbers(stored: Iterable[Any]) -> list[Any]:
    """Return the numbers of a stored state, each an `int` or a `float`.

    Raises
    ------
    TypeError
        When one of them is anything else: the file was changed.

    """
    numbers = list(stored)
    if not all(type(each) in {int, float} for each in numbers):
        raise TypeError(f"want numbers, found {numbers!r:.60}")
    return numbers
