"""Vectors of words from files and values: the same rows from every form; errors name the place."""

import gzip
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from bitext.align import link_by_vectors, link_words
from bitext.align.links.vectors import encoded_words, joined_pieces, word_vectors
from bitext.errors import BitextError, FormatError, InputError

SENTENCES = [["the", "Dog", "sleeps"], [], ["a", "dog"]]


def _rows(seed=0, words=5, wide=3):
    return np.random.default_rng(seed).standard_normal((words, wide)).astype(np.float32)


def _by_sentence(rows):
    return [rows[:3], rows[3:3], rows[3:]]


def _same(vectors, rows):
    for first, last in ((0, 3), (1, 2), (2, 3)):
        got = vectors.rows(first, last)
        for mine, wanted in zip(got, _by_sentence(rows)[first:last], strict=True):
            assert len(mine) == len(wanted)
            if len(wanted):
                np.testing.assert_allclose(mine, wanted, rtol=1e-3)


def _safetensors(path, arrays):
    names = {"float32": "F32", "float16": "F16", "float64": "F64", "int64": "I64", "uint8": "U8"}
    header, at = {"__metadata__": {"by": "a test"}}, 0
    for key, array in arrays.items():
        header[key] = {
            "dtype": names[str(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps(header).encode()
    data = b"".join(array.tobytes() for array in arrays.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


@pytest.mark.parametrize(
    "kind", ["npy", "npy16", "raw", "npz", "packed", "tensors", "many", "numbered", "value", "list"]
)
def test_rows_of_tokens_are_the_same_in_every_form(tmp_path, kind):
    rows = _rows()
    path = tmp_path / "rows"
    if kind in {"npy", "npy16"}:
        path = path.with_suffix(".npy")
        np.save(path, rows.astype(np.float16) if kind == "npy16" else rows)
    elif kind == "raw":
        rows.tofile(path)
    elif kind in {"npz", "packed"}:
        path = path.with_suffix(".npz")
        (np.savez if kind == "npz" else np.savez_compressed)(path, vectors=rows)
    elif kind == "tensors":
        path = path.with_suffix(".safetensors")
        _safetensors(path, {"vectors": rows.astype(np.float64)})
    elif kind == "many":
        path = path.with_suffix(".npz")
        np.savez(path, *_by_sentence(rows))
    elif kind == "numbered":
        path = path.with_suffix(".safetensors")
        _safetensors(path, {str(k): each for k, each in enumerate(_by_sentence(rows))})
    else:
        path = rows if kind == "value" else _by_sentence(rows)
    _same(word_vectors(path, SENTENCES, name="source"), rows)


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_rows_of_pieces_are_joined_to_words(tmp_path, suffix):
    pieces = _rows(words=9)
    word = np.array([-1, 0, 1, 1, 2, -1, 3, 4, 4])
    path = tmp_path / f"pieces{suffix}"
    if suffix == ".npz":
        np.savez(path, vectors=pieces, words=word)
    else:
        _safetensors(path, {"vectors": pieces, "words": word})
    unit = pieces / np.linalg.norm(pieces, axis=1, keepdims=True)
    joined = np.stack([unit[word == k].mean(axis=0) for k in range(5)])
    _same(word_vectors(path, SENTENCES, name="source"), joined)
    np.testing.assert_allclose(joined_pieces(pieces, word, 5), joined, rtol=1e-5)


@pytest.mark.parametrize("kind", ["vec", "glove", "gz", "binary", "value"])
def test_vectors_of_types_are_those_of_the_spelling_or_of_lower_case(tmp_path, kind):
    rows = _rows(words=4, wide=6)
    table = dict(zip(["the", "dog", "a", "elsewhere"], rows, strict=True))
    path = tmp_path / {"gz": "table.vec.gz", "binary": "table.bin"}.get(kind, "table.vec")
    text = "".join(f"{w} {' '.join(f'{x:.6f}' for x in row)} \n" for w, row in table.items())
    if kind == "binary":
        data = b"".join(w.encode() + b" " + row.tobytes() + b"\n" for w, row in table.items())
        path.write_bytes(b"4 6\n" + data)
    elif kind != "value":
        data = (f"4 6\n{text}" if kind != "glove" else text).encode()
        path.write_bytes(gzip.compress(data) if kind == "gz" else data)
    given = table if kind == "value" else path
    wanted = np.stack([rows[0], rows[1], np.zeros(6), rows[2], rows[1]])
    _same(word_vectors(given, SENTENCES, name="source"), wanted)


def test_a_spelling_goes_before_its_lower_case():
    table = {"Dog": [1.0, 0], "dog": [0, 1.0]}
    (rows,) = word_vectors(table, [["Dog", "dog", "DOG"]], name="source").rows(0, 1)
    assert rows.tolist() == [[1, 0], [0, 1], [0, 1]]


def test_a_table_may_have_composed_letters():
    table = {"\u00e9t\u00e9": [1.0, 0], "caf\u00e9": [0, 1.0], "cafe\u0301": [1.0, 1.0]}
    words = ["E\u0301te\u0301", "cafe\u0301", "Caf\u00e9", "ete"]
    (rows,) = word_vectors(table, [words], name="source").rows(0, 1)
    assert rows.tolist() == [[1, 0], [1, 1], [0, 1], [0, 0]]


def test_vectors_of_types_that_are_exchanged_are_refused():
    src, tgt = ["the dog sleeps , Ann"], ["le chien dort , Ann"]
    tables = [dict(zip(line.split(), np.eye(6)[:5], strict=True)) for (line,) in (src, tgt)]
    assert link_by_vectors(src, tgt, tuple(tables))[0].src.size == 5
    with pytest.raises(InputError, match=r"source: has 40% .* 100% of .* target: .*: exchange the"):
        link_by_vectors(src, tgt, tuple(tables[::-1]))
    # Small tables of the right languages are none.
    small = [{word: table[word] for word in (",", "Ann")} for table in tables]
    assert link_by_vectors(src, tgt, tuple(small))[0].src.tolist() == [3, 4]


def test_tables_that_are_exchanged_are_refused_in_one_reading(tmp_path, monkeypatch):
    src, tgt = ["the dog sleeps , Ann"], ["le chien dort , Ann"]
    paths = [tmp_path / "src.vec", tmp_path / "tgt.vec"]
    for path, (line,) in zip(paths, (src, tgt), strict=True):
        path.write_text("".join(f"{word} {k}.5 1\n" for k, word in enumerate(line.split())))
    opened = []
    monkeypatch.setattr(Path, "open", lambda *a, of=Path.open, **k: opened.append(a) or of(*a, **k))
    assert link_by_vectors(src, tgt, paths)[0].src.size
    once = len(opened)
    with pytest.raises(InputError, match=r"tgt.vec: has 40% .* 100% of .*src.vec: .*: exchange"):
        link_by_vectors(src, tgt, paths[::-1])
    assert len(opened) == 2 * once > 0


@pytest.mark.parametrize("words", [1, 600])
def test_vectors_of_zeros_alone_are_refused_with_the_side(words):
    texts = ["dog"] * words, ["chien"] * words
    sample = " of 512 pairs of 600, a sample," if words > 512 else ""
    for function in (link_words, link_by_vectors):
        with pytest.raises(InputError, match=f"target: no word{sample} has a vector with a number"):
            function(*texts, vectors=({"dog": [1.0, 0]}, {"chien": [0.0, 0]}))
        with pytest.raises(InputError, match=f"source: no word{sample} has a vector with a number"):
            function(*texts, vectors=lambda batch: [np.zeros((len(one), 3)) for one in batch])
    assert len(link_by_vectors([""], ["le chien"], (np.zeros((0, 3)), np.eye(3)[:2]))) == 1


def _wrong(path, match, error=BitextError):
    with pytest.raises(error, match=match) as caught:
        word_vectors(path, SENTENCES, name="source").rows(0, 3)
    assert "\n" not in str(caught.value)


def test_rows_that_are_not_those_of_the_words_are_refused(tmp_path):
    path = tmp_path / "rows.npy"
    np.save(path, _rows(words=6))
    _wrong(path, r"rows.npy: 6 rows for 5 words of 3 pairs: want one for each")
    np.save(path, np.arange(5))
    _wrong(path, "holds int64: want one array of float32", FormatError)
    np.save(path, _rows().ravel())
    _wrong(path, r"shape \(15,\)")
    rows = _rows()
    rows[4, 1] = np.nan
    np.save(path, rows)
    _wrong(path, r"rows.npy: pair 2: the row of word 1 \('dog'\) has numbers that are not finite")
    rows[4] = 0
    np.save(path, rows)
    _wrong(path, r"pair 2: the row of word 1 \('dog'\) has zeros only")
    _wrong(tmp_path / "none.npy", "there is no such file of vectors")
    _wrong(tmp_path / "none.vec", "there is no such file of vectors")
    _wrong(tmp_path, "cannot be read")
    path = tmp_path / "raw"
    path.write_bytes(b"\x00\x01\x02")
    _wrong(path, "3 bytes are not 5 rows", FormatError)
    path = tmp_path / "rows.npz"
    np.savez(path, *_by_sentence(_rows())[:2])
    _wrong(path, "2 arrays for 3 pairs: want one for each")
    np.savez(path, _rows()[:3], _rows()[:0], _rows()[:1])
    _wrong(path, r"rows.npz: pair 2: an array of shape \(1, 3\) for 2 words: want a row for each")
    np.savez(path, weights=_rows())
    _wrong(path, "holds weights: want 'vectors'", FormatError)
    np.savez(path, vectors=np.array([{"a": 1}], dtype=object))
    _wrong(path, "vectors: no array of numbers", FormatError)
    path.write_bytes(b"PK\x03\x04 and then nothing")
    _wrong(path, "no archive of numpy", FormatError)
    _wrong(5, "want an array of shape")
    _wrong(np.zeros((2, 2, 2)), r"an array of shape \(2, 2, 2\)")
    _wrong([[["a", "b"]], [], [["c"]]], "pair 0: no array", InputError)


def test_wrong_tensors_are_refused(tmp_path):
    path = tmp_path / "rows.safetensors"
    path.write_bytes(b"\xff" * 40)
    _wrong(path, "no file of tensors: its header is longer than the file", FormatError)
    path.write_bytes((2).to_bytes(8, "little") + b"[]")
    _wrong(path, "no file of tensors", FormatError)
    _safetensors(path, {"vectors": _rows()})
    path.write_bytes(path.read_bytes()[:-1])
    _wrong(path, "its bytes are not in the file: is it cut off", FormatError)
    _safetensors(path, {"vectors": np.zeros((5, 3), dtype=np.uint8)})
    _wrong(path, "vectors holds U8: want F16, F32 or F64", FormatError)


@pytest.mark.parametrize(
    ("word", "match"),
    [
        ([0, 1, 2, 3], "'words' has int64 of shape"),
        ([0, 1, 2, 4, 3], "the numbers in 'words' fall"),
        ([0, 1, 2, 3, 5], "'words' has number 5, and the text has 5 words"),
        ([0, 1, 2, 2, 4], r"no row for word 0 \('a'\) of pair 2"),
        ([0.0, 1, 2, 3, 4], "'words' has float64"),
    ],
)
def test_wrong_numbers_of_words_are_refused(tmp_path, word, match):
    np.savez(tmp_path / "a.npz", vectors=_rows(), words=np.array(word))
    _wrong(tmp_path / "a.npz", match)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (b"2 3\nthe 1 2 3\ndog 1 2\n", r"line 3: want a word and 3 numbers, as in the first line"),
        (b"2 3\nthe 1 2 3\ndog 1 x 2\n", "line 3: want a word and 3 numbers"),
        (b"the 1 2 3\ndog nan 2 3\n", "line 2: the vector of 'dog' is not finite"),
        (b"2 3\nder 1 2 3\nhund 1 2 3\n", "has no word of the text: is it of another language"),
        (b"2 0\n", "its header says 0 dimensions"),
        (b"\xba\x16\x4f\x2f more", "is a model of fastText: want its vectors in text"),
        (b"2 3\nthe \x00\x00\x80\x3f", "ends in entry 1 of 2: is it cut off"),
        (
            b"3 2\nthe 1 2\na 1 2\n",
            "its header says 3 words, and it has 2: fetch it again, or write 2",
        ),
        (b"1 2\nthe 1 2\na 1 2\n", "its header says 1 word, and it has 2"),
    ],
)
def test_wrong_tables_are_refused(tmp_path, text, match):
    path = tmp_path / "table.vec"
    path.write_bytes(text)
    _wrong(path, match, FormatError)


def test_wrong_values_of_types_are_refused():
    _wrong({"the": [1.0, 2], "dog": [1.0]}, r"the vector of 'the' has the shape \(2,\)")
    _wrong({"the": [1.0, float("inf")]}, "the vector of 'the' is not finite")
    _wrong({"der": [1.0]}, "source: has no word of the text")


def test_a_damaged_gzip_is_refused(tmp_path):
    path = tmp_path / "table.vec.gz"
    path.write_bytes(gzip.compress(b"1 2\nthe 1 2\n")[:-9])
    _wrong(path, "cannot be read")
    path.write_bytes(b"no gzip")
    _wrong(path, "cannot be read")


def test_an_encoder_gets_the_sentences_with_words_and_is_checked():
    seen = []

    def encoder(sentences):
        seen.extend(sentences)
        return [np.ones((len(words), 2)) for words in sentences]

    rows = encoded_words(encoder, SENTENCES, name="source").rows(0, 3)
    assert [len(each) for each in rows] == [3, 0, 2]
    assert seen == [SENTENCES[0], SENTENCES[2]]
    for wrong, match in (
        (lambda _: [], "source: the encoder gives 0 arrays for 2 sentences"),
        (lambda s: [np.ones((1, 2))] * len(s), r"pair 0: the encoder gives an array of shape \(1"),
        (lambda s: [np.full((len(w), 2), np.nan) for w in s], "want a row of finite numbers"),
    ):
        with pytest.raises(InputError, match=match):
            encoded_words(wrong, SENTENCES, name="source").rows(0, 3)


def test_memory_does_not_grow_with_a_file_of_vectors(tmp_path):
    pairs, wide = 1500, 256
    lines = [["a", "b", "c", "d"]] * pairs
    path = tmp_path / "big.npy"
    big = np.lib.format.open_memmap(path, "w+", np.float32, (4 * pairs, wide))
    random = np.random.default_rng(1)
    for k in range(0, 4 * pairs, 1000):
        big[k : k + 1000] = random.standard_normal((1000, wide))
    big.flush()
    size = big.nbytes
    del big
    link_by_vectors(lines[:10], lines[:10], (_rows(words=40), _rows(words=40)))  # imports
    tracemalloc.start()
    links = link_by_vectors(lines, lines, (str(path), str(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert links.src.tolist() == [0, 1, 2, 3] * pairs
    assert links.tgt.tolist() == [0, 1, 2, 3] * pairs
    assert peak < size / 2


def test_links_by_a_file_are_those_by_the_array(tmp_path):
    path = tmp_path / "rows.npy"
    np.save(path, _rows())
    values = link_words(SENTENCES, SENTENCES, vectors=(_rows(), _rows()), min_score=0.01)
    files = link_words(SENTENCES, SENTENCES, vectors=(path, str(path)), min_score=0.01)
    assert values == files
