"""Which of many sentences read best: by an n-gram model, and by how their syntax goes on.

*Consistency* is the mean, over the steps from each word to the next, of how well the second goes
on from the first; a step leads into the first word and one out of the last. A step that a known
sentence has, with POS, IOB and trace of both words, counts 1. One that goes on with a chunk that
is not open (I-XP where the word before is in no chunk XP) counts 0. The others get a third each
for

- a known sentence having the two parts of speech side by side,
- a known sentence having the two parts of speech with their IOB tags,
- the share of the constituents that the second word goes on with (the elements I-XP of its trace,
  before the first B-XP) that the first word stands in too, by label; all, where there is none.

Consistency is between 0 and 1, and 1 for every known sentence. It says nothing without syntax.

The *total* is the logarithm (base 2) of the probability by the n-gram model, less 4 bits for each
step that is wholly inconsistent (and in proportion), divided by the words and the end: a wrong step
costs as much as four choices between two. By `ngram` or `syntax` alone, it is one of the two.
"""

from __future__ import annotations

from collections import Counter
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError, OptionError
from bitext.model.sentence import Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitext.align.ngram_model import NgramModel
    from bitext.model.sentence import Sentence

__all__ = ["RANKS", "Scores", "Transitions", "score"]

RANKS = ("ngram+syntax", "ngram", "syntax", "none")

_BITS = 4.0  # what a step that is wholly inconsistent costs
_BEGIN, _END = Token("", "<begin>", "O"), Token("", "<end>", "O")

Place = tuple[str, str, tuple[str, ...]]


class Scores(NamedTuple):
    """How well a sentence reads.

    Attributes
    ----------
    log2 : float
        The logarithm (base 2) of its probability, divided by its words and its end.
    consistency : float
        From 0 to 1; `nan` where a word has no POS or IOB.
    total : float
        What it is ranked by: the greater, the better. 0 where nothing is ranked.

    """

    log2: float
    consistency: float
    total: float


class Transitions:
    """Which words follow which in analysed sentences, by their place in the syntax.

    Parameters
    ----------
    sentences : iterable of Sentence
        Read once. Those with words without POS or IOB tell nothing.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> i = Token("I", "PRP", "B-NP", ("B-S", "B-NP"))
    >>> left = Token("left", "VBD", "B-VP", ("I-S", "B-VP"))
    >>> known = Transitions([Sentence([i, left])])
    >>> known.consistency([i, left]), round(known.consistency([left, i]), 3)
    (1.0, 0.222)

    """

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self._whole: set[tuple[Place, Place]] = set()
        self._chunks: set[tuple[str, str, str, str]] = set()
        self._tags: set[tuple[str, str]] = set()
        self._known: dict[tuple[Place, Place], float] = {}
        for sentence in sentences:
            if not _tagged(sentence.tokens):
                continue
            for left, right in _steps(sentence.tokens):
                self._whole.add((_place(left), _place(right)))
                self._chunks.add((left.pos, left.iob, right.pos, right.iob))
                self._tags.add((left.pos, right.pos))

    def consistency(self, tokens: Sequence[Token]) -> float:
        """Return the mean over the steps of a sentence; `nan` where a word has no POS or IOB."""
        if not self._tags or not _tagged(tokens):
            return nan
        steps = [self.step(left, right) for left, right in _steps(tokens)]
        return sum(steps) / len(steps)

    def step(self, left: Token, right: Token) -> float:
        """Return how well a word goes on from the one before it."""
        key = (_place(left), _place(right))
        if key not in self._known:
            self._known[key] = self._judged(left, right)
        return self._known[key]

    def _judged(self, left: Token, right: Token) -> float:
        if (_place(left), _place(right)) in self._whole:
            return 1.0
        if right.iob.startswith("I-") and right.iob[2:] != left.iob[2:]:
            return 0.0
        tags = (left.pos, right.pos) in self._tags
        chunks = (left.pos, left.iob, right.pos, right.iob) in self._chunks
        return (tags + chunks + _continued(left.trace, right.trace)) / 3


def score(
    sentences: Sequence[Sequence[Token]],
    *,
    rank: str,
    model: NgramModel,
    transitions: Transitions,
) -> list[Scores]:
    """Return how well each sentence reads.

    Parameters
    ----------
    sentences : sequence of sequences of Token
        The words of each, with their syntax if there is one.
    rank : str
        One of `RANKS`. By `ngram+syntax`, words without syntax are ranked by the n-gram model.
    model : NgramModel
    transitions : Transitions

    Raises
    ------
    InputError
        When the rank is by syntax alone and a word has none.
    OptionError
        When the rank is not known.

    """
    if rank not in RANKS:
        raise OptionError(f"rank {rank!r} is not known: want one of {', '.join(RANKS)}")
    bits = model.per_word([[token.form for token in tokens] for tokens in sentences])
    out = []
    for log2, tokens in zip(bits, sentences, strict=True):
        share = transitions.consistency(tokens)
        if rank == "syntax" and isnan(share):
            raise InputError(
                "rank 'syntax' needs the syntax of every word: give trees or tags, or rank by "
                "'ngram'"
            )
        less = 0.0 if isnan(share) else _BITS * (1 - share)
        total = {"ngram+syntax": log2 - less, "ngram": log2, "syntax": share, "none": 0.0}[rank]
        out.append(Scores(log2, share, total))
    return out


def _steps(tokens: Sequence[Token]) -> Iterable[tuple[Token, Token]]:
    """Return each word with the next, the ends with them."""
    return zip([_BEGIN, *tokens], [*tokens, _END], strict=True)


def _tagged(tokens: Iterable[Token]) -> bool:
    return all(token.pos and token.iob for token in tokens)


def _place(token: Token) -> Place:
    return token.pos, token.iob, token.trace


def _continued(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Return the share of the constituents that go on which the word before stands in."""
    begun = next((k for k, part in enumerate(right) if not part.startswith("I-")), len(right))
    going = Counter(part[2:] for part in right[:begun])
    if not going:
        return 1.0
    open_ = Counter(part[2:] for part in left)
    return (going & open_).total() / going.total()
