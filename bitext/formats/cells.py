"""Kinds of columns of tables by their cells: numbers, identifiers, keys, categories, texts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.errors import remedy
from bitext.formats.header_names import head_of
from bitext.formats.languages import code_in
from bitext.formats.scores import score_of
from bitext.lazy import late_pattern
from bitext.model.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.formats.io.source import Source

_SHARE = 0.5  # least share of addresses among the cells of a column of addresses; set by hand
URL = late_pattern(r"(?:https?|ftp)://\S+")
# Numbers, and other strings of digits: dates, times, shares.
NUMBER = late_pattern(
    r"[-+]?\.?\d[\d.,:/%-]*(?:[eE][-+]?\d+)?(?: ?%)?|"
    r"\d[\d./-]{5,9}[T ]\d?\d:\d\d[\d:.]*(?: ?(?:Z|UTC|[-+]\d\d:?\d\d))?",
    re.ASCII,
)
_LINKS = late_pattern(r"\d{1,9}[-p?]\d{1,9}(?: +\d{1,9}[-p?]\d{1,9})*", re.ASCII)  # of Pharaoh
# Keys of strings, names of files, numbers of segments and verses: `menu.open`, `s12`, `GEN 1:3`.
_KEY = late_pattern(
    r"[A-Za-z]\w*(?:[._:/#-]\w+)+|[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*|[A-Za-z]{1,6}\d+|"
    r"[\[(#]\w{1,12}[\])]?|(?:[1-3] ?)?[A-Za-z]{2,12}\.? \d+[:.,]\d+",
    re.ASCII,
)
# Keys that are hardly words: `menu.open`, `app_title`; not `H2O`, `well-known`.
_STRING_KEY = late_pattern(r"[A-Za-z]\w*(?:[.:/]\w[\w-]*)+|[a-z]+(?:_[a-z0-9]+)+", re.ASCII)
_DOTTED = late_pattern(r"\w[\w-]*(?:\.\w[\w-]*)+", re.ASCII)  # names of hosts and files
_IDENTIFIER = late_pattern(  # of sentences and verses: `de-000000012`, `s12`, `GEN 1:3`
    r"[A-Za-z]+[-_.:]?(?:[A-Za-z]{0,3}[-_.:]?\d+)+|(?:[1-3] ?)?[A-Z]\w{1,2} \d+:\d+", re.ASCII
)
_CODE = late_pattern(r"[a-z]{3}")  # of a language, by ISO 639-3
_REPEATED = 5  # rows for each value, at least, of a column of categories; set by hand
DECIMAL = late_pattern(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?", re.ASCII)
# Identifiers of segments.
_NAME = late_pattern(r"(?=[^\d]*\d)[\w.:#/@-]{1,100}", re.ASCII)
_BETWEEN = late_pattern(r"\s*[,;+]\s*|\s+")
_BRACKETS = frozenset(["[]", "()"])  # around a list or a tuple
_EMPTY = frozenset(["", "-", "null", "omitted"])
_DIGITS = late_pattern(r"\d+", re.ASCII)
_RANGE = late_pattern(r"(.*[^\W\d_].*\d)-+(.*[^\W\d_].*\d)", re.ASCII)
_WORD = late_pattern(r"[A-Za-z]+(?:0|[1-9]\d*)", re.ASCII)
_OF_IDS = late_pattern(r"(?i)(?:\b|_)ids?\b")  # in the header of a column
ALIKE = 2
"""Identifiers, at least, for each way in which letters stand around digits; set by hand."""


def kind_of(cells: Sequence[str]) -> str:
    """Classify a column: `numbers`, `addresses`, `languages`, `word links`, `texts`, `nothing`."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return "nothing"
    if all(NUMBER.fullmatch(cell) or score_of(cell) is not None for cell in filled) and any(
        NUMBER.fullmatch(cell) for cell in filled
    ):
        return "numbers"
    if sum(bool(URL.fullmatch(cell)) for cell in filled) >= _SHARE * len(filled):
        return "addresses"
    if all(map(_LINKS.fullmatch, filled)) and any(" " in cell for cell in filled):
        return "word links"
    if len(filled) > 1 and len(values := set(filled)) < len(filled):
        known = sum(bool(language_of(value)) and not _is_pair(value) for value in values)
        # Lists of sentences have rare languages, too, with codes of three letters.
        if known == len(values) or (
            2 * known > len(values) and all(map(_CODE.fullmatch, values - {"\\N"}))
        ):
            return "languages"
    return "texts"


def _is_pair(value: str) -> bool:
    """Recognise two languages, as `en-de`, which is no code of one; `pt-br` is."""
    source, _, target = value.partition("-")
    both = value.islower() and bool(language_of(source)) and bool(language_of(target))
    return both and not code_in(value)


def have_languages(cells: Sequence[str], *, header: bool, other: bool) -> bool:
    """Recognise a column with the language of each row.

    Codes need not recur below a name such as `lang`, be it an `other` column of the header or the
    first cell of a table that seems to have none.
    """
    if not header and len(cells) > 1:
        if kind_of(cells[1:]) == "languages":
            return True
        other = head_of(cells[0].strip()).role == "other"
    filled = {cell.strip() for cell in (cells if header else cells[1:]) if cell.strip()}
    return other and bool(filled) and all(map(language_of, filled))


def may_be_scores(cells: Sequence[str]) -> bool:
    """Check whether a column may hold scores, some or all of them missing."""
    kind = kind_of(cells)
    return kind == "nothing" or (
        kind == "numbers" and any(score_of(cell) is not None for cell in cells if cell.strip())
    )


def are_keys(cells: Sequence[str]) -> bool:
    """Recognise a column of keys of strings, file names or verse numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    pattern = _KEY if len(set(filled)) == len(filled) else _DOTTED  # names of hosts may recur
    return len(filled) > 1 and all(map(pattern.fullmatch, filled))


def are_numbered_names(cells: Sequence[str]) -> bool:
    """Recognise a column of identifiers that contain a number, as `de-000012`."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return len(set(filled)) == len(filled) > 1 and all(map(_IDENTIFIER.fullmatch, filled))


def are_string_keys(cells: Sequence[str]) -> bool:
    """Recognise a column of the keys of a program's strings."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return len(set(filled)) == len(filled) > 1 and all(map(_STRING_KEY.fullmatch, filled))


def are_categories(cells: Sequence[str]) -> bool:
    """Recognise a column of categories: single words that recur, such as `train`."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    values = set(filled)
    few = len(values) == 1 < len(filled) or 0 < len(values) * _REPEATED <= len(filled)
    return few and not any(" " in value for value in values)


def names_in(cell: str) -> list[str]:
    """Return the identifiers of a cell, which may be a list of Python; none of an empty side.

    Examples
    --------
    >>> names_in("s1 s2"), names_in("[3, 4]"), names_in("['a1']"), names_in("[]")
    (['s1', 's2'], ['3', '4'], ['a1'], [])

    """
    cell = cell.strip()
    if cell[:1] + cell[-1:] in _BRACKETS:
        cell = cell[1:-1].replace("'", "").replace('"', "").strip(", ")
    return [] if cell.lower() in _EMPTY else _BETWEEN.split(cell)


def is_identifier(name: str) -> bool:
    """Recognise a possible identifier: a whole number, or letters and digits."""
    if name.isascii() and name.isdecimal():
        return True
    if not _NAME.fullmatch(name) or not any(map(str.isalpha, name)):
        return False
    both = _RANGE.fullmatch(name)
    return both is None or _DIGITS.sub("#", both[1]) != _DIGITS.sub("#", both[2])


def may_be_words(cells: Sequence[str], head: str = "") -> bool:
    """Check whether the identifiers of a column may be words as well: letters before a number.

    Parameters
    ----------
    cells : sequence of str
    head : str
        The header of the column: below `src_id` they are identifiers.

    Examples
    --------
    >>> may_be_words(["s1", "s2"]), may_be_words(["s1.1", "s1.2"]), may_be_words(["s01", "s02"])
    (True, False, False)
    >>> may_be_words(["s1", "s2"], "Source ID")
    False

    """
    names = (name for cell in cells for name in names_in(cell))
    return not _OF_IDS.search(head) and all(map(_WORD.fullmatch, names))


def _go_up(names: Sequence[str]) -> bool:
    """Test identifiers for one shape and ascending numbers."""
    if len(names) < 2:
        return True
    numbers = [list(map(int, _DIGITS.findall(name))) for name in names]
    alike = len({_DIGITS.sub("#", name) for name in names}) == 1
    return alike and all(a < b for a, b in pairwise(numbers))


def are_identifiers(cells: Sequence[str]) -> bool:
    """Recognise a column of numbers or identifiers, most of them of one shape.

    Those of a cell go up, as segments of a bisegment do, and most stand in one cell only. Words
    with digits (`w7 w3`), as of codes or made texts, do neither.

    Examples
    --------
    >>> are_identifiers(["s1 s2", "s3", ""]), are_identifiers(["3,4", "5"])
    (True, True)
    >>> are_identifiers(["A4", "B2B", "H2O"]), are_identifiers(["0-0", "1-1"])
    (False, False)
    >>> are_identifiers(["w7 w3 w4", "w3"]), are_identifiers(["word1 a1", "word2 a2"])
    (False, False)

    """
    lists = [names_in(cell) for cell in cells]
    names = {name for each in lists for name in each}
    if len(names) < ALIKE or not all(map(is_identifier, names)):
        return False
    if ALIKE * len(names) < sum(map(len, lists)) or not all(map(_go_up, lists)):
        return False
    return ALIKE * len({_DIGITS.sub("#", name) for name in names}) <= len(names)


def refuse_identifiers(source: Source, sides: Mapping[int, tuple[Sequence[str], str]]) -> None:
    """Refuse a table with identifiers for texts; note texts that may be identifiers.

    Parameters
    ----------
    source : Source
        The file.
    sides : mapping of int to pair
        The number of the column of each side, from 0: its cells, and its header or an empty string.

    """
    columns = [cells for cells, _ in sides.values()]
    # Numbers beside names are rather texts with their numbers.
    numbers = {all(cell.strip().isdecimal() for cell in cells) for cells in columns}
    if len(numbers) > 1 or not all(map(are_identifiers, columns)):
        return
    shown = " and ".join(repr(cells[0].strip()[:40]) for cells in columns)
    pairs = remedy("from id-pairs", python="format='id-pairs'")
    if all(may_be_words(cells, head) for cells, head in sides.values()):
        kind = f"texts that may be identifiers ({pairs}: as such, in two columns of TSV)"
        source.notes.add(kind, f"{source.path}: {shown}")
        return
    src, tgt = sides
    texts = remedy(f"columns src={src + 1},tgt={tgt + 1}")
    raise source.error(
        f"has identifiers or positions where its texts should be, as {shown}: give them as "
        f"TSV or CSV ({pairs}), or, if they are texts, name them ({texts})"
    )
