from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import many
from bitext.reports.table import STYLES, Table, beside, between, number, printable, width

HEAD = ["system", "kind", "count"]
ROWS = [["alpha", "1-1", "12"], ["alpha", "2-1", "3"], ["beta_2", "50 %", "7"]]


@pytest.fixture
def table():
    return Table(HEAD, right={2}, quiet={0}, rows=ROWS)


def test_on_a_terminal_columns_stand_under_each_other_and_repeats_are_left_out(table):
    assert table.render("table").splitlines() == [
        "system  kind  count",
        "------  ----  -----",
        "alpha   1-1      12",
        "        2-1       3",
        "beta_2  50 %      7",
    ]


def test_tab_separated_cells_are_as_they_are(table):
    assert table.render("tsv").splitlines()[2] == "alpha\t2-1\t3"


def test_a_cell_cannot_break_a_tab_separated_row():
    flat = Table(["a", "b"], rows=[["x\ty", "p\nq"]]).render("tsv")
    assert flat == "a\tb\nx y\tp q\n"


def test_markdown_escapes_what_it_would_read(table):
    lines = table.render("markdown").splitlines()
    assert lines[1] == "| --- | --- | --: |"
    assert lines[4] == "| beta\\_2 | 50 % | 7 |"
    assert Table(["a"], rows=[["x|y*"]]).render("markdown").splitlines()[2] == "| x\\|y\\* |"


def test_markdown_shows_names_as_they_are():
    names = ["<i>", "&lt;", "[x](y)", "`c`", "$d$", "~~e~~", "a < b & c [1, 2]"]
    lines = Table(["name"], rows=[[name] for name in names]).render("markdown").splitlines()
    shown = [r"\<i>", r"\&lt;", r"[x\](y)", r"\`c\`", r"\$d\$", r"\~\~e\~\~", names[-1]]
    assert lines[2:] == [f"| {name} |" for name in shown]


def test_lines_beside_a_table_are_as_its_style_has_them():
    text = "3 texts\n* p < 0.05 against a|b <i>\x1b\nsignature: pk|k:2\n"
    told = {style: beside(text, style) for style in ("table", "latex", "markdown")}
    assert told == {
        "table": text.replace("\x1b", "\\u001b"),
        "latex": "% 3 texts\n% * p < 0.05 against a|b <i>\\u001b\n% signature: pk|k:2\n",
        "markdown": ("3 texts  \n\\* p < 0.05 against a|b \\<i>\\\\u001b  \nsignature: pk|k:2\n"),
    }


def test_latex_escapes_what_it_would_read(table):
    lines = table.render("latex").splitlines()
    assert lines[0] == r"\begin{tabular}{@{}llr@{}} % \usepackage{booktabs}"
    assert r"beta\_2 & 50 \% & 7 \\" in lines
    cells = Table(["a"], rows=[["\\~^&$#{}"]]).render("latex")
    assert r"\textbackslash{}\textasciitilde{}\textasciicircum{}\&\$\#\{\}" in cells


@given(st.text(max_size=20))
def test_nothing_that_steers_a_terminal_gets_through(text):
    shown = printable(text)
    assert not any(ord(sign) < 32 or ord(sign) in {0x7F, 0x9B, 0x202E, 0x2028} for sign in shown)


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=20))
def test_ordinary_text_is_shown_as_it_is(text):
    assert printable(text) == text


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("", 0)])
def test_width_is_in_columns_of_a_terminal(text, columns):
    assert width(text) == columns


def test_wide_signs_keep_the_columns_straight():
    lines = Table(["a", "b"], rows=[["日本", "x"], ["ab", "y"]]).render("table").splitlines()
    assert lines[2:] == ["日本  x", "ab    y"]


def test_numbers_have_four_decimals_and_a_dash_where_undefined():
    assert (number(2 / 3), number(1.0), number(nan)) == ("0.6667", "1.0000", "-")


@pytest.mark.parametrize("style", STYLES)
def test_an_empty_table_is_its_head(style):
    assert "a" in Table(["a", "b"]).render(style)


def test_an_interval_holds_the_figure_it_is_of_as_it_is_written():
    assert (number(0.99976), between(0.99976, 0.99978)) == ("0.9998", "[0.9998, 0.9998]")
    assert between(nan, nan) == ""


@given(st.tuples(*[st.floats(0, 1)] * 3).map(sorted))
def test_written_ends_are_never_beyond_the_written_figure(three):
    low, value, high = three
    least, most = map(float, between(low, high)[1:-1].split(", "))
    assert least <= float(number(value)) <= most


def test_what_rounds_to_zero_has_no_sign():
    assert [number(v) for v in (-0.0, -0.00004, 0.00004, -0.00006)] == [
        *("0.0000", "0.0000", "0.0000", "-0.0001"),
    ]
    assert between(-0.00001, 0.25) == "[0.0000, 0.2500]"


def test_one_of_a_kind_is_no_plural():
    assert [many(n, "other") for n in (0, 1, 2, 1000)] == [
        *("0 others", "1 other", "2 others", "1,000 others"),
    ]


def test_a_tab_separated_table_steers_no_terminal_and_leaves_other_characters_alone():
    flat = Table(["a"], rows=[["x\x1b[31m\x9by\u00ad\u200e"]]).render("tsv")
    assert flat == "a\nx\\u001b[31m\\u009by\u00ad\u200e\n"
