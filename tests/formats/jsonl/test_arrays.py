"""JSON: arrays of objects or of rows, also within an object, read item by item."""

import json

import pytest
from hypothesis import given, settings

import bitext
from bitext.errors import FormatError
from bitext.formats.reading import opened
from bitext.formats.registry import by_name
from formats.samples import beads, inline, kinds, read, read_all, read_on, written

PAIR = {"translation": {"en": "One.", "fr": "Un."}}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("block_size", [0, 7])
def test_objects_of_an_array(indent, block_size):
    items = [{"source": f'a "{k}" ]}}', "target": "é" if k else None, "id": k} for k in range(9)]
    bt = read("json", json.dumps(items, indent=indent), block_size=block_size)
    assert bt.pairs()[:2] == [(['a "0" ]}'], []), (['a "1" ]}'], ["é"])]
    assert bt.alignment.attributes["id"] == list("012345678")


def test_arrays_may_be_members_of_an_object():
    bt = read("json", json.dumps({"version": 1, "train": [PAIR], "empty": [], "test": [PAIR]}))
    assert bt.pairs() == [(["One."], ["Un."])] * 2
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fr")
    found = kinds(bt)
    assert found["members beside the array of objects, left out"] == 2
    assert found["arrays of one file, read one after another"] == 2


def test_reports_of_commands_are_refused_by_name():
    row = {"type": "1-1", "src": ["0"], "tgt": ["0"], "src_text": ["One."], "tgt_text": ["Un."]}
    report = {"schema": "bitext.align/1", "texts": [{"src": "en", "tgt": "fr"}], "rows": [row]}
    with pytest.raises(
        FormatError, match=r"line 1: is a report .*, as bitext align prints in JSON"
    ):
        read("json", json.dumps(report))
    assert len(read("json", json.dumps({"schema": "mine/1", "rows": [PAIR]})).alignment) == 1


def test_arrays_of_cells_are_rows_of_a_table():
    bt = read("json", '[["id", "en", "fr"], [1, "One.", "Un."], [2, "Two.", null]]')
    assert bt.pairs() == [(["One."], ["Un."]), (["Two."], [])]


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ('[{"src": "a", "tgt": "b"},', 1, "get the whole file"),
        ('[{"src": "a", "tgt": "b"}\n{', 2, "where ',' is wanted"),
        ('[{"src": "a", "tgt": "b"}]\n{}', 2, "continues after the end of its array"),
        ('{"a": 1,\n"b": "x"}', 2, "has no array of objects"),
        ('[\n{"a": "a", "b": "b"}]', 2, r"columns='src=a,tgt=b'"),
        ("[" * 100_000, 1, "nested too deeply"),
        ('[["a", "b"], {"c": 1}]', 1, "beside arrays of cells"),
        ('[{"src": "a", "tgt": tru}]', 1, "is not JSON"),
    ],
)
def test_errors_name_the_line(content, line, told):
    with pytest.raises(FormatError, match=f"line {line}: .*{told}"):
        read("json", content)


A, B, C = (json.dumps({"src": name, "tgt": "x"}) for name in "abc")
FAULT = '{"src": "f", "tgt": }'


@pytest.mark.parametrize(
    ("content", "sources", "lines"),
    [
        (f"[\n{A},\n{FAULT},\n{B}\n]", "ab", [3]),
        (f"[{A},\n  {FAULT},\n  {B},\n  {C}]", "abc", [2]),
        (f'{{"data": [\n{FAULT},\n{A}\n], "x": 1}}', "a", [2]),
        (f"[\n{A},\n{B},\n" + C[:9], "ab", [4]),
        (f'{{"data": [\n{A},\n{B}\n', "ab", [4]),
        (f"[\n{A}\n{B}\n]", "ab", [3]),
        (f"[{A}, {FAULT}, {B}]", "a", [1]),
        ('[["src", "tgt"],\n["a", ],\n["b", "x"],\n["c", "x"]]', "bc", [2]),
    ],
)
@pytest.mark.parametrize("block_size", [0, 7])
def test_reading_goes_on_after_unsound_items(content, sources, lines, block_size):
    bad = []
    (bt,) = read_all("json", content, bad=bad, block_size=block_size)
    assert [src for src, _ in bt.pairs()] == [[name] for name in sources]
    assert [error.line for error in bad] == lines


def test_bad_items_are_left_out():
    bt, lines = read_on(
        "json", '[{"src": "a", "tgt": "b"},\n{"src": 1},\n{"src": "c", "tgt": "d"}]'
    )
    assert bt.pairs() == [(["a"], ["b"]), (["c"], ["d"])]
    assert lines == [2]


@settings(max_examples=10)
@given(pairs=beads)
def test_what_is_written_comes_back(pairs):
    bt = inline(pairs)
    assert read("json", written("json", bt)).pairs() == bt.pairs()
    json.loads(written("json", bt))


def test_it_is_read_in_parts():
    items = json.dumps([{"src": str(k), "tgt": "x"} for k in range(5)])
    assert [len(bt.alignment) for bt in read_all("json", items, parts=True, part_size=2)] == [
        2,
        2,
        1,
    ]


def test_the_first_object_tells(tmp_path):
    sniff = by_name("json").sniff
    assert sniff(json.dumps({"data": [PAIR]}).encode()) == 80
    assert not sniff(b'[{"text": "One."}]')
    assert not sniff(b"[0, 1]:[2]:0.5\n")
    (tmp_path / "a").write_text(json.dumps([PAIR]))
    assert bitext.read(tmp_path / "a").meta["format"] == "json"


@pytest.mark.parametrize("keys", [("English", "Français"), ("text_en", "text_fr"), ("en", "fr")])
@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_keys_that_name_languages_in_any_way_are_their_codes(name, keys):
    line = json.dumps(dict(zip(keys, ("One.", "Un."), strict=True)))
    bt = read(name, f"[{line}]" if name == "json" else line)
    assert bt.pairs() == [(["One."], ["Un."])]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fr")


@pytest.mark.parametrize(
    "content",
    [
        {"en": ["One.", "Two."], "fr": ["Un.", "Deux."]},
        {"en": {"0": "One.", "1": "Two."}, "fr": {"0": "Un.", "1": "Deux."}},
        {"0": {"en": "One.", "fr": "Un."}, "1": {"en": "Two.", "fr": "Deux."}},
        {"columns": ["en", "fr"], "index": [0, 1], "data": [["One.", "Un."], ["Two.", "Deux."]]},
        {
            "schema": {"fields": [{"name": "en"}]},
            "data": [{"en": "One.", "fr": "Un."}, {"en": "Two.", "fr": "Deux."}],
        },
        {"a": {"train": [{"en": "One.", "fr": "Un."}], "dev": [{"en": "Two.", "fr": "Deux."}]}},
        {
            "features": [{"name": "translation"}],
            "rows": [
                {"row_idx": 0, "row": {"translation": {"en": "One.", "fr": "Un."}}},
                {"row_idx": 1, "row": {"translation": {"en": "Two.", "fr": "Deux."}}},
            ],
        },
    ],
)
def test_data_frames_and_data_sets_in_every_orientation(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    bt = bitext.read(path)
    assert bt.pairs() == [(["One."], ["Un."]), (["Two."], ["Deux."])]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fr")


@pytest.mark.parametrize(
    "content",
    [
        {"src": {"0": "One.", "1": "Two."}, "tgt": {"0": "Un.", "1": "Deux."}},
        {"src": ["It rained.", "Sun."], "tgt": ["Il pleuvait.", "Soleil."]},
        {"src": ["Café.", "It ||| rained."], "tgt": ["Café.", "Il pleuvait."]},
        {"en": ["It ||| rained."], "fr": ["Il pleuvait."]},
        {"id": {"0": 5, "1": 6}, "translation": {"0": {"en": "a", "fr": "b"}, "1": {"en": "c"}}},
        {"translation": {"0": {"en": "a", "fr": "b"}, "1": {"en": "c", "fr": "d"}}},
        {"en": ["long"] * 20_000, "fr": ["long"] * 20_000},  # beyond the bytes that are examined
        {name: dict.fromkeys(range(9_000), "long") for name in ("en", "fr")},
    ],
)
def test_columns_on_one_line_are_no_json_lines(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    with opened(path) as reading:
        assert reading.format.name == "json"


@pytest.mark.parametrize(
    "content",
    [
        {"src": ["s1", "s2"], "tgt": ["t1"]},
        {"src": {"text": "One.", "lang": "en"}, "tgt": {"text": "Un.", "lang": "fr"}, "id": 7},
        {"translation": {"en": "One.", "fr": "Un."}},
    ],
)
def test_one_bisegment_on_one_line_is_json_lines(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content) + "\n")
    with opened(path) as reading:
        assert reading.format.name == "jsonl"


def test_a_column_of_translations_by_rows_is_read():
    rows = {"0": {"en": "a", "fr": "b"}, "1": {"en": "c", "fr": "d"}}
    bt = read("json", json.dumps({"translation": rows}))
    assert bt.pairs() == [(["a"], ["b"]), (["c"], ["d"])]
    bt = read("json", json.dumps({"id": {"0": 5, "1": 6}, "translation": rows}))
    assert (bt.pairs()[1], bt.alignment.attributes) == ((["c"], ["d"]), {"id": ["5", "6"]})


def test_the_names_of_the_columns_of_a_data_frame_are_its_header():
    rows = [[1, "One.", "Un."], [2, "en", "Deux."]]
    bt = read("json", json.dumps({"columns": ["n", "mine", "yours"], "data": rows}))
    assert bt.pairs() == [(["One."], ["Un."]), (["en"], ["Deux."])]
    bt = read("json", json.dumps({"columns": ["n", "en", "fr"], "data": rows}))
    assert (len(bt.pairs()), bt.alignment.attributes) == (2, {"n": ["1", "2"]})


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(FormatError, match="columns of equal length"):
        read("json", '{"en": ["One.", "Two."], "fr": ["Un."]}')


def test_a_long_first_line_of_json_lines_is_refused_with_a_remedy_that_works():
    content = json.dumps({"meta": ["x" * 70_000], "src": "One.", "tgt": "Un."}) + "\n"
    with pytest.raises(FormatError, match=r"for JSON lines name the format .*jsonl"):
        read("json", content * 2)
    assert read("jsonl", content * 2).pairs() == [(["One."], ["Un."])] * 2


def test_keys_with_languages_are_those_of_the_texts():
    item = {"src_lang": "en", "tgt_lang": "fr", "src_text": "One.", "tgt_text": "Un."}
    bt = read("jsonl", json.dumps(item) + "\n" + json.dumps(item | {"tgt_lang": "de"}))
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fr")
    (kind,) = kinds(bt)
    assert "lines in other languages than the first" in kind
    assert read("jsonl", '{"src": "One.", "mt": "Un."}').pairs() == [(["One."], ["Un."])]


def test_objects_by_names_keep_these():
    bt = read("json", '{"go": {"en": "Go", "fr": "Va"}, "no": {"en": "No", "fr": "Non"}}')
    assert bt.pairs() == [(["Go"], ["Va"]), (["No"], ["Non"])]
    assert bt.alignment.attributes == {"id": ["go", "no"]}
