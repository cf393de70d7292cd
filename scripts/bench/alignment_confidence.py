"""How honest the scores of beads are: the share of right beads against what the scores promise.

    python scripts/bench/alignment_confidence.py --data FOLDER [--vectors FOLDER] [--encoder NAME]
        [--without-vectors SET,...] [--methods lexical,poisson] [--sets NAME,...] [--report FILE]

FOLDER and the options are as in `alignment_quality.py`. A bead is right when the gold standard has
it (with verses: when the merged bead that it is part of is). Four tables:

- of each set and method, the share of right beads, the mean score, the expected calibration error
  (ten bins of scores; the mean, over beads, of the difference of share and mean score in their
  bin), and of the beads that are left with `--min-score` .5, .8, .9 and .95 the share that is
  right, and how much that is of all right ones;
- of each method, over all sets together, each bin with its share of right beads;
- the temper of each method (`SentenceMethod.temper`) with which the loss, minus the mean
  logarithm of what the score gave to what is true, is least: mean over sets, and over all sets but
  one. Its spread says how much it is a property of the method and not of a set;
- of texts with passages cut out or moved, aligned by `lexical`, the beads in a passage that is left
  out, beside one, and elsewhere (`confidence_cuts.py`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import alignment_quality as quality
import numpy as np
from confidence_cuts import PLACES, measured_cuts
from results import made_today

from bitext.align.sentences import alignment_of
from bitext.align.sentences.options import SENTENCE_METHODS
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext import Alignment

TEMPERS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0)
LEAST = (0.5, 0.8, 0.9, 0.95)
BINS = 10
_NEVER = 1e-4  # what a score gives at least to what is true, or the loss would be without bound

_ABOUT = """\
# Sentence alignment: how honest the scores are

Made by `{command}`, whose docstring
tells what is measured; {versions}.

## By set

P is the share of right beads, in per cent, among those that `--min-score` leaves, and R the share
of all right beads that are left.

"""


class Scored(NamedTuple):
    """Beads of the texts of a set: whether each is right, and its score by temper."""

    right: NDArray[np.bool_]
    scores: dict[float, NDArray[np.float64]]


def right_beads(doc: quality.Document, alignment: Alignment) -> NDArray[np.bool_]:
    """Return whether each bead of an alignment is in the gold standard of a document."""
    gold = {(bead.src, bead.tgt) for bead in doc.gold.alignment}
    if doc.verses is None:
        return np.array([(bead.src, bead.tgt) in gold for bead in alignment], dtype=bool)
    merged = list(quality.merged(alignment, doc.verses))
    good = [(bead.src, bead.tgt) in gold for bead in merged]
    # Each bead is part of the merged one that its first sentence is in.
    at = [{k: n for n, bead in enumerate(merged) for k in bead[side]} for side in (0, 1)]
    found = (at[0][bead.src[0]] if bead.src else at[1][bead.tgt[0]] for bead in alignment)
    return np.array([good[n] for n in found], dtype=bool)


def scored(bench: quality.Bench, docs: Sequence[quality.Document], method: str) -> Scored:
    """Align the documents of a set, and score their beads with each temper."""
    tempers = sorted({*TEMPERS, SENTENCE_METHODS[method].temper})
    right: list[NDArray[np.bool_]] = []
    scores: dict[float, list[NDArray[np.float64]]] = {temper: [] for temper in tempers}
    for langs in sorted({doc.langs for doc in docs}):
        group = [doc for doc in docs if doc.langs == langs]
        aligner = bench.aligner(group, method)
        for k, doc in enumerate(group):
            right.append(right_beads(doc, alignment_of(aligner, k)))
            for temper in tempers:
                scores[temper].append(aligner.posteriors(k, temper=temper))
    joined = {temper: np.concatenate(each) for temper, each in scores.items()}
    return Scored(np.concatenate(right), joined)


def calibration_error(right: NDArray[np.bool_], score: NDArray[np.float64]) -> float:
    """Return the mean difference of the share of right beads and the mean score, over bins.

    Examples
    --------
    >>> calibration_error(np.array([True, False]), np.array([0.75, 0.75]))
    0.25

    """
    place = bins(score)
    over = np.bincount(place, right - score, BINS)
    return float(np.abs(over).sum()) / len(score)


def bins(score: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the bin of each score: tenths, the last with 1."""
    return np.minimum((score * BINS).astype(np.int64), BINS - 1)


def loss(right: NDArray[np.bool_], score: NDArray[np.float64]) -> float:
    """Return minus the mean logarithm of what scores gave to what is true."""
    given = np.where(right, score, 1 - score)
    return float(-np.log(np.maximum(given, _NEVER)).mean())


def by_set(found: dict[tuple[str, str], Scored]) -> Table:
    """Return the table of sets and methods."""
    least = [f"P / R, .{str(value)[2:]}" for value in LEAST]
    head = ["set", "method", "beads", "right", "mean score", "ECE", "ECE, not tempered", *least]
    made = Table(head, right=set(range(2, len(head))), quiet={0})
    for (name, method), one in sorted(found.items()):
        score = one.scores[SENTENCE_METHODS[method].temper]
        cells = [name, method, str(len(score)), number(one.right.mean()), number(score.mean())]
        cells += [number(calibration_error(one.right, each)) for each in (score, one.scores[1.0])]
        for value in LEAST:
            kept = one.right[score >= value]
            precise = f"{100 * kept.mean():.1f}" if len(kept) else "-"
            cells.append(f"{precise} / {100 * kept.sum() / max(one.right.sum(), 1):.1f}")
        made.rows.append(cells)
    return made


def by_bin(found: dict[tuple[str, str], Scored]) -> Table:
    """Return the table of bins, over all sets."""
    methods = list(dict.fromkeys(method for _, method in found))
    head = ["score", *(f"{method}: {what}" for method in methods for what in ("beads", "right"))]
    made = Table(head, right=set(range(1, len(head))), quiet={0})
    rows = [[f"{k / BINS:.1f} to {(k + 1) / BINS:.1f}"] for k in range(BINS)]
    for method in methods:
        mine = [one for (_, name), one in found.items() if name == method]
        score = np.concatenate([one.scores[SENTENCE_METHODS[method].temper] for one in mine])
        place, right = bins(score), np.concatenate([one.right for one in mine])
        counts, sums = np.bincount(place, minlength=BINS), np.bincount(place, right, BINS)
        for row, count, good in zip(rows, counts.tolist(), sums.tolist(), strict=True):
            row += [str(count), number(good / count) if count else "-"]
    made.rows += rows
    return made


def by_temper(found: dict[tuple[str, str], Scored]) -> Table:
    """Return the table of tempers, chosen by all sets and with each left out."""
    methods = list(dict.fromkeys(method for _, method in found))
    head = ["method", *(f"loss, {temper:g}" for temper in TEMPERS), "best", "each left out", "used"]
    made = Table(head, right=set(range(1, len(head))), quiet={0})
    for method in methods:
        mine = [one for (_, name), one in found.items() if name == method]
        table = np.array([[loss(one.right, one.scores[t]) for t in TEMPERS] for one in mine])
        best = TEMPERS[int(table.mean(axis=0).argmin())]
        others = [np.delete(table, k, axis=0) for k in range(len(table) if len(table) > 1 else 0)]
        chosen = [TEMPERS[int(rest.mean(axis=0).argmin())] for rest in others]
        left = f"{min(chosen):g} to {max(chosen):g}" if chosen else "-"
        cells = [method, *(number(value) for value in table.mean(axis=0)), f"{best:g}", left]
        made.rows.append([*cells, f"{SENTENCE_METHODS[method].temper:g}"])
    return made


def by_place(options: argparse.Namespace) -> Table:
    """Return the table of texts with passages cut out, over all cases of a set."""
    head = ["set", "where", "beads", "right", "mean score", "ECE", "score below .1", "right"]
    made = Table(head, right=set(range(2, len(head))), quiet={0})
    rows: dict[tuple[str, int], list[tuple[NDArray[np.bool_], NDArray[np.float64]]]] = {}
    for name, place, right, score in measured_cuts(options, "lexical"):
        for at in range(len(PLACES)):
            for key in (name, "all"):
                rows.setdefault((key, at), []).append((right[place == at], score[place == at]))
    for (name, at), each in sorted(rows.items(), key=lambda row: (row[0][0] == "all", row[0])):
        right, score = (np.concatenate(some) for some in zip(*each, strict=True))
        if not len(right):
            continue
        low = right[bins(score) == 0]
        figures = (right.mean(), score.mean(), calibration_error(right, score))
        cells = [name, PLACES[at], str(len(right)), *(number(value) for value in figures)]
        made.rows.append([*cells, str(len(low)), number(low.mean()) if len(low) else "-"])
    return made


def measured(options: argparse.Namespace) -> dict[tuple[str, str], Scored]:
    """Return the scores of all sets and methods."""
    bench = quality.Bench(options)
    found: dict[tuple[str, str], Scored] = {}
    folders = sorted(path for path in options.data.iterdir() if (path / "README.md").exists())
    for method in options.methods:
        for folder in folders:
            none = options.vectors is None or folder.name in options.without_vectors
            if SENTENCE_METHODS[method].vectors and none:
                continue
            if options.sets and folder.name not in options.sets:
                continue
            found[folder.name, method] = scored(bench, list(quality.documents(folder)), method)
            quality.told([folder.name, method])
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    quality.add_options(parser)
    options = parser.parse_args(arguments)
    found = measured(options)
    tables: list[tuple[str, Any]] = [
        ("", by_set(found)),
        ("\n## By score, over all sets\n\n", by_bin(found)),
        ("\n## Temper\n\n", by_temper(found)),
    ]
    if "lexical" in options.methods:
        tables.append(("\n## Where passages are cut out, lexical\n\n", by_place(options)))
    for _, table in tables:
        print(table.render("table"))
    if options.report:
        about = _ABOUT.format(
            command=f"python scripts/bench/alignment_confidence.py {quality.shown(options)} "
            "--report FILE",
            versions=made_today("numpy"),
        )
        text = about + "".join(title + table.render("markdown") for title, table in tables)
        Path(options.report).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
