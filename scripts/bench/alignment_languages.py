"""How well sentences are aligned in some thirty languages.

    python scripts/bench/alignment_languages.py [--cache FOLDER] [--cases WORD,...]
        [--methods lexical,...] [--variants thinned,...] [--most N] [--encoder NAME] [--report FILE]

Texts are documentation that was translated paragraph by paragraph (`language_texts.py`), fetched
from the Debian archive and the package index into the folder of caches: books, help pages, and
the messages of a program, which are short; and the verses of the Quran from the npm registry. Each
paragraph or verse is cut into sentences in both languages; aligners are given the sentences without
any mark of paragraphs. Beads within a paragraph are merged before they are scored, as
`alignment_quality.py` does it for the verses of the Bible, so a bead is right when it has the whole
paragraph on both sides. F is that of alignments.

Every text is aligned as it is; thinned: without a tenth of its paragraphs on each side, at random;
cut: without 100 sentences in a row on one side; and swapped. Pairs with English and without are
measured. Of each text some 1,600 sentences are taken, or as many as --most says. The peer is the
package `galechurch` (`peers.txt`), which does what nltk does, in Rust.
With an encoder the texts as they are, are aligned with vectors, too, where --embedded names them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from alignment_quality import Bench, names, scored, told
from environments import environment, versions
from harness import Party
from language_cases import CASES, HELD_OUT, MOST, VARIANTS, Case, case_of, document, name_of
from results import made_today

from bitext import Alignment
from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.errors import BitextError
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from alignment_quality import Document

LENGTHS = ("length-characters", "length-words", "poisson")
METHODS = (*LENGTHS, "lexical")
PEER = "galechurch"
EMBEDDED = "handbook en-ar,handbook en-ja,handbook ja-de,gnome en-ta,gnome mr-ta,django en-th"
CALLS = Path(__file__).with_name("sentences_calls.py")
CACHE = Path.home() / ".cache" / "bitext-bench"

_ABOUT = """\
# Sentence alignment in many languages

Made by `{command}`, whose docstring tells
what is measured; {versions}.

F1 at alignment level, beads merged within a paragraph or verse; every method has its defaults. What
these texts showed was mended for scripts and texts in general: how words are cut, how much is
believed that was met once, and where to start from if one text is cut more finely. Those with a
star were not looked at before that; but how far words of two scripts that sound alike are believed
was fitted on 24 of these texts, most of those with a star among them. *Less lengths* is lexical
minus the best of our three methods of lengths. Seconds are of one core, for lexical.
`{peer}` is a peer. A dash: not measured.

"""


class Found(NamedTuple):
    """What a method reached: F1 of alignments, F1 strict and lax, CPU seconds."""

    f1: float
    strict: float
    lax: float
    seconds: float


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """Yield the cases that are asked for."""
    for held in (CASES, HELD_OUT):
        for collection, pairs in held.items():
            for pair in pairs.split(", "):
                src, tgt = pair.split()
                name = name_of(collection, (src, tgt)) + "*" * (held is HELD_OUT)
                if not options.cases or any(word in name for word in options.cases):
                    yield case_of(
                        collection, (src, tgt), options.cache, most=options.most
                    )._replace(name=name)


class Peer:
    """Aligns by the peer, in an environment of its own."""

    def __init__(self, cache: Path) -> None:
        self._party = Party(CALLS, environment("sentences", cache) / "python")

    def aligned(self, case: Case) -> Alignment:
        """Return its alignment of a case."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "languages.json"
            path.write_text(json.dumps([case.src, case.tgt]), encoding="utf-8")
            self._party.call("prepare", str(path), PEER)
        beads = self._party.call("align", "").value
        return Alignment([(tuple(src), tuple(tgt)) for src, tgt in beads])


class Measured:
    """Measures cases, and holds what was found by case, variant and method."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        bench = {"vectors": options.cache / "vectors", "dictionaries": None}
        self._bench = Bench(argparse.Namespace(encoder=options.encoder, **bench))
        self._peer = Peer(options.cache) if PEER in options.methods else None
        self.found: dict[tuple[str, str, str], Found] = {}

    def measure(self, case: Case, variant: str) -> None:
        """Align a variant of a case by all methods."""
        varied = VARIANTS[variant](case)
        doc = document(varied)
        for method in self._options.methods:
            if method == PEER and self._peer is not None:
                found = self.scored(doc, [self._peer.aligned(varied)], 0.0)
            else:
                begun = time.process_time()
                alignments = self._bench.aligned([doc], method)
                found = self.scored(doc, alignments, time.process_time() - begun)
            self.found[case.name, variant, method] = found
        if self._options.encoder and variant == "as it is" and case.name in self._options.embedded:
            found = self.scored(doc, self._bench.aligned([doc], "embedding"), 0.0)
            self.found[case.name, variant, "embedding"] = found

    def scored(self, doc: Document, alignments: list[Alignment], seconds: float) -> Found:
        """Score the alignments of a document."""
        totals = scored([doc], alignments)
        f1, strict, lax = (totals[name].f1 for name in ("alignment", "strict", "lax"))
        return Found(f1, strict, lax, seconds)

    def less(self, name: str, variant: str) -> float | None:
        """Return lexical minus the best of lengths; None where one of them was not measured."""
        held = [self.found.get((name, variant, method)) for method in METHODS]
        values = [one.f1 for one in held if one is not None]
        if len(values) < len(held):
            return None
        return values[-1] - max(values[:-1])

    def row(self, case: Case, variant: str) -> list[str]:
        """Return what was found of a variant, as cells."""

        def cell(method: str, measure: str = "f1") -> str:
            found = self.found.get((case.name, variant, method))
            return "-" if found is None else number(getattr(found, measure))

        lexical, less = (
            self.found.get((case.name, variant, "lexical")),
            self.less(case.name, variant),
        )
        return [
            case.name,
            *(cell(method) for method in (PEER, *METHODS)),
            *(cell("lexical", measure) for measure in ("strict", "lax")),
            "-" if less is None else f"{less:+.4f}",
            "-" if lexical is None else f"{lexical.seconds:.1f}",
        ]


HEAD = ["texts", PEER, *METHODS, "strict", "lax", "less lengths", "s"]


def report(measured: Measured, held: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """Yield the parts of the report."""
    texts = Table(
        ["texts", "sentences", "", "paragraphs", "chapters differing", "same"], right={1, 2}
    )
    for case in held:
        sizes = [str(len(case.src)), str(len(case.tgt))]
        texts.rows.append([case.name, *sizes, *case.about.split("; ")])
    for variant in options.variants:
        made = Table(HEAD, right=set(range(1, len(HEAD))))
        made.rows += [measured.row(case, variant) for case in held]
        for name, some in _kinds(held):
            means = [_mean(measured, some, variant, method) for method in (PEER, *METHODS)]
            made.rows.append([f"mean of {name}", *means, *["-"] * 4])
        yield f"## {variant.capitalize()}\n\n{made.render('markdown')}"
    embedded = [key for key in measured.found if key[2] == "embedding"]
    if embedded:
        made = Table(["texts", "lexical", "embedding"], right={1, 2})
        for name, variant, _ in embedded:
            both = [measured.found[name, variant, method] for method in ("lexical", "embedding")]
            made.rows.append([name, *(number(one.f1) for one in both)])
        yield f"## With vectors, as it is\n\n{made.render('markdown')}"
    yield (
        "## Texts\n\nParagraphs taken of those there are; chapters that were left out as their "
        "structure differs, of all; paragraphs that were left out as they are the same in two "
        f"languages.\n\n{texts.render('markdown')}"
    )
    told = [(measured.less(case.name, v), case.name, v) for case in held for v in options.variants]
    if less := [(one, name, v) for one, name, v in told if one is not None]:
        worst = min(less)
        yield f"Worst of lexical minus best of lengths: {worst[0]:+.4f} ({worst[1]}, {worst[2]})\n"


def _kinds(held: Sequence[Case]) -> list[tuple[str, list[Case]]]:
    """Return the cases of documentation and those of verses, those that there are."""
    verses = [case for case in held if case.name.startswith("verses ")]
    others = [case for case in held if case not in verses]
    return [(name, some) for name, some in (("documentation", others), ("verses", verses)) if some]


def _mean(measured: Measured, held: Sequence[Case], variant: str, method: str) -> str:
    values = [measured.found.get((case.name, variant, method)) for case in held]
    known = [value.f1 for value in values if value is not None]
    return number(sum(known) / len(known)) if known else "-"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--cache", type=Path, default=CACHE, metavar="FOLDER")
    made.add_argument("--cases", type=names, default=[], metavar="WORD,...")
    made.add_argument("--methods", type=names, default=[PEER, *METHODS], metavar="NAME,...")
    made.add_argument("--variants", type=names, default=[*VARIANTS], metavar="NAME,...")
    made.add_argument("--most", type=int, default=MOST, metavar="N")
    made.add_argument("--encoder", metavar="NAME")
    made.add_argument("--embedded", type=names, default=names(EMBEDDED), metavar="TEXTS,...")
    made.add_argument("--report", type=Path, metavar="FILE")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parsed = parser()
    options = parsed.parse_args(arguments)
    for name, known in (("methods", {PEER, *SENTENCE_METHODS}), ("variants", {*VARIANTS})):
        wrong = [each for each in getattr(options, name) if each not in known]
        if wrong:
            parsed.error(f"--{name}: there is no {wrong[0]!r}; want some of {sorted(known)}")
    options.cache.mkdir(parents=True, exist_ok=True)
    try:
        held = list(cases(options))
    except BitextError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if not held:
        parsed.error("--cases: no text has such a name")
    measured = Measured(options)
    for case in held:
        for variant in options.variants:
            measured.measure(case, variant)
            told([variant, *measured.row(case, variant)])
    parts = "\n".join(report(measured, held, options))
    print(parts, end="")
    if options.report:
        shown = f" --encoder {options.encoder}" if options.encoder else ""
        shown += f" --cases '{','.join(options.cases)}'" if options.cases else ""
        shown += f" --methods {','.join(options.methods)}" if len(options.methods) == 1 else ""
        shown += f" --most {options.most}" if options.most != MOST else ""
        about = _ABOUT.format(
            command=f"python scripts/bench/alignment_languages.py{shown} --report FILE",
            versions=_versions(options),
            peer=PEER,
        )
        options.report.write_text(about + parts, encoding="utf-8")
    return 0


def _versions(options: argparse.Namespace) -> str:
    held = [made_today("numpy", *filter(None, [options.encoder]))]
    if PEER in options.methods:
        held.append(versions("sentences", options.cache))
    return ", ".join(held)


if __name__ == "__main__":
    sys.exit(main())
