"""Sentences in columns: one word a line, an empty line between sentences.

| kind | columns | gives |
| --- | --- | --- |
| conll2000 | word, part of speech, chunk | all, and a trace: see below |
| conll2003 | word, part of speech, chunk, name | the same; names are left aside |
| chunklink | those that its line `#columns:` names | all; the id `file/sentence` |
| conllu | ten, with tabs between | forms and XPOS, or UPOS if there is none; id and text |
| tagged | word, part of speech | these |

CoNLL-2000 has chunks but no constituents: the trace of a word is B-S or I-S, followed by its chunk
if it is in one. A chunk that begins with I-, as in the older encoding, is read as one with B-.

If tabs split a line into as many fields as its kind has columns, tabs alone are separators, and
words may contain blanks; otherwise blanks are separators too. A byte order mark at the start is
skipped.

Of the spelling of the chunklink script, COMMA becomes a comma, in words and tags, unless a capital
letter is next to it (so COMMAND stays; a comma between capitals cannot be recognised), and the tags
( and ) become -LRB- and -RRB-. Columns written with `-B End` are refused, since they do not mark
the beginnings of chunks.

Lines that begin with -DOCSTART- are not words. In CoNLL-2003, conllu and tagged, the tags ( and )
become -LRB- and -RRB- too.

CoNLL-U: words are the lines with an integer as id. Lines of multiword tokens (`1-2`) contribute
only to the text, if there is no `# text`; empty nodes (`1.1`) are ignored. A `# text` must agree
with the words. `# newdoc id` is the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Literal, NamedTuple

from bitext.errors import FormatError, check_list, check_one_of, items_of_file, many, of_file
from bitext.model.sentence import Sentence, Token
from bitext.syntax.penn import unescape

# Comparison of words with a text, whatever their spellings of marks and brackets.
#
# Words and text are compared without white space. Changes that tools make on the way do not count:
# brackets as -LRB-, quotes as `` and '', \/ for /, and straight or curly marks, dashes and
# ellipses in one character or in several.

_SPELLINGS = str.maketrans(
    {
        '"': "''",
        "“": "''",
        "”": "''",
        "„": "''",
        "`": "'",
        "‘": "'",
        "’": "'",
        "—": "--",
        "…": "...",
    }
)


class Spelled(NamedTuple):
    """Words as a text spells them."""

    words: list[str]  # the words before the first one that is missing from the text
    # The rest of the text, stripped; empty if text and words end together, or the text ends first.
    rest: str


def spelled_in(words: Sequence[str], text: str, *, case: bool = True) -> Spelled:
    """Match words with a text that should consist of them.

    Words have brackets as characters; `case` is whether case matters. The result has all words, and
    no rest, where they are those of the text. A word stays as it was given where the text has white
    space within it, or shares a character with its neighbour (`a - - b`, where the text has `a—b`).

    Examples
    --------
    >>> spelled_in(["``", "No", "''"], "“No”")
    Spelled(words=['“', 'No', '”'], rest='')
    >>> spelled_in(["It", "burns"], "It burned.")
    Spelled(words=['It'], rest='burned.')
    >>> spelled_in(["It", "burns"], "It")
    Spelled(words=['It'], rest='')

    """
    text = _unquoted(unescape(text))
    spelled = [folded(char, case=case) for char in text]
    line = "".join(spelled)
    owner = [k for k, chars in enumerate(spelled) for _ in chars]
    spelled_words: list[str] = []
    at = 0
    for word_given in words:
        plain = folded(word_given, case=case)
        end = at + len(plain)
        if not plain or not line.startswith(plain, at):
            break
        word = text[owner[at] : owner[end - 1] + 1]
        # A character shared by two words, or a word split by the text, keeps the given spelling.
        cut = (at and owner[at - 1] == owner[at]) or (
            end < len(owner) and owner[end] == owner[end - 1]
        )
        spelled_words.append(word_given if cut or len(word.split()) > 1 else word)
        at = end
    return Spelled(spelled_words, text[owner[at] :].strip() if at < len(owner) else "")


def folded(word: str, *, case: bool = True) -> str:
    r"""Return the spelling of a word in which words and text are compared.

    Examples
    --------
    >>> folded("“"), folded("1\\/2"), folded("a b"), folded("It", case=False)
    ("''", '1/2', 'ab', 'it')

    """
    plain = "".join(_unquoted(word).translate(_SPELLINGS).split())
    return plain if case else plain.casefold()


def _unquoted(text: str) -> str:
    return text.replace("\\/", "/").replace("\\*", "*") if "\\" in text else text


# Detection of the kind of columns by the first lines of a file.

Columns = Literal["conll2000", "conll2003", "chunklink", "conllu", "tagged"]

BREAK = "-DOCSTART-"  # the word of a line between two documents
CHUNK = re.compile(r"O|[BI]-\S+")
META = re.compile(r"#\s*(sent_id|text|newdoc id)\s*=\s*(.*)")

_BLANKS = re.compile(r"[ \t]+")
_NUMBERED = re.compile(r"[1-9][0-9]*|[1-9][0-9]*-[1-9][0-9]*|[0-9]+\.[1-9][0-9]*")
_NAME = re.compile(r"O|[BIESLU]-[^\s()]+")
_TAG = re.compile(r"[A-Z][A-Z0-9$:|_+-]*|-[LR][RSC]B-|[^\w\s]{1,2}")
_KNOWN_TAGS = {
    "Penn": """
        CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH
        VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB HYPH NFP ADD AFX GW XX
    """,
    "universal": """
        ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X
    """,
}
_PENN, _UNIVERSAL = (frozenset(tags.split()) for tags in _KNOWN_TAGS.values())
_WORDS = _PENN | _UNIVERSAL
_PUNCTUATION_TAGS = frozenset(
    {"-LRB-", "-RRB-", "``", "''", ".", ",", ":", "$", "#", "(", ")", '"'}
)
# Share of the words that are tags, from which columns count as exchanged; set by hand
_LEAST_TAG_SHARE = 0.9
_FEWEST_COLUMNS = 4  # columns, from which lines are not taken for sentences; set by hand


def sniff_columns(head: Sequence[str]) -> Columns | None:
    """Detect the kind of columns from the first lines of a file; return None for other files.

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
        if kind or (text.strip() and not text.startswith(("#", BREAK))):
            return kind
    return None


def _kind(fields: Sequence[str]) -> Columns | None:
    """Detect the kind of columns from the fields of a line."""
    if len(fields) == 3 and CHUNK.fullmatch(fields[2]):
        return "conll2000"
    if len(fields) == 4 and (
        fields[0] == BREAK or (CHUNK.fullmatch(fields[2]) and _NAME.fullmatch(fields[3]))
    ):
        return "conll2003"
    return "tagged" if len(fields) == 2 and _TAG.fullmatch(fields[1]) else None


def plain_columns(head: Sequence[str]) -> Columns | None:
    """Detect the kind of columns in lines that could also be text, but are unlikely to be.

    Examples
    --------
    >>> plain_columns(["vitamin and O"]), plain_columns(["Vitamin NN O"])
    (None, 'conll2000')
    >>> plain_columns(["Well ,", "Yes ."]), plain_columns(["Well UH", ", ,"])
    (None, 'tagged')

    """
    kind = sniff_columns(head)
    rows = _head_rows(head, {"tagged": 2, "conll2000": 3, "conll2003": 4}.get(kind or "", 0))
    if kind == "tagged":
        tagged = [_fits(*row) for row in rows if len(row) == 2]
        words = sum(len(row) == 2 and row[1] in _WORDS for row in rows)
        return kind if len(tagged) == len(rows) > 1 and all(tagged) and words else None
    if kind in {"conll2000", "conll2003"}:
        width = 3 if kind == "conll2000" else 4
        first = next((row for row in rows if len(row) == width), None)
        if first and first[2] == "O" and not _fits(first[0], first[1]):
            chunks = [len(row) == width and CHUNK.fullmatch(row[2]) for row in rows]
            return kind if len(rows) > 1 and all(chunks) else None
    return kind


def strange(head: Sequence[str]) -> int | None:
    """Return the number of columns of lines in columns of an unknown kind.

    Examples
    --------
    >>> strange(["EU B-ORG", "rejects O"]), strange(["It rained .", "We left ."])
    (2, None)

    """
    lines = _head_lines(head)
    width = _width([line.split("\t") for line in lines])
    rows = _head_rows(lines)
    if width >= _FEWEST_COLUMNS or (
        width == _FEWEST_COLUMNS - 1 and all(_fits(row[0], row[1]) for row in rows)
    ):
        return width
    width = _width(rows)
    names = [row[-1] for row in rows]
    named = all(map(_NAME.fullmatch, names)) and any(name != "O" for name in names)
    return width if named and (width == 2 or width >= _FEWEST_COLUMNS) else None


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return the common number of fields of several rows; 0 if they differ."""
    widths = {len(row) for row in rows}
    return widths.pop() if len(widths) == 1 and len(rows) > 1 else 0


def fields_of(line: str, width: int = 0) -> list[str]:
    r"""Split at tabs if that gives the given number of fields, otherwise at blanks and tabs.

    Nothing else separates fields: a no-break space is part of a word.

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


def _head_lines(head: Sequence[str]) -> list[str]:
    return [line for line in head if line.strip(" \t\r\n") and not line.startswith(BREAK)]


def _head_rows(head: Sequence[str], width: int = 0) -> list[list[str]]:
    return [fields_of(line, width) for line in _head_lines(head)]


def _fits(word: str, tag: str) -> bool:
    """Check for a known tag that is one of punctuation if the word is punctuation."""
    return tag in _WORDS or (tag in _PUNCTUATION_TAGS and not word.isalnum())


def are_exchanged(words: Sequence[str], tags: Sequence[str]) -> bool:
    """Check whether the columns of words and of tags seem to be exchanged.

    Examples
    --------
    >>> are_exchanged(["DT", "NN", "."], ["The", "house", "."])
    True
    >>> are_exchanged(["IN", "THE", "NEWS"], ["IN", "DT", "NN"])
    False

    """
    both = [pair for pair in zip(words, tags, strict=True) if pair[0] != pair[1]]
    known = sum(word in _WORDS for word, _ in both)
    return known > _LEAST_TAG_SHARE * len(both) and not any(tag in _WORDS for _, tag in both)


def are_universal(tags: Sequence[str]) -> bool:
    """Check whether tags are universal tags instead of those of the Penn treebank.

    Examples
    --------
    >>> sets = (["DET", "NOUN"], ["DT", "NN"], ["SYM"], [])
    >>> tuple(are_universal(tags) for tags in sets)
    (True, False, False, False)

    """
    return set(tags) <= _UNIVERSAL and not set(tags) <= _PENN


Block = list[tuple[int, str]]  # lines with their numbers
Placed = tuple[int, Sentence]

_SNIFFED_LINES = 200  # lines examined to detect the kind; set by hand

# In CoNLL-U, of multiword tokens (with two groups) and of empty nodes.
OTHER_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})|[0-9]{1,9}\.[1-9][0-9]{0,8}")
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
        One of the kinds above; by default detected from the first lines.

    Yields
    ------
    Sentence

    Raises
    ------
    FormatError
        When the kind cannot be detected, a line does not have the columns of its kind, or the text
        of a sentence differs from its words; with the line.
    OptionError
        When `kind` is unknown.

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
    """Yield sentences in columns with the line at which each begins, counted from 1.

    Parameters and errors are those of `read_columns`.

    Examples
    --------
    >>> lines = ["Yes UH", "", "It PRP", "rained VBD"]
    >>> [(line, sentence.text) for line, sentence in placed_columns(lines, path="a.txt")]
    [(1, 'Yes'), (3, 'It rained')]

    """
    with of_file(path):
        lines = unmarked(lines)
        if kind is None:
            head = list(islice(lines, _SNIFFED_LINES))
            kind = sniff_columns(head)
            if kind is None:
                raise FormatError(
                    f"holds no columns that are known: want {', '.join(_READERS)}",
                    line=next((k for k, line in enumerate(head, 1) if line.strip()), None),
                )
            lines = chain(head, lines)
        check_one_of("columns", kind, _READERS, verb="are")
        return items_of_file(_READERS[kind](line_blocks(lines)), path)


def chunk_trace(place: int, iob: str) -> tuple[str, ...]:
    """Return the trace of a word of which only the chunk is known.

    Examples
    --------
    >>> chunk_trace(0, "B-NP"), chunk_trace(5, "O")
    (('B-S', 'B-NP'), ('I-S',))

    """
    return ("I-S" if place else "B-S",) if iob == "O" else ("I-S" if place else "B-S", iob)


def unmarked(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, the first without a byte order mark."""
    check_list("the lines", lines, "the lines of the file, as open(path)")
    for number, line in enumerate(lines):
        yield line if number else line.removeprefix("\ufeff")


def line_blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield the blocks of lines between empty lines, with the number of each line."""
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


def _read_chunks(
    blocks: Iterable[Block], *, expected: str, width: int, tags: Mapping[str, str]
) -> Iterator[Placed]:
    """Read word, part of speech and chunk, and leave further columns aside; `tags` are renamed."""
    for block in blocks:
        words: list[Token] = []
        last = "O"
        for number, fields in _rows(block, expected, width):
            form, pos, iob = fields[:3]
            last = _chunk(iob, last, number)
            words.append(Token(form, tags.get(pos, pos), last, chunk_trace(len(words), last)))
        if words:
            yield block[0][0], Sentence(words)


def _read_tagged(blocks: Iterable[Block]) -> Iterator[Placed]:
    for block in blocks:
        rows = _rows(block, "word and part of speech", 2)
        words = [Token(form, _TAGS.get(pos, pos)) for _, (form, pos) in rows]
        if words:
            yield block[0][0], Sentence(words)


def _rows(block: Block, expected: str, width: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in block:
        fields = fields_of(line, width)
        if fields[0] == BREAK:
            continue
        if len(fields) != width:
            raise FormatError(f"has {many(len(fields), 'column')}: want {expected}", line=number)
        yield number, fields


def _chunk(iob: str, last: str, number: int) -> str:
    """Check the chunk of a word; change I- to B- after another chunk."""
    if not CHUNK.fullmatch(iob):
        raise FormatError(f"has the chunk {iob!r:.40}: want O, B-XP or I-XP", line=number)
    return f"B{iob[1:]}" if iob[0] == "I" and last[1:] != iob[1:] else iob


def _read_chunklink(blocks: Iterable[Block]) -> Iterator[Placed]:
    place: dict[str, int] = {}
    for block in blocks:
        name: str | None = None
        words: list[Token] = []
        last = "O"
        for number, line in block:
            if line.startswith("#"):
                name = line.removeprefix("# Sentence ") if line.startswith("# Sent") else name
                place = _places(line, number) or place
                continue
            fields = fields_of(line)
            if not place or len(fields) <= max(place.values()):
                raise FormatError(
                    f"has {many(len(fields), 'column')}: want those of the line #columns: before",
                    line=number,
                )
            if name is None and {"file_id", "sent_id"} <= place.keys():
                name = f"{fields[place['file_id']]}/{fields[place['sent_id']]}"
            last = _chunk(_begins(fields[place["iob_inner"]]), last, number)
            pos = _with_commas(fields[place["pos"]])
            trace = chunk_trace(len(words), last)
            if "iob_chain" in place:
                trace = _chain(fields[place["iob_chain"]], number)
            form = unescape(_with_commas(fields[place["word"]]))
            words.append(Token(form, _TAGS.get(pos, pos), last, trace))
        if words:
            yield block[0][0], Sentence(words, id=name)


def _with_commas(field: str) -> str:
    return _COMMAS.sub(lambda match: "," * (len(match[0]) // len("COMMA")), field)


def _places(line: str, number: int) -> dict[str, int]:
    """Parse a line that names the columns; return None for any other line."""
    kind = re.search(r"IOB tag: *(\w+)", line)
    if kind and kind[1] == "End":
        raise FormatError(
            "has chunks of the kind End, which do not tell where they begin: make the columns "
            "with -B Begin",
            line=number,
        )
    if not line.startswith("#columns:"):
        return {}
    names = fields_of(line.removeprefix("#columns:"))
    place = {name: k for k, name in enumerate(names) if not name.startswith("trace-")}
    missing_columns = [name for name in ("word", "pos", "iob_inner") if name not in place]
    if missing_columns:
        raise FormatError(
            f"names no column {' and no '.join(missing_columns)}: make the columns with it",
            line=number,
        )
    return place


def _chain(spelled: str, number: int) -> tuple[str, ...]:
    trace = tuple(map(_begins, spelled.split("/")))
    if not all(element != "O" and CHUNK.fullmatch(element) for element in trace):
        raise FormatError(f"has the chain {spelled!r:.40}: want elements as B-S/I-NP", line=number)
    return trace


def _begins(element: str) -> str:
    """Convert a tag of the encoding BeginEndCombined to Begin."""
    return {"C": "B", "E": "I"}.get(element[:1], element[:1]) + element[1:]


class ConlluLines(NamedTuple):
    """The lines of a sentence in CoNLL-U, with their numbers; empty nodes are left out."""

    comments: list[tuple[int, str]]
    words: list[tuple[int, list[str]]]  # the ten fields of each word
    # The fields of each multiword token, its first word, and the end of its words, from 0.
    tokens: list[tuple[list[str], int, int]]


def conllu_lines(block: Block, *, filled: bool = False) -> ConlluLines:
    """Check the lines of a sentence in CoNLL-U, and sort them into comments, words and tokens.

    `block` has the lines with their numbers; with `filled`, an
    empty field is refused in every column, and not only as a word.

    Raises `FormatError` when a line has other than ten fields, words are not numbered from 1, or a
    multiword token does not stand before its words, or has words beyond the end of the sentence.
    """
    sorted_lines = ConlluLines([], [], [])
    words, tokens = sorted_lines.words, sorted_lines.tokens
    opened = within = 0  # the line of the last multiword token, and the end of its words
    for number, line in block:
        if line.startswith("#"):
            sorted_lines.comments.append((number, line))
            continue
        fields = _conllu_fields(line, number, filled=filled)
        name = fields[0]
        other = OTHER_ID.fullmatch(name)
        if other is None:
            if name != str(len(words) + 1):
                raise FormatError(
                    f"has the word number {name!r:.40}: want {len(words) + 1}", line=number
                )
            words.append((number, fields))
        elif other[1]:
            if len(words) < within or not int(other[1]) == len(words) + 1 <= int(other[2]):
                raise FormatError(
                    f"has the multiword token {name}: want it before its words, the next of "
                    f"which is {len(words) + 1}",
                    line=number,
                )
            opened, within = number, int(other[2])
            tokens.append((fields, len(words), within))
    if within > len(words):
        raise FormatError(
            f"has a multiword token as far as word {within}, but the sentence ends with word "
            f"{len(words)}: want all words of the token",
            line=opened,
        )
    return sorted_lines


def _conllu_fields(line: str, number: int, *, filled: bool) -> list[str]:
    fields = line.split("\t")
    if len(fields) != 10 or not fields[1] or (filled and not all(fields)):
        lacks = "" if len(fields) != 10 else " and an empty one among them"
        lacks = " and no word" if lacks and not fields[1] else lacks
        raise FormatError(
            f"has {many(len(fields), 'column')}{lacks}: want ten, with tabs between, the second a "
            f"word, and _ for no value",
            line=number,
        )
    return fields


def _read_conllu(blocks: Iterable[Block]) -> Iterator[Placed]:
    source: str | None = None
    for block in blocks:
        metadata: dict[str, str] = {}
        place = block[0][0]  # the line of `# text`
        sorted_lines = conllu_lines(block)
        for number, line in sorted_lines.comments:
            if meta := META.fullmatch(line):
                metadata[meta[1]] = meta[2].strip()
                place = number if meta[1] == "text" else place
            elif line[1:].split() == ["newdoc"]:  # without a name
                source = None
        source = metadata.get("newdoc id", source)
        if not sorted_lines.words:
            continue
        words: list[Token] = []
        for _, fields in sorted_lines.words:
            pos = fields[3] if fields[4] == "_" else fields[4]
            words.append(Token(fields[1], "" if pos == "_" else _TAGS.get(pos, pos)))
        # A multiword token is written in place of its words.
        written: list[list[str] | None] = [fields for _, fields in sorted_lines.words]
        for fields, first, end in sorted_lines.tokens:
            written[first:end] = [fields, *[None] * (end - first - 1)]
        spaced = [
            fields[1] + " " * ("SpaceAfter=No" not in fields[9].split("|"))
            for fields in written
            if fields
        ]
        text = _checked_text(metadata.get("text"), spaced, place)
        yield block[0][0], Sentence(words, id=metadata.get("sent_id"), text=text, source=source)


def _checked_text(stated_text: str | None, spaced: list[str], number: int) -> str:
    """Return the text if it agrees with the words, otherwise the words."""
    if stated_text is None:
        return "".join(spaced).rstrip(" ")
    forms = [unescape(form.removesuffix(" ")) for form in spaced]
    words, rest = spelled_in(forms, stated_text, case=False)
    if len(words) < len(forms) or rest:
        k = len(words)
        word = f"has word {k + 1}, {forms[k]!r:.40}" if k < len(forms) else f"ends with word {k}"
        goes_on = f"goes on with {rest!r:.40}" if rest else "has ended"
        raise FormatError(
            f"the text {goes_on}, where the sentence {word}: want the text of these words, or none",
            line=number,
        )
    return stated_text


_READERS: dict[Columns, Callable[[Iterable[Block]], Iterator[Placed]]] = {
    "conll2000": partial(_read_chunks, expected="word, part of speech and chunk", width=3, tags={}),
    "conll2003": partial(
        _read_chunks, expected="word, part of speech, chunk and name", width=4, tags=_TAGS
    ),
    "chunklink": _read_chunklink,
    "conllu": _read_conllu,
    "tagged": _read_tagged,
}
