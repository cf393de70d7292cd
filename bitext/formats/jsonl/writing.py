"""The objects of `jsonl` that are written: column by column, many lines at once."""

from __future__ import annotations

from itertools import pairwise
from json.encoder import encode_basestring
from math import inf, isfinite
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.jsonl.by_ids import ID_KEYS, positions
from bitext.formats.line_files import PART, spell_score
from bitext.formats.xces.documents import natural_ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from bitext.formats.registry import WriteOptions
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["write_objects"]


def write_objects(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write an object a bisegment; the positions of segments go on over parts."""
    document: _Document | None = None
    number = 0
    for bitext in bitexts:
        if document is None or not bitext.continues:
            number += 1
            name = bitext.name or (str(number) if number > 1 else "")
            if document is not None and name == document.name:
                name = f"{name} ({number})"
            document = _Document(name)
        document.write(bitext, out, (options.src_lang, options.tgt_lang))


class _Document:
    """A document pair that is written, in one part or several.

    Attributes
    ----------
    name : str
        Its name in the file.

    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._begun = False
        self._before = [0, 0]  # how many segments the parts before have
        self._sized = [False, False]  # whether the number of segments has to be told

    def write(self, bitext: Bitext, out: IO[str], langs: tuple[str, str]) -> None:
        a = bitext.alignment
        sides = [
            _Side(key, text, rows, before)
            for key, text, rows, before in zip(
                ("src", "tgt"), (bitext.src, bitext.tgt), (a.src, a.tgt), self._before, strict=True
            )
        ]
        heads = self._sizes(sides)
        if not self._begun:
            heads += [
                f', "{side.key}_lang": {encode_basestring(lang or side.lang)}'
                for side, lang in zip(sides, langs, strict=True)
                if lang or side.lang
            ]
        heads += [side.order(again=bitext.continues) for side in sides]
        for begin in range(0, len(a), PART):
            end = min(begin + PART, len(a))
            head = "" if begin else "".join(heads)
            out.writelines(_objects(bitext, sides, begin, end, self.name, head))
        self._begun = self._begun or len(a) > 0
        self._before = [side.end for side in sides]

    def _sizes(self, sides: list[_Side]) -> list[str]:
        """Tell how many segments there are, from where on some are in no bisegment."""
        self._sized = [
            sized or side.has_gaps for sized, side in zip(self._sized, sides, strict=True)
        ]
        return [
            f', "{side.key}_size": {side.end}'
            for side, sized in zip(sides, self._sized, strict=True)
            if sized and not side.has_ids
        ]


def _objects(
    bitext: Bitext, sides: list[_Side], begin: int, end: int, name: str, head: str
) -> Iterator[str]:
    """Yield the lines of some bisegments; `head` is what the first of them says beside."""
    a = bitext.alignment
    template = ['{"src": [%s], "tgt": [%s]']
    cells: list[Sequence[str]] = [side.names(begin, end) for side in sides]
    held = [side for side in sides if side.held is not None]
    for side in held:
        template.append(f', "{side.key}_text": %s')
        cells.append(side.texts(begin, end))
    template.append(', "score": %s' if a.scores is not None else ', "score": null')
    if a.scores is not None:
        cells.append(_scores(a.scores[begin:end].tolist()))
    for side in held:
        if side.is_several:
            template.append("%s")
            cells.append(side.segments(begin, end))
    for side in held:
        if side.marked is not None:
            template.append("%s")
            cells.append(side.marks(begin, end))
    if name:
        template.append(f', "document": {encode_basestring(name)}'.replace("%", "%%"))
    if head:
        template.append("%s")
        cells.append([head, *[""] * (end - begin - 1)])
    for key, column in a.attributes.items():
        shown = f", {encode_basestring(key + '_' * (key in ID_KEYS))}: "
        values = column[begin:end]
        if None in values:
            template.append("%s")
            cells.append(["" if v is None else shown + encode_basestring(v) for v in values])
        else:
            template.append(f"{shown.replace('%', '%%')}%s")
            cells.append([encode_basestring(v) for v in values if v is not None])
    line = "".join([*template, "}\n"])
    return map(line.__mod__, zip(*cells, strict=True))


def _scores(scores: list[float]) -> list[str]:
    if all(-inf < score < inf for score in scores):
        return list(map(repr, scores))
    spelled = [(score, spell_score(score)) for score in scores]
    return [text if isfinite(x) else f'"{text}"' if text else "null" for x, text in spelled]


class _Side:
    """One side of a bitext that is written.

    Attributes
    ----------
    key : str
        `src` or `tgt`.
    end : int
        The position behind its last segment.
    held : list of str or None
        The characters of its segments, where they are known.
    has_ids, has_gaps, is_several : bool
        Whether its segments have identifiers; whether some of them are in no bisegment; whether
        any bisegment has several.

    """

    def __init__(self, key: str, text: Text | None, rows: Rows, before: int) -> None:
        self.key, self._text, self._rows, self._before = key, text, rows, before
        self.lang = "" if text is None else text.lang
        self.held = list(text.segments()) if text is not None and text.has_text else None
        self.marked = None if text is None else text.marked
        self.has_ids = text is not None and text.has_ids
        self._ids = (
            list(map(encode_basestring, text.ids)) if text is not None and text.has_ids else None
        )
        self._covered = np.unique(rows.idx)
        reach = int(self._covered[-1]) + 1 if self._covered.size else 0
        size = reach if text is None else len(text)
        self.end = before + size
        self.has_gaps = self._covered.size < size
        self.is_several = bool((rows.lengths > 1).any())

    def _part(self, begin: int, end: int) -> tuple[list[int], list[int], bool]:
        """Return the members of some bisegments, the borders, and whether each has just one."""
        borders = self._rows.ptr[begin : end + 1]
        members = self._rows.idx[borders[0] : borders[-1]].tolist()
        single = bool((np.diff(borders) == 1).all())
        return members, (borders - borders[0]).tolist(), single

    def names(self, begin: int, end: int) -> list[str]:
        """Return the identifiers of the segments of each bisegment."""
        members, borders, single = self._part(begin, end)
        if self._ids is None:
            names = [f'"{m + self._before}"' for m in members]
        else:
            names = list(map(self._ids.__getitem__, members))
        return names if single else [", ".join(names[b:e]) for b, e in pairwise(borders)]

    def texts(self, begin: int, end: int) -> list[str]:
        """Return the text of each bisegment, its segments joined by a blank."""
        members, borders, single = self._part(begin, end)
        segments = list(map((self.held or []).__getitem__, members))
        if not single:
            segments = [" ".join(segments[b:e]) for b, e in pairwise(borders)]
        return list(map(encode_basestring, segments))

    def segments(self, begin: int, end: int) -> list[str]:
        """Return the segments of each bisegment that has several."""
        members, borders, _ = self._part(begin, end)
        shown = list(map(encode_basestring, map((self.held or []).__getitem__, members)))
        return [
            f', "{self.key}_segments": [{", ".join(shown[b:e])}]' if e - b > 1 else ""
            for b, e in pairwise(borders)
        ]

    def marks(self, begin: int, end: int) -> list[str]:
        """Return the segments with their marks, of each bisegment that has any with marks."""
        members, borders, _ = self._part(begin, end)
        given = [(self.marked or [])[m] for m in members]
        shown = ["null" if marked is None else encode_basestring(marked) for marked in given]
        return [
            f', "{self.key}_marked": [{", ".join(shown[b:e])}]' if any(given[b:e]) else ""
            for b, e in pairwise(borders)
        ]

    def order(self, *, again: bool) -> str:
        """Return the order of the identifiers where it cannot be told without; empty otherwise."""
        if self._text is None or not self.has_ids or not self._covered.size:
            return ""
        if not again and self._is_told():
            return ""
        ids = self._ids or []
        return f', "{self.key}_order": [{", ".join(ids[k] for k in self._covered.tolist())}]'

    def _is_told(self) -> bool:
        """Tell whether the numbers in the identifiers, or their sequence, give the order."""
        given = self._text.ids if self._text else []
        names = [given[k] for k in self._covered.tolist()]
        if (numbers := positions(names)) is not None:
            ranks = np.array(numbers)
        elif (found := natural_ranks(names)) is not None:
            ranks = found
        else:
            _, ranks = np.unique(self._rows.idx, return_index=True)
        return bool((np.diff(ranks) > 0).all())
