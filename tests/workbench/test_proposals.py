"""Proposals between confirmed beads: the course through these, and what is proposed beside it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.workbench.changes import Bead, Sentence
from bitext.workbench.proposals import (
    Realignment,
    course_of,
    realign,
    splices_for,
    stretches_between,
)

WORDS = ["anchor", "barge", "canal", "ditch", "ferry", "gull", "harbour", "keel", "lock", "tide"]
SIZES = st.sampled_from([(1, 1), (1, 1), (1, 1), (2, 1), (1, 2), (1, 0), (0, 1), (2, 2), (5, 1)])


def rows_of(sizes, states):
    """Beads of these sizes in order, with sentences that share words with their counterparts."""
    texts, beads = ([], []), []
    for k, (size, state) in enumerate(zip(sizes, states, strict=True)):
        ids = []
        for side, count in enumerate(size):
            names = [f"{'st'[side]}{len(texts[side]) + n}" for n in range(count)]
            for n, name in enumerate(names):
                words = [WORDS[(7 * k + 3 * j + n) % len(WORDS)] for j in range(4 + k % 3)]
                texts[side].append(Sentence(name, f"{' '.join(words)} {k}.", not texts[side]))
            ids.append(tuple(names))
        if any(ids):
            beads.append(Bead(f"b{k}", *ids, state))
    return {"source": texts[0], "target": texts[1], "beads": beads}


ROWS = st.lists(
    st.tuples(SIZES, st.sampled_from(["proposed", "confirmed", "doubtful"])),
    min_size=1,
    max_size=24,
).map(lambda drawn: rows_of([size for size, _ in drawn], [state for _, state in drawn]))


def asked(lists, stretches):
    content = [{row.id: row.text for row in lists[side]} for side in ("source", "target")]
    return [
        ([content[0][each] for each in one.source], [content[1][each] for each in one.target])
        for one in stretches
    ]


@settings(max_examples=60, deadline=None)
@given(ROWS, st.integers(0, 8))
def test_each_stretch_is_proposed_anew_whole_and_confirmed_beads_stay(lists, around):
    stretches = stretches_between(lists)
    course = course_of(lists, stretches, around)
    if not stretches:
        assert course is None
        return
    texts = (course.source, course.target)
    assert len(course.stretches) == len(stretches)
    for (row, column, end, last), stretch in zip(course.stretches, stretches, strict=True):
        known = [{one.id: one.text for one in lists[side]} for side in ("source", "target")]
        assert texts[0][row:end] == [known[0][each] for each in stretch.source]
        assert texts[1][column:last] == [known[1][each] for each in stretch.target]
    found = realign(asked(lists, stretches), course=course)
    for proposal, stretch in zip(found, stretches, strict=True):
        for side, ids in enumerate((stretch.source, stretch.target)):
            assert sorted(k for bead in proposal for k in bead[side]) == [*range(len(ids))]
        assert all(0 <= bead[2] <= 1 for bead in proposal)
    beads = list(lists["beads"])
    for splice in splices_for(lists, stretches, found, "r"):
        assert not [bead for bead in splice.remove if bead.state == "confirmed"]
        beads[splice.at : splice.at + len(splice.remove)] = splice.insert
    confirmed = [bead for bead in lists["beads"] if bead.state == "confirmed"]
    assert [bead for bead in beads if bead.state == "confirmed"] == confirmed


def test_confirmed_beads_are_on_the_course_and_only_the_rest_is_proposed():
    sizes = [(1, 1)] * 10 + [(2, 1)] * 3 + [(1, 1)] * 10
    lists = rows_of(sizes, ["confirmed"] * 11 + ["proposed"] + ["confirmed"] * 11)
    course = course_of(lists, stretches_between(lists))
    assert course.stretches == [(12, 11, 14, 12)]
    assert len(course.confirmed) == 22
    (proposal,) = realign([], course=course)
    assert [sum(len(bead[side]) for bead in proposal) for side in (0, 1)] == [2, 1]


def test_a_realignment_asks_for_one_path_through_the_confirmed_beads():
    lists = rows_of([(1, 1)] * 9, ["confirmed"] * 4 + ["proposed"] + ["confirmed"] * 4)
    project = SimpleNamespace(
        rows=lambda _: (SimpleNamespace(source=1, target=2), lists),
        text_of=lambda text: (f"text {text}", "en"),
    )
    work = Realignment(project, 1, None, None, annotator="a", holder=None, tell=print)
    function, (pairs, _, languages, course) = work.request
    stretches = stretches_between(lists)
    assert function is realign
    assert pairs == asked(lists, stretches)
    assert languages == ("en", "en")
    assert course == course_of(lists, stretches)
    assert course.stretches == [(4, 4, 5, 5)]


def test_a_part_of_a_long_text_is_enough():
    lists = rows_of([(1, 1)] * 400, ["confirmed"] * 200 + ["proposed"] * 3 + ["doubtful"] * 197)
    stretches = stretches_between(lists, "b201", "b202")
    course = course_of(lists, stretches, 20)
    assert len(course.source) == 42
    assert course.stretches == [(20, 20, 22, 22)]
    assert len(course.confirmed) == 19


@pytest.mark.parametrize(
    "beads",
    [
        # Links that cross the stretch, a sentence in two beads, and a sentence without text.
        [("s0", "t1", "confirmed"), ("s1", "t0", "proposed"), ("s2", "t2", "confirmed")],
        [("s0", "t0", "confirmed"), ("s0 s1", "t1", "proposed"), ("s2", "t2", "confirmed")],
        [("s0", "t0", "confirmed"), ("s1", "t1", "proposed"), ("s2", "t2", "doubtful")],
    ],
)
def test_where_links_cross_each_stretch_is_a_text_of_its_own(beads):
    lists = rows_of([(1, 1)] * 3, ["proposed"] * 3)
    if beads[2][2] == "doubtful":
        lists["source"][2] = lists["source"][2]._replace(text=" ")
    lists["beads"] = [
        Bead(f"b{k}", tuple(src.split()), tuple(tgt.split()), state)
        for k, (src, tgt, state) in enumerate(beads)
    ]
    stretches = stretches_between(lists)
    assert course_of(lists, stretches) is None
    found = realign(asked(lists, stretches), course=None)
    for proposal, stretch in zip(found, stretches, strict=True):
        assert sorted(k for bead in proposal for k in bead[0]) == [*range(len(stretch.source))]


def test_links_that_cross_elsewhere_are_gone_around():
    lists = rows_of([(1, 1)] * 8, ["confirmed"] * 8)
    beads = lists["beads"]
    beads[1], beads[2] = (
        beads[1]._replace(target=beads[2].target),
        beads[2]._replace(target=beads[1].target),
    )
    beads[5] = beads[5]._replace(state="proposed")
    course = course_of(lists, stretches_between(lists))
    assert course.stretches == [(5, 5, 6, 6)]
    assert course.confirmed == [(k, k, k + 1, k + 1) for k in (0, 3, 4, 6, 7)]


def test_a_stretch_that_crosses_is_a_text_of_its_own_and_others_are_on_the_course():
    lists = rows_of([(1, 1)] * 9, ["confirmed"] * 9)
    beads = lists["beads"]
    beads[1], beads[2] = (
        beads[1]._replace(target=beads[2].target),
        beads[2]._replace(target=beads[1].target, state="proposed"),
    )
    beads[6] = beads[6]._replace(state="doubtful")
    stretches = stretches_between(lists)
    course = course_of(lists, stretches)
    assert course.stretches == [None, (6, 6, 7, 7)]
    found = realign(asked(lists, stretches), course=course)
    assert [[bead[:2] for bead in proposal] for proposal in found] == [[([0], [0])]] * 2
