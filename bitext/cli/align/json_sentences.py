"""Texts that `bitext align` reads from JSON lines: an object a sentence."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bitext.formats.io.source import Source
    from bitext.model import Text

__all__ = ["is_objects", "read_objects", "refuse_no_objects"]


_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_ALIGNED = frozenset(("src", "tgt", "translation"))  # keys of alignments
_KEY = re.compile(rb'[{,]\s*"text"\s*:')
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_objects(head: bytes) -> bool:
    r"""Return whether the first line of a file is a JSON object with the key `text`.

    Of a line that goes on beyond `head`, a key `text` in its beginning is enough.

    Examples
    --------
    >>> [is_objects(head) for head in (b'{"text": "One."}\n', b'{"text": "One', b'{"a": 1}\n')]
    [True, True, False]

    """
    line, whole, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if not line.startswith(b"{"):
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return not whole and _KEY.search(line) is not None
    return isinstance(value, dict) and "text" in value


def read_objects(source: Source, lang: str) -> Text:
    """Read one object a sentence, with the keys `text` and, if present, `id` and `paragraph`.

    Raises
    ------
    FormatError
        When a line is no such object, or an id is invalid or not unique, with its line.

    """
    from bitext.model import Segmentation, Text

    texts: list[str] = []
    ids: list[str] = []
    known: set[str] = set()
    paragraphs: list[Any] = []
    for number, line in source.stream_lines():
        plain = line.removeprefix("\ufeff") if number == 1 else line
        if not plain.strip():
            continue
        row = _object(plain)
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise source.error('is not an object with a "text"; want one a sentence', number)
        for key in ("id", "paragraph"):
            if (key in row) != bool(ids if key == "id" else paragraphs) and texts:
                article = "an" if key == "id" else "a"
                raise source.error(
                    f"has {article} {key} where others have none; give all, or none", number
                )
        if "id" in row:
            name = _id(source, row["id"], number)
            if name in known:
                raise source.error(f"has the id {name!r} again; give each its own", number)
            known.add(name)
            ids.append(name)
        if "paragraph" in row:
            paragraphs.append(row["paragraph"])
        texts.append(_checked(source, row["text"], number))
    begins = [k for k in range(1, len(paragraphs)) if paragraphs[k] != paragraphs[k - 1]]
    division = Segmentation.from_boundaries(begins, len(texts)) if paragraphs else None
    return Text(texts, ids=ids or None, name=source.path, lang=lang, paragraphs=division)


def refuse_no_objects(source: Source) -> None:
    """Refuse a file that is named as JSON, and does not begin with an object with the key `text`.

    Files of alignments are left to the caller, which names their format.
    """
    from bitext.formats.io.compression import unpacked

    head = source.head()
    first = _object(head.partition(b"\n")[0].decode("utf-8-sig", "replace"))
    aligned = isinstance(first, dict) and not _ALIGNED.isdisjoint(first)
    if unpacked(source.path).lower().endswith(_JSON_ENDINGS) and head.strip() and not aligned:
        raise source.error(
            'is not an object with a "text"; want one a sentence, each on its line', 1
        )


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _id(source: Source, given: object, number: int) -> str:
    if isinstance(given, bool) or not isinstance(given, (str, int)) or given == "":
        shown = json.dumps(given)
        raise source.error(f"has the id {shown:.40}; want a string or a whole number", number)
    return _checked(source, str(given), number)


def _checked(source: Source, text: str, number: int) -> str:
    """Refuse a string with half a surrogate pair, which JSON can escape; return the string."""
    half = _SURROGATE.search(text)
    if half is not None:
        raise source.error(
            f"has \\u{ord(half[0]):04x}, half of a surrogate pair; take it out", number
        )
    return text
