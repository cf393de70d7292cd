"""Word links with their posteriors in each direction, and links symmetrised from the two.

In the forward direction each target word has a source word or none, in the backward direction each
source word a target word or none. The score of a link is the geometric mean of both posteriors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bitext.align.links.corpus import Batch
from bitext.align.links.training import BatchPass, LastPass, Trained, linked, placed, rows_of
from bitext.errors import InputError, check_type
from bitext.kernels.arrays import Bools, Ints, Singles, prefix
from bitext.kernels.word_links import METHODS as GROWN
from bitext.kernels.word_links import Links, checked_method, symmetrised
from bitext.model import WordLinks
from bitext.model.word_links import keys

PRODUCT, FORWARD, BACKWARD = "product", "forward", "backward"
METHODS = (PRODUCT, FORWARD, BACKWARD, *GROWN)


class Directions(NamedTuple):
    """The posteriors of links in both directions."""

    # The probability that the target word is linked with the source word, rather than with another
    # or none. Shape (links,).
    forward: Singles
    # Likewise, that the source word is linked with the target word. Shape (links,).
    backward: Singles

    @classmethod
    def joined(cls, parts: Sequence[Directions]) -> Directions:
        """Join the posteriors of parts of a corpus."""
        none = cls(*np.zeros((2, 0), dtype=np.float32))
        return cls(*(np.concatenate(side) for side in zip(none, *parts, strict=True)))


def checked(method: str) -> str:
    """Return the name of a method; raise an `OptionError` for an unknown one.

    Examples
    --------
    >>> checked("grow-diag-final:target-rows")
    'grow-diag-final:target-rows'

    """
    return checked_method(method, METHODS)


def directed_links_of(
    trained: Trained, number: int, method: str, at_least: float
) -> tuple[WordLinks, Directions]:
    """Return the links of the sentence pairs of one block, and their posteriors.

    `product` chooses by the score, as `Trained.links` does. `forward` links each target word with
    its most probable source word, `backward` each source word with its most probable target word;
    all other methods combine these two as `bitext.align.symmetrise` does. `at_least` is the
    smallest score of `product`, and the smallest posterior of the links of a direction. The
    confidence of a link is its posterior in the direction of `forward` or `backward`, else its
    score.
    """
    return _combined(_cells(trained, trained.last_pass(number), method, at_least), method)


class _Cells(NamedTuple):
    """The cells of a block that are a link in some way, ascending."""

    ptr: Ints  # where the cells of each sentence pair begin
    links: Links  # the sentence pair (from the first of the block) and positions of each cell
    # `score`, `forward`, `backward`: the score, and the posteriors of both directions.
    score: Singles
    forward: Singles
    backward: Singles
    # Whether the cell is a link of the forward and of the backward direction; for `product`,
    # whether it is a link, twice. Shape (cells, 2).
    ways: Bools


def _cells(trained: Trained, last: LastPass, method: str, at_least: float) -> _Cells:
    columns = []

    def visit(batch: Batch, seen: BatchPass) -> None:
        if method == PRODUCT:
            first = second = linked(np.sqrt(seen.ahead * seen.behind), at_least)
        else:
            first, second = _best(seen.ahead, 1, at_least), _best(seen.behind, 2, at_least)
        ways = np.stack([first, second], axis=-1)
        cells = np.nonzero(first | second)
        both = seen.ahead[cells], seen.behind[cells]
        columns.append((*placed(trained.pieces, batch, cells), *both, ways[cells]))

    last.compute(visit)
    pair, src, tgt, ahead, behind, ways = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    order = np.lexsort((tgt, src, pair))
    pair = pair[order]
    ptr = rows_of(trained.pieces, last.run, pair)
    rows = np.repeat(np.arange(ptr.size - 1), np.diff(ptr))
    # Posteriors above 1 are rounding errors of sums of float32.
    ahead, behind = np.minimum(ahead[order], 1), np.minimum(behind[order], 1)
    links = Links(rows, src[order], tgt[order])
    return _Cells(ptr, links, np.sqrt(ahead * behind), ahead, behind, ways[order])


def _best(posteriors: Singles, axis: int, at_least: float) -> Bools:
    """Return a mask of the most probable link of each word of a side, the first among equals."""
    place = posteriors.argmax(axis=axis, keepdims=True)
    best = np.take_along_axis(posteriors, place, axis=axis) >= np.float32(at_least)
    chosen = np.zeros(posteriors.shape, dtype=np.bool_)
    np.put_along_axis(chosen, place, best, axis=axis)
    return chosen


def _combined(cells: _Cells, method: str) -> tuple[WordLinks, Directions]:
    ahead, behind = (Links(*(side[mask] for side in cells.links)) for mask in cells.ways.T)
    if method in {PRODUCT, FORWARD}:
        chosen = cells.ways[:, 0]
    elif method == BACKWARD:
        chosen = cells.ways[:, 1]
    else:
        chosen_keys, every = keys(symmetrised(ahead, behind, method), cells.links)
        chosen = np.isin(every, chosen_keys)
    pair, src, tgt = (side[chosen] for side in cells.links)
    values = {FORWARD: cells.forward, BACKWARD: cells.backward}
    pairs = cells.ptr.size - 1
    return (
        WordLinks(
            np.searchsorted(pair, np.arange(pairs + 1)),
            src,
            tgt,
            confidences=values.get(method, cells.score)[chosen],
        ),
        Directions(cells.forward[chosen], cells.backward[chosen]),
    )


def symmetrise(
    forward: WordLinks, reverse: WordLinks, *, method: str = "grow-diag-final-and"
) -> WordLinks:
    """Combine the word links of two directions into one set of links a sentence pair.

    An aligner that links each target word to one source word at most is run both ways; where both
    runs agree, links are right more often, and links of only one run may be missing from the other.
    All methods give links between the intersection and the union:

    ======================== ==================================================================
    `intersection`           the links that both have
    `union`                  the links that one has
    `grow`                   the intersection; then, round by round, links of the union that are
                             beside one of the set (above, left, below, right) and link a word
                             that has no link yet
    `grow-diag`              likewise, and diagonal neighbours, too
    `grow-diag-final`        likewise; then each link left of `forward`, and after them of
                             `reverse`, that links a word that has no link yet
    `grow-diag-final-and`    likewise, where neither word has a link yet
    `grow-diag:strict`       as `grow-diag`, where neither word of a neighbour has a link yet
    `grow-diag-final:strict` likewise, and at the end where neither word has a link yet
    ======================== ==================================================================

    The set is visited row by row (a row is a source word), with the links that were added ahead
    in the same round, and neighbours are tried in the order (-1, 0), (0, -1), (1, 0), (0, 1),
    (-1, -1), (-1, 1), (1, -1), (1, 1). A name with `:target-rows` after it has target words as
    rows.

    Parameters
    ----------
    forward, reverse : WordLinks
        The same sentence pairs in the same order, **both as source and target of the result**: a
        run of the other direction that is written target first is `reverse.swapped()`.
    method : str
        One of the methods above.

    Returns
    -------
    WordLinks
        As many sentence pairs. Marks of possible links count as links and are gone, as are
        confidences; numbers of words are those of `forward`, else of `reverse`.

    Raises
    ------
    InputError
        When the two have not the same number of sentence pairs.
    OptionError
        When there is no such method.

    Notes
    -----
    The cost is that of sorting the links: 100,000 sentence pairs with 16 links a direction take
    about two seconds.

    **Source**: P. Koehn, F. J. Och and D. Marcu, Statistical Phrase-Based Translation, NAACL 2003;
    the program `symal` of Moses, which decides what the paper leaves open. `:strict` is the
    pseudocode in the manual of Moses, whose growing requires two words without a link where the
    program requires one.

    **Departures**: `symal` holds target words as rows (`:target-rows`). Which one is added first
    of two diagonal neighbours then differs: in 18 of 447 sentence pairs of the Hansards
    with links of fast_align, none with those of GIZA++.

    Examples
    --------
    >>> from bitext import WordLinks
    >>> forward, reverse = WordLinks.parse(["0-0 0-1 3-3"]), WordLinks.parse(["0-0 1-1 3-4"])
    >>> for method in ("intersection", "grow-diag", "grow-diag-final", "grow-diag:strict"):
    ...     print(method, symmetrise(forward, reverse, method=method).spell())
    intersection ['0-0']
    grow-diag ['0-0 0-1 1-1']
    grow-diag-final ['0-0 0-1 1-1 3-3 3-4']
    grow-diag:strict ['0-0 1-1']

    """
    for name, side in (("forward", forward), ("reverse", reverse)):
        check_type(name, side, WordLinks, "WordLinks, as WordLinks.parse(['0-0 1-2', '0-0'])")
    if len(forward) != len(reverse):
        raise InputError(
            f"forward has {len(forward)} sentence pairs and reverse {len(reverse)}: want the links "
            f"of the same pairs, an empty item for a pair without links"
        )
    links = symmetrised(_arrays(forward), _arrays(reverse), method)
    return WordLinks(
        prefix(np.bincount(links.pair, minlength=len(forward))),
        links.src,
        links.tgt,
        src_sizes=reverse.src_sizes if forward.src_sizes is None else forward.src_sizes,
        tgt_sizes=reverse.tgt_sizes if forward.tgt_sizes is None else forward.tgt_sizes,
    )


def _arrays(links: WordLinks) -> Links:
    between = links.without_null()
    return Links(between.pair, between.src, between.tgt)
