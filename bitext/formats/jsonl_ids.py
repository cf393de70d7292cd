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

__all__ = ["ID_KEYS", "Line", "identified_bitext", "is_sound", "positions"]

Line = tuple[int, dict[str, Any]]

_POSITION = re.compile(r"0|[1-9][0-9]{0,11}")

# The keys of an object that names segments; any other is an attribute.
ID_KEYS = frozenset({"src", "tgt", "score", "translation", "document"}).union(
    f"{side}_{what}"
    for side in ("src", "tgt")
    for what in ("text", "segments", "size", "lang", "marked", "order")
)


def is_sound(source: Source, line: Line) -> bool:
    """Tell whether an object can be taken by itself; refuse it otherwise.

    Raises
    ------
    FormatError
        When it cannot, and bad units are not collected.

    """
    number, found = line
    flaw = "" if isinstance(found.get("document"), str | None) else _DOCUMENT.format(found)
    for key in ("src", "tgt"):
        given = found[key]
        plain = given and len(given) == 1 and type(given[0]) is str
        if plain and type(found.get(f"{key}_text")) is str and f"{key}_segments" not in found:
            flaw = flaw or (_flaw_of_lists(key, found, 1) if f"{key}_marked" in found else "")
        else:
            flaw = flaw or _flaw(key, found, given or [])
    if flaw:
        source.refuse(flaw, number)
    return not flaw


_DOCUMENT = "has the document {0[document]!r:.40}; want its name"


def _flaw(key: str, found: dict[str, Any], given: list[Any]) -> str:
    """Say what is wrong with one side of an object; empty when nothing is."""
    if not all(type(x) in {str, int} for x in given):
        return f"has {given!r:.40} as its {key}; want a list of identifiers"
    ids = _names(given)
    if len(set(ids)) < len(ids):
        return f"has {first_repeat(ids)[:40]!r} twice in its {key}; want each segment once"
    text = found.get(f"{key}_text")
    if not isinstance(text, str | None):
        return f"has {text!r:.40} as its {key}_text; want a text"
    return _flaw_of_lists(key, found, len(ids))


def _flaw_of_lists(key: str, found: dict[str, Any], size: int) -> str:
    for what in ("segments", "marked"):
        value = found.get(f"{key}_{what}")
        if not isinstance(value, list | None):
            return f"has {value!r:.40} as its {key}_{what}; want a list of texts"
    segments = _segments(key, found, size)
    if segments is not None and (
        len(segments) != size or not all(isinstance(x, str) for x in segments)
    ):
        return f"has {size} {key} and the texts {segments!r:.40}; want a text for each"
    marked = found.get(f"{key}_marked")
    if marked is not None and (
        len(marked) != size or not all(isinstance(x, str | None) for x in marked)
    ):
        return f"has {size} {key} and the marked texts {marked!r:.40}; want a text or null for each"
    return ""


def _names(given: list[Any] | None) -> list[str]:
    if given and len(given) == 1 and type(given[0]) is str:
        return given
    return [x if isinstance(x, str) else str(x) for x in given or ()]


def _segments(key: str, found: dict[str, Any], size: int) -> list[str] | None:
    """Return what an object says of the characters of each of its segments, of that many."""
    segments: list[str] | None = found.get(f"{key}_segments")
    text: str | None = found.get(f"{key}_text")
    if segments is None and text is not None and size < 2:
        return [text] if size or text else []
    return segments


def positions(names: list[str]) -> list[int] | None:
    """Return the positions that identifiers are; `None` where any is none.

    Examples
    --------
    >>> positions(["0", "12"]), positions(["0", "012"]), positions(["s1"])
    ([0, 12], None, None)

    """
    if not all(map(_POSITION.fullmatch, names)):
        return None
    return list(map(int, names))


def identified_bitext(
    source: Source,
    options: ReadOptions,
    lines: list[Line],
    *,
    scores: Sequence[float],
    attributes: Mapping[str, Sequence[str | None]],
    langs: tuple[str, str] = ("", ""),
    part: bool = False,
) -> Bitext:
    """Make the bitext of one document, or of a part of one, of objects that are sound.

    Where the characters are not known, the identifiers are looked up in the texts that the
    alignment is read over, if there are any. Identifiers of a part are positions in the document.

    Raises
    ------
    FormatError
        When objects do not go together, with the line of one.

    """
    src, tgt = (
        _Side(source, key, lines, lang, part=part)
        for key, lang in zip(("src", "tgt"), langs, strict=True)
    )
    texts = src.text(options.over_src), tgt.text(options.over_tgt)
    rows = src.rows(texts[0]), tgt.rows(texts[1])
    alignment = Alignment.from_arrays(
        rows[0], rows[1], scores=known_scores(scores), attributes=attributes
    )
    places = [number for number, _ in lines] if options.lines else None
    if texts == (None, None):
        return over_positions(source, alignment, options, lambda k: lines[k][0], lines=places)
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
        self, source: Source, key: str, lines: list[Line], lang: str, *, part: bool
    ) -> None:
        self._source, self._key, self._lines, self._lang = source, key, lines, lang
        self._rows = [_names(found[key]) for _, found in lines]
        self._known: dict[str, str] = {}
        self._marked: dict[str, str] = {}
        self._told = False  # whether any object has characters, if only of an empty side
        self._collect()
        self._part = part
        if part:
            self._size: int | None = None
            self._order = sorted(set(chain.from_iterable(self._rows)), key=int)
        else:
            self._order, self._size = self._in_order()

    def _pairs(self) -> Iterator[tuple[Line, list[str]]]:
        return zip(self._lines, self._rows, strict=True)

    def _collect(self) -> None:
        """Gather the characters of each segment; first where the objects tell them apart."""
        joined = []
        known, marks_key = self._known, f"{self._key}_marked"
        text_key, segments_key = f"{self._key}_text", f"{self._key}_segments"
        for (number, found), ids in self._pairs():
            text = found.get(text_key)
            if len(ids) == 1 and text is not None and segments_key not in found:
                self._told = True
                if known.setdefault(ids[0], text) != text:
                    self._learn(number, ids, [text])
            else:
                segments = _segments(self._key, found, len(ids))
                self._told |= text is not None or segments is not None
                if segments is not None:
                    self._learn(number, ids, segments)
                elif text is not None:
                    joined.append((number, ids, text))
            if marks_key in found:
                marks = zip(ids, found[marks_key] or [None] * len(ids), strict=True)
                self._marked.update((name, marked) for name, marked in marks if marked)
        for number, ids, text in joined:
            self._learn_joined(number, ids, text)

    def _learn(self, number: int, ids: list[str], segments: list[str]) -> None:
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
        told = self._told_order(set(order))
        numeric = not told and positions(order) is not None
        order = [name for name in order if name not in told] if told else order
        if numeric:
            order.sort(key=int)
        elif (ranks := natural_ranks(order)) is not None:
            order = [order[k] for k in np.argsort(ranks).tolist()]
        sizes = [
            (number, found[f"{self._key}_size"])
            for number, found in self._lines
            if f"{self._key}_size" in found
        ]
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

    def _told_order(self, named: set[str]) -> dict[str, None]:
        """Return the identifiers whose order the objects tell; the others come before them."""
        told: dict[str, None] = {}
        for number, found in self._lines:
            given = found.get(f"{self._key}_order")
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
        return {name: None for name in told if name in named}

    @staticmethod
    def _fits(order: list[str], size: int) -> bool:
        return not order or int(order[-1]) < size

    def text(self, over: Text | None) -> Text | None:
        """Return the text that the identifiers stand for, as far as it is known."""
        if self._told or self._part:
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
                next(line[0] for line, ids in self._pairs() if lacking in ids),
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
            ids=names if self._size is None and not self._part else None,
            name=path,
            lang=self._lang,
            marked=[self._marked.get(name) for name in names] if self._marked else None,
        )

    def rows(self, text: Text | None) -> Rows:
        """Return the indices of the segments of each bisegment in the text."""
        sizes = np.array([len(ids) for ids in self._rows], dtype=np.int64)
        flat = list(chain.from_iterable(self._rows))
        if self._size is not None and (text is None or not text.has_ids):
            return Rows(prefix(sizes), np.array([int(x) for x in flat], dtype=np.int64))
        index = text.index_of_ids if text is not None else {}
        if self._part:
            index = {name: k for k, name in enumerate(self._order)}
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
