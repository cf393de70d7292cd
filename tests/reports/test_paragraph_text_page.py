"""The page of a text with its paragraphs: its snapshot, what it holds, and a look in a browser.

After a change that is meant, run this file as a script to write the snapshots anew:

    PYTHONPATH=tests python tests/reports/test_paragraph_text_page.py
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitext.reports.paragraphs import BrokenChapter, Paragraph, paragraph_text_page
from reference.axe import problems
from reference.page_text import Reader, assert_nothing_acts

SNAPSHOTS = Path(__file__).parent / "snapshots"
NASTY = "<script>alert(1)</script>\u202eevil\x1b[2J" + "\u0301" * 40
CHAPTERS = [
    BrokenChapter(
        "I. The Wire",
        [
            Paragraph(1.0, ["It had rained for nine days.", "The wire hung low."]),
            Paragraph(0.83, ["“It will not hold,” said her father."]),
            Paragraph(0.51, ["He went to the window.", "Nobody crossed.", "It grew dark."]),
        ],
    ),
    BrokenChapter("", [Paragraph(None, ["In the morning it was gone."])]),
]


def page(**options):
    return paragraph_text_page(
        CHAPTERS, title="Paragraphs of ferry", told="Breaks by <b>.", **options
    )


def hostile():
    chapter = BrokenChapter(NASTY, [Paragraph(None, [NASTY]), Paragraph(0.5, ["w" * 10_000])])
    return paragraph_text_page([chapter] * 2, title=NASTY, told=NASTY)


def snapshots():
    html = page()
    return {"broken.html": html, "broken.txt": "\n".join([*Reader(html).text, ""])}


@pytest.mark.parametrize("name", ["broken.html", "broken.txt"])
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_breaks_have_their_confidence_and_the_least_sure_come_first():
    html = page()
    assert re.findall(r'class="sure">([^<]*)', html) == ["0.83", "0.51"]  # a chapter is no break
    assert re.findall(r'class="share"[^>]* width="([^"]*)" height', html) == ["32.4", "19.9"]
    listed = html[html.index('<ol class="unsure">') :]
    assert re.findall(r'<li>([\d.]+) <a href="#(\w+)">', listed) == [("0.51", "p3"), ("0.83", "p2")]
    assert all(f'id="p{k}"' in html for k in (1, 2, 3, 4))
    assert "4 paragraphs of 7 sentences in 2 chapters." in html
    bare = [BrokenChapter("x", [Paragraph(None, ["A."]), Paragraph(None, ["B."])])]
    assert 'id="unsure"' not in paragraph_text_page(bare, title="x")


def test_of_a_long_text_the_begin_is_shown():
    html = page(most=4)
    assert "The first 4 of 7 sentences." in html
    assert "Nobody crossed." not in html
    assert 'id="p4"' not in html


def test_nothing_can_act_in_the_page():
    html = hostile()
    assert "<script" not in html
    assert_nothing_acts(html)
    assert "w" * 4_001 not in html


@pytest.mark.parametrize("name", ["page", "hostile"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_fits_and_bars_nobody(browser, tmp_path, name, width):
    place = tmp_path / "page.html"
    place.write_text({"page": page, "hostile": hostile}[name](), encoding="utf-8")
    browser.open(place, width=width, dark=width == 400)
    assert browser.run("document.documentElement.scrollWidth") == width
    outside = """[...document.querySelectorAll('h1, h3, p, li, .part span')]
        .filter(e => e.getClientRects().length)
        .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5).length"""
    assert browser.run(outside) == 0
    browser.run("document.querySelector('.unsure a').focus()")
    browser.press("Enter", code=13, text="\r")
    target = browser.run("document.querySelector('.unsure a').getAttribute('href')")
    assert browser.run("location.hash") == target
    assert browser.said == []
    if name == "page":
        assert problems(browser) == []


if __name__ == "__main__":
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")
