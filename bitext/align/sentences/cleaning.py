"""Views of a text for alignment: without references, tags and misleading running numbers.

Running numbers count lines, pages, notes, verses or chapters. Numbers of verses, articles and
chapters show what corresponds. Numbers that each text counts for itself, such as those of lines,
pages and often notes, are equal in sentences that do not correspond, and would mislead the path.
Lengths distinguish the two kinds: sentences with the same number of a verse have similar
lengths in both texts, and so has the text between two headings of chapters, or between two notes
that both texts have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from html import unescape
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from bitext.kernels.arrays import Bools, median
from bitext.lazy import late_pattern

if TYPE_CHECKING:
    import re


class TextView(Protocol):
    """The segments of a text as alignment reads them."""

    def __len__(self) -> int: ...

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of some segments."""


class RewrittenText:
    """A view of a text with a function applied to each segment when it is read.

    The function maps a segment to the segment as alignment reads it. It changes only segments that
    contain `mark`.

    Examples
    --------
    >>> from bitext.model import Text
    >>> list(RewrittenText(Text(["It rained.", "He came."]), str.upper, " ").segments(1))
    ['HE CAME.']

    """

    __slots__ = ("_change", "_mark", "_text")

    def __init__(self, text: TextView, change: Callable[[str], str], mark: str) -> None:
        self._text, self._change, self._mark = text, change, mark

    def __len__(self) -> int:
        return len(self._text)

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of each segment, as `Text.segments` does."""
        change, mark = self._change, self._mark
        segments = self._text.segments(first, last)
        return (change(segment) if mark in segment else segment for segment in segments)


# Character references, such as `R&amp;D` or `&#20013;&#25991;`, are resolved: a word of another
# script would consist of digits, and be up to eight times as long.

_REFERENCE = late_pattern(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def without_references(text: TextView) -> TextView:
    """Resolve the character references of a text; return the text itself if it has none.

    Examples
    --------
    >>> from bitext.model import Text
    >>> text = Text(["salt & pepper"])
    >>> without_references(text) is text
    True

    """
    has = any("&" in sentence and _REFERENCE.search(sentence) for sentence in text.segments())
    return RewrittenText(text, unescaped, "&") if has else text


def unescaped(sentence: str) -> str:
    """Resolve the HTML character references of a sentence that end in `;`.

    Examples
    --------
    >>> [unescaped(one) for one in ("R&amp;D", "&#20013;&#x6587;", "&nonesuch; & more;")]
    ['R&D', '中文', '&nonesuch; & more;']

    """
    if "&" not in sentence:
        return sentence
    return _REFERENCE.sub(lambda reference: unescape(reference[0]), sentence)


# Tags, as in `<p class="a">It <b>rained</b>.</p>`.
#
# Tags around every line are not evidence: they hide the first and last characters of the sentence
# and add to its length. The same is true of tags inside sentences if the other text has none. If
# both texts have tags, these are evidence, but their attributes (for example the address of a link)
# may be longer than the sentence. Lines with nothing but tags are not changed.

_LONGEST_TAG = 300  # characters of a tag or an attribute value: bounds backtracking
_COMMENT = rf"<!--[^<>]{{0,{_LONGEST_TAG}}}-->"
_TAG = rf"(?:<(?:/?[A-Za-z][^<>]{{0,{_LONGEST_TAG}}})>|{_COMMENT})"
# `<name of author>` within a sentence is not a tag: attributes need a value.
_SAYS = (
    rf"(?:\"[^\"<>]{{0,{_LONGEST_TAG}}}\"|'[^'<>]{{0,{_LONGEST_TAG}}}'"
    rf"|[^\s\"'<>]{{1,{_LONGEST_TAG}}})"
)
_ATTRIBUTES = rf"(?:\s+[\w:.-]{{1,50}}\s*=\s*{_SAYS})"
_NAME = r"[A-Za-z][\w:.-]{0,50}"
_ANY = late_pattern(rf"<(?:/{_NAME}|{_NAME}{_ATTRIBUTES}{{0,20}}\s*/?)>|{_COMMENT}")
_BEGUN = late_pattern(rf"<({_NAME}){_ATTRIBUTES}{{1,20}}\s*>")
_HEAD = late_pattern(rf"(?:\s*{_TAG})+")
_TAIL = late_pattern(rf"{_TAG}\Z")
# Set by hand, for the tagged and linked lines of alignment_passages.py; halving or doubling moves
# no bead there (alignment_constants.md).
_SAMPLED_SENTENCES = 50  # sentences that decide whether a text has tags or numbers: bounds time
_LEAST_TAGGED_SHARE = 0.5  # least share of them that begin or end with a tag
# Factor: with more tags than so many times those of the other text, tags are removed
_TAG_RATIO = 2.0


def without_useless_tags(src: TextView, tgt: TextView) -> list[TextView]:
    """Remove the tags and attributes of two texts that are not evidence for alignment.

    Tags at the ends of sentences are removed if at least half of the sentences have some. All tags
    are removed if the share of sentences with tags is more than twice that of the other text. Other
    tags lose their attributes, except empty ones (`<x id="1"/>`), which stand for some content.

    Examples
    --------
    >>> from bitext.model import Text
    >>> some, others = Text(["<s id='1'>It <b>rained</b>.</s>", "a < b"]), Text(["Il pleut.", "a"])
    >>> [list(text.segments())[0] for text in without_useless_tags(some, some)]
    ['It <b>rained</b>.', 'It <b>rained</b>.']
    >>> [list(text.segments())[0] for text in without_useless_tags(some, others)]
    ['It rained.', 'Il pleut.']

    """
    both = [_without_ends(text) for text in (src, tgt)]
    shares = [_tagged(text) for text in both]
    return [
        RewrittenText(
            text, without_tags if share > _TAG_RATIO * other_share else with_plain_tags, "<"
        )
        if share
        else text
        for text, share, other_share in zip(both, shares, reversed(shares), strict=True)
    ]


def is_empty(sentence: str) -> bool:
    """Check whether a sentence has no visible character outside of tags.

    Examples
    --------
    >>> [is_empty(one) for one in ("", " ", "<p>", "<td>&nbsp;</td>", "<p>It rained.</p>", "<3")]
    [True, True, True, True, False, False]

    """
    if not sentence or sentence.isspace():
        return True
    if sentence.lstrip()[0] not in "<&":
        return False
    seen = _ANY.sub("", unescaped(sentence))
    return not seen or seen.isspace()


def without_tags(sentence: str) -> str:
    """Remove the tags of a sentence, unless it has nothing else.

    Examples
    --------
    >>> [without_tags(one) for one in ("It <b>rained</b>.", "a < b", "<hr/>")]
    ['It rained.', 'a < b', '<hr/>']

    """
    if "<" not in sentence:
        return sentence
    rest = _ANY.sub("", sentence)
    return rest if rest.strip() else sentence


def with_plain_tags(sentence: str) -> str:
    """Remove the attributes of tags in a sentence, unless it has nothing but tags.

    Examples
    --------
    >>> [with_plain_tags(one) for one in ("<a href='x'>It</a> <x id='1'/>", "<p id='7'>")]
    ["<a>It</a> <x id='1'/>", "<p id='7'>"]

    """
    if "<" not in sentence or is_empty(sentence):
        return sentence
    return _BEGUN.sub(r"<\1>", sentence)


def without_end_tags(sentence: str) -> str:
    """Remove the tags at both ends of a sentence, unless it has nothing else.

    Examples
    --------
    >>> [without_end_tags(one) for one in ("<p><b>It</b> rained.</p>", "<hr/>")]
    ['It</b> rained.', '<hr/>']

    """
    if "<" not in sentence:
        return sentence
    head = _HEAD.match(sentence)
    begin, end = head.end() if head else 0, len(sentence)
    while end > begin:
        if sentence[end - 1].isspace():
            end -= 1
        elif tail := _TAIL.search(sentence, max(begin, end - 2 * _LONGEST_TAG), end):
            end = tail.start()
        else:
            break
    return sentence[begin:end].lstrip() or sentence


def _without_ends(text: TextView) -> TextView:
    first = list(islice(text.segments(0, _SAMPLED_SENTENCES), _SAMPLED_SENTENCES))
    tagged = sum(len(without_end_tags(sentence)) < len(sentence.strip()) for sentence in first)
    return (
        RewrittenText(text, without_end_tags, "<")
        if first and tagged >= _LEAST_TAGGED_SHARE * len(first)
        else text
    )


def _tagged(text: TextView) -> float:
    """Return the share of the sentences with a tag and other text."""
    candidates = (sentence for sentence in text.segments() if "<" in sentence)
    tagged = sum(len(without_tags(sentence)) < len(sentence) for sentence in candidates)
    return tagged / max(len(text), 1)


# Before a sentence: `57.`, `[57]`, `2:14`, `00:05:21`.
_BEFORE = late_pattern(r"\s*[^\w\s]{0,2}(\d{1,9}(?:[.:]\d{1,9}){0,3})[^\w\s]{0,2}\s+(?=\S)")
_PARTS = late_pattern(r"[.:]")
_LINE = late_pattern(r"(\D{0,30})(\d{1,5})(\D{0,30})")  # all of a line: `57`, `- 57 -`, `Page 57`
_NOTE = late_pattern(r"([\[({])(\d{1,5})([\])}])")  # anywhere: `[57]`
# Set by hand, for the numbered lines and pages of alignment_passages.py. Change of F1 for half and
# twice, mean of four such cases (alignment_constants.md): _LEAST_PARTNER_SHARE 0 and -.036,
# _LEAST_CORRELATION -.012 and -.036, twice _FEWEST_OF_SORT -.012; shares above 1 turn a check off.
# The others move no bead.
_LONGEST_PAGE_NUMBER = 65  # characters of the longest line that is a page number
_FEWEST_NUMBERS = 10  # least number of numbered sentences, and of pairs with the same number
_FEWEST_OF_SORT = 5  # least number of page numbers, or notes, of a sort
# Least share of the greatest count of common numbers, of a likely counterpart
_LEAST_PARTNER_SHARE = 0.75
_MOST_SORTS = 32  # sorts of numbers that are compared: bounds time
_MOST_SENTENCES = 20_000  # sentences that are read: bounds time
_LEAST_NUMBERED_SHARE = 0.9  # least share of sentences with a number
_LEAST_ASCENDING_SHARE = 0.85  # least share of the numbers that are greater than the one before
# Least share of the numbers that are greater by one (in lines and notes: or two)
_LEAST_BY_ONE_SHARE = 0.75
# Least correlation of lengths with the same number, if the numbers correspond
_LEAST_CORRELATION = 0.85
_OUTLIER_SHARE = 0.05  # share of these lengths that is left out, those that differ most
_FEWEST_OUTLIERS = 3  # least number of lengths that are left out, up to a quarter of all
_Sort = tuple[bool, str, str]  # whether numbers of notes; the strings before and after the number


class Unnumbered:
    """A view of a text without some of its running numbers.

    With `before`, the numbers before sentences are removed. Each item of `within` describes other
    numbers to remove: whether they are notes (or else whole lines), and the strings before and
    after the number.

    Examples
    --------
    >>> from bitext.model import Text
    >>> text = Text(["[7] In 1786.", "Page 3", "[8] 12 men (4)."])
    >>> within = [(False, "Page ", ""), (True, "(", ")")]
    >>> list(Unnumbered(text, before=True, within=within).segments())
    ['In 1786.', 'Page ', '12 men ().']

    """

    def __init__(
        self, text: TextView, *, before: bool = False, within: Collection[_Sort] = ()
    ) -> None:
        self._text, self._before, self._within = text, before, frozenset(within)
        self._notes = any(note for note, _, _ in within)

    def __len__(self) -> int:
        return len(self._text)

    def apart(self) -> Bools:
        """Mark the lines that were only a number: they have no translation."""
        return np.array([self._is_apart(one) is not None for one in self._text.segments()], bool)

    def _is_apart(self, sentence: str) -> re.Match[str] | None:
        line = _line(sentence)
        return line if line and (False, line[1], line[3]) in self._within else None

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of each segment, as `Text.segments` does."""
        for sentence in self._text.segments(first, last):
            if line := self._is_apart(sentence):
                yield line[1] + line[3]
                continue
            bare = _BEFORE.sub("", sentence, count=1) if self._before else sentence
            yield _NOTE.sub(self._without, bare) if self._notes else bare

    def _without(self, note: re.Match[str]) -> str:
        return note[1] + note[3] if (True, note[1], note[3]) in self._within else note[0]


def _line(sentence: str) -> re.Match[str] | None:
    """Match a line that has a number and little else."""
    return _LINE.fullmatch(sentence) if len(sentence) <= _LONGEST_PAGE_NUMBER else None


def without_running_numbers(src: TextView, tgt: TextView) -> tuple[TextView, TextView]:
    """Remove the numbers of lines, pages and notes that are not evidence of correspondence.

    The texts have sentences, not only ids.

    Examples
    --------
    >>> from bitext.model import Text
    >>> words = ["Yes.", "We went up to the hut.", "It rained all night.", "So be it."] * 4
    >>> src = Text([f"{k}. {x}" for k, x in enumerate(words)])
    >>> tgt = Text([f"{k}. {x}" for k, x in enumerate(words[1:])])
    >>> next(without_running_numbers(src, tgt)[0].segments())
    'Yes.'
    >>> next(without_running_numbers(src, src)[0].segments())
    '0. Yes.'

    """
    before = _misleading_before(_before(src), _before(tgt))
    within = _misleading_within(src, tgt)
    src_view, tgt_view = (
        Unnumbered(text, before=before_numbers, within=within_sorts)
        if before_numbers or within_sorts
        else text
        for text, before_numbers, within_sorts in zip((src, tgt), before, within, strict=True)
    )
    return src_view, tgt_view


class _Before(NamedTuple):
    # The length of each sentence in characters. The keys are the number of restarts so far and the
    # parts of the number.
    sizes: dict[tuple[int, ...], int]
    by_one: bool  # whether most numbers are the successor of the number before


def _before(text: TextView) -> _Before | None:
    """Return the numbers before the sentences of a text, if nearly all have one and they ascend."""
    first = list(islice(text.segments(0, _SAMPLED_SENTENCES), _SAMPLED_SENTENCES))
    if len(first) < _FEWEST_NUMBERS or sum(
        map(bool, map(_BEFORE.match, first))
    ) < _LEAST_NUMBERED_SHARE * len(first):
        return None
    numbers: list[tuple[int, ...]] = []
    sizes: dict[tuple[int, ...], int] = {}
    restarts, sentences = 0, 0
    for sentence in text.segments(0, _MOST_SENTENCES):
        sentences += 1
        match = _BEFORE.match(sentence)
        if match is None:
            continue
        number = tuple(map(int, _PARTS.split(match[1])))
        restarts += bool(numbers) and number <= numbers[-1]
        numbers.append(number)
        sizes[restarts, *number] = len(sentence) - match.end()
    steps = max(len(numbers) - 1, 1)
    if (
        len(numbers) < _LEAST_NUMBERED_SHARE * sentences
        or restarts > (1 - _LEAST_ASCENDING_SHARE) * steps
    ):
        return None
    by_one = sum(a[:-1] == b[:-1] and a[-1] + 1 == b[-1] for a, b in pairwise(numbers))
    return _Before(sizes, by_one >= _LEAST_BY_ONE_SHARE * steps)


def _misleading_before(
    src_numbers: _Before | None, tgt_numbers: _Before | None
) -> tuple[bool, bool]:
    """Return for each text whether the numbers before its sentences mislead alignment."""
    if src_numbers is None or tgt_numbers is None:
        return (
            src_numbers is not None and src_numbers.by_one,
            tgt_numbers is not None and tgt_numbers.by_one,
        )
    common = [number for number in src_numbers.sizes if number in tgt_numbers.sizes]
    sizes = [[side.sizes[number] for number in common] for side in (src_numbers, tgt_numbers)]
    misleads = len(common) >= _FEWEST_NUMBERS and not _go_together(*sizes)
    return misleads, misleads


def _go_together(src_sizes: ArrayLike, tgt_sizes: ArrayLike) -> bool:
    """Test two sides for correlated lengths, or one side for equal lengths only.

    A few pairs of lengths that differ most are left out, as one text may have an omission there.
    """
    lengths = np.log(np.array([src_sizes, tgt_sizes], dtype=np.float64))
    ratio = lengths[1] - lengths[0]
    few = math.ceil(max(_OUTLIER_SHARE * len(ratio), min(_FEWEST_OUTLIERS, len(ratio) / 4)))
    lengths = lengths[:, np.argsort(np.abs(ratio - median(ratio)))[: len(ratio) - few]]
    if (np.ptp(lengths, axis=1) == 0).any():
        return True
    return bool(np.corrcoef(lengths)[0, 1] >= _LEAST_CORRELATION)


class _Running(NamedTuple):
    """Running numbers with the same strings before and after them."""

    sort: _Sort  # whether they are notes, and the strings before and after the number
    # The characters of the text before each number. The keys are the number of restarts so far and
    # the number.
    letters: dict[tuple[int, int], int]


def _misleading_within(src: TextView, tgt: TextView) -> tuple[list[_Sort], list[_Sort]]:
    """Return for each text the sorts of numbers, of lines and of notes, that mislead alignment.

    Such a sort of numbers has a counterpart in the other text, by common numbers, with which its
    distances are not correlated.
    """
    sides = _running(src), _running(tgt)
    pairs: list[tuple[_Sort, _Sort, int, bool]] = []
    for src_run in sides[0]:
        for tgt_run in sides[1]:
            common = sorted(set(src_run.letters) & set(tgt_run.letters))
            if len(common) >= _FEWEST_OF_SORT:
                between = [np.diff([run.letters[k] for k in common]) for run in (src_run, tgt_run)]
                pairs.append((src_run.sort, tgt_run.sort, len(common), _go_together(*between)))
    return _misleading(
        [(one, common_count, correlates) for one, _, common_count, correlates in pairs]
    ), _misleading([(one, common_count, correlates) for _, one, common_count, correlates in pairs])


def _misleading(pairs: Sequence[tuple[_Sort, int, bool]]) -> list[_Sort]:
    """Return the sorts of numbers that correlate with none of their likely counterparts.

    A pair has a sort, the count of numbers in common with a sort of the other text, and whether the
    distances of these correlate. Likely counterparts are those with nearly as many numbers in
    common as the one that has most.
    """
    most: dict[_Sort, int] = {}
    for sort, common_count, _ in pairs:
        most[sort] = max(common_count, most.get(sort, 0))
    useful = {
        sort
        for sort, common_count, correlates in pairs
        if correlates and common_count >= _LEAST_PARTNER_SHARE * most[sort]
    }
    return sorted(most.keys() - useful)


def _running(text: TextView) -> list[_Running]:
    """Return the running numbers of lines and notes in the first sentences of a text.

    At most `_MOST_SENTENCES` sentences are read. At most `_MOST_SORTS` sorts are returned, those
    with most numbers, because each of them is compared with each sort of the other text.
    """
    places: dict[_Sort, list[tuple[int, int]]] = {}
    letters = 0
    for sentence in text.segments(0, _MOST_SENTENCES):
        line = _line(sentence)
        notes = _NOTE.finditer(sentence)
        for match in notes if line is None else (line, *notes):
            sort = match is not line, match[1], match[3]
            places.setdefault(sort, []).append((int(match[2]), letters + match.start(2)))
        letters += len(sentence) + 1
    running = [
        (sort, numbers)
        for sort, numbers in places.items()
        if len(numbers) >= _FEWEST_OF_SORT and _runs([number for number, _ in numbers])
    ]
    running.sort(key=lambda one: -len(one[1]))
    return [_Running(sort, _numbered(numbers)) for sort, numbers in running[:_MOST_SORTS]]


def _numbered(numbers: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the place of each number, keyed by the restarts before it and the number."""
    restarts = np.cumsum([False, *(b <= a for (a, _), (b, _) in pairwise(numbers))]).tolist()
    return {(k, number): place for k, (number, place) in zip(restarts, numbers, strict=True)}


def _runs(numbers: Sequence[int]) -> bool:
    """Test numbers for an ascending order, mostly by one or two."""
    steps = np.diff(numbers)
    near = (steps > 0) & (steps <= 2)
    return bool((steps > 0).mean() >= _LEAST_ASCENDING_SHARE and near.mean() >= _LEAST_BY_ONE_SHARE)
