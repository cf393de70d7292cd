"""Cognates: words of two languages with similar spelling, such as names, numbers and loanwords.

Equal words are linked. Words of letters are also linked if they share many letter bigrams (Dice
coefficient) or a long prefix, without diacritics, and with Greek and Cyrillic letters
transliterated. Candidates share two letter trigrams, or one trigram and their first three letters.
Words in different scripts are linked if they sound alike (`sound_alikes`).

Equal words of fewer than four letters are mostly false friends: `a`, `se` and `na` are frequent in
many languages, with a different meaning in each. They are not linked if both texts are mostly in
the script of the word, unless this script is ideographs; the translations of short words are then
learned like all others. In texts of another script, short equal words are names and terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.lexical import Vocabulary, is_word
from bitext.align.sentences.lexical.word_links import WordPairs, join_pairs
from bitext.kernels.arrays import Bools, Floats, Ints, distinct, prefix, ranges
from bitext.kernels.compiled_words import WordKernels, word_kernels

if TYPE_CHECKING:
    from bitext.align.sentences.texts import Each

    Rules = tuple[tuple[str, str], ...]

# Candidate pairs: words with a common key, joined as two sorted tables instead of tried one by one.

_PAIRS_AT_ONCE = 1 << 17  # pairs built at once: memory only
_PAIRS_COMPARED = 1 << 14  # pairs compared at once: memory only


class Keyed(NamedTuple):
    """Keys of words in ascending order, and the number of the word of each key."""

    key: Ints
    word: NDArray[np.int32]

    @classmethod
    def of(cls, key: Ints, word: NDArray[np.int32]) -> Keyed:
        """Sort keys in any order, and their words with them."""
        order = np.argsort(key, kind="stable")
        return cls(key[order], word[order])


def sharing(left: Keyed, right: Keyed, *, wide: int, most: int) -> NDArray[np.signedinteger[Any]]:
    """Return the pairs of words that share a key, at most `most` of them.

    A pair is `word * wide + other`; `wide` is greater than all word numbers of `right`. Pairs
    ascend, as integers of 32 bits where all fit into them; a pair occurs once for each shared key.
    If there would be more pairs than `most`, the most frequent keys are left out.

    Examples
    --------
    >>> left = Keyed.of(np.array([7, 5, 5]), np.array([0, 0, 1], dtype=np.int32))
    >>> right = Keyed.of(np.array([5, 7]), np.array([0, 0], dtype=np.int32))
    >>> sharing(left, right, wide=10, most=100).tolist()
    [0, 0, 10]
    >>> sharing(left, right, wide=10, most=1).tolist()
    [0]

    """
    count, first, number = _met_rarely(left, right, most)
    first, number = np.repeat(first, count), np.repeat(number, count)
    ends = prefix(number)
    # Small numbers are sorted in half the time.
    words = int(left.word.max(initial=0)) + 1
    kind = np.dtype(np.int32 if words * wide < 1 << 31 else np.int64)
    pairs: NDArray[np.signedinteger[Any]] = np.empty(int(ends[-1]), dtype=kind)
    cuts = np.searchsorted(ends, np.arange(0, len(pairs), _PAIRS_AT_ONCE)).tolist()
    for start, end in pairwise([*cuts, len(number)]):
        word_pairs = np.repeat(left.word[start:end].astype(kind) * wide, number[start:end])
        word_pairs += right.word[ranges(first[start:end], number[start:end])]
        pairs[ends[start] : ends[end]] = word_pairs
    pairs.sort(kind="stable")  # merges the runs of each key, in a fifth of the time
    return pairs


def _met(left: Keyed, right: Keyed) -> tuple[Ints, Ints, Ints]:
    """Return, for each key of `left`, its words there, and the first and the number in `right`."""
    begin = np.flatnonzero(opens(left.key))
    key, count = left.key[begin], np.diff(begin, append=len(left.key))
    first = np.searchsorted(right.key, key)
    return count, first, np.searchsorted(right.key, key, side="right") - first


def _met_rarely(left: Keyed, right: Keyed, most: int) -> tuple[Ints, Ints, Ints]:
    """Return the result of `_met`; keys that would make more than `most` pairs have no words."""
    count, first, number = _met(left, right)
    pair_counts = count * number
    rare = np.argsort(pair_counts, kind="stable")
    number[rare[np.cumsum(pair_counts[rare]) > most]] = 0
    return count, first, number


def compared(
    similarity: Callable[[Ints, Ints], Floats], first: Ints, second: Ints, *, each: Each
) -> Floats:
    """Score the similarity of pairs of words in batches.

    Pair k has the words `first[k]` and `second[k]`. `similarity` scores a batch, from its first and
    its second words. `each` works as `map`: it calls a function with each of some integers, perhaps
    in parallel.
    """

    def some(number: int) -> Floats:
        batch = slice(number * _PAIRS_COMPARED, (number + 1) * _PAIRS_COMPARED)
        return similarity(first[batch], second[batch])

    return np.concatenate([np.zeros(0), *each(some, range(-(-len(first) // _PAIRS_COMPARED)))])


def opens(ordered: NDArray[np.signedinteger[Any]]) -> Bools:
    """Mark the first of each run of equal numbers in an ascending array."""
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


# Words in different scripts that sound alike: names and loanwords.
#
# `Norwegian` and नार्वेजियन have no letter in common, but the second is transliterated *narvejiyn*.
# Vowels are spelled in many ways, and mostly omitted in Arabic and Hebrew, so candidates share
# their sequence of consonant classes: b, p, f, v; k, g, q, j; t, d; s, z and the sounds of *she*
# and *church*; l, r; m; n. In longer words one class may be missing. Candidates are compared by
# their longest common subsequence, in which another consonant of the class counts three quarters of
# the same consonant, and the same vowel, if both scripts write vowels, a quarter.
#
# Scripts without spaces have pieces instead of words, and are left out; katakana has whole words.

# Set by hand. No set with a gold standard has words in two different scripts with spaces; texts of
# alignment_languages.py and alignment_breadth.py have. Words in one script reach two of these, in
# `cognates`. Change of F1 if halved and if doubled, mean of parice and text+berg
# (alignment_constants.md): _CHANCE_SIMILARITY -.025 and -.770, _SIMILARITY_POWER -.004 and -.014;
# the others 0.
_UNSPACED_SCRIPTS = {"CJK", "HIRAGANA", "THAI", "LAO", "KHMER", "MYANMAR"}  # scripts without spaces
_VOWELLESS = {"ARABIC", "HEBREW", "SYRIAC"}  # scripts that mostly omit vowels
_SOUND_LETTERS = 16  # letters of a transliterated word that are compared
_FEWEST_CONSONANTS = 3  # consonants of the shortest words that are compared
_LONG_WORD_CONSONANTS = 4  # consonants, above which one may be missing in the other word
_MOST_WORD_PAIRS = 500_000  # word pairs that are compared: bounds time
_SOUND_SIMILARITY = 0.6  # smallest similarity, 0 to 1, of linked words
_CHANCE_SIMILARITY = 0.5  # similarity, 0 to 1, of words by accident
_SIMILARITY_POWER = 2.5  # power of the similarity above `_CHANCE_SIMILARITY`
# Factor of the strength, by the consonants of the shorter word
_FACTOR_OF_CONSONANTS = {3: 0.4, 4: 0.7, 5: 0.9}
_SOUND_PROBABILITY = 0.5  # probability of a word that sounds the same
# Strength with probability `_SOUND_PROBABILITY`, and the power below that strength
_SURE, _RISE = 0.3, 1.6
_LEAST_PROBABILITY = 0.01  # probability below which a pair is dropped
_CLASSES = ("bpfv", "kgqj", "td", "szc", "lr", "m", "n")  # c as in *church* and *she*
_VOWELS, _VOWEL = "aeiou", 9
_SAME, _LIKE = 8, 6  # weights of the same consonant, and of another of its class
_SAME_VOWEL, _LIKE_VOWEL = 2, 1  # weights of the same vowel, and of another
# Replacements before transliteration: Hebrew vav is mostly a vowel, and w is dropped later; small
# tsu doubles a consonant; anusvara is n before most consonants.
_BEFORE = str.maketrans({"ו": "w", "ッ": ""} | dict.fromkeys("ंংਂੰંଂംಂం", "n"))
# Rules for words in Latin script, for transliterated words, and, after these, for both.
_READ = (("c(?=[eiy])", "s"), ("t?s?ch|t?sh", "C"), ("c", "k"), ("C", "c"))
_WRITTEN = (("ch", "c"), ("sh", "c"))
_SPELLED = (("ph", "f"), ("x", "ks"), (r"[^a-z\n]", ""), (r"([a-z])\1+", r"\1"), ("[hwy]", ""))


def _tables() -> tuple[Ints, Ints, NDArray[np.int16]]:
    """Return the class of each letter, its weight, and the weight of each pair of letters."""
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
    """Transliterated words and their consonant classes."""

    number: Ints  # the number of each word in the vocabulary
    script: NDArray[np.str_]  # the script of each word, as in Unicode names: `LATIN`
    codes: NDArray[np.uint8]  # the Latin letters, padded with 0; shape (words, 16)
    kinds: Ints  # the classes of the consonants, padded with 0; shape (words, 16)

    @property
    def size(self) -> Ints:
        """The number of consonants of each word."""
        result: Ints = np.count_nonzero(self.kinds, axis=1)
        return result


def sound_alikes(src: Vocabulary, tgt: Vocabulary, *, each: Each = map) -> WordPairs:
    """Link words of two vocabularies that sound alike and are in different scripts.

    The probability is at most 0.5. Similarity and length raise the probability of a pair, and pairs
    of equal similarity with one of its words lower the probability. `each` works as for `compared`;
    a call compares some thousand pairs of words.

    Examples
    --------
    >>> from bitext.align.sentences.lexical import Vocabulary
    >>> src, tgt = Vocabulary(["indonesian", "norwegian"]), Vocabulary(["इन्डोनेशियन", "नार्वेजियन"])
    >>> pairs = sound_alikes(src, tgt)
    >>> pairs.src.tolist(), pairs.tgt.tolist(), pairs.forward.round(2).tolist()
    ([0, 1], [0, 1], [0.5, 0.3])

    """
    a, b = _sounds_of_both(src.forms, tgt.forms)
    if not len(a.number) or not len(b.number):
        none = np.zeros(0, dtype=np.int64)
        return WordPairs.alike((none, none), np.zeros(0), sizes=(len(src), len(tgt)))
    wide = len(b.number) + 1
    pairs = sharing(_keys(a), _keys(b), wide=wide, most=_MOST_WORD_PAIRS)
    pairs = pairs[opens(pairs)]
    first, second = (each.astype(np.int64) for each in (pairs // wide, pairs % wide))
    other = a.script[first] != b.script[second]
    first, second = first[other], second[other]

    similarities = compared(partial(_sound_similarity, a, b), first, second, each=each)
    linked = np.flatnonzero(similarities >= _SOUND_SIMILARITY)
    first, second, similarities = first[linked], second[linked], similarities[linked]
    few = np.minimum(a.size[first], b.size[second])
    strength = (
        (similarities - _CHANCE_SIMILARITY) / (1.0 - _CHANCE_SIMILARITY)
    ) ** _SIMILARITY_POWER
    strength *= np.array(
        [_FACTOR_OF_CONSONANTS.get(size, 1.0) for size in range(_SOUND_LETTERS + 1)]
    )[few]
    # Words that sound like the same word are rivals: at most one is its translation.
    rivals = np.maximum(
        np.bincount(first, strength, len(a.number))[first],
        np.bincount(second, strength, len(b.number))[second],
    )
    own = strength * strength / np.maximum(rivals, 1e-300)
    probability = _SOUND_PROBABILITY * np.minimum(own / _SURE, 1.0) ** _RISE
    linked = np.flatnonzero(probability >= _LEAST_PROBABILITY)
    words = a.number[first[linked]], b.number[second[linked]]
    return WordPairs.alike(words, probability[linked], sizes=(len(src), len(tgt)))


def _sounds_of_both(forms: list[str], others: list[str]) -> tuple[_Sounds, _Sounds]:
    """Return the words of each side in scripts that differ from a script of the other side."""
    scripts_of_sides = [
        {_sound_script(letter) for letter in {form[:1] for form in forms}} - {""}
        for forms in (forms, others)
    ]
    sounds = []
    for words, own_scripts, other_scripts in zip(
        (forms, others), scripts_of_sides, scripts_of_sides[::-1], strict=True
    ):
        wanted = {script for script in own_scripts if other_scripts - {script}}
        kept_words, scripts = list[int](), list[str]()
        if wanted:  # mostly both texts are in one script
            every = [_sound_script(form[:1]) for form in words]
            kept_words = [k for k, script in enumerate(every) if script in wanted]
            scripts = [every[k] for k in kept_words]
        number = np.array(kept_words, dtype=np.int64)
        sounds.append(_sounds(words, number, np.array(scripts, dtype=np.str_)))
    return sounds[0], sounds[1]


@cache
def _sound_script(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""
    return "" if name in _UNSPACED_SCRIPTS else name


def _sounds(forms: list[str], number: Ints, script: NDArray[np.str_]) -> _Sounds:
    """Transliterate words, and drop words with fewer than three consonants."""
    if not len(number):
        codes = np.zeros((0, _SOUND_LETTERS), dtype=np.uint8)
        return _Sounds(number, script, codes, codes.astype(np.int64))
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
    long = np.flatnonzero(size >= _FEWEST_CONSONANTS)
    return _Sounds(number[long], script[long], codes[long], kinds[long])


def _spelled(words: list[str], first: Rules) -> str:
    """Return words in Latin letters, one a line, with one spelling for equal sounds."""
    from anyascii import anyascii

    text = anyascii("\n".join(words).translate(_BEFORE)).lower()
    for pattern, letters in chain(first, _SPELLED):
        text = re.sub(pattern, letters, text)
    return text


def _keys(words: _Sounds) -> Keyed:
    """Key words by their consonant classes, and long words also with each class removed."""
    rows, size = np.arange(len(words.number), dtype=np.int32), words.size
    place = 1 << (3 * np.arange(_SOUND_LETTERS, dtype=np.int64))
    keys, numbers = [words.kinds @ place], [rows]
    for k in range(_SOUND_LETTERS):
        long_words = np.flatnonzero((size > _LONG_WORD_CONSONANTS) & (size > k))
        if not len(long_words):
            break
        keys.append(np.delete(words.kinds[long_words], k, axis=1) @ place[:-1])
        numbers.append(rows[long_words])
    return Keyed.of(np.concatenate(keys), np.concatenate(numbers))


def _sound_similarity(a: _Sounds, b: _Sounds, first: Ints, second: Ints) -> Floats:
    """Score the similarity in sound of pairs of words, 0 to 1, by common subsequence."""
    vowelless = np.isin(a.script, sorted(_VOWELLESS))[first]
    vowelless |= np.isin(b.script, sorted(_VOWELLESS))[second]
    x, y = a.codes[first], b.codes[second]
    for side in (x, y):
        side[vowelless[:, None] & (_KIND[side] == _VOWEL)] = 0
    worth = _WORTH[x].sum(axis=1) + _WORTH[y].sum(axis=1)
    # The longest common subsequence of all pairs at once: a row of each table is a letter of `x`.
    best = np.zeros((len(x), _SOUND_LETTERS + 1), dtype=np.int16)
    for k in range(_SOUND_LETTERS):
        matched = best[:, :-1] + _BESIDE[x[:, k, None], y]
        np.maximum(best[:, 1:], matched, out=matched)
        best[:, 1:] = np.maximum.accumulate(matched, axis=1)
    result: Floats = 2 * best[:, -1] / np.maximum(worth, 1)
    return result


# Set by hand. Change of F1 if halved and if doubled (alignment_constants.md, as above):
# _SHORTEST_COGNATE -.005 and -.030, _COGNATE_LETTERS +.001 and 0, _COGNATE_SIMILARITY 0 and -.036,
# _LEAST_DICE 0 and -.018, _EQUAL_PROBABILITY -.034 and -.758 (probability 1), _EXPLAINED_SHARE
# -.009 and -.758; the others 0.
_SHORTEST_COGNATE = 4  # letters of the shortest words that are compared
_FREQUENT_WORDS = 2_000  # most common words, by which the script of a text is detected
_IDEOGRAPHS = "CJK"
_COGNATE_LETTERS = 14  # letters of a word that are compared
_COGNATE_SIMILARITY = 0.55  # smallest similarity, 0 to 1, of linked words
_LEAST_DICE = 0.5  # smallest Dice coefficient of linked words, also with a common prefix
_MOST_COMPARED = 2_000_000  # word pairs that share a trigram: bounds time
# Vocabularies are compared together if the product of both sides of all is at most so many times
# the sum of the products of each; set by hand, for speed only.
_TOGETHER = 1.25
_WORDS_AT_ONCE = 1 << 15  # words worked on at once: memory only
_EQUAL_PROBABILITY = 0.5  # probability that an equal word is the translation
_EXPLAINED_SHARE = 1.4  # share of a word that a link explains, for each 1 of its probability
_EXPLAINED_MARK_SHARE = 0.5  # the same for a mark or short word, which may be equal by accident
# Cyrillic and Greek letters, and Latin ones without a decomposition, as plain Latin letters.
_ROMAN = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхцыэіїґњљјћђ", "abvgdezijklmnoprstufhcyeiignljcd", strict=True))
    | {"ж": "zh", "ч": "ch", "ш": "sh", "щ": "sh", "ю": "ju", "я": "ja", "є": "je"}
    | dict.fromkeys("ъь", "")
    | dict(zip("αβγδεζηικλμνξοπρσςτυω", "avgdeziiklmnxoprsstio", strict=True))
    | {"θ": "th", "φ": "f", "χ": "h", "ψ": "ps", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe"}
    | {"ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"}
)


_MIX = 0x9E3779B97F4A7C15  # odd multiplier of a hash (golden ratio, as in Fibonacci hashing)


class _Letters(NamedTuple):
    """Words of letters: numbers in the vocabulary, letters padded with 0, and lengths."""

    number: Ints
    codes: NDArray[np.uint32]
    size: Ints


class SimilarWords(NamedTuple):
    """Pairs of words of two vocabularies with similar spelling, in ascending order."""

    src: Ints  # the number of the source word of each pair
    tgt: Ints
    alike: Floats  # similarity, 0 to 1


def similar_words(src: Vocabulary, tgt: Vocabulary, *, each: Each = map) -> SimilarWords:
    """Find the words of two vocabularies with similar spelling; equal words are among them."""
    return _similar_among(letters_of(src.forms), letters_of(tgt.forms), each)


def _similar_among(a: _Letters, b: _Letters, each: Each = map) -> SimilarWords:
    first, second = _candidates(a, b)
    similarities = compared(_Likeness(a, b).of, first, second, each=each)
    similar = np.flatnonzero(similarities >= _COGNATE_SIMILARITY)
    return SimilarWords(a.number[first[similar]], b.number[second[similar]], similarities[similar])


def similar_in_texts(
    vocabularies: Sequence[tuple[Vocabulary, Vocabulary]], *, most: int = _MOST_COMPARED
) -> list[SimilarWords]:
    """Find the similar words of each of several pairs of vocabularies.

    The results are those of `similar_words`. Words that several vocabularies have are compared
    once, where that is less work.

    If more than `most` pairs of all words share a trigram, each pair of vocabularies is compared by
    itself. `similar_words` must leave none of so many pairs out, so that the results are the same.

    Examples
    --------
    >>> from bitext.align.sentences.lexical import Vocabulary
    >>> one = Vocabulary(["nation", "haus"]), Vocabulary(["nación"])
    >>> other = Vocabulary(["haus", "nation"]), Vocabulary(["maison", "nación"])
    >>> [(found.src.tolist(), found.tgt.tolist()) for found in similar_in_texts([one, other])]
    [([0], [0]), ([1], [1])]

    """
    common = Vocabulary(), Vocabulary()
    numbers = [
        [every.numbers(own.forms) for every, own in zip(common, pair, strict=True)]
        for pair in vocabularies
    ]
    apart = sum(len(src) * len(tgt) for src, tgt in vocabularies)
    if len(common[0]) * len(common[1]) <= _TOGETHER * apart and len(vocabularies) > 1:
        a, b = (letters_of(words.forms) for words in common)
        count, _, number = _met(_grams(a), _grams(b))
        if int(count @ number) <= most:
            common_pairs = _similar_among(a, b)
            return [_similar_in(common_pairs, own, common) for own in numbers]
    return [similar_words(*pair) for pair in vocabularies]


def _similar_in(
    similar: SimilarWords,
    numbers: Sequence[NDArray[np.int32]],
    common: tuple[Vocabulary, Vocabulary],
) -> SimilarWords:
    """Return the pairs whose words a text has, by their numbers there; `numbers` are common."""
    own = []
    for words, own_numbers, pairs in zip(common, numbers, (similar.src, similar.tgt), strict=True):
        place = np.full(len(words), -1, dtype=np.int64)
        place[own_numbers] = np.arange(len(own_numbers))
        own.append(place[pairs])
    src, tgt = own
    in_text = np.flatnonzero((src >= 0) & (tgt >= 0))
    in_text = in_text[np.argsort(src[in_text] * len(numbers[1]) + tgt[in_text])]
    return SimilarWords(src[in_text], tgt[in_text], similar.alike[in_text])


def cognates(
    src: Vocabulary,
    tgt: Vocabulary,
    *,
    shares: tuple[Floats, Floats] | None = None,
    similar: SimilarWords | None = None,
    each: Each = map,
) -> WordPairs:
    """Link words of two vocabularies with similar spelling, or similar sound across scripts.

    Equal words have a probability of 0.5, and similar words less, by similarity; words that differ
    only in diacritics have 0.5 as well.

    `shares` has the share of sentences with each word of the source and of the target (default:
    equal shares): the script of a text is that of its common words. `similar` is the result of
    `similar_words`, if already known. `each` works as for `compared`; a call compares some thousand
    pairs of words.

    Examples
    --------
    >>> from bitext.align.sentences.lexical import Vocabulary
    >>> pairs = cognates(Vocabulary(["nation", "1957", "haus"]), Vocabulary(["nación", "1957"]))
    >>> pairs.src.tolist(), pairs.tgt.tolist(), pairs.forward.round(2).tolist()
    ([0, 1], [0, 1], [0.06, 0.5])

    """
    forms, others = src.forms, tgt.forms
    equal = tgt.find(forms).astype(np.int64)
    same = np.flatnonzero(equal >= 0)
    scripts = [_script(*side) for side in zip((forms, others), shares or (None, None), strict=True)]
    if scripts[0] == scripts[1] != _IDEOGRAPHS:
        doubtful = [_is_doubtful(forms[number], scripts[0]) for number in same.tolist()]
        same = same[~np.array(doubtful, dtype=bool)]
    left, right, similarities = similar_words(src, tgt, each=each) if similar is None else similar
    # Similar words that both have an equal word in the other language are not linked.
    paired = np.zeros(len(others), dtype=bool)
    paired[equal[same]] = True
    other = np.flatnonzero((equal[left] != right) & ~((equal[left] >= 0) & paired[right]))
    above = (np.minimum(similarities[other], 1.0) - _CHANCE_SIMILARITY) / (1.0 - _CHANCE_SIMILARITY)
    probability = np.concatenate(
        [np.full(len(same), _EQUAL_PROBABILITY), _EQUAL_PROBABILITY * above**_SIMILARITY_POWER]
    )
    words = np.concatenate([same, left[other]]), np.concatenate([equal[same], right[other]])
    known = np.full(len(probability), _EXPLAINED_SHARE)
    known[: len(same)][[not _is_sure(forms[number]) for number in same.tolist()]] = (
        _EXPLAINED_MARK_SHARE
    )
    look_alike = WordPairs.alike(words, probability, sizes=(len(forms), len(others)), known=known)
    return join_pairs([look_alike, sound_alikes(src, tgt, each=each)])


def _is_sure(word: str) -> bool:
    """Check for a word that is hardly equal by accident: two digits or four letters at least."""
    figures = word[0].isdigit() and len(word) > 1
    return figures or (is_word(word) and len(word) >= _SHORTEST_COGNATE)


def _script(forms: Sequence[str], shares: Floats | None) -> str:
    """Return the script of most of the common words of a text; empty without words."""
    indices = range(min(len(forms), _FREQUENT_WORDS))
    weights = np.ones(len(indices))
    if shares is not None:
        common = np.argsort(-shares, kind="stable")[:_FREQUENT_WORDS]
        # In short texts all shares are 0 (`shares_of`), and words count the same.
        indices, weights = common.tolist(), shares[common] + 1e-6
    begins = [forms[k][:1] for k in indices]
    number: dict[str, int] = {}  # of each script, in the order in which they are met
    rank_of = {
        letter: number.setdefault(_script_of(letter), len(number)) if letter.isalpha() else -1
        for letter in dict.fromkeys(begins)
    }
    scripts_of_words = np.array([rank_of[letter] for letter in begins], dtype=np.int64)
    weight_of_script = np.bincount(
        scripts_of_words[scripts_of_words >= 0], weights[scripts_of_words >= 0], len(number)
    )
    return [*number][int(weight_of_script.argmax())] if number else ""


@cache
def _script_of(letter: str) -> str:
    """Return the script of a letter, as in its Unicode name: `LATIN`."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_doubtful(word: str, script: str) -> bool:
    """Check for a short word in `script`, which may be a false friend of an equal word."""
    return len(word) < _SHORTEST_COGNATE and is_word(word) and _script_of(word[0]) == script


def letters_of(forms: Sequence[str]) -> _Letters:
    """Return the words of four letters or more, in Latin letters without diacritics."""
    # As `is_word`, whose calls would take as long as all of this.
    words = [
        k for k, word in enumerate(forms) if len(word) >= _SHORTEST_COGNATE and word[0].isalpha()
    ]
    plain = _plain([forms[k] for k in words])
    long = [
        (k, word) for k, word in zip(words, plain, strict=True) if len(word) >= _SHORTEST_COGNATE
    ]
    text = np.array([word for _, word in long], dtype=f"U{_COGNATE_LETTERS}")
    codes = text.view(np.uint32).reshape(-1, _COGNATE_LETTERS)
    number = np.array([k for k, _ in long], dtype=np.int64)
    return _Letters(number, codes, np.count_nonzero(codes, axis=1))


def _plain(words: list[str]) -> list[str]:
    """Transliterate words to Latin letters without diacritics."""
    other = [k for k, word in enumerate(words) if not word.isascii()]
    if not other:
        return words
    bare = unicodedata.normalize("NFD", "\n".join(words[k] for k in other))
    signs = dict.fromkeys(ord(c) for c in set(bare) if unicodedata.combining(c))
    result = list(words)
    for k, word in zip(other, bare.translate(signs | _ROMAN).split("\n"), strict=True):
        result[k] = word
    return result


def _grams(words: _Letters) -> Keyed:
    """Key words by their letter trigrams, in which both ends are letters."""
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


def _candidates(a: _Letters, b: _Letters) -> tuple[Ints, Ints]:
    """Return pairs of words with two common trigrams, or one and the same first three letters."""
    grams, others = _grams(a), _grams(b)
    if (kernels := word_kernels.after(len(grams.key) + len(others.key))) is not None:
        return _candidates_by_kernel(kernels, (a, grams), (b, others))
    # A pair is taken apart by shifts, quicker than division.
    bits = len(b.codes).bit_length()
    pairs = sharing(grams, others, wide=1 << bits, most=_MOST_COMPARED)
    first = np.flatnonzero(opens(pairs))
    keys, size = pairs[first], len(pairs)
    del pairs
    often = first != size - 1
    np.greater(first[1:] - first[:-1], 1, out=often[:-1])
    once = np.flatnonzero(~often)
    del first
    left, right = _first_three(a), _first_three(b)
    for start in range(0, len(once), _WORDS_AT_ONCE):
        batch = once[start : start + _WORDS_AT_ONCE]
        often[batch] = left[keys[batch] >> bits] == right[keys[batch] & (1 << bits) - 1]
    keys = keys[often].astype(np.int64)
    return keys >> bits, keys & (1 << bits) - 1


def _candidates_by_kernel(
    kernels: WordKernels, left: tuple[_Letters, Keyed], right: tuple[_Letters, Keyed]
) -> tuple[Ints, Ints]:
    """Return the same by a compiled kernel."""
    (a, grams), (b, others) = left, right
    count, first, number = _met_rarely(grams, others, _MOST_COMPARED)
    rows, columns = len(a.codes), len(b.codes)
    found, ends = np.empty(int(count @ number), dtype=np.int32), np.empty(rows + 1, dtype=np.int64)
    size = kernels.common_keys(
        *(np.repeat(np.arange(len(count), dtype=np.int32), count), grams.word),
        *(first, number, others.word, _first_three(a), _first_three(b)),
        *(np.empty(len(grams.word), dtype=np.int32), np.empty((2, columns), dtype=np.int32)),
        *(found, ends),
    )
    return np.repeat(np.arange(rows), np.diff(ends)), found[:size].astype(np.int64)


def _first_three(words: _Letters) -> Ints:
    """Return the first three letters of each word as one number."""
    codes = words.codes[:, :3].astype(np.int64)
    return codes[:, 0] << 42 | codes[:, 1] << 21 | codes[:, 2]


class _Likeness:
    """Similarity of words: Dice coefficient of letter bigrams, or relative length of the prefix.

    The similarity is the higher of both values, or 0 if the Dice coefficient is below 0.5.
    """

    def __init__(self, a: _Letters, b: _Letters) -> None:
        letters = distinct(np.concatenate([a.codes.ravel(), b.codes.ravel()]))
        # The paddings -1 and -2 match nothing; repeats of a bigram become padding, and count once.
        self._left = _bigrams(a, letters, behind=-1)
        for begin in range(0, len(a.codes), _WORDS_AT_ONCE):
            batch = self._left[:, begin : begin + _WORDS_AT_ONCE]
            for k in range(len(batch) - 1, 0, -1):
                batch[k, (batch[:k] == batch[k]).any(axis=0)] = -1
        self._right = _bigrams(b, letters, behind=-2)
        self._bits = _bits_of(self._left), _bits_of(self._right)
        # Bigrams of a word that have the bit of another one.
        bigrams = np.count_nonzero(self._left >= 0, axis=0)
        self._hidden = bigrams - np.bitwise_count(self._bits[0])
        self._letters = np.ascontiguousarray(a.codes.T), np.ascontiguousarray(b.codes.T)
        self._sizes = a.size, b.size

    def of(self, first: Ints, second: Ints) -> Floats:
        """Score the similarity of pairs of words."""
        # Sets of bits show that most pairs have too few common bigrams.
        most = np.bitwise_count(self._bits[0][first] & self._bits[1][second]) + self._hidden[first]
        possible = np.flatnonzero(_dice(most, *self._sizes_of(first, second)) >= _LEAST_DICE)
        result = np.zeros(len(first))
        first, second = first[possible], second[possible]
        x, y = self._left.take(first, axis=1), self._right.take(second, axis=1)
        shared = x == y[0]
        for other in y[1:]:
            shared |= x == other
        size, longest = self._sizes_of(first, second)
        dice = _dice(np.add.reduce(shared, axis=0, dtype=np.int8), size, longest)
        np.maximum(size, longest, out=longest)
        similar = np.flatnonzero(dice >= _LEAST_DICE)
        begun = self._begun(first[similar], second[similar])
        result[possible[similar]] = np.maximum(dice[similar], begun / longest[similar])
        return result

    def _begun(self, first: Ints, second: Ints) -> NDArray[np.int8]:
        """Return the number of letters with which both words of each pair begin."""
        begun = np.zeros(len(first), dtype=np.int8)
        is_same = np.ones(len(first), dtype=bool)
        for left, right in zip(*self._letters, strict=True):
            letters = left[first]
            is_same &= letters == right[second]
            is_same &= letters != 0
            if not is_same.any():
                break
            begun += is_same
        return begun

    def _sizes_of(self, first: Ints, second: Ints) -> tuple[Ints, Ints]:
        return self._sizes[0][first], self._sizes[1][second]


def _dice(shared: Ints, size: Ints, other: Ints) -> Floats:
    """Return the Dice coefficients of words with so many letters, and so many shared bigrams."""
    result: Floats = 2 * shared / (size + other + 2)
    return result


def _bits_of(bigrams: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Return a set of 64 bits for each word, in which each bigram has one of them."""
    bits = np.zeros(bigrams.shape[1], dtype=np.uint64)
    for row in bigrams:
        bit = np.uint64(1) << (row.astype(np.uint64) * np.uint64(_MIX) >> np.uint64(58))
        bits |= np.where(row >= 0, bit, np.uint64(0))
    return bits


def _bigrams(words: _Letters, letters: NDArray[np.uint32], *, behind: int) -> NDArray[np.integer]:
    """Return the letter bigrams of words, in which both ends are letters, as numbers from 0.

    `letters` are all letters of both vocabularies, ascending; `behind` is the padding after the end
    of a word. The result has the shape (letters of a word + 1, words).
    """
    wide = len(letters) + 1  # both ends are one letter more
    bigrams = np.empty(
        (_COGNATE_LETTERS + 1, len(words.codes)), dtype=np.min_scalar_type(-wide * wide)
    )
    for begin in range(0, len(words.codes), _WORDS_AT_ONCE):
        batch = slice(begin, begin + _WORDS_AT_ONCE)
        size = words.size[batch]
        rank = np.full((_COGNATE_LETTERS + 2, len(size)), wide - 1, dtype=np.int64)
        rank[1:-1] = np.searchsorted(letters, words.codes[batch].T)
        rank[size + 1, np.arange(len(size))] = wide - 1
        pairs = rank[:-1] * wide + rank[1:]
        pairs[np.arange(_COGNATE_LETTERS + 1)[:, None] >= size + 1] = behind
        bigrams[:, batch] = pairs
    return bigrams
