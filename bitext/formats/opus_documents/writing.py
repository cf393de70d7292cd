"""Writing texts as documents of sentences, in the style of OPUS, for links to point into.

    <text xml:lang="en">
    <p id="1">
    <s id="s1.1">It rained.</s>

Sentences with times, as of subtitles, have them as in OPUS:

    <s id="1"><time id="T1S" value="00:00:01,000" />It rained.<time id="T1E" ... /></s>

Documents are written to a given folder, with one folder a side. Its name is the language if the two
codes are plain and differ, else `src` or `tgt`; names of documents are numbers. Sentences without
ids get their number, from 1. A sentence that a reader would tidy has `xml:space="preserve"`. Lost:
inline codes.

A document never replaces another file. All documents appear together, when they and the links into
them are complete; until then they are in a folder `.bitext-*.part` beside their destination. A
killed process leaves that folder behind, which may be deleted.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields
from math import isnan
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from bitext.errors import InputError, remedy
from bitext.formats.beads import give_text
from bitext.formats.io.output import write_whole
from bitext.formats.opus_documents import tidy
from bitext.formats.registry import WriteOptions
from bitext.formats.subtitles.times import clock
from bitext.formats.xml import FORBIDDEN, escape, escape_value
from bitext.model import Bitext, Text
from bitext.paths import aside_in, is_folder, is_there

_SIDES = ("source", "target")
_FOLDERS = ("src", "tgt")
_PLAIN = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}", re.ASCII)


class DocumentFolder:
    """Writes the two texts of document pairs, one pair after another.

    The folder is made if missing. Options from `documents_aside` redirect the documents.
    """

    def __init__(self, folder: Path, options: WriteOptions) -> None:
        self._folder, self._requested = folder, (options.src_lang, options.tgt_lang)
        aside = options if isinstance(options, _Aside) else None
        self._written_in = folder if aside is None else aside.aside
        self._before = "" if aside is None else aside.before
        self._pairs = 0
        self._stack = ExitStack()
        self._outs: list[IO[str]] = []
        self._written = [0, 0]
        self._paragraphs = [0, 0]
        self._ids: tuple[set[str], set[str]] = (set(), set())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            with self._stack:
                self._finish()
        else:  # the output sees the error, and removes the incomplete document
            self._stack.__exit__(kind, error, trace)

    def begin(self, bitext: Bitext) -> tuple[str, str]:
        """Begin the documents of a pair, and end the documents before; return their names."""
        self._finish()
        self._stack.close()
        self._pairs += 1
        self._written, self._paragraphs, self._ids = [0, 0], [0, 0], (set(), set())
        texts = bitext.src, bitext.tgt
        langs = [
            requested or (text.lang if text is not None else "")
            for requested, text in zip(self._requested, texts, strict=True)
        ]
        plain = langs[0].lower() != langs[1].lower() and all(map(_PLAIN.fullmatch, langs))
        names = []
        for lang, usual in zip(langs, _FOLDERS, strict=True):
            place = self._folder / (lang if plain else usual)
            _refuse_link(place)
            name = f"{self._pairs:06}.xml"
            if os.path.lexists(place / name):
                raise _there_already(place / name)
            folder = self._written_in / place.name
            _make(folder)
            path = folder / name
            self._outs.append(self._stack.enter_context(write_whole(path)))
            tag = f'<text xml:lang="{_quoted(lang, "the language")}">' if lang else "<text>"
            self._outs[-1].write(f'<?xml version="1.0" encoding="utf-8"?>\n{tag}\n')
            names.append(f"{self._before}{folder.name}/{name}")
        return names[0], names[1]

    def write(self, bitext: Bitext) -> None:
        """Write the texts of a pair, or of a part of one."""
        for side, text in enumerate((bitext.src, bitext.tgt)):
            where = f"{bitext.name or 'the bitext'}, {_SIDES[side]}"
            if text is None or not text.has_text:
                raise InputError(
                    f"{where}: there is no text to write as a document; {give_text(_FOLDERS[side])}"
                )
            self._outs[side].writelines(self._sentences(text, side, where))
            self._written[side] += len(text)

    def _sentences(self, text: Text, side: int, where: str) -> list[str]:
        before = self._written[side]
        ids = list(text.ids) if text.has_ids else [str(before + k + 1) for k in range(len(text))]
        known = self._ids[side]
        if text.has_ids:
            if not all(ids) or not known.isdisjoint(ids):
                wrong = next(name for name in ids if not name or name in known)
                raise InputError(
                    f"{where}: the id {wrong!r} {'occurs twice' if wrong else 'is empty'}; a "
                    f"document needs one of its own for each segment"
                )
            known.update(ids)
        names = _quoted("\0".join(ids), where).split("\0") if ids else []
        segments = list(text.segments())
        spaces = ["" if tidy(each) == each else ' xml:space="preserve"' for each in segments]
        lines = [
            f'<s id="{name}"{space}>{each}</s>\n'
            for name, space, each in zip(
                names, spaces, _timed(_escaped(segments, where), text, before), strict=True
            )
        ]
        if text.paragraphs is None:
            return lines
        out, at = [], 0
        for mass in text.paragraphs.masses:
            self._paragraphs[side] += 1
            out += [f'<p id="{self._paragraphs[side]}">\n', *lines[at : at + mass], "</p>\n"]
            at += mass
        return out

    def _finish(self) -> None:
        for out in self._outs:
            out.write("</text>\n")
        self._outs = []


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aside(WriteOptions):
    """Options with the temporary folder of the documents."""

    aside: Path  # the temporary folder
    before: str  # the prefix of the names of documents in the links


@contextmanager
def documents_aside(
    options: WriteOptions, folder: Path, *, base: Path | None = None
) -> Iterator[tuple[WriteOptions, Callable[[], None]]]:
    """Return options that write documents to a temporary folder, and a function that moves them.

    After an error, also in moving, neither the documents nor folders made for them remain.

    `folder` is the folder of the documents. `base` is the folder to which their names are relative,
    if it contains that folder; by default their names are relative to `folder` itself.

    Raises `InputError` when the folder cannot be written to, or a document exists already.
    """
    if os.path.lexists(folder) and not is_folder(folder):
        raise InputError(
            f"{folder}: is not a folder, and documents are written into one; name another"
        )
    before = name_under(folder, base) if base is not None else None
    known = {field.name: getattr(options, field.name) for field in fields(WriteOptions)}
    with ExitStack() as undo:
        # On the file system of the folder, so that documents can be renamed into it.
        near = next(each for each in (folder, *folder.absolute().parents) if is_folder(each))
        aside = aside_in(near)
        undo.callback(shutil.rmtree, aside, ignore_errors=True)
        try:
            aside.mkdir(mode=0o700)
        except OSError as error:
            raise InputError(f"{near}: cannot be written: {error.strerror or error}") from None

        def publish() -> None:
            for path in sorted(aside.glob("*/*")):
                place = folder / path.parent.name
                _make(place, undo)
                _move(path, place / path.name)
                undo.callback((place / path.name).unlink, missing_ok=True)

        yield _Aside(**known, aside=aside, before=f"{before}/" if before else ""), publish
        try:
            undo.pop_all()
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def name_under(folder: Path, base: Path) -> str | None:
    """Return the path of a folder relative to another, or `None` when outside.

    Examples
    --------
    >>> name_under(Path("out/docs"), Path("out")), name_under(Path("out"), Path("out"))
    ('docs', '')
    >>> name_under(Path("docs"), Path("out"))

    """
    inside, outside = Path(os.path.realpath(folder)), Path(os.path.realpath(base))
    if not inside.is_relative_to(outside):
        return None
    return "/".join(inside.relative_to(outside).parts)


def _make(folder: Path, undo: ExitStack | None = None) -> None:
    """Make a folder and those above it; they are taken away again when that is undone."""
    _refuse_link(folder)
    missing = [each for each in (folder, *folder.parents) if not is_there(each)]
    try:
        for each in reversed(missing):
            with suppress(FileExistsError):  # another process made it
                each.mkdir()
                if undo is not None:
                    undo.callback(_unmake, each)
        if not is_folder(folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror or error}") from None


def _unmake(folder: Path) -> None:
    with suppress(OSError):  # others may have put something there
        folder.rmdir()


def _move(path: Path, place: Path) -> None:
    """Give a document the name of its place, unless there is something."""
    try:
        os.link(path, place)
    except FileExistsError:
        raise _there_already(place) from None
    except OSError:  # no file system of links: then look, and rename
        if os.path.lexists(place):
            raise _there_already(place) from None
        try:
            path.rename(place)
        except OSError as error:
            raise InputError(f"{place}: cannot be written: {error.strerror or error}") from None


def _refuse_link(folder: Path) -> None:
    if folder.is_symlink():
        raise InputError(f"{folder}: is a link where a folder is wanted; name another folder")


def _there_already(place: Path) -> InputError:
    return InputError(
        f"{place}: exists already, and no document is overwritten; name another folder "
        f"({remedy('write-documents', command='convert align')}), or delete it"
    )


def _timed(segments: list[str], text: Text, before: int) -> list[str]:
    """Put the times of segments around their content; `before` segments have had some."""
    if text.times is None:
        return segments
    return [
        f"{_time(before + k, 'S', start)}{segment}{_time(before + k, 'E', end)}"
        for k, (segment, (start, end)) in enumerate(
            zip(segments, text.times.tolist(), strict=True), start=1
        )
    ]


def _time(number: int, kind: str, time: float) -> str:
    return "" if isnan(time) else f'<time id="T{number}{kind}" value="{clock(time)}" />'


def _escaped(segments: list[str], where: str) -> list[str]:
    whole = "\0".join(segments)
    if FORBIDDEN.search(whole.replace("\0", "")) or whole.count("\0") >= max(1, len(segments)):
        k = next(k for k, each in enumerate(segments) if FORBIDDEN.search(each))
        raise InputError(
            f"{where}: segment {k}, {segments[k][:40]!r}, has a character that XML forbids; take "
            f"it out, or write another format, as jsonl"
        )
    return escape(whole).split("\0") if segments else []


def _quoted(text: str, where: str) -> str:
    if FORBIDDEN.search(text.replace("\0", "")):
        raise InputError(f"{where}: {text[:40]!r} has a character that XML forbids; take it out")
    return escape_value(text)
