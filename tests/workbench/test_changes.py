"""Changes of an alignment: what is refused, what holds, what follows in a shared text."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.workbench.changes import (
    Bead,
    ChangeRefused,
    RowList,
    Sentence,
    Splice,
    State,
    carried,
    inverse,
    splices_of,
    splices_to_json,
)
from reference.workbench_operations import Model, drawn_change, first_rows


def state_of(rows):
    return State(*(RowList(rows[name]) for name in ("source", "target", "beads")))


def rows_of(state):
    return {name: list(each.rows) for name, each in state.lists.items()}


def checked(state):
    """The counts that a state keeps are those of its rows, and all that holds, holds."""
    anew = state_of(rows_of(state))
    assert {side: +uses for side, uses in anew.uses.items()} == {
        side: +uses for side, uses in state.uses.items()
    }
    for name, each in state.lists.items():
        assert dict(each.index) == dict(anew.lists[name].index)


@given(st.randoms(use_true_random=False), st.integers(1, 25))
def test_changes_do_what_a_plain_model_does_and_their_inverse_takes_them_back(draw, count):
    state, model = state_of(first_rows()), Model(first_rows())
    done = []
    for k in range(count):
        before = rows_of(state)
        _, splices = drawn_change(draw, before, k)
        try:
            done.append(state.apply(splices))
        except ChangeRefused:  # as a confirmed bead that would be left empty
            assert rows_of(state) == before
        else:
            model.put(splices)
        assert rows_of(state) == model.rows
        checked(state)
    # Spelled as JSON and read again, they are the same.
    spelled = [json.loads(json.dumps(splices_to_json(splices))) for splices in done]
    assert [splices_of(each) for each in spelled] == done
    for splices in reversed(done):
        state.revert(inverse(splices))
    assert rows_of(state) == first_rows()
    checked(state)


@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_another_alignment_of_a_text_follows_it(draw, count):
    rows = first_rows()
    one = state_of(rows)
    source, target = one.lists["source"], one.lists["target"]
    other = State(source, target, RowList(rows["beads"]))
    for k in range(count):
        if draw.random() < 0.4:
            changes = drawn_change(draw, rows_of(other), f"o{k}")[1]
            if all(each.list == "beads" for each in changes):
                try:
                    other.apply(changes)
                except ChangeRefused:
                    continue
            continue
        try:
            done = one.apply(drawn_change(draw, rows_of(one), k)[1])
        except ChangeRefused:
            continue
        before = {bead.id: bead for bead in other.lists["beads"].rows}
        follow = [
            splice
            for side in ("source", "target")
            for splice in other.apply(
                carried([each for each in done if each.list == side], side, other), check=False
            )
        ]
        other.check([each for each in done if each.list != "beads"] + follow)
        checked(other)
        # No sentence of a side that did not change is lost or added by a merge.
        for side in ("source", "target"):
            if not any(each.list == side for each in done):
                held = [set(), set()]
                for number, beads in enumerate((before.values(), other.lists["beads"].rows)):
                    for bead in beads:
                        held[number].update(getattr(bead, side))
                assert held[0] == held[1]


S = [Sentence("s1", "One here. Two.", True), Sentence("s2", "Three.")]
T = [Sentence("t1", "Eins hier.", True), Sentence("t2", "Zwei. Drei.")]
B = [Bead("b1", ("s1",), ("t1",), "confirmed"), Bead("b2", ("s2",), ("t2",))]
NEW = Sentence("s1b", "Two.")


def small():
    return state_of({"source": S, "target": T, "beads": B})


def test_a_split_sentence_stays_in_the_beads_of_another_alignment():
    state = small()
    split = Splice("source", 0, (S[0],), (S[0]._replace(text="One here."), NEW))
    state.apply([split], check=False)
    (follow,) = carried([split], "source", state)
    assert follow == Splice("beads", 0, (B[0],), (B[0]._replace(source=("s1", "s1b")),))


def test_joined_sentences_join_the_beads_of_another_alignment():
    state = small()
    join = Splice("source", 0, tuple(S), (S[0]._replace(text="One here. Two. Three."),))
    state.apply([join], check=False)
    state.apply(carried([join], "source", state))
    assert state.lists["beads"].rows == [Bead("b1", ("s1",), ("t1", "t2"))]


def test_a_corrected_sentence_leaves_beads_alone():
    state = small()
    corrected = Splice("source", 1, (S[1],), (S[1]._replace(text="Four!"),))
    state.apply([corrected])
    assert carried([corrected], "source", state) == []


def bead(**values):
    return [Splice("beads", 0, (B[0],), (B[0]._replace(**values),))]


def text(*rows, remove=(0, 1), side="source"):
    return [Splice(side, remove[0], tuple(S[slice(*remove)]), rows)]


@pytest.mark.parametrize(
    ("splices", "told"),
    [
        (bead(source=()), "source sentence 's1' would be in no bead"),
        (bead(source=("s1", "s9")), "a bead names the source sentence 's9': no such id"),
        (bead(source=("s1", "s1")), "bead 'b1': its source sentences are not in the order"),
        (bead(source=("s2", "s1")), "bead 'b1': its source sentences are not in the order"),
        (bead(id="b2"), "beads 'b1': there is a row 'b2' already"),
        ([Splice("beads", 1, (B[0],), ())], "beads 'b1': the rows to remove are not at 1"),
        ([Splice("beads", 9, (), (B[0],))], "beads 'b1': the rows to remove are not at 9"),
        ([Splice("beads", 0, (), (Bead("x", (), ()),) * 2)], "beads 'x': two rows with one id"),
        (
            [Splice("beads", 0, (), (Bead("x", (), (), "doubtful"),))],
            "bead 'x' is empty and doubtful: want 'proposed'",
        ),
        (text(remove=(0, 2)), "source 's1': sentences are replaced, not removed or added"),
        (text(NEW, remove=(0, 0)), "source 's1b': sentences are replaced, not removed"),
        (text(NEW._replace(paragraph=True)), "source 's1': the characters change, and the ids too"),
        (
            text(S[0]._replace(id="s2"), S[1]._replace(id="s1"), remove=(0, 2)),
            "source 's1': sentences change their order",
        ),
        (
            text(S[0]._replace(paragraph=False)),
            "the first source sentence would begin no paragraph",
        ),
        (
            text(S[0]._replace(text="One"), Sentence("s1b", "here. Two.")),
            "source sentence 's1b' would be in no bead",
        ),
        (
            text(S[0]._replace(text="One here. Two. Three."), remove=(0, 2)),
            "a bead names the source sentence 's2': no such id",
        ),
    ],
)
def test_what_would_break_an_alignment_is_refused_and_leaves_no_trace(splices, told):
    state = small()
    with pytest.raises(ChangeRefused, match="^" + told.replace("(", r"\(")):
        state.apply(splices)
    assert rows_of(state) == {"source": S, "target": T, "beads": B}
    checked(state)


ROW = B[0]._asdict() | {"source": ["s1"], "target": ["t1"]}


@pytest.mark.parametrize(
    ("given_splices", "told"),
    [
        ({}, "splices: want a list"),
        ([1], "splice 0: want an object with"),
        ([{"list": "words", "at": 0, "remove": [], "insert": []}], "splice 0: list is 'words'"),
        ([{"list": [], "at": 0, "remove": [], "insert": []}], "splice 0: list is"),
        ([{"list": "beads", "at": True, "remove": [], "insert": []}], "splice 0: at is True"),
        ([{"list": "beads", "at": -1, "remove": [], "insert": []}], "splice 0: at is -1"),
        ([{"list": "beads", "at": 0, "remove": {}, "insert": []}], "remove is not a list"),
        *(
            ([{"list": "beads", "at": 0, "remove": [], "insert": [ROW | wrong]}], told)
            for wrong, told in (
                ({"more": 1}, "want rows with exactly id, source"),
                ({"id": ""}, "id is no string of 1 to 200"),
                ({"id": "\ud800"}, "id has half of a surrogate pair"),
                ({"source": "s1"}, "source is not a list"),
                ({"target": [1]}, "target is no string"),
                ({"state": "sure"}, "state is 'sure'"),
                ({"state": []}, "state is"),
                ({"probability": float("nan")}, "probability is nan"),
                ({"probability": True}, "probability is True"),
                ({"probability": 1.5}, "probability is 1.5"),
                ({"comment": None}, "comment is no string"),
                ({"bookmark": 1}, "bookmark is 1: want true or false"),
            )
        ),
        (
            [{"list": "source", "at": 0, "remove": [], "insert": [{"id": "s", "text": "x"}]}],
            "want rows with exactly id, text, paragraph",
        ),
    ],
)
def test_what_is_no_splice_is_refused(given_splices, told):
    with pytest.raises(InputError, match=told):
        splices_of(given_splices)


def test_the_draws_are_the_same_for_the_same_seed():
    one, two = (drawn_change(Random(4), first_rows(), 0) for _ in range(2))
    assert one == two
