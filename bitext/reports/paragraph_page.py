"""Scores of paragraph segmentation as a page: methods by figures, and bars with intervals.

The page is that of the scores of alignments with other figures: the same table to sort, the same
bars, the same marks of systems.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from math import isnan, nan
from typing import TYPE_CHECKING

from bitext.reports import pages
from bitext.reports.pages import Section, held
from bitext.reports.paragraph_scores import FIGURES
from bitext.reports.scores_data import Figure, Score, Scores
from bitext.reports.scores_page import score_style
from bitext.reports.scores_svg import bars
from bitext.reports.scores_tables import system
from bitext.reports.table import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.reports.paragraph_scores import ParagraphScore, ParagraphScores

__all__ = ["paragraph_page"]


def paragraph_page(scores: ParagraphScores, *, notes: Iterable[str] = ()) -> str:
    """Return the page of the scores of methods as HTML: the same for the same input.

    Parameters
    ----------
    scores : ParagraphScores
    notes : iterable of str
        What is told at the end, as what was left out.

    Examples
    --------
    >>> from bitext.model import Segmentation
    >>> from bitext.reports.paragraph_scores import score_paragraphs
    >>> golds = [Segmentation([2, 3, 1]), Segmentation([1, 4])]
    >>> found = [Segmentation([2, 4]), Segmentation([1, 2, 2])]
    >>> html = paragraph_page(score_paragraphs(golds, {"<a>": found, "b": golds}, resamples=0))
    >>> html.count('class="bar '), "<a>" in html, "&lt;a&gt;" in html
    (16, False, True)

    """
    drawn = _drawn(scores)
    chapters = f"{scores.chapters:,} chapter{'' if scores.chapters == 1 else 's'}"
    summary = f"{chapters}, {scores.decisions:,} sentences that may start a paragraph, "
    summary += f"{scores.breaks:,} that do."
    sections = [
        Section("scores", "Scores", _table(scores, drawn)),
        Section("bars", "Bars", _bars(drawn)),
        Section("made", "How this was measured", _made(scores, notes)),
    ]
    return pages.page(
        "Paragraphs against the gold standard",
        summary,
        sections,
        style=score_style(),
        script=pages.asset("scores.js"),
    )


def _drawn(scores: ParagraphScores) -> Scores:
    """Return the scores as the drawings take them: each figure as a group of bars."""
    rows = tuple(
        Score(
            _headed(row),
            "micro",
            scores.methods.index(row.method),
            (_figure(row),),
            nan if row.difference is None else row.difference,
            row.undefined,
        )
        for figure in FIGURES
        for row in scores.rows
        if row.figure == figure
    )
    measures = tuple(dict.fromkeys(row.measure for row in rows))
    return Scores(scores.methods, measures, ("micro",), rows, (), {}, (), scores.caption())


def _headed(row: ParagraphScore) -> str:
    return f"{row.figure} {'↓' if row.better == 'lower' else '↑'}"


def _figure(row: ParagraphScore) -> Figure:
    low, high = row.interval or (nan, nan)
    return Figure(row.value, low, high, nan if row.p is None else row.p)


def _table(scores: ParagraphScores, drawn: Scores) -> Iterator[str]:
    told = "The best of a figure is bold: the highest, or with ↓ the lowest. "
    if scores.resampled:
        told += "Under a figure stands its interval. "
        if len(scores.methods) > 1:
            first = held(scores.methods[0], 60)
            told += f"*&nbsp;p&nbsp;&lt;&nbsp;0.05, **&nbsp;p&nbsp;&lt;&nbsp;0.01 against {first}."
    yield f'<p class="quiet">{told}</p>'
    name = "Methods by figures"
    yield f'<div class="sheet" tabindex="0" role="region" aria-label="{name}">'
    yield f'<table class="scores sortable"><caption class="said">{name}</caption><thead><tr>'
    yield '<th scope="col">method</th>'
    yield "".join(f'<th scope="col" class="n">{escape(head)}</th>' for head in drawn.measures)
    yield "</tr></thead><tbody>"
    best = {measure: _best(drawn.of(measure)) for measure in drawn.measures}
    for k in range(len(scores.methods)):
        yield f'<tr><th scope="row" data-value="{k}">{system(drawn, k)}</th>'
        yield from (_cell(drawn.of(m)[k], best[m]) for m in drawn.measures)
        yield "</tr>"
    yield "</tbody></table></div>"


def _best(rows: list[Score]) -> float:
    known = [row.figures[0].value for row in rows if not isnan(row.figures[0].value)]
    if len(known) < 2:
        return nan
    return min(known) if rows[0].measure.endswith("↓") else max(known)


def _cell(row: Score, best: float) -> str:
    (figure,) = row.figures
    if isnan(figure.value):
        return f'<td class="n" data-value="-1" title="{escape(row.undefined)}">undefined</td>'
    shown = number(figure.value)
    shown = f"<b>{shown}</b>" if figure.value == best else shown
    stars = f"<sup>{figure.mark}</sup>" if figure.mark else ""
    known = not isnan(figure.low)
    interval = f"<br><small>{number(figure.low)}–{number(figure.high)}</small>" if known else ""
    return f'<td class="n" data-value="{figure.value!r}">{shown}{stars}{interval}</td>'


def _bars(drawn: Scores) -> Iterator[str]:
    """Yield the bars in two drawings: of decisions one by one, and of segmentations as wholes."""
    names = list(drawn.measures)
    yield '<div class="charts">'
    for name, chosen in (("decisions", names[:4]), ("segmentations", names[4:])):
        part = replace(drawn, measures=tuple(chosen))
        yield f"<figure><figcaption>{name}</figcaption>{bars(part, 0, name=name)}</figure>"
    yield "</div>"


def _made(scores: ParagraphScores, notes: Iterable[str]) -> Iterator[str]:
    yield '<ul class="made">'
    yield from (f"<li>{held(line)}</li>" for line in [*scores.caption().splitlines(), *notes])
    yield "</ul>"
