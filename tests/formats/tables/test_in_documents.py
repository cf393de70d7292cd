"""Bilingual tables in HTML, ODT and RTF: one row a bisegment, as in tables of Word."""

import pytest

import bitext
from bitext.errors import FormatError
from formats.document_samples import odt
from formats.samples import kinds

ROWS = [
    ("English", "Deutsch"),
    ("The ferry left.", "Die Fähre fuhr ab."),
    ("Only here.", ""),
    ("", "Nur hier."),
    ("One.|Two.", "Eins. Zwei."),
]


def html(rows, *, before=""):
    cells = ["".join(f"<td>{_paragraphs(cell, 'p')}</td>" for cell in row) for row in rows]
    made = "".join(f"<tr>{each}</tr>" for each in cells)
    return f"<!DOCTYPE html><html><body>{before}<table>{made}</table></body></html>".encode()


def odt_table(rows, *, before=""):
    cells = [
        "".join(
            f"<table:table-cell>{_paragraphs(cell, 'text:p')}</table:table-cell>" for cell in row
        )
        for row in rows
    ]
    made = "".join(f"<table:table-row>{each}</table:table-row>" for each in cells)
    return odt(f"{before}<table:table>{made}</table:table>")


def rtf(rows, *, before=""):
    made = "".join(
        r"\trowd\cellx1\cellx2\pard\intbl "
        + "".join(cell.replace("|", r"\par ") + r"\cell " for cell in row)
        + r"\row "
        for row in rows
    )
    for char in "äöü":
        made = made.replace(char, rf"\'{char.encode('cp1252').hex()}")
    return rf"{{\rtf1\ansi\ansicpg1252 {before}{made}\pard }}".encode()


def _paragraphs(cell, tag):
    return "".join(f"<{tag}>{part}</{tag}>" for part in cell.split("|") if part)


MAKERS = {"a.html": html, "a.odt": odt_table, "a.rtf": rtf}
BEFORE = {
    "a.html": "<p>{}</p>",
    "a.odt": "<text:p>{}</text:p>",
    "a.rtf": r"\pard {}\par ",
}


@pytest.mark.parametrize("name", MAKERS)
def test_each_row_is_a_bisegment(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(MAKERS[name](ROWS, before=BEFORE[name].format("Title")))
    bt = bitext.read(path)
    assert bt.pairs() == [
        (["The ferry left."], ["Die Fähre fuhr ab."]),
        (["Only here."], []),
        ([], ["Nur hier."]),
        (["One.\nTwo."], ["Eins. Zwei."]),
    ]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")
    assert kinds(bt)["paragraphs outside of the table, left out"] == 1
    assert bitext.read(path, columns="src=2,tgt=1").src[0].text == "Die Fähre fuhr ab."


@pytest.mark.parametrize("name", MAKERS)
def test_running_text_is_refused_with_its_reason(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(MAKERS[name](ROWS, before=BEFORE[name].format("A long text. " * 20)))
    with pytest.raises(FormatError, match="not an alignment: more of its text is outside of its"):
        bitext.read(path)
    assert len(bitext.read(path, columns="src=1,tgt=2").alignment) == 4
    path.write_bytes(MAKERS[name]([("One.",), ("Two.",)]))
    with pytest.raises(FormatError, match="not an alignment: its table has one column; align it"):
        bitext.read(path)


def test_a_page_needs_a_header_or_named_columns(tmp_path):
    path = tmp_path / "a.html"
    path.write_bytes(html([("User", "Name"), ("Pass", "Word")]))
    with pytest.raises(FormatError, match=r"no header of .*name the columns .*columns='src=1,tgt"):
        bitext.read(path)
    assert len(bitext.read(path, columns="src=1,tgt=2", head=False).alignment) == 2


def test_a_table_alone_is_a_page_as_pandas_writes_it(tmp_path):
    page = html([("", "source", "target"), ("0", "One.", "Eins.")]).decode()
    table = page[page.index("<table>") : page.index("</body>")]
    for name in ("a.html", "a.txt"):
        path = tmp_path / name
        path.write_text(table.replace("<table>", '<table border="1" class="dataframe">'))
        assert bitext.read(path).pairs() == [(["One."], ["Eins."])]


@pytest.mark.parametrize("name", ["a.xls", "a.xlsx"])
def test_a_page_named_as_a_workbook_as_programs_export_it_is_read(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(html([("English", "German"), ("One.", "Eins.")]))
    assert bitext.read(path).pairs() == [(["One."], ["Eins."])]


def test_rows_with_merged_cells_are_refused_with_their_number(tmp_path):
    path = tmp_path / "a.html"
    content = html(ROWS[:2]).replace(
        b"</table>", b'<tr><td rowspan="2">A.</td><td>B.</td></tr><tr><td>C.</td></tr></table>'
    )
    path.write_bytes(content)
    with pytest.raises(FormatError, match="row 4 of its tables has 1 of 2 cells, as after cells"):
        bitext.read(path)
    joined = content.replace(b"<tr><td>C.</td></tr>", b'<tr><td colspan="2">C.</td></tr>')
    path.write_bytes(joined.replace(b' rowspan="2"', b""))
    assert bitext.read(path).pairs()[1:] == [(["A."], ["B."]), (["C."], [])]


def test_states_codes_and_further_tables(tmp_path):
    path = tmp_path / "a.html"
    table = html([("en", "de", "Status"), ("<b>One</b>.", "Eins.", "Draft"), ("B.", "C.", "")])
    other = b"<table><tr><td>left</td></tr></table></body>"
    path.write_bytes(table.replace(b"</body>", other))
    bt = bitext.read(path)
    assert bt.pairs() == [(["One."], []), (["B."], ["C."])]
    assert bt.alignment.attributes["draft"] == ["Eins.", None]
    found = kinds(bt)
    assert found["paragraphs with inline codes, written without them"] == 1
    assert found["paragraphs outside of the table, left out"] == 1


def test_a_longer_table_about_the_file_does_not_hide_one_with_two_languages(tmp_path):
    path = tmp_path / "a.html"
    job = html([("ID", "English", "German"), ("1", "It rained all day.", "Es regnete lange.")])
    rows = "".join(f"<tr><td>{k}</td><td>a</td></tr>" for k in range(5)).encode()
    path.write_bytes(job.replace(b"<table>", b"<table>" + rows + b"</table><table>", 1))
    assert bitext.read(path).pairs() == [(["It rained all day."], ["Es regnete lange."])]
