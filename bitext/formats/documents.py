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
it is taken as one blank, for it comes from pretty-printing; other runs are kept. In a sentence with
tokens white space beside the tokens is not text, any other character is.

Kept: ids, text, paragraphs (where each sentence lies in an element `p`), the language of the root.
Lost: tags of tokens, chunks, times, inline marks, headers, everything outside of sentences.
The encoding is the declared one. Document types are never fetched.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import iterate, line_of, local_name
from bitext.model import Segmentation, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["is_document", "read_document"]

_ROOTS = {"text", "document", "doc", "cesDoc", "cesAna", "body", "corpus"}
_SENTENCE = re.compile(rb"<(?:[\w.-]+:)?s[\s>]")
_LANGUAGE = re.compile(r"(?:^|\s)(?:xml:lang|lang|language)\s*=\s*[\"']([^\"']*)[\"']")
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_SPACE = " \t\r\n"
_RUN = re.compile(r"[ \t\r\n]+")
_SPAN = re.compile(r"(\d{1,12}):(\d{1,12})", re.ASCII)


def is_document(head: bytes) -> bool:
    """Tell by its first bytes whether a file is an XML document, not one segment a line.

    It is when it begins with an XML declaration or a document type, or with the root element of
    a known kind of document and a sentence near to it.
    """
    prolog = read_prolog(head)
    if prolog.declared or prolog.doctype:
        return True
    return prolog.name in _ROOTS and _SENTENCE.search(head) is not None


def read_document(source: Source) -> Text:
    """Read the sentences of a document.

    Notes on what was odd are added to those of the source.

    Raises
    ------
    FormatError
        When the file is not well-formed or not safe to read, a sentence has no id or the id of
        another, sentences lie in each other, or there are none; with the line.

    """
    language = _LANGUAGE.search(read_prolog(source.head()).attributes)
    reader = _Reader(source)
    for event, element in iterate(source, start=("p", "s"), end=("p", "s")):
        reader.take(event, element)
    if not reader.ids:
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


class _Reader:
    """Collects the sentences of a document and the paragraphs around them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.ids: list[str] = []
        self.texts: list[str] = []
        self._known: set[str] = set()
        self._inside = False
        self._depth = 0  # of p in p
        self._outside = 0  # sentences in no p
        self._ends: list[int] = []

    def take(self, event: str, element: Element) -> None:
        if local_name(element) == "p":
            self._depth += 1 if event == "start" else -1
            if not self._depth:
                self._ends.append(len(self.ids))
        elif event == "start":
            self._open(element)
        else:
            self._inside = False
            self.texts.append(_text(self._source, element, self.ids[-1]))

    def _open(self, element: Element) -> None:
        line = line_of(element)
        name = element.get("id") or element.get(_XML_ID)
        if self._inside:
            raise self._source.error(
                f"has a sentence (s) inside the sentence {self.ids[-1]!r}; end that one before",
                line,
            )
        if not name:
            raise self._source.error(
                "has a sentence (s) without an id, which no alignment can name; give each s an "
                "attribute id",
                line,
            )
        if name in self._known:
            raise self._source.error(
                f"has a second sentence with the id {name!r}; give each s an id of its own, and "
                f"align anew what pointed there",
                line,
            )
        self._known.add(name)
        self.ids.append(name)
        self._inside = True
        self._outside += not self._depth

    def paragraphs(self) -> Segmentation | None:
        """Return the paragraphs, if every sentence lies in one."""
        if self._outside:
            return None
        begins = [0, *self._ends]
        masses = [end - begin for begin, end in pairwise(begins)]
        return Segmentation([mass for mass in masses if mass])


def _text(source: Source, sentence: Element, name: str) -> str:
    if len(sentence) == 0:
        return _tidy(sentence.text or "")
    if next(sentence.iter("{*}w"), None) is None:
        return _tidy("".join(map(str, sentence.itertext())))
    pieces = list(_pieces(sentence))
    spaced = _by_spans(pieces)
    if spaced is not None:
        return spaced
    if len(pieces) == 1:
        return pieces[0][0]
    spans = sum(span is not None for _, span in pieces)
    source.notes.add(
        "sentences of tokens whose spans contradict each other, joined with one blank"
        if spans == len(pieces) > 0
        else "sentences of tokens without spans, joined with one blank",
        f"{source.path} line {line_of(sentence)}: {name}",
    )
    return " ".join(text for text, _ in pieces)


def _tidy(text: str) -> str:
    """Strip white space from the ends; make one blank of each run that has a line end."""
    text = text.strip(_SPACE)
    if "\n" in text or "\r" in text:
        return _RUN.sub(lambda run: " " if "\n" in run[0] or "\r" in run[0] else run[0], text)
    return text


def _pieces(element: Element) -> Iterator[tuple[str, str | None]]:
    """Yield the tokens of a sentence, and text beside them, each with its span or `None`."""
    yield from _beside(element.text)
    for child in element:
        if local_name(child) == "w":
            token = _tidy("".join(map(str, child.itertext())))
            if token:
                yield token, child.get("span")
        else:
            yield from _pieces(child)
        yield from _beside(child.tail)


def _beside(text: str | None) -> Iterator[tuple[str, None]]:
    if text and (kept := _tidy(text)):
        yield kept, None


def _by_spans(pieces: list[tuple[str, str | None]]) -> str | None:
    """Put tokens where their spans say; `None` when they do not say it, or contradict it."""
    out: list[str] = []
    at: int | None = None
    for text, span in pieces:
        found = _SPAN.fullmatch(span or "")
        if not found:
            return None
        start, length = int(found[1]), int(found[2])
        if length != len(text) or (at is not None and start < at):
            return None
        if at is not None and start > at:
            out.append(" ")
        out.append(text)
        at = start + length
    return "".join(out)
