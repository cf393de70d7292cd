"""Running text to sentences: Punkt of the text's language, with a repair for quoted speech.

Punkt (Kiss and Strunk 2006) ends a sentence behind `?”`, although `said she` goes on. A piece is
joined to the one before it when it has no letter and no digit, when it begins with a closing
quotation mark, or when its first letter is lower-case behind marks, dashes, brackets and dots,
unless it begins with an opening quotation mark.

Chinese and Japanese are split behind their own stops: `。！？…` and the closing marks there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Spans = list[tuple[int, int]]

__all__ = ["MODELS", "SCRIPTS", "SentenceSplitter", "join_pieces", "known_language"]

# code: the model of Punkt
MODELS = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "ml": "malayalam",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}
# Languages whose stops end a sentence and nothing else.
SCRIPTS = ("ja", "yue", "zh")

_LONGER = {
    "ces": "cs",
    "cze": "cs",
    "dan": "da",
    "deu": "de",
    "dut": "nl",
    "ell": "el",
    "eng": "en",
    "est": "et",
    "fin": "fi",
    "fra": "fr",
    "fre": "fr",
    "ger": "de",
    "gre": "el",
    "ita": "it",
    "jpn": "ja",
    "mal": "ml",
    "nld": "nl",
    "nno": "nn",
    "nob": "nb",
    "nor": "no",
    "pol": "pl",
    "por": "pt",
    "rus": "ru",
    "slv": "sl",
    "spa": "es",
    "swe": "sv",
    "tur": "tr",
    "zho": "zh",
    "chi": "zh",
}
_OPENING, _CLOSING = "“‘«‹„‚「『《〈", "”’»›」』》〉"
_TURNED = ("„‚»›", "“‘«‹")  # where quotations open below, or with the points inward
# language: the marks that open, and those that close; a mark in neither is told by its place
_MARKS = {
    **dict.fromkeys(("cs", "da", "de", "sl"), _TURNED),
    "pl": ("„‚«", "”’»"),
    **dict.fromkeys(("fi", "sv"), ("", "")),  # one mark for both
}
_QUOTES = frozenset(_OPENING + _CLOSING + "\"'‟‛")
_LEADING = re.compile(r"[\s\"'“”‘’‟‛«»‹›„‚「」『』《》〈〉()\[\]{}….\u2010-\u2015-]*")
_WORD = re.compile(r"[^\W_]")
_STOPS = re.compile(r"[。！？…!?]+[」』》〉”’）)\]\"']*\s*|$")


def known_language(code: str) -> str:
    """Return the code of a language that text can be split in: `en` for `en-GB` and `eng`.

    Raises
    ------
    OptionError
        When there is neither a model nor a rule for it; it lists what there is.

    """
    name = re.split(r"[-_]", code.strip().lower())[0]
    name = _LONGER.get(name, name)
    if name not in MODELS and name not in SCRIPTS:
        raise OptionError(
            f"sentences of language {code!r} cannot be split: want one of "
            f"{', '.join(sorted([*MODELS, *SCRIPTS]))}, or text with one sentence a line"
        )
    return name


class SentenceSplitter:
    """Splits running text of one language into sentences.

    Parameters
    ----------
    lang : str
        The code of the language, as `en` or `de-AT`.

    Raises
    ------
    OptionError
        When there is neither a model nor a rule for the language.

    Examples
    --------
    >>> splitter = SentenceSplitter("zh")
    >>> text = "“天黑了吗？”他问。没有人回答。"
    >>> [text[start:end] for start, end in splitter.spans(text)]
    ['“天黑了吗？”', '他问。', '没有人回答。']

    """

    def __init__(self, lang: str = "en") -> None:
        self.lang = known_language(lang)
        self._pieces = _by_stops if self.lang in SCRIPTS else _punkt(MODELS[self.lang])

    def spans(self, text: str) -> NDArray[np.int64]:
        """Return the half-open spans of the sentences, shape (n, 2), in order.

        They hold every character that is no white space. A text of white space has none.
        """
        pieces = _whole(self._pieces(text), text)
        found = join_pieces(text, pieces, self.lang)
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def sentences(self, text: str) -> list[str]:
        """Return the sentences."""
        return [text[start:end] for start, end in self.spans(text).tolist()]


def join_pieces(text: str, pieces: Iterable[tuple[int, int]], lang: str = "en") -> Spans:
    """Join pieces that go on with the sentence before them; see the head of the module.

    Parameters
    ----------
    text : str
        Running text.
    pieces : iterable of (int, int)
        Half-open spans in it, ascending.
    lang : str
        Which marks open quotations and which close them, in a language of this code.

    Examples
    --------
    >>> text = '“Who is there?” said she. “Nobody.”'
    >>> [text[i:j] for i, j in join_pieces(text, [(0, 15), (16, 25), (26, 35)])]
    ['“Who is there?” said she.', '“Nobody.”']

    """
    opening, closing = _MARKS.get(lang, (_OPENING, _CLOSING))
    found: Spans = []
    for start, end in pieces:
        if found and _goes_on(text, start, end, opening, closing):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _goes_on(text: str, start: int, end: int, opening: str, closing: str) -> bool:
    first = text[start]
    # The case by far the most frequent, at once.
    if first.isalpha():
        return first.islower()
    if first in _QUOTES and _closes(text, start, end, opening, closing):
        return True
    begun = _WORD.search(text, start, end)
    if begun is None:
        return True
    if first in _QUOTES and first != "'":  # that is an apostrophe as often
        return False
    lead = _LEADING.match(text, start, end)
    return lead is not None and lead.end() == begun.start() and text[begun.start()].islower()


def _closes(text: str, start: int, end: int, opening: str, closing: str) -> bool:
    """Tell whether the mark there closes a quotation: by itself, else by what comes next."""
    mark = text[start]
    if mark in closing:
        return True
    if mark in opening:
        return False
    follower = text[start + 1 : min(start + 2, end)]
    return not follower or not (follower.isalnum() or follower in _QUOTES)


def _whole(pieces: Iterable[tuple[int, int]], text: str) -> Spans:
    """Leave out white space at the ends of pieces, and pieces of nothing else."""
    found = []
    for start, end in pieces:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            begin = start + len(piece) - len(piece.lstrip())
            found.append((begin, begin + len(inner)))
    return found


def _by_stops(text: str) -> Spans:
    ends = [found.end() for found in _STOPS.finditer(text)]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _punkt(model: str) -> Callable[[str], Any]:
    import punkt

    tokenizer = punkt.tokenizer_for(model)
    spans: Callable[[str], Any] = tokenizer.span_tokenize
    return spans
