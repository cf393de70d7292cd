"""Inputs of `bitext link`: files of alignments, or two texts; and the words of their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitext.align.links.corpus import bare, cut_sentence, kind_of
from bitext.align.sentences import align_sentences
from bitext.cli.link.request import POSITIONS, LinkRequest, align_request
from bitext.errors import InputError, OptionError
from bitext.formats.corpora import text_name
from bitext.formats.documents import document_format
from bitext.formats.io.encodings import check_encodings, encoding_of
from bitext.formats.io.remote import two_files
from bitext.formats.io.source import Notes, can_be_examined, copied_standard_input, open_source
from bitext.formats.languages import with_languages
from bitext.formats.opus_documents import is_document
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import Format, sniff
from bitext.formats.subtitles import is_subtitles
from bitext.kernels.arrays import Ints
from bitext.model import Alignment, Bitext, Text
from bitext.model.word_links import COLUMN, NULLS, tokens
from bitext.segment.sentences.running_text import are_running_text

if TYPE_CHECKING:
    Sides = tuple[list[str], list[str]]

# Share of lines that sentence alignment by lengths pairs with the line of the same number, from
# which on texts are line by line translations: 1.00 for such texts (447 Hansard pairs, 248 of
# Romanian news, 2,000 captions), 0.25 for a text of as many lines with 6 bisegments n-m.
_DIAGONAL = 0.9
_WINDOW, _WINDOWS = 500, 4  # lines of a sample, and samples, that are aligned; set by hand
_SAMPLE = 2_000  # lines that show whether a text is running text; set by hand
_FEW = 10  # paragraphs a line, below which their sentences are aligned; set by hand
_BY_LINE = frozenset(("moses", "fast-align"))  # formats whose line k is pair k
_VOID_LINES = (
    "lines that are empty in both files, left out",
    "lines with two empty sides, left out",
)
_VOID = "lines without text, written as pairs without links"


class LinkedFile(NamedTuple):
    """A file that is read."""

    name: str  # the name of the file in its corpus
    path: str
    bitexts: list[Bitext]
    # Of a file with a pair a line, the index of the line of each pair: lines without text make no
    # pair, and positions of links are of no use without them.
    lines: Ints | None = None
    size: int = 0  # the number of these lines


# Input: files of alignments, or two texts.


def read(request: LinkRequest, known: Format, notes: Notes, lines: list[str]) -> list[LinkedFile]:
    """Read all files; add the notes of readers to `notes`, and others to `lines`."""
    # Of two inputs each is examined before it is read: a text, or a file of alignments.
    two = len(request.inputs) == 2 and "-" in request.inputs
    with copied_standard_input() if two else nullcontext():
        if _names_texts(request):
            return [_read_texts(request, known, notes, lines)]
        return _read_files(request, known, notes, lines)


def _read_files(
    request: LinkRequest, known: Format, notes: Notes, lines: list[str]
) -> list[LinkedFile]:
    for option in request.given("--align", "--lines", "--split"):
        raise OptionError(
            f"{option} is for two texts, and {request.inputs[0]} is read as a file of alignments: "
            f"name two texts"
        )
    files: list[LinkedFile] = []
    for path in request.inputs:
        corpus = request.corpus(path)
        lines += corpus.notes()
        for entry in corpus.entries.values():
            reading = request.reading_of(entry, request.base)
            both = two_files(entry.path)
            name = _common_name(*both) if both else entry.name
            files.append(_opened(name, entry.path, reading, known, request, notes))
    if not files:
        raise InputError(f"{request.inputs[0]}: has no file of alignments")
    return files


def _opened(
    name: str, path: str, reading: FileOptions, known: Format, request: LinkRequest, notes: Notes
) -> LinkedFile:
    """Read the document pairs of a file, with the languages that the output names."""
    with opened(path, replace(reading, lines=True)) as open_file:
        bitexts = list(open_file)
        opening_notes = [
            *open_file.source.notes.all(),
            *(note for each in bitexts for note in each.notes),
        ]
        by_line = request.prints or known.name in POSITIONS
        by_line = by_line and open_file.format.name in _BY_LINE
    lines = bitexts[0].lines if by_line and len(bitexts) == 1 else None
    size = 0
    for note in opening_notes:
        # A line is a pair, or void.
        void = lines is not None and note.kind in _VOID_LINES
        size += note.count if void else 0
        notes.add(_VOID if void and not request.prints else note.kind, note.first, note.count)
    if known.names_languages:
        bitexts = [with_languages(bitext, request.languages, notes) for bitext in bitexts]
    if lines is None or not size:
        return LinkedFile(name, path, bitexts)
    return LinkedFile(name, path, bitexts, lines - 1, size + len(lines))


def _names_texts(request: LinkRequest) -> bool:
    """Check whether the inputs are a text and its translation."""
    inputs = request.inputs
    if len(inputs) != 2 or request.known:
        return False
    if not all(path == "-" or can_be_examined(path) for path in inputs):
        return False
    for path in inputs:
        with open_source(path) as source:
            head = source.head()
            if not has_structure(head, path) and sniff(head, path) is not None:
                return False
    return True


def has_structure(head: bytes, path: str) -> bool:
    """Recognise a document or subtitles, which are texts with a structure of their own."""
    return document_format(head, path) is not None or is_document(head) or is_subtitles(head, path)


def _read_texts(request: LinkRequest, known: Format, notes: Notes, lines: list[str]) -> LinkedFile:
    """Read two texts line by line, or align their sentences."""
    src, tgt = request.inputs
    name = _common_name(src, tgt)
    request.refuse_beside_texts(src, "--src", "--tgt")
    lines += request.notes_beside_texts()
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
        reading = FileOptions(
            format="moses",
            encoding=request.encoding,
            src_lang=request.src_lang,
            tgt_lang=request.tgt_lang,
        )
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
    first, second = (text_name(Path(Path(path).name)) for path in paths)
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(first, second)))  # noqa: B905 - of two lengths
    return first[:same].rstrip("._-") or first


def _are_parallel(src: list[str], tgt: list[str]) -> bool:
    """Compare the lines of two texts, which may be translations line by line.

    Two texts with as many lines need not be: where a sentence is two in the translation, and two
    others are one, lines between do not belong together. Sentence alignment by lengths shows this.
    """
    if len(src) != len(tgt):
        return False
    both = [k for k in range(len(src)) if src[k].strip() and tgt[k].strip()]
    filled = max(sum(map(bool, map(str.strip, side))) for side in (src, tgt))
    if filled - len(both) > (1 - _DIAGONAL) * len(src):
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
    encoding = encoding_of(check_encodings(request.encoding), key)
    with open_source(path, encoding=encoding, side=key) as source:
        if has_structure(source.head(), path):
            return None
        return [line for _, line in source.stream_lines()]


def _aligned(
    request: LinkRequest, known: Format, notes: Notes, lines: list[str], *, plain: bool
) -> list[Bitext]:
    """Align the sentences of two texts, as `bitext align` does."""
    from bitext.cli.align.in_memory import aligned_pairs
    from bitext.cli.align.request import Place
    from bitext.cli.align.texts import TextReader, text_reader
    from bitext.cli.align.warnings import warning_lines

    alignment_request = align_request(request, *request.inputs)
    files = alignment_request.resolve(text_reader(alignment_request))
    # Running text is not split where its sentences have to be in a file.
    points = not (known.keeps.texts or known.name in POSITIONS)
    reader = TextReader(alignment_request, notes, Place(request.output, known) if points else None)
    pairs = [pair for each in (files.pairs if files else ()) for pair in reader.pairs(each)]
    in_files = not request.split and not any(pair.document for pair in pairs)
    if points and not in_files:
        raise OptionError(
            f"-o {request.output}: {known.name} points into texts, and the sentences that are "
            f"linked are in no file: name a format with texts, as --to tsv"
        )
    aligned, totals, warnings = aligned_pairs(alignment_request, pairs, notes, lines)
    bitexts = [bitext for bitext, *_ in aligned]
    other = " (--lines: line k translates line k)"
    as_many = all(len(pair.whole[0]) == len(pair.whole[1]) for pair in pairs)
    other *= plain and as_many and not (request.align or request.split)
    lines.append(f"sentences aligned first: {totals.summary(0)}{other}")
    if known.name in POSITIONS:
        lines.append(f"{known.name} does not hold the pairs of sentences (--to tsv writes them)")
    lines += warning_lines(warnings, verbose=request.verbose)
    if known.names_languages:
        bitexts = [with_languages(bitext, request.languages, notes) for bitext in bitexts]
    return bitexts


def check_texts(file: LinkedFile, request: LinkRequest) -> None:
    """Refuse a file without the characters of its texts."""
    for bitext in file.bitexts:
        texts = bitext.src, bitext.tgt
        if all(text is not None and text.has_text for text in texts) or not len(bitext.alignment):
            continue
        given = request.src or request.tgt
        texts_wanted = "the other, too" if given else "the two texts"
        raise InputError(
            f"{file.path}: holds {bitext.meta.get('holds') or 'positions'} and no text, of which "
            f"words could be linked: name {texts_wanted} (--src, --tgt), or the folder of the "
            f"documents (--root)"
        )


def without_links(bitext: Bitext, notes: Notes) -> Bitext:
    """Return a bitext without word links of its own, which are replaced."""
    a = bitext.alignment
    if COLUMN not in a.attributes and NULLS not in a.attributes:
        return bitext
    count = sum(value is not None for value in a.attributes.get(COLUMN, ()))
    notes.add("bisegments whose word links are replaced", bitext.meta.get("path", ""), count)
    columns = {k: v for k, v in a.attributes.items() if k not in {COLUMN, NULLS}}
    alignment = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, alignment=alignment)


# Words: tokens, running text, or text that is cut.


def with_words(
    files: list[LinkedFile], known: Format, request: LinkRequest, lines: list[str]
) -> list[LinkedFile]:
    """Refuse text without blanks, or cut it, and running text, with --cut."""
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
    names = (text.name for bitext in file.bitexts if (text := getattr(bitext, side)) is not None)
    return next(filter(None, names), file.path)


def _segments(file: LinkedFile, side: str) -> Iterator[str]:
    for bitext in file.bitexts:
        text: Text | None = getattr(bitext, side)
        if text is not None and text.has_text:
            yield from text.segments()


def _cut(file: LinkedFile, side: str) -> LinkedFile:
    """Cut the segments of one side into words, with blanks between."""
    bitexts = []
    for bitext in file.bitexts:
        text: Text | None = getattr(bitext, side)
        if text is not None and text.has_text:
            cut = (" ".join(cut_sentence(segment)) for segment in text.segments())
            words = text.with_segments(cut)
            bitext = replace(bitext, src=words) if side == "src" else replace(bitext, tgt=words)
        bitexts.append(bitext)
    return file._replace(bitexts=bitexts)


def sides_of(files: Sequence[LinkedFile], lines: list[str], *, cut: bool) -> Sides:
    """Return the sentences of all pairs, those of running text without punctuation at words.

    Sentences are strings, which take less memory than lists of tokens.
    """
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
