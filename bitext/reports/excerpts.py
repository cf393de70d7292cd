"""A part of a bitext: some bisegments that follow one another, with the segments around them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.errors import OptionError
from bitext.kernels.rows import Rows
from bitext.model import Alignment, Text

if TYPE_CHECKING:
    from bitext.model import Bitext

__all__ = ["excerpt"]


def excerpt(bitext: Bitext, first: int, last: int) -> Bitext:
    """Return the bisegments `first` to `last`, both with them, over their part of the texts.

    Segments keep their identifiers; without any they are named by their index in the whole text.
    A `last` beyond the end means the end.

    Raises
    ------
    OptionError
        When there is no bisegment `first`, or `last` comes before it.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> whole = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), ())])
    >>> part = excerpt(Bitext(Text(["a", "b", "c"]), Text(["A", "B"]), whole), 1, 2)
    >>> list(part.src.segments()), list(part.src.ids), list(part.alignment)
    (['b', 'c'], ['1', '2'], [Bisegment(src=(0,), tgt=(0,)), Bisegment(src=(1,), tgt=())])

    """
    size = len(bitext.alignment)
    if not 0 <= first < size:
        there = f"want one from 0 to {size - 1}" if size else "the alignment is empty"
        raise OptionError(f"there is no bisegment {first}: {there}")
    if last < first:
        raise OptionError(f"bisegments {first} to {last}: want the first, then the last")
    part = bitext.alignment.between(first, min(last + 1, size))
    (src, src_rows), (tgt, tgt_rows) = (
        _cut(text, rows) for text, rows in ((bitext.src, part.src), (bitext.tgt, part.tgt))
    )
    alignment = Alignment.from_arrays(src_rows, tgt_rows, scores=part.scores)
    return replace(bitext, src=src, tgt=tgt, alignment=alignment, lines=None)


def _cut(text: Text | None, rows: Rows) -> tuple[Text, Rows]:
    """Return the segments from the first to the last that is held, and where they are now."""
    begin = int(rows.idx.min()) if rows.idx.size else 0
    end = int(rows.idx.max()) + 1 if rows.idx.size else 0
    moved = Rows(rows.ptr, rows.idx - begin)
    if text is None or not text.has_ids:
        ids = [str(k) for k in range(begin, end)]
    else:
        ids = list(text.ids[begin:end])
    if text is None:
        return Text.of_ids(ids), moved
    if not text.has_text:
        return Text.of_ids(ids, name=text.name, lang=text.lang), moved
    return Text(list(text.segments())[begin:end], ids=ids, name=text.name, lang=text.lang), moved
