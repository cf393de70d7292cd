"""Files of vectors of sentences: `.npy`, and raw float32 in the byte order of most machines.

They are mapped, not read whole, and never taken for what they are not: a file of another size than
one row for each sentence is an error. vecalign's pair of files, different texts and their
vectors, becomes an encoder that looks texts up.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.encoders import encoded
from bitext.errors import FormatError, InputError
from bitext.syntax.answers import brief

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What numpy raises for the heads of files that are none, beside what it tells.
_BROKEN = (ValueError, EOFError, SyntaxError, TypeError, OverflowError, TokenError)

_PACKED = (".gz", ".bz2", ".xz", ".zst")
_LOOKED_AT = 64  # rows whose numbers are looked at
_WIDE = 8.0  # binary orders of magnitude that numbers of vectors do not spread over
_NPY, _ZIP = b"\x93NUMPY", b"PK\x03\x04"

__all__ = ["SentenceLookup", "read_vectors"]


def read_vectors(
    path: str | Path, *, rows: int, dimensions: int | None = None
) -> NDArray[np.floating]:
    """Open a file of vectors, one a sentence; it is mapped, not read whole.

    Parameters
    ----------
    path : path
        `.npy` (float16, float32 or float64); any other name is raw little-endian float32.
    rows : int
        How many there must be.
    dimensions : int, optional
        Numbers a row; default: what the size of the file says.

    Raises
    ------
    FormatError
        When the file is of another size, or no such array.
    InputError
        When it cannot be read.

    """
    name = str(path)
    if name.endswith(".npy"):
        array = _npy(name)
        wanted = (rows, array.shape[-1] if dimensions is None and array.ndim else dimensions)
        if array.shape != wanted or not array.shape[-1]:
            columns = "dimensions" if dimensions is None else dimensions
            raise FormatError(
                f"an array of shape {array.shape} for {rows} sentences: want ({rows}, {columns}), "
                f"a row for each sentence",
                path=name,
            )
        return array
    try:
        size = Path(name).stat().st_size
        _refuse_others(name)
    except OSError as error:
        raise _unread(name, error) from None
    columns = dimensions or (size // (4 * rows) if rows else 0)
    if size != 4 * rows * columns or (rows and not columns):
        shape = f"{rows} rows of {dimensions or 'equally many'} numbers"
        raise FormatError(f"{size} bytes are not {shape} of 4 bytes (raw float32)", path=name)
    if not size:
        return np.zeros((0, columns), dtype=np.float32)
    array = np.memmap(name, dtype="<f4", mode="r", shape=(rows, columns))
    _refuse_other_numbers(array[:_LOOKED_AT], name)
    return array


def _refuse_others(name: str) -> None:
    """Refuse what is no raw float32: it may have as many bytes by chance."""
    if name.lower().endswith(_PACKED):
        raise FormatError("is packed: unpack it, for vectors are mapped, not read whole", path=name)
    with open(name, "rb") as file:  # noqa: PTH123
        begin = file.read(len(_NPY))
    if begin == _NPY:
        raise FormatError("is an array of numpy: give it a name that ends with .npy", path=name)
    if begin.startswith(_ZIP):
        raise FormatError("is an archive, as .npz: want one array, in .npy", path=name)


def _refuse_other_numbers(array: NDArray[np.float32], name: str) -> None:
    """Refuse float16, float64 or another byte order read as float32: sizes are all over the place.

    Logarithms (base 2) of normally distributed numbers have a standard deviation of 1.6, those of
    float16 read two by two as float32 about 12.
    """
    sizes = np.abs(array[np.isfinite(array) & (array != 0)])
    if sizes.size and float(np.log2(sizes, dtype=np.float64).std()) > _WIDE:
        raise FormatError(
            f"its numbers are between {sizes.min():.0e} and {sizes.max():.0e}: is it no raw "
            f"float32 (little-endian), but float16 or float64? Write it with numpy.save, as .npy",
            path=name,
        )


def _npy(name: str) -> NDArray[np.floating]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of heads that Python 2 wrote, which are read too
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


class SentenceLookup:
    """An encoder that looks sentences up in what was encoded before.

    This is how vecalign is given its vectors: a file of different texts, one a line, sentences
    and neighbours joined by spaces, and a file with the vector of each line. White space does not
    count when a text is looked up.

    Parameters
    ----------
    sentences : path
        UTF-8, a text a line.
    vectors : array of float32, shape (lines, dimensions)
        As from `bitext.align.sentences.vectors.read_vectors`.

    Raises
    ------
    FormatError
        When the file of the sentences is not UTF-8.
    InputError
        When the numbers of lines and rows differ; when called, where a text is not in the file.

    """

    def __init__(self, sentences: str | Path, vectors: NDArray[np.float32]) -> None:
        try:
            with open(sentences, encoding="utf-8", newline="\n") as file:  # noqa: PTH123
                lines = [_key(line) for line in file]
        except UnicodeDecodeError as error:
            raise FormatError(f"{brief(error)}: want UTF-8", path=str(sentences)) from error
        if len(lines) != len(vectors):
            raise InputError(
                f"{sentences} has {len(lines)} lines, its vectors {len(vectors)} rows: want as many"
            )
        self._path = str(sentences)
        self._row = {line: k for k, line in enumerate(lines)}
        self._vectors = vectors

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        """Return the vector of each text."""
        rows = [self._row.get(_key(text), -1) for text in texts]
        if -1 in rows:
            raise InputError(
                f"{self._path} has no line {texts[rows.index(-1)]!r:.60}: encode all sentences"
            )
        return np.asarray(self._vectors[rows], dtype=np.float32)


def _key(text: str) -> str:
    return "".join(encoded(text).split())
