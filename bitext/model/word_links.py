"""Links between the words of sentence pairs: as values of the column `words`, and as arrays.

    0-0 1-2p 3-1:0.9

Items of the column are separated by blanks: source position, `-`, target position, both from 0; `p`
after a possible link (others are sure); `:` and a number for a confidence. The spellings `1p2` and
`1?2` of a possible link are read, too. An empty string means that no words are linked, unlike no
value at all.

A position counts the words of one side of the bisegment: its segments joined with a blank, then
split at blanks, tabs and line ends alone (a no-break space is part of a word). Links are a set, in
their order; of equal links a sure one goes before a possible one, else the first.

`WordLinks` has the links of many sentence pairs as arrays, the input of metrics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import isfinite, isnan
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.errors import InputError, check_list, many
from bitext.kernels.arrays import (
    Bools,
    Floats,
    Frozen,
    Ints,
    are_pointers,
    as_array,
    index_within,
    prefix,
    put,
    ranges,
)
from bitext.notebooks import InNotebooks

COLUMN = "words"
MOST = 999_999_999  # the greatest position: nine digits
NULL = -1  # the position of no word, in arrays
NULLS = "null_links"  # the column of links to no word: `3-` of source words, `-4` of target words

_POSITION = r"(\d{1,9})"  # bounded, so that no huge integer is parsed
_CONFIDENCE = r"(?::([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?))?"
_LINK = re.compile(rf"{_POSITION}([-p?]){_POSITION}(p?){_CONFIDENCE}", re.ASCII)
_PLAIN = re.compile(r"(?:\d{1,9}-\d{1,9}(?: \d{1,9}-\d{1,9})*)?", re.ASCII)
_NULL_LINK = re.compile(r"(?:(\d{1,9})-|-(\d{1,9}))(p?)", re.ASCII)
_BLANKS = re.compile(r"[ \t\r\n]+")
_MAX_SHOWN = 40  # characters of an item in messages
_VALUES_AT_ONCE = 1 << 10  # values read at a time; set by hand
_LINKS_AT_ONCE = 1 << 17  # links sorted or searched at a time: their arrays stay in the cache
_ROWS: dict[str, tuple[float, type]] = {  # columns of `LinkRows`: the value for none, and the type
    "counts": (0, np.int64),
    "src": (NULL, np.int64),
    "tgt": (NULL, np.int64),
    "sure": (True, np.bool_),
    "confidences": (np.nan, np.float64),
    "src_sizes": (-1, np.int64),
    "tgt_sizes": (-1, np.int64),
}
_DASH, _BLANK, _END, _P = b"- \np"
_MAX_DIGITS = 9  # digits of a position


class Link(NamedTuple):
    """A source word and a target word that correspond.

    Attributes
    ----------
    src, tgt : int
        Their positions among the words of their sides, from 0.
    possible : bool
        Whether the link is only possible, not sure.
    confidence : float or None
        The confidence of its aligner, on any scale; `None` if unknown.

    """

    src: int
    tgt: int
    possible: bool = False
    confidence: float | None = None


def parse(text: str) -> list[Link]:
    """Parse a value of the column `words`: its links in order, with repeats.

    Raises `InputError` when an item is no link; the message shows the item, without a place.

    Examples
    --------
    >>> parse("0-0 1-2p 3?1:0.9")[1:]
    [Link(src=1, tgt=2, possible=True, confidence=None), \
    Link(src=3, tgt=1, possible=True, confidence=0.9)]

    """
    items = tokens(text)
    if _PLAIN.fullmatch(text):
        pairs = (item.split("-") for item in items)
        return [Link(int(src), int(tgt)) for src, tgt in pairs]
    return [_link(item) for item in items]


def _link(item: str) -> Link:
    match = _LINK.fullmatch(item)
    if not match or (match[2] != "-" and match[4]):
        raise InputError(
            f"{item[:_MAX_SHOWN]!r} is no word link; want two positions from 0 to {MOST}, as 0-1, "
            f"or 0-1p for a possible link, and 0-1:0.9 with a confidence"
        )
    confidence = float(match[5]) if match[5] else None
    if confidence is not None and not isfinite(confidence):
        raise InputError(
            f"{item[:_MAX_SHOWN]!r} has a confidence beyond all numbers; want one as 0.9"
        )
    return Link(int(match[1]), int(match[3]), match[2] != "-" or bool(match[4]), confidence)


def spell(links: Iterable[Link]) -> str:
    """Format links as a value of the column `words`.

    Examples
    --------
    >>> spell([Link(0, 0), Link(1, 2, possible=True), Link(3, 1, confidence=0.5)])
    '0-0 1-2p 3-1:0.5'

    """
    return " ".join(
        f"{link.src}-{link.tgt}{'p' * link.possible}"
        f"{'' if link.confidence is None else f':{float(link.confidence)!r}'}"
        for link in links
    )


def parse_nulls(text: str) -> list[Link]:
    """Parse a value of the column `null_links`: links to no word.

    Raises `InputError` when an item is no such link.

    Examples
    --------
    >>> parse_nulls("3- -4p")[1]
    Link(src=-1, tgt=4, possible=True, confidence=None)

    """
    links = []
    for item in tokens(text):
        match = _NULL_LINK.fullmatch(item)
        if not match:
            raise InputError(f"{item[:_MAX_SHOWN]!r} is no link to no word; want it as 3- or -4p")
        src, tgt = (NULL if side is None else int(side) for side in match.groups()[:2])
        links.append(Link(src, tgt, bool(match[3])))
    return links


def spell_nulls(links: Iterable[Link]) -> str:
    """Format links to no word as a value of the column `null_links`."""
    return " ".join(
        f"{'' if link.src == NULL else link.src}-{'' if link.tgt == NULL else link.tgt}"
        f"{'p' * link.possible}"
        for link in links
    )


def distinct(links: Iterable[Link]) -> list[Link]:
    """Remove repeats: a sure link goes before a possible one, else the first is taken.

    Examples
    --------
    >>> spell(distinct(parse("0-0p 1-1 0-0 1-1:0.5")))
    '0-0 1-1'

    """
    chosen: dict[tuple[int, int], Link] = {}
    for link in links:
        earlier = chosen.setdefault(link[:2], link)
        if earlier.possible and not link.possible:
            chosen[link[:2]] = link
    return list(chosen.values())


def beyond(links: Iterable[Link], src: int | None, tgt: int | None) -> Link | None:
    """Return the first link beyond the numbers of words of the sides; `None` without one.

    Examples
    --------
    >>> beyond(parse("0-0 1-3"), 2, 3)
    Link(src=1, tgt=3, possible=False, confidence=None)

    """
    for link in links:
        if (src is not None and link.src >= src) or (tgt is not None and link.tgt >= tgt):
            return link
    return None


def swapped(text: str) -> str:
    """Return a value of the column with source and target exchanged.

    Examples
    --------
    >>> swapped("0-1 2-3p")
    '1-0 3-2p'

    """
    return spell(link._replace(src=link.tgt, tgt=link.src) for link in parse(text))


def tokens(side: str) -> list[str]:
    r"""Return the words of a side, as positions count them.

    Examples
    --------
    >>> tokens(" no\u00a0break here ")
    ['no\xa0break', 'here']

    """
    if "\t" in side or "\n" in side or "\r" in side:
        side = _BLANKS.sub(" ", side)
    words = side.split(" ")
    return [word for word in words if word] if "" in words else words


class PlainLinks(NamedTuple):
    """The links of many lines in plain spelling, in order."""

    counts: Ints  # the number of links of each line; shape (lines,)
    # `src`, `tgt`: positions as written; shape (links,).
    src: Ints
    tgt: Ints
    possible: Bools  # whether a link is only possible; shape (links,)

    def spell(self) -> list[str]:
        r"""Format the links as values of the column `words`, one a line, in order.

        Examples
        --------
        >>> plain_links("\n2p0 0-0\n\n").spell()
        ['2-0p 0-0', '']

        """
        items = _spelled(self.src, self.tgt, ~self.possible)
        ends = prefix(self.counts).tolist()
        return [" ".join(items[begin:end]) for begin, end in pairwise(ends)]


def plain_links(text: str) -> PlainLinks | None:
    r"""Parse lines of links `i-j`, `ipj` and `i-jp`, separated by single blanks.

    The text begins and ends with a line end: `"\n0-0 1-1\n"` is one line. The result is None for
    any other spelling, such as one with a confidence, which `parse` reads.

    Examples
    --------
    >>> result = plain_links("\n0-0 12p3\n\n4-1p\n")
    >>> result.counts.tolist(), result.src.tolist(), result.possible.tolist()
    ([2, 0, 1], [0, 12, 4], [False, True, True])

    """
    if not text.isascii():
        return None
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    possible_marks: Ints | None = None
    if "p" in text:
        p = np.flatnonzero(data == _P)
        behind = p[(data[p + 1] == _BLANK) | (data[p + 1] == _END)]
        joins = np.flatnonzero((data == _DASH) | (data == _P))
        possible_marks = np.searchsorted(joins[~np.isin(joins, behind)], behind) - 1
        if (possible_marks < 0).any() or not _is_digit(data[behind - 1]).all():
            return None
        data = np.delete(data, behind)
    digit = _is_digit(data)
    mark_places = np.flatnonzero(~digit)
    kinds = data[mark_places]
    join, end = (kinds == _DASH) | (kinds == _P), kinds == _END
    if not (join | end | (kinds == _BLANK)).all():
        return None
    digits = np.diff(mark_places) - 1
    # Between two separators is a number, joined to another on one side, or nothing on an empty
    # line.
    is_number = (digits > 0) & (digits <= _MAX_DIGITS) & (join[1:] ^ join[:-1])
    is_number &= (digits == 1) | (data[mark_places[:-1] + 1] != ord("0"))
    void = ~is_number
    if (void & ~((digits == 0) & end[1:] & end[:-1])).any():
        return None
    if void.any():
        ends, digits = mark_places[1:][is_number], digits[is_number]
    else:
        ends = mark_places[1:]
    values = _decimals(data, digit, ends, digits)
    possible = kinds[join] == _P
    if possible_marks is not None:
        if possible[possible_marks].any():  # `p` twice
            return None
        possible[possible_marks] = True
    # Every second separator of a line with links is a join.
    return PlainLinks(np.diff(np.flatnonzero(end)) // 2, values[0::2], values[1::2], possible)


def _is_digit(data: NDArray[np.uint8]) -> Bools:
    return np.asarray(data - np.uint8(ord("0")) <= 9)  # a byte below 0 wraps around


def _decimals(data: NDArray[np.uint8], digit: Bools, ends: Ints, digits: Ints) -> Ints:
    """Return the numbers that end before `ends`, with `digits` digits each."""
    units = data - np.uint8(ord("0"))
    # Most numbers are below 100; these are computed without a search for longer ones.
    pairs = units.astype(np.uint16)
    pairs[1:] += np.uint16(10) * (units[:-1] * digit[:-1])
    values = pairs[ends - 1].astype(np.int64)
    for k in range(2, int(digits.max(initial=0))):
        longer = np.flatnonzero(digits > k)
        values[longer] += units[ends[longer] - 1 - k].astype(np.int64) * 10**k
    return values


def _integers(name: str, given: ArrayLike) -> Ints:
    """Return an array of integers; refuse fractions and truth values, which NumPy would convert."""
    array = as_array(given)
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"the {name} are {array.dtype}: want integers")
    return array.astype(np.int64, copy=False)


def _truths(given: ArrayLike, name: str) -> Bools:
    """Return an array of truth values; refuse strings such as `P`, which are all true."""
    array = as_array(given)
    is_number = array.dtype.kind in "iu" and np.isin(array, (0, 1)).all()
    if array.size and array.dtype != np.bool_ and not is_number:
        raise InputError(f"the {name} are {array.dtype}: want True or False")
    return array.astype(np.bool_, copy=False)


class WordLinks(Frozen, InNotebooks, Sequence["WordLinks"]):
    """The links of many sentence pairs, as compressed rows.

    Pair k has the links `ptr[k]` to `ptr[k + 1]`, ascending by source and then target position,
    without repeats: of equal links a sure one is taken. As a sequence, its items are the pairs,
    each a `WordLinks` of this pair alone.

    Parameters
    ----------
    ptr : array of int, shape (pairs + 1,)
        From 0 to the number of links, ascending.
    src, tgt : array of int, shape (links,)
        Positions of words from 0, in any order within a pair; `NULL` (-1) is not a word.
    sure : array of bool, shape (links,), optional
        Whether a link is sure, not only possible. Default: all are sure.
    confidences : array of float, shape (links,), optional
        The confidence of the aligner in each link; `nan` if unknown.
    src_sizes, tgt_sizes : array of int, shape (pairs,), optional
        The number of words of each sentence; -1 if unknown.

    Raises
    ------
    InputError
        When the arrays do not fit each other, or a position is below -1 or beyond its sentence.

    Examples
    --------
    >>> links = WordLinks.parse(["1-2p 0-0", "", "3-3"])
    >>> len(links), links.src.tolist(), links.tgt.tolist(), links.sure.tolist()
    (3, [0, 1, 3], [0, 2, 3], [True, False, True])
    >>> links[1:]
    <WordLinks of 2 pairs, 1 link>
    >>> links.spell()
    ['0-0 1-2p', '', '3-3']

    """

    __slots__ = ("confidences", "ptr", "src", "src_sizes", "sure", "tgt", "tgt_sizes")

    ptr: Ints
    src: Ints
    tgt: Ints
    sure: Bools
    confidences: Floats | None
    src_sizes: Ints | None
    tgt_sizes: Ints | None

    def __init__(
        self,
        ptr: ArrayLike,
        src: ArrayLike,
        tgt: ArrayLike,
        *,
        sure: ArrayLike | None = None,
        confidences: ArrayLike | None = None,
        src_sizes: ArrayLike | None = None,
        tgt_sizes: ArrayLike | None = None,
    ) -> None:
        bounds = _integers("pointers", ptr).copy()
        sides = _integers("source positions", src), _integers("target positions", tgt)
        size = sides[0].size
        if not are_pointers(bounds, size):
            raise InputError(f"the pointers do not run from 0 to the {size} word links, ascending")
        is_sure = np.ones(size, dtype=np.bool_)
        if sure is not None:
            is_sure = _truths(sure, "marks of sure links")
        weights = None if confidences is None else as_array(confidences, np.float64)
        for name, array in (
            ("target positions", sides[1]),
            ("marks", is_sure),
            ("values", weights),
        ):
            if array is not None and array.shape != (size,):
                raise InputError(f"{array.size} {name} for {size} word links: want one each")
        sizes = [
            None if sizes_given is None else _integers("numbers of words", sizes_given).copy()
            for sizes_given in (src_sizes, tgt_sizes)
        ]
        for side, positions, words in zip(("source", "target"), sides, sizes, strict=True):
            _check_positions(side, bounds, positions, words)
        kept_order = _in_order(bounds, sides[0], sides[1], is_sure)
        if kept_order is not None:
            sides = sides[0][kept_order], sides[1][kept_order]
            is_sure, weights = is_sure[kept_order], None if weights is None else weights[kept_order]
            row = np.searchsorted(bounds, kept_order, side="right") - 1
            bounds = prefix(np.bincount(row, minlength=bounds.size - 1))
        self._fill(bounds, *sides, is_sure, weights, *sizes)

    def _fill(
        self,
        ptr: Ints,
        src: Ints,
        tgt: Ints,
        sure: Bools,
        confidences: Floats | None,
        src_sizes: Ints | None,
        tgt_sizes: Ints | None,
    ) -> None:
        for name, array in (
            ("ptr", ptr), ("src", src), ("tgt", tgt), ("sure", sure),
            ("confidences", confidences), ("src_sizes", src_sizes), ("tgt_sizes", tgt_sizes),
        ):  # fmt: skip
            if array is not None:
                array = array.view()  # so that the flags of the caller's array do not change
                array.flags.writeable = False
            put(self, name, array)

    @classmethod
    def _of(cls, *columns: Ints | Bools | None) -> WordLinks:
        """Make `WordLinks` of sorted columns, in the order of `_fill`."""
        links = cls.__new__(cls)
        links._fill(*columns)  # type: ignore[arg-type]  # noqa: SLF001 - our own
        return links

    @classmethod
    def parse(
        cls,
        values: Iterable[str | None],
        *,
        src_sizes: ArrayLike | None = None,
        tgt_sizes: ArrayLike | None = None,
    ) -> WordLinks:
        """Parse the values of the column `words`, one a pair; `None` is a pair without links.

        Raises
        ------
        InputError
            When a value is not a list of links; the message has the index of the pair, from 0.

        """
        if not isinstance(values, Iterable) or isinstance(values, str):
            raise InputError(f"the links are {values!r:.60}: want a string for each sentence pair")
        check_list("the links", values, "a list with a string for each sentence pair")
        values_or_empty = [value or "" for value in values]
        none = np.zeros(0, dtype=np.int64)
        parts: list[tuple[PlainLinks, Floats | None]] = [
            (PlainLinks(none, none, none, none.astype(np.bool_)), None)
        ]
        # Blocks of plain links are parsed as one string; a block with others link by link.
        for begin in range(0, len(values_or_empty), _VALUES_AT_ONCE):
            block = values_or_empty[begin : begin + _VALUES_AT_ONCE]
            try:
                text = "\n".join(["", *block, ""])
            except TypeError:
                k = next(k for k, value in enumerate(block) if not isinstance(value, str))
                raise InputError(
                    f"sentence pair {begin + k} (from 0): {block[k]!r:.40} is no string: want the "
                    f"links of a sentence pair, as '0-0 1-2'"
                ) from None
            plain_part = plain_links(text) if text.count("\n") == len(block) + 1 else None
            parts.append((plain_part, None) if plain_part is not None else _parsed(block, begin))
        counts, src, tgt, possible = (
            np.concatenate(column) for column in zip(*(plain for plain, _ in parts), strict=True)
        )
        confidences = None
        if any(parsed is not None for _, parsed in parts):
            confidences = np.concatenate(
                [np.full(p.src.size, np.nan) if c is None else c for p, c in parts]
            )
        return cls(
            prefix(counts),
            src,
            tgt,
            sure=~possible,
            confidences=confidences,
            src_sizes=src_sizes,
            tgt_sizes=tgt_sizes,
        )

    @classmethod
    def join(cls, parts: Sequence[WordLinks]) -> WordLinks:
        """Join the pairs of all parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        rows = LinkRows()
        for part in parts:
            rows.extend(part)
        return rows.joined()

    def __len__(self) -> int:
        return self.ptr.size - 1

    @overload
    def __getitem__(self, index: int) -> WordLinks: ...
    @overload
    def __getitem__(self, index: slice) -> WordLinks: ...
    def __getitem__(self, index: int | slice) -> WordLinks:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step != 1:
                return self.take(np.arange(len(self))[index])
            return self._between(begin, max(begin, end))
        index = index_within(index, len(self), "pair")
        return self._between(index, index + 1)

    def __iter__(self) -> Iterator[WordLinks]:
        return (self._between(k, k + 1) for k in range(len(self)))

    def _between(self, begin: int, end: int) -> WordLinks:
        first, last = int(self.ptr[begin]), int(self.ptr[end])
        chosen = slice(first, last)
        return self._chosen(self.ptr[begin : end + 1] - first, chosen, slice(begin, end))

    def _chosen(self, ptr: Ints, links: slice | Ints | Bools, pairs: slice | Ints) -> WordLinks:
        """Return some of the links by other pointers, with the sizes of some of the pairs."""
        of_links = self.src, self.tgt, self.sure, self.confidences
        of_pairs = self.src_sizes, self.tgt_sizes
        columns: list[Any] = [None if c is None else c[links] for c in of_links]
        columns += [None if c is None else c[pairs] for c in of_pairs]
        return self._of(ptr, *columns)

    def take(self, pairs: ArrayLike) -> WordLinks:
        """Return the pairs at the given indices, in this order.

        Raises `InputError` when an index is no integer, as in a mask, or there is no such pair.
        """
        chosen = _integers("indices of pairs", pairs)
        outside = chosen[(chosen < -len(self)) | (chosen >= len(self))]
        if outside.size:
            raise InputError(f"there is no sentence pair {outside[0]} among {len(self)}")
        counts = np.diff(self.ptr)[chosen]
        links = ranges(self.ptr[:-1][chosen], counts)
        return self._chosen(prefix(counts), links, chosen)

    def with_links(self, pairs: Sequence[int], links: Sequence[Link]) -> WordLinks:
        """Return the links together with further ones, each of a given pair."""
        row = np.append(self.pair, np.array(pairs, dtype=np.int64))
        order = np.argsort(row, kind="stable")
        src, tgt, sure = (
            np.append(known, np.array(new, dtype=known.dtype))[order]
            for known, new in (
                (self.src, [link.src for link in links]),
                (self.tgt, [link.tgt for link in links]),
                (self.sure, [not link.possible for link in links]),
            )
        )
        return WordLinks(prefix(np.bincount(row, minlength=len(self))), src, tgt, sure=sure)

    def where(self, chosen: ArrayLike) -> WordLinks:
        """Return the links of a mask; the pairs stay, even without links.

        Raises `InputError` when the mask has other values than true and false, as indices.
        """
        mask = _truths(chosen, "values of a mask")
        counts = np.diff(prefix(mask.astype(np.int64))[self.ptr])
        return self._chosen(prefix(counts), mask, slice(None))

    def shifted(self, src: int, tgt: int) -> WordLinks:
        """Return the links with positions raised; links with a position below 0 are dropped."""
        in_range = self.where((self.src + src >= 0) & (self.tgt + tgt >= 0))
        return self._of(
            in_range.ptr, in_range.src + src, in_range.tgt + tgt, in_range.sure,
            in_range.confidences, None, None,  # type: ignore[arg-type]
        )  # fmt: skip

    def with_sizes(self, src: ArrayLike, tgt: ArrayLike) -> WordLinks:
        """Set the numbers of words; raises `InputError` when a link is beyond its sentence."""
        return self._with(src_sizes=src, tgt_sizes=tgt)

    def swapped(self) -> WordLinks:
        """Return the links with source and target exchanged."""
        return self._with(
            src=self.tgt, tgt=self.src, src_sizes=self.tgt_sizes, tgt_sizes=self.src_sizes
        )

    def _with(self, **columns: ArrayLike | None) -> WordLinks:
        return WordLinks(**{name: getattr(self, name) for name in self.__slots__} | columns)

    def without_null(self) -> WordLinks:
        """Return the links between two words, without links to no word (`NULL`)."""
        if min(self.src.min(initial=0), self.tgt.min(initial=0)) > NULL:
            return self
        return self.where((self.src > NULL) & (self.tgt > NULL))

    def with_null(self) -> WordLinks:
        """Add a possible link to no word (`NULL`) for each word without a link.

        Raises
        ------
        InputError
            When the number of words of a sentence is not known.

        """
        row = self.pair
        added = []
        for side, sizes, positions in (
            ("source", self.src_sizes, self.src),
            ("target", self.tgt_sizes, self.tgt),
        ):
            if sizes is None or (sizes < 0).any():
                raise InputError(f"the numbers of {side} words are not known: give the texts")
            begins = prefix(sizes)
            is_unlinked = np.ones(int(begins[-1]), dtype=np.bool_)
            linked = positions > NULL
            is_unlinked[begins[row[linked]] + positions[linked]] = False
            unlinked = np.flatnonzero(is_unlinked)
            pair = np.repeat(np.arange(len(self)), sizes)[unlinked]
            added.append((pair, unlinked - begins[pair]))
        rows = np.concatenate([row, *(pair for pair, _ in added)])
        order = np.argsort(rows, kind="stable")
        null_positions = [np.full(unlinked.size, NULL) for _, unlinked in added]
        return WordLinks(
            prefix(np.bincount(rows, minlength=len(self))),
            np.concatenate([self.src, added[0][1], null_positions[1]])[order],
            np.concatenate([self.tgt, null_positions[0], added[1][1]])[order],
            sure=np.append(
                self.sure, np.zeros(null_positions[0].size + null_positions[1].size, dtype=np.bool_)
            )[order],
            src_sizes=self.src_sizes,
            tgt_sizes=self.tgt_sizes,
        )

    @property
    def pair(self) -> Ints:
        """The pair of each link."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    def spell(self) -> list[str]:
        """Format the column `words`, one value per pair, without links to no word (NULL)."""
        linked = self.where((self.src >= 0) & (self.tgt >= 0))
        items = _spelled(linked.src, linked.tgt, linked.sure)
        if linked.confidences is not None:
            items = [
                item if isnan(value) else f"{item}:{value!r}"
                for item, value in zip(items, linked.confidences.tolist(), strict=True)
            ]
        return [" ".join(items[begin:end]) for begin, end in pairwise(linked.ptr.tolist())]

    def __eq__(self, other: object) -> bool:
        """Compare the sure and possible links of both, pair by pair."""
        if not isinstance(other, WordLinks):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("ptr", "src", "tgt", "sure")
        )

    def __hash__(self) -> int:
        return hash((len(self), self.src.tobytes(), self.tgt.tobytes()))

    def __repr__(self) -> str:
        pairs, links = len(self), self.src.size
        return f"<WordLinks of {many(pairs, 'pair')}, {many(links, 'link')}>"


def _spelled(src: Ints, tgt: Ints, sure: Bools) -> list[str]:
    rows = zip(src.tolist(), tgt.tolist(), sure.tolist(), strict=True)
    return [f"{i}-{j}{'' if is_sure else 'p'}" for i, j, is_sure in rows]


class LinkRows:
    """Links of sentence pairs that are collected part by part.

    Columns grow in place, so the links of a large file are in memory once: joining parts at the end
    would take twice as much, and each page of new memory costs time.
    """

    def __init__(self) -> None:
        self._pairs = self._links = 0
        self._columns: dict[str, bytearray] = {}

    def __len__(self) -> int:
        return self._pairs

    def extend(self, links: WordLinks) -> None:
        """Add the pairs of a part."""
        pairs, count = len(links), links.src.size
        self._grow("counts", np.diff(links.ptr), 0, pairs)
        for name in ("src", "tgt", "sure", "confidences"):
            self._grow(name, getattr(links, name), self._links, count)
        for name in ("src_sizes", "tgt_sizes"):
            self._grow(name, getattr(links, name), self._pairs, pairs)
        self._pairs += pairs
        self._links += count

    def _grow(self, name: str, values: NDArray[Any] | None, old_count: int, new_count: int) -> None:
        """Append values of a column; parts without values are filled once a part has some."""
        void, kind = _ROWS[name]
        if name not in self._columns:
            if values is None:
                return
            self._columns[name] = bytearray(np.full(old_count, void, dtype=kind).tobytes())
        if values is None:
            values = np.full(new_count, void)
        self._columns[name] += np.ascontiguousarray(values, dtype=kind).data.cast("B")

    def joined(self) -> WordLinks:
        """Return the links of all parts; no part can be added afterwards."""
        columns: dict[str, NDArray[Any]] = {
            name: np.frombuffer(held, dtype=_ROWS[name][1]) for name, held in self._columns.items()
        }
        if not columns:
            return WordLinks.parse([])
        counts = columns.pop("counts")
        return WordLinks._of(prefix(counts), *map(columns.get, [*_ROWS][1:]))  # noqa: SLF001 - our own


class LinkColumn(Sequence[str]):
    """A column `words` with its parsed links, which are parsed once for all uses."""

    __slots__ = ("links", "values")

    def __init__(self, values: Sequence[str], links: WordLinks) -> None:
        self.values, self.links = values, links

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self.values[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self.values) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self.values))


def _parsed(block: Sequence[str], first: int) -> tuple[PlainLinks, Floats]:
    """Parse values one by one, with their confidences."""
    rows = []
    for k, value in enumerate(block, first):
        try:
            rows.append(parse(value))
        except InputError as error:
            raise InputError(f"sentence pair {k} (from 0): {error}") from None
    flat = [link for row in rows for link in row]
    return PlainLinks(
        np.array([len(row) for row in rows], dtype=np.int64),
        np.array([link.src for link in flat], dtype=np.int64),
        np.array([link.tgt for link in flat], dtype=np.int64),
        np.array([link.possible for link in flat], dtype=np.bool_),
    ), np.array([np.nan if c is None else c for c in (link.confidence for link in flat)])


def _check_positions(side: str, ptr: Ints, positions: Ints, sizes: Ints | None) -> None:
    if sizes is not None and sizes.shape != (ptr.size - 1,):
        raise InputError(
            f"{sizes.size} numbers of {side} words for {ptr.size - 1} sentence pairs: want one each"
        )
    is_wrong = np.zeros(1, dtype=np.bool_)
    if positions.min(initial=0) < NULL or positions.max(initial=0) > MOST:
        is_wrong = (positions < NULL) | (positions > MOST)
    if sizes is not None:
        limits = np.repeat(np.where(sizes < 0, MOST + 1, sizes), np.diff(ptr))
        is_wrong = is_wrong | (positions >= limits)
    if is_wrong.any():
        index = int(np.flatnonzero(is_wrong)[0])
        k = int(np.searchsorted(ptr, index, side="right")) - 1
        known = sizes is not None and sizes[k] >= 0
        raise InputError(
            f"sentence pair {k} links {side} word {positions[index]} (from 0)"
            f"{f', but the sentence has {sizes[k]} words' if known and sizes is not None else ''}: "
            f"want positions from 0 up to the number of words"
        )


def blocks(ptr: Ints) -> Iterator[tuple[int, int]]:
    """Yield runs of pairs, as (first, last + 1), with about `_LINKS_AT_ONCE` links each."""
    begin, pairs = 0, ptr.size - 1
    while begin < pairs:
        end = int(np.searchsorted(ptr, ptr[begin] + _LINKS_AT_ONCE, side="right")) - 1
        end = min(max(end, begin + 1), pairs, begin + _LINKS_AT_ONCE)
        yield begin, end
        begin = end


def keys(*columns: tuple[Ints, Ints, Ints]) -> list[Ints]:
    """Return an integer a link, for columns of (pair, source, target) of a block of pairs.

    The integers have the order of the links, and are equal for equal links.
    """
    widths = [int(max(c[side].max(initial=NULL) for c in columns)) + 2 for side in (1, 2)]
    rows = int(max(c[0].max(initial=0) for c in columns)) + 1
    # Few links with huge positions: the positions that occur are numbered.
    if rows * widths[0] * widths[1] >= 1 << 62:
        ranks = []
        for side in (1, 2):
            all_positions = np.concatenate([c[side] for c in columns])
            place = np.unique(all_positions, return_inverse=True)[1].reshape(-1) - 1
            ranks.append(np.split(place, np.cumsum([c[side].size for c in columns])[:-1]))
            widths[side - 1] = int(place.max(initial=NULL)) + 2
        columns = tuple(zip((c[0] for c in columns), *ranks, strict=True))
    return [(row * widths[0] + src + 1) * widths[1] + tgt + 1 for row, src, tgt in columns]


def _in_order(ptr: Ints, src: Ints, tgt: Ints, sure: Bools) -> Ints | None:
    """Return the indices of the links in order, without repeats; `None` if nothing changes."""
    kept_parts: list[Ints] = []
    unchanged_from = 0  # links before this one are unchanged, except for those in `kept_parts`
    for begin, end in blocks(ptr):
        first, last = int(ptr[begin]), int(ptr[end])
        row = np.repeat(np.arange(end - begin), np.diff(ptr[begin : end + 1]))
        (key,) = keys((row, src[first:last], tgt[first:last]))
        if (np.diff(key) > 0).all():
            continue
        order = np.lexsort((~sure[first:last], key))
        key = key[order]
        new = np.ones(key.size, dtype=np.bool_)
        new[1:] = np.diff(key) > 0
        kept_parts += [np.arange(unchanged_from, first), order[new] + first]
        unchanged_from = last
    return (
        np.concatenate([*kept_parts, np.arange(unchanged_from, int(ptr[-1]))])
        if kept_parts
        else None
    )
