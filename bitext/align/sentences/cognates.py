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

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.shared_keys import Keyed, compared, opens, sharing
from bitext.align.sentences.sound_alikes import sound_alikes
from bitext.align.sentences.vocabulary import is_word
from bitext.align.sentences.word_links import WordPairs, join_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_pair import Each
    from bitext.align.sentences.vocabulary import Vocabulary

__all__ = ["cognates", "letters_of"]

_SHORTEST = 4  # letters
_FREQUENT = 2_000  # words of a text that tell its script: those that are most common
_IDEOGRAPHS = "CJK"
_LETTERS = 14  # of a word that are looked at
_ALIKE = 0.55  # what links words, of 1
_SHARED = 0.5  # of the pairs of letters that words with a common beginning share, too
_COMPARED = 2_000_000  # pairs of words that share three letters
_AT_ONCE = 1 << 15
_EQUAL = 0.5  # the chance that an equal word is the translation
_NOTHING = 0.5  # how alike words are by accident, of 1
_STEEP = 2.5  # the power of what is above that, as the chance grows with it
_KNOWN = 1.4  # how much of a word is explained, for a chance of 1
_KNOWN_MARK = 0.5  # and of one that may be equal by accident
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
    >>> from bitext.align.sentences.vocabulary import Vocabulary
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
    kept = np.flatnonzero(alike >= _ALIKE)
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
    """Tell whether a word of another language that is equal to it means the same: no short one."""
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
    """Tell whether an equal word of two languages that are written so may be a false friend."""
    return len(word) < _SHORTEST and is_word(word) and _script_of(word[0]) == script


def letters_of(forms: Sequence[str]) -> _Letters:
    """Return the words of four letters or more, in Latin letters without accents."""
    words = [k for k, word in enumerate(forms) if len(word) >= _SHORTEST and is_word(word)]
    plain = _plain([forms[k] for k in words])
    kept = [(k, word) for k, word in zip(words, plain, strict=True) if len(word) >= _SHORTEST]
    text = np.array([word for _, word in kept], dtype=f"U{_LETTERS}")
    codes = text.view(np.uint32).reshape(-1, _LETTERS)
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
    padded = np.zeros((rows, _LETTERS + 2), dtype=np.uint32)
    padded[:, 1:-1] = words.codes
    padded[:, 0] = 1
    padded[np.arange(rows), words.size + 1] = 2
    grams = np.zeros((rows, _LETTERS), dtype=np.int64)
    for k in range(3):
        grams *= 1_000_003
        grams += padded[:, k : k + _LETTERS]
    inside = np.arange(_LETTERS) < words.size[:, None]
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
    for start in range(0, len(once), _AT_ONCE):
        some = once[start : start + _AT_ONCE]
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
        for begin in range(0, len(a.codes), _AT_ONCE):
            some = self._left[:, begin : begin + _AT_ONCE]
            for k in range(len(some) - 1, 0, -1):
                some[k, (some[:k] == some[k]).any(axis=0)] = -1
        self._right = _bigrams(b, letters, behind=-2)
        self._letters = a.codes, b.codes
        self._sizes = a.size, b.size

    def of(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how alike pairs of words are."""
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
    found = np.empty((_LETTERS + 1, len(words.codes)), dtype=np.min_scalar_type(-wide * wide))
    for begin in range(0, len(words.codes), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        size = words.size[some]
        rank = np.full((_LETTERS + 2, len(size)), wide - 1, dtype=np.int64)
        rank[1:-1] = np.searchsorted(letters, words.codes[some].T)
        rank[size + 1, np.arange(len(size))] = wide - 1
        pairs = rank[:-1] * wide + rank[1:]
        pairs[np.arange(_LETTERS + 1)[:, None] >= size + 1] = behind
        found[:, some] = pairs
    return found
