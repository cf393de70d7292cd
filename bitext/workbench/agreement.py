"""Agreement of annotators about alignments, word links and boundaries, and the progress of each.

Only confirmed beads count, which are decisions of people. Proposals that nobody has touched are the
same for all annotators, and would pass for agreement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations, pairwise
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.kernels.arrays import Bools
from bitext.model import Alignment, Bitext, Counts, Segmentation, Text, WordLinks
from bitext.workbench.changes import SIDES, Bead
from bitext.workbench.segmentations import segmentation_of

if TYPE_CHECKING:
    from bitext.workbench.project import Project

GRANULARITIES = ("alignment", "sentence", "word", "character")
SCHEMA = "bitext.agreement/1"
_BY_ALIGNER = ("realign", "propose word links")  # names of changes
_PAUSE = 120.0  # seconds without a change, after which nobody is working; set by hand

Value = frozenset[tuple[tuple[str, ...], tuple[str, ...]]]
Kind = tuple[tuple[int, int], ...]
Decisions = tuple[dict[str, Value], dict[str, Value]]  # the beads of the sentences of each side


class Units(NamedTuple):
    """Sentences with the decisions of annotators, of one side or several; `+` pools them."""

    # The number of sentences by which annotators differ: of each, the share of its pairs of
    # annotators whose beads are not the same, times the number of annotators.
    disagreement: float
    decisions: int  # the number of decisions, one for each annotator of each sentence
    # For each side (0, 1) how often a sentence is in a bead of a type.
    kinds: tuple[Counter[Kind], Counter[Kind]]

    def __add__(self, other: object) -> Units:
        if not isinstance(other, Units):
            return NotImplemented
        source, target = (a + b for a, b in zip(self.kinds, other.kinds, strict=True))
        return Units(
            self.disagreement + other.disagreement,
            self.decisions + other.decisions,
            (source, target),
        )

    @property
    def expected(self) -> float:
        """The share of decisions that differ if bead types are drawn by chance; 0 to 1."""
        differing = 0.0
        for kinds in self.kinds:
            size = kinds.total()
            if size > 1:
                same = sum(count * (count - 1) for count in kinds.values())
                differing += size * (1 - same / (size * (size - 1)))
        return differing / self.decisions if self.decisions else math.nan

    @property
    def alpha(self) -> float:
        """Agreement above chance: 1 is perfect, 0 that of chance; `nan` if nothing varies.

        Krippendorff's alpha, 1 - observed / expected disagreement. A unit is a sentence, and its
        value the beads that it is in, with all their sentences; values are the same or not. Chance
        draws the *type* of the beads (1-1, 2-1, ...) of a sentence as often as annotators use it,
        and takes sentences of one type as linked to the same partners. So the agreement by chance
        is as high as possible, and the coefficient is never above that of any model of chance that
        also has to guess the partners.

        Notes
        -----
        **Source**: K. Krippendorff, Content Analysis, 2004, ch. 11, with the pairs of values and
        the correction for few units. A coefficient over pairs of sentences, linked or not, is no
        alternative: nearly all pairs are not linked, so it comes near F of the links as texts get
        longer (G. Hripcsak and A. Rothschild, Agreement, the F-measure, and reliability in
        information retrieval, JAMIA 2005).

        **Departures**: the expected disagreement is that of types, not of values, which stand at
        one place of the text each and would never agree by chance. It is summed over the two
        sides, as a source sentence is never in a 0-1 bead.

        """
        if not self.decisions or not self.expected:
            return math.nan
        return 1 - self.disagreement / self.decisions / self.expected


def units_of(lists: Sequence[Mapping[str, Sequence[Any]]]) -> Units:
    """Return the decisions of several annotators about the sentences of one document.

    `lists` are the rows of the alignment of each annotator. A sentence counts for the annotators
    who have confirmed all its beads, if they are two or more.

    Examples
    --------
    >>> from bitext.workbench.changes import Bead, Sentence
    >>> texts = {"source": [Sentence("s1", "A."), Sentence("s2", "B.")],
    ...          "target": [Sentence("t1", "C."), Sentence("t2", "D.")]}
    >>> two = [Bead("b1", ("s1",), ("t1",), "confirmed"), Bead("b2", ("s2",), ("t2",), "confirmed")]
    >>> one = [Bead("b1", ("s1", "s2"), ("t1", "t2"), "confirmed")]
    >>> units = units_of([{**texts, "beads": two}, {**texts, "beads": one}])
    >>> round(units.expected, 3), round(units.alpha, 3)
    (0.667, -0.5)

    """
    return _units([decisions_of(each["beads"]) for each in lists])


def _units(annotators: Sequence[Decisions]) -> Units:
    disagreement, decisions = 0.0, 0
    kinds: list[Counter[Kind]] = []
    for n in range(len(SIDES)):
        values = [sides[n] for sides in annotators]
        kind_counts: Counter[Kind] = Counter()
        for sentence in set().union(*values):
            codes = [beads[sentence] for beads in values if sentence in beads]
            if len(codes) < 2:
                continue
            decisions += len(codes)
            if codes.count(codes[0]) == len(codes):  # as most are
                kind_counts[_kind(codes[0])] += len(codes)
                continue
            differing = sum(a != b for a, b in combinations(codes, 2))
            disagreement += 2 * differing / (len(codes) - 1)
            kind_counts.update(_kind(each) for each in codes)
        kinds.append(kind_counts)
    return Units(disagreement, decisions, (kinds[0], kinds[1]))


def decisions_of(beads: Sequence[Bead]) -> Decisions:
    """Return the decisions of an annotator about the source and about the target sentences."""
    return _values(beads, SIDES[0]), _values(beads, SIDES[1])


def _values(beads: Iterable[Bead], side: str) -> dict[str, Value]:
    """Return the beads of each sentence whose beads are all confirmed."""
    values: dict[str, Value] = {}
    unconfirmed: set[str] = set()
    for bead in beads:
        members = getattr(bead, side)
        if bead.state != "confirmed":
            unconfirmed.update(members)
            continue
        value = frozenset(((bead.source, bead.target),))  # one for all sentences of the bead
        for sentence in members:
            earlier = values.get(sentence)
            values[sentence] = value if earlier is None else earlier | value
    for sentence in unconfirmed:
        values.pop(sentence, None)
    return values


def _kind(value: Value) -> Kind:
    if len(value) == 1:
        ((source, target),) = value
        return ((len(source), len(target)),)
    return tuple(sorted((len(source), len(target)) for source, target in value))


def common_beads(
    one: Sequence[Bead], other: Sequence[Bead], first: Decisions, second: Decisions
) -> tuple[list[Bead], list[Bead], tuple[set[str], set[str]]]:
    """Return the confirmed beads of two annotators that lie in sentences decided by both.

    Return the beads of each, and the ids of the source and of the target sentences. These are the
    largest sets of sentences such that all beads of one of them, of both annotators, are confirmed
    and lie within the sets. `first` and `second` are the decisions of the annotators, as
    `decisions_of` returns them.
    """
    decided = [
        set(sentences) & set(other_sentences)
        for sentences, other_sentences in zip(first, second, strict=True)
    ]
    both = [bead for bead in (*one, *other) if bead.source or bead.target]
    while True:
        sizes_before = [len(each) for each in decided]
        for bead in both:
            if not (decided[0].issuperset(bead.source) and decided[1].issuperset(bead.target)):
                decided[0].difference_update(bead.source)
                decided[1].difference_update(bead.target)
        if sizes_before == [len(each) for each in decided]:
            break
    within = [
        [
            bead
            for bead in beads
            if (bead.source or bead.target)
            and decided[0].issuperset(bead.source)
            and decided[1].issuperset(bead.target)
        ]
        for beads in (one, other)
    ]
    return within[0], within[1], (decided[0], decided[1])


def agreement(project: Project) -> dict[str, Any]:
    """Return the agreement of the annotators of a project, and their progress, as JSON.

    `rows` are F of two annotators at each granularity, by document, and over all documents
    (`document` is null); `sentences` is the number of sentences that both have decided, and `share`
    their share of all. For more than two annotators there is also F over all their pairs, from the
    sums of their counts; its sentences are those that two or more have decided.

    `alpha` is `Units.alpha` of the same annotators: those who have confirmed a bead, all together
    and, if there are more than two, each pair of them. `progress` has by alignment the numbers of
    beads, of those with confirmed word links (`linked`), the changes of the annotator, the seconds
    of work, and these by confirmed bead.

    `words` is what `word_agreement` returns, and `segmentations` what `segment_agreement` returns,
    with the `progress` of each (`decided`: the places that are decided in segments that are not
    confirmed). Undefined figures are null.
    """
    documents = _by_document(project.alignments())
    rows: list[dict[str, Any]] = []
    alphas: list[dict[str, Any]] = []
    totals: dict[tuple[str, ...], _Figures] = {}
    pooled, all_annotators = None, set[str]()
    linked: list[tuple[str, dict[str, Sequence[Bead]]]] = []
    for infos in documents.values():
        lists_of_annotator = {info.annotator: project.rows(info.id)[1] for info in infos}
        linked.append(
            (infos[0].name, {name: lists["beads"] for name, lists in lists_of_annotator.items()})
        )
        # Annotators without confirmed beads would agree on the proposals alone.
        confirming = [
            name
            for name in sorted(lists_of_annotator)
            if any(bead.state == "confirmed" for bead in lists_of_annotator[name]["beads"])
        ]
        if len(confirming) < 2:
            continue
        figures_of_annotators = _figures({name: lists_of_annotator[name] for name in confirming})
        for names, figures in figures_of_annotators.items():
            rows += _rows(infos[0].name, names, figures)
            alphas.append(_alpha(infos[0].name, names, figures.units))
            if len(names) == 2:
                totals[names] = figures + totals.get(names)
        pooled = figures_of_annotators[tuple(confirming)] + pooled
        all_annotators |= set(confirming)
    # Figures over all documents come from the sums of the counts.
    if len(documents) > 1 and pooled is not None:
        if len(all_annotators) > 2:
            totals[tuple(sorted(all_annotators))] = pooled
        for names, figures in sorted(totals.items(), key=lambda each: (len(each[0]), each[0])):
            rows += _rows(None, names, figures)
            alphas.append(_alpha(None, names, figures.units))
    with_links, states = project.linked(), project.counts()
    progress = [
        _progress(project, info, states, {"linked": with_links.get(info.id, (0, 0))[0]})
        for infos in documents.values()
        for info in infos
    ]
    segmentations, places = segment_agreement(project), project.decided()
    segmentations["progress"] = [
        {
            key.replace("bead", "segment"): value
            for key, value in _progress(
                project, info, states, {"decided": places.get(info.id, 0)}
            ).items()
        }
        for info in project.segmentations()
        if info.annotator
    ]
    return {
        "schema": SCHEMA,
        "rows": rows,
        "alpha": alphas,
        "progress": progress,
        "segmentations": segmentations,
        "words": word_agreement(linked),
    }


def _by_document(infos: Iterable[Any]) -> dict[int, list[Any]]:
    """Group what annotators have made by its documents."""
    documents: dict[int, list[Any]] = {}
    for info in infos:
        if info.annotator:
            documents.setdefault(info.document, []).append(info)
    return documents


class _Figures(NamedTuple):
    """The counts of annotators in a document, or in several."""

    counts: dict[str, Counts]
    sentences: int  # that count
    whole: int  # all sentences
    units: Units

    def __add__(self, other: object) -> _Figures:
        if other is None:
            return self
        if not isinstance(other, _Figures):
            return NotImplemented
        counts = {name: each + other.counts[name] for name, each in self.counts.items()}
        return _Figures(
            counts,
            self.sentences + other.sentences,
            self.whole + other.whole,
            self.units + other.units,
        )


def _figures(
    lists_of_annotator: Mapping[str, Mapping[str, Sequence[Any]]],
) -> dict[tuple[str, ...], _Figures]:
    """Return the figures of each two annotators of a document, and of more than two together."""
    figures_of_annotators: dict[tuple[str, ...], _Figures] = {}
    together: dict[str, Counts] = {}
    sentences: set[tuple[str, str]] = set()
    sentence_count = 0
    decisions = {name: decisions_of(lists["beads"]) for name, lists in lists_of_annotator.items()}
    for pair in combinations(lists_of_annotator, 2):
        one, other = pair
        counts, common, sentence_count = _compared(
            lists_of_annotator[one], lists_of_annotator[other], decisions[one], decisions[other]
        )
        figures_of_annotators[pair] = _Figures(
            counts, len(common), sentence_count, _units([decisions[one], decisions[other]])
        )
        sentences |= common
        for name, each in counts.items():
            together[name] = together[name] + each if name in together else each
    if len(lists_of_annotator) > 2:
        figures_of_annotators[tuple(lists_of_annotator)] = _Figures(
            together, len(sentences), sentence_count, _units([*decisions.values()])
        )
    return figures_of_annotators


def _compared(
    one: Mapping[str, Sequence[Any]], other: Mapping[str, Sequence[Any]], *decisions: Decisions
) -> tuple[dict[str, Counts], set[tuple[str, str]], int]:
    """Return the counts of two annotators, the sentences that count, and the number of all."""
    from bitext.metrics import arcade

    first, second, sentences = common_beads(one["beads"], other["beads"], *decisions)
    sentence_count = sum(len(one[side]) for side in SIDES)
    scores = arcade(_bitext(one, first), _bitext(one, second))
    common = {
        (side, each) for side, members in zip(SIDES, sentences, strict=True) for each in members
    }
    return {name: scores[name] for name in GRANULARITIES}, common, sentence_count


def _bitext(lists: Mapping[str, Sequence[Any]], beads: Sequence[Bead]) -> Bitext:
    texts = [
        Text([row.text for row in lists[side]], ids=[row.id for row in lists[side]])
        for side in SIDES
    ]
    indices = [text.index_of_ids for text in texts]
    alignment = Alignment(
        ([indices[0][each] for each in bead.source], [indices[1][each] for each in bead.target])
        for bead in beads
    )
    return Bitext(texts[0], texts[1], alignment)


def _rows(
    document: str | None, annotators: Sequence[str], figures: _Figures
) -> list[dict[str, Any]]:
    return [
        {
            "document": document,
            "annotators": list(annotators),
            "granularity": name,
            "f1": _defined(figures.counts[name].f1),
            "sentences": figures.sentences,
            "share": figures.sentences / figures.whole if figures.whole else None,
        }
        for name in GRANULARITIES
    ]


def _alpha(document: str | None, annotators: Sequence[str], units: Units) -> dict[str, Any]:
    return {
        "document": document,
        "annotators": list(annotators),
        "alpha": _defined(units.alpha),
        "decisions": units.decisions,
    }


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _progress(
    project: Project,
    info: Any,
    states: Mapping[int, Mapping[str, int]],
    extra_counts: Mapping[str, int],
) -> dict[str, Any]:
    """Return the progress of an alignment, and the time that its annotator has worked on it.

    Work is the time between changes that follow each other within two minutes. Neither changes by
    the aligner count, nor those that follow from changes of another alignment of a text.
    """
    counts = states.get(info.id, {})
    times = [
        datetime.fromisoformat(each.time)
        for each in project.history(info.id, limit=1 << 40)
        if each.annotator == info.annotator and each.of is not None and each.name not in _BY_ALIGNER
    ]
    steps = [abs((a - b).total_seconds()) for a, b in pairwise(times)]
    seconds = sum(step for step in steps if step <= _PAUSE)
    confirmed = counts.get("confirmed", 0)
    return {
        "document": info.name,
        "annotator": info.annotator,
        "beads": sum(counts.values()),
        "confirmed": confirmed,
        "doubtful": counts.get("doubtful", 0),
        **extra_counts,
        "changes": len(times),
        "seconds": round(seconds, 1),
        "seconds_per_bead": round(seconds / confirmed, 2) if confirmed and seconds else None,
    }


# Agreement about word links.
#
# Only beads count that two annotators have alike, with the same sentences, and whose word links
# both have confirmed: what nobody has examined would pass for agreement, and links of other
# sentences for disagreement.


class WordFigures(NamedTuple):
    """The counts of the word links of two annotators; `+` adds beads."""

    # `sure`, `whole`: sure links of both, and links of both kinds, as `link_scores` counts them.
    sure: Counts
    whole: Counts
    # `first`, `second`: with the first annotator as the gold standard, whose possible links need
    # not be there; with the second.
    first: Counts
    second: Counts
    beads: int

    def __add__(self, other: object) -> WordFigures:
        if not isinstance(other, WordFigures):
            return NotImplemented
        return WordFigures(*map(add, self, other))


def word_figures(one: Iterable[Bead], other: Iterable[Bead]) -> WordFigures | None:
    """Count the word links of two annotators of a document; `None` if no bead counts.

    Notes
    -----
    F of sure links, and of all links, is the same whichever annotator is the gold standard. AER is
    not: the other annotator may leave out a possible link of the gold standard, but a possible link
    of the other annotator counts as any link.

    **Source**: F. J. Och and H. Ney, A Systematic Comparison of Various Statistical Alignment
    Models, Computational Linguistics 29, 2003, section 6 (AER).

    Examples
    --------
    >>> from bitext.workbench.changes import Bead
    >>> link = ("s", 0, "t", 0, "sure", None)
    >>> bead = Bead("b", ("s",), ("t",), words=(link,), linked=True)
    >>> other = bead._replace(words=(link, ("s", 1, "t", 1, "possible", None)))
    >>> figures = word_figures([bead], [other])
    >>> [round(value, 3) for value in (figures.whole.f1, figures.first.aer, figures.second.aer)]
    [0.667, 0.333, 0.0]

    """
    from bitext.metrics import link_scores

    other_linked = {(bead.source, bead.target): bead for bead in other if bead.linked}
    pairs = [
        (bead, other_linked[bead.source, bead.target])
        for bead in one
        if bead.linked and (bead.source, bead.target) in other_linked
    ]
    if not pairs:
        return None
    # Possible links: marked as such, left out, or taken as sure.
    values: dict[str, list[list[str]]] = {"marked": [], "left out": [], "taken": []}
    for pair in pairs:
        places = _numbered(pair)
        for possible, spelled_links in values.items():
            spelled_links.append([_spelled(bead, places, possible) for bead in pair])
    marked, sure, whole = (
        [WordLinks.parse([each[k] for each in spelled_links]) for k in (0, 1)]
        for spelled_links in values.values()
    )
    return WordFigures(
        link_scores(sure[0], sure[1]),
        link_scores(whole[0], whole[1]),
        link_scores(marked[0], marked[1]),
        link_scores(marked[1], marked[0]),
        len(pairs),
    )


def _numbered(pair: Iterable[Bead]) -> tuple[dict[tuple[str, int], int], ...]:
    """Return a number for each word that a link of one of two beads names, of each side."""
    number_of_word: tuple[dict[tuple[str, int], int], ...] = ({}, {})
    for bead in pair:
        for one, i, other, j, _, _ in bead.words:
            number_of_word[0].setdefault((one, i), len(number_of_word[0]))
            number_of_word[1].setdefault((other, j), len(number_of_word[1]))
    return number_of_word


def _spelled(bead: Bead, places: Sequence[Mapping[tuple[str, int], int]], possible: str) -> str:
    kinds = ("sure",) if possible == "left out" else ("sure", "possible")
    return " ".join(
        f"{places[0][a, i]}-{places[1][b, j]}{'p' * (possible == 'marked' and kind == 'possible')}"
        for a, i, b, j, kind, _ in bead.words
        if kind in kinds
    )


def word_agreement(
    documents: Iterable[tuple[str, Mapping[str, Sequence[Bead]]]],
) -> list[dict[str, Any]]:
    """Return the agreement of each two annotators about word links, as JSON.

    `documents` are names with the beads of the annotators. Rows are by document, and over all of
    several (`document` is null). A row has `annotators`, `beads`, `links` of each, `f1_sure`, `f1`
    (of links of both kinds), and `aer` with each of the two annotators in turn as the gold
    standard. Undefined figures are null.
    """
    rows, totals, count = [], dict[tuple[str, str], WordFigures](), 0
    for name, beads_of_annotator in documents:
        figures_of_pair = {
            (a, b): figures
            for a, b in combinations(sorted(beads_of_annotator), 2)
            if (figures := word_figures(beads_of_annotator[a], beads_of_annotator[b])) is not None
        }
        count += bool(figures_of_pair)
        for pair, figures in figures_of_pair.items():
            rows.append(_row(name, pair, figures))
            totals[pair] = totals[pair] + figures if pair in totals else figures
    if count > 1:
        rows += [_row(None, pair, figures) for pair, figures in sorted(totals.items())]
    return rows


def _row(name: str | None, pair: tuple[str, str], figures: WordFigures) -> dict[str, Any]:
    return {
        "document": name,
        "annotators": list(pair),
        "beads": figures.beads,
        "links": [int(figures.whole.expected), int(figures.whole.proposed)],
        "f1_sure": _defined(figures.sure.f1),
        "f1": _defined(figures.whole.f1),
        "aer": [_defined(figures.first.aer), _defined(figures.second.aer)],
    }


# Agreement about boundaries in a text.
#
# Only segments count that are confirmed. A place between two units is decided by who has confirmed
# the segments of both. Places that somebody has decided one by one, in a segment that is not
# confirmed, do not count: they are those at which other coders differ, and coefficients suppose
# that it does not depend on the codes which of them are missing.


METRICS = ("boundary-similarity", "segmentation-similarity", "alignment-similarity", "boundary")
COEFFICIENTS = ("krippendorff-alpha", "fleiss-kappa")


class Decided(NamedTuple):
    """A segmentation, and its decided units."""

    segmentation: Segmentation
    units: Bools  # whether each unit is in a confirmed segment; shape (n,)

    @property
    def places(self) -> Bools:
        """Whether each of the n - 1 places is decided: both units beside it are."""
        decided_places: Bools = self.units[:-1] & self.units[1:]
        return decided_places


def decided(lists: Mapping[str, Sequence[Any]]) -> Decided:
    """Return a segmentation of some rows, with its confirmed units."""
    segmentation = segmentation_of(lists)
    confirmed = [row.state == "confirmed" for row in lists["segments"]]
    return Decided(segmentation, np.repeat(np.array(confirmed), segmentation.masses))


def _runs(mask: Bools) -> list[tuple[int, int]]:
    """Return the half-open spans of a mask that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _within(
    segmentation: Segmentation, start: int, end: int, kind: str | None = None
) -> Segmentation:
    """Return the part of a segmentation over units; of boundaries of one type if it is named."""
    boundaries = segmentation.boundaries
    low, high = (int(np.searchsorted(boundaries, edge, side="right")) for edge in (start, end - 1))
    places = (boundaries[low:high] - start).tolist()
    types = None if segmentation.types is None else segmentation.types[low:high]
    if kind is not None:
        kinds = [frozenset[int | str]()] * len(places) if types is None else types
        places = [
            b for b, types_at_place in zip(places, kinds, strict=True) if kind in types_at_place
        ]
        types = None
    return Segmentation(np.diff([0, *places, end - start]), types)


def common_stretches(coders: Sequence[Decided]) -> list[list[Segmentation]]:
    """Return the stretches of units that all coders have confirmed, with their segmentations.

    Examples
    --------
    >>> one = Decided(Segmentation([2, 2, 2]), np.array([1, 1, 1, 1, 0, 0], dtype=bool))
    >>> other = Decided(Segmentation([3, 3]), np.ones(6, dtype=bool))
    >>> common_stretches([one, other])
    [[Segmentation([2, 2]), Segmentation([3, 1])]]

    """
    mask = np.logical_and.reduce([each.units for each in coders])
    return [
        [_within(each.segmentation, start, end) for each in coders] for start, end in _runs(mask)
    ]


def coded_places(
    coders: Sequence[Decided | None], kind: str | None = None
) -> list[list[Segmentation | None]]:
    """Return the places of a text that two coders or more have decided, as texts of these places.

    Within such a text the same coders have decided each place; the others have `None`. Each place
    is in one text, so that coefficients over places are those of the whole text. A coder is `None`
    who has not begun the text. With `kind` only the boundaries of this type count.
    """
    present_coders = [each for each in coders if each is not None]
    if len(present_coders) < 2 or present_coders[0].segmentation.n < 2:
        return []
    nothing_decided = np.zeros(present_coders[0].segmentation.n - 1, dtype=bool)
    table = np.array([nothing_decided if each is None else each.places for each in coders])
    changes = np.flatnonzero((table[:, 1:] != table[:, :-1]).any(axis=0)) + 1
    coded_texts: list[list[Segmentation | None]] = []
    for first, last in zip([0, *changes], [*changes, table.shape[1]], strict=True):
        if table[:, first].sum() < 2:
            continue
        # Places first to last lie between units first to last + 1.
        row = [
            _within(each.segmentation, int(first), int(last) + 1, kind)
            if each is not None and has_decided
            else None
            for each, has_decided in zip(coders, table[:, first], strict=True)
        ]
        coded_texts.append(row)
    return coded_texts


def segment_agreement(project: Project) -> dict[str, Any]:
    """Return the agreement of the annotators of the segmentations of a project, as JSON.

    `pairs` are the similarities of two annotators (S, B and A, of which S and B compare the types
    of boundaries, and F of boundaries), by document, and over all documents (`document` is null);
    `units` is the number of units in segments that both have confirmed, and `share` their share of
    all. `coefficients` are Krippendorff's alpha and Fleiss' kappa of all annotators, over the
    places that two or more have decided: for each pair, all together, and for each type of
    boundaries (`type`). Undefined figures are null.
    """
    documents = _by_document(project.segmentations())
    pairs: list[dict[str, Any]] = []
    coefficients: list[dict[str, Any]] = []
    coders_of_document: dict[int, tuple[str, dict[str, Decided]]] = {}
    for document, infos in documents.items():
        coders = {info.annotator: decided(project.rows(info.id)[1]) for info in infos}
        coders = {
            annotator: coders[annotator]
            for annotator in sorted(coders)
            if coders[annotator].units.any()
        }
        if len(coders) > 1:
            coders_of_document[document] = infos[0].name, coders
    for name, coders in coders_of_document.values():
        pairs += _pairs(name, [coders])
        coefficients += _coefficients(name, [coders])
    if len(coders_of_document) > 1:
        all_texts = [coders for _, coders in coders_of_document.values()]
        pairs += _pairs(None, all_texts)
        coefficients += _coefficients(None, all_texts)
    return {"pairs": pairs, "coefficients": coefficients}


def _pairs(document: str | None, texts: Sequence[Mapping[str, Decided]]) -> list[dict[str, Any]]:
    from bitext.metrics import all_metrics

    metrics = all_metrics()
    rows = []
    for pair in _pairs_of(texts):
        pair_texts = [
            [coders[annotator] for annotator in pair]
            for coders in texts
            if set(pair) <= coders.keys()
        ]
        stretches = [each for coders in pair_texts for each in common_stretches(coders)]
        unit_count = sum(coders[0].segmentation.n for coders in pair_texts)
        units = sum(one.n for one, _ in stretches)
        for name in METRICS:
            value = None
            if stretches:
                # The page says which figures compare types: `many` does not warn of the others.
                scores = list(metrics[name].many(*zip(*stretches, strict=True)))
                score = sum(scores[1:], scores[0])
                value = _defined(score.f1 if name == "boundary" else score.value)
            rows.append(
                {
                    "document": document,
                    "annotators": list(pair),
                    "metric": "boundary.f1" if name == "boundary" else name,
                    "value": value,
                    "units": units,
                    "share": units / unit_count if unit_count else None,
                }
            )
    return rows


def _pairs_of(texts: Sequence[Mapping[str, Decided]]) -> list[tuple[str, str]]:
    return sorted({pair for coders in texts for pair in combinations(sorted(coders), 2)})


def _coefficients(
    document: str | None, texts: Sequence[Mapping[str, Decided]]
) -> list[dict[str, Any]]:
    all_coders = sorted({annotator for coders in texts for annotator in coders})
    groups = [list(pair) for pair in _pairs_of(texts)]
    if len(all_coders) > 2:
        groups.append(all_coders)
    kinds = sorted(
        {
            str(kind)
            for coders in texts
            for each in coders.values()
            for types_at_boundary in each.segmentation.types or ()
            for kind in types_at_boundary
        }
    )
    rows: list[dict[str, Any]] = []
    for group in groups:
        for kind in (None, *(kinds if len(kinds) > 1 else ())):
            codings = [
                row
                for coders in texts
                for row in coded_places([coders.get(annotator) for annotator in group], kind)
            ]
            rows += _coefficients_of_group(document, group, kind, codings)
    return rows


def _coefficients_of_group(
    document: str | None,
    group: Sequence[str],
    kind: str | None,
    codings: list[list[Segmentation | None]],
) -> Iterable[dict[str, Any]]:
    from bitext.metrics import all_metrics

    metrics = all_metrics()
    places = sum(next(each.n for each in row if each is not None) - 1 for row in codings)
    for name in COEFFICIENTS:
        coefficient = metrics[name](codings) if codings else None
        yield {
            "document": document,
            "annotators": list(group),
            "coefficient": name,
            "type": kind,
            "value": None if coefficient is None else _defined(coefficient.value),
            "observed": None if coefficient is None else _defined(coefficient.observed),
            "chance": None if coefficient is None else _defined(coefficient.chance),
            "places": places,
        }
