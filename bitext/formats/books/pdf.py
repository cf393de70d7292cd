"""PDF: books in facing columns, set by typst (extra `books`).

A book has a title page, a table of contents with page numbers, running heads, and bookmarks. A
chapter begins on a new page; facing paragraphs begin on the same line, and continue over pages
together. Text is justified and hyphenated in its language, right-to-left text set from the right,
and the first of two right-to-left languages is on the right. Headings, items of lists, cells of
tables, verses, notes and inline styles are set as such; links lead to the web.

Fonts are those of the system, and of typst itself (Libertinus Serif: Latin, Greek, Cyrillic and
Hebrew letters). `BookOptions.fonts` names others, with `src=` or `tgt=` before the fonts of one
text. Characters without a font are noted; if a text consists mostly of such characters, the book is
refused.

No files but fonts are read, and nothing is fetched: for the typesetting program, texts are data,
never markup. The bytes depend on the contents, the fonts and the version of typst.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

from bitext.errors import InputError, OptionError, did_you_mean, import_extra, remedy
from bitext.formats.books import Block, Book, Chapter, Side, asset, make_book
from bitext.formats.books.html import KEEPS
from bitext.formats.registry import Format, WriteOptions
from bitext.model import Bitext
from bitext.model.languages import is_right_to_left, language_name, main_language, two_letters

_SERIF = "Libertinus Serif"  # of typst itself
_MONO = "DejaVu Sans Mono"
# Families of fonts by script, as systems have them; those that are there are taken, in this order.
_FAMILIES = {
    "Arab": ("Noto Naskh Arabic", "Amiri", "Scheherazade New", "Traditional Arabic", "Geeza Pro"),
    "Hebr": ("Noto Serif Hebrew", "Frank Ruhl Libre", "David", "Times New Roman"),
    "Jpan": (
        "Noto Serif CJK JP", "Noto Serif JP", "Source Han Serif", "Yu Mincho", "MS Mincho",
        "Hiragino Mincho ProN", "IPAexMincho", "IPAMincho", "Noto Sans CJK JP", "Noto Sans JP",
    ),
    "Hans": (
        "Noto Serif CJK SC", "Noto Serif SC", "Source Han Serif SC", "SimSun", "Songti SC",
        "Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Zen Hei",
    ),
    "Hant": (
        "Noto Serif CJK TC", "Noto Serif TC", "Source Han Serif TC", "PMingLiU", "Songti TC",
        "Noto Sans CJK TC", "Noto Sans TC",
    ),
    "Kore": (
        "Noto Serif CJK KR", "Noto Serif KR", "Source Han Serif K", "Batang", "AppleMyungjo",
        "Nanum Myeongjo", "Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic",
    ),
    "Deva": ("Noto Serif Devanagari", "Mangal", "Lohit Devanagari"),
    "Thai": ("Noto Serif Thai", "TH Sarabun New", "Tahoma"),
}  # fmt: skip
_SCRIPTS = {
    "ar": "Arab", "fa": "Arab", "ur": "Arab", "ps": "Arab", "ug": "Arab", "he": "Hebr",
    "yi": "Hebr", "ja": "Jpan", "zh": "Hans", "yue": "Hant", "ko": "Kore", "hi": "Deva",
    "mr": "Deva", "ne": "Deva", "th": "Thai",
}  # fmt: skip
_TRADITIONAL = frozenset(("hant", "tw", "hk", "mo"))
_HEAD = 90  # characters of a title in a running head, some two lines; set by hand
_SHORT = 20_000  # characters of a book without a title page, some 5 pages; set by hand
# Characters of a paragraph, on average, below which lines are not justified; set by hand.
_SHORT_PARAGRAPH = 120
# Characters of a book: some 3,000 pages. A page takes 15 ms of CPU and 2 MB of memory, measured on
# books of 200 and of 500 pages.
_MAX_CHARACTERS = 12_000_000
_MOST_MISSING = 0.5  # share of the characters of a text that fonts may lack; set by hand


def _write(bitexts: Iterable[Bitext], out: IO[bytes], *, options: WriteOptions) -> None:
    """Set a book; see the module.

    Raises `MissingExtraError` when typst is not installed, `InputError` when a text is not known or
    has mostly characters that no font has, and `OptionError` when a font is missing.
    """
    typst = import_extra("typst", what="books in PDF", extra="books")
    fonts = _Fonts(typst, options.book.fonts)
    book = make_book(bitexts, options, format="pdf")
    size = _size(book)
    if size > _MAX_CHARACTERS:
        raise InputError(
            f"the book has {size:,} characters, and more than {_MAX_CHARACTERS:,} take too much "
            f"memory in PDF: divide it, or write HTML or EPUB"
        )
    _tell_missing(typst, fonts, book, options)
    template = asset("pdf.typ").encode()
    data = json.dumps(
        _document(book, fonts, _keys(options)), ensure_ascii=False, separators=(",", ":")
    )
    try:
        out.write(_compiled(typst, template, fonts, {"book": data}))
    except typst.TypstError as error:
        raise InputError(f"typst cannot set the book: {error.message[:200]}") from None


def _compiled(
    typst: Any, template: bytes, fonts: _Fonts, data: dict[str, str], standard: str = ""
) -> bytes:
    compiler = typst.Compiler(template, font_paths=fonts.known, sys_inputs=data)
    made, _ = compiler.compile_with_warnings(
        format="pdf", timestamp=0, pdf_standards=[standard] if standard else []
    )
    return bytes(made)


# The book as data of the template.


def _document(book: Book, fonts: _Fonts, keys: tuple[str, str]) -> dict[str, Any]:
    entries: dict[tuple[int, int], list[dict[str, Any]]] = {}
    contents = []
    for number, entry in enumerate(book.contents):
        value = {"number": number, "depth": entry.depth, "titles": list(entry.titles)}
        contents.append(value)
        entries.setdefault((entry.chapter, entry.row), []).append(value)
    names = [language_name(side.lang) or side.lang for side in book.sides]
    first = book.chapters[0].rows[0]
    paragraphs = [len(block.text) for block in _blocks(book) if block.kind == "paragraph"]
    titles = [side.title for side in book.sides]
    covers = [{"side": k, "title": title} for k, title in enumerate(titles) if title]
    if titles[0] == titles[1]:
        covers = covers[:1] or [{"side": 0, "title": book.title}]
    return {
        "title": book.title,
        "cover": _size(book) > _SHORT,
        "justified": sum(paragraphs) > _SHORT_PARAGRAPH * len(paragraphs),
        "titled": first.level == 0 or (any(titles) and first.titles != tuple(titles)),
        "cover-titles": covers,
        "languages": " · ".join(filter(None, names)),
        "fonts": [*fonts.named[""], _SERIF],
        "mono": [name for name in (_MONO, _SERIF) if name in fonts.families],
        "sides": [_side(side, fonts, key) for side, key in zip(book.sides, keys, strict=True)],
        "contents": contents,
        "deep": any(entry.depth > 1 for entry in book.contents),
        "chapters": [
            _chapter(chapter, k, entries, book) for k, chapter in enumerate(book.chapters)
        ],
    }


def _blocks(book: Book, sides: slice = slice(2)) -> Iterator[Block]:
    for chapter in book.chapters:
        for row in chapter.rows:
            yield from chain(*row.sides[sides])


def _size(book: Book) -> int:
    """Return the number of characters of both texts."""
    return sum(len(block.text) for block in _blocks(book))


def _side(side: Side, fonts: _Fonts, key: str) -> dict[str, Any]:
    lang, *more = side.lang.split("-")
    lang = two_letters(lang.lower())
    region = next((part.upper() for part in more if len(part) == 2), None)
    script = next((part.lower() for part in more if len(part) == 4 and part.isalpha()), None)
    return {
        "lang": lang if 2 <= len(lang) <= 3 else "und",
        "region": region,
        "script": script,
        "rtl": side.right_to_left,
        "fonts": fonts.of(side, key),
    }


def _chapter(
    chapter: Chapter, number: int, entries: dict[tuple[int, int], list[dict[str, Any]]], book: Book
) -> dict[str, Any]:
    titles = list(chapter.titles)
    titles = titles if any(titles) else [side.title for side in book.sides]
    return {
        "titles": titles,
        "head": [
            title if len(title) <= _HEAD else f"{title[: _HEAD - 1].rstrip()}…" for title in titles
        ],
        "named": chapter.is_named,
        "entries": entries.get((number, -1), []),
        "rows": [
            {
                "level": row.level,
                "tight": {block.kind for block in chain(*row.sides)} <= {"cell", "item"},
                "entries": entries.get((number, k), []),
                "first": [_block(block) for block in row.sides[0]],
                "second": [_block(block) for block in row.sides[1]],
            }
            for k, row in enumerate(chapter.rows)
        ],
    }


def _block(block: Block) -> dict[str, Any]:
    runs: list[list[Any]] = []
    if block.label and block.kind != "item":
        runs.append([f"{block.label}\u00a0", ["superscript"], ""])
    for sentence in block.sentences:
        if sentence.space:
            runs.append([" ", [], ""])
        for run in sentence.runs:  # no blank begins a line
            text = run.text.removeprefix(" ") if runs and runs[-1][0] == "\n" else run.text
            runs.append([text, list(run.styles), run.link])
    lang = main_language(block.lang)
    return {
        "kind": block.kind,
        "level": block.level,
        "number": block.label if block.kind == "item" else "",
        "on": block.goes_on,
        "lang": lang if 2 <= len(lang) <= 3 else None,
        "rtl": bool(block.lang) and is_right_to_left(block.lang),
        "runs": runs,
    }


# Fonts.


class _Fonts:
    """The fonts of the system and of typst, and those that the user named.

    `named` are the families of the user, which come first: for `src`, for `tgt`, and (empty) for
    both.
    """

    def __init__(self, typst: Any, requested: Sequence[str]) -> None:
        self.named: dict[str, list[str]] = {"src": [], "tgt": [], "": []}
        given = [_side_and_name(each) for each in requested]
        files = [Path(name) for _, name in given if _is_font_file(name)]
        for file in files:
            if not file.is_file():
                raise OptionError(f"{remedy('font')}: there is no file {file}")
        folders = [str(folder) for folder in dict.fromkeys(file.resolve().parent for file in files)]
        self.known = typst.Fonts(font_paths=folders)
        self.families = set(self.known.families())
        lowered = {family.lower(): family for family in self.families}
        by_path = {
            str(Path(font.path).resolve()): font.family for font in self.known.fonts() if font.path
        }
        for side, name in given:
            if _is_font_file(name):
                family = by_path.get(str(Path(name).resolve()))
                if family is None:
                    raise OptionError(f"{remedy('font')}: {name} is no font that can be read")
            else:
                family = lowered.get(name.lower())
            if family is None:
                hint = did_you_mean(name, sorted(self.families))
                raise OptionError(
                    f"{remedy('font')}: there is no font {name!r} here; {hint}name one of the "
                    f"system, or a file (.ttf, .otf)"
                )
            self.named[side].append(family)

    def of(self, side: Side, key: str) -> list[str]:
        """Return the families for a text, the best first; `key` is `src` or `tgt`."""
        lang, *more = side.lang.lower().split("-")
        script = _SCRIPTS.get(two_letters(lang), "")
        if script == "Hans" and _TRADITIONAL & set(more):
            script = "Hant"
        usual = [name for name in _FAMILIES.get(script, ()) if name in self.families]
        own = [*self.named[key], *self.named[""]]
        return [*own, *([_SERIF, *usual] if script != "Arab" else [*usual, _SERIF])]


def _side_and_name(given: str) -> tuple[str, str]:
    """Return the side of a font, `src` or `tgt`, else empty, and its name."""
    side, equals, name = given.partition("=")
    return (side, name) if equals and side in {"src", "tgt"} else ("", given)


def _keys(options: WriteOptions) -> tuple[str, str]:
    """Return the keys of the two sides of a book, in their order."""
    return ("tgt", "src") if options.book.first == "tgt" else ("src", "tgt")


def _is_font_file(name: str) -> bool:
    return name.lower().endswith((".ttf", ".otf", ".ttc", ".otc"))


# Prints each distinct character once, under a standard that refuses characters without a font.
_PROBE = b"""#set text(font: json(bytes(sys.inputs.fonts)))
#for one in json(bytes(sys.inputs.characters)) [#one \\ ]
"""
_ESCAPED = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
_MISSING = re.compile(r'the text `"(.*?)"` could not be displayed', re.DOTALL)


def _tell_missing(typst: Any, fonts: _Fonts, book: Book, options: WriteOptions) -> None:
    """Note characters that no font has; refuse a book with a text of such characters."""
    for k, (side, key) in enumerate(zip(book.sides, _keys(options), strict=True)):
        counts = Counter[str]()
        for block in _blocks(book, slice(k, k + 1)):
            counts.update(block.text)
        missing = _missing(typst, fonts.of(side, key), fonts, sorted(counts))
        if not missing:
            continue
        first = max(missing, key=counts.__getitem__)
        name = unicodedata.name(first, f"U+{ord(first):04X}")
        way = f"install one of their script, or name one ({remedy('font')})"
        letters = sum(n for one, n in counts.items() if not one.isspace())
        lacking = sum(counts[one] for one in missing)
        if lacking > _MOST_MISSING * letters:
            language = language_name(side.lang) or side.lang or "one of the texts"
            raise InputError(
                f"no font here has the characters of {language}, as {first} ({name}): {way}"
            )
        if options.notes is not None:
            kind = f"characters that no font here has, shown as boxes: {way}"
            options.notes.add(kind, f"{first} ({name})", len(missing))


def _missing(
    typst: Any, families: Sequence[str], fonts: _Fonts, characters: Sequence[str]
) -> list[str]:
    printable = [one for one in characters if unicodedata.category(one)[0] not in "CZ"]
    printable += [one for one in characters if unicodedata.category(one) in {"Cn", "Co"}]
    if all(ord(one) < 0x180 for one in printable):  # Latin letters
        return []
    data = {"fonts": json.dumps(list(families)), "characters": json.dumps(printable)}
    try:
        _compiled(typst, _PROBE, fonts, data, "a-2u")
    except typst.TypstError as error:
        texts = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), error.diagnostic)
        missing = set(_MISSING.findall(texts))
        return [one for one in printable if one in missing]
    return []


FORMAT = Format(
    name="pdf",
    title="books in facing columns (PDF)",
    holds="text",
    suffixes=(".pdf",),
    write=_write,
    keeps=KEEPS,
    names_languages=True,
    binary=True,
    extra="books",
    book=True,
)
