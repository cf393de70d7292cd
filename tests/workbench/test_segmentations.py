"""Texts to segment: their units and proposals, notations in and out, agreement worked by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import BitextError, InputError, OptionError
from bitext.formats.io.source import Notes
from bitext.formats.segmentations import WRITTEN, read_coders, read_segmentations, written
from bitext.model import Segmentation
from bitext.workbench.agreement import Decided, agreement, coded_places, common_stretches
from bitext.workbench.changes import Segment, Splice
from bitext.workbench.project import Project
from bitext.workbench.segmentations import (
    SegmentText,
    add_coders,
    add_text,
    export_segments,
    read_segment_texts,
    reading_options,
)

TALK = """\
The ferry left at noon. It was late.
Nobody minded.

The storm came in the night.
Mr. Smith saw it first.
=====
Bread is made of flour.
It takes an hour.
"""


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.bitext", "a", durable=False) as made:
        yield made


def read(path, units, types=("sentence", "paragraph", "topic"), **options):
    (text,) = read_segment_texts(str(path), units=units, types=types, **options)
    return {text.units[k]: own for k, own in enumerate(text.types) if own}, text


def test_units_are_lines_sentences_or_words_with_the_boundaries_of_the_file(write):
    path = write("talk.txt", TALK)
    both = {
        "The storm came in the night.": ("paragraph",),
        "Bread is made of flour.": ("paragraph", "topic"),
    }
    found, text = read(path, "lines")
    assert (found, len(text.units)) == (both, 6)
    found, text = read(path, "sentences")
    assert (found, text.units[1]) == (both, "It was late.")
    found, text = read(path, "words")
    assert len(text.units) == 30
    assert [own for own in text.types if own] == [
        ("sentence",),
        ("sentence",),
        ("sentence", "paragraph"),
        ("sentence",),
        ("sentence", "paragraph", "topic"),
        ("sentence",),
    ]
    assert read(path, "words", proposals=False)[0] == {}
    # A type that is not among those named is the last of them.
    assert set(read(path, "lines", types=("part", "scene"))[0].values()) == {("scene",)}


def test_lines_that_are_cut_anywhere_are_joined_before_sentences_are_split(write):
    path = write("run.txt", "The ferry had\nleft by the time\nthat he came\ndown. He\nwaited.\n")
    assert read(path, "sentences")[1].units == [
        "The ferry had left by the time that he came down.",
        "He waited.",
    ]


def test_words_of_scripts_without_blanks_are_their_letters(write):
    path = write("zh.txt", "天黑了。他走了。\n")
    found, text = read(path, "words", language="zh")
    assert text.units == ["天", "黑", "了", "。", "他", "走", "了", "。"]
    assert found == {"他": ("sentence",)}


def test_a_file_of_several_coders_is_a_text_and_their_codings(project, write):
    path = write("scenes.csv", "line,ana,bo\nIt rains.,1,1\nWe go.,0,1\nA dog.,1,0\n")
    notes, reading = Notes(), reading_options(spelling="begin-bits", coders=("ana", "bo"))
    (text,) = read_segment_texts(
        str(path), units="lines", types=["scene"], reading=reading, notes=notes
    )
    assert (text.units, text.types) == (["It rains.", "We go.", "A dog."], [()] * 3)
    assert any("of whom none is proposed" in str(note) for note in notes.all())
    document = add_text(project, text, ["scene"], "lines")
    assert add_coders(project, [document], str(path), reading=reading) == ["ana", "bo"]
    rows = project.rows(project.assign(document, "bo"))[1]["segments"]
    assert [(row.start, row.types) for row in rows] == [("u1", ()), ("u2", ("scene",))]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("5,5,1,3\n2,2\n", {}, "has no characters of its units"),
        ("A.\n", {"units": "pages"}, "want one of lines, sentences, words"),
        ("", {}, "is empty"),
    ],
)
def test_what_cannot_be_segmented_is_refused(write, content, options, message):
    path = write("a.txt", content)
    with pytest.raises(BitextError, match=message):
        read(path, **{"units": "lines", **options})


def coded(*boundaries, state="confirmed"):
    """Return rows with boundaries before the units of numbers from 1."""
    rows = [Segment("g1", "u1", (), state)]
    for number, *types in boundaries:
        rows.append(Segment(f"g{number}", f"u{number}", tuple(types or ["topic"]), state))
    return rows


def put(project, document, annotator, rows):
    number = project.assign(document, annotator)
    before = tuple(project.rows(number)[1]["segments"])
    change = [Splice("segments", 0, before, tuple(rows))]
    project.change(number, change, name="code", annotator=annotator)
    return number


def add(project, size=8, name="talk"):
    units = [f"Line {k} here." for k in range(1, size + 1)]
    text = SegmentText(name, "en", units, list(range(size)), [()] * size)
    return add_text(project, text, ["paragraph", "topic"], "lines")


@pytest.mark.parametrize("spelling", [each for each in WRITTEN if each != "segeval"])
def test_each_notation_comes_back_as_it_was_the_same_bytes_twice(project, tmp_path, spelling):
    number = put(project, add(project), "anna", coded((3, "paragraph"), (6,)))
    name, content, losses = export_segments(project, number, spelling)
    assert export_segments(project, number, spelling) == (name, content, losses)
    assert (spelling == "jsonl") == (losses == [])
    path = tmp_path / name
    path.write_bytes(content)
    (back,) = read_segmentations(path, format=spelling).values()
    assert back.masses.tolist() == [2, 3, 3]
    if spelling == "jsonl":
        assert back.types == (frozenset(["paragraph"]), frozenset(["topic"]))
    one = export_segments(project, number, spelling, type_="topic")
    path.write_bytes(one[1])
    (back,) = read_segmentations(path, format=spelling).values()
    assert back.masses.tolist() == [5, 3]
    assert one[2] == []


def test_the_file_of_segeval_has_all_annotators_and_comes_back_as_coders(project, tmp_path):
    document = add(project)
    put(project, document, "bea", coded((3,), (7,)))
    number = put(project, document, "anna", coded((3,), (6,)))
    name, content, _ = export_segments(project, number, "segeval")
    assert content.decode() == (
        '{"items":{"talk":{"anna":[2,3,3],"bea":[2,4,2]}},"segmentation_type":"linear"}\n'
    )
    path = tmp_path / name
    path.write_bytes(content)
    assert list(read_coders(path)) == ["anna", "bea"]
    again = add(project)
    assert add_coders(project, [again], str(path)) == ["anna", "bea"]
    number = project.assign(again, "bea")
    assert [row.start for row in project.rows(number)[1]["segments"]] == ["u1", "u3", "u7"]
    with pytest.raises(InputError, match="'anna' has a segmentation of 'talk' already"):
        add_coders(project, [again], str(path))
    with pytest.raises(InputError, match="has 8 units, and the text 'talk' has 9"):
        add_coders(project, [add(project, 9)], str(path))
    with pytest.raises(InputError, match="has no text of a name as 'other'"):
        add_coders(project, [add(project, 8, "other"), add(project, 8, "more")], str(path))


def test_codings_of_texts_that_are_no_documents_are_noted_as_are_notes_of_reading(project, write):
    path = write("bo.masses", "talk\t2,6\nwalk\t3,5\n")
    notes, documents = Notes(), [add(project, 8, "talk"), add(project, 8, "more")]
    assert add_coders(project, documents, str(path), notes=notes) == ["bo"]
    (left,) = [note for note in notes.all() if "no documents here" in note.kind]
    assert (left.count, left.first) == (1, f"{path}: bo: walk")
    runs, read = write("al.txt", "1 1 2 2\n"), Notes()
    with pytest.raises(InputError):
        add_coders(project, documents, str(runs), notes=read)
    assert any("masses" in note.kind for note in read.all())


def test_notations_that_cannot_have_a_text_are_refused():
    one = {"": Segmentation([1])}
    with pytest.raises(InputError, match="has one unit: no place"):
        written(one, "bits")
    with pytest.raises(InputError, match="unit 1 is '=====', which is a separator"):
        written(one, "text", units=["====="])
    with pytest.raises(OptionError, match="not written as 'textgrid'"):
        written(one, "textgrid")
    with pytest.raises(OptionError, match="of one coder, and there are 2"):
        written({"a": Segmentation([1]), "b": Segmentation([1])}, "masses")


# Agreement


def test_agreement_of_two_coders_worked_by_hand(project):
    document = add(project)
    put(project, document, "anna", coded((3,), (6,)))  # 2, 3, 3
    put(project, document, "bea", coded((3,), (7,)))  # 2, 4, 2
    found = agreement(project)["segmentations"]
    pairs = {row["metric"]: row["value"] for row in found["pairs"]}
    # One match, one near miss of cost 1/2: B = (1 + 1/2) / 2; S, where it is one edit: 1 - 1 / 7.
    assert pairs["boundary-similarity"] == pytest.approx(3 / 4)
    assert pairs["segmentation-similarity"] == pytest.approx(6 / 7)
    assert pairs["boundary.f1"] == pytest.approx(1 / 2)
    # Edges 2-2, 3-4 and 3-2, of each segment and its closest: 1, 3/4 and 2/3.
    assert pairs["alignment-similarity"] == pytest.approx((1 + 3 / 4 + 2 / 3) / 3)
    assert {(row["units"], row["share"]) for row in found["pairs"]} == {(8, 1.0)}
    # 14 marks at 7 places, 4 of them boundaries; 2 places differ, so 4 of 14 marks disagree.
    alpha, kappa = found["coefficients"]
    chance = Fraction(4 * 3 + 10 * 9, 14 * 13)
    assert alpha["value"] == pytest.approx(float(1 - Fraction(2, 7) / (1 - chance)))
    share = Fraction(4, 14)
    by_pi = share**2 + (1 - share) ** 2
    assert kappa["value"] == pytest.approx(float((Fraction(5, 7) - by_pi) / (1 - by_pi)))
    assert (alpha["coefficient"], alpha["places"], alpha["document"]) == (
        "krippendorff-alpha", 7, "talk",
    )  # fmt: skip


def test_only_what_is_confirmed_counts(project):
    document = add(project)
    put(project, document, "anna", coded((3,), (6,)))
    rows = coded((3,), (7,))
    rows[2] = rows[2]._replace(state="proposed")  # units 7 and 8
    put(project, document, "bea", rows)
    put(project, document, "cleo", coded(state="proposed"))
    found = agreement(project)["segmentations"]
    assert {tuple(row["annotators"]) for row in found["pairs"]} == {("anna", "bea")}
    # Units 1 to 6: 2, 3, 1 and 2, 4.
    assert {(row["units"], row["share"]) for row in found["pairs"]} == {(6, 0.75)}
    values = {row["metric"]: row["value"] for row in found["pairs"]}
    assert values["boundary-similarity"] == pytest.approx(1 / 2)
    assert found["coefficients"][0]["places"] == 5
    progress = {row["annotator"]: row["confirmed"] for row in found["progress"]}
    assert progress == {"anna": 3, "bea": 2, "cleo": 0}


def test_places_that_are_decided_one_by_one_do_not_count_before_their_segments(project):
    """They are those at which coders differ: alpha over them is not that of the text."""
    document = add(project, size=41)
    alike, annas, bens = range(4, 36, 4), (37, 39), (38, 40)
    put(project, document, "anna", coded(*sorted((k,) for k in (*alike, *annas))))
    put(project, document, "ben", coded(*sorted((k,) for k in (*alike, *bens))))

    def alphas():
        rows = agreement(project)["segmentations"]["coefficients"]
        return {
            "".join(row["annotators"]): row["value"]
            for row in rows
            if row["coefficient"] == "krippendorff-alpha" and row["type"] is None
        }

    # Carla decides the four differences alone, two as anna has them, two as ben.
    first = coded((37,), (40,), state="proposed")
    first = [
        first[0],
        first[1]._replace(decided=("u37", "u38", "u39")),
        first[2]._replace(decided=("u40",)),
    ]
    put(project, document, "carla", first)
    found = agreement(project)["segmentations"]
    assert set(alphas()) == {"annaben"}
    decided = {row["annotator"]: row["decided"] for row in found["progress"]}
    assert decided == {"anna": 0, "ben": 0, "carla": 4}
    # Over these four, agreement would be at chance; two of 40 places differ when all is confirmed.
    anna, carla = [1, 0, 1, 0], [1, 0, 0, 1]
    assert alpha_by_definition([*map(list, zip(anna, carla, strict=True))]) == pytest.approx(1 / 8)
    put(project, document, "carla", coded(*sorted((k,) for k in (*alike, 37, 40))))
    whole = 1 - (2 / 40) / (2 * 20 * 60 / (80 * 79))
    assert alphas()["annacarla"] == pytest.approx(whole)
    assert alphas()["bencarla"] == pytest.approx(whole)
    assert round(whole, 2) == 0.87


def test_alpha_of_each_type_counts_its_boundaries_alone(project):
    document = add(project)
    put(project, document, "anna", coded((3, "paragraph"), (6, "paragraph", "topic")))
    put(project, document, "bea", coded((3, "topic"), (6, "paragraph", "topic")))
    rows = agreement(project)["segmentations"]["coefficients"]
    values = {(r["type"]): r["value"] for r in rows if r["coefficient"] == "krippendorff-alpha"}
    assert values[None] == 1  # at the same places
    chance = Fraction(3 * 2 + 11 * 10, 14 * 13)
    expected = pytest.approx(float(1 - Fraction(1, 7) / (1 - chance)))
    assert values["paragraph"] == expected
    assert values["topic"] == expected


def alpha_by_definition(values):
    """Return alpha of items, lists of the values of coders, by the matrix of coincidences."""
    coincidences = np.zeros((2, 2))
    for item in values:
        for k, a in enumerate(item):
            for n, b in enumerate(item):
                if k != n:
                    coincidences[a, b] += 1 / (len(item) - 1)
    totals = coincidences.sum(axis=1)
    size = totals.sum()
    expected = 2 * totals[0] * totals[1] / (size - 1)
    return 1 - (coincidences[0, 1] + coincidences[1, 0]) / expected if expected else None


@pytest.mark.parametrize("seed", range(40))
def test_alpha_over_incomplete_coders_is_that_of_its_definition(project, seed):
    draw = np.random.default_rng(seed)
    n, coders = int(draw.integers(4, 20)), int(draw.integers(2, 5))
    document, marks = add(project, n), {}
    for coder in range(coders):
        starts = [k for k in range(2, n + 1) if draw.random() < 0.4]
        rows = [
            row._replace(state=str(draw.choice(["confirmed", "confirmed", "doubtful"])))
            for row in coded(*((k,) for k in starts))
        ]
        put(project, document, f"c{coder}", rows)
        ends = [*starts, n + 1]
        whole = [False] * (n + 2)
        for row, end in zip(rows, ends, strict=True):
            whole[int(row.start[1:]) : end] = [row.state == "confirmed"] * (
                end - int(row.start[1:])
            )
        if any(whole[1 : n + 1]):
            marks[f"c{coder}"] = {
                k: int(k in starts) for k in range(2, n + 1) if whole[k - 1] and whole[k]
            }
    rows = [
        row
        for row in agreement(project)["segmentations"]["coefficients"]
        if row["coefficient"] == "krippendorff-alpha"
    ]
    groups = [*combinations(sorted(marks), 2)] + [tuple(sorted(marks))] * (len(marks) > 2)
    assert [tuple(row["annotators"]) for row in rows] == groups
    for row, group in zip(rows, groups, strict=True):
        items = [[marks[who][k] for who in group if k in marks[who]] for k in range(2, n + 1)]
        items = [item for item in items if len(item) > 1]
        assert row["places"] == len(items)
        expected = alpha_by_definition(items)
        assert row["value"] == (None if expected is None else pytest.approx(expected))


def test_stretches_and_places_of_a_text_that_is_decided_in_part():
    masses = Segmentation([2, 2, 2])
    one = Decided(masses, np.array([1, 1, 0, 0, 1, 1], dtype=bool))
    other = Decided(Segmentation([1, 5]), np.ones(6, dtype=bool))
    assert common_stretches([one, other]) == [
        [Segmentation([2]), Segmentation([1, 1])],
        [Segmentation([2]), Segmentation([2])],
    ]
    assert coded_places([one, other]) == [
        [Segmentation([2]), Segmentation([1, 1])],
        [Segmentation([2]), Segmentation([2])],
    ]
    assert coded_places([one, None]) == []


def test_agreement_over_all_texts_adds_counts(project):
    for name in ("talk", "tale"):
        document = add(project, name=name)
        put(project, document, "anna", coded((3,), (6,)))
        put(project, document, "bea", coded((3,), (7,) if name == "talk" else (6,)))
    found = agreement(project)["segmentations"]
    values = {
        row["document"]: row["value"]
        for row in found["pairs"]
        if row["metric"] == "boundary-similarity"
    }
    assert values == {"talk": 0.75, "tale": 1.0, None: 0.875}
    places = {row["document"]: row["places"] for row in found["coefficients"]}
    assert places == {"talk": 7, "tale": 7, None: 14}


# Over HTTP


def sent(client, *files, **options):
    import base64

    content = [
        {"name": name, "role": role, "content": base64.b64encode(text.encode()).decode()}
        for name, role, text in files
    ]
    return client.post("/api/import", json={"kind": "segmentation", "files": content, **options})


def test_a_text_comes_in_over_http_and_goes_out_the_same_twice(client):
    codings = "talk\t2,4\n"
    answer = sent(client, ("talk.txt", "alignment", TALK), ("d.masses", "document", codings),
                  types="part,chapter")  # fmt: skip
    assert answer.status_code == 200
    (number,) = answer.json()["alignments"]
    state = client.get(f"/api/alignments/{number}").json()
    assert state["alignment"]["kind"] == "segmentation"
    assert state["types"] == ["part", "chapter"]
    overview = client.get("/api/project").json()["segmentations"]
    of = {each["annotator"]: each["id"] for each in overview}
    assert sorted(of) == ["anna", "d"]  # who coded a file is named after it
    number = of["d"]
    state = client.get(f"/api/alignments/{number}").json()
    assert [(row["start"], row["state"]) for row in state["segments"]] == [
        ("u1", "confirmed"), ("u3", "confirmed"),
    ]  # fmt: skip
    address = f"/api/alignments/{number}/export"
    first = client.get(address, params={"format": "jsonl"})
    assert first.content == client.get(address, params={"format": "jsonl"}).content
    assert first.json() == {"id": "talk", "types": [[], ["part"], [], [], []]}
    assert client.get(address, params={"format": "tmx"}).status_code == 400
    other = client.get(address, params={"format": "masses", "type": "scene"})
    assert other.status_code == 400
    assert other.json()["error"] == "no boundary has the type 'scene': want one of chapter, part"
    for work in ("realign", "compose"):
        assert client.post(f"/api/alignments/{number}/{work}", json={"with": 2}).status_code == 404
    assert [(each["name"], each["segments"]) for each in overview] == [("talk", 2), ("talk", 3)]


def test_codings_come_to_a_text_that_is_there(client):
    assert sent(client, ("talk.txt", "alignment", TALK)).status_code == 200
    answer = sent(client, ("late.masses", "document", "4,2\n"))
    assert (answer.status_code, answer.json()["alignments"]) == (200, [])
    overview = client.get("/api/project").json()["segmentations"]
    assert [each["annotator"] for each in overview] == ["anna", "late"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("m.tsv", "alignment", "text\tpath\na\t/etc/passwd\n")], "is a manifest"),
        ([("a.masses", "document", "1,1\n")], "there is no text to segment"),
        ([("a.txt", "alignment", "")], "is empty"),
        ([("a.txt", "alignment", "A.\n"), ("c", "document", "1,1\n")], "has 2 units"),
    ],
)
def test_what_cannot_come_in_is_refused_and_leaves_nothing(client, files, message):
    before = client.get("/api/project").json()
    answer = sent(client, *files)
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert "/tmp" not in answer.json()["error"]
    assert client.get("/api/project").json() == before


def test_characters_that_a_page_could_not_send_back_are_refused(project):
    text = SegmentText("a", "", ["\ud800"], [0], [()])
    with pytest.raises(BitextError, match="half of a surrogate pair"):
        add_text(project, text, ["a"], "lines")
    assert project.segmentations() == []


VALUES = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3))
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_change_whatever_breaks_a_segmentation_or_the_server(data, client, project):
    number = project.assign(add(project, 5), "anna")
    for _ in range(4):
        rows = [row._asdict() for row in project.rows(number)[1]["segments"]]
        at = data.draw(st.integers(0, len(rows)))
        keys = st.sampled_from(
            ["id", "start", "types", "state", "comment", "decided", "bookmark", "x"]
        )
        known = st.sampled_from(
            [["topic"], ["a", "b"], [], ["u4"], ["u3", "u4"], "u3", "u5", "confirmed", "g2", "g3"]
        )
        row = {**coded((3,))[1]._asdict(), **dict([data.draw(st.tuples(keys, VALUES | known))])}
        remove = rows[at : at + data.draw(st.integers(0, 2))]
        name = data.draw(st.sampled_from(["segments"] * 4 + ["source", "beads", "x"]))
        splice = {"list": name, "at": at, "remove": remove, "insert": [row]}
        answer = client.post(
            f"/api/alignments/{number}/{data.draw(st.sampled_from(['changes', 'undo', 'redo']))}",
            content=json.dumps({"splices": [splice]}),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code < 500
    with Project(project.path, durable=False) as again:  # checks all that has to hold
        assert again.rows(number) == project.rows(number)


@given(options=st.dictionaries(st.sampled_from(["units", "types", "format", "name"]), VALUES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_options_whatever_of_an_import_break_the_server(options, client):
    answer = sent(client, ("talk.txt", "alignment", TALK), **options)
    assert answer.status_code in {200, 400}
    assert answer.status_code == 200 or isinstance(answer.json()["error"], str)
