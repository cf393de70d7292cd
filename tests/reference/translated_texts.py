"""Made texts with their translations and beads, to leave out of, to turn round, and to repeat."""

from __future__ import annotations

import functools
import itertools
import random

import numpy as np

from bitext.align.sentences.texts import SentencePair
from bitext.model import Text

_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]


def word(key):
    rng = random.Random(key)
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(1, 4)))


_WORDS = [(word(f"s{k}"), word(f"t{k}")) for k in range(800)]
_OFTEN = list(itertools.accumulate(1 / (k + 5) for k in range(len(_WORDS))))  # up to each word


def sentences(count, *, seed, names=0.5):
    """Return so many pairs of a sentence and its translation; a share of them has a name."""
    return list(_sentences(count, seed, names))


@functools.cache  # many tests start from the same text
def _sentences(count, seed, names):
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        size = max(3, round(rng.lognormvariate(2.0, 0.5)))
        pairs = rng.choices(_WORDS, cum_weights=_OFTEN, k=size)
        name = ""
        if rng.random() < names:
            name = f" {word(rng.random())}{word(rng.random())}"
        found.append(
            (
                " ".join(a for a, _ in pairs) + name.title() + ".",
                " ".join(b for _, b in pairs) + name.title() + ".",
            )
        )
    return found


def pair_of(src, tgt):
    """Return the pair of two lists of sentences."""
    return SentencePair(Text(src), Text(tgt))


def lengths(count, seed):
    """Return the lengths of sentences and of their translations."""
    rng = np.random.default_rng(seed)
    src = np.rint(rng.lognormal(4, 0.6, count)) + 2
    return src, np.maximum(np.rint(src + rng.normal(0, np.sqrt(src))), 1)
