"""Checks which way imports point, and that start-up stays short. Fails on any that point upward.

    errors <- kernels <- model <- syntax <- formats, metrics, align, segment <- reports, jobs <- cli

Rooms on one level do not import each other, nor do the two halves of `align`: `sentences` and
`words`. `notebooks` imports nothing, as `errors` does.
Heavy packages are imported inside functions only.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent / "bitext"

# room: the rooms that it may import
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "notebooks": set(),
    "kernels": {"errors"},
    "model": {"errors", "notebooks", "kernels"},
    "syntax": {"errors", "kernels", "model"},
    "formats": {"errors", "kernels", "model", "syntax"},
    "metrics": {"errors", "notebooks", "kernels", "model"},
    "align": {"errors", "kernels", "model", "syntax"},
    "segment": {"errors", "kernels", "model"},
    "reports": {"errors", "notebooks", "kernels", "model", "syntax"},
    "jobs": {"errors", "model", "syntax", "formats", "metrics", "align", "segment"},
}
ALLOWED["reports"] |= {"formats", "metrics", "align", "segment"}
ALLOWED["cli"] = {*ALLOWED, "cli"}

# Halves of a room that do not import each other.
APART: dict[tuple[str, ...], str] = {
    ("align", "sentences"): "words",
    ("align", "words"): "sentences",
}

# Nothing may import these while it is itself being imported.
LAZY = {
    "lxml",
    "nltk",
    "punkt",
    "sklearn",
    "scipy",
    "pycrfsuite",
    "distributed",
    "fsspec",
    "regex",
    "zstandard",
    "pyarrow",
    "matplotlib",
    "spacy",
    "benepar",
    "stanza",
}
# The command line may import these only once a command runs.
LAZY_IN_CLI = {*LAZY, "numpy", "bitext.formats", "bitext.metrics", "bitext.model", "bitext.reports"}


def imports(tree: ast.AST, *, top: bool = True) -> Iterator[tuple[int, str, bool]]:
    """Yield the line and the module of every import, and whether it runs at import time."""
    for node in ast.iter_child_nodes(tree):
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            inside = True
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module, top
        else:
            yield from imports(node, top=top and not inside)


def faults(path: Path) -> Iterator[str]:
    """Yield what is wrong with the imports of a module."""
    inside = path.relative_to(ROOT).with_suffix("").parts
    room = inside[0]
    for line, module, at_once in imports(ast.parse(path.read_text(encoding="utf-8"))):
        parts = module.split(".")
        lazy = LAZY_IN_CLI if room in {"cli", "__init__"} else LAZY
        if at_once and any(module == name or module.startswith(f"{name}.") for name in lazy):
            yield f"{path}:{line}: imports {module} at once; import it inside the function"
        if room in {"__init__", "__main__"} or parts[0] != "bitext" or len(parts) == 1:
            continue
        if parts[1] not in {room, *ALLOWED.get(room, set())}:
            yield f"{path}:{line}: {room} may not import {parts[1]}"
        if parts[1] == room and parts[2:3] == [APART.get(inside[:2], "")]:
            yield f"{path}:{line}: {'.'.join(inside[:2])} may not import {'.'.join(parts[1:3])}"


def main() -> int:
    """Check every module; return the exit status."""
    found = [fault for path in sorted(ROOT.rglob("*.py")) for fault in faults(path)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
