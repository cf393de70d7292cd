"""The error study as a page: a figure an error type, all shares as tables, and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.reports import pages
from bitext.reports.pages import Section, held
from bitext.reports.study_svg import TITLES, draw, style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.metrics.error_study import Row

__all__ = ["study_page"]

_MEANING = {
    "cross": "One hypothesis shifts a boundary softly; the other moves one as far, over exactly "
    "one neighbour.",
    "vanishing": "One hypothesis shifts a boundary softly; the other shifts the same one farther.",
    "constant-cost": "One hypothesis shifts a boundary softly; the other shifts one as far, and "
    "hard.",
}


def study_page(rows: Sequence[Row], *, signature: str = "", title: str | None = None) -> str:
    """Return the page of an error study as HTML.

    Parameters
    ----------
    rows : sequence of Row
        As `bitext.metrics.error_study.study_errors` gives them.
    signature : str
        How the figures were made.
    title : str, optional
        The heading.

    Returns
    -------
    str
        The same for the same rows.

    Examples
    --------
    >>> from bitext.metrics.error_metrics import StudiedMetric
    >>> from bitext.metrics.error_study import study_errors
    >>> from bitext.metrics.named import parse_metrics
    >>> html = study_page(study_errors(map(StudiedMetric, parse_metrics(["pk"])), 5, 8))
    >>> html.count("<svg"), html.count("<script")
    (3, 0)

    """
    errors = list(dict.fromkeys(row.error for row in rows))
    sizes = sorted({row.n for row in rows})
    metrics = list(dict.fromkeys(row.metric.label for row in rows))
    span = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
    summary = (
        f"For how many references of {span} units {len(metrics)} "
        f"metric{'s' * (len(metrics) != 1)} score two hypotheses equally that differ in worth. A "
        "shift is soft when both segments keep a Jaccard index above 1/2, hard when both fall "
        "below."
    )
    sections = [
        Section("figures", "Figures", _figures(rows, errors)),
        Section("shares", "Shares", _shares(rows, errors, metrics, sizes)),
        Section("examples", "Examples", _examples(rows, signature)),
    ]
    look = style() + pages.asset("study_page.css")
    return pages.page(title or "Errors of segmentation metrics", summary, sections, style=look)


def _figures(rows: Sequence[Row], errors: Sequence[str]) -> Iterator[str]:
    yield '<div class="charts">'
    for error in errors:
        yield f"<figure>{draw(rows, error, standalone=False).rstrip()}"
        yield f"<figcaption>{_MEANING.get(error, '')}</figcaption></figure>"
    yield "</div>"


def _shares(
    rows: Sequence[Row], errors: Sequence[str], metrics: Sequence[str], sizes: Sequence[int]
) -> Iterator[str]:
    found = {(row.error, row.metric.label, row.n): row for row in rows}
    yield '<p class="quiet">References that a metric errs on, in per cent of all of n units.</p>'
    for error in errors:
        yield f"<h3>{held(TITLES.get(error, error))}</h3>"
        yield f'<div class="sheet" tabindex="0" role="region" aria-label="Shares: {error}">'
        yield '<table><thead><tr><th scope="col">n</th>'
        yield "".join(f'<th scope="col">{n}</th>' for n in sizes)
        yield "</tr></thead><tbody>"
        for metric in metrics:
            cells = (found.get((error, metric, n)) for n in sizes)
            shown = "".join(
                f"<td>{'-' if row is None else f'{100 * row.share:.2f}'}</td>" for row in cells
            )
            yield f'<tr><th scope="row">{held(metric)}</th>{shown}</tr>'
        yield "</tbody></table></div>"


def _examples(rows: Sequence[Row], signature: str) -> Iterator[str]:
    """Give the smallest reference that each metric errs on by each type."""
    smallest: dict[tuple[str, str], Row] = {}
    for row in sorted(rows, key=lambda row: row.n):
        if row.example is not None:
            smallest.setdefault((row.error, row.metric.label), row)
    yield (
        '<p class="quiet">The smallest reference that a metric errs on, as masses, with two '
        "hypotheses that it scores equally.</p>"
    )
    yield '<div class="sheet" tabindex="0" role="region" aria-label="Table of examples">'
    yield "<table><thead><tr>"
    yield '<th scope="col">metric</th><th scope="col" class="text">error</th><th scope="col">n</th>'
    for name in ("reference", "h1", "h2"):
        yield f'<th scope="col" class="text">{name}</th>'
    yield "</tr></thead><tbody>"
    asked = list(dict.fromkeys((row.error, row.metric.label) for row in rows))
    for error, label in (key for key in asked if key in smallest):
        row = smallest[error, label]
        masses = "".join(
            f'<td class="text">{held(", ".join(map(str, side)))}</td>' for side in row.example or ()
        )
        yield (
            f'<tr><th scope="row">{held(label)}</th><td class="text">{error}</td>'
            f"<td>{row.n}</td>{masses}</tr>"
        )
    yield "</tbody></table></div>"
    if not smallest:
        yield "<p>No metric here errs on any reference.</p>"
    if signature:
        yield f'<p class="quiet signature">{held(signature)}</p>'
