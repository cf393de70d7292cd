r"""An n-gram model from a file in the ARPA format, as SRILM, KenLM and IRSTLM write it.

The file has a section `\data\` with the number of n-grams of each order, then a section
`\k-grams:` for each order k, and `\end\`. A line of a section has, with blanks or tabs between,
the logarithm (base 10) of a probability, the k words and, where a longer n-gram begins with them,
the logarithm of a back-off weight. Other white space belongs to a word. The probability of a word
after others is that of the longest n-gram in the file that ends there, times the weights of the
longer histories that the file has. A logarithm of minus infinity is taken as -99, as SRILM writes
it, so that sentences that never should be can still be told apart.

A word is looked up as it is written, then casefolded, then folded (`word_forms`), then as `<unk>`.
Where the file has no `<unk>`, a word that it does not have is as probable as the rarest that it
has.
"""

from __future__ import annotations

import re
from math import isfinite, log2
from typing import TYPE_CHECKING

from bitext.errors import FormatError
from bitext.model.sentence import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["ArpaModel"]

_BITS = log2(10)
_AROUND = " \t\r\n"
_SECTION = re.compile(r"\\([0-9]{1,9})-grams:")
_COUNT = re.compile(r"(?:ngram)?[ \t]*([0-9]{1,9})[ \t]*=[ \t]*([0-9]{1,18})")
_BETWEEN = re.compile(r"[ \t]+")
_NEVER = -99.0  # the logarithm of what is not predicted
_BEGIN, _END, _UNKNOWN = "<s>", "</s>", "<unk>"

Gram = tuple[str, ...]


class ArpaModel:
    r"""A language model that others made.

    Parameters
    ----------
    lines : iterable of str
        The lines of the file.
    path : str
        Its name, for errors.

    Raises
    ------
    FormatError
        When the file is not in the format: with the line.

    Examples
    --------
    >>> text = "\\data\\\nngram 1=3\n\n\\1-grams:\n-0.5 a\n-1 b\n-0.25 </s>\n\n\\end\\"
    >>> model = ArpaModel(text.split("\n"), path="tiny.arpa")
    >>> round(model.log2([["a", "b"]])[0], 3)  # (-0.5 - 1 - 0.25) log2(10)
    -5.813

    """

    def __init__(self, lines: Iterable[str], *, path: str) -> None:
        self._chance: dict[Gram, float] = {}
        self._weight: dict[Gram, float] = {}
        self.order = 0
        for number, order, line in _entries(lines, path):
            self.order = max(self.order, order)
            fields = _BETWEEN.split(line.strip(_AROUND))
            if not order + 1 <= len(fields) <= order + 2:
                raise FormatError(
                    f"found {line.strip()!r:.60}: want a logarithm, {order} words and perhaps a "
                    f"back-off weight",
                    path=path,
                    line=number,
                )
            gram = tuple(fields[1 : order + 1])
            if gram in self._chance:
                told = " ".join(gram)
                raise FormatError(
                    f"has the n-gram {told!r:.60} again: want each once", path=path, line=number
                )
            chance = _logarithm(fields[0])
            weight = _logarithm(fields[-1]) if len(fields) == order + 2 else 0.0
            if chance is None or chance > 0 or weight is None:
                raise FormatError(
                    f"found {line.strip()!r:.60}: want a logarithm of 0 or less before the words, "
                    f"and none or a number after them",
                    path=path,
                    line=number,
                )
            self._chance[gram] = chance
            if weight:
                self._weight[gram] = weight
        alone = (chance for gram, chance in self._chance.items() if len(gram) == 1)
        self._rarest = min((chance for chance in alone if chance > _NEVER), default=_NEVER)

    def log2(self, sentences: Iterable[Sequence[str]]) -> list[float]:
        """Return the logarithm (base 2) of the probability of each sentence and its end."""
        return [self._log10(words) * _BITS for words in sentences]

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return the same divided by the number of words, the end being one of them."""
        return [self._log10(words) * _BITS / (len(words) + 1) for words in sentences]

    def _log10(self, words: Sequence[str]) -> float:
        line = [_BEGIN, *map(self._listed, words), _END]
        total = 0.0
        for end in range(2, len(line) + 1):
            gram = tuple(line[max(end - self.order, 0) : end])
            while len(gram) > 1 and gram not in self._chance:
                total += self._weight.get(gram[:-1], 0.0)
                gram = gram[1:]
            total += self._chance.get(gram, self._rarest)
        return total

    def _listed(self, word: str) -> str:
        for spelt in (word, word.casefold(), folded(word)):
            if (spelt,) in self._chance:
                return spelt
        return _UNKNOWN


def _logarithm(text: str) -> float | None:
    """Return the number that is written, minus infinity as -99; None where there is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    if value == float("-inf"):
        return _NEVER
    return value if isfinite(value) else None


def _entries(lines: Iterable[str], path: str) -> Iterator[tuple[int, int, str]]:
    """Yield the number of the line, the order and the line of each n-gram; check the numbers."""
    told: dict[int, int] = {}
    found: dict[int, int] = {}
    order, number = -1, 0
    for number, line in enumerate(lines, start=1):
        text = line.strip(_AROUND)
        if not text:
            continue
        if text == "\\end\\":
            break
        if text == "\\data\\":
            order = 0
        elif (head := _SECTION.fullmatch(text)) is not None:
            order = int(head[1])
            found[order] = 0
        elif order > 0:
            found[order] += 1
            yield number, order, line
        elif order == 0:
            told.update([_told(text, path, number)])
    else:
        raise FormatError(
            "the file ends without \\end\\: want a whole file in the ARPA format",
            path=path,
            line=number or None,
        )
    if not found.get(1) or found != told:
        raise FormatError(
            f"found {_counts(found)} n-grams of order 1, 2, ...; the head tells {_counts(told)}: "
            f"want a whole file",
            path=path,
        )


def _told(text: str, path: str, line: int) -> tuple[int, int]:
    told = _COUNT.fullmatch(text)
    if told is None:
        raise FormatError(f"found {text!r:.60}: want 'ngram 1=1000'", path=path, line=line)
    return int(told[1]), int(told[2])


def _counts(counts: dict[int, int]) -> str:
    return ", ".join(str(counts[order]) for order in sorted(counts)) or "no"
