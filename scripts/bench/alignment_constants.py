"""How much each constant of the sentence aligner matters: F1 with half and with twice its value.

    python scripts/bench/alignment_constants.py --data FOLDER [--sets NAME,...] [--modules NAME,...]
        [--report FILE]

FOLDER is as in `alignment_quality.py`. The constants are the numbers at the top of the modules of
`bitext.align.sentences`, by the names that they have there. Texts are aligned by `lexical` with its
defaults; F1 is at the level of alignments, micro over each set, and what is told is the change of
the mean over sets, for half and for twice the value. A constant that changes nothing is not reached
by these texts, or says how much is worked on at once. A value of which half or twice is no value
(a share above 1) is told as `-`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from alignment_quality import Bench, documents, names, scored, told

import bitext.align.sentences as room
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from alignment_quality import Document

_ABOUT = """\
# Sentence alignment: how much each constant matters

Made by `python scripts/bench/alignment_constants.py --data FOLDER --sets {sets} --report FILE`,
whose docstring tells what is measured. F1 is {mean:.4f} with the values as they are.

"""


def constants() -> Iterator[tuple[ModuleType, str, float]]:
    """Yield the numbers at the top of all modules of the room: module, name, value."""
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        module = importlib.import_module(found.name)
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        for name, value in list(vars(module).items()):
            own = f"\n{name} = " in source
            if own and name.isupper() and isinstance(value, int | float):
                yield module, name, value


def mean_f1(groups: Sequence[Sequence[Document]], bench: Bench) -> float:
    """Return the mean F1 of sets, of each of which the texts are aligned together."""
    found = []
    for docs in groups:
        pairs = sorted({doc.langs for doc in docs})
        some = [[doc for doc in docs if doc.langs == langs] for langs in pairs]
        aligned = [one for group in some for one in bench.aligned(group, "lexical")]
        found.append(scored([doc for group in some for doc in group], aligned)["alignment"].f1)
    return fmean(found)


def change(
    module: ModuleType, name: str, value: float, groups: Sequence[Sequence[Document]], bench: Bench
) -> float | None:
    """Return F1 with another value of a constant; None where it is no value."""
    before = getattr(module, name)
    setattr(module, name, type(before)(value))
    try:
        return mean_f1(groups, bench)
    except (ValueError, IndexError, TypeError, ArithmeticError):
        return None
    finally:
        setattr(module, name, before)


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--sets", type=names, default=["parice", "text+berg"])
    parser.add_argument("--modules", type=names, default=[])
    parser.add_argument("--report", type=Path, metavar="FILE")
    options = parser.parse_args()
    options.vectors = options.dictionaries = options.encoder = None
    groups, bench = [list(documents(options.data / one)) for one in options.sets], Bench(options)
    mean = mean_f1(groups, bench)
    made = Table(["module", "constant", "value", "half", "twice"], right={2, 3, 4})
    for module, name, value in constants():
        short = module.__name__.removeprefix(f"{room.__name__}.")
        if options.modules and short not in options.modules:
            continue
        cells = []
        for factor in (0.5, 2.0):
            f1 = change(module, name, value * factor, groups, bench)
            cells.append("-" if f1 is None else f"{f1 - mean:+.4f}")
        made.rows.append([short, name, f"{value:g}", *cells])
        told(made.rows[-1])
    about = _ABOUT.format(sets=",".join(options.sets), mean=mean)
    if options.report:
        options.report.write_text(about + made.render("markdown"), encoding="utf-8")
    else:
        print(made.render("table"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
