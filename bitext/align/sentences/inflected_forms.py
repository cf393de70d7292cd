"""The entries of a dictionary in the words of two texts, inflected ones with them.

A dictionary has `Haus`, `to go` or `dolgozik`; a text has `Hauses`, `gone` and `dolgozott`. What
inflection changes is most often the end, so the words of a text that have a long beginning in
common with the word of an entry stand for it, for less. This is so crude that it serves any
language that is written with letters; scripts without spaces have their words whole or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.cognates import letters_of
from bitext.align.sentences.word_links import WordPairs, join_pairs
from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.lexicon import Lexicon
    from bitext.align.sentences.vocabulary import Vocabulary

__all__ = ["BEGINNING", "inflected"]

BEGINNING = 4  # letters that two forms of a word have in common at least
_COMMON = 0.7  # and the share of their letters that this is
_WORTH = 0.6  # of a form that is not that of the entry
_COMPARED = 2_000_000  # pairs of words with a common beginning that are looked at
_PAIRS = 2_000_000  # pairs of forms that are made of entries
_LEAST = 0.03  # the chance of a pair that says something: others are of words that stand for any


class _Forms(NamedTuple):
    """The forms of a text for each word of a dictionary: `text[ptr[k]:ptr[k + 1]]`, their worth."""

    ptr: NDArray[np.int64]
    text: NDArray[np.int64]
    worth: NDArray[np.float64]


def inflected(lexicon: Lexicon, src: Vocabulary, tgt: Vocabulary) -> WordPairs:
    """Return the pairs of a lexicon in the numbers of two vocabularies, with inflected forms.

    Parameters
    ----------
    lexicon : Lexicon
        As of the entries of a dictionary.
    src, tgt : Vocabulary
        Of the texts.

    Returns
    -------
    WordPairs
        Those of `Lexicon.onto`, and pairs of forms that begin as the words of an entry do: two
        words with four letters in common or more, which are 70 % of their letters or more. Their
        chances are those of the entry, times at most 0.6 for each side that is inflected. Pairs
        with a chance below 0.03 both ways are left out: of words that stand in very many entries,
        as single ideographs do.

    Examples
    --------
    >>> from bitext.align.sentences.lexicon import Lexicon
    >>> from bitext.align.sentences.vocabulary import Vocabulary
    >>> entries = Lexicon.of_entries([("Haus", "maison")])
    >>> found = inflected(entries, Vocabulary(["hauses", "haut"]), Vocabulary(["maison"]))
    >>> found.src.tolist(), found.tgt.tolist(), found.forward.round(2).tolist()
    ([0], [0], [0.24])

    """
    exact, pairs = lexicon.onto(src, tgt), lexicon.pairs
    sides = _forms(lexicon.src, src), _forms(lexicon.tgt, tgt)
    counts = [np.diff(forms.ptr) for forms in sides]
    many = counts[0][pairs.src] * counts[1][pairs.tgt]
    # Words with very many forms are short beginnings of many: their entries are left out first.
    order = np.argsort(many, kind="stable")
    kept = np.sort(order[np.cumsum(many[order]) <= _PAIRS])
    kept = kept[many[kept] > 0]
    which = np.repeat(kept, many[kept])
    inner = np.arange(len(which)) - np.repeat(prefix(many[kept])[:-1], many[kept])
    across = counts[1][pairs.tgt[which]]
    first = sides[0].ptr[pairs.src[which]] + inner // np.maximum(across, 1)
    second = sides[1].ptr[pairs.tgt[which]] + inner % np.maximum(across, 1)
    worth = sides[0].worth[first] * sides[1].worth[second]
    x, y = sides[0].text[first], sides[1].text[second]
    known = np.zeros(len(src)), np.zeros(len(tgt))
    np.maximum.at(known[0], x, worth * pairs.known_src[pairs.src[which]])
    np.maximum.at(known[1], y, worth * pairs.known_tgt[pairs.tgt[which]])
    more = WordPairs(
        x.astype(np.int32),
        y.astype(np.int32),
        worth * pairs.forward[which],
        worth * pairs.backward[which],
        *known,
    )
    found = join_pairs([exact, join_pairs([more])])
    telling = np.flatnonzero(np.maximum(found.forward, found.backward) >= _LEAST)
    return found._replace(
        src=found.src[telling],
        tgt=found.tgt[telling],
        forward=found.forward[telling],
        backward=found.backward[telling],
    )


def _forms(given: Vocabulary, text: Vocabulary) -> _Forms:
    """Return the words of a text that are forms of each word of a dictionary."""
    forms = given.forms
    equal = text.find(forms).astype(np.int64)
    same = np.flatnonzero(equal >= 0)
    word, number, alike = _begun_alike(forms, text.forms)
    other = equal[word] != number
    word = np.concatenate([same, word[other]])
    number = np.concatenate([equal[same], number[other]])
    worth = np.concatenate([np.ones(len(same)), _WORTH * alike[other]])
    order = np.lexsort((number, word))
    ptr = prefix(np.bincount(word, minlength=len(forms)))
    return _Forms(ptr, number[order], worth[order])


def _begun_alike(
    forms: Sequence[str], others: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return pairs of words with a long common beginning, and the share of letters that it is."""
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
    kept = np.sort(rare[np.cumsum(count[rare]) <= _COMPARED])
    first = np.repeat(kept, count[kept])
    inner = np.arange(len(first)) - np.repeat(prefix(count[kept])[:-1], count[kept])
    second = order[begin[first] + inner]
    x, y = a.codes[first], b.codes[second]
    common = np.logical_and.accumulate((x == y) & (x != 0), axis=1).sum(axis=1)
    alike = 2 * common / (a.size[first] + b.size[second])
    good = np.flatnonzero((common >= BEGINNING) & (alike >= _COMMON))
    return a.number[first[good]], b.number[second[good]], alike[good]
