from __future__ import annotations

import io
import re
import sys

import pytest

from bitext import MissingExtraError
from bitext.metrics.registry import all_metrics, parse_metrics
from bitext.metrics.study import StudiedMetric, study_errors
from bitext.reports import study as study_svg
from bitext.reports.study import draw_figure, write_figures

NAMES = ["window-diff", "boundary-similarity", "alignment-similarity"]


def studied(names):
    return study_errors(map(StudiedMetric, parse_metrics(names)), 5, 9)


@pytest.fixture(scope="module")
def rows():
    pytest.importorskip("matplotlib")
    return studied(NAMES)


def test_a_line_is_the_shares_of_a_metric_by_length(rows):
    axes = draw_figure(rows, "vanishing").axes[0]
    assert [line.get_label() for line in axes.lines] == NAMES
    for line in axes.lines:
        shares = {
            row.n: row.share
            for row in rows
            if (row.metric.label, row.error) == (line.get_label(), "vanishing")
        }
        assert dict(zip(line.get_xdata(), line.get_ydata(), strict=True)) == shares
    assert axes.get_ylim()[0] == 0


def test_lines_are_told_apart_without_colour():
    pytest.importorskip("matplotlib")
    names = [name for name, found in all_metrics().items() if found.over == "segmentation"]
    figure, drawn = draw_figure(studied(names), "cross"), io.StringIO()
    lines = figure.axes[0].lines
    for k, line in enumerate(lines):
        line.set_gid(f"line{k}")
    figure.savefig(drawn, format="svg")
    paths = re.findall(r'<g id="line\d+">\s*<path [^>]*style="([^"]*)"', drawn.getvalue())
    dashes = [tuple(re.findall("stroke-dasharray: ([^;]*)", path)) for path in paths]
    looks = zip((line.get_marker() for line in lines), dashes, strict=True)
    assert len({*looks}) == len(names)


def test_files_are_the_same_each_time_and_hold_their_text(rows, tmp_path):
    import matplotlib as mpl

    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    write_figures(rows, first)
    with mpl.rc_context({"font.size": 20, "savefig.dpi": 30, "lines.linewidth": 9}):
        write_figures(rows, second)
        assert mpl.rcParams["font.size"] == 20
    names = sorted(path.name for path in first.iterdir())
    kinds = [
        f"{e}.{kind}" for e in ("constant-cost", "cross", "vanishing") for kind in ("png", "svg")
    ]
    assert names == kinds
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()
    for name in names[1::2]:
        assert (first / name).read_text(encoding="utf-8") == study_svg.draw_svg(rows, name[:-4])
    assert all((first / name).read_bytes()[:4] == b"\x89PNG" for name in names[::2])


def test_without_the_extra_it_is_named(monkeypatch, tmp_path):
    rows = studied(["pk"])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for call in (lambda: write_figures(rows, tmp_path), lambda: draw_figure(rows, "cross")):
        with pytest.raises(MissingExtraError, match=r"pip install 'bitext\[figures\]'"):
            call()
    kinds = ["constant-cost.svg", "cross.svg", "vanishing.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == kinds
