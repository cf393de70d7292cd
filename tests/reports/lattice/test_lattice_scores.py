"""Figures of lattices as tables and as JSON."""

import json
from math import nan

import pytest

from bitext.errors import InputError
from bitext.metrics.lattice_metrics import Figure, lattice_figures
from bitext.model import Cluster, Lattice, Sentence
from bitext.reports.lattice import page as lattice_scores
from bitext.reports.lattice.page import caption, flat_table, score_table, to_json


def lattice(*sentences, groups):
    return Lattice(Cluster([Sentence(words.split()) for words in sentences]), groups)


@pytest.fixture
def scores():
    words = ("tom saw him", "he saw tom")
    joined, apart = [[1, 2, 3], [4, 2, 5]], [[1, 2, 3], [4, 6, 5]]
    twins = lattice("a b", "a b", groups=[[1, 2], [1, 2]])
    return {
        "V1": [lattice_figures(lattice(*words, groups=joined)), lattice_figures(twins)],
        "V4": [
            lattice_figures(lattice(*words, groups=apart)),
            lattice_figures(twins, steps=0, draws=25),
        ],
    }


CLUSTERS = ["tom", "twins"]


def test_systems_stand_side_by_side(scores):
    table = score_table(scores, CLUSTERS)
    assert table.head == ["figure", "V1", "V4"]
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["words"] == ["10", "10"]
    assert rows["paths"] == ["5", "3"]
    assert rows["compression ↑"] == ["0.3000", "0.2000"]
    assert rows["repetition-ratio ↓"] == ["0.1250", "~0.0000"]
    assert [row[0] for row in table.rows][:5] == ["sentences", "words", "nodes", "arcs", "paths"]


def test_clusters_may_have_rows_of_their_own(scores):
    table = score_table(scores, CLUSTERS, texts=True)
    assert table.head == ["figure", "cluster", "V1", "V4"]
    found = [row for row in table.rows if row[0] == "repetition-ratio ↓"]
    assert found == [
        ["repetition-ratio ↓", "tom", "0.2500", "0.0000"],
        ["repetition-ratio ↓", "twins", "0.0000", "~0.0000"],
        ["repetition-ratio ↓", "(all)", "0.1250", "~0.0000"],
    ]
    single = score_table({"V1": scores["V1"][:1]}, ["tom"], texts=True)
    assert single.head == ["figure", "V1"]


def test_a_figure_that_a_system_lacks_is_a_dash():
    alone = lattice("a b", "a c", groups=[[1, 2], [1, 3]])
    both = {"V1": [lattice_figures(alone, gold=alone)], "V4": [lattice_figures(alone)]}
    rows = {row[0]: row[1:] for row in score_table(both, ["one"]).rows}
    assert rows["link-f1 ↑"] == ["1.0000", "-"]
    assert rows["trigram-novelty"] == ["-", "-"]
    assert "edgain ↑" not in rows


def test_rows_of_json(scores):
    found = to_json(scores, CLUSTERS)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["schema"] == "bitext.lattices/1"
    by_key = {(r["system"], r["cluster"], r["figure"]): r for r in found["rows"]}
    assert len(by_key) == len(found["rows"]) == 2 * 3 * 9
    one = by_key["V1", "tom", "repetition-ratio"]
    assert one == {
        "system": "V1",
        "cluster": "tom",
        "average": None,
        "figure": "repetition-ratio",
        "better": "lower",
        "value": 0.25,
        "log10": None,
        "exact": True,
        "error": None,
        "signature": scores["V1"][0].signature,
    }
    drawn = by_key["V4", "twins", "repetition-ratio"]
    assert (drawn["exact"], drawn["error"]) == (False, 0.0)
    assert by_key["V4", None, "repetition-ratio"]["average"] == "macro"
    assert by_key["V1", "twins", "trigram-novelty"]["value"] is None


def test_the_flat_table_has_all_digits(scores):
    table = flat_table(scores, CLUSTERS)
    assert all(len(row) == len(table.head) for row in table.rows)
    assert table.rows[5][:7] == ["V1", "tom", "-", "compression", "higher", repr(1 / 6), "yes"]


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (999_999_999, "999,999,999"),
        (10**9, "1.00e+9"),
        (9_999 * 10**20, "9.99e+23"),
        (10**300 - 1, "9.99e+299"),
        (10**300, "1.00e+300"),
        (2**40_000, "1.58e+12041"),
    ],
    ids=["plain", "ten", "below", "just-below", "power", "beyond-floats"],
)
def test_large_counts_keep_three_digits(count, shown):
    assert lattice_scores.count_text(count) == shown


def test_powers_of_ten_and_what_is_just_below_have_their_own_power():
    for power in (*range(9, 2000, 7), 512, 1024, 2048):  # whose logarithms come out too low
        assert lattice_scores.count_text(10**power) == f"1.00e+{power}"
        assert lattice_scores.count_text(10**power - 1).startswith(
            "9.99e+" if power > 9 else "999,999,999"
        )


def test_counts_beyond_floats_have_their_logarithm():
    assert lattice_scores.value_record(Figure("paths", 7)) == {"value": 7, "log10": None}
    assert lattice_scores.value_record(Figure("paths", 2**60)) == {
        "value": 2.0**60,
        "log10": pytest.approx(18.0618),
    }
    beyond = lattice_scores.value_record(Figure("paths", 10**5000))
    assert beyond == {"value": None, "log10": 5000.0}
    assert lattice_scores.value_record(Figure("edgain", nan)) == {"value": None, "log10": None}


def test_the_caption_tells_averages_estimates_and_signatures(scores):
    told = caption(scores, CLUSTERS)
    assert told.startswith("2 clusters; sizes and paths are sums;")
    assert "~ an estimate from 25 paths drawn at random" in told
    assert "signature of V4: lattice|repetition:25-paths|seed:1|bitext:" in told
    assert caption({"V1": scores["V1"][:1]}, ["tom"]).splitlines()[0] == "1 cluster"


def test_systems_without_figures_of_each_cluster_are_refused(scores):
    with pytest.raises(InputError, match="V1 has figures of 2 clusters, and 1 are named"):
        score_table(scores, ["tom"])
    with pytest.raises(InputError, match="no figures of lattices"):
        to_json({}, CLUSTERS)
