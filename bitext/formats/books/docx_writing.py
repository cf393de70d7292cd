"""Writing of bilingual tables in Word (`bitext.formats.books.docx` has the layout)."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import IO, NamedTuple

from bitext.errors import InputError
from bitext.formats.beads import ChunkPositions, known_texts
from bitext.formats.books import template
from bitext.formats.documents.blocks import STYLES
from bitext.formats.documents.docx import MARKER
from bitext.formats.languages import languages_of, main_codes, normal, refuse_others
from bitext.formats.registry import WriteOptions
from bitext.formats.xml import FORBIDDEN, escape, escape_value, forbidden_error, has_forbidden
from bitext.formats.xml.inline_codes import Piece, pairs, pieces, tag
from bitext.model import Bitext, Text
from bitext.model.languages import is_right_to_left, language_name, two_letters

# Names of styles that the reader recognises, and characters with a meaning of their own.
TABLE, CODE = "Bitext Table", "Bitext Code"  # names of the styles of tables and of codes
DIVIDER = "Bitext Divider"  # name of the style of characters between two facing titles
LABEL = "Bitext Label"  # name of the style of the numbers of notes, verses and items
CODES = "urn:x-bitext:codes"  # namespace of the list of codes
EMPTY, RETURN = "∅", "␍"  # a segment without characters; a carriage return
BREAK = Piece("ph", "<br/>", {"type": "lb"})  # a line break of a document, before a blank

_NUL = "\0"
_SPECIAL = re.compile("[\t\n\r]")
_TYPE = re.compile(r"(?:x-)?([a-z][a-z-]{1,11})")
# Word's names of properties of runs, in the order of its schema, by the native code of a pair.
_PROPERTIES = {
    ("<strong>", "</strong>"): '<w:rStyle w:val="Strong"/>',
    ("<em>", "</em>"): '<w:rStyle w:val="Emphasis"/>',
    STYLES["bold"][1:]: "<w:b/><w:bCs/>",
    STYLES["italic"][1:]: "<w:i/><w:iCs/>",
    STYLES["strike"][1:]: "<w:strike/>",
    STYLES["underline"][1:]: '<w:u w:val="single"/>',
    STYLES["superscript"][1:]: '<w:vertAlign w:val="superscript"/>',
    STYLES["subscript"][1:]: '<w:vertAlign w:val="subscript"/>',
}
_ORDER = {properties: k for k, properties in enumerate(_PROPERTIES.values())}
_TYPES = {(code.begin, code.end): code.type for code in STYLES.values()} | {
    ("<strong>", "</strong>"): "bold",
    ("<em>", "</em>"): "italic",
}
_ROWS = 2000  # rows of a piece that is written at once; set by hand

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

# Page: A4 upright, in twentieths of a point, as all lengths here.
_PAGE, _MARGIN = (11906, 16838), 1134
WIDTH = _PAGE[0] - 2 * _MARGIN
_NUMBERS = 640  # width of the column of numbers
_WIDTHS = (_NUMBERS, (WIDTH - _NUMBERS) // 2, (WIDTH - _NUMBERS) // 2)  # of all columns

# Regions of languages whose code is not that of their region: Word checks the spelling of `en-US`,
# not of `en`.
_REGIONS = {
    "en": "US", "cs": "CZ", "da": "DK", "sv": "SE", "el": "GR", "uk": "UA", "he": "IL", "ar": "SA",
    "fa": "IR", "ja": "JP", "zh": "CN", "ko": "KR", "hi": "IN", "et": "EE", "sl": "SI", "ca": "ES",
    "eu": "ES", "gl": "ES", "vi": "VN", "nb": "NO", "nn": "NO", "ms": "MY", "ga": "IE", "cy": "GB",
    "ur": "PK", "sq": "AL", "hy": "AM", "ka": "GE", "kk": "KZ", "bn": "BD", "ta": "IN", "af": "ZA",
}  # fmt: skip
# Languages whose code is that of their region, too.
_OWN_REGIONS = re.compile("fr|de|it|es|pt|nl|pl|ru|hu|fi|ro|bg|hr|lt|lv|sk|tr|is|th|id|mt")
# Fonts of Word and of LibreOffice for scripts that the font of the other text lacks.
_EAST_ASIAN = {
    "ja-JP": "Yu Mincho", "zh-CN": "SimSun", "zh-TW": "PMingLiU", "ko-KR": "Malgun Gothic",
}  # fmt: skip


def write(bitexts: Iterable[Bitext], out: IO[bytes], options: WriteOptions) -> None:
    """Write a table for each document pair, with a row for each bisegment.

    Raises `InputError` when a text is unknown, a character cannot be written, or a document pair is
    in other languages than the first.
    """
    rest = iter(bitexts)
    first = next(rest, None)
    langs = ("", "") if first is None else languages_of(first, options.languages)
    codes = _Codes()
    write_document(
        out,
        langs,
        "" if first is None else first.name,
        _tables(first, rest, options, codes),
        codes=codes.xml,
    )


def write_document(
    out: IO[bytes],
    langs: tuple[str, str],
    title: str,
    parts: Iterable[str],
    *,
    kind: str = "table",
    codes: Callable[[], str] | None = None,
) -> None:
    """Write a document of Word, with the styles of bilingual tables.

    `parts` are pieces of the XML of the body, and `kind` is the value of the property `MARKER`.
    `codes` is called once the body is written, and returns the list of codes.
    """
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _fixed_parts(langs, _checked(title), kind):
            archive.writestr(_info(name), content)
        with _failing(), archive.open(_info("word/document.xml"), "w") as member:
            member.write(f'{_XML}<w:document xmlns:w="{_MAIN}"><w:body>'.encode())
            for part in parts:
                member.write(part.encode())
            member.write(f"{_SECTION}</w:body></w:document>".encode())
        archive.writestr(_info("customXml/item1.xml"), (codes or _Codes().xml)())


def _info(name: str) -> zipfile.ZipInfo:
    """Return the entry of a member, with a fixed time."""
    info = zipfile.ZipInfo(name)  # 1980-01-01
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


@contextmanager
def _failing() -> Iterator[None]:
    """Translate the error of a member that is too large."""
    try:
        yield
    except RuntimeError as error:
        if "too large" not in str(error):
            raise
        raise InputError(
            "the table is larger than 2 GB, and no word processor opens that: write the document "
            "pairs to files of their own, or choose a format for corpora, as tmx"
        ) from None


def _tables(
    first: Bitext | None, rest: Iterator[Bitext], options: WriteOptions, codes: _Codes
) -> Iterator[str]:
    """Yield the tables of all document pairs, in pieces."""
    if first is None:
        yield _begin(("", "")) + _END
        return
    langs = languages_of(first, options.languages)
    places = ChunkPositions()
    number = 0
    for bitext in chain([first], rest):
        place = places.of(bitext)
        if not bitext.continues or not number:
            number += 1
            # Regions may differ, and a language that is not known contradicts nothing.
            own = languages_of(bitext, options.languages)
            shown = own[0] or langs[0], own[1] or langs[1]
            refuse_others(bitext, main_codes(shown), main_codes(langs), "docx ... rows")
            name = bitext.name or (str(number) if number > 1 else "")
            heading = word_paragraph("Heading1", word_run(_checked(name))) if name else ""
            yield f"{_END if number > 1 else ''}{heading}{_begin(shown)}"
        yield from _rows(bitext, place.beads, (is_right_to_left(langs[0]),
                                               is_right_to_left(langs[1])), codes)  # fmt: skip
    yield _END


def _checked(name: str) -> str:
    if FORBIDDEN.search(name):
        raise InputError(
            f"the name {name[:60]!r} has a character that XML forbids: name the text otherwise"
        )
    return " ".join(name.split())


# Paragraphs, runs and fields, of tables and of books.


def word_paragraph(style: str, inner: str, properties: str = "") -> str:
    """Return a paragraph of runs in a style, by its id."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{properties}</w:pPr>{inner}</w:p>'


def word_run(text: str, properties: str = "") -> str:
    """Return a run of plain characters."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def word_field(instruction: str) -> tuple[str, str]:
    """Return the parts of a field before and after its result."""
    text = f'<w:instrText xml:space="preserve"> {escape(instruction)} </w:instrText>'
    before = (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r>{text}</w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )
    return before, '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def _language_label(code: str, otherwise: str) -> str:
    """Format a language for the head of a column, by its name and its code."""
    if not code:
        return otherwise
    name = language_name(code)
    return f"{name} ({code})" if name else code


# A table: head, rows, end.

_END = "</w:tbl>"
_SECTION = (
    '<w:p><w:pPr><w:spacing w:before="0" w:after="0"/></w:pPr></w:p>'
    f'<w:sectPr><w:footerReference w:type="default" r:id="rId4" xmlns:r="{_OFFICE}/relationships"/>'
    f'<w:pgSz w:w="{_PAGE[0]}" w:h="{_PAGE[1]}"/><w:pgMar w:top="{_MARGIN}" w:right="{_MARGIN}" '
    f'w:bottom="{_MARGIN}" w:left="{_MARGIN}" w:header="567" w:footer="567" w:gutter="0"/>'
    "</w:sectPr>"
)


def _cell(width: int, content: str) -> str:
    return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>{content}</w:tc>'


def _begin(langs: tuple[str, str]) -> str:
    """Return the beginning of a table: its properties and its head, which pages repeat."""
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in _WIDTHS)
    # A reader of two right-to-left languages expects the first column on the right.
    visual = "<w:bidiVisual/>" if all(map(is_right_to_left, langs)) else ""
    labels = "#", _language_label(langs[0], "Source"), _language_label(langs[1], "Target")
    cells = "".join(
        _cell(width, word_paragraph("BitextHead", word_run(label)))
        for width, label in zip(_WIDTHS, labels, strict=True)
    )
    return (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="BitextTable"/>{visual}'
        f'<w:tblW w:w="{sum(_WIDTHS)}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
        f'<w:tblLook w:val="0420" w:firstRow="1" w:lastRow="0" w:firstColumn="0" '
        f'w:lastColumn="0" w:noHBand="0" w:noVBand="1"/><w:tblCaption w:val="{MARKER}"/></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>"
        f"<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>{cells}</w:tr>"
    )


def _rows(
    bitext: Bitext, before: int, right_to_left: tuple[bool, bool], codes: _Codes
) -> Iterator[str]:
    """Yield the rows of a bitext, many at once; `before` is the number of bisegments before."""
    alignment = bitext.alignment
    sides = []
    for text, rows, style, width, rtl in zip(
        known_texts(bitext, "docx"),
        (alignment.src, alignment.tgt),
        ("BitextSource", "BitextTarget"),
        _WIDTHS[1:],
        right_to_left,
        strict=True,
    ):
        bidi = "<w:bidi/>" if rtl else ""
        opening = f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{bidi}</w:pPr>'
        paragraphs = [f"{opening}{each}</w:p>" for each in _contents(text, codes, rtl=rtl)]
        for k, level in _headings(text):
            heading = opening.replace(style, f"{style}Heading").replace(
                "</w:pPr>", f'<w:outlineLvl w:val="{level - 1}"/></w:pPr>'
            )
            paragraphs[k] = paragraphs[k].replace(opening, heading, 1)
        sides.append((
            paragraphs,
            rows.ptr.tolist(),
            rows.idx.tolist(),
            _cell(width, "\0").split("\0"),
            f"{opening}</w:p>",
        ))  # fmt: skip
    number = word_paragraph("BitextNumber", "<w:r><w:t>\0</w:t></w:r>")
    start, end = _cell(_NUMBERS, number).split("\0")
    count = len(alignment)
    for first in range(0, count, _ROWS):
        out = []
        for k in range(first, min(first + _ROWS, count)):
            cells = []
            for paragraphs, ptr, idx, (opening, closing), empty in sides:
                members = idx[ptr[k] : ptr[k + 1]]
                content = "".join([paragraphs[m] for m in members]) or empty
                cells.append(f"{opening}{content}{closing}")
            out.append(
                f"<w:tr><w:trPr><w:cantSplit/></w:trPr>{start}{before + k + 1}{end}"
                f"{cells[0]}{cells[1]}</w:tr>"
            )
        chunk = "".join(out)
        if has_forbidden(chunk):
            raise _forbidden(out, bitext, before + first)
        yield chunk


def _headings(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the segments of headings, with their levels, from 1 to 9."""
    if text.blocks is not None:
        borders = pairwise((*text.blocks.begins, len(text)))
        for (first, last), kind, level in zip(
            borders, text.blocks.kinds, text.blocks.levels, strict=True
        ):
            if kind == "heading":
                yield from ((k, min(max(level, 1), 9)) for k in range(first, last))


def _forbidden(rows: list[str], bitext: Bitext, before: int) -> InputError:
    k, row = next((k, row) for k, row in enumerate(rows) if FORBIDDEN.search(row))
    where = f"{bitext.name}: " if bitext.name else ""
    return forbidden_error(f"{where}bisegment {before + k}", row)


# Segments as runs.


class _Run(NamedTuple):
    """Characters with the same properties; `is_code` for a code, which stands for itself."""

    text: str
    properties: frozenset[str] = frozenset()
    is_code: bool = False


def _contents(text: Text, codes: _Codes, *, rtl: bool) -> list[str]:
    """Return the runs of each segment."""
    segments = list(text.segments())
    whole = _NUL.join(segments)
    escaped = escape(whole).split(_NUL)
    if len(escaped) != len(segments):  # NUL in a text, which is refused later
        escaped = list(map(escape, segments))
    plain = "<w:rPr><w:rtl/></w:rPr>" if rtl else ""
    before, after = f'<w:r>{plain}<w:t xml:space="preserve">', "</w:t></w:r>"
    marked = text.marked or ()
    out = [f"{before}{segment}{after}" for segment in escaped]
    for k, segment in enumerate(segments):
        xml = marked[k] if marked else None
        if xml is not None or not segment.strip() or _SPECIAL.search(segment):
            runs = [_Run(segment)] if xml is None else list(_styled(xml, codes))
            if not any(run.is_code or run.text.strip() for run in runs):
                runs.append(_Run(EMPTY, is_code=True))
            out[k] = "".join(_run(run, rtl=rtl) for run in runs if run.text)
    return out


def _run(run: _Run, *, rtl: bool) -> str:
    properties = "".join(sorted(run.properties, key=_ORDER.__getitem__))
    if run.is_code:  # a style of its own takes the place of Strong and Emphasis
        kept = (each for each in run.properties if not each.startswith("<w:rStyle"))
        styles = "".join(sorted(kept, key=_ORDER.__getitem__))
        properties = f'<w:rStyle w:val="BitextCode"/>{styles}'
    elif properties.count("<w:rStyle") > 1:  # a run has one style
        properties = properties.replace(_PROPERTIES["<em>", "</em>"], "")
    properties += "<w:rtl/>" if rtl else ""
    opening = f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}"
    if not _SPECIAL.search(run.text):
        return f'{opening}<w:t xml:space="preserve">{escape(run.text)}</w:t></w:r>'
    out = []
    for part in re.split("([\t\n\r])", run.text):
        if part == "\r":
            out.append(_run(_Run(RETURN, run.properties, is_code=True), rtl=rtl))
        elif part:
            text = f'<w:t xml:space="preserve">{escape(part)}</w:t>'
            inner = {"\t": "<w:tab/>", "\n": "<w:cr/>"}.get(part, text)
            out.append(f"{opening}{inner}</w:r>")
    return "".join(out)


def _styled(xml: str, codes: _Codes) -> Iterator[_Run]:
    """Yield the runs of a segment with codes: formatted text, and other codes by their labels."""
    parts = list(pieces(xml))
    ends = {begin: end for begin, end in pairs(parts).items() if begin < end}
    # Halves stand for formatting that reaches over the segment, so that none begins before one
    # ends; those of a pair have labels.
    halves = [part.attributes.get("pos", "") for part in parts if part.kind == "it"]
    half_style = _half_style if halves == sorted(halves, reverse=True) else lambda _: ""
    opened: list[str] = [  # formatting that began before the segment
        style for k, part in enumerate(parts)
        if part.kind == "it" and part.attributes.get("pos") == "end"
        and (style := half_style(part)) and k not in ends
    ]  # fmt: skip
    labels: list[str] = []  # of highlighting that is open
    closing: dict[int, str] = {}  # index of the end of a pair: its label
    for k, part in enumerate(parts):
        properties = frozenset(opened)
        if k in ends:  # formatting needs something to be shown in it
            style = _pair_style(part, parts[ends[k]]) if ends[k] > k + 1 else ""
        else:
            style = half_style(part)
        if part.kind == "text":
            yield _Run(part.text, properties)
        elif part.kind in {"bpt", "it"} and style and part.attributes.get("pos") != "end":
            opened.append(style)
            if k in ends:
                closing[ends[k]] = style
        elif part.kind == "it" and style:
            opened.remove(style)
        elif k in closing:
            label = closing[k]
            if label in _ORDER:
                opened.remove(label)
            else:
                yield _Run(f"‹/{label}›", properties, is_code=True)
        elif k in ends:
            label = codes.label(_xml(part), _xml(parts[ends[k]]), part)
            closing[ends[k]] = label
            yield _Run(f"‹{label}›", properties, is_code=True)
        elif part.kind == "hi":
            labels.append(codes.label(tag("hi", part.attributes), "</hi>", part))
            yield _Run(f"‹{labels[-1]}›", properties, is_code=True)
        elif part.kind == "/hi":
            yield _Run(f"‹/{labels.pop()}›", properties, is_code=True)
        else:
            yield _Run(f"‹{codes.label(_xml(part), '', part)}/›", properties, is_code=True)


def _pair_style(begin: Piece, end: Piece) -> str:
    """Return the properties of runs that a pair of codes stands for; empty for other pairs."""
    native = (begin.text, end.text)
    if native not in _PROPERTIES or begin.inner or end.inner:
        return ""
    known = {"i": begin.attributes.get("i", ""), "type": _TYPES[native]}
    return _PROPERTIES[native] if dict(begin.attributes) == known else ""


def _half_style(part: Piece) -> str:
    """Return the properties of runs that half of a pair stands for; empty for other codes."""
    if part.kind != "it" or part.inner:
        return ""
    for native, properties in _PROPERTIES.items():
        begins = part.attributes.get("pos") == "begin"
        known = {"pos": "begin", "type": _TYPES[native]} if begins else {"pos": "end"}
        if part.text == native[0 if begins else 1] and dict(part.attributes) == known:
            return properties
    return ""


def _xml(part: Piece) -> str:
    content = part.inner or escape(part.text)
    start = tag(part.kind, part.attributes, empty=not content)
    return f"{start}{content}</{part.kind}>" if content else start


class _Codes:
    """The codes of a document that are no formatting: each distinct one has a number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def label(self, begin: str, end: str, part: Piece) -> str:
        """Return the label of a code, or of a pair of codes: its type and its number."""
        number = self._numbers.setdefault((begin, end), len(self._numbers) + 1)
        kind = _TYPE.fullmatch(part.attributes.get("type", ""))
        return f"{kind[1]} {number}" if kind else str(number)

    def xml(self) -> str:
        """Return the list of codes by their numbers."""
        items = "".join(
            f'<code n="{number}" begin="{escape_value(begin)}" end="{escape_value(end)}"/>\n'
            for (begin, end), number in self._numbers.items()
        )
        return f'{_XML}<codes xmlns="{CODES}">\n{items}</codes>'


# The other parts of a document.


def _culture(lang: str) -> str:
    """Return the code of a language as Word has it, with a region."""
    parts = normal(lang).split("-")
    main = two_letters(parts[0])
    region = next((part.upper() for part in parts[1:] if len(part) == 2), "")
    if main == "zh" and not region:
        region = "TW" if "hant" in parts else "CN"
    region = region or _REGIONS.get(main, main.upper() if _OWN_REGIONS.fullmatch(main) else "")
    return f"{main}-{region}" if region else main


def run_language(lang: str) -> str:
    """Return the properties of runs in a language: its fonts and its code."""
    if not re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", lang):
        return ""
    culture = _culture(lang)
    if is_right_to_left(lang):
        return f'<w:rtl/><w:lang w:bidi="{culture}"/>'
    if culture.startswith(("ja", "ko", "yue", "zh")):
        traditional = "zh-TW" if culture.startswith(("yue", "zh-HK", "zh-MO")) else "zh-CN"
        font = _EAST_ASIAN.get(culture, _EAST_ASIAN[traditional])
        fonts = f'<w:rFonts w:eastAsia="{font}" w:hint="eastAsia"/>'
        return f'{fonts}<w:lang w:eastAsia="{culture}"/>'
    return f'<w:lang w:val="{culture}"/>'


# The fixed parts of a document, in order, by the files in the folder `word` that have them.
_PARTS = {
    "[Content_Types].xml": "types.xml",
    "_rels/.rels": "relations.xml",
    "docProps/core.xml": "core.xml",
    "docProps/custom.xml": "custom.xml",
    "word/_rels/document.xml.rels": "document_relations.xml",
    "word/numbering.xml": "numbering.xml",
    "word/styles.xml": "styles.xml",
    "word/settings.xml": "settings.xml",
    "word/footer1.xml": "footer.xml",
    "customXml/itemProps1.xml": "codes.xml",
    "customXml/_rels/item1.xml.rels": "codes_relations.xml",
}


def _fixed_parts(langs: tuple[str, str], title: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield all parts but the document itself and the list of codes, with their names."""
    values = {"title": escape(title), "kind": escape(kind), "marker": MARKER, "codes": CODES}
    values |= {"table": TABLE, "code": CODE, "divider": DIVIDER, "label": LABEL}
    for side, lang in zip(("source", "target"), langs, strict=True):
        values[f"{side}_bidi"] = "<w:bidi/>" if is_right_to_left(lang) else ""
        values[f"{side}_language"] = run_language(lang)
    for name, file in _PARTS.items():
        yield name, template(f"word/{file}", values).removesuffix("\n")
