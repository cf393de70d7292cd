"""Full stops behind abbreviations, numbers and initials: which end a sentence, by small tables.

Punkt decides by what it saw in newspapers; here those stops are decided anew of whose word more is
known (`abbreviations.py`), and of numbers and initials:

- An ordinal goes on: a Roman number behind a small letter (`unter II. Rákóczi`), a figure behind an
  article (`a 33. Magyar Filmszemle`), where numbers are written so.
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
# A full stop, and what begins behind it: a word or number, with the mark that shortens it.
_STOP = re.compile(r"\.(?=\s+[\"'“”„‟«»‚‘]?([^\W_]+(?:['’]|\.(?!\S))?))")
_ROMAN = re.compile(r"(?=[IVXLCDM])M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ORDINAL = re.compile(r"X{0,3}(?:I[XV]|V?I{0,3})")  # of a ruler, a congress or a century
_LISTED = re.compile(r"\d{1,3}\.")
_TAIL = re.compile(r"[^\s(\[\"'“”„‟«»‚‘’]+\Z")  # a word without marks before it
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
            start, follower = stop.start(), stop[1]
            back = max(0, start - _BACK)
            begin = max(back, text.rfind(" ", back, start) + 1)
            if follower[0].islower() or self._is_plain(text[begin:start]):
                continue
            answer = self._ends_there(text[back:start], follower)
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

    def _ends_there(self, before: str, follower: str) -> bool | None:
        """Tell whether a sentence ends before this follower; `None` where nothing is known."""
        found = _TAIL.search(before)
        if found is None:
            return None
        word, earlier = found[0], before[: found.start()].split()
        previous = earlier[-1] if earlier and before[found.start() - 1].isspace() else ""
        opens = self._is_opener(follower, self.openers)
        if word.isdecimal():
            return self._ends_at_figure(word, previous, follower, opens=opens)
        if word in self._units and previous[-1:].isdecimal() and follower[0].isalpha():
            return True if opens else None
        letter = len(word) == 1 and word.isupper() and previous.islower()
        if letter and self._is_opener(follower, self._before_names):
            return True
        answer = self._by_table(word, previous, earlier, follower, opens=opens)
        if answer is not None:
            return answer
        if letter and _LISTED.fullmatch(follower):
            return True
        if opens or not follower[0].isupper():
            return None
        named = word.isupper() and _INITIALS.fullmatch(word) is not None
        return False if named or self._is_ordinal(word, previous) else None

    def _by_table(
        self, word: str, previous: str, earlier: list[str], follower: str, *, opens: bool
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
                return follower[0].isupper()
            if key in self.may and opens:
                return True
            if key in self.never and not _is_acronym(word):
                return False
        numbers = self.numbers
        if (keys[0] in numbers or keys[0].endswith(_COMPOUNDS)) and _is_number(follower):
            return None if (keys[0], follower) == ("no", "I") else False
        return None

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


def _is_acronym(word: str) -> bool:
    """Tell whether it is one as `APT`, not `DR` or `M.A`."""
    return len(word) > 2 and word.isupper() and word.isalpha()


def _is_number(word: str) -> bool:
    return word[0].isdecimal() or _ROMAN.fullmatch(word) is not None
