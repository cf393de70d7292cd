"""What the sizes of two texts tell of how they go together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.bead_types import (
    are_excerpts,
    length_ratio,
    letters_of,
    may_be_abridged,
    sentence_ratio,
)
from bitext.model import Text

ratios = st.floats(0.01, 100)
inequalities = st.sampled_from([0.013, 0.31, 0.7, 0.99]) | st.floats(1.21, 2.9)


def _is_no_bound(lengths):
    return all(abs(max(lengths, 1 / lengths) / bound - 1) > 1e-9 for bound in (1.1, 1.5))


def _letters(sentence):
    """Count letters one by one."""
    wide = sum(ord(one) >= 0x2E80 and one != "\u3000" for one in sentence)
    spaces = sum(one in " \t\n\xa0\u3000" for one in sentence)
    return len(sentence) - spaces + 1.5 * wide + 1


@given(st.lists(st.text("ab é\t\xa0\u3000漢か字Ж🎉", max_size=12), max_size=8))
def test_letters_are_those_that_are_counted_one_by_one(sentences):
    assert letters_of(sentences).tolist() == [_letters(one) for one in sentences]


def test_a_lone_surrogate_is_a_letter():
    assert letters_of(["a\ud800"]).tolist() == [4.5]


@pytest.mark.parametrize("times", [1, 4095, 4096, 10_000])  # 4,096 are counted at once
def test_how_long_texts_are(times):
    src, tgt = [Text(["ab"] * times), Text(["abcd", ""])], [Text(["漢字"] * times)]
    wanted = (1 + 6 * times) / (1 + 3 * times + 6)
    assert length_ratio(src, tgt) == pytest.approx(wanted, rel=1e-12)
    assert length_ratio([], []) == 1.0


@pytest.mark.parametrize(
    ("many", "lengths", "excerpts", "is_abridged"),
    [
        (3.1, 1.6, True, True),
        (3.1, 1.4, False, True),
        (2.9, 2.9, False, True),
        (1.25, 1.15, False, True),
        (1.15, 3.0, False, False),
        (1.25, 1.05, False, False),
        (4.0, 0.25, False, False),
        (1.0, 1.0, False, False),
    ],
)
def test_a_text_that_has_a_part_has_fewer_sentences_and_is_shorter(
    many, lengths, excerpts, is_abridged
):
    assert are_excerpts(many, lengths) is excerpts
    assert may_be_abridged(many, lengths) is is_abridged


# Not at the very bounds, where one divided by a number is rounded.
@given(
    st.sampled_from([0.013, 0.31, 0.7, 0.99]) | st.floats(1.21, 2.9), ratios.filter(_is_no_bound)
)
def test_which_text_is_the_source_makes_no_difference(many, lengths):
    for told in (are_excerpts, may_be_abridged):
        assert told(many, lengths) == told(1 / many, 1 / lengths)
    if are_excerpts(many, lengths):
        assert may_be_abridged(many, lengths)


@given(st.integers(0, 500), st.integers(0, 500), ratios)
def test_no_bead_holds_more_than_eight_but_beside_an_excerpt(src, tgt, lengths):
    many = sentence_ratio(src, tgt, lambda: lengths)
    if not src or not tgt:
        assert many == 0
    elif not 1 / 8 <= tgt / src <= 8 and not are_excerpts(tgt / src, lengths):
        assert many == (8 if tgt > src else 1 / 8)
    else:
        assert many == tgt / src


def test_texts_are_not_gone_through_where_their_sizes_tell():
    assert sentence_ratio(10, 80, lambda: pytest.fail("was asked for")) == 8
    assert np.isclose(sentence_ratio(10, 81, lambda: 8.1), 8.1)
