"""The editor in a page of its own: gold standards by keys and by mouse, its safe and its looks.

The operations are tested in the browser, too: `bundle` gives them as a script.
"""

from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

import bitext
from bitext.errors import FormatError
from bitext.workbench.standalone import ASSETS, asset, bundle, page_html, read_page, write_page
from reference.axe import problems
from reference.editor_driver import (
    CONTROL,
    click,
    drag,
    keys,
    opened,
    press,
    problem,
    said,
    sentence,
    short,
    state,
    until,
)  # fmt: skip
from reference.page_text import STEERING, Reader

RANDOM = Path(__file__).with_name("random_operations.js").read_text(encoding="utf-8")


def sentences(letter, texts):
    return [
        {"id": f"{letter}{k}", "text": text, "paragraph": k == 1} for k, text in enumerate(texts, 1)
    ]


def bead(number, source=(), target=(), **more):
    return {
        "id": f"b{number}", "source": list(source), "target": list(target), "state": "proposed",
        "probability": None, "comment": "", "bookmark": False, **more,
    }  # fmt: skip


def state_of(source, target, beads, *, languages=("en", "de"), name="ferry"):
    return {
        "alignment": {"id": 1, "name": name, "annotator": "anna", "version": 0},
        "source": {"id": 1, "name": "src", "language": languages[0], "sentences": source},
        "target": {"id": 2, "name": "tgt", "language": languages[1], "sentences": target},
        "beads": beads,
    }


ENGLISH = [
    "The ferry leaves at noon.", "Nobody is on deck.", "The captain whistles and the rope falls.",
    "Then it rains.", "We wait.", "At night we land.",
]  # fmt: skip
GERMAN = [
    "Die Fähre legt mittags ab.", "Niemand ist an Deck.", "Der Kapitän pfeift.",
    "Das Tau fällt.", "Wir warten.", "Dann regnet es.", "Nachts landen wir. Endlich",
]  # fmt: skip


def ferry():
    """Two texts that nobody has aligned: the first sentence beside the first, and so on."""
    src, tgt = sentences("s", ENGLISH), sentences("t", GERMAN)
    pairs = [bead(k, [f"s{k}"], [f"t{k}"], probability=0.4) for k in range(1, 7)]
    return state_of(src, tgt, [*pairs, bead(7, [], ["t7"])])


GOLD = [
    (["s1"], ["t1"], "confirmed"), (["s2"], ["t2"], "confirmed"),
    (["s3"], ["t3", "t4"], "confirmed"), (["s4"], ["t6"], "confirmed"),
    (["s5"], ["t5"], "confirmed"), (["s6"], ["t7"], "confirmed"), ([], ["t7-2"], "doubtful"),
]  # fmt: skip


def hostile():
    """Texts, names and comments that try to act in the page, or to steer it."""
    bad = "</script><script>window.alerted = 1</script><img src=x onerror='window.alerted = 1'>"
    steering = "a\u202eb\u2028c\x07\ufeff" + "o" + "\u0301" * 50
    src = sentences("s", [bad, steering, "<!--<script>", "]]>&amp;\\u003c"])
    tgt = sentences("t", [f"{bad} {steering}", "x" * 5000])
    beads = [
        bead(1, ["s1"], ["t1"], comment=bad, bookmark=True),
        bead(2, ["s2", "s3", "s4"], ["t2"], comment=steering),
    ]
    return state_of(src, tgt, beads, languages=('"><b>', ""), name=f"</title>{bad}")


def world():
    """Hebrew and Chinese, and a Hebrew sentence that begins with a foreign name."""
    src = sentences("s", ["שלום עולם.", "Paris היא עיר גדולה.", "הספינה יוצאת בצהריים."])
    tgt = sentences("t", ["你好，世界。", "巴黎是一座", "大城市。", "船中午出发。"])
    beads = [bead(1, ["s1"], ["t1"]), bead(2, ["s2"], ["t2", "t3"]), bead(3, ["s3"], ["t4"])]
    return state_of(src, tgt, beads, languages=("he", "zh"), name="עולם 世界")


def long_state(size=3000):
    src = sentences(
        "s", [f"Sentence {k} of a long text, {'word ' * (k % 30)}." for k in range(size)]
    )
    tgt = sentences(
        "t", [f"Satz {k} eines langen Textes, {'Wort ' * (k % 23)}." for k in range(size)]
    )
    beads = [bead(k, [f"s{k}"], [f"t{k}"]) for k in range(1, size + 1)]
    return state_of(src, tgt, beads, name="long")


def wide_state(size=2000):
    """One bead of all sentences, as a bad import may have it."""
    src = sentences("s", [f"Sentence {k}." for k in range(size)])
    tgt = sentences("t", [f"Satz {k}." for k in range(size)])
    sides = [row["id"] for row in src], [row["id"] for row in tgt]
    return state_of(src, tgt, [bead(1, *sides)], name="wide")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "ferry": ferry(),
        "keys": ferry(),
        "hostile": hostile(),
        "world": world(),
        "long": long_state(),
    }
    made["wide"] = wide_state()
    for name, held in made.items():
        write_page(named(held, folder / name), folder / f"{name}.html")
    return folder


def named(held, place):
    """Give a page a name of its own: what the browser keeps of it, it keeps by the content."""
    held["alignment"]["id"] = str(place)
    return held


# Without a browser


def test_every_part_is_an_asset_and_other_names_are_not():
    for name in ASSETS:
        assert asset(name)
    for name in ("../standalone.py", "editor", ""):
        with pytest.raises(KeyError):
            asset(name)


def test_a_page_is_read_back_and_written_the_same_twice(tmp_path):
    for held in (ferry(), hostile(), world()):
        assert page_html(held) == page_html(held)
        write_page(held, tmp_path / "page.html")
        assert read_page(tmp_path / "page.html") == held


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"<p>no page</p>",
        b'<script type="application/json" id="state">[]</script>',
    ],
)
def test_what_is_no_page_is_refused(tmp_path, content):
    (tmp_path / "other.html").write_bytes(content)
    with pytest.raises(FormatError, match=r"other\.html: holds no alignment: want a page"):
        read_page(tmp_path / "other.html")


def test_nothing_of_a_text_is_markup_and_the_page_allows_its_own_script_alone():
    html = page_html(hostile())
    assert not STEERING.search(html)
    assert html.count("<script") == 3
    found = Reader(html).found
    assert not {tag for tag, _ in found} & {"img", "iframe", "object", "embed", "form", "base"}
    policy = next(a["content"] for _, a in found if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; ")
    script = re.search('<script type="module" id="program">(.*?)</script>', html, re.DOTALL)[1]
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


# In a browser


def saved(browser, path):
    """Save the page by its key; return the file that the browser would download."""
    browser.run(
        "window.showSaveFilePicker = undefined; window.downloads = []; "
        "URL.createObjectURL = blob => { downloads.push(blob); return 'blob:none' }; 0"
    )
    keys(browser, "Ctrl+s")
    path.write_text(browser.run("downloads.at(-1).text()"), encoding="utf-8", newline="")
    return path


@pytest.fixture(scope="module")
def by_keys(browser, pages):
    """The gold standard that was made by keys alone, on a page that stays open until the next."""
    opened(browser, pages / "ferry.html")
    keys(browser, "Enter", "Enter", "ArrowRight", "D", "Enter")
    # A link across: t6, two beads below, belongs to s4.
    keys(browser, "ArrowDown", "ArrowDown", " ", "ArrowUp", "ArrowUp", "ArrowLeft", " ", "l")
    keys(browser, "Enter", "Enter", "ArrowRight", "D", "t", "End", *["ArrowLeft"] * 7)
    keys(browser, "Ctrl+Enter", "ArrowDown", "ArrowUp", "Shift+ArrowDown", "Shift+ArrowDown", "d")
    keys(browser, "Enter", "q", "c", *"no source", "Enter", "b", "p", "t", "End", "!", "Enter")
    return state(browser)


def test_keys_alone_make_a_gold_standard(by_keys):
    assert short(by_keys) == GOLD
    assert by_keys["target"]["sentences"][6:] == [
        {"id": "t7", "text": "Nachts landen wir.", "paragraph": False},
        {"id": "t7-2", "text": "Endlich!", "paragraph": True},
    ]
    last = by_keys["beads"][-1]
    assert (last["comment"], last["bookmark"], last["probability"]) == ("no source", True, None)


def test_undo_and_redo_have_no_end_and_the_safe_keeps_both(by_keys, browser, pages):
    count = browser.run("editor.store.done.length")
    assert count > 15
    keys(browser, *["Ctrl+z"] * count)
    begin, now = ferry(), state(browser)
    assert (now["beads"], now["target"]) == (begin["beads"], begin["target"])
    keys(browser, "z")
    assert problem(browser) == "There is nothing to undo"
    keys(browser, *["Z"] * count)
    assert state(browser) == by_keys
    keys(browser, "z", "z")
    before = state(browser)
    browser.run("editor.store.flush()")
    opened(browser, pages / "ferry.html")  # nothing was saved in a file
    assert state(browser) == before
    keys(browser, "Ctrl+y", "Ctrl+Shift+z")
    assert state(browser) == by_keys
    keys(browser, "z", "Z")
    browser.run("editor.store.flush()")


def test_a_saved_page_has_all_that_was_done_and_its_beads_are_a_bitext(by_keys, browser, tmp_path):
    page = saved(browser, tmp_path / "saved.html")
    assert read_page(page) == by_keys
    opened(browser, page)
    assert browser.said == []
    keys(browser, "z", "Z")
    assert state(browser) == by_keys
    again = saved(browser, tmp_path / "again.html")
    assert again.read_bytes() == page.read_bytes()
    press(browser, "exportBeads")
    (tmp_path / "gold.jsonl").write_text(browser.run("downloads.at(-1).text()"), encoding="utf-8")
    read = bitext.read(tmp_path / "gold.jsonl")
    assert [(len(b.src), len(b.tgt)) for b in read.alignment] == [
        (len(src), len(tgt)) for src, tgt, _ in GOLD
    ]


def test_what_is_made_after_a_page_was_saved_is_there_whichever_file_is_opened(browser, tmp_path):
    first = tmp_path / "first.html"
    write_page(named(ferry(), first), first)
    opened(browser, first)
    keys(browser, "Enter", "Enter")
    page = saved(browser, tmp_path / "saved.html")
    keys(browser, "Enter")
    browser.run("editor.store.flush()")
    made = state(browser)
    assert [each["state"] for each in made["beads"]].count("confirmed") == 3
    for path in (page, first):
        opened(browser, path)
        assert state(browser) == made


def test_a_file_that_cannot_be_written_is_told_and_another_can_be_chosen(browser, tmp_path):
    page = tmp_path / "full.html"
    write_page(named(ferry(), page), page)
    opened(browser, page)
    browser.run(  # the browser is slow to keep a change
        "const { safe } = editor.store; const add = safe.add.bind(safe);"
        "safe.add = async (entry) => {"
        "await new Promise((done) => setTimeout(done, 200)); return add(entry); }; 0"
    )
    keys(browser, "Enter")
    browser.run(
        "window.chosen = []; window.written = ''; const fails = [true, false];"
        "window.showSaveFilePicker = async () => { const full = fails.shift(); chosen.push(full);"
        "return { createWritable: async () => ({ close: async () => {},"
        "write: async (html) => { if (full) throw new Error('no room'); written = html; } }) }; };"
        "0"
    )
    keys(browser, "Ctrl+s")
    assert problem(browser) == "The file was not written (no room): save again"
    keys(browser, "Ctrl+s")
    until(browser, "editor.store.status.text === 'Saved'")
    browser.run("editor.store.flush()")
    assert browser.run("editor.store.status.text") == "Saved", "it is the last word"
    assert browser.run("chosen") == [True, False]
    assert browser.run("written").startswith("<!DOCTYPE html>")


def test_of_two_tabs_of_a_page_one_says_that_it_is_not_kept(browser, tmp_path):
    page = tmp_path / "tabs.html"
    write_page(named(ferry(), page), page)
    opened(browser, page)
    browser.run("editor.store.constructor.open().then((other) => { window.other = other; })")
    keys(browser, "Enter", "Enter")
    browser.run("editor.store.flush()")
    for at in (4, 3, 2):  # the last would follow what the first tab has kept
        browser.run(
            f"(bead => other.change({{name: 'doubt', splices: [{{list: 'beads', at: {at}, "
            "remove: [bead], insert: [{...bead, state: 'doubtful'}]}]}))"
            f"(other.alignment.beads[{at}])"
        )
    browser.run("other.flush()")
    first, second = browser.run("[editor.store.status, other.status]")
    assert first["kept"]
    assert not second["kept"]
    assert second["text"].endswith("another tab has changed this page: save the page in a file")
    made = state(browser)
    opened(browser, page)
    assert state(browser) == made


def test_a_page_opens_though_what_the_browser_keeps_does_not_fit(browser, tmp_path):
    page = tmp_path / "gap.html"
    write_page(named(ferry(), page), page)
    opened(browser, page)
    keys(browser, "Enter")
    browser.run("editor.store.safe.add({kind: 'redo'})")
    keys(browser, "Enter")
    browser.run("editor.store.flush()")
    opened(browser, page)
    assert [each["state"] for each in state(browser)["beads"]].count("confirmed") == 1
    told = "Not all changes of your last visit could be made again: save the page in a file"
    assert browser.run("editor.store.status") == {"kept": False, "text": told}
    keys(browser, "Enter")
    assert browser.run("editor.status.textContent") == told
    browser.dialogs.clear()
    browser.open(page)
    assert browser.dialogs == ["beforeunload"], "it asks before changes are lost"


@pytest.mark.usefixtures("by_keys")
def test_the_mouse_alone_makes_the_same(browser, pages):
    opened(browser, pages / "ferry.html")
    for _ in range(browser.run("editor.store.done.length")):
        press(browser, "undo")
    assert state(browser)["beads"] == ferry()["beads"]
    click(browser, sentence("s1"))
    press(browser, "confirm")
    press(browser, "confirm")
    click(browser, sentence("t3"))
    press(browser, "takeDown")
    press(browser, "confirm")
    click(browser, sentence("s4"), modifiers=CONTROL)
    click(browser, sentence("t6"), modifiers=CONTROL)
    press(browser, "link")
    press(browser, "confirm")
    click(browser, ".bead .state", nth=4)
    drag(browser, sentence("t7"), sentence("s6"))
    click(browser, sentence("t7"), count=2)
    field = browser.run(
        "(r => [r.x, r.y])(document.querySelector('textarea').getBoundingClientRect())"
    )
    for step in range(60):
        click(browser, "", at={"x": field[0] + 100 + 3 * step, "y": field[1] + 12})
        if browser.run("document.querySelector('textarea').selectionStart") == 19:
            break
    click(browser, ".sentence-text button", nth=1)
    click(browser, sentence("t7-2"))
    press(browser, "giveDown")
    press(browser, "confirm")
    press(browser, "toggleDoubtful")
    assert short(state(browser)) == GOLD


def test_what_is_looked_for_is_found_and_replaced_after_a_preview(by_keys, browser, tmp_path):
    def at():
        return browser.run("editor.at")

    write_page(by_keys, tmp_path / "gold.html")
    opened(browser, tmp_path / "gold.html")
    keys(browser, "2")
    assert (at(), said(browser)) == (
        6, "Bead 7 of 7, 0 to 1, doubtful, bookmarked, comment: no source",
    )  # fmt: skip
    keys(browser, "3", "3")
    assert at() == 6
    keys(browser, "4")
    assert problem(browser) == "No bead below probability"  # those below are confirmed
    keys(browser, "Home", "v", "End", "4")
    assert at() == 0
    keys(browser, "v")
    keys(browser, "f", *"d[ae]", "Enter")
    assert problem(browser) == "No bead with the text searched"
    click(browser, ".finder input[type=checkbox]")
    assert browser.run("document.querySelectorAll('.text mark').length") == 6
    click(browser, ".finder [data-do=next]")
    assert at() == 1
    keys(browser, "f", "(", "Enter")
    assert problem(browser).startswith("No regular expression")
    # Keys that search are letters in the field, which Escape leaves as it is.
    keys(browser, "Escape", "f", *"off/f", "Escape")
    assert browser.run("document.querySelector('.find').value") == "off/f"
    browser.run("editor.grid.focus()")
    keys(browser, "g", *"t6", "Enter")
    assert at() == 3
    browser.run("document.querySelector('.find').value = '(\\\\w+) d'; 0")
    keys(browser, "r")
    fields = "document.querySelectorAll('.replace-texts input')[1]"
    browser.run(f"{fields}.value = '$1 D'; {fields}.dispatchEvent(new Event('input')); 0")
    shown = browser.run("[...document.querySelectorAll('.preview ins')].map(e => e.textContent)")
    assert shown == ["Nobody is on Deck."]
    click(browser, ".replace-texts .actions button")
    assert state(browser)["source"]["sentences"][1]["text"] == "Nobody is on Deck."
    assert browser.said == []


@pytest.mark.parametrize(
    ("name", "width", "dark"),
    [("ferry", 1280, False), ("hostile", 800, True), ("world", 1280, True), ("long", 800, False)],
)
def test_pages_fit_are_quiet_inert_and_accessible(browser, pages, name, width, dark, tmp_path):
    opened(browser, pages / f"{name}.html", width=width, height=800, dark=dark)
    keys(browser, "Shift+ArrowDown", " ", "q")
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.run("window.alerted === undefined")
    assert browser.said == []
    assert problems(browser) == []
    if name == "ferry":  # the list of keys is the same on all pages
        keys(browser, "?")
        assert problems(browser) == []
        keys(browser, "Escape")
    browser.picture(tmp_path / "page.png")
    keys(browser, "z")


def test_right_to_left_and_chinese_stand_and_join_as_they_should(browser, pages):
    opened(browser, pages / "world.html")
    assert browser.run(
        "[...document.querySelectorAll('.bead:first-child .cell')].map(e => e.dir + e.lang)"
    ) == ["rtlhe", "ltrzh"]
    keys(browser, "ArrowDown", "ArrowRight", "J")
    assert state(browser)["target"]["sentences"][1]["text"] == "巴黎是一座大城市。"
    keys(browser, "z")


def test_of_many_beads_only_those_in_view_exist_and_the_chosen_one_is_in_view(browser, pages):
    opened(browser, pages / "long.html")
    shown = """(() => { const g = editor.grid.getBoundingClientRect();
        const r = document.querySelector('.bead.chosen').getBoundingClientRect();
        return r.top >= g.top - 1 && r.bottom <= g.bottom + 1; })()"""
    for name in ("End", "ArrowUp", "PageUp", "u", "Home", "PageDown", "m", "3", "z"):
        keys(browser, name)
        assert browser.run(shown), name
        assert browser.run("document.querySelectorAll('.bead').length") < 80
    assert browser.run(
        "document.querySelector('.bead.chosen .source').id === "
        "editor.grid.getAttribute('aria-activedescendant')"
    )
    # Rows do not overlap, though their heights were estimated.
    browser.run("editor.grid.scrollTop = 50_000; new Promise(r => setTimeout(r, 50))")
    box = "(e => { const r = e.getBoundingClientRect(); return [r.top, r.bottom]; })"
    boxes = browser.run(f"[...document.querySelectorAll('.bead')].map({box})")
    assert len(boxes) > 10
    assert all(abs(above[1] - below[0]) < 0.5 for above, below in pairwise(boxes))


def test_a_run_confirms_what_is_in_view_down_to_the_next_improbable_bead(browser, tmp_path):
    held = long_state(200)
    for k, one in enumerate(held["beads"]):
        one["probability"] = 0.97
        if k in (3, 60):
            one["probability"] = 0.3
        if k == 45:
            one["state"] = "doubtful"
    write_page(held, tmp_path / "run.html")
    opened(browser, tmp_path / "run.html")
    confirmed = "editor.state.beads.findIndex(b => b.state !== 'confirmed')"
    keys(browser, "y")
    assert browser.run(confirmed) == 3
    assert browser.run("editor.at") == 3
    # The improbable bead was looked at: it begins the next run, which ends with the view.
    last = browser.run("editor.list.lastInView")
    assert 3 < last < 45
    keys(browser, "y")
    assert browser.run(confirmed) == last + 1
    assert browser.run("[editor.at, editor.list.top.row]") == [last + 1, last]
    # What nobody has seen is not confirmed.
    browser.run("editor.grid.scrollTop = 6000; new Promise(r => setTimeout(r, 50))")
    assert browser.run("editor.list.top.row") > last + 1
    keys(browser, "y")
    assert browser.run(confirmed) == last + 1
    assert "not in view" in problem(browser)
    presses = 0
    while browser.run("editor.at") < 45 and presses < 20:
        keys(browser, "y")
        presses += 1
    assert browser.run("[editor.at, editor.state.counts.confirmed]") == [45, 45]
    keys(browser, "z")
    assert browser.run("editor.state.counts.confirmed") < 45
    keys(browser, "Z")
    browser.run("editor.goTo(45); 0")
    keys(browser, "y")
    assert browser.run("editor.state.beads[45].state") == "confirmed"
    # With another limit, a run goes further; with no probability, nowhere.
    browser.run("editor.sure.value = '0.2'; editor.goTo(59); 0")
    keys(browser, "y")
    assert browser.run("editor.state.beads[60].state") == "confirmed"


def test_of_a_bead_of_thousands_the_ends_and_what_is_chosen_are_shown(browser, pages):
    opened(browser, pages / "wide.html")
    assert browser.run("document.querySelectorAll('.sentence').length") == 240
    browser.run("editor.choose(0, {sentence: 1000}); 0")
    keys(browser, "Shift+ArrowDown", "s")
    assert [len(source) for source, _, _ in short(state(browser))] == [1001, 999]
    assert "… 881 sentences more" in browser.run("editor.grid.textContent")
    keys(browser, "z")


def random_state():
    src = sentences("s", [f"Sentence number {k} has words." for k in range(12)])
    tgt = sentences("t", [f"句子{k}也有字。" for k in range(10)])
    beads = [bead(k, [f"s{k}"], [f"t{k}"]) for k in range(1, 11)]
    # A sentence in two beads, and an empty bead, as imports may have them.
    beads[2]["source"] = ["s3", "s4"]
    return state_of(src, tgt, [*beads, bead(11, ["s11", "s12"]), bead(12)], languages=("en", "zh"))


def test_random_operations_keep_what_holds_and_their_inverse_restores_the_state(browser, pages):
    counts = {}
    for seed in range(8):
        script = RANDOM.replace("SEED", str(seed)).replace("COUNT", "250")
        script = script.replace("GIVEN", json.dumps(random_state()))
        found = run_modules(browser, pages, "operations", script)
        assert found["back"]
        for name, count in found["counts"].items():
            counts[name] = counts.get(name, 0) + count
    assert len(counts) == 24
    assert min(counts.values()) >= 10, counts


def run_modules(browser, pages, module, script):
    browser.open(pages / "ferry.html", scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    return browser.run(f"(() => {{ {bundle(module)} {script} }})()")


def test_comments_and_bookmarks_of_beads_that_go_stay_with_their_sentences(browser, pages):
    held = ferry()
    held["beads"][0] |= {"comment": "one", "bookmark": True}
    held["beads"][1]["comment"] = "two"
    held["beads"][2]["comment"] = "three"
    found = run_modules(
        browser,
        pages,
        "operations",
        f"""
        const state = () => new _changes.Alignment({json.dumps(held)});
        const given = state();
        for (const side of ["source", "target"])
          given.apply(_operations.give(given, 0, side, 1).splices);
        const linked = state();
        const marked = {{ source: ["s1", "s3"], target: ["t1", "t3"] }};
        linked.apply(_operations.link(linked, marked).splices);
        const adopted = state();
        const other = {{ source: ["s1", "s2"], target: ["t1", "t2"], comment: "theirs" }};
        adopted.apply(_operations.adopt(adopted, [other], "take").splices);
        const about = ({{ source, comment, bookmark }}) => [source, comment, bookmark];
        return [given, linked, adopted].map(({{ beads }}) => beads.slice(0, 2).map(about));
        """,
    )
    assert found == [
        [[["s1", "s2"], "two\none", True], [["s3"], "three", False]],
        [[["s1", "s3"], "one\nthree", True], [["s2"], "two", False]],
        [[["s1", "s2"], "theirs\none\ntwo", True], [["s3"], "three", False]],
    ]


def test_beads_that_all_agree_on_have_the_word_links_of_nobody_where_these_differ(browser, pages):
    link = ["s1", 0, "t1", 0, "sure", None]
    words = [[link], [[*link[:4], "possible", None]], [link]]
    lists = [[bead(1, ["s1"], ["t1"], state="confirmed", words=own, linked=True)] for own in words]
    found = run_modules(
        browser,
        pages,
        "comparison",
        f"""
        const lists = {json.dumps(lists)};
        return [lists, [lists[0], lists[2]]].map((some) => _comparison.agreed(some)[0]);
        """,
    )
    assert [(each["words"], each["linked"]) for each in found] == [([], False), ([link], True)]


def test_a_split_sentence_has_its_characters_as_the_server_counts_them(browser, pages):
    held = ferry()
    text = "One.\ufeff \x85Two."
    held["source"]["sentences"][0]["text"] = text
    found = run_modules(
        browser,
        pages,
        "operations",
        f"""
        const state = new _changes.Alignment({json.dumps(held)});
        state.apply(_operations.splitSentence(state, "source", "s1", 6).splices);
        return state.rows.source.slice(0, 2).map((row) => row.text);
        """,
    )
    assert found == ["One.\ufeff", "Two."]
    assert "".join("".join(each.split()) for each in found) == "".join(text.split())


def test_a_log_has_printable_characters_and_no_half_of_one(browser, pages):
    script = "const { logged } = _comparison; "
    script += "return [logged('take', 'می\u200cخواهم\\n'), logged('x', '🙂'.repeat(99))]"
    assert run_modules(browser, pages, "comparison", script) == [
        "take: می خواهم ",
        f"x: {'🙂' * 97}",
    ]


def test_a_sentence_that_somebody_else_has_changed_is_not_written_over(browser, tmp_path):
    page = tmp_path / "both.html"
    write_page(named(ferry(), page), page)
    opened(browser, page)
    theirs = (
        "(row => editor.store.change({name: 'correct', splices: [{list: 'source', at: 0, "
        "remove: [row], insert: [{...row, text: row.text + '!'}]}]}))(editor.state.rows.source[0])"
    )
    for opening, field in ((["t"], "textarea"), (["r"], "dialog input")):
        keys(browser, *opening)
        browser.run(
            f"document.querySelector('{field}').value = 'ferry'; "
            f"document.querySelector('{field}').dispatchEvent(new Event('input')); 0"
        )
        browser.run(theirs)
        text = browser.run("editor.state.rows.source[0].text")
        browser.run("document.querySelector('dialog .actions button').click(); 0")
        told = browser.run("document.querySelector('dialog .problem').textContent")
        assert told == "Somebody has changed sentence s1 since: close this, and look at it again"
        assert browser.run("editor.state.rows.source[0].text") == text
        keys(browser, "Escape")


@pytest.mark.parametrize("key", ["pages", "lines"])
def test_a_sentence_higher_than_the_window_is_read_by_keys(browser, tmp_path, key):
    texts = ["x " * 4000, "One.", "y " * 9000, "Two."]
    if key == "pages":
        rows = [bead(k, [f"s{k}"], [f"t{k}"]) for k in range(1, 5)]
        made = state_of(sentences("s", texts), sentences("t", texts), rows)
    else:
        units = [{**row, "paragraph": True} for row in sentences("s", texts)]
        segment = {"id": "g1", "start": "s1", "types": [], "state": "proposed"}
        made = {**state_of(units, [], []), "types": ["topic"]}
        made["segments"] = [{**segment, "comment": "", "bookmark": False}]
        del made["beads"], made["target"]
    write_page(made, tmp_path / "p.html")
    opened(browser, tmp_path / "p.html")
    seen = [browser.run("editor.grid.scrollTop")]
    for _ in range(100):
        keys(browser, "PageDown")
        seen.append(browser.run("editor.grid.scrollTop"))
        if seen[-1] == seen[-2]:
            break
    height = browser.run("editor.grid.clientHeight")
    steps = [after - before for before, after in pairwise(seen)]
    assert len(steps) > 5  # each screen is in view once, and nothing is passed over
    assert max(steps) <= height
    assert seen[-1] + height >= browser.run("editor.grid.scrollHeight") - 1
    for _ in range(100):
        keys(browser, "PageUp")
    assert browser.run("editor.grid.scrollTop") == 0


def test_the_size_of_the_text_is_kept_also_the_smallest(browser, pages):
    opened(browser, pages / "ferry.html")
    keys(browser, "-", "-", "-")
    opened(browser, pages / "ferry.html")
    assert browser.run("editor.size") == 0.8
    keys(browser, "+", "+")
    assert browser.run("editor.size") == 1


def test_the_beads_have_the_focus_and_the_keys_stand_in_columns(browser, pages):
    opened(browser, pages / "keys.html")
    assert browser.run("document.activeElement === editor.grid")
    below = "editor.grid.getBoundingClientRect().top"
    usual = browser.run(below)
    keys(browser, "4")  # the field of the probability has room beside the others
    assert browser.run(below) == usual
    keys(browser, "7")
    assert problem(browser) == "No bead with a comment"
    assert browser.run(below) == usual
    keys(browser, "?")
    lefts = "[...document.querySelectorAll('.help h3')].map((e) => e.getBoundingClientRect().left)"
    assert len(set(browser.run(lefts))) > 1
    keys(browser, "Escape", "g")
    keys(browser, "9", "9", "Enter")
    told = browser.run("document.querySelector('.go-to .problem').textContent")
    assert told == "There is none of this name: want a number from 1 to 7, or an id"
    keys(browser, "Escape")
    keys(browser, "Home", "s")
    assert short(state(browser))[:2] == [(["s1"], [], "proposed"), ([], ["t1"], "proposed")]


@pytest.mark.parametrize("page", ["ferry.html", "long.html"])
def test_what_is_active_in_the_grid_is_there_whatever_is_drawn_anew(browser, pages, page):
    opened(browser, pages / page)
    active = "document.getElementById(editor.grid.getAttribute('aria-activedescendant'))"
    for name in ("ArrowDown", "f", "e", "n", "Escape", "End", "Home", "+"):
        keys(browser, name)
        assert browser.run(f"{active}.matches('.chosen .cell.active')")
    assert problems(browser) == []
    browser.run("editor.list.top = { row: editor.list.size - 1, above: 0 }; 0")
    until(browser, f"{active} || !editor.grid.hasAttribute('aria-activedescendant')")
    assert problems(browser) == []


FOCUS = "(e => e.dataset.do ?? e.getAttribute('aria-label') ?? e.id)(document.activeElement)"


def test_the_toolbar_is_one_stop_of_the_tab_key_and_arrow_keys_go_along_it(browser, tmp_path):
    given = ferry()
    given["alignment"]["name"] = "toolbar"
    write_page(given, tmp_path / "toolbar.html")
    opened(browser, tmp_path / "toolbar.html", width=800)
    assert browser.run("document.querySelector('.toolbar').getAttribute('role')") == "toolbar"
    stops = "document.querySelectorAll('.toolbar :is(button, input):not([tabindex=\"-1\"])').length"
    assert browser.run(stops) == 1
    browser.run("editor.buttons.get('confirm').focus(); 0")
    keys(browser, "ArrowRight", "ArrowRight")
    assert browser.run(FOCUS) == "confirmUpTo"
    # A key of the toolbar is none of the text; a letter is, and Enter presses the button.
    assert browser.run("editor.at") == 0
    keys(browser, "ArrowRight", "ArrowRight")
    assert browser.run(FOCUS) == "Probability from which on a run confirms"
    keys(browser, "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter")
    assert browser.run(FOCUS) == "toggleConfirmed"
    assert state(browser)["beads"][0]["state"] == "confirmed"
    keys(browser, "End")
    assert browser.run(FOCUS) == "help"
    keys(browser, "ArrowRight", "ArrowLeft", "Home", "ArrowLeft")
    assert browser.run(FOCUS) == "help"
    assert browser.run(stops) == 1
    # Tab leaves it, and comes back to where one was.
    keys(browser, "Tab")
    assert browser.run(FOCUS) == "Kind of bead looked for"
    keys(browser, "Shift+Tab")
    assert browser.run(FOCUS) == "help"
    keys(browser, "Escape")
    assert browser.run("document.activeElement === editor.grid")
    assert problems(browser) == []
    # The same in the dialog of words.
    keys(browser, "x")
    assert browser.run(stops.replace(".toolbar", "dialog .actions")) == 1
    assert problems(browser) == []
    keys(browser, "Escape")
