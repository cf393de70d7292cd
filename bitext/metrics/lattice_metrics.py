"""Metrics of a lattice: its size, its compression, and the quality of its paths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Literal, NamedTuple

import numpy as np

import bitext
from bitext.errors import InputError, OptionError, check_type, many
from bitext.kernels.arrays import Ints, batches, prefix, ranges
from bitext.kernels.lattice_path import (
    can_repeat,
    count_paths,
    draw_paths,
    paths_without_repetition,
    repeats,
    successors,
)
from bitext.metrics.edgain import EdGain, edgain
from bitext.metrics.registry import whole
from bitext.model import Cluster, Counts, Lattice, Ratio
from bitext.model.lattice import WordGroups, want_lattice
from bitext.model.sentence import folded, is_word

# Novelty: the share of whole paths, or of sequences of words, that no input has.
_ARC_PAIRS_AT_ONCE = 1 << 20  # pairs of arcs in one step; set by hand: some 30 MB of arrays


def path_novelty(lattice: Lattice) -> Ratio:
    """Share of the paths that are not the path of an input. 0 to 1.

    Inputs with the same path count once. Numerator and denominator are exact, of any size. A path
    with the words of an input but other nodes is new here; `ngram_novelty` compares the words.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Milan".split())])
    >>> path_novelty(Lattice(c, [[1, 2, 3], [4, 2, 5]]))
    <Ratio: 0.5000 (2/4)>

    """
    want_lattice(lattice)
    paths = count_paths(successors(lattice.arcs.tail, lattice.arcs.head, len(lattice)))[0]
    inputs = {lattice.paths.row(k).tobytes() for k in range(len(lattice.cluster))}
    return Ratio(paths - len(inputs), paths)


def ngram_novelty(texts: Iterable[Sequence[str]], cluster: Cluster, *, n: int = 3) -> Ratio:
    """Share of the sequences of `n` words of some sentences that no input has. 0 to 1.

    The sentences are sequences of words, as `Paraphrase.tokens`; the inputs are those of the
    cluster. Words are compared `folded`, and punctuation marks count as words. Each position of
    each sentence counts. Without a sentence of `n` words the share is `nan`: 0/0.

    Raises `OptionError` when `n` is below 1, and `InputError` when a sentence is one string.

    Examples
    --------
    >>> from bitext.model import Cluster, Sentence
    >>> c = Cluster([Sentence("fires burn in Rome".split()), Sentence("it burns in Milan".split())])
    >>> ngram_novelty([["fires", "burn", "in", "Milan"]], c).value
    0.5

    """
    if n < 1:
        raise OptionError(f"sequences of {n} words: want 1 or more")
    texts = list(texts)
    if wrong := next((text for text in texts if isinstance(text, str)), None):
        raise InputError(f"a sentence is {wrong!r:.40}: want a list of its words")
    known = {gram for sentence in cluster for gram in _grams(sentence.forms, n)}
    novel = [gram not in known for text in texts for gram in _grams(text, n)]
    return Ratio(sum(novel), len(novel), reason=f"no sentence has {many(n, 'word')}")


def _grams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    same = list(map(folded, words))
    return (tuple(same[k : k + n]) for k in range(len(same) - n + 1))


def trigram_novelty(lattice: Lattice, *, at_once: int = _ARC_PAIRS_AT_ONCE) -> Ratio:
    """Share of the sequences of three words, over all paths of a lattice, that no input has.

    0 to 1, exact: every path has the same weight, and so has each position of a path. Two words in
    a row are never new, since an arc is a step of an input; three are the shortest sequence that
    can be. Words are those of the nodes, `folded`. Without a path of three words the share is
    `nan`: 0/0. Pairs of arcs are joined some at once, which bounds the memory.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Milan".split())])
    >>> trigram_novelty(Lattice(c, [[1, 2, 3], [4, 2, 5]]))
    <Ratio: 0.5000 (2/4)>

    """
    want_lattice(lattice)
    tail, head = lattice.arcs.tail, lattice.arcs.head
    to_end = count_paths(successors(tail, head, len(lattice)))
    from_start = [1] + [0] * (len(lattice) - 1)
    for node, after in zip(tail.tolist(), head.tolist(), strict=True):
        from_start[after] += from_start[node]
    before, onward = np.array(from_start, dtype=object), np.array(to_end, dtype=object)
    word, words = _node_words(lattice)
    known = _input_trigrams(lattice, word, words)
    inner = (tail > 0) & (head < len(lattice) - 1)
    tail, head = tail[inner], head[inner]  # arcs ascend by tail, so those of a node are a run
    ptr = prefix(np.bincount(tail, minlength=len(lattice)))
    degree = np.diff(ptr)[head]
    new = total = 0
    for lo, hi in batches(prefix(degree), at_once):
        first = np.repeat(np.arange(lo, hi), degree[lo:hi])
        second = ranges(ptr[head[lo:hi]], degree[lo:hi])
        ends = head[second]
        weight = before[tail[first]] * onward[ends]
        keys = _key(word[tail[first]], word[head[first]], word[ends], words)
        total += int(weight.sum())
        new += int(weight[~np.isin(keys, known)].sum())
    return Ratio(new, total, reason="no path has three words")


def _node_words(lattice: Lattice) -> tuple[Ints, int]:
    """Return the word of each node as a number, and the number of different words."""
    numbers: dict[str, int] = {}
    words = [
        numbers.setdefault(folded(lattice.form(node)), len(numbers)) for node in range(len(lattice))
    ]
    return np.array(words, dtype=np.int64), len(numbers)


def _input_trigrams(lattice: Lattice, word: Ints, words: int) -> Ints:
    along, lengths = word[lattice.paths.idx], lattice.paths.lengths
    at = np.flatnonzero(ranges(0, lengths) + 2 < np.repeat(lengths, lengths))
    return np.unique(_key(along[at], along[at + 1], along[at + 2], words))


def _key(one: Ints, two: Ints, three: Ints, words: int) -> Ints:
    """Return the number of each trigram; 64 bits are enough for two million words."""
    return (one * words + two) * words + three


# The repetition ratio of a lattice: the share of its paths that repeat a word which no input does.


@dataclass(frozen=True, slots=True)
class RepetitionRatio:
    """The share of paths with a repetition, counted or estimated.

    Attributes
    ----------
    ratio : Ratio
        Paths with a repetition over paths: over all paths where `exact`, else over the sample.
    exact : bool
        Whether all paths were counted. If not, `ratio` is an estimate.
    words : tuple of str
        The words that a path repeats and no input does, sorted.

    """

    ratio: Ratio
    exact: bool
    words: tuple[str, ...]

    @property
    def value(self) -> float:
        """The share: 0 to 1, lower is better."""
        return self.ratio.value

    @property
    def drawn(self) -> int | None:
        """The number of paths in the sample; `None` if all were counted."""
        return None if self.exact else int(self.ratio.denominator)

    @property
    def error(self) -> float:
        """The standard error of the estimate; 0 if all paths were counted."""
        if self.exact:
            return 0.0
        share = self.value
        return sqrt(share * (1 - share) / self.ratio.denominator)


def repetition_ratio(
    lattice: Lattice,
    *,
    leave_out: Collection[str] = (),
    steps: int = 300_000,
    draws: int = 10_000,
    seed: int = 1,
) -> RepetitionRatio:
    """Share of the paths that repeat a word which no input repeats. 0 to 1, lower is better.

    A wrong alignment of words, or a missing one, lets a path say the same thing twice. All paths
    from start to accept have the same weight. They are counted exactly where that takes at most
    `steps` steps; otherwise paths are drawn uniformly, and the result is an estimate with a
    standard error.

    Parameters
    ----------
    lattice : Lattice
        A node stands for its most frequent form. Words are compared `folded`; punctuation, a token
        without letter or digit, is not a word.
    leave_out : collection of str
        A stop list: further words that do not count, so that only content words do.
    steps : int
        The limit of exact counting; a step carries a set of words along an arc. 0 always draws.
    draws : int
        The number of paths to draw beyond this limit, 1 or more.
    seed : int
        The seed of the random generator.

    Returns
    -------
    RepetitionRatio
        0 of 1 for a lattice of one sentence, whose only path is an input.

    Raises
    ------
    OptionError
        When `steps` is below 0, `draws` below 1, or `leave_out` one string.

    Notes
    -----
    **Source**: B. Pang, K. Knight and D. Marcu, Syntax-based alignment of multiple translations,
    NAACL 2003.

    **Departures**: a word that an input has twice may stand any number of times in a path.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("Milan is beautiful".split()), Sentence("I went to Milan".split())])
    >>> one, crossed = [[1, 2, 3], [4, 5, 6, 7]], [[1, 2, 3], [4, 2, 6, 7]]
    >>> repetition_ratio(Lattice(c, one)).ratio
    <Ratio: 0.0000 (0/2)>
    >>> result = repetition_ratio(Lattice(c, crossed))
    >>> result.ratio, result.words  # "Milan went to Milan"; "I went beautiful"
    (<Ratio: 0.2500 (1/4)>, ('milan',))

    """
    want_lattice(lattice)
    if steps < 0:
        raise OptionError(f"{steps} steps: want 0 (draw paths) or more")
    if draws < 1:
        raise OptionError(f"{draws} draws: want 1 or more")
    draws = whole("draws", draws, "paths")
    if isinstance(leave_out, str):
        raise OptionError(f"leave_out is {leave_out!r:.40}: want a collection of words")
    spelled, word = _words(lattice, frozenset(map(folded, leave_out)))
    graph = successors(lattice.arcs.tail, lattice.arcs.head, len(lattice))
    candidates = can_repeat(graph, word)
    word = np.where(np.isin(word, candidates), word, -1)
    words = tuple(sorted(spelled[number] for number in candidates.tolist()))
    counts = count_paths(graph)
    clean = paths_without_repetition(graph, word, steps=steps)
    if clean is not None:
        return RepetitionRatio(Ratio(counts[0] - clean, counts[0]), exact=True, words=words)
    paths = draw_paths(graph, draws, seed=seed, counts=counts)
    repeating = int(repeats(paths, word).sum())
    return RepetitionRatio(Ratio(repeating, draws), exact=False, words=words)


def _words(lattice: Lattice, leave_out: frozenset[str]) -> tuple[list[str], Ints]:
    """Return the words that count, and the number of each node's word, -1 if it does not count.

    A word that an input repeats does not count. Repetitions in an input are searched for in the
    words of its nodes, so that an input is never a path with a repetition.
    """
    known: dict[str, int] = {}
    out = np.full(len(lattice), -1, dtype=np.int64)
    for node in range(1, len(lattice) - 1):
        form = folded(lattice.form(node))
        if form not in leave_out and is_word(form):
            out[node] = known.setdefault(form, len(known))
    sentence = np.repeat(np.arange(len(lattice.cluster)), lattice.paths.lengths)
    word = out[lattice.paths.idx]
    keys, times = np.unique((sentence * (len(known) + 1) + word)[word >= 0], return_counts=True)
    repeated = keys[times > 1] % (len(known) + 1)
    out[np.isin(out, repeated)] = -1
    return list(known), out


# The word links of a lattice, scored against those of another lattice.


def word_links(
    gold: Lattice, hyp: Lattice, *, links: Literal["shared", "direct"] = "shared"
) -> Counts:
    """Precision, recall and F of the word pairs that a lattice aligns. Higher is better.

    A link is a pair of words of two sentences. `shared`: two words of the same node, so that links
    are transitive; a node of k words has k (k - 1) / 2. Links are counted over pairs of nodes with
    common words, so cost does not grow with the number of links. `direct`: the aligned pairs from
    which the lattice was built (`Lattice.pairs`), in either order.

    Parameters
    ----------
    gold, hyp : Lattice
        Two lattices over the same words of the same sentences.
    links : {"shared", "direct"}
        The definition of a link.

    Returns
    -------
    Counts
        Counts add over clusters. If a side has no links, its ratio is `nan`: 0/0.

    Raises
    ------
    InputError
        When the two are over different sentences.
    OptionError
        When `links` is neither of the two.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["Milan", "burns"])])
    >>> word_links(Lattice(c, [[1, 2], [1, 2]]), Lattice(c, [[1, 2], [3, 2]])).recall
    0.5

    """
    _check_same(gold, hyp)
    if links == "direct":
        expected, proposed = _direct(gold), _direct(hyp)
        return Counts(len(expected & proposed), len(proposed), len(expected))
    if links != "shared":
        raise OptionError(f"links {links!r} are not known: want 'shared' or 'direct'")
    a, b = gold.paths.idx, hyp.paths.idx
    both = np.unique(a * len(hyp) + b, return_counts=True)[1]
    return Counts(_pairs(both), _pairs(np.bincount(b)), _pairs(np.bincount(a)))


def _pairs(sizes: Ints) -> int:
    """Return the number of pairs within groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


def _direct(lattice: Lattice) -> set[tuple[tuple[int, int], ...]]:
    return {tuple(sorted(pair)) for pair in lattice.pairs}


def _check_same(gold: Lattice, hyp: Lattice) -> None:
    """Refuse lattices over different words, and name the first difference."""
    for name, side in (("gold", gold), ("hyp", hyp)):
        check_type(
            name, side, Lattice, "a Lattice, as align_cluster(cluster); of word links: link_scores"
        )
    sides = (gold.cluster, hyp.cluster)
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"gold is over {len(sides[0])} sentences and the hypothesis over {len(sides[1])}: "
            f"want two alignments of the same cluster"
        )
    for number, (one, other) in enumerate(zip(*sides, strict=True), start=1):
        if one.forms == other.forms:
            continue
        least = min(len(one), len(other))
        place = next((k for k in range(least) if one[k].form != other[k].form), least)
        words = [
            repr(side[place].form) if place < len(side) else "missing" for side in (one, other)
        ]
        raise InputError(
            f"word {place + 1} of sentence {number} is {words[0]} in gold and {words[1]} in the "
            f"hypothesis: want two alignments of the same words"
        )


class Figure(NamedTuple):
    """One figure of a lattice."""

    name: str  # its name
    value: float  # a count of any size, a share or a mean; `nan` if undefined
    # The direction of better values; empty for a mere size.
    better: Literal["higher", "lower", ""] = ""
    exact: bool = True  # whether the value was counted, not estimated from a sample of paths
    average: Literal["", "sum", "micro", "macro"] = ""  # the average over several clusters, if any


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a lattice.

    Attributes
    ----------
    sentences, words : int
        Of the cluster.
    nodes, arcs : int
        Of the lattice; start and accept, which have no words, are not counted.
    paths : int
        The exact number of paths from start to accept.
    compression : Ratio
        As in `compression`.
    path_novelty, trigram_novelty : Ratio
        As of the functions of these names.
    repetition : RepetitionRatio
        As in `repetition_ratio`.
    edgain : EdGain or None
        As in `edgain`; `None` without lattices of the other sentences.
    links : Counts or None
        The word links against another alignment (`word_links`), where one is given.
    signature : str
        Every choice that changes a figure, and the version.

    """

    sentences: int
    words: int
    nodes: int
    arcs: int
    paths: int
    compression: Ratio
    path_novelty: Ratio
    trigram_novelty: Ratio
    repetition: RepetitionRatio
    edgain: EdGain | None
    links: Counts | None
    signature: str

    def all(self) -> list[Figure]:
        """Return every figure with its name, in the order of reports."""
        figures = [
            Figure("sentences", self.sentences),
            Figure("words", self.words),
            Figure("nodes", self.nodes),
            Figure("arcs", self.arcs),
            Figure("paths", self.paths),
            Figure("compression", self.compression.value, "higher"),
            Figure("path-novelty", self.path_novelty.value),
            Figure("trigram-novelty", self.trigram_novelty.value),
            Figure("repetition-ratio", self.repetition.value, "lower", exact=self.repetition.exact),
        ]
        if self.edgain is not None:
            figures += [
                Figure("edgain", self.edgain.value, "higher"),
                Figure("edgain-per-word", self.edgain.per_word.value, "higher"),
                Figure("edits-saved", self.edgain.saved.value, "higher"),
            ]
        if self.links is not None:
            figures += [
                Figure("link-precision", self.links.precision, "higher"),
                Figure("link-recall", self.links.recall, "higher"),
                Figure("link-f1", self.links.f1, "higher"),
            ]
        return figures


def compression(lattice: Lattice) -> Ratio:
    """Share of the words that need no node of their own: 1 - nodes / words.

    0 when no words are aligned, nearer to 1 the more words share a node, and never 1. Start and
    accept are not counted. 1 minus the compression is the number of states a word.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Rome".split())])
    >>> compression(Lattice(c, [[1, 2, 3], [4, 2, 3]]))
    <Ratio: 0.3333 (2/6)>

    """
    want_lattice(lattice)
    words = lattice.cluster.words
    return Ratio(words - (len(lattice) - 2), words)


def lattice_figures(
    lattice: Lattice,
    *,
    held_out: Iterable[Lattice | WordGroups] | None = None,
    nearest: Sequence[int] | None = None,
    gold: Lattice | None = None,
    leave_out: Collection[str] = (),
    steps: int = 300_000,
    draws: int = 10_000,
    seed: int = 1,
) -> Figures:
    """Every figure of a lattice.

    Parameters
    ----------
    lattice : Lattice
        The lattice to measure.
    held_out : iterable of Lattice or WordGroups, optional
        For `edgain`: the lattice of all other sentences for each sentence, built as `lattice` was.
    nearest : sequence of int, optional
        For `edgain`: the result of `distances_to_inputs`, if already known.
    gold : Lattice, optional
        For `word_links`: another alignment of the same sentences.
    leave_out, steps, draws, seed
        As in `repetition_ratio`.

    Returns
    -------
    Figures

    Raises
    ------
    InputError
        When `lattice` is no `Lattice`, and as `edgain` and `word_links` do.
    OptionError
        As `repetition_ratio` does.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("fires in Rome".split()), Sentence("fire in Milan".split())])
    >>> result = lattice_figures(Lattice(c, [[1, 2, 3], [4, 2, 5]]))
    >>> [(figure.name, round(figure.value, 4)) for figure in result.all()][3:6]
    [('arcs', 8), ('paths', 4), ('compression', 0.1667)]
    >>> result.signature.split("|")[:2]
    ['lattice', 'repetition:exact']

    """
    want_lattice(lattice)
    repeated = repetition_ratio(lattice, leave_out=leave_out, steps=steps, draws=draws, seed=seed)
    novel = path_novelty(lattice)
    return Figures(
        sentences=len(lattice.cluster),
        words=lattice.cluster.words,
        nodes=len(lattice) - 2,
        arcs=len(lattice.arcs.tail),
        paths=int(novel.denominator),
        compression=compression(lattice),
        path_novelty=novel,
        trigram_novelty=trigram_novelty(lattice),
        repetition=repeated,
        edgain=None if held_out is None else edgain(lattice.cluster, held_out, nearest=nearest),
        links=None if gold is None else word_links(gold, lattice),
        signature=_signature(repeated, len(frozenset(leave_out)), seed),
    )


def _signature(repeated: RepetitionRatio, left_out: int, seed: int) -> str:
    parts = ["lattice"]
    parts.append(
        "repetition:exact" if repeated.exact else f"repetition:{repeated.drawn}-paths|seed:{seed}"
    )
    if left_out:
        parts.append(f"left-out:{left_out}-words")
    return "|".join([*parts, f"bitext:{bitext.__version__}"])


def over_clusters(figures: Sequence[Figures]) -> list[Figure]:
    """Average the figures of several lattices, one or more.

    Sizes and paths are sums. Compression, edgain and word links are pooled (`micro`). Shares of
    paths are means over clusters (`macro`): pooled, the cluster with the most paths would decide
    them. A cluster whose share is undefined is left out of its mean. Figures that some lattices
    lack (edgain, word links) are left out.
    """
    rows = [one.all() for one in figures]
    shared = set.intersection(*({figure.name for figure in row} for row in rows))
    table = [[figure for figure in row if figure.name in shared] for row in rows]
    out = []
    for column in zip(*table, strict=True):
        figure = column[0]
        pool = _POOLED.get(figure.name)
        if pool is not None:
            out.append(figure._replace(value=pool(figures), average="micro"))
        elif figure.name in _SIZES:
            out.append(figure._replace(value=sum(one.value for one in column), average="sum"))
        else:
            known = [one.value for one in column if not isnan(one.value)]
            out.append(
                figure._replace(
                    value=sum(known) / len(known) if known else nan,
                    exact=all(one.exact for one in column),
                    average="macro",
                )
            )
    return out


_SIZES = {"sentences", "words", "nodes", "arcs", "paths"}


def _gain(figures: Sequence[Figures]) -> EdGain:
    return sum((one.edgain for one in figures if one.edgain is not None), EdGain((), (), ()))


def _links(figures: Sequence[Figures]) -> Counts:
    return sum((one.links for one in figures if one.links is not None), Counts(0, 0, 0))


_POOLED: dict[str, Callable[[Sequence[Figures]], float]] = {
    "compression": lambda figures: sum((one.compression for one in figures), Ratio(0, 0)).value,
    "edgain": lambda figures: _gain(figures).value,
    "edgain-per-word": lambda figures: _gain(figures).per_word.value,
    "edits-saved": lambda figures: _gain(figures).saved.value,
    "link-precision": lambda figures: _links(figures).precision,
    "link-recall": lambda figures: _links(figures).recall,
    "link-f1": lambda figures: _links(figures).f1,
}
