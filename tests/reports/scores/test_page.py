"""The page of scores: its snapshot, what it holds, and what it does in a browser.

`snapshots/scores.html` is the page of our three texts, and `scores.txt` what stands in it, without
looks: if only the first changes, only the looks did. After a change that is meant, run this file as
a script to write them anew:

    PYTHONPATH=tests python tests/reports/scores/test_page.py

The browser tests need Chromium (Debian: chromium-headless-shell) and are skipped without it.
"""

from __future__ import annotations

import json
import re
from math import nan
from pathlib import Path

import pytest

from bitext.metrics.evaluation import Options
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.model import Alignment, Bitext
from bitext.reports.pages import asset
from bitext.reports.scores.figures import score_results
from bitext.reports.scores.page import (
    COLOURS,
    SHAPES,
    bars,
    dots,
    headline,
    leaders,
    scores_of,
    scores_page,
    worst,
)
from bitext.reports.table import Figure
from reference.axe import problems
from reference.page_text import Reader, assert_nothing_acts
from reference.sample_scores import coast, hostile, many

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
LINKS = ["texts/ferry.html", "texts/lighthouse.html", ""]


def coast_page():
    return scores_page(coast(), links=LINKS, notes=["a note <b>"])


def snapshots():
    """Return the files of the snapshot: the page, and what is in it."""
    html = coast_page()
    return {"scores.html": html, "scores.txt": "\n".join([*Reader(html, drawings=True).text, ""])}


@pytest.mark.parametrize("name", ["scores.html", "scores.txt"])
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_figures_intervals_and_marks_are_those_of_the_evaluation():
    evaluation = coast()
    scores = scores_of(evaluation, averages=("micro", "macro"))
    rows = evaluation.rows(averages=("micro", "macro"), texts=False)
    assert [(r.measure, scores.systems[r.system], r.average) for r in scores.rows] == [
        (row.measure, row.system, row.average) for row in rows
    ]
    for made, row in zip(scores.rows, rows, strict=True):
        assert tuple(f.value for f in made.figures) == row.values
        assert tuple((f.low, f.high) for f in made.figures) == row.intervals
    (found,) = [d for d in evaluation.differences() if d.measure == "word"]
    (made,) = [r for r in scores.of("word") if r.system == 1]
    assert (made.difference, made.figures[2].p) == (found.values[2], found.p[2])
    assert [Figure(1, p=p).mark for p in (0.009, 0.01, 0.049, 0.05, nan)] == [
        "**",
        "*",
        "*",
        "",
        "",
    ]
    for measure in evaluation.measures:
        each = [row for row in evaluation.rows(averages=()) if row.measure == measure]
        assert [v for values in scores.values[measure] for v in values] == [r.values for r in each]


def test_who_leads_is_told_by_f1():
    scores = scores_of(coast())
    assert leaders(scores) == "alpha has the highest F1 at every granularity"
    beads = Bitext(None, None, Alignment([((0,), (0,))]))
    even = Evaluation(["a", "b"], Options(resamples=0, measures=("sentence",)))
    even.add(beads, [beads, beads], "x")
    assert leaders(scores_of(even)) == "a and b have the highest F1 at sentence"


def test_the_same_figures_are_bold_as_in_the_table():
    beads = [((k,), (k,)) for k in range(40_000)]
    gold, first, second = (
        Bitext(None, None, Alignment(held)) for held in (beads, beads[:-1], beads)
    )
    near = Evaluation(["a", "b"], Options(resamples=0, measures=("sentence",)))
    near.add(gold, [first, second], "x")
    # 39,999 of 40,000 are 1.0000, as all are: no system surpasses the other in these digits.
    assert scores_page(near).count("<b>1.0000</b>") == 6
    table = score_results(near, ("micro",), texts=False).latex_table()
    assert [cell.best for row in table.rows for cell in row[2:]] == [True] * 6


def test_texts_are_ranked_from_the_worst_and_perfect_ones_are_left_out():
    scores = scores_of(coast())
    assert headline(scores) == "sentence"
    found = worst(scores, 1, measure="sentence", most=2)
    assert [scores.texts[k] for k, _ in found] == ["market", "lighthouse"]
    assert found[0][1] == pytest.approx(0.5185, abs=1e-4)
    assert worst(scores_of(many(3, 1)), 0, measure="sentence", most=5) == []


def test_texts_that_differ_in_no_pair_of_sentences_are_not_said_to_be_equal():
    gold = Bitext(None, None, Alignment([((0,), (0,)), ((1,), ())]))
    evaluation = Evaluation(["one"])
    for name in "ab":
        evaluation.add(gold, [Alignment([((0,), (0,))])], name)
    assert "No text has an F1 below 1." in scores_page(evaluation)


def test_bars_and_dots_have_a_mark_for_each_figure_that_is_defined():
    scores = scores_of(coast())
    for k in range(3):
        drawn = bars(scores, k)
        assert drawn.count('class="bar ') == drawn.count('class="whisker"') == 12
        assert drawn.count("<title") == drawn.count("<desc") == 1
    drawn = dots(scores)
    assert drawn.count('class="reach ') == 12
    marks = [re.findall(f'<path class="s{k}" transform="translate.(\\S+) ', drawn) for k in (0, 1)]
    assert [len(each) for each in marks] == [6 + 1, 6 + 1]  # of the columns, and of the names
    assert all(float(x) < float(y) for x, y in zip(*(each[:6] for each in marks), strict=True))
    assert "polyline" not in drawn  # granularities have no order
    first = re.search(r'class="bar s0" x="112" y="\S+" width="(\S+)"', bars(scores, 2))
    assert float(first[1]) == pytest.approx(
        240 * scores.of("alignment")[0].figures[2].value, abs=0.1
    )
    undefined = bars(scores_of(hostile()), 2)
    assert "undefined" not in undefined
    empty = Bitext(None, None, Alignment([((0,), ())]))
    nothing = Evaluation(["x"], Options(resamples=0, measures=("sentence", "lax")))
    nothing.add(empty, [empty])
    assert bars(scores_of(nothing), 0).count("undefined") == 1
    assert "nan" not in dots(scores_of(nothing))


def test_the_table_holds_every_figure_and_the_types_add_up():
    html = coast_page()
    table = re.search(r'<table class="scores sortable two">(.*?)</table>', html, re.DOTALL)[1]
    assert table.count("<tr") == 1 + 12
    for value in ("0.8831", "0.6667", "0.9574", "−0.2165"):
        assert value in table
    assert table.count("<b>") == 6 * 3
    rows = re.findall(r"<tr>(.*?)</tr>", html[html.index('id="types"') :], re.DOTALL)
    for row in rows:
        counts = [int(n) if n != "·" else 0 for n in re.findall(r"<td[^>]*>([\d·]+)</td>", row)]
        assert not counts or counts[0] == sum(counts[1:])


def test_links_notes_and_a_single_text():
    html = coast_page()
    assert html.count('href="texts/ferry.html"') == 3  # of two systems, and in the list
    assert "market.html" not in html
    assert "a note &lt;b&gt;" in html
    one = many(1, 2)
    single = scores_page(one)
    assert 'id="dots"' not in single
    assert "one text, 2 systems" in single
    assert 'id="data"' not in single


def test_hostile_names_cannot_act_and_are_cut():
    html = scores_page(hostile())
    assert "<script>window" not in html
    assert_nothing_acts(html)
    assert not re.search("(?:[\u0301\u0489]\u200d*){5}", html)
    assert "w" * 300 not in html
    assert "m" * 300 not in html


def luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colours_of_systems_can_be_told_from_the_ground_in_both_themes():
    light, dark = re.findall(r"--s0[^}]*", asset("scores/scores.css"))[:2]
    for theme, ground in ((light, "#ffffff"), (dark, "#17181c"), (light, "#f1f2f5")):
        colours = re.findall(r"--s\d: (#\w{6})", theme)
        assert len(set(colours)) == COLOURS == len(set(SHAPES))
        for colour in colours:
            low, high = sorted([luminance(colour), luminance(ground)])
            assert (high + 0.05) / (low + 0.05) >= 4.5


# In a browser.

TEXTS = 150  # more than are drawn at once


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    held = {
        "coast": coast_page(),
        "pairs": scores_page(coast(pairs=True)),
        "hostile": scores_page(hostile(), averages=("micro", "macro")),
        "many": scores_page(many(TEXTS), links=[f"texts/{k}.html" for k in range(TEXTS)]),
    }
    for name, html in held.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in held}


@pytest.mark.parametrize("name", ["coast", "hostile", "many"])
@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_overflows_and_the_console_is_empty(browser, pages, name, width):
    browser.open(pages[name], width=width, dark=width == 400)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run("window.alerted === undefined && document.title.length > 0")
    assert browser.said == []
    outside = """[...document.querySelectorAll('h1, h2, h3, p, li, button, label, svg, .sheet')]
        .filter(e => e.getClientRects().length && !e.closest('.sheet table, .strip, .many .told'))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5).length"""
    assert browser.run(outside) == 0


@pytest.mark.parametrize(("name", "dark"), [("coast", False), ("coast", True), ("pairs", False)])
def test_axe_finds_nothing_wrong(browser, pages, name, dark):
    browser.open(pages[name], dark=dark)
    assert problems(browser) == []


def test_axe_finds_what_is_wrong(browser, tmp_path):
    wrong = tmp_path / "wrong.html"
    wrong.write_text("<!DOCTYPE html><html><body><button></button></body></html>", encoding="utf-8")
    browser.open(wrong)
    assert any(line.startswith("button-name") for line in problems(browser))


COLUMN = "[...document.querySelectorAll('.sortable tbody tr')].map(r => r.cells[{}].dataset.value)"


def test_the_table_is_sorted_by_mouse_and_by_keys(browser, pages):
    browser.open(pages["coast"])
    head = "document.querySelectorAll('.sortable thead th')"
    assert browser.run(f"{head}[0].ariaSort") == "ascending"
    before = browser.run(COLUMN.format(4))
    browser.run(f"{head}[4].querySelector('button').focus()")
    browser.press("Enter", code=13, text="\r")
    assert browser.run(f"{head}[4].ariaSort") == "descending"
    assert browser.run(f"{head}[0].ariaSort") is None
    values = [float(v) for v in browser.run(COLUMN.format(4))]
    assert values == sorted(map(float, before), reverse=True) != [float(v) for v in before]
    browser.press(" ", code=32, text=" ")
    assert browser.run(f"{head}[4].ariaSort") == "ascending"
    assert [float(v) for v in browser.run(COLUMN.format(4))] == sorted(values)
    assert "F1" in browser.run("document.querySelector('.page > .said').textContent")
    browser.run(f"{head}[0].querySelector('button').click()")
    assert browser.run(COLUMN.format(4)) == before
    assert browser.said == []


NAMES = "[...document.querySelectorAll('#dots li .name')].map(e => e.textContent)"


def test_texts_are_chosen_ordered_and_found(browser, pages):
    browser.open(pages["many"])
    assert (
        browser.run("document.querySelector('#found').textContent") == f"{TEXTS} of {TEXTS} texts"
    )
    data = json.loads(browser.run("document.getElementById('data').textContent"))
    worst_first = sorted(
        range(TEXTS), key=lambda t: (min(values[t] for values in data["f1"]["sentence"]), t)
    )
    shown = browser.run(NAMES)
    assert shown == [data["texts"][t] for t in worst_first[: len(shown)]]
    assert 20 < len(shown) < 100  # those in view, and some around them
    marks = "document.querySelectorAll('#dots .dot').length"
    assert browser.run(marks) == 5 * len(shown)
    change = """(e => {{ e.value = '{}'; e.dispatchEvent(new Event('{}')); }})(
        document.getElementById('{}'))"""
    browser.run(change.format("given", "change", "order"))
    assert browser.run(NAMES)[:3] == ["text 0000", "text 0001", "text 0002"]
    browser.run(change.format("apart", "change", "order"))
    apart = [
        max(v[t] for v in data["f1"]["sentence"]) - min(v[t] for v in data["f1"]["sentence"])
        for t in range(TEXTS)
    ]
    assert browser.run(NAMES)[0] == data["texts"][max(range(TEXTS), key=lambda t: (apart[t], -t))]
    browser.run(change.format("0123", "input", "find"))
    assert browser.run(NAMES) == ["text 0123"]
    told = "document.querySelector('#dots .told').innerText"
    f1 = [values[123] for values in data["f1"]["strict"]]
    browser.run(change.format("strict", "change", "measure"))
    assert [float(n) for n in re.findall(r"\d\.\d{3}", browser.run(told))] == [
        pytest.approx(v, abs=6e-4) for v in f1
    ]
    browser.run(change.format("no such", "input", "find"))
    assert browser.run("document.querySelector('#found').textContent") == f"0 of {TEXTS} texts"
    assert browser.run(NAMES) == []
    assert browser.said == []


def test_all_texts_are_reached_by_scrolling_and_links_lead_to_their_pages(browser, pages):
    browser.open(pages["many"])
    browser.run("document.getElementById('order').value = 'given'")
    browser.run("document.getElementById('order').dispatchEvent(new Event('change'))")
    browser.run("document.querySelector('.dots-frame').scrollTop = 1e6")
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert browser.run(NAMES)[-1] == f"text {TEXTS - 1:04}"
    last = "document.querySelector('#dots li:last-child')"
    assert browser.run(f"{last}.getAttribute('aria-posinset')") == str(TEXTS)
    assert (
        browser.run(f"{last}.querySelector('a').getAttribute('href')") == f"texts/{TEXTS - 1}.html"
    )
    frame = "document.querySelector('.dots-frame').getBoundingClientRect().bottom"
    assert browser.run(f"{last}.getBoundingClientRect().bottom") <= browser.run(frame) + 1


def test_the_focus_on_a_row_stays_while_the_list_scrolls(browser, pages):
    browser.open(pages["many"])
    browser.run("document.querySelectorAll('#dots a')[3].focus()")
    before = browser.run("document.activeElement.textContent")
    browser.run("document.querySelector('.dots-frame').scrollTop = 3000")
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert browser.run("document.activeElement.textContent") == before
    places = "[...document.querySelectorAll('#dots li')].map(e => Number(e.ariaPosInSet))"
    found = browser.run(places)
    assert found == sorted(found)
    assert len(found) > 20


def test_every_control_has_a_name_and_takes_the_focus(browser, pages):
    browser.open(pages["coast"])
    nameless = """[...document.querySelectorAll('button, input, select, a, [tabindex]')].filter(e =>
        !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent.trim())
        || e.tabIndex < 0).length"""
    assert browser.run(nameless) == 0
    duplicate = """(ids => ids.length - new Set(ids).size)(
        [...document.querySelectorAll('[id]')].map(e => e.id))"""
    assert browser.run(duplicate) == 0


def test_without_scripts_and_on_paper_all_is_there(browser, pages):
    browser.open(pages["many"], scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert len(browser.run(NAMES)) == 100
    assert "50 more texts" in browser.run("document.querySelector('.rest').innerText")
    assert browser.run("document.querySelectorAll('.sortable tbody tr').length") == 20
    assert browser.run("getComputedStyle(document.querySelector('.tools')).display") == "none"
    browser.open(pages["coast"], media="print", dark=True)
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run("document.querySelectorAll('.chart').length") == 4
    browser.open(pages["many"])
    before = len(browser.run(NAMES))
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert len(browser.run(NAMES)) == 100
    rest = browser.run("document.querySelector('.rest').textContent")
    assert rest.startswith("50 more texts; ")
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert len(browser.run(NAMES)) == before < 100


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")


@pytest.mark.parametrize("systems", [1, 3, 6, 9])
def test_marks_stand_under_the_axis_where_their_figures_are(browser, tmp_path, systems):
    evaluation = Evaluation([f"system {k}" for k in range(systems)])
    for t, size in enumerate((3, 10, 17)):
        links = [((k,), (k,)) for k in range(size)]
        gold = Bitext(None, None, Alignment(links), name=f"a text {'with a long name ' * t}")
        hyps = [
            [((k,), (k if k % (s + 2) else (k + 1) % size,)) for k in range(size)]
            for s in range(systems)
        ]
        evaluation.add(gold, [Bitext(None, None, Alignment(links)) for links in hyps])
    page = tmp_path / "page.html"
    page.write_text(scores_page(evaluation), encoding="utf-8")
    browser.open(page, width=400)
    for width in (400, 800, 1200):
        browser.change_window(width=width)
        assert browser.run("innerWidth") == width
        off = browser.run(_DISTANCES)
        assert (len(off), {len(row) for row in off}) == (3, {systems})
        assert max(max(row) for row in off) < 0.005


_DISTANCES = """(() => {
      const middle = (e) => { const r = e.getBoundingClientRect(); return (r.left + r.right) / 2; };
      const ticks = [...document.querySelectorAll(".dots-axis i")].map(middle);
      const rows = [...document.querySelectorAll("#dots li")];
      return rows.map((row) => {
        const told = [...row.querySelectorAll(".told > span")];
        const marks = [...row.querySelectorAll(".dot path")].reverse().map(middle);
        return told.map((each, k) => {
          const share = (marks[k] - ticks[0]) / (ticks[4] - ticks[0]);
          return Math.abs(share - parseFloat(each.textContent.match(/[\\d.]+$/)[0]));
        });
      });
    })()"""


@pytest.mark.parametrize("name", ["scores", "segmentation", "study", "paragraphs"])
def test_a_table_that_is_wider_than_the_page_says_so_and_keeps_its_first_column(browser, name):
    browser.open(SNAPSHOTS / f"{name}.html", width=300)
    for dark in (False, True):
        browser.change_window(dark=dark)
        assert browser.run("matchMedia('(prefers-color-scheme: dark)').matches") == dark
        assert_wide_tables_say_so(browser)


def assert_wide_tables_say_so(browser):
    found = browser.run("""[...document.querySelectorAll(".sheet, .values")]
      .filter((table) => table.scrollWidth > table.clientWidth)
      .map((table) => getComputedStyle(table))
      .map((style) => [style.backgroundImage.split("linear-gradient").length - 1,
                       style.backgroundAttachment, style.overflowX])""")
    assert found
    assert all(each == [4, "local, local, scroll, scroll", "auto"] for each in found)
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    frames = browser.run("""[...document.querySelectorAll(".sheet")].map((frame) => {
      const wide = frame.scrollWidth > frame.clientWidth;
      frame.scrollLeft = 60;
      const left = frame.getBoundingClientRect().left + frame.clientLeft;
      const first = [...frame.querySelectorAll("tr > :first-child")];
      const hint = getComputedStyle(frame, "::after").display !== "none";
      return [wide === hint, frame.tabIndex, frame.ariaLabel.length > 0,
              first.every((cell) => cell.getBoundingClientRect().left - left < 1)];
    })""")
    assert all(each == [True, 0, True, True] for each in frames)


PAPER = 1032  # pixels between the margins of a landscape A4


@pytest.mark.parametrize("name", ["scores", "segmentation", "paragraphs", "alignment", "links"])
def test_on_paper_no_table_is_cut_and_no_control_is_printed(browser, name):
    browser.open(SNAPSHOTS / f"{name}.html", width=PAPER, media="print", dark=True)
    cut = """[...document.querySelectorAll(".sheet table")]
      .filter((table) => table.getBoundingClientRect().right > innerWidth + 0.5).length"""
    assert browser.run(cut) == 0
    styles = browser.run("""[...document.querySelectorAll(".sheet")]
      .filter((frame) => frame.getClientRects().length)
      .map((frame) => [getComputedStyle(frame).overflowX, getComputedStyle(frame).maxHeight,
                       getComputedStyle(frame.querySelector("th")).position])""")
    assert styles
    assert all(each == ["visible", "none", "static"] for each in styles)
    shown = """[...document.querySelectorAll("nav, .tools, select, input, dialog")]
      .filter((control) => control.getClientRects().length).length"""
    assert browser.run(shown) == 0
    link = "document.querySelector('a') ? getComputedStyle(document.querySelector('a')).color : ''"
    assert browser.run(link) in {"", "rgb(28, 28, 33)"}
