"""Word links of sentence pairs scored against a gold standard: precision, recall, F and AER."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, many
from bitext.kernels.arrays import Bools, Ints, prefix
from bitext.metrics.registry import metric
from bitext.model import Alignment, Bitext, Counts, CountsTable, WordLinks
from bitext.model.word_links import blocks, keys

if TYPE_CHECKING:
    Linked = WordLinks | Bitext | Alignment

_SURE_MARK = 2  # of a sure link; a possible one has 1
# Pairs of words a link up to which a table of all pairs is read; above, links are searched for.
_SPARSE_FACTOR = 64


def _link_scores_many(
    golds: Sequence[Linked], hyps: Sequence[Linked], *, sure_only: bool = False
) -> CountsTable:
    """Return the counts of each sentence pair of two `WordLinks`, or of each item of two lists."""
    if isinstance(golds, WordLinks) and isinstance(hyps, WordLinks):
        return CountsTable(link_counts(golds, hyps, sure_only=sure_only))
    if len(golds) != len(hyps):
        raise InputError(f"{len(golds)} gold standards and {len(hyps)} hypotheses: want as many")
    parts = [[_links(each, name) for each in family] for family, name in _named(golds, hyps)]
    for k, (gold, hyp) in enumerate(zip(*parts, strict=True)):
        _check_same(gold, hyp, f"item {k}: ")
    if not parts[0]:
        return CountsTable(np.zeros((0, 4), dtype=np.int64))
    counts = link_counts(WordLinks.join(parts[0]), WordLinks.join(parts[1]), sure_only=sure_only)
    ends = prefix(np.array([len(gold) for gold in parts[0]], dtype=np.int64))
    return CountsTable(np.diff(prefix(counts.T)[:, ends], axis=1).T)


@metric(
    "link-scores",
    over="word links",
    better="higher",
    source="Och and Ney 2003; F weighed: Fraser and Marcu 2007",
    many=_link_scores_many,
    measures=("precision", "recall", "f1", "aer"),
)
def link_scores(gold: Linked, hyp: Linked, *, sure_only: bool = False) -> Counts:
    """Precision, recall, F and alignment error rate (AER) of word links.

    A gold standard has sure links S and possible links P, with S within P; a hypothesis A has links
    of one kind, whatever their marks:

        precision = |A n P| / |A|      recall = |A n S| / |S|
        AER = 1 - (|A n S| + |A n P|) / (|A| + |S|)
        F(alpha) = 1 / (alpha / precision + (1 - alpha) / recall)

    All are between 0 and 1. Precision, recall and F are better when higher, AER when lower.

    Parameters
    ----------
    gold, hyp : WordLinks, Bitext or Alignment
        The links of the same sentence pairs in the same order; a `Bitext` or an `Alignment` has
        them in its column `words`. A gold link marked as possible is in P alone; without marks
        P = S. Links to no word (`NULL`) count like others; `WordLinks.without_null` removes them.
    sure_only : bool
        Whether only sure links count in the gold standard: P = S.

    Returns
    -------
    Counts
        `hits` is |A n P|, `proposed` |A|, `expected` |S|, `found` |A n S|; they add over sentence
        pairs, and give `precision`, `recall`, `f1`, `f(alpha)` and `aer`. Precision is `nan` where
        nothing is proposed, recall where nothing is sure, AER and F where both hold: 0/0, with
        the reason in `undefined`. `link_scores.many` returns the counts of each sentence pair of
        two `WordLinks`, and of each item of two lists.

    Raises
    ------
    InputError
        When the numbers of sentence pairs differ, or one of the two has no word links.

    Notes
    -----
    **Source**: F. J. Och and H. Ney, A Systematic Comparison of Various Statistical Alignment
    Models, Computational Linguistics 29(1), 2003, section 6. F(alpha): A. Fraser and D. Marcu,
    Measuring Word Alignment Quality for Statistical Machine Translation, Computational Linguistics
    33(3), 2007, who show that AER and F(.5) with sure and possible links may favour the worse
    alignment; `sure_only` with another alpha is their measure.

    **Departures**: none are known. Counts are pooled here; tables that average the precision and
    recall of single sentences differ.

    Examples
    --------
    >>> gold = WordLinks.parse(["0-0 1-1 2p2 3-3", "0-0 1p0 1-1"])
    >>> wrong = WordLinks.parse(["0-3 1-2 2-1 3-0", "1-0 0-1"])
    >>> result = link_scores(gold, wrong)
    >>> result.hits, result.proposed, result.found, result.expected, round(result.aer, 4)
    (1, 6, 0, 5, 0.9091)
    >>> link_scores.many(gold, wrong)[1].precision
    0.5

    """
    links = [_links(each, name) for (each,), name in _named([gold], [hyp])]
    counts = link_counts(links[0], links[1], sure_only=sure_only).sum(axis=0).tolist()
    return Counts(*counts)


def _named(
    golds: Sequence[Linked], hyps: Sequence[Linked]
) -> tuple[tuple[Sequence[Linked], str], tuple[Sequence[Linked], str]]:
    return (golds, "the gold standard"), (hyps, "the hypothesis")


def _links(given: Linked, name: str) -> WordLinks:
    if isinstance(given, WordLinks):
        return given
    alignment = given.alignment if isinstance(given, Bitext) else given
    if not isinstance(alignment, Alignment):
        raise InputError(
            f"{name} is {given!r:.40}, of type {type(given).__name__}: want WordLinks, a Bitext or "
            f"an Alignment"
        )
    links = alignment.word_links()
    if links is None:
        if not len(alignment):
            return WordLinks.parse([])
        raise InputError(f"{name} has no word links (a column {'words'!r}): align its words first")
    return links


def _check_same(gold: WordLinks, hyp: WordLinks, where: str = "") -> None:
    if len(gold) != len(hyp):
        raise InputError(
            f"{where}the gold standard has {many(len(gold), 'sentence pair')} and the hypothesis "
            f"{len(hyp)}: want the links of the same sentence pairs, an empty line for a pair "
            f"without links"
        )


def link_counts(gold: WordLinks, hyp: WordLinks, *, sure_only: bool) -> Ints:
    """Return |A n P|, |A|, |S| and |A n S| of each pair: shape (pairs, 4)."""
    _check_same(gold, hyp)
    if sure_only:
        gold = gold.where(gold.sure)
    hits = np.zeros(len(gold), dtype=np.int64)
    sure_found = np.zeros(len(gold), dtype=np.int64)
    for begin, end in blocks(np.maximum(gold.ptr, hyp.ptr)):
        sides = [
            (np.repeat(np.arange(end - begin), np.diff(part.ptr)), part.src, part.tgt)
            for part in (gold[begin:end], hyp[begin:end])
        ]
        gold_keys, proposed = keys(*sides)
        if not gold_keys.size:
            continue
        got = _marks(gold_keys, gold[begin:end].sure, proposed)
        row = sides[1][0]
        hits[begin:end] = np.bincount(row[got > 0], minlength=end - begin)
        sure_found[begin:end] = np.bincount(row[got == _SURE_MARK], minlength=end - begin)
    every = bool(gold.sure.all())
    expected = np.diff(gold.ptr if every else prefix(gold.sure.astype(np.int64))[gold.ptr])
    return np.stack([hits, np.diff(hyp.ptr), expected, sure_found], axis=1)


def _marks(gold_keys: Ints, sure: Bools, proposed: Ints) -> NDArray[np.uint8]:
    """Return the mark of each proposed link: 0 (not a gold link), 1 (possible) or 2 (sure)."""
    marks = sure.astype(np.uint8) + np.uint8(1)
    cells = 1 + int(max(gold_keys.max(), proposed.max(initial=0)))
    if cells <= _SPARSE_FACTOR * (gold_keys.size + proposed.size):
        # A table of all pairs of words of some sentences is faster than a search for each link.
        table = np.zeros(cells, dtype=np.uint8)
        table[gold_keys] = marks
        return table[proposed]
    place = np.minimum(np.searchsorted(gold_keys, proposed), gold_keys.size - 1)
    return np.where(gold_keys[place] == proposed, marks[place], np.uint8(0))
