"""The page of coders: what it has, and how it looks and reads in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitext import Segmentation, compare
from bitext.metrics.coder_differences import CodedTexts, disagreements
from bitext.reports.segmentation import ShownText, draw, draw_coders
from reference import axe
from reference.page_text import assert_nothing_acts

NASTY = "<script>alert(1)</script>\u202eevil" + "\u0301" * 40


@pytest.fixture(scope="module")
def coders():
    return Path(__file__).parents[3] / "fixtures/coders"


@pytest.fixture(scope="module")
def small(coders):
    files = [coders / f"{name}.masses" for name in ("ben", "cleo", "dora")]
    return compare(coders / "anna", files, agreement=True, matrix=["B", "pk"])


@pytest.fixture(scope="module")
def hostile():
    texts = {NASTY: Segmentation([3, 5, 2, 4]), "long": Segmentation([1] * 60)}
    others = {NASTY: Segmentation([2, 6, 6]), "long": Segmentation([10] * 6)}
    return compare({NASTY + "a": texts, "b" * 300: others}, agreement=True, matrix="B")


@pytest.fixture(scope="module")
def beside(coders):
    files = [coders / f"{name}.masses" for name in ("ben", "cleo")]
    return compare(coders / "anna", [coders / "dora.masses"], ref=files, agreement=True)


def test_the_page_has_the_results_first_and_everything_that_the_table_has(small):
    html = small.page()
    assert re.findall(r'<section id="(\w+)"', html) == [
        "agreement",
        "pairs",
        "places",
        "drawings",
        "texts",
    ]
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", "", html))
    for row in small.agreement.rows():
        assert f"{row['value']:.4f} [{row['low']:.4f}, {row['high']:.4f}]" in text
    for row in small.agreement.pair_rows():
        assert f"{row['value']:.4f}" in text
    assert "note: 1 text without dora.masses: harbour" in text
    worst = "full miss in garden, after unit 6, 3 of 4 coders: anna, ben.masses, dora.masses"
    assert f"{worst}; not cleo.masses" in text
    assert "Never put cooked food on it. | Rain water is soft." in text
    assert "near miss in garden, after unit 3" in text
    assert "dora.masses did not segment this text" in text
    # Identical coders have the deepest shade, by a distance, too.
    assert html.count('<td class="n s10">') == 4
    assert "script-src 'none'" in html


def test_the_page_of_systems_has_matrix_and_places_of_references(beside):
    html = beside.page()
    assert 'class="plain matrix"' in html
    assert re.findall(r'<section id="(\w+)"', html)[-4:] == [
        "strips",
        "texts",
        "places",
        "drawings",
    ]


def test_names_act_nowhere(hostile):
    html = hostile.page()
    assert_nothing_acts(html)
    assert "script-src 'none'" in html


def test_a_drawing_has_each_coder_and_marks_for_each_kind():
    row = (Segmentation([2, 2, 1, 3]), None, Segmentation([2, 3, 3]), Segmentation([3, 2, 3]))
    texts = CodedTexts(("a", "b", "c", "d"), ("t",), (row,))
    svg = draw_coders("t", row, disagreements(texts), coders=texts.coders)
    assert svg.count('class="seg') == 4 + 3 + 3
    assert re.findall(r'<g class="mark (\w+)"', svg) == ["right", "extra", "retyped"]
    assert "near miss, after unit 2: a, c; near d (+1)" in svg
    assert (
        "t: 3 coders, 8 units; 1 where some coders have no boundary, 1 near miss; 1 boundary of all"
        in svg
    )


def test_a_notebook_shows_tables_and_the_worst_text(small):
    shown = small._repr_html_()
    assert shown.count('class="bitext-table"') == 3
    assert "Where most coders differ: <bdi>garden</bdi>" in shown
    assert "note: 1 text without dora.masses: harbour" in shown
    assert small.agreement._repr_html_() in shown
    assert [row["coefficient"] for row in small.rows()] == [
        row["coefficient"] for row in small.agreement.rows()
    ]
    assert small.table().head == ["agreement", "on", "value", "observed", "chance"]
    assert repr(small).startswith("4 texts, 4 coders (3 of the texts lack some)")


def test_frames_of_rows_are_of_pandas(small):
    pandas = pytest.importorskip("pandas", reason="pandas (the extra frames) is not installed")
    assert isinstance(small.agreement.to_pandas("pairs"), pandas.DataFrame)
    square = (
        small.agreement.to_pandas("pairs")
        .query("metric == 'pk'")
        .pivot_table(index="coder", columns="other", values="value")
    )
    assert square.shape == (4, 4)
    assert len(small.agreement.to_pandas("disagreements")) == 6
    assert small.to_pandas()["value"].dtype == "float64"


PAGES = [("small", 1280), ("small", 400), ("hostile", 400), ("beside", 400)]


@pytest.mark.parametrize(("name", "width"), PAGES)
def test_nothing_overflows_and_all_is_read(browser, tmp_path, small, hostile, beside, name, width):
    page = tmp_path / "page.html"
    {"small": small, "hostile": hostile, "beside": beside}[name].save_html(page)
    browser.open(page, width=width, dark=width == 400)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.said == []
    assert axe.problems(browser) == []


def test_a_drawing_says_how_many_units_it_leaves_out():
    row = Segmentation([10] * 90), Segmentation([10] * 80 + [100])
    places = disagreements(CodedTexts(("anna", "ben"), ("t",), (row,)))
    drawn = draw_coders("t", row, places, coders=("anna", "ben"))
    text = ShownText("t", row[:1], row[1:])
    for svg in (drawn, draw(text)):
        assert '>100 more units are not drawn <tspan class="more">counts are of the whole' in svg
    short = Segmentation([10] * 80)
    assert "not drawn" not in draw_coders("t", (short, short), [], coders=("anna", "ben"))
