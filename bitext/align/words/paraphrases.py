"""Paraphrases from a lattice: random walks, filtered and ranked.

**Source**: S. Shen, D. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming for
aligning comparable texts for the generation of paraphrases, COLING/ACL 2006: they drew 100 random
walks a cluster. **Departures**: the filter of repetitions, the ranks and the walk that is uniform
over paths are ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import isnan, log10
from numbers import Integral
from typing import NamedTuple, overload

import numpy as np

import bitext
from bitext.align.words.ngram_model import NgramModel
from bitext.align.words.options import is_stop_word
from bitext.align.words.ranking import (
    RANKS,
    Frames,
    LanguageModel,
    Scores,
    Transitions,
    broken_condition,
    faults,
    score,
)
from bitext.errors import OptionError, check_one_of, check_truths
from bitext.kernels.arrays import Rows, take
from bitext.kernels.lattice_path import (
    all_paths,
    arc_log2,
    count_paths,
    draw_paths,
    random_shares,
    successors,
    walk_arcs,
)
from bitext.model.lattice import Lattice, want_lattice
from bitext.model.sentence import Cluster, Sentence, Token, folded, is_word
from bitext.syntax.tokenizer import detokenize, gaps_of

# The wording of a path through a lattice: the sentences that it follows, its words, its text.
#
# A path is cut into *spans*, contiguous runs of nodes that some sentence contains in full. Taking
# the longest span from the left each time gives the fewest spans, since a run that begins later
# never ends earlier. The words of a span are those of one of its sentences: the sentence of the
# previous span if it contains this one too, otherwise the earliest.
#
# A word that begins its input sentence, but not the path, gets the spelling that the cluster has
# within sentences. If it never occurs there, its first letter is lowered unless the word is tagged
# as a name, is `I`, or looks like an adjective of a country; without tags, only words of the stop
# list are lowered. The first word of a path gets a capital, unless it has one elsewhere (iPhone).

# Endings of adjectives of countries: Italian, Chilean, Japanese, Polish, Iraqi, Pakistani.
_COUNTRY = re.compile(r"\w{2,}(?:ian|ean|can|ese|ish|eli|aqi|ani)\Z")


class Span(NamedTuple):
    """A run of words that occurs in full in one or more sentences."""

    # `first`, `end`: the half-open range of words in the path.
    first: int
    end: int
    sentences: tuple[int, ...]  # all sentences that contain the run in full


class Worded(NamedTuple):
    """The words of a path."""

    forms: tuple[str, ...]  # the words as they are printed, with case adapted to their position
    tokens: tuple[Token, ...]  # the tokens of the input sentences that the words are taken from
    places: tuple[tuple[int, int], ...]  # the indices of sentence and word of each token
    spans: tuple[Span, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """The key of equal sentences: the folded words, without punctuation."""
        return key_of(self.forms)


class Wording:
    """The choice of words for the paths of a lattice.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["A", "ferry", "burns"]), Sentence(["The", "ferry", "sank"])])
    >>> wording = Wording(Lattice(c, [[0, 1, 2], [3, 1, 4]]))
    >>> said = wording.of([0, 1, 3, 5, 6])
    >>> said.forms, said.spans
    (('A', 'ferry', 'sank'), (Span(first=0, end=2, sentences=(0,)),
      Span(first=2, end=3, sentences=(1,))))

    """

    def __init__(self, lattice: Lattice) -> None:
        self._sentences = lattice.cluster.sentences
        ptr, node = lattice.paths.ptr.tolist(), lattice.paths.idx.tolist()
        # Sets of sentences are bit sets in integers.
        self._on = [0] * len(lattice)
        self._along: dict[tuple[int, int], int] = {}
        self._word: dict[tuple[int, int], int] = {}
        for sentence in range(len(self._sentences)):
            bit, before = 1 << sentence, lattice.start
            for word, word_node in enumerate(node[ptr[sentence] : ptr[sentence + 1]]):
                self._on[word_node] |= bit
                self._along[before, word_node] = self._along.get((before, word_node), 0) | bit
                self._word[sentence, word_node] = word
                before = word_node
        self._forms = [frozenset(map(folded, sentence.forms)) for sentence in self._sentences]
        self._written = [list(sentence.forms) for sentence in self._sentences]
        self._places = [
            [(number, word) for word in range(len(sentence))]
            for number, sentence in enumerate(self._sentences)
        ]
        self._first = [_first_word(sentence.forms) for sentence in self._sentences]
        self._inside = self._seen_inside()
        self._gaps: dict[int, list[bool | None]] = {}

    def of(self, path: Sequence[int]) -> Worded:
        """Return the wording of a path; start and accept among its nodes are left out."""
        nodes = [node for node in path if self._on[node]]
        spans = self._spans(nodes)
        forms: list[str] = []
        tokens: list[Token] = []
        places: list[tuple[int, int]] = []
        source = -1
        for first, end, mask in spans:
            source = source if source >= 0 and mask >> source & 1 else _lowest(mask)
            # The source has the words of the span side by side.
            word = self._word[source, nodes[first]]
            past, begin = word + end - first, self._first[source]
            begins = word <= begin < past and any(map(is_word, forms))
            forms += self._written[source][word:past]
            tokens += self._sentences[source][word:past]
            places += self._places[source][word:past]
            if begins:
                forms[begin - past] = self.within(tokens[begin - past])
        first = _first_word(forms)
        if first >= 0:
            forms[first] = _capital(forms[first])
        word_spans = tuple(Span(first, end, _members(mask)) for first, end, mask in spans)
        return Worded(tuple(forms), tuple(tokens), tuple(places), word_spans)

    def text(self, worded: Worded, path: Sequence[int]) -> str:
        """Return the words as text, spaced as in an input that has them side by side."""
        nodes = [node for node in path if self._on[node]]
        gaps = []
        for k in range(len(nodes) - 1):
            mask = self._along[nodes[k], nodes[k + 1]]
            source = worded.places[k][0]
            source = source if mask >> source & 1 else _lowest(mask)
            gaps.append(self._spacing(source)[self._word[source, nodes[k]]])
        return detokenize(worded.forms, gaps=gaps)

    def whole(self, run: Sequence[int]) -> bool:
        """Check whether some sentence contains a contiguous run of nodes."""
        mask = self._on[run[0]]
        for step in pairwise(run):
            mask &= self._along.get(step, 0)
        return mask > 0

    def seams(
        self, worded: Worded, nodes: Sequence[int]
    ) -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, int]], int]]:
        """Yield the ends of spans, with the words there in the sources before and after.

        An item also has the number of words of the next span, for `Frames.balance`.
        """
        for span, after in pairwise(worded.spans):
            last, first = nodes[span.end - 1], nodes[after.first]
            joined = _members(self._along[last, first])
            yield (
                [(sentence, self._word[sentence, last]) for sentence in span.sentences],
                [(sentence, self._word[sentence, last]) for sentence in joined],
                after.end - after.first,
            )

    def together(self, one: str, other: str) -> bool:
        """Check whether some sentence contains both words, by their forms."""
        return any({folded(one), folded(other)} <= forms for forms in self._forms)

    def _spans(self, nodes: Sequence[int]) -> list[tuple[int, int, int]]:
        if not nodes:
            return []
        spans, first, mask = [], 0, self._on[nodes[0]]
        for end, along in enumerate(map(self._along.get, pairwise(nodes)), 1):
            longer = mask & along if along else 0
            if longer:
                mask = longer
            else:
                spans.append((first, end, mask))
                first, mask = end, self._on[nodes[end]]
        return [*spans, (first, len(nodes), mask)]

    def _spacing(self, sentence: int) -> list[bool | None]:
        if sentence not in self._gaps:
            input_sentence = self._sentences[sentence]
            self._gaps[sentence] = gaps_of(input_sentence.forms, input_sentence.text)
        return self._gaps[sentence]

    def _seen_inside(self) -> dict[str, str]:
        """Return the most frequent spelling of each word, first words of sentences left out."""
        seen: dict[str, Counter[str]] = {}
        for first, sentence in zip(self._first, self._sentences, strict=True):
            for word, form in enumerate(sentence.forms):
                if word > first:
                    seen.setdefault(folded(form), Counter())[form] += 1
        return {word: max(forms, key=forms.__getitem__) for word, forms in seen.items()}

    def within(self, token: Token) -> str:
        """Return the spelling within a sentence of a word that begins its sentence."""
        form = token.form
        if form[1:] != form[1:].lower() or form == form.lower():
            return form
        if folded(form) in self._inside:
            return self._inside[folded(form)]
        if form == "I" or token.pos.startswith("NNP"):
            return form
        tagged = token.pos and not (token.pos.startswith("JJ") and _COUNTRY.match(form))
        return form.lower() if tagged or is_stop_word(form) else form


def key_of(forms: Sequence[str]) -> tuple[str, ...]:
    """Return the key of equal wordings: folded, without punctuation if words remain."""
    words = tuple(filter(None, map(_folded_word, forms)))
    return words or tuple(map(folded, forms))


@lru_cache(maxsize=1 << 14)  # paths repeat the words of a lattice
def _folded_word(form: str) -> str:
    return folded(form) if is_word(form) else ""


def _first_word(forms: Sequence[str]) -> int:
    return next((k for k, form in enumerate(forms) if is_word(form)), -1)


def _capital(form: str) -> str:
    return form[0].upper() + form[1:] if form == form.lower() else form


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


@lru_cache(maxsize=1 << 14)  # paths repeat the spans of a lattice
def _members(mask: int) -> tuple[int, ...]:
    out = []
    while mask:
        out.append(_lowest(mask))
        mask &= mask - 1
    return tuple(out)


# Novel paths of a lattice: drawn or enumerated, deduplicated, filtered.

WALKS = ("arcs", "paths")
REASONS = ("input", "repeat", "repetition", "mark", "fragment", "complement")

_WALKS_AT_ONCE = 500  # walks drawn at a time; set by hand

Words = tuple[str, ...]


class Candidate(NamedTuple):
    """The wording of a path, and its nodes without start and accept."""

    worded: Worded
    nodes: tuple[int, ...]


class Candidates:
    """Novel sentences of a lattice.

    Two sentences are equal if their `folded` words are, punctuation left out.

    Parameters
    ----------
    lattice : Lattice
    wording : Wording
        The choice of words for its paths.
    repetition : bool
        Whether to leave out sentences in which a content word occurs more often than in any input.
    keep_inputs : bool
        Whether sentences equal to an input are allowed.
    broken : callable, optional
        Returns the condition that a candidate breaks, for which it is left out, or nothing.

    Attributes
    ----------
    variants : dict of tuple of str to list of Candidate
        For each key of equal sentences, in the order of drawing, the variants that differ in case
        or punctuation. Of paths with identical words, the first with the fewest spans.
    paths : int
        The number of paths of the lattice.
    drawn : int
        The number of paths examined.
    dropped : Counter of str
        The number of paths left out, by reason.
    complete : bool
        Whether all paths were examined.
    sound : set of tuple of int
        The paths for which `broken` returned nothing.

    """

    def __init__(
        self,
        lattice: Lattice,
        wording: Wording,
        *,
        repetition: bool,
        keep_inputs: bool,
        broken: Callable[[Candidate], str] | None = None,
    ) -> None:
        self._broken, self._wording = broken, wording
        self.variants: dict[Words, list[Candidate]] = {}
        self.drawn = 0
        self.dropped: Counter[str] = Counter()
        self.complete = False
        self.sound: set[tuple[int, ...]] = set()
        self._graph = successors(lattice.arcs.tail, lattice.arcs.head, len(lattice))
        self._counts = count_paths(self._graph)
        self._repetition = repetition
        inputs = [key_of(sentence.forms) for sentence in lattice.cluster]
        self._inputs, self._keep_inputs = set(inputs), keep_inputs
        self._most: Counter[str] = Counter()  # for each word, its maximum number in one input
        for words in inputs:
            self._most |= Counter(words)
        self._known: dict[tuple[int, ...], str] = {}

    @property
    def paths(self) -> int:
        """The number of paths of the lattice."""
        return self._counts[0]

    def gather(self, enough: int, *, walk: str, seed: int, most: int) -> None:
        """Draw paths until there are `enough` candidates; examine all paths if they are few.

        A lattice of at most `most` paths is examined in full, whatever `enough` is; otherwise
        `most` is the maximum number of draws. `walk` is `arcs` or `paths`, as for `paraphrases`.
        """
        self.complete = self.paths <= most
        paths = self._all(walk, seed) if self.complete else self._walks(walk, seed, most)
        for nodes in paths:
            if not self.complete and len(self.variants) >= enough:
                break
            self.drawn += 1
            reason = self._known.get(nodes)
            if reason is None:
                reason = self._judged(nodes)
                self._known[nodes] = reason or "repeat"
            if reason:
                self.dropped[reason] += 1

    def _judged(self, nodes: tuple[int, ...]) -> str:
        """Return the reason to leave out a path, or add it to the candidates and return ''."""
        worded = self._wording.of(nodes)
        words = worded.key
        is_input = words in self._inputs
        if is_input and not self._keep_inputs:
            return "input"
        if self._repetition and self._repeats(words):
            return "repetition"
        if self._broken is not None and not is_input:
            condition = self._broken(Candidate(worded, nodes))
            if condition:
                return condition
            self.sound.add(nodes)
        if words not in self.variants:
            self.variants[words] = [Candidate(worded, nodes)]
            return ""
        variants = self.variants[words]
        for k, (other, other_nodes) in enumerate(variants):
            if other.forms == worded.forms:
                # Ties by the nodes, so that the result does not depend on the order of the paths.
                if (len(worded.spans), nodes) < (len(other.spans), other_nodes):
                    variants[k] = Candidate(worded, nodes)
                return "repeat"
        variants.append(Candidate(worded, nodes))
        return "repeat"

    def _repeats(self, words: Words) -> bool:
        return len(set(words)) < len(words) and any(
            count > 1 and count > self._most[word] and is_word(word) and not is_stop_word(word)
            for word, count in Counter(words).items()
        )

    def _walks(self, walk: str, seed: int, most: int) -> Iterator[tuple[int, ...]]:
        for first in range(0, most, _WALKS_AT_ONCE):
            draws = min(_WALKS_AT_ONCE, most - first)
            if walk == "arcs":
                rows = walk_arcs(self._graph, draws, seed=seed, first=first)
            else:
                rows = draw_paths(self._graph, draws, seed=seed, first=first, counts=self._counts)
            yield from _inner(rows)

    def _all(self, walk: str, seed: int) -> Iterator[tuple[int, ...]]:
        """Yield all paths in a random order, that of draws without replacement.

        Each path gets an exponential waiting time with the inverse of its probability as mean;
        the order of the times is that of draws without replacement.
        """
        rows = all_paths(self._graph)
        waits = -np.log(1.0 - random_shares(seed, np.arange(self.paths)))
        times = np.log2(np.maximum(waits, 2.0**-60))
        if walk == "arcs":
            times -= arc_log2(self._graph, rows)
        yield from _inner(take(rows, np.argsort(times, kind="stable")))


def _inner(rows: Rows) -> Iterator[tuple[int, ...]]:
    """Yield the nodes of each path, without start and accept."""
    ptr, nodes = rows.ptr.tolist(), rows.idx.tolist()
    for first, end in pairwise(ptr):
        yield tuple(nodes[first + 1 : end - 1])


_GRAM_WORDS = 3  # words of an n-gram of `Paraphrase.novelty`
_LEAST_RANKED_SENTENCES = 1000  # minimum number of sentences to rank; set by hand
_MOST_RANKED_WORDS = 500_000  # maximum number of words to rank beyond `n` sentences; set by hand


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A sentence of a lattice that is not an input.

    Attributes
    ----------
    text : str
        The sentence as it is printed.
    tokens : tuple of str
        Its words.
    nodes : tuple of int
        The node of each word.
    spans : tuple of Span
        The smallest number of runs that compose the sentence, each with all inputs that contain it.
    scores : Scores
        The scores of the ranking.
    novelty : float
        The share of its distinct trigrams that occur in no input; a sentence of fewer than three
        words is one n-gram. Words are compared `folded`.

    """

    text: str
    tokens: tuple[str, ...]
    nodes: tuple[int, ...]
    spans: tuple[Span, ...]
    scores: Scores
    novelty: float

    def record(self, cluster: Cluster) -> dict[str, object]:
        """Return a record for JSON, with the names of the sentences of each span.

        A sentence without a name is identified by its number, from 1. Undefined scores are None.
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
    """Ranked paraphrases, and counts of the paths left out.

    Attributes
    ----------
    items : tuple of Paraphrase
    wanted : int
        The number requested.
    paths : int
        The exact number of paths of the lattice.
    drawn : int
        The number of paths examined, repeated draws of a path included.
    candidates : int
        The number of novel sentences among them, of which the items are the best.
    dropped : dict of str to int
        The number of paths left out: `input` equals an input, `repeat` equals another path,
        `repetition` repeats a word more often than any input, `mark` has an unpaired mark,
        `fragment` lacks a finite verb, `complement` has too few or too many complements.
    complete : bool
        Whether every path was examined, so that no other paraphrase exists.
    signature : str
        Every option that the result depends on.

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
    def summary(self) -> str:
        """Summarise the numbers of paths drawn and left out, and of paraphrases, in one line."""
        # Beyond 15 digits, nobody wants to read them, and beyond 4300 Python does not write them.
        is_rounded = self.paths.bit_length() > 50
        paths = f"10^{self.paths.bit_length() * log10(2):.0f}" if is_rounded else f"{self.paths}"
        every = "the only path" if self.paths == 1 else f"all {paths} paths"
        seen = every if self.complete else f"{self.drawn} walks"
        of = "" if self.complete else f" over {'about ' * is_rounded}{paths} paths"
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
    keep_broken: bool = False,
    rank: str = "ngram+syntax",
    model: LanguageModel | None = None,
    known: Iterable[Sentence] | Transitions | None = None,
    pool: int | None = None,
    max_draws: int = 10_000,
) -> Paraphrases:
    """Draw novel sentences from a lattice, and rank them.

    A drawn path is left out if it equals an input or an earlier path. Two sentences are equal if
    their words are, up to case, the kind of apostrophe and the Unicode composition of letters;
    punctuation is ignored, and the best of several punctuations is returned. If the lattice has at
    most `max_draws` paths, all of them are examined instead.

    Parameters
    ----------
    lattice : Lattice
    n : int
        The maximum number of paraphrases; `bitext paraphrase` has the default 20.
    walk : str
        `arcs`: all arcs of a node are equally likely. `paths`: all paths are equally likely.
    seed : int
        The same seed gives the same result on any machine.
    repetition : bool
        Whether to leave out sentences in which a content word (one not on the stop list) occurs
        more often than in any input.
    keep_inputs : bool
        Whether sentences equal to an input may be in the result.
    keep_broken : bool
        Whether sentences with an unpaired mark, without a finite verb, or with too few or too many
        complements may be in the result (`ranking`); they rank last. Without parts of speech and
        chunks only marks are checked.
    rank : str
        `ngram+syntax`, `ngram`, `syntax` (`ranking`), or `none`: in the order of drawing.
    model : LanguageModel, optional
        By default a model of order 3 of the sentences of the cluster.
    known : iterable of Sentence, or Transitions, optional
        Parsed sentences whose steps of syntax count as known, besides those of the cluster. Pass a
        `bitext.align.words.ranking.Transitions` to read them once for many lattices.
    pool : int, optional
        The number of novel sentences to collect before ranking. The default is ten times `n` and at
        least 1000 (fewer for sentences of more than 500 words: half a million words in all), so
        that a small `n` does not mean a small choice; without ranking it is `n`.
    max_draws : int
        The maximum number of paths to examine.

    Returns
    -------
    Paraphrases
        Fewer than `n` if the lattice has no more; none for a lattice of one sentence.

    Raises
    ------
    OptionError
        When an option has a value that is not allowed.
    InputError
        When `lattice` is not a `Lattice`, or the rank is `syntax` and the sentences are not parsed.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("A ferry burns .".split()), Sentence("The ferry sank .".split())])
    >>> found = paraphrases(Lattice(c, [[0, 1, 2, 3], [4, 1, 5, 3]]))
    >>> [item.text for item in found], found.paths, found.dropped["input"]
    (['A ferry sank.', 'The ferry burns.'], 4, 2)

    """
    want_lattice(lattice)
    check_truths(repetition=repetition, keep_inputs=keep_inputs, keep_broken=keep_broken)
    _check(n=n, walk=walk, rank=rank, pool=pool, max_draws=max_draws, seed=seed)
    if pool is None:
        longest = max(map(len, lattice.cluster))
        pool = (
            n
            if rank == "none"
            else max(min(_LEAST_RANKED_SENTENCES, _MOST_RANKED_WORDS // longest), 10 * n)
        )
    signature = "|".join(
        (
            f"paraphrases|n:{n}|walk:{walk}|seed:{seed}",
            f"repetition:{'dropped' if repetition else 'kept'}",
            f"inputs:{'kept' if keep_inputs else 'dropped'}",
            f"broken:{'kept' if keep_broken else 'dropped'}|rank:{rank}",
            f"model:{'cluster' if model is None else f'given:{model.order}'}",
            f"known:{'cluster' if known is None else 'given'}",
            f"pool:{pool}|max-draws:{max_draws}|bitext:{bitext.__version__}",
        )
    )
    # More candidates than `n` are drawn, of which the ranking chooses the best.
    sentences = lattice.cluster.sentences
    if model is None:
        model = NgramModel(sentence.forms for sentence in sentences)
    beside = known if known is None or isinstance(known, Transitions) else Transitions(known)
    wording = Wording(lattice)
    judge = _Judge(wording, Transitions(sentences, beside=beside), Frames(sentences))
    pool_candidates = Candidates(
        lattice,
        wording,
        repetition=repetition,
        keep_inputs=keep_inputs,
        broken=None if keep_broken else judge.broken,
    )
    pool_candidates.gather(pool, walk=walk, seed=seed, most=max_draws)
    seen = {gram for sentence in sentences for gram in _grams(sentence.forms)}
    items = []
    for scores, (worded, path) in _ranked(pool_candidates, rank, model, judge)[:n]:
        own = _grams(worded.forms)
        text = wording.text(worded, path)
        novelty = sum(gram not in seen for gram in own) / len(own)
        items.append(Paraphrase(text, worded.forms, path, worded.spans, scores, novelty))
    return Paraphrases(
        tuple(items),
        n,
        pool_candidates.paths,
        pool_candidates.drawn,
        len(pool_candidates.variants),
        {reason: pool_candidates.dropped[reason] for reason in REASONS},
        pool_candidates.complete,
        signature,
    )


class _Judge(NamedTuple):
    """What is wrong with paths of a lattice, by the syntax of its sentences and of known ones."""

    wording: Wording
    transitions: Transitions
    frames: Frames

    def broken(self, candidate: Candidate) -> str:
        """Return the condition that a candidate breaks, or nothing."""
        worded, nodes = candidate
        condition = broken_condition(
            worded.tokens,
            whole=self._whole(nodes),
            finite=self.transitions.mostly_finite,
            past=self.transitions.past,
        )
        if condition:
            return condition
        return "complement" if self.frames.balance(self.wording.seams(worded, nodes)) else ""

    def faults(self, candidate: Candidate) -> float:
        """Count the faults of a candidate that no sentence of the cluster shares."""
        forms, together = candidate.worded.forms, self.wording.together
        return faults(
            candidate.worded.tokens,
            known=self.transitions.has_chunk,
            whole=self._whole(candidate.nodes),
            together=lambda one, other: together(forms[one], forms[other]),
        )

    def _whole(self, nodes: tuple[int, ...]) -> Callable[[int, int], bool]:
        """Return a check whether some sentence contains a part of a path in full."""
        return lambda first, end: self.wording.whole(nodes[first:end])


def _ranked(
    pool_candidates: Candidates, rank: str, model: LanguageModel, judge: _Judge
) -> list[tuple[Scores, Candidate]]:
    """Return the best variant of each candidate, the best first; ties by their words."""
    all_ = [variant for variants in pool_candidates.variants.values() for variant in variants]
    scores = score(
        [variant.worded.tokens for variant in all_],
        rank=rank,
        model=model,
        transitions=judge.transitions,
        faults=[judge.faults(variant) for variant in all_],
        broken=[
            variant.nodes not in pool_candidates.sound and bool(judge.broken(variant))
            for variant in all_
        ],
    )
    scored = list(zip(scores, all_, strict=True))
    if rank != "none":
        # Rounded, so that rounding errors of logarithms do not decide ties.
        scored.sort(key=lambda pair: (-round(pair[0].total, 9), pair[1].worded.forms))
    best: dict[tuple[str, ...], tuple[Scores, Candidate]] = {}
    for pair in scored:
        best.setdefault(pair[1].worded.key, pair)
    return list(best.values())


def _grams(forms: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the distinct trigrams, or all words as one n-gram if there are fewer than three."""
    words = list(map(folded, forms))
    size = min(_GRAM_WORDS, len(words))
    return {tuple(words[k : k + size]) for k in range(len(words) - size + 1)}


def _check(*, n: int, walk: str, rank: str, pool: int | None, max_draws: int, seed: int) -> None:
    check_one_of("walk", walk, WALKS)
    check_one_of("rank", rank, RANKS)
    numbers = {"n": (n, 0), "max_draws": (max_draws, 1), "seed": (seed, 0)}
    if pool is not None:
        numbers["pool"] = (pool, n)
    for name, (value, least) in numbers.items():
        if not isinstance(value, Integral) or value < least:
            raise OptionError(f"{name} is {value!r}: want a whole number, {least} or more")
