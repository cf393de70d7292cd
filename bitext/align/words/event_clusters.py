"""Articles grouped by event, and clusters of comparable sentences from them.

Articles are grouped before their sentences are clustered. An article is a vector of its content
words and names, folded as key terms are. A term that occurs k times weighs (1 + log k) * log(1 + N
/ d), where d of the N articles have it: `1 +` keeps the weight of terms that all articles have
above zero, since all may be on one event. Two articles are as similar as the cosine of their
vectors, and groups are joined by average linkage, the most similar first, until no two groups are
on average as similar as the threshold, or until the requested number of groups remains.

The result depends on the articles alone, ties on their order. Time and memory grow with the square
of the number of articles: 2,000 articles of 300 words took 15 s and 250 MB on one core.

Clusters of comparable sentences are input of word alignment. With `event`, each event makes a
cluster of all sentences of its documents. With `term`, each key term (a content word or a name) of
an event makes a cluster of the sentences that contain it, as in Shen, Radev, Patel and Erkan
(2006); clusters may share sentences. With `overlap`, complete-link clustering by n-gram overlap, in
which all names, numbers and dates are equal (Barzilay and Lee 2003), puts each sentence into at
most one cluster; it looks for sentences of one form, whatever their event.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from numbers import Integral
from typing import Literal, NamedTuple
from unicodedata import category

import numpy as np

from bitext.align.words.key_terms import (
    Folding,
    Names,
    is_content,
    is_date_word,
    is_number,
    key_terms,
)
from bitext.errors import InputError, OptionError, remedy
from bitext.kernels.arrays import Floats, Ints, Rows, prefix, take
from bitext.kernels.matching import average_link, complete_link, shared_features
from bitext.model import Cluster, Sentence
from bitext.model.sentence import is_word

EVENT_THRESHOLD = 0.1  # mean cosine of two groups; measured by scripts/bench/events.py
MOST_ARTICLES = 5000  # the similarities then take 200 MB; set by hand
# Similarities are multiples of 1 / this, so that sums of them are exact
_SIMILARITY_STEPS = 1 << 20
_MOST_TITLE_WORDS = 15  # words of a first sentence that may be a headline; set by hand
_TITLE_TERMS = 3  # key terms of an event that name it; set by hand


@dataclass(frozen=True, slots=True)
class ArticleEvent:
    """The articles on one event."""

    documents: tuple[int, ...]  # the indices of the articles, ascending
    terms: tuple[str, ...]  # the key terms that most of its articles share, three at most
    # The headline of the article most similar to the others; empty if none has a headline, which
    # is a first sentence of up to 15 words without a mark at its end.
    headline: str

    @property
    def title(self) -> str:
        """The headline, or the key terms."""
        return self.headline or ", ".join(self.terms) or "event"


def article_similarity(documents: Sequence[Sequence[Sentence]]) -> Floats:
    """Return the cosine of each two articles, over the weights of their content words.

    `documents` has the sentences of each article. The result, of shape (articles, articles), is
    symmetric, from 0 to 1, in multiples of 2^-20.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> texts = ("the fire burns", "a fire burns", "ships sail", "")
    >>> documents = [[Sentence(text.split())] if text else [] for text in texts]
    >>> article_similarity(documents)[0].tolist()
    [1.0, 1.0, 0.0, 0.0]

    """
    sentences = [sentence for document in documents for sentence in document]
    folding = Folding(sentences, Names(sentences))
    numbers: dict[str, int] = {}
    lengths, terms, times = [], [], []
    for document in documents:
        counts = Counter(
            word
            for sentence in document
            for form, word in zip(sentence.forms, folding.of(sentence), strict=True)
            if is_content(form)
        )
        lengths.append(len(counts))
        terms += [numbers.setdefault(word, len(numbers)) for word in counts]
        times += [1 + log(count) for count in counts.values()]
    size = len(lengths)
    ptr, term = prefix(np.array(lengths, dtype=np.int64)), np.array(terms, dtype=np.int64)
    holders = np.bincount(term, minlength=len(numbers))
    weight = np.array(times) * np.log1p(size / holders)[term]
    of = np.repeat(np.arange(size), np.diff(ptr))
    norm = np.sqrt(np.bincount(of, weights=weight**2, minlength=size))
    weight /= norm[of]
    # The places of each term, by which the row of an article is added up.
    places = Rows(prefix(holders), np.argsort(term, kind="stable"))
    out = np.zeros((size, size))
    for number in range(size):
        own_terms = slice(int(ptr[number]), int(ptr[number + 1]))
        sharing_articles = take(places, term[own_terms])
        both = (
            np.repeat(weight[own_terms], np.diff(sharing_articles.ptr))
            * weight[sharing_articles.idx]
        )
        out[number] = np.bincount(of[sharing_articles.idx], weights=both, minlength=size)
    return np.asarray(np.minimum(np.rint(out * _SIMILARITY_STEPS) / _SIMILARITY_STEPS, 1.0))


def article_events(
    documents: Sequence[Sequence[Sentence]],
    *,
    events: int | None = None,
    threshold: float = EVENT_THRESHOLD,
) -> list[ArticleEvent]:
    """Group articles by event.

    `documents` has the sentences of each article. Groups of articles are joined while two have a
    mean similarity of `threshold` or more, above 0 and up to 1; or, if `events` is given, until
    there are so many groups, from 1 to the number of articles. The events with most articles come
    first, ties by their first articles; each article is of one.

    Raises `InputError` when there are more than `MOST_ARTICLES` articles, and `OptionError` when an
    option is out of its range.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> texts = ("A fire in Tarnwick", "Snow in Oslo .", "The Tarnwick fire is out .")
    >>> found = article_events([[Sentence(text.split())] for text in texts])
    >>> [(event.documents, event.title) for event in found]
    [((0, 2), 'A fire in Tarnwick'), ((1,), 'Oslo, snow')]

    """
    if events is not None and (
        isinstance(events, bool)
        or not isinstance(events, Integral)
        or not 1 <= events <= len(documents)
    ):
        option = remedy("events", python="events")
        raise OptionError(f"{option} is {events!r:.20}: want 1 to {len(documents)}, the articles")
    if not 0 < threshold <= 1:
        option = remedy("event-threshold", python="event_threshold")
        raise OptionError(f"{option} is {threshold!r:.20}: want above 0, and up to 1")
    if len(documents) > MOST_ARTICLES:
        raise InputError(
            f"{len(documents):,} articles to group by event: want up to {MOST_ARTICLES:,}; take "
            f"those of fewer days at a time"
        )
    similarity = article_similarity(documents)
    group = average_link(similarity, threshold=threshold, groups=events)
    members = [np.flatnonzero(group == first) for first in np.unique(group)]
    members.sort(key=len, reverse=True)
    return [
        ArticleEvent(
            tuple(members_of_event.tolist()),
            tuple(
                term.form
                for term in key_terms([documents[k] for k in members_of_event.tolist()])[
                    :_TITLE_TERMS
                ]
            ),
            _headline(documents, members_of_event, similarity),
        )
        for members_of_event in members
    ]


def _headline(documents: Sequence[Sequence[Sentence]], members: Ints, similarity: Floats) -> str:
    """Return the headline of the most central article that has one."""
    central = similarity[np.ix_(members, members)].sum(axis=1)
    for number in members[np.argsort(-central, kind="stable")].tolist():
        first = documents[number][0] if documents[number] else None
        if first is not None and len(first) <= _MOST_TITLE_WORDS and is_word(first.forms[-1]):
            return str(first.text)
    return ""


# Similarity of sentences by common word sequences, with names and figures made generic.

_NAME, _NUMBER, _DATE = "<name>", "<number>", "<date>"


def generic_words(sentences: Sequence[Sentence]) -> list[list[str]]:
    """Return the words of sentences, casefolded, each name, number and date as one generic word.

    Punctuation is left out. Sentences that differ only in names and figures become equal.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> generic_words([Sentence("On May 5 , 2003 some 40 people left New York .".split())])
    [['on', '<date>', 'some', '<number>', 'people', 'left', '<name>']]

    """
    names = Names(sentences)
    out = []
    for sentence in sentences:
        forms = sentence.forms
        ends = dict(names.runs(sentence))
        words: list[str] = []
        place = 0
        while place < len(forms):
            form = forms[place]
            if place in ends:
                words.append(_NAME)
                place = ends[place]
                continue
            if is_date_word(form):
                if words and words[-1] == _NUMBER:  # 5 May
                    words.pop()
                if not words or words[-1] != _DATE:
                    words.append(_DATE)
            elif is_number(form):
                if not words or words[-1] != _DATE:  # May 5, 2003
                    words.append(_NUMBER)
            elif is_word(form):
                words.append(form.casefold())
            place += 1
        out.append(words)
    return out


def ngram_similarity(sentences: Sequence[Sentence], *, n: int = 4) -> Floats:
    """Return the n-gram overlap of each two sentences: 0 (nothing shared) to 1 (equal).

    The overlap is the Dice coefficient of the multisets of sequences of 1 to `n` words: twice the
    number of common sequences, divided by the sum of their numbers in both sentences. Words are
    those of `generic_words`. A sentence of punctuation alone has similarity 0 to all.

    The result, of shape (sentences, sentences), is symmetric. Equal ratios are exactly equal
    numbers.
    """
    numbers: dict[tuple[object, ...], int] = {}
    features: list[list[int]] = []
    for words in generic_words(sentences):
        times: dict[tuple[str, ...], int] = {}
        row = []
        for size in range(1, n + 1):
            for start in range(len(words) - size + 1):
                gram = tuple(words[start : start + size])
                times[gram] = times.get(gram, 0) + 1
                # Repeats are numbered: a second occurrence matches only a second occurrence.
                row.append(numbers.setdefault((times[gram], *gram), len(numbers)))
        features.append(row)
    lengths = np.array([len(row) for row in features], dtype=np.int64)
    flat = np.array([number for row in features for number in row], dtype=np.int64)
    shared = shared_features(Rows(prefix(lengths), flat))
    out = np.zeros(shared.shape)
    for number, length in enumerate(lengths.tolist()):
        both = np.maximum(lengths + length, 1)  # avoids 0/0 of two sentences without words
        np.divide(2 * shared[number], both, out=out[number])
    return out


MOST_SENTENCES = 6000  # for overlap, whose memory is about 12 bytes times the square

_MOST_NAME_CHARACTERS = 60  # characters of the name of a cluster; set by hand

Document = tuple[str, "Sequence[Sentence]"]


@dataclass(frozen=True, slots=True)
class EventCluster:
    """A cluster of sentences, and the terms that they share.

    Attributes
    ----------
    cluster : Cluster
        The sentences, in the order of the documents; `source` is the document of each.
    terms : tuple of str
        The terms that all sentences share, by rank; empty unless clusters are by term.
    documents : int
        The number of documents of the sentences.
    event : ArticleEvent or None
        The event of the documents; None for clusters by overlap.

    """

    cluster: Cluster
    terms: tuple[str, ...]
    documents: int
    event: ArticleEvent | None = None

    @property
    def name(self) -> str:
        """The name of the cluster, usable as a file name."""
        return self.cluster.id or ""


def documents_of(articles: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[Sentence, ...]]]:
    """Split articles into sentences and words, by the built-in splitter and tokenizer.

    `articles` has the name and the text of each article, as `bitext.formats.clusters.read_articles`
    returns them. Sentence 3 of `post` has the id `post:3`.

    Examples
    --------
    >>> ((name, sentences),) = documents_of([("post", "It burns. Help came.")])
    >>> [(sentence.id, sentence.forms) for sentence in sentences]
    [('post:1', ('It', 'burns', '.')), ('post:2', ('Help', 'came', '.'))]

    """
    from bitext.syntax.tokenizer import split_sentences, tokenize

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
    by: Literal["event", "term", "overlap"] = "term",
    events: int | Sequence[ArticleEvent] | None = None,
    event_threshold: float = EVENT_THRESHOLD,
    min_size: int = 2,
    max_size: int | None = None,
    min_documents: int | None = None,
    most: int | None = None,
    threshold: float = 0.1,
    n: int = 4,
) -> list[EventCluster]:
    """Cluster the comparable sentences of documents.

    Parameters
    ----------
    documents : iterable of (str, sequence of Sentence)
        The name and the sentences of each document. Sentences get the name as `source` unless they
        have one, and `name:number` as id. Parts of speech, if given, identify names.
    by : {"event", "term", "overlap"}
        Clusters of all sentences on an event, around the key terms of each event, or by n-gram
        overlap.
    events : int or sequence of ArticleEvent, optional
        For events and terms: the number of events that the documents are grouped by, or the events
        themselves (`article_events`); by default `event_threshold` decides. With 1 all documents
        are on one event.
    event_threshold : float
        For events and terms: as `threshold` of `article_events`.
    min_size, max_size : int
        The minimum and maximum number of sentences of a cluster. A term in more sentences is too
        general for the event, and left out. The minimum is at least 2; the maximum defaults to 100
        for terms, and to none for events and overlap.
    min_documents : int, optional
        The minimum number of documents of the sentences of a cluster. The default is 2 for events
        and terms if there are two documents, otherwise 1.
    most : int, optional
        The maximum number of clusters (for terms, of clusters of each event), in the order of the
        result; by default no maximum.
    threshold : float
        For overlap: the minimum similarity of any two sentences of a cluster, above 0 and up to 1.
    n : int
        For overlap: the length of the longest word sequence, 1 or more.

    Returns
    -------
    list of EventCluster
        For events, in the order of `article_events`, named by headline, or by key terms. For terms,
        event by event, in the order of `key_terms`; terms in exactly the same sentences share a
        cluster. If there are several events, the name has the first key term of the event.
        For overlap, largest first, ties by the first sentence. Empty if no two sentences share a
        term, no two documents are on one event, or no similarity reaches the threshold.

    Raises
    ------
    InputError
        When there is no sentence, when overlap is measured for more than `MOST_SENTENCES`, or when
        all clusters are too small, too large, or of too few documents: the message counts them,
        and names the option.
    OptionError
        When an option is out of its range.

    Notes
    -----
    **Source**: S. Shen, D. R. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming
    for aligning comparable texts for the generation of paraphrases, COLING/ACL 2006; R. Barzilay
    and L. Lee, Learning to paraphrase, NAACL-HLT 2003 (n from 1 to 4, ten sentences or more).

    **Departures**: Shen et al. begin with documents on one event; the grouping by event is ours.
    The papers do not specify the ranking of terms, the weights of the different n, or the
    threshold: here all n-grams count alike (`ngram_similarity`), and the order of the
    sentences settles ties.

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
    articles = [_article(number, each) for number, each in enumerate(documents, start=1)]
    sentences = [sentence for _, inside in articles for sentence in inside]
    if not sentences:
        raise InputError("the documents have no sentence: want text")
    groups: Iterable[_Group]
    if by == "overlap":
        fewest, largest = 1, len(sentences)
        groups = _by_overlap(sentences, threshold, n)
    else:
        fewest, largest = min(2, len(articles)), 100 if by == "term" else len(sentences)
        inside = [article_sentences for _, article_sentences in articles]
        if not isinstance(events, Sequence):
            events = article_events(inside, events=events, threshold=event_threshold)
        groups = _of_events(inside, events, terms=by == "term")
    fewest = fewest if min_documents is None else min_documents
    largest = largest if max_size is None else max_size
    # Groups are dropped here, not before, so that a message can count why nothing is left.
    of = [number for number, (_, inside) in enumerate(articles) for _ in inside]
    out: list[EventCluster] = []
    used_names: set[str] = set()
    dropped: Counter[str] = Counter()
    clusters_of_event: Counter[ArticleEvent | None] = Counter()
    for members, terms, event, title in groups:
        if len(members) < 2:
            continue
        sources = len({of[member] for member in members})
        limits = (
            (len(members) < min_size, f"in fewer than {min_size} sentences (min_size)"),
            (len(members) > largest, f"in more than {largest} sentences (max_size)"),
            (sources < fewest, f"in fewer than {fewest} documents (min_documents)"),
        )
        reason = next((reason_of_limit for beyond, reason_of_limit in limits if beyond), "")
        if reason:
            dropped[reason] += max(len(terms), 1)
            continue
        # `most` limits the clusters of each event for terms, and all clusters otherwise.
        of_whole = event if by == "term" else None
        if clusters_of_event[of_whole] == most:
            continue
        clusters_of_event[of_whole] += 1
        name = _free(_slug(title) if title else f"event-{len(out) + 1}", used_names)
        cluster = Cluster([sentences[member] for member in members], id=name)
        out.append(EventCluster(cluster, terms, sources, event))
    if dropped and not out:
        reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())
        group_kind = {"event": "events", "term": "terms", "overlap": "groups"}[by]
        raise InputError(
            f"no cluster is left of the {group_kind} that were found: "
            f"{reasons}; want other limits, or more documents on one event"
        )
    return out


def _check(
    by: str, min_size: int, max_size: int | None, most: int | None, threshold: float, n: int
) -> None:
    if by not in {"event", "term", "overlap"}:
        raise OptionError(f"clusters by {by!r} are not known: want 'event', 'term' or 'overlap'")
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


def _article(number: int, document: Document) -> tuple[str, list[Sentence]]:
    """Return the name of a document, and its sentences with source and id."""
    is_pair = isinstance(document, tuple | list) and len(document) == 2
    if is_pair:
        document = document[0], list(document[1])
    if not is_pair or not all(isinstance(each, Sentence) for each in document[1]):
        raise InputError(
            f"document {number} is {str(document)[:40]!r} ({type(document).__name__}): want its "
            f"name and its sentences, as documents_of([(name, text)]) makes them"
        )
    return document[0], _with_sources(*document)


def _with_sources(name: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences of a document with source and id."""
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


class _Group(NamedTuple):
    """Sentences that may be a cluster; `title` names it, if there is a name."""

    members: tuple[int, ...]
    terms: tuple[str, ...]
    event: ArticleEvent | None
    title: str


def _of_events(
    documents: Sequence[Sequence[Sentence]], events: Sequence[ArticleEvent], *, terms: bool
) -> Iterator[_Group]:
    """Yield the sentences of each event, whole or by the terms that they share."""
    ends = prefix(np.array([len(document) for document in documents], dtype=np.int64))
    for event in events:
        numbers = [k for d in event.documents for k in range(int(ends[d]), int(ends[d + 1]))]
        if not terms:
            yield _Group(tuple(numbers), (), event, event.title)
            continue
        front = f"{event.terms[0]} " if event.terms and len(events) > 1 else ""
        for members, shared in _around_terms([documents[d] for d in event.documents]):
            title = shared[0] if shared[0] in front else f"{front}{shared[0]}"
            yield _Group(tuple(numbers[k] for k in members), shared, event, title)


def _around_terms(
    documents: Sequence[Sequence[Sentence]],
) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Return groups of sentences by term, terms in the same sentences merged."""
    together: dict[tuple[int, ...], list[str]] = {}
    for term in key_terms(documents):
        together.setdefault(term.sentences, []).append(term.form)
    return [(members, tuple(terms)) for members, terms in together.items()]


def _by_overlap(sentences: Sequence[Sentence], threshold: float, n: int) -> list[_Group]:
    if len(sentences) > MOST_SENTENCES:
        raise InputError(
            f"{len(sentences):,} sentences to cluster by overlap: want up to {MOST_SENTENCES:,}; "
            f"take fewer documents at a time, or cluster them by term"
        )
    group = complete_link(ngram_similarity(sentences, n=n), threshold=threshold)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    parts.sort(key=len, reverse=True)
    return [_Group(tuple(part.tolist()), (), None, "") for part in parts]


def _slug(term: str) -> str:
    """Return a term or headline as a file name: letters and digits joined by hyphens, not long."""
    # Vowel signs, which `\w` leaves out, belong to their letters.
    signs = (c if re.match(r"\w", c) or category(c)[0] == "M" else "-" for c in term.casefold())
    slug = re.sub("-+", "-", "".join(signs)).strip("-_") or "term"
    if len(slug) > _MOST_NAME_CHARACTERS:
        slug = slug[:_MOST_NAME_CHARACTERS].rpartition("-")[0] or slug[:_MOST_NAME_CHARACTERS]
    return slug


def _free(name: str, used_names: set[str]) -> str:
    """Return an unused name, and add it to the used ones."""
    free, number = name, 1
    while free in used_names:
        number += 1
        free = f"{name}-{number}"
    used_names.add(free)
    return free
