"""The pages of scores of alignments (`--html`), and the places with most errors (`--errors`).

The pages are a file, or a folder with an index. Places are collected text by text.
"""

from __future__ import annotations

import heapq
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

from bitext.errors import InputError, remedy
from bitext.reports.lettering import wants_colour
from bitext.reports.pages import INDEX, Folder, Section, asset, names_folder
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.metrics.evaluation.links import LinkEvaluation
    from bitext.reports.alignment.excerpts import PlaceView
    from bitext.reports.links import LinkData, PairView

_GOLD = "gold"
_TEXTS = 50  # most texts that the table of a page lists one by one; set by hand


class Pages:
    """A writer of no page, and the base of writers of pages.

    `shows_texts` is true if a page shows each text, however many there are.
    """

    shows_texts = False

    def add(
        self,
        item: TextSet,
        evaluation: Evaluation,
        compared: Sequence[Comparison] = (),
        place: int = -1,
    ) -> None:
        """Take a text: the one scored last, or the one of this index in the evaluation."""

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the rest of the pages, with notes; return notes on the pages."""
        del evaluation, averages, notes
        return []


@contextmanager
def write_pages(place: str | None) -> Iterator[Pages]:
    """Open the file or the folder of pages; they appear under their names when all are written.

    A place that cannot be written is refused here, before the work.
    """
    if place is None:
        yield Pages()
    elif names_folder(place):
        with Folder(place) as folder:
            yield FolderPages(folder)
    else:
        from bitext.formats.io.output import write_whole

        with write_whole(place) as out:
            yield FilePage(out)


class FilePage(Pages):
    """A page with the alignments of one text, the scores of several, or all word links."""

    def __init__(self, out: IO[Any]) -> None:
        self._out = out
        self._first: TextSet | None = None
        self._links: LinkData | None = None

    def add(
        self,
        item: TextSet,
        evaluation: Evaluation,
        compared: Sequence[Comparison] = (),
        place: int = -1,
    ) -> None:
        """Store the text if it is the first, as it may be the only one; or add its word links."""
        del compared, place
        if (by_links := links_of(evaluation)) is not None:
            self._links = laid_out(by_links, self._links)
            return
        self._first = item if len(evaluation.texts) == 1 else None

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the page."""
        by_links = links_of(evaluation)
        if by_links is not None and self._links is not None:
            self._out.write(link_page_of(self._links, by_links, averages, notes))
            return []
        if self._first is not None:
            from bitext.reports.scores.page import score_sections, score_style, scores_of

            scores = scores_of(evaluation, averages=averages)
            first, *further = score_sections(scores, notes=notes)
            results = [first, *(each for each in further if each.anchor == "granularities")]
            page = text_page(
                self._first,
                evaluation,
                results=results,
                sections=[each for each in further if each not in results],
                style=score_style(),
                script=asset("scores/scores.js"),
            )
            self._out.write(page)
            return []
        from bitext.reports.scores.page import scores_page

        self._out.write(scores_page(evaluation, averages=averages, notes=notes))
        folder = remedy("html FOLDER/", python="save_html('FOLDER/')")
        return [f"the page has scores only; {folder} makes a page for each text too"]


class FolderPages(Pages):
    """A folder with a page for each text, written when it is scored, and an index at the end."""

    shows_texts = True

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._addresses: list[str] = []
        self._links: LinkData | None = None

    def add(
        self,
        item: TextSet,
        evaluation: Evaluation,
        compared: Sequence[Comparison] = (),
        place: int = -1,
    ) -> None:
        """Write the page of a text."""
        del compared
        if (by_links := links_of(evaluation)) is not None:
            from bitext.reports.links.page import page_of

            self._links = laid_out(by_links, self._links)
            name = evaluation.texts[-1]
            html = page_of(
                laid_out(by_links),
                title=f"{name} against the gold standard",
                alpha=by_links.options.alpha,
                index=INDEX,
                zero_division=by_links.options.zero_division,
            )
        else:
            figures = text_figures(evaluation, place)
            html = text_page(item, evaluation, figures=figures, index=INDEX)
        self._addresses.append(self._folder.add(evaluation.texts[place], html))

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the index."""
        by_links = links_of(evaluation)
        if by_links is not None and self._links is not None:
            html = link_page_of(self._links, by_links, averages, notes, self._addresses)
        else:
            from bitext.reports.scores.page import scores_page

            html = scores_page(evaluation, averages=averages, notes=notes, links=self._addresses)
        self._folder.finish(html)
        return []


def links_of(evaluation: Evaluation) -> LinkEvaluation | None:
    """Return the evaluation of word links, or `None` for one of bisegments."""
    if evaluation.metric == "arcade":
        return None  # and its module need not be imported
    from bitext.metrics.evaluation.links import LinkEvaluation

    return evaluation if isinstance(evaluation, LinkEvaluation) else None


def add_again(
    pages: Pages, pairing: Pairing, evaluation: Evaluation, skipped: Container[int] = ()
) -> None:
    """Read the scored texts again, and add them to pages that show each text or word link.

    `skipped` are the numbers of the files of the gold standard that could not be scored.
    """
    links, unread = links_of(evaluation), pairing.unread()
    for place, item in enumerate(unread.texts(skipped)):
        if links is None:
            pages.add(item, evaluation, place=place)
        else:  # an evaluation has the links of its last text only
            fresh = type(links)(links.systems, links.options, missing=links.missing)
            fresh.add(item.gold, item.hyps, item.name)
            pages.add(item, fresh)


def laid_out(evaluation: LinkEvaluation, data: LinkData | None = None) -> LinkData:
    """Add the word links of the last text to those of the texts before."""
    from bitext.reports.links import LinkData

    data = LinkData(evaluation.systems) if data is None else data
    gold, hyps = evaluation.last_links
    data.add(
        gold,
        hyps,
        evaluation.last_words,
        text=evaluation.texts[-1],
        sure_only=evaluation.options.sure_only,
    )
    return data


def link_page_of(
    data: LinkData,
    evaluation: LinkEvaluation,
    averages: Sequence[str],
    notes: Sequence[str],
    addresses: Sequence[str] = (),
) -> str:
    """Return the page of all word links with their scores, and links to the pages of texts."""
    from bitext.reports.links.page import page_of
    from bitext.reports.scores.figures import caption, pair_table, score_table

    has_texts = 1 < len(evaluation.texts) <= _TEXTS
    pairs = pair_table(evaluation, averages) if evaluation.options.pairs else None
    return page_of(
        data,
        title="Word links against the gold standard",
        alpha=evaluation.options.alpha,
        scores=(caption(evaluation, averages), score_table(evaluation, averages, texts=has_texts)),
        pairs=pairs,
        notes=notes,
        texts=_listed(evaluation, addresses) if addresses else None,
    )


def _listed(evaluation: LinkEvaluation, addresses: Sequence[str]) -> tuple[Table, list[str]]:
    """Return the figures of all texts, those with the highest error rate first, and the pages."""
    systems, measure = evaluation.systems, evaluation.measures[0]
    values: dict[str, list[tuple[float, ...]]] = {system: [] for system in systems}
    for row in evaluation.rows(averages=()):
        if row.measure == measure:
            values[row.system].append(row.values)
    figures = list(enumerate(evaluation.figures))[::-1]  # the error rate, then F, recall, precision
    table = Table(["text", *(f"{name}, {system}" for _, name in figures for system in systems)])
    table.right = {*range(1, len(table.head))}

    def worst(k: int) -> float:
        return -max((values[s][k][-1] for s in systems if not isnan(values[s][k][-1])), default=-1)

    ranked = sorted(range(len(addresses)), key=worst)
    for k in ranked:
        cells = [number(values[system][k][figure]) for figure, _ in figures for system in systems]
        table.rows.append([evaluation.texts[k], *cells])
    return table, [addresses[k] for k in ranked]


def text_figures(evaluation: Evaluation, place: int = -1) -> list[tuple[str, object]]:
    """Return the figures of a text, system by system, as rows of a table."""
    rows: list[tuple[str, object]] = []
    for k, system in enumerate(evaluation.systems):
        for measure in evaluation.measures:
            values = evaluation.values_of(evaluation.counts(k, measure)[place])
            named = zip(evaluation.figures, values, strict=True)
            figures = ", ".join(f"{name} {number(value)}" for name, value in named)
            rows.append((f"{system}, {measure}", figures))
    return rows


def text_page(
    item: TextSet,
    evaluation: Evaluation,
    *,
    figures: Sequence[tuple[str, object]] = (),
    index: str = "",
    results: Sequence[Section] = (),
    sections: Sequence[Section] = (),
    style: str = "",
    script: str = "",
) -> str:
    """Return the page of one text: the alignments of all systems over the gold standard.

    Raises `InputError` when the systems cut the text so differently that they have no common
    ground.
    """
    from bitext.reports.alignment.page import alignment_page

    gold = _GOLD if _GOLD not in evaluation.systems else "gold standard"
    name = item.name or item.gold.name
    try:
        return alignment_page(
            item.gold,
            hypotheses=dict(zip(evaluation.systems, item.hyps, strict=True)),
            title=f"{name} against the gold standard" if name else None,
            gold_name=gold,
            figures=figures,
            index=index,
            results=results,
            sections=sections,
            style=style,
            script=script,
            min_matched=evaluation.options.min_matched,
        )
    except InputError as error:
        raise InputError(
            f"{error}; for scores alone leave out {remedy('html', python='save_html')}"
        ) from error


# The places with most errors, collected text by text.

ALL = sys.maxsize  # places of a system: more than any text has

View = TypeVar("View", "PlaceView", "PairView")

_COLUMNS = (100, 24)  # width and height of output that is not a terminal, in characters


def places_of(
    text: str, compared: Sequence[Comparison], systems: Sequence[str], most: int
) -> list[list[PlaceView]]:
    """Return the `most` worst places of a text, the worst first, of each system."""
    from bitext.metrics.evaluation import worst_places
    from bitext.reports.alignment.excerpts import view

    return [
        [
            view(comparison, place, system=system, text=text)
            for place in worst_places(comparison, None if most == ALL else most)
        ]
        for system, comparison in zip(systems, compared, strict=True)
    ]


def pairs_of(
    evaluation: LinkEvaluation, text: str, systems: Sequence[str], most: int
) -> list[list[PairView]]:
    """Return the `most` pairs of the last text with most errors, of each system, the worst first.

    All pairs (`ALL`) are in the order of the text.
    """
    from bitext.reports.links import view

    views = []
    for k, system in enumerate(systems):
        errors = evaluation.errors(k)
        if most < len(errors):
            errors = heapq.nsmallest(most, errors, key=lambda each: (-each.weight, each.pair))
        words = evaluation.last_words
        views.append([view(each, words, system=system, text=text) for each in errors])
    return views


class _Collector(ABC):
    """A collector of places."""

    @abstractmethod
    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Take the text that was scored last."""

    @abstractmethod
    def rendered(self) -> list[str]:
        """Return the places as text."""

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` if they are text alone."""
        return None


class _Worst(_Collector, Generic[View]):
    """The `most` worst views of each system, the worst first: places, or pairs of word links."""

    def __init__(self, systems: Sequence[str], most: int) -> None:
        self._most, self._texts = most, 0
        # A heap drops its least item. Numbers of texts and places are negative, so that of views
        # of equal weight the last is dropped.
        self._worst: dict[str, list[tuple[int, tuple[int, int], View]]] = {
            name: [] for name in systems
        }

    def take(self, views: Sequence[Sequence[View]]) -> None:
        """Add the views of a text, system by system; drop all but the worst."""
        for heap, ranked in zip(self._worst.values(), views, strict=True):
            for k, view in enumerate(ranked):
                heapq.heappush(heap, (view.weight, (-self._texts, -k), view))
                if len(heap) > self._most:
                    heapq.heappop(heap)
        self._texts += 1

    def _ranked(self) -> list[View]:
        return [
            view
            for heap in self._worst.values()
            for *_, view in sorted(heap, key=lambda place: place[:2], reverse=True)
        ]

    def to_json(self) -> list[dict[str, Any]]:
        """Return all views as objects of JSON, the worst of each system first."""
        return [place.to_json() for place in self._ranked()]


class _WorstPlaces(_Worst["PlaceView"]):
    """The worst places of each system, the worst first."""

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the worst places of a text."""
        del evaluation  # the comparisons have the places
        self.take(places_of(item.name, compared, list(self._worst), self._most))

    def rendered(self) -> list[str]:
        """Return the places as text, with their numbers."""
        from bitext.reports.alignment.excerpts import render

        columns = shutil.get_terminal_size(_COLUMNS).columns
        ranked = enumerate(self._ranked(), start=1)
        parts = [render(place, number=k, columns=columns) for k, place in ranked]
        return parts or ["no place differs from the gold standard\n"]


class _LinkPlaces(_Worst["PairView"]):
    """The sentence pairs of each system with most errors, the worst first; or all, in order."""

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the worst pairs of the last text of the evaluation."""
        from bitext.metrics.evaluation.links import LinkEvaluation

        del compared  # the evaluation has the links
        if isinstance(evaluation, LinkEvaluation):
            label = item.name or item.gold.name
            self.take(pairs_of(evaluation, label, list(self._worst), self._most))

    def _ranked(self) -> list[PairView]:
        if self._most < ALL:
            return super()._ranked()
        return [
            view
            for heap in self._worst.values()
            for *_, view in sorted(heap, key=lambda place: place[1], reverse=True)
        ]

    def rendered(self) -> list[str]:
        """Return the pairs as text, with their numbers."""
        from bitext.reports.links import render

        parts = [render(place, number=k) for k, place in enumerate(self._ranked(), start=1)]
        return parts or ["no link differs from the gold standard\n"]


class _Differences(_Collector):
    """Every difference of each system, text by text, in the order of the texts."""

    def __init__(self, systems: Sequence[str], *, printed: bool, min_matched: float) -> None:
        self._systems = systems
        self._width = shutil.get_terminal_size(_COLUMNS).columns
        self._colour = printed and wants_colour()
        self._min_matched = min_matched
        self._parts: list[str] = []

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the differences of a text as lines."""
        from bitext.reports.alignment.page import error_lines

        del evaluation, compared  # the lines show bisegments, not places
        for system, hyp in zip(self._systems, item.hyps, strict=True):
            lines = error_lines(
                item.gold,
                hyp,
                name=f"{system} {item.name}".strip(),
                width=self._width,
                colour=self._colour,
                min_matched=self._min_matched,
            )
            if part := "".join(f"{line}\n" for line in lines):
                self._parts.append(part)

    def rendered(self) -> list[str]:
        """Return the key of the marks, and the differences."""
        from bitext.reports.alignment.page import key_line

        if not self._parts:
            return ["nothing differs from the gold standard\n"]
        return [f"{key_line(colour=self._colour)}\n", *self._parts]


class Places:
    """The places where systems differ from the gold standard, collected text by text.

    The first text decides between places of bisegments and sentence pairs of word links. `most` is
    the number of places of each system: `None` for none, `ALL` for all. `printed` tells whether all
    are printed on standard output, in colour where it has some, and `whole` whether they are shown
    as whole texts, not as a list; `min_matched` is the least share of both texts that is the same.
    """

    def __init__(
        self,
        systems: Sequence[str],
        most: int | None,
        *,
        printed: bool = False,
        whole: bool = False,
        min_matched: float = 0.9,
    ) -> None:
        self.most = most or 0
        self._systems, self._printed = systems, printed
        self._whole, self._min_matched = whole and most == ALL, min_matched
        self._collected: _Collector | None = None

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the places of the text that was scored last."""
        if self.most:
            by_links = evaluation.metric != "arcade"
            self._collector(by_links=by_links).add(item, evaluation, compared)

    def take(self, views: Sequence[Sequence[Any]], *, by_links: bool) -> None:
        """Add the worst places of a text from a job, system by system."""
        collector = self._collector(by_links=by_links)
        if isinstance(collector, _Worst):
            collector.take(views)

    def _collector(self, *, by_links: bool) -> _Collector:
        if self._collected is None:
            if by_links:
                self._collected = _LinkPlaces(self._systems, self.most)
            elif self._whole:
                self._collected = _Differences(
                    self._systems, printed=self._printed, min_matched=self._min_matched
                )
            else:
                self._collected = _WorstPlaces(self._systems, self.most)
        return self._collected

    def rendered(self) -> list[str]:
        """Return the places as text."""
        return [] if self._collected is None else self._collected.rendered()

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` without --errors."""
        return None if self._collected is None else self._collected.to_json()
