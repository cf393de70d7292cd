"""Segmentations of systems compared with one reference or several: `compare`, and its results.

`compare_texts` does the work for `compare` and for the command `bitext compare`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any, Literal

from bitext.errors import OptionError, SegmentationError, many, masked, remedy
from bitext.formats.corpora.segmentation_pairing import PairedTexts, SegmentPairing, bare_notes
from bitext.formats.io.encodings import check_encoding
from bitext.formats.io.output import write_whole
from bitext.formats.segmentations.collecting import option_items
from bitext.metrics.coder_differences import CodedTexts
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import (
    COMBINATIONS,
    DEFAULT_METRICS,
    Combination,
    Refused,
    SegmentEvaluation,
)
from bitext.metrics.registry import NamedMetric, parse_metrics, split_items
from bitext.metrics.segmentation import over_units
from bitext.model.bitext import Note
from bitext.reports import agreement as coders_agreement
from bitext.reports import comparisons
from bitext.reports.corpus_report import names_folder, write_folder
from bitext.reports.table import beside
from bitext.scoring.common import (
    Average,
    EvaluationResults,
    averages_of,
    check_choice,
    check_sampling,
    items_of,
    unpaired_notes,
)
from bitext.scoring.functions import functions_of
from bitext.scoring.values import references_of, systems_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from matplotlib.figure import Figure as Drawing

    from bitext.formats.documents import Document
    from bitext.formats.io.source import Source
    from bitext.metrics.registry import Metric
    from bitext.model import Segmentation
    from bitext.model.segmentations import Segmentations
    from bitext.reports.agreement import AgreementReport
    from bitext.reports.results import Results
    from bitext.reports.table import Look, Table
    from bitext.scoring.functions import Metrics

    Texts = (
        str | os.PathLike[str] | Segmentation | Mapping[str, Segmentation] | Sequence[Segmentation]
    )
    Watch = Callable[[str], Callable[[list[Any]], Iterable[Any]]]

__all__ = [
    "ComparedTexts",
    "Comparing",
    "SegmentationResults",
    "compare",
    "compare_texts",
    "split_document",
]

_UNITS = ("lines", "characters", "words")
_SEGMENTS = ("paragraphs", "lines", "words")  # and "sections", of documents
# Share of the characters of a text that its versions need to have in common; set by hand.
_MIN_MATCHED = 0.9
# Texts times resamples above which a note says that resampling takes minutes; set by hand.
_MANY_RESAMPLED = 10_000_000_000
_AVERAGES = ("micro", "macro")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparing:
    """The options of a comparison; names as on the command line."""

    units: Literal["lines", "characters", "words"] = "lines"
    segments: Literal["paragraphs", "lines", "words", "sections"] | None = None
    min_matched: float | None = None
    any_units: bool = False
    metric: Sequence[str] | None = None
    functions: Sequence[Metric[..., Any]] = ()
    references: Combination | None = None
    closing: bool = False
    refused: Refused = "error"
    sampling: Sampling
    agreement: bool = False
    with_systems: bool = False
    observed: Sequence[str] = ()
    matrix: Sequence[str] = ()
    shift: int = 1

    def check_units(self) -> None:
        """Refuse options of character and word units with units of lines, and the reverse."""
        characters = remedy("units characters")
        if self.units == "lines":
            segments = None if self.segments == "sections" else self.segments
            values = {"segments": segments, "min-matched": self.min_matched}
            given = [option for option, each in values.items() if each is not None]
            if given:
                raise OptionError(
                    f"{remedy(given[0])} is for {characters} or words: give that, too"
                )
        elif self.any_units:
            raise OptionError(
                f"{remedy('any-units')} is for {remedy('units lines')}: leave one of them out"
            )
        elif self.units == self.segments:
            raise OptionError(
                f"{remedy('units words')} and {remedy('segments words')} make a segment of each "
                f"unit: give {characters}, or other segments"
            )

    def check_coders(self, references: int, systems: int) -> None:
        """Refuse options of several references with one, and options without agreement."""
        if self.references and references < 2:
            raise OptionError(
                f"{remedy('references')} is about several, and there is one: give {remedy('ref')}, "
                f"or leave it out"
            )
        if (self.with_systems or self.observed or self.matrix) and not self.agreement:
            raise OptionError(
                f"{remedy('with-systems')}, {remedy('observed')} and {remedy('matrix')} are for "
                f"{remedy('agreement', python='agreement=True')}: give that, too"
            )
        coders = references + (systems if self.with_systems else 0)
        if self.agreement and coders < 2:
            raise OptionError(
                f"{remedy('agreement')} is of one reference: give others ({remedy('ref')}), or "
                f"{remedy('with-systems')}"
            )

    def metrics(self, references: int = 2) -> list[NamedMetric]:
        """Return the metrics; refuse those that do not fit the number of references."""
        usual = () if self.functions else DEFAULT_METRICS
        metrics = parse_metrics(self.metric or usual, also=("wisebe",))
        metrics += map(NamedMetric, self.functions)
        names = [metric.label for metric in metrics]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise OptionError(f"metric {twice!r} is given twice: want each once")
        if self.closing:
            counted = [metric for metric in metrics if "closing" in metric.metric.options]
            if not counted and not self.agreement:
                raise OptionError(
                    f"{remedy('closing')} is for wisebe, boundary, boundary-accuracy, "
                    f"slot-error-rate and {remedy('agreement')}: give one, or leave it out"
                )
            metrics = [
                replace(metric, options={"closing": True, **metric.options})
                if metric in counted
                else metric
                for metric in metrics
            ]
        if references < 2 and any(metric.name == "wisebe" for metric in metrics):
            raise OptionError(
                f"wisebe is over several references, and there is one: give {remedy('ref')}"
            )
        if self.references and all(metric.name == "wisebe" for metric in metrics):
            raise OptionError(
                f"{remedy(f'references {self.references}')} is not for wisebe, which takes all "
                f"references at once: leave it out, or give another metric"
            )
        return metrics


@dataclass(frozen=True, kw_only=True)
class ComparedTexts:
    """Segmentations that were read and paired, and their evaluation.

    Attributes
    ----------
    options : Comparing
    references : tuple of str
        The names of the references.
    paired : PairedTexts
        The texts that all have.
    evaluation : SegmentEvaluation
        The scores, computed when they are first needed.

    """

    options: Comparing
    references: tuple[str, ...]
    paired: PairedTexts
    evaluation: SegmentEvaluation

    def notes(self, *, verbose: bool = False) -> list[str]:
        """Score; return notes on texts left out, types of boundaries, and resampling."""
        evaluation, paired, options = self.evaluation, self.paired, self.options
        notes = [str(note) for note in paired.notes]
        if evaluation.systems:
            notes += unpaired_notes(paired.unpaired, lacking="left out for all")
        for metric, texts in self._refusals().items():
            text, reason = next(iter(texts.items()))
            where = f"first {evaluation.texts[text]!r}: {reason}"
            plural = "" if len(texts) == 1 else "s"
            notes.append(f"{len(texts):,} text{plural} left out of {metric} for all, {where}")
        notes += evaluation.sampling_notes()
        if options.agreement and paired.unpaired:
            notes += self._notes_on_gaps()
        if any(table.types for table in (*paired.references, *paired.hyps)):
            untyped = [m.label for m in evaluation.metrics if not m.typed]
            if untyped and evaluation.systems:
                notes.append(
                    f"types of boundaries count nothing for {', '.join(untyped)}: see "
                    f"boundary-similarity, segmentation-similarity, boundary-confusion or "
                    f"slot-error-rate, or give alignment-similarity(type_weights={{}})"
                )
        if options.agreement and any(table.types for table in paired.references):
            notes.append("agreement on boundaries does not look at their types")
        count = options.sampling.resamples
        if evaluation.draws and len(evaluation.texts) * count > _MANY_RESAMPLED:
            notes.append(
                f"{many(count, 'resample')} of {len(evaluation.texts):,} texts take minutes: "
                f"{remedy('resamples 100', python='resamples=100')} takes less, "
                f"{remedy('resamples 0', python='resamples=0')} none"
            )
        if verbose:
            for corpus in paired.inputs:
                notes += [f"{corpus.path}: {name} was not read" for name in corpus.aside]
        return notes

    def _refusals(self) -> dict[str, dict[int, str]]:
        """Score; return by metric the texts that it refused, with reasons.

        Raises
        ------
        SegmentationError
            When a text is refused, unless such texts are to be left out; or no text is left.

        """
        try:
            return self.evaluation.refusals()
        except SegmentationError as error:
            if self.evaluation.refused == "leave":
                raise SegmentationError(f"no text is left to score: {error}") from None
            way = remedy("refused leave")
            raise SegmentationError(f"{error}; or {way}, without such texts") from None

    def _notes_on_gaps(self) -> list[str]:
        """Return notes on the texts that some coders lack."""
        common = len(self.evaluation.texts)
        if not self._has_gaps:
            return [f"agreement is of the {many(common, 'text')} that all coders have"]
        coded, notes = self.coded, []
        for k, coder in enumerate(coded.coders):
            lacking = [t for t, row in zip(coded.texts, coded.codings, strict=True) if not row[k]]
            if lacking:
                few = ", ".join(lacking[:3]) + (", ..." if len(lacking) > 3 else "")
                notes.append(f"{many(len(lacking), 'text')} without {coder}: {few}")
        alone = len(self.paired.every_text()) - len(coded.texts)
        if alone:
            notes.append(f"{many(alone, 'text')} of one coder alone, left out")
        return notes

    def agreement(self) -> AgreementReport | None:
        """Return how far the coders agree; `None` unless it is asked for."""
        options = self.options
        if not options.agreement:
            return None
        given = options.observed or ["boundaries"]
        observed = list(dict.fromkeys(p.strip() for item in given for p in split_items(item)))
        coded = self.coded
        return coders_agreement.report(
            coded,
            observed,
            self.evaluation.options,
            matrix=options.matrix,
            closing=options.closing,
            shift=options.shift,
            read_units=self._read_units,
        )

    @cached_property
    def coded(self) -> CodedTexts:
        """The texts of two coders or more, with the segmentations of all coders."""
        paired, evaluation = self.paired, self.evaluation
        names = [*self.references, *(evaluation.systems if self.options.with_systems else ())]
        coders = tuple(
            name if names.count(name) == 1 else f"{name} ({k + 1})" for k, name in enumerate(names)
        )
        if not self._has_gaps:
            tables = [*paired.references, *paired.hyps][: len(names)]
            texts = tuple(evaluation.texts)
            codings = tuple(tuple(table.at(t) for table in tables) for t in range(len(texts)))
            return CodedTexts(coders, texts, codings)
        tables = [corpus.table for corpus in paired.inputs[: len(names)]]
        rows = {t: tuple(table.get(t) for table in tables) for t in paired.every_text()}
        coded = {text: row for text, row in rows.items() if len(row) - row.count(None) > 1}
        return CodedTexts(coders, tuple(coded), tuple(coded.values()))

    def _read_units(self) -> dict[int, list[str]]:
        return self.paired.units_of(self.coded.texts) if self._has_gaps else self.paired.units()

    @property
    def _has_gaps(self) -> bool:
        """Whether some texts lack coders, and texts keep the units of their files."""
        return bool(self.paired.unpaired) and not self.paired.pieces


def compare_texts(
    pairing: SegmentPairing, options: Comparing, *, watch: Watch = lambda _: iter
) -> ComparedTexts:
    """Read and pair segmentations, and prepare their evaluation.

    Parameters
    ----------
    pairing : SegmentPairing
        The references and the systems.
    options : Comparing
    watch : callable
        Returns for `scored` a function that yields items one by one, to show progress.

    Raises
    ------
    BitextError
        When a file cannot be read, no text can be paired, or options and input do not fit.

    """
    options.metrics()  # refuse unknown names before any work
    paired = pairing.read()
    count = len(paired.references)
    references, systems = list(paired.names[:count]), list(paired.names[count:])
    metrics = options.metrics(count)
    options.check_coders(count, len(systems))
    check_sampling(options.sampling, systems)
    if options.units != "lines":
        paired = _over_units(paired, [*references, *systems], options.units, options)
    evaluation = SegmentEvaluation(
        systems=systems,
        metrics=metrics,
        references=paired.references,
        hyps=paired.hyps,
        options=options.sampling,
        combination=options.references or "mean",
        refused=options.refused,
        over="" if options.units == "lines" else f"units:{options.units}",
        watch=watch("scored"),
    )
    return ComparedTexts(
        options=options, references=tuple(references), paired=paired, evaluation=evaluation
    )


def split_document(source: Source, document: Document) -> list[list[str]]:
    """Split the blocks of a document into sentences, by the rules of the language of its words.

    Where the words do not tell the language, it is the declared one, else English. Blocks in a
    language that does not mark where sentences end stay whole, with a note.
    """
    from bitext.segment.sentences import language_of_text, language_of_words
    from bitext.segment.sentences.running_text import split_sentences
    from bitext.segment.sentences.splitter import SentenceSplitter

    blocks = [block.text for block in document.blocks]
    words = "\n".join(blocks)
    lang = language_of_words(blocks) or language_of_text(words) or document.lang or "en"
    try:
        splitter = SentenceSplitter(lang)
    except OptionError:
        way = remedy("units characters")
        kind = f"documents in {lang}, whose sentences cannot be split ({way})"
        source.notes.add(kind, source.path)
        return [[block] for block in blocks]
    return [split_sentences(block, splitter).sentences for block in blocks]


def _over_units(
    paired: PairedTexts,
    names: Sequence[str],
    units: Literal["characters", "words"],
    options: Comparing,
) -> PairedTexts:
    """Segment the characters or words that all versions of each text share."""
    is_by_section = options.segments == "sections"
    versions = paired.versions("paragraphs" if is_by_section else options.segments)
    if versions.segments == units:
        raise OptionError(
            f"the texts differ in blanks alone, and {remedy('units words')} would make a segment "
            f"of each unit: give {remedy('units characters')}, or name the segments "
            f"({remedy('segments lines')})"
        )
    least = _MIN_MATCHED if options.min_matched is None else options.min_matched
    paths = [corpus.label for corpus in paired.inputs]
    segmented = []
    for name, texts in zip(versions.names, versions.texts, strict=True):
        called = [f"{path} ({name})" for path in paths]
        segmented.append(over_units(texts, units=units, min_matched=least, names=called))
    made = paired.recut(
        versions.names,
        [each.segmentations for each in segmented],
        [each.units for each in segmented],
    )
    segments = "sections" if is_by_section else versions.segments
    kind = f"segmentations over {units}, of which the segments are {segments}"
    if options.segments is None:
        others = [way for way in _SEGMENTS if way != versions.segments]
        kind += f" (others: {remedy(f'segments {others[0]}')} or {' or '.join(others[1:])})"
    notes = [Note(kind, len(segmented), versions.names[0])]
    for k, name in enumerate(names):
        shares = [each.matched[k] for each in segmented]
        if min(shares) < 1:
            lowest = f"{versions.names[shares.index(min(shares))]}: {min(shares):.1%} matched"
            kind = f"{name}: texts that differ from the reference's in more than white space"
            notes.append(Note(kind, sum(share < 1 for share in shares), lowest))
    tables = [*made.references, *made.hyps]
    notes += bare_notes(tables, names)
    return replace(made, notes=(*made.notes, *notes))


class SegmentationResults(EvaluationResults):
    """The results of `compare`: metrics of segmentations.

    Rows have the columns `metric`, such as `pk` or `boundary.f1`, `better` (`higher` or `lower`)
    and `k`, the size of windows. Without systems, they are the coefficients of agreement, with
    `coefficient`, `on`, `observed`, `chance` and `texts`.

    Attributes
    ----------
    evaluation : SegmentEvaluation
        The scores of each text, from which all figures are computed.
    agreement : AgreementReport or None
        How far the coders agree, where it was asked for.

    """

    def __init__(
        self,
        compared: ComparedTexts,
        *,
        averages: Sequence[str] = ("micro",),
        notes: Sequence[str] = (),
        agreement: AgreementReport | None = None,
        shift: int = 1,
    ) -> None:
        self.evaluation = compared.evaluation
        self.averages = tuple(averages)
        self.notes = tuple(notes)
        self.agreement = agreement
        self._compared = compared
        self._shift = shift

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.evaluation.systems)

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of the scored texts."""
        return tuple(self.evaluation.texts)

    @property
    def references(self) -> tuple[str, ...]:
        """The names of the references."""
        return self._compared.references

    @property
    def signature(self) -> str:
        """Every choice that changes a figure or an interval, and the version."""
        return comparisons.signature(self.evaluation, self.averages)

    def json_parts(self, **extra: Any) -> Iterator[str]:
        """Yield the JSON document of `bitext compare --json` in parts, with `extra` members."""
        paired, evaluation, agreement = self._compared.paired, self.evaluation, self.agreement
        count = len(paired.references)
        members: dict[str, Any] = {
            "references": [masked(corpus.label) for corpus in paired.inputs[:count]],
            "systems": {
                name: masked(corpus.label)
                for name, corpus in zip(evaluation.systems, paired.inputs[count:], strict=True)
            },
            "unpaired": [
                {"text": lone.name, "where": masked(lone.where), "extra": lone.extra}
                for lone in paired.unpaired
            ],
            "notes": [masked(note) for note in self.notes],
        }
        if agreement:
            members["agreement"] = agreement.to_json()
            if not evaluation.systems:
                members["signature"] = agreement.signature
        return comparisons.json_parts(evaluation, {**members, **extra})

    def page(self) -> str:
        """Return the page of `bitext compare --html`."""
        if self.agreement and not self.systems:
            from bitext.reports.segmentation.strips import coders_page

            notes = [f"note: {masked(note)}" for note in self.notes]
            return coders_page(self.agreement, notes=notes)
        from bitext.reports.segmentation.page import evaluation_page

        return evaluation_page(self.evaluation, **self._shown())

    def _shown(self) -> dict[str, Any]:
        """Return what pages show beside the evaluation."""
        return {
            "references": self.references,
            "units": self._compared.paired.units(),
            "averages": self.averages,
            "agreement": self.agreement,
            "shift": self._shift,
            "notes": [f"note: {masked(note)}" for note in self.notes],
        }

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page of `bitext compare --html`.

        Parameters
        ----------
        path : str or path
            A file, or a folder (or a name that ends with `/`): an index, and a page for each text.

        Raises
        ------
        InputError
            When the file or the folder cannot be written.

        """
        place = os.fspath(path)
        if not names_folder(place):
            page = self.page()
            with write_whole(place) as out:
                out.write(page)
            return
        if not self.systems:
            given = remedy(f"html {place}", python=f"save_html({place!r})")
            raise OptionError(f"{given}: there is no system, so no page a text: name a file")
        from bitext.reports.segmentation.page import write_evaluation

        with write_folder(place) as folder:
            write_evaluation(folder, self.evaluation, **self._shown())

    def plot(self, *, average: Average | None = None, intervals: bool = True) -> Drawing:
        """Draw the averages as points with interval bars.

        Without systems these are coefficients of agreement, or with `matrix` the pairs of coders,
        each as a shaded matrix.

        Parameters
        ----------
        average, intervals
            As of `EvaluationResults.plot`, which has returns and errors.

        """
        if self.agreement and self.agreement.metrics_of_pairs and not self.systems:
            from bitext.reports.plots import plot_matrices

            return plot_matrices(self.agreement.coders, self.agreement.pairs)
        return super().plot(average=average, intervals=intervals)

    def _html(self) -> str:
        if self.agreement and not self.systems:
            from bitext.reports.notebook import agreement_html

            return agreement_html(self.agreement)
        from bitext.reports.notebook import comparison_html

        return comparison_html(self.evaluation, self.averages)

    def _rows(self, averages: Sequence[str], *, per_text: bool) -> Iterator[dict[str, Any]]:
        if self.agreement and not self.systems:
            yield from self.agreement.rows()
        for record in comparisons.row_records(self.evaluation, averages, texts=per_text):
            low, high = record.pop("interval") or (None, None)
            value = {"value": record.pop("value"), "low": low, "high": high}
            names = ("system", "text", "average", "metric", "better")
            where = {name: record.pop(name) for name in names}
            yield {**where, **value, **record}

    def _tests(self, averages: Sequence[str]) -> Iterator[dict[str, Any]]:
        for record in comparisons.difference_records(self.evaluation, averages):
            record["difference"] = record.pop("value")
            yield record

    def _table(self, averages: Sequence[str], look: Look, *, per_text: bool) -> Table:
        if self.agreement and not self.systems:
            return coders_agreement.coefficient_table(self.agreement, look)
        return comparisons.comparison_table(self.evaluation, averages, texts=per_text, look=look)

    def _results(self, averages: Sequence[str]) -> Results:
        if self.agreement and not self.systems:
            return coders_agreement.agreement_results(self.agreement)
        return comparisons.comparison_results(self.evaluation, averages, texts=False)

    def _caption(self, averages: Sequence[str]) -> str:
        if self.agreement and not self.systems:
            return coders_agreement.agreement_caption(self.agreement)
        return comparisons.caption(self.evaluation, averages)

    def parts(
        self, style: str, averages: Sequence[str], look: Look, *, per_text: bool
    ) -> list[str]:
        """Return caption and table of the systems, and those of agreement where asked for."""
        parts: list[str] = []
        if self.systems:
            results = comparisons.comparison_results(self.evaluation, averages, texts=per_text)
            parts += _headed(self._caption(averages), results.render(style, look), style)
            if self.evaluation.options.pairs and style != "tsv":
                parts.append(comparisons.pair_table(self.evaluation, averages, look).render(style))
        if self.agreement:
            parts += _agreement_parts(self.agreement, style, look)
        return parts


def _agreement_parts(agreement: AgreementReport, style: str, look: Look) -> list[str]:
    """Return the tables of agreement; TSV is of pairs of coders, if their metrics are given."""
    reports = coders_agreement
    if style == "tsv":
        flat = reports.pair_table if agreement.metrics_of_pairs else reports.agreement_table
        return [flat(agreement).render(style)]
    table = reports.coefficient_table(agreement, look, grouped=style == "latex")
    parts = _headed(reports.agreement_caption(agreement), table.render(style), style)
    for pairs in agreement.pairs if agreement.shows_pairs else ():
        shown = reports.matrix_table(agreement, pairs, look).render(style)
        parts += _headed(reports.matrix_note(pairs), shown, style)
    parts.append(reports.ratio_table(agreement, look).render(style))
    parts.append(beside(reports.correlation_note(agreement), style))
    return parts


def _headed(caption: str, table: str, style: str) -> list[str]:
    """Return the caption and the table; TSV has no caption."""
    return [table] if style == "tsv" else [beside(caption, style), table]


def compare(
    reference: Texts | Sequence[Texts] | Mapping[str, Texts],
    systems: Texts | Sequence[Texts] | Mapping[str, Texts] = (),
    *,
    ref: Texts | Sequence[Texts] = (),
    format: str | None = None,  # noqa: A002 - the word of the command line
    ref_from: str | None = None,
    column: str | int | None = None,
    texts: str | int | None = None,
    coders: str | int | Sequence[str | int] = (),
    ref_coders: str | int | Sequence[str | int] = (),
    labels: str | Sequence[str] = (),
    time_units: str | float | None = None,
    encoding: str = "utf-8",
    missing: Literal["leave", "error"] = "leave",
    any_units: bool = False,
    units: Literal["lines", "characters", "words"] = "lines",
    segments: Literal["paragraphs", "lines", "words", "sections"] | None = None,
    min_matched: float | None = None,
    metric: Metrics | None = None,
    references: Combination | None = None,
    closing: bool = False,
    refused: Refused = "error",
    zero_division: float = nan,
    resamples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
    interval: Literal["jackknife", "bootstrap"] = "jackknife",
    test: Literal["auto", "randomisation", "t", "bootstrap"] = "auto",
    baseline: str | None = None,
    pairs: bool = False,
    holm: bool = False,
    average: Average = "micro",
    agreement: bool = False,
    with_systems: bool = False,
    observed: str | Sequence[str] = (),
    matrix: str | Sequence[str] = (),
    shift: int = 1,
) -> SegmentationResults:
    """Compare the segmentations of systems with one reference or several.

    The figures are those of `bitext compare` with the options of the same names, which
    `bitext compare --help` describes.

    Parameters
    ----------
    reference : path, Segmentation, Segmentations, or a list or dict of these
        A file, a folder or a manifest; or a text in memory; or texts in memory, as a list or by
        name. A list of paths, or of several of these, is several references.
    systems : dict, list, path, Segmentation or Segmentations
        What each system proposes, in the forms of one reference: by the name of the system; or a
        list of systems, of which files are named by their paths; or one system. None with
        `agreement` of references, which are then coders.
    ref : the forms of a reference, or a list of them
        Further references.
    format : str, optional
        The spelling of all files (`--from`). Default: detected.
    ref_from : str, optional
        The spelling of the references, where it is another; `auto`: detected.
    column, texts, labels, time_units, encoding
        As of `bitext.read_segmentations`.
    coders : str or list of str
        The coders that count, in files of several, each of which is a system or a reference.
        Default: all; of a file that is both, systems are the coders that are no references.
    ref_coders : str or list of str
        The coders of references, where these are others.
    missing : {"leave", "error"}
        The treatment of a text that some lack.
    any_units, units, segments, min_matched
        The units of texts, and the check that all have the same.
    metric : str or function, or a list of them, or dict of functions by name, optional
        Metrics as `pk` or `window-diff(k=5)`, or by an alias, as `B`. A function takes two
        `Segmentation`, the reference and the hypothesis of a text, and returns a number, whose
        averages are means over texts; or a `Ratio` or `Counts`, which pool. Its attribute `better`
        may be `"lower"`.
    references : {"mean", "best", "majority", "any"}, optional
        The way to combine several references.
    closing : bool
        Whether the boundary at the end of each text counts.
    refused : {"error", "leave"}
        The treatment of a text that a metric refuses.
    zero_division, resamples, confidence, seed, interval, test
        The value of 0/0, and the options of intervals and tests.
    baseline : str, optional
        The system that the others are tested against. Default: the first.
    pairs : bool
        Whether to test all pairs of systems.
    holm : bool
        Whether to correct p for the number of tests of a figure (Holm 1979).
    average : {"micro", "macro", "both"}
        The averages to show.
    agreement, with_systems, observed
        Whether to measure how far the references agree, also with the systems, and on what.
    matrix : str or list of str
        The metrics of pairs of coders, or coefficients. Default: `boundary-similarity`.
    shift : int
        How far a boundary may be shifted to be the same one, on the page, or a near miss of coders.

    Returns
    -------
    SegmentationResults

    Raises
    ------
    OptionError
        When an option has a value that is not allowed, or does not fit the others.
    InputError, FormatError
        When files cannot be read, no text can be paired, or a metric refuses a text.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> results = compare(Segmentation([5, 5, 1, 3]), {"ours": Segmentation([7, 3, 4])})
    >>> [(row["metric"], round(row["value"], 4)) for row in results.rows()][:2]
    [('alignment-similarity', 0.5786), ('boundary-similarity', 0.25)]

    """
    averages = averages_of(average)
    for option, value, allowed in (
        ("missing", missing, ("leave", "error")),
        ("units", units, _UNITS),
        ("segments", segments, (None, *_SEGMENTS, "sections")),
        ("references", references, (None, *COMBINATIONS)),
        ("refused", refused, ("error", "leave")),
    ):
        if value is not None:
            check_choice(option, value, [each for each in allowed if each is not None])
    metrics, functions = functions_of(() if metric is None else metric, over="segmentation")
    options = Comparing(
        units=units,
        segments=segments,
        min_matched=min_matched,
        any_units=any_units,
        metric=metrics or None,
        functions=functions,
        references=references,
        closing=closing,
        refused=refused,
        sampling=Sampling(
            zero_division=zero_division,
            resamples=resamples,
            level=confidence,
            seed=seed,
            interval=interval,
            test=test,
            baseline=baseline,
            pairs=pairs,
            holm=holm,
        ),
        agreement=agreement,
        with_systems=with_systems,
        observed=items_of(observed),
        matrix=items_of(matrix),
        shift=shift,
    )
    options.check_units()
    memory: dict[str, Segmentations] = {}
    places = references_of(reference, ref, memory)
    named = systems_of(systems, places, memory, none=agreement)
    pairing = SegmentPairing(
        references=places,
        systems=named,
        memory=memory,
        reference_spelling=None if ref_from == "auto" else ref_from or format,
        spelling=format,
        encoding=check_encoding(encoding),
        column=None if column is None else str(column),
        texts=None if texts is None else str(texts),
        coders=option_items(coders),
        reference_coders=option_items(ref_coders or coders),
        labels=option_items(labels),
        time_units=None if time_units is None else str(time_units),
        sections=segments == "sections",
        split=split_document,
        any_units=any_units,
        cut_anew=units != "lines",
        missing=missing,
        of_coders=agreement and not (with_systems or metric or baseline or pairs),
    )
    compared = compare_texts(pairing, options)
    notes = compared.notes()
    return SegmentationResults(
        compared, averages=averages, notes=notes, agreement=compared.agreement(), shift=shift
    )
