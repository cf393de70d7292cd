"""How similar sentences are by the word sequences that they share, names and figures apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.words.names import Names, dated, is_number
from bitext.kernels.rows import Rows, prefix
from bitext.kernels.shared_features import shared_features
from bitext.model.sentence import is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model import Sentence

__all__ = ["generic_words", "ngram_similarity"]

_NAME, _NUMBER, _DATE = "<name>", "<number>", "<date>"


def generic_words(sentences: Sequence[Sentence]) -> list[list[str]]:
    """Return the words of sentences, casefolded, each name, number and date as one generic word.

    Punctuation is left out. Sentences that differ in names and figures alone are equal then.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> generic_words([Sentence("On May 5 , 2003 some 40 people left New York .".split())])
    [['on', '<date>', 'some', '<number>', 'people', 'left', '<name>']]

    """
    names = Names(sentences)
    out = []
    for sentence in sentences:
        forms = sentence.forms
        ends = dict(names.runs(sentence))
        words: list[str] = []
        place = 0
        while place < len(forms):
            form = forms[place]
            if place in ends:
                words.append(_NAME)
                place = ends[place]
                continue
            if dated(form):
                if words and words[-1] == _NUMBER:  # 5 May
                    words.pop()
                if not words or words[-1] != _DATE:
                    words.append(_DATE)
            elif is_number(form):
                if not words or words[-1] != _DATE:  # May 5, 2003
                    words.append(_NUMBER)
            elif is_word(form):
                words.append(form.casefold())
            place += 1
        out.append(words)
    return out


def ngram_similarity(sentences: Sequence[Sentence], *, n: int = 4) -> NDArray[np.float64]:
    """Return the n-gram overlap of each two sentences: 0 (nothing shared) to 1 (equal).

    Of all sequences of 1 to `n` words, twice the number that both have over the number of the one
    and of the other; what a sentence has several times counts as often as both have it. Words
    are those of `generic_words`. A sentence of punctuation alone is similar to none.

    Returns
    -------
    array of float64, shape (sentences, sentences)
        Symmetric. Equal shares are equal numbers.

    """
    numbers: dict[tuple[object, ...], int] = {}
    features: list[list[int]] = []
    for words in generic_words(sentences):
        times: dict[tuple[str, ...], int] = {}
        row = []
        for size in range(1, n + 1):
            for start in range(len(words) - size + 1):
                gram = tuple(words[start : start + size])
                times[gram] = times.get(gram, 0) + 1
                # The second of its kind in one sentence meets the second of another.
                row.append(numbers.setdefault((times[gram], *gram), len(numbers)))
        features.append(row)
    lengths = np.array([len(row) for row in features], dtype=np.int64)
    flat = np.array([number for row in features for number in row], dtype=np.int64)
    shared = shared_features(Rows(prefix(lengths), flat))
    out = np.zeros(shared.shape)
    for number, length in enumerate(lengths.tolist()):
        both = np.maximum(lengths + length, 1)  # two sentences without words share nothing
        np.divide(2 * shared[number], both, out=out[number])
    return out
