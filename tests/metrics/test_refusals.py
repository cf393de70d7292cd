"""What metrics refuse, and what they want instead."""

from __future__ import annotations

import numpy as np
import pytest

from bitext.errors import InputError, OptionError
from bitext.metrics.agreement import agreement_interval, bias, fleiss_kappa
from bitext.metrics.edgain import edgain
from bitext.metrics.lattice_metrics import (
    compression,
    path_novelty,
    repetition_ratio,
    trigram_novelty,
    word_links,
)
from bitext.metrics.registry import parse_metric
from bitext.metrics.segmentation import over_units
from bitext.metrics.segmentation.references import (
    any_reference,
    majority,
    mean_over_references,
    wisebe,
)
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


@pytest.mark.parametrize("codings", [None, 5, "ab", {"anna": [TEXT]}, TEXT])
def test_codings_are_a_list(codings):
    for coefficient in (fleiss_kappa, bias):
        with pytest.raises(InputError, match=r"the codings are .*: want a list of texts"):
            coefficient(codings)
    assert fleiss_kappa(iter([[TEXT, TEXT]])).observed == 1.0
    assert fleiss_kappa([iter([TEXT, None, TEXT])]) == fleiss_kappa([[TEXT, None, TEXT]])
    with pytest.raises(InputError, match="text 1 is 5: want a list of a segmentation a coder"):
        fleiss_kappa([[TEXT, TEXT], 5])


@pytest.mark.parametrize(
    ("references", "told"),
    [
        (None, "want a list of references, of one or more"),
        (TEXT, "want a list of references, of one or more"),
        ({"anna": TEXT}, "want a list of references, of one or more"),
        ([[TEXT], [TEXT]], r"reference 0 is \[Segmentation.*: want a Segmentation"),
    ],
)
def test_references_are_a_list_of_segmentations_of_one_text(references, told):
    for score in (majority, lambda given: mean_over_references("pk", given, TEXT)):
        with pytest.raises(InputError, match=told):
            score(references)
    with pytest.raises(InputError, match=r"want a list of references|is .*: want"):
        wisebe(references, TEXT)
    assert majority(iter([TEXT, TEXT])) == TEXT
    with pytest.raises(InputError, match="the hypothesis is 5: want a Segmentation, or a list"):
        mean_over_references("pk", [TEXT], 5)


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
    [
        ({"steps": -1}, "-1 steps: want 0 .draw paths. or more"),
        ({"draws": 0}, "0 draws: want 1"),
        ({"draws": 10.5}, "draws is 10.5: want a whole number of paths"),
        ({"leave_out": "the"}, "leave_out is 'the': want a collection of words"),
    ],
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


def test_truth_values_of_options_are_no_strings():
    pk = parse_metric("pk").metric
    for value in ("no", "", 1, None):
        for run in (pk, lambda a, b, **option: pk.many([a], [b], **option)):
            with pytest.raises(OptionError, match=r"^padded is .*: want True or False$"):
                run(TEXT, TEXT, padded=value)
    with pytest.raises(OptionError, match="pooled is 'no': want True or False"):
        agreement_interval(fleiss_kappa, [[TEXT, TEXT]] * 2, pooled="no")
    assert pk(TEXT, Segmentation([5]), padded=np.True_) == pk(TEXT, Segmentation([5]), padded=True)


def test_metrics_of_lattices_are_of_lattices():
    cluster = Cluster([Sentence(["He", "sat"])])
    for metric in (path_novelty, trigram_novelty, compression, repetition_ratio):
        with pytest.raises(
            InputError, match=r"the lattice is <Cluster.*: want a Lattice, as align"
        ):
            metric(cluster)
    with pytest.raises(InputError, match=r"hyp is <Cluster.*of word links: link_scores"):
        word_links(Lattice(cluster, [[1, 2]]), cluster)
    with pytest.raises(InputError, match=r"the cluster is 'He sat' \(str\): want a Cluster"):
        edgain("He sat", [])


def test_the_matched_share_of_versions_is_a_number():
    with pytest.raises(OptionError, match=r"is '0\.9': want a share from 0 to 1"):
        over_units([["It rained."], ["It", "rained."]], min_matched="0.9")
