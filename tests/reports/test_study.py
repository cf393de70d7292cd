"""The figures of the error study in SVG of our own, and its page.

`snapshots/study.html` and `study.svg` are what we make of a small study, `study.txt` what stands in
them, without looks. After a change that is meant, run this file as a script to write them anew:

    PYTHONPATH=tests python tests/reports/test_study.py

The browser tests need Chromium (Debian: chromium-headless-shell) and are skipped without it.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bitext.metrics.registry import all_metrics, parse_metrics
from bitext.metrics.study import StudiedMetric, study_errors
from bitext.reports.study import draw_svg, study_page
from reference import axe
from reference.page_text import Reader

SNAPSHOTS = Path(__file__).parent / "snapshots"
NAMES = ("window-diff", "boundary-similarity", "alignment-similarity")
ERRORS = ("cross", "vanishing", "constant-cost")


@cache
def studied(names=NAMES, first=7, last=10):
    return study_errors(map(StudiedMetric, parse_metrics(names)), first, last)


def snapshots():
    """Return the files of the snapshot: a figure, the page, and what is in them."""
    html = study_page(studied(), signature="study:errors|n:7-10")
    lines = [
        f"{row.metric.label} {row.error} n={row.n} {row.erring} of {row.references}"
        for row in studied()
    ]
    return {
        "study.svg": draw_svg(studied(), "vanishing"),
        "study.html": html,
        "study.txt": "\n".join([*lines, "", *Reader(html).text, ""]),
    }


@pytest.mark.parametrize("name", ["study.svg", "study.html", "study.txt"])
def test_the_snapshot_is_what_we_make(name):
    found = snapshots()[name]
    assert (SNAPSHOTS / name).read_text(encoding="utf-8") == found


@pytest.mark.parametrize("error", ERRORS)
def test_a_line_is_the_shares_of_a_metric_by_length(error):
    svg = ET.fromstring(draw_svg(studied(), error))
    titles = [e.text for e in svg.iter() if e.tag.endswith("}title")][1:]
    wanted = [
        f"{row.metric.label}, n = {row.n}: {row.share:.2%} ({row.erring} of {row.references})"
        for row in studied()
        if row.error == error
    ]
    assert titles == wanted
    lines = [e for e in svg.iter() if e.get("class", "").startswith("line") and "L" in e.get("d")]
    ticks = re.findall(r'y="([\d.]+)" text-anchor="end">([\d.]+)%', draw_svg(studied(), error))
    (axis, _), *_, (top, most) = [(float(y) - 4, float(share) / 100) for y, share in ticks]
    for places, name in zip(all_places(lines), NAMES, strict=True):
        mine = [row for row in studied() if row.error == error and row.metric.label == name]
        steps = [after - before for (before, _), (after, _) in pairwise(places)]
        assert min(steps) > 0
        assert steps == pytest.approx([steps[0]] * len(steps), abs=0.11)
        for row, (_, y) in zip(mine, places, strict=True):
            assert y == pytest.approx(axis + (top - axis) * row.share / most, abs=0.1)


def all_places(lines):
    return [[tuple(map(float, p.split())) for p in one.get("d")[1:].split("L")] for one in lines]


def test_lines_are_told_apart_without_colour():
    names = tuple(name for name, found in all_metrics().items() if found.over == "segmentation")
    svg = draw_svg(studied(names, 7, 7), "cross")
    keys = re.findall(r'class="line c\d"( stroke-dasharray="[^"]*")? [^>]*h30"', svg)
    marks = re.findall(r'h30"/><path class="point[^>]* d="([^"]*)"', svg)
    assert len(keys) == len(marks) == len(names)
    assert len(set(zip(keys, marks, strict=True))) == len(names)


def test_a_study_of_one_length_without_errors_is_drawn_too():
    rows = studied(("alignment-similarity",), 5, 5)
    svg = draw_svg(rows, "cross")
    assert svg.count('class="point') == 2  # one of them in the key
    assert "nan" not in svg
    assert "No metric here errs" in study_page(rows)


# In a browser.


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "study.html"
    path.write_text(study_page(studied()), encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_page_fits_bars_nobody_and_marks_are_counted(browser, place, width, dark):
    browser.open(place, width=width, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert browser.said == []
    points = "document.querySelectorAll('.point > title').length"
    assert browser.run(points) == len(studied())
    ground = "getComputedStyle(document.querySelector('.study .ground')).fill"
    assert browser.run(ground) == ("rgb(23, 24, 28)" if dark else "rgb(255, 255, 255)")
    outside = """[...document.querySelectorAll('.study text')].filter(e => {
        const [r, s] = [e.getBoundingClientRect(), e.closest('svg').getBoundingClientRect()];
        return r.left < s.left || r.right > s.right || r.top < s.top || r.bottom > s.bottom;
    }).length"""
    assert browser.run(outside) == 0
    assert axe.problems(browser) == []


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    for file, content in snapshots().items():
        shown = content
        (SNAPSHOTS / file).write_text(shown, encoding="utf-8")
