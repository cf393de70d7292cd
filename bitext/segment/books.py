"""A book worked passage by passage: split into sentences, and each run of them into paragraphs.

What is decided together is what stands between two boundaries of the book: a chapter, as a rule.
Memory does not grow with the book. A run of more than a *window* of characters, or of more than so
many sentences, is worked in overlapping windows: of each the last sentences are left for the next
one, and it is cut before a sentence that starts a paragraph, so that no sentence and no paragraph
is decided without what follows it. Where no paragraph starts in a whole window the cut makes none.

The layout of a book in plain text: blocks of text, blank lines, headings and other boundaries.

A *block* is what stands between blank lines. These are boundaries, which no paragraph spans:

| what | as |
| --- | --- |
| a line `# doc: NAME` | the start of a chapter of that name |
| a form feed | |
| a line of three or more stars, dashes or the like; an asterism | `* * *` |
| a block of one or two short lines that is a heading | `CHAPTER IV`, `Drittes Kapitel`, `IX.` |
| a block of one short line in capitals | `THE FLOOD` |

What Project Gutenberg puts before and behind a book, up to `*** START OF` and from `*** END OF`,
stays as it is; a file may hold several books. The raw text of all the blocks, one after another, is
the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.model import Text
from bitext.segment.semi_markov import decode, marginals

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from numpy.typing import NDArray

    from bitext.segment.segmenter import ParagraphSegmenter
    from bitext.segment.sentences.running_text import SentenceSpans

__all__ = [
    "Block",
    "Chapter",
    "ChapterNames",
    "Decision",
    "Passage",
    "Passages",
    "blocks_of",
    "chapters_of",
    "decide_with",
    "heading_of",
    "paragraphs_of",
    "unwrapped",
    "with_breaks",
    "within_breaks",
]


_LONGEST = 1 << 21  # characters of a block that is given in one piece

_DOC = re.compile(r"# doc:\s*(.*?)\s*$")
_RULE = re.compile(r"[ \t]*(?:(?:[*•⁂†#~=_–—-][ \t]*){3,}|⁂[ \t]*)\r?\n?$")
_FRAME = re.compile(r"\*\*\* ?(START|END) OF TH(?:E|IS) PROJECT GUTENBERG", re.IGNORECASE)
_GUTENBERG = re.compile(r"project gutenberg", re.IGNORECASE)
_LONGEST_FRONT = 2000  # lines that the front of Project Gutenberg may have

_NUMBER = (
    r"(?:[ivxlcdm]+|\d+|the\s+\w+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty\S*|thirty\S*|first|"
    r"second|third|fourth|fifth|last|eins|zwei|drei|premier|première|primero|primo|первая)"
)
_UNIT = (
    r"(?:chapter|book|part|letter|volume|stave|act|scene|canto|section|kapitel|buch|teil|theil|"
    r"band|abschnitt|brief|akt|aufzug|szene|chapitre|livre|partie|tome|capítulo|capitulo|libro|"
    r"parte|capitolo|hoofdstuk|deel|boek|rozdział|глава|часть|книга|kapitola|luku)"
)
_HEADING = re.compile(
    rf"""(?:
      {_UNIT}\s+{_NUMBER}\b.{{0,80}}        # CHAPTER IV. The Flood
    | \S{{1,24}}\s+{_UNIT}\.?               # Drittes Kapitel
    | \d{{1,3}}\.\s+{_UNIT}\.?              # 3. Kapitel
    | (?:[IVXLCDM]+|\d{{1,3}})[.:)]?        # IX.
    | (?:[IVXLCDM]+|\d{{1,3}})[.:)]\s+[^.!?…,;:"“”„»«]{{1,60}}  # IX. The Flood
    | (?:prologue|epilogue|preface|introduction|contents|conclusion|postscript|dedication|
        prolog|epilog|vorwort|nachwort|einleitung|inhalt|schluss|widmung|
        prologue|épilogue|préface|prólogo|epílogo|prefacio)\.?
    | 第.{{1,8}}[章回节節部卷](?:\s*.{{0,40}})?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_HEADING = 120
_SMALL_ROMAN = re.compile(r"[ivxlcdm]+")


class Block(NamedTuple):
    """A piece of a book.

    Attributes
    ----------
    kind : str
        `text`, `blank` (lines), `heading`, `boundary` or `aside` (what is not of the book).
    raw : str
        Its characters, with line ends.
    name : str
        The chapter that it starts, of a heading.
    whole : bool
        Whether it ends here. A block of millions of characters comes in several pieces: text goes
        on when the next block is text too.

    """

    kind: str
    raw: str
    name: str = ""
    whole: bool = True


def blocks_of(
    lines: Iterable[str], *, by_line: bool = False, longest: int = _LONGEST
) -> Iterator[Block]:
    r"""Yield the blocks of a book.

    Parameters
    ----------
    lines : iterable of str
        Its lines with their line ends.
    by_line : bool
        Whether each line is a block: for text with one paragraph a line.
    longest : int
        Characters of a block of text from which it comes in several pieces.

    Examples
    --------
    >>> book = ["CHAPTER I\n", "\n", "It rained. We\n", "stayed.\n", "\n", "* * *\n"]
    >>> [(block.kind, block.raw) for block in blocks_of(book)]
    [('heading', 'CHAPTER I\n'), ('blank', '\n'), ('text', 'It rained. We\nstayed.\n'),
     ('blank', '\n'), ('boundary', '* * *\n')]

    """
    held: list[str] = []
    kind, size, begun = "", 0, False
    for line_kind, line in _kinds(lines):
        apart = line_kind in {"boundary", "doc"} or (by_line and line_kind == "text")
        if held and (apart or line_kind != kind):
            yield _block(kind, held, begun=begun)
            held, size, begun = [], 0, False
        kind = line_kind
        held.append(line)
        size += len(line)
        if apart:
            yield _block(kind, held)
            held, size = [], 0
        elif size > longest:
            yield Block(kind, "".join(held), whole=False)
            held, size, begun = [], 0, kind == "text"
    if held:
        yield _block(kind, held, begun=begun)


def heading_of(raw: str) -> str | None:
    r"""Return the words of a block if it is a heading, else `None`.

    Examples
    --------
    >>> heading_of("CHAPTER IV.\nThe Flood\n"), heading_of("Part of it was true.\n")
    ('CHAPTER IV. The Flood', None)

    """
    if len(raw) > _LONGEST_HEADING:
        return None
    lines = raw.strip().split("\n")
    words = " ".join(raw.split()).strip("_*=# ")
    if not words or len(lines) > 2:
        return None
    if _HEADING.fullmatch(words) and not _SMALL_ROMAN.fullmatch(words):
        return words
    letters = sum(sign.isalpha() for sign in words)
    ends = words[-1] in "!?…,;:\"'“”‘’«»-—" or (words[-1] == "." and " " not in words)
    if len(lines) == 1 and letters > 1 and words.upper() == words != words.lower() and not ends:
        return words
    return None


def _block(kind: str, held: list[str], *, begun: bool = False) -> Block:
    raw = "".join(held)
    if kind == "doc":
        named = _DOC.match(raw)
        return Block("heading", raw, "" if named is None else named[1])
    if kind == "text" and not begun:
        name = heading_of(raw)
        if name is not None:
            return Block("heading", raw, name)
    return Block(kind, raw)


def _kinds(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with its kind: `text`, `blank`, `boundary`, `doc` or `aside`."""
    held: list[str] | None = []  # lines of what may be the front of Project Gutenberg
    marked = behind = False
    for line in lines:
        frame = _FRAME.match(line.lstrip()) if "***" in line else None
        if behind:
            yield "aside", line
            behind = frame is None or frame[1].upper() != "START"  # another book in the file
            continue
        if frame is not None:
            if frame[1].upper() == "START":
                for front in held or ():
                    yield "aside", front
                held = None
            else:
                yield from _plain(held or ())
                held, behind = None, True
            yield "aside", line
            continue
        if held is None:
            yield from _plain((line,))
            continue
        held.append(line)
        # It names itself in its first lines, or is none.
        marked = marked or (len(held) <= 10 and _GUTENBERG.search(line) is not None)
        if len(held) > (_LONGEST_FRONT if marked else 10):
            yield from _plain(held)
            held = None
    yield from _plain(held or ())


def _plain(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        *before, rest = line.split("\f")
        for part in before:
            if part:
                yield _kind(part), part
            yield "boundary", "\f"
        if rest:
            yield _kind(rest), rest


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    if line.startswith("# doc:"):
        return "doc"
    return "boundary" if _RULE.match(line) else "text"


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
        """Return the sentences; none crosses a preserved break between blocks."""
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
        """Yield the settled sentences of a run until few enough are left; return the rest."""
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


# Paragraphs of a text of which some breaks are known: they stay, and the rest is found.


def decide_with(
    segmenter: ParagraphSegmenter,
    sentences: list[str],
    kept: NDArray[np.bool_],
    *,
    confidence: bool = False,
) -> Decision:
    """Return the best paragraphs of a text among those with all the known breaks.

    A semi-Markov model looks for them exactly: the text is seen as a whole, and paragraphs over a
    known break are none. To the breaks of another method the known ones are added.

    Parameters
    ----------
    segmenter : ParagraphSegmenter
        One that has learned.
    sentences : list of str
    kept : array of bool, shape (n,)
        Which sentences start a paragraph in any case; the first always does.
    confidence : bool
        Whether to tell how likely each sentence starts a paragraph: 1 where that is known.

    Raises
    ------
    InputError
        When there is not one `kept` a sentence.
    OptionError
        When confidences are asked of a method that has none.

    """
    n = len(sentences)
    if kept.shape != (n,):
        raise InputError(f"{len(kept)} known breaks for {n} sentences: want one each")
    starts = kept.copy()
    starts[:1] = True
    if starts.all() or not segmenter.breaks_:
        return Decision(starts, starts.astype(np.float64) if confidence else None)
    text = Text(sentences)
    if segmenter.method != "semi-markov":
        starts[segmenter.predict(text).boundaries] = True
        chances = segmenter.confidence(text) if confidence else None
        if chances is not None:
            chances[kept] = 1.0
        return Decision(starts, chances)
    features = segmenter.features_.of(text)
    nodes = features.node_scores(segmenter.weights_) + segmenter.offset_
    edges = within_breaks(features.edge_scores(segmenter.weights_), kept)
    starts[decode(nodes, edges)[0]] = True
    return Decision(starts, marginals(nodes, edges) if confidence else None)


def within_breaks(edges: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return scores of paragraphs, those over a known break at minus infinity.

    Parameters
    ----------
    edges : array of float64, shape (n, M)
        As `TextFeatures.edge_scores` has them: cell (i, c) is the paragraph of M - c sentences
        that ends with sentence i.
    kept : array of bool, shape (n,)

    Examples
    --------
    >>> within_breaks(np.zeros((3, 2)), np.array([True, False, True])).tolist()
    [[0.0, 0.0], [0.0, 0.0], [-inf, 0.0]]

    """
    n, longest = edges.shape
    ends = np.arange(n)
    opened = np.maximum.accumulate(np.where(kept, ends, 0))
    over = (longest - np.arange(longest))[None, :] > (ends - opened + 1)[:, None]
    # Those before the text are no paragraphs, whatever stands there.
    over &= (longest - np.arange(longest))[None, :] <= (ends + 1)[:, None]
    return np.where(over, -np.inf, edges)


# Passages with their paragraphs, as text: breaks are added to it, and nothing else changes.

_VERSE = 2  # columns that verse is further in than prose, or more
_WHITE = re.compile(r"\s+")


def with_breaks(passage: Passage, *, end: str = "\n", by_line: bool = False, forget: bool) -> str:
    r"""Return the raw text of a passage with the breaks of its paragraphs.

    A break is a blank line. Where white space has one already it stays as it is; a line end gets
    another behind it; into white space without a line end two go, behind it. Take what was added
    out and the text is as before.

    Parameters
    ----------
    passage : Passage
    end : str
        What ends a line in the book.
    by_line : bool
        Whether the end of a line is a break already: for text with one paragraph a line.
    forget : bool
        Whether breaks that are there and are none any more become a line end, or one blank where
        a line is a paragraph. If not they stay.

    """
    if passage.spans is None or passage.decision is None:
        return passage.raw
    raw = passage.raw
    sentence_spans = zip(
        passage.spans.starts.tolist(),
        passage.spans.ends.tolist(),
        passage.decision.starts.tolist(),
        strict=True,
    )
    parts: list[str] = []
    at = 0
    for k, (start, stop, starting) in enumerate(sentence_spans):
        gap = raw[at:start]
        if starting and (k or passage.joined):
            gap = _with_break(gap, end, by_line=by_line)
        elif forget and (k or passage.joined):
            gap = _without_breaks(gap, end, by_line=by_line)
        sentence = raw[start:stop]
        parts += [gap, _without_breaks(sentence, end, by_line=by_line) if forget else sentence]
        at = stop
    return "".join((*parts, raw[at:]))


def unwrapped(passage: Passage, *, end: str = "\n", by_line: bool = False) -> str:
    """Return a passage with each paragraph as one line; options as of `with_breaks`.

    Verse keeps its lines: all lines of a paragraph that are further in than the others are.
    """
    if passage.spans is None or passage.decision is None or not passage.spans.sentences:
        return passage.raw
    raw, spans = passage.raw, passage.spans
    starts, ends = spans.starts.tolist(), spans.ends.tolist()
    margin = min(map(_indent, filter(str.strip, raw.split("\n")))) + _VERSE
    parts = []
    for first, last in paragraphs_of(passage):
        if first or (passage.joined and passage.decision.starts[0]):
            parts.append(end if by_line else 2 * end)
        elif passage.joined:
            parts.append(" ")
        else:
            parts.append(raw[: starts[0]])
        begin = _line_start(raw, starts[first])
        if _is_verse(raw[begin : ends[last - 1]], margin):
            # The text before the first paragraph is written already.
            parts.append(raw[begin if first or passage.joined else starts[0] : ends[last - 1]])
            continue
        for k in range(first, last):
            # Chinese and Japanese have nothing between their sentences, and that stays.
            apart = k > first and starts[k] > ends[k - 1]
            parts += [" " if apart else "", spans.sentences[k]]
    return "".join((*parts, raw[ends[-1] :]))


def _line_start(raw: str, place: int) -> int:
    """Return the begin of the line if only white space precedes the place on it, else the place."""
    begin = raw.rfind("\n", 0, place) + 1
    return place if raw[begin:place].strip() else begin


def _is_verse(raw: str, margin: int) -> bool:
    """Check whether a paragraph has several lines that all begin at the margin or further in."""
    lines = raw.split("\n")
    return len(lines) > 1 and all(_indent(line) >= margin for line in lines if line.strip())


def _indent(line: str) -> int:
    """Return at which column a line begins; a tab is 8 blanks."""
    white = line[: len(line) - len(line.lstrip())]
    return len(white.expandtabs())


def paragraphs_of(passage: Passage) -> list[tuple[int, int]]:
    """Return the half-open spans of paragraphs over the sentences of a passage.

    The first one may go on with a paragraph of the passage before: see its decision.
    """
    if passage.decision is None:
        return []
    starts = passage.decision.starts
    n = len(starts)
    inner = [k for k in range(1, n) if starts[k]]
    return list(zip([0, *inner], [*inner, n], strict=True)) if n else []


def _with_break(gap: str, end: str, *, by_line: bool) -> str:
    lines = gap.count("\n")
    if by_line:
        return gap if lines else gap + end
    if lines > 1:
        return gap
    if lines:
        cut = gap.index("\n") + 1
        return gap[:cut] + end + gap[cut:]
    return gap + 2 * end


def _without_breaks(text: str, end: str, *, by_line: bool) -> str:
    """Return text whose breaks of paragraphs are white space as any other."""
    most, instead = (0, " ") if by_line else (1, end)
    if text.count("\n") <= most:
        return text
    return _WHITE.sub(lambda found: instead if found[0].count("\n") > most else found[0], text)
