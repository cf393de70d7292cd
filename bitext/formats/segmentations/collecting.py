"""Collecting the segmentations of a file, with the checks that all readers need; documents.

`Collected` takes the texts of a file one by one, and checks them together. Documents (DOCX, HTML
and others) are read here, too: a segment is a block of the document: a paragraph, heading, list
item, table cell, verse or note; or a section: the blocks from one heading, or from several in a
row, up to the next. The units are sentences, split by a function of `ReadingOptions`, since rules
of languages are above the formats.
"""

from __future__ import annotations

import csv
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import Any
from unicodedata import normalize

import numpy as np

from bitext.errors import SegmentationError, few, remedy
from bitext.formats.documents import read_document
from bitext.formats.documents.blocks import Block, Document
from bitext.formats.io.source import Source
from bitext.kernels.arrays import Ints
from bitext.model import Segmentation
from bitext.model.segmentation import BIO_FORMS, Segmentations, Types, may_be_bio, repeated

_MOST_LISTED = 8  # names in a message
_LONGEST = 30  # characters of a name in a message

# Names of the column, or the key, of the coder of a text, in small letters.
CODER_HEADS = frozenset(
    [
        *("coder", "coders", "coder_id", "annotator", "annotators", "annotator_id", "annotateur"),
        *("rater", "raters", "judge", "user", "subject", "participant", "worker", "worker_id"),
        *("system", "model", "method", "codeur", "kodierer", "anotador", "annotatore"),
    ]
)

# Labels of two values, which may mark where segments begin or end.
FLAGS = {
    **dict.fromkeys(("1", "1.0", "true", "yes"), True),  # 1.0: of columns with missing values
    **dict.fromkeys(("0", "0.0", "false", "no"), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """The options of reading segmentations, as in `read_segmentations`."""

    spelling: str | None = None
    encoding: str = "utf-8"
    column: str | None = None
    texts: str | None = None
    coders: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    # Coders of the same file that are read for another role: columns like theirs are coders, too.
    like: tuple[str, ...] = ()
    time_units: str | None = None
    sections: bool = False  # whether the segments of documents are sections
    # Splits the blocks of a document into sentences, and adds notes to its source; `None`: no
    # documents are read.
    split: Callable[[Source, Document], list[list[str]]] | None = None

    @property
    def names_columns(self) -> bool:
        """Whether columns of labels or of texts are named."""
        return self.column is not None or self.texts is not None


@dataclass(frozen=True, slots=True)
class Units:
    """The characters of the units of a text."""

    text: str  # the units, stripped, with line ends between
    lines: Ints  # the line of each unit in its file
    # The same as they are written, where that differs, as in contractions (`zu dem` is `zum`): the
    # first unit has the characters of all, and the others are empty.
    written: str | None = None

    @classmethod
    def of(cls, units: Iterable[str], lines: Sequence[int] | Ints) -> Units:
        """Join units, each of which is in one line of the file."""
        return cls("\n".join(units), np.asarray(lines, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Reading:
    """The segmentations of a file."""

    table: Segmentations  # the texts
    path: str  # the file
    spelling: str  # its spelling
    lines: Ints  # the line at which each text begins
    # Whether the file is one text without a name of its own, which is then named as the file.
    whole: bool
    # The characters of each text, where the file contains them.
    units: tuple[Units, ...] | None = None
    closed: bool = False  # whether the file is in 0s and 1s, and every text ends in 1
    labels: str = ""  # the kind of labels, if there are any

    def where(self, text: int) -> str:
        """Return the file and the line of a text; the name alone of texts in memory."""
        return f"{self.path} line {self.lines[text]}" if self.lines.size else self.path


@dataclass(frozen=True, slots=True)
class Readings:
    """The segmentations of a file, by coder."""

    # Those of each chosen coder; the name is empty in a file without coders.
    by_coder: dict[str, Reading]
    # The names of all coders of the file, also of those that were not chosen.
    coders: tuple[str, ...] = ()


@dataclass(slots=True)
class Collected:
    """Collects the texts of a file, or of one of its coders, in arrays: there may be a million."""

    source: Source
    coder: str = ""  # the name of the coder, in a file of several
    # The masses of all texts so far; a reader appends those of a text, and then adds the text.
    masses: array[int] = field(default_factory=lambda: array("q"))
    _ends: array[int] = field(default_factory=lambda: array("q"))
    _lines: array[int] = field(default_factory=lambda: array("q"))
    _ids: list[str] = field(default_factory=list)
    _types: dict[int, Types] = field(default_factory=dict)
    _named: bool = False

    def add(self, name: str | None, line: int) -> None:
        """Add a text whose masses were appended; without a name it is named by its line.

        Accents of the name are composed, as in names of files.
        """
        self._ends.append(len(self.masses))
        self._lines.append(line)
        self._ids.append(str(line) if name is None else normalize("NFC", name))
        self._named |= name is not None

    def put(self, segmentation: Segmentation) -> None:
        """Append the masses of a text, and its types."""
        if segmentation.types is not None:
            self._types[len(self._ids)] = segmentation.types
        self.masses.frombytes(segmentation.masses.tobytes())

    @property
    def texts(self) -> int:
        """The number of texts so far."""
        return len(self._ids)

    def replace(self, made: Mapping[int, Segmentation]) -> None:
        """Replace the segmentations of some texts, which are given by index."""
        ends = np.array(self._ends, dtype=np.int64)
        parts = np.split(np.array(self.masses, dtype=np.int64), ends[:-1])
        for text, segmentation in made.items():
            parts[text] = segmentation.masses
            if segmentation.types is not None:
                self._types[text] = segmentation.types
        self.masses = array("q", np.concatenate(parts).tobytes())
        self._ends = array("q", np.cumsum([part.size for part in parts]).tolist())

    def reading(
        self,
        spelling: str,
        *,
        units: tuple[Units, ...] | None = None,
        closed: bool = False,
        labels: str = "",
        noted: bool = True,
    ) -> Reading:
        """Check all texts at once; return the result of reading the file.

        With `noted` the result has the notes of the file.

        Raises `FormatError` when a mass is not above zero, two texts have one name, or there are
        too many units; with the line.
        """
        if not self._ids:
            raise self.source.error("is empty; want at least one text")
        of = f" of coder {self.coder!r}" if self.coder else ""
        lines = np.array(self._lines, dtype=np.int64)
        masses = np.array(self.masses, dtype=np.int64)
        ptr = np.concatenate([[0], np.array(self._ends, dtype=np.int64)])
        wrong = np.flatnonzero(masses <= 0)
        if wrong.size:
            first = int(wrong[0])
            text = int(np.searchsorted(ptr, first, side="right")) - 1
            own = masses[ptr[text] : ptr[text + 1]]
            rising = bool(len(own) > 1 and own[0] == 0 and (np.diff(own) > 0).all())
            places = f" (if these are positions of boundaries: {remedy('from positions')})"
            raise self.source.error(
                f"mass {first - ptr[text]}{of} is {masses[first]}: want every mass above zero"
                f"{places * (rising and spelling == 'masses')}",
                int(lines[text]),
            )
        if len(set(self._ids)) < len(self._ids):
            k = repeated(self._ids)
            before = lines[self._ids.index(self._ids[k])]
            raise self.source.error(
                f"is a second text named {self._ids[k]!r}, as in line {before}; give each text a "
                f"name of its own",
                int(lines[k]),
            )
        try:
            notes = self.source.notes.all() if noted else ()
            table = Segmentations(self._ids, ptr, masses, types=self._types, notes=notes)
        except SegmentationError as error:  # only too many units remain possible here
            sizes = np.add.reduceat(masses.astype(np.float64), ptr[:-1])
            most = int(sizes.argmax())
            raise self.source.error(
                f"{error}, {sizes[most]:.3g} of them in {self._ids[most]!r}{of}; want numbers of "
                f"units",
                int(lines[most]),
            ) from None
        whole = len(self._ids) == 1 and not self._named
        path = f"{self.source.path} ({self.coder})" if self.coder else self.source.path
        return Reading(table, path, spelling, lines, whole, units, closed, labels)


@dataclass(slots=True)
class OneText:
    """Collects the units of a file that is one text, segment by segment."""

    source: Source
    units: list[str] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def take(self, units: Sequence[str], place: int) -> None:
        """Add units, with their line or block."""
        self.units += units
        self._places += [place] * len(units)

    def end_segment(self) -> None:
        """End a segment after the units so far, unless there are none since the last end."""
        if len(self.units) > (self._ends[-1] if self._ends else 0):
            self._ends.append(len(self.units))

    @property
    def is_one_segment(self) -> bool:
        """Whether several units are in one segment, where the last segment is ended."""
        return len(self._ends) == 1 < len(self.units)

    def reading(self, spelling: str) -> Reading:
        """Return the result of reading the file."""
        collected = Collected(self.source)
        collected.masses.extend(np.diff(self._ends, prepend=0).tolist())
        collected.add(None, self._places[0])
        return collected.reading(spelling, units=(Units.of(self.units, self._places),))


def readings_of(
    parts: Mapping[str, Collected], spelling: str, coders: Sequence[str], **more: Any
) -> Readings:
    """Return the readings of several coders; the notes of the file are those of the first.

    `parts` are the texts of each chosen coder, `coders` the names of all coders of the file, and
    `more` the arguments of `Collected.reading`.
    """
    by_coder = {
        coder: part.reading(spelling, noted=k == 0, **more)
        for k, (coder, part) in enumerate(parts.items())
    }
    return Readings(by_coder, tuple(coders))


def chosen_coders(
    source: Source, coders: Sequence[str], wanted: Sequence[str], *, noun: str = "coder"
) -> list[int]:
    """Return the places of the wanted coders, by their names, or by numbers from 1.

    A name that the file lacks is passed over: in a folder, another file may have the coder.

    Raises `FormatError` when a number is too large, or several coders have one name.
    """
    chosen = []
    for name in wanted:
        if coders.count(name) > 1:
            raise source.error(
                f"has several {noun}s named {name!r}: give their numbers, as "
                f"{remedy(f'coders {coders.index(name) + 1}')}"
            )
        if name in coders:
            chosen.append(coders.index(name))
        elif name.isdecimal() and not 1 <= int(name) <= len(coders):
            raise source.error(
                f"has {len(coders)} {noun}s, and no {noun} {name}; want 1 to {len(coders)}, or "
                f"names"
            )
        elif name.isdecimal():
            chosen.append(int(name) - 1)
    return list(dict.fromkeys(chosen)) if wanted else list(range(len(coders)))


def listed(names: Iterable[str]) -> str:
    """Return the first names for a message, long ones cut.

    Examples
    --------
    >>> listed(["ann", "ben"]), listed(map(str, range(20)))
    ('ann, ben', '0, 1, 2, 3, 4, 5, 6, 7, ...')

    """
    some = list(islice(names, _MOST_LISTED + 1))
    cut = [name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…" for name in some]
    cut = [name if name.isprintable() else repr(name) for name in cut]
    return few(cut, _MOST_LISTED)


def either(*spellings: str) -> str:
    """Return the options that name spellings, for messages."""
    return " or ".join(remedy(f"from {spelling}") for spelling in spellings)


OF_FLAGS = ("labels", "begin-bits", "end-bits")  # possible spellings of labels of two values


def unclear_flags(source: Source, flags: str) -> Exception:
    """Return the error of labels of two values, which may mean several things."""
    return source.error(
        f"has labels of {flags}, which may be names of which a run makes a segment, or say where "
        f"segments begin or end; name the notation: {either(*OF_FLAGS)}"
    )


def unsound_bio(source: Source) -> Exception:
    """Return the error of labels that look like BIO labels, but not in their order."""
    return source.error(
        f"has labels that may be BIO labels, but do not follow each other as these do, or names "
        f"of which a run makes a segment; name the notation: {either('bio', 'labels')}"
    )


def csv_rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Split lines of CSV into cells; no rows where one is no CSV.

    That is one with a carriage return, or with a cell beyond the limit of its length. There are
    fewer rows than lines where a cell has a line end.
    """
    try:
        return [*csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
    except csv.Error:
        return []


def option_items(given: str | int | Sequence[str | int] | None) -> tuple[str, ...]:
    """Return the items of an option: of a string, which has commas between, or of a sequence.

    Examples
    --------
    >>> option_items('NP, VP,"a, b"'), option_items(["a, b", 2])
    (('NP', 'VP', 'a, b'), ('a, b', '2'))

    """
    if isinstance(given, str):
        return tuple(next(csv.reader([given], skipinitialspace=True), ()))
    return (str(given),) if isinstance(given, int) else tuple(map(str, given or ()))


def is_flag(label: object) -> bool:
    """Recognise a truth value among labels."""
    return str(label).lower() in FLAGS


_NOT_CODED = frozenset(["NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?"])


def note_labels(source: Source, labels: Iterable[object], form: str, *, detected: bool) -> None:
    """Note the kind of labels, if another kind is possible.

    `labels` are the labels of all texts, and `form` is the kind that was read: `detected` from the
    contents, or set by the user.
    """
    values = set(labels)
    kind = ""
    if form in BIO_FORMS and detected:
        meant = other = ""
        if form != "bio":
            relation, others = "outside of", "bio-within"
            if form == "bio-within":
                relation, others = "within", "bio-outside"
            meant, other = f", O {relation} segments", f"; O otherwise: {remedy(f'from {others}')}"
        way = remedy("from labels")
        kind = (
            f"labels as B and I, taken as BIO labels{meant} (as runs of equal labels: {way}{other})"
        )
    elif form == "labels" and may_be_bio(values):
        kind = f"labels as B and I, taken as runs of equal labels (BIO: {remedy('from bio')})"
    elif form == "labels" and len(values) > 1 and all(map(is_flag, values)):
        ways = f"{remedy('from begin-bits')}, {remedy('from end-bits')}"
        kind = (
            f"labels of 0 and 1, taken as runs of equal labels (where they begin or end segments: "
            f"{ways})"
        )
    if kind:
        source.note(kind)
    missing = sorted({*map(str, values)} & _NOT_CODED) if form == "labels" else []
    if missing and len(values) > len(missing):
        source.note("labels that may mark what is not coded, taken as labels", f"{missing[0]!r}")
    alike: dict[str, str] = {}
    for value in sorted(map(str, values)) if form == "labels" else ():
        other = alike.setdefault(" ".join(value.casefold().split()), value)
        if other != value:
            kind = "labels that differ in case or blanks alone, taken as different"
            source.note(kind, f"{other!r:.40} and {value!r:.40}")


def marks_among(texts: Iterable[Sequence[object]]) -> list[str]:
    """Return the labels that may mark ends of segments among units without a mark.

    These are all labels except for one that follows itself, if no two of them follow each other,
    and one is neither the first nor the last of its text, as `greeting` and `closing` of a letter.

    Examples
    --------
    >>> marks_among([["O", "PERIOD", "O", "O", "QUESTION"]])
    ['PERIOD', 'QUESTION']
    >>> marks_among([["rain", "rain", "snow", "snow", "snow"]])
    []

    """
    texts = list(texts)
    bare: set[object] | None = None  # labels that are in all pairs of neighbours
    is_run = False
    for pair in chain.from_iterable(map(pairwise, texts)):
        bare = {*pair} if bare is None else bare.intersection(pair)
        if not bare:
            return []
        is_run = is_run or pair[0] == pair[1]
    if not (bare and is_run and any(not bare.issuperset(labels[1:-1]) for labels in texts)):
        return []
    marks = Counter(label for labels in texts for label in labels if label not in bare)
    return [str(mark) for mark, _ in marks.most_common()] if marks.total() > 1 else []


def note_marks(source: Source, texts: Iterable[Sequence[object]]) -> None:
    """Note labels, read as runs, that may mark where segments begin or end."""
    marks = marks_among(texts)
    if marks and not may_be_bio(marks) and not all(map(is_flag, marks)):
        ways = f"{remedy('labels')} and {remedy('from begin-bits')}, {remedy('from end-bits')}"
        kind = (
            f"labels that never follow each other, taken as runs of equal labels (where they begin "
            f"or end segments: {ways})"
        )
        source.note(kind, listed(marks))


# Documents (DOCX, HTML and others) as segmentations: sentences in paragraphs, or in sections.


DOCUMENT = "document"
"""The name of the spelling."""


def read_blocks(source: Source, options: ReadingOptions) -> Reading:
    """Read a document as one text.

    Raises `FormatError` when the document cannot be read, has no text, or no headings where these
    are wanted.
    """
    if options.split is None:
        raise source.error(
            "is a document, whose units are its sentences: bitext.compare and 'bitext compare' "
            "split it; give its segmentation in a file"
        )
    document = read_document(source)
    blocks = [
        (number, block, sentences)
        for number, (block, sentences) in enumerate(
            zip(document.blocks, options.split(source, document), strict=True), start=1
        )
        if sentences
    ]
    if not blocks:
        raise source.error("has no text; want a document with paragraphs")
    if options.sections and not any(block.kind == "heading" for _, block, _ in blocks):
        raise source.error("has no headings, and its sections are wanted: leave them out")
    text, was_heading = OneText(source), True
    for number, block, sentences in blocks:
        is_heading = block.kind == "heading"
        # A heading right after another one is in the same section.
        if not options.sections or (is_heading and not was_heading):
            text.end_segment()
        text.take([" ".join(sentence.split()) for sentence in sentences], number)
        was_heading = is_heading
    text.end_segment()
    segments = "sections" if options.sections else "paragraphs (and headings, items, notes)"
    source.note(f"documents, read as sentences in {segments}")
    return text.reading(DOCUMENT)


# Articles in JSON with the places of their sections, as in WikiSection.


def read_sections(
    source: Source, objects: Sequence[tuple[int, dict[str, Any]]], options: ReadingOptions
) -> Reading | None:
    """Read articles with annotated sections, whose units are sentences; `None` for other objects.

    An article has its `text`, and `annotations` with the `begin` and `length` of each section.

    Raises `FormatError` when sections overlap or lie beyond the text.
    """
    sections = all(_has_sections(x) for _, x in objects) and any(
        x["annotations"] for _, x in objects
    )
    if options.spelling is not None or not sections:
        return None
    if options.split is None:
        raise source.error(
            "has sections of articles, whose units are sentences: bitext.compare and 'bitext "
            "compare' split them"
        )
    collected, texts = Collected(source), []
    for line, item in objects:
        # The text before and between sections is a block, too.
        blocks, at = [], 0
        for section in sorted(item["annotations"], key=lambda each: each["begin"]):
            begin, end = section["begin"], section["begin"] + section["length"]
            if not at <= begin <= end <= len(item["text"]):
                raise source.error(
                    f"has a section from {begin} to {end}, behind one to {at} in a text of "
                    f"{len(item['text'])} characters; want sections in order within the text",
                    line,
                )
            blocks += [item["text"][at:begin], item["text"][begin:end]]
            at = end
        blocks = [block for block in (*blocks, item["text"][at:]) if block.strip()]
        document = Document(tuple(Block("paragraph", block) for block in blocks))
        sentences = [each for each in options.split(source, document) if each]
        if not sentences:
            raise source.error("has an article without text; leave it out", line)
        collected.masses.extend(map(len, sentences))
        name = item.get("id") or item.get("title")
        collected.add(name if isinstance(name, str) else None, line)
        units = [" ".join(unit.split()) for block in sentences for unit in block]
        texts.append(Units.of(units, [line] * len(units)))
    source.note("articles, read as sentences in sections", count=len(texts))
    return collected.reading(DOCUMENT, units=tuple(texts))


def _has_sections(item: dict[str, Any]) -> bool:
    sections = item.get("annotations")
    return (
        isinstance(item.get("text"), str)
        and isinstance(sections, list)
        and all(
            isinstance(each, dict) and type(each.get("begin")) is type(each.get("length")) is int
            for each in sections
        )
    )
