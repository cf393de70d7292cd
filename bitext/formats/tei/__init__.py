"""TEI: links between elements that have an identifier, of one file or of several.

    <standOff><linkGrp type="alignment" domains="#en #fr">
      <link target="#e1 #f1"/> <link target="en.xml#e2 en.xml#e3 fr.xml#f2" cert="0.9"/>

`target` is a flat list of pointers (`pointers`); the text of each pointer is determined by evidence
in a fixed order (`documents.assign_texts`), and without evidence the file is refused. Of three
texts or more, two are chosen (`reading.pair_up`). In a file of links only, a bare `#e1` is looked
up in the files that `corresp` or `domains` of the group names.

| dialect | how it is read |
| --- | --- |
| P5 `linkGrp` and `link`: in `back`, `standOff`, a header, a text, as the root | as above |
| P5 `link targets`, an older spelling | the same, with a note |
| P5 `corresp` on `s`, `seg`, `ab`, `p`, `anchor`, without links | a graph (`beads_of_corresp`) |
| P4 (`TEI.2`): `id`, `lang`, `link targets="e1 f1"` | the same; `xptr`, `xref` are not followed |
| P3 in SGML | refused |

The texts are those that the user names; else the elements of the file itself, in its order,
together with unlinked elements of the same name in the same text; else documents found under the
given roots; else only ids are known, spelled like the pointer (`en.xml#e1`). The text of an element
is its character data, with white space as in `opus_documents`, or exactly with
`xml:space="preserve"`. `note`, `fw`, `rdg`, `del`, `figDesc`, `index`, and in `choice` the original
form (`sic`, `orig`, `abbr`) do not belong to the text. Tokens (`w`, `pc`) are separated by the
white space between them, if `join` allows; two `w` without any are separated by a blank. An
`anchor` begins a segment, up to the next one or to the end of the enclosing element. `prev`, `next`
and `part` join several elements to one segment (`pointers.Units`).

| | reading | writing (P5, one file) |
| --- | --- | --- |
| texts, ids, segments in no link, paragraphs, languages | kept | kept, where characters are known |
| bisegments: n-m, crossing, discontinuous, overlapping | kept | kept |
| 0-1 and 1-0 | a link with one pointer, which is noted | the same, though TEI wants two |
| `cert` that is a number | score | score from 0 to 1; others in a `span` |
| other attributes of links | kept; `xml:id` is `id` | kept, in a `span` if TEI lacks them |
| names of the pair and its documents | kept in files of our writer | `n` |
| inline codes, headers, `certainty` | lost; headers without a note | lost |
| `type`, `ana` and others of `s` | lost, with a note | lost |
| texts known by ids only | `en.xml#e1`; `e1` in our files | pointers into the document |

Documents are read for their sentences (`s`); where links name other elements (`seg`, `ab`, `p`,
`anchor` ...), documents are read like the file itself. Of a document with none of the identifiers
in links only these identifiers are known. An `xml:id` that is no name in XML (`1`) is an error, and
so is one that two elements share. In memory a file is text and positions, not a tree.

The output has two texts a document pair, named in `domains` of its `linkGrp`. Identifiers that are
no names in XML or that are repeated, and missing ones, become `bitext-1-src-1`; the original, if
any, is kept as `n`, and restored in reading. For pointers into documents, `subtype="bitext-ids"`
says that identifiers are the part after `#`. Characters that XML forbids are an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from bitext.formats.beads import Beads
from bitext.formats.io.source import Source
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.xml import COMMENTS, read_prolog
from bitext.formats.xml.safe import iterate, line_of, local_name, text_of
from bitext.lazy import late_pattern
from bitext.model import Bitext
from bitext.model.languages import language_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_ROOTS = {"TEI", "teiCorpus", "standOff", "linkGrp", "text", "group", "body", "back", "link"}
_OLD_ROOTS = {"TEI.2", "teiCorpus.2"}
_SGML = re.compile(
    rb"\s*"
    + COMMENTS
    + rb"(?:<!doctype\s+(?:tei\.2|teicorpus\.2)\b|<(?:tei\.2|teicorpus\.2)[\s>])",
    re.IGNORECASE,
)
_P3 = re.compile(rb"//DTD[^\"'>]*\bP3\b|//TEI P3//|<!ELEMENT\s+\S+\s+[-oO]\s+[-oO]\b")
_TARGETS = re.compile(rb"<(?:[\w.-]+:)?link\s[^<>]*\btargets?\s*=")
_LINKS = re.compile(rb"<(?:[\w.-]+:)?(?:linkGrp|link)\s|\scorresp\s*=")


def _sniff(head: bytes) -> int:
    prolog = read_prolog(head)
    name, plain = prolog.name, head.replace(b"\0", b"")
    linked = _LINKS.search(plain) is not None
    if b"<variantEncoding" in plain and b"<listWit" in plain and not linked:
        return 0  # an apparatus
    if "www.tei-c.org" in prolog.attributes:
        return (96 if linked else 70) if name in _ROOTS else 0
    if name in _OLD_ROOTS:
        return 96 if linked else 70
    if name in {"TEI", "teiCorpus", "standOff"}:
        return 80 if linked else 60
    if name in {"linkGrp", "link"}:
        other = b"xtargets" in plain.lower() or b"fromdoc" in plain.lower()
        return 85 if _TARGETS.search(plain) and not other else 0
    return 60 if _SGML.match(plain) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.tei.reading import read_bitexts

    head = source.head().replace(b"\0", b"")
    root = read_prolog(source.head()).name
    if _SGML.match(head) and (root not in _OLD_ROOTS or _P3.search(head)):
        raise source.error(
            "is TEI P3 in SGML, which is not read; convert it to XML first (osx, then the "
            "stylesheets of the TEI)",
            1,
        )
    yield from read_bitexts(source, options)


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    from bitext.formats.tei.writing import write_bitexts

    write_bitexts(bitexts, out, options=options)


FORMAT = Format(
    name="tei",
    title="TEI links between elements, in one file or of several (P5, P4)",
    holds="ids",
    suffixes=(".tei", ".tei.xml"),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=_write,
    keeps=Capabilities.of(
        "texts borders empty_sides empty_segments crossings gaps overlaps uncovered ids scores "
        "attributes times documents document_names languages other_languages words breaks "
        "paragraphs"
    ),
    units=("link", "s", "seg", "ab", "l"),
    holders=("TEI", "text", "standOff", "linkGrp"),
)


# JRC-Acquis: alignments with their texts in the links, as `getAlignmentWithText` writes them.
#
#     <TEI.2 ...><text><body><div type="body" n="31958D1127" select="en fr">
#      <linkGrp targType="head p" n="31958D1127" select="en fr" type="n-n">
#       <link type="1-2" xtargets="2;2 3"><s1>One.</s1><s2>Un.</s2><s2>Deux.</s2></link>
#
# Each `linkGrp` is a document pair, named `n`, in the languages of `select`. `s1` are segments of
# the source, `s2` of the target; those without characters are an empty side. `type` is that of the
# bisegment and not kept. Files with links alone (`xtargets`, without texts) are refused by the
# reader of TEI, as they do not name their documents.
#
# | kept | lost |
# | --- | --- |
# | texts, borders of segments, empty sides | segments in no bisegment, the order of segments |
# | document pairs and their names, languages | paragraphs, headers |
# | `xtargets` and other attributes of links | |
#
# Read only. Memory is that of a part of a document pair.
#
# **Source**: R. Steinberger et al., The JRC-Acquis: a multilingual aligned parallel corpus with 20+
# languages, LREC 2006, and its version 3.0.

_SIDES = ("s1", "s2")
_WITH_TEXTS = late_pattern(rb"<link\b[^<>]*>\s*<s[12]\b")


def _sniff_acquis(head: bytes) -> int:
    known = read_prolog(head).name in {"TEI.2", "linkGrp", "body", "div"}
    return 98 if known and _WITH_TEXTS.search(head.replace(b"\0", b"")) else 0


def _read_acquis(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads: Beads | None = None
    for event, element in iterate(source, start=("linkGrp",), end=("link", "linkGrp")):
        if local_name(element) == "linkGrp":
            if beads is not None:
                yield from beads.rest()
                beads = None
            if event == "start":
                beads = _begin(source, options, element)
            continue
        if beads is None:
            source.refuse("is a link outside of a linkGrp; want it in one", line_of(element))
            continue
        sides = [_texts(element, name) for name in _SIDES]
        if not (sides[0] or sides[1]):
            source.note("links without text, left out", line=line_of(element))
            continue
        attributes = {str(key): str(value) for key, value in element.items() if key != "type"}
        beads.line = line_of(element) or 0
        beads.add(sides[0], sides[1], attributes=attributes)
        yield from beads.parts()


def _begin(source: Source, options: ReadOptions, group: Element) -> Beads:
    name = str(group.get("n") or group.get("id") or "") or options.name
    langs = str(group.get("select") or "").split()
    one, other = map(language_of, langs) if len(langs) == 2 else ("", "")
    return Beads(source, replace(options, name=name), langs=(one, other))


def _texts(link: Element, name: str) -> list[str]:
    """Return the segments of a side, with white space as one blank."""
    texts = (" ".join(text_of(each).split()) for each in link)
    sides = map(local_name, link)
    return [text for text, side in zip(texts, sides, strict=True) if side == name and text]


ACQUIS = Format(
    name="jrc-acquis",
    title="alignments of JRC-Acquis with their texts in the links (read)",
    holds="text",
    suffixes=(),
    sniff=_sniff_acquis,
    read=_read_acquis,
    keeps=Capabilities.of("texts borders empty_sides attributes documents languages"),
    units=("link",),
    holders=("TEI.2", "text", "body", "div", "linkGrp"),
    streams=True,
    names_languages=True,
)
