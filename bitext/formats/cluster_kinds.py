"""Which kind of file a cluster stands in: by its name where that tells it, else by its contents.

| name | kind |
| --- | --- |
| `.trees`, `.mrg`, `.ptb`, `.penn` | `trees` |
| `.conllu` | `conllu` |
| `.conll` | columns, which of them by the first lines |
| `.json`, `.jsonl` | `json` |
| any other, and none | by the first lines |

Lines are text unless they are plainly something else: a text may begin with `[[Rome]]`, `["No`,
`(Reuters)` or `{`, and hold `vitamin and O`. Columns of no kind that is known, and XML, are refused
and not taken for sentences.
"""

from __future__ import annotations

import codecs
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, NamedTuple

from bitext.formats.lines import split_lines
from bitext.formats.packing import HEAD, unpacked
from bitext.remedies import remedy
from bitext.syntax.column_kinds import plain_columns, sniff_columns, strange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.opening import Source

__all__ = ["KINDS", "ClusterKind", "Guess", "as_text", "guess"]

ClusterKind = Literal[
    "text", "trees", "conll2000", "conll2003", "chunklink", "conllu", "tagged", "json"
]
KINDS: tuple[ClusterKind, ...] = (
    "text",
    "trees",
    "conll2000",
    "conll2003",
    "chunklink",
    "conllu",
    "tagged",
    "json",
)

_SUFFIXES: dict[str, ClusterKind] = {
    ".trees": "trees",
    ".mrg": "trees",
    ".ptb": "trees",
    ".penn": "trees",
    ".conllu": "conllu",
    ".json": "json",
    ".jsonl": "json",
}
_COLUMNS = ".conll"

# An object with its first key, or a list whose first item is one, or a text and followed by more.
_JSON = re.compile(
    r"\{\s*(?:\"(?:[^\"\\]|\\.)*\"\s*(?::|\Z)|\}|\Z)"
    r"|\[\s*(?:\{\s*[\"}]|\"(?:[^\"\\]|\\.)*\"\s*(?:,\s*[\"{\[0-9]|,?\s*\Z|\]\s*\Z)|\]?\s*\Z)"
)
# A bracket in a bracket with its label, or a phrase's; a text may begin with (AP) or (Reuters).
_TREE = re.compile(
    r"\(\s*(?:[^\s()]*\s*\(\s*[^\s()]*(?:[\s(]|\Z)"
    r"|(?:ROOT|TOP|S1?|SINV|SQ|SBARQ|SBAR|FRAG|NP|VP|PP|X)(?:[-=][^\s()]*)?\s)"
)
_MARKUP = re.compile(
    r"<\?xml\b|<!doctype\b|<html\b|<tei\b|(?:strict\s+)?digraph\b[^{]*\{", re.IGNORECASE
)
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LOOKED_AT = 200  # lines, to tell the kind


class Guess(NamedTuple):
    """The kind of a file, and whether its name tells it."""

    kind: ClusterKind
    named: bool


def guess(source: Source) -> Guess:
    """Tell the kind of a file.

    Raises
    ------
    FormatError
        When its lines are columns of no kind that is known, or XML.

    """
    suffix = PurePath(unpacked(source.path)).suffix.lower()
    if suffix in _SUFFIXES:
        return Guess(_SUFFIXES[suffix], named=True)
    lines = _first_lines(source)
    if suffix == _COLUMNS:
        columns = sniff_columns(lines)
        written = next((k for k, line in enumerate(lines, start=1) if line.strip()), None)
        if columns is None and written is not None:
            raise source.error(
                f"is of no columns that are known, as its name promises: want conll2000, "
                f"conll2003, chunklink, conllu or tagged, or say what it is ({as_text()})",
                written,
            )
        return Guess(columns or "conll2000", named=True)
    begins = "\n".join(lines).lstrip()
    if _JSON.match(begins):
        return Guess("json", named=False)
    if _TREE.match(begins):
        return Guess("trees", named=False)
    known = plain_columns(lines)
    if known is None:
        _refuse(source, lines, begins)
    return Guess(known or "text", named=False)


def as_text() -> str:
    """Return how one says that sentences are but text."""
    return remedy("from text", python="kind='text'")


def _first_lines(source: Source) -> list[str]:
    head = source.head()
    encoding = source.encoding
    if head.startswith(_MARKS):
        encoding = "utf-16"
    elif head.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    lines = split_lines(head.decode(encoding, "replace"))
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()  # it may be torn
    return lines[:_LOOKED_AT]


def _refuse(source: Source, lines: Sequence[str], begins: str) -> None:
    """Refuse what would make sentences of what are none."""
    width = strange(lines)
    if width is not None:
        raise source.error(
            f"has {width} columns a line, of no kind that is known: want a sentence a line, or "
            f"columns as of conll2000, conll2003, conllu or tagged; if they are sentences all the "
            f"same, say so ({as_text()})"
        )
    if _MARKUP.match(begins):
        raise source.error(
            f"begins with {begins.split(maxsplit=1)[0]!r:.20}, so it holds no sentences that can "
            f"be read: want a sentence a line, trees, columns or JSON; if it is text all the same, "
            f"say so ({as_text()})"
        )
