"""Segmentations as a page: strips over one axis, the errors by name, and the values of metrics.

Without JavaScript it is a static picture of the worst text, with the numbers of errors of all
texts. With it, menus choose text, reference and hypothesis, long texts zoom and scroll (only the
visible part is drawn), `n` and `p` go from error to error, and the text of a segment is shown
below.

The worst text is the one with the most boundaries that differ, over all hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from math import isnan
from typing import Any

from bitext.errors import InputError, many
from bitext.metrics.evaluation.segmentations import SegmentEvaluation
from bitext.reports import pages
from bitext.reports.agreement import (
    AgreementReport,
    agreement_caption,
    coefficient_table,
    correlation_note,
    ratio_table,
)
from bitext.reports.comparisons import caption, comparison_results, comparison_table, pair_table
from bitext.reports.lettering import visible
from bitext.reports.pages import INDEX, MARK, Folder, Section, isolated, way_up
from bitext.reports.scores.page import bars, drawn_results
from bitext.reports.segmentation import (
    KIND_NAMES,
    KINDS,
    MOST_OF_NAME,
    MOST_OF_UNIT,
    SHAPES,
    SIZES,
    ComparedText,
    ShownText,
    compared,
    counted,
    draw,
    shortened_name,
    style,
    swatch,
)
from bitext.reports.segmentation.strips import (
    key_line,
    matrix_sheets,
    matrix_style,
    place_sections,
    segment_strips,
    worst_first,
)
from bitext.reports.table import ARROWS, Table, number

# The section of the page of segmentations that shows one text: strips, key, values, errors.

_LISTED = 100  # errors in words, on a page without scripts
_SELECTS = {"text": "Text", "reference": "Reference", "hyp": "Hypothesis"}


def strip_section(
    shown: list[ComparedText],
    references: Sequence[str],
    systems: Sequence[str],
    metrics: Sequence[str],
    shift: int,
    limit: int,
) -> Iterator[str]:
    """Yield the section of the worst text in HTML: the menus, the drawing, and its errors.

    Parameters are as in `segmentation_page`; the worst text comes first.
    """
    first = shown[0]
    yield f'<p><b class="whole-name">{isolated(first.text.name, MOST_OF_UNIT)}</b></p>'
    yield '<div class="tools pickers">'
    names = {"text": [one.text.name for one in shown], "reference": references, "hyp": systems}
    for what, label in _SELECTS.items():
        if len(names[what]) > 1:
            choices = "".join(
                f'<option value="{k}">{escape(shortened_name(name))}</option>'
                for k, name in enumerate(names[what])
            )
            yield f'<label>{label} <select data-pick="{what}">{choices}</select></label>'
    yield '</div><div class="tools" role="group" aria-label="Errors and size">'
    yield from pages.buttons(
        (
            ("previous", "← Previous error", "Previous error (p)"),
            ("next", "Next error →", "Next error (n)"),
            ("zoom-out", "−", "Smaller (-)"),
            ("zoom-in", "+", "Larger (+)"),
            ("zoom-fit", "Fit", "Fit into the width (f)"),
        )
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
        yield f'<table><caption class="whose">{isolated(first.text.name, MOST_OF_UNIT)}</caption>'
        yield '<thead><tr><th scope="col">metric</th>'
        yield "".join(f'<th scope="col">{isolated(name, MOST_OF_NAME)}</th>' for name in systems)
        yield "</tr></thead><tbody>"
        for k, name in enumerate(metrics):
            cells = "".join(
                f"<td>{isolated(row[k], MOST_OF_NAME)}</td>" for row in first.text.values
            )
            yield f'<tr><th scope="row">{isolated(name, MOST_OF_NAME)}</th>{cells}</tr>'
        yield "</tbody></table></div>"
    yield "</div>"
    errors = first.pairs[0][0].errors
    yield f'<h3>Errors <span class="quiet listed">{len(errors):,}</span></h3>'
    yield '<ol class="errors" aria-label="Errors">'
    for error in errors[:_LISTED]:
        yield f"<li><b>{isolated(error.name)}</b> after unit {error.place}</li>"
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
    """Yield the explanation of the drawing."""
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
    yield (
        f" Segments are tinted by turns, to tell them apart. {pages.CHOSEN} The chosen segment, "
        "error or hypothesis.</p>"
    )


SCRIPTS = (
    "segmentation/segmentation_state.js",
    "segmentation/segmentation_drawing.js",
    "segmentation/segmentation_view.js",
    "segmentation/segmentation.js",
)

_CODED = 10  # texts drawn with all references; set by hand
_LETTERS = 3_000_000  # characters of all units of a page
_EDGES = 200_000  # edges of all texts of a page


def segmentation_page(
    texts: Iterable[ShownText],
    *,
    references: Sequence[str],
    systems: Sequence[str],
    metrics: Sequence[str] = (),
    figures: Table | None = None,
    signature: str = "",
    agreement: AgreementReport | None = None,
    results: Sequence[Section] = (),
    shift: int = 1,
    limit: int = 3,
    title: str | None = None,
    index: str = "",
    left_out: int = 0,
    most_edges: int = _EDGES,
    most_letters: int = _LETTERS,
) -> str:
    """Return the page of segmented texts as HTML, the same for the same input.

    There is one text at least, with at least one hypothesis each. Of very many the page has the
    worst, up to `most_edges` boundaries in all, but the worst in any case; after `most_letters`
    characters of units, texts are shown without them. `left_out` further texts are mentioned.

    `references` and `systems` are names, as are `metrics`, of the `values` of the texts; `figures`
    are the values over all texts, `signature` has every choice behind them, in lines, and
    `agreement` is that of the references. `shift` is the greatest shift of a boundary, `limit` the
    greatest distance of neighbours in a window of votes, both in units. `results` are further parts
    of the page; `index` is the address of its index.

    Raises `InputError` when there is no text or no hypothesis, or the numbers of names and
    segmentations differ.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation import ShownText
    >>> text = ShownText("a <b>", (Segmentation([5, 5]),), (Segmentation([4, 6]),))
    >>> html = segmentation_page([text], references=["gold"], systems=["mine"])
    >>> "a <b>" in html, "1 shifted" in html
    (False, True)

    """
    shown = _worst(list(texts), references, systems, shift)
    fitting, edges = 0, 0
    while fitting < len(shown) and (not fitting or edges + shown[fitting].edges <= most_edges):
        edges += shown[fitting].edges
        fitting += 1
    left_out += len(shown) - fitting
    shown = shown[:fitting]
    # The worst texts have their characters first.
    with_units, character_count = 0, 0
    for one in shown:
        character_count += sum(min(len(unit), MOST_OF_UNIT) for unit in one.text.units or ())
        with_units += character_count <= most_letters
    data = {
        "sizes": SIZES,
        "shapes": SHAPES,
        "kinds": KINDS,
        "kindNames": [KIND_NAMES[kind] for kind in KINDS],
        "references": [shortened_name(name) for name in references],
        "systems": [shortened_name(name) for name in systems],
        "metrics": [shortened_name(name) for name in metrics],
        "texts": [_record(one, limit, with_units=k < with_units) for k, one in enumerate(shown)],
    }
    sections = []
    if figures is not None:
        content = _table(figures, "Values over all texts", signature, kind="plain two")
        sections.append(Section("figures", "Figures", content))
    sections += results
    if agreement:
        sections.append(Section("agreement", "Agreement", _agreement(agreement)))
    drawing = strip_section(shown, references, systems, metrics, shift, limit)
    sections.append(Section("strips", "Strips", drawing))
    sections.append(Section("texts", "Texts", _texts(shown, systems, left_out, with_units)))
    if agreement:
        sections += place_sections(agreement, agreement.disagreements(), most=_CODED)
    return pages.page(
        title or "Segmentations",
        _summary(shown, references, systems, left_out) + way_up(index),
        sections,
        style=_page_style(results=bool(results)) + (matrix_style() if agreement else ""),
        script="\n".join(map(pages.asset, SCRIPTS)),
        data=data,
    )


def _page_style(*, results: bool) -> str:
    drawn = pages.asset("scores/scores.css") if results else ""
    return style() + drawn + pages.asset("segmentation/segmentation.css")


def _worst(
    texts: list[ShownText], references: Sequence[str], systems: Sequence[str], shift: int
) -> list[ComparedText]:
    if not texts or not systems:
        raise InputError("there is nothing to show: want at least one text and one hypothesis")
    for text in texts:
        sizes = (len(text.references), len(text.hyps))
        if sizes != (len(references), len(systems)):
            raise InputError(
                f"text {text.name!r:.60} has {sizes[0]} references and {sizes[1]} hypotheses, and "
                f"{len(references)} and {len(systems)} are named: want as many"
            )
    shown = [
        ComparedText(
            text,
            [[compared(gold, hyp, shift=shift) for hyp in text.hyps] for gold in text.references],
        )
        for text in texts
    ]
    return sorted(shown, key=lambda one: -one.wrong)


def _record(one: ComparedText, limit: int, *, with_units: bool) -> dict[str, Any]:
    """Return the data of a text for the script."""
    text = one.text
    votes = text.votes(limit=limit)
    record: dict[str, Any] = {
        "name": visible(text.name[:MOST_OF_UNIT]),
        "references": [side.masses.tolist() for side in text.references],
        "hyps": [side.masses.tolist() for side in text.hyps],
        "pairs": [[comparison.to_json() for comparison in row] for row in one.pairs],
        "values": [[shortened_name(value) for value in row] for row in text.values],
    }
    if votes is not None:
        record["votes"] = list(votes.votes.items())
        record["windows"] = [(w.first, w.last, w.votes) for w in votes.windows]
        scores = (text.votes(k, limit=limit) for k in range(len(text.hyps)))
        record["hits"] = [[w.candidates for w in s.windows] for s in scores if s is not None]
    if with_units and text.units is not None:
        record["units"] = [shortened_name(unit, most=MOST_OF_UNIT) for unit in text.units]
    elif text.units is not None:
        record["unread"] = True
    return record


def _summary(
    texts: list[ComparedText], references: Sequence[str], systems: Sequence[str], left_out: int
) -> str:
    count = many(len(texts) + left_out, "text")
    sides = f"{many(len(references), 'reference')} and {len(systems):,} "
    sides += "hypotheses" if len(systems) > 1 else "hypothesis"
    return f"{count} with {sides}; of each text where they differ, the worst text first."


def _texts(
    texts: list[ComparedText], systems: Sequence[str], left_out: int, with_units: int
) -> Iterator[str]:
    if left_out:
        yield f'<p class="quiet">The worst {len(texts):,}; {left_out:,} more are not shown.</p>'
    unread = sum(one.text.units is not None for one in texts[with_units:])
    if unread:
        yield (
            f'<p class="quiet">What the units say is left out of {many(unread, "text")}, for a '
            "page that stays small; those that differ most have it first.</p>"
        )
    yield from pages.sheet("Texts, the worst first", _text_rows(texts, systems))


def _text_rows(texts: list[ComparedText], systems: Sequence[str]) -> Iterator[str]:
    yield '<thead><tr><th scope="col">text</th><th scope="col">units</th>'
    yield "".join(f'<th scope="col">{isolated(name, MOST_OF_NAME)}</th>' for name in systems)
    yield "</tr></thead><tbody>"
    for index, one in enumerate(texts):
        name = isolated(one.text.name, MOST_OF_UNIT)
        yield (
            f'<tr><th scope="row"><button type="button" data-text="{index}">{name}</button></th>'
            f'<td class="number">{one.text.n:,}</td>'
        )
        for k, comparison in enumerate(one.pairs[0]):
            yield (
                f'<td><button type="button" data-text="{index}" data-hyp="{k}">'
                f"{counted(comparison)}</button></td>"
            )
        yield "</tr>"
    yield "</tbody>"


def _table(table: Table, label: str, note: str = "", *, kind: str = "plain") -> Iterator[str]:
    yield from pages.table_sheet(table, label, longest=MOST_OF_NAME, kind=kind)
    yield from pages.quiet_lines(note.splitlines())


def _agreement(agreement: AgreementReport) -> Iterator[str]:
    yield from _table(coefficient_table(agreement), "Coefficients of agreement")
    if agreement.shows_pairs:
        yield from matrix_sheets(agreement)
    note = f"{correlation_note(agreement)}\n{agreement_caption(agreement)}"
    yield from _table(ratio_table(agreement), "Agreement text by text", note)


# The page of an evaluation of segmentations.

_MOST_TEXTS = 300  # texts of a page
_LIMIT = 3  # default limit of WiSeBE


def evaluation_page(
    evaluation: SegmentEvaluation,
    *,
    references: Sequence[str],
    units: Mapping[int, Sequence[str]] | None = None,
    averages: Sequence[str] = ("micro",),
    agreement: AgreementReport | None = None,
    shift: int = 1,
    title: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return the page of an evaluation: its worst texts, and the figures over all texts.

    The evaluation has at least one system. `references` are names, `units` those of the texts whose
    characters are known, `agreement` is that of the references, and `shift` the greatest shift of a
    boundary, in units. `notes` are further ones for a reader of the figures.
    """
    texts = shown_texts(evaluation, units or {}, most=_MOST_TEXTS)
    return segmentation_page(
        texts,
        references=references,
        systems=evaluation.systems,
        metrics=_metrics(evaluation),
        results=_results(evaluation, averages),
        figures=comparison_table(evaluation, averages, texts=False),
        signature=caption(evaluation, averages) + "".join(f"{note}\n" for note in notes),
        agreement=agreement,
        shift=shift,
        limit=_limit(evaluation),
        title=title or f"{', '.join(evaluation.systems)} against {', '.join(references)}",
        left_out=len(evaluation.texts) - len(texts),
    )


def write_evaluation(
    folder: Folder,
    evaluation: SegmentEvaluation,
    *,
    references: Sequence[str],
    units: Mapping[int, Sequence[str]] | None = None,
    averages: Sequence[str] = ("micro",),
    agreement: AgreementReport | None = None,
    shift: int = 1,
    notes: Sequence[str] = (),
) -> None:
    """Write the pages of an evaluation: a page for each text, and an index with the figures.

    Parameters are as in `evaluation_page`.
    """
    systems, metrics = evaluation.systems, _metrics(evaluation)
    against = f"{', '.join(systems)} against {', '.join(references)}"
    error_columns = [f"errors, {name}" for name in systems]
    values = [f"{metric}, {name}" for metric in metrics for name in systems]
    text_table = Table(["text", "units", *error_columns, *values])
    text_table.right = {*range(1, len(text_table.head))}
    addresses = []
    for text in shown_texts(evaluation, units or {}, most=len(evaluation.texts)):
        figures = Table(["metric", *systems], right={*range(1, len(systems) + 1)})
        figures.rows = [
            [metric, *(row[m] for row in text.values)] for m, metric in enumerate(metrics)
        ]
        html = segmentation_page(
            [text],
            references=references,
            systems=systems,
            figures=figures,
            shift=shift,
            limit=_limit(evaluation),
            title=f"{text.name}: {against}",
            index=INDEX,
        )
        addresses.append(folder.add(text.name, html))
        pairs = (compared(text.references[0], hyp, shift=shift) for hyp in text.hyps)
        errors = [f"{len(pair.errors):,}" for pair in pairs]
        by_metric = [row[m] for m in range(len(metrics)) for row in text.values]
        text_table.rows.append([text.name, f"{text.n:,}", *errors, *by_metric])
    signature = caption(evaluation, averages) + "".join(f"{note}\n" for note in notes)
    figures = comparison_table(evaluation, averages, texts=False)
    content = _table(figures, "Values over all texts", signature, kind="plain two")
    sections = [Section("figures", "Figures", content), *_results(evaluation, averages)]
    if agreement is not None:
        sections.append(Section("agreement", "Agreement", _agreement(agreement)))
    note = f"The text with the most boundaries that differ from {references[0]} first."
    rows = pages.table_sheet(text_table, "Texts, the worst first", links=addresses)
    listing = [f'<p class="quiet" {MARK}>{isolated(note)}</p>', *rows]
    sections.append(Section("texts", "Texts", listing))
    size = f"{many(len(addresses), 'text')} with {many(len(references), 'reference')}"
    folder.finish(
        pages.page(
            against,
            f"{size}; each text has a page.",
            sections,
            style=_page_style(results=True) + (matrix_style() if agreement is not None else ""),
        )
    )


def _metrics(evaluation: SegmentEvaluation) -> list[str]:
    return [
        f"{label} {ARROWS[metric.metric.better]}"
        for m, metric in enumerate(evaluation.metrics)
        for label in evaluation.scored(0, m).labels
    ]


def _results(evaluation: SegmentEvaluation, averages: Sequence[str]) -> list[Section]:
    """Return the sections of bars, and of all pairs of systems where they are tested."""
    results = comparison_results(evaluation, averages[:1], texts=False)
    scores = drawn_results(results, evaluation.systems)
    # Bars go from 0 to 1; a metric with other values has none.
    out_of_range = {
        row.measure
        for row in scores.rows
        for value in row.figures[0][:3]
        if not (isnan(value) or 0 <= value <= 1)
    }
    measures = tuple(measure for measure in scores.measures if measure not in out_of_range)
    sections = []
    if measures:
        figure = f"<figure>{bars(replace(scores, measures=measures), 0, name='value')}</figure>"
        sections.append(Section("bars", "Bars", [figure]))
    if evaluation.options.pairs:
        sections += pages.pairs_section(pair_table(evaluation, averages))
    return sections


def shown_texts(
    evaluation: SegmentEvaluation, units: Mapping[int, Sequence[str]], *, most: int
) -> list[ShownText]:
    """Return the texts with the most differing boundaries, over all systems, worst first."""
    order = worst_first(evaluation.references[0], evaluation.hyps)[0][:most]
    values = [_values(evaluation, s, order) for s in range(len(evaluation.systems))]
    return [
        ShownText(
            evaluation.texts[t],
            tuple(table.at(t) for table in evaluation.references),
            tuple(table.at(t) for table in evaluation.hyps),
            tuple(units[t]) if t in units else None,
            tuple(rows[k] for rows in values),
        )
        for k, t in enumerate(order)
    ]


def worst_strips(
    evaluation: SegmentEvaluation,
    *,
    references: Sequence[str],
    most: int,
    shift: int = 1,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    """Yield strips of the worst texts of each system against the first reference, and a key.

    `references` are the names of the references, and `most` is the number of texts of each system.
    `shift`, `width`, `colour` and `plain` are as in `segment_strips`.
    """
    limit, number = _limit(evaluation), 0
    for name, hyp in zip(evaluation.systems, evaluation.hyps, strict=True):
        order, error_counts = worst_first(evaluation.references[0], [hyp])
        for t in order[: sum(count > 0 for count in error_counts[:most])]:
            number += 1
            text = ShownText(
                f"{number}. {name}, {evaluation.texts[t]}",
                tuple(table.at(t) for table in evaluation.references),
                (hyp.at(t),),
            )
            yield from segment_strips(
                text,
                names=(references[0], name),
                shift=shift,
                limit=limit,
                width=width,
                colour=colour,
                plain=plain,
            )
            yield ""
    yield key_line(colour=colour, plain=plain) if number else "no text differs from the reference"


def _limit(evaluation: SegmentEvaluation) -> int:
    """Return the limit of windows: that of the requested WiSeBE, or its default."""
    limits = [m.bound["limit"] for m in evaluation.metrics if m.name == "wisebe"]
    return int(limits[0]) if limits else _LIMIT


def _values(evaluation: SegmentEvaluation, s: int, order: list[int]) -> list[tuple[str, ...]]:
    rows: list[list[str]] = [[] for _ in order]
    for m in range(len(evaluation.metrics)):
        scored = evaluation.scored(s, m)
        figures = scored.figures(scored.flat[order], evaluation.options.zero_division)
        for row, values in zip(rows, figures.tolist(), strict=True):
            row += ["undefined" if isnan(value) else number(value) for value in values]
    return [tuple(row) for row in rows]
