"""Undo and redo in the page of a server: at once, and the page shows what the server has."""

from __future__ import annotations

import json
from pathlib import Path

from bitext.workbench.project import Project
from reference.editor_driver import keys, short, state, until
from reference.workbench_server import KEPT, SIZE, chosen, entered, merged

RANDOM = Path(__file__).with_name("random_undo.js").read_text(encoding="utf-8")
LISTS = ("source", "target", "beads")


def stored(served, number=2):
    """Return all rows as the file has them, as JSON."""
    with Project(served.path, durable=False) as project:
        rows = project.rows(number)[1]
    return {name: json.loads(json.dumps([row._asdict() for row in rows[name]])) for name in LISTS}


def shown(browser):
    """Return all rows as the page has them."""
    held = state(browser)
    return {name: held[name]["sentences"] if name != "beads" else held[name] for name in LISTS}


def same(browser, served):
    until(browser, KEPT)
    with Project(served.path, durable=False) as project:
        version = project.info(2).version
    until(browser, f"editor.store.version === {version} && !editor.store.sending")
    assert shown(browser) == stored(served)
    browser.run("editor.state.checkAll(); 0")


def journal(served):
    with Project(served.path, durable=False) as project:
        return [(each.kind, each.name) for each in reversed(project.history(2, limit=5000))]


def operated(browser, seed, count, *, others=False, settle=True):
    until(browser, "window.editor?.store")
    script = RANDOM.replace("SEED", str(seed)).replace("COUNT", str(count))
    for name, value in (("OTHERS", others), ("SETTLE", settle)):
        script = script.replace(name, json.dumps(value))
    return browser.run(script.rstrip())


def test_the_page_shows_what_the_server_has_after_200_random_commands(browser, served):
    first = stored(served)
    entered(browser, served)
    chosen(browser, 2)
    counts = operated(browser, 1, 200)
    assert counts["atOnce"] > 40
    assert counts["lost"] > 5
    assert counts["unsent"] > 5
    same(browser, served)
    last = stored(served)
    # Loaded again, the page knows no change: all of them are asked of the server, and come back.
    browser.run("window.old = true; location.reload(); 0")
    until(browser, "!window.old && window.editor?.store.events?.readyState === 1")
    assert shown(browser) == last
    browser.run("editor.grid.focus(); 0")
    undone = turned(browser, "undo")
    assert shown(browser) == first
    assert turned(browser, "redo") >= undone
    same(browser, served)


def turned(browser, kind):
    """Undo or redo until there is nothing left; return how often."""
    script = """(async () => {
      for (let k = 0; ; k++) {
        editor.refuse("");
        await editor.store.turning;
        editor.run("KIND");
        await editor.store.turning;
        await new Promise((done) => setTimeout(done, 0));
        if (editor.problem.textContent === "nothing to KIND") return k;
        if (editor.problem.textContent || k > 1000) throw new Error(editor.problem.textContent);
      }
    })()"""
    return browser.run(script.replace("KIND", kind))


def test_and_so_it_does_with_changes_by_others_in_between(browser, served):
    with Project(served.path, durable=False) as project:
        assert project.assign(1, "bea") == 3
    entered(browser, served)
    chosen(browser, 2)
    counts = operated(browser, 4, 200, others=True)
    assert counts["atOnce"] > 20
    assert counts["others"] > 15
    same(browser, served)


def test_a_server_that_goes_away_between_random_commands_has_all_of_them(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    for seed in range(100, 108):
        operated(browser, seed, 40, settle=False)
        served.stop()  # whatever is on its way
        if seed % 2:
            operated(browser, seed + 100, 3, settle=False)
        served.start()
    same(browser, served)
    kinds = [kind for kind, _ in journal(served)]
    assert min(kinds.count(kind) for kind in ("change", "undo", "redo")) > 10


def test_what_is_undone_is_in_the_journal_and_another_change_ends_redo(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, "m", "Enter", "z", "z", "Z", "z", "q", "Z")
    until(browser, KEPT)
    assert journal(served) == [
        ("change", "merge"), ("change", "confirm"), ("undo", "confirm"), ("undo", "merge"),
        ("redo", "merge"), ("undo", "merge"), ("change", "doubt"),
    ]  # fmt: skip
    assert browser.run("editor.problem.textContent") == "nothing to redo"
    same(browser, served)
    # In between another window has taken back the same: that is what was wanted.
    browser.run("editor.store.deafen(); 0")
    with Project(served.path, durable=False) as project:
        project.undo(2, annotator="anna")
    keys(browser, "z")
    same(browser, served)
    assert journal(served)[7:] == [("undo", "doubt")]
    # In between it has made a change: nothing is left to redo.
    with Project(served.path, durable=False) as project:
        merged(project, 2, 3, 5, "anna")
    keys(browser, "Z")
    until(browser, "editor.problem.textContent.includes('not made again')")
    assert browser.run("editor.problem.textContent").endswith("not made again: redo of doubt")
    same(browser, served)
    # And once more: that would be the next to undo, and nobody has asked for it.
    keys(browser, "q")
    until(browser, KEPT)
    with Project(served.path, durable=False) as project:
        merged(project, 2, 1, 3, "anna")
    keys(browser, "z")
    until(browser, "editor.problem.textContent.endsWith('not made again: undo of doubt')")
    same(browser, served)
    keys(browser, "z", "z", "z")
    same(browser, served)
    assert journal(served)[8:] == [
        ("change", "merge"), ("change", "doubt"), ("change", "merge"),
        ("undo", "merge"), ("undo", "doubt"), ("undo", "merge"),
    ]  # fmt: skip


def test_undo_is_at_once_however_often_the_key_is_pressed(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    keys(browser, *"vq" * 30)
    until(browser, KEPT)
    # 60 times before the server can answer at all.
    script = """(() => {
      for (let k = 0; k < 60; k++) editor.run("undo");
      return [editor.store.pending.length, editor.state.counts.proposed, editor.said.textContent];
    })()"""
    assert browser.run(script)[:2] == [60, SIZE]
    same(browser, served)
    assert journal(served)[60:] == [("undo", name) for name in ["doubt", "confirm"] * 30]


def test_the_page_forgets_what_is_too_much_and_the_server_has_it(browser, served):
    entered(browser, served)
    chosen(browser, 2)
    # The rows that it keeps count those that are replaced, and those that replace them.
    browser.run(
        "editor.store.recent.most = 20; "
        "for (let k = 0; k < 30; k++) editor.run('toggleDoubtful'); 0"
    )
    assert browser.run("editor.store.recent.done.length") == 10
    same(browser, served)
    assert turned(browser, "undo") == 30
    assert short(state(browser)) == [([f"s{k}"], [f"t{k}"], "proposed") for k in range(1, SIZE + 1)]
    same(browser, served)
    assert turned(browser, "redo") == 30
    same(browser, served)
