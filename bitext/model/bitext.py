"""Bitexts, two texts and an alignment between them, and multi-parallel texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bitext.errors import AlignmentError, InputError, many
from bitext.kernels.arrays import (
    Bools,
    Floats,
    Ints,
    Rows,
    components,
    concatenate,
    distinct,
    prefix,
    row_of,
    side_by_side,
    take,
    union_by,
)
from bitext.model.alignment import Alignment, products
from bitext.model.counts import Note, noted
from bitext.model.text import Text
from bitext.model.word_links import tokens
from bitext.notebooks import InNotebooks


@dataclass(frozen=True, slots=True, eq=False)
class Bitext(InNotebooks):
    """Two texts and an alignment between them, with metadata.

    Attributes
    ----------
    src, tgt : Text or None
        The two texts; `None` if only the positions of the segments are known.
    alignment : Alignment
        Its indices point to the segments of the two texts.
    name : str
        The name of the text in its corpus.
    meta : mapping of str to str
        Further data of the file: documents, languages, version, ...
    notes : tuple of Note
        The notes of its reader on unusual input.
    continues : bool
        Whether this bitext continues the document pair of the one before: a reader may yield a long
        pair in parts, each with its own segments, counted from 0.
    lines : array of int or None
        The line of the file on which each bisegment begins; None if lines were not requested.

    Two bitexts are equal when their texts and alignments are equal; names, metadata and notes do
    not count.

    Raises
    ------
    AlignmentError
        When a bisegment has an index beyond its text; the message names the bisegment.
    InputError
        When a text is no `Text`, or the alignment no `Alignment`.

    Examples
    --------
    >>> from bitext import Alignment, Text
    >>> bt = Bitext(Text(["Yes."]), Text(["Oui."]), Alignment([((0,), (0,))]))
    >>> bt.pairs()
    [(['Yes.'], ['Oui.'])]

    """

    src: Text | None
    tgt: Text | None
    alignment: Alignment
    name: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    continues: bool = False
    lines: Ints | None = None

    def __post_init__(self) -> None:
        a = self.alignment
        if not isinstance(a, Alignment):
            raise InputError(f"the alignment is {a!r:.60}: want an Alignment, as Alignment([...])")
        for side, text, rows, size in (
            ("source", self.src, a.src, a.src_size),
            ("target", self.tgt, a.tgt, a.tgt_size),
        ):
            if text is not None and not isinstance(text, Text):
                raise InputError(
                    f"the {side} text is {text!r:.60}: want a Text, as Text([...]), or None"
                )
            if text is not None and size > len(text):
                k = int(row_of(rows)[np.flatnonzero(rows.idx >= len(text))[0]])
                raise AlignmentError(
                    f"bisegment {k} has the {side} index {rows.row(k).max()}, but the {side} text"
                    f"{f' {text.name}' if text.name else ''} has {many(len(text), 'segment')}: "
                    f"want indices below that"
                )

    def swapped(self) -> Bitext:
        """Return the same bitext with source and target exchanged."""
        return replace(self, src=self.tgt, tgt=self.src, alignment=self.alignment.swapped())

    def words(self) -> tuple[list[list[str]] | None, list[list[str]] | None]:
        """Return the words of both sides of each bisegment, as word links count them.

        A side without characters is `None`.
        """
        src, tgt = (
            _words(text, rows)
            for text, rows in ((self.src, self.alignment.src), (self.tgt, self.alignment.tgt))
        )
        return src, tgt

    def pairs(self) -> list[tuple[list[str], list[str]]]:
        """Return the characters of the segments of each bisegment, in order of the alignment.

        Raises
        ------
        InputError
            When a text is missing or has identifiers only.

        """
        if self.src is None or self.tgt is None or not (self.src.has_text and self.tgt.has_text):
            raise InputError(
                f"{self.name or 'the bitext'} lacks the characters of a text: give those of both"
            )
        src, tgt = list(self.src.segments()), list(self.tgt.segments())
        return [([src[s] for s in bead.src], [tgt[t] for t in bead.tgt]) for bead in self.alignment]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bitext):
            return NotImplemented
        own_parts = (self.src, self.tgt, self.alignment)
        other_parts = (other.src, other.tgt, other.alignment)
        return own_parts == other_parts

    def __hash__(self) -> int:
        return hash(self.alignment)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<Bitext{name}: {self.src!r}, {self.tgt!r}, {self.alignment!r}{noted(self.notes)}>"


def _words(text: Text | None, rows: Rows) -> list[list[str]] | None:
    if text is None or not text.has_text:
        return None
    segments = list(text.segments())
    members, bounds = rows.idx.tolist(), rows.ptr.tolist()
    return [
        tokens(" ".join([segments[m] for m in members[begin:end]]))
        for begin, end in pairwise(bounds)
    ]


# Multi-parallel texts: texts in several languages, and rows of segments that correspond.


@dataclass(frozen=True, slots=True, eq=False)
class Multitext:
    """Texts in several languages, with rows of the segments that are translations of each other.

    Attributes
    ----------
    texts : tuple of Text
        One a language, with their language codes.
    rows : tuple of Rows
        For each text, the segments that belong to each row; a row may lack segments of a text.
    scores : array of float64 or None
        The score of each row.
    name : str
        The name of the document.
    continues : bool
        Whether this is a further part of the document before, which is read in parts.

    Raises
    ------
    InputError
        When there are fewer than two texts, a text is in no language or in that of another one, or
        the rows do not fit the texts.

    Examples
    --------
    >>> from bitext import Text
    >>> texts = Text(["Ja."], lang="de"), Text(["Yes."], lang="en"), Text(["Oui."], lang="fr")
    >>> rows = Rows(np.array([0, 1]), np.array([0]))
    >>> Multitext(texts, (rows, rows, rows)).pair("fr", "de").pairs()
    [(['Oui.'], ['Ja.'])]

    """

    texts: tuple[Text, ...]
    rows: tuple[Rows, ...]
    scores: Floats | None = None
    name: str = ""
    continues: bool = False

    def __post_init__(self) -> None:
        langs = self.languages
        if len(langs) < 2 or len(set(langs)) < len(langs) or not all(langs):
            raise InputError(f"the languages are {langs!r:.80}: want two or more, all different")
        sizes = {len(rows.ptr) for rows in self.rows}
        if len(self.rows) != len(langs) or len(sizes) > 1:
            raise InputError("the rows do not fit: want as many of each text")
        for text, rows in zip(self.texts, self.rows, strict=True):
            if rows.idx.max(initial=-1) >= len(text):
                raise InputError(
                    f"a row has the segment {rows.idx.max()} of the {text.lang} text, which has "
                    f"{len(text)}: want indices below that"
                )

    def __len__(self) -> int:
        return len(self.rows[0].ptr) - 1

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages, in order."""
        return tuple(text.lang for text in self.texts)

    @property
    def present(self) -> Bools:
        """Whether each row has segments of each text, shape (rows, texts)."""
        return np.stack([rows.lengths > 0 for rows in self.rows], axis=1)

    def select(self, chosen: ArrayLike) -> Multitext:
        """Return the rows where a mask is true, with all segments of the texts.

        Raises
        ------
        InputError
            When it is no mask of one boolean for each row, as for indices.

        """
        mask = np.asarray(chosen)
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise InputError(
                f"the choice is {chosen!r:.60} for {len(self)} rows: want a mask of one boolean "
                f"each"
            )
        indices = np.flatnonzero(mask)
        rows = tuple(take(each, indices) for each in self.rows)
        return replace(
            self, rows=rows, scores=None if self.scores is None else self.scores[indices]
        )

    def in_languages(self, languages: Sequence[str]) -> Multitext:
        """Return the texts in the order of some languages; those that are missing have no segment.

        Raises
        ------
        InputError
            When there is a text in none of the languages.

        """
        text_of_lang = dict(
            zip(self.languages, zip(self.texts, self.rows, strict=True), strict=True)
        )
        for lang in text_of_lang.keys() - set(languages):
            raise InputError(f"a text is in {lang!r}: want one of {', '.join(languages)}")
        empty_rows = Rows(np.zeros(len(self) + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        texts, rows = zip(
            *(text_of_lang.get(lang) or (Text([], lang=lang), empty_rows) for lang in languages),
            strict=True,
        )
        return replace(self, texts=tuple(texts), rows=tuple(rows))

    def chosen(self, codes: Mapping[str, int | None]) -> Multitext:
        """Return some texts under other codes; rows without any of these are left out.

        Parameters
        ----------
        codes : mapping of str to (int or None)
            The index of each text by its code, in the order wanted; `None` for a text without
            segments.

        """
        if list(codes.items()) == [(lang, k) for k, lang in enumerate(self.languages)]:
            return self
        empty_rows = Rows(np.zeros(len(self) + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        texts = tuple(
            Text([], lang=code) if k is None else self.texts[k].in_language(code)
            for code, k in codes.items()
        )
        rows = tuple(empty_rows if k is None else self.rows[k] for k in codes.values())
        multitext = replace(self, texts=texts, rows=rows)
        is_present = np.logical_or.reduce(multitext.present, axis=1)
        return multitext if is_present.all() else multitext.select(is_present)

    def pair(self, src: str, tgt: str) -> Bitext:
        """Return the bitext of two of the languages: the rows that have one of these.

        Raises
        ------
        InputError
            When there is no text in a language.

        """
        langs = self.languages
        for lang in (src, tgt):
            if lang not in langs:
                raise InputError(f"no text is in {lang!r}: want one of {', '.join(langs)}")
        a, b = langs.index(src), langs.index(tgt)
        paired = self.select((self.rows[a].lengths > 0) | (self.rows[b].lengths > 0))
        alignment = Alignment.from_arrays(paired.rows[a], paired.rows[b], scores=paired.scores)
        return Bitext(self.texts[a], self.texts[b], alignment, name=self.name)


class Link(NamedTuple):
    """An alignment between two of several texts.

    Attributes
    ----------
    src, tgt : int
        The indices of the two texts.
    alignment : Alignment
        The alignment.

    """

    src: int
    tgt: int
    alignment: Alignment


class MultiLink(NamedTuple):
    """Rows that are known between some of several texts, as of a memory in many languages.

    Attributes
    ----------
    texts : tuple of int
        The indices of the texts.
    rows : tuple of Rows
        For each of these, the segments that belong to each row.
    scores : array of float64 or None
        The score of each row.

    """

    texts: tuple[int, ...]
    rows: tuple[Rows, ...]
    scores: Floats | None = None

    @classmethod
    def of(cls, link: Link | MultiLink) -> MultiLink:
        """Return an alignment between two texts as rows of these."""
        if isinstance(link, MultiLink):
            return link
        if not isinstance(link, Link) or not isinstance(link.alignment, Alignment):
            raise InputError(
                f"an alignment of two texts is {link!r:.60}: want Link(0, 1, alignment)"
            )
        alignment = link.alignment
        return cls((link.src, link.tgt), (alignment.src, alignment.tgt), alignment.scores)


class Join(NamedTuple):
    """The rows of several texts that alignments join.

    Attributes
    ----------
    rows : tuple of Rows
        For each text, the segments that belong to each row.
    scores : array of float64 or None
        The product of the scores of the bisegments of each row.
    merged : int
        The number of rows that join several bisegments of one alignment.

    """

    rows: tuple[Rows, ...]
    scores: Floats | None
    merged: int


def join(links: Sequence[Link | MultiLink], texts: int, *, versions: Sequence[Link] = ()) -> Join:
    """Join alignments between several texts to rows of the segments that correspond.

    A row has the segments that bisegments join, directly or through others, so that every
    bisegment is in exactly one row. With two alignments of a text in common, in which no segment is
    in two bisegments, rows with both partners of the text are the bisegments of `compose`.

    Scores are multiplied where all alignments have scores from 0 to 1, which are taken as
    independent probabilities; else there are none. Columns are left out.

    Parameters
    ----------
    links : sequence of Link or MultiLink
        The alignments, at least one.
    texts : int
        The number of texts.
    versions : sequence of Link
        Further alignments, between versions of one text, whose bisegments join others but make no
        rows by themselves.

    Returns
    -------
    Join
        The rows in the order of the first text; a row without segments of that text follows the
        row with the segment before, in the first text that both have.

    Examples
    --------
    >>> first = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> second = Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))])
    >>> made = join([Link(0, 1, first), Link(0, 2, second)], 3)
    >>> [rows.lengths.tolist() for rows in made.rows]
    [[1, 0, 1], [1, 0, 1], [1, 1, 1]]

    """
    if not links:
        raise InputError("no alignment to join: give at least one")
    whole = isinstance(texts, int | np.integer) and not isinstance(texts, bool)
    if not whole or texts < 1:
        raise InputError(f"the number of texts is {texts!r:.40}: want a whole number, 1 or more")
    all_links = [*map(MultiLink.of, [*links, *versions])]
    for link in all_links:
        indices = [*link.texts]
        if (
            not {*indices} <= {*range(texts)}
            or len({*indices}) < len(indices)
            or bool in map(type, indices)
        ):
            raise InputError(
                f"an alignment is of the texts {indices}, and there are {texts}: want different "
                f"indices, from 0 to {texts - 1}"
            )
    sizes = np.zeros(texts, dtype=np.int64)
    for each in all_links:
        for text, rows in zip(each.texts, each.rows, strict=True):
            sizes[text] = max(sizes[text], rows.idx.max(initial=-1) + 1)
    offsets = prefix(sizes).tolist()
    beads = concatenate([_all_sides(link, offsets) for link in all_links], [0] * len(all_links))
    group = components(beads)
    size = sum(map(_rows_of, all_links[: len(links)]))
    link_groups = group[:size]
    groups = int(group.max(initial=-1)) + 1
    # Bisegments of versions alone make no row.
    chosen = distinct(link_groups)
    parts: list[list[tuple[Rows, Ints]]] = [[] for _ in range(texts)]
    begin = 0
    merged = np.zeros(groups, dtype=bool)
    for k, each in enumerate(all_links):
        row_groups = group[begin : begin + _rows_of(each)]
        begin += _rows_of(each)
        for text, rows in zip(each.texts, each.rows, strict=True):
            parts[text].append((rows, row_groups))
        if k < len(links):
            merged |= np.bincount(row_groups, minlength=groups) > 1
    empty_rows = Rows(np.zeros(groups + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    whole_rows = []
    for row_parts in parts:
        whole_text_rows = empty_rows
        if row_parts:
            joined = concatenate([each for each, _ in row_parts], [0] * len(row_parts))
            whole_text_rows = union_by(
                joined, np.concatenate([row_groups for _, row_groups in row_parts]), groups
            )
        whole_rows.append(take(whole_text_rows, chosen))
    order = _reading_order(whole_rows)
    scores = products([each.scores for each in all_links[: len(links)]], link_groups, groups)
    return Join(
        tuple(take(each, order) for each in whole_rows),
        None if scores is None else scores[chosen][order],
        int(merged[chosen].sum()),
    )


def _rows_of(link: MultiLink) -> int:
    return len(link.rows[0].ptr) - 1


def _all_sides(link: MultiLink, offsets: Sequence[int]) -> Rows:
    """Return all sides of each row as one, in the numbers of all segments."""
    return side_by_side(link.rows, [offsets[text] for text in link.texts])


def _reading_order(rows: Sequence[Rows]) -> Ints:
    """Return the order of the rows: text by text, rows that lack the texts before are put in."""
    count = len(rows[0].ptr) - 1
    order = np.zeros(0, dtype=np.int64)
    placed = np.zeros(count, dtype=bool)
    for each in rows:
        having = np.flatnonzero(each.lengths > 0)
        first = each.idx[each.ptr[having]]
        having, first = having[np.argsort(first, kind="stable")], np.sort(first)
        new = ~placed[having]
        # The place of each row, and for a new one the place of the last one before it that has one.
        place = np.full(count, -1, dtype=np.int64)
        place[order] = np.arange(order.size)
        preceding = np.where(new, -1, np.arange(having.size))
        preceding = np.maximum.accumulate(preceding) if preceding.size else preceding
        after = np.where(preceding >= 0, place[having[preceding]], -1)[new]
        keys = np.concatenate([np.arange(order.size), after])
        order = np.concatenate([order, having[new]])[np.argsort(keys, kind="stable")]
        placed[having] = True
    return order
