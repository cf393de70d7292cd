"""Cases in which `alignment_constants.py` measures the constants of the sentence aligner."""

from __future__ import annotations

import argparse
import pickle
from statistics import fmean
from typing import TYPE_CHECKING

import alignment_borders as borders
import alignment_corpora as corpora
import alignment_doubts as doubts
import alignment_passages as passages
import alignment_quality as quality
import numpy as np
from worn_texts import f1_of

from bitext import Alignment, Text
from bitext.align.sentences import align_sentences
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import TextPair
from bitext.cli.align.warnings import PARTIAL, input_warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Result = tuple[float, int]  # the figure of a case, and a hash of the beads or notes behind it

_LONG = 3_000  # sentences of a text: a table of 9 million points and more


class Cases:
    """Runs cases over the sets of a folder.

    Parameters
    ----------
    data : path
    vectors : path or None
    cases : sequence of str
        Each is METHOD/SET/KIND.
    cache : path
        A folder for alignments that are computed once.

    """

    def __init__(
        self, data: Path, vectors: Path | None, cases: Sequence[str], *, cache: Path
    ) -> None:
        given = argparse.Namespace(
            data=data, vectors=vectors, dictionaries=None, encoder=None, sets=[]
        )
        self._quality = quality.Bench(given)
        self._passages = passages.Bench(given)
        self._bases = {name: (bases, other) for name, bases, other in self._passages.sets()}
        folders = sorted(path.parent for path in data.glob("*/README.md"))
        self._docs = {folder.name: list(quality.documents(folder)) for folder in folders}
        self._docs["all"] = [doc for docs in self._docs.values() for doc in docs]
        self._cache = cache
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
        return (scores["alignment"].f1, _digest(found))

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
        return (2 * counts[0] / max(counts[1] + counts[2], 1), _digest(found))

    def _borders(self, method: str, name: str, case: str) -> Result:
        counts, found = np.zeros(3), []
        for base, made, alignment in borders.aligned(self._bases[name][0], method, case):
            found.append(alignment)
            counts += passages.right_of(base, made, alignment)
        return (2 * counts[0] / max(counts[1] + counts[2], 1), _digest(found))

    def _corpus(self, method: str, name: str, way: str, case: str) -> Result:
        right, count, found = 0, 0, []
        for parts in corpora.corpora(self._docs[name], case):
            alignments = corpora.WAYS[way](parts, method)
            found += alignments
            for part, alignment in zip(parts, alignments, strict=True):
                good, every = corpora.right_of(part, alignment)
                right, count = right + good, count + every
        return (right / max(count, 1), _digest(found))

    def _doubts(self, method: str, name: str) -> Result:
        pairs = list(doubts.cases(self._docs[name]))
        path = self._cache / f"{method}-{name}"
        if not path.exists():
            texts = [[Text(side, name="a text") for side in pair.sides] for pair in pairs]
            aligned = [align_sentences(src, tgt, method=method) for src, tgt in texts]
            path.write_bytes(pickle.dumps([[(b.src, b.tgt) for b in one] for one in aligned]))
        beads = pickle.loads(path.read_bytes())  # noqa: S301 - written above
        notes, right = [], []
        for case, found in zip(pairs, map(Alignment, beads), strict=True):
            wanted = case.doc is None
            if case.doc is not None:
                wanted = f1_of(case.doc, case.text, found) < doubts.BADLY
            src, tgt = (Text(side, name="a text") for side in case.sides)
            pair = TextPair("a text", src, tgt, (src, tgt), (None, None), {})
            given = input_warnings(pair, found, AlignRequest(method=method))
            notes.append(any(kind not in PARTIAL for kind, _ in given))
            right.append(notes[-1] == wanted)
        return (fmean(right), hash(tuple(notes)))

    def _exchanged(self, name: str) -> Result:
        rows = [[int(cell) for cell in row[1:]] for row in doubts.exchanged(self._docs[name]).rows]
        pieces, turned, right, wrong = (sum(column) for column in zip(*rows, strict=True))
        return ((pieces - turned + right - wrong) / pieces, hash((right, wrong)))


def _digest(found: Sequence[Alignment]) -> int:
    return hash(tuple((bead.src, bead.tgt) for alignment in found for bead in alignment))
