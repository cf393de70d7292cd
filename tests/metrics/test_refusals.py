"""What metrics refuse, and what they want instead."""

from __future__ import annotations

import numpy as np
import pytest

from bitext.errors import InputError, OptionError
from bitext.metrics.agreement import fleiss_kappa
from bitext.metrics.lattice_metrics import repetition_ratio
from bitext.metrics.registry import parse_metric
from bitext.metrics.segmentation.references import any_reference
from bitext.metrics.segmentation.segment_alignment import segment_alignment
from bitext.metrics.study import StudiedMetric
from bitext.model import Cluster, Lattice, Segmentation, Sentence

TEXT = Segmentation([2, 3])


def test_recall_against_several_references_has_two_kinds():
    for recall in ("all", None, 1):
        with pytest.raises(OptionError, match=r"recall is .*: want union or votes"):
            any_reference([TEXT], TEXT, recall=recall)


def test_codings_of_a_text_are_a_list():
    with pytest.raises(InputError, match="text 0 is one segmentation: want a list, one a coder"):
        fleiss_kappa([TEXT, [TEXT, TEXT]])


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda *_: "close", "the function of .* gives no numbers: "),
        (lambda *_: 1.0, "the function of .* gives other than one number an edge"),
        (lambda shared, *_: shared / 0.0, "gives other than one number an edge"),
    ],
)
def test_a_function_of_closeness_gives_a_number_an_edge(made, told):
    with np.errstate(divide="ignore"), pytest.raises(OptionError, match=told):
        segment_alignment(TEXT, Segmentation([4, 1]), closeness=made)


@pytest.mark.parametrize(
    ("options", "told"),
    [({"steps": -1}, "-1 steps: want 0 .draw paths. or more"), ({"draws": 0}, "0 draws: want 1")],
)
def test_walks_of_a_lattice_are_counted(options, told):
    lattice = Lattice(Cluster([Sentence(["a", "b"]), Sentence(["a", "c"])]), [[0, 1], [0, 2]])
    with pytest.raises(OptionError, match=told):
        repetition_ratio(lattice, **options)


def test_a_studied_metric_has_the_measure():
    named = parse_metric("boundary")
    assert StudiedMetric(named).measure == "f1"
    with pytest.raises(OptionError, match=r"measure 'share': boundary has .*precision"):
        StudiedMetric(named, "share")
