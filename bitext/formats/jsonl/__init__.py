"""JSON lines: one object for each bisegment. Three forms are read, the first is written.

By identifiers::

    {"src": ["s1", "s2"], "tgt": ["t1"], "src_text": "One. Two.", "tgt_text": "Yksi.",
     "score": 0.5, "src_segments": ["One.", "Two."]}

`src_text` is the segments joined by a blank; if there are several, `src_segments` lists them,
and if some have inline codes, `src_marked` lists these segments with their codes (as in a TMX
`seg`), and `null` for the others. Without text, only the identifiers are known. Equal identifiers
are the same segment, so overlaps, crossings and gaps can be represented. In a text without
identifiers of its own these are the positions from 0; if some of its segments are in no bisegment,
the first object has the number of all as `src_size`. Segments are in the order of the numbers in
their identifiers (`s2` before `s10`), or else in order of first occurrence; where neither is right,
the first object lists the identifiers in order as `src_order`. The first object has the languages
of the texts as `src_lang` and `tgt_lang`, where they are known. Objects of one document are
consecutive, and have its name as `document`.

By texts, and by languages (Hugging Face)::

    {"src": "One. Two.", "tgt": "Yksi."}
    {"translation": {"en": "One. Two.", "fi": "Yksi."}}
    {"translation": {"language": ["en", "fi"], "translation": ["One. Two.", "Yksi."]}}

The key may be `translations`. Lists of languages and texts, with any number of languages a line,
are those of `bitext.formats.jsonl.by_texts`. The keys of the texts may also be `source target`,
`text1 text2` and so on, or two languages (`{"en": "One.", "fi": "Yksi."}`); other keys have to be
named, as `--columns src=text_a,tgt=text_b`.

A side is one segment. The two languages are the same on all lines; the first of the first line is
the source, unless the user requests languages: then there may be more, and the others are columns
of further languages. `null` is an empty side. In a file without `null` the empty string is an empty
side, too, since many writers know no `null`; beside `null` it is a segment without characters, and
is noted.

In all forms further keys with a string, a number or a truth value are attributes. On writing, an
attribute with the name of a key above gets a `_` appended. A line that is no JSON, an object of
another form than the first, and a score that is not a number, are refused.

Read in parts
    By texts: a `null` after empty strings that were read as empty sides is noted. By identifiers: a
    document is split where that changes nothing (see `jsonl.by_ids`); a document whose segments
    have names, or are partly in no bisegment, is read as a whole: memory for one document.

| kept | lost |
| --- | --- |
| texts, borders, empty sides and segments, crossings, gaps, overlaps | segments in no bisegment |
| identifiers, scores, attributes, word links, languages, inline codes | paragraphs |
| borders of documents, characters of any kind, tabs and line ends | documents without bisegments |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from json.encoder import encode_basestring
from math import inf, isfinite
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from bitext.errors import remedy
from bitext.formats.beads import DocumentNames
from bitext.formats.columns import UnclearColumnsError, key_languages, key_roles
from bitext.formats.io.source import Source
from bitext.formats.jsonl.by_ids import ID_KEYS, are_plain, document_bitexts, is_sound, positions
from bitext.formats.jsonl.by_texts import (
    Block,
    Line,
    flat_object,
    is_variable,
    keys_of_texts,
    object_score,
    read_texts,
)
from bitext.formats.line_files import head_lines, json_flaw, line_chunks, no_segment
from bitext.formats.positions import natural_ranks
from bitext.formats.registry import (
    OWN_TEXTS,
    PART,
    Capabilities,
    Format,
    ReadOptions,
    WriteOptions,
)
from bitext.formats.scores import spell_score
from bitext.kernels.arrays import Rows, distinct
from bitext.model import Bitext, Text
from bitext.model.languages import language_of

if TYPE_CHECKING:
    from bitext.formats.multitexts import Multitexts

_BLOCK_SIZE = 200  # objects checked together: few enough to stay in the cache of the processor
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _have_codes(item: dict[str, Any], keys: Iterable[str]) -> bool:
    """Check for languages under keys such as `sl` and `tl`, and for texts under others."""
    elsewhere = (
        isinstance(value, list) or (isinstance(value, str) and " " in value)
        for key, value in item.items()
        if key not in keys
    )
    return all(language_of(item[key] or "") for key in keys) and any(elsewhere)


def _sniff(head: bytes) -> int:
    line = next((line for line in head_lines(head) if line.strip()), "")
    if not line.lstrip().startswith("{"):
        return 0
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return 50 if line.lstrip().startswith('{"') else 0
    return 90 if item.keys() & {"src", "tgt", "translation", "translations"} else 20


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    # Lines come in chunks also where document pairs are read whole: memory is that of the largest.
    chunks = line_chunks(source, replace(options, parts=True))
    numbered = ((range(first, first + len(lines)), lines) for first, lines in chunks)
    yield from read_chunks(source, options, numbered)


def read_chunks(
    source: Source, options: ReadOptions, chunks: Iterable[tuple[Sequence[int], list[str]]]
) -> Iterator[Bitext]:
    """Yield the bitexts of objects, one a line, or their parts.

    `chunks` are lists of lines, each with the numbers of its lines.
    """
    objects = _Objects(source, options)
    blocks = objects.blocks(chunks)
    first = next(blocks, Block((), []))
    if first and objects.form == "identifiers":
        yield from document_bitexts(source, options, chain([first], blocks))
    else:
        if (options.src, options.tgt) != (None, None):
            source.note(OWN_TEXTS)
        lines = chain.from_iterable(block.lines() for block in chain([first], blocks))
        yield from read_texts(source, options, lines)


_RENAMED = {"translations": "translation"}
_SCORES = {float, type(None)}
_TEXTS = {str, type(None)}


class _Objects:
    """Reads the objects of a file, which all have the form of the first non-empty one.

    `form` is that form: `identifiers`, `texts` or `languages`; empty before it is known.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._columns, self._requested = source, options.columns, options.requested
        self._roles: dict[str, str] | None = None  # roles of keys with other names
        self._langs: dict[str, str] = {}  # the codes of keys of texts, where these are languages
        self._scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # quicker than loads
        self.form = ""

    def blocks(self, chunks: Iterable[tuple[Sequence[int], list[str]]]) -> Iterator[Block]:
        """Yield the valid objects in blocks; refuse the others."""
        for numbers, lines in chunks:
            for begin in range(0, len(lines), _BLOCK_SIZE):
                some = lines[begin : begin + _BLOCK_SIZE]
                places = numbers[begin : begin + _BLOCK_SIZE]
                plain = not self._roles and not self._langs and not self._columns.named
                block = self._at_once(some, places) if plain else None
                if block is not None:
                    self._roles = {}
                    yield block
                elif sound := list(self._one_by_one(some, places)):
                    yield Block.of_lines(sound)

    def _at_once(self, lines: list[str], numbers: Sequence[int]) -> Block | None:
        """Parse lines together, if all are valid objects of one form; else return `None`."""
        joined = "\n".join(lines)
        if "\\u" in joined and _SURROGATE.search(joined):
            return None
        scan = self._scan
        try:
            read = [scan(line, 0) for line in lines]
        except (StopIteration, ValueError, RecursionError):
            return None
        objects = [each for each, _ in read]
        if [end for _, end in read] != list(map(len, lines)) or set(map(type, objects)) != {dict}:
            return None
        block = Block(numbers, objects)
        form = _form_of_all(block)
        if not form or form != (self.form or form):
            return None
        keys = sum(map(len, objects))
        if form == "languages":
            keys += sum(len(each["translation"]) for each in objects)
        if _ends_of_keys(joined) > keys:  # a key twice, most likely
            return None
        self.form = form
        return block

    def _one_by_one(self, lines: list[str], numbers: Sequence[int]) -> Iterator[Line]:
        """Yield the valid objects of lines; refuse the others."""
        for number, line in zip(numbers, lines, strict=True):
            try:
                item, end = self._scan(line, 0)
            except (StopIteration, ValueError, RecursionError):
                item, end = None, -1
            plain = end == len(line) and type(item) is dict
            if not plain or ("\\u" in line and _SURROGATE.search(line)):
                item = _object(self._source, number, line) if line.strip() else None
            elif _ends_of_keys(line) > _count_of_keys(item) and _repeats_key(line):
                self._source.refuse("has a key twice in one object; want it once", number)
                continue
            item = None if item is None else self._named(number, item)
            if item is not None and self._has_form(number, item):
                yield number, item

    def _named(self, number: int, given: dict[str, Any]) -> dict[str, Any] | None:
        """Return an object with keys of this format; `None` for one that is left out."""
        item = flat_object(self._source, number, given)
        if item is None:
            return None
        ours = self._columns.named or {"src", "tgt", "translation"} & item.keys()
        if not ours and isinstance(item.get("translations"), dict | list):
            item = {_RENAMED.get(key, key): value for key, value in item.items()}
        if self._roles is None and item:
            self._roles, self._langs = self._other_keys(number, item)
        if self._langs and not {"src", "tgt", "translation"} & item.keys():
            texts = {code: item[key] for key, code in self._langs.items() if key in item}
            rest = {key: value for key, value in item.items() if key not in self._langs}
            return {"translation": texts} | rest
        if self._roles:
            item = {self._roles.get(key, _other(key, self._roles)): v for key, v in item.items()}
            if self._columns.named:
                self._take_first(number, item)
        return item

    def _take_first(self, number: int, item: dict[str, Any]) -> None:
        """Read the first text of a list that the user named as a side, beside a text."""
        sides = [item.get("src"), item.get("tgt")]
        if not any(isinstance(side, str) for side in sides):
            return
        for role, side in zip(("src", "tgt"), sides, strict=True):
            if isinstance(side, list) and all(isinstance(each, str) for each in side):
                if len(side) > 1:
                    kind = "lists of texts on one side, the first of which is read"
                    self._source.note(kind, len(side), line=number)
                item |= {role if k == 1 else f"{role}#{k}": t for k, t in enumerate(side, 1)}
                item[role] = side[0] if side else None

    def _other_keys(
        self, number: int, item: dict[str, Any]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Return the roles of keys, or the keys that are languages, from the first object."""
        ours = isinstance(item.get("translation", ""), dict | list | None)
        ours = ours or any(item.keys() >= keys for keys in ({"src", "tgt"}, _CORPORA))
        if ours and not self._columns.named:
            return {}, {}
        try:
            roles = key_roles([*item], self._columns)
        except UnclearColumnsError as error:
            way = remedy("columns src=en,tgt=de")
            raise self._source.error(f"{error}; name the keys ({way})", number) from None
        texts = {key: value or "" for key, value in item.items() if isinstance(value, str | None)}
        values = [*texts.values()]
        languages = {} if roles else key_languages([*texts], values, self._requested)
        if languages and _have_codes(item, languages):
            return {}, {}
        return roles, languages

    def _has_form(self, number: int, item: dict[str, Any]) -> bool:
        """Check the form and the score of an object; return False for one without segments."""
        form = _form(item)
        if form == "nothing":
            no_segment(self._source, number)
            return False
        self.form = self.form or form
        flaw = ""
        if not form:
            flaw = (
                'is in no form that can be read; want "src" and "tgt", both lists of identifiers '
                'or both texts, or "translation" with two languages'
            )
            flaw += _advice(item)
        elif form != self.form:
            flaw = f"has {form}, but the lines before have {self.form}; want one form in a file"
        elif object_score(item) is None:
            flaw = f"has the score {item['score']!r:.40}; want a number, as 0.48"
        if flaw:
            self._source.refuse(flaw, number)
            return False
        return form != "identifiers" or is_sound(self._source, (number, item))


_TURNS = ("messages", "conversations", "conversation")  # of data for training chat models
_CORPORA = {"corpus", "alignment_pairs", "source", "target"}  # in lists that OPUS answers with
_SPANS = ("spans", "entities", "label", "labels")


def _advice(item: dict[str, Any]) -> str:
    """Word what to do about an object whose keys name no two texts; may be empty."""
    for key in _TURNS:
        if isinstance(item.get(key), list):
            return f"; its {key!r} are a conversation, with the texts in prompts: write these alone"
    if item.keys() >= _CORPORA:
        return "; it is a list of corpora, as OPUS has them: get the files of one"
    names = keys_of_texts(item)
    spans = next((key for key in _SPANS if isinstance(item.get(key), list)), "")
    if names and spans not in ["", *names]:
        return f"; it has one text ({names[0]!r:.40}) with annotations of it ({spans!r})"
    if len(names) > 1 and isinstance(item[names[0]], str):
        way = remedy(f"columns src={_spelled(names[0], 'a')},tgt={_spelled(names[1], 'b')}")
        return f", or name the keys of the texts ({way}); it has {', '.join(map(repr, item))[:120]}"
    return f"; it has {', '.join(map(repr, item))[:120]}" if item else ""


def _spelled(key: str, otherwise: str) -> str:
    """Return a key as an option may have it; of others what stands for it."""
    return key if key.isidentifier() else otherwise


def _ends_of_keys(text: str) -> int:
    r"""Count the keys of JSON by their ends, without those that texts seem to have (`\":`)."""
    return text.count('":') - (text.count('\\":') if "\\" in text else 0)


def _count_of_keys(item: dict[str, Any]) -> int:
    count = len(item)
    for each in item.values():
        if type(each) is dict:
            count += len(each)
    return count


def _repeats_key(line: str) -> bool:
    """Check for a repeated key in the JSON objects of valid lines."""
    found: list[bool] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        unique = dict(pairs)
        found.append(len(unique) < len(pairs))
        return unique

    json.loads(line, object_pairs_hook=once)
    return any(found)


def _other(key: str, roles: dict[str, str]) -> str:
    """Return a key without a role, with `_` appended where it equals the name of a role."""
    return f"{key}_" if key in roles.values() else key


def _object(source: Source, number: int, line: str) -> dict[str, object] | None:
    """Parse the object of a line; refuse a line without one."""
    try:
        item = json.loads(line)
        if _SURROGATE.search(line):
            json.dumps(item, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        flaw = "has half a surrogate pair; want whole characters"
    except (ValueError, RecursionError) as error:
        flaw = json_flaw(error) + ", as jq -c writes them" * (line.strip() == "{")
    else:
        if isinstance(item, dict):
            return item
        flaw = f"is {item!r:.40}; want one object a line, as {{...}}"
    source.refuse(flaw, number)
    return None


def _form(item: dict[str, object]) -> str:
    """Return the form of an object, `nothing` for two empty sides, or empty for no known form."""
    if "src" in item and "tgt" in item:
        src, tgt = item["src"], item["tgt"]
        if isinstance(src, list | None) and isinstance(tgt, list | None):
            return "identifiers" if src or tgt else "nothing"
        if isinstance(src, str | None) and isinstance(tgt, str | None):
            return "texts"
    elif isinstance(given := item.get("translation"), dict) or is_variable(given):
        return "languages"
    return ""


def _form_of_all(block: Block) -> str:
    """Return the form of objects that are all valid, by the types of their values; else empty.

    The check is conservative: objects for which it fails may still be valid.
    """
    keys = block.keys
    if not set(map(type, block.values("score"))) <= _SCORES:
        return "identifiers" if are_plain(block) else ""
    if "src" not in keys and "tgt" not in keys and "translation" in keys:
        by_language = set(map(type, block.values("translation"))) == {dict}
        return "languages" if by_language else ""
    src, tgt = block.values("src"), block.values("tgt")
    kinds = {*map(type, src), *map(type, tgt)}
    if str in kinds and kinds <= _TEXTS:
        # Objects with two empty sides are refused one by one, and so are those without a side.
        empty = type(None) in kinds and (
            any(one is None and other is None for one, other in zip(src, tgt, strict=True))
            or not all({"src", "tgt"} <= each.keys() for each in block.objects)
        )
        return "" if empty else "texts"
    return "identifiers" if are_plain(block) else ""


# Writing: column by column, many lines at once.


def write_objects(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write an object for each bisegment; positions of segments continue over parts."""
    document: _WrittenDocument | None = None
    names = DocumentNames()
    for bitext in bitexts:
        name = names.of(bitext)
        if document is None or not bitext.continues:
            document = _WrittenDocument(name)
        document.write(bitext, out, options.languages)


class _WrittenDocument:
    def __init__(self, name: str) -> None:
        self.name = name
        self._begun = False
        self._before = [0, 0]  # numbers of segments in earlier parts
        self._sized = [False, False]  # whether to write the numbers of segments

    def write(self, bitext: Bitext, out: IO[str], langs: tuple[str, str]) -> None:
        a = bitext.alignment
        sides = [
            _WrittenSide(key, text, rows, before)
            for key, text, rows, before in zip(
                ("src", "tgt"), (bitext.src, bitext.tgt), (a.src, a.tgt), self._before, strict=True
            )
        ]
        heads = self._sizes(sides)
        if not self._begun:
            heads += [
                f', "{side.key}_lang": {encode_basestring(lang or side.lang)}'
                for side, lang in zip(sides, langs, strict=True)
                if lang or side.lang
            ]
        heads += [side.order(again=bitext.continues) for side in sides]
        for begin in range(0, len(a), PART):
            end = min(begin + PART, len(a))
            head = "" if begin else "".join(heads)
            out.writelines(_object_lines(bitext, sides, begin, end, self.name, head))
        self._begun = self._begun or len(a) > 0
        self._before = [side.end for side in sides]

    def _sizes(self, sides: list[_WrittenSide]) -> list[str]:
        """Return the JSON of the numbers of segments, for sides with segments in no bisegment."""
        pairs = zip(self._sized, sides, strict=True)
        self._sized = [sized or side.has_gaps for sized, side in pairs]
        return [
            f', "{side.key}_size": {side.end}'
            for side, sized in zip(sides, self._sized, strict=True)
            if sized and not side.has_ids
        ]


def _object_lines(
    bitext: Bitext, sides: list[_WrittenSide], begin: int, end: int, name: str, head: str
) -> Iterator[str]:
    """Yield the lines of bisegments; `head` is JSON that the first of them has in addition."""
    a = bitext.alignment
    # All objects of a bitext have the same keys, so one template and the columns of its cells
    # make all lines at once.
    template = ['{"src": [%s], "tgt": [%s]']
    cells: list[Sequence[str]] = [side.names(begin, end) for side in sides]
    with_text = [side for side in sides if side.held is not None]
    for side in with_text:
        template.append(f', "{side.key}_text": %s')
        cells.append(side.texts(begin, end))
    template.append(', "score": %s' if a.scores is not None else ', "score": null')
    if a.scores is not None:
        cells.append(_spelled_scores(a.scores[begin:end].tolist()))
    for side in with_text:
        if side.is_several:
            template.append("%s")
            cells.append(side.segments(begin, end))
    for side in with_text:
        if side.marked is not None:
            template.append("%s")
            cells.append(side.marks(begin, end))
    if name:
        template.append(f', "document": {encode_basestring(name)}'.replace("%", "%%"))
    if head:
        template.append("%s")
        cells.append([head, *[""] * (end - begin - 1)])
    for key, column in a.attributes.items():
        free = key
        while free in ID_KEYS or (free != key and free in a.attributes):
            free += "_"
        shown = f", {encode_basestring(free)}: "
        values = column[begin:end]
        if None in values:
            template.append("%s")
            cells.append(["" if v is None else shown + encode_basestring(v) for v in values])
        else:
            template.append(f"{shown.replace('%', '%%')}%s")
            cells.append([encode_basestring(v) for v in values if v is not None])
    line = "".join([*template, "}\n"])
    return map(line.__mod__, zip(*cells, strict=True))


def _spelled_scores(scores: list[float]) -> list[str]:
    if all(-inf < score < inf for score in scores):
        return list(map(repr, scores))
    spelled = [(score, spell_score(score)) for score in scores]
    return [text if isfinite(x) else f'"{text}"' if text else "null" for x, text in spelled]


class _WrittenSide:
    """One side of a bitext, spelled as JSON.

    `key` is `src` or `tgt`, and `end` the position after the last segment. `held` are the
    characters of the segments; `None` where they are not known. `has_ids` is true if segments have
    identifiers, `has_gaps` if some of them are in no bisegment, and `is_several` if any bisegment
    has several.
    """

    def __init__(self, key: str, text: Text | None, rows: Rows, before: int) -> None:
        self.key, self._text, self._rows, self._before = key, text, rows, before
        self.lang = "" if text is None else text.lang
        self.held = list(text.segments()) if text is not None and text.has_text else None
        self.marked = None if text is None else text.marked
        self.has_ids = text is not None and text.has_ids
        self._ids = (
            list(map(encode_basestring, text.ids)) if text is not None and text.has_ids else None
        )
        self._covered = distinct(rows.idx)
        reach = int(self._covered[-1]) + 1 if self._covered.size else 0
        size = reach if text is None else len(text)
        self.end = before + size
        self.has_gaps = self._covered.size < size
        self.is_several = bool((rows.lengths > 1).any())

    def _part(self, begin: int, end: int) -> tuple[list[int], list[int], bool]:
        """Return the segments of bisegments, their borders, and whether each has exactly one."""
        borders = self._rows.ptr[begin : end + 1]
        members = self._rows.idx[borders[0] : borders[-1]].tolist()
        single = bool((np.diff(borders) == 1).all())
        return members, (borders - borders[0]).tolist(), single

    def names(self, begin: int, end: int) -> list[str]:
        """Return the identifiers of the segments of each bisegment."""
        members, borders, single = self._part(begin, end)
        if self._ids is None:
            names = [f'"{m + self._before}"' for m in members]
        else:
            names = list(map(self._ids.__getitem__, members))
        return names if single else [", ".join(names[b:e]) for b, e in pairwise(borders)]

    def texts(self, begin: int, end: int) -> list[str]:
        """Return the text of each bisegment, its segments joined by a blank."""
        members, borders, single = self._part(begin, end)
        segments = list(map((self.held or []).__getitem__, members))
        if not single:
            segments = [" ".join(segments[b:e]) for b, e in pairwise(borders)]
        return list(map(encode_basestring, segments))

    def segments(self, begin: int, end: int) -> list[str]:
        """Return the segments of each bisegment that has several."""
        members, borders, _ = self._part(begin, end)
        shown = list(map(encode_basestring, map((self.held or []).__getitem__, members)))
        return [
            f', "{self.key}_segments": [{", ".join(shown[b:e])}]' if e - b > 1 else ""
            for b, e in pairwise(borders)
        ]

    def marks(self, begin: int, end: int) -> list[str]:
        """Return the segments with their inline codes, of each bisegment that has any codes."""
        members, borders, _ = self._part(begin, end)
        given = [(self.marked or [])[m] for m in members]
        shown = ["null" if marked is None else encode_basestring(marked) for marked in given]
        return [
            f', "{self.key}_marked": [{", ".join(shown[b:e])}]' if any(given[b:e]) else ""
            for b, e in pairwise(borders)
        ]

    def order(self, *, again: bool) -> str:
        """Return the JSON of the order of the identifiers; empty if a reader can infer it."""
        if self._text is None or not self.has_ids or not self._covered.size:
            return ""
        if not again and self._is_inferable():
            return ""
        ids = self._ids or []
        return f', "{self.key}_order": [{", ".join(ids[k] for k in self._covered.tolist())}]'

    def _is_inferable(self) -> bool:
        """Check whether the identifiers give the order, by their numbers or their sequence."""
        given = self._text.ids if self._text else []
        names = [given[k] for k in self._covered.tolist()]
        if (numbers := positions(names)) is not None:
            ranks = np.array(numbers)
        elif (natural := natural_ranks(names)) is not None:
            ranks = natural
        else:
            _, ranks = np.unique(self._rows.idx, return_index=True)
        return bool((np.diff(ranks) > 0).all())


def write_multitext_objects(multitexts: Multitexts, out: IO[str]) -> None:
    """Write an object for each row of multi-parallel texts, by languages."""
    from bitext.formats.multitexts import parts_of

    for part in parts_of(multitexts):
        for k, row in enumerate(zip(*part.cells.values(), strict=True)):
            item: dict[str, Any] = {"translation": dict(zip(part.cells, row, strict=True))}
            if part.scores is not None:
                item["score"] = part.scores[k] if isfinite(part.scores[k]) else None
            if part.document is not None:
                item["document"] = part.document
            out.writelines([json.dumps(item, ensure_ascii=False) + "\n"])


FORMAT = Format(
    name="jsonl",
    title="one JSON object a bisegment",
    suffixes=(".jsonl",),
    sniff=_sniff,
    read=_read,
    write=write_objects,
    write_multitexts=write_multitext_objects,
    keeps=Capabilities.of(
        "texts borders empty_sides empty_segments crossings gaps overlaps ids scores attributes "
        "times documents languages other_languages markup words breaks controls",
        empty_documents=False,
        names=frozenset({"name"}),
    ),
    streams=True,
    tabular=True,
    may_lack_texts=True,
)
