"""Alignments of one bitext laid over each other: the kind of each bisegment, and the data as JSON.

The bisegments of a gold standard and of a hypothesis are compared as sets. Each bisegment is of one
kind:

- *agreed*: both have it, with the same segments on both sides.
- *partly*: only one has it, and it shares a pair of segments (one source, one target) with a
  bisegment of the other. It is partly found, or partly right: a hit of `lax` and not of `strict`.
- *missed*: only the gold standard has it, and none of its pairs is proposed.
- *wrong*: only the hypothesis has it, and none of its pairs is right.

A bisegment with an empty side has no pairs: it is agreed, or missed or wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from bitext.errors import InputError, many
from bitext.kernels.arrays import Floats, Rows, identify, row_of, take
from bitext.kernels.matching import longest_ascent
from bitext.kernels.overlap import Beads
from bitext.metrics.arcade import compare_many
from bitext.metrics.common_ground import Side, common_ground, pack_positions
from bitext.model import Alignment, Bitext, Text
from bitext.reports.lettering import visible

# The common segments of a gold standard and several hypotheses.
#
# `bitext.metrics.common_ground` brings two alignments to common segments. Here this is repeated for
# each hypothesis, and the alignments before are carried over to the finer pieces.


@dataclass(frozen=True, slots=True)
class Shown:
    """The segments of one side."""

    ids: list[str]  # their identifiers, or their indices; pieces of one segment have the same id
    texts: list[str] | None  # their characters, if known
    name: str = ""  # the name of the text, or its language
    # Whether segments were cut, since the alignments go over different segments.
    pieces: bool = False

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Common:
    """The segments of either side, and the bisegments of each alignment over them."""

    src: Shown
    tgt: Shown
    beads: list[Beads]


def common(
    bitext: Bitext, hypotheses: Mapping[str, Alignment | Bitext], *, min_matched: float = 0.9
) -> Common:
    """Bring a gold standard and hypotheses to common segments, in order.

    Raises `InputError` when a hypothesis has no common ground with the gold standard; the message
    names it.
    """
    bitext_of_name: dict[str, Bitext] = {}
    for name, hyp in hypotheses.items():
        try:
            bitext_of_name[name] = _over(bitext, hyp)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
    bitext, bitext_of_name, shown = _numbered(bitext, bitext_of_name)
    state = _State(bitext, shown)
    # Hypotheses that name segments come first, since pieces have no names.
    for name in sorted(bitext_of_name, key=lambda name: _has_characters(bitext_of_name[name])):
        try:
            state.add(name, bitext_of_name[name], min_matched)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
    return Common(
        state.shown[0], state.shown[1], [state.beads[name] for name in (None, *bitext_of_name)]
    )


def _over(bitext: Bitext, hyp: Alignment | Bitext) -> Bitext:
    """Return a hypothesis of positions with the texts of the gold standard."""
    if isinstance(hyp, Alignment):
        return Bitext(bitext.src, bitext.tgt, hyp)
    src, tgt = (
        gold if text is None and gold is not None and gold.has_text else text
        for text, gold in ((hyp.src, bitext.src), (hyp.tgt, bitext.tgt))
    )
    return replace(hyp, src=src, tgt=tgt)


def _numbered(
    bitext: Bitext, bitext_of_name: Mapping[str, Bitext]
) -> tuple[Bitext, dict[str, Bitext], list[Shown]]:
    """Return all alignments over the first segments of the gold standard, and these segments.

    Without a text, positions far beyond the number of members are packed.
    """
    family = [bitext, *bitext_of_name.values()]
    side_rows, shown = [], []
    for side in ("src", "tgt"):
        rows: list[Rows] = [getattr(each.alignment, side) for each in family]
        text = getattr(bitext, side)
        lengths = [len(known) for each in family if (known := getattr(each, side)) is not None]
        if text is not None:
            shown.append(_shown(text))
        elif lengths:
            # Only hypotheses have a text of this side, which limits the positions of all.
            size = max(int(each.idx.max(initial=-1)) for each in rows) + 1
            if size > max(lengths):
                raise InputError(
                    f"there is no {'source' if side == 'src' else 'target'} segment {size - 1} in "
                    f"any text: the longest has {many(max(lengths), 'segment')}"
                )
            shown.append(Shown([str(k) for k in range(size)], None))
        else:
            rows, used = pack_positions(rows)
            size = max(int(each.idx.max(initial=-1)) for each in rows) + 1
            names = range(size) if used is None else used.tolist()
            shown.append(Shown([str(k) for k in names], None))
        side_rows.append(rows)
    renumbered = [
        replace(each, alignment=Alignment.from_arrays(src, tgt, scores=each.alignment.scores))
        for each, src, tgt in zip(family, *side_rows, strict=True)
    ]
    return renumbered[0], dict(zip(bitext_of_name, renumbered[1:], strict=True)), shown


def _has_characters(hyp: Bitext) -> bool:
    return any(text is not None and text.has_text for text in (hyp.src, hyp.tgt))


class _State:
    """The segments so far, and the bisegments of each alignment over them."""

    def __init__(self, bitext: Bitext, shown: list[Shown]) -> None:
        self.first = (bitext.src, bitext.tgt)
        self.texts = [bitext.src, bitext.tgt]
        self.beads: dict[str | None, Beads] = {
            None: Beads(bitext.alignment.src, bitext.alignment.tgt)
        }
        self.shown = shown
        # The pieces of each segment of the gold standard.
        self.own = [_each(shown.size) for shown in self.shown]

    def add(self, name: str, hyp: Bitext, min_matched: float) -> None:
        """Bring one more hypothesis to the segments so far, or all alignments to finer ones."""
        texts, rows = [], []
        for k, (text, own_rows) in enumerate(
            zip((hyp.src, hyp.tgt), (hyp.alignment.src, hyp.alignment.tgt), strict=True)
        ):
            is_same = text is self.first[k]
            texts.append(self.texts[k] if is_same else text)
            rows.append(_through(own_rows, self.own[k]) if is_same else own_rows)
        if texts[0] is self.texts[0] and texts[1] is self.texts[1]:
            self.beads[name] = Beads(rows[0], rows[1])
            return
        shifted = replace(
            hyp, src=texts[0], tgt=texts[1], alignment=Alignment.from_arrays(rows[0], rows[1])
        )
        ground = common_ground(self._every(), shifted, min_matched=min_matched)
        sizes = [shown.size for shown in self.shown]
        maps = [
            take(ground.gold.src, np.arange(sizes[0])),
            take(ground.gold.tgt, np.arange(sizes[0], sum(sizes))),
        ]
        self.beads = {
            key: Beads(_through(beads.src, maps[0]), _through(beads.tgt, maps[1]))
            for key, beads in self.beads.items()
        }
        self.beads[name] = ground.hyp
        for k, side in enumerate((ground.src, ground.tgt)):
            self.own[k] = _through(self.own[k], maps[k])
            self._renew(k, side, maps[k])

    def _every(self) -> Bitext:
        """Return a bitext with a bisegment for each segment, to trace the segments."""
        src, tgt = (_each(shown.size) for shown in self.shown)
        alignment = Alignment.from_arrays(
            (np.append(src.ptr, np.full(tgt.idx.size, src.idx.size)), src.idx),
            (np.append(np.zeros(src.idx.size, dtype=np.int64), tgt.ptr), tgt.idx),
        )
        return Bitext(self.texts[0], self.texts[1], alignment, name="the gold standard")

    def _renew(self, k: int, side: Side, parts: Rows) -> None:
        if not side.texts and not side.names:
            return
        old = self.shown[k]
        texts = [side.segment(piece) for piece in range(side.size)] if side.texts else None
        ids = [side.label(piece) for piece in range(side.size)]
        if side.atoms and texts is not None:
            for piece, owner in zip(parts.idx.tolist(), row_of(parts).tolist(), strict=True):
                ids[piece] = old.ids[owner]
            self.texts[k] = Text(texts)
        elif side.texts:
            self.texts[k] = side.texts[0]
        elif side.names:
            self.texts[k] = Text.of_ids(ids)
        cut = side.atoms and bool((parts.lengths > 1).any())
        self.shown[k] = Shown(ids, texts, old.name, pieces=old.pieces or cut)


def _shown(text: Text) -> Shown:
    texts = list(text.segments()) if text.has_text else None
    return Shown(list(text.ids), texts, text.name or text.lang)


def _each(size: int) -> Rows:
    return Rows(np.arange(size + 1), np.arange(size))


def _through(rows: Rows, parts: Rows) -> Rows:
    """Return the rows with each member replaced by its parts, ascending."""
    parts_rows = take(parts, rows.idx)
    parts_of = Rows(parts_rows.ptr[rows.ptr], parts_rows.idx)
    order = np.lexsort((parts_of.idx, row_of(parts_of)))
    return Rows(parts_of.ptr, parts_of.idx[order])


# The positions of two columns of segments side by side: levels of a drawing, and the order of
# beads.
#
# Two columns are aligned at the bisegments of the longest chain that ascends on both sides. A
# bisegment that crosses many others is not in the chain, and so moves nothing.


def levels(src: Rows, tgt: Rows) -> list[tuple[int, int]]:
    """Return the first segments of bisegments in the longest chain that ascends on both sides.

    Among chains of the same length, the one with the earliest segments is returned.

    Examples
    --------
    >>> from bitext import Alignment
    >>> a = Alignment([((0,), (0,)), ((1,), (4,)), ((2,), (1,)), ((), (2,)), ((3, 4), (3,))])
    >>> levels(a.src, a.tgt)
    [(0, 0), (2, 1), (3, 3)]

    """
    nonempty = np.flatnonzero((src.lengths > 0) & (tgt.lengths > 0))
    first = zip(
        src.idx[src.ptr[nonempty]].tolist(), tgt.idx[tgt.ptr[nonempty]].tolist(), strict=True
    )
    # At most one bisegment of each first source segment is in the chain, so the last ones come
    # first.
    return longest_ascent(sorted(set(first), key=lambda point: (point[0], -point[1])))


def places(pairs: Iterable[tuple[int, int]], src_size: int, tgt_size: int) -> tuple[Floats, Floats]:
    """Return the vertical position of each segment, with segments of height 1.

    Examples
    --------
    >>> src, tgt = places([(0, 0), (2, 1)], 3, 2)
    >>> src.tolist(), tgt.tolist()
    ([0.0, 1.0, 2.0], [0.0, 2.0])

    """
    sides = (np.zeros(src_size), np.zeros(tgt_size))
    next_place, begin = 0, (0, 0)
    for end in (*pairs, (src_size, tgt_size)):
        for side, low, high in zip(sides, begin, end, strict=True):
            side[low:high] = np.arange(next_place, next_place + high - low)
        next_place += max(high - low for low, high in zip(begin, end, strict=True))
        begin = end
    return sides


KINDS = {"a": "agreed", "p": "partly", "m": "missed", "w": "wrong"}
# The names of the kinds; `P` is a bisegment of the gold standard of kind `p`.
WORDS = {"a": "agreed", "p": "partly right", "P": "partly found", "m": "missed", "w": "wrong"}
_SIGNS = {"a": "●", "p": "◐", "m": "○", "w": "✕"}

_MAX_SEGMENT = 2_000  # characters of a segment on a page
_LONGEST_ID = 60
_DIGITS = 6


def sign_of(kind: str, *, gold: bool) -> str:
    """Return the symbol of a kind: `◑` for partly found, `◐` for partly right.

    Examples
    --------
    >>> sign_of("p", gold=True), sign_of("p", gold=False), sign_of("m", gold=True)
    ('◑', '◐', '○')

    """
    return "◑" if gold and kind == "p" else _SIGNS[kind]


def kind_name(kind: str, *, gold: bool) -> str:
    """Return the name of a kind; partly right bisegments of the gold standard are partly found."""
    return WORDS["P" if gold and kind == "p" else kind]


@dataclass(frozen=True, slots=True)
class System:
    """The bisegments of the gold standard or of a hypothesis, without repeats."""

    name: str
    src: Rows  # their source segments, on the common ground
    tgt: Rows  # their target segments, likewise
    types: tuple[str, ...]  # their bead types, before any segment was cut
    scores: Floats | None

    def __len__(self) -> int:
        return len(self.types)

    def score(self, k: int) -> float | None:
        """Return the score of a bisegment; `None` if it has none."""
        value = None if self.scores is None else float(self.scores[k])
        return value if value is not None and isfinite(value) else None


class Difference(NamedTuple):
    """A bisegment that only one of two alignments has."""

    system: int  # 0 for the gold standard, else the number of the hypothesis, from 1
    bead: int  # the index of the bisegment
    kind: str  # a key of `KINDS`


@dataclass(frozen=True, slots=True)
class Overlaid:
    """A gold standard and hypotheses over common segments."""

    src: Shown  # the source segments
    tgt: Shown  # the target segments
    systems: tuple[System, ...]  # the gold standard, then the hypotheses
    # For each hypothesis, one letter of `KINDS` a bisegment of the gold standard, and one a
    # bisegment of the hypothesis.
    kinds: tuple[tuple[str, str], ...]
    # Segments of the two sides at the same height of a drawing, ascending on both.
    levels: list[tuple[int, int]]
    words: Mapping[str, str] = field(default_factory=lambda: WORDS)  # the names of the kinds
    # Segments of either side that stand for segments left out of a drawing.
    gaps: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    # A further word on a bisegment, by system and index.
    labels: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def word(self, system: int, bead: int, kind: str) -> str:
        """Return the name of the kind of a bisegment, with its label."""
        name = self.words["P" if not system and kind == "p" else kind]
        label = self.labels.get((system, bead))
        return f"{name}; {label}" if label else name

    def order(self, system: int) -> Floats:
        """Return the positions of the bisegments of a system along the text, as sort keys."""
        src, tgt = places(self.levels, self.src.size, self.tgt.size)
        rows_of_system = self.systems[system]
        return np.minimum(_first(rows_of_system.src, src), _first(rows_of_system.tgt, tgt))

    def differences(self, hyp: int) -> list[Difference]:
        """Return the differences of a hypothesis, counted from 1, in the order of the text."""
        gold, hyp_kinds = self.kinds[hyp - 1]
        differences = []
        for system, letters in ((0, gold), (hyp, hyp_kinds)):
            positions = self.order(system).tolist()
            for k, kind in enumerate(letters):
                if kind != "a":
                    differences.append((positions[k], system > 0, k, Difference(system, k, kind)))
        return [difference for *_, difference in sorted(differences)]

    def weights(self, hyp: int) -> list[int]:
        """Weigh each of the `differences` of a hypothesis.

        The weight of a bisegment is the number of pairs of characters, or of sentences where the
        characters are not known, that it links and no bisegment of the other alignment links.
        """
        sizes = [
            [1] * side.size if side.texts is None else [len(text) for text in side.texts]
            for side in (self.src, self.tgt)
        ]
        holders: dict[int, dict[int, list[int]]] = {}
        for system in (0, hyp):
            rows = self.systems[system].src
            holders[system] = {}
            for bead, member in zip(row_of(rows).tolist(), rows.idx.tolist(), strict=True):
                holders[system].setdefault(member, []).append(bead)

        @cache  # a bisegment may overlap all of the other alignment
        def members(system: int, bead: int) -> tuple[set[int], set[int]]:
            rows = self.systems[system]
            return set(rows.src.row(bead).tolist()), set(rows.tgt.row(bead).tolist())

        weights = []
        for system, bead, _ in self.differences(hyp):
            src, tgt = members(system, bead)
            weight = sum(sizes[0][m] for m in src) * sum(sizes[1][m] for m in tgt)
            for k in {k for m in src for k in holders[hyp - system].get(m, ())}:
                other_src, other_tgt = members(hyp - system, k)
                weight -= sum(sizes[0][m] for m in src & other_src) * sum(
                    sizes[1][m] for m in tgt & other_tgt
                )
            weights.append(max(weight, 0))  # bisegments that share pairs are taken off twice
        return weights

    def counts(self, hyp: int) -> dict[str, int]:
        """Count the bisegments of a hypothesis, numbered from 1, by kind.

        Agreed bisegments count once; `partly` counts proposed ones, `found` those of gold.
        """
        gold, hyp_kinds = self.kinds[hyp - 1]
        return {
            "agreed": hyp_kinds.count("a"),
            "partly": hyp_kinds.count("p"),
            "wrong": hyp_kinds.count("w"),
            "found": gold.count("p"),
            "missed": gold.count("m"),
        }


def overlaid(
    bitext: Bitext,
    hypotheses: Mapping[str, Alignment | Bitext] | None = None,
    *,
    gold_name: str = "gold",
    min_matched: float = 0.9,
) -> Overlaid:
    """Lay alignments over each other, and classify each bisegment.

    `bitext` has the texts and the gold standard. A hypothesis that is an alignment is over the
    segments of `bitext`; a bitext may name segments in another way, or segment the same texts
    differently, if they have at least the share `min_matched` of their characters in common. The
    segments then become the common pieces.

    Raises `InputError` when a hypothesis has no common ground with the gold standard.

    Examples
    --------
    >>> from bitext import Alignment
    >>> gold = Alignment([((0,), (0,)), ((1, 2), (1,)), ((), (2,))])
    >>> hyp = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (2,))])
    >>> result = overlaid(Bitext(None, None, gold), {"a": hyp})
    >>> result.kinds, [KINDS[d.kind] for d in result.differences(1)]
    ((('apm', 'apw'),), ['partly', 'partly', 'missed', 'wrong'])

    """
    hypothesis_of_name = dict(hypotheses or {})
    if gold_name in hypothesis_of_name:
        raise InputError(f"a hypothesis is called {gold_name!r} as the gold standard is: rename it")
    ground = common(bitext, hypothesis_of_name, min_matched=min_matched)
    systems = [
        _system(name, ground, k, alignment)
        for k, (name, alignment) in enumerate(
            [
                (gold_name, bitext.alignment),
                *((n, _alignment(h)) for n, h in hypothesis_of_name.items()),
            ]
        )
    ]
    gold = systems[0]
    two_sided = next(
        (s for s in systems if ((s.src.lengths > 0) & (s.tgt.lengths > 0)).any()), gold
    )
    return Overlaid(
        ground.src,
        ground.tgt,
        tuple(systems),
        tuple(_kinds(gold, hyp) for hyp in systems[1:]),
        levels(two_sided.src, two_sided.tgt),
    )


def _alignment(hyp: Alignment | Bitext) -> Alignment:
    return hyp.alignment if isinstance(hyp, Bitext) else hyp


def _system(name: str, ground: Common, k: int, alignment: Alignment) -> System:
    """Return the bisegments without repeats, and without those that lost all segments."""
    src, tgt = ground.beads[k]
    _, first = np.unique(identify(src, tgt), return_index=True)
    chosen = np.sort(first)
    chosen = chosen[(src.lengths[chosen] > 0) | (tgt.lengths[chosen] > 0)]
    sizes = (alignment.src.lengths[chosen].tolist(), alignment.tgt.lengths[chosen].tolist())
    types = tuple(f"{n}-{m}" for n, m in zip(*sizes, strict=True))
    scores = None if alignment.scores is None else alignment.scores[chosen]
    return System(name, take(src, chosen), take(tgt, chosen), types, scores)


def _kinds(gold: System, hyp: System) -> tuple[str, str]:
    one, other = (Alignment.from_arrays(system.src, system.tgt) for system in (gold, hyp))
    (comparison,) = compare_many([one], [other])
    letters = []
    for exact, touched, kind in (
        (comparison.gold_exact, comparison.overlay.gold_touched, "m"),
        (comparison.hyp_exact, comparison.overlay.hyp_touched, "w"),
    ):
        pairs = zip(exact.tolist(), touched.tolist(), strict=True)
        letters.append(
            "".join(
                "a" if is_exact else "p" if is_touched else kind for is_exact, is_touched in pairs
            )
        )
    return letters[0], letters[1]


def _first(rows: Rows, at: Floats) -> Floats:
    """Return the place of the first member of each row; after all places for an empty row."""
    begin = np.append(rows.idx, 0)[rows.ptr[:-1]]
    return np.where(rows.lengths > 0, np.append(at, np.inf)[begin], np.inf)


def to_data(comparison: Overlaid) -> dict[str, Any]:
    """Return the members of a JSON document: texts once, bisegments as lists of indices.

    Texts are made harmless (`bitext.reports.lettering.visible`) and cut to 2,000 characters.
    """
    sides = [_side(side) for side in (comparison.src, comparison.tgt)]
    for side, gaps in zip(sides, comparison.gaps, strict=True):
        if gaps:
            side["gaps"] = list(gaps)
    return {
        "sides": sides,
        "systems": [_members(system) for system in comparison.systems],
        "kinds": [list(pair) for pair in comparison.kinds],
        "levels": [k for level in comparison.levels for k in level],
        "words": dict(comparison.words),
    }


def _side(side: Shown) -> dict[str, Any]:
    is_numbered = side.ids == [str(k) for k in range(side.size)]
    return {
        "name": harmless(side.name, _LONGEST_ID),
        "size": side.size,
        "ids": None if is_numbered else [harmless(name, _LONGEST_ID) for name in side.ids],
        "texts": None if side.texts is None else [harmless(text) for text in side.texts],
    }


def _members(system: System) -> dict[str, Any]:
    scores = [system.score(k) for k in range(len(system))]
    rounded = [None if x is None else float(f"{x:.{_DIGITS}g}") for x in scores]
    sides = [
        [rows.row(k).tolist() for k in range(len(system))] for rows in (system.src, system.tgt)
    ]
    cut = [
        None if kind == f"{len(s)}-{len(t)}" else kind
        for kind, s, t in zip(system.types, *sides, strict=True)
    ]
    return {
        "name": harmless(system.name, _LONGEST_ID),
        "src": sides[0],
        "tgt": sides[1],
        "types": cut if any(cut) else None,  # needed where pieces change the sizes
        "scores": rounded if any(x is not None for x in rounded) else None,
    }


_plain_characters: set[str] = set()


def harmless(text: str, longest: int = _MAX_SEGMENT) -> str:
    """Return a text as `visible` does, truncated; fast for plain characters."""
    part = text[:longest]
    unknown = set(part) - _plain_characters
    if unknown:
        _plain_characters.update(filter(_is_plain, unknown))
        if not unknown <= _plain_characters:
            part = visible(part)
    return part + ("…" if len(text) > longest else "")


def _is_plain(character: str) -> bool:
    """Check whether a character is shown unchanged, whatever the character before it."""
    return visible(character * 5) == character * 5
