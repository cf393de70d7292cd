"""The texts that paragraph models are trained and measured on: sets of books, cut into parts.

A folder holds a folder a set (`sb`, `doyle`, `eng`, `ger`), with a file of paragraphs a book. Each
book is cut by the middle of its chapters, in sentences: up to 72% is for training, up to 93% for
development, the rest for tests. The one text of `sb` is cut at sentences 644 and 832.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.io.source import open_source
from bitext.formats.plain_text import read_chapters
from bitext.model import Segmentation, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["LANGUAGES", "Chapter", "only", "read_sets"]

LANGUAGES = {"en": ("sb", "doyle", "eng"), "de": ("ger",)}
"""The sets that the model of each language is trained on."""

_TRAIN, _DEV = 0.72, 0.93
_SB = (0, 644, 832)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter, or what was cut of one.

    Attributes
    ----------
    of : str
        The set.
    book : str
        The name of its file.
    part : {"train", "dev", "test"}
    text : Text
        With its paragraphs.

    """

    of: str
    book: str
    part: str
    text: Text


def read_sets(folder: Path, sets: Iterable[str]) -> list[Chapter]:
    """Read the chapters of sets.

    Raises
    ------
    InputError
        When a set has no book.
    FormatError
        When a file is no file of paragraphs.

    """
    found = []
    for name in sets:
        books = sorted((folder / name).glob("*.tsv"))
        if not books:
            raise InputError(f"{folder / name} has no books: want files of paragraphs (*.tsv)")
        for book in books:
            with open_source(book) as source:
                chapters = list(read_chapters(source))
            cut = _cut_once(chapters[0]) if name == "sb" else _by_span(chapters)
            found += [Chapter(name, book.stem, part, text) for part, text in cut]
    return found


def only(chapters: Iterable[Chapter], *parts: str, of: str | None = None) -> list[Text]:
    """Return the texts of some parts, of one set if it is named."""
    return [c.text for c in chapters if c.part in parts and of in {None, c.of}]


def _by_span(chapters: list[Text]) -> Iterator[tuple[str, Text]]:
    total, done = sum(map(len, chapters)), 0
    for text in chapters:
        middle = (done + len(text) / 2) / total
        done += len(text)
        yield "train" if middle <= _TRAIN else "dev" if middle <= _DEV else "test", text


def _cut_once(text: Text) -> Iterator[tuple[str, Text]]:
    sentences = list(text.segments())
    if text.paragraphs is None:
        raise InputError(f"{text.name} has no paragraphs: want a file that tells them")
    starts = np.asarray(text.paragraphs.boundaries)
    for part, first, last in zip(("train", "dev", "test"), _SB, (*_SB[1:], len(text)), strict=True):
        inner = starts[(starts > first) & (starts < last)] - first
        paragraphs = Segmentation.from_boundaries(inner.tolist(), last - first)
        name = f"{text.name} ({part})"
        yield part, Text(sentences[first:last], name=name, paragraphs=paragraphs)
