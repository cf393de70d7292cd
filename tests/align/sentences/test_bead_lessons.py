"""What paths teach of beads."""

import numpy as np
import pytest

from bitext.align.sentences.evidence import LengthModel
from bitext.align.sentences.omissions import Omissions
from bitext.align.sentences.state import beads_of_path, lengths_of_paths
from bitext.kernels.bead_path import BeadPath

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1)]


def path_of(*kinds):
    """Return a path of beads of some kinds."""
    sizes = np.array([BEADS[kind] if kind >= 0 else (1, 1) for kind in kinds])
    row, column = sizes.cumsum(axis=0).T
    return BeadPath(0, np.array(kinds), row, column, 0.5)


def test_beads_of_a_path_are_counted_but_what_was_not_aligned():
    assert beads_of_path(BEADS, path_of(0, 0, 3, -1)).tolist() == [2, 0, 0, 1]
    assert beads_of_path(BEADS, path_of(-1)).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(("alone", "counted"), [(20, 20), (32, 32), (500, 32)])
def test_of_a_passage_that_is_left_out_little_is_counted(alone, counted):
    path = path_of(*[0] * 50, *[1] * alone, *[0] * 50)
    src, tgt = np.zeros(100 + alone), np.zeros(100)
    src[50 : 50 + alone] = 0.9
    found = beads_of_path(BEADS, path, Omissions(src, tgt))
    assert found.tolist() == [100, counted, 0, 0]


def test_lengths_of_beads_with_both_sides_are_learned_from():
    src, tgt = np.array([10.0, 20, 30, 99, 40]), np.array([20.0, 90, 80])
    model = LengthModel.first(src, tgt)
    found = lengths_of_paths(model, [(path_of(0, 3, 1, 0), (src, tgt))])
    assert found == model.learned(np.array([10.0, 50, 40]), np.array([20.0, 90, 80]))


def test_no_lengths_are_learned_from_no_paths():
    model = LengthModel.first(np.array([10.0]), np.array([20.0]))
    assert lengths_of_paths(model, []) == model
