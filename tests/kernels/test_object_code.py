"""Machine code on the disk: what it gets, what it refuses, and what it does without numba."""

import json
import math
import pickle
import platform
import sys
from pathlib import Path

import numpy as np
import pytest

from bitext.kernels.compiled import load_kernels
from bitext.kernels.compiled_evidence import load_evidence_kernels
from bitext.kernels.compiled_words import load_word_kernels
from bitext.kernels.kernel_groups import load_functions, numba_functions
from bitext.kernels.object_code import object_functions, read, runs_object_code, written


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


def last(values: object, k: int) -> int:
    return values[k]


def allocates(values: object) -> None:
    values[0] = np.empty(len(values))[0]


def scales(values: object) -> None:
    values[0] = math.ldexp(values[0], 2)


TOTAL = total, [read("i8", 2), (read("i4"), read("b1")), "f4", written("f8")]
ROOT = root, [written("f8")]
LAST = last, [read("i8"), "i8"]
ALL = {"total": TOTAL, "root": ROOT, "last": LAST}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("numba", reason="numba is not installed (the extra `fast`)")
    if not runs_object_code():
        pytest.skip("machine code is loaded on Linux with x86-64 processors only")
    folder = tmp_path_factory.mktemp("code")
    assert object_functions(ALL, folders=[folder]) is not None
    return folder


@pytest.fixture
def functions(folder):
    return object_functions(ALL, folders=[folder], compiles=False)


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
    "change",
    [
        lambda table: pickle.loads(pickle.dumps(table)),  # whose data type is an object of its own
        lambda table: table.astype(np.dtype(np.int64, metadata={"unit": "word"})),
        lambda table: table.view(np.matrix),
        lambda table: np.frombuffer(table.tobytes(), np.int64).reshape(2, 3),  # is only read
        lambda table: np.vstack([table, table])[:2],
        lambda table: np.lib.stride_tricks.as_strided(table[None], (1, 2, 3), (1, 24, 8))[0],
    ],
)
def test_arrays_of_every_origin_are_read(functions, change):
    table, *rest = arguments()
    assert functions["total"](change(table), *rest) == 2
    assert rest[-1].tolist() == [3.0, 7.5]


def test_empty_arrays_and_all_numbers_are_read(functions):
    table, pair, _, out = arguments()
    for empty in (np.zeros((0, 3), np.int64), np.zeros((2, 0), np.int64)):
        assert functions["total"](empty, pair, 0.5, out) == 0
    for factor in (1, True, np.float32(1), np.float64(1), np.int8(1)):
        assert functions["total"](table, pair, factor, out) == 2
    assert out.tolist() == [30.0, 75.0]
    functions["total"](table, pair, float("nan"), out)
    assert np.isnan(out).all()


def test_whole_numbers_beyond_64_bits_are_refused(functions):
    last = np.array([2, 3])
    assert [functions["last"](last, k) for k in (-1, np.uint8(0), True)] == [3, 2, 3]
    for k in (1 << 64, -(1 << 63) - 1):
        with pytest.raises(OverflowError, match="more than 64 bits"):
            functions["last"](last, k)


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
        code.read_bytes().replace(b'"root": "', b'"root": "x'),
        code.read_bytes()[5:],
        b"\n".join([b"[]", code.read_bytes()]),
        json.dumps([1]).encode(),
        bytes(99),
    ):
        kept.write_bytes(damaged)
        assert object_functions(ALL, folders=[tmp_path], compiles=False) is None
    kept.unlink()
    kept.mkdir()
    assert object_functions(ALL, folders=[tmp_path], compiles=False) is None
    assert object_functions({"root": ROOT}, folders=[folder], compiles=False) is None
    assert object_functions(ALL, folders=[tmp_path, folder], compiles=False) is not None


def of_source(source, file):
    space = {"__file__": str(file), "np": np}
    exec(f"def first(values: object) -> int:\n    return {source}\n", space)
    return {"first": (space["first"], [read("i8")])}


def test_code_is_that_of_functions_in_memory_whatever_the_source_file_says(folder, tmp_path):
    """A process that began before an update has old functions, and there may be no source file."""
    assert folder.exists()
    file = tmp_path / "missing" / "module.py"
    values = np.array([4, 7])
    for source, wanted in (("values[0] + 1", 5), ("values[0] + 2", 6), ("values[1] + 2", 9)):
        again = of_source(source, file), of_source(f"( {source} )", file)
        assert object_functions(again[0], folders=[tmp_path], compiles=False) is None
        assert object_functions(again[0], folders=[tmp_path])["first"](values) == wanted
        loaded = object_functions(again[1], folders=[tmp_path], compiles=False)
        assert loaded["first"](values) == wanted
    assert len([*tmp_path.iterdir()]) == 1


def test_code_is_kept_where_byte_code_is_or_in_the_cache_of_the_user(folder, tmp_path, monkeypatch):
    assert folder.exists()
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "bytes"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "archive.zip" / "module.py"
    signatures = of_source("values[0]", file)
    assert object_functions(signatures) is not None
    (code,) = (tmp_path / "bytes").rglob("*.o")
    assert not (tmp_path / "cache").exists()
    code.unlink()
    monkeypatch.setattr(sys, "pycache_prefix", None)
    file.parent.write_bytes(b"")
    assert object_functions(signatures, compiles=False) is None
    assert object_functions(signatures) is not None
    assert [path.name for path in (tmp_path / "cache" / "bitext").iterdir()] == [code.name]


@pytest.mark.parametrize("function", [allocates, scales])  # the second needs a function of numba
def test_functions_that_allocate_are_refused(folder, tmp_path, function):
    assert folder.exists()
    signatures = {"function": (function, [written("f8")])}
    assert object_functions(signatures, folders=[tmp_path]) is None
    assert not [*tmp_path.iterdir()]


def test_nothing_is_compiled_without_a_folder_for_it(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("numba.core.compiler.compile_extra", None)
    (tmp_path / "file").write_text("")
    assert object_functions({"root": ROOT}, folders=[tmp_path / "file"]) is None
    (tmp_path / folder.name).mkdir()

    def fails(*_):
        raise OSError(28, "No space left")

    monkeypatch.setattr(Path, "write_bytes", fails)
    assert object_functions({"root": ROOT}, folders=[tmp_path / folder.name]) is None


def test_code_that_cannot_be_kept_is_used(folder, tmp_path, monkeypatch):
    assert folder.exists()

    def fails(*_):
        raise OSError(28, "No space left")

    monkeypatch.setattr(Path, "replace", fails)
    functions = object_functions({"root": ROOT}, folders=[tmp_path])
    values = np.array([4.0])
    functions["root"](values)
    assert values.tolist() == [2.0]
    assert not [*tmp_path.iterdir()]


def test_nothing_is_loaded_where_made_code_may_not_run(folder, monkeypatch):
    def fails():
        raise OSError(1, "forbidden")

    monkeypatch.setattr("llvmlite.binding.check_jit_execution", fails)
    assert object_functions(ALL, folders=[folder]) is None


@pytest.mark.parametrize("system", [("Windows", "AMD64"), ("Darwin", "arm64"), ("Linux", "s390x")])
def test_numba_loads_functions_on_other_systems(folder, monkeypatch, system):
    monkeypatch.setattr(platform, "system", lambda: system[0])
    monkeypatch.setattr(platform, "machine", lambda: system[1])
    assert object_functions(ALL, folders=[folder]) is None
    assert load_functions(ALL, compiles=False) is None
    monkeypatch.setattr("bitext.kernels.kernel_groups.numba_functions", dict.copy)
    assert load_functions(ALL) == ALL


def test_numba_is_not_used_where_it_is_switched_off(monkeypatch):
    monkeypatch.setenv("BITEXT_COMPILED", "0")
    assert numba_functions(ALL) is None


def test_functions_of_numba_get_the_same_arguments():
    pytest.importorskip("numba", reason="numba is not installed (the extra `fast`)")
    functions, given = numba_functions({"total": TOTAL, "last": LAST}), arguments()
    given[0].setflags(write=False)
    assert functions["total"](*given) == 2
    assert given[3].tolist() == [3.0, 7.5]
    assert functions["last"](given[0][1], -1) == 6


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
    assert load_word_kernels() is not None
