"""The page of word links: its data, its snapshot, and what it does in a browser.

`snapshots/links.html` is what we make of a few sentence pairs of our own, and `links.txt` what
stands in it, without looks. After a change that is meant, run this file as a script:

    PYTHONPATH=tests python tests/reports/links/test_page.py

The browser tests need Chromium (Debian: chromium-headless-shell) and are skipped without it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from bitext import WordLinks
from bitext.errors import InputError
from bitext.metrics import link_scores
from bitext.reports.links import KINDS, LinkData, PairLink, kind_of, pair_probabilities
from bitext.reports.links.page import page_of
from bitext.reports.table import Table
from reference.axe import problems
from reference.page_text import Reader, assert_nothing_acts, data_of

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
KILN = Path(__file__).parents[3] / "fixtures" / "kiln"


def lines(name):
    return (KILN / name).read_text(encoding="utf-8").splitlines()


def kiln():
    """Return a gold standard, two systems, and the words of both sides."""
    gold, forward, reverse = (
        WordLinks.parse(lines(name)) for name in ("gold.pharaoh", "forward.talp", "reverse.talp")
    )
    words = tuple([line.split() for line in lines(name)] for name in ("kiln.en", "kiln.fr"))
    return gold, {"forward": forward, "reverse": reverse.swapped()}, words


def link_page(gold, systems=None, *, words=(None, None), **options):
    data = LinkData(list(systems or {}))
    data.add(gold, list((systems or {}).values()), words)
    return page_of(data, **options)


def kiln_page():
    gold, hyps, words = kiln()
    return link_page(gold, hyps, words=words, title="Kiln", notes=["counted from 0"])


def snapshots():
    return {"links.html": kiln_page(), "links.txt": dump(kiln_page())}


def dump(html):
    held = data_of(html)
    found = []
    for pair in held["pairs"]:
        found.append(f"pair {pair['number']} {pair['sizes']}")
        found += [f"  {' '.join(pair[side])}" for side in ("src", "tgt")]
        for link in map(PairLink._make, pair["links"]):
            kinds = [KINDS.get(kind_of(link, k), "-") for k in range(len(held["systems"]))]
            found.append(f"  {link.src}-{link.tgt} {' '.join(kinds)}")
        found.append(f"  {pair['figures']}")
    return "\n".join([*found, "", *Reader(html).text, ""])


@pytest.mark.parametrize("name", ["links.html", "links.txt"])
def test_the_snapshot_is_what_we_make(name):
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == snapshots()[name]


def test_each_link_has_its_kind_for_each_system():
    gold = WordLinks.parse(["0-0 1-1 2p2 3p3"])
    data = LinkData(["one", "two"])
    data.add(gold, [WordLinks.parse(["0-0 2-2 4-4"]), WordLinks.parse(["1-1 3-3 4-4"])])
    (pair,) = data.pairs()
    kinds = {link[:2]: [kind_of(link, k) for k in (0, 1)] for link in pair.links}
    assert kinds == {
        (0, 0): ["a", "m"],
        (1, 1): ["m", "a"],
        (2, 2): ["l", "o"],
        (3, 3): ["o", "l"],
        (4, 4): ["w", "w"],
    }


def test_figures_are_those_of_the_metric_pair_by_pair_and_in_all():
    gold, hyps, words = kiln()
    data = LinkData(list(hyps))
    data.add(gold, list(hyps.values()), words)
    assert data.counts == [link_scores(gold, hyp) for hyp in hyps.values()]
    for k, pair in enumerate(data.pairs()):
        assert list(pair.counts) == [link_scores(gold[k], hyp[k]) for hyp in hyps.values()]


def test_without_possible_links_they_count_as_wrong():
    gold, hyp = WordLinks.parse(["0-0 1p1"]), WordLinks.parse(["0-0 1-1"])
    data = LinkData(["a"])
    data.add(gold, [hyp], sure_only=True)
    assert [kind_of(link, 0) for link in data.pairs()[0].links] == ["a", "w"]
    assert data.counts == [link_scores(gold, hyp, sure_only=True)]


def test_of_many_pairs_those_with_most_differences_are_held_in_their_order():
    gold = WordLinks.parse(["0-0", "0-0 1-1", "0-0", "0-0 1-1 2-2"] * 2)
    data = LinkData(["none"], most=3)
    data.add(gold, [WordLinks.parse([""] * 8)], text="first")
    data.add(gold[:2], [WordLinks.parse(["", "5-5 6-6 7-7"])], text="second")
    assert [(pair.text, pair.number) for pair in data.pairs()] == [
        ("first", 4), ("first", 8), ("second", 2),
    ]  # fmt: skip
    html = page_of(data)
    assert "10 sentence pairs, 10 of them with differences" in html
    assert "The page holds the 3 with most differences; figures are of all." in html
    assert "second" in " ".join(Reader(html).text)


def test_of_many_systems_fewer_pairs_are_held():
    gold, names = WordLinks.parse(["0-0"] * 100), [str(k) for k in range(500)]
    data = LinkData(names)
    data.add(gold, [WordLinks.parse(["0-1"] * 100)] * 500)
    assert len(data.pairs()) == 40
    html = page_of(data)
    assert html.count("And in 488 further systems.") == 40
    assert len(html) < 1_000_000


def test_a_page_may_have_no_texts_or_no_system_or_nothing():
    gold = WordLinks.parse(["0-0 1p2", ""])
    alone = Reader(link_page(gold)).text
    assert "sure" in alone
    assert "0 – 0;" in " ".join(alone)
    assert "There is no sentence pair." in link_page(
        WordLinks.parse([]), {"a": WordLinks.parse([])}
    )
    assert "No link differs." in link_page(gold, {"same": gold})


def test_links_to_no_word_are_named():
    gold = WordLinks([0, 1], [-1], [0])
    html = link_page(gold, {"a": WordLinks.parse([""])}, words=([["x"]], [["y"]]))
    assert "(none) – 0" in " ".join(Reader(html).text)


def null_page():
    gold = WordLinks([0, 2], [-1, 1], [0, 1])
    return link_page(gold, {"a": WordLinks.parse(["1-0"])}, words=([["b", "c"]], [["y", "z"]]))


def test_long_sentences_are_cut_with_a_count():
    hyp = WordLinks.parse(["0-0 700-2"])
    data = LinkData(["a"])
    data.add(hyp, [hyp], ([["w"] * 800], [["v"] * 3]))
    (pair,) = data.pairs()
    assert (len(pair.src), pair.sizes, pair.left_out) == (500, (800, 3), 1)


def test_as_many_pairs_are_wanted():
    gold = WordLinks.parse(["0-0"])
    with pytest.raises(InputError, match="the hypothesis 2"):
        link_page(gold, {"a": WordLinks.parse(["", ""])})
    with pytest.raises(InputError, match="2 target sentences for 1 sentence pairs"):
        link_page(gold, words=(None, [[], []]))
    with pytest.raises(InputError, match="0 hypotheses for 1 systems"):
        LinkData(["a"]).add(gold, [])


def hostile_page():
    words = ([["</script><script>x()</script>", "a\u202eb"]], [["<b>", "\x1b[31m" + "\u0301" * 99]])
    gold = WordLinks.parse(["0-0 1-1"])
    data = LinkData(["<i>", "\u202e" * 100])
    data.add(gold, [WordLinks.parse(["0-1"])] * 2, words, text="</title>")
    data.add(gold, [WordLinks.parse(["0-1"])] * 2, words, text="\x00")
    table = Table(["part", "system", "F1"])
    table.rows.append(["<u>", "<i>", "0.5"])
    return page_of(data, title="<b>", notes=["<u>"], scores=(f"<q>{'|long' * 40}", table))


def test_nothing_can_act_in_the_page():
    html = hostile_page()
    assert_nothing_acts(html)
    assert html.count("<script") == 2


def test_a_page_of_a_folder_leads_to_its_texts_and_back():
    data = LinkData(["a"])
    data.add(WordLinks.parse(["0-0"]), [WordLinks.parse([""])])
    listed = Table(["text", "AER, a"], rows=[["<s>", "1.0000"]])
    html = page_of(data, texts=(listed, ['a.html?"&']), index="../index.html")
    assert '<a href="a.html?&quot;&amp;"><bdi>&lt;s&gt;</bdi></a>' in html
    assert '<a href="../index.html">All texts</a>' in html
    assert 'data-report="bitext"' in html


def scored_page(**options):
    """Return a page of links alone with their probabilities."""
    _, _, words = kiln()
    links = WordLinks.parse(
        ["0-0:0.9 1-1:0.8 2-2:0.3", "0-0:0.9 1-1:0.9", "0-0:0.95 1-1:0.95 2-2p:0.95", "0-0:0.5"]
    )
    sides = tuple([*(sentence[:3] for sentence in side[:3]), ["x"]] for side in words)
    data = LinkData([], count_from=0, most=3)
    forward, backward = np.full((2, 9), 0.75, dtype=np.float32)
    data.add(links, [], sides, directions=(forward, backward))
    lexicon = Table(["source", "target", "links"], right={2})
    lexicon.rows += [["the", "le", "3"], ["kiln", "<b>", "1"]]
    return page_of(data, lexicon=lexicon, **options)


def test_of_links_with_probabilities_the_least_probable_pairs_are_held():
    held = data_of(scored_page())
    assert held["scored"] is True
    assert [(pair["number"], pair["probability"]) for pair in held["pairs"]] == [
        (0, 0.6667),
        (1, 0.6),
        (3, 0.5),
    ]
    assert held["pairs"][0]["chances"] == [[0.9, 0.75, 0.75], [0.8, 0.75, 0.75], [0.3, 0.75, 0.75]]
    listed = " ".join(Reader(scored_page()).text)
    assert "The least probable 3 are shown." in listed
    assert listed.index("Pair 3 0.50") < listed.index("Pair 1 0.60") < listed.index("Pair 0 0.67")
    assert_nothing_acts(scored_page())


def test_the_probability_of_a_pair_is_that_of_its_words():
    links = WordLinks.parse(["0-0:0.8 0-1:0.4", "0-0:0.5", "", "0-0"])
    words = [["a", "b"], ["a"], ["a"], ["a"]], [["c", "d"], ["c"], [], ["c"]]
    assert pair_probabilities(links, words)[:2] == pytest.approx([(0.8 + 0 + 0.8 + 0.4) / 4, 0.5])
    assert np.isnan(pair_probabilities(links, words)[2:]).all()
    assert pair_probabilities(links)[0] == pytest.approx((0.8 + 0.8 + 0.4) / 3)


def test_confidences_that_are_no_probabilities_have_no_part_in_the_order():
    for values in (["0-0:-2.5", "1-1:-0.1"], ["0-0", "1-1"]):
        data = LinkData([])
        data.add(WordLinks.parse(values), [])
        assert (data.scored, data.pairs()[0].chances) == (False, ())
        assert "scored" not in data_of(page_of(data))
    data.add(WordLinks.parse(["0-0:0.5"]), [])
    assert [len(pair.chances) for pair in data.pairs()] == [0, 0, 1]
    assert [pair["probability"] for pair in data_of(page_of(data))["pairs"]] == [None, None, 0.5]


# In a browser.


def some_page():
    """More pairs than the window shows and than the page holds, but not so many that it is slow."""
    data = LinkData(["f"], most=120)
    data.add(
        WordLinks.parse(lines("gold.pharaoh") * 40), [WordLinks.parse(lines("forward.talp") * 40)]
    )
    return page_of(data)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    gold, hyps, words = kiln()
    many = WordLinks.parse(lines("gold.pharaoh") * 300)
    held = {
        "kiln": kiln_page(),
        "hostile": hostile_page(),
        "alone": link_page(gold, words=words),
        "bare": link_page(gold, hyps),
        "many": link_page(many, {"f": WordLinks.parse(lines("forward.talp") * 300)}),
        "some": some_page(),
        "empty": link_page(WordLinks.parse([]), {"a": WordLinks.parse([])}),
        "null": null_page(),
        "scored": scored_page(),
    }
    for name, html in held.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in held}


def settle(browser):
    browser.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))")


def shown(browser, path, **options):
    browser.open(path, **options)
    settle(browser)


def press(browser, key):
    browser.press(key, text=key if len(key) == 1 else None)
    settle(browser)


def count(browser, selector):
    return browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")


def said(browser):
    return browser.run("document.querySelector('.said').textContent")


def choose(browser, selector, value):
    browser.run(
        f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); "
        f"e.dispatchEvent(new Event('input')); }})(document.querySelector({json.dumps(selector)}))"
    )
    settle(browser)


@pytest.mark.parametrize(
    "name", ["kiln", "hostile", "alone", "bare", "some", "empty", "null", "scored"]
)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_pages_are_accessible_quiet_and_fit_their_window(browser, pages, name, width, dark):
    shown(browser, pages[name], width=width, dark=dark)
    assert problems(browser) == []
    assert browser.said == []
    assert browser.run("document.documentElement.scrollWidth") == width


def test_links_of_the_chosen_pair_are_lines_of_their_kind(browser, pages, tmp_path):
    shown(browser, pages["kiln"])
    choose(browser, "#order", "text")
    kinds = {kind: count(browser, f".drawing .link.{kind}") for kind in KINDS.values()}
    assert kinds == {"agreed": 8, "allowed": 1, "missed": 0, "open": 1, "wrong": 1}
    assert (count(browser, ".knob.wrong"), count(browser, ".knob.allowed")) == (1, 1)
    dashes = browser.run(
        "['missed', 'open', 'agreed'].map(k => getComputedStyle("
        "document.querySelector(`.swatch .link.${k}`)).strokeDasharray)"
    )
    assert len(set(dashes)) == 3
    ends = browser.run(
        "(line => line.getAttribute('d'))(document.querySelector('.drawing .link.wrong'))"
    )
    rows = [float(y) for y in re.findall(r" ([\d.]+)", ends)]
    assert rows == [3.5 * 26, 7.5 * 26]
    browser.picture(tmp_path / "links.png")
    assert (tmp_path / "links.png").stat().st_size > 20_000


def test_no_word_has_a_row_of_its_own_where_links_lead_to_it(browser, pages):
    shown(browser, pages["null"])
    rows = browser.run("[...document.querySelectorAll('.drawing li bdi')].map(e => e.textContent)")
    assert rows == ["(none)", "b", "c", "y", "z"]
    lines = browser.run(
        "[...document.querySelectorAll('.drawing .link')].map(e => e.getAttribute('d'))"
    )
    rows = {tuple(float(y) for y in re.findall(r" ([\d.]+)", line)) for line in lines}
    assert rows == {(13.0, 13.0), (65.0, 39.0), (65.0, 13.0)}


def test_keys_go_from_difference_to_difference_and_round(browser, pages):
    shown(browser, pages["kiln"])
    press(browser, "n")
    assert said(browser).endswith(", Pair 5")  # the worst pair
    choose(browser, "#order", "text")
    press(browser, "n")
    assert said(browser) == "1 of 4: wrong, 3 the to 7 l', Pair 1"
    assert count(browser, ".drawing .link.on") == 1
    assert count(browser, ".drawing li.on") == 2
    for _ in range(3):
        press(browser, "n")
    assert said(browser) == "4 of 4: missed, 0 No to 0 Personne, Pair 6"
    press(browser, "n")
    assert said(browser).startswith("1 of 4")
    press(browser, "p")
    assert said(browser).startswith("4 of 4")
    press(browser, "Escape")
    assert count(browser, ".drawing .on") == 0
    press(browser, "j")
    assert said(browser) == "Pair 1"
    press(browser, "k")
    assert said(browser) == "Pair 6"


def test_another_system_is_chosen_by_key_and_by_list(browser, pages):
    shown(browser, pages["kiln"])
    press(browser, "h")
    assert said(browser).startswith("reverse: 6 of 6 pairs")
    assert count(browser, ".drawing .link.wrong") == 0
    current = "document.querySelector('.pair tr[aria-current] th').textContent"
    assert browser.run(current) == "reverse"
    press(browser, "n")
    assert said(browser) == "There is no difference"
    choose(browser, "#system", "0")
    assert browser.run(current) == "forward"


def test_pairs_are_found_by_differences_and_words(browser, pages):
    shown(browser, pages["kiln"])
    for value, found in (("differences", 3), ("w", 2), ("m", 2), ("o", 3), ("all", 6)):
        choose(browser, "#pairs", value)
        assert (value, count(browser, ".finder li")) == (value, found)
    choose(browser, "#find", "VENDREDI")
    assert count(browser, ".finder li") == 1
    assert browser.run("document.querySelector('.pair h3').textContent") == "Pair 5"
    press(browser, "Escape")
    choose(browser, "#find", "nowhere")
    assert count(browser, ".finder li") == 0
    assert "No sentence pair is chosen" in browser.run(
        "document.querySelector('.pair').textContent"
    )
    assert browser.said == []


def test_lines_of_a_kind_can_be_hidden(browser, pages):
    shown(browser, pages["kiln"])
    browser.run("document.querySelectorAll('.kinds input')[0].click()")
    settle(browser)
    assert count(browser, ".drawing .link.agreed") == 0
    assert count(browser, ".drawing .link.wrong") == 1


def test_probable_links_are_bold_and_improbable_pairs_first(browser, pages):
    shown(browser, pages["scored"])
    names = "[...document.querySelectorAll('.finder button')].map(e => e.textContent.slice(0, 6))"
    assert browser.run(names) == ["Pair 3", "Pair 1", "Pair 0"]
    choose(browser, "#order", "text")
    assert browser.run(names) == ["Pair 0", "Pair 1", "Pair 3"]
    widths = browser.run(
        "[...document.querySelectorAll('.drawing .link')].map("
        "e => parseFloat(getComputedStyle(e).strokeWidth))"
    )
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == pytest.approx(0.8 + 2.8 * 0.9, abs=0.01)
    buttons = browser.run("document.querySelector('.linked').textContent")
    assert "0.90 → 0.75 ← 0.75" in buttons
    choose(browser, "#pairs", "doubtful")
    assert browser.run(names) == ["Pair 0"]
    choose(browser, "#pairs", "bare")
    assert browser.run(names) == ["Pair 1"]


def test_rows_of_the_lexicon_are_found_by_letters(browser, pages):
    shown(browser, pages["scored"])
    seen = (
        "[...document.querySelectorAll('#lexicon tbody tr')].filter(e => !e.hidden)"
        ".map(e => [...e.cells].map(cell => cell.textContent).join(' '))"
    )
    assert len(browser.run(seen)) == 2
    choose(browser, "#lexicon input", "KIL")
    assert browser.run(seen) == ["kiln <b> 1"]
    assert "1 of 2 rows" in browser.run("document.querySelector('#lexicon').textContent")


def test_a_page_of_many_pairs_holds_a_thousand(browser, pages):
    shown(browser, pages["many"])
    assert count(browser, ".finder li") == 1_000
    assert "1,000 of 1,800 pairs" in browser.run("document.querySelector('#controls').textContent")


def test_without_scripts_and_on_paper_the_list_stands_there(browser, pages):
    seen = (
        "[...document.querySelectorAll('.pairs-list li')]"
        ".filter(e => e.getClientRects().length).length"
    )
    browser.open(pages["kiln"], scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.run(seen) == 3
    browser.open(pages["kiln"], media="print")
    assert browser.run(seen) == 3
    browser.open(pages["kiln"])
    assert browser.run(seen) == 0


if __name__ == "__main__":
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")
