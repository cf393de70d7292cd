"""The filters of bisegments by their texts, which `convert` applies and `check` reports.

A filter is a measure with bounds: a function of a part of a bitext to an array of values, one for
each bisegment, or one for each bisegment and side. A bisegment is rejected if any of its values is
below `min` or above `max`. A measure that has nothing to measure is `nan`, which is within all
bounds: a blank side, for instance, is rejected by `empty` alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitext.errors import OptionError, remedy
from bitext.formats.cleaning import Pair, Side, in_categories, of_script, shares_in_common
from bitext.formats.cleaning.repeats import digest_rows, word_sets
from bitext.kernels.arrays import Bools, Floats, Ints
from bitext.model.languages import main_language, scripts_of


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: a measure, its bounds and its parameters."""

    name: str
    meaning: str  # the reason for which a bisegment is rejected, after "bisegments"
    # Returns an array of values, of the shape (bisegments,) or (2, bisegments), of a part and the
    # parameters.
    measure: Callable[..., Any]
    # `low`, `high`: the default bounds; none for a bound that is not set.
    low: float | None = None
    high: float | None = None
    # Further parameters with their defaults, whose types a profile has to keep to.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    # The definitions of the value among which the parameter `measure` chooses, each with its
    # default bounds; the first is the default, with `low` and `high`.
    measures: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    # Whether bisegments are compared with earlier ones; the measure returns signatures then.
    compares: bool = False
    inclusive: bool = False  # whether a value equal to `high` is rejected, too
    # The parameters that name files, beside the profile unless they are absolute.
    files: tuple[str, ...] = ()
    # Whether the values are of a side each, so that the parameter `side` may choose one.
    has_sides: bool = False
    is_scored: bool = False  # whether the value is computed elsewhere: by the scorer of a rule

    @property
    def defaults(self) -> dict[str, Any]:
        """The default of each parameter of the measure, `measure` included."""
        measure = {"measure": next(iter(self.measures))} if self.measures else {}
        return {**self.parameters, **measure}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters."""
        return (*self.defaults, *(("side",) if self.has_sides else ()))


def _of_each_side(values: Callable[..., NDArray[Any]]) -> Callable[..., Floats]:
    """Make a measure of a function of one side; a blank string has nothing to measure."""

    def measure(pair: Pair, **parameters: Any) -> Floats:
        sides = [np.where(s.is_filled, values(s, **parameters), np.nan) for s in pair.sides]
        return np.array(sides)

    return measure


def _ratio(one: NDArray[Any], other: NDArray[Any]) -> Floats:
    """Return the quotients of both lengths in both directions; `nan` if either is 0."""
    lengths = np.array([one, other], dtype=np.float64)
    lengths[:, (lengths == 0).any(axis=0)] = np.nan
    return np.asarray(lengths / lengths[::-1], dtype=np.float64)


def _empty(pair: Pair) -> Floats:
    return np.array([(~side.is_filled).astype(np.float64) for side in pair.sides])


def _ratio_chars(pair: Pair, expected: float) -> Floats:
    src, tgt = (side.lengths * side.is_filled for side in pair.sides)
    return _ratio(src * expected, tgt)


def _ratio_words(pair: Pair, expected: float) -> Floats:
    return _ratio(pair.src.word_counts * expected, pair.tgt.word_counts)


@_of_each_side
def _long_words(side: Side) -> Ints:
    starts, ends = side.words
    return side.greatest(ends - starts, side.owner(starts))


@_of_each_side
def _letters(side: Side, measure: str) -> Floats:
    if measure == "opusfilter":
        return side.number(side.marked(_alphabetic())) / np.maximum(side.lengths, 1)
    return side.number(side.letters) / np.maximum(side.filled, 1)


@cache
def _alphabetic() -> Bools:
    """Return a mask of the characters with the Unicode property Alphabetic."""
    import regex

    # All letters have it; of the others only some marks, numbers and symbols.
    mask, others = in_categories("L").copy(), np.flatnonzero(in_categories("M N S"))
    spelled = "".join(map(chr, others.tolist()))
    mask[others[[match.start() for match in regex.finditer(r"\p{Alphabetic}", spelled)]]] = True
    return mask


# Names for several scripts that are written together.
_TOGETHER = {"Japanese": ("Han", "Hiragana", "Katakana"), "Hangul": ("Hangul", "Han")}


def _script(pair: Pair, src: str, tgt: str) -> Floats:
    values = []
    for side, given in zip(pair.sides, (src, tgt), strict=True):
        names = (given,) if given else scripts_of(side.lang)
        if not names:
            values.append(np.full(len(side), np.nan))
            continue
        classes = _script_classes(names).take(side.codes)
        number, wanted = side.number(classes > 0), side.number(classes > 1)
        values.append(np.where(number > 0, wanted / np.maximum(number, 1), np.nan))
    return np.array(values)


@cache
def _script_classes(names: tuple[str, ...]) -> NDArray[np.uint8]:
    """Return 2 for letters of these scripts, 1 for other letters, 0 for all other characters."""
    # Letters that belong to a script, without those common to several.
    classes = (in_categories("L") & ~of_script("Common")).astype(np.uint8)
    for script in chain.from_iterable(_TOGETHER.get(name, (name,)) for name in names):
        table = of_script(script)
        if not table.size:
            raise OptionError(f"filter script: {script!r} is no script of Unicode, as 'Latin'")
        classes[table] = 2
    return classes


def _language(pair: Pair, src: str, tgt: str, letters: int) -> Floats:
    """Return the probability of another language than the expected one, 0 for the expected one."""
    from bitext.model.languages import most_probable_language

    values = np.full((2, len(pair)), np.nan)
    for row, side, given in zip(values, pair.sides, (src, tgt), strict=True):
        lang = main_language(given or side.lang)
        if not lang:
            raise OptionError(
                f"filter language: the languages are not known; name them "
                f"({remedy('src-lang', 'tgt-lang')})"
            )
        enough = side.number(side.letters) >= letters
        for k in np.flatnonzero(pair.open & enough).tolist():
            ranked = most_probable_language(side.strings[k])
            row[k] = 0.0 if main_language(ranked.code) == lang else ranked.probability
    return values


def _identical(pair: Pair) -> Floats:
    """Return 1 for equal sides that have letters, with white space and case set aside."""
    has_letters = pair.src.number(pair.src.letters) > 0
    same = [
        one == other or (len(one) == len(other) and one.casefold() == other.casefold())
        for one, other in zip(pair.src.strings, pair.tgt.strings, strict=True)
    ]
    return (np.array(same, dtype=np.bool_) & has_letters).astype(np.float64)


def _similar_sides(pair: Pair) -> Floats:
    """Return the Dice coefficient of the letter trigrams of both sides."""
    src, tgt, common = shares_in_common(pair.src.trigrams, pair.tgt.trigrams, len(pair))
    total = (src + tgt).astype(np.float64)
    total[np.minimum(src, tgt) == 0] = np.nan
    return np.asarray(2 * common / total, dtype=np.float64)


def _untranslated(pair: Pair, letters: int, words: int) -> Floats:
    """Return the share of the different long words of the target that the source has, too."""
    items = []
    for side in pair.sides:
        owner, lengths, hashes = side.tokens
        long = lengths >= letters
        items.append((owner[long], hashes[long]))
    _, tgt, common = shares_in_common(items[0], items[1], len(pair))
    return np.where(tgt >= words, common / np.maximum(tgt, 1), np.nan)


def _unmatched(pair: Pair, pattern: re.Pattern[str], spelled: Callable[[str], str]) -> Floats:
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


# A number: digits with single separators between them, or groups of three after blanks. If the
# character of a month or of a power of ten follows, others write a word: 3月, March; 200亿.
_NUMBER = re.compile(
    r"(?:(?<!\d)\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,٫]\d+)?"
    r"|\d(?:[.,'’٫٬\u00a0\u202f]?\d)*)(?:[月월]|[千万萬亿億兆천만억])?"
)
_NOT_DIGIT = re.compile(r"\D")
# A decimal fraction: one separator, then other than three digits.
_FRACTION = re.compile(r"[.,٫](?!\d{3}$)\d+$")
_YEAR = 4  # digits of the longer spelling of a year, as 1957 beside 57


def _digits(text: str) -> str:
    """Return the digits of a number, as those of ASCII."""
    digits = _NOT_DIGIT.sub("", text)
    return digits if digits.isascii() else "".join(str(int(one)) for one in digits)


def _value(text: str) -> str:
    """Return the digits of a number without zeros in front, and after a decimal fraction.

    Examples
    --------
    >>> _value("1.000"), _value("1 000,50"), _value("007"), _value("٣٫٥")
    ('1000', '10005', '7', '35')

    """
    digits = _digits(text)
    return (digits.rstrip("0") if _FRACTION.search(text) else digits).lstrip("0")


def _numbers(pair: Pair, measure: str) -> Floats:
    if measure == "opusfilter":
        return _similarity_of_numerals(pair)
    if measure == "all":
        return _unmatched(pair, _NUMBER, _value)
    return _conflicting_numbers(pair)


def _conflicting_numbers(pair: Pair) -> Floats:
    """Count the numbers of the side with fewer of them that have no equal on the other side.

    A number that one side alone has is often a word on the other side (`8000`, `Achttausender`),
    a part of a heading, or left out.
    """
    numbers: tuple[dict[int, list[str]], ...] = ({}, {})
    for side, of in zip(pair.sides, numbers, strict=True):
        owner, texts = side.matches(_NUMBER)
        for k, text in zip(owner.tolist(), texts, strict=True):
            of.setdefault(k, []).append(text)
    values = np.where(pair.both, 0.0, np.nan)
    for k in numbers[0].keys() & numbers[1].keys():
        values[k] = _conflicts(numbers[0][k], numbers[1][k])
    return values


def _conflicts(src: list[str], tgt: list[str]) -> int:
    if src == tgt:
        return 0
    one, other = ([(_value(text), text) for text in texts] for texts in (src, tgt))
    _take_equal(one, other, lambda mine, theirs: mine == theirs)
    # Parts of times, dates and measures are divided in other ways: 13.30, 13 h 30.
    joined = ["".join(_digits(text) for _, text in side).lstrip("0") for side in (one, other)]
    if joined[0] == joined[1]:
        return 0
    _take_equal(one, other, _is_short_year)
    # Zeros, and numbers before the character of a month or a power of ten, may be words.
    return min(
        sum(bool(value) and text[-1].isdigit() for value, text in side) for side in (one, other)
    )


def _take_equal(
    one: list[tuple[str, str]], other: list[tuple[str, str]], equal: Callable[[str, str], bool]
) -> None:
    for number in [*one]:
        for each in other:
            if equal(number[0], each[0]):
                one.remove(number)
                other.remove(each)
                break


def _is_short_year(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) == _YEAR // 2 and len(long) == _YEAR and long.endswith(short)


def _similarity_of_numerals(pair: Pair) -> Floats:
    """Return the similarity of the digits of both sides, zeros left out, as of OpusFilter."""
    from difflib import SequenceMatcher

    digits = re.compile(r"[^1-9]+")
    values = np.empty(len(pair))
    sides = zip(pair.src.strings, pair.tgt.strings, strict=True)
    for k, strings in enumerate(sides):
        one, other = (digits.sub("", string) for string in strings)
        values[k] = 1.0 if one == other else SequenceMatcher(None, one, other).ratio()
    return values


_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"'«»“”]+", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PLACEHOLDER = re.compile(
    r"\$\{[^{}\n]{1,80}\}|\{\{[^{}\n]{1,80}\}\}|\{\w{0,40}(?:[:!][^{}\n]{0,40})?\}|%\(\w{1,80}\)[sdif]"
    r"|%(?:\d+\$)?[-+#0]?\d*(?:\.\d+)?[sdifxu@](?!\w)"
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,400}>")
_TAG_NAME = re.compile(r"</?[\w:.-]+")


def _urls(pair: Pair) -> Floats:
    return _unmatched(pair, _URL, lambda text: text.rstrip(".,;:!?)]}。，、").lower())


def _emails(pair: Pair) -> Floats:
    return _unmatched(pair, _EMAIL, lambda text: text.rstrip(".").lower())


def _tag_name(text: str) -> str:
    match = _TAG_NAME.match(text)
    return f"{match[0] if match else text}{'/' if text.endswith('/>') else ''}".lower()


_placeholders = partial(_unmatched, pattern=_PLACEHOLDER, spelled=str)
_tags = partial(_unmatched, pattern=_TAG, spelled=_tag_name)

_BRACKETS = (("(（", ")）"), ("[［", "]］"), ("{｛", "}｝"))
# Closing brackets that close nothing: of enumerations, as `a)`, and of faces made of punctuation.
_CLOSES_NOTHING = re.compile(r"(?<!\S)(?:[^\W\d_]|\d{1,3}|[ivx]{2,4})[ ]?\)|[:;]-?\)")


def _brackets(pair: Pair, measure: str) -> Floats:
    """Count the brackets that one side leaves open and the other does not, or all that differ."""
    values = np.where(pair.both, 0.0, np.nan)
    for kinds in _BRACKETS:
        opened, closed = ([_occurrences(side, each) for side in pair.sides] for each in kinds)
        if measure == "counts":
            for one, other in (opened, closed):
                values += np.abs(one - other)
            continue
        surplus = []
        for side, opens, closes in zip(pair.sides, opened, closed, strict=True):
            more = opens - closes
            if ")" in kinds[1]:
                for k in np.flatnonzero(more < 0).tolist():
                    spare = len(_CLOSES_NOTHING.findall(side.strings[k]))
                    more[k] = min(more[k] + spare, 0)
            surplus.append(more)
        values += np.abs(surplus[0] - surplus[1])
    return values


def _occurrences(side: Side, characters: str) -> Ints:
    counts = np.zeros(len(side), dtype=np.int64)
    for one in characters:
        if one in side.line:
            places = np.flatnonzero(side.codes == ord(one))
            counts += np.bincount(side.owner(places), minlength=len(side))
    return counts


# Kinds of punctuation at the end of a sentence: full stops and ellipses, questions, exclamations,
# and clauses that go on. Greek writes `;` for a question.
_STOP, _QUESTION = 1, 2
_ENDINGS = {
    _STOP: ".。．｡।॥۔։።…⋯",
    _QUESTION: "?？؟\u037e՞፧⸮⁇⁈",
    3: "!！՜",
    4: ":：",
    5: ",，、،;；؛",
}
_CLOSING = "\"'”’»“‘«‹›„)]}）」』】》〉 \t\r\u00a0\u202f\u200f\u200e-–—"
# Scripts that are written without a mark at the end of a sentence.
_UNMARKED = ("Thai", "Lao")
_OTHER_QUESTION, _NONE, _OTHER_KIND = 1.0, 0.5, 0.25


@cache
def _ends() -> tuple[NDArray[np.int8], Bools]:
    """Return the kind of punctuation of every character, and a mask of closing characters."""
    kinds = np.zeros(0x110000, dtype=np.int8)
    for kind, characters in _ENDINGS.items():
        kinds[[*map(ord, characters)]] = kind
    closing = np.zeros(0x110000, dtype=np.bool_)
    closing[[*map(ord, _CLOSING)]] = True
    return kinds, closing


def _punctuation(pair: Pair, measure: str) -> Floats:
    """Return the difference between the ends of both sides.

    The difference is 1 where one side ends with a question mark and the other side has none, 0.5
    where one side alone ends with a mark, 0.25 where they end with marks of other kinds, else 0.
    """
    if measure == "opusfilter":
        return _terminal_punctuation(pair)
    last, asks, unmarked = [], [], np.zeros(len(pair), dtype=np.bool_)
    for side in pair.sides:
        kinds = _kinds_at_end(side)
        questions = _ENDINGS[_QUESTION]
        if main_language(side.lang) in {"el", "grc"}:
            semicolon = np.fromiter((s.rstrip().endswith(";") for s in side.strings), np.bool_)
            kinds = np.where(semicolon, _QUESTION, kinds)
            questions += ";"
        last.append(kinds)
        asks.append(_occurrences(side, questions) > 0)
        for script in _UNMARKED:
            table = of_script(script)
            if int(side.codes.max(initial=0)) >= int(table.argmax()):
                unmarked |= side.number(side.marked(table)) > 0
    src, tgt = last
    question = ((src == _QUESTION) & ~asks[1]) | ((tgt == _QUESTION) & ~asks[0])
    none = ((src == 0) != (tgt == 0)) & ~unmarked
    other = (src != tgt) & (src > 0) & (tgt > 0)
    differences = [question & ~unmarked, none, other]
    values = np.select(differences, [_OTHER_QUESTION, _NONE, _OTHER_KIND], 0.0)
    return np.where(pair.both, values, np.nan)


def _kinds_at_end(side: Side) -> NDArray[np.int8]:
    """Return the kind of the last character but quotation marks, closing brackets and dashes."""
    kinds, closing = _ends()
    places = np.flatnonzero(~side.marked(closing))
    at = np.searchsorted(places, side.ends) - 1
    place = places[np.maximum(at, 0)] if places.size else np.zeros(len(side), dtype=np.int64)
    inside = (at >= 0) & (place >= side.starts) & (place < side.ends)
    return np.where(inside, kinds[side.codes[place]], np.int8(0))


def _terminal_punctuation(pair: Pair) -> Floats:
    """Return the penalty of OpusFilter for the numbers of sentence ends: 0, or below."""
    src, tgt = (_occurrences(side, ".?!…") for side in pair.sides)
    penalty = np.abs(src - tgt) + np.maximum(src - 1, 0) + np.maximum(tgt - 1, 0)
    return np.asarray(-np.log(penalty + 1.0), dtype=np.float64)


@_of_each_side
def _repeated_characters(side: Side) -> Ints:
    """Return the length of the longest run of one character that is not white space."""
    begins = np.flatnonzero(np.diff(side.codes, prepend=-1))
    runs = np.diff(begins, append=side.codes.size)
    long = (runs > 1) & (side.codes[begins] > ord(" "))
    least = side.is_filled.astype(np.int64)
    return np.maximum(side.greatest(runs[long], side.owner(begins[long])), least)


_REPETITION = re.compile(r"(\S.{2,100}?)(?: *\1){2,}")


@_of_each_side
def _repeated_words(side: Side, measure: str) -> Ints:
    """Return the length of the longest run of one word."""
    if measure == "opusfilter":
        return _repetitions(side)
    owner, _, hashes = side.tokens
    if not hashes.size:
        return np.zeros(len(side), dtype=np.int64)
    new = np.ones(hashes.size, dtype=np.bool_)
    new[1:] = (hashes[1:] != hashes[:-1]) | (owner[1:] != owner[:-1])
    begins = np.flatnonzero(new)
    return side.greatest(np.diff(begins, append=hashes.size), owner[begins])


def _repetitions(side: Side) -> Ints:
    """Return the further occurrences of the first string of 3 characters that occurs 3 times."""
    matches = [_REPETITION.search(string) for string in side.strings]
    counts = (0 if match is None else match[0].count(match[1]) - 1 for match in matches)
    return np.fromiter(counts, np.int64, len(side))


def _number_of(pattern: re.Pattern[str]) -> Callable[..., Floats]:
    """Make a measure that counts the matches of a pattern on each side."""
    return _of_each_side(lambda s: np.bincount(s.matches(pattern)[0], minlength=len(s)))


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


def _regex(pair: Pair, src: str, tgt: str) -> Floats:
    """Return 1 for each side that its pattern matches anywhere."""
    values = np.zeros((2, len(pair)))
    for row, side, pattern in zip(values, pair.sides, (src, tgt), strict=True):
        if pattern:
            search = re.compile(pattern).search
            for k in np.flatnonzero(pair.open).tolist():
                row[k] = search(side.strings[k]) is not None
    return values


def _scored(*_: Any, **__: Any) -> Floats:
    raise OptionError("a filter by a lexicon or by vectors has scorers in convert and check only")


def _digests(pair: Pair) -> Any:
    return digest_rows(pair.src.strings, pair.tgt.strings)


_of_sides = partial(Filter, has_sides=True)
_of_ratio = partial(_of_sides, high=4, parameters={"expected": 1.0})
_by_side = partial(Filter, parameters={"src": "", "tgt": ""})
_LENGTH_CHARS = _of_each_side(lambda side: side.lengths)
_LENGTH_WORDS = _of_each_side(lambda side: side.word_counts)
_AVERAGE_WORD = _of_each_side(lambda side: side.filled / np.maximum(side.word_counts, 1))

FILTERS: dict[str, Filter] = {
    one.name: one
    for one in (
        Filter("empty", "with an empty or blank side", _empty, high=0),
        _of_sides("length-chars", "with a side too short or too long", _LENGTH_CHARS, 1, 2000),
        _of_sides("length-words", "with too few or too many words", _LENGTH_WORDS, 1, 200),
        _of_ratio("ratio-chars", "whose lengths in characters do not fit together", _ratio_chars),
        _of_ratio("ratio-words", "whose lengths in words do not fit together", _ratio_words),
        _of_sides("long-words", "with too long a word", _long_words, high=50),
        _of_sides("average-word", "with too short or too long words", _AVERAGE_WORD, 1, 25),
        _of_sides(
            "letters",
            "with too few letters",
            _letters,
            low=0.4,
            measures={"letters": (0.4, None), "opusfilter": (0.75, None)},
        ),
        _by_side("script", "with letters of another script", _script, low=0.7),
        _of_sides("mojibake", "with characters of a wrong encoding", _number_of(_MOJIBAKE), high=0),
        _of_sides("invisible", "with invisible characters", _number_of(_INVISIBLE), high=0),
        _of_sides("private-use", "with private-use characters", _number_of(_PRIVATE), high=0),
        _of_sides("repeated-chars", "that repeat a character", _repeated_characters, high=9),
        _of_sides(
            "repeated-words",
            "that repeat a word",
            _repeated_words,
            high=3,
            measures={"words": (None, 3), "opusfilter": (None, 1)},
        ),
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
        Filter(
            "numbers",
            "with different numbers",
            _numbers,
            high=0,
            measures={"conflicts": (None, 0), "all": (None, 0), "opusfilter": (0.5, None)},
        ),
        Filter("urls", "with different addresses (URL)", _urls, high=0),
        Filter("emails", "with different e-mail addresses", _emails, high=0),
        Filter("placeholders", "with different placeholders", _placeholders, high=0),
        Filter("tags", "with different tags", _tags, high=0),
        Filter(
            "brackets",
            "with different brackets",
            _brackets,
            high=0,
            measures={"open": (None, 0), "counts": (None, 0)},
        ),
        Filter(
            "punctuation",
            "that end in different punctuation",
            _punctuation,
            high=0.5,
            measures={"ends": (None, 0.5), "opusfilter": (-2, None)},
        ),
        Filter(
            "language",
            "in another language",
            _language,
            high=0.9,
            parameters={"src": "", "tgt": "", "letters": 20},
        ),
        _by_side("regex", "that a regular expression matches", _regex, high=0),
        Filter(
            "lexicon",
            "that are hardly translations of each other, by a lexicon",
            _scored,
            low=0.5,
            parameters={"lexicon": "", "dictionary": ""},
            files=("lexicon", "dictionary"),
            is_scored=True,
        ),
        Filter(
            "vectors",
            "that are hardly translations of each other, by vectors",
            _scored,
            low=0.15,
            parameters={"src": "", "tgt": "", "dimensions": 0},
            measures={"segments": (0.15, None), "bisegments": (0.15, None)},
            files=("src", "tgt"),
            is_scored=True,
        ),
        Filter("duplicates", "that repeat an earlier one", _digests, high=0, compares=True),
        Filter(
            "near-duplicates",
            "that nearly repeat an earlier one",
            word_sets,
            high=0.8,
            compares=True,
            inclusive=True,
        ),
    )
}
