"""Machine code on the disk: what it gets, what it refuses, and what it does without numba."""

import sys

import numpy as np
import pytest

from bitext.kernels.compiled import load_kernels
from bitext.kernels.compiled_evidence import load_evidence_kernels
from bitext.kernels.object_code import object_functions, read, written


def total(table: object, pair: object, factor: float, out: object) -> int:
    number = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            out[i] += table[i, j] * factor
            number += table[i, j] > pair[0][i] and pair[1][i]
    return number


def root(values: object) -> None:
    for k in range(len(values)):
        values[k] = np.sqrt(values[k])


def allocates(values: object) -> None:
    values[0] = np.empty(len(values))[0]


TOTAL = total, [read("i8", 2), (read("i4"), read("b1")), "f4", written("f8")]
ROOT = root, [written("f8")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("numba", reason="numba is not installed (the extra `fast`)")
    folder = tmp_path_factory.mktemp("code")
    assert object_functions({"total": TOTAL, "root": ROOT}, folders=[folder]) is not None
    return folder


@pytest.fixture
def functions(folder):
    return object_functions({"total": TOTAL, "root": ROOT}, folders=[folder], compiles=False)


def arguments():
    table = np.array([[1, 2, 3], [4, 5, 6]])
    return [table, (np.array([1, 9], np.int32), np.array([True, True])), 0.5, np.zeros(2)]


def test_a_function_gets_numbers_arrays_and_tuples(functions):
    given, wanted = arguments(), arguments()
    assert functions["total"](*given) == total(*wanted) == 2
    assert given[3].tolist() == wanted[3].tolist() == [3.0, 7.5]
    values = np.array([2.0, 9.0, 0.1])
    assert functions["root"](values[::1][:2]) == 0
    assert values.tolist() == [np.sqrt(2.0), 3.0, 0.1]


def test_arrays_whose_type_has_another_name_or_class_are_read(functions, tmp_path):
    table, *rest = arguments()
    assert functions["total"](table.astype(np.longlong), *rest) == 2
    mapped = np.memmap(tmp_path / "table", np.int64, "w+", shape=(2, 3))
    mapped[:] = table
    assert functions["total"](mapped, *rest) == 2
    assert rest[-1].tolist() == [6.0, 15.0]


@pytest.mark.parametrize(
    ("k", "change"),
    [
        (0, lambda table: table.astype(np.int32)),
        (0, lambda table: table.astype(">i8")),
        (0, lambda table: table.T),
        (0, lambda table: table[0]),
        (0, lambda table: table.tolist()),
        (1, lambda pair: (pair[1], pair[1])),
        (1, lambda pair: (pair[0], None)),
        (3, lambda out: np.lib.stride_tricks.as_strided(out, writeable=False)),
        (3, lambda out: np.zeros((2, 2))[:, len(out) - 1]),
    ],
)
def test_other_arguments_are_refused(functions, k, change):
    given = arguments()
    given[k] = change(given[k])
    with pytest.raises(TypeError, match="no array as it was compiled for"):
        functions["total"](*given)
    assert arguments()[3].tolist() == [0.0, 0.0]


def test_other_numbers_of_arguments_are_refused(functions):
    with pytest.raises(ValueError, match="zip"):
        functions["total"](*arguments()[:3])


def test_code_that_is_damaged_or_of_another_source_is_not_loaded(folder, tmp_path, functions):
    assert functions is not None
    (code,) = folder.iterdir()
    kept = tmp_path / code.name
    for damaged in (
        code.read_bytes()[:-9],
        b"",
        code.read_bytes().replace(b'"key": "', b'"key": "x'),
    ):
        kept.write_bytes(damaged)
        assert object_functions({"root": ROOT}, folders=[tmp_path], compiles=False) is None


def test_functions_that_allocate_are_refused(folder, tmp_path):
    assert folder.exists()
    signatures = {"allocates": (allocates, [written("f8")])}
    assert object_functions(signatures, folders=[tmp_path]) is None
    assert not [*tmp_path.iterdir()]


def test_nothing_is_compiled_without_a_folder_for_it(folder, tmp_path):
    assert folder.exists()
    (tmp_path / "file").write_text("")
    assert object_functions({"root": ROOT}, folders=[tmp_path / "file"]) is None


def test_nothing_is_loaded_without_llvmlite_or_where_it_is_switched_off(folder, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "llvmlite", None)
        assert object_functions({"root": ROOT}, folders=[folder]) is None
    monkeypatch.setenv("BITEXT_COMPILED", "0")
    assert object_functions({"root": ROOT}, folders=[folder]) is None


def test_all_kernels_of_alignment_are_compiled_where_numba_is_installed():
    pytest.importorskip("numba", reason="numba is not installed (the extra `fast`)")
    assert load_kernels() is not None
    assert load_evidence_kernels() is not None
