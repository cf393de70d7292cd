"""Inline codes of a segment, in the vocabulary that all formats translate from and to.

`Text.marked` holds a segment with its marks as XML: the content of a TMX 1.4 `seg`, without line
ends other than those of the text. What may stand in it:

| mark | attributes | content |
| --- | --- | --- |
| `bpt`, `ept` | `i` joins the two; `bpt` also `x`, `type` | native code: begins, ends a pair |
| `it` | `pos` (`begin`, `end`), `x`, `type` | native code: half of a pair, the other is elsewhere |
| `ph` | `x`, `assoc`, `type` | native code that stands alone |
| `hi` | `x`, `type` | text of the segment, with marks in it |
| `sub` | `datatype`, `type` | within code only: a flow of its own, with marks in it |

The characters of the segment are its own and those in `hi`. `&`, `<` and `>` are escaped; a mark
without content is written `<ph x="1"/>`.

`pieces` splits such XML, without recursion, and `marked` joins the pieces: `text`, codes with their
native code, and `hi` and `/hi` where highlighting begins and ends. Native code with flows has
`inner`, its XML; `flows` gives their texts, `cut` splits a joined segment.

`flow` translates the content of a segment in a file, given as tokens (start tags, end tags, texts),
to this vocabulary. Codes of TMX stay as they are. Others are translated, and noted:

| in the file | becomes |
| --- | --- |
| `ut` | `ph` |
| `bpt`, `ept` without `i` | `it`: the other half is not known |
| `it` without `pos` | `ph` |
| `sub` outside of code (TMX 1.1) | `ph` with the `sub` in it |
| another element with content, as `a` of HTML or `g` of XLIFF | `bpt`, `ept` with its tags whole |
| another element without content, as `br` or `x` | `ph` with its tag whole as native code |
| `hi`, or a code without content, with attributes that TMX does not have | likewise |
| an element within native code, except for `sub` | native code, tags and all |
| attributes of others that TMX does not have | left out, which is a loss |
| `bpt` or `ept` without the other half, or two by one `i` | the same, as it stands |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from bitext.errors import InputError
from bitext.formats.xml import escape, escape_value, unescape
from bitext.lazy import late_pattern

# Codes that begin or end a pair.
#
# TMX joins `bpt` and `ept` by `i` within a segment, in which no other pair may have that number;
# a lone half is `it`. Halves that do not match are read as they stand, and noted.

_HALF = late_pattern(r'<([be])pt[^<>]*? i="([^"]*)"')
_NUMBER = late_pattern(r'(<[be]pt[^<>]*? i=")([^"]*)(?=")')
_LONE = "codes that begin or end a pair (bpt, ept) without the other half in their segment"
_AGAIN = "codes that begin a pair (bpt) by the i of another one in their segment"


def pairs(pieces: Sequence[Piece]) -> dict[int, int]:
    """Map the index of each `bpt` to that of its `ept`, and the reverse, for complete pairs.

    Examples
    --------
    >>> pairs(list(pieces('<bpt i="1"/>a<ept i="1"/><ept i="2"/>')))
    {0: 2, 2: 0}

    """
    partners: dict[int, int] = {}
    opened: dict[str | None, list[int]] = {}
    for k, piece in enumerate(pieces):
        if piece.kind == "bpt":
            opened.setdefault(piece.attributes.get("i"), []).append(k)
        elif piece.kind == "ept":
            openings = opened.get(piece.attributes.get("i"))
            if openings:
                begin = openings.pop()
                partners[begin], partners[k] = k, begin
    return partners


def unmatched_halves(halves: Iterable[tuple[bool, str]]) -> tuple[list[int], list[int]]:
    """Return the indices of halves without the other half, and of repeated beginnings.

    `halves` has, in order, for each half whether it begins a pair, and the key that joins both
    halves of the pair.

    Examples
    --------
    >>> unmatched_halves([(True, "1"), (False, "1"), (True, "1"), (False, "2")])
    ([2, 3], [2])

    """
    opened: dict[str, list[int]] = {}
    lone, again = [], []
    for k, (begins, key) in enumerate(halves):
        if begins:
            if key in opened:
                again.append(k)
            opened.setdefault(key, []).append(k)
        elif opened.get(key):
            opened[key].pop()
        else:
            lone.append(k)
    return sorted([*lone, *(k for left in opened.values() for k in left)]), again


def pair_faults(xml: str) -> tuple[tuple[str, str], ...]:
    """Return the faults of the pairs in a segment as `Text.marked` has it, by kind and case.

    Examples
    --------
    >>> pair_faults('<bpt i="1"/>a<ept i="1"/>')
    ()
    >>> [case for _, case in pair_faults('<bpt i="1"/>a<ept i="2"/>')]
    ['bpt i="1"', 'ept i="2"']

    """
    if "pt " not in xml:
        return ()
    return _pair_faults(tuple(_HALF.findall(xml)))


@lru_cache(1 << 12)
def _pair_faults(halves: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    lone, again = unmatched_halves((letter == "b", i) for letter, i in halves)
    cases = [f'{letter}pt i="{i[:20]}"' for letter, i in halves] if lone or again else []
    return (*((_LONE, cases[k]) for k in lone), *((_AGAIN, cases[k]) for k in again))


def joined(parts: Sequence[str]) -> str:
    """Join segments with codes by blanks; renumber pairs where numbers clash.

    Examples
    --------
    >>> joined(['<bpt i="1"/>a<ept i="1"/>', "b", '<bpt i="1"/>c<ept i="1"/>'])
    '<bpt i="1"/>a<ept i="1"/> b <bpt i="2"/>c<ept i="2"/>'

    """
    numbers_of = [{i for _, i in _HALF.findall(part)} if "pt " in part else set() for part in parts]
    if sum(map(bool, numbers_of)) < 2:
        return " ".join(parts)
    taken: set[str] = set()
    out = []
    for part, numbers in zip(parts, numbers_of, strict=True):
        others: dict[str, str] = {}
        number = 0
        for i in sorted(numbers & taken):
            while str(number := number + 1) in taken | numbers:
                pass
            others[i] = str(number)
        taken |= (numbers - taken) | set(others.values())
        out.append(_renumbered(part, others) if others else part)
    return " ".join(out)


def _renumbered(xml: str, others: Mapping[str, str]) -> str:
    return _NUMBER.sub(lambda half: half[1] + others.get(half[2], half[2]), xml)


CODES = ("bpt", "ept", "it", "ph")
# Kinds of notes on losses in reading, which count like the losses of a writer.
LOST_ATTRIBUTES = "attributes of codes and marks, left out"
LOST_ELEMENTS = (
    "elements that mark parts of segments (hi, ref, ...), of which only the text is read"
)
ALLOWED: Mapping[str, tuple[str, ...]] = {
    "bpt": ("i", "x", "type"),
    "ept": ("i",),
    "it": ("pos", "x", "type"),
    "ph": ("x", "assoc", "type"),
    "hi": ("x", "type"),
    "sub": ("datatype", "type"),
}

# The attributes without which codes are other ones.
_REQUIRED = {"bpt": "i", "ept": "i", "it": "pos"}

_Token = tuple[str, str, "Mapping[str, str]", bool, bool]

_NONE: Mapping[str, str] = MappingProxyType({})
_TOKEN = late_pattern(r"(<(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>)")
CODE_TAG = late_pattern(r"<(/?)(bpt|ept|it|ph|hi|sub)((?:[^<>\"'/]|\"[^\"<]*\"|'[^'<]*')*)(/?)>")
_NAME = r"[ \t\n]+([A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?)"
_ATTRIBUTE = late_pattern(_NAME + r"[ \t\n]*=[ \t\n]*(?:\"([^\"<]*)\"|'([^'<]*)')")
_ATTRIBUTES = late_pattern(rf"(?:{_ATTRIBUTE.pattern})*[ \t\n]*")
_VALUES = '(?: [a-z]+="[^"<>]*")*'
_SIMPLE = late_pattern(rf"<(bpt|ept|it|ph){_VALUES}(?:/>|>[^<>]*</\1>)")
_HI = late_pattern(rf"<hi{_VALUES}/?>|</hi>")


class Piece(NamedTuple):
    """A piece of a segment."""

    kind: str  # `text`; `bpt`, `ept`, `it`, `ph`: a code; `hi` and `/hi`: highlighting begins, ends
    # The characters of a text; the native code of a code, without the texts of flows in it.
    text: str = ""
    attributes: Mapping[str, str] = _NONE  # the attributes of the code
    inner: str = ""  # the content of a code as XML, where there are flows (`sub`) in it; else empty


def tag(name: str, attributes: Mapping[str, str], *, empty: bool = False) -> str:
    """Return a start tag, or the tag of an element without content.

    Examples
    --------
    >>> tag("ph", {"x": "1"}, empty=True)
    '<ph x="1"/>'

    """
    values = "".join(f' {key}="{escape_value(value)}"' for key, value in attributes.items())
    return f"<{name}{values}{'/' if empty else ''}>"


def attributes_of(written: str) -> dict[str, str] | None:
    r"""Parse the attributes of a start tag, given the text after its name.

    Return `None` for malformed text: an attribute twice, or without quotes.

    Examples
    --------
    >>> attributes_of(" i='1' type=\"a&amp;b\"")
    {'i': '1', 'type': 'a&b'}

    """
    if not _ATTRIBUTES.fullmatch(written):
        return None
    matches = _ATTRIBUTE.findall(written)
    values = {
        name: unescape((double or single).replace("\n", " ").replace("\t", " "))
        for name, double, single in matches
    }
    return values if len(values) == len(matches) else None


def plain(xml: str) -> str:
    """Return the characters of a segment: without codes and their flows.

    Examples
    --------
    >>> plain('A <bpt i="1">&lt;b&gt;</bpt><hi>R&amp;D</hi><ept i="1"/>.')
    'A R&D.'

    """
    if "<sub" not in xml:
        text = _HI.sub("", _SIMPLE.sub("", xml))
        if "<" not in text:
            return unescape(text)
    return "".join(piece.text for piece in pieces(xml) if piece.kind == "text")


def pieces(xml: str) -> Iterator[Piece]:
    """Yield the pieces of a segment, in order.

    Raises `InputError` when the segment is malformed, or has codes outside of the vocabulary.

    Examples
    --------
    >>> for piece in pieces('A<ph x="1">&lt;br/&gt;</ph> <hi>b</hi>'):
    ...     print(piece.kind, repr(piece.text), dict(piece.attributes))
    text 'A' {}
    ph '<br/>' {'x': '1'}
    text ' ' {}
    hi '' {}
    text 'b' {}
    /hi '' {}

    """
    tokens = _tokens(xml)
    depth = 0  # of highlighting
    for token, name, attributes, closes, empty in tokens:
        if not name:
            yield Piece("text", unescape(token))
        elif closes:
            depth -= 1
            if name != "hi" or depth < 0:
                raise _broken(xml, f"an end tag </{name}> that nothing begins")
            yield Piece("/hi")
        elif name == "sub":
            raise _broken(xml, "<sub> outside of code")
        elif name == "hi":
            yield Piece("hi", "", attributes)
            if empty:
                yield Piece("/hi")
            depth += not empty
        elif empty:
            yield Piece(name, "", attributes)
        else:
            yield _code(xml, name, attributes, tokens)
    if depth:
        raise _broken(xml, "<hi> without an end tag")


def _code(xml: str, name: str, attributes: Mapping[str, str], tokens: Iterator[_Token]) -> Piece:
    """Read the tokens of a code up to its end tag."""
    opened: list[str] = [name]
    inner: list[str] = []
    native: list[str] = []
    for token, other, _, closes, empty in tokens:
        if not other:
            native.append(token if len(opened) == 1 else "")
        elif closes:
            if opened.pop() != other:
                raise _broken(xml, f"an end tag </{other}> that nothing begins")
            if not opened:
                has_flows = any(part.startswith("<") for part in inner)
                inside = "".join(inner) if has_flows else ""
                return Piece(name, unescape("".join(native)), attributes, inside)
        elif (other == "sub") != (opened[-1] in CODES):
            raise _broken(xml, f"<{other}> where it may not stand")
        elif not empty:
            opened.append(other)
        inner.append(token)
    raise _broken(xml, f"<{opened[-1]}> without an end tag")


def _tokens(xml: str) -> Iterator[_Token]:
    """Yield texts and tags: name, attributes, whether an end tag, whether without content."""
    for k, token in enumerate(_TOKEN.split(xml)):
        if k % 2 == 0:
            if "<" in token:
                raise _broken(xml, "a < that is not escaped")
            if token:
                yield token, "", _NONE, False, False
            continue
        match = CODE_TAG.fullmatch(token)
        attributes = attributes_of(match[3]) if match else None
        if match is None or attributes is None or (match[1] and (match[3].strip() or match[4])):
            raise _broken(xml, f"{token[:40]!r}, which is no mark of it")
        yield token, match[2], attributes, bool(match[1]), bool(match[4])


def _broken(xml: str, what: str) -> InputError:
    return InputError(
        f"the segment with marks {xml[:60]!r} has {what}; want the content of a TMX seg: text, "
        f"bpt, ept, it, ph and hi"
    )


def marked(pieces: Iterable[Piece]) -> str:
    """Join pieces, as `pieces` yields them or newly made, to a segment with codes.

    Attributes outside of the vocabulary and empty optional ones are left out.

    Raises `InputError` when a piece is of no known kind.

    Examples
    --------
    >>> marked([Piece("text", "a "), Piece("ph", "<br>", {"x": "1", "id": "7"}), Piece("hi")])
    'a <ph x="1">&lt;br&gt;</ph><hi>'

    """
    parts = []
    for kind, text, attributes, inner in pieces:
        if kind == "text":
            parts.append(escape(text))
        elif kind == "/hi":
            parts.append("</hi>")
        elif kind in ALLOWED and kind != "sub":
            allowed = {name: value for name, value in attributes.items() if name in ALLOWED[kind]}
            content = inner or escape(text)
            if kind == "hi":
                parts.append(tag(kind, allowed))
            elif content:
                parts.append(f"{tag(kind, allowed)}{content}</{kind}>")
            else:
                parts.append(tag(kind, allowed, empty=True))
        else:
            raise InputError(f"a piece is of the kind {kind!r}: want text, a code, hi or /hi")
    return "".join(parts)


def flows(inner: str) -> list[str]:
    """Return the characters of each flow (`sub`) in the content of a code, outer before inner.

    Examples
    --------
    >>> flows('&lt;img alt="<sub>a <ph x="1">(<sub>very</sub>)</ph>dog</sub>"&gt;')
    ['a dog', 'very']

    """
    texts: list[list[str]] = []
    opened: list[tuple[str, int]] = []  # names, and for a flow its number
    for token, name, _, closes, empty in _tokens(inner):
        if not name:
            around = next((entry for entry in reversed(opened) if entry[0] != "hi"), ("", 0))
            if around[0] == "sub":
                texts[around[1]].append(unescape(token))
        elif closes:
            if opened:
                opened.pop()
        else:
            if name == "sub":
                texts.append([])
            if not empty:
                opened.append((name, len(texts) - 1))
    return ["".join(parts) for parts in texts]


def cut(xml: str, lengths: Sequence[int]) -> list[str] | None:
    """Split a segment that was joined by blanks, by the lengths of its parts.

    Return `None` without a blank between the parts, or with the blank inside `hi`.

    Examples
    --------
    >>> cut('a<ph x="1"/> bc', [1, 2])
    ['a<ph x="1"/>', 'bc']

    """
    parts: list[list[Piece]] = [[]]
    left, depth = list(lengths[::-1]), 0
    for piece in pieces(xml):
        depth += (piece.kind == "hi") - (piece.kind == "/hi")
        text = piece.text
        while piece.kind == "text" and text:
            if left and left[-1] == 0 and len(left) > 1:
                if text[0] != " " or depth:
                    return None
                left.pop()
                parts.append([])
                text = text[1:]
                continue
            size = left[-1] if left else 0
            if not size:
                return None
            parts[-1].append(Piece("text", text[:size]))
            left[-1] -= len(text[:size])
            text = text[size:]
        if piece.kind != "text":
            parts[-1].append(piece)
    if left != [0]:
        return None
    return [marked(part) for part in parts]


FLOWS = "flows within codes (sub), whose text is kept with the marks only"


class Token(NamedTuple):
    """A start tag, an end tag or a text of a file."""

    what: str  # which of them, in this order; one of "<", ">", ""
    name: str  # the name of the element, or the characters of a text
    attributes: Mapping[str, str]  # the attributes of a start tag
    line: int  # the line of a start tag


class _Open(NamedTuple):
    """An open element: its end, and whether its content is native code."""

    end: str
    codes: int
    native: bool


def flow(tokens: Sequence[Token], report: Callable[[str, str], None]) -> tuple[str, str | None]:
    """Return the characters of a segment, and the segment with its codes if there are any.

    `report` is called with the kind and the case of each fault.
    """
    if not any(token.what for token in tokens):
        return "".join(token.name for token in tokens), None
    out: list[str] = []
    plain: list[str] = []
    opened = [_Open("", 0, native=False)]
    taken = {token.attributes.get("i") for token in tokens if token.name in {"bpt", "ept"}}
    numbers = (str(k) for k in count(1) if str(k) not in taken)  # those that join no pair
    for k, token in enumerate(tokens):
        top = opened[-1]
        if not token.what:
            out.append(escape(token.name))
            if not top.codes:
                plain.append(token.name)
        elif token.what == ">":
            opened.pop()
            out.append(top.end)
        else:
            content = tokens[k + 1].what != ">"
            start, entry = _begun(token, top, numbers, content=content, report=report)
            out.append(start)
            opened.append(entry)
    xml = "".join(out)
    for kind, case in pair_faults(xml):
        report(kind, case)
    return "".join(plain), xml


def _begun(
    token: Token,
    top: _Open,
    numbers: Iterator[str],
    *,
    content: bool,
    report: Callable[[str, str], None],
) -> tuple[str, _Open]:
    """Return the start tag of a code as written, and its entry on the stack."""
    name = token.name
    if name == "sub":
        report(FLOWS, "sub")
        start = tag("sub", _allowed_attributes(token, "sub", report))
        if top.native:
            return start, _Open("</sub>", top.codes, native=False)
        report(_NOT_THERE, "sub outside of code")
        return f"<ph>{start}", _Open("</sub></ph>", top.codes + 1, native=False)
    if top.native:
        report(_NOT_THERE, f"{name} within code")
        end = escape(f"</{_local(name)}>") if content else ""
        return escape(_whole_start_tag(token, empty=not content)), _Open(
            end, top.codes, native=True
        )
    allowed = ALLOWED.get("ph" if name == "ut" else name)
    foreign = [_local(key) for key in token.attributes if allowed and key not in allowed]
    if allowed and (not foreign or (content and name != "hi")):
        if name == "hi":
            start = tag("hi", token.attributes)
            return start, _Open("</hi>", top.codes, native=False)
        name, attributes = _code_for(token, report)
        start = tag(name, attributes, empty=not content)
        return start, _Open(f"</{name}>" if content else "", top.codes + 1, native=True)
    if foreign:
        report(_FOREIGN_ATTRIBUTES, f"{name} {foreign[0]}")
    else:
        report(
            "elements within segments that TMX does not have, kept as codes with their tags", name
        )
    code = escape(_whole_start_tag(token, empty=not content))
    if not content:
        return f"<ph>{code}", _Open("</ph>", top.codes + 1, native=True)
    i = next(numbers)
    end = f'<ept i="{i}">{escape(f"</{_local(name)}>")}</ept>'
    return f'<bpt i="{i}">{code}</bpt>', _Open(end, top.codes, native=False)


def _whole_start_tag(token: Token, *, empty: bool) -> str:
    """Return a start tag with all attributes and namespaces."""
    space, _, local = token.name.rpartition("}")
    attributes = {"xmlns": space[1:]} if space else {}
    for key, value in token.attributes.items():
        space, _, name = key.rpartition("}")
        if space:
            prefix = f"ns{len(attributes)}"
            attributes[f"xmlns:{prefix}"] = space[1:]
            name = f"{prefix}:{name}"
        attributes[name] = value
    return tag(local, attributes, empty=empty)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


_FOREIGN_ATTRIBUTES = "marks with attributes that TMX does not have, kept as codes with their tags"
_NOT_THERE = "marks where TMX does not have them, put right"


def _code_for(token: Token, report: Callable[[str, str], None]) -> tuple[str, Mapping[str, str]]:
    """Return the name and the attributes of the code for a token."""
    name = "ph" if token.name == "ut" else token.name
    missing = _REQUIRED.get(name, "")
    attributes = _allowed_attributes(token, name, report)
    if not missing or (
        missing in attributes and (name != "it" or attributes["pos"] in {"begin", "end"})
    ):
        return name, attributes
    report("codes without the attribute that TMX wants, made others", f"{name} without {missing}")
    attributes = {key: value for key, value in attributes.items() if key not in {"i", "pos"}}
    if name == "it":
        return "ph", attributes
    return "it", {"pos": "begin" if name == "bpt" else "end", **attributes}


def _allowed_attributes(
    token: Token, name: str, report: Callable[[str, str], None]
) -> Mapping[str, str]:
    allowed = ALLOWED[name]
    other = next((key for key in token.attributes if key not in allowed), None)
    if other is None:
        return token.attributes
    report(LOST_ATTRIBUTES, f"{name} {_local(other)}")
    return {key: value for key, value in token.attributes.items() if key in allowed}


# Segments as they stand in a file, many at once.
#
# Codes are replaced from the innermost outwards, in all segments at once. Each is replaced by a
# control character that no XML contains, so that a code in a wrong place does not match. In the end
# only the text remains. Segments for which this fails are parsed.

_NUL = "\0"  # between segments
_CODE = late_pattern(rf"<(bpt|ept|it|ph|ut){_VALUES}(?:/>|>[^<>\0\2\3\4]+</\1>)")  # leaves \4
_SUB = late_pattern(rf"<sub{_VALUES}>[^<>\0\1]*</sub>")  # leaves \1
_QUICK_HI = late_pattern(rf"<hi{_VALUES}>([^<>\0\1]*)</hi>")  # leaves \2 and \3 about its text
_ROUNDS = 12  # depth of nested codes; deeper ones are parsed
_START = late_pattern(r"<[a-z][^<>]*>")
_ODD = late_pattern(r"&(?:quot|apos|#[0-9]+|#x[0-9a-fA-F]+);")

MarkedSegment = tuple[str, str, list[tuple[str, str]]]  # characters, segment with codes, faults


def read_marked(
    written: list[str], parse: Callable[[str], MarkedSegment | None]
) -> list[MarkedSegment] | None:
    """Read many segments; return the characters, the segment with codes, and the faults of each.

    `written` are the contents of `seg` with tags in them, as they stand in a file; references are
    valid. Faults are pairs of kind and case. `parse` reads a segment with other codes than `marked`
    writes. Return `None` if it returns `None` for one.
    """
    usual = [_with_usual_references(segment) for segment in written]
    at_once = _peeled(usual)
    if at_once is not None:
        return at_once
    each: list[MarkedSegment] = []
    for segment in usual:
        alone = _peeled([segment])
        read = alone[0] if alone else parse(segment)
        if read is None:
            return None
        each.append(read)
    return each


def _with_usual_references(segment: str) -> str:
    """Replace needless references in the text of a segment by their characters."""
    if "&#" not in segment and "&quot;" not in segment and "&apos;" not in segment:
        return segment
    if any("&" in start for start in _START.findall(segment)):
        return segment
    return _ODD.sub(lambda match: escape(unescape(match[0])), segment)


def _peeled(written: list[str]) -> list[MarkedSegment] | None:
    """Read segments as `marked` writes them; `ut` may stand for `ph`."""
    block = _NUL.join(written)
    if not all(map(_is_usual, set(_START.findall(block)))):
        return None
    if "&#" in block or "&quot;" in block or "&apos;" in block:
        bare = _ODD.search(_START.sub("", block))
        if bare:
            return None
    rounds = 0
    left = block
    while "<" in left:
        before = left
        left = _QUICK_HI.sub("\2\\1\3", _SUB.sub("\1", _CODE.sub("\4", left)))
        rounds += 1
        if len(left) == len(before) or rounds > _ROUNDS:
            return None
    if ">" in left or "\1" in left:
        return None
    left = left.replace("\2", "").replace("\3", "").replace("\4", "")
    texts = unescape(left).split(_NUL)
    if "<ut" in block:
        written = [segment.replace("<ut", "<ph").replace("</ut>", "</ph>") for segment in written]
    faults: list[list[tuple[str, str]]] = [[] for _ in written]
    if "<sub" in block:
        for k, segment in enumerate(written):
            faults[k] = [(FLOWS, "sub")] * segment.count("<sub")
    for k, segment in enumerate(written):
        faults[k] += pair_faults(segment)
    return list(zip(texts, written, faults, strict=True))


@lru_cache(1 << 12)
def _is_usual(start: str) -> bool:
    """Check whether `marked` writes a start tag this way, with all required attributes."""
    empty = start.endswith("/>")
    inside = start[1 : -2 if empty else -1]
    name, _, rest = inside.partition(" ")
    attributes = attributes_of(f" {rest}" if rest else "")
    allowed = ALLOWED.get("ph" if name == "ut" else name)
    if allowed is None or attributes is None or attributes.keys() - set(allowed):
        return False
    if name in _REQUIRED and _REQUIRED[name] not in attributes:
        return False
    if name == "it" and attributes["pos"] not in {"begin", "end"}:
        return False
    return tag(name, attributes, empty=empty) == start
