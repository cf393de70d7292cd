"""Checks which way imports point, and that start-up stays short. Fails on any that point upward.

    errors <- kernels <- model <- syntax <- formats, metrics, align, segment <- reports, jobs <- cli

Rooms on one level do not import each other, nor do the two halves of `align`: `sentences` and
`words`. `late_names`, `notebooks` and `remedies` import nothing, as `errors` does, and `paths` only
`errors`. Of other packages none but numpy is imported outside of functions, and for a start not
even that. Modules are named in full, not from where the importing one stands.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent / "bitext"

# room: the rooms that it may import
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "late_names": set(),
    "notebooks": set(),
    "paths": {"errors"},
    "remedies": set(),
    "kernels": {"errors"},
    "model": {"errors", "notebooks", "kernels"},
    "syntax": {"errors", "paths", "kernels", "model"},
    "formats": {"errors", "paths", "remedies", "kernels", "model", "syntax"},
    "metrics": {"errors", "notebooks", "paths", "remedies", "kernels", "model"},
    "align": {"errors", "late_names", "paths", "remedies", "kernels", "model", "syntax"},
    "segment": {"errors", "late_names", "paths", "remedies", "kernels", "model"},
    "reports": {"errors", "paths", "notebooks", "remedies", "kernels", "model", "syntax"},
    "jobs": {"errors", "paths", "remedies", "model", "syntax", "formats"},
}
for above in ("reports", "jobs"):
    ALLOWED[above] |= {"formats", "metrics", "align", "segment"}
ALLOWED["cli"] = {*ALLOWED, "cli"}

# Halves of a room that do not import each other.
APART: dict[tuple[str, ...], str] = {
    ("align", "sentences"): "words",
    ("align", "words"): "sentences",
}

# What a module may import at once, while it is itself being imported, of others than Python and us:
# arrays are what the rooms work on. All else waits until it is used, and so does numpy for a start.
AT_ONCE: dict[str, set[str]] = {room: {"numpy"} for room in ALLOWED}
AT_ONCE |= {
    room: set() for room in ("errors", "late_names", "notebooks", "paths", "remedies", "cli")
}

# What a start may import at once of ours; other rooms may all that ALLOWED names. What is in `jobs`
# is for the tasks of a command, whose module is imported late: one derives from another.
OURS_AT_ONCE: dict[str, set[str]] = {
    "__init__": {"late_names", "notebooks"},
    "__main__": {"cli"},
    "cli": {"cli", "errors", "paths", "remedies", "jobs"},
}


class Import(NamedTuple):
    """A module or a name of one, in full, that is imported; a relative one has dots in front."""

    line: int
    name: str
    at_once: bool


def imports(tree: ast.AST, *, top: bool = True) -> Iterator[Import]:
    """Yield every import, with whether it runs when the module is imported."""
    typing: list[ast.stmt] = []
    if isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        typing = tree.body  # not what stands behind `else`
    for node in ast.iter_child_nodes(tree):
        at_once = top and node not in typing
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name, at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (f"{node.module}." if node.module else "")
            for alias in node.names:
                yield Import(node.lineno, module + alias.name, at_once)
        else:
            late = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from imports(node, top=at_once and not late)


def faults(path: Path) -> Iterator[str]:
    """Yield what is wrong with the imports of a module, each once."""
    inside = path.relative_to(ROOT).with_suffix("").parts
    found = imports(ast.parse(path.read_text(encoding="utf-8")))
    told = (f"{path}:{each.line}: {said}" for each in found for said in _told(inside, each))
    yield from dict.fromkeys(told)


def _told(inside: tuple[str, ...], each: Import) -> Iterator[str]:
    """Yield what is wrong with an import in a module."""
    if each.name.startswith("."):
        yield f"imports {each.name} from where it stands; name the module in full"
        return
    room, parts = inside[0], each.name.split(".")
    if parts[0] != "bitext":
        known = parts[0] in sys.stdlib_module_names or parts[0] in AT_ONCE.get(room, set())
        if each.at_once and not known:
            yield f"imports {parts[0]} at once; import it inside the function"
        return
    if len(parts) == 1 or parts[1] == "__version__":
        return
    if each.at_once and parts[1] not in OURS_AT_ONCE.get(room, {parts[1]}):
        yield f"imports bitext.{parts[1]} at once; import it inside the function"
    if room not in {"__init__", "__main__"} and parts[1] not in {room, *ALLOWED.get(room, set())}:
        yield f"{room} may not import {parts[1]}"
    if parts[1] == room and parts[2:3] == [APART.get(inside[:2], "")]:
        yield f"{'.'.join(inside[:2])} may not import {'.'.join(parts[1:3])}"


def main() -> int:
    """Check every module; return the exit status."""
    found = [fault for path in sorted(ROOT.rglob("*.py")) for fault in faults(path)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
