"""Dictionaries with a pair of terms a line: of hunalign, Moses and MUSE, and tab-separated.

hunalign has the target first, and ` @ ` between. The lexical tables of Moses have two words and the
probability of the first given the second: a source word and a target word in `lex.e2f`, a target
word and a source word in `lex.f2e`, where the source is what was called f. `NULL` stands there for
no word: such lines are passed over.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source

__all__ = ["read_pairs"]

_NULL = "NULL"
_WANTED = {
    "hunalign": "'target term @ source term'",
    "tsv": "a source term, a tab and a target term",
    "moses": "two words and a probability, with blanks between",
    "words": "two words with a blank between",
}
_COLUMNS = {"moses": (3, 5), "words": (2, 2)}  # 5: Moses may write counts too


def read_pairs(source: Source, kind: str) -> Iterator[tuple[str, str, float]]:
    """Yield source term, target term and weight of each line.

    Raises
    ------
    FormatError
        At a line that is not of the kind, with its number.

    """
    turned = kind == "hunalign" or ".f2e" in Path(source.path.lower()).name
    for number, line in source.stream_lines():
        line = line.removeprefix("\ufeff") if number == 1 else line
        if not line.strip() or _is_remark(line, kind):
            continue
        if kind == "hunalign":
            found = _of_hunalign(line)
        elif kind == "tsv":
            found = _of_tsv(source, line, number)
        else:
            found = _of_words(line, kind)
        if found is None or not (found[0] and found[1]):
            hint = _for_lexicon() if kind == "tsv" and found is not None else ""
            raise source.error(f"is {line!r:.60}; want {_WANTED[kind]}{hint}", number)
        first, second, weight = found
        if not (isfinite(weight) and weight >= 0):
            raise source.error(f"has the weight {weight}; want a number, 0 or more", number)
        if kind != "moses" or _NULL not in {first, second}:
            yield (second, first, weight) if turned else (first, second, weight)


def _is_remark(line: str, kind: str) -> bool:
    """Tell a remark from a pair whose first term begins with `#`."""
    parted = {"hunalign": " @ ", "tsv": "\t"}.get(kind)
    return line.startswith("#") and (parted is None or parted not in line)


def _for_lexicon() -> str:
    """Say what lines are for that are of no dictionary, but of what was learned."""
    writer = remedy("save-lexicon", python="Lexicon.save")
    return f" (what {writer} wrote is for {remedy('lexicon', python='Lexicon.load')})"


def _of_hunalign(line: str) -> tuple[str, str, float] | None:
    parts = line.split(" @ ")
    return (_tidy(parts[0]), _tidy(parts[1]), 1.0) if len(parts) == 2 else None


def _of_tsv(source: Source, line: str, number: int) -> tuple[str, str, float] | None:
    parts = line.split("\t")
    if len(parts) < 2:
        return None
    told = _number(parts[2]) if len(parts) > 2 else None
    if any(map(str.strip, parts[2 if told is None else 3 :])):
        kind = "further columns of a dictionary, passed over"
        source.notes.add(kind, f"{source.path} line {number}")
    return _tidy(parts[0]), _tidy(parts[1]), 1.0 if told is None else told


def _of_words(line: str, kind: str) -> tuple[str, str, float] | None:
    # A word may hold a no-break space: what parts columns is a blank or a tab.
    parts = line.replace("\t", " ").strip(" ").split(" ")
    if len(parts) not in _COLUMNS[kind]:
        return None
    weight = _number(parts[2]) if kind == "moses" else 1.0
    return None if weight is None else (parts[0], parts[1], weight)


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _tidy(term: str) -> str:
    return " ".join(term.split())
