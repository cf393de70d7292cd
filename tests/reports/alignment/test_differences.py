"""The page of the differences of two alignments: what it holds, and what it does in a browser.

The browser test needs Chromium (Debian: chromium-headless-shell) and is skipped without it.
"""

from __future__ import annotations

import pytest

from bitext import Alignment, Bitext, Text
from bitext.reports.alignment.excerpts import DifferencePage
from reference.axe import problems
from reference.page_text import Reader, assert_nothing_acts, data_of
from reference.sample_bitexts import hostile


def numbered(name="", swapped=10):
    """Return two bitexts of 20 pairs that differ in the boundary behind one of them."""
    src, tgt = (Text([f"{side} {k}." for k in range(20)], name=name) for side in ("One", "Un"))
    first = [((k,), (k,)) for k in range(20)]
    second = [*first[:swapped], ((swapped, swapped + 1), (swapped, swapped + 1))]
    second += first[swapped + 2 :]
    return [Bitext(src, tgt, Alignment(beads), name=name) for beads in (first, second)]


def test_stretches_that_both_have_are_rows_that_say_how_many():
    page = DifferencePage("a", "b")
    page.add(*numbered())
    held = data_of(page.html({"merged": 1}, 18))
    texts = held["sides"][0]["texts"]
    assert texts == [
        "8 bisegments of both files",
        *(f"One {k}." for k in range(8, 14)),
        "6 bisegments of both files",
    ]
    assert held["sides"][0]["gaps"] == held["sides"][1]["gaps"] == [0, 7]
    assert held["sides"][0]["ids"][1:3] == ["8", "9"]
    assert held["kinds"] == [["aappaa", "p"]]
    assert held["systems"][1]["src"] == [[3, 4]]
    assert held["levels"][:2] == [0, 0]
    assert held["levels"][-2:] == [7, 7]


def test_differences_beyond_the_limit_are_counted_as_such():
    src, tgt = (Text([f"{side} {k}." for k in range(40)], name="ferry") for side in ("One", "Un"))
    pairs = [((k,), (k,)) for k in range(40)]
    wider = [((k, k + 1), (k, k + 1)) for k in range(0, 40, 2)]
    first, second = (
        Bitext(src, tgt, Alignment(beads), name="ferry")
        for beads in (pairs, [*wider[:10], *pairs[20:]])
    )
    page = DifferencePage("a", "b", most=3)
    page.add(first, second)
    page.add(first, second)
    html = page.html({"merged": 20}, 40)
    held = data_of(html)
    assert [held["sides"][0]["texts"][k] for k in held["sides"][0]["gaps"]] == [
        "ferry: 30 bisegments of one file alone",
        "20 bisegments of both files, and 25 of one file alone",
    ]
    assert [sum(letter != "a" for letter in letters) for letters in held["kinds"][0]] == [3, 2]
    assert "55 more bisegments differ than the 5 that are shown" in html


def test_several_texts_stand_below_each_other_with_their_names():
    page = DifferencePage("a", "b")
    page.add(*numbered("ferry", 0))
    page.add(*numbered("market", 18))
    html = page.html({"merged": 2}, 36)
    held = data_of(html)
    assert [held["sides"][0]["texts"][k] for k in held["sides"][0]["gaps"]] == [
        "ferry: 3 bisegments of one file alone",
        "16 bisegments of both files",
        "market: 3 bisegments of one file alone",
        "16 bisegments of both files",
    ]
    text = " ".join(Reader(html).text)
    assert "second, in part; merged (market)" in text
    assert "fewer bisegments in the second file" in text


def test_nothing_can_act_in_the_page_and_equal_files_have_no_drawing():
    bitext, hyps = hostile()
    page = DifferencePage("</title><script>window.alerted = 1</script>", "\u202e" + "n" * 300)
    page.add(bitext, Bitext(bitext.src, bitext.tgt, *hyps.values()))
    html = page.html({"moved": 8}, 0)
    assert_nothing_acts(html)
    empty = DifferencePage("a", "b").html({}, 3)
    assert "There is no difference." in empty
    assert 'id="bench"' not in empty


@pytest.mark.parametrize("width", [1280, 400])
def test_in_a_browser_differences_are_gone_through(browser, tmp_path, width):
    page = DifferencePage("old", "new")
    page.add(*numbered("ferry", 4))
    page.add(*numbered("market", 9))
    path = tmp_path / "page.html"
    path.write_text(page.html({"merged": 2}, 36), encoding="utf-8")
    browser.open(path, width=width, dark=width == 400)
    browser.press("n", code=0, text="n")
    browser.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))")
    assert browser.run("document.querySelector('.place').textContent") == "1 of 6"
    assert "first, in part" in browser.run("document.querySelector('.panel').textContent")
    assert browser.run("document.querySelectorAll('.row.gap').length") > 1
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.said == []
    if width == 400:
        assert problems(browser) == []
