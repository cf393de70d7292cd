"""Rows with texts in any number of languages, in JSON lines, JSON, Parquet and Arrow."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bitext.errors import FormatError
from formats.samples import kinds, read, read_all


def _row(**texts):
    pairs = [(lang, text) for lang, each in texts.items() for text in each]
    return {"language": [lang for lang, _ in pairs], "translation": [text for _, text in pairs]}


ROWS = [
    {"id": "1", "translation": _row(de=["die Katze"], en=["the cat"], fr=["le chat", "la chatte"])},
    {"id": "2", "translation": _row(en_GB=["a dog"], de=["ein Hund", "ein Köter"])},
    {"id": "3", "translation": _row(it=["uno"])},
    {"id": "4", "translation": _row(fr=["un", None], en=["one"])},
]


def _content(name, rows):
    if name == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows)
    if name == "json":
        return json.dumps(rows)
    table, out = pa.Table.from_pylist(rows), io.BytesIO()
    if name == "parquet":
        pq.write_table(table, out)
    else:
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)
    return out.getvalue()


@pytest.fixture(params=["jsonl", "json", "parquet", "arrow"])
def name(request):
    return request.param


def test_two_languages_are_read_and_the_others_are_columns(name):
    bt = read(name, _content(name, ROWS), src_lang="en", tgt_lang="fr")
    assert bt.pairs() == [
        (["the cat"], ["le chat"]),
        (["the cat"], ["la chatte"]),
        (["a dog"], []),
        (["one"], ["un"]),
    ]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fr")
    attributes = bt.alignment.attributes
    assert attributes["id"] == ["1", "1", "2", "4"]
    assert attributes["lang:de"] == ["die Katze", "die Katze", "ein Hund", None]
    assert attributes["lang:de#2"] == [None, None, "ein Köter", None]
    noun = "lines" if name.startswith("json") else "rows"
    assert kinds(bt)[f"{noun} with several texts in a language, paired off in order"] == 1
    parts = read_all(
        name, _content(name, ROWS), src_lang="en", tgt_lang="fr", parts=True, part_size=1
    )
    assert [pair for part in parts for pair in part.pairs()] == bt.pairs()


def test_the_key_may_be_a_plural(name):
    rows = [{"translations": _row(en=["a"], fi=["b"])}]
    bt = read(name, _content(name, rows))
    assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([(["a"], ["b"])], "en", "fi")
    rows = [{"translations": {"en": "a", "fi": "b"}, "x": "y"}]
    bt = read(name, _content(name, rows))
    assert (bt.pairs(), bt.tgt.lang, bt.alignment.attributes) == (
        [(["a"], ["b"])],
        "fi",
        {"x": ["y"]},
    )


def test_a_list_of_objects_is_the_same(name):
    keys = (("language", "text"), ("lang", "value"), ("locale", "translation"))
    for code, text in keys:
        rows = [{"translations": [{code: "en", text: "a"}, {code: "fi", text: "b"}]}] * 2
        bt = read(name, _content(name, rows))
        assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([(["a"], ["b"])] * 2, "en", "fi")


def test_rows_without_texts_are_left_out_and_noted(name):
    full = _row(en=["a"], fi=["b"])
    empty = {"language": [], "translation": []}
    rows = [{"translation": each} for each in (empty, full, empty, full)]
    bt = read(name, _content(name, rows))
    assert bt.pairs() == [(["a"], ["b"])] * 2
    assert sum(kinds(bt).values()) == 2


def test_two_languages_need_no_choice_and_others_are_refused(name):
    rows = [
        {"translation": _row(en=["a"], fi=["b"])},
        {"translation": _row(fi=["d"], en=["c"])},
        {"translation": _row(fi=["e"])},
    ]
    assert read(name, _content(name, rows)).pairs() == [
        (["a"], ["b"]),
        (["c"], ["d"]),
        ([], ["e"]),
    ]
    rows += [{"translation": _row(en=["f"], sv=["g"])}]
    with pytest.raises(FormatError, match="has the languages 'en', 'sv'; want two"):
        read(name, _content(name, rows))


@pytest.mark.parametrize(
    ("langs", "told"),
    [
        ({}, "line 1: has the languages 'de', 'en', 'fr'; want two"),
        ({"src_lang": "en"}, "line 1: has the languages 'de', 'en', 'fr', and asked for are 'en'"),
        ({"src_lang": "en", "tgt_lang": "sv"}, "'it', and asked for are 'en' and 'sv'"),
    ],
)
def test_languages_have_to_be_chosen_and_to_be_there(name, langs, told):
    with pytest.raises(FormatError, match=told):
        read(name, _content(name, ROWS), **langs)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"language": ["en"], "translation": ["a", "b"]}, "has 1 languages and 2 texts"),
        ({"language": [1, 2], "translation": ["a", "b"]}, "has the languages .1, 2.; want codes"),
        ({"language": ["en", "fi"], "translation": ["a", ["b"]]}, "want texts"),
        ({"en": "a", "fi": "b"}, "want lists of languages and of texts"),
    ],
)
def test_faulty_lists_are_refused_with_their_line(value, told):
    rows = [{"translation": _row(en=["a"], fi=["b"])}, {"translation": value}]
    with pytest.raises(FormatError, match=f"line 2: .*{told}"):
        read("jsonl", _content("jsonl", rows))
    bad = []
    (bt,) = read_all("jsonl", _content("jsonl", [*rows, rows[0]]), bad=bad)
    assert (len(bt.pairs()), [error.line for error in bad]) == (2, [2])
