"""Writing bitexts as XCES links, in the style of OPUS."""

from __future__ import annotations

import re
from contextlib import ExitStack
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.columns import score_of
from bitext.formats.registry import WriteOptions, language_column
from bitext.formats.xml.syntax import FORBIDDEN, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from bitext.formats.opus_documents.writing import DocumentFolder
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["documents_of", "meant", "refuse_ids", "spelled", "write"]


# Names of columns as names of XML attributes, and back.
#
# A character that such a name may not contain, as the colon of `prop:x-domain`, is written as its
# hexadecimal code: `_x003A_`. The underscore of a string that looks like a code is escaped, too.

_XML_NAMES = {"xml:lang", "xml:id", "xml:space"}
_ESCAPED = re.compile(r"_x([0-9A-F]{4,6})_")
_SPECIAL_IN_NAMES = re.compile(
    r"_(?=x[0-9A-F]{4,6}_)|[^\w.-]|^(?:xmlns$|xtargets$|[^A-Za-z_])", re.ASCII
)


def spelled(name: str) -> str:
    """Spell the name of a column as an XML attribute without another meaning.

    Examples
    --------
    >>> spelled("tgt.prop:x y"), spelled("certainty"), spelled("xtargets")
    ('tgt.prop_x003A_x_x0020_y', 'certainty', '_x0078_targets')

    """
    if name in _XML_NAMES:
        return name
    return _SPECIAL_IN_NAMES.sub(lambda match: escaped(match[0]), name) or "_"


def escaped(text: str) -> str:
    """Escape the first character of a text."""
    return f"_x{ord(text[0]):04X}_{text[1:]}"


def meant(name: str) -> str:
    """Decode a spelled name.

    Examples
    --------
    >>> meant("tgt.prop_x003A_x_x0020_y"), meant(spelled("_x0020_"))
    ('tgt.prop:x y', '_x0020_')

    """
    if "_x" not in name:
        return name
    return _ESCAPED.sub(lambda match: _character(match[1]) or match[0], name)


def _character(number: str) -> str:
    code = int(number, 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else ""


_DEFAULT = WriteOptions()
_SPECIAL = re.compile(r"[&<>\"\t\n\r]")


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions = _DEFAULT) -> None:
    """Write bitexts as groups of links, and their texts as documents if a folder is given."""
    out.write('<?xml version="1.0" encoding="utf-8"?>\n')
    out.write('<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n')
    out.write('<cesAlign version="1.0">\n')
    documents: DocumentFolder | None = None
    with ExitStack() as stack:
        if options.documents is not None:
            from bitext.formats.opus_documents.writing import DocumentFolder

            documents = stack.enter_context(DocumentFolder(options.documents, options))
        opened = False
        before = (0, 0)
        for bitext in bitexts:
            if not (opened and bitext.continues):
                out.write("</linkGrp>\n" if opened else "")
                _begin(bitext, out, documents.begin(bitext) if documents else None)
                opened, before = True, (0, 0)
            if documents is not None:
                documents.write(bitext)
            before = _write_links(bitext, out, before)
        out.write("</linkGrp>\n" if opened else "")
    out.write("</cesAlign>\n")


def documents_of(bitext: Bitext) -> tuple[str, str]:
    """Return the names of the two documents of a group; empty where unknown."""
    texts = [text.name if text is not None else "" for text in (bitext.src, bitext.tgt)]
    if texts[0] == texts[1]:  # one file had both sides, so it is no document of either
        texts = ["", ""]
    return bitext.meta.get("src_doc") or texts[0], bitext.meta.get("tgt_doc") or texts[1]


def _begin(bitext: Bitext, out: IO[str], documents: tuple[str, str] | None) -> None:
    """Begin a group with the names of its two documents."""
    src_doc, tgt_doc = documents or documents_of(bitext)
    names = ("targType", "fromDoc", "toDoc")
    given = [bitext.meta.get("targType", "s"), src_doc, tgt_doc]
    values = _escaped_values(given, bitext.name or "the bitext")
    out.write("<linkGrp")
    for name, value in zip(names, values, strict=True):
        out.write(f' {name}="{value}"' if value else "")
    out.write(">\n")


def _write_links(bitext: Bitext, out: IO[str], before: tuple[int, int]) -> tuple[int, int]:
    """Write the links of a part of a pair; return the numbers of segments so far."""
    where = bitext.name or "the bitext"
    alignment = bitext.alignment
    src = _ids(alignment.src, bitext.src, before[0], f"{where}, source")
    tgt = _ids(alignment.tgt, bitext.tgt, before[1], f"{where}, target")
    certainty, rest = _columns(bitext, where)
    out.writelines(
        f'<link{score} xtargets="{a};{b}"{more}/>\n'
        for score, a, b, more in zip(certainty, src, tgt, rest, strict=True)
    )
    return (
        before[0] + (alignment.src_size if bitext.src is None else len(bitext.src)),
        before[1] + (alignment.tgt_size if bitext.tgt is None else len(bitext.tgt)),
    )


def _ids(rows: Rows, text: Text | None, before: int, where: str) -> Iterator[str]:
    """Yield the ids of each side, escaped; lines of a text without ids are numbered from 1."""
    used = np.unique(rows.idx).tolist()
    ids = text.ids if text is not None and text.has_ids else None
    names = [str(before + k + 1) for k in used] if ids is None else [ids[k] for k in used]
    refuse_ids(names, where)
    name_of = dict(zip(used, _escaped_values(names, where), strict=True))
    members, pointers = list(map(name_of.__getitem__, rows.idx.tolist())), rows.ptr.tolist()
    return (" ".join(members[begin:end]) for begin, end in pairwise(pointers))


def refuse_ids(names: Sequence[str], where: str) -> None:
    """Refuse ids that links cannot represent.

    Raises
    ------
    InputError
        With the first of these ids.

    """
    if " ".join(names).split() != [*names] or any(";" in name for name in names):
        wrong = next(name for name in names if ";" in name or name.split() != [name])
        raise InputError(
            f"{where}: the id {wrong!r} cannot be written in XCES, where blanks and semicolons "
            f"separate ids; rename it, or write another format"
        )


def _columns(bitext: Bitext, where: str) -> tuple[list[str], Iterator[str]]:
    """Return for each link its `certainty`, and its other attributes, as written."""
    alignment = bitext.alignment
    certainty = [""] * len(alignment)
    if alignment.scores is not None:
        certainty = [
            "" if score != score else f' certainty="{_number(score)}"'  # noqa: PLR0124 - nan
            for score in alignment.scores.tolist()
        ]
    columns: list[list[str]] = []
    for given, values in alignment.attributes.items():
        if language_column(given):
            continue
        texts = _escaped_values([value or "" for value in values], where)
        if given == "certainty" and not any(
            value is not None and (score or _is_number(value))
            for value, score in zip(values, certainty, strict=True)
        ):
            certainty = [
                score if value is None else f' certainty="{text}"'
                for score, value, text in zip(certainty, values, texts, strict=True)
            ]
            continue
        name = spelled(given) if given != "certainty" else escaped(given)
        columns.append(
            [
                "" if value is None else f' {name}="{text}"'
                for value, text in zip(values, texts, strict=True)
            ]
        )
    if not columns:
        return certainty, iter([""] * len(alignment))
    return certainty, map("".join, zip(*columns, strict=True))


def _number(score: float) -> str:
    return str(int(score)) if abs(score) < 1e15 and score == int(score) else repr(score)


def _is_number(value: str) -> bool:
    """Return whether a value of `certainty` would be read as a score, or left out."""
    return not value.strip() or score_of(value) is not None


def _escaped_values(values: list[str], where: str) -> list[str]:
    """Escape values of attributes in double quotes."""
    whole = "".join(values)
    if FORBIDDEN.search(whole):
        wrong = next(value for value in values if FORBIDDEN.search(value))
        raise InputError(
            f"{where}: {wrong[:40]!r} has a control character or another that XML cannot hold; "
            f"take it out"
        )
    if not _SPECIAL.search(whole):
        return values
    return [escape_value(value) for value in values]
