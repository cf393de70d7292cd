"""Texts of JSON lines that `bitext align` reads: an object a sentence."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bitext.formats.opening import Source
    from bitext.model import Text

__all__ = ["is_objects", "read_objects", "refuse_no_objects"]

_ENDINGS = (".json", ".jsonl", ".ndjson")
_ALIGNED = frozenset(("src", "tgt", "translation"))  # keys of alignments
_KEY = re.compile(rb'[{,]\s*"text"\s*:')
_HALF = re.compile("[\ud800-\udfff]")


def is_objects(head: bytes) -> bool:
    r"""Tell by its first bytes whether a file is JSON lines of objects with `text`.

    Of a first line that is longer than what is looked at, its beginning tells.

    Examples
    --------
    >>> [is_objects(head) for head in (b'{"text": "One."}\n', b'{"text": "One', b'{"a": 1}\n')]
    [True, True, False]

    """
    line, whole, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if not line.startswith(b"{"):
        return False
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return not whole and _KEY.search(line) is not None
    return isinstance(found, dict) and "text" in found


def read_objects(source: Source, lang: str) -> Text:
    """Read one object a sentence, with its `text` and maybe its `id` and `paragraph`.

    Raises
    ------
    FormatError
        When a line is no such object, or an id is none or is there twice, with the line.

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
        found = _object(plain)
        if not isinstance(found, dict) or not isinstance(found.get("text"), str):
            raise source.error('is no object with a "text"; want one a sentence', number)
        for key in ("id", "paragraph"):
            if (key in found) != bool(ids if key == "id" else paragraphs) and texts:
                article = "an" if key == "id" else "a"
                raise source.error(
                    f"has {article} {key} where others have none; give all, or none", number
                )
        if "id" in found:
            name = _name(source, found["id"], number)
            if name in known:
                raise source.error(f"has the id {name!r} again; give each its own", number)
            known.add(name)
            ids.append(name)
        if "paragraph" in found:
            paragraphs.append(found["paragraph"])
        texts.append(_whole(source, found["text"], number))
    begins = [k for k in range(1, len(paragraphs)) if paragraphs[k] != paragraphs[k - 1]]
    parted = Segmentation.from_boundaries(begins, len(texts)) if paragraphs else None
    return Text(texts, ids=ids or None, name=source.path, lang=lang, paragraphs=parted)


def refuse_no_objects(source: Source) -> None:
    """Refuse a file that is named as JSON, and begins with no object, or one of something else.

    Alignments are told elsewhere.
    """
    from bitext.formats.packing import unpacked

    head = source.head()
    found = _object(head.partition(b"\n")[0].decode("utf-8-sig", "replace"))
    aligned = isinstance(found, dict) and not _ALIGNED.isdisjoint(found)
    if unpacked(source.path).lower().endswith(_ENDINGS) and head.strip() and not aligned:
        raise source.error('is no object with a "text"; want one a sentence, each on its line', 1)


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _name(source: Source, given: object, number: int) -> str:
    """Return an id as it is written."""
    if isinstance(given, bool) or not isinstance(given, (str, int)) or given == "":
        shown = json.dumps(given)
        raise source.error(f"has the id {shown:.40}; want a string or a whole number", number)
    return _whole(source, str(given), number)


def _whole(source: Source, text: str, number: int) -> str:
    """Return a text that no half of a surrogate pair is in, as JSON can spell one."""
    half = _HALF.search(text)
    if half is not None:
        raise source.error(
            f"has \\u{ord(half[0]):04x}, half of a surrogate pair; take it out", number
        )
    return text
