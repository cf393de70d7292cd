"""The repetition ratio, against all paths one by one, and what is drawn against what is counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import OptionError
from bitext.kernels.lattice_path import (
    all_paths,
    can_repeat,
    paths_without_repetition,
    repeats,
    successors,
)
from bitext.metrics.lattice_metrics import repetition_ratio
from bitext.model import Cluster, Lattice, Sentence
from reference import lattice_figures_slow as slow


def lattice(*sentences, groups):
    return Lattice(Cluster([Sentence(words.split()) for words in sentences]), groups)


@given(slow.lattices(), st.sets(st.sampled_from(["a", "b"])))
def test_it_is_the_share_of_paths_that_repeat_what_no_input_repeats(drawn, left_out):
    found = repetition_ratio(drawn, leave_out=left_out)
    repeating, paths, words = slow.repetition(drawn, left_out)
    assert found.exact
    assert (found.ratio.numerator, found.ratio.denominator) == (repeating, paths)
    assert set(words) <= set(found.words)
    assert bool(repeating) == bool(found.words)


@given(slow.lattices(words=6, alphabet="abcd"))
def test_counting_and_looking_agree(drawn):
    graph = successors(drawn.arcs.tail, drawn.arcs.head, len(drawn))
    numbers = {"": -1, "a": 0, "b": 1, "c": -1, "d": 5}
    words = np.array([numbers[drawn.form(node)] for node in range(len(drawn))])
    looked = repeats(all_paths(graph), words)
    assert paths_without_repetition(graph, words, steps=10**6) == (~looked).sum()
    assert bool(can_repeat(graph, words).size) == looked.any()
    assert paths_without_repetition(graph, words, steps=0) is None


def test_drawn_paths_estimate_what_counting_finds():
    sentences = ["p x q y r z", "q x r y p z", "r x p y q z"]
    groups = [[k, 10, k + 20, 30, k + 40, 50] for k in range(3)]
    made = lattice(*sentences, groups=groups)
    exact, drawn = repetition_ratio(made), repetition_ratio(made, steps=0, draws=4000)
    assert exact.exact
    assert (exact.drawn, exact.error) == (None, 0.0)
    assert (exact.ratio.numerator, exact.ratio.denominator) == (27 - 6, 27)  # 3! say each once
    assert exact.words == ("p", "q", "r")
    assert (drawn.exact, drawn.drawn) == (False, 4000)
    assert 0 < drawn.error < 0.01
    assert abs(drawn.value - exact.value) < 4 * drawn.error
    assert exact == repetition_ratio(made, leave_out={"Y"})
    assert repetition_ratio(made, leave_out=["P", "q"]).words == ("r",)  # in any case
    assert drawn == repetition_ratio(made, steps=0, draws=4000, seed=1)
    assert drawn != repetition_ratio(made, steps=0, draws=4000, seed=2)


def test_what_an_input_repeats_may_be_repeated():
    groups = [[1, 2, 3], [4, 2, 5]]
    assert (
        repetition_ratio(lattice("tom saw him", "he saw tom", groups=groups)).ratio.numerator == 1
    )
    # Here the first sentence has the word twice itself, whatever its case.
    allowed = lattice("tom saw him Tom", "he saw tom", groups=[[1, 2, 3, 4], [5, 2, 6]])
    assert repetition_ratio(allowed).ratio.numerator == 0


def test_a_word_is_repeated_with_the_other_apostrophe_too():
    made = lattice("o’tom saw him", "he saw o'tom", groups=[[1, 2, 3], [4, 2, 5]])
    assert repetition_ratio(made).ratio.numerator == 1


def test_punctuation_is_no_word_and_a_number_is():
    groups = [[1, 2, 3], [4, 2, 5]]
    assert repetition_ratio(lattice(", saw him", "he saw ,", groups=groups)).value == 0
    assert repetition_ratio(lattice("9 saw him", "he saw 9", groups=groups)).value == 1 / 4


def test_a_lattice_of_one_sentence_repeats_nothing():
    assert repetition_ratio(lattice("a a b", groups=[[1, 2, 3]])).value == 0


def test_more_paths_than_a_float_holds_are_counted():
    words = [f"w{k}" for k in range(2 * 1100)]
    ladder = Cluster([Sentence(words[0::2]), Sentence(words[1::2])])
    odd = [[3 * k if k % 2 else 3 * k + 1 for k in range(1100)]]
    even = [[3 * k if k % 2 else 3 * k + 2 for k in range(1100)]]
    found = repetition_ratio(Lattice(ladder, odd + even))
    assert found.ratio.denominator == 2**550
    assert found.value == 0


@pytest.mark.parametrize("wrong", [{"steps": -1}, {"draws": 0}])
def test_options_are_checked(wrong):
    with pytest.raises(OptionError, match="want"):
        repetition_ratio(lattice("a", groups=[[1]]), **wrong)
