"""The objects of `jsonl` that name segments by identifiers: from columns to a bitext."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.formats.jsonl_columns import SIDES
from bitext.formats.lines import MOST_SEGMENTS, known_scores
from bitext.formats.texts import over_positions
from bitext.formats.xces_texts import natural_ranks
from bitext.kernels.rows import Rows, prefix
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.formats.jsonl_columns import Objects
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions

__all__ = ["identified_bitext", "positions"]

_MOST = 10**12  # no position is as high


def positions(names: list[str]) -> list[int] | None:
    """Return the positions that identifiers are; `None` where any is none.

    Examples
    --------
    >>> positions(["0", "12"]), positions(["0", "012"]), positions(["s1"])
    ([0, 12], None, None)

    """
    try:
        found = list(map(int, names))
    except ValueError:
        return None
    if found and not 0 <= min(found) <= max(found) < _MOST:
        return None
    return found if list(map(str, found)) == names else None


def identified_bitext(
    source: Source,
    options: ReadOptions,
    objects: Objects,
    *,
    langs: tuple[str, str] = ("", ""),
    part: tuple[list[int], list[int]] | None = None,
) -> Bitext:
    """Make the bitext of one document, or of a part of one.

    Where the characters are not known, the identifiers are looked up in the texts that the
    alignment is read over, if there are any. Those of a part are positions in the document, which
    `part` has as numbers.

    Raises
    ------
    FormatError
        When objects do not go together, with the line of one.

    """
    src, tgt = (
        _Side(source, k, objects, lang, None if part is None else part[k])
        for k, lang in enumerate(langs)
    )
    texts = src.text(options.over_src), tgt.text(options.over_tgt)
    rows = src.rows(texts[0]), tgt.rows(texts[1])
    columns = objects.attributes.whole(len(objects), objects.lines[0] if objects.lines else None)
    alignment = Alignment.from_arrays(
        rows[0], rows[1], scores=known_scores(objects.scores), attributes=columns
    )
    places = objects.lines if options.lines else None
    if texts == (None, None):
        return over_positions(source, alignment, options, lambda k: objects.lines[k], lines=places)
    return Bitext(
        texts[0],
        texts[1],
        alignment,
        name=options.name,
        notes=source.notes.drain(),
        lines=None if places is None else np.array(places, dtype=np.int64),
    )


class _Side:
    """One side of all bisegments: identifiers, and what the objects say of their characters."""

    def __init__(
        self, source: Source, which: int, objects: Objects, lang: str, part: list[int] | None
    ) -> None:
        self._source, self._objects, self._lang = source, objects, lang
        self._key, self._given = SIDES[which], objects.sides[which]
        self._known: dict[str, str] = {}
        self._marked: dict[str, str] = {}
        self._told = False  # whether any object has characters, if only of an empty side
        self._collect()
        self._part: NDArray[np.intp] | None = None  # the place of each position in the part
        if part is not None:
            self._size: int | None = None
            members, self._part = np.unique(np.array(part, np.int64), return_inverse=True)
            self._order = list(map(str, members.tolist()))
        else:
            self._order, self._size = self._in_order()

    def _collect(self) -> None:
        """Gather the characters of each segment; first where the objects tell them apart."""
        side = self._given
        self._told = bool(side.segments) or any(text is not None for text in side.texts)
        if not (side.segments or None in side.texts) and side.sizes.count(1) == len(side.sizes):
            self._known = dict(zip(side.names, side.texts, strict=True))  # type: ignore[arg-type]
            if len(self._known) == len(side.names):
                self._collect_marks()
                return
        known: dict[str, str] = {}
        self._known = known
        joined = []
        begin = 0
        for k, (size, text) in enumerate(zip(side.sizes, side.texts, strict=True)):
            end = begin + size
            if k in side.segments:
                self._learn(k, side.names[begin:end], side.segments[k])
            elif text is not None and size == 1:
                if known.setdefault(side.names[begin], text) != text:
                    self._learn(k, [side.names[begin]], [text])
            elif text is not None and size:
                joined.append((k, side.names[begin:end], text))
            begin = end
        for k, ids, text in joined:
            self._learn_joined(k, ids, text)
        self._collect_marks()

    def _collect_marks(self) -> None:
        if self._given.marked:
            rows = self._given.rows()
            for k, marks in self._given.marked.items():
                found = zip(rows[k], marks, strict=True)
                self._marked.update((name, marked) for name, marked in found if marked)

    def _learn(self, k: int, ids: list[str], segments: list[str]) -> None:
        for name, segment in zip(ids, segments, strict=True):
            before = self._known.setdefault(name, segment)
            if before != segment:
                raise self._source.error(
                    f"has the text {segment[:40]!r} for {self._key} {name[:40]!r}, which is "
                    f"{before[:40]!r} on a line before; want one text for one identifier",
                    self._objects.lines[k],
                )

    def _learn_joined(self, k: int, ids: list[str], text: str) -> None:
        """Check, or distribute as well as can be, the text of several segments in one."""
        known = [name for name in ids if name in self._known]
        number = self._objects.lines[k]
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
        order = list(dict.fromkeys(self._given.names))
        told = self._told_order(order)
        found = None if told else positions(order)
        numeric = found is not None
        order = [name for name in order if name not in told] if told else order
        if found is not None:
            order = list(map(str, sorted(found)))
        elif (ranks := natural_ranks(order)) is not None:
            order = [order[k] for k in np.argsort(ranks).tolist()]
        sizes = self._rare("size")
        if not sizes:
            size = len(order) if numeric and self._fits(order, len(order)) else None
            return [*order, *told], size
        number, size = sizes[-1]
        if type(size) is not int or not 0 <= size <= MOST_SEGMENTS:
            raise self._source.error(
                f"has {size!r:.40} as its {self._key}_size; want a number of segments, at most "
                f"{MOST_SEGMENTS}",
                number,
            )
        if not numeric or not self._fits(order, size):
            raise self._source.error(
                f"says by {self._key}_size that the identifiers are positions below {size}, but "
                f"one is {[*order, *told][-1][:40]!r}; want 0 to {size - 1}",
                number,
            )
        return order, size

    def _rare(self, what: str) -> list[tuple[int, Any]]:
        """Return what few objects say of all of the document, with their lines."""
        wanted = f"{self._key}_{what}"
        return [(number, value) for number, key, value in self._objects.rare if key == wanted]

    def _told_order(self, order: list[str]) -> dict[str, None]:
        """Return the identifiers whose order the objects tell; the others come before them."""
        told: dict[str, None] = {}
        for number, given in self._rare("order"):
            if given is None:
                continue
            names = [str(name) for name in given] if isinstance(given, list) else []
            if not names or len(set(names)) < len(names) or not told.keys().isdisjoint(names):
                raise self._source.error(
                    f"has {given!r:.40} as its {self._key}_order; want a list of identifiers, "
                    f"each once",
                    number,
                )
            told |= dict.fromkeys(names)
        if not told:
            return {}
        named = set(order)
        return {name: None for name in told if name in named}

    @staticmethod
    def _fits(order: list[str], size: int) -> bool:
        return not order or int(order[-1]) < size

    def text(self, over: Text | None) -> Text | None:
        """Return the text that the identifiers stand for, as far as it is known."""
        if self._told or self._part is not None:
            return self._own_text()
        if over is not None and (self._size is None or over.has_ids):
            return over
        if self._size is not None:
            return None
        return Text.of_ids(self._order, name=self._source.path, lang=self._lang)

    def _own_text(self) -> Text:
        lacking = next((name for name in self._order if name not in self._known), None)
        if lacking is not None:
            raise self._source.error(
                f"has no text of {self._key} {lacking[:40]!r}, and other lines have texts; "
                f"give {self._key}_text on all lines, or on none",
                self._line_of(self._given.names.index(lacking)),
            )
        path = self._source.path
        names = self._order
        if self._size is not None:
            names = list(map(str, range(self._size)))
            if len(self._known) < self._size:
                gap = next(name for name in names if name not in self._known)
                self._source.notes.add(
                    f"{self._key} segments in no bisegment, taken as empty",
                    f"{path}: segment {gap}",
                    self._size - len(self._known),
                )
        return Text(
            [self._known.get(name, "") for name in names],
            ids=names if self._size is None and self._part is None else None,
            name=path,
            lang=self._lang,
            marked=[self._marked.get(name) for name in names] if self._marked else None,
        )

    def _line_of(self, at: int) -> int:
        """Return the line of the object that has an identifier, by the place of that."""
        borders = prefix(np.array(self._given.sizes, dtype=np.int64))
        return self._objects.lines[int(np.searchsorted(borders, at, side="right")) - 1]

    def rows(self, text: Text | None) -> Rows:
        """Return the indices of the segments of each bisegment in the text."""
        borders = prefix(np.array(self._given.sizes, dtype=np.int64))
        names = self._given.names
        if self._part is not None:
            return Rows(borders, self._part)
        if self._size is not None and (text is None or not text.has_ids):
            return Rows(borders, np.array(list(map(int, names)), dtype=np.int64))
        index = text.index_of_ids if text is not None else {}
        found = list(map(index.get, names))
        if None in found:
            at = found.index(None)
            where = text.name if text is not None and text.name else "the text"
            raise self._source.error(
                f"names {self._key} {names[at][:40]!r}, which {where} has not; give the text that "
                f"was aligned",
                self._line_of(at),
            )
        return Rows(borders, np.array(found, dtype=np.int64))
