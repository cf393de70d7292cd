"""XML documents with identified sentences, as XCES alignments point into.

    <text><p id="1"><s id="s1.1">It rained.</s> <s id="s1.2"><w>He</w> <w>left</w></s></p></text>

A sentence is an element `s` with an attribute `id` or `xml:id`, in any namespace and anywhere below
the root, whose name does not matter (`text`, `document`, `doc`, `cesDoc`, ...).

| dialect | the text of a sentence |
| --- | --- |
| plain (OPUS raw, CES, InterText) | all its character data, also those inside `b`, `i`, `hi`, ... |
| tokens (`w`) all with `span="start:length"` (Uplug) | the tokens; one blank for each gap |
| tokens (`w`) otherwise (OPUS xml and parsed) | the tokens, joined with one blank; a note tells |

White space at the ends of a sentence is left out. Inside, a run of white space with a line end in
it is taken as one blank, for it comes from pretty-printing, and other runs are kept. With
`xml:space="preserve"` all of it is. In a sentence with tokens white space beside the tokens is not
text, any other character is.

Kept: ids, text, paragraphs (where each sentence lies in an element `p`), the language of the root;
for an alignment that keeps to paragraphs also those of other texts (`divisions`).
Lost: tags of tokens, chunks, times, inline marks, headers, everything outside of sentences.
The encoding is the declared one. Document types are never fetched.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.errors import FormatError
from bitext.formats.opus_documents.fast import Shape
from bitext.formats.opus_documents.sentences import INLINE, laid_out, tidy, tokens_of
from bitext.formats.xml.fast import Pieces, Tags, opened_root
from bitext.formats.xml.inline_codes import LOST_ELEMENTS
from bitext.formats.xml.prolog import HEAD, read_prolog
from bitext.formats.xml.safe import iterate, local_name
from bitext.model import Segmentation, Text
from bitext.model.word_links import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source
    from bitext.formats.opus_documents.fast import Found
    from bitext.formats.xml.fast import Piece

__all__ = ["FaultyDocumentError", "is_document", "read_document", "read_words"]


# The words of a document: where each token (`w`) with an id stands in its sentence.


def read_words(source: Source) -> dict[str, tuple[int, int]]:
    """Return the sentence of each token by its id, and the number of the words before it there.

    Words are what blanks part in the text of the sentence; a token that begins within one, as a
    full stop may, stands at its place. Of two tokens with one id neither is known.
    """
    found: dict[str, tuple[int, int]] = {}
    twice: set[str] = set()
    for number, (_, sentence) in enumerate(iterate(source, end=("s",))):
        pieces = tokens_of(sentence)
        text, _ = laid_out([(piece.text, piece.span) for piece in pieces])
        at = words = 0
        for piece in pieces:
            apart = text.startswith(" ", at)
            at += apart
            within = bool(at) and not apart  # within the word that ended before
            words -= within
            if piece.name:
                if piece.name in found:
                    twice.add(piece.name)
                found[piece.name] = number, words
            words += len(tokens(piece.text))
            at += len(piece.text)
    return {name: place for name, place in found.items() if name not in twice}


_MOST_FAULTS = 1000
_ROOTS = {"text", "document", "doc", "cesDoc", "cesAna", "body", "corpus"}
_DIVISIONS = ("div", "div1", "div2", "div3", "head", "lg", "sp", "chapter", "section", "CHAPTER")
_PAGE = "pb"
_SENTENCE = re.compile(rb"<(?:[\w.-]+:)?s[\s>]")
_STARTED = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_MARKUP = re.compile(rb"<[^<>]*>")
_LANGUAGE = re.compile(r"(?:^|\s)(?:xml:lang|lang|language)\s*=\s*[\"']([^\"']*)[\"']")
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def is_document(head: bytes) -> bool:
    """Tell by its first bytes whether a file is an XML document, not one segment a line.

    It is when it begins with an XML declaration or a document type, or with the root element of
    a known kind of document and a sentence near to it.
    """
    prolog = read_prolog(head)
    if prolog.declared or prolog.doctype:
        return True
    # The header of a TEI document may be longer than what is looked at.
    return prolog.name == "TEI" or (prolog.name in _ROOTS and _SENTENCE.search(head) is not None)


def read_document(source: Source, *, divisions: bool = False) -> Text:
    """Read the sentences of a document.

    Notes on what was odd are added to those of the source.

    Parameters
    ----------
    source : Source
    divisions : bool
        Whether the text has paragraphs also where not all sentences lie in a `p`: those outside
        make paragraphs of their own. Where none does, elements `div`, `head` and the like divide
        the text; where there are none of these either, the marks of pages (`pb`).

    Raises
    ------
    FormatError
        When the file is not well-formed or not safe to read, a sentence has no id or the id of
        another, sentences lie in each other, or there is text but none of them; with the line.
    FaultyDocumentError
        When bad units are collected (`Source.on_bad`), for faults of sentences: all of them, up to
        a thousand.

    """
    head = source.head()
    pieces = Pieces(source, b"</s>")
    language = _LANGUAGE.search(pieces.prolog.attributes)
    reader = _Reader(source, divisions=divisions)
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
        raise source.error(
            "holds no sentences (elements s with an id); split it into sentences first, or give "
            "a text with one segment a line"
        )
    return Text(
        reader.texts,
        ids=reader.ids,
        name=source.path,
        lang=language[1] if language else "",
        paragraphs=reader.paragraphs(),
    )


class FaultyDocumentError(FormatError):
    """A document with faults of which each is told; it is the first of them.

    Attributes
    ----------
    faults : tuple of FormatError
        Those that were told, in the order of the file.

    """

    def __init__(self, faults: Sequence[FormatError]) -> None:
        first = faults[0]
        super().__init__(first.message, path=first.path, line=first.line, column=first.column)
        self.faults = tuple(faults)


class _Reader:
    """Collects the sentences of a document and the paragraphs around them."""

    def __init__(self, source: Source, *, divisions: bool) -> None:
        self._source, self._divisions = source, divisions
        # The sentences before each border of a paragraph, of a division, of a page.
        self._borders: tuple[set[int], set[int], set[int]] = (set(), set(), set())
        self._again = 0  # start tags that come again, and are no borders
        self.ids: list[str] = []
        self.texts: list[str] = []
        self._known: set[str] = set()
        self._inside = False
        self._depth = 0  # of p in p
        self._outside = 0  # sentences in no p
        self._ends: list[int] = []
        self._begun = 0  # the line of the sentence that is open
        self._inside_of = ""  # start tags of what is open in the root, as far as read quickly
        self._noted: set[str] = set()
        self.faults: list[FormatError] = []

    def read(self, pieces: Pieces) -> None:
        """Read regular pieces the quick way, and the rest by the parser."""
        root = opened_root(pieces)
        tags = Tags(root[0] if root else "", "s")
        if root is None or root[0] in {"s", "p"} or not self._quickly(pieces, tags):
            # Paragraphs that are open begin again.
            wanted = ("p", "s", *_DIVISIONS, _PAGE) if self._divisions else ("p", "s")
            begun = [root[0] if root else "", *_STARTED.findall(self._inside_of)]
            self._again = sum(name in wanted for name in begun) if self.ids else 0
            for event, element, line in pieces.rest(
                start=wanted, end=wanted, inside=self._inside_of
            ):
                self.take(event, element, line)

    def _quickly(self, pieces: Pieces, tags: Tags) -> bool:
        """Take the sentences of regular pieces; tell whether that was all of the file."""
        shape: Shape | None = None
        for piece in pieces:
            shape = shape or Shape(piece.text)
            taken = tags.copy()
            found = shape.take(piece, taken) if shape.known else None
            if found is None or (self._divisions and found.outside):
                return False
            if not self._add(piece, shape, found):
                return False
            tags, self._inside_of = taken, taken.inside()
        return tags.closed

    def _add(self, piece: Piece, shape: Shape, found: Found) -> bool:
        """Take up the sentences of a piece, if their ids are new."""
        begin = len(self.ids)
        self._known.update(found.ids)
        if len(self._known) != begin + len(found.ids):
            self._known = set(self.ids)
            return False
        self.ids += found.ids
        self.texts += found.texts
        self._ends += [begin + end for end in found.ends]
        self._outside += found.outside
        for why, which in found.unplaced.items():
            # The place of the first of all is told: it is looked for once.
            line = 0 if why in self._noted else shape.line_of(piece, which[0])
            self._noted.add(why)
            first = f"{self._source.path} line {line}: {found.ids[which[0]]}"
            self._source.notes.add(why, first, len(which))
        return True

    def take(self, event: str, element: Element, line: int) -> None:
        """Take up a start tag or an end tag of a paragraph or a sentence."""
        name = local_name(element)
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
            self._inside = False
            self.texts.append(_text(self._source, element, self.ids[-1], self._begun))

    def _open(self, element: Element, line: int) -> None:
        name = element.get("id") or element.get(_XML_ID)
        if self._inside:
            outer = f"the sentence {self.ids[-1]!r}" if self.ids[-1] else "another sentence"
            self._refuse(f"has a sentence (s) inside {outer}; end that one before", line)
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
        self._inside = True
        self._outside += not self._depth

    def _refuse(self, message: str, line: int) -> None:
        """Take down a fault where bad units are collected, else raise it."""
        fault = self._source.error(message, line)
        self.faults.append(fault)
        if self._source.on_bad is None or len(self.faults) >= _MOST_FAULTS:
            raise fault

    def paragraphs(self) -> Segmentation | None:
        """Return the paragraphs, if every sentence lies in one; or what else divides the text."""
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


def _text(source: Source, sentence: Element, name: str, line: int) -> str:
    kept = sentence.get(_XML_SPACE) == "preserve"
    if len(sentence) == 0:
        return sentence.text or "" if kept else tidy(sentence.text or "")
    if kept or next(sentence.iter("{*}w"), None) is None:
        for inner in map(local_name, sentence.iterdescendants()):
            if inner in INLINE:
                source.notes.add(LOST_ELEMENTS, f"{source.path} line {line}: {name}: {inner}")
        text = "".join(map(str, sentence.itertext()))
        return text if kept else tidy(text)
    text, why = laid_out([(piece.text, piece.span) for piece in tokens_of(sentence)])
    if why:
        source.notes.add(why, f"{source.path} line {line}: {name}")
    return text
