"""Reading a file with faults: what is sound of it is not lost with them."""

from base64 import b64encode

import pytest

import bitext
from bitext.errors import AlignmentError, BitextError, FormatError
from bitext.formats.beads import Beads
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import WriteOptions, by_name
from formats.samples import inline

UNITS = {"tmx": "<tu>", "xliff12": "<trans-unit", "xliff2": "<unit", "maligna": "<alignment>"}
PAIRS = [([f"one {k}"], [f"yksi {k}"]) for k in range(5)]


def written(path, known, *bitexts, **options):
    with path.open("w", encoding="utf-8") as out:
        by_name(known).write(
            bitexts, out, options=WriteOptions(src_lang="en", tgt_lang="fi", **options)
        )
    return path


def torn(path, unit):
    """Makes the last unit but one, one that cannot be read."""
    content = path.read_text(encoding="utf-8")
    before, sign, behind = content.rpartition(unit)
    before, other, bad = before.rpartition(unit)
    path.write_text(f"{before}{other}{bad.replace(' 3', ' 3 & 4', 1)}{sign}{behind}", "utf-8")


def read(path, *, parts=True, on_bad=None, block_size=0, **options):
    """Returns the pairs that were read, and the error that ended that."""
    found = []
    with opened(str(path), FileOptions(parts=parts, **options), on_bad=on_bad) as reading:
        reading.source.block_size = block_size
        try:
            found.extend(reading)
        except FormatError as error:
            return found, error
    return found, None


SOUND = PAIRS[:3] + PAIRS[4:]


@pytest.mark.parametrize("size", [2, 100])
@pytest.mark.parametrize("known", UNITS)
def test_a_unit_that_is_not_well_formed_is_left_out_alone(known, size, tmp_path):
    path = written(tmp_path / "a.xml", known, inline(PAIRS))
    torn(path, UNITS[known])
    bad = []
    found, error = read(path, on_bad=bad.append, part_size=size)
    assert error is None
    assert [pair for part in found for pair in part.pairs()] == SOUND
    assert [part.continues for part in found] == [False] + [True] * (len(found) - 1)
    assert {part.meta["format"] for part in found} == {known}
    line = path.read_text(encoding="utf-8").partition(" & ")[0].count("\n") + 1
    assert [(fault.path, fault.line) for fault in bad] == [(str(path), line)]
    unit = UNITS[known].strip("<>")
    assert f"has a {unit} that is not well-formed XML: " in bad[0].message


@pytest.mark.parametrize("size", [60, 1 << 16])
def test_a_fault_in_a_later_piece_of_tmx(size, tmp_path):
    path = written(tmp_path / "a.tmx", "tmx", inline(PAIRS))
    torn(path, "<tu>")
    found, _ = read(path, on_bad=[].append, block_size=size)
    assert [pair for part in found for pair in part.pairs()] == SOUND


@pytest.mark.parametrize("known", ["tmx", "xliff12", "xliff2"])
def test_documents_around_a_fault_are_read(known, tmp_path):
    options = {"beads": True} if known == "tmx" else {}
    both = inline(PAIRS[:2]), inline(PAIRS[2:])
    path = written(tmp_path / "a.xml", known, *both, **options)
    torn(path, UNITS[known])
    bad = []
    found, error = read(path, on_bad=bad.append)
    assert error is None
    assert len(bad) == 1
    assert [part.pairs() for part in found] == [PAIRS[:2], [PAIRS[2], PAIRS[4]]]
    assert [part.continues for part in found] == [False, False]


def test_a_fault_ends_the_reading_where_none_are_to_be_left_out(tmp_path):
    path = written(tmp_path / "a.tmx", "tmx", inline(PAIRS))
    torn(path, "<tu>")
    for parts in (True, False):
        found, error = read(path, parts=parts)
        assert (found, error.path) == ([], str(path))
    with pytest.raises(FormatError, match="is not well-formed XML"):
        bitext.read(path)


def test_a_unit_of_too_many_names_is_told_and_the_others_are_kept(tmp_path):
    path = written(tmp_path / "a.tmx", "tmx", inline(PAIRS))
    before, unit, behind = path.read_text(encoding="utf-8").rpartition("<tu>")
    props = "".join(f'<prop type="p{k}">x</prop>' for k in range(10_001))
    path.write_text(f"{before}{unit}{props}{behind}", encoding="utf-8")
    found, error = read(path, on_bad=[].append)
    assert "has more than 10,000 different attributes" in error.message
    assert error.line is not None
    assert [pair for part in found for pair in part.pairs()] == PAIRS[:4]


def test_an_error_of_what_was_read_before_a_fault_does_not_hide_it(tmp_path, monkeypatch):
    def rest(_):
        raise AlignmentError("is in no order")
        yield

    monkeypatch.setattr(Beads, "rest", rest)
    path = written(tmp_path / "a.tmx", "tmx", inline(PAIRS))
    content = path.read_text(encoding="utf-8").replace("<header ", "<header <")
    path.write_text(content, encoding="utf-8")
    assert "is not well-formed XML" in read(path, on_bad=[].append)[1].message


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (bitext.read, "name it (format=), one of: android, apple, arrow, champollion, csv"),
        (lambda path: list(bitext.read_all(path, format="po", tgt_lang="de")), "out (tgt_lang=)"),
        (lambda path: bitext.write([], f"{path}.xyz"), "name it (format=), one of"),
        (
            lambda path: bitext.write([], f"{path},b", format="tsv"),
            "(format='moses', format='natools')",
        ),
        (bitext.read_segmentations, "(encoding=), as utf-16-le"),
    ],
)
def test_errors_of_python_name_arguments(tmp_path, wrong, told):
    path = tmp_path / "a"
    path.write_text('msgid ""\nmsgstr "Language: fr\\n"\n' if "tgt" in told else "0 1\n\0\n")
    with pytest.raises(BitextError) as error:
        wrong(path)
    assert told in str(error.value)
    assert "--" not in str(error.value)
    assert getattr(error.value, "message", told) in f"{error.value}{told}"


NONE_OF_ITS_NAME = [
    ("a.po", "garbage\n", r"a\.po line 1: is 'garbage'; want entries of msgid"),
    ("a.jsonl", '{"src": "a"\n', r"a\.jsonl line 1: is not JSON"),
    ("a.ladder", "one\n", r"a\.ladder line 1: is 'one'; want a rung"),
    ("a.xlf", "one\n", r"a\.xlf: is not XML, or has no root element"),
    ("a.tsv", "one\n", r"a\.tsv: no line has two columns"),
    (
        "a.tmx",
        "<!DOCTYPE html>\n<html><body>404</body></html>",
        "is an HTML page, not an alignment",
    ),
    ("a.tmx", "<HTML>", "is an HTML page"),
    ("a.tmx", '<?xml version="1.0"?>\n<map version="1.0"><layer/></map>', "is a map of a game"),
    (
        "a.xces",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        r"is a pointer of Git LFS to a file, not an alignment: fetch that \(git lfs pull\)",
    ),
    ("a.tmx", "PK\x03\x04", "is a ZIP archive.*unpack it"),
    ("a.csv", "a\nb\n", "has no separator that gives most rows two columns"),
    ("a.al", "*** Link: 2 - 1 ***\nA\n", r"Gale and Church .*each bead in a line, as '1,2 <=> 1'"),
    ("a.txt", "<TrU>\n<Seg L=EN-US>A\n", "a memory of Trados Workbench.*export it as TMX"),
    ("a.xml", '<?xml version="1.0"?>\n<mtf></mtf>', "XML of MultiTerm.*export the terms as TBX"),
    ("a.md", "| en | de |\n|----|----|\n| A | B |\n", "a table in Markdown"),
    ("a.sdltm", "SQLite format 3\0...", "a memory of Trados Studio.*export it as TMX"),
    (
        "a.xls",
        '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><W/>',
        "save it as .xlsx",
    ),
]


@pytest.mark.parametrize(("name", "content", "told"), NONE_OF_ITS_NAME)
def test_what_is_not_what_its_name_says_is_told_by_what_it_is(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(FormatError, match=told):
        bitext.read(path)


def test_a_table_of_markdown_is_csv_by_its_name_or_the_remedy(tmp_path):
    for name in ("a.csv", "a.md"):
        (tmp_path / name).write_text("| en | de |\n|----|----|\n| A | B |\n")
    with pytest.raises(FormatError, match=r"Markdown: read it as CSV \(format='csv'\)"):
        bitext.read(tmp_path / "a.md")
    for found in (bitext.read(tmp_path / "a.csv"), bitext.read(tmp_path / "a.md", format="csv")):
        assert found.pairs() == [(["A"], ["B"])]


@pytest.mark.parametrize("name", ["a.po", "a.tsv", "a.tmx", "a"])
def test_marks_of_a_conflict_are_told_with_their_line(tmp_path, name):
    path = tmp_path / name
    path.write_text("a\tb\n<<<<<<< HEAD\nc\td\n=======\nc\te\n>>>>>>> other\n")
    with pytest.raises(FormatError, match="line 2: has two versions between marks of a conflict"):
        bitext.read(path)


def test_tables_named_as_csv_that_are_parted_by_tabs_are_read_with_a_note(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("One.\tUn.\nTwo.\tDeux.\n")
    bt = bitext.read(path)
    assert bt.pairs()[1] == (["Two."], ["Deux."])
    assert [note.kind for note in bt.notes] == [
        "files named as CSV but separated by tabs, read as TSV"
    ]


KEYED = "source texts that look like keys of strings, read as texts (are those in another file?)"


@pytest.mark.parametrize(
    ("name", "content", "is_noted"),
    [
        ("a.po", 'msgid "app.title"\nmsgstr "Titel"\n\nmsgid "app.save"\nmsgstr "Ja"\n', True),
        ("a.po", 'msgid "app.title"\nmsgstr "Titel"\n\nmsgid "Save"\nmsgstr "Ja"\n', False),
        ("a.po", 'msgid "app.title"\nmsgstr "app.title"\n\nmsgid "a.b"\nmsgstr "a.b"\n', False),
        (
            "a.jsonl",
            '{"src": "menu_open", "tgt": "Auf"}\n{"src": "menu_save", "tgt": "Ja"}\n',
            True,
        ),
        ("a.jsonl", '{"src": "Open", "tgt": "Auf"}\n{"src": "Save", "tgt": "Ja"}\n', False),
    ],
)
def test_keys_in_place_of_texts_are_noted(tmp_path, name, content, is_noted):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    found = bitext.read(path)
    notes = [note for note in found.notes if note.kind == KEYED]
    assert [note.first for note in notes] == [f"{path}: {found.src[0].text!r}"] * is_noted


@pytest.mark.parametrize(
    ("sides", "is_noted"),
    [([("0", "0"), ("1,2", "1"), ("3", "2")], True), ([("[0]", "[0]"), ("[1]", "[1]")], True),
     ([("s1", "t1"), ("s2", "t2")], False), ([("1", "one"), ("2", "two")], False)],
)  # fmt: skip
def test_identifiers_in_place_of_texts_are_noted(write, sides, is_noted):
    lines = "".join(f'{{"src": "{src}", "tgt": "{tgt}"}}\n' for src, tgt in sides)
    notes = bitext.read(write("a.jsonl", lines)).notes
    told = "texts that look like identifiers or positions, read as texts"
    assert any(note.kind.startswith(told) for note in notes) == is_noted


COPIES = "files with the same text on both sides of most of their first bisegments"


@pytest.mark.parametrize(
    ("codes", "same", "numbers", "is_noted"),
    [
        (("en", "de"), 5, 1, True),
        (("en", "de"), 2, 4, False),
        (("en-US", "en-GB"), 6, 0, False),
        (("en_US", "en_GB"), 6, 0, False),
    ],
)
def test_copies_of_the_source_in_place_of_translations_are_noted(
    tmp_path, codes, same, numbers, is_noted
):
    rows = [f"Line {k}\tLine {k}\n" for k in range(same)] + ["1.5\t1.5\n"] * numbers
    path = tmp_path / "a.tsv"
    path.write_text("\t".join(codes) + "\n" + "".join(rows) + "Open\tAuf\n")
    notes = [note for note in bitext.read(path).notes if note.kind.startswith(COPIES)]
    assert [note.first for note in notes] == [f"{path}: 5 of 7"] * is_noted


def test_garbled_and_encoded_texts_are_noted(tmp_path):
    path = tmp_path / "a.tsv"
    garbled = "Größe, Füße, Öl, Mühle".encode().decode("latin-1")
    coded = b64encode(b"The mill stood still.").decode()
    path.write_text(f"{garbled}\t{coded}\nText\t{coded}\n", encoding="utf-8")
    found = [note for note in bitext.read(path).notes if "kept as they are" in note.kind]
    assert [note.first.partition(": ")[2] for note in found] == ["source", f"target: {coded!r}"]
    czech = "Příliš žluťoučký kůň úpěl ďábelské ódy."
    page = czech.encode("iso8859-2").decode("latin-1")
    path.write_text(f"{page}\tOne\n", encoding="utf-8")
    told = "texts that seem to be iso8859-2 read as Latin-1, kept as they are"
    assert [note.kind for note in bitext.read(path).notes] == [told]
    path.write_text(f"Größe\tsize\n{czech}\tVm9yd29ydA==\n", encoding="utf-8")
    assert not bitext.read(path).notes


def test_texts_of_xliff_with_the_indentation_of_the_file_are_noted(tmp_path):
    path = tmp_path / "a.xlf"
    content = (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'source-language="en" target-language="de" datatype="x"><body><trans-unit id="1"><source>{}'
        "</source><target>B.</target></trans-unit></body></file></xliff>"
    )
    path.write_text(content.format("\n      A.\n    "))
    found = [note for note in bitext.read(path).notes if "layout of the file" in note.kind]
    assert [note.count for note in found] == [1]
    path.write_text(content.format("A.\nB."))
    assert not [note for note in bitext.read(path).notes if "layout" in note.kind]


def test_placeholders_of_tags_of_phrase_are_noted(tmp_path):
    path = tmp_path / "a.mxliff"
    path.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'source-language="en" target-language="de" datatype="x"><body><trans-unit id="1"><source>'
        "Press {1&gt;Start&lt;1}.</source><target>{1&gt;Start&lt;1} {j}.</target></trans-unit>"
        "</body></file></xliff>"
    )
    notes = [note for note in bitext.read(path).notes if "tags of Phrase" in note.kind]
    assert [(note.count, note.first) for note in notes] == [(2, f"{path}: 'Press {{1>Start<1}}.'")]


@pytest.mark.parametrize(
    ("links", "noted"),
    [
        (("1-1 2-2", "1-1"), True),
        (("1-1", "1-1"), True),  # the second pair has one word
        (("1-1", ""), False),
        (("0-0 1-1 2-2", "1-1"), False),
        (("1-1 2-2", "x"), False),
    ],
)
def test_links_of_a_column_that_seem_to_count_from_1_are_noted(tmp_path, links, noted):
    path = tmp_path / "a.tsv"
    path.write_text(f"src\ttgt\twords\na b\tA B\t{links[0]}\nc\tC\t{links[1]}\n")
    told = "word links without a 0, one just beyond the words, read from 0 (from 1: base=1)"
    assert [note.kind for note in bitext.read(path).notes] == [told] * noted
    assert not bitext.read(path, base=0).notes
    if noted:
        assert bitext.read(path, base=1).alignment.attributes["words"][1] == "0-0"


LINKED = 'fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz"'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xces", f'<cesAlign><linkGrp {LINKED}><link xtargets="1;1"/></linkGrp></cesAlign>'),
        ("a.ids", "en/a.xml.gz\tfr/a.xml.gz\t1\t1\n"),
    ],
)
def test_documents_in_each_others_place_are_refused(write, name, content):
    """Their identifiers are alike, so that every link fits."""
    path = write(name, content)
    src, tgt, other = (
        write(f"xml/{lang}/a.xml", f'<text><s id="1">{lang}</s></text>')
        for lang in ["en", "fr", "de"]
    )
    told = r"aligns 'en/a\.xml\.gz' with 'fr/a\.xml\.gz', and {}= is '.*': exchange src= and tgt="
    for given, side in (((tgt, src), "src"), ((tgt, tgt), "src"), ((src, src), "tgt")):
        with pytest.raises(FormatError, match=told.format(side)):
            bitext.read(path, src=given[0], tgt=given[1])
    for given in ((src, tgt), (src, other), (other, tgt)):
        assert bitext.read(path, src=given[0], tgt=given[1]).src.name == str(given[0])


@pytest.mark.parametrize("name", ["jsonl", "tmx", "moses"])
def test_missing_values_in_place_of_translations_are_noted(tmp_path, name):
    pairs = [("The mill stood still.", "nan"), ("A dog.", "NULL"), ("N/A", "Nicht zutreffend")]
    # Both texts of a bisegment may name the value, as those of programs do.
    pairs += [("NULL", "NULL"), ("NULL", "Der Wert NULL.")]
    made = inline([([src], [tgt]) for src, tgt in pairs])
    paths = [tmp_path / f"a.{end}" for end in (("en", "de") if name == "moses" else (name,))]
    given = ",".join(map(str, paths))
    bitext.write(made, given, format=name)
    (note,) = (n for n in bitext.read(given).notes if "missing values" in n.kind)
    assert (note.count, note.first.endswith(": 'nan'")) == (2, True)


def test_documents_that_come_again_after_others_are_noted(tmp_path):
    kind = "documents that come again after others, each time read as another one"
    rows = ("a,One.,Un.", "b,Two.,Deux.", "a,Three.,Trois.", "a,Four.,Quatre.")
    for order, noted in (((0, 1, 2, 3), 1), ((0, 2, 3, 1), 0)):
        path = tmp_path / "a.csv"
        path.write_text("\n".join(("document,src,tgt", *(rows[k] for k in order), "")))
        notes = [note for bt in bitext.read_all(path) for note in bt.notes]
        assert sum(note.count for note in notes if note.kind.startswith(kind)) == noted
    unit = '<trans-unit id="1"><source>One.</source><target>Un.</target></trans-unit>'
    file = f'<file source-language="en" target-language="fr"><body>{unit}</body></file>'
    path = tmp_path / "a.xlf"
    path.write_text(f'<xliff version="1.2">{file * 2}</xliff>')
    with opened(str(path), FileOptions(name="a")) as reading:  # documents with that of the file
        documents = [*reading]
    assert [bt.name for bt in documents] == ["a", "a"]
    assert not any(note.kind.startswith(kind) for bt in documents for note in bt.notes)


WIDE = {
    "a.tsv": "src\ttgt\nGrüße €\tZwölf\n",
    "a.csv": "src,tgt\nGrüße €,Zwölf\n",
    "a.po": 'msgid "Grüße €"\nmsgstr "Zwölf"\n',
    "a.json": '[{"src": "Grüße €", "tgt": "Zwölf"}]',
    "a.jsonl": '{"src": "Grüße €", "tgt": "Zwölf"}\n',
    "a.strings": '"a" = "{}";\n',
}


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_formats_are_detected_in_wide_characters(tmp_path, name, encoding):
    """UTF-16 and UTF-32 are known by a mark, or named."""
    paths = []
    for k, text in enumerate(("Grüße €", "Zwölf")):
        paths.append(tmp_path / f"{k}.{name}")
        paths[-1].write_bytes(WIDE[name].replace("{}", text).encode(encoding))
    given = f"{paths[0]},{paths[1]}" if "{}" in WIDE[name] else paths[0]
    options = {} if encoding in {"utf-16", "utf-32"} else {"encoding": encoding}
    assert bitext.read(given, **options).pairs() == [(["Grüße €"], ["Zwölf"])]


def test_two_files_of_xml_are_detected_in_utf_16(tmp_path):
    for name, root in (("a.resx", "root><data"), ("a.xml", "resources><string")):
        outer, inner = root.split("><")
        for side, text in (("en", "Grüße"), ("de", "Zwölf")):
            value = f"<value>{text}</value>" if outer == "root" else text
            content = f'<{root} name="a">{value}</{inner}></{outer}>'
            (tmp_path / f"{side}.{name}").write_bytes(content.encode("utf-16"))
        bt = bitext.read(f"{tmp_path}/en.{name},{tmp_path}/de.{name}")
        assert bt.pairs() == [(["Grüße"], ["Zwölf"])]


def test_an_encoding_that_is_not_that_of_a_file_hides_no_format(tmp_path):
    path = tmp_path / "a.tmx"
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?><tmx version="1.4"><header srclang="en"/><body>'
        '<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fi"><seg>b</seg></tuv></tu>'
        "</body></tmx>"
    )
    assert bitext.read(path, encoding="utf-16-le").pairs() == [(["a"], ["b"])]
