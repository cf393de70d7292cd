"""Agreement of annotators about alignments, and the progress of each.

Only what people have decided counts: beads that are confirmed. Proposals that nobody has touched
are the same for all annotators, and would pass for agreement.
"""

from __future__ import annotations

import math
from collections import Counter
from datetime import datetime
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.workbench.changes import SIDES
from bitext.workbench.segment_agreement import segment_agreement
from bitext.workbench.word_agreement import word_agreement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitext.model import Bitext, Counts
    from bitext.workbench.changes import Bead
    from bitext.workbench.project import Project

GRANULARITIES = ("alignment", "sentence", "word", "character")
SCHEMA = "bitext.agreement/1"
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
        """Agreement above chance: 1 is perfect, 0 that of chance; `nan` where nothing varies.

        Krippendorff's alpha, 1 - observed / expected disagreement. A unit is a sentence, and its
        value the beads that it is in, with all their sentences; values are the same or not. Chance
        draws the *type* of the beads (1-1, 2-1, ...) of a sentence as often as annotators use it,
        and takes sentences of one type as linked to the same partners. So chance agrees as much as
        it can, and the coefficient is never above that of any model of chance that also has to
        guess the partners.

        Returns
        -------
        float

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

    A sentence counts for the annotators who have confirmed all its beads, if they are two or more.

    Parameters
    ----------
    lists : sequence of mapping
        The rows of the alignment of each annotator.

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
        values = [own[n] for own in annotators]
        own: Counter[Kind] = Counter()
        for sentence in set().union(*values):
            found = [known[sentence] for known in values if sentence in known]
            if len(found) < 2:
                continue
            decisions += len(found)
            if found.count(found[0]) == len(found):  # as most are
                own[_kind(found[0])] += len(found)
                continue
            differing = sum(a != b for a, b in combinations(found, 2))
            disagreement += 2 * differing / (len(found) - 1)
            own.update(_kind(each) for each in found)
        kinds.append(own)
    return Units(disagreement, decisions, (kinds[0], kinds[1]))


def decisions_of(beads: Sequence[Bead]) -> Decisions:
    """Return what one annotator has decided about the source and about the target sentences."""
    return _values(beads, SIDES[0]), _values(beads, SIDES[1])


def _values(beads: Iterable[Bead], side: str) -> dict[str, Value]:
    """Return the beads of each sentence whose beads are all confirmed."""
    found: dict[str, Value] = {}
    open_ones: set[str] = set()
    for bead in beads:
        members = getattr(bead, side)
        if bead.state != "confirmed":
            open_ones.update(members)
            continue
        value = frozenset(((bead.source, bead.target),))  # one for all sentences of the bead
        for sentence in members:
            known = found.get(sentence)
            found[sentence] = value if known is None else known | value
    for sentence in open_ones:
        found.pop(sentence, None)
    return found


def _kind(value: Value) -> Kind:
    if len(value) == 1:
        ((source, target),) = value
        return ((len(source), len(target)),)
    return tuple(sorted((len(source), len(target)) for source, target in value))


def common_beads(
    one: Sequence[Bead], other: Sequence[Bead], first: Decisions, second: Decisions
) -> tuple[list[Bead], list[Bead], tuple[set[str], set[str]]]:
    """Return the confirmed beads of two annotators that lie in sentences decided by both.

    These are the largest sets of sentences such that all beads of one of them, of both annotators,
    are confirmed and lie within the sets.

    Parameters
    ----------
    one, other : sequence of Bead
        The beads of the annotators.
    first, second : pair of dict
        Their decisions, as `decisions_of` returns them.

    Returns
    -------
    one, other : list of Bead
    sentences : pair of set of str
        The ids of the source and of the target sentences.

    """
    decided = [set(own) & set(known) for own, known in zip(first, second, strict=True)]
    both = [bead for bead in (*one, *other) if bead.source or bead.target]
    while True:
        before = [len(each) for each in decided]
        for bead in both:
            if not (decided[0].issuperset(bead.source) and decided[1].issuperset(bead.target)):
                decided[0].difference_update(bead.source)
                decided[1].difference_update(bead.target)
        if before == [len(each) for each in decided]:
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

    Parameters
    ----------
    project : Project

    Returns
    -------
    dict
        `rows`: F of two annotators at each granularity, by document, and over all documents
        (`document` is null); `sentences` is the number of sentences that both have decided, and
        `share` what share of all that is. Of more than two annotators there is also F over all
        their pairs, of the sums of their counts; its sentences are those that two or more have
        decided. `alpha`: `Units.alpha` of the same annotators: those who have confirmed a bead, all
        of them and, where they are more than two, each two of them. `progress`: by alignment the
        numbers of beads, of those with confirmed word links (`linked`), the changes of the
        annotator, the seconds of work, and these by confirmed bead. `words`: as `word_agreement`
        returns. `segmentations`: as `segment_agreement` returns, with the `progress` of each
        (`decided`: the places that are decided in segments that are not confirmed). Undefined
        figures are null.

    """
    documents: dict[int, list[Any]] = {}
    for info in project.alignments():
        if info.annotator:
            documents.setdefault(info.document, []).append(info)
    rows: list[dict[str, Any]] = []
    alphas: list[dict[str, Any]] = []
    totals: dict[tuple[str, ...], _Figures] = {}
    pooled, everybody = None, set[str]()
    linked: list[tuple[str, dict[str, Sequence[Bead]]]] = []
    for infos in documents.values():
        held = {info.annotator: project.rows(info.id)[1] for info in infos}
        linked.append((infos[0].name, {name: own["beads"] for name, own in held.items()}))
        decided = [
            name
            for name in sorted(held)
            if any(bead.state == "confirmed" for bead in held[name]["beads"])
        ]
        if len(decided) < 2:
            continue
        found = _figures({name: held[name] for name in decided})
        for names, figures in found.items():
            rows += _rows(infos[0].name, names, figures)
            alphas.append(_alpha(infos[0].name, names, figures.units))
            if len(names) == 2:
                totals[names] = figures + totals.get(names)
        pooled = found[tuple(decided)] + pooled
        everybody |= set(decided)
    if len(documents) > 1 and pooled is not None:
        if len(everybody) > 2:
            totals[tuple(sorted(everybody))] = pooled
        for names, figures in sorted(totals.items(), key=lambda each: (len(each[0]), each[0])):
            rows += _rows(None, names, figures)
            alphas.append(_alpha(None, names, figures.units))
    with_links = project.linked()
    progress = [
        _progress(project, info, {"linked": with_links.get(info.id, (0, 0))[0]})
        for infos in documents.values()
        for info in infos
    ]
    segmentations, places = segment_agreement(project), project.decided()
    segmentations["progress"] = [
        {
            key.replace("bead", "segment"): value
            for key, value in _progress(project, info, {"decided": places.get(info.id, 0)}).items()
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


class _Figures(NamedTuple):
    """What is counted of annotators in a document, or in several."""

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
    held: Mapping[str, Mapping[str, Sequence[Any]]],
) -> dict[tuple[str, ...], _Figures]:
    """Return the figures of each two annotators of a document, and of more than two together."""
    found: dict[tuple[str, ...], _Figures] = {}
    together: dict[str, Counts] = {}
    sentences: set[tuple[str, str]] = set()
    whole = 0
    known = {name: decisions_of(lists["beads"]) for name, lists in held.items()}
    for pair in combinations(held, 2):
        one, other = pair
        counts, common, whole = _compared(held[one], held[other], known[one], known[other])
        found[pair] = _Figures(counts, len(common), whole, _units([known[one], known[other]]))
        sentences |= common
        for name, each in counts.items():
            together[name] = together[name] + each if name in together else each
    if len(held) > 2:
        found[tuple(held)] = _Figures(together, len(sentences), whole, _units([*known.values()]))
    return found


def _compared(
    one: Mapping[str, Sequence[Any]],
    other: Mapping[str, Sequence[Any]],
    *decisions: Decisions,
) -> tuple[dict[str, Counts], set[tuple[str, str]], int]:
    """Return the counts of two annotators, the sentences that count, and the number of all."""
    from bitext.metrics import arcade

    first, second, sentences = common_beads(one["beads"], other["beads"], *decisions)
    whole = sum(len(one[side]) for side in SIDES)
    scores = arcade(_bitext(one, first), _bitext(one, second))
    common = {(side, each) for side, own in zip(SIDES, sentences, strict=True) for each in own}
    return {name: scores[name] for name in GRANULARITIES}, common, whole


def _bitext(lists: Mapping[str, Sequence[Any]], beads: Sequence[Bead]) -> Bitext:
    from bitext.model import Alignment, Bitext, Text

    texts = [
        Text([row.text for row in lists[side]], ids=[row.id for row in lists[side]])
        for side in SIDES
    ]
    indices = [text.index_of_ids for text in texts]
    alignment = Alignment(
        (
            [indices[0][each] for each in bead.source],
            [indices[1][each] for each in bead.target],
        )
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
    return None if math.isnan(value) else value


def _progress(project: Project, info: Any, more: Mapping[str, int]) -> dict[str, Any]:
    """Return the progress of an alignment, and the time that its annotator has worked on it.

    Work is the time between changes that follow each other within two minutes.
    """
    counts = project.counts().get(info.id, {})
    times = [
        datetime.fromisoformat(each.time)
        for each in project.history(info.id, limit=1 << 40)
        if each.annotator == info.annotator and each.name != "realign"
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
        **more,
        "changes": len(times),
        "seconds": round(seconds, 1),
        "seconds_per_bead": round(seconds / confirmed, 2) if confirmed and seconds else None,
    }
