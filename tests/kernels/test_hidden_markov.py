"""Forward-backward of word links, beside an enumeration of all paths."""

import numpy as np
import pytest

from bitext.kernels.word_links import JUMPS, WIDEST, forward_backward, initial_jumps
from tests.reference.word_links_slow import path_posteriors


def _posteriors(emissions, null, jumps, sizes, lengths):
    length, _, size = emissions.shape
    return forward_backward(
        emissions.astype(np.float32),
        null.astype(np.float32),
        jumps,
        null_share=0.2,
        states=(np.arange(size) < np.array(sizes)[:, None]).astype(np.float32),
        observations=(np.arange(length)[:, None] < np.array(lengths)).astype(np.float32),
    )


def test_posteriors_jumps_and_likelihood_are_those_of_all_paths_despite_padding():
    random = np.random.default_rng(3)
    sizes, lengths = [3, 1, 2, 3], [3, 2, 1, 2]
    emissions, null = random.random((3, 4, 3)), random.random((3, 4))
    jumps = random.random(JUMPS)
    by_width = {width: jumps[width + WIDEST] for width in range(-WIDEST, WIDEST + 1)}
    made = _posteriors(emissions, null, jumps, sizes, lengths)
    moved = np.zeros(JUMPS)
    for k, (size, length) in enumerate(zip(sizes, lengths, strict=True)):
        links, widths, chance = path_posteriors(
            emissions[:length, k, :size].tolist(), null[:length, k].tolist(), by_width,
            null_share=0.2,
        )  # fmt: skip
        assert made.links[:length, k, :size] == pytest.approx(np.array(links), abs=1e-5)
        assert not made.links[length:, k].any()
        assert not made.links[:, k, size:].any()
        assert made.log_likelihood[k] == pytest.approx(np.log(chance), abs=1e-5)
        for width, value in widths.items():
            moved[width + WIDEST] += value
    assert made.jumps == pytest.approx(moved, abs=1e-5)


def test_impossible_observations_give_no_links_and_no_nan():
    made = _posteriors(np.zeros((2, 1, 2)), np.zeros((2, 1)), initial_jumps(), [2], [2])
    assert not made.links.any()
    assert np.isfinite(made.log_likelihood).all()


def test_jumps_beyond_the_widest_count_as_the_widest():
    size = WIDEST + 40
    emissions = np.full((2, 1, size), 1e-9)
    emissions[0, 0, 0] = emissions[1, 0, size - 1] = 1.0
    made = _posteriors(emissions, np.full((2, 1), 1e-9), np.full(JUMPS, 1 / JUMPS), [size], [2])
    assert made.jumps[-1] == pytest.approx(1, abs=1e-3)
    assert made.links[1, 0, -1] == pytest.approx(1, abs=1e-3)


def test_the_initial_jumps_prefer_short_ones_in_neither_direction():
    weights = initial_jumps()
    assert weights.argmax() == WIDEST
    assert weights.tolist() == weights[::-1].tolist()
    assert weights.sum() == pytest.approx(1)
