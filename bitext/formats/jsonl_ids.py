"""The objects of `jsonl` that name segments by identifiers: from lines to a bitext."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.formats.lines import MOST_SEGMENTS, first_repeat, known_scores
from bitext.formats.texts import over_positions
from bitext.formats.xces_texts import natural_ranks
from bitext.kernels.rows import Rows, prefix
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions

__all__ = ["Line", "identified_bitext"]

Line = tuple[int, dict[str, Any]]

_POSITION = re.compile(r"0|[1-9][0-9]{0,11}")


def identified_bitext(
    source: Source,
    options: ReadOptions,
    lines: list[Line],
    *,
    scores: Sequence[float],
    attributes: Mapping[str, Sequence[str | None]],
) -> Bitext:
    """Make the bitext of one document.

    Where the characters are not known, the identifiers are looked up in the texts that the
    alignment is read over, if there are any.

    Raises
    ------
    FormatError
        When an object is not what it should be, with its line.

    """
    src, tgt = _Side(source, "src", lines), _Side(source, "tgt", lines)
    texts = src.text(options.over_src), tgt.text(options.over_tgt)
    rows = src.rows(texts[0]), tgt.rows(texts[1])
    alignment = Alignment.from_arrays(
        rows[0], rows[1], scores=known_scores(scores), attributes=attributes
    )
    if texts == (None, None):
        return over_positions(source, alignment, options, lambda k: lines[k][0])
    return Bitext(texts[0], texts[1], alignment, name=options.name, notes=source.notes.all())


class _Side:
    """One side of all bisegments: identifiers, and what the objects say of their characters."""

    def __init__(self, source: Source, key: str, lines: list[Line]) -> None:
        self._source, self._key, self._lines = source, key, lines
        self._rows = [self._identifiers(number, found[key]) for number, found in lines]
        self._known: dict[str, str] = {}
        self._told = False  # whether any object has characters, if only of an empty side
        self._collect()
        self._order, self._size = self._in_order()

    def _identifiers(self, number: int, given: list[Any] | None) -> list[str]:
        if given and len(given) == 1 and type(given[0]) is str:
            return given
        ids = [x if isinstance(x, str) else str(x) for x in given or ()]
        if not all(type(x) in {str, int} for x in given or ()):
            raise self._source.error(
                f"has {given!r:.40} as its {self._key}; want a list of identifiers", number
            )
        if len(set(ids)) < len(ids):
            raise self._source.error(
                f"has {first_repeat(ids)[:40]!r} twice in its {self._key}; want each segment once",
                number,
            )
        return ids

    def _pairs(self) -> Iterator[tuple[Line, list[str]]]:
        return zip(self._lines, self._rows, strict=True)

    def _collect(self) -> None:
        """Gather the characters of each segment; first where the objects tell them apart."""
        joined = []
        for (number, found), ids in self._pairs():
            text = self._read(number, found, "text", str)
            segments = self._read(number, found, "segments", list)
            self._told |= text is not None or segments is not None
            if segments is None and text is not None and len(ids) < 2:
                segments = [text] if ids or text else []
            if segments is not None:
                self._learn(number, ids, segments)
            elif text is not None:
                joined.append((number, ids, text))
        for number, ids, text in joined:
            self._learn_joined(number, ids, text)

    def _read(self, number: int, found: dict[str, Any], what: str, kind: type) -> Any:
        value = found.get(f"{self._key}_{what}")
        if value is not None and not isinstance(value, kind):
            raise self._source.error(
                f"has {value!r:.40} as its {self._key}_{what}; want a "
                f"{'text' if kind is str else 'list of texts'}",
                number,
            )
        return value

    def _learn(self, number: int, ids: list[str], segments: list[Any]) -> None:
        if len(ids) != len(segments) or not all(isinstance(x, str) for x in segments):
            raise self._source.error(
                f"has {len(ids)} {self._key} and the texts {segments!r:.40}; want a text for each",
                number,
            )
        for name, segment in zip(ids, segments, strict=True):
            before = self._known.setdefault(name, segment)
            if before != segment:
                raise self._source.error(
                    f"has the text {segment[:40]!r} for {self._key} {name[:40]!r}, which is "
                    f"{before[:40]!r} on a line before; want one text for one identifier",
                    number,
                )

    def _learn_joined(self, number: int, ids: list[str], text: str) -> None:
        """Check, or distribute as well as can be, the text of several segments in one."""
        known = [name for name in ids if name in self._known]
        if not known:
            kind = f"{self._key}_text of several segments, taken as the first of them"
            self._source.notes.add(kind, f"{self._source.path} line {number}")
            self._known |= dict.fromkeys(ids, "") | {ids[0]: text}
        elif len(known) < len(ids) or " ".join(self._known[name] for name in ids) != text:
            raise self._source.error(
                f"has a {self._key}_text that does not go with the texts of {known[0][:40]!r} on "
                f"other lines; give {self._key}_segments, one text for each identifier",
                number,
            )

    def _in_order(self) -> tuple[list[str], int | None]:
        """Return the identifiers in the order of the text, and its size if they are positions."""
        order = list(dict.fromkeys(chain.from_iterable(self._rows)))
        number, first = self._lines[0]
        size = first.get(f"{self._key}_size")
        numeric = all(map(_POSITION.fullmatch, order))
        if numeric:
            order.sort(key=int)
        elif (ranks := natural_ranks(order)) is not None:
            order = [order[k] for k in np.argsort(ranks).tolist()]
        if size is None:
            return order, len(order) if numeric and self._fits(order, len(order)) else None
        if type(size) is not int or not 0 <= size <= MOST_SEGMENTS:
            raise self._source.error(
                f"has {size!r:.40} as its {self._key}_size; want a number of segments, at most "
                f"{MOST_SEGMENTS}",
                number,
            )
        if not numeric or not self._fits(order, size):
            raise self._source.error(
                f"says by {self._key}_size that the identifiers are positions below {size}, but "
                f"one is {order[-1][:40]!r}; want 0 to {size - 1}",
                number,
            )
        return order, size

    @staticmethod
    def _fits(order: list[str], size: int) -> bool:
        return not order or int(order[-1]) < size

    def text(self, over: Text | None) -> Text | None:
        """Return the text that the identifiers stand for, as far as it is known."""
        if self._told:
            return self._own_text()
        if over is not None and (self._size is None or over.has_ids):
            return over
        return None if self._size is not None else Text.of_ids(self._order, name=self._source.path)

    def _own_text(self) -> Text:
        lacking = next((name for name in self._order if name not in self._known), None)
        if lacking is not None:
            raise self._source.error(
                f"has no text of {self._key} {lacking[:40]!r}, and other lines have texts; "
                f"give {self._key}_text on all lines, or on none",
                next(line[0] for line, ids in self._pairs() if lacking in ids),
            )
        path = self._source.path
        if self._size is None:
            return Text([self._known[name] for name in self._order], ids=self._order, name=path)
        segments = [""] * self._size
        for name, segment in self._known.items():
            segments[int(name)] = segment
        if len(self._known) < self._size:
            gap = next(k for k in range(self._size) if str(k) not in self._known)
            self._source.notes.add(
                f"{self._key} segments in no bisegment, taken as empty",
                f"{path}: segment {gap}",
                self._size - len(self._known),
            )
        return Text(segments, name=path)

    def rows(self, text: Text | None) -> Rows:
        """Return the indices of the segments of each bisegment in the text."""
        sizes = np.array([len(ids) for ids in self._rows], dtype=np.int64)
        flat = list(chain.from_iterable(self._rows))
        if self._size is not None and (text is None or not text.has_ids):
            return Rows(prefix(sizes), np.array([int(x) for x in flat], dtype=np.int64))
        index = text.index_of_ids if text is not None else {}
        found = [index.get(name, -1) for name in flat]
        if -1 in found:
            at = found.index(-1)
            k = int(np.searchsorted(prefix(sizes), at, side="right")) - 1
            where = text.name if text is not None and text.name else "the text"
            raise self._source.error(
                f"names {self._key} {flat[at][:40]!r}, which {where} has not; give the text that "
                f"was aligned",
                self._lines[k][0],
            )
        return Rows(prefix(sizes), np.array(found, dtype=np.int64))
