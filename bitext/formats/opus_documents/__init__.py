"""XML documents with identified sentences, as XCES alignments point into.

    <text><p id="1"><s id="s1.1">It rained.</s> <s id="s1.2"><w>He</w> <w>left</w></s></p></text>

A sentence is an element `s` with an attribute `id` or `xml:id`, in any namespace and anywhere below
the root, whose name does not matter (`text`, `document`, `doc`, `cesDoc`, ...).

| dialect | the text of a sentence |
| --- | --- |
| plain (OPUS raw, CES, InterText) | all its character data, also those inside `b`, `i`, `hi`, ... |
| tokens (`w`) all with `span="start:length"` (Uplug) | the tokens; one blank for each gap |
| tokens (`w`, `pc`) of TEI | as in `bitext.formats.tei`; a note where no two tokens are adjacent |
| tokens (`w`) otherwise (OPUS xml and parsed) | the tokens, joined with one blank, with a note |
| vertical text (CWB, Sketch Engine): a token a line, then columns | likewise; none beside `g` |

White space at the ends of a sentence is left out. Inside, a run of white space with a line end
becomes one blank, because it comes from pretty-printing; other runs stay. With
`xml:space="preserve"` all white space stays. In a sentence with tokens, white space beside the
tokens is not text, but any other character is. In TEI, notes, deletions and the like are not text,
nor is the original form in `choice` (see `bitext.formats.tei`).

Kept: ids, text, paragraphs (where each sentence lies in an element `p`), the language of the
`text`, `group` or `body` around the sentences, or of the root; for an alignment that keeps to
paragraphs also those of other texts (`divisions`).
Lost: tags of tokens, chunks, times, inline marks, headers, everything outside of sentences.
The encoding is the declared one. Document types are never fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import nan
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import FormatError, remedy
from bitext.formats.io.source import Source
from bitext.formats.line_files import has_breaks
from bitext.formats.opus_documents.tei_sentences import (
    ASIDES,
    NO_TEXT,
    ROOTS,
    TokenSpacing,
    take_out_asides,
    text_of_tokens,
)
from bitext.formats.subtitles.times import seconds
from bitext.formats.xml import HEAD, any_forbidden, read_prolog, unescape
from bitext.formats.xml.fast import (
    ATTRIBUTES,
    KEY,
    VALUE,
    Piece,
    Pieces,
    Tags,
    attribute_names,
    opened_root,
)
from bitext.formats.xml.inline_codes import LOST_ELEMENTS
from bitext.formats.xml.safe import iterate, local_name, text_of
from bitext.lazy import late_pattern
from bitext.model import Segmentation, Text
from bitext.model.word_links import tokens

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# The text of a sentence: its white space, and its tokens.

SPACE = " \t\r\n"
_VERTICAL = (
    "sentences of tokens in lines with columns (vertical text), of which the tokens are read"
)
_GLUE = "\0"  # no blank between two tokens
NO_SPANS = "sentences of tokens without spans, joined with one blank"

# Elements that mark a part of a sentence: of TEI, and of HTML.
INLINE = frozenset(
    ("hi", "emph", "ref", "ptr", "foreign", "distinct", "mentioned", "soCalled", "title", "term",
     "gloss", "name", "persName", "placeName", "orgName", "geogName", "rs", "date", "num",
     "measure", "formula", "code", "graphic", "a", "b", "br", "em", "font", "i", "img", "span",
     "strong", "sub", "sup", "u")
)  # fmt: skip

_ODD_SPANS = "sentences of tokens whose spans contradict each other, joined with one blank"
_RUN = late_pattern(r"[ \t\r\n]+")
_COLUMNS = late_pattern(r"<(?:[\w.-]+:)?s(?:\s[^<>]*)?>\s*\n[^\t\n<]+\t")
_SPAN = late_pattern(r"(\d{1,12}):(\d{1,12})", re.ASCII)


class Token(NamedTuple):
    """A token of a sentence, or text beside tokens, which has no span and no name."""

    text: str
    span: str | None = None
    name: str = ""


def tidy(text: str) -> str:
    r"""Strip white space; replace each run of white space with a line end by one blank.

    Examples
    --------
    >>> tidy(" one\n   two  three ")
    'one two  three'

    """
    text = text.strip(SPACE)
    if "\n" in text or "\r" in text:
        return _RUN.sub(lambda run: " " if "\n" in run[0] or "\r" in run[0] else run[0], text)
    return text


def laid_out(tokens: list[tuple[str, str | None]]) -> tuple[str, str]:
    """Lay out the text of a sentence by the spans of its tokens and of text beside them.

    Tokens without usable spans are joined by blanks. Return the text, and the kind of the note on
    that; empty for none.
    """
    spaced = _by_spans(tokens)
    if spaced is not None:
        return spaced, ""
    if len(tokens) == 1:
        return tokens[0][0], ""
    text = " ".join(token for token, _ in tokens)
    return text, NO_SPANS if any(span is None for _, span in tokens) else _ODD_SPANS


def _by_spans(pieces: list[tuple[str, str | None]]) -> str | None:
    """Put tokens at their spans; return `None` for missing or contradictory spans."""
    out: list[str] = []
    at: int | None = None
    for text, span in pieces:
        match = _SPAN.fullmatch(span or "")
        if not match:
            return None
        start, length = int(match[1]), int(match[2])
        if length != len(text) or (at is not None and start < at):
            return None
        if at is not None and start > at:
            out.append(" ")
        out.append(text)
        at = start + length
    return "".join(out)


def tokens_of(element: Element) -> list[Token]:
    """Return the tokens of a sentence, and text beside them."""
    collected: list[Token] = []
    _collect(element, collected)
    return collected


def _collect(element: Element, collected: list[Token]) -> None:
    """Append the tokens of an element of a sentence, and text beside them, to `collected`."""
    beside = element.text
    if beside and (tidied := tidy(beside)):
        collected.append(Token(tidied))
    for child in element:
        name = child.tag
        if name == "w" or name.endswith("}w"):
            text = text_of(child) if len(child) else child.text
            if text and (token := tidy(text)):
                collected.append(Token(token, child.get("span"), child.get("id") or ""))
        else:
            _collect(child, collected)
        beside = child.tail
        if beside and (tidied := tidy(beside)):
            collected.append(Token(tidied))


# Regular documents without a parser: all sentences of a piece at once.
#
# A regular sentence has a start tag with the attributes of the first sentence, in the same order,
# and contains text, elements `time`, or tokens (`w`) with the attributes of the first token. The
# rest are whole tags. The parser reads everything else (see `bitext.formats.xml.fast`).
#
# What this buys, measured beside the parser on the documents of 60,000 made links (`make_links` of
# `scripts/bench/convert_made.py`): 0.38 s of CPU in place of 0.82 s without tokens, 1.7 s in place
# of 6.5 s with an element a token.

_END = "</s>"
_NUL, _JOINT = "\0", "\1"  # which no XML contains
_ODD = (" ", "\n", "\t", "\r", _JOINT * 2, _NUL + _JOINT, _JOINT + _NUL)
_QUICK_SENTENCE = late_pattern(rf"<s({ATTRIBUTES})( ?)>", re.ASCII)
_TOKEN = late_pattern(rf"<w({ATTRIBUTES})>", re.ASCII)
_CLOSING = late_pattern(r"</w>\s*\0", re.ASCII)
_GAP = late_pattern(r"</w>(\s*)<w ", re.ASCII)
_BREAKING = late_pattern(r"&#(?:0*(?:9|10|13)|x0*[9aAdD]);")  # a tab, a line end
_TIME = late_pattern(rf"<time({ATTRIBUTES}) ?/>", re.ASCII)
_VALUED = late_pattern(rf" (id|value)=\"({VALUE[1:-1]})\"", re.ASCII)
_NEXT_PARAGRAPHS = late_pattern(rf"(?:</p>[^<\0]*<p(?: id={VALUE})?>[^<\0]*\0)*", re.ASCII)


class Sentences(NamedTuple):
    """The sentences of a piece."""

    # `ids`, `texts`: the id and the text of each sentence.
    ids: list[str]
    texts: list[str]
    ends: list[int]  # the number of sentences before each end of an outermost paragraph
    outside: int  # the number of sentences in no paragraph
    # The sentences whose tokens were joined by blanks, by the reason.
    unplaced: dict[str, list[int]]
    # The start and the end in seconds of the sentences with elements `time`.
    times: dict[int, tuple[float, float]]


class SentenceLayout:
    """The layout of the sentences of a document, learnt from the first sentence in a text."""

    def __init__(self, text: str) -> None:
        first = _QUICK_SENTENCE.search(text)
        names = attribute_names(first[1].replace(" xml:id=", " id=")) if first else None
        self.known = names is not None and "id" in names
        tag = _expected(first[1], "id") + first[2] if first else ""
        # As a set, the slash ends the literal prefix of the expression: a search for one character
        # is faster than a search for four.
        run = r"(<(?!s[ >])[^<]*(?:<(?!s[ >])[^<]*)*)"
        self._border = re.compile(rf"<[/\0]s>[^<]*{run}?<s{tag}>", re.ASCII)
        token = _TOKEN.search(text)
        keys = attribute_names(token[1]) if token else None
        keys = None if keys and "join" in keys else keys  # of TEI, for the parser
        self._has_span = keys is not None and "span" in keys
        self._apart = keys is not None and not self._has_span
        self._token: re.Pattern[str] | None = None
        if token and keys is not None:
            tag = rf"<w{_expected(token[1], 'span')}>"
            self._token = re.compile(rf"{tag}([^<]*)</w>", re.ASCII)
            gap = _GAP.search(text, token.end())
            # A search is faster with the usual text between two tokens as a literal.
            self._usual = re.compile(rf"</w>{gap[1] if gap else ''}{tag}", re.ASCII)
            self._between = re.compile(rf"</w>\s*{tag}", re.ASCII)
            self._opening = re.compile(rf"\0\s*{tag}", re.ASCII)

    def line_of(self, piece: Piece, k: int) -> int:
        """Return the line on which sentence `k` of a piece begins."""
        text = _END + piece.text
        match = next(islice(self._border.finditer(text), k, None))
        return piece.line + text.count("\n", 0, match.end())

    def take(self, piece: Piece, tags: Tags) -> Sentences | None:
        """Return the sentences of a piece, and apply its tags; `None` for an irregular piece.

        A piece begins after the end of a sentence, and ends with the end of one.
        """
        if not piece.text.endswith(_END):
            return _last(piece, tags)
        parts = self._border.split(_END + piece.text[: -len(_END)])
        if parts[0] or len(parts) == 1:
            return None
        runs: list[str | None] = parts[1::3]
        ids, inner = parts[2::3], parts[3::3]
        placed = _placed(runs, tags)
        if placed is None or not all(ids):
            return None
        unplaced: dict[str, list[int]] = {}
        times: dict[int, tuple[float, float]] = {}
        tags_outside = 2 * len(ids) + "".join(filter(None, runs)).count("<")
        if piece.text.count("<") > tags_outside:
            texts = self._texts(inner, unplaced, references=piece.references)
            if texts is None:
                return None
            times = _times(inner) if "<time" in piece.text else {}
        else:
            texts = _tidied(inner, references=piece.references)
        if piece.references and "&" in "".join(ids):
            ids = list(map(unescape, ids))
        return Sentences(ids, texts, *placed, unplaced, times)

    def _texts(
        self, inner: list[str], unplaced: dict[str, list[int]], *, references: bool
    ) -> list[str] | None:
        """Return the texts of sentences with elements; `None` for irregular sentences."""
        whole = _NUL.join(inner)
        if "<time" in whole:
            if any(attribute_names(names) is None for names in _TIME.findall(whole)):
                return None
            whole = _TIME.sub("", whole)
            inner = whole.split(_NUL)
        at_once = self._joined(whole, inner, references=references)
        if at_once is not None:
            several = [k for k, text in enumerate(at_once) if " " in text]
            unplaced.update({NO_SPANS: several} if several else {})
            return at_once
        texts = []
        for k, sentence in enumerate(inner):
            if "<" not in sentence:
                texts.append(tidy(unescape(sentence) if references else sentence))
                continue
            laid = self._laid_out(sentence, references=references)
            if laid is None:
                return None
            texts.append(laid[0])
            if laid[1]:
                unplaced.setdefault(laid[1], []).append(k)
        return texts

    def _joined(self, whole: str, inner: Sequence[str], *, references: bool) -> list[str] | None:
        """Return the texts of sentences, also given as one string, of plain tokens only.

        Plain tokens have no spans and no white space, as most. Return `None` for any other content.
        """
        if not self._apart:
            return None
        joined = _JOINT.join(self._usual.split(f"{_NUL}{whole}{_NUL}"))  # faster than `sub`
        joined, opened = self._opening.subn(_NUL, joined)
        joined, closed = _CLOSING.subn(_NUL, joined)
        if opened != closed or opened != len(inner) - _without_tags(inner, opened):
            return None  # a sentence does not begin, or does not end, with a token
        if "<" in joined:
            joined = self._between.sub(_JOINT, joined)
        if "<" in joined:
            return None
        joined = unescape(joined) if references else joined
        if any(odd in joined for odd in _ODD):
            return None  # white space in a token, an empty token, or a sentence without tokens
        return joined[1:-1].replace(_JOINT, " ").split(_NUL)

    def _laid_out(self, sentence: str, *, references: bool) -> tuple[str, str] | None:
        """Return the text of tokens, as `laid_out` does; `None` for other elements."""
        if self._token is None:
            return None
        step = 3 if self._has_span else 2
        parts = self._token.split(sentence)
        if "".join(parts[::step]).strip(SPACE):
            return None
        words = parts[step - 1 :: step]
        if references:
            words = list(map(unescape, words))
        if not self._has_span and len(words) > 1:
            whole = " ".join(words)
            if whole.split() == words:  # the usual case, and fast
                return whole, NO_SPANS
        spans: Sequence[str | None] = parts[1::step] if self._has_span else [None] * len(words)
        tokens = zip(map(tidy, words), spans, strict=True)
        return laid_out([(word, span) for word, span in tokens if word])


def _without_tags(inner: Sequence[str], most: int) -> int:
    """Count the sentences without tags, if fewer than all have one."""
    return 0 if most == len(inner) else sum("<" not in sentence for sentence in inner)


def _expected(attributes: str, name: str) -> str:
    """Return an expression for attributes with any values; a group captures the value of `name`."""
    out = ""
    for key in KEY.findall(attributes):
        value = f'"({VALUE[1:-1]})"' if key.rpartition(":")[2] == name else VALUE
        out += f" {re.escape(key)}={value}"
    return out


def _last(piece: Piece, tags: Tags) -> Sentences | None:
    """Apply the tags after the last sentence."""
    text, *rest = piece.text.split("<")
    if tags.closed and text.strip(SPACE):
        return None
    closes = _closes(rest, tags)
    return None if closes is None else Sentences([], [], [0] * closes, 0, {}, {})


def _closes(run: list[str], tags: Tags) -> int | None:
    """Apply tags; return the number of outermost paragraphs that end, `None` for irregular tags."""
    closes, paragraphs = 0, tags.count("p")
    for tag in run:
        if tags.take(tag) is None:
            return None
        was, paragraphs = paragraphs, tags.count("p")
        closes += was == 1 and paragraphs == 0
    return closes


def _placed(runs: list[str | None], tags: Tags) -> tuple[list[int], int] | None:
    """Apply the tags before each sentence; return the ends of paragraphs and the loose sentences.

    Return `None` for irregular tags.
    """
    ends: list[int] = []
    outside = before = 0
    paragraphs = tags.count("p")
    filled = [k for k, run in enumerate(runs) if run]
    for at, k in enumerate(filled):
        outside += 0 if paragraphs else k - before
        before = k
        closes = _closes((runs[k] or "").split("<")[1:], tags)
        if closes is None:
            return None
        paragraphs = tags.count("p")
        ends += [k] * closes
        if at == 0 and paragraphs == 1 and tags.open[-1][0] == "p":
            whole = "\0".join(filter(None, runs[k + 1 :]))
            if not whole or _NEXT_PARAGRAPHS.fullmatch(whole + "\0"):  # the usual case
                return ends + filled[1:], outside
    if tags.closed:
        return None
    return ends, outside + (0 if paragraphs else len(runs) - before)


def _times(inner: list[str]) -> dict[int, tuple[float, float]]:
    """Return the times of sentences by their elements `time`."""
    times = {}
    for k, sentence in enumerate(inner):
        tags = [dict(_VALUED.findall(tag)) for tag in _TIME.findall(sentence)]
        if tags:
            times[k] = _times_of([(tag.get("id", ""), tag.get("value", "")) for tag in tags])
    return times


def _times_of(tags: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Return the start and the end of a sentence by the ids and values of its elements `time`.

    As in OPUS, ids end with `S` where a cue starts and with `E` where it ends. A sentence that
    begins amid a cue has no start, and one that ends amid a cue no end.

    Examples
    --------
    >>> _times_of([("T1S", "00:00:01,500"), ("T1E", "00:00:02,500"), ("T2S", "00:00:03,000")])
    (1.5, nan)

    """
    (first, begin), (last, until) = tags[0], tags[-1]
    start = seconds(begin) if first.endswith("S") else nan
    end = seconds(until) if last.endswith("E") else nan
    return (nan, nan) if end < start else (start, end)


def _tidied(inner: list[str], *, references: bool) -> list[str]:
    """Return the texts of sentences without elements."""
    if references:
        # Only these are joined: one emoji makes all characters of a string four bytes wide.
        which = [k for k, text in enumerate(inner) if "&" in text]
        unescaped = unescape(_NUL.join([inner[k] for k in which])).split(_NUL) if which else []
        for k, text in zip(which, unescaped, strict=True):
            inner[k] = tidy(text)
    # `strip` returns the same string where there is nothing to strip, so this takes one pass.
    if list(map(str.strip, inner)) == inner and "\n" not in "".join(inner):
        return inner
    return [tidy(text) for text in inner]


# The words of a document: the position of each token (`w`) with an id in its sentence.


def read_words(source: Source) -> dict[str, tuple[int, int]]:
    """Return the sentence of each token by its id, and the number of words before it there.

    Words are separated by blanks in the text of the sentence; a token that begins within a word, as
    a full stop may, has the position of that word. Two tokens with the same id are left out.
    """
    words_by_id: dict[str, tuple[int, int]] = {}
    twice: set[str] = set()
    is_tei, spacing = read_prolog(source.head()).name in ROOTS, TokenSpacing()
    for number, (_, sentence) in enumerate(iterate(source, end=("s",))):
        if is_tei:
            take_out_asides(sentence)
        pieces = tokens_of(sentence)
        if is_tei and not any(piece.span for piece in pieces):
            text = tidy(text_of_tokens(sentence, spacing))
        else:
            text, _ = laid_out([(piece.text, piece.span) for piece in pieces])
        at = words = 0
        for piece in pieces:
            apart = text.startswith(" ", at)
            at += apart
            within = bool(at) and not apart  # within the word before
            words -= within
            if piece.name:
                if piece.name in words_by_id:
                    twice.add(piece.name)
                words_by_id[piece.name] = number, words
            words += len(tokens(piece.text))
            at += len(piece.text)
    return {name: place for name, place in words_by_id.items() if name not in twice}


_MOST_FAULTS = 1000  # collected of one document; set by hand
_ROOTS = {"text", "document", "doc", "cesDoc", "cesAna", "body", "corpus"}
# Roots of DocBook, JATS and DITA, whose texts have no sentences.
_PROSE = {"book", "article", "topic", "concept", "task", "reference"}
_DIVISIONS = ("div", "div1", "div2", "div3", "head", "lg", "sp", "chapter", "section", "CHAPTER")
_PAGE = "pb"
# What is not outside of sentences; the head of a file may end within an element.
_NO_OUTSIDE = late_pattern(
    rb"<teiHeader\b.*?(?:</teiHeader>|\Z)|<((?:[\w.-]+:)?s)(?:\s[^<>]*)?(?:/>|>.*?(?:</\1>|\Z))"
    rb"|<!--.*?(?:-->|\Z)|<![^>\[]*(?:\[[^\]]*\])?[^>]*>|<[^<>]*(?:>|\Z)",
    re.DOTALL,
)
_SENTENCE = late_pattern(rb"<(?:[\w.-]+:)?s[\s>]")
_STARTED = late_pattern(r"<(?:[\w.-]+:)?([\w.-]+)")
_MARKUP = late_pattern(rb"<[^<>]*>")
_LANGUAGE = late_pattern(r"(?:^|\s)(?:xml:lang|lang|language)\s*=\s*[\"']([^\"']*)[\"']")
_NO_HEADER = late_pattern(rb"<teiHeader\b.*?(?:</teiHeader>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_AROUND = late_pattern(
    rb"<(?:[\w.-]+:)?(?:text|group|body)\s(?:[^<>]*\s)?(?:xml:)?lang\s*=\s*[\"']([\w-]+)[\"']"
)
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def is_document(head: bytes) -> bool:
    """Distinguish an XML document (True) from a text of one segment per line.

    A document begins with an XML declaration or a document type, or with the root element of a
    known kind of document and a sentence within the first bytes.
    """
    prolog = read_prolog(head)
    if prolog.declared or prolog.doctype:
        return True
    # The header of a TEI document may be longer than the first bytes.
    return prolog.name == "TEI" or (prolog.name in _ROOTS and _SENTENCE.search(head) is not None)


def read_document(source: Source, *, divisions: bool = False, counted: bool = False) -> Text:
    """Read the sentences of a document.

    Notes are added to those of the source. With `divisions`, the text has paragraphs even if some
    sentences are outside of any `p`: these form paragraphs of their own. If all are outside,
    elements `div`, `head` and the like divide the text; without such elements, page breaks (`pb`).
    With `counted`, sentences of which none has an id are segments by their positions, with a note.

    Raises `FormatError` when the file is not well-formed or not safe to read, a sentence has no id
    or the id of another, sentences are nested, or there is text without sentences; with the line.
    Where bad units are collected (`Source.on_bad`), raises `FaultyDocumentError` with all faults of
    sentences, up to a thousand.
    """
    head = source.head()
    pieces = Pieces(source, b"</s>")
    language = _language(pieces.prolog.attributes, head)
    reader = _Reader(source, divisions=divisions, counted=counted)
    try:
        reader.read(pieces)
    except FormatError as error:
        if source.on_bad is None:
            raise
        if error not in reader.faults:
            reader.faults.append(error)
    if reader.faults:
        raise FaultyDocumentError(reader.faults)
    if not reader.ids and (len(head) == HEAD or _MARKUP.sub(b"", head).strip()):
        way = "split it into sentences first, or give a text with one segment a line"
        if pieces.prolog.name in _PROSE:
            way = "make a page of HTML of it (pandoc -t html), or give a text"
        raise source.error(f"holds no sentences (elements s with an id); {way}")
    if reader.is_counted:
        _check_outside(source, head, reader.texts)
    text = Text(
        reader.texts,
        ids=None if reader.is_counted else reader.ids,
        name=source.path,
        lang=language,
        paragraphs=reader.paragraphs(),
        times=reader.times(),
    )
    if reader.is_regular:  # writers need not search all texts
        text.set_fact(any_forbidden, False)
        if not reader.may_break:
            text.set_fact(has_breaks, False)
    return text


def _language(attributes: str, head: bytes) -> str:
    """Return the language of the innermost element around the first sentence, or of the root."""
    if b"lang" in head:
        before = _SENTENCE.split(_NO_HEADER.sub(b"", head), maxsplit=1)[0]
        if around := _AROUND.findall(before):
            return str(around[-1].decode())
    of_root = _LANGUAGE.search(attributes)
    return of_root[1] if of_root else ""


def _check_outside(source: Source, head: bytes, sentences: Sequence[str]) -> None:
    """Note text outside of sentences at the head of a document without ids, or refuse much of it.

    Documents whose sentences have ids were made for links, and titles are left out on purpose.
    """
    outside = _NO_OUTSIDE.sub(b" ", head).strip() if b"\0" not in head else b""
    if not outside:
        return
    shown = " ".join(outside[:80].decode("utf-8", "replace").split())[:40]
    if len(outside) > sum(map(len, sentences)):
        raise source.error(
            f"has more text outside of sentences (elements s) than in them, as {shown!r}: mark all "
            f"sentences, or take the tags s out"
        )
    source.note("documents with text outside of sentences (s), left out")


class FaultyDocumentError(FormatError):
    """The faults of a document; the message is that of the first.

    `faults` are all of them, in the order of the file.
    """

    def __init__(self, faults: Sequence[FormatError]) -> None:
        first = faults[0]
        super().__init__(first.message, path=first.path, line=first.line, column=first.column)
        self.faults = tuple(faults)


class _Reader:
    def __init__(self, source: Source, *, divisions: bool, counted: bool) -> None:
        self._source, self._divisions, self._may_count = source, divisions, counted
        self._is_tei = read_prolog(source.head()).name in ROOTS
        self._spacing = TokenSpacing() if self._is_tei else None
        self._has_asides = False  # the open sentence, of TEI, has an element that may be no text
        self.is_counted = False  # no sentence has an id
        self._is_vertical = False  # a sentence has several lines of a token and columns
        # The token and the line of each sentence of one such line, while none has several.
        self._single_lines: dict[int, tuple[str, int]] = {}
        # The number of sentences before each border of a paragraph, of a division, of a page.
        self._borders: tuple[set[int], set[int], set[int]] = (set(), set(), set())
        self._again = 0  # start tags that are parsed a second time, and are no borders
        self.ids: list[str] = []
        self.texts: list[str] = []
        self._times: dict[int, tuple[float, float]] = {}
        self._known: set[str] = set()
        self._inside = False
        self._depth = 0  # of p in p
        self._outside = 0  # sentences in no p
        self._ends: list[int] = []
        self._begun = 0  # the line of the open sentence
        self._inside_of = ""  # start tags of the elements that regular pieces left open
        self._noted: set[str] = set()
        self.faults: list[FormatError] = []
        self.is_regular = False  # no character is one that XML forbids
        self.may_break = False  # whether a text of a regular file may have tabs or line ends

    def read(self, pieces: Pieces) -> None:
        """Read regular pieces without a parser, and the rest with one."""
        root = opened_root(pieces)
        tags = Tags(root[0] if root else "", "s")
        by_root = root is not None and root[0] not in {"s", "p"}
        self.is_regular = by_root and self._quickly(pieces, tags)
        if not self.is_regular:
            # The parser reads the start tags of open paragraphs a second time.
            wanted = ("p", "s", *_DIVISIONS, _PAGE) if self._divisions else ("p", "s")
            begun = [root[0] if root else "", *_STARTED.findall(self._inside_of)]
            self._again = sum(name in wanted for name in begun) if self.ids else 0
            asides = NO_TEXT if self._is_tei else ()
            for event, element, line in pieces.rest(
                start=(*wanted, *asides), end=wanted, inside=self._inside_of
            ):
                self.take(event, element, line)

    def _quickly(self, pieces: Pieces, tags: Tags) -> bool:
        """Read the sentences of regular pieces; return whether the whole file was regular."""
        shape: SentenceLayout | None = None
        for piece in pieces:
            if "\t" in piece.text and _COLUMNS.search(piece.text):
                return False
            shape = shape or SentenceLayout(piece.text)
            tags_after = tags.copy()
            sentences = shape.take(piece, tags_after) if shape.known else None
            if sentences is None or (self._divisions and sentences.outside):
                return False
            if not self._add(piece, shape, sentences):
                return False
            tags, self._inside_of = tags_after, tags_after.inside()
            # `tidy` has made blanks of line ends, but not of references to them.
            self.may_break |= "\t" in piece.text or (
                piece.references and _BREAKING.search(piece.text) is not None
            )
        return tags.closed

    def _add(self, piece: Piece, shape: SentenceLayout, sentences: Sentences) -> bool:
        """Add the sentences of a piece, if their ids are new."""
        begin = len(self.ids)
        self._known.update(sentences.ids)
        if len(self._known) != begin + len(sentences.ids):
            self._known = set(self.ids)
            return False
        self.ids += sentences.ids
        self.texts += sentences.texts
        self._ends += [begin + end for end in sentences.ends]
        self._outside += sentences.outside
        self._times.update({begin + k: times for k, times in sentences.times.items()})
        for why, which in sentences.unplaced.items():
            # A note needs the line of the first case only, so that line is searched once.
            line = 0 if why in self._noted else shape.line_of(piece, which[0])
            self._noted.add(why)
            self._source.note(why, sentences.ids[which[0]], line=line, count=len(which))
        return True

    def take(self, event: str, element: Element, line: int) -> None:
        """Process a start tag or an end tag of a paragraph or a sentence."""
        name = local_name(element)
        if name in NO_TEXT:
            self._has_asides |= self._is_tei and self._inside
            if name != _PAGE or not self._divisions:
                return
        again = self._again > 0
        self._again -= again
        if name == "p":
            if not self._depth and not again:
                self._borders[0].add(len(self.ids))
            self._depth += 1 if event == "start" else -1
            if not self._depth:
                self._ends.append(len(self.ids))
        elif name != "s":
            if not again:
                self._borders[2 if name == _PAGE else 1].add(len(self.ids))
        elif event == "start":
            self._begun = line
            self._open(element, line)
        else:
            self._close(element)

    def _close(self, sentence: Element) -> None:
        """Add the text and the times of a sentence that ends."""
        self._inside = False
        name, line = self.ids[-1], self._begun
        if self._has_asides and (count := take_out_asides(sentence)):
            self._source.note(ASIDES, name, line=line, count=count)
        rows = _rows_of_tokens(sentence)
        tokens = " ".join(rows).replace(f" {_GLUE} ", "").strip(f"{_GLUE} ")
        if len(rows) > 1 and not self._is_vertical:
            self._is_vertical = True
            for k, (token, earlier) in self._single_lines.items():
                self.texts[k] = token
                self._source.note(_VERTICAL, self.ids[k], line=earlier)
        if rows and self._is_vertical:
            self._source.note(_VERTICAL, name, line=line)
            self.texts.append(tokens)
        else:
            if rows:
                self._single_lines[len(self.texts)] = tokens, line
            self.texts.append(_text(self._source, sentence, name, line, self._spacing))
        tags = [(tag.get("id") or "", tag.get("value") or "") for tag in sentence.iter("{*}time")]
        if tags:
            self._times[len(self.texts) - 1] = _times_of(tags)

    def _open(self, element: Element, line: int) -> None:
        name = element.get("id") or element.get(_XML_ID)
        if self._inside:
            outer = f"the sentence {self.ids[-1]!r}" if self.ids[-1] else "another sentence"
            self._refuse(f"has a sentence (s) inside {outer}; end that one before", line)
        if not self.ids and self._may_count and _without_id(element):
            way = remedy("write-documents", command="align convert")
            kind = f"documents whose sentences have no ids, counted in order (links need {way})"
            self._source.note(kind)
            self.is_counted = True
        if self.is_counted and _without_id(element):
            name = str(len(self.ids))
        elif self.is_counted:
            self._refuse(
                f"has the id {name!r} on a sentence (s), and those before it have none; give each "
                f"s an attribute id, or none",
                line,
            )
        if not name:
            self._refuse(
                "has a sentence (s) without an id, which no alignment can name; give each s an "
                "attribute id",
                line,
            )
        elif name in self._known:
            self._refuse(
                f"has a second sentence with the id {name!r}; give each s an id of its own, and "
                f"align anew what pointed there",
                line,
            )
        self._known.add(name or "")
        self.ids.append(name or "")
        self._inside, self._has_asides = True, False
        self._outside += not self._depth

    def _refuse(self, message: str, line: int) -> None:
        """Collect a fault where bad units are collected; raise it otherwise."""
        fault = self._source.error(message, line)
        self.faults.append(fault)
        if self._source.on_bad is None or len(self.faults) >= _MOST_FAULTS:
            raise fault

    def times(self) -> list[tuple[float, float]] | None:
        """Return the times of all sentences, `nan` if they are not known; None without any."""
        if not self._times:
            return None
        return [self._times.get(k, (nan, nan)) for k in range(len(self.ids))]

    def paragraphs(self) -> Segmentation | None:
        """Return the paragraphs, if every sentence is in one; or other divisions of the text."""
        if self._outside and self._divisions:
            paragraphs, divisions, pages = self._borders
            if self._outside < len(self.ids):
                inner = paragraphs | divisions | set(self._ends)
            else:
                inner = divisions - {0, len(self.ids)} or pages
            borders = sorted(inner - {0, len(self.ids)})
            return Segmentation.from_boundaries(borders, len(self.ids)) if borders else None
        if self._outside or not self.ids:
            return None
        begins = [0, *self._ends]
        masses = [end - begin for begin, end in pairwise(begins)]
        return Segmentation([mass for mass in masses if mass])


def _rows_of_tokens(sentence: Element) -> list[str]:
    """Return the tokens of lines with columns, and `_GLUE` for each `g`; none of other text."""
    if not (sentence.text or "").startswith(("\n", "\r", " ")):
        return []
    has_elements = next(sentence.iter("{*}w"), None) is not None
    if has_elements or sentence.get(_XML_SPACE) == "preserve":
        return []
    lines = "".join(_with_glue(sentence)).split("\n")
    cells = [line.strip(SPACE).split("\t") for line in lines if line.strip(SPACE)]
    widths = {len(row) for row in cells if row[0] != _GLUE}
    if len(widths) != 1 or widths == {1} or any(" " in row[0] for row in cells):
        return []
    return [row[0] for row in cells]


def _with_glue(element: Element) -> Iterator[str]:
    """Yield the characters of an element, and `_GLUE` for each `g`."""
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield _GLUE if local_name(child) == "g" else ""
            yield from _with_glue(child)
        yield child.tail or ""


def _without_id(sentence: Element) -> bool:
    return sentence.get("id") is None and sentence.get(_XML_ID) is None


def _text(
    source: Source, sentence: Element, name: str, line: int, spacing: TokenSpacing | None
) -> str:
    """Return the text of a sentence; `spacing` separates the tokens of a file of TEI."""
    preserved = sentence.get(_XML_SPACE) == "preserve"
    if len(sentence) == 0:
        return sentence.text or "" if preserved else tidy(sentence.text or "")
    token = next(sentence.iter("{*}w"), None)
    if preserved or token is None:
        for inner in map(local_name, sentence.iterdescendants()):
            if inner in INLINE:
                source.note(LOST_ELEMENTS, f"{name}: {inner}", line=line)
        text = text_of(sentence)
        return text if preserved else tidy(text)
    if spacing is None or token.get("span") is not None:
        text, why = laid_out([(token.text, token.span) for token in tokens_of(sentence)])
    else:
        text = tidy(text_of_tokens(sentence, spacing))
        is_joined = spacing.tokens > 1 and " " in text and not spacing.is_glued
        why = NO_SPANS if is_joined else ""
    if why:
        source.note(why, name, line=line)
    return text
