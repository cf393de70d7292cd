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
    from bitext.metrics.link_evaluation import LinkEvaluation
    from bitext.reports.corpus_report import Folder
    from bitext.reports.link_data import LinkData
    from bitext.reports.pages import Section

__all__ = ["FilePage", "FolderPages", "Pages", "pages_asked"]

_GOLD = "gold"
_TEXTS = 50  # that a table of scores tells one by one


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
    """One file: the alignments of the one text, or the scores of several; or all word links."""

    def __init__(self, out: IO[Any]) -> None:
        self._out = out
        self._first: TextSet | None = None
        self._links: LinkData | None = None

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Keep the first text, which may be the only one; or lay out its word links."""
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
        self._addresses: list[str] = []
        self._links: LinkData | None = None

    def add(self, item: TextSet, evaluation: Evaluation) -> None:
        """Write the page of a text."""
        from bitext.reports.corpus_report import INDEX

        if (by_links := links_of(evaluation)) is not None:
            from bitext.reports.link_page import page_of

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
            from bitext.reports.scores_page import scores_page

            html = scores_page(evaluation, averages=averages, notes=notes, links=self._addresses)
        self._folder.finish(html)
        return []


def links_of(evaluation: Evaluation) -> LinkEvaluation | None:
    """Return the evaluation of word links, or `None` for one of bisegments."""
    from bitext.metrics.link_evaluation import LinkEvaluation

    return evaluation if isinstance(evaluation, LinkEvaluation) else None


def laid_out(evaluation: LinkEvaluation, data: LinkData | None = None) -> LinkData:
    """Lay the links of the last text over each other, beside those of texts before."""
    from bitext.reports.link_data import LinkData

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
    """Return the page of all texts with their scores; `texts` has the address of each page."""
    from bitext.reports.link_page import page_of
    from bitext.reports.scores import caption, score_table

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
