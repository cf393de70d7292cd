"""Filtering bisegments by columns, score, bead type and contents; normalizing their characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import InputError, OptionError, did_you_mean, first_names, remedy
from bitext.formats.beads import (
    ChunkPosition,
    ChunkPositions,
    joined_sides,
    name_of,
    with_columns,
)
from bitext.formats.cleaning.repeats import Repeats, Step, digest_rows, of_rows
from bitext.formats.io.source import Notes
from bitext.formats.registry import MARKS, WORDS, language_column
from bitext.formats.scores import score_of, spell_score
from bitext.formats.xml import FORBIDDEN
from bitext.formats.xml.inline_codes import marked, pieces
from bitext.kernels.arrays import Bools, Rows, row_of
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from bitext.formats.cleaning.cleaner import Cleaner

# Normalizing characters: runs of white space become one blank, forbidden characters are replaced.
#
# Segments with inline codes are changed along with the texts, so that the characters outside of
# codes stay the same in both. White space within codes belongs to a program, not to the text, and
# stays; only characters that XML forbids are replaced within codes, too.

_AT_FIRST = ChunkPosition()
_Side = Literal["source", "target"]
_SPACES = re.compile(r"\s+")
_REPLACEMENT = "\ufffd"


def tidied(bitext: Bitext, changed: Notes, place: ChunkPosition = _AT_FIRST) -> Bitext:
    """Replace each run of white space in segments by one blank; strip their ends.

    `place` is the position of the bitext in its document pair.
    """
    kind = "segments whose white space was tidied"

    def tidy(text: Text, side: _Side) -> Text:
        # The codes stay where they are; only the characters around them change.
        before = list(text.segments())
        after = [_SPACES.sub(" ", segment.strip()) for segment in before]
        marks = None
        if text.marked is not None:
            marks = [xml if xml is None else _tidied_marks(xml) for xml in text.marked]
        different = [k for k, segment in enumerate(before) if segment != after[k]]
        if not different:
            return text
        case = f"{name_of(bitext)}: {place.segment(bitext, side, different[0])}"
        changed.add(kind, case, len(different))
        return text.with_segments(after, marked=marks)

    return _tidied_languages(_with_texts(bitext, tidy), changed, kind)


def _with_texts(bitext: Bitext, change: Callable[[Text, _Side], Text]) -> Bitext:
    """Change the texts of a bitext whose characters are known."""
    sides: tuple[tuple[_Side, Text | None], ...] = (("source", bitext.src), ("target", bitext.tgt))
    src, tgt = (
        text if text is None or not text.has_text else change(text, side) for side, text in sides
    )
    return replace(bitext, src=src, tgt=tgt)


def _tidied_languages(bitext: Bitext, changed: Notes, kind: str) -> Bitext:
    """Tidy the columns with texts in further languages, and their inline codes."""
    a = bitext.alignment
    columns = dict(a.attributes)
    for name, column in a.attributes.items():
        if name.startswith(MARKS):
            columns[name] = [xml and _tidied_marks(xml) for xml in column]
        elif language_column(name):
            tidy = [text and _SPACES.sub(" ", text.strip()) for text in column]
            different = [k for k, text in enumerate(column) if text != tidy[k]]
            if different:
                case = f"{name_of(bitext)}: {name} of bisegment {different[0]}"
                changed.add(kind, case, len(different))
                columns[name] = tidy
    return with_columns(bitext, columns)


def _tidied_marks(xml: str) -> str:
    """Tidy the white space outside of inline codes.

    A run that a code interrupts becomes one blank, at its beginning.

    Examples
    --------
    >>> _tidied_marks(' a  <ph x="1">< b></ph>  c <hi> </hi>'.replace("< b>", "&lt; b&gt;"))
    'a <ph x="1">&lt; b&gt;</ph>c<hi></hi>'

    """
    parts = list(pieces(xml))
    # whether white space, or nothing, comes before; the index of the last text
    blank, last = True, -1
    for k, piece in enumerate(parts):
        if piece.kind != "text":
            continue
        text = _SPACES.sub(" ", piece.text)
        if blank:
            text = text.removeprefix(" ")
        if text:
            blank, last = text.endswith(" "), k
        parts[k] = piece._replace(text=text)
    if last >= 0:
        parts[last] = parts[last]._replace(text=parts[last].text.removesuffix(" "))
    return marked(parts)


def without_forbidden(bitext: Bitext, changed: Notes) -> Bitext:
    """Replace each character that XML forbids by U+FFFD: in texts, codes, ids and columns."""
    replaced = 0

    def mend(value: str) -> str:
        nonlocal replaced
        mended, count = FORBIDDEN.subn(_REPLACEMENT, value)
        replaced += count
        return mended

    def mended(text: Text, _: _Side) -> Text:
        nonlocal replaced
        marks = text.marked
        if marks is not None:
            for xml, segment in zip(marks, text.segments(), strict=True):
                if xml is not None and FORBIDDEN.search(xml):  # count those in codes only
                    replaced += len(FORBIDDEN.findall(xml)) - len(FORBIDDEN.findall(segment))
            marks = [xml if xml is None else FORBIDDEN.sub(_REPLACEMENT, xml) for xml in marks]
        return Text.from_offsets(
            mend(text.line or ""),
            text.starts,
            text.ends,
            ids=list(map(mend, text.ids)) if text.has_ids else None,
            name=text.name,
            lang=text.lang,
            paragraphs=text.paragraphs,
            marked=marks,
            times=text.times,
            blocks=text.blocks,
        )

    whole = _with_texts(bitext, mended)
    columns = {
        name: [None if value is None else mend(value) for value in column]
        for name, column in bitext.alignment.attributes.items()
    }
    if not replaced:
        return bitext
    kind = "characters that XML forbids, replaced by U+FFFD"
    changed.add(kind, name_of(bitext), replaced)
    return with_columns(whole, columns)


_TYPE = re.compile(r"(\d{1,9}|\*)-(\d{1,9}|\*)", re.ASCII)
_CONDITION = re.compile(r"(.+?)(!=|>=|<=|=|>|<)(.*)", re.DOTALL)
_SPACED = re.compile(r"([^=<>!]*[^=<>!\s])\s+([=<>!]{1,3})\s+(.*)", re.DOTALL)
# Operators as other languages spell them, which begin with another one: `=` and the value `>0.5`.
_MISTYPED = {"==": "=", "=>": ">=", "=<": "<=", "!==": "!="}
_COMMA = re.compile(r"(?<!\\),")
# A pattern in which each `[` begins a set of characters, as `fnmatch` reads it.
_CLOSED = re.compile(r"(?:[^\[]|\[(?:!?\]|![^\]]|[^!\]])[^\]]*\])*", re.DOTALL)
_SHOWN = 20  # columns, or values of a column, in a message
UNIQUE = "unique"  # the key of the step that leaves out duplicates


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Filters of bisegments and changes to their characters; none by default.

    Raises `OptionError` when a bead type, or the pattern of documents, is malformed, or when no
    score is within the bounds.
    """

    # `min_score`, `max_score`: the lowest and the highest score; with either, bisegments without a
    # score are left out.
    min_score: float | None = None
    max_score: float | None = None
    # The column to use as the score, as `prop:score-bicleaner`; empty for the score itself.
    score: str = ""
    types: tuple[str, ...] = ()  # the bead types to keep, as `1-1` or `1-*`; none for all
    # A pattern (`*`, `?`, `[...]`) that the name of the document pair, or of one of its documents,
    # has to match; empty for all.
    documents: str = ""
    drop_empty: bool = False  # whether a bisegment with an empty or blank side is left out
    unique: bool = False  # whether a bisegment with the same texts as an earlier one is left out
    swap: bool = False  # whether source and target are exchanged, before any other step
    # Whether runs of white space become one blank, and the ends of segments are stripped.
    spaces: bool = False
    replace_forbidden: bool = False  # whether characters that XML forbids become U+FFFD
    two_languages: bool = False  # whether texts in further languages are left out

    def __post_init__(self) -> None:
        wrong = next((kind for kind in self.types if not _TYPE.fullmatch(kind)), None)
        if wrong is not None:
            raise OptionError(
                f"{wrong!r} is not a bead type: want types as 1-1,1-2,2-* with commas"
            )
        if not _CLOSED.fullmatch(self.documents):
            raise OptionError(
                f"pattern {self.documents!r} has a [ without its ]: want a set of characters as "
                f"[0-9], or [[] for the character ({remedy('documents')})"
            )
        low, high = self.min_score, self.max_score
        if low is not None and high is not None and low > high:
            raise OptionError(
                f"no score is from {low:g} to {high:g}: want a lowest one that is not above the "
                f"highest ({remedy('min-score', 'max-score')})"
            )

    def any(self) -> bool:
        """Check whether any filter or change is set."""
        return self != Filters()


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition on the values of a column."""

    written: str  # the condition as given, `state=final,translated`
    column: str
    operator: str
    values: tuple[str, ...] = ()  # the values to compare with; `""` stands for a missing value
    bound: float = 0.0  # the number to compare with, where the operator compares numbers

    @classmethod
    def of(cls, written: str) -> _Condition:
        """Parse a condition: COLUMN, an operator, and values; blanks may be around the operator.

        Raises `OptionError` when it is malformed.
        """
        if spaced := _SPACED.fullmatch(written):
            written = "".join(spaced.groups())
        match = _CONDITION.fullmatch(written)
        if match is None:
            raise OptionError(
                f"condition {written!r}: want COLUMN=VALUE, as state=final,translated or "
                f"'score>=0.5' (= != >= <= > <)"
            )
        column, operator, rest = match.groups()
        if operator in {"=", "!="}:
            values = tuple(value.replace("\\,", ",") for value in _COMMA.split(rest))
            return cls(written, column, operator, values)
        bound = score_of(rest)
        if bound is None or isnan(bound):
            raise OptionError(f"condition {written!r}: {operator} compares numbers, as score>=0.5")
        return cls(written, column, operator, (), bound)

    def holds(self, values: Sequence[str | None], path: str) -> Bools:
        """Return a mask of the values for which the condition holds.

        Raises `InputError` when the operator compares numbers, and a value is none. Raises
        `OptionError` when numbers are compared with a mistyped operator.
        """
        if self.operator in {"=", "!="}:
            self._refuse_mistyped(values)
            wanted = self.operator == "="
            given = ((value or "") in self.values for value in values)
            return np.fromiter((one == wanted for one in given), np.bool_, len(values))
        numbers = [score_of(value or "") for value in values]
        if None in numbers:
            raise InputError(
                f"{path}: the column {self.column!r} holds {values[numbers.index(None)]!r:.40}, "
                f"and {self.operator} compares numbers: use = or != "
                f"({remedy(f'where {self.written!r}')})"
            )
        compare: dict[str, Callable[..., Bools]] = {
            ">=": np.greater_equal,
            "<=": np.less_equal,
            ">": np.greater,
            "<": np.less,
        }
        return compare[self.operator](np.array(numbers, dtype=np.float64), self.bound)

    def _refuse_mistyped(self, values: Sequence[str | None]) -> None:
        """Refuse `=>` and the like, unless a value of the column is a text, as `>0.5` is."""
        rest = self.written.removeprefix(f"{self.column}{self.operator}")
        right = _MISTYPED.get(self.operator + rest[:1])
        if right is None or score_of(rest.lstrip("=<>")) is None:
            return
        given = list(filter(None, values))
        if given and all(score_of(value) is not None for value in given):
            meant = f"{self.column}{right}{rest.lstrip('=<>')}"
            raise OptionError(
                f"condition {self.written!r}: the column {self.column!r} holds numbers, and "
                f"{self.operator}{rest[:1]} is no operator: did you mean "
                f"{remedy(f'where {meant!r}')}?"
            )


class Where:
    r"""Selects the bisegments whose columns meet all of some conditions.

    A condition is `COLUMN=VALUE[,VALUE...]` (one of these values), `COLUMN!=VALUE[,VALUE...]` (none
    of them), or `COLUMN>=NUMBER`, likewise `<=`, `>` and `<`. Values are compared as strings, `\,`
    is a comma within a value, and an empty value stands for a missing one. `score` is the score of
    a bisegment. A missing value equals no other value and meets no comparison of numbers.

    Parameters
    ----------
    conditions : sequence of str
        The conditions, all of which have to hold.
    each : bool
        Whether each file must have the columns; else a document pair that lacks a column is not
        filtered by it.
    whole : bool, optional
        Whether texts keep the segments of bisegments that are left out. Default: only where the
        file does not contain the texts.

    Raises
    ------
    OptionError
        When a condition is malformed.

    """

    def __init__(
        self, conditions: Sequence[str], *, each: bool = True, whole: bool | None = None
    ) -> None:
        self._conditions = [_Condition.of(written) for written in conditions]
        self.each, self._whole = each, whole
        self._columns: set[str] = set()
        self._units = 0
        self._left: set[_Condition] = {*self._conditions}  # those that no bisegment met so far
        self._values: dict[str, dict[str, None]] = {c.column: {} for c in self._conditions}
        self._places = ChunkPositions()

    def chosen(self, bitext: Bitext, dropped: Notes | None = None) -> Bitext:
        """Return a bitext, or a part of one, with the bisegments that meet all conditions.

        The counts of the others go to `dropped`, if given, else to the notes of the bitext.
        """
        if dropped is None:
            dropped = Notes()
            chosen = self.chosen(bitext, dropped)
            notes = (replace(note, kind=f"{note.kind}, left out") for note in dropped)
            return replace(chosen, notes=(*chosen.notes, *notes))
        a = bitext.alignment
        self._columns.update(a.attributes)
        self._units += len(a)
        mask = np.ones(len(a), dtype=np.bool_)
        place = self._places.of(bitext)
        for condition in self._conditions:
            values = self._of_column(bitext, condition.column)
            if values is None and not self.each:
                continue
            values = [None] * len(a) if values is None else values
            holds = condition.holds(values, bitext.meta.get("path", "the bitext"))
            self._see(condition, values, holds)
            out = mask & ~holds
            if out.any():
                first = f"{name_of(bitext)}: {place.bead(bitext, int(out.argmax()))}"
                kind = f"{_nouns(bitext)} that are not {condition.written}"
                dropped.add(kind, first, int(out.sum()))
            mask &= holds
        if mask.all():
            return bitext
        whole = self._whole
        if whole is None:
            whole = bitext.meta.get("holds", "text") != "text"
        return select(bitext, mask, whole=whole)

    def lacking(self, bitext: Bitext) -> list[str]:
        """Return the columns of the conditions that a bitext does not have."""
        return [name for name in self._values if self._of_column(bitext, name) is None]

    def _of_column(self, bitext: Bitext, name: str) -> Sequence[str | None] | None:
        a = bitext.alignment
        column = a.attributes.get(name)
        if column is None and name == "score" and a.scores is not None:
            self._columns.add(name)
            return [None if isnan(score) else spell_score(score) for score in a.scores.tolist()]
        return column

    def _see(self, condition: _Condition, values: Sequence[str | None], holds: Bools) -> None:
        """Record the values of a column for messages, while no bisegment meets the condition."""
        if condition in self._left and holds.any():
            self._left.discard(condition)
        seen = self._values[condition.column]
        if condition in self._left and len(seen) < _SHOWN:
            seen.update(dict.fromkeys(filter(None, values[: 10 * _SHOWN])))

    def check(self, path: str, dropped: Notes) -> None:
        """Refuse a column that no bisegment has; note a condition that no bisegment meets.

        Raises `OptionError` with the names of the columns.
        """
        for condition in self._conditions if self._units else ():
            if condition.column not in self._columns:
                near = did_you_mean(condition.column, self._columns)
                there = f"the columns: {_few(self._columns)}" if self._columns else "it has none"
                raise OptionError(
                    f"{path}: no bisegment has the column {condition.column!r} "
                    f"({remedy(f'where {condition.written!r}')}); {near}{there}"
                )
            if condition in self._left:
                values = _few(self._values[condition.column])
                kind = f"files without any bisegment that is {condition.written}"
                dropped.add(kind, f"{path}: values of {condition.column!r}: {values or 'none'}")


def _few(names: Iterable[str]) -> str:
    """Join the first names in alphabetical order, for a message."""
    return first_names(sorted(name[:40] for name in names), _SHOWN)


def filtered(
    bitexts: Iterable[Bitext],
    filters: Filters,
    dropped: Notes,
    *,
    changed: Notes | None = None,
    cleaner: Cleaner | None = None,
    whole: bool,
    repeats: Repeats | None = None,
) -> Iterator[Bitext]:
    """Apply filters to bitexts, or to their parts, one after another.

    `dropped` takes the counts of bisegments left out, by reason, and `changed`, by default the
    same, those of changes: white space, characters, scores. `cleaner` rejects further bisegments by
    a profile, and counts them itself. With `whole`, texts keep the segments of bisegments that are
    left out, so that positions in them stay valid. `repeats` judges duplicates, by default among
    these bitexts.
    """
    chooser = _Chooser(filters, dropped, repeats or Repeats())
    changed = dropped if changed is None else changed
    places = ChunkPositions()
    for bitext in bitexts:
        if filters.swap:
            bitext = _swapped(bitext)
        place = places.of(bitext)
        if not chooser.wants_document(bitext):
            continue
        if filters.score:
            bitext = _rescored(bitext, filters.score, changed)
        if filters.two_languages:
            bitext = _in_two_languages(bitext, dropped, place)
        if filters.spaces:
            bitext = tidied(bitext, changed, place)
        if filters.replace_forbidden:
            bitext = without_forbidden(bitext, changed)
        chosen = chooser.wanted(bitext, place)
        if cleaner is not None:
            chosen = cleaner.passing(bitext, chosen, place)
        yield bitext if chosen.all() else select(bitext, chosen, whole=whole)


def without_blank(bitext: Bitext, dropped: Notes) -> Bitext:
    """Return a bitext without bisegments that are blank on both sides."""
    a = bitext.alignment
    filled = _filled(bitext.src, a.src) | _filled(bitext.tgt, a.tgt)
    if filled.all():
        return bitext
    first = f"{name_of(bitext)}: {ChunkPosition().bead(bitext, int(filled.argmin()))}"
    dropped.add("beads of empty sentences only, not written", first, int((~filled).sum()))
    return select(bitext, filled, whole=False)


class _Chooser:
    """Chooses the bisegments that pass the filters; counts the others by the first reason."""

    def __init__(self, filters: Filters, dropped: Notes, repeats: Repeats) -> None:
        self._filters, self._dropped, self._repeats = filters, dropped, repeats
        self._seen = 0  # bisegments so far
        self._open = True  # whether the current document pair passes

    def wants_document(self, bitext: Bitext) -> bool:
        pattern = self._filters.documents
        if not pattern:
            return True
        if not bitext.continues:
            names = (bitext.name, bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", ""))
            self._open = any(fnmatchcase(name, pattern) for name in names)
        if not self._open:
            kind = f"{_nouns(bitext)} of documents that are not {pattern}"
            first = bitext.name or bitext.meta.get("src_doc", "") or bitext.meta.get("path", "")
            self._dropped.add(kind, first or "a document without a name", len(bitext.alignment))
        return self._open

    def wanted(self, bitext: Bitext, place: ChunkPosition) -> Bools:
        filters, a = self._filters, bitext.alignment
        chosen = np.ones(len(a), dtype=np.bool_)

        def keep(kind: str, wanted: Bools) -> None:
            out = chosen & ~wanted
            if out.any():
                first = f"{name_of(bitext)}: {place.bead(bitext, int(out.argmax()))}"
                self._dropped.add(f"{_nouns(bitext)} {kind}", first, int(out.sum()))
            chosen[:] &= wanted

        if filters.types:
            keep(f"of other types than {','.join(filters.types)}", self._of_types(bitext))
        low, high = filters.min_score, filters.max_score
        if low is not None or high is not None:
            scores = np.full(len(a), np.nan) if a.scores is None else a.scores
            keep("without a score", ~np.isnan(scores))
            keep("with an infinite score", ~np.isposinf(scores))
            if low is not None:
                keep(f"with a score below {low:g}", scores >= low)
            if high is not None:
                keep(f"with a score above {high:g}", scores <= high)
        if filters.drop_empty:
            keep("with an empty side", _filled(bitext.src, a.src) & _filled(bitext.tgt, a.tgt))
        if filters.unique:
            keep("that repeat an earlier one", self._new(bitext, chosen))
        return chosen

    def _of_types(self, bitext: Bitext) -> Bools:
        a = bitext.alignment
        matches = np.zeros(len(a), dtype=np.bool_)
        for kind in self._filters.types:
            of_kind = np.ones(len(a), dtype=np.bool_)
            for wanted, rows in zip(kind.split("-"), (a.src, a.tgt), strict=True):
                if wanted != "*":
                    of_kind &= rows.lengths == int(wanted)
            matches |= of_kind
        return matches

    def _new(self, bitext: Bitext, chosen: Bools) -> Bools:
        """Return a mask of the chosen bisegments whose joined texts occur for the first time."""
        option = remedy("unique", python="unique=True")
        src, tgt = joined_sides(bitext, f"telling repeats ({option})")
        rows = np.flatnonzero(chosen)
        values = self._repeats.values(
            Step(UNIQUE), rows + self._seen, lambda: of_rows(digest_rows(src, tgt), rows)
        )
        self._seen += len(chosen)
        new = np.ones(len(chosen), dtype=np.bool_)
        new[rows[values > 0]] = False
        return new


def _nouns(bitext: Bitext) -> str:
    """Name bisegments in messages: sentence pairs where they have word links."""
    return "sentence pairs" if WORDS in bitext.alignment.attributes else "bisegments"


def _filled(text: Text | None, rows: Rows) -> Bools:
    """Return a mask of the rows with a segment, one that is not blank where the text is known."""
    if text is None or not text.has_text:
        return rows.lengths > 0
    blank = np.fromiter((not s or s.isspace() for s in text.segments()), np.bool_, len(text))
    members = (~blank)[rows.idx].tolist()
    pointers = pairwise(rows.ptr.tolist())
    return np.fromiter((any(members[b:e]) for b, e in pointers), np.bool_, len(rows.ptr) - 1)


def holding(bitext: Bitext, characters: re.Pattern[str]) -> Bools:
    """Return a mask of the bisegments with any of some characters in a segment, id or column."""
    a = bitext.alignment
    mask = np.zeros(len(a), dtype=np.bool_)
    for text, rows in ((bitext.src, a.src), (bitext.tgt, a.tgt)):
        if text is not None:
            bad = _segments_holding(text, characters)
            if bad.any():
                mask[row_of(rows)[bad[rows.idx]]] = True
    for column in a.attributes.values():
        if characters.search("\n".join(filter(None, column))):
            mask |= [value is not None and bool(characters.search(value)) for value in column]
    return mask


def _segments_holding(text: Text, characters: re.Pattern[str]) -> Bools:
    mask = np.zeros(len(text), dtype=np.bool_)
    strings: list[Sequence[str | None]] = [text.ids] if text.has_ids else []
    if text.marked is not None:
        strings.append(text.marked)
    if text.line is not None and characters.search(text.line):
        strings.append(list(text.segments()))
    for values in strings:
        if characters.search("\n".join(filter(None, values))):
            mask |= [value is not None and bool(characters.search(value)) for value in values]
    return mask


def without_segments(bitext: Bitext, characters: re.Pattern[str]) -> Bitext:
    """Empty the segments with any of some characters, so that positions stay valid."""

    def emptied(text: Text, _: _Side) -> Text:
        if not characters.search(text.line or ""):
            return text
        segments = zip(_segments_holding(text, characters), text.segments(), strict=True)
        return text.with_segments("" if wrong else segment for wrong, segment in segments)

    return _with_texts(bitext, emptied)


def select(bitext: Bitext, chosen: Bools, *, whole: bool) -> Bitext:
    """Return the bitext with the chosen bisegments only.

    With `whole`, texts keep all their segments, so that positions in them stay valid; otherwise
    the segments of bisegments that are left out are left out, too.
    """
    a, which = bitext.alignment, np.flatnonzero(chosen)
    lines = None if bitext.lines is None else bitext.lines[which]
    smaller = a.select(which)
    if whole:
        return replace(bitext, alignment=smaller, lines=lines)
    texts, rows = [], []
    for text, before, after in (
        (bitext.src, a.src, smaller.src),
        (bitext.tgt, a.tgt, smaller.tgt),
    ):
        if text is not None:
            stays = np.ones(len(text), dtype=np.bool_)
            stays[before.idx] = False
            stays[after.idx] = True
            text, after = segments_of(text, after, stays)
        texts.append(text)
        rows.append(after)
    smaller = Alignment.from_arrays(*rows, scores=smaller.scores, attributes=smaller.attributes)
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=smaller, lines=lines)


def segments_of(text: Text, rows: Rows, mask: Bools) -> tuple[Text, Rows]:
    """Return the segments of a mask as a text, and rows of some of them with their new indices."""
    return text.select(np.flatnonzero(mask)), rows._replace(idx=(np.cumsum(mask) - 1)[rows.idx])


def _swapped(bitext: Bitext) -> Bitext:
    """Exchange the sides, also in the names of columns."""
    from bitext.formats.subtitles.times import TIME_COLUMNS

    turned = bitext.swapped()
    columns = {}
    for name, column in turned.alignment.attributes.items():
        other = {"src": "tgt", "tgt": "src"}.get(name[:3])
        ours = name[3:4] == "." or name in TIME_COLUMNS
        columns[f"{other}{name[3:]}" if other and ours else name] = column
    meta = dict(turned.meta)
    docs = meta.pop("src_doc", None), meta.pop("tgt_doc", None)
    meta |= {
        key: value
        for key, value in zip(("tgt_doc", "src_doc"), docs, strict=True)
        if value is not None
    }
    return replace(with_columns(turned, columns), meta=meta)


def _in_two_languages(bitext: Bitext, dropped: Notes, place: ChunkPosition) -> Bitext:
    """Leave out texts in further languages; count one for each language of a document pair."""
    a = bitext.alignment
    further = [name for name in a.attributes if language_column(name)]
    if not further:
        return bitext
    if new := place.new_languages(a.attributes):
        case = f"{name_of(bitext)}: {', '.join(new)}"
        dropped.add("texts in further languages", case, len(new))
    return with_columns(bitext, {k: v for k, v in a.attributes.items() if k not in further})


def _rescored(bitext: Bitext, name: str, changed: Notes) -> Bitext:
    """Return the bitext with a column as its scores."""
    a = bitext.alignment
    column = a.attributes.get(name)
    if column is None:
        kind = f"bisegments without the column {name!r}, taken as without a score"
        changed.add(kind, name_of(bitext), len(a))
        column = [None] * len(a)
    known = [score_of(value or "") for value in column]
    if None in known:
        wrong = column[known.index(None)]
        raise InputError(
            f"{bitext.meta.get('path', 'the bitext')}: the column {name!r} holds {wrong!r:.40}; "
            f"want numbers: name another ({remedy('score')})"
        )
    scores = np.array(known, dtype=np.float64)
    columns = {key: values for key, values in a.attributes.items() if key != name}
    alignment = type(a).from_arrays(a.src, a.tgt, scores=scores, attributes=columns)
    return replace(bitext, alignment=alignment)
