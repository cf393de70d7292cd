"""Writes the tables of docs/formats.md, made from the registry of formats, or checks them.

Each stands between `<!-- bitext formats ... -->`, the command that prints it, and `<!-- end -->`.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

from bitext.cli.main import main as run_bitext

PAGE = Path(__file__).resolve().parent.parent / "docs" / "formats.md"
_TABLE = re.compile(r"(<!-- bitext (formats[^\n]*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def made(page: str) -> str:
    """Return the page with its tables made anew."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{_printed(found[2])}\n{found[3]}", page)


def _printed(command: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run_bitext([*shlex.split(command), "--format", "markdown"])
    return out.getvalue()


def main() -> int:
    """Write the tables; with `--check` only tell whether they are up to date."""
    page = PAGE.read_text(encoding="utf-8")
    new = made(page)
    if "--check" in sys.argv[1:]:
        print("up to date" if new == page else "out of date: run scripts/tables")
        return int(new != page)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
