"""Languages of files that name them: those of the texts, those that file names tell, or a note."""

import json

import pytest

import bitext as package
from bitext import Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats import Notes, write
from bitext.formats.languages import named_languages
from formats.samples import inline


@pytest.fixture
def sides(tmp_path):
    for name in ("a.en", "a.fr", "one", "two"):
        (tmp_path / name).write_text(f"{name}.\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("m.tmx", ['xml:lang="en"', 'xml:lang="fr"']),
        ("m.xlf", ['source-language="en"', 'target-language="fr"']),
        ("m.tei", ['xml:lang="en"', 'xml:lang="fr"']),
        ("m.po", ["X-Source-Language: en", "Language: fr"]),
    ],
)
def test_names_of_files_tell_their_languages(sides, name, spelled):
    notes = Notes()
    write(package.read(f"{sides}/a.en,{sides}/a.fr"), sides / name, notes=notes)
    content = (sides / name).read_text()
    assert [word in content for word in (*spelled, "und-x")] == [True, True, False]
    assert [
        note.first.rpartition(": ")[2] for note in notes if "taken from the names" in note.kind
    ] == ["en and fr"]


def test_languages_that_are_not_known_are_noted(sides):
    notes = Notes()
    write(package.read(f"{sides}/one,{sides}/two"), sides / "m.tmx", notes=notes)
    assert 'xml:lang="und-x-src"' in (sides / "m.tmx").read_text()
    told = "languages that are not known, and are written so: name them (src_lang=, tgt_lang=)"
    assert [note.kind for note in notes] == [told]


def test_languages_that_are_known_or_named_are_written_without_a_note(sides):
    notes = Notes()
    bt = inline([(["A."], ["B."])])
    texts = Text(["A."], name="a.en", lang="de"), Text(["B."], name="a.fr", lang="it")
    write(Bitext(*texts, bt.alignment), sides / "m.tmx", notes=notes)
    write(bt, sides / "n.tmx", src_lang="de", tgt_lang="it", notes=notes)
    for name in ("m.tmx", "n.tmx"):
        assert 'xml:lang="de"' in (sides / name).read_text()
    assert list(notes) == []


@pytest.mark.parametrize("name", ["all.tsv", "all.one,all.two"])
def test_formats_without_languages_take_one_pair_of_languages(tmp_path, name):
    a = inline([(["A."], ["B."])]).alignment

    def pair(src, tgt):
        return Bitext(Text(["A."], lang=src), Text(["B."], lang=tgt), a)

    out = ",".join(f"{tmp_path}/{part}" for part in name.split(","))
    for src, tgt in (("en", "de"), ("fr", "de")):
        with pytest.raises(InputError, match=f"has '{src}' and '{tgt}' where the first has 'en'"):
            write([pair("en", "fr"), pair(src, tgt)], out)
    assert not list(tmp_path.iterdir())
    # Regions do not matter, nor texts whose language is not known.
    write([pair("en-GB", "fr"), pair("", ""), pair("en-US", "")], out)
    assert len(package.read(out).alignment) == 3


def test_names_of_two_files_are_held_against_the_languages_of_the_texts(tmp_path):
    a = inline([(["A."], ["B."])]).alignment
    bt = Bitext(Text(["A."], lang="en-GB"), Text(["B."], lang="fr"), a)
    told = r"names say fr and en, and the texts that would be written there are en and fr"
    with pytest.raises(InputError, match=told):
        write(bt, f"{tmp_path}/o.fr,{tmp_path}/o.en")
    assert not list(tmp_path.iterdir())
    for names, kinds in (
        ("o.en,o.fr", 0),
        ("o.src,o.trg", 0),
        ("o.eng,o.fra", 0),
        ("o.en,o.de", 1),
    ):
        notes = Notes()
        write(bt, ",".join(f"{tmp_path}/{name}" for name in names.split(",")), notes=notes)
        kind = "files whose names say other languages than their texts have"
        assert [note.kind for note in notes].count(kind) == kinds


@pytest.mark.parametrize("name", ["m.tsv", "m.one,m.two", "m.jsonl", "m.tmx", "m.xlf"])
def test_languages_named_the_other_way_round_are_noted_whatever_is_written(sides, name):
    kind = "texts whose names say the two languages the other way round: exchange two of them"
    bt = package.read(f"{sides}/a.en,{sides}/a.fr")
    out = ",".join(f"{sides}/{part}" for part in name.split(","))
    for src, tgt, count in (("fr", "en", 1), ("en", "fr", 0), ("en-GB", "fr", 0)):
        notes = Notes()
        write(bt, out, src_lang=src, tgt_lang=tgt, notes=notes)
        assert [note.kind for note in notes].count(kind) == count
    notes = Notes()
    write(bt.swapped(), out, src_lang="fr", tgt_lang="en", notes=notes)
    assert kind not in [note.kind for note in notes]


NAMED = (
    '<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" '
    'o-tmf="x" adminlang="en" srclang="English" datatype="plaintext"/><body><tu>'
    '<tuv xml:lang="English"><seg>A</seg></tuv><tuv xml:lang="German"><seg>B</seg></tuv>'
    "</tu></body></tmx>"
)


def test_names_of_languages_are_noted_and_chosen_by_their_codes(tmp_path):
    path = tmp_path / "a.tmx"
    path.write_text(NAMED)
    found = package.read(path)
    (note,) = [note for note in found.notes if note.kind.startswith("languages named by other")]
    assert (note.count, note.first) == (2, f"{path}: 'English'")
    chosen = package.read(path, src_lang="de", tgt_lang="en")
    assert chosen.pairs() == [(["B"], ["A"])]
    assert not any("languages named by other" in note.kind for note in chosen.notes)


@pytest.mark.parametrize(
    ("src", "tgt", "langs"),
    [
        ("a.pt-br", "a.en", ("pt-BR", "en")),
        ("a.en-us.txt", "a.zh-hant.txt", ("en-US", "zh-Hant")),
        ("pt-BR/a.txt", "en_US/a.txt", ("pt-BR", "en-US")),
        ("pt-BR/1/a.txt", "en_US/1/a.txt", ("pt-BR", "en-US")),
        ("a.zh-CN", "a.zh-TW", ("zh-CN", "zh-TW")),
        ("sr-Latn/a.txt", "sr-Cyrl/a.txt", ("sr-Latn", "sr-Cyrl")),
        ("eng_Latn.dev", "deu_Latn.dev", ("eng-Latn", "deu-Latn")),
        ("English/a.txt", "German/a.txt", ("en", "de")),
        ("Book (English).txt", "Book (Deutsch).txt", ("en", "de")),
        ("corpus.en-de.en", "corpus.en-de.de", ("en", "de")),
        ("en-de/a.txt", "de-en/a.txt", ("", "")),
        ("a.de-en", "a.en-de", ("", "")),
        ("a.txt", "b.txt", ("", "")),
    ],
)
def test_regions_in_small_letters_folders_and_names_of_languages(src, tgt, langs):
    assert named_languages(src, tgt) == langs


@pytest.fixture
def two_pairs(tmp_path):
    """Links and JSON lines of a document pair in de and en, and of one in fr and en."""
    groups, rows = [], []
    for code in ("de", "fr"):
        groups.append(
            f'<linkGrp fromDoc="{code}.xml" toDoc="en.xml"><link xtargets="s1;s1"/></linkGrp>'
        )
        rows.append(
            f'{{"src": ["0"], "tgt": ["0"], "src_text": "{code}.", "tgt_text": "en.", '
            f'"document": "{code}", "src_lang": "{code}", "tgt_lang": "en"}}'
        )
    for code in ("de", "fr", "en"):
        (tmp_path / f"{code}.xml").write_text(
            f'<text xml:lang="{code}"><s id="s1">{code}.</s></text>'
        )
    (tmp_path / "a.xces").write_text(f"<cesAlign>{''.join(groups)}</cesAlign>")
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    return tmp_path


@pytest.mark.parametrize("name", ["a.xces", "a.jsonl"])
def test_document_pairs_are_chosen_by_the_languages_of_their_documents(two_pairs, name):
    assert len([*package.read_all(two_pairs / name, tgt_lang="en")]) == 2
    found = package.read(two_pairs / name, src_lang="fr", tgt_lang="en")
    assert (found.pairs(), found.src.lang) == ([(["fr."], ["en."])], "fr")
    left_out = "documents in other languages than those asked for, left out"
    assert next(note.first for note in found.notes if note.kind == left_out).endswith("de-en")
    assert package.read(two_pairs / name, src_lang="de-AT").src.lang == "de"
    for spelled, requested in (("zh-CN", "zh-Hans"), ("zh-Hant", "zh-TW")):
        path = two_pairs / f"{spelled}.jsonl"
        path.write_text(json.dumps({"src": "a", "tgt": "b", "src_lang": spelled}))
        assert package.read(path, src_lang=requested).pairs() == [(["a"], ["b"])]
    for languages in ({"src_lang": "en", "tgt_lang": "fr"}, {"src_lang": "it"}):
        with pytest.raises(FormatError, match=r"no document in .*, but in de-en, fr-en; ask for"):
            [*package.read_all(two_pairs / name, **languages)]


def test_languages_of_given_texts_and_strings_that_name_none_contradict_no_request(two_pairs):
    links = '<cesAlign><linkGrp><link xtargets="s1;s1"/></linkGrp></cesAlign>'
    docs = 'fromDoc="d.xml" toDoc="de.xml"'
    (two_pairs / "b.xces").write_text(links)
    src = two_pairs / "de.xml"
    assert package.read(two_pairs / "b.xces", src=src, src_lang="fr").src.lang == "de"
    unit = '<trans-unit id="1"><source>a</source><target>b</target></trans-unit>'
    languages = 'source-language="1033" target-language="Deutsch"'
    path = two_pairs / "a.xlf"
    path.write_text(
        f'<xliff version="1.2"><file original="a" {languages}><body>{unit}</body></file></xliff>'
    )
    assert package.read(path, src_lang="en", tgt_lang="de").pairs() == [(["a"], ["b"])]
    for none in ("und", "x-default", "l1", "src"):
        document = two_pairs / "d.xml"
        document.write_text(f'<text xml:lang="{none}"><s id="s1">a</s></text>')
        (two_pairs / "c.xces").write_text(links.replace("<linkGrp", f"<linkGrp {docs}"))
        found = package.read(two_pairs / "c.xces", src_lang="it", tgt_lang="de")
        assert found.pairs() == [(["a"], ["de."])]
    with pytest.raises(FormatError, match="no document in en-fr, but in 1033-Deutsch; ask for"):
        package.read(path, src_lang="en", tgt_lang="fr")
