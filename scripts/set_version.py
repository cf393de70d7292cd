"""Sets the version in the package, on the pages that show signatures, and in snapshots of reports.

    .venv/bin/python scripts/set_version.py 0.2.0.dev0

Reports of benchmarks keep the version that was measured.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
_VERSION = r"\d+(?:\.\d+)+(?:(?:a|b|rc|\.post|\.dev)\d+)*"  # as of PEP 440, without the rare forms
_PLACE = re.compile(rf'^(__version__ = "){_VERSION}(?=")|(\bbitext:){_VERSION}', re.MULTILINE)


def places(root: Path) -> Iterator[Path]:
    """Yield the files that may hold the version."""
    yield root / "bitext" / "__init__.py"
    yield root / "README.md"
    yield from sorted((root / "docs").rglob("*.md"))
    yield from sorted((root / "docs").rglob("*.ipynb"))
    yield from sorted((root / "tests").rglob("snapshots/*"))


def changed(text: str, version: str) -> str:
    """Replace each version of bitext in a text."""
    return _PLACE.sub(lambda found: f"{found[1] or found[2]}{version}", text)


def main(root: Path = ROOT) -> int:
    """Write the version that is given into each file that has another; print their names."""
    if len(sys.argv) != 2 or not re.fullmatch(_VERSION, sys.argv[1]):
        print("usage: set_version.py VERSION, as 0.2.0, 0.2.0rc1 or 0.2.0.dev0", file=sys.stderr)
        return 2
    for path in places(root):
        old = path.read_text(encoding="utf-8")
        new = changed(old, sys.argv[1])
        if new != old:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(root).as_posix())
    return 0


if __name__ == "__main__":
    sys.exit(main())
