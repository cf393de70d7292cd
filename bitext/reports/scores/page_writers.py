"""The pages of scores of alignments (`--html`), and the places with most errors (`--errors`).

The pages are a file, or a folder with an index. Places are collected text by text.
"""

from __future__ import annotations

import heapq
import shutil
import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from typing import IO, TYPE_CHECKING, Any

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

    def add(self, item: TextSet, evaluation: Evaluation, place: int = -1) -> None:
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

    def add(self, item: TextSet, evaluation: Evaluation, place: int = -1) -> None:
        """Store the text if it is the first, as it may be the only one; or add its word links."""
        del place
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

    def add(self, item: TextSet, evaluation: Evaluation, place: int = -1) -> None:
        """Write the page of a text."""
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

_COLUMNS = (100, 24)  # width and height of output that is not a terminal, in characters


def worst_views(
    item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison], most: int
) -> list[list[PlaceView]] | list[list[PairView]]:
    """Return the `most` worst places of the text that was scored last, of each system.

    Of word links these are its sentence pairs with most errors; all pairs (`ALL`) are in the order
    of the text. Otherwise the worst comes first.
    """
    if (by_links := links_of(evaluation)) is not None:
        return _worst_pairs(by_links, item.name or item.gold.name, most)
    from bitext.metrics.evaluation import worst_places
    from bitext.reports.alignment.excerpts import view

    return [
        [
            view(comparison, place, system=system, text=item.name)
            for place in worst_places(comparison, None if most == ALL else most)
        ]
        for system, comparison in zip(evaluation.systems, compared, strict=True)
    ]


def _worst_pairs(evaluation: LinkEvaluation, text: str, most: int) -> list[list[PairView]]:
    from bitext.reports.links import view

    views = []
    for k, system in enumerate(evaluation.systems):
        errors = evaluation.errors(k)
        if most < len(errors):
            errors = heapq.nsmallest(most, errors, key=lambda each: (-each.weight, each.pair))
        words = evaluation.last_words
        views.append([view(each, words, system=system, text=text) for each in errors])
    return views


class Places:
    """The places where systems differ from the gold standard, collected text by text.

    A place is a set of bisegments, or a sentence pair of word links. `most` is the number of places
    of each system: `None` for none, `ALL` for all. `printed` tells whether all are printed on
    standard output, in colour where it has some, and `whole` whether all places of bisegments are
    shown as whole texts, not as a list; `min_matched` is the least share of both texts that is the
    same.
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
        self._whole, self._min_matched = whole and most == ALL, min_matched
        self._colour = printed and wants_colour()
        self._columns = shutil.get_terminal_size(_COLUMNS).columns
        self._by_links = False
        self._differences: list[str] = []  # the text of `whole`
        # The places of each system. A heap drops its least item: numbers of texts and places are
        # negative, so that of places of equal weight the last is dropped.
        self._worst: dict[str, list[tuple[int, tuple[int, int], Any]]] = {
            name: [] for name in systems
        }
        self._texts = 0

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the places of the text that was scored last."""
        if not self.most:
            return
        self._by_links = links_of(evaluation) is not None
        if self._whole and not self._by_links:
            self._differences += self._differences_of(item)
        else:
            views = worst_views(item, evaluation, compared, self.most)
            self.take(views, by_links=self._by_links)

    def take(self, views: Sequence[Sequence[Any]], *, by_links: bool) -> None:
        """Add the worst places of a text, system by system; drop all but the worst."""
        self._by_links = by_links
        for heap, ranked in zip(self._worst.values(), views, strict=True):
            for k, view in enumerate(ranked):
                heapq.heappush(heap, (view.weight, (-self._texts, -k), view))
                if len(heap) > self.most:
                    heapq.heappop(heap)
        self._texts += 1

    def _differences_of(self, item: TextSet) -> Iterator[str]:
        """Yield every difference of a text as lines, system by system."""
        from bitext.reports.alignment.page import error_lines

        for system, hyp in zip(self._worst, item.hyps, strict=True):
            lines = error_lines(
                item.gold,
                hyp,
                name=f"{system} {item.name}".strip(),
                width=self._columns,
                colour=self._colour,
                min_matched=self._min_matched,
            )
            if part := "".join(f"{line}\n" for line in lines):
                yield part

    def _ranked(self) -> list[Any]:
        """Return the places system by system, the worst first; all pairs in the order of texts."""
        first = 1 if self._by_links and self.most == ALL else 0
        return [
            view
            for heap in self._worst.values()
            for *_, view in sorted(heap, key=lambda place: place[first:2], reverse=True)
        ]

    def rendered(self) -> list[str]:
        """Return the places as text, with their numbers, or the differences below their key."""
        if not self.most:
            return []
        if self._by_links:
            from bitext.reports.links import render as render_pair

            parts = [render_pair(pair, number=k) for k, pair in enumerate(self._ranked(), start=1)]
            return parts or ["no link differs from the gold standard\n"]
        if not self._whole:
            from bitext.reports.alignment.excerpts import render

            ranked = enumerate(self._ranked(), start=1)
            parts = [render(place, number=k, columns=self._columns) for k, place in ranked]
            return parts or ["no place differs from the gold standard\n"]
        from bitext.reports.alignment.page import key_line

        if not self._differences:
            return ["nothing differs from the gold standard\n"]
        return [f"{key_line(colour=self._colour)}\n", *self._differences]

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` without places, or as whole texts."""
        if not self.most or (self._whole and not self._by_links):
            return None
        return [place.to_json() for place in self._ranked()]
