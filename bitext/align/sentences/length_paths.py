"""The way of a path through a wide table, by the lengths and marks of sentences alone.

Where two texts share no words that are equal or alike, nothing tells at first where the path runs;
and where a passage is left out, it is far from the diagonal for the rest of the text. So all of the
table is searched with few kinds of beads, for a path that may leave passages out, and what is near
it is looked at after with all that is known. The ratio of the lengths of both texts is wrong where
a passage is left out: the search is done again with that of the beads. Where the path is no good,
searches begin with other ratios, as if a half of one text were not in the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.corridors import Corridor
from bitext.align.sentences.outlines import IN_PASSAGE, UNIT, OutlineModel
from bitext.align.sentences.text_sizes import are_unequal
from bitext.kernels.bead_path import Band
from bitext.kernels.passage_path import passage_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.anchors import Anchors
    from bitext.align.sentences.outlines import Outline
    from bitext.kernels.bead_path import BeadPath

__all__ = ["FIT", "POINTS", "RATIOS", "LengthPath", "along_lengths", "gain", "length_path"]

POINTS = 1 << 26  # that are searched at most, as 8,000 sentences against as many
RATIOS = (1.0, 0.63, 1.6, 0.4, 2.5)
"""By how much the ratio of the lengths of two texts may be wrong, as one leaves much out."""
_MANY = 1 << 22  # points of a table, above which other ratios are not tried
_NARROW = 1024  # columns of a band that is too narrow to be worth its time
_SMALL = 1 << 12  # points between two anchors, of which all are looked at
_AROUND = 48  # columns, or rows, beside the path that are looked at after
_BESIDE = 8  # and where it begins or ends to leave a long passage out
_LONG = 256  # sentences of a passage in a row that is a long one
_AGAIN = 3  # searches with what the path before has shown, at most
_LONGER = 7  # and where ratios are tried
_SAME = 0.04  # of the logarithm of a ratio
_MORE = 0.02  # of what a path saves, by which one is better
_RARE = 0.1  # by which it is to be, to tell that a text is cut more finely
_FINER = (1.0, 1.25, 0.8, 1.6, 0.63)  # times the ratio, where one text is cut more finely
FIT = 0.4
"""What a path saves of what it costs to leave both texts out, at least, to tell their ratio."""
_TOLD = 0.15  # of that, which a path saves that tells anything
_GOOD = 0.75  # of what it costs to leave all out, that a path saves which is not doubted


_Known = dict[tuple[object, ...], "BeadPath"]
"""Paths that were found, by all that their scores depend on."""


class LengthPath(NamedTuple):
    """What lengths and marks tell of two texts.

    Attributes
    ----------
    path : BeadPath
        Of the beads of the model.
    model : OutlineModel
        With which it was found.
    gain : float
        What the path saves, of what it costs to leave both texts out: up to 1 and more, 0 or less
        where it is no better than that.

    """

    path: BeadPath
    model: OutlineModel
    gain: float


def along_lengths(
    anchors: Anchors,
    outline: Outline,
    *,
    model: OutlineModel | None = None,
    points: int = POINTS,
    least: int = _SMALL,
) -> tuple[Corridor, OutlineModel | None] | None:
    """Return what is near the best path by lengths and marks between anchors, and their model.

    Parameters
    ----------
    anchors : Anchors
    outline : Outline
    model : OutlineModel, optional
        Where it is known. Default: that of both texts; and others if that proves wrong, in a table
        that is not too large, where there are marks.
    points : int
        How many are searched at most. Of more, those are that are nearest to the diagonals
        between the anchors; time and memory do not grow any further.
    least : int
        Points between two anchors, of which all are looked at after: their path is not sought.

    Returns
    -------
    (Corridor, OutlineModel or None) or None
        The model is that of the longest way between two anchors; None where its path saves too
        little to be believed. None where so few points are near the diagonals that it is not
        worth the time.

    """
    src, tgt = outline.src, outline.tgt
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    end_row, end = np.append(anchors.row, len(src)), np.append(anchors.column, len(tgt))
    area = (end_row - begin_row + 1) * (end - begin + 1)
    share = min(1.0, points / max(int(area[area > least].sum()), 1))
    best = model
    row, column = [anchors.row], [anchors.column]
    # What the longest way shows of lengths and marks holds for the others, if it is no chance.
    order = sorted(np.flatnonzero(area > least).tolist(), key=lambda k: -area[k])
    for k in order:
        part = outline.part(slice(begin_row[k], end_row[k]), slice(begin[k], end[k]))
        width = int((end[k] - begin[k] + 1) * share)
        if share < 1 and width < min(_NARROW, end[k] - begin[k] + 1):
            return None
        tried = best is None and outline.marks is not None and area[k] <= _MANY
        ratios = RATIOS if tried else RATIOS[:1]
        first = best or OutlineModel.first(outline)
        many = outline.many if best is None else None
        found, learned, saved = length_path(part, first, width=width, ratios=ratios, many=many)
        if best is None and k == order[0]:
            if saved < _TOLD:
                return None
            if saved >= FIT or learned.is_finer:
                best = learned
        row.append(found.row + begin_row[k])
        column.append(found.column + begin[k])
    rows, columns = np.concatenate(row), np.concatenate(column)
    way = np.lexsort((columns, rows))
    margin = _margins(rows[way], columns[way])
    size = {"rows": len(src), "columns": len(tgt)}
    near = Corridor.around(rows[way], columns[way], margin=margin, **size)
    return near, best


def _margins(row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how much beside each point of a path is looked at: least beside long passages.

    A row in which a passage may be left out is as wide as the passage; there are to be few.
    """
    down, across = np.diff(row, prepend=0), np.diff(column, prepend=0)
    far = np.full(len(row), len(row))
    for alone in (down == 0, across == 0):
        edges = np.flatnonzero(np.diff(alone, prepend=False, append=False))
        for begin, end in edges.reshape(-1, 2).tolist():
            if end - begin < _LONG:
                continue
            every = np.arange(max(begin - _AROUND, 0), min(end + _AROUND, len(row)))
            away = np.maximum(np.maximum(begin - every, every - end + 1), 0)
            far[every] = np.minimum(far[every], away)
    result: NDArray[np.int64] = np.minimum(_AROUND, _BESIDE + far)
    return result


def length_path(
    outline: Outline,
    model: OutlineModel,
    *,
    width: int | None = None,
    ratios: Sequence[float] = RATIOS[:1],
    many: float | None = None,
) -> LengthPath:
    """Return the best path by lengths and marks, which may leave passages out.

    Parameters
    ----------
    outline : Outline
    model : OutlineModel
    width : int, optional
        Columns that are looked at in each row, about the diagonal. Default: all.
    ratios : sequence of float
        What the ratio of the model is multiplied with, one after another, until a path is good.
    many : float, optional
        Target sentences for one of the source in both texts. With it, it is tried second whether
        one text is cut more finely than the other, as much as that is `are_unequal`: so much, and
        with several ratios also more or less, as they may be wrong.

    Examples
    --------
    >>> from bitext.align.sentences.outlines import Outline
    >>> text = np.random.default_rng(1).integers(10, 200, 60).astype(float)
    >>> outline = Outline(text, np.append(text[:12], text))
    >>> found = length_path(outline, OutlineModel.first(outline)).path
    >>> sorted(set((found.column - found.row)[-40:].tolist()))
    [12]

    """
    rows, columns = len(outline.src), len(outline.tgt)
    width = columns + 1 if width is None else width
    width = min(max(width, 1 + -(-columns // max(rows, 1))), columns + 1)
    middle = np.arange(rows + 1) * columns // max(rows, 1)
    band = Band(np.clip(middle - width // 2, 0, columns + 1 - width), width, columns)
    models = [(model.scaled(scale), FIT) for scale in ratios]
    models[1:1] = [
        (model.scaled(scale).finer(many * scale), 0.0 if scale == 1.0 else FIT)
        for scale in _FINER
        if many is not None and are_unequal(many * scale) and (scale == 1.0 or len(ratios) > 1)
    ]
    # Where no other ratio is tried it is known, or the table is large.
    again = _LONGER if len(ratios) > 1 else _AGAIN
    known: _Known = {}
    best = _searched(outline, models[0][0], band, known, again=again)
    for other, wanted in models[1:]:
        if best.gain >= _GOOD:
            break
        found = _searched(outline, other, band, known, again=again)
        # That a text is cut more finely is rare, and with more beads more is explained.
        lead = _RARE * (found.model.is_finer - best.model.is_finer)
        if found.gain > max(best.gain + lead, wanted):
            best = found
    return best


def _searched(
    outline: Outline, model: OutlineModel, band: Band, known: _Known, *, again: int
) -> LengthPath:
    """Return the path that is found from a model, and then with what paths teach."""
    found = _found(outline, model, band, known)
    for _ in range(again):
        model = found.model.learned(outline, found.path)
        change = model.lengths.ratio / found.model.lengths.ratio
        same = abs(np.log(change)) < _SAME
        if same and (found.gain >= _GOOD or again < _LONGER):
            break
        before, found = found, _found(outline, model, band, known)
        if same and found.gain < before.gain + _MORE:
            return max(found, before, key=lambda one: one.gain)
    return found


def _found(outline: Outline, model: OutlineModel, band: Band, known: _Known) -> LengthPath:
    # Where sentences are alike, different models teach the same one.
    key = model.key()
    path = known.get(key)
    if path is None:
        path, _ = passage_path(model.beads, model.scores(outline, band), band, model.passages)
        known[key] = path
    return LengthPath(path, model, gain(path.score, band.rows + band.columns))


def gain(score: float, sentences: int) -> float:
    """Return what a path saves, as `LengthPath.gain`, by its score and its sentences."""
    return 1.0 + score / (-float(np.log(IN_PASSAGE)) * UNIT * max(sentences, 1))
