"""A lattice as a drawing: SVG by hand, with classes to restyle it by.

Every word is a text, words that always follow each other stand in one box, and arcs are lines
between boxes. Words that several sentences share are framed; those of at least half of
them are bold. Up to eight sentences, each has a line of its own colour and dashes. Of more
sentences an arc is one line, the broader the more they are; where they come from no more than eight
sources, lines and words of one source have its colour and dashes.

Classes: `lattice` (all), `arc`, `lane` and `plain` (lines), `c1` to `c8` (sources), `box`, `word`,
`t0` to `t2` (of one sentence, of several, of half of them), `end`, `key`; `focus` and `on` where
a path is shown. `data-sentences` lists the sentences of an element, from 0.
"""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.errors import OptionError
from bitext.reports.lattice_shapes import LANES, Box, Line, Shapes, Word, shapes
from bitext.reports.lettering import cut, em_width, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.lattice import Lattice

__all__ = ["draw", "name_of", "palette", "style"]

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
    """Return a drawing of a lattice as an SVG document.

    Parameters
    ----------
    lattice : Lattice
    highlight : sequence of int, optional
        Nodes of a path from start to accept that stands out.
    colours : sequence of str, optional
        Up to eight colours (a CSS name or `#rrggbb`) in place of our own.
    title : str, optional
        What it is called; by default after the cluster.
    standalone : bool
        With its style and its key. Without, it is for a page that has both.

    Returns
    -------
    str
        The same for the same lattice. All texts are escaped, and hold no control characters.

    Raises
    ------
    OptionError
        For a highlighted path that is none, or something that is no colour.

    Notes
    -----
    Widths of words are estimated and then kept by the renderer (`textLength`), so that words do not
    overlap in any font.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> cluster = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "burns"])])
    >>> svg = draw(Lattice(cluster, [[1, 2], [3, 2]]))
    >>> svg.count('class="arc"'), svg.count('class="word ')
    (5, 3)

    """
    lit = _steps(lattice, highlight)
    own = _own_colours(colours)
    form = shapes(lattice)
    kinds = palette(lattice)
    keys = list(_key(lattice, kinds)) if standalone else []
    width = max(form.width, min(900.0, form.width + 300) if keys else 0) + 2 * _MARGIN
    height = form.height + 2 * _MARGIN + (_MARGIN + _KEY_LINE * len(keys) if keys else 0)
    name = escape(visible(title or _title(lattice)))
    mark = f' class="lattice{" focus" if lit else ""}"'
    mark += "" if standalone else ' id="lattice-drawing"'
    size = f'width="{width:.0f}" height="{height:.0f}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lattice" {size} '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}">'
    )
    parts = [
        head,
        f"<title>{name}</title>" if standalone else "",
        f"<style>{style()}{own}</style>" if standalone else "",
        f'<rect class="ground" {size}/>',
        f'<g transform="translate({_MARGIN} {_MARGIN})"{mark}>',
        *_lines(form.lines, lattice, kinds, lit),
        *_boxes(form.boxes, kinds, lit),
        *_ends(form),
        *_words(form.words, lattice, lit),
        "</g>",
    ]
    if keys:
        parts.append(
            f'<g class="key" transform="translate({_MARGIN} {form.height + 3 * _MARGIN:.0f})">'
        )
        parts += keys
        parts.append("</g>")
    parts.append("</svg>")
    return "\n".join(part for part in parts if part) + "\n"


def style() -> str:
    """Return the style sheet of drawings."""
    return files("bitext.reports").joinpath("lattice_svg.css").read_text(encoding="utf-8")


def palette(lattice: Lattice) -> list[int]:
    """Return the colour of each sentence, from 1 to 8; 0 for none.

    Sentences of one source have one colour. Without sources, or with more than eight, each
    of up to eight sentences has its own.
    """
    sources = [sentence.source for sentence in lattice.cluster]
    known = list(dict.fromkeys(sources))
    if None not in known and 1 < len(known) <= LANES:
        return [known.index(source) + 1 for source in sources]
    total = len(sources)
    return list(range(1, total + 1)) if total <= LANES else [0] * total


def name_of(lattice: Lattice, sentence: int) -> str:
    """Return what a sentence is called: its id, or its number from 1."""
    return visible(lattice.cluster.names[sentence])


def _title(lattice: Lattice) -> str:
    name = f"Word lattice of {lattice.cluster.id}" if lattice.cluster.id else "Word lattice"
    return f"{name}: {len(lattice.cluster)} sentences, {len(lattice) - 2} different words"


def _steps(lattice: Lattice, path: Sequence[int] | None) -> set[tuple[int, int]]:
    if path is None:
        return set()
    steps = set(pairwise(path))
    known = set(zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True))
    ends = (lattice.start, lattice.accept)
    if len(path) < 2 or (path[0], path[-1]) != ends or not steps <= known:
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
    """Return the class of the colour that all the sentences have, if they have one."""
    found = {kinds[s] for s in sentences}
    colour = found.pop() if len(found) == 1 else 0
    return f" c{colour}" if colour else ""


def _lines(
    lines: list[Line], lattice: Lattice, kinds: list[int], lit: set[tuple[int, int]]
) -> Iterator[str]:
    yield '<g class="arcs">'
    # Broad lines first: what few sentences say is drawn upon what many say.
    for line in sorted(lines, key=lambda line: -line.breadth):
        on = " on" if (line.tail, line.head) in lit else ""
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


def _boxes(boxes: list[Box], kinds: list[int], lit: set[tuple[int, int]]) -> Iterator[str]:
    nodes = {node for step in lit for node in step}
    yield '<g class="boxes">'
    for box in boxes:
        on = " on" if box.nodes[0] in nodes else ""
        who = f'data-sentences="{_joined(box.sentences)}"'
        yield (
            f'<rect class="box t{box.tier}{on}" {who} data-node="{box.nodes[0]}" x="{box.x:.1f}" '
            f'y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>'
        )
        colour = _one(box.sentences, kinds)
        if colour and not box.tier:
            low = box.y + box.height - 0.5
            yield (
                f'<path class="lane under{colour}{on}" {who} data-node="{box.nodes[0]}" '
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


def _words(words: list[Word], lattice: Lattice, lit: set[tuple[int, int]]) -> Iterator[str]:
    nodes = {node for step in lit for node in step}
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
    shown = " / ".join(visible(form[:_TITLE]) for form in forms[:4])
    pos = visible(lattice.pos(word.node))
    return f"{shown}{f' ({pos})' if pos else ''}: {_who(lattice, word.sentences)}"


def _key(lattice: Lattice, kinds: list[int]) -> Iterator[str]:
    """Write what the colours stand for: the sources, or the sentences."""
    by_source = len(set(kinds)) < len(kinds) and 0 not in kinds
    told = set()
    for sentence, kind in enumerate(kinds):
        if not kind or kind in told:
            continue
        told.add(kind)
        held = lattice.cluster[sentence]
        text = str(held.source) if by_source else f"{name_of(lattice, sentence)}  {held.text}"
        text = cut(visible(text), 62)
        y = _KEY_LINE * (len(told) - 1)
        yield (
            f'<path class="lane c{kind}" d="M0 {y}H36"/><text x="46" y="{y}" '
            f'textLength="{em_width(text) * 13:.1f}" lengthAdjust="spacingAndGlyphs">'
            f"{escape(text)}</text>"
        )
