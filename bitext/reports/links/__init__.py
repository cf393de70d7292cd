"""Word links of a gold standard and of systems laid over each other, pair by pair, for a page.

A link of a sentence pair is of one kind for each system:

- *agreed*: sure in the gold standard, and proposed by the system.
- *allowed*: only possible in the gold standard, and proposed by the system.
- *missed*: sure in the gold standard, and not proposed.
- *open*: only possible in the gold standard, and not proposed, which is no error.
- *wrong*: proposed by the system, and not in the gold standard.

Missed and wrong links are the differences. Of many sentence pairs, a page has those with the most
differences, so that it stays small; figures are over all pairs.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from bitext.errors import InputError
from bitext.kernels.arrays import Floats, Ints, Singles, prefix
from bitext.metrics.link_scores import link_scores
from bitext.model import Counts, CountsTable
from bitext.model.word_links import NULL, WordLinks
from bitext.reports.alignment import harmless
from bitext.reports.table import printable

if TYPE_CHECKING:
    from bitext.metrics.evaluation.links import LinkErrors

    Words = tuple[Sequence[Sequence[str]] | None, Sequence[Sequence[str]] | None]


# Sentence pairs whose word links differ from the gold standard, for readers and as JSON.

_NULL_WORD = "(none)"  # in the place of a word, in links to NULL


@dataclass(frozen=True, slots=True)
class PairView:
    """A sentence pair for display."""

    system: str
    text: str
    errors: LinkErrors  # the links that differ
    src: tuple[str, ...] | None  # the source words, if known
    tgt: tuple[str, ...] | None  # the target words, if known

    @property
    def weight(self) -> int:
        """The number of missing and wrong links."""
        return self.errors.weight

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document; pairs count from 1, positions from 0."""
        return {
            "system": self.system,
            "text": self.text,
            "pair": self.errors.pair + 1,
            "weight": self.errors.weight,
            "unit": "links",
            "right": self.errors.right,
            "missing": [list(link) for link in self.errors.missing],
            "wrong": [list(link) for link in self.errors.wrong],
            "src_words": None if self.src is None else list(self.src),
            "tgt_words": None if self.tgt is None else list(self.tgt),
        }


def restored(held: dict[str, Any]) -> PairView:
    """Return a pair from its `dataclasses.asdict`, which may have been JSON."""
    from bitext.metrics.evaluation.links import LinkErrors

    pair, missing, wrong, right = held["errors"]
    errors = LinkErrors(pair, [(i, j) for i, j in missing], [(i, j) for i, j in wrong], right)
    sides = [None if held[side] is None else tuple(held[side]) for side in ("src", "tgt")]
    return PairView(held["system"], held["text"], errors, *sides)


def view(
    errors: LinkErrors,
    words: tuple[list[list[str]] | None, list[list[str]] | None],
    *,
    system: str,
    text: str,
) -> PairView:
    """Return the errors of a pair with its words."""
    src, tgt = (None if side is None else tuple(side[errors.pair]) for side in words)
    return PairView(system, text, errors, src, tgt)


def render(place: PairView, *, number: int) -> str:
    """Format a pair as text: its sentences, the missing links and the wrong ones."""
    errors = place.errors
    place_name = f"{place.text}, pair {errors.pair + 1}"
    counts = f"{len(errors.missing)} missing, {len(errors.wrong)} wrong, {errors.right} right"
    lines = [f"{number}. {place.system}, {place_name}: {counts}"]
    for mark, side in (("<", place.src), (">", place.tgt)):
        if side is not None:
            lines.append(f"  {mark} {' '.join(side)}")
    for name, links in (("missing", errors.missing), ("wrong", errors.wrong)):
        if links:
            words = ", ".join(_link(link, place.src, place.tgt) for link in links)
            lines.append(f"  {name:7} {words}")
    return "\n".join(map(printable, lines)) + "\n"


def _link(link: tuple[int, int], src: Sequence[str] | None, tgt: Sequence[str] | None) -> str:
    i, j = link
    positions = f"{'' if i < 0 else i}-{'' if j < 0 else j}"
    if src is None or tgt is None:
        return positions
    return f"{_word(i, src)}={_word(j, tgt)} ({positions})"


def _word(position: int, words: Sequence[str]) -> str:
    return words[position] if position >= 0 else _NULL_WORD


KINDS = {"a": "agreed", "l": "allowed", "m": "missed", "o": "open", "w": "wrong"}

_MOST_PAIRS = 1_000  # sentence pairs of a page at most,
_LEAST_PAIRS = 20  # and at least, with fewer pairs for many systems
_MOST_VIEWS = 20_000  # pairs times systems of a page
_WORDS = 500  # words of a side
_WORD = 60  # characters of a word
_NAME = 80  # characters of a name
_UNSURE = 1_000_000  # weight of a sentence pair of probability 0
_NO, _POSSIBLE, _SURE = 0, 1, 2  # the status of a link in the gold standard


class PairLink(NamedTuple):
    """A link of the gold standard or of a system."""

    src: int  # position from 0; -1 for no word
    tgt: int  # likewise
    gold: int  # 2 for sure in the gold standard, 1 for only possible, else 0
    systems: tuple[int, ...]  # the indices of the systems with this link, from 0


class PagePair(NamedTuple):
    """A sentence pair of a page."""

    text: str  # the name of its text; may be empty
    number: int  # its number in that text
    src: tuple[str, ...] | None  # its first 500 source words, if known
    tgt: tuple[str, ...] | None  # its first 500 target words, if known
    sizes: tuple[int, int]  # the numbers of words, or of linked positions, of its sides
    links: tuple[PairLink, ...]  # its links, ascending, without those beyond the first 500 words
    left_out: int  # the number of links left out
    counts: tuple[Counts, ...]  # the counts of each system, over all links
    probability: float = nan  # of links alone, `pair_probabilities`; `nan` if unknown
    # Of links alone, the probability of each link, and if known those of both directions; empty if
    # unknown.
    chances: tuple[tuple[float, ...], ...] = ()


def kind_of(link: PairLink, system: int) -> str:
    """Return the kind of a link for a system, a key of `KINDS`; empty for another system's link.

    Examples
    --------
    >>> kind_of(PairLink(0, 0, 1, (0,)), 0), kind_of(PairLink(0, 0, 2, (0,)), 1)
    ('l', 'm')
    >>> kind_of(PairLink(0, 0, 0, (0,)), 1)
    ''

    """
    has = system in link.systems
    if link.gold == _NO:
        return "w" if has else ""
    if link.gold == _SURE:
        return "a" if has else "m"
    return "l" if has else "o"


class LinkData:
    """The counts of texts, collected one by one, with the sentence pairs of a page.

    There are no systems for a gold standard alone. The page has `most` sentence pairs: those with
    the most differences over all systems, or the least probable ones of links alone, the first
    among equals; by default 1,000, or fewer for more than 20 systems. The first sentence pair of a
    text has the number `count_from`.
    """

    def __init__(
        self, systems: Sequence[str], *, most: int | None = None, count_from: int = 1
    ) -> None:
        self.systems = tuple(systems)
        self.counts = [Counts(0, 0, 0, 0) for _ in systems]  # over all texts
        # The sentence pairs, and those in which a system differs from the gold standard.
        self.size = self.differing = self._texts = 0
        self.scored = False  # whether there are links alone, with probabilities
        if most is None:
            most = min(_MOST_PAIRS, max(_LEAST_PAIRS, _MOST_VIEWS // max(len(self.systems), 1)))
        self._most, self._count_from = most, count_from
        self._held: list[tuple[int, int, PagePair]] = []

    @property
    def several(self) -> bool:
        """Whether there is more than one text."""
        return self._texts > 1

    def add(
        self,
        gold: WordLinks,
        hyps: Sequence[WordLinks],
        words: Words = (None, None),
        *,
        text: str = "",
        sure_only: bool = False,
        directions: Sequence[Singles] = (),
        numbers: Sequence[int] | None = None,
    ) -> None:
        """Add a text: its gold standard, the links of each system, and its words if known.

        Of links alone, `directions` are their probabilities forward and backward. `numbers` are the
        numbers of the pairs in their text; by default the pairs are counted.

        Raises `InputError` when the number of systems, or the number of sentence pairs of a system
        or a side, is wrong.
        """
        if len(hyps) != len(self.systems):
            raise InputError(f"{len(hyps)} hypotheses for {len(self.systems)} systems")
        for side, sentences in zip(("source", "target"), words, strict=True):
            if sentences is not None and len(sentences) != len(gold):
                raise InputError(
                    f"{len(sentences)} {side} sentences for {len(gold)} sentence pairs"
                )
        if sure_only:
            gold = gold.where(gold.sure)
        # The weight ranks pairs: the links in which systems and the gold standard differ.
        weight = np.zeros(len(gold), dtype=np.int64)
        tables = [cast("CountsTable", link_scores.many(gold, hyp)) for hyp in hyps]
        for system, table in enumerate(tables):
            hits, proposed, expected, found = table.counts.T
            weight += proposed - hits + expected - found
            self.counts[system] += Counts(*table.counts.sum(axis=0).tolist())
        self._texts += 1
        self.differing += int((weight > 0).sum())
        # Without systems, the least probable pairs come first.
        scored = not self.systems and _are_probabilities(gold)
        chances = np.zeros((0, 0))
        probabilities = np.full(len(gold), nan)
        if scored and gold.confidences is not None:
            self.scored = True
            probabilities = pair_probabilities(gold, words)
            weight = _UNSURE - np.nan_to_num(probabilities * _UNSURE, nan=_UNSURE).astype(np.int64)
            chances = np.stack([gold.confidences, *directions], axis=1)
        for k in self._worst(weight):
            counts = tuple(table[k] for table in tables)
            links = _laid_over(gold[k], [hyp[k] for hyp in hyps])
            sides = [None if side is None else side[k] for side in words]
            number = k + self._count_from if numbers is None else numbers[k]
            pair = _pair(links, sides, counts, text=text, number=number)
            if scored:
                values_of_links = chances[gold.ptr[k] : gold.ptr[k + 1]].tolist()
                pair = pair._replace(
                    probability=float(probabilities[k]),
                    chances=tuple(
                        tuple(values)
                        for link, values in zip(links, values_of_links, strict=True)
                        if max(link.src, link.tgt) < _WORDS
                    ),
                )
            heapq.heappush(self._held, (int(weight[k]), -self.size - k, pair))
            if len(self._held) > self._most:
                heapq.heappop(self._held)
        self.size += len(gold)

    def _worst(self, weight: Ints) -> list[int]:
        """Return the worst pairs of a text, as many as a page has."""
        order = np.argsort(-weight, kind="stable")[: self._most]
        return sorted(order.tolist())

    def pairs(self) -> list[PagePair]:
        """Return the sentence pairs of the page, in the order of the texts."""
        return [pair for _, _, pair in sorted(self._held, key=lambda held: -held[1])]

    def to_json(self, *, alpha: float = 0.5) -> dict[str, Any]:
        """Return the data for the script of the page; `alpha` is the weight of precision in F."""
        return {
            "systems": [harmless(name, _NAME) for name in self.systems],
            "size": self.size,
            **({"scored": True} if self.scored else {}),
            "pairs": [
                {
                    "text": harmless(pair.text, _NAME) if self.several else "",
                    "number": pair.number,
                    "src": _harmless(pair.src),
                    "tgt": _harmless(pair.tgt),
                    "sizes": pair.sizes,
                    "links": pair.links,
                    "leftOut": pair.left_out,
                    "figures": [
                        [rounded(value) for value in figures_of(counts, alpha=alpha)]
                        for counts in pair.counts
                    ],
                    **(_chances(pair) if self.scored else {}),
                }
                for pair in self.pairs()
            ],
        }


def _chances(pair: PagePair) -> dict[str, Any]:
    """Return the probabilities of a pair and of its links."""
    return {
        "probability": rounded(pair.probability),
        "chances": [[rounded(value) for value in values] for values in pair.chances],
    }


def _are_probabilities(links: WordLinks) -> bool:
    """Distinguish probabilities (True) from logarithms, which some aligners give as confidences."""
    if links.confidences is None:
        return False
    confidences = links.confidences[~np.isnan(links.confidences)]
    return bool(confidences.size and confidences.min() >= 0 and confidences.max() <= 1)


def pair_probabilities(links: WordLinks, words: Words = (None, None)) -> Floats:
    """Return the probability of the links of each sentence pair, over its words of both sides.

    A word counts with the probability of its best link, one without a link with 0. `nan` for a pair
    with an empty side, and for one with a link whose probability is unknown.

    Examples
    --------
    >>> links = WordLinks([0, 2, 2], [0, 0], [0, 1], confidences=[0.9, 0.5])
    >>> pair_probabilities(links, ([["a", "b"], []], [["c", "d"], ["e"]])).round(3).tolist()
    [0.575, nan]

    """
    chances = np.full(links.src.size, nan) if links.confidences is None else links.confidences
    sums, counts = np.zeros(len(links)), np.zeros(len(links))
    unknown = np.bincount(links.pair[np.isnan(chances)], minlength=len(links)) > 0
    chances = np.nan_to_num(chances)
    sides = (links.src, links.src_sizes, words[0]), (links.tgt, links.tgt_sizes, words[1])
    for positions, sizes_known, sentences in sides:
        linked = np.zeros(len(links), dtype=np.int64)
        np.maximum.at(linked, links.pair, positions + 1)
        sizes = linked if sizes_known is None else sizes_known
        if sentences is not None:
            sizes = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        sizes = np.maximum(sizes, linked)
        begins = prefix(sizes)
        best = np.zeros(int(begins[-1]))
        is_word = positions > NULL
        place = begins[:-1][links.pair[is_word]] + positions[is_word]
        np.maximum.at(best, place, chances[is_word])
        sums += np.bincount(np.repeat(np.arange(sizes.size), sizes), best, sizes.size)
        counts += sizes
        unknown |= sizes == 0
    result: Floats = np.where(unknown, nan, sums / np.maximum(counts, 1))
    return result


def figures_of(counts: Counts, *, alpha: float = 0.5) -> tuple[float, float, float, float]:
    """Return precision, recall, F and AER."""
    return counts.precision, counts.recall, counts.f(alpha), counts.aer


def rounded(value: float) -> float | None:
    """Return a figure rounded to four digits, `None` if undefined."""
    return None if isnan(value) else round(value, 4)


def _harmless(words: tuple[str, ...] | None) -> list[str] | None:
    return None if words is None else [harmless(word, _WORD) for word in words]


def _pair(
    links: list[PairLink],
    sides: list[Sequence[str] | None],
    counts: tuple[Counts, ...],
    *,
    text: str,
    number: int,
) -> PagePair:
    """Return a sentence pair for a page: its first words and their links."""
    positions = [[link.src for link in links], [link.tgt for link in links]]
    src, tgt = (
        len(words) if words is not None else 1 + max(linked, default=NULL)
        for words, linked in zip(sides, positions, strict=True)
    )
    side_words = [None if side is None else tuple(side[:_WORDS]) for side in sides]
    shown_links = tuple(link for link in links if max(link.src, link.tgt) < _WORDS)
    return PagePair(
        text,
        number,
        side_words[0],
        side_words[1],
        (src, tgt),
        shown_links,
        len(links) - len(shown_links),
        counts,
    )


def _laid_over(gold: WordLinks, hyps: Sequence[WordLinks]) -> list[PairLink]:
    """Return the links of a sentence pair by the gold standard or any system, ascending."""
    marks = {link: _SURE if sure else _POSSIBLE for link, sure in _links(gold)}
    having: dict[tuple[int, int], list[int]] = {link: [] for link in marks}
    for system, hyp in enumerate(hyps):
        for link, _ in _links(hyp):
            having.setdefault(link, []).append(system)
    return [
        PairLink(*link, marks.get(link, _NO), tuple(systems))
        for link, systems in sorted(having.items())
    ]


def _links(pair: WordLinks) -> Iterator[tuple[tuple[int, int], bool]]:
    positions = zip(pair.src.tolist(), pair.tgt.tolist(), strict=True)
    yield from zip(positions, pair.sure.tolist(), strict=True)
