"""Metrics by name, as the command line writes them: `window-diff(k=5, padded=True)`.

The name is that of the registry, the options are those of the metric, as keywords with literal
values. A word that is no literal is taken as text, so `script=greedy` needs no second quotes.
Nothing is ever evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, OptionError, SegmentationError, did_you_mean
from bitext.metrics.registry import all_metrics

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bitext.metrics.registry import Metric
    from bitext.metrics.segmentation.pairs import Pairs
    from bitext.model import CountsTable, Ratios

__all__ = ["LETTERS", "NamedMetric", "parse_metric", "parse_metrics", "split_items"]

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
