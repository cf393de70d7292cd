"""Bitexts from groups of links: texts are located, halves ordered, ids resolved."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from itertools import product, repeat
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bitext.errors import FormatError, InputError, remedy
from bitext.formats.documents.archive import MOST_MEMBERS, Archive
from bitext.formats.io.compression import Limits
from bitext.formats.io.remote import called, join, join_file, size_at
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.opus_documents import (
    FaultyDocumentError,
    is_document,
    read_document,
    read_words,
)
from bitext.formats.positions import line_prefix, natural_ranks
from bitext.formats.registry import ReadOptions
from bitext.formats.scores import known_scores, score_of
from bitext.formats.xces.group import Group, Half, WordLink
from bitext.formats.xml import read_prolog
from bitext.kernels.arrays import Ints, Rows, prefix, row_of, take
from bitext.model import Alignment, Bitext, Text
from bitext.model import word_links as notation
from bitext.paths import is_file

# The documents that a file names.
#
# Names in files are not trusted. A document is opened only if its name, after all links in the file
# system, leads to a regular file under one of the roots.

_OUTSIDE = "document names that lead outside the given roots, not opened"
_MOST_DOCUMENTS = 4  # documents in memory; set by hand: many are aligned with several others


class _Location(NamedTuple):
    """The file of a document, else the reason why there is none; and its name for messages."""

    path: Path | str | None
    why: str = ""
    shown: str = ""
    archive: Archive | None = None  # where the path is the name of a member
    other: str = ""  # another member that the name fits; empty for none


class Documents:
    """Opens the documents that a file names, under the given roots only."""

    def __init__(
        self, source: Source, roots: Sequence[Path | str], limits: Limits | None = None
    ) -> None:
        self._source, self._limits = source, limits
        self._roots = roots
        self._known: dict[str, Text | None] = {}
        self._folders: dict[str, Path] = {}
        self._archives: dict[Path, _ArchiveOfDocuments] = {}
        self.path = source.path

    def has(self, name: str) -> bool:
        """Locate a document without opening it; return True if it exists."""
        if name in self._known:
            return self._known[name] is not None
        return bool(name) and self._locate(name).path is not None

    def words(self, name: str) -> dict[str, tuple[int, int]] | None:
        """Return the positions of the tokens of a document, by id; `None` without the document."""
        location = self._locate(name)
        if location.path is None:
            return None
        with self._opened(location) as document:
            return read_words(document) if read_prolog(document.head()).root else None

    def find(self, name: str, notes: Notes) -> Text | None:
        """Read the document of that name; return `None`, and note why, if there is none."""
        if not name:
            return None
        if name not in self._known:
            while len(self._known) >= _MOST_DOCUMENTS:
                del self._known[next(iter(self._known))]
            self._known[name] = self._open(name, notes)
        elif self._known[name] is None:
            self._open(name, notes)
        return self._known[name]

    def _open(self, name: str, notes: Notes) -> Text | None:
        location = self._locate(name)
        if location.path is not None:
            return self._read(location, notes)
        notes.add(location.why, f"{self._source.path}: {name[:200]!r}")
        return None

    def _locate(self, name: str) -> _Location:
        """Locate a document; else say why there is none."""
        why = "documents not found under the given roots, their segments known by ids only"
        for spelling in _spellings(name):
            for root in self._roots:
                if isinstance(root, Path) and is_archive(root):
                    archive = self._archive(root)
                    if members := archive.members(spelling):
                        shown = [f"{root}: {member}" for member in members]
                        other = "".join(shown[1:2])
                        return _Location(members[0], "", shown[0], archive.archive, other)
                    continue
                path, refusal = _at(root, spelling, self._folders)
                if path is not None:
                    return _Location(path, shown=join(str(root), spelling))
                why = refusal or why
        return _Location(None, why)

    def _archive(self, root: Path) -> _ArchiveOfDocuments:
        if root not in self._archives:
            self._archives[root] = _ArchiveOfDocuments(self._source, root)
        return self._archives[root]

    def _opened(self, location: _Location) -> Source:
        """Open a located document, with its name for messages."""
        if location.archive is not None:
            return location.archive.stream(str(location.path))
        source = open_source(
            location.path or "", encoding=self._source.encoding, limits=self._limits
        )
        source.path = called(location.shown)
        return source

    def _read(self, location: _Location, notes: Notes) -> Text:
        from bitext.formats.plain_text import read_lines_or_cues

        if location.other:
            kind = "documents of which an archive has several, the first taken (unpack one of them)"
            notes.add(kind, f"{location.shown} and {location.other}")
        with self._opened(location) as document:
            document.on_bad, document.units = self._source.on_bad, ("s",)
            head = document.head()
            is_xml = head.startswith(b"<?xml") or is_document(head) or read_prolog(head).root
            text = read_document(document) if is_xml else read_lines_or_cues(document)
            notes.extend(document.notes)
            return text


def is_archive(root: Path) -> bool:
    """Recognise a root that is a ZIP archive of documents."""
    return root.suffix.lower() == ".zip" and is_file(root)


class _ArchiveOfDocuments:
    """A ZIP archive of documents, as OPUS has them: `News/xml/en/doc1.xml` for `en/doc1.xml.gz`."""

    def __init__(self, source: Source, root: Path) -> None:
        packed = open_source(root, encoding=source.encoding, limits=source.limits)
        source.close_with(packed)
        self.archive = Archive(packed, packed.random_access(), most_members=MOST_MEMBERS)
        source.close_with(self.archive)
        self._names: dict[str, list[str]] = {}
        for name in self.archive.in_order:
            self._names.setdefault(name.rpartition("/")[2], []).append(name)

    def members(self, name: str) -> list[str]:
        """Return the member of that name, else those that end with it."""
        name = name.removeprefix("./")
        ends = self._names.get(name.rpartition("/")[2], ())
        return [name] if name in ends else [e for e in ends if f"/{e}".endswith(f"/{name}")]


def _spellings(name: str) -> list[str]:
    """Return the names under which a document may exist, as written first."""
    bare = name.removesuffix(".gz")
    stem = bare.removesuffix(".xml")
    spellings = [name, bare, f"{bare}.gz", f"{stem}.xml", f"{stem}.xml.gz"]
    if "\\" in name:  # written on Windows
        spellings += _spellings(name.replace("\\", "/"))
    return list(dict.fromkeys(spelling for spelling in spellings if spelling))


def _at(root: Path | str, name: str, folders: dict[str, Path]) -> tuple[Path | str | None, str]:
    """Return the document of that name under a root, which may be remote (see `_under`)."""
    if isinstance(root, Path):
        return _under(root, name, folders)
    if name.startswith(("/", "\\")) or "://" in name or ".." in name or "\0" in name:
        return None, _OUTSIDE
    place = join_file(root, name)
    return (place, "") if size_at(place) is not None else (None, "")


def _under(root: Path, name: str, folders: dict[str, Path]) -> tuple[Path | None, str]:
    """Return the regular file of that name under the root; else why it may not be opened.

    `folders` caches resolved folders, because most documents are in a few.
    """
    if name.startswith(("/", "\\")) or "://" in name or "\0" in name:
        return None, _OUTSIDE
    if ".." in name:
        return _followed(root, name)
    folder, _, last = f"{root}/{name}".rpartition("/")
    try:
        mode = os.lstat(f"{folder}/{last}").st_mode
    except (OSError, ValueError):
        return None, ""
    if not last or not stat.S_ISREG(mode):
        return _followed(root, name)
    for each in (folder, str(root)):
        if each not in folders:
            folders[each] = Path(each).resolve()
    if not folders[folder].is_relative_to(folders[str(root)]):
        return None, _OUTSIDE
    return folders[folder] / last, ""


def _followed(root: Path, name: str) -> tuple[Path | None, str]:
    """Return the same as `_under` for a name that may be a link or no regular file."""
    try:
        path, base = (root / name).resolve(), root.resolve()
        if not path.is_relative_to(base):
            return None, _OUTSIDE
        mode = path.stat().st_mode
    except (OSError, ValueError, RuntimeError):
        return None, ""
    if not stat.S_ISREG(mode):
        return None, "names of documents that are not regular files, not opened"
    return path, ""


def places(ids: Sequence[str], text: Text) -> Ints:
    """Return the index of each id in the text; -1 for a missing id.

    In a text without ids they are line numbers from 1, if all of them are a number after the same
    prefix without digits (`1`, `s1`).
    """
    if text.has_ids:
        if ids == text.ids:  # the usual case
            return np.arange(len(ids))
        indices = map(text.index_of_ids.get, ids, repeat(-1))
        return np.fromiter(indices, dtype=np.int64, count=len(ids))
    letters = line_prefix(ids)
    if letters is None:
        return np.full(len(ids), -1, dtype=np.int64)
    numbers = (int(name[len(letters) :]) - 1 for name in ids)
    out = np.fromiter(numbers, dtype=np.int64, count=len(ids))
    return np.where(out < len(text), out, -1)


def note_order(notes: Notes, path: str, lines: Sequence[int] | Ints, sides: Sequence[Rows]) -> None:
    """Note bisegments that are out of order or have gaps; members are in the order written."""
    backwards: set[int] = set()
    gaps: set[int] = set()
    for rows in sides:
        row = row_of(rows)
        inner = row[1:] == row[:-1]
        if not inner.any():
            continue
        backwards.update(row[1:][inner & (np.diff(rows.idx) < 0)].tolist())
        many = np.flatnonzero(rows.lengths > 1)
        begins = rows.ptr[:-1][rows.lengths > 0]
        place = np.searchsorted(begins, rows.ptr[:-1][many])
        spread = np.maximum.reduceat(rows.idx, begins) - np.minimum.reduceat(rows.idx, begins)
        gaps.update(many[spread[place] + 1 > rows.lengths[many]].tolist())
    for kind, affected in (
        ("bisegments whose ids are not in document order", backwards),
        ("bisegments that are discontinuous", gaps),
    ):
        if affected:
            notes.add(kind, f"{path} line {lines[min(affected)]}", len(affected))


# Targets of XCES 1.0: one locator a text, which names a segment or a range of segments.
#
#     <link>
#      <align xlink:href="#s1"/>
#      <align xlink:href="fr.xml#xpointer(id('s1')/range-to(id('s3')))"/>
#     </link>
#
# A locator is `#id`, or `#xpointer(...)` with `id('a')` or with a range of ids, which only the
# document can expand. The name of the document may precede `#`. An empty locator is an empty side.

RANGE = "\0"  # between the first and the last id of a range; no id contains NUL

_QUOTED = r"""id\(\s*(?:'([^'\s;]+)'|"([^"\s;]+)")\s*\)"""
_POINTER = re.compile(rf"xpointer\(\s*{_QUOTED}(?:\s*/\s*range-to\(\s*{_QUOTED}\s*\))?\s*\)")
_BARE = re.compile(r"[^\s;#()]+")


def targets(hrefs: list[str]) -> str | None:
    """Translate the locators of a link to `xtargets`; return `None` for other locators.

    Examples
    --------
    >>> targets(["#s1", "b.xml#xpointer(id('s2'))"])
    's1;s2'

    """
    if len(hrefs) != 2:
        return None
    halves = [_names(href.strip()) for href in hrefs]
    return None if None in halves else ";".join(map(str, halves))


def _names(href: str) -> str | None:
    if href.endswith("#") or not href:
        return ""
    fragment = href.rpartition("#")[2] if "#" in href else ""
    match = _POINTER.fullmatch(fragment)
    if match:
        first, last = match[1] or match[2], match[3] or match[4]
        return f"{first}{RANGE}{last}" if last else first
    return fragment if _BARE.fullmatch(fragment) else None


def expanded(half: Half, text: Text | None, name: str) -> tuple[Half, dict[int, str]]:
    """Expand ranges of ids; return the half, and by link why a range cannot be expanded."""
    ranges = [k for k, each in enumerate(half.ids) if RANGE in each]
    wrong: dict[int, str] = {}
    if not ranges:
        return half, wrong
    ids = [each for each in half.ids if RANGE not in each]
    index = {each: k for k, each in enumerate(ids)}
    parts: dict[int, list[int] | str] = {
        k: [index[each]] for k, each in enumerate(half.ids) if RANGE not in each
    }
    for k in ranges:
        between = _between(half.ids[k], text, name)
        if isinstance(between, str):
            parts[k] = between
        else:
            parts[k] = [index.setdefault(each, len(index)) for each in between]
    # A range may have a segment that its link names, too: it counts once.
    members: list[int] = []
    lengths = []
    for row in range(len(half.rows.ptr) - 1):
        inside: dict[int, None] = {}
        for k in half.rows.row(row).tolist():
            part = parts[k]
            if isinstance(part, str):
                wrong[row] = part
            else:
                inside.update(dict.fromkeys(part))
        members += inside
        lengths.append(len(inside))
    rows = Rows(prefix(np.array(lengths, dtype=np.int64)), np.array(members, dtype=np.int64))
    return Half(list(index), rows), wrong


def _between(ends: str, text: Text | None, name: str) -> list[str] | str:
    """Return the ids of a range, or why there are none."""
    first, last = ends.split(RANGE)
    shown = f"has a range from {first!r} to {last!r}"
    if text is None or not text.has_ids:
        return (
            f"{shown}, which only the document ({name or 'not named'!r}) can tell; give it "
            f"({remedy('src', 'tgt')}), or the folder where it lies ({remedy('root')})"
        )
    begin, end = places([first, last], text).tolist()
    if not 0 <= begin <= end:
        return f"{shown}, which {text.name or 'its text'} does not have in that order; correct it"
    return list(text.ids[begin : end + 1])


# Word links inside of XCES links, as positions of words.
#
#     <link xtargets="s1;s1">
#      <wordLink certainty="0.1" lexPair="a b;c" xtargets="w1.1+w1.2;w1.1"/>
#     </link>
#
# The ids name tokens (`w`) in the two documents. Each word on one side of a word link corresponds
# to each on the other. Words are separated by blanks, and the position of a token is that of the
# word of its bisegment in which it begins. A numeric `certainty` is the confidence; `lexPair`
# repeats the words, and is left out.


def renamed(columns: dict[str, list[str | None]]) -> dict[str, list[str | None]]:
    """Rename a column `words` that has no word links to `words_`."""
    values = columns.get(notation.COLUMN)
    if values is None or all(map(_is_notation, values)):
        return columns
    return {f"{name}_" if name == notation.COLUMN else name: columns[name] for name in columns}


def _is_notation(value: str | None) -> bool:
    try:
        notation.parse(value or "")
    except InputError:
        return False
    return True


def word_column(
    group: Group,
    words: Mapping[int, Sequence[WordLink]],
    alignment: Alignment,
    texts: tuple[Text, Text],
    documents: Documents,
    *,
    own: tuple[bool, bool],
    turned: bool,
) -> Alignment:
    """Add the word links as a column; note those that cannot be resolved."""
    tables = [
        documents.words(name) if known else None
        for name, known in zip(group.pair, own, strict=True)
    ]
    column: list[str | None] = [None] * len(alignment)
    for k, word_links in words.items():
        sides = alignment[k]
        begins = [_begins(side, text) for side, text in zip(sides, texts, strict=True)]
        links: list[notation.Link] = []
        for word in word_links:
            resolved = _resolved(word, tables, begins, turned=turned)
            if resolved is None:
                kind = "word links inside links, left out"
                group.notes.add(kind, f"{documents.path} line {word.line}")
            else:
                links += resolved
        if links:
            column[k] = notation.spell(notation.distinct(links))
    if not any(column):
        return alignment
    return Alignment.from_arrays(
        alignment.src,
        alignment.tgt,
        scores=alignment.scores,
        attributes={**alignment.attributes, notation.COLUMN: column},
    )


def _begins(side: Sequence[int], text: Text) -> dict[int, int]:
    """Return the number of words before each segment of a side."""
    begins, at = {}, 0
    for k in side:
        begins[k] = at
        at += len(notation.tokens(text[k].text or ""))
    return begins


def _resolved(
    word: WordLink,
    tables: Sequence[Mapping[str, tuple[int, int]] | None],
    begins: Sequence[Mapping[int, int]],
    *,
    turned: bool,
) -> list[notation.Link] | None:
    """Return a word link by positions; `None` if its bisegment lacks a word."""
    halves = word.xtargets.split(";")
    if len(halves) != 2:
        return None
    sides = []
    for half, table, begin in zip(halves[:: -1 if turned else 1], tables, begins, strict=True):
        places = [(table or {}).get(name) for name in half.replace("+", " ").split()]
        positions = [begin[at[0]] + at[1] for at in places if at is not None and at[0] in begin]
        if len(positions) < len(places) or not positions:
            return None
        sides.append(positions)
    number = score_of(word.certainty)
    sure = number if number is not None and isfinite(number) else None
    return [notation.Link(src, tgt, confidence=sure) for src, tgt in product(*sides)]


_OUR_NAMES = {"fromDoc": "src_doc", "toDoc": "tgt_doc"}
_SIDES = ("source", "target")


class _LinkedText(NamedTuple):
    """One side of the links: its text, its segments in the order written, and faults by link."""

    text: Text
    rows: Rows
    wrong: dict[int, str]


class Pairer:
    """Makes the bitexts of the groups of one file."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source = source
        self._options = options
        self._documents = Documents(source, options.roots, options.limits)
        self._turned = False  # whether the halves of the last group were exchanged

    def knows_none(self, group: Group) -> bool:
        """Check whether no text of the group is known, so that its parts lose nothing."""
        return all(text is None for text in self._options.given) and not any(
            self._documents.has(name) for name in group.pair
        )

    def bitext(self, group: Group, *, name: str, alone: bool) -> Bitext | None:
        """Make the bitext of a group; `alone` if the file has no other.

        Return `None` where bad units are collected and a document of the group cannot be read.

        Raises `FormatError` when a text lacks an id, with the line of the first link to it, or a
        document cannot be read.
        """
        options = self._options
        over = (options.over_src, options.over_tgt) if alone else (None, None)
        texts: list[Text | None] = []
        for side, given in enumerate((options.src, options.tgt)):
            try:
                texts.append(self._text(group, side, over[side]) if given is None else given)
            except FormatError as error:
                if self._source.on_bad is None:
                    raise
                faults = error.faults if isinstance(error, FaultyDocumentError) else (error,)
                for fault in faults:
                    self._source.on_bad(fault)
        if len(texts) < 2:
            return None
        known = (texts[0], texts[1])
        halves = group.halves()
        if group.rooted:
            if not group.continues:
                self._turned = self._is_turned(group, halves, known)
            halves = halves[:: -1 if self._turned else 1]  # type: ignore[assignment]  # still two
        return self._bitext_of(group, halves, known, name)

    def _bitext_of(
        self,
        group: Group,
        halves: tuple[Half, Half],
        known: tuple[Text | None, Text | None],
        name: str,
    ) -> Bitext:
        turned = group.rooted and self._turned
        sides = [self._side(group, side, halves, known) for side in range(2)]
        rows = [side.rows for side in sides]
        lines, scores, columns = group.lines, group.scores, renamed(group.attribute_columns())
        kept = self._refused(sides, lines)
        # Links that are refused are left out of all columns alike.
        if kept is not None:
            rows = [take(side, kept) for side in rows]
            lines, scores = lines[kept], scores[kept]
            columns = {key: [column[k] for k in kept.tolist()] for key, column in columns.items()}
        if turned and "type" in columns:
            columns["type"] = [_turned(value) for value in columns["type"]]
        alignment = Alignment.from_arrays(
            rows[0], rows[1], scores=known_scores(scores), attributes=columns
        )
        texts = sides[0].text, sides[1].text
        if group.words:
            words = group.words
            if kept is not None:
                words = {k: words[old] for k, old in enumerate(kept.tolist()) if old in words}
            alignment = word_column(
                group, words, alignment, texts, self._documents, own=self._own(), turned=turned
            )
        self._note_order(group.notes, lines, texts, rows)
        return Bitext(
            *texts,
            alignment,
            name=name,
            meta={_OUR_NAMES.get(key, key): value for key, value in group.attributes.items()},
            notes=group.notes.all(),
            continues=group.continues,
            lines=lines if self._options.lines else None,
        )

    def _own(self) -> tuple[bool, bool]:
        """Return for both texts whether the file names them, rather than the user."""
        return self._options.src is None, self._options.tgt is None

    def _text(self, group: Group, side: int, over: Text | None) -> Text | None:
        """Return the document of a side, or the text of the other alignment."""
        notes = Notes()
        text = self._documents.find(group.pair[side], notes)
        if text is None and over is not None and (over.has_text or not over.has_ids):
            return over
        if not group.continues:
            group.notes.extend(notes)
        return text

    def _is_turned(
        self, group: Group, halves: tuple[Half, Half], known: tuple[Text | None, Text | None]
    ) -> bool:
        """Check whether the left half points into toDoc, as in InterText; note the reason."""
        left, right = halves
        here = _missing_ids(left, known[0]) + _missing_ids(right, known[1])
        there = _missing_ids(left, known[1]) + _missing_ids(right, known[0])
        turned = there < here
        reason = f"by the ids, of which otherwise {max(here, there)} are not in the documents"
        if here == there:
            # InterText has no scores: links with them and a type are of other programs.
            scored = "score" in group.columns or not np.isnan(group.scores).all()
            turned = "status" in group.columns or ("type" in group.columns and not scored)
            reason = "as the root linkGrp and its links with type or status are InterText's"
            if not turned:
                reason = "as the links have neither type nor status"
                if "type" in group.columns:
                    reason = "as the links have scores and no status"
        document = group.attributes.get("toDoc" if turned else "fromDoc", "")
        group.notes.add(
            "alignments with linkGrp as root, the order of the sides detected from their contents",
            f"{self._source.path}: the first ids are of {'toDoc' if turned else 'fromDoc'} "
            f"({document!r}), {reason}",
        )
        return turned

    def _side(
        self,
        group: Group,
        side: int,
        halves: tuple[Half, Half],
        known: tuple[Text | None, Text | None],
    ) -> _LinkedText:
        """Return the text of a side and the segments of its bisegments, in the order written."""
        text = known[side]
        ids, rows = halves[side]
        wrong: dict[int, str] = {}
        if group.ranged:
            (ids, rows), wrong = expanded(halves[side], text, group.pair[side])
        if text is None:
            return _LinkedText(Text.of_ids(ids, name=group.pair[side]), rows, wrong)
        place = places(ids, text)
        members = place[rows.idx]
        missing = np.flatnonzero(members < 0)
        if missing.size:
            swapped = not (_missing_ids(halves[0], known[1]) or _missing_ids(halves[1], known[0]))
            link = row_of(rows)[missing]
            for k, member in zip(link.tolist(), rows.idx[missing].tolist(), strict=True):
                if k not in wrong:
                    wrong[k] = _missing(_SIDES[side], ids[member], text, swapped=swapped)
        return _LinkedText(text, Rows(rows.ptr, members), wrong)

    def _refused(self, sides: Sequence[_LinkedText], lines: Ints) -> Ints | None:
        """Refuse links to missing segments; return the other links, `None` for all."""
        wrong = {**sides[1].wrong, **sides[0].wrong}
        if not wrong:
            return None
        for k in sorted(wrong):
            self._source.refuse(wrong[k], int(lines[k]))
        return np.delete(np.arange(len(lines)), list(wrong))

    def _note_order(
        self, notes: Notes, lines: Ints, texts: tuple[Text, Text], sides: Sequence[Rows]
    ) -> None:
        ranked = []
        for text, rows in zip(texts, sides, strict=True):
            ranks = None
            if not text.has_text and (rows.lengths > 1).any():
                ranks = natural_ranks(text.ids)
            ranked.append(rows if ranks is None else Rows(rows.ptr, ranks[rows.idx]))
        note_order(notes, self._source.path, lines, ranked)


def _missing(side: str, name: str, text: Text, *, swapped: bool) -> str:
    """Describe a link to a segment that its text lacks."""
    where = text.name or f"the {side} text"
    option = remedy("src" if side == "source" else "tgt")
    if text.has_ids:
        ids = text.ids
        has = f"{len(ids)} ids, {ids[0]!r} to {ids[-1]!r}" if ids else "no ids"
        advice = f"give the document that was aligned ({option})"
    else:
        has = f"{len(text)} lines and no ids; ids as s1 can stand for lines if all are like it"
        advice = f"give the document with these ids ({option})"
    if swapped:
        advice = (
            f"with the two sides exchanged all ids are there: are they swapped ({remedy('swap')})?"
        )
    return f"xtargets names the {side} segment {name!r}, but {where} has {has}; {advice}"


def _missing_ids(half: Half, text: Text | None) -> int:
    """Count the ids that the text lacks; 0 without a text."""
    return 0 if text is None else int((places(half.ids, text) < 0).sum())


def _turned(kind: str | None) -> str | None:
    """Exchange the sides of a bead type: `2-1` becomes `1-2`."""
    first, hyphen, second = (kind or "").partition("-")
    return f"{second}-{first}" if hyphen else kind


def pair_name(src: str, tgt: str) -> str:
    """Name a pair of documents: common parts once, different ones in braces.

    >>> pair_name("en/2001/a.xml.gz", "fr/2001/a.xml.gz")
    '{en,fr}/2001/a'
    """
    a = src.removesuffix(".gz").removesuffix(".xml").split("/")
    b = tgt.removesuffix(".gz").removesuffix(".xml").split("/")
    if a == b:
        return "/".join(a)
    most = min(len(a), len(b))
    head = next((k for k in range(most) if a[k] != b[k]), most)
    tail = next((k for k in range(most - head) if a[-1 - k] != b[-1 - k]), most - head)
    middle = f"{{{'/'.join(a[head : len(a) - tail])},{'/'.join(b[head : len(b) - tail])}}}"
    return "/".join([*a[:head], middle, *a[len(a) - tail :]])
