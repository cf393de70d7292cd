"""The words of a text, found by the kinds of its characters: no list of words, any script.

A word is a run of letters and digits, with the apostrophes and hyphens inside it; a character of a
script without spaces (Chinese, Japanese, Thai ...) is a word by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.characters import LETTERS, Kind, code_points, is_one_of, kinds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["NUMERAL", "Tokens"]

NUMERAL = "0"
"""The form of every word of digits only."""

_LONGEST_WORD = 40  # characters of a form that are looked at
_BREAK = "\n"


class Tokens:
    """The characters and the words of n sentences on one line.

    Parameters
    ----------
    sentences : sequence of str
        Any strings, empty ones too.

    Attributes
    ----------
    line : str
        The sentences, each with a line break after it.
    codes, kinds : arrays of uint32 and uint8, shape (characters,)
        The code point and the `Kind` of each character.
    starts, ends : arrays of int64, shape (n,)
        The span of each sentence on the line, half-open.
    letters : array of bool, shape (characters,)
        Where words are, their apostrophes and hyphens included.
    ptr : array of int64, shape (n + 1,)
        Sentence k has the words `ptr[k]` to `ptr[k + 1]`.
    begins, stops : arrays of int64, shape (words,)
        The span of each word on the line.
    forms : list of str
        The different words in lower case, ascending; numerals are one.
    ids : array of int64, shape (words,)
        The form of each word.

    Examples
    --------
    >>> tokens = Tokens(["Don't go, Ann!", "", "你好 42"])
    >>> tokens.ptr.tolist(), [tokens.forms[k] for k in tokens.ids]
    ([0, 3, 3, 6], ["don't", 'go', 'ann', '你', '好', '0'])

    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self.n = len(sentences)
        self.line = _BREAK.join(sentences) + _BREAK
        sizes = np.fromiter(map(len, sentences), dtype=np.int64, count=self.n)
        self.ends = np.cumsum(sizes + 1) - 1
        self.starts = self.ends - sizes
        self.codes = code_points(self.line)
        self.kinds = kinds_of(self.codes)
        self.begins, self.stops, self.letters = _word_spans(self.kinds)
        self.ptr = np.append(np.searchsorted(self.begins, self.starts), len(self.begins)).astype(
            np.int64
        )
        self.ids, self.forms = _forms(self.line, self.begins, self.stops)

    @property
    def sentence_of(self) -> NDArray[np.int64]:
        """The sentence of each word."""
        return np.repeat(np.arange(self.n), np.diff(self.ptr))


def _word_spans(
    kinds: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the starts and ends of words, and the characters within words. The last is a space."""
    letters = is_one_of(kinds, *LETTERS)
    joins = np.zeros(len(kinds), dtype=np.bool_)
    joins[1:-1] = is_one_of(kinds[1:-1], Kind.APOSTROPHE, Kind.HYPHEN)
    joins[1:-1] &= letters[:-2] & letters[2:]
    letters |= joins
    alone = kinds == Kind.SYLLABLE
    opens, shuts = alone.copy(), alone.copy()
    opens[0] |= letters[0]
    opens[1:] |= letters[1:] & ~letters[:-1]
    shuts[:-1] |= letters[:-1] & ~letters[1:]
    return np.flatnonzero(opens), np.flatnonzero(shuts) + 1, letters | alone


def _forms(
    line: str, begins: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[NDArray[np.int64], list[str]]:
    """Return the form of each word, and the different forms in order."""
    cut = np.minimum(stops, begins + _LONGEST_WORD)
    spelt: dict[str, int] = {}
    seen = [
        spelt.setdefault(line[begin:stop], len(spelt))
        for begin, stop in zip(begins.tolist(), cut.tolist(), strict=True)
    ]
    folded = [NUMERAL if word.isdigit() else word.lower() for word in spelt]
    forms = sorted(set(folded))
    place = {form: k for k, form in enumerate(forms)}
    of_spelling = np.array([place[form] for form in folded], dtype=np.int64)
    return of_spelling[np.array(seen, dtype=np.int64)], forms
