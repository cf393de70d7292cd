"""Figures of values in notebooks, as on the pages, without any script.

`html` returns the HTML of a value, at most about 200 KB: bitexts and comparisons of alignments as
their first rows with ribbons, segment alignments as strips, word links as grids, lattices as
graphs, and tables. Scores over many texts are a table, for segmentations with a drawing of the
worst text. Styles are limited to the classes of each figure, so that they change nothing else in a
notebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from math import isnan, nan

import numpy as np

from bitext.errors import many
from bitext.kernels.arrays import take
from bitext.kernels.overlap import Beads
from bitext.metrics.arcade import ArcadeScores
from bitext.metrics.common_ground import Side
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.metrics.evaluation.segmentations import SegmentEvaluation
from bitext.metrics.segmentation.boundary_edits import BoundaryEdits
from bitext.metrics.segmentation.segment_alignment import SegmentAlignment
from bitext.model import Alignment, Bitext, Lattice, Segmentation, Text, WordLinks
from bitext.reports.agreement import (
    AgreementReport,
    agreement_caption,
    coefficient_table,
    matrix_table,
)
from bitext.reports.alignment import overlaid
from bitext.reports.alignment.page import draw as draw_pairs
from bitext.reports.pages import isolated
from bitext.reports.table import Table, number

_LARGEST = 200_000  # bytes of a figure
_BEADS = 2_000  # bisegments searched for the first rows
_NODES = 600  # nodes of a lattice that is drawn
_ROWS = 200  # rows of a table
_CELL = 200  # characters of a cell
_GRIDS = 24  # sentence pairs of word links that are drawn
_WORDS = 60  # words of a side of a grid
_SQUARE = 8  # pixels of a word in a grid


@singledispatch
def html(value: object) -> str | None:
    """Return a value as HTML for a notebook; `None` for a value without a figure.

    Examples
    --------
    >>> bitext = Bitext(Text(["Yes."]), Text(["Oui."]), Alignment([((0,), (0,))]))
    >>> html(bitext).count('class="ribbon'), html("text")
    (1, None)

    """
    del value
    return None


@html.register
def _bitext(value: Bitext) -> str:
    size = len(value.alignment)
    head = value.alignment.between(0, min(size, _BEADS))
    caption = f"{isolated(value.name, 80) or 'Bitext'}: {many(size, 'bisegment')}"
    picture = draw_pairs(overlaid(Bitext(value.src, value.tgt, head)))
    return _figure(caption, picture)


@html.register
def _word_links(value: WordLinks) -> str:
    """Return the first sentence pairs as grids: one row per source word, one square per link."""
    pairs, links = len(value), value.src.size
    caption = f"Word links: {many(pairs, 'sentence pair')}, {many(links, 'link')}"
    if pairs > _GRIDS:
        caption += f"; the first {_GRIDS}"
    style = ".bitext-grids svg{margin:4px 12px 4px 0;vertical-align:top}"
    grids = "".join(_grid(pair, k) for k, pair in enumerate(value[:_GRIDS]))
    return _figure(caption, f'<style>{style}</style><div class="bitext-grids">{grids}</div>')


def _grid(pair: WordLinks, number: int) -> str:
    """Draw the links of a sentence pair; those only possible are hollow, improbable ones pale."""
    sizes = [
        max(1 + int(side.max(initial=-1)), 0 if known is None else int(known[0]))
        for side, known in ((pair.src, pair.src_sizes), (pair.tgt, pair.tgt_sizes))
    ]
    high, wide = (min(size, _WORDS) * _SQUARE for size in sizes)
    squares = []
    chances = [nan] * pair.src.size if pair.confidences is None else pair.confidences.tolist()
    for i, j, sure, chance in zip(
        pair.src.tolist(), pair.tgt.tolist(), pair.sure.tolist(), chances, strict=True
    ):
        if not (0 <= i < _WORDS and 0 <= j < _WORDS):
            continue
        opacity = 0.25 + 0.75 * chance if 0 <= chance <= 1 else 1
        known = "" if isnan(chance) else f" {chance:.4g}"
        fill = 'fill="currentColor"' if sure else 'fill="none" stroke="currentColor"'
        squares.append(
            f'<rect x="{j * _SQUARE + 1}" y="{i * _SQUARE + 1}" width="{_SQUARE - 2}" '
            f'height="{_SQUARE - 2}" {fill} opacity="{opacity:.2f}"><title>{i}-{j}{known}</title>'
            f"</rect>"
        )
    return (
        f'<svg width="{wide + 2}" height="{high + 16}" viewBox="-1 -15 {wide + 2} {high + 16}" '
        f'role="img" aria-label="Links of pair {number}" style="overflow:visible">'
        f'<text x="0" y="-4" font-size="10" fill="currentColor">{number}</text>'
        f'<rect x="0" y="0" width="{wide}" height="{high}" fill="none" stroke="currentColor" '
        f'stroke-opacity="0.3"/>{"".join(squares)}</svg>'
    )


@html.register
def _arcade(value: ArcadeScores) -> str:
    table = Table(["granularity", "precision", "recall", "F1"], right={1, 2, 3})
    for measure in value:
        scores = value[measure]
        row = (scores.precision, scores.recall, scores.f1)
        table.rows.append([measure, *map(number, row)])
    ground = value.comparison.ground
    src, tgt = _text(ground.src), _text(ground.tgt)
    gold, hyp = (_head(beads) for beads in (ground.gold, ground.hyp))
    picture = draw_pairs(overlaid(Bitext(src, tgt, gold), {"hypothesis": hyp}), hyp=1)
    legend = "● agreed, ○ missed, ✕ wrong, ◐ partly right, ◑ partly found"
    return table_html(table) + _figure(legend, picture)


@html.register
def _segments(value: SegmentAlignment) -> str:
    from bitext.reports.segmentation import ShownText, draw

    gold, hyp = (Segmentation(np.diff(s.bounds)) for s in (value.pairs.gold, value.pairs.hyp))
    return _figure("Segment alignment", draw(ShownText("", (gold,), (hyp,))))


@html.register(Evaluation)
def scores_html(value: Evaluation, averages: Sequence[str] = ("micro",)) -> str:
    """Return the table of the scores of alignments as HTML, under its caption."""
    from bitext.reports.scores.figures import (
        caption,
        score_table,
        similarity_caption,
        similarity_results,
    )

    if not value.texts:
        return lines_html("no text was scored yet")
    table = score_table(value, averages, texts=False)
    shown = lines_html(caption(value, averages)) + table_html(table)
    if value.similar:
        similar = similarity_results(value, averages, texts=False).table()
        shown += lines_html(similarity_caption(value, averages)) + table_html(similar)
    return shown


@html.register(SegmentEvaluation)
def comparison_html(value: SegmentEvaluation, averages: Sequence[str] = ("micro",)) -> str:
    """Return the table of metrics of segmentations as HTML, with a drawing of the worst text."""
    from bitext.reports.comparisons import caption, comparison_table
    from bitext.reports.segmentation import draw
    from bitext.reports.segmentation.page import shown_texts

    if not value.texts or not value.systems:
        return lines_html("no text was scored")
    table = comparison_table(value, averages, texts=False)
    (worst,) = shown_texts(value, {}, most=1)
    picture = draw(worst, systems=value.systems)
    name = f"Where most boundaries differ: {isolated(worst.name, 80)}"
    return lines_html(caption(value, averages)) + table_html(table) + _figure(name, picture)


@html.register
def agreement_html(value: AgreementReport) -> str:
    """Return the tables of agreement as HTML, with a drawing of the text of most differences."""
    from bitext.metrics.coder_differences import worst_texts
    from bitext.reports.segmentation import draw_coders

    shown = lines_html(agreement_caption(value)) + table_html(coefficient_table(value))
    for pairs in value.pairs if value.shows_pairs else ():
        shown += table_html(matrix_table(value, pairs))
    places = value.disagreements()
    for text in worst_texts(places)[:1]:
        text_places = [place for place in places if place.text == text]
        name, row = value.texts[text], value.coded.codings[text]
        picture = draw_coders(name, row, text_places, coders=value.coders)
        shown += _figure(f"Where most coders differ: {isolated(name, 80)}", picture)
    return shown


@html.register
def _edits(value: BoundaryEdits) -> str:
    """Return the boundaries from left to right; `shifted` is a transposition."""
    rows = [(m.position, "right", m.position, m.position, m.type) for m in value.matches]
    for a in value.additions:
        missing = a.side == "gold"
        kind, places = ("missing", (a.position, "")) if missing else ("extra", ("", a.position))
        rows.append((a.position, kind, *places, a.type))
    rows += [(t.gold, f"shifted by {t.hyp - t.gold:+d}", *t) for t in value.transpositions]
    rows += [
        (s.position, "of another type", s.position, s.position, f"{s.gold} → {s.hyp}")
        for s in value.substitutions
    ]
    rows.sort(key=lambda row: row[0])
    table = Table(["boundary", "gold", "hypothesis", "type"], right={1, 2})
    table.rows += [["" if cell is None else str(cell) for cell in row[1:]] for row in rows]
    if not any(row[-1] for row in table.rows):
        table = Table(table.head[:-1], right={1, 2}, rows=[row[:-1] for row in table.rows])
    return lines_html(repr(value).strip("<>")) + table_html(table)


@html.register
def _lattice(value: Lattice) -> str:
    from bitext.reports.lattice.drawing import draw

    caption = f"Word lattice: {len(value.cluster)} sentences on {len(value) - 2:,} nodes"
    if len(value) > _NODES:
        return _figure(caption, "")
    return _figure(caption, draw(value))


@html.register
def table_html(value: Table) -> str:
    """Return a table as HTML with the classes `bitext-table` and `right`."""
    rows = [_row("th", value.head, value.right)]
    rows += [_row("td", row, value.right) for row in value.rows[:_ROWS]]
    omitted = len(value.rows) - _ROWS
    note = f"<p>... and {omitted:,} more rows</p>" if omitted > 0 else ""
    style = (
        ".bitext-table{border-collapse:collapse}"
        ".bitext-table th,.bitext-table td{padding:2px 10px 2px 0;text-align:left}"
        ".bitext-table .right{text-align:right;font-variant-numeric:tabular-nums}"
    )
    return (
        f'<style>{style}</style><table class="bitext-table"><thead>{rows[0]}</thead>'
        f"<tbody>{''.join(rows[1:])}</tbody></table>{note}"
    )


def _row(tag: str, cells: Sequence[str], right: set[int]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    ends = [' class="right"' if k in right else "" for k in range(len(cells))]
    cells_html = (
        f"<{tag}{scope}{end}>{isolated(cell, _CELL)}</{tag}>"
        for end, cell in zip(ends, cells, strict=True)
    )
    return f"<tr>{''.join(cells_html)}</tr>"


def lines_html(lines: str) -> str:
    """Return lines as paragraphs of HTML."""
    return "".join(f"<p>{isolated(line)}</p>" for line in lines.splitlines())


def _figure(caption: str, picture: str) -> str:
    """Put a picture under its caption; leave out a picture that is too large."""
    if len(picture.encode()) > _LARGEST:
        picture = ""
    rest = picture or "<p>Too large for a notebook: write it as a page.</p>"
    return f'<div class="bitext-figure"><p>{caption}</p>{rest}</div>'


def _text(side: Side) -> Text | None:
    """Return the segments of the common ground as a text; `None` without characters."""
    if not side.texts:
        return Text.of_ids(side.names) if side.names else None
    names = [side.label(k) for k in range(side.size)]
    ids = names if len(set(names)) == len(names) else None  # pieces share the id of their segment
    return Text([side.segment(k) for k in range(side.size)], ids=ids)


def _head(beads: Beads) -> Alignment:
    """Return the first bisegments, without those that have no segment."""
    nonempty = np.flatnonzero((beads.src.lengths > 0) | (beads.tgt.lengths > 0))
    chosen = nonempty[:_BEADS]
    return Alignment.from_arrays(take(beads.src, chosen), take(beads.tgt, chosen))
