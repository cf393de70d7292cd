from __future__ import annotations

import io
import json
import re
import sys
from fractions import Fraction
from html import escape as html_escape
from itertools import product

import pytest

from bitext import Segmentation
from bitext.formats.segmentations import read_segmentations
from bitext.metrics import all_metrics
from bitext.metrics.evaluation.segmentations import DEFAULT_METRICS
from reference.sample_scores import row

FIGURES = [*DEFAULT_METRICS[:-1], "boundary.precision", "boundary.recall", "boundary.f1"]
NAMES = ["bakery", "garden", "harbour", "letter", "observatory"]


@pytest.fixture
def topics(coast):
    return coast.parent / "topics"


def document(result):
    assert result.status == 0, result.err
    return json.loads(result.out, parse_constant=pytest.fail)


def refused(result, message):
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert message in result.err


def test_the_published_pair(bitext, write):
    ref, hyp = write("ref.masses", "5,5,1,3\n"), write("hyp.jsonl", '{"masses": [7, 3, 1, 3]}\n')
    arguments = ["compare", ref, hyp, "--json", "-m", "alignment-similarity,boundary-similarity"]
    rows = document(bitext(*arguments, "-m", "window-diff(k=2)"))["rows"]
    values = {r["metric"]: r["value"] for r in rows if r["average"] == "micro"}
    assert values["alignment-similarity"] == pytest.approx(float(Fraction(29, 35)))
    assert values["boundary-similarity"] == 0.5
    assert 1 - values["window-diff(k=2)"] == pytest.approx(2 / 3)
    found = row(rows, metric="window-diff(k=2)", average="micro")
    assert (found["numerator"], found["denominator"], found["k"]) == (4, 12, 2)
    assert (found["text"], found["interval"], found["better"]) == (None, None, "lower")
    assert found["signature"].startswith("window-diff|k:2|padded:no|weighted:no|average:micro|")


def test_costs_too_great_to_add_up_are_one_line_and_their_share_is_a_figure(bitext, write):
    arguments = ["compare", write("a.masses", "5,5,1,3\n"), write("one.masses", "14\n"), "-m"]
    great = "insertion=1e308,deletion=1e308"
    refused(bitext(*arguments, f"generalized-hamming({great})"), "give smaller ones, or normalised")
    result = bitext(*arguments, f"generalized-hamming({great},normalised=True)", "--json")
    found = row(document(result)["rows"], average="micro")
    assert (found["value"], found["numerator"]) == (1, found["denominator"])
    assert len(result.out) < 3000  # what floats hold in part was written with all its zeros


def test_rows_are_one_a_system_text_and_figure(bitext, topics):
    arguments = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "--json"]
    found = document(bitext(*arguments))
    assert found["schema"] == "bitext.compare/1"
    keys = {(r["system"], r["text"], r["metric"], r["average"]) for r in found["rows"]}
    systems = ["alpha", "beta"]
    wanted = {(s, t, m, "text") for s, t, m in product(systems, NAMES, FIGURES)}
    wanted |= {(s, None, m, a) for s, m, a in product(systems, FIGURES, ["micro", "macro"])}
    assert keys == wanted
    assert len(found["rows"]) == len(wanted)
    gold, hyp = (read_segmentations(topics / name) for name in ("ref", "beta.jsonl"))
    for name in NAMES:
        score = all_metrics()["pk"](gold[name], hyp[name])
        one = row(found["rows"], system="beta", text=name, metric="pk")
        assert (one["value"], one["numerator"], one["k"]) == (score.value, score.numerator, score.k)
    pooled = sum(all_metrics()["pk"](gold[name], hyp[name]) for name in NAMES)
    assert row(found["rows"], system="beta", average="micro", metric="pk")["value"] == pooled.value
    assert {d["metric"] for d in found["differences"]} == set(FIGURES)
    assert all(0 < d["p"] <= 1 and d["baseline"] == "alpha" for d in found["differences"])
    low, high = row(found["rows"], system="beta", average="macro", metric="pk")["interval"]
    assert low < high


def test_every_spelling_gives_the_same_figures(bitext, topics, tmp_path):
    closed = bitext("compare", topics / "ref3.bits", topics / "beta.closed", "-q", "--json")
    refused(closed, "--from bits or --from bits-final")
    arguments = ["--from", "bits-final", "--ref-from", "auto", "--json", "--names", "beta"]
    closed = document(bitext("compare", topics / "ref3.bits", topics / "beta.closed", *arguments))
    objects = document(bitext("compare", topics / "ref3.bits", topics / "beta.jsonl", "--json"))
    assert closed["rows"] == objects["rows"]
    wrong = bitext("compare", topics / "ref", topics / "beta.closed", "--from", "bits")
    refused(wrong, "holds 'T' as sign 0")
    wrong = bitext(
        "compare",
        topics / "ref2.masses",
        topics / "beta.closed",
        *("--from", "bits"),
        *("--ref-from", "auto"),
    )
    refused(wrong, "beta.closed fits as bits-final (--from, --ref-from)")
    named, unnamed = topics / "bakery.labels", tmp_path / "bakery.txt"
    unnamed.write_bytes(named.read_bytes())
    labels = ["compare", topics / "ref/bakery.txt", unnamed, "--json"]
    refused(bitext(*labels), "could be labels, one a line, or a text of one segment")
    asked = bitext(*labels, "--from", "labels", "--ref-from", "auto")
    labels[2] = named
    for found in map(document, (asked, bitext(*labels))):
        assert row(found["rows"], metric="pk", average="micro")["value"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "windowdif"], "no metric 'windowdif'; did you mean 'window-diff'?"),
        (["-m", "window-diff(kk=3)"], "has no option 'kk'; did you mean 'k'?"),
        (["-m", "window-diff(k=x)"], "window-diff(k='x'): k is 'x': want a whole number"),
        (["-m", "pk(k=6)"], "text 'bakery': pk(k=6): k is 6 and the text has 6 units"),
        (["-m", "pk,pk"], "asked for twice"),
        (["-m", "arcade"], "metric 'arcade' is over alignments"),
        (["-m", "krippendorff"], "'krippendorff' is over coders (--agreement): want one over seg"),
        (["-m", "wisebe"], "wisebe is over several references, and there is one: give --ref"),
        (["--from", "mases"], "did you mean 'masses'?"),
        (["--references", "best"], "--references is about several, and there is one: give --ref"),
        (["--agreement", "-m", "pk"], "--agreement is of one reference"),
        (["--matrix", "B"], "--observed and --matrix are for --agreement: give that, too"),
        (["--agreement", "--matrix", "arcade"], "metric 'arcade' is over alignments"),
        (["--agreement", "--matrix", "wisebe"], "metric 'wisebe' is over coders"),
        (["--agreement", "--matrix", "kappa"], "cohen-kappa, fleiss-kappa"),
        (["--observed", "B"], "are for --agreement"),
        (["--errors", "1", "--format", "tsv"], "--errors is for reading"),
        (["--errors", "-1"], "compare: --errors -1: want 1 or more"),
        (["--errors", "0"], "compare: --errors 0: want 1 or more"),
        (["--strips", "0"], "compare: --strips 0: want 1 or more"),
        (["--shift", "-1"], "compare: --shift -1: want 0 or more"),
        (["--shift", "3"], "--shift is for --errors, --strips and --html"),
        (["--names", "a,b"], "want 1 different names"),
        (["--resamples", "-1"], "-1 resamples"),
        (["--resamples", "1"], "no interval is made of one: want more, or 0 for none"),
        (["--resamples", "0", "--seed", "3"], "--seed 3 is for resamples, and --resamples 0 makes"),
        (["--resamples", "0", "--confidence", ".9"], "--confidence 0.9 is for resamples"),
        (["--resamples", "0", "--test", "bootstrap"], "--test bootstrap is for resamples"),
        (["--test", "bootstrap"], "--test bootstrap is between systems, and there is one: give"),
        (["--refs", "x"], "did you mean --ref?"),
        (["--missing", "empty"], "invalid choice"),
        (["--ref", "nowhere.txt"], "nowhere.txt: no such file"),
    ],
)
def test_what_is_wrong_is_one_line(bitext, topics, arguments, message):
    refused(bitext("compare", topics / "ref", topics / "alpha", *arguments), message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--references", "best"], "--references is about systems: give HYP"),
        (["--per-text"], "--per-text is about systems: give HYP"),
        (["--average", "macro"], "--average is about systems: give HYP"),
        (["--refused", "leave"], "--refused is about systems: give HYP"),
        (["--zero-division", "1"], "--zero-division is about systems: give HYP"),
        (["--test", "bootstrap"], "--test bootstrap is between systems, and there is none: give"),
    ],
)
def test_what_is_about_systems_is_refused_without_one(bitext, topics, arguments, message):
    references = [topics / "ref", "--ref", topics / "ref2.masses", "--agreement"]
    refused(bitext("compare", *references, *arguments), message)


def test_a_reference_alone_is_refused_and_one_standard_input_is_read(
    bitext, topics, write, monkeypatch
):
    refused(bitext("compare", topics / "ref"), "no HYP is given")
    refused(bitext("compare", "-", "-"), "standard input (-) can be one file only")

    class Standard:
        buffer = io.BytesIO(b"5 5 1 3\n")

    monkeypatch.setattr(sys, "stdin", Standard)
    found = document(bitext("compare", write("ref.txt", "5,5,1,3"), "-", "--json"))
    assert found["systems"] == {"stdin": "-"}
    assert row(found["rows"], metric="pk", average="micro")["value"] == 0


def test_units_and_lines_are_told(bitext, topics, tmp_path):
    other = tmp_path / "bakery.txt"
    text = (topics / "ref/bakery.txt").read_text(encoding="utf-8")
    other.write_text(text.replace("Rye takes", "Rye took"), encoding="utf-8")
    arguments = ["compare", topics / "ref/bakery.txt", other]
    refused(bitext(*arguments), f"{other} line 2: has the unit 'Rye took longest.' where")
    assert bitext(*arguments, "--any-units").status == 0


def test_texts_without_a_partner_are_told_and_left_out(bitext, topics, tmp_path):
    some = tmp_path / "some.jsonl"
    lines = (topics / "beta.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    some.write_text("".join(lines[:3]) + '{"id": "more", "masses": [3]}\n', encoding="utf-8")
    result = bitext("compare", topics / "ref", some, "--json")
    found = document(result)
    assert {r["text"] for r in found["rows"]} == {None, "garden", "harbour", "observatory"}
    lone = {(u["text"], u["extra"]) for u in found["unpaired"]}
    assert lone == {("bakery", False), ("letter", False), ("more", True)}
    assert "2 texts that" in result.err
    refused(bitext("compare", topics / "ref", some, "--missing", "error"), "'bakery'")
    assert bitext("compare", topics / "ref", some, "-q").err == ""


def test_the_table_shows_the_way_intervals_marks_and_windows(bitext, topics, write):
    ref = write("ref.jsonl", '{"masses": [3, 3, 3]}\n' * 30)
    good = write("good.jsonl", '{"masses": [3, 3, 3]}\n' * 30)
    bad = write("bad.jsonl", '{"masses": [1, 7, 1]}\n' * 30)
    arguments = ["compare", ref, good, bad, "-m", "window-diff,boundary", "--format", "table"]
    lines = bitext(*arguments).out.splitlines()
    assert lines[0].startswith("30 texts, micro average; 95% intervals: jackknife of 30 texts")
    table = [line.split() for line in lines[4:]]
    assert table[0] == ["metric", "system", "value", "k"]
    assert table[2] == ["window-diff", "↓", "good", "0.0000", "[0.0000,", "0.0409]", "2"]
    assert table[3] == ["bad", "0.8571", "[0.7702,", "0.9148]**", "2"]
    assert table[8][:2] == ["boundary.f1", "↑"]
    arguments[1:3] = [topics / "ref", topics / "alpha"]
    arguments[3] = topics / "beta.jsonl"
    for style, mark in (
        ("markdown", "| window-diff ↓ |"),
        ("latex", r"\emph{window-diff $\downarrow$}"),
    ):
        assert mark in bitext(*arguments[:-1], style, "--average", "both").out


def test_pairs_of_systems_have_a_table_of_their_own(bitext, topics):
    command = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "-m", "pk"]
    shown = bitext(*command, "--pairs", "--baseline", "beta")
    assert shown.out.splitlines()[-1].split() == ["pk", "alpha", "beta", "-0.4848*"]
    (difference,) = [
        d
        for d in document(bitext(*command, "--pairs", "--holm", "--json"))["differences"]
        if d["average"] == "micro"
    ]
    assert difference["value"] == pytest.approx(0.4848, abs=1e-4)
    assert (difference["test"], difference["correction"]) == ("t", "holm")
    refused(bitext(*command, "--pairs", "--format", "tsv"), "--pairs makes a second table")
    refused(bitext(*command, "--baseline", "gamma"), "the systems are alpha, beta")
    refused(bitext(*command[:3], "--pairs"), "--pairs is between systems, and there is one")


def test_tab_separated_rows_have_one_value_a_cell(bitext, topics):
    arguments = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "--per-text"]
    head, *lines = [line.split("\t") for line in bitext(*arguments).out.splitlines()]
    assert {len(line) for line in lines} == {len(head)}
    assert len(lines) == len(FIGURES) * 2 * (1 + len(NAMES))
    by = [dict(zip(head, line, strict=True)) for line in lines]
    one = row(by, system="beta", average="micro", metric="pk")
    assert float(one["value"]) == pytest.approx(20 / 33)
    assert (one["numerator"], one["denominator"], one["k"], one["text"]) == ("20", "33", "2", "-")
    assert float(one["difference"]) > 0
    assert 0 < float(one["p"]) <= 1


@pytest.mark.parametrize("way", ["mean", "best", "majority", "any"])
def test_several_references(bitext, topics, way):
    arguments = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "--json"]
    more = ["--ref", topics / "ref2.masses", "--ref", topics / "ref3.bits", "--references", way]
    found = document(bitext(*arguments, *more, "-m", "pk,wisebe"))
    assert f"|references:{way}-of-3,all-of-3|" in found["signature"]
    one = row(found["rows"], system="alpha", text="garden", metric="pk")
    golds = [
        read_segmentations(topics / name)["garden"] for name in ("ref", "ref2.masses", "ref3.bits")
    ]
    alpha = read_segmentations(topics / "alpha")["garden"]
    each = [all_metrics()["pk"](gold, alpha).value for gold in golds]
    union = Segmentation.from_boundaries({int(b) for g in golds for b in g.boundaries}, 8)
    wanted = {
        "mean": sum(each) / 3,
        "best": min(each),
        "majority": all_metrics()["pk"](golds[0], alpha).value,
        "any": all_metrics()["pk"](union, alpha).value,
    }
    assert one["value"] == pytest.approx(wanted[way])
    assert (
        "references:all-of-3"
        in row(found["rows"], system="alpha", average="micro", metric="wisebe")["signature"]
    )


def test_the_caption_tells_what_each_metric_makes_of_the_references(bitext, topics):
    arguments = ["compare", topics / "ref", topics / "alpha", "--ref", topics / "ref2.masses"]

    def lines(*more):
        return bitext(*arguments, "--format", "table", *more).out.splitlines()[:2]

    head, signature = lines("-m", "wisebe")
    assert "; 2 references: all at once; " in head
    assert "|references:all-of-2|" in signature
    head, signature = lines("-m", "wisebe(limit=1),pk", "--references", "any")
    assert "; 2 references: any, all at once for wisebe(limit=1); " in head
    assert "|references:any-of-2,all-of-2|" in signature
    head, signature = lines("-m", "pk")
    assert "; 2 references: mean; " in head
    assert "|references:mean-of-2|" in signature
    idle = bitext(*arguments, "-m", "wisebe", "--references", "mean")
    refused(idle, "--references mean is not for wisebe, which takes all references at once")


def test_the_legend_of_markdown_is_a_line_and_shows_names_as_they_are(bitext, topics):
    arguments = [topics / "ref", topics / "alpha", topics / "beta.jsonl", "--names", "<i>,b"]
    for command in (["compare", "-m", "pk"], ["score", "--similarity"]):
        given = [topics.parent / "coast" / name for name in ("gold", "alpha", "beta")]
        where = arguments if command[0] == "compare" else [*given, "--names", "<i>,b"]
        lines = bitext(*command, *where, "--format", "markdown").out.splitlines()
        assert lines[1].startswith("\\* p < 0.05, \\*\\* p < 0.01 against \\<i> (")
        assert lines[0].endswith("  ")
        assert lines[3] == ""


def test_agreement_of_references_and_systems(bitext, topics):
    references = [topics / "ref", "--ref", topics / "ref2.masses", "--ref", topics / "ref3.bits"]
    found = document(
        bitext("compare", *references, "--agreement", "--json", "--observed", "boundaries,S")
    )
    assert found["rows"] == []
    agreement = found["agreement"]
    assert len(agreement["coders"]) == 3
    tables = [read_segmentations(topics / name) for name in ("ref", "ref2.masses", "ref3.bits")]
    codings = [[table[name] for table in tables] for name in NAMES]
    for way in ("boundaries", "segmentation-similarity"):
        one = row(agreement["coefficients"], coefficient="fleiss-kappa", on=way)
        kappa = all_metrics()["fleiss-kappa"](codings, observed=way)
        assert one["value"] == pytest.approx(kappa.value)
        assert one["interval"][0] < one["value"] < one["interval"][1]
    assert [text["text"] for text in agreement["texts"]] == NAMES
    assert agreement["correlation"]["texts"] == 5
    assert found["signature"] == agreement["signature"]
    assert found["signature"].startswith("agreement|coders:3|texts:5|interval:jackknife|")
    both = ["compare", topics / "ref", topics / "alpha", "--agreement", "--with-systems"]
    refused(bitext(*both), "makes several tables, and tsv is one")
    two = bitext(
        *both, "--format", "markdown", "--observed", "B(max_transposition=2, ordered=True)"
    )
    assert "| cohen-kappa | boundary-similarity(max" in two.out.replace("\\_", "_")
    flat = [
        line.split("\t") for line in bitext("compare", *references, "--agreement").out.splitlines()
    ]
    assert {len(line) for line in flat} == {9}
    assert ["-", "fleiss-kappa", "boundaries"] in [line[:3] for line in flat]
    assert ["bakery", "agreement-ratio", "boundaries", "0.5"] in [line[:4] for line in flat]
    assert ["bakery", "kappa-over-units", "units"] in [line[:3] for line in flat]
    assert "% correlation" in bitext("compare", *references, "--agreement", "--format", "latex").out
    table = bitext("compare", *references, "--agreement", "--format", "table").out
    assert "correlation of agreement ratio and kappa over units: 0.7394 over 5 texts" in table
    assert table.startswith("5 texts, 3 coders; 95% intervals: jackknife of 5 texts")
    assert table.splitlines()[1] == f"signature: {agreement['signature']}"
    few = bitext("compare", *references, "--agreement", "--format", "latex", "--resamples", 0).out
    assert few.startswith("% 5 texts, 3 coders\n% signature: agreement|coders:3|texts:5|bitext:")


def test_kappa_over_units_is_not_the_one_on_boundaries(bitext, write):
    one, other = write("one.masses", "3,2,3\n"), write("other.masses", "3,3,2\n")
    arguments = ["compare", one, "--ref", other, "--agreement"]
    found = document(bitext(*arguments, "--json"))["agreement"]
    kappa = row(found["coefficients"], coefficient="fleiss-kappa")["value"]
    # Of 7 places two are judged differently, of 8 units likewise.
    assert kappa == pytest.approx(1 - (2 / 7) / (2 * 4 / 14 * 10 / 14))
    over_units = found["texts"][0]["kappa_over_units"]
    assert over_units == pytest.approx(1 - (2 / 8) / (2 * 4 / 16 * 12 / 16))
    lines = bitext(*arguments, "--format", "table").out.splitlines()
    assert lines[0] == "1 text, 2 coders; no intervals: one text"
    assert lines[-3].split() == ["one", "0.3333", f"{over_units:.4f}"]
    assert lines[-5].split() == ["text", "agreement", "ratio", "kappa", "over", "units"]
    flat = [line.split("\t")[:3] for line in bitext(*arguments).out.splitlines()]
    assert flat[-1] == ["one", "kappa-over-units", "units"]


def test_the_guide_names_every_column_and_member(bitext, topics):
    guide = (topics.parents[1] / "docs/segmentations.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)`", guide.partition("## Output for programs")[2]))
    arguments = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "-m", "pk"]
    found = document(bitext(*arguments, "--json", "--errors", 2, "--agreement", "--with-systems"))
    alike = [found["rows"], found["differences"], found["edits"], found["edits"][0]["edits"]]
    agreement = found["agreement"]
    alike += [agreement["coefficients"], agreement["texts"], [agreement["correlation"]], [found]]
    alike += [[agreement], agreement["pairs"]]
    coders = ["compare", topics / "ref", topics / "ref2.masses", "--agreement", "--errors", 1]
    alike += [document(bitext(*coders, "--json"))["disagreements"]]
    for objects in alike:
        (members,) = {tuple(members) for members in objects}
        assert set(members) <= named
    references = ["compare", topics / "ref", "--ref", topics / "ref2.masses", "--agreement"]
    for command in (arguments, references):
        assert set(bitext(*command).out.partition("\n")[0].split("\t")) <= named


def test_where_boundaries_differ_is_shown(bitext, topics):
    arguments = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "--errors", 1]
    shown = bitext(*arguments, "--format", "table", "-m", "pk").out
    assert "1. alpha, garden: 1 shifted; 1 right\n" in shown
    place = "after unit 3: Slugs like the young leaves. | Compost keeps the soil loose."
    assert f"   shifted by +1 {place}\n" in shown
    found = document(bitext(*arguments, "--json", "--shift", 0))["edits"]
    assert (found[0]["system"], found[0]["text"]) == ("alpha", "garden")
    assert [(e["kind"], e["position"]) for e in found[0]["edits"]] == [("missing", 3), ("extra", 4)]
    masses = ["compare", topics / "ref2.masses", topics / "alpha", "--errors", 1, "-m", "pk"]
    assert "The mirror is a metre across." in bitext(*masses).out
    twice = ["compare", topics / "ref", topics / "alpha", "--ref", topics / "ref"]
    refused(bitext(*twice), "as a reference")
    same = bitext("compare", topics / "ref", topics / "ref", "--errors", 1, "--format", "table")
    assert "no text differs from the reference" in same.out
    typed = bitext(
        "compare",
        topics / "typed/ref.jsonl",
        topics / "typed/hyp.jsonl",
        "--errors",
        2,
        "--format",
        "table",
    )
    assert "substituted (1) after unit 3" in typed.out


def test_texts_that_a_metric_refuses_can_be_left(bitext, write):
    ref = write("ref.jsonl", '{"id": "short", "masses": [2]}\n{"id": "long", "masses": [4, 4]}\n')
    refused(bitext("compare", ref, ref, "-m", "pk"), "text 'short': pk: k is 2")
    result = bitext("compare", ref, ref, "-m", "pk", "--refused", "leave", "--json")
    assert "1 text left out of pk for all, first 'short'" in result.err
    one = row(document(result)["rows"], text="short", average="text")
    assert (one["value"], one["numerator"], one["denominator"]) == (None, None, None)
    assert "k is 2" in one["undefined"]
    assert "or --refused leave, without such texts" in bitext("compare", ref, ref, "-m", "pk").err
    short = write("short.jsonl", '{"id": "short", "masses": [2]}\n')
    alone = bitext("compare", short, short, "-m", "pk", "--refused", "leave")
    refused(alone, "no text is left to score: text 'short'")


def test_what_is_left_out_counts_as_nothing(bitext, write):
    """Neither as 0/0 by the metric's definition, nor as what the user takes 0/0 for."""
    ref = write("ref.jsonl", '{"id": "a", "masses": [2]}\n{"id": "b", "masses": [7, 7]}\n')
    hyp = write("hyp.jsonl", '{"id": "a", "masses": [2]}\n{"id": "b", "masses": [5, 9]}\n')
    given = [
        "-m",
        "pk",
        "--refused",
        "leave",
        "--zero-division",
        "1",
        "--average",
        "both",
        "--json",
    ]
    rows = document(bitext("compare", ref, hyp, *given))["rows"]
    wanted = row(rows, text="b")["value"]
    assert wanted > 0
    assert row(rows, text="a")["value"] is None
    assert row(rows, average="macro")["value"] == row(rows, average="micro")["value"] == wanted
    # One text is left, which gives no interval.
    assert row(rows, average="micro")["interval"] == [None, None]
    assert row(rows, average="micro")["k"] == row(rows, text="b")["k"]


def test_the_better_mean_f_may_have_the_worse_wisebe(bitext, topics):
    folder = topics.parent / "transcripts"
    given = [folder / f"{name}.txt" for name in ("ref1", "alpha", "beta")]
    references = ["--ref", folder / "ref2.txt", "--ref", folder / "ref3.txt"]
    rows = document(
        bitext(
            *("compare", *given, *references, "--from", "transcript", "--json"),
            *("-m", "boundary,ser,wisebe"),
        )
    )["rows"]

    def figures(metric):
        return [
            row(rows, system=s, metric=metric, average="micro")["value"] for s in ("alpha", "beta")
        ]

    # Right boundaries of 8 proposed and 9 expected: alpha 5, 3 and 4, beta 3, 2 and 4.
    assert figures("boundary.f1") == pytest.approx([2 * 12 / 3 / 17, 2 * 9 / 3 / 17])
    assert figures("slot-error-rate") == pytest.approx([27 / 27, 33 / 27])
    # 16 places have votes, 20 of the 48 possible ones are at places with two or more; 8 windows, of
    # which alpha hits 4 by 5 boundaries, and beta all 8 by all its boundaries.
    alpha = 2 * 5 / 8 * 4 / 8 / (5 / 8 + 4 / 8)
    assert figures("wisebe.agreement-ratio") == [20 / 48, 20 / 48]
    assert figures("wisebe") == pytest.approx([20 / 48 * alpha, 20 / 48 * 1])
    by_f, by_wisebe = figures("boundary.f1"), figures("wisebe")
    assert by_f[0] > by_f[1]
    assert by_wisebe[0] < by_wisebe[1]


def test_the_boundary_at_the_end_counts_where_it_is_asked_for(bitext, topics):
    given = [topics / "ref", topics / "alpha", "--ref", topics / "ref2.masses", "--json"]
    metrics = ["-m", "wisebe,boundary,pk", "-m", "ser(closing=False)"]
    plain = document(bitext("compare", *given, *metrics, "--agreement"))
    closed = document(bitext("compare", *given, *metrics, "--agreement", "--closing"))

    def counts(rows, text, metric):
        found = row(rows, text=text, metric=metric)
        return found["numerator"], found["denominator"]

    for text in ("bakery", "harbour"):
        hits, expected = counts(plain["rows"], text, "boundary.recall")
        # The figure is a mean over two references.
        assert expected == 2
        assert counts(closed["rows"], text, "boundary(closing=True).recall")[0] >= hits
        agreed, judged = counts(plain["rows"], text, "wisebe.agreement-ratio")
        found = counts(closed["rows"], text, "wisebe(closing=True).agreement-ratio")
        assert found == (agreed + 2, judged + 2)
        (told,) = [each for each in closed["agreement"]["texts"] if each["text"] == text]
        assert told["agreement_ratio"] == found[0] / found[1]
    recalls = [
        row(found["rows"], average="micro", metric=f"boundary{given}.recall")["value"]
        for found, given in ((plain, ""), (closed, "(closing=True)"))
    ]
    assert recalls[0] < recalls[1] < 1
    for metric in ("pk", "slot-error-rate"):
        mine = [[r for r in doc["rows"] if r["metric"] == metric] for doc in (plain, closed)]
        assert mine[0] == mine[1]
    assert "|closing:yes|" in closed["agreement"]["signature"]
    refused = bitext("compare", topics / "ref", topics / "alpha", "-m", "pk", "--closing")
    assert (refused.status, "--closing is for wisebe, boundary" in refused.err) == (2, True)


def test_types_can_weigh_in_a(bitext, write):
    ref = write("ref.jsonl", '{"types": [[], ["section"], [], ["chapter"], []]}\n')
    hyp = write("hyp.jsonl", '{"types": [[], ["section"], [], ["section"], []]}\n')
    weighed = "A(type_weights={'chapter': 3})"
    found = document(bitext("compare", ref, hyp, "-m", weighed, "-m", "ser", "--json"))
    assert [r["value"] for r in found["rows"] if r["average"] == "micro"] == [0.2, 0.5]
    assert found["notes"] == []
    plain = bitext("compare", ref, hyp, "-m", "A(alignment=tree)", "--json")
    assert "count nothing for alignment-similarity(alignment='tree'): see" in plain.err


def test_systems_are_compared_on_the_same_texts(bitext, write):
    typed = '{"id": "%s", "types": [[], ["x"], [], ["y"]]}\n'
    plain = '{"id": "a", "masses": [2, 2, 1]}\n'
    ref = write("ref.jsonl", typed % "a" + typed % "b")
    one, two = (
        write("one.jsonl", plain + typed % "b"),
        write("two.jsonl", typed % "a" + typed % "b"),
    )
    arguments = [ref, one, two, "-m", "B", "--refused", "leave", "--json"]
    found = document(bitext("compare", *arguments))
    assert [r["value"] for r in found["rows"] if r["text"] == "a"] == [None, None]
    assert {r["denominator"] for r in found["rows"] if r["average"] == "micro"} == {2}


def test_the_best_reference_is_best_also_where_0_over_0_counts(bitext, write):
    first = write("first.masses", "a\t9\nb\t5,5\n")
    other = write("other.masses", "a\t1,8\nb\t5,5\n")
    arguments = [first, first, "--ref", other, "-m", "boundary", "--references", "best", "--json"]
    found = document(bitext("compare", *arguments, "--zero-division", "1"))
    assert row(found["rows"], text="a", metric="boundary.f1")["value"] == 1


@pytest.mark.parametrize("option", [["-m", "pk"], ["--per-text"], ["--average", "macro"]])
def test_options_about_systems_want_systems(bitext, topics, option):
    references = [topics / "ref", "--ref", topics / "ref2.masses", "--agreement"]
    refused(bitext("compare", *references, *option), "is about systems: give HYP")


def test_signatures_tell_every_digit_and_how_intervals_were_made(bitext, topics):
    arguments = ["compare", topics / "ref", topics / "alpha", "-m", "pk", "--zero-division"]
    signed = [
        row(document(bitext(*arguments, value, "--json"))["rows"], average="micro")["signature"]
        for value in ("0.12345678", "0.12345679")
    ]
    assert signed[0] != signed[1]
    assert "interval:jackknife|level:0.95|bitext" in signed[0]
    assert "|average:micro|texts:5|undefined:0.12345678|" in signed[0]
    told = bitext(
        *arguments, "0", "--confidence", "0.9999999", "--average", "both", "--format", "table"
    )
    assert "; 99.99999% intervals" in told.out
    assert (
        "signature: compare|average:micro,macro|texts:5|interval:jackknife|level:0.9999999|"
        in told.out
    )
    assert bitext(*arguments, "0", "--format", "latex").out.startswith("% 5 texts, micro average")


def test_a_file_is_written_whole(bitext, topics, tmp_path):
    out = tmp_path / "scores.json"
    result = bitext("compare", topics / "ref", topics / "alpha", "-o", out)
    assert (result.status, result.out) == (0, "")
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["systems"] == {"alpha": str(topics / "alpha")}


def test_the_page_has_the_agreement_that_is_asked_for_and_begins_with_the_figures(
    bitext, topics, tmp_path
):
    page = tmp_path / "page.html"
    arguments = [topics / "ref", topics / "alpha", "--ref", topics / "ref2.masses", "-m", "pk"]
    assert bitext("compare", *arguments, "--html", page).status == 0
    html = page.read_text(encoding="utf-8")
    assert re.findall(r"<section id=.(\w+).", html) == ["figures", "bars", "strips", "texts"]
    told = bitext("compare", *arguments, "--agreement", "--format", "table", "--html", page).out
    html = page.read_text(encoding="utf-8")
    sections = re.findall(r"<section id=.(\w+).", html)
    assert sections[:5] == ["figures", "bars", "agreement", "strips", "texts"]
    assert sections[5:] == ["places", "drawings"]
    held = html.split('id="agreement"')[1].split("</section>")[0]
    held = re.sub("<[^>]+>", "", held)
    for line in told.split("\nagreement  ")[1].splitlines()[2:]:
        for cell in re.split("  +|^-+$", line.strip("- ")):
            assert html_escape(cell) in held


@pytest.mark.usefixtures("at_hand")
def test_a_folder_has_an_index_and_a_page_for_each_text_by_jobs_too(bitext, topics, tmp_path):
    def contents(name):
        folder = tmp_path / name
        return {str(p.relative_to(folder)): p.read_text("utf-8") for p in folder.rglob("*.html")}

    given = [topics / "ref", topics / "alpha", topics / "beta.jsonl", "-m", "pk", "--pairs", "-q"]
    assert bitext("compare", *given, "--html", f"{tmp_path}/a/").status == 0
    pages = contents("a")
    index = pages.pop("index.html")
    found = re.findall(r'<a href="([^"#]+)">', index)
    assert found == [
        f"texts/{name}.html" for name in ("observatory", "garden", "harbour", "letter", "bakery")
    ]
    assert sorted(pages) == sorted(found)
    sections = re.findall(r"<section id=.(\w+).", index)
    assert sections == ["figures", "bars", "pairs", "texts"]
    for page in pages.values():
        assert '<a href="../index.html">All texts</a>' in page
        assert page.index('id="figures"') < page.index('id="strips"')
    assert bitext("compare", *given, "--html", tmp_path / "a").status == 0  # the folder again
    assert contents("a") == {**pages, "index.html": index}
    journal = ["--journal", tmp_path / "journal"]
    assert bitext("compare", *given, "--html", f"{tmp_path}/b/", *journal).status == 0
    assert contents("b") == contents("a")
    refused = bitext("compare", *given, "--html", topics)
    assert refused.status == 2
    assert "holds what is no report of ours" in refused.err
    assert refused.err.count("name another folder") == 1


def test_a_page_is_written_beside_the_figures(bitext, topics, tmp_path):
    references = ["--ref", topics / "ref2.masses", "--ref", topics / "ref3.bits"]
    arguments = [topics / "ref", topics / "alpha", topics / "beta.jsonl", *references, "-m", "pk"]
    page = tmp_path / "page.html"
    said = bitext("compare", *arguments, "--html", page)
    assert said.out == bitext("compare", *arguments).out
    html = page.read_text(encoding="utf-8")
    assert bitext("compare", *arguments, "--html", "-").out == html
    held = html.split('id="data">')[1].split("</script>")[0]
    data = json.loads(held)
    assert data["references"] == ["ref", "ref2.masses", "ref3.bits"]
    assert [text["name"] for text in data["texts"]][:2] == ["observatory", "garden"]
    rows = document(bitext("compare", *arguments, "--json"))["rows"]
    for text in data["texts"]:
        for system, (value,) in zip(data["systems"], text["values"], strict=True):
            wanted = row(rows, system=system, text=text["name"])["value"]
            assert float(value) == pytest.approx(wanted, abs=5e-5)
    assert data["texts"][0]["units"][8] == "Visitors come in winter."
    assert "signature: compare|average:micro|texts:5|references:mean-of-3" in html
    further = json.loads(
        bitext("compare", *arguments, "--html", "-", "-m", "wisebe(limit=0)")
        .out.split('id="data">')[1]
        .split("</script>")[0]
    )
    assert len(further["texts"][0]["windows"]) > len(data["texts"][0]["windows"])


def test_strips_draw_the_worst_texts_of_each_system(bitext, topics, monkeypatch):
    arguments = ["compare", topics / "ref", topics / "alpha", topics / "beta.jsonl", "-m", "pk"]
    shown = bitext(*arguments, "--strips", 1).out
    assert shown.endswith(
        """
1. alpha, garden: 1 shifted, 1 right
       0         5
ref    ├─────┼─────┼───┤
alpha  ├───────┼───┼───┤
             ○─▶   ·

2. beta, observatory: 1 extra, 2 shifted, 1 right
      0         5         10
ref   ├───┼───┼───────┼───────┤
beta  ├───┼─┼─────┼─────┼─────┤
          · ◀─○   ✕   ○─▶

· right   ▽ missing   ✕ extra   ○─▶ shifted   ◆ of another type
"""
    )
    shifted = bitext(*arguments, "--strips", 1, "--shift", 0).out
    assert "1. alpha, garden: 1 missing, 1 extra, 1 right" in shifted
    same = ["compare", topics / "ref", topics / "ref", "--names", "x", "-m", "pk", "--strips", 3]
    assert bitext(*same).out.endswith("\nno text differs from the reference\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[34m○" in bitext(*arguments, "--strips", 1).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert bitext(*arguments, "--strips", 1).out == shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strips", "-1"], "--strips -1: want 1 or more"),
        (["--strips", "1", "--json"], "--strips is for reading: give --format table"),
        (["--html", ""], "--html names no file"),
        (["--html", "-", "--json"], "--html - takes standard output"),
        (["--html", "a.txt", "-o", "a.txt"], "-o and --html both name a.txt"),
    ],
)
def test_pages_and_strips_that_have_no_place_are_refused(
    bitext, topics, tmp_path, arguments, message
):
    refused(bitext("compare", topics / "ref", topics / "alpha", *arguments), message)
    alone = ["compare", topics / "ref", "--ref", topics / "ref2.masses", "--agreement"]
    assert bitext(*alone, "--html", tmp_path / "page.html", "--strips", 1).status == 0
