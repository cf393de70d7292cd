"""Word links: what words are, what becomes of links, the links in the page by keys and mouse."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext.errors import InputError
from bitext.formats.io.source import Notes
from bitext.workbench.changes import (
    Bead,
    ChangeRefused,
    RowList,
    Sentence,
    Splice,
    State,
    carried,
    inverse,
    rows_of,
    splices_of,
)
from bitext.workbench.exchange import Upload, export, import_files
from bitext.workbench.project import Project
from bitext.workbench.proposals import WordLinking, splices_for, stretches_between
from bitext.workbench.schema import MIGRATIONS
from bitext.workbench.standalone import bundle, read_page, write_page
from bitext.workbench.word_files import with_links
from bitext.workbench.words import CUTS, keep_words, moved, words
from reference.axe import problems
from reference.editor_driver import click, drag, keys, opened, problem, said, state, until

RANDOM = Path(__file__).with_name("random_words.js").read_text(encoding="utf-8")
ENGLISH = [
    "The captain whistles twice, and the heavy rope falls.", "Then it rains.", "We wait.",
    "The captain's ship isn't here, l'arbre 1,700.5 m...",
]  # fmt: skip
GERMAN = [
    "Der Kapitän pfeift zweimal.", "Das schwere Tau fällt.", "Dann regnet es.", "Wir warten.",
    "Das Schiff ist nicht da; 1,700.5 m.",
]  # fmt: skip
SIDES = (["s1"], ["t1", "t2"]), (["s2"], ["t3"]), (["s3"], ["t4"]), (["s4"], ["t5"])


def rows(letter, texts):
    return [
        {"id": f"{letter}{k}", "text": text, "paragraph": k == 1} for k, text in enumerate(texts, 1)
    ]


def ship(links=(), *, name="ship"):
    """Return the state of a page: four beads, the first with links."""
    beads = [
        {
            "id": f"b{k}", "source": source, "target": target, "state": "proposed",
            "probability": None, "comment": "", "bookmark": False,
            "words": [list(each) for each in links] if k == 1 else [], "linked": False,
        }
        for k, (source, target) in enumerate(SIDES, 1)
    ]  # fmt: skip
    return {
        "alignment": {"id": 1, "name": name, "annotator": "anna", "version": 0},
        "source": {"id": 1, "name": "src", "language": "en", "words": "words-1",
                   "sentences": rows("s", ENGLISH)},
        "target": {"id": 2, "name": "tgt", "language": "de", "words": "words-1",
                   "sentences": rows("t", GERMAN)},
        "beads": beads,
    }  # fmt: skip


def link(source, i, target, j, kind="sure", confidence=None):
    return (source, i, target, j, kind, confidence)


def made(held):
    lists = [
        RowList(rows_of(part, name))
        for part, name in (
            (held["source"]["sentences"], "source"),
            (held["target"]["sentences"], "target"),
            (held["beads"], "beads"),
        )
    ]
    return State(*lists)


# What words are


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("The captain's ship isn't here.", "The captain 's ship isn 't here ."),
        ("L'arbre d’Anna, au-dessus -- 3:30!", "L' arbre d’ Anna , au-dessus -- 3:30 !"),
        ("«No\u00a0break» (x)…", "« No break » ( x ) …"),
        ("新しいサーバー。", "新 しい サーバー 。"),
        ("船中午出发。", "船 中 午 出 发 。"),
        ("שלום עולם.", "שלום עולם ."),
        ("नमस्ते दुनिया।", "नमस्ते दुनिया ।"),
        ("เมือง", "เมื อ ง"),
        ("a_b 'x' 12a", "a _ b ' x ' 12a"),
        ("  ", ""),
    ],
)
def test_a_sentence_is_cut_into_words(text, want):
    assert words(text, "words-1") == (want.split(" ") if want else [])


@given(st.text(), st.sampled_from(CUTS))
def test_words_have_all_characters_but_blanks(text, cut):
    assert "".join("".join(words(text, cut)).split()) == "".join(text.split())


def test_the_page_counts_the_same_words(browser, tmp_path):
    draw = Random(5)
    letters = "aZé'’-.,:;09 \t\u00a0\u3000漢字かなカナー々ไทยเมืองລາວမြန်ខ្មែរשלוםمرحبا،؟नमस्ते।"
    letters += "😀🏽«»…\u200d\u0301\x1c\x85ﬀ"
    texts = ["".join(draw.choices(letters, k=draw.randrange(1, 40))) for _ in range(400)]
    begins = *range(0, 0x3400, 64), 0xFB00, 0xFE00, 0xFF00, 0x1F300, 0x20000
    texts += ["".join(map(chr, range(at, at + 64))) for at in begins]
    pairs = [(draw.choice(texts), draw.choice(texts)) for _ in range(300)]
    held = json.dumps([texts, pairs])
    browser.open(empty(tmp_path))
    found = browser.run(
        f"(() => {{ {bundle('words')}; const [texts, pairs] = {held};"
        "return JSON.stringify([texts.map((t) => ['words-1', 'blanks'].map((c) => "
        "_words.wordsOf(t, c))), pairs.map(([a, b]) => _words.sameWords([...a], [...b]))]); })()"
    )
    cut, same = json.loads(found)
    assert cut == [[words(text, each) for each in CUTS] for text in texts]
    for (a, b), places in zip(pairs, same, strict=True):
        whole = [Sentence("a", " ".join("x" + c for c in a if not c.isspace()))]
        other = [Sentence("a", " ".join("x" + c for c in b if not c.isspace()))]
        if whole == other or any(c.isspace() for c in a + b):
            continue
        (now,) = moved(
            [Splice("source", 0, tuple(whole), tuple(other))], "source", "blanks"
        ).values()
        assert [None if at is None else at[1] for at in now] == places


def empty(folder):
    path = folder / "empty.html"
    path.write_text("<!DOCTYPE html><title>t</title>", encoding="utf-8")
    return path


# What becomes of links


def after(held, splices):
    kept = made(held)
    return kept.apply(splices), kept


def test_links_of_words_that_stay_are_kept_when_a_sentence_is_corrected():
    old = Sentence("s1", "The captain whistles twice .", True)
    new = old._replace(text="The old captain whistled twice !")
    places = moved([Splice("source", 0, (old,), (new,))], "source", "words-1")
    # A word stands before `captain`; as many take the place of `whistles` and of the mark.
    assert places == {"s1": [("s1", 0), ("s1", 2), ("s1", 3), ("s1", 4), ("s1", 5)]}
    bead = Bead("b", ("s1",), ("t",), words=(link("s1", 1, "t", 0), link("s1", 0, "t", 1)))
    (kept,) = keep_words([bead], [bead], {"source": places})
    assert [each[:4] for each in kept.words] == [("s1", 2, "t", 0), ("s1", 0, "t", 1)]
    assert not kept.linked


def test_links_follow_the_characters_when_sentences_are_split_and_joined():
    whole = Sentence("s1", "A b, c d.", True)
    parts = whole._replace(text="A b,"), Sentence("s1-2", "c d.")
    split = Splice("source", 0, (whole,), parts)
    there = {"s1": [("s1", 0), ("s1", 1), ("s1", 2), ("s1-2", 0), ("s1-2", 1), ("s1-2", 2)]}
    assert moved([split], "source", "words-1") == there
    back = moved(inverse([split]), "source", "words-1")
    assert back == {"s1": [("s1", k) for k in range(3)], "s1-2": [("s1", k) for k in range(3, 6)]}
    # One after another: there and back again is where it was.
    both = moved([split, *inverse([split])], "source", "words-1")
    assert both["s1"] == [("s1", k) for k in range(6)]
    # Within a word of which no blank shows the border: the word is gone.
    cut = Splice("source", 0, (whole,), (whole._replace(text="A b, c d"), Sentence("x", ".")))
    assert moved([cut], "source", "blanks")["s1"] == [("s1", 0), ("s1", 1), ("s1", 2), None]


def test_beads_that_take_the_place_of_others_have_the_links_between_their_sentences():
    links = (link("s1", 0, "t1", 0), link("s1", 2, "t2", 1, "possible"), link("s2", 0, "t2", 0))
    bead = Bead("b", ("s1", "s2"), ("t1", "t2"), words=links, linked=True)
    first, second = Bead("b", ("s1",), ("t1",)), Bead("c", ("s2",), ("t2",))
    a, b = keep_words([bead], [first, second])
    assert (a.words, b.words, a.linked, b.linked) == (links[:1], links[2:], False, False)
    (again,) = keep_words([a, b], [Bead("b", ("s1", "s2"), ("t1", "t2"))])
    assert again.words == (links[0], links[2])
    # A bead that only is confirmed keeps all.
    (same,) = keep_words([bead], [bead._replace(state="confirmed", words=(), linked=False)])
    assert (same.words, same.linked) == (links, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([link("s1", 11, "t1", 0)], "word 11 of the source sentence 's1', which has fewer"),
        ([link("s2", 0, "t1", 0)], "names the source sentence 's2', which is not in it"),
        ([link("s1", 0, "t9", 0)], "names the target sentence 't9', which is not in it"),
        ([link("s1", 0, "t1", 0), link("s1", 0, "t1", 0, "possible")], "two word links of the"),
    ],
)
def test_links_of_words_that_are_not_there_are_refused(words, told):
    kept = made(ship())
    (old,) = kept.lists["beads"].rows[:1]
    with pytest.raises(ChangeRefused, match=told):
        kept.apply([Splice("beads", 0, (old,), (old._replace(words=tuple(words)),))])
    assert kept.lists["beads"].rows[0] == old


def test_a_correction_that_leaves_links_of_words_that_are_gone_is_refused():
    kept = made(ship([link("s1", 10, "t1", 0)]))
    old = kept.lists["source"].rows[0]
    with pytest.raises(ChangeRefused, match="names word 10 of the source"):
        kept.apply([Splice("source", 0, (old,), (old._replace(text="Short."),))])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (3, "words is not a list"),
        ([["s1", 0, "t1", 0, "sure"]], "want .source id, index"),
        ([["s1", -1, "t1", 0, "sure", None]], "-1: want an index from 0"),
        ([["s1", True, "t1", 0, "sure", None]], "True: want an index from 0"),
        ([["s1", 0, "t1", 0, "likely", None]], "kind is 'likely'"),
        ([["s1", 0, "t1", 0, "sure", "x"]], "confidence is 'x'"),
        ([["s1", 0, "t1", 0, "sure", float("nan")]], "confidence is nan"),
        ([["s1", 0, 5, 0, "sure", None]], "words is no string"),
    ],
)
def test_links_that_are_none_are_refused(words, told):
    row = {**ship()["beads"][0], "words": words}
    with pytest.raises(InputError, match=told):
        rows_of([row], "beads")


def test_rows_of_projects_before_there_were_word_links_are_read():
    row = {
        key: value for key, value in ship()["beads"][0].items() if key not in ("words", "linked")
    }
    (bead,) = rows_of([row], "beads")
    assert (bead.words, bead.linked) == ((), False)


def test_an_alignment_of_another_annotator_follows_a_sentence_with_its_links():
    held = ship([link("s1", 1, "t1", 1), link("s1", 8, "t2", 3, "possible")])
    kept = made(held)
    old = kept.lists["source"].rows[0]
    new = old._replace(text=old.text.replace("captain", "old captain").replace("rope ", ""))
    change = [Splice("source", 0, (old,), (new,))]
    kept.apply(change, check=False)
    (splice,) = carried(change, "source", kept)
    kept.apply([splice])
    # 8 was `rope`, which is gone; 1 was `captain`, which is now 2.
    assert [each[:4] for each in splice.insert[0].words] == [("s1", 2, "t1", 1)]


# The file, and proposals


def project_of(path, held):
    made_ = Project.create(path, "ship", durable=False)
    numbers = [
        made_.add_text(side, held[side]["language"], rows_of(held[side]["sentences"], side))
        for side in ("source", "target")
    ]
    document = made_.add_document("ship", *numbers, rows_of(held["beads"], "beads"))
    return made_, made_.assign(document, "anna")


def test_links_are_in_the_file_with_undo_and_redo(tmp_path):
    links = (link("s1", 0, "t1", 0, "sure", 0.25), link("s1", 1, "t1", 1, "possible"))
    project, number = project_of(tmp_path / "a.bitext", ship(links))
    with project:
        old = project.rows(number)[1]["beads"][0]
        assert old.words == links
        new = old._replace(words=links[:1], linked=True)
        project.change(number, [Splice("beads", 0, (old,), (new,))], name="x", annotator="anna")
    with Project(tmp_path / "a.bitext", durable=False) as again:
        assert again.rows(number)[1]["beads"][0] == new
        again.undo(number, annotator="anna")
        assert again.rows(number)[1]["beads"][0] == old
        again.redo(number, annotator="anna")
    with Project(tmp_path / "a.bitext", durable=False) as again:
        assert again.rows(number)[1]["beads"][0] == new


def test_a_project_of_the_schema_before_word_links_opens(tmp_path):
    path = tmp_path / "old.bitext"
    with closing(sqlite3.connect(path)) as db, db:
        for script in MIGRATIONS[:2]:
            db.executescript(script)
        db.execute(f"PRAGMA application_id = {int.from_bytes(b'bitx')}")
        db.execute("PRAGMA user_version = 2")
        db.execute("INSERT INTO texts VALUES (1, 'a', 'en'), (2, 'b', 'de')")
        db.execute("INSERT INTO sentences VALUES (1, 's1', 0, 'A b.', 1), (2, 't1', 0, 'C d.', 1)")
        db.execute(
            "INSERT INTO alignments (id, name, annotator, source, target, version, document)"
            " VALUES (1, 'x', '', 1, 2, 0, 1), (2, 'x', 'anna', 1, 2, 1, 1)"
        )
        bead = ["s1"], ["t1"]
        for number in (1, 2):
            db.execute(
                "INSERT INTO beads VALUES (?, 'b1', 0, ?, ?, 'confirmed', 0.5, '', 0)",
                (number, *map(json.dumps, bead)),
            )
        row = {"id": "b1", "source": ["s1"], "target": ["t1"], "probability": 0.5, "comment": "",
               "bookmark": False}  # fmt: skip
        splice = {"list": "beads", "at": 0, "remove": [{**row, "state": "proposed"}],
                  "insert": [{**row, "state": "confirmed"}], "after": None}  # fmt: skip
        db.execute(
            "INSERT INTO journal VALUES (1, 2, 'anna', '2026-01-01T00:00:00+00:00', 'change',"
            " 'confirm', ?, NULL, 1, 0)",
            (json.dumps([splice]),),
        )
    with Project(path, durable=False) as project:
        (bead,) = project.rows(2)[1]["beads"]
        assert bead == Bead("b1", ("s1",), ("t1",), "confirmed", 0.5)
        assert project.cut_of(1) == "words-1"
        project.undo(2, annotator="anna")
        assert project.rows(2)[1]["beads"][0].state == "proposed"


def lines(text):
    return text.splitlines()


SRC = lines("the house .\na house ,\nthe big house\na big tree\nthe tree") * 3
TGT = lines("la maison .\nune maison ,\nla grande maison\nun grand arbre\nl'arbre") * 3


def test_proposals_leave_alone_beads_in_which_links_of_annotators_are_decided(tmp_path):
    held = ship()
    held["source"]["sentences"] = rows("s", SRC)
    held["target"]["sentences"] = rows("t", TGT)
    begun = [list(link("s1", 0, "t1", 0, "sure")), [*link("s1", 1, "t1", 1, "proposed")[:5], None]]
    held["beads"] = [
        {
            **held["beads"][0], "id": f"b{k}", "source": [f"s{k}"], "target": [f"t{k}"],
            "words": begun if k == 1 else [], "linked": False,
        }
        for k in range(1, len(SRC) + 1)
    ]  # fmt: skip
    project, number = project_of(tmp_path / "a.bitext", held)
    with project:
        work = WordLinking(project, number, annotator="anna", holder=None, tell=lambda *_: None)
        work.start()
        assert work.wait(60)
        beads = project.rows(number)[1]["beads"]
    # All other pairs of words of the first bead have been decided to be no link.
    assert [list(each) for each in beads[0].words] == begun
    assert all(bead.words for bead in beads[1:4])


def test_proposals_leave_alone_what_somebody_has_decided(tmp_path):
    held = ship()
    held["source"]["sentences"] = rows("s", SRC)
    held["target"]["sentences"] = rows("t", TGT)
    held["beads"] = [
        {**held["beads"][0], "id": f"b{k}", "source": [f"s{k}"], "target": [f"t{k}"]}
        for k in range(1, len(SRC) + 1)
    ]
    held["beads"][0] |= {"words": [list(link("s1", 0, "t1", 1, "possible"))]}
    held["beads"][1] |= {"linked": True}
    held["beads"][2] |= {"words": [list(link("s3", 0, "t3", 2, "proposed", 0.1))]}
    project, number = project_of(tmp_path / "a.bitext", held)
    told = []
    with project:
        work = WordLinking(
            project, number, annotator="anna", holder=None, tell=lambda *each: told.append(each)
        )
        edited = project.rows(number)[1]["beads"][3]
        splice = Splice("beads", 3, (edited,), (edited._replace(comment="now"),))
        project.change(number, [splice], name="comment", annotator="anna")
        work.start()
        assert work.wait(60)
        assert told[-1][2:] == ("done", "")
        beads = project.rows(number)[1]["beads"]
        kinds = [[(*each[:5],) for each in bead.words] for bead in beads[:4]]
        # `the` and `maison` are decided; a confirmed bead, and one that was edited, stay.
        assert kinds[0] == [("s1", 0, "t1", 1, "possible"), ("s1", 2, "t1", 2, "proposed")]
        assert (kinds[1], kinds[3]) == ([], [])
        assert ("s3", 0, "t3", 0, "proposed") in kinds[2]
        assert ("s3", 0, "t3", 2, "proposed") not in kinds[2]
        assert all(each[4] == "proposed" and 0 < each[5] <= 1 for each in beads[4].words)
        project.undo(number, annotator="anna")
        assert [bead.words for bead in project.rows(number)[1]["beads"][4:]] == [()] * (
            len(SRC) - 4
        )


# In the browser


@pytest.fixture
def page(browser, tmp_path):
    def open_(held):
        held["alignment"]["id"] = str(tmp_path)
        write_page(held, tmp_path / "ship.html")
        opened(browser, tmp_path / "ship.html")
        return browser

    return open_


def links_of(browser, at=0):
    return [tuple(each[:5]) for each in state(browser)["beads"][at]["words"]]


GOLD = [
    ("s1", 0, "t1", 0, "sure"), ("s1", 1, "t1", 1, "sure"), ("s1", 3, "t1", 2, "possible"),
    ("s1", 3, "t1", 3, "sure"),
]  # fmt: skip


def test_words_are_linked_by_keys_alone(page):
    browser = page(ship())
    keys(browser, "x")
    assert browser.run("document.activeElement.className") == "words source"
    assert problems(browser) == []
    keys(browser, "s", "ArrowDown", "s", "ArrowDown", "ArrowDown", "s")
    assert links_of(browser) == [*GOLD[:2], GOLD[3]]
    keys(browser, "Shift+ArrowUp", "p")
    assert links_of(browser) == GOLD
    label = browser.run("document.querySelector('.word.active').getAttribute('aria-label')")
    assert label == "twice: possible pfeift, sure zweimal"
    # The same again is none; Delete unlinks a word; undo and redo.
    keys(browser, "p")
    assert links_of(browser) == [*GOLD[:2], GOLD[3]]
    keys(browser, "z", "ArrowRight", "Delete")
    assert links_of(browser) == [*GOLD[:2], GOLD[3]]
    keys(browser, "z", "z", "Z", "p")
    assert links_of(browser) == [*GOLD[:2], GOLD[3]]
    keys(browser, "z")
    assert links_of(browser) == GOLD
    keys(browser, "Escape")
    until(browser, "!document.querySelector('dialog') && document.activeElement === editor.grid")


def test_beads_are_confirmed_one_after_another(page):
    proposed = [link("s1", 0, "t1", 0, "proposed", 0.5), link("s1", 1, "t1", 1, "possible")]
    browser = page(ship(proposed))
    keys(browser, "x", "Enter")
    held = state(browser)["beads"]
    assert held[0]["linked"]
    assert held[0]["words"] == [
        ["s1", 0, "t1", 0, "sure", 0.5],
        ["s1", 1, "t1", 1, "possible", None],
    ]
    assert (
        browser.run("document.querySelector('.word-links h2').textContent") == "Words of bead 2 1-1"
    )
    keys(browser, "s", "ArrowDown", "s", "Enter", "Enter", "Enter")
    assert [each["linked"] for each in state(browser)["beads"]] == [True] * 4
    assert "no bead below is left" in browser.run(
        "document.querySelector('dialog .said').textContent"
    )
    # A change of a link takes it back; so does v.
    keys(browser, "s", "Escape", "Home", "x", "v")
    assert [each["linked"] for each in state(browser)["beads"]] == [False, True, True, False]
    keys(browser, "Escape", "9")
    assert browser.run("editor.at") == 3


def test_words_are_linked_by_mouse_alone(page):
    browser = page(ship())
    click(browser, '[data-do="words"]')

    def word(side, n):
        return f"#word-{side}-{n}"

    click(browser, word("source", 0))
    click(browser, word("target", 0))
    click(browser, word("source", 1))
    click(browser, word("target", 1))
    # Again: possible; again: none.
    assert links_of(browser) == GOLD[:2]
    click(browser, word("target", 1))
    assert links_of(browser) == [GOLD[0], ("s1", 1, "t1", 1, "possible")]
    click(browser, word("target", 1))
    assert links_of(browser) == GOLD[:1]
    click(browser, word("target", 1))
    drag(browser, word("source", 3), word("target", 3))
    drag(browser, word("target", 2), word("source", 3))
    assert [each[:4] for each in links_of(browser)] == [each[:4] for each in GOLD]
    # A line is clicked: the next kind.
    click(browser, ".word-line.touch", nth=2)
    assert links_of(browser) == GOLD
    click(browser, '[data-link="confirm"]')
    assert state(browser)["beads"][0]["linked"]
    click(browser, '[data-link="undo"]')
    click(browser, '[data-link="undo"]')
    assert links_of(browser)[2] == ("s1", 3, "t1", 2, "sure")
    assert browser.said == []


def test_what_a_change_does_to_word_links_is_told(page):
    browser = page(ship([link("s1", 1, "t1", 1), link("s1", 8, "t2", 2), link("s1", 9, "t2", 3)]))
    flag = "document.querySelector('.linked-words')?.textContent ?? ''"
    assert browser.run(flag) == "⇄3"
    keys(browser, "ArrowRight", "d")
    assert links_of(browser) == [("s1", 1, "t1", 1, "sure")]
    assert problem(browser) == "2 word links removed: the words are gone, or no longer in one bead"
    assert said(browser).startswith("move down: ")
    keys(browser, "z")
    assert problem(browser) == ""
    assert browser.run(flag) == "⇄3"
    # Merged with the next bead, and confirmed: nothing is lost, nothing told.
    keys(browser, "m", "v")
    assert problem(browser) == ""
    assert len(links_of(browser)) == 3
    keys(browser, "z", "z")
    # A sentence is corrected, another one split: links stay with their words.
    browser.run(
        "editor.make({name: 'correct', focus: 'b1', splices: [{list: 'source', at: 0, "
        "remove: [editor.state.rows.source[0]], insert: [{...editor.state.rows.source[0], "
        "text: 'The old captain whistles twice, and the rope falls.'}]}]}); 0"
    )
    assert links_of(browser) == [
        ("s1", 2, "t1", 1, "sure"), ("s1", 8, "t2", 2, "sure"), ("s1", 9, "t2", 3, "sure")
    ]  # fmt: skip
    assert problem(browser) == ""


def test_the_words_of_hebrew_and_chinese_are_linked_on_a_small_dark_screen(page):
    held = ship()
    held["source"] |= {"language": "he", "sentences": rows("s", ["שלום עולם, הספינה."])}
    held["target"] |= {"language": "zh", "sentences": rows("t", ["你好，世界。", "船。"])}
    held["beads"] = [{**held["beads"][0], "source": ["s1"], "target": ["t1", "t2"]}]
    browser = page(held)
    for width, scheme in ((800, "dark"), (1280, "light")):
        browser.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=700, deviceScaleFactor=1,
            mobile=False,
        )  # fmt: skip
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.send("Emulation.setEmulatedMedia", features=media)
        keys(browser, "x", "s", "ArrowDown", "s")
        assert problems(browser) == []
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        keys(browser, "Escape")
    browser.send("Emulation.clearDeviceMetricsOverride")
    browser.send("Emulation.setEmulatedMedia", features=[])
    assert [each[3] for each in links_of(browser)] in ([], [0, 1])
    keys(browser, "x")
    shown = "[...document.querySelectorAll('.word')].map(e => e.textContent).join(' ')"
    assert browser.run(shown) == "שלום עולם , הספינה . 你 好 ， 世 界 。 船 。"
    assert browser.run("document.querySelector('.words').dir") == "rtl"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_changes_keep_links_and_undo_restores_them(browser, tmp_path, seed):
    held = ship()
    held["source"]["sentences"] = rows("s", ENGLISH * 2)
    held["target"]["sentences"] = rows("t", GERMAN[:4] * 2)
    held["beads"] = [
        {**held["beads"][0], "id": f"b{k}", "source": [f"s{k}"], "target": [f"t{k}"], "words": []}
        for k in range(1, 9)
    ]
    script = RANDOM.replace("SEED", str(seed)).replace("COUNT", "400")
    script = script.replace("GIVEN", json.dumps(held))
    browser.open(empty(tmp_path))
    parts = bundle("main").partition("const _main = ")[0]
    found = json.loads(browser.run(f"JSON.stringify((() => {{ {parts}{script} }})())"))
    assert found["counts"]["kept"] > 100
    assert found["counts"]["lost"] > 0
    # The server takes all of them, one after another, and has the same in the end.
    kept = made(held)
    for splices in found["done"]:
        kept.apply(splices_of(splices))
    assert rows_of(found["last"]["beads"], "beads") == kept.lists["beads"].rows


def test_a_page_that_comes_back_has_its_links(page, tmp_path):
    browser = page(ship())
    keys(browser, "x", "s", "ArrowDown", "p", "Enter", "Escape")
    saved = tmp_path / "saved.html"
    saved.write_text(browser.run("editor.store.html()"), encoding="utf-8")
    (first, *_) = rows_of(read_page(saved)["beads"], "beads")
    assert (first.words, first.linked) == (
        (link("s1", 0, "t1", 0), link("s1", 1, "t1", 1, "possible")), True
    )  # fmt: skip
    # Written again, it has them still, and undo has no end.
    opened(browser, saved)
    assert len(links_of(browser)) == 2
    keys(browser, "z", "z", "z")
    assert links_of(browser) == []


# Files


PAIRS = {"a.en": "the house , a tree\nhello\n", "a.fr": "la maison , un arbre\nbonjour monde\n"}
PHARAOH = "0-0 1-1 3-3:0.5 4p4\n0p1 0-0\n"
NAACL = "0001 1 1 S\n0001 2 2 P\n0002 1 2 S\n"


def imported(project, name, content):
    sent = [(name, content, "alignment"), ("a.en", PAIRS["a.en"], "src")]
    sent.append(("a.fr", PAIRS["a.fr"], "tgt"))
    uploads = [Upload(each, held.encode(), role) for each, held, role in sent]
    notes = Notes()
    (document,) = import_files(project, uploads, notes=notes)
    return project.assign(document, "anna"), [str(each) for each in notes.all()]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "p.bitext", "p", durable=False) as made_:
        yield made_


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.pharaoh", PHARAOH, "pharaoh"),
        ("a.wa", NAACL, "naacl"),
    ],
)
def test_word_links_of_a_file_come_back_as_they_were(project, name, content, form):
    number, told = imported(project, name, content)
    assert not [each for each in told if "kept" in each]
    info, lists = project.rows(number)
    assert {project.cut_of(text) for text in (info.source, info.target)} == {"blanks"}
    assert lists["beads"][0].words[0] == link("s1", 0, "t1", 0)
    for _ in range(2):
        _, made_ = export(project, number, form)
        assert made_.decode().replace(" 1.0\n", "\n") == content


def test_links_beyond_the_words_of_a_text_are_refused_by_name():
    rows_ = [Sentence("s1", "a b", True)], [Sentence("t1", "c", True)]
    bead = Bead("b0", ("s1",), ("t1",))
    with pytest.raises(InputError, match="x: bisegment 0: the word link 0-1 lies beyond its words"):
        with_links([bead], ["0-1"], rows_, "x")
    with pytest.raises(InputError, match="x: bisegment 0: '0-' is no word link"):
        with_links([bead], ["0-"], rows_, "x")


def test_links_of_merged_and_cut_sentences_come_with_their_texts(tmp_path):
    links = [link("s1", 3, "t1", 3, "possible"), link("s1", 4, "t2", 4, "proposed", 0.5)]
    project, number = project_of(tmp_path / "a.bitext", ship(links))
    with project:
        name, content = export(project, number, "pharaoh")
        assert (name, content) == ("ship.zip", export(project, number, "pharaoh")[1])
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {each: archive.read(each).decode() for each in archive.namelist()}
        assert list(files) == ["ship.pharaoh", "ship.en.txt", "ship.de.txt"]
        # The second target sentence begins behind the five words of the first.
        assert files["ship.pharaoh"] == "3p3 4-9:0.5\n\n\n\n"
        first = files["ship.de.txt"].splitlines()[0]
        assert first == "Der Kapitän pfeift zweimal . Das schwere Tau fällt ."
        assert files["ship.en.txt"].splitlines()[3].startswith("The captain 's ship isn 't here ,")
        # Read again with its texts it has the same links.
        for each, held in files.items():
            (tmp_path / each).write_text(held, encoding="utf-8")
        read = bitext.read(
            str(tmp_path / "ship.pharaoh"),
            src=str(tmp_path / "ship.en.txt"), tgt=str(tmp_path / "ship.de.txt"),
        )  # fmt: skip
        assert read.alignment.attributes["words"][0] == "3-3p 4-9:0.5"
        # GIZA++ holds its words itself; other formats have the text as it is, with words as blanks
        # divide them: `twice,` is one, and so is `fällt.`
        assert b"twice ({ 4 }) , ({ 10 })" in export(project, number, "giza")[1]
        losses = Notes()
        made_ = json.loads(export(project, number, "jsonl", losses=losses)[1].splitlines()[0])
        assert made_["words"] == "3-3p 3-7:0.5"
        assert made_["src_text"] == ENGLISH[0]
        assert "words as blanks divide them" in str(losses.all()[0])
        losses = Notes()
        export(project, number, "intertext", losses=losses)
        assert "beads whose word links are not written" in str(losses.all()[0])
        losses = Notes()
        export(project, number, "hunalign-ladder", losses=losses)
        assert any("word links" in str(each) for each in losses.all())


def test_the_beads_of_a_page_are_downloaded_with_their_links(page):
    links = [link("s1", 3, "t1", 3, "possible"), link("s1", 4, "t2", 4, "proposed", 0.5)]
    browser = page(ship(links))
    browser.run(
        "window.made = ''; const old = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { blob.text().then((t) => { window.made = t; }); "
        "return old.call(URL, blob); }; editor.run('exportBeads'); 0"
    )
    until(browser, "window.made")
    lines_ = [json.loads(line) for line in browser.run("window.made").splitlines()]
    # As the server writes them: `twice,` is one word there, and so is `fällt.`
    assert [each.get("words") for each in lines_] == ["3-3p 3-7:0.5", None, None, None]


# In the alignments of others, and in a realignment


def test_the_links_of_others_follow_a_sentence_and_undo_brings_all_back(tmp_path):
    links = (link("s1", 1, "t1", 1), link("s1", 8, "t2", 2))
    project, anna = project_of(tmp_path / "a.bitext", ship(links))
    with project:
        bea = project.assign(1, "bea")
        (first, *_) = project.rows(bea)[1]["beads"]
        mine = first._replace(words=(*links, link("s1", 9, "t2", 3)), linked=True)
        project.change(bea, [Splice("beads", 0, (first,), (mine,))], name="x", annotator="bea")
        old = project.rows(anna)[1]["source"][0]
        new = old._replace(text=old.text.replace("captain", "old captain"))
        change = [Splice("source", 0, (old,), (new,))]
        # The page sends the links of its own alignment with the change; those of bea follow.
        (own, *_) = project.rows(anna)[1]["beads"]
        (moved_,) = keep_words([own], [own], {"source": moved(change, "source", "words-1")})
        change.append(Splice("beads", 0, (own,), (moved_,)))
        project.change(anna, change, name="correct", annotator="anna")
        held = [project.rows(each)[1]["beads"][0] for each in (anna, bea)]
        places = [[each[1] for each in bead.words] for bead in held]
        assert places == [[2, 9], [2, 9, 10]]
        assert [bead.linked for bead in held] == [False, False]
        project.undo(anna, annotator="anna")
        assert project.rows(anna)[1]["beads"][0] == own
        assert project.rows(bea)[1]["beads"][0] == mine


def test_a_realignment_keeps_links_between_sentences_of_one_bead():
    held = ship([link("s1", 0, "t1", 0), link("s1", 8, "t2", 2)])
    lists = {name: each.rows for name, each in made(held).lists.items()}
    (stretch,) = stretches_between(lists, "b1", "b2")
    # The second target sentence goes to the second bead.
    proposal = [([0], [0], 0.9), ([1], [1, 2], 0.8)]
    (splice,) = splices_for(lists, [stretch], [proposal], "r")
    assert [bead.words for bead in splice.insert] == [(link("s1", 0, "t1", 0),), ()]
    # As it was, it keeps all.
    proposal = [([0], [0, 1], 0.9), ([1], [2], 0.8)]
    (splice,) = splices_for(lists, [stretch], [proposal], "r")
    assert splice.insert[0].words == lists["beads"][0].words


def test_hostile_words_are_text(page):
    held = ship()
    bad = "</script><img/src=x/onerror='window.alerted=1'> a\u202eb \u2028c \x07"
    held["source"]["sentences"] = rows("s", [bad, *ENGLISH[1:]])
    held["source"]["words"] = "blanks"
    browser = page(held)
    keys(browser, "x", "s")
    shown = browser.run("[...document.querySelectorAll('.source .word')].map(e => e.textContent)")
    assert shown[0] == "</script><img/src=x/onerror='window.alerted=1'>"
    assert shown[1:] == ["a[U+202E]b", "[U+2028]c", "␇"]
    assert browser.run("window.alerted === undefined && !document.querySelector('.word img')")
    assert browser.run("document.querySelector('.word.active').ariaLabel").endswith(": sure Der")
    assert browser.said == []
