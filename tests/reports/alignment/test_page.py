"""The page of an alignment: its snapshot, what it holds, and what it does in a browser.

`snapshots/alignment.html` is what we make of a small bitext of our own, and `alignment.txt` what
stands in it, without looks. After a change that is meant, run this file as a script:

    PYTHONPATH=tests python tests/reports/alignment/test_page.py

The browser tests need Chromium (Debian: chromium-headless-shell) and are skipped without it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from bitext import Alignment, Bitext, Text
from bitext.reports.alignment import KINDS, overlaid
from bitext.reports.alignment.page import alignment_page
from reference.axe import problems
from reference.page_text import Reader, assert_nothing_acts, data_of
from reference.sample_bitexts import ferry, hostile, long_bitext

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
FIGURES = [("ours: sentence F1", 0.8), ("texts", 1)]


def ferry_page():
    bitext, hyps = ferry()
    return alignment_page(bitext, hypotheses=hyps, figures=FIGURES)


@cache
def long_page():
    bitext, hyps = long_bitext()
    return alignment_page(bitext, hypotheses=hyps)


def snapshots():
    return {"alignment.html": ferry_page(), "alignment.txt": dump(ferry_page())}


def dump(html):
    held = data_of(html)
    lines = []
    for name, side in zip(("source", "target"), held["sides"], strict=True):
        lines.append(f"{name} {side['name']!r}, {side['size']} segments")
        lines += [f"  {k} {text}" for k, text in enumerate(side["texts"])]
    for number, system in enumerate(held["systems"]):
        lines.append(f"system {system['name']!r}")
        for k, (src, tgt) in enumerate(zip(system["src"], system["tgt"], strict=True)):
            letters = [
                pair[number > 0][k] for n, pair in enumerate(held["kinds"]) if number in {0, n + 1}
            ]
            kinds = ", ".join(KINDS[letter] for letter in letters)
            score = "" if system["scores"] is None else f", score {system['scores'][k]}"
            lines.append(f"  {src} : {tgt} {kinds}{score}")
    lines.append(f"levels {held['levels']}")
    return "\n".join([*lines, "", *Reader(html).text, ""])


@pytest.mark.parametrize("name", ["alignment.html", "alignment.txt"])
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_nothing_can_act_in_the_page():
    bitext, hyps = hostile()
    html = alignment_page(bitext, hypotheses=hyps)
    assert_nothing_acts(html)
    assert html.count("<script") == 2
    assert len(html) < 150_000


def test_long_texts_make_a_small_file_and_a_list_of_the_first():
    html = long_page()
    assert len(html.encode()) < 6_000_000
    lists = html.split('<section id="beads"')
    assert [part.count("<li data-bead=") for part in lists] == [500, 500]
    assert "The worst 500 of 1,712 differences." in html


def test_a_page_may_have_one_alignment_or_no_texts_or_nothing():
    bitext, _ = ferry()
    html = alignment_page(bitext)
    assert 'id="differences"' not in html
    ids = Bitext(Text.of_ids(["s1"]), Text.of_ids(["t1"]), Alignment([((0,), (0,))]))
    assert "s1" in " ".join(Reader(alignment_page(ids)).text)
    assert "has no bisegment" in alignment_page(Bitext(None, None, Alignment()))


# In a browser.


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    bitext, _ = ferry()
    ids = Bitext(Text.of_ids(["s1", "s2"]), Text.of_ids(["t1"]), Alignment([((0, 1), (0,))]))
    held = {
        "ferry": ferry_page(),
        "hostile": alignment_page(hostile()[0], hypotheses=hostile()[1]),
        "long": long_page(),
        "alone": alignment_page(bitext),
        "ids": alignment_page(ids, hypotheses={"h": Alignment([((0,), (0,))])}),
        "empty": alignment_page(Bitext(None, None, Alignment()), hypotheses={"h": Alignment()}),
    }
    for name, html in held.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in held}


def shown(browser, path, **options):
    """Open a page and wait until it is laid out."""
    browser.open(path, **options)
    settle(browser)


def settle(browser):
    browser.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))")


def count(browser, selector):
    return browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")


def press(browser, key):
    codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40}
    text = {"Enter": "\r"}.get(key, key if len(key) == 1 else None)
    browser.press(key, code=codes.get(key, 0), text=text)
    settle(browser)


PLACE = "document.querySelector('.place').textContent"
PANEL = "document.querySelector('.panel').textContent"


PAGES = ("ferry", "hostile", "long")


@pytest.mark.parametrize(
    ("name", "width"),
    [*((name, width) for name in PAGES for width in (1280, 400))]
    + [(name, 400) for name in ("alone", "ids", "empty")],
)
def test_nothing_overflows_the_console_is_empty_and_axe_finds_nothing(browser, pages, name, width):
    shown(browser, pages[name], width=width, dark=width == 400)
    press(browser, "n")
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run("window.alerted === undefined && document.title.length > 0")
    outside = """[...document.querySelectorAll('h1, p, li, button, label, .view, .panel, .map')]
        .filter(e => e.getClientRects().length)
        .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5).length"""
    assert browser.run(outside) == 0
    assert browser.said == []
    # In both themes where there is most to see; one pass of axe costs as much as a test.
    if name == "ferry" or (name, width) in {("hostile", 400), ("alone", 400)}:
        assert problems(browser) == []


def test_each_bisegment_has_a_ribbon_and_a_sign_of_its_kind(browser, pages):
    shown(browser, pages["ferry"], height=1400)
    assert count(browser, ".row") == 24
    looks = ("agreed.own", "partly.gold", "partly.own", "missed.gold", "wrong.own")
    assert [count(browser, f".ribbons .{look}") for look in looks] == [5, 3, 3, 3, 2]
    assert [count(browser, f".mark.{look}") for look in looks] == [5, 3, 3, 3, 2]
    # One arm a run: the one with a gap has three, the stub one.
    arms = (
        "document.querySelector('.ribbons [data-key=\"{}\"]')"
        ".getAttribute('d').split('M').length - 1"
    )
    assert [browser.run(arms.format(key)) for key in ("1 8", "0 4", "0 0")] == [3, 1, 1]
    styles = (
        "[...new Set([...document.querySelectorAll('.ribbons path')]"
        ".map(e => getComputedStyle(e))"
        ".map(s => [s.fill.slice(0, 13).replace(/^rgb.*/, 'rgb'), s.fillOpacity, "
        "s.strokeDasharray].join()))].length"
    )
    assert browser.run(styles) == 5  # no two kinds are told apart by colour alone
    upon = """(() => {
        const marks = [...document.querySelectorAll('.mark')].map(m => m.getBoundingClientRect());
        return marks.filter((a, k) => marks.slice(0, k).some(b =>
            Math.abs(a.x - b.x) < 24 && Math.abs(a.y - b.y) < 24)).length;
    })()"""
    assert browser.run(upon) == 0
    lanes = (
        "[...document.querySelectorAll('.map .lane')]"
        ".map(p => p.getAttribute('d').split('M').length - 1)"
    )
    assert browser.run(lanes) == [3, 3, 2]  # found and right in one place are one sign there


def test_keys_and_buttons_go_from_difference_to_difference(browser, pages):
    shown(browser, pages["ferry"])
    assert browser.run(PLACE) == "– of 11"
    press(browser, "n")
    assert browser.run(PLACE) == "1 of 11"
    assert browser.run("document.activeElement.getAttribute('aria-label')").startswith(
        "partly found, 2-1, source 1 2, target 1"
    )
    assert browser.run("document.querySelector('.said').textContent").startswith("1 of 11: partly")
    assert count(browser, ".row.on") == 3
    press(browser, "p")
    assert browser.run(PLACE) == "11 of 11"
    browser.run("document.querySelector('[data-do=next]').focus()")
    press(browser, "Enter")
    assert browser.run(PLACE) == "1 of 11"
    assert browser.run("document.activeElement.dataset.do") == "next"
    press(browser, "k")
    assert "agreed" in browser.run(PANEL)
    press(browser, "Escape")
    assert browser.run(PLACE) == "– of 11"
    assert count(browser, ".row.on") == 0


def test_a_sign_tells_its_scores_ids_and_who_has_it(browser, pages):
    shown(browser, pages["ferry"])
    browser.run("document.querySelector('.mark[tabindex=\"0\"]').focus()")
    press(browser, "Enter")
    told = browser.run(PANEL)
    for part in ("agreed", "1-1", "0.91", "The ferry left", "Le bac quitta", "yes, number 0"):
        assert part in told
    press(browser, "ArrowDown")
    assert "partly found" in browser.run(PANEL)
    assert "no" in browser.run("document.querySelectorAll('.who tbody tr')[1].textContent")
    browser.run(
        "document.querySelector('.ribbons .missed')"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert "missed" in browser.run(PANEL)
    browser.run("document.querySelector('.row.s1[data-k=\"9\"]').click()")
    first = browser.run(PANEL)
    browser.run("document.querySelector('.row.s1[data-k=\"9\"]').click()")
    assert browser.run(PANEL) != first
    assert "vendu" in first


def test_filters_leave_only_what_is_asked_for(browser, pages):
    shown(browser, pages["ferry"], height=1400)
    box = "[...document.querySelectorAll('.box')].find(e => e.textContent.includes('{}')).click()"
    browser.run(box.format("agreed"))
    assert (count(browser, ".ribbons .agreed"), count(browser, ".mark")) == (0, 11)
    browser.run(box.format("1-0"))
    assert browser.run(PLACE) == "– of 10"
    browser.run(box.format("agreed"))
    field = (
        "(e => {{ e.value = '{}'; e.dispatchEvent(new Event('input')) }})"
        "(document.querySelector('[aria-label=\"Score {}\"]'))"
    )
    browser.run(field.format("0.6", "from"))
    browser.run(field.format("0.9", "to"))
    scored = browser.run(
        "[...document.querySelectorAll('.mark')].map(m => m.dataset.key).sort().join()"
    )
    assert scored == "0 2,0 5,0 6,0 7"  # agreed ones, by the score of the hypothesis
    browser.run(
        "(e => { e.value = '2'; e.dispatchEvent(new Event('change')) })"
        "(document.querySelector('#hypothesis'))"
    )
    assert browser.run(PLACE) == "– of 3"
    assert count(browser, ".ribbons .agreed") == 9
    press(browser, "h")
    assert browser.run("document.querySelector('#hypothesis').value") == "1"
    assert count(browser, "#differences ol:not(.other)") == 1


def test_the_list_leads_to_the_place(browser, pages):
    shown(browser, pages["long"], width=1280)
    browser.run("document.querySelectorAll('#differences li button')[499].click()")
    settle(browser)
    at = browser.run("document.querySelectorAll('#differences li[data-bead]')[499].dataset.at")
    assert browser.run(PLACE) == f"{int(at) + 1} of 1,712"
    key = browser.run("document.querySelectorAll('#differences li[data-bead]')[499].dataset.bead")
    assert browser.run("document.activeElement.dataset.key") == key
    assert browser.run("document.querySelector('.view').scrollTop") > 10_000


def test_differences_stand_the_worst_first_or_in_the_order_of_the_text(browser, pages):
    bitext, hyps = ferry()
    comparison = overlaid(bitext, hyps)
    weights = comparison.weights(1)
    assert len(weights) == len(comparison.differences(1))
    shown(browser, pages["ferry"])
    at = "[...document.querySelector('#differences ol').children].map(e => Number(e.dataset.at))"
    ranked = browser.run(at)
    assert [weights[k] for k in ranked] == sorted(weights, reverse=True)
    turn = "document.querySelector('#differences button')"
    assert browser.run(f"{turn}.textContent") == "In the order of the text"
    browser.run(f"{turn}.click()")
    assert browser.run(at) == list(range(len(weights))) != ranked
    browser.run(f"{turn}.click()")
    assert browser.run(at) == ranked


def test_help_tells_the_keys_and_turns_letters_off(browser, pages):
    shown(browser, pages["ferry"])
    press(browser, "?")
    assert browser.run("document.querySelector('.help').open")
    assert "next, previous difference" in browser.run("document.querySelector('.help').textContent")
    browser.run("document.querySelector('.help input').click()")
    press(browser, "?")
    assert browser.run("document.querySelector('.help').open")  # a letter key as any other
    browser.run("document.querySelector('.help [data-do=help]').click()")
    press(browser, "n")
    assert browser.run(PLACE) == "– of 11"


def test_ten_thousand_sentences_stay_smooth(browser, pages):
    shown(browser, pages["long"])
    paint = "Math.max(...performance.getEntriesByType('paint').map(e => e.startTime))"
    assert browser.run(paint) < 5_000  # a second when nothing else runs
    for share in (0.3, 0.999, 0.6):
        browser.run(
            f"(v => v.scrollTop = v.scrollHeight * {share})(document.querySelector('.view'))"
        )
        settle(browser)
        settle(browser)
        assert 6 < count(browser, ".row") < 120
        assert count(browser, ".mark") < 120
        level = """(() => { const b = document.querySelector('.view').getBoundingClientRect();
            return [...document.querySelectorAll('.row')].map(r => r.getBoundingClientRect())
                .some(a => a.bottom > b.top && a.top < b.bottom); })()"""
        assert browser.run(level)
    apart = """(() => { const rows = [...document.querySelectorAll('.row.s0')]
        .map(r => r.getBoundingClientRect()).sort((a, b) => a.top - b.top);
        return rows.slice(1).filter((r, k) => r.top < rows[k].bottom).length; })()"""
    assert browser.run(apart) == 0
    for _ in range(3):
        press(browser, "n")
    inside = """((m, v) => { const a = m.getBoundingClientRect(), b = v.getBoundingClientRect();
        return a.top >= b.top && a.bottom <= b.bottom;
    })(document.activeElement, document.querySelector('.view'))"""
    assert browser.run(inside)
    box = browser.run(
        "(r => [r.x + 5, r.y + r.height / 2])"
        "(document.querySelector('.map').getBoundingClientRect())"
    )
    browser.mouse("mousePressed", *box, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseReleased", *box, button="left", buttons=0, clickCount=1)
    settle(browser)
    at = browser.run("(v => v.scrollTop / v.scrollHeight)(document.querySelector('.view'))")
    assert at == pytest.approx(0.5, abs=0.02)
    assert browser.said == []


def test_without_scripts_and_on_paper_the_lists_stand_there(browser, pages):
    seen = (
        "[...document.querySelectorAll('#beads li, #differences li')]"
        ".filter(e => e.getClientRects().length).length"
    )
    bench = "document.querySelector('.bench').getClientRects().length"
    browser.open(pages["ferry"], scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert (browser.run(seen), browser.run(bench)) == (11 + 3 + 11, 0)
    browser.open(pages["ferry"], media="print", dark=True)
    assert (browser.run(seen), browser.run(bench)) == (11 + 3 + 11, 0)
    browser.open(pages["ferry"])
    assert browser.run(seen) == 11


def test_every_control_has_a_name(browser, pages):
    shown(browser, pages["ferry"])
    nameless = """[...document.querySelectorAll('button, input, select, summary, a, [tabindex]')]
        .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()
            || e.labels?.[0]?.textContent.trim())).length"""
    assert browser.run(nameless) == 0
    assert count(browser, '.mark[tabindex="0"]') == 1
    duplicate = """(ids => ids.length - new Set(ids).size)(
        [...document.querySelectorAll('[id]')].map(e => e.id))"""
    assert browser.run(duplicate) == 0


if __name__ == "__main__":
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")


def test_sentences_that_nobody_cuts_are_no_pieces():
    one, two = Text(["A b.", "C d.", "E f."]), Text(["G.", "H.", "I."])
    gold = Bitext(one, two, Alignment([((0, 1), (0,)), ((2,), (1, 2))]))
    joined = Bitext(Text(["A b. C d.", "E f."]), two, Alignment([((0,), (0, 1)), ((1,), (2,))]))
    cut = Bitext(Text(["A", "b. C d.", "E f."]), two, Alignment([((0, 1), (0, 1)), ((2,), (2,))]))
    html = alignment_page(gold, hypotheses={"joined": joined})
    assert "3 source sentences and 3 target sentences; 2 bisegments in" in html
    html = alignment_page(gold, hypotheses={"cut": cut})
    assert "4 pieces of source sentences and 3 target sentences; 2 bisegments in" in html


def test_a_text_of_many_pieces_ends_with_dots_where_it_is_cut():
    pieces = [f"One {k}." for k in range(10)]
    whole, cut = Text([" ".join(pieces)]), Text(pieces)
    gold = Bitext(whole, whole, Alignment([((0,), (0,))]))
    hyp = Bitext(cut, cut, Alignment([((k,), (k,)) for k in range(10)]))
    html = alignment_page(gold, hypotheses={"h": hyp})
    assert html.count("<bdi>One 0. One 1. One 2. One 3. One 4. One 5. …</bdi>") == 4
