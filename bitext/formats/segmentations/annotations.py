"""Segmentations from files of annotators: chapters, units of discourse, and TextGrids of Praat.

Chapters, whose texts have their names in lines of their own, are of two kinds. Abstracts of PubMed
RCT, in the spelling `labels`, have a line `###` with the name of the abstract, and lines of a
label, a tab and a sentence. Files of paragraphs, in the spelling `begin-bits`, are those that
`bitext paragraphs split --to tsv` writes.

Elementary discourse units are in files of DISRPT, and of rhetorical structures:

| spelling | a text is |
| --- | --- |
| `disrpt` | CoNLL-U lines to the next `# newdoc`: `Seg=B-seg`, `BeginSeg=Yes` in the last column |
| `rs3` | a file of rstWeb or RSTTool: the `segment` elements in order |
| `edus` | a file with one unit of discourse per line |
| `dis` | a file of the RST Discourse Treebank: the `text` of its leaves in order |

The units are tokens, in `disrpt`, and else words, as blanks separate them. In `disrpt`, `# newpar`
stands for `NewPar=Yes` of the next token.

A TextGrid of Praat has one tier per coder, of intervals or of points in time. The long and the
short text format are one sequence of strings, numbers and flags, between which words without quotes
and comments (`! ...`) have no meaning.

Units are the intervals of a tier of words, or steps in time: segmentations are over units, and
times of two coders are hardly ever equal. A boundary is after the words whose middle is before the
boundary; in steps it is at the nearest step.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bitext.errors import SegmentationError, remedy
from bitext.formats.io.source import Source
from bitext.formats.plain_text import DOC, read_rows
from bitext.formats.segmentations.collecting import (
    Collected,
    OneText,
    Reading,
    ReadingOptions,
    Readings,
    Units,
    chosen_coders,
    listed,
    readings_of,
)
from bitext.formats.segmentations.labels import check_labels, read_labels, select_labels
from bitext.formats.xml.safe import iterate, line_of
from bitext.kernels.arrays import Floats, Ints
from bitext.model import Segmentation
from bitext.model.segmentation import bio_form, bio_parts, may_be_bio

DISCOURSE = ("disrpt", "rs3", "edus", "dis")

_BY_SUFFIX = {".rs3": "rs3", ".rs4": "rs3", ".edus": "edus", ".dis": "dis"}
_ROOT = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<rst[\s>]",
    re.DOTALL,
)
_DIS_ROOT = re.compile(r"\s*\(\s*Root\s*\(\s*span\s+([0-9]{1,9})\s+([0-9]{1,9})\s*\)")
# A leaf, or the beginning of its text: `_!text_!`, or `<s><EDU>text</EDU></s>` in older files.
_LEAF = re.compile(r"\(\s*leaf\s+([0-9]{1,9})\s*\)|\(\s*text\s+(_!|(?:<[A-Za-z]{1,3}>){1,3})")
_MARKS = re.compile(r"</?(?:[PpSs]|EDU)>")  # of paragraphs, sentences and units
_COLUMNS = 10  # of a CoNLL-U line
_TOKEN = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
_NEW_TEXT = re.compile(r"#\s*newdoc(?:[_ ]id)?\s*(?:=\s*(.*?)\s*)?")
# Keys that say where segments begin, in the order of preference.
_KEYS = ("Seg", "BeginSeg", "Conn", "Discourse")
# The key of Universal Dependencies for paragraphs that begin within a sentence, which here also
# stands for the comment before the others.
_PARAGRAPH = "NewPar"
_NEW_PARAGRAPH = re.compile(r"#\s*newpar\b")


_MARKED = re.compile(r"[01]\t\s*\S")
_ABSTRACT = re.compile(r"###\s*(\S+)\s*")
_SENTENCE = re.compile(r"[^\s\t]+\t[^\t]+")


def read_chapters(source: Source, lines: Sequence[str], options: ReadingOptions) -> Readings | None:
    """Read labels of texts that lines before them name; `None` for other files.

    These are abstracts of PubMed RCT, and files of paragraphs.
    """
    return _read_abstracts(source, lines, options) or _read_paragraphs(source, lines, options)


def _read_abstracts(
    source: Source, lines: Sequence[str], options: ReadingOptions
) -> Readings | None:
    """Read the abstracts of PubMed RCT, whose segments are runs of a label; `None` for others."""
    if not lines[0].startswith("###") or options.spelling not in {None, "labels"}:
        return None
    heads = [_ABSTRACT.fullmatch(line) for line in lines]
    sentences = [_SENTENCE.fullmatch(line) for line in lines]
    known = (head or each for head, each in zip(heads, sentences, strict=True))
    if not all(match or not line.strip() for match, line in zip(known, lines, strict=True)):
        return None
    name, rows = "", []
    for line, head in zip(lines, heads, strict=True):
        name = head[1] if head else name
        rows.append("" if head or not line.strip() else f"{name}\t{line}")
    source.note("abstracts of PubMed RCT, of which runs of a label are segments")
    options = replace(options, spelling="labels", column="2", texts="1", coders=())
    return read_labels(source, rows, "labels", options)


def _read_paragraphs(
    source: Source, lines: Sequence[str], options: ReadingOptions
) -> Readings | None:
    """Read a file of paragraphs with named chapters, each a text; `None` for others."""
    other = options.column or options.texts or options.coders or options.labels
    first = next(filter(str.strip, lines), "")
    may_be = first.startswith("#") or _MARKED.match(first)
    if other or not may_be or options.spelling not in {None, "begin-bits"}:
        return None
    if not any(line.startswith(DOC) for line in lines):
        return None
    if not all(_MARKED.match(line) for line in lines if line.strip() and line[0] != "#"):
        return None
    collected, units = Collected(source), []
    for rows in read_rows(source, lines=enumerate(lines, start=1)):
        count = len(rows.sentences)
        collected.put(Segmentation.from_boundaries(rows.starts[1:], count))
        collected.add(rows.name or None, rows.line)
        places = np.arange(rows.line, rows.line + count)
        units.append(Units.of((" ".join(each.split()) for each in rows.sentences), places))
    source.note("files of paragraphs, of which a 1 starts a segment")
    return Readings({"": collected.reading("begin-bits", units=tuple(units))})


def discourse_spelling(opening: str, suffix: str) -> str | None:
    """Return the spelling of a file by its first lines, or by its suffix."""
    if _ROOT.match(opening):
        return "rs3"
    if _DIS_ROOT.match(opening):
        return "dis"
    first = next((ln for ln in opening.split("\n") if ln.strip() and not ln.startswith("#")), "")
    cells = first.split("\t")
    if len(cells) == _COLUMNS and _TOKEN.fullmatch(cells[0]):
        return "disrpt"
    return _BY_SUFFIX.get(suffix)


def read_discourse(source: Source, spelling: str, options: ReadingOptions) -> Reading:
    """Read the texts of a file in one of the spellings of `DISCOURSE`."""
    if spelling == "disrpt":
        return _read_disrpt(source, options)
    segments: Iterator[tuple[int, list[str]]]
    if spelling == "rs3":
        segments = _rst_segments(source)
    elif spelling == "dis":
        segments = _leaves(source)
    else:
        segments = ((k, line.split()) for k, line in enumerate(source.lines(), 1) if line.strip())
    text = OneText(source)
    for place, segment in segments:
        if not segment:
            source.note("units of discourse without a word, left out", line=place)
        text.take(segment, place)
        text.end_segment()
    if not text.units:
        raise source.error("has no unit of discourse; want one or more, with words")
    if spelling == "edus" and text.is_one_segment:
        source.note("texts of one unit of discourse")
    return text.reading(spelling)


def _rst_segments(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the words of each segment of an RST file."""
    roots = 0
    for event, element in iterate(source, start=("rst",), end=("segment",)):
        if event == "start":
            roots += 1
        else:
            yield line_of(element) or 1, "".join(map(str, element.itertext())).split()
    if not roots:
        raise source.error("has no <rst>; want a file of rstWeb or RSTTool, or name its notation")


def _leaves(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the words of each leaf of a file of the RST Discourse Treebank."""
    text = source.text()
    root = _DIS_ROOT.match(text)
    if root is None:
        raise source.error("does not begin with ( Root (span 1 n); want a file as of RST-DT", 1)
    first, last = int(root[1]), int(root[2])
    line, before, due, has_text = 1, 0, first, True
    match = _LEAF.search(text)
    while match is not None:
        line += text.count("\n", before, match.start())
        before, end = match.start(), match.end()
        if match[1] is None and has_text:
            raise source.error(f"has a text without a leaf where leaf {due} is due", line)
        if match[1] is not None and (int(match[1]) != due or not has_text):
            raise source.error(f"has leaf {match[1]} where leaf {due} is due, or its text", line)
        has_text = match[1] is None
        if has_text:
            closing = "_!" if match[2] == "_!" else "</EDU>"
            end = text.find(closing, match.end())
            if end < 0:
                raise source.error(f"has a text without {closing} at its end (leaf {due})", line)
            yield line, _MARKS.sub(" ", text[match.end() : end]).split()
            due, end = due + 1, end + len(closing)
        match = _LEAF.search(text, end)
    if due != last + 1 or not has_text:
        raise source.error(
            f"has {due - first} leaves with text, and a root of {last - first + 1}: is it cut?"
        )


# DISRPT


@dataclass(slots=True)
class _Document:
    """A text of a file of CoNLL-U lines, with the cells of the last column of its tokens."""

    name: str | None
    line: int
    forms: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)  # with multiword tokens for their words
    cells: list[dict[str, str]] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)  # the number of tokens before each end
    # The form of the multiword token whose words follow, and the number of the last of these.
    _contraction: str = ""
    _last: int = 0
    begins_paragraph: bool = False  # whether the next token does

    def take(self, cells: Sequence[str], number: int) -> None:
        """Add the word in the cells of a line; of a multiword token its words follow."""
        if not cells[0].isdecimal():
            if "-" in cells[0]:
                self._contraction, self._last = cells[1], int(cells[0].partition("-")[2])
            return
        word = int(cells[0])
        written = self._contraction if word <= self._last else cells[1]
        self._contraction, self._last = "", self._last if word < self._last else 0
        pairs = (item.partition("=") for item in cells[-1].split("|"))
        self.forms.append(" ".join(cells[1].split()))
        self.written.append(" ".join(written.split()))
        by_key = {key: value for key, _, value in pairs if key in _KEYS or value}
        self.cells.append(by_key | {_PARAGRAPH: "Yes"} if self.begins_paragraph else by_key)
        self.begins_paragraph = False
        self.places.append(number)


def _read_disrpt(source: Source, options: ReadingOptions) -> Reading:
    documents = _documents(source)
    units = tuple(
        Units(
            "\n".join(document.forms),
            np.array(document.places, dtype=np.int64),
            "\n".join(document.written) if document.written != document.forms else None,
        )
        for document in documents
    )
    key = _key_of(source, documents, options.column)
    all_labels = [[_label(cells, key) for cells in document.cells] for document in documents]
    form = _form_of_labels(source, {label for each in all_labels for label in each}, key, options)
    collected = Collected(source)
    for document, labels in zip(documents, all_labels, strict=True):
        if not key:  # the segments are sentences
            collected.masses.extend(np.diff(document.sentences, prepend=0).tolist())
        else:
            if options.labels:
                labels = select_labels(labels, form, options.labels)
            try:
                collected.put(Segmentation.from_labels(labels, form=form))
            except SegmentationError as error:
                raise source.error(str(error), document.line) from None
        collected.add(document.name, document.line)
    return collected.reading("disrpt", units=units, labels="disrpt" if key else "")


def _form_of_labels(source: Source, known: set[str], key: str, options: ReadingOptions) -> str:
    """Return the form of the BIO labels of a key; refuse other labels."""
    wrong = min((label for label in known if not may_be_bio({label, "B"})), default=None)
    if key and wrong is not None:
        raise source.error(
            f"has {wrong!r:.40} as {key}=; want B, I and O, as Seg=B-seg, or another key "
            f"({remedy('column')})"
        )
    form = bio_form({*known, "O"})
    if any(bio_parts(label)[1].casefold() == "conn" for label in known):
        form = "bio-outside"  # of connectives, also where each is one token
    if key and options.labels:
        check_labels(source, known, form, options.labels)
    return form


def _documents(source: Source) -> list[_Document]:
    """Return the texts of a file, with their tokens: words of multiword tokens count, not these."""
    documents = [_Document(None, 1)]
    for number, line in enumerate([*source.lines(), ""], start=1):
        if not line.strip() or _NEW_TEXT.fullmatch(line):
            ends = documents[-1].sentences
            if len(documents[-1].forms) > (ends[-1] if ends else 0):
                ends.append(len(documents[-1].forms))
        if line.startswith("#"):
            named = _NEW_TEXT.fullmatch(line)
            if named:
                documents.append(_Document(named[1] or None, number))
            elif _NEW_PARAGRAPH.match(line):
                documents[-1].begins_paragraph = True
            continue
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != _COLUMNS or not _TOKEN.fullmatch(cells[0]):
            raise source.error(
                f"has {len(cells)} column{'s'[: len(cells) > 1]} and begins with "
                f"{cells[0]!r:.20}; want the {_COLUMNS} of CoNLL-U, and the number of the token "
                f"as the first",
                number,
            )
        documents[-1].take(cells, number)
    if not documents[0].forms:
        documents.pop(0)
    empty = next((document for document in documents if not document.forms), None)
    if empty is not None:
        raise source.error("begins a text without tokens; want at least one", empty.line)
    if not documents:
        raise source.error("has no token; want CoNLL-U lines")
    return documents


def _key_of(source: Source, documents: Sequence[_Document], column: str | None) -> str:
    """Return the key of the labels, from the option, or the first of `_KEYS` that is there.

    Empty if there is none, and several sentences, which are then the segments.
    """
    known = dict.fromkeys(key for d in documents for cells in d.cells for key in cells)
    if column is not None:
        if column not in known:
            raise source.error(
                f"has no {column}= in its last column ({remedy('column')}); the keys are "
                f"{listed(known) or 'none'}"
            )
        return column
    there = [key for key in _KEYS if key in known]
    if not there and any(len(document.sentences) > 1 for document in documents):
        way = f"another key: {remedy('column')}"
        if _PARAGRAPH in known:
            way = f"paragraphs: {remedy(f'column {_PARAGRAPH}')}"
        kind = f"sentences taken as segments, without Seg= or BeginSeg= ({way})"
        source.note(kind, count=sum(len(each.sentences) for each in documents))
        return ""
    if not there:
        raise source.error(
            f"has no Seg= or BeginSeg= in the last of {_COLUMNS} columns, which say where segments "
            f"begin; name another key ({remedy('column')}), or the notation ({remedy('from')})"
        )
    if len(there) > 1 or there[0] not in {"Seg", "BeginSeg"}:
        others = f" (another: {remedy(f'column {there[1]}')})" if len(there) > 1 else ""
        source.note(f"segments from {there[0]}= in the last column{others}")
    return there[0]


def _label(cells: dict[str, str], key: str) -> str:
    """Return the BIO label of a token; a key with other values is of tokens that begin segments."""
    value = cells.get(key)
    if value is None or (key == "BeginSeg" and value.lower() != "yes"):
        return "O"
    return value if key in {"Seg", "Conn"} or may_be_bio([value, "B"]) else "B"


# Segmentations in TextGrids of Praat: one tier per coder, of intervals or of points in time.


_HEAD = re.compile(r'\s*(?:File type\s*=\s*)?"ooTextFile[^"]*"')  # of any object of Praat
_OTHER = re.compile(r'\s*"Praat chronological TextGrid|ooBinaryFile')
_TEXTGRID_TOKEN = re.compile(r'"[^"]*(?:""[^"]*)*"|(?<!\S)![^\n]*|[^\s"=]+|=|"')
_OPEN = '"'  # of a string that does not end
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?s?")
_WORD_TIERS = frozenset(["word", "words", "token", "tokens"])
_PHONE_TIERS = frozenset(["phone", "phones", "phoneme", "phonemes"])  # of aligners of speech
_SILENCE = frozenset(["sil", "sp", "<sil>", "<p:>", "<eps>", "#", "pau", "<p>"])
_STEP = 0.01  # seconds, of a unit if there is no tier of words; set by hand
_MOST_STEPS = 1 << 40  # more are not times; set by hand


@dataclass(frozen=True, slots=True)
class _Tier:
    """A tier: the starts, ends and labels of its intervals, or of its points, which have no end."""

    name: str
    line: int
    points: bool
    starts: Floats
    ends: Floats
    labels: list[str]
    lines: list[int]

    @property
    def untouched(self) -> bool:
        """Whether nobody has put anything into the tier."""
        return not self.labels if self.points else self.labels in ([], [""])

    def times(self, wanted: frozenset[str]) -> Floats:
        """Return the times of boundaries: of all intervals or points, or those with a label."""
        chosen = np.ones(len(self.labels), dtype=np.bool_)
        if wanted:
            chosen = np.array([label in wanted for label in self.labels], dtype=np.bool_)
        if self.points:
            return np.unique(self.starts[chosen])
        return np.unique(np.concatenate([self.starts[chosen], self.ends[chosen]]))


def is_textgrid(opening: str) -> bool:
    """Recognise the head of a Praat file, a TextGrid or another of its objects."""
    return bool(_HEAD.match(opening) or _OTHER.match(opening))


def read_textgrid(source: Source, options: ReadingOptions) -> Readings:
    """Read the tiers of a TextGrid, each of which is a coder.

    Raises `FormatError` when the file is malformed, in another format of Praat, or has no tier of a
    coder; with the line.
    """
    if source.head().startswith(b"ooBinaryFile"):
        raise source.error("is a binary file of Praat; save it as a text file there")
    text = source.text()
    if _OTHER.match(text):
        raise source.error("is a chronological TextGrid; save it as a text file in Praat")
    start, end, tiers = _Parser(source, text).grid()
    unit_tier, step = _units_of(source, tiers, options)
    coders = _tiers_of_coders(source, tiers, unit_tier, options)
    names = [tier.name for tier in coders]
    if not coders:
        raise source.error("has no tier beside that of the units; want one a coder")
    chosen = [coders[k] for k in chosen_coders(source, names, options.coders, noun="tier")]
    if options.labels:
        labels = (label for tier in chosen for label in tier.labels)
        check_labels(source, labels, "labels", options.labels)
    elif not options.coders and len(coders) > 1:
        way = remedy("coders")
        source.note(f"tiers taken as coders (to choose: {way})", listed(names))
    parts: dict[str, Collected] = {}
    units = None
    words = _Words(unit_tier, source) if unit_tier else None
    if words:
        units = (Units.of(words.words, words.lines),)
    for tier in chosen:
        if tier.untouched:
            source.note("tiers without a label or a boundary, taken as not coded", tier.name)
            continue
        times = tier.times(frozenset(options.labels))
        times = times[(times > start) & (times < end)]
        if words:
            ends, n = words.before(times, source, tier), len(words.words)
        else:
            ends, n = _steps(source, times - start, end - start, step)
            if not options.labels:
                _note_gaps(source, tier, step)
        ends = np.unique(ends[(ends > 0) & (ends < n)])
        part = parts[tier.name] = Collected(source, tier.name if len(coders) > 1 else "")
        part.masses.extend(np.diff(np.concatenate([[0], ends, [n]])).tolist())
        part.add(None, tier.line)
    if chosen and not parts:
        raise source.error("has no label and no boundary in any tier; want at least one coder")
    return readings_of(parts, "textgrid", names, units=units, labels="textgrid")


def _tiers_of_coders(
    source: Source, tiers: Sequence[_Tier], unit_tier: _Tier | None, options: ReadingOptions
) -> list[_Tier]:
    """Return the tiers of coders: all but those of words and phones, if there are others."""
    of_words = unit_tier or _tier_of_words(tiers, options)
    coders = [tier for tier in tiers if tier is not of_words]
    coders = coders or [tier for tier in tiers if tier is not unit_tier]
    phones = [tier for tier in coders if tier.name.casefold().split()[-1] in _PHONE_TIERS]
    if options.coders or of_words is None or not 0 < len(phones) < len(coders):
        return coders
    kind = f"tiers of phones, taken as no coders (else: {remedy('coders')})"
    source.note(kind, listed(tier.name for tier in phones))
    return [tier for tier in coders if tier not in phones]


def _units_of(
    source: Source, tiers: Sequence[_Tier], options: ReadingOptions
) -> tuple[_Tier | None, float]:
    """Return the tier of the units, or the length of a step in seconds."""
    given = options.time_units
    if given is not None:
        tier = next((tier for tier in tiers if tier.name == given), None)
        if tier is None and not (_NUMBER.fullmatch(given) and float(given.rstrip("s")) > 0):
            raise source.error(
                f"has no tier {given!r:.40} ({remedy('time-units')}); want seconds above 0, or one "
                f"of {listed([tier.name for tier in tiers])}"
            )
        if tier is not None and tier.points:
            raise source.error(
                f"has points in the tier {given!r:.40}; want intervals as units "
                f"({remedy('time-units')})",
                tier.line,
            )
        return tier, 0.0 if tier else float(given.rstrip("s"))
    tier = _tier_of_words(tiers, options)
    if tier is not None and len(tiers) > 1:
        way = remedy("time-units 0.01")
        kind = f"intervals of the tier {tier.name!r:.40} taken as units (steps in seconds: {way})"
        source.note(kind)
        return tier, 0.0
    way = remedy("time-units")
    source.note(f"steps of {_STEP} s taken as units (others, or a tier of words: {way})")
    return None, _STEP


def _tier_of_words(tiers: Sequence[_Tier], options: ReadingOptions) -> _Tier | None:
    """Return the first tier that is named as one of words, and not chosen as a coder."""
    # Aligners of speech name tiers as `ann - words`.
    named = [t for t in tiers if t.name.casefold().split()[-1] in _WORD_TIERS and not t.points]
    return next((t for t in named if t.name not in options.coders), None)


def _steps(source: Source, times: Floats, length: float, step: float) -> tuple[Ints, int]:
    """Return the steps before each time, and the number of steps."""
    if not 0.5 <= length / step < _MOST_STEPS:
        raise source.error(
            f"lasts {length:.6g} s, which is no number of steps of {step:.6g} s; want other steps "
            f"({remedy('time-units')})"
        )
    steps = np.rint(times / step).astype(np.int64)
    if lost := steps.size - np.unique(steps).size:
        source.note(f"boundaries in one step of {step:.6g} s, taken as one", count=lost)
    return steps, round(length / step)


def _note_gaps(source: Source, tier: _Tier, step: float) -> None:
    """Note intervals without a label between others, of which each has two boundaries."""
    between = zip(tier.labels, tier.labels[1:], tier.labels[2:], strict=False)
    gaps = [k for k, (a, b, c) in enumerate(between, start=1) if a and c and not b]
    gaps = [k for k in gaps if tier.ends[k] - tier.starts[k] >= step / 2]
    if gaps and not tier.points:
        way = remedy("time-units")
        kind = (
            f"intervals without a label between others, taken as segments (with a tier of words as "
            f"units, none where there is no word: {way})"
        )
        source.note(kind, tier.name, line=tier.lines[gaps[0]], count=len(gaps))


class _Words:
    """The intervals of a tier with words, without pauses."""

    def __init__(self, tier: _Tier, source: Source) -> None:
        spoken = [k for k, w in enumerate(tier.labels) if w and w.casefold() not in _SILENCE]
        if not spoken:
            raise source.error(f"has no word in the tier {tier.name!r:.40} of the units", tier.line)
        silent = sum(bool(word) for word in tier.labels) - len(spoken)
        if silent:
            kind = "intervals of silence in the tier of the units, which are none"
            source.note(kind, tier.name, count=silent)
        self.words = [" ".join(tier.labels[k].split()) for k in spoken]
        self.lines = [tier.lines[k] for k in spoken]
        self._starts, self._ends = tier.starts[spoken], tier.ends[spoken]

    def before(self, times: Floats, source: Source, tier: _Tier) -> Ints:
        """Return the number of words before each time: those whose middle is before it."""
        begun = np.searchsorted(self._starts, times, side="left") - 1
        inside = (begun >= 0) & (times < self._ends[np.maximum(begun, 0)] - _STEP / 2)
        inside &= times > self._starts[np.maximum(begun, 0)] + _STEP / 2
        if inside.any():
            kind = "boundaries within words, taken at the nearer end of the word"
            source.note(kind, f"{tier.name}, {times[inside][0]:.6g} s", count=int(inside.sum()))
        middles = (self._starts + self._ends) / 2
        return np.searchsorted(middles, times, side="left").astype(np.int64)


class _Parser:
    """A parser of the values of a TextGrid, in the order of the text."""

    def __init__(self, source: Source, text: str) -> None:
        self._source, self._text = source, text
        self._values = self._tokens()
        self._place, self._line = 0, 1

    def _tokens(self) -> Iterator[tuple[str, int]]:
        """Yield strings with their quotes, numbers and flags, each with its line."""
        for match in _TEXTGRID_TOKEN.finditer(self._text):
            token = match[0]
            if token[0] == '"' or token[0] == "<" or _NUMBER.fullmatch(token):
                self._line += self._text.count("\n", self._place, match.start())
                self._place = match.start()
                yield token, self._line

    def _next(self, wanted: str) -> tuple[str, int]:
        token, line = next(self._values, ("", 0))
        if token in {"", _OPEN}:
            raise self._source.error(
                f"breaks off where {wanted} is due; want a whole TextGrid", self._line
            )
        return token, line

    def _string(self, wanted: str) -> tuple[str, int]:
        token, line = self._next(wanted)
        if token[0] != '"':
            raise self._source.error(f"has {token!r:.40} where {wanted} is due", line)
        return token[1:-1].replace('""', '"').strip(), line

    def _number(self, wanted: str) -> float:
        token, line = self._next(wanted)
        value = float(token.rstrip("s")) if _NUMBER.fullmatch(token) else math.inf
        if not math.isfinite(value):
            raise self._source.error(f"has {token!r:.40} where {wanted} is due", line)
        return value

    def _count(self, wanted: str) -> int:
        value = self._number(wanted)
        if value < 0 or value != int(value):
            raise self._source.error(f"has {value:.6g} where {wanted} is due", self._line)
        return int(value)

    def grid(self) -> tuple[float, float, list[_Tier]]:
        """Return the start and the end in seconds, and the tiers under distinct names."""
        self._string("the type of the file")
        kind, line = self._string("the class of the object")
        if not kind.startswith("TextGrid"):
            raise self._source.error(f"is a {kind!r:.40} of Praat; want a TextGrid", line)
        start, end = self._number("the start in seconds"), self._number("the end in seconds")
        if not end > start:
            raise self._source.error(f"ends at {end:.6g} s and starts at {start:.6g}", self._line)
        flag, _ = self._next("<exists>")
        names: dict[str, int] = {}
        count = self._count("the number of tiers") if flag == "<exists>" else 0
        tiers = [self._tier(k + 1, names) for k in range(count)]
        if not tiers:
            raise self._source.error("has no tier; want one a coder")
        return start, end, tiers

    def _tier(self, number: int, names: dict[str, int]) -> _Tier:
        kind, line = self._string("the class of a tier")
        if kind not in {"IntervalTier", "TextTier"}:
            raise self._source.error(f"has the tier class {kind!r:.40}; want IntervalTier", line)
        given, line = self._string("the name of a tier")
        given = " ".join(given.split()) or f"tier {number}"
        names[given] = names.get(given, 0) + 1
        name = given if names[given] == 1 else f"{given} ({names[given]})"
        self._number("the start of the tier")
        self._number("the end of the tier")
        points, before = kind == "TextTier", -math.inf
        rows: list[tuple[float, float, str, int]] = []
        for _ in range(self._count("the number of intervals or points")):
            start = self._number("a time")
            end = start if points else self._number("the end of an interval")
            label, at = self._string("a label")
            if not before <= start <= end:
                raise self._source.error(
                    f"has {start:.6g} s to {end:.6g} s in tier {name!r:.40}; want times that rise",
                    at,
                )
            rows.append((start, end, label, at))
            before = start
        starts, ends, labels, lines = map(list, zip(*rows, strict=True)) if rows else ([],) * 4
        times = np.array([starts, ends], dtype=np.float64)
        return _Tier(name, line, points, times[0], times[1], labels, lines)
