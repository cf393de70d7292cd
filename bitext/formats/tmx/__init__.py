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
| elements of other vocabularies, `ude` | left out, with a note |

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
| `header` | metadata, the same way | all but `creationtool`, its version, `ude` |
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import IO, TYPE_CHECKING, NamedTuple, cast

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.beads import ChunkPositions, known_texts
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
from bitext.formats.xml.inline_codes import joined, pieces
from bitext.kernels.arrays import Ints
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


class _Column(NamedTuple):
    """A column, and the place of its values."""

    name: str
    place: ColumnPlace
    values: Sequence[str | None]


class _WrittenColumns:
    """The columns of one bisegment as written, in lists for the unit, the source, the target."""

    def __init__(self) -> None:
        self.attributes: dict[str, list[str]] = {"": [], "src": [], "tgt": []}
        self.extras: dict[str, list[str]] = {"": [], "src": [], "tgt": []}
        self.further: list[str] = []
        self.langs: dict[str, str] = {}


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

    def units(self) -> list[str]:
        """Return the units as written, one a bisegment."""
        sides, extra = self._sides(), self._scores()
        if (columns := self._as_columns(sides, extra)) is not None:
            return list(map("".join, zip(*columns, strict=True)))
        return [self._unit(k, s, t, extra[k]) for k, (s, t) in enumerate(zip(*sides, strict=True))]

    def joined(self) -> str:
        """Return the units as one string, which takes half the time of a string a unit."""
        sides, extra = self._sides(), self._scores()
        columns = self._as_columns(sides, extra)
        if columns is None:
            return "".join(self.units())
        parts = [""] * (len(columns) * len(extra))
        for k, column in enumerate(columns):
            parts[k :: len(columns)] = column
        return "".join(parts)

    def _sides(self) -> tuple[list[str | None], list[str | None]]:
        """Return the contents of both sides of each bisegment; `None` for an empty side."""
        a = self._bitext.alignment
        return _joined(self._contents[0], *a.src), _joined(self._contents[1], *a.tgt)

    def _as_columns(
        self, sides: tuple[list[str | None], list[str | None]], extra: list[str]
    ) -> list[list[str]] | None:
        """Return the units in columns of strings, which joined row by row give the units.

        Return `None` where a column of the bitext belongs to a side or to another column, or a
        value is not allowed in its place.
        """
        heads: list[list[str]] = []
        extras = [extra]
        for name, place, values in self._columns:
            if place.side or place.base or self._parts_of.get(name):
                return None
            if place.kind != "other" and not all(
                value is None or can_stand(place, value) for value in values
            ):
                return None
            if place.kind == "other":
                kind = escape_value(f"{COLUMN}{name}")
                extras.append(_around(f'<prop type="{kind}">', values, "</prop>\n", escape))
            elif place.kind == "attribute" and place.name != "xml:lang":
                heads.append(_around(f' {place.name}="', values, '"', escape_value))
            elif place.kind == "prop":
                begin = f'<prop type="{escape_value(place.name)}">'
                extras.append(_around(begin, values, "</prop>\n", escape))
            elif place.kind == "note":
                extras.append(_around("<note>", values, "</note>\n", escape))
            else:
                return None
        begins = ["<tu>\n"] * len(extra)
        if heads:
            begins = [f"<tu{''.join(head)}>\n" for head in zip(*heads, strict=True)]
        columns = [begins, *extras]
        for lang, side in zip(self._langs, sides, strict=True):
            before = f'<tuv xml:lang="{escape_value(lang)}"><seg>'
            columns += _between(before, side, "</seg></tuv>\n")
        return [*columns, ["</tu>\n"] * len(extra)]

    def _scores(self) -> list[str]:
        scores = self._bitext.alignment.scores
        if scores is None:
            return [""] * len(self._bitext.alignment)
        return [
            f'<prop type="{SCORE}">{spelled}</prop>\n' if spelled else ""
            for spelled in spell_scores(scores)
        ]

    def _unit(self, k: int, src: str | None, tgt: str | None, extra: str) -> str:
        written = self._written(k, {"src": src is not None, "tgt": tgt is not None})
        parts = [f"<tu{''.join(written.attributes[''])}>\n", extra, *written.extras[""]]
        for side, content, lang in zip(("src", "tgt"), (src, tgt), self._langs, strict=True):
            if content is not None:
                code = escape_value(written.langs.get(side, lang))
                attributes = "".join(written.attributes[side])
                extras = "".join(written.extras[side])
                parts.append(
                    f'<tuv xml:lang="{code}"{attributes}>{extras}<seg>{content}</seg></tuv>\n'
                )
        return "".join([*parts, *written.further, "</tu>\n"])

    def _written(self, k: int, there: dict[str, bool]) -> _WrittenColumns:
        written = _WrittenColumns()
        native: set[str] = set()  # columns of props, notes and texts under their own names
        for column in self._columns:
            name, place, values = column
            value = values[k]
            if value is None:
                continue
            fits = (
                place.kind != "other"
                and (not place.side or there[place.side])
                and (not place.base or place.base in native)
                and can_stand(place, value)
            )
            if fits and place.kind == "attribute" and place.name == "xml:lang":
                fits = value != self._langs[place.side == "tgt"] and self._claims(value) == [
                    int(place.side == "tgt")
                ]
                written.langs.update({place.side: value} if fits else {})
            elif fits and place.kind == "attribute":
                attribute = f' {place.name}="{escape_value(value)}"'
                written.attributes[place.side].append(attribute)
            elif fits and place.kind == "lang":
                code = escape_value(place.name)
                text = f'<tuv xml:lang="{code}"><seg>{escape(value)}</seg></tuv>\n'
                written.further.append(text)
            elif fits and place.kind in {"prop", "note"}:
                written.extras[place.side].append(self._extra(column, k, value))
            if fits:
                native.add(name)
            else:
                kind = escape_value(f"{COLUMN}{name}")
                written.extras[""].append(f'<prop type="{kind}">{escape(value)}</prop>\n')
        return written

    def _extra(self, column: _Column, k: int, value: str) -> str:
        place = column.place
        values = [f' type="{escape_value(place.name)}"'] if place.kind == "prop" else []
        for part in self._parts_of.get(column.name, ()):
            given = part.values[k]
            if given is not None:
                values.append(f' {part.place.name}="{escape_value(given)}"')
        return f"<{place.kind}{''.join(values)}>{escape(value)}</{place.kind}>\n"

    def with_places(self, bases: tuple[int, ...]) -> list[str]:
        """Return the units with the props for ids, borders and positions of segments.

        `bases` are the numbers of segments of the parts before. Segments in no bisegment are units
        of their own, at the end.
        """
        a, src, tgt = self._bitext.alignment, self._bitext.src, self._bitext.tgt
        units = self.units()
        first = not self._bitext.continues
        added: list[list[str]] = [[] for _ in units]
        loose: list[str] = []
        for side, text, rows, base in zip(
            ("src", "tgt"), (src, tgt), (a.src, a.tgt), bases, strict=True
        ):
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
        return [
            unit.replace(">\n", f">\n{''.join(props)}", 1) if props else unit
            for unit, props in zip(units, added, strict=True)
        ] + loose


def _joined(contents: list[str], ptr: Ints, idx: Ints) -> list[str | None]:
    """Return the content of each side; `None` for an empty side."""
    members, lengths = idx.tolist(), np.diff(ptr)
    if not members:
        return [None] * lengths.size
    # Most sides have one segment: these are looked up at once, the others in a loop.
    firsts = idx[np.minimum(ptr[:-1], idx.size - 1)].tolist()
    out: list[str | None] = list(map(contents.__getitem__, firsts))
    others = np.flatnonzero(lengths != 1)
    begins, ends = ptr[others].tolist(), ptr[others + 1].tolist()
    for k, begin, end in zip(others.tolist(), begins, ends, strict=True):
        parts = [contents[m] for m in members[begin:end]]
        out[k] = joined(parts) if parts else None
    return out


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
                _joined(_contents(text), *rows),
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
    attributes = "".join(f' {name}="{escape_value(value)}"' for name, value in values.items())
    extras = "".join(_header_extras(dict(meta)))
    target = f'<prop type="{TARGET}">{escape(tgt)}</prop>\n' if tgt else ""
    header = f'<tmx version="1.4">\n<header{attributes}>\n{extras}{target}</header>\n<body>\n'
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
            given = {key: meta.get(f"{name}@{key}") for key in ("xml:lang", "lang", "o-encoding")}
            values = "".join(
                f' {key}="{escape_value(known)}"' for key, known in given.items() if known
            )
            kind = f' type="{escape_value(place.name)}"' if place.kind == "prop" else ""
            yield f"<{place.kind}{kind}{values}>{escape(value)}</{place.kind}>\n"


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
    "words breaks header"
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
