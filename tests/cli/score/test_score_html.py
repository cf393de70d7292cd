"""Pages and differences by `bitext score`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reference.page_text import data_of


@pytest.fixture
def corpus(coast, texts):
    return [coast / "gold", coast / "alpha", coast / "beta", *texts, "--resamples", 100]


@pytest.fixture
def ferry(coast):
    sides = ["--src", coast / "text/ferry.en", "--tgt", coast / "text/ferry.fr"]
    return [coast / "gold/ferry.align", coast / "alpha/ferry.align", *sides, "--resamples", 100]


def test_a_folder_has_an_index_and_a_page_for_each_text(bitext, corpus, tmp_path):
    result = bitext("score", *corpus, "--html", f"{tmp_path}/report/", "--format", "table")
    assert result.status == 0
    assert "0.8831" in result.out
    report = tmp_path / "report"
    found = sorted(str(p.relative_to(report)) for p in report.rglob("*.html"))
    names = ["ferry", "lighthouse", "market"]
    assert found == ["index.html", *(f"texts/{name}.html" for name in names)]
    index = (report / "index.html").read_text(encoding="utf-8")
    links = set(re.findall('href="(texts/[^"]*)"', index))
    assert links == set(found[1:])
    assert "0.8831" in index
    for name in names:
        html = (report / "texts" / f"{name}.html").read_text(encoding="utf-8")
        assert f"{name} against the gold standard" in html
        assert "beta, sentence" in html
        assert '<a href="../index.html">All texts</a>' in html
    market = (report / "texts/market.html").read_text(encoding="utf-8")
    assert "They buy postcards and small wooden boats." in market
    again = bitext("score", *corpus, "--html", report, "-q")
    assert again.status == 0
    assert (report / "index.html").read_text(encoding="utf-8") == index


def test_the_page_of_a_text_has_the_value_of_0_by_0_of_the_table(bitext, write, tmp_path):
    for folder in ("gold", "system"):
        write(f"{folder}/a.align", "[0]:[0]\n")
        write(f"{folder}/b.align", "[0]:[]\n")
    given = ["score", tmp_path / "gold", tmp_path / "system", "-g", "sentence", "--per-text"]
    done = bitext(*given, "--zero-division", "0", "--html", f"{tmp_path}/pages/", "--format", "tsv")
    assert "system\tb\tsentence\ttext\t0.0\t0.0\t0.0" in done.out
    html = (tmp_path / "pages/texts/b.html").read_text(encoding="utf-8")
    assert "precision 0.0000, recall 0.0000, F1 0.0000" in html


def test_the_page_of_word_links_has_the_value_of_0_by_0_of_the_table(bitext, write, tmp_path):
    for folder in ("gold", "system"):
        write(f"{folder}/a.pharaoh", "0-0\n0-1\n")
        write(f"{folder}/b.pharaoh", "\n\n")
    given = ["score", tmp_path / "gold", tmp_path / "system", "--from", "pharaoh", "--base", "0"]
    done = bitext(*given, "--zero-division", "1", "--html", f"{tmp_path}/pages/")
    assert done.status == 0, done.err
    html = (tmp_path / "pages/texts/b.html").read_text(encoding="utf-8")
    assert html.count(">1.0000<") == 4


def test_one_text_is_one_file_with_its_alignments_and_figures(bitext, ferry, tmp_path):
    result = bitext("score", *ferry, "--html", tmp_path / "ferry.html")
    assert result.status == 0
    html = (tmp_path / "ferry.html").read_text(encoding="utf-8")
    assert "Nobody asked what he had done with the hammer." in html
    assert "0.9655" in html
    assert "All texts" not in html
    assert 'id="granularities"' in html
    assert [p.name for p in tmp_path.iterdir()] == ["ferry.html"]


def test_several_texts_in_one_file_are_the_scores_and_a_note(bitext, corpus, tmp_path):
    result = bitext("score", *corpus, "--html", tmp_path / "scores.html")
    assert "--html FOLDER/ makes a page for each text too" in result.err
    html = (tmp_path / "scores.html").read_text(encoding="utf-8")
    assert 'id="dots"' in html
    assert "texts/" not in html


def test_a_page_to_standard_output_stands_alone(bitext, corpus, tmp_path):
    result = bitext("score", *corpus, "--html", "-", "-q")
    assert result.out.startswith("<!DOCTYPE html>")
    assert result.out.endswith("</html>\n")
    for more in (["--json"], ["--format", "tsv"], ["--errors"]):
        refused = bitext("score", *corpus, "--html", "-", *more)
        assert refused.status == 2
        assert "--html - takes standard output" in refused.err
    both = bitext("score", *corpus, "--html", "-", "-q", "-o", tmp_path / "s.json")
    assert both.out.startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["rows"]


def test_both_averages_are_shown(bitext, corpus, tmp_path):
    bitext("score", *corpus, "--html", tmp_path / "s.html", "--average", "both", "-q")
    html = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert html.count("<td>macro</td>") == html.count("<td>micro</td>") == 12


def test_odd_names_of_texts_and_systems_are_told_apart(bitext, write, tmp_path):
    lines = "[0]:[0]\n[1]:[1]\n"
    manifests = {}
    for system in ("gold", "hyp"):
        rows = []
        for k, name in enumerate(["a b", "a_b", "..", "<script>alert(1)</script>"]):
            path = write(f"{system}{k}.align", lines if system == "gold" else lines[:8])
            rows.append(f"{name}\t{Path(path).name}\n")
        manifests[system] = write(f"{system}.tsv", "text\tpath\n" + "".join(rows))
    place = tmp_path / "report"
    result = bitext(
        *("score", manifests["gold"], manifests["hyp"], "--names", "gold"),
        *("--html", f"{place}/", "-q"),
    )
    assert result.status == 0, result.err
    files = sorted(path.name for path in (place / "texts").iterdir())
    assert files == ["a_b-2.html", "a_b.html", "script_alert_1_script.html", "text.html"]
    index = (place / "index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in index
    assert "gold standard" in (place / "texts/a_b.html").read_text(encoding="utf-8")


def test_a_page_has_the_differences_of_all_pairs_where_they_are_tested(bitext, corpus, tmp_path):
    page = tmp_path / "s.html"
    result = bitext("score", *corpus, "--pairs", "--html", page, "--format", "table")
    held = page.read_text(encoding="utf-8").split('id="pairs"')[1].split("</section>")[0]
    cells = re.sub("<[^>]+>", " ", held).split()
    figures = re.findall(r"[+-]\d\.\d{4}", result.out)
    assert figures
    assert [cell for cell in cells if re.fullmatch(r"[+-]\d\.\d{4}", cell)] == figures


@pytest.mark.usefixtures("at_hand")
def test_jobs_and_merged_shards_write_the_folder_that_is_written_without(bitext, corpus, tmp_path):
    def contents(name):
        folder = tmp_path / name
        return {str(p.relative_to(folder)): p.read_text("utf-8") for p in folder.rglob("*.html")}

    bitext("score", *corpus, "--html", f"{tmp_path}/a/", "-q")
    journal = ["--journal", tmp_path / "whole"]
    assert bitext("score", *corpus, "--html", f"{tmp_path}/b/", "-q", *journal).status == 0
    assert contents("a") == contents("b")
    parts = [tmp_path / f"part{k}" for k in (1, 2)]
    for k, part in enumerate(parts, start=1):
        bitext("score", *corpus, "-q", "--shard", f"{k}/2", "--journal", part)
    merged = bitext("merge", tmp_path / "s.json", *parts, "--html", f"{tmp_path}/c/", "-q")
    assert merged.status == 0
    assert contents("c") == contents("a")


def test_what_fails_leaves_nothing_behind(bitext, corpus, ferry, write, coast, tmp_path):
    wrong = write("wrong.align", "[0]:[0]\n[900]:[900]\n")
    for place in ("page.html", "pages/"):
        result = bitext("score", ferry[0], wrong, *ferry[2:], "--html", f"{tmp_path}/{place}")
        assert result.status == 2
    swapped = bitext(
        *("score", coast / "gold", coast / "gold", "--swap", "gold"),
        *corpus[3:],
        "--html",
        f"{tmp_path}/pages/",
    )
    assert swapped.status == 2
    assert [path.name for path in tmp_path.iterdir() if path.name != Path(wrong).name] == []


def test_places_that_cannot_be_are_refused_before_the_work(bitext, ferry, tmp_path):
    gold = Path(ferry[0]).read_bytes()
    for place, told in [
        ("", "--html names no file"),
        (ferry[0], "is the same file as"),
        (ferry[3], "is the same file as"),
        (tmp_path / "none" / "a.html", "cannot be written"),
        (Path(ferry[0]).parent, "holds what is no report of ours"),
    ]:
        result = bitext("score", *ferry, "--html", place)
        assert result.status == 2
        assert told in result.err
    same = bitext("score", *ferry, "--html", tmp_path / "a.txt", "-o", tmp_path / "a.txt")
    assert "-o and --html both name" in same.err
    assert Path(ferry[0]).read_bytes() == gold


def test_every_difference_is_told_in_order_without_a_number(bitext, corpus, ferry):
    result = bitext("score", *corpus, "-q", "--errors")
    assert result.status == 0
    assert "granularity  system" in result.out  # through a pipe too, as it is for reading
    lines = result.out.splitlines()
    places = [line for line in lines if re.match("(alpha|beta) (ferry|lighthouse|market) ", line)]
    assert places[0] == "alpha ferry 11 : 11  ◑ partly found 1-1"
    assert "alpha ferry 12 : -  ○ missed 1-0" in places
    texts = [line.split()[1] for line in places]
    assert texts == sorted(texts)
    assert any("● agreed" in line for line in lines)
    assert "\x1b" not in result.out
    same = bitext("score", ferry[0], ferry[0], "-q", "--errors", *ferry[2:])
    assert "nothing differs from the gold standard" in same.out


def test_json_holds_every_place_without_a_number(bitext, corpus):
    some = json.loads(bitext("score", *corpus, "--json", "--errors", 2).out)["places"]
    every = json.loads(bitext("score", *corpus, "--json", "--errors").out)["places"]
    assert len(some) == 4
    assert len(every) == 7
    for system in ("alpha", "beta"):
        weights = [place["weight"] for place in every if place["system"] == system]
        assert weights == sorted(weights, reverse=True)
        assert [p for p in every if p["system"] == system][:2] == [
            p for p in some if p["system"] == system
        ]


def test_errors_before_the_files_takes_no_file_for_a_number(bitext, ferry):
    result = bitext("score", "--errors", *ferry)
    assert result.status == 2
    assert "is not a whole number: without one, give --errors after the files" in result.err


@pytest.mark.usefixtures("at_hand")
def test_shards_write_no_page_and_merging_writes_the_one_it_is_given(bitext, corpus, tmp_path):
    page, told = tmp_path / "scores.html", tmp_path / "told.html"
    parts = [tmp_path / f"p{k}" for k in (1, 2)]
    for k, part in enumerate(parts, start=1):
        bitext("score", *corpus, "--html", told, "--shard", f"{k}/2", "--journal", part)
        assert not told.exists()
    bitext("merge", tmp_path / "out", *parts, "--html", page)
    assert "0.8831" in page.read_text(encoding="utf-8")
    assert not told.exists()


@pytest.mark.usefixtures("at_hand")
def test_merging_writes_no_page_that_only_a_journal_names(bitext, corpus, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine", encoding="utf-8")
    part = tmp_path / "part"
    bitext("score", *corpus, "--html", precious, "--shard", "1/1", "--journal", part)
    result = bitext("merge", tmp_path / "out", part)
    assert result.status == 0
    assert "the shards were to write a page" in result.err
    assert "--html FILE writes it" in result.err
    assert precious.read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("at_hand")
def test_merging_what_has_no_page_refuses_one(bitext, write, tmp_path):
    source, part = write("a.tsv", "a\tb\n"), tmp_path / "part"
    bitext("convert", source, tmp_path / "o.jsonl", "--shard", "1/1", "--journal", part)
    result = bitext("merge", tmp_path / "out", part, "--html", tmp_path / "page.html")
    assert result.status == 2
    assert "'bitext convert' has no page; leave it out" in result.err


GOLD_LINKS, LINKS = "0-0 1-1 2p2\n0-0 1-1\n", "0-0 2-2 1-2\n0-0 1-1\n"


def test_a_page_of_word_links_has_words_links_and_scores(bitext, write, tmp_path):
    gold, hyp = write("gold.pharaoh", GOLD_LINKS), write("a.pharaoh", LINKS)
    texts = write("a.en", "a b c\nd e\n"), write("a.fr", "x y z\nu v\n")
    page = tmp_path / "page.html"
    found = bitext("score", gold, hyp, "--src", texts[0], "--tgt", texts[1], "--html", page)
    assert found.status == 0
    html = page.read_text()
    held = data_of(html)
    assert held["systems"] == ["a"]
    assert [pair["src"] for pair in held["pairs"]] == [["a", "b", "c"], ["d", "e"]]
    assert held["pairs"][0]["links"] == [
        [0, 0, 2, [0]], [1, 1, 2, []], [1, 2, 0, [0]], [2, 2, 1, [0]],
    ]  # fmt: skip
    assert "signature: word-links|average:micro" in html
    assert "0.8000" in html  # precision: 4 of 5
    shown = bitext("score", gold, hyp, "--html", "-")
    assert shown.out.startswith("<!DOCTYPE html>")


def test_what_counts_in_the_page_of_word_links_is_what_counts_in_the_scores(
    bitext, write, tmp_path
):
    gold, hyp = write("gold.pharaoh", GOLD_LINKS), write("a.pharaoh", LINKS)
    page = tmp_path / "page.html"
    assert bitext("score", gold, hyp, "--sure-only", "--alpha", "0.2", "--html", page).status == 0
    (first, _) = data_of(page.read_text())["pairs"]
    assert [2, 2, 0, [0]] in first["links"]  # possible links are left out of the gold standard
    assert first["figures"][0][:2] == [0.3333, 0.5]


def test_a_folder_of_word_links_has_a_page_a_text_and_an_index(bitext, write, tmp_path):
    for name in ("one", "two"):
        write(f"gold/{name}.pharaoh", GOLD_LINKS)
        write(f"sys/{name}.pharaoh", LINKS)
    place = tmp_path / "report"
    for _ in range(2):  # a report of ours is replaced
        found = bitext("score", tmp_path / "gold", tmp_path / "sys", "--html", f"{place}/")
        assert found.status == 0, found.err
    index = (place / "index.html").read_text()
    assert 'href="texts/one.html"' in index
    assert [pair["text"] for pair in data_of(index)["pairs"]] == ["one", "one", "two", "two"]
    text = (place / "texts" / "two.html").read_text()
    assert 'href="../index.html"' in text
    assert len(data_of(text)["pairs"]) == 2


def test_no_page_of_word_links_is_left_where_scoring_is_refused(bitext, write, tmp_path):
    gold, short = write("gold.pharaoh", GOLD_LINKS), write("a.pharaoh", "0-0\n")
    page = tmp_path / "page.html"
    assert bitext("score", gold, short, "--html", page).status == 2
    assert not page.exists()
