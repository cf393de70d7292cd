"""A group of links made into a bitext: texts found, order of the halves told, ids resolved."""

from __future__ import annotations

from itertools import product
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import FormatError, InputError
from bitext.formats.columns import score_of
from bitext.formats.io.source import Notes
from bitext.formats.line_files import known_scores
from bitext.formats.opus_documents.reading import FaultyDocumentError
from bitext.formats.xces.documents import Documents, expanded, natural_ranks, note_order, places
from bitext.kernels.rows import Rows, row_of, take
from bitext.model import Alignment, Bitext, Text
from bitext.model import word_links as notation
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.xces.group import Group, Half, WordLink

__all__ = ["Pairer", "pair_name", "renamed", "word_column"]


# Word links inside of XCES links, as positions of words.
#
#     <link xtargets="s1;s1">
#      <wordLink certainty="0.1" lexPair="a b;c" xtargets="w1.1+w1.2;w1.1"/>
#     </link>
#
# The ids are those of tokens (`w`) in the two documents. Each word of the one side of a word link
# corresponds to each of the other. A token stands at the place, among the words of its bisegment
# as blanks part them, where it begins. `certainty`, where it is a number, is the confidence;
# `lexPair` repeats the words, and is left out.


def renamed(columns: dict[str, list[str | None]]) -> dict[str, list[str | None]]:
    """Return columns with one called `words` that holds no word links called `words_`."""
    held = columns.get(notation.COLUMN)
    if held is None or all(map(_is_notation, held)):
        return columns
    return {f"{name}_" if name == notation.COLUMN else name: columns[name] for name in columns}


def _is_notation(value: str | None) -> bool:
    try:
        notation.parse(value or "")
    except InputError:
        return False
    return True


def word_column(
    group: Group,
    words: Mapping[int, Sequence[WordLink]],
    alignment: Alignment,
    texts: tuple[Text, Text],
    documents: Documents,
    *,
    own: tuple[bool, bool],
    turned: bool,
) -> Alignment:
    """Return the alignment with the word links as a column; note those that cannot be resolved."""
    tables = [
        documents.words(name) if known else None
        for name, known in zip(group.pair, own, strict=True)
    ]
    column: list[str | None] = [None] * len(alignment)
    for k, held in words.items():
        sides = alignment[k]
        begins = [_begins(side, text) for side, text in zip(sides, texts, strict=True)]
        links: list[notation.Link] = []
        for word in held:
            found = _resolved(word, tables, begins, turned=turned)
            if found is None:
                kind = "word links inside links, left out"
                group.notes.add(kind, f"{documents.path} line {word.line}")
            else:
                links += found
        if links:
            column[k] = notation.spell(notation.distinct(links))
    if not any(column):
        return alignment
    return Alignment.from_arrays(
        alignment.src,
        alignment.tgt,
        scores=alignment.scores,
        attributes={**alignment.attributes, notation.COLUMN: column},
    )


def _begins(side: Sequence[int], text: Text) -> dict[int, int]:
    """Return the number of words before each segment of a side."""
    begins, at = {}, 0
    for k in side:
        begins[k] = at
        at += len(notation.tokens(text[k].text or ""))
    return begins


def _resolved(
    word: WordLink,
    tables: Sequence[Mapping[str, tuple[int, int]] | None],
    begins: Sequence[Mapping[int, int]],
    *,
    turned: bool,
) -> list[notation.Link] | None:
    """Return a word link by positions; `None` where a word is not found in its bisegment."""
    halves = word.xtargets.split(";")
    if len(halves) != 2:
        return None
    sides = []
    for half, table, begin in zip(halves[:: -1 if turned else 1], tables, begins, strict=True):
        places = [(table or {}).get(name) for name in half.replace("+", " ").split()]
        found = [begin[at[0]] + at[1] for at in places if at is not None and at[0] in begin]
        if len(found) < len(places) or not found:
            return None
        sides.append(found)
    number = score_of(word.certainty)
    sure = number if number is not None and isfinite(number) else None
    return [notation.Link(src, tgt, confidence=sure) for src, tgt in product(*sides)]


_OUR_NAMES = {"fromDoc": "src_doc", "toDoc": "tgt_doc"}
_SIDES = ("source", "target")


class _Side(NamedTuple):
    """One side of the links: its text, its segments in the order written, and what is wrong."""

    text: Text
    rows: Rows
    wrong: dict[int, str]


class Pairer:
    """Makes bitexts of the groups of one file."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source = source
        self._options = options
        self._documents = Documents(source, options.roots, options.limits)
        self._turned = False  # whether the halves of the last group were

    def knows_none(self, group: Group) -> bool:
        """Tell whether no text of a group is known, so that nothing is lost by its parts."""
        options = self._options
        given = (options.src, options.tgt, options.over_src, options.over_tgt)
        return all(text is None for text in given) and not any(
            self._documents.has(name) for name in group.pair
        )

    def bitext(self, group: Group, *, name: str, alone: bool) -> Bitext | None:
        """Return the bitext of a group; `alone` when it is the only one of its file.

        `None` where bad units are collected and a document of the group cannot be read.

        Raises
        ------
        FormatError
            When an id is not in its text, with the line of the first link that names it, or a
            document cannot be read.

        """
        options = self._options
        over = (options.over_src, options.over_tgt) if alone else (None, None)
        texts: list[Text | None] = []
        for side, given in enumerate((options.src, options.tgt)):
            try:
                texts.append(self._text(group, side, over[side]) if given is None else given)
            except FormatError as error:
                if self._source.on_bad is None:
                    raise
                faults = error.faults if isinstance(error, FaultyDocumentError) else (error,)
                for fault in faults:
                    self._source.on_bad(fault)
        if len(texts) < 2:
            return None
        known = (texts[0], texts[1])
        halves = group.halves()
        if group.rooted:
            if not group.continues:
                self._turned = self._is_turned(group, halves, known)
            halves = halves[:: -1 if self._turned else 1]  # type: ignore[assignment]  # still two
        return self._made(group, halves, known, name)

    def _made(
        self,
        group: Group,
        halves: tuple[Half, Half],
        known: tuple[Text | None, Text | None],
        name: str,
    ) -> Bitext:
        turned = group.rooted and self._turned
        sides = [self._side(group, side, halves, known) for side in range(2)]
        rows = [side.rows for side in sides]
        lines, scores, columns = group.lines, group.scores, renamed(group.attribute_columns())
        kept = self._refused(sides, lines)
        if kept is not None:
            rows = [take(side, kept) for side in rows]
            lines, scores = lines[kept], scores[kept]
            columns = {key: [column[k] for k in kept.tolist()] for key, column in columns.items()}
        if turned and "type" in columns:
            columns["type"] = [_turned(value) for value in columns["type"]]
        alignment = Alignment.from_arrays(
            rows[0], rows[1], scores=known_scores(scores), attributes=columns
        )
        texts = sides[0].text, sides[1].text
        if group.words:
            words = group.words
            if kept is not None:
                words = {k: words[old] for k, old in enumerate(kept.tolist()) if old in words}
            alignment = word_column(
                group, words, alignment, texts, self._documents, own=self._own(), turned=turned
            )
        self._note_order(group.notes, lines, texts, rows)
        return Bitext(
            *texts,
            alignment,
            name=name,
            meta={_OUR_NAMES.get(key, key): value for key, value in group.attributes.items()},
            notes=group.notes.all(),
            continues=group.continues,
            lines=lines if self._options.lines else None,
        )

    def _own(self) -> tuple[bool, bool]:
        """Tell of both texts whether they are those that the file names, not ones given."""
        return self._options.src is None, self._options.tgt is None

    def _text(self, group: Group, side: int, over: Text | None) -> Text | None:
        """Return the document of a side, or the text of the other alignment."""
        notes = Notes()
        text = self._documents.find(group.pair[side], notes)
        if text is None and over is not None and (over.has_text or not over.has_ids):
            return over
        if not group.continues:
            group.notes.extend(notes)
        return text

    def _is_turned(
        self, group: Group, halves: tuple[Half, Half], known: tuple[Text | None, Text | None]
    ) -> bool:
        """Tell whether the left half points into toDoc, as InterText has it, and note why."""
        left, right = halves
        here = _lacking(left, known[0]) + _lacking(right, known[1])
        there = _lacking(left, known[1]) + _lacking(right, known[0])
        turned = there < here
        reason = f"by the ids, of which otherwise {max(here, there)} are not in the documents"
        if here == there:
            turned = "type" in group.columns or "status" in group.columns
            reason = "as the root linkGrp and its links with type or status are InterText's"
            if not turned:
                reason = "as the links have neither type nor status"
        document = group.attributes.get("toDoc" if turned else "fromDoc", "")
        group.notes.add(
            "alignments with linkGrp as root, the order of the sides told by their contents",
            f"{self._source.path}: the first ids are of {'toDoc' if turned else 'fromDoc'} "
            f"({document!r}), {reason}",
        )
        return turned

    def _side(
        self,
        group: Group,
        side: int,
        halves: tuple[Half, Half],
        known: tuple[Text | None, Text | None],
    ) -> _Side:
        """Return the text of a side and the segments of its bisegments, in the order written."""
        text = known[side]
        ids, rows = halves[side]
        wrong: dict[int, str] = {}
        if group.ranged:
            (ids, rows), wrong = expanded(halves[side], text, group.pair[side])
        if text is None:
            return _Side(Text.of_ids(ids, name=group.pair[side]), rows, wrong)
        place = places(ids, text)
        members = place[rows.idx]
        missing = np.flatnonzero(members < 0)
        if missing.size:
            swapped = not (_lacking(halves[0], known[1]) or _lacking(halves[1], known[0]))
            link = row_of(rows)[missing]
            for k, member in zip(link.tolist(), rows.idx[missing].tolist(), strict=True):
                if k not in wrong:
                    wrong[k] = _missing(_SIDES[side], ids[member], text, swapped=swapped)
        return _Side(text, Rows(rows.ptr, members), wrong)

    def _refused(
        self, sides: Sequence[_Side], lines: NDArray[np.int64]
    ) -> NDArray[np.int64] | None:
        """Refuse links that name what is not there; return the others, `None` for all."""
        wrong = {**sides[1].wrong, **sides[0].wrong}
        if not wrong:
            return None
        for k in sorted(wrong):
            self._source.refuse(wrong[k], int(lines[k]))
        return np.delete(np.arange(len(lines)), list(wrong))

    def _note_order(
        self,
        notes: Notes,
        lines: NDArray[np.int64],
        texts: tuple[Text, Text],
        sides: Sequence[Rows],
    ) -> None:
        ranked = []
        for text, rows in zip(texts, sides, strict=True):
            ranks = None
            if not text.has_text and (rows.lengths > 1).any():
                ranks = natural_ranks(text.ids)
            ranked.append(rows if ranks is None else Rows(rows.ptr, ranks[rows.idx]))
        note_order(notes, self._source.path, lines, ranked)


def _missing(side: str, name: str, text: Text, *, swapped: bool) -> str:
    """Say that a link names a segment that its text has not."""
    where = text.name or f"the {side} text"
    option = remedy("src" if side == "source" else "tgt")
    if text.has_ids:
        ids = text.ids
        has = f"{len(ids)} ids, {ids[0]!r} to {ids[-1]!r}" if ids else "no ids"
        advice = f"give the document that was aligned ({option})"
    else:
        has = f"{len(text)} lines and no ids; ids as s1 can stand for lines if all are like it"
        advice = f"give the document with these ids ({option})"
    if swapped:
        advice = (
            f"with the two sides exchanged all ids are there: are they swapped ({remedy('swap')})?"
        )
    return f"xtargets names the {side} segment {name!r}, but {where} has {has}; {advice}"


def _lacking(half: Half, text: Text | None) -> int:
    """Count the ids that are not in the text; none are when there is no text."""
    return 0 if text is None else int((places(half.ids, text) < 0).sum())


def _turned(kind: str | None) -> str | None:
    """Exchange the sides of a bead type: `2-1` becomes `1-2`."""
    first, hyphen, second = (kind or "").partition("-")
    return f"{second}-{first}" if hyphen else kind


def pair_name(src: str, tgt: str) -> str:
    """Return a name for a pair of documents: what they share once, where they differ in braces.

    >>> pair_name("en/2001/a.xml.gz", "fr/2001/a.xml.gz")
    '{en,fr}/2001/a'
    """
    a = src.removesuffix(".gz").removesuffix(".xml").split("/")
    b = tgt.removesuffix(".gz").removesuffix(".xml").split("/")
    if a == b:
        return "/".join(a)
    most = min(len(a), len(b))
    head = next((k for k in range(most) if a[k] != b[k]), most)
    tail = next((k for k in range(most - head) if a[-1 - k] != b[-1 - k]), most - head)
    middle = f"{{{'/'.join(a[head : len(a) - tail])},{'/'.join(b[head : len(b) - tail])}}}"
    return "/".join([*a[:head], middle, *a[len(a) - tail :]])
