"""Which of many sentences read best: by an n-gram model, and by how their syntax goes on.

*Consistency* is the mean, over the steps from each word to the next, of how well the second goes
on from the first; a step leads into the first word and one out of the last. A step that a known
sentence has, with POS, IOB and trace of both words, counts 1. One that goes on with a chunk that
is not open (I-XP where the word before is in no chunk XP) counts 0. The others get a third each
for

- a known sentence having the two parts of speech side by side,
- a known sentence having the two parts of speech with their IOB tags,
- the constituents that the second word goes on with, the elements I-XP of its trace before the
  first B-XP, being those that the first word stands in: of both, from the root down, the longest
  run of labels in common, over the length of the shorter. So a clause may become a part of another
  sentence, and a noun phrase of the subject does not go on one of the object. All of the third,
  where nothing goes on.

The step out of the last word counts 0 in a sentence without a finite verb (VBD, VBP, VBZ or MD),
if every known sentence has one.

Consistency is between 0 and 1, and 1 for every known sentence. It says nothing without syntax.

The *total* is the logarithm (base 2) of the probability by the n-gram model, less 8 bits for each
step that is wholly inconsistent (and in proportion), divided by the words and the end: a wrong step
costs as much as eight choices between two. By `ngram` or `syntax` alone, it is one of the two.
"""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bitext.errors import InputError, OptionError
from bitext.model.sentence import Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["RANKS", "LanguageModel", "Scores", "Transitions", "score"]

RANKS = ("ngram+syntax", "ngram", "syntax", "none")

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_BITS = 8.0  # what a step that is wholly inconsistent costs
_BEGIN, _END = Token("", "<begin>", "O"), Token("", "<end>", "O")

Place = tuple[str, str, tuple[str, ...]]


class LanguageModel(Protocol):
    """What tells how probable a sentence is: `NgramModel`, `ArpaModel`, or one of your own."""

    order: int

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return the logarithm (base 2) of the probability of each, by its words and its end."""
        ...


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
        self._finite = True
        self._known: dict[tuple[Place, Place], float] = {}
        for sentence in sentences:
            if not _tagged(sentence.tokens):
                continue
            self._finite &= _finite(sentence.tokens)
            for left, right in _steps(sentence.tokens):
                self._whole.add((_place(left), _place(right)))
                self._chunks.add((left.pos, left.iob, right.pos, right.iob))
                self._tags.add((left.pos, right.pos))

    def consistency(self, tokens: Sequence[Token]) -> float:
        """Return the mean over the steps of a sentence; `nan` where a word has no POS or IOB."""
        if not self._tags or not _tagged(tokens):
            return nan
        steps = [self.step(left, right) for left, right in _steps(tokens)]
        if self._finite and not _finite(tokens):
            steps[-1] = 0.0
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
    model: LanguageModel,
    transitions: Transitions,
) -> list[Scores]:
    """Return how well each sentence reads.

    Parameters
    ----------
    sentences : sequence of sequences of Token
        The words of each, with their syntax if there is one.
    rank : str
        One of `RANKS`. By `ngram+syntax`, words without syntax are ranked by the n-gram model.
    model : LanguageModel
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


def _finite(tokens: Iterable[Token]) -> bool:
    return any(token.pos in _FINITE for token in tokens)


def _tagged(tokens: Iterable[Token]) -> bool:
    return all(token.pos and token.iob for token in tokens)


def _place(token: Token) -> Place:
    return token.pos, token.iob, token.trace


def _continued(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Return how far the constituents that go on are those that the word before stands in."""
    begun = next((k for k, part in enumerate(right) if not part.startswith("I-")), len(right))
    if not begun:
        return 1.0
    if not left:
        return 0.0
    standing = [part[2:] for part in left]
    runs = [0] * len(left)  # the length of the run that ends at each constituent
    longest = 0
    for part in right[:begun]:
        ended = [0, *runs[:-1]]
        runs = [
            run + 1 if other == part[2:] else 0 for run, other in zip(ended, standing, strict=True)
        ]
        longest = max(longest, *runs)
    return longest / min(begun, len(left))
