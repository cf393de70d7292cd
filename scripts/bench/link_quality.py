"""Quality and cost of word links, beside other word aligners on the same sentence pairs.

    python scripts/bench/link_quality.py DATA [--cache FOLDER] [--tools NAME,NAME]
        [--sets NAME,NAME] [--limit SECONDS] [--report FILE]
    python scripts/bench/link_quality.py DATA --cost PAIRS,PAIRS | --blocks | --symmetrised

DATA has gold standards as `enfr.src-tgt` and `enfr.gold` (links counted from 1), and captions of
another domain to learn from, `train.en.gz` and `train.fr.gz`. Tokens are in lower case; captions
are cut at blanks, apostrophes and marks. Every tool links the same files. Of tools that link in two
directions, the best symmetrisation is shown, chosen by the gold standard; `link_words` has its
default. CPU seconds and memory are those of the tool with its start. A tool that uses more than
`--limit` CPU seconds is ended, and its row says so. `--symmetrised` prints the table of the ways to
symmetrise of `link_words` alone. `--report` measures all tables.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from environments import environment, versions

from bitext import WordLinks
from bitext.align import link_words, symmetrise
from bitext.align.links.corpus import number
from bitext.align.links.directions import METHODS, directed_links_of
from bitext.align.links.training import train
from bitext.kernels.one_thread import one_thread
from bitext.metrics.link_scores import link_scores

_TOOLS = ("link_words", "eflomal", "systran-align", "thot-hmm", "thot-ibm4")
_SETS = {"enfr": ("enfr", 0), "roen": ("roen", 0), "captions": ("enfr", 29_000)}
_HEADER = ["pairs", "tool", "AER", "precision", "recall", "symmetrised by", "CPU s", "MB"]
_COUNTS = [25_000, 100_000, 300_000]  # pairs of the table of costs
_LIMIT = 1200  # CPU seconds that a tool may use
_METHODS = ("intersection", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and")
# Started between this program and a tool, since the system counts the memory of the process that
# starts another one as used by that one, too.
_LAUNCHER = """\
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print()
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
_TEXT = """\
# Quality of word links

Alignment error rate (AER), precision and recall in percent, CPU seconds (all processes and
threads) and largest memory, of `bitext.align.link_words` and of other word aligners, from the same
files. All learn from the sentence pairs alone, without a dictionary or a model: 447 pairs of the
Canadian Hansards in English and French, these with 29,000 captions of another domain beside them
(only the 447 are scored), and 248 in Romanian and English. Of tools that link in two directions,
the best of six symmetrisations is shown, **chosen by the gold standard**; `link_words` has one
default for all, as has `systran-align` (fast_align), which symmetrises by itself.

    python scripts/bench/link_quality.py DATA --report scripts/bench/link_quality.md

The tables were measured apart (`--tools` and `--sets`, `--symmetrised`, `--cost`, `--blocks`), on
two cores that other work shared. Versions of the other tools:
{versions}.
The HMM of sil-thot has five iterations each of IBM 1 and the hidden Markov model, its IBM 4 five
more each of IBM 3 and IBM 4, in both directions.

{table}

Nothing is random in `link_words`, systran-align and sil-thot. eflomal draws samples: its AER on the
447 pairs was 17.2, 17.0 and 17.1 in three runs, and 13.2 and 12.9 with the captions in two; the
last of them are shown.

## Where others are better

- **With more to learn from.** The links of these pairs that MGIZA and fast_align gave after
  training on large corpora (published with lilt/alignment-scripts), and those of awesome-align,
  which has a pretrained encoder (published by its authors), scored as above; AER, precision and
  recall:

  | links | 447 enfr | 248 roen |
  | --- | --- | --- |
  | MGIZA, large corpus, `grow-diagonal` | 5.9 / 97.5 / 89.7 | 27.9 / 94.0 / 58.5 |
  | MGIZA, large corpus, `grow-diagonal-final` | 6.2 / 95.5 / 91.6 | 26.4 / 90.9 / 61.8 |
  | fast_align, large corpus, `grow-diagonal` | 10.5 / 90.8 / 87.8 | 32.1 / 85.1 / 56.5 |
  | awesome-align | 4.1 / 96.3 / 95.4 | 20.7 / 88.6 / 71.7 |
  | `link_words`, these pairs alone | 8.4 / 91.9 / 91.1 | 30.3 / 84.9 / 59.1 |

  With vectors of words as further evidence, `link_words` has [3.8 and 24.8](link_vectors.md).
- **Other kinds of languages.** Of 30 sets made from these gold standards, eflomal has the lower AER
  on four: Romanian with unrelated words, with words joined, with ideographs, and with long words in
  two tokens ([languages, few pairs and dictionaries](link_languages.md)).
- **Captions do not help here.** Beside 29,000 captions the AER of `link_words` on the 447 pairs is
  higher than without them; that of eflomal, systran-align and IBM 4 is lower.
- **Memory.** All others need less of it than `link_words` on each set: eflomal 39 MB in place of
  340 MB on the largest. systran-align takes as little time on the two small sets.

## One direction, and symmetrised links

AER, precision and recall of `link_words(..., symmetrise=NAME)`, each with the default of
`min_score`: for `product` the smallest geometric mean of both directions, for all others the
smallest probability of the links of a direction (`--symmetrised`).

{symmetrised}

What was tried for each constant: [link_constants.md](link_constants.md).

## Cost

Pairs of 22 to 28 words, made of two captions each with noise in one word of twenty: CPU seconds
and largest memory (`--cost 25000,100000,300000`).

{cost}

A million pairs (684 million cells) took 472 s and 3,219 MB with an earlier version of the method,
in which 300,000 took 162 s and 1,740 MB; with this one a million were not measured.

The same 29,447 pairs in several blocks, as large corpora are linked, with the gold standard in the
first block, in the last, or in the middle; AER (`--blocks`):

{blocks}
"""
_TOKEN = re.compile(r"\w+['’]|\w+|[^\w\s]")


def texts(data: Path, name: str, captions: int) -> tuple[list[str], list[str]]:
    """Return the sentences of a gold standard, and captions behind them."""
    lines = (data / f"{name}.src-tgt").read_text(encoding="utf-8").lower().splitlines()
    sides = [[line.split("|||")[k].strip() for line in lines] for k in (0, 1)]
    for side, lang in zip(sides, ("en", "fr"), strict=True):
        with gzip.open(data / f"train.{lang}.gz", "rt", encoding="utf-8") as file:
            side += [" ".join(_TOKEN.findall(line.lower())) for line in [*file][:captions]]
    return sides[0], sides[1]


def run(
    tool: str, programs: Path | None, folder: Path, limit: int = _LIMIT
) -> tuple[float, float, list[WordLinks] | None]:
    """Run a tool on `src` and `tgt` of a folder; return its CPU seconds, its MB and its outputs.

    Outputs are None if the system ended the tool at `limit` CPU seconds.
    """
    outputs = [folder / f"{tool}.{end}" for end in ("forward", "reverse")]
    here = Path(__file__)
    command: list[str | Path]
    if programs is None:
        command = [sys.executable, here, "--link", folder / "src", folder / "tgt", outputs[0]]
    else:
        peers = here.with_name("link_peers.py")
        command = [programs / "python", peers, tool, folder / "src", folder / "tgt", *outputs]
    limited = [sys.executable, "-c", _LAUNCHER, "prlimit", f"--cpu={limit}", *command]
    printed = subprocess.run(limited, check=True, stdout=subprocess.PIPE, text=True).stdout
    code, seconds, memory = map(float, printed.splitlines()[-1].split())
    if code < 0 and seconds > limit - 1:
        return seconds, memory / 1024, None
    if code:
        raise subprocess.CalledProcessError(int(code), command)
    links = [
        WordLinks.parse(output.read_text(encoding="ascii").splitlines())
        for output in outputs
        if output.exists()
    ]
    return seconds, memory / 1024, links


def link(src: str, tgt: str, output: str) -> None:
    """Link the sentences of two files by `link_words`; write a line a sentence pair."""
    sides = (Path(name).read_text(encoding="utf-8").split("\n")[:-1] for name in (src, tgt))
    links = link_words(*sides)
    plain = WordLinks(links.ptr, links.src, links.tgt)
    Path(output).write_text("".join(f"{line}\n" for line in plain.spell()), encoding="ascii")


def scored(gold: WordLinks, links: list[WordLinks]) -> tuple[float, float, float, str]:
    """Return the AER, precision and recall of the best symmetrisation, and its name."""
    if len(links) == 1:
        combined = [(links[0], "-")]
    else:
        combined = [(symmetrise(*links, method=method), method) for method in _METHODS]
    best = []
    for one, method in combined:
        counts = link_scores(gold, one[: len(gold)])
        best.append((counts.aer, counts.precision, counts.recall, method))
    return min(best)


def main() -> None:
    """Measure all tools; print a table a set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/bitext-bench").expanduser())
    parser.add_argument("--tools", default=",".join(_TOOLS))
    parser.add_argument("--sets", default=",".join(_SETS))
    parser.add_argument("--limit", type=int, default=_LIMIT, help="CPU seconds a tool may use")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--symmetrised", action="store_true")
    parser.add_argument("--cost", help="numbers of pairs to measure time and memory of")
    parser.add_argument("--blocks", action="store_true")
    chosen = parser.parse_args()
    if chosen.cost:
        print(cost_table(chosen.data, [int(count) for count in chosen.cost.split(",")]))
        return
    if chosen.blocks:
        print(block_table(chosen.data))
        return
    if chosen.symmetrised:
        print(symmetrised_table(chosen.data))
        return
    rows = []
    for name, captions in (_SETS[each] for each in chosen.sets.split(",")):
        gold = gold_of(chosen.data, name)
        with TemporaryDirectory() as made:
            folder = Path(made)
            for side, sentences in zip(
                ("src", "tgt"), texts(chosen.data, name, captions), strict=True
            ):
                (folder / side).write_text("".join(f"{s}\n" for s in sentences), encoding="utf-8")
            for tool in chosen.tools.split(","):
                own = tool == "link_words"
                programs = None if own else environment("links", chosen.cache)
                seconds, memory, links = run(tool, programs, folder, chosen.limit)
                if links is None:
                    cells, method = ["not ended", "-", "-"], "-"
                else:
                    *figures, method = scored(gold, links)
                    cells = [f"{100 * value:.1f}" for value in figures]
                known = f"{len(gold) + captions:,} {name}"
                rows.append([known, tool, *cells, method, f"{seconds:.1f}", f"{memory:,.0f}"])
                print(*rows[-1], flush=True)
    if chosen.report:
        parts = {
            "versions": versions("links", chosen.cache),
            "table": as_table(_HEADER, rows),
            "symmetrised": symmetrised_table(chosen.data),
            "cost": cost_table(chosen.data, _COUNTS),
            "blocks": block_table(chosen.data),
        }
        report = _TEXT
        for name, part in parts.items():
            report = report.replace(f"{{{name}}}", part)
        chosen.report.write_text(report, encoding="utf-8")


def cost_table(data: Path, counts: list[int]) -> str:
    """Return the table of CPU seconds and memory for numbers of noisy pairs."""
    rows = []
    for count in counts:
        with TemporaryDirectory() as made:
            folder = Path(made)
            cells = write_noisy_pairs(data, folder, count)
            files = (folder / name for name in ("src", "tgt", "links"))
            command = [sys.executable, __file__, "--link", *map(str, files)]
            process = subprocess.Popen(command)
            used = os.wait4(process.pid, 0)[2]
        seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        rows.append([f"{count:,}", f"{cells / 1e6:.0f}", f"{seconds:.1f}", f"{memory:,.0f}"])
        print(*rows[-1], flush=True)
    return as_table(["pairs", "million cells", "CPU s", "MB"], rows)


def write_noisy_pairs(data: Path, folder: Path, count: int) -> int:
    """Write pairs of 22 to 28 words to the files `src` and `tgt`; return the number of cells."""
    captions = []
    for lang in ("en", "fr"):
        with gzip.open(data / f"train.{lang}.gz", "rt", encoding="utf-8") as file:
            captions.append([_TOKEN.findall(line.lower()) for line in file])
    chance = random.Random(1)  # noqa: S311
    cells = 0
    with (folder / "src").open("w") as src, (folder / "tgt").open("w") as tgt:
        while count:
            chosen = [chance.randrange(len(captions[0])) for _ in range(2)]
            sides = [side[chosen[0]] + side[chosen[1]] for side in captions]
            if not 22 <= len(sides[0]) <= 28:
                continue
            for out, words in zip((src, tgt), sides, strict=True):
                noisy = (
                    f"{word}{chance.randrange(10**5)}" if chance.random() < 0.05 else word
                    for word in words
                )
                print(*noisy, file=out)
            cells += len(sides[0]) * len(sides[1])
            count -= 1
    return cells


def block_table(data: Path) -> str:
    """Return the table of the AER of 29,447 pairs in blocks of several sizes and orders."""
    gold = gold_of(data, "enfr")
    sides = texts(data, "enfr", 29_000)
    places = {"first": 0, "middle": 14_447, "last": 29_000}
    rows = []
    for cells in (1 << 25, 2_000_000, 1_000_000, 400_000):
        row = []
        for place in places.values():
            turn = len(sides[0]) - place
            words = [number(side[turn:] + side[:turn]) for side in sides]
            with one_thread():
                trained = train(*words, cells=cells)
                links = WordLinks.join([*trained.links(0.3)])
            aer = link_scores(gold, links[place : place + len(gold)]).aer
            row.append(f"{100 * aer:.1f}")
        rows.append([str(len(trained.runs)), f"{cells / 1e6:.1f}", *row])
        print(*rows[-1], flush=True)
    return as_table(["blocks", "million cells of a block", *places], rows)


def symmetrised_table(data: Path) -> str:
    """Return the table of the ways to symmetrise of `link_words`, on all sets."""
    rows = [[method] for method in METHODS]
    for name, captions in _SETS.values():
        gold = gold_of(data, name)
        with one_thread():
            trained = train(*map(number, texts(data, name, captions)))
            for row, method in zip(rows, METHODS, strict=True):
                blocks = range(len(trained.runs))
                links = WordLinks.join(
                    [directed_links_of(trained, k, method, 0.3)[0] for k in blocks]
                )
                counts = link_scores(gold, links[: len(gold)])
                figures = counts.aer, counts.precision, counts.recall
                row.append(" / ".join(f"{100 * value:.1f}" for value in figures))
    sizes = [f"{len(gold_of(data, name)) + captions:,} {name}" for name, captions in _SETS.values()]
    return as_table(["symmetrise", *sizes], rows)


def as_table(header: list[str], rows: list[list[str]]) -> str:
    """Format a table in Markdown."""
    lines = (f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))
    return "\n".join(lines)


def gold_of(data: Path, name: str) -> WordLinks:
    """Return the links of a gold standard, counted from 0."""
    gold = WordLinks.parse((data / f"{name}.gold").read_text().splitlines())
    return WordLinks(gold.ptr, gold.src - 1, gold.tgt - 1, sure=gold.sure)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--link"]:
        link(*sys.argv[2:])
    else:
        main()
