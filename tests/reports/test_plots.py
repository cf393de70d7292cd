from __future__ import annotations

import re
from math import nan
from pathlib import Path

import pytest

import bitext
from bitext.errors import InputError
from bitext.metrics.registry import parse_metrics
from bitext.metrics.study import StudiedMetric, study_errors
from bitext.reports.plots import COLOURS, KINDS, plot_results, plot_study, write_plot
from bitext.reports.table import Figure, ResultRow, Results

pytest.importorskip("matplotlib", reason="matplotlib (the extra figures) is not installed")
CSS = Path(bitext.__file__).parent / "reports" / "scores" / "scores.css"


def results(values, group="sentence", names=("F1",), **more):
    rows = [
        ResultRow(group, system, None, "micro", figures, {}) for system, figures in values.items()
    ]
    return Results("granularity", names, tuple(rows), **more)


TWO = results({"alpha": (Figure(0.9, 0.8, 0.95),), "beta": (Figure(0.7, 0.5, 0.8, 0.001),)})


def labels(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def lines(axes):
    return [[*line.get_xdata()] for line in axes.lines]


def test_the_colours_are_those_of_the_pages():
    light = CSS.read_text(encoding="utf-8").partition("@media")[0]
    assert tuple(re.findall(r"--s\d: (#[0-9a-f]{6})", light)) == COLOURS


def test_each_system_is_a_point_with_its_interval_beside_its_name_and_there_is_no_title():
    (axes,) = plot_results(TWO).axes
    assert labels(axes) == ["sentence", "alpha", "beta"]
    assert axes.get_title() == ""
    assert axes.get_xlabel() == "F1"
    assert [0.8, 0.95] in lines(axes)
    assert [0.9] in lines(axes)
    assert [text.get_text() for text in axes.texts] == ["**"]
    heights = [line.get_ydata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    places = [*axes.get_yticks()][1:]
    assert sorted(heights)[-2:] == places


def test_systems_differ_in_shape_and_from_the_ninth_on_points_are_hollow():
    many = results({f"s{k}": (Figure(0.5),) for k in range(12)})
    points = [line for line in plot_results(many).axes[0].lines if len(line.get_xdata()) == 1]
    looks = [(p.get_marker(), p.get_color(), p.get_markerfacecolor()) for p in points]
    assert len(looks) == len({*looks[:12]}) + (len(points) - len(looks))
    assert len({marker for marker, *_ in looks[:8]}) == 8
    assert all(fill == "white" for *_, fill in looks[8:12])


def test_a_figure_of_many_systems_is_no_taller_than_a_page():
    few, many = (
        Results(
            "granularity",
            ("F1",),
            tuple(
                ResultRow(f"g{g}", f"s{k}", None, "micro", (Figure(0.5),), {})
                for g in range(6)
                for k in range(count)
            ),
        )
        for count in (2, 9)
    )
    assert plot_results(few).get_figheight() == pytest.approx(6 * (3 * 0.17 + 0.12) + 0.42)
    assert plot_results(many).get_figheight() == pytest.approx(9)


def test_intervals_are_left_out_on_demand():
    (axes,) = plot_results(TWO, intervals=False).axes
    assert all(len(values) == 1 or values[0] == 0 for values in lines(axes))
    low, high = axes.get_xlim()
    assert low > 0.6
    assert high < 1.1


def test_distances_have_an_axis_of_their_own():
    far = results({"alpha": (Figure(3.5, better="lower"),)}, group="generalized-hamming")
    both = Results("metric", ("value",), (*TWO.rows, *far.rows), arrows=True)
    first, second = plot_results(both).axes
    assert labels(first)[0] == "sentence ↑"
    assert labels(second) == ["generalized-hamming ↓", "alpha"]
    assert first.get_xlim()[1] <= 1.05


def test_what_is_undefined_is_told():
    (axes,) = plot_results(results({"alpha": (Figure(nan),), "beta": (Figure(0.5),)})).axes
    assert [text.get_text() for text in axes.texts] == ["undefined"]


def test_names_are_drawn_as_they_are_or_in_latin_letters(tmp_path):
    names = ["$x$ _y^ %", "模型", "עברית", "Łódź", "\u202ea", "n" * 90]
    drawing = plot_results(results({name: (Figure(0.5),) for name in names}))
    shown = labels(drawing.axes[0])[1:]
    assert shown[:5] == ["$x$ _y^ %", "MoXing", "'vryt", "Łódź", "\\u202ea"]
    assert len(shown[5]) < 60
    write_plot(drawing, str(tmp_path / "names.svg"), "svg")  # without a warning of missing glyphs


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_results_give_the_same_bytes_with_fonts_and_without_a_date(kind, tmp_path):
    places = [str(tmp_path / f"{k}.{kind}") for k in range(2)]
    for place in places:
        write_plot(plot_results(TWO), place, kind)
    one, other = (Path(place).read_bytes() for place in places)
    assert one == other
    assert b"Date" not in one.replace(b"CreationDate ()", b"")
    if kind == "svg":
        assert b"<text" not in one
    if kind == "pdf":
        assert b"/FontFile2" in one
        assert b"/Type3" not in one


def test_texts_by_themselves_are_not_drawn():
    text = ResultRow("sentence", "a", "one", "text", (Figure(0.5),), {})
    with pytest.raises(InputError, match="there is no average to draw"):
        plot_results(Results("granularity", ("F1",), (text,)))


def test_the_study_is_a_column_an_error_type():
    rows = study_errors(map(StudiedMetric, parse_metrics(["WindowDiff", "A"])), 5, 8)
    drawing = plot_study(rows)
    assert [axes.get_xlabel().splitlines()[1] for axes in drawing.axes] == [
        *("(a) cross", "(b) vanishing", "(c) constant-cost"),
    ]
    assert all(axes.get_title() == "" for axes in drawing.axes)
    assert all(len(axes.lines) == 2 for axes in drawing.axes)
    assert [text.get_text() for text in drawing.legends[0].get_texts()] == [
        *("window-diff", "alignment-similarity"),
    ]
