"""Common ground: two alignments of one bitext, brought to the same segments.

Gold standard and hypothesis may name their segments by position or by identifier, and may be over
texts that are segmented differently. Here both get the same numbering of segments:

- Positions are taken as they are, and identifiers by name.
- Texts that are segmented differently are laid over one character line, white space apart, and
  cut at the boundaries of both. The pieces are the *atoms*, and each segment is a run of them.
  An atom is a segment in its own right: white space inside it counts, white space at its ends
  does not.
- Where the texts themselves differ, canonically equivalent characters are matched. Unmatched
  characters do not tell spans apart: a boundary before, within or after them is the same. A
  segment without a matched character is an atom of its own text alone. Texts with too few matches
  are refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from bitext.errors import InputError, OptionError, remedy
from bitext.kernels.arrays import Bools, Ints, Rows, prefix, relabel, spread
from bitext.kernels.matching import longest_ascent, match_characters
from bitext.kernels.overlap import Beads, Overlaps, bounds_of, overlap
from bitext.metrics.common_line import CommonLine, Line, first_difference, matches, meeting_lines
from bitext.model import Alignment, Bitext, Text

_SPREAD, _FEW = 4, 1_000  # positions a member, and in all, up to which nothing is packed


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the common ground."""

    size: int  # the number of segments (atoms, where the two were cut differently)
    # The characters of the segments: empty when unknown; else one text or, where the texts differ,
    # that of the gold standard and that of the hypothesis, which has the segments that the gold
    # standard lacks.
    texts: tuple[Text, ...] = ()
    choice: Bools | None = None  # which segments are in the second text
    matched: float = 1.0  # the share of matched characters, white space apart
    atoms: bool = False  # whether the segments are atoms
    # The identifiers of the segments, where no text has them. An atom has the identifier of the
    # gold segment around it; without one, `+` and the identifier of the proposed segment.
    names: tuple[str, ...] = ()

    def lengths(self, count: Callable[[Text], Ints]) -> Ints:
        """Return the length of each segment; `count` returns those of the segments of a text."""
        counted = count(self.texts[0])
        if self.choice is not None:
            counted = np.where(self.choice, count(self.texts[1]), counted)
        return counted[: self.size]

    def label(self, k: int) -> str:
        """Return the identifier of a segment, or of the segment around an atom; else its index."""
        if self.names:
            return self.names[k]
        return self.texts[0][k].id if self.texts else str(k)

    def segment(self, k: int) -> str:
        """Return the characters of a segment; empty when unknown."""
        if not self.texts:
            return ""
        text = self.texts[1 if self.choice is not None and self.choice[k] else 0]
        return text[k].text or ""


@dataclass(frozen=True, slots=True)
class Ground:
    """Two alignments over the same segments."""

    gold: Beads  # the bisegments of the gold standard, over the segments of the two sides
    hyp: Beads  # those of the hypothesis, likewise
    src: Side
    tgt: Side
    # The numbers of source and of target segments of each bisegment, before cuts into atoms.
    gold_sizes: tuple[Ints, Ints]
    hyp_sizes: tuple[Ints, Ints]
    name: str = ""  # the name of the text

    def missing_texts(self, granularity: str) -> str:
        """Name the texts that a granularity lacks, as `the source text`; empty for none."""
        if granularity not in {"word", "character"}:
            return ""
        sides = (("source", self.src), ("target", self.tgt))
        return " and ".join(f"the {name} text" for name, side in sides if not side.texts)

    def check_texts(self, granularity: str) -> None:
        """Raise `InputError` where a granularity lacks a text."""
        if lacking := self.missing_texts(granularity):
            raise InputError(
                f"{self.name or 'the bitext'}: {granularity} granularity needs {lacking}: give it "
                f"({remedy('src', 'tgt', python='Bitext.src, Bitext.tgt')})"
            )


def common_ground(
    gold: Bitext | Alignment, hyp: Bitext | Alignment, *, min_matched: float = 0.9
) -> Ground:
    """Bring two alignments of one bitext to the same segments.

    An alignment by itself names segments by position. `min_matched` is the least share of
    characters, white space apart, that the texts of gold standard and hypothesis must have in
    common.

    Raises `InputError` when an argument is neither an alignment nor a bitext; when one side names
    segments by position and the other by identifier, and no text has both; when an identifier or a
    position lies outside of the text; or when the texts differ too much.
    """
    if not (isinstance(min_matched, Real) and 0 <= min_matched <= 1):
        share = remedy("min-matched", python="min_matched")
        raise OptionError(f"{share} is {min_matched!r}: want a share from 0 to 1")
    a, b = _as_bitext(gold, "gold"), _as_bitext(hyp, "hyp")
    names = _called(a, b, ("the gold standard", "the hypothesis"))
    src = _meet(
        "source",
        _Party(a, a.src, a.alignment.src, names[0]),
        _Party(b, b.src, b.alignment.src, names[1]),
        min_matched,
    )
    tgt = _meet(
        "target",
        _Party(a, a.tgt, a.alignment.tgt, names[0]),
        _Party(b, b.tgt, b.alignment.tgt, names[1]),
        min_matched,
    )
    return Ground(
        Beads(src.gold, tgt.gold),
        Beads(src.hyp, tgt.hyp),
        src.side,
        tgt.side,
        gold_sizes=(a.alignment.src.lengths, a.alignment.tgt.lengths),
        hyp_sizes=(b.alignment.src.lengths, b.alignment.tgt.lengths),
        name=a.name or b.name,
    )


def common_pivot(
    first: Bitext, second: Bitext, *, min_matched: float = 0.9
) -> tuple[Rows, Rows, Side]:
    """Bring the target side of one alignment and the source side of another to common segments.

    `first` aligns to a pivot text, and `second` from it. The rows are the pivot side of the
    bisegments of either, in segments of the common side, the third result. `min_matched` is that of
    `common_ground`.

    Raises `InputError` as `common_ground` does, and when one alignment has positions and the other
    one the text of its bisegments alone.
    """
    names = _called(first, second)
    a = _Party(first, first.tgt, first.alignment.tgt, names[0])
    b = _Party(second, second.src, second.alignment.src, names[1])
    for known, other in ((a, b), (b, a)):
        if other.text is None and known.bitext.meta.get("holds") == "text":
            raise InputError(
                f"{other.name} names pivot segments by position, and {known.name} holds a text "
                f"that may be cut in another way: give the pivot text ({_text_of('pivot')})"
            )
    one, two = a.text, b.text
    if one is None or two is None or not (one.has_text and two.has_text):
        meeting = _meet("pivot", a, b, min_matched)
        return meeting.gold, meeting.hyp, meeting.side
    if one is two or same_segments(one, two):
        return a.rows, b.rows, Side(len(one), (one,))
    links, share = _links_of_versions(a, b, one, two, min_matched)
    pieces, size = [], links[0].size
    for linked, text in zip(links, (one, two), strict=True):
        # A segment without a counterpart is a piece of its own, which the other side lacks.
        number = np.bincount(linked, minlength=len(text))
        alone = np.flatnonzero(number == 0)
        owner = np.concatenate([linked, alone])
        piece = np.concatenate([np.arange(linked.size), size + np.arange(alone.size)])
        pieces.append(Rows(prefix(np.maximum(number, 1)), piece[np.argsort(owner, kind="stable")]))
        size += alone.size
    side = Side(size, matched=share, atoms=True)
    return spread(a.rows, pieces[0]), spread(b.rows, pieces[1]), side


def version_links(
    first: Bitext, second: Bitext, *, min_matched: float = 0.9
) -> tuple[Alignment, float]:
    """Align the segments of two versions of one text: the target of `first`, source of `second`.

    A bisegment is a segment of either version that have characters in common. Runs of equal
    segments are matched as such; the characters of the others are laid over each other. The second
    result is the share of the characters of both versions that are matched, white space apart.
    `min_matched` is that of `common_ground`.

    Raises `InputError` when the texts differ too much.
    """
    a, b = first.tgt, second.src
    if a is None or b is None:
        raise InputError("a version of the text is missing: give the characters of both")
    names = _called(first, second)
    one = _Party(first, a, first.alignment.tgt, names[0])
    two = _Party(second, b, second.alignment.src, names[1])
    (src, tgt), share = _links_of_versions(one, two, a, b, min_matched)
    each = np.arange(src.size + 1)
    return Alignment.from_arrays((each, src), (each, tgt)), share


def _links_of_versions(
    first: _Party, second: _Party, a: Text, b: Text, min_matched: float
) -> tuple[Ints, float]:
    """Return the pairs of segments that correspond, (2, pairs) and sorted, and the share matched.

    If one version lacks sentences, characters that are laid over each other as a whole agree by
    chance with those of other sentences, so equal segments are matched first.
    """
    keys = _segment_keys(a), _segment_keys(b)
    src, tgt = _equal_segments(*keys)
    total = sum(map(len, keys[0])) + sum(map(len, keys[1]))
    matched = 2 * sum(len(keys[0][k]) for k in src)
    rest, recut = _beside(src, tgt, keys)
    for i, j, size in recut:
        src.append(i)
        tgt.append(j)
        matched += 2 * size
    if rest[0].size and rest[1].size:
        texts = [
            Text([keys_of[k] for k in own.tolist()])
            for keys_of, own in zip(keys, rest, strict=True)
        ]
        one, other, count = _overlaid(texts[0], texts[1])
        matched += 2 * count
        src += rest[0][one].tolist()
        tgt += rest[1][other].tolist()
    share = min(matched / total, 1.0) if total else 1.0
    if share < min_matched:
        _meet("pivot", first, second, min_matched)  # raises with the first difference
    pairs = np.array([src, tgt], dtype=np.int64).reshape(2, -1)
    return pairs[:, np.lexsort(pairs[::-1])], share


def _segment_keys(text: Text) -> list[str]:
    """Return the segments in one normal form, white space apart."""
    keys = ["".join(segment.split()) for segment in text.segments()]
    return [key if key.isascii() else normalize("NFC", key) for key in keys]


def _equal_segments(a: list[str], b: list[str]) -> tuple[list[int], list[int]]:
    """Pair equal segments in order: those that are unique in both, and equal ones beside these."""
    places: list[dict[str, int]] = [{}, {}]
    for keys, own in zip((a, b), places, strict=True):
        for k, key in enumerate(keys):
            own[key] = -1 if key in own else k
    pairs = [
        (k, other)
        for key, k in places[0].items()
        if key and k >= 0 and (other := places[1].get(key, -1)) >= 0
    ]
    chain = [*longest_ascent(pairs), (len(a), len(b))]
    src: list[int] = []
    tgt: list[int] = []
    i = j = 0
    for begin, other in chain:
        # Equal segments after the pair before, then those in front of this pair.
        while i < begin and j < other and a[i] == b[j]:
            src.append(i)
            tgt.append(j)
            i, j = i + 1, j + 1
        m, n = begin, other
        while m > i and n > j and a[m - 1] == b[n - 1]:
            m, n = m - 1, n - 1
        stop = min(begin + 1, len(a))
        src += range(m, stop)
        tgt += range(n, n + stop - m)
        i, j = begin + 1, other + 1
    return src, tgt


def _beside(
    src: list[int], tgt: list[int], keys: tuple[list[str], list[str]]
) -> tuple[tuple[Ints, Ints], list[tuple[int, int, int]]]:
    """Divide the segments between pairs of equal segments, where both versions have some.

    Return two pairs: arrays of int64 with the segments of either version between others than equal
    characters; and, where the characters are equal and cut in different ways, a list of (segment,
    segment, number of common characters).
    """
    left: tuple[list[int], list[int]] = ([], [])
    recut: list[tuple[int, int, int]] = []
    ends = [*zip(src, tgt, strict=True), (len(keys[0]), len(keys[1]))]
    i = j = 0
    for end, other in ends:
        if i < end and j < other:
            if "".join(keys[0][i:end]) == "".join(keys[1][j:other]):
                recut += _pieces(keys[0][i:end], keys[1][j:other], i, j)
            else:
                left[0].extend(range(i, end))
                left[1].extend(range(j, other))
        i, j = end + 1, other + 1
    rest = np.array(left[0], dtype=np.int64), np.array(left[1], dtype=np.int64)
    return rest, recut


def _pieces(a: list[str], b: list[str], i: int, j: int) -> Iterator[tuple[int, int, int]]:
    """Yield the pairs of segments, numbered from `i` and `j`, that share characters."""
    ends = [np.cumsum([len(key) for key in keys]).tolist() for keys in (a, b)]
    m = n = at = 0
    while m < len(a) and n < len(b):
        end = min(ends[0][m], ends[1][n])
        if end > at:
            yield i + m, j + n, end - at
        at = end
        m, n = m + (ends[0][m] == end), n + (ends[1][n] == end)


_LEAST_RUN = 8  # characters; set by hand: shorter runs are in common by chance
_ENOUGH_CHARACTERS = 20  # characters in such runs that link two segments; set by hand
_LEAST_SHARE = 0.3  # share of the shorter segment that does; set by hand


def _overlaid(a: Text, b: Text) -> tuple[Ints, Ints, int]:
    """Pair the segments with characters in common; return also the number of these characters.

    Unlike on the common line, other sentences may stand here where one version lacks some, so that
    runs of a few characters are not evidence.
    """
    lines = meeting_lines(a, b)
    pairs = matches(*lines)
    ends = np.flatnonzero((np.diff(pairs[0]) != 1) | (np.diff(pairs[1]) != 1))
    lengths = np.diff(ends, prepend=-1, append=pairs[0].size - 1)
    long = np.repeat(lengths, lengths) >= _LEAST_RUN
    owners, sizes = [], []
    for line, own in zip(lines, pairs, strict=True):
        segment = np.searchsorted(line.text.starts, line.where, side="right") - 1
        owners.append(segment[own[long]])
        sizes.append(np.bincount(segment, minlength=len(line.text)))
    links, counts = np.unique(np.stack(owners), axis=1, return_counts=True)
    shorter = np.minimum(sizes[0][links[0]], sizes[1][links[1]])
    is_linked = (counts >= _ENOUGH_CHARACTERS) | (counts >= _LEAST_SHARE * shorter)
    return links[0][is_linked], links[1][is_linked], int(counts[is_linked].sum())


def _as_bitext(given: Bitext | Alignment, name: str) -> Bitext:
    if isinstance(given, Alignment):
        return Bitext(None, None, given)
    if not isinstance(given, Bitext):
        raise InputError(
            f"{name} is {given!r:.40}, of type {type(given).__name__}: want a Bitext, as of "
            f"bitext.read, or an Alignment"
        )
    return given


class _Party(NamedTuple):
    """One side of one bitext."""

    bitext: Bitext
    text: Text | None
    rows: Rows
    name: str  # in messages


def _called(
    first: Bitext,
    second: Bitext,
    roles: tuple[str, str] = ("the first alignment", "the second alignment"),
) -> tuple[str, str]:
    """Name two bitexts in messages, by their roles where their own names do not differ."""
    one, two = (each.meta.get("path") or each.name for each in (first, second))
    if one == two:
        return f"{roles[0]} {one}".rstrip(), f"{roles[1]} {two}".rstrip()
    return one or roles[0], two or roles[1]


class _Meeting(NamedTuple):
    gold: Rows
    hyp: Rows
    side: Side


def _meet(side: str, gold: _Party, hyp: _Party, min_matched: float) -> _Meeting:
    a, b = gold.text, hyp.text
    if a is None and b is None:
        return _by_position(gold.rows, hyp.rows)
    if a is None or b is None:
        known = gold if b is None else hyp
        return _over_text(side, known, hyp if b is None else gold, gold, hyp)
    if a is b:
        texts, names = ((a,), ()) if a.has_text else ((), tuple(a.ids))
        return _Meeting(gold.rows, hyp.rows, Side(len(a), texts, names=names))
    if not (a.has_text and b.has_text):
        return _by_id(side, gold, hyp, a, b)
    if same_segments(a, b):
        return _Meeting(gold.rows, hyp.rows, Side(len(a), (a,)))
    return _by_characters(side, gold, hyp, a, b, min_matched)


def _by_position(gold: Rows, hyp: Rows) -> _Meeting:
    """Take positions as the numbers of segments, packed where they are sparse."""
    (packed_gold, packed_hyp), used = pack_positions([gold, hyp])
    if used is not None:
        side = Side(used.size, names=tuple(map(str, used.tolist())))
        return _Meeting(packed_gold, packed_hyp, side)
    return _Meeting(gold, hyp, Side(max(int(rows.idx.max(initial=-1)) for rows in (gold, hyp)) + 1))


def pack_positions(family: Sequence[Rows]) -> tuple[list[Rows], Ints | None]:
    """Number the used positions from 0, where they go far beyond the number of members.

    The rows of a family are over the same positions. The second result is the position of each
    number; `None` if positions stay as they are. Arrays over segments then have the size of the
    rows, not that of their greatest position.

    Examples
    --------
    >>> rows = Rows(np.array([0, 1, 2]), np.array([7, 90_000]))
    >>> (packed,), used = pack_positions([rows])
    >>> packed.idx.tolist(), used.tolist()
    ([0, 1], [7, 90000])

    """
    members = np.concatenate([np.zeros(0, dtype=np.int64), *(rows.idx for rows in family)])
    if members.max(initial=-1) < _SPREAD * members.size + _FEW:
        return list(family), None
    used, place = np.unique(members, return_inverse=True)
    ends = np.cumsum([rows.idx.size for rows in family])
    places = np.split(place, ends[:-1])
    return [Rows(rows.ptr, own) for rows, own in zip(family, places, strict=True)], used


def _over_text(side: str, known: _Party, other: _Party, gold: _Party, hyp: _Party) -> _Meeting:
    text = known.text
    if text is None or not text.has_text:
        raise InputError(
            f"{other.name} names {side} segments by position and {known.name} by identifier: "
            f"give the {side} text that both go over ({_text_of(side)})"
        )
    if known is hyp and hyp.bitext.meta.get("holds") == "text":
        # The positions may mean other segments: a text of bisegments has joined ones.
        raise InputError(
            f"{gold.name} names {side} segments by position, and {hyp.name} holds a text that may "
            f"be cut in another way: give the {side} text of the gold standard ({_text_of(side)})"
        )
    most = int(other.rows.idx.max()) if other.rows.idx.size else -1
    if most >= len(text):
        extent = f"{len(text)} (0 to {len(text) - 1})" if len(text) else "none"
        raise InputError(
            f"{other.name} names {side} segment {most}, but {text.name or 'the text'} of "
            f"{known.name} has {extent}: were both made over one text?"
        )
    return _Meeting(gold.rows, hyp.rows, Side(len(text), (text,)))


def _text_of(side: str) -> str:
    key = {"source": "src", "target": "tgt"}.get(side, side)
    if side == "pivot":
        return remedy(key, python="Bitext.tgt and Bitext.src")
    return remedy(key, python=f"Bitext.{key}")


_NUMBER = re.compile(r"[0-9]+")


def _plain_id(name: str) -> str:
    """Return an identifier in small letters, its numbers without leading zeros."""
    return _NUMBER.sub(lambda number: number[0].lstrip("0") or "0", name.casefold())


def _id_shape(name: str) -> str:
    return _NUMBER.sub("#", name)


def _last_number(name: str) -> str:
    """Return the last number of an identifier, empty if it has none."""
    numbers: list[str] = _NUMBER.findall(_plain_id(name))
    return numbers[-1] if numbers else ""


def _check_ids(side: str, gold: _Party, hyp: _Party, a: Text, b: Text) -> None:
    """Refuse identifiers that name the same segments in two ways, or in one text from 0.

    Figures would be 0, or slightly too low, as for other alignments of the same sentences. Where
    both use one way (s1, s2 and s7, s8) the alignments share no segment, which is no fault.
    """
    if not (len(a) and len(b)):
        return
    index = a.index_of_ids
    way = f"give the {side} text that both go over ({_text_of(side)})"
    # No identifier is common: sides may be exchanged, or segments named in two ways.
    if not any(name in index for name in b.ids):
        other = {"source": hyp.bitext.tgt, "target": hyp.bitext.src}.get(side)
        spelling, shapes, last = (
            [{read(name) for name in text.ids} for text in (a, b)]
            for read in (_plain_id, _id_shape, _last_number)
        )
        is_shaped_alike = bool(shapes[0] & shapes[1])
        is_swapped = other is not None and any(name in index for name in other.ids)
        if is_swapped and not is_shaped_alike:
            way = f"its other side fits: are the sides swapped ({remedy('swap')})?"
        elif spelling[0] & spelling[1] or (not is_shaped_alike and (last[0] & last[1]) - {""}):
            way += ", or correct the identifiers"
        else:
            return
        raise InputError(
            f"{gold.name} names {side} segments as {a.ids[0]!r:.40} and {hyp.name} as "
            f"{b.ids[0]!r:.40}, and none alike: {way}"
        )
    # Some are common: numbers that differ by one at both ends count from 0 and from 1.
    numbers = [
        [int(name) for name in text.ids if name.isascii() and name.isdigit()] for text in (a, b)
    ]
    if any(len(own) < len(text) for own, text in zip(numbers, (a, b), strict=True)):
        return
    low, high = ([edge(own) for own in numbers] for edge in (min, max))
    if sorted(low) == [0, 1] and high[0] - high[1] == low[0] - low[1]:
        parties = (gold, hyp) if low[0] else (hyp, gold)
        raise InputError(
            f"{side} identifiers of {parties[0].name} are {max(low)} to {max(high)}, and those of "
            f"{parties[1].name} 0 to {min(high)}: they seem to count from 1 and from 0; {way}, or "
            f"correct the identifiers"
        )


def _check_first_number(side: str, parties: tuple[_Party, _Party]) -> None:
    """Refuse numbers without 0 as identifiers in a text that counts from 0, of another format.

    `parties` are that with the text, and that with identifiers alone, such as the lines of a text
    in XCES, which count from 1. With all of them, the last one would be unknown to the text.
    """
    known, other = (each.text.ids if each.text else [] for each in parties)
    formats = [each.bitext.meta.get("format") for each in parties]
    if formats[0] == formats[1] or not other or "0" in other or not all(map(str.isdigit, other)):
        return
    if known[0] == "0" and all(name == str(k) for k, name in enumerate(known)):
        raise InputError(
            f"{parties[1].name} names {side} segments by numbers from {other[0]}, and those of "
            f"{parties[0].name} count from 0: do both? Give the {side} text that both go over "
            f"({_text_of(side)})"
        )


def _by_id(side: str, gold: _Party, hyp: _Party, a: Text, b: Text) -> _Meeting:
    """Number segments by identifier; a text with characters must have all of them."""
    texts: list[Text]
    if a.has_text or b.has_text:
        known, other, party = (a, b, hyp) if a.has_text else (b, a, gold)
        index = known.index_of_ids
        missing_id = next((name for name in other.ids if name not in index), None)
        if missing_id is not None:
            span = f"{known.ids[0]!r} to {known.ids[-1]!r}" if len(known) else "none"
            advice = (
                f"give the text that was aligned, or check that the sides are not swapped "
                f"({remedy('swap')})"
            )
            if known.has_text and _holds_identifiers(known):
                table = remedy("from id-pairs", python="format='id-pairs'")
                shown = repr(next(known.segments())[:40])
                advice = f"its texts seem to be identifiers, as {shown}: read them so ({table})"
            raise InputError(
                f"{party.name} names {side} segment {missing_id!r}, which "
                f"{known.name or 'the text'} lacks (its ids: {span}): {advice}"
            )
        _check_first_number(side, (gold, hyp) if a.has_text else (hyp, gold))
        size, texts = len(known), [known]
    elif a.ids == b.ids:
        return _Meeting(gold.rows, hyp.rows, Side(len(a), names=tuple(a.ids)))
    else:
        _check_ids(side, gold, hyp, a, b)
        index = dict(a.index_of_ids)
        for name in b.ids:
            index.setdefault(name, len(index))
        size, texts = len(index), []
    new = [np.array([index[name] for name in text.ids], dtype=np.int64) for text in (a, b)]
    meeting = Side(size, tuple(texts), names=() if texts else tuple(index))
    return _Meeting(relabel(gold.rows, new[0]), relabel(hyp.rows, new[1]), meeting)


_IDENTIFIER = re.compile(r" *[!-~]*[0-9][!-~]* *")
_LEAST_IDENTIFIERS = 3  # segments of a text that are all identifiers; set by hand
_PART_SHARE = 0.9  # share of a text, at least, that makes it a part of another; set by hand


def same_segments(a: Text, b: Text) -> bool:
    """Compare the segments of two texts, apart from white space and normal form."""
    if len(a) != len(b):
        return False
    if a.line == b.line and np.array_equal(a.starts, b.starts) and np.array_equal(a.ends, b.ends):
        return True
    pairs = zip(a.segments(), b.segments(), strict=True)
    return all(x == y or _normal(x) == _normal(y) for x, y in pairs)


def _normal(segment: str) -> str:
    plain = " ".join(segment.split())
    return plain if plain.isascii() else normalize("NFC", plain)


def _by_characters(
    side: str, gold: _Party, hyp: _Party, a: Text, b: Text, min_matched: float
) -> _Meeting:
    first, second = meeting_lines(a, b)
    pairs = matches(first, second)
    total = first.points.size + second.points.size
    matched = 2 * pairs[0].size / total if total else 1.0
    if matched < 1 and all(map(_holds_identifiers, (a, b))):
        shown = " and ".join(repr(next(text.segments())[:40]) for text in (a, b))
        table, lists = remedy("from id-pairs", python="format='id-pairs'"), '{"src": ["s1"], ...}'
        raise InputError(
            f"the {side} texts of {gold.name} and {hyp.name} seem to be identifiers, as {shown}, "
            f"of which no characters are matched: give a table of two columns of them ({table}), "
            f"or lists in JSON lines ({lists})"
        )
    # The advice names the likeliest cause: another order, segments left out, or exchanged sides.
    if matched < min_matched:
        other = hyp.bitext.src if side == "target" else hyp.bitext.tgt
        crossed = 0
        if other is not None and other.has_text:
            crossed = match_characters(*(line.points for line in meeting_lines(a, other)))[0].size
        advice = "score alignments of the same text"
        if side == "pivot":
            advice = "name alignments that have a text in common"
        elif _in_another_order(a, b):
            advice = "its segments are in another order: sort them as those of the gold standard"
        elif pairs[0].size >= _PART_SHARE * min(first.points.size, second.points.size) > 0:
            share = int(matched * 10) / 10
            way = remedy(f"min-matched {share}", python=f"min_matched={share}")
            advice += f" ({way} where one leaves segments out)"
        if crossed > pairs[0].size * 2:
            advice = f"its other side fits better: are the sides swapped ({remedy('swap')})?"
        difference = _difference(side, gold, hyp, first, second, matched, min_matched)
        raise InputError(f"{difference}; {advice}")
    # Atoms are the overlaps of both segmentations on one line of characters.
    line = _with_exchanged_apart(CommonLine(first, second, pairs), first, second, pairs)
    pieces = overlap(*(bounds_of(*line.spans(k), 0, line.length) for k in (0, 1)))
    texts = line.cut(0, pieces.start, pieces.end), line.cut(1, pieces.start, pieces.end)
    bare = texts[0].starts == texts[0].ends
    return _Meeting(
        spread(gold.rows, _atoms(pieces.first, len(a))),
        spread(hyp.rows, _atoms(pieces.second, len(b))),
        Side(pieces.start.size, texts, bare, matched, atoms=True, names=_names(pieces, a, b)),
    )


def _with_exchanged_apart(
    line: CommonLine, first: Line, second: Line, pairs: tuple[Ints, Ints]
) -> CommonLine:
    """Return the line without matches between a segment and another one in its place.

    Such a segment is one of the other text elsewhere: another sentence, and no version of the one
    in its place. Segments that differ in case, marks and blanks alone are versions.
    """
    if pairs[0].size == first.points.size == second.points.size:
        return line
    lines = first, second
    filled = [np.flatnonzero(each.ends() > each.begins()) for each in lines]
    spans = [start * (line.length + 1) + end for start, end in map(line.spans, (0, 1))]
    places = [span[own] for span, own in zip(spans, filled, strict=True)]
    _, *at = np.intersect1d(places[0], places[1], return_indices=True)
    both = [own[k] for own, k in zip(filled, at, strict=True)]
    # Segments in one place are equal if all their characters are matched, as nearly all are.
    differ = np.zeros(both[0].size, dtype=np.bool_)
    for each, own, matched in zip(lines, both, pairs, strict=True):
        alone = np.ones(each.points.size, dtype=np.int64)
        alone[matched] = 0
        total = prefix(alone)
        differ |= (total[each.ends()] > total[each.begins()])[own]
    if not differ.any():
        return line
    segments = [list(map(_normal, each.text.segments())) for each in lines]
    known = [set(each) for each in segments]
    exchanged = [
        (i, j)
        for i, j in zip(*(own[differ].tolist() for own in both), strict=True)
        if (one := segments[0][i]) != (other := segments[1][j])
        and (other in known[0] or one in known[1])
        and _bare(one) != _bare(other)
    ]
    if not exchanged:
        return line
    kept = np.ones(pairs[0].size, dtype=np.bool_)
    chosen = np.array(exchanged).T
    for each, own, matched in zip(lines, chosen, pairs, strict=True):
        inside = np.zeros(each.points.size + 1, dtype=np.int64)
        np.add.at(inside, each.begins()[own], 1)
        np.subtract.at(inside, each.ends()[own], 1)
        kept &= np.cumsum(inside)[matched] == 0
    return CommonLine(first, second, (pairs[0][kept], pairs[1][kept]), first.begins()[chosen[0]])


def _bare(segment: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKD", segment.casefold())))


def _holds_identifiers(text: Text) -> bool:
    """Check for segments that all have digits and no blanks, in ASCII alone."""
    return len(text) >= _LEAST_IDENTIFIERS and all(map(_IDENTIFIER.fullmatch, text.segments()))


def _in_another_order(a: Text, b: Text) -> bool:
    """Check for nearly all segments of the shorter text in the other, reordered.

    Segments that a text has twice are not evidence.
    """
    counts = [Counter(map(_normal, text.segments())) for text in (a, b)]
    one, other = ({each for each, n in count.items() if n == 1 and each} for count in counts)
    fewer = min(len(one), len(other))
    if fewer < 2 or len(one & other) < _PART_SHARE * fewer:
        return False
    orders = [[x for x in map(_normal, text.segments()) if x in one & other] for text in (a, b)]
    return orders[0] != orders[1]


def _names(pieces: Overlaps, a: Text, b: Text) -> tuple[str, ...]:
    """Return the identifier of the segment around each piece, of the first text if it has one."""
    first, second = a.ids, b.ids
    owners = zip(pieces.first.tolist(), pieces.second.tolist(), strict=True)
    return tuple(first[i // 2] if i % 2 else f"+{second[j // 2]}" for i, j in owners)


def _atoms(owner: Ints, segments: int) -> Rows:
    """Return the pieces of each segment; odd owners are segments, even ones gaps between them."""
    inside = np.flatnonzero(owner % 2 == 1)
    return Rows(prefix(np.bincount(owner[inside] // 2, minlength=segments)), inside)


def _difference(
    side: str,
    gold: _Party,
    hyp: _Party,
    first: Line,
    second: Line,
    matched: float,
    min_matched: float,
) -> str:
    return (
        f"the {side} texts of {gold.name} and {hyp.name} differ: {matched:.1%} of their characters "
        f"match, white space apart, and {min_matched:.0%} must; the first difference is "
        f"{first_difference(first, second)}"
    )
