"""Segmentations over each other: strips on a terminal, lists of edits, pages of coders.

On a terminal, the strips of the rows with a difference stand over each other. A unit is two columns
wide, and boundaries stand between units. A symbol, and optionally a colour, shows the kind of each
boundary, below reference and hypothesis:

    · right   ▽ missing   ✕ extra   ○─▶ shifted   ◆ of another type

and below coders of one text:

    · all coders   ◆ near miss   ✕ full miss

For several references, a line has the votes: in brackets where a window of WiSeBE has a boundary
of the hypothesis, in parentheses where it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from bitext.errors import many
from bitext.metrics.coder_differences import (
    CodedTexts,
    Disagreement,
    PairAgreement,
    kinds_in_words,
    worst_texts,
)
from bitext.metrics.evaluation.segmentations import lay
from bitext.metrics.segmentation.references import WisebeScore
from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations
from bitext.reports import pages
from bitext.reports.agreement import (
    AgreementReport,
    agreement_caption,
    around,
    coefficient_table,
    correlation_note,
    cut_unit,
    matrix_note,
    matrix_table,
    ratio_table,
)
from bitext.reports.lettering import LEAST_WIDTH, key_of, padded, painted, shortened
from bitext.reports.pages import Section, isolated
from bitext.reports.segmentation import (
    MOST_OF_NAME,
    MOST_OF_UNIT,
    BoundaryError,
    Compared,
    ShownText,
    compared,
    counted,
    draw_coders,
    edits_between,
    shortened_name,
    style,
    swatch,
)
from bitext.reports.table import FigureCell, printable

_MIN_ROW_UNITS = 10  # least number of units in a row
_ROWS = 8  # rows of a text; the errors of the rest are counted
_NAME = 16
_COLOURS = {"missing": "missed", "extra": "wrong", "shifted": "partly", "retyped": "partly"}


class _Symbols(NamedTuple):
    """The symbols of strips."""

    begin: str
    line: str
    cut: str
    end: str
    right: str
    missing: str
    extra: str
    retyped: str
    tail: str
    arrow: str
    left: str
    shaft: str


_Mark = tuple[str, str]  # a symbol, and the kind of its colour, empty for none
_UNICODE = _Symbols("├", "─", "┼", "┤", "·", "▽", "✕", "◆", "○", "▶", "◀", "─")
_ASCII = _Symbols("|", "-", "+", "|", ".", "v", "x", "#", "o", ">", "<", "-")


def can_show(encoding: str | None) -> bool:
    """Check whether an encoding has the characters of the strips.

    Examples
    --------
    >>> can_show("utf-8"), can_show("ascii"), can_show(None)
    (True, False, False)

    """
    try:
        "".join(_UNICODE).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def key_line(*, colour: bool = False, plain: bool = False) -> str:
    """Return the key of the symbols as one line."""
    s = _ASCII if plain else _UNICODE
    symbols = [
        (f"{s.right} right", "agreed"),
        (f"{s.missing} missing", "missed"),
        (f"{s.extra} extra", "wrong"),
        (f"{s.tail}{s.shaft}{s.arrow} shifted", "partly"),
        (f"{s.retyped} of another type", "partly"),
    ]
    return key_of(symbols, colour=colour)


def segment_strips(
    text: ShownText,
    *,
    reference: int = 0,
    hyp: int = 0,
    names: tuple[str, str] = ("reference", "hypothesis"),
    shift: int = 1,
    limit: int = 3,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    r"""Yield the lines of a comparison; rows without an error are left out.

    The indices `reference` and `hyp` tell which two are compared, under their `names`. `shift` is
    the greatest shift of a boundary, `limit` the greatest distance of neighbours in a window of
    votes, both in units. `width` is in columns, at least 40; `plain` lines are ASCII only (see
    `can_show`).

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation import ShownText
    >>> text = ShownText("a", (Segmentation([5, 5, 1, 3]),), (Segmentation([7, 3, 4]),))
    >>> print("\n".join(segment_strips(text, shift=2)))
    a: 1 missing, 1 shifted, 1 right
                0         5         10
    reference   ├─────────┼─────────┼─┼─────┤
    hypothesis  ├─────────────┼─────┼───────┤
                          ○───▶     · ▽

    """
    symbols = _ASCII if plain else _UNICODE
    comparison = compared(text.references[reference], text.hyps[hyp], shift=shift)
    votes = text.votes(hyp, limit=limit)
    yield f"{shortened(text.name, 60)}: {counted(comparison)}"
    pair = text.references[reference], text.hyps[hyp]
    yield from _strip_rows(
        [error.place for error in comparison.errors],
        text.n,
        [(name, side.boundaries.tolist()) for name, side in zip(names, pair, strict=True)],
        lambda first, last: _marks(comparison, first, last, symbols),
        votes=votes,
        width=width,
        colour=colour,
        symbols=symbols,
    )


def _strip_rows(
    places: Sequence[int],
    n: int,
    sides: Sequence[tuple[str, Sequence[int]]],
    marks: Callable[[int, int], Iterable[_Mark]],
    *,
    votes: WisebeScore | None = None,
    width: int,
    colour: bool,
    symbols: _Symbols,
) -> Iterator[str]:
    """Yield the rows of a text of `n` units that have one of `places`, the first eight of them.

    `sides` are the names and the boundaries of the strips of a row; `marks` returns the marks below
    the strips, two for a unit, of the row between two places.
    """
    names = [name for name, _ in sides] + ["votes"] * (votes is not None)
    label = min(_NAME, max(map(len, names)))
    # A unit is two columns wide; rows begin at multiples of their length.
    length = max((max(width, LEAST_WIDTH) - label - 4) // 2, _MIN_ROW_UNITS)
    places_left = len(places)
    for index, first in enumerate(sorted({(place - 1) // length * length for place in places})):
        if index == _ROWS:
            yield f"... and {places_left:,} more"
            return
        last = min(first + length, n)
        places_left -= sum(_inside(place, first, last) for place in places)
        lines = [("", _axis(first, last, 2 * length + 2))]
        if votes is not None:
            lines.append(("votes", _votes(votes, first, last)))
        lines += [(name, _strip(side, first, last, n, symbols)) for name, side in sides]
        shown = (
            painted(symbol, kind, colour=colour) if kind else symbol
            for symbol, kind in marks(first, last)
        )
        for name, line in [*lines, ("", "".join(shown))]:
            yield f"{padded(shortened(name, label), label)}  {line}".rstrip()


def _inside(place: int, first: int, last: int) -> bool:
    """Check whether a row has a place; one between two rows belongs to the first."""
    return first < place <= last


def _axis(first: int, last: int, room: int) -> str:
    """Return the number of every fifth place, if it fits."""
    step = 5 if last < 1000 else 10
    line = ""
    for place in range(-(-first // step) * step, last + 1, step):
        longer = line.ljust(2 * (place - first)) + str(place)
        line = longer if len(longer) <= room else line
    return line


def _strip(places: Sequence[int], first: int, last: int, n: int, symbols: _Symbols) -> str:
    cells = [symbols.line] * (2 * (last - first) + 1)
    for place in places:
        if _inside(place, first, last):
            cells[2 * (place - first)] = symbols.cut
    if not first:
        cells[0] = symbols.begin
    if last == n:
        cells[-1] = symbols.end
    return "".join(cells)


def _votes(score: WisebeScore, first: int, last: int) -> str:
    cells = [" "] * (2 * (last - first) + 2)
    for place, count in score.votes.items():
        if _inside(place, first, last):
            cells[2 * (place - first)] = str(count) if count < 10 else "+"
    for window in score.windows:
        begin, end = "[]" if window.candidates else "()"
        if _inside(window.first, first, last):
            cells[2 * (window.first - first) - 1] = begin
        if _inside(window.last, first, last):
            cells[2 * (window.last - first) + 1] = end
    return "".join(cells).rstrip()


def _marks(comparison: Compared, first: int, last: int, symbols: _Symbols) -> list[_Mark]:
    cells = [(" ", "")] * (2 * (last - first) + 1)
    for place in comparison.matches:
        if _inside(place, first, last):
            cells[2 * (place - first)] = (symbols.right, "agreed")
    shifted = [error for error in comparison.errors if error.kind == "shifted"]
    for error in shifted:
        _arrow(cells, error, first, symbols)
    for error in comparison.errors:
        if error.kind != "shifted" and _inside(error.place, first, last):
            symbol: str = getattr(symbols, error.kind)
            cells[2 * (error.place - first)] = (symbol, _COLOURS[error.kind])
    return cells


def _arrow(cells: list[_Mark], error: BoundaryError, first: int, symbols: _Symbols) -> None:
    """Draw the part of an arrow in a row."""
    tail, head = 2 * ((error.gold or 0) - first), 2 * ((error.hyp or 0) - first)
    symbol_at = dict.fromkeys(range(min(tail, head), max(tail, head) + 1), symbols.shaft)
    symbol_at |= {tail: symbols.tail, head: symbols.arrow if head > tail else symbols.left}
    for cell, symbol in symbol_at.items():
        if 0 <= cell < len(cells):
            cells[cell] = (symbol, "partly")


# Coders of one text.


def coder_strips(
    coded: CodedTexts,
    text: int,
    places: Sequence[Disagreement],
    *,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    r"""Yield the lines of a text with a strip a coder; rows without a difference are left out.

    `text` is the index of the text, `places` are those where its coders differ; the others are as
    in `segment_strips`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.metrics.coder_differences import CodedTexts, disagreements
    >>> row = (Segmentation([2, 2, 2]), Segmentation([2, 3, 1]), Segmentation([2, 4]))
    >>> coded = CodedTexts(("anna", "ben", "cleo"), ("t",), (row,))
    >>> print("\n".join(coder_strips(coded, 0, disagreements(coded))))
    t: 1 where some coders have no boundary; 1 boundary of all
          0         5
    anna  ├───┼───┼───┤
    ben   ├───┼─────┼─┤
    cleo  ├───┼───────┤
              ·   ✕

    """
    symbols = _ASCII if plain else _UNICODE
    row = dict(zip(coded.coders, coded.codings[text], strict=True))
    boundaries_of_coder = {
        coder: coding.boundaries.tolist() for coder, coding in row.items() if coding
    }
    n = next(coding.n for coding in row.values() if coding)
    everyone = set.intersection(*(set(boundaries) for boundaries in boundaries_of_coder.values()))
    shared = f"{len(everyone):,} {'boundary' if len(everyone) == 1 else 'boundaries'} of all"
    yield f"{shortened(coded.texts[text], 60)}: {kinds_in_words(places)}; {shared}"
    mark_at = dict.fromkeys(everyone, (symbols.right, "agreed"))
    mark_at |= {
        place.position: (symbols.extra, "wrong") if place.without else (symbols.retyped, "partly")
        for place in places
    }

    def marks(first: int, last: int) -> Iterator[_Mark]:
        # The second column of a unit, before the next place, is empty.
        for cell in range(2 * first, 2 * last + 1):
            place, odd = divmod(cell, 2)
            yield (" ", "") if odd or place == first else mark_at.get(place, (" ", ""))

    yield from _strip_rows(
        [place.position for place in places],
        n,
        list(boundaries_of_coder.items()),
        marks,
        width=width,
        colour=colour,
        symbols=symbols,
    )


def coder_key(*, colour: bool = False, plain: bool = False) -> str:
    """Return the key of the symbols below coders as one line."""
    s = _ASCII if plain else _UNICODE
    symbols = [
        (f"{s.right} all coders", "agreed"),
        (f"{s.retyped} near miss", "partly"),
        (f"{s.extra} full miss", "wrong"),
    ]
    return key_of(symbols, colour=colour)


# Differences of segmentations: boundaries missing, extra, shifted or of another type.


_MOST_EDITS = 20  # edits of a text


@dataclass(frozen=True, slots=True)
class EditView:
    """A boundary that differs."""

    # `missing` (the hypothesis lacks it), `extra` (the reference lacks it), `shifted` or
    # `substituted`.
    kind: str
    # The number of units before it, in the reference, or for an extra one in the hypothesis.
    position: int
    shift: int  # the shift in the hypothesis in units, negative for earlier
    # Its type in the reference, or for an extra one in the hypothesis; `None` without types.
    type: str | None
    before: str | None  # the unit before it, if its characters are known
    after: str | None  # the unit after it, likewise


@dataclass(frozen=True, slots=True)
class TextEdits:
    """The boundaries of a text that differ, from the left."""

    system: str
    text: str
    matches: int
    edits: tuple[EditView, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document."""
        edits = [asdict(edit) for edit in self.edits]
        return {"system": self.system, "text": self.text, "matches": self.matches, "edits": edits}


def texts_with_most_edits(
    gold: Segmentations,
    hyp: Segmentations,
    units: Mapping[int, Sequence[str]],
    *,
    system: str,
    most: int,
    shift: int,
) -> list[TextEdits]:
    """Return the edits of the `most` texts with the most differing boundaries.

    Both segmentations are of the same texts; `units` has those of the texts whose characters are
    known. `shift` is the greatest shift of a boundary, in units.
    """
    order, counts = worst_first(gold, [hyp])
    return [
        _edits(gold.at(t), hyp.at(t), units.get(t), system=system, text=gold.ids[t], shift=shift)
        for t in order[: sum(count > 0 for count in counts[:most])]
    ]


def worst_first(gold: Segmentations, hyps: Sequence[Segmentations]) -> tuple[list[int], list[int]]:
    """Return the texts by the number of differing boundaries, most first, and these numbers."""
    error_counts = np.zeros(len(gold), dtype=np.int64)
    for hyp in hyps:
        pairs = lay(gold, hyp)
        only = np.setxor1d(pairs.gold.boundaries, pairs.hyp.boundaries, assume_unique=True)
        text = np.searchsorted(pairs.starts, only, side="right") - 1
        counts = np.bincount(text, minlength=len(pairs))
        for t in gold.types.keys() & hyp.types.keys():
            counts[t] += not counts[t] and gold.types[t] != hyp.types[t]
        error_counts += counts
    order = np.lexsort((np.arange(error_counts.size), -error_counts))
    return order.tolist(), error_counts[order].tolist()


def _edits(
    gold: Segmentation,
    hyp: Segmentation,
    units: Sequence[str] | None,
    *,
    system: str,
    text: str,
    shift: int,
) -> TextEdits:
    differences = edits_between(gold, hyp, shift=shift)

    def view(kind: str, place: int, by: int, kind_of: object) -> EditView:
        neighbours = (units[place - 1], units[place]) if units else (None, None)
        return EditView(kind, place, by, None if kind_of is None else str(kind_of), *neighbours)

    edits = [
        view("missing" if edit.side == "gold" else "extra", edit.position, 0, edit.type)
        for edit in differences.additions
    ]
    edits += [view("shifted", e.gold, e.hyp - e.gold, e.type) for e in differences.transpositions]
    edits += [view("substituted", e.position, 0, e.gold) for e in differences.substitutions]
    ordered = sorted(edits, key=lambda edit: (edit.position, edit.kind))
    return TextEdits(system, text, len(differences.matches), tuple(ordered))


def render(edits: TextEdits, *, number: int) -> str:
    """Format the edits of a text as lines for readers."""
    counts = {
        kind: sum(edit.kind == kind for edit in edits.edits)
        for kind in ("missing", "extra", "shifted", "substituted")
    }
    counts_text = ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count)
    lines = [f"{number}. {edits.system}, {edits.text}: {counts_text}; {edits.matches:,} right"]
    for edit in edits.edits[:_MOST_EDITS]:
        shift = f" by {edit.shift:+d}" if edit.shift else ""
        kind = "" if edit.type is None else f" ({edit.type})"
        beside = [] if edit.before is None else [edit.before, edit.after or ""]
        neighbours = f": {' | '.join(map(cut_unit, beside))}" if beside else ""
        lines.append(f"   {edit.kind}{shift}{kind} after unit {edit.position}{neighbours}")
    if len(edits.edits) > _MOST_EDITS:
        lines.append(f"   ... and {len(edits.edits) - _MOST_EDITS:,} more")
    return "\n".join(map(printable, lines)) + "\n"


# The agreement of coders as a page: coefficients, pairs of coders, and where coders differ.


_MAX_LISTED = 200  # places of a page; set by hand
_MAX_DRAWN = 30  # texts with a picture; set by hand
_PLACE_CUT = 80  # characters of a unit beside a place
_SHADES = 10


def coders_page(agreement: AgreementReport, *, notes: Sequence[str] = ()) -> str:
    """Return the page of the agreement of coders, the results first.

    The notes are for a reader of the figures.
    """
    places = agreement.disagreements()
    summary = f"{many(len(agreement.texts), 'text')}, {len(agreement.coders)} coders; "
    difference_note = f"they differ at {many(len(places), 'place')}: {kinds_in_words(places)}."
    summary += difference_note if places else "no differences."
    sections = [
        Section("agreement", "Agreement", _coefficients(agreement, notes)),
        Section("pairs", "Pairs of coders", matrix_sheets(agreement)),
        *place_sections(agreement, places),
        Section("texts", "Text by text", _texts(agreement)),
    ]
    return pages.page(
        f"Agreement of {', '.join(agreement.coders)}",
        summary,
        sections,
        style=style() + pages.asset("segmentation/segmentation.css") + matrix_style(),
    )


def place_sections(
    agreement: AgreementReport, places: Sequence[Disagreement], *, most: int = _MAX_DRAWN
) -> list[Section]:
    """Return the places where coders differ, and drawings of the `most` worst texts."""
    by_text: dict[int, list[Disagreement]] = {}
    for place in places:
        by_text.setdefault(place.text, []).append(place)
    drawn_texts = worst_texts(places)[:most]
    units = agreement.read_units()
    sections = [
        Section("places", "Where coders differ", _places(agreement, places, drawn_texts, units))
    ]
    if drawn_texts:
        content = _drawings(agreement, by_text, drawn_texts, units)
        sections.append(Section("drawings", "Texts with all coders, the worst first", content))
    return sections


def matrix_style() -> str:
    """Return the style sheet of matrices and places."""
    return pages.asset("segmentation/coders.css")


def _coefficients(agreement: AgreementReport, notes: Sequence[str]) -> Iterator[str]:
    table = coefficient_table(agreement)
    yield from pages.table_sheet(table, "Coefficients of agreement", longest=MOST_OF_NAME)
    lines = [*agreement_caption(agreement).splitlines(), *notes]
    yield from pages.quiet_lines(lines)


# Matrices of pairs of coders.


def matrix_sheets(agreement: AgreementReport) -> Iterator[str]:
    """Yield each matrix as a table whose cells are the more shaded the more two coders agree."""
    for pairs in agreement.pairs:
        yield from pages.sheet(
            f"Pairs of coders by {pairs[0].label}", _matrix(agreement, pairs), kind="plain matrix"
        )
        yield from pages.quiet_lines(matrix_note(pairs).splitlines())
    shades = "".join(f'<span class="s{shade}"></span>' for shade in range(0, _SHADES + 1, 2))
    yield (
        f'<p class="quiet shades">less <span aria-hidden="true">{shades}</span> more agreement; '
        "a row is of one coder, and its last cell the mean</p>"
    )


def _matrix(agreement: AgreementReport, pairs: Sequence[PairAgreement]) -> Iterator[str]:
    table = matrix_table(agreement, pairs)
    by_ends = {(pair.coder, pair.other): pair for pair in pairs}
    yield "<thead><tr>"
    for k, name in enumerate(table.head):
        yield f'<th scope="col"{" class=n" if k else ""}>{isolated(name, MOST_OF_NAME)}</th>'
    yield "</tr></thead><tbody>"
    for a, row in enumerate(table.rows):
        yield f'<tr><th scope="row">{isolated(row[0], MOST_OF_NAME)}</th>'
        for b, cell in enumerate(row[1:]):
            pair = by_ends.get((a, b))
            shade = "" if pair is None else _shade(pair)
            yield f'<td class="n{shade}">{_cell(cell) if cell else "–"}</td>'
        yield "</tr>"
    yield "</tbody>"


def _cell(cell: str) -> str:
    shared = cell.interval if isinstance(cell, FigureCell) else ""
    value = cell.value if isinstance(cell, FigureCell) else cell
    return f"{value} <small>{shared}</small>" if shared else value


def _shade(pair: PairAgreement) -> str:
    """Return the class of a cell: the shade from 0 to 10, by the figure between 0 and 1."""
    if isnan(pair.value):
        return ""
    share = pair.value if pair.better == "higher" else 1 - pair.value
    return f" s{round(_SHADES * min(max(share, 0.0), 1.0))}"


# Places, and texts with all coders.


def _places(
    agreement: AgreementReport,
    places: Sequence[Disagreement],
    drawn: Sequence[int],
    units: Mapping[int, Sequence[str]],
) -> Iterator[str]:
    if not places:
        yield "<p>There is no place where coders differ.</p>"
        return
    yield (
        '<p class="quiet">The worst first: where the most pairs of coders differ. A near miss is a '
        f"boundary at most {many(agreement.shift, 'unit')} away, with the shift in parentheses.</p>"
    )
    yield '<ol class="places">'
    for place in places[:_MAX_LISTED]:
        name = isolated(agreement.texts[place.text], MOST_OF_NAME)
        if place.text in drawn:
            name = f'<a href="#text-{place.text}">{name}</a>'
        mark = swatch("extra" if place.without else "retyped")
        who = isolated(place.in_words([shortened_name(c) for c in agreement.coders]))
        yield (
            f'<li><div class="place">{mark}<b>{place.kind}</b> in {name}, after unit '
            f"{place.position}, {place.votes} coders: {who}"
        )
        text = units.get(place.text)
        if text:
            before, after = around(text, place.position)
            yield (
                f'<p class="around">{isolated(before, _PLACE_CUT)} <b aria-label="boundary">|</b> '
                f"{isolated(after, _PLACE_CUT)}</p>"
            )
        yield "</div></li>"
    yield "</ol>"
    if len(places) > _MAX_LISTED:
        yield f'<p class="quiet">{len(places) - _MAX_LISTED:,} more are not shown.</p>'


def _drawings(
    agreement: AgreementReport,
    by_text: dict[int, list[Disagreement]],
    drawn: Sequence[int],
    units: Mapping[int, Sequence[str]],
) -> Iterator[str]:
    yield '<ul class="key coders" aria-label="Key">'
    for mark, meaning in (
        ("right", "all coders"),
        ("retyped", "near miss"),
        ("extra", "full miss: some coders have no boundary"),
    ):
        yield f"<li>{swatch(mark)}{meaning}</li>"
    yield "</ul>"
    yield '<p class="quiet">Numbers below marks are of the coders with the boundary.</p>'
    for text in drawn:
        name = agreement.texts[text]
        yield f'<h3 id="text-{text}">{isolated(name, MOST_OF_UNIT)}</h3>'
        yield f'<p class="quiet">{kinds_in_words(by_text[text])}</p>'
        label = f"Drawing of {shortened_name(name)}"
        yield f'<div class="coded sheet" tabindex="0" role="region" aria-label="{escape(label)}">'
        yield draw_coders(
            name,
            agreement.coded.codings[text],
            by_text[text],
            coders=agreement.coders,
            units=units.get(text),
            standalone=False,
        ).rstrip()
        yield "</div>"
    if len(by_text) > len(drawn):
        yield f'<p class="quiet">{len(by_text) - len(drawn):,} more are not drawn.</p>'


def _texts(agreement: AgreementReport) -> Iterator[str]:
    table = ratio_table(agreement)
    yield from pages.table_sheet(table, "Agreement text by text", longest=MOST_OF_UNIT)
    yield from pages.quiet_lines(correlation_note(agreement).splitlines())


def worst_strips(
    agreement: AgreementReport,
    most: int,
    *,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    """Yield strips of the texts in which most pairs of coders differ, for a terminal, and a key.

    There are at most `most` texts. `width`, `colour` and `plain` are as in `coder_strips`.
    """
    places = agreement.disagreements()
    for text in worst_texts(places)[:most]:
        text_places = [place for place in places if place.text == text]
        yield from coder_strips(
            agreement.coded, text, text_places, width=width, colour=colour, plain=plain
        )
        yield ""
    if places:
        yield coder_key(colour=colour, plain=plain)
    else:
        yield "there is no place where coders differ"
