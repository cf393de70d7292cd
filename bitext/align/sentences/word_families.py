"""Words that begin alike taken together, as most of them are forms of one word.

Of a short text most words are met once or twice, and of languages that inflect, each time in
another form: a lexicon of forms learns little from it. Taken together, the forms of a word are met
often enough, and what is learned of them holds for each. To cut words off behind some letters is
so crude that it serves any language that is written with letters; what is written without spaces
is in pieces already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.vocabulary import is_word
from bitext.align.sentences.word_links import WordPairs, join_pairs
from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Families", "beginning_of", "of_members"]

_LETTERS = 4  # that the forms of a word have in common
_SYLLABLES = 2  # in Hangul, where a sign is a syllable
_HANGUL = re.compile("[\uac00-\ud7a3]")
# What Arabic writes together with a word: and, so; in, as, to; the.
_ARTICLE = re.compile(
    "^(?:[\u0648\u0641]?[\u0628\u0643]?\u0627\u0644|[\u0648\u0641]?\u0644\u0644)(?=...)"
)
_FORMS = 300  # pairs of forms of two families: of more these are no forms of one word
_PAIRS = 200_000  # pairs of forms in all


def beginning_of(word: str) -> str:
    """Return what the forms of a word have in common.

    Examples
    --------
    >>> [beginning_of(word) for word in ("ünnepelte", "ünnepi", "ünnep", "1848", "الكتاب")]
    ['ünne', 'ünne', 'ünne', '1848', 'كتاب']

    """
    if not is_word(word):
        return word
    if "\u0600" <= word[0] <= "\u06ff":
        word = _ARTICLE.sub("", word)
    return word[: _SYLLABLES if _HANGUL.match(word) else _LETTERS]


class Families(NamedTuple):
    """The words of a vocabulary by what they begin with.

    Attributes
    ----------
    of : array of int64, shape (vocabulary,)
        The number of the family of each word.
    size : int
        How many families there are.

    """

    of: NDArray[np.int64]
    size: int

    @classmethod
    def among(cls, forms: Sequence[str]) -> Families:
        """Return the families of the words of a vocabulary.

        Examples
        --------
        >>> Families.among(["celebrate", "day", "celebrations"])
        Families(of=array([0, 1, 0]), size=2)

        """
        number: dict[str, int] = {}
        found = [number.setdefault(beginning_of(form), len(number)) for form in forms]
        return cls(np.array(found, dtype=np.int64), len(number))

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of the values of the words of each family."""
        return np.bincount(self.of, values, self.size).astype(np.float64)

    def members(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the words by family, and where those of each begin; one place more at the end."""
        return np.argsort(self.of, kind="stable"), prefix(np.bincount(self.of, minlength=self.size))


def of_members(
    pairs: WordPairs,
    families: tuple[Families, Families],
    frequent: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> WordPairs:
    """Return what is known of pairs of families as pairs of their words.

    Parameters
    ----------
    pairs : WordPairs
        In the numbers of families.
    families : (Families, Families)
        Of the vocabularies of the source and of the target.
    frequent : two arrays of float64
        How frequent each word is.

    Returns
    -------
    WordPairs
        Each word of a family yields each of the other one, as likely as their families yield each
        other, by how frequent the word is among those of its family; and each is as much explained
        as its family is. Pairs of words that are alone in their families are left out. So are those
        of two families that have more than 300 pairs of words, and of the largest families, where
        they would be more than 200,000 together.

    Examples
    --------
    >>> families = Families.among(["ünnepi", "ünnepelte", "nap"]), Families.among(["celebrate"])
    >>> known = WordPairs.alike((np.array([0]), np.array([0])), np.array([0.5]), sizes=(2, 1))
    >>> found = of_members(known, families, (np.array([0.3, 0.1, 0.6]), np.array([1.0])))
    >>> found.src.tolist(), found.tgt.tolist(), found.forward.tolist(), found.backward.round(3)
    ([0, 1], [0, 0], [0.5, 0.5], array([0.375, 0.125]))
    >>> found.known_src.tolist()
    [0.5, 0.5, 0.0]

    """
    (src, src_ptr), (tgt, tgt_ptr) = (side.members() for side in families)
    across = np.diff(tgt_ptr)[pairs.tgt]
    many = np.diff(src_ptr)[pairs.src] * across
    order = np.argsort(many, kind="stable")
    order = order[np.cumsum(many[order]) <= _PAIRS]
    kept = np.sort(order[(many[order] > 1) & (many[order] <= _FORMS)])
    which = np.repeat(kept, many[kept])
    down, right = np.divmod(ranges(np.zeros(len(kept), np.int64), many[kept]), across[which])
    words = src[src_ptr[pairs.src[which]] + down], tgt[tgt_ptr[pairs.tgt[which]] + right]
    part = [
        one / np.maximum(side.sums(one)[side.of], 1e-300)
        for one, side in zip(frequent, families, strict=True)
    ]
    known = [np.zeros(len(one)) for one in frequent]
    np.maximum.at(known[0], words[0], pairs.known_src[pairs.src[which]])
    np.maximum.at(known[1], words[1], pairs.known_tgt[pairs.tgt[which]])
    return join_pairs(
        [
            WordPairs(
                words[0].astype(np.int32),
                words[1].astype(np.int32),
                pairs.forward[which] * part[1][words[1]],
                pairs.backward[which] * part[0][words[0]],
                *known,
            )
        ]
    )
