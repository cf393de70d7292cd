"""Matrix products in one thread: what was set before holds again, whoever is inside."""

import os
import subprocess
import sys
import threading

import numpy as np  # noqa: F401 - whose library is asked
import pytest

from bitext.kernels import one_thread as module
from bitext.kernels.one_thread import one_thread


@pytest.fixture
def threads(monkeypatch):
    """A library that has a number of threads: the list holds what was set, the last one now."""
    was_set = [4]
    settings = (lambda: was_set[-1]), was_set.append
    monkeypatch.setattr(module, "library_threads", lambda: settings)
    return was_set


def test_the_number_is_set_back(threads):
    with one_thread():
        assert threads[-1] == 1
    assert threads == [4, 1, 4]


def test_blocks_within_blocks_set_it_once(threads):
    with one_thread():
        with one_thread():
            pass
        assert threads[-1] == 1
    assert threads == [4, 1, 4]


def test_an_error_sets_it_back(threads):
    with pytest.raises(KeyError), one_thread():
        raise KeyError
    assert threads == [4, 1, 4]


def test_threads_that_overlap_leave_what_was_set(threads):
    entered, left = threading.Event(), threading.Event()

    def second():
        with one_thread():
            entered.set()
            left.wait(10)

    other = threading.Thread(target=second)
    with one_thread():
        other.start()
        assert entered.wait(10)
    assert threads == [4, 1]  # the other is inside still
    left.set()
    other.join(10)
    assert threads == [4, 1, 4]


def test_without_a_known_library_nothing_is_set(threads, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(module, "library_threads", lambda: None)
        with one_thread():
            assert threads == [4]
    assert threads == [4]
    with one_thread():  # which counts as the first block
        assert threads == [4, 1]
    assert threads == [4, 1, 4]


def test_the_library_of_numpy_is_asked():
    found = module.library_threads()
    if found is None:
        pytest.skip("numpy has another library here, whose threads are left alone")
    get, _ = found
    before = get()
    with one_thread():
        assert get() == 1
    assert get() == before


@pytest.mark.parametrize(("given", "expected"), [(None, 1), ("2", 2)])
def test_numpy_is_imported_with_one_thread_unless_the_environment_says_otherwise(given, expected):
    code = (
        "import os\n"
        "from bitext.kernels.one_thread import import_numpy, library_threads\n"
        "import_numpy()\n"
        "import numpy\n"
        "settings = library_threads()\n"
        "print(settings and settings[0](), os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    names = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}
    environment = {name: value for name, value in os.environ.items() if name not in names}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    threads, left = done.stdout.split()
    if threads == "None":
        pytest.skip("numpy here has another library for matrix products than OpenBLAS")
    assert (int(threads), left) == (min(expected, os.cpu_count() or 1), str(given))
