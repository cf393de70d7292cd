"""XCES and CES: stand-off alignments, links between the ids of sentences in two documents.

    <cesAlign version="1.0">
     <linkGrp targType="s" fromDoc="en/doc.xml.gz" toDoc="fr/doc.xml.gz">
      <link xtargets="s1 s2;s1" certainty="0.9" id="SL1"/>

Left of the semicolon of `xtargets` are ids of sentences in `fromDoc`, right of it of `toDoc`; an
empty half is an empty side. Ids may be in any order, with gaps. A bitext is what all
groups (`linkGrp`) of the same two documents hold.

| dialect | how it is read |
| --- | --- |
| OPUS, Uplug, AIlign (root `cesAlign`, `cesDoc`) | as above; documents may stand on `cesAlign` |
| Uplug `wordLink` inside links | the links; word links are left out, a note tells |
| InterText (root `linkGrp`) | see below; a note tells |
| MULTEXT and ARCADE (SGML, not closed, no root) | by tags; a note tells |
| XCES 1.0 `align` elements with XPointers | refused |

InterText writes the ids of `toDoc` first, and others took it over the other way round. Where the
root is a `linkGrp`, the order in which the ids are found in the documents holds; if both or none
do, `type` or `status` on the links mean InterText's. `type` (`2-1`) is turned with the halves.

The texts are those that the user names, else the documents found under the given roots, as written
or with or without `.xml` and `.gz`; else only the ids are known, in order of first appearance. In a
text of lines without ids, ids as `1` or `s1` are line numbers. Namespaces do not matter.

| | reading | writing (OPUS style) |
| --- | --- | --- |
| ids, bisegments, their order, empty sides | kept | kept |
| order of ids within one side of a link | lost: ascending | ascending |
| `certainty` | score; kept as it came where it is no number | score |
| other attributes of links | kept | kept |
| names of documents, `targType`, `version` | metadata | all but the version |
| texts, paragraphs, other attributes of groups | from the documents; metadata | lost |
| links with two empty halves | left out, a note tells | - |
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.prolog import read_prolog
from bitext.formats.registry import Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.opening import Source
    from bitext.formats.xces_group import Group
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_HELD = 1_000_000  # links held back, so that a group that comes later can join its documents
_SGML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<!doctype\s+cesalign\b", re.IGNORECASE | re.DOTALL)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL = re.compile(r"[&<>\"\t\n\r]")
_NOT_IN_NAMES = re.compile(r"[^\w.-]", re.ASCII)


def _sniff(head: bytes) -> int:
    prolog = read_prolog(head)
    name, low = prolog.name.lower(), head.lower()
    if "www.tei-c.org" in prolog.attributes:
        return 0
    if name == "cesalign":
        return 95
    if name in {"linkgrp", "linklist", "link"}:
        return 90 if b"xtargets" in low or b"fromdoc" in low else 0
    if name == "cesdoc":
        return 90 if b"<cesalign" in low or b"<linkgrp" in low else 0
    if name == "liualign":
        return 50  # to be refused by name
    return 90 if _SGML.match(head) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.xces_pairs import Pairer, pair_name

    pairer = Pairer(source, options)
    names: dict[str, int] = {}
    first = True
    for group, alone in _whole_groups(source, options):
        name = options.name if alone else _unique(pair_name(*group.pair), source, names)
        bitext = pairer.bitext(group, name=name, alone=alone)
        if first:
            bitext = replace(bitext, notes=source.notes.all() + bitext.notes)
        first = False
        yield bitext


def _unique(name: str, source: Source, names: dict[str, int]) -> str:
    """Number the names that occurred before, and groups without documents."""
    named = name or PurePath(source.path).name.partition(".")[0]
    names[named] = names.get(named, 0) + 1
    return named if name and names[named] == 1 else f"{named}#{names[named]}"


def _whole_groups(source: Source, options: ReadOptions) -> Iterator[tuple[Group, bool]]:
    """Yield groups with those of the same documents merged, and whether one is all there is."""
    from bitext.formats.xces_links import read_groups

    held: dict[tuple[str, ...], Group] = {}
    gone: set[tuple[str, ...]] = set()
    links = 0
    given = options.src is not None or options.tgt is not None
    for group in read_groups(source):
        key: tuple[str, ...] = (*group.pair, group.attributes.get("targType", ""))
        where = (
            f"{source.path} line {group.line}: {' and '.join(map(repr, filter(None, group.pair)))}"
        )
        links += len(group)
        if key in held and (any(group.pair) or given or held[key].is_disjoint(group)):
            held[key].extend(group)
            held[key].notes.add("groups of the same two documents, merged", where)
            continue
        if key in held:  # nothing but its place tells it apart
            key = (*key, str(len(held) + len(gone)))
        elif key in gone:
            kind = "groups of the same two documents, too far apart to be merged"
            group.notes.add(kind, where)
        held[key] = group
        if len(held) == 2 and given:
            raise source.error(
                "holds several document pairs, while one text is given for all; give the "
                "folder of the documents instead (--root)",
                group.line,
            )
        while links > _HELD and len(held) > 1:
            oldest = next(iter(held))
            gone.add(oldest)
            links -= len(held[oldest])
            yield held.pop(oldest), False
    alone = len(held) == 1 and not gone
    while held:
        yield held.pop(next(iter(held))), alone


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    out.write('<?xml version="1.0" encoding="utf-8"?>\n')
    out.write('<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n')
    out.write('<cesAlign version="1.0">\n')
    for bitext in bitexts:
        _write_group(bitext, out)
    out.write("</cesAlign>\n")


def _write_group(bitext: Bitext, out: IO[str]) -> None:
    where = bitext.name or "the bitext"
    src_doc = bitext.meta.get("src_doc") or (bitext.src.name if bitext.src else "")
    tgt_doc = bitext.meta.get("tgt_doc") or (bitext.tgt.name if bitext.tgt else "")
    names = ("targType", "fromDoc", "toDoc")
    values = _escaped([bitext.meta.get("targType", "s"), src_doc, tgt_doc], where)
    out.write("<linkGrp")
    for name, value in zip(names, values, strict=True):
        out.write(f' {name}="{value}"' if value else "")
    out.write(">\n")
    src = _ids(bitext.alignment.src, bitext.src, f"{where}, source")
    tgt = _ids(bitext.alignment.tgt, bitext.tgt, f"{where}, target")
    certainty, rest = _columns(bitext, where)
    out.writelines(
        f'<link{score} xtargets="{a};{b}"{more}/>\n'
        for score, a, b, more in zip(certainty, src, tgt, rest, strict=True)
    )
    out.write("</linkGrp>\n")


def _ids(rows: Rows, text: Text | None, where: str) -> Iterator[str]:
    """Yield the ids of each side, escaped; lines of a text without ids are numbered from 1."""
    used = np.unique(rows.idx).tolist()
    ids = text.ids if text is not None and text.has_ids else None
    names = [str(k + 1) for k in used] if ids is None else [ids[k] for k in used]
    if " ".join(names).split() != names or any(";" in name for name in names):
        wrong = next(name for name in names if ";" in name or name.split() != [name])
        raise InputError(
            f"{where}: the id {wrong!r} cannot be written in XCES, where blanks and semicolons "
            f"separate ids; rename it, or write another format"
        )
    name_of = dict(zip(used, _escaped(names, where), strict=True))
    members, pointers = list(map(name_of.__getitem__, rows.idx.tolist())), rows.ptr.tolist()
    return (" ".join(members[begin:end]) for begin, end in pairwise(pointers))


def _columns(bitext: Bitext, where: str) -> tuple[list[str], Iterator[str]]:
    """Return for each link its `certainty`, and its other attributes, as they are written."""
    alignment = bitext.alignment
    certainty = [""] * len(alignment)
    if alignment.scores is not None:
        certainty = [
            "" if score != score else f' certainty="{_number(score)}"'  # noqa: PLR0124 - nan
            for score in alignment.scores.tolist()
        ]
    columns: dict[str, list[str]] = {}
    for given, values in alignment.attributes.items():
        name = _attribute_name(given)
        if name in columns or name == "xtargets":
            raise InputError(
                f"{where}: the attribute {given!r} would be written as {name!r}, which another "
                f"is; rename it"
            )
        written = _escaped([value or "" for value in values], where)
        columns[name] = [
            "" if value is None else f' {name}="{text}"'
            for value, text in zip(values, written, strict=True)
        ]
    kept = columns.pop("certainty", None)
    if kept is not None:
        certainty = [score or more for score, more in zip(certainty, kept, strict=True)]
    if not columns:
        return certainty, iter([""] * len(alignment))
    return certainty, map("".join, zip(*columns.values(), strict=True))


def _number(score: float) -> str:
    return str(int(score)) if abs(score) < 1e15 and score == int(score) else repr(score)


def _attribute_name(name: str) -> str:
    """Make a name of an attribute that XML allows; most are already."""
    if name in {"xml:lang", "xml:id", "xml:space"}:
        return name
    allowed = _NOT_IN_NAMES.sub("_", name)
    return allowed if allowed[:1].isalpha() and allowed != "xmlns" else f"_{allowed}"


def _escaped(values: list[str], where: str) -> list[str]:
    """Escape values for attributes in double quotes."""
    whole = "".join(values)
    if _FORBIDDEN.search(whole):
        wrong = next(value for value in values if _FORBIDDEN.search(value))
        raise InputError(
            f"{where}: {wrong[:40]!r} has a control character or another that XML cannot hold; "
            f"take it out"
        )
    if not _SPECIAL.search(whole):
        return values
    return [value.translate(_ESCAPES) for value in values]


_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


FORMAT = Format(
    name="xces",
    title="XCES and CES links between ids (OPUS, Uplug, InterText)",
    holds="ids",
    suffixes=(".xces", ".xces.xml", ".ces", ".ces.xml", ".alignment.xml", ".xces.sgm", ".sgm"),
    sniff=_sniff,
    read=_read,
    write=_write,
)
