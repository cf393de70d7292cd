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
that of all cases, as a multiple of the time with the constants as they are.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import pkgutil
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import alignment_borders as borders
import alignment_corpora as corpora
import alignment_doubts as doubts
import alignment_passages as passages
import alignment_quality as quality
import numpy as np
from worn_texts import f1_of

import bitext.align.sentences as room
from bitext import Text
from bitext.align.sentences import align_sentences
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import TextPair
from bitext.cli.align.warnings import EXCERPTS, input_warnings
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from bitext import Alignment

_LONG = 3_000  # sentences of a text: a table of 9 million points and more
_CASES = ("lexical/parice/whole", "lexical/text+berg/whole")
_ABOUT = """\
# Sentence alignment: how much each constant matters

Made by `python scripts/bench/alignment_constants.py --data FOLDER --cases {cases} --report FILE`,
whose docstring explains the measure. The mean over cases is {mean:.4f} with the constants as they
are.

"""


class Constant(NamedTuple):
    """A number at the top of a module, and the places that have a copy of it.

    Attributes
    ----------
    module : str
        The module, by its name in the room.
    name : str
    value : int or float
    modules : list of module
        Modules in which the name is defined or imported.
    defaults : list of (function, int or str)
        Functions with the constant as a default, and its index or keyword there.

    """

    module: str
    name: str
    value: float
    modules: list[ModuleType]
    defaults: list[tuple[Any, int | str]]


class Result(NamedTuple):
    """The figure of a case, and what it was computed from, to tell whether that is the same."""

    figure: float
    beads: int


def constants() -> Iterator[Constant]:
    """Yield the numbers at the top of all modules of the room."""
    modules = [
        importlib.import_module(info.name)
        for info in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    ]
    trees = {
        module.__name__: ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for module in modules
    }
    for module in modules:
        for name in _assigned(trees[module.__name__]):
            value = getattr(module, name)
            if not isinstance(value, int | float) or isinstance(value, bool):
                continue
            importers = [
                other
                for other in modules
                if any(
                    isinstance(node, ast.ImportFrom)
                    and node.module == module.__name__
                    and any(alias.name == name for alias in node.names)
                    for node in ast.walk(trees[other.__name__])
                )
            ]
            held = [module, *importers]
            defaults = [
                default
                for other in held
                for default in _defaults(other, other, trees[other.__name__], name)
            ]
            short = module.__name__.removeprefix(f"{room.__name__}.")
            yield Constant(short, name, value, held, defaults)


def _assigned(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(part, ast.Name) and part.id.isupper():
                    yield part.id


def _defaults(
    module: ModuleType, owner: Any, tree: ast.Module | ast.ClassDef, name: str
) -> Iterator[tuple[Any, int | str]]:
    """Yield the functions of a module or class that have a constant as a default."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _defaults(module, vars(owner)[node.name], node, name)
        elif isinstance(node, ast.FunctionDef):
            member = vars(owner).get(node.name)
            member = getattr(member, "__func__", member)
            member = getattr(member, "__wrapped__", member)
            for k, default in enumerate(node.args.defaults):
                if isinstance(default, ast.Name) and default.id == name:
                    yield member, k
            for arg, keyword in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
                if isinstance(keyword, ast.Name) and keyword.id == name:
                    yield member, arg.arg


@contextmanager
def another_value(constant: Constant, value: float) -> Iterator[None]:
    """Give a constant another value in all places that have a copy of it."""
    _set(constant, type(constant.value)(value))
    try:
        yield
    finally:
        _set(constant, constant.value)


def _set(constant: Constant, value: float) -> None:
    for module in constant.modules:
        setattr(module, constant.name, value)
    for function, place in constant.defaults:
        if isinstance(place, int):
            given = list(function.__defaults__)
            given[place] = value
            function.__defaults__ = tuple(given)
        else:
            function.__kwdefaults__[place] = value


class Cases:
    """Runs cases over the sets of a folder."""

    def __init__(self, data: Path, vectors: Path | None, cases: Sequence[str]) -> None:
        given = argparse.Namespace(
            data=data, vectors=vectors, dictionaries=None, encoder=None, sets=[]
        )
        self._quality = quality.Bench(given)
        self._passages = passages.Bench(given)
        self._bases = {name: (bases, other) for name, bases, other in self._passages.sets()}
        folders = sorted(path.parent for path in data.glob("*/README.md"))
        self._docs = {folder.name: list(quality.documents(folder)) for folder in folders}
        self._docs["all"] = [doc for docs in self._docs.values() for doc in docs]
        self._aligned: dict[str, list[tuple[doubts.Case, Alignment, bool]]] = {}
        self._cases = [self._case(*case.split("/", 2)) for case in cases]

    def results(self) -> list[Result]:
        """Return the result of each case."""
        return [case() for case in self._cases]

    def _case(self, method: str, name: str, kind: str) -> Callable[[], Result]:
        first, _, rest = kind.partition(" ")
        if kind == "whole":
            return lambda: self._whole(method, name)
        if kind == "doubts":
            return lambda: self._doubts(method, name)
        if kind == "exchanged":
            return lambda: self._exchanged(name)
        if first == "borders":
            return lambda: self._borders(method, name, rest)
        if first in corpora.WAYS:
            return lambda: self._corpus(method, name, first, rest)
        if first == "long":
            bases = [passages.Base.of(doc, longest=_LONG) for doc in self._docs[name]]
            return lambda: self._changed(method, bases, self._bases[name][1], rest)
        return lambda: self._changed(method, *self._bases[name], kind)

    def _whole(self, method: str, name: str) -> Result:
        docs = self._docs[name]
        pairs = sorted({doc.langs for doc in docs})
        groups = [[doc for doc in docs if doc.langs == langs] for langs in pairs]
        found = [one for group in groups for one in self._quality.aligned(group, method)]
        scores = quality.scored([doc for group in groups for doc in group], found)
        return Result(scores["alignment"].f1, _digest(found))

    def _changed(
        self, method: str, bases: Sequence[passages.Base], other: passages.Base, case: str
    ) -> Result:
        foreign = list(other.doc.gold.tgt.segments()) if other.doc.gold.tgt else []
        counts, found = np.zeros(3), []
        for base in bases:
            made = passages.changed(base, case, foreign)
            if made is not None:
                texts = Text(made.texts[0], name="src"), Text(made.texts[1], name="tgt")
                found.append(align_sentences(*texts, method=method))
                counts += passages.right_of(base, made, found[-1])
        return Result(2 * counts[0] / max(counts[1] + counts[2], 1), _digest(found))

    def _borders(self, method: str, name: str, case: str) -> Result:
        counts, found = np.zeros(3), []
        for base, made, alignment in borders.aligned(self._bases[name][0], method, case):
            found.append(alignment)
            counts += passages.right_of(base, made, alignment)
        return Result(2 * counts[0] / max(counts[1] + counts[2], 1), _digest(found))

    def _corpus(self, method: str, name: str, way: str, case: str) -> Result:
        right, count, found = 0, 0, []
        for parts in corpora.corpora(self._docs[name], case):
            alignments = corpora.WAYS[way](parts, method)
            found += alignments
            for part, alignment in zip(parts, alignments, strict=True):
                good, every = corpora.right_of(part, alignment)
                right, count = right + good, count + every
        return Result(right / max(count, 1), _digest(found))

    def _doubts(self, method: str, name: str) -> Result:
        if f"{method}/{name}" not in self._aligned:
            aligned = self._aligned[f"{method}/{name}"] = []
            for case in doubts.cases(self._docs[name]):
                texts = (Text(side, name="a text") for side in case.sides)
                found = align_sentences(*texts, method=method)
                wanted = case.doc is None
                if case.doc is not None:
                    wanted = f1_of(case.doc, case.text, found) < doubts.BADLY
                aligned.append((case, found, wanted))
        notes, right = [], []
        for case, found, wanted in self._aligned[f"{method}/{name}"]:
            src, tgt = (Text(side, name="a text") for side in case.sides)
            pair = TextPair("a text", src, tgt, (src, tgt), (None, None), {})
            given = input_warnings(pair, found, AlignRequest(method=method))
            notes.append(any(kind != EXCERPTS for kind, _ in given))
            right.append(notes[-1] == wanted)
        return Result(fmean(right), hash(tuple(notes)))

    def _exchanged(self, name: str) -> Result:
        rows = [[int(cell) for cell in row[1:]] for row in doubts.exchanged(self._docs[name]).rows]
        pieces, turned, right, wrong = (sum(column) for column in zip(*rows, strict=True))
        return Result((pieces - turned + right - wrong) / pieces, hash((right, wrong)))


def _digest(found: Sequence[Alignment]) -> int:
    return hash(tuple((bead.src, bead.tgt) for alignment in found for bead in alignment))


def change(constant: Constant, value: float, cases: Cases, usual: Sequence[Result]) -> str:
    """Return the change of the mean with another value, as a cell."""
    try:
        with another_value(constant, value):
            results = cases.results()
    except (ValueError, IndexError, TypeError, ArithmeticError):
        return "-"
    if results == usual:
        return "="
    figures = zip(results, usual, strict=True)
    return f"{fmean(new.figure - old.figure for new, old in figures):+.4f}"


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--vectors", type=Path, metavar="FOLDER")
    parser.add_argument("--cases", nargs="+", default=_CASES, metavar="METHOD/SET/KIND")
    parser.add_argument("--modules", type=quality.names, default=[])
    parser.add_argument("--names", type=quality.names, default=[])
    parser.add_argument("--report", type=Path, metavar="FILE")
    options = parser.parse_args()
    cases = Cases(options.data, options.vectors, options.cases)
    cases.results()  # modules are loaded, texts are read
    begun = time.process_time()
    usual = cases.results()
    usual_time = time.process_time() - begun
    quality.told([*(f"{one.figure:.4f}" for one in usual), f"{usual_time:.1f} s"])
    columns = ["module", "constant", "value", "half", "twice", "CPU, half", "CPU, twice"]
    made = Table(columns, right=set(range(2, 7)))
    for constant in constants():
        if options.modules and constant.module not in options.modules:
            continue
        if options.names and constant.name not in options.names:
            continue
        changes, times = [], []
        for factor in (0.5, 2.0):
            begun = time.process_time()
            changes.append(change(constant, constant.value * factor, cases, usual))
            times.append(f"{(time.process_time() - begun) / usual_time:.2f}")
        made.rows.append([constant.module, constant.name, f"{constant.value:g}", *changes, *times])
        quality.told(made.rows[-1])
    if options.report:
        about = _ABOUT.format(
            cases=" ".join(f"'{case}'" for case in options.cases),
            mean=fmean(one.figure for one in usual),
        )
        options.report.write_text(about + made.render("markdown"), encoding="utf-8")
    else:
        print(made.render("table"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
