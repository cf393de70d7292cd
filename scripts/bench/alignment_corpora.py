"""How well the texts of a corpus are aligned of which some are not like the others.

    python scripts/bench/alignment_corpora.py --data FOLDER [--methods lexical,...]
        [--sets NAME,...] [--report FILE]

FOLDER is as of `alignment_quality.py`. Texts are cut into parts of 100 beads, 40 parts of a set at
most, which are the texts of a corpus. Every fourth one is changed on one side, which is the source
in one corpus and the target in another; both count:

- *some*, *many*: a quarter of the beads, or half of them, lose their sentences, at random;
- *excerpt*: all lose them but a fifth in one piece;
- *coarse*: the sentences of one to six beads in a row are joined into one (not where beads are
  scored by verses).

Figures are F1 over beads with both sides, micro over the texts that are as they were, and over
those that were changed, aligned in three ways:

- *together*: as one corpus, as `bitext align` does with folders;
- *jobs*: one by one, with what all texts taught, aligned in groups of 2,500 sentences, as
  `bitext align --journal` does;
- *alone*: each text by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from typing import TYPE_CHECKING, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import alignment_quality as quality

from bitext import Alignment
from bitext.align.sentences import align_corpus, align_sentences, alignment_of
from bitext.align.sentences.corpus import (
    CorpusStatistics,
    CorpusWords,
    pretrained_aligner,
    taught_aligner,
    taught_path,
    teacher_of,
    text_statistics,
)
from bitext.align.sentences.knowledge import (
    LexiconIndex,
)
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.options import SentenceOptions, named
from bitext.align.sentences.texts import SentencePair
from bitext.model import Text
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_BEADS, _PARTS = 100, 40  # beads of a part, and parts of a set
_EVERY = 4  # parts of which one is changed
_TOGETHER = 2_500  # sentences that jobs align together to learn from
_JOINED = 6  # beads whose sentences are joined, at most
SHARES = {"some": 0.25, "many": 0.5}  # of its beads that lose a side
CASES = (*SHARES, "excerpt", "coarse")

Bead = tuple[tuple[int, ...], tuple[int, ...]]

_ABOUT = """\
# Sentence alignment: corpora of which some texts are not like the others

Made by `{command}`,
whose docstring tells what is measured; {versions}.

"""


class Part(NamedTuple):
    """A part of a text with its translation and its beads; verses where beads are merged."""

    src: list[str]
    tgt: list[str]
    beads: set[Bead]
    verses: tuple[list[str], list[str]] | None
    changed: bool = False

    @property
    def texts(self) -> tuple[Text, Text]:
        """Both sides."""
        return Text(self.src), Text(self.tgt)


def parts_of(doc: quality.Document) -> Iterator[list[Bead]]:
    """Yield the beads of each part of a text."""
    beads = [(bead.src, bead.tgt) for bead in doc.gold.alignment]
    for k in range(0, len(beads) - _BEADS // 2, _BEADS):
        yield beads[k : k + _BEADS]


def cut(doc: quality.Document, beads: list[Bead], gone: set[int], side: int) -> Part:
    """Return a part of a text without one side of some of its beads."""
    whole = [list(text.segments()) for text in (doc.gold.src, doc.gold.tgt) if text]
    held: list[list[int]] = [[], []]
    expected: set[Bead] = set()
    for k, bead in enumerate(beads):
        kept = [() if k in gone and at == side else members for at, members in enumerate(bead)]
        new = [
            tuple(range(len(of), len(of) + len(members)))
            for of, members in zip(held, kept, strict=True)
        ]
        for of, members in zip(held, kept, strict=True):
            of.extend(members)
        if new[0] and new[1]:
            expected.add((new[0], new[1]))
    src, tgt = ([text[k] for k in rows] for text, rows in zip(whole, held, strict=True))
    verses = None
    if doc.verses is not None:
        names = [[of[k] for k in rows] for of, rows in zip(doc.verses, held, strict=True)]
        verses = names[0], names[1]
    return Part(src, tgt, expected, verses, bool(gone))


def joined(doc: quality.Document, beads: list[Bead], side: int, chance: random.Random) -> Part:
    """Return a part of a text with sentences of one side joined."""
    runs, begin = [], 0
    while begin < len(beads):
        runs.append(beads[begin : begin + chance.randint(1, _JOINED)])
        begin += len(runs[-1])
    whole = [list(text.segments()) for text in (doc.gold.src, doc.gold.tgt) if text]
    sides: list[list[str]] = [[], []]
    expected: set[Bead] = set()
    for run in runs:
        ends = []
        for at, held in enumerate(sides):
            new = [whole[at][k] for bead in run for k in bead[at]]
            new = [" ".join(new)] if new and at == side else new
            ends.append(tuple(range(len(held), len(held) + len(new))))
            held += new
        if all(ends):
            expected.add((ends[0], ends[1]))
    return Part(sides[0], sides[1], expected, None, changed=True)


def lost(case: str, beads: int, chance: random.Random) -> set[int]:
    """Return which of so many beads lose a side."""
    if case in SHARES:
        return {n for n in range(beads) if chance.random() < SHARES[case]}
    size = beads // 5
    begin = chance.randrange(beads - size + 1)
    return set(range(beads)) - set(range(begin, begin + size))


def corpora(docs: Sequence[quality.Document], case: str) -> Iterator[list[Part]]:
    """Yield the corpora of some texts: of each pair of languages, changed on each side."""
    for langs in sorted({doc.langs for doc in docs}):
        beads = [(doc, part) for doc in docs if doc.langs == langs for part in parts_of(doc)]
        for side in (0, 1):
            chance = random.Random(side)  # noqa: S311 - no secret
            made = []
            for k, (doc, part) in enumerate(beads[:_PARTS]):
                if k % _EVERY != 1:
                    made.append(cut(doc, part, set(), side))
                elif case == "coarse":
                    made.append(joined(doc, part, side, chance))
                else:
                    made.append(cut(doc, part, lost(case, len(part), chance), side))
            yield made


def together(parts: Sequence[Part], method: str) -> list[Alignment]:
    """Align the texts of a corpus as one call does."""
    return align_corpus([part.texts for part in parts], method=method)


def by_jobs(parts: Sequence[Part], method: str) -> list[Alignment]:
    """Align each text with what all of them taught."""
    learner = CorpusStatistics(method, named(method), SentenceOptions())
    for group in _groups(parts):
        texts = [part.texts for part in group]
        pairs = SentencePair.several(texts, vocabularies=(Vocabulary(), Vocabulary()))
        teacher = teacher_of(pairs, named(method), SentenceOptions().for_texts(texts))
        teacher.run()
        learner.add(json.loads(json.dumps(text_statistics(teacher))))
    known = learner.learned()
    index = LexiconIndex(known.lexicon)
    words = CorpusWords(known, index) if CorpusWords.suffice(known) else None
    found = []
    for part in parts:
        pair, own = SentencePair(*part.texts), SentenceOptions().for_texts([part.texts])
        path = taught_path(pair, named(method), own, known)
        if path is None or words is None:
            aligner = pretrained_aligner(pair, named(method), own, known=known, lexicon=index)
        else:
            aligner = taught_aligner(pair, path, named(method), own, known=known, words=words)
        aligner.run()
        found.append(alignment_of(aligner, 0))
    return found


def _groups(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield the texts that are aligned together to learn from."""
    group: list[Part] = []
    for part in parts:
        group.append(part)
        if sum(len(one.src) for one in group) >= _TOGETHER:
            yield group
            group = []
    if group:
        yield group


def alone(parts: Sequence[Part], method: str) -> list[Alignment]:
    """Align each text by itself."""
    return [align_sentences(*part.texts, method=method) for part in parts]


WAYS: dict[str, Callable[[Sequence[Part], str], list[Alignment]]] = {
    "together": together,
    "jobs": by_jobs,
    "alone": alone,
}


def right_of(part: Part, found: Alignment) -> tuple[int, int]:
    """Return twice how many beads with both sides are right, and how many there are in all."""
    sides = [(bead.src, bead.tgt) for bead in found if bead.src and bead.tgt]
    expected = part.beads
    if part.verses is not None:
        merged = quality.merged(found, part.verses)
        sides = [(bead.src, bead.tgt) for bead in merged if bead.src and bead.tgt]
        gold = quality.merged(Alignment(sorted(expected)), part.verses)
        expected = {(bead.src, bead.tgt) for bead in gold}
    return 2 * len(expected & set(sides)), len(expected) + len(sides)


def row(docs: Sequence[quality.Document], method: str, case: str) -> list[str]:
    """Return how many texts there are, and F1 of those as they were and of the others, each way."""
    made = list(corpora(docs, case))
    cells = [str(sum(map(len, made)))]
    for way in WAYS.values():
        totals = {False: [0, 0], True: [0, 0]}
        for parts in made:
            for part, found in zip(parts, way(parts, method), strict=True):
                for at, count in enumerate(right_of(part, found)):
                    totals[part.changed][at] += count
        cells += [number(right / max(count, 1)) for right, count in totals.values()]
    return cells


def tables(options: argparse.Namespace) -> Iterator[tuple[str, Table]]:
    """Yield the figures of each method."""
    columns = [f"{way}: {of}" for way in WAYS for of in ("others", "changed")]
    for method in options.methods:
        made = Table(["set", "case", "texts", *columns], right=set(range(2, 9)), quiet={0})
        for folder in sorted(path for path in options.data.iterdir() if path.is_dir()):
            if options.sets and folder.name not in options.sets:
                continue
            docs = list(quality.documents(folder))
            if sum(len(list(parts_of(doc))) for doc in docs) < _EVERY:
                continue
            for case in CASES[: -1 if docs[0].verses else None]:
                made.rows.append([folder.name, case, *row(docs, method, case)])
                quality.told([method, *made.rows[-1]])
        yield method, made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    quality.add_options(parser)
    parser.set_defaults(methods=["lexical", "length-characters"])
    options = parser.parse_args(arguments)
    quality.report_by_method(__file__, _ABOUT, tables(options), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
