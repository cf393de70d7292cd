"""The page with its server: two browsers on one project, and a server that goes away."""

from __future__ import annotations

import json
import random
import time

import pytest

from bitext.workbench.changes import Bead, Sentence, Splice
from bitext.workbench.project import Project
from bitext.workbench.server import link
from reference.axe import problems
from reference.editor_driver import click, keys, problem, said, short, state, until
from reference.workbench_server import KEPT, SIZE, Served, chosen, entered, ferry, merged


def problem_below(browser):
    """Return what stands beside the search field."""
    return browser.run("editor.problem.textContent")


def loud(browser):
    """Return what the console says, but for the requests of the page itself."""
    return [line for line in browser.said if not line.startswith("asked for http://127.0.0.1")]


def test_two_browsers_edit_one_project(browser, other, served):
    entered(browser, served)
    assert problems(browser) == []
    chosen(browser, 2)
    keys(browser, "Enter", "m", "Enter")
    until(browser, KEPT)
    first = [(["s1"], ["t1"], "confirmed"), (["s2", "s3"], ["t2", "t3"], "confirmed")]
    assert served.beads(2)[:2] == first

    # Bea looks on, and sees what anna does.
    entered(other, served, "bea")
    chosen(other, 2)
    assert short(state(other))[:2] == first
    keys(other, "m")
    assert problem(other) == "anna is editing: you look on"
    keys(browser, "q")
    until(other, "editor.state.beads[2].state === 'doubtful'")
    keys(browser, "z")
    until(other, "editor.state.beads[2].state === 'proposed'")

    # Bea has an alignment of her own; anna's follows what she does to a sentence.
    other.run("location.hash = '#/'; 0")
    until(other, "document.querySelector('.documents table')")
    click(other, ".documents button[aria-label^=Begin]")
    until(other, "window.editor?.store.events?.readyState === 1")
    other.run("editor.grid.focus(); 0")
    keys(other, "End", "t", "ArrowRight", *["ArrowRight"] * 6, "Ctrl+Enter")
    until(browser, "editor.state.rows.source.length === 7")
    assert short(state(browser))[-1] == (["s6", "s6-2"], ["t6"], "proposed")

    # Both at once: what anna does on an old version is made again on the new one.
    browser.run("editor.store.events.close(); 0")
    keys(other, "J")
    until(other, KEPT)
    keys(browser, "Home", "v")
    until(browser, KEPT)
    assert short(state(browser)) == served.beads(2)
    assert served.beads(2)[0] == (["s1"], ["t1"], "proposed")
    assert browser.run("editor.state.rows.source.length") == 6

    # Anna leaves; bea takes her alignment over.
    browser.run("location.hash = '#/'; 0")
    until(browser, "document.querySelector('.documents table')")
    chosen(other, 2)
    keys(other, "End", "Enter")
    until(other, KEPT)
    assert served.beads(2)[-1][2] == "confirmed"
    refused = "Failed to load resource: the server responded with a status of "
    assert loud(browser) == [f"{refused}409 (Conflict)"]
    assert loud(other) == [f"{refused}423 (Locked)"]


def test_a_server_that_goes_away_loses_nothing(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "m")
    until(browser, KEPT)
    served.stop()
    keys(browser, "Enter", "Enter", "d")
    until(browser, "editor.store.status.text.startsWith('Not saved')")
    assert len(served.beads(2)) == SIZE - 1
    assert served.beads(2)[0][2] == "proposed"
    served.start()
    until(browser, KEPT)
    assert served.beads(2) == short(state(browser))
    assert [each[2] for each in served.beads(2)][:2] == ["confirmed", "confirmed"]


def test_changes_wait_for_a_disk_with_room_and_are_not_left_unasked(browser, served):
    resource = pytest.importorskip("resource")
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "m")
    until(browser, KEPT)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        keys(browser, "Enter", "d")
        until(browser, "editor.status.textContent.endsWith('2 changes waiting')")
        assert "check that its folder can be written" in browser.run("editor.status.textContent")
        browser.run("window.confirm = (text) => { window.asked = text; }; location.hash = '#/'; 0")
        until(browser, "window.asked && location.hash === '#/alignments/2'")
        assert browser.run("asked").endswith(
            "2 changes waiting. Leave the document, and lose them?"
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    until(browser, KEPT)
    assert served.beads(2) == short(state(browser))
    assert served.beads(2)[0][2] == "confirmed"


def test_a_server_that_is_started_anew_takes_what_waits_when_its_link_is_opened(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "m")
    until(browser, KEPT)
    served.stop()
    with Project(served.path, durable=False) as project:  # Python 3.13 warns of an open one
        assert not project.locks()
    keys(browser, "Enter", "d")
    until(browser, "editor.status.textContent.endsWith('2 changes waiting')")
    assert "the server does not answer: start it again" in browser.run("editor.status.textContent")
    assert browser.run("editor.status.classList.contains('problem')")
    # What the page knows is undone without the server; what was done before it was opened is not.
    keys(browser, "z", "z", "z")
    assert [each[2] for each in short(state(browser))] == ["proposed"] * SIZE
    keys(browser, "z")
    assert problem_below(browser) == "The server does not answer: no undo without it"
    keys(browser, "Z", "Z", "Z")
    until(browser, "editor.status.textContent.endsWith('8 changes waiting')")
    served.access = None  # another token, and no sessions
    served.start()
    until(browser, "editor.status.textContent.includes('open its link in another tab')")
    browser.run(f"fetch('{link(served.access, '127.0.0.1')}').then(() => 0)")
    until(browser, KEPT)
    assert served.beads(2) == short(state(browser))
    assert served.beads(2)[0][2] == "confirmed"
    browser.run(
        "window.told = []; editor.store.addEventListener('status', (e) => told.push(e.detail.text))"
    )
    keys(browser, "z")
    until(browser, f"{KEPT} && editor.said.textContent === 'undone: move down'")
    assert browser.run("told") == ["Saving", "Saved"]


def test_changes_do_not_go_into_another_project_at_the_same_address(browser, served, tmp_path):
    entered(browser, served)
    chosen(browser, 2)
    served.stop()
    keys(browser, "Enter")
    until(browser, "editor.status.textContent.endsWith('1 change waiting')")
    other = Served(ferry(tmp_path / "other.bitext"))
    other.port, other.access = served.port, served.access
    other.start()
    try:
        until(browser, "editor.status.textContent.startsWith('Not saved: another project')")
        assert [each[2] for each in other.beads(2)] == ["proposed"] * SIZE
    finally:
        other.stop()
    served.start()
    until(browser, KEPT)
    assert served.beads(2)[0][2] == "confirmed"


def test_a_change_that_arrives_too_slowly_is_sent_again(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    browser.run(
        "window.told = []; "
        "editor.store.addEventListener('status', (e) => told.push(e.detail.text)); "
        "window.real = fetch; window.fetch = async (...given) => { window.fetch = real; "
        'return new Response(\'{"error": "too slow"}\', {status: 408}); }; 0'
    )
    keys(browser, "Enter")
    until(browser, f"told.length === 3 && {KEPT}")
    assert browser.run("told") == ["Saving", "Not saved: too slow; 1 change waiting", "Saved"]
    assert served.beads(2)[0][2] == "confirmed"


def test_changes_that_wait_for_a_lock_name_who_has_it(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    served.stop()
    keys(browser, "Enter")
    until(browser, "editor.status.textContent.endsWith('1 change waiting')")
    with Project(served.path, durable=False) as project:
        project.lock(2, "other.browser", "bea")
        served.start()
        until(browser, "editor.status.textContent.includes('waits for the lock of bea, ')")
        assert served.beads(2)[0][2] == "proposed"
        project.unlock(2, "other.browser")
    until(browser, KEPT)
    assert served.beads(2)[0][2] == "confirmed"


def test_an_undo_whose_answer_was_lost_is_done_once(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "Enter", "Enter")
    until(browser, KEPT)
    # What the page does not know any more is undone by the server.
    browser.run(
        "editor.store.recent.clear(); window.real = fetch; window.fetch = async (...given) => { "
        "await real(...given); if (given[0].endsWith('/undo')) { window.fetch = real; "
        "throw new TypeError(); } return real(...given); }; 0"
    )
    keys(browser, "z")
    until(browser, "editor.problem.textContent === 'The server does not answer'")
    assert [each[2] for each in served.beads(2)][:2] == ["confirmed", "proposed"]
    keys(browser, "z")
    until(browser, f"{KEPT} && editor.state.beads[1].state === 'proposed'")
    assert short(state(browser)) == served.beads(2)
    assert served.beads(2)[0][2] == "confirmed"
    keys(browser, "z")
    until(browser, f"{KEPT} && editor.state.beads[0].state === 'proposed'")
    assert short(state(browser)) == served.beads(2)


def test_after_a_realignment_somebody_is_where_they_were(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "End", "e", "ArrowUp", "ArrowUp")
    keys(browser, "m")
    until(browser, KEPT)
    held = browser.run("editor.bead.source[0]")
    keys(browser, "a")
    until(browser, "editor.said.textContent.startsWith('The aligner is done')")
    assert held in browser.run("editor.bead.source")
    assert browser.run("editor.at >= editor.list.top.row && editor.at <= editor.list.lastInView")
    keys(browser, "z")
    until(browser, f"{KEPT} && editor.said.textContent === 'undone: realign'")
    assert held in browser.run("editor.bead.source")


def test_the_editor_exports_and_says_that_all_is_saved(browser, served):
    browser.open(link(served.access, "127.0.0.1", document=2))
    until(browser, "window.editor?.store.events?.readyState === 1")
    keys(browser, "Ctrl+s")
    until(browser, "editor.status.textContent === 'Saved, as every change is when it is made'")
    click(browser, "[data-do=export]")
    until(browser, "document.querySelector('dialog.export')")
    address = browser.run("document.querySelector('dialog.export a').getAttribute('href')")
    assert address == "/api/alignments/2/export?format=tmx"
    assert problems(browser) == []
    assert browser.run(f"fetch('{address}').then((answer) => answer.status)") == 200
    keys(browser, "Escape")
    assert browser.run("document.activeElement === editor.grid")


def test_the_aligner_works_in_the_background_and_spares_what_is_confirmed(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "m", "Enter", "End", "Enter", "Home", "ArrowDown", "a")
    until(browser, "editor.said.textContent.startsWith('The aligner is done')")
    assert browser.run("document.activeElement === editor.grid")
    until(browser, KEPT)
    now = served.beads(2)
    assert now == short(state(browser))
    assert (now[0][2], now[-1][2]) == ("confirmed", "confirmed")
    keys(browser, "H")
    until(browser, "document.querySelectorAll('.history li').length >= 4")
    assert "realign" in browser.run("document.querySelector('.history').textContent")
    assert problems(browser) == []
    keys(browser, "Escape")


def test_differences_of_two_annotators_are_decided_in_a_third_alignment(browser, served):
    with Project(served.path, durable=False) as project:
        alignments = {"anna": 2, "bea": project.assign(1, "bea")}
        for who, splits in (("anna", [(0, 2)]), ("bea", [(1, 3), (2, 4)])):
            for at, end in splits:
                merged(project, alignments[who], at, end, who)
    entered(browser, served, "carla")
    assert problems(browser) == []
    until(browser, "document.querySelector('.documents').textContent.includes('Progress')")
    click(browser, ".documents button[aria-label^=Compare]")
    until(browser, "window.editor?.rows && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    sizes = browser.run("editor.rows.map(r => [r.source.length, ...r.beads.map(b => b.length)])")
    assert sizes == [[3, 2, 2], [2, 2, 1]]
    assert problems(browser) == []
    number = int(browser.run("location.hash.split('/').at(-1)"))
    keys(browser, "1", "2")
    until(browser, KEPT)
    assert served.beads(number) == [
        (["s1", "s2"], ["t1", "t2"], "confirmed"),
        (["s3"], ["t3"], "confirmed"),
        (["s4", "s5"], ["t4", "t5"], "confirmed"),
        (["s6"], ["t6"], "proposed"),
    ]
    keys(browser, "z", "ArrowDown", "0")
    until(browser, KEPT)
    assert [each[2] for each in served.beads(number)][2:4] == ["doubtful", "doubtful"]
    with Project(served.path, durable=False) as project:
        names = [(each.kind, each.name) for each in project.history(number)]
    assert ("change", "take anna: s1 s2 s3 | t1 t2 t3") in names
    assert ("change", "take neither: s4 s5 | t4 t5") in names


def test_more_than_two_annotators_are_compared_side_by_side(browser, served):
    with Project(served.path, durable=False) as project:
        numbers = {"anna": 2} | {each: project.assign(1, each) for each in ("bea", "carla", "dora")}
        merges = {"anna": [(0, 2)], "bea": [(0, 2), (3, 5)], "carla": [(1, 3), (2, 4)]}
        for who, splits in merges.items():
            for at, end in splits:
                merged(project, numbers[who], at, end, who)
    entered(browser, served, "dora")
    click(browser, ".documents button[aria-label^=Compare]")
    until(browser, "window.editor?.rows && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    hashed = f"#/compare/{numbers['anna']}/{numbers['bea']}/{numbers['carla']}/{numbers['dora']}"
    assert browser.run("location.hash") == hashed  # all but the one who decides
    sizes = browser.run("editor.rows.map(r => [r.source.length, ...r.beads.map(b => b.length)])")
    assert sizes == [[3, 2, 2, 2], [3, 3, 2, 2]]
    assert problems(browser) == []
    cells = "[...document.querySelectorAll('.bead .cell')].map(c => c.textContent)"
    assert browser.run(cells)[1] == "as anna"
    # What most have of the first; of the second each has something of their own.
    keys(browser, "m", "m")
    assert "No beads are those of most" in problem(browser)
    keys(browser, "3")
    until(browser, KEPT)
    assert served.beads(numbers["dora"]) == [
        (["s1", "s2"], ["t1", "t2"], "confirmed"),
        (["s3"], ["t3"], "confirmed"),
        (["s4", "s5"], ["t4", "t5"], "confirmed"),
        (["s6"], ["t6"], "confirmed"),
    ]
    signs = "[...document.querySelectorAll('.decision')].map(e => e.textContent)"
    assert browser.run(signs) == ["1", "3"]
    keys(browser, "z", "ArrowDown", "0")
    until(browser, KEPT)
    assert browser.run(signs) == ["1", "?"]
    keys(browser, "H")
    until(browser, "document.querySelectorAll('.history li').length === 4")
    assert "dora: take carla: s4 s5 s6 | t4 t5 t6 (undone)" in browser.run(
        "document.querySelector('.history').innerText"
    )
    keys(browser, "Escape")
    with Project(served.path, durable=False) as project:
        names = [each.name for each in project.history(numbers["dora"])]
    assert {each.partition(":")[0] for each in names} >= {"take anna", "take carla", "take none"}
    # The page comes back at the difference that was chosen, and has room at 800 pixels.
    browser.run("window.old = true; location.reload(); 0")
    until(browser, "!window.old && window.editor?.store.events?.readyState === 1")
    assert browser.run("editor.at") == 1
    assert browser.run("editor.grid.getBoundingClientRect().width > 650")


def test_what_all_have_confirmed_alike_is_taken_and_what_one_has_decided_stays(browser, served):
    with Project(served.path, durable=False) as project:
        bea, carla = (project.assign(1, each) for each in ("bea", "carla"))
        for number, who in ((2, "anna"), (bea, "bea")):
            merged(project, number, 0, 2, who)  # against the proposal
            rows = project.rows(number)[1]["beads"]
            done = [row._replace(state="confirmed") for row in rows[:4]]
            if who == "bea":  # with word links, and fewer beads confirmed
                words = (("s2", 0, "t1", 1, "sure", None),)
                done = [done[0]._replace(words=words, linked=True), *done[1:3], rows[3]]
            change = [Splice("beads", 0, tuple(rows[:4]), tuple(done))]
            project.change(number, change, name="confirm", annotator=who)
        rows = project.rows(carla)[1]["beads"]
        words = (("s1", 0, "t1", 0, "proposed", 0.5), ("s3", 0, "t3", 0, "sure", None))
        old = rows[0], rows[2], rows[3]
        new = (
            rows[0]._replace(words=words[:1]),
            rows[2]._replace(words=words[1:]),
            rows[3]._replace(state="doubtful"),
        )
        pairs = zip((0, 2, 3), old, new, strict=True)
        change = [Splice("beads", at, (a,), (b,)) for at, a, b in pairs]
        project.change(carla, change, name="words", annotator="carla")
    entered(browser, served, "carla")
    browser.run(f"location.hash = '#/compare/{bea}/2/{carla}'; 0")
    until(browser, "window.editor?.rows && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    progress = "document.querySelector('.progress').textContent"
    assert browser.run(progress).startswith(
        "There is no difference; 3 beads confirmed alike, 3 not taken; 2 beads alike that not all "
    )
    keys(browser, "a")
    until(browser, KEPT)
    assert served.beads(carla) == [
        (["s1", "s2"], ["t1", "t2"], "confirmed"),
        (["s3"], ["t3"], "confirmed"),
        (["s4"], ["t4"], "doubtful"),  # which carla has decided
        (["s5"], ["t5"], "proposed"),  # which bea has not confirmed
        (["s6"], ["t6"], "proposed"),
    ]
    with Project(served.path, durable=False) as project:
        first, second = project.rows(carla)[1]["beads"][:2]
    assert (first.words, first.linked) == ((("s2", 0, "t1", 1, "sure", None),), True)
    assert second.words == (("s3", 0, "t3", 0, "sure", None),)
    assert "3 beads confirmed alike, 1 not taken" in browser.run(progress)
    keys(browser, "a")
    assert problem(browser) == "What all have confirmed alike is taken already"
    keys(browser, "z")
    until(browser, KEPT)
    assert served.beads(carla)[0] == (["s1"], ["t1"], "proposed")
    assert problems(browser) == []


def test_two_texts_are_aligned_through_a_third(browser, served):
    with Project(served.path, durable=False) as project:
        info = project.info(1)
        rows = [Sentence(f"u{k}", f"kolmas {k}.", k == 1) for k in range(1, SIZE + 1)]
        third = project.add_text("third", "fi", rows)
        beads = [Bead(f"b{k}", (f"s{k}",), (f"u{k}",)) for k in range(1, SIZE + 1)]
        project.assign(project.add_document("second", info.source, third, beads), "anna")
    entered(browser, served)
    click(browser, ".documents > p button")
    until(browser, "window.editor?.state.beads.length === 6 && editor.state.beads[0].target.length")
    linked = [sorted(src + tgt) for src, tgt, _ in short(state(browser))]
    assert linked == [[f"t{k}", f"u{k}"] for k in range(1, SIZE + 1)]


def test_two_windows_of_one_annotator_come_to_the_same_whatever_both_do(browser, other, served):
    entered(browser, served)
    origin = f"http://127.0.0.1:{served.port}/"
    other.open(f"{origin}assets/editor.css")
    for cookie in browser.send("Network.getCookies", urls=[origin])["cookies"]:
        given = {key: cookie[key] for key in ("name", "value", "httpOnly")}
        other.send("Network.setCookie", url=origin, **given)
    other.open(origin)
    until(other, "document.querySelector('.documents table')")
    chosen(browser, 2)
    chosen(other, 2)
    draw = random.Random(56)
    names = ["Enter", "v", "q", *"mMsdDuUwWeEloJpzZ", " ", "ArrowDown", "ArrowUp", "ArrowRight"]
    for step in range(60):
        keys(draw.choice((browser, other)), *draw.choices(names, k=draw.randrange(1, 4)))
        if step % 6 == 5:  # what comes next is done to what both have come to
            until(browser, KEPT)
            until(other, KEPT)
    for each in (browser, other, browser):
        until(each, KEPT)
    with Project(served.path, durable=False) as project:
        version = project.info(2).version
    assert version > 20
    for each in (browser, other):
        until(each, f"editor.store.version === {version}")
        assert short(state(each)) == served.beads(2)
        each.run("editor.state.checkAll()")


def test_a_document_is_not_left_before_its_last_change_is_saved(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    served.stop()  # which the page does not know yet
    browser.run(
        "window.confirm = (text) => { window.asked = text; }; editor.run('confirm'); "
        "history.replaceState(null, '', '#/'); dispatchEvent(new HashChangeEvent('hashchange')); 0"
    )
    until(browser, "window.asked && location.hash === '#/alignments/2'")
    assert "1 change waiting. Leave the document, and lose them?" in browser.run("asked")
    served.start()
    until(browser, KEPT)
    assert served.beads(2)[0][2] == "confirmed"


def test_all_changes_that_go_with_a_refused_one_are_counted(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    # A name that the server refuses; two confirmations wait behind it.
    browser.run(
        "(bead => editor.store.change({name: 'bad\\u0007', splices: [{list: 'beads', at: 5, "
        "remove: [bead], insert: [{...bead, bookmark: true}]}]}))(editor.state.beads[5]); "
        "editor.run('confirm'); editor.run('confirm'); 0"
    )
    until(browser, KEPT)
    until(browser, "editor.problem.textContent.startsWith('Your last 3 changes were not made: ')")
    assert [state for _, _, state in served.beads(2)] == ["proposed"] * SIZE
    assert short(state(browser)) == served.beads(2)


def test_a_page_that_the_browser_shows_again_as_it_was_left_is_loaded_anew(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    browser.run("window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true})); 0")
    browser.run(
        "window.old = true; "
        "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})); 0"
    )
    until(browser, "!window.old && window.editor?.store.events?.readyState === 1")


def test_the_lock_stays_when_another_window_of_the_annotator_is_closed(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    browser.run(
        "fetch(editor.store.address + '/lock', {method: 'DELETE', body: '{}', "
        "headers: {'X-Bitext': '1', 'Content-Type': 'application/json'}}).then(() => 0)"
    )
    with Project(served.path, durable=False) as project:
        end = time.monotonic() + 10
        while not project.locks() and time.monotonic() < end:
            time.sleep(0.05)
        assert list(project.locks()) == [2]


def test_a_page_that_is_loaded_again_shows_what_it_has_shown(browser, served):
    with Project(served.path, durable=False) as project:
        texts = [
            project.add_text(
                f"long {side}",
                "en",
                [Sentence(f"{side}{k}", "water " * (k % 40 + 1), k == 0) for k in range(400)],
            )
            for side in "st"
        ]
        beads = [Bead(f"c{k}", (f"s{k}",), (f"t{k}",)) for k in range(400)]
        number = project.assign(project.add_document("long", *texts, beads), "anna")
    entered(browser, served)
    chosen(browser, number)
    keys(browser, *["PageDown"] * 9, "ArrowRight", "Shift+ArrowDown")
    browser.run("editor.grid.scrollTop += 37; 0")
    until(browser, "editor.list.top.row > 20")
    where = "[editor.cursor, location.hash, editor.list.top, editor.list.render()]"
    before = browser.run(where)
    assert before[0] | {"side": "target", "at": 0} == before[0]
    browser.run("window.old = true; location.reload(); 0")
    until(browser, "!window.old && window.editor?.store.events?.readyState === 1")
    after = browser.run(where)
    assert after[:2] == before[:2]
    assert after[2]["row"] == before[2]["row"]
    assert abs(after[2]["above"] - before[2]["above"]) < 2
    # And so does a document that was left for another one.
    browser.run("location.hash = '#/'; 0")
    until(browser, "document.querySelector('.documents table')")
    chosen(browser, 2)
    assert browser.run("editor.cursor.id") == "b1"
    chosen(browser, number)
    assert browser.run("editor.cursor.id") == before[0]["id"]


HIDE = (
    "Object.defineProperty(document, 'hidden', {{configurable: true, get: () => {}}}); "
    "document.dispatchEvent(new Event('visibilitychange')); 0"
)


def test_a_page_that_nobody_sees_holds_no_connection_and_misses_nothing(browser, other, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "v")
    until(browser, KEPT)
    entered(other, served, "bea")
    chosen(other, 2)
    other.run(HIDE.format("true"))
    assert other.run("editor.store.events") is None
    keys(browser, "m", "ArrowDown", "v")
    until(browser, KEPT)
    assert short(state(other)) != served.beads(2)
    other.run(HIDE.format("false"))
    until(other, f"editor.state.beads.length === {SIZE - 1}")
    until(other, "editor.state.counts.confirmed === 1")
    assert short(state(other)) == served.beads(2)


def test_only_alignments_with_one_text_in_common_are_offered_to_compose(browser, served):
    with Project(served.path, durable=False) as project:
        info = project.info(1)
        rows = [Sentence("u1", "kolmas.", True)]
        third = project.add_text("third", "fi", rows)
        links = [Bead(f"b{k}", (f"s{k}",), ("u1",) if k == 1 else ()) for k in range(1, SIZE + 1)]
        second = project.assign(project.add_document("second", info.source, third, links), "anna")
        lone = [project.add_text(name, "fi", [Sentence("v1", name, True)]) for name in "xy"]
        project.assign(project.add_document("lone", *lone, [Bead("b", ("v1",), ("v1",))]), "anna")
    entered(browser, served)
    offered = (
        "[...document.querySelectorAll('[aria-label=\"{} alignment\"] option')].map(o => +o.value)"
    )
    assert browser.run(offered.format("First")) == [2, second]
    assert browser.run(offered.format("Second")) == [second]
    browser.run(
        "(s => { s.selectedIndex = 1; s.dispatchEvent(new Event('change')); })"
        "(document.querySelector('[aria-label=\"First alignment\"]'))"
    )
    assert browser.run(offered.format("Second")) == [2]


def test_projects_of_one_server_are_chosen_from_a_list_and_edited(browser, tmp_path):
    paths = [ferry(tmp_path / f"{name}.bitext") for name in ("quay", "pier")]
    server = Served(*paths)
    server.start()
    try:
        browser.open(link(server.access, "127.0.0.1"))
        until(browser, "document.querySelectorAll('.documents a').length === 2")
        assert problems(browser) == []
        text = browser.run("document.querySelector('.documents').textContent")
        assert "(quay.bitext)" in text  # both have one name
        click(browser, ".documents a", nth=1)
        until(browser, "document.querySelector('.documents table a[href^=\"#\"]')")
        assert browser.run("location.pathname") == "/projects/2/"
        chosen(browser, 2)
        keys(browser, "Enter", "m")
        until(browser, KEPT)
        assert len(Served(paths[1]).beads(2)) == SIZE - 1
        assert len(Served(paths[0]).beads(2)) == SIZE
        browser.run("location.hash = '#/'; 0")
        until(browser, "document.querySelector('.documents table')")
        click(browser, ".documents button[aria-label^=Export]")
        address = browser.run("document.querySelector('dialog a.button').getAttribute('href')")
        assert address.startswith("/projects/2/api/alignments/2/export?format=")
        keys(browser, "Escape")
        click(browser, "header a[href='/']")
        until(browser, "document.querySelectorAll('.documents a').length === 2")
        shown = browser.run("document.querySelectorAll('tbody tr')[1].textContent")
        assert "1 of 5" in shown
    finally:
        browser.open("about:blank")
        server.stop()


def test_a_document_that_is_left_at_once_is_saved_first_and_then_free(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    browser.run(
        "for (let k = 0; k < 3; k++) editor.run('mergeDown'); window.left = editor.store; "
        "location.hash = '#/'; 0"
    )
    until(browser, "document.querySelector('.documents table') && !left.sending")
    assert len(served.beads(2)) == SIZE - 3
    with Project(served.path, durable=False) as project:
        end = time.monotonic() + 10
        while project.locks() and time.monotonic() < end:
            time.sleep(0.05)
        assert project.locks() == {}


def test_word_links_come_with_the_beads_that_are_taken(browser, served):
    links = (("s1", 0, "t2", 0, "sure", None), ("s2", 1, "t1", 1, "possible", None))
    with Project(served.path, durable=False) as project:
        bea = project.assign(1, "bea")
        merged(project, bea, 0, 2, "bea")
        (old,) = project.rows(bea)[1]["beads"][:1]
        new = old._replace(words=links, linked=True)
        project.change(bea, [Splice("beads", 0, (old,), (new,))], name="words", annotator="bea")
        carla = project.assign(1, "carla")
    entered(browser, served, "carla")
    browser.run(f"location.hash = '#/compare/2/{bea}/{carla}'; 0")
    until(browser, "window.editor?.rows && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    keys(browser, "2")
    until(browser, KEPT)
    with Project(served.path, durable=False) as project:
        taken = project.rows(carla)[1]["beads"][0]
    assert (taken.state, taken.words, taken.linked) == ("confirmed", links, True)


def test_word_links_are_proposed_confirmed_and_compared(browser, other, served):
    """The aligner proposes, anna and bea decide, and the list of documents has their agreement."""
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "x", "X")
    until(browser, "editor.state.beads.some(b => b.words.length)")
    until(browser, KEPT)
    until(browser, "document.querySelector('dialog .said').textContent === 'The aligner is done'")
    before = state(browser)["beads"][0]["words"]
    assert {each[4] for each in before} == {"proposed"}
    # The first bead is made by hand, whatever was proposed.
    for _ in range(3):
        keys(browser, "Delete", "s", "ArrowDown")
        until(browser, KEPT)
    keys(browser, "Enter", "Escape")
    until(browser, KEPT)
    assert state(browser)["beads"][0]["linked"]

    entered(other, served, "bea")
    click(other, ".documents button[aria-label^=Begin]")
    until(other, "window.editor?.store.events?.readyState === 1")
    other.run("editor.grid.focus(); 0")
    assert state(other)["beads"][0]["words"] == []
    keys(other, "x", "s", "ArrowDown", "p", "Enter")
    until(other, KEPT)
    assert problems(other) == []
    keys(other, "Escape")
    other.run("location.hash = '#/'; 0")
    until(other, "document.querySelector('[aria-label=\"Agreement of word links\"] td')")
    cells = other.run(
        "[...document.querySelectorAll('[aria-label=\"Agreement of word links\"] tbody tr > *')]"
        ".map(e => e.textContent)"
    )
    # Anna: S = {0-0, 1-1, 2-2}; bea: S = {0-0}, P = S and 1-1. AER: 1 - (2 + 2) / (2 + 3) and
    # 1 - (1 + 2) / (3 + 1).
    assert cells == ["ferry", "anna, bea", "0.5000", "0.8000", "0.2000", "0.2500", "1"]
    assert problems(other) == []
    assert loud(browser) == loud(other) == []


def with_words(project, number, who, *links, linked=True):
    """Link words of the first two beads, as somebody has done in a session before."""
    rows = project.rows(number)[1]["beads"][:2]
    given = {row.id: tuple(each for each in links if each[0] in row.source) for row in rows}
    made = [row._replace(words=given[row.id], linked=linked) for row in rows]
    change = [Splice("beads", 0, tuple(rows), tuple(made))]
    project.change(number, change, name="words", annotator=who)


def pair(k, a, b, kind, confidence=None):
    return (f"s{k}", a, f"t{k}", b, kind, confidence)


def words_of(served, number):
    with Project(served.path, durable=False) as project:
        rows = project.rows(number)[1]["beads"][:2]
    return [(set(row.words), row.linked) for row in rows]


def test_word_links_of_two_annotators_are_decided_one_by_one(browser, served):
    with Project(served.path, durable=False) as project:
        bea, carla = (project.assign(1, each) for each in ("bea", "carla"))
        same = pair(1, 0, 0, "sure")
        with_words(project, 2, "anna", same, pair(1, 1, 1, "sure"), pair(1, 2, 2, "sure"),
                   pair(2, 0, 0, "possible"))  # fmt: skip
        with_words(project, bea, "bea", same, pair(1, 1, 1, "possible"), pair(1, 2, 1, "sure"),
                   pair(2, 0, 0, "possible"))  # fmt: skip
        # The aligner's proposals are nobody's: they give way.
        with_words(project, carla, "carla", pair(1, 1, 1, "proposed", 0.9),
                   pair(1, 2, 0, "proposed", 0.4), linked=False)  # fmt: skip
    entered(browser, served, "carla")
    click(browser, ".documents button[aria-label^='Compare word links']")
    until(browser, "window.editor?.groups && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    assert browser.run("location.hash") == f"#/words/2/{bea}/{carla}"
    progress = "document.querySelector('.progress').textContent"
    assert browser.run(progress) == (
        "3 differences in 1 bead, 3 not decided; 1 bead confirmed alike, 1 not taken; "
        "decisions go into the alignment of carla"
    )
    kinds = browser.run("editor.rows.map((row) => [row.pair[1], row.pair[3], ...row.kinds])")
    assert kinds == [[1, 1, "sure", "possible"], [2, 1, "none", "sure"], [2, 2, "sure", "none"]]
    assert problems(browser) == []
    keys(browser, "ArrowRight")  # possible, as bea has it
    until(browser, KEPT)
    open_ones = {pair(1, 2, 1, "proposed"), pair(1, 2, 2, "proposed")}
    assert words_of(served, carla)[0] == (
        {same, pair(1, 1, 1, "possible")} | open_ones, False,
    )  # fmt: skip
    # The page comes back with what is decided, and at the difference that was chosen.
    browser.run("window.old = true; location.reload(); 0")
    until(browser, "!window.old && window.editor?.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    assert browser.run("editor.at") == 1
    assert "2 not decided" in browser.run(progress)
    keys(browser, "1", "0")  # no link, as anna has it; neither: possible
    until(browser, KEPT)
    decided = {same, pair(1, 1, 1, "possible"), pair(1, 2, 2, "possible")}
    assert words_of(served, carla)[0] == (decided, True)
    assert said(browser) == "All differences are decided"
    signs = "[...document.querySelectorAll('.decision')].map(e => e.textContent)"
    assert browser.run(signs) == ["┅", "∅", "┅"]
    keys(browser, "z")
    until(browser, f"{KEPT} && editor.openRows === 1")
    assert words_of(served, carla)[0][1] is False
    # With the mouse, then what both agree on.
    click(browser, ".coders .line", nth=2)
    click(browser, ".toolbar button[title^='a sure link']")
    click(browser, ".toolbar button[title^='take the links of beads']")
    until(browser, KEPT)
    final = {same, pair(1, 1, 1, "possible"), pair(1, 2, 2, "sure")}
    assert words_of(served, carla) == [(final, True), ({pair(2, 0, 0, "possible")}, True)]
    keys(browser, "a")
    assert problem(browser).startswith("What all have confirmed alike is taken already")
    keys(browser, "H")
    until(browser, "document.querySelectorAll('.history li').length >= 5")
    log = browser.run("document.querySelector('.history').innerText")
    assert "carla: take bea, possible link: s1 " in log
    assert "carla: take neither, possible link: s1 . – . (undone)" in log
    keys(browser, "Escape")
    browser.run("location.hash = '#/'; 0")
    table = "[...document.querySelectorAll('[aria-label=\"Agreement of word links\"] tbody tr')]"
    until(browser, f"{table}.length === 3")
    # Of anna's 3 sure links and carla's 2, 2 are the same: 2 * 2 / 5. All 4 link the same words.
    row = f"{table}.map((e) => [...e.cells].map((c) => c.textContent).slice(1, 4))"
    assert browser.run(row)[1] == ["anna, carla", "0.8000", "1.0000"]
    shown = browser.run("document.querySelector('[aria-label=\"Progress\"]').innerText")
    assert "Beads with confirmed word links" in shown
    assert problems(browser) == []


def test_word_links_of_three_annotators_where_some_have_linked_nothing(browser, served):
    with Project(served.path, durable=False) as project:
        numbers = {who: project.assign(1, who) for who in ("bea", "carla", "dora")}
        with_words(project, 2, "anna", pair(1, 0, 0, "sure"), pair(2, 0, 0, "sure"))
        with_words(project, numbers["bea"], "bea", pair(1, 0, 0, "sure"), pair(2, 1, 1, "sure"))
        with_words(project, numbers["carla"], "carla", pair(1, 0, 0, "possible"), linked=False)
        merged(project, numbers["dora"], 1, 3, "dora")  # whose second bead is another
    entered(browser, served, "dora")
    browser.run(
        f"location.hash = '#/words/2/{numbers['bea']}/{numbers['carla']}/{numbers['dora']}'; 0"
    )
    until(browser, "window.editor?.groups && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    kinds = browser.run("editor.rows.map((row) => row.kinds)")
    assert kinds == [["sure", "sure", "possible"], ["sure", "none", None], ["none", "sure", None]]
    assert problems(browser) == []
    keys(browser, "m")  # what most have
    until(browser, KEPT)
    assert words_of(served, numbers["dora"])[0] == ({pair(1, 0, 0, "sure")}, True)
    browser.run("editor.choose(1); 0")
    keys(browser, "1")
    assert problem(browser) == ("Your alignment has other beads here: decide about the beads first")
    keys(browser, "3")
    assert problem(browser) == "carla has not linked the words of this bead"
    keys(browser, "m")
    assert problem(browser).startswith("Nothing is what most annotators have")
    signs = "[...document.querySelectorAll('.decision')].map(e => e.textContent)"
    assert browser.run(signs) == ["━", "!", "!"]


def test_a_page_of_decisions_says_what_is_not_saved_and_who_is_editing(browser, other, served):
    with Project(served.path, durable=False) as project:
        bea = project.assign(1, "bea")
        merged(project, bea, 1, 3, "bea")
        carla = project.assign(1, "carla")
    entered(browser, served, "carla")
    browser.run(f"location.hash = '#/compare/2/{bea}/{carla}'; 0")
    until(browser, "window.editor?.rows && window.editor.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")
    status = "document.querySelector('.status').textContent"
    # The same annotator in another browser looks on, and may go on when the first one leaves.
    entered(other, served, "carla")
    other.run(f"location.hash = '#/compare/2/{bea}/{carla}'; 0")
    until(other, "window.editor?.rows && window.editor.store.events?.readyState === 1")
    assert other.run(status) == "carla is editing: you look on"
    served.stop()
    keys(browser, "2")
    until(browser, f"{status}.startsWith('Not saved: the server does not answer')")
    assert browser.run(status).endswith("1 change waiting")
    served.start()
    until(browser, f"{KEPT} && {status} === 'Saved'")
    assert served.beads(carla)[1] == (["s2", "s3"], ["t2", "t3"], "confirmed")
    browser.run("location.hash = '#/'; 0")
    until(browser, "document.querySelector('.documents table')")
    until(other, f"{status} === 'Nobody is editing: you may begin'")
    click(other, "header button")
    until(other, "!editor.store.readOnly")
    other.run("editor.grid.focus(); 0")
    keys(other, "1")
    until(other, KEPT)
    assert served.beads(carla)[1] == (["s2"], ["t2"], "confirmed")


def test_who_looks_on_is_told_that_the_server_is_gone_and_sees_when_it_is_back(
    browser, other, served
):
    entered(browser, served)
    chosen(browser, 2)
    entered(other, served, "bea")
    chosen(other, 2)
    status = "editor.status.textContent"
    assert other.run(status) == "anna is editing: you look on"
    served.stop()
    gone = f"the server does not answer: start it again, with --port {served.port}"
    until(other, f"{status} === 'What is shown may be old: {gone}'")
    assert not other.run("editor.editButton")
    assert other.run("editor.status.classList.contains('problem')")
    # Who edits is told, too, before a change has to wait.
    until(browser, f"{status} === 'All is saved; {gone}'")
    keys(browser, "m")
    until(browser, f"{status} === 'Not saved: {gone}; 1 change waiting'")
    # What needs the server says so at once, though changes wait for it.
    for key in ("a", "Ctrl+s", "X"):
        browser.run("editor.refuse(''); 0")
        keys(browser, key)
        until(browser, "editor.problem.textContent.startsWith('The server does not answer')")
    served.start()
    until(browser, f"{KEPT} && {status} === 'Saved'")
    until(other, f"{status} === 'anna is editing: you look on'")
    until(other, f"editor.state.beads.length === {SIZE - 1}")
    assert not other.run("editor.status.classList.contains('problem')")
    # One that is started anew lets nobody in who has not opened its link.
    served.stop()
    served.access = None
    served.start()
    until(other, f"{status}.endsWith('open its link in another tab of this browser')")
    other.run(f"fetch('{link(served.access, '127.0.0.1')}&annotator=bea').then(() => 0)")
    until(other, f"{status}.includes('edit')")


def test_the_focus_stays_on_the_text_when_a_button_goes(browser, other, served):
    entered(browser, served)
    chosen(browser, 2)
    # The button that cancels the aligner goes with it: pressed by key, and by mouse.
    for press in ("key", "mouse"):
        browser.run("document.body.focus(); editor.store.cancel = async () => ({}); 0")
        told = {"job": "x", "done": 1, "total": 4, "state": "running"}
        browser.run(f"editor.store.tell('job', {json.dumps(told)}); 0")
        if press == "key":
            browser.run("editor.job.querySelector('button').focus(); 0")
            keys(browser, "Enter")
        else:
            click(browser, ".job button")
        assert browser.run("document.activeElement === editor.grid")
        browser.run(f"editor.store.tell('job', {json.dumps(told | {'state': 'cancelled'})}); 0")
        assert said(browser).strip() == "The aligner was stopped"
        assert browser.run("editor.job.hidden && document.activeElement === editor.grid")
    # So does the one by which who looks on begins to edit.
    entered(other, served, "bea")
    chosen(other, 2)
    browser.run("location.hash = '#/'; 0")
    until(browser, "document.querySelector('.documents table')")
    until(other, "editor.status.textContent === 'Nobody is editing: you may begin'")
    other.run("editor.editButton.focus(); 0")
    keys(other, "Enter")
    until(other, "!editor.store.readOnly && !editor.editButton")
    assert other.run("document.activeElement === editor.grid")
    keys(other, "q")
    until(other, KEPT)
    assert served.beads(2)[0][2] == "doubtful"
    # And on a page of decisions.
    with Project(served.path, durable=False) as project:
        bea = project.assign(1, "bea")
        merged(project, bea, 0, 2, "bea")
        carla = project.assign(1, "carla")
    entered(browser, served, "carla")
    compared = "window.editor?.rows && window.editor.store.events?.readyState === 1"
    browser.run(f"location.hash = '#/compare/2/{bea}/{carla}'; 0")
    until(browser, compared)
    entered(other, served, "carla")
    other.run(f"location.hash = '#/compare/2/{bea}/{carla}'; 0")
    until(other, f"{compared} && editor.store.readOnly")
    browser.run("location.hash = '#/'; 0")
    until(other, "editor.status.textContent === 'Nobody is editing: you may begin'")
    other.run("editor.editButton.focus(); 0")
    keys(other, "Enter")
    until(other, "!editor.store.readOnly && !editor.editButton")
    assert other.run("document.activeElement === editor.grid")
