"""Empty sentences that tell nothing: they are set aside before texts are aligned, and put back.

Empty lines between paragraphs help where both texts have them, and so do lines of tags only, and
those of one sign (`* * *`). Where only one text has some, where they stand behind each sentence, as
in a text that is spaced twice, or are those of pages, they hide how many sentences there are, and
belong to none of the other text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.delimiters import are_enough, paragraph_points
from bitext.align.sentences.tagged_lines import is_empty
from bitext.align.sentences.text_sizes import letters_by_part
from bitext.model import Alignment, Segmentation, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Filled", "SetAside", "without_empty"]

_COMPARED = 400  # paragraphs that tell whether those of both texts belong together
_EVERY = 0.98  # of the sentences have an empty one before the next: they part no paragraphs
_LINE = re.compile(r"\s*([-*_=~#+•·–—])(?:\s*\1)+\s*")  # `* * *`, `-----`


class Filled(NamedTuple):
    """An alignment of whole texts.

    Attributes
    ----------
    alignment : Alignment
    aligned : array of bool, shape (beads,)
        Which beads are of sentences; the others are of empty ones alone.

    """

    alignment: Alignment
    aligned: NDArray[np.bool_]


class SetAside(NamedTuple):
    """What was taken out of two texts.

    Attributes
    ----------
    places : (array of int64, array of int64)
        Where the sentences that are left stand in the whole texts.
    sizes : (int, int)
        The sentences of these.

    """

    places: tuple[NDArray[np.int64], NDArray[np.int64]]
    sizes: tuple[int, int]

    def put_back(self, found: Alignment) -> Filled:
        """Return the alignment of the whole texts.

        Empty sentences within a side of a bead become part of it. The others are alone, or one
        beside one where both texts have some between two beads; these beads are sure.

        Parameters
        ----------
        found : Alignment
            Of the texts without them: in order and without gaps.

        """
        spans = [
            _spans(rows.ptr, places)
            for rows, places in zip((found.src, found.tgt), self.places, strict=True)
        ]
        # Empty ones before each bead, and after the last, on each side.
        left = [
            np.append(begin, size) - np.append(0, end)
            for (begin, end), size in zip(spans, self.sizes, strict=True)
        ]
        more = np.maximum(*left)
        before = np.cumsum(more)
        total = len(found) + int(before[-1])
        aligned = np.zeros(total, dtype=bool)
        aligned[np.arange(len(found)) + before[:-1]] = True
        # The empty ones of a gap are numbered from 0 on.
        number = np.arange(int(before[-1])) - np.repeat(before - more, more)
        rows = []
        for (begin, end), few in zip(spans, left, strict=True):
            masses = np.zeros(total, dtype=np.int64)
            masses[aligned] = end - begin
            masses[~aligned] = number < np.repeat(few, more)
            rows.append((np.append(0, np.cumsum(masses)), np.arange(int(masses.sum()))))
        scores = None
        if found.scores is not None:
            scores = np.ones(total)
            scores[aligned] = found.scores
        return Filled(Alignment.from_arrays(rows[0], rows[1], scores=scores), aligned)


def without_empty(src: Text, tgt: Text) -> tuple[Text, Text, SetAside | None]:
    """Return two texts without empty sentences that tell nothing, and what was taken out.

    They tell something if the paragraphs that they part are those of the other text, too, by their
    lengths, and some are more than a sentence. A sentence is empty that has no visible character,
    or tags only, or one sign that divides, twice and more (`* * *`, `-----`). Of two texts of which
    one has no other sentences all stay.

    Examples
    --------
    >>> src, tgt, aside = without_empty(Text(["A.", "", "B.", "", "C."]), Text(["A.", "B. C."]))
    >>> list(src.segments()), aside.places[0].tolist()
    (['A.', 'B.', 'C.'], [0, 2, 4])

    """
    seen = _visible(src), _visible(tgt)
    if all(side.all() for side in seen) or not all(side.any() for side in seen):
        return src, tgt, None
    if max(map(_between, seen)) < _EVERY:
        letters = _paragraphs(src, seen[0]), _paragraphs(tgt, seen[1])
        if min(map(len, letters)) > 1 and are_enough(len(paragraph_points(*letters)[0]), *letters):
            return src, tgt, None
    places = np.flatnonzero(seen[0]), np.flatnonzero(seen[1])
    return _some(src, places[0]), _some(tgt, places[1]), SetAside(places, (len(src), len(tgt)))


def _visible(text: Text) -> NDArray[np.bool_]:
    """Return which sentences are not empty; all, where they are known by ids only."""
    if not text.has_text:
        return np.ones(len(text), dtype=bool)
    return ~np.fromiter(map(_is_empty, text.segments()), dtype=bool, count=len(text))


def _is_empty(sentence: str) -> bool:
    if sentence[:1].isalnum():  # as most are
        return False
    return is_empty(sentence) or _LINE.fullmatch(sentence) is not None


def _paragraphs(text: Text, visible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the lengths of the first paragraphs, in letters."""
    places = np.flatnonzero(visible)
    begins = places[np.diff(places, prepend=-2) > 1]
    end = int(begins[_COMPARED]) if len(begins) > _COMPARED else len(text)
    letters = np.concatenate(list(letters_by_part(text.segments(0, end))))
    return np.add.reduceat(letters, begins[:_COMPARED])


def _between(visible: NDArray[np.bool_]) -> float:
    """Return the share of the places between sentences that have an empty one."""
    steps = np.diff(np.flatnonzero(visible))
    return float((steps > 1).mean()) if len(steps) else 0.0


def _spans(
    ptr: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the beads of one side begin and end in the whole text.

    Those that are empty there are where the one before ends.
    """
    has = ptr[1:] > ptr[:-1]
    end = np.zeros(len(has), dtype=np.int64)
    end[has] = places[ptr[1:][has] - 1] + 1
    end = np.maximum.accumulate(end)
    begin = np.append(0, end[:-1])
    begin[has] = places[ptr[:-1][has]]
    return begin, end


def _some(text: Text, places: NDArray[np.int64]) -> Text:
    """Return a text of some of the sentences of another one."""
    if len(places) == len(text):
        return text
    sentences: Sequence[str] = list(text.segments())
    paragraphs = text.paragraphs
    if paragraphs is not None:
        number = np.repeat(np.arange(len(paragraphs)), paragraphs.masses)[places]
        masses = np.bincount(number)
        paragraphs = Segmentation(masses[masses > 0])
    return Text(
        [sentences[k] for k in places.tolist()],
        name=text.name,
        lang=text.lang,
        paragraphs=paragraphs,
    )
