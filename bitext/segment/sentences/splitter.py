"""Sentence splitter: Punkt with rules for quotations, full stops and list numbers.

Punkt (Kiss and Strunk 2006) ends a sentence after `?”`, although `said she` may follow. A piece is
joined to the previous piece if it has no letter and no digit, if it begins with a closing quotation
mark, or if its first letter is in lower case and only marks, dashes, brackets and dots precede it,
unless the piece begins with an opening quotation mark, or with a shortened word of Dutch or
Afrikaans (`'s Avonds`). Before these joins, closing marks move to the previous piece (Punkt takes
the `“` of `„Ja.“ Dann` for an opening mark), and a `«` before a blank moves to the piece that it
opens.

Chinese and Japanese are split after their own stops: `。！？…` and their closing marks. A straight
quotation mark after a stop closes if an odd number of them precede it. For languages without a
Punkt model, Punkt uses the stops of all scripts. A model learned from the text itself is no
substitute: where verbs end sentences, it takes the most frequent verbs for abbreviations. Lists of
abbreviations are added to both, where a language has one. Then full stops after abbreviations,
ordinals and initials are decided by rules (`FullStops`), and list numbers are joined to the
sentences after them (`with_numbers`). In a text with dandas, or other stops of its script, at the
ends of sentences, full stops end no sentence. Bars typed for dandas and, in Armenian, colons typed
for full stops are read as these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import check_truths, check_type
from bitext.kernels.arrays import Ints
from bitext.lazy import late_pattern
from bitext.segment.sentences import (
    MODELS,
    SCRIPTS,
    TITLES,
    abbreviations,
    known_language,
    marks_ends,
)

if TYPE_CHECKING:
    Spans = list[tuple[int, int]]

# List numbers begin the sentence after them: `1. Introduction`, `(b) Second`.
#
# Punkt ends a sentence after `1.`, so that the number is a piece of its own, or, if the line before
# has no stop, the end of the piece with that line. A number that is a piece of its own is joined to
# the next piece of the line; so are a letter and a Roman number at the beginning of a line. A
# number that ends a piece at the beginning of a line is joined to the next piece only if another
# line begins with the previous or next number: otherwise it may end a sentence of broken lines.

_LIST_NUMBER = late_pattern(r"[(\[]?\d{1,3}(?:\.\d{1,3}){0,4}[.)\]]{1,2}")
_LETTER = late_pattern(r"[(\[]?(?:[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)\]]{1,2}")
_AT_LINE = late_pattern(r"^[ \t]*(\d{1,3})\.(?=[ \t]+\S)", re.MULTILINE)
_LAST = late_pattern(r"\n[ \t]*(\d{1,3})\.\Z")
_ITEM = late_pattern(r"\(?[^\W\d_]\)[ \t]+\S")
_LINE = late_pattern(
    r"\n[ \t]*([(\[]?(?:[0-9.]{1,16}|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)\]][.)\]]?)[ \t]"
)
# Characters of a list number, or of the white space before; set by hand
_MOST_NUMBER_CHARACTERS = 24


def with_numbers(text: str, pieces: Sequence[tuple[int, int]]) -> Spans:
    r"""Join list numbers to the pieces after them.

    `pieces` are half-open spans of sentences in the running text, ascending.

    Examples
    --------
    >>> text = "1. Read.\n2. Write."
    >>> with_numbers(text, [(0, 2), (3, 8), (9, 11), (12, 18)])
    [(0, 8), (9, 18)]

    """
    numbered: Spans = []
    listed: set[int] | None = None
    begin = -1  # start of a list number for the next piece; -1 for none
    for k, (first, end) in enumerate(pieces):
        start, begin = (first if begin < 0 else begin), -1
        short = end - start < _MOST_NUMBER_CHARACTERS
        if (short or text[end - 2].isdecimal()) and _has_follower(text, pieces, k):
            if short and _is_list_number(text, start, end):
                begin = start
                continue
            # A number at the beginning of a line may end the piece: check for the rest of a list.
            last = _LAST.search(text, max(start, end - _MOST_NUMBER_CHARACTERS), end)
            if last is not None:
                if listed is None:
                    listed = {int(each) for each in _AT_LINE.findall(text)}
                if {int(last[1]) - 1, int(last[1]) + 1} & listed:
                    begin = last.start(1)
                    end = start + len(text[start : last.start()].rstrip())
        numbered.append((start, end))
    return numbered


def numbered_lines(text: str) -> list[int]:
    r"""Return the positions of possible list numbers at beginnings of lines after the first line.

    Examples
    --------
    >>> numbered_lines("1. Read.\n 2. Write.\n(b) Count.")
    [10, 20]

    """
    return [match.start(1) for match in _LINE.finditer(text)]


def begins_item(text: str, start: int, end: int) -> bool:
    """Check whether a piece begins as a list item with a letter: `b) Next`."""
    return _ITEM.match(text, start, end) is not None


def _has_follower(text: str, pieces: Sequence[tuple[int, int]], k: int) -> bool:
    """Check whether a piece ends like a list number, with another piece after it on the line."""
    end = pieces[k][1]
    follows = text[end - 1] in ".)]" and k + 1 < len(pieces)
    return follows and "\n" not in text[end : pieces[k + 1][0]]


def _is_list_number(text: str, start: int, end: int) -> bool:
    """Check whether a piece is a list number, or a letter of a list at the beginning of a line."""
    if _LIST_NUMBER.fullmatch(text, start, end):
        return True
    if not _LETTER.fullmatch(text, start, end):
        return False
    before = text[max(0, start - _MOST_NUMBER_CHARACTERS) : start].rstrip(" \t")
    return before.endswith("\n") or (not before and start < _MOST_NUMBER_CHARACTERS)


# Full stops after abbreviations, numbers and initials, which tables and rules decide.
#
# Punkt decides by statistics of newspapers. Rules overrule Punkt if the word before the stop is in
# a table of the package, or is a number or an initial:
#
# - An ordinal does not end a sentence: a Roman number after a lower-case word (`unter II.
#   Rákóczi`), or a figure after an article (`a 33. Magyar Filmszemle`), in languages that mark
#   ordinals with a full stop.
# - A number may have symbols, brackets and letters before it: `No. #5`, `ca. US$300`, `Fig. (3)`,
#   `Fig. A3`.
# - A unit after a figure, a figure, and a single capital after a word end a sentence before a word
#   that opens sentences: `8481 m. Der`, `here am I. And`, `World War I. It`. After a lower-case
#   word the capital also ends a sentence before a list number: `in annex V. 4. As`.
# - No sentence ends in a date in figures: `3. 5. 2010`, without the year in languages that mark
#   ordinals with a full stop (`od 1. 1. do 5. 2.`), and year first in Hungarian and Korean.
# - An ellipsis directly after a word ends a sentence before another word that opens sentences.

_CHARACTERS_BEHIND = 40  # characters examined for the words before a stop; set by hand
# A full stop or an ellipsis with its closing marks, and the text after it: marks and symbols (with
# blanks in `“ ‘` and the French `« `), then a word or number, with an apostrophe or full stop that
# shortens it.
_FULL_STOP = late_pattern(
    r"[.…](?=([\"'“”‘’«»‹›]*)\s+"
    r"((?:[^\w\s]|_|(?<=[«‹“‘])[^\S\n]+)*)((?:[^\W_]+(?:['’]|\.(?!\S))?)?))"
)
_QUOTES_AFTER_STOP = frozenset("\"'“”„‟«»‹›‚‘ \u00a0\u202f")
# A number with preceding symbols or letters: `#5`, `$300`, `US$5`, `EUR 5`, `(3)`, `A3`, `B.2`.
_NUMBER = late_pattern(
    r"[^\w\s]*(?:[A-Z]{3}\s|[A-Z]{0,3}[§#$€£¥]\s?|[A-Z]\.\s|[^\W\d_]{0,3}[-.]?)\d|[IVX]{2,5}[a-z]\b|"
    r"[(\[]\w[)\]]"
)
# Dates in figures, with a bar after the stop in question.
_DAY, _MONTH, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])", r"(?:1\d|20)\d\d"
_DATE = late_pattern(rf"(?<![\d.]){_DAY}\.(?:\|{_MONTH}\.\s?{_YEAR}\b|\s?{_MONTH}\.\|{_YEAR}\b)")
_DAY_AND_MONTH = late_pattern(rf"(?<![\d.]){_DAY}\.\|{_MONTH}\.(?!\s?\d)")
_YEAR_FIRST = late_pattern(
    rf"\b{_YEAR}\.(?:\|{_MONTH}\.\s?{_DAY}\b|\s?{_MONTH}\.(?:\|{_DAY}\b|\s?{_DAY}\.\|[가-힣]))"
)
_FIGURE = late_pattern(r"[#№]?\d")
_CHARACTERS_AHEAD = 16  # characters examined for a number after a stop; set by hand
_ROMAN = late_pattern(r"(?=[IVXLCDM])M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ORDINAL = late_pattern(r"X{0,3}(?:I[XV]|V?I{0,3})")  # of a ruler, a congress or a century
_LISTED = late_pattern(r"\d{1,3}\.")
_TAIL = late_pattern(r"(?:(?!--)[^\s(\[\"'“”„‟«»‹›‚‘’—–―…*_])+\Z")  # without marks before it
_INITIALS = late_pattern(r"(?:[^\W\d_]\.){1,2}[^\W\d_]")
_COMPOUNDS = ("str", "nr")  # Hauptstr. 5, Hausnr. 7
_UNITS = "mm cm dm m km ha g kg l t h s мм см дм м км га г кг л т ч с"
# Openers that may begin a name after an initial.
_PARTICLES = "van von de den der des di da do du la le les lo los el al na ten ter"
# Code of a language -> the words after which a figure with a full stop is an ordinal before a
# capital letter; `*` is any word.
_ARTICLES = {
    "de": "der die das den dem des am im zum zur vom beim ans ins seit ab bis",
    "hu": "a az",
    "tr": "*",
}
# Languages that mark ordinals with a full stop.
_ORDINALS = "bs cs da de et fi hr hu is lb lv nb nn no sh sk sl sr tr"


class FullStops:
    """Rules for full stops after abbreviations, numbers and initials, which overrule Punkt.

    Parameters
    ----------
    lang : str
        The code of the language.
    listed : bool
        Whether another list of abbreviations is used for the language.

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
        self._dates = (
            _DATE,
            *((_DAY_AND_MONTH,) if self._has_ordinals else ()),
            *((_YEAR_FIRST,) if lang in {"hu", "ko"} else ()),
        )

    def __call__(self, text: str, pieces: Iterable[tuple[int, int]]) -> Spans:
        """Return the pieces of a text with boundaries at full stops added or removed by rules."""
        ends = {end for _, end in pieces}
        for stop in _FULL_STOP.finditer(text):
            start, onward = stop.start(), stop.start(2)
            back = max(0, start - _CHARACTERS_BEHIND)
            begin = max(back, text.rfind(" ", back, start) + 1)
            if text[start] == "." and self.is_plain(text[begin:start]):
                continue
            # A word after symbols or brackets does not count as the first word of a sentence.
            follower = stop[3] if _QUOTES_AFTER_STOP.issuperset(stop[2]) else ""
            if follower and _is_lower(follower[0]):
                word = _last_words(text[back:start])[0].lower()
                if word in self.numbers and begins_item(text, onward, len(text)):  # `lit. a) DSGVO`
                    ends.discard(start + 1)
                continue
            if text[start] == "…" or text.endswith("..", begin, start):
                answer = self._ends_at_ellipsis(text[begin:start], follower)
                if answer is not None:
                    ends.difference_update(range(start + 1, stop.end(1) + 1))
                if answer:
                    ends.add(stop.end(1))
                continue
            if stop[1]:  # rules for the end of a quotation: only for a single capital
                if follower and _is_letter(*_last_words(text[back:start])[:2]):
                    ends.difference_update(range(start + 1, stop.end(1)))
                    ends.add(stop.end(1))
                continue
            answer = self._ends_there(
                text[back:start], follower, text[onward : onward + _CHARACTERS_AHEAD]
            )
            if answer:
                ends.add(start + 1)
            elif answer is not None:
                ends.discard(start + 1)
        return list(pairwise([0, *sorted(ends)]))

    def is_plain(self, word: str) -> bool:
        """Check whether no rule can apply to a word, for speed: most words are plain."""
        return not word or (
            word.isalpha()
            and not word.isupper()
            and word.lower() not in self._parts
            and not word.endswith(_COMPOUNDS)
        )

    def _ends_at_ellipsis(self, before: str, follower: str) -> bool | None:
        """Decide whether a sentence ends at an ellipsis; return `None` if no rule applies."""
        word = before.rstrip(".…").lower()
        if not (follower and word[-1:].isalpha()):
            return None
        if follower.lower() == word:  # `I… I was there`
            return False
        return True if follower != "I" and self._is_opener(follower, self.openers) else None

    def _ends_there(self, before: str, follower: str, onward: str) -> bool | None:
        """Decide whether a sentence ends at a stop; return `None` if no rule applies.

        `before` is the text before the stop, `onward` the text after the stop and white space;
        `follower` is the word after the stop, empty if symbols or brackets precede the word.
        """
        word, previous, earlier = _last_words(before)
        if not word:
            return None
        if word[-1].isdecimal():
            around = f"{' '.join([*earlier[-2:], word])}.|{onward}"
            if any(date.search(around) for date in self._dates):
                return False
        if not follower:
            if onward.startswith("§") and "." in word and word.isupper():  # `42 U.S.C. § 5`
                return False
            return self._by_table(word, previous, earlier, "", onward, opens=False)
        opens = self._is_opener(follower, self.openers)
        if word.isdecimal():
            return self._ends_at_figure(word, previous, follower, opens=opens)
        if word in self._units and previous[-1:].isdecimal() and follower[0].isalpha():
            return True if opens else None
        letter = _is_letter(word, previous)
        named = len(word) == 1 and word.isupper() and len(previous) > 1 and previous.isalpha()
        if (letter or named) and self._is_opener(follower, self._before_names):
            return True
        answer = self._by_table(word, previous, earlier, follower, onward, opens=opens)
        if answer is not None:
            return answer
        if letter and (onward[0] in _QUOTES_AFTER_STOP or _LISTED.fullmatch(follower)):
            return True
        if opens or not follower[0].isupper():
            return None
        initials = word.isupper() and _INITIALS.fullmatch(word) is not None
        return False if initials or self._is_ordinal(word, previous) else None

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
        # Keys: the word, its last part (`Dipl.-Ing.`), and both kinds of joins to previous words.
        # The longest key decides.
        keys = [small, small.rpartition(".-")[2]]
        if previous:
            for part in reversed(earlier[-4:]):
                keys.append(f"{part.lower()}_{small}")
                if not part.endswith(".") or len(part) > 4:
                    break
                small = part.lower() + small
                keys.append(small)
        # The stop is inside an abbreviation of two words.
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
        """Check whether a Roman number belongs to the next word, not to a name before it."""
        behind = previous[:1].isupper() and previous.lower() not in self._articles
        if previous.endswith("."):  # no name, but the end of a sentence, or `Bd. II`
            behind = previous[:-1].lower() in self.numbers
        return self._has_ordinals and not behind and _ORDINAL.fullmatch(word) is not None

    def _is_opener(self, follower: str, openers: frozenset[str]) -> bool:
        """Check whether a word opens sentences, as `It's` and `L'`, but not `I.`."""
        small = follower.lower().replace("’", "'")
        if not follower[0].isupper():
            return False
        return small in openers or (len(small) > 2 and small.removesuffix("'") in openers)


def _last_words(before: str) -> tuple[str, str, list[str]]:
    """Return the last word before a stop, the previous word, and all words before the last."""
    tail = _TAIL.search(before)
    if tail is None:
        return "", "", []
    earlier = before[: tail.start()].split()
    previous = earlier[-1] if earlier and before[tail.start() - 1].isspace() else ""
    return tail[0], previous, earlier


def _is_letter(word: str, previous: str) -> bool:
    """Check whether a word is a capital letter but no initial, as in `said I.`."""
    return len(word) == 1 and word.isupper() and previous.islower()


def _is_acronym(word: str) -> bool:
    """Check whether a word is an acronym such as `APT`, not `DR` or `M.A`."""
    return len(word) > 2 and word.isupper() and word.isalpha()


def _is_number(abbreviation: str, follower: str, onward: str) -> bool:
    """Check whether a number follows an abbreviation, strictly for `no`, which is also a word."""
    numeral = follower.removesuffix(".")
    if abbreviation == "no" and (numeral == "I" or not numeral[:1].isupper()):
        return _FIGURE.match(onward) is not None
    if numeral and _ROMAN.fullmatch(numeral):
        return True
    return abbreviation != "no" and _NUMBER.match(onward) is not None


# Code of a language without a Punkt model -> its list of abbreviations.
_LISTS = {
    "ca": "catalan",
    "ga": "irish",
    "hu": "hungarian",
    "is": "icelandic",
    "lv": "latvian",
    "ro": "romanian",
    "sk": "slovak",
    "ta": "tamil",
}
_DANDA = "।"
_OWN_STOPS = "।۔።။។։"  # stops of scripts that also have the full stop, in abbreviations
# Bars typed for dandas, as in corpora of Hindi, and colons typed for the Armenian full stop
_BAR = late_pattern(r"(?<=[\u0900-\u0d7f])(\s?)\|(?!\|)")
_COLON = late_pattern(
    r"(?<=[\u0531-\u0556\u0561-\u0587»]):(?=\s+[«“\"(–—-]*\s?[\u0531-\u0556]|\s*$)"
)
_AND_SO_ON = "។ល។"  # Khmer
# Marks of emphasis of plain texts at the ends of sentences, and before words: `_Stop!_ *he* cried.`
_EMPHASIS = late_pattern(r"[_*]+")
_MOST_EMPHASIS = 3  # marks in a row: `***`
_STOPS_BEFORE_EMPHASIS = frozenset(".!?…")
# Shortened words that begin sentences before a capital, of Dutch and Afrikaans
_SHORTENED = {
    "af": late_pattern(r"['’‘]n [A-Z]"),
    "nl": late_pattern(r"['’‘](?:[st]|k|n|r)[ -][A-Z]"),
}
_BEHIND_STOP = late_pattern(r"[.!?…]['’‘\"“”]*\s+(?=['’‘][nstkr][ -][A-Z])")
_STOPPED = late_pattern(r"([^\s.।॥!?]{3,})\.(?!\S)")  # a word before a full stop, but no initial
# Marks of all scripts that end a sentence, for languages without a Punkt model.
_ENDS = tuple(".!?…؟۔।॥։።፧။។៕᠃。！？")
_OPENING, _CLOSING = "“‘«‹„‚「『《〈", "”’»›」』》〉"
_TURNED = ("„‚»›", "“‘«‹")  # opening and closing marks of `„…“` and `»…«`
# Code of a language -> its opening and its closing marks. The context decides any other mark.
_MARKS = {
    **dict.fromkeys(("cs", "da", "de", "sl"), _TURNED),
    "ka": ("„‚«", "“‘»"),
    "pl": ("„‚«", "”’»"),
    **dict.fromkeys(("fi", "sv"), ("", "")),  # one mark for both
}
_DASHES = "—–―-"
_QUOTES = frozenset(_OPENING + _CLOSING + "\"'‟‛")
_BEGUN = late_pattern(r"([\"'“‘«‹‛‟”’»›]+[)\]]*)\s+(?=\S)")  # marks before a blank
_OPENED = late_pattern(r"\s+([“‘«‹„‚「『《〈]+)\Z")
_LEADING = late_pattern(r"[\s\"'“”‘’‟‛«»‹›„‚「」『』《》〈〉()\[\]{}….\u2010-\u2015-]*")
_WORD = late_pattern(r"[^\W_]")
# Least number of lower-case letters in a text without capitals; set by hand
_LEAST_SMALL_LETTERS = 40
_MOST_CHARACTERS = 2000  # characters examined for these letters; set by hand
# All stops and closing marks in a row, without a comma after them, and without the `と` that
# continues a Japanese sentence after speech. A full-width dot after a digit is a decimal point; a
# full stop of Latin script is a stop between a character of these scripts and a blank.
_STOP, _CLOSE = "。！？…!?", "」』》〉”’）)\\]\"'"
_GOES_ON = (
    r"(?!(?<=[」』）”])"
    r"(?:と(?!ても|ころ|にかく|もかく|うとう|りあえず|き|はいえ|なり|なると)|って))"
)
_STOPS = late_pattern(
    rf"(?:[{_STOP}]|(?<![0-9０-９])．|(?<=[ぁ-ヿ㐀-鿿])\.(?=[{_CLOSE}]*(?:\s|$)))+[{_CLOSE}]*"
    rf"(?![{_STOP}{_CLOSE}．]){_GOES_ON}\s*(?![\s，、；：])|$"
)


# Straight quotation marks, without apostrophes within words
_STRAIGHT = late_pattern(r"\"|(?<![A-Za-z])'|'(?![A-Za-z])")


def _begins_sentence(text: str, mark: re.Match[str]) -> bool:
    """Check whether a sentence may begin behind the mark of a note: none in lower case."""
    after = text[mark.end() : mark.end() + _MOST_NUMBER_CHARACTERS].lstrip(' “‘«„"(')
    return not mark[0].isdecimal() or not after[:1].islower()


class SentenceSplitter:
    """Splits running text of one language into sentences.

    Parameters
    ----------
    lang : str
        The code of the language, such as `en` or `de-AT`.
    lists : bool
        Whether lists and tables of abbreviations are used, so that `z. B.`, `e.g.` and `No. 5` end
        no sentence, and `etc.` may end one. Without lists, sentences are as in the texts that the
        models of paragraphs were trained on; no command uses this.
    whole : bool
        Whether a text in a language that does not mark the ends of sentences is one sentence.

    Raises
    ------
    OptionError
        When `lang` is not a language, or, without `whole`, a language that does not mark the ends
        of sentences.

    Examples
    --------
    >>> splitter = SentenceSplitter("zh")
    >>> text = "“天黑了吗？”他问。没有人回答。"
    >>> [text[start:end] for start, end in splitter.spans(text)]
    ['“天黑了吗？”', '他问。', '没有人回答。']
    >>> SentenceSplitter("hu").sentences("Dr. Kiss a 2. emeleten lakik. „Mikor jön?” – kérdezte.")
    ['Dr. Kiss a 2. emeleten lakik.', '„Mikor jön?” – kérdezte.']

    """

    def __init__(self, lang: str = "en", *, lists: bool = True, whole: bool = False) -> None:
        check_truths(lists=lists, whole=whole)
        undivided = whole and not marks_ends(lang)
        self.lang, self.lists = (lang if undivided else known_language(lang)), lists
        self._pieces: Callable[[str], Iterable[tuple[int, int]]]
        if undivided:
            self._pieces = _as_one
        elif self.lang in SCRIPTS:
            self._pieces = _by_stops
        elif self.lang in MODELS:
            self._pieces = _punkt(self.lang, lists=lists)
        else:
            self._pieces = _by_rules(self.lang, lists=lists)

    def spans(self, text: str) -> Ints:
        """Return the half-open spans of the sentences, shape (n, 2), in order.

        The spans cover all characters except white space. A text of white space has no spans.
        """
        check_type("the text", text, str, "a string; of several, each by itself")
        found = _RAISED.finditer(text) if self.lists else ()
        marks = [mark.span() for mark in found if _begins_sentence(text, mark)]
        if not marks:
            return np.array(self._spans(text), dtype=np.int64).reshape(-1, 2)
        # Behind a full stop, the mark of a note would make an unknown word of the one before.
        characters = list(text)
        for first, last in marks:
            characters[first:last] = " " * (last - first)
        ends = dict(marks)
        spans = [(start, ends.get(end, end)) for start, end in self._spans("".join(characters))]
        return np.array(spans, dtype=np.int64).reshape(-1, 2)

    def _spans(self, text: str) -> Spans:
        if self.lists:
            text = _with_own_stops(text, self.lang)
        pieces = _whole(self._pieces(text), text)
        if self.lists:
            if self.lang in _SHORTENED:
                pieces = _before_shortened(text, pieces)
            pieces = _at_references(text, _at_quotations(text, pieces, self.lang))
        cased = not (self.lists and has_small_letters_only(text))
        spans = join_pieces(text, pieces, self.lang, items=self.lists, cased=cased)
        if self.lists:
            spans = with_numbers(text, spans)
        return spans

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text."""
        return [text[start:end] for start, end in self.spans(text).tolist()]


# Superscript marks of notes after a stop or a closing mark, as in `He came.¹ She left.`, also as
# copies of pages have them: `He came.1 She left.`
_RAISED = late_pattern(
    r"(?<=[.!?…。！？\"'”’»«“)\]])[⁰¹²³⁴-⁹](?:[⁰¹²³⁴-⁹⁽⁾]|,(?=[⁰¹²³⁴-⁹]))*"
    r"|(?:(?<=[^\W\d_]{4}[.!?])|(?<=[^\W\d_]{3}[.!?][\"”’»]))\d{1,3}(?=\s+[“‘«„\"(]?[^\W\d_])"
)
_REFERENCES = late_pattern(r"((?:\[\d{1,3}\])+)\s*")  # marks of notes


def _emphasis_quoted(marks: re.Match[str]) -> str:
    """Return quotation marks for marks of emphasis, and other asterisks and low lines as they are.

    A pattern with a lookbehind first would be tried at each character of a text.
    """
    text, start, end = marks.string, *marks.span()
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    ends = before in _STOPS_BEFORE_EMPHASIS and (not after or after.isspace())
    begins = (not before or before.isspace()) and after.isalnum()
    is_emphasis = len(marks[0]) <= _MOST_EMPHASIS and (ends or begins)
    return '"' * len(marks[0]) if is_emphasis else marks[0]


def _with_own_stops(text: str, lang: str) -> str:
    """Replace characters typed for stops by these, and a stop that ends no sentence by a letter."""
    text = text.replace("‹", "«").replace("›", "»")  # which Punkt does not know
    if "<<" in text and ">>" in text:
        text = text.replace("<<", "««").replace(">>", "»»")
    if ("_" in text or "*" in text) and lang not in SCRIPTS:
        text = _EMPHASIS.sub(_emphasis_quoted, text)
    if "|" in text:
        text = _BAR.sub(rf"\1{_DANDA}", text)
    if lang == "hy" and text.count(":") > text.count("։"):
        text = _COLON.sub("։", text)
    return text.replace(_AND_SO_ON, f"ល{_AND_SO_ON[1:]}") if lang == "km" else text


def _before_shortened(text: str, pieces: Spans) -> Spans:
    """Divide pieces before `'s Avonds` after a stop, whose lower case Punkt goes on at."""
    spans: Spans = []
    for start, end in pieces:
        begin = start
        for stop in _BEHIND_STOP.finditer(text, start, end):
            spans.append((begin, begin + len(text[begin : stop.end()].rstrip())))
            begin = stop.end()
        spans.append((begin, end))
    return spans


def _at_quotations(text: str, pieces: Spans, lang: str) -> Spans:
    """Move closing marks to the piece before, and opening marks to the piece after."""
    opening, closing = _MARKS.get(lang, (_OPENING, _CLOSING))
    spans: Spans = []
    begin = -1  # start of opening marks for the next piece; -1 for none
    for start, stop in pieces:
        first, begin = (start if begin < 0 else begin), -1
        if not text[start:stop].strip(opening):
            begin = first
            continue
        begun = _BEGUN.match(text, first, stop) if spans and text[first] in _QUOTES else None
        # A mark directly after a stop closes, even one that usually opens in the language.
        if begun is not None and (first == spans[-1][1] or text[first] in closing):
            spans[-1] = (spans[-1][0], begun.end(1))
            first = begun.end()
        end = stop
        if text[stop - 1] in opening:
            opened = _OPENED.search(text, first, stop)
            if opened is not None:
                begin, end = opened.start(1), opened.start()
        spans.append((first, end))
    if begin >= 0:  # opening marks at the end of the text
        spans.append((begin, pieces[-1][1]))
    return spans


def _at_references(text: str, pieces: Spans) -> Spans:
    """Move marks of notes, as in `He came.[1] She left.`, to the piece before.

    Only marks directly after a piece move: after a blank a mark belongs to what follows.
    """
    if "[" not in text:
        return pieces
    spans: Spans = []
    for start, end in pieces:
        mark = _REFERENCES.match(text, start, end) if spans and start == spans[-1][1] else None
        if mark is not None:
            spans[-1] = (spans[-1][0], mark.end(1))
            start = mark.end()
        if start < end:
            spans.append((start, end))
    return spans


def has_small_letters_only(text: str) -> bool:
    """Check whether a text has 40 lower-case letters or more, and no capital.

    Examples
    --------
    >>> has_small_letters_only("it rained. the road was wet. nobody came to the old mill.")
    True

    """
    return (
        text == text.lower()
        and sum(map(str.islower, text[:_MOST_CHARACTERS])) >= _LEAST_SMALL_LETTERS
    )


def join_pieces(
    text: str,
    pieces: Iterable[tuple[int, int]],
    lang: str = "en",
    *,
    items: bool = False,
    cased: bool = True,
) -> Spans:
    """Join pieces that continue the sentence before them (see the head of the module).

    Pieces are half-open spans in the text, ascending. `lang` is the code of the language, which
    decides the opening and closing marks of quotations. `items` is whether a lower-case letter may
    begin a list item, `(b) Next`, and so a sentence; `cased` whether the text has capitals, so that
    no sentence begins with a lower-case letter.

    Examples
    --------
    >>> text = '“Who is there?” said she. “Nobody.”'
    >>> [text[i:j] for i, j in join_pieces(text, [(0, 15), (16, 25), (26, 35)])]
    ['“Who is there?” said she.', '“Nobody.”']

    """
    opening, closing = _MARKS.get(lang, (_OPENING, _CLOSING))
    spans: Spans = []
    for start, end in pieces:
        if (
            spans
            and _goes_on(text, start, end, lang if items else "", opening, closing, cased=cased)
            and not (items and begins_item(text, start, end))
        ):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _goes_on(
    text: str, start: int, end: int, lang: str, opening: str, closing: str, *, cased: bool
) -> bool:
    first = text[start]
    # Most pieces begin with a letter: decide these first, for speed.
    if first.isalpha():
        return cased and _is_lower(first)
    if first in "'’‘" and lang in _SHORTENED and _SHORTENED[lang].match(text, start, end):
        return False
    if first in _QUOTES and _closes(text, start, end, opening, closing):
        return True
    begun = _WORD.search(text, start, end)
    if begun is None:
        return True
    if not cased or (first in _QUOTES and first not in "'’"):  # may be apostrophes
        return False
    lead = _LEADING.match(text, start, end)
    if lead is None or lead.end() != begun.start():
        return False
    letter = text[begun.start()]
    # Where letters have no case, a dash behind a quotation is followed by the one who says it.
    caseless = first in _DASHES and letter.isalpha() and not letter.isupper()
    return _is_lower(letter) or (
        caseless and text[max(start - 2, 0) : start].strip()[-1:] in closing
    )


def _is_lower(letter: str) -> bool:
    return letter.islower() and letter.title() != letter  # Georgian has no title case


def _closes(text: str, start: int, end: int, opening: str, closing: str) -> bool:
    """Decide whether a mark closes a quotation, by its kind, else by the next character."""
    mark = text[start]
    at = start + 1
    while at < end and text[at] in _QUOTES:
        at += 1
    glued = at < end and (text[at].isalnum() or text[at] in "¡¿")
    if glued and not text[start - 1].isspace() and "가" <= text[at] <= "힣":  # `"가자!"라고`
        return True
    if mark in closing:
        return not (glued and text[start - 1].isspace())
    return mark not in opening and not glued


def _whole(pieces: Iterable[tuple[int, int]], text: str) -> Spans:
    """Return the pieces without white space at the ends, and without empty pieces."""
    match = []
    for start, end in pieces:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            begin = start + len(piece) - len(piece.lstrip())
            match.append((begin, begin + len(inner)))
    return match


def _as_one(text: str) -> Spans:
    return [(0, len(text))]


def _by_stops(text: str) -> Spans:
    ends: list[int] = []
    counted, odd = 0, {'"': False, "'": False}
    for stop in _STOPS.finditer(text):
        end = stop.end()
        for mark in _STRAIGHT.finditer(text, counted, end):
            # Straight quotation marks open and close by turns.
            opens = not odd[mark[0]]
            odd[mark[0]] = opens
            if opens and mark.start() > stop.start():
                end = mark.start()
                odd[mark[0]] = False  # counted again with the sentence that it opens
                break
        counted = end
        ends.append(end)
    ends[-1:] = [len(text)] if ends else []
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _punkt(lang: str, *, lists: bool) -> Callable[[str], Any]:
    import punkt

    model = MODELS[lang]
    if not lists:
        return _spans(punkt.tokenizer_for(model))
    known = punkt.load_model(model)
    if punkt.has_prefixes(model):
        known = punkt.with_nonbreaking_prefixes(known, model)
    stops = FullStops(lang)
    known = replace(known, abbrev_types=known.abbrev_types | stops.may)
    return _WithStops(punkt.PunktSentenceTokenizer(known, rules=_rules(model)), stops)


def _spans(tokenizer: Any) -> Callable[[str], Any]:
    spans: Callable[[str], Any] = tokenizer.span_tokenize
    return spans


def _rules(language: str) -> Any:
    """Return Punkt's rules for a language; `None` if Punkt has none."""
    import punkt

    try:
        return punkt.rules_for_language(language)
    except LookupError:
        return None


def _by_rules(lang: str, *, lists: bool) -> Callable[[str], Any]:
    import punkt

    rules = _rules(lang) or punkt.LanguageVars(sent_end_chars=_ENDS)
    model = punkt.PunktParameters()
    if not lists:
        return _spans(punkt.PunktSentenceTokenizer(model, rules=rules))
    stops = FullStops(lang, listed=lang in _LISTS)
    if lang in _LISTS:
        model = punkt.with_nonbreaking_prefixes(model, _LISTS[lang])
    model.abbrev_types.update(stops.may)
    usual = _WithStops(punkt.PunktSentenceTokenizer(model, rules=rules), stops)
    if _DANDA not in rules.sent_end_chars:
        return usual
    ends = tuple(mark for mark in rules.sent_end_chars if mark != ".")
    others = punkt.PunktSentenceTokenizer(model, rules=replace(rules, sent_end_chars=ends))
    return _WithDanda(usual, _spans(others))


class _WithStops:
    def __init__(self, tokenizer: Any, stops: FullStops) -> None:
        self._spans, self._stops = tokenizer.span_tokenize, stops

    def __call__(self, text: str) -> Any:
        return self._stops(text, self._spans(text))


class _WithDanda:
    """Splitter in which full stops end no sentence of a text with as many dandas or more."""

    def __init__(self, usual: Callable[[str], Any], others: Callable[[str], Any]) -> None:
        self._usual, self._others = usual, others
        self._titles = frozenset(TITLES.split())

    def __call__(self, text: str) -> Any:
        dandas = sum(map(text.count, _OWN_STOPS))
        if not dandas:
            return self._usual(text)
        stopped = sum(word not in self._titles for word in _STOPPED.findall(text))
        return self._others(text) if stopped <= dandas else self._usual(text)
