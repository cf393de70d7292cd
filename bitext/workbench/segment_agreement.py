"""Agreement of annotators about boundaries in a text.

Only what people have decided counts: segments that are confirmed. A place between two units is
decided by who has confirmed the segments of both. Places that somebody has decided one by one, in a
segment that is not confirmed, do not count: they are those at which other coders differ, and
coefficients suppose that it does not depend on the codes which of them are missing.
"""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.model import Segmentation
from bitext.workbench.segmentations import segmentation_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitext.kernels.arrays import Bools
    from bitext.workbench.project import Project

METRICS = ("boundary-similarity", "segmentation-similarity", "alignment-similarity", "boundary")
COEFFICIENTS = ("krippendorff-alpha", "fleiss-kappa")

Types = frozenset[int | str]


class Decided(NamedTuple):
    """A segmentation, and what of it is decided."""

    segmentation: Segmentation
    units: Bools  # whether each unit is in a confirmed segment; shape (n,)

    @property
    def places(self) -> Bools:
        """Whether each of the n - 1 places is decided: both units beside it are."""
        both: Bools = self.units[:-1] & self.units[1:]
        return both


def decided(lists: Mapping[str, Sequence[Any]]) -> Decided:
    """Return the rows of a segmentation with what of it is confirmed."""
    made = segmentation_of(lists)
    confirmed = [row.state == "confirmed" for row in lists["segments"]]
    return Decided(made, np.repeat(np.array(confirmed), made.masses))


def _runs(mask: Bools) -> list[tuple[int, int]]:
    """Return the half-open spans of a mask that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _within(one: Segmentation, start: int, end: int, kind: str | None = None) -> Segmentation:
    """Return the part of a segmentation over units; of boundaries of one type if it is named."""
    at = one.boundaries
    low, high = (int(np.searchsorted(at, edge, side="right")) for edge in (start, end - 1))
    places = (at[low:high] - start).tolist()
    types = None if one.types is None else one.types[low:high]
    if kind is not None:
        kinds = [frozenset[int | str]()] * len(places) if types is None else types
        places = [b for b, own in zip(places, kinds, strict=True) if kind in own]
        types = None
    return Segmentation(np.diff([0, *places, end - start]), types)


def common_stretches(coders: Sequence[Decided]) -> list[list[Segmentation]]:
    """Return the stretches of units that all coders have confirmed, with their segmentations.

    Examples
    --------
    >>> one = Decided(Segmentation([2, 2, 2]), np.array([1, 1, 1, 1, 0, 0], dtype=bool))
    >>> other = Decided(Segmentation([3, 3]), np.ones(6, dtype=bool))
    >>> common_stretches([one, other])
    [[Segmentation([2, 2]), Segmentation([3, 1])]]

    """
    mask = np.logical_and.reduce([each.units for each in coders])
    return [
        [_within(each.segmentation, start, end) for each in coders] for start, end in _runs(mask)
    ]


def coded_places(
    coders: Sequence[Decided | None], kind: str | None = None
) -> list[list[Segmentation | None]]:
    """Return the places of a text that two coders or more have decided, as texts of these places.

    Within such a text the same coders have decided each place; the others have `None`. Each place
    is in one text, so that coefficients over places are those of the whole text.

    Parameters
    ----------
    coders : sequence of Decided or None
        `None` for a coder who has not begun the text.
    kind : str, optional
        Count the boundaries of this type alone.

    """
    known = [each for each in coders if each is not None]
    if len(known) < 2 or known[0].segmentation.n < 2:
        return []
    none = np.zeros(known[0].segmentation.n - 1, dtype=bool)
    table = np.array([none if each is None else each.places for each in coders])
    changes = np.flatnonzero((table[:, 1:] != table[:, :-1]).any(axis=0)) + 1
    found: list[list[Segmentation | None]] = []
    for first, last in zip([0, *changes], [*changes, table.shape[1]], strict=True):
        if table[:, first].sum() < 2:
            continue
        # Places first to last lie between units first to last + 1.
        row = [
            _within(each.segmentation, int(first), int(last) + 1, kind)
            if each is not None and has
            else None
            for each, has in zip(coders, table[:, first], strict=True)
        ]
        found.append(row)
    return found


def segment_agreement(project: Project) -> dict[str, Any]:
    """Return the agreement of the annotators of the segmentations of a project, as JSON.

    Returns
    -------
    dict
        `pairs`: the similarities of two annotators (S, B and A, of which S and B compare the types
        of boundaries, and F of boundaries), by document, and over all documents (`document` is
        null); `units` is the number of units in segments that both have confirmed, and `share` what
        share of all that is. `coefficients`: Krippendorff's alpha and Fleiss' kappa of all
        annotators, over the places that two or more have decided: for each pair, all together, and
        for each type of boundaries (`type`). Undefined figures are null.

    """
    documents: dict[int, list[Any]] = {}
    for info in project.segmentations():
        if info.annotator:
            documents.setdefault(info.document, []).append(info)
    pairs: list[dict[str, Any]] = []
    coefficients: list[dict[str, Any]] = []
    held: dict[int, tuple[str, dict[str, Decided]]] = {}
    for document, infos in documents.items():
        coders = {info.annotator: decided(project.rows(info.id)[1]) for info in infos}
        coders = {who: coders[who] for who in sorted(coders) if coders[who].units.any()}
        if len(coders) > 1:
            held[document] = infos[0].name, coders
    for name, coders in held.values():
        pairs += _pairs(name, [coders])
        coefficients += _coefficients(name, [coders])
    if len(held) > 1:
        every = [coders for _, coders in held.values()]
        pairs += _pairs(None, every)
        coefficients += _coefficients(None, every)
    return {"pairs": pairs, "coefficients": coefficients}


def _pairs(document: str | None, texts: Sequence[Mapping[str, Decided]]) -> list[dict[str, Any]]:
    from bitext.metrics import all_metrics

    known = all_metrics()
    rows = []
    for pair in _pairs_of(texts):
        both = [[coders[who] for who in pair] for coders in texts if set(pair) <= coders.keys()]
        stretches = [each for coders in both for each in common_stretches(coders)]
        whole = sum(coders[0].segmentation.n for coders in both)
        units = sum(one.n for one, _ in stretches)
        for name in METRICS:
            value = None
            if stretches:
                # The page says which figures compare types: `many` does not warn of the others.
                scores = list(known[name].many(*zip(*stretches, strict=True)))
                score = sum(scores[1:], scores[0])
                value = _defined(score.f1 if name == "boundary" else score.value)
            rows.append(
                {
                    "document": document,
                    "annotators": list(pair),
                    "metric": "boundary.f1" if name == "boundary" else name,
                    "value": value,
                    "units": units,
                    "share": units / whole if whole else None,
                }
            )
    return rows


def _pairs_of(texts: Sequence[Mapping[str, Decided]]) -> list[tuple[str, str]]:
    return sorted({pair for coders in texts for pair in combinations(sorted(coders), 2)})


def _coefficients(
    document: str | None, texts: Sequence[Mapping[str, Decided]]
) -> list[dict[str, Any]]:
    everybody = sorted({who for coders in texts for who in coders})
    groups = [list(pair) for pair in _pairs_of(texts)]
    if len(everybody) > 2:
        groups.append(everybody)
    kinds = sorted(
        {
            str(kind)
            for coders in texts
            for each in coders.values()
            for own in each.segmentation.types or ()
            for kind in own
        }
    )
    rows: list[dict[str, Any]] = []
    for group in groups:
        for kind in (None, *(kinds if len(kinds) > 1 else ())):
            codings = [
                row
                for coders in texts
                for row in coded_places([coders.get(who) for who in group], kind)
            ]
            rows += _figures(document, group, kind, codings)
    return rows


def _figures(
    document: str | None,
    group: Sequence[str],
    kind: str | None,
    codings: list[list[Segmentation | None]],
) -> Iterable[dict[str, Any]]:
    from bitext.metrics import all_metrics

    known = all_metrics()
    places = sum(next(each.n for each in row if each is not None) - 1 for row in codings)
    for name in COEFFICIENTS:
        made = known[name](codings) if codings else None
        yield {
            "document": document,
            "annotators": list(group),
            "coefficient": name,
            "type": kind,
            "value": None if made is None else _defined(made.value),
            "observed": None if made is None else _defined(made.observed),
            "chance": None if made is None else _defined(made.chance),
            "places": places,
        }


def _defined(value: float) -> float | None:
    return None if isnan(value) else float(value)
