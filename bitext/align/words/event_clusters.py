"""Which sentences of several documents go together: clusters for the alignment.

`term`: the sentences that share a content word or a name, around each key term (as Shen, Radev,
Patel and Erkan 2006 took theirs). Clusters may share sentences. `overlap`: complete-link clustering
by n-gram overlap, names, numbers and dates being one word each (Barzilay and Lee 2003). A
sentence is in one cluster at most.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.align.words.key_terms import key_terms
from bitext.align.words.similarity import ngram_similarity
from bitext.errors import InputError, OptionError
from bitext.kernels.complete_link import complete_link
from bitext.model import Cluster, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["MOST_SENTENCES", "EventCluster", "documents_of", "event_clusters"]

MOST_SENTENCES = 6000  # by overlap: memory is some 12 bytes times its square

Document = tuple[str, "Sequence[Sentence]"]


@dataclass(frozen=True, slots=True)
class EventCluster:
    """Sentences that go together, and why.

    Attributes
    ----------
    cluster : Cluster
        The sentences, in the order of the documents; each has its document as `source`.
    terms : tuple of str
        The terms that all of them share, the highest ranking first; none by overlap.
    documents : int
        How many documents they stand in.

    """

    cluster: Cluster
    terms: tuple[str, ...]
    documents: int

    @property
    def name(self) -> str:
        """The name of the cluster, fit for a file."""
        return self.cluster.id or ""


def documents_of(articles: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[Sentence, ...]]]:
    """Cut texts into sentences and words, by the splitter and the tokenizer of our own.

    Parameters
    ----------
    articles : iterable of (str, str)
        Name and text of each, as `bitext.formats.articles.read_articles` gives them.

    Returns
    -------
    list of (str, tuple of Sentence)
        Sentence 3 of `post` has the id `post:3`.

    Examples
    --------
    >>> ((name, sentences),) = documents_of([("post", "It burns. Help came.")])
    >>> [(sentence.id, sentence.forms) for sentence in sentences]
    [('post:1', ('It', 'burns', '.')), ('post:2', ('Help', 'came', '.'))]

    """
    from bitext.syntax.sentences import split_sentences
    from bitext.syntax.tokenizer import tokenize

    return [
        (
            name,
            tuple(
                Sentence(tokenize(line), id=f"{name}:{number}", text=line, source=name)
                for number, line in enumerate(split_sentences(text), start=1)
            ),
        )
        for name, text in articles
    ]


def event_clusters(
    documents: Iterable[Document],
    *,
    by: Literal["term", "overlap"] = "term",
    min_size: int = 2,
    max_size: int | None = None,
    min_documents: int | None = None,
    most: int | None = None,
    threshold: float = 0.1,
    n: int = 4,
) -> list[EventCluster]:
    """Find the sentences of documents that go together.

    Parameters
    ----------
    documents : iterable of (str, sequence of Sentence)
        The name of each, and its sentences. Sentences get the name as `source` unless they have
        one, and `name:number` as id. With parts of speech, names are found by these.
    by : {"term", "overlap"}
        Around key terms, or by n-gram overlap.
    min_size, max_size : int
        The least and the greatest number of sentences of a cluster. A term of more sentences is
        too general for the event, and left out. The least is 2 or more; the greatest is 100 for
        terms, without limit by overlap.
    min_documents : int, optional
        The least number of documents that the sentences of a cluster stand in. By default 2 around
        terms, if there are two, else 1; 1 by overlap.
    most : int, optional
        How many clusters: the first so many. By default all of them.
    threshold : float
        By overlap: the least similarity of two sentences of a cluster, above 0 and up to 1.
    n : int
        By overlap: the longest sequence of words that counts, 1 or more.

    Returns
    -------
    list of EventCluster
        Around terms, ranked as `key_terms` ranks; terms of the very same sentences make one
        cluster. By overlap, the largest first, then the one that begins first. None where no two
        sentences share a term, or none are as similar as the threshold wants.

    Raises
    ------
    InputError
        When there is no sentence, there are more than `MOST_SENTENCES` by overlap, or some go
        together, but all such clusters are too small, too large, or of too few documents: the
        message counts them, with the option.
    OptionError
        When an option is out of its range.

    Notes
    -----
    **Source**: S. Shen, D. R. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming
    for aligning comparable texts for the generation of paraphrases, COLING/ACL 2006; R. Barzilay
    and L. Lee, Learning to paraphrase, NAACL-HLT 2003 (n from 1 to 4, ten sentences or more).

    **Departures**: neither paper tells how terms are ranked, how the overlap of the different n is
    weighed, or the threshold: here all n-grams count alike (`ngram_similarity`). Ties are settled
    by the order of the sentences.

    Examples
    --------
    >>> found = event_clusters(documents_of([
    ...     ("post", "A fire broke out in Tarnwick. Nobody was hurt."),
    ...     ("herald", "In Tarnwick, the fires are out. It rained."),
    ... ]))
    >>> [(one.name, one.terms, [s.id for s in one.cluster]) for one in found]
    [('tarnwick', ('Tarnwick', 'fire'), ['post:1', 'herald:1'])]

    """
    _check(by, min_size, max_size, most, threshold, n)
    held = [(name, _named(name, sentences)) for name, sentences in documents]
    sentences = [sentence for _, inside in held for sentence in inside]
    if not sentences:
        raise InputError("the documents have no sentence: want text")
    if by == "term":
        fewest = min(2, len(held)) if min_documents is None else min_documents
        found = _around_terms([inside for _, inside in held])
        largest = 100 if max_size is None else max_size
    else:
        fewest = 1 if min_documents is None else min_documents
        found = _by_overlap(sentences, threshold, n)
        largest = len(sentences) if max_size is None else max_size
    of = [number for number, (_, inside) in enumerate(held) for _ in inside]
    out: list[EventCluster] = []
    taken: set[str] = set()
    dropped: Counter[str] = Counter()
    for members, terms in found:
        if len(members) < 2:
            continue
        sources = len({of[member] for member in members})
        limits = (
            (len(members) < min_size, f"in fewer than {min_size} sentences (min_size)"),
            (len(members) > largest, f"in more than {largest} sentences (max_size)"),
            (sources < fewest, f"in fewer than {fewest} documents (min_documents)"),
        )
        reason = next((told for beyond, told in limits if beyond), "")
        if reason:
            dropped[reason] += max(len(terms), 1)
            continue
        if len(out) == most:
            break
        name = _free(_slug(terms[0]) if terms else f"event-{len(out) + 1}", taken)
        cluster = Cluster([sentences[member] for member in members], id=name)
        out.append(EventCluster(cluster, terms, sources))
    if dropped and not out:
        reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())
        raise InputError(
            f"no cluster is left of the {'terms' if by == 'term' else 'groups'} that were found: "
            f"{reasons}; want other limits, or more documents on one event"
        )
    return out


def _check(
    by: str, min_size: int, max_size: int | None, most: int | None, threshold: float, n: int
) -> None:
    if by not in {"term", "overlap"}:
        raise OptionError(f"clusters by {by!r} are not known: want 'term' or 'overlap'")
    if min_size < 2:
        raise OptionError(f"clusters of {min_size} sentences at least: want 2 or more")
    if max_size is not None and max_size < min_size:
        raise OptionError(
            f"clusters of {max_size} sentences at most and {min_size} at least: want the first no "
            f"less than the second"
        )
    if most is not None and most < 1:
        raise OptionError(f"{most} clusters at most: want 1 or more")
    if not 0 < threshold <= 1:
        raise OptionError(f"a similarity of {threshold} at least: want above 0, and up to 1")
    if n < 1:
        raise OptionError(f"sequences of up to {n} words: want 1 or more")


def _named(name: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences of a document with where they come from."""
    return [
        sentence
        if sentence.id is not None and sentence.source is not None
        else Sentence(
            sentence.tokens,
            id=sentence.id or f"{name}:{number}",
            text=sentence.text,
            source=sentence.source or name,
            tree=sentence.tree,
        )
        for number, sentence in enumerate(sentences, start=1)
    ]


def _around_terms(
    documents: Sequence[Sequence[Sentence]],
) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Return the sentences of each term, terms of the same sentences together."""
    together: dict[tuple[int, ...], list[str]] = {}
    for term in key_terms(documents):
        together.setdefault(term.sentences, []).append(term.form)
    return [(members, tuple(terms)) for members, terms in together.items()]


def _by_overlap(
    sentences: Sequence[Sentence], threshold: float, n: int
) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Return the groups of complete-link clustering, the largest first."""
    if len(sentences) > MOST_SENTENCES:
        raise InputError(
            f"{len(sentences):,} sentences to cluster by overlap: want up to {MOST_SENTENCES:,}; "
            f"take fewer documents at a time, or cluster them by term"
        )
    group = complete_link(ngram_similarity(sentences, n=n), threshold=threshold)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    parts.sort(key=len, reverse=True)
    return [(tuple(part.tolist()), ()) for part in parts]


def _slug(term: str) -> str:
    """Return a term as the name of a file: letters and digits, with hyphens between."""
    return re.sub(r"[^\w]+", "-", term.casefold()).strip("-_") or "term"


def _free(name: str, taken: set[str]) -> str:
    """Return a name that is not taken yet, and take it."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
