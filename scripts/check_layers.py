"""Checks which way imports point, and that start-up stays short. Fails on any that point upward.

    errors <- kernels <- model <- syntax <- formats, metrics, align, segment <- reports, jobs
           <- scoring <- workbench <- cli

No modules import each other in a circle, be it late or for types alone; no folder has more than 25
modules; and a module that only one other imports is part of that one, unless `LONELY` says why not.

Rooms on one level do not import each other, nor do the two halves of `align`: `sentences` and
`words`. `lazy` and `notebooks` import nothing, as `errors` does, and `paths` and `plugins` only
`errors`. Of other packages none but numpy is imported outside of functions, and for a start not
even that. Modules are named in full, not from where the importing one stands.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent / "bitext"

# room: the rooms that it may import
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "lazy": set(),
    "notebooks": set(),
    "paths": {"errors"},
    "plugins": {"errors"},
    "kernels": {"errors"},
    "model": {"errors", "notebooks", "kernels"},
    "syntax": {"errors", "paths", "kernels", "model"},
    "formats": {"errors", "plugins", "lazy", "paths", "kernels", "model", "syntax"},
    "metrics": {
        "errors",
        "plugins",
        "lazy",
        "notebooks",
        "paths",
        "kernels",
        "model",
    },
    "align": {"errors", "plugins", "lazy", "paths", "kernels", "model", "syntax"},
    "segment": {"errors", "lazy", "paths", "kernels", "model"},
    "reports": {"errors", "paths", "notebooks", "kernels", "model", "syntax"},
    "jobs": {"errors", "paths", "kernels", "model", "syntax", "formats"},
}
for above in ("reports", "jobs"):
    ALLOWED[above] |= {"formats", "metrics", "align", "segment"}
ALLOWED["scoring"] = {*ALLOWED} - {"cli"}
ALLOWED["workbench"] = {*ALLOWED} - {"cli"}
ALLOWED["cli"] = {*ALLOWED, "cli"}

# Halves of a room that do not import each other.
APART: dict[tuple[str, ...], str] = {
    ("align", "sentences"): "words",
    ("align", "words"): "sentences",
}

# What a module may import at once, while it is itself being imported, of others than Python and us:
# arrays are what the rooms work on. All else waits until it is used, and so does numpy for a start.
AT_ONCE: dict[str, set[str]] = {room: {"numpy"} for room in ALLOWED}
AT_ONCE |= {room: set() for room in ("errors", "lazy", "notebooks", "paths", "plugins", "cli")}

# What a start may import at once of ours; other rooms may all that ALLOWED names. What is in `jobs`
# is for the tasks of a command, whose module is imported late: one derives from another.
OURS_AT_ONCE: dict[str, set[str]] = {
    "__init__": {"lazy", "notebooks"},
    "__main__": {"cli"},
    "cli": {"cli", "errors", "paths", "jobs"},
}

# Commands whose package has a start, `__init__` and `request`, and modules that work: these are
# imported once the arguments are parsed, and import at once what every run needs.
STARTED = {"align", "link"}

MOST_IN_FOLDER = 25

# Modules that one other imports, or none, and are a file of their own all the same: by the start of
# their name, with the reason. An entry that fits none is reported. Modules that a registry names in
# a string, such as formats, need no entry.
LONELY: dict[str, str] = {
    "bitext.__main__": "Python starts it",
    "bitext.align.sentences.pair_scores": "scores of pairs, below the command line",
    "bitext.cli.convert.request": "options and their checks; above 900 lines with the command",
    "bitext.cli.edit.request": "options and their checks; above 900 lines with the command",
    "bitext.cli.link.": "reading, results and tables, above 900 lines with the command",
    "bitext.cli.main": "the installed command calls it",
    "bitext.formats.books.": "the layout that all formats of books share, and a format each",
    "bitext.formats.cleaning.filters": "with the cleaner above 900 lines",
    "bitext.formats.content_notes": "with reading above 900 lines",
    "bitext.formats.convert.checking": "a task of its own, beside conversion",
    "bitext.formats.documents.": "a format of documents each, imported by its name",
    "bitext.formats.segmentations.": "a family of spellings each",
    "bitext.formats.tei.documents": "with the reading of links above 900 lines",
    "bitext.formats.tei.reading": "with writing above 900 lines",
    "bitext.formats.tmx.fast": "the fast path, loaded only for units of the same layout",
    "bitext.formats.xliff.fast": "with the documents of a file above 900 lines",
    "bitext.formats.xliff.reading12": "with writing above 900 lines",
    "bitext.formats.xliff.reading2": "with writing above 900 lines",
    "bitext.formats.xml.recovery": "loaded only to leave out units; long with `safe`",
    "bitext.formats.xml.schemas": "validation by a schema is a subject of its own",
    "bitext.jobs.multitext": "the work of a command, pickled for other processes; long as one file",
    "bitext.kernels.lattice_distance": "a dynamic program; above 900 lines with `lattice_path`",
    "bitext.metrics.segmentation.": "a metric each, in the registry",
    "bitext.reports.lattice": "with drawing above 900 lines",
    "bitext.segment.rivals": "the methods of others, apart from ours",
    "bitext.syntax.english.parser": "with the model above 900 lines",
    "bitext.workbench.": "changes, the file of a project, its server: subjects of their own",
}


class Import(NamedTuple):
    """A module or a name of one, in full, that is imported; a relative one has dots in front."""

    line: int
    name: str
    at_once: bool


# A string that may name a module or a format: `"bitext.jobs.tasks"`, `"tmx"`, `"reading:read"`.
_NAME = re.compile(r'"([\w.]+)(?::\w+)?"')


# Where statements have statements in them: an import stands nowhere else.
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


@cache
def _imports_of(code: str) -> tuple[Import, ...]:
    return tuple(imports(ast.parse(code)))


def imports(tree: ast.AST, *, top: bool = True) -> Iterator[Import]:
    """Yield every import, with whether it runs when the module is imported."""
    typing: list[ast.stmt] = []
    if isinstance(tree, ast.If) and getattr(tree.test, "id", "") == "TYPE_CHECKING":
        typing = tree.body  # not what stands behind `else`
    for node in chain.from_iterable(getattr(tree, block, ()) for block in _BLOCKS):
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


def faults(path: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield what is wrong with the imports of a module, each once."""
    inside = path.relative_to(root).with_suffix("").parts
    found = _imports_of(path.read_text(encoding="utf-8"))
    lines = (f"{path}:{each.line}: {fault}" for each in found for fault in _faults(inside, each))
    yield from dict.fromkeys(lines)


def _works(module: Sequence[str]) -> bool:
    """Recognise a module of a command that is imported once its arguments are parsed."""
    room, command, name, *_ = (*module, "", "", "")
    return room == "cli" and command in STARTED and name not in {"", "__init__", "request"}


def _faults(inside: tuple[str, ...], each: Import) -> Iterator[str]:
    """Yield what is wrong with an import in a module."""
    if each.name.startswith("."):
        yield f"imports {each.name} from where it stands; name the module in full"
        return
    room, parts = inside[0], each.name.split(".")
    works = _works(inside)
    if parts[0] != "bitext":
        ours = {"numpy"} if works else AT_ONCE.get(room, set())
        known = parts[0] in sys.stdlib_module_names or parts[0] in ours
        if each.at_once and not known:
            yield f"imports {parts[0]} at once; import it inside the function"
        return
    if len(parts) == 1 or parts[1] == "__version__":
        return
    waits = parts[1] not in OURS_AT_ONCE.get(room, {parts[1]}) or _works(parts[1:4])
    if each.at_once and waits and not works:
        yield f"imports bitext.{parts[1]} at once; import it inside the function"
    if room not in {"__init__", "__main__"} and parts[1] not in {room, *ALLOWED.get(room, set())}:
        yield f"{room} may not import {parts[1]}"
    if parts[1] == room and parts[2:3] == [APART.get(inside[:2], "")]:
        yield f"{'.'.join(inside[:2])} may not import {'.'.join(parts[1:3])}"


def _module(path: Path, root: Path) -> str:
    """Name the module of a file in full."""
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(root: Path = ROOT) -> dict[str, set[str]]:
    """Return for each module the modules that it imports, at once, late or for types."""
    paths = {_module(path, root): path for path in sorted(root.rglob("*.py"))}
    found: dict[str, set[str]] = {}
    for module, path in paths.items():
        names = {
            each.name if each.name in paths else each.name.rpartition(".")[0]
            for each in _imports_of(path.read_text(encoding="utf-8"))
        }
        # Rooms import nothing but the version from the package, whose public names come late.
        found[module] = (names & paths.keys()) - {module, root.name}
    return found


def circles(imported: dict[str, set[str]]) -> Iterator[str]:
    """Yield each circle of modules that import each other."""
    left = {module: set(others) for module, others in imported.items()}
    while ends := [module for module, others in left.items() if not others & left.keys()]:
        for module in ends:
            del left[module]
    # What nothing in the rest imports is above a circle, not in it.
    while tops := left.keys() - set().union(*left.values(), set()):
        for module in tops:
            del left[module]
    if left:
        yield f"circle: {', '.join(sorted(left))}"


def crowded(root: Path = ROOT) -> Iterator[str]:
    """Yield the folders that have too many modules."""
    for folder in sorted({path.parent for path in root.rglob("*.py")}):
        count = sum(path.name != "__init__.py" for path in folder.glob("*.py"))
        if count > MOST_IN_FOLDER:
            yield f"{folder}: {count} modules; {MOST_IN_FOLDER} at most, so it wants rooms"


def _named(root: Path) -> set[str]:
    """Return what strings name: modules in full, and formats as the registry has them."""
    codes = (path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    strings = {name for code in codes for name in _NAME.findall(code)}
    return strings | {f"bitext.formats.{name}" for name in strings}


def lonely(
    imported: dict[str, set[str]], root: Path = ROOT, reasons: Mapping[str, str] = LONELY
) -> Iterator[str]:
    """Yield the modules that want to be part of the only one that imports them."""
    packages = {_module(path, root) for path in root.rglob("__init__.py")}
    used, named = set(), _named(root)
    for module in imported:
        importers = [other for other, names in imported.items() if module in names]
        if len(importers) > 1 or module in packages or module in named:
            continue
        reason = next((start for start in reasons if module.startswith(start)), None)
        used.add(reason)
        if reason is None:
            yield f"{module}: only {importers[0] if importers else 'a name'} imports it; fold it in"
    for start in reasons.keys() - used:
        yield f"LONELY: no module {start} has one importer"


def main() -> int:
    """Check every module; return the exit status."""
    found = [fault for path in sorted(ROOT.rglob("*.py")) for fault in faults(path)]
    imported = graph()
    found += [*circles(imported), *crowded(), *lonely(imported)]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
