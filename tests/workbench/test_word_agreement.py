"""Agreement about word links: a worked example, what counts, the command, the page."""

from __future__ import annotations

import json

import pytest

from bitext.cli.main import main
from bitext.workbench.agreement import agreement, word_agreement, word_figures
from bitext.workbench.changes import Bead, Splice


def bead(sure, possible=(), *, name="b0", linked=True, sides=(("s0",), ("t0",))):
    links = [(sides[0][0], i, sides[1][0], j, "sure", None) for i, j in sure]
    links += [(sides[0][0], i, sides[1][0], j, "possible", None) for i, j in possible]
    return Bead(name, *sides, words=tuple(links), linked=linked)


# Anna: S = {0-0, 1-1, 2-2}, P = S and 3-3. Bea: S = {0-0, 1-1}, P = S and 2-3, 3-3.
ANNA = bead([(0, 0), (1, 1), (2, 2)], [(3, 3)])
BEA = bead([(0, 0), (1, 1)], [(2, 3), (3, 3)])


def test_the_worked_example():
    figures = word_figures([ANNA], [BEA])
    assert figures.sure.f1 == pytest.approx(2 * 2 / (3 + 2))
    assert figures.whole.f1 == pytest.approx(2 * 3 / (4 + 4))
    # Gold anna: A = bea's 4 links, 2 of S, 3 of P. Gold bea: A = anna's 4 links, 2 of S, 3 of P.
    assert figures.first.aer == pytest.approx(1 - (2 + 3) / (4 + 3))
    assert figures.second.aer == pytest.approx(1 - (2 + 3) / (4 + 2))


def test_who_is_first_does_not_change_the_figures_but_for_their_order():
    one, other = word_figures([ANNA], [BEA]), word_figures([BEA], [ANNA])
    assert (one.sure.f1, one.whole.f1) == (other.sure.f1, other.whole.f1)
    assert (one.first.aer, one.second.aer) == (other.second.aer, other.first.aer)


def test_an_annotator_agrees_with_herself():
    figures = word_figures([ANNA], [ANNA])
    assert (figures.sure.f1, figures.whole.f1, figures.first.aer) == (1, 1, 0)


def test_only_beads_count_that_both_have_and_have_confirmed():
    others = [
        bead([(5, 5)], name="b1", linked=False, sides=(("s1",), ("t1",))),
        bead([(5, 5)], name="b2", sides=(("s2",), ("t2", "t3"))),
    ]
    theirs = [
        bead([(6, 6)], name="b1", sides=(("s1",), ("t1",))),
        bead([(6, 6)], name="b2", sides=(("s2",), ("t2",))),
    ]
    alone = word_figures([ANNA], [BEA])
    assert word_figures([ANNA, *others], [BEA, *theirs]) == alone
    assert word_figures(others, theirs) is None


def test_documents_are_added_up():
    rows = word_agreement(
        [
            ("one", {"anna": [ANNA], "bea": [BEA]}),
            ("two", {"anna": [bead([])], "bea": [bead([(0, 0)])], "cem": [bead([], linked=False)]}),
        ]
    )
    assert [(row["document"], row["annotators"], row["beads"], row["links"]) for row in rows] == [
        ("one", ["anna", "bea"], 1, [4, 4]),
        ("two", ["anna", "bea"], 1, [0, 1]),
        (None, ["anna", "bea"], 2, [4, 5]),
    ]
    assert rows[2]["f1"] == pytest.approx(2 * 3 / (4 + 5))
    assert rows[2]["aer"] == pytest.approx([1 - 5 / (5 + 3), 1 - 5 / (4 + 3)])
    # Nobody has a sure link: the figures that need one are undefined.
    rows = word_agreement([("x", {"a": [bead([])], "b": [bead([])]})])
    assert (rows[0]["f1_sure"], rows[0]["aer"]) == (None, [None, None])


def confirmed(project, annotator, words):
    number = project.assign(1, annotator)
    old = project.rows(number)[1]["beads"][0]
    new = old._replace(words=words, linked=True)
    change = [Splice("beads", 0, (old,), (new,))]
    project.change(number, change, name="link words", annotator=annotator)


def test_the_command_and_the_answer_of_the_server_have_it(project, client, capsys):
    confirmed(project, "anna", ANNA.words)
    confirmed(project, "bea", tuple(each for each in BEA.words if each[3] < 4))
    (row,) = agreement(project)["words"]
    assert client.get("/api/agreement").json()["words"] == [row]
    assert row["f1_sure"] == pytest.approx(0.8)
    path = str(project.path)
    project.close()
    assert main(["agreement", path, "--format", "tsv"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["document", "annotators", "measure", "value", "beads", "share"]
    assert [line[2] for line in lines[1:]] == [
        "F sure word links", "F word links", "AER, gold anna", "AER, gold bea"
    ]  # fmt: skip
    assert float(lines[3][3]) == pytest.approx(2 / 7)
    assert main(["agreement", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["words"] == [row]
