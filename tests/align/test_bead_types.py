from __future__ import annotations

import numpy as np
import pytest

from bitext.align.bead_types import (
    DEFAULT_BEADS,
    bead_types,
    first_chances,
    learned_chances,
    starts,
)
from bitext.errors import OptionError


def test_the_default_goes_up_to_four():
    assert bead_types() == DEFAULT_BEADS
    assert {(4, 1), (1, 4), (2, 2), (3, 2), (2, 3)} <= set(DEFAULT_BEADS)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("4-1,1-4", {(4, 1), (1, 4)}),
        (" 2-2 , 1-1", {(2, 2)}),
        ("max 2-3", {(1, 2), (1, 3), (2, 1), (2, 2), (2, 3)}),
        ("1-0", set()),
        ([(5, 1)], {(5, 1)}),
    ],
)
def test_beads_as_they_are_written(text, more):
    found = bead_types(text)
    assert set(found) == {(1, 1), (1, 0), (0, 1)} | more
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "text", ["4", "4-1;1-4", "max 2-2,3-3", "0-2", "10-1", "a-b", "2-0", "-1-2"]
)
def test_beads_that_cannot_be(text):
    with pytest.raises(OptionError, match="bead"):
        bead_types(text)


def test_frequencies_add_up_and_follow_the_counts():
    beads = bead_types("max 4-4")
    chances = first_chances(beads)
    assert chances.sum() == pytest.approx(1)
    assert (chances > 0).all()
    assert chances[0] == chances.max()
    counts = np.zeros(len(beads))
    counts[beads.index((2, 1))] = 10_000
    learned = learned_chances(beads, counts)
    assert learned.sum() == pytest.approx(1)
    assert learned[beads.index((2, 1))] > 0.99
    assert (learned > 0).all()


def test_texts_begin_with_what_is_usual_or_with_much_left_out():
    usual, many = starts(DEFAULT_BEADS)
    assert (usual == first_chances(DEFAULT_BEADS)).all()
    assert many.sum() == pytest.approx(1)
    alone = [DEFAULT_BEADS.index(bead) for bead in ((1, 0), (0, 1))]
    assert many[alone].tolist() == [0.15, 0.15]
    rest = np.delete(many, alone) / np.delete(usual, alone)
    assert rest == pytest.approx(rest[0])
