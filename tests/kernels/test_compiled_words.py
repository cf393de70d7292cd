"""Kernels that number words, compiled and run by Python, against Python's strings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.sentences.bead_types import letters_of
from bitext.align.sentences.lexical import numbered
from bitext.kernels.compiled_words import (
    load_word_kernels,
    numbered_strings,
    plain_word_kernels,
    word_kernels,
)

# Few different characters make strings recur, and collide; blanks of several kinds, and characters
# that look like some; sentences of any characters beside these.
SENTENCES = st.lists(
    st.one_of(
        st.text("ab \t\n\u3000\u2028\u200b\u00a0\x1c\u4e00\U0001f600", max_size=12),
        st.text("aé1, .'`\u00bd", max_size=12),
        st.text(st.characters(exclude_categories=()), max_size=8),
    ),
    max_size=12,
)


@pytest.fixture(scope="module", params=["plain", "compiled"])
def kernels(request):
    found = plain_word_kernels() if request.param == "plain" else load_word_kernels()
    if found is None:
        pytest.skip("numba is not installed (the extra `fast`)")
    return found


@given(SENTENCES)
def test_strings_between_blanks_are_those_of_split(kernels, sentences):
    run, sizes, strings = numbered_strings(kernels, sentences)
    wanted = [sentence.split() for sentence in sentences]
    assert sizes.tolist() == [*map(len, wanted)]
    assert [strings[k] for k in run.tolist()] == [one for each in wanted for one in each]
    assert strings == [*dict.fromkeys(one for each in wanted for one in each)]


@settings(max_examples=60)
@given(SENTENCES)
def test_words_and_lengths_are_the_same_either_way(kernels, sentences):
    with word_kernels.using(None):
        number, counts, words = numbered(sentences)
        letters = letters_of(sentences)
    with word_kernels.using(kernels):
        found = numbered(sentences)
        np.testing.assert_array_equal(letters_of(sentences), letters)
    assert [one.dtype for one in found[:2]] == [number.dtype, counts.dtype]
    np.testing.assert_array_equal(found[0], number)
    np.testing.assert_array_equal(found[1], counts)
    assert found[2] == words


def test_many_different_strings_each_have_a_number(kernels):
    strings = [f"{k % 7}x{k}" for k in range(3000)]
    sentences = [" ".join(strings[k : k + 30]) for k in range(0, 3000, 15)]
    run, _, found = numbered_strings(kernels, sentences)
    assert found == strings
    assert [found[k] for k in run.tolist()] == " ".join(sentences).split()
