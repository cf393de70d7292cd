"""`bitext formats`: the formats that can be read and written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bitext.cli.common import Parser, add_output, deliver, style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """List the formats."""
    parser = Parser(prog="bitext formats", description="The formats, as the registry has them.")
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.formats.registry import all_formats
    from bitext.reports.table import Table

    rows = [
        {
            "format": known.name,
            "what": known.title,
            "holds": known.holds,
            "endings": list(known.suffixes),
            "read": True,
            "write": known.write is not None,
            "files": 2 if known.two_files else 1,
        }
        for known in all_formats().values()
    ]
    if style == "json":
        document = {"schema": "bitext.formats/1", "rows": rows}
        deliver(json.dumps(document, ensure_ascii=False) + "\n", options)
        return 0
    table = Table(["format", "what", "holds", "endings", "written"])
    for known in all_formats().values():
        endings = "two files" if known.two_files else " ".join(known.suffixes)
        written = "yes" if known.write else "no"
        table.rows.append([known.name, known.title, known.holds, endings, written])
    deliver(table.render(style), options)
    return 0
