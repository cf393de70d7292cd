"""The registry of metrics: what there is, what it is over, and where it comes from."""

from __future__ import annotations

import inspect
import pkgutil
from functools import cache, update_wrapper
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Metric", "all_metrics", "metric"]

P = ParamSpec("P")
R = TypeVar("R")


class Metric(Generic[P, R]):
    """A metric: a function of (gold, hyp), its form over many pairs, and what is known of it.

    Attributes
    ----------
    name : str
        Its name on the command line and in signatures.
    over : {"alignment", "segmentation"}
        What it compares.
    better : {"higher", "lower"}
        Which way it points.
    source : str
        The paper or page that defines it.
    measures : tuple of str
        The figures it gives, when it gives several.

    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        name: str,
        over: Literal["alignment", "segmentation"],
        better: Literal["higher", "lower"],
        source: str,
        many: Callable[..., list[R]],
        measures: Sequence[str] = (),
    ) -> None:
        self.name, self.over, self.better, self.source = name, over, better, source
        self.measures = tuple(measures)
        self._function, self._many = function, many
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compare one pair."""
        return self._function(*args, **kwargs)

    def many(self, golds: Sequence[Any], hyps: Sequence[Any], **options: Any) -> list[R]:
        """Compare many pairs in one pass of the arrays; the options are those of one pair."""
        return self._many(golds, hyps, **options)

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
    over: Literal["alignment", "segmentation"],
    better: Literal["higher", "lower"],
    source: str,
    many: Callable[..., list[R]],
    measures: Sequence[str] = (),
) -> Callable[[Callable[P, R]], Metric[P, R]]:
    """Make a metric of a function of (gold, hyp); `many` is its form over lists of both."""

    def make(function: Callable[P, R]) -> Metric[P, R]:
        return Metric(
            function,
            name=name,
            over=over,
            better=better,
            source=source,
            many=many,
            measures=measures,
        )

    return make


@cache
def all_metrics() -> dict[str, Metric[..., Any]]:
    """Return every metric by its name, sorted: those that the modules of this package hold."""
    import bitext.metrics as package

    found: dict[str, Metric[..., Any]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        found.update({m.name: m for m in vars(module).values() if isinstance(m, Metric)})
    return dict(sorted(found.items()))
