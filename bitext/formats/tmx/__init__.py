"""TMX 1.1 to 1.4b: XML with the texts themselves, one `tu` a bisegment, one `tuv` a language.

    <tmx version="1.4"><header srclang="en" .../><body>
     <tu tuid="1"><prop type="x-score">0.9</prop>
      <tuv xml:lang="en"><seg>One <ph x="1">&lt;br/&gt;</ph>two.</seg></tuv>
      <tuv xml:lang="fr"><seg>Un deux.</seg></tuv>
     </tu></body></tmx>

The characters of a segment are its own and those in `hi`. Codes (`bpt`, `ept`, `it`, `ph`, `ut`)
and the flows in them (`sub`) are not text; both are in `Text.marked`. White space is unchanged.

Languages: the user chooses them, and a chosen language that is neither in the header nor in a text
is an error at the end. Otherwise the source is `srclang`, and the target the only other language.
Files with more than two are refused until two are chosen; the others become columns `lang:de`.
If `srclang` is `*all*`, missing, or the language of no text, the first language is the source.
Codes are compared without case; `en` matches `en-GB`. `xml:lang` overrides `lang` (TMX 1.1, 1.2).

| in the file | in the bitext |
| --- | --- |
| several tuv in one language | several bisegments, paired off in order, with a note |
| a unit with one of the two languages | a bisegment with an empty side, with a note |
| a unit with neither | left out, with a note |
| a tuv without a language, a tu within a tu | the unit is refused |
| several seg in a tuv | several segments, with a note |
| a text in a tuv without a seg | a segment, with a note |
| line ends of an indented file in a seg | kept, with a note |
| elements of other vocabularies, `ude` outside of the header | left out, with a note |

A tuv without characters in its seg is an empty segment, a missing tuv is no segment.

| | columns, metadata | written |
| --- | --- | --- |
| attributes of `tu` | by their names | as they are; others as props, see below |
| attributes of `tuv` | `src.` or `tgt.` before | likewise; a language of its own as `xml:lang` |
| `prop` | `prop:TYPE`, the second `prop:TYPE#2` | as it was |
| `note` | `note`, `note#2` | as it was |
| attributes of the two | `prop:TYPE@xml:lang` | as they were |
| other columns | | `prop type="x-column-NAME"`, read back as `NAME` |
| score | the `prop` of type `x-score` | the same |
| `header` | metadata, the same way | all but `creationtool`, its version |
| target language | `prop type="x-targetlang"` of the header | the same |

A `prop` whose type itself ends like `#2` or `@lang` gets a number, also the first.

The output is TMX 1.4b, of level 2 where there are codes, and without new dates. Lost are the
borders between the segments of a side (joined by a blank), ids, crossings, gaps, overlaps, segments
in no bisegment, and the borders between documents; `WriteOptions.beads` keeps all but the last in
props (see `bitext.formats.tmx.units`), and the names of documents, too. Characters that XML 1.0
forbids cannot be written, nor two texts in one language, nor a second pair of languages.

Units with the same layout are read by regular expressions (see `bitext.formats.tmx.fast`), others
by the parser, with the same results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import IO, TYPE_CHECKING, NamedTuple, cast

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.beads import ChunkPositions, known_texts, of_rows
from bitext.formats.io.source import Source
from bitext.formats.languages import UNKNOWN, finds, normal, refuse_others
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.scores import spell_scores
from bitext.formats.tmx.reading import TARGET
from bitext.formats.tmx.units import (
    BEAD,
    COLUMN,
    NAME,
    NO_BEAD,
    OF_EXTRAS,
    SCORE,
    ColumnPlace,
    can_stand,
    place_of,
    spell_ids,
)
from bitext.formats.xml import (
    FORBIDDEN,
    any_forbidden,
    escape,
    escape_value,
    has_forbidden,
    read_prolog,
)
from bitext.formats.xml.inline_codes import joined, pieces, tag
from bitext.lazy import late_pattern
from bitext.model import Bitext, Text

if TYPE_CHECKING:
    from bitext.formats.multitexts import Multitexts


_ROOT = re.compile(r"<tmx[\s/>]")


def _sniff(head: bytes) -> int:
    if read_prolog(head).name == "tmx":
        return 95
    text = head[:4096].replace(b"\0", b"").decode("latin-1")
    return 90 if _ROOT.search(text) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.tmx.fast import read

    return read(source, options)


_SIDES = ("src", "tgt")


class _Column(NamedTuple):
    """A column, and the place of its values."""

    name: str
    place: ColumnPlace
    values: Sequence[str | None]


class Rows:
    """Writes the units of a bitext, or of a part of one.

    `langs` are the codes of the languages as written, `claimed` the languages that the header
    names, and `contents` the segments of the two texts as contents of `seg`.
    """

    def __init__(
        self,
        bitext: Bitext,
        langs: tuple[str, str],
        claimed: tuple[str, str],
        contents: tuple[list[str], list[str]],
    ) -> None:
        self._bitext, self._langs, self._contents = bitext, langs, contents
        self._claimed = claimed
        columns = bitext.alignment.attributes.items()
        self._columns = sorted(
            (_Column(name, self._place(name), values) for name, values in columns),
            key=lambda column: column.place.number,
        )
        self._parts_of: dict[str, list[_Column]] = {}
        for column in self._columns:
            if column.place.kind == "of":
                self._parts_of.setdefault(column.place.base, []).append(column)

    @property
    def are_clean(self) -> bool:
        """Whether only texts and scores are written, and the texts have no forbidden character."""
        texts = (self._bitext.src, self._bitext.tgt)
        return (
            not self._columns
            and not has_forbidden("".join(self._langs))
            and not any(
                text is None or text.marked is not None or text.fact(any_forbidden)
                for text in texts
            )
        )

    def _place(self, name: str) -> ColumnPlace:
        """Return the place of a column; `other` for a language that a reader would confuse."""
        place = place_of(name)
        if place.kind == "ude" or (place.kind == "lang" and self._claims(place.name)):
            return ColumnPlace("other", "", name)
        return place

    def _claims(self, code: str) -> list[int]:
        """Return the sides to whose language in the header a code belongs."""
        return [side for side, claim in enumerate(self._claimed) if finds(claim, code)]

    def units(self, props: list[str] | None = None) -> list[str]:
        """Return the units as written, one a bisegment; `props` come first in each."""
        return _by_row(self._strings(props), len(self._bitext.alignment))

    def joined(self) -> str:
        """Return the units as one string, which takes half the time of a string a unit."""
        strings = self._strings()
        parts = [""] * (len(strings) * len(self._bitext.alignment))
        for k, column in enumerate(strings):
            parts[k :: len(strings)] = column
        return "".join(parts)

    def _strings(self, props: list[str] | None = None) -> list[list[str]]:
        """Return the units in columns of strings, which joined row by row give the units."""
        a = self._bitext.alignment
        size = len(a)
        # The contents of both sides of each bisegment; `None` for an empty side.
        sides = {
            side: of_rows(contents, rows, joined, None)
            for side, contents, rows in zip(_SIDES, self._contents, (a.src, a.tgt), strict=True)
        }
        # The attributes and the props and notes of the unit and of each side, as columns.
        attributes: dict[str, list[list[str]]] = {"": [], "src": [], "tgt": []}
        extras: dict[str, list[list[str]]] = {"": [], "src": [], "tgt": []}
        further: list[list[str]] = []
        langs: dict[str, Sequence[str | None]] = {}
        native: dict[str, Sequence[str | None]] = {}  # the values under names of TMX
        for column in self._columns:
            name, place, values = column
            native[name] = fitting = self._fitting(place, values, sides, native)
            if place.kind == "attribute" and place.name == "xml:lang":
                langs[place.side] = fitting
            elif place.kind == "attribute":
                own = _around(f' {place.name}="', fitting, '"', escape_value)
                attributes[place.side].append(own)
            elif place.kind == "lang":
                begin = f'<tuv xml:lang="{escape_value(place.name)}"><seg>'
                further.append(_around(begin, fitting, "</seg></tuv>\n", escape))
            elif place.kind in {"prop", "note"}:
                extras[place.side].append(self._extra(column, fitting))
            if fitting is not values:
                others = [
                    v if own is None else None for v, own in zip(values, fitting, strict=True)
                ]
                begin = f'<prop type="{escape_value(f"{COLUMN}{name}")}">'
                extras[""].append(_around(begin, others, "</prop>\n", escape))
        strings = [["<tu>\n"] * size]
        if attributes[""]:
            strings = [["<tu"] * size, *attributes[""], [">\n"] * size]
        strings += [*([props] if props else []), self._scores(), *extras[""]]
        for (side, contents), lang in zip(sides.items(), self._langs, strict=True):
            begin, end = f'<tuv xml:lang="{escape_value(lang)}"', "</seg></tuv>\n"
            if not (attributes[side] or extras[side] or side in langs):
                strings += _between(f"{begin}><seg>", contents, end)
                continue
            begins = [
                begin if code is None else f'<tuv xml:lang="{escape_value(code)}"'
                for code in langs.get(side, [None] * size)
            ]
            heads = _by_row([begins, *attributes[side]], size)
            parts = zip(heads, _by_row(extras[side], size), contents, strict=True)
            strings.append(
                [
                    "" if text is None else f"{head}>{inner}<seg>{text}{end}"
                    for head, inner, text in parts
                ]
            )
        return [*strings, *further, ["</tu>\n"] * size]

    def _fitting(
        self,
        place: ColumnPlace,
        values: Sequence[str | None],
        sides: Mapping[str, Sequence[str | None]],
        native: Mapping[str, Sequence[str | None]],
    ) -> Sequence[str | None]:
        """Return the values that a reader gives back from their place; `None` for others."""
        none: Sequence[str | None] = [None] * len(values)
        if place.kind == "other":
            return none
        fits = [value is None or self._can_stand(place, value) for value in values]
        # A text that is not there has no attributes, and a second prop needs the first.
        needed = [sides[place.side]] if place.side else []
        needed += [native.get(place.base, none)] if place.base else []
        for others in needed:
            fits = [
                fit and (value is None or other is not None)
                for fit, value, other in zip(fits, values, others, strict=True)
            ]
        if all(fits):
            return values
        return [value if fit else None for value, fit in zip(values, fits, strict=True)]

    def _can_stand(self, place: ColumnPlace, value: str) -> bool:
        if place.kind == "attribute" and place.name == "xml:lang":
            side = int(place.side == "tgt")
            return value != self._langs[side] and self._claims(value) == [side]
        return can_stand(place, value)

    def _extra(self, column: _Column, values: Sequence[str | None]) -> list[str]:
        """Return the props or notes of a column with their attributes, which are columns, too."""
        place = column.place
        kind = f' type="{escape_value(place.name)}"' if place.kind == "prop" else ""
        begin, end = f"<{place.kind}{kind}", f"</{place.kind}>\n"
        own = [
            _around(f' {part.place.name}="', part.values, '"', escape_value)
            for part in self._parts_of.get(column.name, ())
        ]
        if not own:
            return _around(f"{begin}>", values, end, escape)
        return [
            "" if value is None else f"{begin}{given}>{escape(value)}{end}"
            for value, given in zip(values, _by_row(own, len(values)), strict=True)
        ]

    def _scores(self) -> list[str]:
        scores = self._bitext.alignment.scores
        if scores is None:
            return [""] * len(self._bitext.alignment)
        return [_prop(SCORE, spelled) if spelled else "" for spelled in spell_scores(scores)]

    def with_places(self, bases: tuple[int, ...]) -> list[str]:
        """Return the units with the props for ids, borders and positions of segments.

        `bases` are the numbers of segments of the parts before. Segments in no bisegment are units
        of their own, at the end.
        """
        a, src, tgt = self._bitext.alignment, self._bitext.src, self._bitext.tgt
        first = not self._bitext.continues
        added: list[list[str]] = [[] for _ in range(len(a))]
        loose: list[str] = []
        for side, text, rows, base in zip(_SIDES, (src, tgt), (a.src, a.tgt), bases, strict=True):
            if text is None:
                continue
            ids = text.ids if text.has_ids else None
            lengths = text.lengths().tolist()
            members, pointers = rows.idx.tolist(), rows.ptr.tolist()
            following = 0
            for k, (begin, end) in enumerate(pairwise(pointers)):
                row = members[begin:end]
                if not row:
                    continue
                if ids is not None:
                    added[k].append(_prop(f"x-{side}-ids", spell_ids([ids[m] for m in row])))
                if len(row) > 1:
                    added[k].append(_numbers(f"x-{side}-lengths", [lengths[m] for m in row]))
                # Positions that follow those of the bisegments before need not be written.
                if row != list(range(following, following + len(row))):
                    places = [m + base for m in row]
                    added[k].append(_numbers(f"x-{side}-positions", places))
                following = max(following, row[-1] + 1)
            # Segments in no bisegment are units of their own.
            held = np.zeros(len(text), dtype=np.bool_)
            held[rows.idx] = True
            for m in np.flatnonzero(~held).tolist():
                props = [_prop(BEAD, NO_BEAD), _numbers(f"x-{side}-positions", [m + base])]
                if ids is not None:
                    props.append(_prop(f"x-{side}-ids", spell_ids([ids[m]])))
                lang = escape_value(self._langs[side == "tgt"])
                content = self._contents[side == "tgt"][m]
                loose.append(
                    f"<tu>\n{''.join(props)}"
                    f'<tuv xml:lang="{lang}"><seg>{content}</seg></tuv>\n</tu>\n'
                )
        name = _prop(NAME, escape(self._bitext.name))
        if first and added:
            added[0].insert(0, name)
        elif first and loose:
            loose[0] = loose[0].replace("<tu>\n", f"<tu>\n{name}", 1)
        return self.units(list(map("".join, added))) + loose


def _by_row(columns: list[list[str]], size: int) -> list[str]:
    """Join columns of strings row by row."""
    return list(map("".join, zip(*columns, strict=True))) if columns else [""] * size


def _between(before: str, values: list[str | None], after: str) -> list[list[str]]:
    """Return three columns: each value between two strings, with nothing for `None`."""
    size = len(values)
    if None not in values:
        return [[before] * size, cast("list[str]", values), [after] * size]
    return [
        ["" if value is None else before for value in values],
        ["" if value is None else value for value in values],
        ["" if value is None else after for value in values],
    ]


def _around(
    before: str, values: Sequence[str | None], after: str, spell: Callable[[str], str] | None
) -> list[str]:
    """Put each value between two strings; leave out `None`."""
    if spell is None or not _needs_escapes("".join(filter(None, values))):
        return ["" if value is None else f"{before}{value}{after}" for value in values]
    return ["" if value is None else f"{before}{spell(value)}{after}" for value in values]


def _needs_escapes(text: str) -> bool:
    return any(sign in text for sign in '&<>"\t\n\r')


def _prop(kind: str, text: str) -> str:
    return f'<prop type="{kind}">{text}</prop>\n'


def _numbers(kind: str, numbers: list[int]) -> str:
    return _prop(kind, " ".join(map(str, numbers)))


# Writing TMX: valid by the DTD of 1.4b, the same for the same bitexts, part by part.

_BEFORE = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
_HEADER = ("creationdate", "creationid", "changedate", "changeid", "o-encoding")
_DEFAULTS = {"segtype": "sentence", "o-tmf": "bitext", "adminlang": "en", "datatype": "plaintext"}
_UDE = late_pattern(
    r"<ude(?: (?:name|base)=\"[^\"<&]*\")+>"
    r"(?:<map(?: (?:unicode|code|ent|subst)=\"[^\"<&]*\")+/>)+</ude>"
)
_CODES = ("src.xml:lang", "tgt.xml:lang")  # columns for languages that vary between units


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write bitexts as one memory.

    Raises `InputError` when a text is unknown, a character cannot be written, both sides are in one
    language, or a document pair is in other languages than the first.
    """
    begun = False
    places = ChunkPositions()
    langs = claimed = UNKNOWN
    for bitext in bitexts:
        src, tgt = known_texts(bitext, "tmx")
        place = places.of(bitext)
        if not bitext.continues or not begun:
            pair_langs = _languages(bitext, options)
            if begun:
                refuse_others(bitext, pair_langs, langs, "tmx ... units")
            else:
                langs = pair_langs
        if not begun:
            claimed = _claimed(bitext, langs)
            out.write(_header(bitext, claimed))
            begun = True
        rows = Rows(bitext, langs, claimed, (_contents(src), _contents(tgt)))
        bases = (place.src, place.tgt)
        chunk = "".join(rows.with_places(bases)) if options.beads else rows.joined()
        if not (rows.are_clean and not options.beads) and has_forbidden(chunk):
            units = rows.with_places(bases) if options.beads else rows.units()
            raise _forbidden(units, bitext.name, place.beads)
        out.write(chunk)
    if not begun:
        out.write(_header(None, UNKNOWN))
    out.write("</body>\n</tmx>\n")


def write_multitexts(multitexts: Multitexts, out: IO[str]) -> None:
    """Write a unit for each row of multi-parallel texts, with a text of each language it has.

    Raises `InputError` when a character cannot be written.
    """
    out.write(_header(None, ("*all*", "")))
    number = 0
    for multitext in multitexts:
        number += not multitext.continues
        sides = [
            _around(
                f'<tuv xml:lang="{escape_value(text.lang)}"><seg>',
                of_rows(_contents(text), rows, joined, None),
                "</seg></tuv>\n",
                None,
            )
            for text, rows in zip(multitext.texts, multitext.rows, strict=True)
        ]
        props = [""] * len(multitext)
        if multitext.scores is not None:
            spelled = spell_scores(multitext.scores)
            props = [_prop(SCORE, score) if score else "" for score in spelled]
        if multitexts.several:
            name = _prop(f"{COLUMN}document", escape(multitext.name or str(number)))
            props = [f"{prop}{name}" for prop in props]
        units = [f"<tu>\n{''.join(parts)}</tu>\n" for parts in zip(props, *sides, strict=True)]
        chunk = "".join(units)
        if has_forbidden(chunk):
            raise _forbidden(units, multitext.name, 0)
        out.write(chunk)
    out.write("</body>\n</tmx>\n")


def _languages(bitext: Bitext, options: WriteOptions) -> tuple[str, str]:
    texts = (bitext.src, bitext.tgt)
    requested = (options.src_lang, options.tgt_lang)
    src, tgt = (
        given or (text.lang.strip() if text is not None else "") or unknown
        for given, text, unknown in zip(requested, texts, UNKNOWN, strict=True)
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
        values[name] = given if given and can_stand(place_of(name), given) else default
    values["srclang"] = src
    values.update({name: meta[name] for name in _HEADER if name in meta})
    extras = "".join(_header_extras(dict(meta)))
    target = f'<prop type="{TARGET}">{escape(tgt)}</prop>\n' if tgt else ""
    header = f'<tmx version="1.4">\n{tag("header", values)}\n{extras}{target}</header>\n<body>\n'
    if FORBIDDEN.search(header):
        raise InputError(
            "metadata or languages for the header of the TMX file have a character that XML "
            "forbids: take it out"
        )
    return _BEFORE + header


def _header_extras(meta: dict[str, str]) -> Iterator[str]:
    for name, value in meta.items():
        place = place_of(name)
        if place.kind == "ude" and _UDE.fullmatch(value):
            yield f"{value}\n"
        elif place.kind in {"prop", "note"} and not place.side and place.name != TARGET:
            attributes = {"type": place.name} if place.kind == "prop" else {}
            attributes |= {key: known for key in OF_EXTRAS if (known := meta.get(f"{name}@{key}"))}
            yield f"{tag(place.kind, attributes)}{escape(value)}</{place.kind}>\n"


def _contents(text: Text) -> list[str]:
    """Return the content of the `seg` of each segment: with its codes, or escaped."""
    # One by one: joined, a single emoji would make all characters four bytes wide.
    segments = [
        escape(segment)
        if "&" in segment or "<" in segment or ">" in segment or "\r" in segment
        else segment
        for segment in text.segments()
    ]
    if text.marked is not None:
        for k, marked in enumerate(text.marked):
            if marked is not None:
                for _ in pieces(marked):  # raises where the segment is malformed
                    pass
                segments[k] = marked.replace("\r", "&#13;")
    return segments


def _forbidden(units: list[str], name: str, before: int) -> InputError:
    k, unit = next((k, unit) for k, unit in enumerate(units) if FORBIDDEN.search(unit))
    match = FORBIDDEN.search(unit)
    sign = f"U+{ord(match[0]):04X}" if match else ""
    where = f"{name}: " if name else ""
    return InputError(
        f"{where}bisegment {before + k} has the character {sign}, which XML forbids, in its texts "
        f"or columns; take it out, or choose a format that is not XML, as jsonl"
    )


_KEEPS = Capabilities.of(
    "texts empty_sides empty_segments scores attributes times languages other_languages markup "
    "words breaks",
    header=("note", "prop:", "ude", "creation", "change"),
)
_IN_PROPS = replace(
    _KEEPS,
    borders=True,
    crossings=True,
    gaps=True,
    overlaps=True,
    uncovered=True,
    ids=True,
    documents=True,
    empty_documents=False,
    names=frozenset({"name"}),
)

FORMAT = Format(
    name="tmx",
    title="translation memories (TMX 1.1 to 1.4b)",
    holds="text",
    suffixes=(".tmx",),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=write,
    write_multitexts=write_multitexts,
    keeps=_KEEPS,
    keeps_in_props=_IN_PROPS,
    streams=True,
    units=("tu",),
    holders=("body",),
)
