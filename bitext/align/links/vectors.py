"""Vectors of words for word links: rows of tokens, vectors of types, and encoders.

A vector belongs to one token (contextual vectors) or to all tokens of a type (static vectors).
Vectors of tokens come from a file, from an array or from an encoder (`token_encoders`); vectors of
types from a table, as that of word2vec or fastText, whose two files share one space.

Files of token vectors are mapped into memory, not read whole, and of a table only the words of the
text are in memory.

| file | what it holds |
| --- | --- |
| `.npy` | a row for each word of the text, pair by pair |
| `.npz`, `.safetensors` with `vectors` | the same; with `words`, a row for each piece of a word |
| `.npz`, `.safetensors` with `0`, `1`, ... or `arr_0`, ... | an array for each sentence |
| text of word2vec, fastText, GloVe, also `.gz` | a line for each type |
| binary of word2vec | the same |
| any other | raw little-endian float32, a row for each word |

`words` has the number of the word that each row is a piece of, counted from 0 over the whole text,
and -1 for rows that are none, as those of `[CLS]`. The vector of a word is the mean of its pieces,
each scaled to length 1.
"""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol
from unicodedata import normalize

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.errors import FormatError, InputError, brief, many, of_file
from bitext.kernels.arrays import Ints, Singles, prefix

if TYPE_CHECKING:
    Sentences = Sequence[Sequence[str]]
    # What a user may give for one side: a file, rows, an array for each sentence, or a table.
    Given = str | Path | NDArray[np.floating] | Sequence[ArrayLike] | Mapping[str, ArrayLike]

TokenEncoder = Callable[[list[list[str]]], "Sequence[ArrayLike]"]

_ARRAYS = (".npz", ".safetensors")
_NUMBERED = re.compile(r"(?:arr_)?(\d+)")
_HEADER = re.compile(rb"\s*(\d+) +(\d+)\s*\n")
_FASTTEXT = b"\xba\x16\x4f\x2f"  # the first bytes of a binary model of fastText
_SNIFFED_BYTES = 1 << 16  # bytes that show whether a file is a table in text
_FEWEST_NUMBERS = 5  # words at the end of a line; in a table all but the first are numbers
_SENTENCES_AT_ONCE = 256  # sentences given to an encoder at once: memory only
_LEAST_SHARE = 0.5  # share of types with a vector, below which both sides may be exchanged; by hand
SMALLEST = 1e-30  # a vector below this length is one of zeros


class WordVectors(Protocol):
    """The vectors of the words of one side."""

    name: str

    def rows(self, first: int, last: int) -> list[Singles]:
        """Return the vectors of sentences `first` to `last`, one row per word.

        A word without a vector has a row of zeros.
        """
        ...


def word_vectors(
    given: Given, sentences: Sentences, *, name: str, other: Sentences = ()
) -> WordVectors:
    """Return the vectors of the words of a side, from a file or from values.

    `given` is a file (see the head of the module), an array with a row for each word of the text,
    an array for each sentence, or vectors by word. Messages call the side `name`. `other` has the
    words of the other side, for `refuse_exchanged`.

    Raises `FormatError` if a file cannot be interpreted, or has no vector of any word; and
    `InputError` if the rows are not those of the words.
    """
    if isinstance(given, (str, Path)):
        return _from_file(given, sentences, other)
    if isinstance(given, Mapping):
        return _Types.of_mapping(given, sentences, name, other)
    if isinstance(given, np.ndarray) and given.ndim == 2:
        return _Rows(given, sentences, name)
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return _Arrays(lambda k: given[k], len(given), sentences, name)
    shape = (
        f"an array of shape {given.shape}" if isinstance(given, np.ndarray) else f"{given!r:.60}"
    )
    raise InputError(
        f"{name}: {shape} for the vectors of words: want an array of shape (words, dimensions), an "
        f"array for each sentence, a mapping from words, or a file"
    )


def refuse_exchanged(sides: Sequence[WordVectors]) -> None:
    """Refuse vectors of types of the source and of the target that are exchanged.

    Those are exchanged that have less than half of the words of their text, and twice as many of
    the other, half of them at least.
    """
    types = [side for side in sides if isinstance(side, _Types)]
    own, turned = [side.share for side in types], [side.other_share for side in types]
    if len(types) == 2 and min(turned) >= max(2 * max(own), _LEAST_SHARE) > max(own):
        raise InputError(
            f"{types[0].name}: has {own[0]:.0%} of the words of the source, and {turned[0]:.0%} of "
            f"those of the target; {types[1].name}: has {own[1]:.0%} of the words of the target, "
            f"and {turned[1]:.0%} of those of the source: exchange the two"
        )


def encoded_words(encoder: TokenEncoder, sentences: Sentences, *, name: str) -> WordVectors:
    """Return the vectors that an encoder gives the words of a side, computed at their first use."""
    return _Encoded(encoder, sentences, name)


def joined_pieces(rows: Singles, word: Ints, words: int) -> Singles:
    """Return the mean of the unit vectors of the pieces of each word; zeros without a piece.

    `rows`, of shape (pieces, dimensions), has the vectors of the pieces; `word`, of shape
    (pieces,), the word of each, or a negative number for none.

    Examples
    --------
    >>> rows = np.array([[9, 9], [3, 0], [0, 2]], dtype=np.float32)
    >>> joined_pieces(rows, np.array([-1, 1, 1]), 2)
    array([[0. , 0. ],
           [0.5, 0.5]], dtype=float32)

    """
    joined = np.zeros((words, rows.shape[1]), dtype=np.float32)
    chosen = np.flatnonzero(word >= 0)
    piece_rows = np.asarray(rows[chosen], dtype=np.float32)
    length = np.linalg.norm(piece_rows, axis=1, keepdims=True)
    np.add.at(joined, word[chosen], piece_rows / np.maximum(length, np.float32(SMALLEST)))
    count = np.bincount(word[chosen], minlength=words).astype(np.float32)
    joined /= np.maximum(count, 1)[:, None]
    return joined


def _checked(rows: NDArray[np.floating], words: Sequence[str], pair: int, name: str) -> Singles:
    """Return the rows of a sentence as float32; refuse other numbers of rows, NaN, and zeros."""
    if rows.ndim != 2 or len(rows) != len(words):
        raise InputError(
            f"{name}: pair {pair}: an array of shape {rows.shape} for {len(words)} words: want a "
            f"row for each word"
        )
    word_rows = np.asarray(rows, dtype=np.float32)
    length = np.linalg.norm(word_rows, axis=1)
    wrong = np.flatnonzero(~np.isfinite(length) | (length < SMALLEST))
    if wrong.size:
        k = int(wrong[0])
        fault = "zeros only" if length[k] < SMALLEST else "numbers that are not finite"
        raise InputError(f"{name}: pair {pair}: the row of word {k} ({words[k]!r:.40}) has {fault}")
    return word_rows


class _Rows:
    """Rows of one array for the words, or the pieces of words, of a text."""

    def __init__(
        self, array: NDArray[np.floating], sentences: Sentences, name: str, word: Ints | None = None
    ) -> None:
        self.name, self._array, self._sentences = name, array, sentences
        self._ptr = prefix(np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences)))
        self._word = word
        words = int(self._ptr[-1])
        if array.dtype.kind != "f" or not array.shape[1]:
            raise InputError(
                f"{name}: an array of {array.dtype} of shape {array.shape}: want floats"
            )
        if word is None:
            if len(array) != words:
                raise InputError(
                    f"{name}: {len(array):,} rows for {words:,} words of {len(sentences):,} pairs: "
                    f"want one for each, as blanks divide the text, pair by pair"
                )
            return
        if word.shape != (len(array),) or word.dtype.kind not in "iu":
            raise InputError(
                f"{name}: 'words' has {word.dtype} of shape {word.shape} for {len(array):,} rows: "
                f"want the number of the word of each row"
            )
        pieces = word[word >= 0]
        if pieces.size and (np.diff(pieces) < 0).any():
            raise InputError(
                f"{name}: the numbers in 'words' fall: want them in the order of words"
            )
        if pieces.size and int(pieces[-1]) >= words:
            raise InputError(
                f"{name}: 'words' has number {int(pieces[-1])}, and the text has {words:,} words: "
                f"want them counted from 0, as blanks divide the text, pair by pair"
            )
        missing = np.flatnonzero(np.bincount(pieces, minlength=words) == 0)
        if missing.size:
            at = int(np.searchsorted(self._ptr, missing[0], side="right")) - 1
            lone = int(missing[0] - self._ptr[at])
            raise InputError(
                f"{name}: no row for word {lone} ({sentences[at][lone]!r:.40}) of pair {at}: want "
                f"a row at least for each word"
            )
        self._pieces = np.flatnonzero(word >= 0)
        self._begin = np.searchsorted(pieces, self._ptr)

    def rows(self, first: int, last: int) -> list[Singles]:
        """Return the rows of sentences."""
        result = []
        for k in range(first, last):
            begin, end = self._ptr[k], self._ptr[k + 1]
            if self._word is None:
                rows = np.asarray(self._array[begin:end], dtype=np.float32)
            else:
                place = self._pieces[self._begin[k] : self._begin[k + 1]]
                pieces = np.asarray(self._array[place], dtype=np.float32)
                rows = joined_pieces(pieces, self._word[place] - begin, int(end - begin))
            result.append(_checked(rows, self._sentences[k], k, self.name))
        return result


class _Arrays:
    def __init__(
        self, get: Callable[[int], ArrayLike], count: int, sentences: Sentences, name: str
    ) -> None:
        self.name, self._get, self._sentences = name, get, sentences
        if count != len(sentences):
            raise InputError(
                f"{name}: {count:,} arrays for {len(sentences):,} pairs: want one for each"
            )

    def rows(self, first: int, last: int) -> list[Singles]:
        """Return the rows of sentences."""
        result = []
        for k in range(first, last):
            words = self._sentences[k]
            if not words:
                result.append(np.zeros((0, 0), dtype=np.float32))
                continue
            try:
                rows = np.asarray(self._get(k), dtype=np.float32)
            except (ValueError, TypeError) as error:
                raise InputError(f"{self.name}: pair {k}: no array: {brief(error)}") from error
            result.append(_checked(rows, words, k, self.name))
        return result


class _Encoded:
    """The vectors of an encoder, computed batch by batch."""

    def __init__(self, encoder: TokenEncoder, sentences: Sentences, name: str) -> None:
        self.name, self._encoder, self._sentences = name, encoder, sentences

    def rows(self, first: int, last: int) -> list[Singles]:
        """Return the rows of sentences; a word that the encoder leaves out has zeros."""
        result: list[Singles] = []
        for begin in range(first, last, _SENTENCES_AT_ONCE):
            batch = [
                list(words)
                for words in self._sentences[begin : min(begin + _SENTENCES_AT_ONCE, last)]
            ]
            encoded = self._encoder([words for words in batch if words])
            if len(encoded) != sum(map(bool, batch)):
                raise InputError(
                    f"{self.name}: the encoder gives {len(encoded)} arrays for "
                    f"{sum(map(bool, batch))} sentences: want one for each"
                )
            arrays = iter(encoded)
            for k, words in enumerate(batch, begin):
                if not words:
                    result.append(np.zeros((0, 0), dtype=np.float32))
                    continue
                rows = np.asarray(next(arrays), dtype=np.float32)
                if rows.ndim != 2 or len(rows) != len(words) or not np.isfinite(rows).all():
                    raise InputError(
                        f"{self.name}: pair {k}: the encoder gives an array of shape {rows.shape} "
                        f"for {len(words)} words: want a row of finite numbers for each"
                    )
                result.append(rows)
        return result


class _Types:
    """Vectors of types: a word has the vector of its spelling, else of its spelling in lower case.

    Letters with accents may also be composed in the table (NFC). Words that the table lacks have
    zeros.
    """

    def __init__(
        self,
        table: dict[str, int],
        array: Singles,
        sentences: Sentences,
        name: str,
        other_share: float,
    ) -> None:
        self.name, self._sentences = name, sentences
        self._array = np.concatenate([array, np.zeros((1, array.shape[1]), dtype=np.float32)])
        # The row of each word of the text; the last one for words that the table lacks.
        self._row = {
            word: next((table[each] for each in _spellings(word) if each in table), -1)
            for word in _words(sentences)
        }
        # The shares of the types of the text, and of the other text, with a vector.
        self.share = sum(row >= 0 for row in self._row.values()) / max(len(self._row), 1)
        self.other_share = other_share

    @classmethod
    def of_mapping(
        cls, given: Mapping[str, ArrayLike], sentences: Sentences, name: str, other: Sentences
    ) -> WordVectors:
        """Take the vectors of the words of a text from a mapping."""
        table: dict[str, int] = {}
        rows: list[Singles] = []
        for word in sorted(_all_spellings(sentences)):
            if word not in given:
                continue
            row = np.asarray(given[word], dtype=np.float32)
            if row.ndim != 1 or (rows and row.shape != rows[0].shape):
                raise InputError(
                    f"{name}: the vector of {word!r:.40} has the shape {row.shape}: want one "
                    f"number of dimensions for all words"
                )
            if not np.isfinite(row).all():
                raise InputError(f"{name}: the vector of {word!r:.40} is not finite")
            table[word] = len(rows)
            rows.append(row)
        if not rows:
            raise InputError(f"{name}: has no word of the text")
        return cls(table, np.stack(rows), sentences, name, _share(_words(other), given))

    def rows(self, first: int, last: int) -> list[Singles]:
        """Return the rows of sentences."""
        return [
            self._array[[self._row[word] for word in words]]
            if words
            else np.zeros((0, self._array.shape[1]), dtype=np.float32)
            for words in self._sentences[first:last]
        ]


def _spellings(word: str) -> tuple[str, ...]:
    """Return the spellings under which a table may have a word, the first ones preferred."""
    given = (word, word.lower())
    return given if word.isascii() else (*given, *(normalize("NFC", each) for each in given))


def _words(sentences: Sentences) -> set[str]:
    return {word for sentence in sentences for word in sentence}


def _all_spellings(sentences: Sentences) -> set[str]:
    return {spelling for word in _words(sentences) for spelling in _spellings(word)}


def _share(words: set[str], table: Container[str]) -> float:
    known = sum(any(each in table for each in _spellings(word)) for word in words)
    return known / max(len(words), 1)


# Files.


def _from_file(path: str | Path, sentences: Sentences, other: Sentences) -> WordVectors:
    name = str(path)
    if is_table(name):
        try:
            with _opened(name) as file, of_file(name):
                return _table(file, name, sentences, other)
        except (OSError, EOFError) as error:
            raise InputError(f"{name}: cannot be read: {brief(error)}") from error
    if name.endswith(_ARRAYS):
        try:
            return _from_arrays(name, sentences)
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {brief(error)}") from error
    from bitext.align.sentences.vectors import read_vectors

    rows = None if name.endswith(".npy") else sum(map(len, sentences))
    array = read_vectors(path, rows=rows)
    if array.ndim != 2:
        raise FormatError(f"an array of shape {array.shape}: want (words, dimensions)", path=name)
    return _Rows(array, sentences, name)


def is_table(path: str | Path) -> bool:
    """Distinguish vectors of types (True) from arrays with a row for each token.

    Raises `InputError` if the file cannot be read.
    """
    name = str(path)
    if not Path(name).exists():
        raise InputError(f"{name}: there is no such file of vectors")
    if name.endswith((*_ARRAYS, ".npy")):
        return False
    try:
        with _opened(name) as file:
            begin = file.read(_SNIFFED_BYTES)
    except (OSError, EOFError) as error:
        raise InputError(
            f"{name}: cannot be read: {brief(error)}; want a file of vectors"
        ) from error
    return begin.startswith(_FASTTEXT) or _HEADER.match(begin) is not None or _is_text(begin)


def _opened(name: str) -> BinaryIO:
    if name.endswith(".gz"):
        return gzip.open(name, "rb")  # type: ignore[return-value]
    return Path(name).open("rb")


def _from_arrays(name: str, sentences: Sentences) -> WordVectors:
    get, names = (_safetensors if name.endswith(".safetensors") else _npz)(name)
    if "vectors" in names:
        array = get("vectors")
        if array.ndim != 2:
            raise FormatError(
                f"'vectors' has the shape {array.shape}: want (words, dimensions)", path=name
            )
        word = np.asarray(get("words")) if "words" in names else None
        return _Rows(array, sentences, name, word)
    numbered = {
        int(numbered_name[1]): key for key in names if (numbered_name := _NUMBERED.fullmatch(key))
    }
    if sorted(numbered) != list(range(len(numbered))) or not numbered:
        raise FormatError(
            f"holds {', '.join(sorted(names)[:5]) or 'no array'}: want 'vectors' (and 'words'), or "
            f"an array for each sentence, named 0, 1, ...",
            path=name,
        )
    return _Arrays(lambda k: get(numbered[k]), len(numbered), sentences, name)


def _npz(name: str) -> tuple[Callable[[str], NDArray[Any]], list[str]]:
    """Return the function that gives an array of `.npz`, mapped where it is stored as it is."""
    try:
        with zipfile.ZipFile(name) as archive:
            entries = {
                each.filename.removesuffix(".npy"): each
                for each in archive.infolist()
                if each.filename.endswith(".npy")
            }
    except zipfile.BadZipFile as error:
        raise FormatError(f"no archive of numpy ({brief(error)})", path=name) from error

    def get(key: str) -> NDArray[Any]:
        entry = entries[key]
        try:
            if entry.compress_type == zipfile.ZIP_STORED:
                return _mapped_entry(name, entry)
            with zipfile.ZipFile(name) as archive, archive.open(entry) as file:
                return np.lib.format.read_array(file, allow_pickle=False)
        except (ValueError, EOFError, zipfile.BadZipFile) as error:
            raise FormatError(f"{key}: no array of numbers ({brief(error)})", path=name) from error

    return get, list(entries)


def _mapped_entry(name: str, entry: zipfile.ZipInfo) -> NDArray[Any]:
    """Map an array that an archive holds uncompressed."""
    with Path(name).open("rb") as file:
        file.seek(entry.header_offset + 26)  # the lengths of the name and of the extra field
        lengths = np.frombuffer(file.read(4), dtype="<u2")
        file.seek(entry.header_offset + 30 + int(lengths.sum()))
        version = np.lib.format.read_magic(file)
        read = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        shape, fortran, dtype = read(file)
        if dtype.hasobject:
            raise ValueError("objects, not numbers")
        if 0 in shape:
            return np.zeros(shape, dtype=dtype)
        order = "F" if fortran else "C"
        mapped: Any = np.memmap
        array: NDArray[Any] = mapped(name, dtype, "r", file.tell(), shape, order)
        return array


_SAFETENSORS_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4"}


def _safetensors(name: str) -> tuple[Callable[[str], NDArray[Any]], list[str]]:
    """Return the function that maps a tensor of a file, and the names of its tensors."""
    size = Path(name).stat().st_size
    with Path(name).open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= size - 8:
            raise FormatError("no file of tensors: its header is longer than the file", path=name)
        header = file.read(length)
    try:
        known = {
            key: (str(each["dtype"]), tuple(each["shape"]), *each["data_offsets"])
            for key, each in json.loads(header).items()
            if key != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"no file of tensors ({brief(error)})", path=name) from error

    def get(key: str) -> NDArray[Any]:
        dtype, shape, begin, end = known[key]
        if dtype not in _SAFETENSORS_TYPES:
            raise FormatError(f"{key} holds {dtype}: want F16, F32 or F64", path=name)
        if 8 + length + end > size or end - begin != int(np.prod(shape)) * int(dtype[1:]) // 8:
            raise FormatError(f"{key}: its bytes are not in the file: is it cut off?", path=name)
        if not end - begin:
            return np.zeros(shape, dtype=_SAFETENSORS_TYPES[dtype])
        return np.memmap(
            name, _SAFETENSORS_TYPES[dtype], "r", offset=8 + length + begin, shape=shape
        )

    return get, list(known)


def _table(file: BinaryIO, name: str, sentences: Sentences, other: Sentences) -> WordVectors:
    """Read the vectors of types, in text or in the binary form of word2vec."""
    begin = file.read(_SNIFFED_BYTES)
    if begin.startswith(_FASTTEXT):
        raise FormatError(
            "is a model of fastText: want its vectors in text, the .vec file beside it"
        )
    header = _HEADER.match(begin)
    count = None
    if header is None:
        file.seek(0)
        lines = _lines(file, len(begin.split(b"\n", 1)[0].split()) - 1, 1)
    else:
        count, dimensions = int(header[1]), int(header[2])
        file.seek(header.end())
        if not dimensions:
            raise FormatError("its header says 0 dimensions")
        if _is_text(begin[header.end() :]):
            lines = _lines(file, dimensions, 2)
        else:
            lines = _binary(file, count, dimensions)
    spellings, other_spellings = _all_spellings(sentences), _all_spellings(other)
    of_other: set[str] = set()
    table: dict[str, int] = {}
    rows: list[Singles] = []
    number = 0
    for number, (place, word, row) in enumerate(lines, 1):  # noqa: B007 - the last one counts
        if word in spellings and word not in table:
            if not np.isfinite(row).all():
                raise FormatError(f"{place}: the vector of {word!r:.40} is not finite")
            table[word] = len(rows)
            rows.append(row)
        if word in other_spellings:
            of_other.add(word)
    if count is not None and number != count:
        raise FormatError(
            f"its header says {many(count, 'word')}, and it has {number:,}: fetch it again, or "
            f"write {number} there if it is meant to be a part"
        )
    if not rows:
        raise FormatError("has no word of the text: is it of another language?")
    return _Types(table, np.stack(rows), sentences, name, _share(_words(other), of_other))


def _is_text(begin: bytes) -> bool:
    """Test bytes for a first line that holds a word and finite numbers."""
    words = begin.split(b"\n", 1)[0].split()
    try:
        return len(words) > 1 and all(
            np.isfinite(float(each)) for each in words[-_FEWEST_NUMBERS:][1:]
        )
    except ValueError:
        return False


def _lines(file: BinaryIO, dimensions: int, first: int) -> Iterator[tuple[str, str, Singles]]:
    """Yield the place, the word and the vector of each line."""
    for number, line in enumerate(file, first):
        # A word may have blanks, as in GloVe of Common Crawl: the numbers are counted from the end.
        parts = line.rstrip().rsplit(b" ", dimensions)
        if parts == [b""]:
            continue
        try:
            row = np.array(parts[1:], dtype=np.float32)
        except ValueError:
            row = np.zeros(0, dtype=np.float32)
        if row.size != dimensions:
            raise FormatError(
                f"want a word and {dimensions} numbers, as in the first line", line=number
            )
        yield f"line {number}", parts[0].decode("utf-8", "replace"), row


def _binary(file: BinaryIO, count: int, dimensions: int) -> Iterator[tuple[str, str, Singles]]:
    """Yield the place, the word and the vector of each entry of the binary form of word2vec."""
    for number in range(count):
        word = bytearray()
        while (letter := file.read(1)) not in {b" ", b""}:
            word += letter
        data = file.read(4 * dimensions)
        if len(data) != 4 * dimensions:
            raise FormatError(f"ends in entry {number + 1} of {count}: is it cut off?")
        row = np.frombuffer(data, dtype="<f4").astype(np.float32)
        yield f"entry {number + 1}", word.lstrip(b"\n").decode("utf-8", "replace"), row
