"""Vectors of sentences: files that are checked, windows, joined neighbours, shared means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.evidence.vectors import CorpusVectors
from bitext.align.sentences.vectors import (
    SentenceVectors,
    read_vectors,
    share_means,
    vectors_of,
)
from bitext.errors import FormatError, InputError
from bitext.model import Text
from reference.embedding_evidence_slow import window_vectors

SOME = np.random.default_rng(3).standard_normal((6, 4)).astype(np.float32)
TEXT = Text(["One.", "Two.", "Three.", "Four.", "Five.", "Six."], name="numbers")


def letters(texts):
    """An encoder: how often each of the letters a to z is there, and 1."""
    return [[text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] + [1] for text in texts]


@pytest.mark.parametrize("kind", ["<f4", "<f8", "<f2", ">f4"])
def test_npy_is_read_in_any_float(tmp_path, kind):
    np.save(tmp_path / "v.npy", SOME.astype(kind))
    found = read_vectors(tmp_path / "v.npy", rows=6)
    np.testing.assert_allclose(found, SOME, atol=1e-2)


def test_raw_float32_is_read_with_the_dimensions_that_its_size_says(tmp_path):
    SOME.astype("<f4").tofile(tmp_path / "v.f32")
    np.testing.assert_array_equal(read_vectors(tmp_path / "v.f32", rows=6), SOME)
    np.testing.assert_array_equal(read_vectors(tmp_path / "v.f32", rows=6, dimensions=4), SOME)


def test_no_sentences_have_no_vectors(tmp_path):
    (tmp_path / "v.f32").write_bytes(b"")
    np.save(tmp_path / "v.npy", np.zeros((0, 4), dtype=np.float32))
    assert len(read_vectors(tmp_path / "v.f32", rows=0)) == 0
    assert len(read_vectors(tmp_path / "v.npy", rows=0)) == 0


@pytest.mark.parametrize(
    ("rows", "dimensions", "message"),
    [
        (5, None, r"v\.f32: 96 bytes are not 5 rows of equally many numbers of 4 bytes"),
        (6, 8, r"v\.f32: 96 bytes are not 6 rows of 8 numbers of 4 bytes \(raw float32\)"),
        (0, None, r"v\.f32: 96 bytes are not 0 rows"),
        (1000, None, r"v\.f32: 96 bytes are not 1,000 rows"),
    ],
)
def test_a_raw_file_of_another_size_is_refused(tmp_path, rows, dimensions, message):
    SOME.astype("<f4").tofile(tmp_path / "v.f32")
    with pytest.raises(FormatError, match=message):
        read_vectors(tmp_path / "v.f32", rows=rows, dimensions=dimensions)


@pytest.mark.parametrize(
    ("name", "begin", "message"),
    [
        ("v.bin", b"\x93NUMPY\x01\x00", "is an array of numpy: give it a name that ends with .npy"),
        ("v.npz", b"PK\x03\x04", "is an archive, as .npz: want one array"),
        ("v.npy.gz", b"", "is packed: unpack it"),
        ("v.f32.xz", b"", "is packed: unpack it"),
    ],
)
def test_what_is_not_raw_is_refused_though_its_size_fits(tmp_path, name, begin, message):
    (tmp_path / name).write_bytes(begin.ljust(96, b"\0"))
    with pytest.raises(FormatError, match=message):
        read_vectors(tmp_path / name, rows=6)


def test_an_empty_raw_file_is_refused(tmp_path):
    (tmp_path / "v.f32").write_bytes(b"")
    with pytest.raises(FormatError, match=r"v\.f32: is empty, and 6 rows are wanted"):
        read_vectors(tmp_path / "v.f32", rows=6)


def test_npy_of_another_shape_or_kind_is_refused(tmp_path):
    path = tmp_path / "v.npy"
    np.save(path, SOME)
    with pytest.raises(FormatError, match=r"v\.npy: an array of shape \(6, 4\) for 7 sentences"):
        read_vectors(path, rows=7)
    with pytest.raises(FormatError, match=r"want \(6, 5\), a row for each"):
        read_vectors(path, rows=6, dimensions=5)
    np.save(path, SOME.ravel())
    with pytest.raises(FormatError, match=r"shape \(24,\)"):
        read_vectors(path, rows=24)
    np.save(path, np.zeros((6, 4), dtype=np.int64))
    with pytest.raises(FormatError, match=r"v\.npy: holds int64: want one array of float32"):
        read_vectors(path, rows=6)
    np.save(path, np.array([["a"]], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match=r"v\.npy: no array of numpy"):
        read_vectors(path, rows=1)
    path.write_bytes(b"\x93NUMPY")
    with pytest.raises(FormatError, match=r"v\.npy: no array of numpy"):
        read_vectors(path, rows=1)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match=r"v\.npy: no array of numpy"):
        read_vectors(path, rows=1)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.nan, r"row 4 \(from 0\): a number that is not finite"),
        (np.inf, r"row 4 \(from 0\): a number that is not finite"),
        (1e30, r"row 4 \(from 0\): numbers of the size of 1e\+30"),
    ],
)
def test_a_bad_number_is_an_error_with_file_and_row(tmp_path, bad, message):
    wrong = SOME.copy()
    wrong[4, 2] = bad
    np.save(tmp_path / "v.npy", wrong)
    with pytest.raises(InputError, match=r"v\.npy " + message):
        vectors_of(TEXT, tmp_path / "v.npy")


def test_zeros_are_an_error_but_for_a_sentence_without_characters():
    wrong = SOME.copy()
    wrong[2] = 0
    with pytest.raises(InputError, match=r"numbers row 2 \(from 0\): zeros only"):
        vectors_of(TEXT, wrong)
    with pytest.raises(InputError, match=r"row 2"):
        SentenceVectors(wrong)
    blank = Text(["One.", "Two.", " ", "Four.", "Five.", "Six."])
    vectors = vectors_of(blank, wrong)
    assert not vectors.windows(1, 2, 3).any()
    # It adds nothing to its neighbours.
    assert vectors.windows(2, 1, 2).any()


def test_vectors_are_one_for_each_sentence():
    with pytest.raises(InputError, match=r"numbers: 5 rows for 6 sentences"):
        vectors_of(TEXT, SOME[:5])
    with pytest.raises(InputError, match=r"the vectors: 5 rows for 6 sentences"):
        vectors_of(TEXT, SentenceVectors(SOME[:5]))
    with pytest.raises(InputError, match=r"array of int64 of shape \(2, 1\): want floats"):
        SentenceVectors(np.array([[1], [2]]))
    with pytest.raises(InputError, match=r"x is known by ids only"):
        vectors_of(Text.of_ids(["a"], name="x"), letters)


@given(st.integers(1, 9), st.integers(1, 4), st.integers(-3, 6), st.integers(0, 9), st.data())
def test_windows_are_pooled_without_their_mean(rows, size, first, more, data):
    made = np.random.default_rng(data.draw(st.integers(0, 10**6))).standard_normal((rows, 3))
    found = SentenceVectors(made).windows(size, first, first + more)
    slow = window_vectors(made, size)
    assert found.shape == (more, 3)
    for k, row in enumerate(found):
        at = first + k
        wanted = slow[at] if 0 <= at < len(slow) else np.zeros(3)
        np.testing.assert_allclose(row, wanted, atol=1e-3)


def test_single_sentences_are_windows_of_one():
    vectors = SentenceVectors(SOME)
    places = np.array([3, 0, 3])
    np.testing.assert_array_equal(vectors.sentences(places), vectors.windows(1, 0, 6)[places])


def test_a_sentence_by_itself_is_seen_beside_others_of_its_language():
    alone, more = SentenceVectors(SOME[:1]), SentenceVectors(SOME[1:])
    assert not alone.windows(1, 0, 1).any()
    share_means([alone, more], [1])
    assert alone.windows(1, 0, 1).any()
    with pytest.raises(InputError, match=r"has 3 dimensions, the vectors 4: want vectors of one"):
        share_means([alone, SentenceVectors(SOME[:, :3])], [1])


def test_what_is_made_of_vectors_leaves_them_as_they_are():
    src, tgt, more = (SentenceVectors(SOME[a:b]) for a, b in ((0, 2), (2, 4), (4, 6)))
    beads = [(1, 1), (1, 0), (0, 1)]
    before = CorpusVectors(beads, [(src, tgt)])
    plain = before.pairs[0][0].windows(1, 0, 2).copy()
    CorpusVectors(beads, [(src, tgt), (more, more)])
    np.testing.assert_array_equal(before.pairs[0][0].windows(1, 0, 2), plain)
    np.testing.assert_array_equal(src.windows(1, 0, 2), SentenceVectors(SOME[:2]).windows(1, 0, 2))


@pytest.mark.parametrize("sentence", ["\u200b", "\x01", " ", "&nbsp;"])
def test_a_sentence_of_which_nothing_is_encoded_has_a_row_of_zeros(sentence):
    found = vectors_of(Text(["One.", sentence, "Two."]), letters)
    assert found.windows(1, 0, 3).any(axis=1).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04",
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': (           \n" + bytes(90),
        b"\x93NUMPY\x01\x00\x0a\x00{'a': 1 + }" + bytes(90),
    ],
)
def test_heads_that_are_none_are_refused(tmp_path, content):
    """StretchPath by fuzzing: numpy has errors of its tokenizer and of archives for them."""
    path = tmp_path / "v.npy"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"v\.npy: no array of numpy"):
        read_vectors(path, rows=3)


def test_an_array_that_python_2_wrote(tmp_path):
    """StretchPath by fuzzing: numpy warns of it, though it is read as well as any."""
    path = tmp_path / "v.npy"
    np.save(path, SOME)
    path.write_bytes(path.read_bytes().replace(b"(6, 4), }  ", b"(6L, 4L), }"))
    assert read_vectors(path, rows=6).tolist() == SOME.tolist()


@pytest.mark.parametrize("name", ["-", "none.npy", "."])
def test_files_that_are_not_there(tmp_path, monkeypatch, name):
    """StretchPath by fuzzing: the error was that of the system."""
    monkeypatch.chdir(tmp_path)
    told = "want one array|cannot be read|bytes are not"
    with pytest.raises((InputError, FormatError), match=told):
        read_vectors(name, rows=3)
