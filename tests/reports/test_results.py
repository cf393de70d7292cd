from __future__ import annotations

from math import nan

import pytest

from bitext.reports.table import Figure, Look, ResultRow, Results, latex_text


def row(system, *figures, group="sentence", text=None, average="micro", k=None):
    record = {"system": system, "text": text, "value": figures[0].value, "k": k}
    return ResultRow(group, system, text, average, figures, record)


def results(*rows, arrows=False, names=("value",)):
    return Results("granularity", names, rows, arrows=arrows)


def body(latex):
    """Return the rows of a table in LaTeX, as cells."""
    return [
        [cell.strip() for cell in line.removesuffix(r"\\").split("&")]
        for line in latex.splitlines()
        if line.endswith(r"\\")
    ]


def test_the_best_figure_of_a_column_is_bold_and_so_are_all_that_look_like_it():
    high = [Figure(0.91), Figure(0.914), Figure(0.5)]
    low = [Figure(0.91, better="lower"), Figure(0.914, better="lower"), Figure(nan, better="lower")]
    made = results(*map(row, "abc", high, low), names=("F1", "AER"))
    two = body(made.render("latex", Look(2)))[2:]
    assert two == [
        ["a", r"\textbf{0.91}", r"\textbf{0.91}"],
        ["b", r"\textbf{0.91}", r"\textbf{0.91}"],
        ["c", "0.50", "--"],
    ]
    three = body(made.render("latex", Look(3)))[2:]
    assert three[0] == ["a", "0.910", r"\textbf{0.910}"]
    assert three[1] == ["b", r"\textbf{0.914}", "0.914"]


def test_figures_are_compared_within_a_group_and_a_text_alone():
    rows = [
        *(row(s, Figure(v), text="one", average="text") for s, v in (("a", 0.1), ("b", 0.2))),
        *(row(s, Figure(v), text="two", average="text") for s, v in (("a", 0.9), ("b", 0.3))),
        *(row(s, Figure(v), group="word") for s, v in (("a", 0.7), ("b", 0.8))),
    ]
    table = results(*rows).table()
    assert [cells[-1].best for cells in table.rows] == [False, True, True, False, False, True]


def test_a_system_by_itself_is_not_the_best():
    assert "textbf" not in results(row("a", Figure(0.5))).render("latex")


def test_groups_are_named_once_above_their_rows():
    made = results(
        *(row(s, *[Figure(0.5)] * 2, group=g) for g in ("sentence", "word") for s in "ab"),
        names=("precision", "recall"),
    )
    lines = made.render("latex").splitlines()
    heads = [k for k, line in enumerate(lines) if line.startswith(r"\multicolumn{3}")]
    assert [lines[k] for k in heads] == [
        rf"\multicolumn{{3}}{{@{{}}l}}{{\emph{{{group}}}}} \\" for group in ("sentence", "word")
    ]
    assert all(lines[k - 1] == r"\midrule" for k in heads)


def test_marks_are_superscripts_and_intervals_are_small():
    made = results(row("a", Figure(0.5)), row("b", Figure(-0.25, -0.5, 0.125, 0.004)))
    rows = body(made.render("latex", Look(3)))
    assert rows[1][1:] == [r"\textbf{0.500}"] or rows[1][1:] == [r"\textbf{0.500}", "", ""]
    assert rows[-1] == ["b", "$-$0.250", "$^{**}$", r"\scriptsize [$-$0.500, 0.125]"]
    bare = body(made.render("latex", Look(2, intervals=False)))
    assert bare[-1] == ["b", "$-$0.25", "$^{**}$"]


def test_intervals_stand_below_where_the_page_is_too_narrow():
    figures = [Figure(0.5, 0.25, 0.75, 0.03)] * 4
    made = results(row("a", *figures), row("b", *figures), names=("one", "two", "three", "four"))
    latex = made.render("latex")
    assert r"\begin{tabular}{@{}lcccc@{}}" in latex
    assert body(latex)[-1] == ["", *[r"\scriptsize [0.2500, 0.7500]"] * 4]
    assert body(latex)[-2] == ["b", *[r"\textbf{0.5000}\rlap{$^{*}$}"] * 4]


def test_metrics_are_columns_where_they_fit_and_the_size_of_windows_stands_in_the_head():
    few = results(
        *(row(s, Figure(0.5, better="lower"), group="pk", k=2) for s in "ab"),
        *(row(s, Figure(0.5), group="boundary-similarity") for s in "ab"),
        arrows=True,
    )
    head, *rows = body(few.render("latex"))
    assert head[1] == r"\multicolumn{1}{c}{pk $\downarrow$ (k=2)}"
    assert head[2] == r"\multicolumn{1}{c}{\shortstack{boundary-\\similarity $\uparrow$}}"
    assert [cells[0] for cells in rows] == ["a", "b"]
    uneven = results(*(row(s, Figure(0.5), group="pk", k=k) for s, k in (("a", 2), ("b", 3))))
    assert body(uneven.render("latex"))[-1][-1] == "3"
    many = results(*(row("a", Figure(0.5), group=f"boundary-similarity-{k}") for k in range(9)))
    assert many.render("latex").count(r"\emph{") == 9


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% of run_2 & #3 {x} $", r"50\% of run\_2 \& \#3 \{x\} \$"),
        ("a\\b~c^d", r"a\textbackslash{}b\textasciitilde{}c\textasciicircum{}d"),
        ('<b>|"', r"\textless{}b\textgreater{}\textbar{}\texttt{\char34}"),
        ("run--2", "run-{}-2"),
        ("[1]", "{[}1]"),
        ("*", "{*}"),
        ("Łódź, Ünïcödé, ß, Åse, ğ", r"{\L}\'od\'z, \"Un\"{\i}c\"od\'e, {\ss}, {\AA}se, \u{g}"),
        ("e\u0301", r"\'e"),
        ("α → β ≥ 2×", r"$\alpha$ $\rightarrow$ $\beta$ $\geq$ 2$\times$"),
        ("модель 模型", "model' MoXing"),
        ("a\u200f\u202eb", "ab"),
        ("\u200f", "U+200F"),
        ("a\tb\nc\x07", "a b cU+0007"),
    ],
)
def test_names_in_latex_are_ascii_and_read_as_they_are(text, latex):
    assert latex_text(text) == latex
    assert latex.isascii()


def test_names_in_other_letters_are_told_below_the_table():
    made = results(row("модель", Figure(1.0)), row("b", Figure(0.5)))
    assert made.render("latex").splitlines()[-1] == "% model': модель"


def test_names_that_look_alike_in_latin_letters_are_numbered():
    latex = results(row("模型", Figure(1.0)), row("磨型", Figure(0.5))).render("latex")
    assert [cells[0] for cells in body(latex)[1:]] == ["MoXing", "MoXing (2)"]
    assert latex.splitlines()[-2:] == ["% MoXing: 模型", "% MoXing (2): 磨型"]


def test_records_are_for_programs_all_with_the_same_keys():
    rows = [row("a", Figure(1 / 3)), row("b", Figure(nan))]
    rows[1].record["value"] = None
    rows[1].record["more"] = 2
    made = results(*rows)
    assert made.records() == [
        {"system": "a", "text": None, "value": 1 / 3, "k": None, "more": None},
        {"system": "b", "text": None, "value": None, "k": None, "more": 2},
    ]
    assert made.flat_table().rows == [["a", "-", repr(1 / 3), "-", "-"], ["b", "-", "-", "-", "2"]]
