"""The filters of bisegments by their texts, which `convert` applies and `check` reports.

A filter is a measure with bounds: a function of a part of a bitext to an array of values, one for
each bisegment, or one for each bisegment and side. A bisegment is rejected if any of its values is
below `min` or above `max`. A measure that has nothing to measure is `nan`, which is within all
bounds: a blank side, for instance, is rejected by `empty` alone.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import OptionError
from bitext.formats.cleaning.sides import in_categories, of_script, shares_in_common
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from bitext.formats.cleaning.sides import Pair, Side

    Values = NDArray[np.float64]

__all__ = ["FILTERS", "Filter"]


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: a measure, its bounds and its parameters.

    Attributes
    ----------
    name : str
    meaning : str
        The reason for which a bisegment is rejected, after "bisegments".
    measure : callable
        Returns an array of values, of the shape (bisegments,) or (2, bisegments), of a part and
        the parameters.
    low, high : float or None
        The default bounds; none for a bound that is not set.
    parameters : mapping
        Further parameters with their defaults, whose types a profile has to keep to.
    stateful : bool
        Whether the measure compares with earlier parts; it is made anew for each run then.

    """

    name: str
    meaning: str
    measure: Callable[..., Any]
    low: float | None = None
    high: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    stateful: bool = False


def _by_side(pair: Pair, values: Callable[[Side], NDArray[Any]]) -> Values:
    """Return the values of filled strings, (2, bisegments)."""
    return np.array([np.where(side.filled > 0, values(side), np.nan) for side in pair.sides])


def _ratio(one: NDArray[Any], other: NDArray[Any]) -> Values:
    """Return the greater divided by the lesser; `nan` where either is 0."""
    least = np.minimum(one, other).astype(np.float64)
    least[least == 0] = np.nan
    return np.asarray(np.maximum(one, other) / least, dtype=np.float64)


def _empty(pair: Pair) -> Values:
    return np.array([(side.filled == 0).astype(np.float64) for side in pair.sides])


def _length_chars(pair: Pair) -> Values:
    return _by_side(pair, lambda side: side.lengths)


def _length_words(pair: Pair) -> Values:
    return _by_side(pair, lambda side: side.word_counts)


def _ratio_chars(pair: Pair, expected: float) -> Values:
    return _ratio(pair.src.lengths * expected, pair.tgt.lengths)


def _ratio_words(pair: Pair, expected: float) -> Values:
    return _ratio(pair.src.word_counts * expected, pair.tgt.word_counts)


def _long_words(pair: Pair) -> Values:
    def longest(side: Side) -> NDArray[Any]:
        starts, ends = side.words
        return side.greatest(ends - starts, side.owner(starts))

    return _by_side(pair, longest)


def _letters(pair: Pair) -> Values:
    return _by_side(pair, lambda side: side.number(side.letters) / np.maximum(side.filled, 1))


# Languages that are written in another script than Latin; all others are taken as Latin.
_SCRIPTS = {
    "Cyrillic": "ru uk be bg mk sr kk ky mn tg tt",
    "Greek": "el",
    "Arabic": "ar fa ur ps ug",
    "Hebrew": "he yi",
    "Armenian": "hy",
    "Georgian": "ka",
    "Devanagari": "hi mr ne sa",
    "Bengali": "bn as",
    "Gujarati": "gu",
    "Gurmukhi": "pa",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Sinhala": "si",
    "Thai": "th",
    "Lao": "lo",
    "Myanmar": "my",
    "Khmer": "km",
    "Tibetan": "bo",
    "Ethiopic": "am ti",
    "Hangul": "ko",
    "Han": "zh yue",
    "Japanese": "ja",
}
_SCRIPT_OF = {code: name for name, codes in _SCRIPTS.items() for code in codes.split()}
# Names for several scripts that are written together.
_TOGETHER = {"Japanese": ("Han", "Hiragana", "Katakana"), "Hangul": ("Hangul", "Han")}


def script_of(lang: str) -> str:
    """Return the script that a language is written in; empty for an unknown language.

    Examples
    --------
    >>> script_of("ru"), script_of("en-GB"), script_of("sr-Latn"), script_of("")
    ('Cyrillic', 'Latin', '', '')

    """
    code, *rest = lang.replace("_", "-").lower().split("-")
    if not code or any(len(one) == 4 for one in rest):
        return ""
    return _SCRIPT_OF.get(code, "Latin")


def _script(pair: Pair, src: str, tgt: str) -> Values:
    values = []
    for side, given in zip(pair.sides, (src, tgt), strict=True):
        name = given or script_of(side.lang)
        if not name:
            values.append(np.full(len(side), np.nan))
            continue
        classes = _script_classes(name).take(side.codes)
        number, wanted = side.number(classes > 0), side.number(classes > 1)
        values.append(np.where(number > 0, wanted / np.maximum(number, 1), np.nan))
    return np.array(values)


@cache
def _script_classes(name: str) -> NDArray[np.uint8]:
    """Return 2 for the letters of a script, 1 for those of others, 0 for all other characters."""
    classes = _letter_bases().astype(np.uint8)
    for script in _TOGETHER.get(name, (name,)):
        table = of_script(script)
        if not table.size:
            raise OptionError(f"filter script: {script!r} is no script of Unicode, as 'Latin'")
        classes[table] = 2
    return classes


def _letter_bases() -> NDArray[np.bool_]:
    """Return a mask of the letters that belong to a script, without those common to several."""
    return in_categories("L") & ~of_script("Common")


def _language(pair: Pair, src: str, tgt: str, letters: int) -> Values:
    """Return the probability of another language than the expected one, 0 for the expected one."""
    from bitext.model.languages import most_probable_language, two_letters

    values = np.full((2, len(pair)), np.nan)
    for row, side, given in zip(values, pair.sides, (src, tgt), strict=True):
        lang = two_letters((given or side.lang).replace("_", "-").lower().partition("-")[0])
        if not lang:
            raise OptionError(
                f"filter language: the languages are not known; name them "
                f"({remedy('src-lang', 'tgt-lang')})"
            )
        enough = side.number(side.letters) >= letters
        for k in np.flatnonzero(pair.open & enough).tolist():
            ranked = most_probable_language(side.strings[k])
            row[k] = 0.0 if two_letters(ranked.code) == lang else ranked.probability
    return values


def _identical(pair: Pair) -> Values:
    """Return 1 for equal sides that have letters, with white space and case set aside."""
    has_letters = pair.src.number(pair.src.letters) > 0
    same = [
        one == other or (len(one) == len(other) and one.casefold() == other.casefold())
        for one, other in zip(pair.src.strings, pair.tgt.strings, strict=True)
    ]
    return (np.array(same, dtype=np.bool_) & has_letters).astype(np.float64)


def _similar_sides(pair: Pair) -> Values:
    """Return the Dice coefficient of the letter trigrams of both sides."""
    src, tgt, common = shares_in_common(pair.src.trigrams, pair.tgt.trigrams, len(pair))
    total = (src + tgt).astype(np.float64)
    total[np.minimum(src, tgt) == 0] = np.nan
    return np.asarray(2 * common / total, dtype=np.float64)


def _untranslated(pair: Pair, letters: int, words: int) -> Values:
    """Return the share of the long words of the target that the source has, too."""
    items = []
    for side in pair.sides:
        owner, lengths, hashes = side.tokens
        long = lengths >= letters
        items.append((owner[long], hashes[long]))
    _, tgt, common = shares_in_common(items[0], items[1], len(pair))
    return np.where(tgt >= words, common / np.maximum(tgt, 1), np.nan)


def _unmatched(pair: Pair, pattern: re.Pattern[str], spelled: Callable[[str], str]) -> Values:
    """Count the matches of a pattern on one side that have no equal on the other side."""
    values = np.where(pair.both, 0.0, np.nan)
    counts: dict[int, Counter[str]] = {}
    for step, side in zip((1, -1), pair.sides, strict=True):
        owner, texts = side.matches(pattern)
        for k, text in zip(owner.tolist(), texts, strict=True):
            if spelling := spelled(text):
                counts.setdefault(k, Counter())[spelling] += step
    for k, counter in counts.items():
        values[k] += sum(map(abs, counter.values()))
    return values


_NUMBER = re.compile(r"\d(?:[.,'’٫٬\u00a0\u202f]?\d)*")
_NOT_DIGIT = re.compile(r"\D")


def _digits(text: str) -> str:
    """Return the digits of a number, as those of ASCII, without zeros before them."""
    digits = _NOT_DIGIT.sub("", text)
    return (digits if digits.isascii() else "".join(str(int(one)) for one in digits)).lstrip("0")


def _numbers(pair: Pair) -> Values:
    return _unmatched(pair, _NUMBER, _digits)


_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"'«»“”]+", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PLACEHOLDER = re.compile(
    r"\$\{[^{}\n]{1,80}\}|\{\{[^{}\n]{1,80}\}\}|\{\w{0,40}(?:[:!][^{}\n]{0,40})?\}|%\(\w{1,80}\)[sdif]"
    r"|%(?:\d+\$)?[-+#0]?\d*(?:\.\d+)?[sdifxu@](?!\w)"
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,400}>")
_TAG_NAME = re.compile(r"</?[\w:.-]+")


def _urls(pair: Pair) -> Values:
    return _unmatched(pair, _URL, lambda text: text.rstrip(".,;:!?)]}。，、").lower())


def _emails(pair: Pair) -> Values:
    return _unmatched(pair, _EMAIL, lambda text: text.rstrip(".").lower())


def _placeholders(pair: Pair) -> Values:
    return _unmatched(pair, _PLACEHOLDER, str)


def _tag_name(text: str) -> str:
    match = _TAG_NAME.match(text)
    return f"{match[0] if match else text}{'/' if text.endswith('/>') else ''}".lower()


def _tags(pair: Pair) -> Values:
    return _unmatched(pair, _TAG, _tag_name)


_BRACKET_KINDS = ("((（", "))）", "[[［", "]]］", "{{｛", "}}｝")


def _brackets(pair: Pair) -> Values:
    """Count the brackets of one side that have no equal on the other side."""
    values = np.where(pair.both, 0.0, np.nan)
    for kind in _BRACKET_KINDS:
        numbers = []
        for side in pair.sides:
            present = [ord(one) for one in dict.fromkeys(kind) if one in side.line]
            places = [np.flatnonzero(side.codes == code) for code in present]
            owner = [side.owner(each) for each in places]
            numbers.append(sum(np.bincount(each, minlength=len(side)) for each in owner))
        values += np.abs(numbers[0] - numbers[1])
    return values


_ENDINGS = {1: ".。．｡।۔።…", 2: "?？؟;", 3: "!！", 4: ":：", 5: ",，、،"}
_CLOSING = "\"'”’»“‘«)]}）」』】》 \t\r\u00a0"


@cache
def _ends() -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the kind of punctuation of every character, and a mask of what may follow one."""
    kinds = np.zeros(0x110000, dtype=np.int8)
    for kind, characters in _ENDINGS.items():
        kinds[[*map(ord, characters)]] = kind
    closing = np.zeros(0x110000, dtype=np.bool_)
    closing[[*map(ord, _CLOSING)]] = True
    return kinds, closing


def _punctuation(pair: Pair) -> Values:
    """Return 1 where the sides end in different kinds of punctuation."""
    kinds, closing = _ends()
    last = []
    for side in pair.sides:
        # The last character that is neither a quotation mark nor a closing bracket.
        places = np.flatnonzero(~side.marked(closing))
        at = np.searchsorted(places, side.ends) - 1
        place = places[np.maximum(at, 0)] if places.size else np.zeros(len(side), dtype=np.int64)
        inside = (at >= 0) & (place >= side.starts) & (place < side.ends)
        last.append(np.where(inside, kinds[side.codes[place]], 0))
    return np.where(pair.both, (last[0] != last[1]).astype(np.float64), np.nan)


def _repeated_characters(pair: Pair) -> Values:
    """Return the length of the longest run of one character that is not white space."""

    def longest(side: Side) -> NDArray[Any]:
        codes = side.codes
        begins = np.flatnonzero(np.diff(codes, prepend=-1))
        runs = np.diff(begins, append=codes.size)
        long = (runs > 1) & (codes[begins] > ord(" "))
        least = (side.filled > 0).astype(np.int64)
        return np.maximum(side.greatest(runs[long], side.owner(begins[long])), least)

    return _by_side(pair, longest)


def _repeated_words(pair: Pair) -> Values:
    """Return how many times in a row the same word occurs, at most."""

    def longest(side: Side) -> NDArray[Any]:
        owner, _, hashes = side.tokens
        if not hashes.size:
            return np.zeros(len(side), dtype=np.int64)
        new = np.ones(hashes.size, dtype=np.bool_)
        new[1:] = (hashes[1:] != hashes[:-1]) | (owner[1:] != owner[:-1])
        begins = np.flatnonzero(new)
        return side.greatest(np.diff(begins, append=hashes.size), owner[begins])

    return _by_side(pair, longest)


def _number_of(pair: Pair, pattern: re.Pattern[str]) -> Values:
    return _by_side(pair, lambda side: np.bincount(side.matches(pattern)[0], minlength=len(side)))


_MOJIBAKE = re.compile(
    "[\u00c2-\u00c5\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac[\u0080-\u2122]|\u00c3[\u0192\u201a]|\ufffd"
)
# Controls, soft hyphens, zero-width blanks and marks of direction; joiners are letters of many
# scripts, and stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
_PRIVATE = re.compile("[\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff]")


def _mojibake(pair: Pair) -> Values:
    return _number_of(pair, _MOJIBAKE)


def _invisible(pair: Pair) -> Values:
    return _number_of(pair, _INVISIBLE)


def _private_use(pair: Pair) -> Values:
    return _number_of(pair, _PRIVATE)


def _regex(pair: Pair, src: str, tgt: str) -> Values:
    """Return 1 for each side that its pattern matches anywhere."""
    values = np.zeros((2, len(pair)))
    for row, side, pattern in zip(values, pair.sides, (src, tgt), strict=True):
        if pattern:
            search = re.compile(pattern).search
            for k in np.flatnonzero(pair.open).tolist():
                row[k] = search(side.strings[k]) is not None
    return values


def _duplicates() -> Callable[..., Values]:
    from hashlib import blake2b

    seen: set[bytes] = set()

    def measure(pair: Pair) -> Values:
        values = np.zeros(len(pair))
        for k in np.flatnonzero(pair.open).tolist():
            spelled = f"{pair.src.strings[k]}\0{pair.tgt.strings[k]}"
            digest = blake2b(spelled.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            values[k] = digest in seen
            seen.add(digest)
        return values

    return measure


def _near_duplicates() -> Callable[..., Values]:
    from bitext.formats.cleaning.near_duplicates import NearDuplicates

    return NearDuplicates().similarities


FILTERS: dict[str, Filter] = {
    one.name: one
    for one in (
        Filter("empty", "with an empty or blank side", _empty, high=0),
        Filter("length-chars", "with a side too short or too long", _length_chars, 1, 2000),
        Filter("length-words", "with too few or too many words", _length_words, 1, 200),
        Filter(
            "ratio-chars",
            "whose lengths in characters do not fit together",
            _ratio_chars,
            high=4,
            parameters={"expected": 1.0},
        ),
        Filter(
            "ratio-words",
            "whose lengths in words do not fit together",
            _ratio_words,
            high=4,
            parameters={"expected": 1.0},
        ),
        Filter("long-words", "with too long a word", _long_words, high=50),
        Filter("letters", "with too few letters", _letters, low=0.4),
        Filter(
            "script",
            "with letters of another script",
            _script,
            low=0.7,
            parameters={"src": "", "tgt": ""},
        ),
        Filter("mojibake", "with characters of a wrong encoding", _mojibake, high=0),
        Filter("invisible", "with invisible characters", _invisible, high=0),
        Filter("private-use", "with private-use characters", _private_use, high=0),
        Filter("repeated-chars", "that repeat a character", _repeated_characters, high=9),
        Filter("repeated-words", "that repeat a word", _repeated_words, high=3),
        Filter("identical", "with the same text on both sides", _identical, high=0),
        Filter(
            "similar-sides", "with nearly the same text on both sides", _similar_sides, high=0.8
        ),
        Filter(
            "untranslated",
            "whose target has the words of the source",
            _untranslated,
            high=0.6,
            parameters={"letters": 4, "words": 3},
        ),
        Filter("numbers", "with different numbers", _numbers, high=0),
        Filter("urls", "with different addresses (URL)", _urls, high=0),
        Filter("emails", "with different e-mail addresses", _emails, high=0),
        Filter("placeholders", "with different placeholders", _placeholders, high=0),
        Filter("tags", "with different tags", _tags, high=0),
        Filter("brackets", "with different brackets", _brackets, high=0),
        Filter("punctuation", "that end in different punctuation", _punctuation, high=0),
        Filter(
            "language",
            "in another language",
            _language,
            high=0.9,
            parameters={"src": "", "tgt": "", "letters": 20},
        ),
        Filter(
            "regex",
            "that a regular expression matches",
            _regex,
            high=0,
            parameters={"src": "", "tgt": ""},
        ),
        Filter("duplicates", "that repeat an earlier one", _duplicates, high=0, stateful=True),
        Filter(
            "near-duplicates",
            "that nearly repeat an earlier one",
            _near_duplicates,
            high=0.8,
            stateful=True,
        ),
    )
}
