"""Where the words and lines of a drawn lattice go, before it becomes markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.reports.layered import Strand, lay_out
from bitext.reports.layering import runs
from bitext.reports.lettering import cut, em_width, visible

if TYPE_CHECKING:
    from bitext.model.lattice import Lattice

__all__ = ["LANES", "Box", "Line", "Shapes", "Word", "shapes", "tier_of"]

LANES = 8  # sentences up to which each has a line of its own
_PITCH = 3.0  # from one such line to the next
_BREADTH = 21.0  # of the lines of all sentences together
_LONGEST = 13.0  # a word is cut beyond, in font sizes
_PAD = 6.0  # beside the words of a box
_SPACE = 5.0  # between them
_END = 16.0  # the marks of start and accept
_SIZES = (12.5, 13.0, 14.5)  # of words of one sentence, of several, of half of them
_TALL = (19.0, 24.0, 26.0)  # their boxes
_BOLD = 1.07  # bold letters are wider


class Word(NamedTuple):
    """A word at its place: `x` is its left edge, `y` its middle."""

    node: int
    text: str
    x: float
    y: float
    width: float
    tier: int
    sentences: list[int]


class Box(NamedTuple):
    """A frame around words that always follow each other."""

    x: float
    y: float
    width: float
    height: float
    tier: int
    nodes: list[int]
    sentences: list[int]


class Line(NamedTuple):
    """An arc: the sentences that take it, and a path for each (or one for all)."""

    tail: int
    head: int
    sentences: list[int]
    breadth: float
    paths: list[str]


class Shapes(NamedTuple):
    """All of a drawing, and its size."""

    words: list[Word]
    boxes: list[Box]
    lines: list[Line]
    ends: tuple[tuple[float, float], tuple[float, float]]
    width: float
    height: float


def shapes(lattice: Lattice) -> Shapes:
    """Lay out a lattice: the words, the boxes around them, and the lines between.

    Up to `LANES` sentences, an arc has a line for each of its sentences, in their order. Of more
    sentences it is one line, as broad as they are many.
    """
    count, total = len(lattice), len(lattice.cluster)
    tail, head, rows = lattice.arcs
    who = [rows.row(k).tolist() for k in range(len(tail))]
    users = [sorted({s for s, _ in lattice.members(node)}) for node in range(count)]
    run = runs(count, tail, head).tolist()
    edges = _edges(run)
    tiers = [tier_of(len(sentences), total) for sentences in users]
    texts = [cut(visible(lattice.form(node)), _LONGEST) for node in range(count)]
    sizes = [
        em_width(text) * _SIZES[tier] * (_BOLD if tier == 2 else 1)
        for text, tier in zip(texts, tiers, strict=True)
    ]
    pitch = _PITCH if total <= LANES else min(_PITCH, _BREADTH / total)
    breadth = [max(1.0, pitch * len(sentences)) for sentences in who]
    tall = [max(_TALL[tier], pitch * len(own) + 4) for tier, own in zip(tiers, users, strict=True)]
    tall[0] = tall[-1] = max(_END, pitch * total)
    widths = [
        size + _PAD * ((node in edges[0]) + (node in edges[1])) for node, size in enumerate(sizes)
    ]
    widths[0] = widths[-1] = _END
    layout = lay_out(
        widths,
        tall,
        list(zip(tail.tolist(), head.tolist(), strict=True)),
        weights=[len(sentences) for sentences in who],
        thickness=breadth,
        first=_wishes(lattice, users),
        space=_SPACE,
    )
    words = [
        Word(
            node,
            texts[node],
            layout.left[node] + _PAD * (node in edges[0]),
            layout.y[node],
            sizes[node],
            tiers[node],
            users[node],
        )
        for node in range(1, count - 1)
    ]
    ports = _ports(layout.strands, tail.tolist(), head.tolist(), breadth, tall)
    lanes = total <= LANES
    lines = [
        Line(a, b, sentences, size, _paths(strands, port, len(sentences) if lanes else 1))
        for a, b, sentences, size, strands, port in zip(
            tail.tolist(), head.tolist(), who, breadth, layout.strands, ports, strict=True
        )
        if strands
    ]
    return Shapes(
        words,
        _boxes(run, layout.left, layout.y, widths, tall, tiers, users),
        lines,
        (
            (layout.left[0] + _END / 2, layout.y[0]),
            (layout.left[-1] + _END / 2, layout.y[-1]),
        ),
        layout.width,
        layout.height,
    )


def tier_of(sentences: int, total: int) -> int:
    """Return 0 for a word of one sentence, 2 for one of half of them (and three), else 1."""
    if sentences < 2:
        return 0
    return 2 if sentences > 2 and 2 * sentences >= total else 1


def _edges(run: list[int]) -> tuple[set[int], set[int]]:
    """Return the first and the last nodes of all runs."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for node, number in enumerate(run):
        first.setdefault(number, node)
        last[number] = node
    return set(first.values()), set(last.values())


def _boxes(
    run: list[int],
    left: list[float],
    y: list[float],
    widths: list[float],
    tall: list[float],
    tiers: list[int],
    users: list[list[int]],
) -> list[Box]:
    members: dict[int, list[int]] = {}
    for node in range(1, len(run) - 1):
        members.setdefault(run[node], []).append(node)
    return [
        Box(
            left[nodes[0]],
            y[nodes[0]] - tall[nodes[0]] / 2,
            left[nodes[-1]] + widths[nodes[-1]] - left[nodes[0]],
            tall[nodes[0]],
            tiers[nodes[0]],
            nodes,
            users[nodes[0]],
        )
        for nodes in members.values()
    ]


def _wishes(lattice: Lattice, users: list[list[int]]) -> list[float]:
    """Return where each node would be if sentences that share much lay next to each other."""
    total = len(lattice.cluster)
    table = np.zeros((len(users), total))  # of floats: their products are fast, and exact
    for node, sentences in enumerate(users):
        table[node, sentences] = 1
    shared = table.T @ table
    np.fill_diagonal(shared, -1)
    if total == 1:
        return [0.0] * len(users)
    # Begin with the two that share most; whichever shares most with an end of the row goes there.
    row = [int(k) for k in np.unravel_index(int(shared.argmax()), shared.shape)]
    left = np.ones(total, dtype=bool)
    left[row] = False
    while left.any():
        ends = np.where(left, shared[[row[0], row[-1]]], -1)
        side, sentence = (int(k) for k in np.unravel_index(int(ends.argmax()), ends.shape))
        if side:
            row.append(sentence)
        else:
            row.insert(0, sentence)
        left[sentence] = False
    rank = {sentence: k for k, sentence in enumerate(row)}
    middle = (total - 1) / 2
    return [sum(rank[s] for s in held) / len(held) if held else middle for held in users]


def _ports(
    strands: list[list[Strand]],
    tail: list[int],
    head: list[int],
    breadth: list[float],
    tall: list[float],
) -> list[tuple[float, float]]:
    """Return how far from the middle of its tail and its head each arc is attached.

    Arcs lie beside each other at a node, in the order in which they part or meet. The one that
    goes straight on is in the middle if the node is tall enough.
    """
    out: dict[int, list[int]] = {}
    into: dict[int, list[int]] = {}
    for arc, pieces in enumerate(strands):
        if pieces:
            out.setdefault(tail[arc], []).append(arc)
            into.setdefault(head[arc], []).append(arc)
    begin = [0.0] * len(strands)
    end = [0.0] * len(strands)
    for node, arcs in out.items():
        near = min(strands[arc][0].right for arc in arcs)
        goals = []
        for arc in arcs:
            pieces = strands[arc]
            turns = len(pieces) > 1 and pieces[0].right == near
            goals.append((pieces[1 if turns else 0].y, arc))
        _beside(sorted(goals), strands[arcs[0]][0].y, breadth, begin, tall[node] / 2 - 2)
    for node, arcs in into.items():
        near = max(strands[arc][-1].left for arc in arcs)
        goals = []
        for arc in arcs:
            pieces = strands[arc]
            turns = len(pieces) > 1 and pieces[-1].left == near
            goals.append((pieces[-2 if turns else -1].y, arc))
        _beside(sorted(goals), strands[arcs[0]][-1].y, breadth, end, tall[node] / 2 - 2)
    return list(zip(begin, end, strict=True))


def _beside(
    goals: list[tuple[float, int]], y: float, breadth: list[float], place: list[float], room: float
) -> None:
    sizes = [breadth[arc] for _, arc in goals]
    total = sum(sizes)
    at = -total / 2
    for k, (goal, _) in enumerate(goals):
        if goal == y:
            at = -sum(sizes[:k]) - sizes[k] / 2
    at = min(max(at, -room), room - total) if total < 2 * room else -total / 2
    for (_, arc), size in zip(goals, sizes, strict=True):
        place[arc] = at + size / 2
        at += size


def _paths(strands: list[Strand], port: tuple[float, float], lanes: int) -> list[str]:
    """Write the path data of each lane of an arc."""
    pieces = [(s.left, s.right, s.y) for s in strands]
    if len(pieces) == 1 and port[0] != port[1]:
        left, right, y = pieces[0]
        bend = min(16.0, (right - left) * 0.8)
        middle = right - (right - left - bend) / 2 if right - left < 40 else right - 4
        pieces = [(left, middle - bend, y), (middle, right, y)]
    last = len(pieces) - 1
    pieces[0] = (*pieces[0][:2], pieces[0][2] + port[0])
    if last:
        pieces[-1] = (*pieces[-1][:2], pieces[-1][2] + port[1])
    written = []
    for lane in range(lanes):
        shift = (lane - (lanes - 1) / 2) * _PITCH
        parts = []
        for k, (left, right, y) in enumerate(pieces):
            if not k:
                parts.append(f"M{left:.1f} {y + shift:.1f}")
            else:
                before = pieces[k - 1]
                half = (before[1] + left) / 2
                parts.append(
                    f"C{half:.1f} {before[2] + shift:.1f} {half:.1f} {y + shift:.1f} "
                    f"{left:.1f} {y + shift:.1f}"
                )
            parts.append(f"H{right:.1f}")
        written.append("".join(parts))
    return written
