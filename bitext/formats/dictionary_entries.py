"""Dictionaries with an entry a headword: TEI of freedict, and the two files of dictd.

In TEI an `entry` has its headwords as `form/orth`, and translations as `cit type="trans"/quote` (or
`type="translation"`), or as `tr` in older files. Those in a `cit type="example"` are none.

For dictd, a line of the `.index` is a headword, and where its text begins and how long it is in the
`.dict` (which may be packed, as `.dict.dz`), both in base 64. The first line of a text repeats
the headword, with its sound and its grammar. The lines below it are translations, parted by commas
and semicolons; where some are numbered, those only, as definitions stand between them. Idioms with
their translation in the next line (after a dash), what stands in brackets, quoted examples, and
lines with a name and a colon (`Synonyms:`) are left out. That is how freedict writes them.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.errors import FormatError
from bitext.formats.opening import open_source
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.paths import may_be_there

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["read_dictd", "read_freedict"]

_DIGITS = {
    sign: value
    for value, sign in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_HEADERS = ("00-database", "00database")
_TRANSLATION = {"trans", "translation"}
_PACKED = ("", ".dz", ".gz")
_NUMBERING = re.compile(r"^\s*(?:\d+|[a-z])[.)]\s+")
_NEXT = re.compile(r"\s\d+\.\s*$")  # the number of the line below
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}|/[^/]*/")
_NAMED = re.compile(r"^\s*[^\W\d_][\w ]{1,20}:")
_PARTS = re.compile(r"[;,]")
_NAMELESS = "lines of the index without a headword, passed over"
_BARE = "entries without a translation, passed over"


def read_freedict(source: Source) -> Iterator[tuple[str, str, float]]:
    """Yield headword, translation and 1 for each translation of each entry.

    Raises
    ------
    FormatError
        When it is not well-formed, an entry has no headword, or there is none; with the line.

    """
    found = False
    for _, entry in iterate(source, end=("entry",)):
        found = True
        line = line_of(entry)
        heads = [_text(each) for each in _inside(entry, {"orth"}) if not _in_citation(each, entry)]
        heads = [head for head in heads if head]
        if not heads:
            raise source.error("has an entry without a headword (form/orth); give it one", line)
        translations = [
            _text(each)
            for each in _inside(entry, {"quote", "tr"})
            if local_name(each) == "tr" or _is_translation(each, entry)
        ]
        if not any(translations):
            source.notes.add(_BARE, f"{source.path} line {line}: {heads[0]:.40}")
        yield from ((head, term, 1.0) for head in heads for term in translations if term)
    if not found:
        raise source.error("holds no entry of a dictionary; give the TEI file of freedict")


def _inside(entry: Element, names: set[str]) -> Iterator[Element]:
    return (each for each in entry.iter("*") if local_name(each) in names)


def _citations(each: Element, entry: Element) -> list[str]:
    """Return the types of the citations around an element, from the inside, within its entry."""
    types = []
    above = each.getparent()
    while above is not None and above is not entry:
        if local_name(above) == "cit":
            types.append(above.get("type") or "")
        above = above.getparent()
    return types


def _in_citation(each: Element, entry: Element) -> bool:
    return bool(_citations(each, entry))


def _is_translation(each: Element, entry: Element) -> bool:
    types = _citations(each, entry)
    return bool(types) and set(types) <= _TRANSLATION


def _text(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def read_dictd(source: Source) -> Iterator[tuple[str, str, float]]:
    """Yield headword, translation and 1 for each translation of each headword.

    Parameters
    ----------
    source : Source
        The `.index` or the `.dict`; the other is opened beside it.

    Raises
    ------
    FormatError
        When a line of the index is none, points beyond the texts, or the texts are no UTF-8.
    InputError
        When the other file is not there.

    """
    stem = re.sub(r"(?:\.index|\.dict(?:\.[dg]z)?)$", "", source.path, flags=re.IGNORECASE)
    if source.path.lower().endswith(".index"):
        with open_source(_beside(stem)) as other:
            yield from _of_index(source, other.stream.read(), other.path)
    else:
        data = source.stream.read()
        with open_source(f"{stem}.index") as index:
            yield from _of_index(index, data, source.path)
            source.notes.extend(index.notes)


def _beside(stem: str) -> str:
    names = [f"{stem}.dict{packing}" for packing in _PACKED]
    return next((name for name in names if may_be_there(name)), names[1])


def _of_index(index: Source, data: bytes, path: str) -> Iterator[tuple[str, str, float]]:
    for number, line in index.stream_lines():
        if not line.strip():
            continue
        parts = line.split("\t")
        place = [_decoded(part) for part in parts[1:3]]
        if len(parts) < 3 or None in place:
            raise index.error(
                f"is {line!r:.60}; want a headword and two numbers in base 64, with tabs between",
                number,
            )
        begin, size = (value or 0 for value in place)
        if begin + size > len(data):
            raise index.error(
                f"names bytes {begin} to {begin + size} of {path}, which has {len(data)}; give "
                f"the two files of one dictionary",
                number,
            )
        head = " ".join(parts[0].split())
        if head.startswith(_HEADERS):
            continue
        if not head:
            index.notes.add(_NAMELESS, f"{index.path} line {number}")
            continue
        try:
            text = data[begin : begin + size].decode("utf-8")
        except UnicodeDecodeError:
            raise FormatError(
                f"the text of {head!r:.40} (bytes {begin} to {begin + size}) is not UTF-8; convert "
                f"it, or give another dictionary",
                path=path,
            ) from None
        terms = list(_terms(text))
        if not terms:
            index.notes.add(_BARE, f"{index.path} line {number}: {head:.40}")
        yield from ((head, term, 1.0) for term in terms)


def _decoded(digits: str) -> int | None:
    """Return a number in base 64; `None` for what is none, or beyond any file."""
    value = 0
    for sign in digits.strip():
        if sign not in _DIGITS:
            return None
        value = value * 64 + _DIGITS[sign]
    return value if 0 < len(digits.strip()) <= 10 else None


def _terms(text: str) -> Iterator[str]:
    """Yield the translations in the text of a headword."""
    lines = [line.strip() for line in text.split("\n")[1:]]
    numbered = any(map(_NUMBERING.match, lines))
    for line, after in pairwise([*lines, ""]):
        # Between numbered lines stand definitions, and below an idiom its translation.
        if (numbered and not _NUMBERING.match(line)) or after.startswith("- "):
            continue
        inner = _NEXT.sub("", _NUMBERING.sub("", line)).strip()
        if inner.startswith(('"', "“", "- ")) or _NAMED.match(inner):
            continue
        for part in _PARTS.split(_ASIDE.sub(" ", inner)):
            term = " ".join(part.split())
            if any(map(str.isalnum, term)):
                yield term
