"""Which texts `bitext align` tells of, as no translations or as exchanged: how many of which.

    python scripts/bench/alignment_doubts.py --data FOLDER [--methods NAME,...] [--report FILE]

FOLDER is as of `alignment_quality.py`; of each text at most 600 sentences are taken. True pairs are
the texts as they are, and worn: a third of the target's sentences left out, a fifth of all
neighbours joined, a fifth of all sentences divided, or only the first thirty, or five. Wrong pairs
are one half of a text with the other half of its translation, each text with the translations of
others of the same two languages, and 40 of texts of other languages, drawn at random. Each pair is
aligned by itself; what counts is whether `bitext align` writes a note. Apart stand pairs with at
least 50 sentences on both sides: of fewer than 40 beads next to nothing can be told.

A note on a true pair may be right, too: where most beads are wrong, sentences do fit hardly better
than elsewhere. So of true pairs that are told it is counted how many are aligned badly: with F1
below .5, over beads with both sides (`worn_texts.py`).

Exchanged are pieces of 12 source sentences with as much of the target, every third of a text; what
counts is whether these are told, and no others. Texts of the same languages are one corpus.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alignment_quality import Document, documents, names
from results import made_today
from worn_texts import WEARS, Worn, f1_of, worn

from bitext import Text
from bitext.align.sentences import align_sentences
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.align.sentences.relatedness import wrong_language_sides
from bitext.align.sentences.texts import SentencePair
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import TextPair
from bitext.cli.align.warnings import PARTIAL, input_warnings
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONGEST, _LONG = 600, 50  # sentences of a text
_OTHERS = 40  # pairs of texts of other languages
BADLY = 0.5  # F1 of an alignment: with less most beads are wrong
_PIECE = 12  # sentences

_ABOUT = """\
# Sentence alignment: which texts are told to be no translations, or exchanged

Made by `python scripts/bench/alignment_doubts.py --data FOLDER --methods {methods} --report FILE`,
whose docstring tells what is measured; {versions}.
"""

_Sides = tuple[list[str], list[str]]


class Case(NamedTuple):
    """A pair of texts, and what it is; of true ones, the document that it is of."""

    kind: str
    text: Worn
    doc: Document | None = None

    @property
    def sides(self) -> _Sides:
        """The sentences of both sides."""
        return self.text.sides

    @property
    def long(self) -> bool:
        """Whether there are 50 sentences on both sides."""
        return min(map(len, self.sides)) >= _LONG


_WHOLE = "as they are"


def cases(docs: Sequence[Document]) -> Iterator[Case]:
    """Yield pairs of texts, true and wrong ones."""
    texts = [_sides(doc) for doc in docs]
    for doc, sides in zip(docs, texts, strict=True):
        for kind in (_WHOLE, *WEARS):
            yield Case(kind, worn(sides, kind), doc)
    for src, tgt in texts:
        half = len(src) // 2, len(tgt) // 2
        yield Case("halves of a text", worn((src[: half[0]], tgt[half[1] :])))
        yield Case("halves of a text", worn((src[half[0] :], tgt[: half[1]])))
    others = []
    for one, other in permutations(range(len(docs)), 2):
        text = worn((texts[one][0], texts[other][1]))
        if docs[one].langs == docs[other].langs:
            yield Case("other texts", text)
        elif docs[one].langs != docs[other].langs[::-1]:
            others.append(Case("other texts and languages", text))
    yield from random.Random(1).sample(others, min(_OTHERS, len(others)))  # noqa: S311


def _sides(doc: Document) -> _Sides:
    if doc.gold.src is None or doc.gold.tgt is None:
        raise SystemExit(f"{doc.name}: has no texts")
    src, tgt = [*doc.gold.src.segments()], [*doc.gold.tgt.segments()]
    some = min(1.0, _LONGEST / len(src))
    return src[: round(some * len(src))], tgt[: round(some * len(tgt))]


class Answer(NamedTuple):
    """Whether a note is written, whether beads are mostly wrong, and the seconds of both steps."""

    told: bool
    badly: bool
    aligning: float
    telling: float


def answer(case: Case, method: str) -> Answer:
    """Align a pair of texts, and return what is told of it."""
    src, tgt = (Text(side, name="a text") for side in case.sides)
    begun = time.process_time()
    found = align_sentences(src, tgt, method=method)
    aligned = time.process_time()
    pair = TextPair("a text", src, tgt, (src, tgt), (None, None), {})
    options = AlignRequest(method=method)
    told = any(kind not in PARTIAL for kind, _ in input_warnings(pair, found, options))
    seconds = aligned - begun, time.process_time() - aligned
    badly = case.doc is not None and f1_of(case.doc, case.text, found) < BADLY
    return Answer(told, badly, *seconds)


def table(docs: Sequence[Document], methods: Sequence[str]) -> Table:
    """Return how many pairs of each kind are told."""
    head = ["method", "pairs", "50 and more", "told", "of these badly aligned"]
    head += ["fewer", "told", "of these badly aligned", "share of time"]
    made = Table(head, right=set(range(2, 9)), quiet={0})
    every = list(cases(docs))
    for method in methods:
        rows: dict[str, list[tuple[Case, Answer]]] = {}
        for case in every:
            rows.setdefault(case.kind, []).append((case, answer(case, method)))
        for kind, found in rows.items():
            cells = [method, kind]
            for long in (True, False):
                some = [one for case, one in found if case.long == long]
                told = [one for one in some if one.told]
                badly = str(sum(one.badly for one in told))
                true = any(case.doc for case, _ in found)
                cells += [str(len(some)), str(len(told)), badly if true else "-"]
            aligning = sum(one.aligning for _, one in found)
            telling = sum(one.telling for _, one in found)
            made.rows.append([*cells, f"{telling / (aligning + telling):.3f}"])
            sys.stderr.write("\t".join(made.rows[-1]) + "\n")
    return made


def exchanged(docs: Sequence[Document]) -> Table:
    """Return how many exchanged pieces are told, and how many others."""
    made = Table(["languages", "pieces", "exchanged", "told", "others told"], right={1, 2, 3, 4})
    for langs in sorted({doc.langs for doc in docs}):
        words = Vocabulary(), Vocabulary()
        pieces = [piece for doc in docs if doc.langs == langs for piece in _pieces(_sides(doc))]
        turned = [k % 3 == 1 for k in range(len(pieces))]
        pairs = [
            SentencePair(*map(Text, piece[::-1] if turn else piece), vocabularies=words)
            for piece, turn in zip(pieces, turned, strict=True)
        ]
        found = [
            (side.src and side.tgt, side.src or side.tgt) for side in wrong_language_sides(pairs)
        ]
        right = sum(both for (both, _), turn in zip(found, turned, strict=True) if turn)
        wrong = sum(one for (_, one), turn in zip(found, turned, strict=True) if not turn)
        counts = map(str, (len(pieces), sum(turned), right, wrong))
        made.rows.append(["-".join(langs), *counts])
    return made


def _pieces(sides: _Sides) -> Iterator[_Sides]:
    src, tgt = sides
    count = max(1, len(src) // _PIECE)
    for k in range(count):
        begin, end = (round(at * len(tgt) / count) for at in (k, k + 1))
        yield src[k * _PIECE : (k + 1) * _PIECE], tgt[begin:end]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    lexical = [name for name, method in SENTENCE_METHODS.items() if not method.vectors]
    parser.add_argument("--methods", type=names, default=lexical)
    parser.add_argument("--report", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    folders = sorted(path.parent for path in options.data.glob("*/README.md"))
    docs = [doc for folder in folders for doc in documents(folder)]
    made = table(docs, options.methods), exchanged(docs)
    print(*(one.render("table") for one in made), sep="\n", end="")
    if options.report:
        told = _ABOUT.format(
            methods=",".join(options.methods), versions=made_today("numpy")
        )  # fmt: skip
        parts = [told, *(one.render("markdown") for one in made)]
        options.report.write_text("\n".join(parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
