"""Views of `bitext score` beside the table of scores: pages (--html) and places (--errors)."""

from __future__ import annotations

import heapq
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bitext.cli.score.options import ALL
from bitext.errors import InputError
from bitext.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO

    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.jobs import Failure, Outcome
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.metrics.evaluation.links import LinkEvaluation
    from bitext.reports.alignment.places import PlaceView
    from bitext.reports.corpus_report import Folder
    from bitext.reports.links.data import LinkData, PairView
    from bitext.reports.pages import Section

__all__ = [
    "Differences",
    "FilePage",
    "FolderPages",
    "LinkPlaces",
    "NoPlaces",
    "Pages",
    "Scored",
    "Worst",
    "WorstPlaces",
    "collect_pairs",
    "collect_places",
    "pairs_of",
    "places_of",
    "write_pages",
]


@dataclass(slots=True)
class Scored:
    """Results of scoring: here, by jobs, or from the shards of a corpus.

    Attributes
    ----------
    evaluation : Evaluation
        The counts of all texts.
    places : NoPlaces
        The places to show.
    notes : list of str
        The notes on the files.
    pairing : Pairing
        The texts that were scored; its `unpaired` are those without a partner.
    aside : mapping of str to sequence of str
        The files of folders that hold no alignment, by folder.
    corpus_notes : list of str
        The notes on folders and manifests; empty for shards, as the folders are not read again.
    outcome : Outcome or None
        The outcome of the jobs; `None` without jobs.

    """

    evaluation: Evaluation
    places: NoPlaces
    notes: list[str]
    pairing: Pairing
    aside: Mapping[str, Sequence[str]]
    corpus_notes: list[str]
    outcome: Outcome | None = None

    @property
    def failures(self) -> Sequence[Failure]:
        """The texts that jobs gave up."""
        return self.outcome.failures if self.outcome is not None else ()


_GOLD = "gold"
_TEXTS = 50  # most texts that the table of a page lists one by one; set by hand


class Pages:
    """A writer of no page, and the base of writers of pages."""

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Take the text that was scored last."""

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the rest of the pages; return notes on them."""
        del evaluation, averages, notes
        return []


@contextmanager
def write_pages(place: str | None) -> Iterator[Pages]:
    """Open the file or the folder of pages; they appear under their names when all are written.

    A place that cannot be written is refused here, before the work.
    """
    if place is None:
        yield Pages()
    elif place.endswith("/") or (place != "-" and is_folder(place)):
        from bitext.reports.corpus_report import write_folder

        with write_folder(place) as folder:
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

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Store the text if it is the first, as it may be the only one; or add its word links."""
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
            from bitext.reports.pages import asset
            from bitext.reports.scores.page import score_sections, score_style, scores_of

            scores = scores_of(evaluation, averages=averages)
            sections = score_sections(scores, notes=notes)
            page = text_page(
                self._first,
                evaluation,
                sections=sections,
                style=score_style(),
                script=asset("scores/scores.js"),
            )
            self._out.write(page)
            return []
        from bitext.reports.scores.page import scores_page

        self._out.write(scores_page(evaluation, averages=averages, notes=notes))
        return ["the page has scores only; --html FOLDER/ makes a page for each text too"]


class FolderPages(Pages):
    """A folder with a page for each text, written when it is scored, and an index at the end."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._addresses: list[str] = []
        self._links: LinkData | None = None

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Write the page of a text."""
        from bitext.reports.corpus_report import INDEX

        if (by_links := links_of(evaluation)) is not None:
            from bitext.reports.links.page import page_of

            self._links = laid_out(by_links, self._links)
            name = evaluation.texts[-1]
            html = page_of(
                laid_out(by_links),
                title=f"{name} against the gold standard",
                alpha=by_links.options.alpha,
                index=INDEX,
            )
        else:
            figures = text_figures(evaluation)
            html = text_page(item, evaluation, figures=figures, index=INDEX)
        self._addresses.append(self._folder.add(evaluation.texts[-1], html))

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the index."""
        by_links = links_of(evaluation)
        if by_links is not None and self._links is not None:
            texts = list(zip(evaluation.texts, self._addresses, strict=True))
            html = link_page_of(self._links, by_links, averages, notes, texts)
        else:
            from bitext.reports.scores.page import scores_page

            html = scores_page(evaluation, averages=averages, notes=notes, links=self._addresses)
        self._folder.finish(html)
        return []


def links_of(evaluation: Evaluation) -> LinkEvaluation | None:
    """Return the evaluation of word links, or `None` for one of bisegments."""
    from bitext.metrics.evaluation.links import LinkEvaluation

    return evaluation if isinstance(evaluation, LinkEvaluation) else None


def laid_out(evaluation: LinkEvaluation, data: LinkData | None = None) -> LinkData:
    """Add the word links of the last text to those of the texts before."""
    from bitext.reports.links.data import LinkData

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
    texts: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the page of all word links with their scores; `texts` has the address of each page."""
    from bitext.reports.links.page import page_of
    from bitext.reports.scores.figures import caption, score_table

    several = 1 < len(evaluation.texts) <= _TEXTS
    return page_of(
        data,
        title="Word links against the gold standard",
        alpha=evaluation.options.alpha,
        scores=(
            caption(evaluation, averages),
            score_table(evaluation, averages, texts=several),
        ),
        notes=notes,
        texts=texts,
    )


def text_figures(evaluation: Evaluation) -> list[tuple[str, object]]:
    """Return the figures of the last text, system by system, as rows of a table."""
    from bitext.reports.table import number

    rows: list[tuple[str, object]] = []
    for k, system in enumerate(evaluation.systems):
        for measure in evaluation.measures:
            counts = evaluation.counts(k, measure)[-1]
            figures = ", ".join(
                f"{name} {number(getattr(counts, name.lower()))}" for name in evaluation.figures
            )
            rows.append((f"{system}, {measure}", figures))
    return rows


def text_page(
    item: TextSet,
    evaluation: Evaluation,
    *,
    figures: Sequence[tuple[str, object]] = (),
    index: str = "",
    sections: Sequence[Section] = (),
    style: str = "",
    script: str = "",
) -> str:
    """Return the page of one text: the alignments of all systems over the gold standard.

    Raises
    ------
    InputError
        When the systems cut the text so differently that they have no common ground.

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
            sections=sections,
            style=style,
            script=script,
            min_matched=evaluation.options.min_matched,
        )
    except InputError as error:
        raise InputError(f"{error}; for scores alone leave out --html") from error


View = TypeVar("View", "PlaceView", "PairView")

_COLUMNS = (100, 24)  # width and height of output that is no terminal, in characters


class NoPlaces:
    """A collector of no places, and the base of collectors of places."""

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Take the text that was scored last."""

    def rendered(self) -> list[str]:
        """Return the places as text."""
        return []

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` without --errors."""
        return None


def collect_places(
    systems: Sequence[str], most: int | None, *, printed: bool, whole: bool, min_matched: float
) -> NoPlaces:
    """Return a collector of the places where systems differ from the gold standard.

    Parameters
    ----------
    systems : sequence of str
    most : int or None
        How many places of each system; `None` for none, `ALL` for all.
    printed : bool
        Whether all places are printed on standard output, in colour where it has some.
    whole : bool
        Whether all places are shown as whole texts, not as a list.
    min_matched : float
        The least share of both texts that is the same.

    """
    if not most:
        return NoPlaces()
    if most == ALL and whole:
        return Differences(systems, printed=printed, min_matched=min_matched)
    return WorstPlaces(systems, most)


def places_of(
    text: str, compared: Sequence[Comparison], systems: Sequence[str], most: int
) -> list[list[PlaceView]]:
    """Return the `most` worst places of a text, the worst first, of each system."""
    from bitext.metrics.evaluation.breakdown import worst_places
    from bitext.reports.alignment.places import view

    return [
        [
            view(comparison, place, system=system, text=text)
            for place in worst_places(comparison, None if most == ALL else most)
        ]
        for system, comparison in zip(systems, compared, strict=True)
    ]


def collect_pairs(
    systems: Sequence[str], most: int | None, evaluation: LinkEvaluation | None = None
) -> NoPlaces:
    """Return a collector of the `most` sentence pairs with most errors, of each system.

    Without an `evaluation` the collector takes pairs from jobs (`Worst.take`).
    """
    return LinkPlaces(systems, most, evaluation) if most else NoPlaces()


def pairs_of(
    evaluation: LinkEvaluation, text: str, systems: Sequence[str], most: int
) -> list[list[PairView]]:
    """Return the `most` pairs of the last text with most errors, of each system, the worst first.

    All pairs (`ALL`) are in the order of the text.
    """
    from bitext.reports.links.data import view

    views = []
    for k, system in enumerate(systems):
        errors = evaluation.errors(k)
        if most < len(errors):
            errors = heapq.nsmallest(most, errors, key=lambda each: (-each.weight, each.pair))
        words = evaluation.last_words
        views.append([view(each, words, system=system, text=text) for each in errors])
    return views


class Worst(NoPlaces, Generic[View]):
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


class WorstPlaces(Worst["PlaceView"]):
    """The worst places of each system, the worst first."""

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Add the worst places of a text."""
        self.take(places_of(item.name, compared, list(self._worst), self._most))

    def rendered(self) -> list[str]:
        """Return the places as text, with their numbers."""
        from bitext.reports.alignment.places import render

        columns = shutil.get_terminal_size(_COLUMNS).columns
        ranked = enumerate(self._ranked(), start=1)
        parts = [render(place, number=k, columns=columns) for k, place in ranked]
        return parts or ["no place differs from the gold standard\n"]


class LinkPlaces(Worst["PairView"]):
    """The sentence pairs of each system with most errors, the worst first; or all, in order."""

    def __init__(
        self, systems: Sequence[str], most: int, evaluation: LinkEvaluation | None = None
    ) -> None:
        super().__init__(systems, most)
        self._evaluation = evaluation

    def add(self, item: TextSet, compared: Sequence[Any]) -> None:
        """Add the worst pairs of the last text of the evaluation."""
        del compared  # the evaluation has the links
        if self._evaluation is not None:
            label = item.name or item.gold.name
            self.take(pairs_of(self._evaluation, label, list(self._worst), self._most))

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
        from bitext.reports.links.data import render

        parts = [render(place, number=k) for k, place in enumerate(self._ranked(), start=1)]
        return parts or ["no link differs from the gold standard\n"]


class Differences(NoPlaces):
    """Every difference of each system, text by text, in the order of the texts."""

    def __init__(self, systems: Sequence[str], *, printed: bool, min_matched: float) -> None:
        from bitext.reports.terminal import wants_colour

        self._systems = systems
        self._width = shutil.get_terminal_size(_COLUMNS).columns
        self._colour = printed and wants_colour()
        self._min_matched = min_matched
        self._parts: list[str] = []

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Add the differences of a text as lines."""
        from bitext.reports.alignment.page import error_lines

        del compared  # the lines show bisegments, not places
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
