"""Symmetrising word links: two files, one for each direction, combined bisegment by bisegment.

A word aligner works in one direction, and a run in each direction gives two files. The second is
often written as its run saw it, target first. The order of its sides is inferred from:

1. the option that names it;
2. the texts, where both files have them: the same sides, or exchanged ones;
3. the texts of the first file: in the wrong order, links lie beyond the words of a sentence;
4. agreement: two runs over the same sentences share more links in the right order.

The order and its evidence are noted; without evidence the file is refused. A file that counts words
from 1 beside one that counts from 0 is refused, too, where agreement shows the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError, many, remedy
from bitext.formats.beads import name_of
from bitext.formats.io.source import Notes
from bitext.kernels.arrays import Bools, Ints, prefix
from bitext.kernels.word_links import Links, checked_method, symmetrised
from bitext.model import Alignment, Bitext, WordLinks
from bitext.model.word_links import COLUMN, NULLS, keys, parse

if TYPE_CHECKING:
    _Sides = tuple[list[list[str]] | None, list[list[str]] | None]

DIRECTIONS = ("source-target", "target-source")

_EXAMINED = 20_000  # sentence pairs that serve as evidence at most; set by hand
# Thresholds on the number of links that are equal in one order of the sides only, set by hand. In
# published runs of two aligners the right order has 30 to 110 times as many as the wrong one.
_PLENTY = 200  # enough to stop collecting evidence
_MIN_SAMPLE = 2  # the smallest number that decides
_CLEAR = 4  # the smallest ratio to the number of the other order

_MARKS = "word links marked as possible, their marks"
_CONFIDENCES = "word links with confidences, which are of one direction"
_SCORES = "scores, which are of one direction"
_NULLS = "bisegments with links to no word, which no method combines"
_COLUMNS = "values of other attributes of the second file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symmetrising:
    """The combination of the word links of two files.

    Raises `OptionError` when there is no such method or direction.
    """

    method: str  # a name of `bitext.kernels.word_links.METHODS`
    # The order of the sides in the second file: `source-target`, as in the first, or
    # `target-source`; empty to infer the order from the files.
    reverse: str = ""

    def __post_init__(self) -> None:
        checked_method(self.method)
        if self.reverse not in ("", *DIRECTIONS):
            raise OptionError(
                f"{self.reverse!r} is not a direction: want {' or '.join(DIRECTIONS)}"
            )

    def bitexts(
        self,
        forward: Iterable[Bitext],
        reverse: Iterable[Bitext],
        *,
        names: tuple[str, str],
        losses: Notes,
        notes: Notes,
    ) -> Iterator[Bitext]:
        """Yield the bitexts of the first file with the combined links of both files.

        Texts, identifiers and further columns are those of the first file. `names` are the names of
        the files, for messages; `notes` take the order in which the second file was read.

        Raises `InputError` when the files differ in their numbers of bisegments or their texts,
        when they have no links, and when there is no evidence of the order of the second file.
        """
        parts = _parts(iter(forward), _beads(reverse, losses), names, losses)
        begin, evidence = _collect_evidence(parts, names, is_named=bool(self.reverse))
        evidence.check_base()
        evidence.note_same(notes)
        exchanged = evidence.exchanged(self.reverse, notes)
        for part in chain(begin, parts):
            part.check(names, exchanged=exchanged)
            other = part.reverse_links(exchanged=exchanged)
            links = symmetrised(_arrays(part.forward), _arrays(other), self.method)
            yield part.with_links(links)


class _Bead(NamedTuple):
    """A bisegment of the second file: its links, and the words of its sides where known."""

    links: str | None
    src: list[str] | None
    tgt: list[str] | None


class _Part(NamedTuple):
    """Some bisegments of the first file, with the links of both files.

    `sides` are the words of both sides of each bisegment in the first file, `others` in the second;
    `None` where the words are unknown.
    """

    bitext: Bitext
    first: int
    forward: WordLinks
    reverse: WordLinks
    sides: _Sides
    others: _Sides

    def reverse_links(self, *, exchanged: bool) -> WordLinks:
        """Return the links of the second file as source and target of the first."""
        return self.reverse.swapped() if exchanged else self.reverse

    def place(self, k: int) -> str:
        lines = self.bitext.lines
        return f"bisegment {self.first + k}" if lines is None else f"line {lines[k]}"

    def other_texts(self, *, exchanged: bool) -> list[int]:
        """Find the bisegments whose sides have other words in the second file."""
        others = self.others[::-1] if exchanged else self.others
        different: set[int] = set()
        for own, other in zip(self.sides, others, strict=True):
            if own is not None and other is not None:
                different.update(k for k, words in enumerate(own) if words != other[k])
        return sorted(different)

    def beyond(self, *, exchanged: bool) -> Ints:
        """Find the links of the second file beyond the words of the first."""
        links = self.reverse_links(exchanged=exchanged)
        mask = np.zeros(links.src.size, dtype=np.bool_)
        for words, at in zip(self.sides, (links.src, links.tgt), strict=True):
            if words is not None:
                mask |= at >= np.array([*map(len, words)], dtype=np.int64)[links.pair]
        return np.flatnonzero(mask)

    def check(self, names: tuple[str, str], *, exchanged: bool) -> None:
        """Refuse a second file that does not fit the texts."""
        other = self.other_texts(exchanged=exchanged)
        if other:
            raise InputError(
                f"{names[1]}: {self._ordinal(other[0])} has other words than {names[0]} "
                f"({self.place(other[0])}); want the links of the same sentences in both, in one "
                f"order"
            )
        beyond = self.beyond(exchanged=exchanged)
        if beyond.size:
            links = self.reverse_links(exchanged=exchanged)
            pair, src, tgt = (int(side[beyond[0]]) for side in _arrays(links))
            raise InputError(
                f"{names[1]}: {self._ordinal(pair)} links source word {src} and target word {tgt} "
                f"(from 0), which are more than its sides have in the texts; give the texts that "
                f"were aligned, or name how it is written ({_named(exchanged=not exchanged)}); if "
                f"it counts from 1, say so ({_base(names[1])})"
            )

    def _ordinal(self, k: int) -> str:
        return f"bisegment {self.first + k}"

    def with_links(self, links: Links) -> Bitext:
        """Return the bitext of the first file with other links, sorted by sentence pair."""
        a = self.bitext.alignment
        old = a.attributes.get(COLUMN) or [None] * len(a)
        ptr = prefix(np.bincount(links.pair, minlength=len(a)))
        spelled = WordLinks(ptr, links.src, links.tgt).spell()
        values = [None if was is None else now for was, now in zip(old, spelled, strict=True)]
        columns = {name: column for name, column in a.attributes.items() if name != NULLS}
        combined = Alignment.from_arrays(
            (a.src.ptr, a.src.idx), (a.tgt.ptr, a.tgt.idx), attributes={**columns, COLUMN: values}
        )
        return replace(self.bitext, alignment=combined)


def _arrays(links: WordLinks) -> Links:
    return Links(links.pair, links.src, links.tgt)


def _shared(links: WordLinks, others: WordLinks) -> Bools:
    """Return a mask of the links that are among others, too."""
    own, theirs = keys(_arrays(links), _arrays(others))
    return np.isin(own, theirs)


def _parts(
    forward: Iterator[Bitext], beads: Iterator[_Bead], names: tuple[str, str], losses: Notes
) -> Iterator[_Part]:
    """Yield the bitexts of the first file, each with the bisegments of the second."""
    first, linked = 0, False
    for bitext in forward:
        size = len(bitext.alignment)
        own = bitext.alignment.attributes.get(COLUMN) or [None] * size
        # The parts of both files differ in size: take as many bisegments of the second.
        others = list(islice(beads, size))
        links, src, tgt = zip(*others, strict=True) if others else ((), (), ())
        part = _Part(
            bitext,
            first,
            _links(own[: len(others)], first, names[0], losses),
            _links(links, first, names[1], losses),
            bitext.words(),
            (_known(src), _known(tgt)),
        )
        if len(others) < size:
            all_of = first + size + sum(len(more.alignment) for more in forward)
            raise _uneven(names, all_of, first + len(others), part.place(len(others)))
        for k, (one, other) in enumerate(zip(own, links, strict=True)):
            if (one is None) != (other is None):
                raise InputError(
                    f"{names[one is not None]}: bisegment {first + k} has no word links, but "
                    f"{names[one is None]} has some for it; align its words first, or leave it out "
                    f"of both"
                )
        linked = linked or any(value is not None for value in own)
        _count_lost(bitext, losses)
        first += size
        yield part
    if next(beads, None) is not None:
        raise _uneven(names, first, first + 1 + sum(1 for _ in beads), "")
    if first and not linked:
        raise InputError(f"{names[0]} and {names[1]} have no word links; align their words first")


def _uneven(names: tuple[str, str], forward: int, reverse: int, place: str) -> InputError:
    where = f"{place} of {names[0]}" if place else f"bisegment {forward} of {names[1]}"
    return InputError(
        f"{names[0]} has {forward:,} sentence pairs and {names[1]} has {reverse:,}: {where} has no "
        f"counterpart; want the links of the same sentences in both, in one order (naming the "
        f"texts, {remedy('src', 'tgt')}, tells how many there are)"
    )


def _beads(bitexts: Iterable[Bitext], losses: Notes) -> Iterator[_Bead]:
    """Yield the bisegments of the second file; count its scores and other columns as lost."""
    for bitext in bitexts:
        _count_lost(bitext, losses)
        a = bitext.alignment
        for name, column in a.attributes.items():
            count = len(column) - column.count(None)
            if name not in (COLUMN, NULLS) and count:
                losses.add(_COLUMNS, name, count)
        size = len(a)
        links = a.attributes.get(COLUMN) or repeat(None, size)
        src, tgt = (repeat(None, size) if side is None else side for side in bitext.words())
        yield from map(_Bead, links, src, tgt)


def _count_lost(bitext: Bitext, losses: Notes) -> None:
    scores = bitext.alignment.scores
    if scores is not None and (count := int((~np.isnan(scores)).sum())):
        losses.add(_SCORES, name_of(bitext), count)
    nulls = sum(map(bool, bitext.alignment.attributes.get(NULLS, ())))
    if nulls:
        losses.add(_NULLS, name_of(bitext), nulls)


def _known(side: Sequence[list[str] | None]) -> list[list[str]] | None:
    known = [words for words in side if words is not None]
    return known if len(known) == len(side) else None


def _links(values: Sequence[str | None], first: int, name: str, losses: Notes) -> WordLinks:
    """Parse the links of bisegments; count marks and confidences as lost."""
    try:
        links = WordLinks.parse(values)
    except InputError:
        for k, value in enumerate(values, first):
            try:
                parse(value or "")
            except InputError as error:
                raise InputError(f"{name}: bisegment {k}, column {COLUMN}: {error}") from None
        raise
    for kind, lost in (
        (_MARKS, ~links.sure),
        (_CONFIDENCES, None if links.confidences is None else ~np.isnan(links.confidences)),
    ):
        if lost is not None and lost.any():
            k = first + int(links.pair[lost.argmax()])
            losses.add(kind, f"{name}: bisegment {k}", int(lost.sum()))
    return links


def _collect_evidence(
    parts: Iterator[_Part], names: tuple[str, str], *, is_named: bool
) -> tuple[list[_Part], _Evidence]:
    """Consume parts until their evidence suffices; return both parts and evidence."""
    begin: list[_Part] = []
    evidence = _Evidence(names)
    for part in parts:
        begin.append(part)
        evidence.add(part)
        if evidence.is_plenty() or (is_named and evidence.pairs) or evidence.pairs >= _EXAMINED:
            break
    return begin, evidence


class _Evidence:
    """Evidence of the order of the second file; pairs of counts are for unchanged and exchanged."""

    def __init__(self, names: tuple[str, str]) -> None:
        self._names = names
        self.pairs = 0
        self._texts = 0  # bisegments whose words are known in both files
        self._other_texts, self._beyond = [0, 0], [0, 0]
        # links that are equal to one of the first; those that are so in this order only
        self._equal, self._only = [0, 0], [0, 0]
        self._exchangeable = True  # whether the links of the second are symmetric
        self._same = True  # whether both files have the same links
        self._zeros = [False, False]  # whether each file has a position 0
        self._shifted = [0, 0]  # links that are equal only after, or only before, a shift by 1

    def add(self, part: _Part) -> None:
        self.pairs += len(part.bitext.alignment)
        readings = [part.reverse_links(exchanged=exchanged) for exchanged in (False, True)]
        equal = [_shared(part.forward, links) for links in readings]
        if None not in (*part.sides, *part.others):
            self._texts += len(part.bitext.alignment)
        for exchanged in (False, True):
            self._equal[exchanged] += int(equal[exchanged].sum())
            self._only[exchanged] += int((equal[exchanged] & ~equal[not exchanged]).sum())
            self._other_texts[exchanged] += len(part.other_texts(exchanged=exchanged))
            self._beyond[exchanged] += part.beyond(exchanged=exchanged).size
        self._exchangeable &= bool(_shared(*readings).all())
        self._same &= part.forward.src.size == part.reverse.src.size == equal[0].sum()
        for file, links in enumerate((part.forward, part.reverse)):
            self._zeros[file] |= not (links.src.all() and links.tgt.all())
        self._count_shifted(part, readings, equal)

    def _count_shifted(self, part: _Part, readings: list[WordLinks], equal: list[Bools]) -> None:
        """Count the links that agree only after, or only before, a shift by 1.

        The positions of the file without a position 0 are lowered by 1.
        """
        if self._zeros[0] == self._zeros[1]:
            return
        step = 1 if self._zeros[1] else -1
        moved = [_shared(part.forward, links.shifted(step, step)) for links in readings]
        best = max((0, 1), key=lambda k: int(moved[k].sum()))
        self._shifted[0] += int((moved[best] & ~equal[best]).sum())
        self._shifted[1] += int((equal[best] & ~moved[best]).sum())

    def is_plenty(self) -> bool:
        """Check whether further sentence pairs could not change the decision."""
        return self._texts > 0 or any(
            _is_clear(self._only[k], self._only[not k]) and self._only[k] >= _PLENTY for k in (0, 1)
        )

    def check_base(self) -> None:
        """Refuse two files of which one counts words from 1 and the other from 0."""
        if self._zeros[0] == self._zeros[1] or not _is_clear(*self._shifted):
            return
        from_one, from_zero = self._names if self._zeros[1] else self._names[::-1]
        raise InputError(
            f"{from_one}: has no position 0, and {self._shifted[0]:,} more of its links are those "
            f"of {from_zero} with 1 subtracted: it counts words from 1, and the other was read as "
            f"counting from 0; say so ({_base(from_one)}, or {remedy('base 1')} if both do)"
        )

    def note_same(self, notes: Notes) -> None:
        """Note a second file with the same links as the first, which is likely a mistake."""
        if self._same and self._equal[0]:
            kind = "files with exactly the links of the first (do both have the same direction?)"
            notes.add(kind, f"{self._names[1]}: {many(self._equal[0], 'link')} are equal")

    def exchanged(self, named: str, notes: Notes) -> bool:
        """Decide the direction of the second file, True for target first; note the evidence.

        Raises `InputError` without evidence.
        """
        if named:
            exchanged = named == DIRECTIONS[1]
            if _is_clear(self._only[not exchanged], self._only[exchanged]):
                kind = f"files read as written {named}, against the agreement of their links"
                notes.add(kind, f"{self._names[1]}: {self._agreement(exchanged=not exchanged)}")
            return exchanged
        for reason, against in (
            (f"its texts are those of {self._names[0]}", self._other_texts),
            ("written otherwise, it would link words beyond its sentences", self._beyond),
        ):
            fits = [k for k in (False, True) if not against[k]]
            if len(fits) == 1:
                return self._noted(notes, reason, exchanged=fits[0])
        if self._exchangeable and self.pairs < _EXAMINED:
            return False
        for k in (False, True):
            if _is_clear(self._only[k], self._only[not k]):
                return self._noted(notes, self._agreement(exchanged=k), exchanged=k)
        raise InputError(
            f"{self._names[1]}: it is not clear whether its links are written source-target, as "
            f"those of {self._names[0]} ({self._equal[0]:,} are equal), or target-source "
            f"({self._equal[1]:,} are): name the direction ({_named(exchanged=False)} or "
            f"{_named(exchanged=True)})"
        )

    def _agreement(self, *, exchanged: bool) -> str:
        return (
            f"written {DIRECTIONS[exchanged]}, {self._equal[exchanged]:,} of its links are those "
            f"of {self._names[0]}, otherwise {self._equal[not exchanged]:,}"
        )

    def _noted(self, notes: Notes, reason: str, *, exchanged: bool) -> bool:
        kind = (
            f"files read as written {DIRECTIONS[exchanged]}, the first being source-target "
            f"({_named(exchanged=not exchanged)} reads them otherwise)"
        )
        notes.add(kind, f"{self._names[1]}: {reason}")
        return exchanged


def _is_clear(for_it: int, against: int) -> bool:
    return for_it >= _MIN_SAMPLE and for_it > _CLEAR * against


def _base(name: str) -> str:
    return remedy(f"base {name}=1", python="base=1")


def _named(*, exchanged: bool) -> str:
    return remedy(f"reverse {DIRECTIONS[exchanged]}")
