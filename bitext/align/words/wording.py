"""What a path through a lattice says: which sentences it goes along, in which words, as text.

A path is cut into *spans*, runs of nodes that some sentence has in full, one after another. From
the left, each span is as long as it can be, and so the spans are as few as they can be: a run that
begins later never ends earlier. The words of a span are those of one of its sentences: that of the
span before if it is among them, else the earliest.

A word that begins its sentence, and stands within this one, is written as the cluster has it within
sentences. Where the cluster does not have it there, its first letter is made small unless it is
tagged as a name, is `I`, or looks like an adjective of a country; without tags, only words of the
stop list are. The first word of a path begins with a capital, unless it has one elsewhere (iPhone).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bitext.align.words.stop_words import is_stop_word
from bitext.model.sentence import folded, is_word
from bitext.syntax.detokenize import detokenize, gaps_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.model.lattice import Lattice
    from bitext.model.sentence import Token

__all__ = ["Span", "Worded", "Wording", "key_of"]

_COUNTRY = re.compile(r"\w{2,}(?:ian|ean|can|ese|ish|eli|aqi|ani)\Z")


class Span(NamedTuple):
    """A run of words that one or more sentences have.

    Attributes
    ----------
    first, end : int
        The first word, and the last word + 1.
    sentences : tuple of int
        All sentences that have the whole run.

    """

    first: int
    end: int
    sentences: tuple[int, ...]


class Worded(NamedTuple):
    """A path in words.

    Attributes
    ----------
    forms : tuple of str
        The words as they are written here.
    tokens : tuple of Token
        The words as they stand in the sentences that they are taken from.
    places : tuple of (int, int)
        Sentence and word that each is taken from.
    spans : tuple of Span

    """

    forms: tuple[str, ...]
    tokens: tuple[Token, ...]
    places: tuple[tuple[int, int], ...]
    spans: tuple[Span, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """What makes it the same as another: the folded words, marks left out."""
        return key_of(self.forms)


class Wording:
    """Puts paths of one lattice into words.

    Parameters
    ----------
    lattice : Lattice

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["A", "ferry", "burns"]), Sentence(["The", "ferry", "sank"])])
    >>> wording = Wording(Lattice(c, [[0, 1, 2], [3, 1, 4]]))
    >>> said = wording.of([0, 1, 3, 5, 6])
    >>> said.forms, said.spans
    (('A', 'ferry', 'sank'), (Span(first=0, end=2, sentences=(0,)),
      Span(first=2, end=3, sentences=(1,))))

    """

    def __init__(self, lattice: Lattice) -> None:
        self._sentences = lattice.cluster.sentences
        ptr, node = lattice.paths.ptr.tolist(), lattice.paths.idx.tolist()
        # Sets of sentences are the bits of integers.
        self._on = [0] * len(lattice)
        self._along: dict[tuple[int, int], int] = {}
        self._word: dict[tuple[int, int], int] = {}
        for sentence in range(len(self._sentences)):
            bit, before = 1 << sentence, lattice.start
            for word, here in enumerate(node[ptr[sentence] : ptr[sentence + 1]]):
                self._on[here] |= bit
                self._along[before, here] = self._along.get((before, here), 0) | bit
                self._word[sentence, here] = word
                before = here
        self._forms = [frozenset(map(folded, sentence.forms)) for sentence in self._sentences]
        self._first = [_first_word(sentence.forms) for sentence in self._sentences]
        self._inside = self._seen_inside()
        self._gaps: dict[int, list[bool | None]] = {}

    def of(self, path: Sequence[int]) -> Worded:
        """Return what a path says; start and accept may be among its nodes, and are left out."""
        nodes = [node for node in path if self._on[node]]
        spans = self._spans(nodes)
        forms: list[str] = []
        tokens: list[Token] = []
        places: list[tuple[int, int]] = []
        before = -1
        for first, end, mask in spans:
            source = before if before >= 0 and mask >> before & 1 else _lowest(mask)
            before = source
            for node in nodes[first:end]:
                word = self._word[source, node]
                token = self._sentences[source][word]
                begins = word == self._first[source] and any(map(is_word, forms))
                forms.append(self._within(token) if begins else token.form)
                tokens.append(token)
                places.append((source, word))
        first = _first_word(forms)
        if first >= 0:
            forms[first] = _capital(forms[first])
        told = tuple(Span(first, end, _members(mask)) for first, end, mask in spans)
        return Worded(tuple(forms), tuple(tokens), tuple(places), told)

    def text(self, worded: Worded, path: Sequence[int]) -> str:
        """Return the words as text, spaced as in a sentence that has them side by side."""
        nodes = [node for node in path if self._on[node]]
        gaps = []
        for k in range(len(nodes) - 1):
            mask = self._along[nodes[k], nodes[k + 1]]
            source = worded.places[k][0]
            source = source if mask >> source & 1 else _lowest(mask)
            gaps.append(self._spacing(source)[self._word[source, nodes[k]]])
        return detokenize(worded.forms, gaps=gaps)

    def whole(self, run: Sequence[int]) -> bool:
        """Tell whether some sentence has a run of nodes in full, one right after another."""
        mask = self._on[run[0]]
        for step in pairwise(run):
            mask &= self._along.get(step, 0)
        return mask > 0

    def together(self, one: str, other: str) -> bool:
        """Tell whether some sentence has two words, by their forms."""
        return any({folded(one), folded(other)} <= forms for forms in self._forms)

    def _spans(self, nodes: Sequence[int]) -> list[tuple[int, int, int]]:
        spans, first = [], 0
        while first < len(nodes):
            mask, end = self._on[nodes[first]], first + 1
            while end < len(nodes) and (
                longer := mask & self._along.get((nodes[end - 1], nodes[end]), 0)
            ):
                mask, end = longer, end + 1
            spans.append((first, end, mask))
            first = end
        return spans

    def _spacing(self, sentence: int) -> list[bool | None]:
        if sentence not in self._gaps:
            held = self._sentences[sentence]
            self._gaps[sentence] = gaps_of(held.forms, held.text)
        return self._gaps[sentence]

    def _seen_inside(self) -> dict[str, str]:
        """Return how each word is written most often where it does not begin a sentence."""
        seen: dict[str, Counter[str]] = {}
        for first, sentence in zip(self._first, self._sentences, strict=True):
            for word, form in enumerate(sentence.forms):
                if word > first:
                    seen.setdefault(folded(form), Counter())[form] += 1
        return {word: max(forms, key=forms.__getitem__) for word, forms in seen.items()}

    def _within(self, token: Token) -> str:
        """Write a word that begins its sentence as one within a sentence."""
        form = token.form
        if form[1:] != form[1:].lower() or form == form.lower():
            return form
        if folded(form) in self._inside:
            return self._inside[folded(form)]
        if form == "I" or token.pos.startswith("NNP"):
            return form
        tagged = token.pos and not (token.pos.startswith("JJ") and _COUNTRY.match(form))
        return form.lower() if tagged or is_stop_word(form) else form


def key_of(forms: Sequence[str]) -> tuple[str, ...]:
    """Return what makes words the same as others: folded, marks left out if words are left."""
    words = tuple(folded(form) for form in forms if is_word(form))
    return words or tuple(map(folded, forms))


def _first_word(forms: Sequence[str]) -> int:
    return next((k for k, form in enumerate(forms) if is_word(form)), -1)


def _capital(form: str) -> str:
    return form[0].upper() + form[1:] if form == form.lower() else form


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _members(mask: int) -> tuple[int, ...]:
    out = []
    while mask:
        out.append(_lowest(mask))
        mask &= mask - 1
    return tuple(out)
