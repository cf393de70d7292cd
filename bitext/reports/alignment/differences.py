"""The page of the differences of two alignments: the stretches that differ, with context.

The page is drawn as that of `bitext.reports.alignment.page`, with other names for the kinds: an
alignment is as good as the other. Stretches of bisegments that both have are left out except for
their ends, and a row stands for each; so does one for the beginning of each of several texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import many
from bitext.kernels.arrays import Rows, prefix
from bitext.model import Alignment, changes
from bitext.reports import pages
from bitext.reports.alignment import Overlaid, Shown, System, levels, overlaid, to_data
from bitext.reports.alignment.page import BENCH, SCRIPTS, difference_list, hatchings, signs_key
from bitext.reports.pages import Section, isolated
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.model import Bitext

_CONTEXT = 2  # common bisegments before and after a difference
_MAX_SHOWN = 4_000  # differing bisegments on a page: some megabytes; set by hand
_WORDS = {
    "a": "in both",
    "P": "first, in part",
    "p": "second, in part",
    "m": "first alone",
    "w": "second alone",
}
_KEY = (
    ("a", "both files have it"),
    ("P", "only the first file has it; the second has a pair of its sentences"),
    ("p", "only the second file has it; the first has a pair of its sentences"),
    ("m", "only the first file has it, and no pair of its sentences is in the second"),
    ("w", "only the second file has it, and no pair of its sentences is in the first"),
)
_MEANINGS = {
    "moved": "as many bisegments in both files, with other boundaries",
    "split": "more bisegments in the second file",
    "merged": "fewer bisegments in the second file",
    "changed": "bisegments with a side in common",
    "added": "bisegments of the second file with sentences that the first leaves out",
    "missing": "bisegments of the first file with sentences that the second leaves out",
    "text": "texts that one file lacks",
}


@dataclass(slots=True)
class _Side:
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    has_texts: bool = False
    pieces: bool = False

    def add_gap(self, what: str) -> int:
        """Add a row for an omission, worded in `what`; return its index."""
        self.gaps.append(len(self.ids))
        self.ids.append("⋯")
        self.texts.append(what)
        return self.gaps[-1]

    def shown(self, name: str) -> Shown:
        """Return the rows; without texts, gaps are described in place of a name."""
        if self.has_texts:
            return Shown(self.ids, self.texts, name, self.pieces)
        gaps = set(self.gaps)
        ids = [self.texts[k] if k in gaps else each for k, each in enumerate(self.ids)]
        return Shown(ids, None, name, self.pieces)


@dataclass(slots=True)
class _Beads:
    src: list[list[int]] = field(default_factory=list)
    tgt: list[list[int]] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)  # change, text

    def system(self, name: str) -> System:
        """Return the bisegments as those of a system."""
        scores = np.array(self.scores, dtype=float)
        finite_scores = scores if np.isfinite(scores).any() else None
        return System(name, _rows(self.src), _rows(self.tgt), tuple(self.types), finite_scores)


def _rows(members: Sequence[Sequence[int]]) -> Rows:
    lengths = np.array([len(each) for each in members], dtype=np.int64)
    flat = [member for each in members for member in each]
    return Rows(prefix(lengths), np.array(flat, dtype=np.int64))


class DifferencePage:
    """A page in the making, to which texts are added one by one.

    Parameters
    ----------
    first, second : str
        The names of the files; different.

    """

    def __init__(self, first: str, second: str) -> None:
        self._names = first, second
        self._sides = _Side(), _Side()
        self._beads = _Beads(), _Beads()
        self._levels: list[tuple[int, int]] = []
        self._texts: list[str] = []
        self._left = 0

    def add(self, first: Bitext, second: Bitext, by_text: bool = False) -> None:
        """Add the differences of a text.

        Parameters
        ----------
        first, second : Bitext
            Over the same texts, which may be segmented differently.
        by_text : bool
            Whether bisegments are compared by their characters, so that segments have no names.

        """
        comparison = overlaid(first, {self._names[1]: second}, gold_name=self._names[0])
        alignments = [Alignment.from_arrays(each.src, each.tgt) for each in comparison.systems]
        labels: list[dict[int, str]] = [{}, {}]
        for change in changes(*alignments):
            kind = "changed" if by_text and change.first and change.second else change.kind
            for kind_of_bead, changed in zip(labels, (change.first, change.second), strict=True):
                kind_of_bead.update(dict.fromkeys(changed, kind))
        (letters,) = comparison.kinds
        sequence = sorted(
            (position, number, k)
            for number, places in enumerate((comparison.order(0), comparison.order(1)))
            for k, position in enumerate(places.tolist())
            if not number or letters[1][k] != "a"
        )
        beads: list[tuple[int, int]] = [(number, k) for _, number, k in sequence]
        differing = [n for n, (system, k) in enumerate(beads) if letters[system][k] != "a"]
        bead_room = _MAX_SHOWN - sum(
            letter != "a" for each in self._beads for letter in each.letters
        )
        self._left += max(len(differing) - bead_room, 0)
        stretches = _stretches(differing[: max(bead_room, 0)], len(beads))
        if not stretches:
            return
        self._texts.append(first.name)
        if first.name:
            self._gap(f"{first.name}: {many(len(differing), 'bisegment')} of one file alone")
        end = 0
        for begin, until in [*stretches, (len(beads), len(beads))]:
            if begin > end:
                self._gap(f"{many(begin - end, 'bisegment')} of both files")
            self._add(comparison, beads[begin:until], letters, labels, by_text=by_text)
            end = until

    def _gap(self, what: str) -> None:
        src, tgt = (side.add_gap(what) for side in self._sides)
        self._levels.append((src, tgt))

    def _add(
        self,
        comparison: Overlaid,
        beads: Sequence[tuple[int, int]],
        letters: tuple[str, str],
        labels: Sequence[Mapping[int, str]],
        *,
        by_text: bool,
    ) -> None:
        """Add a stretch of bisegments with their segments."""
        place_of_segment: list[dict[int, int]] = []
        for number, (side, shown) in enumerate(
            zip(self._sides, (comparison.src, comparison.tgt), strict=True)
        ):
            rows = [(s.src, s.tgt)[number] for s in comparison.systems]
            used = sorted({m for system, k in beads for m in rows[system].row(k).tolist()})
            place_of_segment.append({m: len(side.ids) + n for n, m in enumerate(used)})
            side.ids += ["" if by_text else shown.ids[m] for m in used]
            side.texts += ["" if shown.texts is None else shown.texts[m] for m in used]
            side.has_texts |= shown.texts is not None
            side.pieces |= shown.pieces
        begin = len(self._beads[0].src)
        for system, k in beads:
            page_beads, system_rows = self._beads[system], comparison.systems[system]
            score = system_rows.score(k)
            page_beads.src.append([place_of_segment[0][m] for m in system_rows.src.row(k).tolist()])
            page_beads.tgt.append([place_of_segment[1][m] for m in system_rows.tgt.row(k).tolist()])
            page_beads.types.append(system_rows.types[k])
            page_beads.scores.append(np.nan if score is None else score)
            page_beads.letters.append(letters[system][k])
            page_beads.labels.append((labels[system].get(k, ""), self._texts[-1]))
        firsts = self._beads[0]
        self._levels += levels(_rows(firsts.src[begin:]), _rows(firsts.tgt[begin:]))

    def html(self, counts: Mapping[str, int], common: int) -> str:
        """Return the page.

        Parameters
        ----------
        counts : mapping of str to int
            The numbers of changes by kind.
        common : int
            The number of bisegments that both files have.

        """
        comparison = self._comparison()
        first, second = (isolated(name, 60) for name in self._names)
        total = sum(counts.values())
        summary = (
            f"{first} and {second}: {many(common, 'bisegment')} in both, {many(total, 'change')}."
        )
        sections = [Section("changes", "Changes", _changes(counts))]
        if len(comparison.systems[0]) or len(comparison.systems[1]):
            sections += [
                Section("alignment", "Both alignments", self._drawing()),
                Section("differences", "Differences", difference_list(comparison)),
            ]
        return pages.page(
            f"Differences of {self._names[0]} and {self._names[1]}",
            summary,
            sections,
            style=pages.asset("alignment/alignment.css"),
            script="\n".join(map(pages.asset, SCRIPTS)) if len(sections) > 1 else "",
            data=to_data(comparison),
        )

    def _comparison(self) -> Overlaid:
        src, tgt = (side.shown("") for side in self._sides)
        systems = tuple(
            beads.system(name) for beads, name in zip(self._beads, self._names, strict=True)
        )
        labels = {
            (system, k): f"{change} ({text})" if text and len(self._texts) > 1 else change
            for system, beads in enumerate(self._beads)
            for k, (change, text) in enumerate(beads.labels)
            if change
        }
        kinds = tuple("".join(beads.letters) for beads in self._beads)
        gaps = tuple(tuple(side.gaps) for side in self._sides)
        return Overlaid(
            src,
            tgt,
            systems,
            ((kinds[0], kinds[1]),),
            self._levels,
            words=_WORDS,
            gaps=(gaps[0], gaps[1]),
            labels=labels,
        )

    def _drawing(self) -> Iterator[str]:
        yield hatchings()
        yield from signs_key((letter, _WORDS[letter], meaning) for letter, meaning in _KEY)
        if self._left:
            yield (
                f'<p class="quiet">{self._left:,} more bisegments differ than the {_MAX_SHOWN:,} '
                "that are shown; the table of the command has all.</p>"
            )
        yield BENCH


def _changes(counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        yield '<p class="quiet">There is no difference.</p>'
        return
    table = Table(["change", "number", "meaning"], right={1})
    for kind, meaning in _MEANINGS.items():
        if kind in counts:
            table.rows.append([kind, f"{counts[kind]:,}", meaning])
    yield from pages.table_sheet(table, "Changes by kind")


def _stretches(differing: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Return the stretches around the differences as half-open ranges, in order.

    Examples
    --------
    >>> _stretches([3, 10, 12], 40)
    [(1, 6), (8, 15)]

    """
    stretches: list[tuple[int, int]] = []
    for place in differing:
        begin, end = max(place - _CONTEXT, 0), min(place + _CONTEXT + 1, size)
        if stretches and begin <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], end
        else:
            stretches.append((begin, end))
    return stretches
