"""Key terms of documents: names, folded words, and the content words that sentences share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bitext.align.words.options import is_stop_word
from bitext.model import Sentence
from bitext.model.sentence import is_word

# Names, numbers and dates in sentences: by their tags, or by capitals if there are none.
#
# If a sentence has parts of speech, a name is a word tagged NNP or NNPS. Elsewhere it is a word
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
        All sentences of the documents.

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
        All sentences of the documents.
    names : Names
        The names in the documents.

    Examples
    --------
    >>> from bitext.align.words.key_terms import Names
    >>> from bitext.model import Sentence
    >>> s = [Sentence("Two fires burn on Mars".split()), Sentence("The fire is Mar 's".split())]
    >>> Folding(s, Names(s)).of(s[0])
    ['two', 'fire', 'burn', 'on', 'mars']

    """

    def __init__(self, sentences: Iterable[Sentence], names: Names) -> None:
        self._names = names
        self._known: set[str] = set()
        for sentence in sentences:
            keeps_case = self._kept(sentence)
            words = zip(sentence.forms, keeps_case, strict=True)
            self._known.update(form.casefold() for form, is_kept in words if not is_kept)

    def of(self, sentence: Sentence) -> list[str]:
        """Return the normalised words of a sentence."""
        words = zip(sentence.forms, self._kept(sentence), strict=True)
        return [
            form.casefold() if keeps_case else self._single(form.casefold())
            for form, keeps_case in words
        ]

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
    candidates = [word[:-1]]
    if word.endswith("ies"):
        candidates.append(word[:-3] + "y")
    elif word.endswith("ves"):
        candidates += [word[:-3] + "f", word[:-3] + "fe"]
    elif word.endswith("es") and word[:-2].endswith(_HISSING):
        candidates.append(word[:-2])
    return [other for other in candidates if len(other) > 2 or word.endswith("ies")]


# Key terms of documents: the content words and names that sentences of several documents share.
#
# Words are compared casefolded, plurals as their singulars (`folding`). A content word is no stop
# word, no word of reporting (`said`, `according`), no day or month, and has three letters (two, if
# both are capitals, as in `EU`, or kana, ideographs or Hangul, as in 火灾). A name of several words
# is a term of its own, found wherever its words stand in a row, and each of its words is a name,
# too, if it is a content word. Two other content words that never stand but one right after the
# other, in two sentences or more, are one term (`harbour master`).

_FIRST_SYLLABLE = "\u3040"  # first of the scripts whose letters are syllables or whole words

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
    """A word or a name, and the sentences that contain it."""

    # The most frequent spelling (ties: the first); in lower case unless the term is a name.
    form: str
    name: bool  # whether the term is a name
    sentences: tuple[int, ...]  # the indices of the sentences that contain the term, ascending
    documents: int  # the number of documents of these sentences


def key_terms(documents: Sequence[Sequence[Sentence]]) -> list[KeyTerm]:
    """Return the terms of documents, the most widely shared first.

    Terms are ranked by the number of documents, then of sentences; then names come before words,
    longer terms before shorter ones, and earlier terms before later ones.

    Sentences are numbered from 0 across all documents.
    """
    sentences = [sentence for document in documents for sentence in document]
    of = [number for number, document in enumerate(documents) for _ in document]
    names = Names(sentences)
    folding = Folding(sentences, names)
    folded = [folding.of(sentence) for sentence in sentences]
    spelled: dict[tuple[str, ...], Counter[str]] = {}
    sentences_of_term: dict[tuple[str, ...], dict[int, None]] = {}
    named: set[tuple[str, ...]] = set()
    # The names of all documents come first: a name is a term in each sentence that has its words.
    for number, sentence in enumerate(sentences):
        for start, end in names.runs(sentence):
            if end - start > 1:
                named.add(tuple(folded[number][start:end]))
            named.update(
                (folded[number][place],)
                for place in range(start, end)
                if is_content(sentence.forms[place])
            )
    longest: dict[str, int] = {}
    for key in named:
        longest[key[0]] = max(longest.get(key[0], 1), len(key))
    # Two words that never occur apart are one term.
    inseparable = _inseparable(sentences, folded, named)
    for number, sentence in enumerate(sentences):
        places = _candidates(sentence.forms, folded[number], named, longest)
        for start, end in _joined(places, folded[number], inseparable):
            key = tuple(folded[number][start:end])
            sentences_of_term.setdefault(key, {})[number] = None
            form = " ".join(sentence.forms[start:end])
            spelled.setdefault(key, Counter())[form if key in named else form.lower()] += 1
    order = sorted(
        sentences_of_term,
        key=lambda key: (
            -len({of[number] for number in sentences_of_term[key]}),
            -len(sentences_of_term[key]),
            key not in named,
            -len(key),
        ),
    )
    return [
        KeyTerm(
            max(spelled[key], key=spelled[key].__getitem__),
            key in named,
            tuple(sentences_of_term[key]),
            len({of[number] for number in sentences_of_term[key]}),
        )
        for key in order
    ]


def _candidates(
    forms: tuple[str, ...], folded: list[str], named: set[tuple[str, ...]], longest: dict[str, int]
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of content words and of known names, from the left.

    `longest` is the length of the longest name that begins with a word.
    """
    for start, form in enumerate(forms):
        last = min(start + longest.get(folded[start], 1), len(forms))
        for end in range(start + 2, last + 1):
            if tuple(folded[start:end]) in named:
                yield start, end
        if is_content(form):
            yield start, start + 1


def _inseparable(
    sentences: Sequence[Sentence], folded: Sequence[list[str]], named: set[tuple[str, ...]]
) -> dict[str, str]:
    """Return pairs of words that occur only next to each other, first to second word."""
    after: dict[str, set[str]] = {}
    before: dict[str, set[str]] = {}
    word_counts: dict[str, int] = {}
    for sentence, words in zip(sentences, folded, strict=True):
        content = [
            word if is_content(form) and (word,) not in named else ""
            for form, word in zip(sentence.forms, words, strict=True)
        ]
        for one, other in pairwise(["", *content, ""]):
            after.setdefault(one, set()).add(other)
            before.setdefault(other, set()).add(one)
        for word in set(content):
            word_counts[word] = word_counts.get(word, 0) + 1
    return {
        one: other
        for one, others in after.items()
        for other in others
        if one and other and len(others) == len(before[other]) == 1 and word_counts[one] > 1
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


def is_content(form: str) -> bool:
    """Check whether a word is a content word: no stop word, word of reporting, date or number."""
    word = form.casefold()
    if is_stop_word(form) or word in _REPORTING or is_date_word(form) or is_number(form):
        return False
    letters = sum(map(str.isalpha, form))
    return letters >= 3 or (letters == 2 and (form.isupper() or form >= _FIRST_SYLLABLE))
