r"""XCES and CES: stand-off alignments, links between the ids of sentences in two documents.

    <cesAlign version="1.0">
     <linkGrp targType="s" fromDoc="en/doc.xml.gz" toDoc="fr/doc.xml.gz">
      <link xtargets="s1 s2;s1" certainty="0.9" id="SL1"/>

Left of the semicolon of `xtargets` are ids of sentences in `fromDoc`, right of it of `toDoc`; an
empty half is an empty side. Ids may be in any order, with gaps. A bitext has the links of all
groups (`linkGrp`) of the same two documents.

| dialect | how it is read |
| --- | --- |
| OPUS, Uplug, AIlign (root `cesAlign`, `cesDoc`) | as above; documents may stand on `cesAlign` |
| groups in groups (Text+Berg) | inner groups; names of documents from the outer ones |
| Uplug `wordLink` inside links | column `words`, by the ids of tokens; see below |
| InterText (root `linkGrp`) | see below, with a note |
| MULTEXT and ARCADE (SGML, not closed, no root) | by tags, with a note |
| XCES 1.0 `align` elements | ids by XPointer; ranges need the documents |

InterText writes the ids of `toDoc` first; other programs use the same root with `fromDoc` first.
If the root is a `linkGrp`, the order holds in which the documents have the ids; if both orders
or neither fits, `status` on the links indicates InterText, or `type` without scores. `type` (`2-1`)
is turned with the halves.

The texts are those that the user names, else the documents found under the given roots, as written
or with or without `.xml` and `.gz`; else only the ids are known, in order of first appearance. In a
text of lines without ids, ids as `1` or `s1` are line numbers. Namespaces do not matter.

Memory is that of one document pair; separate groups of one pair are merged within a million links.
If parts are wanted, only neighbours are merged, and a group without known documents comes in
parts, each with the ids that it names. Word links are resolved in the documents that the file
names; unresolved ones are left out, with a note.

A link is refused by itself if it has no `xtargets`, more or fewer semicolons than one, an id twice
on one side, or an id that its document lacks; an unreadable document with its pair.

| | reading | writing (OPUS style) |
| --- | --- | --- |
| ids, bisegments, their order, empty sides | kept | kept; without ids: numbers from 1 |
| order of ids within one side of a link | lost: ascending | ascending |
| `certainty` | score; kept as it came where it is not a number | score |
| other attributes of links | kept | kept; `xml:id` only where XML allows it |
| word links | column `words`; `lexPair` is left out | attribute `words` |
| texts in further languages | - | lost |
| names of documents, `targType`, `version` | metadata | all but the version |
| texts, paragraphs, languages | from the documents | in documents if a folder is given, else lost |
| other attributes of groups | metadata | lost |
| links with two empty halves | left out, with a note | - |

**Identifiers of OPUS** (`opus-ids`): the documents and the ids of the sentences of each line of a
Moses corpus.

    en/a.xml.gz\tfr/a.xml.gz\t1\t1
    en/a.xml.gz\tfr/a.xml.gz\t2 3\t2\t0.83

A line is a bisegment: the two documents, and the ids of the sentences of each side with blanks
between, empty for none. OPUS has such a file (`.ids`) beside the two texts of Moses, whose lines it
describes; `opus_read` writes the score of the link as a fifth column. Documents are located and ids
resolved as in XCES, which has the same information; memory and refusals are the same, too.

| kept | lost |
| --- | --- |
| bisegments of any segments, in any order; empty sides | segments in no bisegment |
| ids, scores, names of documents; texts from the documents | word links and attributes of XCES |

Read only; `xces` writes the same.

**Source**: J. Tiedemann, Parallel data, tools and interfaces in OPUS, LREC 2012, and the files and
programs of OPUS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import unescape as html_unescape
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import remedy
from bitext.formats.header_names import is_identifier, names_in
from bitext.formats.io.source import Source
from bitext.formats.line_files import first_repeat, head_lines, line_chunks
from bitext.formats.registry import PART, Capabilities, Format, ReadOptions
from bitext.formats.scores import SCORE, score_of
from bitext.formats.xces.group import Builder, Group, WordLink, documents_of, write
from bitext.formats.xces.reading import RANGE, Pairer, pair_name, targets
from bitext.formats.xml import COMMENTS, read_prolog, unescape
from bitext.formats.xml.fast import (
    ATTRIBUTES,
    NAME,
    PAIR,
    Piece,
    Pieces,
    Tags,
    attribute_names,
    opened_root,
)
from bitext.formats.xml.safe import items_of, local_name
from bitext.kernels.arrays import Ints, prefix
from bitext.lazy import late_pattern
from bitext.model import Bitext

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_SGML = late_pattern(rb"\s*" + COMMENTS + rb"<!doctype\s+cesalign\b", re.IGNORECASE)


def _sniff(head: bytes) -> int:
    prolog = read_prolog(head)
    name, low = prolog.name.lower(), head.lower()
    if "www.tei-c.org" in prolog.attributes:
        return 0
    if name == "cesalign":
        return 95
    if name in {"linkgrp", "linklist", "link"}:
        return 90 if b"xtargets" in low or b"fromdoc" in low else 0
    if name == "tei.2":  # of the corpus of the United Nations: links as in XCES within TEI
        return 97 if b"xtargets" in low and b"fromdoc" in low else 0
    if name == "cesdoc":
        return 90 if b"<cesalign" in low or b"<linkgrp" in low else 0
    if name == "liualign":
        return 50  # so that the reader refuses it by name
    return 90 if _SGML.match(head) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    groups = partial(read_groups, source, part_size=options.part_size)
    yield from bitexts_of_groups(source, options, groups)


def bitexts_of_groups(
    source: Source,
    options: ReadOptions,
    groups: Callable[[Callable[[Group], bool] | None], Iterator[Group]],
) -> Iterator[Bitext]:
    """Yield the bitexts of groups of links, or their parts, where the options allow these.

    `groups` yields the groups of the file; it takes the function that decides whether a long group
    may come in parts, or `None`.
    """
    pairer = Pairer(source, options)
    names: dict[str, int] = {}
    name = ""
    cut = pairer.knows_none if options.parts else None
    for group, alone in whole_groups(source, options, groups(cut)):
        if not group.continues:
            name = options.name if alone else _unique(pair_name(*group.pair), source, names)
        bitext = pairer.bitext(group, name=name, alone=alone)
        if bitext is not None:
            yield replace(bitext, notes=source.notes.drain() + bitext.notes)


def _unique(name: str, source: Source, names: dict[str, int]) -> str:
    """Number repeated names, and groups without documents."""
    named = name or PurePath(source.path).name.partition(".")[0]
    names[named] = names.get(named, 0) + 1
    return named if name and names[named] == 1 else f"{named}#{names[named]}"


def _named(bitext: Bitext) -> str:
    """Return the names of the documents, where groups would be merged by these names."""
    documents = documents_of(bitext)
    of_groups = "targType" in bitext.meta
    return "\0".join(documents) if any(documents) and not of_groups else ""


# Regular links without a parser, a run of links at once.
#
# A regular link is an empty element with attributes in double quotes. Links with the same
# attributes in the same order are split at the quotes, others one by one. The parser reads
# everything else (see `bitext.formats.xml.fast`).
#
# What this buys, measured beside the parser on 60,000 made links (`make_links` of
# `scripts/bench/convert_made.py`): 0.12 s of CPU in place of 0.44 s.

_MOST_NAMES = 256  # attribute names in a run of links, each a column with one cell per link
_GROUPS = ("cesAlign", "linkGrp")
_OTHER = late_pattern(r"<(?!link )[^<]*")
_QUICK_LINK = late_pattern(rf"<link({ATTRIBUTES}) ?/>([^<]*)", re.ASCII)
_FIRST = late_pattern(rf"<link ((?:xml:)?{NAME})=", re.ASCII)
_NEXT = late_pattern(rf" ((?:xml:)?{NAME})=", re.ASCII)
_LAST = late_pattern(r' ?/>[^<"]*')


class Tag(NamedTuple):
    """A tag: its name, with `/` before for an end tag, its attributes, and its line."""

    name: str
    attributes: dict[str, str]
    line: int

    def apply(self, builder: Builder) -> Iterator[Group]:
        """Begin or end a group of links, or all groups; yield the groups that are complete."""
        if self.name == "cesAlign":
            builder.share(self.attributes)
        elif self.name == "linkGrp":
            yield from builder.open(self.attributes, self.line)
        elif self.name == "/cesAlign":
            yield from builder.flush()
        elif self.name == "/linkGrp":
            yield from builder.close()


class _Links(NamedTuple):
    """Neighbouring links, with their attributes as columns, and their lines."""

    columns: dict[str, Sequence[str | None]]
    lines: Ints


class _XmlLinks:
    """Reads the links of an XML file: its regular pieces, then the rest by the parser."""

    def __init__(self, source: Source, builder: Builder) -> None:
        self._source, self._builder = source, builder
        self._pieces = Pieces(source, b"/>")
        self._inside = ""  # the start tags of the open elements without the root
        self._again = 0  # the open elements `cesAlign` and `linkGrp` with the root

    def groups(self) -> Iterator[Group]:
        """Yield the groups, each when it ends."""
        if not (yield from self._regular()):
            yield from self._parsed()
        yield from self._builder.flush()

    def _regular(self) -> Generator[Group, None, bool]:
        """Yield the groups that end in regular pieces; return whether all pieces were regular."""
        root = opened_root(self._pieces)
        if root is None:
            return False
        name, attributes = root
        line = self._pieces.lines_again + 1
        yield from Tag(name, _pairs(attributes), line).apply(self._builder)
        tags = Tags(name, "link")
        at_root = self._again = name in _GROUPS
        for piece in self._pieces:
            tags_after = tags.copy()
            parts = _parts(piece, tags_after)
            if parts is None:
                return False
            for part in parts:
                if isinstance(part, Tag):
                    yield from part.apply(self._builder)
                else:
                    self._builder.group().take(part.columns, part.lines)
                    yield from self._builder.part()
            tags, self._inside = tags_after, tags_after.inside()
            self._again = at_root + sum(map(tags.count, _GROUPS))
        return tags.closed

    def _parsed(self) -> Iterator[Group]:
        """Yield the groups of the rest of the file."""
        again, builder = self._again, self._builder
        for event, element, line in self._pieces.rest(
            start=("cesAlign", "linkGrp", "translation"),
            end=("link", "linkGrp", "cesAlign"),
            inside=self._inside,
        ):
            if event == "end" and element.tag.endswith("link"):
                yield from self._link(element, line)
                continue
            name = local_name(element)
            if name == "translation":
                builder.translation(dict(items_of(element)))
            elif event == "end":
                yield from Tag(f"/{name}", {}, line).apply(builder)
            elif again:
                again -= 1  # already open
            else:
                yield from Tag(name, dict(items_of(element)), line).apply(builder)

    def _link(self, element: Element, line: int) -> Iterator[Group]:
        attributes = items_of(element)
        words: list[WordLink] = []
        if len(element):
            named, words = look_inside(self._source, self._builder.group(), element, line)
            if named == "":
                return  # refused
            if named is not None:
                attributes = [*attributes, ("xtargets", named)]
        self._builder.group().add(attributes, line, words)
        yield from self._builder.part()


def _parts(piece: Piece, tags: Tags) -> list[Tag | _Links] | None:
    """Return the tags and links of a piece in order; `None` for an irregular piece."""
    text, line, at = piece.text, piece.line, 0
    parts: list[Tag | _Links] = []
    ends = [match.span() for match in _OTHER.finditer(text)]
    for begin, end in [*ends, (len(text), len(text))]:
        links, at = text[at:begin], end
        if links.strip(" \n"):
            regular = None if tags.closed else _links(links, line, references=piece.references)
            if regular is None:
                return None
            parts += [regular] if len(regular.lines) else []
        line += links.count("\n")
        if begin < end:
            tag = tags.take(text[begin + 1 : end])
            if tag is None or "trans.loc=" in tag[1]:  # the name of a document (XCES 1.0)
                return None
            name = tag[0].rstrip("/")
            parts.append(Tag(name, _pairs(tag[1]), line))
            parts += [Tag(f"/{name}", {}, line)] * (name != tag[0])  # of an empty element
            line += text.count("\n", begin, end)
    return parts


def _pairs(attributes: str) -> dict[str, str]:
    return {name: unescape(value[1:-1]) for name, value in PAIR.findall(attributes)}


def _links(text: str, line: int, *, references: bool) -> _Links | None:
    """Return the links of a text that begins on a line; `None` if the text has other tags."""
    begin = text.find("<")
    if begin < 0:
        return _Links({}, np.zeros(0, dtype=np.int64))
    line += text.count("\n", 0, begin)
    regular = _links_of_one_shape(text[begin:], line) or _one_by_one(text[begin:], line)
    if regular is None or not (references and "&" in text):
        return regular
    columns: dict[str, Sequence[str | None]] = {
        name: [value and unescape(value) for value in column]
        for name, column in regular.columns.items()
    }
    return _Links(columns, regular.lines)


def _links_of_one_shape(text: str, line: int) -> _Links | None:
    """Return links with the same attributes in the same order; `None` for others.

    The text between two quotes is a value, or the text before the next value. With `n` attributes,
    there are `n` texts of the second kind a link, each the same in all links.
    """
    parts = text.split('"')
    first = _FIRST.fullmatch(parts[0])
    names = [first[1]] if first else []
    while 2 * len(names) < len(parts) and (more := _NEXT.fullmatch(parts[2 * len(names)])):
        names.append(more[1])
    width = 2 * len(names)
    known = attribute_names("".join(f' {name}=""' for name in names)) if width else None
    if not known or len(parts) % width != 1:
        return None
    size = len(parts) // width
    if any(parts[2 * k :: width].count(f" {name}=") != size for k, name in enumerate(names) if k):
        return None
    borders = parts[width:-1:width]
    same = borders.count(borders[0]) == len(borders) if borders else True  # the usual case
    between = {border: border.count("\n") for border in (borders[:1] if same else set(borders))}
    if not all(b.endswith(parts[0]) and _LAST.fullmatch(b[: -len(parts[0])]) for b in between):
        return None
    if same:
        ends = np.full(len(borders), sum(between.values()))
    else:
        ends = np.fromiter(map(between.__getitem__, borders), dtype=np.int64, count=len(borders))
    lines = prefix(ends) + line
    plain = text.count("<") == size and "\t" not in text
    if not plain or not _LAST.fullmatch(parts[-1]):
        return None
    if text.count("\n") != int(ends.sum()) + parts[-1].count("\n"):
        return None  # a line end within a value, which means a blank
    return _Links({name: parts[2 * k + 1 :: width] for k, name in enumerate(names)}, lines)


def _one_by_one(text: str, line: int) -> _Links | None:
    """Return links with any attributes; `None` if the text has other tags."""
    links = _QUICK_LINK.findall(text)
    if len(links) != text.count("<"):
        return None
    rows: list[dict[str, str]] = []
    for attributes, _ in links:
        if attribute_names(attributes) is None:
            return None
        rows.append({name: value[1:-1] for name, value in PAIR.findall(attributes)})
    ends = np.array([behind.count("\n") for _, behind in links])
    names = dict.fromkeys(name for row in rows for name in row)
    if len(names) > _MOST_NAMES:
        return None  # most cells would be empty: for the parser, a few links at a time
    return _Links(
        {name: [row.get(name) for row in rows] for name in names}, line + prefix(ends)[:-1]
    )


# Elements inside links: word links, and targets as elements.

_HREFS = ("{http://www.w3.org/1999/xlink}href", "href")


def look_inside(
    source: Source, group: Group, link: Element, line: int
) -> tuple[str | None, list[WordLink]]:
    """Return the targets in elements `align`, if any, and the word links; note other elements.

    Raises `FormatError` when a locator is of an unknown kind, unless bad units are collected; then
    the targets are empty.
    """
    kinds = [local_name(child) for child in link]
    named = None
    aligns = [child for child, kind in zip(link, kinds, strict=True) if kind == "align"]
    if aligns and link.get("xtargets") is None:
        hrefs = [_href(align) for align in aligns]
        named = targets(hrefs)
        if named is None:
            shown = ", ".join(repr(href[:60]) for href in hrefs[:3])
            source.refuse(
                f"has a link whose align elements are {shown}; want two, one a text, each with an "
                f"xlink:href as #s1 or #xpointer(id('s1')/range-to(id('s3')))",
                line,
            )
            named = ""
        group.ranged |= RANGE in named
    words = [
        WordLink(child.get("xtargets") or "", child.get("certainty") or "", line)
        for child, kind in zip(link, kinds, strict=True)
        if kind == "wordLink"
    ]
    others = [
        kind for kind in kinds if kind != "wordLink" and not (kind == "align" and named is not None)
    ]
    if others:
        first = f"{source.path} line {line}: {others[0]}"
        group.notes.add("elements inside links, left out", first, len(others))
    return named, words


def _href(align: Element) -> str:
    return next((value for key in _HREFS if (value := align.get(key)) is not None), "")


# The tags of SGML alignments: names in any case, tags that are never closed, no root needed.
#
#     <LINK XTARGETS="C1P2S1 C1P2S2 ;C1P2S1 ">
#
# Document types and comments are skipped. Names of elements and attributes are spelled as in XML.

_XML_ROOTS = {"cesAlign", "cesDoc", "linkGrp", "linkList", "TEI.2"}
_SGML_LINK = late_pattern(rb"<link\s[^<>]*>", re.IGNORECASE)
_MARKUP = late_pattern(
    r"<!--(?:.*?-->|.*)"
    r"|<![^<>\[]*(?:\[[^\]]*\]\s*)?>"
    r"|<\?[^<>]*>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*)"
    r"(?P<attributes>[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)>"
    r"|<",
    re.DOTALL,
)
_ATTRIBUTE = late_pattern(r"(?<![\w:.-])([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")


def is_sgml(head: bytes) -> bool:
    """Distinguish an alignment in SGML (True) from XML by its first bytes."""
    prolog = read_prolog(head)
    if prolog.declared:
        return False
    if prolog.name not in _XML_ROOTS:
        return True
    link = _SGML_LINK.search(head)
    return link is not None and not link[0].endswith(b"/>") and b"</link" not in head


def tags(source: Source) -> Iterator[Tag]:
    """Yield the tags of an SGML file.

    Raises `FormatError` at a `<` that begins no tag.
    """
    text = source.text()
    line, at = 1, 0
    for match in _MARKUP.finditer(text):
        between = text[at : match.start()].strip()
        line += text.count("\n", at, match.start())
        if between:
            source.note(
                "text between the tags of an SGML alignment, left out",
                f"{between[:40]!r}",
                line=line,
            )
        if match[0] == "<":
            raise source.error(
                f"has a < that begins no tag: {text[match.start() :][:40]!r}; correct the tag, or "
                f"write &lt;",
                line,
            )
        if match["name"]:
            name = match["name"].lower()
            name = f"{match['close']}{_SPELLING.get(name, name)}"
            yield Tag(name, _sgml_attributes(match), line)
        line += text.count("\n", match.start(), match.end())
        at = match.end()


def _sgml_attributes(tag: re.Match[str]) -> dict[str, str]:
    return {
        _SPELLING.get(name.lower(), name.lower()): " ".join(
            html_unescape(double or single or bare).split()
        )
        for name, double, single, bare in _ATTRIBUTE.findall(tag["attributes"])
    }


_ROOTS = {"cesalign", "cesdoc", "linkgrp", "linklist", "link", "tei.2"}
_SPELLING = {each.lower(): each for each in ("cesAlign", "linkGrp", "fromDoc", "toDoc", "targType")}


def read_groups(
    source: Source, cut: Callable[[Group], bool] | None = None, *, part_size: int = PART
) -> Iterator[Group]:
    """Yield the groups of links of a file, each when complete.

    `cut` decides for a long group whether its parts may be yielded separately. `part_size` is the
    number of links of a part.

    Raises `FormatError`, with the line, when the file is not an alignment, or a link is broken.
    """
    head = source.head()
    root = read_prolog(head).name
    if root and root.lower() not in _ROOTS:
        raise source.error(_other_root(root))
    builder = Builder(source, cut, rooted=root.lower() == "linkgrp", part_size=part_size)
    any_group = False
    links = _from_sgml(source, builder) if is_sgml(head) else _XmlLinks(source, builder).groups()
    for group in links:
        any_group = True
        yield group
    if not any_group:
        raise source.error("holds no linkGrp and no link; give the alignment, not a document of it")


def _other_root(root: str) -> str:
    if root == "liuAlign":
        return (
            "is a word alignment (liuAlign), not an alignment of sentences; give a file whose root "
            "element is cesAlign, cesDoc or linkGrp"
        )
    return f"has the root element {root[:40]!r}; want cesAlign, cesDoc or linkGrp with links in it"


def _from_sgml(source: Source, builder: Builder) -> Iterator[Group]:
    source.note("alignments in SGML, not XML, read by their tags")
    for tag in tags(source):
        if tag.name == "link":
            builder.group().add(list(tag.attributes.items()), tag.line)
            yield from builder.part()
        elif tag.name != "/cesAlign":
            if tag.name == "linkGrp":  # the one before may not be closed
                yield from builder.close()
            yield from tag.apply(builder)
    yield from builder.flush()


# Groups of the same two documents, merged from anywhere in the file.

_MOST_LINKS = 1_000_000  # links held back for later groups of the same documents; set by hand


def whole_groups(
    source: Source, options: ReadOptions, groups: Iterable[Group], *, most_links: int = _MOST_LINKS
) -> Iterator[tuple[Group, bool]]:
    """Merge the groups of the same documents; yield each with whether it is the only one.

    Groups are held back until they have more than `most_links` links. If parts are wanted, only
    the group before is held back, so that only neighbours are merged, and a group without known
    texts comes in parts.
    """
    merging = _Merging(source, options, most_links)
    for group in groups:
        yield from merging.take(group)
    yield from merging.rest()


class _Merging:
    """Holds groups back until no other can join them."""

    def __init__(self, source: Source, options: ReadOptions, most_links: int) -> None:
        self._source = source
        self._given = options.src is not None or options.tgt is not None
        self._most = 0 if options.parts else most_links
        self._held: dict[tuple[str, ...], Group] = {}
        self._links = 0
        self._gone: set[int] = set()  # hashes of keys, which may be many
        self._key: tuple[str, ...] = ()  # key of the last group

    def take(self, group: Group) -> Iterator[tuple[Group, bool]]:
        """Add a group; yield the groups that are complete."""
        self._links += len(group)
        if group.continues:
            yield from self._let_go(0)
            self._held[self._key] = group
            return
        key: tuple[str, ...] = (*group.pair, group.attributes.get("targType", ""))
        known = self._held.get(key)
        if known and not (group.cut or known.cut or known.continues):
            if any(group.pair) or self._given or known.is_disjoint(group):
                known.extend(group)
                known.notes.add("groups of the same two documents, merged", self._where(group))
                return
        elif not known and any(group.pair) and hash(key) in self._gone:
            kind = "groups of the same two documents, too far apart to be merged"
            group.notes.add(kind, self._where(group))
        if known:  # only its position distinguishes the group
            key = (*key, str(len(self._held) + len(self._gone)))
        self._held[key], self._key = group, key
        if self._given and len(self._held) + len(self._gone) == 2:
            raise self._source.error(
                f"holds several document pairs, while one text is given for all; give the "
                f"folder of the documents instead ({remedy('root')})",
                group.line,
            )
        yield from self._let_go(1)

    def _let_go(self, least: int) -> Iterator[tuple[Group, bool]]:
        """Yield the oldest groups, while more than `least` groups with too many links are held."""
        while len(self._held) > least and (self._links > self._most or not least):
            key = next(iter(self._held))
            group = self._held.pop(key)
            self._links -= len(group)
            self._gone.add(hash(key))
            yield group, False

    def _where(self, group: Group) -> str:
        names = " and ".join(map(repr, filter(None, group.pair)))
        return f"{self._source.path} line {group.line}: {names}"

    def rest(self) -> Iterator[tuple[Group, bool]]:
        """Yield the remaining groups."""
        alone = len(self._held) == 1 and not self._gone
        while self._held:
            yield self._held.pop(next(iter(self._held))), alone


# Capabilities for a reader with the documents, which resolve the ids to segments.
_KEEPS = Capabilities.of(
    "borders empty_sides empty_segments crossings gaps overlaps uncovered ids scores attributes "
    "times documents words breaks controls",
    names=frozenset({"src_doc", "tgt_doc"}),
    named=_named,
)

FORMAT = Format(
    name="xces",
    title="XCES and CES links between ids (OPUS, Uplug, InterText)",
    holds="ids",
    suffixes=(".xces", ".xces.xml", ".ces", ".ces.xml", ".alignment.xml", ".xces.sgm", ".sgm"),
    sniff=_sniff,
    read=_read,
    write=write,
    keeps=_KEEPS,
    keeps_with_documents=replace(
        _KEEPS,
        texts=True,
        languages=True,
        paragraphs=True,
        controls=False,
        names=frozenset(),
        named=None,
    ),
    units=("link",),
    holders=("cesAlign", "linkGrp"),
)


_Row = tuple[int, list[str]]  # the number of a line, and its cells
_FILE = late_pattern(r"\.xml(?:\.gz)?\s*$")
# The cells of most lines, which need no further check: a number, or an id with a number, a side.
_ID = r"[A-Za-z.]*\d+"
_PLAIN = late_pattern(rf"(?:[^\t]*\S[^\t]*\t){{2}}{_ID}\t{_ID}(?:\t(?:{SCORE}))?", re.ASCII)
# As `2:1`, of a paragraph and a sentence; `0.5` is a score in the place of ids.
_NUMBERED = late_pattern(r"(?!0\.)\d+(?:[.:_-]\d+)+", re.ASCII)
_SAMPLE = 200  # lines that show the format; set by hand


def _sniff_opus_ids(head: bytes) -> int:
    rows = [line.split("\t") for line in head_lines(head, _SAMPLE) if line.strip()]
    if not rows or not all(len(row) > 2 and all(map(_FILE.search, row[:2])) for row in rows):
        return 0
    return 60 if any(map(_flaw, rows)) else 75  # the reader names the fault


def _flaw(row: list[str]) -> str:
    """Return the error of the cells of a line; empty for none."""
    if len(row) not in (4, 5):
        return (
            f"has {len(row)} columns; want two documents and the ids of both sides, with tabs "
            f"between, and at most a score behind"
        )
    if not (row[0].strip() and row[1].strip()):
        return "names no document on a side; want two, as en/a.xml and fr/a.xml"
    names = [name for cell in row[2:4] for name in names_in(cell)]
    wrong = [name for name in names if not (is_identifier(name) or _NUMBERED.fullmatch(name))]
    if wrong:
        return f"has {wrong[0]!r:.40} among its ids; want ids of sentences with blanks between"
    for cell in row[2:4]:
        if len(names := names_in(cell)) > len(set(names)):
            return f"has {first_repeat(names)!r:.40} twice on a side; want each sentence once"
    if len(row) == 5 and score_of(row[4]) is None:
        return f"has {row[4]!r:.40} as its score; want a number"
    return ""


def _read_opus_ids(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    def groups(cut: Callable[[Group], bool] | None) -> Iterator[Group]:
        builder = Builder(source, cut, part_size=options.part_size)
        documents: list[str] = []
        has_lines = False
        for first, lines in line_chunks(source, options):
            has_lines = has_lines or any(map(str.strip, lines))
            rows = _rows(source, first, lines)
            for pair, those in groupby(rows, key=lambda row: row[1][:2]):
                some = list(those)
                if pair != documents:
                    documents = pair
                    yield from builder.close()
                    names = {"fromDoc": pair[0].strip(), "toDoc": pair[1].strip()}
                    yield from builder.open(names, some[0][0])
                _take(builder.group(), some)
                yield from builder.part()
        if not has_lines:
            raise source.error(
                "is empty; want two documents and the ids of both sides in each line"
            )
        yield from builder.flush()

    yield from bitexts_of_groups(source, options, groups)


def _rows(source: Source, first: int, lines: list[str]) -> Iterator[_Row]:
    """Yield the number and the cells of each line, ids with a blank between; refuse wrong ones."""
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        row = line.split("\t")
        if not _PLAIN.fullmatch(line):
            if flaw := _flaw(row):
                source.refuse(flaw, number)
                continue
            row[2:4] = (" ".join(names_in(cell)) for cell in row[2:4])
        yield number, row


def _take(group: Group, rows: list[_Row]) -> None:
    """Add lines of the two documents of a group."""
    targets: list[str | None] = [f"{row[2]};{row[3]}" for _, row in rows]
    scores = [row[4].strip() or None if len(row) == 5 else None for _, row in rows]
    numbers = np.array([number for number, _ in rows], dtype=np.int64)
    group.take({"xtargets": targets, "certainty": scores}, numbers)


OPUS_IDS = Format(
    name="opus-ids",
    title="documents and ids of sentences, one bisegment a line (OPUS; read)",
    holds="ids",
    suffixes=(".ids",),
    sniff=_sniff_opus_ids,
    read=_read_opus_ids,
    keeps=Capabilities.of(
        "borders empty_sides empty_segments crossings gaps overlaps uncovered ids scores "
        "documents breaks controls"
    ),
)
