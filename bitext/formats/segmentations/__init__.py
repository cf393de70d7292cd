"""Segmentations in files: masses, positions, 0s and 1s, labels, texts with separators, JSON lines.

| spelling | a text is |
| --- | --- |
| `jsonl` | a line, an object: `{"id": "t1", "masses": [5, 3]}` (`segmentation_objects`) |
| `masses` | a line of the lengths of segments: `5,5,1,3` or `5 5 1 3` |
| `positions` | a line of the units before each boundary, and of their number: `5,10,11,14` |
| `bits` | a line of n-1 bits: `1` for a boundary between two units, `0` for none |
| `begin-bits` | n bits, in a line or one a line: `1` for a unit that begins a segment |
| `end-bits` | n bits, in a line or one a line: `1` for a unit that ends a segment |
| `bits-final` | a line of n bits: as `end-bits`, with a closing `1` |
| `labels` | a file, one label per unit and line: a segment is a run of equal labels |
| `bio` | as `labels`, with BIO labels: `B`, `I`, `O`, `E`, `S`, also with types (`B-NP`) |
| `bio-outside`, `bio-within` | as `bio`, where `O` is outside of segments, or within the last one |
| `text` | a file, one unit per line: a boundary is an empty line, or one of 5 or more `=` |
| `blank-lines`, `rules` | as `text`, where only one of the two is a boundary |
| `transcript` | a file, one sentence per line: the units are its words, without punctuation |
| `transcript-marks` | the same, where marks as `.` and `?` end sentences, and not lines |
| `spans`, `inclusive-spans` | JSON lines of spans: half-open, or with their last unit |
| `segeval` | an item of JSON, or a file of TSV, with the masses of several coders (`segeval`) |
| `disrpt`, `rs3`, `edus`, `dis` | units of discourse, over tokens or words (`annotations`) |
| `textgrid` | a TextGrid of Praat: one tier per coder (`annotations`) |
| `document` | a document, as DOCX and HTML, of sentences in paragraphs (`collecting`) |

Masses, positions and bits may be preceded by the name of the text and a tab; in JSON the name is
`id`. A text without a name is named by the number of its line. Labels may be a column beside their
units, separated by tabs, or one column per coder; a file of labels has several texts where there
are empty lines, or a column with their names. Separators at the ends of a text, or several in a
row, make no empty segments.

The spelling is detected from the contents. If a file fits two spellings, a suffix `.labels` or
`.masses` decides; otherwise the choice is noted, or the file is refused with the possible
spellings. A text without a separator, most of whose lines are repeated, is refused, too: its lines
may be labels.

`detection` recognises the notation of lines and reads all but labels, which `labels` reads;
`objects` and `segeval` read JSON, `mass_tables` tables, and `annotations` the files of annotators.
`written` writes most notations.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from bitext.errors import (
    FormatError,
    InputError,
    OptionError,
    SegmentationError,
    did_you_mean,
    named_by_options,
    remedy,
)
from bitext.formats.corpora import Corpus, Entry, Kind, open_corpus, refuse_manifest, text_name
from bitext.formats.documents import FORMATS, document_format
from bitext.formats.io.compression import document_of
from bitext.formats.io.encodings import database_note, mark_of
from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import sniff
from bitext.formats.segmentations.annotations import (
    DISCOURSE,
    discourse_spelling,
    is_textgrid,
    read_chapters,
    read_discourse,
    read_textgrid,
)
from bitext.formats.segmentations.collecting import (
    DOCUMENT,
    OF_FLAGS,
    Reading,
    ReadingOptions,
    Readings,
    Units,
    either,
    listed,
    option_items,
    read_blocks,
)
from bitext.formats.segmentations.detection import (
    BITS,
    BRACKETED,
    detect_spelling,
    is_separator,
    read_bits,
    read_masses,
    read_positions,
    read_text,
    read_transcript,
    refuse_rows,
    spelling_of_suffix,
    suffix_of,
)
from bitext.formats.segmentations.labels import (
    coders_like,
    has_coder_columns,
    label_lines,
    read_labels,
    refuse_no_labels,
    refuse_uneven_rows,
)
from bitext.formats.segmentations.mass_tables import (
    lines_by_name,
    read_coder_table,
    read_mass_table,
    refuse_cells_by_coder,
)
from bitext.formats.segmentations.objects import (
    SPAN_FORMS,
    no_segmentation,
    read_objects_by_coder,
)
from bitext.formats.segmentations.segeval import (
    is_by_lines,
    is_segeval_object,
    read_segeval,
    read_value,
    reads_values,
)
from bitext.model import Segmentation
from bitext.model.segmentation import BIT_FORMS, LABEL_FORMS, Segmentations

_READERS: dict[str, Callable[[Source, Sequence[str]], Reading]] = {
    "masses": read_masses,
    "positions": read_positions,
    "bits": partial(read_bits, form="bits"),
    "bits-final": partial(read_bits, form="bits-final"),
    "text": read_text,
    "blank-lines": partial(read_text, form="blank-lines"),
    "rules": partial(read_text, form="rules"),
    "transcript": read_transcript,
    "transcript-marks": partial(read_transcript, form="transcript-marks"),
}
OF_LABELS = (*LABEL_FORMS, "begin-bits", "end-bits")  # spellings with one label per line
WITH_LABELS = (*OF_LABELS, "jsonl", "disrpt", "textgrid")  # notations with labels to choose
WITH_COLUMN = (*OF_LABELS, "disrpt")  # notations with a column, or a key, to choose
TEXTS = ("text", "blank-lines", "rules")  # spellings with lines of text as units
TRANSCRIPTS = ("transcript", "transcript-marks")  # notations whose units are words
SPELLINGS = ("jsonl", *_READERS, *OF_LABELS, *SPAN_FORMS, "segeval", *DISCOURSE, "textgrid")
SPELLINGS += (DOCUMENT,)
_IN_OBJECTS = {*OF_LABELS, *BIT_FORMS, *SPAN_FORMS}  # spellings that JSON lines may have, too

_XML = re.compile(r"\s*<\?xml\b|\s*<!DOCTYPE\b", re.IGNORECASE)
_SPREADSHEETS = frozenset([".xlsx", ".xlsm", ".xls", ".ods"])
_BINARY = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"\x93NUMPY": "an array of NumPy"}
_ROOT = re.compile(r"\s*<([A-Za-z_][\w.:-]*)[\s>]")
_TAG = re.compile(r"<([A-Za-z_][\w.:-]*)[\s/>]")
_BRAT = re.compile(r"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*\t|[REAMN#]\d+\t|\*\t")
_TIME = r"\d+\.\d+"  # in seconds; whole numbers may be masses
_OF_TIMES = (  # files of times, by the form of every line
    (
        "a file of the times of speakers (RTTM)",
        re.compile(rf"[A-Z-]+ \S+ \S+ {_TIME} {_TIME}( .*)?"),
    ),
    ("a file of the times of words (CTM)", re.compile(rf"\S+ \w+ {_TIME} {_TIME} \S+( \S+)?")),
    (
        "a table of times (an ELAN file exported as a TextGrid of Praat is read)",
        re.compile(r"(?:[^\t]*\t){1,3}\d+:\d\d:\d\d\.\d+\t.*"),
    ),
    ("a file of the times of labels (Audacity)", re.compile(rf"{_TIME}\t{_TIME}(\t.*)?|\\\t.*")),
)
_CUE = re.compile(r"(?:WEBVTT|\[Script Info\]|\d+\n\d\d:\d\d:\d\d[,.]\d{1,3} +-->)")
# Formats of alignments for which no faulty segmentation is taken, as rows of numbers are for naacl.
_ALIGNMENTS = frozenset(
    [
        *("champollion", "hunalign-ladder", "opus-ids", "pharaoh", "vecalign", "xces"),
        *("sdlxliff", "tmx", "ttx", "txml", "xliff12", "xliff2"),
    ]
)
_SAMPLE_LINES = 20  # lines that identify a file of annotations
_ARRAY = re.compile(r"\[\s*(?:[\[{\]\"0-9-]|\Z)")  # a text may begin with [Music]
_ASIDE = re.compile(r"(?i)readme|licen[cs]e|source$|makefile$|.*\.(?:md|rels)$")

_SUFFIXES = (
    *(".masses", ".bits", ".labels", ".seg", ".ref", ".hyp", ".jsonl", ".csv", ".tsv"),
    *(".tok", ".conll", ".conllu", ".rs3", ".rs4", ".edus", ".dis", ".textgrid"),
    *(ending for known in FORMATS for ending in known.endings),
)


def read_segmentations(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    column: str | int | None = None,
    texts: str | int | None = None,
    coders: str | int | Sequence[str | int] = (),
    labels: str | Sequence[str] = (),
    time_units: str | float | None = None,
) -> Segmentations:
    """Read the segmentations of a file, a folder or a manifest, by the names of their texts.

    Parameters
    ----------
    path : str or path
        `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked. A file that is one
        text without a name has the name of the file; in a folder, the texts of a file with several
        are named `file:text`.
    format : str, optional
        One of `jsonl`, `masses`, `positions`, `bits`, `begin-bits`, `end-bits`, `bits-final`,
        `labels`, `bio`, `bio-outside`, `bio-within`, `text`, `blank-lines`, `rules`, `transcript`,
        `transcript-marks`, `spans`, `inclusive-spans`, `segeval`, `disrpt`, `rs3`, `edus`, `dis`,
        `textgrid`. Default: detected from the contents, except for transcripts. The spellings of
        bits and labels apply to JSON lines, too. Documents (`document`) are read by
        `bitext.compare`.
    encoding : str
        The encoding of files without a byte order mark.
    column : str or int, optional
        The column of labels beside their units, by its number from 1 or its name in the first
        line. Columns are separated by tabs (or commas, semicolons or blanks, if there is no
        tab).
    texts : str or int, optional
        The separator of texts in a file of labels: `blank-lines`, `docstart` (lines that begin with
        `-DOCSTART-`), a column with their names, by its number or its name in the first line, or
        `one`, where the file is one text. Default: empty lines, or a column with such a header.
    coders : str, optional
        The coder to read, by name or number, in a file of several; of labels in columns, the
        column; of a TextGrid, the tier.
    labels : str or list of str, optional
        The labels that count, in files of labels; others are as none. Of BIO labels these are the
        types (`NP`); with `begin-bits` and `end-bits` the labels of units that begin or end a
        segment; of tiers those of intervals and points. A string has commas between.
    time_units : str or float, optional
        The units of a TextGrid: the name of a tier, of whose words they are, or the seconds of a
        step. Default: a tier named `words`, or 0.01.

    Returns
    -------
    Segmentations
        A mapping of names to `Segmentation`s, with notes on irregularities.

    Raises
    ------
    FormatError
        When a file is malformed, with the line, or its spelling cannot be detected.
    InputError
        When a file cannot be read, two texts have one name, or there are several coders.

    """
    tables = read_coders(
        path,
        format=format,
        encoding=encoding,
        column=column,
        texts=texts,
        coders=coders,
        labels=labels,
        time_units=time_units,
    )
    if len(tables) > 1:
        raise InputError(
            f"{os.fspath(path)}: is of several coders, {listed(tables)}: name one "
            f"({remedy('coders')}), or read them all (read_coders)"
        )
    return next(iter(tables.values()))


def read_coders(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    column: str | int | None = None,
    texts: str | int | None = None,
    coders: str | int | Sequence[str | int] = (),
    labels: str | Sequence[str] = (),
    time_units: str | float | None = None,
) -> dict[str, Segmentations]:
    """Read the segmentations of each coder of a file, a folder or a manifest.

    Parameters and errors are those of `read_segmentations`; `coders` are the coders to read, by
    their names or numbers.

    Returns
    -------
    dict of str to Segmentations
        The texts of each coder, without those that the coder did not code. The name of the coder is
        empty for files without coders.

    """
    options = ReadingOptions(
        spelling=format,
        encoding=encoding,
        column=None if column is None else str(column),
        texts=None if texts is None else str(texts),
        coders=option_items(coders),
        labels=option_items(labels),
        time_units=None if time_units is None else str(time_units),
    )
    tables = {coder: corpus.table for coder, corpus in read_corpora(path, options).items()}
    if options.coders and not any(tables):
        raise OptionError(
            f"{os.fspath(path)}: has no coders: leave {remedy('coders')} out, which chooses among "
            f"several"
        )
    return tables


@dataclass(frozen=True, slots=True)
class TextCorpus:
    """The segmentations of a file, a folder or a manifest, or of one of its coders."""

    path: str  # the name that the user gave
    readings: tuple[Reading, ...]  # the segmentations of each file
    table: Segmentations  # all texts under their names in the corpus
    starts: tuple[int, ...]  # the index of the first text of each file
    aside: tuple[str, ...]  # the files of a folder that were not read
    named: bool = False  # whether each file has a name from a folder or a manifest
    coder: str = ""  # the name of the coder, where the files have several

    @property
    def label(self) -> str:
        """The path with the coder, for messages."""
        return f"{self.path} ({self.coder})" if self.coder else self.path

    def place(self, text: int) -> tuple[Reading, int]:
        """Return the file of a text, and the index of the text in the file."""
        file = bisect_right(self.starts, text) - 1
        return self.readings[file], text - self.starts[file]

    def units(self, text: int) -> Units | None:
        """Return the units of a text, where its file contains their characters."""
        reading, k = self.place(text)
        return None if reading.units is None else reading.units[k]

    def unread(self) -> dict[str, tuple[str, str]]:
        """Return the unread files by the names of their texts, each with a description."""
        files = {}
        for name in self.aside:
            path = Path(self.path) / name
            description = _no_text(path)
            if description and not _ASIDE.match(path.name):
                files[text_name(Path(name), _KIND)] = (str(path), description)
        return files


def read_corpora(
    path: str | os.PathLike[str],
    options: ReadingOptions,
    *,
    watch: Callable[[list[Entry]], Iterable[Entry]] = iter,
) -> dict[str, TextCorpus]:
    """Read every text of a corpus; return the texts of each coder.

    The name of the coder is empty in files without coders, and in files of a single one that was
    not chosen by name. `watch` passes on the files one by one, to show progress. Raises the errors
    of `read_segmentations`.
    """
    if options.spelling is not None:
        check_spelling(options.spelling)
    for option, given, spellings in (
        ("texts", options.texts, OF_LABELS),
        ("column", options.column, WITH_COLUMN),
        ("labels", options.labels, WITH_LABELS),
    ):
        if given and options.spelling not in {None, *spellings}:
            raise OptionError(
                f"{remedy(option)} is for labels, and the notation is {options.spelling}: name one "
                f"of {', '.join(spellings)}, or leave it out"
            )
    corpus = open_corpus(path, kind=_KIND)
    files = [
        (entry, _read_file(entry.path, options)) for entry in watch(list(corpus.entries.values()))
    ]
    coders = list(dict.fromkeys(coder for _, file in files for coder in file.coders))
    chosen = list(dict.fromkeys(coder for _, file in files for coder in file.by_coder))
    unknown = [name for name in options.coders if coders and name not in coders]
    if unknown and not unknown[0].isdecimal():
        hint = did_you_mean(unknown[0], coders)
        raise InputError(
            f"{corpus.path}: has no coder {unknown[0]!r:.40}; {hint}the coders are "
            f"{listed(coders)} ({remedy('coders')})"
        )
    empty = next((name for name in options.coders if name in coders and name not in chosen), None)
    if empty is not None:
        raise InputError(f"{corpus.path}: coder {empty!r:.40} has coded no text: leave it out")
    if coders and any(not file.coders for _, file in files):
        without = next(entry.path for entry, file in files if not file.coders)
        raise InputError(
            f"{corpus.path}: has files of several coders, and {without} without: want a folder of "
            f"one kind"
        )
    if len(coders) == 1 and not (options.coders or options.like):
        return {"": _corpus_of(corpus, files, chosen[0])}
    return {coder: _corpus_of(corpus, files, coder) for coder in chosen}


def with_spelling(options: ReadingOptions, spelling: str | None) -> ReadingOptions:
    """Return the options for files of a spelling, without those of labels that it does not have."""
    return replace(
        options,
        spelling=spelling,
        column=options.column if spelling in {None, *WITH_COLUMN} else None,
        texts=options.texts if spelling in {None, *OF_LABELS} else None,
        labels=options.labels if spelling in {None, *WITH_LABELS} else (),
    )


def refuse_unused(
    options: ReadingOptions,
    read: Sequence[tuple[str, TextCorpus]],
    *,
    reference_coders: tuple[str, ...] = (),
    of_coders: bool = False,
) -> None:
    """Refuse options without effect on any file; `read` are the texts of each coder.

    `of_coders`: the user named the coders of files (`--names`).
    """
    readings = [reading for _, corpus in read for reading in corpus.readings]
    spellings = {reading.spelling for reading in readings}
    of_labels = "for files of labels, and there is none"
    ways = f"{of_labels}: name their notation ({remedy('from labels')}), or"
    column, texts = ({*forms, "segeval"} & spellings for forms in (WITH_COLUMN, OF_LABELS))
    for option, is_given, has_effect, reason in (
        (
            "coders" if options.coders else "ref-coders",
            options.coders + reference_coders,
            any(coder for coder, _ in read),
            "for files of several coders, and there is none:",
        ),
        (
            "names",
            of_coders,
            not all(coder for coder, _ in read),
            "for files of one coder, and those of several have their names:",
        ),
        (
            "time-units",
            options.time_units is not None,
            "textgrid" in spellings,
            "for TextGrids, and there is none:",
        ),
        ("column", options.column is not None, column, f"{of_labels}:"),
        ("texts", options.texts is not None, texts, f"{of_labels}:"),
        (
            "segments sections",
            options.sections,
            DOCUMENT in spellings,
            "for documents, and there is none:",
        ),
        ("labels", options.labels, any(reading.labels for reading in readings), ways),
    ):
        if is_given and not has_effect:
            raise OptionError(f"{remedy(option)} is {reason} leave it out")


def _corpus_of(corpus: Corpus, files: Sequence[tuple[Entry, Readings]], coder: str) -> TextCorpus:
    """Return the texts of a coder under their names in the corpus."""
    names: list[str] = []
    starts: list[int] = []
    named = corpus.kind != "file"
    own = [(entry, file.by_coder[coder]) for entry, file in files if coder in file.by_coder]
    for entry, reading in own:
        starts.append(len(names))
        # A text is named by its file, unless the file names it; in folders by both.
        before = f"{entry.name}:" if named else ""
        ids = reading.table.ids
        names += [entry.name] if reading.whole else [f"{before}{name}" for name in ids]
    readings = tuple(reading for _, reading in own)
    try:
        table = Segmentations.join([reading.table for reading in readings], names)
    except SegmentationError as error:
        raise InputError(f"{corpus.path}: {error}") from None
    return TextCorpus(corpus.path, readings, table, tuple(starts), corpus.aside, named, coder)


def check_spelling(name: str) -> str:
    """Return the name of a spelling unchanged; refuse an unknown one.

    Raises `OptionError` when there is no such spelling; the message names the nearest.
    """
    if name in SPELLINGS:
        return name
    hint = did_you_mean(name, SPELLINGS)
    raise OptionError(f"notation {name!r} is not known; {hint}want one of {', '.join(SPELLINGS)}")


def _read_file(path: str, options: ReadingOptions) -> Readings:
    with open_source(path, encoding=options.encoding) as source:
        head = source.head()
        try:
            return _read_source(source, options)
        except FormatError as error:
            known = sniff(head, source.path) if options.spelling is None else None
            if known is None or known.name not in _ALIGNMENTS:
                raise
            way = "'bitext score'" if named_by_options() else "bitext.evaluate"
            raise FormatError(
                f"{error.message}; it looks like an alignment ({known.name}): compare alignments "
                f"with {way}",
                path=error.path,
                line=error.line,
                column=error.column,
            ) from None


def _read_source(source: Source, options: ReadingOptions) -> Readings:
    known = document_format(source.head(), source.path)
    if options.spelling == DOCUMENT and known is None:
        raise source.error("is no document that bitext reads, as DOCX or HTML")
    if known is not None and options.spelling in {None, DOCUMENT}:
        return Readings({"": read_blocks(source, options)})
    if known is not None and document_of(source.head()):
        raise source.error(
            f"is {known.title}, and to be read as {options.spelling}: leave {remedy('from')} "
            f"out, or name document"
        )
    _refuse_binary_tables(source)
    source.refuse_document()
    refuse_manifest(source, "file of segmentations")
    opening = _opening(source)
    if fault := database_note(source.head()):
        raise source.error(fault)
    if "\0" in opening and not is_textgrid(opening):
        raise source.error(
            f"holds NUL bytes, so it is not text in this encoding; name the encoding "
            f"({remedy('encoding')}), as utf-16-le, or another file"
        )
    spelling = options.spelling or _spelling_of_whole(source, opening, options)
    is_object = opening.startswith("{") and not is_by_lines(opening)
    if reads_values(spelling) and (is_object or _ARRAY.match(opening)):
        return _read_values(source, options)
    if spelling == "segeval":
        return read_segeval(source, source.text().rstrip(), options)
    if spelling == "textgrid":
        return read_textgrid(source, options)
    if spelling in DISCOURSE:
        return Readings({"": read_discourse(source, spelling, options)})
    if opening.startswith("{") and (spelling is None or spelling in _IN_OBJECTS):
        return read_objects_by_coder(source, spelling, options)
    if spelling in {"jsonl", *SPAN_FORMS}:
        return read_objects_by_coder(source, None, options)
    return _read_lines(source, _lines(source), options)


def _refuse_binary_tables(source: Source) -> None:
    """Refuse spreadsheets, and tables and arrays of other programs, which are no text."""
    head = source.head()
    spreadsheet = suffix_of(source) in _SPREADSHEETS and document_of(head)
    kind = "a spreadsheet" if spreadsheet else ""
    kind = kind or next((name for begin, name in _BINARY.items() if head.startswith(begin)), "")
    if kind:
        way = "CSV" if spreadsheet else 'JSON lines, as {"id": "t1", "masses": [5, 3]}'
        raise source.error(f"is {kind}, and segmentations are text: save it as {way}")


def _annotations(lines: Sequence[str]) -> str:
    """Describe files of annotation tools, whose lines are not units; empty for other files."""
    begin = [line for line in lines[:_SAMPLE_LINES] if line.strip()]
    if begin and (_XML.match(begin[0]) or _is_element(lines)):
        elan = any("<ANNOTATION_DOCUMENT" in line for line in begin)
        return "a file of ELAN (exported as a TextGrid of Praat, it is read)" if elan else "XML"
    if begin and begin[0].startswith("#FORMAT=WebAnno"):
        return "a table of annotations (WebAnno, INCEpTION)"
    if begin and all(map(_BRAT.match, begin)):
        return "a file of annotations apart from their text (brat)"
    return next(
        (kind for kind, line in _OF_TIMES if begin and all(map(line.fullmatch, begin))),
        "a file of subtitles" if _CUE.match("\n".join(begin[:2])) else "",
    )


def _is_element(lines: Sequence[str]) -> bool:
    """Recognise XML without a declaration: one element around all lines, with others in it."""
    root = _ROOT.match(next(filter(str.strip, lines)))
    if root is None or not lines[-1].rstrip().endswith(f"</{root[1]}>"):
        return False
    tags = Counter(tag for line in lines for tag in _TAG.findall(line))
    return tags[root[1]] == 1 and len(tags) > 1


def _spelling_of_whole(source: Source, opening: str, options: ReadingOptions) -> str | None:
    """Return the spelling of a file that is not read by lines; `None` for others."""
    if opening.startswith("{") and is_segeval_object(opening):
        return "segeval"
    if is_textgrid(opening):
        return "textgrid"
    # A numbered column of CoNLL-U is one of labels, and not a key of the last column.
    of_labels = options.texts is not None or (options.column or "").isdecimal()
    return None if of_labels else discourse_spelling(opening, suffix_of(source))


def _lines(source: Source) -> list[str]:
    """Return the lines of a file, which are not all empty."""
    lines = source.lines()
    # Empty lines at the end are not texts, unless they have a name.
    rows = 0
    while lines and not lines[-1].strip(",;\t "):
        row = next((d for d in "\t;," if d in lines[-1]), "")
        if row and (len(lines) < 2 or lines[-1].count(row) != lines[0].count(row)):
            break
        rows += bool(row)
        lines.pop()
    if rows:
        source.note("empty rows at the end of a table, left out", count=rows)
    if not any(line.strip() for line in lines):
        raise source.error("is empty; want at least one text")
    return lines


def _read_values(source: Source, options: ReadingOptions) -> Readings:
    """Read one value of JSON, or a list of numbers a line, one a text; refuse other values."""
    lines = _lines(source)
    inner = _without_brackets(lines)
    if inner != lines and options.spelling not in LABEL_FORMS:
        return _read_lines(source, inner, options)
    text = "\n".join(lines)
    if inner != lines:  # the segment of each unit, a list a text
        lists = (",".join(line.replace(",", " ").split()) for line in inner)
        text = "[" + ",\n".join(f"[{each}]" for each in lists if each) + "]"
    found = read_value(source, text, options)
    if found is None and lines[0].rstrip().endswith("}"):
        raise no_segmentation(source, 1)
    if found is None:
        raise source.error(
            f"begins as a value of JSON, and others follow; want JSON lines, an object a line as "
            f'{{"id": "t1", "masses": [5, 3]}}, or name the notation of the file ({remedy("from")})'
        )
    return found


def _without_brackets(lines: list[str]) -> list[str]:
    """Return lines of numbers without the brackets around all of them, as `[5, 3]`."""
    inner = [BRACKETED.fullmatch(line) if line.strip() else None for line in lines]
    if not all(match or not line.strip() for match, line in zip(inner, lines, strict=True)):
        return lines
    return [match[1] if match else "" for match in inner]


def _read_lines(source: Source, lines: list[str], options: ReadingOptions) -> Readings:
    spelling = options.spelling
    refuse_no_labels(source, lines, spelling)
    if options.like and not options.coders and spelling in {None, *OF_LABELS}:
        coders = coders_like(label_lines(lines), options.like, spelling)
        options = replace(options, coders=coders)
        if len(coders) > 1:
            way = remedy("coders")
            kind = f"columns like those of the coders of the reference, taken as coders ({way})"
            source.note(kind, listed(coders))
    of_numbers = spelling in {None, "masses", "positions", *BIT_FORMS}
    if of_numbers and lines[0].lstrip().startswith(("[", "(")):
        lines = _without_brackets(lines)
    if found := read_chapters(source, lines, options) or read_mass_table(source, lines, options):
        return found
    refuse_cells_by_coder(source, lines, options)
    lines = lines_by_name(source, lines, options)
    if table := read_coder_table(source, lines, options):
        return table
    if suffix_of(source) == ".csv" and options.spelling in {None, *OF_LABELS}:
        refuse_uneven_rows(source, lines)
    if spelling is None and (annotations := _annotations(lines)):
        raise source.error(
            f"is {annotations}, and not one unit a line: export it as labels with their units, or "
            f"as text with empty lines at boundaries ({remedy('from text')} reads its lines)"
        )
    if detected := spelling is None:
        spelling = detect_spelling(source, lines, options)
        if spelling == "labels" and options.labels and spelling_of_suffix(source) != "labels":
            raise source.error(
                f"has labels of which some are to count ({remedy('labels')}): say whether a run of "
                f"a label makes a segment, or a label begins or ends one: {either(*OF_FLAGS)}"
            )
    of_units = spelling not in BIT_FORMS or _one_a_line(lines)
    if spelling in OF_LABELS and (of_units or has_coder_columns(lines, options.coders)):
        return read_labels(source, lines, spelling, options, detected=detected)
    if spelling in BIT_FORMS:
        return Readings({"": read_bits(source, lines, spelling)})
    reading = _READERS[spelling](source, lines)
    refuse_rows(source, lines, reading, options)
    return Readings({"": reading})


def _one_a_line(lines: Sequence[str]) -> bool:
    """Distinguish the bits of one text, one a line (True), from texts of one unit each."""
    return len(lines) > 1 and all(
        len(cell) == 1 or not BITS.fullmatch(cell)
        for line in label_lines(lines)
        for cell in [line.rpartition("\t")[2].strip()]
    )


def _opening(source: Source) -> str:
    """Decode the head of a file; a byte order mark wins over the given encoding."""
    head = source.head()
    bom, encoding = mark_of(head, source.encoding)
    return head[len(bom) :].decode(encoding, "ignore").lstrip()


def _holds_text(path: Path) -> bool:
    """Test a file of a folder for a possible segmentation: text, and no README or the like."""
    return not _ASIDE.match(path.name) and not _no_text(path)


def _no_text(path: Path) -> str:
    """Describe a file without text; empty for a file that may be text."""
    with open_source(path) as source:
        head = source.head()
    if not head.strip():
        return "empty"
    if document_format(head, str(path)) is not None:
        return ""
    marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return "no text (NUL bytes)" if b"\0" in head and not marked else ""


_KIND = Kind("a segmentation", _holds_text, _SUFFIXES, ("text", "path"))


# Writing segmentations in the notations that are read.


WRITTEN = {
    "jsonl": ".jsonl",
    "segeval": ".json",
    "masses": ".masses",
    "positions": ".positions",
    **dict.fromkeys(("bits", "begin-bits", "end-bits", "bits-final"), ".bits"),
    **dict.fromkeys(("labels", "bio"), ".labels"),
    **dict.fromkeys(("text", "blank-lines"), ".txt"),
    "rules": ".ref",
}
"""The notations that are written, with the endings of their files."""
TYPED = frozenset(["jsonl"])  # notations with types of boundaries
OF_CODERS = frozenset(["segeval"])  # notations with several coders
_OF_UNITS = frozenset(["labels", "bio", "text", "blank-lines", "rules"])
_RULE = "=========="


def written(
    coders: Mapping[str, Segmentation],
    spelling: str,
    *,
    name: str = "text",
    units: Sequence[str] = (),
) -> str:
    r"""Return the file of one text, the same for the same segmentations.

    Parameters
    ----------
    coders : mapping of str to Segmentation
        The segmentation of each coder; one alone, except for `segeval`.
    spelling : str
        One of `WRITTEN`. `labels` and `bio` have a unit, a tab and its label in each line; `rules`
        are the texts of Choi, with a line of `=` around each segment.
    name : str
        The name of the text, in JSON.
    units : sequence of str
        The characters of the units, for `text`, `blank-lines`, `rules`, `labels` and `bio`.

    Raises
    ------
    OptionError
        When the notation is not known or not written, or is of one coder and there are several.
    InputError
        When the notation cannot have the text: no place for a boundary, or a unit like a separator.

    Examples
    --------
    >>> from bitext.model import Segmentation
    >>> written({"": Segmentation([2, 1])}, "rules", units=["It rained.", "We stayed.", "Then"])
    '==========\nIt rained.\nWe stayed.\n==========\nThen\n==========\n'

    """
    if spelling not in WRITTEN:
        hint = did_you_mean(spelling, WRITTEN)
        raise OptionError(
            f"segmentations are not written as {spelling!r:.40}; {hint}want one of "
            f"{', '.join(WRITTEN)}"
        )
    if spelling == "segeval":
        items = {name: {coder: each.masses.tolist() for coder, each in coders.items()}}
        return _json({"items": items, "segmentation_type": "linear"})
    if len(coders) != 1:
        raise OptionError(f"{spelling} is of one coder, and there are {len(coders)}: take segeval")
    (segmentation,) = coders.values()
    if spelling == "jsonl":
        if segmentation.types is None:
            return _json({"id": name, "masses": segmentation.masses.tolist()})
        sets: list[list[int | str]] = [[] for _ in range(segmentation.n - 1)]
        for at, types in zip(segmentation.boundaries.tolist(), segmentation.types, strict=True):
            sets[at - 1] = sorted(types, key=str)
        return _json({"id": name, "types": sets})
    if spelling in _OF_UNITS:
        return _with_units(segmentation, spelling, units)
    return _numbers(segmentation, spelling) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _numbers(segmentation: Segmentation, spelling: str) -> str:
    if spelling == "masses":
        return ",".join(map(str, segmentation.masses.tolist()))
    if spelling == "positions":
        return ",".join(map(str, np.cumsum(segmentation.masses).tolist()))
    if spelling == "bits":
        if segmentation.n == 1:
            raise InputError("bits are places between units, and the text has one unit: no place")
        return segmentation.bits()
    inner = segmentation.bits()
    return f"1{inner}" if spelling == "begin-bits" else f"{inner}1"


def _with_units(segmentation: Segmentation, spelling: str, units: Sequence[str]) -> str:
    if len(units) != segmentation.n:
        raise InputError(f"{spelling}: want the characters of the {segmentation.n} units")
    cells = [" ".join(unit.split()) for unit in units]
    if spelling in {"labels", "bio"}:
        if spelling == "bio":
            labels = ["I"] * segmentation.n
            for start, _ in segmentation.spans():
                labels[start] = "B"
        else:
            labels = [str(k + 1) for k in segmentation.labels().tolist()]
        return "".join(f"{cell}\t{label}\n" for cell, label in zip(cells, labels, strict=True))
    wrong = next((k for k, cell in enumerate(cells) if not cell or is_separator(cell)), None)
    if wrong is not None:
        raise InputError(
            f"unit {wrong + 1} is {cells[wrong]!r:.40}, which is a separator in {spelling}: take "
            f"another format, as jsonl"
        )
    lines: list[str] = []
    for start, end in segmentation.spans():
        if spelling == "rules":
            lines.append(_RULE)
        elif start:
            lines.append("")
        lines += cells[start:end]
    return "".join(f"{line}\n" for line in [*lines, *[_RULE] * (spelling == "rules")])
