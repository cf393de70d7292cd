"""Reading documents as machines write them: all sentences of a piece of the file at once.

A sentence here has its id in a start tag with the attributes of the first one, in that order; in
it are text, elements `time`, or tokens (`w`) alike the first one. Between sentences are whole tags.
Everything else is the parser's (see `bitext.formats.xml.fast`).

What this buys, measured beside the parser on the documents of 60,000 made links (`make_links` of
`scripts/bench/convert_made.py`): 0.38 s of CPU in place of 0.82 s without tokens, 1.7 s in place
of 6.5 s with an element a token.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.opus_documents.sentences import NO_SPANS, SPACE, laid_out, tidy
from bitext.formats.xml.fast import ATTRIBUTES, NAME, VALUE, attribute_names
from bitext.formats.xml.text import unescape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.xml.fast import Piece, Tags

__all__ = ["Found", "Shape"]

_END = "</s>"
_NUL, _JOINT = "\0", "\1"  # which no piece has
_ODD = (" ", "\n", "\t", "\r", _JOINT * 2, _NUL + _JOINT, _JOINT + _NUL)
_KEY = re.compile(rf" ((?:xml:)?{NAME})={VALUE}", re.ASCII)
_QUICK_SENTENCE = re.compile(rf"<s({ATTRIBUTES})( ?)>", re.ASCII)
_TOKEN = re.compile(rf"<w({ATTRIBUTES})>", re.ASCII)
_CLOSING = re.compile(r"</w>\s*\0", re.ASCII)
_GAP = re.compile(r"</w>(\s*)<w ", re.ASCII)
_TIME = re.compile(rf"<time({ATTRIBUTES}) ?/>", re.ASCII)
_NEXT_PARAGRAPHS = re.compile(rf"(?:</p>[^<\0]*<p(?: id={VALUE})?>[^<\0]*\0)*", re.ASCII)


class Found(NamedTuple):
    """The sentences of a piece.

    Attributes
    ----------
    ids, texts : list of str
        One each a sentence.
    ends : list of int
        The number of sentences before each end of an outermost paragraph.
    outside : int
        The number of sentences in no paragraph.
    unplaced : dict
        Why the tokens of sentences were joined with a blank: which sentences.

    """

    ids: list[str]
    texts: list[str]
    ends: list[int]
    outside: int
    unplaced: dict[str, list[int]]


class Shape:
    """How the sentences of a document are written, told by the first one in a text."""

    def __init__(self, text: str) -> None:
        first = _QUICK_SENTENCE.search(text)
        names = attribute_names(first[1].replace(" xml:id=", " id=")) if first else None
        self.known = names is not None and "id" in names
        tag = _expected(first[1], "id") + first[2] if first else ""
        # As a set, the slash ends the literal beginning of the expression: a search for one
        # character is faster than one for four.
        run = r"(<(?!s[ >])[^<]*(?:<(?!s[ >])[^<]*)*)"
        self._border = re.compile(rf"<[/\0]s>[^<]*{run}?<s{tag}>", re.ASCII)
        token = _TOKEN.search(text)
        keys = attribute_names(token[1]) if token else None
        self._has_span = keys is not None and "span" in keys
        self._apart = keys is not None and not self._has_span
        self._token: re.Pattern[str] | None = None
        if token and keys is not None:
            tag = rf"<w{_expected(token[1], 'span')}>"
            self._token = re.compile(rf"{tag}([^<]*)</w>", re.ASCII)
            gap = _GAP.search(text, token.end())
            # With what mostly stands between two tokens as it is, a search is faster.
            self._usual = re.compile(rf"</w>{gap[1] if gap else ''}{tag}", re.ASCII)
            self._between = re.compile(rf"</w>\s*{tag}", re.ASCII)
            self._opening = re.compile(rf"\0\s*{tag}", re.ASCII)

    def line_of(self, piece: Piece, k: int) -> int:
        """Return the line on which sentence `k` of a piece begins."""
        text = _END + piece.text
        found = next(islice(self._border.finditer(text), k, None))
        return piece.line + text.count("\n", 0, found.end())

    def take(self, piece: Piece, tags: Tags) -> Found | None:
        """Return the sentences of a piece, and take up its tags; `None` where it is odd.

        A piece begins behind the end of a sentence, and ends with the end of one.
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
        whole = _NUL.join(inner)
        unplaced: dict[str, list[int]] = {}
        if "<" in whole:
            texts = self._texts(inner, unplaced, references=piece.references)
            if texts is None:
                return None
        else:
            texts = _tidied(inner, whole, references=piece.references)
        if piece.references and "&" in "".join(ids):
            ids = list(map(unescape, ids))
        return Found(ids, texts, *placed, unplaced)

    def _texts(
        self, inner: list[str], unplaced: dict[str, list[int]], *, references: bool
    ) -> list[str] | None:
        """Return the texts of sentences that may have elements in them; `None` for odd ones."""
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
        """Return the texts of sentences, also given as one string, that are of plain tokens only.

        Those are tokens without spans and with no white space in them, as most are; `None` where
        there is anything else.
        """
        if not self._apart:
            return None
        joined = _JOINT.join(self._usual.split(f"{_NUL}{whole}{_NUL}"))  # faster than `sub`
        joined, opened = self._opening.subn(_NUL, joined)
        joined, closed = _CLOSING.subn(_NUL, joined)
        if opened != closed or opened != len(inner) - _without_tags(inner, opened):
            return None  # a first token does not begin, or a last one does not end
        if "<" in joined:
            joined = self._between.sub(_JOINT, joined)
        if "<" in joined:
            return None
        joined = unescape(joined) if references else joined
        if any(odd in joined for odd in _ODD):
            return None  # white space in a token, or none in one, or a sentence without any
        return joined[1:-1].replace(_JOINT, " ").split(_NUL)

    def _laid_out(self, sentence: str, *, references: bool) -> tuple[str, str] | None:
        """Return the text of tokens, as `laid_out` does; `None` where there is anything else."""
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
            if whole.split() == words:  # the usual case, and the fast one
                return whole, NO_SPANS
        spans: Sequence[str | None] = parts[1::step] if self._has_span else [None] * len(words)
        tokens = zip(map(tidy, words), spans, strict=True)
        return laid_out([(word, span) for word, span in tokens if word])


def _without_tags(inner: Sequence[str], most: int) -> int:
    """Return how many sentences have no tag, if fewer than all have one."""
    return 0 if most == len(inner) else sum("<" not in sentence for sentence in inner)


def _expected(attributes: str, name: str) -> str:
    """Return an expression for these attributes, whatever their values, that takes one of them."""
    out = ""
    for key in _KEY.findall(attributes):
        value = f'"({VALUE[1:-1]})"' if key.rpartition(":")[2] == name else VALUE
        out += f" {re.escape(key)}={value}"
    return out


def _last(piece: Piece, tags: Tags) -> Found | None:
    """Take up what follows the last sentence."""
    text, *rest = piece.text.split("<")
    if tags.closed and text.strip(SPACE):
        return None
    closes = _closes(rest, tags)
    return None if closes is None else Found([], [], [0] * closes, 0, {})


def _closes(run: list[str], tags: Tags) -> int | None:
    """Take up tags; return how many paragraphs end that are in no other, `None` for odd tags."""
    closes, paragraphs = 0, tags.count("p")
    for tag in run:
        if tags.take(tag) is None:
            return None
        was, paragraphs = paragraphs, tags.count("p")
        closes += was == 1 and paragraphs == 0
    return closes


def _placed(runs: list[str | None], tags: Tags) -> tuple[list[int], int] | None:
    """Take up the tags before each sentence; return the ends of paragraphs, and what is in none.

    `None` where tags are odd.
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


def _tidied(inner: list[str], whole: str, *, references: bool) -> list[str]:
    """Return the texts of sentences, which are also given as one string, without elements."""
    texts = inner
    if references and "&" in whole:
        whole = unescape(whole)
        texts = whole.split(_NUL)
    stripped = [text.strip(SPACE) for text in texts]
    if "\n" in whole or "\r" in whole:
        return [tidy(text) if "\n" in text or "\r" in text else text for text in stripped]
    return stripped
