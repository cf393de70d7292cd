from __future__ import annotations

import json
import math
import re
import sys
from itertools import product
from shutil import copytree

import pytest

from bitext import read
from bitext import write as write_alignment
from bitext.metrics import arcade
from bitext.metrics.significance import holm
from bitext.model import Counts
from reference.sample_scores import row, rows_of

MEASURES = ["alignment", "sentence", "word", "character", "strict", "lax"]


@pytest.fixture
def orchard(coast):
    return coast.parent / "orchard"


@pytest.fixture
def published(coast):
    return coast.parent / "published" / "arcade"


def test_the_worked_example_of_the_arcade_page(bitext, published):
    result = bitext(
        *("score", published / "gold.align", published / "hyp.align", "--json"),
        *("--src", published / "src.txt", "--tgt", published / "tgt.txt"),
    )
    rows = rows_of(result)
    expected = json.loads((published / "expected.json").read_text(encoding="utf-8"))
    for measure, counts in expected.items():
        found = row(rows, granularity=measure, average="micro")
        assert {key: found[key] for key in counts} == counts
    assert row(rows, granularity="alignment", average="micro")["f1"] == 2 / 5
    assert row(rows, granularity="sentence", average="micro")["f1"] == 4 / 5
    assert round(row(rows, granularity="word", average="micro")["f1"], 3) == 0.756
    assert round(row(rows, granularity="character", average="micro")["f1"], 4) == 0.7258


def test_silence_and_noise_are_had_by_name(bitext, coast, published, texts, tmp_path):
    names = published / "gold.align", published / "hyp.align"
    found = row(
        rows_of(bitext("score", *names, "--json", "--also", "silence,noise")),
        granularity="alignment",
        average="micro",
    )
    assert (found["silence"], round(found["noise"], 4)) == (1 / 2, 0.6667)
    assert found["precision"], found["intervals"] is None
    table = bitext("score", *names, "-g", "alignment", "--also", "noise", "--format", "table").out
    assert table.splitlines()[-1].split()[2:] == ["0.3333", "0.5000", "0.4000", "0.6667"]
    systems = coast / "gold", coast / "alpha", coast / "beta"
    page = tmp_path / "page.html"
    flat = bitext("score", *systems, *texts, "--also", "noise", "--also", "silence", "--html", page)
    head, *lines = [line.split("\t") for line in flat.out.splitlines()]
    for line in lines:
        cells = dict(zip(head, line, strict=True))
        assert float(cells["noise"]) == pytest.approx(1 - float(cells["precision"]))
        assert float(cells["silence_high"]) == pytest.approx(1 - float(cells["recall_low"]))
        assert cells["noise_p"] == cells["precision_p"]
    made = page.read_text(encoding="utf-8")
    assert '<th scope="col" class="n">silence</th>' in made
    assert "The best figure of a granularity is bold." in made
    refused = bitext("score", *names, "--also", "loudness")
    assert (refused.status, "each once: silence, noise" in refused.err) == (2, True)


@pytest.mark.usefixtures("at_hand")
def test_jobs_give_silence_and_noise_too(bitext, coast, texts):
    given = "score", coast / "gold", coast / "alpha", *texts, "--also", "silence"
    assert bitext(*given, "-j", "2").out == bitext(*given).out


def test_rows_are_one_a_system_text_and_granularity(bitext, coast, texts):
    result = bitext("score", coast / "gold", coast / "alpha", coast / "beta", *texts, "--json")
    document = json.loads(result.out)
    assert document["schema"] == "bitext.score/1"
    keys = {(r["system"], r["text"], r["granularity"], r["average"]) for r in document["rows"]}
    names = ["ferry", "lighthouse", "market"]
    wanted = {(s, t, m, "text") for s, t, m in product(["alpha", "beta"], names, MEASURES)}
    averages = ["micro", "macro"]
    wanted |= {(s, None, m, a) for s, m, a in product(["alpha", "beta"], MEASURES, averages)}
    assert keys == wanted
    assert len(document["rows"]) == len(wanted)


def members(found):
    """Return the keys of a document, those of objects in its lists, too."""
    keys = set(found)
    for held in found.values():
        keys.update(key for each in held if isinstance(each, dict) for key in each)
    return keys


def test_what_programs_read_is_in_the_guide(bitext, coast, texts):
    command = ("score", coast / "gold", coast / "alpha", coast / "beta", *texts, "--similarity")
    document = json.loads(bitext(*command, "--errors", "1", "--json").out)
    guide = (coast.parent.parent / "docs" / "scoring.md").read_text(encoding="utf-8")
    columns = bitext(*command).out.splitlines()[0].split("\t")
    told = {name.replace("recall_", "precision_").replace("f1_", "precision_") for name in columns}
    wanted = {f"`{name}`" for name in told | members(document)}
    assert {name for name in wanted if name not in guide} == set()
    keys = {*columns[:11], "intervals", "undefined", "signature"}
    assert all(set(each) == keys for each in document["rows"])
    assert {r["intervals"] is None for r in document["rows"] if r["average"] == "text"} == {True}
    assert {r["undefined"] for r in document["rows"]} == {None}


def test_figures_are_those_of_the_library(bitext, coast, texts):
    rows = rows_of(bitext("score", coast / "gold", coast / "beta", *texts, "--json"))
    total = dict.fromkeys(MEASURES, Counts(0, 0, 0))
    each = {measure: [] for measure in MEASURES}
    for name in ("ferry", "lighthouse", "market"):
        options = {"src": coast / f"text/{name}.en", "tgt": coast / f"text/{name}.fr"}
        gold = read(coast / f"gold/{name}.align", **options)
        scores = arcade(gold, read(coast / f"beta/{name}.ladder", **options))
        for measure in MEASURES:
            total[measure] += scores[measure]
            each[measure].append(scores[measure].f1)
            found = row(rows, granularity=measure, text=name)
            assert (found["precision"], found["f1"]) == (
                scores[measure].precision,
                scores[measure].f1,
            )
    for measure in MEASURES:
        assert row(rows, granularity=measure, average="micro")["f1"] == total[measure].f1
        mean = row(rows, granularity=measure, average="macro")["f1"]
        assert mean == pytest.approx(sum(each[measure]) / 3)


def test_every_figure_has_a_signature_with_every_choice(bitext, coast, texts):
    arguments = ["score", coast / "gold", coast / "alpha", *texts, "--json", "--words", "unicode"]
    document = json.loads(bitext(*arguments, "--zero-division", "0").out)
    assert "words:unicode" in document["signature"]
    assert "undefined:0.0" in document["signature"]
    micro = row(document["rows"], granularity="word", average="micro")["signature"]
    shared = "texts:3|resampled:3-texts|interval:jackknife|level:0.95|words:unicode|"
    assert micro.startswith(f"word|average:micro|{shared}")
    assert document["signature"].startswith(f"arcade|average:micro,macro|{shared}")


@pytest.mark.usefixtures("at_hand")
def test_tables_tell_averages_levels_and_missing_texts(bitext, coast, texts, tmp_path):
    arguments = ["score", coast / "gold", coast / "alpha", *texts, "--resamples", "50"]

    def signature(*given):
        lines = bitext(*arguments, *given, "--format", "table").out.splitlines()
        return lines[0], next(line for line in lines if line.startswith("signature"))

    head, plain = signature("--confidence", "0.9999999")
    assert "; 99.99999% intervals" in head
    assert "|level:0.9999999|" in plain
    assert "arcade|average:micro|" in plain
    assert "arcade|average:micro,macro|" in signature("--average", "both")[1]
    part = tmp_path / "alpha"
    part.mkdir()
    first = min((coast / "alpha").iterdir())
    (part / first.name).write_bytes(first.read_bytes())
    arguments[2] = part
    assert "|texts:3|" in signature("--missing", "empty")[1]
    assert "|missing:empty|" in signature("--missing", "empty")[1]
    assert "missing" not in signature("--missing", "leave")[1]
    told = [
        [line.split("\t")[-1] for line in bitext(*arguments, *given).out.splitlines()[1:]]
        for given in (["--missing", "empty"], ["--missing", "empty", "-j", "2"])
    ]
    assert told[0] == told[1]
    assert all("|missing:empty|" in one for one in told[0])


def test_intervals_and_tests_are_seeded(bitext, coast, texts):
    arguments = ["score", coast / "gold", coast / "alpha", coast / "beta", *texts, "--json"]
    first, again = bitext(*arguments).out, bitext(*arguments).out
    assert first == again
    document = json.loads(first)
    low, high = row(document["rows"], system="beta", granularity="word", average="micro")[
        "intervals"
    ]["f1"]
    assert low < high
    assert all(0 < d["p"]["f1"] <= 1 for d in document["differences"])
    drawn = [*arguments, "--interval", "bootstrap", "--test", "randomisation"]
    one, other = (json.loads(bitext(*drawn, "--seed", seed).out) for seed in (0, 1))
    assert one == json.loads(bitext(*drawn).out)
    assert other["signature"] != one["signature"]
    assert other["rows"] != one["rows"]


def test_systems_are_tested_against_a_baseline_or_in_pairs(bitext, coast, texts):
    systems = [coast / "alpha", coast / "beta", coast / "gold"]
    names = ["--names", "alpha,beta,same"]
    command = ["score", coast / "gold", *systems, *texts, *names, "-g", "sentence", "--json"]

    def tested(*more):
        document = json.loads(bitext(*command, *more).out)
        return {
            (d["system"], d["baseline"]): d
            for d in document["differences"]
            if d["average"] == "micro"
        }, document["signature"]

    plain, signed = tested()
    assert {*plain} == {("beta", "alpha"), ("same", "alpha")}
    assert {d["test"] for d in plain.values()} == {"t"}
    against, baseline = tested("--baseline", "beta")
    assert {*against} == {("alpha", "beta"), ("same", "beta")}
    assert against["alpha", "beta"]["f1"] == -plain["beta", "alpha"]["f1"]
    assert against["alpha", "beta"]["p"] == plain["beta", "alpha"]["p"]
    pairs, paired = tested("--pairs", "--holm")
    assert {*pairs} == {("beta", "alpha"), ("same", "alpha"), ("same", "beta")}
    assert {d["correction"] for d in pairs.values()} == {"holm"}
    raw = {**plain, ("same", "beta"): against["same", "beta"]}
    (wanted,) = zip(*holm([[raw[pair]["p"]["f1"]] for pair in pairs]), strict=True)
    assert [d["p"]["f1"] for d in pairs.values()] == pytest.approx(wanted)
    assert len({signed, baseline, paired}) == 3
    shown = bitext(*command[:-1], "--pairs", "--format", "table").out
    assert re.search(r"sentence +beta +alpha +[-+]0\.\d{4}", shown)
    second = bitext(*command[:-1], "--pairs", "--format", "tsv")
    assert (second.status, second.out) == (2, "")
    assert "--pairs makes a second table, and tsv is one" in second.err
    assert bitext(*command[:-1], "--pairs").out == shown
    refused = bitext(*command, "--baseline", "betta")
    assert (refused.status, refused.out) == (2, "")
    assert "no system has this name; did you mean 'beta'?" in refused.err


@pytest.mark.usefixtures("at_hand")
def test_what_few_texts_are_worth_is_told(bitext, coast, texts):
    arguments = ["score", coast / "gold", coast / "alpha", coast / "beta", *texts]
    count = len(list((coast / "gold").iterdir()))
    told = f"p cannot fall below {2.0 ** (1 - count):.4g} with {count} texts (randomisation)"
    old = [*arguments, "--interval", "bootstrap", "--test", "randomisation"]
    for found in (bitext(*old), bitext(*old, "--jobs", 2)):
        assert told in found.err
        assert f"bootstrap intervals of {count} texts are too narrow" in found.err
    assert told in json.loads(bitext(*old, "--json").out)["notes"][-1]
    assert "too narrow" not in bitext(*arguments).err
    refused = bitext(*arguments, "--test", "bootstrap")
    assert (refused.status, refused.out) == (2, "")
    assert "give 20 or more, or leave --test out" in refused.err


def test_the_table_shows_intervals_and_the_best_places(bitext, coast, texts):
    result = bitext(
        *("score", coast / "gold", coast / "alpha", coast / "beta", *texts),
        *("--format", "table", "--beads", "--errors", 1),
    )
    assert "0.8831 [0.6191, 0.9723]" in result.out
    assert "1. alpha, market: 5,286 character pairs wrong" in result.out
    assert "They buy postcards and small wooden boats." in result.out
    assert "2 × 1-1 (5); 1-2 (1)" in result.out


def test_clear_differences_are_marked(bitext, write):
    n = 400
    gold = write("gold.align", "".join(f"[{k}]:[{k}]\n" for k in range(n)))
    good = write("good.align", "".join(f"[{k}]:[{k}]\n" for k in range(n)))
    bad = write(
        "bad.align",
        "".join(f"[{k}, {k + 1}]:[{k}, {k + 1}]\n" for k in range(0, n, 2)),
    )
    result = bitext("score", gold, good, bad, "--format", "table", "-g", "alignment")
    assert "0.0000 [0.0000, 0.0280]**" in result.out


def test_tab_separated_rows_have_one_value_a_cell(bitext, coast, texts):
    result = bitext("score", coast / "gold", coast / "alpha", *texts, "--per-text")
    head, *lines = [line.split("\t") for line in result.out.splitlines()]
    assert {len(line) for line in lines} == {len(head)}
    assert len(lines) == len(MEASURES) * (1 + 3)
    assert float(lines[0][head.index("f1")]) == pytest.approx(0.8831168831168831)


def test_undefined_figures_are_null_and_a_dash(bitext, write):
    gold, hyp = write("gold.align", "[0]:[]\n"), write("hyp.align", "[0]:[]\n")
    rows = rows_of(bitext("score", gold, hyp, "--json"))
    found = row(rows, granularity="sentence", average="micro")
    assert (found["precision"], found["recall"], found["f1"]) == (None, None, None)
    assert found["undefined"] == "nothing proposed, nothing expected"
    table = bitext("score", gold, hyp, "--format", "table").out
    assert [line.split() for line in table.splitlines() if "sentence" in line] == [
        ["sentence", "hyp", "-", "-", "-"]
    ]
    rows = rows_of(bitext("score", gold, hyp, "--json", "--zero-division", 1))
    assert row(rows, granularity="sentence", average="micro")["f1"] == 1


def test_json_is_json_without_nan(bitext, write):
    gold, hyp = write("gold.align", "[0]:[]\n"), write("hyp.align", "[]:[0]\n")
    document = json.loads(bitext("score", gold, hyp, "--json").out, parse_constant=pytest.fail)
    assert None in {row["precision"] for row in document["rows"]}


def test_an_empty_name_of_a_system_is_refused(bitext, coast):
    found = bitext("score", coast / "gold", coast / "alpha", "--names", "")
    assert (found.status, "--names '': want 1 different names with commas" in found.err) == (
        2,
        True,
    )


def test_a_manifest_pairs_by_the_names_it_gives(bitext, coast, write):
    lines = ["text\tpath\tsrc\ttgt"]
    for name in ("ferry", "market"):
        part = coast / "text" / name
        lines.append(f"{name}\t{coast}/gold/{name}.align\t{part}.en\t{part}.fr")
    gold = write("gold.tsv", "\n".join(lines) + "\n")
    hyp = write("hyp.tsv", f"text\tpath\nferry\t{coast}/alpha/ferry.align\n")
    result = bitext("score", gold, hyp, "--json")
    rows = rows_of(result)
    assert {r["text"] for r in rows} == {None, "ferry"}
    assert json.loads(result.out)["unpaired"] == [
        {"text": "market", "where": str(hyp), "extra": False}
    ]
    assert "1 text that" in result.err


@pytest.mark.parametrize("name", ["all.tsv", "all.jsonl", "all.json", "deep/all.tsv"])
@pytest.mark.parametrize("more", [[], ["--from", "tsv"]])
def test_a_manifest_in_a_folder_is_no_alignment(bitext, coast, write, tmp_path, name, more):
    row = {"text": "ferry", "path": str(coast / "gold" / "ferry.align")}
    table = f"text\tpath\nferry\t{row['path']}\n"
    for folder in ("gold", "hyp"):
        write(f"{folder}/{name}", json.dumps(row) if "json" in name else table)
        write(f"{folder}/ferry.align", (coast / "gold" / "ferry.align").read_bytes())
    if more:
        for folder in ("gold", "hyp"):
            write(f"{folder}/one.tsv", "One.\tUn.\n")
    result = bitext("score", tmp_path / "gold", tmp_path / "hyp", *more)
    if more and "json" in name:  # of no such format
        assert result.status == 0
        assert "all.json" in result.err
        return
    assert (result.status, result.out, len(result.lines())) == (2, "", 1)
    assert f"gold/{name}: is a manifest, not a file of alignments; where a corpus is" in result.err
    both = bitext("score", tmp_path / "gold" / name, tmp_path / "hyp" / name, "-q")
    assert (both.status, both.err) == (0, "")
    write("lists.tsv", f"text\tpath\nall\tgold/{name}\n")
    assert "is a manifest, not a file" in bitext("score", *[tmp_path / "lists.tsv"] * 2).err


def test_texts_without_a_partner_are_told(bitext, coast, texts, tmp_path):
    partial = tmp_path / "partial"
    partial.mkdir()
    for name in ("ferry", "market"):
        source = coast / "alpha" / f"{name}.align"
        (partial / f"{name}.align").write_bytes(source.read_bytes())
    (partial / "extra.align").write_text("[0]:[0]\n", encoding="utf-8")
    arguments = ["score", coast / "gold", partial, coast / "beta", *texts]
    result = bitext(*arguments, "--json")
    document = json.loads(result.out)
    assert {(u["text"], u["extra"]) for u in document["unpaired"]} == {
        ("lighthouse", False),
        ("extra", True),
    }
    assert {r["text"] for r in document["rows"]} == {None, "ferry", "market"}
    assert "lighthouse" in result.err
    empty = json.loads(bitext(*arguments, "--json", "--missing", "empty").out)
    found = row(empty["rows"], system="partial", text="lighthouse", granularity="word")
    assert (found["precision"], found["recall"]) == (None, 0)
    refused = bitext(*arguments, "--missing", "error")
    assert refused.status == 2
    assert "has no alignment of 'lighthouse'" in refused.err


@pytest.mark.usefixtures("at_hand")
def test_folders_are_searched_however_deep_and_aside_files_are_left(bitext, tmp_path):
    for side in ("gold", "hyp"):
        folder = tmp_path / side / "deep"
        folder.mkdir(parents=True)
        (folder / "a.align").write_text("[0]:[0]\n", encoding="utf-8")
        (folder / "README.md").write_text("Nothing of the kind.\n", encoding="utf-8")
        (folder / ".hidden.align").write_text("broken", encoding="utf-8")
    result = bitext("score", tmp_path / "gold", tmp_path / "hyp", "--json", "-v")
    assert {r["text"] for r in rows_of(result)} == {None, "deep/a"}
    assert "README.md holds no alignment" in result.err
    for jobs in ([], ["-j", "2"]):
        result = bitext("score", tmp_path / "gold", tmp_path / "hyp", *jobs)
        told = f"1 file of {tmp_path / 'hyp'} holds no alignment, ignored: deep/README.md"
        assert f"note: {told}\n" in result.err


def test_an_empty_file_of_a_folder_is_refused_as_if_it_were_named(bitext, write, tmp_path):
    for name in ("gold/a", "gold/b", "hyp/a"):
        write(f"{name}.align", "[0]:[0]\n")
    lone = bitext("score", tmp_path / "gold" / "b.align", write("hyp/b.align", ""))
    both = bitext("score", tmp_path / "gold", tmp_path / "hyp")
    assert (lone.status, both.status) == (2, 2)
    assert lone.err == both.err
    assert (
        "b.align: is empty; give the file that holds the alignment, or if it holds none, name"
        in both.err
    )


def test_granularities_can_be_chosen(bitext, coast, texts):
    arguments = ["score", coast / "gold", coast / "alpha", *texts, "--json"]
    rows = rows_of(bitext(*arguments, "-g", "character,lax", "-g", "strict"))
    assert {r["granularity"] for r in rows} == {"character", "lax", "strict"}
    refused = bitext(*arguments, "-g", "caracter")
    assert refused.status == 2
    assert "'caracter' is not known" in refused.err


def test_texts_of_another_segmentation_are_laid_over_those_of_the_gold(bitext, write):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n")
    write("g.en", "One two. Three.\nFour five.\n")
    write("g.fr", "Un deux. Trois.\nQuatre cinq.\n")
    hyp = write("hyp.align", "[0, 1]:[0, 1]\n[2]:[2]\n")
    write("h.en", "One two.\nThree.\nFour five.\n")
    write("h.fr", "Un deux.\nTrois.\nQuatre cinq.\n")
    folder = gold.parent
    result = bitext(
        *("score", gold, hyp, "--json", "--src", folder / "g.en", "--tgt", folder / "g.fr"),
        *("--hyp-src", folder / "h.en", "--hyp-tgt", folder / "h.fr"),
    )
    rows = rows_of(result)
    for measure in MEASURES:
        assert row(rows, granularity=measure, average="micro")["f1"] == 1


def test_the_other_text_of_a_system_is_wanted_where_positions_lie_behind_that_of_the_gold(
    bitext, write
):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n").parent
    write("hyp.align", "[0, 1]:[0]\n[2]:[1]\n")
    write("two", "One two. Three.\nFour five.\n")
    write("three", "One two.\nThree.\nFour five.\n")
    files = ("score", gold / "gold.align", gold / "hyp.align", "--tgt", gold / "two")
    found = bitext(*files, "--src", gold / "two", "--hyp-tgt", gold / "three")
    assert found.status == 2
    assert "give the source text of this alignment, too (--hyp-src)" in found.err
    both = ("--src", gold / "three", "--hyp-src", gold / "two", "--hyp-tgt", gold / "three")
    assert "it fits: exchange --hyp-src and --hyp-tgt, or" in bitext(*files, *both).err


@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
@pytest.mark.usefixtures("at_hand")
def test_how_much_of_texts_that_differ_was_matched_is_told(bitext, write, jobs):
    words = "\n".join(f"Sentence {k} has as many words." for k in range(9)) + "\n"
    for name, text in (("a", words.replace("has", "haſ", 1)), ("b", words.replace("has", "had"))):
        write(f"g/{name}.align", "".join(f"[{k}]:[{k}]\n" for k in range(9)))
        write(f"h/{name}.align", "".join(f"[{k}]:[{k}]\n" for k in range(9)))
        write(f"t/{name}.en", words)
        write(f"u/{name}.en", text)
    french = words.replace("Sentence", "La phrase").replace("has as many words", "a autant de mots")
    folder = write("t/a.fr", french).parent.parent
    write("t/b.fr", french)
    told = bitext(
        *("score", folder / "g", folder / "h", "--json", *jobs, "--src", folder / "t/{name}.en"),
        *("--tgt", folder / "t/{name}.fr", "--hyp-src", folder / "u/{name}.en"),
        *("--names", "cut"),
    )
    note = (
        "cut: 2 of 2 source texts differ from the gold standard's: at least 95.8% of the "
        "characters match, white space apart (b)"
    )
    assert json.loads(told.out)["notes"][0] == note
    one = bitext(
        *("score", folder / "g/a.align", folder / "h/a.align", "--src", folder / "t/a.en"),
        *("--tgt", folder / "t/a.fr", "--hyp-src", folder / "u/a.en", "--names", "h", *jobs),
    )
    assert one.err == (
        "note: h: the source text differs from the gold standard's: 99.5% of the characters "
        "match, white space apart\n"
    )
    same = ("--hyp-src", folder / "t/a.en", "--tgt", folder / "t/a.fr", "--src", folder / "t/a.en")
    assert not bitext("score", folder / "g/a.align", folder / "h/a.align", *same).err


def test_a_manifest_may_give_several_texts_one_file(bitext, write):
    for name in ("a", "b"):
        write(f"g/{name}.align", "[0]:[0]\n")
    text = write("one.en", "One.\n")
    rows = "".join(f"{name}\tg/{name}.align\tone.en\tone.en\n" for name in ("a", "b"))
    gold = write("gold.tsv", f"text\tpath\tsrc\ttgt\n{rows}")
    assert bitext("score", gold, gold.parent / "g", "--src", text).status == 0
    folder = ("--hyp-src", gold.parent / "{system}", "--hyp-tgt", gold.parent / "{system}")
    write("h/a.en", "One.\n")
    write("h/b.en", "One.\n")
    found = bitext("score", gold, gold.parent / "g", "--names", "h", *folder)
    assert found.status == 0, found.err


@pytest.mark.parametrize("side", ["src", "tgt"])
@pytest.mark.usefixtures("at_hand")
def test_texts_of_a_system_want_those_of_the_gold_standard(bitext, write, side):
    gold, hyp = write("gold.align", "[0]:[0]\n"), write("hyp.align", "[0]:[0]\n")
    write("g.en", "One. Two.\n")
    text = write("h.en", "One.\nTwo.\n")
    other = {"src": "tgt", "tgt": "src"}[side]
    arguments = (f"--{other}", gold.parent / "g.en", f"--hyp-{side}", text)
    for jobs in ([], ["-j", "2"]):
        result = bitext("score", gold, hyp, *arguments, *jobs)
        assert (result.status, len(result.lines())) == (2, 1)
        assert f"--hyp-{side} needs the text of the gold standard, too (--{side})" in result.err
    held = write("gold.tsv", "One. Two.\tOne. Two.\n")
    result = bitext("score", held, hyp, "--hyp-src", text, "--hyp-tgt", text)
    assert "wants" not in result.err


def test_systems_are_named_by_as_much_of_their_paths_as_tells_them_apart(bitext, coast):
    first, second = coast / "alpha" / "ferry.align", coast / "gold" / "ferry.align"
    rows = rows_of(bitext("score", second, first, second, "--json"))
    assert {r["system"] for r in rows} == {"alpha/ferry", "gold/ferry"}
    rows = rows_of(bitext("score", second, first, "--names", "mine", "--json"))
    assert {r["system"] for r in rows} == {"mine"}
    refused = bitext("score", second, first, "--names", "a,b")
    assert refused.status == 2
    assert "want 1 different names" in refused.err


@pytest.mark.parametrize(("here", "given"), [("alpha", "."), ("alpha", "./"), ("alpha/x", "..")])
def test_the_folder_one_is_in_has_its_name(bitext, coast, tmp_path, monkeypatch, here, given):
    copytree(coast, tmp_path / "coast")
    (tmp_path / "coast" / here).mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / "coast" / here)
    gold = tmp_path / "coast" / "gold"
    assert {r["system"] for r in rows_of(bitext("score", gold, given, "--json"))} == {"alpha"}


def test_a_breakdown_is_a_table_through_a_pipe_too(bitext, coast):
    found = bitext("score", coast / "gold", coast / "alpha", "--beads", "-g", "lax")
    assert found.out.startswith("3 texts, micro average")
    assert "the missed became" in found.out


@pytest.mark.parametrize("more", [["-g", "alignment"], []])
def test_counters_are_for_similarities_too(bitext, coast, texts, more):
    similar = (coast / "gold", coast / "alpha", *texts, "--similarity", "--json", *more)
    plain, other = (
        json.loads(bitext("score", *similar, *words).out)["similarity"]
        for words in ([], ["--words", "treebank"])
    )
    assert [r["value"] for r in plain] != [r["value"] for r in other]


def test_one_text_is_resampled_in_blocks_if_it_is_long_enough(bitext, coast, write):
    gold = write("gold.align", "".join(f"[{k}]:[{k}]\n" for k in range(60)))
    hyp = write("hyp.align", "".join(f"[{k}]:[{k + k // 30}]\n" for k in range(60)))
    document = json.loads(bitext("score", gold, hyp, "--json").out)
    assert "resampled:10-blocks-of-one-text" in document["signature"]
    low, high = row(document["rows"], granularity="alignment", average="micro")["intervals"]["f1"]
    assert low < 0.5 < high
    for arguments in (
        ["score", gold, hyp, "--resamples", 0],
        ["score", coast / "gold/ferry.align", coast / "beta/ferry.ladder"],
    ):
        rows = rows_of(bitext(*arguments, "--json"))
        assert {each["intervals"] for each in rows} == {None}


def test_standard_input_is_read_and_a_file_is_written_whole(bitext, coast, tmp_path, monkeypatch):
    class Standard:
        buffer = (coast / "alpha/ferry.align").open("rb")

    monkeypatch.setattr(sys, "stdin", Standard)
    out = tmp_path / "scores.json"
    result = bitext("score", coast / "gold/ferry.align", "-", "-o", out)
    assert (result.status, result.out) == (0, "")
    assert json.loads(out.read_text(encoding="utf-8"))["systems"] == {"stdin": "-"}


def test_what_is_odd_in_published_alignments_is_scored_and_told(bitext, write):
    gold = write("gold.align", "[0]:[0, 2]\n[2, 1]:[1]\n[2]:[3]\n")
    result = bitext("score", gold, gold, "--json", "--names", "self")
    rows = rows_of(result)
    for measure in ("alignment", "sentence", "strict", "lax"):
        assert row(rows, granularity=measure, average="micro")["f1"] == 1
    assert "discontinuous" in result.err
    assert "more than one bisegment" in result.err


def test_quiet_is_quiet(bitext, write):
    gold = write("gold.align", "[0]:[0, 2]\n[1]:[1]\n")
    assert bitext("score", gold, gold, "-q").err == ""


def test_macro_averages_leave_out_what_is_undefined(bitext, write):
    for side in ("gold", "hyp"):
        write(f"{side}/a.align", "[0]:[0]\n")
    write("gold/b.align", "[0]:[]\n")
    hyp = write("hyp/b.align", "[0]:[]\n").parent
    rows = rows_of(bitext("score", hyp.parent / "gold", hyp, "--json"))
    found = row(rows, granularity="sentence", average="macro")
    assert found["f1"] == 1
    left = "undefined and left out: precision of 1 text, recall of 1 text, F1 of 1 text"
    assert found["undefined"] == left
    assert not math.isnan(found["f1"])
    told = (
        "macro averages leave out texts in which a ratio is undefined: up to 1 of 2 texts "
        "(sentence precision of hyp); --zero-division takes them in"
    )
    corpora = (hyp.parent / "gold", hyp, "-g", "sentence,strict")
    for style in ("table", "markdown", "latex", "tsv"):
        printed = bitext("score", *corpora, "--average", "both", "--format", style)
        told_where = printed.err if style == "tsv" else printed.out
        assert told_where.count(told) == 1
        assert (printed.out + printed.err).count(told) == 1
    assert told in json.loads(bitext("score", *corpora, "--json").out)["notes"]
    page = bitext("score", *corpora, "--average", "macro", "--html", "-").out
    assert told in page
    for more in (["--average", "macro", "--zero-division", "1"], ["--average", "micro"]):
        printed = bitext("score", *corpora, "--format", "table", *more)
        assert "leave out" not in printed.out + printed.err


def test_a_table_of_latex_has_its_signature_as_comments(bitext, coast, texts):
    both = (coast / "gold", coast / "alpha", coast / "beta", *texts, "-g", "strict")
    table = bitext("score", *both, "--format", "table", "--similarity").out.split("\n\n")
    latex = bitext("score", *both, "--format", "latex", "--similarity").out.split("\n\n")
    captions = [line for part in table[::2] for line in part.splitlines()]
    assert sum(line.startswith("signature: ") for line in captions) == 2
    assert [line for part in latex[::2] for line in part.splitlines()] == [
        f"% {line}" for line in captions
    ]
    assert all(part.startswith("\\begin{tabular}") for part in latex[1::2])
    assert captions[1].startswith("* p < 0.05, ** p < 0.01 against alpha")


def test_precision_by_bead_is_of_the_proposed_beads_of_each_type(bitext, coast, texts):
    both = (coast / "gold", coast / "alpha", coast / "beta", *texts, "-g", "alignment")
    table = bitext("score", *both, "--precision-by-bead", "--digits", 2).out.split("\n\n")[-1]
    lines = [line.split() for line in table.splitlines()]
    assert lines[0] == [
        *["bead", "system", "expected", "proposed", "found", "precision", "recall", "F1"]
    ]
    assert lines[2] == ["1-1", "alpha", "29", "27", "26", "0.96", "0.90", "0.93"]
    assert ["beta", "3", "0", "0", "-", "0.00", "0.00"] in lines
    assert lines[-2] == ["2-2", "alpha", "0", "1", "0", "0.00", "-", "0.00"]
    rows = json.loads(bitext("score", *both, "--json").out)["bead_types"]
    for system, found, proposed in (("alpha", 26 + 8, 38), ("beta", 27, 42)):
        mine = [row for row in rows if row["system"] == system]
        assert sum(row["found"] for row in mine) == found
        assert sum(row["proposed"] for row in mine) == proposed
    refused = bitext("score", *both, "--precision-by-bead", "--format", "csv")
    assert "--precision-by-bead makes a second table, and tsv is one" in refused.err


def test_one_file_of_several_document_pairs_is_a_corpus(bitext, write):
    def document(n):
        return "<text>" + "".join(f'<s id="s{k}">a b {k}</s>' for k in range(n)) + "</text>"

    def group(name, *links):
        lines = "".join(f'<link xtargets="{link}"/>\n' for link in links)
        return f'<linkGrp fromDoc="en/{name}.xml" toDoc="fr/{name}.xml">\n{lines}</linkGrp>\n'

    for name, language in product(["one", "two", "three"], ["en", "fr"]):
        write(f"{language}/{name}.xml", document(3))
    one, two = group("one", "s0;s0", "s1 s2;s1 s2"), group("two", "s0;s0", "s1;s1", "s2;s2")
    three = group("three", "s0;s0")
    gold = write("gold.xml", f"<cesAlign>\n{one}{two}</cesAlign>")
    hyp = write("hyp.xml", f"<cesAlign>\n{three}{two}{group('one', 's0;s0')}</cesAlign>")
    result = bitext("score", gold, hyp, "--json")
    rows = rows_of(result)
    names = {r["text"] for r in rows} - {None}
    assert len(names) == 2
    (first,) = [name for name in names if "one" in name]
    assert row(rows, text=first, granularity="alignment")["recall"] == 1 / 2
    assert row(rows, text=first, granularity="word")["expected"] == 3 * 3 + 6 * 6
    assert [(u["extra"], "three" in u["text"]) for u in json.loads(result.out)["unpaired"]] == [
        (True, True)
    ]


def test_alignments_of_every_format_are_scored_against_each_other(bitext, coast, tmp_path):
    options = {"src": coast / "text/market.en", "tgt": coast / "text/market.fr"}
    gold = read(coast / "gold/market.align", **options)
    ordered = gold.alignment.select([0, 1, 2, 3, 4, 5, 6, 9, 10])
    partial = type(gold)(gold.src, gold.tgt, ordered)
    files = {
        "vecalign": "g.align",
        "jsonl": "g.jsonl",
        "maligna": "g.al",
        "tsv": "g.tsv",
        "hunalign-text": "g.bi",
        "moses": f"{tmp_path}/g.en,{tmp_path}/g.fr",
    }
    for name, file in files.items():
        path = file if "," in file else tmp_path / file
        write_alignment(partial, path, format=name)
        result = bitext(
            *("score", coast / "gold/market.align", path, "--json", "--names", "it"),
            *("--src", options["src"], "--tgt", options["tgt"], "--min-matched", "0.8"),
        )
        rows = rows_of(result)
        found = row(rows, granularity="alignment", average="micro")
        assert (found["hits"], found["proposed"]) == (9, 9), name
        assert row(rows, granularity="character", average="micro")["precision"] == 1, name


def test_positions_of_two_bases_are_refused_where_no_text_tells(bitext, write):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n[2]:[2]\n")
    other = write("h.align", "[1]:[1]\n[2]:[2]\n[3]:[3]\n")
    found = bitext("score", gold, other, "-g", "alignment")
    assert found.status == 2
    assert "it seems to count from 1 (--base h=1); if it counts from 0" in found.err
    assert "--base gold=1" in bitext("score", other, gold, "-g", "alignment").err
    for base, f1 in (("h=1", 1), ("h=0", 2 / 3)):
        result = bitext("score", gold, other, "-g", "alignment", "--base", base, "--json")
        assert row(rows_of(result), average="micro")["f1"] == f1
    text = write("t", "a\nb\nc\n")
    given = ("--src", text, "--tgt", text, "--json")
    found = bitext("score", gold, other, "-g", "alignment", *given)
    assert row(rows_of(found), average="micro")["f1"] == 1
    assert "read as counting from 1" in found.err


def test_texts_in_the_wrong_order_are_told_by_their_lengths(bitext, orchard):
    gold = orchard / "orchard.en-fr.align"
    src, tgt = orchard / "orchard.en", orchard / "orchard.fr"  # of as many sentences
    assert bitext("score", gold, gold, "--src", src, "--tgt", tgt).err == ""
    found = bitext("score", gold, gold, "--src", tgt, "--tgt", src)
    assert "gold: texts that fit better exchanged, by the lengths of what is aligned" in found.err


def test_a_text_with_a_title_more_is_told_by_its_lengths(bitext, orchard, write):
    gold = orchard / "orchard.en-fr.align"
    src = write("titled.en", "The orchard\n" + (orchard / "orchard.en").read_text())
    found = bitext("score", gold, gold, "--src", src, "--tgt", orchard / "orchard.fr")
    assert "gold: texts that fit better with positions 1 higher in the source, by the" in found.err


def test_positions_that_leave_empty_lines_out_are_told(bitext, write):
    lines = [f"The line of number {k}." for k in range(12)]
    spaced = "\n".join([*lines[:5], "", *lines[5:]]) + "\n"
    gold = write("gold.align", "".join(f"[{k}]:[{k}]\n" for k in range(12)))
    french = spaced.replace("The line of number", "La ligne du numéro")
    texts = ("--src", write("a.en", spaced), "--tgt", write("a.fr", french))
    found = bitext("score", gold, gold, *texts)
    assert "gold: texts whose empty lines the positions seem not to count" in found.err
    counted = write("counted.align", "".join(f"[{k}]:[{k}]\n" for k in range(13)))
    assert bitext("score", counted, counted, *texts).err == ""
    more = "\n".join([*lines[:5], "", *lines[5:9], "", *lines[9:]]) + "\n"
    found = bitext("score", gold, gold, "--src", write("b.en", more), "--tgt", texts[3])
    assert "b.en has 14, of which 12 are not empty: leave out its empty lines" in found.err
    last = write("c.en", "\n".join(lines) + "\n\n")
    assert "not to count" not in bitext("score", gold, gold, "--src", last, "--tgt", last).err


@pytest.mark.parametrize(
    ("i", "j", "told"),
    [
        (1, 1, "positions 1 lower in the source and 1 lower in the target"),
        (1, 0, "positions 1 lower in the source"),
        (0, 2, "positions 2 lower in the target"),
        (0, 0, ""),
    ],
)
@pytest.mark.parametrize("jobs", [(), ("-j", "2")])
@pytest.mark.usefixtures("at_hand")
def test_a_system_whose_positions_are_shifted_is_told(bitext, orchard, write, i, j, told, jobs):
    gold = orchard / "orchard.en-fr.align"
    beads = list(read(gold).alignment)[: -1 - max(i, j)]
    lines = [f"{[k + i for k in bead.src]}:{[k + j for k in bead.tgt]}\n" for bead in beads]
    texts = ("--src", orchard / "orchard.en", "--tgt", orchard / "orchard.fr")
    found = bitext("score", gold, write("moved.align", "".join(lines)), *texts, *jobs)
    assert found.status == 0
    assert f"note: moved: fits better with {told}" in found.err if told else "fits" not in found.err
