"""Running numbers that do not correspond in a text and its translation.

Where each text has its own numbers, as lines that were counted, pages and notes have, the same
number stands at other places: equal numbers would lead the path astray. Numbers of verses, articles
and chapters tell where translations are. All of them run through the text; but what has the same
number of a verse is about as long in both, and so is what lies between two headings of chapters, or
between two notes that both texts have.
"""

from __future__ import annotations

import math
import re
from html import unescape
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "RewrittenText",
    "TextView",
    "Unnumbered",
    "is_empty",
    "unescaped",
    "with_plain_tags",
    "without_end_tags",
    "without_references",
    "without_running_numbers",
    "without_tags",
    "without_useless_tags",
]


# Views of a text: its segments as they are, or as if they were written otherwise.


class TextView(Protocol):
    """The segments of a text as alignment reads them."""

    def __len__(self) -> int: ...

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of some segments."""


class RewrittenText:
    """A text whose segments are seen as if they were written otherwise; none is kept.

    Parameters
    ----------
    text : TextView
    change : callable
        Returns how a segment is seen.

    Examples
    --------
    >>> from bitext.model import Text
    >>> list(RewrittenText(Text(["It rained.", "He came."]), str.upper).segments(1))
    ['HE CAME.']

    """

    __slots__ = ("_change", "_text")

    def __init__(self, text: TextView, change: Callable[[str], str]) -> None:
        self._text, self._change = text, change

    def __len__(self) -> int:
        return len(self._text)

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of each segment, as `Text.segments` does."""
        return map(self._change, self._text.segments(first, last))


# Texts with character references, as `R&amp;D` or `&#20013;&#25991;`: their characters are seen.
#
# Written so, a word of another script is a row of figures, and up to eight times as long.

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def without_references(text: TextView) -> TextView:
    """Return a text with its character references as characters, if it has any.

    Examples
    --------
    >>> from bitext.model import Text
    >>> text = Text(["salt & pepper"])
    >>> without_references(text) is text
    True

    """
    has = any("&" in sentence and _REFERENCE.search(sentence) for sentence in text.segments())
    return RewrittenText(text, unescaped) if has else text


def unescaped(sentence: str) -> str:
    """Return a sentence with its character references of HTML, which end in `;`, as characters.

    Examples
    --------
    >>> [unescaped(one) for one in ("R&amp;D", "&#20013;&#x6587;", "&nonesuch; & more;")]
    ['R&D', '中文', '&nonesuch; & more;']

    """
    if "&" not in sentence:
        return sentence
    return _REFERENCE.sub(lambda found: unescape(found[0]), sentence)


# Texts whose lines have tags, as `<p class="a">It <b>rained</b>.</p>`: what is seen of these.
#
# Tags that stand about each line tell nothing of it, but hide how its sentence begins and ends,
# and make all lines longer. So do tags within sentences if the other text has none. Where both
# have some they help, but what they have beside their names, as the address of a link, may be
# longer than the sentence. Lines that are nothing but tags are looked at as they are.

_LONGEST_TAG = 300  # characters of a tag or an attribute value: bounds backtracking
_COMMENT = rf"<!--[^<>]{{0,{_LONGEST_TAG}}}-->"
_TAG = rf"(?:<(?:/?[A-Za-z][^<>]{{0,{_LONGEST_TAG}}})>|{_COMMENT})"
# Within a sentence `<name of author>` is no tag.
_SAYS = (
    rf"(?:\"[^\"<>]{{0,{_LONGEST_TAG}}}\"|'[^'<>]{{0,{_LONGEST_TAG}}}'"
    rf"|[^\s\"'<>]{{1,{_LONGEST_TAG}}})"
)
_ATTRIBUTES = rf"(?:\s+[\w:.-]{{1,50}}\s*=\s*{_SAYS})"
_NAME = r"[A-Za-z][\w:.-]{0,50}"
_ANY = re.compile(rf"<(?:/{_NAME}|{_NAME}{_ATTRIBUTES}{{0,20}}\s*/?)>|{_COMMENT}")
_BEGUN = re.compile(rf"<({_NAME}){_ATTRIBUTES}{{1,20}}\s*>")
_HEAD = re.compile(rf"(?:\s*{_TAG})+")
_TAIL = re.compile(rf"{_TAG}\Z")
_FIRST = 50  # sentences that decide whether a text has tags or numbers
_MANY_TAGS = 0.5  # share of them that begin or end with a tag
_TIMES = 2.0  # times as many tags as the other text has, and more, are no translation


def without_useless_tags(src: TextView, tgt: TextView) -> list[TextView]:
    """Return two texts without what tells nothing of their tags.

    These are tags at the ends of sentences, if half of them or more have some there; and anywhere,
    if more than twice as many of them have some as in the other text. Others are seen without
    attributes, but for empty ones (`<x id="1"/>`), which stand for something.

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
        RewrittenText(text, without_tags if mine > _TIMES * other else with_plain_tags)
        if mine
        else text
        for text, mine, other in zip(both, shares, reversed(shares), strict=True)
    ]


def is_empty(sentence: str) -> bool:
    """Return whether a sentence has no visible character outside of tags.

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
    """Return a sentence without its tags, or as it is if it is nothing else.

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
    """Return a sentence with tags that have no attributes, or as it is if it is nothing but tags.

    Examples
    --------
    >>> [with_plain_tags(one) for one in ("<a href='x'>It</a> <x id='1'/>", "<p id='7'>")]
    ["<a>It</a> <x id='1'/>", "<p id='7'>"]

    """
    if "<" not in sentence or is_empty(sentence):
        return sentence
    return _BEGUN.sub(r"<\1>", sentence)


def without_end_tags(sentence: str) -> str:
    """Return a sentence without the tags at its ends, or as it is if it is nothing else.

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
    first = list(islice(text.segments(0, _FIRST), _FIRST))
    tagged = sum(len(without_end_tags(sentence)) < len(sentence.strip()) for sentence in first)
    return (
        RewrittenText(text, without_end_tags)
        if first and tagged >= _MANY_TAGS * len(first)
        else text
    )


def _tagged(text: TextView) -> float:
    """Return the share of the sentences with a tag beside something else."""
    with_any = (sentence for sentence in text.segments() if "<" in sentence)
    found = sum(len(without_tags(sentence)) < len(sentence) for sentence in with_any)
    return found / max(len(text), 1)


# Before a sentence: `57.`, `[57]`, `2:14`, `00:05:21`.
_BEFORE = re.compile(r"\s*[^\w\s]{0,2}(\d{1,9}(?:[.:]\d{1,9}){0,3})[^\w\s]{0,2}\s+(?=\S)")
_PARTS = re.compile(r"[.:]")
_LINE = re.compile(r"(\D{0,30})(\d{1,5})(\D{0,30})")  # all of a line: `57`, `- 57 -`, `Page 57`
_NOTE = re.compile(r"([\[({])(\d{1,5})([\])}])")  # anywhere: `[57]`
_LONGEST = 65  # characters of a line that is a page number
_FEWEST = 10  # numbered sentences, and pairs of them, that are enough to compare
_PAGES = 5  # page lines, or notes, that are enough
_PARTNER = 0.75  # share of the most numbers in common with any other sort
_SORTS = 32  # sorts of numbers that are compared: bounds the work
_MOST = 20_000  # sentences that are read: bounds the work
_MANY = 0.9  # share of sentences with a number
_ASCEND = 0.85  # share of the numbers that are greater than the one before
_BY_ONE = 0.75  # share that are greater by one, if one text alone is numbered
_TOGETHER = 0.85  # correlation of the lengths of what has the same number, if numbers tell
_LEFT_OUT = 0.05  # share of these lengths that differ most, and do not count
_PASSAGES = 3  # the least number of them, but at most a quarter
_Sort = tuple[bool, str, str]  # whether of notes; what stands before and behind the number


class Unnumbered:
    """A text as if some of its numbers were not there.

    Parameters
    ----------
    text : TextView
    before : bool
        Whether the numbers before its sentences are left out.
    within : collection of (bool, str, str)
        Which other numbers are left out: whether those of notes, or in lines that have nothing else
        but what stands before the number, and behind it.

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

    def apart(self) -> NDArray[np.bool_]:
        """Mark the lines whose number is removed: they correspond to no other."""
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
        """Return a note without its number, if it is to be left out."""
        return note[1] + note[3] if (True, note[1], note[3]) in self._within else note[0]


def _line(sentence: str) -> re.Match[str] | None:
    """Return a line that has a number and little else."""
    return _LINE.fullmatch(sentence) if len(sentence) <= _LONGEST else None


def without_running_numbers(src: TextView, tgt: TextView) -> tuple[TextView, TextView]:
    """Return two texts without the numbers of lines, pages and notes that tell nothing.

    Parameters
    ----------
    src, tgt : TextView
        With characters.

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
    here, there = (
        Unnumbered(text, before=own, within=some) if own or some else text
        for text, own, some in zip((src, tgt), before, within, strict=True)
    )
    return here, there


class _Before(NamedTuple):
    """The numbers before the sentences of a text.

    Attributes
    ----------
    sizes : dict
        The length of each sentence by its number, before which stands how often numbers began anew.
    by_one : bool
        Whether most are greater than the one before by one.

    """

    sizes: dict[tuple[int, ...], int]
    by_one: bool


def _before(text: TextView) -> _Before | None:
    """Return the numbers before the sentences of a text, if there are such that run through it."""
    first = list(islice(text.segments(0, _FIRST), _FIRST))
    if len(first) < _FEWEST or sum(map(bool, map(_BEFORE.match, first))) < _MANY * len(first):
        return None
    met: list[tuple[int, ...]] = []
    sizes: dict[tuple[int, ...], int] = {}
    anew, looked_at = 0, 0
    for sentence in text.segments(0, _MOST):
        looked_at += 1
        found = _BEFORE.match(sentence)
        if found is None:
            continue
        number = tuple(map(int, _PARTS.split(found[1])))
        anew += bool(met) and number <= met[-1]
        met.append(number)
        sizes[anew, *number] = len(sentence) - found.end()
    steps = max(len(met) - 1, 1)
    if len(met) < _MANY * looked_at or anew > (1 - _ASCEND) * steps:
        return None
    by_one = sum(a[:-1] == b[:-1] and a[-1] + 1 == b[-1] for a, b in pairwise(met))
    return _Before(sizes, by_one >= _BY_ONE * steps)


def _misleading_before(here: _Before | None, there: _Before | None) -> tuple[bool, bool]:
    """Tell of both texts whether the numbers before their sentences say nothing."""
    if here is None or there is None:
        return here is not None and here.by_one, there is not None and there.by_one
    common = [number for number in here.sizes if number in there.sizes]
    sizes = [[side.sizes[number] for number in common] for side in (here, there)]
    misleads = len(common) >= _FEWEST and not _go_together(*sizes)
    return misleads, misleads


def _go_together(here: ArrayLike, there: ArrayLike) -> bool:
    """Return whether lengths are correlated; so they are if all of a side are the same.

    The few that differ most do not count: there one text may have left something out.
    """
    lengths = np.log(np.array([here, there], dtype=np.float64))
    ratio = lengths[1] - lengths[0]
    few = math.ceil(max(_LEFT_OUT * len(ratio), min(_PASSAGES, len(ratio) / 4)))
    lengths = lengths[:, np.argsort(np.abs(ratio - np.median(ratio)))[: len(ratio) - few]]
    if (np.ptp(lengths, axis=1) == 0).any():
        return True
    return bool(np.corrcoef(lengths)[0, 1] >= _TOGETHER)


class _Running(NamedTuple):
    """Numbers that run through a text, before and behind which stands the same.

    Attributes
    ----------
    sort : (bool, str, str)
        Whether they are notes, and what stands before and behind them.
    letters : dict
        The letters of the text before each number; before that stands how often they began anew.

    """

    sort: _Sort
    letters: dict[tuple[int, int], int]


def _misleading_within(src: TextView, tgt: TextView) -> tuple[list[_Sort], list[_Sort]]:
    """Return of both texts the sorts of numbers, of lines and notes, that say nothing.

    So it is where the other text has such numbers, and none of those that have most in common with
    these go together with them.
    """
    sides = _running(src), _running(tgt)
    met: list[tuple[_Sort, _Sort, int, bool]] = []
    for here in sides[0]:
        for there in sides[1]:
            common = sorted(set(here.letters) & set(there.letters))
            if len(common) >= _PAGES:
                between = [np.diff([own.letters[k] for k in common]) for own in (here, there)]
                met.append((here.sort, there.sort, len(common), _go_together(*between)))
    return _untold([(one, many, right) for one, _, many, right in met]), _untold(
        [(one, many, right) for _, one, many, right in met]
    )


def _untold(met: Sequence[tuple[_Sort, int, bool]]) -> list[_Sort]:
    """Return the sorts of numbers of which none that goes together has most in common with them.

    `met` has a sort, how many numbers it and one of the other text have in common, and whether
    these go together.
    """
    most: dict[_Sort, int] = {}
    for sort, many, _ in met:
        most[sort] = max(many, most.get(sort, 0))
    told = {sort for sort, many, right in met if right and many >= _PARTNER * most[sort]}
    return sorted(most.keys() - told)


def _running(text: TextView) -> list[_Running]:
    """Return the numbers of lines and notes that run through a text, as far as it is looked at.

    Of many sorts those with most numbers: each is held against each of the other text.
    """
    held: dict[_Sort, list[tuple[int, int]]] = {}
    letters = 0
    for sentence in text.segments(0, _MOST):
        line = _line(sentence)
        notes = _NOTE.finditer(sentence)
        for found in notes if line is None else (line, *notes):
            sort = found is not line, found[1], found[3]
            held.setdefault(sort, []).append((int(found[2]), letters + found.start(2)))
        letters += len(sentence) + 1
    running = [
        (sort, met)
        for sort, met in held.items()
        if len(met) >= _PAGES and _runs([number for number, _ in met])
    ]
    running.sort(key=lambda one: -len(one[1]))
    return [_Running(sort, _numbered(met)) for sort, met in running[:_SORTS]]


def _numbered(met: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the place of each number, keyed by the restarts before it."""
    anew = np.cumsum([False, *(b <= a for (a, _), (b, _) in pairwise(met))]).tolist()
    return {(k, number): place for k, (number, place) in zip(anew, met, strict=True)}


def _runs(numbers: Sequence[int]) -> bool:
    """Return whether numbers ascend, mostly by one or two."""
    steps = np.diff(numbers)
    near = (steps > 0) & (steps <= 2)
    return bool((steps > 0).mean() >= _ASCEND and near.mean() >= _BY_ONE)
