"""Tells the kind of files in columns by their first lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BREAK",
    "CHUNK",
    "META",
    "Columns",
    "exchanged",
    "fields_of",
    "plain_columns",
    "sniff_columns",
    "strange",
    "universal",
]

Columns = Literal["conll2000", "conll2003", "chunklink", "conllu", "tagged"]

BREAK = "-DOCSTART-"  # the word of a line between two documents
CHUNK = re.compile(r"O|[BI]-\S+")
META = re.compile(r"#\s*(sent_id|text|newdoc id)\s*=\s*(.*)")

_BLANKS = re.compile(r"[ \t]+")
_NUMBERED = re.compile(r"[1-9][0-9]*|[1-9][0-9]*-[1-9][0-9]*|[0-9]+\.[1-9][0-9]*")
_NAME = re.compile(r"O|[BIESLU]-[^\s()]+")
_TAG = re.compile(r"[A-Z][A-Z0-9$:|_+-]*|-[LR][RSC]B-|[^\w\s]{1,2}")
_TAGS = {
    "Penn": """
        CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH
        VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB HYPH NFP ADD AFX GW XX
    """,
    "universal": """
        ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X
    """,
}
_PENN, _UNIVERSAL = (frozenset(tags.split()) for tags in _TAGS.values())
_WORDS = _PENN | _UNIVERSAL
_SIGNS = frozenset({"-LRB-", "-RRB-", "``", "''", ".", ",", ":", "$", "#", "(", ")", '"'})
_MOST = 0.9  # of the words are tags, where columns are exchanged
_FEW = 4  # columns, from which on they are no words of a sentence


def sniff_columns(head: Sequence[str]) -> Columns | None:
    """Tell the kind of columns by the first lines of a file; None where they are none.

    Examples
    --------
    >>> sniff_columns(["", "It PRP B-NP"]), sniff_columns(["It rained ."])
    ('conll2000', None)
    >>> sniff_columns(["EU NNP B-NP B-ORG"]), sniff_columns(["EU NNP"])
    ('conll2003', 'tagged')

    """
    for line in head:
        text = line.strip("\r\n")
        if text.startswith(("#arguments:", "#columns:")):
            return "chunklink"
        fields = text.split("\t")
        if META.fullmatch(text) or (len(fields) == 10 and _NUMBERED.fullmatch(fields[0])):
            return "conllu"
        kind = _kind(fields_of(text, len(fields))) or _kind(fields_of(text))
        if kind or (text.strip() and not text.startswith("#")):
            return kind
    return None


def _kind(fields: Sequence[str]) -> Columns | None:
    """Tell the kind of columns by the fields of a line."""
    if len(fields) == 3 and CHUNK.fullmatch(fields[2]):
        return "conll2000"
    if len(fields) == 4 and (
        fields[0] == BREAK or (CHUNK.fullmatch(fields[2]) and _NAME.fullmatch(fields[3]))
    ):
        return "conll2003"
    return "tagged" if len(fields) == 2 and _TAG.fullmatch(fields[1]) else None


def plain_columns(head: Sequence[str]) -> Columns | None:
    """Tell the kind of columns where the lines could be text, and hardly are.

    Examples
    --------
    >>> plain_columns(["vitamin and O"]), plain_columns(["Vitamin NN O"])
    (None, 'conll2000')
    >>> plain_columns(["Well ,", "Yes ."]), plain_columns(["Well UH", ", ,"])
    (None, 'tagged')

    """
    kind = sniff_columns(head)
    rows = _rows(head, {"tagged": 2, "conll2000": 3, "conll2003": 4}.get(kind or "", 0))
    if kind == "tagged":
        tagged = [_fits(*row) for row in rows if len(row) == 2]
        words = sum(len(row) == 2 and row[1] in _WORDS for row in rows)
        return kind if len(tagged) == len(rows) > 1 and all(tagged) and words else None
    if kind in {"conll2000", "conll2003"}:
        width = 3 if kind == "conll2000" else 4
        first = next(row for row in rows if len(row) == width)
        if first[2] == "O" and first[0] != BREAK and not _fits(first[0], first[1]):
            chunks = [len(row) == width and CHUNK.fullmatch(row[2]) for row in rows]
            return kind if len(rows) > 1 and all(chunks) else None
    return kind


def strange(head: Sequence[str]) -> int | None:
    """Return the number of columns of lines that are columns, but of no kind that is known.

    Examples
    --------
    >>> strange(["EU B-ORG", "rejects O"]), strange(["It rained .", "We left ."])
    (2, None)

    """
    lines = [line for line in head if line.strip(" \t\r\n")]
    width = _width([line.split("\t") for line in lines])
    rows = _rows(lines)
    if width >= _FEW or (width == _FEW - 1 and all(_fits(row[0], row[1]) for row in rows)):
        return width
    width = _width(rows)
    names = [row[-1] for row in rows]
    named = all(map(_NAME.fullmatch, names)) and any(name != "O" for name in names)
    return width if named and (width == 2 or width >= _FEW) else None


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return how many fields each of several rows has; 0 where they differ."""
    widths = {len(row) for row in rows}
    return widths.pop() if len(widths) == 1 and len(rows) > 1 else 0


def fields_of(line: str, width: int = 0) -> list[str]:
    r"""Split at tabs where that gives so many fields; else at blanks and tabs.

    Nothing else parts fields: a no-break space is part of a word.

    Examples
    --------
    >>> fields_of("New York\tNNP\tB-NP", 3), fields_of("burns \tVBZ  B-VP", 3)
    (['New York', 'NNP', 'B-NP'], ['burns', 'VBZ', 'B-VP'])

    """
    bare = line.strip(" \t\r\n")
    if "\t" in bare:
        fields = [field.strip(" ") for field in bare.split("\t")]
        if len(fields) == width and all(fields):
            return fields
    return _BLANKS.split(bare)


def _rows(head: Sequence[str], width: int = 0) -> list[list[str]]:
    return [fields_of(line, width) for line in head if line.strip(" \t\r\n")]


def _fits(word: str, tag: str) -> bool:
    """Tell whether a tag is known, and one of signs stands at a sign."""
    return tag in _WORDS or (tag in _SIGNS and not word.isalnum())


def exchanged(words: Sequence[str], tags: Sequence[str]) -> bool:
    """Tell whether tags seem to stand in the column of words, and words in that of tags.

    Examples
    --------
    >>> exchanged(["DT", "NN", "."], ["The", "house", "."])
    True
    >>> exchanged(["IN", "THE", "NEWS"], ["IN", "DT", "NN"])
    False

    """
    both = [pair for pair in zip(words, tags, strict=True) if pair[0] != pair[1]]
    known = sum(word in _WORDS for word, _ in both)
    return known > _MOST * len(both) and not any(tag in _WORDS for _, tag in both)


def universal(tags: Sequence[str]) -> bool:
    """Tell whether tags are universal ones, and not those of the Penn treebank.

    Examples
    --------
    >>> universal(["DET", "NOUN"]), universal(["DT", "NN"]), universal(["SYM"]), universal([])
    (True, False, False, False)

    """
    return set(tags) <= _UNIVERSAL and not set(tags) <= _PENN
