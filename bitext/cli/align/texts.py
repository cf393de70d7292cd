"""Reading of the texts that `bitext align` aligns, as sentences and as they are written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.hard_boundaries import Filled, SetAside, without_empty
from bitext.cli.align.inputs import (
    FilePair,
    is_objects,
    read_objects,
    refuse_no_objects,
    running_paragraphs,
    sentence_lines,
)
from bitext.cli.align.request import AlignRequest, Place
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats import read_all
from bitext.formats.documents import (
    OF_PAGES,
    Block,
    cut_at,
    document_format,
    note_markup,
    raised,
    read_document,
)
from bitext.formats.io.compression import HEAD, unpacked
from bitext.formats.io.encodings import check_encodings, is_utf_8_twice, mark_of, unmarked_utf_16
from bitext.formats.io.remote import two_files
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.languages import named_code, named_languages
from bitext.formats.line_files import read_lines, split_lines
from bitext.formats.plain_text import (
    begin_with_own_ids,
    changed_characters,
    foreign_lines,
    raw_lines,
    with_own_ids,
)
from bitext.formats.registry import Format, by_suffix, sniff
from bitext.formats.subtitles import (
    is_subtitles,
    read_subtitles,
    refuse_other_subtitles,
    runs_of_speech,
)
from bitext.formats.subtitles.times import TIME_COLUMNS, interpolated, with_column_times
from bitext.kernels.arrays import Ints, Rows
from bitext.lazy import late_pattern
from bitext.model import Alignment, Bitext, Blocks, Segmentation, Text
from bitext.paths import is_file
from bitext.segment.sentences import language_of_text, language_of_words, marks_ends, other_language
from bitext.segment.sentences.running_text import (
    RunningText,
    SentenceSpans,
    are_running_text,
    are_sentences,
    is_frame,
    layout_of_translation,
    may_be_running_text,
    numbers_amid_sentences,
    spelled_words,
    split_sentences,
    width_of_lines,
)
from bitext.segment.sentences.splitter import SentenceSplitter, has_small_letters_only

if TYPE_CHECKING:
    from bitext.align.documents import Heading

# Files that are plainly no text of one sentence per line, by their names and first bytes.

_BEFORE_MARKUP = b" \t\r\n\0\xef\xbb\xbf\xff\xfe"  # also of UTF-16, with a byte order mark
_XML = (".xml", ".tei", ".xhtml", ".html", ".htm")
_SUBTITLES = (".srt", ".vtt")
_HTML = late_pattern(rb"<(?:!doctype\s+html|html(?:\s[^<>]*)?>\s*<)", re.IGNORECASE)
_CAPITALS = late_pattern(rb"<[A-Z][A-Z\d.]*[\s>].*?<S[\s>]", re.DOTALL)


def refuse_other_kinds(source: Source) -> None:
    """Refuse markup, and subtitles in formats that are not read.

    Call it after `_is_document` and `is_subtitles` have said no.

    Raises `FormatError` with the format that the file seems to have, and a remedy.
    """
    name = unpacked(source.path).lower()
    head = source.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if _HTML.match(head):
        raise source.error("is HTML, not one sentence a line: save its text as plain text", 1)
    if _CAPITALS.match(head):
        raise source.error(
            "has elements in capitals (<S>), as SGML has: want XML, with elements s", 1
        )
    if head.startswith(b"<") and name.endswith(_XML):
        raise source.error(
            "is XML without sentences (elements s with an id): divide it into them, or save its "
            "text as plain text",
            1,
        )
    refuse_other_subtitles(source)
    if head and (name.endswith(_SUBTITLES) or head.split(None, 1)[0] == b"WEBVTT"):
        raise source.error(
            "is named as subtitles, or begins so, but has no line of times "
            "(00:00:01,000 --> 00:00:02,500): if each line is a sentence, name the file .txt",
            1,
        )


# Pairs of texts, and their reader.

# Answers of `foreign_lines`.
_NO_SENTENCES = (
    "two texts", "a number", "a time", "times", "columns", "cells", "words with", "markup",
    "strings",
)  # fmt: skip
_DOUBLE_UTF_8 = (
    "texts that seem to be UTF-8 read as Latin-1 (é is Ã©): their words are not recognised"
)
_ONE_PARAGRAPH = (
    "texts without blank lines, split as one paragraph: --layout lines takes each line as one"
)
_SENTENCES = (
    "texts that seem to have one sentence a line, split as one paragraph: --layout lines takes "
    "each line as one, and without --split each is a sentence"
)
_SAMPLE = 2000  # lines that show how a text is divided, set by hand
# Sentences, from which a text is held as the string of its file and two arrays if that is smaller:
# a string of its own takes 50 bytes more than its characters. Set by hand.
_MANY = 50_000
_LOWER_CASE = (
    "texts in lower case only: each full stop ends a sentence, except after an abbreviation"
)
_MANY_CUES = 0.2  # share of cues that end amid a sentence, above which a note says so; by hand
_AMID = "cues that end amid a sentence: --split joins cues to sentences"
_JOINED = (
    "subtitles whose cues become sentences, with times by their characters (without --split: cues)"
)
_BY_NAME = "of the language that their names tell"
_LINES = "lines"
_HYPHEN = late_pattern(r"[-‐][ \t\r]*\n")
_DIVIDED = (
    "words divided at line ends, whose hyphens are kept, as nothing shows how they are spelled"
)
_PAGES = "numbers amid sentences, as page numbers are, taken as text: leave them out"
_FRAMES = (
    "lines before and after books of Project Gutenberg, taken as text: leave out what is before "
    "*** START OF and after *** END OF"
)
_RUNNING = "running text, split into sentences (--sentences: each line is one)"
_MOST_CELLS = 0.8  # share of cells of tables among the blocks of a document; more get a note
_CELLS = (
    "cells of tables that make most of a document, read as its text (a table with a text and its "
    "translation is an alignment: give it alone)"
)
_UNMARKED = "texts of {}, whose script does not mark the ends of sentences: each {} is one"
_DOCUMENTS = "documents, whose paragraphs are split into sentences (as by --split)"
_TIMES_OF_COLUMNS = "columns of times, read as the times of sentences (--no-times: no evidence)"
_SET_ASIDE = "empty sentences that separate no paragraphs of both texts, set aside"


@dataclass(frozen=True, slots=True, eq=False)
class TextPair:
    """Two texts to align."""

    name: str
    src: Text  # the source text to align
    tgt: Text  # the target text to align
    # The texts to write: the same, or with blank lines between paragraphs and empty sentences.
    whole: tuple[Text, Text]
    # The indices of the segments of `src` and `tgt` in `whole`; `None` if they are the same.
    places: tuple[Ints | None, Ints | None]
    meta: dict[str, str]  # the names of the documents, from a file of alignments
    # The empty sentences of `whole` that are not aligned; `on_whole` puts them back as beads.
    aside: SetAside | None = None
    # The name of a document whose sentences are in no file; empty for texts of sentences.
    document: str = ""
    split: tuple[bool, bool] = (False, False)  # whether the texts were split into sentences

    @classmethod
    def of_texts(
        cls, name: str, texts: tuple[Text, Text], whole: tuple[Text, Text], meta: dict[str, str]
    ) -> TextPair:
        """Return a pair without the empty sentences that separate no paragraphs of both texts."""
        src, tgt, aside = without_empty(*texts)
        places = (None, None) if aside is None else aside.places
        return cls(name, src, tgt, whole, places, meta, aside)

    def in_language(self, side: int, lang: str) -> TextPair:
        """Return the pair with another language of its source (0) or its target (1)."""
        whole = list(self.whole)
        whole[side] = whole[side].in_language(lang)
        if side == 0:
            return replace(self, src=self.src.in_language(lang), whole=(whole[0], whole[1]))
        return replace(self, tgt=self.tgt.in_language(lang), whole=(whole[0], whole[1]))

    def on_whole(self, alignment: Alignment) -> Filled:
        """Convert an alignment of `src` and `tgt` to one of `whole`."""
        if self.aside is not None and self._is_whole(alignment):
            return self.aside.put_back(alignment)
        sides = [
            (rows.ptr, rows.idx if places is None else places[rows.idx])
            for rows, places in zip((alignment.src, alignment.tgt), self.places, strict=True)
        ]
        placed = Alignment.from_arrays(sides[0], sides[1], scores=alignment.scores)
        return Filled(placed, np.ones(len(placed), dtype=bool))

    def _is_whole(self, alignment: Alignment) -> bool:
        """Check whether each sentence is in one bead and beads are in order, as ours are."""
        sides = ((alignment.src, self.src), (alignment.tgt, self.tgt))
        return all(np.array_equal(rows.idx, np.arange(len(text))) for rows, text in sides)

    def bitext(self, placed: Alignment) -> Bitext:
        """Return the bitext of an alignment of `whole`."""
        return Bitext(*self.whole, placed, name=self.name, meta=self.meta)


def text_reader(request: AlignRequest) -> Callable[[str, str, str], Text]:
    """Return a function that reads a text from a file, the key of its side and its language.

    Notes on the text are dropped: they are added where it is aligned.
    """
    readers: list[TextReader] = []  # made when it is used, as it checks options

    def read(path: str, key: str, lang: str) -> Text:
        if not readers:
            readers.append(TextReader(request, Notes()))
        return readers[0].text(path, key, lang)

    return read


@dataclass(frozen=True, slots=True, eq=False)
class _ReadText:
    text: Text
    whole: Text
    places: Ints | None = None
    headings: list[Heading] | None = None  # of a document
    verses: list[tuple[str, int]] | None = None  # of a document: reference and first sentence
    kind: str = ""  # `_RUNNING` (also documents), `_LINES`, or another
    is_split: bool = False  # whether it was split into sentences, by an option or without


class TextReader:
    """The reader of texts, by the options of a request.

    `notes` gets the notes on the texts. The output `place` may name the languages of the texts.
    """

    def __init__(self, request: AlignRequest, notes: Notes, place: Place | None = None) -> None:
        self._request, self._notes = request, notes
        self._plain_lines: list[str] = []  # those examined last that are no running text
        self._with_ids = False  # whether the lines of both texts may begin with identifiers
        self._keeps_languages = place is not None and place.known.keeps.languages
        # Sentences that are in no file are of no use to positions, gold standards and vectors.
        of_lines = (request.sentences, request.vectors, request.gold, request.known)
        self._by_lines = any(of_lines)
        self._may_split = not self._by_lines and (place is None or place.known.keeps.texts)
        self._encoding = check_encodings(request.encoding)
        self._splitters: dict[str, SentenceSplitter] = {}

    def pairs(self, files: FilePair) -> Iterator[TextPair]:
        """Yield the two texts of two files, or those of each document pair of one file."""
        if files.tgt is None:
            yield from self._of_alignments(files)
            return
        self._request.refuse_beside_texts(files.src, where=" as SRC")
        src_lang, tgt_lang = self._languages(files.src, files.tgt)
        src, tgt = self._both_sides(files.src, files.tgt, (src_lang, tgt_lang))
        src, tgt = self._by_sections(src, tgt)
        whole, places = (src.whole, tgt.whole), (src.places, tgt.places)
        self._tell_paragraphs((files.src, src.text), (files.tgt, tgt.text))
        document = next((side.whole.name for side in (src, tgt) if side.headings is not None), "")
        split = src.is_split, tgt.is_split
        if src.places is None and tgt.places is None:
            pair = self._pair(files.name, (src.text, tgt.text), whole, {})
            yield replace(pair, document=document, split=split)
        else:
            yield TextPair(
                files.name, src.text, tgt.text, whole, places, {}, document=document, split=split
            )

    def _both_sides(
        self, src: str, tgt: str, langs: tuple[str, str]
    ) -> tuple[_ReadText, _ReadText]:
        """Read both texts; where one is running text, less shows that its translation is, too."""
        # On one side alone numbers may be anything.
        self._with_ids = not self._by_lines and begin_with_own_ids(src, tgt, self._encoding)
        all_notes = self._notes
        first, of_first = self._noted(src, langs[0], "src", less=False)
        second, of_second = self._noted(tgt, langs[1], "tgt", less=first.kind == _RUNNING)
        if second.kind == _RUNNING and first.kind == _LINES and is_file(src):
            lines = list(first.whole.segments(0, min(len(first.whole), _SAMPLE)))
            if layout_of_translation(lines):
                first, of_first = self._noted(src, langs[0], "src", less=True)
        self._notes = all_notes
        for notes in (of_first, of_second):
            all_notes.extend(notes)
        for one, other in ((first, second), (second, first)):
            if one.kind == _LINES and other.kind == _RUNNING:
                self._note_unmarked(one.whole)
        return first, second

    def _note_unmarked(self, text: Text) -> None:
        """Note lines, beside running text, in a language that does not mark ends of sentences."""
        beginning = "\n".join(text.segments(0, min(len(text), _SAMPLE)))
        lang = text.lang or language_of_text(beginning)
        if lang and not marks_ends(lang):
            self._notes.add(_UNMARKED.format(lang, "line"), text.name)

    def _noted(self, path: str, lang: str, key: str, *, less: bool) -> tuple[_ReadText, Notes]:
        self._notes = Notes()
        return self._side(path, lang, key, less=less), self._notes

    def text(self, path: str, key: str, lang: str) -> Text:
        """Return the text of a file of the side `key`, in a language; empty: unknown."""
        return self._side(path, lang, key).text

    def _languages(self, src: str, tgt: str) -> tuple[str, str]:
        """Return the languages by the options, else by the names of both files if they differ."""
        request = self._request
        src_lang, tgt_lang = named_languages(src, tgt)
        return request.src_lang or src_lang, request.tgt_lang or tgt_lang

    def _of_alignments(self, files: FilePair) -> Iterator[TextPair]:
        request = self._request
        if request.known is None:
            _refuse_one_text(files.src)
        for option in request.given("--dialogue", "--main-text", "--layout"):
            self._notes.add(f"files of alignments, so {option} is of no use", files.src)
        bitexts = read_all(
            files.src,
            format=request.known,
            encoding=self._encoding,
            src_lang=request.src_lang,
            tgt_lang=request.tgt_lang,
            where=request.where,
            drafts=request.drafts,
            columns=request.table_columns(),
        )
        for bitext in bitexts:
            self._notes.extend(bitext.notes)
            src, tgt = bitext.src, bitext.tgt
            if src is None or tgt is None or not (src.has_text and tgt.has_text):
                raise InputError(
                    f"{files.src}: holds no texts that can be aligned, only "
                    f"{bitext.meta.get('holds', 'positions')} of them; name the two texts"
                )
            name = bitext.name or files.name
            both = self._timed((src, tgt), bitext.alignment, name)
            both = self._split_segments(both, bitext.alignment, name)
            meta = {key: bitext.meta[key] for key in ("src_doc", "tgt_doc") if key in bitext.meta}
            src, tgt = map(self._paragraphed, both)
            self._tell_paragraphs((name, src), (name, tgt))
            yield self._pair(name, (src, tgt), both, meta)

    def _split_segments(
        self, both: tuple[Text, Text], alignment: Alignment, name: str
    ) -> tuple[Text, Text]:
        """Split the segments of both texts into sentences, if they are running text."""
        split = self._request.split or self._may_split
        if not split or any(text.times is not None for text in both):
            return both
        layouts = (
            are_running_text(list(text.segments(0, min(len(text), _SAMPLE)))) for text in both
        )
        if not self._request.split:
            if "lines" not in layouts:
                return both
            self._notes.add(_RUNNING, name)
        texts = (
            self._split_text(text, rows)
            for text, rows in zip(both, (alignment.src, alignment.tgt), strict=True)
        )
        return next(texts), next(texts)

    def _split_text(self, text: Text, rows: Rows) -> Text:
        """Split the segments of a text; its paragraphs are the bisegments that are in order."""
        segments = list(text.segments())
        splitter, lang = self._splitter(segments, text.lang, text.name or "the text", by="")
        sentences: list[str] = []
        codes: list[str | None] = []
        firsts = [0]
        for k, segment in enumerate(segments):
            spans = split_sentences(segment, splitter)
            if spans.sentences:
                sentences += spans.sentences
                codes += _codes_within(None if text.marked is None else text.marked[k], spans)
            else:
                sentences.append(segment)
                codes.append(None)
            firsts.append(len(sentences))
        in_order = np.array_equal(rows.idx, np.arange(len(text)))
        begins = rows.ptr[:-1][rows.lengths > 0].tolist() if in_order else range(len(segments))
        borders = [firsts[k] for k in begins if k]
        paragraphs = Segmentation.from_boundaries(borders, len(sentences)) if sentences else None
        return Text(sentences, name=text.name, lang=lang, paragraphs=paragraphs, marked=codes)

    def _timed(self, both: tuple[Text, Text], alignment: Alignment, name: str) -> tuple[Text, Text]:
        """Return both texts with their times, or those of columns that subtitles became."""
        columns = alignment.attributes
        texts: list[Text] = []
        for column, text, rows in zip(
            TIME_COLUMNS, both, (alignment.src, alignment.tgt), strict=True
        ):
            if text.times is None and column in columns:
                timed = with_column_times(text, rows, columns[column])
                if timed.times is not None:
                    self._notes.add(_TIMES_OF_COLUMNS, f"{name}: {column}")
                texts.append(timed)
            else:
                texts.append(text)
        return texts[0], texts[1]

    def _pair(
        self, name: str, texts: tuple[Text, Text], whole: tuple[Text, Text], meta: dict[str, str]
    ) -> TextPair:
        pair = TextPair.of_texts(name, texts, whole, meta)
        for text, aligned in zip(whole, (pair.src, pair.tgt), strict=True):
            if count := len(text) - len(aligned):
                self._notes.add(_SET_ASIDE, text.name or name, count)
        return pair

    def _side(self, path: str, lang: str, key: str, *, less: bool = False) -> _ReadText:
        """Read a text; with `less` its lines are running text on less evidence."""
        request = self._request
        with open_source(path, encoding=self._encoding, side=key) as source:
            head = source.head()
            document = document_format(head, path)
            if request.main_text and (document is None or document.name not in OF_PAGES):
                self._notes.add("texts that are no HTML, so --main-text is of no use", path)
            if document is not None:
                side = self._document(source, lang)
                self._notes.extend(source.notes)
                return side
            source.refuse_document()
            of_cues = is_subtitles(head, path, source.encoding)
            if not of_cues:
                refuse_other_subtitles(source)
            note_markup(source)
            if request.dialogue and not of_cues:
                self._notes.add("texts that are no subtitles, so --dialogue is of no use", path)
            if wrong := self._wrong_encoding(source):
                raise InputError(f"{path}: {wrong}")
            # --split applies to any text; without it, the contents decide.
            if request.split:
                _refuse_sentences(source)
                text = self._split(source, lang, by_line=request.layout == "lines")
                side = _ReadText(self._paragraphed(text), text, is_split=True)
            elif _is_document(head):
                text = _read_elements(source, divisions=request.paragraphs)
                side = _ReadText(self._paragraphed(text), text)
            elif is_objects(head):
                text = read_objects(source, lang)
                side = _ReadText(self._paragraphed(text), text)
            elif of_cues:
                text = read_subtitles(source, lang, dialogue=request.dialogue)
                side = _ReadText(text, text)
                if (amid := _cues_amid_sentences(text)) > _MANY_CUES * len(text):
                    self._notes.add(_AMID, path, amid)
            elif layout := self._layout_of_running_text(source, less=less):
                _refuse_alignments(source)
                self._notes.add(_RUNNING, path)
                text = self._split(source, lang, by_line=layout == "lines")
                side = _ReadText(self._paragraphed(text), text, kind=_RUNNING, is_split=True)
            else:
                side = self._lines(source, lang)
            self._notes.extend(source.notes)
        return side

    def _layout_of_running_text(self, source: Source, *, less: bool) -> str:
        """Return the layout of a text that is clearly running text; else an empty string."""
        if not self._may_split:
            return ""
        head = source.head()
        mark, encoding = mark_of(head, source.encoding)
        text = head[len(mark) :].decode(encoding, "ignore")
        lines = split_lines(text)
        if len(head) == HEAD and len(lines) > 1 and text[-1] != "\n":
            lines.pop()  # which may be cut
        del lines[_SAMPLE:]
        layout = ""
        if may_be_running_text(lines):
            layout = are_running_text(lines)
        else:
            self._plain_lines = lines
        layout = layout or (layout_of_translation(lines) if less else "")
        return "" if layout and foreign_lines(lines, source.path) else layout

    def _lines(self, source: Source, lang: str) -> _ReadText:
        """Read one sentence per line; with --paragraphs marks are boundaries and no sentences."""
        refuse_no_objects(source)
        _refuse_alignments(source)
        refuse_other_kinds(source)
        read = read_lines(source)
        if self._with_ids:
            read = with_own_ids(read, source.notes)
        sentences = list(read.segments())
        # Markup and other line ends stay: the aligner handles both.
        foreign = foreign_lines(sentences[:_SAMPLE], source.path)
        if foreign.startswith(_NO_SENTENCES):
            self._notes.add(f"lines that seem to be {foreign}; taken as sentences", source.path)
        self._note_pages(source.path, sentences)
        places, begins = sentence_lines(sentences)
        if paged := [k for k, line in enumerate(sentences) if line.strip("\f") != line]:
            self._notes.add("form feeds, as between pages, left out", source.path, len(paged))
            for k in paged:
                sentences[k] = sentences[k].strip("\f")
        blocks = Blocks.of_paragraphs(places[begins].tolist()) if begins else None
        ids = read.ids if read.has_ids else None
        line = "" if paged or len(sentences) < _MANY else read.line or ""
        size = sum(map(sys.getsizeof, sentences)) + 8 * len(sentences) if line else 0
        if size < sys.getsizeof(line) + 16 * len(sentences):
            whole = Text(sentences, ids=ids, name=read.name, lang=lang, blocks=blocks)
        else:  # the sentences are made when they are examined
            spans = read.starts, read.ends
            whole = Text.from_offsets(
                line, *spans, ids=ids, name=read.name, lang=lang, blocks=blocks
            )
        if sentences == self._plain_lines:  # so that warnings need not examine them again
            whole.set_fact(may_be_running_text, False)
        if not self._request.paragraphs or not places.size:
            return _ReadText(whole, whole, kind=_LINES)
        text = Text(
            [sentences[k] for k in places.tolist()],
            name=whole.name,
            lang=lang,
            paragraphs=Segmentation.from_boundaries(begins, places.size),
        )
        return _ReadText(text, whole, places)

    def _note_pages(self, path: str, pieces: Sequence[str]) -> None:
        """Note lines without text: page numbers, Project Gutenberg frames, damaged characters."""
        numbers = numbers_amid_sentences(filter(str.strip, pieces))
        if numbers:
            self._notes.add(_PAGES, f"{path}: {numbers[0]}", len(numbers))
        if frames := [piece for piece in pieces if "***" in piece and is_frame(piece)]:
            self._notes.add(_FRAMES, f"{path}: {frames[0].strip()[:40]!r}", len(frames))
        for kind, count, first in changed_characters(pieces[:_SAMPLE]):
            self._notes.add(kind, f"{path}: {first[:60]!r}", count)

    def _split(self, source: Source, lang: str, *, by_line: bool) -> Text:
        """Split running text into sentences within its paragraphs."""
        is_given = lang and lang in {self._request.src_lang, self._request.tgt_lang}
        lang = lang or named_code(source.path)
        by = "" if is_given else _BY_NAME
        if is_subtitles(source.head(), source.path, source.encoding):
            cues = read_subtitles(source, lang, dialogue=self._request.dialogue)
            return self._cue_sentences(cues, by=by)
        refuse_other_kinds(source)
        paragraphs = list(running_paragraphs(raw_lines(source), by_line=by_line))
        lines = paragraphs[0].splitlines() if len(paragraphs) == 1 and not by_line else []
        if self._request.split and len(lines) > 1 and width_of_lines(lines[:_SAMPLE]) is None:
            self._notes.add(_SENTENCES if are_sentences(lines) else _ONE_PARAGRAPH, source.path)
        splitter, lang = self._splitter(paragraphs, lang, source.path, by=by)
        sentences: list[str] = []
        begins: list[int] = []
        self._note_pages(source.path, paragraphs)
        spelled = spelled_words("\n".join(paragraphs)) if len(paragraphs) > 1 else None
        for raw in paragraphs:
            added = split_sentences(raw, splitter, spelled).sentences
            if _HYPHEN.search(raw) and (doubtful := RunningText(raw, spelled).doubtful):
                self._notes.add(_DIVIDED, f"{source.path}: {doubtful[0]}", len(doubtful))
            if added:
                begins.append(len(sentences))
                sentences += added
        borders = Segmentation.from_boundaries(begins[1:], len(sentences)) if sentences else None
        blocks = Blocks.of_paragraphs(begins[1:]) if sentences else None
        return Text(sentences, name=source.path, lang=lang, paragraphs=borders, blocks=blocks)

    def _cue_sentences(self, cues: Text, *, by: str) -> Text:
        """Join cues to sentences, with times by the share of their characters.

        No sentence goes on over a pause, or over a cue that has sounds or songs alone.
        """
        segments, sizes = list(cues.segments()), cues.lengths()
        runs = runs_of_speech(cues)
        spoken = ["\n".join(segments[first:last]) for first, last in runs]
        splitter, lang = self._splitter(spoken, cues.lang, cues.name, by=by)
        sentences: list[str] = []
        times = [np.zeros((0, 2))]
        for raw, (first, last) in zip(spoken, runs, strict=True):
            spans = split_sentences(raw, splitter)
            sentences += spans.sentences
            if cues.times is not None:
                within = cues.times[first:last], sizes[first:last]
                times.append(interpolated(*within, spans.starts, spans.ends))
        self._notes.add(_JOINED, cues.name)
        known = None if cues.times is None else np.concatenate(times)
        return Text(sentences, name=cues.name, lang=lang, times=known)

    def _splitter(
        self, paragraphs: Sequence[str], lang: str, path: str, *, by: str
    ) -> tuple[SentenceSplitter, str]:
        """Return the splitter of a language, by default that of the words, and the language.

        `by` words where the language comes from, for a note; empty if an option names it.
        """
        known = "" if lang else language_of_words(paragraphs)
        # Related languages, as Croatian and Serbian, are not distinguished: they share their rules.
        close = "" if lang or known else language_of_text("\n".join(islice(paragraphs, _SAMPLE)))
        guess = other_language(paragraphs, lang) if lang else known or close
        if by or not lang:
            by = by if lang else f"{guess}, by their words"
            by = by if lang or guess else "English, as none is named"
            self._notes.add(f"texts split as {by} (--src-lang, --tgt-lang)", path)
        if lang and guess:
            self._notes.add(f"texts whose words are those of {guess}, split as {lang}", path)
        if has_small_letters_only("\n".join(islice(paragraphs, _SAMPLE))):
            self._notes.add(_LOWER_CASE, path)
        code = lang or guess or "en"
        if not (marks_ends(code) or self._request.split):
            self._notes.add(_UNMARKED.format(code, "paragraph"), path)
        if code not in self._splitters:
            self._splitters[code] = SentenceSplitter(code, whole=not self._request.split)
        return self._splitters[code], lang or (known if self._keeps_languages else "")

    def _document(self, source: Source, lang: str) -> _ReadText:
        """Read a document: the sentences of its blocks, which are its paragraphs."""
        from bitext.align.documents import Heading

        request = self._request
        if request.vectors:
            raise OptionError(
                f"--vectors are for sentences as they are, and those of {source.path} are split "
                f"from a document: give --encoder"
            )
        for option in request.given("--dialogue", "--layout"):
            self._notes.add(f"documents, so {option} is of no use", source.path)
        document = read_document(source, main_text=request.main_text)
        paragraphs = [block.text for block in document.blocks]
        cells = sum(block.kind == "cell" for block in document.blocks)
        if cells > _MOST_CELLS * len(paragraphs):
            self._notes.add(_CELLS, source.path, cells)
        self._note_pages(source.path, [b.text for b in document.blocks if b.kind == "paragraph"])
        by = ""
        if not (lang and lang in {request.src_lang, request.tgt_lang}):
            declared = document.lang
            by = "" if declared else _BY_NAME
            lang = declared or lang or named_code(source.path)
            guess = other_language(paragraphs, lang) if declared else ""
            if guess:  # a program declares its own language, if nobody sets that of the text
                kind = f"documents that declare {declared}, whose words are those of {guess}"
                self._notes.add(f"{kind}; taken as {guess} (--src-lang, --tgt-lang)", source.path)
                lang, by = guess, ""
        if not request.split:
            self._notes.add(_DOCUMENTS, source.path)
        splitter, lang = self._splitter(paragraphs, lang, source.path, by=by)
        sentences: list[str] = []
        codes: list[str | None] = []
        begins: list[int] = []
        written: list[Block] = []
        for block in document.blocks:
            spans = split_sentences(block.text, splitter, raised=raised(block))
            if not spans.sentences:
                continue
            begins.append(len(sentences))
            written.append(block)
            sentences += spans.sentences
            codes += _codes_within(block.marked, spans)
        borders = Segmentation.from_boundaries(begins[1:], len(sentences)) if sentences else None
        blocks = Blocks(
            tuple(begins),
            tuple(block.kind for block in written),
            tuple(block.level for block in written),
            tuple("" if block.lang == document.lang else block.lang for block in written),
            document.title,
            tuple(labels) if any(labels := [block.label for block in written]) else (),
        )
        text = Text(
            sentences, name=source.path, lang=lang, paragraphs=borders, marked=codes, blocks=blocks
        )
        headings = [
            Heading(block.level, first, block.text)
            for block, first in zip(written, begins, strict=True)
            if block.kind == "heading"
        ]
        verses = _verses(written, begins)
        whole = self._paragraphed(text)
        return _ReadText(whole, text, None, headings, verses, _RUNNING, is_split=True)

    def _by_sections(self, src: _ReadText, tgt: _ReadText) -> tuple[_ReadText, _ReadText]:
        """Return two documents with sections as paragraphs: of verses, or below headings."""
        if src.headings is None or tgt.headings is None:
            return src, tgt
        from bitext.align.documents import sections_of_headings, sections_of_verses

        sections = sections_of_verses(src.verses or (), tgt.verses or ())
        if sections is not None:
            for side in (src, tgt):
                kind = "documents whose verses are aligned by their references"
                self._notes.add(kind, side.whole.name)
        elif not self._request.paragraphs:
            sizes = len(src.text), len(tgt.text)
            sections = sections_of_headings(src.headings, tgt.headings, sizes)
        if sections is None:
            return src, tgt
        return _divided(src, sections[0]), _divided(tgt, sections[1])

    def _wrong_encoding(self, source: Source) -> str:
        """Return the fault of UTF-16 in another encoding; add a note on doubly encoded UTF-8."""
        known = mark_of(source.head(), source.encoding)[1]
        if known.startswith(("utf-16", "utf-32")):
            return ""
        if known == "utf-8" and is_utf_8_twice(source.head()):
            self._notes.add(_DOUBLE_UTF_8, source.path)
        return unmarked_utf_16(source.head(), source.side)

    def _tell_paragraphs(self, *sides: tuple[str, Text]) -> None:
        """Add a note on texts without paragraphs where --paragraphs is given."""
        without = [
            path for path, text in sides if text.paragraphs is None or len(text.paragraphs) < 2
        ]
        for path in without if self._request.paragraphs else ():
            self._notes.add("texts without paragraphs, so --paragraphs is of no use", path)

    def _paragraphed(self, text: Text) -> Text:
        """Return the text, with its paragraphs only where --paragraphs is given."""
        if self._request.paragraphs or text.paragraphs is None:
            return text
        return Text(text.segments(), name=text.name, lang=text.lang, times=text.times)


def _codes_within(marked: str | None, spans: SentenceSpans) -> list[str | None]:
    """Return the inline codes of each sentence of a text with codes; `None` for those without."""
    if marked is None:
        return [None] * len(spans.sentences)
    return cut_at(marked, list(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)))


def _divided(side: _ReadText, firsts: Sequence[int]) -> _ReadText:
    """Return a text with paragraphs that begin at these sentences, and at the first one."""
    text = side.text
    division = Segmentation.from_boundaries([first for first in firsts if first], len(text))
    divided = Text(
        text.segments(), name=text.name, lang=text.lang, paragraphs=division, times=text.times
    )
    return replace(side, text=divided)


def _verses(blocks: Sequence[Block], begins: Sequence[int]) -> list[tuple[str, int]]:
    """Return the reference of each verse and its first sentence, with the headings before it."""
    verses = []
    for k, block in enumerate(blocks):
        if block.kind == "verse" and block.label:
            first = k
            while first and blocks[first - 1].kind == "heading":
                first -= 1
            verses.append((block.label, begins[first]))
    return verses


def _cues_amid_sentences(cues: Text) -> int:
    """Count the cues that end without punctuation before a small letter."""
    return sum(
        one[-1:].isalnum() and other[:1].islower() for one, other in pairwise(cues.segments())
    )


def _refuse_one_text(path: str) -> None:
    """Refuse one text without the other, if a file of alignments is wanted.

    Standard input and pairs of files are not checked, since their format is not known yet.
    """
    if path == "-" or two_files(path):
        return
    with open_source(path) as source:
        head = source.head()
    known = sniff(head, path) or by_suffix(path)
    if (known is None or known.read is None) and head.strip():
        raise InputError(
            f"{path}: is no file of alignments that bitext recognises; if it is one text, name the "
            f"other after it, else name the format (--from)"
        )


def _refuse_alignments(source: Source) -> None:
    """Refuse a file of alignments by name and contents if a text is wanted."""
    named = by_suffix(source.path)
    if named is not None and named.sniff(source.head()):
        raise _alignments_error(source.path, named)


def _is_document(head: bytes) -> bool:
    """Check for an XML document; most texts do not begin as markup does, which takes no import."""
    if not head.lstrip(_BEFORE_MARKUP).startswith(b"<"):
        return False
    from bitext.formats.opus_documents import is_document

    return is_document(head)


def _read_elements(source: Source, *, divisions: bool) -> Text:
    """Read the sentences of an XML document; refuse one of alignments, which has none."""
    from bitext.formats.opus_documents import read_document

    head, fault = source.head(), None
    try:
        text = read_document(source, divisions=divisions, counted=True)
        if len(text):
            return text
    except FormatError as error:
        fault = error
    known = sniff(head, source.path)
    if known is not None and known.name != "tei":  # texts in TEI begin as alignments do
        raise _alignments_error(source.path, known)
    if fault is not None:
        raise fault
    return text


def _alignments_error(path: str, known: Format) -> InputError:
    return InputError(
        f"{path}: is a file of alignments ({known.name}), not a text with one sentence a "
        f"line; give it alone to align its texts anew"
    )


def _refuse_sentences(source: Source) -> None:
    """Refuse XML and JSON lines where --split wants running text."""
    head = source.head()
    kind = "an XML document" if _is_document(head) else "JSON lines" if is_objects(head) else ""
    if kind:
        raise InputError(
            f"{source.path}: is {kind}, and --split wants running text: leave --split out where "
            f"it has sentences, else take its text out"
        )
