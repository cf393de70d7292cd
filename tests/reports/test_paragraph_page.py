"""The page of scores of paragraphs: its snapshot, what it holds, and what it does in a browser.

After a change that is meant, run this file as a script to write the snapshots anew:

    PYTHONPATH=tests python tests/reports/test_paragraph_page.py
"""

from __future__ import annotations

import random
import re
from functools import cache
from math import isnan
from pathlib import Path

import pytest

from bitext.metrics.evaluation import Sampling
from bitext.model import Segmentation
from bitext.reports.paragraphs import FIGURES, paragraph_page, score_paragraphs
from reference.axe import problems
from reference.page_text import Reader

SNAPSHOTS = Path(__file__).parent / "snapshots"
HOSTILE = "<script>alert(1)</script>\u202e" + "w" * 10_000


@cache
def scores():
    chance = random.Random(3)

    def some(share):
        places = [k for k in range(1, 30) if chance.random() < share]
        return Segmentation.from_boundaries(places, 30)

    golds = [some(0.3) for _ in range(4)]
    never = [Segmentation([30])] * 4
    found = {"never": never, "chance": [some(0.4) for _ in range(4)], "same": golds}
    return score_paragraphs(golds, found, Sampling(resamples=100))


def snapshots():
    html = paragraph_page(scores(), notes=["a note <b>"])
    return {"paragraphs.html": html, "paragraphs.txt": "\n".join([*Reader(html).text, ""])}


@pytest.mark.parametrize("name", ["paragraphs.html", "paragraphs.txt"])
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_each_figure_has_a_cell_and_a_bar_and_the_best_is_bold():
    html = snapshots()["paragraphs.html"]
    known = [row for row in scores().rows if not isnan(row.value)]
    assert len(known) == 3 * len(FIGURES) - 1  # precision of who finds nothing
    assert html.count('class="bar ') == html.count('class="whisker"') == len(known)
    values = re.findall(r'<td class="n" data-value="([^"]*)">', html)
    assert [float(v) for v in values] == [row.value for row in known]
    assert html.count("<b>1.0000</b>") == 6
    assert html.count("<b>0.0000</b>") == 2  # of WindowDiff and Pk the lowest


def test_hostile_names_cannot_act():
    golds = [Segmentation([2, 2])] * 2
    html = paragraph_page(score_paragraphs(golds, {HOSTILE: golds}), notes=[HOSTILE])
    assert html.count("<script>") == 1
    assert "\u202e" not in html
    assert len(html) < 60_000


@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_fits_sorts_and_bars_nobody(browser, tmp_path, width):
    page = tmp_path / "page.html"
    page.write_text(snapshots()["paragraphs.html"], encoding="utf-8")
    browser.open(page, width=width, dark=width == 400)
    assert browser.run("document.documentElement.scrollWidth") == width
    names = "[...document.querySelectorAll('tbody th')].map(e => e.textContent).join()"
    assert browser.run(names) == "never,chance,same"
    browser.run("document.querySelectorAll('thead button')[1].focus()")
    browser.press("Enter", code=13, text="\r")
    assert browser.run(names).startswith("same,")
    assert browser.run("document.querySelectorAll('thead th')[1].ariaSort") == "descending"
    assert browser.said == []
    assert problems(browser) == []


if __name__ == "__main__":
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")
