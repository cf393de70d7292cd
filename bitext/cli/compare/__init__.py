"""`bitext compare`: metrics of segmentations, over one text or a corpus."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from bitext.cli.common import (
    FIGURES,
    deliver,
    deliver_figure,
    name_systems,
    print_notes,
    protected_outputs,
)
from bitext.cli.compare.options import CompareRequest, parser
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs, finish_shard, run_jobs, split_options
from bitext.cli.request import request_from
from bitext.errors import OptionError, SegmentationError, masked
from bitext.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from matplotlib.figure import Figure as Drawing

    from bitext.formats.corpora.segmentation_pairing import PairedTexts
    from bitext.metrics.evaluation.segmentations import SegmentEvaluation
    from bitext.metrics.registry import NamedMetric
    from bitext.reports.comparisons import AgreementReport
    from bitext.reports.segmentation.edits import TextEdits

__all__ = ["compare", "run"]

# Share of the characters of a text that its versions need to have in common; set by hand.
_MIN_MATCHED = 0.9
# Texts times resamples above which a note says that resampling takes minutes; set by hand.
_MANY_RESAMPLED = 10_000_000_000


def run(arguments: Sequence[str]) -> int:
    """Compare segmentations; return the exit status."""
    given = add_jobs(parser()).parse_intermixed_args(arguments)
    request = request_from(CompareRequest, vars(given))
    with protected_outputs(request):
        return compare(request)


def compare(request: CompareRequest) -> int:
    """Compare here or by jobs, or merge the results of shards; return the exit status."""
    style, by_jobs = request.resolve()
    from bitext.metrics.evaluation.sampling import Sampling
    from bitext.metrics.evaluation.segmentations import DEFAULT_METRICS, SegmentEvaluation

    sampling = Sampling(
        zero_division=request.zero_division,
        resamples=request.resamples,
        level=request.confidence,
        seed=request.seed,
        test=request.test,
    )
    metrics = _metrics(request.metric or DEFAULT_METRICS, request)
    with ExitStack() as stack:

        def watch(what: str) -> Callable[[list[Any]], Iterable[Any]]:
            def over(items: list[Any]) -> Iterator[Any]:
                progress = Progress(what, len(items), quiet=request.quiet)
                return stack.enter_context(closing(progress.over(items)))

            return over

        systems, references, paired = _read(request, watch("read"))
        evaluation = SegmentEvaluation(
            systems=list(systems),
            metrics=metrics,
            references=paired.references,
            hyps=paired.hyps,
            options=sampling,
            combination=request.references or "mean",
            refused=request.refused,
            over=_over(request),
            watch=watch("scored"),
        )
        if by_jobs:
            gather = _gathering(evaluation, paired, request)
            if request.shard is not None:
                gather()  # an error in one block ends the run, so a finished shard is complete
                return 0
            evaluation.gather = gather
        notes = _notes(evaluation, paired, request)
    agreement = _agreement(paired, evaluation, request) if request.agreement else None
    edits = _edits(paired, evaluation, request)
    print_notes(notes, request)
    if request.html:
        from bitext.formats.io.output import write_whole

        page = _page(evaluation, paired, references, agreement, notes, request)
        with write_whole(request.html) as out:
            out.write(page)
        if request.html == request.output == "-":
            return 0
    if style in FIGURES:
        deliver_figure(_drawing(evaluation, agreement, request), request, style)
    elif style == "json":
        deliver(_document(evaluation, paired, agreement, edits, notes, request), request)
    else:
        text = _tables(evaluation, agreement, edits, style, request)
        if request.strips:
            text += "\n" + _strips(evaluation, references, request.strips, request)
        deliver(text, request)
    return 0


def _gathering(
    evaluation: SegmentEvaluation, paired: PairedTexts, request: CompareRequest
) -> Callable[[], Any]:
    """Return a function that scores by jobs, or adds up the counts of the shards."""
    from bitext.jobs.tasks import CompareTask, compare_documents

    run, shown = split_options("compare", request)
    task = CompareTask(
        metrics=evaluation.metrics,
        combination=evaluation.combination,
        refused=evaluation.refused,
        zero_division=request.zero_division,
        run=run,
        presentation=shown,
    )
    paths = [corpus.path for corpus in paired.inputs if is_file(corpus.path)]

    def gather() -> Any:
        if (parts := request.parts) is not None:
            return task.assemble(parts.results())
        documents = compare_documents(paired.references, paired.hyps, paths)
        outcome = run_jobs(documents, task, request, what="blocks of texts")
        if request.shard is not None:
            finish_shard(outcome, request)
        return outcome.output

    return gather


def _metrics(given: Sequence[str], request: CompareRequest) -> list[NamedMetric]:
    from bitext.metrics.registry import parse_metrics

    metrics = parse_metrics(given, also=("wisebe",))
    if request.closing:
        counted = [metric for metric in metrics if "closing" in metric.metric.options]
        if not counted and not request.agreement:
            raise OptionError(
                "--closing is for wisebe, boundary, boundary-accuracy, slot-error-rate and "
                "--agreement: give one, or leave it out"
            )
        metrics = [
            replace(metric, options={"closing": True, **metric.options})
            if metric in counted
            else metric
            for metric in metrics
        ]
    if not request.refs and any(metric.name == "wisebe" for metric in metrics):
        raise OptionError("wisebe is over several references, and there is one: give --ref")
    if request.references and all(metric.name == "wisebe" for metric in metrics):
        raise OptionError(
            f"--references {request.references} is not for wisebe, which takes all references at "
            f"once: leave it out, or give another metric"
        )
    return metrics


def _read(
    request: CompareRequest, watch: Callable[[list[Any]], Iterable[Any]]
) -> tuple[dict[str, str], list[str], PairedTexts]:
    from bitext.formats.corpora.segmentation_pairing import SegmentPairing
    from bitext.formats.io.encodings import check_encoding

    paths = [request.reference, *request.refs]
    systems = name_systems(request.hyps, paths, request.names) if request.hyps else {}
    references = name_systems(paths, request.hyps, None, role="a reference")
    pairing = SegmentPairing(
        references=references,
        systems=systems,
        reference_spelling=_spelling(request.ref_from or request.format_all),
        spelling=_spelling(request.format_all),
        encoding=check_encoding(request.encoding),
        column=request.column,
        texts=request.texts,
        any_units=request.any_units,
        cut_anew=request.units != "lines",
        missing=request.missing,
        watch=watch,
    )
    paired = pairing.read()
    if request.units != "lines":
        paired = _over_units(paired, [*references, *systems], request.units, request)
    return systems, list(references), paired


def _over_units(
    paired: PairedTexts,
    names: Sequence[str],
    units: Literal["characters", "words"],
    request: CompareRequest,
) -> PairedTexts:
    """Segment the characters or words that all versions of each text share."""
    from bitext.formats.corpora.segmentation_pairing import bare_notes
    from bitext.metrics.segmentation.segment_units import over_units
    from bitext.model.bitext import Note

    versions = paired.versions(request.segments)
    if versions.segments == units:
        raise OptionError(
            "the texts differ in blanks alone, and --units words would make a segment of each "
            "unit: give --units characters, or name the segments (--segments lines)"
        )
    least = _MIN_MATCHED if request.min_matched is None else request.min_matched
    paths = [corpus.path for corpus in paired.inputs]
    segmented = []
    for name, texts in zip(versions.names, versions.texts, strict=True):
        called = [f"{path} ({name})" for path in paths]
        segmented.append(over_units(texts, units=units, min_matched=least, names=called))
    made = paired.recut(
        versions.names,
        [each.segmentations for each in segmented],
        [each.units for each in segmented],
    )
    kind = f"segmentations over {units}, of which the segments are {versions.segments}"
    if request.segments is None:
        others = [way for way in ("paragraphs", "lines", "words") if way != versions.segments]
        kind += f" (others: --segments {' or '.join(others)})"
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


def _over(request: CompareRequest) -> str:
    """Return the kind of units for signatures; empty for lines, the default."""
    return "" if request.units == "lines" else f"units:{request.units}"


def _spelling(given: str | None) -> str | None:
    return None if given == "auto" else given


def _notes(
    evaluation: SegmentEvaluation, paired: PairedTexts, request: CompareRequest
) -> list[str]:
    """Score; return notes on texts left out, types of boundaries, and resampling."""
    from bitext.scoring.common import unpaired_notes

    notes = [str(note) for note in paired.notes]
    notes += unpaired_notes(paired.unpaired, lacking="left out for all")
    for metric, texts in _refusals(evaluation).items():
        text, reason = next(iter(texts.items()))
        where = f"first {evaluation.texts[text]!r}: {reason}"
        plural = "" if len(texts) == 1 else "s"
        notes.append(f"{len(texts):,} text{plural} left out of {metric} for all, {where}")
    notes += evaluation.sampling_notes()
    if request.agreement and paired.unpaired:
        does = "takes texts that only some coders have, too" if _has_gaps(paired) else "does not"
        notes.append(
            f"krippendorff-alpha {does}; other coefficients are of the {len(evaluation.texts):,} "
            f"that all have"
        )
    if any(table.types for table in (*paired.references, *paired.hyps)):
        untyped = [m.label for m in evaluation.metrics if not m.typed]
        if untyped and evaluation.systems:
            notes.append(
                f"types of boundaries count nothing for {', '.join(untyped)}: see "
                f"boundary-similarity, segmentation-similarity, boundary-confusion or "
                f"slot-error-rate, or give alignment-similarity(type_weights={{}})"
            )
    if request.agreement and any(table.types for table in paired.references):
        notes.append("agreement on boundaries does not look at their types")
    if evaluation.resampled and len(evaluation.texts) * request.resamples > _MANY_RESAMPLED:
        notes.append(
            f"{request.resamples:,} resamples of {len(evaluation.texts):,} texts take minutes: "
            f"--resamples 100 takes less, --resamples 0 none"
        )
    if request.verbose:
        for corpus in paired.inputs:
            notes += [f"{corpus.path}: {name} was not read" for name in corpus.aside]
    return notes


def _refusals(evaluation: SegmentEvaluation) -> dict[str, dict[int, str]]:
    """Score; return by metric the texts that it refused, with reasons.

    Raises
    ------
    SegmentationError
        When a text is refused and `--refused leave` is not given, or no text is left.

    """
    try:
        return evaluation.refusals()
    except SegmentationError as error:
        if evaluation.refused == "leave":
            raise SegmentationError(f"no text is left to score: {error}") from None
        raise SegmentationError(f"{error}; or --refused leave, without such texts") from None


def _agreement(
    paired: PairedTexts, evaluation: SegmentEvaluation, request: CompareRequest
) -> AgreementReport:
    from bitext.metrics.registry import split_items
    from bitext.reports.comparisons import report

    names = [
        request.reference,
        *request.refs,
        *(evaluation.systems if request.with_systems else ()),
    ]
    called = [
        name if names.count(name) == 1 else f"{name} ({k + 1})" for k, name in enumerate(names)
    ]
    tables = [*paired.references, *paired.hyps][: len(names)]
    coders = dict(zip(called, tables, strict=True))
    whole = None
    if _has_gaps(paired):
        inputs = [corpus.table for corpus in paired.inputs[: len(names)]]
        whole = dict(zip(called, inputs, strict=True))
    given = request.observed or ["boundaries"]
    observed = list(dict.fromkeys(p.strip() for item in given for p in split_items(item)))
    return report(coders, observed, evaluation.options, whole=whole, closing=request.closing)


def _has_gaps(paired: PairedTexts) -> bool:
    """Return whether some texts lack coders, and texts keep the units of their files."""
    return bool(paired.unpaired) and not paired.pieces


def _edits(
    paired: PairedTexts, evaluation: SegmentEvaluation, request: CompareRequest
) -> list[TextEdits]:
    if not request.errors:
        return []
    from bitext.reports.segmentation.edits import worst_texts

    edits = []
    units = paired.units()
    for system, hyp in zip(evaluation.systems, paired.hyps, strict=True):
        edits += worst_texts(
            paired.references[0],
            hyp,
            units,
            system=system,
            most=request.errors,
            shift=request.shift,
        )
    return edits


def _averages(request: CompareRequest) -> tuple[str, ...]:
    return ("micro", "macro") if request.average == "both" else (request.average,)


def _page(
    evaluation: SegmentEvaluation,
    paired: PairedTexts,
    references: Sequence[str],
    agreement: AgreementReport | None,
    notes: Sequence[str],
    request: CompareRequest,
) -> str:
    from bitext.reports.segmentation.page import evaluation_page

    return evaluation_page(
        evaluation,
        references=references,
        units=paired.units(),
        averages=_averages(request),
        agreement=agreement,
        shift=request.shift,
        notes=[f"note: {masked(note)}" for note in notes],
    )


def _drawing(
    evaluation: SegmentEvaluation, agreement: AgreementReport | None, request: CompareRequest
) -> Drawing:
    """Draw the averages of the systems, or the coefficients of agreement where there is none."""
    from bitext.reports.comparisons import agreement_results, comparison_results
    from bitext.reports.plots import plot_results

    results = comparison_results(evaluation, _averages(request), texts=False)
    if agreement:
        results = agreement_results(agreement)
    return plot_results(results, intervals=request.look.intervals)


def _strips(
    evaluation: SegmentEvaluation, references: Sequence[str], most: int, request: CompareRequest
) -> str:
    from bitext.reports.segmentation.page import can_show, worst_strips
    from bitext.reports.terminal import wants_colour

    printed = request.output == "-"
    lines = worst_strips(
        evaluation,
        references=references,
        most=most,
        shift=request.shift,
        width=shutil.get_terminal_size((100, 24)).columns,
        colour=printed and wants_colour(),
        plain=printed and not can_show(sys.stdout.encoding),
    )
    return "".join(f"{line}\n" for line in lines)


def _tables(
    evaluation: SegmentEvaluation,
    agreement: AgreementReport | None,
    edits: Sequence[TextEdits],
    style: str,
    request: CompareRequest,
) -> str:
    from bitext.reports.comparisons import caption, comparison_results
    from bitext.reports.table import beside

    averages = _averages(request)
    parts: list[str] = []
    if evaluation.systems:
        results = comparison_results(evaluation, averages, texts=request.per_text)
        table = results.render(style, request.look)
        parts += _headed(caption(evaluation, averages), table, style)
    if agreement:
        from bitext.reports import comparisons as agreements

        if style == "tsv":
            parts.append(agreements.agreement_table(agreement).render(style))
        else:
            table = agreements.coefficient_table(agreement, request.look).render(style)
            parts += _headed(agreements.agreement_caption(agreement), table, style)
            parts.append(agreements.ratio_table(agreement, request.look).render(style))
            parts.append(beside(agreements.correlation_note(agreement), style))
    if request.errors:
        from bitext.reports.segmentation.edits import render

        parts += [render(each, number=k) for k, each in enumerate(edits, start=1)]
        parts += [] if edits else ["no text differs from the reference\n"]
    return "\n".join(parts)


def _headed(caption: str, table: str, style: str) -> list[str]:
    """Return the caption and the table; TSV has no caption."""
    from bitext.reports.table import beside

    return [table] if style == "tsv" else [beside(caption, style), table]


def _document(
    evaluation: SegmentEvaluation,
    paired: PairedTexts,
    agreement: AgreementReport | None,
    edits: Sequence[TextEdits],
    notes: Sequence[str],
    request: CompareRequest,
) -> Iterator[str]:
    from bitext.reports.comparisons import json_parts

    count = len(paired.references)
    extra: dict[str, Any] = {
        "references": [masked(corpus.path) for corpus in paired.inputs[:count]],
        "systems": {
            name: masked(corpus.path)
            for name, corpus in zip(evaluation.systems, paired.inputs[count:], strict=True)
        },
        "unpaired": [
            {"text": lone.name, "where": masked(lone.where), "extra": lone.extra}
            for lone in paired.unpaired
        ],
        "notes": [masked(note) for note in notes],
    }
    if agreement:
        extra["agreement"] = agreement.to_json()
        if not evaluation.systems:
            extra["signature"] = agreement.signature
    if request.errors:
        extra["edits"] = [each.to_json() for each in edits]
    return json_parts(evaluation, extra)
