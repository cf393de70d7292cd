"""Training of word links: expectation and counting, block by block.

Both directions share the counts of links, and each has a hidden Markov model. A link is counted
with the product of its posteriors in both, so that only links count on which the directions agree;
and with less where one of its words has no good link at all.

The probability of a translation is its mean under a prior (Dirichlet), with the counts of all
links but those of the sentence pair's own cell: a word that occurs once then gives no evidence for
itself. The prior of a word pair is the translation of its families, and theirs is the frequency of
the word times the lift of the pair's classes (`evidence`).

A corpus of several blocks begins with the first. Each later one is trained with the counts of the
first and its own, so that the blocks may be trained in any order and by several processes. Then the
counts of all blocks are added up, and a last pass over each computes the posteriors with their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.links.corpus import (
    CELLS,
    Batch,
    Block,
    Pieces,
    Words,
    block_of,
    blocks,
    count_tokens,
    cut,
)
from bitext.align.links.evidence import BlockCounts, Classes, Evidence, Lifts, Memory, summed
from bitext.align.links.similarity import CLASSES, BlockNearness, Nearness, near_lifts
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, prefix
from bitext.kernels.word_links import JUMPS, forward_backward, initial_jumps
from bitext.model import WordLinks

if TYPE_CHECKING:
    from bitext.align.links.evidence import Sides

    Each = Callable[[str, Callable[[int], Any], Sequence[int]], Iterator[Any]]

# Set by hand, round numbers: see scripts/bench/link_constants.md.
WORD_PRIOR = 10.0  # links that the translation of the families counts for, for each word
_FAMILY_PRIOR = 10.0  # links that frequency and lifts count for, for each family
NULL_SHARE = 0.2  # share of words without a link, as in eflomal
_NULL_PRIOR = 10.0  # words by frequency, added to those without a link
_JUMP_PRIOR = 10.0  # jumps, added to those of each width
_FIRST_BLOCK_PASSES = (False, False, True, True, True, True)  # passes of the first block
# Passes of later blocks, which begin with the counts of earlier ones
_LATER_BLOCK_PASSES = (True, True, True)
_LEAST_LEXICON_LINKS = 0.3  # smallest expected number of links of a word pair in the lexicon
_LEAST_TOKEN_SHARE = 0.01  # smallest share of the tokens of one of its words
# Largest share of a word that is explained, as in lexicons of sentence alignment
_LARGEST_EXPLAINED = 0.8
_LEAST_COUNT = 0.01  # smallest posterior, and count, of a block that is recorded: memory only
_CELLS_AT_ONCE = 1 << 22  # cells counted at once: memory only
RIVAL = 0.5  # share of the best score of its words that a link has at least; set by hand
_DOUBT_POWER = 0.2  # power of the best posterior of a word, with which its cells are counted
_TINY = np.float32(1e-30)  # smallest divisor: a sum of 0 then divides zeros


class _Model(NamedTuple):
    """The probabilities that one pass over a block uses."""

    # Of each word pair and direction the numerator of its translation, and how much of it a link of
    # the own cell makes up. The last row is 0, for padding. Shape (word pairs + 1, 4).
    rows: Singles
    # The denominators, with the counts of the own sentence pair. Shape (vocabulary + 1,).
    totals: tuple[Singles, Singles]
    null: tuple[_Null, _Null]  # the words without a link of both sides
    jumps: Floats  # shape (2, JUMPS)
    # The class of each cell by the similarity of vectors, and the lift of each class.
    near: tuple[NDArray[np.uint8], Singles] | None


class _Null(NamedTuple):
    """The probability of the words of one side as words without a link."""

    # `counted`, `prior`: the share of each word that comes from its count, and from the prior;
    # shape (vocabulary + 1,).
    counted: Singles
    prior: Singles
    token: np.float32  # the share that a single token has by its count

    def without(self, words: NDArray[np.int32], linked: Singles) -> Singles:
        """Return the probability of words without the counts of their own tokens.

        `linked` is how much of each token counts as linked; the rest counts as unlinked.
        """
        others = self.counted[words] - (1 - linked) * self.token
        return np.maximum(others, 0) + self.prior[words]


class _Task(NamedTuple):
    """A block with properties of its word pairs."""

    block: Block
    classes: Classes
    # The expected number of links of each word pair if words were linked at random. Shape (word
    # pairs,).
    chance: Floats
    cells: Floats  # the number of cells of each word pair; shape (word pairs,)
    key: Ints  # the key of each word pair, as in `Memory`; shape (word pairs,)
    tokens: Sides  # the number of tokens of each word in the block; shape (vocabulary,)
    # The classes of the cells by the similarity of vectors, if there are some.
    near: BlockNearness | None


class _Counts(NamedTuple):
    """Expected counts of a block after a pass."""

    links: Floats  # shape (word pairs,)
    jumps: Floats  # shape (2, JUMPS)
    lifts: Lifts
    # The expected number of links of each class of nearness; zeros without vectors. Shape
    # (CLASSES,).
    near: Floats


class BatchPass(NamedTuple):
    """The probabilities of a batch in a pass; arrays are those of the pass, not to be changed."""

    # `forward`, `backward`: p(t|s) and p(s|t) of each cell; with vectors, times the lift of their
    # similarity; shape (pieces, source positions, target positions).
    forward: Singles
    backward: Singles
    # The probability of each word as a word without a link.
    null: tuple[Singles, Singles]
    # `ahead`, `behind`: the posterior of each link, of target words given the source, and of source
    # words given the target; shape (pieces, source positions, target positions).
    ahead: Singles
    behind: Singles


class LastPass(NamedTuple):
    """The pass over a block after training, which computes the scores of all cells."""

    run: slice  # the pieces of the block
    block: Block
    model: _Model
    # Before `compute` the posteriors with which each cell was counted, then the scores. Shape
    # (cells,).
    scores: Singles

    def compute(self, visit: Callable[[Batch, BatchPass], None] | None = None) -> None:
        """Replace the posteriors by scores, the geometric means of both directions.

        `visit` is called for each batch with what its scores are computed from.
        """
        _expect(self.block, self.model, self.scores, last=True, visit=visit)


class Trained(NamedTuple):
    """The result of training, from which the links and the lexicon of a corpus are computed."""

    words: tuple[Words, Words]
    pieces: Pieces
    runs: list[slice]  # the pieces of each block
    evidence: Evidence
    memory: Memory  # the counts of all blocks
    # By the numbers of blocks, the cells with a posterior of 0.01 at least, and their posteriors.
    likely: dict[int, tuple[NDArray[np.int32], NDArray[np.float16]]]
    # The only block with its last posteriors and the model after them; `None` for several blocks.
    whole: tuple[_Task, Singles, _Model] | None
    near: Nearness | None  # the classes of all cells by the similarity of vectors

    def links(self, at_least: float) -> Iterator[WordLinks]:
        """Yield the links of all sentence pairs, block by block, in order.

        The confidence of a link is its score: the geometric mean of its posteriors in both
        directions. Links have a score of `at_least`, above 0, or more.
        """
        for number in range(len(self.runs)):
            yield self.links_of(number, at_least)

    def links_of(self, number: int, at_least: float) -> WordLinks:
        """Return the links of the sentence pairs of one block; see `links`."""
        last = self.last_pass(number)
        last.compute()
        return _links(last.block, self.pieces, last.run, last.scores, at_least)

    def last_pass(self, number: int) -> LastPass:
        """Return the last pass over a block, before it is computed."""
        run = self.runs[number]
        if self.whole is not None:
            task, counted, model = self.whole
            return LastPass(run, task.block, model, counted.copy())
        where, values = self.likely[number]
        task = _task(self.pieces, run, self.words, self.evidence, self.near)
        scores = np.zeros(task.block.cells.size, dtype=np.float32)
        scores[where] = values
        known = self.memory.of(task.key)
        return LastPass(
            run, task.block, _model(task, self.evidence, self.memory, known, None), scores
        )

    def lexicon(self) -> Lexicon:
        """Return the word pairs with the shares of the tokens of both words that are so linked.

        Pairs below 0.3 expected links, or below 0.01 of the tokens of both words, are left out.
        """
        memory = self.memory
        src, tgt = np.divmod(memory.key, max(memory.tokens[1].size, 1))
        tokens = [np.maximum(side, 1.0) for side in memory.tokens]
        shares = memory.links / tokens[0][src], memory.links / tokens[1][tgt]
        chosen = (memory.links >= _LEAST_LEXICON_LINKS) & (
            np.maximum(*shares) >= _LEAST_TOKEN_SHARE
        )
        known = [
            np.minimum(total / side, _LARGEST_EXPLAINED)
            for total, side in zip(memory.totals, tokens, strict=True)
        ]
        pairs = WordPairs(
            src[chosen].astype(np.int32),
            tgt[chosen].astype(np.int32),
            shares[0][chosen],
            shares[1][chosen],
            known[0],
            known[1],
        )
        src_words, tgt_words = (Vocabulary(side.forms) for side in self.words)
        return Lexicon(src_words, tgt_words, pairs)


def in_turn(kind: str, work: Callable[[int], Any], numbers: Sequence[int]) -> Iterator[Any]:
    """Do the work of one kind, block by block, in this process."""
    del kind
    return map(work, numbers)


def train(
    src: Words,
    tgt: Words,
    *,
    given: WordPairs | None = None,
    near: Nearness | None = None,
    cells: int | None = None,
    first: Sequence[bool] = _FIRST_BLOCK_PASSES,
    each: Each = in_turn,
    counts: BlockCounts | None = None,
) -> Trained:
    """Train on sentence pairs, block by block.

    Parameters
    ----------
    src, tgt : Words
        As many sentences of each.
    given : WordPairs, optional
        Known translations, in the numbers of the words. Each counts as 10 links, times the
        geometric mean of its probabilities.
    near : Nearness, optional
        The classes of all cells by the similarity of vectors.
    cells : int, optional
        The cells of a block; default: 33,554,432.
    first : sequence of bool
        The passes of the first block: whether each has hidden Markov models, or links each word by
        itself.
    each : callable
        Called with the kind of work, `"count"`, a function and the numbers of blocks; yields the
        results, `BlockCounts`, in the order of the numbers. It may do the work in several
        processes, or know results from before.
    counts : BlockCounts, optional
        The sum of the counts of all blocks, if they were trained before. Then `each` yields those
        of some blocks alone, and `None` for others, whose links cannot be computed.

    Notes
    -----
    For n cells (products of the lengths of sentence pairs), the time is that of 7 passes over n in
    one block, with `Trained.links`; in more, of 4 passes and two constructions of the blocks.
    Memory is 30 bytes a cell of one block in each process, and of the others 6 bytes a likely link
    and 12 a likely word pair.

    """
    pieces = cut(src, tgt)
    evidence = Evidence.of(src, tgt)
    runs = blocks(pieces, CELLS if cells is None else cells)
    start = Memory.empty(len(src.forms), len(tgt.forms), given)
    words = src, tgt
    if len(runs) < 2:
        if not runs:
            return Trained(words, pieces, runs, evidence, start, {}, None, near)
        task = _task(pieces, runs[0], words, evidence, near)
        posteriors, model, counted = _trained(task, evidence, start, first)
        memory = _with_block(start, task, counted)
        return Trained(words, pieces, runs, evidence, memory, {}, (task, posteriors, model), near)
    memory = start

    def count(number: int) -> BlockCounts:
        task = _task(pieces, runs[number], words, evidence, near)
        passes = _LATER_BLOCK_PASSES if number else first
        posteriors, _, counted = _trained(task, evidence, memory, passes)
        return _counts_of(task, counted, posteriors)

    likely = {}

    def recorded(number: int, block_counts: BlockCounts) -> BlockCounts:
        likely[number] = block_counts.cells, block_counts.posteriors
        return block_counts

    # The first block is trained alone; the others start from its counts, so that all number the
    # same translations alike and need fewer passes.
    later = range(1, len(runs))
    if counts is None:
        (seed,) = (recorded(0, block_counts) for block_counts in each("count", count, [0]))
        memory = start.with_counts(seed, _tokens(pieces, runs[0], words))
        counts = summed(chain([seed], map(recorded, later, each("count", count, later))))
    else:
        for number, block_counts in enumerate(each("count", count, range(len(runs)))):
            if block_counts is not None:
                recorded(number, block_counts)
    memory = start.with_counts(counts, _tokens(pieces, slice(None), words))
    return Trained(words, pieces, runs, evidence, memory, likely, None, near)


def _trained(
    task: _Task, evidence: Evidence, memory: Memory, passes: Sequence[bool]
) -> tuple[Singles, _Model, _Counts]:
    """Train on one block; return its last posteriors, the model after them, and its counts."""
    posteriors = np.zeros(task.block.cells.size, dtype=np.float32)
    known = memory.of(task.key)
    model = _model(task, evidence, memory, known, None)
    near = np.zeros(CLASSES)
    counts = _Counts(np.zeros(task.key.size), np.zeros((2, JUMPS)), memory.lifts, near)
    for markov in passes:
        jumps = _expect(task.block, model, posteriors, markov=markov)
        links = _sums(task.block.cells, posteriors, task.key.size)
        if task.near is not None:
            near = _sums(task.near.classes, posteriors, CLASSES)
        lifts = Lifts.estimate(task.classes, links, task.chance, task.cells)
        counts = _Counts(links, jumps, lifts, near)
        model = _model(task, evidence, memory, known, counts)
    return posteriors, model, counts


def _with_sums(memory: Memory, task: _Task, counts: _Counts) -> Memory:
    """Add the sums of a block to those in memory; the counts of word pairs stay."""
    near = memory.near if task.near is None else near_lifts(counts.near, task.near.chance)
    totals = _totals(task, counts.links)
    return memory.with_sums(totals, task.tokens, counts.jumps, counts.lifts, near)


def _with_block(memory: Memory, task: _Task, counts: _Counts) -> Memory:
    chosen = np.flatnonzero(counts.links >= _LEAST_COUNT)
    key, place = np.unique(np.concatenate([memory.key, task.key[chosen]]), return_inverse=True)
    links = np.bincount(
        place, np.concatenate([memory.links, counts.links[chosen]]), key.size
    ).astype(np.float64)
    return _with_sums(memory, task, counts)._replace(key=key, links=links)


def _counts_of(task: _Task, counts: _Counts, posteriors: Singles) -> BlockCounts:
    """Return the counts of a trained block, without those near 0."""
    chosen = np.flatnonzero(counts.links >= _LEAST_COUNT)
    order = chosen[np.argsort(task.key[chosen])]
    totals = _totals(task, counts.links)
    words = [np.flatnonzero(side).astype(np.int32) for side in totals]
    cells = np.flatnonzero(posteriors >= _LEAST_COUNT)
    return BlockCounts(
        task.key[order],
        counts.links[order].astype(np.float32),
        words[0],
        totals[0][words[0]],
        words[1],
        totals[1][words[1]],
        counts.jumps,
        np.stack(
            [_class_sums(task.classes, each) for each in (counts.links, task.chance, task.cells)]
        ),
        np.stack([counts.near, counts.near if task.near is None else task.near.chance]),
        cells.astype(np.int32),
        posteriors[cells].astype(np.float16),
    )


def _class_sums(classes: Classes, values: Floats) -> Floats:
    shape = [each.size for each in Lifts.none()]
    place = classes.spelling * shape[1] + classes.frequency
    sums = np.bincount(place, values, shape[0] * shape[1]).reshape(shape)
    return sums.astype(np.float64)


def _task(
    pieces: Pieces,
    run: slice,
    words: tuple[Words, Words],
    evidence: Evidence,
    near: Nearness | None,
) -> _Task:
    block = block_of(pieces, run, *words)
    weight = np.empty(block.cells.size, dtype=np.float32)
    for batch in block.batches:
        longest = np.maximum(batch.src_mask.sum(axis=1), batch.tgt_mask.sum(axis=1))
        weight[batch.cells].reshape(batch.shape)[...] = (1 / longest)[:, None, None]
    key = block.src.astype(np.int64) * len(words[1].forms) + block.tgt
    return _Task(
        block,
        evidence.classes(block.src, block.tgt, words),
        _sums(block.cells, weight, key.size),
        _sums(block.cells, None, key.size),
        key,
        _tokens(pieces, run, words),
        None if near is None else near.of_block(pieces, block, weight),
    )


def _tokens(pieces: Pieces, run: slice, words: tuple[Words, Words]) -> Sides:
    src, tgt = (
        count_tokens(pieces, run, way, side).astype(np.float64) for way, side in enumerate(words)
    )
    return src, tgt


def _sums(cells: NDArray[np.integer], values: Singles | None, size: int) -> Floats:
    """Sum the values of the cells of each word pair, or class; without values, count the cells."""
    sums = np.zeros(size + 1)
    for begin in range(0, cells.size, _CELLS_AT_ONCE):
        batch = slice(begin, begin + _CELLS_AT_ONCE)
        sums += np.bincount(cells[batch], None if values is None else values[batch], size + 1)
    return sums[:-1]


def _model(
    task: _Task, evidence: Evidence, memory: Memory, known: Floats, counts: _Counts | None
) -> _Model:
    """Estimate the probabilities of a pass from the counts of the block and those in memory.

    For source word s and target word t of the families S and T, with the counts c and the lift l,

        p(T|S) = (c(S, T) + k sum of p(t) l(s, t) p(s|S)) / (c(S) + k),
        p(t|s) = (c(s, t) + m p(T|S) p(t|T, s)) / (c(s) + m),
        p(t|T, s) = p(t|T) h / (1 + p(t|T) (h - 1)), h = max(l(s, t), 1),

    where k and m are the weights of the priors; and likewise in the other direction. `known` are
    the counts in memory of the word pairs of the block.
    """
    block, classes = task.block, task.classes
    words = block.src, block.tgt
    links = known
    if counts is not None:
        links = known + counts.links
        memory = _with_sums(memory, task, counts)
    totals, tokens, jumps = memory.totals, memory.tokens, memory.jumps
    lift = memory.lifts.of(classes)
    raised = np.maximum(lift, 1)
    of_families = np.bincount(classes.family, links)
    families = classes.src_family, classes.tgt_family
    rows = np.zeros((links.size + 1, 4), dtype=np.float32)
    sides = (evidence.src, evidence.tgt)
    for way in (0, 1):
        given, emitted = sides[way], sides[1 - way]
        of_given = np.bincount(given.family, totals[way], int(given.family.max(initial=-1)) + 1)
        prior = emitted.share[words[1 - way]] * lift * given.within[words[way]]
        family = np.bincount(classes.family, prior) * _FAMILY_PRIOR + of_families
        weight = 1 / (of_given[families[way]] + _FAMILY_PRIOR)
        within = emitted.within[words[1 - way]]
        # A word that is alike stands out in its family; the others have lifts of about 1.
        within = within * raised / (1 + within * (raised - 1)) * WORD_PRIOR
        rows[:-1, 2 * way] = links + within * (family * weight)[classes.family]
        rows[:-1, 2 * way + 1] = 1 + within * weight[classes.family]
    return _Model(
        rows,
        (_denominators(totals[0]), _denominators(totals[1])),
        (
            _null(tokens[0] - totals[0], evidence.src.share),
            _null(tokens[1] - totals[1], evidence.tgt.share),
        ),
        np.stack([_weights(jumps[0]), _weights(jumps[1])]),
        None if task.near is None else (task.near.classes, memory.near.astype(np.float32)),
    )


def _totals(task: _Task, links: Floats) -> Sides:
    return (
        np.bincount(task.block.src, links, task.tokens[0].size).astype(np.float64),
        np.bincount(task.block.tgt, links, task.tokens[1].size).astype(np.float64),
    )


def _denominators(totals: Floats) -> Singles:
    return np.append(totals + WORD_PRIOR, 1.0).astype(np.float32)


def _null(unlinked: Floats, share: Floats) -> _Null:
    counts = np.maximum(unlinked, 0.0)
    every = counts.sum() + _NULL_PRIOR
    return _Null(
        np.append(counts / every, 0.0).astype(np.float32),
        np.append(_NULL_PRIOR * share / every, 0.0).astype(np.float32),
        np.float32(1 / every),
    )


def _weights(jumps: Floats) -> Floats:
    """Estimate the weights of jumps; without any count, those that EM begins with."""
    if not jumps.any():
        return initial_jumps()
    weights: Floats = (jumps + _JUMP_PRIOR) / (jumps.sum() + jumps.size * _JUMP_PRIOR)
    return weights


def _expect(
    block: Block,
    model: _Model,
    posteriors: Singles,
    *,
    markov: bool = True,
    last: bool = False,
    visit: Callable[[Batch, BatchPass], None] | None = None,
) -> Floats:
    """Compute the posteriors of all cells again, in place; return the expected jumps.

    `posteriors` has the posteriors of the pass before, with which each cell was counted. With
    `markov` hidden Markov models are used, and `visit` is called for each batch; otherwise each
    word is linked by itself. With `last` scores are computed: the geometric means of both
    directions, not the products.
    """
    jumps = np.zeros((2, JUMPS))
    table = model.rows.view(np.complex128)[:, 0]  # one access to memory for the four values
    for batch in block.batches:
        own = posteriors[batch.cells].reshape(batch.shape)
        values = table.take(block.cells[batch.cells]).view(np.float32).reshape(*batch.shape, 4)
        forward = values[..., 0] - own * values[..., 1]
        backward = values[..., 2] - own * values[..., 3]
        for emission in (forward, backward):
            np.maximum(emission, 0, out=emission)
        linked = own.sum(axis=2), own.sum(axis=1)
        rest = model.totals[0][batch.src] - linked[0]
        forward /= np.maximum(rest, np.float32(WORD_PRIOR))[:, :, None]
        rest = model.totals[1][batch.tgt] - linked[1]
        backward /= np.maximum(rest, np.float32(WORD_PRIOR))[:, None, :]
        if model.near is not None:
            classes, lifts = model.near
            lift = lifts.take(classes[batch.cells]).reshape(batch.shape)
            forward *= lift
            backward *= lift
        null = (
            model.null[0].without(batch.src, linked[0]),
            model.null[1].without(batch.tgt, linked[1]),
        )
        if markov:
            ahead = forward_backward(
                np.ascontiguousarray(forward.transpose(2, 0, 1)), null[1].T, model.jumps[0],
                null_share=NULL_SHARE, states=batch.src_mask, observations=batch.tgt_mask.T,
            )  # fmt: skip
            behind = forward_backward(
                np.ascontiguousarray(backward.transpose(1, 0, 2)), null[0].T, model.jumps[1],
                null_share=NULL_SHARE, states=batch.tgt_mask, observations=batch.src_mask.T,
            )  # fmt: skip
            jumps += ahead.jumps, behind.jumps
            both = ahead.links.transpose(1, 2, 0), behind.links.transpose(1, 0, 2)
            if visit is not None:
                visit(batch, BatchPass(forward, backward, null, *both))
            np.multiply(*both, out=own)
            if not last:
                own *= _doubted(*both)
        else:
            _by_word(batch, forward, backward, null, own)
        if last or not markov:
            np.sqrt(own, out=own)
    return jumps


def _doubted(ahead: Singles, behind: Singles) -> Singles:
    """Return the factors of the counts of cells: a root of the best posterior of their words.

    The word of a cell with the lower best posterior decides. Words that have no translation in
    their sentence, such as articles, are thus counted less as links of the next best word.
    """
    power = np.float32(_DOUBT_POWER)
    of_tgt, of_src = ahead.max(axis=1) ** power, behind.max(axis=2) ** power
    factors: Singles = np.minimum(of_tgt[:, None, :], of_src[:, :, None])
    return factors


def _by_word(
    batch: Batch, forward: Singles, backward: Singles, null: tuple[Singles, Singles], out: Singles
) -> None:
    """Multiply the posteriors of both directions if each word is linked by itself (IBM 1)."""
    both = (
        (forward, 1, batch.src_mask, null[1][:, None, :]),
        (backward, 2, batch.tgt_mask, null[0][:, :, None]),
    )
    out[...] = np.float32(1)
    for emission, axis, mask, empty in both:
        emission *= np.float32(1 - NULL_SHARE) / mask.sum(axis=1)[:, None, None]
        total = emission.sum(axis=axis, keepdims=True) + np.float32(NULL_SHARE) * empty
        emission /= np.maximum(total, _TINY)
        out *= emission


def _links(
    block: Block, pieces: Pieces, run: slice, posteriors: Singles, at_least: float
) -> WordLinks:
    """Return the cells with high scores as links of the sentence pairs of a block."""
    columns = []
    for batch in block.batches:
        scores = posteriors[batch.cells].reshape(batch.shape)
        cells = np.nonzero(linked(scores, at_least))
        columns.append((*placed(pieces, batch, cells), scores[cells]))
    pair, src, tgt, score = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((tgt, src, pair))
    confidences = np.minimum(score[order], 1)  # rounding errors of sums of float32
    return WordLinks(rows_of(pieces, run, pair), src[order], tgt[order], confidences=confidences)


def linked(scores: Singles, at_least: float) -> Bools:
    """Return a mask of the cells of a batch that are links.

    A link has a score of `at_least`, and half the score at least of any other of its two words.
    """
    best = np.maximum(scores.max(axis=2)[:, :, None], scores.max(axis=1)[:, None, :])
    best *= np.float32(RIVAL)
    chosen: Bools = (scores >= np.float32(at_least)) & (scores >= best)
    return chosen


def placed(
    pieces: Pieces, batch: Batch, cells: tuple[NDArray[np.intp], ...]
) -> tuple[Ints, Ints, Ints]:
    """Return the sentence pairs of cells of a batch, and the positions of their words there."""
    row, src, tgt = cells
    piece = batch.piece[row]
    offset = pieces.offset[:, piece]
    return pieces.pair[piece], src + offset[0], tgt + offset[1]


def rows_of(pieces: Pieces, run: slice, pair: Ints) -> Ints:
    """Return the offsets of the links of each sentence pair of a block, from the pair of each link.

    Pairs without cells belong to the block before them; those ahead of all blocks to the first.
    """
    first = int(pieces.pair[run.start]) if run.start else 0
    last = int(pieces.pair[run.stop]) if run.stop < pieces.pair.size else pieces.pairs
    return prefix(np.bincount(pair - first, minlength=last - first))
