"""Names, numbers and dates in sentences: by their tags, or by capitals where there are none.

Where a sentence has parts of speech, a name is a word tagged NNP or NNPS. Elsewhere it is a word
with a capital, not at the start of a sentence or quotation, no stop word, day or month; at a start,
if the documents have it with a capital within a sentence and never without one. A sentence whose
content words (four or more) all but have capitals, as in headlines, tells nothing of names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.align.words.stop_words import is_stop_word
from bitext.model.sentence import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.model import Sentence

__all__ = ["CALENDAR", "Names", "dated", "is_number", "sentence_case"]

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
    """Tell whether a token starts with a digit, perhaps after a sign: `5`, `1,000`, `-3.5`."""
    return form.lstrip("+-−#$£€")[:1].isdigit()


class Names:
    """What the sentences of some documents show of names.

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
        """Return of each word whether it is (part of) a name."""
        tags = [token.pos for token in sentence]
        if all(tags):
            return [token.pos in {"NNP", "NNPS"} and not dated(token.form) for token in sentence]
        forms = sentence.forms
        if not sentence_case(forms):
            return [False] * len(forms)
        return [
            form[0].isupper()
            and not dated(form)
            and not is_stop_word(form)
            and (not starts or form.casefold() in self._known)
            for form, starts in zip(forms, _starts(forms), strict=True)
        ]

    def runs(self, sentence: Sentence) -> list[tuple[int, int]]:
        """Return the first word, and the last + 1, of each name; `Bank of England` is one."""
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
    """Tell whether capitals mean something: in a headline all content words may have one."""
    cased = [
        form[0].isupper()
        for form in forms[1:]
        if form[0].isalpha() and not dated(form) and not is_stop_word(form)
    ]
    return len(cased) < 4 or sum(cased) * 10 < len(cased) * 9


def dated(form: str) -> bool:
    """Tell whether a word is a day of the week or a month."""
    bare = form.rstrip(".").casefold()
    return bare in CALENDAR and (bare not in _AMBIGUOUS or form[0].isupper())


def _links(forms: tuple[str, ...], named: list[bool], place: int) -> bool:
    return forms[place] in _LINKS and place + 1 < len(named) and named[place + 1]


def _starts(forms: tuple[str, ...]) -> list[bool]:
    """Tell of each word whether it stands where any word would have a capital."""
    first = next((place for place, form in enumerate(forms) if is_word(form)), len(forms))
    return [place <= first or forms[place - 1] in _OPENING for place in range(len(forms))]
