"""Running text to sentences: Punkt of the text's language, with a repair for quoted speech.

Punkt (Kiss and Strunk 2006) ends a sentence behind `?”`, although `said she` goes on. A piece is
joined to the one before it when it has no letter and no digit, when it begins with a closing
quotation mark, or when its first letter is lower-case behind marks, dashes, brackets and dots,
unless it begins with an opening quotation mark. Before that, marks that close go to the piece
before (Punkt takes the `“` of `„Ja.“ Dann` for one that opens), and a `«` with a blank behind it
goes to the piece that it opens.

Chinese and Japanese are split behind their own stops: `。！？…` and the closing marks there. For
languages that there is no model of, Punkt goes by the stops of all scripts. A model that is learned
of the text itself does not do: where verbs end sentences, it takes the most frequent of them for
abbreviations. Lists of abbreviations join either, where there are some; then full stops after
abbreviations, ordinals and initials are decided anew (`FullStops`), and numbers of lists go to the
sentence after them (`with_numbers`). Where dandas end the sentences of a text, full stops end none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.segment.sentences.abbreviations import TITLES, abbreviations
from bitext.segment.sentences.languages import MODELS, SCRIPTS, known_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Spans = list[tuple[int, int]]

__all__ = [
    "FullStops",
    "SentenceSplitter",
    "begins_item",
    "has_small_letters_only",
    "join_pieces",
    "numbered_lines",
    "with_numbers",
]


# Full stops after abbreviations, numbers and initials: small tables decide which end a sentence.
#
# Punkt decides by the statistics of newspapers. These rules overrule it where the word before the
# stop is in a table (`abbreviations.py`), or is a number or an initial:
#
# - An ordinal does not end a sentence: a Roman number after a lower-case word (`unter II.
#   Rákóczi`), or a figure after an article (`a 33. Magyar Filmszemle`), in languages that write
#   ordinals so.
# - A number may have symbols, brackets and letters before it: `No. #5`, `ca. US$300`, `Fig. (3)`,
#   `Fig. A3`.
# - A unit after a figure, a figure, and a single capital after a lower-case word end a sentence if
#   the next word is one that opens sentences: `8481 m. Der`, `here am I. And`. The capital also
#   does so before the number of a list: `in annex V. 4. As`.


# Numbers of lists, which begin the sentence behind them: `1. Introduction`, `(b) Second`.
#
# Punkt ends a sentence at `1.`, so the number stood alone, or, where the line before ends without
# a stop, at the end of that. A number that is a piece of its own goes to the next piece of the
# line; so do a letter and a Roman number at the beginning of a line. One that ends a piece as the
# beginning of a line goes there, too, if another line begins with the number before or behind it:
# else it may be the end of a sentence whose lines are broken.

_LIST_NUMBER = re.compile(r"[(\[]?\d{1,3}(?:\.\d{1,3}){0,4}[.)\]]{1,2}")
_LETTER = re.compile(r"[(\[]?(?:[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)\]]{1,2}")
_AT_LINE = re.compile(r"^[ \t]*(\d{1,3})\.(?=[ \t]+\S)", re.MULTILINE)
_LAST = re.compile(r"\n[ \t]*(\d{1,3})\.\Z")
_ITEM = re.compile(r"\(?[^\W\d_]\)[ \t]+\S")
_LINE = re.compile(
    r"\n[ \t]*([(\[]?(?:[0-9.]{1,16}|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)\]][.)\]]?)[ \t]"
)
_LONGEST = 24  # characters of a number of a list, and of the white space before it


def with_numbers(text: str, pieces: Sequence[tuple[int, int]]) -> Spans:
    r"""Return pieces with the numbers of lists at their beginnings.

    Parameters
    ----------
    text : str
        Running text.
    pieces : sequence of (int, int)
        Half-open spans of sentences in it, ascending.

    Examples
    --------
    >>> text = "1. Read.\n2. Write."
    >>> with_numbers(text, [(0, 2), (3, 8), (9, 11), (12, 18)])
    [(0, 8), (9, 18)]

    """
    found: Spans = []
    listed: set[int] | None = None
    begin = -1  # of a number that the next piece begins with
    for k, (first, end) in enumerate(pieces):
        start, begin = (first if begin < 0 else begin), -1
        short = end - start < _LONGEST
        if (short or text[end - 2].isdecimal()) and _has_follower(text, pieces, k):
            if short and _is_list_number(text, start, end):
                begin = start
                continue
            last = _LAST.search(text, max(start, end - _LONGEST), end)
            if last is not None:
                if listed is None:
                    listed = {int(each) for each in _AT_LINE.findall(text)}
                if {int(last[1]) - 1, int(last[1]) + 1} & listed:
                    begin = last.start(1)
                    end = start + len(text[start : last.start()].rstrip())
        found.append((start, end))
    return found


def numbered_lines(text: str) -> list[int]:
    r"""Return the places of possible list numbers, at the beginnings of lines but the first.

    Examples
    --------
    >>> numbered_lines("1. Read.\n 2. Write.\n(b) Count.")
    [10, 20]

    """
    return [found.start(1) for found in _LINE.finditer(text)]


def begins_item(text: str, start: int, end: int) -> bool:
    """Check whether a piece begins as a lettered item of a list does: `b) Next`."""
    return _ITEM.match(text, start, end) is not None


def _has_follower(text: str, pieces: Sequence[tuple[int, int]], k: int) -> bool:
    """Check whether a piece ends like a list number, with another piece after it on the line."""
    end = pieces[k][1]
    follows = text[end - 1] in ".)]" and k + 1 < len(pieces)
    return follows and "\n" not in text[end : pieces[k + 1][0]]


def _is_list_number(text: str, start: int, end: int) -> bool:
    """Check whether a piece is the number of a list; a letter is only where a line begins."""
    if _LIST_NUMBER.fullmatch(text, start, end):
        return True
    if not _LETTER.fullmatch(text, start, end):
        return False
    before = text[max(0, start - _LONGEST) : start].rstrip(" \t")
    return before.endswith("\n") or (not before and start < _LONGEST)


_LOOKBEHIND = 40  # characters that are looked at for the words before a stop
# A full stop, marks that close there, and what begins behind them: marks and symbols (with blanks
# in `“ ‘` and the French `« `), then a word or number, with the mark that shortens it.
_FULL_STOP = re.compile(
    r"\.(?=([\"'“”‘’«»‹›]*)\s+"
    r"((?:[^\w\s]|_|(?<=[«‹“‘])[^\S\n]+)*)((?:[^\W_]+(?:['’]|\.(?!\S))?)?))"
)
_QUOTES_AFTER_STOP = frozenset("\"'“”„‟«»‹›‚‘ \u00a0\u202f")
# A number with the signs that may precede it: `#5`, `$300`, `US$5`, `EUR 5`, `(3)`, `A3`, `B.2`.
_NUMBER = re.compile(
    r"[^\w\s]*(?:[A-Z]{3}\s|[A-Z]{0,3}[§#$€£¥]\s?|[^\W\d_]{0,3}[-.]?)\d|[IVX]{2,5}[a-z]\b|[(\[]\w[)\]]"
)
_FIGURE = re.compile(r"[#№]?\d")
_LOOKAHEAD = 16  # characters that are looked at for a number behind a stop
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
        for stop in _FULL_STOP.finditer(text):
            start, onward = stop.start(), stop.start(2)
            back = max(0, start - _LOOKBEHIND)
            begin = max(back, text.rfind(" ", back, start) + 1)
            if self.is_plain(text[begin:start]):
                continue
            # What begins with symbols or brackets is no word that sentences begin with.
            follower = stop[3] if _QUOTES_AFTER_STOP.issuperset(stop[2]) else ""
            if follower[:1].islower():
                continue
            if stop[1]:  # of what a quotation ends with, only letters are decided
                if follower and _is_letter(*_last_words(text[back:start])[:2]):
                    ends.difference_update(range(start + 1, stop.end(1)))
                    ends.add(stop.end(1))
                continue
            answer = self._ends_there(
                text[back:start], follower, text[onward : onward + _LOOKAHEAD]
            )
            if answer:
                ends.add(start + 1)
            elif answer is not None:
                ends.discard(start + 1)
        return list(pairwise([0, *sorted(ends)]))

    def is_plain(self, word: str) -> bool:
        """Rule out a word without any table entry: most words by far."""
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
            The text before the stop, and the text after it and its white space.
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
        if letter and (onward[0] in _QUOTES_AFTER_STOP or _LISTED.fullmatch(follower)):
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
        """Check whether a Roman number goes with the next word, not with a name before it."""
        behind = previous[:1].isupper() and previous.lower() not in self._articles
        return self._has_ordinals and not behind and _ORDINAL.fullmatch(word) is not None

    def _is_opener(self, follower: str, openers: frozenset[str]) -> bool:
        """Check for a word that opens sentences: `It's` and `L'` do, `I.` does not."""
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
    """Check for a capital letter after a lower-case word, as in `said I.`: no initial."""
    return len(word) == 1 and word.isupper() and previous.islower()


def _is_acronym(word: str) -> bool:
    """Check for an acronym as `APT`, not `DR` or `M.A`."""
    return len(word) > 2 and word.isupper() and word.isalpha()


def _is_number(abbreviation: str, follower: str, onward: str) -> bool:
    """Decide whether a number follows an abbreviation; `no` is a word of its own, too."""
    if abbreviation == "no" and (follower == "I" or not follower[:1].isupper()):
        return _FIGURE.match(onward) is not None
    if follower and _ROMAN.fullmatch(follower):
        return True
    return abbreviation != "no" and _NUMBER.match(onward) is not None


# code: the list of abbreviations, of languages without a model
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
_STOPPED = re.compile(r"([^\s.।॥!?]{3,})\.(?!\S)")  # what a full stop ends, but for initials
# Marks of all scripts that end a sentence, for languages without a model.
_ENDS = tuple(".!?…؟۔।॥։።፧။។៕᠃。！？")
_OPENING, _CLOSING = "“‘«‹„‚「『《〈", "”’»›」』》〉"
_TURNED = ("„‚»›", "“‘«‹")  # where quotations open below, or with the points inward
# language: the marks that open, and those that close; a mark in neither is told by its place
_MARKS = {
    **dict.fromkeys(("cs", "da", "de", "sl"), _TURNED),
    "pl": ("„‚«", "”’»"),
    **dict.fromkeys(("fi", "sv"), ("", "")),  # one mark for both
}
_QUOTES = frozenset(_OPENING + _CLOSING + "\"'‟‛")
_BEGUN = re.compile(r"([\"'“‘«‹‛‟”’»›]+[)\]]*)\s+(?=\S)")  # marks with a blank behind them
_OPENED = re.compile(r"\s+([“‘«‹„‚「『《〈]+)\Z")
_LEADING = re.compile(r"[\s\"'“”‘’‟‛«»‹›„‚「」『』《》〈〉()\[\]{}….\u2010-\u2015-]*")
_WORD = re.compile(r"[^\W_]")
_MANY_LETTERS = 40  # without a capital: the text has none
_LOOKED_AT = 2000  # characters
# Stops and the marks that close there, all of them, and behind them no comma and no `と`, with
# which Japanese goes on after speech. A full-width dot behind a figure is that of a number.
_STOP, _CLOSE = "。！？…!?", "」』》〉”’）)\\]\"'"
_GOES_ON = (
    r"(?!(?<=[」』])(?:と(?!ても|ころ|にかく|もかく|うとう|りあえず|き|はいえ|なり|なると)|って))"
)
_STOPS = re.compile(
    rf"(?:[{_STOP}]|(?<![0-9０-９])．)+[{_CLOSE}]*(?![{_STOP}{_CLOSE}．]){_GOES_ON}"
    rf"\s*(?![\s，、；：])|$"
)


class SentenceSplitter:
    """Splits running text of one language into sentences.

    Parameters
    ----------
    lang : str
        The code of the language, as `en` or `de-AT`.
    lists : bool
        Whether lists and tables of abbreviations are used: `z. B.`, `e.g.` and `No. 5` end no
        sentence then, and `etc.` ends one. Without them sentences are those of the texts that the
        models of paragraphs were trained on; no command splits so.

    Raises
    ------
    OptionError
        When it is no language, or one that does not mark where sentences end.

    Examples
    --------
    >>> splitter = SentenceSplitter("zh")
    >>> text = "“天黑了吗？”他问。没有人回答。"
    >>> [text[start:end] for start, end in splitter.spans(text)]
    ['“天黑了吗？”', '他问。', '没有人回答。']
    >>> SentenceSplitter("hu").sentences("Dr. Kiss a 2. emeleten lakik. „Mikor jön?” – kérdezte.")
    ['Dr. Kiss a 2. emeleten lakik.', '„Mikor jön?” – kérdezte.']

    """

    def __init__(self, lang: str = "en", *, lists: bool = True) -> None:
        self.lang, self.lists = known_language(lang), lists
        if self.lang in SCRIPTS:
            self._pieces: Callable[[str], Iterable[tuple[int, int]]] = _by_stops
        elif self.lang in MODELS:
            self._pieces = _punkt(self.lang, lists=lists)
        else:
            self._pieces = _by_rules(self.lang, lists=lists)

    def spans(self, text: str) -> NDArray[np.int64]:
        """Return the half-open spans of the sentences, shape (n, 2), in order.

        They hold every character that is no white space. A text of white space has none.
        """
        pieces = _whole(self._pieces(text), text)
        if self.lists:
            pieces = _at_quotations(text, pieces, self.lang)
        cased = not (self.lists and has_small_letters_only(text))
        found = join_pieces(text, pieces, self.lang, items=self.lists, cased=cased)
        if self.lists:
            found = with_numbers(text, found)
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def sentences(self, text: str) -> list[str]:
        """Return the sentences."""
        return [text[start:end] for start, end in self.spans(text).tolist()]


def _at_quotations(text: str, pieces: Spans, lang: str) -> Spans:
    """Give marks that close to the piece before them, and marks that open to the one behind."""
    opening, closing = _MARKS.get(lang, (_OPENING, _CLOSING))
    found: Spans = []
    begin = -1  # of marks that open the next piece
    for start, stop in pieces:
        first, begin = (start if begin < 0 else begin), -1
        if not text[start:stop].strip(opening):
            begin = first
            continue
        begun = _BEGUN.match(text, first, stop) if found and text[first] in _QUOTES else None
        # A mark right behind a stop closes, whatever else it does in the language.
        if begun is not None and (first == found[-1][1] or text[first] in closing):
            found[-1] = (found[-1][0], begun.end(1))
            first = begun.end()
        end = stop
        if text[stop - 1] in opening:
            opened = _OPENED.search(text, first, stop)
            if opened is not None:
                begin, end = opened.start(1), opened.start()
        found.append((first, end))
    if begin >= 0:  # nothing is behind them
        found.append((begin, pieces[-1][1]))
    return found


def has_small_letters_only(text: str) -> bool:
    """Check for a text of 40 letters or more without a capital, in a script that has capitals.

    Examples
    --------
    >>> has_small_letters_only("it rained. the road was wet. nobody came to the old mill.")
    True

    """
    return text == text.lower() and sum(map(str.islower, text[:_LOOKED_AT])) >= _MANY_LETTERS


def join_pieces(
    text: str,
    pieces: Iterable[tuple[int, int]],
    lang: str = "en",
    *,
    items: bool = False,
    cased: bool = True,
) -> Spans:
    """Join pieces that go on with the sentence before them; see the head of the module.

    Parameters
    ----------
    text : str
        Running text.
    pieces : iterable of (int, int)
        Half-open spans in it, ascending.
    lang : str
        Which marks open quotations and which close them, in a language of this code.
    items : bool
        Whether a small letter may begin an item of a list, `(b) Next`, and so a sentence.
    cased : bool
        Whether the text has capitals, so that no sentence begins with a small letter.

    Examples
    --------
    >>> text = '“Who is there?” said she. “Nobody.”'
    >>> [text[i:j] for i, j in join_pieces(text, [(0, 15), (16, 25), (26, 35)])]
    ['“Who is there?” said she.', '“Nobody.”']

    """
    opening, closing = _MARKS.get(lang, (_OPENING, _CLOSING))
    found: Spans = []
    for start, end in pieces:
        if (
            found
            and _goes_on(text, start, end, opening, closing, cased=cased)
            and not (items and begins_item(text, start, end))
        ):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _goes_on(text: str, start: int, end: int, opening: str, closing: str, *, cased: bool) -> bool:
    first = text[start]
    # The case by far the most frequent, at once.
    if first.isalpha():
        return cased and _is_lower(first)
    if first in _QUOTES and _closes(text, start, end, opening, closing):
        return True
    begun = _WORD.search(text, start, end)
    if begun is None:
        return True
    if not cased or (first in _QUOTES and first not in "'’"):  # apostrophes as often
        return False
    lead = _LEADING.match(text, start, end)
    return lead is not None and lead.end() == begun.start() and _is_lower(text[begun.start()])


def _is_lower(letter: str) -> bool:
    return letter.islower() and letter.title() != letter  # Georgian ones are small everywhere


def _closes(text: str, start: int, end: int, opening: str, closing: str) -> bool:
    """Decide whether a mark closes a quotation: by itself, else by the next character."""
    mark = text[start]
    at = start + 1
    while at < end and text[at] in _QUOTES:
        at += 1
    glued = at < end and text[at].isalnum()
    if mark in closing:
        return not (glued and text[start - 1].isspace())
    return mark not in opening and not glued


def _whole(pieces: Iterable[tuple[int, int]], text: str) -> Spans:
    """Leave out white space at the ends of pieces, and pieces of nothing else."""
    found = []
    for start, end in pieces:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            begin = start + len(piece) - len(piece.lstrip())
            found.append((begin, begin + len(inner)))
    return found


def _by_stops(text: str) -> Spans:
    ends = [found.end() for found in _STOPS.finditer(text)]
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
    """Return the rules of a language; `None` where it has none that are its own."""
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
    """Splits text as Punkt does, but for the full stops that more is known of."""

    def __init__(self, tokenizer: Any, stops: FullStops) -> None:
        self._spans, self._stops = tokenizer.span_tokenize, stops

    def __call__(self, text: str) -> Any:
        return self._stops(text, self._spans(text))


class _WithDanda:
    """Splits text in which a full stop is that of an abbreviation if dandas end sentences."""

    def __init__(self, usual: Callable[[str], Any], others: Callable[[str], Any]) -> None:
        self._usual, self._others = usual, others
        self._titles = frozenset(TITLES.split())

    def __call__(self, text: str) -> Any:
        dandas = text.count(_DANDA)
        if not dandas:
            return self._usual(text)
        stopped = sum(word not in self._titles for word in _STOPPED.findall(text))
        return self._others(text) if stopped <= dandas else self._usual(text)
