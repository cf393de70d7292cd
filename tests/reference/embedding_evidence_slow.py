"""The evidence of vectors, bead by bead, as the definition says."""

from __future__ import annotations

import math

import numpy as np


def unit(vector):
    size = math.sqrt(float(vector @ vector))
    return vector / size if size else vector * 0.0


def window_vectors(vectors, size):
    """Return the pooled vectors of all windows, without their mean, of length 1."""
    single = [unit(np.asarray(vector, dtype=np.float64)) for vector in vectors]
    pooled = [unit(sum(single[k : k + size])) for k in range(len(single) - size + 1)]
    known = [vector for vector in pooled if vector.any()]
    mean = sum(known) / len(known) if known else 0.0
    return [
        unit(vector - mean)
        if vector.any() and np.linalg.norm(vector - mean) > 1e-4
        else vector * 0.0
        for vector in pooled
    ]


def bead_score(src, tgt, row, column, bead, odds, weight):
    """Return the score of the bead that ends at a point; 0 outside of the table."""
    a, b = bead
    if not (a and b) or row < a or column < b or row > len(src) or column > len(tgt):
        return 0.0
    source = window_vectors(src, a)[row - a]
    target = window_vectors(tgt, b)[column - b]
    if not source.any() or not target.any():
        return 0.0
    return weight * (a + b) / 2 * (odds[0] * float(source @ target) + odds[1])
