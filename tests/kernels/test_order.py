"""Distinct values and medians: those of numpy."""

import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bitext.kernels.arrays import distinct, median

NUMBERS = st.integers(-5, 5) | st.integers(-(2**62), 2**62)


@given(arrays(np.int64, st.integers(0, 40), elements=NUMBERS))
def test_distinct_values_are_those_of_numpy(values):
    assert distinct(values).tolist() == np.unique(values).tolist()


@given(st.lists(st.floats(allow_infinity=False, width=32), min_size=1, max_size=40))
def test_the_median_is_that_of_numpy(values):
    np.testing.assert_equal(median(values), np.median(values))


def test_there_is_no_median_of_nothing():
    assert np.isnan(median([]))


def test_a_pair_of_texts_is_aligned_without_masked_arrays(tmp_path):
    """Their module takes 8 ms to import."""
    for name in ("a.en", "a.fr"):
        (tmp_path / name).write_text("One house.\nTwo.\nThree trees, and 4.\n")
    program = (
        "import sys; from bitext.cli.main import main\n"
        "main(['align', 'a.en', 'a.fr', '-o', 'a.tsv', '-q'])\n"
        "print('numpy.ma' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"
