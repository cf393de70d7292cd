"""Sentences in columns: one word a line, an empty line between sentences.

| kind | columns | gives |
| --- | --- | --- |
| conll2000 | word, part of speech, chunk | all, and a trace: see below |
| chunklink | those that its line `#columns:` names | all; the id `file/sentence` |
| conllu | ten, with tabs between | forms and XPOS, or UPOS where there is none; id and text |

CoNLL-2000 has no constituents but chunks: the trace of a word is B-S or I-S, and then its chunk
where it is in one. A chunk that begins with I-, as in the older way of writing, begins with B-.

Of the chunklink script's spelling, COMMA becomes a comma, in words and tags, and the
tags ( and ) are -LRB- and -RRB- again. Columns that it wrote with `-B End` are refused, for
they do not tell where things begin.

CoNLL-U: the words are the lines with a plain number. Lines of multiword tokens (`1-2`) give but the
text, where there is no `# text`; empty nodes (`1.1`) give nothing. `# newdoc id` is the source.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from bitext.errors import FormatError, OptionError
from bitext.model.sentence import Sentence, Token
from bitext.syntax.penn import unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["Columns", "chunk_trace", "read_columns", "sniff_columns"]

Columns = Literal["conll2000", "chunklink", "conllu"]
Block = list[tuple[int, str]]  # lines with their numbers

_LOOKED_AT = 200  # lines, to tell the kind

_BLANKS = re.compile(r"[ \t]+")
_CHUNK = re.compile(r"O|[BI]-\S+")
_WORD_ID = re.compile(r"[1-9][0-9]*")
_OTHER_ID = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)|[0-9]+\.[1-9][0-9]*")
_META = re.compile(r"#\s*(sent_id|text|newdoc id)\s*=\s*(.*)")
_TAGS = {"(": "-LRB-", ")": "-RRB-"}


def read_columns(
    lines: Iterable[str], *, path: str, kind: Columns | None = None
) -> Iterator[Sentence]:
    """Read sentences in columns, one at a time.

    Parameters
    ----------
    lines : iterable of str
        The lines of a file, with or without their ends.
    path : str
        The name of the file, for messages.
    kind : str, optional
        `conll2000`, `chunklink` or `conllu`; by default what the first lines look like.

    Yields
    ------
    Sentence

    Raises
    ------
    FormatError
        With the line: when the kind cannot be told, or a line is not of it.
    OptionError
        When `kind` is another word.

    Examples
    --------
    >>> lines = ["It PRP B-NP", "rained VBD B-VP", ". . O"]
    >>> for word in next(read_columns(lines, path="a.txt")):
    ...     print(word.form, word.pos, word.iob, word.trace)
    It PRP B-NP ('B-S', 'B-NP')
    rained VBD B-VP ('I-S', 'B-VP')
    . . O ('I-S',)

    """
    lines = iter(lines)
    if kind is None:
        head = list(islice(lines, _LOOKED_AT))
        kind = sniff_columns(head)
        if kind is None:
            raise FormatError(
                f"holds no columns that are known: want {', '.join(_READERS)}",
                path=path,
                line=next((k for k, line in enumerate(head, 1) if line.strip()), None),
            )
        lines = chain(head, lines)
    elif kind not in _READERS:
        raise OptionError(f"columns {kind!r} are not known: want one of {', '.join(_READERS)}")
    return _READERS[kind](_blocks(lines), path)


def sniff_columns(head: Sequence[str]) -> Columns | None:
    """Tell the kind of columns by the first lines of a file; None where they are none.

    Examples
    --------
    >>> sniff_columns(["", "It PRP B-NP"]), sniff_columns(["It rained ."])
    ('conll2000', None)

    """
    for line in head:
        text = line.strip("\r\n")
        if text.startswith(("#arguments:", "#columns:")):
            return "chunklink"
        fields = text.split("\t")
        if len(fields) == 10 and (_WORD_ID.fullmatch(fields[0]) or _OTHER_ID.fullmatch(fields[0])):
            return "conllu"
        fields = _fields(text)
        if len(fields) == 3 and _CHUNK.fullmatch(fields[2]):
            return "conll2000"
        if text.strip() and not text.startswith("#"):
            return None
    return None


def chunk_trace(place: int, iob: str) -> tuple[str, ...]:
    """Return the trace of a word of which but the chunk is known.

    Examples
    --------
    >>> chunk_trace(0, "B-NP"), chunk_trace(5, "O")
    (('B-S', 'B-NP'), ('I-S',))

    """
    return ("I-S" if place else "B-S",) if iob == "O" else ("I-S" if place else "B-S", iob)


def _blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield what stands between empty lines."""
    block: Block = []
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        if text.strip(" \t"):
            block.append((number, text))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _fields(line: str) -> list[str]:
    """Split at blanks and tabs, and at nothing else: a no-break space is part of a word."""
    return _BLANKS.split(line.strip(" \t"))


def _read_conll2000(blocks: Iterable[Block], path: str) -> Iterator[Sentence]:
    for block in blocks:
        words: list[Token] = []
        last = "O"
        for number, line in block:
            fields = _fields(line)
            if len(fields) != 3:
                raise FormatError(
                    f"has {len(fields)} columns: want word, part of speech and chunk",
                    path=path,
                    line=number,
                )
            form, pos, iob = fields
            last = _chunk(iob, last, path, number)
            words.append(Token(form, pos, last, chunk_trace(len(words), last)))
        yield Sentence(words)


def _chunk(iob: str, last: str, path: str, number: int) -> str:
    """Check the chunk of a word; one that begins with I- after another begins with B-."""
    if not _CHUNK.fullmatch(iob):
        raise FormatError(
            f"has the chunk {iob!r:.40}: want O, B-XP or I-XP", path=path, line=number
        )
    return f"B{iob[1:]}" if iob[0] == "I" and last[1:] != iob[1:] else iob


def _read_chunklink(blocks: Iterable[Block], path: str) -> Iterator[Sentence]:
    place: dict[str, int] = {}
    for block in blocks:
        name: str | None = None
        words: list[Token] = []
        last = "O"
        for number, line in block:
            if line.startswith("#"):
                name = line.removeprefix("# Sentence ") if line.startswith("# Sent") else name
                place = _places(line, path, number) or place
                continue
            fields = _fields(line)
            if not place or len(fields) <= max(place.values()):
                raise FormatError(
                    f"has {len(fields)} columns: want those of the line #columns: before",
                    path=path,
                    line=number,
                )
            if name is None and {"file_id", "sent_id"} <= place.keys():
                name = f"{fields[place['file_id']]}/{fields[place['sent_id']]}"
            last = _chunk(_begins(fields[place["iob_inner"]]), last, path, number)
            pos = fields[place["pos"]].replace("COMMA", ",")
            trace = chunk_trace(len(words), last)
            if "iob_chain" in place:
                trace = _chain(fields[place["iob_chain"]], path, number)
            form = unescape(fields[place["word"]].replace("COMMA", ","))
            words.append(Token(form, _TAGS.get(pos, pos), last, trace))
        if words:
            yield Sentence(words, id=name)


def _places(line: str, path: str, number: int) -> dict[str, int]:
    """Read a line that tells the columns; return nothing for another."""
    kind = re.search(r"IOB tag: *(\w+)", line)
    if kind and kind[1] == "End":
        raise FormatError(
            "has chunks of the kind End, which do not tell where they begin: make the columns "
            "with -B Begin",
            path=path,
            line=number,
        )
    if not line.startswith("#columns:"):
        return {}
    names = _fields(line.removeprefix("#columns:"))
    place = {name: k for k, name in enumerate(names) if not name.startswith("trace-")}
    lacking = [name for name in ("word", "pos", "iob_inner") if name not in place]
    if lacking:
        raise FormatError(
            f"names no column {' and no '.join(lacking)}: make the columns with it",
            path=path,
            line=number,
        )
    return place


def _chain(spelled: str, path: str, number: int) -> tuple[str, ...]:
    trace = tuple(map(_begins, spelled.split("/")))
    if not all(element != "O" and _CHUNK.fullmatch(element) for element in trace):
        raise FormatError(
            f"has the chain {spelled!r:.40}: want elements as B-S/I-NP", path=path, line=number
        )
    return trace


def _begins(element: str) -> str:
    """Write a tag of the kind BeginEndCombined as one of the kind Begin."""
    return {"C": "B", "E": "I"}.get(element[:1], element[:1]) + element[1:]


def _read_conllu(blocks: Iterable[Block], path: str) -> Iterator[Sentence]:
    source: str | None = None
    for block in blocks:
        told: dict[str, str] = {}
        words: list[Token] = []
        text: list[str] = []
        within = 0  # the last word of a multiword token, which is written as one
        for number, line in block:
            if line.startswith("#"):
                found = _META.fullmatch(line)
                if found:
                    told[found[1]] = found[2].strip()
                continue
            fields = line.split("\t")
            if len(fields) != 10 or not fields[1]:
                raise FormatError(
                    f"has {len(fields)} columns{' and no word' * (len(fields) == 10)}: want ten "
                    f"with tabs between, the second a word",
                    path=path,
                    line=number,
                )
            name, form = fields[:2]
            other = _OTHER_ID.fullmatch(name)
            if other is None:
                if name != str(len(words) + 1):
                    raise FormatError(
                        f"has the word number {name!r:.40}: want {len(words) + 1}",
                        path=path,
                        line=number,
                    )
                pos = fields[3] if fields[4] == "_" else fields[4]
                words.append(Token(form, "" if pos == "_" else pos))
            elif other[1]:
                if not int(other[1]) == len(words) + 1 <= int(other[2]):
                    raise FormatError(
                        f"has the multiword token {name}: want it before its words, the next of "
                        f"which is {len(words) + 1}",
                        path=path,
                        line=number,
                    )
                within = int(other[2])
            if other[1] if other else len(words) > within:
                spaced = "SpaceAfter=No" not in fields[9].split("|")
                text.append(form + " " * spaced)
        source = told.get("newdoc id", source)
        if words:
            written = told.get("text", "".join(text).rstrip(" "))
            yield Sentence(words, id=told.get("sent_id"), text=written, source=source)


_READERS: dict[Columns, Callable[[Iterable[Block], str], Iterator[Sentence]]] = {
    "conll2000": _read_conll2000,
    "chunklink": _read_chunklink,
    "conllu": _read_conllu,
}
