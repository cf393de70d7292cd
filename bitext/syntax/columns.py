"""Sentences in columns: one word a line, an empty line between sentences.

| kind | columns | gives |
| --- | --- | --- |
| conll2000 | word, part of speech, chunk | all, and a trace: see below |
| conll2003 | word, part of speech, chunk, name | the same; names are left aside |
| chunklink | those that its line `#columns:` names | all; the id `file/sentence` |
| conllu | ten, with tabs between | forms and XPOS, or UPOS where there is none; id and text |
| tagged | word, part of speech | these |

CoNLL-2000 has no constituents but chunks: the trace of a word is B-S or I-S, and then its chunk
where it is in one. A chunk that begins with I-, as in the older way of writing, begins with B-.

Where a line has as many fields with tabs between as its kind has columns, tabs alone part them,
and a word may have blanks; else blanks do, too. A byte order mark at the beginning is passed over.

Of the chunklink script's spelling, COMMA becomes a comma, in words and tags, where no capital
letter is next to it (so COMMAND stays; a comma between capitals cannot be told), and the
tags ( and ) are -LRB- and -RRB- again. Columns that it wrote with `-B End` are refused, for
they do not tell where things begin.

CoNLL-2003: lines of -DOCSTART- are no words, and there, in conllu and in tagged,
the tags ( and ) are -LRB- and -RRB-, too.

CoNLL-U: the words are the lines with a plain number. Lines of multiword tokens (`1-2`) give but the
text, where there is no `# text`; empty nodes (`1.1`) give nothing. A `# text` has to be that of
the words. `# newdoc id` is the source.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from bitext.errors import FormatError, OptionError
from bitext.model.sentence import Sentence, Token
from bitext.syntax.column_kinds import BREAK, CHUNK, META, fields_of, sniff_columns
from bitext.syntax.penn import unescape
from bitext.syntax.spelling import spelled_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitext.syntax.column_kinds import Columns

__all__ = ["chunk_trace", "placed_columns", "read_columns"]

Block = list[tuple[int, str]]  # lines with their numbers
Placed = tuple[int, Sentence]

_LOOKED_AT = 200  # lines, to tell the kind

_OTHER_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})|[0-9]{1,9}\.[1-9][0-9]{0,8}")
_COMMAS = re.compile("(?<![A-ZÀ-ÖØ-Þ])(?:COMMA)+(?![A-ZÀ-ÖØ-Þ])")
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
        One of the kinds above; by default what the first lines look like.

    Yields
    ------
    Sentence

    Raises
    ------
    FormatError
        With the line: when the kind cannot be told, a line is not of it, or the text of a sentence
        is not that of its words.
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
    return (sentence for _, sentence in placed_columns(lines, path=path, kind=kind))


def placed_columns(
    lines: Iterable[str], *, path: str, kind: Columns | None = None
) -> Iterator[Placed]:
    """Read sentences in columns, and the line at which each begins, counted from 1.

    Parameters and errors are those of `read_columns`.

    Examples
    --------
    >>> lines = ["Yes UH", "", "It PRP", "rained VBD"]
    >>> [(line, sentence.text) for line, sentence in placed_columns(lines, path="a.txt")]
    [(1, 'Yes'), (3, 'It rained')]

    """
    lines = _unmarked(lines)
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


def chunk_trace(place: int, iob: str) -> tuple[str, ...]:
    """Return the trace of a word of which but the chunk is known.

    Examples
    --------
    >>> chunk_trace(0, "B-NP"), chunk_trace(5, "O")
    (('B-S', 'B-NP'), ('I-S',))

    """
    return ("I-S" if place else "B-S",) if iob == "O" else ("I-S" if place else "B-S", iob)


def _unmarked(lines: Iterable[str]) -> Iterator[str]:
    """Take the byte order mark from the first line."""
    for number, line in enumerate(lines):
        yield line if number else line.removeprefix("\ufeff")


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


def _read_conll2000(blocks: Iterable[Block], path: str) -> Iterator[Placed]:
    for block in blocks:
        words: list[Token] = []
        last = "O"
        for number, fields in _rows(block, path, "word, part of speech and chunk", 3):
            form, pos, iob = fields
            last = _chunk(iob, last, path, number)
            words.append(Token(form, pos, last, chunk_trace(len(words), last)))
        yield block[0][0], Sentence(words)


def _read_conll2003(blocks: Iterable[Block], path: str) -> Iterator[Placed]:
    for block in blocks:
        words: list[Token] = []
        last = "O"
        for number, fields in _rows(block, path, "word, part of speech, chunk and name", 4):
            form, pos, iob, _ = fields
            if form == BREAK:
                continue
            last = _chunk(iob, last, path, number)
            words.append(Token(form, _TAGS.get(pos, pos), last, chunk_trace(len(words), last)))
        if words:
            yield block[0][0], Sentence(words)


def _read_tagged(blocks: Iterable[Block], path: str) -> Iterator[Placed]:
    for block in blocks:
        rows = _rows(block, path, "word and part of speech", 2)
        yield block[0][0], Sentence([Token(form, _TAGS.get(pos, pos)) for _, (form, pos) in rows])


def _rows(block: Block, path: str, wanted: str, width: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in block:
        fields = fields_of(line, width)
        if len(fields) != width:
            raise FormatError(
                f"has {len(fields)} column{'s' * (len(fields) > 1)}: want {wanted}",
                path=path,
                line=number,
            )
        yield number, fields


def _chunk(iob: str, last: str, path: str, number: int) -> str:
    """Check the chunk of a word; one that begins with I- after another begins with B-."""
    if not CHUNK.fullmatch(iob):
        raise FormatError(
            f"has the chunk {iob!r:.40}: want O, B-XP or I-XP", path=path, line=number
        )
    return f"B{iob[1:]}" if iob[0] == "I" and last[1:] != iob[1:] else iob


def _read_chunklink(blocks: Iterable[Block], path: str) -> Iterator[Placed]:
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
            fields = fields_of(line)
            if not place or len(fields) <= max(place.values()):
                raise FormatError(
                    f"has {len(fields)} columns: want those of the line #columns: before",
                    path=path,
                    line=number,
                )
            if name is None and {"file_id", "sent_id"} <= place.keys():
                name = f"{fields[place['file_id']]}/{fields[place['sent_id']]}"
            last = _chunk(_begins(fields[place["iob_inner"]]), last, path, number)
            pos = _with_commas(fields[place["pos"]])
            trace = chunk_trace(len(words), last)
            if "iob_chain" in place:
                trace = _chain(fields[place["iob_chain"]], path, number)
            form = unescape(_with_commas(fields[place["word"]]))
            words.append(Token(form, _TAGS.get(pos, pos), last, trace))
        if words:
            yield block[0][0], Sentence(words, id=name)


def _with_commas(field: str) -> str:
    return _COMMAS.sub(lambda found: "," * (len(found[0]) // len("COMMA")), field)


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
    names = fields_of(line.removeprefix("#columns:"))
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
    if not all(element != "O" and CHUNK.fullmatch(element) for element in trace):
        raise FormatError(
            f"has the chain {spelled!r:.40}: want elements as B-S/I-NP", path=path, line=number
        )
    return trace


def _begins(element: str) -> str:
    """Write a tag of the kind BeginEndCombined as one of the kind Begin."""
    return {"C": "B", "E": "I"}.get(element[:1], element[:1]) + element[1:]


def _read_conllu(blocks: Iterable[Block], path: str) -> Iterator[Placed]:
    source: str | None = None
    for block in blocks:
        told: dict[str, str] = {}
        place = block[0][0]  # where the text is told
        words: list[Token] = []
        text: list[str] = []
        within = 0  # the last word of a multiword token, which is written as one
        for number, line in block:
            if line.startswith("#"):
                found = META.fullmatch(line)
                if found:
                    told[found[1]] = found[2].strip()
                    place = number if found[1] == "text" else place
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
                words.append(Token(form, "" if pos == "_" else _TAGS.get(pos, pos)))
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
            written = _written(told.get("text"), text, path, place)
            sentence = Sentence(words, id=told.get("sent_id"), text=written, source=source)
            yield block[0][0], sentence


def _written(told: str | None, spaced: list[str], path: str, number: int) -> str:
    """Return the text that is told, if it is that of the words, or else the words."""
    if told is None:
        return "".join(spaced).rstrip(" ")
    forms = [unescape(form.removesuffix(" ")) for form in spaced]
    words, rest = spelled_in(forms, told, case=False)
    if len(words) < len(forms) or rest:
        k = len(words)
        word = f"has word {k + 1}, {forms[k]!r:.40}" if k < len(forms) else f"ends with word {k}"
        goes_on = f"goes on with {rest!r:.40}" if rest else "has ended"
        raise FormatError(
            f"the text {goes_on}, where the sentence {word}: want the text of these words, or none",
            path=path,
            line=number,
        )
    return told


_READERS: dict[Columns, Callable[[Iterable[Block], str], Iterator[Placed]]] = {
    "conll2000": _read_conll2000,
    "conll2003": _read_conll2003,
    "chunklink": _read_chunklink,
    "conllu": _read_conllu,
    "tagged": _read_tagged,
}
