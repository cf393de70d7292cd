"""Rows, columns and paragraphs of pages of PDF files that have no tags.

A page has words at places, but no lines or paragraphs. These are derived in seven steps:

1. Words of one baseline are a row. A gap of a sixth of the size is a blank. Accents are put on
   their letters, and words from right to left into the order of reading.
2. A strip that is empty in nearly all rows divides columns. Rows that cross it divide the page into
   bands, and the columns of a band are read one after another. In a part of a page, as below the
   title and the abstract of an article, columns have to be full of words. A page with too few rows
   to show a strip, as the last one, has that of a page before, if hardly a row crosses it.
3. The first and the last rows of pages are left out if they recur, or are a number only.
4. A row begins a paragraph if it is indented, further below than usual or of another size, or if
   the row before is short and ends a sentence. So a paragraph may go on in the next column or page.
5. Rows in a larger size, or short bold rows, are headings. Small rows at the foot of a page are
   notes, which come after the text.
6. A hyphen at the end of a row is left out unless the word has it elsewhere, or the next row begins
   with a capital, a conjunction or a pronoun as in `dit-il`.
7. Rows that begin with a bullet are items of lists. Rows whose parts between wide gaps stand below
   each other are cells of a table.

Thresholds are set by hand. Notes name doubtful readings.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from statistics import median
from typing import NamedTuple

from bitext.formats.documents.blocks import (
    Block,
    names_of,
)
from bitext.formats.documents.pdf_content import ARTIFACT, Fragment
from bitext.formats.io.source import Source

_SAME_ROW = 0.4  # sizes between the baselines of one row, at most
_BLANK = 0.16  # sizes between two characters with a blank between them, at least
_TWICE = 0.2  # sizes between two prints of one word, at most, as for bold text
_GUTTER = 0.65  # sizes of a strip between columns, at least; 0.7 in LaTeX with margin kerning
_NARROWEST = 10.0  # sizes of a column, at least; narrower ones are those of tables
_FILLED = 0.6  # share of the width of a column that half of its rows fill, at least; as above
# Of a part of a page: the share of the width of a column that a third of its rows fill, at least,
# and the words of such rows. Those of tables are ragged, sparse, or a word each.
_JUSTIFIED, _FEWEST_WORDS = 0.9, 4
_CROSSING = 0.1  # share of rows that cross such a strip, at most
_FACING = 2  # last pages whose strips are kept, as the margins of left and right pages differ
_MOST_CROSSING = 2  # rows, as of heads and feet, that may cross the strip of another page
_FEWEST_ROWS = 6  # rows on both sides of such a strip
_EDGE_ROWS = 2  # rows at the head and at the foot of a page that may recur
_APART = 1.8  # sizes between a head or foot in several columns and the text, at least
_RECURRING = 3  # pages on which a head recurs, at least; two in a file of fewer than ten pages
_CELL_GAP = 1.5  # sizes between the cells of a row of a table, at least
_ROW_GAP = 4.0  # sizes between the baselines of rows of a table, at most
_ALIGNED = 0.5  # sizes between the edges or middles of the cells of a column, at most
_INDENT = 0.7  # sizes by which the first row of a paragraph is further in
_WIDE_GAP = 1.35  # usual distances of rows above which a paragraph ends
_SHORT = 0.12  # share of the width of a column that a short row leaves free
_HALF = 0.5  # share of the width that rows fill which go on in the next column or page, at least
_LARGER, _SMALLER = 1.12, 0.92  # sizes of headings and of notes, of the usual size
_LONGEST_HEADING = 120  # characters of a bold heading
_LONGEST_HEAD = 80  # characters of a head or foot with the number of its page
_MOST_SIZES = 6  # levels of headings
_RAISED = 0.9  # sizes of raised or lowered characters, of those beside them
_DESCENT = 0.2  # sizes of a letter below its baseline

_NUMBER = re.compile(r"\W*(?:\d{1,5}|[ivxlcdm]{1,8})(?:\s*[/|]\s*\d+)?\W*", re.IGNORECASE)
_OUTER_NUMBER = re.compile(r"^\d{1,4}(?=\s|$)|(?<=\s)\d{1,4}$")  # before or after a head
_DIGITS = re.compile(r"\d+")
_GLUED_NOTE = re.compile(r"(\d{1,3})(?=[^\W\d])(?!(?:st|nd|rd|th)\b)")  # number of a note
_ENDED = re.compile(r"""[.!?…:;؟۔।。！？]["'“”‘’«»)\]]*\d{0,3}$""")
_BULLET = re.compile(r"[•▪‣◦●■▸]\s*")
_DOTS = r"(?<!\.)(?<!\. )(?>(?: ?\.){6,})"
_LEADERS = re.compile(
    rf"{_DOTS}(?=\s*(?:\d{{1,5}}|[ivxlcdm]{{1,8}})$)", re.IGNORECASE
)  # to a page number
_OPEN_LEADERS = re.compile(rf"{_DOTS}$")  # of a part of such a row
_NOTE = re.compile(r"(?:\d{1,3}|\*{1,3})[.)]?\s*[^\W\d]")  # begins a note
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_HYPHENATED = re.compile(r"(?<![^\W\d_])([^\W\d_]++)([-‐\xad])\n([^\W\d_]++)")
# The last, empty alternative: see `bitext.lazy.late_pattern`.
_WORD = re.compile(r"[^\W\d_]++(?:[-‐][^\W\d_]++|)*+")
_CONJUNCTIONS = frozenset(("und", "oder", "bzw", "sowie", "and", "or", "en", "of", "och", "og"))
# Words of French after a hyphen, as in `celui-ci` and `dit-il`.
_CLITICS = names_of(
    "ci là je tu il elle on ce nous vous ils elles moi toi le la les lui leur leurs y en t même "
    "mêmes"
)
# Accents as glyphs of their own, by the combining characters that they stand for.
_ACCENTS = dict(zip("´`ˆ¨˜ˇ¸˚¯ˉ˘˙˝˛", map(
    chr, (0x301, 0x300, 0x302, 0x308, 0x303, 0x30C, 0x327, 0x30A, 0x304, 0x304, 0x306, 0x307,
    0x30B, 0x328)), strict=True))  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}
_BRACKETS = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


@dataclass(slots=True)
class Row:
    """A row of a column."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    is_bold: bool
    page: int
    left: float = 0.0  # of its column
    right: float = 0.0
    column: int = 0
    is_reverse: bool = False  # from right to left
    parts: tuple[Row, ...] = ()  # between wide gaps, as the cells of a table; none if one only


@dataclass(slots=True)
class _Baseline:
    """The words of a row so far; `base` is one that is neither raised nor lowered."""

    base: Fragment
    words: list[Fragment]
    characters: int  # of the size of `base`
    larger: int = 0  # characters of larger sizes

    def add(self, word: Fragment) -> None:
        """Add a word; the highest ones are often raised, and a drop cap is one letter."""
        self.words.append(word)
        if _RAISED * word.size <= self.base.size:
            self.characters += len(word.text)
        else:
            self.larger += len(word.text)
            if self.larger >= self.characters:
                self.base, self.characters, self.larger = word, self.larger, 0


class _Draft(NamedTuple):
    kind: str
    level: int
    rows: list[Row]


def page_blocks(source: Source, pages: Sequence[Sequence[Fragment]]) -> list[Block]:
    """Return the blocks of pages, by the places of their words."""
    artifacts = sum(each.mark == ARTIFACT for page in pages for each in page)
    known: list[list[float]] = []  # strips of the pages before, the last ones first
    rows = [
        rows_of([each for each in page if each.mark != ARTIFACT], number, known)
        for number, page in enumerate(pages)
    ]
    return _blocks(source, _without_heads(source, rows, artifacts))


def is_from_right(fragments: Iterable[Fragment]) -> bool:
    """Check whether most letters of a page, or a part of one, are written from right to left."""
    letters = "".join(each.text for each in fragments)
    return 2 * len(_RTL.findall(letters)) > sum(map(str.isalpha, letters))


def rows_of(
    fragments: Sequence[Fragment],
    page: int,
    known: list[list[float]] | None = None,
    *,
    is_reverse: bool | None = None,
) -> list[Row]:
    """Return the rows of a page in the order of reading.

    `known` has the strips between columns of pages before, and those of the page are added.
    `is_reverse` is the direction of the page that `fragments` are a part of.
    """
    if is_reverse is None:
        is_reverse = is_from_right(fragments)
    baselines = _baselines(fragments, raised=False)
    bands = _bands(baselines)
    if known is not None and bands:
        known[:] = [*(band.gutters for band in reversed(bands)), *known[: _FACING - 1]]
    elif known:
        bands = [_Band(_WHOLE, each) for each in known if _fits(baselines, each)][:1]
    if bands:  # raised characters stay with a row that crosses a strip
        baselines = _baselines(fragments, raised=True)
    columns: dict[int, list[Fragment]] = {}
    for group in baselines:
        for column, parts in _in_columns(group, bands, is_reverse=is_reverse):
            columns.setdefault(column, []).extend(parts)
    rows = [
        row
        for column, parts in columns.items()
        for group in _baselines(parts, raised=True)
        if (row := _row(group, page, column, is_reverse=is_reverse)) is not None
    ]
    ordered: list[Row] = []
    band: list[Row] = []
    for row in sorted(rows, key=lambda each: (-each.y, each.column)):
        if row.column < 0:  # crosses a strip: ends a band
            ordered += [*sorted(band, key=lambda each: each.column), row]
            band = []
        else:
            band.append(row)
    ordered += sorted(band, key=lambda each: each.column)
    for column in {row.column for row in ordered}:
        rows = [row for row in ordered if row.column == column]
        left, right = min(row.x0 for row in rows), max(row.x1 for row in rows)
        for row in rows:
            row.left, row.right = left, right
    return ordered


def _baselines(fragments: Sequence[Fragment], *, raised: bool) -> list[list[Fragment]]:
    """Group words by their baselines, from above, each group from left to right.

    With `raised` smaller words whose middle is within a row belong to the row.
    """
    groups: list[_Baseline] = []
    for word in sorted(fragments, key=lambda each: -each.y):
        size = word.size
        for group in reversed(groups[-3:]):
            base = group.base
            near = base.y - word.y <= _SAME_ROW * min(base.size, size)
            if raised and not near:
                large, small = (base, word) if base.size >= size else (word, base)
                low = large.y - _DESCENT * large.size
                middle = small.y + (0.5 - _DESCENT) * small.size
                near = small.size < _RAISED * large.size and low <= middle <= low + large.size
            if near and not any(word.is_below(each) for each in group.words):
                group.add(word)
                break
        else:
            groups.append(_Baseline(word, [word], len(word.text)))
    return [sorted(group.words, key=lambda each: each.x0) for group in groups]


def _row(
    group: Sequence[Fragment],
    page: int,
    column: int,
    *,
    is_reverse: bool,
    leaders: re.Pattern[str] = _LEADERS,
) -> Row | None:
    """Return the row of words on a baseline, without `leaders`; `None` without a visible word."""
    words = _accented(group)
    text, is_reverse = _in_reading_order(words, is_reverse=is_reverse)
    text, count = leaders.subn("", text)
    if not text:
        return None
    parts: list[list[Fragment]] = [[]]
    for word in words:
        if parts[-1] and word.x0 - parts[-1][-1].x1 > _CELL_GAP * word.size:
            parts.append([])
        parts[-1].append(word)
    inside = _OPEN_LEADERS if count else _LEADERS
    rows = (
        _row(part, page, column, is_reverse=is_reverse, leaders=inside)
        for part in parts
        if len(parts) > 1
    )
    sizes = Counter[float]()
    bold = total = 0
    for word in words:
        sizes[round(word.size, 1)] += len(word.text)
        bold += word.is_bold * len(word.text)
        total += len(word.text)
    return Row(
        text, words[0].x0, max(word.x1 for word in words), median(word.y for word in words),
        sizes.most_common(1)[0][0], bold > 0.9 * total, page, column=column, is_reverse=is_reverse,
        parts=tuple(row for row in rows if row is not None),
    )  # fmt: skip


def _accented(group: Sequence[Fragment]) -> list[Fragment]:
    """Put accents on the letters that they stand over; leave out words that are printed twice."""
    words: list[Fragment] = []
    marks: list[tuple[int, Fragment]] = []  # an accent, and the number of words before it
    for word in group:
        text = word.text
        if text in _ACCENTS or unicodedata.category(text[0])[0] == "M":
            marks.append((len(words), word))
            continue
        if words and text == words[-1].text and word.x0 - words[-1].x0 < _TWICE * word.size:
            continue
        words.append(word)
    for place, mark in reversed(marks):
        middle = (mark.x0 + mark.x1) / 2
        slack = 0.1 * mark.size
        near = [
            word
            for word in (words[k] for k in (place, place - 1, place + 1) if 0 <= k < len(words))
            if word.x0 - slack <= middle <= word.x1 + slack
        ]
        if any(_put_on(word, mark, middle) for word in near):
            continue
        if near:
            text, accent = near[0].text, _ACCENTS.get(mark.text)
            near[0].text = mark.text + text if accent else text + mark.text
        else:
            words.insert(place, mark)
    return words


def _put_on(word: Fragment, mark: Fragment, middle: float) -> bool:
    """Put an accent on the letter of a word that is below its middle, if it can have the accent."""
    text = word.text
    share = (middle - word.x0) / max(word.x1 - word.x0, 1e-6)
    at = min(max(int(share * len(text)), 0), len(text) - 1)
    accent = _ACCENTS.get(mark.text, mark.text)
    # Widths of letters differ: a letter that can have the accent is taken before its neighbour.
    for k in (at, at - 1, at + 1):
        if 0 <= k < len(text):
            letter = _DOTLESS.get(text[k], text[k])
            composed = unicodedata.normalize("NFC", letter + accent)
            if len(composed) == 1 or (k == at and mark.text not in _ACCENTS):
                word.text = text[:k] + composed + text[k + 1 :]
                word.has_blank |= mark.has_blank and k == len(text) - 1
                return True
    return False


def _in_reading_order(words: Sequence[Fragment], *, is_reverse: bool) -> tuple[str, bool]:
    """Join the words of a row; return them with whether the row is read from right to left.

    Words from right to left stand in the order of the page, from the left. This order is turned
    round as by the Unicode Bidirectional Algorithm, for one level of words in the other direction.
    """
    units: list[str] = []
    last: Fragment | None = None
    for word in words:
        if last is not None and (
            last.has_blank or word.x0 - last.x1 > _BLANK * min(word.size, last.size)
        ):
            units.append(" ")
        units.append(word.text)
        last = word
    whole = "".join(units)
    reverse = len(_RTL.findall(whole))
    if not reverse:
        return " ".join(whole.split()), False
    letters = sum(map(str.isalpha, whole))
    is_reverse = 2 * reverse > letters or (is_reverse and 4 * reverse > letters)
    # Hyphens and signs belong to numbers, but not after Arabic letters (rules W2, W4 and W5 of the
    # algorithm).
    pattern, signs = (_ARABIC_PARTS, "") if _ARABIC.search(whole) else (_PARTS, _SIGNS)
    parts = ([unit] if len(unit) == 1 else pattern.findall(unit) for unit in units)
    units = _numbers_joined([*chain.from_iterable(parts)], signs)  # of one direction each
    kinds = [_direction(unit) for unit in units]
    if is_reverse:
        units.reverse()
        kinds.reverse()
        ordered = _turned(units, kinds, "LN")
    else:
        ordered = _turned(units, kinds, "R")
    text = " ".join("".join(ordered).split())
    opened, closed = text.find("("), text.find(")")
    if is_reverse and closed >= 0 and (opened < 0 or closed < opened):
        text = text.translate(_BRACKETS)
    return text, is_reverse


_SEPARATORS = frozenset(".,:/٫٬")  # within numbers
_SIGNS = "%‰#°±$¢£¤¥€₪₹₺₽"  # before or after numbers (ET of the algorithm)
_ARABIC = re.compile(r"[\u0620-\u064a\u066e-\u06d5\ufb50-\ufdff\ufe70-\ufefc]")
# Numbers, words with their combining characters, and other characters.
_PARTS, _ARABIC_PARTS = (
    re.compile(
        rf"\d+(?:[.,:/{hyphen}]\d+)*|(?:[^\W\d_][\u0300-\u036f\u0591-\u05c7\u0610-\u061a"
        r"\u064b-\u065f\u0670\u06d6-\u06ed]*)+|\W|_"
    )
    for hyphen in ("-", "")
)


def _direction(unit: str) -> str:
    """Return the direction of a part: R, L, N for numbers, empty for others."""
    if _RTL.search(unit) and not unit[0].isdecimal():
        return "R"
    if unit.lstrip(_SIGNS)[:1].isdecimal():
        return "N"
    return "L" if unit[0].isalpha() else ""


def _numbers_joined(units: list[str], signs: str) -> list[str]:
    """Join the digits and signs of numbers, which stand from left to right in every script."""
    out: list[str] = []
    for unit in units:
        if out and unit in signs and out[-1][-1].isdecimal():
            out[-1] += unit
            continue
        if out and unit[0].isdecimal():
            if out[-1][-1].isdecimal() or out[-1] in signs:
                out[-1] += unit
                continue
            if len(out) > 1 and out[-1] in _SEPARATORS and out[-2][-1].isdecimal():
                out[-2:] = [out[-2] + out[-1] + unit]
                continue
        out.append(unit)
    return out


def _turned(units: list[str], kinds: list[str], turned: str) -> list[str]:
    """Turn round the runs of parts of some directions; parts without one stay between them."""
    out: list[str] = []
    k = 0
    while k < len(units):
        if not kinds[k] or kinds[k] not in turned:
            out.append(units[k])
            k += 1
            continue
        end = j = k + 1
        while j < len(units) and (not kinds[j] or kinds[j] in turned or turned == "R"):
            if turned == "R" and kinds[j] == "L":
                break
            if kinds[j] and kinds[j] in turned:
                end = j + 1
            j += 1
        run, directions = units[k:end][::-1], kinds[k:end][::-1]
        # Numbers follow the letters before them (rule W7 of the algorithm), not those after.
        first = 0 if turned == "R" else next(
            (i for i, each in enumerate(directions) if each == "L"), len(run)
        )  # fmt: skip
        behind = out.pop() if run.count("(") > run.count(")") and out[-1:] == [")"] else ""
        out += [*run[first:], behind, *reversed(run[:first])]
        k = end
    return out


_WHOLE = (float("inf"), float("-inf"))  # the heights of a page


class _Band(NamedTuple):
    """A part of a page in columns: its greatest and least height, and the strips between them."""

    heights: tuple[float, float]
    gutters: list[float]


def _bands(groups: Sequence[Sequence[Fragment]]) -> list[_Band]:
    """Return the whole page, if hardly a row crosses its strips, or the parts that are in columns.

    Such parts stand below the title and the abstract of an article, or between headings.
    """
    if len(groups) < _FEWEST_ROWS:
        return []
    if strips := [strip for strip, columns in _strips(groups) if _is_filled(columns[0])]:
        return [_Band(_WHOLE, strips)]
    size = median(word.size for group in groups for word in group)
    spaces = [_spaces(group, _GUTTER * size) for group in groups]
    bands: list[_Band] = []
    others: list[tuple[int, int]] = []  # parts with spaces, too short to show that they are strips
    begin = 0
    while begin < len(groups):
        end = _end_of_strips(spaces, begin, _GUTTER * size)
        found = _strips(groups[begin:end]) if end - begin >= _FEWEST_ROWS else []
        if found and all(_is_justified(each) for _, columns in found for each in columns):
            gutters = [strip for strip, _ in found]
            bands.append(_Band(_heights(groups, begin, end, gutters, size), gutters))
        elif end > begin + 1:
            others.append((begin, end))
        begin = end
    for begin, end in others:
        part = groups[begin:end]
        gutters = next((band.gutters for band in bands if _shows(part, band.gutters)), [])
        if gutters:
            bands.append(_Band(_heights(groups, begin, end, gutters, size), gutters))
    return sorted(bands, key=lambda band: -band.heights[0])


def _shows(groups: Sequence[Sequence[Fragment]], gutters: list[float]) -> bool:
    """Check whether no row crosses the strips of other rows, and several are on both sides."""
    rows = [_divided(group, gutters) for group in groups]
    return all(row[0][0] >= 0 for row in rows) and sum(len(row) > 1 for row in rows) > 1


def _spaces(group: Sequence[Fragment], least: float) -> list[tuple[float, float]]:
    """Return the spaces in a row of words that are wide, those to its left and right included."""
    spaces = []
    end = float("-inf")
    for word in group:
        if word.x0 - end >= least:
            spaces.append((end, word.x0))
        end = max(end, word.x1)
    return [*spaces, (end, float("inf"))]


def _end_of_strips(spaces: Sequence[list[tuple[float, float]]], begin: int, least: float) -> int:
    """Return the row that ends the strips through the spaces within row `begin`."""
    free = spaces[begin][1:-1]
    for k in range(begin + 1, len(spaces)):
        free = _in_common(free, spaces[k], least)
        if not free:
            return k
    return len(spaces)


def _in_common(
    one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]], least: float
) -> list[tuple[float, float]]:
    """Return the overlaps of two rows of spaces, from left to right."""
    common = []
    i = j = 0
    while i < len(one) and j < len(other):
        begin, end = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if end - begin >= least:
            common.append((begin, end))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return common


def _heights(
    groups: Sequence[Sequence[Fragment]], begin: int, end: int, gutters: list[float], size: float
) -> tuple[float, float]:
    """Return the heights of rows in columns, of whose beginning and end one column may have more.

    A heading at the end, as it is larger, is that of what follows.
    """
    leading = median(one[0].y - other[0].y for one, other in pairwise(groups[begin:end]))
    while begin and groups[begin - 1][0].y - groups[begin][0].y <= _WIDE_GAP * leading:
        if _divided(groups[begin - 1], gutters)[0][0] < 0:
            break
        begin -= 1
    while (
        len(_divided(groups[end - 1], gutters)) == 1 and groups[end - 1][0].size >= _LARGER * size
    ):
        end -= 1
    slack = _SAME_ROW * size
    return groups[begin][0].y + slack, groups[end - 1][0].y - slack


def _in_columns(
    group: Sequence[Fragment], bands: Sequence[_Band], *, is_reverse: bool
) -> list[tuple[int, list[Fragment]]]:
    """Divide a row into columns, which are counted through the bands; -1 outside of these."""
    if not bands:
        return [(0, list(group))]
    y = max(group, key=lambda word: word.size).y
    first = 0
    for (top, bottom), gutters in bands:
        if bottom <= y <= top:
            last = len(gutters)
            return [
                (column if column < 0 else first + (last - column if is_reverse else column), part)
                for column, part in _divided(group, gutters)
            ]
        first += len(gutters) + 1
    return [(-1, list(group))]


def _strips(
    groups: Sequence[Sequence[Fragment]],
) -> list[tuple[float, list[list[list[Fragment]]]]]:
    """Return the middles of strips that hardly a row crosses, with the columns on both sides."""
    size = median(word.size for group in groups for word in group)
    first = int(min(group[0].x0 for group in groups))
    last = int(max(word.x1 for group in groups for word in group)) + 1
    width = last - first + 2
    steps, begins, ends = [0] * (width + 1), [0] * width, [0] * width
    for group in groups:
        begin, end = group[0].x0, group[0].x1
        for word in group[1:]:  # blanks within lines are no strip
            if word.x0 - end >= _GUTTER * size:
                steps[int(begin) - first] += 1
                steps[int(end) - first + 1] -= 1
                begin, end = word.x0, word.x1
            elif word.x1 > end:
                end = word.x1
        steps[int(begin) - first] += 1
        steps[int(end) - first + 1] -= 1
        begins[int(group[0].x0) - first] += 1
        ends[int(max(word.x1 for word in group)) - first + 1] += 1
    gutters: list[float] = []
    free = None
    left, right = 0, len(groups)  # rows that begin before a place, and that end after it
    for x, crossing in enumerate(accumulate(steps[:width])):
        left, right = left + begins[x], right - ends[x]
        least = min(left, right)
        is_free = least >= _FEWEST_ROWS and crossing <= _CROSSING * least
        if is_free and free is None:
            free = x
        elif not is_free and free is not None:
            before = gutters[-1] - first if gutters else 0.0
            is_wide = min(free - before, width - x) >= _NARROWEST * size
            if x - free >= _GUTTER * size and is_wide:
                gutters.append(first + (free + x) / 2)
            free = None
    borders = pairwise([float("-inf"), *gutters, float("inf")])
    columns = [
        [words for group in groups if (words := [w for w in group if begin < w.x0 and w.x1 < end])]
        for begin, end in borders
    ]
    return [(strip, columns[k : k + 2]) for k, strip in enumerate(gutters)]


def _fits(groups: Sequence[Sequence[Fragment]], gutters: Sequence[float]) -> bool:
    """Check whether hardly any row of a page crosses the strips of another one."""
    columns = [[column for column, _ in _divided(group, gutters)] for group in groups]
    crossing = sum(each == [-1] for each in columns)
    most = max(_MOST_CROSSING, _CROSSING * len(groups))
    return crossing <= most and any(max(each) > 0 for each in columns)


def _width(row: Sequence[Fragment]) -> float:
    return row[-1].x1 - row[0].x0


def _is_filled(column: Sequence[Sequence[Fragment]]) -> bool:
    """Check whether most rows are as long as lines of text."""
    widths = [*map(_width, column)]
    return bool(widths) and median(widths) >= _FILLED * max(widths)


def _words(row: Sequence[Fragment]) -> int:
    """Return the number of words with letters, which rows of figures lack."""
    return sum(any(map(str.isalpha, word.text)) for word in row)


def _is_justified(column: Sequence[Sequence[Fragment]]) -> bool:
    """Check whether many rows are as long as the column, and full of words."""
    least = _JUSTIFIED * max(map(_width, column), default=0.0)
    full = [row for row in column if _width(row) >= least and _words(row) >= _FEWEST_WORDS]
    # Text has about two characters on the width of its size, one in Chinese and Japanese.
    dense = sum(sum(len(word.text) * word.size for word in row) >= _width(row) for row in full)
    return dense >= max(_FEWEST_ROWS, len(column) / 3)


def _divided(
    group: Sequence[Fragment], gutters: Sequence[float]
) -> list[tuple[int, list[Fragment]]]:
    """Divide a row into columns; the column of a row that crosses a strip is -1."""
    if not gutters:
        return [(0, list(group))]
    parts: dict[int, list[Fragment]] = {}
    for word in group:
        if any(word.x0 < gutter < word.x1 for gutter in gutters):
            return [(-1, list(group))]
        parts.setdefault(sum(gutter <= word.x0 for gutter in gutters), []).append(word)
    for (_, one), (_, other) in pairwise(sorted(parts.items())):
        if other[0].x0 - one[-1].x1 < _GUTTER * one[-1].size:
            return [(-1, list(group))]
    return sorted(parts.items())


def _without_heads(source: Source, pages: list[list[Row]], artifacts: int) -> list[list[Row]]:
    """Leave out rows at the heads and feet of pages that recur, or are numbers."""
    keys: Counter[str] = Counter()
    edges: list[set[int]] = []
    for rows in pages:
        by_height = sorted(range(len(rows)), key=lambda k: -rows[k].y)
        edge = {*by_height[:_EDGE_ROWS], *by_height[-_EDGE_ROWS:]}
        edges.append(edge)
        keys.update({_DIGITS.sub("#", rows[k].text.lower()) for k in edge})
    fewest = 2 if len(pages) < 10 else _RECURRING
    sizes = [row.size for rows in pages for row in rows]
    large = _LARGER * median(sizes) if sizes else 0.0  # as `Chapter 2` at the top of a page
    recurring = {key for key, count in keys.items() if count >= fewest and len(pages) > 1}
    numbered = _numbered(pages, edges, recurring, fewest)
    out: list[list[Row]] = []
    left_out = 0
    for rows, edge in zip(pages, edges, strict=True):
        heads = set()
        for k in edge:
            row = rows[k]
            key = _DIGITS.sub("#", row.text.lower())
            recurs = key in recurring or id(row) in numbered
            if row.size >= large and "#" in key and any(map(str.isalpha, key)):
                recurs = False
            if recurs or _NUMBER.fullmatch(row.text):
                heads.add(k)
        heads |= _beside(rows, heads, large)
        left_out += len(heads)
        out.append([row for k, row in enumerate(rows) if k not in heads])
    if left_out or artifacts:
        source.note("running heads and page numbers of PDF, left out", count=left_out or artifacts)
    return out


def _beside(rows: Sequence[Row], heads: set[int], large: float) -> set[int]:
    """Return the rows of other columns on the baselines of heads that stand apart from the text."""
    found: set[int] = set()
    for head in [rows[k] for k in heads]:
        gaps = [abs(row.y - head.y) for row in rows]
        level = {k for k, gap in enumerate(gaps) if gap <= _SAME_ROW * head.size}
        others = [gap for k, gap in enumerate(gaps) if k not in level | heads]
        if min(others, default=0.0) > _APART * head.size:
            found |= {k for k in level if rows[k].size < large}
    return found


def _numbered(
    pages: Sequence[Sequence[Row]], edges: Sequence[set[int]], recurring: set[str], fewest: int
) -> set[int]:
    """Return the identities of heads and feet that have the number of their page beside a text.

    Such heads as `12 CHAPTER 3` may recur on one page only. They are the first or the last row of
    the page but for `recurring` ones, unlike most footnotes, whose numbers go up as well. The
    numbers of at least `fewest` pages must go up with the pages. A page whose number stands alone
    has no other.
    """
    found: list[tuple[int, int, Row]] = []  # place of the page, first number less the place, row
    alone: set[int] = set()
    for place, (rows, edge) in enumerate(zip(pages, edges, strict=True)):
        inner = [row for row in rows if _DIGITS.sub("#", row.text.lower()) not in recurring]
        outer = {id(choose(inner, key=lambda row: row.y)) for choose in (min, max) if inner}
        for row in (rows[k] for k in edge):
            number = _OUTER_NUMBER.search(row.text)
            if number is None:
                continue
            if id(row) in outer:
                found.append((place, int(number[0]) - place, row))
            if _NUMBER.fullmatch(row.text):
                alone.add(place)
    counts = Counter(first for first, _ in {(first, place) for place, first, _ in found})
    first, count = counts.most_common(1)[0] if counts else (0, 0)
    if count < fewest:
        return set()
    return {
        id(row)
        for place, other, row in found
        if other == first
        and place not in alone
        and len(row.text) <= _LONGEST_HEAD
        and not row.is_bold  # as the heading of a section with this number
        and not _ENDED.search(row.text)
    }


def _blocks(source: Source, pages: list[list[Row]]) -> list[Block]:
    """Join rows to paragraphs, headings and notes."""
    rows = [row for page in pages for row in page]
    if not rows:
        return []
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row.size] += len(row.text)
    usual = sizes.most_common(1)[0][0]
    larger = sorted({size for size in sizes if size >= _LARGER * usual}, reverse=True)
    levels = {size: min(k + 1, _MOST_SIZES) for k, size in enumerate(larger)}
    leading = _leading(rows, usual)
    foot = _feet(rows, usual)
    drafts: dict[bool, list[_Draft]] = {False: [], True: []}  # of the text, and of notes
    tables = _tables(rows)
    for row in rows:
        if id(row) in tables:
            drafts[False] += [_Draft("cell", k, [part]) for k, part in enumerate(row.parts, 1)]
            continue
        level = levels.get(row.size, 0)
        is_note = row.size <= _SMALLER * usual and row.y < foot.get((row.page, row.column), 0.0)
        bullet = _BULLET.match(row.text)
        kind = "note" if is_note else "paragraph"
        if bullet:
            kind, level = "item", 1
        elif level or _is_bold_heading(row):
            kind, level = "heading", level or min(len(levels) + 1, _MOST_SIZES)
        last = drafts[is_note][-1] if drafts[is_note] else None
        goes_on = (
            last is not None
            and not bullet
            and (last.kind, last.level) in {(kind, level), ("item", 1)}
            and not (last.kind == "item" and kind == "heading")
            and not (is_note and _NOTE.match(row.text))
            and not _begins(last.rows[-1], row, leading * max(row.size / usual, 1.0))
        )
        if goes_on and last is not None:
            last.rows.append(row)
        else:
            drafts[is_note].append(_Draft(kind, level, [row]))
    words = words_of(row.text for row in rows)
    blocks = []
    for draft in (*drafts[False], *drafts[True]):
        text = _without_mark(
            draft.kind, without_hyphens(source, "\n".join(row.text for row in draft.rows), words)
        )
        if text.strip():
            blocks.append(Block(draft.kind, text, None, draft.level))
    if tables:
        kind = "rows of tables of PDF without tags, taken apart into cells by their places"
        source.note(kind, count=len(tables))
    if any(row.column > 0 for row in rows):
        source.note("pages of PDF in columns, read one after another")
    tell_directions(source, rows)
    return blocks


def _without_mark(kind: str, text: str) -> str:
    """Remove the bullet of an item, and part the number of a note from its characters."""
    if kind == "item":
        return _BULLET.sub("", text, count=1)
    if kind == "note" and (number := _GLUED_NOTE.match(text)):
        return f"{number[1]} {text[number.end() :]}"
    return text


def _leading(rows: Sequence[Row], usual: float) -> float:
    """Return the usual distance of rows of the usual size; 0 without one."""
    gaps = [
        one.y - other.y for one, other in pairwise(rows)
        if (one.page, one.column) == (other.page, other.column) and one.size == other.size == usual
    ]  # fmt: skip
    return median(gap for gap in gaps if gap > 0) if any(gap > 0 for gap in gaps) else 0.0


def _feet(rows: Sequence[Row], usual: float) -> dict[tuple[int, int], float]:
    """Return the height of the lowest row of the text by pages and columns.

    For rows that cross the strips between columns, as small abstracts do, it is that of the page.
    """
    feet: dict[tuple[int, int], float] = {}
    for row in rows:
        if row.size > _SMALLER * usual:
            for place in {(row.page, row.column), (row.page, -1)}:
                feet[place] = min(row.y, feet.get(place, row.y))
    return feet


def _tables(rows: Sequence[Row]) -> set[int]:
    """Return the identities of rows of tables: at least two in a row, whose parts are aligned."""
    aligned: set[int] = set()
    for one, other in pairwise(rows):
        place = (one.page, one.column, len(one.parts))
        is_near = 0 < one.y - other.y < _ROW_GAP * one.size
        if len(one.parts) < 2 or place != (other.page, other.column, len(other.parts)):
            continue
        if not is_near:
            continue
        slack = _ALIGNED * one.size
        if all(
            min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.x0 + a.x1 - b.x0 - b.x1) / 2) <= slack
            for a, b in zip(one.parts, other.parts, strict=True)
        ):
            aligned |= {id(one), id(other)}
    return aligned


def tell_directions(source: Source, rows: Sequence[Row]) -> None:
    """Add a note on rows from right to left."""
    if reverse := sum(row.is_reverse for row in rows):
        kind = "lines of PDF from right to left, whose letters were put into order by their places"
        source.note(kind, count=reverse)


def _is_bold_heading(row: Row) -> bool:
    is_short = len(row.text) <= _LONGEST_HEADING
    return row.is_bold and is_short and _ENDED.search(row.text) is None


def _begins(last: Row, row: Row, leading: float) -> bool:
    """Check whether `row` begins a new paragraph after the row `last`."""
    if abs(last.size - row.size) > 0.05 * last.size:
        return True
    width = max(last.right - last.left, 1.0)
    is_ended = _ENDED.search(last.text) is not None
    free = last.x0 - last.left if last.is_reverse else last.right - last.x1
    is_short = free > _SHORT * width
    inward = row.right - row.x1 if row.is_reverse else row.x0 - row.left
    indent = inward > _INDENT * row.size
    if (last.page, last.column) != (row.page, row.column):
        # As the last row of a table
        is_row = last.x1 - last.x0 < _HALF * width and not row.text[:1].islower()
        return is_row or (is_ended and (indent or is_short))
    gap = last.y - row.y
    if leading and gap > _WIDE_GAP * leading:
        return True
    step = last.x1 - row.x1 if row.is_reverse else row.x0 - last.x0
    further_in = step > _INDENT * row.size
    return (further_in and (is_ended or is_short)) or (is_ended and is_short)


def words_of(texts: Iterable[str]) -> Counter[str]:
    """Count the words of rows, in lower case."""
    return Counter(word.casefold() for text in texts for word in _WORD.findall(text))


def without_hyphens(source: Source, text: str, words: Counter[str]) -> str:
    """Join words that are divided at the ends of rows."""

    def joined(match: re.Match[str]) -> str:
        one, hyphen, other = match.groups()
        if hyphen == "\xad":  # the file says that the word has none
            return f"{one}{other}"
        # No word is divided behind its first letter: `X-ray`
        is_whole = len(one) == 1 or words[f"{one}-{other}".casefold()] > 0
        if is_whole or other in _CONJUNCTIONS or not other[0].islower():
            return match[0]  # which the splitter of sentences joins with the hyphen
        if not words[f"{one}{other}".casefold()]:
            # Words with several hyphens end at one of them: `eau-de-vie`
            begin, end = match.span()
            around = text[max(begin - 1, 0) : begin] + text[end : end + 1]
            if "-" in around or (other in _CLITICS and words[one.casefold()]):
                return match[0]
            kind = "words divided at the ends of lines of PDF, joined without a hyphen by guess"
            source.note(kind, f"{one}-{other}")
        return f"{one}{other}"

    return _HYPHENATED.sub(joined, text).replace("\xad", "")
