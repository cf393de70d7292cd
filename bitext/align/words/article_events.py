"""Grouping of articles by the event that they report, before their sentences are clustered.

An article is a vector of its content words and names, folded as key terms are. A term that occurs k
times weighs (1 + log k) * log(1 + N / d), where d of the N articles have it: `1 +` keeps the weight
of terms that all articles have above zero, since all may be on one event. Two articles are as
similar as the cosine of their vectors, and groups are joined by average linkage, the most similar
first, until no two groups are on average as similar as the threshold, or until there are as many
groups as were asked for.

The result depends on the articles alone, ties on their order. Time and memory grow with the square
of the number of articles: 2,000 articles of 300 words took 15 s and 250 MB on one core.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.words.key_terms import Folding, Names, is_content, key_terms
from bitext.errors import InputError, OptionError
from bitext.kernels.clustering import average_link
from bitext.kernels.rows import Rows, prefix, take
from bitext.model.sentence import is_word
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model import Sentence

__all__ = [
    "EVENT_THRESHOLD",
    "MOST_ARTICLES",
    "ArticleEvent",
    "article_events",
    "article_similarity",
]

EVENT_THRESHOLD = 0.1  # mean cosine of two groups; measured by scripts/bench/events.py
MOST_ARTICLES = 5000  # the similarities then take 200 MB; set by hand
_STEPS = 1 << 20  # similarities are multiples of 1 / this, so that sums of them are exact
_TITLE = 15  # words of a first sentence that may be a headline; set by hand
_TERMS = 3  # key terms of an event that name it; set by hand


@dataclass(frozen=True, slots=True)
class ArticleEvent:
    """The articles on one event.

    Attributes
    ----------
    documents : tuple of int
        The indices of the articles, ascending.
    terms : tuple of str
        The key terms that most of its articles share, three at most.
    headline : str
        The headline of the article most similar to the others; empty where none has a headline,
        which is a first sentence of up to 15 words without a mark at its end.

    """

    documents: tuple[int, ...]
    terms: tuple[str, ...]
    headline: str

    @property
    def title(self) -> str:
        """The headline, or the key terms."""
        return self.headline or ", ".join(self.terms) or "event"


def article_similarity(documents: Sequence[Sequence[Sentence]]) -> NDArray[np.float64]:
    """Return the cosine of each two articles, over the weights of their content words.

    Parameters
    ----------
    documents : sequence of sequences of Sentence
        The sentences of each article.

    Returns
    -------
    array of float64, shape (articles, articles)
        Symmetric, from 0 to 1, in multiples of 2^-20.

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
        mine = slice(int(ptr[number]), int(ptr[number + 1]))
        met = take(places, term[mine])
        both = np.repeat(weight[mine], np.diff(met.ptr)) * weight[met.idx]
        out[number] = np.bincount(of[met.idx], weights=both, minlength=size)
    return np.asarray(np.minimum(np.rint(out * _STEPS) / _STEPS, 1.0))


def article_events(
    documents: Sequence[Sequence[Sentence]],
    *,
    events: int | None = None,
    threshold: float = EVENT_THRESHOLD,
) -> list[ArticleEvent]:
    """Group articles by event.

    Parameters
    ----------
    documents : sequence of sequences of Sentence
        The sentences of each article.
    events : int, optional
        The number of events, from 1 to the number of articles; by default the threshold decides.
    threshold : float
        The least mean similarity of two groups of articles that are joined; above 0, up to 1.

    Returns
    -------
    list of ArticleEvent
        The events with most articles first, ties by their first articles; each article is of one.

    Raises
    ------
    InputError
        When there are more than `MOST_ARTICLES` articles.
    OptionError
        When an option is out of its range.

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
            tuple(some.tolist()),
            tuple(term.form for term in key_terms([documents[k] for k in some.tolist()])[:_TERMS]),
            _headline(documents, some, similarity),
        )
        for some in members
    ]


def _headline(
    documents: Sequence[Sequence[Sentence]],
    members: NDArray[np.int64],
    similarity: NDArray[np.float64],
) -> str:
    """Return the headline of the most central article that has one."""
    central = similarity[np.ix_(members, members)].sum(axis=1)
    for number in members[np.argsort(-central, kind="stable")].tolist():
        first = documents[number][0] if documents[number] else None
        if first is not None and len(first) <= _TITLE and is_word(first.forms[-1]):
            return str(first.text)
    return ""
