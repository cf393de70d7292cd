"""Measure `bitext convert --clean`: speed beside OpusFilter, precision and recall of each filter.

    scripts/bench/cleaning.py make GOLD OUT.tsv [LINES]   a corpus with known faults
    scripts/bench/cleaning.py faults OUT.tsv              precision and recall of each filter
    scripts/bench/cleaning.py suggested OUT.tsv           the same of proposed bounds
    scripts/bench/cleaning.py good GOLD                   good bisegments rejected, by gold standard
    scripts/bench/cleaning.py misaligned GOLD [ENCODER]   filters by words and by vectors
    scripts/bench/cleaning.py speed OUT.tsv OPUSFILTER    both tools by turns, the same filters,
                                                      of which the first rejects few or most lines

GOLD is a folder of gold standards of alignment with German and French, OPUSFILTER the program of
that name. The corpus is made of sentence pairs whose words are drawn from these texts: each line
has a third column with the name of its fault, or `good`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from itertools import zip_longest
from pathlib import Path

import numpy as np
from command import measured

from bitext.align.sentences.pair_scores import VectorScores, learned_lexicons
from bitext.align.sentences.vectors import encode, encoder_named
from bitext.formats.beads import ChunkPosition
from bitext.formats.cleaning.cleaner import Cleaner, Profile, Rule, suggested_bounds
from bitext.formats.cleaning.filters import FILTERS
from bitext.formats.reading import FileOptions, opened
from bitext.kernels.arrays import Rows
from bitext.model import Alignment, Bitext, Text

FIRST = ChunkPosition()
FAULTY = 0.3  # share of lines with a fault
WORDS = (80, 8)  # of the longest side: the first filter rejects few lines, and most of them
# Filters of the same definition in both tools, as of OpusFilter and as of a profile.
OPUS = """
common: {{output_directory: {folder}}}
steps:
  - type: filter
    parameters:
      inputs: [a.src, a.tgt]
      outputs: [b.src, b.tgt]
      filters:
        - LengthFilter: {{unit: word, min_length: 1, max_length: {words}}}
        - LengthFilter: {{unit: char, min_length: 1, max_length: 600}}
        - LengthRatioFilter: {{unit: char, threshold: 3.0000001}}
        - LengthRatioFilter: {{unit: word, threshold: 3.0000001}}
        - LongWordFilter: {{threshold: 40.5}}
        - AlphabetRatioFilter: {{threshold: 0.5, exclude_whitespace: true}}
        - CharacterScoreFilter: {{scripts: [Latin, Latin], thresholds: [0.9, 0.9]}}
  - type: remove_duplicates
    parameters: {{inputs: [b.src, b.tgt], outputs: [c.src, c.tgt]}}
"""
PROFILE = """
[[filter]]
name = "length-words"
max = {words}
[[filter]]
name = "length-chars"
max = 600
[[filter]]
name = "empty"
[[filter]]
name = "ratio-chars"
max = 3
[[filter]]
name = "ratio-words"
max = 3
[[filter]]
name = "long-words"
max = 40
[[filter]]
name = "letters"
min = 0.5
[[filter]]
name = "script"
min = 0.9
src = "Latin"
tgt = "Latin"
[[filter]]
name = "duplicates"
"""


def faulty(kind: str, src: str, tgt: str, draw: random.Random) -> tuple[str, str]:
    """Return a pair of sentences with a fault of the kind of a filter."""
    words = src.split()
    at = draw.randrange(len(words))
    more = {
        "empty": lambda: (src, draw.choice(["", "  "])),
        "length-chars": lambda: (" ".join([src] * 40), " ".join([tgt] * 40)),
        "ratio-chars": lambda: (src, tgt[:3]),
        "long-words": lambda: (src + " " + "".join(words * 9)[:90], tgt),
        "letters": lambda: ("- " * 40 + words[0], tgt),
        "script": lambda: (
            "".join(chr(0x430 + ord(c) % 32) if c.isalpha() else c for c in src),
            tgt,
        ),
        "mojibake": lambda: (src, (tgt + " été").encode().decode("latin-1")),
        "invisible": lambda: (src[:5] + draw.choice("\u200b\u00ad\ufeff\u202e") + src[5:], tgt),
        "private-use": lambda: (src, tgt + " " + chr(draw.randrange(0xE000, 0xF8FF))),
        "repeated-chars": lambda: (src, tgt + "." * draw.randrange(11, 60)),
        "repeated-words": lambda: (" ".join([*words[:at], *[words[at]] * 5, *words[at:]]), tgt),
        "identical": lambda: (src, src),
        "similar-sides": lambda: (src, src.replace(words[at], "x", 1)),
        "untranslated": lambda: (src, " ".join(draw.sample(words, len(words)))),
        "numbers": lambda: (
            f"{src} {draw.randrange(10, 9999)}",
            f"{tgt} {draw.randrange(10000, 99999)}",
        ),
        "urls": lambda: (f"{src} https://a.example/{at}", tgt),
        "emails": lambda: (f"{src} some.one{at}@a.example", tgt),
        "placeholders": lambda: (f"{src} {{n{at}}}", f"{tgt} %s"),
        "tags": lambda: (f"<b>{src}</b>", tgt),
        "brackets": lambda: (f"{src} ({words[at]}", tgt),
        "average-word": lambda: (" ".join(["".join(words)[:30]] * 20), tgt),
        "punctuation": lambda: (src.rstrip(".!?:;,») ") + "?", tgt.rstrip(".!?:;,») ") + "."),
        "language": lambda: (tgt, src),
    }
    return more[kind]()


# Filters without made faults of their own, and the faults that they find as well.
OF_LIKE_FAULT = {"length-words": "length-chars", "ratio-words": "ratio-chars"}
# Filters whose faults are made; those by scores have faults of their own (`misaligned`).
OTHERS = {"length-words", "ratio-words", "regex", "lexicon", "vectors"}
KINDS = [name for name in FILTERS if name not in OTHERS]


def make(gold: Path, out: Path, lines: int) -> None:
    """Write a corpus: clauses of aligned sentences, joined by fours, and faults."""
    draw = random.Random(53)  # noqa: S311 - samples, no secrets
    with opened(
        str(gold / "text+berg/dev.align"),
        FileOptions(src=str(gold / "text+berg/dev.de"), tgt=str(gold / "text+berg/dev.fr")),
    ) as reading:
        beads = [
            (" ".join(src), " ".join(tgt))
            for bitext in reading
            for src, tgt in bitext.pairs()
            if len(src) == len(tgt) == 1 and 3 < len(src[0].split()) < 16
        ]
    beads = [*dict.fromkeys(beads)]
    earlier: list[tuple[str, str]] = []
    seen: set[tuple[int, ...]] = set()
    with out.open("w", encoding="utf-8") as file:
        for _ in range(lines):
            # Two lines share three of four sentences at most.
            chosen = draw.sample(range(len(beads)), 4)
            while (key := tuple(sorted(chosen))) in seen:
                chosen = draw.sample(range(len(beads)), 4)
            seen.add(key)
            sides = tuple(zip(*(beads[k] for k in chosen), strict=True))
            src, tgt = (" ".join(side) for side in sides)
            kind = draw.choice(KINDS) if draw.random() < FAULTY else "good"
            if kind == "duplicates" and earlier:
                src, tgt = draw.choice(earlier)
            elif kind == "near-duplicates" and earlier:
                src, tgt = draw.choice(earlier)
                src, tgt = src.upper(), f"{tgt.rstrip('.')} !"
            elif kind in {"duplicates", "near-duplicates"}:
                kind = "good"
            elif kind != "good":
                src, tgt = faulty(kind, src, tgt, draw)
            elif len(earlier) < 1000:
                earlier.append((src, tgt))
            file.write(f"{src.strip()}\t{tgt.strip()}\t{kind}\n")


def faults(corpus: Path) -> None:
    """Print the precision and recall of each filter alone, on the lines of its own fault."""
    rules = [
        Rule(name, one.low, one.high, (("src", "de"), ("tgt", "fr")) if name == "language" else ())
        for name, one in FILTERS.items()
        if name in KINDS
    ]
    rules = [
        Rule(one.name, one.low, one.high, (("src", "Latin"), ("tgt", "Latin")))
        if one.name == "script"
        else one
        for one in rules
    ]
    rules += [
        Rule(one.name, *bounds, (("measure", measure),))
        for one in rules
        for measure, bounds in [*one.filter.measures.items()][1:]
    ]
    print_precision(corpus, rules)


def suggested(corpus: Path) -> None:
    """Print the same of filters with their default bounds, and with those of `check --suggest`."""
    with opened(str(corpus), FileOptions(format="tsv", parts=True)) as reading:
        suggestions = suggested_bounds(reading)
    rules = []
    for name in dict.fromkeys(one.name for one in suggestions):
        known = FILTERS[name]
        rules.append(Rule(name, known.low, known.high))
        for one in suggestions:
            if one.name == name:
                given = {"side": one.side, "expected": one.expected}
                rules.append(
                    Rule(name, one.low, one.high, tuple((k, v) for k, v in given.items() if v))
                )
    print_precision(corpus, rules)


def print_precision(corpus: Path, rules: list[Rule]) -> None:
    """Print the precision and recall of each filter on the lines of its own fault.

    Precision counts rejected lines that are good as wrong; a line with another fault may be
    rejected rightly by several filters, and is not counted.
    """
    counts: Counter[tuple[int, str]] = Counter()
    of_kind: Counter[str] = Counter()
    cleaner = Cleaner(Profile("all", tuple(rules)))
    with opened(str(corpus), FileOptions(format="tsv", parts=True)) as reading:
        for bitext in reading:
            (column,) = bitext.alignment.attributes.values()
            kinds = np.array(column, dtype=object)
            of_kind.update(kinds.tolist())
            for k, (rule, mask) in enumerate(cleaner.each(bitext, FIRST)):
                for kind in ("good", OF_LIKE_FAULT.get(rule.name, rule.name)):
                    counts[k, kind] += int((mask & (kinds == kind)).sum())
    print("| filter | faults | found | recall | good lines rejected | precision |")
    print("| --- | --- | --- | --- | --- | --- |")
    for k, rule in enumerate(rules):
        fault = OF_LIKE_FAULT.get(rule.name, rule.name)
        right, wrong = counts[k, fault], counts[k, "good"]
        total = of_kind[fault]
        precision = right / (right + wrong) if right + wrong else float("nan")
        print(
            f"| {shown(rule)} | {total:,} | {right:,} | {right / total:.3f} | {wrong:,} of "
            f"{of_kind['good']:,} | {precision:.3f} |"
        )


def shown(rule: Rule) -> str:
    """Return the name of a filter, with its measure, side and bounds, if they are not defaults."""
    known, given = rule.filter, dict(rule.parameters)
    parts = [given.get("measure", ""), given.get("side", "")]
    if "measure" not in given and (rule.low, rule.high) != (known.low, known.high):
        parts += [f"min {rule.low:g}"] if rule.low is not None else []
        parts += [f"max {rule.high:g}"] if rule.high is not None else []
    return " ".join([f"`{rule.name}`", *filter(None, parts)])


# Gold standards of alignment: the folder, and the files of each with the ends of its two sides.
STANDARDS = {
    "text+berg": ("dev", "de", "fr"),
    "parice": ("*", "en", "is"),
    "hunalign-dtm": ("dtm", "hu", "en"),
    "maligna": ("gpl", "en", "pl"),
    "bible-enzh": ("001", "en", "zh"),
    "champollion": ("*", "en", "zh"),
}


def pairs_of(gold: Path, name: str) -> list[tuple[str, str]]:
    """Return the texts of the beads 1-1 of a gold standard."""
    stem, src, tgt = STANDARDS[name]
    pairs = []
    for path in sorted((gold / name).glob(f"{stem}.align")):
        one_side, other_side = (str(path.with_suffix(f".{end}")) for end in (src, tgt))
        with opened(str(path), FileOptions(src=one_side, tgt=other_side)) as reading:
            for bitext in reading:
                for one, other in bitext.pairs():
                    if len(one) == len(other) == 1 and one[0].strip() and other[0].strip():
                        pairs.append((one[0], other[0]))
    return pairs


def good(gold: Path) -> None:
    """Print the share of good bisegments that filters of both sides reject, by gold standard."""
    rules = [
        Rule(name, *bounds, (("measure", measure),))
        for name in ("numbers", "brackets", "punctuation")
        for measure, bounds in FILTERS[name].measures.items()
    ]
    print("|  | beads 1-1 |", " | ".join(map(shown, rules)), "|")
    print("| --- |", " --: |" * (len(rules) + 1))
    for name in STANDARDS:
        pairs = pairs_of(gold, name)
        src, tgt = (Text([pair[k] for pair in pairs]) for k in (0, 1))
        bitext = Bitext(src, tgt, Alignment([([k], [k]) for k in range(len(pairs))]))
        shares = (mask.mean() for _, mask in Cleaner(Profile("", tuple(rules))).each(bitext, FIRST))
        print(f"| {name} | {len(pairs):,} |", " | ".join(f"{share:.3f}" for share in shares), "|")


MISALIGNED = ("shifted", "random", "half")
MOST = 120  # good pairs of a gold standard that are encoded: bounds time


def misaligned(
    pairs: list[tuple[str, str]], draw: random.Random
) -> tuple[list[str], list[str], list[str]]:
    """Return the sides of good pairs with as many as three tenths of faulty ones, and the kinds.

    Faulty pairs have the target of the next pair, of any pair, or the first half of their own and
    the second half of that of any pair.
    """
    src, tgt = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    kinds = ["good"] * len(pairs)
    for kind in MISALIGNED:
        for k in draw.sample(range(len(pairs)), len(pairs) // 10):
            own, other = pairs[k][1], pairs[draw.randrange(len(pairs))][1]
            if kind == "shifted":
                other = pairs[(k + 1) % len(pairs)][1]
            if kind == "half":
                other = own[: len(own) // 2] + other[len(other) // 2 :]
            src.append(pairs[k][0])
            tgt.append(other)
            kinds.append(kind)
    return src, tgt, kinds


def by_scores(gold: Path, encoder: str) -> None:
    """Print what the filters by words and by vectors find of misaligned pairs."""
    print("| corpus | filter | pairs | good rejected |", " | ".join(MISALIGNED), "| precision |")
    print("| --- | --- | --: | --: |", " --: |" * (len(MISALIGNED) + 1))
    encode_with = encoder_named(encoder) if encoder else None
    for name in STANDARDS:
        pairs = pairs_of(gold, name)
        src, tgt, kinds = misaligned(pairs, random.Random(53))  # noqa: S311 - samples, no secrets
        values = learned_lexicons([(src, tgt)], name=name)(src, tgt).min(axis=0)
        print_found(name, "lexicon", values, kinds)
        if encode_with:
            src, tgt, kinds = misaligned(pairs[:MOST], random.Random(53))  # noqa: S311 - likewise
            with tempfile.TemporaryDirectory() as folder:
                files = [f"{folder}/{side}.npy" for side in ("src", "tgt")]
                for file, side in zip(files, (src, tgt), strict=True):
                    np.save(file, encode(encode_with, side))
                each = Rows(np.arange(len(src) + 1), np.arange(len(src)))
                values = VectorScores(*files)(each, each, np.ones(len(src), dtype=np.bool_))
            print_found(name, "vectors", values, kinds)


def print_found(name: str, known: str, values: np.ndarray, kinds: list[str]) -> None:
    """Print the shares of good and of misaligned pairs that a filter rejects, and its precision."""
    of_kind = np.array(kinds)
    out = values < (FILTERS[known].low or 0.0)
    shares = [out[of_kind == kind].mean() for kind in ("good", *MISALIGNED)]
    wrong, right = (out & (of_kind == "good")).sum(), (out & (of_kind != "good")).sum()
    cells = [f"{share:.3f}" for share in (*shares, right / (right + wrong))]
    print(f"| {name} | `{known}` | {kinds.count('good'):,} |", " | ".join(cells), "|", flush=True)


def write_pairs(corpus: Path, folder: Path) -> None:
    """Write the sides of a corpus as a table, and as two files."""
    with (
        corpus.open(encoding="utf-8") as lines,
        (folder / "a.tsv").open("w", encoding="utf-8") as pairs,
        (folder / "a.src").open("w", encoding="utf-8") as src,
        (folder / "a.tgt").open("w", encoding="utf-8") as tgt,
    ):
        for line in lines:
            one, other, *_ = line.rstrip("\n").split("\t")
            if (one, other) != ("src", "tgt"):
                pairs.write(f"{one}\t{other}\n")
                src.write(f"{one}\n")
                tgt.write(f"{other}\n")


def speed(corpus: Path, opusfilter: str, rounds: int) -> None:
    """Print CPU seconds and memory of both tools by turns, and how many lines both keep."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_pairs(corpus, folder)
        print("| longest side | tool | CPU | wall | peak memory | lines left |")
        print("| --- | --- | --: | --: | --: | --: |")
        for words in WORDS:
            compare(folder, opusfilter, rounds, words)


def cleaning_commands(folder: Path, opusfilter: str, words: int) -> dict[str, list[str]]:
    """Write both tools' filters; return their commands."""
    (folder / "o.yaml").write_text(OPUS.format(folder=folder, words=words), encoding="utf-8")
    (folder / "p.toml").write_text(PROFILE.format(words=words), encoding="utf-8")
    bitext = [sys.executable, "-m", "bitext", "convert", "-q", "--clean", f"{folder}/p.toml"]
    return {
        "bitext": [*bitext, "--from", "tsv", f"{folder}/a.tsv", f"{folder}/c.tsv"],
        "OpusFilter": [opusfilter, "--overwrite", f"{folder}/o.yaml"],
    }


def compare(folder: Path, opusfilter: str, rounds: int, words: int) -> None:
    """Print a row for each turn of each tool, and whether both keep the same lines."""
    tools = cleaning_commands(folder, opusfilter, words)
    seconds: dict[str, list[float]] = {tool: [] for tool in tools}
    for _ in range(rounds):
        for tool, command in tools.items():
            took = measured(command, folder)
            if took.status:
                raise SystemExit(f"{tool}: status {took.status}: {took.said}")
            left = folder / ("c.tsv" if tool == "bitext" else "c.src")
            with left.open("rb") as file:
                count = sum(1 for _ in file)
            seconds[tool].append(took.cpu)
            print(
                f"| {words} words | {tool} | {took.cpu:.1f} s | {took.wall:.1f} s | "
                f"{took.peak:,.0f} MB | {count:,} |",
                flush=True,
            )
    factor = sum(seconds["OpusFilter"]) / sum(seconds["bitext"])
    print(f"\n{words} words: {factor:.1f} times the speed; {same_lines(folder)}\n", flush=True)


def same_lines(folder: Path) -> str:
    """Return how many lines both tools keep, and whether they are the same."""
    count = 0
    with (
        (folder / "c.tsv").open("rb") as ours,
        (folder / "c.src").open("rb") as src,
        (folder / "c.tgt").open("rb") as tgt,
    ):
        for line, one, other in zip_longest(ours, src, tgt, fillvalue=b""):
            if line != one.rstrip(b"\n") + b"\t" + other:
                return f"the lines kept differ: line {count + 1} is {line!r:.200}"
            count += 1
    return f"both keep the same {count:,} lines"


def main() -> None:
    """Run one of the three parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "part", choices=("make", "faults", "suggested", "good", "misaligned", "speed")
    )
    parser.add_argument("names", nargs="+")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    first, *more = given.names
    if given.part == "make":
        make(Path(first), Path(more[0]), int(more[1]) if len(more) > 1 else 1_000_000)
    elif given.part == "faults":
        faults(Path(first))
    elif given.part == "suggested":
        suggested(Path(first))
    elif given.part == "good":
        good(Path(first))
    elif given.part == "misaligned":
        by_scores(Path(first), more[0] if more else "")
    else:
        speed(Path(first), more[0], given.rounds)


if __name__ == "__main__":
    main()
