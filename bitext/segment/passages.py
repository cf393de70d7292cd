"""A book worked passage by passage: split into sentences, and each run of them into paragraphs.

What is decided together is a block of text when the breaks of the book are kept, and a chapter when
they are forgotten. Memory does not grow with the book. A run of more than a *window* of characters
is worked in overlapping windows: of each the last sentences are left for the next one, and it is
cut before a sentence that starts a paragraph, so that no sentence and no paragraph is decided
without what follows it. Where no paragraph starts in a whole window the cut makes none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from bitext.segment.book_layout import Block
    from bitext.segment.running_text import SentenceSpans

__all__ = ["Chapter", "ChapterNames", "Decision", "Passage", "Passages", "chapters_of"]

_WINDOW = 1 << 21
_OVERLAP = 200
_BATCH = 1 << 18


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


Decide = Callable[[Sequence[list[str]]], Sequence[Decision]]


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
        Gives a decision for each text of a batch, a list of sentences each.
    keep : bool
        Whether what stands between blank lines is decided by itself, so that breaks stay; else
        breaks are forgotten between the boundaries of the book.
    window : int
        Characters of a text that are worked together.
    overlap : int
        Sentences at the end of a window that are left for the next.

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
    ) -> None:
        self.split, self._decide = split, decide
        self._keep, self._window, self._overlap = keep, window, overlap
        self._forget()

    def _forget(self) -> None:
        self._waiting: list[Passage] = []
        self._waiting_size = 0
        self._run: list[str] = []
        self._run_size, self._room = 0, self._window
        self._first: tuple[bool, float] | None = None  # of the sentence that a cut was before

    def over(self, blocks: Iterable[Block]) -> Iterator[Passage]:
        """Yield the passages of a book."""
        self._forget()
        for block in blocks:
            if block.kind == "text" or (block.kind == "blank" and self._run and not self._keep):
                self._run.append(block.raw)
                self._run_size += len(block.raw)
                while self._run_size > self._room:
                    yield from self._decided()
                    yield from self._cut()
                if self._keep and block.whole:
                    self._end()
            else:
                self._end()
                self._wait(Passage(block.kind, block.raw, block.name))
            if self._waiting_size > _BATCH:
                yield from self._decided()
        self._end()
        yield from self._decided()

    def _end(self) -> None:
        """Let the run at hand wait for its decision."""
        if not self._run:
            return
        raw = "".join(self._run)
        spans = self.split(raw)
        joined = self._first is not None
        decision = None if self._first is None else _begun(len(spans.starts), self._first)
        self._wait(Passage("text", raw, "", spans, decision, joined))
        self._run, self._run_size, self._room, self._first = [], 0, self._window, None

    def _wait(self, passage: Passage) -> None:
        self._waiting.append(passage)
        self._waiting_size += len(passage.raw)

    def _decided(self) -> Iterator[Passage]:
        """Yield what waits, decided in one batch."""
        texts = [passage.spans.sentences for passage in self._waiting if passage.spans is not None]
        decisions = iter(self._decide(texts) if texts else ())
        for passage in self._waiting:
            if passage.spans is None:
                yield passage
            else:
                yield passage._replace(decision=_continued(next(decisions), passage.decision))
        self._waiting, self._waiting_size = [], 0

    def _cut(self) -> Iterator[Passage]:
        """Yield the part of a long run that is sure."""
        raw = "".join(self._run)
        spans = self.split(raw)
        n = len(spans.starts)
        if n < 2:
            if not n:  # white space only
                yield Passage("blank", raw)
                self._run, self._run_size = [], 0
            else:
                self._run, self._room = [raw], 2 * self._room
            return
        (decision,) = self._decide([spans.sentences])
        before = None if self._first is None else _begun(n, self._first)
        decision = _continued(decision, before)
        last = max(n - self._overlap, n // 2)
        starts = np.flatnonzero(decision.starts[: last + 1])
        at = int(starts[-1]) if starts.size and starts[-1] > 0 else last
        here = int(spans.ends[at - 1])
        sure = spans._replace(
            sentences=spans.sentences[:at], starts=spans.starts[:at], ends=spans.ends[:at]
        )
        confidence = decision.confidence
        yield Passage(
            "text",
            raw[:here],
            "",
            sure,
            Decision(decision.starts[:at], None if confidence is None else confidence[:at]),
            before is not None,
        )
        chance = 1.0 if confidence is None else float(confidence[at])
        self._first = bool(decision.starts[at]), chance
        self._run, self._run_size, self._room = [raw[here:]], len(raw) - here, self._window
        # What is left has to be less than a window, or the same would be decided again.
        self._room = max(self._window, self._run_size + self._window // 2)


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


def _begun(n: int, first: tuple[bool, float]) -> Decision:
    """Make a decision of which only the first sentence is known."""
    starts, confidence = np.zeros(n, dtype=bool), np.zeros(n)
    starts[:1], confidence[:1] = first
    return Decision(starts, confidence)


def _continued(decision: Decision, before: Decision | None) -> Decision:
    """Return a decision whose first sentence is as a window before has decided it."""
    if before is None or before.confidence is None:
        return decision
    starts = decision.starts.copy()
    starts[:1] = before.starts[:1]
    confidence = None if decision.confidence is None else decision.confidence.copy()
    if confidence is not None:
        confidence[:1] = before.confidence[:1]
    return Decision(starts, confidence)
