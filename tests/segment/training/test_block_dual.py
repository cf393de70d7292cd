"""The dual of one text: the conditions that hold at an optimum, and nowhere else."""

import numpy as np
import pytest

from bitext.segment.semi_markov import best_shares


@pytest.mark.parametrize(("dependent", "error"), [(False, 1e-7), (True, 1e-4)])
def test_no_share_can_be_moved_for_the_better(dependent, error):
    rng = np.random.default_rng(1)
    for _ in range(300):
        size, cost = int(rng.integers(1, 12)), float(rng.uniform(0.1, 3))
        rows = rng.normal(size=(size, 3 if dependent else 15))
        products, gains = rows @ rows.T, rng.normal(size=size) * 3
        begin = rng.random(size) * (rng.random(size) < 0.5)
        begin *= cost * rng.random() / max(begin.sum(), 1e-9)
        shares = best_shares(products, gains, cost, begin)
        assert (shares >= 0).all()
        assert shares.sum() <= cost * (1 + 1e-9)
        slope = gains - products @ shares
        # The price of more: none while there is room, else what those above 0 gain alike.
        price = 0.0 if shares.sum() < cost * (1 - 1e-7) else slope[shares > 1e-9].mean()
        assert price >= -error
        assert slope.max() <= price + error
        assert slope[shares > 1e-7] == pytest.approx(price, abs=error)


def test_nothing_to_share():
    assert best_shares(np.zeros((0, 0)), np.zeros(0), 1.0, np.zeros(0)).tolist() == []
    assert best_shares(np.eye(1), np.array([-1.0]), 1.0, np.zeros(1)).tolist() == [0.0]
