"""Paragraph segmentation of a book in plain text, passage by passage in bounded memory.

The text between two boundaries of the book, usually a chapter, is a *run*: it is split into
sentences, which are segmented into paragraphs together. A run with more characters than a *window*,
or with too many sentences, is segmented in overlapping windows, so that memory does not grow with
the book. The last sentences of a window are left for the next one, and the window is cut before a
sentence that starts a paragraph: each sentence and each paragraph is decided with the text after
it. A window without such a sentence is cut elsewhere; the cut alone starts no paragraph.

The layout of a book consists of blocks of text, blank lines, headings and other boundaries. Blank
lines separate blocks of text. No paragraph spans one of these boundaries:

| boundary | example or meaning |
| --- | --- |
| a line `# doc: NAME` | the start of a chapter of that name |
| a form feed | |
| a line of three or more stars, dashes or the like; an asterism | `* * *` |
| a block of one or two short lines that is a heading | `CHAPTER IV`, `Drittes Kapitel`, `IX.` |
| a block of one short line in capitals | `THE FLOOD` |

The front matter of Project Gutenberg up to `*** START OF`, and its back matter from `*** END OF`,
stay as they are; a file may contain several books. The raw texts of all blocks, concatenated, are
the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints
from bitext.model import Text
from bitext.model.numerals import HAN
from bitext.segment.semi_markov import decode, marginals

if TYPE_CHECKING:
    from bitext.segment.segmenter import ParagraphSegmenter
    from bitext.segment.sentences.running_text import SentenceSpans

_MOST_BLOCK_CHARACTERS = 1 << 21  # characters of a block in one piece; set by hand: bounds memory

# Lines that are boundaries: the start of a chapter, a rule or asterism, the frame of a book.
_DOC = re.compile(r"# doc:\s*(.*?)\s*$")
_RULE = re.compile(r"[ \t\u3000]*(?:(?:[*＊※◆◇★☆•⁂†#~=_–—-][ \t\u3000]*){3,}|⁂[ \t]*)\r?\n?$")
_FRAME = re.compile(r"\*\*\* ?(START|END) OF TH(?:E|IS) PROJECT GUTENBERG", re.IGNORECASE)
_GUTENBERG = re.compile(r"project gutenberg", re.IGNORECASE)
# Lines of the front matter of Project Gutenberg at most; set by hand: bounds the lines in memory.
_MOST_FRONT_LINES = 2000

# Headings: words for the parts of a book and their numbers, in the major European languages.
# Roman numerals may have four equal letters, as in old books.
_ROMAN = r"(?=[ivxlcdm])m{0,4}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})(?<=[ivxlcdm])"
_HAN = HAN + "廿卅千壹贰貳叁參肆伍陆陸柒捌玖拾佰"  # also those that are not read as numbers
_NUMBER = (
    rf"(?:{_ROMAN}|\d+|the\s+\w+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
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
    | (?:{_ROMAN}|\d{{1,3}})[.:)]?          # IX.
    | (?:{_ROMAN}|\d{{1,3}})[.:)]\s+[^.!?…,;:"“”„»«]{{1,60}}  # IX. The Flood
    | (?:prologue|epilogue|preface|introduction|contents|conclusion|postscript|dedication|
        prolog|epilog|vorwort|nachwort|einleitung|inhalt|schluss|widmung|
        prologue|épilogue|préface|prólogo|epílogo|prefacio)\.?
    | 第\s?[{_HAN}\d]{{1,8}}\s?[章节節回部編编卷話话篇]
      (?:[\s：:].{{0,40}}|[^。！？…，；“”「」]{{0,40}}|「[^」]{{1,38}}」|“[^”]{{1,38}}”)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Also `Chapter one hundred and two`, `Chapter III continued`, `Chapter V in which it rains`.
_MORE = rf"(?:and\s+)?{_NUMBER}|hundred|continued|concluded|in\s+which\b.*"
_NUMBERED_PART = re.compile(rf"{_UNIT}\s+{_NUMBER}(?:\s+(?:{_MORE}))*\b", re.IGNORECASE)
_LONGEST_HEADING = 120  # characters of a heading, line ends included; set by hand
# These may be words, such as `mix` and `Dix.`, or names, such as `Li: yes`: no headings.
_WORD_OF_ROMAN_LETTERS = re.compile(r"[ivxlcdm]+|[IVXLCDM][ivxlcdm]+\b.*")


class Block(NamedTuple):
    """A block of a book, or a piece of a very long block."""

    # `text`, `blank` (lines), `heading`, `boundary` or `aside` (front and back matter of Project
    # Gutenberg).
    kind: str
    raw: str  # the characters of the block, with line ends
    name: str = ""  # the name of the chapter that a heading starts; empty for other kinds
    # Whether the block ends here. A block of millions of characters comes in several pieces: if a
    # piece is not whole, a text block right after it continues the same block.
    whole: bool = True


def blocks_of(
    lines: Iterable[str], *, by_line: bool = False, longest: int = _MOST_BLOCK_CHARACTERS
) -> Iterator[Block]:
    r"""Yield the blocks of a book.

    `lines` are the lines of the book with their line ends. With `by_line`, each line is a block,
    for text with one paragraph per line. A block above `longest` characters comes in several
    pieces.

    Examples
    --------
    >>> book = ["CHAPTER I\n", "\n", "It rained. We\n", "stayed.\n", "\n", "* * *\n"]
    >>> [(block.kind, block.raw) for block in blocks_of(book)]
    [('heading', 'CHAPTER I\n'), ('blank', '\n'), ('text', 'It rained. We\nstayed.\n'),
     ('blank', '\n'), ('boundary', '* * *\n')]

    """
    block_lines: list[str] = []
    kind, size, begun = "", 0, False
    # Consecutive lines of one kind make a block; a boundary is a block by itself, and so is a line
    # of text with `by_line`.
    for line_kind, line in _kinds(lines):
        apart = line_kind in {"boundary", "doc"} or (by_line and line_kind == "text")
        if block_lines and (apart or line_kind != kind):
            yield _block(kind, block_lines, begun=begun)
            block_lines, size, begun = [], 0, False
        kind = line_kind
        block_lines.append(line)
        size += len(line)
        if apart:
            yield _block(kind, block_lines)
            block_lines, size = [], 0
        elif size > longest:
            yield Block(kind, "".join(block_lines), whole=False)
            block_lines, size, begun = [], 0, kind == "text"
    if block_lines:
        yield _block(kind, block_lines, begun=begun)


def heading_of(raw: str) -> str | None:
    r"""Return the heading in a block on one line, or `None` for other blocks.

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
    if len(lines) == 1 and _says_of_part(words):
        return None
    if _HEADING.fullmatch(words) and not _WORD_OF_ROMAN_LETTERS.fullmatch(words):
        return words
    letters = sum(char.isalpha() for char in words)
    ends = words[-1] in "!?…,;:\"'“”‘’«»-—" or (words[-1] == "." and " " not in words)
    if len(lines) == 1 and letters > 1 and words.upper() == words != words.lower() and not ends:
        return words
    return None


def _says_of_part(words: str) -> bool:
    """Check for a sentence such as `Part one was over.`, by the lower case after the number."""
    part = _NUMBERED_PART.match(words)
    goes_on = part is not None and words[part.end() :].lstrip()[:1].islower()
    return goes_on and words[-1] in ".!?…"


def _block(kind: str, block_lines: list[str], *, begun: bool = False) -> Block:
    raw = "".join(block_lines)
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
    front_lines: list[str] | None = []  # first lines, until they are known as front matter or text
    marked = behind = False
    for line in lines:
        frame = _FRAME.match(line.lstrip()) if "***" in line else None
        if behind:
            yield "aside", line
            behind = frame is None or frame[1].upper() != "START"  # another book in the file
            continue
        if frame is not None:
            if frame[1].upper() == "START":
                for front in front_lines or ():
                    yield "aside", front
                front_lines = None
            else:
                yield from _plain(front_lines or ())
                front_lines, behind = None, True
            yield "aside", line
            continue
        if front_lines is None:
            yield from _plain((line,))
            continue
        front_lines.append(line)
        # Front matter names Project Gutenberg in its first 10 lines; otherwise all lines are text.
        marked = marked or (len(front_lines) <= 10 and _GUTENBERG.search(line) is not None)
        if len(front_lines) > (_MOST_FRONT_LINES if marked else 10):
            yield from _plain(front_lines)
            front_lines = None
    yield from _plain(front_lines or ())


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


# Sizes of windows; set by hand: they bound memory, and are far above a usual paragraph.
_WINDOW_CHARACTERS = 1 << 19  # characters
_OVERLAP_SENTENCES = 200  # sentences
_MOST_SENTENCES = 20_000  # sentences


class Decision(NamedTuple):
    """The paragraph starts of a text of n sentences."""

    starts: Bools  # whether each sentence starts a paragraph; shape (n,)
    # The probability that each sentence starts a paragraph. Shape (n,).
    confidence: Floats | None = None


Decide = Callable[[list[str], "Bools"], Decision]


class Passage(NamedTuple):
    """A passage of a book with its paragraphs; the raw texts of all passages make the book."""

    kind: str  # as `Block.kind`; a passage of kind `text` includes blank lines
    raw: str  # the characters of the passage
    name: str = ""  # the name of the chapter that a heading starts; empty for other kinds
    spans: SentenceSpans | None = None  # the sentences of a text; `None` for other kinds
    decision: Decision | None = None  # the paragraph starts of a text; `None` for other kinds
    joined: bool = False  # whether the passage continues the run of the text passage before it


class Passages:
    """Segmenter of books into passages with paragraphs, window by window.

    Parameters
    ----------
    split : callable
        Splits a raw text into sentences.
    decide : callable
        Returns the decision for a list of sentences, given a boolean array of those that start a
        paragraph in any case.
    keep : bool
        Whether the paragraph breaks of the book are preserved; otherwise they are ignored.
    window : int
        The number of characters above which a run is cut.
    overlap : int
        The number of sentences at the end of a window that are left for the next window.
    most : int
        The maximum number of sentences that are decided together, 3 or more.

    Attributes
    ----------
    split : callable
        The parameter; may be replaced between books.

    """

    def __init__(
        self,
        split: Callable[[str], SentenceSpans],
        decide: Decide,
        *,
        keep: bool = True,
        window: int = _WINDOW_CHARACTERS,
        overlap: int = _OVERLAP_SENTENCES,
        most: int = _MOST_SENTENCES,
    ) -> None:
        self.split, self._decide = split, decide
        self._keep, self._window, self._overlap, self._most = keep, window, overlap, most
        self._forget()

    def _forget(self) -> None:
        self._run: list[str] = []
        self._size, self._room = 0, self._window  # characters of the run; size that triggers a cut
        self._begins = [0]  # offsets of the blocks in the run whose breaks are preserved
        self._open = False  # whether the next text block continues the last one
        # After a cut: whether the next sentence starts a paragraph, and the probability.
        self._first: tuple[bool, float] | None = None

    def over(self, blocks: Iterable[Block]) -> Iterator[Passage]:
        """Yield the passages of a book."""
        self._forget()
        for block in blocks:
            if block.kind == "text" or (block.kind == "blank" and self._run):
                if block.kind == "text" and not self._open and self._size and self._keep:
                    self._begins.append(self._size)
                self._open = block.kind == "text" and not block.whole
                # Add at most a window at a time, since a block may be longer than a window.
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
        """Yield the rest of the run and reset the state."""
        if self._run:
            spans = yield from self._fewer(self._split_blocks("".join(self._run)))
            decision = self._decided(spans)
            raw = "".join(self._run)
            yield Passage("text", raw, "", spans, decision, self._first is not None)
        self._forget()

    def _decided(self, spans: SentenceSpans) -> Decision:
        breaks = np.isin(np.arange(len(spans.starts)), np.searchsorted(spans.starts, self._begins))
        breaks[:1] = True
        decision = self._decide(spans.sentences, breaks)
        # After a cut, the first sentence was already decided in the window before.
        if self._first is None or not len(breaks):
            return decision
        starts = decision.starts.copy()
        starts[0] = self._first[0]
        confidence = None if decision.confidence is None else decision.confidence.copy()
        if confidence is not None:
            confidence[0] = self._first[1]
        return Decision(starts, confidence)

    def _split_blocks(self, raw: str) -> SentenceSpans:
        """Split a run into sentences, none of which crosses a preserved break between blocks."""
        if len(self._begins) == 1:
            return self.split(raw)
        parts = [self.split(raw[a:b]) for a, b in pairwise([*self._begins, len(raw)])]
        moved = list(zip(self._begins, parts, strict=True))
        return parts[0]._replace(
            sentences=[sentence for part in parts for sentence in part.sentences],
            starts=np.concatenate([part.starts + begin for begin, part in moved]),
            ends=np.concatenate([part.ends + begin for begin, part in moved]),
        )

    def _cut(self) -> Iterator[Passage]:
        """Yield the settled part of a long run."""
        self._run = ["".join(self._run)]
        spans = self._split_blocks(self._run[0])
        if len(spans.starts) < 3:
            # Too few to settle any: the last sentence may continue in the text that follows.
            self._room *= 2
            return
        spans = yield from self._fewer(spans)
        if self._size > self._window and len(spans.starts) > 2:
            yield self._sure(spans)
        # Read half a window more before the next cut; otherwise the same sentences would be
        # decided again with hardly more text after them.
        self._room = max(self._window, self._size + self._window // 2)

    def _fewer(self, spans: SentenceSpans) -> Generator[Passage, None, SentenceSpans]:
        """Yield settled passages until at most `most` sentences are left; return the rest."""
        while len(spans.starts) > self._most:
            passage = self._sure(_part(spans, 0, self._most))
            yield passage
            done = 0 if passage.spans is None else len(passage.spans.starts)
            rest = _part(spans, done, len(spans.starts))
            passage_length = len(passage.raw)
            spans = rest._replace(
                starts=rest.starts - passage_length, ends=rest.ends - passage_length
            )
        return spans

    def _sure(self, spans: SentenceSpans) -> Passage:
        """Decide three or more sentences; remove the settled ones from the run and return them."""
        raw = "".join(self._run)
        starts, confidence = self._decided(spans)
        n = len(starts)
        # Cut before the last paragraph start outside the overlap, which is half the sentences at
        # most; without one, where the overlap begins.
        last = min(max(n - self._overlap, n // 2), n - 2)
        boundaries = np.flatnonzero(starts[: last + 1])
        at = int(boundaries[-1]) if boundaries.size and boundaries[-1] > 0 else last
        settled_length = int(spans.ends[at - 1])
        decision = Decision(starts[:at], None if confidence is None else confidence[:at])
        joined = self._first is not None
        self._first = bool(starts[at]), 1.0 if confidence is None else float(confidence[at])
        self._begins = [
            0,
            *(begin - settled_length for begin in self._begins if begin > settled_length),
        ]
        self._run, self._size = [raw[settled_length:]], len(raw) - settled_length
        return Passage("text", raw[:settled_length], "", _part(spans, 0, at), decision, joined)


def _part(spans: SentenceSpans, first: int, end: int) -> SentenceSpans:
    return spans._replace(
        sentences=spans.sentences[first:end],
        starts=spans.starts[first:end],
        ends=spans.ends[first:end],
    )


class Chapter(NamedTuple):
    """A chapter of a book with known paragraphs."""

    name: str
    sentences: list[str]
    # The indices of the sentences that start a paragraph, ascending from 0.
    starts: Ints
    # The number of paragraphs that start within a sentence, and are missing from `starts`.
    lost: int


def chapters_of(
    blocks: Iterable[Block], split: Callable[[str], SentenceSpans]
) -> Iterator[Chapter]:
    """Yield the chapters of a book with one paragraph per block.

    The sentence splitter does not see paragraph breaks. Splitting each paragraph by itself would
    leak them into the sentences: only at a break could a sentence end in a colon.
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
    """Unique names of the chapters of a book, taken from its headings.

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
        """Set the heading that names the chapters before the next heading."""
        self._name = " ".join(name.split())

    @property
    def is_given(self) -> bool:
        """Whether a heading names the next chapter."""
        return bool(self._name)

    def next(self) -> str:
        """Return a unique name for the next chapter."""
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


def decide_with(
    segmenter: ParagraphSegmenter,
    sentences: list[str],
    known_breaks: Bools,
    *,
    confidence: bool = False,
) -> Decision:
    """Return the best paragraphs of a text that include all known breaks.

    `known_breaks`, of shape (n,), masks the sentences that are known to start a paragraph; the
    first always does. For a semi-Markov model the search is exact: the whole text is decoded
    without paragraphs that cross a known break. For other methods the known breaks are added to the
    predicted ones. With `confidence`, the result has the probability that each sentence starts a
    paragraph; it is 1 at known breaks.

    Raises `InputError` when the length of `known_breaks` is not the number of sentences, and
    `OptionError` when `confidence` is set and the method has no probabilities.
    """
    n = len(sentences)
    if known_breaks.shape != (n,):
        raise InputError(f"{len(known_breaks)} known breaks for {n} sentences: want one each")
    starts = known_breaks.copy()
    starts[:1] = True
    if starts.all() or not segmenter.breaks_:
        return Decision(starts, starts.astype(np.float64) if confidence else None)
    text = Text(sentences)
    if segmenter.method != "semi-markov":
        starts[segmenter.predict(text).boundaries] = True
        chances = segmenter.confidence(text) if confidence else None
        if chances is not None:
            chances[known_breaks] = 1.0
        return Decision(starts, chances)
    features = segmenter.features_.of(text)
    nodes = features.node_scores(segmenter.weights_) + segmenter.offset_
    edges = within_breaks(features.edge_scores(segmenter.weights_), known_breaks)
    starts[decode(nodes, edges)[0]] = True
    return Decision(starts, marginals(nodes, edges) if confidence else None)


def within_breaks(edges: Floats, known_breaks: Bools) -> Floats:
    """Return the scores of paragraphs, with minus infinity for those that cross a known break.

    `edges`, of shape (n, M), has the scores of `TextFeatures.edge_scores`: cell (i, c) is the
    paragraph of M - c sentences that ends with sentence i. `known_breaks`, of shape (n,), masks the
    sentences that are known to start a paragraph.

    Examples
    --------
    >>> within_breaks(np.zeros((3, 2)), np.array([True, False, True])).tolist()
    [[0.0, 0.0], [0.0, 0.0], [-inf, 0.0]]

    """
    n, longest = edges.shape
    ends = np.arange(n)
    opened = np.maximum.accumulate(np.where(known_breaks, ends, 0))
    over = (longest - np.arange(longest))[None, :] > (ends - opened + 1)[:, None]
    # Cells that reach back before the text are not paragraphs: leave their scores as they are.
    over &= (longest - np.arange(longest))[None, :] <= (ends + 1)[:, None]
    return np.where(over, -np.inf, edges)


_LEAST_VERSE_INDENT = 2  # columns by which verse is indented more than prose, at least; set by hand
_WHITE = re.compile(r"\s+")


def with_breaks(passage: Passage, *, end: str = "\n", by_line: bool = False, forget: bool) -> str:
    r"""Return the raw text of a passage with a break before each paragraph.

    A break is a blank line. White space that contains a blank line stays as it is. Otherwise a
    line end is inserted after the first line end in the white space, or two line ends after white
    space without any. Unless `forget` is set, nothing else changes, so that the text without the
    inserted line ends is the input.

    `end` is the line end of the book. With `by_line`, a single line end is a break, for text with
    one paragraph per line. With `forget`, old breaks where no paragraph starts are replaced by a
    line end (with `by_line`, by a space); otherwise old breaks stay.
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
    """Return the text of a passage with one line per paragraph; parameters as in `with_breaks`.

    Verse keeps its lines: a paragraph of several lines that are all indented at least two columns
    more than the least indented line of the passage.
    """
    if passage.spans is None or passage.decision is None or not passage.spans.sentences:
        return passage.raw
    raw, spans = passage.raw, passage.spans
    starts, ends = spans.starts.tolist(), spans.ends.tolist()
    margin = min(map(_indent, filter(str.strip, raw.split("\n")))) + _LEAST_VERSE_INDENT
    parts = []
    for first, last in paragraphs_of(passage):
        if first or (passage.joined and passage.decision.starts[0]):
            parts.append(end if by_line else 2 * end)
        elif passage.joined:
            parts.append(" " if starts[0] else "")
        else:
            parts.append(raw[: starts[0]])
        begin = _line_start(raw, starts[first])
        if _is_verse(raw[begin : ends[last - 1]], margin):
            # The text before the first sentence is in `parts` already.
            parts.append(raw[begin if first or passage.joined else starts[0] : ends[last - 1]])
            continue
        for k in range(first, last):
            # Chinese and Japanese put no space between sentences: insert none.
            apart = k > first and starts[k] > ends[k - 1]
            parts += [" " if apart else "", spans.sentences[k]]
    return "".join((*parts, raw[ends[-1] :]))


def _line_start(raw: str, place: int) -> int:
    """Return the start of the line if only white space precedes `place` in it, else `place`."""
    begin = raw.rfind("\n", 0, place) + 1
    return place if raw[begin:place].strip() else begin


def _is_verse(raw: str, margin: int) -> bool:
    lines = raw.split("\n")
    return len(lines) > 1 and all(_indent(line) >= margin for line in lines if line.strip())


def _indent(line: str) -> int:
    """Return the indentation of a line in columns, with tab stops every 8 columns."""
    white = line[: len(line) - len(line.lstrip())]
    return len(white.expandtabs())


def paragraphs_of(passage: Passage) -> list[tuple[int, int]]:
    """Return the paragraphs of a passage as half-open spans of sentences.

    The first paragraph may continue the last one of the passage before: it does where
    `passage.joined` is set and `passage.decision.starts[0]` is not.
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
    """Replace each paragraph break in a text by a line end or, with `by_line`, by a space."""
    most, instead = (0, " ") if by_line else (1, end)
    if text.count("\n") <= most:
        return text
    return _WHITE.sub(lambda space: instead if space[0].count("\n") > most else space[0], text)
