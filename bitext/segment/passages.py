"""A book worked passage by passage: split into sentences, and each run of them into paragraphs.

What is decided together is what stands between two boundaries of the book: a chapter, as a rule.
Memory does not grow with the book. A run of more than a *window* of characters, or of more than so
many sentences, is worked in overlapping windows: of each the last sentences are left for the next
one, and it is cut before a sentence that starts a paragraph, so that no sentence and no paragraph
is decided without what follows it. Where no paragraph starts in a whole window the cut makes none.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from numpy.typing import NDArray

    from bitext.segment.book_layout import Block
    from bitext.segment.running_text import SentenceSpans

__all__ = ["Chapter", "ChapterNames", "Decision", "Passage", "Passages", "chapters_of"]

_WINDOW = 1 << 19
_OVERLAP = 200
_MOST = 20_000


class Decision(NamedTuple):
    """Where paragraphs start in a text of n sentences.

    Attributes
    ----------
    starts : array of bool, shape (n,)
    confidence : array of float64, shape (n,), or None
        The probability that each sentence starts one.

    """

    starts: NDArray[np.bool_]
    confidence: NDArray[np.float64] | None = None


Decide = Callable[[list[str], "NDArray[np.bool_]"], Decision]


class Passage(NamedTuple):
    """A piece of a book with its paragraphs; the raw texts of all are the book.

    Attributes
    ----------
    kind : str
        `text`, or as `Block.kind`.
    raw : str
    name : str
        The chapter that starts here, of a heading.
    spans : SentenceSpans or None
        The sentences, of a text.
    decision : Decision or None
    joined : bool
        Whether the text before goes on here.

    """

    kind: str
    raw: str
    name: str = ""
    spans: SentenceSpans | None = None
    decision: Decision | None = None
    joined: bool = False


class Passages:
    """Puts paragraphs into a book.

    Parameters
    ----------
    split : callable
        Gives the sentences of a raw text.
    decide : callable
        Gives the decision for a text by its sentences and which of them start a paragraph in any
        case.
    keep : bool
        Whether paragraphs that the book has stay; else they are forgotten.
    window : int
        Characters of a text that are worked together.
    overlap : int
        Sentences at the end of a window that are left for the next.
    most : int
        Sentences of a text that are worked together, 3 or more.

    Attributes
    ----------
    split : callable
        May be changed between books.

    """

    def __init__(
        self,
        split: Callable[[str], SentenceSpans],
        decide: Decide,
        *,
        keep: bool = True,
        window: int = _WINDOW,
        overlap: int = _OVERLAP,
        most: int = _MOST,
    ) -> None:
        self.split, self._decide = split, decide
        self._keep, self._window, self._overlap, self._most = keep, window, overlap, most
        self._forget()

    def _forget(self) -> None:
        """Begin a run."""
        self._run: list[str] = []
        self._size, self._room = 0, self._window
        self._begins = [0]  # where blocks do, of which breaks are kept
        self._open = False  # the block goes on
        self._first: tuple[bool, float] | None = None  # of the sentence that a cut was before

    def over(self, blocks: Iterable[Block]) -> Iterator[Passage]:
        """Yield the passages of a book."""
        self._forget()
        for block in blocks:
            if block.kind == "text" or (block.kind == "blank" and self._run):
                if block.kind == "text" and not self._open and self._size and self._keep:
                    self._begins.append(self._size)
                self._open = block.kind == "text" and not block.whole
                for at in range(0, len(block.raw), self._window):
                    self._run.append(block.raw[at : at + self._window])
                    self._size += len(self._run[-1])
                    if self._size > self._room:
                        yield from self._cut()
            else:
                yield from self._end()
                yield Passage(block.kind, block.raw, block.name)
        yield from self._end()

    def _end(self) -> Iterator[Passage]:
        """Yield the run at hand."""
        if self._run:
            spans = yield from self._fewer(self._split_blocks("".join(self._run)))
            decision = self._decided(spans)
            raw = "".join(self._run)
            yield Passage("text", raw, "", spans, decision, self._first is not None)
        self._forget()

    def _decided(self, spans: SentenceSpans) -> Decision:
        kept = np.isin(np.arange(len(spans.starts)), self._places(spans))
        kept[:1] = True
        decision = self._decide(spans.sentences, kept)
        if self._first is None or not len(kept):
            return decision
        starts = decision.starts.copy()
        starts[0] = self._first[0]
        confidence = None if decision.confidence is None else decision.confidence.copy()
        if confidence is not None:
            confidence[0] = self._first[1]
        return Decision(starts, confidence)

    def _split_blocks(self, raw: str) -> SentenceSpans:
        """Return the sentences; none is in two blocks whose break is kept."""
        if len(self._begins) == 1:
            return self.split(raw)
        parts = [self.split(raw[a:b]) for a, b in pairwise([*self._begins, len(raw)])]
        moved = list(zip(self._begins, parts, strict=True))
        return parts[0]._replace(
            sentences=[sentence for part in parts for sentence in part.sentences],
            starts=np.concatenate([part.starts + begin for begin, part in moved]),
            ends=np.concatenate([part.ends + begin for begin, part in moved]),
        )

    def _places(self, spans: SentenceSpans) -> NDArray[np.int64]:
        """Return the first sentence of each block."""
        found: NDArray[np.int64] = np.searchsorted(spans.starts, self._begins).astype(np.int64)
        return found

    def _cut(self) -> Iterator[Passage]:
        """Yield the part of a long run that is sure."""
        self._run = ["".join(self._run)]
        spans = self._split_blocks(self._run[0])
        if len(spans.starts) < 3:
            # The last sentence may go on: what comes may decide otherwise of it.
            self._room *= 2
            return
        spans = yield from self._fewer(spans)
        if self._size > self._window and len(spans.starts) > 2:
            yield self._sure(spans)
        # What is left has to be less than a window, or the same would be decided again.
        self._room = max(self._window, self._size + self._window // 2)

    def _fewer(self, spans: SentenceSpans) -> Generator[Passage, None, SentenceSpans]:
        """Yield of a run what is sure until few enough sentences are left; return these."""
        while len(spans.starts) > self._most:
            passage = self._sure(_part(spans, 0, self._most))
            yield passage
            done = 0 if passage.spans is None else len(passage.spans.starts)
            rest = _part(spans, done, len(spans.starts))
            here = len(passage.raw)
            spans = rest._replace(starts=rest.starts - here, ends=rest.ends - here)
        return spans

    def _sure(self, spans: SentenceSpans) -> Passage:
        """Decide of three sentences or more of the run, and take away those that are sure."""
        raw = "".join(self._run)
        starts, confidence = self._decided(spans)
        n = len(starts)
        last = min(max(n - self._overlap, n // 2), n - 2)
        found = np.flatnonzero(starts[: last + 1])
        at = int(found[-1]) if found.size and found[-1] > 0 else last
        here = int(spans.ends[at - 1])
        decision = Decision(starts[:at], None if confidence is None else confidence[:at])
        joined = self._first is not None
        self._first = bool(starts[at]), 1.0 if confidence is None else float(confidence[at])
        self._begins = [0, *(begin - here for begin in self._begins if begin > here)]
        self._run, self._size = [raw[here:]], len(raw) - here
        return Passage("text", raw[:here], "", _part(spans, 0, at), decision, joined)


def _part(spans: SentenceSpans, first: int, end: int) -> SentenceSpans:
    """Return some of the sentences."""
    return spans._replace(
        sentences=spans.sentences[first:end],
        starts=spans.starts[first:end],
        ends=spans.ends[first:end],
    )


class Chapter(NamedTuple):
    """A chapter of a book whose paragraphs are known.

    Attributes
    ----------
    name : str
    sentences : list of str
    starts : array of int64
        The sentences that start a paragraph, ascending from 0.
    lost : int
        How many paragraphs start within a sentence; those starts are lost.

    """

    name: str
    sentences: list[str]
    starts: NDArray[np.int64]
    lost: int


def chapters_of(
    blocks: Iterable[Block], split: Callable[[str], SentenceSpans]
) -> Iterator[Chapter]:
    """Yield the chapters of a book whose blocks are its paragraphs, each split with breaks hidden.

    Sentences are found as if no paragraph ended, since to split each paragraph by itself gives
    the answer away: only at breaks would there be sentences that end in a colon.
    """
    run: list[str] = []
    places: list[int] = []
    names = ChapterNames()
    size, open_ = 0, False
    for block in blocks:
        if block.kind in {"text", "blank"}:
            if block.kind == "text" and not open_:
                places.append(size + len(block.raw) - len(block.raw.lstrip()))
            open_ = block.kind == "text" and not block.whole
            run.append(block.raw)
            size += len(block.raw)
            continue
        if places:
            yield _chapter(names.next(), run, places, split)
        run, places, size, open_ = [], [], 0, False
        if block.kind == "heading":
            names.head(block.name)
    if places:
        yield _chapter(names.next(), run, places, split)


class ChapterNames:
    """Names the chapters of a book by its headings, each by another name.

    Examples
    --------
    >>> names = ChapterNames()
    >>> names.head("I")
    >>> names.next(), names.next()
    ('I', 'I (2)')

    """

    def __init__(self) -> None:
        self._name, self._used = "", dict[str, int]()

    def head(self, name: str) -> None:
        """Take up a heading, for the chapters until the next one."""
        self._name = " ".join(name.split())

    @property
    def is_given(self) -> bool:
        """Whether the next chapter is named by a heading."""
        return bool(self._name)

    def next(self) -> str:
        """Return the name of a chapter that begins."""
        name = self._name or "chapter"
        count = self._used.get(name, 0) + 1
        self._used[name] = count
        if not self._name:
            return f"{name}-{count}"
        return name if count == 1 else f"{name} ({count})"


def _chapter(
    name: str, run: list[str], places: list[int], split: Callable[[str], SentenceSpans]
) -> Chapter:
    spans = split("".join(run))
    starting = np.isin(spans.starts, np.array(places, dtype=np.int64))
    lost = len(places) - int(starting.sum())
    starting[:1] = True
    return Chapter(name, spans.sentences, np.flatnonzero(starting), lost)
