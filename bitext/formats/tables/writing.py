"""Writing tables: their columns, of bitexts and of multi-parallel texts.

The header is `src tgt`, with the languages where they are known (`src:en tgt:de`). Further columns
are `score`, `bead`, `document`, and one for each attribute.

A cell has the segments of a side, separated by line ends. `bead` has their numbers, `2-1`, and
where segments have line ends of their own the lines of each, `2+1-1`; the column is written where
a table has bisegments with several segments a side, or segments without characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple, cast

from bitext.errors import InputError
from bitext.formats.beads import MOST_COLUMNS, DocumentNames, joined_sides, known_texts
from bitext.formats.header_names import head_of
from bitext.formats.languages import known, languages_of, refuse_others
from bitext.formats.multitexts import Multitexts, parts_of
from bitext.formats.registry import Capabilities, WriteOptions
from bitext.formats.scores import spell_scores
from bitext.formats.writing import own_name
from bitext.kernels.arrays import Rows
from bitext.model import Bitext, Text
from bitext.paths import temporary_room

# The properties of a bitext that tables with quoted cells preserve.
KEEPS = Capabilities.of(
    "texts borders empty_sides empty_segments scores attributes documents languages "
    "other_languages words breaks controls times",
    empty_documents=False,
    names=frozenset({"name"}),
    empty_values=False,
)

_SPOOL = 1 << 24  # characters in memory before the temporary file goes to disk
_SCORE, _BEADS, _NAME = "\0score", "\0bead", "\0document"  # keys of columns beside attributes


class Written(NamedTuple):
    """A table that is to be written."""

    header: list[str]  # the names of the columns
    langs: tuple[str, ...]  # the languages of the columns of texts, which come first
    scores: int | None  # the column of the scores, from 0
    rows: Iterator[Sequence[str]]  # the cells of each row


class _Columns:
    """Collects the columns of bitexts, in memory for one bitext, else in a temporary file."""

    def __init__(self, name: str, options: WriteOptions, spool: IO[str]) -> None:
        self._name, self._options, self._spool = name, options, spool
        self.attributes: dict[str, None] = {}
        self.langs = ("", "")
        self.scored = self.beaded = self.named = False
        self._documents = DocumentNames()
        self._first: dict[str, list[str]] | None = None

    def add(self, bitext: Bitext) -> None:
        """Add the rows of a bitext."""
        a = bitext.alignment
        src, tgt = joined_sides(bitext, self._name, joint="\n", breaks=True)
        requested = self._options.languages
        # A text of no language, here or before, contradicts nothing.
        own = zip(requested, map(known, languages_of(bitext)), self.langs, strict=True)
        langs = cast("tuple[str, str]", tuple(one or other or before for one, other, before in own))
        wanted = (self.langs[0] or langs[0], self.langs[1] or langs[1])
        refuse_others(bitext, langs, wanted, f"{self._name} ... rows")
        self.langs = wanted
        document = self._documents.of(bitext)
        if not bitext.continues:
            names = (bitext.meta.get("src_doc"), bitext.meta.get("tgt_doc"), own_name(bitext))
            is_named = bool(bitext.name) and bitext.name in names
            self.named = self.named or self._documents.number > 1 or is_named
        types, needed = _bead_of((a.src, a.tgt), known_texts(bitext, self._name))
        self.beaded = self.beaded or needed
        columns = {"src": src, "tgt": tgt, _BEADS: types, _NAME: [document] * len(a)}
        if a.scores is not None:
            self.scored = True
            columns[_SCORE] = spell_scores(a.scores)
        for name, values in a.attributes.items():
            self.attributes[name] = None
            columns[f"={name}"] = [value or "" for value in values]
        if len(self.attributes) > MOST_COLUMNS:
            raise InputError(
                f"{self._name} has a column in every row for each attribute, and here are more "
                f"than {MOST_COLUMNS:,}; choose a format that writes those there are, as jsonl"
            )
        if self._documents.number == 1 and not bitext.continues:
            self._first = columns
            return
        with temporary_room():
            if self._first is not None:
                self._spool.write(json.dumps(self._first) + "\n")
                self._first = None
            self._spool.write(json.dumps(columns) + "\n")

    def rows(self, keys: list[str]) -> Iterator[Sequence[str]]:
        """Yield the rows, with the columns in the order of `keys`."""
        if self._first is not None:
            yield from _rows_of(self._first, keys)
            return
        with temporary_room():
            self._spool.seek(0)
        for line in self._spool:
            yield from _rows_of(json.loads(line), keys)


def _rows_of(columns: dict[str, list[str]], keys: list[str]) -> Iterator[Sequence[str]]:
    void = [""] * len(columns["src"])
    return zip(*(columns.get(key, void) for key in keys), strict=True)


def _bead_of(rows: tuple[Rows, Rows], texts: tuple[Text, Text]) -> tuple[list[str], bool]:
    """Return the bead of each row, and whether the cells alone would be read otherwise."""
    sides: list[list[str]] = []
    needed = False
    for row, text in zip(rows, texts, strict=True):
        lengths = row.lengths
        spelled = list(map(str, lengths.tolist()))
        needed = needed or bool((lengths > 1).any())
        segments = list(text.segments())
        if not all(segments):
            bare = {k for k, segment in enumerate(segments) if not segment}
            needed = needed or not bare.isdisjoint(row.idx.tolist())
        if any("\n" in segment for segment in segments):
            members, borders = row.idx.tolist(), row.ptr.tolist()
            for k in (lengths > 1).nonzero()[0].tolist():
                lines = [segments[m].count("\n") + 1 for m in members[borders[k] : borders[k + 1]]]
                if max(lines) > 1:
                    spelled[k] = "+".join(map(str, lines))
        sides.append(spelled)
    return [f"{src}-{tgt}" for src, tgt in zip(*sides, strict=True)], needed


@contextmanager
def written_table(bitexts: Iterable[Bitext], options: WriteOptions, name: str) -> Iterator[Written]:
    """Make the table of bitexts; `name` is the format, for errors.

    Raises `InputError` when document pairs have different languages, a text is known by identifiers
    only, or there are too many attributes.
    """
    with SpooledTemporaryFile(_SPOOL, "w+", encoding="utf-8", newline="\n") as spool:
        columns = _Columns(name, options, spool)
        for bitext in bitexts:
            columns.add(bitext)
        yield _table(columns)


def _table(columns: _Columns) -> Written:
    """Return the table of the collected columns, each with a name of its own in the header."""
    langs = columns.langs
    header = [f"{side}:{lang}" if lang else side for side, lang in zip(("src", "tgt"), langs)]  # noqa: B905
    keys = ["src", "tgt"]
    # Without a column of scores an attribute of another name for scores would be read as one.
    likely = any(head_of(name).role == "score" for name in columns.attributes)
    for wanted, key in (
        (columns.scored or likely, _SCORE),
        (columns.beaded, _BEADS),
        (columns.named, _NAME),
    ):
        if wanted:
            keys.append(key)
            header.append(key[1:])
    taken = {*header, "src", "tgt", "score", "bead", "document"}
    for attribute in columns.attributes:
        shown = attribute.strip() or "_"
        while shown.lower() in taken or shown in taken:
            shown += "_"
        taken.add(shown)
        keys.append(f"={attribute}")
        header.append(shown)
    return Written(header, langs, 2 if _SCORE in keys else None, columns.rows(keys))


def multitext_table(multitexts: Multitexts) -> Written:
    """Make the table of multi-parallel texts: a column for each language."""
    header = multitexts.header()
    rows = (
        row for part in parts_of(multitexts) for row in zip(*part.columns().values(), strict=True)
    )
    scores = header.index("score") if "score" in header else None
    return Written(header, tuple(multitexts.languages), scores, rows)
