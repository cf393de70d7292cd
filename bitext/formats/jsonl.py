"""JSON lines: one object a bisegment. Three forms are read, the first is written.

By identifiers::

    {"src": ["s1", "s2"], "tgt": ["t1"], "src_text": "One. Two.", "tgt_text": "Yksi.",
     "score": 0.5, "src_segments": ["One.", "Two."]}

`src_text` is the segments joined by a blank; where there are several, `src_segments` tells them
apart. Without either, only the identifiers are known. The same identifier is the same segment, so
overlaps, crossings and gaps can be said. Of a text without identifiers of its own these are
the positions from 0; if some of its segments are in no bisegment, the first object has the
number of all as `src_size`. Segments are in the order of the numbers in their identifiers (`s2`
before `s10`), or else in which they first occur. Objects of one document follow each other, and
have its name as `document`.

By texts, and by languages (Hugging Face)::

    {"src": "One. Two.", "tgt": "Yksi."}
    {"translation": {"en": "One. Two.", "fi": "Yksi."}}

A side is one segment. The two languages are the same on all lines; the first of the first line is
the source. `null` is an empty side. In a file without `null` the empty string is one, too, since
many writers know no `null`; beside `null` it is a segment without characters, and is noted.

In all forms further keys with a string, a number or a truth value are attributes. Lost on writing:
languages, the texts of segments in no bisegment. An attribute with the name of a key above gets a
`_` behind it.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain, groupby
from math import isfinite, nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.inline import Beads
from bitext.formats.jsonl_ids import identified_bitext
from bitext.formats.lines import head_lines, no_segment, score_of, spell_score
from bitext.formats.registry import Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.jsonl_ids import Line
    from bitext.formats.opening import Source
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_OURS = frozenset({"src", "tgt", "score", "translation"})
_IDS_OURS = _OURS | {
    "document",
    *(f"{side}_{what}" for side in ("src", "tgt") for what in ("text", "segments", "size")),
}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _sniff(head: bytes) -> int:
    line = next((line for line in head_lines(head) if line.strip()), "")
    if not line.lstrip().startswith("{"):
        return 0
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return 50 if line.lstrip().startswith('{"') else 0
    return 90 if found.keys() & {"src", "tgt", "translation"} else 20


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    lines = _of_one_form(source)
    first = next(lines, None)
    if first is None or _form(source, first) != "identifiers":
        yield from _read_texts(source, options, [first, *lines] if first else [])
        return
    for name, document in groupby(chain([first], lines), key=lambda x: x[1].get("document")):
        taken = list(document)
        if not isinstance(name, str | None):
            raise source.error(f"has the document {name!r:.40}; want its name", taken[0][0])
        yield identified_bitext(
            source,
            replace(options, name=options.name if name is None else name),
            taken,
            scores=[_score(source, line) for line in taken],
            attributes=_attributes(source, taken, _IDS_OURS),
        )


def _objects(source: Source) -> Iterator[Line]:
    """Yield the number and the object of each line that is not blank."""
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            if _SURROGATE.search(line):
                json.dumps(found, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            raise source.error(
                f"is not JSON: {error.msg} (column {error.colno}); want one object a line", number
            ) from None
        except UnicodeEncodeError:
            raise source.error("has half a surrogate pair; want whole characters", number) from None
        except (ValueError, RecursionError) as error:
            raise source.error(f"is JSON beyond all limits: {error}", number) from None
        if not isinstance(found, dict):
            raise source.error(f"is {found!r:.40}; want one object a line, as {{...}}", number)
        yield number, found


def _form(source: Source, line: Line) -> str:
    """Tell which form an object has, or that it has nothing on either side."""
    number, found = line
    if "src" in found and "tgt" in found:
        src, tgt = found["src"], found["tgt"]
        if isinstance(src, list | None) and isinstance(tgt, list | None):
            return "identifiers" if src or tgt else "nothing"
        if isinstance(src, str | None) and isinstance(tgt, str | None):
            return "texts"
    elif isinstance(found.get("translation"), dict):
        return "languages"
    raise source.error(
        'is in no form that is read; want "src" and "tgt", both lists of identifiers or both '
        'texts, or "translation" with two languages',
        number,
    )


def _of_one_form(source: Source) -> Iterator[Line]:
    """Yield the objects with something in them, which all have the form of the first."""
    wanted = ""
    for line in _objects(source):
        form = _form(source, line)
        if form == "nothing":
            no_segment(source, line[0])
            continue
        wanted = wanted or form
        if form != wanted:
            raise source.error(
                f"goes by {form}, and the lines before by {wanted}; want one form in a file",
                line[0],
            )
        yield line


def _read_texts(source: Source, options: ReadOptions, lines: list[Line]) -> Iterator[Bitext]:
    """Make a bitext of objects by texts or by languages."""
    by_languages = bool(lines) and "src" not in lines[0][1]
    langs = _languages(source, lines) if by_languages else ("", "")
    held = [line[1]["translation"] if by_languages else line[1] for line in lines]
    keys = langs if by_languages else ("src", "tgt")
    pairs = [(sides[keys[0]], sides[keys[1]]) for sides in held]
    nulls = any(None in pair for pair in pairs)
    beads = Beads(source, options, langs=langs)
    for line, pair in zip(lines, pairs, strict=True):
        if nulls and "" in pair:
            kind = "empty strings beside null, taken as segments without characters"
            source.notes.add(kind, f"{source.path} line {line[0]}")
        src, tgt = ([] if side is None or not (side or nulls) else [side] for side in pair)
        if src or tgt:
            row = _attributes(source, [line], _OURS)
            values = {key: column[0] for key, column in row.items() if column[0] is not None}
            beads.add(src, tgt, _score(source, line), attributes=values)
            yield from beads.parts()
        else:
            no_segment(source, line[0])
    yield from beads.rest()


def _languages(source: Source, lines: list[Line]) -> tuple[str, str]:
    """Return the two languages, which are the same on all lines."""
    first = list(lines[0][1]["translation"])
    for number, found in lines:
        sides = found["translation"]
        if len(first) != 2 or sides.keys() != set(first):
            raise source.error(
                f"has the languages {', '.join(map(repr, sides))[:80] or 'none'}; want two, the "
                f"same on all lines: keep two languages",
                number,
            )
        for lang, text in sides.items():
            if not isinstance(text, str | None):
                raise source.error(f"has {text!r:.40} as its {lang!r}; want a text", number)
    return first[0], first[1]


def _score(source: Source, line: Line) -> float:
    number, found = line
    value = found.get("score")
    if value is None or isinstance(value, float):
        return nan if value is None else value
    score = score_of(value if isinstance(value, str) else json.dumps(value))
    if score is None:
        raise source.error(f"has the score {value!r:.40}; want a number, as 0.48", number)
    return score


def _attributes(
    source: Source, lines: list[Line], ours: frozenset[str]
) -> dict[str, list[str | None]]:
    """Return the values of the further keys, as columns over the lines."""
    columns: dict[str, list[str | None]] = {}
    for k, (number, found) in enumerate(lines):
        for key, value in found.items():
            if key in ours or value is None:
                continue
            if isinstance(value, list | dict):
                kind = "values of further keys that are lists or objects, left out"
                source.notes.add(kind, f"{source.path} line {number}: {key[:40]!r}")
                continue
            column = columns.setdefault(key, [None] * len(lines))
            column[k] = value if isinstance(value, str) else json.dumps(value)
    return columns


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    before = ""
    for k, bitext in enumerate(bitexts):
        name = bitext.name or (str(k + 1) if k else "")
        if k and name == before:
            name = f"{name} ({k + 1})"
        before = name
        for found in _objects_of(bitext, name):
            out.write(json.dumps(found, ensure_ascii=False) + "\n")


def _objects_of(bitext: Bitext, name: str) -> Iterator[dict[str, object]]:
    """Yield the object of each bisegment."""
    a = bitext.alignment
    sides = [_Side("src", bitext.src, a.src), _Side("tgt", bitext.tgt, a.tgt)]
    columns = {key + "_" * (key in _IDS_OURS): column for key, column in a.attributes.items()}
    for k in range(len(a)):
        found: dict[str, object] = {side.key: side.ids(k) for side in sides}
        held = {side.key: side.segments(k) for side in sides if side.held is not None}
        found |= {f"{key}_text": " ".join(segments) for key, segments in held.items()}
        score = nan if a.scores is None else float(a.scores[k])
        found["score"] = score if isfinite(score) else spell_score(score) or None
        found |= {f"{key}_segments": each for key, each in held.items() if len(each) > 1}
        if name:
            found["document"] = name
        if k == 0:
            found |= {f"{side.key}_size": side.size for side in sides if side.size}
        found |= {key: column[k] for key, column in columns.items() if column[k] is not None}
        yield found


class _Side:
    """One side of a bitext that is written.

    Attributes
    ----------
    held : list of str or None
        The characters of its segments, where they are known.
    size : int
        The number of its segments if that has to be told, otherwise 0.

    """

    def __init__(self, key: str, text: Text | None, rows: Rows) -> None:
        self.key, self._rows = key, rows
        self._ids = None if text is None or not text.has_ids else text.ids
        self.held = list(text.segments()) if text is not None and text.has_text else None
        covered = np.unique(rows.idx)
        size = int(covered[-1]) + 1 if covered.size else 0
        size = size if text is None else len(text)
        self.size = size if self._ids is None and covered.size < size else 0

    def ids(self, k: int) -> list[str]:
        members = self._rows.row(k).tolist()
        return [str(m) if self._ids is None else self._ids[m] for m in members]

    def segments(self, k: int) -> list[str]:
        held = self.held or []
        return [held[m] for m in self._rows.row(k).tolist()]


FORMAT = Format(
    name="jsonl",
    title="one JSON object a bisegment",
    holds="text",
    suffixes=(".jsonl",),
    sniff=_sniff,
    read=_read,
    write=_write,
)
