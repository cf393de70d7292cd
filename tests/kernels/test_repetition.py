"""Paths that hold a word twice: what counting takes. What it finds is tested with the ratio."""

import numpy as np

from bitext.kernels.lattice_path import can_repeat, paths_without_repetition, successors


def test_a_step_is_a_set_of_words_along_an_arc():
    # Start, a or b, a word that does not count, a or b, accept.
    tail, head = np.array([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [3, 5], [4, 6], [5, 6]]).T
    graph = successors(tail, head, 7)
    words = np.array([-1, 0, 1, -1, 0, 1, -1])
    assert can_repeat(graph, words).tolist() == [0, 1]
    # 2 arcs from the start, 1 each from a and b; then the sets {a} and {b} along 2 arcs, and one
    # set, that without a repetition, from each of the last two: 2 + 2 + 4 + 2.
    assert paths_without_repetition(graph, words, steps=10) == 2
    assert paths_without_repetition(graph, words, steps=9) is None
