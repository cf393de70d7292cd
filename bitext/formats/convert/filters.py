"""Which bisegments of a bitext go on: by the values of columns, score, bead type, contents."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import InputError, OptionError, did_you_mean
from bitext.formats.beads import ChunkPosition, ChunkPositions, joined_sides, name_of
from bitext.formats.columns import score_of
from bitext.formats.io.source import Notes
from bitext.formats.line_files import spell_score
from bitext.formats.registry import language_column
from bitext.formats.xml.inline_codes import marked, pieces
from bitext.formats.xml.syntax import FORBIDDEN
from bitext.kernels.rows import row_of
from bitext.model import Text
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows
    from bitext.model import Bitext

__all__ = [
    "Filters",
    "Where",
    "filtered",
    "holding",
    "select",
    "tidied",
    "without_forbidden",
    "without_segments",
]


# Characters of a bitext put right: white space made one blank, forbidden ones replaced.
#
# The segments with inline marks are changed along with the texts: the characters outside of codes
# are the same in both afterwards. White space and characters within codes are those of a program,
# not of a text; of them only what XML forbids is replaced.

_AT_FIRST = ChunkPosition()
_SPACES = re.compile(r"\s+")
_REPLACEMENT = "\ufffd"


def tidied(bitext: Bitext, changed: Notes, place: ChunkPosition = _AT_FIRST) -> Bitext:
    """Make one blank of each run of white space in segments, and none at their ends.

    `place` tells how much of the document pair came before, where the bitext is a part of it.
    """
    texts: list[Text | None] = []
    sides: tuple[tuple[Literal["source", "target"], Text | None], ...] = (
        ("source", bitext.src),
        ("target", bitext.tgt),
    )
    for side, text in sides:
        if text is None or not text.has_text:
            texts.append(text)
            continue
        before = list(text.segments())
        after = [_SPACES.sub(" ", segment.strip()) for segment in before]
        marks = None
        if text.marked is not None:
            marks = [xml if xml is None else _tidied_marks(xml) for xml in text.marked]
        pairs = enumerate(zip(before, after, strict=True))
        other = [k for k, (old, new) in pairs if old != new]
        if other:
            kind = "segments whose white space was tidied"
            case = f"{name_of(bitext)}: {place.segment(bitext, side, other[0])}"
            changed.add(kind, case, len(other))
            text = Text(
                after,
                ids=text.ids if text.has_ids else None,
                name=text.name,
                lang=text.lang,
                paragraphs=text.paragraphs,
                marked=marks,
            )
        texts.append(text)
    return replace(bitext, src=texts[0], tgt=texts[1])


def _tidied_marks(xml: str) -> str:
    """Tidy the white space outside of codes.

    A run that a mark interrupts becomes one blank, where it begins.

    Examples
    --------
    >>> _tidied_marks(' a  <ph x="1">< b></ph>  c <hi> </hi>'.replace("< b>", "&lt; b&gt;"))
    'a <ph x="1">&lt; b&gt;</ph>c<hi></hi>'

    """
    found = list(pieces(xml))
    blank, last = True, -1  # whether what comes before is white space; the last text
    for k, piece in enumerate(found):
        if piece.kind != "text":
            continue
        text = _SPACES.sub(" ", piece.text)
        if blank:
            text = text.removeprefix(" ")
        if text:
            blank, last = text.endswith(" "), k
        found[k] = piece._replace(text=text)
    if last >= 0:
        found[last] = found[last]._replace(text=found[last].text.removesuffix(" "))
    return marked(found)


def without_forbidden(bitext: Bitext, changed: Notes) -> Bitext:
    """Put U+FFFD for each character that XML forbids: in texts, marks, ids and columns."""
    found = 0

    def mend(value: str) -> str:
        nonlocal found
        mended, count = FORBIDDEN.subn(_REPLACEMENT, value)
        found += count
        return mended

    texts: list[Text | None] = []
    for text in (bitext.src, bitext.tgt):
        if text is None or text.line is None:
            texts.append(text)
            continue
        marks = text.marked
        if marks is not None:
            for xml, segment in zip(marks, text.segments(), strict=True):
                if xml is not None and FORBIDDEN.search(xml):  # those of the text count once
                    found += len(FORBIDDEN.findall(xml)) - len(FORBIDDEN.findall(segment))
            marks = [xml if xml is None else FORBIDDEN.sub(_REPLACEMENT, xml) for xml in marks]
        texts.append(
            Text.from_offsets(
                mend(text.line),
                text.starts,
                text.ends,
                ids=list(map(mend, text.ids)) if text.has_ids else None,
                name=text.name,
                lang=text.lang,
                paragraphs=text.paragraphs,
                marked=marks,
            )
        )
    a = bitext.alignment
    columns = {
        name: [None if value is None else mend(value) for value in column]
        for name, column in a.attributes.items()
    }
    if not found:
        return bitext
    kind = "characters that XML forbids, replaced by U+FFFD"
    changed.add(kind, name_of(bitext), found)
    alignment = type(a).from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=alignment)


_TYPE = re.compile(r"(\d{1,9}|\*)-(\d{1,9}|\*)", re.ASCII)
_CONDITION = re.compile(r"(.+?)(!=|>=|<=|=|>|<)(.*)", re.DOTALL)
_COMMA = re.compile(r"(?<!\\),")
_SHOWN = 20  # columns, or values of one, that a message names
_DIGEST = 16  # bytes: of a billion pairs no two different ones are taken for one


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What of a bitext is wanted; everything by default.

    Attributes
    ----------
    min_score, max_score : float or None
        The lowest and the highest score; a bisegment without one is not wanted then.
    score : str
        The column that is the score, as `prop:score-bicleaner`; empty for the score itself.
    types : tuple of str
        The bead types wanted, as `1-1` or `1-*`; none for all.
    documents : str
        A pattern (`*`, `?`, `[...]`) that the name of the document pair, or of one of its
        documents, has to match; empty for all.
    drop_empty : bool
        Whether a bisegment with nothing, or only white space, on a side is left out.
    unique : bool
        Whether a bisegment with the very texts of an earlier one is left out.
    swap : bool
        Whether source and target are exchanged, before all else.
    spaces : bool
        Whether white space is made one blank, and none at the ends of a segment.
    replace_forbidden : bool
        Whether characters that XML forbids become U+FFFD.
    two_languages : bool
        Whether texts in further languages are left out.

    Raises
    ------
    OptionError
        When a bead type is none.

    """

    min_score: float | None = None
    max_score: float | None = None
    score: str = ""
    types: tuple[str, ...] = ()
    documents: str = ""
    drop_empty: bool = False
    unique: bool = False
    swap: bool = False
    spaces: bool = False
    replace_forbidden: bool = False
    two_languages: bool = False

    def __post_init__(self) -> None:
        wrong = next((kind for kind in self.types if not _TYPE.fullmatch(kind)), None)
        if wrong is not None:
            raise OptionError(f"bead type {wrong!r} is none: want some as 1-1,1-2,2-* with commas")

    def any(self) -> bool:
        """Tell whether anything is asked for."""
        return self != Filters()


@dataclass(frozen=True, slots=True)
class _Condition:
    """What the value of a column has to be.

    Attributes
    ----------
    written : str
        It as it was given, `state=final,translated`.
    column, operator : str
    values : tuple of str
        Those to compare with; `""` stands for no value.
    bound : float
        The number to compare with, where the operator compares numbers.

    """

    written: str
    column: str
    operator: str
    values: tuple[str, ...] = ()
    bound: float = 0.0

    @classmethod
    def of(cls, written: str) -> _Condition:
        """Return the condition that is written as COLUMN, an operator, and values.

        Raises
        ------
        OptionError
            When it is none.

        """
        found = _CONDITION.fullmatch(written)
        if found is None:
            raise OptionError(
                f"condition {written!r}: want COLUMN=VALUE, as state=final,translated or "
                f"'score>=0.5' (= != >= <= > <)"
            )
        column, operator, rest = found.groups()
        if operator in {"=", "!="}:
            values = tuple(value.replace("\\,", ",") for value in _COMMA.split(rest))
            return cls(written, column, operator, values)
        bound = score_of(rest)
        if bound is None or isnan(bound):
            raise OptionError(f"condition {written!r}: {operator} compares numbers, as score>=0.5")
        return cls(written, column, operator, (), bound)

    def holds(self, values: Sequence[str | None], path: str) -> NDArray[np.bool_]:
        """Tell for which values of the column it holds.

        Raises
        ------
        InputError
            When a value is to be compared as a number, and is none.

        """
        if self.operator in {"=", "!="}:
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
        compare: dict[str, Callable[..., NDArray[np.bool_]]] = {
            ">=": np.greater_equal,
            "<=": np.less_equal,
            ">": np.greater,
            "<": np.less,
        }
        return compare[self.operator](np.array(numbers, dtype=np.float64), self.bound)


class Where:
    r"""Leaves out the bisegments whose columns have other values than those wanted.

    A condition is `COLUMN=VALUE[,VALUE...]` (one of these values), `COLUMN!=VALUE[,VALUE...]` (none
    of them), or `COLUMN>=NUMBER`, likewise `<=`, `>` and `<`. Values are compared as they are
    written, `\,` is a comma within one, and an empty one stands for no value. `score` is the score
    of a bisegment. One without a value has none of the values, and no number.

    Parameters
    ----------
    conditions : sequence of str
        All of them have to hold.
    each : bool
        Whether each file has to have the columns; else a document pair without one of them stays
        as it is.
    whole : bool, optional
        Whether texts stay whole though no bisegment has some of their segments. Default: where the
        file does not hold them; else the segments of what is left out are left out, too.

    Raises
    ------
    OptionError
        When a condition is none.

    """

    def __init__(
        self, conditions: Sequence[str], *, each: bool = True, whole: bool | None = None
    ) -> None:
        self._conditions = [_Condition.of(written) for written in conditions]
        self.each, self._whole = each, whole
        self._columns: set[str] = set()
        self._units = 0
        self._left: set[_Condition] = {*self._conditions}  # those that nothing met so far
        self._values: dict[str, dict[str, None]] = {c.column: {} for c in self._conditions}
        self._places = ChunkPositions()

    def chosen(self, bitext: Bitext, dropped: Notes | None = None) -> Bitext:
        """Return a bitext, or a part of one, with the bisegments for which all conditions hold.

        `dropped` takes the counts of the others; without it the notes of the bitext do.
        """
        if dropped is None:
            dropped = Notes()
            chosen = self.chosen(bitext, dropped)
            told = (replace(note, kind=f"{note.kind}, left out") for note in dropped)
            return replace(chosen, notes=(*chosen.notes, *told))
        a = bitext.alignment
        self._columns.update(a.attributes)
        self._units += len(a)
        kept = np.ones(len(a), dtype=np.bool_)
        place = self._places.of(bitext)
        for condition in self._conditions:
            values = self._of_column(bitext, condition.column)
            if values is None and not self.each:
                continue
            values = [None] * len(a) if values is None else values
            holds = condition.holds(values, bitext.meta.get("path", "the bitext"))
            self._see(condition, values, holds)
            out = kept & ~holds
            if out.any():
                first = f"{name_of(bitext)}: {place.bead(bitext, int(out.argmax()))}"
                dropped.add(f"bisegments that are not {condition.written}", first, int(out.sum()))
            kept &= holds
        if kept.all():
            return bitext
        whole = self._whole
        if whole is None:
            whole = bitext.meta.get("holds", "text") != "text"
        return select(bitext, kept, whole=whole)

    def _of_column(self, bitext: Bitext, name: str) -> Sequence[str | None] | None:
        a = bitext.alignment
        column = a.attributes.get(name)
        if column is None and name == "score" and a.scores is not None:
            self._columns.add(name)
            return [None if isnan(score) else spell_score(score) for score in a.scores.tolist()]
        return column

    def _see(
        self, condition: _Condition, values: Sequence[str | None], holds: NDArray[np.bool_]
    ) -> None:
        """Keep, for as long as nothing met a condition, what values there are instead."""
        if condition in self._left and holds.any():
            self._left.discard(condition)
        seen = self._values[condition.column]
        if condition in self._left and len(seen) < _SHOWN:
            seen.update(dict.fromkeys(filter(None, values[: 10 * _SHOWN])))

    def check(self, path: str, dropped: Notes) -> None:
        """Raise an error for a column that nothing had; note a condition that nothing met.

        Raises
        ------
        OptionError
            With the columns that there are.

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
    """Return some names, sorted, for a message."""
    shown = sorted(name[:40] for name in names)
    more = f" and {len(shown) - _SHOWN:,} more" if len(shown) > _SHOWN else ""
    return f"{', '.join(shown[:_SHOWN])}{more}"


def filtered(
    bitexts: Iterable[Bitext],
    filters: Filters,
    dropped: Notes,
    *,
    changed: Notes | None = None,
    whole: bool,
) -> Iterator[Bitext]:
    """Yield the bitexts with what is wanted of them.

    Parameters
    ----------
    bitexts : iterable of Bitext
        One after another.
    filters : Filters
        What is wanted.
    dropped : Notes
        Takes the counts of what was left out, by reason.
    changed : Notes, optional
        Takes the counts of what was changed and goes on: white space, characters, scores. Default:
        `dropped`.
    whole : bool
        Whether texts stay whole, so that positions in them hold; otherwise the segments of what is
        left out are left out, too.

    """
    chooser = _Chooser(filters, dropped)
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
        yield bitext if chosen.all() else select(bitext, chosen, whole=whole)


def without_blank(bitext: Bitext, dropped: Notes) -> Bitext:
    """Return a bitext without bisegments that have nothing but white space on both sides."""
    a = bitext.alignment
    kept = _filled(bitext.src, a.src) | _filled(bitext.tgt, a.tgt)
    if kept.all():
        return bitext
    first = f"{name_of(bitext)}: {ChunkPosition().bead(bitext, int(kept.argmin()))}"
    dropped.add("beads of empty sentences only, not written", first, int((~kept).sum()))
    return select(bitext, kept, whole=False)


class _Chooser:
    """Tells which bisegments are wanted, and counts the others by the first reason."""

    def __init__(self, filters: Filters, dropped: Notes) -> None:
        self._filters, self._dropped = filters, dropped
        self._seen: set[bytes] = set()
        self._open = True  # whether the document pair that goes on is wanted

    def wants_document(self, bitext: Bitext) -> bool:
        pattern = self._filters.documents
        if not pattern:
            return True
        if not bitext.continues:
            names = (bitext.name, bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", ""))
            self._open = any(fnmatchcase(name, pattern) for name in names)
        if not self._open:
            kind = f"bisegments of documents that are not {pattern}"
            first = bitext.name or bitext.meta.get("src_doc", "") or bitext.meta.get("path", "")
            self._dropped.add(kind, first or "a document without a name", len(bitext.alignment))
        return self._open

    def wanted(self, bitext: Bitext, place: ChunkPosition) -> NDArray[np.bool_]:
        filters, a = self._filters, bitext.alignment
        chosen = np.ones(len(a), dtype=np.bool_)

        def keep(kind: str, wanted: NDArray[np.bool_]) -> None:
            out = chosen & ~wanted
            if out.any():
                first = f"{name_of(bitext)}: {place.bead(bitext, int(out.argmax()))}"
                self._dropped.add(f"bisegments {kind}", first, int(out.sum()))
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

    def _of_types(self, bitext: Bitext) -> NDArray[np.bool_]:
        a = bitext.alignment
        found = np.zeros(len(a), dtype=np.bool_)
        for kind in self._filters.types:
            of_kind = np.ones(len(a), dtype=np.bool_)
            for wanted, rows in zip(kind.split("-"), (a.src, a.tgt), strict=True):
                if wanted != "*":
                    of_kind &= rows.lengths == int(wanted)
            found |= of_kind
        return found

    def _new(self, bitext: Bitext, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which of the chosen were not seen before; the texts of a side are joined."""
        from hashlib import blake2b  # here: it brings 3 MB of OpenSSL

        new = np.ones(len(chosen), dtype=np.bool_)
        option = remedy("unique", python="unique=True")
        src, tgt = joined_sides(bitext, f"telling repeats ({option})")
        for k in np.flatnonzero(chosen).tolist():
            spelled = f"{src[k]}\0{tgt[k]}"
            digest = blake2b(spelled.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
            new[k] = digest not in self._seen
            self._seen.add(digest)
        return new


def _filled(text: Text | None, rows: Rows) -> NDArray[np.bool_]:
    """Tell which rows have a segment, with more than white space where the text is known."""
    if text is None or not text.has_text:
        return rows.lengths > 0
    there = np.fromiter((not s or s.isspace() for s in text.segments()), np.bool_, len(text))
    members = (~there)[rows.idx].tolist()
    pointers = pairwise(rows.ptr.tolist())
    return np.fromiter((any(members[b:e]) for b, e in pointers), np.bool_, len(rows.ptr) - 1)


def holding(bitext: Bitext, characters: re.Pattern[str]) -> NDArray[np.bool_]:
    """Tell which bisegments have one of some characters: in a segment, an id or a column."""
    a = bitext.alignment
    found = np.zeros(len(a), dtype=np.bool_)
    for text, rows in ((bitext.src, a.src), (bitext.tgt, a.tgt)):
        if text is not None:
            bad = _segments_holding(text, characters)
            if bad.any():
                found[row_of(rows)[bad[rows.idx]]] = True
    for column in a.attributes.values():
        if characters.search("\n".join(filter(None, column))):
            found |= [value is not None and bool(characters.search(value)) for value in column]
    return found


def _segments_holding(text: Text, characters: re.Pattern[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(text), dtype=np.bool_)
    held: list[Sequence[str | None]] = [text.ids] if text.has_ids else []
    if text.marked is not None:
        held.append(text.marked)
    if text.line is not None and characters.search(text.line):
        held.append(list(text.segments()))
    for values in held:
        if characters.search("\n".join(filter(None, values))):
            found |= [value is not None and bool(characters.search(value)) for value in values]
    return found


def without_segments(bitext: Bitext, characters: re.Pattern[str]) -> Bitext:
    """Empty the segments that have one of some characters, so that the others keep their places."""
    texts = []
    for text in (bitext.src, bitext.tgt):
        if text is not None and text.line is not None and characters.search(text.line):
            bad = _segments_holding(text, characters)
            text = Text.from_offsets(
                characters.sub(" ", text.line),
                text.starts,
                np.where(bad, text.starts, text.ends),
                ids=text.ids if text.has_ids else None,
                name=text.name,
                lang=text.lang,
                paragraphs=text.paragraphs,
            )
        texts.append(text)
    return replace(bitext, src=texts[0], tgt=texts[1])


def select(bitext: Bitext, chosen: NDArray[np.bool_], *, whole: bool) -> Bitext:
    """Return the bitext with the chosen bisegments only.

    `whole` texts stay as they are, so that positions in them hold; else the segments of what is
    left out are left out, too.
    """
    a = bitext.alignment.select(chosen)
    if whole:
        lines = None if bitext.lines is None else bitext.lines[chosen]
        return replace(bitext, alignment=a, lines=lines)
    texts: list[Text | None] = []
    rows: list[Rows] = []
    for text, before, after in (
        (bitext.src, bitext.alignment.src, a.src),
        (bitext.tgt, bitext.alignment.tgt, a.tgt),
    ):
        if text is None:
            texts.append(None)
            rows.append(after)
            continue
        out = np.zeros(len(text), dtype=np.bool_)
        out[before.idx] = True
        out[after.idx] = False
        texts.append(_only(text, ~out))
        rows.append(after._replace(idx=(np.cumsum(~out) - 1)[after.idx]))
    smaller = type(a).from_arrays(rows[0], rows[1], scores=a.scores, attributes=a.attributes)
    lines = None if bitext.lines is None else bitext.lines[chosen]
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=smaller, lines=lines)


def _only(text: Text, kept: NDArray[np.bool_]) -> Text:
    which = np.flatnonzero(kept).tolist()
    ids = [text.ids[k] for k in which] if text.has_ids else None
    if text.line is None:
        return Text.of_ids(ids or [], name=text.name, lang=text.lang)
    return Text.from_offsets(
        text.line,
        text.starts[kept],
        text.ends[kept],
        ids=ids,
        name=text.name,
        lang=text.lang,
        marked=None if text.marked is None else [text.marked[k] for k in which],
    )


def _swapped(bitext: Bitext) -> Bitext:
    """Exchange the sides, of columns too."""
    turned = bitext.swapped()
    columns = {}
    for name, column in turned.alignment.attributes.items():
        other = {"src.": "tgt.", "tgt.": "src."}.get(name[:4])
        columns[f"{other}{name[4:]}" if other else name] = column
    a = turned.alignment
    alignment = type(a).from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    meta = dict(turned.meta)
    docs = meta.pop("src_doc", None), meta.pop("tgt_doc", None)
    meta |= {
        key: value
        for key, value in zip(("tgt_doc", "src_doc"), docs, strict=True)
        if value is not None
    }
    return replace(turned, alignment=alignment, meta=meta)


def _in_two_languages(bitext: Bitext, dropped: Notes, place: ChunkPosition) -> Bitext:
    """Leave out the texts in further languages: one of a document pair for each language."""
    a = bitext.alignment
    further = [name for name in a.attributes if language_column(name)]
    if not further:
        return bitext
    if new := place.new_languages(a.attributes):
        case = f"{name_of(bitext)}: {', '.join(new)}"
        dropped.add("texts in further languages", case, len(new))
    columns = {name: column for name, column in a.attributes.items() if name not in further}
    alignment = type(a).from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, alignment=alignment)


def _rescored(bitext: Bitext, name: str, changed: Notes) -> Bitext:
    """Take a column of the alignment for its scores."""
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
