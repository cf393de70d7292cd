"""Which files of a folder are its alignments, and which are left aside."""

from __future__ import annotations

import gzip

import pytest

from bitext.errors import FormatError, InputError
from bitext.formats.corpora import open_corpus
from bitext.formats.corpora.pairing import Pairing
from bitext.formats.registry import by_name

ALIGN = "[0]:[0]\n[1]:[1]\n"
PACKED = gzip.compress(b"<?xml version='1.0'?><tmx version='1.4'>" * 9, mtime=0)


@pytest.fixture
def folder(tmp_path):
    """Makes a folder of files, and gives its path."""

    def make(name, **files):
        for inside, content in files["files"].items():
            path = tmp_path / name / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes) else content.encode()
            path.write_bytes(data)
        return str(tmp_path / name)

    return make


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("b.align", ""),
        ("b.tmx", " \n"),
        ("b.tmx", "<?xml version='1.0'?>\n"),
        ("b.tmx", b"\x93\x00\xff\x12" * 9),
        ("b.tmx.gz", PACKED[:30]),
        ("b.TMX.GZ", b"\x1f\x8b\x08\x00xxxx"),
        ("b.tsv", "One column\n"),
        ("b.xces.xml", ""),
        ("b.tei.gz", PACKED[:30]),
    ],
)
def test_a_name_that_promises_an_alignment_is_taken_at_its_word(folder, name, content):
    found = open_corpus(folder("k", files={"a.align": ALIGN, "c.align": ALIGN, name: content}))
    assert [text.lower() for text in found.entries] == ["a", "b", "c"]
    assert found.aside == ()


def test_what_lies_beside_alignments_is_left_aside_and_told(folder):
    beside = {
        "README": "Read me.\n",
        "LICENSE": "",
        "a.en": "One.\n",
        "a.fr": "",
        "a.txt": "One.\n",
        "a.jsonl": "",  # of a text that has an alignment
        "doc.xces.xml": "<text><s>One.</s></text>",
        "doc.sgm": "<doc><seg>One.</seg></doc>",
        "doc.text": "One.\n",
        "format.dtd": "<!ELEMENT a (b)>",
        "notes/b.md": "Notes.\n",
        "z.tar.gz": PACKED[:30],
    }
    hidden = {".DS_Store": b"\0\0\0\1Bud1", ".git/x.tmx": "", "deep/.hidden.align": ""}
    found = open_corpus(folder("k", files={"a.align": ALIGN, **beside, **hidden}))
    assert list(found.entries) == ["a"]
    assert sorted(found.aside) == sorted(beside)
    (told,) = found.notes()
    assert told.startswith(f"12 files of {found.path} hold no alignment, ignored: LICENSE, ")
    assert told.endswith(", ...")
    assert open_corpus(folder("l", files={"a.align": ALIGN})).notes() == []


def test_a_format_that_is_named_has_names_of_its_own(folder):
    given = {"a.txt": ALIGN, "b.align.gz": PACKED[:30], "c.tmx": "", "d.txt": ""}
    found = open_corpus(folder("k", files=given), known=by_name("vecalign"))
    assert list(found.entries) == ["a", "b"]
    assert found.notes() == [f"2 files of {found.path} hold no alignment, ignored: c.tmx, d.txt"]


@pytest.mark.parametrize("empty", ["gold", "hyp"])
def test_what_another_has_an_alignment_of_is_read_and_refused(folder, empty):
    paths = {
        name: folder(name, files={"a.txt": ALIGN, "b.txt": ALIGN, "note.txt": "Call me.\n"})
        for name in ("gold", "hyp")
    }
    folder(empty, files={"b.txt": ""})
    pairing = Pairing(gold=paths["gold"], systems={"hyp": paths["hyp"]})
    with pytest.raises(FormatError, match=rf"{empty}/b\.txt: is empty"):
        list(pairing)
    gold, systems = pairing.corpora()
    assert list(gold.entries) == list(systems["hyp"].entries) == ["a", "b"]
    assert gold.aside == systems["hyp"].aside == ("note.txt",)


def test_documents_of_texts_that_another_has_are_left_aside(folder):
    texts = {f"{name}.txt": "Call me.\n" for name in "abcx"}
    gold = folder("gold", files={"a.align": ALIGN, "b.align": ALIGN, **texts})
    hyp = folder("hyp", files={f"{name}.align": ALIGN for name in "abcx"})
    pairing = Pairing(gold=gold, systems={"hyp": hyp})
    assert [text.name for text in pairing] == ["a", "b"]
    assert [lone.name for lone in pairing.unpaired] == ["c", "x"]
    assert pairing.corpora()[0].aside == ("a.txt", "b.txt", "c.txt", "x.txt")
    back = Pairing(gold=hyp, systems={"gold": gold})  # the other way round
    assert [text.name for text in back] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.txt", ""), ("x.text.gz", PACKED[:30]), ("x.align.txt", "Call me.\n")],
)
def test_what_is_void_or_of_the_same_name_is_no_document(folder, name, content):
    also = {"x.align.txt": ALIGN} if "align" in name else {"x.align": ALIGN}
    gold = folder("gold", files={"a.align": ALIGN, name: content, "README": "x"})
    hyp = folder("hyp", files={"a.align": ALIGN, **also})
    pairing = Pairing(gold=gold, systems={"hyp": hyp})
    with pytest.raises(FormatError, match="gold/x"):
        list(pairing)
    assert pairing.corpora()[0].aside == ("README",)


def test_descriptions_beside_the_texts_of_two_files_are_left_aside(folder):
    files = {
        "News.de-en.de": "Eins.\n",
        "News.de-en.en": "One.\n",
        "README": "x",
        "LICENSE.md": "x",
    }
    found = open_corpus(folder("k", files=files))
    assert list(found.entries) == ["News.de-en"]
    assert found.notes()[0].endswith("hold no alignment, ignored: LICENSE.md, README")
    assert found.notes()[1].endswith(
        "1 text of two files each, de taken as the source and en as the target"
    )


def test_two_files_of_one_text_in_one_language_are_refused(folder):
    path = folder("a", files={"x.en": "a\n", "x.de": "b\n", "x.en.txt": "c\n"})
    with pytest.raises(InputError, match=r"x\.en and x\.en\.txt are both one text in en"):
        open_corpus(path)
    path = folder("b", files={"x.en": ALIGN, "x.EN": ALIGN, "y.de": ALIGN})
    assert len(open_corpus(path).entries) == 3  # no folder with two files for each text


def test_of_texts_in_three_languages_two_are_chosen(folder):
    path = folder(
        "k", files={f"{name}.{lang}": "x\n" for name in "ab" for lang in ("de", "en", "fr")}
    )
    with pytest.raises(InputError, match=r"in de, en, fr: choose two languages .*src_lang=, tgt_l"):
        open_corpus(path)
    found = open_corpus(path, langs=("fr", "en"))
    assert [entry.path for entry in found.entries.values()] == [
        f"{path}/a.fr,{path}/a.en",
        f"{path}/b.fr,{path}/b.en",
    ]


def test_descriptions_of_data_sets_are_no_alignments(folder):
    pair = '{"src": "One.", "tgt": "Eins."}\n'
    files = {"data/a.jsonl": pair, "dataset_infos.json": '{"default": {}}', "state.json": "{}"}
    assert list(open_corpus(folder("k", files=files)).entries) == ["data/a"]
