"""How much each constant of the sentence aligner matters: F1 with half and with twice its value.

    python scripts/bench/alignment_constants.py --data FOLDER [--vectors FOLDER] [--cases CASE ...]
        [--modules NAME,...] [--names NAME,...] [--report FILE]

FOLDER is as in `alignment_quality.py`. The constants are the numbers at the top of the modules of
`bitext.align.sentences`. A case is METHOD/SET/KIND, for example `lexical/text+berg/whole`:

- `whole`: the texts of a set, those of one pair of languages aligned together;
- a case of `alignment_passages.py` (`src thrice 10%`), each text by itself; with `long` before it,
  of 3,000 sentences in place of 1,500;
- `borders` and a case of `alignment_borders.py` (`borders both 5 %`), each text by itself;
- `together` or `jobs`, and a case of `alignment_corpora.py` (`jobs some`), in this way;
- `doubts`: the share of the pairs of `alignment_doubts.py` that rightly have a note or none; the
  pairs are aligned once, with the constants as they are, and SET may be `all`;
- `exchanged`: the share of the pieces of `alignment_doubts.py` that rightly count as exchanged.

Figures are F1, at the level of alignments (`whole`) or over beads with both sides, and otherwise
shares. The table has the change of their mean over the cases, for half and for twice the value, and
`=` where all beads and all notes are the same: the cases do not reach the constant, or it limits
memory or time only. `-`: half or twice is no valid value, for example a share above 1. CPU time is
that of all cases, as a multiple of the time with the constants as they are. Each value is measured
in a process of its own, which loads the aligner with this value (`constant_cases.py`).
"""

from __future__ import annotations

import argparse
import ast
import importlib
import multiprocessing
import os
import sys
import tempfile
import time
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import CodeType

_ROOM = "bitext.align.sentences"
_CASES = ("lexical/parice/whole", "lexical/text+berg/whole")
_ABOUT = """\
# Sentence alignment: how much each constant matters

Made by `alignment_constants.py --data FOLDER --vectors FOLDER --modules NAME,... --cases CASE ... \
--report FILE`, a section a run; its docstring explains the measure.
"""
_SECTION = """\
## {modules}

Cases: {cases}. Their mean is {mean:.4f} with the constants as they are.

"""


class Constant(NamedTuple):
    """A number at the top of a module of the room."""

    module: str
    name: str


class Measured(NamedTuple):
    """The results of all cases, their CPU time in seconds, and the values of all constants."""

    results: list[tuple[float, int]]
    seconds: float
    values: Mapping[Constant, float]


class _Loader(SourceFileLoader):
    """Loads a module with one constant multiplied right after its definition."""

    name_of_constant: str
    factor: float

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path))
        name = self.name_of_constant
        at = next(k for k, node in enumerate(tree.body, 1) if name in _assigned(node))
        tree.body[at:at] = ast.parse(f"{name} = type({name})({name} * {self.factor})").body
        return compile(ast.fix_missing_locations(tree), path, "exec")


class _Finder:
    """Finds the module of a constant before others do."""

    def __init__(self, constant: Constant, factor: float) -> None:
        self._module, self._name, self._factor = *constant, factor

    def find_spec(
        self, name: str, path: Sequence[str] | None, _: object = None
    ) -> ModuleSpec | None:
        if name != self._module:
            return None
        stem = name.rpartition(".")[2]
        for folder in path or ():
            for file in (Path(folder, f"{stem}.py"), Path(folder, stem, "__init__.py")):
                if file.exists():
                    loader = _Loader(name, str(file))
                    loader.name_of_constant, loader.factor = self._name, self._factor
                    return spec_from_file_location(name, file, loader=loader)
        return None


def _assigned(node: ast.stmt) -> list[str]:
    """Return the names in capitals that a statement assigns to."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    parts = [part for target in targets for part in ast.walk(target)]
    return [part.id for part in parts if isinstance(part, ast.Name) and part.id.isupper()]


def measured(job: tuple[Mapping[str, Any], Constant | None, float]) -> Measured | None:
    """Run all cases with one constant multiplied; return None if the value is not valid."""
    given, constant, factor = job
    if constant is not None:
        sys.meta_path.insert(0, _Finder(constant, factor))
    try:
        cases = importlib.import_module("constant_cases").Cases(**given)
        begun = time.process_time()
        # Plain numbers: a parent that had to import anything to read them could not fork meanwhile.
        results = [(float(figure), int(digest)) for figure, digest in cases.results()]
    except (ValueError, IndexError, TypeError, ArithmeticError):
        return None
    return Measured(results, time.process_time() - begun, dict(_values()))


def _values() -> Iterator[tuple[Constant, float]]:
    """Yield the numbers at the top of all loaded modules of the room."""
    for module, loaded in sorted(sys.modules.items()):
        if module.startswith(f"{_ROOM}.") and loaded.__file__:
            for node in ast.parse(Path(loaded.__file__).read_text(encoding="utf-8")).body:
                for name in _assigned(node):
                    value = getattr(loaded, name)
                    if isinstance(value, int | float) and not isinstance(value, bool):
                        yield Constant(module, name), value


def names(given: str) -> list[str]:
    """Return the names in a list with commas."""
    return given.split(",")


def rows(options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the mean of the cases as a row of one cell, and then a row for each constant."""
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as cache, context.Pool(1, maxtasksperchild=1) as pool:
        given = {"data": options.data, "vectors": options.vectors, "cases": options.cases}
        given["cache"] = Path(cache)
        pool.map(measured, [(given, None, 1.0)])  # fills the cache
        usual = pool.map(measured, [(given, None, 1.0)])[0]
        if usual is None:
            raise SystemExit("the cases cannot be run")
        yield [f"{fmean(figure for figure, _ in usual.results):.4f}"]
        for constant, value in usual.values.items():
            short = constant.module.removeprefix(f"{_ROOM}.")
            if options.modules and short not in options.modules:
                continue
            if options.names and constant.name not in options.names:
                continue
            changes, times = [], []
            for other in pool.map(measured, [(given, constant, 0.5), (given, constant, 2.0)], 1):
                changes.append(change(usual, other))
                times.append("-" if other is None else f"{other.seconds / usual.seconds:.2f}")
            yield [short, constant.name, f"{value:g}", *changes, *times]


def change(usual: Measured, other: Measured | None) -> str:
    """Return the change of the mean with another value, as a cell."""
    if other is None:
        return "-"
    if other.results == usual.results:
        return "="
    pairs = zip(other.results, usual.results, strict=True)
    return f"{fmean(new - old for (new, _), (old, _) in pairs):+.4f}"


def write_section(report: Path, cases: Sequence[str], mean: float, table: Any) -> None:
    """Add a run to a report, or replace the section of the same modules."""
    modules = ", ".join(dict.fromkeys(row[0] for row in table.rows))
    shown = ", ".join(f"`{case}`" for case in cases)
    section = _SECTION.format(modules=modules, cases=shown, mean=mean) + table.render("markdown")
    before = report.read_text(encoding="utf-8") if report.exists() else _ABOUT
    about, *others = before.rstrip("\n").split("\n## ")
    others = [other for other in others if other.partition("\n")[0] != modules]
    parts = [about, *others, section.removeprefix("## ")]
    report.write_text("\n\n## ".join(part.strip("\n") for part in parts) + "\n", encoding="utf-8")


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--vectors", type=Path, metavar="FOLDER")
    parser.add_argument("--cases", nargs="+", default=_CASES, metavar="METHOD/SET/KIND")
    parser.add_argument("--modules", type=names, default=[])
    parser.add_argument("--names", type=names, default=[])
    parser.add_argument("--report", type=Path, metavar="FILE")
    options = parser.parse_args()
    made = []
    for row in rows(options):
        sys.stderr.write("\t".join(row) + "\n")
        sys.stderr.flush()
        made.append(row)
    table = importlib.import_module("bitext.reports.table").Table(
        ["module", "constant", "value", "half", "twice", "CPU, half", "CPU, twice"],
        right=set(range(2, 7)),
    )
    table.rows.extend(made[1:])
    if options.report:
        write_section(options.report, options.cases, float(made[0][0]), table)
    else:
        print(table.render("table"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
