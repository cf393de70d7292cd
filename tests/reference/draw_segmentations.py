"""Segmentations drawn at random, for the tests of metrics."""

import functools

import numpy as np
from hypothesis import strategies as st

from bitext import Segmentation


@functools.cache  # hypothesis looks into each new strategy, which takes longer than drawing
def masses_of(n):
    """Draw the masses of a segmentation of n units."""
    return _bits_of(n).map(lambda bits: _cut([k for k, bit in enumerate(bits, 1) if bit == "1"], n))


def pairs_of_masses(least=1, most=24):
    """Draw the masses of two segmentations of the same units."""
    return st.integers(least, most).flatmap(_two_masses_of)


@functools.cache
def _two_masses_of(n):
    return st.tuples(masses_of(n), masses_of(n))


def random_masses(rng, n, segments):
    """Return the masses of a segmentation of n units, all places equally likely."""
    return _cut(sorted((rng.permutation(n - 1)[: segments - 1] + 1).tolist()), n)


@functools.cache
def random_pairs(seed, count, n=60):
    """Return pairs of segmentations of up to n units, of all densities."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        size = int(rng.integers(2, n + 1))
        a, b = rng.integers(1, size + 1, size=2).tolist()
        out.append(tuple(Segmentation(random_masses(rng, size, m)) for m in (a, b)))
    return out


def _cut(places, n):
    return [b - a for a, b in zip([0, *places], [*places, n], strict=True)]


@st.composite
def pairs(draw, most=14):
    """Draw two segmentations of the same units."""
    n = draw(st.integers(1, most))
    bits = _bits_of(n)
    return Segmentation.from_bits(draw(bits)), Segmentation.from_bits(draw(bits))


@functools.cache
def _bits_of(n):
    return st.text("01", min_size=n - 1, max_size=n - 1)


@st.composite
def typed_sets(draw, most=6, types=(1, 2, 4)):
    """Draw two lists of sets of types, one a potential boundary."""
    n = draw(st.integers(1, most))
    row = _rows_of_types(n, types)
    return draw(row), draw(row)


@functools.cache
def _rows_of_types(n, types):
    return st.lists(st.frozensets(st.sampled_from(types)), min_size=n, max_size=n)


def random_pair(rng, most=40):
    """Draw two segmentations of the same units, of one density each."""
    n = int(rng.integers(2, most))
    sides = []
    for _ in range(2):
        signs = rng.random(n - 1) < rng.choice([0.1, 0.3, 0.6, 0.9])
        sides.append(Segmentation.from_bits("".join("01"[int(sign)] for sign in signs)))
    return sides
