"""The words of sentences as numbers.

A sentence is normalised (NFKC, lower case, quotation marks, full stops and digits of all scripts as
in ASCII) and split into numbers, words and punctuation marks. Optional characters are removed:
vowel points of Arabic, Hebrew and Syriac, Hebrew cantillation marks, tatweel, soft hyphens and
bidirectional controls. Spelling variants of Arabic, Persian, Urdu and Pashto letters are unified.

Text without spaces is cut into one piece for each position, as pieces of several lengths would
count the same evidence repeatedly: single ideographs, whole runs of katakana (mostly loanwords),
bigrams of hiragana, and bigrams of Thai, Lao, Khmer and Burmese letters with their combining marks.
Numbers have no thousands separators and a decimal point; numerals in Chinese characters are also
added as numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Ints, distinct, prefix, ranges
from bitext.kernels.compiled_words import (
    DIGIT,
    HIRAGANA,
    KATAKANA,
    LETTER,
    LINE_END,
    MARK,
    POINT,
    SIGN,
    CharacterKinds,
    WordKernels,
    codes_of,
    numbered_strings,
    numbered_words,
    word_kernels,
)
from bitext.kernels.compiled_words import UNSPACED as UNSPACED_KIND
from bitext.lazy import late_pattern

# Scripts without spaces: Thai and Lao, Burmese, Khmer, the zero of Chinese years, kana, ideographs.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3007\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
)
_RUN = late_pattern(f"[{UNSPACED}]+")
_FIRST_UNSPACED = UNSPACED[0]
# Scripts with vowel signs, diacritics and digits of their own.
_SCRIPTS = chain(
    *(range(0x300, 0x1E00), range(0xA800, 0xAC00), range(0x11000, 0x11200), range(0x1E900, 0x1E960))
)
_LETTERS = "".join(map(chr, _SCRIPTS))
_CATEGORIES = "".join(map(unicodedata.category, _LETTERS))  # two characters each
_DIGITS = [_LETTERS[found.start() // 2] for found in re.finditer("Nd", _CATEGORIES)]
# Numbers with thousands separators, such as 1,700, 1 700 000 and 1'700, and decimal commas.
_GROUP = late_pattern(
    r"[1-9,](?:(?<=\d,)(?=\d)|(?<=[1-9])(?<![\d.,].)\d{0,2}(?:(?:,\d{3})+(?![\d,])"
    r"|(?:\.\d{3})+(?![\d.])|(?: \d{3})+(?!\d)|(?:'\d{3})+(?![\d'])))"
)
# Combining marks, which belong to words, though Python counts them as no letters. They are ranges,
# as a pattern compares single characters above U+FFFF one by one.
_RUNS = [(run.start(), run.end() - 1) for run in re.finditer("M+", _CATEGORIES[::2])]
SIGNS = "".join(f"{_LETTERS[first]}-{_LETTERS[last]}" for first, last in _RUNS)
_END = "\n"  # end of a sentence, in a string of several
_WITHIN = "\t"  # replaces line ends in a sentence; both are white space to the pattern
# One pattern serves words and ends of sentences, as its compilation takes milliseconds.
_WORD = late_pattern(
    rf"\d+(?:[.,:]\d+)*|[{UNSPACED}]+|[^\W\d_{UNSPACED}]+(?:[{SIGNS}]+[^\W\d_{UNSPACED}]*)*"
    rf"|[^\w\s]|{_END}"
)
_WORD_OR_IDEOGRAPH = late_pattern(_WORD.pattern.replace(f"[{UNSPACED}]+", f"[{UNSPACED}]"))
# A letter with its combining marks, vowels before and after the letter, and subscript letters.
CLUSTER = late_pattern(
    f"[\u0e40-\u0e44\u0ec0-\u0ec4]?[^{SIGNS}]"
    f"(?:[\u1039\u17d2].|[\u1000-\u1021]\u103a|[\u0e30\u0e32\u0e45\u0eb0\u0eb2{SIGNS}])*|.",
    re.DOTALL,
)
_IN_PIECES = late_pattern(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff]"
)  # letters in others
_IDEOGRAPHS = "\u3000"  # start of ideographs and kana; scripts with combining marks are before
_KATAKANA, _HIRAGANA = "\u30a1-\u30fa\u30fc-\u30ff", "\u3041-\u309f"
_LAST_HIRAGANA = _HIRAGANA[-1]
_KANA = late_pattern(f"[{_KATAKANA}{_HIRAGANA}]")
_PIECE = late_pattern(f"[{_KATAKANA}]+|[{_HIRAGANA}]+|.", re.DOTALL)
_GROUPED = late_pattern(r"\d[., ']\d")  # part of every match of `_GROUP`, and quick to search for
_RAISED = "¹²³⁰⁴⁵⁶⁷⁸⁹"  # figures beside others: the marks of notes and powers, as in 1995¹ and 10¹²
_MARKS = str.maketrans(
    dict.fromkeys("“”„‟«»「」『』〝〞″", '"')
    | dict.fromkeys("‘’‚‛‹›′`´", "'")
    | dict.fromkeys("–—―−‒", "-")
    | {"。": ".", "、": ",", "・": ".", "…": ".", "؟": "?", "،": ",", "؛": ";", "՞": "?", "՜": "!"}
    | dict.fromkeys("।॥۔։።។׃᠃", ".")
    | {"٪": "%", "٫": ".", "٬": ",", "\u0130": "i"}
    | {c: str(unicodedata.digit(c)) for c in _DIGITS}
    # Spelling variants of Arabic letters; optional characters, which are removed.
    | dict.fromkeys("أإآٱ", "ا")
    | dict.fromkeys("ىیےېۍ", "ي")
    | dict.fromkeys("ةۀہۂۃھە", "ه")
    | {"ک": "ك", "ګ": "گ"}
    | dict.fromkeys(map(chr, (0x640, *range(0x64B, 0x653), 0x670)))
    | dict.fromkeys(map(chr, (*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7)))
    | dict.fromkeys(map(chr, range(0x730, 0x74B)))
    | {"־": "-", "׳": "'", "״": '"'}
    | {c: str(unicodedata.digit(c)) for c in _RAISED}
    # Also beside others, each for itself: fractions, as in 3½, and figures in circles.
    | {c: f" {unicodedata.normalize('NFKC', c)}" for c in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
    | {c: f" {unicodedata.normalize('NFKC', c)}" for c in map(chr, range(0x2460, 0x2474))}
    # Soft hyphens, joiners and bidirectional controls; zero-width characters that divide words.
    | dict.fromkeys(map(chr, (0xAD, 0x61C, 0x2060, 0xFEFF, *range(0x200D, 0x2010))))
    | dict.fromkeys(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
    | dict.fromkeys("\u200b\u200c", " ")
)
# All characters above U+FFFF match, as single ones would be compared one by one here, too.
_MARK = late_pattern(
    f"[{_RAISED}]+|[{''.join(chr(c) for c in _MARKS if c <= 0xFFFF)}\U00010000-\U0010ffff]"
)
_WIDE = late_pattern("[\uff01-\uff5e]")  # characters of ASCII, as wide as ideographs
_FIGURES = {c: k for k, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
# Longer numerals are cut
_NUMERAL = late_pattern(f"[{''.join([*_FIGURES, *_TENS, *_GROUPS])}]{{2,40}}")


def words_of(sentence: str) -> list[str]:
    """Return the normalised words, numbers and punctuation marks of a sentence.

    Examples
    --------
    >>> words_of("Er sagte: »Das Haus Nr. 12«")
    ['er', 'sagte', ':', '"', 'das', 'haus', 'nr', '.', '12', '"']
    >>> words_of("1,700.5 Fr. = 1 700,5 Fr.")
    ['1700.5', 'fr', '.', '=', '1700.5', 'fr', '.']
    >>> words_of("二十五人。")
    ['二', '十', '五', '人', '25', '.']
    >>> words_of("हिन्दी १२।"), words_of("เมือง"), words_of("新しいサーバー")
    (['हिन्दी', '12', '.'], ['เมือ', 'อง'], ['新', 'しい', 'サーバー'])

    """
    return _split(_plain(sentence.replace(_END, _WITHIN)).lower())


def numbered(sentences: Sequence[str]) -> tuple[NDArray[np.int32], Ints, list[str]]:
    """Number the words of sentences, split as by `words_of`, but faster.

    Returns the number of each word of all sentences, in order, of shape (words,); the number of
    words of each sentence, of shape (sentences,); and the distinct words, in the order of their
    first occurrences.

    Examples
    --------
    >>> numbers, counts, words = numbered(["A dog.", "", "The dog"])
    >>> numbers.tolist(), counts.tolist(), words
    ([0, 1, 2, 3, 1], [3, 0, 2], ['a', 'dog', '.', 'the'])

    """
    # Strings between blanks recur: each distinct one is normalised and split once.
    if (kernels := word_kernels.after(sum(map(len, sentences)))) is not None:
        run, sizes, text = numbered_strings(kernels, sentences)
    else:
        strings = [sentence.split() for sentence in sentences]
        sizes = np.fromiter(map(len, strings), dtype=np.int64)
        between = Vocabulary()
        run = between.numbers(chain.from_iterable(strings))
        text = _END.join([*between.forms, ""])
    plain = _plain(text).lower()
    if depending := _depending_on_others(run, prefix(sizes), text, plain):
        whole = [_plain(sentences[k]).lower().split() for k in depending]
        run, lines = _with_others(
            run, sizes, plain.split(_END)[:-1], dict(zip(depending, whole, strict=True))
        )
        plain = _END.join([*lines, ""])
    number, counts, words = _of_lines(plain, kernels)
    word_counts, ptr = counts[run], prefix(counts)
    if kernels is not None:
        joined = np.empty(int(word_counts.sum()), dtype=np.int32)
        totals = np.empty_like(sizes)
        kernels.joined_rows(run, sizes, ptr, number, joined, totals)
        return joined, totals, words
    begin = ptr[run]
    return number[ranges(begin, word_counts)], np.diff(prefix(word_counts)[prefix(sizes)]), words


def _depending_on_others(run: NDArray[np.int32], ends: Ints, text: str, plain: str) -> list[int]:
    """Return the sentences whose strings between blanks are not normalised one by one.

    Figures stand on both sides of a blank, as in 1 700 000; or there is a grave accent, which
    becomes a quotation mark only in a sentence with other characters than those of ASCII. `text`
    and `plain` have the different strings, before and after that, each on a line.
    """
    codes = codes_of(_END + plain)
    lines = np.flatnonzero(codes == LINE_END)
    # The first and the last character of an empty string are line ends.
    opens, closes = (
        (_KINDS.of(codes[places]) & _FIGURE > 0)[run] for places in (lines[:-1] + 1, lines[1:] - 1)
    )
    depends = np.zeros(len(run), dtype=bool)
    depends[1:] = closes[:-1] & opens[1:]
    if "`" in text:
        depends |= np.array(["`" in string for string in text.split(_END)])[run]
    places = np.flatnonzero(depends)
    depending: list[int] = distinct(np.searchsorted(ends, places, side="right") - 1).tolist()
    return depending


def _with_others(
    run: NDArray[np.int32], sizes: Ints, plain: list[str], others: dict[int, list[str]]
) -> tuple[NDArray[np.int32], list[str]]:
    """Replace the strings of some sentences, and their `sizes`; number all by first occurrence."""
    ends = prefix(sizes)
    pieces, last = [], 0
    for k, strings in others.items():
        new = np.arange(len(plain), len(plain) + len(strings), dtype=np.int32)
        pieces += [run[last : ends[k]], new]
        plain += strings
        sizes[k], last = len(strings), ends[k + 1]
    run = np.concatenate([*pieces, run[last:]])
    first = np.full(len(plain), len(run))
    first[run[::-1]] = np.arange(len(run))[::-1]
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    used = order[: np.count_nonzero(first < len(run))]
    return rank[run], [plain[k] for k in used.tolist()]


def _of_lines(text: str, kernels: WordKernels | None) -> tuple[NDArray[np.int32], Ints, list[str]]:
    """Return the words of lines, their number in each line, and the distinct words."""
    if kernels is not None:
        codes = codes_of(text)
        unspaced = codes[_KINDS.of(codes) & UNSPACED_KIND > 0]
        if len(unspaced):
            codes = codes_of(_with_values(text))
            _KINDS.of(codes)
        if unspaced.min(initial=ord(_IDEOGRAPHS)) >= ord(_IDEOGRAPHS):
            ends = np.append(0, np.flatnonzero(codes == LINE_END) + 1)
            number, counts, lines = numbered_words(kernels, codes, ends, _KINDS.table)
            return number, counts, lines.split(_END)[:-1]
    words = Vocabulary([_END])
    number = words.numbers(_split(text))
    ends = np.flatnonzero(number == 0)
    counts = np.diff(ends, prepend=-1) - 1
    return np.delete(number, ends) - 1, counts, words.forms[1:]


# Kinds of characters as the patterns have them.
_SEEN, _FIGURE = 1 << 8, 1 << 9
_PATTERNS = {
    DIGIT: late_pattern(r"\d"),
    POINT: late_pattern("[.,:]"),
    LETTER: late_pattern(r"[^\W\d_]"),  # apart from those of `UNSPACED_KIND`
    SIGN: late_pattern(f"[{SIGNS}]"),
    MARK: late_pattern(r"[^\w\s]"),
    UNSPACED_KIND: _RUN,
    KATAKANA: late_pattern(f"[{_KATAKANA}]"),
    HIRAGANA: late_pattern(f"[{_HIRAGANA}]"),
}


def _kind_of(character: str) -> int:
    kinds = sum(kind for kind, pattern in _PATTERNS.items() if pattern.match(character))
    if kinds & UNSPACED_KIND:
        kinds &= ~LETTER
    return kinds | _SEEN | _FIGURE * character.isdigit()


_KINDS = CharacterKinds(_kind_of)


def is_word(form: str) -> bool:
    """Check for a word, unlike a number or a punctuation mark.

    The first character of a word is a letter. Vowel signs, which Python counts as no letters, may
    follow.

    Examples
    --------
    >>> [is_word(form) for form in ("haus", "हिन्दी", "12", ".")]
    [True, True, False, False]

    """
    return form[:1].isalpha()


def _plain(sentence: str) -> str:
    """Normalise marks and letters, and remove thousands separators."""
    plain = sentence
    if not sentence.isascii():
        # Each different mark is replaced everywhere; long rows of figures before short ones.
        for mark in sorted(set(_MARK.findall(sentence)), key=len, reverse=True):
            plain = plain.replace(mark, _unified(mark))
        # NFKC does this, too, but takes much longer for a text that it changes.
        for mark in set(_WIDE.findall(plain)):
            plain = plain.replace(mark, chr(ord(mark) - 0xFEE0))
        plain = unicodedata.normalize("NFKC", plain)
    if _GROUPED.search(plain) is not None:
        plain = _GROUP.sub(_ungrouped, plain)
    return plain


def _split(plain: str) -> list[str]:
    """Split a normalised string into words, numbers and marks, and add the values of numerals."""
    if _RUN.search(plain) is None:
        return _WORD.findall(plain)
    plain = _with_values(plain)
    if _IN_PIECES.search(plain) is None:
        return _WORD_OR_IDEOGRAPH.findall(plain)
    strings = _WORD.findall(plain)
    words: list[str] = []
    last = 0
    for k in [k for k, word in enumerate(strings) if word >= _FIRST_UNSPACED]:
        word = strings[k]
        if len(word) > 1 and _RUN.match(word) is not None:
            words += strings[last:k]
            words += _pieces(word)
            last = k + 1
    words += strings[last:]
    return words


def _with_values(plain: str) -> str:
    """Add the values of Chinese numerals, between blanks, after the run that each is in."""
    parts: list[str] = []
    last = end = 0
    for numeral in _NUMERAL.finditer(plain):
        if numeral.start() >= end:
            run = _RUN.match(plain, numeral.start())
            end = run.end() if run else end
            parts += [plain[last:end], " "]
            last = end
        parts += [str(_value(numeral[0])), " "]
    return "".join([*parts, plain[last:]])


def _pieces(run: str) -> Iterable[str]:
    """Cut a run without spaces into its pieces."""
    if run[0] < _IDEOGRAPHS:
        return _pairs(CLUSTER.findall(run))
    if _KANA.search(run) is None:
        return run  # character by character
    pieces: list[str] = []
    for piece in _PIECE.findall(run):
        if len(piece) > 1 and piece[0] <= _LAST_HIRAGANA:
            pieces += _pairs(piece)
        else:
            pieces.append(piece)
    return pieces


def _pairs(letters: Sequence[str]) -> list[str]:
    """Return the bigrams of letters; a single letter is returned as it is."""
    return [a + b for a, b in pairwise(letters)] or [*letters]


def _unified(marks: str) -> str:
    text = marks.translate(_MARKS)
    return f" {text}" if marks[0] in _RAISED else text


def _ungrouped(match: re.Match[str]) -> str:
    """Return a number without thousands separators, or a point for a decimal comma."""
    number = match[0]
    return "." if number == "," else "".join(filter(str.isdigit, number))


def _value(numeral: str) -> int:
    """Return the value of a Chinese numeral; a row of figures is read as decimal digits."""
    if all(c in _FIGURES for c in numeral):
        return int("".join(str(_FIGURES[c]) for c in numeral[:18]))
    total = group = figure = 0
    last = max(_GROUPS.values())
    for c in numeral:
        if c in _FIGURES:
            figure = _FIGURES[c]
        elif c in _TENS:
            group += (figure or 1) * _TENS[c]
            figure = 0
        else:
            # A larger unit multiplies the number before, as in ten thousand hundreds of millions.
            if total and _GROUPS[c] > last:
                total = (total + group + figure) * _GROUPS[c]
            else:
                total += (group + figure or 1) * _GROUPS[c]
            last, group, figure = _GROUPS[c], 0, 0
    return total + group + figure


class Vocabulary:
    """Distinct words of one language, numbered in the order of their first occurrences.

    The texts of a corpus share one vocabulary for each language, and so the numbers of its words.

    Examples
    --------
    >>> words = Vocabulary()
    >>> words.numbers(["a", "b", "a"]).tolist(), words.forms
    ([0, 1, 0], ['a', 'b'])

    """

    __slots__ = ("_number",)

    def __init__(self, forms: Iterable[str] = ()) -> None:
        self._number: defaultdict[str, int] = defaultdict()
        self.numbers(forms)

    def numbers(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Return the number of each word, and add new words."""
        number = self._number
        number.default_factory = number.__len__
        try:
            return np.fromiter(map(number.__getitem__, words), dtype=np.int32)
        finally:
            # A dictionary that refers to itself stays in memory until the garbage is collected.
            number.default_factory = None

    def find(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Return the number of each word, -1 for an unknown word."""
        return np.fromiter(map(self._number.get, words, repeat(-1)), dtype=np.int32)

    @property
    def forms(self) -> list[str]:
        """The words in the order of their numbers."""
        return list(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def __contains__(self, form: object) -> bool:
        return form in self._number
