"""Which texts `bitext align` tells of, as no translations or as exchanged: how many of which.

    python scripts/bench/alignment_doubts.py --data FOLDER [--methods NAME,...] [--report FILE]

FOLDER is as of `alignment_quality.py`; of each text at most 600 sentences are taken. True pairs are
the texts as they are, and worn: a third of the target's sentences left out, a fifth of all
neighbours joined, a fifth of all sentences divided, or only the first thirty, or five. Wrong pairs
are one half of a text with the other half of its translation, each text with the translations of
others of the same two languages, and 40 of texts of other languages, drawn at random. Each pair is
aligned by itself; what counts is whether `bitext align` writes a note. Apart stand pairs with at
least 50 sentences on both sides: of fewer than 40 beads next to nothing can be told.

A note on a true pair may be right, too: where nearly all beads are wrong, as of hard texts with a
third left out, sentences do fit hardly better than elsewhere.

Exchanged are pieces of 12 source sentences with as much of the target, every third of a text; what
counts is whether these are told, and no others. Texts of the same languages are one corpus.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from argparse import Namespace
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alignment_quality import Document, documents, names

from bitext import Text, __version__
from bitext.align.sentence_options import SENTENCE_METHODS
from bitext.align.sentence_pair import SentencePair
from bitext.align.sentences import align_sentences
from bitext.align.text_languages import misplaced_sides
from bitext.align.vocabulary import Vocabulary
from bitext.cli.align_oddities import oddities
from bitext.cli.align_texts import TextPair
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONGEST, _LONG = 600, 50  # sentences of a text
_OTHERS = 40  # pairs of texts of other languages
_PIECE = 12  # sentences

_ABOUT = """\
# Sentence alignment: which texts are told to be no translations, or exchanged

Made by `python scripts/bench/alignment_doubts.py --data FOLDER --methods {methods} --report FILE`,
whose docstring tells what is measured; Python {python}, bitext {bitext}, numpy {numpy}.
"""

_Sides = tuple[list[str], list[str]]


class Case(NamedTuple):
    """A pair of texts, and what it is."""

    kind: str
    sides: _Sides

    @property
    def long(self) -> bool:
        """Whether there are 50 sentences on both sides."""
        return min(map(len, self.sides)) >= _LONG


def worn(sides: _Sides, kind: str) -> _Sides:
    """Return a text and its translation with something missing, joined or divided."""
    rng = random.Random(1)  # noqa: S311 - no secret
    src, tgt = sides
    if kind.startswith("first"):
        some = int(kind.split()[1])
        return src[:some], tgt[: round(some * len(tgt) / len(src))]
    if kind == "a third left out":
        return src, [sentence for sentence in tgt if rng.random() > 1 / 3]
    change = _joined if kind == "a fifth joined" else _divided
    return change(src, rng), change(tgt, rng)


def _joined(sentences: list[str], rng: random.Random) -> list[str]:
    found = [sentences[0]]
    for sentence in sentences[1:]:
        if rng.random() < 1 / 5:
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found


def _divided(sentences: list[str], rng: random.Random) -> list[str]:
    found: list[str] = []
    for sentence in sentences:
        cuts = [
            k + 1 for k, c in enumerate(sentence) if c in " ,;，；、" and 8 < k < len(sentence) - 8
        ]
        cut = rng.choice(cuts) if cuts and rng.random() < 1 / 5 else len(sentence)
        found += [part for part in (sentence[:cut], sentence[cut:]) if part.strip()]
    return found


_WHOLE = "as they are"
WEARS = ("a third left out", "a fifth joined", "a fifth divided", "first 30", "first 5")


def cases(docs: Sequence[Document]) -> Iterator[Case]:
    """Yield pairs of texts, true and wrong ones."""
    texts = [_sides(doc) for doc in docs]
    for sides in texts:
        yield Case(_WHOLE, sides)
        for kind in WEARS:
            yield Case(kind, worn(sides, kind))
    for src, tgt in texts:
        half = len(src) // 2, len(tgt) // 2
        yield Case("halves of a text", (src[: half[0]], tgt[half[1] :]))
        yield Case("halves of a text", (src[half[0] :], tgt[: half[1]]))
    others = []
    for one, other in permutations(range(len(docs)), 2):
        sides = texts[one][0], texts[other][1]
        if docs[one].langs == docs[other].langs:
            yield Case("other texts", sides)
        elif docs[one].langs != docs[other].langs[::-1]:
            others.append(Case("other texts and languages", sides))
    yield from random.Random(1).sample(others, min(_OTHERS, len(others)))  # noqa: S311


def _sides(doc: Document) -> _Sides:
    if doc.gold.src is None or doc.gold.tgt is None:
        raise SystemExit(f"{doc.name}: has no texts")
    src, tgt = [*doc.gold.src.segments()], [*doc.gold.tgt.segments()]
    some = min(1.0, _LONGEST / len(src))
    return src[: round(some * len(src))], tgt[: round(some * len(tgt))]


def is_told(case: Case, method: str) -> tuple[bool, float, float]:
    """Return whether a note is written, and the seconds to align and to tell."""
    src, tgt = (Text(side, name="a text") for side in case.sides)
    begun = time.process_time()
    found = align_sentences(src, tgt, method=method)
    aligned = time.process_time()
    pair = TextPair("a text", src, tgt, (src, tgt), (None, None), {})
    options = Namespace(method=method, dictionary=(), vectors=None, encoder=None)
    told = list(oddities(pair, found, options))
    return bool(told), aligned - begun, time.process_time() - aligned


def table(docs: Sequence[Document], methods: Sequence[str]) -> Table:
    """Return how many pairs of each kind are told."""
    made = Table(["method", "pairs", "50 and more", "told", "fewer", "told", "share of time"],
                 right=set(range(2, 7)), quiet={0})  # fmt: skip
    every = list(cases(docs))
    for method in methods:
        rows: dict[str, list[float]] = {}
        for case in every:
            told, aligning, telling = is_told(case, method)
            row = rows.setdefault(case.kind, [0, 0, 0, 0, 0.0, 0.0])
            row[0 if case.long else 2] += 1
            row[1 if case.long else 3] += told
            row[4] += aligning
            row[5] += telling
        for kind, (many, met, few, also, aligning, telling) in rows.items():
            counts = [f"{count:.0f}" for count in (many, met, few, also)]
            made.rows.append([method, kind, *counts, f"{telling / (aligning + telling):.3f}"])
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
        found = [(side.src and side.tgt, side.src or side.tgt) for side in misplaced_sides(pairs)]
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
            methods=",".join(options.methods), python=platform.python_version(),
            bitext=__version__, numpy=version("numpy"),
        )  # fmt: skip
        parts = [told, *(one.render("markdown") for one in made)]
        options.report.write_text("\n".join(parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
