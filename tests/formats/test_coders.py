"""Files with the segmentations of several coders: of segeval, and tables with a column a coder."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from types import FunctionType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext import compare
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.segmentations import read_coders, read_segmentations

segeval_data = pytest.importorskip("segeval.data")

HARBOUR = {
    "items": {
        "pier": {"ann": [2, 3, 3], "ben": [2, 6], "cat": [5, 3]},
        "quay": {"ann": [4, 1], "cat": [3, 2]},
    },
    "segmentation_type": "linear",
}
TABLE = "Coder\tMasses\nann\t2\t3\t3\nben\t2\t6\t\t\ncat\t5\t3\n"


@pytest.fixture
def write(tmp_path):
    def make(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def coded(path, **options):
    """Return the masses of the file, by coder and text."""
    tables = read_coders(path, **options)
    return {coder: {t: list(s) for t, s in table.items()} for coder, table in tables.items()}


def paired(references, systems=(), **options):
    given = ({str(path.stem): str(path) for path in paths} for paths in (references, systems))
    return SegmentPairing(references=next(given), systems=next(given), **options).read()


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


@given(st.dictionaries(names, codings, min_size=1, max_size=3), st.booleans())
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
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
    ("content", "message"),
    [
        ('{"items": {}, "segmentation_type": "linear"}', 'has no "items"; want texts'),
        ('{"segmentation_type": "linear"}', 'has no "items"'),
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
        ('{"items": ' + '{"t": ' * 30000, "is JSON beyond all limits: it is nested"),
        ('{"items": {"t": {"a": [99999999999999999999]}}}', "item 't', 'a'"),
        ("Coder\tMasses\na\t2\t1\na\t3\n", "line 3: is of coder 'a', as another line"),
        ("Coder\tMasses\na\t2\t0\n", r"line 2: mass 1 is 0.*\(coder 'a'\)"),
        ("Coder\tPositions\na\t1\t3\t3\n", "line 2: has numbers of segments that do not rise"),
    ],
)
def test_what_is_wrong_with_a_file_of_segeval(write, content, message):
    with pytest.raises(FormatError, match=message):
        read_coders(write("made.json", content))


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
