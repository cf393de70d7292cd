"""Segmentations as a page: strips over one axis, the errors by name, and the values of metrics.

Without JavaScript it is a still picture of the worst text, with the errors of all texts counted.
With it text, reference and hypothesis are chosen, long texts are zoomed and moved (what is in view
is drawn), `n` and `p` go from error to error, and what a segment holds is read below.

The worst text is the one with the most boundaries that differ, over all hypotheses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.reports import pages
from bitext.reports.lettering import visible
from bitext.reports.pages import Section, held
from bitext.reports.segmentation_data import (
    KIND_NAMES,
    KINDS,
    MOST_OF_NAME,
    MOST_OF_UNIT,
    ComparedText,
    compared,
    counted,
    shortened,
)
from bitext.reports.segmentation_marks import SHAPES, SIZES
from bitext.reports.segmentation_strips import strips
from bitext.reports.segmentation_svg import style
from bitext.reports.table import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.reports.segmentation_data import ShownText
    from bitext.reports.table import Table

__all__ = ["SCRIPTS", "segmentation_page"]

SCRIPTS = (
    "segmentation_state.js",
    "segmentation_drawing.js",
    "segmentation_view.js",
    "segmentation.js",
)

_LETTERS = 3_000_000  # of all units of a page
_EDGES = 200_000  # of all texts of a page


def segmentation_page(
    texts: Iterable[ShownText],
    *,
    references: Sequence[str],
    systems: Sequence[str],
    metrics: Sequence[str] = (),
    figures: Table | None = None,
    signature: str = "",
    agreement: Sequence[Table] = (),
    agreed: str = "",
    shift: int = 1,
    limit: int = 3,
    title: str | None = None,
    left_out: int = 0,
) -> str:
    """Return the page of segmented texts as HTML.

    Parameters
    ----------
    texts : iterable of ShownText
        One or more, with at least one hypothesis each. Of very many the worst are shown, of as
        many boundaries as a page holds.
    references, systems : sequence of str
        The names of the references and of the hypotheses.
    metrics : sequence of str
        The names of the `values` that the texts have.
    figures : Table, optional
        The values over all texts.
    signature : str
        How the figures were made, in lines.
    agreement : sequence of Table
        How far the references agree.
    agreed : str
        Notes on that, a line each.
    shift : int
        How far a boundary may be shifted to be the same one, in units.
    limit : int
        The greatest distance of neighbours in a window of votes, in units.
    title : str, optional
        The heading.
    left_out : int
        How many more texts there are.

    Returns
    -------
    str
        The same for the same input.

    Raises
    ------
    InputError
        When there is no text or no hypothesis, or there are not as many names as segmentations.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation_data import ShownText
    >>> text = ShownText("a <b>", (Segmentation([5, 5]),), (Segmentation([4, 6]),))
    >>> html = segmentation_page([text], references=["gold"], systems=["mine"])
    >>> "a <b>" in html, "1 shifted" in html
    (False, True)

    """
    told = _worst(list(texts), references, systems, shift)
    kept, edges = 0, 0
    while kept < len(told) and (not kept or edges + told[kept].edges <= _EDGES):
        edges += told[kept].edges
        kept += 1
    left_out += len(told) - kept
    told = told[:kept]
    # Letters of units go to the worst texts first.
    with_units, letters = 0, 0
    for one in told:
        letters += sum(min(len(unit), MOST_OF_UNIT) for unit in one.text.units or ())
        with_units += letters <= _LETTERS
    data = {
        "sizes": SIZES,
        "shapes": SHAPES,
        "kinds": KINDS,
        "kindNames": [KIND_NAMES[kind] for kind in KINDS],
        "references": [shortened(name) for name in references],
        "systems": [shortened(name) for name in systems],
        "metrics": [shortened(name) for name in metrics],
        "texts": [_record(one, limit, with_units=k < with_units) for k, one in enumerate(told)],
    }
    sections = []
    if figures is not None:
        content = _table(figures, "Values over all texts", signature)
        sections.append(Section("figures", "Figures", content))
    if agreement:
        sections.append(Section("agreement", "Agreement", _agreement(agreement, agreed)))
    sections += [
        Section("strips", "Strips", strips(told, references, systems, metrics, shift, limit)),
        Section("texts", "Texts", _texts(told, systems, left_out, with_units)),
    ]
    return pages.page(
        title or "Segmentations",
        _summary(told, references, systems, left_out),
        sections,
        style=style() + pages.asset("segmentation.css"),
        script="\n".join(map(pages.asset, SCRIPTS)),
        data=data,
    )


def _worst(
    texts: list[ShownText], references: Sequence[str], systems: Sequence[str], shift: int
) -> list[ComparedText]:
    if not texts or not systems:
        raise InputError("there is nothing to show: want at least one text and one hypothesis")
    for text in texts:
        found = (len(text.references), len(text.hyps))
        if found != (len(references), len(systems)):
            raise InputError(
                f"text {text.name!r:.60} has {found[0]} references and {found[1]} hypotheses, and "
                f"{len(references)} and {len(systems)} are named: want as many"
            )
    told = [
        ComparedText(
            text,
            [[compared(gold, hyp, shift=shift) for hyp in text.hyps] for gold in text.references],
        )
        for text in texts
    ]
    return sorted(told, key=lambda one: -one.wrong)


def _record(one: ComparedText, limit: int, *, with_units: bool) -> dict[str, Any]:
    """Return what the script has to know of a text."""
    text = one.text
    votes = text.votes(limit=limit)
    record: dict[str, Any] = {
        "name": visible(text.name[:MOST_OF_UNIT]),
        "references": [side.masses.tolist() for side in text.references],
        "hyps": [side.masses.tolist() for side in text.hyps],
        "pairs": [[found.to_json() for found in row] for row in one.pairs],
        "values": [[shortened(value) for value in row] for row in text.values],
    }
    if votes is not None:
        record["votes"] = list(votes.votes.items())
        record["windows"] = [(w.first, w.last, w.votes) for w in votes.windows]
        scores = (text.votes(k, limit=limit) for k in range(len(text.hyps)))
        record["hits"] = [[w.candidates for w in s.windows] for s in scores if s is not None]
    if with_units and text.units is not None:
        record["units"] = [shortened(unit, most=MOST_OF_UNIT) for unit in text.units]
    elif text.units is not None:
        record["unread"] = True
    return record


def _summary(
    told: list[ComparedText], references: Sequence[str], systems: Sequence[str], left_out: int
) -> str:
    count = many(len(told) + left_out, "text")
    sides = f"{many(len(references), 'reference')} and {len(systems):,} "
    sides += "hypotheses" if len(systems) > 1 else "hypothesis"
    return f"{count} with {sides}; of each text where they differ, the worst text first."


def _texts(
    told: list[ComparedText], systems: Sequence[str], left_out: int, with_units: int
) -> Iterator[str]:
    if left_out:
        yield f'<p class="quiet">The worst {len(told):,}; {left_out:,} more are not shown.</p>'
    unread = sum(one.text.units is not None for one in told[with_units:])
    if unread:
        yield (
            f'<p class="quiet">What the units say is left out of {many(unread, "text")}, for a '
            "page that stays small; those that differ most have it first.</p>"
        )
    yield '<div class="sheet" tabindex="0" role="region" aria-label="Texts, the worst first">'
    yield '<table><thead><tr><th scope="col">text</th><th scope="col">units</th>'
    yield "".join(f'<th scope="col">{held(name, MOST_OF_NAME)}</th>' for name in systems)
    yield "</tr></thead><tbody>"
    for number, one in enumerate(told):
        name = held(one.text.name, MOST_OF_UNIT)
        yield (
            f'<tr><th scope="row"><button type="button" data-text="{number}">{name}</button></th>'
            f'<td class="number">{one.text.n:,}</td>'
        )
        for k, found in enumerate(one.pairs[0]):
            yield (
                f'<td><button type="button" data-text="{number}" data-hyp="{k}">'
                f"{counted(found)}</button></td>"
            )
        yield "</tr>"
    yield "</tbody></table></div>"


def _table(table: Table, label: str, told: str = "") -> Iterator[str]:
    yield f'<div class="sheet" tabindex="0" role="region" aria-label="{label}">'
    yield '<table class="plain"><thead><tr>'
    yield "".join(f'<th scope="col">{held(name)}</th>' for name in table.head)
    yield "</tr></thead><tbody>"
    for row in table.rows:
        # A value and its interval stay in one line.
        shown = (cell.replace(" ", "\N{NO-BREAK SPACE}") for cell in row[1:])
        cells = "".join(f"<td>{held(cell, MOST_OF_NAME)}</td>" for cell in shown)
        yield f'<tr><th scope="row">{held(row[0])}</th>{cells}</tr>'
    yield "</tbody></table></div>"
    for line in told.splitlines():
        yield f'<p class="quiet signature">{held(line)}</p>'


def _agreement(tables: Sequence[Table], told: str) -> Iterator[str]:
    for table in tables[:-1]:
        yield from _table(table, "Coefficients of agreement")
    yield from _table(tables[-1], "Agreement text by text", told)
