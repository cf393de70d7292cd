import io
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError, MissingExtraError
from bitext.formats.io import source as source_files
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions, WriteOptions, by_name, sniff
from formats.samples import assert_same, beads, inline, joined, kinds, noted

NAME = "parquet"


def test_pyarrow_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MissingExtraError, match=r"reading Parquet .*: pip install 'bitext\[table\]'"
    ):
        _read(b"PAR1")
    with pytest.raises(MissingExtraError, match=r"writing Parquet files needs a package"):
        _written(inline([(["a"], ["b"])]))


def test_told_by_the_first_bytes():
    assert sniff(b"PAR1\x15\x04", "file").name == NAME
    assert by_name(NAME).extra == "table"


def _written(*bitexts, **options):
    out = io.BytesIO()
    by_name(NAME).write(bitexts, out, options=WriteOptions(**options))
    return out.getvalue()


def _read_all(content, **options):
    with Source("made", io.BytesIO(content)) as source:
        found = list(by_name(NAME).read(source, ReadOptions(**options)))
        if options.get("parts"):
            found[-1] = replace(found[-1], notes=found[-1].notes + source.notes.all())
        return found


def _read(content, **options):
    (bt,) = _read_all(content, **options)
    return bt


@pytest.fixture
def arrow():
    return pytest.importorskip("pyarrow")


@pytest.fixture
def file(arrow):
    table = pytest.importorskip("pyarrow.parquet")

    def make(columns, **options):
        out = io.BytesIO()
        made = columns if isinstance(columns, arrow.Table) else arrow.table(columns)
        table.write_table(made, out, **options)
        return out.getvalue()

    return make


def test_languages_as_fields(file):
    rows = [{"en": "One.", "fi": "Yksi."}, {"en": "", "fi": None}, {"en": None, "fi": "Kaksi."}]
    bt = _read(file({"id": [7, 8, 9], "translation": rows}))
    assert bt.pairs() == [(["One."], ["Yksi."]), ([""], []), ([], ["Kaksi."])]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fi")
    assert bt.alignment.attributes == {"id": ["7", "8", "9"]}
    assert bt.notes == ()


def test_languages_are_chosen(file):
    content = file({"translation": [{"de": "A", "en-GB": "B", "fr": None}]})
    bt = _read(content, src_lang="en", tgt_lang="de")
    assert bt.pairs() == [(["B"], ["A"])]
    assert (bt.src.lang, bt.tgt.lang) == ("en-GB", "de")
    assert bt.alignment.attributes == {"lang:fr": [None]}
    with pytest.raises(FormatError, match="made: has the languages 'de', 'en-GB', 'fr'; want two"):
        _read(content)
    with pytest.raises(FormatError, match="asked for are 'fi' and 'de'"):
        _read(content, src_lang="fi", tgt_lang="de")


def test_empty_strings_without_null_and_scores_that_are_strings_are_noted(file):
    bt = _read(file({"src": ["a", "", ""], "tgt": ["x", "y", "z"], "score": ["0.5", "", "1"]}))
    assert bt.pairs() == [(["a"], ["x"]), ([""], ["y"]), ([""], ["z"])]
    assert kinds(bt) == {
        "columns named score that hold something else, kept as an attribute": 1,
        "empty strings in files without null, taken as segments without characters": 2,
    }


def test_columns_of_texts_and_of_values(arrow, file):
    columns = {
        "Source": arrow.array(["a", None, "c", None], arrow.string_view()),
        "target": arrow.array(["x", "", None, None]).dictionary_encode(),
        "score": arrow.array([1, None, 3, 4], arrow.int32()),
        "f": [0.5, None, 1e5, 0],
        "b": [True, False, None, None],
        "day": arrow.array([0, 1, None, 2], arrow.date32()),
        "list": [[1], [], None, []],
        "bytes": [b"a", b"b", b"c", b"d"],
    }
    bt = _read(file(columns))
    assert bt.pairs() == [(["a"], ["x"]), ([], [""]), (["c"], [])]
    assert np.array_equal(bt.alignment.scores, [1, np.nan, 3], equal_nan=True)
    assert bt.alignment.attributes == {
        "f": ["0.5", None, "100000.0"],
        "b": ["true", "false", None],
        "day": ["1970-01-01", "1970-01-02", None],
    }
    assert kinds(bt) == {
        "rows with two empty sides, left out": 1,
        "columns that are neither texts nor numbers, left out": 2,
    }
    assert [note.first for note in bt.notes] == [
        "made: 'list' (list<element: int64>)",
        "made row 4",
    ]


def test_null_structs_are_empty_on_both_sides(arrow, file):
    kind = arrow.struct([("en", arrow.string()), ("fi", arrow.string())])
    rows = arrow.array([{"en": "a", "fi": "b"}, None], kind)
    assert _read(file({"translation": rows})).pairs() == [(["a"], ["b"])]


def test_scores_that_are_texts_are_an_attribute(file):
    bt = _read(file({"src": ["a"], "tgt": ["b"], "score": ["high"]}))
    assert bt.alignment.scores is None
    assert bt.alignment.attributes == {"score": ["high"]}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": ["x"]}, "made: has the columns 'a'; want a struct 'translation' of two languages"),
        ({"src": [1], "tgt": ["b"]}, "made: column 'src' is of the type int64; want texts"),
        ({"translation": [{"en": 1, "fr": "b"}]}, "made: column 'en' is of the type int64"),
    ],
)
def test_what_is_no_parallel_text(file, columns, message):
    with pytest.raises(FormatError, match=message):
        _read(file(columns))


def test_damaged_files(file):
    content = file({"src": ["a" * 1000] * 100, "tgt": ["b"] * 100})
    for torn in (content[:-20], content[:200], b"PAR1", content[:8] + content[300:]):
        with pytest.raises(
            FormatError, match=r"made: is not a valid Parquet file: .*; get the whole"
        ):
            _read(torn)


def test_texts_that_are_not_utf_8(arrow, file):
    borders = arrow.py_buffer(np.array([0, 1], dtype=np.int32))
    wrong = arrow.StringArray.from_buffers(1, borders, arrow.py_buffer(b"\xb1"))
    with pytest.raises(FormatError, match="is not a valid Parquet file: 'utf-8' codec"):
        _read(file({"src": wrong, "tgt": ["b"]}))


@given(beads, st.integers(1, 4))
def test_round_trip(pairs, size):
    pytest.importorskip("pyarrow")
    content = _written(inline(pairs, scores=range(len(pairs))))
    expected = [tuple([" ".join(side)] if side else [] for side in pair) for pair in pairs]
    whole = _read(content)
    assert whole.pairs() == expected
    assert whole.alignment.scores is None or whole.alignment.scores.tolist() == [*range(len(pairs))]
    parts = _read_all(content, parts=True, part_size=size)
    assert [part.continues for part in parts] == [False, *[True] * (len(parts) - 1)]
    assert len(parts) == max(1, -(-len(pairs) // size))
    assert_same(joined(parts), whole)


def test_languages_and_columns_come_back(arrow):
    src, tgt = Text(["a\r\n\t\0", "b"], lang="en-GB"), Text(["c"])
    columns = {
        "words": ["0-0", None],
        "lang:de": [None, "d"],
        "src": ["x", ""],
        "score": [None] * 2,
    }
    bt = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), ())], attributes=columns), name="n")
    content = _written(bt)
    names = arrow.parquet.read_schema(io.BytesIO(content)).names
    assert names == ["translation", "document", "words", "lang:de", "src_", "score_"]
    back = _read(content)
    assert (back.src.lang, back.tgt.lang, back.name) == ("en-GB", "", "n")
    assert back.pairs() == bt.pairs()
    assert back.alignment.attributes == {
        "words": ["0-0", None],
        "lang:de": [None, "d"],
        "src_": ["x", ""],
        "score_": [None, None],
    }
    for langs in (("en", "en"), ("", "")):
        same = replace(bt, src=Text(["a", "b"], lang=langs[0]), tgt=Text(["c"], lang=langs[1]))
        back = _read(_written(same))
        assert (back.src.lang, back.tgt.lang) == langs
    back = _read(_written(bt, src_lang="sv", tgt_lang="nb"))
    assert (back.src.lang, back.tgt.lang) == ("sv", "nb")


def test_attributes_named_as_texts_are_not_read_as_these(tmp_path):
    found = inline([(["a"], ["b"])], attributes={"source": ["web"], "tgt_text": ["x"]})
    bitext.write(found, tmp_path / "a.parquet")
    assert_same(bitext.read(tmp_path / "a.parquet"), found)


def test_documents_and_attributes_that_come_later(arrow):
    one = inline([(["a"], ["b"]), ([], ["c"])])
    more = replace(inline([(["d"], [])], scores=[0.5], attributes={"x": ["1"]}), continues=True)
    two = inline([(["e"], ["f"])] * 2, attributes={"y": ["2", None], "x": [None, None]})
    content = _written(one, more, two, replace(two, name="z"))
    assert arrow.parquet.read_schema(io.BytesIO(content)).names == [
        "src",
        "tgt",
        "score",
        "document",
        "attributes",
    ]
    found = _read_all(content)
    assert [bt.name for bt in found] == ["", "2", "z"]
    assert found[0].pairs() == one.pairs() + more.pairs()
    assert np.array_equal(found[0].alignment.scores, [np.nan, np.nan, 0.5], equal_nan=True)
    assert found[0].alignment.attributes == {"x": [None, None, "1"]}
    assert found[1].alignment.attributes == found[2].alignment.attributes == {"y": ["2", None]}
    parts = _read_all(content, parts=True, part_size=1)
    assert [part.continues for part in parts] == [False, True, True, False, True, False, True]
    assert noted(parts) == {}


def test_other_languages_in_a_later_document(arrow):
    del arrow
    one = Bitext(Text(["a"], lang="en"), Text(["b"], lang="fi"), Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match="has 'en' and '' where the first has 'en' and 'fi'"):
        _written(one, replace(one, tgt=Text(["b"])))
    with pytest.raises(InputError, match="parquet takes texts, but the source text is known by"):
        _written(Bitext(None, None, Alignment([((0,), (0,))])))


def test_languages_that_differ_in_spelling_or_of_empty_texts_are_no_others(arrow):
    del arrow
    one = Bitext(Text(["a"], lang="en-GB"), Text(["b"], lang="fi"), Alignment([((0,), (0,))]))
    spelled = replace(one, src=Text(["c"], lang="en_gb"))
    void = Bitext(Text([]), Text([]), Alignment([]))
    found = _read_all(_written(one, spelled, void))
    assert [text.lang for bt in found for text in (bt.src, bt.tgt)][:2] == ["en-GB", "fi"]
    assert [pair for bt in found for pair in bt.pairs()] == [(["a"], ["b"]), (["c"], ["b"])]


def test_no_bitext_and_an_empty_one(arrow):
    del arrow
    assert _read(_written()).pairs() == []
    assert _read(_written(inline([]))).pairs() == []


def test_row_groups(arrow):
    part = inline([(["a"], ["b"])] * 40_000)  # 32,768 and 7,232, with as many of the next part
    content = _written(part, replace(part, continues=True))
    assert arrow.parquet.ParquetFile(io.BytesIO(content)).num_row_groups == 3
    assert len(_read(content).alignment) == 80_000


def test_through_files_plain_and_packed(arrow, tmp_path, monkeypatch):
    del arrow
    bt = inline([(["One."], ["Yksi."]), ([], ["Kaksi."])], scores=[1, 2])
    for name in ("a.parquet", "a.parquet.gz"):
        bitext.write(bt, tmp_path / name)
        assert_same(bitext.read(tmp_path / name), bt)
    monkeypatch.setattr(source_files, "TemporaryFile", None)
    assert_same(bitext.read(tmp_path / "a.parquet"), bt)  # a plain file is not copied


@pytest.mark.parametrize("form", ["file", "stream"])
def test_arrow_is_read_as_parquet_is(tmp_path, form):
    pa = pytest.importorskip("pyarrow")
    rows = [{"en": "One.", "fr": "Un."}, {"en": "Two.", "fr": None}]
    table = pa.table({"id": [1, 2], "translation": rows})
    path = tmp_path / "a"
    new = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
    with path.open("wb") as out, new(out, table.schema) as writer:
        writer.write_table(table)
    bt = bitext.read(path)
    assert bt.pairs() == [(["One."], ["Un."]), (["Two."], [])]
    assert bt.alignment.attributes == {"id": ["1", "2"]}
    bitext.write([bt], tmp_path / "b.feather")
    assert bitext.read(tmp_path / "b.feather").pairs() == bt.pairs()
    path.write_bytes(path.read_bytes()[:-90])
    with pytest.raises(FormatError, match="is not a valid Arrow file"):
        bitext.read(path)


def test_columns_of_languages_are_those_of_the_texts(file):
    columns = {"src_lang": ["en", "en"], "tgt_lang": ["fi", "de"], "src": ["a", "b"]}
    bt = _read(file(columns | {"tgt": ["c", "d"]}))
    assert (bt.src.lang, bt.tgt.lang) == ("en", "fi")
    (kind,) = kinds(bt)
    assert kind.startswith("rows in other languages than the first")


def test_rows_in_other_languages_than_those_asked_for_are_left_out(file):
    columns = {"src_lang": ["en", "fr"], "tgt_lang": ["de", "de"], "src": ["a", "b"]}
    content = file(columns | {"tgt": ["c", "d"]})
    bt = _read(content, src_lang="fr", tgt_lang="de")
    assert bt.pairs() == [(["b"], ["d"])]
    (kind,) = kinds(bt)
    assert kind == "rows in other languages than those asked for, left out"
    with pytest.raises(FormatError, match="has no row in it-de, but in en-de, fr-de"):
        _read(content, src_lang="it", tgt_lang="de")


def test_a_column_without_a_name_is_read():
    pytest.importorskip("pyarrow", reason="pyarrow (the extra table) is not installed")
    for scores in (None, [0.5]):
        item = inline([(["a"], ["b"])], scores=scores, attributes={"": ["x"], "y": ["z"]})
        assert _read(_written(item)).alignment.attributes == {"": ["x"], "y": ["z"]}
