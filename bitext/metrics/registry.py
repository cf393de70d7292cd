"""The registry of metrics: what there is, what it is over, and where it comes from."""

from __future__ import annotations

import inspect
import pkgutil
from functools import cache, update_wrapper
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, TypeVar

from bitext.metrics.segmentation.pairs import Pairs
from bitext.model.ratio import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Metric", "all_metrics", "metric"]

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
