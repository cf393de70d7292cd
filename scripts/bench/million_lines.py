"""Read, clean, deduplicate, split and describe a corpus of a million lines, beside OpusFilter.

    scripts/bench/million_lines.py make GOLD OUT.tsv [LINES]   write the corpus
    scripts/bench/million_lines.py run OUT.tsv OPUSFILTER      both tools by turns

GOLD is a folder of gold standards of alignment with German and French, OPUSFILTER the program of
that name. Lines are aligned sentences, most of whose words are drawn anew from the texts: one line
in four has a fault, one in twenty is a copy of an earlier line, and one in ten a copy with one word
of nine changed or lost.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import time
from array import array
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from cleaning import KINDS, cleaning_commands, faulty, same_lines, write_pairs
from command import measured

from bitext.formats.reading import FileOptions, opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NEAR_SHARE = 0.8
BATCH = 1 << 13  # words of prefixes that are searched for at once
FAULTY, COPIED, CHANGED = 0.25, 0.05, 0.1  # shares of lines
REMEMBERED = 50_000  # lines that may be copied
KEPT = 0.25  # share of the words of a sentence that stay
COMPOUND = 0.08  # share of words that are put together of two: types grow with the corpus


def sentences(gold: Path) -> list[tuple[list[str], list[str]]]:
    """Return the words of the aligned sentences, one to one, of German and French."""
    names = {side: str(gold / f"text+berg/dev.{side}") for side in ("de", "fr", "align")}
    with opened(names["align"], FileOptions(src=names["de"], tgt=names["fr"])) as reading:
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


OPUS_DUPLICATES = """
common: {{output_directory: {folder}}}
steps:
  - type: remove_duplicates
    parameters:
      inputs: [c.src, c.tgt]
      outputs: [d.src, d.tgt]
      letters_only: true
      lowercase: true
"""
OPUS_SPLIT = """
common: {{output_directory: {folder}}}
steps:
  - type: split
    parameters:
      inputs: [c.src, c.tgt]
      outputs: [rest.src, rest.tgt]
      outputs_2: [train.src, train.tgt]
      divisor: 10
      threshold: 1
  - type: split
    parameters:
      inputs: [rest.src, rest.tgt]
      outputs: [dev.src, dev.tgt]
      outputs_2: [test.src, test.tgt]
      divisor: 20
      threshold: 10
"""
NEAR = """
[[filter]]
name = "near-duplicates"
max = 0.8
"""


def steps(folder: Path, opusfilter: str) -> list[tuple[str, str, list[str]]]:
    """Write the configurations of both tools; return what each step does, its tool and command."""
    first = cleaning_commands(folder, opusfilter, 80)
    (folder / "near.toml").write_text(NEAR, encoding="utf-8")
    for name, text in (("d.yaml", OPUS_DUPLICATES), ("s.yaml", OPUS_SPLIT)):
        (folder / name).write_text(text.format(folder=folder), encoding="utf-8")
    bitext = [sys.executable, "-m", "bitext"]
    near = ["convert", "-q", "--from", "tsv", "--clean", f"{folder}/near.toml"]
    split = ["split", "90/5/5", f"{folder}/c.tsv", "--from", "tsv", "-q", "-o"]
    clean, same = "read, clean, exact duplicates out", "read, split 90/5/5 by hash"
    letters = "read, duplicates by lower-case letters out"
    return [
        (clean, "bitext", first["bitext"]),
        (clean, "OpusFilter", first["OpusFilter"]),
        (same, "bitext", [*bitext, *split, f"{folder}/hash", "--near", "0"]),
        (same, "OpusFilter", [opusfilter, "--overwrite", f"{folder}/s.yaml"]),
        (letters, "OpusFilter", [opusfilter, "--overwrite", f"{folder}/d.yaml"]),
        (
            "read, near-duplicates out (0.8)",
            "bitext",
            [*bitext, *near, f"{folder}/c.tsv", f"{folder}/d.tsv"],
        ),
        (
            "read, split 90/5/5, near-duplicates together (0.8)",
            "bitext",
            [*bitext, *split, f"{folder}/parts"],
        ),
        (
            "read, describe",
            "bitext",
            [*bitext, "stats", f"{folder}/c.tsv", "--from", "tsv", "-q", "-o", f"{folder}/s.json"],
        ),
    ]


def run(corpus: Path, opusfilter: str) -> None:
    """Print what each step takes, the lines both tools keep, and near-duplicates across parts."""
    with TemporaryDirectory(dir=corpus.parent) as name:
        folder = Path(name)
        write_pairs(corpus, folder)
        print("| step | tool | CPU | wall | peak memory |\n| --- | --- | --: | --: | --: |")
        seconds: dict[tuple[str, str], float] = {}
        for what, tool, command in steps(folder, opusfilter):
            took = measured(command, folder)
            if took.status:
                raise SystemExit(f"{what}: {tool}: status {took.status}: {took.said}")
            seconds[what, tool] = took.cpu
            print(
                f"| {what} | {tool} | {took.cpu:.1f} s | {took.wall:.1f} s | {took.peak:,.0f} MB |",
                flush=True,
            )
        print()
        for (what, tool), ours in seconds.items():
            if tool == "bitext" and (theirs := seconds.get((what, "OpusFilter"))):
                print(f"- {what}: {theirs / ours:.1f} times the speed")
        print(f"- {same_lines(folder)}")
        for parts in ("parts", "hash"):
            across = near_across(sorted((folder / parts).iterdir()))
            print(f"- near-duplicates across parts of `{parts}`: {across:,}", flush=True)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        cpu = time.process_time()
        print(f"- memory of the exact search: {peak:,.0f} MB; {cpu:.0f} s of CPU with all else")


def rows_of(part: Path, number: dict[tuple[int, str], int]) -> Iterator[list[int]]:
    """Yield the numbers of the words of each line of a part."""
    word = re.compile(r"[^\W_]+")
    with part.open(encoding="utf-8") as file:
        for line in file:
            found = {
                (side, each)
                for side, text in enumerate(line.rstrip("\n").lower().split("\t"))
                for each in word.findall(text) or text.split()
            }
            yield [number.setdefault(each, len(number)) for each in found]


def near_across(parts: Sequence[Path]) -> int:
    """Return the number of pairs of a Jaccard coefficient of 0.8 across parts.

    The search is exact: near sets share one of their rarest words (prefix filter, Chaudhuri,
    Ganti and Kaushik 2006), and the parities of their words by 128 residues differ in no more
    places than the sets in words.
    """
    number: dict[tuple[int, str], int] = {}
    sizes, words, owner = array("i"), array("i"), array("b")
    for k, part in enumerate(parts):
        for row in rows_of(part, number):
            sizes.append(len(row))
            words.extend(row)
            owner.append(k)
    size, part_of = np.array(sizes), np.array(owner)
    frequency = np.bincount(np.array(words), minlength=len(number))
    rank = np.empty(len(number), dtype=np.int64)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(number))
    line = np.repeat(np.arange(len(size)), size)
    keys = np.sort((line << 32) | rank[np.array(words)])  # the rarest words of a line first
    line, ranks = keys >> 32, keys & 0xFFFFFFFF
    begin = np.concatenate([[0], np.cumsum(size)])
    parity = np.zeros((len(size), 2), dtype=np.uint64)
    bits = np.uint64(1) << (ranks & 63).astype(np.uint64)
    for half in (0, 1):
        own = np.where((ranks >> 6 & 1) == half, bits, np.uint64(0))
        np.bitwise_xor.at(parity[:, half], line, own)
    prefix = size - np.ceil(NEAR_SHARE * size - 1e-9).astype(np.int64) + 1
    rare = np.arange(len(keys)) - begin[line] < prefix[line]
    line, ranks = line[rare], ranks[rare]
    # The largest part is only compared with the others, not held in the index.
    largest = np.bincount(part_of).argmax()
    indexed = part_of[line] != largest
    order = np.argsort(ranks[indexed], kind="stable")
    posting, starts = (
        line[indexed][order],
        np.searchsorted(ranks[indexed][order], np.arange(len(number) + 1)),
    )
    pairs = set()
    for at in range(0, len(line), BATCH):
        one, wanted = line[at : at + BATCH], ranks[at : at + BATCH]
        many = starts[wanted + 1] - starts[wanted]
        shift = np.cumsum(many) - many
        other = posting[np.arange(many.sum()) + np.repeat(starts[wanted] - shift, many)]
        one = np.repeat(one, many)
        apart = part_of[one] != part_of[other]
        one, other = one[apart], other[apart]
        differing = np.bitwise_count(parity[one, 0] ^ parity[other, 0]) + np.bitwise_count(
            parity[one, 1] ^ parity[other, 1]
        )
        near = differing <= (size[one] + size[other]) * (1 - NEAR_SHARE) / (1 + NEAR_SHARE) + 1e-6
        for a, b in set(zip(one[near].tolist(), other[near].tolist(), strict=True)):
            both = [set(keys[begin[k] : begin[k + 1]] & 0xFFFFFFFF) for k in (a, b)]
            if len(both[0] & both[1]) >= NEAR_SHARE * len(both[0] | both[1]):
                pairs.add((min(a, b), max(a, b)))
    return len(pairs)


def main() -> None:
    """Write the corpus, or run both tools on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("make", "run"))
    parser.add_argument("names", nargs="+")
    given = parser.parse_args()
    first, second, *more = given.names
    if given.part == "make":
        make(Path(first), Path(second), int(more[0]) if more else 1_000_000)
    else:
        run(Path(first), second)


if __name__ == "__main__":
    main()
