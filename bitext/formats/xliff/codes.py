"""The content of an XLIFF segment: its plain text, and its inline codes as TMX names them.

The inline elements of both versions are translated to those of TMX (`Text.marked`). A pair of codes
is `bpt` and `ept` if both halves are in the segment, and `it` for a lone half; a code without a
pair is `ph`; an annotation, whose content is text, is `hi`. Pairs are numbered (`i`) in the order
in which they open. The `id` of an element is the `x` of TMX: both match the codes of source and
target.

XLIFF requires ids. A made-up id is `bitext.N`, or `bitext.N-I.X` with a number `I` (or the `assoc`
of a `ph`) and an `x` that have no other place; both parts may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bitext.errors import InputError
from bitext.formats.xml import FORBIDDEN, escape
from bitext.formats.xml.inline_codes import Piece, pieces, tag

_MADE = re.compile(r"bitext\.\d+(?:-(\w+))?(?:\.(.*))?", re.ASCII | re.DOTALL)
_HIDDEN = re.compile(r"_x([0-9a-f]{1,5}|10[0-9a-f]{4})_")
_NO_TOKEN = re.compile(r"_(?=x[0-9a-f]{1,6}_)|[^A-Za-z0-9_.-]")


class Content(NamedTuple):
    """A segment."""

    plain: str  # the characters
    # The segment with its codes, as in `Text.marked`; `None` without codes.
    marked: str | None = None
    id: str = ""  # the identifier; empty for none


class _Code:
    """A code among the pieces of a flow; a lone half of a pair is recognised at the end."""

    __slots__ = ("attributes", "inner", "key", "name")

    def __init__(self, name: str, attributes: dict[str, str], key: object = None) -> None:
        self.name, self.attributes, self.key = name, attributes, key
        self.inner = ""

    def spell(self) -> str:
        if self.name == "/hi":
            return "</hi>"
        if self.name == "hi" or not self.inner:
            return tag(self.name, self.attributes, empty=self.name != "hi")
        return f"{tag(self.name, self.attributes)}{self.inner}</{self.name}>"


class Flow:
    """Assembles a segment piece by piece, in the order of the file.

    The native code of a code is added between `enter` and one of `opening`, `closing`, `half`,
    `alone`; within native code, a flow of text between `enter_sub` and `leave_sub`.

    `codes` is the number of codes so far, and `subs` that of the flows within codes.
    """

    def __init__(self) -> None:
        self._plain: list[str] = []
        self._frames: list[list[str | _Code]] = [[]]
        self._marks = self._numbers = 0
        self.codes = self.subs = 0

    def text(self, characters: str) -> None:
        """Add text, or native code within a code."""
        if len(self._frames) == 1:
            self._plain.append(characters)
        self._frames[-1].append(escape(characters))

    def xml(self, inner: str) -> None:
        """Add native code with flows, as in `Text.marked`; malformed code is added as text."""
        try:
            list(pieces(f"<ph>{inner}</ph>"))
        except InputError:
            self.text(inner)
        else:
            self._frames[-1].append(inner)

    def enter(self) -> None:
        """Begin a code."""
        self._frames.append([])

    def enter_sub(self) -> None:
        """Begin a flow within a code."""
        self._frames.append([])
        self.subs += 1

    def leave_sub(self, attributes: dict[str, str]) -> None:
        """End a flow within a code."""
        inner = _spelled(_paired(self._frames.pop()))
        sub = _Code("sub", attributes)
        sub.inner = inner
        self._frames[-1].append(sub.spell())

    def opening(self, key: object, id: str | None, kind: str) -> None:  # noqa: A002 - XLIFF's word
        """End a code that opens a pair; `key` identifies the other half."""
        number, x = original_id(id)
        self._numbers += 1
        attributes = {"i": number if number.isdigit() else str(self._numbers)}
        self._put(_Code("bpt", _known(attributes, x=x, type=kind), key))

    def closing(self, key: object, id: str | None, kind: str = "") -> None:  # noqa: A002
        """End a code that closes a pair."""
        self._put(_Code("ept", _known({}, x=original_id(id)[1], type=kind), key))

    def half(self, pos: str, id: str | None, kind: str) -> None:  # noqa: A002
        """End a code that is half of a pair, with the other half elsewhere."""
        self._put(_Code("it", _known({"pos": pos}, x=original_id(id)[1], type=kind)))

    def alone(self, id: str | None, kind: str, assoc: str = "") -> None:  # noqa: A002
        """End a code that is not part of a pair."""
        beside, x = original_id(id)
        self._put(_Code("ph", _known({}, x=x, assoc=assoc or beside, type=kind)))

    def annotate(self, id: str | None, kind: str) -> None:  # noqa: A002
        """Begin an annotation around the following text."""
        self._marks += 1
        self._frames[-1].append(_Code("hi", _known({}, x=original_id(id)[1], type=kind)))

    def end_annotation(self) -> None:
        """End the innermost annotation."""
        self._frames[-1].append(_Code("/hi", {}))

    def _put(self, code: _Code) -> None:
        code.inner = _spelled(self._frames.pop())
        self._frames[-1].append(code)
        self.codes += 1

    def content(self) -> Content:
        """Return the complete segment."""
        plain = "".join(self._plain)
        if not (self.codes or self._marks):
            return Content(plain, None)
        return Content(plain, _spelled(_paired(self._frames[0])))


def _known(attributes: dict[str, str], **more: str | None) -> dict[str, str]:
    return attributes | {name: value for name, value in more.items() if value}


def _paired(pieces: list[str | _Code]) -> list[str | _Code]:
    """Join the halves of each pair; lone halves become codes whose pair ends elsewhere."""
    opened: dict[object, list[_Code]] = {}
    for piece in pieces:
        if isinstance(piece, _Code) and piece.name == "bpt":
            opened.setdefault(piece.key, []).append(piece)
        elif isinstance(piece, _Code) and piece.name == "ept":
            openings = opened.get(piece.key)
            if openings:
                piece.attributes = {"i": openings.pop().attributes["i"]}
            else:
                piece.name, piece.attributes = "it", {"pos": "end"} | piece.attributes
    for left in opened.values():
        for piece in left:
            del piece.attributes["i"]
            piece.name, piece.attributes = "it", {"pos": "begin"} | piece.attributes
    return pieces


def _spelled(pieces: list[str | _Code]) -> str:
    return "".join(piece if isinstance(piece, str) else piece.spell() for piece in pieces)


def original_id(id: str | None) -> tuple[str, str]:  # noqa: A002 - XLIFF's word
    """Split an id into its additional part and the original `x`; empty for none.

    Examples
    --------
    >>> original_id("7"), original_id("bitext.7"), original_id("bitext.7-3.a_x20_b")
    (('', '7'), ('', ''), ('3', 'a b'))

    """
    if not id or not id.startswith("bitext."):
        return "", id or ""
    number = id.removeprefix("bitext.")
    if number.isascii() and number.isdigit():
        return "", ""
    match = _MADE.fullmatch(id)
    if not match:
        return "", id
    return match[1] or "", shown(match[2] or "")


def made_id(number: int, x: str = "", beside: str = "") -> str:
    """Return an id that is unique by its number, and contains `x` and an additional part.

    Examples
    --------
    >>> made_id(7, "a b", "3")
    'bitext.7-3.a_x20_b'

    """
    hidden = token(x)
    return f"bitext.{number}{beside and '-'}{beside}{hidden and '.'}{hidden}"


def token(text: str) -> str:
    """Spell a text as a name token; other characters are written as their codes.

    Examples
    --------
    >>> token("a b"), shown("a_x20_b")
    ('a_x20_b', 'a b')

    """
    return _NO_TOKEN.sub(lambda m: f"_x{ord(m[0]):x}_", text)


def shown(token: str) -> str:
    """Decode a name token."""
    return _HIDDEN.sub(_character, token)


def _character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return match[0] if FORBIDDEN.match(character) else character


# Codes for the output: which are pairs, which pairs nest, and their ids.


def nested(pieces: Sequence[Piece], paired: dict[int, int]) -> set[int]:
    """Return the indices of the halves of properly nested pairs, which can be elements.

    Examples
    --------
    >>> from bitext.formats.xml.inline_codes import pairs, pieces
    >>> parts = list(pieces('<bpt i="1"/><bpt i="2"/>a<ept i="1"/>b<ept i="2"/>'))
    >>> sorted(nested(parts, pairs(parts)))
    [1, 5]

    """
    elements: set[int] = set()
    opened: list[int] = []
    left: set[int] = set()  # pairs that may still be elements
    for k, piece in enumerate(pieces):
        if piece.kind == "hi" or (piece.kind == "bpt" and k in paired):
            opened.append(k)
            left.add(k)
        elif piece.kind == "/hi":
            while opened:
                last = opened.pop()
                left.discard(last)
                if pieces[last].kind == "hi":
                    break
        elif piece.kind == "ept" and paired.get(k) in left:
            while opened[-1] not in left:
                opened.pop()
            left.discard(paired[k])
            if opened[-1] == paired[k]:
                elements |= {k, opened.pop()}
    return elements


def own_number(attributes: Mapping[str, str], count: int) -> str:
    """Return the `i` of the `count`-th pair; empty if it is `count`, which readers assume."""
    i = attributes.get("i", "")
    return i if i.isascii() and i.isdigit() and i != str(count) else ""


def half_position(kind: str, attributes: Mapping[str, str]) -> str:
    """Return the `pos` of a lone half of a pair, by its attribute or its name."""
    return attributes.get("pos") or ("end" if kind == "ept" else "begin")


class CodeIds:
    """Assigns ids to the inline elements of a unit.

    With `unique` all ids have to differ (XLIFF 2), and to be name tokens.
    """

    def __init__(self, *, unique: bool) -> None:
        self._unique = unique
        self._reserved: set[str] = set()
        self._given: set[str] = set()
        self.number = 0  # of the last id

    def reserve(self, name: str) -> bool:
        """Reserve an id; return whether the id was free."""
        free = name not in self._reserved
        self._reserved.add(name)
        self._given.add(name)
        return free

    def other_side(self) -> CodeIds:
        """Return the ids of the target, which may repeat each `x` of the source once."""
        ids = CodeIds(unique=self._unique)
        ids._reserved, ids._given = self._reserved, set(self._reserved)
        ids.number = self.number
        return ids

    def give(self, x: str | None, beside: str = "") -> str:
        """Return the id of the next element: its `x`, unless that is taken or not sufficient."""
        self.number += 1
        x = x or ""
        fits = x and not beside and not x.startswith("bitext.")
        if fits and not (self._unique and (x in self._given or token(x) != x)):
            self._given.add(x)
            return x
        return made_id(self.number, x, beside)
