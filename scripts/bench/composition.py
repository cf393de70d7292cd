"""How good composed alignments are beside direct ones, against gold standards made directly.

    python scripts/bench/composition.py [--methods NAME,...] [--texts NAME,...] [--resamples N]
        [--report FILE]

The texts are those of `fixtures/` in three languages, of which all three pairs were aligned by
hand, each from its two texts. All pairs of a text are aligned by a method with its defaults; each
pair is then composed through the third language, and combined with the direct alignment.
Figures are F1 of whole beads with 95% intervals of a bootstrap over blocks of the texts.
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from resampled import RESAMPLES, block_counts, compared, comparison, pooled
from results import ROOT, made_today

from bitext import Alignment, read
from bitext.align.sentences import aligner_of, alignment_of
from bitext.errors import InputError
from bitext.formats.plain_text import load_text
from bitext.model import combine, compose
from bitext.reports.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bitext import Text

BLOCK = 10  # source sentences; set by hand: the texts are short
METHODS = ("lexical", "length-characters")
TEXTS = {"bell": ("de", "fr", "en"), "survey": ("en", "de", "es")}

ABOUT = """\
# Composed and direct alignments

Made by `{command}`, whose docstring says what is measured; {versions}.

F1 of whole beads. Rows are the ways to align two texts of three languages: directly (`direct`);
through the third language (`composed`); both together, in the ways of `bitext combine`; and the
gold standards of the other two pairs composed, which is what composition makes of alignments
without a fault. Intervals are 95%, from {resamples:,} resamples of blocks of {block} source
sentences of all pairs of a text; the last columns compare with `direct`.

How to read the figures: the texts are short and our own ({beads} gold beads in {pairs} pairs), and
were written after the criterion of `path` had been settled. A tie says that these texts cannot
tell, not that two ways are equally good.
"""


def story(name: str, lang: str) -> Text:
    """Return the text of a story of `fixtures/` in a language."""
    text = load_text(ROOT / "fixtures" / name / f"{name}.{lang}")
    if text is None:
        raise InputError(f"{name}.{lang}: no such text")
    return text


def aligned(src: Text, tgt: Text, method: str) -> Alignment:
    """Return the alignment of two texts by a method, with its probabilities."""
    aligner = aligner_of([(src, tgt)], method=method)
    aligner.run()
    return alignment_of(aligner, 0)


def counts(name: str, method: str) -> dict[str, dict[str, NDArray[np.int64]]]:
    """Return the counts of each pair of languages of a text: by system and block."""
    folder = ROOT / "fixtures" / name
    langs = TEXTS[name]
    texts = {lang: story(name, lang) for lang in langs}
    gold: dict[tuple[str, str], Alignment] = {}
    direct: dict[tuple[str, str], Alignment] = {}
    for one, other in combinations(langs, 2):
        path = folder / f"{name}.{one}-{other}.align"
        gold[one, other] = read(path, src=texts[one], tgt=texts[other]).alignment
        direct[one, other] = aligned(texts[one], texts[other], method)
        gold[other, one], direct[other, one] = (
            each[one, other].swapped() for each in (gold, direct)
        )
    made = {}
    for one, other in combinations(langs, 2):
        (pivot,) = set(langs) - {one, other}
        composed = compose(direct[one, pivot], direct[pivot, other]).alignment
        both = [direct[one, other], composed]
        systems = {
            "direct": direct[one, other],
            "composed": composed,
            "intersection": combine(both, by="intersection"),
            "union": combine(both, by="union"),
            "path, votes": combine(
                [Alignment.from_arrays(each.src, each.tgt) for each in both], by="path"
            ),
            "path, probabilities": combine(both, by="path"),
            "gold composed": compose(gold[one, pivot], gold[pivot, other]).alignment,
        }
        sizes = len(texts[one]), len(texts[other])
        made[f"{name} {one}-{other} through {pivot}"] = block_counts(
            gold[one, other], systems, sizes, block=BLOCK
        )
    return made


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", type=lambda given: given.split(","), default=[*METHODS])
    parser.add_argument("--texts", type=lambda given: given.split(","), default=[*TEXTS])
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args(arguments)
    tables, beads, size = "", 0, 0
    for method in options.methods:
        texts = [counts(name, method) for name in options.texts]
        pairs = {pair: each for text in texts for pair, each in text.items()}
        beads, size = sum(int(each["direct"][:, 1].sum()) for each in pairs.values()), len(pairs)
        whole = compared(
            [pooled([*text.values()]) for text in texts], "direct", resamples=options.resamples
        )
        tables += f"\n## {method}\n\n{comparison(whole, 'direct').render('markdown')}"
        own = Table(["pair", *whole], right=set(range(1, len(whole) + 1)), quiet={0})
        for name, each in pairs.items():
            figures = compared([each], "direct", resamples=0)
            own.rows.append([name, *(f"{one.f1:.3f}" for one in figures.values())])
        tables += f"\n{own.render('markdown')}"
    given = "" if options.methods == [*METHODS] else f" --methods {','.join(options.methods)}"
    report = ABOUT.format(
        command=f"python scripts/bench/composition.py{given}",
        versions=made_today("numpy"),
        resamples=options.resamples,
        block=BLOCK,
        beads=beads,
        pairs=size,
    ) + tables  # fmt: skip
    sys.stdout.write(report)
    if options.report is not None:
        options.report.write_text(report, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
