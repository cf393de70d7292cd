"""Files with the segmentations of several coders: of segeval, and tables with a column a coder."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from types import FunctionType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext import Segmentation, compare
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.segmentations import read_coders, read_segmentations
from formats.samples import paired_segmentations

segeval_data = pytest.importorskip("segeval.data")

HARBOUR = {
    "items": {
        "pier": {"ann": [2, 3, 3], "ben": [2, 6], "cat": [5, 3]},
        "quay": {"ann": [4, 1], "cat": [3, 2]},
    },
    "segmentation_type": "linear",
}
TABLE = "Coder\tMasses\nann\t2\t3\t3\nben\t2\t6\t\t\ncat\t5\t3\n"


def coded(path, **options):
    """Return the masses of the file, by coder and text."""
    tables = read_coders(path, **options)
    return {coder: {t: list(s) for t, s in table.items()} for coder, table in tables.items()}


def paired(references, systems=(), **options):
    given = ({str(path.stem): str(path) for path in paths} for paths in (references, systems))
    return paired_segmentations(next(given), next(given), **options)


# segeval


def by_segeval(reader, path):
    """Read with segeval, which opens files in a mode that Python no longer has."""
    names = {**reader.__globals__, "open": lambda name, _: StringIO(Path(name).read_text("utf-8"))}
    read = FunctionType(reader.__code__, names, argdefs=reader.__defaults__)
    return {item: dict(codings) for item, codings in read(str(path)).items()}


def by_item(found):
    items = {}
    for coder, texts in found.items():
        for text, masses in texts.items():
            items.setdefault(text, {})[coder] = tuple(masses)
    return items


@pytest.mark.parametrize("indent", [None, 4])
def test_the_json_of_segeval_is_read_as_segeval_reads_it(write, indent):
    path = write("harbour.json", json.dumps(HARBOUR, indent=indent, sort_keys=True))
    assert by_item(coded(path)) == by_segeval(segeval_data.input_linear_mass_json, path)
    assert list(coded(path, coders="cat")["cat"]) == ["pier", "quay"]


def test_the_tsv_of_segeval_is_read_as_segeval_reads_it(write):
    path = write("pier.tsv", TABLE.replace("\t\t\n", "\n"))
    theirs = by_segeval(segeval_data.input_linear_mass_tsv, path)
    assert by_item(coded(path)) == theirs == {"pier": by_item(coded(path))["pier"]}
    assert by_item(coded(write("pier.tsv", TABLE))) == theirs  # padded by a spreadsheet
    commas = write("pier.csv", TABLE.replace("\t", ","))
    assert by_item(coded(commas)) == theirs
    positions = "Coder,Positions\nann,1,1,2,2,2,3,3,3\nben,1,1,2,2,2,2,2,2\n"
    found = coded(write("pier.csv", positions))
    assert found == {"ann": {"pier": [2, 3, 3]}, "ben": {"pier": [2, 6]}}


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1)
codings = st.dictionaries(names, st.lists(st.integers(1, 30), min_size=1), min_size=1, max_size=4)


@pytest.mark.filterwarnings("ignore:codecs.open:DeprecationWarning")  # segeval calls it
@given(st.dictionaries(names, codings, min_size=1, max_size=3), st.booleans())
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_segeval_writes_is_read_back(write, items, named):
    path = write("made.json", "")
    data = segeval_data.Dataset(items, properties={"about": "made"} if named else None)
    segeval_data.jsonutils.output_linear_mass_json(str(path), data)
    found = read_coders(path)
    if len(found) == 1:
        (coder,) = {c for codings in items.values() for c in codings}
        found = {coder: found[""]}
    assert {c: {t: list(s) for t, s in table.items()} for c, table in found.items()} == {
        coder: {t: codings[coder] for t, codings in items.items() if coder in codings}
        for coder in {c for codings in items.values() for c in codings}
    }


def test_older_files_of_segeval_have_codings_or_items_without_coders(write):
    path = write("pier.json", '{"codings": {"a": [2, 1], "b": [3]}, "segmentation_type": "linear"}')
    assert coded(path) == {"a": {"pier": [2, 1]}, "b": {"pier": [3]}}
    path = write("ann.json", '{"items": {"t1": [2, 1], "t2": [3]}, "segmentation_type": "linear"}')
    assert coded(path) == {"": {"t1": [2, 1], "t2": [3]}}


@pytest.mark.parametrize(
    ("ann", "ben", "kinds"),
    [
        ([1, 1, 2, 2], [1, 1, 2, 2], ["numbers taken as masses, which could be the segment"]),
        ([2, 1, 3], [3, 3], []),
        ([1, 1, 1, 3], [1, 2, 2, 1], []),
        ([1, 1, 1, 1], [1, 1, 1, 1], []),
        ([1, 1, 2, 2], [1, 2, 3], []),
    ],
)
def test_numbers_that_could_be_positions_are_told(write, ann, ben, kinds):
    items = {"t1": {"ann": ann, "ben": ben}}
    path = write("a.json", json.dumps({"items": items, "segmentation_type": "linear"}))
    tables = read_coders(path)
    assert {coder: list(table["t1"]) for coder, table in tables.items()} == items["t1"]
    found = [note.kind for note in next(iter(tables.values())).notes]
    assert [kind.partition(" of each")[0] for kind in found] == kinds


def test_positions_of_segeval_are_refused(write):
    items = {"t1": {"ann": [1, 1, 2, 2], "ben": [1, 2, 2, 3]}}
    path = write("a.json", json.dumps({"items": items, "segmentation_type": "linear"}))
    with pytest.raises(FormatError, match="has the number of the segment of each unit"):
        read_coders(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"items": {}, "segmentation_type": "linear"}', 'has no "items"; want texts'),
        ('{"segmentation_type": "linear"}', 'has no "items"'),
        (
            '{"a": {"t": [5], "u": [3]}, "b": {"t": [4], "u": [2]}}',
            "masses in two levels, in",
        ),
        ('{"items": [], "segmentation_type": 1}', 'the "segmentation_type" 1; want "linear"'),
        ('{"items": {"t": {"a": [1, 0]}}}', r"line 1: mass 1 is 0.*\(item 't', 'a'\)"),
        ('{"items": {"t": {"a": [true]}}}', r"has \[True\] \(item 't', 'a'\); want masses"),
        ('{"items": {"t": {"a": []}}}', r"has \[\] .*want masses"),
        ('{\n"items": {\n"t": {"a": "12"}}}', r"line 3: has '12' .*want masses"),
        ('{"items": {"t": {"a": [1]},\n"u": {}}}', "line 2: has the item 'u' without coders"),
        ('{"items": {"t": {"a": [1]}, "u": [1]}}', "has the item 'u' without coders"),
        ('{"items": {"t": {"a": [1], "a": [1]}}}', "has the key 'a' twice"),
        ('{"items": {"\\ud800": {"a": [1]}}}', "half of a surrogate pair in the name"),
        ('{\n"items": {"t": {"a": [1]}}', "line 2: is not JSON"),
        ('{"items": ' + '{"t": ' * 300_000, "is JSON beyond all limits: it is nested"),
        ('{"items": {"t": {"a": [99999999999999999999]}}}', "item 't', 'a'"),
        ("Coder\tMasses\na\t2\t1\na\t3\n", "line 3: is of coder 'a', as another line"),
        ("Coder\tMasses\na\t2\t0\n", r"line 2: mass 1 is 0.*\(coder 'a'\)"),
        ("Coder\tPositions\na\t1\t3\t3\n", "line 2: has numbers of segments that do not rise"),
    ],
)
def test_what_is_wrong_with_a_file_of_segeval(write, content, message):
    with pytest.raises(FormatError, match=message):
        read_coders(write("made.json", content))


@pytest.mark.parametrize(
    ("content", "options", "coders"),
    [
        ('{"t": {"a": [2, 3], "b": [5]}, "u": {"a": [4, 3], "b": [7]}}', {}, ["a", "b"]),
        ('{"a": {"t": [2, 3], "u": [4, 3]}, "b": {"t": [5], "u": [7]}}', {}, ["a", "b"]),
        ('{"a": [2, 3], "b": [5]}', {"format": "segeval"}, ["a", "b"]),
        ('{"a": [2, 3], "b": [5]}', {"coders": "b"}, ["b"]),
    ],
)
def test_masses_of_coders_may_lack_the_frame_of_segeval(write, content, options, coders):
    found = read_coders(write("t.json", content), **options)
    masses = {"a": [2, 3], "b": [5]}
    assert {coder: list(table["t"]) for coder, table in found.items()} == {
        coder: masses[coder] for coder in coders
    }


def test_of_two_levels_that_both_may_be_texts_the_first_is_with_a_note(write):
    content = '{"ann": {"t": [2, 3], "u": [1, 1, 1, 1, 1]}, "ben": {"t": [5], "u": [4, 1]}}'
    found = read_coders(write("t.json", content))
    assert {coder: [*table] for coder, table in found.items()} == {
        "t": ["ann", "ben"],
        "u": ["ann", "ben"],
    }
    kind = "which may be by coders, then by texts (if so, exchange the levels)"
    (note,) = found["t"].notes
    assert kind in note.kind
    assert note.first.endswith(": ann, ben")
    one = read_coders(write("t.json", '{"t": {"ann": [1, 1, 1], "ben": [3]}}'))
    assert {coder: list(table["t"]) for coder, table in one.items()} == {
        "ann": [1, 1, 1],
        "ben": [3],
    }
    assert not one["ann"].notes


def test_a_table_of_masses_may_lack_its_header_or_be_named(write):
    rows = "ann\t2\t3\t3\nben\t2\t6\ncat\t5\t3\n"
    found = read_coders(write("t.tsv", rows))
    assert {coder: list(table["t"]) for coder, table in found.items()} == {
        "ann": [2, 3, 3],
        "ben": [2, 6],
        "cat": [5, 3],
    }
    assert [note.kind for note in found["ann"].notes] == ["no header, so the first line is a coder"]
    assert not found["ben"].notes  # a note of the file is of its first coder
    with pytest.raises(FormatError, match="has a header only; want a coder"):
        read_coders(write("t.tsv", "Coder\tMasses\n"), format="segeval")
    with pytest.raises(FormatError, match="line 2: holds 'x'; want the name of a coder"):
        read_coders(write("t.tsv", "Coder\tMasses\nann\t2\tx\n"), format="segeval")


def test_rows_of_masses_below_a_name_of_texts_have_to_be_named(write):
    path = write("t.csv", "id,m1,m2,m3\na,5,3,\nb,4,4,\nc,2,2,4\n")
    with pytest.raises(FormatError, match=r"below 'id': of the coders .* \(format='segeval'\)"):
        read_coders(path)
    assert [*read_coders(path, format="segeval")] == ["a", "b", "c"]
    named = write("t.csv", "coder,m1,m2,m3\na,5,3,\nb,4,4,\nc,2,2,4\n")
    assert [*read_coders(named)] == ["a", "b", "c"]


ROWS = [("t1", "ann", "5,5"), ("t1", "ben", "4,6"), ("t2", "ann", "7"), ("t2", "ben", "3,4")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "text,coder,masses\n" + "".join(f'{t},{c},"{m}"\n' for t, c, m in ROWS)),
        ("t.csv", "text,coder,masses\n" + "".join(f"{t},{c},{m}\n" for t, c, m in ROWS)),
        ("t.tsv", "coder\ttext\tmasses\n" + "".join(f"{c}\t{t}\t{m}\n" for t, c, m in ROWS)),
        ("t.csv", "Annotator;Datei;Segments\n" + "".join(f"{c};{t};{m}\n" for t, c, m in ROWS)),
        (
            "t.csv",
            ",text,coder,n,masses\n"
            + "".join(f'{k},{t},{c},9,"[{m}]"\n' for k, (t, c, m) in enumerate(ROWS)),
        ),
        (
            "t.jsonl",
            "".join(f'{{"text": "{t}", "coder": "{c}", "masses": [{m}]}}\n' for t, c, m in ROWS),
        ),
    ],
)
def test_tables_of_texts_coders_and_masses(write, name, content):
    found = read_coders(write(name, content))
    assert {c: {t: list(each) for t, each in table.items()} for c, table in found.items()} == {
        "ann": {"t1": [5, 5], "t2": [7]},
        "ben": {"t1": [4, 6], "t2": [3, 4]},
    }


def test_what_is_wrong_with_a_table_of_texts_and_coders(write):
    for rows, message in (
        ('t1,ann,"5,5"\nt1,ann,"4,6"\n', "line 3: is a second text named 't1', as in line 2"),
        ('t1,,"5,5"\nt1,ann,"4,6"\n', "line 2: has no name of its text or coder"),
        ('t1,ann,"[1, 1, 2, 2]"\nt1,ben,"[1, 1, 1, 2]"\n', "has the number of the segment of"),
    ):
        with pytest.raises(FormatError, match=message):
            read_coders(write("t.csv", f"text,coder,masses\n{rows}"))
    found = read_coders(write("t.csv", 'text,coder,masses\nt1,ann,"5,5"\nt1,ben,NA\n'))
    assert list(found) == ["ann"]


@pytest.mark.parametrize("column", ["label", "5"])
def test_a_row_may_be_a_unit_of_one_of_several_coders(write, column):
    rows = ["a,U,ann,x", "a,U,ben,x", "a,V,ann,x", "a,V,ben,y", "b,W,ann,y", "b,W,ben,y"]
    lines = (f"{k},{row}\n" for k, row in enumerate(rows))
    path = write("t.csv", ",doc,unit,coder,label\n" + "".join(lines))
    found = read_coders(path, format="labels", column=column, texts="doc")
    assert {c: {t: list(each) for t, each in table.items()} for c, table in found.items()} == {
        "ann": {"a": [2], "b": [1]},
        "ben": {"a": [1, 1], "b": [1]},
    }


@pytest.mark.parametrize("rows", ["by coder", "by unit"])
def test_a_table_that_repeats_its_units_by_coder_needs_no_name_of_its_column(write, rows):
    marks = {"ann": "1001", "ben": "1010"}
    cells = [(c, k, marks[c][k]) for c in marks for k in range(4)]
    cells.sort(key=lambda cell: cell[rows == "by unit"])
    lines = "".join(f"{c},u{k},{mark}\n" for c, k, mark in cells)
    assert coded(write("t.csv", f"coder,unit,mark\n{lines}"), format="begin-bits") == {
        "ann": {"t": [3, 1]},
        "ben": {"t": [2, 2]},
    }
    # Not repeated by another: the turns of a dialogue, and a table of one text.
    for head in ("user,unit,mark", "coder,unit,mark"):
        path = write("t.csv", f"{head}\nann,u0,1\nben,u1,0\nann,u2,1\nben,u3,0\n")
        made = read_segmentations(path, format="begin-bits", texts="one")
        assert [list(each) for each in made.values()] == [[2, 2]]


def test_a_table_by_coder_may_lack_texts_of_a_coder(write):
    texts = {"x": ["Oh.", "No.", "So."], "y": ["It is.", "I am."]}
    of_coders = {"ann": ["x", "y"], "ben": ["x"], "cem": ["y", "x"]}
    lines = [
        f"{doc},{coder},{unit},{int(unit != 'No.')}\n"
        for coder, docs in of_coders.items()
        for doc in docs
        for unit in texts[doc]
    ]
    table = "doc,coder,unit,mark\n" + "".join(lines)
    found = coded(write("t.csv", table), format="begin-bits")
    each = {"x": [2, 1], "y": [1, 1]}
    assert found == {c: {doc: each[doc] for doc in docs} for c, docs in of_coders.items()}
    few = "coder,n,unit,mark\nann,1,Oh.,1\nann,2,No.,0\nann,3,So.,1\nben,1,It is.,1\n"
    with pytest.raises(FormatError, match="column 1 that may name the texts"):
        read_segmentations(write("t.csv", few), format="begin-bits")


def test_coders_of_a_file_without_coders_are_refused(write):
    path = write("a.masses", "5,5\n")
    for read in (read_coders, read_segmentations):
        with pytest.raises(OptionError, match=r"a.masses: has no coders: leave coders= out, which"):
            read(path, coders="ann")


def test_a_text_without_a_value_is_not_coded(write):
    items = {"t1": {"ann": [2, 3], "ben": [3, 2]}, "t2": {"ann": [4, 1], "ben": None}}
    found = read_coders(write("a.json", json.dumps({"items": items})))
    assert {coder: list(table) for coder, table in found.items()} == {
        "ann": ["t1", "t2"],
        "ben": ["t1"],
    }
    assert "texts that a coder did not code (null)" in {note.kind for note in found["ann"].notes}


# Choice of coders, and their places in a comparison


def test_coders_are_chosen_by_name_or_number(write):
    path = write("harbour.json", json.dumps(HARBOUR))
    assert list(read_coders(path, coders="cat,ann")) == ["cat", "ann"]
    assert list(read_coders(path, coders=[2])) == ["ben"]
    assert list(read_segmentations(path, coders="ben")) == ["pier"]
    with pytest.raises(InputError, match="is of several coders, ann, ben, cat: name one"):
        read_segmentations(path)
    with pytest.raises(InputError, match=r"no coder 'bea'; did you mean 'ben'. the coders are"):
        read_coders(path, coders="bea")
    with pytest.raises(InputError, match=r"no coder 'dan'; .*the coders are ann, ben, cat"):
        read_coders(path, coders="ann,dan")
    with pytest.raises(FormatError, match="has 3 coders, and no coder 4; want 1 to 3"):
        read_coders(path, coders=4)


def test_a_folder_has_the_texts_of_each_coder(write, tmp_path):
    write("all/pier.tsv", TABLE)
    write("all/quay.tsv", "Coder\tMasses\nann\t4\t1\ncat\t3\t2\n")
    assert by_item(coded(tmp_path / "all")) == {
        item: {coder: tuple(masses) for coder, masses in codings.items()}
        for item, codings in HARBOUR["items"].items()
    }
    assert list(coded(tmp_path / "all", coders="ben")) == ["ben"]
    write("all/wharf.masses", "5,5\n")
    with pytest.raises(InputError, match=r"has files of several coders, and .*wharf\.masses with"):
        read_coders(tmp_path / "all")


def test_coders_of_one_file_are_references_or_systems(write):
    path = write("harbour.json", json.dumps(HARBOUR))
    found = paired([path])
    assert found.names == ("ann", "ben", "cat")
    assert [list(table) for table in found.references] == [["pier"]] * 3
    assert [(u.name, u.where.rpartition(" ")[2]) for u in found.unpaired] == [("quay", "(ben)")]
    found = paired([path], [path], reference_coders=("ann",))
    assert (found.names, len(found.references)) == (("ann", "ben", "cat"), 1)
    found = paired([path], [path], reference_coders=("ann",), coders=("cat",))
    assert (found.names, list(found.hyps[0])) == (("ann", "cat"), ["pier", "quay"])
    system = write("sys.masses", "pier\t4 4\nquay\t5\n")
    found = paired([path], [system])
    assert (found.names, len(found.hyps)) == (("ann", "ben", "cat", "sys"), 1)
    with pytest.raises(OptionError, match=r"name those that are \(ref_coders='ann'\)"):
        paired([path], [path])
    with pytest.raises(OptionError, match="coders= is for files of several coders"):
        paired([system], [system], coders=("ann",))


def test_coders_of_one_name_have_the_name_of_their_file(write):
    one = write("north.json", json.dumps(HARBOUR))
    other = write("south.json", json.dumps(HARBOUR))
    found = paired([one], [other], coders=("ann", "cat"), reference_coders=("ann",))
    assert found.names == ("ann", "south:ann", "south:cat")


def test_texts_of_one_file_are_not_taken_for_one_another(write):
    data = {"items": {"t1": {"a": [2, 2]}, "t2": {"b": [1, 3]}}, "segmentation_type": "linear"}
    with pytest.raises(InputError, match=r"no text of .* has a partner of the same name"):
        paired([write("two.json", json.dumps(data))])


def test_an_error_names_the_coder(write):
    data = {"items": {"t": {"a": [2, 2], "b": [1, 4]}}, "segmentation_type": "linear"}
    with pytest.raises(InputError, match=r"two\.json \(b\) line 1: text 't' has 5 units, and 4 in"):
        paired([write("two.json", json.dumps(data))])


def test_agreement_takes_missing_coders(write):
    texts = {
        "t1": {"a": [2, 3], "b": [1, 1, 3]},
        "t2": {"a": [1, 4], "b": [1, 4], "c": [1, 4]},
        "t3": {"a": [2, 2, 1], "b": [2, 3], "c": [2, 2, 1]},
        "t4": {"a": [3, 3], "c": [2, 1, 3]},
    }
    data = {"items": texts, "segmentation_type": "linear"}
    path = write("seven.json", json.dumps(data))
    system = write(
        "sys.jsonl", "".join(f'{{"id": "{t}", "masses": {texts[t]["a"]}}}\n' for t in texts)
    )
    results = compare(path, system, agreement=True)
    found = {c.name: c.found.value for c in results.agreement.coefficients}
    assert found["krippendorff-alpha"] == pytest.approx(0.6862, abs=5e-5)


# Tables with a column a coder

SCENES = (
    "scene,line,anna,ben,carl\n"
    "1,We met.,1,1,1\n1,It was late.,0,0,0\n1,No.,0,1,0\n1,It rained.,1,0,1\n"
    "2,He opened at six.,1,1,NA\n2,We left.,0,0,NA\n2,He closed.,1,1,NA\n"
)
TOPICS = "line\tanna\tben\nWe met.\tpier\tpier\nIt was late.\tpier\tboat\nNo.\train\tboat\n"
ALL = {"format": "begin-bits", "texts": "scene"}


def kinds(tables):
    return [note.kind for table in tables.values() for note in table.notes]


def test_a_table_may_have_a_column_a_coder(write):
    path = write("t.csv", SCENES)
    found = read_coders(path, coders="anna,ben,carl", **ALL)
    assert {coder: {t: list(s) for t, s in table.items()} for coder, table in found.items()} == {
        "anna": {"1": [3, 1], "2": [2, 1]},
        "ben": {"1": [2, 2], "2": [2, 1]},
        "carl": {"1": [3, 1]},
    }
    assert kinds(found) == ["texts that a coder did not code (no label, or NA)"]
    assert coded(path, coders=[5, 3], **ALL) == {
        "carl": {"1": [3, 1]},
        "anna": {"1": [3, 1], "2": [2, 1]},
    }
    ends = {"format": "end-bits", "texts": "one"}
    assert coded(path, coders="anna", **ends) == {"anna": {"t": [1, 3, 1, 2]}}


def test_labels_of_coders_are_runs_or_bio(write):
    path = write("t.tsv", TOPICS)
    assert coded(path, coders="anna,ben") == {"anna": {"t": [2, 1]}, "ben": {"t": [1, 2]}}
    bare = write("t.tsv", TOPICS.partition("\n")[2])
    assert coded(bare, coders="2,3") == {
        "column 2": {"t": [2, 1]},
        "column 3": {"t": [1, 2]},
    }
    bio = "w;a;b\nwe;B;B\nmet;I;B\nhere;I;I\n"
    assert coded(write("t.csv", bio), coders="a,b") == {"a": {"t": [3]}, "b": {"t": [1, 2]}}
    numbers = "u\tx\ty\nWe met.\t1\t1\nIt rained.\t2\t1\nWe left.\t2\t2\n"
    assert coded(write("t.tsv", numbers), coders="x,y") == {"x": {"t": [1, 2]}, "y": {"t": [2, 1]}}
    lines = "u\tx\ty\na\tp\tp\nb\tp\tq\n\nc\tr\t\nd\tr\t\n"
    found = coded(write("t.tsv", lines), coders="x,y")
    assert found == {"x": {"1": [2], "2": [2]}, "y": {"1": [1, 1]}}


def test_units_of_a_table_are_its_text(write):
    table = write("t.csv", SCENES)
    text = write("sys/1.txt", "We met.\nIt was late.\n\nNo.\nIt rained.\n").parent
    write("sys/2.txt", "He opened at six.\nWe left.\nHe closed.\n")
    options = {"reference_spelling": "begin-bits", "texts": "scene", "spelling": "text"}
    found = paired([table], [text], reference_coders=("ben", "carl"), **options)
    assert found.units()[0] == ["We met.", "It was late.", "No.", "It rained."]
    write("sys/1.txt", "We met.\nIt was late.\n\nNo?\nIt rained.\n")
    with pytest.raises(FormatError, match=r"has the unit 'No\?' where .*t\.csv \(ben\) line 4 has"):
        paired([table], [text], reference_coders=("ben", "carl"), **options)


def test_a_chosen_coder_without_texts_is_refused(write):
    path = write("t.tsv", "u\ta\tb\nx\tB\t\ny\tI\t\n")
    with pytest.raises(InputError, match=r"t\.tsv: coder 'b' has coded no text: leave it out"):
        read_coders(path, coders="a,b")


def test_numbers_in_csv_are_masses(write):
    assert coded(write("t.csv", "5,5,1,3\n4,6\n")) == {"": {"1": [5, 5, 1, 3], "2": [4, 6]}}


def test_marks_alone_are_ones(write):
    path = write("t.tsv", "u\ta\tb\nx\t1\t1\ny\t\t1\nz\t1\t0\n")
    found = read_coders(path, coders="a,b", format="begin-bits")
    assert [list(table["t"]) for table in found.values()] == [[2, 1], [1, 2]]
    assert kinds(found) == ["empty cells taken as 0, beside cells of 1"]
    path = write("t.tsv", "d\tu\ta\nd1\tx\t1\nd1\ty\t\nd2\tz\t\nd2\tv\t\n")
    with pytest.raises(
        FormatError, match=r"line 4: has no mark of coder 'a' in text 'd2': write 0"
    ):
        read_coders(path, coders="a", format="begin-bits", texts="d")


def test_a_header_that_names_texts_divides_any_table(write):
    options = {"coders": "a,b", "format": "begin-bits"}
    path = write("t.csv", "doc,u,a,b\n0,x,1,1\n0,y,0,0\n1,z,1,0\n")
    assert [list(table) for table in read_coders(path, **options).values()] == [["0", "1"]] * 2
    path = write("t.csv", "doc,u,a,b\np,x,1,1\nq,y,1,1\np,z,0,1\n")
    with pytest.raises(FormatError, match=r"lines of text 'p' in several places \(column 'doc'\)"):
        read_coders(path, **options)
    assert len(read_coders(path, texts="one", **options)["a"]) == 1


def test_cells_of_spreadsheets_are_marks(write):
    path = write("t.csv", "doc,u,a,b\np,x,1.0,1\np,y,0.0,1\nq,z,NaN,1\nq,v,n/a,0\n")
    found = read_coders(path, coders="a,b", format="begin-bits")
    assert [dict(table) for table in found.values()] == [
        {"p": Segmentation([2])},
        {"p": Segmentation([1, 1]), "q": Segmentation([2])},
    ]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (TOPICS, {}, r"columns 2, 3 may be labels; .* several coders \(coders='anna,ben'\)"),
        (TOPICS, {"format": "labels"}, r"name it .*several coders \(coders='anna,ben'\)"),
        (SCENES, {}, r"columns 3, 4 may be labels; .*begin-bits.*\(coders='anna,ben,carl'\)"),
        (SCENES, {"coders": "anna,ben"}, "has labels of two values"),
        (SCENES, {"coders": "anna,bob", **ALL}, "line 1: has no column 'bob'; the first line has"),
        (SCENES, {"coders": "anna,ben", "format": "end-bits"}, "column 1 that may name the texts"),
        (SCENES, {"coders": 9, **ALL}, "has 5 coders, and no coder 9"),
        (TOPICS.replace("boat\nNo", "\nNo"), {"coders": "ben"}, "line 3: has no label of coder 'b"),
        (TOPICS.replace("line\tanna", "ben\tben"), {"coders": "ben"}, "several coders named 'ben'"),
        ("u\ta\n", {"coders": "a"}, "has a header only"),
        ("u,a 1,b\nx,1,0\ny,0,1\nz,1,1\n", {}, r"several coders \(coders='a 1,b'\)"),
        ("u,a\nx,1\nWe met, he said,1\nz,0\n", {"coders": "a"}, "line 3: has 3 columns, and line"),
        ('u,a\n"x\ny",1\n', {"coders": "a"}, "line 2: has a quotation mark that does not close"),
        (SCENES, {"format": "end-bits"}, r"3, 4 may be that of .*\(coders='anna,ben,carl'\)"),
        ("U,Anna\nx,1\n", {"coders": "anna", "format": "end-bits"}, "no column 'anna'; did you m"),
        ("u,a\nv,x\nw,\n", {"coders": "a", "format": "end-bits"}, r"boundary \(labels='x'\)"),
        ("u\ta\nx\t\ny\tNA\n", {"coders": "a"}, "has no label of any coder"),
        ("u\ta\nx\t1\ny\tq\n", {"coders": "a", "format": "end-bits"}, "holds 'q' as a label"),
        ("u\ta\tb\nx\tB\tB\ny\tI\tB\nz\tB\tI\n", {}, r"2 may be BIO labels; .*\(coders='a,b'\)"),
    ],
)
def test_what_is_wrong_with_a_table_of_coders(write, content, options, message):
    name = "t.csv" if "," in content else "t.tsv"
    with pytest.raises(FormatError, match=message):
        read_coders(write(name, content), **options)


# Labels that count

CHUNKS = "The\tB-NP\ndog\tI-NP\nbarks\tB-VP\nat\tO\nnight\tB-NP\n"


def test_bio_types_that_count_are_chosen(write):
    path = write("t.tsv", CHUNKS)
    assert coded(path, labels="NP") == {"": {"t": [2, 2, 1]}}
    assert coded(path, labels=["NP", "VP"]) == coded(path) == {"": {"t": [2, 1, 1, 1]}}
    assert coded(path, labels="VP") == {"": {"t": [2, 1, 2]}}
    found = read_coders(path, labels="NP,PP")
    assert "labels to count that are not there (labels=)" in kinds(found)
    with pytest.raises(FormatError, match=r"no type of BIO label 'PP' \(labels=\); it has NP, VP"):
        read_coders(path, labels="PP")


def test_labels_that_count_are_runs_or_begin_and_end_segments(write):
    path = write("t.tsv", "a\tT\nb\tS\nc\t-\nd\tT\n")
    one = {"column": 2, "labels": "T"}
    assert coded(path, format="labels", **one) == {"": {"t": [1, 2, 1]}}
    assert coded(path, format="begin-bits", **one) == {"": {"t": [3, 1]}}
    assert coded(path, format="end-bits", **one) == {"": {"t": [1, 3]}}
    both = {"column": 2, "labels": "T,S"}
    assert coded(path, format="begin-bits", **both) == {"": {"t": [1, 2, 1]}}
    with pytest.raises(FormatError, match="say whether a run of a label makes a segment, or a lab"):
        read_coders(path, **one)
    table = write("t.tsv", "u\tx\ty\na\tT\tT\nb\t\tT\nc\tT\t\n")
    begins = {"format": "begin-bits", "labels": "T", "coders": "x,y"}
    assert coded(table, **begins) == {"x": {"t": [2, 1]}, "y": {"t": [1, 2]}}


def test_labels_that_count_in_json_lines(write):
    line = (
        '{"id": "t", "labels": ["B-NP", "I-NP", "B-VP", "O", "B-NP"]}\n{"id": "u", "masses": [2]}\n'
    )
    path = write("t.jsonl", line)
    assert coded(path, labels="NP") == {"": {"t": [2, 2, 1], "u": [2]}}
    with pytest.raises(FormatError, match="has no type of BIO label 'X'"):
        read_coders(path, labels="X")


def test_labels_are_for_files_of_labels(write):
    with pytest.raises(OptionError, match="labels= is for labels, and the notation is masses"):
        read_coders(write("t.seg", "5 5\n"), format="masses", labels="x")
    one, other = write("a.seg", "5 5\n"), write("b.seg", "4 6\n")
    with pytest.raises(OptionError, match="labels= is for files of labels, and there is none"):
        paired([one], [other], labels=("x",))


rows = st.lists(
    st.tuples(st.sampled_from("pqr"), st.sampled_from("pqr"), st.sampled_from("pqr")),
    min_size=2,
    max_size=12,
)


@given(rows)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_column_a_coder_is_what_a_file_a_coder_is(write, rows):
    lines = [f"unit {k}\t" + "\t".join(row) for k, row in enumerate(rows)]
    table = write("t.tsv", "\n".join(["line\ta\tb\tc", *lines]) + "\n")
    found = coded(table, format="labels", coders="a,b,c")
    for name, column in zip("abc", zip(*rows, strict=True), strict=True):
        alone = write("alone.labels", "\n".join(column) + "\n")
        assert found[name]["t"] == coded(alone, format="labels")[""]["alone"]
