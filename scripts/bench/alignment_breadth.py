"""How often lengths alone are better than lexical: all languages there are, and pairs by chance.

    python scripts/bench/alignment_breadth.py [--cache FOLDER] [--collections NAME,...] [--pairs N]
        [--seed N] [--variants thinned,...] [--most N] [--draws N] [-j N] [--report FILE]

`alignment_languages.py` has a choice of texts, and much was mended for these. Here are all
languages of every collection of documentation and messages (`language_texts.py`): each with
English, and N pairs of others by chance. Texts, gold standard, variants and F are the same as
there. A text of fewer than 40 sentences of the source is left out. The installation guide and the
handbook of GIMP were not looked at before they were measured here.

A method of lengths may be better than another by chance, so lexical is set beside two things: the
one method of Gale and Church (length-characters), and the best of three, chosen for each text by
the gold standard, which no one can choose who has none. Of a text of a hundred sentences a bead or
two decide which is better, so the means of all texts of two languages are compared, too; and texts
of which lexical is below length-characters are drawn again 20 times, or as many as --draws says:
thinned of other paragraphs, cut elsewhere, or, as they are, without a tenth of the paragraphs.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from alignment_languages import CACHE, LENGTHS, METHODS, Measured
from alignment_quality import names, told
from language_cases import MOST, VARIANTS, case_of, drawn_again, language
from language_texts import COLLECTIONS, codes_of
from results import made_today

from bitext.cli.align.request import check_file
from bitext.errors import BitextError
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from language_cases import Case

FEWEST = 40  # sentences of the source
SPREAD = [name for name in COLLECTIONS if name != "verses"]
GROUPS = ("with English", "any two")
BEST = "best of lengths"
PAIR = (LENGTHS[0], "lexical")

_ABOUT = """\
# Sentence alignment in all languages of some collections

Made by `{command}`, whose docstring tells
what is measured; {versions}.

F1 at alignment level, beads merged within a paragraph; every method has its defaults. *Best of
lengths* is the best of the three for each text; *below* tells for how many texts lexical is below.

"""


class Pair(NamedTuple):
    """Two languages of a collection."""

    group: str
    collection: str
    codes: tuple[str, str]

    @property
    def name(self) -> str:
        """`gimp en-zh_CN`."""
        return f"{self.collection} {'-'.join(self.codes)}"

    @property
    def languages(self) -> str:
        """`en-zh`, in whichever direction."""
        return "-".join(sorted(map(language, self.codes)))


class Found(NamedTuple):
    """What the methods reached of a variant of a text pair.

    Where lexical is below length-characters, that is what both reached of it drawn again.
    """

    pair: Pair
    variant: str
    sentences: int
    f1: dict[str, float]
    again: Sequence[tuple[float, float]] = ()

    @property
    def best(self) -> float:
        """The best that lengths reach."""
        return max(self.f1[method] for method in LENGTHS)

    @property
    def less(self) -> float:
        """Lexical minus the best of lengths."""
        return self.f1["lexical"] - self.best


def drawn(name: str, options: argparse.Namespace) -> Iterator[Pair]:
    """Yield the pairs of a collection: all with English, and some of any two others."""
    english = COLLECTIONS[name].english
    codes = [code for code in codes_of(name, options.cache) if language(code) != "en"]
    for code in codes:
        yield Pair(GROUPS[0], name, (english, code))
    chance = random.Random(options.seed)  # noqa: S311 - the same every time is what is wanted
    # Two variants of one language are no translations of each other.
    apart = [(one, other) for one in codes for other in codes if language(one) != language(other)]
    for pair in chance.sample(apart, min(options.pairs, len(apart))):
        yield Pair(GROUPS[1], name, pair)


def measured(pair: Pair, options: argparse.Namespace) -> list[Found]:
    """Return what the methods reach of a pair; nothing where the texts are too short."""
    case = case_of(pair.collection, pair.codes, options.cache, most=options.most)
    if len(case.src) < FEWEST:
        return []
    case = case._replace(name=pair.name)
    measures = Measured(options)
    found = []
    for variant in options.variants:
        measures.measure(case, variant)
        f1 = {method: measures.found[case.name, variant, method].f1 for method in METHODS}
        again = []
        if f1[PAIR[1]] < f1[PAIR[0]]:
            again = [_both(one, options) for one in drawn_again(case, variant, options.draws)]
        found.append(Found(pair, variant, len(case.src), f1, again))
    return found


def _both(case: Case, options: argparse.Namespace) -> tuple[float, float]:
    """Return what length-characters and lexical reach of a case."""
    measures = Measured(argparse.Namespace(**{**vars(options), "methods": PAIR}))
    measures.measure(case, "as it is")
    lengths, lexical = (measures.found[case.name, "as it is", method].f1 for method in PAIR)
    return lengths, lexical


def report(every: Sequence[Found], short: Sequence[Pair]) -> Iterator[str]:
    """Yield the parts of the report."""
    for variant in dict.fromkeys(found.variant for found in every):
        made = Table(
            ["texts", "", "number", *METHODS, BEST, f"below {LENGTHS[0]}", f"below {BEST}"],
            right=set(range(2, 10)),
        )
        some = [found for found in every if found.variant == variant]
        for collection in dict.fromkeys(found.pair.collection for found in some):
            for group in GROUPS:
                held = [f for f in some if f.pair[:2] == (group, collection)]
                if held:
                    made.rows.append([collection, group, *_means(held)])
        made.rows.append(["all", "", *_means(some)])
        yield f"## {variant.capitalize()}\n\n{made.render('markdown')}"
    below = sorted((found for found in every if found.less < 0), key=lambda found: found.less)
    made = Table(
        ["texts", "", "sentences", *METHODS, "less best"], right=set(range(2, 3 + len(METHODS) + 1))
    )
    for found in below:
        figures = [number(found.f1[method]) for method in METHODS]
        sizes = [found.pair.name, found.variant, str(found.sentences)]
        made.rows.append([*sizes, *figures, f"{found.less:+.4f}"])
    shown = made.render("markdown") if below else "None.\n"
    yield f"## Below the best of lengths\n\n{len(below)} of {len(every)}.\n\n{shown}"
    yield _by_languages(every)
    if any(found.again for found in every):
        yield _drawn_again(every)
    if short:
        left = ", ".join(pair.name for pair in short)
        yield f"## Left out\n\nFewer than {FEWEST} sentences: {left}.\n"


def _by_languages(every: Sequence[Found]) -> str:
    """Return the pairs of languages where lexical is below length-characters on average."""
    held: dict[str, list[Found]] = {}
    for found in every:
        held.setdefault(found.pair.languages, []).append(found)

    def less(some: Sequence[Found]) -> float:
        return sum(one.f1["lexical"] - one.f1[LENGTHS[0]] for one in some) / len(some)

    below = {name: some for name, some in held.items() if less(some) < 0}
    made = Table(["languages", "number", *METHODS, f"less {LENGTHS[0]}"], right=set(range(1, 7)))
    for name, some in sorted(below.items(), key=lambda pair: less(pair[1])):
        count, *figures = _means(some)[: 1 + len(METHODS)]
        made.rows.append([name, count, *figures, f"{less(some):+.4f}"])
    shown = made.render("markdown") if below else "None.\n"
    return (
        f"## Languages below {LENGTHS[0]}\n\nMeans of all texts and variants of two languages: "
        f"{len(below)} of {len(held)} pairs.\n\n{shown}"
    )


def _drawn_again(every: Sequence[Found]) -> str:
    """Return what lexical reached of the texts where it was below, drawn again."""
    made = Table(
        ["texts", "", "draws", *PAIR, "less", "standard error", "below"], right=set(range(2, 8))
    )
    for found in (found for found in every if found.again):
        lengths, lexical = (fmean(each) for each in zip(*found.again, strict=True))
        less = [more - fewer for fewer, more in found.again]
        error = number(stdev(less) / sqrt(len(less))) if len(less) > 1 else "-"
        sizes = [found.pair.name, found.variant, str(len(less))]
        figures = [number(lengths), number(lexical), f"{lexical - lengths:+.4f}", error]
        made.rows.append([*sizes, *figures, str(sum(one < 0 for one in less))])
    return (
        f"## Drawn again\n\nThe texts of which lexical is below {LENGTHS[0]}, of other chances: "
        f"means of all draws, how much\nlexical is above, and of how many draws it is below.\n\n"
        f"{made.render('markdown')}"
    )


def _means(held: Sequence[Found]) -> list[str]:
    """Return the cells of a row: how many, the means, and how often lexical is below lengths."""

    def mean(values: Iterable[float]) -> str:
        return number(sum(values) / len(held))

    below = [
        sum(found.f1["lexical"] < found.f1[LENGTHS[0]] for found in held),
        sum(found.less < 0 for found in held),
    ]
    figures = [mean(found.f1[method] for found in held) for method in METHODS]
    best = mean(found.best for found in held)
    return [str(len(held)), *figures, best, *(str(count) for count in below)]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--cache", type=Path, default=CACHE, metavar="FOLDER")
    made.add_argument("--collections", type=names, default=SPREAD, metavar="NAME,...")
    made.add_argument("--pairs", type=int, default=40, metavar="N")
    made.add_argument("--seed", type=int, default=1, metavar="N")
    made.add_argument("--variants", type=names, default=[*VARIANTS][:3], metavar="NAME,...")
    made.add_argument("--most", type=int, default=MOST, metavar="N")
    made.add_argument("--draws", type=int, default=20, metavar="N")
    made.add_argument("-j", "--jobs", type=int, default=1, metavar="N")
    made.add_argument("--report", type=Path, metavar="FILE")
    made.set_defaults(methods=METHODS, encoder=None)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parsed = parser()
    options = parsed.parse_args(arguments)
    for name, known in (("collections", SPREAD), ("variants", [*VARIANTS])):
        wrong = [each for each in getattr(options, name) if each not in known]
        if wrong:
            parsed.error(f"--{name}: there is no {wrong[0]!r}; want some of {sorted(known)}")
    for name, least in (("pairs", 0), ("most", FEWEST), ("draws", 0), ("jobs", 1)):
        if getattr(options, name) < least:
            parsed.error(f"--{name}: want {least} or more")
    # The work takes an hour: that its report has a place is asked before.
    if options.report:
        try:
            check_file(str(options.report))
        except BitextError as error:
            parsed.error(f"--report: {error}")
    options.cache.mkdir(parents=True, exist_ok=True)
    every: list[Found] = []
    short: list[Pair] = []
    try:
        pairs = [pair for name in options.collections for pair in drawn(name, options)]
        with ProcessPoolExecutor(options.jobs) as pool:
            for pair, found in zip(
                pairs, pool.map(partial(measured, options=options), pairs), strict=True
            ):
                every += found
                short += [] if found else [pair]
                told([pair.name, *(f"{one.variant} {one.less:+.4f}" for one in found)])
    except BitextError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    parts = "\n".join(report(every, short))
    print(parts, end="")
    if options.report:
        shown = "python scripts/bench/alignment_breadth.py"
        for name in ("collections", "pairs", "seed", "variants", "most", "draws"):
            value = getattr(options, name)
            if value != parsed.get_default(name):
                shown += f" --{name} {','.join(value) if isinstance(value, list) else value}"
        about = _ABOUT.format(command=f"{shown} --report FILE", versions=made_today("numpy"))
        options.report.write_text(about + parts, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
