"""What was learned from a corpus, so that each of its texts is aligned by itself with it.

In a file these are the lines of a `Lexicon`, and lines whose first two columns are empty, which
those who want words only pass over:

    (nothing), (nothing), method, its name
    (nothing), (nothing), lengths, ratio, variance, means and spreads of source, target
    (nothing), (nothing), bead, 2-1, how many there were
    (nothing), (nothing), source, words, sentences
    (nothing), (nothing), source word, the word, how often it was met, in how many sentences

and as much of the target. Numbers are written so that they are read back exactly, chances of word
pairs with five digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import bead_types, learned_chances
from bitext.align.sentences.length_evidence import LengthModel
from bitext.align.sentences.lexicon import Lexicon
from bitext.align.sentences.vocabulary import is_word
from bitext.align.sentences.word_links import WordPairs
from bitext.errors import BitextError, FormatError
from bitext.kernels.rows import prefix
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.vocabulary import Vocabulary

__all__ = [
    "Knowledge",
    "KnownWords",
    "LexiconIndex",
    "is_turned",
    "knowledge_of_lines",
]

_SIDES = ("source", "target")
_CLEAR = 10  # words that the other direction must have more than twice as many
_FEWEST = 2  # times that a word was met which is written: of others the texts tell as much


class KnownWords(NamedTuple):
    """How often the words of one language were met.

    Attributes
    ----------
    counts : dict of str to (int, int)
        Of each word how often, and in how many sentences.
    total, sentences : int
        How many words and sentences there were.

    """

    counts: dict[str, tuple[int, int]]
    total: int
    sentences: int

    def of(self, words: Iterable[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how often each word was met, and in how many sentences."""
        found = [self.counts.get(word, (0, 0)) for word in words]
        table = np.array(found, dtype=np.float64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    def most_frequent(self, number: int = 2000) -> dict[str, int]:
        """Return how often the most frequent words were met."""
        met = ((count, word) for word, (count, _) in self.counts.items())
        return {word: count for count, word in nlargest(number, met)}


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """What was learned from a corpus.

    Attributes
    ----------
    method : str
        Of `SENTENCE_METHODS`: what lengths are counted in goes by it.
    lengths : LengthModel
    beads : dict of (int, int) to int
        How many there were of each kind.
    words : pair of KnownWords
        Of the source, and of the target.
    lexicon : Lexicon

    """

    method: str
    lengths: LengthModel
    beads: dict[tuple[int, int], int]
    words: tuple[KnownWords, KnownWords]
    lexicon: Lexicon

    def chances(self, kinds: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
        """Return how frequent beads of these kinds are; the sum is 1."""
        return learned_chances(kinds, np.array([self.beads.get(kind, 0) for kind in kinds], float))

    def lines(self) -> Iterator[str]:
        """Yield the lines of a file."""
        model = self.lengths
        numbers = (model.ratio, model.variance, *model.means, *model.spreads)
        yield f"\t\tmethod\t{self.method}"
        yield "\t\tlengths\t" + "\t".join(map(repr, numbers))
        for (a, b), count in self.beads.items():
            yield f"\t\tbead\t{a}-{b}\t{count}"
        for side, words in zip(_SIDES, self.words, strict=True):
            yield f"\t\t{side}\t{words.total}\t{words.sentences}"
        yield from self.lexicon.lines()
        for side, words in zip(_SIDES, self.words, strict=True):
            for word, (count, sentences) in words.counts.items():
                if count >= _FEWEST:
                    yield f"\t\t{side} word\t{word}\t{count}\t{sentences}"


def knowledge_of_lines(
    lines: Iterable[str], *, path: str = "the lexicon"
) -> tuple[Lexicon, Knowledge | None]:
    """Read a file: its lexicon, and what else was learned; `None` where it is a lexicon only.

    Raises
    ------
    FormatError
        When a line is not as `Knowledge.lines` or `Lexicon.lines` writes them, with its number.

    """
    read = _Reading(path)
    lexicon = Lexicon.of_lines(read.passed(lines), path=path)
    return lexicon, read.knowledge(lexicon)


class _Reading:
    """The lines that are no words, on their way."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.method = ""
        self.lengths: LengthModel | None = None
        self.beads: dict[tuple[int, int], int] = {}
        self.totals = [(0, 0), (0, 0)]
        self.counts: tuple[dict[str, tuple[int, int]], ...] = ({}, {})

    def passed(self, lines: Iterable[str]) -> Iterator[str]:
        for number, line in enumerate(lines, start=1):
            if line.startswith("\t\t"):
                try:
                    self._take(line.rstrip("\r\n").split("\t")[2:])
                except (ValueError, KeyError, IndexError, BitextError):
                    writer = remedy("save-lexicon", command="align")
                    raise FormatError(
                        f"want what {writer} writes; this line was changed or cut",
                        path=self.path,
                        line=number,
                    ) from None
            yield line

    def _take(self, cells: list[str]) -> None:
        name, values = cells[0], cells[1:]
        if name.endswith(" word"):
            word, count, sentences = values
            self.counts[_SIDES.index(name[:6])][word] = _count(count), _count(sentences)
        elif name in _SIDES:
            total, sentences = values
            self.totals[_SIDES.index(name)] = _count(total), _count(sentences)
        elif name == "bead":
            a, b = map(int, values[0].split("-"))
            if (a, b) not in bead_types([(a, b)]):
                raise ValueError
            self.beads[a, b] = _count(values[1])
        elif name == "lengths":
            ratio, variance, *means, first, second = map(float, values)
            above = (ratio, variance, first, second)
            if len(means) != 2 or not (
                all(0 < value < np.inf for value in above) and np.isfinite(means).all()
            ):
                raise ValueError
            self.lengths = LengthModel(ratio, variance, (means[0], means[1]), (first, second))
        elif name == "method":
            (self.method,) = values
        else:
            raise ValueError

    def knowledge(self, lexicon: Lexicon) -> Knowledge | None:
        if self.lengths is None:
            return None
        words = [
            KnownWords(counts, *total)
            for counts, total in zip(self.counts, self.totals, strict=True)
        ]
        both = words[0], words[1]
        return Knowledge(self.method, self.lengths, self.beads, both, lexicon)


def _count(cell: str) -> int:
    """Return a number of beads, words or sentences."""
    count = int(cell)
    if count < 0:
        raise ValueError
    return count


class LexiconIndex:
    """A lexicon of which what concerns a text is found in time that the text takes alone.

    Parameters
    ----------
    lexicon : Lexicon
        Its pairs ascending by source.

    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        pairs = lexicon.pairs
        self._ptr = prefix(np.bincount(pairs.src, minlength=len(lexicon.src)))
        self._here = np.full(len(lexicon.tgt), -1, dtype=np.int32)

    def onto(self, src: Vocabulary, tgt: Vocabulary) -> WordPairs:
        """Return what `Lexicon.onto` does."""
        lexicon, pairs, ptr = self.lexicon, self.lexicon.pairs, self._ptr
        x, y = lexicon.src.find(src.forms), lexicon.tgt.find(tgt.forms)
        mine, others = np.flatnonzero(x >= 0), np.flatnonzero(y >= 0)
        self._here[y[others]] = others
        many = ptr[x[mine] + 1] - ptr[x[mine]]
        link = np.arange(many.sum()) + np.repeat(ptr[x[mine]] - prefix(many)[:-1], many)
        found = self._here[pairs.tgt[link]]
        self._here[y[others]] = -1
        kept = np.flatnonzero(found >= 0)
        source, target = np.repeat(mine, many)[kept].astype(np.int32), found[kept]
        order = np.lexsort((target, source))
        link = link[kept][order]
        known = [
            _shares_of(share, at) for share, at in ((pairs.known_src, x), (pairs.known_tgt, y))
        ]
        return WordPairs(
            source[order], target[order], pairs.forward[link], pairs.backward[link], *known
        )


def is_turned(lexicon: Lexicon, src: Vocabulary, tgt: Vocabulary) -> bool:
    """Tell whether a lexicon is of the other direction: it clearly has more words of two texts so.

    Examples
    --------
    >>> from bitext.align.sentences.vocabulary import Vocabulary
    >>> words = [Vocabulary(f"{side}{chr(k)}" for k in range(97, 123)) for side in "xy"]
    >>> lexicon = Lexicon.of_entries(zip(words[0].forms, words[1].forms, strict=True))
    >>> is_turned(lexicon, *words), is_turned(lexicon, *words[::-1])
    (False, True)

    """
    sides = [[form for form in side.forms if is_word(form)] for side in (src, tgt)]
    given, turned = (
        sum(int((held.find(forms) >= 0).sum()) for held, forms in zip(order, sides, strict=True))
        for order in ((lexicon.src, lexicon.tgt), (lexicon.tgt, lexicon.src))
    )
    return turned > 2 * given + _CLEAR


def _shares_of(share: NDArray[np.float64], at: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the shares of some words; 0 of those that have none."""
    found = np.zeros(len(at))
    inside = np.flatnonzero((at >= 0) & (at < len(share)))
    found[inside] = share[at[inside]]
    return found
