"""The content of an XLIFF segment as it is read: its plain text, and its marks as TMX names them.

The inline elements of both versions come down to the few of TMX (`Text.marked`). A pair of codes is
`bpt` and `ept` where both halves are in the segment, and `it` where one of them is; a code that
stands alone is `ph`; an annotation, whose content is text, is `hi`. Pairs are numbered (`i`) in the
order in which they open. The `id` of an element is the `x` of TMX: both say which code of the
source is which of the target.

An id that we had to make, because XLIFF wants one, is `bitext.N`, or `bitext.N-I.X` where a number
`I` (or the `assoc` of a `ph`) and an `x` have no other place; both parts may be missing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError
from bitext.formats.xml.inline_codes import pieces, tag
from bitext.formats.xml.syntax import FORBIDDEN, escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from bitext.formats.xml.inline_codes import Piece

__all__ = [
    "Content",
    "Flow",
    "Ids",
    "half_position",
    "made_id",
    "nested",
    "original_id",
    "own_number",
    "pairs",
    "shown",
    "token",
    "walk",
]


_MADE = re.compile(r"bitext\.\d+(?:-(\w+))?(?:\.(.*))?", re.ASCII | re.DOTALL)
_HIDDEN = re.compile(r"_x([0-9a-f]{1,5}|10[0-9a-f]{4})_")
_NO_TOKEN = re.compile(r"_(?=x[0-9a-f]{1,6}_)|[^A-Za-z0-9_.-]")


class Content(NamedTuple):
    """A segment.

    Attributes
    ----------
    plain : str
        Its characters.
    marked : str or None
        It with its marks, as `Text.marked` has it; `None` where there are none.
    id : str
        Its identifier; empty where it has none.

    """

    plain: str
    marked: str | None = None
    id: str = ""


class _Code:
    """A code among the pieces of a flow; a half of a pair is told from a lone one at the end."""

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
    """Puts a segment together, piece by piece, in the order of the file.

    Between `enter` and one of `opening`, `closing`, `half`, `alone` stands the native code of that;
    within it, between `enter_sub` and `leave_sub`, text that is a flow of its own.

    Attributes
    ----------
    codes : int
        The number of codes so far.
    subs : int
        The number of flows within codes.

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
        """Add native code with flows in it, as `Text.marked` has it; as text if it is none."""
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
        """End a code that opens a pair; `key` tells the other half."""
        number, x = original_id(id)
        self._numbers += 1
        attributes = {"i": number if number.isdigit() else str(self._numbers)}
        self._put(_Code("bpt", _known(attributes, x=x, type=kind), key))

    def closing(self, key: object, id: str | None, kind: str = "") -> None:  # noqa: A002
        """End a code that closes a pair."""
        self._put(_Code("ept", _known({}, x=original_id(id)[1], type=kind), key))

    def half(self, pos: str, id: str | None, kind: str) -> None:  # noqa: A002
        """End a code that is half of a pair, whose other half is elsewhere."""
        self._put(_Code("it", _known({"pos": pos}, x=original_id(id)[1], type=kind)))

    def alone(self, id: str | None, kind: str, assoc: str = "") -> None:  # noqa: A002
        """End a code that stands alone."""
        told, x = original_id(id)
        self._put(_Code("ph", _known({}, x=x, assoc=assoc or told, type=kind)))

    def annotate(self, id: str | None, kind: str) -> None:  # noqa: A002
        """Begin an annotation; what follows is text as before."""
        self._marks += 1
        self._frames[-1].append(_Code("hi", _known({}, x=original_id(id)[1], type=kind)))

    def end_annotation(self) -> None:
        """End the annotation that began last."""
        self._frames[-1].append(_Code("/hi", {}))

    def _put(self, code: _Code) -> None:
        code.inner = _spelled(self._frames.pop())
        self._frames[-1].append(code)
        self.codes += 1

    def content(self) -> Content:
        """Return the whole segment."""
        plain = "".join(self._plain)
        if not (self.codes or self._marks):
            return Content(plain, None)
        return Content(plain, _spelled(_paired(self._frames[0])))


def _known(attributes: dict[str, str], **more: str | None) -> dict[str, str]:
    return attributes | {name: value for name, value in more.items() if value}


def _paired(pieces: list[str | _Code]) -> list[str | _Code]:
    """Find the halves of each pair; halves without one become codes that end elsewhere."""
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
    """Return what an id tells beside, and the `x` that it stands for; empty for none.

    Examples
    --------
    >>> original_id("7"), original_id("bitext.7"), original_id("bitext.7-3.a_x20_b")
    (('', '7'), ('', ''), ('3', 'a b'))

    """
    match = _MADE.fullmatch(id or "")
    if not match:
        return "", id or ""
    return match[1] or "", shown(match[2] or "")


def made_id(number: int, x: str = "", beside: str = "") -> str:
    """Return an id that is unique by its number, and tells `x` and what is to be told beside.

    Examples
    --------
    >>> made_id(7, "a b", "3")
    'bitext.7-3.a_x20_b'

    """
    hidden = token(x)
    return f"bitext.{number}{beside and '-'}{beside}{hidden and '.'}{hidden}"


def token(text: str) -> str:
    """Return a text as a name token: what may not stand in one is spelled by its number.

    Examples
    --------
    >>> token("a b"), shown("a_x20_b")
    ('a_x20_b', 'a b')

    """
    return _NO_TOKEN.sub(lambda m: f"_x{ord(m[0]):x}_", text)


def shown(token: str) -> str:
    """Return the text that a name token was made of."""
    return _HIDDEN.sub(_character, token)


def _character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return match[0] if FORBIDDEN.match(character) else character


def walk(root: Element) -> Iterator[tuple[str, Element, str]]:
    """Yield ("text", its element, characters), ("start", element, "") and ("end", element, "").

    In the order of the file, for all within an element; not for itself.
    """
    if root.text:
        yield "text", root, root.text
    within, waiting = [root], [iter(root)]
    while waiting:
        child = next(waiting[-1], None)
        if child is not None:
            yield "start", child, ""
            if child.text:
                yield "text", child, child.text
            within.append(child)
            waiting.append(iter(child))
            continue
        waiting.pop()
        done = within.pop()
        if waiting:
            yield "end", done, ""
            if done.tail:
                yield "text", within[-1], done.tail


# Marks on their way into XLIFF: which codes are pairs, which of these nest, and their ids.


def pairs(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return for the place of each `bpt` that of its `ept`, and the reverse, where both are there.

    Examples
    --------
    >>> from bitext.formats.xml.inline_codes import pieces
    >>> pairs(list(pieces('<bpt i="1"/>a<ept i="1"/><ept i="2"/>')))
    {0: 2, 2: 0}

    """
    found: dict[int, int] = {}
    opened: dict[str | None, list[int]] = {}
    for k, piece in enumerate(pieces):
        if piece.kind == "bpt":
            opened.setdefault(piece.attributes.get("i"), []).append(k)
        elif piece.kind == "ept":
            openings = opened.get(piece.attributes.get("i"))
            if openings:
                begin = openings.pop()
                found[begin], found[k] = k, begin
    return found


def nested(pieces: Sequence[Piece], paired: dict[int, int]) -> set[int]:
    """Return the places of the halves of pairs that can be elements: no border of one is crossed.

    Examples
    --------
    >>> from bitext.formats.xml.inline_codes import pieces
    >>> found = list(pieces('<bpt i="1"/><bpt i="2"/>a<ept i="1"/>b<ept i="2"/>'))
    >>> sorted(nested(found, pairs(found)))
    [1, 5]

    """
    kept: set[int] = set()
    opened: list[int] = []
    left: set[int] = set()  # those of them that may still be elements
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
                kept |= {k, opened.pop()}
    return kept


def own_number(attributes: Mapping[str, str], count: int) -> str:
    """Return the `i` of the `count`-th pair, unless it is `count`, which readers give it anyway."""
    i = attributes.get("i", "")
    return i if i.isascii() and i.isdigit() and i != str(count) else ""


def half_position(kind: str, attributes: Mapping[str, str]) -> str:
    """Return the `pos` of a lone half of a pair; an element without it says so by its name."""
    return attributes.get("pos") or ("end" if kind == "ept" else "begin")


class Ids:
    """Gives the ids of the inline elements of a unit.

    Parameters
    ----------
    unique : bool
        Whether each must be another one (XLIFF 2), and a name token.

    """

    def __init__(self, *, unique: bool) -> None:
        self._unique = unique
        self._reserved: set[str] = set()
        self._given: set[str] = set()
        self.number = 0  # of the last one

    def reserve(self, name: str) -> bool:
        """Keep an id for something else; tell whether it was still free."""
        free = name not in self._reserved
        self._reserved.add(name)
        self._given.add(name)
        return free

    def other_side(self) -> Ids:
        """Return what gives the ids of the target: it may repeat each `x` of the source once."""
        ids = Ids(unique=self._unique)
        ids._reserved, ids._given = self._reserved, set(self._reserved)
        ids.number = self.number
        return ids

    def give(self, x: str | None, beside: str = "") -> str:
        """Return the id of the next element: its `x`, unless that cannot be or tells too little."""
        self.number += 1
        x = x or ""
        fits = x and not beside and not x.startswith("bitext.")
        if fits and not (self._unique and (x in self._given or token(x) != x)):
            self._given.add(x)
            return x
        return made_id(self.number, x, beside)
