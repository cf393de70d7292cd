"""Full stops behind abbreviations, numbers and initials: which end a sentence, by small tables.

Punkt decides by what it saw in newspapers; here those stops are decided anew of whose word more is
known (`abbreviations.py`), and of numbers and initials:

- An ordinal goes on: a Roman number behind a small letter (`unter II. Rákóczi`), a figure behind an
  article (`a 33. Magyar Filmszemle`), where numbers are written so.
- A number may have symbols, brackets and letters before it: `No. #5`, `ca. US$300`, `Fig. (3)`,
  `Fig. A3`.
- A unit behind a figure, a figure and a single great letter behind a small one end a sentence if a
  word follows that sentences begin with: `8481 m. Der`, `here am I. And`; the letter does before
  the number of a list, too: `in annex V. 4. As`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.segment.abbreviations import abbreviations

if TYPE_CHECKING:
    from collections.abc import Iterable

    Spans = list[tuple[int, int]]

__all__ = ["FullStops"]

_BACK = 40  # characters that are looked at for the words before a stop
# A full stop, marks that close there, and what begins behind them: marks and symbols (with blanks
# in `“ ‘` and the French `« `), then a word or number, with the mark that shortens it.
_STOP = re.compile(
    r"\.(?=([\"'“”‘’«»‹›]*)\s+"
    r"((?:[^\w\s]|_|(?<=[«‹“‘])[^\S\n]+)*)((?:[^\W_]+(?:['’]|\.(?!\S))?)?))"
)
_QUOTES = frozenset("\"'“”„‟«»‹›‚‘ \u00a0\u202f")
# A number, and what may stand before it: `#5`, `$300`, `US$5`, `EUR 5`, `(3)`, `A3`, `B.2`.
_NUMBER = re.compile(
    r"[^\w\s]*(?:[A-Z]{3}\s|[A-Z]{0,3}[§#$€£¥]\s?|[^\W\d_]{0,3}[-.]?)\d|[IVX]{2,5}[a-z]\b|[(\[]\w[)\]]"
)
_FIGURE = re.compile(r"[#№]?\d")
_FORWARD = 16  # characters that are looked at for a number behind a stop
_ROMAN = re.compile(r"(?=[IVXLCDM])M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ORDINAL = re.compile(r"X{0,3}(?:I[XV]|V?I{0,3})")  # of a ruler, a congress or a century
_LISTED = re.compile(r"\d{1,3}\.")
_TAIL = re.compile(r"(?:(?!--)[^\s(\[\"'“”„‟«»‹›‚‘’—–―…*_])+\Z")  # without marks before it
_INITIALS = re.compile(r"(?:[^\W\d_]\.){1,2}[^\W\d_]")
_COMPOUNDS = ("str", "nr")  # Hauptstr. 5, Hausnr. 7
_UNITS = "mm cm dm m km ha g kg l t h s мм см дм м км га г кг л т ч с"
# Openers that names may begin with, behind an initial.
_PARTICLES = "van von de den der des di da do du la le les lo los el al na ten ter"
# Languages that mark ordinals with a full stop, and the words behind which figures before a great
# letter are such, where there are any; `*` is each word.
_ARTICLES = {
    "de": "der die das den dem des am im zum zur vom beim ans ins seit ab bis",
    "hu": "a az",
    "tr": "*",
}
_ORDINALS = "bs cs da de et fi hr hu is lb lv nb nn no sh sk sl sr tr"


class FullStops:
    """Decides which full stops end sentences, where it knows better.

    Parameters
    ----------
    lang : str
        The code of the language.
    listed : bool
        Whether other lists of abbreviations are used of it, too.

    """

    def __init__(self, lang: str, *, listed: bool = True) -> None:
        self.never, self.numbers, self.may, self.ends, self.openers = abbreviations(
            lang, listed=listed
        )
        self._known = self.never | self.may | self.ends
        self._before_names = self.openers.difference(_PARTICLES.split())
        titles = {word for word in self.never if len(word) == 1}  # as the French `M.`
        self._units = frozenset(_UNITS.split()) - titles
        self._parts = {re.split("[_.-]", word)[-1] for word in self._known | self.numbers}
        self._parts |= self._units.union(word.split(".")[0] for word in self._known)
        self._has_ordinals = lang in _ORDINALS.split()
        self._articles = frozenset(_ARTICLES.get(lang, "").split())

    def __call__(self, text: str, pieces: Iterable[tuple[int, int]]) -> Spans:
        """Return the pieces of a text, cut and joined at its full stops."""
        ends = {end for _, end in pieces}
        for stop in _STOP.finditer(text):
            start, onward = stop.start(), stop.start(2)
            back = max(0, start - _BACK)
            begin = max(back, text.rfind(" ", back, start) + 1)
            if self._is_plain(text[begin:start]):
                continue
            # What begins with symbols or brackets is no word that sentences begin with.
            follower = stop[3] if _QUOTES.issuperset(stop[2]) else ""
            if follower[:1].islower():
                continue
            if stop[1]:  # of what a quotation ends with, only letters are decided
                if follower and _is_letter(*_last_words(text[back:start])[:2]):
                    ends.difference_update(range(start + 1, stop.end(1)))
                    ends.add(stop.end(1))
                continue
            answer = self._ends_there(text[back:start], follower, text[onward : onward + _FORWARD])
            if answer:
                ends.add(start + 1)
            elif answer is not None:
                ends.discard(start + 1)
        return list(pairwise([0, *sorted(ends)]))

    def _is_plain(self, word: str) -> bool:
        """Tell whether nothing is known of a word, at once: that is most words by far."""
        return not word or (
            word.isalpha()
            and not word.isupper()
            and word.lower() not in self._parts
            and not word.endswith(_COMPOUNDS)
        )

    def _ends_there(self, before: str, follower: str, onward: str) -> bool | None:
        """Decide whether a sentence ends at a stop; `None` where nothing is known.

        Parameters
        ----------
        before, onward : str
            What stands before the stop, and behind it and its white space.
        follower : str
            The word behind the stop; empty where symbols or brackets come first.

        """
        word, previous, earlier = _last_words(before)
        if not word:
            return None
        if not follower:
            return self._by_table(word, previous, earlier, "", onward, opens=False)
        opens = self._is_opener(follower, self.openers)
        if word.isdecimal():
            return self._ends_at_figure(word, previous, follower, opens=opens)
        if word in self._units and previous[-1:].isdecimal() and follower[0].isalpha():
            return True if opens else None
        letter = _is_letter(word, previous)
        if letter and self._is_opener(follower, self._before_names):
            return True
        answer = self._by_table(word, previous, earlier, follower, onward, opens=opens)
        if answer is not None:
            return answer
        if letter and (onward[0] in _QUOTES or _LISTED.fullmatch(follower)):
            return True
        if opens or not follower[0].isupper():
            return None
        named = word.isupper() and _INITIALS.fullmatch(word) is not None
        return False if named or self._is_ordinal(word, previous) else None

    def _by_table(
        self,
        word: str,
        previous: str,
        earlier: list[str],
        follower: str,
        onward: str,
        *,
        opens: bool,
    ) -> bool | None:
        small = word.lower()
        keys = [small, small.rpartition(".-")[2]]  # Dipl.-Ing.
        if previous:
            for part in reversed(earlier[-4:]):
                keys.append(f"{part.lower()}_{small}")
                if not part.endswith(".") or len(part) > 4:
                    break
                small = part.lower() + small
                keys.append(small)
        if follower.endswith(".") and f"{keys[0]}.{follower[:-1].lower()}" in self._known:
            return False
        for key in reversed(keys):
            if key in self.ends:
                return follower[0].isupper() if follower else None
            if key in self.may and opens:
                return True
            if key in self.never and not _is_acronym(word):
                return False
        numbered = keys[0] in self.numbers or keys[0].endswith(_COMPOUNDS)
        return False if numbered and _is_number(keys[0], follower, onward) else None

    def _ends_at_figure(
        self, figure: str, previous: str, follower: str, *, opens: bool
    ) -> bool | None:
        behind_word = previous[-1:].isalpha()
        if not (behind_word and self._articles and len(figure) < 4 and follower[0].isupper()):
            return None
        if opens:
            return True
        if "*" in self._articles:
            return False if len(figure) < 3 and previous.islower() else None
        return False if previous.lower() in self._articles else None

    def _is_ordinal(self, word: str, previous: str) -> bool:
        """Tell whether a Roman number goes with what follows: with `König`, it goes with that."""
        behind = previous[:1].isupper() and previous.lower() not in self._articles
        return self._has_ordinals and not behind and _ORDINAL.fullmatch(word) is not None

    def _is_opener(self, follower: str, openers: frozenset[str]) -> bool:
        """Tell whether sentences begin with this word: `It's` and `L'` with it, `I.` without."""
        small = follower.lower().replace("’", "'")
        if not follower[0].isupper():
            return False
        return small in openers or (len(small) > 2 and small.removesuffix("'") in openers)


def _last_words(before: str) -> tuple[str, str, list[str]]:
    """Return the last word before a stop, the word before that, and all the words before it."""
    found = _TAIL.search(before)
    if found is None:
        return "", "", []
    earlier = before[: found.start()].split()
    previous = earlier[-1] if earlier and before[found.start() - 1].isspace() else ""
    return found[0], previous, earlier


def _is_letter(word: str, previous: str) -> bool:
    """Tell whether a word is a great letter behind a small word, as in `said I.`: no initial."""
    return len(word) == 1 and word.isupper() and previous.islower()


def _is_acronym(word: str) -> bool:
    """Tell whether it is one as `APT`, not `DR` or `M.A`."""
    return len(word) > 2 and word.isupper() and word.isalpha()


def _is_number(abbreviation: str, follower: str, onward: str) -> bool:
    """Decide whether a number follows an abbreviation; `no` is a word of its own, too."""
    if abbreviation == "no" and (follower == "I" or not follower[:1].isupper()):
        return _FIGURE.match(onward) is not None
    if follower and _ROMAN.fullmatch(follower):
        return True
    return abbreviation != "no" and _NUMBER.match(onward) is not None
