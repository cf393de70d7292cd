"""The tables of a page of scores: systems by granularity, bead types, texts one by one."""

from __future__ import annotations

from html import escape
from math import isnan
from typing import TYPE_CHECKING

from bitext.remedies import remedy
from bitext.reports.lettering import cut, visible
from bitext.reports.pages import held
from bitext.reports.scores_data import F1, FIGURES, headline, worst
from bitext.reports.scores_svg import mark
from bitext.reports.table import many, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.metrics.breakdown import BeadType
    from bitext.reports.scores_data import Figure, Score, Scores

__all__ = ["bead_table", "system", "system_table", "text_list", "worst_table"]

_OUTCOMES = 10  # columns of a table of bead types
_KINDS = 12  # its rows
_WORST = 10
_NAME = 20.0  # a name is cut there, in font sizes
_LINE = 80  # characters of the name of a text

_NUMBERS = 6  # systems whose numbers find room beside a line
SHOWN = 100  # texts that a page shows without its script


def system(scores: Scores, k: int) -> str:
    """Return the mark and the name of a system as HTML."""
    name = escape(cut(visible(scores.systems[k]), _NAME))
    return f'{icon(k)}<bdi class="system">{name}</bdi>'


def icon(k: int) -> str:
    """Return the mark of a system as a small drawing that says nothing."""
    return f'<svg class="icon" viewBox="-7 -7 14 14" aria-hidden="true">{mark(k)}</svg>'


def _sheet(name: str, rows: Iterable[str], kind: str = "") -> Iterator[str]:
    """Put a table into a frame that scrolls where the page is narrow."""
    yield f'<div class="sheet" tabindex="0" role="region" aria-label="{name}">'
    yield f'<table class="scores {kind}"><caption class="said">{name}</caption>'
    yield from rows
    yield "</table></div>"


def system_table(scores: Scores) -> Iterator[str]:
    """Yield the table of systems by granularity; its script sorts it by the buttons of its head.

    Every row stands by itself, so that it can stand anywhere.
    """
    yield from _sheet("Systems by granularity", _system_rows(scores), "sortable")


def _system_rows(scores: Scores) -> Iterator[str]:
    several, tested = len(scores.averages) > 1, any(not isnan(r.difference) for r in scores.rows)
    heads = ["granularity", "system", *(["average"] if several else []), *FIGURES]
    first = escape(cut(visible(scores.systems[0]), _NAME))
    if tested:
        heads.append(f"F1 against <bdi>{first}</bdi>")
    yield "<thead><tr>"
    names = len(heads) - len(FIGURES) - tested
    for k, head in enumerate(heads):
        kind = ' class="n"' if k >= names else ""
        yield f'<th scope="col"{kind}>{head}</th>'
    yield "</tr></thead><tbody>"
    best: dict[tuple[str, str, int], float] = {}
    for row in scores.rows:
        for k, figure in enumerate(row.figures):
            if not isnan(figure.value):
                key = row.measure, row.average, k
                best[key] = max(best.get(key, figure.value), figure.value)
    many = len(scores.systems) > 1
    for place, row in enumerate(scores.rows):
        yield f'<tr{_border(scores, place)}><td data-value="{place}">{escape(row.measure)}</td>'
        yield f'<th scope="row" data-value="{row.system}">{system(scores, row.system)}</th>'
        if several:
            yield f"<td>{row.average}</td>"
        for k, figure in enumerate(row.figures):
            first_of_all = many and figure.value == best.get((row.measure, row.average, k))
            yield _cell(figure, row.undefined, best=first_of_all)
        if tested:
            yield _difference(row)
        yield "</tr>"
    yield "</tbody>"


def _border(scores: Scores, place: int) -> str:
    new = place and scores.rows[place - 1].measure != scores.rows[place].measure
    return ' class="new"' if new else ""


def _cell(figure: Figure, undefined: str, *, best: bool) -> str:
    if isnan(figure.value):
        return f'<td class="n" data-value="-1" title="{escape(undefined)}">undefined</td>'
    shown = f"<b>{number(figure.value)}</b>" if best else number(figure.value)
    interval = (
        "" if isnan(figure.low) else f" <small>{number(figure.low)}–{number(figure.high)}</small>"
    )
    stars = f"<sup>{figure.mark}</sup>" if figure.mark else ""
    return f'<td class="n" data-value="{figure.value!r}">{shown}{stars}{interval}</td>'


def _difference(row: Score) -> str:
    if isnan(row.difference):
        return '<td class="n" data-value="0">–</td>'
    size = number(abs(row.difference))
    sign = "" if not float(size) else "−" if row.difference < 0 else "+"
    chance = row.figures[F1].p
    told = "" if isnan(chance) else f" <small>p {chance:.4f}</small>"
    star = f"<sup>{row.figures[F1].mark}</sup>" if row.figures[F1].mark else ""
    shown = f"{sign}{size}{star}{told}"
    return f'<td class="n" data-value="{row.difference!r}">{shown}</td>'


def bead_table(scores: Scores, k: int) -> Iterator[str]:
    """Yield what became of the gold bisegments of each type: the darker, the more of its row."""
    beads = scores.beads[k]
    name = escape(visible(scores.systems[k][:200]))
    yield f"<h3>{system(scores, k)}</h3>"
    yield from _sheet(f"Bead types: {name}", _bead_rows(beads), "became")


def _bead_rows(beads: list[BeadType]) -> Iterator[str]:
    total: dict[str, int] = {}
    for bead in beads:
        for outcome, count in bead.became.items():
            total[outcome] = total.get(outcome, 0) + count
    ordered = sorted(total, key=lambda outcome: -total[outcome])
    shown, others = ordered[:_OUTCOMES], ordered[_OUTCOMES:]
    yield '<thead><tr><th scope="col">gold</th><th scope="col">in all</th>'
    yield '<th scope="col">● found</th>'
    yield from (f'<th scope="col">{escape(outcome)}</th>' for outcome in shown)
    if others:
        yield f'<th scope="col">{many(len(others), "other")}</th>'
    yield "</tr></thead><tbody>"
    rows = [(bead.type, bead.expected, bead.found, bead.became) for bead in beads[:_KINDS]]
    if rest := beads[_KINDS:]:
        became: dict[str, int] = {}
        for bead in rest:
            for outcome, count in bead.became.items():
                became[outcome] = became.get(outcome, 0) + count
        name = many(len(rest), "other type")
        rows.append((name, sum(b.expected for b in rest), sum(b.found for b in rest), became))
    for name, expected, found, became in rows:
        yield f'<tr><th scope="row">{escape(name)}</th><td class="n">{expected:,}</td>'
        yield _shaded(found, expected, "right")
        yield from (_shaded(became.get(outcome, 0), expected, "off") for outcome in shown)
        if others:
            yield _shaded(sum(became.get(outcome, 0) for outcome in others), expected, "off")
        yield "</tr>"
    yield "</tbody>"


def _shaded(count: int, expected: int, kind: str) -> str:
    """Return a cell; its ground has one of five depths, none where there is nothing."""
    depth = -(-5 * count // expected) if expected else 0
    return f'<td class="n {kind} h{depth}">{f"{count:,}" if count else "·"}</td>'


def worst_table(scores: Scores, links: Sequence[str]) -> Iterator[str]:
    """Yield for each system its texts of least F1, with links to their pages."""
    measure = headline(scores)
    yield '<div class="side-by-side">'
    for k in range(len(scores.systems)):
        yield f'<div><h3>{system(scores, k)}</h3><ol class="worst">'
        found = worst(scores, k, measure=measure, most=_WORST)
        for text, f1 in found:
            yield f"<li>{linked(scores, text, links)} <span>{number(f1)}</span></li>"
        yield "</ol>" if found else "</ol><p>Every text is as in the gold standard.</p>"
        yield "</div>"
    yield "</div>"


def linked(scores: Scores, text: int, links: Sequence[str]) -> str:
    """Return the name of a text, as a link where it has a page."""
    name = held(scores.texts[text], _LINE) if scores.texts[text] else "(no name)"
    return f'<a href="{escape(links[text])}">{name}</a>' if links and links[text] else name


def text_list(scores: Scores, links: Sequence[str]) -> Iterator[str]:
    """Yield texts with a dot a system, the worst first; the script shows others in their place."""
    measure = headline(scores)
    each = scores.values[measure]
    order = sorted(range(len(scores.texts)), key=lambda t: (_least(each, t), t))
    many = " many" if len(scores.systems) > _NUMBERS else ""
    room = 0 if many else len(scores.systems)  # for numbers: the same in every row and the axis
    yield f'<div class="dots-frame room{room}" tabindex="0" role="region" aria-label="Texts">'
    yield '<div class="dots-axis" aria-hidden="true"><span></span><span class="ticks">'
    yield "".join(f"<i>{tick}</i>" for tick in ("0", "0.25", "0.5", "0.75", "1"))
    yield "</span><span></span></div>"
    yield f'<ol class="dots{many}" id="dots">'
    for text in order[:SHOWN]:
        values = [each[k][text][F1] for k in range(len(scores.systems))]
        yield f'<li><span class="name">{linked(scores, text, links)}</span>{strip(values)}'
        yield f'<span class="told">{_told(scores, values)}</span></li>'
    yield "</ol></div>"
    if (left := len(order) - SHOWN) > 0:
        more = f"{left:,} more texts: a browser with JavaScript shows them, and the table"
        table = remedy("per-text", python="score_table(texts=True)")
        yield f'<p class="quiet rest">{more} of <code>{table}</code>.</p>'


def _least(each: list[list[tuple[float, ...]]], text: int) -> float:
    values = [values[text][F1] for values in each]
    return min((v for v in values if not isnan(v)), default=2)


def strip(values: list[float]) -> str:
    """Return one line of marks from 0 to 1, as wide as there is room."""
    marks = "".join(
        f'<svg class="dot" x="{100 * value:.2f}%" y="50%">{mark(k)}</svg>'
        for k, value in reversed(list(enumerate(values)))
        if not isnan(value)
    )
    return f'<svg class="strip" aria-hidden="true">{marks}</svg>'


def _told(scores: Scores, values: list[float]) -> str:
    """Return the numbers of a line, each with the mark and the name of its system."""
    parts = []
    for k, value in enumerate(values):
        shown = "–" if isnan(value) else number(value, 3)
        name = escape(visible(scores.systems[k][:200]))
        parts.append(f'<span>{icon(k)}<span class="said"><bdi>{name}</bdi></span> {shown}</span>')
    return "".join(parts)
