"""XCES and CES: stand-off alignments, links between the ids of sentences in two documents.

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
Where the root is a `linkGrp`, the order holds in which the documents have the ids; if both orders
or neither fits, `type` or `status` on the links indicate InterText. `type` (`2-1`) is turned with
the halves.

The texts are those that the user names, else the documents found under the given roots, as written
or with or without `.xml` and `.gz`; else only the ids are known, in order of first appearance. In a
text of lines without ids, ids as `1` or `s1` are line numbers. Namespaces do not matter.

Memory is that of one document pair; separate groups of one pair are merged within a million links.
Where parts are wanted, only neighbours are merged, and a group without known documents comes in
parts, each with the ids that it names. Word links are resolved in the documents that the file
names; unresolved ones are left out, with a note.

A link is refused by itself if it has no `xtargets`, more or fewer semicolons than one, an id twice
on one side, or an id that its document lacks; an unreadable document with its pair.

| | reading | writing (OPUS style) |
| --- | --- | --- |
| ids, bisegments, their order, empty sides | kept | kept; without ids: numbers from 1 |
| order of ids within one side of a link | lost: ascending | ascending |
| `certainty` | score; kept as it came where it is no number | score |
| other attributes of links | kept | kept (see `bitext.formats.xces.group`) |
| word links | column `words`; `lexPair` is left out | attribute `words` |
| texts in further languages | - | lost |
| names of documents, `targType`, `version` | metadata | all but the version |
| texts, paragraphs, languages | from the documents | in documents if a folder is given, else lost |
| other attributes of groups | metadata | lost |
| links with two empty halves | left out, with a note | - |
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from bitext.formats.registry import Capabilities, Format, ReadOptions
from bitext.formats.xces.group import documents_of, write
from bitext.formats.xml import read_prolog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.io.source import Source
    from bitext.formats.xces.group import Group
    from bitext.model import Bitext

_SGML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<!doctype\s+cesalign\b", re.IGNORECASE | re.DOTALL)


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
    from bitext.formats.xces.links import read_groups

    groups = partial(read_groups, source, part_size=options.part_size)
    yield from bitexts_of_groups(source, options, groups)


def bitexts_of_groups(
    source: Source,
    options: ReadOptions,
    groups: Callable[[Callable[[Group], bool] | None], Iterator[Group]],
) -> Iterator[Bitext]:
    """Yield the bitexts of groups of links, or their parts, where the options allow these.

    Parameters
    ----------
    source : Source
        The file, for messages and notes.
    options : ReadOptions
        Texts, roots of documents, and whether to yield parts.
    groups : callable
        Takes the function that decides whether a long group may come in parts, or `None`; yields
        the groups of the file.

    """
    from bitext.formats.xces.links import whole_groups
    from bitext.formats.xces.reading import Pairer, pair_name

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
