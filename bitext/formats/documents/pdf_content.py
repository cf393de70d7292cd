"""Pages of PDF files: the fragments of text that their instructions show, with their places.

Only instructions for text, coordinates and marked content are followed. Lines and areas are passed
over by one expression, and pictures are never decoded; the interpreter of the library, which
follows them all, takes three to five times as long.

A fragment is a word or a part of one, on one baseline, in one font. Its coordinates are those of
the direction in which it is written: of a page whose text goes upwards, `x` is the height.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from bitext.formats.documents.pdf_fonts import ALONE, BLANK, Font, font_of, plain
from bitext.formats.documents.pdf_objects import (
    array,
    is_stream,
    mapping,
    name_of,
    resolved,
    text_of,
)

ARTIFACT = -2  # the mark of fragments that are no content, as running heads
_NONE = -1  # of fragments without a mark
_OBLIQUE = 1  # the direction of lines that are neither level nor upright, instead of degrees

_BLANK = 0.16  # sizes between two characters with a blank between them, at least
_BACK = 0.5  # sizes that a character of the same word may begin before the end of the last
_LEVEL = 0.1  # sizes between the baselines of a word, at most
_SKEW = 0.05  # rise of a line that counts as level, as in scans
_LONGEST_INDEX = 3  # characters of an index or exponent, which may stand above each other
_INDEX_RISE = 0.4  # sizes between the baselines of two rows, at least, and of their common width
_MIDDLE = 0.3  # sizes of the middle of a character above its baseline
_ASCENT = 0.88  # sizes of a character above its baseline, in fonts of Chinese and Japanese
_FARTHEST = 20_000  # points from the origin; the longest side of a page is 14,400 (ISO 32000-1)
_LONGEST_NUMBER = 30  # digits
_MOST_FORMS = 20  # forms within each other, set by hand
_MOST_STATES = 1000  # saved states, set by hand

# The last, empty alternative in `(?:...|)*+`: see `bitext.lazy.late_pattern`.
_NUMBERS = rb"(?:[-+.\d]++\s++|){0,6}+"
_TOKEN = re.compile(
    rb"(%s(?:m|l|c|v|y|h|re|f|F|f\*|S|s|B|B\*|b|n|W|W\*|w|J|j|M|i|d0|d1|g|G|rg|RG|k|K|sc|SC)"
    rb"(?=[\s/\[(<]|\Z))"  # 1: lines, areas and colours
    rb"|\[((?:[^\[\]()<>]++|\((?:[^()\\]++|\\.|)*+\)|<[0-9A-Fa-f\s]*+>|)*+)\]"  # 2: an array
    rb"|\(((?:[^()\\]++|\\.|)*+)\)"  # 3: a string
    rb"|<([0-9A-Fa-f\s]*+)>"  # 4: a string in hexadecimal digits
    rb"|([-+]?(?:\d++\.?\d*+|\.\d++))"  # 5: a number
    rb"|/([^\s/<>\[\](){}%%]*+)"  # 6: a name
    rb"|(<<)|(>>)"  # 7, 8: a dictionary
    rb"|([A-Za-z'\"*]++)"  # 9: an operator
    rb"|(\()"  # 10: a string with brackets in it
    rb"|(\[)"  # 11: an array of such strings, or of others than strings
    rb"|%%[^\r\n]*+" % _NUMBERS,
    re.DOTALL,
)
_ARRAY = re.compile(rb"\(((?:[^()\\]++|\\.|)*+)\)|<([0-9A-Fa-f\s]*+)>|([-+.\d]++)", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|\r?\n|\r|(.))", re.DOTALL)
_ITEM = re.compile(rb"\s*+(?:(\()|(\])|<([0-9A-Fa-f\s]*+)>|([-+.\d]++))", re.DOTALL)
_BRACKET = re.compile(rb"[()]|\\.", re.DOTALL)
_END_OF_IMAGE = re.compile(rb"[\s>]EI(?=\s|\Z)")
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

_Matrix = tuple[float, float, float, float, float, float]
_UNIT: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TURNED: dict[int, _Matrix] = {  # by the rotation of the page
    90: (0, -1, 1, 0, 0, 0), 180: (-1, 0, 0, -1, 0, 0), 270: (0, 1, -1, 0, 0, 0)
}  # fmt: skip


@dataclass(eq=False, slots=True)
class Fragment:
    """A word or a part of one.

    `x0` and `x1` are its beginning and its end on the baseline, and `y` is the height of the
    baseline. `mark` is the number of the marked content that has the fragment; `ARTIFACT` if none
    has it. `has_blank` is true where a blank follows.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    is_bold: bool
    mark: int
    has_blank: bool = False

    def is_below(self, other: Fragment) -> bool:
        """Check whether this stands below another, as a word and no index below an exponent."""
        return (
            min(len(self.text), len(other.text)) > _LONGEST_INDEX
            and other.y - self.y > _INDEX_RISE * min(other.size, self.size)
            and min(other.x1, self.x1) - max(other.x0, self.x0) > _INDEX_RISE * self.size
        )


class Page(NamedTuple):
    """Fragments of a page; the numbers of those in another direction, and of its pictures.

    `is_guessed` is true if it has characters of fonts that do not name them. `outside` counts the
    fragments beyond the borders to which the page is cropped.
    """

    fragments: list[Fragment]
    rotated: int
    pictures: int
    is_guessed: bool = False
    outside: int = 0


@dataclass(slots=True)
class _State:
    """State of the graphics that text depends on."""

    ctm: _Matrix
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    leading: float = 0.0
    rise: float = 0.0
    scale: float = 1.0

    def copy(self) -> _State:
        """Return the state to be restored; much faster than `copy.copy`."""
        return _State(
            self.ctm, self.font, self.size, self.spacing, self.word_spacing, self.leading,
            self.rise, self.scale,
        )  # fmt: skip


# Instructions that set one number of it
_SETTINGS = {b"Tc": "spacing", b"Tw": "word_spacing", b"TL": "leading", b"Ts": "rise"}


def _times(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (
        a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s,
        e * p + f * r + t, e * q + f * s + u,
    )  # fmt: skip


class PageReader:
    """Reads pages of a file.

    `spend` counts the bytes of instructions that are followed; it raises an error above the limit.
    """

    def __init__(self, spend: Callable[[int], None]) -> None:
        self.spend = spend
        self._fonts: dict[Any, Font] = {}

    def read(
        self, contents: list[Any], resources: Any, rotation: int, box: Sequence[float] = ()
    ) -> Page:
        """Read a page; `box` is the rectangle to which it is cropped, by two opposite corners."""
        data = b"\n".join(stream.get_data() for stream in contents)
        run = _Run(self, _TURNED.get(rotation, _UNIT))
        run.follow(data, mapping(resources), 0)
        run.close()
        by_direction = {
            direction: sum(len(each.text) for each in fragments)
            for direction, fragments in run.made.items()
        }
        if not by_direction:
            return Page([], 0, run.pictures)
        main = max(by_direction, key=lambda each: (each != _OBLIQUE, by_direction[each], -each))
        rotated = sum(len(each) for direction, each in run.made.items() if direction != main)
        whole = run.made[main] if main != _OBLIQUE else []
        fragments = _within(whole, box, _TURNED.get(rotation, _UNIT), main) if box else whole
        outside = len(whole) - len(fragments)
        if main == 0 and _is_from_above(fragments):
            for each in fragments:
                _stand(each)
        return Page(fragments, rotated, run.pictures, run.is_guessed, outside)

    def font(self, resources: Any, name: str) -> Font | None:
        """Return a font by its name."""
        given = mapping(resources.get("Font")).get(name)
        key = getattr(given, "objid", None)
        key = id(given) if key is None else key
        if key not in self._fonts:
            spec = mapping(given)
            if not spec:
                return None
            self._fonts[key] = font_of(spec)
        return self._fonts[key]


def _along(direction: int, x: float, y: float) -> tuple[float, float]:
    """Return the coordinates of a place in a direction of lines."""
    return {90: (y, -x), 180: (-x, -y), 270: (-y, x)}.get(direction, (x, y))


def _within(
    fragments: list[Fragment], box: Sequence[float], turn: _Matrix, direction: int
) -> list[Fragment]:
    """Return the fragments of one direction whose middle is within a rectangle of a turned page."""
    a, b, c, d, *_ = turn
    corners = [_along(direction, x * a + y * c, x * b + y * d) for x in box[::2] for y in box[1::2]]
    (left, right), (low, high) = ((min(side), max(side)) for side in zip(*corners, strict=True))
    return [
        each
        for each in fragments
        if left <= (each.x0 + each.x1) / 2 <= right and low <= each.y + _MIDDLE * each.size <= high
    ]


def _is_from_above(fragments: list[Fragment]) -> bool:
    """Detect vertical text: most Chinese and Japanese characters stand below the one before."""
    below = beside = 0
    for one, other in pairwise(fragments):
        if one.text[-1] < "\u2e80" or other.text[-1] < "\u2e80":
            continue
        down = one.y - other.y
        if abs(one.x0 - other.x0) < _LEVEL * one.size and 0 < down < 2 * one.size:
            below += 1
        elif abs(down) < _LEVEL * one.size or len(other.text) > 1:
            beside += len(other.text)
    return below > beside


def _stand(fragment: Fragment) -> None:
    """Turn the coordinates of a character of a line from above to those along the line."""
    middle = (fragment.x0 + fragment.x1) / 2
    fragment.x0 = -fragment.y - _ASCENT * fragment.size
    fragment.x1, fragment.y = fragment.x0 + fragment.size, middle


class _Run:
    """Follows the instructions of a page and of the forms in it."""

    def __init__(self, reader: PageReader, ctm: _Matrix) -> None:
        self.made: dict[int, list[Fragment]] = {}
        self.pictures = 0
        self.is_guessed = False
        self._reader = reader
        self._state = _State(ctm)
        self._matrix = self._line = _UNIT  # of the text and of the line
        self._last: Fragment | None = None  # to which the next character may belong
        self._tail: Fragment | None = None  # the one before a blank
        self._marks: list[tuple[int, str | None]] = []  # number and replacement of open content
        self._mark = _NONE
        self._replaced: list[tuple[int, Fragment]] | None = None

    def follow(  # noqa: C901, PLR0915 - the inner loop
        self, data: bytes, resources: Any, depth: int
    ) -> None:
        """Follow instructions."""
        self._reader.spend(len(data))
        stack: list[Any] = []
        saved: list[_State] = []
        scanner = _TOKEN.scanner(data)  # type: ignore[attr-defined]
        while (match := scanner.search()) is not None:
            kind = match.lastindex
            if kind == 1:
                if stack:
                    stack.clear()
            elif kind == 9:
                name = match[9]
                if name in {b"TJ", b"Tj"}:
                    if stack:
                        self._show(stack[-1])
                elif name == b"q":
                    if len(saved) < _MOST_STATES:
                        saved.append(self._state.copy())
                elif name == b"Q":
                    if saved:
                        self._state = saved.pop()
                elif name == b"ID":
                    self.pictures += 1
                    end = _END_OF_IMAGE.search(data, match.end())
                    if end is None:
                        return
                    scanner = _TOKEN.scanner(data, end.end())  # type: ignore[attr-defined]
                elif name == b"Do":
                    if stack and isinstance(stack[-1], str):
                        self._object(stack[-1], resources, depth)
                else:
                    self._obey(name, stack, resources)
                stack.clear()
            elif kind == 5:
                stack.append(_number(match[5]))
            elif kind == 2:
                stack.append([*map(_array_item, _ARRAY.findall(match[2]))])
            elif kind == 3:
                stack.append(_unescaped(match[3]))
            elif kind == 4:
                stack.append(_hexadecimal(match[4]))
            elif kind == 6:
                stack.append(match[6].decode("latin-1"))
            elif kind in {7, 8}:
                stack.append(None)  # as a border: values between two of them are of a dictionary
            elif kind == 10:
                end_of_string = _end_of_string(data, match.end())
                stack.append(_unescaped(data[match.end() : end_of_string]))
                scanner = _TOKEN.scanner(data, end_of_string + 1)  # type: ignore[attr-defined]
            elif kind == 11:
                array, end_of_array = _array(data, match.end())
                if array is not None:
                    stack.append(array)
                    scanner = _TOKEN.scanner(data, end_of_array)  # type: ignore[attr-defined]
            if len(stack) > _MOST_STATES:
                stack.clear()

    def _object(self, name: str, resources: Any, depth: int) -> None:
        """Follow a form; count a picture."""
        form = resolved(mapping(resources.get("XObject")).get(name))
        if not is_stream(form):
            return
        subtype = name_of(form.get("Subtype"))
        if subtype == "Image":
            self.pictures += 1
        elif subtype == "Form" and depth < _MOST_FORMS:
            outer, marks = self._state.copy(), len(self._marks)
            matrix = tuple(map(resolved, array(form.get("Matrix"))))
            if len(matrix) == 6 and all(isinstance(each, int | float) for each in matrix):
                self._state.ctm = _times(matrix, self._state.ctm)
            inner = resolved(form.get("Resources"))
            self.follow(form.get_data(), inner if isinstance(inner, dict) else resources, depth + 1)
            self._state = outer
            while len(self._marks) > marks:
                self._end_mark()

    def _obey(self, name: bytes, stack: list[Any], resources: Any) -> None:  # noqa: C901 - a list
        state = self._state
        numbers = [each for each in stack if type(each) is float]
        if name == b"Tm" and len(numbers) >= 6:
            self._matrix = self._line = tuple(numbers[-6:])  # type: ignore[assignment]
        elif name == b"Td" and len(numbers) >= 2:
            self._move(numbers[-2], numbers[-1])
        elif name == b"TD" and len(numbers) >= 2:
            state.leading = -numbers[-1]
            self._move(numbers[-2], numbers[-1])
        elif name == b"T*":
            self._move(0.0, -state.leading)
        elif name == b"Tf" and numbers and isinstance(stack[0], str):
            state.size = numbers[-1]
            state.font = self._reader.font(resources, stack[0])
            self.is_guessed |= state.font is not None and state.font.is_guessed
        elif name == b"BT":
            self._matrix = self._line = _UNIT
        elif name == b"cm" and len(numbers) >= 6:
            state.ctm = _times(tuple(numbers[-6:]), state.ctm)  # type: ignore[arg-type]
        elif name in _SETTINGS and numbers:
            setattr(state, _SETTINGS[name], numbers[-1])
        elif name == b"Tz" and numbers:
            state.scale = numbers[-1] / 100
        elif name in {b"'", b'"'} and stack:
            if name == b'"' and len(numbers) >= 2:
                state.word_spacing, state.spacing = numbers[-2:]
            self._move(0.0, -state.leading)
            self._show(stack[-1])
        elif name in {b"BDC", b"BMC"}:
            self._begin_mark(stack, resources)
        elif name == b"EMC":
            self._end_mark()

    def _move(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self._line
        self._matrix = self._line = (a, b, c, d, x * a + y * c + e, x * b + y * d + f)

    def _begin_mark(self, stack: list[Any], resources: Any) -> None:
        number, replacement = self._mark, None
        tag = stack[0] if stack and isinstance(stack[0], str) else ""
        values: dict[str, Any] = {}
        if len(stack) == 2 and isinstance(stack[1], str):
            values = mapping(mapping(resources.get("Properties")).get(stack[1]))
        else:
            values = {
                key: value
                for key, value in pairwise(stack[1:])
                if isinstance(key, str) and key in {"MCID", "ActualText"}
            }
        mcid = resolved(values.get("MCID"))
        if isinstance(mcid, int | float):
            number = int(mcid)
        elif tag == "Artifact":
            number = ARTIFACT
        actual = resolved(values.get("ActualText"))
        if isinstance(actual, bytes) and self._replaced is None:
            self._reader.spend(len(actual))
            replacement = text_of(actual)
        self._marks.append((self._mark, replacement))
        self._mark, self._last, self._tail = number, None, None
        if replacement is not None:
            self._replaced = []

    def _end_mark(self) -> None:
        """End marked content; replace the characters of one with a text of its own."""
        if not self._marks:
            return
        self._mark, replacement = self._marks.pop()
        self._last = self._tail = None
        if replacement is None:
            return
        shown, self._replaced = self._replaced or [], None
        text = plain(" ".join(replacement.split()) if replacement.strip() else replacement)
        if shown and text:
            direction, first = shown[0]
            first.text = text
            same = [each for _, each in shown if abs(each.y - first.y) < _LEVEL * first.size]
            first.x1 = max(each.x1 for each in same)
            first.x0 = min(each.x0 for each in same)
            first.has_blank = same[-1].has_blank
            self.made.setdefault(direction, []).append(first)

    def close(self) -> None:
        """End marked content that the page leaves open."""
        while self._marks:
            self._end_mark()

    def _show(self, shown: Any) -> None:  # noqa: C901, PLR0915 - the inner loop
        """Show a string, or an array of strings and of distances between them."""
        state = self._state
        font = state.font
        if font is None or not isinstance(shown, bytes | list):
            return
        size = state.size
        # The direction of the line and the length of a unit along it.
        a, b, c, d, e, f = _times(self._matrix, state.ctm)
        if font.is_vertical:
            a, b = -c, -d
        turned = -1 if size < 0 else 1
        a, b = a * turned, b * turned
        length = (a * a + b * b) ** 0.5
        across = (c * c + d * d) ** 0.5
        seen = abs(size) * across
        if not 0 < length < _FARTHEST or not 0 < seen < _FARTHEST:
            return
        if abs(b) <= _SKEW * length:
            direction = 0 if a > 0 else 180
        elif abs(a) <= _SKEW * length:
            direction = 90 if b > 0 else 270
        else:
            direction = _OBLIQUE
        e, f = e + c * state.rise, f + d * state.rise
        x, y = _along(direction, e, f)
        if not (-_FARTHEST < x < _FARTHEST and -_FARTHEST < y < _FARTHEST):
            return
        scale = 1.0 if font.is_vertical else state.scale
        unit = length * scale
        em, spacing = abs(size) * unit, state.spacing * unit
        if not -_FARTHEST < em < _FARTHEST:
            return
        distance = (1 if font.is_vertical else -1) * em / 1000
        word_spacing = 0.0 if font.is_wide else state.word_spacing * unit
        begin = x
        glyph_of, glyphs = font.glyph, font.glyphs
        target = self._replaced
        last, tail = self._last, self._tail
        if last is not None and (
            abs(last.y - y) > _LEVEL * seen or abs(last.size - seen) > 0.01 * seen
            or last.is_bold != font.is_bold
        ):  # fmt: skip
            last = None
        # Letters of spaced text (Tc) stand apart without a blank between them.
        gap, back = _BLANK * seen + min(max(spacing, 0.0), seen), -_BACK * seen
        out = self.made.setdefault(direction, []) if target is None else None
        for item in shown if isinstance(shown, list) else (shown,):
            if type(item) is float:
                x += item * distance
                continue
            for code in font.decode(item):
                glyph = glyphs.get(code) or glyph_of(code)
                text, width, kind = glyph
                advance = width * em
                if kind == BLANK:
                    if tail is not None:
                        tail.has_blank = True
                    last = None
                elif not -_FARTHEST < x < _FARTHEST:
                    last = None
                elif last is not None and kind != ALONE and back < x - last.x1 < gap:
                    last.text += text
                    last.x1 = x + advance
                else:
                    last = Fragment(
                        text, x, x + advance, y, seen, is_bold=font.is_bold, mark=self._mark
                    )
                    if out is None:
                        target.append((direction, last))  # type: ignore[union-attr]
                    else:
                        out.append(last)
                    tail = last
                    if kind == ALONE:
                        last = None
                x += advance + spacing
                if code == 32:
                    x += word_spacing
        self._last, self._tail = last, tail
        moved = turned * (x - begin) / length
        p, q, r, s, t, u = self._matrix
        if font.is_vertical:
            self._matrix = (p, q, r, s, t - moved * r, u - moved * s)
        else:
            self._matrix = (p, q, r, s, t + moved * p, u + moved * q)


def _array_item(item: tuple[bytes, bytes, bytes]) -> Any:
    string, digits, number = item
    if number:
        return _number(number)
    return _hexadecimal(digits) if digits else _unescaped(string)


def _array(data: bytes, at: int) -> tuple[list[Any] | None, int]:
    """Return an array whose strings may have brackets in them, and its end; `None` for no array."""
    array: list[Any] = []
    while (match := _ITEM.match(data, at)) is not None:
        at = match.end()
        if match[1]:
            end_of_string = _end_of_string(data, at)
            array.append(_unescaped(data[at:end_of_string]))
            at = end_of_string + 1
        elif match[2]:
            return array, at
        else:
            array.append(_hexadecimal(match[3]) if match[4] is None else _number(match[4]))
    return None, at


def _number(digits: bytes) -> float:
    try:
        return float(digits) if len(digits) < _LONGEST_NUMBER else float(digits[:_LONGEST_NUMBER])
    except ValueError:
        return 0.0


def _hexadecimal(digits: bytes) -> bytes:
    digits = b"".join(digits.split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _unescaped(string: bytes) -> bytes:
    return _ESCAPE.sub(_character, string) if b"\\" in string else string


def _character(match: re.Match[bytes]) -> bytes:
    octal, char = match.groups()
    if octal:
        return bytes([int(octal, 8) & 0xFF])
    return _ESCAPED.get(char, char) if char else b""


def _end_of_string(data: bytes, at: int) -> int:
    """Return the place of the bracket that ends a string with brackets in it."""
    depth = 1
    for match in _BRACKET.finditer(data, at):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return len(data)
