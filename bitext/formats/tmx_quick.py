"""Reading TMX: pieces of regular files by expressions, what is left by a parser.

A piece is read by the shape of the units before it, with one expression for all its units (see
`tmx_shape`); else tag by tag (`tmx_tokens`); else it and all behind it go to the parser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.regular import Pieces
from bitext.formats.tmx_shape import Shapes, shape_of
from bitext.formats.tmx_sides import Sides
from bitext.formats.tmx_tokens import header_of, tokens_of, units_of
from bitext.formats.tmx_units import Builder, Header

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.regular import Piece
    from bitext.formats.tmx_units import Unit
    from bitext.model import Bitext

__all__ = ["read"]

_END = re.compile(r"\s*</body\s*>\s*</tmx\s*>\s*", re.ASCII)
_SIZE = 1 << 16  # bytes of a piece: more is not faster
_UNIT = "</tu>"
_TRIALS = 12  # pieces to learn from, after which shapes are known or there are none
_SHAPES = 8


def read(source: Source, options: ReadOptions, *, quick: bool = True) -> Iterator[Bitext]:
    """Yield the bitexts of a TMX file; not `quick` is by the parser only."""
    builder = Builder(source)
    pieces = Pieces(source, b"</tu>", size=_SIZE)
    opening = pieces.opening(b"<body>") if quick else None
    found = header_of(opening.text) if opening else None
    header, sides = Header(), None
    if found is not None:
        version, tokens = found
        if tokens:
            header = builder.header(tokens)
        header.version = version
        sides = Sides(source, options, header)
        reader = _Regular(source, options, builder, sides)
        for piece in pieces:
            if reader.ended or not (yield from reader.take(piece)):
                break
        else:
            if reader.ended and pieces.regular:
                yield from sides.rest()
                return
    from bitext.formats.safexml import local_name
    from bitext.formats.tmx_elements import PARENTS, WANTED, foreign, read_elements

    events = pieces.rest(
        start=WANTED["start"],
        end=WANTED["end"],
        parents=PARENTS,
        on_other=lambda element, line: foreign(source, local_name(element), line),
    )
    for unit in read_elements(source, builder, events, header, again=sides is not None):
        sides = sides or Sides(source, options, header)
        yield from sides.add(unit)
    sides = sides or Sides(source, options, header)
    yield from sides.rest()


class _Regular:
    """Reads regular pieces of a file."""

    def __init__(
        self, source: Source, options: ReadOptions, builder: Builder, sides: Sides
    ) -> None:
        self._source, self._options = source, options
        self._builder, self._sides = builder, sides
        self._shapes = Shapes(source, sides.beads)
        self._trials = 0
        self.ended = False

    def take(self, piece: Piece) -> Generator[Bitext, None, bool]:
        """Yield bitexts of a piece as they are whole; return whether it could be read."""
        if self._shapes.take(piece):
            yield from self._sides.beads.parts()
            return True
        if _END.fullmatch(piece.text):
            self.ended = True
            return True
        tokens = tokens_of(piece.text, piece.line)
        units = None if tokens is None else units_of(tokens)
        if units is None:
            return False
        made: list[Unit | None] = []
        for part in units:
            made.append(self._builder.unit(part))
            unit = made[-1]
            if unit is not None:
                yield from self._sides.add(unit)
        if self._sides.plain and not self._options.lines:
            self._learn(piece, made)
        return True

    def _learn(self, piece: Piece, units: list[Unit | None]) -> None:
        """Take the shapes of units that are of none of those known, for the pieces to come."""
        written = piece.text.split(_UNIT)
        if self._trials >= _TRIALS or len(written) != len(units) + 1:
            return
        self._trials += 1
        for text, unit in zip(written[:-1], units, strict=True):
            if len(self._shapes) >= _SHAPES:
                return
            if unit is not None and not self._shapes.fits(text + _UNIT):
                shape = shape_of(text + _UNIT, unit, self._sides)
                if shape is not None:
                    self._shapes.add(shape)
