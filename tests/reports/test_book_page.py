"""The page of a book in a browser: its widths, both themes, print, and sentences that light up."""

import time

import pytest

import bitext
from formats.book_samples import ARABIC, ENGLISH, HEBREW, JAPANESE, facing
from reference.axe import problems

LIT = """[...document.querySelectorAll('.s')].filter(
    e => getComputedStyle(e).backgroundColor != 'rgba(0, 0, 0, 0)').map(e => e.textContent)"""
FIRST = ["It had rained for nine days, and nobody came.", "أمطرت السماء تسعة أيام ولم يأت أحد."]
SECOND = ["On the tenth day the miller went out1.", "في اليوم العاشر خرج الطحان."]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    bitext.write(facing(ENGLISH, "en", ARABIC, "ar"), folder / "ar.html")
    bitext.write([facing(HEBREW, "he", JAPANESE, "ja")] * 2, folder / "he.html")
    return folder


@pytest.mark.parametrize(("name", "width"), [("ar", 1280), ("ar", 400), ("he", 1280)])
def test_a_book_fits_and_axe_finds_nothing(browser, pages, name, width):
    browser.open(pages / f"{name}.html", width=width, dark=width == 400)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.said == []
    tops = browser.run(
        "[...document.querySelector('.row').children].map(e => e.getBoundingClientRect().top)"
    )
    assert (tops[0] == tops[1]) == (width == 1280)  # one below the other where it is narrow
    if name == "ar":
        assert problems(browser) == []


def test_a_sentence_lights_up_with_its_translation_by_mouse_and_keys(browser, pages):
    browser.open(pages / "ar.html", scripts=False)  # the mouse needs no script
    second = "document.querySelectorAll('.b .s')[1].getBoundingClientRect()"
    deadline = time.monotonic() + 20
    while browser.run(LIT) != FIRST and time.monotonic() < deadline:  # parts come into sight
        x, y = browser.run(f"(e => [e.left + e.width / 2, e.top + e.height / 2])({second})")
        browser.mouse("mouseMoved", x, y)
    assert browser.run(LIT) == FIRST
    browser.mouse("mouseMoved", 1, 1)
    assert browser.run(LIT) == []
    browser.open(pages / "ar.html")
    browser.run("document.querySelector('main .s').focus()")
    for _ in range(2):
        browser.press("ArrowDown", code=40)
    assert browser.run(LIT) == SECOND
    browser.press("ArrowRight", code=39)
    assert browser.run(LIT) == SECOND
    assert browser.run("document.activeElement.textContent") == SECOND[1]
    browser.press("Escape", code=27)
    assert browser.run(LIT) == []


def test_headings_stay_with_what_follows_in_print(browser, pages):
    browser.open(pages / "ar.html", media="print", dark=True)
    look = "getComputedStyle(document.querySelector('{}')).{}"
    assert browser.run(look.format(".row.heading", "breakAfter")) == "avoid"
    assert browser.run(look.format("main p", "color")) == "rgb(28, 28, 33)"
    browser.open(pages / "he.html", media="print")
    for chapter in ("#c1", "#c2"):  # after the table of contents, and after the first
        assert browser.run(look.format(chapter, "breakBefore")) == "page"
