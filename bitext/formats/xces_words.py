"""Word links inside of XCES links, as positions of words.

    <link xtargets="s1;s1">
     <wordLink certainty="0.1" lexPair="a b;c" xtargets="w1.1+w1.2;w1.1"/>
    </link>

The ids are those of tokens (`w`) in the two documents. Each word of the one side of a word link
corresponds to each of the other. A token stands at the place, among the words of its bisegment as
blanks part them, where it begins. `certainty`, where it is a number, is the confidence; `lexPair`
repeats the words, and is left out.
"""

from __future__ import annotations

from itertools import product
from math import isfinite
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.lines import score_of
from bitext.model import Alignment
from bitext.model import word_links as notation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.formats.xces_group import Group, WordLink
    from bitext.formats.xces_texts import Documents
    from bitext.model import Text

__all__ = ["renamed", "word_column"]


def renamed(columns: dict[str, list[str | None]]) -> dict[str, list[str | None]]:
    """Return columns with one called `words` that holds no word links called `words_`."""
    held = columns.get(notation.COLUMN)
    if held is None or all(map(_is_notation, held)):
        return columns
    return {f"{name}_" if name == notation.COLUMN else name: columns[name] for name in columns}


def _is_notation(value: str | None) -> bool:
    try:
        notation.parse(value or "")
    except InputError:
        return False
    return True


def word_column(
    group: Group,
    words: Mapping[int, Sequence[WordLink]],
    alignment: Alignment,
    texts: tuple[Text, Text],
    documents: Documents,
    *,
    own: tuple[bool, bool],
    turned: bool,
) -> Alignment:
    """Return the alignment with the word links as a column; note those that cannot be resolved."""
    tables = [
        documents.words(name) if known else None
        for name, known in zip(group.pair, own, strict=True)
    ]
    column: list[str | None] = [None] * len(alignment)
    for k, held in words.items():
        sides = alignment[k]
        begins = [_begins(side, text) for side, text in zip(sides, texts, strict=True)]
        links: list[notation.Link] = []
        for word in held:
            found = _resolved(word, tables, begins, turned=turned)
            if found is None:
                kind = "word links inside links, left out"
                group.notes.add(kind, f"{documents.path} line {word.line}")
            else:
                links += found
        if links:
            column[k] = notation.spell(notation.distinct(links))
    if not any(column):
        return alignment
    return Alignment.from_arrays(
        alignment.src,
        alignment.tgt,
        scores=alignment.scores,
        attributes={**alignment.attributes, notation.COLUMN: column},
    )


def _begins(side: Sequence[int], text: Text) -> dict[int, int]:
    """Return the number of words before each segment of a side."""
    begins, at = {}, 0
    for k in side:
        begins[k] = at
        at += len(notation.tokens(text[k].text or ""))
    return begins


def _resolved(
    word: WordLink,
    tables: Sequence[Mapping[str, tuple[int, int]] | None],
    begins: Sequence[Mapping[int, int]],
    *,
    turned: bool,
) -> list[notation.Link] | None:
    """Return a word link by positions; `None` where a word is not found in its bisegment."""
    halves = word.xtargets.split(";")
    if len(halves) != 2:
        return None
    sides = []
    for half, table, begin in zip(halves[:: -1 if turned else 1], tables, begins, strict=True):
        places = [(table or {}).get(name) for name in half.replace("+", " ").split()]
        found = [begin[at[0]] + at[1] for at in places if at is not None and at[0] in begin]
        if len(found) < len(places) or not found:
            return None
        sides.append(found)
    number = score_of(word.certainty)
    sure = number if number is not None and isfinite(number) else None
    return [notation.Link(src, tgt, confidence=sure) for src, tgt in product(*sides)]
