"""The vectors of the sentences of a text, and of neighbours joined.

Vectors come from an encoder or from a file. They are checked: a NaN, or a row of zeros for a
sentence that has characters, is an error with the file and the row.

Vectors of most encoders lie in a narrow cone: those of any two sentences are alike, all the more
within one text and one language. The mean of the text is therefore taken off each vector, and
what is left brought to the length 1. The cosine of two such vectors is near 0 for sentences that
have nothing to do with each other: it is a margin over the mean of random sentences.

The vector of neighbours joined is pooled: the mean of those of the sentences, made when it is asked
for, so that memory is that of the vectors of the sentences. Encoding the joined texts, too, where
an alignment is unsure, was tried and found no more right beads.

**Source**: B. Thompson and P. Koehn, Vecalign, EMNLP 2019 (margin over random sentences); M.
Artetxe and H. Schwenk, Margin-based parallel corpus mining, ACL 2019; J. Mu and P. Viswanath,
All-but-the-top, ICLR 2018 (the common mean). **Departures**: the margin is a
difference of vectors, once for each, and not a quotient of cosines for each pair.
"""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.encoders import encode, encoded
from bitext.align.sentences.vector_files import read_vectors
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bitext.align.sentences.encoders import Encoder
    from bitext.model import Text

__all__ = ["SentenceVectors", "read_vectors", "share_means", "vectors_of"]

_AT_ONCE = 1 << 13  # rows that are checked at once
_SAMPLE = 1 << 12  # windows that a mean is taken over
_RUN = 64  # of them side by side
_SMALL, _LARGE = 1e-15, 1e15  # numbers of a vector that can be squared
_NOWHERE = 1e-4  # a difference of vectors of length 1 that is rounding only
_SHARED = 16.0  # windows of its own that outweigh what a text shares with others


class SentenceVectors:
    """The vectors of one text.

    Parameters
    ----------
    vectors : array of float, shape (sentences, dimensions)
        Of any length; kept as they are, not copied.
    text : Text, optional
        Its sentences; those without visible characters may have rows of zeros.
    name : str
        For messages: the file, or the side.

    Attributes
    ----------
    name : str
    dimensions : int

    Raises
    ------
    InputError
        When there is not a row for each sentence, or a row has a NaN, an infinity or, of a
        sentence of which something is encoded, zeros only.

    Examples
    --------
    >>> vectors = SentenceVectors(np.eye(3, dtype=np.float32))
    >>> (vectors.windows(1, 0, 3) @ vectors.windows(1, 0, 3).T).round(2)
    array([[ 1. , -0.5, -0.5],
           [-0.5,  1. , -0.5],
           [-0.5, -0.5,  1. ]], dtype=float32)

    """

    __slots__ = ("_means", "_text", "_vectors", "dimensions", "name")

    def __init__(
        self,
        vectors: ArrayLike,
        *,
        text: Text | None = None,
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
                f"{name}: {len(array)} rows for {len(text)} sentences: want one for each"
            )
        self._vectors, self._text = array, text
        self._means: dict[int, NDArray[np.float32]] = {}
        self.name = name
        self.dimensions = int(array.shape[1])
        for first in range(0, len(array), _AT_ONCE):
            self._check(first, first + _AT_ONCE)

    def __len__(self) -> int:
        return len(self._vectors)

    def windows(self, size: int, first: int, last: int) -> NDArray[np.float32]:
        """Return the vectors of so many neighbours joined, without their mean, of length 1.

        Parameters
        ----------
        size : int
            How many sentences are joined, 1 or more.
        first, last : int
            The sentences that windows begin with, half-open. They may lie outside of the text.

        Returns
        -------
        array of float32, shape (last - first, dimensions)
            Zeros for a window that leaves the text, or of which nothing is known.

        """
        mean = self._means.get(size)
        if mean is None:
            mean = self._means[size] = self.mean(size)
        begin = max(first, 0)
        end = max(begin, min(last, len(self) - size + 1))
        result = np.zeros((last - first, self.dimensions), dtype=np.float32)
        if end > begin:
            result[begin - first : end - first] = _unit(self._plain(size, begin, end), mean)
        return result

    def sentences(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of single sentences, as `windows` does, shape (places, dimensions)."""
        mean = self._means.get(1)
        if mean is None:
            mean = self._means[1] = self.mean(1)
        some = np.asarray(self._vectors[places], dtype=np.float32)
        return _unit(_unit(some, None), mean)

    def of_some(self, places: NDArray[np.int64], text: Text) -> SentenceVectors:
        """Return the vectors of a text of some of the sentences, which stand at these places."""
        return SentenceVectors(self._vectors[places], text=text, name=self.name)

    def mean(self, size: int) -> NDArray[np.float32]:
        """Return the mean of the windows of a size, over some 4,096 of a longer text."""
        count = max(len(self) - size + 1, 0)
        total = np.zeros(self.dimensions)
        # Whole runs, evenly over the text: cheaper than single windows.
        runs = max(1, -(-min(count, _SAMPLE) // _RUN))
        known = 0
        for run in range(runs):
            begin, next_one = run * count // runs, (run + 1) * count // runs
            plain = self._plain(size, begin, min(begin + _RUN, next_one))
            total += plain.sum(axis=0, dtype=np.float64)
            known += int(plain.any(axis=1).sum())
        return (total / max(known, 1)).astype(np.float32)

    def apart(self) -> SentenceVectors:
        """Return the same vectors, of which other means can be taken off."""
        other = copy(self)
        other.forget_means()
        return other

    def forget_means(self) -> None:
        """Let the means of windows be the text's own."""
        self._means = {}

    def take_mean(self, size: int, mean: NDArray[np.float32]) -> None:
        """Take this mean off the windows of a size, instead of the text's own."""
        self._means[size] = mean

    def _plain(self, size: int, begin: int, end: int) -> NDArray[np.float32]:
        """Return windows within the text, of length 1, with their mean."""
        if end <= begin:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        some = np.array(self._vectors[begin : end + size - 1], dtype=np.float32)
        some = _unit(some, None)
        if size > 1:
            # Not a running sum: that would be another one where a block begins elsewhere.
            pooled = some[: end - begin].copy()
            for k in range(1, size):
                pooled += some[k : k + end - begin]
            some = _unit(pooled, None)
        return some

    def _check(self, first: int, last: int) -> None:
        """Refuse rows that cannot be vectors of sentences."""
        with np.errstate(invalid="ignore"):
            rows = np.asarray(self._vectors[first:last], dtype=np.float64)
        sizes = np.abs(rows).max(axis=1, initial=0.0)
        # Beyond these the square of a float32 is 0 or infinite.
        for k in np.flatnonzero(~((sizes > _SMALL) & (sizes < _LARGE))).tolist():
            what = f"numbers of the size of {sizes[k]:.0e}" if sizes[k] else "zeros only"
            if not np.isfinite(sizes[k]):
                what = "a number that is not finite"
            elif not sizes[k] and self._text is not None:
                sentence = self._text[first + k].text
                if sentence is None or not encoded(sentence):
                    continue
            raise InputError(
                f"{self.name} row {first + k} (from 0): {what}: encode that sentence anew"
            )


def vectors_of(
    text: Text, given: Encoder | SentenceVectors | ArrayLike | Path | str, *, name: str = ""
) -> SentenceVectors:
    """Return the vectors of a text, from whatever they were given as.

    Parameters
    ----------
    text : Text
    given : callable, array, path or SentenceVectors
        An encoder, which is called now; vectors, or a file of them, one for each sentence.
    name : str
        For messages; default: the file, or the name of the text.

    Raises
    ------
    InputError
        When they are not one vector for each sentence.

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
    made = encode(given, text.segments(), name=name)
    return SentenceVectors(made, text=text, name=name)


def share_means(texts: Sequence[SentenceVectors], sizes: Iterable[int]) -> None:
    """Let short texts of one language have their mean from all of them.

    The mean of a text of n windows counts n, that of all texts 16. A text that is all alone keeps
    its own, and of a single sentence nothing is left.

    Raises
    ------
    InputError
        When the vectors are not all of one number of dimensions.

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
            mixed = (count * mean + _SHARED * total) / (count + _SHARED)
            vectors.take_mean(size, mixed.astype(np.float32))


def _unit(vectors: NDArray[np.float32], mean: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Bring rows to the length 1, without a mean; rows of zeros stay."""
    sizes = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    if mean is not None:
        vectors, known = vectors - mean, sizes > 0
        sizes = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        # What rounding leaves of a vector that is the mean itself points nowhere.
        sizes[~known | (sizes < _NOWHERE)] = np.inf
    sizes[sizes == 0] = 1.0
    result: NDArray[np.float32] = vectors / sizes[:, None]
    return result
