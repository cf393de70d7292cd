"""Spreadsheets: XLSX and ODS, made by peers and by bitext, and hostile ones."""

import datetime as dt
import io
import zipfile

import odf.opendocument
import odf.table
import odf.text
import openpyxl
import pytest
import python_calamine
from hypothesis import given, settings
from openpyxl.comments import Comment

import bitext
from bitext import Text
from bitext.errors import FormatError, InputError
from bitext.formats.registry import WriteOptions, by_name
from bitext.formats.tables.ods import write_spreadsheet
from bitext.formats.tables.spreadsheets import write_workbook
from bitext.formats.tables.writing import written_table
from bitext.formats.xml import FORBIDDEN
from formats.samples import beads, inline, kinds, read, read_all


def workbook(**sheets):
    """Make a workbook by a peer, of lists of rows by the names of sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def written(*bitexts, name="xlsx"):
    out = io.BytesIO()
    by_name(name).write(bitexts, out, options=WriteOptions())
    return out.getvalue()


def document(*tables):
    """Make a spreadsheet in OpenDocument by a peer, of (name, rows)."""
    doc = odf.opendocument.OpenDocumentSpreadsheet()
    for name, rows in tables:
        table = odf.table.Table(name=name)
        for row in rows:
            line = odf.table.TableRow()
            for cell in row:
                if isinstance(cell, float | int):
                    line.addElement(odf.table.TableCell(valuetype="float", value=str(cell)))
                    continue
                one = odf.table.TableCell(valuetype="string")
                for paragraph in cell.split("\n"):
                    one.addElement(odf.text.P(text=paragraph))
                line.addElement(one)
            table.addElement(line)
        doc.spreadsheet.addElement(table)
    out = io.BytesIO()
    doc.save(out)
    return out.getvalue()


ROWS = [
    ["ID", "English", "Deutsch", "Similarity", "Checked"],
    [7, "One,\ntwo", "Eins", 0.5, True],
    [8, "=1+1", None, 1, dt.date(2026, 5, 4)],
]


def test_a_workbook_of_another_program_is_read_by_its_header():
    bt = read("xlsx", workbook(Sheet=[*ROWS[:2], [8, "Three", None, 1, False]]))
    assert bt.pairs() == [(["One,\ntwo"], ["Eins"]), (["Three"], [])]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")
    assert bt.alignment.scores.tolist() == [0.5, 1.0]
    assert bt.alignment.attributes == {"id": ["7", "8"], "Checked": ["true", "false"]}
    (told,) = bt.notes
    assert told.first == (
        "made: source 2 ('English'), target 3 ('Deutsch'), score 4 ('Similarity'), ids 1 ('ID'), "
        "of 5"
    )


def test_dates_are_spelled_as_in_json_and_titles_left_out():
    rows = [
        ["Our glossary"],
        [],
        ["Source", "Target", "Day"],
        ["a", "b", dt.date(2026, 5, 4)],
    ]
    bt = read("xlsx", workbook(Sheet=rows))
    assert bt.pairs() == [(["a"], ["b"])]
    assert bt.alignment.attributes == {"Day": ["2026-05-04"]}
    assert kinds(bt)["rows before a table, left out"] == 1


def test_numbers_and_dates_as_texts_are_noted_where_their_format_is_not_read():
    rows = [["English", "Deutsch", "Size"], ["Hello", "Hallo", 5], [7, "Sieben", 6]]
    bt = read("xlsx", workbook(Sheet=[*rows, ["Day", dt.date(2026, 5, 4), 1.5]]))
    assert bt.pairs()[1:] == [(["7"], ["Sieben"]), (["Day"], ["2026-05-04"])]
    assert bt.alignment.attributes == {"Size": ["5", "6", "1.5"]}
    [note] = [note for note in bt.notes if "without their format" in note.kind]
    assert (note.count, note.first) == (2, "made row 3: '7'")
    assert {type(value) for value in bt.alignment.attributes["Size"]} == {str}


def test_numbers_and_dates_of_ods_are_texts_as_the_sheet_shows_them():
    doc = odf.opendocument.OpenDocumentSpreadsheet()
    table = odf.table.Table(name="One")
    for cells in (
        [("en", None), ("de", None), ("Size", None)],
        [("00123", "123"), ("00123", None), ("5,5", "5.5")],
        [("Half", None), ("1,5", "1.5"), ("6", "6")],
        [("One", None), ("Eins", None), ("7", "7")],
    ):
        line = odf.table.TableRow()
        for shown, value in cells:
            kind = {"valuetype": "float", "value": value} if value else {"valuetype": "string"}
            cell = odf.table.TableCell(**kind)
            cell.addElement(odf.text.P(text=shown))
            line.addElement(cell)
        table.addElement(line)
    doc.spreadsheet.addElement(table)
    out = io.BytesIO()
    doc.save(out)
    bt = read("ods", out.getvalue())
    assert bt.pairs() == [(["00123"], ["00123"]), (["Half"], ["1,5"]), (["One"], ["Eins"])]
    assert bt.alignment.attributes == {"Size": ["5.5", "6", "7"]}


def test_formulas_without_a_value_are_told():
    bt = read("xlsx", workbook(Sheet=[["English", "Deutsch"], ["=1+1", "Zwei."], ["A", "B"]]))
    assert bt.pairs() == [([], ["Zwei."]), (["A"], ["B"])]
    assert kinds(bt)["formulas without a value, read as empty cells: save the file in Excel"] == 1


def test_columns_of_numbers_are_no_texts():
    with pytest.raises(FormatError, match=r"1 \(texts\), 2 \(numbers\).*columns='src=1,tgt=2'"):
        read("xlsx", workbook(Sheet=[["One", 1], ["Two", 2]]))


def test_the_sheet_with_the_table_is_taken_and_told():
    data = workbook(About=[["Made by us"]], Data=[["en", "fr"], ["a", "b"]], More=[["x", "y"]])
    bt = read("xlsx", data)
    assert bt.pairs() == [(["a"], ["b"])]
    assert kinds(bt)["sheets beside the table, left out (columns='sheet=NAME' names another)"] == 2


def test_sheets_with_one_header_are_one_table():
    one, two = [["Source", "Target"], ["a", "b"]], [["Source", "Target"], ["c", "d"]]
    assert read("xlsx", workbook(One=one, Two=two)).pairs() == [(["a"], ["b"]), (["c"], ["d"])]


def test_several_tables_are_refused_and_one_is_named(tmp_path):
    data = workbook(One=[["en", "fr"], ["a", "b"]], Two=[["en", "de"], ["c", "d"]])
    path = tmp_path / "a.xlsx"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"'One', 'Two': name one \(columns='sheet=One'\)"):
        bitext.read(path)
    assert bitext.read(path, columns="sheet=two").pairs() == [(["c"], ["d"])]
    with pytest.raises(FormatError, match="has no sheet 'Three'; it has 'One', 'Two'"):
        bitext.read(path, columns="sheet=Three")


def test_hidden_sheets_are_left_out():
    book = openpyxl.load_workbook(
        io.BytesIO(workbook(A=[["en", "fr"], ["a", "b"]], B=[["c", "d"]]))
    )
    book["B"].sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    assert kinds(read("xlsx", out.getvalue()))["hidden sheets, left out"] == 1


@settings(max_examples=6)
@given(pairs=beads)
def test_what_is_written_comes_back(pairs):
    if pairs:
        bt = inline(pairs)
        assert read("xlsx", written(bt)).pairs() == bt.pairs()


@given(pairs=beads)
def test_opendocument_that_is_written_comes_back(pairs):
    pairs = [
        tuple([FORBIDDEN.sub("\ufffd", text) for text in side] for side in both) for both in pairs
    ]
    if pairs:
        bt = inline(pairs)
        assert read("ods", written(bt, name="ods")).pairs() == bt.pairs()


def test_peers_read_what_is_written():
    bt = inline(
        [(["=1+1"], ["Un"]), (["a", "b"], []), (["http://a.b"], ["@x"])], scores=[0.5, 1, 2]
    )
    bt = bitext.Bitext(
        Text(list(bt.src.segments()), lang="ar"), Text(list(bt.tgt.segments()), lang="fr"),
        bt.alignment,
    )  # fmt: skip
    sheet = openpyxl.load_workbook(io.BytesIO(written(bt))).active
    assert [[cell.value for cell in row] for row in sheet.rows] == [
        ["src:ar", "tgt:fr", "score", "bead"],
        ["=1+1", "Un", 0.5, "1-1"],
        ["a\nb", None, 1, "2-0"],
        ["http://a.b", "@x", 2, "1-1"],
    ]
    assert sheet["A2"].data_type == "s"
    assert sheet.freeze_panes == "A2"
    assert sheet["A2"].alignment.readingOrder == 2
    assert sheet["B2"].alignment.wrap_text
    assert written(bt) == written(bt)


def _cells(cell):
    """Return the text of a cell as a program shows it."""
    shown = {"line-break": "\n", "tab": "\t"}
    lines = []
    for paragraph in cell.getElementsByType(odf.text.P):
        parts = []
        for node in paragraph.childNodes:
            name = node.qname[1] if node.nodeType == node.ELEMENT_NODE else ""
            if name == "s":
                parts.append(" " * int(node.getAttribute("c") or 1))
            else:
                parts.append(shown.get(name) or str(node))
        lines.append("".join(parts))
    return "\n".join(lines)


def test_peers_read_opendocument_that_is_written():
    bt = inline([(["=1+1", " a  b "], ["Un\tx"]), (["1.5"], [])], scores=[0.1, 2])
    texts = (Text(list(bt.src.segments()), lang="ar"), Text(list(bt.tgt.segments()), lang="fr"))
    data = written(bitext.Bitext(*texts, bt.alignment), name="ods")
    assert data == written(bitext.Bitext(*texts, bt.alignment), name="ods")
    (sheet,) = odf.opendocument.load(io.BytesIO(data)).getElementsByType(odf.table.Table)
    rows = [
        row.getElementsByType(odf.table.TableCell)
        for row in sheet.getElementsByType(odf.table.TableRow)
    ]
    assert [list(map(_cells, row)) for row in rows] == [
        ["src:ar", "tgt:fr", "score", "bead"],
        ["=1+1\n a  b ", "Un\tx", "0.1", "2-1"],
        ["1.5", "", "2.0", "1-0"],
    ]
    kinds_of = [[cell.getAttribute("valuetype") for cell in row] for row in rows]
    assert kinds_of[1:] == [
        ["string", "string", "float", "string"],
        ["string", None, "float", "string"],
    ]
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        first = packed.infolist()[0]
        assert (first.filename, first.compress_type, first.extra) == ("mimetype", 0, b"")
        assert b"VerticalSplitPosition" in packed.read("settings.xml")
    calamine = python_calamine.CalamineWorkbook.from_object(io.BytesIO(data))
    assert calamine.get_sheet_by_index(0).to_python()[2] == ["1.5", "", 2.0, "1-0"]


def test_rows_beyond_a_sheet_of_opendocument_go_to_a_further_one():
    bt = inline([([str(k)], [f"x{k}"]) for k in range(5)])
    out = io.BytesIO()
    with written_table([bt], WriteOptions(), "ods") as table:
        write_spreadsheet(table, out, most_rows=3)
    sheets = odf.opendocument.load(io.BytesIO(out.getvalue())).getElementsByType(odf.table.Table)
    assert [sheet.getAttribute("name") for sheet in sheets] == ["Sheet1", "Sheet2", "Sheet3"]
    assert read("ods", out.getvalue()).pairs() == bt.pairs()
    assert read("ods", written(inline([]), name="ods")).pairs() == []


def test_what_a_cell_cannot_hold_is_refused():
    with pytest.raises(InputError, match="32,767 characters a cell, and tgt of bisegment 1 has"):
        written(inline([(["a"], ["b"]), (["c"], ["x" * 32768])]))
    with pytest.raises(InputError, match="32,767 characters"):
        written(inline([(["a"], ["😀" * 16384])]))
    with pytest.raises(InputError, match="xlsx cannot hold _xFFFE_"):
        written(inline([(["a"], ["_xFFFE_"])]))


def test_documents_and_parts():
    found = [inline([(["a"], ["b"])]), inline([(["c"], ["d"]), (["e"], ["f"])])]
    assert [bt.pairs() for bt in read_all("xlsx", written(*found))] == [bt.pairs() for bt in found]
    parted = read_all("xlsx", written(*found), parts=True, part_size=1)
    assert [bt.continues for bt in parted] == [False, False, True]


def test_opendocument_is_read_with_repeated_cells():
    bt = read("ods", document(("A", [["Source", "Target", "Score"], ["a\nb", "c", 0.5]])))
    assert bt.pairs() == [(["a\nb"], ["c"])]
    assert bt.alignment.scores.tolist() == [0.5]
    content = (
        '<table:table-row><table:table-cell office:value-type="string"><text:p>en</text:p>'
        '</table:table-cell><table:table-cell office:value-type="string"><text:p>fr</text:p>'
        '</table:table-cell><table:table-cell table:number-columns-repeated="16382"/>'
        '</table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell '
        'office:value-type="string"><text:p>a<text:s text:c="2"/>b<text:line-break/>c</text:p>'
        "</table:table-cell><table:table-cell><text:p>d</text:p></table:table-cell>"
        '</table:table-row><table:table-row table:number-rows-repeated="1048573"/>'
    )
    assert read("ods", contents(content)).pairs() == [(["a  b\nc"], ["d"])] * 2


def contents(rows):
    """Make a spreadsheet in OpenDocument with these rows, as XML."""
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet><table:table "
            f'table:name="A">{rows}</table:table></office:spreadsheet></office:body>'
            f"</office:document-content>",
        )
    return out.getvalue()


def with_member(data, name, content):
    """Return a workbook with another member of this name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, content if info.filename == name else old.read(info))
        if name not in old.namelist():
            new.writestr(name, content)
    return out.getvalue()


def far_cells(data):
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        sheet = packed.read("xl/worksheets/sheet1.xml")
    return sheet.replace(b'r="B2"', b'r="XFD1048576"').replace(b'<row r="2"', b'<row r="1048576"')


SHEET = "xl/worksheets/sheet1.xml"
SMALL = workbook(A=[["en", "fr"], ["a", "b"]])
CELL = '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
X = "><text:p>x</text:p></table:table-cell></table:table-row>"
ENTITY = b'<!DOCTYPE a [<!ENTITY b SYSTEM "/etc/passwd">]><a>&b;</a>'
HOSTILE = {
    "cells far apart": ("xlsx", with_member(SMALL, SHEET, far_cells(SMALL)), "hardly any between"),
    "utf-16": (
        "xlsx",
        with_member(SMALL, SHEET, far_cells(SMALL).decode().encode("utf-16")),
        "is not in UTF-8",
    ),
    "another encoding": (
        "xlsx",
        with_member(SMALL, SHEET, b'<?xml version="1.0" encoding="utf-16le"?><a/>'),
        "is not in UTF-8",
    ),
    "a path": ("xlsx", with_member(SMALL, "../a.xml", b""), "a path outside"),
    "no sheet": ("xlsx", with_member(SMALL, "xl/workbook.xml", b"<a/>"), "read|no sheet"),
    "cut short": ("xlsx", SMALL[:-40], "is a damaged ZIP archive"),
    "repeated rows": (
        "ods",
        contents(f'{CELL} table:number-columns-repeated="1000"{X}'),
        "cells by repetition",
    ),
    "repeated columns": (
        "ods",
        contents(f'{CELL} table:number-columns-repeated="99999"{X}'),
        "more than 16,384 cells",
    ),
    "no number": (
        "ods",
        contents('<table:table-row table:number-rows-repeated="x"/>'),
        "repeats a cell or row 'x' times",
    ),
    "an entity": (
        "ods",
        with_member(contents(""), "content.xml", ENTITY),
        "content.xml",
    ),
    "an ods that is none": ("ods", SMALL, "without the contents of a table"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_and_damaged_files_are_refused_in_one_line(what):
    name, data, told = HOSTILE[what]
    with pytest.raises(FormatError, match=told) as caught:
        read(name, data)
    assert "\n" not in str(caught.value)


def test_without_room_for_temporary_files_their_folder_is_named(monkeypatch, tmp_path):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("xlsxwriter.worksheet.Worksheet.write_string", full)
    with pytest.raises(InputError, match="temporary files cannot be written: No space") as found:
        written(inline([(["a"], ["b"]), (["c"], ["d"])]))
    assert str(found.value).startswith(f"{tmp_path}: ")
    assert list(tmp_path.iterdir()) == []


def test_two_members_of_one_name_are_refused():
    out = io.BytesIO(SMALL)
    with zipfile.ZipFile(out, "a") as packed, pytest.warns(UserWarning, match="Duplicate name"):
        packed.writestr(SHEET, b"<x/>")
    with pytest.raises(FormatError, match="two members of one name"):
        read("xlsx", out.getvalue())


def test_rows_beyond_a_sheet_go_to_a_further_one():
    bt = inline([([str(k)], [f"x{k}"]) for k in range(5)])
    out = io.BytesIO()
    write_workbook([bt], out, WriteOptions(), most_rows=3)
    names = openpyxl.load_workbook(io.BytesIO(out.getvalue())).sheetnames
    assert names == ["Sheet1", "Sheet2", "Sheet3"]
    assert read("xlsx", out.getvalue()).pairs() == bt.pairs()


def test_what_a_sheet_shows_otherwise_is_noted():
    rows = [["en", "fr"], ["a", "b"], ["c", "d"], ["e", "f"]]
    book = openpyxl.load_workbook(io.BytesIO(workbook(A=rows)))
    sheet = book["A"]
    sheet.row_dimensions[3].hidden = sheet.column_dimensions["B"].hidden = True
    sheet["A2"].value, sheet["A2"].data_type = "#N/A", "e"
    sheet["B2"].comment = Comment("Why?", "A. B.")
    sheet.merge_cells("B3:B4")
    out = io.BytesIO()
    book.save(out)
    bt = read("xlsx", out.getvalue())
    assert bt.pairs() == [([], ["b"]), (["c"], ["d"]), (["e"], [])]
    noted = " ".join(kinds(bt))
    for what in ("hidden rows", "hidden columns", "the error of a formula", "merged over several"):
        assert what in noted
    assert "comments on cells, left out" in noted


def test_hidden_sheets_and_rows_of_opendocument():
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = f"<table:table-row{{}}>{cell}{cell}</table:table-row>"
    shown = row.format("", "en", "fr") + row.format(' table:visibility="filter"', "a", "b")
    # The first table ends where the next one begins.
    data = contents(f'{row.format("", "x", "y")}</table:table><table:table table:name="B">{shown}')
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        content = packed.read("content.xml").decode()
    content = content.replace("<office:body>", STYLE + "<office:body>")
    content = content.replace('table:name="A"', 'table:name="A" table:style-name="h"')
    bt = read("ods", with_member(data, "content.xml", content))
    assert bt.pairs() == [(["a"], ["b"])]
    assert kinds(bt)["hidden sheets, left out"] == 1
    assert any("hidden rows" in kind for kind in kinds(bt))


def test_comments_of_opendocument_are_noted():
    cell = "<table:table-cell>{}<text:p>{}</text:p></table:table-cell>"
    comment = "<office:annotation><text:p>Why?</text:p></office:annotation>"
    rows = [("en", "fr"), ("a", "b")]
    row = "<table:table-row>{}</table:table-row>"
    bt = read(
        "ods",
        contents(
            "".join(
                row.format("".join(cell.format(comment, each) for each in pair)) for pair in rows
            )
        ),
    )
    assert bt.pairs() == [(["a"], ["b"])]
    assert kinds(bt)["comments on cells, left out"] == 4


TEXT = '<table:table-cell office:value-type="string"{}><text:p>{}</text:p></table:table-cell>'
ODD_CELLS = {
    "merged over rows": (
        ' table:number-rows-spanned="2"',
        "House",
        ["House"],
        "merged over several rows",
    ),
    "an error": (' table:formula="of:=1/0"', "#DIV/0!", [], "with the error of a formula"),
    "an error of LibreOffice": (' table:formula="of:=FOO()"', "Err:508", [], "with the error of"),
    "a formula": (' table:formula="of:=A3"', "House", ["House"], ""),
    "a text like an error": ("", "#N/A", ["#N/A"], "cells NaN, NULL or #N/A"),
    "white space of the XML": ("", "\n  a\n   b \n", ["a b"], ""),
    "blanks that stay": ("", '<text:s/>a<text:s text:c="2"/><text:tab/>', [" a  \t"], ""),
    "parts of a text": ("", "a <text:span>b</text:span> <text:a>c</text:a>", ["a b c"], ""),
}


@pytest.mark.parametrize("what", ODD_CELLS)
def test_odd_cells_of_opendocument(what):
    attributes, inner, src, noted = ODD_CELLS[what]
    rows = [TEXT.format("", "en") + TEXT.format("", "de")]
    rows += [TEXT.format(attributes, inner) + TEXT.format("", "Haus")]
    bt = read("ods", contents("".join(f"<table:table-row>{row}</table:table-row>" for row in rows)))
    assert bt.pairs() == [(src, ["Haus"])]
    others = [kind for kind in kinds(bt) if "as a header" not in kind]
    assert bool(others) == bool(noted)
    assert all(noted in kind for kind in others)


def test_a_text_in_an_attribute_hidden_columns_and_tables_within():
    cell = '<table:table-cell office:value-type="string" office:string-value="{}"/>'
    row = f"<table:table-row>{cell}{cell}</table:table-row>"
    column = '<table:table-column table:visibility="collapse"/>'
    bt = read("ods", contents(column + row.format("en", "de") + row.format("House", "Haus")))
    assert bt.pairs() == [(["House"], ["Haus"])]
    assert kinds(bt)["hidden columns, read as the others"] == 1
    inner = '<table:table-cell><table:table table:name="B"><table:table-row/></table:table>'
    with pytest.raises(FormatError, match="has a table within a cell"):
        read("ods", contents(f"<table:table-row>{inner}</table:table-cell></table:table-row>"))


STYLE = (
    '<style:style xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" style:name="h" '
    'style:family="table"><style:table-properties table:display="false"/></style:style>'
)


def test_opendocument_is_known_by_its_contents(tmp_path):
    path = tmp_path / "stream"
    path.write_bytes(document(("A", [["en", "fr"], ["a", "b"]])))
    assert bitext.read(path).pairs() == [(["a"], ["b"])]
