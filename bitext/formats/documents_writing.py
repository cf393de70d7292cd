"""Texts written as documents of sentences, as OPUS has them, for links to point into.

    <text xml:lang="en">
    <p id="1">
    <s id="s1.1">It rained.</s>

They lie in a folder given, in one folder a side, which is named for the language if its code is a
plain one that differs from the other's, else `src` and `tgt`; their names are numbers. Sentences
without ids get their number, from 1. One that a reader would tidy has `xml:space="preserve"`.
Lost: inline marks. A document appears when it is whole.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Self

from bitext.errors import InputError
from bitext.formats.documents_text import tidy
from bitext.formats.losses import FORBIDDEN
from bitext.formats.writing import write_whole

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from bitext.formats.registry import WriteOptions
    from bitext.model import Bitext, Text

__all__ = ["DocumentFolder"]

_SIDES = ("source", "target")
_FOLDERS = ("src", "tgt")
_PLAIN = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}", re.ASCII)
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_QUOTED = {**_ESCAPES, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}


class DocumentFolder:
    """Writes the two texts of document pairs, one pair after another.

    Parameters
    ----------
    folder : Path
        Where the documents go; made if it is not there.
    options : WriteOptions
        May name languages.

    """

    def __init__(self, folder: Path, options: WriteOptions) -> None:
        self._folder, self._asked = folder, (options.src_lang, options.tgt_lang)
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
        else:  # what is not whole is taken away: its file sees the error
            self._stack.__exit__(kind, error, trace)

    def begin(self, bitext: Bitext) -> tuple[str, str]:
        """Begin the documents of a pair, and end those before; return their names."""
        self._finish()
        self._stack.close()
        self._pairs += 1
        self._written, self._paragraphs, self._ids = [0, 0], [0, 0], (set(), set())
        texts = bitext.src, bitext.tgt
        langs = [
            asked or (text.lang if text is not None else "")
            for asked, text in zip(self._asked, texts, strict=True)
        ]
        plain = langs[0].lower() != langs[1].lower() and all(map(_PLAIN.fullmatch, langs))
        names = []
        for lang, usual in zip(langs, _FOLDERS, strict=True):
            folder = self._folder / (lang if plain else usual)
            self._make(folder)
            path = folder / f"{self._pairs:06}.xml"
            self._outs.append(self._stack.enter_context(write_whole(path)))
            tag = f'<text xml:lang="{_quoted(lang, "the language")}">' if lang else "<text>"
            self._outs[-1].write(f'<?xml version="1.0" encoding="utf-8"?>\n{tag}\n')
            names.append(f"{folder.name}/{path.name}")
        return names[0], names[1]

    def _make(self, folder: Path) -> None:
        if folder.is_symlink():
            raise InputError(f"{folder}: is a link where a folder is wanted; name another folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder}: cannot be made: {error.strerror or error}") from None

    def write(self, bitext: Bitext) -> None:
        """Write the texts of a pair, or of a part of one."""
        for side, text in enumerate((bitext.src, bitext.tgt)):
            where = f"{bitext.name or 'the bitext'}, {_SIDES[side]}"
            if text is None or not text.has_text:
                raise InputError(
                    f"{where}: there is no text to write as a document; give it "
                    f"(--{_FOLDERS[side]}), or the folder of the documents (--root)"
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
                    f"{where}: the id {wrong!r} {'stands twice' if wrong else 'is empty'}; a "
                    f"document needs one of its own for each segment"
                )
            known.update(ids)
        names = _quoted("\0".join(ids), where).split("\0") if ids else []
        segments = list(text.segments())
        spaces = ["" if tidy(each) == each else ' xml:space="preserve"' for each in segments]
        lines = [
            f'<s id="{name}"{space}>{each}</s>\n'
            for name, space, each in zip(names, spaces, _escaped(segments, where), strict=True)
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


def _escaped(segments: list[str], where: str) -> list[str]:
    whole = "\0".join(segments)
    if FORBIDDEN.search(whole.replace("\0", "")) or whole.count("\0") >= max(1, len(segments)):
        k = next(k for k, each in enumerate(segments) if FORBIDDEN.search(each))
        raise InputError(
            f"{where}: segment {k}, {segments[k][:40]!r}, has a character that XML forbids; take "
            f"it out, or write another format, as jsonl"
        )
    for sign, reference in _ESCAPES.items():
        if sign in whole:
            whole = whole.replace(sign, reference)
    return whole.split("\0") if segments else []


def _quoted(text: str, where: str) -> str:
    if FORBIDDEN.search(text.replace("\0", "")):
        raise InputError(f"{where}: {text[:40]!r} has a character that XML forbids; take it out")
    for sign, reference in _QUOTED.items():
        if sign in text:
            text = text.replace(sign, reference)
    return text
