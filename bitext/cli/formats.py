"""`bitext formats`: the formats that can be read and written, and what each of them keeps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bitext.cli.common import Parser, add_output, deliver, style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.registry import Format
    from bitext.reports.table import Table

__all__ = ["run"]

# The columns of the table of what is kept: fields of `Keeps`, and how they are headed.
_HEADS = {
    "texts": "text",
    "borders": "n-m",
    "empty_sides": "0-1",
    "empty_segments": "empty",
    "crossings": "cross",
    "gaps": "gaps",
    "overlaps": "overlap",
    "uncovered": "bare",
    "ids": "ids",
    "scores": "score",
    "attributes": "attr",
    "documents": "docs",
    "document_names": "names",
    "languages": "lang",
    "other_languages": "3rd",
    "markup": "marks",
    "words": "words",
    "breaks": "breaks",
    "controls": "ctrl",
    "paragraphs": "par",
}
_EPILOG = """\
--keeps heads: text: the texts themselves; n-m: borders between the segments of a side; 0-1: empty
sides; empty: segments without characters; cross: the order of the texts where bisegments cross;
gaps: discontinuous bisegments; overlap: segments in several bisegments; bare: segments in none;
ids, score, attr: identifiers, scores, other columns; docs: borders between document pairs;
names: those of documents; lang, 3rd: languages, texts in further ones; marks: inline marks; words:
word links; breaks: tabs and line ends within segments; ctrl: characters that XML forbids; par:
paragraphs. (+) with --beads or --write-documents; some: not all of them.
"""


def run(arguments: Sequence[str]) -> int:
    """List the formats."""
    parser = Parser(
        prog="bitext formats",
        description="The formats, as the registry has them.",
        epilog=_EPILOG,
    )
    parser.add_argument("--keeps", action="store_true", help="what each keeps of a bitext")
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.formats.registry import all_formats

    formats = list(all_formats().values())
    if style == "json":
        document = {"schema": "bitext.formats/1", "rows": list(map(_row, formats))}
        deliver(json.dumps(document, ensure_ascii=False) + "\n", options)
        return 0
    deliver((_kept if options.keeps else _listed)(formats).render(style), options)
    return 0


def _row(known: Format) -> dict[str, object]:
    return {
        "format": known.name,
        "what": known.title,
        "holds": known.holds,
        "endings": list(known.suffixes),
        "read": True,
        "write": known.write is not None,
        "files": 2 if known.two_files else 1,
        "streams": known.streams,
        "extra": known.extra or None,
        "keeps": {name: getattr(known.keeps, name) for name in _HEADS} if known.write else None,
        "columns": sorted(known.keeps.columns),
    }


def _listed(formats: list[Format]) -> Table:
    from bitext.reports.table import Table

    table = Table(["format", "what", "holds", "endings", "written", "memory"])
    for known in formats:
        endings = "two files" if known.two_files else " ".join(known.suffixes)
        written = "yes" if known.write else "no"
        memory = "a part" if known.streams else "a document pair"
        needs = f" (extra {known.extra})" if known.extra else ""
        table.rows.append([known.name, known.title + needs, known.holds, endings, written, memory])
    return table


def _kept(formats: list[Format]) -> Table:
    """Return the table of what is kept: + where it is, nothing where it is lost."""
    from bitext.reports.table import Table

    table = Table(["format", *_HEADS.values()])
    for known in formats:
        if known.write is None:
            continue
        marks = []
        for name in _HEADS:
            more = (known.keeps_in_props, known.keeps_with_documents)
            on_request = any(keeps is not None and getattr(keeps, name) for keeps in more)
            mark = "+" if getattr(known.keeps, name) else "(+)" * on_request
            if name == "document_names" and known.keeps.names:
                mark = "some"
            marks.append(mark)
        table.rows.append([known.name, *marks])
    return table
