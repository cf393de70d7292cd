"""Scores as a page: systems by granularity, drawings of them, bead types, and text by text.

The page is one file that asks nothing of a network. Without JavaScript it is a static page with
the same figures, and of many texts the worst. With it the table of systems is sorted by its heads,
and the texts are found by name, ordered, and shown at any granularity.
"""

from __future__ import annotations

from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any

from bitext.reports import pages, scores_tables
from bitext.reports.corpus_report import MARK
from bitext.reports.lettering import cut, visible
from bitext.reports.pages import Section, held
from bitext.reports.scores_data import F1, FIGURES, headline, leaders, scores_of
from bitext.reports.scores_svg import COLOURS, SHAPES, bars, lines
from bitext.reports.scores_tables import system

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.metrics.evaluation import Evaluation
    from bitext.reports.scores_data import Scores

__all__ = ["score_sections", "score_style", "scores_page", "summary"]

_NAME = 20.0  # of a system, in font sizes


def scores_page(
    evaluation: Evaluation,
    *,
    averages: Sequence[str] = ("micro",),
    title: str | None = None,
    links: Sequence[str] = (),
    notes: Iterable[str] = (),
) -> str:
    """Return the page of an evaluation as HTML.

    Parameters
    ----------
    evaluation : Evaluation
        With its texts. `detailed` gives the page the bead types.
    averages : sequence of str
        `micro`, `macro` or both; drawings show the first.
    title : str, optional
        The heading.
    links : sequence of str, optional
        Where the page of each text is, relative to this page; empty where there is none.
    notes : iterable of str
        What is told at the end, as what was left out.

    Returns
    -------
    str
        The same for the same input.

    Examples
    --------
    >>> from bitext import Alignment, Bitext
    >>> from bitext.metrics.evaluation import Evaluation
    >>> gold = Bitext(None, None, Alignment([((0,), (0,)), ((1,), (1,))]), name="a <b>")
    >>> evaluation = Evaluation(["<i>"], detailed=True)
    >>> _ = evaluation.add(gold, [gold])
    >>> html = scores_page(evaluation)
    >>> html.count("<h2"), "<i>" in html.split("</svg>")[0], "&lt;i&gt;" in html
    (5, False, True)

    """
    scores = scores_of(evaluation, averages=averages)
    return pages.page(
        title or "Alignments against the gold standard",
        summary(scores),
        score_sections(scores, links=links, notes=notes),
        style=score_style(),
        script=pages.asset("scores.js"),
        data=_data(scores, links) if len(scores.texts) > 1 else None,
    )


def summary(scores: Scores) -> str:
    """Return the line under the heading as HTML: how much was scored, and who leads."""
    many = len(scores.systems)
    count = "one text" if len(scores.texts) == 1 else f"{len(scores.texts):,} texts"
    who = f"{many} systems. {escape(leaders(scores))}." if many > 1 else ""
    return f"{count}, {who or 'one system.'}"


def score_style() -> str:
    """Return the style of the sections."""
    return pages.asset("scores.css")


def score_sections(
    scores: Scores, *, links: Sequence[str] = (), notes: Iterable[str] = ()
) -> list[Section]:
    """Return the parts of a page of scores, for this page or for one that has more."""
    sections = [
        Section("scores", "Scores", _table(scores)),
        Section("bars", "Precision, recall and F1", _bars(scores)),
    ]
    if len(scores.measures) > 1:
        sections.append(Section("granularities", "F1 by granularity", _lines(scores)))
    if len(scores.texts) > 1:
        by = f'<p class="quiet">By F1 at {headline(scores)} granularity, the worst first.</p>'
        worst = [by, *scores_tables.worst_table(scores, links)]
        sections.append(Section("worst", "Worst texts", worst))
        sections.append(Section("texts", "Text by text", _texts(scores, links)))
    if scores.beads:
        sections.append(Section("types", "Bead types", _beads(scores)))
    sections.append(Section("made", "How this was measured", _made(scores, notes)))
    return sections


def _table(scores: Scores) -> Iterator[str]:
    told = "The highest figure of a granularity is bold. " if len(scores.systems) > 1 else ""
    if any(not isnan(f.low) for row in scores.rows for f in row.figures):
        told += "After a figure stands its interval. "
    if any(not isnan(row.difference) for row in scores.rows):
        first = held(cut(visible(scores.systems[0]), _NAME))
        told += f"*&nbsp;p&nbsp;&lt;&nbsp;0.05, **&nbsp;p&nbsp;&lt;&nbsp;0.01 against {first}. "
    yield f'<p class="quiet">{told}</p>' if told else ""
    yield from scores_tables.system_table(scores)


def _bars(scores: Scores) -> Iterator[str]:
    yield '<div class="charts">'
    for k in (F1, 0, 1):
        yield f"<figure><figcaption>{FIGURES[k]}</figcaption>{bars(scores, k)}</figure>"
    yield "</div>"


def _lines(scores: Scores) -> Iterator[str]:
    yield f"<figure>{lines(scores)}</figure>"


def _texts(scores: Scores, links: Sequence[str]) -> Iterator[str]:
    chosen = headline(scores)
    yield '<p class="key">'
    yield from (f"<span>{system(scores, k)}</span>" for k in range(len(scores.systems)))
    yield '</p><div class="tools" role="group" aria-label="Texts">'
    yield '<label>Granularity <select id="measure">'
    for measure in scores.measures:
        mark = " selected" if measure == chosen else ""
        yield f"<option{mark}>{escape(measure)}</option>"
    yield '</select></label><label>Order <select id="order">'
    yield '<option value="worst">worst first</option><option value="apart">systems furthest apart'
    yield '</option><option value="given">as given</option></select></label>'
    yield '<label>Find <input id="find" type="search" placeholder="a name" autocomplete="off">'
    yield '</label><span class="quiet" id="found"></span></div>'
    yield from scores_tables.text_list(scores, links)


def _beads(scores: Scores) -> Iterator[str]:
    yield '<p class="quiet">How many gold bisegments of each type were found exactly so, and what '
    yield "those became that were missed: the proposed bisegments that share a segment with them."
    yield "</p>"
    yield '<div class="side-by-side wide">'
    for k in range(len(scores.systems)):
        yield f"<div>{''.join(scores_tables.bead_table(scores, k))}</div>"
    yield "</div>"


def _made(scores: Scores, notes: Iterable[str]) -> Iterator[str]:
    yield f'<ul class="made" {MARK}>'
    yield from (f"<li>{held(line)}</li>" for line in [*scores.caption.splitlines(), *notes])
    yield "</ul>"


def _data(scores: Scores, links: Sequence[str]) -> dict[str, Any]:
    """Return what the script shows of texts: F1 with four digits, `null` where undefined."""
    return {
        "systems": [cut(visible(name), _NAME) for name in scores.systems],
        "shapes": [SHAPES[k % COLOURS] for k in range(len(scores.systems))],
        "colours": COLOURS,
        "texts": [visible(name[:200]) or "(no name)" for name in scores.texts],
        "links": [link or None for link in links] or [None] * len(scores.texts),
        "f1": {
            measure: [
                [None if isnan(each[F1]) else round(each[F1], 4) for each in values]
                for values in systems
            ]
            for measure, systems in scores.values.items()
        },
    }
