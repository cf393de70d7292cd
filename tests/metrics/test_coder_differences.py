"""Pairs of coders, and the places where coders differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation, compare
from bitext.errors import OptionError
from bitext.metrics.agreement import agreement_interval, cohen_kappa
from bitext.metrics.coder_differences import (
    CodedTexts,
    disagreements,
    pair_agreements,
    parse_pair_metrics,
)
from bitext.metrics.evaluation import Sampling
from bitext.metrics.segmentation.boundary_similarity import boundary_similarity
from bitext.metrics.segmentation.window_metrics import pk

CODERS = ("anna", "ben", "cleo")


def coded(*texts):
    rows = [tuple(None if m is None else Segmentation(m) for m in text) for text in texts]
    return CodedTexts(
        CODERS[: len(texts[0])], tuple(f"t{k}" for k in range(len(rows))), tuple(rows)
    )


SOME = coded(
    [(2, 3), (1, 1, 3), None],
    [(1, 4), (1, 4), (1, 4)],
    [(2, 2, 1), (2, 3), (2, 2, 1)],
    [(3, 3), None, (2, 1, 3)],
)


def test_a_pair_is_compared_over_the_texts_that_both_have():
    (metric,) = parse_pair_metrics(["B"])
    pairs = {(pair.coder, pair.other): pair for pair in pair_agreements(SOME, metric)}
    assert sorted(pairs) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    rows = [(row[0], row[2]) for row in SOME.codings if row[0] and row[2]]
    parts = boundary_similarity.many(*zip(*rows, strict=True))
    pooled = sum(part.numerator for part in parts) / sum(part.denominator for part in parts)
    assert pairs[0, 2].value == pytest.approx(pooled)
    assert (pairs[0, 2].texts, pairs[1, 2].texts, pairs[0, 2].better) == (3, 2, "higher")
    (kappa,) = parse_pair_metrics(["cohen"])
    found = {(pair.coder, pair.other): pair.value for pair in pair_agreements(SOME, kappa)}
    assert found[0, 2] == found[2, 0] == cohen_kappa([[*row] for row in rows]).value
    assert pairs[0, 2].interval is None


def test_intervals_of_pairs_are_those_of_systems_and_of_coefficients():
    metric, kappa = parse_pair_metrics(["B", "cohen-kappa"])
    shared = coded([(2, 3), (1, 4)], [(1, 4), (1, 4)], [(2, 2, 1), (2, 3)], [(3, 3), (2, 1, 3)])
    found = pair_agreements(shared, metric, Sampling())[0]
    assert found.interval[0] < found.value < found.interval[1]
    assert "|interval:jackknife|level:0.95|" in found.signature
    golds, hyps = zip(*shared.codings, strict=True)
    (row,) = compare(list(golds), {"x": list(hyps)}, metric="B").rows()
    assert (row["value"], row["low"], row["high"]) == (found.value, *found.interval)
    coders = pair_agreements(shared, kappa, Sampling())[0]
    assert coders.interval == agreement_interval(cohen_kappa, shared.codings)


@pytest.mark.parametrize("name", ["B", "A", "S", "pk"])
def test_intervals_of_pairs_do_not_depend_on_the_order_of_coders(name):
    (metric,) = parse_pair_metrics([name])
    texts = coded(
        [(2, 3, 4), (1, 8)], [(1, 4), (1, 1, 1, 2)], [(2, 2, 1), (2, 3)], [(3, 3, 6), (2, 1, 9)]
    )
    back = CodedTexts(texts.coders[::-1], texts.texts, tuple(row[::-1] for row in texts.codings))
    (pair, turned), (other, other_turned) = (
        pair_agreements(each, metric, Sampling()) for each in (texts, back)
    )
    assert pair.interval == other_turned.interval
    assert turned.interval == other.interval
    if pair.value == turned.value:
        assert pair.interval == turned.interval


def test_metrics_of_pairs_may_have_a_reference_parts_or_nothing_to_say():
    one, other = Segmentation([6, 6]), Segmentation([1, 1, 1, 1, 8])
    texts = coded([one.masses, other.masses])
    windows, parts = parse_pair_metrics(["pk, boundary", "pk"])
    there, back = pair_agreements(texts, windows)
    assert (there.value, back.value) == (pk(one, other).value, pk(other, one).value)
    assert there.value != back.value
    assert pair_agreements(texts, parts)[0].label == "boundary.f1"
    apart = coded([(2, 3), (2, 3), None], [None, (2, 3), (1, 4)])
    (lonely,) = (p for p in pair_agreements(apart, parts) if (p.coder, p.other) == (0, 2))
    assert (lonely.texts, lonely.undefined) == (0, "no text has both coders")
    short = pair_agreements(
        coded([(1, 1), (2,)], [(4, 4, 2), (4, 6)]), parse_pair_metrics(["pk(k=4)"])[0]
    )
    assert [pair.texts for pair in short] == [1, 1]  # a text within a window is left out
    alone = pair_agreements(coded([(1, 1), (2,)]), parse_pair_metrics(["pk(k=4)"])[0])[0]
    assert alone.texts == 0
    assert "k is 4 and the text has 2 units" in alone.undefined
    with pytest.raises(OptionError, match="metric 'wisebe' is over coders"):
        parse_pair_metrics(["wisebe"])


def test_near_misses_go_to_the_place_of_most_coders():
    text = coded([(3, 5), (3, 5), (4, 4)])
    (place,) = disagreements(text)
    assert (place.position, place.kind, place.near, place.apart) == (
        3,
        "near miss",
        ((2, 1),),
        (0, 2),
    )
    first, second = disagreements(text, shift=0)
    assert (first.position, first.placed, first.without) == (3, (0, 1), (2,))
    assert (second.position, second.placed, second.apart) == (4, (2,), (2, 0))
    # A boundary of all coders is no near miss of another.
    (extra,) = disagreements(coded([(3, 1, 4), (3, 5), (3, 5)]))
    assert (extra.position, extra.placed, extra.without) == (4, (0,), (1, 2))
    # Nor is one that a coder of the place has exactly there, too: anna and cleo agree on 4.
    places = disagreements(coded([(3, 1, 4), (3, 5), (4, 4)]))
    assert [(place.position, place.placed, place.near) for place in places] == [
        (3, (0, 1), ()),
        (4, (0, 2), ()),
    ]
    with pytest.raises(OptionError, match="shift is -1: want 0 or more"):
        disagreements(text, shift=-1)


def test_the_worst_place_comes_first_and_missing_coders_do_not_differ():
    places = disagreements(SOME)
    assert [(place.text, place.position, place.kind) for place in places] == [
        (2, 4, "full miss"),
        (0, 1, "full miss"),
        (3, 2, "full miss"),
    ]
    assert all(2 not in place.without for place in places if place.text == 0)


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.lists(st.text("01", min_size=n, max_size=n), min_size=2, max_size=5)
    ),
    st.integers(0, 3),
)
def test_every_boundary_is_of_all_coders_or_in_one_place(marks, shift):
    row = tuple(Segmentation.from_bits(bits) for bits in marks)
    texts = CodedTexts(tuple(map(str, range(len(row)))), ("t",), (row,))
    seen = []
    for place in disagreements(texts, shift=shift):
        coders = [*place.placed, *(coder for coder, _ in place.near), *place.without]
        assert sorted(coders) == list(range(len(row)))
        assert all(0 < abs(by) <= shift for _, by in place.near)
        seen += [(coder, place.position) for coder in place.placed]
        seen += [(coder, place.position + by) for coder, by in place.near]
    boundaries = [set(coding.boundaries.tolist()) for coding in row]
    everyone = set.intersection(*boundaries)
    assert sorted(seen) == sorted(
        (coder, place) for coder, own in enumerate(boundaries) for place in own - everyone
    )
