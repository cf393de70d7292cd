"""CPU and memory of `bitext join`, beside plain loops that hold nothing.

    python scripts/bench/joining.py [--units 300000] [--documents 1000] [--report FILE]

The files are made of random words: a memory in four languages, whole and with 5% of the texts
missing, and three pairs that share German, as documents of 200 to 400 lines and as one file each;
in a third of the documents 2% of the lines are missing. The loop over the memory parses it with
lxml and writes a row a unit; that over the pairs, given files without missing lines, writes the
cells of each line side by side. Figures are CPU seconds (user and system) and the peak of memory of
a process, of one run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from results import made_today

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LANGS = ("de", "en", "fr", "it")
MISSING = 0.05  # texts of the second memory; set by hand
DROPPED = 0.02  # lines of a third of the documents; set by hand

ABOUT = """\
# Joining: CPU and memory

Made by `{command}`, whose docstring says what is measured; {versions}.

{units:,} units in four languages; {documents:,} documents of 200 to 400 lines in three pairs.
Plain loops match nothing and check nothing: they show what parsing and writing cost alone.

"""

MEMORY_LOOP = """
import sys
from lxml import etree
lang = "{http://www.w3.org/XML/1998/namespace}lang"
with open(sys.argv[2], "w", encoding="utf-8") as out:
    print(*sys.argv[3:], sep="\\t", file=out)
    for _, unit in etree.iterparse(sys.argv[1], tag="tu"):
        row = dict.fromkeys(sys.argv[3:], "")
        for text in unit.iter("tuv"):
            row[text.get(lang)] = "".join(text.find("seg").itertext())
        print(*row.values(), sep="\\t", file=out)
        unit.clear()
        while unit.getprevious() is not None:
            del unit.getparent()[0]
"""
PAIRS_LOOP = """
import sys
from contextlib import ExitStack
with ExitStack() as stack, open(sys.argv[1], "w", encoding="utf-8") as out:
    files = [stack.enter_context(open(name, encoding="utf-8")) for name in sys.argv[2:]]
    for lines in zip(*files):
        pairs = [line.rstrip("\\n").split("\\t") for line in lines]
        print(pairs[0][0], *(pair[1] for pair in pairs), sep="\\t", file=out)
"""


class Cost(NamedTuple):
    """CPU seconds and megabytes of a process."""

    seconds: float
    megabytes: float


def cost(*command: str) -> Cost:
    """Run a command; return what it cost."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: ended with {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def sentence(draw: random.Random, lang: str) -> str:
    """Return a sentence of random words that tell the language."""
    return " ".join(f"{lang}{draw.randrange(3000):x}" for _ in range(draw.randint(6, 16)))


def make_memory(path: Path, units: int, missing: float) -> None:
    """Make a memory in all languages."""
    draw = random.Random(5)  # noqa: S311 - made data
    with path.open("w", encoding="utf-8") as out:
        out.write('<tmx version="1.4">\n<header srclang="de" datatype="plaintext"/>\n<body>\n')
        for k in range(units):
            out.write("<tu>\n")
            for lang in LANGS:
                if draw.random() >= missing:
                    text = f"{sentence(draw, lang)} {k}."
                    out.write(f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>\n')
            out.write("</tu>\n")
        out.write("</body></tmx>\n")


def documents(number: int, dropped: float) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield the name of a document, a language, and the pairs of German and that language."""
    draw = random.Random(3)  # noqa: S311 - made data
    for d in range(number):
        size = draw.randint(200, 400)
        texts = [[f"{sentence(draw, lang)} {d}.{k}." for k in range(size)] for lang in LANGS]
        for lang, others in zip(LANGS[1:], texts[1:], strict=True):
            share = dropped if draw.random() < 1 / 3 else 0.0
            pairs = [p for p in zip(texts[0], others, strict=True) if draw.random() >= share]
            yield f"d{d:04}", lang, pairs


def make_pairs(folder: Path, number: int, dropped: float) -> tuple[list[str], list[str]]:
    """Make a file of documents and a file of lines for each pair of languages."""
    folder.mkdir()
    made = [[folder / f"{kind}.de-{lang}.{end}" for lang in LANGS[1:]]
            for kind, end in (("documents", "jsonl"), ("lines", "tsv"))]  # fmt: skip
    out = [[path.open("w", encoding="utf-8") for path in paths] for paths in made]
    for name, lang, pairs in documents(number, dropped):
        at = LANGS.index(lang) - 1
        for k, (src, tgt) in enumerate(pairs):
            item = {"src": [str(k)], "tgt": [str(k)], "src_text": src, "tgt_text": tgt}
            out[0][at].write(json.dumps(item | {"document": name}) + "\n")
            out[1][at].write(f"{src}\t{tgt}\n")
    for file in (*out[0], *out[1]):
        file.close()
    return [*map(str, made[0])], [*map(str, made[1])]


def measured(folder: Path, units: int, number: int) -> Iterator[tuple[str, Cost]]:
    """Yield what is measured, with its cost."""
    out = str(folder / "out.tsv")
    join = (sys.executable, "-m", "bitext", "join", "-q", "-o", out)
    for missing, name in (
        (0.0, "memory"),
        (MISSING, f"memory, {MISSING:.0%} of its texts missing"),
    ):
        path = folder / "memory.tmx"
        make_memory(path, units, missing)
        yield f"{name}: bitext join", cost(*join, str(path))
        yield (
            f"{name}: a loop with lxml",
            cost(sys.executable, "-c", MEMORY_LOOP, str(path), out, *LANGS),
        )
    whole = make_pairs(folder / "whole", number, 0.0)
    yield (
        "pairs, none of their lines missing, one file each: a loop",
        cost(sys.executable, "-c", PAIRS_LOOP, out, *whole[1]),
    )
    yield "pairs, none of their lines missing, one file each: bitext join", cost(*join, *whole[1])
    some = make_pairs(folder / "some", number, DROPPED)
    yield "pairs, documents: bitext join", cost(*join, *some[0])
    yield "pairs, one file each: bitext join", cost(*join, *some[1])
    yield "pairs, one file each: bitext join --by text", cost(*join, *some[1], "--by", "text")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print or write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--units", type=int, default=300_000)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--report", type=Path)
    asked = parser.parse_args(arguments)
    table = Table(["what", "CPU, s", "memory, MB"], right={1, 2})
    with TemporaryDirectory() as folder:
        for name, (seconds, megabytes) in measured(Path(folder), asked.units, asked.documents):
            table.rows.append([name, f"{seconds:.1f}", f"{megabytes:.0f}"])
    head = ABOUT.format(
        command="python scripts/bench/joining.py", versions=made_today("lxml", "numpy"),
        units=asked.units, documents=asked.documents,
    )  # fmt: skip
    text = head + table.render("markdown")
    if asked.report:
        asked.report.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
