"""Input and output of `bitext paragraphs`: books of plain text, and files of paragraphs."""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO

from bitext.cli.option_tables import options_of
from bitext.cli.request import OutputRequest
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from bitext.formats.documents import Document
    from bitext.formats.io.source import Source
    from bitext.formats.plain_text import TextFile
    from bitext.model import Text
    from bitext.reports.paragraphs import BrokenChapter
    from bitext.segment.books import Block, Passage
    from bitext.segment.sentences.running_text import SentenceSpans

# Writers of `bitext paragraphs split`: of text with breaks, sentences, lengths, or JSON.


class Sink:
    """A writer of the passages of one book.

    It counts the paragraphs, sentences and chapters that were written, and in `aside` the
    characters left out, as those of Project Gutenberg's notes.
    """

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.paragraphs = self.sentences = self.chapters = self.aside = 0
        self._within = False  # whether the current chapter has a sentence

    def take(self, passage: Passage) -> None:
        """Write a passage."""
        if passage.decision is None:
            # A chapter ends at a passage without sentences, unless that is a blank line.
            self._within = self._within and passage.kind == "blank"
        elif len(passage.decision.starts):
            starts = passage.decision.starts
            self.sentences += len(starts)
            self.paragraphs += int(starts.sum())
            self.chapters += not self._within
            self._within = True

    def end(self) -> None:
        """Write the rest at the end of the book."""


class TextSink(Sink):
    """A writer of the text with its breaks; `by_line` and `forget` are as in `with_breaks`.

    With `unwrap` each paragraph becomes one line.
    """

    def __init__(self, out: TextIO, *, by_line: bool, forget: bool, unwrap: bool) -> None:
        super().__init__(out)
        self._by_line, self._forget, self._unwrap = by_line, forget, unwrap
        self._line_end = ""

    def take(self, passage: Passage) -> None:
        """Write a passage."""
        from bitext.segment.books import unwrapped, with_breaks

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
    """A sentence, whether it starts a paragraph, and the probability of a break before it."""

    sentence: str
    starts: bool
    chance: float | None


class RowSink(Sink, ABC):
    """A writer of chapters, sentence by sentence; headings are the names of chapters.

    `prefix` is the text before the name of each chapter. With `confidence` the probability of each
    break is written.
    """

    def __init__(self, out: TextIO, *, prefix: str, confidence: bool) -> None:
        from bitext.segment.books import ChapterNames

        super().__init__(out)
        self._prefix, self._confidence = prefix, confidence
        self._names = ChapterNames()
        self._is_named = False  # whether the book names the current chapter

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
        listed = [None] * len(starts) if chances is None else chances.tolist()
        rows = zip(passage.spans.sentences, starts.tolist(), listed, strict=True)
        for sentence, starting, chance in rows:
            self.row(Row(sentence, starting, chance if self._confidence else None))

    def end(self) -> None:
        """Write the rest of the last chapter."""
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
    """A writer of a file of paragraphs; `prefix` and `confidence` are as in `RowSink`.

    `is_table` is true if the book is such a file already; chapters without a name then stay so.
    """

    def __init__(self, out: TextIO, *, prefix: str, confidence: bool, is_table: bool) -> None:
        super().__init__(out, prefix=prefix, confidence=confidence)
        self._stays = is_table and not prefix

    def open_chapter(self, name: str) -> None:
        """Write the name."""
        from bitext.formats.plain_text import chapter_line

        if self._is_named or not self._stays:
            self.out.write(chapter_line(name))

    def row(self, row: Row) -> None:
        """Write 1 or 0, a tab, and the sentence."""
        from bitext.formats.plain_text import sentence_line

        self.out.write(sentence_line(row.sentence, starts=row.starts, chance=row.chance))

    def close_chapter(self) -> None:
        """Write an empty line."""
        self.out.write("\n")


class MassesSink(RowSink):
    """A writer of the lengths of paragraphs, in sentences, one line a chapter."""

    def open_chapter(self, name: str) -> None:
        """Start the list of lengths."""
        self._name, self._masses = name.replace("\t", " "), list[int]()

    def row(self, row: Row) -> None:
        """Add a sentence to the length of its paragraph."""
        if row.starts or not self._masses:
            self._masses.append(0)
        self._masses[-1] += 1

    def close_chapter(self) -> None:
        """Write the lengths as a line."""
        self.out.write(f"{self._name}\t{','.join(map(str, self._masses))}\n")


class JsonSink(RowSink):
    """A writer of JSON lines, one object a paragraph."""

    def open_chapter(self, name: str) -> None:
        """Begin a chapter."""
        self._name, self._number = name, 0
        self._rows: list[Row] = []

    def row(self, row: Row) -> None:
        """Write the paragraph before, if the sentence starts another one."""
        if row.starts and self._rows:
            self.close_chapter()
        self._rows.append(row)

    def close_chapter(self) -> None:
        """Write the current paragraph."""
        self._number += 1
        record: dict[str, object] = {"chapter": self._name, "paragraph": self._number}
        if self._rows[0].chance is not None:
            record["confidence"] = round(self._rows[0].chance, 4)
        record["sentences"] = [row.sentence for row in self._rows]
        self.out.write(json.dumps(record, ensure_ascii=False) + "\n")
        self._rows = []


class PageSink(RowSink):
    """A collector of chapters for a page (`bitext.reports.paragraphs`).

    Chapters are added to `chapters`. `prefix` is the text before the name of each.
    """

    def __init__(self, chapters: list[BrokenChapter], *, prefix: str) -> None:
        super().__init__(io.StringIO(), prefix=prefix, confidence=True)
        self._chapters = chapters

    def open_chapter(self, name: str) -> None:
        """Begin a chapter."""
        from bitext.reports.paragraphs import BrokenChapter

        self._chapters.append(BrokenChapter(name, []))

    def row(self, row: Row) -> None:
        """Add a sentence to its paragraph."""
        from bitext.reports.paragraphs import Paragraph

        paragraphs = self._chapters[-1].paragraphs
        if row.starts or not paragraphs:
            paragraphs.append(Paragraph(row.chance, []))
        paragraphs[-1].sentences.append(row.sentence)

    def close_chapter(self) -> None:
        """Do nothing: the chapter is in the list."""


INPUTS = """\
IN is plain text: paragraphs with blank lines between, hard-wrapped or not; headings, form feeds,
lines of stars and '# doc: NAME' part chapters. Or it is a file of paragraphs (.tsv): lines of 1
(starts a paragraph) or 0, a tab, and a sentence. Or a document: DOCX, ODT, EPUB, HTML, PDF, RTF or
Markdown, whose headings begin chapters. Or a folder of any of them, or - for standard input.
"""
READING = options_of("""
    --lang CODE  the language of the text, as en, de or fr (default: that of its words)
    --sentences  the text has one sentence a line already
    --layout {blank-lines,lines}
        paragraphs of plain text have blank lines between (default), or are lines
    --main-text  for HTML: read the main text, without menus, headers, footers and asides
    --encoding ENCODING  of the text (utf-8)
""")


class BooksRequest(OutputRequest):
    """The options of reading books."""

    inputs: tuple[str, ...]
    lang: str | None = None
    sentences: bool = False
    layout: Literal["blank-lines", "lines"] = "blank-lines"
    main_text: bool = False
    encoding: str = "utf-8"

    def check_reading(self) -> None:
        """Refuse options of reading that do not go together, and unknown encodings."""
        from bitext.formats.io.encodings import check_encoding

        if self.sentences and self.layout == "lines":
            raise OptionError("--sentences and --layout lines exclude each other: give one")
        check_encoding(self.encoding)


_LOOKED_AT = 200  # lines that show the kind of a file; set by hand
_UNBROKEN = 30  # sentences of a chapter that is hardly one paragraph; set by hand
_WITHOUT_BREAK = (
    "texts without a paragraph break beside others with some, each chapter taken as one paragraph: "
    "put a blank line after each paragraph, or leave them out"
)


class Reader:
    """A reader of books by the options of a request; it collects notes on the texts.

    `lang` is the language of --lang; by default it is identified by the words of the first text, or
    English if these are too few, and a note names it.
    """

    def __init__(self, request: BooksRequest) -> None:
        from bitext.formats.io.encodings import check_encoding
        from bitext.formats.io.source import Notes

        self._encoding = check_encoding(request.encoding)
        self._sentences = request.sentences
        self.by_line = request.layout == "lines"
        self._main_text = request.main_text
        self.lang = request.lang or ""
        self.notes = Notes()
        self._path = ""  # of the last file that was opened
        self._ahead: dict[str, Source] = {}  # opened for its language, not read yet
        self._documents: dict[str, Document] = {}  # read when they were opened
        self._splitting: Callable[[str], SentenceSpans] | None = None

    def split(self, raw: str) -> SentenceSpans:
        """Split raw text into sentences: at line ends with --sentences, else by the splitter."""
        if self._splitting is None:
            self._splitting = self._splitter()
        return self._splitting(raw)

    def _splitter(self) -> Callable[[str], SentenceSpans]:
        from bitext.segment.sentences.running_text import sentences_by_line, split_sentences
        from bitext.segment.sentences.splitter import SentenceSplitter

        if self._sentences:
            return sentences_by_line
        if not self.lang:
            kind = "texts too short to tell their language, taken as English (--lang CODE)"
            self.notes.add(kind, self._path)
            self.lang = "en"
        splitter = SentenceSplitter(self.lang)
        return lambda raw: split_sentences(raw, splitter)

    def source(self, path: str) -> Source:
        """Open a file; set the language by its words if it is not known yet."""
        source = self._ahead.pop(path, None)
        if source is None:
            source = self._open(path)
            self._take_language(source)
        self._path = source.path
        return source

    def language(self, path: str) -> str:
        """Return the language of --lang, else that of the words of a file; empty if unknown."""
        if not self.lang and path not in self._ahead:
            self._ahead[path] = self.source(path)
        return self.lang

    def _open(self, path: str) -> Source:
        from bitext.formats.documents import document_format, note_markup
        from bitext.formats.io.source import open_source

        source = open_source(path, encoding=self._encoding)
        known = document_format(source.head(), path)
        if self._main_text and (known is None or known.name != "html"):
            self.notes.add("texts that are no HTML, so --main-text is of no use", path)
        if known is None:
            note_markup(source)
            return source
        return self._as_text(source)

    def _as_text(self, source: Source) -> Source:
        """Read a document; return the text of its blocks, with blank lines between, as a source."""
        from bitext.formats.documents import read_document
        from bitext.formats.io.source import Source

        with source:
            document = read_document(source, main_text=self._main_text)
            self.notes.extend(source.notes)
        if self._sentences:
            raise OptionError(
                f"--sentences is for text with one sentence a line, and {source.path} is a "
                f"document: leave it out"
            )
        self._documents[source.path] = document
        text = "\n\n".join(block.text for block in document.blocks)
        return Source(source.path, io.BytesIO(text.encode("utf-8", "replace")), "utf-8")

    def _take_language(self, source: Source) -> None:
        from bitext.segment.sentences import language_of_text
        from bitext.segment.sentences.splitter import has_small_letters_only

        beginning = self._beginning(source)
        if not self._sentences and has_small_letters_only(beginning):
            kind = "texts in lower case only: each full stop ends a sentence"
            self.notes.add(f"{kind}, except after an abbreviation", source.path)
        lang = language_of_text(beginning, named=self.lang)
        if lang and not self.lang:
            self.lang = lang
            self.notes.add(f"texts taken as {lang} by their words (--lang CODE)", source.path)
        elif not self.lang and (document := self._documents.get(source.path)) and document.lang:
            self.lang = document.lang
            self.notes.add(f"documents that declare {document.lang} (--lang CODE)", source.path)
        elif lang and lang != self.lang:
            kind = f"texts whose words are those of {lang}, read as {self.lang} (--lang CODE)"
            self.notes.add(kind, source.path)

    def _beginning(self, source: Source, *, headings: bool = False) -> str:
        """Return the first text of a file, without the notes of Project Gutenberg before it.

        `headings` are those of chapters, which are left out else.
        """
        from bitext.formats.io.encodings import mark_of
        from bitext.segment.books import blocks_of

        head = source.head()
        text = head.decode(mark_of(head, self._encoding)[1], errors="ignore")
        blocks = blocks_of(text.splitlines(keepends=True))
        kinds = {"text", "blank", *(["heading"] if headings else [])}
        return "".join(block.raw for block in blocks if block.kind in kinds)

    def blocks(self, source: Source) -> tuple[Iterator[Block], Callable[[str], SentenceSpans]]:
        """Return the blocks of a book, and the function that splits them into sentences."""
        from bitext.formats.plain_text import is_paragraph_file, raw_lines
        from bitext.segment.books import blocks_of
        from bitext.segment.sentences.running_text import sentences_by_line

        if (document := self._documents.get(source.path)) is not None:
            return _blocks_of_document(document), self.split
        if is_paragraph_file(source.head()):
            return _blocks_of_rows(source), sentences_by_line
        self._check_kind(source)
        return blocks_of(raw_lines(source), by_line=self.by_line), self.split

    def _check_kind(self, source: Source) -> None:
        """Refuse HTML and subtitles; note other lines that are not text, or odd paragraphs."""
        from bitext.cli.align.texts import refuse_other_kinds
        from bitext.formats.plain_text import changed_characters, foreign_lines, tag_lines
        from bitext.segment.sentences.running_text import numbers_amid_sentences

        lines = self._beginning(source).split("\n")[:_LOOKED_AT]
        pieces = self._beginning(source, headings=True).split("\n")
        if numbers := numbers_amid_sentences(filter(str.strip, pieces)):
            kind = "numbers amid sentences, as page numbers are, taken as headings: leave them out"
            self.notes.add(kind, f"{source.path}: {numbers[0]}", len(numbers))
        for kind, count, first in changed_characters(lines):
            self.notes.add(kind, f"{source.path}: {first[:60]!r}", count)
        foreign = foreign_lines(lines, source.path)
        if foreign.startswith("subtitles"):
            raise source.error(f"is {foreign}, and give the rest as plain text")
        refuse_other_kinds(source)
        if foreign:
            self.notes.add(f"lines that seem to be {foreign}; taken as text", source.path)
        elif tags := tag_lines(lines):
            kind = "lines that are a tag alone, taken as text: leave them out, or empty"
            self.notes.add(kind, f"{source.path}: {lines[tags[0] - 1].strip()[:40]!r}", len(tags))
        elif not (self.by_line or self._sentences):
            self._note_paragraphs(source, lines)

    def _note_paragraphs(self, source: Source, lines: Sequence[str]) -> None:
        """Note paragraphs that seem to have other marks than blank lines between them."""
        from bitext.segment.sentences.running_text import are_paragraphs, begin_further_in

        kind = ""
        if are_paragraphs(lines):
            kind = "--layout lines takes each as one"
            kind = f"texts whose lines seem to be paragraphs, without blank lines between: {kind}"
        elif begin_further_in(lines):
            kind = "texts whose paragraphs seem to begin further in: put a blank line before each"
        if kind:
            self.notes.add(kind, source.path)

    def books(self, names: Sequence[str]) -> Books:
        """Read the chapters of books with known paragraphs.

        Raises `InputError` when a book has no sentence.
        """
        from bitext.formats.plain_text import text_files

        books = {file.path: self._book(file) for file in text_files(names, self.notes)}
        unbroken = [
            name
            for name, texts in books.items()
            if sum(map(len, texts)) > len(texts) * _UNBROKEN
            and not any(text.paragraphs and text.paragraphs.boundaries.size for text in texts)
        ]
        if len(unbroken) < len(books):
            for name in unbroken:
                self.notes.add(_WITHOUT_BREAK, name)
        return books

    def _book(self, file: TextFile) -> list[Text]:
        from bitext.formats.plain_text import is_paragraph_file, read_chapters
        from bitext.segment.books import chapters_of

        texts = []
        with self.source(file.path) as source:
            document = self._documents.get(source.path)
            if document is not None:
                texts = list(self._chapters(document, source))
            elif is_paragraph_file(source.head()):
                texts = list(read_chapters(source))
            else:
                blocks, split = self.blocks(source)
                for chapter in chapters_of(blocks, split):
                    name = f"{source.path}: {chapter.name}"
                    starts = chapter.starts.tolist()
                    texts.append(self._chapter(name, chapter.sentences, starts))
                    if chapter.lost:
                        kind = "paragraphs that start within a sentence, their starts lost"
                        self.notes.add(kind, name, chapter.lost)
            self.notes.extend(source.notes)
            if not texts:
                raise InputError(f"{source.path}: has no sentence; name a file with text")
        return texts

    def _chapters(self, document: Document, source: Source) -> Iterator[Text]:
        """Yield the texts below the headings of a document; each other block is a paragraph.

        Cells and notes are left out. No sentence goes over two blocks.
        """
        from bitext.segment.books import ChapterNames

        if any(block.kind == "verse" for block in document.blocks):
            raise InputError(
                f"{source.path}: has verses as its blocks, and its paragraphs are not known; give "
                f"it as another kind of document, or leave it out"
            )
        names = ChapterNames()
        sentences: list[str] = []
        starts: list[int] = []
        for block in document.blocks:
            if block.kind == "heading":
                if sentences:
                    yield self._chapter(f"{source.path}: {names.next()}", sentences, starts)
                    sentences, starts = [], []
                names.head(" ".join(block.text.split()))
            elif block.kind in {"cell", "note"}:
                self.notes.add("cells and notes of documents, left out", source.path)
            elif added := self.split(block.text).sentences:
                starts.append(len(sentences))
                sentences += added
        if sentences:
            yield self._chapter(f"{source.path}: {names.next()}", sentences, starts)

    def _chapter(self, name: str, sentences: list[str], starts: Sequence[int]) -> Text:
        from bitext.model import Segmentation, Text

        inner = [start for start in starts if start]
        paragraphs = Segmentation.from_boundaries(inner, len(sentences))
        return Text(sentences, name=name, lang=self.lang, paragraphs=paragraphs)


Books = dict[str, "list[Text]"]


def texts_of(books: Books) -> list[Text]:
    """Return the chapters of books in one list."""
    return [text for chapters in books.values() for text in chapters]


def groups_of(books: Books) -> list[str]:
    """Return the book of each chapter; the chapters of a single book are groups of their own."""
    if sum(map(bool, books.values())) == 1:
        return [f"chapter {k}" for k in range(1, len(texts_of(books)) + 1)]
    return [name for name, chapters in books.items() for _ in chapters]


def held_out(books: Books, shares: Sequence[float]) -> list[Books]:
    """Divide the chapters of each book into parts, by the middle of each chapter in sentences.

    The `shares` of the parts have the sum 1. A book of one chapter is cut between sentences.
    """
    parts: list[Books] = [{name: [] for name in books} for _ in shares]
    for name, chapters in books.items():
        total = sum(map(len, chapters))
        limits = [sum(shares[: k + 1]) * total for k in range(len(shares) - 1)]
        if len(chapters) == 1:
            cuts = [0, *(int(limit + 1e-9) for limit in limits), total]
            for k in range(len(shares)):
                if cuts[k] < cuts[k + 1]:
                    parts[k][name].append(_slice(chapters[0], cuts[k], cuts[k + 1]))
            continue
        offset = 0
        for text in chapters:
            middle = offset + len(text) / 2
            parts[sum(middle > limit for limit in limits)][name].append(text)
            offset += len(text)
    return parts


def _slice(text: Text, start: int, end: int) -> Text:
    from bitext.model import Segmentation, Text

    whole = text.paragraphs
    inner = [] if whole is None else whole.boundaries.tolist()
    starts = [boundary - start for boundary in inner if start < boundary < end]
    paragraphs = Segmentation.from_boundaries(starts, end - start)
    sentences = list(text.segments())[start:end]
    name = f"{text.name} [{start}:{end}]"
    return Text(sentences, name=name, lang=text.lang, paragraphs=paragraphs)


def _blocks_of_document(document: Document) -> Iterator[Block]:
    """Yield the blocks of a document: its headings begin chapters, others are paragraphs."""
    from bitext.segment.books import Block

    for k, block in enumerate(document.blocks):
        if k:
            yield Block("blank", "\n")
        is_heading = block.kind == "heading"
        name = " ".join(block.text.split()) if is_heading else ""
        yield Block("heading" if is_heading else "text", f"{block.text}\n", name)


def _blocks_of_rows(source: Source) -> Iterator[Block]:
    """Yield a file of paragraphs as text with one sentence per line and blank lines between.

    Every row is a sentence, even if it looks like a heading, or a line of stars between chapters.
    """
    from bitext.formats.plain_text import DOC, read_rows
    from bitext.segment.books import Block

    for number, (name, sentences, starts, _) in enumerate(read_rows(source)):
        if number:
            yield Block("blank", "\n")
        if name:
            yield Block("heading", f"{DOC} {name}\n", name)
        elif number:
            yield Block("boundary", "* * *\n\n")  # as between chapters without a name in text
        for first, last in pairwise([*starts, len(sentences)]):
            if first:
                yield Block("blank", "\n")
            yield Block("text", "".join(f"{sentence}\n" for sentence in sentences[first:last]))
