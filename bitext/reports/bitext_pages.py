"""Pages of bitexts without a gold standard: of one, or of many in a folder with an index."""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import many
from bitext.reports import pages
from bitext.reports.corpus_report import INDEX, MARK
from bitext.reports.pages import Section
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from bitext.model import Bitext
    from bitext.reports.corpus_report import Folder


def bitext_page(
    bitext: Bitext, *, name: str, part: str = "", first: int = 0, index: str = ""
) -> str:
    """Return the page of a bitext: its alignment, or its word links where it holds links.

    Parameters
    ----------
    bitext : Bitext
    name : str
        The name of the bitext in the heading.
    part : str
        What follows the name in the heading.
    first : int
        The number of the first bisegment.
    index : str, optional
        The address of the index of this page.

    Returns
    -------
    str
        HTML, the same for the same input.

    """
    from bitext.formats.word_links import holds_links

    links = bitext.alignment.word_links() if holds_links(bitext) else None
    if links is None:
        from bitext.reports.alignment.page import alignment_page

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

    Parameters
    ----------
    folder : Folder
    score : str
        What scores are, where a low one is bad: `probability`. Empty: scores are of any kind, and
        bitexts are ranked by their share of 1-1 bisegments.

    """

    def __init__(self, folder: Folder, *, score: str = "") -> None:
        self._folder, self._score = folder, score
        self._rows: list[_Listed] = []

    def add(self, bitext: Bitext, name: str) -> None:
        """Write the page of a bitext."""
        address = self._folder.add(name, bitext_page(bitext, name=name, index=INDEX))
        alignment = bitext.alignment
        src, tgt = alignment.src.lengths, alignment.tgt.lengths
        simple = float(np.mean((src == 1) & (tgt == 1))) if len(alignment) else nan
        scores = alignment.scores
        known = scores is not None and bool(len(scores)) and bool(np.isfinite(scores).all())
        mean = float(scores.mean()) if scores is not None and known else nan
        sizes = (
            alignment.src_size if bitext.src is None else len(bitext.src),
            alignment.tgt_size if bitext.tgt is None else len(bitext.tgt),
        )
        self._rows.append(_Listed(name, address, sizes, len(alignment), simple, mean))

    def finish(self, title: str) -> None:
        """Write the index: a row a bitext, the worst first."""
        ranked = sorted(self._rows, key=self._rank)
        scored = [f"mean {self._score}"] if self._score else []
        table = Table(["text", *scored, "1-1", "bisegments", "source", "target"])
        table.right = {*range(1, len(table.head))}
        for row in ranked:
            mean = [number(row.score)] if self._score else []
            sizes = [f"{size:,}" for size in (row.beads, *row.sizes)]
            table.rows.append([row.name, *mean, number(row.simple), *sizes])
        by = f"mean {self._score} of bisegments" if self._score else "share of 1-1 bisegments"
        beads = sum(row.beads for row in ranked)
        content = [
            f'<p class="quiet" {MARK}>The texts with the lowest {by} first.</p>',
            *pages.table_sheet(table, "Table of texts", links=[row.address for row in ranked]),
        ]
        summary = f"{many(len(ranked), 'text')}, {many(beads, 'bisegment')}; each text has a page."
        self._folder.finish(pages.page(title, summary, [Section("texts", "Texts", content)]))

    def _rank(self, row: _Listed) -> tuple[bool, float]:
        value = row.score if self._score else row.simple
        return isnan(value), value  # unknown ones last
