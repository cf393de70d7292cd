"""The shared part of the writers of XLIFF; `xliff12` and `xliff2` spell the elements.

Bisegments that cross can only be expressed within a unit, so each group of crossing bisegments is
one unit, in source order; every other bisegment is a unit of its own.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import IO, Generic, NamedTuple, TypeVar

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.beads import ChunkPosition, ChunkPositions, known_texts
from bitext.formats.languages import UNKNOWN
from bitext.formats.registry import WriteOptions
from bitext.formats.scores import spell_scores
from bitext.formats.states import is_draft, take_drafts
from bitext.formats.xml import FORBIDDEN, escape, escape_value, forbidden_error
from bitext.kernels.arrays import Bools, Rows
from bitext.model import Bitext, Text

# Patterns of the schemas for the values of attributes.
YES_NO = re.compile("yes|no")
ANY = re.compile(r"(?s:.*)")

_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*")
_PLACE = re.compile(r"[A-Za-z0-9_.-]+")

# The columns of notes, and the side that each note is about.
_NOTES = {"note": "", "src.note": "source", "tgt.note": "target"}

CodesT = TypeVar("CodesT")


class Segment(NamedTuple):
    """A segment of a side: its characters, the same with codes if any, its id if wanted."""

    plain: str
    marked: str | None
    id: str


class Bead(NamedTuple):
    """A bisegment to write."""

    number: int  # the position in the bitext, for messages
    src: list[Segment]
    tgt: list[Segment]
    columns: dict[str, str]  # the known values
    score: str  # the score; empty for none
    order: int  # the position of the target side in the unit, from 0


def _units(
    bitext: Bitext, name: str, options: WriteOptions, place: ChunkPosition
) -> Iterator[list[Bead]]:
    """Yield the bisegments, crossing ones together.

    `place` is the position of the bitext in its document pair, for a part of one.

    Raises `InputError` when the characters of a text are unknown.
    """
    alignment = bitext.alignment
    src, tgt = (
        _Segments(text, rows, ids=options.beads)
        for text, rows in zip(
            known_texts(bitext, name), (alignment.src, alignment.tgt), strict=True
        )
    )
    columns = list(alignment.attributes.items())
    scores = None if alignment.scores is None else spell_scores(alignment.scores)
    sides = (alignment.src, alignment.tgt)
    for begin, end in _runs(alignment.src, alignment.tgt):
        places = list(range(begin, end))
        orders = [0]
        whole = True
        if end - begin > 1:
            places, orders, whole = _arranged(places, sides)
        run = []
        for k, order in zip(places, orders, strict=True):
            values = {key: value for key, column in columns if (value := column[k]) is not None}
            score = "" if scores is None else scores[k]
            run.append(Bead(place.beads + k, src.of(k), tgt.of(k), values, score, order))
        if whole:
            yield run
        else:
            yield from ([bead] for bead in run)


class _Segments:
    def __init__(self, text: Text, rows: Rows, *, ids: bool) -> None:
        self._ptr, self._idx = rows.ptr.tolist(), rows.idx.tolist()
        self._plain = list(text.segments())
        self._marked = text.marked
        self._ids = text.ids if ids and text.has_ids else None

    def of(self, k: int) -> list[Segment]:
        return [
            Segment(
                self._plain[at],
                None if self._marked is None else self._marked[at],
                "" if self._ids is None else self._ids[at],
            )
            for at in self._idx[self._ptr[k] : self._ptr[k + 1]]
        ]


def _runs(src: Rows, tgt: Rows) -> Iterator[tuple[int, int]]:
    """Yield the smallest runs of bisegments that no other bisegment crosses."""
    size = len(src.ptr) - 1
    if not size:
        return
    cuts = _cuts(src) & _cuts(tgt)
    begins = np.flatnonzero(cuts).tolist()
    yield from zip(begins, [*begins[1:], size], strict=True)


def _cuts(rows: Rows) -> Bools:
    """Return for each row whether all later members are above all earlier ones."""
    filled = rows.lengths > 0
    first = np.full(filled.size, np.iinfo(np.int64).max)
    last = np.full(filled.size, -1)
    first[filled] = rows.idx[rows.ptr[:-1][filled]]
    last[filled] = rows.idx[rows.ptr[1:][filled] - 1]
    least = np.minimum.accumulate(first[::-1])[::-1]
    most = np.concatenate([[-1], np.maximum.accumulate(last)])[: filled.size]
    cuts: Bools = most <= least
    return cuts


def _arranged(places: list[int], sides: tuple[Rows, Rows]) -> tuple[list[int], list[int], bool]:
    """Return bisegments in source order, the positions of their targets, and whether they cross."""
    keys = [_keys(rows, places) for rows in sides]
    order = sorted(places, key=lambda k: keys[0][k - places[0]])
    ranked = sorted(order, key=lambda k: keys[1][k - places[0]])
    rank = {k: at for at, k in enumerate(ranked)}
    ranks = [rank[k] for k in order]
    return order, ranks, ranks != sorted(ranks)


def _keys(rows: Rows, places: list[int]) -> list[int]:
    """Return the first member of each row; an empty row has that of the row before."""
    keys: list[int] = []
    for k in places:
        begin, end = rows.ptr[k], rows.ptr[k + 1]
        keys.append(int(rows.idx[begin]) if begin < end else (keys[-1] if keys else -1))
    return keys


class _UnitIds:
    """Assigns a unique id to each unit of a document.

    Original ids of units are kept as long as they ascend: then they certainly differ, and only the
    last has to be stored.
    """

    def __init__(self, *, token: bool) -> None:
        self._token = token
        self._number = 0
        self._last = (0, "")

    def begin(self) -> None:
        """Begin a document."""
        self._number, self._last = 0, (0, "")

    def give(self, run: list[Bead]) -> tuple[str, bool]:
        """Return an id, and whether it is the `id` of all bisegments of the unit."""
        self._number += 1
        wanted = run[0].columns.get("id")
        if len(run) > 1 and any(bead.columns.get("id") != wanted for bead in run):
            wanted = None
        if wanted and not wanted.startswith("bitext.") and FORBIDDEN.search(wanted) is None:
            key = (len(wanted), wanted)
            if key > self._last and (not self._token or _PLACE.fullmatch(wanted)):
                self._last = key
                return wanted, True
        return f"bitext.{self._number}", False


class DocumentWriter(ABC, Generic[CodesT]):
    """Writes bitexts as an XLIFF document, each document pair as a `file`.

    Subclasses spell the elements of a version. `CodesT` is the state of the inline codes of a unit,
    from which `text` takes their ids.
    """

    version: str
    token_ids = False  # whether ids of units are name tokens

    def __init__(self, out: IO[str], options: WriteOptions) -> None:
        self._out, self._options = out, options
        self._ids = _UnitIds(token=self.token_ids)

    def write(self, bitexts: Iterable[Bitext]) -> None:
        """Write bitexts; a bitext that `continues` is added to the `file` of the one before.

        Raises `InputError` when a text is unknown, has a character that the version cannot
        represent, or a language is not a code.
        """
        out, places = self._out, ChunkPositions()
        files, empty = 0, True
        for bitext in bitexts:
            place = places.of(bitext)
            if not (files and bitext.continues):
                langs = _languages(bitext, self._options)
                out.write(self.end(empty=empty) if files else self.head(langs))
                files += 1
                out.write(self.begin(bitext, langs, files))
                self._ids.begin()
                empty = True
            for run in _units(bitext, self.version, self._options, place):
                out.write(self._unit(run))
                empty = False
        if not files:
            langs = (_language("", 0), _language("", 1))
            out.write(f"{self.head(langs)}{self.begin(None, langs, 1)}")
        out.write(f"{self.end(empty=empty)}</xliff>\n")

    def _unit(self, run: list[Bead]) -> str:
        """Return a unit; a common `id` is removed from the columns."""
        name, is_common = self._ids.give(run)
        columns = [dict(bead.columns) for bead in run]
        if is_common:
            for each in columns:
                del each["id"]
        return self.unit(name, run, columns)

    def side(self, segments: list[Segment], bead: Bead, codes: CodesT) -> str:
        """Return a side; several segments, or one with an id, are annotations."""
        if not segments:
            return self.no_segment(codes)
        if len(segments) == 1 and not segments[0].id:
            return self.text(segments[0], bead, codes)
        return " ".join(
            f"{self.border(segment, bead, codes)}{self.text(segment, bead, codes)}</mrk>"
            for segment in segments
        )

    @abstractmethod
    def head(self, langs: tuple[str, str]) -> str:
        """Return the beginning of the document."""

    @abstractmethod
    def begin(self, bitext: Bitext | None, langs: tuple[str, str], number: int) -> str:
        """Return the beginning of the `file` of a bitext; `None` for a document without bitexts."""

    @abstractmethod
    def end(self, *, empty: bool) -> str:
        """Return the end of a `file`; `empty` if the file has no unit."""

    @abstractmethod
    def unit(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        """Return the unit of one bisegment, or of several that cross, with their other columns."""

    @abstractmethod
    def no_segment(self, codes: CodesT) -> str:
        """Return the annotation of a side without a segment."""

    @abstractmethod
    def border(self, segment: Segment, bead: Bead, codes: CodesT) -> str:
        """Return the start tag of the annotation of one segment of a side."""

    @abstractmethod
    def text(self, segment: Segment, bead: Bead, codes: CodesT) -> str:
        """Return a segment with its inline elements."""


def _language(code: str, side: int) -> str:
    """Return the code of a language as XML Schema requires; a default for an unknown one.

    Raises `InputError` when the code is not that of a language.
    """
    tag = code.strip().replace("_", "-")
    if not tag:
        return UNKNOWN[side]
    if not _LANGUAGE.fullmatch(tag):
        option = remedy("tgt-lang" if side else "src-lang")
        raise InputError(
            f"{code[:40]!r} is not the code of a language that XLIFF can hold; want one as en or "
            f"pt-BR: give it ({option})"
        )
    return tag


def _languages(bitext: Bitext, options: WriteOptions) -> tuple[str, str]:
    return (
        _language(options.src_lang or (bitext.src.lang if bitext.src is not None else ""), 0),
        _language(options.tgt_lang or (bitext.tgt.lang if bitext.tgt is not None else ""), 1),
    )


def check(text: str, bead: Bead, what: str) -> str:
    """Return a text, after a check for characters that XML forbids.

    Raises `InputError` when the text has a character that XML forbids.
    """
    if FORBIDDEN.search(text):
        raise forbidden_error(f"bisegment {bead.number}: {what} {text[:40]!r}", text)
    return text


def taken(columns: dict[str, str], known: dict[str, re.Pattern[str]]) -> dict[str, str]:
    """Remove from the columns the attributes that XLIFF allows; return these."""
    if known.keys().isdisjoint(columns):
        return {}
    allowed = {
        name: columns[name]
        for name, pattern in known.items()
        if name in columns and pattern.fullmatch(columns[name])
    }
    for name in allowed:
        del columns[name]
    return allowed


def spelled(attributes: dict[str, str], bead: Bead) -> str:
    """Spell attributes for a start tag."""
    parts = []
    for name, value in attributes.items():
        escaped = escape_value(check(value, bead, f"the value of {name!r}"))
        parts.append(f' {name}="{escaped}"')
    return "".join(parts)


def drafted(bead: Bead, columns: dict[str, str]) -> list[Segment]:
    """Remove the segments of a draft from the columns of a bisegment without a target.

    The columns stay where the target would not be read as a draft again.
    """
    if not bead.src or not is_draft(columns.get("state", "")):
        return []
    return [Segment(plain, marked, "") for plain, marked in take_drafts(columns)]


def series(columns: dict[str, str], base: str) -> list[str]:
    """Remove the columns `base`, `base#2` and so on, as far as consecutive; return the values."""
    values = []
    name, number = base, 1
    while name in columns:
        values.append(columns.pop(name))
        number += 1
        name = f"{base}#{number}"
    return values


def notes(columns: dict[str, str], bead: Bead, attribute: str) -> str:
    """Remove the notes from the columns; `attribute` names the side that a note is about."""
    if _NOTES.keys().isdisjoint(columns):
        return ""
    parts = []
    for name, side in _NOTES.items():
        about = f' {attribute}="{side}"' if side else ""
        for value in series(columns, name):
            text = escape(check(value, bead, f"the value of {name!r}"))
            parts.append(f"<note{about}>{text}</note>")
    return "".join(parts)


def typed_values(
    values: Iterable[tuple[str, str]], bead: Bead, element: str, attribute: str
) -> str:
    """Return an element for each pair of type and value, with the type in `attribute`."""
    parts = []
    for kind, value in values:
        name = escape_value(check(kind, bead, "the name"))
        text = escape(check(value, bead, f"the value of {kind!r}"))
        parts.append(f'<{element} {attribute}="{name}">{text}</{element}>')
    return "".join(parts)
