"""Writing TMX: valid by the DTD of 1.4b, the same for the same bitexts, part by part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.forbidden import FORBIDDEN, has_forbidden
from bitext.formats.inline import known_texts
from bitext.formats.languages import UNKNOWN, finds, normal, refuse_others
from bitext.formats.marks import pieces
from bitext.formats.part_places import Places
from bitext.formats.tmx_columns import place_of, stands
from bitext.formats.tmx_languages import TARGET
from bitext.formats.tmx_rows import Rows
from bitext.formats.xml_escapes import escape, escape_value, replaced
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.registry import WriteOptions
    from bitext.model import Bitext, Text

__all__ = ["write"]

_BEFORE = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
_HEADER = ("creationdate", "creationid", "changedate", "changeid", "o-encoding")
_DEFAULTS = {"segtype": "sentence", "o-tmf": "bitext", "adminlang": "en", "datatype": "plaintext"}
_UDE = re.compile(
    r"<ude(?: (?:name|base)=\"[^\"<&]*\")+>"
    r"(?:<map(?: (?:unicode|code|ent|subst)=\"[^\"<&]*\")+/>)+</ude>"
)
_CODES = ("src.xml:lang", "tgt.xml:lang")  # columns of languages that differ from unit to unit
_NUL = "\0"


def write(bitexts: Iterable[Bitext], out: IO[str], options: WriteOptions) -> None:
    """Write bitexts as one memory.

    Raises
    ------
    InputError
        When a text is not known, a character cannot be written, both sides are of one language, or
        a document pair is of other languages than the first.

    """
    begun = False
    places = Places()
    langs = claimed = UNKNOWN
    for bitext in bitexts:
        src, tgt = known_texts(bitext, "tmx")
        place = places.of(bitext)
        if not bitext.continues or not begun:
            found = _languages(bitext, options)
            if begun:
                refuse_others(bitext, found, langs, "tmx ... units")
            else:
                langs = found
        if not begun:
            claimed = _claimed(bitext, langs)
            out.write(_header(bitext, claimed))
            begun = True
        rows = Rows(bitext, langs, claimed, (_contents(src), _contents(tgt)))
        units = rows.units()
        if options.beads:
            units = rows.with_places((place.src, place.tgt))
        chunk = "".join(units)
        if has_forbidden(chunk):
            raise _forbidden(units, bitext, place.beads)
        out.write(chunk)
    if not begun:
        out.write(_header(None, UNKNOWN))
    out.write("</body>\n</tmx>\n")


def _languages(bitext: Bitext, options: WriteOptions) -> tuple[str, str]:
    texts = (bitext.src, bitext.tgt)
    asked = (options.src_lang, options.tgt_lang)
    src, tgt = (
        given or (text.lang.strip() if text is not None else "") or unknown
        for given, text, unknown in zip(asked, texts, UNKNOWN, strict=True)
    )
    if normal(src) == normal(tgt):
        raise InputError(
            f"both texts of {bitext.name or 'the bitext'} are in the language {src!r}, and TMX "
            f"tells them apart by language; name two ({remedy('src-lang', 'tgt-lang')}), as en and "
            f"en-x-tgt"
        )
    return src, tgt


def _claimed(bitext: Bitext, langs: tuple[str, str]) -> tuple[str, str]:
    """Return the languages for the header: wider ones, where those of units differ."""
    columns, meta = bitext.alignment.attributes, bitext.meta
    claims = (meta.get("srclang", ""), meta.get("targetlang", ""))
    src, tgt = (
        claim
        if claim and name in columns and finds(claim, lang) and not finds(claim, other)
        else lang
        for claim, lang, other, name in zip(claims, langs, langs[::-1], _CODES, strict=True)
    )
    return src, tgt


def _header(bitext: Bitext | None, langs: tuple[str, str]) -> str:
    from bitext import __version__

    meta = bitext.meta if bitext is not None else {}
    src, tgt = langs
    values = {"creationtool": "bitext", "creationtoolversion": __version__}
    for name, default in _DEFAULTS.items():
        given = meta.get(name, "")
        values[name] = given if given and stands(place_of(name), given) else default
    values["srclang"] = src
    values.update({name: meta[name] for name in _HEADER if name in meta})
    attributes = "".join(f' {name}="{escape_value(value)}"' for name, value in values.items())
    extras = "".join(_header_extras(dict(meta)))
    target = f'<prop type="{TARGET}">{escape(tgt)}</prop>\n'
    header = f'<tmx version="1.4">\n<header{attributes}>\n{extras}{target}</header>\n<body>\n'
    if FORBIDDEN.search(header):
        raise InputError(
            "what is to stand in the header of the TMX file has a character that XML forbids: take "
            "it out of the metadata or the languages"
        )
    return _BEFORE + header


def _header_extras(meta: dict[str, str]) -> Iterator[str]:
    """Yield the props and notes of the header."""
    for name, value in meta.items():
        place = place_of(name)
        if place.kind == "ude" and _UDE.fullmatch(value):
            yield f"{value}\n"
        elif place.kind in {"prop", "note"} and not place.side and place.name != TARGET:
            given = {key: meta.get(f"{name}@{key}") for key in ("xml:lang", "lang", "o-encoding")}
            values = "".join(
                f' {key}="{escape_value(known)}"' for key, known in given.items() if known
            )
            kind = f' type="{escape_value(place.name)}"' if place.kind == "prop" else ""
            yield f"<{place.kind}{kind}{values}>{escape(value)}</{place.kind}>\n"


def _contents(text: Text) -> list[str]:
    """Return the contents of the `seg` of each segment: with its marks, or escaped."""
    segments = list(text.segments())
    whole = _NUL.join(segments)
    if "&" in whole or "<" in whole or ">" in whole or "\r" in whole:
        escaped = replaced(whole).split(_NUL)
        segments = escaped if len(escaped) == len(segments) else list(map(escape, segments))
    if text.marked is not None:
        for k, marked in enumerate(text.marked):
            if marked is not None:
                for _ in pieces(marked):  # an error, where it is not in the vocabulary
                    pass
                segments[k] = marked.replace("\r", "&#13;")
    return segments


def _forbidden(units: list[str], bitext: Bitext, before: int) -> InputError:
    k, unit = next((k, unit) for k, unit in enumerate(units) if FORBIDDEN.search(unit))
    found = FORBIDDEN.search(unit)
    sign = f"U+{ord(found[0]):04X}" if found else ""
    where = f"{bitext.name}: " if bitext.name else ""
    return InputError(
        f"{where}bisegment {before + k} has the character {sign}, which XML forbids, in its texts "
        f"or columns; take it out, or choose a format that is not XML, as jsonl"
    )
