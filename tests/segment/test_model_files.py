"""Files of models: what comes back, and what is refused."""

import json
import os
import tracemalloc
import zipfile
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from bitext.errors import FormatError, InputError
from bitext.segment.model_files import (
    ModelParts,
    export_model,
    import_model,
    read_model,
    write_model,
)
from bitext.segment.segmenter import ParagraphSegmenter

NAMES = ["length=1", "first-word=the", 'odd=\t"\\\n', "edge:length=4"]


@pytest.fixture
def parts():
    arrays = {
        "features.bins": np.array([[0.1, 1 / 3], [2.5, 1e-300]]),
        "features.words": np.array(["the", "Ää\t", ""]),
        "features.none": np.zeros((0, 3), dtype=np.int32),
        "method.weights": np.array([0.1, -2.0, 3e17, 1 / 7]),
        "method.small": np.array([0.1, 7.0], dtype=np.float32),
        "method.flags": np.array([True, False]),
        "method.one": np.array(5),
    }
    settings = {"longest": 50, "offset": 0.25, "breaks": True}
    return ModelParts("semi-markov", settings, {"groups": ["a"]}, {}, {"f1": 0.9}, arrays)


def same(first, second):
    assert first.header() == second.header()
    assert list(first.arrays) == list(second.arrays)
    for name, array in first.arrays.items():
        other = second.arrays[name]
        assert (array.dtype, array.shape) == (other.dtype, other.shape)
        assert array.tobytes() == other.tobytes()


def test_a_model_comes_back(parts, tmp_path):
    write_model(tmp_path / "a.npz", parts)
    same(read_model(tmp_path / "a.npz"), parts)
    write_model(tmp_path / "b.npz", parts)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz"]
    assert parts.of("method")["small"].tolist() == [np.float32(0.1), 7.0]


@pytest.mark.parametrize("name", ["model.tsv", "model.json"])
def test_the_readable_form_is_the_same_model(name, parts, tmp_path):
    export_model(tmp_path / name, parts, NAMES)
    same(import_model(tmp_path / name), parts)
    export_model(tmp_path / name, parts, [])  # names that are not one a weight are left out
    same(import_model(tmp_path / name), parts)


def test_weights_stand_beside_their_names(parts, tmp_path):
    export_model(tmp_path / "model.tsv", parts, NAMES)
    lines = (tmp_path / "model.tsv").read_text(encoding="utf-8").split("\n")
    assert lines[0] == "# bitext paragraphs 1"
    assert "first-word=the\t-2.0" in lines
    assert 'odd=\\t\\"\\\\\\n\t3e+17' in lines


def test_what_is_no_model_is_told_in_one_line(parts, tmp_path):
    good = tmp_path / "good.npz"
    write_model(good, parts)
    content = good.read_bytes()
    bad = tmp_path / "bad.npz"
    for size in (0, 1, 50, len(content) // 2, len(content) - 1):
        bad.write_bytes(content[:size])
        with pytest.raises(FormatError, match=r"bad\.npz: this is no file of the kind 'bitext par"):
            read_model(bad)
    np.savez(bad, weights=np.zeros(3))
    with pytest.raises(FormatError, match="it has no header that says so"):
        read_model(bad)


def test_a_damaged_byte_is_found_or_does_not_matter(parts, tmp_path):
    good, bad = tmp_path / "good.npz", tmp_path / "bad.npz"
    write_model(good, parts)
    content = good.read_bytes()
    for place in range(0, len(content), 7):
        broken = bytearray(content)
        broken[place] ^= 0x55
        bad.write_bytes(broken)
        with suppress(FormatError):
            same(read_model(bad), parts)


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_packed_otherwise_is_refused(parts, tmp_path, way):
    """A damaged byte may say so: each way of packing has errors of its own."""
    good, other = tmp_path / "good.npz", tmp_path / "other.npz"
    write_model(good, parts)
    with zipfile.ZipFile(good) as members, zipfile.ZipFile(other, "w", way) as packed:
        for name in members.namelist():
            packed.writestr(name, members.read(name))
    with pytest.raises(FormatError, match=r"cut short .it is packed otherwise.: make it anew"):
        read_model(other)


def rewritten(path, change, extra=None):
    """Write the members of a file anew, with another header, and one more member."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    header = json.loads(members["header.json"])
    change(header)
    members["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w") as new:
        for name, content in {**members, **(extra or {})}.items():
            new.writestr(name, content)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda h: h.update(version=2), "its version is 2, and this program reads version 1"),
        (lambda h: h.update(format="other"), "it has no header that says so"),
        (lambda h: h["arrays"].pop("method.one"), "it holds other arrays than its header tells"),
        (lambda h: h.update(arrays=[]), "it holds other arrays"),
        (lambda h: h["arrays"].update({"method.one": ["<i8", [9]]}), "'method.one' is not what"),
        (lambda h: h["arrays"].update({"method.one": ["|O", []]}), "'method.one' is not what"),
        (lambda h: h["arrays"].update({"method.one": ["<i8", [1 << 40]]}), "is not what"),
        (lambda h: h["arrays"].update({"method.one": 3}), "'method.one' is not what"),
        (lambda h: h.update(settings=[]), "the header has no 'settings' that is one"),
        (lambda h: h.pop("method"), "the header has no 'method' that is one"),
    ],
)
def test_headers_that_do_not_fit(change, told, parts, tmp_path):
    path = tmp_path / "model.npz"
    write_model(path, parts)
    rewritten(path, change)
    with pytest.raises(FormatError, match=told):
        read_model(path)


def test_pickles_are_not_loaded(parts, tmp_path):
    path = tmp_path / "model.npz"
    write_model(path, parts)
    np.save(tmp_path / "evil.npy", np.array([print], dtype=object), allow_pickle=True)
    evil = (tmp_path / "evil.npy").read_bytes()

    def change(header):
        header["arrays"]["evil"] = ["|O", [1]]

    rewritten(path, change, {"evil.npy": evil})
    with pytest.raises(FormatError, match="'evil' is not what the header tells"):
        read_model(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("# bitext paragraphs 1", "# bitext paragraphs 7", "line 1: want the readable form"),
        ("# array\tfeatures.bins", "array features.bins", "line 3: want '# array'"),
        ("<f8", "object", "line 3: an array of the type 'object'"),
        ("[2, 2]", "[2, -2]", "line 3: an array of the type '<f8' and the shape"),
        ("[2, 2]", "[99, 99]", r"the array 'features\.bins' has 9801 values"),
        ("0.3333333333333333", "a third", "line 5: 'a third' is no value of JSON"),
        ("0.3333333333333333", '"x"', "line 3: the values of an array are not"),
    ],
)
def test_readable_forms_that_are_wrong(old, new, told, parts, tmp_path):
    path = tmp_path / "model.tsv"
    export_model(path, parts, NAMES)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FormatError, match=told):
        import_model(path)


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"\xff\xfe", b"# bitext paragraphs 1\n[]"])
def test_other_files_are_no_readable_form(content, tmp_path):
    path = tmp_path / "model.txt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"model\.txt"):
        import_model(path)


def test_an_array_whose_head_ends_within_a_bracket(parts, tmp_path):
    """Found by fuzzing: numpy reads heads with the tokenizer of Python."""
    path = tmp_path / "a.npz"
    write_model(path, parts)
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    members["method.one.npy"] = members["method.one.npy"].replace(b"(), }", b"(   }")
    with zipfile.ZipFile(path, "w") as new:
        for name, content in members.items():
            new.writestr(name, content)
    with pytest.raises(
        FormatError, match=r"a\.npz: array 'method.one' is not what the header tells"
    ):
        read_model(path)


def test_an_archive_without_its_beginning(parts, tmp_path):
    """Found by fuzzing: its members seem to lie before the file."""
    path = tmp_path / "a.npz"
    write_model(path, parts)
    path.write_bytes(path.read_bytes()[900:])
    with pytest.raises(FormatError, match=r"a\.npz: this is no file of the kind"):
        read_model(path)
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "b.npz")


def test_folders_are_no_models(tmp_path):
    with pytest.raises(FormatError, match="is a folder where a file is wanted"):
        read_model(tmp_path)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
def test_devices_are_no_models(device):
    """Found by fuzzing: all memory was filled with zeros."""
    with pytest.raises(FormatError, match=f"{device}: is a device where a file is wanted"):
        read_model(device)


def test_only_files_are_written_anew(parts, tmp_path):
    """Found by fuzzing: a device was replaced by a file."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(
            InputError, match=r"is no file that can be written anew|is a directory; name"
        ):
            write_model(tmp_path / name, parts)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_model_whose_writing_is_interrupted_leaves_what_was_there(parts, tmp_path, monkeypatch):
    path = tmp_path / "model"
    path.write_bytes(b"before")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_model(path, parts)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("model", b"before")]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX systems")
def test_a_model_may_be_read_by_whom_the_mask_lets(parts, tmp_path):
    path, before = tmp_path / "model", os.umask(0o027)
    try:
        write_model(path, parts)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def _bomb(path, name="method.zeros", size=1 << 27):
    """Add an array of zeros to a model, and to its header: it packs to a thousandth."""
    told = {"descr": "|u1", "fortran_order": False, "shape": (size,)}
    head = b"\x93NUMPY\x01\x00v\x00" + str(told).encode()
    with zipfile.ZipFile(path) as old:
        members = {each: old.read(each) for each in old.namelist()}
    header = json.loads(members["header.json"])
    header["arrays"][name] = ["|u1", [size]]
    members["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for each, content in members.items():
            new.writestr(each, content)
        with new.open(f"{name}.npy", "w") as out:
            out.write(head.ljust(127) + b"\n")
            for _ in range(size >> 20):
                out.write(bytes(1 << 20))


def test_a_small_file_that_unpacks_to_far_more_is_refused_before(parts, tmp_path):
    write_model(tmp_path / "a.npz", parts)
    _bomb(tmp_path / "a.npz")
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"a\.npz: unpacks to 134,\S+ bytes, more than 200 times"):
        read_model(tmp_path / "a.npz")
    assert tracemalloc.get_traced_memory()[1] < 1 << 22
    tracemalloc.stop()


def test_an_array_that_the_method_has_no_use_for_is_refused(tmp_path):
    segmenter = ParagraphSegmenter.load("en")
    made = segmenter.to_parts()
    arrays = {**made.arrays, "method.more": np.zeros(3)}
    write_model(tmp_path / "a.npz", replace(made, arrays=arrays))
    with pytest.raises(FormatError, match=r"a\.npz: has the array 'method.more', which its method"):
        ParagraphSegmenter.load(tmp_path / "a.npz")
