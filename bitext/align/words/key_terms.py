"""Key terms of documents: the content words and names that sentences of several documents share.

Words are compared casefolded, plurals as their singulars (`folding`). A content word
is no stop word, no word of reporting (`said`, `according`), no day or month, and has three letters
(two, if both are capitals: `EU`). A name of several words is a term of its own, found wherever its
words stand in a row, and each of its words is a name, too, if it is a content word. Two other
content words that never stand but one right after the other, in two sentences or more, are one term
(`harbour master`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.align.words.folding import Folding
from bitext.align.words.names import Names, dated, is_number
from bitext.align.words.stop_words import is_stop_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.model import Sentence

__all__ = ["KeyTerm", "key_terms"]

# What news say of anything, and so of nothing in particular.
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
    """A word or a name, and where it stands.

    Attributes
    ----------
    form : str
        As it is written most often (ties: first); a word that is no name in lower case.
    name : bool
        Whether it is a name.
    sentences : tuple of int
        The sentences that have it, by their number among all of them; ascending.
    documents : int
        How many documents those stand in.

    """

    form: str
    name: bool
    sentences: tuple[int, ...]
    documents: int


def key_terms(documents: Sequence[Sequence[Sentence]]) -> list[KeyTerm]:
    """Return the terms of documents, the most widely shared first.

    Terms are ranked by the number of documents, then of sentences, names before words, long ones
    before short ones, and what stands first before what comes later.

    Parameters
    ----------
    documents : sequence of sequences of Sentence
        The sentences of each one. Sentences are numbered through all documents, from 0.

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
    """Yield the places of content words and of known names, from the left.

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
    """Return the words that always stand right before one other, and that one right after them."""
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
    """Yield the places, two words that are inseparable as one; of three in a row, the first two."""
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
    if is_stop_word(form) or word in _REPORTING or dated(form) or is_number(form):
        return False
    letters = sum(map(str.isalpha, form))
    return letters >= 3 or (letters == 2 and form.isupper())
