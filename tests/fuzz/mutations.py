"""Changes to the contents of files: of bytes, of lines and fields, of XML and of JSON.

Each takes bytes and a `random.Random` and gives bytes. What is done follows from the numbers drawn
only, so that an input can be made again from its seed.
"""

from __future__ import annotations

import re

MOST = 1 << 16  # bytes of an input

# What breaks readers: line ends that are none, marks, signs of formats, numbers, characters.
ODD = [
    *("\0", "\r", "\n", "\r\n", "\t", " ", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\ufeff"),
    *("\u0301", "\u202e", "𝄞", "\ufffe", "\x7f", "\ufdd0", "é", "ß", "İ", "٣", "²", "一"),
    *("-1", "0", "1", "00", "9" * 19, "9" * 400, "1e999", "-1e-999", "nan", "inf", "0x1", "1_0"),
    *("[", "]", "{", "}", "(", ")", ":", ";", ",", "-", "~~~", "|||", "@", "#", "$", "=", "==="),
    *("[0]:[0]", "[]:[]", "0-0", "1p2", "({ 1 })", "NULL ({ })", " @ ", "null", "true", '"', "'"),
    *("\\", "\\u0000", "\\ud800", "\\", "%", "*", "?", "/", "..", "../../x", "#e1", "e1.xml#x"),
]
XML_ODD = [
    *("<", ">", "&", "&amp;", "&lt;", "&#0;", "&#x1F600;", "&#xD800;", "&nothing;", "&e;", "]]>"),
    *("<!-- c -->", "<!--", "-->", "<?pi x?>", "<?xml version='1.0'?>", "<![CDATA[<c>]]>"),
    *("<![CDATA[", "<s>", "</s>", "<seg/>", "<x:y/>", "<ph/>", "<g id='1'>", "</g>", "<mrk/>"),
    *(' id="1"', ' xml:id="e1"', ' xml:lang="x"', ' xml:space="preserve"', ' a="1" a="2"', " a"),
    *(' xmlns="urn:x"', ' xmlns:q="urn:q"', ' xml:base="../"', ' version="9.9"', " id=''"),
    '<!DOCTYPE x SYSTEM "x.dtd">',
    '<!DOCTYPE x [<!ENTITY e "v">]>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>',
    '<!DOCTYPE x [<!ENTITY % p "v">]>',
    '<!DOCTYPE x [<!ATTLIST s id ID #IMPLIED n CDATA "1">]>',
]
PROLOGS = [
    "",
    '<?xml version="1.0"?>',
    '<?xml version="1.1" encoding="UTF-8"?>',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="latin-1" standalone="yes"?>',
    '<?xml version="1.0" encoding="x-none"?>',
    "\n<?xml version='1.0'?>",
]
CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp037"]
_VALUES = [
    *("null", "true", "-1", "0", "1", "1.5", "1e400", "NaN", "-Infinity", "9" * 30, '""', '"x"'),
    *("[]", "{}", "[[]]", "[0]", "[-1]", '["\\ud800"]', '{"": 0}', "[" * 2000, '"\\u0000"'),
]
_XML_PIECE = re.compile(r"<!--.*?(?:-->|$)|<[^<>]*>|[^<]+|<", re.DOTALL)
_ATTRIBUTE = re.compile(r"\s[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_JSON_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[\[\]{}:,]')
_NUMBER = re.compile(r"\d+")
_CELL = re.compile(r"[\t ,:;|]+")


def mutated(content, draw, *, kind="", others=()):
    """Return a changed input; now and then it is one as it was, or cut, or two joined."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        change = draw.choice(_CHANGES[_told(content) if not kind or draw.random() < 0.1 else kind])
        content = change(content, draw)
        if others and draw.random() < 0.04:
            content = _spliced(content, draw.choice(others), draw)
    return content[:MOST]


def _told(content):
    """Return the kind of changes that suit a content."""
    start = content.lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t")[:1]
    if start == b"<":
        return "xml"
    if start in {b"{", b"["}:
        return "json" if b'"' in content[:300] else "lines"
    return "lines" if b"\0" not in content[:300] else "bytes"


def _spliced(content, other, draw):
    return content[: draw.randrange(len(content) + 1)] + other[draw.randrange(len(other) + 1) :]


def _text_change(function):
    """Make a change of bytes of one of text."""

    def change(content, draw):
        text = content.decode("utf-8", "surrogateescape")
        return function(text, draw).encode("utf-8", "surrogateescape")

    return change


# Bytes


def _flip(content, draw):
    if not content:
        return bytes([draw.randrange(256)])
    at = draw.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << draw.randrange(8))]) + content[at + 1 :]


def _cut(content, draw):
    at = draw.randrange(len(content) + 1)
    return content[:at]


def _drop(content, draw):
    at, size = draw.randrange(len(content) + 1), draw.choice((1, 1, 2, 4, 16, 64, 1000))
    return content[:at] + content[at + size :]


def _double(content, draw):
    at, size = draw.randrange(len(content) + 1), draw.choice((1, 2, 8, 64, 1000))
    return content[: at + size] + content[at:]


def _put_bytes(content, draw):
    at = draw.randrange(len(content) + 1)
    put = draw.choice((b"\0", b"\xff", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", draw.randbytes(4)))
    return content[:at] + put + content[at + draw.randrange(3) :]


@_text_change
def _put_odd(text, draw):
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(ODD) + text[at + draw.choice((0, 0, 1, 3)) :]


def _recoded(content, draw):
    """Write the text in another encoding, whatever it declares."""
    text = content.decode("utf-8", "replace")
    return text.encode(draw.choice(CODECS), "replace")


@_text_change
def _number(text, draw):
    """Put another number in the place of one."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    at = draw.choice(found)
    near = str(int(at[0][:9]) + draw.choice((-2, -1, 1, 2)))
    put = draw.choice((near, near, "0", "-1", "9" * 10, "9" * 25, "٣", "1.5", "", at[0] * 2))
    return text[: at.start()] + put + text[at.end() :]


# Lines


def _lines(function):
    @_text_change
    def change(text, draw):
        lines = text.split("\n")
        function(lines, draw)
        return "\n".join(lines)

    return change


@_lines
def _drop_line(lines, draw):
    del lines[draw.randrange(len(lines))]


@_lines
def _double_line(lines, draw):
    at = draw.randrange(len(lines))
    lines[at:at] = [lines[at]] * draw.choice((1, 1, 2, 50))


@_lines
def _swap_lines(lines, draw):
    a, b = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


@_lines
def _put_line(lines, draw):
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(("", " ", "#", "# x", *ODD)))


@_lines
def _change_cells(lines, draw):
    """Swap, drop, double or change the fields of a line, or what stands between them."""
    at = draw.randrange(len(lines))
    gaps = _CELL.findall(lines[at])
    cells = _CELL.split(lines[at])
    a, b = draw.randrange(len(cells)), draw.randrange(len(cells))
    what = draw.randrange(6)
    if what == 0:
        cells[a], cells[b] = cells[b], cells[a]
    elif what == 1:
        cells[a] = ""
    elif what == 2:
        cells[a] = cells[b] + cells[a]
    elif what == 3:
        cells[a] = draw.choice(ODD)
    elif gaps:
        c = draw.randrange(len(gaps))
        gaps[c] = draw.choice(("\t", " ", "", ",", ":", "\t\t", "\u00a0", "  ", "\r"))
    lines[at] = "".join(x for pair in zip(cells, [*gaps, ""], strict=True) for x in pair)


@_lines
def _long_line(lines, draw):
    at = draw.randrange(len(lines))
    unit = lines[at][: draw.choice((1, 3, 20, 200))] or "x"
    lines[at] += unit * (draw.choice((100, 5000)) // len(unit))


@_text_change
def _line_ends(text, draw):
    return text.replace("\n", draw.choice(("\r\n", "\r", "\x85", "\u2028", "\n\n", " \n", "")))


# XML


def _markup(function):
    @_text_change
    def change(text, draw):
        pieces = _XML_PIECE.findall(text) or [""]
        function(pieces, draw)
        return "".join(pieces)

    return change


def _tag(pieces, draw):
    """Return the place of a tag, or of anything where there is none."""
    for _ in range(8):
        at = draw.randrange(len(pieces))
        if pieces[at].startswith("<"):
            return at
    return at


def _element(pieces, draw):
    """Return where a well-formed element begins and ends, as far as can be told."""
    begin = _tag(pieces, draw)
    depth = 0
    for at in range(begin, min(len(pieces), begin + 400)):
        piece = pieces[at]
        if piece.startswith("<") and not piece.startswith(("<!", "<?")):
            depth += -1 if piece.startswith("</") else 0 if piece.endswith("/>") else 1
        if depth <= 0:
            return begin, at + 1
    return begin, begin + 1


@_markup
def _drop_piece(pieces, draw):
    del pieces[draw.randrange(len(pieces))]


@_markup
def _drop_element(pieces, draw):
    begin, end = _element(pieces, draw)
    del pieces[begin:end]


@_markup
def _double_element(pieces, draw):
    begin, end = _element(pieces, draw)
    pieces[begin:begin] = pieces[begin:end] * draw.choice((1, 1, 2, 20))


@_markup
def _move_element(pieces, draw):
    begin, end = _element(pieces, draw)
    held = pieces[begin:end]
    if draw.random() < 0.5:
        del pieces[begin:end]
    at = draw.randrange(len(pieces) + 1)
    pieces[at:at] = held


@_markup
def _nest_element(pieces, draw):
    begin, end = _element(pieces, draw)
    held = pieces[begin:end]
    many = draw.choice((1, 2, 300))
    if len(held) > 1:
        pieces[begin:end] = [held[0]] * many + held + [held[-1]] * many


@_markup
def _swap_tags(pieces, draw):
    a, b = _tag(pieces, draw), _tag(pieces, draw)
    pieces[a], pieces[b] = pieces[b], pieces[a]


@_markup
def _change_attribute(pieces, draw):
    at = _tag(pieces, draw)
    found = list(_ATTRIBUTE.finditer(pieces[at]))
    if not found:
        pieces[at] = pieces[at].replace(">", f"{draw.choice(XML_ODD)}>", 1)
        return
    one, other = draw.choice(found), draw.choice(found)
    name, _, value = one[0].partition("=")
    put = draw.choice((
        "", one[0] * 2, other[0], f'{name}=""', f"{name}={value[:-1]} {value[1:]}", f"{name}=x",
        f'{name}="{draw.choice(ODD)}"', f"{name}x={value}", f"{name}={value[:-1]}&lt;{value[-1:]}",
    ))  # fmt: skip
    pieces[at] = pieces[at][: one.start()] + put + pieces[at][one.end() :]


@_markup
def _swap_values(pieces, draw):
    """Exchange an attribute of one tag for one of another."""
    a, b = _tag(pieces, draw), _tag(pieces, draw)
    here, there = _ATTRIBUTE.search(pieces[a]), _ATTRIBUTE.search(pieces[b])
    if here and there:
        pieces[a] = pieces[a][: here.start()] + there[0] + pieces[a][here.end() :]


@_markup
def _put_markup(pieces, draw):
    pieces.insert(draw.randrange(len(pieces) + 1), draw.choice(XML_ODD))


@_text_change
def _put_in_markup(text, draw):
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(XML_ODD) + text[at + draw.choice((0, 0, 1, 3)) :]


@_text_change
def _prolog(text, draw):
    body = re.sub(r"^\ufeff?\s*<\?xml[^>]*>", "", text)
    kind = draw.choice(("", "", *(odd for odd in XML_ODD if odd.startswith("<!DOCTYPE"))))
    return f"{draw.choice(PROLOGS)}{kind}{body}"


# JSON


@_text_change
def _change_json(text, draw):
    """Exchange, drop, double or replace one value, key or sign."""
    found = list(_JSON_PIECE.finditer(text))
    if not found:
        return text + draw.choice(_VALUES)
    one, other = draw.choice(found), draw.choice(found)
    put = draw.choice((other[0], "", one[0] * 2, draw.choice(_VALUES), draw.choice(_VALUES)))
    return text[: one.start()] + put + text[one.end() :]


_OF_BYTES = (_flip, _cut, _drop, _double, _put_bytes, _put_odd, _recoded)
_OF_LINES = (
    *(_drop_line, _double_line, _swap_lines, _put_line, _change_cells, _change_cells, _long_line),
    *(_line_ends, _number, _number, _put_odd, _put_odd),
)
_OF_XML = (
    *(_drop_piece, _drop_element, _double_element, _move_element, _nest_element, _swap_tags),
    *(_change_attribute, _change_attribute, _swap_values, _put_markup, _put_in_markup, _prolog),
    *(_number, _put_odd),
)
_CHANGES = {
    "bytes": _OF_BYTES,
    "lines": (*_OF_LINES, *_OF_LINES, *_OF_BYTES),
    "xml": (*_OF_XML, *_OF_XML, *_OF_BYTES),
    "json": (*[_change_json] * 12, *_OF_LINES, *_OF_BYTES),
}
