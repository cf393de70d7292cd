from fractions import Fraction
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text, WordLinks
from bitext.errors import InputError
from bitext.metrics import bootstrap, link_scores
from reference.draw import numbers

GOLD = ["0-0 1-1 2p2 3-3", "0-0 1p0 1-1"]
WRONG = ["0-3 1-2 2-1 3-0", "0-1 1-0"]

pair = numbers(72, most=8).map(lambda found: [(k // 12, k // 2 % 6, "p" * (k % 2)) for k in found])
pairs = st.lists(st.tuples(pair, pair), max_size=6)


def column(rows):
    return [" ".join(f"{i}-{j}{mark}" for i, j, mark in row) for row in rows]


def linked(values):
    rows = np.arange(len(values) + 1), np.arange(len(values))
    return Alignment.from_arrays(rows, rows, attributes={"words": values})


def test_the_worked_example_of_wrong_links():
    found = link_scores(WordLinks.parse(GOLD), WordLinks.parse(WRONG))
    assert (found.hits, found.proposed, found.found, found.expected) == (1, 6, 0, 5)
    assert found.precision == pytest.approx(1 / 6)
    assert found.recall == 0
    assert found.aer == pytest.approx(1 - 1 / 11)
    assert round(found.aer, 4) == 0.9091


def test_links_are_those_of_the_column_words():
    gold, wrong = linked(GOLD), linked(WRONG)
    want = link_scores(WordLinks.parse(GOLD), WordLinks.parse(WRONG))
    assert link_scores(gold, wrong) == want
    text = Text(["a b c d", "a b"])
    assert link_scores(Bitext(text, text, gold), Bitext(None, None, wrong)) == want


@given(pairs, st.booleans())
def test_counts_are_those_of_sets(rows, sure_only):
    golds, hyps = ([row[side] for row in rows] for side in (0, 1))
    gold, hyp = WordLinks.parse(column(golds)), WordLinks.parse(column(hyps))
    table = link_scores.many(gold, hyp, sure_only=sure_only)
    assert len(table) == len(rows)
    total = link_scores(gold, hyp, sure_only=sure_only)
    sums = [0, 0, 0, 0]
    for k, (of_gold, of_hyp) in enumerate(rows):
        sure = {(i, j) for i, j, mark in of_gold if not mark}
        possible = sure if sure_only else {(i, j) for i, j, _ in of_gold}
        proposed = {(i, j) for i, j, _ in of_hyp}
        want = [len(proposed & possible), len(proposed), len(sure), len(proposed & sure)]
        counts = table[k]
        assert [counts.hits, counts.proposed, counts.expected, counts.found] == want
        assert link_scores(gold[k], hyp[k], sure_only=sure_only) == counts
        sums = [a + b for a, b in zip(sums, want, strict=True)]
    assert [total.hits, total.proposed, total.expected, total.found] == sums
    if total.proposed and total.expected:
        error = 1 - Fraction(sums[0] + sums[3], sums[1] + sums[2])
        assert total.aer == pytest.approx(float(error))


@given(pairs)
def test_links_against_themselves_have_no_error(rows):
    golds = [[(i, j, "") for i, j, _ in row[0]] for row in rows]
    gold = WordLinks.parse(column(golds))
    found = link_scores(gold, gold)
    if found.expected:
        assert (found.precision, found.recall, found.f1, found.aer) == (1, 1, 1, 0)
    else:
        assert isnan(found.precision)
        assert isnan(found.aer)
        assert found.undefined == "nothing proposed, nothing expected"


@given(pairs)
def test_exchanging_the_sides_of_both_changes_nothing(rows):
    gold, hyp = (WordLinks.parse(column([row[side] for row in rows])) for side in (0, 1))
    assert link_scores(gold, hyp) == link_scores(gold.swapped(), hyp.swapped())


def test_f_weighs_precision_and_recall():
    found = link_scores(WordLinks.parse(["0-0 1-1 2-2 3-3"]), WordLinks.parse(["0-0 5-5"]))
    assert (found.precision, found.recall) == (0.5, 0.25)
    assert found.f() == found.f1 == pytest.approx(1 / 3)
    assert found.f(1) == 0.5
    assert found.f(0) == 0.25
    assert found.f(0.25) == pytest.approx(1 / (0.25 / 0.5 + 0.75 / 0.25))


def test_many_takes_lists_of_bitexts():
    table = link_scores.many([linked(GOLD), linked(GOLD)], [linked(WRONG), linked(GOLD)])
    assert table[0] == link_scores(linked(GOLD), linked(WRONG))
    assert table[1].aer == 0
    assert len(bootstrap(table)) == 3


def test_unequal_numbers_of_pairs_are_refused():
    with pytest.raises(InputError, match="gold standard has 2 sentence pairs and the hypothesis 1"):
        link_scores(WordLinks.parse(GOLD), WordLinks.parse(WRONG[:1]))
    with pytest.raises(InputError, match="item 1: the gold standard has 2 sentence pairs"):
        link_scores.many([linked(GOLD)] * 2, [linked(WRONG), linked(WRONG[:1])])


def test_an_alignment_without_links_is_refused():
    bare = Alignment([((0,), (0,)), ((1,), (1,))])
    with pytest.raises(InputError, match="the hypothesis has no word links"):
        link_scores(linked(GOLD), bare)
    with pytest.raises(InputError, match="the gold standard is 'x', of type str"):
        link_scores("x", bare)


def test_long_sentences_and_far_positions_are_counted():
    values = ["999999999-0 0-999999999", "", *["0-0 7-3p"] * 200_000]
    gold = WordLinks.parse(values)
    found = link_scores(gold, WordLinks.parse(values))
    assert (found.hits, found.expected) == (400_002, 200_002)
