"""Clusters of comparable sentences of several documents, as input of word alignment.

With `term`, each key term (a content word or a name) makes a cluster of the sentences that contain
it, as in Shen, Radev, Patel and Erkan (2006); clusters may share sentences. With `overlap`,
complete-link clustering by n-gram overlap, in which all names, numbers and dates are equal
(Barzilay and Lee 2003), puts each sentence into at most one cluster.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.align.words.options import is_stop_word
from bitext.errors import InputError, OptionError
from bitext.kernels.clustering import complete_link, shared_features
from bitext.kernels.rows import Rows, prefix
from bitext.model import Cluster, Sentence
from bitext.model.sentence import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = [
    "CALENDAR",
    "MOST_SENTENCES",
    "EventCluster",
    "Folding",
    "KeyTerm",
    "Names",
    "documents_of",
    "event_clusters",
    "generic_words",
    "is_date_word",
    "is_number",
    "key_terms",
    "ngram_similarity",
    "sentence_case",
    "singulars",
]


# Names, numbers and dates in sentences: by their tags, or by capitals where there are none.
#
# Where a sentence has parts of speech, a name is a word tagged NNP or NNPS. Elsewhere it is a word
# with a capital, not at the start of a sentence or quotation, no stop word, day or month; at a
# start, if the documents have it with a capital within a sentence and never without one. A
# sentence whose content words (four or more) nearly all have capitals, as in headlines, is no
# evidence for names.

CALENDAR = frozenset(
    [
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december"),
        *("mon", "tue", "tues", "wed", "thu", "thurs", "fri", "sat", "sun"),
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
    ]
)
_AMBIGUOUS = frozenset(["may", "march", "sun", "sat", "wed", "mar"])  # dates with a capital only
_OPENING = frozenset(["``", '"', "“", "‘", "'", "`", ":", "(", "-LRB-", "--", "—", "–", "-", "..."])
_LINKS = frozenset(
    ["of", "de", "del", "della", "di", "da", "van", "von", "der", "den", "bin", "al"]
)


def is_number(form: str) -> bool:
    """Check whether a token is a number, such as `5`, `1,000` or `-3.5`, by its first digit."""
    return form.lstrip("+-−#$£€")[:1].isdigit()


class Names:
    """Evidence for names in the sentences of some documents.

    Parameters
    ----------
    sentences : iterable of Sentence
        All of them.

    """

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        capital, small = set(), set()
        for sentence in sentences:
            forms = sentence.forms
            if not sentence_case(forms):
                continue
            for form, starts in zip(forms, _starts(forms), strict=True):
                if form[0].islower():
                    small.add(form)
                elif form[0].isupper() and not starts:
                    capital.add(form.casefold())
        self._known = capital - small

    def places(self, sentence: Sentence) -> list[bool]:
        """Return a mask of the words that are (part of) a name."""
        tags = [token.pos for token in sentence]
        if all(tags):
            return [
                token.pos in {"NNP", "NNPS"} and not is_date_word(token.form) for token in sentence
            ]
        forms = sentence.forms
        if not sentence_case(forms):
            return [False] * len(forms)
        return [
            form[0].isupper()
            and not is_date_word(form)
            and not is_stop_word(form)
            and (not starts or form.casefold() in self._known)
            for form, starts in zip(forms, _starts(forms), strict=True)
        ]

    def runs(self, sentence: Sentence) -> list[tuple[int, int]]:
        """Return the half-open range of words of each name; `Bank of England` is one name."""
        named = self.places(sentence)
        forms, out, place = sentence.forms, [], 0
        while place < len(named):
            end = place
            while end < len(named) and (named[end] or (end > place and _links(forms, named, end))):
                end += 1
            if end > place:
                out.append((place, end))
            place = max(end, place + 1)
        return out


def sentence_case(forms: tuple[str, ...]) -> bool:
    """Check whether capitals mark names, unlike in a headline with all words capitalised."""
    cased = [
        form[0].isupper()
        for form in forms[1:]
        if form[0].isalpha() and not is_date_word(form) and not is_stop_word(form)
    ]
    return len(cased) < 4 or sum(cased) * 10 < len(cased) * 9


def is_date_word(form: str) -> bool:
    """Check whether a word is a day of the week or a month."""
    bare = form.rstrip(".").casefold()
    return bare in CALENDAR and (bare not in _AMBIGUOUS or form[0].isupper())


def _links(forms: tuple[str, ...], named: list[bool], place: int) -> bool:
    return forms[place] in _LINKS and place + 1 < len(named) and named[place + 1]


def _starts(forms: tuple[str, ...]) -> list[bool]:
    """Mark the words at which a sentence or quotation starts, and any word has a capital."""
    first = next((place for place, form in enumerate(forms) if is_word(form)), len(forms))
    return [place <= first or forms[place - 1] in _OPENING for place in range(len(forms))]


# Words as they are compared between documents: casefolded, and plurals as their singulars.
#
# A word is taken for the plural of another only where the documents have that other one, too, and
# not as a name: so `buses` is `bus` where a bus is spoken of, and `lens` stays as it is. Names,
# and words in capitals (`AIDS`) where capitals mean something, are never plurals.

_HISSING = ("s", "x", "z", "ch", "sh", "o")  # after these a plural has -es


class Folding:
    """Normalisation of the words of some documents.

    Parameters
    ----------
    sentences : iterable of Sentence
        All of them.
    names : Names
        The names in the documents.

    Examples
    --------
    >>> from bitext.align.words.event_clusters import Names
    >>> from bitext.model import Sentence
    >>> s = [Sentence("Two fires burn on Mars".split()), Sentence("The fire is Mar 's".split())]
    >>> Folding(s, Names(s)).of(s[0])
    ['two', 'fire', 'burn', 'on', 'mars']

    """

    def __init__(self, sentences: Iterable[Sentence], names: Names) -> None:
        self._names = names
        self._known: set[str] = set()
        for sentence in sentences:
            kept = self._kept(sentence)
            words = zip(sentence.forms, kept, strict=True)
            self._known.update(form.casefold() for form, is_kept in words if not is_kept)

    def of(self, sentence: Sentence) -> list[str]:
        """Return the normalised words of a sentence."""
        words = zip(sentence.forms, self._kept(sentence), strict=True)
        return [form.casefold() if kept else self._single(form.casefold()) for form, kept in words]

    def _kept(self, sentence: Sentence) -> list[bool]:
        """Return a mask of the words that are names or in capitals, which are not made singular."""
        meant = sentence_case(sentence.forms)
        words = zip(sentence.forms, self._names.places(sentence), strict=True)
        return [named or (meant and len(form) > 1 and form.isupper()) for form, named in words]

    def _single(self, word: str) -> str:
        return next((other for other in singulars(word) if other in self._known), word)


def singulars(word: str) -> list[str]:
    """Return the possible singulars of a word, by its ending, the likeliest first.

    Examples
    --------
    >>> [singulars(word) for word in ("buses", "houses", "ties", "knives", "glass", "bus")]
    [['buse', 'bus'], ['house', 'hous'], ['tie', 'ty'], ['knive', 'knif', 'knife'], [], []]

    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return []
    found = [word[:-1]]
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    elif word.endswith("ves"):
        found += [word[:-3] + "f", word[:-3] + "fe"]
    elif word.endswith("es") and word[:-2].endswith(_HISSING):
        found.append(word[:-2])
    return [other for other in found if len(other) > 2 or word.endswith("ies")]


# Key terms of documents: the content words and names that sentences of several documents share.
#
# Words are compared casefolded, plurals as their singulars (`folding`). A content word is no stop
# word, no word of reporting (`said`, `according`), no day or month, and has three letters (two, if
# both are capitals: `EU`). A name of several words is a term of its own, found wherever its words
# stand in a row, and each of its words is a name, too, if it is a content word. Two other content
# words that never stand but one right after the other, in two sentences or more, are one term
# (`harbour master`).

# Words of news on any subject, which identify no event.
_REPORTING = frozenset(
    [
        *("say", "says", "said", "saying", "tell", "tells", "told", "according", "report"),
        *("reports", "reported", "reporter", "reporters", "add", "adds", "added", "announced"),
        *("spokesman", "spokeswoman", "spokesperson", "statement", "news", "agency"),
        *("year", "years", "month", "months", "week", "weeks", "day", "days", "today"),
        *("yesterday", "tomorrow", "morning", "afternoon", "evening", "night", "hour", "hours"),
        *("minute", "minutes", "time", "times", "mr", "mr.", "mrs", "mrs.", "ms", "ms.", "dr."),
        *("a.m.", "p.m.", "get", "got", "go", "went", "make", "made", "take", "took", "come"),
        *("came", "including", "later", "earlier", "two", "three", "four", "five", "six", "seven"),
        *("eight", "nine", "ten", "first", "second", "third"),
    ]
)


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """A word or a name, and the sentences that contain it.

    Attributes
    ----------
    form : str
        The most frequent spelling (ties: the first); in lower case unless the term is a name.
    name : bool
        Whether the term is a name.
    sentences : tuple of int
        The indices of the sentences that contain the term, ascending.
    documents : int
        The number of documents of these sentences.

    """

    form: str
    name: bool
    sentences: tuple[int, ...]
    documents: int


def key_terms(documents: Sequence[Sequence[Sentence]]) -> list[KeyTerm]:
    """Return the terms of documents, the most widely shared first.

    Terms are ranked by the number of documents, then of sentences; then names come before words,
    longer terms before shorter ones, and earlier terms before later ones.

    Parameters
    ----------
    documents : sequence of sequences of Sentence
        The sentences of each document. Sentences are numbered from 0 across all documents.

    """
    sentences = [sentence for document in documents for sentence in document]
    of = [number for number, document in enumerate(documents) for _ in document]
    names = Names(sentences)
    folding = Folding(sentences, names)
    folded = [folding.of(sentence) for sentence in sentences]
    spelled: dict[tuple[str, ...], Counter[str]] = {}
    found: dict[tuple[str, ...], dict[int, None]] = {}
    named: set[tuple[str, ...]] = set()
    for number, sentence in enumerate(sentences):
        for start, end in names.runs(sentence):
            if end - start > 1:
                named.add(tuple(folded[number][start:end]))
            named.update(
                (folded[number][place],)
                for place in range(start, end)
                if _is_content(sentence.forms[place])
            )
    longest: dict[str, int] = {}
    for key in named:
        longest[key[0]] = max(longest.get(key[0], 1), len(key))
    inseparable = _inseparable(sentences, folded, named)
    for number, sentence in enumerate(sentences):
        places = _candidates(sentence.forms, folded[number], named, longest)
        for start, end in _joined(places, folded[number], inseparable):
            key = tuple(folded[number][start:end])
            found.setdefault(key, {})[number] = None
            form = " ".join(sentence.forms[start:end])
            spelled.setdefault(key, Counter())[form if key in named else form.lower()] += 1
    order = sorted(
        found,
        key=lambda key: (
            -len({of[number] for number in found[key]}),
            -len(found[key]),
            key not in named,
            -len(key),
        ),
    )
    return [
        KeyTerm(
            max(spelled[key], key=spelled[key].__getitem__),
            key in named,
            tuple(found[key]),
            len({of[number] for number in found[key]}),
        )
        for key in order
    ]


def _candidates(
    forms: tuple[str, ...],
    folded: list[str],
    named: set[tuple[str, ...]],
    longest: dict[str, int],
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of content words and of known names, from the left.

    `longest` is the length of the longest name that begins with a word.
    """
    for start, form in enumerate(forms):
        last = min(start + longest.get(folded[start], 1), len(forms))
        for end in range(start + 2, last + 1):
            if tuple(folded[start:end]) in named:
                yield start, end
        if _is_content(form):
            yield start, start + 1


def _inseparable(
    sentences: Sequence[Sentence], folded: Sequence[list[str]], named: set[tuple[str, ...]]
) -> dict[str, str]:
    """Return pairs of words that occur only next to each other, first to second word."""
    after: dict[str, set[str]] = {}
    before: dict[str, set[str]] = {}
    found: dict[str, int] = {}
    for sentence, words in zip(sentences, folded, strict=True):
        content = [
            word if _is_content(form) and (word,) not in named else ""
            for form, word in zip(sentence.forms, words, strict=True)
        ]
        for one, other in pairwise(["", *content, ""]):
            after.setdefault(one, set()).add(other)
            before.setdefault(other, set()).add(one)
        for word in set(content):
            found[word] = found.get(word, 0) + 1
    return {
        one: other
        for one, others in after.items()
        for other in others
        if one and other and len(others) == len(before[other]) == 1 and found[one] > 1
    }


def _joined(
    places: Iterable[tuple[int, int]], words: list[str], inseparable: dict[str, str]
) -> Iterator[tuple[int, int]]:
    """Yield the ranges, with inseparable words joined; of three in a row, the first two."""
    first = -1
    for start, end in places:
        if first >= 0:
            yield first, end
            first = -1
        elif end == start + 1 and words[start] in inseparable:
            first = start
        else:
            yield start, end


def _is_content(form: str) -> bool:
    word = form.casefold()
    if is_stop_word(form) or word in _REPORTING or is_date_word(form) or is_number(form):
        return False
    letters = sum(map(str.isalpha, form))
    return letters >= 3 or (letters == 2 and form.isupper())


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


def ngram_similarity(sentences: Sequence[Sentence], *, n: int = 4) -> NDArray[np.float64]:
    """Return the n-gram overlap of each two sentences: 0 (nothing shared) to 1 (equal).

    The overlap is the Dice coefficient of the multisets of sequences of 1 to `n` words: twice the
    number of common sequences, divided by the sum of their numbers in both sentences. Words are
    those of `generic_words`. A sentence of punctuation alone has similarity 0 to all.

    Returns
    -------
    array of float64, shape (sentences, sentences)
        Symmetric. Equal ratios are exactly equal numbers.

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

Document = tuple[str, "Sequence[Sentence]"]


@dataclass(frozen=True, slots=True)
class EventCluster:
    """A cluster of sentences, and the terms that they share.

    Attributes
    ----------
    cluster : Cluster
        The sentences, in the order of the documents; `source` is the document of each.
    terms : tuple of str
        The terms that all sentences share, by rank; empty for clusters by overlap.
    documents : int
        The number of documents of the sentences.

    """

    cluster: Cluster
    terms: tuple[str, ...]
    documents: int

    @property
    def name(self) -> str:
        """The name of the cluster, usable as a file name."""
        return self.cluster.id or ""


def documents_of(articles: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[Sentence, ...]]]:
    """Split articles into sentences and words, by the built-in splitter and tokenizer.

    Parameters
    ----------
    articles : iterable of (str, str)
        Name and text of each, as `bitext.formats.clusters.read_articles` gives them.

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
    by: Literal["term", "overlap"] = "term",
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
    by : {"term", "overlap"}
        Clusters around key terms, or by n-gram overlap.
    min_size, max_size : int
        The minimum and maximum number of sentences of a cluster. A term in more sentences is too
        general for the event, and left out. The minimum is at least 2; the maximum defaults to 100
        for terms, and to none for overlap.
    min_documents : int, optional
        The minimum number of documents of the sentences of a cluster. The default is 2 for terms if
        there are two documents, otherwise 1.
    most : int, optional
        The maximum number of clusters, in the order of the result; by default no maximum.
    threshold : float
        For overlap: the minimum similarity of any two sentences of a cluster, above 0 and up to 1.
    n : int
        For overlap: the length of the longest word sequence, 1 or more.

    Returns
    -------
    list of EventCluster
        For terms, in the order of `key_terms`; terms in exactly the same sentences share a cluster.
        For overlap, largest first, ties by the first sentence. Empty if no two sentences share a
        term, or no similarity reaches the threshold.

    Raises
    ------
    InputError
        When there is no sentence, when overlap is asked of more than `MOST_SENTENCES`, or when
        all clusters are too small, too large, or of too few documents: the message counts them,
        and names the option.
    OptionError
        When an option is out of its range.

    Notes
    -----
    **Source**: S. Shen, D. R. Radev, A. Patel and G. Erkan, Adding syntax to dynamic programming
    for aligning comparable texts for the generation of paraphrases, COLING/ACL 2006; R. Barzilay
    and L. Lee, Learning to paraphrase, NAACL-HLT 2003 (n from 1 to 4, ten sentences or more).

    **Departures**: the papers do not specify the ranking of terms, the weights of the different n,
    or the threshold: here all n-grams count alike (`ngram_similarity`), and the order of the
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
    held = [(name, _with_sources(name, sentences)) for name, sentences in documents]
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


def _around_terms(
    documents: Sequence[Sequence[Sentence]],
) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Return groups of sentences by term, terms in the same sentences merged."""
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
    """Return a term as a file name: letters and digits joined by hyphens."""
    return re.sub(r"[^\w]+", "-", term.casefold()).strip("-_") or "term"


def _free(name: str, taken: set[str]) -> str:
    """Return an unused name, and add it to the used ones."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
