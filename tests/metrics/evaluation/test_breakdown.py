from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.kernels.arrays import Rows, components
from bitext.metrics import arcade, evaluation
from bitext.metrics.evaluation import BeadType, bead_types, pool, worst_places
from bitext.model import Alignment, Bitext, Text
from reference import breakdown as slow
from reference import draw
from reference.measures import held


def compared(gold, hyp, src=None, tgt=None):
    texts = [None if side is None else Text(side) for side in (src, tgt)]
    return arcade(Bitext(*texts, Alignment(gold)), Bitext(*texts, Alignment(hyp))).comparison


def read(outcome):
    """Read `1-1 + 2 × 1-0` as a sorted tuple of types."""
    types = []
    for part in [] if outcome == "nothing" else outcome.split(" + "):
        count, _, kind = part.rpartition(" × ")
        types += [kind] * int(count or 1)
    return tuple(sorted(types))


def as_dict(rows):
    return {
        row.type: (row.expected, row.found, {read(k): n for k, n in row.became.items()})
        for row in rows
        if row.expected
    }


def proposed(hyp):
    """Return the number of proposed beads of each type, each bead once."""
    return Counter(f"{len(hyp[k][0])}-{len(hyp[k][1])}" for k in slow.unique(hyp))


@given(draw.compared())
def test_bead_types_and_what_became_of_them(case):
    _, _, gold, hyp = case
    rows = bead_types(compared(gold, hyp))
    assert as_dict(rows) == slow.bead_types(gold, hyp)
    assert [row.expected for row in rows] == sorted((r.expected for r in rows), reverse=True)
    for row in rows:
        assert row.missed == row.expected - row.found == sum(row.became.values())
        assert row.found <= row.proposed
    assert {row.type: row.proposed for row in rows if row.proposed} == proposed(hyp)


@given(st.lists(draw.compared(), max_size=3))
def test_the_types_of_several_texts_add_up(texts):
    rows = pool(bead_types(compared(gold, hyp)) for _, _, gold, hyp in texts)
    want = {}
    for _, _, gold, hyp in texts:
        for kind, (expected, found, became) in slow.bead_types(gold, hyp).items():
            e, f, b = want.get(kind, (0, 0, Counter()))
            want[kind] = (e + expected, f + found, b + became)
    assert as_dict(rows) == want
    total = sum((proposed(hyp) for _, _, _, hyp in texts), Counter())
    assert {row.type: row.proposed for row in rows if row.proposed} == total


def test_an_outcome_is_told_in_words():
    gold = [((0, 1, 2), (0,)), ((3,), (1,)), ((4,), (2,)), ((5,), ())]
    hyp = [((0,), (0,)), ((1,), ()), ((2,), ()), ((4,), (2,))]
    assert bead_types(compared(gold, hyp)) == [
        BeadType("1-1", 2, 1, {"nothing": 1}, 2),
        BeadType("1-0", 1, 0, {"nothing": 1}, 2),
        BeadType("3-1", 1, 0, {"2 × 1-0 + 1-1": 1}),
    ]


def test_too_many_neighbours_are_not_told_one_by_one():
    gold = [((k,), (0,)) for k in range(3)]
    hyp = [((k + 3,), (0,)) for k in range(2)]
    (row,) = bead_types(compared(gold, hyp), most_neighbours=5)
    assert (row.expected, row.missed, row.became) == (3, 3, {evaluation.TOO_MANY: 3})


@settings(max_examples=60)
@given(draw.compared(), st.booleans(), st.data())
def test_places_are_the_linked_groups_of_differing_bisegments(case, bare, data):
    n_src, n_tgt, gold, hyp = case
    src, tgt = (None, None) if bare else [data.draw(draw.segments(n)) for n in (n_src, n_tgt)]
    weights = [[1] * n if bare else [len(x) for x in t] for n, t in ((n_src, src), (n_tgt, tgt))]
    found = worst_places(compared(gold, hyp, src, tgt))
    assert {(p.gold, p.hyp): p.weight for p in found} == slow.places(gold, hyp, *weights)
    assert len({(p.gold, p.hyp) for p in found}) == len(found)
    ranks = [(-p.weight, -len(p.gold) - len(p.hyp)) for p in found]
    assert ranks == sorted(ranks)


@given(draw.compared())
def test_all_that_is_wrong_lies_in_the_places(case):
    _, _, gold, hyp = case
    found = worst_places(compared(gold, hyp))
    assert sum(p.weight for p in found) == len(held(gold) ^ held(hyp))


@given(draw.compared(), st.integers(0, 4))
def test_the_first_places_are_the_worst(case, most):
    _, _, gold, hyp = case
    comparison = compared(gold, hyp)
    assert worst_places(comparison, most) == worst_places(comparison)[:most]


def test_no_difference_no_place():
    gold = [((0,), (0,)), ((), (1,))]
    assert worst_places(compared(gold, gold[::-1])) == []


def test_a_long_chain_of_links_is_one_place():
    n = 20_000
    first, second = np.arange(n), np.arange(1, n + 1)
    windows = (np.arange(n + 1) * 2, np.stack([first, second], axis=1).ravel())
    chain = Alignment.from_arrays(windows, (np.arange(n + 1), np.arange(n)))
    none = Alignment()
    rng = np.random.default_rng(0)
    for links in (chain, chain.select(rng.permutation(n))):
        (place,) = worst_places(arcade(links, none).comparison)
        assert place.gold == tuple(range(n))
        assert place.weight == 2 * n


LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12, unique=True)


@given(LINKS)
def test_labels_are_shared_by_what_is_linked_and_nothing_else(links):
    of_beads = [sorted(s for b, s in links if b == k) for k in range(8)]
    segments = np.array([s for each in of_beads for s in each], dtype=np.int64)
    label = components(Rows(np.cumsum([0, *map(len, of_beads)]), segments))
    groups = [{b} for b in range(8)]
    for s in range(8):
        holders = {b for b, t in links if t == s}
        touched = [g for g in groups if g & holders]
        groups = [g for g in groups if not g & holders] + (
            [set().union(*touched)] if touched else []
        )
    assert {frozenset(np.flatnonzero(label == k).tolist()) for k in set(label.tolist())} == {
        frozenset(g) for g in groups
    }


def test_bead_types_are_those_of_the_sentences_not_of_the_atoms():
    src, cut = Text(["One two. Three four."]), Text(["One two.", "Three four."])
    tgt = Text(["Un deux. Trois quatre."])
    gold = Bitext(src, tgt, Alignment([((0,), (0,))]))
    hyp = Bitext(cut, tgt, Alignment([((0,), (0,)), ((1,), ())]))
    comparison = arcade(gold, hyp).comparison
    row, proposed_only = bead_types(comparison)
    assert (row.type, row.missed, row.became) == ("1-1", 1, {"1-0 + 1-1": 1})
    assert proposed_only == BeadType("1-0", 0, 0, {}, 1)
    assert comparison.ground.src.label(1) == "0"
