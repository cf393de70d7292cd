"""CSV: separators, quoting, headers, and what bitext writes of itself."""

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitext
from bitext.cli.main import main
from bitext.errors import FormatError, OptionError
from bitext.formats.columns import Columns
from bitext.formats.registry import by_name
from formats.samples import beads, inline, kinds, opened, read, read_all, read_on, segment, written

QUOTED = 'en,de\n"Hi, ""you""","Hallo,\ndu"\n5" disk,5-Zoll-Diskette\n'


def made(tmp_path, content, name="a.csv", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return bitext.read(path, **options)


def test_cells_in_quotation_marks_have_separators_marks_and_breaks():
    bt = read("csv", QUOTED)
    assert bt.pairs() == [
        (['Hi, "you"'], ["Hallo,\ndu"]),
        (['5" disk'], ["5-Zoll-Diskette"]),
    ]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_told_from_the_rows(separator):
    other = ";" if separator == "," else ","
    content = f"id{separator}en{separator}fr\n1{separator}One{other} two{separator}Un{other} deux\n"
    assert read("csv", content).pairs() == [([f"One{other} two"], [f"Un{other} deux"])]


def test_the_line_of_excel_names_the_separator():
    assert read("csv", "sep=;\r\nOne, two;Un, deux\r\nA, b;C, d\r\n").pairs()[0] == (
        ["One, two"],
        ["Un, deux"],
    )


def test_two_separators_that_fit_are_refused_with_a_way_out(tmp_path):
    content = "Hello; world,Hallo Welt\nHi; you,Hallo du\n"
    with pytest.raises(FormatError, match=r"comma or semicolon.*columns='sep=comma'"):
        made(tmp_path, content)
    assert made(tmp_path, content, columns="sep=comma").pairs()[0] == (
        ["Hello; world"],
        ["Hallo Welt"],
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_byte_order_marks_set_the_encoding(encoding):
    text = ("\ufeff" if encoding == "utf-16-le" else "") + 'en;fr\r\n"Été";"a\r\nb"\r\n'
    bt = read("csv", text.encode(encoding))
    assert bt.pairs() == [(["Été"], ["a\r\nb"])]


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ('en,fr\na,b\n"c,d\n', 3, "not closed"),
        ('en,fr\n"a"b,c\n', 2, "double it"),
        ("en,fr\na\rb,c\n", 2, "carriage return"),
        ('en,fr\na,"' + "b\n" * 70000, 2, "more than 131,072 characters"),
    ],
)
def test_unsound_quoting_is_refused_with_its_line(content, line, told):
    with pytest.raises(FormatError, match=f"line {line}: .*{told}"):
        read("csv", content)


def test_what_is_behind_an_unsound_row_is_read():
    bt, lines = read_on("csv", 'en,fr\na,b\n"c"d,e\nf,g\n')
    assert bt.pairs() == [(["a"], ["b"]), (["f"], ["g"])]
    assert lines == [3]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ('"open,x\n', "line 4: begins a cell in quotation marks that is not closed"),
        ('"open,x\n"c, d","C"\n', "line 4: has a quotation mark within a cell"),
        ('"open,\\"x\n', "line 4: begins a cell in quotation marks"),
    ],
)
def test_a_mark_that_is_not_closed_costs_its_line_only(fault, told):
    bad = []
    head = '"a \\"1\\"",A\n' if "\\" in fault else "a 1,A\n"
    content = f"src,tgt\n{head}b,B\n{fault}e,E\nf,F\n"
    (bt,) = read_all("csv", content, bad=bad)
    assert [src for src, _ in bt.pairs()][-2:] == [["e"], ["f"]]
    assert len(bt.alignment) == 4 + fault.count("C")
    assert len(bad) == 1
    assert told in str(bad[0])


def test_ragged_rows_are_noted_and_empty_cells_at_the_end_are_none():
    bt = read("csv", "en,fr\na,b,,\n\nc,d,e\n")
    assert bt.pairs() == [(["a"], ["b"])]
    assert {"lines with more columns than the first, left out", "empty lines, left out"} <= kinds(
        bt
    ).keys()


@pytest.mark.parametrize(("name", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_header_that_lacks_a_column_is_refused(name, separator):
    rows = ["en,de", "1,Hello,Hallo", "2,Yes,Ja"]
    with pytest.raises(FormatError, match="2 columns in its first row and 3 in all rows after it"):
        read(name, "".join(f"{row}\n".replace(",", separator) for row in rows))


def test_a_title_before_the_header_is_left_out_and_noted():
    bt = read("csv", "Our glossary,,\n,,\nEnglish,Deutsch,Note\nHouse,Haus,x\n,leer,y\n")
    assert bt.pairs() == [(["House"], ["Haus"]), ([], ["leer"])]
    assert kinds(bt)["lines before a table, left out"] == 2
    assert read("csv", "Only this,\nOne.,Un.\n").pairs()[0] == (["Only this"], [])


def test_ids_scores_and_states_are_found_by_name_and_told():
    bt = read(
        "csv",
        "Segment ID;Source Text;Zieltext (de);Match;Status\n"
        "7;One;Eins;85 %;Translated\n8;Two;Zwei;0,5;Draft\n",
    )
    assert bt.pairs() == [(["One"], ["Eins"]), (["Two"], [])]
    assert bt.alignment.scores.tolist() == [0.85, 0.5]
    assert bt.alignment.attributes == {
        "id": ["7", "8"],
        "state": ["translated", "needs-translation"],
        "draft": [None, "Zwei"],
    }
    assert bt.tgt.lang == "de"
    (first,) = (note.first for note in bt.notes if "header" in note.kind)
    assert first == (
        "made: source 2 ('Source Text'), target 3 ('Zieltext (de)'), score 4 ('Match'), "
        "states 5 ('Status'), ids 1 ('Segment ID'), of 5"
    )
    taken = read("csv", "Source,Target,State\nTwo,Zwei,Draft\n", drafts=True)
    assert taken.pairs() == [(["Two"], ["Zwei"])]


@pytest.mark.parametrize("header", ["src:en,tgt:fr", "Source (en),Target (fr)", "en,fr"])
def test_languages_asked_for_exchange_the_sides_or_are_refused(header):
    content = f"{header}\nOne.,Un.\n"
    turned = read("csv", content, src_lang="fr", tgt_lang="en")
    assert turned.pairs() == [(["Un."], ["One."])]
    assert (turned.src.lang, turned.tgt.lang) == ("fr", "en")
    with pytest.raises(FormatError, match="has the languages 'en', 'fr', and asked for are"):
        read("csv", content, src_lang="en", tgt_lang="de")


def test_a_table_without_a_header_is_noted():
    bt = read("csv", "One.,Un.\nTwo.,Deux.\n")
    assert len(bt.alignment) == 2
    assert list(kinds(bt)) == ["tables without a header (head=True takes the first row as one)"]


def test_contents_of_another_name_are_csv_where_a_header_says_so(tmp_path):
    assert made(tmp_path, "Source,Target\na,b\n", "a.txt").pairs() == [(["a"], ["b"])]
    assert made(tmp_path, "id,English,Deutsch\n1,a,b\n", "a").meta["format"] == "csv"
    with pytest.raises(FormatError, match="in no format"):
        made(tmp_path, "Well, he came\nand, so, on\n", "a.txt")


@settings(max_examples=15)
@given(pairs=beads)
def test_what_is_written_comes_back(pairs):
    bt = inline(pairs)
    if pairs:
        assert read("csv", written("csv", bt)).pairs() == bt.pairs()


def test_beads_are_cells_of_lines_beside_their_type():
    bt = inline([(["a", "b\nc"], ["d"]), ([], ["e"]), ([""], ["f", "g"])])
    content = written("csv", bt).decode()
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert rows == [
        ["src", "tgt", "bead"],
        ["a\nb\nc", "d", "1+2-1"],
        ["", "e", "0-1"],
        ["", "f\ng", "1-2"],
    ]
    assert read("csv", content).pairs() == bt.pairs()
    edited = read("csv", content.replace("f\ng", "f g"))
    assert edited.pairs()[2] == ([""], ["f g"])
    assert "cells whose lines are not those of their bead, read as one segment" in kinds(edited)


@pytest.mark.parametrize(
    "header",
    ["source,target,bead,document", "EN,FR,Beads,Doc", "Quelle,Ziel,Typ,Dokument",
     "SRC,TGT,BEAD,DOCUMENT", "src,tgt,bead,document"],
)  # fmt: skip
def test_beads_and_documents_are_those_of_bitext_below_other_names(header):
    rows = '"It rained.\nAll day.",Il plut.,2-1,a\nNo.,Non.,,a\nYes.,Oui.,1-1,b\n'
    first, second = read_all("csv", f"{header}\n{rows}")
    assert first.pairs() == [(["It rained.", "All day."], ["Il plut."]), (["No."], ["Non."])]
    assert (first.name, second.name, first.alignment.attributes) == ("a", "b", {})
    kind = "columns of beads and documents below other names than those of bitext"
    assert (kind in kinds(first)) == ("rc,t" not in header.lower())


def test_columns_of_other_tables_that_look_like_beads_or_documents_are_attributes():
    for rows in ('"It rained.\nAll day.",Il plut.,1-2', "It rained. All day.,Il plut.,2-1"):
        bt = read("csv", f"source,target,Bead,Doc\n{rows},a\nNo.,Non.,1-1,b\n")
        assert list(bt.alignment.attributes) == ["Bead", "Doc"]
    bt = read("csv", "source,target,document\nNo.,Non.,a\nYes.,Oui.,b\n")
    assert bt.alignment.attributes == {"document": ["a", "b"]}
    kind = "columns of documents taken as an attribute (not below the names src, tgt, document)"
    assert kind in kinds(bt)


def test_documents_are_rows_of_one_name():
    found = [inline([(["a"], ["b"])]), inline([(["c"], ["d"]), ([], ["e"])])]
    content = written("csv", *found)
    assert b"src,tgt,document\na,b,\nc,d,2\n" in content
    back = read_all("csv", content)
    assert [bt.pairs() for bt in back] == [bt.pairs() for bt in found]
    parted = read_all("csv", content, parts=True, part_size=1)
    assert [bt.continues for bt in parted] == [False, False, True]


def test_text_like_formulas_is_written_as_it_is_and_noted(tmp_path, capsys):
    (tmp_path / "a.tsv").write_text("=1+1\t-x\n")
    main(["convert", str(tmp_path / "a.tsv"), "-", "--to", "csv"])
    out, err = capsys.readouterr()
    assert out == "src,tgt\n=1+1,-x\n"
    assert "segments that a spreadsheet program may take for formulas" in err


def test_another_name_of_a_score_is_no_score_where_it_was_an_attribute():
    bt = inline([(["a"], ["b"])], attributes={"match": ["7"], "state": ["new"], "id": ["1"]})
    back = read("csv", written("csv", bt))
    assert back.alignment.scores is None
    assert back.pairs() == [(["a"], [])]  # by the one rule of states
    assert back.alignment.attributes["match"] == ["7"]


@pytest.mark.parametrize("name", ["csv", "tsv"])
@pytest.mark.parametrize("column", ["src", "Tgt"])
def test_columns_named_as_the_texts_are_not_read_as_these(name, column):
    bt = inline([(["a"], ["b"])], attributes={column: ["web"]})
    texts = [text.in_language(lang) for text, lang in ((bt.src, "en"), (bt.tgt, "de"))]
    back = read(name, written(name, bitext.Bitext(*texts, bt.alignment)))
    assert back.pairs() == [(["a"], ["b"])]
    assert back.alignment.attributes == {f"{column}_": ["web"]}


def test_the_first_bytes_alone_make_no_csv_of_prose():
    sniff = by_name("csv").sniff
    assert not sniff(b"Hello, you\nHow, are, you\n")
    assert sniff(b"id,src,tgt\n1,a,b\n")
    assert sniff(b"Our glossary;;\n;;\nID;English;Deutsch\n1;a;b\n")
    assert not sniff(b"Yes, no, English\nGerman, French\nx, y\n")
    with opened("a,b\n") as source:
        assert not sniff(source.head())


def test_a_header_of_two_rows_is_left_out_but_for_the_languages():
    bt = read("csv", "Project X,,,\nID,Text,,Info\n,en,de,\n1,One.,Eins.,x\n2,Two.,Zwei.,x\n")
    assert bt.pairs() == [(["One."], ["Eins."]), (["Two."], ["Zwei."])]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")
    assert "lines before a table, left out" in kinds(bt)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("en,de\n'One, two','Eins, zwei'\n'A','B'\n", "cells in single quotation marks"),
        ('en, de\n"One, two", "Eins, zwei"\n"A", "B"\n', "blanks before quotation marks"),
    ],
)
def test_other_quoting_that_most_lines_have_is_read_and_noted(content, kind):
    bt = read("csv", content)
    assert bt.pairs() == [(["One, two"], ["Eins, zwei"]), (["A"], ["B"])]
    assert kind in " ".join(kinds(bt))


def test_line_ends_of_carriage_returns_are_named(tmp_path):
    with pytest.raises(FormatError, match=r"carriage return.*LF or CRLF"):
        made(tmp_path, "en,de\rOne,Eins\r")


def test_comments_above_a_header_are_left_out():
    bt = read("csv", "# exported, by me\nen,de\nOne.,Eins.\n")
    assert bt.pairs() == [(["One."], ["Eins."])]
    assert kinds(bt)["lines before a table, left out"] == 1


def test_states_in_the_words_of_other_tools():
    rows = "Status;Source;Target\nNicht übersetzt;a;b\nBestätigt;c;d\nPre-Translated;e;f\nOdd;g;h\n"
    bt = read("csv", rows)
    assert bt.pairs() == [(["a"], []), (["c"], ["d"]), (["e"], []), (["g"], ["h"])]
    states = ["needs-translation", "translated", "needs-translation", "Odd"]
    assert bt.alignment.attributes["state"] == states
    assert any(kind.startswith("states of unknown meaning") for kind in kinds(bt))


def test_a_column_of_fuzzy_targets_is_one_of_states():
    bt = read("csv", "source,target,fuzzy\na,b,True\nc,d,\ne,f,False\n")
    assert bt.pairs() == [(["a"], []), (["c"], ["d"]), (["e"], ["f"])]
    assert bt.alignment.attributes["state"] == ["needs-review-translation", None, None]


ESCAPED = (
    '"id","en","de"\n"1","Say \\"hi\\", now","Sag \\"hallo\\""\n'
    '"2","C:\\\\new","C:\\\\neu"\n"3","Two\\\nlines",\\N\n"4","a \\d","b"\n'
)


def test_escapes_of_databases_are_read_where_nothing_else_fits():
    bt = read("csv", ESCAPED, lines=True)
    assert bt.pairs() == [
        (['Say "hi", now'], ['Sag "hallo"']),
        (["C:\\new"], ["C:\\neu"]),
        (["Two\nlines"], []),
        (["a \\d"], ["b"]),
    ]
    assert bt.lines.tolist() == [2, 3, 4, 6]
    (kind,) = (each for each in kinds(bt) if "escapes" in each)
    assert "(columns='escape=none' reads them as characters)" in kind
    for size in (1, 7, 30):
        (cut,) = read_all("csv", ESCAPED, block_size=size)
        assert cut.pairs() == bt.pairs()


def test_a_backslash_before_a_closing_mark_is_a_character():
    bt = read("csv", 'en,de\n"C:\\","D:\\"\n"a","b"\n')
    assert bt.pairs()[0] == (["C:\\"], ["D:\\"])
    assert not any("escapes" in kind for kind in kinds(bt))


def test_escapes_are_asked_for_or_not(tmp_path):
    late = "en,de\n" + "a,b\n" * 20_000 + '"c \\"d\\" e",f\n'
    with pytest.raises(FormatError, match=r"line 20002: .*columns='escape=backslash'"):
        made(tmp_path, late)
    assert made(tmp_path, late, columns="escape=backslash").pairs()[-1] == (['c "d" e'], ["f"])
    with pytest.raises(FormatError, match="line 2: has a quotation mark within"):
        made(tmp_path, ESCAPED, columns="escape=none")
    content = "x|y\na\\|b|c\n"
    columns = "escape=backslash,sep=bar,src=1,tgt=2"
    assert made(tmp_path, content, columns=columns, head=True).pairs() == [(["a|b"], ["c"])]
    with pytest.raises(OptionError, match=r"names no kind of escapes .*backslash and none"):
        made(tmp_path, content, columns="escape=bachslash")


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_null_of_databases_is_an_empty_cell(name):
    content = "en,de,note\nA \\N b,x,\\N\n\\N,y,z\n"
    content = content if name == "csv" else content.replace(",", "\t")
    bt = read(name, content)
    assert bt.pairs() == [(["A \\N b"], ["x"]), ([], ["y"])]
    assert bt.alignment.attributes == {"note": [None, "z"]}
    assert kinds(bt)["cells \\N, as databases write NULL, read as empty"] == 2


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_a_text_that_looks_like_null_comes_back(name):
    bt = inline([(["\\N"], ["x"]), (["y"], ["\\N"])])
    back = read(name, written(name, bt))
    assert back.pairs() == bt.pairs()
    assert len(kinds(back)) == 1


def test_escapes_beside_the_null_of_databases_are_noted_in_tsv():
    content = "1\tThe mill.\tDie\\nMühle.\n2\tA dog.\t\\N\n"
    kind = "tables with \\N and \\n, as databases write them (columns='escape=backslash' reads \\n)"
    assert kind in kinds(read("tsv", content))
    assert kind not in kinds(read("tsv", content.replace("\\N", "Hund")))
    assert kind not in kinds(read("tsv", "src\ttgt\n\\N\ta\\nb\n"))


@pytest.mark.parametrize(
    "row", ["\"{'en': 'A dog.', 'de': 'Hund.'}\"", '"{ ""en"": ""A dog."", ""de"": ""Hund."" }"']
)
def test_objects_of_hugging_face_in_csv_are_refused(row):
    with pytest.raises(FormatError, match="save it as JSON lines"):
        read("csv", f"translation\n{row}\n")
    with pytest.raises(FormatError, match="save it as JSON lines"):
        read("csv", f"id,translation\n0,{row}\n")
    assert len(read("csv", "source,translation\nA {'id': 'x'},B {'id': 'x'}\n").alignment) == 1


def test_escapes_in_tsv_are_read_where_asked_for(tmp_path):
    content = "Two\\nlines\tc\\td\na\\\tb\tx\\\ny\n\\N\tu\\\\n\n"
    asked = made(tmp_path, content, name="a.tsv", columns="escape=backslash")
    assert asked.pairs() == [(["Two\nlines"], ["c\td"]), (["a\tb"], ["x\ny"]), ([], ["u\\n"])]
    assert read("tsv", "Two\\nlines\tc\\td\n").pairs() == [(["Two\\nlines"], ["c\\td"])]


@given(st.lists(st.tuples(segment, segment), min_size=1, max_size=5))
def test_what_databases_write_is_read(rows):
    """`SELECT ... INTO OUTFILE` of MySQL, with the columns in quotation marks."""
    texts = [[text.replace("\r", " ") or "-" for text in row] for row in rows]
    cells = [['"' + re.sub(r'(["\\\n])', r"\\\1", text) + '"' for text in row] for row in texts]
    content = '"en","de"\n' + "".join(",".join(row) + "\n" for row in cells)
    columns = Columns.of("src=1,tgt=2,escape=backslash,sep=comma", head=True)
    found = read("csv", content.encode("utf-8", "surrogatepass"), columns=columns).pairs()
    sides = [tuple([] if text == "\\N" else [text] for text in row) for row in texts]
    assert found == [pair for pair in sides if any(pair)]


def test_rows_without_the_name_of_a_document_belong_to_the_one_above():
    rows = "a,One.,Un.\n,Two.,Deux.\n\n,,\na,Three.,Trois.\nb,Four.,Quatre.\n\n"
    for before in ("\n,,\n", ""):
        names = [
            (bt.name, len(bt.alignment))
            for bt in read_all("csv", f"document,src,tgt\n{before}{rows}")
        ]
        assert names == [("a", 3), ("b", 1)]
    first, _ = read_all("csv", f"document,src,tgt\n{rows}")
    assert "lines without the name of a document, taken to that above" in kinds(first)
    unnamed = read_all("csv", "document,src,tgt\n,One.,Un.\na,Two.,Deux.\n")
    assert [bt.name for bt in unnamed] == ["", "a"]


def test_segments_of_a_table_that_was_changed_to_crlf_have_no_carriage_return():
    content = 'src:en,tgt:fr,bead\n"It rained.\nAll day.",Il plut.,2-1\n'
    quoted = content.replace("src:en,tgt:fr,bead", '"src:en","tgt:fr","bead"')
    for text in (content, content.replace("\n", "\r\n"), quoted.replace("\n", "\r\n")):
        assert read("csv", text).pairs() == [(["It rained.", "All day."], ["Il plut."])]


def test_dates_that_spreadsheets_make_of_beads_are_noted_and_lines_are_segments():
    rows = '"It rained.\nAll day.",Il plut.,{}\nIt left.,Il partit.,{}\n,Oui.,0-1\n'
    rows += '"Two\nlines","2\n",\n'
    pairs = [(["It rained.", "All day."], ["Il plut."]), (["It left."], ["Il partit."])]
    rest = [([], ["Oui."]), (["Two\nlines"], ["2\n"])]
    kind = (
        "beads that are none, as spreadsheets make a date of 2-1, read by the lines of their cells"
    )
    for beads_of in (("02-Jan", "01. Jan"), ("2026-02-01", "2026-01-01"), ("2-1", "1-1")):
        for header in ("src,tgt,bead", "Source,Target,Bead"):
            bt = read("csv", f"{header}\n{rows.format(*beads_of)}")
            assert bt.pairs() == pairs + rest
            assert (kind in kinds(bt)) == (beads_of[0] != "2-1")


@pytest.mark.parametrize("bead", ["1:1", "1 - 1", "1\u20131", "glass", "Glass 1", "17"])
def test_beads_that_are_no_dates_leave_the_lines_of_their_cells_in_a_segment(bead):
    bt = read("csv", f'src,tgt,bead\n"It rained.\nAll day.",Il plut.,{bead}\n')
    assert bt.pairs() == [(["It rained.\nAll day."], ["Il plut."])]
    assert not any("spreadsheets" in kind for kind in kinds(bt))


def test_beads_may_be_spelled_with_a_colon():
    for bead in ("2:1", "2 : 1", "2\u20131"):
        bt = read("csv", f'src,tgt,bead\n"It rained.\nAll day.",Il plut.,{bead}\n')
        assert bt.pairs() == [(["It rained.", "All day."], ["Il plut."])]
