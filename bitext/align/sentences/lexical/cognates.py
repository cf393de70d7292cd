"""Words of two languages that look alike: names, numbers, marks, borrowed words.

Equal words are linked. Of words of letters, those are linked that share many pairs of letters
(Dice's coefficient) or begin alike; accents do not count, and Greek and Cyrillic letters count as
the Latin ones that stand for them. Words are compared when they have a rare sequence of three
letters in common, or their first three. Words of two scripts are linked that sound alike, too
(`sound_alikes`).

Equal words of fewer than four letters are mostly false friends: `a`, `se` and `na` are frequent in
many languages, and mean another thing in each. So they are not linked where both texts are mostly
written in their script, unless it is of ideographs; whether they go together is learned as of other
words. In texts of other scripts they are names and terms.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.lexical.vocabulary import is_word
from bitext.align.sentences.lexical.word_links import WordPairs, join_pairs
from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.lexical.vocabulary import Vocabulary
    from bitext.align.sentences.texts import Each

    Rules = tuple[tuple[str, str], ...]

__all__ = ["Keyed", "cognates", "compared", "letters_of", "opens", "sharing", "sound_alikes"]


# Pairs of words that have something in common: found by keys, not one by one, and compared.

_PAIRS_AT_ONCE = 1 << 17  # pairs numbered at once: memory only
_PAIRS_COMPARED = 1 << 14  # pairs compared at once: memory only


class Keyed(NamedTuple):
    """The keys of words, ascending, and the number of the word of each."""

    key: NDArray[np.int64]
    word: NDArray[np.int32]

    @classmethod
    def of(cls, key: NDArray[np.int64], word: NDArray[np.int32]) -> Keyed:
        """Return keys in any order, ascending."""
        order = np.argsort(key, kind="stable")
        return cls(key[order], word[order])


def sharing(left: Keyed, right: Keyed, *, wide: int, most: int) -> NDArray[np.int64]:
    """Return the pairs of words that share a key, those of rare keys first if they are too many.

    Parameters
    ----------
    left, right : Keyed
    wide : int
        More than any number of a word of the right.
    most : int
        Pairs that are looked at; keys that would make more are left out, the most frequent ones.

    Returns
    -------
    array of int64
        `word * wide + other`, ascending; a pair is there once for each key that it shares.

    Examples
    --------
    >>> left = Keyed.of(np.array([7, 5, 5]), np.array([0, 0, 1], dtype=np.int32))
    >>> right = Keyed.of(np.array([5, 7]), np.array([0, 0], dtype=np.int32))
    >>> sharing(left, right, wide=10, most=100).tolist()
    [0, 0, 10]
    >>> sharing(left, right, wide=10, most=1).tolist()
    [0]

    """
    begin = np.flatnonzero(opens(left.key))
    key, count = left.key[begin], np.diff(begin, append=len(left.key))
    first = np.searchsorted(right.key, key)
    number = np.searchsorted(right.key, key, side="right") - first
    many = count * number
    rare = np.argsort(many, kind="stable")
    # Of a key that is left out no pair is made.
    number[rare[np.cumsum(many[rare]) > most]] = 0
    first, number = np.repeat(first, count), np.repeat(number, count)
    ends = prefix(number)
    pairs = np.empty(int(ends[-1]), dtype=np.int64)
    cuts = np.searchsorted(ends, np.arange(0, len(pairs), _PAIRS_AT_ONCE)).tolist()
    for start, end in pairwise([*cuts, len(number)]):
        mine = np.repeat(left.word[start:end].astype(np.int64) * wide, number[start:end])
        mine += right.word[ranges(first[start:end], number[start:end])]
        pairs[ends[start] : ends[end]] = mine
    pairs.sort()
    return pairs


def compared(
    alike: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    *,
    each: Each,
) -> NDArray[np.float64]:
    """Score the similarity of pairs of words, some thousands at a time.

    Parameters
    ----------
    alike : callable
        Returns it of some words and the others of their pairs.
    first, second : array of int64
    each : callable
        Does the work for each of some numbers, as `map` does.

    """

    def some(number: int) -> NDArray[np.float64]:
        here = slice(number * _PAIRS_COMPARED, (number + 1) * _PAIRS_COMPARED)
        return alike(first[here], second[here])

    return np.concatenate([np.zeros(0), *each(some, range(-(-len(first) // _PAIRS_COMPARED)))])


def opens(ordered: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the ascending numbers that differ from the one before."""
    found = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=found[1:])
    return found


# Words of two scripts that sound alike: names, and words that one language has from another.
#
# `Norwegian` and नार्वेजियन have no letter in common, but in Latin letters the other is
# *narvejiyn*. Vowels are written in many ways, and in Arabic and Hebrew mostly not at all, so
# words are compared by their consonants, of which some stand for each other: b, p, f and v; k, g,
# q and j; t and d; s, z and those as in *she* and *church*; l and r; m; n. Words with the same
# such classes, or one more or less, are compared by their longest common subsequence, in which the
# same class counts three quarters, and vowels, where both write them, a quarter of a consonant.
#
# What has no words, as texts without spaces have none but katakana, is left aside.


# Scripts without spaces, whose words are not known.
_PIECES = {"CJK", "HIRAGANA", "THAI", "LAO", "KHMER", "MYANMAR"}
_VOWELLESS = {"ARABIC", "HEBREW", "SYRIAC"}
_SOUND_LETTERS = 16  # letters of a word that are compared
_FEWEST = 3  # consonants of a word that is compared
_APART = 4  # consonants, above which one may be missing in the other word
_MOST_WORD_PAIRS = 500_000  # word pairs that are compared: bounds the work
_SOUND_SIMILARITY = 0.6  # similarity, of 1, that links words
_NOTHING = 0.5  # similarity, of 1, of words by accident
_STEEP = 2.5  # power of the similarity above that in the probability
_FEW = {3: 0.4, 4: 0.7, 5: 0.9}  # factor of the probability for so few consonants
_MOST = 0.5  # probability of a word that sounds the same
_SURE, _RISE = 0.3, 1.6  # strength with that probability, and the power with which less has less
_LEAST = 0.01  # probability, below which a pair is dropped
_CLASSES = ("bpfv", "kgqj", "td", "szc", "lr", "m", "n")
_VOWELS, _VOWEL = "aeiou", 9
_SAME, _LIKE = 8, 6  # worth of the same consonant, and of another of its class
_SAME_VOWEL, _LIKE_VOWEL = 2, 1  # worth of the same vowel, and of another
# A waw of Hebrew is mostly a vowel; a dot above is n before most consonants.
_BEFORE = str.maketrans({"ו": "w", "ッ": ""} | dict.fromkeys("ंংਂੰંଂംಂం", "n"))
# As Latin letters are mostly read, and as other scripts are written in Latin letters.
_READ = (("c(?=[eiy])", "s"), ("t?s?ch|t?sh", "C"), ("c", "k"), ("C", "c"))
_WRITTEN = (("ch", "c"), ("sh", "c"))
_SPELLED = (("ph", "f"), ("x", "ks"), (r"[^a-z\n]", ""), (r"([a-z])\1+", r"\1"), ("[hwy]", ""))


def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16]]:
    """Return the class of each letter, its worth, and what each letter is worth beside another."""
    kind = np.zeros(128, dtype=np.int64)
    for number, letters in enumerate(_CLASSES, start=1):
        kind[[ord(letter) for letter in letters]] = number
    kind[[ord(letter) for letter in _VOWELS]] = _VOWEL
    worth = np.where(kind == _VOWEL, _SAME_VOWEL, np.where(kind > 0, _SAME, 0))
    like = np.where(kind == _VOWEL, _LIKE_VOWEL, _LIKE)
    beside = np.where((kind[:, None] == kind) & (kind > 0), like, 0)
    np.fill_diagonal(beside, worth)
    return kind, worth, beside.astype(np.int16)


_KIND, _WORTH, _BESIDE = _tables()


class _Sounds(NamedTuple):
    """Words by their sound.

    Attributes
    ----------
    number : array of int64
        In the vocabulary.
    script : array of str
    codes : array of uint8, shape (words, 16)
        Their letters in Latin script, 0 behind the end.
    kinds : array of int64, shape (words, 16)
        The classes of their consonants, 0 behind the end.

    """

    number: NDArray[np.int64]
    script: NDArray[np.str_]
    codes: NDArray[np.uint8]
    kinds: NDArray[np.int64]

    @property
    def size(self) -> NDArray[np.int64]:
        """How many classes each word has."""
        result: NDArray[np.int64] = np.count_nonzero(self.kinds, axis=1)
        return result


def sound_alikes(src: Vocabulary, tgt: Vocabulary, *, each: Each = map) -> WordPairs:
    """Link the words of two vocabularies that are written in two scripts and sound alike.

    Parameters
    ----------
    src, tgt : Vocabulary
    each : callable
        Does the work for each of some numbers, as `map` does: words are compared some thousand
        pairs at a time.

    Returns
    -------
    WordPairs
        With a chance of 0.5 at most: the more alike, the longer, and the fewer others are as
        alike, the more.

    Examples
    --------
    >>> from bitext.align.sentences.lexical.vocabulary import Vocabulary
    >>> src, tgt = Vocabulary(["indonesian", "norwegian"]), Vocabulary(["इन्डोनेशियन", "नार्वेजियन"])
    >>> found = sound_alikes(src, tgt)
    >>> found.src.tolist(), found.tgt.tolist(), found.forward.round(2).tolist()
    ([0, 1], [0, 1], [0.5, 0.3])

    """
    a, b = _sounds_of_both(src.forms, tgt.forms)
    wide = len(b.number) + 1
    pairs = sharing(_keys(a), _keys(b), wide=wide, most=_MOST_WORD_PAIRS)
    pairs = pairs[opens(pairs)]
    first, second = pairs // wide, pairs % wide
    other = a.script[first] != b.script[second]
    first, second = first[other], second[other]

    alike = compared(partial(_alike, a, b), first, second, each=each)
    kept = np.flatnonzero(alike >= _SOUND_SIMILARITY)
    first, second, alike = first[kept], second[kept], alike[kept]
    few = np.minimum(a.size[first], b.size[second])
    strength = ((alike - _NOTHING) / (1.0 - _NOTHING)) ** _STEEP
    strength *= np.array([_FEW.get(size, 1.0) for size in range(_SOUND_LETTERS + 1)])[few]
    # Of several words that sound like one, at most one is right.
    rivals = np.maximum(
        np.bincount(first, strength, len(a.number))[first],
        np.bincount(second, strength, len(b.number))[second],
    )
    own = strength * strength / np.maximum(rivals, 1e-300)
    chance = _MOST * np.minimum(own / _SURE, 1.0) ** _RISE
    kept = np.flatnonzero(chance >= _LEAST)
    words = a.number[first[kept]], b.number[second[kept]]
    return WordPairs.alike(words, chance[kept], sizes=(len(src), len(tgt)))


def _sounds_of_both(forms: list[str], others: list[str]) -> tuple[_Sounds, _Sounds]:
    """Return the words on both sides for which there are some in another script on the other."""
    sides = [_scripts(forms), _scripts(others)]
    met = [set(np.unique(side).tolist()) - {""} for side in sides]
    found = []
    for side, words, there in zip(sides, (forms, others), met[::-1], strict=True):
        wanted = {script for script in np.unique(side).tolist() if script and there - {script}}
        number = np.flatnonzero(np.isin(side, sorted(wanted)))
        found.append(_sounds(words, number, side[number]))
    return found[0], found[1]


def _scripts(forms: list[str]) -> NDArray[np.str_]:
    """Return the script of each word, by the Unicode name of its first letter; empty: no word."""
    begins, which = np.unique(np.array([form[:1] for form in forms], "U1"), return_inverse=True)
    names = [_sound_script(letter) for letter in begins.tolist()]
    result: NDArray[np.str_] = np.array(names, dtype=np.str_)[which]
    return result


def _sound_script(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""
    return "" if name in _PIECES else name


def _sounds(forms: list[str], number: NDArray[np.int64], script: NDArray[np.str_]) -> _Sounds:
    """Return words by their sound, those that have enough consonants."""
    latin = script == "LATIN"
    number = np.concatenate([number[latin], number[~latin]])
    script = np.concatenate([script[latin], script[~latin]])
    parts = np.split(number, [np.count_nonzero(latin)])
    text = "\n".join(
        _spelled([forms[k] for k in part.tolist()], first)
        for part, first in zip(parts, (_READ, _WRITTEN), strict=True)
        if len(part)
    )
    words = np.array(text.split("\n"), dtype=f"S{_SOUND_LETTERS}")[: len(number)]
    codes = words.view(np.uint8).reshape(-1, _SOUND_LETTERS)
    kinds = np.zeros(codes.shape, dtype=np.int64)
    size = np.zeros(len(codes), dtype=np.int64)
    for k in range(_SOUND_LETTERS):
        kind = _KIND[codes[:, k]]
        new = np.flatnonzero((kind > 0) & (kind != _VOWEL))
        kinds[new, size[new]] = kind[new]
        size[new] += 1
    kept = np.flatnonzero(size >= _FEWEST)
    return _Sounds(number[kept], script[kept], codes[kept], kinds[kept])


def _spelled(words: list[str], first: Rules) -> str:
    """Return words in Latin letters, those alike that sound alike, a line each."""
    from anyascii import anyascii

    text = anyascii("\n".join(words).translate(_BEFORE)).lower()
    for pattern, letters in chain(first, _SPELLED):
        text = re.sub(pattern, letters, text)
    return text


def _keys(words: _Sounds) -> Keyed:
    """Return the classes of words as numbers, and without each one where they are many."""
    rows, size = np.arange(len(words.number), dtype=np.int32), words.size
    place = 1 << (3 * np.arange(_SOUND_LETTERS, dtype=np.int64))
    keys, numbers = [words.kinds @ place], [rows]
    for k in range(_SOUND_LETTERS):
        some = np.flatnonzero((size > _APART) & (size > k))
        if not len(some):
            break
        keys.append(np.delete(words.kinds[some], k, axis=1) @ place[:-1])
        numbers.append(rows[some])
    return Keyed.of(np.concatenate(keys), np.concatenate(numbers))


def _alike(
    a: _Sounds, b: _Sounds, first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Score how similar pairs of words sound, by their common subsequence, 0 to 1."""
    vowelless = np.isin(a.script, sorted(_VOWELLESS))[first]
    vowelless |= np.isin(b.script, sorted(_VOWELLESS))[second]
    x, y = a.codes[first], b.codes[second]
    for side in (x, y):
        side[vowelless[:, None] & (_KIND[side] == _VOWEL)] = 0
    worth = _WORTH[x].sum(axis=1) + _WORTH[y].sum(axis=1)
    best = np.zeros((len(x), _SOUND_LETTERS + 1), dtype=np.int16)
    for k in range(_SOUND_LETTERS):
        taken = best[:, :-1] + _BESIDE[x[:, k, None], y]
        np.maximum(best[:, 1:], taken, out=taken)
        best[:, 1:] = np.maximum.accumulate(taken, axis=1)
    result: NDArray[np.float64] = 2 * best[:, -1] / np.maximum(worth, 1)
    return result


_SHORTEST = 4  # letters of a word that is compared
_FREQUENT = 2_000  # most common words, by which the script of a text is detected
_IDEOGRAPHS = "CJK"
_COGNATE_LETTERS = 14  # letters of a word that are compared
_COGNATE_SIMILARITY = 0.55  # similarity, of 1, that links words
_SHARED = 0.5  # Dice coefficient that words with a common beginning need, too
_COMPARED = 2_000_000  # word pairs that share three letters: bounds the work
_WORDS_AT_ONCE = 1 << 15  # words worked on at once: memory only
_EQUAL = 0.5  # probability that an equal word is the translation
_KNOWN = 1.4  # share of a word that is explained, for a probability of 1
_KNOWN_MARK = 0.5  # the same for a mark or short word, which may be equal by accident
_ROMAN = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхцыэіїґњљјћђ", "abvgdezijklmnoprstufhcyeiignljcd", strict=True))
    | {
        "ж": "zh",
        "ч": "ch",
        "ш": "sh",
        "щ": "sh",
        "ю": "ju",
        "я": "ja",
        "є": "je",
        "ъ": "",
        "ь": "",
    }
    | dict(zip("αβγδεζηικλμνξοπρσςτυω", "avgdeziiklmnxoprsstio", strict=True))
    | {"θ": "th", "φ": "f", "χ": "h", "ψ": "ps", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe"}
    | {"ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"}
)


class _Letters(NamedTuple):
    """Words of letters: their numbers in the vocabulary, and their letters, 0 behind the end."""

    number: NDArray[np.int64]
    codes: NDArray[np.uint32]
    size: NDArray[np.int64]


def cognates(
    src: Vocabulary,
    tgt: Vocabulary,
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    each: Each = map,
) -> WordPairs:
    """Link the words of two vocabularies that look alike.

    Parameters
    ----------
    src, tgt : Vocabulary
    shares : two arrays of float64, optional
        The share of sentences that has each word of the source, and of the target: it tells which
        words are common, and so the script of a text. Default: all are equally so.
    each : callable
        Does the work for each of some numbers, as `map` does: words are compared some thousand
        pairs at a time.

    Returns
    -------
    WordPairs
        Equal words with a chance of 0.5, others with less, the more alike the more: words that
        differ by an accent are as good as equal.

    Examples
    --------
    >>> from bitext.align.sentences.lexical.vocabulary import Vocabulary
    >>> found = cognates(Vocabulary(["nation", "1957", "haus"]), Vocabulary(["nación", "1957"]))
    >>> found.src.tolist(), found.tgt.tolist(), found.forward.round(2).tolist()
    ([0, 1], [0, 1], [0.06, 0.5])

    """
    forms, others = src.forms, tgt.forms
    equal = tgt.find(forms).astype(np.int64)
    same = np.flatnonzero(equal >= 0)
    scripts = [_script(*side) for side in zip((forms, others), shares or (None, None), strict=True)]
    if scripts[0] == scripts[1] != _IDEOGRAPHS:
        doubtful = [_is_doubtful(forms[number], scripts[0]) for number in same.tolist()]
        same = same[~np.array(doubtful, dtype=bool)]
    a, b = letters_of(forms), letters_of(others)
    first, second = _candidates(a, b)

    alike = compared(_Likeness(a, b).of, first, second, each=each)
    kept = np.flatnonzero(alike >= _COGNATE_SIMILARITY)
    left, right = a.number[first[kept]], b.number[second[kept]]
    # Two words that both have an equal one in the other language are not each other's.
    paired = np.zeros(len(others), dtype=bool)
    paired[equal[same]] = True
    other = np.flatnonzero((equal[left] != right) & ~((equal[left] >= 0) & paired[right]))
    above = (np.minimum(alike[kept][other], 1.0) - _NOTHING) / (1.0 - _NOTHING)
    chance = np.concatenate([np.full(len(same), _EQUAL), _EQUAL * above**_STEEP])
    words = np.concatenate([same, left[other]]), np.concatenate([equal[same], right[other]])
    known = np.full(len(chance), _KNOWN)
    known[: len(same)][[not _is_sure(forms[number]) for number in same.tolist()]] = _KNOWN_MARK
    look_alike = WordPairs.alike(words, chance, sizes=(len(forms), len(others)), known=known)
    return join_pairs([look_alike, sound_alikes(src, tgt, each=each)])


def _is_sure(word: str) -> bool:
    """Return whether an equal word of another language means the same: no short one."""
    figures = word[0].isdigit() and len(word) > 1
    return figures or (is_word(word) and len(word) >= _SHORTEST)


def _script(forms: Sequence[str], shares: NDArray[np.float64] | None) -> str:
    """Return the script that most common words of a text are written in; empty: none."""
    common = np.argsort(-shares, kind="stable") if shares is not None else np.arange(len(forms))
    some = common[:_FREQUENT]
    # Of short texts no word has a share: all count the same.
    weights = np.ones(len(some)) if shares is None else shares[some] + 1e-6
    met: dict[str, float] = {}
    for number, weight in zip(some.tolist(), weights.tolist(), strict=True):
        if is_word(forms[number]):
            script = _script_of(forms[number][0])
            met[script] = met.get(script, 0.0) + weight
    return max(met, key=lambda script: met[script], default="")


@cache
def _script_of(letter: str) -> str:
    """Return the script of a letter, by its Unicode name: `LATIN`."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_doubtful(word: str, script: str) -> bool:
    """Return whether an equal word of two languages in this script may be a false friend."""
    return len(word) < _SHORTEST and is_word(word) and _script_of(word[0]) == script


def letters_of(forms: Sequence[str]) -> _Letters:
    """Return the words of four letters or more, in Latin letters without accents."""
    words = [k for k, word in enumerate(forms) if len(word) >= _SHORTEST and is_word(word)]
    plain = _plain([forms[k] for k in words])
    kept = [(k, word) for k, word in zip(words, plain, strict=True) if len(word) >= _SHORTEST]
    text = np.array([word for _, word in kept], dtype=f"U{_COGNATE_LETTERS}")
    codes = text.view(np.uint32).reshape(-1, _COGNATE_LETTERS)
    number = np.array([k for k, _ in kept], dtype=np.int64)
    return _Letters(number, codes, np.count_nonzero(codes, axis=1))


def _plain(words: list[str]) -> list[str]:
    """Return words in Latin letters without accents."""
    other = [k for k, word in enumerate(words) if not word.isascii()]
    if not other:
        return words
    bare = unicodedata.normalize("NFD", "\n".join(words[k] for k in other))
    signs = dict.fromkeys(ord(c) for c in set(bare) if unicodedata.combining(c))
    found = list(words)
    for k, word in zip(other, bare.translate(signs | _ROMAN).split("\n"), strict=True):
        found[k] = word
    return found


def _grams(words: _Letters) -> Keyed:
    """Return the sequences of three letters of words; ends count."""
    rows = len(words.codes)
    padded = np.zeros((rows, _COGNATE_LETTERS + 2), dtype=np.uint32)
    padded[:, 1:-1] = words.codes
    padded[:, 0] = 1
    padded[np.arange(rows), words.size + 1] = 2
    grams = np.zeros((rows, _COGNATE_LETTERS), dtype=np.int64)
    for k in range(3):
        grams *= 1_000_003
        grams += padded[:, k : k + _COGNATE_LETTERS]
    inside = np.arange(_COGNATE_LETTERS) < words.size[:, None]
    return Keyed.of(grams[inside], np.repeat(np.arange(rows, dtype=np.int32), words.size))


def _candidates(a: _Letters, b: _Letters) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of words that share three letters, those of rare ones first."""
    wide = len(b.codes) + 1
    pairs = sharing(_grams(a), _grams(b), wide=wide, most=_COMPARED)
    first = np.flatnonzero(opens(pairs))
    keys, size = pairs[first], len(pairs)
    del pairs
    often = first != size - 1
    np.greater(first[1:] - first[:-1], 1, out=often[:-1])
    once = np.flatnonzero(~often)
    del first
    for start in range(0, len(once), _WORDS_AT_ONCE):
        some = once[start : start + _WORDS_AT_ONCE]
        left, right = keys[some] // wide, keys[some] % wide
        often[some] = (a.codes[left, :3] == b.codes[right, :3]).all(axis=1)
    keys = keys[often]
    return keys // wide, keys % wide


class _Likeness:
    """How alike words of two languages are: Dice of pairs of letters, or the common beginning.

    Words that have fewer than half of their pairs of letters in common are not alike at all.
    """

    def __init__(self, a: _Letters, b: _Letters) -> None:
        letters = np.union1d(a.codes, b.codes)
        # A pair of letters counts once, and what is behind the end of a word is in no other.
        self._left = _bigrams(a, letters, behind=-1)
        for begin in range(0, len(a.codes), _WORDS_AT_ONCE):
            some = self._left[:, begin : begin + _WORDS_AT_ONCE]
            for k in range(len(some) - 1, 0, -1):
                some[k, (some[:k] == some[k]).any(axis=0)] = -1
        self._right = _bigrams(b, letters, behind=-2)
        self._letters = a.codes, b.codes
        self._sizes = a.size, b.size

    def of(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        """Score the similarity of pairs of words."""
        x, y = self._left.take(first, axis=1), self._right.take(second, axis=1)
        shared = x == y[0]
        for other in y[1:]:
            shared |= x == other
        size, longest = self._sizes[0][first], self._sizes[1][second]
        dice = 2 * np.count_nonzero(shared, axis=0) / (size + longest + 2)
        np.maximum(size, longest, out=longest)
        alike = np.flatnonzero(dice >= _SHARED)
        here, there = self._letters[0][first[alike]], self._letters[1][second[alike]]
        begun = np.logical_and.accumulate((here == there) & (here != 0), axis=1).sum(axis=1)
        result = np.zeros(len(dice))
        result[alike] = np.maximum(dice[alike], begun / longest[alike])
        return result


def _bigrams(words: _Letters, letters: NDArray[np.uint32], *, behind: int) -> NDArray[np.integer]:
    """Return the pairs of letters of words, ends counting, as numbers of 0 and more.

    Parameters
    ----------
    words : _Letters
    letters : array of uint32
        All that there are, ascending.
    behind : int
        What stands behind the end of a word.

    Returns
    -------
    array of int, shape (letters of a word + 1, words)

    """
    wide = len(letters) + 1  # both ends are one more
    found = np.empty(
        (_COGNATE_LETTERS + 1, len(words.codes)), dtype=np.min_scalar_type(-wide * wide)
    )
    for begin in range(0, len(words.codes), _WORDS_AT_ONCE):
        some = slice(begin, begin + _WORDS_AT_ONCE)
        size = words.size[some]
        rank = np.full((_COGNATE_LETTERS + 2, len(size)), wide - 1, dtype=np.int64)
        rank[1:-1] = np.searchsorted(letters, words.codes[some].T)
        rank[size + 1, np.arange(len(size))] = wide - 1
        pairs = rank[:-1] * wide + rank[1:]
        pairs[np.arange(_COGNATE_LETTERS + 1)[:, None] >= size + 1] = behind
        found[:, some] = pairs
    return found
