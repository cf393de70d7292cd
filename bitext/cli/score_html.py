"""What `bitext score --html` writes: one page, or a folder with a page for each text."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.paths import is_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from typing import IO, Any

    from bitext.formats.pairing import TextSet
    from bitext.metrics.evaluation import Evaluation
    from bitext.reports.corpus_report import Folder
    from bitext.reports.pages import Section

__all__ = ["FilePage", "FolderPages", "Pages", "pages_asked"]

_GOLD = "gold"


class Pages:
    """Nothing: what is done where no page is asked for."""

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Take a text that was scored just now."""

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write what is asked for; return notes on it."""
        del evaluation, averages, notes
        return []


@contextmanager
def pages_asked(options: argparse.Namespace) -> Iterator[Pages]:
    """Give what takes texts and writes pages; they appear when all went well.

    The place is tried before the work, and nothing is read through it: see
    `bitext.formats.writing` and `bitext.reports.corpus_report`.
    """
    place = options.html
    if place is None or options.shard is not None:  # the page is of all shards
        yield Pages()
    elif place.endswith("/") or (place != "-" and is_folder(place)):
        from bitext.reports.corpus_report import write_folder

        with write_folder(place) as folder:
            yield FolderPages(folder)
    else:
        from bitext.formats.writing import write_whole

        with write_whole(place) as out:
            yield FilePage(out)


class FilePage(Pages):
    """One file: the alignments of the one text, or the scores of several."""

    def __init__(self, out: IO[Any]) -> None:
        self._out = out
        self._first: TextSet | None = None

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Keep the first text; it may be the only one."""
        self._first = item if len(evaluation.texts) == 1 else None

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the page."""
        if self._first is not None:
            from bitext.reports.pages import asset
            from bitext.reports.scores_data import scores_of
            from bitext.reports.scores_page import score_sections, score_style

            scores = scores_of(evaluation, averages=averages)
            sections = score_sections(scores, notes=notes)
            page = text_page(
                self._first,
                evaluation,
                sections=sections,
                style=score_style(),
                script=asset("scores.js"),
            )
            self._out.write(page)
            return []
        from bitext.reports.scores_page import scores_page

        self._out.write(scores_page(evaluation, averages=averages, notes=notes))
        return ["the page has scores only; --html FOLDER/ makes a page for each text too"]


class FolderPages(Pages):
    """A folder: the page of each text as soon as it is scored, the index at the end."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._links: list[str] = []

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Write the page of a text."""
        from bitext.reports.corpus_report import INDEX

        figures = text_figures(evaluation)
        html = text_page(item, evaluation, figures=figures, index=INDEX)
        self._links.append(self._folder.add(evaluation.texts[-1], html))

    def finish(
        self, evaluation: Evaluation, averages: Sequence[str], notes: Sequence[str]
    ) -> list[str]:
        """Write the index."""
        from bitext.reports.scores_page import scores_page

        html = scores_page(evaluation, averages=averages, notes=notes, links=self._links)
        self._folder.finish(html)
        return []


def text_figures(evaluation: Evaluation) -> list[tuple[str, object]]:
    """Return the figures of the last text, system by system, as rows of a table."""
    from bitext.reports.table import number

    rows: list[tuple[str, object]] = []
    for k, system in enumerate(evaluation.systems):
        for measure in evaluation.measures:
            counts = evaluation.counts(k, measure)[-1]
            named = zip(
                ("precision", "recall", "F1"),
                (counts.precision, counts.recall, counts.f1),
                strict=True,
            )
            told = ", ".join(f"{name} {number(v)}" for name, v in named)
            rows.append((f"{system}, {measure}", told))
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
        When systems cut the text so differently that they have no ground in common.

    """
    from bitext.reports.alignment_page import alignment_page

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
