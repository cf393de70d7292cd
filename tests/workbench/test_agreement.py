"""Agreement of annotators: F of two, alpha of several, what counts, and progress."""

from __future__ import annotations

import json
import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.cli.main import main
from bitext.metrics import arcade
from bitext.model import Alignment
from bitext.workbench.agreement import agreement, common_beads, decisions_of, units_of
from bitext.workbench.changes import Bead, Splice

from .conftest import add_document

SIDES = ("source", "target")
STATES = ("confirmed", "confirmed", "proposed")


def beads_of(sizes, states):
    """Beads in order, of the sizes of their sides; the last takes the rest of 8 and 8 sentences."""
    ends, found = [0, 0], []
    for k, (size, state) in enumerate(zip(sizes, states, strict=True)):
        spans = [range(end, min(8, end + part)) for end, part in zip(ends, size, strict=True)]
        ends = [span.stop for span in spans]
        if any(spans):
            ids = [tuple(f"{'st'[side]}{j}" for j in span) for side, span in enumerate(spans)]
            found.append(Bead(f"b{k}", *ids, state))
    rest = [tuple(f"{'st'[side]}{j}" for j in range(end, 8)) for side, end in enumerate(ends)]
    return [*found, Bead("z", *rest, "confirmed")] if any(rest) else found


SIZE = st.sampled_from([(1, 1), (1, 1), (1, 1), (2, 1), (1, 2), (1, 0), (0, 1), (2, 2)])
BEADS = st.lists(st.tuples(SIZE, st.sampled_from(STATES)), max_size=8).map(
    lambda drawn: beads_of([size for size, _ in drawn], [state for _, state in drawn])
)


def decided(beads, side):
    """The beads of each sentence, by the definition."""
    found = {}
    for sentence in [f"{side[0]}{k}" for k in range(8)]:
        own = [bead for bead in beads if sentence in getattr(bead, side)]
        if own and all(bead.state == "confirmed" for bead in own):
            found[sentence] = own
    return found


def slow_alpha(coders):
    """Krippendorff's alpha by its definition, over all pairs of values."""
    observed, expected, size = 0.0, 0.0, 0
    for side in SIDES:
        values = [decided(beads, side) for beads in coders]
        kinds = []
        for sentence in [f"{side[0]}{k}" for k in range(8)]:
            held = [each[sentence] for each in values if sentence in each]
            if len(held) < 2:
                continue
            sets = [{(bead.source, bead.target) for bead in each} for each in held]
            differing = sum(a != b for a, b in permutations(sets, 2))
            observed += differing / (len(held) - 1)
            kinds += [
                sorted((len(bead.source), len(bead.target)) for bead in each) for each in held
            ]
        size += len(kinds)
        if len(kinds) > 1:
            expected += sum(a != b for a, b in permutations(kinds, 2)) / (len(kinds) - 1)
    if not size or not expected:
        return math.nan
    return 1 - observed / expected


@given(st.lists(BEADS, min_size=2, max_size=4))
def test_alpha_is_that_of_its_definition(coders):
    found = units_of([{"beads": beads} for beads in coders]).alpha
    assert found == pytest.approx(slow_alpha(coders), nan_ok=True)
    assert math.isnan(found) or found <= 1
    same = units_of([{"beads": coders[0]}] * 2)
    assert same.disagreement == 0
    assert same.alpha == 1 or math.isnan(same.alpha)
    pooled = units_of([{"beads": beads} for beads in coders]) + same
    assert pooled.decisions >= same.decisions


@given(BEADS, BEADS)
def test_only_what_both_have_decided_is_compared_and_all_of_it(one, other):
    first, second, sentences = common_beads(one, other, decisions_of(one), decisions_of(other))
    for beads, kept in ((one, first), (other, second)):
        for side, known in zip(SIDES, sentences, strict=True):
            touched = {one for bead in beads for one in getattr(bead, side) if one in known}
            assert touched == {one for bead in kept for one in getattr(bead, side)} == known
        assert all(bead.state == "confirmed" for bead in kept)
    if all(bead.state == "confirmed" for bead in (*one, *other)):
        assert (first, second) == (one, other)


def indices(beads):
    sides = [(bead.source, bead.target) for bead in beads]
    return Alignment([[int(one[1:]) for one in side] for side in both] for both in sides)


@given(BEADS, BEADS)
def test_f_does_not_depend_on_who_is_the_gold_standard(one, other):
    first, second, _ = common_beads(one, other, decisions_of(one), decisions_of(other))
    for granularity in ("alignment", "sentence"):
        both = [arcade(indices(a), indices(b))[granularity].f1 for a, b in
                ((first, second), (second, first))]  # fmt: skip
        assert both[0] == pytest.approx(both[1], nan_ok=True)


def confirm(project, number, annotator, count, merged=False):
    beads = project.rows(number)[1]["beads"]
    if merged:
        one, two = beads[:2]
        new = Bead("m", one.source + two.source, one.target + two.target, "confirmed")
        splices = [Splice("beads", 0, (one, two), (new,))]
        project.change(number, splices, name="merge", annotator=annotator)
        return
    old = tuple(beads[:count])
    new = tuple(bead._replace(state="confirmed") for bead in old)
    splices = [Splice("beads", 0, old, new)]
    project.change(number, splices, name="confirm", annotator=annotator)


def test_two_annotators_of_a_project_worked_by_hand(project, client, capsys):
    bea = project.assign(1, "bea")
    assert agreement(project)["rows"] == []
    confirm(project, 2, "anna", 3)
    confirm(project, bea, "bea", 5)
    found = agreement(project)
    # Both have the first three 1-1 beads, of 13 sentences.
    assert [row["f1"] for row in found["rows"]] == [1.0] * 4
    assert {(row["sentences"], row["share"]) for row in found["rows"]} == {(6, 6 / 13)}
    assert found["alpha"][0]["alpha"] is None  # all of it is 1-1
    # Bea makes one 2-2 bead of the first two: one bead of two is as anna has it, of three hers.
    confirm(project, bea, "bea", 0, merged=True)
    found = agreement(project)
    rows = {row["granularity"]: row["f1"] for row in found["rows"]}
    assert rows["alignment"] == pytest.approx(2 * 1 / (2 + 3))
    # Of pairs of sentences: 1-1 and 2-2 have 2 of 4 in common, and the third bead its one.
    assert rows["sentence"] == pytest.approx(2 * 3 / (3 + 5))
    # On each side two of three sentences differ, so 8 of 12 decisions; types of six: 4 are 1-1
    # and 2 are 2-2, so 2 * 4 * 2 of 6 * 5 pairs differ by chance.
    assert found["alpha"][0]["alpha"] == pytest.approx(1 - (8 / 12) / (16 / 30))
    for _ in range(2):  # also from what the server has kept
        assert client.get("/api/agreement").json() == json.loads(json.dumps(found))
    progress = {each["annotator"]: each for each in found["progress"]}
    assert (progress["anna"]["confirmed"], progress["anna"]["changes"]) == (3, 1)
    assert progress["bea"]["confirmed"] == 4
    capsys.readouterr()
    assert main(["agreement", str(project.path), "--format", "tsv", "-q"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split("\t") == [
        "document",
        "annotators",
        "measure",
        "value",
        "sentences",
        "share",
    ]
    assert out[1].split("\t")[:4] == ["de-en", "anna, bea", "F alignment", "0.4"]
    assert out[5].split("\t")[2:4] == ["alpha", repr(found["alpha"][0]["alpha"])]


def test_what_the_server_keeps_of_agreement_is_that_of_the_last_change(project, client):
    bea = project.assign(1, "bea")
    confirm(project, 2, "anna", 3)
    assert client.get("/api/agreement").json()["rows"] == []
    confirm(project, bea, "bea", 3)
    now = client.get("/api/agreement").json()
    assert {row["sentences"] for row in now["rows"]} == {6}
    project.undo(bea, annotator="bea")
    assert client.get("/api/agreement").json() == json.loads(json.dumps(agreement(project)))


def test_three_annotators_are_compared_pair_by_pair_and_together(project, capsys):
    numbers = {"anna": 2, "bea": project.assign(1, "bea"), "carla": project.assign(1, "carla")}
    for name, count in (("anna", 3), ("bea", 5), ("carla", 4)):
        confirm(project, numbers[name], name, count)
    confirm(project, numbers["bea"], "bea", 0, merged=True)
    found = agreement(project)
    rows = {
        tuple(row["annotators"]): row for row in found["rows"] if row["granularity"] == "alignment"
    }
    pairs = [("anna", "bea"), ("anna", "carla"), ("bea", "carla")]
    assert [*rows] == [*pairs, ("anna", "bea", "carla")]
    # Bea has one bead where the others have two: 1 of 2 and 3 is common, then all 3 of 3, then
    # 2 of 3 (b2, b3) and 4; together 2 * 6 of 5 + 6 + 7.
    expected = [2 * 1 / 5, 1.0, 2 * 2 / 7, 2 * 6 / 18]
    assert [row["f1"] for row in rows.values()] == pytest.approx(expected)
    assert [row["sentences"] for row in rows.values()] == [6, 6, 8, 8]
    alphas = {tuple(each["annotators"]): each["alpha"] for each in found["alpha"]}
    assert [*alphas] == [*rows]
    lists = {name: project.rows(number)[1] for name, number in numbers.items()}
    for names, alpha in alphas.items():
        held = units_of([lists[name] for name in names]).alpha
        assert alpha == pytest.approx(held) if alpha is not None else math.isnan(held)
    # The same once more in another document: the sums of both have the same shares.
    other = project.info(project.assign(add_document(project, "other"), "anna")).document
    again = {name: project.assign(other, name) for name in numbers}
    for name, count in (("anna", 3), ("bea", 5), ("carla", 4)):
        confirm(project, again[name], name, count)
    confirm(project, again["bea"], "bea", 0, merged=True)
    found = agreement(project)
    overall = [row for row in found["rows"] if row["document"] is None]
    overall = [row for row in overall if row["granularity"] == "alignment"]
    assert [tuple(row["annotators"]) for row in overall] == [*rows]
    assert [row["f1"] for row in overall] == pytest.approx(expected)
    assert [row["sentences"] for row in overall] == [12, 12, 16, 16]
    capsys.readouterr()
    assert main(["agreement", str(project.path), "--format", "tsv", "-q"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert ["all", "anna, bea, carla", "F alignment"] in [line[:3] for line in lines]
    assert ["all", "anna, carla", "alpha"] in [line[:3] for line in lines]


def test_documents_are_pooled(project):
    other = project.assign(add_document(project, "other"), "anna")
    for document, number in ((1, 2), (project.info(other).document, other)):
        confirm(project, number, "anna", 4)
        confirm(project, project.assign(document, "bea"), "bea", 4)
    found = agreement(project)
    assert [row["document"] for row in found["rows"][::4]] == ["de-en", "other", None]
    assert found["rows"][-1]["sentences"] == 16
    assert [each["document"] for each in found["alpha"]] == ["de-en", "other", None]


def test_a_project_of_one_annotator_is_refused_with_what_is_confirmed(project, capsys):
    confirm(project, 2, "anna", 3)
    assert main(["agreement", str(project.path)]) == 2
    assert capsys.readouterr().err.endswith(
        "no two annotators have confirmed beads, word links or segments of one document: "
        "confirmed: anna 3\n"
    )
    assert main(["agreement", str(project.path), "-o", str(project.path)]) == 2
    assert main(["agreement", f"{project.path}x"]) == 2


def test_changes_that_follow_from_another_alignment_and_those_of_the_aligner_are_no_work(project):
    rows = project.rows(2)[1]
    info = project.info(2)
    second = project.add_document("again", info.source, info.target, rows["beads"])
    own = project.assign(second, "anna")
    old = rows["source"][0]
    corrected = Splice("source", 0, (old,), (old._replace(text="Corrected."),))
    project.change(2, [corrected], name="correct sentence", annotator="anna")
    bead = rows["beads"][0]
    linked = bead._replace(words=(("s0", 0, "t0", 0, "proposed", 0.5),))
    proposed = [Splice("beads", 0, (bead,), (linked,))]
    project.change(own, proposed, name="propose word links", annotator="anna")
    progress = {each["document"]: each["changes"] for each in agreement(project)["progress"]}
    assert progress == {"de-en": 1, "again": 0}
