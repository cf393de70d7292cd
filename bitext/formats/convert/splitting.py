"""Splitting alignments into parts, such as train, dev and test, without near-duplicates across.

The first pass gives each bisegment a key, a hash of its characters and the seed, and takes the set
of its words; files may be read by several processes. Units, which are bisegments, document pairs,
or bisegments of one document by a column, are placed by their keys, whatever their order in the
files. The second pass writes all parts. Memory is some 450 bytes a bisegment of 36 words.

If the place of a bisegment depends on itself alone, one pass does both, and nothing is held in
memory: parts of shares, without near-duplicates and strata, of bisegments or documents by a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from math import isclose
from queue import Queue
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError, many, remedy
from bitext.formats.beads import joined_sides
from bitext.formats.cleaning import Pair, Side
from bitext.formats.cleaning.repeats import digest_rows, packed, unpacked, word_sets
from bitext.formats.convert.filters import segments_of, select
from bitext.formats.io.source import Notes
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import Format
from bitext.kernels.arrays import Ints, Rows, mixed, prefix
from bitext.kernels.near_duplicates import GrowingArray, near_duplicate_clusters
from bitext.model import Bitext

UNITS = ("auto", "text", "bead")  # units other than documents by a column
FILE = "file"  # strata that are files, not values of a column
_NAMES = {2: ("train", "test"), 3: ("train", "dev", "test")}
_NAME = re.compile(r"\w[\w.-]*")
_LEFT_OUT = -1
_AHEAD = 4  # bitexts of a part that are read before they are written; set by hand
_WHOLE = 2.0**64  # of hashes


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

    Raises `OptionError` when the shares do not add up to 100, a name repeats, or a size is none.

    Examples
    --------
    >>> [(part.name, part.share) for part in parse_parts("90/5/5")]
    [('train', 0.9), ('dev', 0.05), ('test', 0.05)]
    >>> parse_parts("test=2000,train=rest")
    (Part(name='test', share=0.0, count=2000), Part(name='train', share=1.0, count=None))

    """
    if "=" not in given and not set(given) <= set("0123456789.%/ "):
        raise OptionError(
            f"parts {given!r:.60}: are no sizes; want 90/5/5, or train=rest,test=2000, before the "
            f"files"
        )
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
        raise OptionError(f"parts {given!r:.60}: only one part can be the rest")
    if counted and not total and not rests:
        raise OptionError(
            f"parts {given!r:.60}: all sizes are counts, which leave the rest in no part: name it, "
            f"as train=rest,test=2000, or give shares, as train=90%,test=10%"
        )
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
    """The part of each bisegment, in order of the files."""

    # The number of the part of each bisegment; -1 for one that is in none. Of a split in one pass
    # it is empty.
    part: NDArray[np.int16]
    by: str  # the units that are placed whole: `bead`, `text`, or the name of a column
    counts: list[int]  # the number of bisegments of each part
    # The bisegments in no part, as their near-duplicates are in another text of another part.
    left_out: int = 0
    clusters: int = 0  # the clusters of more than one near-duplicate

    @classmethod
    def without_places(cls, by: str, parts: int) -> Placement:
        """Return the placement of a split in one pass, before it has begun."""
        return cls(np.empty(0, np.int16), by, [0] * parts)

    @property
    def total(self) -> int:
        """The number of bisegments, those in no part included."""
        return len(self.part) or sum(self.counts)


class Values:
    """The values of a column, numbered in the order of their first occurrence."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.numbers = {name: k for k, name in enumerate(names)}

    def number(self, names: Iterable[str]) -> NDArray[np.int32]:
        """Return the number of each name; new names get the next ones."""
        numbers = self.numbers
        return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting:
    """The options of a split that the keys of bisegments depend on."""

    # The units that are placed whole: `text`, `bead`, `auto`, or a column, whose value is that of
    # all bisegments of a document.
    by: str = "auto"
    # The column whose values, or `file` for the files, are split each by itself; empty for none.
    stratify: str = ""
    # The least Jaccard coefficient of the words of near-duplicates; 0 to place each by itself.
    near: float = 0.8
    seed: int = 0  # another seed gives another split

    @property
    def column(self) -> str:
        """The column of documents; empty without one."""
        return "" if self.by in UNITS else self.by


@dataclass(slots=True)
class Keys:
    """The keys of the bisegments of a file, or of several."""

    # Hashes of the characters and the seed.
    hashes: list[NDArray[np.uint64]] = field(default_factory=list)
    sizes: list[NDArray[np.uint32]] = field(default_factory=list)  # the number of words of each
    # The hashes of the words.
    tokens: GrowingArray = field(default_factory=lambda: GrowingArray(np.uint32))
    # The number of the document pair of each.
    texts: list[NDArray[np.int32]] = field(default_factory=list)
    # `strata`, `documents`: the numbers of the values of the columns.
    strata: list[NDArray[np.int32]] = field(default_factory=list)
    documents: list[NDArray[np.int32]] = field(default_factory=list)
    stratum_names: Values = field(default_factory=Values)
    document_names: Values = field(default_factory=Values)
    pairs: int = 0  # the number of document pairs

    def state(self) -> dict[str, Any]:
        """Return the keys as a JSON value."""
        return {
            **{name: packed(_joint(getattr(self, name), kind)) for name, kind in _KINDS.items()},
            "tokens": packed(self.tokens.values),
            "stratum_names": [*self.stratum_names.numbers],
            "document_names": [*self.document_names.numbers],
            "pairs": self.pairs,
        }

    def add(self, state: Mapping[str, Any]) -> None:
        """Add the keys of a file that follows, as `state` returned them."""
        arrays = {name: unpacked(state[name], kind) for name, kind in _KINDS.items()}
        arrays["texts"] += self.pairs
        for name, values in (("strata", self.stratum_names), ("documents", self.document_names)):
            names = state["stratum_names" if name == "strata" else "document_names"]
            arrays[name] = values.number(names)[arrays[name]]
        for name, array in arrays.items():
            getattr(self, name).append(array)
        self.tokens.extend(unpacked(state["tokens"], "u4"))
        self.pairs += state["pairs"]


_KINDS = {"hashes": "u8", "sizes": "u4", "texts": "i4", "strata": "i4", "documents": "i4"}


def read_keys(
    path: str,
    reading: FileOptions,
    splitting: Splitting,
    keys: Keys,
    *,
    notes: Notes,
    on_part: Callable[[int], None] | None = None,
) -> None:
    """Read a file; add the keys of its bisegments to `keys`, which has those of the files before.

    `notes` takes the notes of the file. `on_part` is called with the number of bisegments read
    since the last call.

    Raises `InputError` when a text is not known by its characters.
    """
    for bitext in _read(path, reading, notes):
        keys.pairs += not bitext.continues
        size = len(bitext.alignment)
        src, tgt = joined_sides(bitext, "splitting by content")
        keys.hashes.append(_hashes(src, tgt, splitting.seed))
        keys.texts.append(np.full(size, keys.pairs - 1, dtype=np.int32))
        if splitting.near:
            sets = word_sets(Pair(Side(src), Side(tgt)))
            keys.sizes.append(sets.lengths.astype(np.uint32))
            keys.tokens.extend(sets.idx)
        for column, numbers, names in (
            (splitting.stratify, keys.strata, keys.stratum_names),
            (splitting.column, keys.documents, keys.document_names),
        ):
            column_values = bitext.alignment.attributes.get(column)
            if column == FILE or column_values is None:
                numbers.append(np.repeat(names.number([path if column == FILE else ""]), size))
            else:
                numbers.append(names.number(value or "" for value in column_values))
        if on_part is not None:
            on_part(size)


def place_bisegments(keys: Keys, parts: Sequence[Part], splitting: Splitting) -> Placement:
    """Place bisegments in parts; the words of `keys` are let go.

    Raises `InputError` when no bisegment has the column of the strata or of the documents, or there
    are fewer bisegments than the counts of parts.
    """
    hashes = _joint(keys.hashes, "u8")
    count = len(hashes)
    for column, names, option in (
        (splitting.stratify, keys.stratum_names, "stratify"),
        (splitting.column, keys.document_names, "by"),
    ):
        if column not in {"", FILE} and count and set(names.numbers) == {""}:
            raise _no_values(column, option)
    texts, strata = _joint(keys.texts, "i4"), _joint(keys.strata, "i4").astype(np.int64)
    by = splitting.by if splitting.by != "auto" else ("text" if keys.pairs > 1 else "bead")
    clusters = np.arange(count)
    if splitting.near and count:
        sets = Rows(prefix(_joint(keys.sizes, "u4").astype(np.int64)), keys.tokens.values)
        clusters = near_duplicate_clusters(sets, threshold=splitting.near)
        del sets
        keys.tokens = GrowingArray(np.uint32)
    units = clusters if by == "bead" else texts.astype(np.int64)
    named: NDArray[np.uint64] | None = None
    if splitting.column:
        units, named = _documents(keys, splitting.seed)
    placed = _placed(
        hashes,
        units,
        strata,
        parts,
        stratified=bool(splitting.stratify),
        by_least=by == "bead",
        named=named,
    )
    left_out = 0
    if splitting.near and by != "bead":
        left_out = _leave_out(placed, clusters, len(parts))
    counts = np.bincount(placed[placed >= 0], minlength=len(parts)).tolist()
    repeated = int(np.count_nonzero(np.bincount(clusters, minlength=1) > 1)) if count else 0
    return Placement(placed.astype(np.int16), by, counts, left_out, repeated)


def _no_values(column: str, option: str) -> InputError:
    more = f", or {FILE}" if option == "stratify" else ", or text or bead"
    return InputError(
        f"no bisegment has a value in the column {column!r} ({remedy(option)}): name another "
        f"column{more}"
    )


def _documents(keys: Keys, seed: int) -> tuple[Ints, NDArray[np.uint64]]:
    """Return the document of each bisegment by a column, and the key of each bisegment's.

    A bisegment without a value is a document of its own, placed by its characters.
    """
    numbers = _joint(keys.documents, "i4").astype(np.int64)
    names = [*keys.document_names.numbers]
    named = _hashes(names, [""] * len(names), seed)[numbers]
    blank = np.flatnonzero(numbers == keys.document_names.numbers.get("", -1))
    numbers[blank] = len(names) + np.arange(blank.size)
    named[blank] = _joint(keys.hashes, "u8")[blank]
    return numbers, named


def _read(path: str, reading: FileOptions, notes: Notes) -> Iterator[Bitext]:
    with opened(path, replace(reading, parts=True)) as open_file:
        yield from open_file.noted(notes)


def _hashes(src: Sequence[str], tgt: Sequence[str], seed: int) -> NDArray[np.uint64]:
    """Return a hash of the characters of each bisegment and the seed."""
    return digest_rows(src, tgt, before=f"{seed}\0", size=8)[:, 0]


def _joint(arrays: list[Any], kind: str) -> NDArray[Any]:
    """Join arrays into one, by which the list is replaced; the others are let go."""
    joint = np.empty(sum(map(len, arrays)), dtype=kind)
    end = len(joint)
    while arrays:
        array = arrays.pop()
        joint[end - len(array) : end] = array
        end -= len(array)
    arrays.append(joint)
    return joint


def _placed(
    hashes: NDArray[np.uint64],
    units: Ints,
    strata: Ints,
    parts: Sequence[Part],
    *,
    stratified: bool,
    by_least: bool,
    named: NDArray[np.uint64] | None = None,
) -> Ints:
    """Return the part of each bisegment, by the keys of units.

    The key of a unit is the least of its bisegments, or their sum, or that of its name.
    """
    if not len(hashes):
        return np.empty(0, np.int64)
    _, unit_of = np.unique(units, return_inverse=True)
    unit_of = unit_of.reshape(-1)
    size = int(unit_of.max()) + 1
    keys = np.zeros(size, dtype=np.uint64)
    if by_least:
        # The least of the bisegments stays when the unit grows, mostly.
        keys[:] = np.iinfo(np.uint64).max
        np.minimum.at(keys, unit_of, hashes)
        # As minima of several, the keys of clusters are lower than others.
        keys = mixed(keys)
    elif named is not None:
        keys[unit_of] = named
    else:
        np.add.at(keys, unit_of, hashes)
    weights = np.bincount(unit_of, minlength=size)
    # A unit belongs to the stratum of its bisegment with the least hash.
    order = np.lexsort((hashes, unit_of))
    first = order[np.flatnonzero(np.diff(unit_of[order], prepend=-1))]
    groups = strata[first]
    if stratified or any(part.count is not None for part in parts):
        places = _by_rank(keys, weights, groups, parts)
    else:
        places = _by_share(keys, parts)
    result: Ints = places[unit_of]
    return result


def _by_share(keys: NDArray[np.uint64], parts: Sequence[Part]) -> Ints:
    """Place units by their keys alone, in parts that are shares."""
    limits = np.cumsum([part.share for part in parts])[:-1]
    return np.searchsorted(limits, keys / _WHOLE, side="right")


def _by_rank(keys: NDArray[np.uint64], weights: Ints, strata: Ints, parts: Sequence[Part]) -> Ints:
    """Place the units of each stratum in the order of their keys: counts first, then shares."""
    places = np.full(len(keys), _LEFT_OUT, dtype=np.int64)
    together = np.argsort(strata, kind="stable")
    members = np.split(together, np.flatnonzero(np.diff(strata[together])) + 1)
    sizes = np.array([int(weights[each].sum()) for each in members])
    wanted = sum(part.count or 0 for part in parts)
    if wanted > sizes.sum():
        there = many(int(sizes.sum()), "bisegment")
        raise InputError(f"the files have {there}, and the parts need {wanted:,}")
    least = np.array([keys[each].min() for each in members], dtype=np.uint64)
    quotas = {
        k: _shared_out(part.count, sizes, mixed(least + np.uint64(k)))
        for k, part in enumerate(parts)
        if part.count
    }
    shares = [(k, part.share) for k, part in enumerate(parts) if part.count is None]
    limits = np.cumsum([share for _, share in shares])[:-1]
    for number, each in enumerate(members):
        order = each[np.argsort(keys[each], kind="stable")]
        # A unit that is too large for the room left goes on to the next part.
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
        # A unit belongs to the share in which its middle lies. Strata that are too small for all
        # parts would then leave the same parts out: there a point by chance decides.
        total, at = weights[order].sum(), 0.5
        if total * min(share for _, share in shares) < 1:
            at = float(mixed(keys[order[:1]])[0]) / _WHOLE
        points = np.cumsum(weights[order]) - weights[order] * at
        chosen = np.searchsorted(limits, points / total, side="right")
        places[order] = np.array([k for k, _ in shares])[chosen]
    return places


def _shared_out(count: int, sizes: Ints, draws: NDArray[np.uint64]) -> Ints:
    """Share a count out over strata by their sizes, the largest remainders first, then by draws."""
    exact = count * sizes / sizes.sum()
    quota = np.floor(exact).astype(np.int64)
    best = np.lexsort((draws, quota - exact))[: count - int(quota.sum())]
    quota[best] += 1
    result: Ints = quota
    return result


def _leave_out(placed: Ints, clusters: Ints, parts: int) -> int:
    """Leave near-duplicates out of all parts but the smallest that has one; return how many."""
    sizes = np.bincount(placed[placed >= 0], minlength=parts)
    rank = np.argsort(np.argsort(sizes, kind="stable"), kind="stable")
    ranks = np.where(placed >= 0, rank[placed], parts)
    least = np.full(len(placed), parts, dtype=np.int64)
    np.minimum.at(least, clusters, ranks)
    out = (ranks > least[clusters]) & (placed >= 0)
    placed[out] = _LEFT_OUT
    return int(out.sum())


def placed_bitexts(
    inputs: Sequence[tuple[str, FileOptions]],
    placement: Placement,
    known: Format,
    *,
    on_part: Callable[[int], None],
) -> Iterator[tuple[int, Bitext]]:
    """Read all inputs again; yield the bisegments of each part, with its number, for its file.

    A document pair without a bisegment in the part is not in it.

    Raises `InputError` when the inputs have another number of bisegments than before.
    """
    at, sorter = 0, _Sorter(known, placement)
    for path, reading in inputs:
        for bitext in _read(path, reading, Notes()):  # known from the first pass
            size = len(bitext.alignment)
            part = placement.part[at : at + size]
            at += size
            if at > len(placement.part):
                break
            yield from sorter.parts_of(bitext, part)
            on_part(size)
    if at != len(placement.part):
        raise InputError(
            f"{', '.join(path for path, _ in inputs[:3])}: changed while being split; try again"
        )


class _Sorter:
    """Divides bitexts, or their chunks, among the parts."""

    def __init__(self, known: Format, placement: Placement) -> None:
        self._whole = known.holds != "text"
        # Segments in no bisegment belong to no part: they would be in all of them.
        self._covers = not (placement.by == "text" or self._whole)
        self._pending = [False for _ in placement.counts]

    def parts_of(self, bitext: Bitext, part: NDArray[Any]) -> Iterator[tuple[int, Bitext]]:
        """Yield the bisegments of each part, with its number, by the part of each bisegment."""
        covered = _covered(bitext) if self._covers else bitext
        for number, pending in enumerate(self._pending):
            self._pending[number] = pending if bitext.continues else True
            chosen = part == number
            if not chosen.any():
                continue
            own = covered if chosen.all() else select(covered, chosen, whole=self._whole)
            # The first chunk of a pair that has any bisegments begins the pair in the part.
            yield number, replace(own, continues=not self._pending[number])
            self._pending[number] = False


class SeveralPairsError(Exception):
    """Ends a split in one pass, since there are several document pairs, to be placed whole."""


def is_in_one_pass(parts: Sequence[Part], splitting: Splitting) -> bool:
    """Check whether the part of a bisegment depends only on itself, or on its document's name.

    Of `auto` it may turn out otherwise, when there are several document pairs.
    """
    shares = all(part.count is None for part in parts)
    return shares and not splitting.stratify and not splitting.near and splitting.by != "text"


def placed_while_read(
    inputs: Sequence[tuple[str, FileOptions]],
    parts: Sequence[Part],
    splitting: Splitting,
    placement: Placement,
    known: Format,
    *,
    notes: Notes,
    on_part: Callable[[int], None],
) -> Iterator[tuple[int, Bitext]]:
    """Read all inputs once; yield the bisegments of each part, with its number, for its file.

    `is_in_one_pass` holds of the options of `splitting`. `placement` takes the numbers of
    bisegments, and `notes` the notes of the files. `known` is the format of the parts. `on_part` is
    called with the number of bisegments read since the last call.

    Raises `InputError` when no bisegment has the column of documents, or a text is not known by its
    characters, and with `auto` `SeveralPairsError` when there are several document pairs.
    """
    sorter, pairs, valued = _Sorter(known, placement), 0, False
    for path, reading in inputs:
        for bitext in _read(path, reading, notes):
            pairs += not bitext.continues
            if pairs > 1 and splitting.by == "auto":
                raise SeveralPairsError
            src, tgt = joined_sides(bitext, "splitting by content")
            names = bitext.alignment.attributes.get(splitting.column, ())
            if splitting.column == FILE:
                names = [path] * len(src)
            valued = valued or any(names)
            keys = _hashes(src, tgt, splitting.seed)
            if not splitting.column:
                keys = mixed(keys)
            elif any(names):
                # Documents have keys of their names; without one each bisegment is a document.
                having = [k for k, name in enumerate(names) if name]
                known_names = [names[k] or "" for k in having]
                keys[having] = _hashes(known_names, [""] * len(having), splitting.seed)
            part = _by_share(keys, parts)
            for number, count in enumerate(np.bincount(part, minlength=len(parts)).tolist()):
                placement.counts[number] += count
            yield from sorter.parts_of(bitext, part)
            on_part(len(part))
    if splitting.column and placement.total and not valued:
        raise _no_values(splitting.column, "by")


def _covered(bitext: Bitext) -> Bitext:
    """Return the bitext without the segments in no bisegment."""
    texts, rows, all_covered = [], [], True
    for text, side in ((bitext.src, bitext.alignment.src), (bitext.tgt, bitext.alignment.tgt)):
        covered = np.zeros(0 if text is None else len(text), dtype=np.bool_)
        covered[side.idx] = True
        if text is not None and not covered.all():
            all_covered = False
            text, side = segments_of(text, side, covered)
        texts.append(text)
        rows.append(side)
    if all_covered:
        return bitext
    a = bitext.alignment
    alignment = type(a).from_arrays(*rows, scores=a.scores, attributes=a.attributes)
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=alignment)


def write_parts(
    placed: Iterable[tuple[int, Bitext]], writers: Sequence[Callable[[Iterator[Bitext]], None]]
) -> None:
    """Write all parts in one pass; each writer takes the bitexts of a part, in a thread.

    Writers iterate over what they write, so each needs a place of its own to go on from. An error
    of the reader or of a writer ends all of them.
    """
    errors: list[BaseException] = []
    threads = [_PartThread(write, errors) for write in writers]
    for thread in threads:
        thread.start()
    try:
        for number, bitext in placed:
            if errors:
                break
            threads[number].queue.put(bitext)
    except BaseException as error:
        errors.append(error)
        raise
    finally:
        for thread in threads:
            thread.queue.put(None)
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]


class _PartThread(Thread):
    """Writes the bitexts that come through its queue, up to `None`."""

    def __init__(
        self, write: Callable[[Iterator[Bitext]], None], errors: list[BaseException]
    ) -> None:
        super().__init__(target=copy_context().run, args=(self._write,))
        self.queue: Queue[Bitext | None] = Queue(_AHEAD)
        self._writer, self._errors, self._ended = write, errors, False

    def _items(self) -> Iterator[Bitext]:
        while (bitext := self.queue.get()) is not None:
            yield bitext
        self._ended = True
        if self._errors:
            raise _StoppedError

    def _write(self) -> None:
        try:
            self._writer(self._items())
        except BaseException as error:  # noqa: BLE001 - the main thread raises it
            if not isinstance(error, _StoppedError):  # which tells of the error of another part
                self._errors.append(error)
        while not self._ended:  # the reader must not wait for a queue that is full
            self._ended = self.queue.get() is None


class _StoppedError(Exception):
    """Ends the writer of a part when the reader or another writer failed."""
