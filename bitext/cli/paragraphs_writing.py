"""What `bitext paragraphs split` writes: text with breaks, sentences, lengths, or JSON."""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from bitext.reports.paragraph_text_page import BrokenChapter
    from bitext.segment.passages import Passage

__all__ = ["JsonSink", "MassesSink", "PageSink", "RowSink", "Sink", "TableSink", "TextSink"]


class Sink:
    """Takes the passages of one book, and counts.

    Attributes
    ----------
    paragraphs, sentences, chapters : int
    aside : int
        Characters that were left out, as none of the book.

    """

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.paragraphs = self.sentences = self.chapters = self.aside = 0
        self._within = False  # a chapter has begun, with a sentence

    def take(self, passage: Passage) -> None:
        """Write a passage."""
        if passage.decision is None:
            # Chapters end at their boundaries; blank lines are none.
            self._within = self._within and passage.kind == "blank"
        elif len(passage.decision.starts):
            starts = passage.decision.starts
            self.sentences += len(starts)
            self.paragraphs += int(starts.sum())
            self.chapters += not self._within
            self._within = True

    def end(self) -> None:
        """Write what is left when the book is over."""


class TextSink(Sink):
    """Writes the text with its breaks.

    Parameters
    ----------
    out : text file
    by_line, forget : bool
        As of `with_breaks`.
    unwrap : bool
        Whether each paragraph becomes one line.

    """

    def __init__(self, out: TextIO, *, by_line: bool, forget: bool, unwrap: bool) -> None:
        super().__init__(out)
        self._by_line, self._forget, self._unwrap = by_line, forget, unwrap
        self._line_end = ""

    def take(self, passage: Passage) -> None:
        """Write a passage."""
        from bitext.segment.paragraph_breaks import unwrapped, with_breaks

        super().take(passage)
        if not self._line_end and "\n" in passage.raw:
            self._line_end = "\r\n" if "\r\n" in passage.raw else "\n"
        end = self._line_end or "\n"
        if self._unwrap:
            self.out.write(unwrapped(passage, end=end, by_line=self._by_line))
        else:
            self.out.write(
                with_breaks(passage, end=end, by_line=self._by_line, forget=self._forget)
            )


class Row(NamedTuple):
    """A sentence: what it says, whether it starts a paragraph, and how likely that is."""

    sentence: str
    starts: bool
    chance: float | None


class RowSink(Sink, ABC):
    """Writes chapter by chapter and sentence by sentence; headings are the names of chapters.

    Parameters
    ----------
    out : text file
    prefix : str
        Before the name of each chapter.
    confidence : bool
        Whether confidences are written.

    """

    def __init__(self, out: TextIO, *, prefix: str, confidence: bool) -> None:
        from bitext.segment.passages import ChapterNames

        super().__init__(out)
        self._prefix, self._confidence = prefix, confidence
        self._names = ChapterNames()
        self._is_named = False  # the chapter at hand has a name in the book

    def take(self, passage: Passage) -> None:
        """Write a passage."""
        within = self._within
        super().take(passage)
        if within and not self._within:
            self.close_chapter()
        if passage.kind == "heading":
            self._names.head(passage.name)
        elif passage.kind == "aside":
            self.aside += len(passage.raw)
        if passage.spans is None or passage.decision is None or not passage.spans.sentences:
            return
        if not within:
            self._is_named = self._names.is_given
            self.open_chapter(f"{self._prefix}{self._names.next()}")
        starts, chances = passage.decision
        shown = [None] * len(starts) if chances is None else chances.tolist()
        rows = zip(passage.spans.sentences, starts.tolist(), shown, strict=True)
        for sentence, starting, chance in rows:
            self.row(Row(sentence, starting, chance if self._confidence else None))

    def end(self) -> None:
        """Write what is left when the book is over."""
        if self._within:
            self.close_chapter()

    @abstractmethod
    def open_chapter(self, name: str) -> None:
        """Begin a chapter."""

    @abstractmethod
    def row(self, row: Row) -> None:
        """Write a sentence."""

    @abstractmethod
    def close_chapter(self) -> None:
        """End a chapter."""


class TableSink(RowSink):
    """Writes a file of paragraphs.

    Parameters
    ----------
    out, prefix, confidence
        As of `RowSink`.
    is_table : bool
        Whether the book is one already: then chapters without a name stay so.

    """

    def __init__(self, out: TextIO, *, prefix: str, confidence: bool, is_table: bool) -> None:
        super().__init__(out, prefix=prefix, confidence=confidence)
        self._stays = is_table and not prefix

    def open_chapter(self, name: str) -> None:
        """Write the name."""
        from bitext.formats.paragraph_files import chapter_line

        if self._is_named or not self._stays:
            self.out.write(chapter_line(name))

    def row(self, row: Row) -> None:
        """Write the sign and the sentence."""
        from bitext.formats.paragraph_files import sentence_line

        self.out.write(sentence_line(row.sentence, starts=row.starts, chance=row.chance))

    def close_chapter(self) -> None:
        """Write an empty line."""
        self.out.write("\n")


class MassesSink(RowSink):
    """Writes the lengths of the paragraphs of each chapter, a line each."""

    def open_chapter(self, name: str) -> None:
        """Begin to count."""
        self._name, self._masses = name.replace("\t", " "), list[int]()

    def row(self, row: Row) -> None:
        """Count."""
        if row.starts or not self._masses:
            self._masses.append(0)
        self._masses[-1] += 1

    def close_chapter(self) -> None:
        """Write a line."""
        self.out.write(f"{self._name}\t{','.join(map(str, self._masses))}\n")


class JsonSink(RowSink):
    """Writes an object of JSON a paragraph."""

    def open_chapter(self, name: str) -> None:
        """Begin a chapter."""
        self._name, self._number = name, 0
        self._held: list[Row] = []

    def row(self, row: Row) -> None:
        """Write the paragraph that has ended."""
        if row.starts and self._held:
            self.close_chapter()
        self._held.append(row)

    def close_chapter(self) -> None:
        """Write the paragraph at hand."""
        self._number += 1
        found: dict[str, object] = {"chapter": self._name, "paragraph": self._number}
        if self._held[0].chance is not None:
            found["confidence"] = round(self._held[0].chance, 4)
        found["sentences"] = [row.sentence for row in self._held]
        self.out.write(json.dumps(found, ensure_ascii=False) + "\n")
        self._held = []


class PageSink(RowSink):
    """Gathers chapters for a page (`bitext.reports.paragraph_text_page`).

    Parameters
    ----------
    chapters : list of BrokenChapter
        What it adds to.
    prefix : str
        Before the name of each chapter.

    """

    def __init__(self, chapters: list[BrokenChapter], *, prefix: str) -> None:
        super().__init__(io.StringIO(), prefix=prefix, confidence=True)
        self._chapters = chapters

    def open_chapter(self, name: str) -> None:
        """Begin a chapter."""
        from bitext.reports.paragraph_text_page import BrokenChapter

        self._chapters.append(BrokenChapter(name, []))

    def row(self, row: Row) -> None:
        """Add a sentence to its paragraph."""
        from bitext.reports.paragraph_text_page import Paragraph

        paragraphs = self._chapters[-1].paragraphs
        if row.starts or not paragraphs:
            paragraphs.append(Paragraph(row.chance, []))
        paragraphs[-1].sentences.append(row.sentence)

    def close_chapter(self) -> None:
        """Nothing is to be done."""
