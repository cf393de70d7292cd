"""A lattice as an SVG drawing, with classes for styles.

Every word is a text, words that always follow each other share a box, and arcs are lines between
boxes. Words of several sentences are framed; words of at least half of the sentences are bold. Up
to eight sentences have a line each, with its own colour and dashes. With more sentences, an arc is
one line, broader for more sentences; with at most eight sources, lines and words of one source have
its colour and dashes.

Classes: `lattice` (all), `arc`, `lane` and `plain` (lines), `c1` to `c8` (sources), `box`, `word`,
`t0` to `t2` (of one sentence, of several, of half of them), `end`, `key`; `focus` and `on` for a
highlighted path. `data-sentences` lists the sentences of an element, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bitext.errors import OptionError, many
from bitext.model.lattice import Lattice
from bitext.reports import pages
from bitext.reports.lattice import Strand, lay_out, runs
from bitext.reports.lettering import cut, em_width, visible

# The coordinates of words and lines of a drawing.

LANES = 8  # greatest number of sentences with a line each
_PITCH = 3.0  # distance of these lines
_BREADTH = 21.0  # breadth of the lines of all sentences together
_LONGEST = 13.0  # greatest width of a word, in font sizes
_PAD = 6.0  # padding of a box
_SPACE = 5.0  # space between the words of a box
_END = 16.0  # width of the marks of start and accept
_SIZES = (12.5, 13.0, 14.5)  # font sizes of words of one sentence, of several, of half of them
_TALL = (19.0, 24.0, 26.0)  # heights of their boxes
_BOLD = 1.07  # width of bold letters over that of others


class Word(NamedTuple):
    """A word with its position: `x` is the left edge, `y` the middle."""

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
    """An arc: its sentences, and a path for each (or one for all)."""

    tail: int
    head: int
    sentences: list[int]
    breadth: float
    paths: list[str]


class Shapes(NamedTuple):
    """All elements of a drawing, and its size."""

    words: list[Word]
    boxes: list[Box]
    lines: list[Line]
    ends: tuple[tuple[float, float], tuple[float, float]]
    width: float
    height: float


def shapes(lattice: Lattice) -> Shapes:
    """Lay out a lattice: the words, the boxes around them, and the lines between.

    With up to `LANES` sentences, an arc has a line for each of its sentences, in their order. With
    more sentences, an arc is one line, whose breadth grows with the number of its sentences.
    """
    count, total = len(lattice), len(lattice.cluster)
    tail, head, rows = lattice.arcs
    sentences_of_arcs = [rows.row(k).tolist() for k in range(len(tail))]
    users = [sorted({s for s, _ in lattice.members(node)}) for node in range(count)]
    run = runs(count, tail, head).tolist()
    edges = _edges(run)
    tiers = [tier_of(len(sentences), total) for sentences in users]
    texts = [cut(visible(lattice.form(node)), _LONGEST) for node in range(count)]
    sizes = [
        em_width(text) * _SIZES[tier] * (_BOLD if tier == 2 else 1)
        for text, tier in zip(texts, tiers, strict=True)
    ]
    # Arcs are as broad as the lines of their sentences, and words as tall as the lines that enter
    # them: with many sentences the lines move together instead.
    pitch = _PITCH if total <= LANES else min(_PITCH, _BREADTH / total)
    breadth = [max(1.0, pitch * len(sentences)) for sentences in sentences_of_arcs]
    tall = [
        max(_TALL[tier], pitch * len(node_sentences) + 4)
        for tier, node_sentences in zip(tiers, users, strict=True)
    ]
    tall[0] = tall[-1] = max(_END, pitch * total)
    # Padding goes where a box begins or ends, so that boxes of neighbours do not touch.
    widths = [
        size + _PAD * ((node in edges[0]) + (node in edges[1])) for node, size in enumerate(sizes)
    ]
    widths[0] = widths[-1] = _END
    layout = lay_out(
        widths,
        tall,
        list(zip(tail.tolist(), head.tolist(), strict=True)),
        weights=[len(sentences) for sentences in sentences_of_arcs],
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
            tail.tolist(),
            head.tolist(),
            sentences_of_arcs,
            breadth,
            layout.strands,
            ports,
            strict=True,
        )
        if strands
    ]
    return Shapes(
        words,
        _shaped_boxes(run, layout.left, layout.y, widths, tall, tiers, users),
        lines,
        ((layout.left[0] + _END / 2, layout.y[0]), (layout.left[-1] + _END / 2, layout.y[-1])),
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


def _shaped_boxes(
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
    """Return the preferred position of each node, with similar sentences next to each other."""
    total = len(lattice.cluster)
    table = np.zeros((len(users), total))  # as floats, whose products are fast, and exact here
    for node, sentences in enumerate(users):
        table[node, sentences] = 1
    shared = table.T @ table
    np.fill_diagonal(shared, -1)
    if total == 1:
        return [0.0] * len(users)
    # Begin with the two sentences that share most; append the one that shares most with either end.
    row = [int(k) for k in np.unravel_index(int(shared.argmax()), shared.shape)]
    remaining = np.ones(total, dtype=bool)
    remaining[row] = False
    while remaining.any():
        ends = np.where(remaining, shared[[row[0], row[-1]]], -1)
        side, sentence = (int(k) for k in np.unravel_index(int(ends.argmax()), ends.shape))
        if side:
            row.append(sentence)
        else:
            row.insert(0, sentence)
        remaining[sentence] = False
    rank = {sentence: k for k, sentence in enumerate(row)}
    middle = (total - 1) / 2
    return [
        sum(rank[s] for s in members) / len(members) if members else middle for members in users
    ]


def _ports(
    strands: list[list[Strand]],
    tail: list[int],
    head: list[int],
    breadth: list[float],
    tall: list[float],
) -> list[tuple[float, float]]:
    """Return the vertical offsets of each arc from the middle of its tail and its head.

    Arcs lie beside each other at a node, in the order of their other ends. An arc that goes
    straight on is in the middle if the node is tall enough.
    """
    out: dict[int, list[int]] = {}
    arcs_into: dict[int, list[int]] = {}
    for arc, pieces in enumerate(strands):
        if pieces:
            out.setdefault(tail[arc], []).append(arc)
            arcs_into.setdefault(head[arc], []).append(arc)
    begin = [0.0] * len(strands)
    end = [0.0] * len(strands)
    for node, arcs in out.items():
        nearest_x = min(strands[arc][0].right for arc in arcs)
        goals = []
        for arc in arcs:
            pieces = strands[arc]
            turns = len(pieces) > 1 and pieces[0].right == nearest_x
            goals.append((pieces[1 if turns else 0].y, arc))
        _beside(sorted(goals), strands[arcs[0]][0].y, breadth, begin, tall[node] / 2 - 2)
    for node, arcs in arcs_into.items():
        nearest_x = max(strands[arc][-1].left for arc in arcs)
        goals = []
        for arc in arcs:
            pieces = strands[arc]
            turns = len(pieces) > 1 and pieces[-1].left == nearest_x
            goals.append((pieces[-2 if turns else -1].y, arc))
        _beside(sorted(goals), strands[arcs[0]][-1].y, breadth, end, tall[node] / 2 - 2)
    return list(zip(begin, end, strict=True))


def _beside(
    goals: list[tuple[float, int]],
    y: float,
    breadth: list[float],
    place: list[float],
    half_room: float,
) -> None:
    sizes = [breadth[arc] for _, arc in goals]
    total = sum(sizes)
    offset = -total / 2
    for k, (goal, _) in enumerate(goals):
        if goal == y:
            offset = -sum(sizes[:k]) - sizes[k] / 2
    offset = (
        min(max(offset, -half_room), half_room - total) if total < 2 * half_room else -total / 2
    )
    for (_, arc), size in zip(goals, sizes, strict=True):
        place[arc] = offset + size / 2
        offset += size


def _paths(strands: list[Strand], port: tuple[float, float], lanes: int) -> list[str]:
    """Return the path data of each lane of an arc."""
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


_MARGIN = 12
_KEY_LINE = 22
_DIGITS = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_COLOUR_NAMES = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue
    blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk
    crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki
    darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
    darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue
    dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
    ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo
    ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen
    lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen
    linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple
    mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab
    orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip
    peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue
    saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
    slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet
    wheat white whitesmoke yellow yellowgreen
"""
_NAMED_COLOURS = frozenset(_COLOUR_NAMES.split())
_TITLE = 300  # characters of a word in its tooltip
_NAMED = 12  # sentences named in a tooltip


def draw(
    lattice: Lattice,
    *,
    highlight: Sequence[int] | None = None,
    colours: Sequence[str] | None = None,
    title: str | None = None,
    standalone: bool = True,
) -> str:
    """Return a drawing of a lattice as an SVG document, the same for the same lattice.

    `highlight` are the nodes of a path from start to accept; `colours` are up to eight (a CSS name
    or `#rrggbb`) instead of the default ones; `title` is by default the name of the cluster. All
    texts are escaped, without control characters. A drawing that is not `standalone` has no style
    and key: its page has them.

    Raises `OptionError` for a highlighted path that is not a path, or a value that is no colour.

    Notes
    -----
    Widths of words are estimated, and the renderer fits words to them (`textLength`), so that words
    do not overlap in any font.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> cluster = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "burns"])])
    >>> svg = draw(Lattice(cluster, [[1, 2], [3, 2]]))
    >>> svg.count('class="arc"'), svg.count('class="word ')
    (5, 3)

    """
    lit = _steps(lattice, highlight)
    own_style = _own_colours(colours)
    drawing = shapes(lattice)
    kinds = palette(lattice)
    keys = list(_key(lattice, kinds)) if standalone else []
    width = max(drawing.width, min(900.0, drawing.width + 300) if keys else 0) + 2 * _MARGIN
    height = drawing.height + 2 * _MARGIN + (_MARGIN + _KEY_LINE * len(keys) if keys else 0)
    name = escape(visible(title or _title(lattice)))
    attributes = f' class="lattice{" focus" if lit else ""}"'
    attributes += "" if standalone else ' id="lattice-drawing"'
    size = f'width="{width:.0f}" height="{height:.0f}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lattice" {size} '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}">'
    )
    parts = [
        head,
        f"<title>{name}</title>" if standalone else "",
        f"<style>{style()}{own_style}</style>" if standalone else "",
        f'<rect class="ground" {size}/>',
        f'<g transform="translate({_MARGIN} {_MARGIN})"{attributes}>',
        *_lines(drawing.lines, lattice, kinds, lit),
        *_boxes(drawing.boxes, kinds, lit),
        *_ends(drawing),
        *_words(drawing.words, lattice, lit),
        "</g>",
    ]
    if keys:
        parts.append(
            f'<g class="key" transform="translate({_MARGIN} {drawing.height + 3 * _MARGIN:.0f})">'
        )
        parts += keys
        parts.append("</g>")
    parts.append("</svg>")
    return "\n".join(part for part in parts if part) + "\n"


def style() -> str:
    """Return the style sheet of drawings."""
    return pages.asset("lattice/lattice_svg.css")


def palette(lattice: Lattice) -> list[int]:
    """Return the colour of each sentence, from 1 to 8; 0 for none.

    Sentences of one source have the same colour. Without sources, or with more than eight, each of
    up to eight sentences has its own colour.
    """
    sources = [sentence.source for sentence in lattice.cluster]
    distinct_sources = list(dict.fromkeys(sources))
    if None not in distinct_sources and 1 < len(distinct_sources) <= LANES:
        return [distinct_sources.index(source) + 1 for source in sources]
    total = len(sources)
    return list(range(1, total + 1)) if total <= LANES else [0] * total


def name_of(lattice: Lattice, sentence: int) -> str:
    """Return the name of a sentence: its id, or its number from 1."""
    return visible(lattice.cluster.names[sentence])


def _title(lattice: Lattice) -> str:
    name = f"Word lattice of {lattice.cluster.id}" if lattice.cluster.id else "Word lattice"
    sizes = many(len(lattice.cluster), "sentence"), many(len(lattice) - 2, "node")
    return f"{name}: {' on '.join(sizes)}"


def _steps(lattice: Lattice, path: Sequence[int] | None) -> set[tuple[int, int]]:
    if path is None:
        return set()
    steps = set(pairwise(path))
    lattice_steps = set(zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True))
    ends = (lattice.start, lattice.accept)
    if len(path) < 2 or (path[0], path[-1]) != ends or not steps <= lattice_steps:
        raise OptionError(
            f"highlight={list(path)!r:.80} is no path of the lattice: want its nodes from start, "
            f"{ends[0]}, to accept, {ends[1]}"
        )
    return steps


def _own_colours(colours: Sequence[str] | None) -> str:
    for colour in colours or ():
        if colour.lower() not in _NAMED_COLOURS and not _DIGITS.fullmatch(colour):
            raise OptionError(f"colours has {colour!r:.40}: want CSS names or #rrggbb")
    if colours and len(colours) > LANES:
        raise OptionError(f"{len(colours)} colours: want at most {LANES}, they are used by source")
    rules = "".join(f"--c{k}:{colour};" for k, colour in enumerate(colours or (), 1))
    return f".lattice{{{rules}}}" if rules else ""


def _joined(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _who(lattice: Lattice, sentences: Sequence[int]) -> str:
    names = [name_of(lattice, s)[:40] for s in sentences[:_NAMED]]
    more = len(sentences) - len(names)
    count = f"{len(sentences)} of {len(lattice.cluster)} sentences"
    return f"{count}: {', '.join(names)}{f' and {more} more' if more else ''}"


def _one(sentences: Sequence[int], kinds: list[int]) -> str:
    """Return the class of the common colour of the sentences, if any."""
    colours = {kinds[s] for s in sentences}
    colour = colours.pop() if len(colours) == 1 else 0
    return f" c{colour}" if colour else ""


def _lines(
    lines: list[Line], lattice: Lattice, kinds: list[int], lit_steps: set[tuple[int, int]]
) -> Iterator[str]:
    yield '<g class="arcs">'
    # Broad lines first, so that lines of few sentences are on top.
    for line in sorted(lines, key=lambda line: -line.breadth):
        on = " on" if (line.tail, line.head) in lit_steps else ""
        yield (
            f'<g class="arc{on}" data-arc="{line.tail} {line.head}" '
            f'data-sentences="{_joined(line.sentences)}">'
            f"<title>{escape(_who(lattice, line.sentences))}</title>"
        )
        if len(lattice.cluster) <= LANES:
            for sentence, path in zip(line.sentences, line.paths, strict=True):
                yield f'<path class="lane c{kinds[sentence]}" data-s="{sentence}" d="{path}"/>'
        else:
            yield (
                f'<path class="plain{_one(line.sentences, kinds)}" '
                f'stroke-width="{line.breadth:.2f}" d="{line.paths[0]}"/>'
            )
        yield "</g>"
    yield "</g>"


def _boxes(boxes: list[Box], kinds: list[int], lit_steps: set[tuple[int, int]]) -> Iterator[str]:
    nodes = {node for step in lit_steps for node in step}
    yield '<g class="boxes">'
    for box in boxes:
        on = " on" if box.nodes[0] in nodes else ""
        data = f'data-sentences="{_joined(box.sentences)}"'
        yield (
            f'<rect class="box t{box.tier}{on}" {data} data-node="{box.nodes[0]}" x="{box.x:.1f}" '
            f'y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>'
        )
        colour = _one(box.sentences, kinds)
        if colour and not box.tier:
            low = box.y + box.height - 0.5
            yield (
                f'<path class="lane under{colour}{on}" {data} data-node="{box.nodes[0]}" '
                f'd="M{box.x:.1f} {low:.1f}H{box.x + box.width:.1f}"/>'
            )
    yield "</g>"


def _ends(form: Shapes) -> Iterator[str]:
    (x, y), (u, v) = form.ends
    yield (
        '<g class="ends"><g><title>start</title>'
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="7"/></g>'
        f'<g><title>end</title><circle class="end" cx="{u:.1f}" cy="{v:.1f}" r="7"/>'
        f'<circle class="dot" cx="{u:.1f}" cy="{v:.1f}" r="3.5"/></g></g>'
    )


def _words(words: list[Word], lattice: Lattice, lit_steps: set[tuple[int, int]]) -> Iterator[str]:
    nodes = {node for step in lit_steps for node in step}
    yield '<g class="words">'
    for word in words:
        on = " on" if word.node in nodes else ""
        yield (
            f'<text class="word t{word.tier}{on}" data-node="{word.node}" '
            f'data-sentences="{_joined(word.sentences)}" x="{word.x:.1f}" y="{word.y:.1f}" '
            f'textLength="{max(word.width, 1):.1f}" lengthAdjust="spacingAndGlyphs">'
            f"<title>{escape(_about(lattice, word))}</title>{escape(word.text)}</text>"
        )
    yield "</g>"


def _about(lattice: Lattice, word: Word) -> str:
    forms = list(dict.fromkeys(token.form for token in lattice.tokens(word.node)))
    form_texts = " / ".join(visible(form[:_TITLE]) for form in forms[:4])
    pos = visible(lattice.pos(word.node))
    return f"{form_texts}{f' ({pos})' if pos else ''}: {_who(lattice, word.sentences)}"


def _key(lattice: Lattice, kinds: list[int]) -> Iterator[str]:
    """Yield the key of the colours: the sources, or the sentences."""
    by_source = len(set(kinds)) < len(kinds) and 0 not in kinds
    kinds_named = set()
    for sentence, kind in enumerate(kinds):
        if not kind or kind in kinds_named:
            continue
        kinds_named.add(kind)
        member = lattice.cluster[sentence]
        text = str(member.source) if by_source else f"{name_of(lattice, sentence)}  {member.text}"
        text = cut(visible(text), 62)
        y = _KEY_LINE * (len(kinds_named) - 1)
        yield (
            f'<path class="lane c{kind}" d="M0 {y}H36"/><text x="46" y="{y}" '
            f'textLength="{em_width(text) * 13:.1f}" lengthAdjust="spacingAndGlyphs">'
            f"{escape(text)}</text>"
        )
