"""Novel sentences from a lattice: random walks, less the inputs, repeats and repetitions, ranked.

**Source**: S. Shen, D. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming for
aligning comparable texts for the generation of paraphrases, COLING/ACL 2006: they drew 100 random
walks a cluster. **Departures**: the filter of repetitions, the ranks and the walk that is uniform
over paths are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isnan, log10
from numbers import Integral
from typing import TYPE_CHECKING, overload

import bitext
from bitext.align.words.candidates import REASONS, WALKS, Candidates
from bitext.align.words.faults import faults, is_broken
from bitext.align.words.ngram_model import NgramModel
from bitext.align.words.ranking import RANKS, Scores, Transitions, score
from bitext.errors import OptionError
from bitext.model.lattice import want_lattice
from bitext.model.sentence import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.align.words.candidates import Candidate
    from bitext.align.words.ranking import LanguageModel
    from bitext.align.words.wording import Span, Wording
    from bitext.model.lattice import Lattice
    from bitext.model.sentence import Cluster, Sentence

__all__ = ["WALKS", "Paraphrase", "Paraphrases", "paraphrases"]

_GRAM = 3
_POOL = 1000  # sentences that are ranked at least
_WORDS = 500_000  # unless they had more words than so many


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A sentence that a lattice has and no input.

    Attributes
    ----------
    text : str
        The sentence as it is printed.
    tokens : tuple of str
        Its words.
    nodes : tuple of int
        The node of each word.
    spans : tuple of Span
        The fewest runs that it is made of, each with all sentences that have it in full.
    scores : Scores
        What it is ranked by.
    novelty : float
        The share of its different runs of three words that no input has, of a shorter sentence
        of all its words; words are compared `folded`.

    """

    text: str
    tokens: tuple[str, ...]
    nodes: tuple[int, ...]
    spans: tuple[Span, ...]
    scores: Scores
    novelty: float

    def record(self, cluster: Cluster) -> dict[str, object]:
        """Return it for JSON, with the names of the sentences of each span.

        A sentence without a name is called by its number, from 1. What is not known is None.
        """
        names = cluster.names
        log2, consistency, faults, total = self.scores
        return {
            "text": self.text,
            "tokens": list(self.tokens),
            "nodes": list(self.nodes),
            "spans": [[a, b, [names[s] for s in among]] for a, b, among in self.spans],
            "log2_per_word": log2,
            "consistency": None if isnan(consistency) else consistency,
            "faults": faults,
            "score": total,
            "novelty": self.novelty,
        }


@dataclass(frozen=True, slots=True)
class Paraphrases(Sequence[Paraphrase]):
    """The sentences that were found, the best first, and what became of all others.

    Attributes
    ----------
    items : tuple of Paraphrase
    wanted : int
        How many were asked for.
    paths : int
        The number of paths of the lattice, exactly.
    drawn : int
        How many paths were looked at, the same one again and again counted each time.
    candidates : int
        How many novel sentences were among them, from which the items are the best.
    dropped : dict of str to int
        How many paths were left out: `input` says what an input says, `repeat` what another path
        said, `repetition` says a word again that no input says so often.
    complete : bool
        Whether every path was looked at, so that there are no others.
    signature : str
        Every option that the answer depends on.

    """

    items: tuple[Paraphrase, ...]
    wanted: int
    paths: int
    drawn: int
    candidates: int
    dropped: dict[str, int]
    complete: bool
    signature: str = field(repr=False)

    @property
    def told(self) -> str:
        """How many were found and what became of the others, in one line."""
        # Beyond 15 digits, nobody wants to read them, and beyond 4300 Python does not write them.
        many = self.paths.bit_length() > 50
        paths = f"10^{self.paths.bit_length() * log10(2):.0f}" if many else f"{self.paths}"
        every = "the only path" if self.paths == 1 else f"all {paths} paths"
        seen = every if self.complete else f"{self.drawn} walks"
        of = "" if self.complete else f" over {'about ' * many}{paths} paths"
        less = ", ".join(f"{count} {name}" for name, count in self.dropped.items() if count)
        return (
            f"{len(self.items)} of {self.wanted} wanted; {seen}{of}: {self.candidates} "
            f"candidates{f', left out {less}' if less else ''}"
        )

    @overload
    def __getitem__(self, index: int) -> Paraphrase: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Paraphrase, ...]: ...
    def __getitem__(self, index: int | slice) -> Paraphrase | tuple[Paraphrase, ...]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)


def paraphrases(
    lattice: Lattice,
    *,
    n: int = 100,
    walk: str = "arcs",
    seed: int = 1,
    repetition: bool = True,
    keep_inputs: bool = False,
    rank: str = "ngram+syntax",
    model: LanguageModel | None = None,
    known: Iterable[Sentence] | Transitions | None = None,
    pool: int | None = None,
    max_draws: int = 10_000,
) -> Paraphrases:
    """Draw novel sentences from a lattice, and rank them.

    A path is drawn, and left out if it says what an input says, or what another path said. Two
    sentences say the same if their words are the same up to case, the kind of apostrophe and how
    letters are composed; marks are not compared, and of sentences that differ in these the best is
    kept. A lattice of no more paths than may be drawn is looked at in full instead.

    Parameters
    ----------
    lattice : Lattice
    n : int
        How many are wanted, at most.
    walk : str
        `arcs`: at each node all arcs are equally likely. `paths`: all paths are.
    seed : int
        The same seed gives the same answer, on any machine.
    repetition : bool
        Whether sentences are left out that say a content word (one that is not on the stop list)
        more often than every input does.
    keep_inputs : bool
        Whether sentences of the inputs may be in the answer.
    rank : str
        `ngram+syntax`, `ngram`, `syntax` (`ranking`), or `none`: as they were drawn.
    model : LanguageModel, optional
        By default one of order 3, of the sentences of the cluster.
    known : iterable of Sentence, or Transitions, optional
        Analysed sentences that tell which steps of syntax there are, besides those of the cluster.
        As `bitext.align.words.ranking.Transitions` they are read once for many lattices.
    pool : int, optional
        How many novel sentences are looked for, to rank them and keep the best. By default ten
        times `n`, and no less than 1000 (of sentences of more than 500 words, of half a million
        words), so that the best of few are those of many; `n` where nothing is ranked.
    max_draws : int
        The most paths that are looked at.

    Returns
    -------
    Paraphrases
        Fewer than `n`, or none, where the lattice has no more: of one sentence, none.

    Raises
    ------
    OptionError
        When an option has a value that is not allowed.
    InputError
        When it is no `Lattice`, or ranked by syntax alone and the sentences have none.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("A ferry burns .".split()), Sentence("The ferry sank .".split())])
    >>> found = paraphrases(Lattice(c, [[0, 1, 2, 3], [4, 1, 5, 3]]))
    >>> [item.text for item in found], found.paths, found.dropped["input"]
    (['A ferry sank.', 'The ferry burns.'], 4, 2)

    """
    want_lattice(lattice)
    _check(n=n, walk=walk, rank=rank, pool=pool, max_draws=max_draws, seed=seed)
    if pool is None:
        longest = max(map(len, lattice.cluster))
        pool = n if rank == "none" else max(min(_POOL, _WORDS // longest), 10 * n)
    signature = "|".join(
        (
            f"paraphrases|n:{n}|walk:{walk}|seed:{seed}",
            f"repetition:{'dropped' if repetition else 'kept'}",
            f"inputs:{'kept' if keep_inputs else 'dropped'}|rank:{rank}",
            f"model:{'cluster' if model is None else f'given:{model.order}'}",
            f"known:{'cluster' if known is None else 'given'}",
            f"pool:{pool}|max-draws:{max_draws}|bitext:{bitext.__version__}",
        )
    )
    found = Candidates(lattice, repetition=repetition, keep_inputs=keep_inputs)
    found.gather(pool, walk=walk, seed=seed, most=max_draws)
    sentences = lattice.cluster.sentences
    if model is None:
        model = NgramModel(sentence.forms for sentence in sentences)
    beside = known if known is None or isinstance(known, Transitions) else Transitions(known)
    transitions = Transitions(sentences, beside=beside)
    seen = {gram for sentence in sentences for gram in _grams(sentence.forms)}
    items = []
    for scores, (worded, path) in _ranked(found, rank, model, transitions)[:n]:
        own = _grams(worded.forms)
        text = found.wording.text(worded, path)
        novelty = sum(gram not in seen for gram in own) / len(own)
        items.append(Paraphrase(text, worded.forms, path, worded.spans, scores, novelty))
    return Paraphrases(
        tuple(items),
        n,
        found.paths,
        found.drawn,
        len(found.variants),
        {reason: found.dropped[reason] for reason in REASONS},
        found.complete,
        signature,
    )


def _ranked(
    found: Candidates, rank: str, model: LanguageModel, transitions: Transitions
) -> list[tuple[Scores, Candidate]]:
    """Return the best variant of each candidate, the best first; ties by their words."""
    all_ = [variant for variants in found.variants.values() for variant in variants]
    tokens = [variant.worded.tokens for variant in all_]
    wrong = [_faults(variant, found.wording, transitions) for variant in all_]
    broken = [
        is_broken(
            variant.worded.tokens,
            whole=partial(_whole, found.wording, variant.nodes),
            finite=transitions.mostly_finite,
        )
        for variant in all_
    ]
    scores = score(
        tokens, rank=rank, model=model, transitions=transitions, faults=wrong, broken=broken
    )
    scored = list(zip(scores, all_, strict=True))
    if rank != "none":
        # Rounded, so that the last digit of a logarithm decides nothing.
        scored.sort(key=lambda pair: (-round(pair[0].total, 9), pair[1].worded.forms))
    best: dict[tuple[str, ...], tuple[Scores, Candidate]] = {}
    for pair in scored:
        best.setdefault(pair[1].worded.key, pair)
    return list(best.values())


def _faults(candidate: Candidate, wording: Wording, transitions: Transitions) -> float:
    """Return how many faults a candidate has that no sentence of the cluster has with it."""
    worded, nodes = candidate
    return faults(
        worded.tokens,
        known=transitions.has_chunk,
        whole=partial(_whole, wording, nodes),
        together=lambda one, other: wording.together(worded.forms[one], worded.forms[other]),
    )


def _whole(wording: Wording, nodes: tuple[int, ...], first: int, end: int) -> bool:
    """Return whether some sentence has a part of a path in full."""
    return wording.whole(nodes[first:end])


def _grams(forms: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the different runs of three words, or of all if they are fewer."""
    words = list(map(folded, forms))
    size = min(_GRAM, len(words))
    return {tuple(words[k : k + size]) for k in range(len(words) - size + 1)}


def _check(*, n: int, walk: str, rank: str, pool: int | None, max_draws: int, seed: int) -> None:
    """Refuse what is not allowed."""
    if walk not in WALKS:
        raise OptionError(f"walk {walk!r} is not known: want one of {', '.join(WALKS)}")
    if rank not in RANKS:
        raise OptionError(f"rank {rank!r} is not known: want one of {', '.join(RANKS)}")
    numbers = {"n": (n, 0), "max_draws": (max_draws, 1), "seed": (seed, 0)}
    if pool is not None:
        numbers["pool"] = (pool, n)
    for name, (value, least) in numbers.items():
        if not isinstance(value, Integral) or value < least:
            raise OptionError(f"{name} is {value!r}: want a whole number, {least} or more")
