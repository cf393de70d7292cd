"""Word links by the similarity of vectors, alone or as evidence in training.

The mean vector of each side is subtracted from its vectors (estimated from a sample), and the
difference is scaled to length 1: most encoders put all words of a language into a narrow cone. The
similarity of two words is the cosine of these vectors.

As evidence, the cells of a corpus are sorted into classes by their **nearness**: the similarity
less half of that of the nearest rival, the best other word of either side. The lift of a class, the
ratio of the number of its links to the number by chance, is estimated from the links themselves in
each pass, as are the lifts of spelling (`evidence`); so no scale of similarities has to be known,
and vectors that say nothing have lifts near 1. Vectors that were learned from the same
sentence pairs say nothing new, but are counted as if they did.

**Source**: M. Jalili Sabet, P. Dufter, F. Yvon and H. Schütze, SimAlign, Findings of EMNLP 2020
(mutual argmax, itermax); Z. Dou and G. Neubig, Word Alignment by Fine-tuning Embeddings on Parallel
Corpora, EACL 2021 (softmax and entmax in both directions); B. Peters, V. Niculae and A. Martins,
Sparse Sequence-to-Sequence Models, ACL 2019 (the exact 1.5-entmax). **Departures**: both papers
take vectors as they are, and Dou and Neubig dot products in place of cosines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.links.corpus import Block, Pieces
from bitext.align.links.vectors import SMALLEST, encoded_words, refuse_exchanged, word_vectors
from bitext.errors import InputError, OptionError, check_list, check_order, nearest
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, matrix_product, prefix
from bitext.kernels.one_thread import one_thread
from bitext.model import WordLinks
from bitext.model.word_links import tokens

if TYPE_CHECKING:
    from bitext.align.links.vectors import Given, TokenEncoder, WordVectors

    Extraction = Callable[[Singles, float], Singles]

_PAIRS_AT_ONCE = 256  # sentence pairs whose vectors are read at once: memory only
_SAMPLED_SENTENCES = 512  # sentences from which the mean of a side is estimated: bounds time
_NEARNESS_CLASSES = 64  # classes of nearness, of equal width from -1 to 1
CLASSES = _NEARNESS_CLASSES + 1  # and one, the first, of cells without vectors
_DISCOUNT = 0.9  # of a word that has a link in the round before: Jalili Sabet and others 2020
# Set by hand: see scripts/bench/link_vectors.md.
_CHANCE_LINKS = 0.3  # links at the rate of chance, added to each class
_WEIGHTS = np.array([1, 2, 3, 2, 1]) / 9  # of the neighbours of a class, and of itself
_SHARPNESS = 30.0  # factor of cosines in exponents
# Smallest scores of links: a cosine for the last two, any; probabilities for the others.
_LEAST_SCORES = {"softmax": 0.2, "entmax": 0.1, "mutual-argmax": -1.0, "itermax": -1.0}
_ENTMAX_HALVING = 2.0  # (alpha - 1) of 1.5-entmax halves the scores


def similarities(src: WordVectors, tgt: WordVectors, pairs: int) -> Iterator[Singles]:
    """Yield the similarities of the words of each of `pairs` sentence pairs.

    A matrix, of shape (source words, target words), has the cosines of vectors of one space, at
    most 1; NaN where a word has no vector.

    Raises `InputError` if both sides have different numbers of dimensions, or no vector at all.
    """
    means = _mean(src, pairs), _mean(tgt, pairs)
    if all(mean.size for mean in means) and means[0].size != means[1].size:
        raise InputError(
            f"{src.name} has vectors of {means[0].size} dimensions, {tgt.name} of {means[1].size}: "
            f"want vectors of one space, by one model"
        )
    for first in range(0, pairs, _PAIRS_AT_ONCE):
        last = min(first + _PAIRS_AT_ONCE, pairs)
        both = zip(src.rows(first, last), tgt.rows(first, last), strict=True)
        for k, (left, right) in enumerate(both, first):
            if not (len(left) and len(right)):
                yield np.zeros((len(left), len(right)), dtype=np.float32)
                continue
            if left.shape[1] != right.shape[1] or left.shape[1] != means[0].size:
                raise InputError(
                    f"{src.name} has vectors of {left.shape[1]} dimensions in pair {k}, {tgt.name} "
                    f"of {right.shape[1]}, and {means[0].size} elsewhere: want one number"
                )
            yield np.minimum(matrix_product(_unit(left, means[0]), _unit(right, means[1]).T), 1)


def _mean(vectors: WordVectors, pairs: int) -> Singles:
    """Return the mean of the unit vectors of evenly chosen sentences; refuse only zeros."""
    total: Floats | None = None
    count = words = 0
    sample = np.unique(
        np.linspace(0, max(pairs - 1, 0), min(pairs, _SAMPLED_SENTENCES)).astype(int)
    )
    for k in sample.tolist():
        (rows,) = vectors.rows(k, k + 1)
        words += len(rows)
        length = np.linalg.norm(rows, axis=1)
        units = rows[length >= SMALLEST] / length[length >= SMALLEST, None]
        if not len(units):
            continue
        total = np.zeros(units.shape[1]) if total is None else total
        if total.size != units.shape[1]:
            raise InputError(
                f"{vectors.name}: vectors of {units.shape[1]} dimensions in pair {k}, and of "
                f"{total.size} before: want one number"
            )
        total += units.sum(axis=0, dtype=np.float64)
        count += len(units)
    if total is None:
        if words:
            of = "" if sample.size == pairs else f" of {sample.size} pairs of {pairs:,}, a sample,"
            raise InputError(
                f"{vectors.name}: no word{of} has a vector with a number other than 0: want "
                f"vectors of the words of the text"
            )
        return np.zeros(0, dtype=np.float32)
    return (total / count).astype(np.float32)


def _unit(rows: Singles, mean: Singles) -> Singles:
    """Return rows less their mean, of length 1; NaN for rows of zeros."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    known = length >= SMALLEST
    apart = rows / np.where(known, length, 1) - mean
    size = np.linalg.norm(apart, axis=1, keepdims=True)
    apart /= np.maximum(size, np.float32(1e-6))
    return np.where(known, apart, np.float32(np.nan))


# Links by similarity alone. Each function takes the similarities of a sentence pair and a least
# score, and returns scores: 0 or below for words that are not linked.


def mutual_argmax(similar: Singles, least: float = -1.0) -> Bools:
    """Link words that are each the most similar to the other, with a cosine of `least` or more.

    `similar`, of shape (source words, target words), has cosines; NaN for words without a vector,
    which are not linked. Among equals the first word is linked.

    Examples
    --------
    >>> mutual_argmax(np.array([[0.9, 0.8], [0.7, 0.1]], dtype=np.float32)).astype(int)
    array([[1, 0],
           [0, 0]])

    """
    result: Bools = _mutual(np.nan_to_num(similar, nan=-np.inf))
    result &= similar >= np.float32(least)
    return result


def _mutual(similar: Singles) -> Bools:
    """Return a mask of the cells that are the first largest of their row and of their column."""
    chosen: Bools = np.zeros(similar.shape, dtype=np.bool_)
    if not similar.size:
        return chosen
    best = similar.argmax(axis=1)
    row = np.arange(len(similar))
    chosen[row, best] = similar.argmax(axis=0)[best] == row
    return chosen


def itermax(similar: Singles, least: float = -1.0) -> Bools:
    """Link by mutual argmax, and once more where a word of a cell has no link yet.

    In the second round cells of two linked words are left out, and the similarity of cells of one
    linked word, (1 + cosine) / 2, is multiplied by 0.9. Pairs with one or two words on a side, or
    without an unlinked word on one of the sides, have the first round only, as in the paper's code.

    Parameters and result are those of `mutual_argmax`.

    Examples
    --------
    >>> similar = np.array([[0.9, 0.8, 0], [0.7, 0, 0.1], [0, 0.1, 0.6]], dtype=np.float32)
    >>> itermax(similar).astype(int)
    array([[1, 1, 0],
           [1, 0, 0],
           [0, 0, 1]])

    """
    known: Bools = ~np.isnan(similar)
    scaled = np.where(known, (1 + np.nan_to_num(similar)) / 2, np.float32(-1))
    chosen: Bools = _mutual(scaled)
    chosen &= known
    rows, columns = ~chosen.any(axis=1, keepdims=True), ~chosen.any(axis=0, keepdims=True)
    if min(similar.shape, default=0) > 2 and rows.any() and columns.any():
        both, one = rows & columns, rows | columns
        weight = np.where(both, np.float32(1), np.where(one, np.float32(_DISCOUNT), 0))
        chosen |= _mutual(np.where(known, scaled * weight, np.float32(-1))) & one & known
    return chosen & (np.nan_to_num(similar, nan=-np.inf) >= np.float32(least))


def softmax(similar: Singles, least: float = 0.2) -> Singles:
    """Return the probabilities of words by a softmax in both directions: the geometric mean.

    Similarities and probabilities have the shape (source words, target words). A link exceeds the
    probability `least` in both directions; words that are not linked have 0.

    Examples
    --------
    >>> softmax(np.array([[0.9, 0.8], [0.7, 0.1]], dtype=np.float32)).round(2)
    array([[0.97, 0.  ],
           [0.  , 0.  ]], dtype=float32)

    """
    return _both_ways(similar, least, _softmax)


def entmax(similar: Singles, least: float = 0.1) -> Singles:
    """Return the probabilities of words by a 1.5-entmax in both directions: the geometric mean.

    Unlike a softmax, it gives most words a probability of 0.

    Parameters and result are those of `softmax`.
    """
    return _both_ways(similar, least, _entmax)


def _both_ways(similar: Singles, least: float, normalised: Callable[[Singles], Singles]) -> Singles:
    if not similar.size:
        return np.zeros(similar.shape, dtype=np.float32)
    known = ~np.isnan(similar)
    scores = np.where(known, np.nan_to_num(similar), np.float32(-2)) * np.float32(_SHARPNESS)
    ahead, behind = normalised(scores), normalised(np.ascontiguousarray(scores.T)).T
    linked = (np.minimum(ahead, behind) > np.float32(least)) & known
    return np.where(linked, np.sqrt(ahead * behind), np.float32(0))


def _softmax(scores: Singles) -> Singles:
    result: Singles = np.exp(scores - scores.max(axis=1, keepdims=True))
    result /= result.sum(axis=1, keepdims=True)
    return result


def _entmax(scores: Singles) -> Singles:
    """Return the 1.5-entmax of each row, exactly, from the sorted scores.

    With z = scores / 2 it is max(z - tau, 0)^2, where tau is the one number for which the sum is 1.
    For the k largest scores, of mean m and with the sum of squared deviations d, tau would be
    m - sqrt((1 - d) / k); the support has as many scores as are above their tau.
    """
    halved = (scores / _ENTMAX_HALVING).astype(np.float64)
    halved -= halved.max(axis=1, keepdims=True)
    ordered = -np.sort(-halved, axis=1)
    count = np.arange(1, ordered.shape[1] + 1)
    mean = np.cumsum(ordered, axis=1) / count
    squares = np.cumsum(ordered**2, axis=1) / count
    delta = (1 - count * (squares - mean**2)) / count
    tau = mean - np.sqrt(np.maximum(delta, 0))
    support = np.maximum((tau <= ordered).sum(axis=1, keepdims=True), 1)
    chosen = np.take_along_axis(tau, support - 1, axis=1)
    return (np.maximum(halved - chosen, 0) ** 2).astype(np.float32)


EXTRACTIONS: dict[str, Extraction] = {
    "mutual-argmax": lambda similar, least: _by_cosine(mutual_argmax, similar, least),
    "itermax": lambda similar, least: _by_cosine(itermax, similar, least),
    "softmax": softmax,
    "entmax": entmax,
}


def _by_cosine(
    chooses: Callable[[Singles, float], Bools], similar: Singles, least: float
) -> Singles:
    """Return the cosines of links, 0.001 at least; 0 for words that are not linked."""
    score = np.maximum(np.nan_to_num(similar), np.float32(1e-3))
    return np.where(chooses(similar, least), score, np.float32(0))


def checked_extraction(name: str) -> str:
    """Return the name of an extraction; raise an `OptionError` for an unknown one."""
    if name in EXTRACTIONS:
        return name
    near = nearest(name, EXTRACTIONS)
    raise OptionError(
        f"there is no way to extract links called {name!r}"
        f"{f'; did you mean {near}?' if near else ''}; want one of {', '.join(EXTRACTIONS)}"
    )


def links_by_similarity(
    matrices: Iterator[Singles], extract: str, at_least: float | None = None
) -> WordLinks:
    """Return the links of sentence pairs by an extraction of `EXTRACTIONS`.

    `matrices` has the similarities of each pair. `at_least` is the smallest score of a link: a
    cosine for `mutual-argmax` and `itermax` (default: any), the smaller of both probabilities for
    `softmax` (default 0.2) and `entmax` (default 0.1).
    """
    chooses = EXTRACTIONS[checked_extraction(extract)]
    least = _LEAST_SCORES[extract] if at_least is None else at_least
    sizes, columns = [], []
    for similar in matrices:
        scores = chooses(similar, least)
        src, tgt = np.nonzero(scores)
        sizes.append(src.size)
        columns.append((src, tgt, scores[src, tgt]))
    none = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, np.float32))
    src, tgt, score = (np.concatenate(column) for column in zip(none, *columns, strict=True))
    return WordLinks(prefix(np.array(sizes, dtype=np.int64)), src, tgt, confidences=score)


def link_by_vectors(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    vectors: TokenEncoder | tuple[Given, Given],
    *,
    extract: str = "mutual-argmax",
    min_score: float | None = None,
) -> WordLinks:
    """Link the words of translated sentences by the similarity of their vectors alone.

    The mean vector of each side is subtracted from its vectors. Nothing is learned, so that the
    links of a sentence pair do not depend on others except for this mean.

    Parameters
    ----------
    src, tgt, vectors
        Those of `link_words`.
    extract : str
        `mutual-argmax`: words that are each the most similar to the other. `itermax`: the same, and
        once more for words that have no link yet. `softmax` and `entmax`: words that are probable
        in both directions, where similarities become probabilities by one of these two functions.
    min_score : float, optional
        For `mutual-argmax` and `itermax` the smallest cosine of a link (default: any). For
        `softmax` and `entmax` a link is more probable in both directions (default: 0.2 and 0.1).

    Returns
    -------
    WordLinks
        The links of each sentence pair, and the numbers of words. Confidences are cosines, those
        below 0.001 as 0.001, or geometric means of both probabilities.

    Raises
    ------
    InputError
        When the two have not the same number of sentences, a token is not a string, or vectors are
        not those of the words.
    OptionError
        When there is no such way to extract links, or the score is not between -1 and 1.

    Notes
    -----
    **Source**: M. Jalili Sabet, P. Dufter, F. Yvon and H. Schütze, SimAlign, Findings of EMNLP
    2020; Z. Dou and G. Neubig, Word Alignment by Fine-tuning Embeddings on Parallel Corpora, EACL
    2021.
    **Departures**: the mean is subtracted; cosines, times 30, take the place of dot products.

    Examples
    --------
    >>> vectors = {"dog": [1.0, 0.0], "cat": [0.0, 1.0]}, {"chien": [0.9, 0.1], "chat": [0.1, 1.0]}
    >>> links = link_by_vectors(["dog cat", "a cat"], ["chat chien", "chat"], vectors)
    >>> [list(zip(pair.src.tolist(), pair.tgt.tolist())) for pair in links]
    [[(0, 1), (1, 0)], [(1, 0)]]

    """
    checked_extraction(extract)
    if min_score is not None and (not isinstance(min_score, Real) or not -1 <= min_score <= 1):
        raise OptionError(f"min_score is {min_score!r}: want a number from -1 to 1")
    check_order(src, tgt)
    sides = words_of(src), words_of(tgt)
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"{len(sides[0])} source sentences and {len(sides[1])} target sentences: want as many, "
            f"an empty one where a sentence has no translation"
        )
    with one_thread():
        links = links_by_similarity(similarities_of(vectors, *sides), extract, min_score)
    return links.with_sizes(*(np.array([*map(len, side)], dtype=np.int64) for side in sides))


def words_of(sentences: Iterable[str | Sequence[str]]) -> list[Sequence[str]]:
    """Return the words of sentences; refuse other values."""
    if isinstance(sentences, str):
        raise InputError("one string is no corpus: want a list of sentences")
    check_list("the sentences", sentences, "a list, which pairs them by their order")
    listed = [tokens(each) if isinstance(each, str) else each for each in sentences]
    for words in listed:
        if not all(isinstance(word, str) for word in words):
            raise InputError(
                f"a sentence is {words!r:.60}: want a string, or a list of tokens that are strings"
            )
    return listed


def similarities_of(
    vectors: TokenEncoder | tuple[Given, Given],
    src: Sequence[Sequence[str]],
    tgt: Sequence[Sequence[str]],
) -> Iterator[Singles]:
    """Return the similarities of the words of each sentence pair."""
    if callable(vectors):
        sides = [
            encoded_words(vectors, sentences, name=name)
            for sentences, name in ((src, "source"), (tgt, "target"))
        ]
    else:
        if isinstance(vectors, str | bytes) or not hasattr(vectors, "__len__") or len(vectors) != 2:
            raise InputError(
                f"vectors are {vectors!r:.60}: want an encoder, or those of the source and those "
                f"of the target"
            )
        given_src, given_tgt = vectors
        sides = [
            word_vectors(given_src, src, name="source", other=tgt),
            word_vectors(given_tgt, tgt, name="target", other=src),
        ]
        refuse_exchanged(sides)
    return similarities(sides[0], sides[1], len(src))


class BlockNearness(NamedTuple):
    """The classes of the cells of a block."""

    classes: NDArray[np.uint8]  # 0 for cells without vectors, and for padding; shape (cells,)
    # The expected number of links of each class if words were linked at random. Shape (CLASSES,).
    chance: Floats


def near_lifts(links: Floats, chance: Floats) -> Floats:
    """Estimate how much more often than by chance the cells of each class are linked.

    The arrays, of shape (CLASSES,), have for each class the expected number of links, and their
    number if words were linked at random. Both are replaced by weighted means of a class and its
    neighbours: with few links, single classes have next to none.
    """
    rate = links[1:].sum() / max(chance[1:].sum(), 1.0)
    result = np.ones(CLASSES)
    if rate:
        shrunk = _CHANCE_LINKS * rate
        near, expected = (np.convolve(x[1:], _WEIGHTS, "same") for x in (links, chance * rate))
        result[1:] = (near + shrunk) / (expected + shrunk)
    return result


class Nearness(NamedTuple):
    """The classes of all cells of a corpus, a byte each."""

    ptr: Ints  # where the cells of each sentence pair begin; shape (pairs + 1,)
    classes: NDArray[np.uint8]  # row by row of each sentence pair; shape (cells,)
    columns: Ints  # the number of target words of each pair; shape (pairs,)

    @classmethod
    def of(cls, matrices: Iterator[Singles], sizes: Sequence[Ints]) -> Nearness:
        """Sort the cells of a corpus into classes.

        `matrices` yields the similarities of each sentence pair, `sizes` has the numbers of words
        of both sides, each of shape (pairs,).
        """
        ptr = prefix(sizes[0] * sizes[1])
        classes = np.zeros(int(ptr[-1]), dtype=np.uint8)
        for k, similar in enumerate(matrices):
            if similar.size:
                step = np.floor((np.nan_to_num(nearness(similar)) + 1) * (_NEARNESS_CLASSES / 2))
                class_numbers = np.clip(step, 0, _NEARNESS_CLASSES - 1).astype(np.uint8) + np.uint8(
                    1
                )
                class_numbers[np.isnan(similar)] = 0
                classes[ptr[k] : ptr[k + 1]] = class_numbers.ravel()
        return cls(ptr, classes, np.asarray(sizes[1]))

    def of_block(self, pieces: Pieces, block: Block, weight: Singles) -> BlockNearness:
        """Return the classes of the cells of a block.

        `weight`, of shape (cells,), has the expected number of links of each cell if words were
        linked at random.
        """
        classes = np.zeros(block.cells.size, dtype=np.uint8)
        chance = np.zeros(CLASSES)
        for batch in block.batches:
            own = classes[batch.cells].reshape(batch.shape)
            for row, piece in enumerate(batch.piece.tolist()):
                pair = int(pieces.pair[piece])
                (first, begin), (rows, columns) = pieces.offset[:, piece], pieces.size[:, piece]
                of_pair = self.classes[self.ptr[pair] : self.ptr[pair + 1]]
                grid = of_pair.reshape(-1, self.columns[pair])
                own[row, :rows, :columns] = grid[first : first + rows, begin : begin + columns]
            chance += np.bincount(own.ravel(), weight[batch.cells], CLASSES)
        return BlockNearness(classes, chance)


def nearness(similar: Singles) -> Singles:
    """Return the similarity of words less half of that of the best other word of either side.

    Examples
    --------
    >>> nearness(np.array([[0.9, 0.8], [0.7, 0.1]], dtype=np.float32)).round(2)
    array([[ 0.5 ,  0.35],
           [ 0.25, -0.3 ]], dtype=float32)

    """
    rivals = np.nan_to_num(similar)
    result: Singles = np.maximum(_best_other(rivals), _best_other(rivals.T).T)
    result *= np.float32(-0.5)
    result += similar
    return result


def _best_other(similar: Singles) -> Singles:
    """Return the largest other number of the row of each cell, or 0 if there is none."""
    if similar.shape[1] < 2:
        return np.zeros(similar.shape, dtype=np.float32)
    two = np.partition(similar, -2, axis=1)[:, -2:]
    place = similar.argmax(axis=1)
    result = np.repeat(two[:, 1:], similar.shape[1], axis=1)
    result[np.arange(len(similar)), place] = two[:, 0]
    return result
