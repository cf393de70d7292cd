"""How well texts are aligned of which passages are left out, added or moved, or lines changed.

    python scripts/bench/alignment_passages.py --data FOLDER [--vectors FOLDER]
        [--methods lexical,poisson] [--sets NAME,...] [--cases 'src 100,tgt 100'] [--report FILE]

FOLDER and the options are as in `alignment_quality.py`, but all vectors have to be there. Each text
of 150 sentences or more is changed and aligned by itself; of long ones the first 1,500 sentences
are taken. The changes:

- `src 100`, `tgt 100`: so many sentences of one side are cut out, a third of the way into it;
- `both 100`: so many of the source at a quarter, and so many of the target at seven tenths;
- `foreign 100`: a passage of a text of another set is put into the middle of the target;
- `moved 100`: a passage of the target, at a fifth, is moved to its last fifth;
- `src first 33%`, `tgt mid 33%`, `tgt last 33%`: that share of the sentences of a side is cut out,
  at its beginning, middle or end; `thrice 10%`: three such passages of a side;
- `src only 20%`: a passage of that share is all that is left of a side, from six tenths of it on;
  `src some 20%`: so many of its sentences, from all over it, at random, those of a bead together;
- `numbered lines`: before each sentence stands its number, which each text counts by itself
  (vectors are those of the sentences without);
- `tagged lines`: each sentence stands in tags, of the target with a number of its own (vectors are
  those of the sentences without);
- `linked src`, `linked both`: one word of ten of the source, or of both sides, is in a link, each
  with another address (vectors are those of the sentences without);
- `escaped lines`: characters of the target beyond ASCII are references (`&#233;`; vectors are those
  of the sentences without);
- `spaced src`, `spaced both`: an empty line is after each sentence of the source, or of both;
- `numbered pages`: after some 30 sentences of the source, 34 of the target, stands `Page` and its
  number; not for methods that want vectors.

Passages begin and end where no bead of the gold standard is cut. Of those with a number of
sentences none that are more than four tenths of a text are tried. Figures are F1, micro over a set,
over the beads that have both sides: a wrong bead with a sentence of a passage in it lowers the
precision. No bead is right that has a sentence of a moved passage: an alignment in order can only
leave it alone on both sides.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import alignment_quality as quality
import numpy as np

from bitext import Alignment
from bitext.align.sentences import align_sentences
from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.model import Text
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Part = tuple[str, int, int]  # a text, and its sentences from one to another

_FEWEST = 150  # sentences of a text that is changed
_LONGEST = 1500  # of it that are taken
_SHARE = 0.4  # of a text that a passage may be
CASES = (
    "whole",
    *(f"{where} {size}" for where in ("src", "tgt", "both") for size in (20, 100, 300)),
    *("foreign 100", "moved 50", "moved 100"),
    *(f"{side} first {share}%" for side in ("src", "tgt") for share in (10, 33)),
    *(
        f"{side} {where} {share}%"
        for side in ("src", "tgt")
        for share in (33, 50)
        for where in ("mid", "last")
    ),
    *("src thrice 10%", "tgt thrice 10%"),
    *(f"{side} only {share}%" for side in ("src", "tgt") for share in (20, 5)),
    *(f"{side} some {share}%" for side in ("src", "tgt") for share in (50, 20)),
    *("numbered lines", "numbered pages", "tagged lines", "escaped lines"),
    *("linked src", "linked both", "spaced src", "spaced both"),
)
_EMPTY = -2  # in the place of an empty line
_FROM = 0.6  # of a side that only a passage is left of, where it begins
_LINKS = 0.1  # of the words are links
_PAGE = (30, 34)  # sentences of a page
_BEGINS = {"first": (0.0,), "mid": (0.5,), "last": (1.0,), "thrice": (0.15, 0.5, 0.9)}

_ABOUT = """\
# Sentence alignment: passages that are left out, added or moved, and lines that are changed

Made by `{command}`,
whose docstring tells what is measured; {versions}.

F1 over beads with both sides, micro over the texts of a set. `-`: the texts are too short.

"""


class Base(NamedTuple):
    """A text and its translation, with the points where they can be cut."""

    doc: quality.Document
    points: NDArray[np.int64]
    beads: set[tuple[tuple[int, ...], tuple[int, ...]]]

    @classmethod
    def of(cls, doc: quality.Document, *, longest: int = _LONGEST) -> Base:
        """Find the points (i, j) that no bead of the gold standard is on both sides of."""
        beads = [(bead.src, bead.tgt) for bead in doc.gold.alignment if bead.src and bead.tgt]
        beads.sort()
        ends = np.cumsum([(0, 0), *((len(a), len(b)) for a, b in beads)], axis=0)
        after = [(max(a) + 1, max(b) + 1) for a, b in beads]
        highest = np.maximum.accumulate(np.array([(0, 0), *after]), axis=0)
        lowest = np.array([*((min(a), min(b)) for a, b in beads), (1 << 40, 1 << 40)])
        lowest = np.minimum.accumulate(lowest[::-1], axis=0)[::-1]
        clean = (highest <= lowest).all(axis=1)
        points = highest[clean & (ends[:, 0] > 0) & (highest[:, 0] <= longest)]
        held = {(a, b) for a, b in beads if max(a) < points[-1, 0] and max(b) < points[-1, 1]}
        return cls(doc, np.concatenate([[(0, 0)], points]), held)

    def near(self, side: int, sentence: float) -> tuple[int, int]:
        """Return the point that is nearest to a sentence of a side."""
        row, column = self.points[np.argmin(np.abs(self.points[:, side] - sentence))]
        return int(row), int(column)

    @property
    def size(self) -> tuple[int, int]:
        """The sentences of both sides that are taken."""
        row, column = self.points[-1]
        return int(row), int(column)

    def passage(self, side: int, share: float, size: int) -> slice:
        """Return about so many sentences of a side, from a share of it on."""
        begin = self.near(side, share * self.size[side])[side]
        return slice(begin, self.near(side, begin + size)[side])


class Changed(NamedTuple):
    """The two texts of a case: from which text each sentence is, and which it is there.

    Attributes
    ----------
    sides : (array of int64, array of int64)
        The sentences of both sides, in the numbers of the whole texts; -1 for foreign ones, and
        for those that stand where they can not be aligned; -2 for empty lines.
    texts : (list of str, list of str)
    rows : (array of int64, array of int64)
        The rows of the vectors; those of foreign sentences are behind the others, and the last is
        that of empty lines.

    """

    sides: tuple[NDArray[np.int64], NDArray[np.int64]]
    texts: tuple[list[str], list[str]]
    rows: tuple[NDArray[np.int64], NDArray[np.int64]]


def changed(base: Base, case: str, foreign: Sequence[str]) -> Changed | None:
    """Return the two texts of a case; None where they are too short for it."""
    if case.endswith("%"):
        return shortened(base, case)
    if case == "tagged lines":
        return tagged(base)
    if case == "escaped lines":
        return escaped(base)
    if case.startswith("linked"):
        return linked(base, both=case.endswith("both"))
    if case.startswith("spaced"):
        return spaced(base, both=case.endswith("both"))
    if case.startswith("numbered"):
        return numbered(base, pages=case.endswith("pages"))
    where, _, given = case.partition(" ")
    size = int(given or 0)
    if size > _SHARE * min(base.size) * (0.75 if where in {"both", "moved"} else 1.0):
        return None
    src, tgt = (np.arange(number) for number in base.size)
    rows = [src, tgt]
    whole = [list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text]
    whole[1] += foreign[:size] if where == "foreign" else []
    cuts = {"src": {0: 1 / 3}, "tgt": {1: 1 / 3}, "both": {0: 0.25, 1: 0.7}}.get(where, {})
    for side, share in cuts.items():
        rows[side] = np.delete(rows[side], base.passage(side, share, size))
    sides = list(rows)
    if where == "foreign":
        at = base.near(1, len(tgt) / 2)[1]
        sides[1] = np.insert(tgt, at, np.full(size, -1))
        rows[1] = np.insert(tgt, at, np.arange(len(whole[1]) - size, len(whole[1])))
    elif where == "moved":
        part = base.passage(1, 0.2, size)
        rest = np.delete(tgt, part)
        at = int(np.searchsorted(rest, base.near(1, 0.8 * len(tgt))[1]))
        rows[1] = np.insert(rest, at, tgt[part])
        sides[1] = np.insert(rest, at, np.full(part.stop - part.start, -1))
    return _changed(sides, whole, rows)


def shortened(base: Base, case: str) -> Changed:
    """Return the two texts of a case in which a share of one side is cut out."""
    name, where, given = case.split()
    side, share = ("src", "tgt").index(name), float(given[:-1]) / 100
    rows = [np.arange(number) for number in base.size]
    size = round(share * base.size[side])
    whole = [list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text]
    if where in {"only", "some"}:
        rows[side] = _excerpt(base, side, share, together=where == "only")
        return _changed(rows, whole, rows)
    # The share of what is left that stands before the passage.
    parts = [base.passage(side, at * (1 - share), size) for at in _BEGINS[where]]
    rows[side] = np.delete(rows[side], np.concatenate([np.arange(p.start, p.stop) for p in parts]))
    return _changed(rows, whole, rows)


def _excerpt(base: Base, side: int, share: float, *, together: bool) -> NDArray[np.int64]:
    """Return the sentences of a side that are left of it: a passage, or some from all over it."""
    if together:
        part = base.passage(side, _FROM, round(share * base.size[side]))
        return np.arange(part.start, part.stop)
    kept = np.random.default_rng(1).random(len(base.points) - 1) < share
    return np.flatnonzero(np.repeat(kept, np.diff(base.points[:, side])))


def tagged(base: Base) -> Changed:
    """Return the two texts with their sentences in tags."""
    src, tgt = (list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text)
    src = [f"<p>{one}</p>" for one in src]
    tgt = [f'<s id="s{k}">{one}</s>' for k, one in enumerate(tgt, 1)]
    rows = [np.arange(number) for number in base.size]
    return _changed(rows, [src, tgt], rows)


def linked(base: Base, *, both: bool) -> Changed:
    """Return the two texts with some words of the source, or of both, in links."""
    whole = [list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text]
    chance = np.random.default_rng(1)

    def link(word: re.Match[str]) -> str:
        if chance.random() > _LINKS:
            return word[0]
        return f'<a href="http://www.example.org/page/{chance.integers(1000)}">{word[0]}</a>'

    for side in (0, 1) if both else (0,):
        whole[side] = [re.sub(r"\w+", link, one) for one in whole[side]]
    rows = [np.arange(number) for number in base.size]
    return _changed(rows, whole, rows)


def escaped(base: Base) -> Changed:
    """Return the two texts with references for the characters of the target beyond ASCII."""
    src, tgt = (list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text)
    tgt = [one.encode("ascii", "xmlcharrefreplace").decode() for one in tgt]
    rows = [np.arange(number) for number in base.size]
    return _changed(rows, [src, tgt], rows)


def numbered(base: Base, *, pages: bool) -> Changed:
    """Return the two texts with numbers of their own, of lines or of pages."""
    whole = [list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text]
    rows = [np.arange(number) for number in base.size]
    if not pages:
        lines = [[f"{k}. {one}" for k, one in enumerate(side, 1)] for side in whole]
        return _changed(rows, lines, rows)
    sides = list(rows)
    for side, every in enumerate(_PAGE):
        number = np.arange(1, base.size[side] // every + 1)
        places = [base.near(side, k)[side] for k in (every * number).tolist()]
        sides[side] = np.insert(rows[side], places, -1)
        rows[side] = np.insert(rows[side], places, len(whole[side]) + number - 1)
        whole[side] += [f"Page {k}" for k in number.tolist()]
    return _changed(sides, whole, rows)


def spaced(base: Base, *, both: bool) -> Changed:
    """Return the two texts with an empty line after each sentence of the source, or of both."""
    whole = [list(text.segments()) for text in (base.doc.gold.src, base.doc.gold.tgt) if text]
    rows = [np.arange(number) for number in base.size]
    sides = list(rows)
    for side in (0, 1) if both else (0,):
        places = np.arange(1, base.size[side] + 1)
        sides[side] = np.insert(rows[side], places, _EMPTY)
        rows[side] = np.insert(rows[side], places, -1)
        whole[side].append("")
    return _changed(sides, whole, rows)


def _changed(
    sides: list[NDArray[np.int64]], whole: list[list[str]], rows: list[NDArray[np.int64]]
) -> Changed:
    texts = [[held[k] for k in own.tolist()] for held, own in zip(whole, rows, strict=True)]
    return Changed((sides[0], sides[1]), (texts[0], texts[1]), (rows[0], rows[1]))


def right_of(base: Base, made: Changed, found: Alignment) -> tuple[int, int, int]:
    """Return how many beads with both sides are right, how many were found, and are expected."""
    found, (src, tgt) = _without_empty(found, made.sides)
    if base.doc.verses is not None:
        held = [
            [verses[k] if k >= 0 else f"foreign {n}" for n, k in enumerate(side.tolist())]
            for verses, side in zip(base.doc.verses, (src, tgt), strict=True)
        ]
        found = quality.merged(found, (held[0], held[1]))
    beads = [
        (tuple(src[list(bead.src)].tolist()), tuple(tgt[list(bead.tgt)].tolist()))
        for bead in found
        if bead.src and bead.tgt
    ]
    here = set(src.tolist()), set(tgt.tolist())
    left = {
        (tuple(k for k in a if k in here[0]), tuple(k for k in b if k in here[1]))
        for a, b in base.beads
    }
    expected = {(a, b) for a, b in left if a and b}
    return len(expected & set(beads)), len(beads), len(expected)


def _without_empty(
    found: Alignment, sides: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> tuple[Alignment, list[NDArray[np.int64]]]:
    """Return an alignment, and the sentences of both sides, without empty lines."""
    number = [np.cumsum(side != _EMPTY) - 1 for side in sides]
    beads = (
        [
            [int(of[k]) for k in members if side[k] != _EMPTY]
            for members, side, of in zip(bead, sides, number, strict=True)
        ]
        for bead in found
    )
    rest = [(src, tgt) for src, tgt in beads if src or tgt]
    return Alignment(rest), [side[side != _EMPTY] for side in sides]


class Bench:
    """Runs cases over the sets of a folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        folders = sorted(path for path in options.data.iterdir() if (path / "README.md").exists())
        self._sets = {
            folder.name: [Base.of(doc) for doc in quality.documents(folder)] for folder in folders
        }
        self._quality = quality.Bench(options)

    def sets(self) -> Iterator[tuple[str, list[Base], Base]]:
        """Yield each set with its longer texts, and a text of another set."""
        names = list(self._sets)
        for at, name in enumerate(names):
            bases = [base for base in self._sets[name] if min(base.size) >= _FEWEST]
            others = self._sets[names[at - 1]]
            if bases and (not self._options.sets or name in self._options.sets):
                yield name, bases, max(others, key=lambda base: base.size[1])

    def f1(self, bases: Sequence[Base], other: Base, method: str, case: str) -> float | None:
        """Return F1 of a method in a case, micro over texts; None if all are too short."""
        right, found, expected = 0, 0, 0
        if case == "numbered pages" and SENTENCE_METHODS[method].vectors:
            return None  # a number of a page has none
        for base in bases:
            foreign = list(other.doc.gold.tgt.segments()) if other.doc.gold.tgt else []
            made = changed(base, case, foreign)
            if made is None:
                continue
            texts = Text(made.texts[0], name="src"), Text(made.texts[1], name="tgt")
            given: dict[str, Any] = {}
            if SENTENCE_METHODS[method].vectors:
                given["vectors"] = self._vectors(base, other, made, texts)
            counts = right_of(base, made, align_sentences(*texts, method=method, **given))
            right, found, expected = (
                old + new for old, new in zip((right, found, expected), counts, strict=True)
            )
        return 2 * right / (found + expected) if found + expected else None

    def _vectors(self, base: Base, other: Base, made: Changed, texts: tuple[Text, Text]) -> Any:
        from bitext.align.sentences.vectors import vectors_of

        folder = self._options.vectors
        held = []
        for side, text in enumerate(texts):
            arrays = [
                np.load(folder / one.doc.set_name / f"{one.doc.name}.{one.doc.langs[at]}.npy")
                for one, at in ((base, side), (other, 1))
            ]
            arrays.append(np.zeros_like(arrays[0][:1]))
            held.append(vectors_of(text, np.concatenate(arrays)[made.rows[side]]))
        return held[0], held[1]


def tables(options: argparse.Namespace) -> Iterator[tuple[str, Table]]:
    """Yield the figures of each method."""
    bench = Bench(options)
    for method in options.methods:
        if SENTENCE_METHODS[method].vectors and options.vectors is None:
            continue
        columns: list[list[str]] = []
        begun = time.process_time()
        for name, bases, other in bench.sets():
            found = [bench.f1(bases, other, method, case) for case in options.cases]
            columns.append([name, *("-" if f1 is None else number(f1) for f1 in found)])
            quality.told([method, *columns[-1]])
        quality.told([method, f"{time.process_time() - begun:.1f} s"])
        made = Table(
            ["case", *(column[0] for column in columns)], right=set(range(1, 20)), quiet={0}
        )
        for at, case in enumerate(options.cases):
            made.rows.append([case, *(column[at + 1] for column in columns)])
        yield method, made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    quality.add_options(parser)
    parser.add_argument("--cases", type=quality.names, default=[*CASES])
    options = parser.parse_args(arguments)
    quality.report_by_method(__file__, _ABOUT, tables(options), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
