"""What notebooks show: figures without scripts, small, harmless, and free for plain Python."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from bitext import Alignment, Bitext, Segmentation, Text, WordLinks, notebooks
from bitext.metrics import arcade, boundary_edits
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.metrics.evaluation.segmentations import SegmentEvaluation
from bitext.metrics.registry import parse_metrics
from bitext.metrics.segmentation.segment_alignment import segment_alignment
from bitext.model.segmentation import Segmentations
from bitext.reports.notebook import html
from bitext.reports.table import Table
from reference.sample_bitexts import ferry, hostile, long_bitext
from reference.sample_lattices import many, town
from reference.sample_scores import coast


def test_a_bitext_shows_its_first_rows():
    bitext, _ = ferry()
    shown = bitext._repr_html_()
    assert shown.count('class="ribbon plain own"') == len(bitext.alignment)
    assert shown.count('class="seg"') == 24
    assert "ferry</bdi>: 11 bisegments" in shown
    long, _ = long_bitext(3_000)
    shown = long._repr_html_()
    assert 40 < shown.count('class="seg"') <= 60
    assert len(shown) < 200_000
    assert "The first 30 of " in shown


def test_a_comparison_shows_its_figures_and_kinds():
    bitext, hyps = ferry()
    shown = arcade(bitext, Bitext(bitext.src, bitext.tgt, hyps["ours"]))._repr_html_()
    counted = {
        look: shown.count(f'class="ribbon {look}"')
        for look in ("agreed gold", "partly gold", "partly own", "missed gold", "wrong own")
    }
    assert list(counted.values()) == [5, 3, 3, 3, 2]
    assert "<bdi>alignment</bdi></td>" in shown
    bare = arcade(bitext.alignment, hyps["ours"])._repr_html_()
    assert bare.count('class="ribbon') == 16
    assert "character" not in bare


def test_word_links_are_grids_with_pale_and_hollow_squares():
    links = WordLinks(
        [0, 2, 2, 4],
        [0, 1, 0, 2],
        [2, 1, 0, 0],
        sure=[True, True, True, False],
        confidences=[1, 0.2, float("nan"), 0.6],
        src_sizes=[2, 3, 3],
        tgt_sizes=[3, 1, 1],
    )
    shown = links._repr_html_()
    assert "Word links: 3 sentence pairs, 4 links" in shown
    assert re.findall(r'width="(\d+)" height="(\d+)" viewBox', shown) == [
        ("26", "32"),
        ("10", "40"),
        ("10", "40"),
    ]
    assert re.findall(r'opacity="([\d.]+)"><title>(.*?)</title>', shown) == [
        ("1.00", "0-2 1"),
        ("0.40", "1-1 0.2"),
        ("1.00", "0-0"),
        ("0.70", "2-0 0.6"),
    ]
    assert shown.count('fill="none" stroke="currentColor" opacity') == 1
    assert "; the first 24" in WordLinks.parse(["0-0"] * 30)._repr_html_()
    assert WordLinks.parse(["0-0"] * 30)._repr_html_().count("<svg") == 24
    assert "<title>" not in WordLinks.parse(["90-90"])._repr_html_()
    assert "0 sentence pairs" in WordLinks.parse([])._repr_html_()


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (segment_alignment(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 4])), 'class="strips"'),
        (town(), 'class="lattice"'),
        (Table(["a", "b"], right={1}, rows=[["<x>", "1"]]), "<bdi>&lt;x&gt;</bdi>"),
        (Table(["a"], rows=[["1"]] * 300), "... and 100 more rows"),
        (many(90, 40), "Too large for a notebook"),
    ],
)
def test_other_values_show_their_figures(value, part):
    assert part in value._repr_html_()
    assert len(value._repr_html_()) < 200_000


def test_scores_over_texts_are_a_table():
    shown = coast()._repr_html_()
    assert "<bdi>0.8831 [0.6191, 0.9723]</bdi>" in shown
    assert "signature: arcade|average:micro|texts:3" in shown
    assert shown.count("<tr>") == 1 + 6 * 2
    assert "no text was scored yet" in Evaluation(["x"])._repr_html_()


def test_compared_segmentations_are_a_table_and_the_worst_text():
    gold = Segmentations.of({"even": Segmentation([2, 2]), "<i>": Segmentation([3, 3, 2])})
    hyp = Segmentations.of({"even": Segmentation([2, 2]), "<i>": Segmentation([2, 4, 2])})
    metrics = parse_metrics(["pk", "boundary-similarity"])
    evaluation = SegmentEvaluation(systems=["mine"], metrics=metrics, references=[gold], hyps=[hyp])
    shown = evaluation._repr_html_()
    for row in evaluation.rows(averages=("micro",), texts=False):
        assert f"<bdi>{row.value:.4f} [" in shown
    assert "differ: <bdi>&lt;i&gt;</bdi>" in shown
    assert shown.count('class="seg') == 6
    assert shown.count('class="mark shifted') == 1


def test_boundary_edits_are_told_from_left_to_right():
    edits = boundary_edits(Segmentation([2, 2, 4, 2]), Segmentation([1, 1, 3, 5]))
    shown = edits._repr_html_()
    kinds = re.findall(r"<tr><td><bdi>(.*?)</bdi>", shown)
    assert kinds == ["extra", "right", "shifted by +1", "missing"]
    assert "type" not in shown.split("<tbody>")[0].split("<thead>")[1]
    typed = boundary_edits(
        Segmentation([2, 2], types=[["a"]]), Segmentation([2, 2], types=[["<b>"]])
    )
    assert "a → &lt;b&gt;" in typed._repr_html_()


def test_hostile_texts_cannot_act():
    bitext, hyps = hostile()
    for value in (bitext, arcade(bitext, Bitext(bitext.src, bitext.tgt, *hyps.values()))):
        shown = html(value)
        assert "<script" not in shown
        assert "<img" not in shown
        assert "\u202e" not in shown
        assert len(shown) < 50_000


def test_empty_ones_are_drawn():
    assert html(Bitext(None, None, Alignment()))
    assert html(arcade(Alignment(), Alignment()))
    assert html(Bitext(Text([]), Text([]), Alignment()))
    assert html(object()) is None


def test_plain_python_imports_no_figures():
    script = (
        "import sys, bitext\n"
        "bitext.Bitext(None, None, bitext.Alignment())\n"
        "print([m for m in sys.modules if m.startswith('bitext.reports')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_who_draws_is_said_from_above():
    table = Table(["a"], rows=[["1"]])
    try:
        notebooks.drawn_by(lambda _: None)
        assert table._repr_html_() is None
        notebooks.drawn_by(lambda value: f"<p>{value.head}</p>")
        assert table._repr_html_() == "<p>['a']</p>"
    finally:
        notebooks.drawn_by(html)
    assert table._repr_html_() == html(table)
