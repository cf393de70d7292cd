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

The keys of the texts may also be `source target`, `text1 text2` and so on, or two languages
(`{"en": "One.", "fi": "Yksi."}`); others are named, as `--columns src=text_a,tgt=text_b`.

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
| borders of documents, characters of any kind, tabs and line ends | documents without bisegments |
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from bitext.formats.columns import UnclearColumnsError, key_languages, key_roles
from bitext.formats.json_objects import beyond_limits
from bitext.formats.jsonl.by_ids import are_plain, document_bitexts, is_sound
from bitext.formats.jsonl.by_texts import object_score, read_texts
from bitext.formats.jsonl.writing import write_objects
from bitext.formats.line_files import head_lines, line_chunks, no_segment
from bitext.formats.losses import Capabilities
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.formats.jsonl.by_texts import Line
    from bitext.model import Bitext

__all__ = ["FORMAT"]


_DEFAULT = WriteOptions()

_SOME = 200  # objects looked at together: few enough to stay in the cache of the processor
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
    objects = _Objects(source, options)
    blocks = objects.blocks(options)
    first = next(blocks, [])
    if first and objects.form == "identifiers":
        yield from document_bitexts(source, options, chain([first], blocks))
    else:
        yield from read_texts(source, options, chain(first, chain.from_iterable(blocks)))


class _Objects:
    """Reads the objects of a file, which all have the form of the first that has anything in it.

    Attributes
    ----------
    form : str
        That form: `identifiers`, `texts` or `languages`; empty before it is known.

    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._columns = source, options.columns
        self._roles: dict[str, str] | None = None  # of keys that are called otherwise
        self._langs: list[str] = []  # the keys of texts, where these are languages
        self._scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # quicker than loads
        self.form = ""

    def blocks(self, options: ReadOptions) -> Iterator[list[Line]]:
        """Yield the objects that can be taken by themselves, some at a time."""
        for first, lines in line_chunks(self._source, options):
            for begin in range(0, len(lines), _SOME):
                some = lines[begin : begin + _SOME]
                plain = self.form in {"", "identifiers"} and not self._roles and not self._langs
                found = self._at_once(some) if plain and not self._columns.named else None
                if found is not None:
                    self.form, self._roles = "identifiers", {}
                    yield list(enumerate(found, start=first + begin))
                elif block := list(self._one_by_one(some, first + begin)):
                    yield block

    def _at_once(self, lines: list[str]) -> list[dict[str, Any]] | None:
        """Return the objects of lines if all are plain ones by identifiers."""
        joined = "\n".join(lines)
        if "\\u" in joined and _SURROGATE.search(joined):
            return None
        scan = self._scan
        try:
            read = [scan(line, 0) for line in lines]
        except (StopIteration, ValueError, RecursionError):
            return None
        found = [each for each, _ in read]
        whole = [end for _, end in read] == list(map(len, lines))
        return found if whole and set(map(type, found)) <= {dict} and are_plain(found) else None

    def _one_by_one(self, lines: list[str], first: int) -> Iterator[Line]:
        """Yield the objects of lines that can be taken; refuse the others."""
        for number, line in enumerate(lines, start=first):
            try:
                found, end = self._scan(line, 0)
            except (StopIteration, ValueError, RecursionError):
                found, end = None, -1
            plain = end == len(line) and type(found) is dict
            if not plain or ("\\u" in line and _SURROGATE.search(line)):
                found = _object(self._source, number, line) if line.strip() else None
            found = None if found is None else self._named(number, found)
            if found is not None and self._has_form(number, found):
                yield number, found

    def _named(self, number: int, found: dict[str, Any]) -> dict[str, Any]:
        """Return an object with the keys of this format, where the first has others for them."""
        if self._roles is None and found:
            self._roles, self._langs = self._other_keys(number, found)
        if self._langs and not {"src", "tgt", "translation"} & found.keys():
            texts = {key: found[key] for key in self._langs if key in found}
            return {"translation": texts} | {k: v for k, v in found.items() if k not in texts}
        if self._roles:
            return {self._roles.get(key, _other(key, self._roles)): v for key, v in found.items()}
        return found

    def _other_keys(self, number: int, found: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
        """Tell which keys are the texts by what the user says, or by the keys of the first."""
        ours = not {"src", "tgt", "translation"}.isdisjoint(found)
        if ours and not self._columns.named:
            return {}, []
        try:
            roles = key_roles([*found], self._columns)
        except UnclearColumnsError as error:
            way = remedy("columns src=en,tgt=de")
            raise self._source.error(f"{error}; name the keys ({way})", number) from None
        texts = [key for key, value in found.items() if isinstance(value, str | None)]
        return roles, [] if roles else key_languages(texts)

    def _has_form(self, number: int, found: dict[str, Any]) -> bool:
        """Tell whether an object has the form of the first, and a score if any; refuse others."""
        form = _form(found)
        if form == "nothing":
            no_segment(self._source, number)
            return False
        self.form = self.form or form
        flaw = ""
        if not form:
            flaw = (
                'is in no form that is read; want "src" and "tgt", both lists of identifiers or '
                'both texts, or "translation" with two languages'
            )
            if all(isinstance(value, str | int | float | None) for value in found.values()):
                flaw += f", or name the keys of the texts ({remedy('columns src=a,tgt=b')})"
        elif form != self.form:
            flaw = f"goes by {form}, and the lines before by {self.form}; want one form in a file"
        elif object_score((number, found)) is None:
            flaw = f"has the score {found['score']!r:.40}; want a number, as 0.48"
        if flaw:
            self._source.refuse(flaw, number)
            return False
        return form != "identifiers" or is_sound(self._source, (number, found))


def _other(key: str, roles: dict[str, str]) -> str:
    """Return a key beside those that get the name of another, which may be its own."""
    return f"{key}_" if key in roles.values() else key


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
        flaw = beyond_limits(error)
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
    keeps=Capabilities(
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
        empty_documents=False,
        names=frozenset({"name"}),
        languages=True,
        other_languages=True,
        markup=True,
        words=True,
        breaks=True,
        controls=True,
    ),
    streams=True,
    tabular=True,
)
