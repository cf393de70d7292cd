"""The editor of segmentations in a browser: keys alone, the mouse alone, coders side by side."""

from __future__ import annotations

import json
import random
import threading

import pytest

from bitext.formats.segmentations import read_segmentations
from bitext.workbench.access import Access
from bitext.workbench.bench import Bench
from bitext.workbench.changes import RowList, Segment, Segments, Sentence, Splice, rows_of
from bitext.workbench.project import Project
from bitext.workbench.segmentations import SegmentText, add_text
from bitext.workbench.server import link, listen, serve
from bitext.workbench.standalone import bundle, read_page, write_page
from reference.axe import problems
from reference.editor_driver import click, drag, keys, opened, press, problem, said, until

LINES = [f"Line {k} of the talk." for k in range(1, 9)]
TYPES = ["paragraph", "topic"]


def page_of(tmp_path, units=LINES, boundaries=(), lines=None, types=TYPES, decided=()):
    begins = set(range(len(units)) if lines is None else lines)
    rows = [Sentence(f"u{k + 1}", text, k in begins) for k, text in enumerate(units)]
    segments = [Segment("g1", "u1", (), decided=tuple(f"u{k}" for k in decided))]
    segments += [Segment(f"g{k + 1}", f"u{k + 1}", tuple(own)) for k, own in boundaries]
    state = {
        "alignment": {"id": 1, "name": tmp_path.name, "annotator": "anna", "version": 0,
                      "document": 1},
        "source": {"id": 1, "name": "talk", "language": "",
                   "sentences": [row._asdict() for row in rows]},
        "segments": [row._asdict() for row in segments],
        "types": list(types),
    }  # fmt: skip
    write_page(state, tmp_path / "talk.html")
    return tmp_path / "talk.html"


def begun(browser, path, **options):
    opened(browser, path, **options)
    browser.run("editor.grid.focus(); 0")


def segments(browser):
    """Return the segments: the number of the first unit, types and state."""
    held = json.loads(browser.run("JSON.stringify(editor.state)"))["segments"]
    return [(int(row["start"][1:]), row["types"], row["state"]) for row in held]


def at(browser, number):
    """Return a selector of the unit of a number, from 1."""
    name = browser.run(
        f"[...document.querySelectorAll('.unit')].find((e) => e.place === {number - 1}).id"
    )
    return f"#{name}"


def test_places_that_are_decided_stay_in_their_segments_whatever_is_done(browser, tmp_path):
    begun(browser, page_of(tmp_path, decided=range(2, 9)))
    draw = random.Random(3)
    tried = [" ", " ", "1", "2", "Delete", "Shift+ArrowRight", "Shift+ArrowLeft", "z", "Z", "v"]
    tried += ["ArrowDown", "ArrowDown", "ArrowUp", "Enter", "Tab"]
    left = set()
    for _ in range(60):
        keys(browser, *draw.choices(tried, k=3))
        held = json.loads(browser.run("JSON.stringify(editor.state)"))
        units = RowList([Sentence(**row) for row in held["source"]["sentences"]])
        rows = rows_of(held["segments"], "segments")
        Segments(units, RowList(rows))  # which checks it
        left.add(sum(len(row.decided) for row in rows))
    assert len(left) > 2
    keys(browser, *["z"] * 200)
    assert segments(browser) == [(1, [], "proposed")]
    assert browser.run("editor.state.segments[0].decided.length") == 7


def test_a_segmentation_is_made_from_nothing_by_keys_alone(browser, tmp_path):
    begun(browser, page_of(tmp_path))
    assert segments(browser) == [(1, [], "proposed")]
    # Read on, set a boundary, confirm what is above; the cursor stays where it reads on.
    keys(browser, "ArrowDown", "ArrowDown", " ", "Enter", "ArrowDown", "ArrowDown", "ArrowDown")
    keys(browser, "1", "2", "Enter", "End", "Enter")
    assert segments(browser) == [
        (1, [], "confirmed"),
        (3, ["paragraph"], "confirmed"),
        (6, ["paragraph", "topic"], "confirmed"),
    ]
    assert said(browser) == "All segments are confirmed"
    # Move, remove, comment, a type of one's own.
    keys(browser, "Shift+Tab", "Shift+Tab", "Shift+ArrowRight")
    assert segments(browser)[1] == (4, ["paragraph"], "proposed")
    keys(browser, "c", "w", "h", "y", "Enter", "t", "a", "s", "i", "d", "e", "Enter")
    assert segments(browser)[1] == (4, ["paragraph", "aside"], "proposed")
    assert browser.run("editor.state.segments[1].comment") == "why"
    keys(browser, "3")
    assert segments(browser)[1] == (4, ["paragraph"], "proposed")
    keys(browser, "Tab", "Delete")
    assert segments(browser) == [(1, [], "proposed"), (4, ["paragraph"], "proposed")]
    keys(browser, "End", "Shift+Enter", "v", "q")
    assert segments(browser) == [(1, [], "confirmed"), (4, ["paragraph"], "doubtful")]
    assert problem(browser) == ""
    assert browser.said == []


def test_comments_of_segments_that_go_are_those_of_the_segment_above(browser, tmp_path):
    path = page_of(tmp_path, boundaries=[(3, ["topic"]), (5, ["topic"])])
    held = read_page(path)
    for row, comment in zip(held["segments"], ("one", "two", ""), strict=True):
        row["comment"] = comment
    browser.open(path, scripts=False)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    found = browser.run(
        f"""(() => {{ {bundle("segments")}
        const state = new _segments.Segmentation({json.dumps(held)});
        const place = state.starts[1];
        const rows = [{{ place, types: [[], ["topic"]] }}];
        state.apply(_segments.takeAt(state, [state], place, [], rows, new Set(), "take").splices);
        return state.segments.map((row) => [row.start, row.comment]); }})()"""
    )
    assert [comment for _, comment in found] == ["one\ntwo", ""]


def test_undo_has_no_end_and_a_saved_page_has_it_too(browser, tmp_path):
    begun(browser, page_of(tmp_path, boundaries=[(3, ["topic"])]))
    first = segments(browser)
    keys(browser, "Tab", "Enter", "Shift+ArrowLeft", "2", "1", "q", "Home", "ArrowDown", " ")
    last = segments(browser)
    saved = tmp_path / "saved.html"
    saved.write_text(browser.run("editor.store.html()"), encoding="utf-8")
    state = read_page(saved)
    assert [row.start for row in rows_of(state["segments"], "segments")] == [
        f"u{start}" for start, _, _ in last
    ]
    begun(browser, saved)
    for _ in range(12):
        keys(browser, "z")
    assert segments(browser) == first
    assert problem(browser) == "There is nothing to undo"
    for _ in range(12):
        keys(browser, "Z")
    assert segments(browser) == last


def test_a_segmentation_is_made_by_the_mouse_alone(browser, tmp_path):
    begun(browser, page_of(tmp_path))
    click(browser, at(browser, 4), count=2)  # a boundary before line 4
    click(browser, at(browser, 6))
    click(browser, '[data-type="topic"]')
    press(browser, "confirm")
    assert segments(browser) == [
        (1, [], "proposed"),
        (4, ["paragraph"], "confirmed"),
        (6, ["topic"], "proposed"),
    ]
    click(browser, ".bar .state", nth=2)
    click(browser, ".bar .state", nth=0)
    assert [state for _, _, state in segments(browser)] == ["confirmed"] * 3
    drag(browser, ".bar:not(.opening) .type", at(browser, 3))
    assert segments(browser)[1] == (3, ["paragraph"], "proposed")
    click(browser, at(browser, 6), count=2)
    press(browser, "toggleDoubtful")
    press(browser, "undo")
    press(browser, "bookmark")
    assert segments(browser) == [(1, [], "proposed"), (3, ["paragraph"], "proposed")]
    assert browser.run("editor.state.segments[1].bookmark")
    assert browser.said == []


def test_boundaries_are_downloaded_as_compare_reads_them(browser, tmp_path):
    begun(browser, page_of(tmp_path, boundaries=[(3, ["topic"]), (5, ["topic", "a b"])]))
    browser.run(
        "window.downloads = []; const made = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { downloads.push(blob); return made.call(URL, blob); }; 0"
    )
    press(browser, "exportSegments")
    path = tmp_path / "talk.jsonl"
    path.write_text(browser.run("downloads[0].text()"), encoding="utf-8")
    (read,) = read_segmentations(path).values()
    assert read.masses.tolist() == [3, 2, 3]
    assert read.types == (frozenset(["topic"]), frozenset(["topic", "a b"]))


def test_arrows_go_where_the_words_of_the_text_go(browser, tmp_path):
    begun(browser, page_of(tmp_path, ["שלום", "עולם", "הספינה", "יוצאת"], lines=[0]))
    assert browser.run("document.querySelector('.units').dir") == "rtl"
    keys(browser, "ArrowLeft", "ArrowLeft", "1", "Shift+ArrowLeft", "ArrowRight")
    assert segments(browser) == [(1, [], "proposed"), (4, ["paragraph"], "proposed")]
    assert browser.run("editor.place") == 2


def test_what_cannot_be_is_refused_in_words(browser, tmp_path):
    begun(browser, page_of(tmp_path, boundaries=[(3, ["topic"]), (4, ["topic"])]))
    for pressed, message in [
        ((" ",), "A boundary stands between two units: choose one after the first"),
        (("Delete",), "There is no boundary here to remove"),
        (("Tab", "Shift+ArrowRight"), "A boundary is moved up to the next one, not over it"),
        (("ArrowLeft", "Shift+ArrowRight"), "There is no boundary here to move"),
        (("End", " "), "A boundary stands between two units: choose one after the first"),
    ]:
        before = segments(browser)
        keys(browser, *pressed)
        assert problem(browser) == message
        assert segments(browser) == before


def test_boundaries_and_words_are_searched(browser, tmp_path):
    words = [*LINES[:4], "It", "was", "late", "and", "the", "ferry", "came", "back", "Then", "rain"]
    words[:4] = "The", "ferry", "left", "."
    path = page_of(tmp_path, words, [(4, ["topic"]), (12, ["topic"])], lines=[0, 4, 12])
    begun(browser, path)
    keys(browser, "f", *"e ferry", "Enter")  # over two words
    assert browser.run("editor.place") == words.index("the")
    keys(browser, "Enter")
    assert browser.run("editor.place") == 0
    keys(browser, "Escape", "n")
    assert browser.run("editor.place") == words.index("the")
    keys(browser, "g", "1", "3", "Enter")
    assert browser.run("editor.place") == 12
    keys(browser, "q", "Home", "/")
    browser.run("editor.kind.value = 'doubtful'; editor.kind.dispatchEvent(new Event('change')); 0")
    keys(browser, "Escape", "n")
    assert browser.run("editor.place") == 12


@pytest.mark.parametrize("seed", range(3))
def test_random_keys_leave_a_sound_state_which_undo_takes_back(browser, tmp_path, seed):
    draw = random.Random(seed)
    begun(browser, page_of(tmp_path, boundaries=[(2, ["topic"]), (5, ["topic", "paragraph"])]))
    first = segments(browser)
    tried = ["ArrowDown", "ArrowUp", "]", "[", "Home", "End", " ", "1", "2", "Delete"]
    tried += [
        "Enter",
        "Shift+Enter",
        "v",
        "q",
        "b",
        "z",
        "Z",
        "Shift+ArrowLeft",
        "Shift+ArrowRight",
    ]
    for _ in range(120):
        keys(browser, draw.choice(tried))
    browser.run("editor.state.check(); 0")
    starts = [start for start, _, _ in segments(browser)]
    assert starts == sorted(set(starts))
    while browser.run("editor.store.done.length"):
        keys(browser, "z")
    assert segments(browser) == first
    assert browser.said == []


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (800, True)])
def test_the_page_is_accessible(browser, tmp_path, width, dark):
    path = page_of(tmp_path, boundaries=[(2, ["topic"]), (5, ["topic", "paragraph"])])
    begun(browser, path, width=width, dark=dark)
    keys(browser, "Tab", "Enter", "q", "b")
    assert problems(browser) == []
    for key in ("?", "t", "c", "g"):
        keys(browser, key)
        assert problems(browser) == []
        keys(browser, "Escape")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_the_place_is_kept_when_the_page_is_loaded_again(browser, tmp_path):
    path = page_of(tmp_path)
    begun(browser, path)
    keys(browser, "ArrowDown", "ArrowDown", "ArrowDown")
    begun(browser, path)
    assert browser.run("editor.place") == 3


def test_hostile_text_is_inert(browser, tmp_path):
    hostile = "</script><img src=x onerror=document.title='bad'>\u202e"
    begun(browser, page_of(tmp_path, [hostile, "b", hostile], [(1, ["<b>x"])], types=["<b>x"]))
    keys(browser, "Tab", "1", "1", "z", "?")
    assert browser.run("document.title") == tmp_path.name
    assert browser.run("document.querySelectorAll('.units img, .type b').length") == 0
    assert browser.said == []


def test_a_long_text_has_only_the_lines_in_view(browser, tmp_path):
    words = [f"w{k}" for k in range(50_000)]
    begun(browser, page_of(tmp_path, words, lines=range(0, 50_000, 15)))
    keys(browser, "End", "ArrowUp", "ArrowUp", " ", "Enter", "Home")
    assert browser.run("document.querySelectorAll('.unit').length") < 2500
    assert [start for start, _, _ in segments(browser)] == [1, 49_981]


# With the server


class Served:
    """A server in a thread."""

    def __init__(self, path):
        self.path = path
        self.listening = listen("127.0.0.1", 0)
        self.access = Access("cleo", hosts={"127.0.0.1"}, port=self.listening.getsockname()[1])
        self.project = Project(path, durable=False)
        ready, stops = threading.Event(), []
        self.thread = threading.Thread(
            target=serve,
            args=(Bench(self.project), self.access, self.listening),
            kwargs={"ready": ready.set, "stop": stops.append},
            daemon=True,
        )
        self.thread.start()
        assert ready.wait(20)
        self.end = stops[0]

    def stop(self):
        self.end()
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.project.close()

    def segments(self, number):
        with Project(self.path, durable=False) as project:
            rows = project.rows(number)[1]["segments"]
        return [(int(row.start[1:]), list(row.types), row.state) for row in rows]


def coded(project, document, annotator, boundaries):
    number = project.assign(document, annotator)
    rows = [Segment("g1", "u1", (), "confirmed")]
    rows += [Segment(f"g{k}", f"u{k}", tuple(own), "confirmed") for k, own in boundaries]
    before = tuple(project.rows(number)[1]["segments"])
    project.change(
        number, [Splice("segments", 0, before, tuple(rows))], name="code", annotator=annotator
    )
    return number


@pytest.fixture
def served(tmp_path):
    path = tmp_path / "talk.bitext"
    with Project.create(path, "talk", durable=False) as project:
        text = SegmentText("talk", "en", LINES, list(range(8)), [()] * 8)
        document = add_text(project, text, TYPES, "lines")
        coded(project, document, "anna", [(3, ["paragraph"]), (5, ["topic"])])
        coded(project, document, "bea", [(3, ["paragraph"]), (6, ["topic"])])
        project.assign(document, "cleo")
    server = Served(path)
    yield server
    server.stop()


KEPT = "editor.store.status.kept && !editor.store.sending && !editor.store.turning"


def entered(browser, served, annotator):
    browser.open(f"{link(served.access, '127.0.0.1')}&annotator={annotator}")
    until(browser, "document.querySelector('.documents table')")


def test_coders_are_compared_decided_and_agree_as_the_page_says(browser, served):
    entered(browser, served, "cleo")
    assert problems(browser) == []
    shown = browser.run("document.querySelector('main').innerText")
    # B: a match, and a near miss that counts as a half: (1 + 1/2) / 2.
    assert "anna, bea" in shown
    assert "0.7500" in shown
    click(browser, ".pairs button[aria-label^=Compare]")
    until(browser, "window.editor?.coders && editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    assert problems(browser) == []
    assert browser.run("editor.rows.map((row) => row.place + 1)") == [5, 6]
    keys(browser, "a")
    until(browser, KEPT)
    assert served.segments(4) == [(1, [], "confirmed"), (3, ["paragraph"], "proposed")]
    keys(browser, "1")  # anna's topic before line 5
    keys(browser, "1")  # and none before line 6
    until(browser, KEPT)
    assert said(browser) == "All differences are decided"
    assert served.segments(4) == [
        (1, [], "confirmed"),
        (3, ["paragraph"], "confirmed"),
        (5, ["topic"], "confirmed"),
    ]
    keys(browser, "z")  # the decision before line 6 is open again, and chosen
    until(browser, f"{KEPT} && editor.at === 1")
    assert browser.run("document.querySelector('.progress').textContent").startswith(
        "2 differences, 1 not decided"
    )
    keys(browser, "2")
    until(browser, KEPT)
    assert served.segments(4)[-1] == (6, ["topic"], "confirmed")
    keys(browser, "0")
    until(browser, f"{KEPT} && editor.state.counts.doubtful === 1")
    with Project(served.path, durable=False) as project:
        names = [entry.name for entry in project.history(4)]
    assert names[-1] == "take what all agree on"
    assert {"take anna: 4 | 5", "take bea: 5 | 6", "leave doubtful: 5 | 6"} <= set(names)
    lines = [line for line in browser.said if not line.startswith("asked for http://127.0.0.1")]
    assert lines == []


def test_what_is_decided_in_an_open_segment_is_there_after_a_reload(browser, served):
    with Project(served.path, durable=False) as project:
        rows = project.rows(3)[1]["segments"]  # bea has not confirmed what is before line 3
        change = [Splice("segments", 0, (rows[0],), (rows[0]._replace(state="proposed"),))]
        project.change(3, change, name="reopen", annotator="bea")
    entered(browser, served, "cleo")
    click(browser, ".pairs button[aria-label^=Compare]")
    until(browser, "window.editor?.coders && editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    keys(browser, "2")  # no boundary before line 5: nothing that is confirmed shows it
    until(browser, KEPT)
    progress = "document.querySelector('.progress').textContent"
    assert browser.run(progress).startswith("2 differences, 1 not decided")
    assert served.segments(4) == [(1, [], "proposed")]
    browser.run("window.old = true; location.reload(); 0")
    until(browser, "!window.old && window.editor?.coders && editor.store.events?.readyState === 1")
    assert browser.run(progress).startswith("2 differences, 1 not decided")
    signs = "[...document.querySelectorAll('.decision')].map(e => e.textContent)"
    assert browser.run(signs) == ["✓", "○"]
    browser.run("editor.choose(1); editor.grid.focus(); 0")
    keys(browser, "2", "a")  # the boundary before line 6, and what both have
    until(browser, KEPT)
    # Bea's first segment is open, and so is cleo's.
    assert served.segments(4) == [
        (1, [], "proposed"),
        (3, ["paragraph"], "confirmed"),
        (6, ["topic"], "confirmed"),
    ]
    # The list says how many places are decided so; the second is in a segment that is confirmed.
    keys(browser, "z", "z")
    until(browser, f"{KEPT} && editor.state.segments.length === 1")
    browser.run("location.hash = '#/'; 0")
    until(browser, "document.querySelector('[aria-label=\"Progress of segmentations\"] td')")
    shown = browser.run(
        "[...document.querySelectorAll('[aria-label=\"Progress of segmentations\"] tbody tr')]"
        ".map((e) => [e.cells[1].textContent, e.cells[2].textContent])"
    )
    assert shown == [["anna", "0"], ["bea", "0"], ["cleo", "1"]]
    # Whoever sets a boundary there decides anew.
    browser.run("location.hash = '#/alignments/4'; 0")
    until(browser, "window.editor?.store.events?.readyState === 1")
    browser.run("editor.choose(4); editor.grid.focus(); 0")
    keys(browser, " ")
    until(browser, KEPT)
    with Project(served.path, durable=False) as project:
        assert [row.decided for row in project.rows(4)[1]["segments"]] == [(), ()]


def test_a_doubtful_place_is_neither_another_nor_confirmed_with_it(browser, served):
    entered(browser, served, "cleo")
    click(browser, ".pairs button[aria-label^=Compare]")
    until(browser, "window.editor?.coders && editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    keys(browser, "0")  # before line 5: the one segment that there is
    until(browser, KEPT)
    signs = "[...document.querySelectorAll('.decision')].map(e => e.textContent)"
    assert browser.run(signs) == ["?", "?"]
    assert said(browser) == "No difference is open; some are doubtful"
    progress = "document.querySelector('.progress').textContent"
    assert browser.run(progress).startswith("2 differences, 0 not decided, 2 doubtful; ")
    browser.run("editor.choose(1); 0")
    keys(browser, "1", "a")  # no boundary before line 6; what both have
    until(browser, KEPT)
    assert browser.run(signs) == ["?", "✓"]
    assert [row[2] for row in served.segments(4)] == ["confirmed", "doubtful"]
    browser.run("editor.choose(0); 0")
    keys(browser, "1")  # decided after all
    until(browser, KEPT)
    assert browser.run(signs) == ["✓", "✓"]
    assert served.segments(4)[1:] == [
        (3, ["paragraph"], "confirmed"),
        (5, ["topic"], "confirmed"),
    ]


def test_two_coders_edit_one_project_and_one_looks_on(browser, other, served):
    entered(browser, served, "cleo")
    browser.run("location.hash = '#/alignments/4'; 0")
    until(browser, "window.editor?.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    entered(other, served, "bea")
    other.run("location.hash = '#/alignments/4'; 0")
    until(other, "window.editor?.store.events?.readyState === 1")
    other.run("editor.grid.focus(); 0")
    keys(browser, "ArrowDown", "2", "Enter")
    until(
        other, "editor.state.segments.length === 2 && editor.state.segments[0].state !== 'proposed'"
    )
    keys(other, "ArrowDown", "ArrowDown", " ")
    assert problem(other) == "cleo is editing: you look on"
    keys(browser, "z", "z")
    until(other, "editor.state.segments.length === 1")
    until(browser, KEPT)
    assert served.segments(4) == [(1, [], "proposed")]


def test_two_windows_of_one_annotator_come_to_the_same_whatever_both_do(browser, other, served):
    entered(browser, served, "cleo")
    origin = f"http://127.0.0.1:{served.access.port}/"
    other.open(f"{origin}assets/editor.css")
    for cookie in browser.send("Network.getCookies", urls=[origin])["cookies"]:
        given = {key: cookie[key] for key in ("name", "value", "httpOnly")}
        other.send("Network.setCookie", url=origin, **given)
    other.open(origin)
    until(other, "document.querySelector('.documents table')")
    for each in (browser, other):
        each.run("location.hash = '#/alignments/4'; 0")
        until(each, "window.editor?.store.events?.readyState === 1")
        each.run("editor.grid.focus(); 0")
    draw = random.Random(4)
    tried = ["Enter", "Shift+Enter", "v", "q", "b", " ", "1", "2", "z", "Z", "Delete", "]"]
    tried += ["ArrowDown", "ArrowDown", "ArrowUp", "Shift+ArrowDown", "Shift+ArrowUp", "["]
    for step in range(60):
        keys(draw.choice((browser, other)), *draw.choices(tried, k=draw.randrange(1, 4)))
        if step % 6 == 5:  # what comes next is done to what both have come to
            until(browser, KEPT)
            until(other, KEPT)
    for each in (browser, other, browser):
        until(each, KEPT)
    with Project(served.path, durable=False) as project:
        version = project.info(4).version
    assert version > 20
    for each in (browser, other):
        until(each, f"editor.store.version === {version}")
        assert segments(each) == served.segments(4)
        each.run("editor.state.check(); 0")


def test_a_text_is_imported_on_the_page_with_the_codings_of_others(browser, served, tmp_path):
    entered(browser, served, "cleo")
    (tmp_path / "tale.txt").write_text("It rained.\nWe stayed.\n\nThen we left.\n")
    (tmp_path / "dora.masses").write_text("1,2\n")
    fields = {"Texts to segment": "tale.txt", "Segmentations by coders": "dora.masses"}
    for label, name in fields.items():
        field = f"document.querySelector('[aria-label=\"{label}\"]')"
        held = browser.send("Runtime.evaluate", expression=field)["result"]["objectId"]
        browser.send("DOM.setFileInputFiles", files=[str(tmp_path / name)], objectId=held)
    browser.run("document.querySelector('[placeholder^=types]').value = 'scene'; 0")
    buttons = "[...document.querySelectorAll('button')]"
    browser.run(f"{buttons}.find((e) => e.textContent === 'Import text').click(); 0")
    until(browser, "document.body.innerText.includes('tale')")
    shown = browser.run("document.querySelector('.documents').innerText")
    assert "dora" in shown
    with Project(served.path, durable=False) as project:
        (coded_,) = [each for each in project.segmentations() if each.annotator == "dora"]
        rows = project.rows(coded_.id)[1]["segments"]
    assert [(row.start, row.types) for row in rows] == [("u1", ()), ("u2", ("scene",))]
    assert problems(browser) == []
