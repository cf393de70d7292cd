"""Folders of pages of bitexts without a gold standard."""

from __future__ import annotations

import re

import pytest

from bitext import Alignment, Bitext
from bitext.reports.alignment.page import BitextPages, bitext_page
from bitext.reports.pages import Folder
from reference.axe import problems
from reference.page_text import assert_nothing_acts
from reference.sample_bitexts import ferry, hostile


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a bitext that has probabilities, one without, an empty and a hostile one."""
    place = tmp_path_factory.mktemp("pages") / "report"
    gold, hyps = ferry()
    ours = Bitext(gold.src, gold.tgt, hyps["ours"])
    with Folder(place) as made:
        pages = BitextPages(made, score="probability")
        pages.add(ours, "ours")
        pages.add(gold, "gold")
        pages.add(Bitext(None, None, Alignment([])), "empty")
        pages.add(hostile()[0], hostile()[0].name or "<b>")
        pages.finish("Aligned texts")
    return place


def test_the_index_ranks_by_the_score_and_unknown_scores_stand_last(folder):
    html = (folder / "index.html").read_text(encoding="utf-8")
    names = re.findall(r'<a href="texts/[^"]+"><bdi>(.*?)</bdi>', html)
    assert names[:3] == ["ours", "gold", "empty"]
    assert "<bdi>0.5360</bdi>" in html
    for page in [folder / "index.html", *(folder / "texts").iterdir()]:
        links = re.compile(r'href="(?:texts/[\w.-]+|\.\./index)\.html"')
        assert_nothing_acts(links.sub('href="#"', page.read_text(encoding="utf-8")))


def test_a_folder_is_the_same_twice(folder, tmp_path):
    bitext, _ = ferry()
    with Folder(tmp_path / "again") as made:
        made.add("gold", bitext_page(bitext, name="gold", index="../index.html"))
        made.finish("")
    again = (tmp_path / "again/texts/gold.html").read_bytes()
    assert again == (folder / "texts/gold.html").read_bytes()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_index_is_accessible_and_fits_its_window(browser, folder, width, dark):
    browser.open(folder / "index.html", width=width, dark=dark)
    assert problems(browser) == []
    assert browser.said == []
    assert browser.run("document.documentElement.scrollWidth") == width
