"""Explanation of a word link, or of a missing one: its probabilities, its evidence, its rivals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import NamedTuple

import numpy as np

from bitext.align.links.corpus import Batch, Words
from bitext.align.links.directions import BACKWARD, FORWARD, PRODUCT
from bitext.align.links.training import NULL_SHARE, RIVAL, WORD_PRIOR, BatchPass, LastPass, Trained
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.errors import InputError
from bitext.kernels.arrays import Floats, Ints, Singles
from bitext.kernels.word_links import WIDEST
from bitext.model import WordLinks

_MOST_RIVALS = 5  # words that are listed at most
_LEAST_POSTERIOR = 0.01  # smallest posterior of a rival
_MOST_FAMILY_WORDS = 6  # words of a family that are listed at most


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The nearest linked word beside a word, and the jump between their links."""

    # `position`, `linked`: its position in its sentence, and that of its most probable link in the
    # other; -1 for the place before the first word.
    position: int
    linked: int
    posterior: float  # the probability of this link in this direction
    jump: int  # the difference of the two links, later less earlier
    probability: float  # the probability of the jump, among those to all words of the sentence


@dataclass(frozen=True, slots=True)
class Direction:
    """The probabilities of a link in one direction, in which one word is given the other."""

    # p(t|s) forward, p(s|t) backward, learned from all links but this one; a weight, which may be
    # above 1, since priors do not sum to 1.
    translation: float
    families: float  # its prior: the translation by the families and classes of both words alone
    # The posterior of the link if positions had no part, from translations, and from vectors if
    # there are some.
    by_words: float
    posterior: float  # the posterior of the link
    none: float  # the posterior that the word (the target word forward) has no link
    # `before`, `after`: the nearest linked words on both sides; `None` if there is none.
    before: Neighbour | None
    after: Neighbour | None


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Counts of the two words in the corpus."""

    # The expected number of links of the two words, with those of a dictionary or lexicon.
    links: float
    here: float  # the part of it that is this link; it is not evidence for itself
    given: float  # the part of it that a dictionary or lexicon counts for
    together: int  # the number of sentence pairs with both words
    # `src_tokens`, `tgt_tokens`: the number of tokens of each word.
    src_tokens: int
    tgt_tokens: int
    # `src_links`, `tgt_links`: the expected number of links of each word with any other.
    src_links: float
    tgt_links: float


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """Evidence beside co-occurrence, which the prior of a translation is computed from."""

    # The share of letter n-grams in common, in Latin transliteration (Dice), 0 to 1.
    similarity: float
    identical: bool  # whether both are spelled alike
    # `spelling`, `frequency`: how many times as high as by chance the odds of a link are of pairs
    # as similar, and of those with such a ratio of frequencies.
    spelling: float
    frequency: float
    # `src_family`, `tgt_family`: the words with the same beginning, the most frequent first, at
    # most six.
    src_family: tuple[str, ...]
    tgt_family: tuple[str, ...]
    family_links: float  # the expected number of links between both families
    # How much more often words are linked than by chance whose vectors are as similar; `None`
    # without vectors.
    vectors: float | None = None


@dataclass(frozen=True, slots=True)
class Rival:
    """Another word of the sentence that one of the two words could be linked with."""

    position: int
    word: str
    # `forward`, `backward`: the posteriors of that link in both directions.
    forward: float
    backward: float
    score: float  # their geometric mean


@dataclass(frozen=True, slots=True)
class LinkExplanation:
    """Why two words of a sentence pair are linked, or are not.

    Attributes
    ----------
    pair, src, tgt : int
        The sentence pair and the positions of both words, from 0.
    src_word, tgt_word : str
        The words, in lower case.
    linked : bool
    decision : str
        The rule that decided.
    score : float
        The geometric mean of both posteriors.
    forward, backward : Direction or None
        `None` for two words in different pieces of a long sentence pair, which are never linked.
    counts : PairCounts
    evidence : PairEvidence
    src_rivals, tgt_rivals : tuple of Rival
        Source words that the target word could be linked with, and target words that the source
        word could be linked with: five at most, those with the highest scores first.

    """

    pair: int
    src: int
    tgt: int
    src_word: str
    tgt_word: str
    linked: bool
    decision: str
    score: float
    forward: Direction | None
    backward: Direction | None
    counts: PairCounts
    evidence: PairEvidence
    src_rivals: tuple[Rival, ...]
    tgt_rivals: tuple[Rival, ...]


def check_words(
    places: Iterable[Sequence[int]], sizes: tuple[Ints, Ints]
) -> list[tuple[int, int, int]]:
    """Return the pairs of words to explain; refuse those that are not there.

    `places` lists the words to explain: sentence pair, source word and target word, from 0. `sizes`
    has the number of words of each sentence, for both sides. Raises `InputError` when there is no
    such sentence pair, or no such word in it.
    """
    checked = []
    for place in places:
        try:
            pair, src, tgt = (index(number) for number in place)
        except (TypeError, ValueError):
            raise InputError(
                f"explain has {place!r:.60}: want a sentence pair, a source word and a target "
                f"word, as whole numbers from 0"
            ) from None
        count = sizes[0].size
        if not 0 <= pair < count:
            raise InputError(f"there is no sentence pair {pair} among {count:,}: they count from 0")
        for side, position, size in zip(("source", "target"), (src, tgt), sizes, strict=True):
            if not 0 <= position < size[pair]:
                raise InputError(
                    f"sentence pair {pair} has no {side} word {position} among {size[pair]:,}: "
                    f"they count from 0"
                )
        checked.append((pair, src, tgt))
    return checked


def explain_links(
    trained: Trained,
    places: Sequence[tuple[int, int, int]],
    links: WordLinks,
    *,
    method: str,
    at_least: float,
    given: WordPairs | None = None,
) -> list[LinkExplanation]:
    """Explain the links of pairs of words.

    `places` is the result of `check_words`. `links` has the links of all sentence pairs, which were
    symmetrised by `method` with a smallest score of `at_least`. `given` are the known translations
    that training began with.
    """
    pieces = [_piece_of(trained, *place) for place in places]
    explanations: dict[int, LinkExplanation] = {}
    rule = _Rule(method, at_least)
    for number, run in enumerate(trained.runs):
        numbers = [
            k for k, at in enumerate(pieces) if at is not None and run.start <= at < run.stop
        ]
        if not numbers:
            continue
        last = trained.last_pass(number)
        passes: dict[int, BatchPass] = {}
        views = [_CellView.of(trained, last, pieces[k] or 0, places[k], passes) for k in numbers]
        for k, view in zip(numbers, views, strict=True):
            explanations[k] = _explained(trained, places[k], view, links, rule, given)
    return [
        explanations[k]
        if k in explanations
        else _explained(trained, places[k], None, links, rule, given)
        for k in range(len(places))
    ]


def _piece_of(trained: Trained, pair: int, src: int, tgt: int) -> int | None:
    """Return the piece that has both words; `None` if they are in different ones."""
    pieces = trained.pieces
    for piece in range(*np.searchsorted(pieces.pair, (pair, pair + 1)).tolist()):
        begin = pieces.offset[:, piece]
        at = np.array([src, tgt]) - begin
        if ((at >= 0) & (at < pieces.size[:, piece])).all():
            return piece
    return None


class _Rule(NamedTuple):
    """The method by which links are chosen, and their smallest score."""

    method: str
    at_least: float


class _CellView(NamedTuple):
    """The last pass over the piece of two words: matrices of (source words, target words)."""

    # `src`, `tgt`: the positions of both words in the piece.
    src: int
    tgt: int
    offset: tuple[int, int]  # where the piece begins in its sentences
    # `expected`, `own`: the expected number of links of the two words in the block, and of this
    # cell.
    expected: float
    own: float
    row: Singles  # the numerators of the translations of the word pair, as in the model; shape (4,)
    totals: tuple[float, float]  # the expected links of both words
    # `emissions`, `posteriors`: forward and backward.
    emissions: tuple[Singles, Singles]
    posteriors: tuple[Singles, Singles]
    # The probability of each word as one without a link, source and target.
    null: tuple[Singles, Singles]
    jumps: Floats  # the weights of jumps of both directions
    # The lift of the similarity of vectors, which emissions have; `None` without vectors.
    lift: float | None

    @property
    def scores(self) -> Singles:
        result: Singles = np.sqrt(self.posteriors[0] * self.posteriors[1])
        return result

    @classmethod
    def of(
        cls,
        trained: Trained,
        last: LastPass,
        piece: int,
        place: tuple[int, int, int],
        passes: dict[int, BatchPass],
    ) -> _CellView:
        """Compute the last pass over the batch of a piece, and cut the piece out.

        `passes` has the passes over other batches of the block, by their first cells, and gets the
        new one.
        """
        batch = next(one for one in last.block.batches if (one.piece == piece).any())
        row = int(np.flatnonzero(batch.piece == piece)[0])
        high, wide = trained.pieces.size[:, piece].tolist()
        first = trained.pieces.offset[:, piece].tolist()
        src, tgt = place[1] - first[0], place[2] - first[1]
        where = batch.first + (row * batch.shape[1] + src) * batch.shape[2] + tgt
        word_pair = int(last.block.cells[where])
        expected = float(last.scores[last.block.cells == word_pair].sum(dtype=np.float64))
        own = float(last.scores[where])

        def visit(_: Batch, one: BatchPass) -> None:
            passes[batch.first] = one

        if batch.first not in passes:
            saved_scores = last.scores[batch.cells].copy()
            last._replace(block=last.block._replace(batches=[batch])).compute(visit)
            # The scores count for other words of the batch.
            last.scores[batch.cells] = saved_scores
        batch_pass = passes[batch.first]
        near = last.model.near
        numbers = int(batch.src[row, src]), int(batch.tgt[row, tgt])
        return cls(
            src,
            tgt,
            (first[0], first[1]),
            expected,
            own,
            last.model.rows[word_pair],
            (
                float(last.model.totals[0][numbers[0]]) - WORD_PRIOR,
                float(last.model.totals[1][numbers[1]]) - WORD_PRIOR,
            ),
            (batch_pass.forward[row, :high, :wide], batch_pass.backward[row, :high, :wide]),
            (batch_pass.ahead[row, :high, :wide], batch_pass.behind[row, :high, :wide]),
            (batch_pass.null[0][row, :high], batch_pass.null[1][row, :wide]),
            last.model.jumps,
            None if near is None else float(near[1][near[0][where]]),
        )


def _explained(
    trained: Trained,
    place: tuple[int, int, int],
    view: _CellView | None,
    links: WordLinks,
    rule: _Rule,
    given: WordPairs | None,
) -> LinkExplanation:
    pair, src, tgt = place
    words = trained.words
    numbers = [
        int(side.number[side.ptr[pair] + at]) for side, at in zip(words, (src, tgt), strict=True)
    ]
    pair_links = links[pair]
    is_linked = bool(((pair_links.src == src) & (pair_links.tgt == tgt)).any())
    counts = _counts(trained, numbers, view, given)
    names = [side.forms[number] for side, number in zip(words, numbers, strict=True)]
    ways: list[Direction | None] = [None, None]
    rivals: list[tuple[Rival, ...]] = [(), ()]
    score = 0.0
    decision = (
        "a sentence is longer than 500 words, so the pair is linked in pieces, and the two "
        "words are in different ones"
    )
    if view is not None:
        ways = [_direction(view, way, counts) for way in (0, 1)]
        rivals = [tuple(_rivals(view, side, words, pair)) for side in (0, 1)]
        score, decision = float(view.scores[view.src, view.tgt]), _decision(view, rule, is_linked)
    return LinkExplanation(
        pair, src, tgt, names[0], names[1], is_linked, decision, score, ways[0], ways[1], counts,
        _evidence(trained, numbers, view), rivals[0], rivals[1],
    )  # fmt: skip


def _counts(
    trained: Trained, numbers: Sequence[int], view: _CellView | None, given: WordPairs | None
) -> PairCounts:
    """Count the two words; in several blocks, expected counts are those of all blocks."""
    src, tgt = numbers
    memory = trained.memory
    known = 0.0 if given is None else memory.given(given, src, tgt)
    key = np.array([src * len(trained.words[1].forms) + tgt])
    links = float(memory.of(key)[0])
    if view is not None and trained.whole is not None:
        links = view.expected + known
    having = [
        set(np.searchsorted(side.ptr, np.flatnonzero(side.number == number), "right").tolist())
        for side, number in zip(trained.words, numbers, strict=True)
    ]
    tokens = [int(side.tally[number]) for side, number in zip(trained.words, numbers, strict=True)]
    own, totals = 0.0, [float(memory.totals[0][src]), float(memory.totals[1][tgt])]
    if view is not None:
        own, totals = view.own, [*view.totals]
    return PairCounts(links, own, known, len(having[0] & having[1]), *tokens, *totals)


def _evidence(trained: Trained, numbers: Sequence[int], view: _CellView | None) -> PairEvidence:
    src, tgt = numbers
    sides = trained.evidence.src, trained.evidence.tgt
    pair_evidence = trained.evidence.of_pair(src, tgt, trained.words, trained.memory.lifts)
    members = [
        np.flatnonzero(side.family == side.family[number])
        for side, number in zip(sides, numbers, strict=True)
    ]
    rows, columns = np.divmod(trained.memory.key, max(len(trained.words[1].forms), 1))
    between = np.isin(rows, members[0]) & np.isin(columns, members[1])
    families = [
        tuple(side.forms[k] for k in members_of_family[:_MOST_FAMILY_WORDS].tolist())
        for side, members_of_family in zip(trained.words, members, strict=True)
    ]
    links, lift = float(trained.memory.links[between].sum()), None if view is None else view.lift
    return PairEvidence(*pair_evidence, families[0], families[1], links, lift)


def _direction(view: _CellView, way: int, counts: PairCounts) -> Direction:
    """Compute the probabilities of the link in a direction: 0 for forward, 1 for backward."""
    # Rows are the words that may be chosen, columns those that have a link or none.
    emissions, posteriors = view.emissions[way], view.posteriors[way]
    chosen, emitted = view.src, view.tgt
    if way:
        emissions, posteriors, chosen, emitted = emissions.T, posteriors.T, emitted, chosen
    column = emissions[:, emitted].astype(np.float64) * (1 - NULL_SHARE) / len(emissions)
    total = column.sum() + NULL_SHARE * float(view.null[1 - way][emitted])
    family, own = (float(value) for value in view.row[2 * way : 2 * way + 2])
    prior = max(family - counts.links - view.own * (own - 1), 0.0) / WORD_PRIOR
    return Direction(
        translation=float(emissions[chosen, emitted]) / (view.lift or 1.0),
        families=prior,
        by_words=float(column[chosen] / total) if total else 0.0,
        posterior=float(posteriors[chosen, emitted]),
        none=max(1.0 - float(posteriors[:, emitted].sum()), 0.0),
        before=_neighbour(view, posteriors, chosen, emitted, way, step=-1),
        after=_neighbour(view, posteriors, chosen, emitted, way, step=1),
    )


def _neighbour(
    view: _CellView, posteriors: Singles, chosen: int, emitted: int, way: int, *, step: int
) -> Neighbour | None:
    """Return the nearest word, on one side, that is more probably linked than not."""
    states, size = posteriors.shape
    offset = view.offset if not way else view.offset[::-1]  # of states, of observations
    weights = view.jumps[way]

    def chance(start: int, end: int) -> float:
        widths = np.clip(np.arange(states) - start, -WIDEST, WIDEST) + WIDEST
        return float(weights[widths[end]] / weights[widths].sum())

    neighbour = emitted + step
    while 0 <= neighbour < size:
        best = int(posteriors[:, neighbour].argmax())
        value = float(posteriors[best, neighbour])
        if value > 1 - float(posteriors[:, neighbour].sum()):
            start, end = (best, chosen) if step < 0 else (chosen, best)
            return Neighbour(
                neighbour + offset[1], best + offset[0], value, end - start, chance(start, end)
            )
        neighbour += step
    if step > 0:
        return None
    return Neighbour(offset[1] - 1, offset[0] - 1, 1.0, chosen + 1, chance(-1, chosen))


def _rivals(view: _CellView, side: int, words: tuple[Words, Words], pair: int) -> Iterator[Rival]:
    """Yield other words of a side that the word of the other side could be linked with."""
    own = view.src if side == 0 else view.tgt
    line = (slice(None), view.tgt) if side == 0 else (view.src, slice(None))
    forward = view.posteriors[0][line]
    backward = view.posteriors[1][line]
    scores = view.scores[line]
    listed = [
        k
        for k in np.argsort(-scores, kind="stable").tolist()
        if k != own and max(forward[k], backward[k]) >= _LEAST_POSTERIOR
    ]
    begin = int(words[side].ptr[pair]) + view.offset[side]
    for k in listed[:_MOST_RIVALS]:
        word = words[side].forms[int(words[side].number[begin + k])]
        yield Rival(
            k + view.offset[side], word, float(forward[k]), float(backward[k]), float(scores[k])
        )


def _decision(view: _CellView, rule: _Rule, is_linked: bool) -> str:
    least = f"{rule.at_least:g}"
    if rule.method == PRODUCT:
        scores = view.scores
        score = scores[view.src, view.tgt]
        if score < np.float32(rule.at_least):
            return f"its score is below {least}"
        best, place = max(
            (float(scores[view.src].max()), (view.src, int(scores[view.src].argmax()))),
            (float(scores[:, view.tgt].max()), (int(scores[:, view.tgt].argmax()), view.tgt)),
        )
        if is_linked:
            return (
                f"its score is at least {least}, and at least {RIVAL:g} times the best of either "
                f"word ({best:.4f})"
            )
        i, j = (at + offset for at, offset in zip(place, view.offset, strict=True))
        return f"its score is below {RIVAL:g} times {best:.4f}, the score of {i}-{j}"
    ways = [_of_direction(view, way, rule.at_least) for way in (0, 1)]
    if rule.method in {FORWARD, BACKWARD}:
        return ways[rule.method == BACKWARD][1]
    both = f"forward: {ways[0][1]}; backward: {ways[1][1]}"
    number = ways[0][0] + ways[1][0]
    if number == 1:
        return f"{both}; {rule.method} {'takes' if is_linked else 'leaves out'} it"
    return both


def _of_direction(view: _CellView, way: int, at_least: float) -> tuple[bool, str]:
    """Decide if the link is one of a direction; return the decision and its reason."""
    posteriors = view.posteriors[way].T if way else view.posteriors[way]
    chosen, emitted = (view.tgt, view.src) if way else (view.src, view.tgt)
    side = "target" if way else "source"
    column = posteriors[:, emitted]
    best = int(column.argmax())
    if best != chosen:
        at = best + view.offset[1 if way else 0]
        return False, f"{side} word {at} is more probable ({float(column[best]):.4f})"
    if column[best] < np.float32(at_least):
        return False, f"the most probable {side} word, but below {at_least:g}"
    return True, f"the most probable {side} word, with at least {at_least:g}"
