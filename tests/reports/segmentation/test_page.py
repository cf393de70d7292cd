"""The page of segmentations: its snapshot, what it holds, and what it does in a browser.

`snapshots/segmentation.html` and `segmentation.svg` are what we make of two small texts of our own,
`segmentation.txt` what stands in them, without looks. After a change that is meant, run this file
as a script to write them anew:

    PYTHONPATH=tests python tests/reports/segmentation/test_page.py

The browser tests need Chromium (Debian: chromium-headless-shell) and are skipped without it.
"""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bitext import InputError, Segmentation
from bitext.reports.segmentation import ShownText, draw
from bitext.reports.segmentation.page import segmentation_page
from bitext.reports.table import Table
from reference import axe
from reference.page_text import Reader, assert_allows_its_own, assert_nothing_acts, data_of

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
UNITS = (
    "The dome was built on a hill.",
    "Its lens came from abroad.",
    "It was polished for three years.",
    "Clouds spoil one night in two.",
    "On such nights the students read.",
    "They also repair the clock.",
    "The clock counts the stars.",
    "Visitors come in winter.",
    "They are given tea.",
    "Most of them see the moon.",
)
NAMES = {
    "references": ["gold", "second"],
    "systems": ["first", "other"],
    "metrics": ["pk ↓", "B ↑"],
}
NASTY = "<script>alert(1)</script>\u202eevil\x1b[2J" + "\u0301" * 40
LONG = "w" * 10_000


def dome():
    return ShownText(
        "dome",
        (Segmentation([3, 3, 1, 3]), Segmentation([3, 4, 3])),
        (Segmentation([4, 2, 4]), Segmentation([3, 7])),
        UNITS,
        (("0.2500", "0.5000"), ("0.3750", "0.3333")),
    )


def pier():
    same = Segmentation([2, 2])
    return ShownText("pier", (same, same), (same, Segmentation([1, 1, 2])), None, (("0", "1"),) * 2)


def figures():
    table = Table(["metric", "system", "value"])
    table.rows = [["pk ↓", "first", "0.2500 [0.100, 0.400]"], ["pk ↓", "other", "0.3750"]]
    return table


def page():
    texts = [pier(), dome()]  # the worst is not the first
    return segmentation_page(texts, **NAMES, figures=figures(), signature="compare|texts:2")


def hostile():
    texts = [
        ShownText(
            name, (Segmentation([1, 2]),), (Segmentation([2, 1]),), (NASTY, LONG, "x"), ((name,),)
        )
        for name in (NASTY, LONG)
    ]
    table = Table(["metric", NASTY], rows=[[LONG, NASTY]])
    return segmentation_page(
        texts,
        references=[LONG],
        systems=[NASTY],
        metrics=[NASTY],
        figures=table,
        signature=NASTY + LONG,
        title=NASTY,
    )


@cache
def long_text(n=10_000):
    """A text of `n` units, about 1,600 segments a side, with errors of all kinds."""
    chance = random.Random(7)
    gold = {place for place in range(1, n) if chance.random() < 0.16}
    sides = []
    for _ in range(3):
        moved = {min(n - 1, max(1, b + chance.choice((-1, 0, 0, 0, 1)))) for b in gold}
        sides.append(
            {b for b in moved if chance.random() < 0.9}
            | {chance.randrange(1, n) for _ in range(99)}
        )
    made = [Segmentation.from_boundaries(side, n) for side in (gold, *sides)]
    units = tuple(f"Sentence {k} of a text that goes on for long." for k in range(n))
    return ShownText("long", tuple(made[:2]), tuple(made[2:]), units, (("0.1", "0.2"),) * 2)


def dump(html):
    data = data_of(html)
    lines = [f"references {data['references']}, hypotheses {data['systems']}"]
    for text in data["texts"]:
        lines.append(f"text {text['name']}: {text['references']} {text['hyps']}")
        lines += [f"  values {row}" for row in text["values"]]
        lines += [f"  pair {one}" for row in text["pairs"] for one in row]
        lines += [f"  {key} {text[key]}" for key in ("votes", "windows", "hits") if key in text]
    return "\n".join([*lines, "", *Reader(html).text, ""])


def snapshots():
    return {
        "segmentation.svg": draw(dome(), references=["gold", "second"], systems=["first", "other"]),
        "segmentation.html": page(),
        "segmentation.txt": dump(page()),
    }


@pytest.mark.parametrize("name", ["segmentation.svg", "segmentation.html", "segmentation.txt"])
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_the_drawing_has_a_mark_for_everything_it_shows():
    svg = draw(dome(), references=["gold", "second"], systems=["first", "other"])
    ET.fromstring(svg)
    assert svg.count('class="seg') == 4 + 3 + 3 + 2
    # 3|3|1|3 against 4|2|4: 3 is shifted to 4, 6 is right, 7 is missing.
    assert svg.count('class="edge') == 4
    assert re.findall(r'class="weight"[^>]*>([^<]*)', svg) == ["3/4", "2/3", "1/4", "3/4"]
    assert [svg.count(f'class="mark {kind}') for kind in ("right", "missing", "shifted")] == [1] * 3
    assert svg.count('class="vote"') == 3
    assert re.findall(r'class="(window[^"]*)"', svg) == ["window hit"]  # 3, 6 and 7
    assert "other</text>" in svg or "other <tspan" in svg


def test_a_long_text_goes_on_in_rows_and_no_boundary_is_drawn_twice():
    n = 200
    gold = Segmentation([1] * n)
    svg = draw(ShownText("ones", (gold,), (gold,)))
    assert svg.count("<g transform") == 3
    assert svg.count('class="mark right"') == n - 1
    assert svg.count('class="cut right"') == 2 * (n - 1)
    huge = ShownText("huge", (Segmentation([40_000]),), (Segmentation([40_000]),))
    assert len(draw(huge)) < 60_000


def test_the_page_lets_nothing_run_or_load_but_its_own():
    html = hostile()
    assert_allows_its_own(html)
    assert_nothing_acts(html)
    assert "alert(1)</script>" not in html
    assert LONG[:1001] not in html
    assert len(html) < 150_000


def test_the_worst_text_comes_first_and_each_has_its_errors_in_words():
    data = data_of(page())
    assert [text["name"] for text in data["texts"]] == ["dome", "pier"]
    assert data["texts"][0]["units"] == list(UNITS)
    assert "units" not in data["texts"][1]
    text = " ".join(Reader(page()).text)
    assert "shifted by +1 after unit 3" in text
    assert "1 missing, 1 shifted, 1 right" in text
    assert "2 missing, 1 right" in text  # of the other
    assert "2 texts with 2 references and 2 hypotheses" in text


def test_edges_are_sent_with_overlap_union_and_who_chose():
    edges = data_of(page())["texts"][0]["pairs"][0][0]["edges"]
    rows = [edges[k : k + 5] for k in range(0, len(edges), 5)]
    # Segments by their step from the edge before: 0-0, 1-1, 2-2, 3-2.
    assert rows == [[0, 0, 3, 4, 2], [1, 1, 2, 3, 2], [1, 1, 1, 4, 0], [1, 0, 3, 4, 2]]


def test_very_many_boundaries_leave_the_better_texts_out():
    html = segmentation_page([dome()] * 2, **NAMES, left_out=3, most_edges=9, most_letters=100)
    assert "The worst 1; 4 more are not shown." in html
    assert "5 texts with 2 references and 2 hypotheses" in html
    assert "units" not in data_of(html)["texts"][0]
    assert data_of(html)["texts"][0]["unread"]
    assert "What the units say is left out of 1 text," in html
    kept = (SNAPSHOTS / "segmentation.html").read_text(encoding="utf-8")
    assert "left out of" not in kept


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: segmentation_page([], references=["r"], systems=["s"]), "nothing to show"),
        (lambda: segmentation_page([dome()], references=["r"], systems=["s"]), "want as many"),
        (lambda: ShownText("x", (), ()), "has no reference"),
        (
            lambda: ShownText("x", (Segmentation([2]),), (Segmentation([3]),)),
            "has 2 and 3 units: want references",
        ),
        (lambda: ShownText("x", (Segmentation([2]),), (), ("a",)), "has 1 and 2 units"),
    ],
)
def test_what_cannot_be_shown_is_told(call, told):
    with pytest.raises(InputError, match=told):
        call()


# In a browser.


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    long = segmentation_page([long_text(), dome()], **NAMES)
    held = {"small": page(), "hostile": hostile(), "long": long}
    for name, html in held.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in held}


COUNT = "document.querySelectorAll('.view {}').length"
SAID = "document.querySelector('.said').textContent"
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("name", ["small", "hostile", "long"])
@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_overflows_nor_bars_the_way_and_the_console_is_empty(browser, pages, name, width):
    browser.open(pages[name], width=width, dark=width == 400)
    browser.press("n", text="n")
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run("window.alerted === undefined && document.title.length > 0")
    assert browser.said == []
    outside = """[...document.querySelectorAll('h1, h2, p, button, label, select, .view, .detail')]
        .filter(e => e.getClientRects().length && !e.closest('.sheet'))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5).length"""
    assert browser.run(outside) == 0
    if name == "small" or (name, width) == ("hostile", 400):
        assert axe.problems(browser) == []


def test_marks_are_those_of_the_still_drawing(browser, pages):
    counts = [".mark", ".weight", ".window", ".vote", ".mass", ".number"]
    told = "[...document.querySelectorAll('.view .weight')].map(e => e.textContent).join()"
    browser.open(pages["small"], scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    still = [browser.run(COUNT.format(one)) for one in counts]
    weights = browser.run(told)
    assert browser.run("getComputedStyle(document.querySelector('.tools')).display") == "none"
    assert browser.run("document.querySelectorAll('.errors li').length") == 2
    browser.open(pages["small"])
    assert [browser.run(COUNT.format(one)) for one in counts] == still
    assert browser.run(told) == weights


def test_n_and_p_go_from_error_to_error_and_round(browser, pages):
    browser.open(pages["small"])
    told = []
    for key in ("n", "n", "n", "p"):
        browser.press(key, text=key)
        told.append(browser.run(SAID))
    shifted, missing = (
        "error 1 of 2: shifted by +1, after unit 3",
        "error 2 of 2: missing, after unit 7",
    )
    assert told == [shifted, missing, shifted, missing]
    assert browser.run(COUNT.format(".mark.chosen")) == 1
    units = "[...document.querySelectorAll('.detail li')].map(e => e.textContent).join('|')"
    assert browser.run(units) == "|".join(UNITS[5:9])
    pressed = "document.querySelector('.errors [aria-pressed=true]').textContent"
    assert browser.run(pressed) == "missing after unit 7"
    browser.run("document.querySelector('.errors button').focus()")
    browser.press("Enter", code=13, text="\r")
    assert browser.run(SAID) == shifted
    assert browser.run("document.activeElement.textContent") == "shifted by +1 after unit 3"


def test_in_a_long_text_the_next_error_comes_into_view(browser, pages):
    browser.open(pages["long"], width=400)
    left = "document.querySelector('.view').scrollLeft"
    for _ in range(30):
        browser.press("n", text="n")
    assert browser.run(left) > 0
    browser.run(FRAME)
    inside = """(r => r.left >= 0 && r.right <= innerWidth)(
        document.querySelector('.view .mark.chosen').getBoundingClientRect())"""
    assert browser.run(inside)
    browser.press("p", text="p")
    assert browser.run(SAID).startswith("error 29 of ")


def test_kinds_are_filtered(browser, pages):
    browser.open(pages["small"])
    assert browser.run(COUNT.format("g.mark.missing")) == 1
    box = "document.querySelector('input[data-kind=\"0\"]')"
    browser.run(f"{box}.focus()")
    browser.press(" ", code=32, text=" ")
    assert browser.run(COUNT.format("g.mark.missing")) == 0
    assert browser.run(COUNT.format(".cut.missing")) == 0
    browser.press("n", text="n")
    assert browser.run(SAID) == "error 1 of 1: shifted by +1, after unit 3"
    browser.run("document.querySelector('input[data-kind=\"2\"]').click()")
    browser.press("n", text="n")
    assert browser.run(SAID) == "no error is shown"
    browser.run(f"{box}.click()")
    assert browser.run(COUNT.format("g.mark.missing")) == 1


def test_text_reference_and_hypothesis_are_chosen(browser, pages):
    browser.open(pages["small"])
    heads = "[...document.querySelectorAll('.view .head')].map(e => e.textContent).join('; ')"
    choose = """((what, value) => {{ const one = document.querySelector(`[data-pick=${{what}}]`);
        one.value = value; one.dispatchEvent(new Event('change')); }})("{}", "{}")"""
    assert "first1 missing, 1 shifted, 1 right" in browser.run(heads)
    browser.run(choose.format("hyp", 1))
    assert "other2 missing, 1 right; first" in browser.run(heads)
    chosen = "[...document.querySelectorAll('.values .chosen')].map(e => e.textContent).join()"
    assert browser.run(chosen) == "0.3750,0.3333"
    browser.run(choose.format("reference", 1))
    assert "other1 missing, 1 right" in browser.run(heads)
    assert browser.run(heads).startswith("votes of 2 referenceswindows of WiSeBE; gold; second")
    browser.run(choose.format("text", 1))
    assert browser.run("document.querySelector('.whole-name').textContent") == "pier"
    assert "other1 extra, 1 right" in browser.run(heads)
    browser.run('document.querySelector(\'button[data-text="0"][data-hyp="0"]\').click()')
    assert browser.run("document.querySelector('[data-pick=hyp]').value") == "0"
    assert browser.run("document.querySelector('.whole-name').textContent") == "dome"
    assert browser.run("document.activeElement.className") == "view"
    assert browser.said == []


def test_arrows_and_the_pointer_read_segments(browser, pages):
    browser.open(pages["small"])
    browser.run("document.querySelector('.view').focus()")
    browser.press("ArrowRight", code=39)
    assert browser.run(SAID) == (
        "first: segment 1 of 3, units 1 to 4; belongs to segment 1 (3/4) of gold"
    )
    browser.press("ArrowUp", code=38)
    browser.press("End", code=35)
    assert browser.run(SAID) == (
        "gold: segment 4 of 4, units 8 to 10; belongs to segment 3 (3/4) of first"
    )
    units = "[...document.querySelectorAll('.detail li')].map(e => e.textContent).join('|')"
    assert browser.run(units) == "|".join(UNITS[7:])
    browser.press("ArrowLeft", code=37)
    assert "units 7" not in browser.run(SAID)
    assert "unit 7; belongs to segment 3 (1/4)" in browser.run(SAID)
    # The strip of the other hypothesis, chosen with the Enter key.
    for _ in range(2):
        browser.press("ArrowDown", code=40)
    assert browser.run(SAID).startswith("other: segment 2 of 2")
    browser.press("Enter", code=13, text="\r")
    assert browser.run("document.querySelector('[data-pick=hyp]').value") == "1"
    x, y = browser.run(
        "(r => [r.x + 30, r.y + 14])(document.querySelector('.view .seg:not(.thin)')"
        ".getBoundingClientRect())"
    )
    browser.mouse("mouseMoved", x, y)
    what = "document.querySelector('.detail .what').textContent"
    assert browser.run(what).startswith("gold: segment 1 of 4, units 1 to 3")
    browser.run(FRAME)
    assert browser.run(COUNT.format(".seg.on")) == 1


def test_ten_thousand_units_are_drawn_at_once_and_stay_smooth(browser, pages):
    assert pages["long"].stat().st_size < 2_000_000
    browser.open(pages["long"])
    paint = browser.run(
        """new Promise(done => { const entry = () => performance.getEntriesByName(
            'first-contentful-paint')[0]; const wait = () => entry() ? done(entry().startTime)
            : setTimeout(wait, 20); wait(); })"""
    )
    assert paint < 5_000  # milliseconds; a wide margin, for a busy machine
    elements = COUNT.format("svg *")
    for key in ("f", "+", "+", "+", "+"):
        browser.press(key, text=key)
        browser.run(FRAME)
        assert browser.run(elements) < 2_500
    width = "document.querySelector('.spacer').getBoundingClientRect().width"
    before = browser.run(width)
    browser.press("-", text="-")
    assert browser.run(width) == pytest.approx((before - 32) / 1.5 + 32, abs=1)
    browser.press("f", text="f")
    assert browser.run(width) == pytest.approx(
        browser.run("document.querySelector('.view').clientWidth"), abs=1
    )
    browser.run("document.querySelector('[data-do=zoom-in]').click()")
    frame = browser.run(
        "(r => [r.x, r.y, r.width, r.height])(document.querySelector('.overview')"
        ".getBoundingClientRect())"
    )
    x, y = frame[0] + frame[2] * 0.9, frame[1] + frame[3] / 2
    browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseReleased", x, y, button="left", buttons=0, clickCount=1)
    assert browser.run("document.querySelector('.view').scrollLeft") > 0
    assert browser.said == []


def test_on_paper_all_of_a_text_stands_in_rows(browser, pages):
    browser.open(pages["long"], media="print", dark=True)
    rows = "document.querySelectorAll('.paper svg').length"
    assert browser.run(rows) == 50
    shown = "getComputedStyle(document.querySelector('{}')).display"
    assert browser.run(shown.format(".view")) == "none"
    assert browser.run(shown.format(".paper")) == "block"
    ground = "getComputedStyle(document.querySelector('.paper .ground')).fill"
    assert browser.run(ground) == "rgb(255, 255, 255)"
    browser.open(pages["small"])
    assert browser.run(rows) == 0
    browser.send("Emulation.setEmulatedMedia", media="print")
    browser.run(FRAME)
    assert browser.run(rows) == 1
    assert browser.run("document.querySelectorAll('.paper .mark').length") == 3


def test_every_control_has_a_name_and_takes_the_focus(browser, pages):
    browser.open(pages["small"])
    nameless = """[...document.querySelectorAll('button, input, select, a, [tabindex]')].filter(e =>
        !(e.getAttribute('aria-label') || e.labels?.[0]?.textContent.trim() || e.textContent.trim())
        || e.tabIndex < 0).length"""
    assert browser.run(nameless) == 0


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")
