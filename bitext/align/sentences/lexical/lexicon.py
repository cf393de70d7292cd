"""Bilingual lexicon: word pairs with translation probabilities.

A lexicon is learned from texts (`translation_model`), made from the entries of a dictionary, or
loaded from a file. A file has lines of four columns, divided by tabs, for word pairs,

    source word, target word, t(target|source), t(source|target)

and lines with one empty word for the share of the other word that links explain, 0 to 0.8:

    source word, (empty), share
    (empty), target word, share

Lines of four or more columns of which the first two are empty have other statistics of a corpus
(`corpus`), and are skipped.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.lexical import Vocabulary, words_of
from bitext.align.sentences.lexical.cognates import letters_of
from bitext.align.sentences.lexical.word_links import WordPairs, join_pairs
from bitext.errors import FormatError, InputError, many, remedy
from bitext.kernels.arrays import Floats, Ints, prefix
from bitext.paths import path_name, replace_file

# Set by hand: the only translation in a dictionary is as probable as an equal word (`cognates`).
_ENTRY_PROBABILITY = 0.5  # probability of the only translation in a dictionary
_ENTRY_SHARE = 0.5  # share of a dictionary word that its entry explains
_LARGEST_SHARE = 0.8  # largest share of a word that is explained: `FREQUENT` of `translation_model`
_DIGITS = 5  # significant digits of probabilities in a file


class Lexicon:
    """Word pairs of two languages with translation probabilities.

    Parameters
    ----------
    src, tgt : Vocabulary
    pairs : WordPairs
        The pairs, in the numbers of these vocabularies.

    Examples
    --------
    >>> lexicon = Lexicon.of_entries([("Haus", "maison"), ("Hund", "chien")])
    >>> lexicon
    <Lexicon: 2 pairs of 2 and 2 words>
    >>> list(lexicon.lines())[0].split()
    ['haus', 'maison', '0.5', '0.5']

    """

    __slots__ = ("pairs", "src", "tgt")

    def __init__(self, src: Vocabulary, tgt: Vocabulary, pairs: WordPairs) -> None:
        sizes = len(pairs.known_src), len(pairs.known_tgt)
        if sizes[0] > len(src) or sizes[1] > len(tgt):
            raise InputError(
                f"the word pairs are of {sizes[0]} and {sizes[1]} words, the vocabularies of "
                f"{len(src)} and {len(tgt)}: give those that the pairs were learned with"
            )
        self.src, self.tgt, self.pairs = src, tgt, pairs

    @classmethod
    def of_entries(
        cls,
        entries: Iterable[Sequence[str | float]],
        *,
        tokens: tuple[Container[str], Container[str]] = ((), ()),
    ) -> Lexicon:
        """Make a lexicon from the entries of a dictionary.

        Parameters
        ----------
        entries : iterable of (str, str) or (str, str, float), or dict of str to str
            Source term, target term, and optionally the weight of the entry, 0 or more; weights
            above 1 count as 1. Each word of a source term is linked with each word of the target
            term; links of longer terms have lower probabilities.
        tokens : two collections of str
            Words of the source and of the target text, in lower case, that stay whole in terms,
            although sentence alignment divides them: `aujourd'hui`, and Chinese words.

        Raises
        ------
        InputError
            When an entry has another shape; the message has the number of the entry.

        """
        src, tgt = Vocabulary(), Vocabulary()
        source: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
        target, worth = list(source), [np.zeros(0)]
        if isinstance(entries, Mapping):
            entries = list(entries.items())
        if isinstance(entries, str | os.PathLike):
            raise InputError(
                f"the dictionary is {os.fspath(entries)!r:.60}: want pairs of terms, as "
                f"bitext.formats.dictionaries.read_dictionary reads them from a file"
            )
        for number, entry in enumerate(entries, start=1):
            # The two letters of a word are no entry.
            if (
                isinstance(entry, str)
                or not 2 <= len(entry) <= 3
                or not all(isinstance(term, str) for term in entry[:2])
            ):
                raise InputError(
                    f"entry {number} is {entry!r:.60}: want a source and a target term"
                )
            first, second = (
                side.numbers(_terms(str(term), whole))
                for side, term, whole in zip((src, tgt), entry, tokens)  # noqa: B905 - without weight
            )
            weight = entry[2] if len(entry) == 3 else 1.0
            if not (isinstance(weight, Real) and isfinite(weight) and weight >= 0):
                raise InputError(f"entry {number} is {entry!r:.60}: want a worth of 0 or more")
            value = min(float(weight), 1.0)
            pair_count = len(first) * len(second)
            source.append(np.repeat(first, len(second)))
            target.append(np.tile(second, len(first)))
            worth.append(np.full(pair_count, value / max(len(first), len(second), 1)))
        x, y = np.concatenate(source), np.concatenate(target)
        values = np.concatenate(worth)
        # The more translations a word has, the less probable each one is.
        forward = _ENTRY_PROBABILITY * values / np.sqrt(np.bincount(x, minlength=len(src))[x])
        backward = _ENTRY_PROBABILITY * values / np.sqrt(np.bincount(y, minlength=len(tgt))[y])
        known = np.zeros(len(src)), np.zeros(len(tgt))
        np.maximum.at(known[0], x, _ENTRY_SHARE * values)
        np.maximum.at(known[1], y, _ENTRY_SHARE * values)
        return cls(src, tgt, join_pairs([WordPairs(x, y, forward, backward, *known)]))

    @classmethod
    def of_lines(cls, lines: Iterable[str], *, path: str = "the lexicon") -> Lexicon:
        """Make a lexicon from the lines of a file.

        Raises
        ------
        FormatError
            When a line is not in the format of `lines`; with the number of the line.

        """
        src, tgt = Vocabulary(), Vocabulary()
        rows: list[tuple[int, int, float, float]] = []
        explained: tuple[dict[int, float], dict[int, float]] = ({}, {})
        for number, line in enumerate(lines, start=1):
            cells = normalize("NFC", line.rstrip("\r\n")).split("\t")  # as words of texts are
            if line.startswith("\t\t") and len(cells) > 3:
                continue  # statistics of lengths and beads
            try:
                values = [float(cell) for cell in cells[2:]]
            except ValueError:
                values = []
            both = 4 <= len(cells) <= 5 and bool(cells[0] and cells[1])
            del values[2:]  # the number of links, as `bitext link` writes it
            one = len(cells) == 3 and bool(cells[0]) != bool(cells[1])
            if not (both or one) or not values or not all(0 <= value <= 1 for value in values):
                raise FormatError(
                    f"want two words and two chances from 0 to 1, divided by tabs, as "
                    f"{remedy('save-lexicon', command='align', python='Lexicon.save')} writes them",
                    path=path,
                    line=number,
                )
            if both:
                first, second = int(src.numbers(cells[:1])[0]), int(tgt.numbers(cells[1:2])[0])
                rows.append((first, second, values[0], values[1]))
            elif cells[0]:
                explained[0][int(src.numbers(cells[:1])[0])] = values[0]
            else:
                explained[1][int(tgt.numbers(cells[1:2])[0])] = values[0]
        table = np.array(rows, dtype=np.float64).reshape(-1, 4)
        x, y = table[:, 0].astype(np.int32), table[:, 1].astype(np.int32)
        known = []
        for words, shares in ((src, explained[0]), (tgt, explained[1])):
            share = np.zeros(len(words))
            share[list(shares)] = np.minimum(list(shares.values()), _LARGEST_SHARE)
            known.append(share)
        if not any(explained):  # `bitext link` writes no shares: those of a dictionary
            np.maximum.at(known[0], x, _ENTRY_SHARE * (table[:, 2] > 0))
            np.maximum.at(known[1], y, _ENTRY_SHARE * (table[:, 3] > 0))
        pairs = WordPairs(x, y, table[:, 2], table[:, 3], known[0], known[1])
        return cls(src, tgt, join_pairs([pairs]))

    @classmethod
    def load(cls, path: str | Path) -> Lexicon:
        """Read a lexicon from a file in UTF-8.

        Raises
        ------
        FormatError
            When the file is not a lexicon; with the number of the line.
        InputError
            When the file cannot be read.

        """
        try:
            with Path(path_name(path)).open(encoding="utf-8", newline="\n") as lines:
                return cls.of_lines(lines, path=str(path))
        except UnicodeDecodeError as error:
            raise FormatError("is not in UTF-8: convert it", path=str(path)) from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error

    def save(self, path: str | Path) -> None:
        """Write the lexicon to a file in UTF-8, which appears once all lines are written.

        Raises
        ------
        InputError
            When the path is a folder, a link or a device, or cannot be written to.

        """
        with replace_file(path) as out:
            out.writelines(f"{line}\n".encode() for line in self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file format, pairs first."""
        src, tgt, pairs = self.src.forms, self.tgt.forms, self.pairs
        # Probabilities in a file are at most 1 (`of_lines`).
        probabilities = (np.minimum(column, 1.0) for column in pairs[2:4])
        columns = (column.tolist() for column in (*pairs[:2], *probabilities))
        for first, second, forward, backward in zip(*columns, strict=True):
            both = f"{forward:.{_DIGITS}g}\t{backward:.{_DIGITS}g}"
            yield f"{src[first]}\t{tgt[second]}\t{both}"
        for number in np.flatnonzero(pairs.known_src).tolist():
            yield f"{src[number]}\t\t{pairs.known_src[number]:.{_DIGITS}g}"
        for number in np.flatnonzero(pairs.known_tgt).tolist():
            yield f"\t{tgt[number]}\t{pairs.known_tgt[number]:.{_DIGITS}g}"

    def onto(self, src: Vocabulary, tgt: Vocabulary) -> WordPairs:
        """Renumber the pairs for other vocabularies; pairs with an unknown word are left out."""
        place = src.find(self.src.forms), tgt.find(self.tgt.forms)
        pairs = self.pairs
        x, y = place[0][pairs.src], place[1][pairs.tgt]
        present = np.flatnonzero((x >= 0) & (y >= 0))
        known = []
        for at, share, size in (
            (place[0], pairs.known_src, len(src)),
            (place[1], pairs.known_tgt, len(tgt)),
        ):
            in_forms = np.flatnonzero(at[: len(share)] >= 0)
            put = np.zeros(size)
            put[at[in_forms]] = share[in_forms]
            known.append(put)
        probabilities = pairs.forward[present], pairs.backward[present]
        return join_pairs([WordPairs(x[present], y[present], *probabilities, known[0], known[1])])

    def swapped(self) -> Lexicon:
        """Return the lexicon of the opposite direction."""
        one = self.pairs
        pairs = WordPairs(one.tgt, one.src, one.backward, one.forward, one.known_tgt, one.known_src)
        return Lexicon(self.tgt, self.src, join_pairs([pairs]))

    def merged(self, other: Lexicon) -> Lexicon:
        """Return the union of two lexicons, with the higher values of each pair and each word."""
        src = Vocabulary([*self.src.forms, *other.src.forms])
        tgt = Vocabulary([*self.tgt.forms, *other.tgt.forms])
        return Lexicon(src, tgt, join_pairs([self.onto(src, tgt), other.onto(src, tgt)]))

    @staticmethod
    def check(lexicon: object) -> None:
        """Refuse a value of another class, such as the name of a file.

        Raises `InputError` with the way to load a lexicon.
        """
        if not isinstance(lexicon, Lexicon):
            raise InputError(
                f"the lexicon is {lexicon!r:.60}: want a Lexicon, as Lexicon.load('en-fr.lexicon')"
            )

    def __len__(self) -> int:
        return len(self.pairs.src)

    def __repr__(self) -> str:
        return f"<Lexicon: {many(len(self), 'pair')} of {len(self.src)} and {len(self.tgt)} words>"


def _terms(term: str, tokens: Container[str] = ()) -> list[str]:
    """Return the words of a term, without punctuation marks unless there are no words.

    The `tokens` of a text stay whole.
    """
    whole = normalize("NFC", term.strip().lower())
    if whole in tokens:
        return [whole]
    parts = whole.split() if tokens else [term]
    words = [word for part in parts for word in ([part] if part in tokens else words_of(part))]
    if whole in words:
        return [whole]
    words = list(dict.fromkeys(words))
    return [word for word in words if word[0].isalnum()] or words


# Dictionary entries matched with the words of two texts, inflected forms included.
#
# A dictionary has `Haus` and `dolgozik`; a text has `Hauses` and `dolgozott`. Inflection mostly
# changes the end of a word, so words of a text with a long prefix of the word of an entry match the
# entry, with a lower probability. This crude rule serves any language that is written with letters;
# in scripts without spaces, words match as a whole or not at all.

# Set by hand: without a dictionary none of these is reached.
BEGINNING = 4  # letters: shortest common prefix of two forms of a word
_LEAST_DICE = 0.7  # smallest Dice coefficient of the common prefix of two forms
# Factor of the probability of an inflected form, times the Dice coefficient
_INFLECTED_FACTOR = 0.6
_MOST_COMPARED = 2_000_000  # word pairs with a common prefix: bounds the work
_MOST_PAIRS = 2_000_000  # pairs of forms: bounds memory
# Probability below which a pair is dropped: its words are in very many entries
_LEAST_PROBABILITY = 0.03


class _Forms(NamedTuple):
    """Forms in a text of dictionary word k: `text[ptr[k]:ptr[k + 1]]`, and their weights."""

    ptr: Ints
    text: Ints
    worth: Floats


def inflected(
    lexicon: Lexicon,
    src: Vocabulary,
    tgt: Vocabulary,
    *,
    most: int = _MOST_PAIRS,
    compared: int = _MOST_COMPARED,
) -> WordPairs:
    """Renumber the pairs of a lexicon for two vocabularies, and add pairs of inflected forms.

    To the pairs of `Lexicon.onto`, those of inflected forms are added. A form and the word of an
    entry share a prefix of at least four letters, with a Dice coefficient of at least 0.7. The
    probabilities are those of the entry, times at most 0.6 for each inflected side. Pairs with a
    probability below 0.03 in both directions are left out: words in very many entries, such as
    single ideographs.

    `most` bounds the pairs of forms; entries with very many forms are left out first. `compared`
    bounds the comparisons of words with a common prefix, in each language.

    Examples
    --------
    >>> from bitext.align.sentences.lexical.lexicon import Lexicon
    >>> from bitext.align.sentences.lexical import Vocabulary
    >>> entries = Lexicon.of_entries([("Haus", "maison")])
    >>> pairs = inflected(entries, Vocabulary(["hauses", "haut"]), Vocabulary(["maison"]))
    >>> pairs.src.tolist(), pairs.tgt.tolist(), pairs.forward.round(2).tolist()
    ([0], [0], [0.24])

    """
    exact, pairs = lexicon.onto(src, tgt), lexicon.pairs
    sides = _forms(lexicon.src, src, compared), _forms(lexicon.tgt, tgt, compared)
    counts = [np.diff(forms.ptr) for forms in sides]
    pair_counts = counts[0][pairs.src] * counts[1][pairs.tgt]
    # Words with very many forms are short prefixes: above `most` their entries are left out.
    order = np.argsort(pair_counts, kind="stable")
    chosen = np.sort(order[np.cumsum(pair_counts[order]) <= most])
    chosen = chosen[pair_counts[chosen] > 0]
    pair_index = np.repeat(chosen, pair_counts[chosen])
    inner = np.arange(len(pair_index)) - np.repeat(
        prefix(pair_counts[chosen])[:-1], pair_counts[chosen]
    )
    across = counts[1][pairs.tgt[pair_index]]
    first = sides[0].ptr[pairs.src[pair_index]] + inner // np.maximum(across, 1)
    second = sides[1].ptr[pairs.tgt[pair_index]] + inner % np.maximum(across, 1)
    worth = sides[0].worth[first] * sides[1].worth[second]
    x, y = sides[0].text[first], sides[1].text[second]
    known = np.zeros(len(src)), np.zeros(len(tgt))
    np.maximum.at(known[0], x, worth * pairs.known_src[pairs.src[pair_index]])
    np.maximum.at(known[1], y, worth * pairs.known_tgt[pairs.tgt[pair_index]])
    more = WordPairs(
        x.astype(np.int32),
        y.astype(np.int32),
        worth * pairs.forward[pair_index],
        worth * pairs.backward[pair_index],
        *known,
    )
    joined = join_pairs([exact, join_pairs([more])])
    informative = np.flatnonzero(np.maximum(joined.forward, joined.backward) >= _LEAST_PROBABILITY)
    return joined._replace(
        src=joined.src[informative],
        tgt=joined.tgt[informative],
        forward=joined.forward[informative],
        backward=joined.backward[informative],
    )


def _forms(dictionary: Vocabulary, text: Vocabulary, compared: int) -> _Forms:
    forms = dictionary.forms
    equal = text.find(forms).astype(np.int64)
    same = np.flatnonzero(equal >= 0)
    word, number, similarities = _begun_alike(forms, text.forms, compared)
    other = equal[word] != number
    word = np.concatenate([same, word[other]])
    number = np.concatenate([equal[same], number[other]])
    worth = np.concatenate([np.ones(len(same)), _INFLECTED_FACTOR * similarities[other]])
    order = np.lexsort((number, word))
    ptr = prefix(np.bincount(word, minlength=len(forms)))
    return _Forms(ptr, number[order], worth[order])


def _begun_alike(
    forms: Sequence[str], others: Sequence[str], compared: int
) -> tuple[Ints, Ints, Floats]:
    """Return the pairs of words with a long common prefix, and their Dice coefficients."""
    a, b = letters_of(forms), letters_of(others)
    begun = []
    for words in (a, b):
        key = np.zeros(len(words.codes), dtype=np.int64)
        for k in range(BEGINNING):
            key = key * 1_000_003 + words.codes[:, k]
        begun.append(key)
    order = np.argsort(begun[1], kind="stable")
    ordered = begun[1][order]
    begin = np.searchsorted(ordered, begun[0])
    count = np.searchsorted(ordered, begun[0], side="right") - begin
    rare = np.argsort(count, kind="stable")
    chosen = np.sort(rare[np.cumsum(count[rare]) <= compared])
    first = np.repeat(chosen, count[chosen])
    inner = np.arange(len(first)) - np.repeat(prefix(count[chosen])[:-1], count[chosen])
    second = order[begin[first] + inner]
    x, y = a.codes[first], b.codes[second]
    common = np.logical_and.accumulate((x == y) & (x != 0), axis=1).sum(axis=1)
    similarities = 2 * common / (a.size[first] + b.size[second])
    good = np.flatnonzero((common >= BEGINNING) & (similarities >= _LEAST_DICE))
    return a.number[first[good]], b.number[second[good]], similarities[good]
