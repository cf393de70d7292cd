"""The texts of an evaluation of segmentations, with what a page shows of them."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from bitext.metrics.segment_scores import lay
from bitext.reports import agreements
from bitext.reports.agreements import coefficient_table, ratio_table, told
from bitext.reports.comparisons import caption, comparison_table
from bitext.reports.segmentation_data import ShownText
from bitext.reports.segmentation_page import segmentation_page
from bitext.reports.segmentation_text import key_line, segment_strips
from bitext.reports.table import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.metrics.segment_evaluation import SegmentEvaluation
    from bitext.model.segmentations import Segmentations
    from bitext.reports.agreements import AgreementReport

__all__ = ["evaluation_page", "shown_texts", "worst_first", "worst_strips"]

_ARROWS = {"higher": "↑", "lower": "↓"}
_MOST = 300  # texts of a page
_LIMIT = 3  # of WiSeBE, where it is not asked for


def evaluation_page(
    evaluation: SegmentEvaluation,
    *,
    references: Sequence[str],
    units: Mapping[int, Sequence[str]] | None = None,
    averages: Sequence[str] = ("micro",),
    agreement: AgreementReport | None = None,
    shift: int = 1,
    title: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return the page of an evaluation: its worst texts, and the figures over all.

    Parameters
    ----------
    evaluation : SegmentEvaluation
        With at least one system.
    references : sequence of str
        What the references are called.
    units : mapping of int to sequence of str, optional
        The units of the texts whose characters are known.
    averages : sequence of {"micro", "macro"}
        Over the texts.
    agreement : AgreementReport, optional
        How far the references agree.
    shift : int
        How far a boundary may be shifted to be the same one.
    title : str, optional
        The heading.
    notes : sequence of str
        What else a reader of the figures has to know.

    """
    texts = shown_texts(evaluation, units or {}, most=_MOST)
    return segmentation_page(
        texts,
        references=references,
        systems=evaluation.systems,
        metrics=[
            f"{label} {_ARROWS[metric.metric.better]}"
            for m, metric in enumerate(evaluation.metrics)
            for label in evaluation.scored(0, m).labels
        ],
        figures=comparison_table(evaluation, averages, texts=False),
        signature=caption(evaluation, averages) + "".join(f"{note}\n" for note in notes),
        agreement=[coefficient_table(agreement), ratio_table(agreement)] if agreement else (),
        agreed=f"{told(agreement)}\n{agreements.caption(agreement)}" if agreement else "",
        shift=shift,
        limit=_limit(evaluation),
        title=title or f"{', '.join(evaluation.systems)} against {', '.join(references)}",
        left_out=len(evaluation.texts) - len(texts),
    )


def shown_texts(
    evaluation: SegmentEvaluation, units: Mapping[int, Sequence[str]], *, most: int
) -> list[ShownText]:
    """Return the texts with the most boundaries that differ, over all systems, worst first."""
    order = worst_first(evaluation.references[0], evaluation.hyps)[0][:most]
    values = [_values(evaluation, s, order) for s in range(len(evaluation.systems))]
    return [
        ShownText(
            evaluation.texts[t],
            tuple(table.at(t) for table in evaluation.references),
            tuple(table.at(t) for table in evaluation.hyps),
            tuple(units[t]) if t in units else None,
            tuple(rows[k] for rows in values),
        )
        for k, t in enumerate(order)
    ]


def worst_first(gold: Segmentations, hyps: Sequence[Segmentations]) -> tuple[list[int], list[int]]:
    """Return the texts by how many boundaries differ, most first, and how many do in each."""
    wrong = np.zeros(len(gold), dtype=np.int64)
    for hyp in hyps:
        pairs = lay(gold, hyp)
        only = np.setxor1d(pairs.gold.boundaries, pairs.hyp.boundaries, assume_unique=True)
        text = np.searchsorted(pairs.starts, only, side="right") - 1
        counts = np.bincount(text, minlength=len(pairs))
        for t in gold.types.keys() & hyp.types.keys():
            counts[t] += not counts[t] and gold.types[t] != hyp.types[t]
        wrong += counts
    order = np.lexsort((np.arange(wrong.size), -wrong))
    return order.tolist(), wrong[order].tolist()


def worst_strips(
    evaluation: SegmentEvaluation,
    *,
    references: Sequence[str],
    most: int,
    shift: int = 1,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    """Yield strips of the worst texts of each system against the first reference, and a key.

    Parameters
    ----------
    evaluation : SegmentEvaluation
    references : sequence of str
        What the references are called.
    most : int
        How many texts of each system.
    shift, width, colour, plain
        As of `bitext.reports.segmentation_text.segment_strips`.

    """
    limit, number = _limit(evaluation), 0
    for name, hyp in zip(evaluation.systems, evaluation.hyps, strict=True):
        order, wrong = worst_first(evaluation.references[0], [hyp])
        for t in order[: sum(count > 0 for count in wrong[:most])]:
            number += 1
            text = ShownText(
                f"{number}. {name}, {evaluation.texts[t]}",
                tuple(table.at(t) for table in evaluation.references),
                (hyp.at(t),),
            )
            yield from segment_strips(
                text,
                names=(references[0], name),
                shift=shift,
                limit=limit,
                width=width,
                colour=colour,
                plain=plain,
            )
            yield ""
    yield key_line(colour=colour, plain=plain) if number else "no text differs from the reference"


def _limit(evaluation: SegmentEvaluation) -> int:
    """Return how near votes are in a window: as WiSeBE was asked for, or its default."""
    asked = [m.bound["limit"] for m in evaluation.metrics if m.name == "wisebe"]
    return int(asked[0]) if asked else _LIMIT


def _values(evaluation: SegmentEvaluation, s: int, order: list[int]) -> list[tuple[str, ...]]:
    """Return the values of all metrics of a system, text by text."""
    rows: list[list[str]] = [[] for _ in order]
    for m in range(len(evaluation.metrics)):
        scored = evaluation.scored(s, m)
        found = scored.figures(scored.flat[order], evaluation.options.zero_division)
        for row, values in zip(rows, found.tolist(), strict=True):
            row += ["undefined" if isnan(value) else number(value) for value in values]
    return [tuple(row) for row in rows]
