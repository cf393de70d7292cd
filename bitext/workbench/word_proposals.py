"""Proposals of word links: those of `bitext link`, learned over all beads of a document.

The work is done like a realignment: in a process of its own, which is killed to cancel it, with a
change as its end. Links that somebody has made or confirmed stay, and no other is proposed of
their words; so do beads whose word links are confirmed, and those that were edited meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.workbench.changes import SIDES, Splice
from bitext.workbench.proposals import Work
from bitext.workbench.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bitext.workbench.changes import Bead
    from bitext.workbench.project import Project
    from bitext.workbench.words import WordLink

# Of a bead: source word, target word, and the score of their link.
Proposal = list[tuple[int, int, float]]
_DIGITS = 4  # of a score that is kept


def link(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    *,
    progress: Callable[[int, int], object] | None = None,
) -> list[Proposal]:
    """Link the words of beads, and learn from all of them.

    Parameters
    ----------
    source, target : sequence of sequence of str
        The words of both sides of each bead.
    progress : callable, optional
        Called with what is done, and what there is to do.

    Returns
    -------
    list of list of (int, int, float)
        The links of each bead, with their scores.

    """
    from bitext.align.links import link_words

    if progress is not None:
        progress(0, 1)
    if not source:
        return []
    found = []
    for pair in link_words(source, target):
        scores = [1.0] * len(pair.src) if pair.confidences is None else pair.confidences.tolist()
        places = zip(pair.src.tolist(), pair.tgt.tolist(), scores, strict=True)
        found.append([(i, j, round(score, _DIGITS)) for i, j, score in places])
    return found


class _Side(NamedTuple):
    """The words of a side of a bead: the sentence and the index of each, and its characters."""

    places: list[tuple[str, int]]
    words: list[str]


def _side(rows: Mapping[str, str], members: Sequence[str], cut: str) -> _Side:
    own = [(each, words(rows[each], cut)) for each in members]
    places = [(each, k) for each, found in own for k in range(len(found))]
    return _Side(places, [word for _, found in own for word in found])


class WordLinking(Work):
    """Word links that are proposed in the background.

    Parameters
    ----------
    number : int
        The alignment.
    **options
        Those of `Work`.

    """

    name = "propose word links"

    def __init__(self, project: Project, number: int, **options: Any) -> None:
        info, lists = project.rows(number)
        cuts = [project.cut_of(text) for text in (info.source, info.target)]
        rows = [{row.id: row.text for row in lists[side]} for side in SIDES]
        self._beads: list[Bead] = [bead for bead in lists["beads"] if bead.source and bead.target]
        self._texts = rows
        sides = [
            [_side(known, getattr(bead, name), cut) for bead in self._beads]
            for known, name, cut in zip(rows, SIDES, cuts, strict=True)
        ]
        self._places = [[each.places for each in own] for own in sides]
        asked = tuple([each.words for each in own] for own in sides)
        super().__init__(project, number, (link, asked) if self._beads else None, **options)

    def splices(
        self, lists: Mapping[str, Sequence[Any]], answer: list[Any], version: int
    ) -> list[Splice]:
        """Return the splices that put proposals into beads that are as they were."""
        del version
        index = {bead.id: k for k, bead in enumerate(lists["beads"])}
        now = [{row.id: row.text for row in lists[side]} for side in SIDES]
        found: list[tuple[int, Bead, Bead]] = []
        for k, (bead, proposal) in enumerate(zip(self._beads, answer, strict=False)):
            at = index.get(bead.id)
            if bead.linked or at is None or lists["beads"][at] != bead or _is_begun(bead):
                continue
            if any(
                known.get(each) != before[each]
                for known, before, side in zip(now, self._texts, SIDES, strict=True)
                for each in getattr(bead, side)
            ):
                continue
            sources, targets = self._places[0][k], self._places[1][k]
            links = _proposed(bead, [(sources[i], targets[j], s) for i, j, s in proposal])
            if links != bead.words:
                found.append((at, bead, bead._replace(words=links)))
        return _splices(found)


def _is_begun(bead: Bead) -> bool:
    """Say whether somebody is deciding between the links of annotators in a bead.

    Pairs of words that are still open stand there as proposed without a confidence, which the
    aligner always gives. That others have been decided to be no link shows by these alone.
    """
    return any(link[4] == "proposed" and link[5] is None for link in bead.words)


def _splices(changed: list[tuple[int, Bead, Bead]]) -> list[Splice]:
    """Return the splices of beads that change: one for beads that stand in a row."""
    changed.sort(key=lambda each: each[0])
    found = []
    begin = 0
    for k in range(1, len(changed) + 1):
        if k == len(changed) or changed[k][0] != changed[k - 1][0] + 1:
            run = changed[begin:k]
            old, new = tuple(each[1] for each in run), tuple(each[2] for each in run)
            found.append(Splice("beads", run[0][0], old, new))
            begin = k
    return found


def _proposed(bead: Bead, proposal: Sequence[Any]) -> tuple[WordLink, ...]:
    """Return the links of a bead with those of a proposal in the place of those before."""
    own = [each for each in bead.words if each[4] != "proposed"]
    decided = [{each[:2] for each in own}, {each[2:4] for each in own}]
    new: list[WordLink] = [
        (*source, *target, "proposed", score)
        for source, target, score in proposal
        if source not in decided[0] and target not in decided[1]
    ]
    order = [{each: k for k, each in enumerate(getattr(bead, side))} for side in SIDES]
    return tuple(sorted([*own, *new], key=lambda e: (order[0][e[0]], e[1], order[1][e[2]], e[3])))
