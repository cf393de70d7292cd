"""From ids to segments: the documents that a file names, and which half points into which.

Names in files are not trusted. A document is opened only when its name, followed through all
links, ends at a regular file under one of the roots.
"""

from __future__ import annotations

import os
import re
import stat
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.formats.io.remote import called, join, size_at
from bitext.formats.io.source import open_source
from bitext.formats.line_files import read_lines
from bitext.formats.opus_documents.reading import is_document, read_document
from bitext.formats.xces.group import Half
from bitext.formats.xml.prolog import read_prolog
from bitext.kernels.rows import Rows, prefix, row_of
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Limits, Notes, Source
    from bitext.model import Text

__all__ = ["RANGE", "Documents", "expanded", "natural_ranks", "note_order", "places", "targets"]


_OUTSIDE = "document names that lead outside the given roots, not opened"
_KEPT = 4  # documents held for the groups to come: a document is often aligned with several
_LINE_ID = re.compile(r"(\D*)([1-9]\d{0,11})", re.ASCII)
_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))
_NUMBERS = re.compile(r"\d{1,18}", re.ASCII)


class _Located(NamedTuple):
    """A document: its file, else why there is none; and its name as that of the root goes on."""

    path: Path | str | None
    why: str = ""
    shown: str = ""


class Documents:
    """Opens the documents that a file names, under the given roots only."""

    def __init__(
        self, source: Source, roots: Sequence[Path | str], limits: Limits | None = None
    ) -> None:
        self._source, self._limits = source, limits
        self._roots = roots
        self._known: dict[str, Text | None] = {}
        self._folders: dict[str, Path] = {}
        self.path = source.path

    def has(self, name: str) -> bool:
        """Tell whether there is a document of that name that may be opened; open none."""
        if name in self._known:
            return self._known[name] is not None
        return bool(name) and self._locate(name).path is not None

    def words(self, name: str) -> dict[str, tuple[int, int]] | None:
        """Return where the tokens of a document stand, by their ids; `None` if there is none."""
        from bitext.formats.opus_documents.reading import read_words

        found = self._locate(name)
        if found.path is None:
            return None
        with self._opened(found) as document:
            return read_words(document) if read_prolog(document.head()).root else None

    def find(self, name: str, notes: Notes) -> Text | None:
        """Return the document of that name; `None`, and a note that says why, if there is none."""
        if not name:
            return None
        if name not in self._known:
            while len(self._known) >= _KEPT:
                del self._known[next(iter(self._known))]
            self._known[name] = self._open(name, notes)
        elif self._known[name] is None:
            self._open(name, notes)
        return self._known[name]

    def _open(self, name: str, notes: Notes) -> Text | None:
        found = self._locate(name)
        if found.path is not None:
            return self._read(found, notes)
        notes.add(found.why, f"{self._source.path}: {name[:200]!r}")
        return None

    def _locate(self, name: str) -> _Located:
        """Return the file of a document; else why there is none."""
        why = "documents not found under the given roots, their segments known by ids only"
        for spelling in _spellings(name):
            for root in self._roots:
                path, refusal = _at(root, spelling, self._folders)
                if path is not None:
                    return _Located(path, shown=join(str(root), spelling))
                why = refusal or why
        return _Located(None, why)

    def _opened(self, found: _Located) -> Source:
        """Open a document by the path that was looked at; messages call it as the user would."""
        source = open_source(found.path or "", encoding=self._source.encoding, limits=self._limits)
        source.path = called(found.shown)
        return source

    def _read(self, found: _Located, notes: Notes) -> Text:
        with self._opened(found) as document:
            document.on_bad, document.units = self._source.on_bad, ("s",)
            head = document.head()
            is_xml = head.startswith(b"<?xml") or is_document(head) or read_prolog(head).root
            text = read_document(document) if is_xml else read_lines(document)
            for note in document.notes.all():
                notes.add(note.kind, note.first, note.count)
            return text


def _spellings(name: str) -> list[str]:
    """Return the names under which a document may be there: as written first."""
    bare = name.removesuffix(".gz")
    stem = bare.removesuffix(".xml")
    spellings = (name, bare, f"{bare}.gz", f"{stem}.xml", f"{stem}.xml.gz")
    return list(dict.fromkeys(spelling for spelling in spellings if spelling))


def _at(root: Path | str, name: str, folders: dict[str, Path]) -> tuple[Path | str | None, str]:
    """Return the document of that name under a root that may be a place; else as `_under`."""
    if isinstance(root, Path):
        return _under(root, name, folders)
    if name.startswith(("/", "\\")) or "://" in name or ".." in name or "\0" in name:
        return None, _OUTSIDE
    place = join(root, name)
    return (place, "") if size_at(place) is not None else (None, "")


def _under(root: Path, name: str, folders: dict[str, Path]) -> tuple[Path | None, str]:
    """Return the regular file of that name under the root; else why it may not be opened.

    `folders` keeps where folders are: most documents lie in a few.
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
    """Do the same for a name that is, or may be, a link or something else."""
    try:
        path, base = (root / name).resolve(), root.resolve()
        if not path.is_relative_to(base):
            return None, _OUTSIDE
        mode = path.stat().st_mode
    except (OSError, ValueError, RuntimeError):
        return None, ""
    if not stat.S_ISREG(mode):
        return None, "document names of what is no regular file, not opened"
    return path, ""


def places(ids: Sequence[str], text: Text) -> NDArray[np.int64]:
    """Return the index of each id in the text; -1 where it has none.

    In a text without ids of its own they are the numbers of its lines, from 1, if all of them
    are such a number behind one prefix without digits (`1`, `s1`).
    """
    if text.has_ids:
        if ids == text.ids:  # all of them, in order: the usual case
            return np.arange(len(ids))
        found = map(text.index_of_ids.get, ids, repeat(-1))
        return np.fromiter(found, dtype=np.int64, count=len(ids))
    lines = [_LINE_ID.fullmatch(name) for name in ids]
    if len({match and match[1] for match in lines}) != 1 or not all(lines):
        return np.full(len(ids), -1, dtype=np.int64)
    numbers = (int(match[2]) - 1 for match in lines if match)
    out = np.fromiter(numbers, dtype=np.int64, count=len(ids))
    return np.where(out < len(text), out, -1)


def natural_ranks(ids: Sequence[str]) -> NDArray[np.int64] | None:
    """Return the rank of each id in the order of the numbers in them; `None` without such an order.

    `s2` comes before `s10`, and `s1.2` before `s1.10`. All ids must begin alike.
    """
    if not ids:
        return None
    joined = "\n".join(ids)
    shape = joined.translate(_NO_DIGITS)
    shapes = shape.split("\n")
    if shapes.count(shapes[0]) == len(shapes) and max(map(len, ids)) < 19:
        between = str.maketrans(dict.fromkeys(set(shape), " "))
        numbers = np.fromstring(joined.translate(between), dtype=np.int64, sep=" ")
        if numbers.size and numbers.size % len(ids) == 0:
            keys = numbers.reshape(len(ids), -1)
            return _ranks(np.lexsort(keys.T[::-1]), keys)
    return _ranks_by_one(ids)


def _ranks(order: NDArray[np.intp], keys: NDArray[np.int64]) -> NDArray[np.int64] | None:
    if not (np.diff(keys[order], axis=0) != 0).any(axis=1).all():
        return None
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _ranks_by_one(ids: Sequence[str]) -> NDArray[np.int64] | None:
    """Rank ids with different numbers of numbers, as `s1` and `s1.2`."""
    starts = {re.split(r"\d", name, maxsplit=1)[0] for name in ids}
    keys = [tuple(map(int, _NUMBERS.findall(name))) for name in ids]
    if len(starts) > 1 or len(set(keys)) < len(keys):
        return None
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[sorted(range(len(ids)), key=keys.__getitem__)] = np.arange(len(ids))
    return ranks


def note_order(
    notes: Notes, path: str, lines: Sequence[int] | NDArray[np.int64], sides: Sequence[Rows]
) -> None:
    """Note bisegments that are out of order or have gaps; members in the order written."""
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
    for kind, found in (
        ("bisegments whose ids are not in document order", backwards),
        ("bisegments that are discontinuous", gaps),
    ):
        if found:
            notes.add(kind, f"{path} line {lines[min(found)]}", len(found))


# Targets of XCES 1.0: one locator a text, which names a segment or a range of them.
#
#     <link>
#      <align xlink:href="#s1"/>
#      <align xlink:href="fr.xml#xpointer(id('s1')/range-to(id('s3')))"/>
#     </link>
#
# A locator is `#id`, or `#xpointer(...)` with `id('a')` or with a range from one id to another,
# which only the document can tell. Before `#` the document may be named. An empty one is an empty
# side.

RANGE = "\0"  # between the first id and the last one: no id has it

_QUOTED = r"""id\(\s*(?:'([^'\s;]+)'|"([^"\s;]+)")\s*\)"""
_POINTER = re.compile(rf"xpointer\(\s*{_QUOTED}(?:\s*/\s*range-to\(\s*{_QUOTED}\s*\))?\s*\)")
_BARE = re.compile(r"[^\s;#()]+")


def targets(hrefs: list[str]) -> str | None:
    """Return what `xtargets` would say for the locators of a link; `None` where one is no such.

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
    found = _POINTER.fullmatch(fragment)
    if found:
        first, last = found[1] or found[2], found[3] or found[4]
        return f"{first}{RANGE}{last}" if last else first
    return fragment if _BARE.fullmatch(fragment) else None


def expanded(half: Half, text: Text | None, name: str) -> tuple[Half, dict[int, str]]:
    """Put the segments of ranges in their places; say which links cannot be, and why."""
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
        found = _between(half.ids[k], text, name)
        if isinstance(found, str):
            parts[k] = found
        else:
            parts[k] = [index.setdefault(each, len(index)) for each in found]
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
    """Return the ids of a range, or say why there are none."""
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
