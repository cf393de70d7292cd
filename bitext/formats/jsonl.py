"""JSON lines: one object a bisegment. Three forms are read, the first is written.

By identifiers::

    {"src": ["s1", "s2"], "tgt": ["t1"], "src_text": "One. Two.", "tgt_text": "Yksi.",
     "score": 0.5, "src_segments": ["One.", "Two."]}

`src_text` is the segments joined by a blank; where there are several, `src_segments` tells them
apart, and where some have inline marks, `src_marked` has these with them (as in a TMX `seg`), and
`null` for the others. Without text, only the identifiers are known. The same identifier is the same
segment, so overlaps, crossings and gaps can be said. Of a text without identifiers of its own these
are the positions from 0; if some of its segments are in no bisegment, the first object has the
number of all as `src_size`. Segments are in the order of the numbers in their identifiers (`s2`
before `s10`), or else in which they first occur; where neither is right, the first object has them
in order as `src_order`. It has the languages of the texts as `src_lang` and `tgt_lang`, where they
are known. Objects of one document follow each other, and have its name as `document`.

By texts, and by languages (Hugging Face)::

    {"src": "One. Two.", "tgt": "Yksi."}
    {"translation": {"en": "One. Two.", "fi": "Yksi."}}

A side is one segment. The two languages are the same on all lines; the first of the first line is
the source, unless languages are asked for: then there may be more of them, and the others are
columns of further languages. `null` is an empty side. In a file without `null` the empty string is
one, too, since many writers know no `null`; beside `null` it is a segment without characters, and
is noted.

In all forms further keys with a string, a number or a truth value are attributes. An attribute with
the name of a key above gets a `_` behind it when it is written. An object that is no JSON, of
another form than the first, or with a score that is no number, is refused.

Read in parts
    By texts: a `null` that comes after empty strings were taken as empty sides is noted. By
    identifiers: a document is cut where that changes nothing (see `jsonl_parts`); one whose
    segments have names, or are in no bisegment in part, is read whole: memory for one document.

| kept | lost |
| --- | --- |
| texts, borders, empty sides and segments, crossings, gaps, overlaps | segments in no bisegment |
| identifiers, scores, attributes, word links, languages, marks | paragraphs |
| borders of documents, characters of any kind, tabs and line ends | |
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain, compress, groupby
from math import nan
from typing import TYPE_CHECKING, Any

from bitext.formats.inline import Beads
from bitext.formats.jsonl_ids import ID_KEYS, is_sound
from bitext.formats.jsonl_parts import document_bitexts
from bitext.formats.jsonl_writing import write_objects
from bitext.formats.languages import finds
from bitext.formats.lines import grouped, head_lines, line_chunks, no_segment, score_of
from bitext.formats.losses import LANGUAGE, Keeps
from bitext.formats.registry import Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import IO

    from bitext.formats.jsonl_ids import Line
    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_TEXT_KEYS = frozenset({"src", "tgt", "score", "translation"})
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
    lines = _of_one_form(source, options)
    first = next(lines, None)
    if first is None or "translation" in first[1] or isinstance(first[1]["src"], str | None):
        yield from _read_texts(source, options, chain([first], lines) if first else iter(()))
        return

    def columns(taken: list[Line]) -> tuple[Sequence[float], Mapping[str, Sequence[str | None]]]:
        return [_score(line) or 0.0 for line in taken], _attributes(source, taken, ID_KEYS)

    sound = (line for line in chain([first], lines) if is_sound(source, line))
    for name, document in groupby(sound, key=lambda line: line[1].get("document")):
        named = options if name is None else replace(options, name=name)
        yield from document_bitexts(source, named, document, columns)


def _objects(source: Source, options: ReadOptions) -> Iterator[Line]:
    """Yield the number and the object of each line that is not blank."""
    scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # quicker than loads
    for first, lines in line_chunks(source, options):
        for number, line in enumerate(lines, start=first):
            try:
                found, end = scan(line, 0)
            except (StopIteration, ValueError, RecursionError):
                end = -1
            plain = end == len(line) and type(found) is dict
            if plain and not ("\\u" in line and _SURROGATE.search(line)):
                yield number, found
            elif line.strip() and (read := _object(source, number, line)) is not None:
                yield number, read


def _object(source: Source, number: int, line: str) -> dict[str, object] | None:
    """Return the object of a line; refuse a line that has none."""
    try:
        found = json.loads(line)
        if _SURROGATE.search(line):
            json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        flaw = f"is not JSON: {error.msg} (column {error.colno}); want one object a line"
    except UnicodeEncodeError:
        flaw = "has half a surrogate pair; want whole characters"
    except (ValueError, RecursionError) as error:
        flaw = f"is JSON beyond all limits: {error}"
    else:
        if isinstance(found, dict):
            return found
        flaw = f"is {found!r:.40}; want one object a line, as {{...}}"
    source.refuse(flaw, number)
    return None


def _form(found: dict[str, object]) -> str:
    """Tell which form an object has, or that it has nothing on either side; empty for none."""
    if "src" in found and "tgt" in found:
        src, tgt = found["src"], found["tgt"]
        if isinstance(src, list | None) and isinstance(tgt, list | None):
            return "identifiers" if src or tgt else "nothing"
        if isinstance(src, str | None) and isinstance(tgt, str | None):
            return "texts"
    elif isinstance(found.get("translation"), dict):
        return "languages"
    return ""


def _of_one_form(source: Source, options: ReadOptions) -> Iterator[Line]:
    """Yield the objects with something in them, which all have the form of the first."""
    wanted = ""
    for line in _objects(source, options):
        number, found = line
        form = _form(found)
        if form == "nothing":
            no_segment(source, number)
            continue
        wanted = wanted or form
        if not form:
            source.refuse(
                'is in no form that is read; want "src" and "tgt", both lists of identifiers or '
                'both texts, or "translation" with two languages',
                number,
            )
        elif form != wanted:
            source.refuse(
                f"goes by {form}, and the lines before by {wanted}; want one form in a file",
                number,
            )
        elif _score(line) is None:
            score = found["score"]
            source.refuse(f"has the score {score!r:.40}; want a number, as 0.48", number)
        else:
            yield line


def _read_texts(source: Source, options: ReadOptions, lines: Iterator[Line]) -> Iterator[Bitext]:
    """Make a bitext of objects by texts or by languages."""
    beads = Beads(source, options)
    texts: _Texts | None = None
    for group in grouped(lines, options):
        if texts is None and group:
            texts = _Texts(source, options, group[0])
            beads.langs = texts.langs
        if texts is not None:
            texts.add(beads, group)
            yield from beads.parts()
    yield from beads.rest()


class _Texts:
    """Takes objects by texts or by languages, some at a time, and adds them as bisegments.

    Attributes
    ----------
    langs : pair of str
        The languages of the two texts, where the objects have them.

    """

    def __init__(self, source: Source, options: ReadOptions, first: Line) -> None:
        self._source = source
        self._asked = (options.src_lang, options.tgt_lang)
        self._by_languages = "translation" in first[1] and "src" not in first[1]
        self._keys = self._languages(first) if self._by_languages else ("src", "tgt")
        self.langs = self._keys if self._by_languages else ("", "")
        self._nulls = False
        self._bare: list[int] = []  # the first line with an empty string as empty side; how many

    def _languages(self, first: Line) -> tuple[str, str]:
        """Return the two languages that are read."""
        number, found = first
        names = list(found["translation"])
        if not any(self._asked):
            if len(names) != 2:
                raise self._source.error(_wrong_languages(names), number)
            return names[0], names[1]
        chosen = [_chosen(asked, names) for asked in self._asked]
        for side in (0, 1):
            others = [name for name in names if name != chosen[1 - side]]
            if not self._asked[side] and len(others) == 1:
                chosen[side] = others[0]
        src, tgt = chosen
        if not src or not tgt or src == tgt:
            shown = ", ".join(map(repr, names))[:80] or "none"
            raise self._source.error(
                f"has the languages {shown}, and asked for are {self._asked[0] or 'any'!r} and "
                f"{self._asked[1] or 'any'!r}; ask for two of those (--src-lang, --tgt-lang)",
                number,
            )
        return src, tgt

    def add(self, beads: Beads, lines: list[Line]) -> None:
        """Add the objects that are bisegments."""
        if self._by_languages:
            lines = [line for line in lines if self._is_translation(line)]
        rows = [found["translation"] if self._by_languages else found for _, found in lines]
        sides: list[list[Any]] = [[row.get(key) for row in rows] for key in self._keys]
        if not all(map(all, sides)):
            taken = self._taken(lines, sides[0], sides[1])
            lines = list(compress(lines, taken))
            sides = [list(compress(side, taken)) for side in sides]
        if lines:
            there = [[bool(x) or (x is not None and self._nulls) for x in side] for side in sides]
            columns = _attributes(self._source, lines, _TEXT_KEYS)
            beads.extend(
                list(compress(sides[0], there[0])),
                list(compress(sides[1], there[1])),
                sizes=(there[0], there[1]),
                scores=[_score(line) or 0.0 for line in lines],
                attributes=columns | self._others(lines),
            )

    def _is_translation(self, line: Line) -> bool:
        number, found = line
        sides: dict[str, object] = found["translation"]
        odd = next((lang for lang in sides if not isinstance(sides[lang], str | None)), None)
        if not any(self._asked) and sides.keys() != set(self._keys):
            self._source.refuse(_wrong_languages(list(sides)), number)
            return False
        if odd is not None:
            self._source.refuse(f"has {sides[odd]!r:.40} as its {odd!r}; want a text", number)
        return odd is None

    def _taken(self, lines: list[Line], src: list[str | None], tgt: list[str | None]) -> list[bool]:
        """Tell which objects are bisegments, of some of which a side is empty."""
        path = self._source.path
        if not self._nulls and (None in src or None in tgt):
            self._nulls = True
            if self._bare:
                kind = "empty strings before the first null, taken as empty sides"
                self._source.notes.add(kind, f"{path} line {self._bare[0]}", self._bare[1])
        taken = []
        for (number, _), *pair in zip(lines, src, tgt, strict=True):
            full = [side is not None if self._nulls else bool(side) for side in pair]
            if "" in pair and self._nulls:
                kind = "empty strings beside null, taken as segments without characters"
                self._source.notes.add(kind, f"{path} line {number}")
            elif "" in pair:
                self._bare = [self._bare[0], self._bare[1] + 1] if self._bare else [number, 1]
            if not any(full):
                no_segment(self._source, number)
            taken.append(any(full))
        return taken

    def _others(self, lines: list[Line]) -> dict[str, list[str | None]]:
        """Return the texts in further languages, as columns."""
        if not self._by_languages or not any(self._asked):
            return {}
        rows = [found["translation"] for _, found in lines]
        names = dict.fromkeys(chain.from_iterable(rows))
        return {
            f"{LANGUAGE}{name}": [row.get(name) for row in rows]
            for name in names
            if name not in self._keys
        }


def _wrong_languages(names: list[str]) -> str:
    return (
        f"has the languages {', '.join(map(repr, names))[:80] or 'none'}; want two, the "
        f"same on all lines: keep two languages, or ask for two (--src-lang, --tgt-lang)"
    )


def _chosen(asked: str, names: list[str]) -> str:
    """Return the language asked for, or the first that only says it more exactly; or nothing."""
    if asked in names or not asked:
        return asked
    return next((name for name in names if finds(asked, name)), "")


def _score(line: Line) -> float | None:
    """Return the score of an object, `nan` without one; `None` for what is none."""
    value = line[1].get("score")
    if value is None or isinstance(value, float):
        return nan if value is None else value
    return score_of(value if isinstance(value, str) else json.dumps(value))


def _attributes(
    source: Source, lines: list[Line], ours: frozenset[str]
) -> dict[str, list[str | None]]:
    """Return the values of the further keys, as columns over the lines."""
    columns: dict[str, list[str | None]] = {}
    for k, (number, found) in enumerate(lines):
        if found.keys() <= ours:
            continue
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


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions = _DEFAULT) -> None:
    write_objects(bitexts, out, options=options)


FORMAT = Format(
    name="jsonl",
    title="one JSON object a bisegment",
    holds="text",
    suffixes=(".jsonl",),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Keeps(
        texts=True,
        borders=True,
        empty_sides=True,
        empty_segments=True,
        crossings=True,
        gaps=True,
        overlaps=True,
        ids=True,
        scores=True,
        attributes=True,
        documents=True,
        languages=True,
        other_languages=True,
        markup=True,
        words=True,
        breaks=True,
        controls=True,
    ),
    streams=True,
)
