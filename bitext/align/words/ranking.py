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
  run of labels in common, over the number of those that go on. So what goes on in a clause may go
  on in one that lies deeper, and a noun phrase of the object does not go on one of the subject.
  All of the third, where nothing goes on.

The step out of the last word counts 0 in a sentence without a finite verb (VBD, VBP, VBZ or MD),
if every known sentence has one.

Consistency is between 0 and 1, and 1 for every known sentence. It says nothing without syntax.

*Faults* (`faults`) are what steps do not show, as two verbs for one subject, or a statement of
another speaker. A sentence that is *broken*, by a mark that is left alone or a finite verb that is
missing, comes behind all that are not.

The *total* is the logarithm (base 2) of the probability by the n-gram model, less 8 bits for each
step that is wholly inconsistent (and in proportion) and for each fault, divided by the words and
the end: what is wrong costs as much as eight choices between two. By `syntax` alone it is the
consistency, of which each fault takes as much as a step can give; by `ngram` alone the first. Of a
broken sentence either is less by 8 for each word, which is more than the others can lose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bitext.align.words.faults import FINITE, noun_chunks, shape
from bitext.errors import InputError, OptionError
from bitext.model.sentence import Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["RANKS", "LanguageModel", "Scores", "Transitions", "score"]

RANKS = ("ngram+syntax", "ngram", "syntax", "none")

_BITS = 8.0  # what a step that is wholly inconsistent costs, and a fault
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
    faults : float
        How many there are; some count for a part.
    total : float
        What it is ranked by: the greater, the better. 0 where nothing is ranked.

    """

    log2: float
    consistency: float
    faults: float
    total: float


@dataclass(slots=True)
class _Known:
    """What some sentences show: their steps, the same without traces, and without chunks."""

    whole: set[tuple[Place, Place]] = field(default_factory=set)
    tagged: set[tuple[str, str, str, str]] = field(default_factory=set)
    tags: set[tuple[str, str]] = field(default_factory=set)
    chunks: set[tuple[str, ...]] = field(default_factory=set)
    finite: int = 0  # how many have a finite verb
    count: int = 0


class Transitions:
    """Which words follow which in analysed sentences, by their place in the syntax.

    Parameters
    ----------
    sentences : iterable of Sentence
        Read once. Those with words without POS or IOB tell nothing.

    beside : Transitions, optional
        What others show, that were read before: known is what either knows.

    Attributes
    ----------
    mostly_finite : bool
        Whether most sentences have a finite verb.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> i = Token("I", "PRP", "B-NP", ("B-S", "B-NP"))
    >>> left = Token("left", "VBD", "B-VP", ("I-S", "B-VP"))
    >>> known = Transitions([Sentence([i, left])])
    >>> known.consistency([i, left]), round(known.consistency([left, i]), 3)
    (1.0, 0.222)

    """

    def __init__(self, sentences: Iterable[Sentence], *, beside: Transitions | None = None) -> None:
        own = _Known()
        self._layers: list[_Known] = [own, *(beside._layers if beside else ())]  # noqa: SLF001 - its own kind
        self._judged: dict[tuple[Place, Place], float] = {}
        for sentence in sentences:
            if not _tagged(sentence.tokens):
                continue
            own.finite += _finite(sentence.tokens)
            own.count += 1
            for left, right in _steps(sentence.tokens):
                own.whole.add((_place(left), _place(right)))
                own.tagged.add((left.pos, left.iob, right.pos, right.iob))
                own.tags.add((left.pos, right.pos))
            held = sentence.tokens
            own.chunks.update(shape(held[first:end]) for first, end in noun_chunks(held))
        finite, count = (
            sum(numbers)
            for numbers in zip(*((x.finite, x.count) for x in self._layers), strict=True)
        )
        self._finite = finite == count
        self.mostly_finite = 2 * finite > count

    def has_chunk(self, kind: tuple[str, ...]) -> bool:
        """Tell whether a noun chunk of a known sentence has this `faults.shape`."""
        return any(kind in layer.chunks for layer in self._layers)

    def consistency(self, tokens: Sequence[Token]) -> float:
        """Return the mean over the steps of a sentence; `nan` where a word has no POS or IOB."""
        if not any(layer.tags for layer in self._layers) or not _tagged(tokens):
            return nan
        steps = [self.step(left, right) for left, right in _steps(tokens)]
        if self._finite and not _finite(tokens):
            steps[-1] = 0.0
        return sum(steps) / len(steps)

    def step(self, left: Token, right: Token) -> float:
        """Return how well a word goes on from the one before it."""
        key = (_place(left), _place(right))
        if key not in self._judged:
            self._judged[key] = self._judge(left, right)
        return self._judged[key]

    def _judge(self, left: Token, right: Token) -> float:
        layers = self._layers
        if any((_place(left), _place(right)) in layer.whole for layer in layers):
            return 1.0
        if right.iob.startswith("I-") and right.iob[2:] != left.iob[2:]:
            return 0.0
        tags = any((left.pos, right.pos) in layer.tags for layer in layers)
        step = left.pos, left.iob, right.pos, right.iob
        chunks = any(step in layer.tagged for layer in layers)
        return (tags + chunks + _continued(left.trace, right.trace)) / 3


def score(
    sentences: Sequence[Sequence[Token]],
    *,
    rank: str,
    model: LanguageModel,
    transitions: Transitions,
    faults: Sequence[float] | None = None,
    broken: Sequence[bool] | None = None,
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
    faults : sequence of float, optional
        How many each has; by default none.
    broken : sequence of bool, optional
        Which have a mark left alone or lack a finite verb; by default none.

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
    none = [0.0] * len(sentences)
    whole = [False] * len(sentences)
    for log2, tokens, wrong, apart in zip(
        bits, sentences, faults or none, broken or whole, strict=True
    ):
        share = transitions.consistency(tokens)
        if rank == "syntax" and isnan(share):
            raise InputError(
                "rank 'syntax' needs the syntax of every word: give trees or tags, or rank by "
                "'ngram'"
            )
        less = wrong / (len(tokens) + 1)
        lost = less if isnan(share) else less + 1 - share
        total = {
            "ngram+syntax": log2 - _BITS * (lost + apart),
            "ngram": log2,
            "syntax": share - less - _BITS * apart,
            "none": 0.0,
        }[rank]
        out.append(Scores(log2, share, wrong, total))
    return out


def _steps(tokens: Sequence[Token]) -> Iterable[tuple[Token, Token]]:
    """Return each word with the next, the ends with them."""
    return zip([_BEGIN, *tokens], [*tokens, _END], strict=True)


def _finite(tokens: Iterable[Token]) -> bool:
    return any(token.pos in FINITE for token in tokens)


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
    return longest / begun
