"""Word links: Pharaoh, NAACL and GIZA.

Pharaoh and NAACL hold links without text, line by line: sentence pair k is a 1-1 bisegment of
segment k of both texts that the user names, with its links in the column `words`. This module
collects such pairs, and prepares the links of bitexts for writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.beads import ChunkPositions, joined_rows, name_of, with_columns
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.kernels.arrays import Ints, Rows
from bitext.model import Alignment, Bitext, Note, Text, WordLinks
from bitext.model.word_links import (
    COLUMN,
    NULL,
    NULLS,
    Link,
    LinkColumn,
    LinkRows,
    beyond,
    distinct,
    parse,
    spell,
    spell_nulls,
    tokens,
)

_NULLS = f"words linked to no word (position 0), in the column {NULLS}"
OF_LINKS = frozenset(("giza", "naacl", "pharaoh"))  # formats made for word links


def holds_links(bitext: Bitext) -> bool:
    """Recognise word links in the column `words` of a bitext by its first value."""
    column = bitext.alignment.attributes.get(COLUMN, ())
    value = next((value for value in column if value is not None), None)
    if value is None:
        return False
    try:
        parse(value)
    except InputError:
        return False
    return True


def from_1(bitext: Bitext) -> Bitext:
    """Convert the word links of a bitext from counting from 1 to counting from 0.

    Links to position 0, which is no word, are left out and noted.
    """
    links = bitext.alignment.word_links()
    if links is None:
        return bitext
    column = bitext.alignment.attributes[COLUMN]
    moved = links.shifted(-1, -1)
    values = [
        None if value is None else new for value, new in zip(column, moved.spell(), strict=True)
    ]
    notes = bitext.notes
    if count := links.src.size - moved.src.size:
        where = bitext.meta.get("path") or bitext.name
        notes = (*notes, Note("words linked to no word (position 0), left out", count, where))
    shifted = with_columns(bitext, {**bitext.alignment.attributes, COLUMN: values})
    return replace(shifted, notes=notes)


def from_base(bitext: Bitext, base: int | None, *, is_noted: bool) -> Bitext:
    """Return a bitext with word links from 0, whatever the base that the user gave.

    Without a base they are taken as counting from 0, which `is_noted` if they seem to count from 1:
    none is 0, and one lies just beyond the words of its side.
    """
    if base:
        return from_1(bitext)
    if base is not None or not is_noted or not holds_links(bitext):
        return bitext
    a = bitext.alignment
    try:
        links = a.word_links()
    except InputError:  # further values of the column are no links
        return bitext
    if links is None or not links.src.size or not (links.src.all() and links.tgt.all()):
        return bitext
    for text, rows, positions in ((bitext.src, a.src, links.src), (bitext.tgt, a.tgt, links.tgt)):
        if text is None or not text.has_text:
            return bitext
        sizes = np.array([len(tokens(side)) for side in joined_rows(text, rows, " ", breaks=True)])
        if (positions == sizes[links.pair]).any():
            way = remedy("base 1", python="base=1")
            kind = f"word links without a 0, one just beyond the words, read from 0 (from 1: {way})"
            return replace(bitext, notes=(*bitext.notes, Note(kind, 1, bitext.meta["path"])))
    return bitext


class SentencePairs:
    """Collects the word links of sentence pairs, in order, into bitexts.

    The texts are by default those in the options. `number` is the number of pairs added so far,
    which is the index of the next pair.

    Raises `FormatError` when the two texts differ in their numbers of segments.
    """

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        texts: tuple[Text | None, Text | None] | None = None,
    ) -> None:
        self._source, self._options = source, options
        self.texts = named_texts(options) if texts is None else texts
        src, tgt = self.texts
        if src is not None and tgt is not None and len(src) != len(tgt):
            raise source.error(
                f"goes with {_named(src, 'source')}, which has {len(src)} segments, and with "
                f"{_named(tgt, 'target')}, which has {len(tgt)}; want as many, since each pair of "
                f"sentences has its word links: {_give_texts()}"
            )
        self.number = self._begin = 0
        self._made = 0
        self._values: list[str] = []
        self._lines: list[int] = []
        self._scores: dict[int, float] = {}
        self._nulls: dict[int, str] = {}
        self._linked = LinkRows()  # the parsed links of the first values
        self._skipped: list[int] = []

    def size(self) -> int | None:
        """Return the number of sentence pairs in the texts; `None` if no text is given."""
        return next((len(text) for text in self.texts if text is not None), None)

    @property
    def known(self) -> tuple[bool, bool]:
        """Whether the words of each side are known."""
        src, tgt = (text is not None and text.has_text for text in self.texts)
        return src, tgt

    def words(self, count: int = 1, begin: int | None = None) -> tuple[Ints | None, Ints | None]:
        """Return the numbers of words of the next pairs, by side; `None` for an unknown text."""
        begin = self.number if begin is None else begin
        src, tgt = (
            None
            if text is None or not text.has_text
            else np.fromiter(
                (len(tokens(each.text or "")) for each in text[begin : begin + count]),
                dtype=np.int64,
            )
            for text in self.texts
        )
        return src, tgt

    def room(self, place: int, line: int) -> None:
        """Check that the texts have a pair with the index `place`, which a line of the file names.

        Raises `FormatError` when the texts are shorter.
        """
        size = self.size()
        if size is not None and place >= size:
            raise self._source.error(
                f"has word links of sentence pair {place + 1}, but {self._first_name()} has {size} "
                f"segments; {_give_texts()}",
                line,
            )

    def add(
        self, links: Sequence[Link], line: int, *, advice: str = "", score: float | None = None
    ) -> None:
        """Add a pair by its links; note repeated links, refuse links beyond its words.

        A refused pair is left out; later pairs keep their indices.
        """
        unique = distinct(links)
        if len(unique) < len(links):
            self._source.note(
                "word links that occur twice in a sentence pair, taken once",
                line=line,
                count=len(links) - len(unique),
            )
        sizes = tuple(None if side is None else int(side[0]) for side in self.words())
        wrong = beyond(unique, *sizes)
        if wrong is None:
            if score is not None:
                self._scores[len(self._values)] = score
            nulls = [link for link in unique if NULL in link[:2]]
            if nulls:
                self._nulls[len(self._values)] = spell_nulls(nulls)
                unique = [link for link in unique if NULL not in link[:2]]
                self._source.note(_NULLS, line=line, count=len(nulls))
            self._values.append(spell(unique))
            self._lines.append(line)
        else:
            self._skipped.append(self.number)
            on_src = sizes[0] is not None and wrong.src >= sizes[0]
            side, at, size = ("source", wrong.src, sizes[0]) if on_src else (
                "target", wrong.tgt, sizes[1]
            )  # fmt: skip
            text = self.texts[0 if on_src else 1]
            self._source.refuse(
                f"links word {at} (from 0) of {side} sentence {self.number + 1}, which has {size} "
                f"words in {text.name if text is not None and text.name else f'the {side} text'}; "
                f"{advice or 'give the text that was aligned, with the same words'}",
                line,
            )
        self.number += 1

    def extend(
        self, values: Sequence[str], lines: Iterable[int], links: WordLinks | None = None
    ) -> None:
        """Add many pairs by their links, which are valid and spelled as in the column `words`."""
        if links is not None:
            self._link(len(self._values))
            self._linked.extend(links)
        self._values.extend(values)
        if self._options.lines:
            self._lines.extend(lines)
        self.number += len(values)

    def skip(self) -> None:
        """Leave out an unreadable pair; later pairs keep their indices."""
        self._skipped.append(self.number)
        self.number += 1

    def _first_name(self) -> str:
        return next(text.name for text in self.texts if text is not None) or "the text"

    def parts(self) -> Iterator[Bitext]:
        """Yield a part, where the options allow parts and enough pairs are collected."""
        options = self._options
        if options.parts and self.number - self._begin >= options.part_size:
            yield self._bitext()

    def rest(self) -> Iterator[Bitext]:
        """Yield the remaining pairs.

        Raises `FormatError` when the texts have more segments than the file has pairs.
        """
        size = self.size()
        if size is not None and self.number < size:
            raise self._source.error(
                f"has {self.number} sentence pairs, but {self._first_name()} has {size} "
                f"segments; want as many: {_give_texts()}",
                max(1, self.number),
            )
        if self.number > self._begin or not self._made:
            yield self._bitext()

    def _column(self) -> Sequence[str]:
        """Return the values of `words`, with their parsed links if most of these are known."""
        known = len(self._linked)
        if 2 * known < len(self._values) or not known:
            return self._values
        self._link(len(self._values))
        return LinkColumn(self._values, self._linked.joined())

    def _link(self, end: int) -> None:
        """Parse the links of values before `end` that were added unparsed."""
        if (begin := len(self._linked)) < end:
            self._linked.extend(WordLinks.parse(self._values[begin:end]))

    def _bitext(self) -> Bitext:
        begin, end = self._begin, self.number
        places = np.delete(np.arange(end - begin), np.array(self._skipped, dtype=np.int64) - begin)
        rows = np.arange(places.size + 1), places
        columns: dict[str, Sequence[str | None]] = {COLUMN: self._column()}
        if self._nulls:
            columns[NULLS] = [self._nulls.get(k) for k in range(len(self._values))]
        whole = begin == 0 and not self._options.parts
        src, tgt = (
            text if text is None or whole else text.select(np.arange(begin, end))
            for text in self.texts
        )
        lines = np.array(self._lines, dtype=np.int64) if self._options.lines else None
        made, self._made = self._made, self._made + 1
        scores = None
        if self._scores:
            scores = np.full(len(columns[COLUMN]), np.nan)
            scores[list(self._scores)] = list(self._scores.values())
        self._begin, self._values, self._lines, self._skipped = end, [], [], []
        self._scores, self._nulls, self._linked = {}, {}, LinkRows()
        return Bitext(
            src,
            tgt,
            Alignment.from_arrays(rows, rows, scores=scores, attributes=columns),
            name=self._options.name,
            notes=self._source.notes.drain(),
            continues=made > 0,
            lines=lines,
        )


def named_texts(options: ReadOptions) -> tuple[Text | None, Text | None]:
    """Return the texts that the user named, else those that positions refer to."""
    if options.over_pairs is not None and None in (options.src, options.tgt):
        src, tgt = texts_of_pairs(options.over_pairs)
        options = replace(options, over_src=src, over_tgt=tgt)
    return options.texts


def texts_of_pairs(bitext: Bitext) -> tuple[Text | None, Text | None]:
    """Return both sides of each bisegment as a segment, whose words its links count."""
    each = np.arange(len(bitext.alignment))

    def joined(text: Text | None, rows: Rows) -> Text | None:
        if text is None or not text.has_text:
            return None
        if len(text) == each.size and (rows.lengths == 1).all() and np.array_equal(rows.idx, each):
            return text
        return Text(joined_rows(text, rows, " ", breaks=False), name=text.name, lang=text.lang)

    alignment = bitext.alignment
    return joined(bitext.src, alignment.src), joined(bitext.tgt, alignment.tgt)


def _give_texts() -> str:
    """Word the advice to give the texts that were aligned."""
    return f"give the texts that were aligned ({remedy('src', 'tgt')})"


def _named(text: Text, side: str) -> str:
    return text.name or f"a {side} text"


def linked_values(bitexts: Iterable[Bitext], name: str) -> Iterator[tuple[Bitext, int, list[str]]]:
    """Yield each bitext, the number of its first bisegment, and the links of all, for writing.

    Missing links are empty.

    Raises `InputError` when a value is not a list of links; at the end, when no bisegment had any
    value.
    """
    bare, has_links, places = "", False, ChunkPositions()
    for bitext in bitexts:
        size = len(bitext.alignment)
        column = bitext.alignment.attributes.get(COLUMN) or [None] * size
        if size and not has_links:
            has_links = any(value is not None for value in column)
            bare = bare or name_of(bitext)
        yield bitext, places.of(bitext).beads, [value or "" for value in column]
    if bare and not has_links:
        raise InputError(
            f"{bare} has no word links, which {name} is made of; align its words first, or choose "
            f"another format"
        )


def links_of(value: str, k: int) -> list[Link]:
    """Parse the links of bisegment `k` for writing.

    Raises `InputError` when the value is not a list of links.
    """
    try:
        return parse(value)
    except InputError as error:
        raise InputError(f"bisegment {k}, column {COLUMN}: {error}") from None
