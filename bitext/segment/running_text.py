"""Raw text and the running text in it: white space of any kind is one blank.

Line ends inside a block of text are white space, so hard-wrapped lines are joined. What a line end
does to a word is decided only where it is sure:

| at the line end | becomes |
| --- | --- |
| a soft hyphen (U+00AD) before a letter | nothing: `Dampf|schiff` is one word |
| `well-` before `known`, with `well-known` elsewhere in the text | `well-known` |
| `rail-` before `way`, with `railway` and no `rail-way` elsewhere | `railway` |
| `Haupt-` before `und`, `oder` and their like in other languages | `Haupt- und` |
| any other hyphen between letters or figures: `Anglo-` before `Saxon` | `Anglo-Saxon` |
| a dash right behind a word: `sister—` before `Mrs.` | `sister—Mrs.` |
| a dash behind a blank: `sister —` before `Mrs.` | `sister — Mrs.` |
| nothing, between two Chinese or Japanese signs | nothing |
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.segment.list_numbers import numbered_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.segment.sentence_splitting import SentenceSplitter

__all__ = ["RunningText", "SentenceSpans", "sentences_by_line", "split_sentences"]

_WORDS = re.compile(r"\S+")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_TAIL = re.compile(r"([^\W\d_]+)[-‐]$")
_HEAD = re.compile(r"[^\W\d_]+")
_LONGEST_WORD = 64
_SOFT = "\u00ad"
_HYPHENS, _DASHES = "-‐", "—–―"
# What follows a hyphen that stands for a part of a word: `Haupt- und Nebensatz`.
_CONJUNCTIONS = (
    "und oder bzw sowie noch bis wie and or nor to en of och eller og eða y o u e et ou ja tai i a "
    "ali ani nebo és vagy"
)
# Kana, Han and their marks; Hangul has blanks between words.
_UNSPACED = re.compile(r"[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")


class RunningText:
    r"""The running text of a raw text, and where each of its characters came from.

    Parameters
    ----------
    raw : str
        Text with white space of any kind.

    Attributes
    ----------
    text : str
        Its words with one blank between, without white space at the ends.

    Examples
    --------
    >>> running = RunningText("  He came.\n\tShe\n   left.\n")
    >>> running.text
    'He came. She left.'
    >>> running.places([9]), running.text[9], running.raw[12]
    (array([12]), 'S', 'S')

    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        words = [found.span() for found in _WORDS.finditer(raw)]
        parts, begins, places = [], [], []
        at = 0
        seams = _seams(raw, words)
        for k, (start, end) in enumerate(words):
            glue, cut = seams.get(k, (" ", 0))
            part = raw[start : end - cut] + glue
            parts.append(part)
            begins.append(at)
            places.append(start)
            at += len(part)
        self.text = "".join(parts)[:-1] if parts else ""
        self._begins = np.array(begins, dtype=np.int64)
        self._places = np.array(places, dtype=np.int64)

    def places(self, positions: NDArray[np.int64] | list[int]) -> NDArray[np.int64]:
        """Return the positions in the raw text of characters of the running text."""
        wanted = np.asarray(positions, dtype=np.int64)
        word = np.searchsorted(self._begins, wanted, side="right") - 1
        found: NDArray[np.int64] = self._places[word] + wanted - self._begins[word]
        return found

    def found(self, places: list[int]) -> NDArray[np.int64]:
        """Return where words of the running text begin, by where they begin in the raw one."""
        found: NDArray[np.int64] = self._begins[np.searchsorted(self._places, places)]
        return found


class SentenceSpans(NamedTuple):
    """The sentences of a raw text.

    Attributes
    ----------
    sentences : list of str
        As running text.
    starts, ends : array of int64, shape (n,)
        Their half-open spans in the raw text; what lies between is white space.

    """

    sentences: list[str]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def split_sentences(raw: str, splitter: SentenceSplitter) -> SentenceSpans:
    """Split a raw text into sentences; breaks of lines and of paragraphs in it are white space.

    The splitter is shown where lines begin with what may be numbers of a list.
    """
    running = RunningText(raw)
    text = running.text
    if splitter.lists and (lines := numbered_lines(raw)):
        before = running.found(lines) - 1  # blanks
        signs = list(text)
        for k in before[before >= 0].tolist():
            signs[k] = "\n" if text[k] == " " else text[k]
        text = "".join(signs)
    spans = splitter.spans(text)
    sentences = [running.text[start:end] for start, end in spans.tolist()]
    starts = running.places(spans[:, 0])
    ends = running.places(spans[:, 1] - 1) + 1
    return SentenceSpans(sentences, starts, ends)


def sentences_by_line(raw: str) -> SentenceSpans:
    """Take every line that is not empty as a sentence; only LF and CRLF end a line."""
    sentences, starts, ends = [], [], []
    at = 0
    for line in raw.split("\n"):
        inner = line.strip()
        if inner:
            begin = at + len(line) - len(line.lstrip())
            starts.append(begin)
            ends.append(begin + len(inner))
            sentences.append(" ".join(inner.split()))
        at += len(line) + 1
    return SentenceSpans(
        sentences, np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    )


def _seams(raw: str, words: list[tuple[int, int]]) -> dict[int, tuple[str, int]]:
    """Return what comes between a word and the next, where that is no blank.

    By the number of the word: what joins the two, and how many characters are cut off its end.
    """
    found: dict[int, tuple[str, int]] = {}
    known: set[str] | None = None
    for k in _at_line_ends(raw, words):
        (_, end), (begin, after) = words[k], words[k + 1]
        last, first = raw[end - 1], raw[begin]
        if last == _SOFT and raw[words[k][0] : end - 1][-1:].isalpha() and first.isalpha():
            found[k] = ("", 1)
        elif last in _DASHES or raw[end - 2 : end] == "--":
            if raw[words[k][0] : end].rstrip("-—–―") and first.isalnum():
                found[k] = ("", 0)
        elif last in _HYPHENS and first.isalnum() and raw[words[k][0] : end - 1][-1:].isalnum():
            begun = max(words[k][0], end - _LONGEST_WORD)
            tail, head = _TAIL.search(raw, begun, end), _HEAD.match(raw, begin, after)
            if tail is None or head is None or not first.islower():
                found[k] = ("", 0)
                continue
            if known is None:
                known = {word.casefold() for word in _HYPHENATED.findall(raw)}
            whole = f"{tail[1]}{head[0]}".casefold()
            if f"{tail[1]}{last}{head[0]}".casefold() in known:
                found[k] = ("", 0)
            elif whole in known:
                found[k] = ("", 1)
            elif head[0] not in _CONJUNCTIONS.split():
                found[k] = ("", 0)
        elif _UNSPACED.match(last) and _UNSPACED.match(first):
            found[k] = ("", 0)
    return found


def _at_line_ends(raw: str, words: list[tuple[int, int]]) -> list[int]:
    """Return the numbers of the words that a single line end follows, and another word."""
    if "\n" not in raw:
        return []
    # Where a line ends most often nothing is to be decided: look at the last sign first.
    telling = {sign for sign in {raw[end - 1] for _, end in words} if _tells(sign)}
    if not telling:
        return []
    return [
        k
        for k, ((_, end), (begin, _)) in enumerate(pairwise(words))
        if raw[end - 1] in telling and raw.count("\n", end, begin) == 1
    ]


def _tells(sign: str) -> bool:
    """Return whether a word that ends with this may go on behind the end of its line."""
    return sign in (_SOFT + _HYPHENS + _DASHES) or _UNSPACED.match(sign) is not None
