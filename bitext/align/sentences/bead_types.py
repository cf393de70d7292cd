"""The types of beads in an alignment of sentences, and their priors.

A bead a-b puts a sentences of the source with b of the target. 1-0 and 0-1 are sentences without
a translation; no other bead has an empty side. First come the kinds of text pairs, as their sizes
decide which types and priors are tried; then the types, the usual priors and those of each kind,
and estimates from counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import index

import numpy as np

from bitext.errors import OptionError
from bitext.kernels.arrays import Floats, prefix
from bitext.kernels.compiled_words import codes_of, word_kernels
from bitext.model import Text

# Kinds of text pairs, by their sizes.
#
# Translators divide and join only some sentences. So if one text has far more sentences than the
# other, and both have about the same length, it is cut more finely, such as verses beside
# sentences. If it is also longer, the other text is an abridged translation, or an excerpt.

FINELY = 8
"""Sentences beside one, at most, where a text is cut more finely and no beads were asked for."""

_NARROW, _WIDE = 2, 5  # halves of a letter: Chinese and Japanese characters count 2.5 letters
_SENTENCES_AT_ONCE = 4096  # sentences counted at once: memory only
# Log ratio of sentences, above which one text is cut more finely
_UNEQUAL_LOG_RATIO = math.log(1.4)
# Log ratios of sentences and of lengths of a text and its excerpt.
_MORE, _LONGER = math.log(3.0), math.log(1.5)
# Log ratios of sentences and of lengths of a text and its abridgement.
_FEWER, _SHORTER = math.log(1.2), math.log(1.1)


def letters_of(sentences: Sequence[str]) -> Floats:
    """Return the length of each sentence in letters: its characters without spaces, plus 1.

    Wide characters count as 2.5.
    """
    sizes = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    codes = codes_of("".join(sentences))
    if (kernels := word_kernels.after(0)) is not None:
        sums = np.empty(len(sizes), dtype=np.int64)
        kernels.weight_sums(codes, prefix(sizes), _NARROW, _WIDE, sums)
        return sums / _NARROW + 1.0
    worth = np.full(len(codes), _NARROW, dtype=np.uint8)
    worth[codes >= 0x2E80] = _WIDE
    worth[(codes <= 0x20) | (codes == 0xA0) | (codes == 0x3000)] = 0
    total = np.zeros(len(codes) + 1, dtype=np.int64)
    np.cumsum(worth, out=total[1:])
    ends = np.cumsum(sizes)
    result: Floats = (total[ends] - total[ends - sizes]) / _NARROW + 1.0
    return result


def letters_by_part(sentences: Iterable[str]) -> Iterator[Floats]:
    """Yield the lengths of some thousand sentences at a time, as `letters_of` returns them."""
    lines = iter(sentences)
    while batch := list(islice(lines, _SENTENCES_AT_ONCE)):
        yield letters_of(batch)


def length_ratio(src: Iterable[Text], tgt: Iterable[Text]) -> float:
    """Return the ratio of the lengths of target and source texts.

    Texts of which only ids are known do not count.

    Examples
    --------
    >>> from bitext.model import Text
    >>> round(length_ratio([Text(["It rains."])], [Text(["Es regnet.", "Niemand kommt."])]), 2)
    2.5

    """
    lengths = [1.0, 1.0]
    for side, texts in enumerate((src, tgt)):
        for text in texts:
            if text.has_text:
                lengths[side] += sum(float(part.sum()) for part in letters_by_part(text.segments()))
    return lengths[1] / lengths[0]


def are_unequal(ratio: float) -> bool:
    """Check whether translators would not produce a ratio of sentence counts.

    That is a ratio from 1.4 to 8, or its reciprocal. Beyond 8 no text is cut so much more finely:
    the other one is an excerpt.
    """
    return ratio > 0.0 and _UNEQUAL_LOG_RATIO < abs(math.log(ratio)) <= math.log(FINELY)


def sentence_ratio(src: int, tgt: int, lengths: Callable[[], float]) -> float:
    """Return the number of target sentences for one of the source.

    No bead has more than 8 sentences for one. If the ratio is greater and the texts have about the
    same length, the ratio is taken as 8. Otherwise the shorter text is an excerpt of the other.

    `lengths` returns the length of the target for a length of 1 of the source; it is called only if
    needed.

    Examples
    --------
    >>> sentence_ratio(10, 20, lambda: 1.0)
    2.0
    >>> sentence_ratio(10, 300, lambda: 1.1), sentence_ratio(10, 300, lambda: 25.0)
    (8, 30.0)

    """
    ratio = tgt / src if src else 0.0
    if not ratio or 1 / FINELY <= ratio <= FINELY or are_excerpts(ratio, lengths()):
        return ratio
    return FINELY if ratio > 1 else 1 / FINELY


def are_excerpts(sentences: float, lengths: float) -> bool:
    """Judge whether one of two texts may be an excerpt of the other, by their sizes.

    `sentences` is the number of target sentences for one of the source, and `lengths` the length of
    the target for a length of 1 of the source. Both are above 0.

    Examples
    --------
    >>> are_excerpts(0.1, 0.1), are_excerpts(0.1, 1.2), are_excerpts(2.0, 2.0)
    (True, False, False)

    """
    return _are_apart(sentences, lengths, _MORE, _LONGER)


def may_be_abridged(sentences: float, lengths: float) -> bool:
    """Judge whether one of two texts may be an abridgement of the other, by their sizes.

    This needs a ratio of 1.2 or more, or its reciprocal: divided sentences explain smaller ratios.
    Both ratios are as in `are_excerpts`.

    Examples
    --------
    >>> may_be_abridged(0.5, 0.6), may_be_abridged(0.5, 1.1), may_be_abridged(0.9, 0.9)
    (True, False, False)

    """
    return _are_apart(sentences, lengths, _FEWER, _SHORTER)


def _are_apart(
    sentences: float, lengths: float, least_sentences: float, least_lengths: float
) -> bool:
    """Check whether two ratios are far from 1 in the same direction."""
    apart = math.log(sentences)
    far = math.log(lengths) * math.copysign(1.0, apart)
    return abs(apart) >= least_sentences and far >= least_lengths


Bead = tuple[int, int]

DEFAULT_BEADS: tuple[Bead, ...] = (
    *((1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)),
    *((3, 1), (1, 3), (3, 2), (2, 3), (4, 1), (1, 4)),
)
_ALWAYS = DEFAULT_BEADS[:3]  # without these types some pairs of texts would have no alignment
_MOST_SENTENCES = 9  # sentences on a side of a bead
_BEAD = r"\d{1,9}\s*-\s*\d{1,9}"
_SPELLED = re.compile(rf"\s*(max\s)?\s*({_BEAD}(?:\s*,\s*{_BEAD})*)\s*")
# Set by hand, roughly as in published alignments by hand; 40 beads of a text weigh as much. Other
# types are the rarer, the more sentences they have.
_USUAL = {(1, 1): 0.8, (1, 0): 0.015, (0, 1): 0.015, (2, 1): 0.05, (1, 2): 0.05, (2, 2): 0.012}
# Set by hand. Change of F1 if halved and if doubled, by alignment_constants.py on parice, text+berg
# and maligna: _ALONE 0 and -.016, _AGAINST_FACTOR 0 and 0, _PRIOR_BEADS -.010 and -.003,
# _BOTH_FACTOR -.001 and 0, _PRIOR_BEADS_BOTH -.001 and -.001; on parice and text+berg alone,
# _RARE_PRIOR -.011 and -.003, _MORE_FACTOR -.003 and 0.
_RARE_PRIOR = 0.01  # usual prior of a bead of four sentences, one of them on a side
_MORE_FACTOR = 0.4  # factor of this prior for each more sentence of a bead
_ALONE = 0.15  # prior of 1-0, and of 0-1, in texts with many omissions
_AGAINST_FACTOR = 0.1  # factor of the priors of beads with several sentences of the coarser text
_LOWEST_PRIOR = 1e-12  # prior that stands for 0, whose logarithm is finite
_PRIOR_BEADS = 40.0  # weight of the usual priors, in beads
# The best path has too few beads of several sentences on both sides, since it divides them if it
# can. So their prior is higher than their frequency in the path, and has a greater weight.
_BOTH_FACTOR = 4.0  # factor of the prior
_PRIOR_BEADS_BOTH = 200.0  # weight of this prior, in beads


def bead_types(beads: str | Iterable[tuple[int, int]] = "") -> tuple[Bead, ...]:
    """Return the beads of a specification, those of fewer sentences first.

    The string `"4-1,1-4"` lists bead types, and `"max 3-2"` stands for all types with at most 3
    source and 2 target sentences. The result always includes 1-1, 1-0 and 0-1. An empty string
    stands for the types up to 4-1, 1-4, 2-2, 3-2 and 2-3.

    Raises
    ------
    OptionError
        When the string has another form, or a bead has an empty side, or more than 9 sentences on
        one.

    Examples
    --------
    >>> bead_types("2-1, 1-2")
    ((1, 1), (1, 0), (0, 1), (1, 2), (2, 1))
    >>> len(bead_types("max 3-3")), bead_types("")[-1]
    (11, (1, 4))

    """
    if not beads:
        return DEFAULT_BEADS
    types: list[Bead]
    if isinstance(beads, str):
        whole = _SPELLED.fullmatch(beads)
        if whole is None or (whole[1] and "," in whole[2]):
            raise OptionError(f"the beads are {beads!r:.60}: want '4-1,1-4,2-2' or 'max 3-3'")
        sizes = [bead.split("-") for bead in whole[2].split(",")]
        types = [(int(a), int(b)) for a, b in sizes]
        _check(types)
        if whole[1]:
            most = types[0]
            types = [(a, b) for a in range(1, most[0] + 1) for b in range(1, most[1] + 1)]
    else:
        try:
            types = [(index(a), index(b)) for a, b in beads]
        except (TypeError, ValueError):
            raise OptionError(f"the beads are {beads!r:.60}: want pairs of whole numbers") from None
        _check(types)
    more = sorted(set(types) - set(_ALWAYS), key=lambda bead: (sum(bead), bead))
    return (*_ALWAYS, *more)


def _check(beads: Iterable[Bead]) -> None:
    for a, b in beads:
        if (a, b) not in _ALWAYS and not (1 <= a <= _MOST_SENTENCES and 1 <= b <= _MOST_SENTENCES):
            raise OptionError(
                f"a bead {a}-{b}: want 1 to {_MOST_SENTENCES} sentences a side, or 1-0 or 0-1"
            )


def beads_for(beads: Sequence[tuple[int, int]], ratio: float) -> tuple[Bead, ...]:
    """Return the bead types for two texts, one of which may be cut more finely than the other.

    `ratio` is the number of target sentences for one of the source. If it is `are_unequal`, and
    `beads` are the default types, beads of 5 to 8 sentences beside one of the text that has fewer
    are added.

    Examples
    --------
    >>> beads_for(DEFAULT_BEADS, 0.5)[len(DEFAULT_BEADS) :]
    ((5, 1), (6, 1), (7, 1), (8, 1))
    >>> beads_for(((1, 1), (1, 0), (0, 1)), 0.5)
    ((1, 1), (1, 0), (0, 1))

    """
    types = tuple(beads)
    if set(types) != set(DEFAULT_BEADS) or not are_unequal(ratio):
        return types
    most = max(sum(bead) for bead in types) - 1
    sizes = range(most + 1, FINELY + 1)
    return (*types, *((1, k) if ratio > 1 else (k, 1) for k in sizes))


def without_finer(beads: Sequence[tuple[int, int]], priors: Floats) -> Floats:
    """Return priors without the bead types of texts that are cut more finely.

    `priors` has the prior of each bead type. In the result, the types that `beads_for` adds have a
    prior of nearly 0; the other priors stay.

    Examples
    --------
    >>> kinds = beads_for(DEFAULT_BEADS, 0.5)
    >>> without_finer(kinds, np.full(len(kinds), 0.1))[-5:].tolist()
    [0.1, 1e-12, 1e-12, 1e-12, 1e-12]

    """
    if not set(DEFAULT_BEADS) < set(beads):
        return priors
    added = [bead not in DEFAULT_BEADS for bead in beads]
    return np.where(added, np.minimum(priors, _LOWEST_PRIOR), priors)


def usual_priors(beads: Iterable[Bead]) -> Floats:
    """Return the usual prior of each bead type; the sum is 1."""
    usual = [
        _USUAL.get(bead) or _RARE_PRIOR * _MORE_FACTOR ** (sum(bead) - 4) / min(bead)
        for bead in beads
    ]
    return np.array(usual) / sum(usual)


def finely_cut_priors(beads: Sequence[tuple[int, int]], usual: Floats, ratio: float) -> Floats:
    """Return priors for texts of which one is cut more finely, such as verses beside sentences.

    A sentence of the coarser text corresponds to 1 + n sentences of the finer one, where n has a
    Poisson distribution. Sentences without a translation, and beads of several sentences on both
    sides, are as frequent as before; beads of several sentences of the coarser text for one of the
    finer are rarer.

    `usual` has the prior of each bead type for texts that are cut alike. `ratio` is the number of
    target sentences for one of the source, above 0 and not 1. The sum of the priors is 1, before
    and after.

    Examples
    --------
    >>> beads = [(1, 1), (1, 0), (0, 1), (1, 2), (1, 3)]
    >>> finely_cut_priors(beads, np.array([0.85, 0.05, 0.05, 0.04, 0.01]), 2.0).round(3).tolist()
    [0.36, 0.05, 0.05, 0.36, 0.18]

    """
    coarse, fine = np.array(beads).T[:: 1 if ratio >= 1 else -1]
    poisson = max(ratio, 1 / ratio) - 1
    against = (fine == 1) & (coarse > 1)
    priors = np.where(against, usual * _AGAINST_FACTOR, usual)
    one = (coarse == 1) & (fine >= 1)
    more = np.array([poisson**k / math.factorial(k) for k in (fine[one] - 1).tolist()])
    priors[one] = more * (1.0 - priors[~one].sum()) / more.sum()
    return priors


def abridged(beads: Sequence[tuple[int, int]], usual: Floats, ratio: float) -> Floats:
    """Adapt priors to texts of which one omits the surplus sentences of the other.

    `usual` has the prior of each bead type for texts without omissions. `ratio` is the number of
    target sentences for one of the source, above 0. The sum of the priors is 1, before and after.

    Examples
    --------
    >>> abridged([(1, 1), (1, 0), (0, 1)], np.array([0.9, 0.05, 0.05]), 0.5).round(3).tolist()
    [0.474, 0.5, 0.026]

    """
    left, alone = 1.0 - min(ratio, 1 / ratio), list(beads).index((0, 1) if ratio > 1 else (1, 0))
    priors: Floats = usual * (1.0 - left) / (1.0 - usual[alone])
    priors[alone] = left
    return priors


def starts(beads: Iterable[tuple[int, int]], many: float = 1.0) -> list[Floats]:
    """List the priors of several kinds of texts, before any text is aligned.

    The first are the usual ones; the second are for texts with many sentences without a
    translation. The usual priors would spread such sentences over beads of many sentences, and
    estimates from these beads would repeat the error. The third, if one text has many more
    sentences than the other, are for a text that is cut more finely, such as verses beside
    sentences (`finely_cut_priors`). `many` is the number of target sentences for one of the source.

    Examples
    --------
    >>> [priors.round(3).tolist() for priors in starts([(1, 1), (1, 0), (0, 1)])]
    [[0.964, 0.018, 0.018], [0.7, 0.15, 0.15]]
    >>> [priors.round(3).tolist() for priors in starts([(1, 1), (1, 0), (0, 1), (1, 2)], 1.5)][2]
    [0.644, 0.017, 0.017, 0.322]

    """
    kinds = list(beads)
    usual = usual_priors(kinds)
    alone = np.array([not min(bead) for bead in kinds])
    left = np.where(alone, _ALONE, usual * (1 - 2 * _ALONE) / usual[~alone].sum())
    priors = [usual, left]
    if are_unequal(many):
        priors.append(finely_cut_priors(kinds, usual, many))
    return priors


def smoothed_priors(beads: Iterable[Bead], counts: Floats, usual: Floats | None = None) -> Floats:
    """Estimate priors from counts, smoothed by the usual priors.

    The usual priors weigh as much as 40 beads. Beads of several sentences on both sides are
    expected to be 4 times as frequent as usual, with the weight of 200 beads.

    `counts` has how often each type occurs in the texts at hand, and `usual` the usual prior of
    each type, by default `usual_priors`. The result is above 0, with the sum 1.
    """
    kinds = list(beads)
    both = np.array([min(bead) > 1 for bead in kinds])
    usual = usual_priors(kinds) if usual is None else usual
    result = counts + _PRIOR_BEADS * usual
    # The share of these in all beads comes first; the other types divide the rest.
    expected = usual * np.where(both, _BOTH_FACTOR, 1.0)
    expected /= expected.sum()
    result[both] = ((counts + _PRIOR_BEADS_BOTH * expected) / (counts.sum() + _PRIOR_BEADS_BOTH))[
        both
    ]
    result[~both] *= (1.0 - result[both].sum()) / result[~both].sum()
    return result


def leave_one_out_counts(beads: Sequence[Bead], counts: Floats) -> Floats:
    """Return the counts of bead types without the bead itself.

    The only evidence for a bead with an empty side is the frequency of its type. If it counted for
    itself, it would confirm itself, so its count is one less. The last axis of `counts` has the
    bead types.

    Examples
    --------
    >>> leave_one_out_counts([(1, 1), (1, 0), (0, 1)], np.array([90.0, 3.0, 0.0])).tolist()
    [90.0, 2.0, 0.0]

    """
    alone = np.array([not min(bead) for bead in beads])
    result: Floats = np.maximum(counts - alone, 0.0)
    return result


def estimate_text_priors(
    beads: Sequence[Bead], counts: Floats, *, trust: float = 0.0
) -> tuple[Floats, Floats]:
    """Estimate the priors of bead types over a corpus, and in each text.

    One text may be abridged while the others are not. So the priors of each text come from its own
    beads (`leave_one_out_counts`), smoothed by the priors of the other texts as by
    `smoothed_priors`.

    `counts` has the shape (texts, beads), as `beads_of_path` counts; `trust` is the largest weight
    of the priors of the other texts, in beads. The priors of the corpus have the shape (beads,),
    those of the texts (texts, beads).

    Examples
    --------
    >>> counts = np.array([[900.0, 100.0, 0.0], [300.0, 0.0, 0.0]])
    >>> priors, own = estimate_text_priors([(1, 1), (1, 0), (0, 1)], counts)
    >>> priors.round(3).tolist()
    [0.925, 0.074, 0.001]
    >>> own.round(3).tolist()
    [[0.905, 0.095, 0.0], [0.989, 0.011, 0.0]]

    """
    total = counts.sum(axis=0)
    others = total - counts
    known = np.minimum(others.sum(axis=1, keepdims=True), trust)
    others += _PRIOR_BEADS * usual_priors(beads)
    others /= others.sum(axis=1, keepdims=True)
    counted = zip(leave_one_out_counts(beads, counts) + known * others, others, strict=True)
    own = [smoothed_priors(beads, *one) for one in counted]
    priors = smoothed_priors(beads, leave_one_out_counts(beads, total))
    return priors, np.array(own).reshape(counts.shape)


def share_alone(beads: Iterable[Bead], priors: Floats) -> float:
    """Return the share of sentences without a translation.

    Examples
    --------
    >>> share_alone([(1, 1), (1, 0), (0, 1)], np.array([0.5, 0.25, 0.25]))
    0.5

    """
    return float(priors[[not min(bead) for bead in beads]].sum())
