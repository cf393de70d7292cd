"""The columns of a text, laid side by side as the sparse rows of its sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.text_features import NodeRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.segment.learned_columns import Learned, Placed

__all__ = ["node_rows"]

_BLOCK = 8192  # rows filled at once, so that little memory is needed beside them


def node_rows(placed: Sequence[tuple[Learned, Placed]], n: int) -> NodeRows:
    """Return the rows of n sentences, each with the columns of itself and of its neighbours.

    The columns are in the order of their weights, those of one weight a sentence first. What would
    stand beyond the ends of the text is left out.
    """
    single = [(learned, found) for learned, found in placed if found.ptr is None]
    weights, values = _table(single, n)
    here = np.count_nonzero(weights >= 0, axis=1)
    lengths = here.copy()
    spans = []
    for learned, found in placed:
        if found.ptr is None:
            continue
        for step, offset in enumerate(learned.offsets):
            begin, end = max(0, -offset), max(0, min(n, n - offset))
            if begin < end:
                rows = found.ptr[begin + offset : end + offset + 1]
                spans.append((learned.first + step * learned.size, begin, end, rows, found))
                lengths[begin:end] += np.diff(rows)
    ptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(lengths, out=ptr[1:])
    idx = np.empty(int(ptr[-1]), dtype=np.int64)
    out = np.ones(len(idx))
    filled = ptr[:-1].copy()
    for at in range(0, n, _BLOCK):
        block = slice(at, at + _BLOCK)
        there = weights[block] >= 0
        place = _places(filled[block], here[block])
        idx[place] = weights[block][there]
        if values is not None:
            out[place] = values[block][there]
    filled += here
    for first, begin, end, rows, found in spans:
        place = _places(filled[begin:end], np.diff(rows))
        entries = slice(rows[0], rows[-1])
        idx[place] = found.idx[entries] + first
        if found.values is not None:
            out[place] = found.values[entries]
        filled[begin:end] += np.diff(rows)
    return NodeRows(ptr, idx, out)


def _table(
    single: Sequence[tuple[Learned, Placed]], n: int
) -> tuple[NDArray[np.int32], NDArray[np.float64] | None]:
    """Return the weights of the columns with one a sentence, -1 for none, and their values."""
    width = sum(len(learned.offsets) for learned, _ in single)
    weights = np.full((n, width), -1, dtype=np.int32)
    values = None
    if any(found.values is not None for _, found in single):
        values = np.ones((n, width))
    at = 0
    for learned, found in single:
        for step, offset in enumerate(learned.offsets):
            begin, end = max(0, -offset), max(0, min(n, n - offset))
            codes = found.idx[begin + offset : end + offset]
            first = learned.first + step * learned.size
            weights[begin:end, at] = np.where(codes >= 0, codes + first, -1)
            if values is not None and found.values is not None:
                values[begin:end, at] = found.values[begin + offset : end + offset]
            at += 1
    return weights, values


def _places(begins: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of runs, each from its beginning on."""
    before = np.cumsum(sizes) - sizes
    places: NDArray[np.int64] = np.arange(int(sizes.sum())) + np.repeat(begins - before, sizes)
    return places
