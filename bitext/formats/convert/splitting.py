"""Splitting alignments into parts, such as train, dev and test, without near-duplicates across.

The first pass gives each bisegment a key, a hash of its characters and the seed. Units, which are
bisegments or whole document pairs, are placed by their keys, whatever their order in the files. One
more pass for each part writes it. Memory is some 400 bytes a bisegment of 30 words.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import isclose
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.formats.beads import joined_sides
from bitext.formats.convert.filters import select
from bitext.formats.reading import opened
from bitext.kernels.near_duplicates import near_duplicate_clusters
from bitext.kernels.rows import Rows, prefix
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Notes
    from bitext.formats.registry import Format
    from bitext.model import Bitext

__all__ = ["FILE", "Part", "Placement", "parse_parts", "part_of", "place_bisegments"]

FILE = "file"  # strata that are files, not values of a column
_NAMES = {2: ("train", "test"), 3: ("train", "dev", "test")}
_NAME = re.compile(r"\w[\w.-]*")
_LEFT_OUT = -1
_WHOLE = 2.0**64  # of hashes
# Words; a character of a script without blanks is a word of its own.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its name, and its share of all, or its number of bisegments."""

    name: str
    share: float = 0.0
    count: int | None = None


def parse_parts(given: str) -> tuple[Part, ...]:
    """Parse the parts: shares as `90/5/5`, or names as `train=90%,dev=5%,test=2000`.

    Two shares are train and test, three train, dev and test, more are part1, part2, ... Of named
    parts, one with `%` has a share, a whole number is a number of bisegments, and `rest` is
    what remains.

    Raises
    ------
    OptionError
        When the shares do not add up to 100, a name repeats, or a size is none.

    Examples
    --------
    >>> [(part.name, part.share) for part in parse_parts("90/5/5")]
    [('train', 0.9), ('dev', 0.05), ('test', 0.05)]
    >>> parse_parts("test=2000,train=rest")
    (Part(name='test', share=0.0, count=2000), Part(name='train', share=1.0, count=None))

    """
    if "=" not in given:
        sizes = given.split("/")
        names = _NAMES.get(len(sizes), [f"part{k}" for k in range(1, len(sizes) + 1)])
        items = [(name, f"{size}%") for name, size in zip(names, sizes, strict=True)]
    else:
        items = [
            (name.strip(), size.strip())
            for name, _, size in (item.partition("=") for item in given.split(","))
        ]
    parts = [_part(name, size, given) for name, size in items]
    names = [part.name.lower() for part in parts]
    if len(parts) < 2 or len(set(names)) < len(names):
        raise OptionError(f"parts {given!r:.60}: want two different ones or more, as 90/5/5")
    return _with_whole_shares(parts, given)


def _part(name: str, size: str, given: str) -> Part:
    want = f"parts {given!r:.60}: {size!r:.20} is no size; want 90/5/5, or train=rest,test=2000"
    if not _NAME.fullmatch(name):
        raise OptionError(f"parts {given!r:.60}: {name!r:.20} is no name of a part; want letters")
    if size == "rest":
        return Part(name, share=-1.0)
    if re.fullmatch(r"\d{1,15}", size, re.ASCII) and int(size):
        return Part(name, count=int(size))
    if not re.fullmatch(r"\d{1,3}(\.\d{1,9})?%", size, re.ASCII) or not float(size[:-1]):
        raise OptionError(want)
    return Part(name, share=float(size[:-1]) / 100)


def _with_whole_shares(parts: list[Part], given: str) -> tuple[Part, ...]:
    """Fill in the share of the rest; refuse shares that do not add up to the whole."""
    rests = [part for part in parts if part.share < 0]
    total = sum((part.share for part in parts if part.share > 0), 0.0)
    counted = any(part.count is not None for part in parts)
    if len(rests) > 1:
        raise OptionError(f"parts {given!r:.60}: one part alone can be the rest")
    if rests and total < 1 - 1e-9:
        parts = [replace(part, share=1 - total) if part.share < 0 else part for part in parts]
    elif rests or not isclose(total, 1, abs_tol=1e-9):
        of = "of what the counts leave, " if counted else ""
        raise OptionError(
            f"parts {given!r:.60}: {of}the shares add up to {100 * total:g} %, not to 100; "
            f"change one, or name the rest, as train=rest,test=5%"
        )
    return tuple(parts)


@dataclass(slots=True)
class Placement:
    """The part of each bisegment, in order of the files.

    Attributes
    ----------
    part : array of int16
        The number of the part of each bisegment; -1 for one that is in none.
    by : str
        The units that are placed whole: `bead` or `text`.
    counts : list of int
        The number of bisegments of each part.
    left_out : int
        The bisegments in no part, as their near-duplicates are in another text of another part.
    clusters : int
        The clusters of more than one near-duplicate.

    """

    part: NDArray[np.int16]
    by: str
    counts: list[int]
    left_out: int = 0
    clusters: int = 0


@dataclass(slots=True)
class _Keys:
    """What the first pass collects of each bisegment."""

    hashes: list[NDArray[np.uint64]] = field(default_factory=list)
    sizes: list[NDArray[np.int64]] = field(default_factory=list)
    tokens: list[NDArray[np.uint32]] = field(default_factory=list)
    texts: list[NDArray[np.int64]] = field(default_factory=list)
    strata: list[NDArray[np.int64]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    pairs: int = 0


def place_bisegments(
    inputs: Sequence[tuple[str, Mapping[str, Any]]],
    parts: Sequence[Part],
    *,
    by: str = "auto",
    stratify: str = "",
    near: float = 0.8,
    seed: int = 0,
    notes: Notes,
    on_part: Callable[[int], None] | None = None,
) -> Placement:
    """Read all inputs once; place each bisegment in a part.

    Parameters
    ----------
    inputs : sequence of (path, arguments of `bitext.formats.reading.opened`)
    parts : sequence of Part
    by : {"auto", "bead", "text"}
        The units; `auto` is document pairs where there are several, and bisegments otherwise.
    stratify : str
        The column whose values, or `file` for the files, are split each by itself; empty for none.
    near : float
        The least Jaccard coefficient of the words of near-duplicates; 0 to place each by itself.
    seed : int
        Another seed gives another split.
    notes : Notes
        Takes the notes of the inputs.
    on_part : callable, optional
        Called with the number of bisegments read since the last call.

    Raises
    ------
    InputError
        When a text is not known by its characters, no bisegment has the column of the strata, or
        there are fewer bisegments than the counts of parts.

    """
    keys = _Keys()
    for path, reading in inputs:
        for bitext in _read(path, reading, notes):
            _collect(keys, bitext, path, stratify, seed, near=bool(near))
            if on_part is not None:
                on_part(len(bitext.alignment))
    hashes = _joint(keys.hashes, np.uint64)
    count = len(hashes)
    if stratify and stratify != FILE and count and set(keys.numbers) == {""}:
        raise InputError(
            f"no bisegment has a value in the column {stratify!r} ({remedy('stratify')}): name "
            f"another column, or {FILE}"
        )
    texts, strata = _joint(keys.texts, np.int64), _joint(keys.strata, np.int64)
    unit_kind = by if by != "auto" else ("text" if keys.pairs > 1 else "bead")
    clusters = np.arange(count)
    if near and count:
        sets = Rows(prefix(_joint(keys.sizes, np.int64)), _joint(keys.tokens, np.uint32))
        keys.tokens.clear()
        clusters = near_duplicate_clusters(sets, threshold=near)
    units = clusters if unit_kind == "bead" else texts
    placed = _placed(hashes, units, strata, parts, stratified=bool(stratify), whole=unit_kind)
    left_out = 0
    if near and unit_kind == "text":
        left_out = _leave_out(placed, clusters, len(parts))
    counts = np.bincount(placed[placed >= 0], minlength=len(parts)).tolist()
    repeated = int(np.count_nonzero(np.bincount(clusters, minlength=1) > 1)) if count else 0
    return Placement(placed.astype(np.int16), unit_kind, counts, left_out, repeated)


def _read(path: str, reading: Mapping[str, Any], notes: Notes | None) -> Iterator[Bitext]:
    with opened(path, **reading, parts=True) as open_file:
        for bitext in open_file:
            if notes is not None:
                notes.extend(bitext.notes)
            yield bitext
        if notes is not None:
            notes.extend(open_file.source.notes.drain())


def _collect(
    keys: _Keys, bitext: Bitext, path: str, stratify: str, seed: int, *, near: bool
) -> None:
    keys.pairs += not bitext.continues
    size = len(bitext.alignment)
    src, tgt = joined_sides(bitext, "splitting by content")
    begin = blake2b(f"{seed}".encode(), digest_size=8)
    values = np.empty(size, dtype=np.uint64)
    rows = []
    for k, (one, other) in enumerate(zip(src, tgt, strict=True)):
        digest = begin.copy()
        digest.update(f"\0{one}\0{other}".encode("utf-8", "surrogatepass"))
        values[k] = int.from_bytes(digest.digest(), "little")
        if near:
            rows.append(_tokens(one, other))
    keys.hashes.append(values)
    keys.texts.append(np.full(size, keys.pairs - 1))
    if near:
        keys.sizes.append(np.fromiter(map(len, rows), np.int64, size))
        keys.tokens.append(
            np.fromiter((t for row in rows for t in row), np.uint32, sum(map(len, rows)))
        )
    column = bitext.alignment.attributes.get(stratify, [None] * size) if stratify else [""] * size
    names = [path] * size if stratify == FILE else [value or "" for value in column]
    keys.strata.append(
        np.array([keys.numbers.setdefault(name, len(keys.numbers)) for name in names], np.int64)
    )


def _tokens(src: str, tgt: str) -> list[int]:
    """Return the hashes of the words of both sides; of a side without words its characters."""
    tokens = set()
    for salt, side in ((0, src), (1, tgt)):
        for word in _WORDS.findall(side.lower()) or [side]:
            tokens.add(zlib.crc32(word.encode("utf-8", "surrogatepass"), salt))
    return sorted(tokens)


def _joint(arrays: list[Any], kind: Any) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.empty(0, kind)


def _placed(
    hashes: NDArray[np.uint64],
    units: NDArray[np.int64],
    strata: NDArray[np.int64],
    parts: Sequence[Part],
    *,
    stratified: bool,
    whole: str,
) -> NDArray[np.int64]:
    """Return the part of each bisegment, by the keys of units."""
    if not len(hashes):
        return np.empty(0, np.int64)
    _, unit_of = np.unique(units, return_inverse=True)
    unit_of = unit_of.reshape(-1)
    size = int(unit_of.max()) + 1
    # The key of a unit is the least of its bisegments: it stays when the unit grows, mostly.
    keys = np.full(size, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(keys, unit_of, hashes)
    if whole == "text":
        # The least of many hashes is near 0: the sum of all is as good as random.
        keys[:] = 0
        np.add.at(keys, unit_of, hashes)
    else:
        keys = _rehashed(keys)
    weights = np.bincount(unit_of, minlength=size)
    # A unit belongs to the stratum of its bisegment with the least hash.
    order = np.lexsort((hashes, unit_of))
    first = order[np.flatnonzero(np.diff(unit_of[order], prepend=-1))]
    groups = strata[first]
    if stratified or any(part.count is not None for part in parts):
        places = _by_rank(keys, weights, groups, parts)
    else:
        limits = np.cumsum([part.share for part in parts])[:-1]
        places = np.searchsorted(limits, keys / _WHOLE, side="right")
    result: NDArray[np.int64] = places[unit_of]
    return result


def _rehashed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash the least keys of clusters again: as minima they are lower than other keys."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _by_rank(
    keys: NDArray[np.uint64],
    weights: NDArray[np.int64],
    strata: NDArray[np.int64],
    parts: Sequence[Part],
) -> NDArray[np.int64]:
    """Place the units of each stratum in the order of their keys: counts first, then shares."""
    places = np.full(len(keys), _LEFT_OUT, dtype=np.int64)
    members = [np.flatnonzero(strata == k) for k in np.unique(strata)]
    sizes = np.array([int(weights[each].sum()) for each in members])
    wanted = sum(part.count or 0 for part in parts)
    if wanted > sizes.sum():
        raise InputError(f"there are {sizes.sum():,} bisegments, and the parts want {wanted:,}")
    quotas = {k: _shared_out(part.count, sizes) for k, part in enumerate(parts) if part.count}
    shares = [(k, part.share) for k, part in enumerate(parts) if part.count is None]
    limits = np.cumsum([share for _, share in shares])[:-1]
    for number, each in enumerate(members):
        order = each[np.argsort(keys[each], kind="stable")]
        for k, quota in quotas.items():
            room, rest = int(quota[number]), []
            for unit in order.tolist():
                if weights[unit] <= room:
                    places[unit] = k
                    room -= int(weights[unit])
                else:
                    rest.append(unit)
            order = np.array(rest, dtype=np.int64)
        if not order.size or not shares:
            continue
        middle = np.cumsum(weights[order]) - weights[order] / 2
        chosen = np.searchsorted(limits, middle / weights[order].sum(), side="right")
        places[order] = np.array([k for k, _ in shares])[chosen]
    return places


def _shared_out(count: int, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Share a count out over strata by their sizes, the largest remainders first."""
    exact = count * sizes / sizes.sum()
    quota = np.floor(exact).astype(np.int64)
    best = np.argsort(quota - exact, kind="stable")[: count - int(quota.sum())]
    quota[best] += 1
    result: NDArray[np.int64] = quota
    return result


def _leave_out(placed: NDArray[np.int64], clusters: NDArray[np.int64], parts: int) -> int:
    """Leave near-duplicates out of all parts but the smallest that has one; return how many."""
    sizes = np.bincount(placed[placed >= 0], minlength=parts)
    rank = np.argsort(np.argsort(sizes, kind="stable"), kind="stable")
    ranks = np.where(placed >= 0, rank[placed], parts)
    least = np.full(len(placed), parts, dtype=np.int64)
    np.minimum.at(least, clusters, ranks)
    out = (ranks > least[clusters]) & (placed >= 0)
    placed[out] = _LEFT_OUT
    return int(out.sum())


def part_of(
    inputs: Sequence[tuple[str, Mapping[str, Any]]],
    placement: Placement,
    number: int,
    known: Format,
) -> Iterator[Bitext]:
    """Read all inputs again; yield the bisegments of one part, for its file.

    A document pair without a bisegment in the part is not in it.

    Raises
    ------
    InputError
        When the inputs have another number of bisegments than before.

    """
    whole, at, pending = known.holds != "text", 0, False
    for path, reading in inputs:
        for bitext in _read(path, reading, None):
            size = len(bitext.alignment)
            chosen = placement.part[at : at + size] == number
            at += size
            if at > len(placement.part):
                break
            pending = pending if bitext.continues else True
            if not chosen.any():
                continue
            if placement.by == "bead" and not whole:
                # Segments in no bisegment belong to no part: they would be in all of them.
                bitext = _covered(bitext)
            part = bitext if chosen.all() else select(bitext, chosen, whole=whole)
            # The first chunk of a pair that has any bisegments begins the pair in the part.
            yield replace(part, continues=not pending)
            pending = False
    if at != len(placement.part):
        raise InputError(
            f"{', '.join(path for path, _ in inputs[:3])}: changed while being split; try again"
        )


def _covered(bitext: Bitext) -> Bitext:
    """Return the bitext without the segments in no bisegment."""
    texts, rows = [], []
    for text, side in (
        (bitext.src, bitext.alignment.src),
        (bitext.tgt, bitext.alignment.tgt),
    ):
        covered = np.zeros(0 if text is None else len(text), dtype=np.bool_)
        covered[side.idx] = True
        if text is not None and not covered.all():
            text = text.select(np.flatnonzero(covered))
            side = side._replace(idx=(np.cumsum(covered) - 1)[side.idx])
        texts.append(text)
        rows.append(side)
    a = bitext.alignment
    alignment = type(a).from_arrays(*rows, scores=a.scores, attributes=a.attributes)
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=alignment)
