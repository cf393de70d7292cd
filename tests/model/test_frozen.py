from __future__ import annotations

import copy
import pickle

import pytest

from bitext import Alignment, AlignmentError, InputError, Segmentation, SegmentationError, Text
from bitext.model import Blocks

VALUES = [
    Alignment([((0,), (0, 1)), ((), (2,))], scores=[1, 2], attributes={"id": ["a", None]}),
    Text(
        ["One.", "Two."],
        ids=["a", "b"],
        name="x",
        paragraphs=Segmentation([1, 1]),
        blocks=Blocks.of_paragraphs([1]),
    ),
    Text.of_ids(["a", "b"]),
    Segmentation([3, 1]),
    Segmentation([3, 1], types=[{"topic", 2}]),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_does_not_change(value):
    for name in type(value).__slots__:
        with pytest.raises(AttributeError, match="does not change"):
            setattr(value, name, None)
        with pytest.raises(AttributeError, match="does not change"):
            delattr(value, name)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_can_be_sent_and_copied(value):
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert again == value
        assert repr(again) == repr(value)


def test_what_is_no_list_of_the_right_things_is_named():
    with pytest.raises(AlignmentError, match=r"the bisegments are 5: want a list of pairs"):
        Alignment(5)
    with pytest.raises(InputError, match=r"the id of segment 1 is 7: want a string"):
        Text(["a", "b"], ids=["x", 7])
    with pytest.raises(SegmentationError, match=r"span 0 is 3: want \(start, end\)"):
        Segmentation.from_spans([3])
