from __future__ import annotations

import json
from itertools import product

import pytest

from bitext import read
from bitext.metrics.bisegment_similarity import bisegment_similarity
from reference.sample_scores import row

GRANULARITIES = ["sentence", "word", "character"]
NAMES = ["ferry", "lighthouse", "market"]
COLUMNS = ["similarity", "numerator", "denominator"]
COLUMNS += ["similarity_low", "similarity_high", "similarity_p"]


@pytest.fixture
def arguments(coast, texts):
    return ["score", coast / "gold", coast / "alpha", coast / "beta", *texts]


def test_rows_of_json_are_those_of_the_library(bitext, coast, arguments):
    document = json.loads(bitext(*arguments, "--similarity", "--json").out)
    rows = document["similarity"]
    wanted = set(product(["alpha", "beta"], NAMES, GRANULARITIES, ["text"]))
    wanted |= set(product(["alpha", "beta"], [None], GRANULARITIES, ["micro", "macro"]))
    keys = [(r["system"], r["text"], r["granularity"], r["average"]) for r in rows]
    assert (set(keys), len(keys)) == (wanted, len(wanted))
    for granularity in GRANULARITIES:
        each = []
        for name in NAMES:
            options = {"src": coast / f"text/{name}.en", "tgt": coast / f"text/{name}.fr"}
            gold = read(coast / f"gold/{name}.align", **options)
            hyp = read(coast / f"beta/{name}.ladder", **options)
            ratio = bisegment_similarity(gold, hyp, granularity=granularity)
            found = row(rows, system="beta", text=name, granularity=granularity)
            assert (found["value"], found["numerator"], found["denominator"]) == (
                ratio.value,
                ratio.numerator,
                ratio.denominator,
            )
            each.append(ratio)
        total = sum(each[1:], each[0])
        micro = row(rows, system="beta", average="micro", granularity=granularity)
        assert (micro["value"], micro["denominator"]) == (total.value, total.denominator)
        assert micro["interval"][0] < micro["value"] < micro["interval"][1]
        assert micro["undefined"] is None
        assert micro["signature"].startswith(f"bisegment-similarity|{granularity}|average:micro|")
        macro = row(rows, system="beta", average="macro", granularity=granularity)
        assert macro["value"] == pytest.approx(sum(ratio.value for ratio in each) / 3)
        assert macro["numerator"] is macro["denominator"] is None
    differences = document["similarity_differences"]
    assert len(differences) == 2 * 3
    assert all(0 < d["p"] <= 1 and d["system"] == "beta" for d in differences)


@pytest.mark.parametrize("style", ["--json", "--format=tsv", "--format=table", "--format=latex"])
def test_the_other_figures_are_as_without_it(bitext, arguments, style):
    plain = bitext(*arguments, "--per-text", style).out
    more = bitext(*arguments, "--per-text", "--similarity", style).out
    assert "imilarity" not in plain
    if style == "--json":
        document = json.loads(more)
        del document["similarity"], document["similarity_differences"]
        assert document == json.loads(plain)
    elif style == "--format=tsv":
        lines = [line.split("\t") for line in more.splitlines()]
        kept = ["\t".join(line[: -len(COLUMNS)]) for line in lines]
        assert kept[: len(plain.splitlines())] == plain.splitlines()
    else:
        assert more.startswith(plain)


def test_tab_separated_rows_have_one_value_a_cell_under_one_head(bitext, arguments):
    result = bitext(*arguments, "--similarity", "--per-text", "-g", "word")
    head, *lines = [line.split("\t") for line in result.out.splitlines()]
    assert head[-len(COLUMNS) :] == COLUMNS
    assert {len(line) for line in lines} == {len(head)}
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    assert [r["granularity"] for r in rows] == ["word"] * 8 + ["similarity-word"] * 8
    assert {r[c] for r in rows[:8] for c in COLUMNS} == {"-"}
    first = rows[8]
    assert (first["system"], first["text"], first["average"], first["f1"]) == (
        *("alpha", "-", "micro"),
        "-",
    )
    assert float(first["numerator"]) / int(first["denominator"]) == float(first["similarity"])
    assert float(first["similarity_low"]) < float(first["similarity_high"])
    assert float(row(rows[8:], system="beta", average="micro")["similarity_p"]) <= 1
    assert first["signature"].startswith(
        "bisegment-similarity|word|average:micro|texts:3|resampled:3-texts|"
    )


def test_the_table_stands_second_with_intervals_averages_and_texts(bitext, arguments):
    result = bitext(
        *arguments,
        "--similarity",
        "--format",
        "table",
        "--average",
        "both",
        "--per-text",
        "--beads",
    )
    parts = result.out.split("\n\n")
    assert parts[2].startswith("bisegment similarity: how much")
    assert "\nsignature: bisegment-similarity|average:micro,macro|texts:3|resampled:" in parts[2]
    lines = [line.split() for line in parts[3].splitlines()]
    assert lines[0] == ["granularity", "system", "text", "similarity"]
    assert lines[2][:4] == ["sentence", "alpha", "(micro)", "0.8875"]
    assert len(lines) == 2 + 3 * 2 * (2 + 3)
    assert parts[4].startswith("system  gold bead")


def test_clear_differences_are_marked(bitext, write):
    n = 400
    same = "".join(f"[{k}]:[{k}]\n" for k in range(n))
    pairs = "".join(f"[{k}, {k + 1}]:[{k}, {k + 1}]\n" for k in range(0, n, 2))
    files = [write(f"{k}.align", text) for k, text in enumerate((same, same, pairs))]
    result = bitext("score", *files, "--format", "table", "-g", "alignment", "--similarity")
    assert result.out.splitlines()[-1].split()[1:] == ["0.2500", "[0.1842,", "0.3298]**"]


def test_near_misses_are_graded_where_alignments_are_all_wrong(bitext, write):
    gold = write("gold.align", "[0,1,2]:[0,1,2]\n[3,4,5]:[3,4,5]\n")
    near = write("near.align", "[0,1]:[0,1,2]\n[2,3,4,5]:[3,4,5]\n")
    far = write("far.align", "[0]:[0,1,2]\n[1,2,3,4,5]:[3,4,5]\n")
    document = json.loads(bitext("score", gold, near, far, "--similarity", "--json").out)
    for system, value in (("near", 17 / 24), ("far", 7 / 15)):
        found = row(document["similarity"], system=system, average="micro")
        assert found["value"] == pytest.approx(value)
        assert (
            row(document["rows"], system=system, granularity="alignment", average="micro")["f1"]
            == 0
        )


def test_undefined_figures_are_null_and_a_dash(bitext, write):
    gold, hyp = write("gold.jsonl", ""), write("hyp.jsonl", "")
    options = ["--from", "jsonl", "--similarity"]
    result = bitext("score", gold, hyp, *options, "--json")
    assert result.status == 0, result.err
    micro = row(json.loads(result.out)["similarity"], average="micro", granularity="sentence")
    assert (micro["value"], micro["interval"]) == (None, None)
    assert micro["undefined"] == "no bisegment on either side"
    result = bitext("score", gold, hyp, *options, "-g", "sentence", "--format", "tsv")
    assert result.out.splitlines()[-1].split("\t")[-len(COLUMNS) :] == ["-", "0.0", "0", *"---"]
    result = bitext("score", gold, hyp, *options, "--json", "--zero-division", "1")
    micro = row(json.loads(result.out)["similarity"], average="micro", granularity="sentence")
    assert micro["value"] == 1


def test_granularities_without_their_texts_are_left_out_and_told(bitext, coast):
    result = bitext(
        *("score", coast / "gold", coast / "alpha", "--similarity", "-g", "alignment"), "--json"
    )
    document = json.loads(result.out)
    assert {r["granularity"] for r in document["similarity"]} == {"sentence"}
    assert "word and character granularity left out: ferry lacks the source text" in result.err
