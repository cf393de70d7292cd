import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.kernels.matching import match_points, pair_off
from reference import line_matching as slow
from reference.draw import numbers


@st.composite
def lines(draw, most=9, width=24):
    places = sorted({*draw(numbers(width + 1, most=most))})
    of_gold = draw(numbers(2, least=len(places), most=len(places)))
    return np.array(places, dtype=np.int64), np.array(of_gold, dtype=bool)


def sides(places, of_gold):
    return places[of_gold].tolist(), places[~of_gold].tolist()


def as_pairs(places, of_gold, left, right):
    """Return the matches as sorted (gold, other)."""
    found = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        assert of_gold[a] != of_gold[b]
        pair = (places[a], places[b]) if of_gold[a] else (places[b], places[a])
        found.append(tuple(map(int, pair)))
    return sorted(found)


COSTS = st.tuples(
    st.integers(0, 6), st.integers(0, 6), st.integers(0, 5), st.integers(0, 3), st.integers(0, 9)
)


@given(lines(), COSTS)
@settings(max_examples=100)
def test_cost_and_matches_are_those_of_all_tried(line, costs):
    u, v, fixed, slope, reach = costs
    places, of_gold = line
    options = {"reach": reach, "alone": (u, v), "fixed": fixed, "slope": slope}
    left, right = match_points(places, of_gold, **options)
    found = as_pairs(places, of_gold, left, right)
    gold, hyp = sides(places, of_gold)
    cost = fixed * len(found) + slope * sum(abs(a - b) for a, b in found)
    cost += u * (len(gold) - len(found)) + v * (len(hyp) - len(found))
    expected, script = slow.match_points(gold, hyp, **options)
    assert cost == expected
    assert found == script
    assert (np.diff(left) > 0).all()
    assert (left < right).all()


@given(lines(most=40, width=60), st.integers(2, 8), st.integers(0, 2), st.integers(0, 2))
def test_long_parts_are_matched_as_short_ones(line, reach, fixed, slope):
    options = {"reach": reach, "alone": (3, 4), "fixed": fixed, "slope": slope}
    together = match_points(*line, **options)
    alone = match_points(*line, **options, long=2)
    assert [a.tolist() for a in together] == [a.tolist() for a in alone]


def test_costs_beyond_64_bits_change_nothing():
    places = np.array([0, 3, 4, 9, 11, 13, 14, 15])
    of_gold = np.array([1, 0, 1, 0, 0, 1, 0, 1], dtype=bool)
    small = match_points(places, of_gold, reach=5, alone=(3, 2), fixed=0, slope=1)
    huge = 10**30
    large = match_points(places, of_gold, reach=5, alone=(3 * huge, 2 * huge), fixed=0, slope=huge)
    assert [a.tolist() for a in small] == [a.tolist() for a in large]


@given(lines(most=20, width=30), st.integers(1, 5))
def test_pairing_off_goes_from_the_left(line, step):
    places, of_gold = line
    left, right = pair_off(places, of_gold, step)
    found = list(zip(places[left].tolist(), places[right].tolist(), strict=True))
    assert found == slow.pair_off(*sides(places, of_gold), step)


@given(lines(most=20, width=30))
def test_at_reach_1_both_are_one(line):
    minimal = match_points(*line, reach=1, alone=(2, 2), fixed=0, slope=1)
    assert [a.tolist() for a in minimal] == [a.tolist() for a in pair_off(*line, 1)]


@given(st.lists(lines(most=12, width=20), min_size=1, max_size=6), st.integers(1, 6))
def test_lines_far_apart_are_matched_each_by_itself(family, reach):
    options = {"reach": reach, "alone": (4, 4), "fixed": 0, "slope": 1}
    single, shifted, at, points = [], [], 0, 0
    for places, of_gold in family:
        left, right = match_points(places, of_gold, **options)
        single += [(a + points, b + points) for a, b in zip(left, right, strict=True)]
        shifted.append(places + at)
        at, points = at + 21 + reach, points + places.size
    together = np.concatenate(shifted), np.concatenate([side for _, side in family])
    left, right = match_points(*together, **options)
    assert list(zip(left, right, strict=True)) == single


def test_a_block_longer_than_its_reach_is_refused():
    # Four of one side before four of the other: only the two in the middle are near.
    places = np.arange(8)
    of_gold = np.array([1, 1, 1, 1, 0, 0, 0, 0], dtype=bool)
    left, right = match_points(places, of_gold, reach=2, alone=(9, 9), fixed=0, slope=1)
    assert (left.tolist(), right.tolist()) == ([2, 3], [4, 5])


def test_time_does_not_grow_with_the_reach():
    rng = np.random.default_rng(3)
    places = np.sort(rng.choice(400_000, 60_000, replace=False))
    of_gold = rng.random(60_000) < 0.5
    left, _ = match_points(places, of_gold, reach=10**6, alone=(10**6, 10**6), fixed=0, slope=1)
    assert left.size == min(of_gold.sum(), 60_000 - of_gold.sum())
