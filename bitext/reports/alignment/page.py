"""Alignments as a page: two texts in columns, and ribbons between them.

Gold standard and hypothesis are laid over each other, and each bisegment has the colour, the shape
and the symbol of its kind (`bitext.reports.alignment` defines them):

    ● agreed         filled
    ○ missed         dashed, empty
    ✕ wrong          hatched
    ◐ partly right   cross-hatched
    ◑ partly found   of the gold standard: dotted, empty

Without JavaScript, and on paper, the page lists the differences and the bisegments. With it the
texts stand side by side; only the visible part is drawn, so that long texts scroll smoothly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import islice, zip_longest
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from bitext.errors import many
from bitext.formats.beads import sizes_of
from bitext.kernels.arrays import Rows
from bitext.model import Alignment, Bitext
from bitext.reports import pages
from bitext.reports.alignment import (
    KINDS,
    WORDS,
    Difference,
    Overlaid,
    Shown,
    System,
    harmless,
    kind_name,
    overlaid,
    places,
    sign_of,
    to_data,
)
from bitext.reports.lettering import (
    LEAST_WIDTH,
    cut,
    em_width,
    key_of,
    padded,
    painted,
    shortened,
    wrapped,
)
from bitext.reports.pages import INDEX, MARK, Folder, Section, isolated, way_up
from bitext.reports.pages import figures as figures_table
from bitext.reports.table import Table

# The bisegments of an alignment as lists: the page without a script.

MOST = 500  # rows of a list
_SEGMENTS = 6  # segments of a side
_SIGNS = 300  # characters of a side
_NAME = 40


def difference_list(comparison: Overlaid) -> Iterator[str]:
    """Yield the worst 500 differences, divided among the hypotheses, the worst first."""
    unit = "sentences" if comparison.src.texts is None else "characters"
    yield (
        f'<p class="quiet">The worst first: those with the most pairs of {unit} that only one of '
        "the two alignments links.</p>"
    )
    hyps = comparison.systems[1:]
    all_of_them = [comparison.differences(hyp) for hyp in range(1, len(comparison.systems))]
    total = sum(map(len, all_of_them))
    share = MOST // max(sum(map(bool, all_of_them)), 1)
    for number, (system, differences) in enumerate(zip(hyps, all_of_them, strict=True), start=1):
        if len(hyps) > 1:
            yield f'<h3 data-of="{number}">{isolated(system.name, 60)}</h3>'
        if not differences:
            yield f'<p class="quiet" data-of="{number}">No bisegment differs.</p>'
            continue
        if total > MOST and len(differences) > share:
            yield (
                f'<p class="quiet" data-of="{number}">The worst {share} of '
                f"{len(differences):,} differences.</p>"
            )
        yield (
            f'<ol class="beads" data-of="{number}" '
            f'aria-label="Differences of {escape(harmless(system.name, 60))}">'
        )
        weights = comparison.weights(number)
        ranked = sorted(range(len(differences)), key=lambda k: (-weights[k], k))
        for index in ranked[: share if total > MOST else None]:
            item = differences[index]
            mine = comparison.systems[item.system]
            name = escape(comparison.word(item.system, item.bead, item.kind))
            sign = sign_of(item.kind, gold=not item.system)
            yield (
                f'<li data-bead="{item.system} {item.bead}" data-at="{index}"><span class="what">'
                f'<span class="{KINDS[item.kind]}"><span aria-hidden="true">{sign}</span> '
                f"{name}</span> {mine.types[item.bead]}</span>"
                f"{_sides(comparison, mine, item.bead)}</li>"
            )
        yield "</ol>"


def bead_list(comparison: Overlaid) -> Iterator[str]:
    """Yield the first 500 bisegments of the gold standard, or of the only alignment."""
    gold = comparison.systems[0]
    if not len(gold):
        yield f'<p class="quiet">{isolated(gold.name, 60)} has no bisegment.</p>'
        return
    if len(gold) > MOST:
        yield f'<p class="quiet">The first {MOST} of {len(gold):,} bisegments.</p>'
    yield '<ol class="beads" aria-label="Bisegments">'
    order = comparison.order(0).argsort(kind="stable")
    for k in order[:MOST].tolist():
        yield (
            f'<li data-bead="0 {k}"><span class="what">{gold.types[k]}</span>'
            f"{_sides(comparison, gold, k)}</li>"
        )
    yield "</ol>"


def _sides(comparison: Overlaid, system: System, k: int) -> str:
    return _side(comparison.src, system.src, k) + _side(comparison.tgt, system.tgt, k)


def _side(side: Shown, rows: Rows, k: int) -> str:
    members = rows.row(k).tolist()
    if not members:
        return '<span class="side quiet">nothing</span>'
    # Pieces of one segment have one name.
    ids = list(dict.fromkeys(side.ids[m] for m in members))
    names = " ".join(harmless(name, _NAME) for name in ids[:_SEGMENTS])
    if len(ids) > _SEGMENTS:
        names += f" ... {len(ids) - _SEGMENTS:,} more"
    text = ""
    if side.texts is not None:
        parts = [side.texts[m][: _SIGNS + 1] for m in members[:_SEGMENTS]]
        text = isolated(" ".join(parts + ["…"] * (len(members) > _SEGMENTS)), _SIGNS)
    return f'<span class="side"><span class="ids">{isolated(names)}</span> {text}</span>'


# The beginning of an alignment as a picture: two columns of segments, a line each, and ribbons.
#
# Classes: `pairs` (all), `seg` (a segment), `ribbon` and `sign`, both with `agreed`, `partly`,
# `missed` or `wrong` (`plain` where nothing is compared), and with `gold` or `own`.

ROWS = 30  # rows of a drawing
_ROW = 26.0  # height of a row
_SEG = 22.0
_COLUMN = 390.0
_GUTTER = 150.0
_WIDTH = 2 * _COLUMN + _GUTTER
_FONT = 12.5
_HUB = 5.0  # half the height at which the arms of a discontinuous bisegment meet
_TOOLTIP = 300  # characters of a tooltip
_LANES = {"a": 0.5, "g": 0.3, "h": 0.7}


class _Picture(NamedTuple):
    found: Overlaid
    at: tuple[list[float], list[float]]  # the row of each segment
    rows: int


def draw(comparison: Overlaid, *, hyp: int = 0, rows: int = ROWS) -> str:
    """Return the first rows of an alignment, at most `rows`, as an SVG document with its style.

    `hyp` is the hypothesis over the gold standard, counted from 1; 0 for none.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> from bitext.reports.alignment import overlaid
    >>> gold = Bitext(Text(["a", "b"]), Text(["c"]), Alignment([((0, 1), (0,))]))
    >>> svg = draw(overlaid(gold, {"ours": Alignment([((0,), (0,))])}), hyp=1)
    >>> svg.count('class="seg'), svg.count('class="ribbon partly')
    (3, 2)

    """
    src, tgt = places(comparison.levels, comparison.src.size, comparison.tgt.size)
    used = int(max(src.max(initial=-1), tgt.max(initial=-1))) + 1
    picture = _Picture(comparison, (src.tolist(), tgt.tolist()), min(rows, used))
    height = picture.rows * _ROW + 8
    note = f"The first {picture.rows} of {used:,} rows" if used > picture.rows else "All rows"
    name = f"{note} of an alignment, ribbons between the sentences of two texts"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pairs" viewBox="0 0 {_WIDTH:g} '
        f'{height:g}" width="{_WIDTH:g}" height="{height:g}" role="img" aria-label="{name}">'
    )
    return "\n".join(
        [
            head,
            f"<title>{name}</title>",
            f"<style>{pages.asset('alignment/alignment_svg.css')}</style>",
            _hatchings(),
            f'<rect class="ground" width="{_WIDTH:g}" height="{height:g}"/>',
            *_ribbons(picture, hyp),
            *_segments(picture, comparison.src, 0),
            *_segments(picture, comparison.tgt, 1),
            "</svg>",
            "",
        ]
    )


def _hatchings() -> str:
    parts = "".join(
        f'<pattern id="bitext-{kind}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><path class="hatch {kind}" d="{lines}"/></pattern>'
        for kind, lines in (("wrong", "M0 0V6"), ("partly", "M0 0V6M0 0H6"))
    )
    return f"<defs>{parts}</defs>"


def _top(row: float) -> float:
    return 4 + row * _ROW


def _segments(picture: _Picture, side: Shown, k: int) -> Iterator[str]:
    x = k * (_COLUMN + _GUTTER)
    for m, row in enumerate(picture.at[k]):
        if row >= picture.rows:
            return
        name = cut(harmless(side.ids[m], 60), 8)
        room = _COLUMN / _FONT - em_width(name) - 2.2
        text = "" if side.texts is None else harmless(side.texts[m], _TOOLTIP)
        y = _top(row)
        yield (
            f"<g><title>{escape(text or name)}</title>"
            f'<rect class="seg" x="{x:g}" y="{y:g}" width="{_COLUMN:g}" height="{_SEG:g}"/>'
            f'<text x="{x + 6:g}" y="{y + _SEG / 2:g}"><tspan class="id">{escape(name)}</tspan> '
            f"{escape(cut(text, room))}</text></g>"
        )


def _ribbons(picture: _Picture, hyp: int) -> Iterator[str]:
    """Yield the ribbons, and the symbols above them."""
    comparison = picture.found
    chosen = [(0, comparison.kinds[hyp - 1][0] if hyp else "")]
    chosen += [(hyp, comparison.kinds[hyp - 1][1])] if hyp else []
    sign_marks: list[str] = []
    for number, letters in chosen:
        system, positions = comparison.systems[number], comparison.order(number)
        for k in np.flatnonzero(positions < picture.rows).tolist():
            kind = letters[k] if letters else ""
            if number and kind == "a":
                continue
            lane_share = _LANES["a" if kind in {"", "a"} else "h" if number else "g"]
            outline, (x, y) = _outline(picture, system, k, lane_share)
            css = f"{KINDS.get(kind, 'plain')} {'own' if number or not kind else 'gold'}"
            name = f"{kind_name(kind, gold=not number)} " if kind else ""
            yield (
                f'<path class="ribbon {css}" d="{outline}"><title>{name}{system.types[k]}</title>'
                "</path>"
            )
            if kind:
                sign = sign_of(kind, gold=not number)
                sign_marks.append(
                    f'<circle class="under" cx="{x:.1f}" cy="{y:.1f}" r="8"/>'
                    f'<text class="sign {css}" x="{x:.1f}" y="{y:.1f}">{sign}</text>'
                )
    yield from sign_marks


def _outline(
    picture: _Picture, system: System, k: int, lane: float
) -> tuple[str, tuple[float, float]]:
    """Return the outline of a bisegment as a path, and the position of its symbol."""
    runs = [
        _spans(rows, k, at) for rows, at in zip((system.src, system.tgt), picture.at, strict=True)
    ]
    middles = [sum(a + b for a, b in side) / 2 / len(side) if side else None for side in runs]
    left, right = middles
    if len(runs[0]) == 1 and len(runs[1]) == 1 and left is not None and right is not None:
        y = left + (right - left) * lane * lane * (3 - 2 * lane)
        path = _ribbon(_COLUMN, runs[0][0], _COLUMN + _GUTTER, runs[1][0])
        return path, (_COLUMN + lane * _GUTTER, y)
    if left is None or right is None:
        y = (left if right is None else right) or 0.0
        lane = 0.3 if right is None else 0.7
    else:
        y = (left + right) / 2
    x = _COLUMN + lane * _GUTTER
    hub = (y - _HUB, y + _HUB)
    arms = [_ribbon(_COLUMN, run, x, hub) for run in runs[0]]
    arms += [_ribbon(_COLUMN + _GUTTER, run, x, hub) for run in runs[1]]
    return "".join(arms), (x, y)


def _spans(rows: Rows, k: int, at: list[float]) -> list[tuple[float, float]]:
    """Return the upper and lower end of each run of consecutive segments."""
    spans: list[tuple[float, float]] = []
    last = -2
    for m in rows.row(k).tolist():
        begin, end = _top(at[m]) + 1, _top(at[m]) + _SEG - 1
        if m == last + 1:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
        last = m
    return spans


def _ribbon(x0: float, near: tuple[float, float], x1: float, far: tuple[float, float]) -> str:
    third = (x1 - x0) / 3
    p, q = x0 + third, x1 - third
    (a, b), (c, d) = near, far
    return (
        f"M{x0:g} {a:g}C{p:g} {a:g} {q:g} {c:g} {x1:g} {c:g}"
        f"V{d:g}C{q:g} {d:g} {p:g} {b:g} {x0:g} {b:g}Z"
    )


# Alignments on a terminal: bisegments side by side, with the differences of a hypothesis.
#
# A symbol, and optionally a colour, shows the kind of each bisegment:
#
#     ● agreed   ○ missed   ✕ wrong   ◐ partly right   ◑ of the gold standard, partly found
#
# `bitext.reports.alignment` defines the kinds.

_MOST_IDS = 6  # identifiers of a bisegment
_MOST_LINES = 6  # lines of a segment
_NAMED = 12  # columns of an identifier


def key_line(*, colour: bool = False) -> str:
    """Return the key of the symbols as one line."""
    symbols = [
        ("● agreed", "agreed"),
        ("○ missed", "missed"),
        ("✕ wrong", "wrong"),
        ("◐ partly right", "partly"),
        ("◑ partly found", "partly"),
    ]
    return key_of(symbols, colour=colour)


def bead_lines(
    bitext: Bitext, hyp: Alignment | Bitext | None = None, *, width: int = 100, colour: bool = False
) -> Iterator[str]:
    """Yield the bisegments in order, source and target side by side, wrapped.

    With `hyp`, the alignment to compare to that of `bitext`, each bisegment has a symbol, and
    bisegments of only one alignment stand one after the other at their place. Without it, `colour`
    marks the bisegments other than 1-1. `width` is in columns, at least 40.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> src, tgt = Text(["Rain fell.", "We waited."]), Text(["Il pleuvait.", "On attendait."])
    >>> gold = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), (1,))]))
    >>> for line in bead_lines(gold, Alignment([((0,), (0,)), ((1,), ())]), width=48):
    ...     print(line)
    ● 1-1 │ 0 Rain fell.      │ 0 Il pleuvait.
    ○ 1-1 │ 1 We waited.      │ 1 On attendait.
    ✕ 1-0 │ 1 We waited.      │

    """
    comparison = overlaid(bitext, {} if hyp is None else {"hypothesis": hyp})
    differences = _in_order(comparison)
    kinds = max((len(comparison.systems[d.system].types[d.bead]) for d in differences), default=3)
    head = kinds + (2 if hyp is not None else 0)
    half = max((max(width, LEAST_WIDTH) - head - 6) // 2, 8)
    sides = (comparison.src, comparison.tgt)
    names = [_names(side, half) for side in sides]
    for bead in differences:
        system = comparison.systems[bead.system]
        sign = f"{sign_of(bead.kind, gold=not bead.system)} " if hyp is not None else ""
        label = padded(sign + system.types[bead.bead], head)
        columns = [
            _cell(side, rows, bead.bead, half, name)
            for side, rows, name in zip(sides, (system.src, system.tgt), names, strict=True)
        ]
        for k, (left, right) in enumerate(zip_longest(*columns, fillvalue="")):
            first = label if k == 0 else " " * head
            if hyp is not None:
                first = painted(first, KINDS[bead.kind], colour=colour)
            elif system.types[bead.bead] != "1-1":
                first = painted(first, "partly", colour=colour)
            yield f"{first} │ {padded(left, half)} │ {right}".rstrip()


def error_lines(
    gold: Bitext,
    hyp: Alignment | Bitext,
    *,
    name: str = "",
    width: int = 100,
    colour: bool = False,
    most: int | None = None,
    min_matched: float = 0.9,
) -> Iterator[str]:
    """Yield the differences, each with its ids, kind and bead type, and both sides shortened.

    `name`, of a text or of system and text, begins each difference. Of more than `most` a last line
    has the number of the others. Texts that are segmented differently have at least the share
    `min_matched` of their characters in common.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> src, tgt = Text(["Rain fell.", "We waited."]), Text(["Il pleuvait.", "On attendait."])
    >>> gold = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), (1,))]))
    >>> for line in error_lines(gold, Alignment([((0,), (0,)), ((1,), ())]), name="rain"):
    ...     print(line)
    rain 1 : 1  ○ missed 1-1
      < We waited.
      > On attendait.
    rain 1 : -  ✕ wrong 1-0
      < We waited.

    """
    comparison = overlaid(gold, {"hypothesis": hyp}, min_matched=min_matched)
    differences = comparison.differences(1)
    prefix = shortened(name, 60) + " " if name else ""
    for difference in islice(differences, most):
        system = comparison.systems[difference.system]
        k = difference.bead
        sides = ((comparison.src, system.src), (comparison.tgt, system.tgt))
        ids = " : ".join(_ids(side, rows, k) for side, rows in sides)
        kind = kind_name(difference.kind, gold=not difference.system)
        sign = sign_of(difference.kind, gold=not difference.system)
        label = painted(f"{sign} {kind} {system.types[k]}", KINDS[difference.kind], colour=colour)
        yield f"{prefix}{ids}  {label}"
        for mark, (side, rows) in zip("<>", sides, strict=True):
            members = rows.row(k)[:_MOST_IDS].tolist()
            if side.texts is not None and members:
                text = " ".join(side.texts[m] for m in members)
                yield f"  {mark} {shortened(text, max(width, LEAST_WIDTH) - 4)}"
    if most is not None and len(differences) > most:
        yield f"... and {len(differences) - most:,} more"


def _in_order(comparison: Overlaid) -> list[Difference]:
    """Return all bisegments in the order of the text, common ones once."""
    bead_kinds = comparison.kinds[0] if comparison.kinds else ("a" * len(comparison.systems[0]), "")
    keyed = []
    for system, letters in enumerate(bead_kinds[: len(comparison.systems)]):
        positions = comparison.order(system).tolist()
        for k, kind in enumerate(letters):
            if not system or kind != "a":
                keyed.append((positions[k], system, k, kind))
    return [Difference(system, k, kind) for _, system, k, kind in sorted(keyed)]


def _names(side: Shown, columns: int) -> int:
    """Return the columns of the identifiers of a side, at most a third of all."""
    return min(max(map(len, side.ids), default=1), _NAMED, columns // 3)


def _cell(side: Shown, rows: Rows, k: int, columns: int, name: int) -> list[str]:
    """Return the segments of one side of a bisegment, each with its identifier, wrapped."""
    lines = []
    room = max(columns - name - 1, 4)
    for m in rows.row(k).tolist():
        text = side.texts[m] if side.texts is not None else ""
        parts = wrapped(text, room, most=_MOST_LINES)
        lines.append(f"{padded(shortened(side.ids[m], name), name)} {parts[0]}".rstrip())
        lines += [" " * (name + 1) + part for part in parts[1:]]
    return lines


def _ids(side: Shown, rows: Rows, k: int) -> str:
    members = rows.row(k).tolist()
    # Pieces of one segment have one name.
    ids = dict.fromkeys(side.ids[m] for m in members[:_MOST_IDS])
    omitted = [f"... {len(members) - _MOST_IDS:,} more"] if len(members) > _MOST_IDS else []
    return " ".join([*(shortened(name, 30) for name in ids), *omitted]) or "-"


SCRIPTS = (
    "page.js",
    "alignment/alignment_beads.js",
    "alignment/alignment_layout.js",
    "alignment/alignment_drawing.js",
    "alignment/alignment.js",
)

_KEY = (
    ("a", "both have it"),
    ("p", "only the hypothesis has it; it shares a pair of sentences with gold"),
    ("P", "only gold has it; it shares a pair of sentences with the hypothesis"),
    ("m", "only gold has it, and no pair of it is proposed"),
    ("w", "only the hypothesis has it, and no pair of it is right"),
)


def alignment_page(
    bitext: Bitext,
    *,
    hypotheses: Mapping[str, Alignment | Bitext] | None = None,
    title: str | None = None,
    gold_name: str = "gold",
    figures: Iterable[tuple[str, object]] = (),
    index: str = "",
    results: Iterable[Section] = (),
    sections: Iterable[Section] = (),
    style: str = "",
    script: str = "",
    min_matched: float = 0.9,
) -> str:
    """Return the page of a bitext, with any number of hypotheses laid over its alignment.

    `bitext` has the texts and the gold standard, or the only alignment; without characters the page
    shows the identifiers, or the positions. Hypotheses stand in the menu in their order. One that
    is a bitext may segment the same texts differently, if they have at least the share
    `min_matched` of their characters in common; the page then shows the common pieces.

    `title` is by default after the bitext; `figures` are rows of a table, as scores, with four
    decimals of floats; `index` is the address of a page of all texts, relative to this one.
    `results` and `sections` are further parts of the page, before and after the drawing, with their
    `style` and `script`.

    Raises `InputError` when a hypothesis has no common ground with the gold standard.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> gold = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> bitext = Bitext(Text(["Rain.", "<i>"]), Text(["Pluie.", "b"]), gold)
    >>> html = alignment_page(bitext, hypotheses={"ours": Alignment([((0,), (0,))])})
    >>> "○" in html, "&lt;i&gt;" in html, "<i>" in html
    (True, True, False)

    """
    comparison = overlaid(
        bitext,
        hypotheses,
        gold_name=gold_name if hypotheses else "alignment",
        min_matched=min_matched,
    )
    of = f" of {bitext.name}" if bitext.name else ""
    rows = list(figures)
    compared = bool(comparison.kinds)
    parts = [
        *([Section("figures", "Figures", figures_table(rows))] if rows else []),
        *results,
        Section("alignment", "Alignment", _alignment(comparison)),
        *([Section("differences", "Differences", difference_list(comparison))] if compared else []),
        Section("beads", "Bisegments", bead_list(comparison)),
        *sections,
    ]
    return pages.page(
        title or f"Alignment{of}",
        _summary(comparison) + way_up(index),
        parts,
        style=pages.asset("alignment/alignment.css") + style,
        script="\n".join([*map(pages.asset, SCRIPTS), *([script] if script else [])]),
        data=to_data(comparison),
    )


def _summary(comparison: Overlaid) -> str:
    gold = comparison.systems[0]
    names = [
        isolated(side.name, 60) if side.name else "" for side in (comparison.src, comparison.tgt)
    ]
    sides = " and ".join(
        f"{_counted(side, role)}{f' ({name})' if name else ''}"
        for side, role, name in zip(
            (comparison.src, comparison.tgt), ("source", "target"), names, strict=True
        )
    )
    line = f"{sides}; {many(len(gold), 'bisegment')}"
    if not comparison.kinds:
        return f"{line}."
    own = ", ".join(f"{isolated(system.name, 60)}" for system in comparison.systems[1:])
    return f"{line} in {isolated(gold.name, 60)}, held against {own}."


def _counted(side: Shown, role: str) -> str:
    if side.pieces:
        return f"{many(side.size, 'piece')} of {role} sentences"
    return many(side.size, f"{role} sentence")


def _alignment(comparison: Overlaid) -> Iterator[str]:
    compared = bool(comparison.kinds)
    yield hatchings()
    if not compared:
        yield '<ul class="key" aria-label="What the colours mean">'
        yield (
            f"<li>{_ribbon_swatch('only', 'own')}<span><b>bisegment</b> "
            '<span class="meaning">joins its sentences</span></span></li>'
        )
        yield f"{pages.chosen_key('sentences of the chosen one')}</ul>"
    if compared:
        yield from pages.sheet("Counts of each hypothesis", _counts(comparison), kind="counts")
        yield from signs_key((letter, WORDS[letter], meaning) for letter, meaning in _KEY)
    yield BENCH


BENCH = (
    '<div class="tools" id="controls" role="group" aria-label="What is shown"></div>'
    '<div class="bench" id="bench"></div>'
    "<noscript><p>The texts side by side need JavaScript; without it the lists below hold "
    "what there is.</p></noscript>"
)
"""The frame in which the script draws the texts side by side."""


def signs_key(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the HTML of the key of the signs: a letter of a kind, its name, and its meaning."""
    yield '<ul class="key" aria-label="What the signs mean">'
    for letter, name, meaning in rows:
        yield (
            f"<li>{swatch(letter)}<span><b>{name}</b> "
            f'<span class="meaning">{meaning}</span></span></li>'
        )
    yield f"{pages.chosen_key('sentences of the chosen one')}</ul>"


def _counts(comparison: Overlaid) -> Iterator[str]:
    """Yield the rows of the numbers of bisegments of each kind, by hypothesis."""
    heads = ("agreed", "partly right", "wrong", "partly found", "missed")
    signs = [
        sign_of(k, gold=g) for k, g in zip("apwpm", (False, False, False, True, True), strict=True)
    ]
    classes = ("agreed", "partly", "wrong", "partly", "missed")
    yield '<thead><tr><th scope="col">hypothesis</th>'
    for name, sign, kind in zip(heads, signs, classes, strict=True):
        yield f'<th scope="col"><span class="{kind}" aria-hidden="true">{sign}</span> {name}</th>'
    yield "</tr></thead><tbody>"
    for number, system in enumerate(comparison.systems[1:], start=1):
        yield f'<tr><th scope="row">{isolated(system.name, 60)}</th>'
        yield "".join(f"<td>{count:,}</td>" for count in comparison.counts(number).values())
        yield "</tr>"
    yield "</tbody>"


def swatch(letter: str) -> str:
    """Return a small ribbon and the symbol of a kind; `P` is the gold side of `p`."""
    kind = KINDS[letter.lower()]
    gold = letter in "Pm"
    of = "gold" if gold else "own"
    sign = escape(sign_of(letter.lower(), gold=gold))
    return f'{_ribbon_swatch(kind, of)}<span class="sign {kind}" aria-hidden="true">{sign}</span>'


def _ribbon_swatch(kind: str, of: str) -> str:
    return (
        '<svg class="swatch" width="44" height="16" aria-hidden="true">'
        f'<path class="ribbon {kind} {of}" d="M1 2H43V14H1Z"/></svg>'
    )


def hatchings() -> str:
    """Return the hatchings that fill ribbons."""
    return (
        '<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>'
        '<pattern id="hatch-wrong" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="wrong" d="M0 0V6"/></pattern>'
        '<pattern id="hatch-partly" width="7" height="7" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="partly" d="M0 0V7M0 0H7"/></pattern>'
        "</defs></svg>"
    )


# Pages of bitexts without a gold standard: of one, or of many in a folder with an index.


def bitext_page(
    bitext: Bitext, *, name: str, part: str = "", first: int = 0, index: str = ""
) -> str:
    """Return the page of a bitext: its alignment, or its word links where it holds links.

    The heading has the name of the bitext, and `part`. `first` is the number of the first
    bisegment, `index` the address of the index of this page.
    """
    from bitext.formats.word_links import holds_links

    links = bitext.alignment.word_links() if holds_links(bitext) else None
    if links is None:
        return alignment_page(bitext, title=f"Alignment of {name}{part}", index=index)
    from bitext.reports.links import LinkData
    from bitext.reports.links.page import page_of

    data = LinkData([], count_from=first)
    data.add(links, [], bitext.words())
    return page_of(data, title=f"Word links of {name}{part}", index=index)


class _Listed(NamedTuple):
    """The row of a bitext in the index."""

    name: str
    address: str
    sizes: tuple[int, int]  # sentences of either side
    beads: int
    simple: float  # share of 1-1 bisegments
    score: float  # mean, `nan` without scores


class BitextPages:
    """A writer of a folder with a page for each bitext, and an index of all.

    `score` is `probability` if low scores are bad. Empty: scores are of any kind, and bitexts are
    ranked by their share of 1-1 bisegments.
    """

    def __init__(self, folder: Folder, *, score: str = "") -> None:
        self._folder, self._score = folder, score
        self._rows: list[_Listed] = []

    def add(self, bitext: Bitext, name: str, *, empty: int = 0) -> None:
        """Write the page of a bitext.

        `empty` is the number of bisegments of empty sentences only, which no method aligned. Their
        probability is 1, and the mean is of the others.
        """
        address = self._folder.add(name, bitext_page(bitext, name=name, index=INDEX))
        alignment = bitext.alignment
        src, tgt = alignment.src.lengths, alignment.tgt.lengths
        simple = float(np.mean((src == 1) & (tgt == 1))) if len(alignment) else nan
        scores = alignment.scores
        mean = nan
        if scores is not None and len(scores) > empty and np.isfinite(scores).all():
            mean = (float(scores.sum()) - empty) / (len(scores) - empty)
        self._rows.append(_Listed(name, address, sizes_of(bitext), len(alignment), simple, mean))

    def finish(self, title: str) -> None:
        """Write the index: a row a bitext, the worst first."""
        from bitext.reports.table import number

        ranked = sorted(self._rows, key=self._rank)
        scored = [f"mean {self._score}"] if self._score else []
        table = Table(["text", *scored, "1-1", "bisegments", "source", "target"])
        table.right = {*range(1, len(table.head))}
        for row in ranked:
            mean = [number(row.score)] if self._score else []
            sizes = [f"{size:,}" for size in (row.beads, *row.sizes)]
            table.rows.append([row.name, *mean, number(row.simple), *sizes])
        criterion = (
            f"mean {self._score} of bisegments" if self._score else "share of 1-1 bisegments"
        )
        beads = sum(row.beads for row in ranked)
        content = [
            f'<p class="quiet" {MARK}>The texts with the lowest {criterion} first.</p>',
            *pages.table_sheet(table, "Table of texts", links=[row.address for row in ranked]),
        ]
        summary = f"{many(len(ranked), 'text')}, {many(beads, 'bisegment')}; each text has a page."
        self._folder.finish(pages.page(title, summary, [Section("texts", "Texts", content)]))

    def _rank(self, row: _Listed) -> tuple[bool, float]:
        value = row.score if self._score else row.simple
        return isnan(value), value  # unknown ones last
