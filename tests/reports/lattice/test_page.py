"""The page of a lattice: its snapshot, what it holds, and what it does in a browser.

`snapshots/lattice.html` and `lattice.svg` are what we make of a small lattice of our own, and
`lattice.txt` what stands in them, without looks: if only the first two change, only the looks did.
After a change that is meant, run this file as a script to write them anew:

    PYTHONPATH=tests python tests/reports/lattice/test_page.py

The browser tests need Chromium (Debian: chromium-headless-shell) and are skipped without it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitext.model import Cluster, Lattice, Sentence
from bitext.reports.lattice.drawing import draw, shapes
from bitext.reports.lattice.page import page
from reference.axe import problems
from reference.page_text import Reader, assert_allows_its_own, assert_nothing_acts
from reference.sample_lattices import crossed, hostile, many, town

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
FIGURES = [("repetition ratio", 0.125), ("nodes", 20)]


def town_page():
    lattice = town()
    return page(lattice, paraphrases=[crossed(lattice, first=1, second=2)], figures=FIGURES)


def snapshots():
    """Return the files of the snapshot: the drawing, the page, and what is in them."""
    return {
        "lattice.svg": draw(town()),
        "lattice.html": town_page(),
        "lattice.txt": dump(town(), town_page()),
    }


def dump(lattice, html):
    form = shapes(lattice)
    lines = [f"drawing {form.width:.1f} x {form.height:.1f}"]
    lines += [
        f"word {w.node} {w.text!r} at {w.x:.1f} {w.y:.1f}, {w.width:.1f} wide, in {w.sentences}"
        for w in form.words
    ]
    lines += [f"arc {a.tail} to {a.head}, in {a.sentences}" for a in form.lines]
    return "\n".join([*lines, "", *Reader(html).text, ""])


@pytest.mark.parametrize("name", snapshots())
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_the_page_lets_nothing_run_or_load_but_its_own():
    html = page(hostile(), paraphrases=[crossed(hostile())], title="<i>\u202e</i>")
    assert_allows_its_own(html)
    assert_nothing_acts(html)
    assert not re.search("(?:[\u0301\u0316\u0489]\u200d*){5}", html)  # no towers of marks
    assert len(html) < 200_000  # a word of 10,000 letters stands nowhere whole


def test_all_sentences_paraphrases_and_figures_are_told():
    text = " ".join(Reader(town_page()).text)
    for held in (*(s.text for s in town().cluster), "Herald", "2 sentences", "0.1250", "20"):
        assert held in text
    assert "1 new sentence." in text
    assert "After the storm" in text


def test_the_table_has_the_words_of_each_sentence_in_order_and_is_left_out_when_huge():
    html = town_page()
    rows = re.findall(r'<tr data-sentence="\d">(.*?)</tr>', html, re.DOTALL)
    for row, sentence in zip(rows, town().cluster, strict=True):
        assert re.findall(r"<td[^>]*><bdi>(.*?)</bdi>", row) == list(sentence.forms)
    assert len({row.count("<td") for row in rows}) == 1
    sentences = [Sentence(["long"] * 1001), *(Sentence(["short"]) for _ in range(40))]
    groups = [range(1001), *([2000 + k] for k in range(40))]
    big = page(Lattice(Cluster(sentences), groups))
    assert "too many for a page" in big
    assert "<td" not in big


def test_a_page_may_have_no_paraphrases_and_figures():
    html = page(town())
    assert 'id="paraphrases"' not in html
    assert 'id="figures"' not in html


# In a browser.


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    thirty = many(30, 25)
    held = {
        "town": town_page(),
        "hostile": page(hostile(), paraphrases=[crossed(hostile())], figures=FIGURES),
        "thirty": page(thirty, paraphrases=[crossed(thirty, second=k) for k in range(1, 9)]),
    }
    for name, html in held.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in held}


@pytest.mark.parametrize("name", ["town", "hostile", "thirty"])
@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_overflows_and_the_console_is_empty(browser, pages, name, width):
    browser.open(pages[name], width=width, dark=width == 400)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run("window.alerted === undefined && document.title.length > 0")
    assert browser.said == []
    outside = """[...document.querySelectorAll('h1, h2, p, li, button, label, nav, .view, .sheet')]
        .filter(e => e.getClientRects().length && !e.closest('.sheet'))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5).length"""
    assert browser.run(outside) == 0
    loose = """[...document.querySelectorAll('h1, .rows li, .sheet td')]
        .filter(e => !getComputedStyle(e).contain.split(' ').includes('paint')).length"""
    assert browser.run(loose) == 0
    if name == "town":
        assert problems(browser) == []


def test_marks_are_counted_and_no_word_lies_upon_another(browser, pages):
    lattice = many(30, 25)
    browser.open(pages["thirty"])
    assert (
        browser.run("document.querySelectorAll('#lattice-drawing .word').length")
        == len(lattice) - 2
    )
    assert browser.run("document.querySelectorAll('li[data-sentence]').length") == 30
    upon = """(() => {
        const words = [...document.querySelectorAll('#lattice-drawing .word')];
        const boxes = words.map(w => w.getBBox());
        let found = 0;
        boxes.forEach((a, k) => boxes.slice(0, k).forEach(b => {
            if (a.x + 0.5 < b.x + b.width && b.x + 0.5 < a.x + a.width
                && a.y + 4 < b.y + b.height && b.y + 4 < a.y + a.height) found++;
        }));
        return found;
    })()"""
    assert browser.run(upon) == 0


def test_keys_and_buttons_zoom_and_the_overview_moves(browser, pages):
    browser.open(pages["thirty"])
    width = "Number(document.querySelector('.view > svg').getAttribute('width'))"
    natural = browser.run("document.querySelector('.view > svg').viewBox.baseVal.width")
    browser.run("document.querySelector('.view').focus()")
    before = browser.run(width)
    browser.press("+", text="+")
    assert browser.run(width) == pytest.approx(before * 1.25)
    browser.press("-", text="-")
    browser.press("-", text="-")
    assert browser.run(width) == pytest.approx(before / 1.25)
    browser.press("0", text="0")
    assert browser.run(width) == natural
    browser.run("document.querySelector('[data-do=zoom-fit]').click()")
    assert browser.run(width) == pytest.approx(
        browser.run("document.querySelector('.view').clientWidth"), abs=3
    )
    browser.run("document.querySelector('[data-do=zoom-one]').click()")
    frame = browser.run(
        "(r => [r.x, r.y, r.width, r.height])(document.querySelector('.overview')"
        ".getBoundingClientRect())"
    )
    x, y = frame[0] + frame[2] / 2, frame[1] + frame[3] / 2
    left = "document.querySelector('.view').scrollLeft"
    browser.run(f"{left} = 0")
    browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseReleased", x, y, button="left", buttons=0, clickCount=1)
    assert browser.run(left) > natural / 4
    at = browser.run(
        "(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('.view')"
        ".getBoundingClientRect())"
    )
    before = browser.run(left)
    browser.mouse("mousePressed", *at, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseMoved", at[0] - 50, at[1], button="left", buttons=1)
    browser.mouse("mouseReleased", at[0] - 50, at[1], button="left", buttons=0, clickCount=1)
    assert browser.run(left) == pytest.approx(before + 50, abs=1)
    browser.run("document.querySelector('.view').focus()")
    browser.press("ArrowLeft", code=37)  # the browser scrolls smoothly: wait for its end
    ended = f"new Promise(done => setTimeout(() => done({left}), 400))"
    assert browser.run(ended) < before + 40
    assert browser.said == []


def test_sentences_and_sources_are_switched_off_and_on(browser, pages):
    browser.open(pages["town"])
    gone = "document.querySelectorAll('#lattice-drawing .word.gone').length"
    own = sum({s for s, _ in town().members(n)} == {1} for n in range(1, len(town()) - 1))
    post = "document.querySelector('input[data-switch=\"1\"]')"
    assert browser.run(gone) == 0
    browser.run(f"{post}.focus()")
    browser.press(" ", code=32, text=" ")
    assert browser.run(gone) == own > 0
    assert browser.run("document.querySelectorAll('input[data-switch=\"1\"]:checked').length") == 0
    herald = "document.querySelector('input[data-switch=\"0 2\"]')"
    browser.run("document.querySelector('input[data-switch=\"0\"]').click()")
    assert browser.run(f"{herald}.indeterminate && {herald}.checked")
    browser.run("document.querySelector('[data-do=none]').click()")
    assert browser.run(gone) == len(town()) - 2
    browser.run("document.querySelector('[data-do=all]').click()")
    assert browser.run(gone) == 0
    assert browser.run("document.querySelectorAll('[data-s].gone').length") == 0


def test_paths_stand_out_on_focus_and_stay_when_pressed(browser, pages):
    browser.open(pages["town"])
    lit = (
        "[...document.querySelectorAll('#lattice-drawing .word.on')]"
        ".map(w => Number(w.dataset.node)).sort((a, b) => a - b).join()"
    )
    focused = "document.getElementById('lattice-drawing').classList.contains('focus')"
    path = ",".join(map(str, town().path(2)[1:-1]))
    browser.run("document.querySelector('li[data-sentence=\"2\"] button').focus()")
    assert browser.run(lit) == path
    browser.run("document.activeElement.blur()")
    assert browser.run(lit) == ""
    assert not browser.run(focused)
    told = crossed(town(), first=1, second=2)
    button = "document.querySelector('li[data-nodes] button')"
    browser.run(f"{button}.focus()")
    browser.press("Enter", code=13, text="\r")
    assert browser.run(f"{button}.getAttribute('aria-pressed')") == "true"
    browser.run("document.activeElement.blur()")
    assert browser.run(lit) == ",".join(map(str, sorted(told.nodes[1:-1])))
    assert browser.run(focused)
    browser.press("Escape", code=27)
    assert browser.run(lit) == ""
    assert not browser.run(focused)
    browser.mouse(
        "mouseMoved",
        *browser.run(
            "(r => [r.x + 5, r.y + 5])(document.querySelector('li[data-sentence=\"0\"] .text')"
            ".getBoundingClientRect())"
        ),
    )
    assert browser.run(lit) == ",".join(map(str, town().path(0)[1:-1]))


@pytest.mark.parametrize("width", [1280, 400])
def test_a_paraphrase_is_seen_together_with_its_path_in_the_drawing(browser, pages, width):
    browser.open(pages["thirty"], width=width)
    browser.run("document.querySelector('li[data-nodes]:last-child button').focus()")
    browser.press("Enter", code=13, text="\r")
    inside = """(e => { const r = e.getBoundingClientRect();
        return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })"""
    assert browser.run(f"{inside}(document.querySelector('li[data-nodes].pinned button'))")
    assert browser.run(
        f"[...document.querySelectorAll('#lattice-drawing .word.on')].some({inside})"
    )
    top, bottom = browser.run(
        "(r => [r.top, r.bottom])(document.querySelector('.view').getBoundingClientRect())"
    )
    assert 0 <= top < bottom <= 0.45 * 900 + 0.5
    for link in range(browser.run("document.querySelectorAll('nav a').length")):
        browser.run(f"document.querySelectorAll('nav a')[{link}].click()")
        assert browser.run("location.hash.endsWith('-head')")
        assert browser.run(f"{inside}(document.querySelector(location.hash))")


def test_the_drawing_does_not_stay_in_a_low_window_nor_on_paper_nor_without_scripts(browser, pages):
    held = "getComputedStyle(document.querySelector('.view')).position"
    browser.open(pages["thirty"])
    assert browser.run(held) == "sticky"
    browser.open(pages["thirty"], height=600)
    assert browser.run(held) == "static"
    assert browser.run("document.documentElement.style.scrollPaddingTop") == ""
    browser.open(pages["thirty"], media="print")
    assert browser.run(held) == "static"
    browser.open(pages["thirty"], scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.run(held) == "static"


def test_the_marks_of_a_pinned_sentence_come_back_when_the_mouse_leaves_a_word(browser, pages):
    browser.open(pages["town"])
    lit = (
        "[...document.querySelectorAll('li[data-sentence].lit')]"
        ".map(row => row.dataset.sentence).join()"
    )
    browser.run("document.querySelector('li[data-sentence=\"2\"] button').click()")
    assert browser.run(lit) == "2"
    browser.run("document.querySelector('.view').scrollIntoView()")
    word = next(n for n in range(1, len(town()) - 1) if {s for s, _ in town().members(n)} == {1})
    box = (
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector("
        f"'#lattice-drawing .word[data-node=\"{word}\"]').getBoundingClientRect())"
    )
    browser.mouse("mouseMoved", *browser.run(box))
    assert browser.run(lit) == "1"
    ground = (
        "(r => [r.x + 3, r.y + 3])(document.querySelector('.view .ground').getBoundingClientRect())"
    )
    browser.mouse("mouseMoved", *browser.run(ground))
    assert browser.run(lit) == "2"


def test_every_control_has_a_name_and_takes_the_focus(browser, pages):
    browser.open(pages["town"])
    nameless = """[...document.querySelectorAll('button, input, a, [tabindex]')].filter(e =>
        !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent.trim())
        || e.tabIndex < 0).length"""
    assert browser.run(nameless) == 0
    small = """[...document.querySelectorAll('.tools button')]
        .filter(e => e.getBoundingClientRect().height < 24).length"""
    assert browser.run(small) == 0
    duplicate = """(ids => ids.length - new Set(ids).size)(
        [...document.querySelectorAll('[id]')].map(e => e.id))"""
    assert browser.run(duplicate) == 0


def test_without_scripts_and_on_paper_it_is_a_still_picture(browser, pages):
    browser.open(pages["town"], scripts=False)
    hidden = "getComputedStyle(document.querySelector('.tools')).display"
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.run(hidden) == "none"
    assert browser.run("document.querySelectorAll('.word').length") == len(town()) - 2
    browser.open(pages["thirty"], media="print", dark=True)
    assert browser.run(hidden) == "none"
    assert browser.run("document.querySelector('.view svg').getBoundingClientRect().width") < 1300
    ground = "getComputedStyle(document.querySelector('.ground')).fill"
    assert browser.run(ground) == "rgb(255, 255, 255)"
    browser.open(pages["town"], dark=True)
    assert browser.run(ground) == "rgb(23, 24, 28)"


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")
