"""`bitext link`: links between the words of translated sentences, learned from them alone."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from itertools import takewhile
from math import isnan
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.common import (
    READING,
    Parser,
    add_groups,
    check_where,
    print_notes,
    protected_outputs,
    reading_of,
    refuse_inputs,
    refuse_place,
    value,
)
from bitext.cli.console import Progress
from bitext.cli.request import ReadingRequest, request_of
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bitext.cli.align.request import AlignRequest
    from bitext.formats.io.source import Notes
    from bitext.formats.registry import Format
    from bitext.model import Bitext, Text, WordLinks

    Sides = tuple[list[str], list[str]]

__all__ = ["run"]

_EPILOG = """\
Positions count the words of a side, as blanks divide them: tokens are never cut. In running text
("the house,") punctuation is part of the word beside, and set aside only while links are learned;
--cut makes tokens of words and marks, and writes them. A bisegment is one pair, with its segments
joined. All files are learned from together.

examples:
  bitext link corpus.tsv -o links.pharaoh
  bitext link chapter.en chapter.fr -o links.tsv --scores
  bitext link memory.tmx --src-lang en --tgt-lang zh --cut -o linked.jsonl
  bitext link corpora/ -o links/ --to pharaoh --save-lexicon en-fr.tsv

memory: some 10 kB a sentence pair, and 1 kB from 80,000 pairs of 20 words on, beside 1 to 2 GB
"""
_LINKING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--min-score",
        {"type": value(float, "a number"), "metavar": "P"},
        "leave out links that are less probable (0.3)",
    ),
    (
        "--cut",
        {"action": "store_true"},
        (
            "cut running text into words and marks, and write it so; scripts without blanks need "
            "it (tokens are not cut)"
        ),
    ),
    (
        "--dictionary",
        {"action": "append", "default": [], "metavar": "FILE"},
        "translations of words, in any form that 'bitext align' reads; repeats",
    ),
    (
        "--lexicon",
        {"metavar": "FILE"},
        "a lexicon that was learned before, here or by 'bitext align'",
    ),
    (
        "--align",
        {"action": "store_true"},
        "two texts: align their sentences first (default: unless line k translates line k)",
    ),
    ("--lines", {"action": "store_true"}, "two texts: line k translates line k"),
    (
        "--split",
        {"action": "store_true"},
        "two texts: split running text into sentences, and align them, as of 'bitext align'",
    ),
]
_WRITING: list[tuple[str, dict[str, Any], str]] = [
    (
        "-o --output",
        {"metavar": "OUT", "default": "-"},
        "what to write, a folder for several files (default: standard output)",
    ),
    ("--to", {"metavar": "FORMAT"}, "of OUT (default: from its name; pharaoh on standard output)"),
    (
        "--scores",
        {"action": "store_true"},
        "write the probability of each link, as 0-1:0.93 (default: positions alone)",
    ),
    (
        "--save-lexicon",
        {"metavar": "FILE"},
        (
            "write the linked words with p(t|s), p(s|t) and the number of links, as TSV, for "
            "--lexicon and --dictionary of 'bitext align'"
        ),
    ),
    (
        "--save-phrases",
        {"metavar": "FILE"},
        "write the phrase pairs that the links allow, to 7 words, as a phrase table of Moses",
    ),
    ("-q --quiet", {"action": "store_true"}, "no notes and no progress"),
    ("-v --verbose", {"action": "store_true"}, "every note, not a few"),
]
# Share of lines that sentence alignment by lengths pairs with the line of the same number, from
# which on texts are line by line translations: 1.00 for such texts (447 Hansard pairs, 248 of
# Romanian news, 2,000 captions), 0.25 for a text of as many lines with 6 bisegments n-m.
_DIAGONAL = 0.9
_WINDOW, _WINDOWS = 500, 4  # lines of a sample, and samples, that are aligned; set by hand
_SAMPLE = 2_000  # lines that show whether a text is running text; set by hand
_FEW = 10  # paragraphs a line, below which their sentences are aligned; set by hand
_UNLINKED = 0.6  # share of words without a link above which a note doubts the pairs; set by hand
_POSITIONS = frozenset(("pharaoh", "naacl"))  # formats of links alone, pair by pair
_BY_LINE = frozenset(("moses", "fast-align"))  # formats whose line k is pair k
_VOID_LINES = (
    "lines that are empty in both files, left out",
    "lines with two empty sides, left out",
)
_VOID = "lines without text, written as pairs without links"
_OPTION = re.compile(r"(?<![\w/'-])--([a-z][a-z-]*[a-z])")
_DIGITS = 4  # decimals of probabilities


class LinkRequest(ReadingRequest):
    """The request of `bitext link`; the fields are its options."""

    inputs: tuple[str, ...]
    base: int | None = None
    to: str | None = None
    min_score: float | None = None
    cut: bool = False
    dictionary: tuple[str, ...] = ()
    lexicon: str | None = None
    align: bool = False
    lines: bool = False
    split: bool = False
    scores: bool = False
    save_lexicon: str | None = None
    save_phrases: str | None = None

    @property
    def outputs(self) -> tuple[str | None, ...]:
        """The values of the options that name files to write."""
        return self.output, self.save_lexicon, self.save_phrases

    @property
    def langs(self) -> tuple[str, str]:
        """The languages that the options name."""
        return self.src_lang, self.tgt_lang

    def resolve(self) -> Format:
        """Check options and paths before any work; return the format to write."""
        from bitext.formats.io.encodings import check_encodings

        score = self.min_score
        if score is not None and (isnan(score) or not 0 < score <= 1):
            raise OptionError(f"--min-score {score:g}: want a number above 0, up to 1")
        if not self.output:
            raise OptionError("-o names no file: want a name, or - for standard output")
        tables = ("--save-lexicon", self.save_lexicon), ("--save-phrases", self.save_phrases)
        for option, table in tables:
            if table in {"", "-"}:
                raise OptionError(f"{option} wants a file of its own: name one")
            if table is not None:
                refuse_place(table, f"{option} {table}")
        if self.inputs.count("-") > 1:
            raise OptionError("standard input (-) is given more than once: name files")
        if self.lines and (self.align or self.split):
            other = "--align" if self.align else "--split"
            raise OptionError(f"--lines and {other} exclude each other: give one")
        check_encodings(self.encoding)
        check_where(self)
        beside = [self.src, self.tgt, self.lexicon, *self.dictionary]
        if "-" in beside:
            raise OptionError("only the alignments may be on standard input (-): name files")
        refuse_inputs(self.inputs, self, beside=beside)
        return self._format()

    def _format(self) -> Format:
        """Return the format to write; refuse one without a place for the links."""
        from bitext.formats.writing import writable

        name = self.to or ("pharaoh" if self.output == "-" else None)
        if name is None and _is_folder(self.output):
            raise OptionError(
                f"-o {self.output}: is a folder: name the format of its files (--to pharaoh)"
            )
        known = writable(self.output, name)
        if not known.keeps.keeps_column("words"):
            raise OptionError(
                f"-o {self.output}: {known.name} holds no word links: name a format that does, as "
                f"--to pharaoh or --to tsv"
            )
        if self.cut and not known.keeps.texts and known.name not in _POSITIONS:
            raise OptionError(
                f"--cut: {known.name} points into texts that are not cut, so positions would count "
                f"other words: name a format with texts, as --to tsv"
            )
        if self.scores and known.name == "giza":
            raise OptionError(
                "--scores: giza has no place for them: leave it out, or name --to tsv"
            )
        return known


class LinkedFile(NamedTuple):
    """A file that is read.

    Attributes
    ----------
    name : str
        The name of the file in its corpus.
    path : str
    bitexts : list of Bitext
    lines : array of int64, or None
        Of a file with a pair a line, the index of the line of each pair: lines without text make no
        pair, and positions of links are of no use without them.
    size : int
        The number of these lines.

    """

    name: str
    path: str
    bitexts: list[Bitext]
    lines: NDArray[np.int64] | None = None
    size: int = 0


def run(arguments: Sequence[str]) -> int:
    """Link the words of files; return the exit status."""
    request = request_of(LinkRequest, _parser(), arguments)
    known = request.resolve()
    with protected_outputs(request):
        return _link(request, known)


def _parser() -> Parser:
    parser = Parser(
        prog="bitext link",
        description="Link the words of translated sentences, learned from the sentences alone.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "inputs",
        metavar="FILE",
        nargs="+",
        help="alignments with texts, in any format; a folder, a manifest, or -; or two texts",
    )
    add_groups(parser, {"reading": READING, "linking": _LINKING, "writing": _WRITING})
    return parser


def _link(request: LinkRequest, known: Format) -> int:
    begun = time.monotonic()
    from bitext.formats.io.source import Notes

    read_notes, lines = Notes(), list[str]()
    files = _read(request, known, read_notes, lines)
    outputs = _outputs(request, known, files)
    for k, file in enumerate(files):
        _check_texts(file, request)
        files[k] = file._replace(
            bitexts=[_without_links(each, read_notes) for each in file.bitexts]
        )
    files = _with_words(files, known, request, lines)
    sides = _sides(files, lines, cut=request.cut)
    links = _links(request, sides, _evidence(request, files, read_notes, lines))
    lost = _write(request, known, files, outputs, links, read_notes)
    lines += _save_tables(request, sides, links)
    lines = [*_summary(links, time.monotonic() - begun), *dict.fromkeys(lines)]
    notes = [_of_align(note, request) for note in (*lines, *lost, *map(str, read_notes.all()))]
    print_notes(notes, request, most=9)
    return 0


def _of_align(note: str, request: LinkRequest) -> str:
    """Name the command of options in notes of `bitext align` that `bitext link` has not."""
    own = {name.replace("_", "-") for name in request.offered}
    return _OPTION.sub(lambda option: option[0] + " of bitext align" * (option[1] not in own), note)


def _evidence(
    request: LinkRequest, files: Sequence[LinkedFile], notes: Notes, lines: list[str]
) -> dict[str, Any]:
    """Read the dictionaries and the lexicon, each in the direction of the texts."""
    if not (request.dictionary or request.lexicon):
        return {}
    from bitext.cli.align.running import read_dictionaries, read_lexicon
    from bitext.cli.align.texts import TextPair

    asked = _align_request(request)
    pairs = [
        TextPair(bitext.name, bitext.src, bitext.tgt, (bitext.src, bitext.tgt), (None, None), {})
        for file in files
        for bitext in file.bitexts
        if bitext.src is not None and bitext.tgt is not None
    ]
    return {
        "dictionary": read_dictionaries(asked, pairs, notes, lines) or None,
        "lexicon": read_lexicon(asked, pairs, lines),
    }


def _links(
    request: LinkRequest,
    sides: Sides,
    evidence: dict[str, Any],
) -> WordLinks:
    """Link the words of all pairs together."""
    import numpy as np

    from bitext.align.links import link_words
    from bitext.model import WordLinks

    options = dict(evidence)
    if request.min_score is not None:
        options["min_score"] = request.min_score
    progress = Progress("sentence pairs, linked", len(sides[0]), quiet=request.quiet)
    with progress.beating():
        links = link_words(*sides, **options)
    if not request.scores or links.confidences is None:
        return links
    return WordLinks(
        links.ptr,
        links.src,
        links.tgt,
        confidences=np.round(links.confidences.astype(np.float64), _DIGITS),
        src_sizes=links.src_sizes,
        tgt_sizes=links.tgt_sizes,
    )


# Input: files of alignments, or two texts.


def _read(request: LinkRequest, known: Format, notes: Notes, lines: list[str]) -> list[LinkedFile]:
    """Read all files; add the notes of readers to `notes`, and others to `lines`."""
    if _names_texts(request):
        return [_read_texts(request, known, notes, lines)]
    for option, given in (
        ("--align", request.align),
        ("--lines", request.lines),
        ("--split", request.split),
    ):
        if given:
            raise OptionError(
                f"{option} is for two texts, and {request.inputs[0]} is read as a file of "
                f"alignments: name two texts"
            )
    from bitext.formats.corpora import open_corpus
    from bitext.formats.io.remote import two_files
    from bitext.formats.registry import by_name

    format_in = by_name(request.known) if request.known else None
    files: list[LinkedFile] = []
    for path in request.inputs:
        corpus = open_corpus(path, known=format_in, langs=request.langs)
        lines += corpus.notes()
        for entry in corpus.entries.values():
            reading = reading_of(entry, request, request.base)
            both = two_files(entry.path)
            name = _common_name(*both) if both else entry.name
            files.append(_opened(name, entry.path, reading, known, request, notes))
    if not files:
        raise InputError(f"{request.inputs[0]}: has no file of alignments")
    return files


def _opened(
    name: str,
    path: str,
    reading: dict[str, Any],
    known: Format,
    request: LinkRequest,
    notes: Notes,
) -> LinkedFile:
    """Read the document pairs of a file, with the languages that the output names."""
    from bitext.formats.languages import with_languages
    from bitext.formats.reading import opened

    with opened(path, **reading, lines=True) as open_file:
        bitexts = list(open_file)
        told = [*open_file.source.notes.all(), *(note for each in bitexts for note in each.notes)]
        by_line = known.name in _POSITIONS and open_file.format.name in _BY_LINE
    lines = bitexts[0].lines if by_line and len(bitexts) == 1 else None
    size = 0
    for note in told:
        # A line is a pair, or void.
        void = lines is not None and note.kind in _VOID_LINES
        size += note.count if void else 0
        notes.add(_VOID if void else note.kind, note.first, note.count)
    if known.names_languages:
        bitexts = [with_languages(bitext, request.langs, notes) for bitext in bitexts]
    if lines is None or not size:
        return LinkedFile(name, path, bitexts)
    return LinkedFile(name, path, bitexts, lines - 1, size + len(lines))


def _names_texts(request: LinkRequest) -> bool:
    """Return whether the inputs are a text and its translation."""
    from bitext.formats.io.source import open_source
    from bitext.formats.registry import sniff
    from bitext.paths import is_file

    inputs = request.inputs
    if len(inputs) != 2 or request.known or not all(map(is_file, inputs)):
        return False
    for path in inputs:
        with open_source(path) as source:
            head = source.head()
            if not _has_structure(head, path) and sniff(head, path) is not None:
                return False
    return True


def _has_structure(head: bytes, path: str) -> bool:
    """Return whether a file is a text that is no plain text: a document or subtitles."""
    from bitext.formats.documents import document_format
    from bitext.formats.opus_documents.reading import is_document
    from bitext.formats.subtitles.reading import is_subtitles

    return document_format(head, path) is not None or is_document(head) or is_subtitles(head, path)


def _read_texts(request: LinkRequest, known: Format, notes: Notes, lines: list[str]) -> LinkedFile:
    """Read two texts line by line, or align their sentences."""
    src, tgt = request.inputs
    name = _common_name(src, tgt)
    if request.where or request.src or request.tgt:
        option = "--where" if request.where else "--src" if request.src else "--tgt"
        raise OptionError(
            f"{option} is for a file of alignments, and {src} is a text: leave it out"
        )
    sides = [_lines_of(request, path, key) for path, key in ((src, "src"), (tgt, "tgt"))]
    if request.lines and None in sides:
        path = request.inputs[sides.index(None)]
        raise OptionError(
            f"--lines is for plain texts, and {path} is a document or subtitles: leave it out, "
            f"and their sentences are aligned"
        )
    aligns = request.align or request.split
    if request.lines or not (
        aligns or None in sides or not _are_parallel(*(side or [] for side in sides))
    ):
        reading = {
            "format": "moses",
            "encoding": request.encoding,
            "src_lang": request.src_lang,
            "tgt_lang": request.tgt_lang,
        }
        file = _opened(name, f"{src},{tgt}", reading, known, request, notes)
        if not request.lines:
            lines.append(
                f"{src} and {tgt} have as many lines, and line k is read as the translation of "
                f"line k (--align aligns their sentences)"
            )
        return file._replace(path=src)
    return LinkedFile(name, src, _aligned(request, known, notes, lines, plain=None not in sides))


def _common_name(*paths: str) -> str:
    """Return the common beginning of the names of a text and its translation."""
    from bitext.formats.corpora import text_name

    first, second = (text_name(Path(Path(path).name)) for path in paths)
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(first, second)))  # noqa: B905 - of two lengths
    return first[:same].rstrip("._-") or first


def _are_parallel(src: list[str], tgt: list[str]) -> bool:
    """Return whether line k of one text seems to translate line k of the other.

    Two texts with as many lines need not be: where a sentence is two in the translation, and two
    others are one, lines between do not belong together. Sentence alignment by lengths shows this.
    """
    from bitext.align.sentences import align_sentences
    from bitext.segment.sentences.running_text import are_running_text

    if len(src) != len(tgt):
        return False
    both = [k for k in range(len(src)) if src[k].strip() and tgt[k].strip()]
    if sum(map(bool, map(str.strip, src))) - len(both) > (1 - _DIAGONAL) * len(src):
        return False
    layouts = [are_running_text(side[:_SAMPLE]) for side in (src, tgt)]
    if "blank-lines" in layouts or (any(layouts) and len(both) < _FEW):
        return False
    step = max(_WINDOW, len(both) // _WINDOWS)
    paired = seen = 0
    for begin in range(0, len(both), step):
        window = both[begin : begin + _WINDOW]
        alignment = align_sentences(
            [src[k] for k in window], [tgt[k] for k in window], method="length-characters"
        )
        paired += sum(
            len(bead.src) == len(bead.tgt) == 1 and bead.src == bead.tgt for bead in alignment
        )
        seen += len(window)
    return paired >= _DIAGONAL * seen


def _lines_of(request: LinkRequest, path: str, key: str) -> list[str] | None:
    """Return the lines of a plain text; `None` for any other text."""
    from bitext.formats.io.encodings import check_encodings, encoding_of
    from bitext.formats.io.source import open_source

    encoding = encoding_of(check_encodings(request.encoding), key)
    with open_source(path, encoding=encoding, side=key) as source:
        if _has_structure(source.head(), path):
            return None
        return [line for _, line in source.stream_lines()]


def _aligned(
    request: LinkRequest, known: Format, notes: Notes, lines: list[str], *, plain: bool
) -> list[Bitext]:
    """Align the sentences of two texts, as `bitext align` does."""
    from bitext.align.sentences import alignment_of
    from bitext.cli.align.outputs import BeadTotals, filter_alignment
    from bitext.cli.align.request import Place
    from bitext.cli.align.running import AlignRun
    from bitext.cli.align.texts import TextReader, text_reader
    from bitext.formats.languages import with_languages

    asked = _align_request(request, *request.inputs)
    files = asked.resolve(text_reader(asked))
    # Running text is not split where its sentences have to be in a file.
    points = not (known.keeps.texts or known.name in _POSITIONS)
    reader = TextReader(asked, notes, Place(request.output, known) if points else None)
    pairs = [pair for each in (files.pairs if files else ()) for pair in reader.pairs(each)]
    in_files = not request.split and not any(pair.document for pair in pairs)
    if points and not in_files:
        raise OptionError(
            f"-o {request.output}: {known.name} points into texts, and the sentences that are "
            f"linked are in no file: name a format with texts, as --to tsv"
        )
    align_run = AlignRun.prepare(asked, pairs, notes, lines)
    aligner = align_run.align()
    alignments = [alignment_of(aligner, k) for k in range(len(pairs))]
    totals, bitexts = BeadTotals(), []
    for pair, alignment in zip(pairs, alignments, strict=True):
        filtered = filter_alignment(pair, alignment, asked)
        totals.add(filtered.counts())
        bitexts.append(filtered.bitext)
    other = " (--lines: line k translates line k)"
    other *= plain and not (request.align or request.split)
    lines.append(f"sentences aligned first: {totals.summary(0)}{other}")
    if known.name in _POSITIONS:
        lines.append(f"{known.name} does not hold the pairs of sentences (--to tsv writes them)")
    lines += [line for each in align_run.input_warnings(aligner, alignments) for line in each]
    if known.names_languages:
        bitexts = [with_languages(bitext, request.langs, notes) for bitext in bitexts]
    return bitexts


def _align_request(request: LinkRequest, src: str = "", tgt: str | None = None) -> AlignRequest:
    """Return the request of `bitext align` with the options that both commands have."""
    from bitext.cli.align.request import AlignRequest

    return AlignRequest(
        src=src,
        tgt=tgt,
        split=request.split,
        src_lang=request.src_lang,
        tgt_lang=request.tgt_lang,
        encoding=request.encoding,
        dictionary=request.dictionary,
        lexicon=request.lexicon,
        quiet=request.quiet,
    )


def _check_texts(file: LinkedFile, request: LinkRequest) -> None:
    """Refuse a file without the characters of its texts."""
    for bitext in file.bitexts:
        texts = bitext.src, bitext.tgt
        if all(text is not None and text.has_text for text in texts) or not len(bitext.alignment):
            continue
        given = request.src or request.tgt
        which = "the other, too" if given else "the two texts"
        raise InputError(
            f"{file.path}: holds {bitext.meta.get('holds') or 'positions'} and no text, of which "
            f"words could be linked: name {which} (--src, --tgt), or the folder of the documents "
            f"(--root)"
        )


def _without_links(bitext: Bitext, notes: Notes) -> Bitext:
    """Return a bitext without word links of its own, which are replaced."""
    from bitext.model import Alignment
    from bitext.model.word_links import COLUMN, NULLS

    a = bitext.alignment
    if COLUMN not in a.attributes and NULLS not in a.attributes:
        return bitext
    count = sum(value is not None for value in a.attributes.get(COLUMN, ()))
    notes.add("bisegments whose word links are replaced", bitext.meta.get("path", ""), count)
    columns = {k: v for k, v in a.attributes.items() if k not in {COLUMN, NULLS}}
    made = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, alignment=made)


# Words: tokens, running text, or text that is cut.


def _with_words(
    files: list[LinkedFile], known: Format, request: LinkRequest, lines: list[str]
) -> list[LinkedFile]:
    """Refuse text without blanks, or cut it, and running text, with --cut."""
    from bitext.align.links.tokens import kind_of

    cut_sides = []
    for side in ("src", "tgt"):
        kinds = [kind_of(_segments(file, side)) for file in files]
        called = "source" if side == "src" else "target"
        if "unspaced" in kinds and not request.cut:
            name = _text_name(files[kinds.index("unspaced")], side)
            raise InputError(
                f"{name}: the {called} text has no blanks between words, so a sentence would be "
                f"one word: --cut cuts it into words (and writes it so), or give it tokenised"
            )
        if request.cut:
            cut_sides += [called] * any(kind != "tokens" for kind in kinds)
            files = [
                file if kind == "tokens" else _cut(file, side)
                for file, kind in zip(files, kinds, strict=True)
            ]
    if request.cut and not cut_sides:
        lines.append("both texts are tokenised: nothing was cut")
    elif cut_sides and not known.keeps.texts:
        lines.append(
            f"positions count the words of the {' and '.join(cut_sides)} text as cut, which "
            f"{known.name} does not hold (--to tsv writes them)"
        )
    return files


def _text_name(file: LinkedFile, side: str) -> str:
    """Return the name of a text, or that of its file."""
    names = (text.name for bitext in file.bitexts if (text := getattr(bitext, side)) is not None)
    return next(filter(None, names), file.path)


def _segments(file: LinkedFile, side: str) -> Iterator[str]:
    for bitext in file.bitexts:
        text: Text | None = getattr(bitext, side)
        if text is not None and text.has_text:
            yield from text.segments()


def _cut(file: LinkedFile, side: str) -> LinkedFile:
    """Cut the segments of one side into words, with blanks between."""
    from bitext.align.links.tokens import cut
    from bitext.model import Text

    bitexts = []
    for bitext in file.bitexts:
        text: Text | None = getattr(bitext, side)
        if text is not None and text.has_text:
            words = Text(
                (" ".join(cut(segment)) for segment in text.segments()),
                ids=text.ids if text.has_ids else None,
                name=text.name,
                lang=text.lang,
                paragraphs=text.paragraphs,
                times=text.times,
            )
            bitext = replace(bitext, src=words) if side == "src" else replace(bitext, tgt=words)
        bitexts.append(bitext)
    return file._replace(bitexts=bitexts)


def _sides(files: Sequence[LinkedFile], lines: list[str], *, cut: bool) -> Sides:
    """Return the sentences of all pairs, those of running text without punctuation at words.

    Sentences are strings, which take less memory than lists of tokens.
    """
    from bitext.align.links.tokens import bare, kind_of
    from bitext.model.word_links import tokens

    sides: Sides = ([], [])
    running = False
    for file in files:
        kinds = [kind_of(_segments(file, side)) for side in ("src", "tgt")]
        for bitext in file.bitexts:
            if not len(bitext.alignment):
                continue
            for sentences, kind, segments in zip(
                sides, kinds, zip(*bitext.pairs(), strict=True), strict=True
            ):
                joined = map(" ".join, segments)
                if kind == "running" and not cut:
                    running = True
                    sentences.extend(" ".join(map(bare, tokens(each))) for each in joined)
                else:
                    sentences.extend(joined)
    if running:
        lines.append(
            "running text: positions count what blanks divide, with the punctuation beside a word "
            "(--cut: words and marks are tokens)"
        )
    if sides[0] and sides[0] == sides[1]:
        lines.append("both sides of all pairs are the same text")
    return sides


# Output.


def _is_folder(output: str) -> bool:
    from bitext.formats.io.remote import is_folder_at, two_files

    if output == "-" or ("://" in output and two_files(output)):
        return False
    return output.endswith(("/", os.sep)) or is_folder_at(output)


def _outputs(request: LinkRequest, known: Format, files: Sequence[LinkedFile]) -> list[str]:
    """Return the output of each file; refuse one that would replace an input."""
    from bitext.formats.io.clashes import refuse_clashes
    from bitext.formats.io.remote import is_folder_at, join

    output = request.output
    if not _is_folder(output):
        if len(files) > 1:
            raise OptionError(
                f"{len(files):,} files are linked, and -o {output} is one: name a folder (with / "
                f"at its end), or join them with 'bitext convert'"
            )
        return [output]
    ending = known.suffixes[0] if known.suffixes else f".{known.name}"
    for file in files:
        if ".." in PurePath(file.name).parts or PurePath(file.name).is_absolute():
            raise InputError(f"{file.name!r} names no place in the folder {output}")
    outputs = [join(output, file.name) + ending for file in files]
    if len(set(outputs)) < len(outputs):
        twice = next(name for name in outputs if outputs.count(name) > 1)
        raise InputError(f"two files would both become {twice}: link them one by one")
    read = [name for name in request.inputs if name != "-"]
    folders = [name for name in read if is_folder_at(name)]
    refuse_clashes([*read, *(file.path for file in files)], outputs, folders=folders)
    return outputs


def _write(
    request: LinkRequest,
    known: Format,
    files: Sequence[LinkedFile],
    outputs: Sequence[str],
    links: WordLinks,
    notes: Notes,
) -> list[str]:
    """Write each file with its links; return notes on losses, but for formats of links alone."""
    from bitext.formats.io.remote import make_folder_of
    from bitext.formats.io.source import Notes
    from bitext.formats.registry import LOSSES, WriteOptions
    from bitext.formats.word_links import OF_LINKS
    from bitext.formats.writing import deliver

    losses = Notes()
    options = WriteOptions(src_lang=request.src_lang, tgt_lang=request.tgt_lang)
    first = 0
    for file, output in zip(files, outputs, strict=True):
        count = sum(len(bitext.alignment) for bitext in file.bitexts)
        bitexts = _with_links(file, links[first : first + count], scores=request.scores)
        if output != request.output:
            make_folder_of(output)
        deliver(bitexts, output, known, options=options, losses=losses, notes=notes)
        first += count
    if known.name in OF_LINKS:
        return []
    # Pairs without links lose nothing where an empty value is none. Two texts have the names and
    # languages of their files.
    silent = {LOSSES["words"]}
    if len(request.inputs) == 2 and len(files) == 1:
        silent.add(LOSSES["document_names"])
        if not any(request.langs):
            silent.add(LOSSES["languages"])
    return [f"lost: {note}" for note in losses.all() if note.kind not in silent]


def _with_links(file: LinkedFile, links: WordLinks, *, scores: bool) -> Iterator[Bitext]:
    """Yield the bitexts of a file with their links in a column."""
    import numpy as np

    from bitext.model import Alignment, Bitext, WordLinks
    from bitext.model.word_links import COLUMN

    if not scores:
        links = WordLinks(links.ptr, links.src, links.tgt)
    values = links.spell()
    if file.lines is not None:
        rows = np.arange(file.size + 1), np.arange(file.size)
        column = [""] * file.size
        for line, own in zip(file.lines.tolist(), values, strict=True):
            column[line] = own
        made = Alignment.from_arrays(rows, rows, attributes={COLUMN: column})
        yield Bitext(None, None, made, name=file.name)
        return
    first = 0
    for bitext in file.bitexts:
        a = bitext.alignment
        columns = {**a.attributes, COLUMN: values[first : first + len(a)]}
        first += len(a)
        made = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
        yield replace(bitext, alignment=made, notes=())


def _summary(links: WordLinks, seconds: float) -> list[str]:
    """Return the counts of pairs and links, and the shares of words without a link."""
    import numpy as np

    shares = []
    for positions, sizes in ((links.src, links.src_sizes), (links.tgt, links.tgt_sizes)):
        total = 0 if sizes is None else int(sizes.sum())
        linked = np.unique(np.stack([links.pair, positions]), axis=1).shape[1]
        shares.append(1 - linked / total if total else 0.0)
    took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
    pairs = "1 pair" if len(links) == 1 else f"{len(links):,} pairs"
    count = "1 link" if links.src.size == 1 else f"{links.src.size:,} links"
    shown = f"{shares[0]:.1%} of the source, {shares[1]:.1%} of the target"
    lines = [f"{count} in {pairs}; words without a link: {shown}{took}"]
    if min(shares) > _UNLINKED:
        lines.append("most words have no link: the pairs are few, or no translations of each other")
    return lines


def _save_tables(request: LinkRequest, sides: Sides, links: WordLinks) -> Iterator[str]:
    """Write the lexicon and the phrase table; yield a note on each."""
    from bitext.align.links.tables import lexicon_lines, phrase_lines
    from bitext.formats.io.output import write_whole

    for path, table, called in (
        (request.save_lexicon, lexicon_lines, "pairs of words"),
        (request.save_phrases, phrase_lines, "pairs of phrases"),
    ):
        if path is None:
            continue
        count = 0
        with write_whole(path) as out:
            for line in table(*sides, links):
                out.write(f"{line}\n")
                count += 1
        yield f"{path}: {count:,} {called}"
