"""Words of two scripts that sound alike: names, and words that one language has from another.

`Norwegian` and नार्वेजियन have no letter in common, but in Latin letters the other is *narvejiyn*.
Vowels are written in many ways, and in Arabic and Hebrew mostly not at all, so words are compared
by their consonants, of which some stand for each other: b, p, f and v; k, g, q and j; t and d; s, z
and those as in *she* and *church*; l and r; m; n. Words with the same such classes, or one more or
less, are compared by their longest common subsequence, in which the same class counts three
quarters, and vowels, where both write them, a quarter of a consonant.

What has no words, as texts without spaces have none but katakana, is left aside.
"""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.shared_keys import Keyed, compared, opens, sharing
from bitext.align.sentences.word_links import WordPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.align.sentences.sentence_pair import Each
    from bitext.align.sentences.vocabulary import Vocabulary

    Rules = tuple[tuple[str, str], ...]

__all__ = ["sound_alikes"]

_PIECES = {"CJK", "HIRAGANA", "THAI", "LAO", "KHMER", "MYANMAR"}  # in which no words are found
_VOWELLESS = {"ARABIC", "HEBREW", "SYRIAC"}
_LETTERS = 16  # of a word that are looked at
_FEWEST = 3  # consonants
_APART = 4  # of so many one may be missing in the other word
_COMPARED = 500_000  # pairs of words
_ALIKE = 0.6  # what links words, of 1
_NOTHING = 0.5  # how alike words are by accident, of 1
_STEEP = 2.5  # the power of what is above that, as the chance grows with it
_FEW = {3: 0.4, 4: 0.7, 5: 0.9}  # what so few consonants are worth, of 1
_MOST = 0.5  # the chance of a word that sounds the same
_SURE, _RISE = 0.3, 1.6  # with so much it has that, with less as much less by this power
_LEAST = 0.01  # less tells nothing
_CLASSES = ("bpfv", "kgqj", "td", "szc", "lr", "m", "n")
_VOWELS, _VOWEL = "aeiou", 9
_SAME, _LIKE = 8, 6  # worth of the same consonant, and of another one of its class
_SAME_VOWEL, _LIKE_VOWEL = 2, 1
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
    >>> from bitext.align.sentences.vocabulary import Vocabulary
    >>> src, tgt = Vocabulary(["indonesian", "norwegian"]), Vocabulary(["इन्डोनेशियन", "नार्वेजियन"])
    >>> found = sound_alikes(src, tgt)
    >>> found.src.tolist(), found.tgt.tolist(), found.forward.round(2).tolist()
    ([0, 1], [0, 1], [0.5, 0.3])

    """
    a, b = _sounds_of_both(src.forms, tgt.forms)
    wide = len(b.number) + 1
    pairs = sharing(_keys(a), _keys(b), wide=wide, most=_COMPARED)
    pairs = pairs[opens(pairs)]
    first, second = pairs // wide, pairs % wide
    other = a.script[first] != b.script[second]
    first, second = first[other], second[other]

    alike = compared(partial(_alike, a, b), first, second, each=each)
    kept = np.flatnonzero(alike >= _ALIKE)
    first, second, alike = first[kept], second[kept], alike[kept]
    few = np.minimum(a.size[first], b.size[second])
    strength = ((alike - _NOTHING) / (1.0 - _NOTHING)) ** _STEEP
    strength *= np.array([_FEW.get(size, 1.0) for size in range(_LETTERS + 1)])[few]
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
    names = [_script(letter) for letter in begins.tolist()]
    result: NDArray[np.str_] = np.array(names, dtype=np.str_)[which]
    return result


def _script(letter: str) -> str:
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
    words = np.array(text.split("\n"), dtype=f"S{_LETTERS}")[: len(number)]
    codes = words.view(np.uint8).reshape(-1, _LETTERS)
    kinds = np.zeros(codes.shape, dtype=np.int64)
    size = np.zeros(len(codes), dtype=np.int64)
    for k in range(_LETTERS):
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
    place = 1 << (3 * np.arange(_LETTERS, dtype=np.int64))
    keys, numbers = [words.kinds @ place], [rows]
    for k in range(_LETTERS):
        some = np.flatnonzero((size > _APART) & (size > k))
        if not len(some):
            break
        keys.append(np.delete(words.kinds[some], k, axis=1) @ place[:-1])
        numbers.append(rows[some])
    return Keyed.of(np.concatenate(keys), np.concatenate(numbers))


def _alike(
    a: _Sounds, b: _Sounds, first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how alike pairs of words sound: the worth of what they have in common, 0 to 1."""
    vowelless = np.isin(a.script, sorted(_VOWELLESS))[first]
    vowelless |= np.isin(b.script, sorted(_VOWELLESS))[second]
    x, y = a.codes[first], b.codes[second]
    for side in (x, y):
        side[vowelless[:, None] & (_KIND[side] == _VOWEL)] = 0
    worth = _WORTH[x].sum(axis=1) + _WORTH[y].sum(axis=1)
    best = np.zeros((len(x), _LETTERS + 1), dtype=np.int16)
    for k in range(_LETTERS):
        taken = best[:, :-1] + _BESIDE[x[:, k, None], y]
        np.maximum(best[:, 1:], taken, out=taken)
        best[:, 1:] = np.maximum.accumulate(taken, axis=1)
    result: NDArray[np.float64] = 2 * best[:, -1] / np.maximum(worth, 1)
    return result
