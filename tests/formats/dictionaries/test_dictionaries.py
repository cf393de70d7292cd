"""Dictionaries of every kind: what is read, what is odd, and what is refused with its line."""

from __future__ import annotations

import gzip

import pytest

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.dictionaries import Dictionary, read_dictionary

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>
<entry><form><orth>Haus</orth><pron>haus</pron></form>
 <sense><cit type="trans" xml:lang="en"><quote>house</quote></cit>
  <sense><cit type="translation"><quote>the  <hi>home</hi></quote></cit></sense>
  <cit type="example"><quote>im Haus</quote>
   <cit type="trans"><quote>in the house</quote></cit></cit></sense></entry>
<entry><form><orth>ach</orth></form><sense><note>a sigh</note></sense></entry>
<superEntry><entry><form><orth>alt</orth><orth>betagt</orth></form>
 <trans><tr>old</tr></trans></entry></superEntry>
</body></text></TEI>
"""


def pairs(dictionary):
    return [(src, tgt) for src, tgt, _ in dictionary]


TMX = """<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>house</seg></tuv><tuv xml:lang="de"><seg>Haus</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>dog</seg></tuv><tuv xml:lang="de"><seg>der  Hund</seg></tuv></tu>
</body></tmx>"""


@pytest.mark.parametrize(
    ("name", "content", "langs"),
    [
        ("a.csv", "Haus,house\nder Hund,dog\n", ("", "")),
        ("a.csv", '\ufeffHaus;house\r\n"der  Hund";dog\r\n', ("de", "en")),
        ("a.csv", "English,German,Note\nhouse,Haus,n.\ndog,der Hund,\n", ("de", "en")),
        ("a.csv", "id,source,target\n1,Haus,house\n2,der Hund,dog\n", ("", "")),
        ("a.jsonl", '{"de": "Haus", "en": "house"}\n{"de": "der Hund", "en": "dog"}\n', ("", "")),
        ("a.tmx", TMX, ("de", "en")),
        ("a.tmx.gz", gzip.compress(TMX.encode()), ("de", "en")),
    ],
)
def test_a_glossary_may_be_a_table_or_a_memory(write, name, content, langs):
    found = read_dictionary(write(name, content), langs=langs)
    assert found.kind == "table"
    assert list(found) == [("Haus", "house", 1.0), ("der Hund", "dog", 1.0)]
    assert not found.notes


def test_rows_of_a_glossary_without_a_translation_are_told(write):
    found = read_dictionary(write("a.csv", "de,en\nHaus,house\nHund,\nKatze,cat\n"))
    assert pairs(found) == [("Haus", "house"), ("Katze", "cat")]
    (note,) = found.notes
    assert (note.kind, note.count) == ("entries without a translation, skipped", 1)
    assert note.first.endswith("bisegment 2, Hund")


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.dic", "the dog @ der Hund\n\nhouse @ Haus\n", "hunalign"),
        ("a.txt", "the dog @ der Hund\nhouse @ Haus\n", "hunalign"),
        ("a.tsv", "# German to English\nder Hund\tthe dog\nHaus\thouse\t0.5\n", "tsv"),
        ("a.txt", "\ufeffder Hund\tthe dog\r\nHaus\thouse\r\n", "tsv"),
        ("lex.txt", "Hund dog 0.5\nHaus house 0.25\n", "moses"),
        ("lex.e2f", "Hund dog 0.5\nNULL dog 0.1\nHaus house 0.25\n", "moses"),
        ("lex.f2e", "dog Hund 0.5\nhouse NULL 0.2\nhouse Haus 0.25 1 4\n", "moses"),
        ("de-en.txt", "Hund dog\nHaus house\n", "words"),
    ],
)
def test_lines_are_read_by_their_kind(write, name, content, kind):
    found = read_dictionary(write(name, content))
    assert found.kind == kind
    assert [(s.split()[-1], t.split()[-1]) for s, t in pairs(found)] == [
        ("Hund", "dog"),
        ("Haus", "house"),
    ]
    weights = {"moses": (0.5, 0.25), "tsv": (1.0, 0.5 if "0.5" in content else 1.0)}
    assert found.weights == weights.get(kind, (1.0, 1.0))


def test_a_packed_dictionary_is_told_by_its_name(write):
    path = write("lex.f2e.gz", gzip.compress(b"dog Hund 0.5\n"))
    assert pairs(read_dictionary(path)) == [("Hund", "dog")]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.dic", "dog Hund"),
        ("a.dic", "dog @ Hund @ Haus"),
        ("a.dic", " @ Hund"),
        ("a.dic", "#dog"),  # would be a remark, had it no partner
        ("a.tsv", "dog"),
        ("a.tsv", "dog\t"),
        ("a.tsv", "dog\tHund\t-1"),
        ("a.tsv", "dog\tHund\tnan"),
        ("lex.e2f", "dog Hund much"),
        ("lex.e2f", "dog Hund"),
        ("lex.e2f", "dog Hund inf"),
        ("de-en.txt", "dog Hund Haus"),
    ],
)
def test_a_malformed_line_is_an_error_with_its_number(write, name, line):
    good = {"a.dic": "x @ y", "a.tsv": "x\ty", "lex.e2f": "x y 0.1", "de-en.txt": "x y"}[name]
    path = write(name, f"{good}\n{line}\n{good}\n")
    if line.startswith("#"):
        assert len(read_dictionary(path)) == 2
        return
    with pytest.raises(FormatError, match=rf"{name} line 2: .*; want ") as told:
        read_dictionary(path)
    assert told.value.line == 2


def test_a_term_may_begin_with_a_hash(write):
    assert pairs(read_dictionary(write("a.tsv", "#1\tnumber one\n"))) == [("#1", "number one")]


def test_terms_are_read_without_remarks_and_one_by_one(write):
    rows = "Abbau {m} [Chem.]\tdegradation\nAuto {n}; Wagen {m}\t(the) car\nx\t(c)\n"
    found = read_dictionary(write("a.tsv", rows))
    assert pairs(found) == [
        ("Abbau", "degradation"), ("Auto", "car"), ("Wagen", "car"), ("x", "(c)"),
    ]  # fmt: skip
    assert [(note.kind, note.count) for note in found.notes] == [
        ("terms with remarks in brackets, or several with semicolons, read as plain terms", 2)
    ]
    escaped = read_dictionary(write("c.tsv", "A &amp; B &lt;AB&gt;; C\tR&D\n"))
    assert pairs(escaped) == [("A & B", "R&D"), ("C", "R&D")]
    many = ";".join(map(str, range(21)))
    assert pairs(read_dictionary(write("b.tsv", f"{many}\ty\n"))) == [(many, "y")]
    memory = write("a.tmx", TMX.replace("der  Hund", "der Hund; er"))
    assert ("der Hund; er", "dog") in pairs(read_dictionary(memory, langs=("de", "en")))


APERTIUM = """<?xml version="1.0"?><dictionary><pardefs><pardef n="x"><e><p><l><s n="m"/></l>
<r><s n="f"/></r></p></e></pardef></pardefs><section id="main" type="standard">
<e><p><l>Haus<s n="n"/></l><r>house<s n="n"/></r></p></e><e><i>Radio<s n="n"/></i></e>
<e r="LR"><p><l>zum<b/>Beispiel</l><r>for<b/><g>example</g></r></p><par n="x"/></e>
</section></dictionary>"""


@pytest.mark.parametrize("name", ["deu-eng.dix", "deu-eng.xml"])
def test_dictionaries_of_apertium_are_read(write, name):
    found = read_dictionary(write(name, APERTIUM))
    assert found.kind == "apertium"
    assert pairs(found) == [("Haus", "house"), ("zum Beispiel", "for example")]
    with pytest.raises(FormatError, match="holds no pair of terms as apertium has them"):
        read_dictionary(write("a.dix", "<dictionary><e><i>a</i></e></dictionary>"))


def test_further_columns_are_noted(write):
    found = read_dictionary(write("a.tsv", "Hund\tdog\tnoun\nHaus\thouse\t0.5\tnoun\n"))
    assert found.weights == (1.0, 0.5)
    assert [(note.kind, note.count) for note in found.notes] == [
        ("further columns of a dictionary, skipped", 2)
    ]
    of_link = read_dictionary(write("b.tsv", "Hund\tdog\t0.5\t0.25\t3\n"))
    assert (of_link.weights, list(of_link.notes)) == ((0.5,), [])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.txt", "", "is empty"),
        ("a.txt", "one two three four five\n", "no dictionary that bitext recognises: it begins"),
        ("a.dic", "# nothing\n", "holds no pair of terms as hunalign has them"),
        ("a.tei", "<TEI><text/></TEI>", "holds no entry of a dictionary"),
        ("a.tei", "<TEI><entry>", "a.tei line 1"),
        ("a.tei", "<TEI>\n<entry><sense/></entry></TEI>", "line 2: has an entry without a headw"),
        ("a.dic", b"a @ \xff\n", "which is not utf-8"),
    ],
)
def test_what_is_no_dictionary_is_refused(write, name, content, told):
    with pytest.raises(FormatError, match=told):
        read_dictionary(write(name, content))


def test_kinds_that_are_not_there_name_the_nearest(write):
    with pytest.raises(OptionError, match="did you mean 'moses'"):
        read_dictionary(write("a.dic", "a @ b"), kind="mosse")
    assert pairs(read_dictionary(write("a.x", "a @ b"), kind="hunalign")) == [("b", "a")]


@pytest.mark.parametrize("name", ["deu-eng.tei", "deu-eng.xml"])
def test_freedict_has_translations_and_not_those_of_examples(write, name):
    found = read_dictionary(write(name, TEI))
    assert found.kind == "freedict"
    assert pairs(found) == [
        ("Haus", "house"),
        ("Haus", "the home"),
        ("alt", "old"),
        ("betagt", "old"),
    ]
    assert [(note.kind, note.count) for note in found.notes] == [
        ("entries without a translation, skipped", 1)
    ]
    assert "line 8: ach" in found.notes[0].first


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def in_base_64(number):
    digits = ""
    while number or not digits:
        digits = DIGITS[number % 64] + digits
        number //= 64
    return digits


@pytest.fixture
def dictd(write):
    """Writes the two files of dictd, and gives the path of each."""

    def make(texts, *, packed=True):
        data, index = b"", ""
        for head, text in texts:
            raw = text.encode()
            index += f"{head}\t{in_base_64(len(data))}\t{in_base_64(len(raw))}\n"
            data += raw
        path = write("x.index", index)
        return path, write(f"x.dict{'.dz' * packed}", gzip.compress(data) if packed else data)

    return make


ENTRIES = [
    ("00-database-info", "FreeDict\n  whatever\n"),
    ("haus", "Haus /haʊs/ <neut, n, sg>\nhouse, home [arch.]\n"),
    (
        "gut",
        (
            "gut /ɡuːt/ <adj>\n1. good\n   Synonyms: {fein}, {nett}\n"
            '     "ein guter Hund" - a good dog\n2. all right; (quite) well\n   see: {besser}\n'
        ),
    ),
    ("ach", "ach\n   Note: a sigh\n"),
]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("which", [0, 1])
def test_dictd_is_read_from_either_file(dictd, packed, which):
    found = read_dictionary(dictd(ENTRIES, packed=packed)[which])
    assert found.kind == "dictd"
    assert pairs(found) == [
        ("haus", "house"),
        ("haus", "home"),
        ("gut", "good"),
        ("gut", "all right"),
        ("gut", "well"),
    ]
    assert [note.count for note in found.notes if "without a translation" in note.kind] == [1]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("haus", "line 2: is 'haus'; want a headword and two numbers"),
        ("haus\tA\t?", "line 2: is .*; want a headword and two numbers"),
        ("haus\tA\t////", "line 2: names bytes 0 to 16777215 of .*x.dict.dz, which has"),
    ],
)
def test_a_malformed_index_is_an_error_with_its_line(dictd, line, told):
    index, _ = dictd(ENTRIES[:1])
    index.write_text(f"{index.read_text()}{line}\n")
    with pytest.raises(FormatError, match=told):
        read_dictionary(index)


def test_dictd_without_its_other_file_is_told(dictd):
    index, data = dictd(ENTRIES)
    data.unlink()
    with pytest.raises(InputError, match=r"x\.dict\.dz: no such file"):
        read_dictionary(index)


def test_texts_of_dictd_that_are_no_utf_8_are_told(dictd):
    index, data = dictd([("haus", "Haus\nhouse\n")])
    data.write_bytes(gzip.compress(b"Haus\nhou\xff\xff\n"))
    with pytest.raises(FormatError, match=r"the text of 'haus' \(bytes 0 to 11\) is not UTF-8"):
        read_dictionary(index)


def test_what_occurs_tells_the_direction():
    found = Dictionary(("Hund", "Haus", "alte Frau"), ("dog", "house", "old woman"), (1, 0.5, 0.25))
    german, english = {"hund", "haus", "alte", "frau"}, {"dog", "old", "woman"}
    assert list(found.occurring(german, english)) == [
        ("Hund", "dog", 1),
        ("alte Frau", "old woman", 0.25),
    ]
    assert not found.occurring(english, german)
    assert len(found.swapped().occurring(english, german)) == 2
    by_letter = found.occurring(set("hundas"), set("dog"), words=lambda term: term.lower())
    assert list(by_letter) == [("Hund", "dog", 1)]


def test_words_that_begin_alike_occur_when_letters_are_given():
    found = Dictionary(("Haus", "Hund", "das Haus"), ("maison", "chien", "maison"))
    text = {"hauses", "hund"}, {"maisons", "chien"}
    assert list(found.occurring(*text)) == [("Hund", "chien", 1.0)]
    assert [pair[0] for pair in found.occurring(*text, letters=4)] == ["Haus", "Hund"]


def test_numbered_translations_of_dictd_and_what_stands_between(dictd):
    haus = "Haus /haus/\n1. maison 2.\nGebaeude zum Wohnen\n3. foyer; toit\n"
    go = "go\n1. aller\n2. go out of it (go V)\n- abandonner\n"
    found = read_dictionary(dictd([("haus", haus), ("go", go), ("", "x\ny\n")])[0])
    assert [pair[:2] for pair in found] == [
        ("haus", "maison"),
        ("haus", "foyer"),
        ("haus", "toit"),
        ("go", "aller"),
    ]
    assert "lines of the index without a headword, skipped: 1" in str(found.notes[0])
