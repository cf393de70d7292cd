"""Segmentations of systems and references: the options of a comparison, reading and scoring.

`compare_texts` does this for `bitext.compare` and for the command `bitext compare`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from bitext.errors import OptionError, SegmentationError, few, many, remedy
from bitext.formats.corpora import glob_notes, order_notes
from bitext.formats.corpora.segmentation_pairing import PairedTexts, SegmentPairing, bare_notes
from bitext.formats.documents import Document, raised
from bitext.formats.io.source import Source
from bitext.metrics.coder_differences import CodedTexts
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import (
    DEFAULT_METRICS,
    Combination,
    Refused,
    SegmentEvaluation,
)
from bitext.metrics.registry import Metric, NamedMetric, parse_metrics, split_items
from bitext.metrics.segmentation import over_units
from bitext.model.counts import Note
from bitext.paths import is_file
from bitext.reports import agreement as coders_agreement
from bitext.reports.agreement import AgreementReport
from bitext.scoring.common import check_sampling, unpaired_notes

if TYPE_CHECKING:
    from bitext.formats.segmentations.collecting import ReadingOptions
    from bitext.jobs import Document as JobDocument
    from bitext.jobs import Task
    from bitext.model.segmentation import Segmentations

    Watch = Callable[[str], Callable[[list[Any]], Iterable[Any]]]

UNITS = ("lines", "characters", "words")
SEGMENTS = ("paragraphs", "lines", "words")  # and "sections", of documents
# Share of the characters of a text that its versions need to have in common; set by hand.
_MIN_MATCHED = 0.9
# Texts times resamples above which a note says that resampling takes minutes; set by hand.
_MANY_RESAMPLED = 10_000_000_000


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
            options = [option for option, each in values.items() if each is not None]
            if options:
                raise OptionError(
                    f"{remedy(options[0])} is for {characters} or words: give that, too"
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
        default = () if self.functions else DEFAULT_METRICS
        metrics = parse_metrics(self.metric or default, also=("wisebe",))
        metrics += map(NamedMetric, self.functions)
        names = [metric.label for metric in metrics]
        if repeated := next((name for name in names if names.count(name) > 1), None):
            raise OptionError(f"metric {repeated!r} is given twice: want each once")
        if self.closing:
            if not self.agreement and not any("closing" in m.metric.options for m in metrics):
                raise OptionError(
                    f"{remedy('closing')} is for wisebe, boundary, boundary-accuracy, "
                    f"slot-error-rate and {remedy('agreement')}: give one, or leave it out"
                )
            metrics = [metric.counting_ends for metric in metrics]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareJobs:
    """How jobs score the texts."""

    # Runs a task over documents, or assembles the results of its shards; returns the output.
    run: Callable[[Iterable[JobDocument], Task], Any]
    options: dict[str, Any]  # those that results depend on, with the command
    presentation: dict[str, Any]  # those of the output alone


@dataclass(frozen=True, kw_only=True)
class ComparedTexts:
    """Segmentations that were read and paired, and their evaluation."""

    options: Comparing
    references: tuple[str, ...]  # the names of the references
    paired: PairedTexts  # the texts that all have
    evaluation: SegmentEvaluation  # the scores, computed when they are first needed

    def notes(self, *, verbose: bool = False) -> list[str]:
        """Score; return notes on texts left out, types of boundaries, and resampling."""
        evaluation, paired, options = self.evaluation, self.paired, self.options
        notes = [str(note) for note in paired.notes]
        if evaluation.systems:
            notes += unpaired_notes(paired.unpaired, lacking="left out for all")
        for metric, texts in self._refusals().items():
            text, reason = next(iter(texts.items()))
            example = f"first {evaluation.texts[text]!r}: {reason}"
            notes.append(f"{many(len(texts), 'text')} left out of {metric} for all, {example}")
        notes += evaluation.sampling_notes()
        if not evaluation.systems and evaluation.options.resamples:
            notes += evaluation.options.seed_note(len(self.coded.texts))
        first, *others = (corpus.path for corpus in paired.inputs)
        notes += glob_notes(first, others)
        notes += order_notes(first, others[len(paired.references) - 1 :])
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

    def gather_by(self, jobs: CompareJobs) -> Callable[[], Any]:
        """Return a function by which jobs score all texts; set it as that of the evaluation."""
        from bitext.jobs.tasks import CompareTask, compare_documents

        evaluation, paired = self.evaluation, self.paired
        packages = {metric.metric.package for metric in evaluation.metrics} - {""}
        further = {"packages": sorted(packages)} if packages else {}
        task = CompareTask(
            metrics=evaluation.metrics,
            combination=evaluation.combination,
            refused=evaluation.refused,
            zero_division=self.options.sampling.zero_division,
            run={**jobs.options, **further},
            presentation=jobs.presentation,
        )
        paths = [corpus.path for corpus in paired.inputs if is_file(corpus.path)]

        def gather() -> Any:
            return jobs.run(compare_documents(paired.references, paired.hyps, paths), task)

        evaluation.gather = gather
        return gather

    def _refusals(self) -> dict[str, dict[int, str]]:
        """Score; return by metric the texts that it refused, with reasons.

        Raises `SegmentationError` when a text is refused, unless such texts are to be left out; or
        no text is left.
        """
        try:
            return self.evaluation.refusals()
        except SegmentationError as error:
            if self.evaluation.refused == "leave":
                raise SegmentationError(f"no text is left to score: {error}") from None
            advice = remedy("refused leave")
            raise SegmentationError(f"{error}; or {advice}, without such texts") from None

    def _notes_on_gaps(self) -> list[str]:
        """Return notes on the texts that some coders lack."""
        common = len(self.evaluation.texts)
        if not self._has_gaps:
            return [f"agreement is of the {many(common, 'text')} that all coders have"]
        coded, notes = self.coded, []
        for k, coder in enumerate(coded.coders):
            missing_texts = [
                t for t, row in zip(coded.texts, coded.codings, strict=True) if not row[k]
            ]
            if missing_texts:
                notes.append(
                    f"{many(len(missing_texts), 'text')} without {coder}: {few(missing_texts)}"
                )
        single_coder = len(self.paired.every_text()) - len(coded.texts)
        if single_coder:
            notes.append(f"{many(single_coder, 'text')} of one coder alone, left out")
        return notes

    def agreement(self) -> AgreementReport | None:
        """Return the agreement of the coders; `None` if it is not wanted."""
        options = self.options
        if not options.agreement:
            return None
        observed_items = options.observed or ["boundaries"]
        observed = list(
            dict.fromkeys(p.strip() for item in observed_items for p in split_items(item))
        )
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
            return CodedTexts(coders, texts, codings, evaluation.read_by)
        tables = [corpus.table for corpus in paired.inputs[: len(names)]]
        rows = {t: tuple(table.get(t) for table in tables) for t in paired.every_text()}
        coded = {text: row for text, row in rows.items() if len(row) - row.count(None) > 1}
        return CodedTexts(coders, tuple(coded), tuple(coded.values()), evaluation.read_by)

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

    `watch` returns, for the names `read` and `scored`, a function that yields items one by one, to
    show progress. Raises `BitextError` when a file cannot be read, no text can be paired, or
    options and input do not fit.
    """
    options.metrics()  # refuse unknown names before any work
    paired = replace(pairing, watch=watch("read")).read()
    count = len(paired.references)
    references, systems = list(paired.names[:count]), list(paired.names[count:])
    metrics = options.metrics(count)
    options.check_coders(count, len(systems))
    check_sampling(options.sampling, systems)
    segments: str | None = options.segments
    if options.units != "lines":
        paired, segments = _over_units(paired, [*references, *systems], options.units, options)
    evaluation = SegmentEvaluation(
        systems=systems,
        metrics=metrics,
        references=paired.references,
        hyps=paired.hyps,
        options=options.sampling,
        combination=options.references or "mean",
        refused=options.refused,
        read_by=_read_by(options, segments, pairing.reading),
        watch=watch("scored"),
    )
    return ComparedTexts(
        options=options, references=tuple(references), paired=paired, evaluation=evaluation
    )


def _read_by(options: Comparing, segments: str | None, reading: ReadingOptions) -> tuple[str, ...]:
    """Return the choices of reading that change figures, for signatures."""
    choices = {
        "units": "" if options.units == "lines" else options.units,
        "segments": segments,
        "time-units": reading.time_units,
        "labels": ",".join(reading.labels),
    }
    return tuple(f"{choice}:{value}" for choice, value in choices.items() if value)


def split_document(source: Source, document: Document) -> list[list[str]]:
    """Split the blocks of a document into sentences, by the rules of the language of its words.

    If the words do not tell the language, it is the declared one, else English. Blocks in a
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
        advice = remedy("units characters")
        kind = f"documents in {lang}, whose sentences cannot be split ({advice})"
        source.notes.add(kind, source.path)
        return [[block] for block in blocks]
    return [
        split_sentences(block.text, splitter, raised=raised(block)).sentences
        for block in document.blocks
    ]


def _are_single(tables: Sequence[Segmentations]) -> bool:
    """Check whether each unit is a segment of its own in all tables, of more than single units."""
    return all((table.masses == 1).all() for table in tables) and tables[0].sizes.max() > 1


def _over_units(
    paired: PairedTexts,
    names: Sequence[str],
    units: Literal["characters", "words"],
    options: Comparing,
) -> tuple[PairedTexts, str]:
    """Segment the characters or words that all versions of each text share.

    Return the texts, and the kind of their segments.
    """
    is_by_section = options.segments == "sections"
    versions = paired.versions("paragraphs" if is_by_section else options.segments)
    if versions.segments == units:
        raise OptionError(
            f"the texts differ in blanks alone, and {remedy('units words')} would make a segment "
            f"of each unit: give {remedy('units characters')}, or name the segments "
            f"({remedy('segments lines')})"
        )
    min_matched = _MIN_MATCHED if options.min_matched is None else options.min_matched
    paths = [corpus.label for corpus in paired.inputs]
    segmented = []
    for name, texts in zip(versions.names, versions.texts, strict=True):
        labels = [f"{path} ({name})" for path in paths]
        segmented.append(over_units(texts, units=units, min_matched=min_matched, names=labels))
    recut = paired.recut(
        versions.names,
        [each.segmentations for each in segmented],
        [each.units for each in segmented],
        paragraphs=versions.segments == "paragraphs",
    )
    segments = "sections" if is_by_section else versions.segments
    kind = f"segmentations over {units}, of which the segments are {segments}"
    if options.segments is None:
        others = [way for way in SEGMENTS if way != versions.segments]
        kind += f" (others: {remedy(f'segments {others[0]}')} or {' or '.join(others[1:])})"
    notes = [Note(kind, len(segmented), versions.names[0])]
    for k, name in enumerate(names):
        shares = [each.matched[k] for each in segmented]
        if min(shares) < 1:
            lowest = f"{versions.names[shares.index(min(shares))]}: {min(shares):.1%} matched"
            kind = f"{name}: texts that differ from the reference's in more than white space"
            notes.append(Note(kind, sum(share < 1 for share in shares), lowest))
    tables = [*recut.references, *recut.hyps]
    if units == "words" and _are_single(tables):
        raise OptionError(
            f"{remedy('units words')} and {remedy(f'segments {segments}')} make a segment of each "
            f"unit: give {remedy('units characters')}, or other segments"
        )
    notes += bare_notes(tables, names)
    return replace(recut, notes=(*recut.notes, *notes)), segments
