from __future__ import annotations

import zlib
from math import comb, lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import OptionError
from bitext.metrics.registry import NamedMetric, all_metrics, metric, parse_metric
from bitext.metrics.study import (
    ERRORS,
    TOLERANCE,
    Batch,
    StudiedMetric,
    batches_of,
    erring,
    lay,
    moves_of,
    ranks,
    references,
    rows_of,
    study_batch,
    study_errors,
    window,
)
from bitext.model import CountsTable, Ratios
from reference import error_study as slow

ORACLES = {
    "window-diff": slow.padded_window_diff,
    "boundary-similarity": slow.boundary_similarity,
    "alignment-similarity": slow.alignment_similarity,
}
# By the slow version, for n from 5 to 12: cross, vanishing, constant cost. A has none.
COUNTS = {
    "window-diff": [
        (0, 2, 0),
        (0, 4, 0),
        (0, 15, 0),
        (0, 43, 0),
        (0, 89, 2),
        (4, 225, 6),
        (20, 515, 16),
        (68, 1061, 46),
    ],
    "boundary-similarity": [
        (0, 0, 0),
        (0, 0, 0),
        (0, 0, 0),
        (0, 2, 0),
        (0, 8, 2),
        (4, 23, 6),
        (20, 59, 16),
        (68, 143, 46),
    ],
    "alignment-similarity": [(0, 0, 0)] * 8,
}


def studied(text, measure=""):
    return StudiedMetric(parse_metric(text), measure)


def counted(rows, label, n):
    return tuple(row.erring for row in rows if row.metric.label == label and row.n == n)


@pytest.fixture(scope="module")
def rows():
    return study_errors(map(studied, ORACLES), 5, 12)


@pytest.mark.parametrize("name", ORACLES)
def test_the_counts_are_those_of_the_slow_version(rows, name):
    assert [counted(rows, name, n) for n in range(5, 13)] == COUNTS[name]
    for n in range(5, 11):
        assert tuple(slow.study(ORACLES[name], n).values()) == COUNTS[name][n - 5]


@pytest.mark.parametrize("name", ORACLES)
def test_by_segments_the_counts_are_those_of_the_slow_version_over_all_lengths(name):
    rows = study_errors([studied(name)], 3, 9, by="segments")
    assert [row.n for row in rows] == [*range(2, 9)] * 3
    for m in range(2, 9):
        mine = [row for row in rows if row.n == m]
        each = [slow.study_of_segments(ORACLES[name], n, m) for n in range(m + 1, 10)]
        wanted = [sum(column) for column in zip(*(f.values() for f in each), strict=True)]
        assert [row.erring for row in mine] == wanted
        assert {row.references for row in mine} == {
            sum(comb(n - 1, m - 1) for n in range(m + 1, 10))
        }
        assert all(len(row.example.reference) == m for row in mine if row.example)


def test_by_segments_and_by_units_are_the_same_references(rows):
    other = study_errors(map(studied, ORACLES), 5, 12, by="segments")
    for name in ORACLES:
        for error in {row.error for row in rows}:
            one, two = (
                [r for r in family if (r.metric.label, r.error) == (name, error)]
                for family in (rows, other)
            )
            assert sum(r.references for r in one) == sum(r.references for r in two)
            assert sum(r.erring for r in one) == sum(r.erring for r in two)


def test_every_reference_of_each_length_is_counted(rows):
    assert all(row.references == 2 ** (row.n - 1) - 2 for row in rows)
    assert all(row.share == row.erring / row.references for row in rows)


def test_an_example_is_the_smallest_reference_that_errs_and_a_pair_scored_equally(rows):
    for row in rows:
        assert (row.example is None) == (row.erring == 0)
        if row.example is None or row.n > 10:
            continue
        score = ORACLES[row.metric.label]
        ends = [np.cumsum(masses)[:-1].tolist() for masses in row.example]
        m = len(row.example.reference)
        kind = slow.TYPES[ERRORS.index(row.error)]
        assert ends[1:] == next(
            [h1, h2]
            for h1, h2 in sorted(slow.pairs_of(ends[0], row.n)[kind], key=moved(ends[0]))
            if score(ends[0], h1, row.n, m) == score(ends[0], h2, row.n, m)
        )
        smaller = [
            inner
            for fewer in range(2, m + 1)
            for inner in slow.references(row.n, fewer)
            if (fewer, slow.masses(inner, row.n)) < (m, row.example.reference)
        ]
        assert not any(slow.errs(score, inner, row.n)[kind] for inner in smaller)


def moved(reference):
    """The order of pairs: by the boundary that moves, then by where it goes."""

    def key(pair):
        return [(min(set(reference) - set(hyp)), min(set(hyp) - set(reference))) for hyp in pair]

    return key


def test_references_are_all_there_are_in_the_order_of_their_masses():
    for n in (3, 6, 9):
        for m in range(2, n):
            bounds = references(n, m, 0, comb(n - 1, m - 1))
            expected = [[0, *inner, n] for inner in slow.references(n, m)]
            assert bounds.tolist() == expected
            assert references(n, m, 1, 2).tolist() == expected[1:2]
            masses = np.diff(bounds).tolist()
            assert masses == sorted(masses)


@pytest.mark.parametrize("n", [5, 8, 11])
def test_hypotheses_are_those_that_stand_in_some_pair_and_each_is_laid_out_once(n):
    for m in range(2, n):
        bounds = references(n, m, 0, comb(n - 1, m - 1))
        moves = moves_of(bounds)
        pairs = lay(bounds, moves)
        assert len(pairs) == moves.to.size
        found = [[] for _ in bounds]
        for gold, hyp, row in zip(
            pairs.gold.bounds[:-1].reshape(-1, m) % n,
            pairs.hyp.bounds[:-1].reshape(-1, m) % n,
            moves.reference,
            strict=True,
        ):
            assert gold.tolist() == bounds[row, :-1].tolist()
            found[row].append(hyp[1:].tolist())
        for reference, hyps in zip(bounds[:, 1:-1].tolist(), found, strict=True):
            wanted = slow.pairs_of(reference, n).values()
            assert sorted(hyps) == sorted(
                map(list, {tuple(hyp) for cases in wanted for pair in cases for hyp in pair})
            )


def test_kinds_of_moves_are_told_apart_also_at_a_jaccard_index_of_a_half():
    # (2, 6, 7) has a soft shift by 3, and one by 3 that leaves (5, 3): three of six are a half.
    names = {0: "neither", 1: "soft", 2: "hard", 4: "cross"}
    bounds = references(15, 3, 0, 91)
    assert [0, 2, 8, 15] in bounds.tolist()
    moves = moves_of(bounds)
    wanted = [{(i, d, *hyp): kind for kind, i, d, hyp in slow.moves(b[1:-1], 15)} for b in bounds]
    hyps = (lay(bounds, moves).hyp.bounds[:-1].reshape(-1, 3) % 15)[:, 1:].tolist()
    for row, boundary, distance, kind, hyp in zip(
        moves.reference, moves.boundary, moves.distance, moves.kind, hyps, strict=True
    ):
        assert wanted[row][boundary, distance, *hyp] == names[kind]


@given(st.integers(5, 10), st.integers(1, 30), st.integers(0, 1000))
def test_pairs_of_equal_scores_are_found_whatever_the_scores_are(n, different, salt):
    def score(reference, hyp, *_):
        return zlib.crc32(bytes([*reference, 0, *hyp, salt % 256, salt // 256])) % different

    m = 2 + salt % (n - 2)
    bounds = references(n, m, 0, min(comb(n - 1, m - 1), 20))
    moves = moves_of(bounds)
    hyps = (lay(bounds, moves).hyp.bounds[:-1].reshape(-1, m) % n)[:, 1:]
    scores = [
        score(bounds[row, 1:-1].tolist(), hyp)
        for row, hyp in zip(moves.reference, hyps.tolist(), strict=True)
    ]
    wrong = erring(moves, ranks(np.array(scores, dtype=float), 0.0), len(bounds))
    for row, found in zip(bounds, wrong.tolist(), strict=True):
        assert found == list(slow.errs(score, row[1:-1].tolist(), n).values())


def test_scores_within_the_tolerance_are_equal():
    values = np.array([0.5, 0.1, 0.5 + 1e-15, 0.1 + 1e-12, 0.5 - 1e-15])
    assert ranks(values, 1e-13).tolist() == [2, 0, 2, 1, 2]
    assert ranks(np.array([1 / 3, 2 / 6, 0.3]), 0.0).tolist() == [1, 1, 0]


@pytest.mark.parametrize(("n", "m"), [(10, 4), (11, 3), (9, 7)])
def test_a_is_a_whole_number_over_its_edges_and_what_divides_by_every_length(n, m):
    # From this it follows how far apart different values are, which the tolerance rests on.
    for reference in slow.references(n, m):
        for *_, hyp in slow.moves(reference, n):
            found = slow.alignment_similarity(reference, hyp, n, m) * lcm(*range(1, n + 1))
            assert any((found * edges).denominator == 1 for edges in range(m - 1, m + 3))
    assert 1 / (lcm(*range(1, 25)) * 25**2) > 2 * TOLERANCE


def test_windows_are_half_the_mean_segment_rounded_to_even_and_one_at_least():
    assert [window(20, m) for m in (2, 4, 7, 8, 12, 19)] == [5, 2, 1, 1, 1, 1]
    assert all(window(n, m) == slow.size_of_window(n, m) for n in range(3, 25) for m in range(2, n))


def test_batches_cut_the_references_and_do_not_change_what_is_found():
    metrics = [studied("window-diff"), studied("pk")]
    whole = study_errors(metrics, 8, 9)
    batches = batches_of(8, 9, size=7)
    assert max(batch.last - batch.first for batch in batches) == 7
    found = {batch: study_batch(batch, metrics) for batch in reversed(batches)}
    assert rows_of(metrics, found) == whole


@pytest.mark.parametrize(
    "name", [name for name, found in all_metrics().items() if found.over == "segmentation"]
)
def test_any_metric_of_segmentations_can_be_studied(name):
    rows = study_errors([studied(name)], 3, 7)
    assert [row.erring for row in rows if row.n == 3] == [0, 0, 0]
    assert all(0 <= row.erring <= row.references for row in rows)


def test_what_is_asked_for_goes_before_the_options_of_the_study():
    assert studied("window-diff").signature == "window-diff|k:n/2m|padded:yes|weighted:no"
    assert studied("window-diff").label == "window-diff"
    plain = studied("window-diff(k=2, padded=False)")
    assert plain.label == "window-diff(k=2, padded=False)"
    assert plain.signature == "window-diff|k:2|padded:no|weighted:no"
    assert studied("boundary-similarity(max_transposition=1)").label == "boundary-similarity"
    counts = [
        [row.erring for row in study_errors([studied(text)], 9, 9)]
        for text in ("boundary-similarity", "boundary-similarity(max_transposition=3)")
    ]
    assert counts[0] != counts[1]


def test_a_metric_with_several_figures_is_studied_over_one():
    assert studied("winpr").label == "winpr f1"
    assert studied("winpr", "recall").signature == "winpr|k:n/2m|measure:recall"
    assert studied("pk", "recall").measure == ""
    with pytest.raises(OptionError, match="measure 'kappa': winpr has f1, precision, recall"):
        studied("winpr", "kappa")


def made(give):
    """A metric whose scores are what a function of the number of pairs gives."""
    found = metric("made", over="segmentation", better="higher", source="here", pairs=give)(
        lambda *_: None
    )
    return StudiedMetric(NamedMetric(found))


def test_a_hypothesis_without_a_score_is_not_scored_equally():
    zeros = np.zeros(1000, dtype=np.int64)
    batch = Batch(9, 3, 0, 28)
    same = made(lambda pairs: Ratios(zeros[: len(pairs)], zeros[: len(pairs)] + 1))
    none = made(lambda pairs: Ratios(zeros[: len(pairs)], zeros[: len(pairs)]))
    found = study_batch(batch, [same, none])
    assert [finding.erring > 0 for finding in found[0]] == [False, True, True]
    assert [finding.erring for finding in found[1]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("measure", "values"),
    [
        ("f1", [4 / 7, 0.0, np.nan, 2 * 3 * 2 / (3 * 4 + 2 * 6), np.nan]),
        ("precision", [2 / 3, 0.0, np.nan, 3 / 6, 1.0]),
        ("recall", [2 / 4, 0.0, np.nan, 2 / 4, np.nan]),
    ],
)
def test_figures_of_counts_are_those_of_one_pair(measure, values):
    # Hits, proposed, expected and found: the last two as measures that leave something out.
    rows = np.array([[2, 3, 4, 2], [0, 3, 4, 0], [0, 0, 0, 0], [3, 6, 4, 2], [1, 1, 0, 0]])
    table = CountsTable(rows)
    found = made(lambda _: table)
    object.__setattr__(found, "measure", measure)
    scores, _ = found.scores(range(len(rows)), 9, 3)
    np.testing.assert_array_equal(scores, values)
    np.testing.assert_allclose([getattr(c, measure) for c in table], values)


@pytest.mark.parametrize(
    ("smallest", "largest", "message"),
    [
        (2, 9, "references of 2 units: want 3 to 24"),
        (5, 25, "references of 25 units: want 3 to 24"),
        (9, 8, "from 9 to 8 units: want the smaller number first"),
    ],
)
def test_a_range_without_references_is_refused(smallest, largest, message):
    with pytest.raises(OptionError, match=message):
        study_errors([studied("pk")], smallest, largest)


def test_a_window_too_long_for_the_shortest_reference_is_told_at_once():
    with pytest.raises(OptionError, match=r"k is 5 and the text has 5 units.*from 5 units on"):
        study_errors([studied("pk(k=5)")], 5, 9)
