"""Read, clean, deduplicate, split and describe a corpus of a million lines, beside OpusFilter.

    scripts/bench/million_lines.py make GOLD OUT.tsv [LINES]   write the corpus
    scripts/bench/million_lines.py run OUT.tsv OPUSFILTER      both tools by turns

GOLD is a folder of gold standards of alignment with German and French, OPUSFILTER the program of
that name. Lines are aligned sentences, most of whose words are drawn anew from the texts: one line
in four has a fault, one in twenty is a copy of an earlier line, and one in ten a copy with one word
of nine changed or lost.
"""

from __future__ import annotations

import random
from pathlib import Path

from cleaning import KINDS, faulty

from bitext.formats.reading import opened

FAULTY, COPIED, CHANGED = 0.25, 0.05, 0.1  # shares of lines
REMEMBERED = 50_000  # lines that may be copied
KEPT = 0.25  # share of the words of a sentence that stay
COMPOUND = 0.08  # share of words that are put together of two: types grow with the corpus


def sentences(gold: Path) -> list[tuple[list[str], list[str]]]:
    """Return the words of the aligned sentences, one to one, of German and French."""
    names = {side: str(gold / f"text+berg/dev.{side}") for side in ("de", "fr", "align")}
    with opened(names["align"], src=names["de"], tgt=names["fr"]) as reading:
        return [
            (src[0].split(), tgt[0].split())
            for bitext in reading
            for src, tgt in bitext.pairs()
            if len(src) == len(tgt) == 1 and len(src[0].split()) > 3 < len(tgt[0].split())
        ]


def make(gold: Path, out: Path, lines: int) -> None:
    """Write the corpus: a table of source, target and domain."""
    draw = random.Random(53)  # noqa: S311 - a corpus, no secret
    beads = sentences(gold)
    words = [[word for bead in beads for word in bead[side]] for side in (0, 1)]
    kinds = [kind for kind in KINDS if kind not in {"duplicates", "near-duplicates"}]
    earlier: list[tuple[str, str]] = []

    def drawn(side: int) -> str:
        word = draw.choice(words[side])
        return word + draw.choice(words[side]).lower() if draw.random() < COMPOUND else word

    def changed(sentence: list[str], side: int) -> str:
        return " ".join(word if draw.random() < KEPT else drawn(side) for word in sentence)

    with out.open("w", encoding="utf-8") as file:
        file.write("src\ttgt\tdomain\n")
        for _ in range(lines):
            chance = draw.random()
            if chance < COPIED and earlier:
                pair = draw.choice(earlier)
            elif chance < COPIED + CHANGED and earlier:
                sides = [side.split() for side in draw.choice(earlier)]
                for side, sentence in enumerate(sides):
                    for _ in range(len(sentence) // 9):
                        sentence[draw.randrange(len(sentence))] = drawn(side)
                pair = " ".join(sides[0]), " ".join(sides[1])
            else:
                bead = draw.choice(beads)
                pair = changed(bead[0], 0), changed(bead[1], 1)
                if len(earlier) < REMEMBERED:
                    earlier.append(pair)
                elif draw.random() < 0.1:
                    earlier[draw.randrange(REMEMBERED)] = pair
                if draw.random() < FAULTY / (1 - COPIED - CHANGED):
                    pair = faulty(draw.choice(kinds), *pair, draw)
            src, tgt = (" ".join(side.split()) for side in pair)
            file.write(f"{src}\t{tgt}\t{draw.choice(('news', 'law', 'talk'))}\n")


if __name__ == "__main__":
    import sys

    make(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
