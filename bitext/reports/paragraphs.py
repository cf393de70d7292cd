"""The figures of methods of paragraph segmentation, with intervals and tests, as table and JSON.

A decision is whether a sentence starts a paragraph. The first sentence of a chapter always does,
and is no decision. Figures are *micro*: from the pooled counts of all chapters. Accuracy,
precision, recall and F1 are over decisions; A, B, WindowDiff and Pk compare whole segmentations
(`bitext.metrics`), with their defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from itertools import islice
from math import nan
from typing import Any, NamedTuple

import bitext
from bitext.errors import InputError, SegmentationError, many
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import SegmentEvaluation
from bitext.metrics.registry import parse_metric
from bitext.metrics.significance import Interval
from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations
from bitext.reports import pages
from bitext.reports.pages import Section, isolated
from bitext.reports.scores.figures import defined
from bitext.reports.scores.page import (
    Scores,
    bars,
    drawn_results,
    figure_cell,
    score_style,
    system,
)
from bitext.reports.table import Look, ResultRow, Results, Table, best_of, figure_of, flat_cell

# Running text with its paragraphs as a page, with the confidence of each break.
#
# Beside each paragraph stands its confidence with a bar; the least confident breaks are listed,
# with links to their places. The page has no script.

_MAX_SENTENCES = 20_000  # sentences of a page
_MAX_LISTED = 20  # least confident breaks in the list
_SENTENCE = 4_000  # characters of a sentence
_BEGIN = 90


class Paragraph(NamedTuple):
    """A paragraph."""

    # The probability of the break before it; `None` if unknown, and for a first paragraph.
    confidence: float | None
    sentences: list[str]


class BrokenChapter(NamedTuple):
    """A chapter with its paragraphs; the first one starts in any case."""

    name: str
    paragraphs: list[Paragraph]


def paragraph_text_page(
    chapters: Sequence[BrokenChapter], *, title: str, told: str = "", most: int = _MAX_SENTENCES
) -> str:
    """Return the page of a text as HTML: the same for the same input.

    `told` is the origin of the breaks, as the model. The page has at most `most` sentences.

    Examples
    --------
    >>> paragraphs = [Paragraph(None, ["Rain."]), Paragraph(0.7, ["<i>.", "Wind."])]
    >>> html = paragraph_text_page([BrokenChapter("I", paragraphs)], title="storm")
    >>> html.count('class="sure"'), "&lt;i&gt;." in html, "<i>" in html
    (1, True, False)

    """
    count = sum(len(chapter.paragraphs) for chapter in chapters)
    sentences = sum(len(p.sentences) for chapter in chapters for p in chapter.paragraphs)
    summary = f"{many(count, 'paragraph')} of {many(sentences, 'sentence')} in "
    summary += f"{many(len(chapters), 'chapter')}. "
    sections = [Section("text", "Text", _text(chapters, sentences, most))]
    if unsure := _least_sure(chapters, most):  # the worst places first
        sections.insert(0, Section("unsure", "Least sure breaks", unsure))
    style = pages.asset("paragraph_text.css")
    return pages.page(title, summary + (isolated(told) if told else ""), sections, style=style)


def _text(chapters: Sequence[BrokenChapter], sentences: int, most: int) -> Iterator[str]:
    yield (
        '<p class="quiet">Beside a paragraph stands how likely it is that one starts there, '
        f"from 0 to 1, and as a bar. {pages.CHOSEN} The paragraph that a link led to.</p>"
    )
    sentences_left, number = most, 0
    for chapter in chapters:
        if sentences_left <= 0:
            break
        yield f'<div class="chapter"><h3>{isolated(chapter.name or "(no name)", 200)}</h3>'
        for k, paragraph in enumerate(chapter.paragraphs):
            number += 1
            sure = paragraph.confidence if k else None
            yield f'<p class="part" id="p{number}">{_margin(sure)}<span class="said-here">'
            shown_sentences = paragraph.sentences[:sentences_left]
            yield " ".join(isolated(sentence, _SENTENCE) for sentence in shown_sentences)
            yield "</span></p>"
            sentences_left -= len(shown_sentences)
            if sentences_left <= 0:
                break
        yield "</div>"
    if sentences > most:
        yield f'<p class="quiet">The first {most:,} of {sentences:,} sentences.</p>'


def _margin(sure: float | None) -> str:
    if sure is None:
        return '<span class="margin"></span>'
    bar = (
        '<svg width="40" height="8" viewBox="0 0 40 8" aria-hidden="true">'
        '<rect class="room" x=".5" y=".5" width="39" height="7"/>'
        f'<rect class="share" x=".5" y=".5" width="{39 * sure:.1f}" height="7"/></svg>'
    )
    return f'<span class="margin"><span class="sure">{sure:.2f}</span>{bar}</span>'


def _least_sure(chapters: Sequence[BrokenChapter], most: int) -> list[str]:
    """Return the list of the least confident breaks on the page."""
    breaks, number, sentences_before = [], 0, 0
    for chapter in chapters:
        for k, paragraph in enumerate(chapter.paragraphs):
            number += 1
            if k and paragraph.confidence is not None and sentences_before < most:
                breaks.append((paragraph.confidence, number, paragraph.sentences[0]))
            sentences_before += len(paragraph.sentences)
    if not breaks:
        return []
    rows = [
        f'<li>{sure:.2f} <a href="#p{place}">{isolated(" ".join(text.split()), _BEGIN)}</a></li>'
        for sure, place, text in islice(sorted(breaks), _MAX_LISTED)
    ]
    return ['<ol class="unsure">', *rows, "</ol>"]


SCHEMA = "bitext.paragraph-scores/1"

FIGURES = {
    "accuracy": "boundary-accuracy",
    "precision": "boundary.precision",
    "recall": "boundary.recall",
    "F1": "boundary.f1",
    "A": "alignment-similarity",
    "B": "boundary-similarity",
    "WindowDiff": "window-diff",
    "Pk": "pk",
}
"""The figures in their order, with what `bitext compare` calls them."""

_METRICS = tuple(dict.fromkeys(label.partition(".")[0] for label in FIGURES.values()))
_LOWER = ("WindowDiff", "Pk")
_LOOK = Look()


@dataclass(frozen=True, slots=True)
class ParagraphScore:
    """One figure of one method."""

    method: str
    figure: str  # one of `FIGURES`
    better: str  # `higher` or `lower`
    value: float  # `nan` where undefined
    numerator: float | None  # of the value
    denominator: float | None  # of the value
    chapters: int  # the number of chapters that count: the shortest ones are too short for windows
    # By bootstrap over chapters; `None` for one chapter, or without resamples.
    interval: Interval | None
    difference: float | None  # from the first method; `None` for the first
    p: float | None  # of the difference; likewise
    undefined: str  # the reason where the value is `nan`


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphScores:
    """The figures of all methods on the same chapters."""

    rows: tuple[ParagraphScore, ...]  # method by method, each with all `FIGURES` in their order
    methods: tuple[str, ...]  # their names; the others are tested against the first
    chapters: int  # the number of chapters
    decisions: int  # the number of sentences but the first of each chapter
    breaks: int  # the number of those that start a paragraph
    options: Sampling  # the options of intervals and tests

    @property
    def resampled(self) -> bool:
        """Whether there are intervals and tests."""
        return bool(self.options.resamples) and self.chapters > 1

    def sampling_notes(self, *, seeded: bool = False) -> list[str]:
        """Warn of the limits of intervals and tests of few chapters.

        With `seeded` the seed has a use without them, in training.
        """
        options = replace(self.options, seed=0) if seeded else self.options
        if not self.resampled:
            return options.without_units("chapters")
        return options.few(self.chapters, "chapters", tested=len(self.methods) > 1)

    def value(self, method: str, figure: str) -> float:
        """Return one figure of one method; `KeyError` if there is none."""
        for row in self.rows:
            if (row.method, row.figure) == (method, figure):
                return row.value
        raise KeyError(f"{method}: {figure}")

    def signature(self) -> str:
        """Return every choice that changes a figure or an interval, and the version."""
        parts = ["paragraph-scores", "average:micro", f"chapters:{self.chapters}"]
        if self.resampled:
            parts += self.options.parts(self.chapters, "chapters", tested=len(self.methods) > 1)
        return "|".join([*parts, f"bitext:{bitext.__version__}"])

    def caption(self) -> str:
        """Return the caption of the table."""
        line = f"{many(self.chapters, 'chapter')}, {many(self.decisions, 'decision')}, "
        line += f"{many(self.breaks, 'break')}, micro average"
        if self.resampled:
            line += f"; {self.options.interval_words(f'{self.chapters:,} chapters')}"
        elif self.options.resamples:
            line += "; no intervals: one chapter"
        lines = [line]
        if self.resampled and len(self.methods) > 1:
            lines.append(self.options.test_words(self.methods, self.chapters, "chapters"))
        fewer = {row.figure: row.chapters for row in self.rows if row.chapters < self.chapters}
        for figure, chapters in fewer.items():
            lines.append(
                f"{figure}: {many(chapters, 'chapter')}, the others are too short for its windows"
            )
        lines.append(f"signature: {self.signature()}")
        return "\n".join(lines) + "\n"

    def results(self) -> Results:
        """Return the figures as rows: figure by figure, method by method."""
        rows = []
        for row in sorted(self.rows, key=lambda row: list(FIGURES).index(row.figure)):
            figure = figure_of(row.value, row.interval, nan if row.p is None else row.p, row.better)
            record = {**_members(row), "signature": self.signature()}
            rows.append(ResultRow(row.figure, row.method, None, "micro", (figure,), record))
        return Results("figure", ("value",), tuple(rows), arrows=True)

    def table(self, look: Look = _LOOK) -> Table:
        """Return the table for readers: one row per method, and its intervals below."""
        arrows = (f"{name} {'↓' if name in _LOWER else '↑'}" for name in FIGURES)
        table = Table(["method", *arrows])
        for method in self.methods:
            method_rows = [row for row in self.results().rows if row.system == method]
            cells = [row.figures[0].cell(look) for row in method_rows]
            table.rows.append([method, *(cell.value + cell.mark for cell in cells)])
            if self.resampled and look.intervals:
                table.rows.append(["", *(cell.interval for cell in cells)])
        return table

    def flat_table(self) -> Table:
        """Return the table for programs: one figure per row, all digits, `-` where undefined."""
        head = ["method", "figure", "better", "value", "numerator", "denominator", "chapters"]
        table = Table([*head, "low", "high", "difference", "p", "signature"])
        signature = self.signature()
        for row in self.rows:
            ends = row.interval or (None, None)
            cells = (row.method, row.figure, row.better, row.value, row.numerator, row.denominator)
            more = (row.chapters, *ends, row.difference, row.p, signature)
            table.rows.append([flat_cell(cell) for cell in (*cells, *more)])
        return table

    def to_json(self) -> dict[str, Any]:
        """Return all figures as members of JSON; undefined figures are `None`."""
        return {
            "schema": SCHEMA,
            "signature": self.signature(),
            "chapters": self.chapters,
            "decisions": self.decisions,
            "breaks": self.breaks,
            "baseline": self.methods[self.options.baseline_of(self.methods)],
            "rows": [_members(row) for row in self.rows],
        }


def score_paragraphs(
    golds: Sequence[Segmentation],
    predictions: Mapping[str, Sequence[Segmentation]],
    sampling: Sampling | None = None,
) -> ParagraphScores:
    """Score the paragraphs of several methods in the same chapters.

    `golds` has the paragraphs of each chapter over its sentences, `predictions` those of each
    method in the same order; `sampling` has the options of the intervals over chapters and of the
    tests.

    Raises `InputError` when there is no method or no chapter, or not one segmentation a chapter, or
    a segmentation has another number of sentences than the gold standard; `OptionError` when an
    option has a value that is not allowed.

    Examples
    --------
    >>> from bitext.metrics.evaluation import Sampling
    >>> from bitext.model import Segmentation
    >>> golds = [Segmentation([2, 3, 1]), Segmentation([1, 4])]
    >>> result = [Segmentation([2, 4]), Segmentation([1, 2, 2])]
    >>> scores = score_paragraphs(golds, {"a": result, "b": golds}, Sampling(resamples=0))
    >>> print(scores.table().render("table"), end="")
    method  accuracy ↑  precision ↑  recall ↑  F1 ↑    A ↑     B ↑     WindowDiff ↓  Pk ↓
    ------  ----------  -----------  --------  ------  ------  ------  ------------  ------
    a       0.7778      0.6667       0.6667    0.6667  0.6667  0.5000  0.4286        0.4286
    b       1.0000      1.0000       1.0000    1.0000  1.0000  1.0000  0.0000        0.0000

    """
    options = Sampling() if sampling is None else sampling
    methods = tuple(predictions)
    gold, hyps = _laid(golds, predictions)
    score_of_place: dict[tuple[str, str], ParagraphScore] = {}
    for name in _METRICS:
        evaluation = SegmentEvaluation(
            systems=methods,
            metrics=[parse_metric(name)],
            references=[gold],
            hyps=hyps,
            options=options,
            refused="leave",
        )
        score_of_place.update(_scored(evaluation))
    order = [(method, figure) for method in methods for figure in FIGURES]
    return ParagraphScores(
        rows=tuple(score_of_place.get(place) or _refused(*place) for place in order),
        methods=methods,
        chapters=len(gold),
        decisions=int(gold.sizes.sum()) - len(gold),
        breaks=len(gold.masses) - len(gold),
        options=options,
    )


def _laid(
    golds: Sequence[Segmentation], predictions: Mapping[str, Sequence[Segmentation]]
) -> tuple[Segmentations, list[Segmentations]]:
    if not predictions:
        raise InputError("there is no method to score: want one or more")
    if not len(golds):
        raise InputError("there is no chapter to score: want one or more")
    ids = [str(k) for k in range(len(golds))]
    gold = Segmentations.of(dict(zip(ids, golds, strict=True)))
    hyps = []
    for method, segmentations in predictions.items():
        if len(segmentations) != len(golds):
            raise InputError(
                f"{method}: {len(segmentations)} segmentations of {len(golds)} chapters"
            )
        hyp = Segmentations.of(dict(zip(ids, segmentations, strict=True)))
        differing = (hyp.sizes != gold.sizes).nonzero()[0]
        if differing.size:
            k = int(differing[0])
            raise InputError(
                f"{method}: chapter {k} has paragraphs over {hyp.sizes[k]} sentences, and the gold "
                f"standard over {gold.sizes[k]}: want equal"
            )
        hyps.append(hyp)
    return gold, hyps


def _scored(evaluation: SegmentEvaluation) -> dict[tuple[str, str], ParagraphScore]:
    """Return the figures of one metric; none if all chapters are too short."""
    try:
        refused_texts = evaluation.refusals()
    except SegmentationError:
        return {}
    text_count = len(evaluation.texts) - sum(len(texts) for texts in refused_texts.values())
    against = {(d.system, d.metric): d for d in evaluation.differences()}
    names = {label: figure for figure, label in FIGURES.items()}
    out = {}
    for row in evaluation.rows(averages=("micro",), texts=False):
        other = against.get((row.system, row.metric))
        out[row.system, names[row.metric]] = ParagraphScore(
            method=row.system,
            figure=names[row.metric],
            better=row.better,
            value=row.value,
            numerator=row.numerator,
            denominator=row.denominator,
            chapters=text_count,
            interval=row.interval,
            difference=other.value if other else None,
            p=other.p if other else None,
            undefined=row.undefined,
        )
    return out


def _refused(method: str, figure: str) -> ParagraphScore:
    return ParagraphScore(
        method=method,
        figure=figure,
        better="lower" if figure in _LOWER else "higher",
        value=float("nan"),
        numerator=None,
        denominator=None,
        chapters=0,
        interval=None,
        difference=None,
        p=None,
        undefined="all chapters are too short",
    )


def _members(row: ParagraphScore) -> dict[str, Any]:
    members: dict[str, Any] = {
        name: defined(value) if isinstance(value, float) else value
        for name, value in asdict(row).items()
    }
    members["interval"] = None if row.interval is None else [defined(end) for end in row.interval]
    members["undefined"] = row.undefined or None
    return members


# Scores of paragraph segmentation as a page: methods by figures, and bars with intervals.
#
# The page is the page of scores of alignments with other figures: the same sortable table, the same
# bars, the same marks of systems.


def paragraph_page(scores: ParagraphScores, *, notes: Iterable[str] = ()) -> str:
    """Return the page of the scores of methods as HTML: the same for the same input.

    The notes, as on texts left out, stand at the end.

    Examples
    --------
    >>> from bitext.model import Segmentation
    >>> from bitext.reports.paragraphs import score_paragraphs
    >>> golds = [Segmentation([2, 3, 1]), Segmentation([1, 4])]
    >>> result = [Segmentation([2, 4]), Segmentation([1, 2, 2])]
    >>> scores = score_paragraphs(golds, {"<a>": result, "b": golds}, Sampling(resamples=0))
    >>> html = paragraph_page(scores)
    >>> html.count('class="bar '), "<a>" in html, "&lt;a&gt;" in html
    (16, False, True)

    """
    drawn = drawn_results(scores.results(), scores.methods, scores.caption())
    chapters = f"{many(scores.chapters, 'chapter')}"
    summary = f"{chapters}, {many(scores.decisions, 'sentence')} that may start a paragraph, "
    summary += f"{scores.breaks:,} that do."
    sections = [
        Section("scores", "Scores", _table(scores, drawn)),
        Section("bars", "Bars", _bars(drawn)),
        pages.made_section(scores.caption(), notes, mark=""),
    ]
    return pages.page(
        "Paragraphs against the gold standard",
        summary,
        sections,
        style=score_style(),
        script=pages.asset("scores/scores.js"),
    )


def _table(scores: ParagraphScores, drawn: Scores) -> Iterator[str]:
    note = "The best of a figure is bold: the highest, or with ↓ the lowest. "
    if scores.resampled:
        note += "Under a figure stands its interval. "
        if len(scores.methods) > 1:
            first = isolated(scores.methods[scores.options.baseline_of(scores.methods)], 60)
            note += f"*&nbsp;p&nbsp;&lt;&nbsp;0.05, **&nbsp;p&nbsp;&lt;&nbsp;0.01 against {first}."
    yield f'<p class="quiet">{note}</p>'
    yield from pages.sheet("Methods by figures", _table_rows(scores, drawn), kind="scores sortable")


def _table_rows(scores: ParagraphScores, drawn: Scores) -> Iterator[str]:
    yield "<thead><tr>"
    yield '<th scope="col">method</th>'
    yield "".join(f'<th scope="col" class="n">{escape(head)}</th>' for head in drawn.measures)
    yield "</tr></thead><tbody>"
    best = {
        measure: best_of([row.figures[0] for row in drawn.of(measure)])
        for measure in drawn.measures
    }
    for k in range(len(scores.methods)):
        yield f'<tr><th scope="row" data-value="{k}">{system(drawn, k)}</th>'
        for measure in drawn.measures:
            row = drawn.of(measure)[k]
            (figure,) = row.figures
            yield figure_cell(figure, row.undefined, best=k in best[measure], between="<br>")
        yield "</tr>"
    yield "</tbody>"


def _bars(drawn: Scores) -> Iterator[str]:
    """Yield the bars in two drawings: of single decisions, and of whole segmentations."""
    names = list(drawn.measures)
    yield '<div class="charts">'
    for name, chosen in (("decisions", names[:4]), ("segmentations", names[4:])):
        part = replace(drawn, measures=tuple(chosen))
        yield f"<figure><figcaption>{name}</figcaption>{bars(part, 0, name=name)}</figure>"
    yield "</div>"
