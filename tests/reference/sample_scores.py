"""Evaluations for the tests of pages: small ones of our own, many texts, and hostile names."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from bitext import read
from bitext.metrics.evaluation import Options
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.model import Alignment, Bitext

COAST = Path(__file__).resolve().parents[2] / "fixtures" / "coast"
HOSTILE = '</script><script>window.alerted=1</script><img src=x onerror="alert(1)">\u202egnp\u0000'


def coast(**options):
    """Return the scores of the two systems on our three texts."""
    made = Evaluation(["alpha", "beta"], Options(resamples=200, **options), detailed=True)
    for name in ("ferry", "lighthouse", "market"):
        texts = {"src": COAST / f"text/{name}.en", "tgt": COAST / f"text/{name}.fr"}
        hyps = [
            read(COAST / "alpha" / f"{name}.align", **texts),
            read(COAST / "beta" / f"{name}.ladder", **texts),
        ]
        made.add(read(COAST / "gold" / f"{name}.align", **texts), hyps, name)
    return made


def many(texts, systems=5):
    """Return the scores of systems, each worse than the one before, on as many small texts."""
    random = Random(7)
    made = Evaluation(
        [f"system {k}" for k in range(systems)], Options(resamples=100), detailed=True
    )
    for text in range(texts):
        beads = [((k,), (k,)) for k in range(random.randint(10, 30))]
        hyps = []
        for k in range(systems):
            kept = [bead for bead in beads if random.random() > 0.06 * k]
            hyps.append(Bitext(None, None, Alignment(kept or beads[:1])))
        made.add(Bitext(None, None, Alignment(beads)), hyps, f"text {text:04}")
    return made


def hostile():
    """Return scores of systems and texts whose names are none; one text has nothing to score."""
    names = [HOSTILE, 10_000 * "w", "a" + 3_000 * "\u0301", *(f"s{k}" for k in range(17))]
    made = Evaluation(names, Options(resamples=0), detailed=True)
    beads = [((0,), (0,)), ((1,), (1, 2))]
    whole, half = (Bitext(None, None, Alignment(held)) for held in (beads, beads[:1]))
    empty = Bitext(None, None, Alignment([((0,), ())]))
    for name in (HOSTILE, 10_000 * "m", "b" + 3_000 * "\u0489"):
        made.add(whole, [half] * len(names), name)
    made.add(empty, [empty] * len(names), "nothing")
    return made


def rows_of(result):
    """Return the rows of JSON that a command has printed."""
    assert result.status == 0, result.err
    return json.loads(result.out)["rows"]


def row(rows, **wanted):
    """Return the one row with some values."""
    (found,) = [r for r in rows if all(r[k] == v for k, v in wanted.items())]
    return found
