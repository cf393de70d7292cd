"""Many resamples at once are as random as those drawn one by one."""

import numpy as np
import pytest

from bitext.metrics.significance import (
    UNSURE,
    Poisson,
    bootstrap,
    drawn_sums,
    exchanged_sums,
    paired_bootstrap,
    randomisation,
)

UNITS, RESAMPLES = 1500, 4000  # more than are drawn one by one


def chances(mean, count):
    return np.exp(-mean) * np.cumprod([1.0, *(mean / k for k in range(1, count))])


def one_by_one(function, *given, **options):
    """Call with fewer resamples, which are drawn one by one."""
    return function(*given, **{**options, "resamples": 2700})


def test_each_resample_has_as_many_draws_as_there_are_units():
    for units in (1024, 1500, 2048 + 7):
        sums = drawn_sums(np.ones((units, 1)), resamples=RESAMPLES + 500, seed=3)
        assert sums.shape == (RESAMPLES + 500, 1)
        assert (sums == units).all()


def test_how_often_units_are_drawn_is_multinomial():
    some = np.zeros((UNITS, 40))
    some[np.linspace(0, UNITS - 1, 40).astype(int), np.arange(40)] = 1
    drawn = drawn_sums(some, resamples=RESAMPLES, seed=1)
    share = 1 / UNITS
    wanted = (1 - share) ** UNITS * np.cumprod(
        [1.0, *((UNITS - k) / (k + 1) * share / (1 - share) for k in range(5))]
    )
    found = np.array([(drawn == k).mean() for k in range(6)])
    assert found == pytest.approx(wanted, abs=4 * np.sqrt(0.25 / drawn.size))
    assert drawn.mean() == pytest.approx(1, abs=4 / np.sqrt(drawn.size))
    # What one unit has more others have less, and resamples know nothing of each other.
    total = drawn.sum(axis=1)
    assert total.var() == pytest.approx(40 * (1 - 40 * share), rel=0.1)
    assert abs(np.corrcoef(drawn[:-1, 0], drawn[1:, 0])[0, 1]) < 4 / np.sqrt(RESAMPLES)


@pytest.mark.parametrize("mean", [0.9, 0.993])
def test_every_value_of_sixteen_bits_stands_for_its_share(mean):
    class Values:
        """All values, once."""

        bit_generator = property(lambda self: self)

        def random_raw(self, count):
            return np.arange(4 * count, dtype="<u2").view("<u8")

        def random(self, count):
            return np.full(count, self.rest)

    poisson, values, wanted = Poisson.of(mean), Values(), np.cumsum(chances(mean, 12)) * 65_536
    for values.rest, side in ((0.0, np.ceil), (1 - 2**-53, np.floor)):
        counts = np.bincount(poisson.numbers(values, 65_536), minlength=12)
        # Of a value in which a number ends the rest decides.
        assert np.cumsum(counts[:8]).tolist() == side(wanted[:8]).tolist()
    unsure = np.flatnonzero(poisson.table == UNSURE)
    assert unsure.tolist() == sorted(set(np.floor(wanted[wanted < 65_536]).astype(int).tolist()))


def test_units_are_taken_or_not_alike():
    columns = np.zeros((UNITS, 3))
    columns[5, 0] = columns[-1, 1] = columns[900, 2] = 1
    taken = exchanged_sums(columns, resamples=RESAMPLES, seed=2)
    assert set(taken.ravel().tolist()) == {0.0, 1.0}
    assert taken.mean(axis=0) == pytest.approx([0.5] * 3, abs=4 * 0.5 / np.sqrt(RESAMPLES))
    assert np.abs(np.corrcoef(taken.T) - np.eye(3)).max() < 4 / np.sqrt(RESAMPLES)
    full = exchanged_sums(np.ones((UNITS, 1)), resamples=RESAMPLES, seed=2)[:, 0]
    assert full.mean() == pytest.approx(UNITS / 2, abs=4 * np.sqrt(UNITS / 4 / RESAMPLES))
    assert full.var() == pytest.approx(UNITS / 4, rel=0.1)
    assert not exchanged_sums(np.zeros((UNITS, 2)), resamples=RESAMPLES, seed=2).any()


@pytest.mark.parametrize("macro", [False, True])
def test_intervals_and_tests_are_those_of_units_drawn_one_by_one(macro):
    rng = np.random.default_rng(7)
    first, second = (
        np.stack([h := rng.integers(0, 9, UNITS), h + rng.integers(0, 4, UNITS), h + m, h], axis=1)
        for m in (2, rng.integers(1, 4, UNITS))
    )
    options = {"macro": macro, "resamples": RESAMPLES, "seed": 4}
    found, wanted = bootstrap(first, **options), one_by_one(bootstrap, first, **options)
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours != theirs  # other draws
        assert tuple(ours) == pytest.approx(tuple(theirs), abs=0.1 * (theirs.high - theirs.low))
    for test in (randomisation, paired_bootstrap):
        p, other = test(first, second, **options), one_by_one(test, first, second, **options)
        assert p == pytest.approx(other, abs=0.05)
        assert test(first, second, **options) == p
        assert test(first, second, **{**options, "seed": 5}) != p
