"""Multi-parallel texts: texts in several languages, and rows of segments that correspond."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.rows import Rows, components, concatenate, prefix, take, union_by
from bitext.model.alignment import Alignment
from bitext.model.bitext import Bitext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model.text import Text

__all__ = ["Join", "Link", "Multitext", "join"]


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
    scores: NDArray[np.float64] | None = None
    name: str = ""

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
    def present(self) -> NDArray[np.bool_]:
        """Whether each row has segments of each text, shape (rows, texts)."""
        return np.stack([rows.lengths > 0 for rows in self.rows], axis=1)

    def select(self, chosen: NDArray[np.bool_]) -> Multitext:
        """Return the rows where a mask is true, with all segments of the texts."""
        which = np.flatnonzero(chosen)
        rows = tuple(take(each, which) for each in self.rows)
        return replace(self, rows=rows, scores=None if self.scores is None else self.scores[which])

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
        some = self.select((self.rows[a].lengths > 0) | (self.rows[b].lengths > 0))
        alignment = Alignment.from_arrays(some.rows[a], some.rows[b], scores=some.scores)
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
    scores: NDArray[np.float64] | None
    merged: int


def join(links: Sequence[Link], texts: int, *, versions: Sequence[Link] = ()) -> Join:
    """Join alignments between several texts to rows of the segments that correspond.

    A row has the segments that bisegments join, directly or through others, so that every
    bisegment is in exactly one row. With two alignments of a text in common, in which no segment is
    in two bisegments, rows with both partners of the text are the bisegments of `compose`.

    Scores are multiplied where all alignments have scores from 0 to 1, which are taken as
    independent probabilities; else there are none. Columns are left out.

    Parameters
    ----------
    links : sequence of Link
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
    every = [*links, *versions]
    sizes = np.zeros(texts, dtype=np.int64)
    for src, tgt, alignment in every:
        sizes[src] = max(sizes[src], alignment.src_size)
        sizes[tgt] = max(sizes[tgt], alignment.tgt_size)
    offsets = prefix(sizes).tolist()
    beads = concatenate([_both_sides(link, offsets) for link in every], [0] * len(every))
    group = components(beads)
    own = group[: sum(len(link.alignment) for link in links)]
    groups = int(group.max(initial=-1)) + 1
    # Bisegments of versions alone make no row.
    chosen = np.unique(own)
    parts: list[list[tuple[Rows, NDArray[np.int64]]]] = [[] for _ in range(texts)]
    begin = 0
    merged = np.zeros(groups, dtype=bool)
    for k, (src, tgt, alignment) in enumerate(every):
        mine = group[begin : begin + len(alignment)]
        begin += len(alignment)
        parts[src].append((alignment.src, mine))
        parts[tgt].append((alignment.tgt, mine))
        if k < len(links):
            merged |= np.bincount(mine, minlength=groups) > 1
    none = Rows(np.zeros(groups + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    rows = []
    for several in parts:
        whole = none
        if several:
            joined = concatenate([each for each, _ in several], [0] * len(several))
            whole = union_by(joined, np.concatenate([mine for _, mine in several]), groups)
        rows.append(take(whole, chosen))
    order = _reading_order(rows)
    scores = _products(links, own, groups)
    return Join(
        tuple(take(each, order) for each in rows),
        None if scores is None else scores[chosen][order],
        int(merged[chosen].sum()),
    )


def _both_sides(link: Link, offsets: Sequence[int]) -> Rows:
    """Return both sides of each bisegment as one row, in the numbers of all segments."""
    src, tgt = link.alignment.src, link.alignment.tgt
    size = len(link.alignment)
    both = concatenate([src, tgt], [offsets[link.src], offsets[link.tgt]])
    return union_by(both, np.concatenate([np.arange(size), np.arange(size)]), size)


def _reading_order(rows: Sequence[Rows]) -> NDArray[np.int64]:
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
        before = np.where(new, -1, np.arange(having.size))
        before = np.maximum.accumulate(before) if before.size else before
        after = np.where(before >= 0, place[having[before]], -1)[new]
        keys = np.concatenate([np.arange(order.size), after])
        order = np.concatenate([order, having[new]])[np.argsort(keys, kind="stable")]
        placed[having] = True
    return order


def _products(
    links: Sequence[Link], group: NDArray[np.int64], groups: int
) -> NDArray[np.float64] | None:
    """Return the product of the scores of each group; `None` if they are no probabilities."""
    scores = [link.alignment.scores for link in links]
    known = [each for each in scores if each is not None]
    if len(known) < len(scores):
        return None
    every = np.concatenate(known)
    if not ((every >= 0) & (every <= 1)).all():
        return None
    product = np.ones(groups)
    np.multiply.at(product, group, every)
    return product
