"""`bitext stats`, from the command line."""

import json

import pytest

from .conftest import FIXTURES

MEMORY = FIXTURES / "mill/memory.tmx"
LINKS = FIXTURES / "mill/links.xml"


def cells(out):
    return {tuple(line.split("\t")[:2]): line.split("\t")[2:] for line in out.splitlines()}


def test_the_figures_of_a_file(bitext):
    found = bitext("stats", MEMORY)
    assert found.status == 0
    rows = cells(found.out)
    assert rows[str(MEMORY), "bisegments 1-1"][:2] == ["2", str(2 / 3)]
    assert rows[str(MEMORY), "languages en-fr"][0] == "1"
    assert rows[str(MEMORY), "source words"][4:6] == ["3", "3"]
    assert (str(MEMORY), "scores") not in rows


def test_several_files_have_a_total(bitext):
    found = bitext("stats", MEMORY, LINKS, "--json")
    document = json.loads(found.out)
    assert document["schema"] == "bitext.stats/1"
    assert [each["bisegments"] for each in document["files"]] == [3, 5]
    assert document["total"]["bisegments"] == 8
    assert document["total"]["name"] == "all 2 files"
    alone = json.loads(bitext("stats", MEMORY, LINKS, "--json", "--total").out)
    assert alone == {**document, "files": []}


def test_the_page_has_a_histogram_of_what_is_known(bitext, tmp_path):
    place = tmp_path / "page.html"
    found = bitext("stats", LINKS, "--html", place, "--format", "table")
    assert "length ratios" in found.out
    html = place.read_text("utf-8")
    assert html.count('<svg role="img"') == 6
    assert "<figcaption>Scores</figcaption>" in html
    assert bitext("stats", MEMORY, "--html", "-").out.count('<svg role="img"') == 5


def test_names_of_files_cannot_change_the_page(bitext, write):
    path = write("a<b>.tsv", "src\ttgt\nYes.\tOui.\n")
    found = bitext("stats", path, "--html", "-")
    assert "a&lt;b&gt;.tsv" in found.out
    assert "<b>.tsv" not in found.out


def test_an_empty_corpus_has_zeros(bitext, write):
    path = write("a.tmx", '<tmx version="1.4"><header srclang="en"/><body></body></tmx>')
    found = bitext("stats", path)
    assert found.status == 0, found.err
    assert cells(found.out)[str(path), "bisegments"][0] == "0"
    assert bitext("stats", path, "--html", "-").status == 0


def test_a_file_given_twice_is_noted(bitext):
    found = bitext("stats", MEMORY, MEMORY)
    assert "files that are given more than once, counted each time" in found.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.tmx"], "no.tmx: no such file"),
        ([MEMORY, "-o", MEMORY], "memory.tmx"),
        ([MEMORY, "--html", MEMORY], "memory.tmx"),
        ([MEMORY, "--json", "--html", "-"], "--html - takes standard output"),
    ],
)
def test_refused_in_one_line(bitext, arguments, message):
    found = bitext("stats", *arguments)
    assert (found.status, found.out) == (2, "")
    assert message in found.err
    assert len(found.lines()) == 1


def test_texts_without_blanks_between_words_are_noted_once(bitext, write):
    path = write("a.tsv", "The mill stood still.\t磨坊停了整整一年。\n" * 3000)
    found = bitext("stats", path)
    told = "words and types are counted by blanks (take the figures of characters)"
    assert f"{told}: 1, first {path}: target" in found.err
    split = write("b.tsv", "The mill stood still.\t磨坊 停 了 整整 一 年 。\n")
    assert "blanks" not in bitext("stats", split).err


def test_tables_for_reading_fit_80_columns(bitext):
    out = bitext("stats", LINKS, "--format", "table").out
    assert max(map(len, out.splitlines())) <= 80
    rows = {line[:17].strip(): line[17:].split() for line in out.splitlines()}
    assert " ".join(rows["length ratios"][:5]) == "1.201 0.952 0.952 0.952 1.189"
    assert rows["source words"][:2] == ["7.4", "3"]
    several = bitext("stats", LINKS, MEMORY, "--format", "table").out
    assert [line for line in several.splitlines() if line.startswith("all")] == ["all 2 files"]


def test_the_axis_of_a_histogram_ends_at_the_highest_value(bitext):
    html = bitext("stats", LINKS, "--html", "-").out
    assert "<span>17</span><span>median 32</span><span>63</span>" in html
    assert "<span>0</span><span>median 0.87</span><span>1.2</span>" in html
