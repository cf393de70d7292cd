"""The agreement of coders as a page: coefficients, pairs of coders, and where coders differ."""

from __future__ import annotations

from html import escape
from math import isnan
from typing import TYPE_CHECKING

from bitext.errors import many
from bitext.metrics.coder_differences import kinds_in_words, worst_texts
from bitext.reports import pages
from bitext.reports.agreement import (
    agreement_caption,
    around,
    coefficient_table,
    correlation_note,
    matrix_note,
    matrix_table,
    ratio_table,
)
from bitext.reports.pages import Section, isolated
from bitext.reports.segmentation.drawing import (
    MOST_OF_NAME,
    MOST_OF_UNIT,
    draw_coders,
    shortened_name,
    style,
    swatch,
)
from bitext.reports.segmentation.strips import coder_key, coder_strips
from bitext.reports.table import FigureCell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bitext.metrics.coder_differences import Disagreement, PairAgreement
    from bitext.reports.agreement import AgreementReport

__all__ = ["coders_page", "matrix_sheets", "matrix_style", "place_sections", "worst_strips"]

_LISTED = 200  # places of a page; set by hand
_DRAWN = 30  # texts with a picture; set by hand
_CUT = 80  # characters of a unit beside a place
_SHADES = 10


def coders_page(agreement: AgreementReport, *, notes: Sequence[str] = (), title: str = "") -> str:
    """Return the page of the agreement of coders, the results first.

    Parameters
    ----------
    agreement : AgreementReport
    notes : sequence of str
        Notes for a reader of the figures.
    title : str
        The heading; default: the names of the coders.

    """
    places = agreement.disagreements()
    summary = f"{many(len(agreement.texts), 'text')}, {len(agreement.coders)} coders; "
    where = f"they differ at {many(len(places), 'place')}: {kinds_in_words(places)}."
    summary += where if places else "no differences."
    sections = [
        Section("agreement", "Agreement", _coefficients(agreement, notes)),
        Section("pairs", "Pairs of coders", matrix_sheets(agreement)),
        *place_sections(agreement, places),
        Section("texts", "Text by text", _texts(agreement)),
    ]
    return pages.page(
        title or f"Agreement of {', '.join(agreement.coders)}",
        summary,
        sections,
        style=style() + pages.asset("segmentation/segmentation.css") + matrix_style(),
    )


def place_sections(
    agreement: AgreementReport, places: Sequence[Disagreement], *, most: int = _DRAWN
) -> list[Section]:
    """Return the places where coders differ, and drawings of the `most` worst texts."""
    by_text: dict[int, list[Disagreement]] = {}
    for place in places:
        by_text.setdefault(place.text, []).append(place)
    drawn = worst_texts(places)[:most]
    units = agreement.read_units()
    sections = [Section("places", "Where coders differ", _places(agreement, places, drawn, units))]
    if drawn:
        content = _drawings(agreement, by_text, drawn, units)
        sections.append(Section("drawings", "Texts with all coders, the worst first", content))
    return sections


def matrix_style() -> str:
    """Return the style sheet of matrices and places."""
    return pages.asset("segmentation/coders.css")


def _coefficients(agreement: AgreementReport, notes: Sequence[str]) -> Iterator[str]:
    table = coefficient_table(agreement)
    yield from pages.table_sheet(table, "Coefficients of agreement", longest=MOST_OF_NAME)
    lines = [*agreement_caption(agreement).splitlines(), *notes]
    yield from _quiet(lines)


def _quiet(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f'<p class="quiet signature">{isolated(line)}</p>'


# Matrices of pairs of coders.


def matrix_sheets(agreement: AgreementReport) -> Iterator[str]:
    """Yield each matrix as a table whose cells are the more shaded the more two coders agree."""
    for pairs in agreement.pairs:
        yield from pages.sheet(
            f"Pairs of coders by {pairs[0].label}", _matrix(agreement, pairs), kind="plain matrix"
        )
        yield from _quiet(matrix_note(pairs).splitlines())
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
    for place in places[:_LISTED]:
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
                f'<p class="around">{isolated(before, _CUT)} <b aria-label="boundary">|</b> '
                f"{isolated(after, _CUT)}</p>"
            )
        yield "</div></li>"
    yield "</ol>"
    if len(places) > _LISTED:
        yield f'<p class="quiet">{len(places) - _LISTED:,} more are not shown.</p>'


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
    yield from _quiet(correlation_note(agreement).splitlines())


def worst_strips(
    agreement: AgreementReport,
    most: int,
    *,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    """Yield strips of the texts in which most pairs of coders differ, for a terminal, and a key.

    Parameters
    ----------
    agreement : AgreementReport
    most : int
        The number of texts.
    width, colour, plain
        As of `coder_strips`.

    """
    places = agreement.disagreements()
    for text in worst_texts(places)[:most]:
        mine = [place for place in places if place.text == text]
        yield from coder_strips(
            agreement.coded, text, mine, width=width, colour=colour, plain=plain
        )
        yield ""
    if places:
        yield coder_key(colour=colour, plain=plain)
    else:
        yield "there is no place where coders differ"
