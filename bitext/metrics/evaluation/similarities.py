"""Bisegment similarity of systems on a corpus: averages, intervals, and tests between systems."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import many
from bitext.metrics.arcade import WEIGHTS
from bitext.metrics.bisegment_similarity import edges_between, ratio_of
from bitext.metrics.evaluation.sampling import BLOCKS_OF_ONE_TEXT, SystemAverages
from bitext.metrics.registry import stored_numbers
from bitext.metrics.significance import block_cuts, quotients
from bitext.model import Ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.overlap import BeadEdges
    from bitext.metrics.arcade import Comparison, Weigher
    from bitext.metrics.evaluation.sampling import Options
    from bitext.metrics.significance import Interval

__all__ = ["Similarities", "SimilarityDifference", "SimilarityRow"]

_NAME = "bisegment-similarity"


class SimilarityRow(NamedTuple):
    """The bisegment similarity of one system on one text, or on average, at one granularity.

    Attributes
    ----------
    system, text, granularity, average : str
        `text` is `None` for averages; `average` is `text`, `micro` or `macro`.
    value : float
        The figure; `nan` where undefined.
    ratio : Ratio or None
        The sum of the weights and the number of edges; `None` for macro averages.
    interval : Interval or None
        `None` where there are too few units to resample.
    undefined : str
        The reason where the value is `nan`.
    signature : str
        Every choice behind the figure.

    """

    system: str
    text: str | None
    granularity: str
    average: str
    value: float
    ratio: Ratio | None
    interval: Interval | None
    undefined: str
    signature: str


class SimilarityDifference(NamedTuple):
    """The difference of a system from the baseline at one granularity, and its p."""

    system: str
    baseline: str
    granularity: str
    average: str
    value: float
    p: float


class Measured(NamedTuple):
    """The edges of one system on one text, at each granularity that its texts allow."""

    comparison: Comparison
    edges: dict[str, BeadEdges]


@dataclass(slots=True)
class Similarities:
    """The similarities of systems, collected text by text, and the figures computed from them.

    The sums of each text are stored; for a single text, also its edges.
    """

    systems: Sequence[str]
    options: Options
    _ratios: dict[tuple[int, str], list[Ratio]] = field(default_factory=dict)
    _single: list[Measured] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _block_state: dict[str, list[list[float]]] | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """The requested granularities; all three where only other measures are requested."""
        asked = self.options.measures or WEIGHTS
        return tuple(g for g in WEIGHTS if g in asked) or WEIGHTS

    @property
    def granularities(self) -> list[str]:
        """The granularities that every text and system allows."""
        systems = range(len(self.systems))
        return [
            g
            for g in self.wanted
            if self._texts
            and all(len(self._ratios.get((s, g), [])) == len(self._texts) for s in systems)
        ]

    def measure(self, comparison: Comparison, weigher: Weigher) -> Measured:
        """Measure one system on one text, at every granularity that its texts allow."""
        possible = [g for g in self.wanted if not comparison.lacking(g)]
        edges = edges_between([comparison.ground], possible, weigher) if possible else []
        return Measured(comparison, dict(zip(possible, edges, strict=True)))

    def keep(self, text: str, measured: Sequence[Measured]) -> None:
        """Add the measurements of every system on one text."""
        for system, one in enumerate(measured):
            for granularity, edges in one.edges.items():
                self._ratios.setdefault((system, granularity), []).append(ratio_of(edges))
        self._texts.append(text)
        self._single = list(measured) if len(self._texts) == 1 else []

    def rows(
        self,
        *,
        averages: Sequence[str],
        texts: bool,
        blocks: int,
        sizes: Callable[[], NDArray[np.float64]] | None,
        sign: Callable[..., str],
    ) -> list[SimilarityRow]:
        """Return the figures: by granularity, system by system, averages before texts.

        `blocks` is the number of blocks of a single text; `sizes` returns the number of gold
        bisegments of each unit, and is `None` where there are no intervals; `sign` is
        `Evaluation.signature`.
        """
        out = []
        for granularity in self.granularities:
            signed = {a: sign(_NAME, granularity, averages=(a,)) for a in (*averages, "text")}
            for system, name in enumerate(self.systems):
                for average in averages:
                    row = self._average(system, granularity, average)
                    row = row._replace(signature=signed[average])
                    if sizes is not None:
                        averages_of = self._averages(granularity, average, blocks, sizes)
                        row = row._replace(interval=averages_of.intervals(system)[0])
                    out.append(row)
                if texts:
                    each = zip(self._texts, self._ratios[system, granularity], strict=True)
                    out += [
                        SimilarityRow(
                            *(name, text, granularity, "text", self._value(ratio), ratio),
                            *(None, ratio.undefined, signed["text"]),
                        )
                        for text, ratio in each
                    ]
        return out

    def differences(
        self, *, average: str, blocks: int, sizes: Callable[[], NDArray[np.float64]]
    ) -> list[SimilarityDifference]:
        """Test systems against the baseline, or in all pairs, granularity by granularity."""
        return [
            SimilarityDifference(d.system, d.baseline, granularity, average, *d.values, *d.p)
            for granularity in self.granularities
            for d in self._averages(granularity, average, blocks, sizes).differences()
        ]

    def state(self) -> dict[str, list[tuple[str, list[Any]]]]:
        """Return the sums of the last text by system, as JSON can hold them."""
        state: dict[str, list[tuple[str, list[Any]]]] = {}
        for (system, granularity), ratios in self._ratios.items():
            r = ratios[-1]
            sums = [r.numerator, r.denominator, r.empty, r.reason]
            state.setdefault(str(system), []).append((granularity, sums))
        return state

    def add_state(self, text: str, state: dict[str, list[tuple[str, list[Any]]]]) -> None:
        """Add a text by the sums that `state` returned."""
        for system, rows in state.items():
            for granularity, (*sums, reason) in rows:
                above, below, empty = stored_numbers(sums)
                ratio = Ratio(above, below, empty, reason)
                self._ratios.setdefault((int(system), granularity), []).append(ratio)
        self._texts.append(text)

    def block_state(self, blocks: int) -> dict[str, list[list[float]]]:
        """Return the sums of the blocks of the only text, as JSON can hold them."""
        return {
            f"{system} {granularity}": self._units(system, granularity, blocks).tolist()
            for system, granularity in self._ratios
        }

    def add_block_state(self, state: dict[str, list[list[float]]]) -> None:
        """Set the blocks of the only text to those that `block_state` returned."""
        self._block_state = state

    def _value(self, ratio: Ratio) -> float:
        return self.options.zero_division if isnan(ratio.value) else ratio.value

    def _average(self, system: int, granularity: str, average: str) -> SimilarityRow:
        """Return an average, without its interval and signature."""
        ratios = self._ratios[system, granularity]
        total = sum(ratios[1:], ratios[0])
        value, undefined = self._value(total), total.undefined
        if average == "macro":
            each = [self._value(ratio) for ratio in ratios]
            known = [v for v in each if not isnan(v)]
            value = sum(known) / len(known) if known else nan
            bare = sum(isnan(ratio.value) for ratio in ratios)
            texts = f"{many(bare, 'text')}"
            state = "undefined and left out" if len(known) < len(each) else "undefined"
            undefined = f"{state}: similarity of {texts}" if bare else ""
        return SimilarityRow(
            self.systems[system],
            None,
            granularity,
            average,
            value,
            total if average == "micro" else None,
            None,
            undefined,
            "",
        )

    def _averages(
        self,
        granularity: str,
        average: str,
        blocks: int,
        sizes: Callable[[], NDArray[np.float64]],
    ) -> SystemAverages:
        return SystemAverages(
            systems=self.systems,
            options=self.options,
            units=lambda system: self._units(system, granularity, blocks),
            values=lambda system: [self._average(system, granularity, average).value],
            of=quotients,
            # The blocks of one text make no macro average of their own.
            macro=average == "macro" and len(self._texts) > 1,
            what="texts" if len(self._texts) > 1 else BLOCKS_OF_ONE_TEXT,
            sizes=sizes,
        )

    def _units(self, system: int, granularity: str, count: int) -> NDArray[np.float64]:
        """Return the sum of weights and the number of edges of each text, or each block of one."""
        if len(self._texts) > 1:
            rows = [(r.numerator, r.denominator) for r in self._ratios[system, granularity]]
            return np.array(rows, dtype=np.float64)
        if self._block_state is not None:
            return np.array(self._block_state[f"{system} {granularity}"], dtype=np.float64)
        comparison, edges = self._single[system].comparison, self._single[system].edges[granularity]
        gold, hyp = comparison.anchors()
        cuts = block_cuts(gold, count)
        # An edge belongs to its gold bisegment; index -1, for none, reads the last entry.
        at = np.where(edges.gold < 0, np.append(hyp, -1)[edges.hyp], gold[edges.gold])
        place = np.searchsorted(cuts, at, side="right")
        columns = (edges.weights, None)
        return np.stack([np.bincount(place, w, minlength=count) for w in columns], axis=1)
