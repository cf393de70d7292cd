"""The section of the page of segmentations that shows one text: strips, key, values, errors."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bitext.reports.pages import held
from bitext.reports.segmentation_data import (
    KIND_NAMES,
    KINDS,
    MOST_OF_NAME,
    MOST_OF_UNIT,
    shortened,
)
from bitext.reports.segmentation_marks import swatch
from bitext.reports.segmentation_svg import draw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.reports.segmentation_data import ComparedText

__all__ = ["strips"]

_LISTED = 100  # errors in words, without scripts
_SELECTS = {"text": "Text", "reference": "Reference", "hyp": "Hypothesis"}


def strips(
    told: list[ComparedText],
    references: Sequence[str],
    systems: Sequence[str],
    metrics: Sequence[str],
    shift: int,
    limit: int,
) -> Iterator[str]:
    """Yield the section of the worst text in HTML: what is chosen, the drawing, and its errors.

    Parameters are as of `bitext.reports.segmentation_page.segmentation_page`; the worst text comes
    first.
    """
    first = told[0]
    yield f'<p><b class="whole-name">{held(first.text.name, MOST_OF_UNIT)}</b></p>'
    yield '<div class="tools pickers">'
    names = {"text": [one.text.name for one in told], "reference": references, "hyp": systems}
    for what, label in _SELECTS.items():
        if len(names[what]) > 1:
            choices = "".join(
                f'<option value="{k}">{escape(shortened(name))}</option>'
                for k, name in enumerate(names[what])
            )
            yield f'<label>{label} <select data-pick="{what}">{choices}</select></label>'
    yield '</div><div class="tools" role="group" aria-label="Errors and size">'
    for deed, sign, label in (
        ("previous", "← Previous error", "Previous error (p)"),
        ("next", "Next error →", "Next error (n)"),
        ("zoom-out", "−", "Smaller (-)"),
        ("zoom-in", "+", "Larger (+)"),
        ("zoom-fit", "Fit", "Fit into the width (f)"),
    ):
        yield (
            f'<button type="button" data-do="{deed}" aria-label="{label}" title="{label}">'
            f"{sign}</button>"
        )
    yield (
        '<span class="quiet">Keys: n p for errors, + − f for the size; in the drawing arrows for '
        "segments.</span></div>"
    )
    yield from _key()
    yield '<div class="beside"><div>'
    yield '<div class="view" tabindex="0" role="region" aria-label="Drawing of the segments">'
    yield draw(
        first.text,
        references=references,
        systems=systems,
        shift=shift,
        limit=limit,
        standalone=False,
    ).rstrip()
    yield '</div><div class="detail" tabindex="0" role="region" aria-label="What is chosen"></div>'
    yield from _reading(several=len(references) > 1)
    yield "</div>"
    if metrics:
        yield '<div class="values" tabindex="0" role="region" aria-label="Values of metrics">'
        yield f'<table><caption class="whose">{held(first.text.name, MOST_OF_UNIT)}</caption>'
        yield '<thead><tr><th scope="col">metric</th>'
        yield "".join(f'<th scope="col">{held(name, MOST_OF_NAME)}</th>' for name in systems)
        yield "</tr></thead><tbody>"
        for k, name in enumerate(metrics):
            cells = "".join(f"<td>{held(row[k], MOST_OF_NAME)}</td>" for row in first.text.values)
            yield f'<tr><th scope="row">{held(name, MOST_OF_NAME)}</th>{cells}</tr>'
        yield "</tbody></table></div>"
    yield "</div>"
    errors = first.pairs[0][0].errors
    yield f'<h3>Errors <span class="quiet listed">{len(errors):,}</span></h3>'
    yield '<ol class="errors" aria-label="Errors">'
    for error in errors[:_LISTED]:
        yield f"<li><b>{held(error.name)}</b> after unit {error.place}</li>"
    yield "</ol>"


def _key() -> Iterator[str]:
    yield '<div class="tools kinds" role="group" aria-label="Kinds of errors that are shown">'
    for k, kind in enumerate(KINDS):
        yield (
            f'<label><input type="checkbox" checked data-kind="{k}">{swatch(kind)}'
            f"{KIND_NAMES[kind]}</label>"
        )
    yield f'<span class="just">{swatch("right")}right</span>'
    yield '</div><ul class="key" aria-label="Key">'
    for kind in ("right", *KINDS):
        yield f"<li>{swatch(kind)}{KIND_NAMES.get(kind, kind)}</li>"
    yield "</ul>"


def _reading(*, several: bool) -> Iterator[str]:
    """Tell how the drawing is read."""
    yield (
        '<p class="quiet">Lines join segments that are closest to each other, the stronger the '
        "more they share: 3/5 is three units of five. Dashed: only one of the two is closest to "
        "the other."
    )
    if several:
        yield (
            " Bars count the references that have a boundary; a frame is a window, solid where the "
            "hypothesis has a boundary in it."
        )
    yield "</p>"
