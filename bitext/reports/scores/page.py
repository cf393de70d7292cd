"""Scores as a page: systems by granularity, drawings of them, bead types, and text by text.

The page is one self-contained file. Without JavaScript it is a static page with the same figures,
and with the worst of many texts. With it, the table of systems can be sorted, and the texts
searched by name, sorted, and shown at any granularity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import many, remedy
from bitext.metrics.evaluation import BeadType
from bitext.reports import pages
from bitext.reports.lettering import cut, visible
from bitext.reports.pages import Section, isolated
from bitext.reports.scores.figures import caption, drawn_rows, pair_table
from bitext.reports.table import Figure, Results, Table, best_places, number

if TYPE_CHECKING:
    from bitext.metrics.evaluation.alignments import Evaluation

# The data of a page of scores: the figures of an evaluation, computed once.

FIGURES = ("precision", "recall", "F1")
F1 = 2  # index of F1 among the figures
_NAME = 20.0  # greatest width of the name of a system, in font sizes
_MAX_LEADERS = 3  # systems named of those that share the lead
_HEADLINE = ("sentence", "character", "alignment")


class Score(NamedTuple):
    """One row of the table of systems."""

    measure: str
    average: str
    system: int  # the index of the system
    figures: tuple[Figure, ...]  # precision, recall, F1, and those of `Options.also`
    # The difference of F1 from the first system; `nan` for the first, and without a test.
    difference: float
    undefined: str  # the reason where a value is `nan`


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of systems on a corpus, for a page."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    averages: tuple[str, ...]
    rows: tuple[Score, ...]  # measure by measure, system by system, average by average
    texts: tuple[str, ...]
    # For each measure and system, precision, recall and F1 of each text.
    values: dict[str, list[list[tuple[float, ...]]]]
    beads: tuple[list[BeadType], ...]  # one list a system; empty without a breakdown
    caption: str  # the caption of the table
    names: tuple[str, ...] = FIGURES  # the names of the figures of a row
    baseline: int = 0  # the place of the system that the others are tested against
    pairs: Table | None = None  # the differences of all pairs of systems, where they are tested

    def of(self, measure: str) -> list[Score]:
        """Return the rows of a measure by the first average, system by system."""
        average = self.averages[0]
        return [row for row in self.rows if row.measure == measure and row.average == average]


def scores_of(evaluation: Evaluation, *, averages: Sequence[str] = ("micro",)) -> Scores:
    """Compute the data of a page of an evaluation."""
    place = {system: k for k, system in enumerate(evaluation.systems)}
    rows = [
        Score(
            row.measure,
            row.average,
            place[row.system],
            figures,
            test.values[F1] if test else nan,
            row.undefined,
        )
        for row, figures, test in drawn_rows(evaluation, averages, texts=False)
    ]
    values: dict[str, list[list[tuple[float, ...]]]] = {
        measure: [[] for _ in place] for measure in evaluation.measures
    }
    for row in evaluation.rows(averages=()):
        values[row.measure][place[row.system]].append(row.values)
    return Scores(
        tuple(evaluation.systems),
        tuple(evaluation.measures),
        tuple(averages),
        tuple(rows),
        tuple(evaluation.texts),
        values,
        tuple(_expected_types(evaluation, k) for k in range(len(place)))
        if evaluation.detailed
        else (),
        caption(evaluation, averages),
        evaluation.figures,
        place[evaluation.baseline],
        pair_table(evaluation, averages) if evaluation.options.pairs else None,
    )


def drawn_results(results: Results, systems: Sequence[str], caption: str = "") -> Scores:
    """Return results for bars, with each group as a measure; a row has one figure."""
    rows = tuple(
        Score(
            results.label(row),
            row.average,
            systems.index(row.system),
            row.figures,
            nan if row.record["difference"] is None else row.record["difference"],
            row.record.get("undefined") or "",
        )
        for row in results.rows
    )
    measures = tuple(dict.fromkeys(row.measure for row in rows))
    averages = tuple(dict.fromkeys(row.average for row in rows))
    return Scores(tuple(systems), measures, averages, rows, (), {}, (), caption)


def _expected_types(evaluation: Evaluation, system: int) -> list[BeadType]:
    return [bead for bead in evaluation.bead_types(system) if bead.expected]


def headline(scores: Scores) -> str:
    """Return the measure by which texts are ranked at first."""
    return next((m for m in _HEADLINE if m in scores.measures), scores.measures[0])


def leaders(scores: Scores) -> str:
    """Return a sentence that names the system with the highest F1.

    Systems with the same highest F1 share the lead. Names are made harmless, and truncated.
    """
    count = len(scores.measures)
    times_of_names: Counter[tuple[str, ...]] = Counter()
    for measure in scores.measures:
        rows = scores.of(measure)
        best = max(
            (r.figures[F1].value for r in rows if not isnan(r.figures[F1].value)), default=nan
        )
        names = tuple(scores.systems[r.system] for r in rows if r.figures[F1].value == best)
        if names:
            times_of_names[names] += 1
    parts = []
    for names, times in times_of_names.most_common():
        verb = "have" if len(names) > 1 else "has"
        names_shown = [cut(visible(name), _NAME) for name in names[:_MAX_LEADERS]]
        if (other_count := len(names) - len(names_shown)) > 0:
            names_shown.append(many(other_count, "other"))
        place = "every granularity" if times == count > 1 else f"{times} of {count} granularities"
        parts.append(f"{' and '.join(names_shown)} {verb} the highest F1 at {place}")
    if count == 1:
        parts = [text.replace("1 of 1 granularities", scores.measures[0]) for text in parts]
    return "; ".join(parts)


def worst(scores: Scores, system: int, *, measure: str, most: int) -> list[tuple[int, float]]:
    """Return the texts with the least F1 of a system below 1, as (text, F1), ascending."""
    values = [(each[F1], text) for text, each in enumerate(scores.values[measure][system])]
    return [(text, f1) for f1, text in sorted(v for v in values if v[0] < 1)[:most]]


# Drawings of scores: bars with intervals, F1 by granularity, and the marks of systems.
#
# Every system has its own colour and shape, with its name beside it. A drawing has a title and a
# description; its numbers are in the table of the page. Colours are in `scores.css`.

COLOURS = 8
# Each within a square of 10 around the origin.
SHAPES = (
    "M0-4.6a4.6 4.6 0 1 0 .01 0z",
    "M-4.1-4.1h8.2v8.2h-8.2z",
    "M0-5.2 5 4h-10z",
    "M0-5.6 5 0 0 5.6-5 0z",
    "M0 5.2 5-4h-10z",
    "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
    "M-2.6-4.5h5.2l2.6 4.5-2.6 4.5h-5.2l-2.6-4.5z",
    "M0-5.6 1.5-1.7 5.4-1.7 2.4.8 3.4 4.8 0 2.4-3.4 4.8-2.4.8-5.4-1.7-1.5-1.7z",
)

_WIDTH = 400
_TEXT = 11  # font size, as in the style
_ROW, _HEAD, _TOP = 19, 22, 8
_NAMES, _VALUES = 112, 48
_PLOT = _WIDTH - _NAMES - _VALUES
_LEFT, _RIGHT, _FLOOR = 32, 112, 250  # of the marks
_LABEL = 14


def mark(system: int, x: float = 0, y: float = 0) -> str:
    """Return the shape of a system; from the ninth on, shapes and colours repeat, hollow.

    Examples
    --------
    >>> mark(1, 3, 4)
    '<path class="s1" transform="translate(3 4)" d="M-4.1-4.1h8.2v8.2h-8.2z"/>'

    """
    turn, k = divmod(system, COLOURS)
    hollow = " hollow" if turn % 2 else ""
    return f'<path class="s{k}{hollow}" transform="translate({x:g} {y:g})" d="{SHAPES[k]}"/>'


def _named(scores: Scores, system: int, room: float) -> str:
    return escape(cut(visible(scores.systems[system]), room / _TEXT))


def _opening(name: str, title: str, description: str, height: float) -> Iterator[str]:
    yield (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-told">'
    )
    yield f'<title id="{name}-title">{escape(title)}</title>'
    yield f'<desc id="{name}-told">{escape(description)}</desc>'


def bars(scores: Scores, figure: int, *, name: str = "") -> str:
    """Return bars of one figure with their intervals: granularity by granularity, from 0 to 1.

    `name` is the name of a figure other than precision, recall and F1.
    """
    name = name or FIGURES[figure]
    count = len(scores.measures)
    height = _TOP + count * (_HEAD + _ROW * len(scores.systems)) + 22
    description = f"Bars from 0 to 1, one a system, under {', '.join(scores.measures)}."
    out = list(_opening(f"bars-{name}", f"{name} of the systems", description, height))
    foot = height - 18
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x = _NAMES + _PLOT * tick
        out.append(f'<path class="grid" d="M{x:g} {_TOP}V{foot:g}"/>')
        out.append(f'<text class="tick" x="{x:g}" y="{foot + 13:g}">{tick:g}</text>')
    y: float = _TOP
    for measure in scores.measures:
        y += _HEAD
        out.append(f'<text class="head" x="0" y="{y - 6:g}">{escape(measure)}</text>')
        for row in scores.of(measure):
            out += _bar(scores, row, figure, y)
            y += _ROW
    return "".join([*out, "</svg>"])


def _bar(scores: Scores, row: Score, figure: int, y: float) -> Iterator[str]:
    value, low, high, *_ = row.figures[figure]
    middle = y + _ROW / 2
    name = _named(scores, row.system, _NAMES - 24)
    yield mark(row.system, 8, middle)
    yield f'<text x="18" y="{middle + 4:g}">{name}</text>'
    if isnan(value):
        yield f'<text class="value" x="{_NAMES + 4}" y="{middle + 4:g}">undefined</text>'
        return
    bar_width = max(_PLOT * value, 1)
    box = f'x="{_NAMES}" y="{y + 3:g}" width="{bar_width:.1f}" height="{_ROW - 6}"'
    yield f'<rect class="bar s{row.system % COLOURS}" {box}/>'
    if not isnan(low):
        yield _whisker(_NAMES + _PLOT * low, _NAMES + _PLOT * high, middle)
    value_text = f"{number(value, 3)}{row.figures[figure].mark}"
    yield f'<text class="value" x="{_NAMES + _PLOT + 6}" y="{middle + 4:g}">{value_text}</text>'


def _whisker(low: float, high: float, y: float) -> str:
    path = f"M{low:.1f} {y - 4:g}v8m0-4H{high:.1f}m0-4v8"
    return f'<path class="halo" d="{path}"/><path class="whisker" d="{path}"/>'


def dots(scores: Scores) -> str:
    """Return F1 by granularity: for each a column of marks, one a system, with their intervals."""
    axes = _Axes.of(scores)
    count = len(scores.systems)
    description = (
        f"A mark for each system in each of the columns {', '.join(scores.measures)}; the axis "
        f"goes from {axes.least:g} to 1."
    )
    height = max(_FLOOR + 36, _TOP + _LABEL * count + 8)
    out = [*_opening("dots-f1", "F1 by granularity", description, height), *_grid(scores, axes)]
    for k, measure in enumerate(scores.measures):
        for row in scores.of(measure):
            cell = row.figures[F1]
            if isnan(cell.value):
                continue
            # The marks of systems stand beside each other.
            shift = (row.system - (count - 1) / 2) * min(11, 0.8 * axes.step / count)
            x = round(axes.x(k) + shift, 1)
            if not isnan(cell.low):
                whisker = f"M{x - 3:g} {axes.y(cell.low):.1f}h6m-3 0V{axes.y(cell.high):.1f}m-3 0h6"
                out.append(f'<path class="reach s{row.system % COLOURS}" d="{whisker}"/>')
            out.append(mark(row.system, x, round(axes.y(cell.value), 1)))
    x = _WIDTH - _RIGHT + 12
    for system in range(count):
        y = _TOP + 6 + _LABEL * system
        name = _named(scores, system, _WIDTH - x - 14)
        out += [mark(system, x + 5, y), f'<text x="{x + 13:g}" y="{y + 4:g}">{name}</text>']
    return "".join([*out, "</svg>"])


class _Axes(NamedTuple):
    """The coordinates of granularities and values in the drawing of marks."""

    least: float
    step: float  # width of the column of a granularity

    @classmethod
    def of(cls, scores: Scores) -> _Axes:
        cells = [row.figures[F1] for measure in scores.measures for row in scores.of(measure)]
        ends = [end for cell in cells for end in cell[:3] if not isnan(end)]
        lowest = min(floor(min(ends, default=0) * 10) / 10, 0.9)
        return cls(lowest, (_WIDTH - _RIGHT - _LEFT) / max(len(scores.measures), 1))

    def x(self, k: int) -> float:
        return _LEFT + (k + 0.5) * self.step

    def y(self, value: float) -> float:
        return _TOP + (_FLOOR - _TOP) * (1 - value) / (1 - self.least)


def _grid(scores: Scores, axes: _Axes) -> Iterator[str]:
    for k in range(0, len(scores.measures), 2):
        left = _LEFT + k * axes.step
        box = f'x="{left:.1f}" y="{_TOP}" width="{axes.step:.1f}" height="{_FLOOR - _TOP}"'
        yield f'<rect class="column" {box}/>'
    for tick in range(10, round(axes.least * 10) - 1, -2 if axes.least < 0.4 else -1):
        y = axes.y(tick / 10)
        yield f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>'
        yield f'<text class="side" x="{_LEFT - 5}" y="{y + 4:.1f}">{tick / 10:g}</text>'
    for k, measure in enumerate(scores.measures):
        # Every second name stands lower, so that neighbours do not touch.
        y = _FLOOR + 16 + 14 * (k % 2)
        yield f'<text class="tick" x="{axes.x(k):.1f}" y="{y:g}">{escape(measure)}</text>'


# The tables of a page of scores: systems by granularity, bead types, texts one by one.

_OUTCOMES = 10  # columns of a table of bead types
_KINDS = 12  # rows of this table
_WORST = 10
_LINE = 80  # characters of the name of a text

_NUMBERS = 6  # systems whose numbers fit beside a line
SHOWN = 100  # texts on a page without its script


def system(scores: Scores, k: int) -> str:
    """Return the mark and the name of a system as HTML."""
    name = escape(cut(visible(scores.systems[k]), _NAME))
    return f'{icon(k)}<bdi class="system">{name}</bdi>'


def icon(k: int) -> str:
    """Return the mark of a system as a small decorative drawing."""
    return f'<svg class="icon" viewBox="-7 -7 14 14" aria-hidden="true">{mark(k)}</svg>'


def system_table(scores: Scores) -> Iterator[str]:
    """Yield the table of systems by granularity, with buttons in its head for the script to sort.

    Every row has all its cells, so that the script can move it.
    """
    rows = _system_rows(scores)
    yield from pages.sheet("Systems by granularity", rows, kind="scores sortable two")


def _system_rows(scores: Scores) -> Iterator[str]:
    has_averages = len(scores.averages) > 1
    tested = any(not isnan(row.difference) for row in scores.rows)
    heads = ["granularity", "system", *(["average"] if has_averages else []), *scores.names]
    first = escape(cut(visible(scores.systems[scores.baseline]), _NAME))
    if tested:
        heads.append(f"F1 against <bdi>{first}</bdi>")
    yield "<thead><tr>"
    names = len(heads) - len(scores.names) - tested
    for k, head in enumerate(heads):
        kind = ' class="n"' if k >= names else ""
        yield f'<th scope="col"{kind}>{head}</th>'
    yield "</tr></thead><tbody>"
    best = best_places(((row.measure, row.average), row.figures) for row in scores.rows)
    for place, row in enumerate(scores.rows):
        yield f'<tr{_border(scores, place)}><td data-value="{place}">{escape(row.measure)}</td>'
        yield f'<th scope="row" data-value="{row.system}">{system(scores, row.system)}</th>'
        if has_averages:
            yield f"<td>{row.average}</td>"
        for k, figure in enumerate(row.figures):
            yield figure_cell(figure, row.undefined, best=(place, k) in best)
        if tested:
            yield _difference(row)
        yield "</tr>"
    yield "</tbody>"


def _border(scores: Scores, place: int) -> str:
    new = place and scores.rows[place - 1].measure != scores.rows[place].measure
    return ' class="new"' if new else ""


def figure_cell(figure: Figure, undefined: str, *, best: bool, between: str = " ") -> str:
    """Return a cell with a figure, bold if it is the best, and its interval after `between`."""
    if isnan(figure.value):
        return f'<td class="n" data-value="-1" title="{escape(undefined)}">undefined</td>'
    value_text = f"<b>{number(figure.value)}</b>" if best else number(figure.value)
    ends = f"<small>{number(figure.low)}–{number(figure.high)}</small>"
    interval = "" if isnan(figure.low) else between + ends
    stars = f"<sup>{figure.mark}</sup>" if figure.mark else ""
    return f'<td class="n" data-value="{figure.value!r}">{value_text}{stars}{interval}</td>'


def _difference(row: Score) -> str:
    if isnan(row.difference):
        return '<td class="n" data-value="0">–</td>'
    size = number(abs(row.difference))
    sign = "" if not float(size) else "−" if row.difference < 0 else "+"
    chance = row.figures[F1].p
    p_text = "" if isnan(chance) else f" <small>p {chance:.4f}</small>"
    star = f"<sup>{row.figures[F1].mark}</sup>" if row.figures[F1].mark else ""
    shown = f"{sign}{size}{star}{p_text}"
    return f'<td class="n" data-value="{row.difference!r}">{shown}</td>'


def bead_table(scores: Scores, k: int) -> Iterator[str]:
    """Yield the table of outcomes of gold bisegments by type; darker cells are a larger share."""
    beads = scores.beads[k]
    name = visible(scores.systems[k][:200])
    yield f"<h3>{system(scores, k)}</h3>"
    yield from pages.sheet(f"Bead types: {name}", _bead_rows(beads), kind="scores became")


def _bead_rows(beads: list[BeadType]) -> Iterator[str]:
    ordered = [outcome for outcome, _ in _outcomes(beads).most_common()]
    shown_outcomes, other_outcomes = ordered[:_OUTCOMES], ordered[_OUTCOMES:]
    yield '<thead><tr><th scope="col">gold</th><th scope="col">in all</th>'
    yield '<th scope="col">● found</th>'
    yield from (f'<th scope="col">{escape(outcome)}</th>' for outcome in shown_outcomes)
    if other_outcomes:
        yield f'<th scope="col">{many(len(other_outcomes), "other")}</th>'
    yield "</tr></thead><tbody>"
    rows = [(bead.type, bead.expected, bead.found, bead.became) for bead in beads[:_KINDS]]
    if rest := beads[_KINDS:]:
        expected, found = sum(bead.expected for bead in rest), sum(bead.found for bead in rest)
        rows.append((many(len(rest), "other type"), expected, found, _outcomes(rest)))
    for name, expected, found, became in rows:
        yield f'<tr><th scope="row">{escape(name)}</th><td class="n">{expected:,}</td>'
        yield _shaded(found, expected, "right")
        for outcome in shown_outcomes:
            yield _shaded(became.get(outcome, 0), expected, "off")
        if other_outcomes:
            others = sum(became.get(outcome, 0) for outcome in other_outcomes)
            yield _shaded(others, expected, "off")
        yield "</tr>"
    yield "</tbody>"


def _outcomes(beads: list[BeadType]) -> Counter[str]:
    """Return the outcomes of missed bisegments of all types, with their numbers."""
    outcomes: Counter[str] = Counter()
    for bead in beads:
        outcomes.update(bead.became)
    return outcomes


def _shaded(count: int, expected: int, kind: str) -> str:
    """Return a cell with one of five shades, or none for 0."""
    depth = -(-5 * count // expected) if expected else 0
    return f'<td class="n {kind} h{depth}">{f"{count:,}" if count else "·"}</td>'


def worst_table(scores: Scores, links: Sequence[str]) -> Iterator[str]:
    """Yield the texts with the least F1 of each system, with links to their pages."""
    measure = headline(scores)
    yield '<div class="side-by-side">'
    for k in range(len(scores.systems)):
        yield f'<div><h3>{system(scores, k)}</h3><ol class="worst">'
        worst_texts = worst(scores, k, measure=measure, most=_WORST)
        for text, f1 in worst_texts:
            yield f"<li>{linked(scores, text, links)} <span>{number(f1)}</span></li>"
        yield "</ol>" if worst_texts else "</ol><p>No text has an F1 below 1.</p>"
        yield "</div>"
    yield "</div>"


def linked(scores: Scores, text: int, links: Sequence[str]) -> str:
    """Return the name of a text, as a link where it has a page."""
    name = isolated(scores.texts[text], _LINE) if scores.texts[text] else "(no name)"
    return f'<a href="{escape(links[text])}">{name}</a>' if links and links[text] else name


def text_list(scores: Scores, links: Sequence[str]) -> Iterator[str]:
    """Yield the worst texts with a dot a system; the script can show others."""
    measure = headline(scores)
    each = scores.values[measure]
    order = sorted(range(len(scores.texts)), key=lambda t: (_least(each, t), t))
    many_class = " many" if len(scores.systems) > _NUMBERS else ""
    # Room for numbers is the same in every row and in the axis.
    room = 0 if many_class else len(scores.systems)
    yield f'<div class="dots-frame room{room}" tabindex="0" role="region" aria-label="Texts">'
    yield '<div class="dots-axis" aria-hidden="true"><span></span><span class="ticks">'
    yield "".join(f"<i>{tick}</i>" for tick in ("0", "0.25", "0.5", "0.75", "1"))
    yield "</span><span></span></div>"
    yield f'<ol class="dots{many_class}" id="dots">'
    for text in order[:SHOWN]:
        values = [each[k][text][F1] for k in range(len(scores.systems))]
        yield f'<li><span class="name">{linked(scores, text, links)}</span>{strip(values)}'
        yield f'<span class="told">{_numbers_of(scores, values)}</span></li>'
    yield "</ol></div>"
    if (unlisted := len(order) - SHOWN) > 0:
        note = f"{unlisted:,} more texts: a browser with JavaScript shows them, and the table"
        table = remedy("per-text", python="score_table(texts=True)")
        yield f'<p class="quiet rest">{note} of <code>{table}</code>.</p>'


def _least(each: list[list[tuple[float, ...]]], text: int) -> float:
    values = [values[text][F1] for values in each]
    return min((v for v in values if not isnan(v)), default=2)


def strip(values: list[float]) -> str:
    """Return one line of marks from 0 to 1, as wide as the page allows."""
    marks = "".join(
        f'<svg class="dot" x="{100 * value:.2f}%" y="50%">{mark(k)}</svg>'
        for k, value in reversed(list(enumerate(values)))
        if not isnan(value)
    )
    return f'<svg class="strip" aria-hidden="true">{marks}</svg>'


def _numbers_of(scores: Scores, values: list[float]) -> str:
    """Return the numbers of a line, each with mark and name of its system."""
    parts = []
    for k, value in enumerate(values):
        shown = "–" if isnan(value) else number(value, 3)
        name = escape(visible(scores.systems[k][:200]))
        parts.append(f'<span>{icon(k)}<span class="said"><bdi>{name}</bdi></span> {shown}</span>')
    return "".join(parts)


def scores_page(
    evaluation: Evaluation,
    *,
    averages: Sequence[str] = ("micro",),
    links: Sequence[str] = (),
    notes: Iterable[str] = (),
) -> str:
    """Return the page of an evaluation, with its texts, as HTML: the same for the same input.

    If the evaluation is `detailed`, the page has the bead types. Drawings show the first of
    `averages`. `links` has the address of the page of each text, relative to this page, empty
    without a page; `notes`, as on texts left out, stand at the end.

    Examples
    --------
    >>> from bitext import Alignment, Bitext
    >>> from bitext.metrics.evaluation.alignments import Evaluation
    >>> gold = Bitext(None, None, Alignment([((0,), (0,)), ((1,), (1,))]), name="a <b>")
    >>> evaluation = Evaluation(["<i>"], detailed=True)
    >>> _ = evaluation.add(gold, [gold])
    >>> html = scores_page(evaluation)
    >>> html.count("<h2"), "<i>" in html.split("</svg>")[0], "&lt;i&gt;" in html
    (5, False, True)

    """
    scores = scores_of(evaluation, averages=averages)
    return pages.page(
        "Alignments against the gold standard",
        summary(scores),
        score_sections(scores, links=links, notes=notes),
        style=score_style(),
        script=pages.asset("scores/scores.js"),
        data=_data(scores, links) if len(scores.texts) > 1 else None,
    )


def summary(scores: Scores) -> str:
    """Return the line under the heading as HTML: the size of the corpus, and the leader."""
    texts = "one text" if len(scores.texts) == 1 else f"{len(scores.texts):,} texts"
    if len(scores.systems) < 2:
        return f"{texts}, one system."
    return f"{texts}, {len(scores.systems)} systems. {escape(leaders(scores))}."


def score_style() -> str:
    """Return the style of the sections."""
    return pages.asset("scores/scores.css")


def score_sections(
    scores: Scores, *, links: Sequence[str] = (), notes: Iterable[str] = ()
) -> list[Section]:
    """Return the sections of a page of scores, for this page or a larger one."""
    sections = [Section("scores", "Scores", _table(scores))]
    if len(scores.measures) > 1:
        figure = f"<figure>{dots(scores)}</figure>"
        sections.append(Section("granularities", "F1 by granularity", [figure]))
    sections += pages.pairs_section(scores.pairs)
    sections.append(Section("bars", "Precision, recall and F1", _bars(scores)))
    if len(scores.texts) > 1:
        by = f'<p class="quiet">By F1 at {headline(scores)} granularity, the worst first.</p>'
        sections.append(Section("worst", "Worst texts", [by, *worst_table(scores, links)]))
        sections.append(Section("texts", "Text by text", _texts(scores, links)))
    if scores.beads:
        sections.append(Section("types", "Bead types", _beads(scores)))
    sections.append(pages.made_section(scores.caption, notes))
    return sections


def _table(scores: Scores) -> Iterator[str]:
    best = "best" if len(scores.names) > len(FIGURES) else "highest"
    note = f"The {best} figure of a granularity is bold. " if len(scores.systems) > 1 else ""
    if any(not isnan(f.low) for row in scores.rows for f in row.figures):
        note += "After a figure stands its interval. "
    if any(not isnan(row.difference) for row in scores.rows):
        first = isolated(cut(visible(scores.systems[scores.baseline]), _NAME))
        note += f"*&nbsp;p&nbsp;&lt;&nbsp;0.05, **&nbsp;p&nbsp;&lt;&nbsp;0.01 against {first}. "
    yield f'<p class="quiet">{note}</p>' if note else ""
    yield from system_table(scores)


def _bars(scores: Scores) -> Iterator[str]:
    yield '<div class="charts">'
    for k in (F1, 0, 1):
        yield f"<figure><figcaption>{FIGURES[k]}</figcaption>{bars(scores, k)}</figure>"
    yield "</div>"


def _texts(scores: Scores, links: Sequence[str]) -> Iterator[str]:
    chosen = headline(scores)
    yield '<p class="key">'
    yield from (f"<span>{system(scores, k)}</span>" for k in range(len(scores.systems)))
    yield '</p><div class="tools" role="group" aria-label="Texts">'
    yield '<label>Granularity <select id="measure">'
    for measure in scores.measures:
        selected = " selected" if measure == chosen else ""
        yield f"<option{selected}>{escape(measure)}</option>"
    yield '</select></label><label>Order <select id="order">'
    yield '<option value="worst">worst first</option><option value="apart">systems furthest apart'
    yield '</option><option value="given">as given</option></select></label>'
    yield '<label>Find <input id="find" type="search" placeholder="a name" autocomplete="off">'
    yield '</label><span class="quiet" id="found"></span></div>'
    yield from text_list(scores, links)


def _beads(scores: Scores) -> Iterator[str]:
    yield '<p class="quiet">How many gold bisegments of each type were found exactly so, and what '
    yield "those became that were missed: the proposed bisegments that share a segment with them. "
    yield "The darker a cell, the larger its share of the row: green for those found, brown for "
    yield "those missed. Of missed ones there is none where a cell has a dot.</p>"
    yield '<div class="side-by-side wide">'
    for k in range(len(scores.systems)):
        yield f"<div>{''.join(bead_table(scores, k))}</div>"
    yield "</div>"


def _data(scores: Scores, links: Sequence[str]) -> dict[str, Any]:
    """Return the data of texts for the script: F1 with four digits, `null` where undefined."""
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
