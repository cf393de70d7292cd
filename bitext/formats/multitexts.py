"""Texts in more than two languages: a row for the segments that correspond.

They are on disk until all languages are known (`Shelf`), and are then written. Tables have a column
for each language, named by its code, and JSON and Parquet a field of `translation`; further columns
are `score` and, if there are several documents, `document`. The segments of a cell are joined by a
blank. Readers choose two of the languages, or take all of them (`ReadOptions.every_language`).
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from tempfile import TemporaryFile
from typing import IO, Any, Generic, NamedTuple, Self, TypeVar

import numpy as np

from bitext.errors import InputError, OptionError, remedy
from bitext.formats.beads import joined_rows
from bitext.formats.header_names import HARDLY_LANGUAGES
from bitext.formats.io.output import write_together
from bitext.formats.io.source import Notes
from bitext.formats.languages import known as known_code
from bitext.formats.registry import LANGUAGE, MARKS, Format, all_formats
from bitext.formats.scores import NULLS, spell_scores
from bitext.formats.writing import count_losses
from bitext.kernels.arrays import Bools, Rows, prefix, take
from bitext.model import Alignment, Bitext, Multitext, Text
from bitext.model.languages import language_of
from bitext.paths import temporary_room


def refuse_two_sided(known: Format) -> None:
    """Refuse a format that holds two languages only.

    Raises `OptionError` naming the formats that hold more.
    """
    if known.write_multitexts is None:
        those = ", ".join(name for name, each in all_formats().items() if each.write_multitexts)
        raise OptionError(
            f"{known.name} holds two languages: choose a format that holds more ({remedy('to')}), "
            f"one of: {those}"
        )


# Reading: the texts in all languages of a bitext that was read with `every_language`.


def multitext_of(bitext: Bitext, notes: Notes) -> Multitext:
    """Return a bitext and its columns of texts in further languages as one multi-parallel text.

    Raises `InputError` when a text is known by positions or identifiers only, or is in no language.

    The bitext was read with `every_language`, so that a row of further languages alone has an empty
    source segment. `notes` takes the counts of texts that are left out: a second one in a language
    of a row.
    """
    src, tgt, a = bitext.src, bitext.tgt, bitext.alignment
    if src is None or tgt is None or not (src.has_text and tgt.has_text):
        raise InputError(f"{bitext.meta.get('path')}: lacks a text")
    if not (src.lang and tgt.lang):
        raise InputError(
            f"{bitext.meta.get('path')}: the languages of its texts are not known: want a file in "
            f"several languages that names them, as in its header ('en', 'de', 'fr'), or two files "
            f"or more that share a language"
        )
    columns = {name: column for name, column in a.attributes.items() if name.startswith(LANGUAGE)}
    texts, rows = [src, tgt], [a.src, a.tgt]
    if columns and not src.lengths().all():
        further = np.zeros(len(a), dtype=bool)
        for column in columns.values():
            further |= np.array([cell is not None for cell in column], dtype=bool)
        texts[0], rows[0] = _without_stand_ins(src, a, further)
    langs = {known_code(text.lang) for text in texts}
    for name, column in columns.items():
        code, _, number = name.removeprefix(LANGUAGE).partition("#")
        there = np.array([cell is not None for cell in column], dtype=bool)
        if number or code in langs:
            kind = "further texts in a language of a unit, left out"
            where = bitext.name or bitext.meta.get("path", "")
            notes.add(kind, f"{where}: {code}", int(there.sum()))
            continue
        langs.add(code)
        cells = [cell for cell in column if cell is not None]
        codes = a.attributes.get(f"{MARKS}{code}")
        marked = None
        if codes is not None:
            marked = [xml for cell, xml in zip(column, codes, strict=True) if cell is not None]
        texts.append(Text(cells, lang=code, name=src.name, marked=marked))
        rows.append(Rows(prefix(there.astype(np.int64)), np.arange(len(cells))))
    return Multitext(tuple(texts), tuple(rows), a.scores, bitext.name, bitext.continues)


def _without_stand_ins(text: Text, alignment: Alignment, further: Bools) -> tuple[Text, Rows]:
    """Return the source text and its rows without the segments of rows in further languages alone.

    These have an empty source segment, no target segment, and a text in a `further` language.
    """
    rows = alignment.src
    bare = further & (rows.lengths == 1) & (alignment.tgt.lengths == 0)
    bare[bare] = text.lengths()[rows.idx[rows.ptr[:-1][bare]]] == 0
    gone = np.zeros(len(text), dtype=bool)
    gone[rows.idx[rows.ptr[:-1][bare]]] = True
    new = np.cumsum(~gone) - 1
    left = new[rows.idx[~np.repeat(bare, rows.lengths)]]
    return text.select(np.flatnonzero(~gone)), Rows(
        prefix(np.where(bare, 0, rows.lengths)), left.astype(np.int64)
    )


# Writing.


class Multitexts:
    """Multi-parallel texts in the order in which they are written; those of many are on disk.

    A context manager, which removes its temporary file. Iteration, any number of times, yields the
    texts, each in all languages.

    Parameters
    ----------
    languages : sequence of str
        The first languages, in order; those of the texts follow.
    strict : bool
        Whether rows that lack a language are left out.

    Attributes
    ----------
    languages : list of str
        The languages so far.
    scored : bool
        Whether any text has scores.
    rows : int
        The number of rows.
    having : Counter
        The number of rows that have each language.

    """

    def __init__(self, languages: Sequence[str] = (), *, strict: bool = False) -> None:
        self.languages = list(languages)
        self.scored = False
        self.rows = 0
        self.having: Counter[str] = Counter()
        self._strict = strict
        self._documents = 0
        self._full: Counter[int] = Counter()  # the number of rows with so many languages
        self._shelf: Shelf[Multitext] = Shelf()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._shelf.__exit__()

    def add(self, multitext: Multitext) -> None:
        """Add a document, or the next part of one."""
        new = [lang for lang in multitext.languages if lang not in self.languages]
        self.languages += new
        self.scored |= multitext.scores is not None
        self.rows += len(multitext)
        self._documents += not multitext.continues
        present = multitext.present
        counts = present.sum(axis=0).tolist()
        self.having.update(dict(zip(multitext.languages, counts, strict=True)))
        self._full.update(present.sum(axis=1).tolist())
        self._shelf.put(multitext, sum(map(len, multitext.texts)))

    @property
    def whole(self) -> int:
        """The number of rows that have all languages."""
        return self._full[len(self.languages)]

    @property
    def several(self) -> bool:
        """Whether there are several documents."""
        return self._documents > 1

    def header(self) -> list[str]:
        r"""Return the names of the columns of a table: languages, `score` and `document`.

        Where a text is `\N`, or a code would not be read as one, as `id`, they are those of a table
        of bitext: `src:en tgt:de lang:fr`.
        """
        names = list(self.languages)
        doubtful = any(not language_of(name) or name in HARDLY_LANGUAGES for name in names)
        columns = (cells for part in parts_of(self) for cells in part.cells.values())
        if len(names) > 1 and (
            doubtful or any(null in cells for cells in columns for null in NULLS)
        ):
            sides = ("src", "tgt", *["lang"] * (len(names) - 2))
            names = [f"{side}:{code}" for side, code in zip(sides, names, strict=True)]
        return names + ["score"] * self.scored + ["document"] * self.several

    def __iter__(self) -> Iterator[Multitext]:
        languages = tuple(self.languages)
        for number in range(len(self._shelf)):
            multitext = self._shelf.get(number)
            if multitext.languages != languages:
                multitext = multitext.in_languages(languages)
            if self._strict:
                multitext = multitext.select(np.logical_and.reduce(multitext.present, axis=1))
            yield multitext


class Part(NamedTuple):
    """The rows of a document, or of a part of one, as columns."""

    # The text of each row in each language; `None` if a row lacks the language.
    cells: dict[str, list[str | None]]
    # The scores; `None` if no document has any, `nan` for rows without.
    scores: list[float] | None
    document: str | None  # the name of the document; `None` if there is only one

    def columns(self) -> dict[str, list[str]]:
        """Return all columns by their names in a header, with empty cells for missing values."""
        made = {lang: [cell or "" for cell in column] for lang, column in self.cells.items()}
        size = len(next(iter(made.values())))
        if self.scores is not None:
            made["score"] = spell_scores(np.array(self.scores))
        if self.document is not None:
            made["document"] = [self.document] * size
        return made


def parts_of(multitexts: Multitexts, *, breaks: bool = True) -> Iterator[Part]:
    """Yield the rows of each document; tabs and line ends become blanks without `breaks`."""
    number = 0
    for each in multitexts:
        number += not each.continues
        present = each.present
        cells: dict[str, list[str | None]] = {}
        for k, (text, rows) in enumerate(zip(each.texts, each.rows, strict=True)):
            joined: list[str] = joined_rows(text, rows, " ", breaks=breaks)
            if present[:, k].all():
                cells[text.lang] = [*joined]
                continue
            pairs = zip(joined, present[:, k].tolist(), strict=True)
            cells[text.lang] = [cell if there else None for cell, there in pairs]
        scores = None
        if multitexts.scored:
            none = np.full(len(each), np.nan)
            scores = (none if each.scores is None else each.scores).tolist()
        yield Part(cells, scores, (each.name or str(number)) if multitexts.several else None)


def deliver_multitexts(
    multitexts: Multitexts, path: str, known: Format, *, losses: Notes, notes: Notes
) -> None:
    """Write multi-parallel texts to a file, which appears only when complete.

    `path` is `-` for standard output. `losses` takes the counts of properties that the format
    cannot hold, and `notes` its remarks.

    Raises `InputError` when the file cannot be written, and `OptionError` when the format holds two
    languages only.
    """
    refuse_two_sided(known)
    for each in multitexts:
        _count(each, known, losses, notes)
    with write_together((path,), binary=known.binary) as outs:
        if known.write_multitexts is not None:
            known.write_multitexts(multitexts, *outs)


# Properties that a row of cells does not show, whatever it can for two languages.
_LOST = ("borders", "crossings", "gaps", "overlaps", "uncovered", "ids", "paragraphs", "times")
# Those that a row shows by its columns.
_SHOWN = ("languages", "documents", "document_names")


def _count(multitext: Multitext, known: Format, losses: Notes, notes: Notes) -> None:
    changed: dict[str, Any] = dict.fromkeys(_LOST, False) | dict.fromkeys(_SHOWN, True)
    # Inline codes are in rows of XML; a cell of a table, or a text of JSON, has no place for them.
    changed["markup"] = known.keeps.markup and bool(known.units)
    keeps = replace(known.keeps, **changed)
    for text, rows in zip(multitext.texts, multitext.rows, strict=True):
        some = take(rows, np.flatnonzero(rows.lengths))
        size = len(some.ptr) - 1
        none = Rows(np.zeros(size + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        side = Bitext(text, None, Alignment.from_arrays(some, none), name=multitext.name)
        own, remarks = Notes(), Notes()
        count_losses(side, replace(keeps, empty_sides=True), own)
        if known.remarks is not None:
            for _ in known.remarks([side], remarks):
                pass
        where = f"{multitext.name}: {text.lang}" if multitext.name else text.lang
        for collector, those in ((losses, own), (notes, remarks)):
            for note in those:
                collector.add(note.kind, where, note.count)


# Values of this process put aside in a temporary file, so that memory does not grow with them.


Value = TypeVar("Value")

_IN_MEMORY = 1 << 17  # weight of the values in memory, as their segments; set by hand


class Shelf(Generic[Value]):
    """Keeps values by their number: the first ones in memory, later ones in a temporary file.

    A context manager, which removes the file.

    Values go to the file once their weight in memory exceeds `most`.

    Examples
    --------
    >>> with Shelf(most=1) as shelf:
    ...     numbers = [shelf.put(each, 1) for each in ("a", "b", "c")]
    ...     [shelf.get(number) for number in numbers]
    ['a', 'b', 'c']

    """

    def __init__(self, most: int = _IN_MEMORY) -> None:
        self._left = most
        self._values: dict[int, Value] = {}
        self._places: dict[int, int] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Shelf[Value]:
        return self

    def __exit__(self, *_error: object) -> None:
        self._values.clear()
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        return len(self._values) + len(self._places)

    def put(self, value: Value, weight: int) -> int:
        """Keep a value; return its number.

        Raises `InputError` when there is no space for temporary files.
        """
        number = len(self)
        if self._left > 0 and not self._places:
            self._left -= weight
            self._values[number] = value
            return number
        with temporary_room():
            if self._file is None:
                self._file = TemporaryFile()  # noqa: SIM115 - closed by __exit__
            self._file.seek(0, 2)
            self._places[number] = self._file.tell()
            pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)
        return number

    def get(self, number: int) -> Value:
        """Return the value of a number."""
        if number in self._values:
            return self._values[number]
        if self._file is None:
            raise KeyError(number)
        with temporary_room():  # the buffer is written first
            self._file.seek(self._places[number])
        value: Value = pickle.load(self._file)  # noqa: S301 - from this process
        return value
