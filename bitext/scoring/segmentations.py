"""Segmentations of systems compared with one reference or several: `compare`, and its results.

`compare_texts` does the work for `compare` and for the command `bitext compare`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, Literal

from bitext.errors import OptionError, check_truths, masked, remedy
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.io.encodings import check_encoding
from bitext.formats.io.output import write_whole
from bitext.formats.segmentations.collecting import ReadingOptions, option_items
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import COMBINATIONS, Combination, Refused
from bitext.metrics.registry import whole
from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations
from bitext.reports import agreement as coders_agreement
from bitext.reports import comparisons
from bitext.reports.agreement import AgreementReport
from bitext.reports.lettering import wants_colour
from bitext.reports.pages import Folder, names_folder, page_place
from bitext.reports.table import Look, Results, Table, beside
from bitext.scoring.common import (
    Average,
    EvaluationResults,
    Showing,
    averages_of,
    check_choice,
    items_of,
    refuse_reading,
)
from bitext.scoring.compared_texts import (
    SEGMENTS,
    UNITS,
    ComparedTexts,
    Comparing,
    compare_texts,
    split_document,
)
from bitext.scoring.values import (
    Metrics,
    by_labels,
    functions_of,
    is_numbered,
    references_of,
    systems_of,
)

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure as Drawing

    from bitext.metrics.evaluation.segmentations import SegmentEvaluation
    from bitext.reports.segmentation.strips import TextEdits

    Texts = (
        str | os.PathLike[str] | Segmentation | Mapping[str, Segmentation] | Sequence[Segmentation]
    )

_DEFAULT_SIZE = (100, 24)  # width and height of output that is not a terminal, in characters


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
        The agreement of the coders, if requested.

    """

    evaluation: SegmentEvaluation

    def __init__(self, compared: ComparedTexts, showing: Showing, notes: Sequence[str]) -> None:
        self._compared, self._showing = compared, showing
        self.evaluation = compared.evaluation
        self.averages = showing.averages
        self.notes = tuple(notes)
        self.agreement = compared.agreement()

    @property
    def references(self) -> tuple[str, ...]:
        """The names of the references."""
        return self._compared.references

    @property
    def signature(self) -> str:
        """Every choice that changes a figure or an interval, and the version."""
        return comparisons.signature(self.evaluation, self.averages)

    def json_parts(self) -> Iterator[str]:
        """Yield the JSON document of `bitext compare --json` in parts."""
        paired, evaluation, agreement = self._compared.paired, self.evaluation, self.agreement
        count = len(paired.references)
        members: dict[str, Any] = {
            "references": [masked(corpus.label) for corpus in paired.inputs[:count]],
            "systems": {
                name: masked(corpus.label)
                for name, corpus in zip(evaluation.systems, paired.inputs[count:], strict=True)
            },
            "unpaired": [unpaired.to_json() for unpaired in paired.unpaired],
            "notes": [masked(note) for note in self.notes],
        }
        if agreement:
            members["agreement"] = agreement.to_json()
            if not evaluation.systems:
                members["signature"] = agreement.signature
        if (most := self._showing.errors) and evaluation.systems:
            members["edits"] = [each.to_json() for each in self._edits(most)]
        elif most and agreement:
            members["disagreements"] = agreement.disagreement_rows(most)
        return comparisons.json_parts(evaluation, members)

    def page(self) -> str:
        """Return the page of `bitext compare --html`."""
        if self.agreement and not self.systems:
            from bitext.reports.segmentation.strips import coders_page

            notes = [f"note: {masked(note)}" for note in self.notes]
            return coders_page(self.agreement, notes=notes)
        from bitext.reports.segmentation.page import evaluation_page

        return evaluation_page(self.evaluation, **self._shown())

    def _shown(self) -> dict[str, Any]:
        """Return the contents of pages beside the evaluation."""
        return {
            "references": self.references,
            "units": self._compared.paired.units(),
            "averages": self.averages,
            "agreement": self.agreement,
            "shift": self._compared.options.shift,
            "notes": [f"note: {masked(note)}" for note in self.notes],
        }

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page of `bitext compare --html`.

        Raises `InputError` when the file or the folder cannot be written, and `OptionError` when
        the name has the ending of another kind, as `.pdf`.

        Parameters
        ----------
        path : str or path
            A file, or a folder (or a name that ends with `/`): an index, and a page for each text.

        """
        place = page_place(path)
        if not names_folder(place):
            page = self.page()
            with write_whole(place) as out:
                out.write(page)
            return
        if not self.systems:
            option = remedy(f"html {place}", python=f"save_html({place!r})")
            raise OptionError(f"{option}: there is no system, so no page a text: name a file")
        from bitext.reports.segmentation.page import write_evaluation

        with Folder(place) as folder:
            write_evaluation(folder, self.evaluation, **self._shown())

    def plot(self, *, average: Average | None = None, intervals: bool = True) -> Drawing:
        """Draw the averages as points with interval bars.

        Without systems these are coefficients of agreement, or with `matrix` the pairs of coders,
        each as a shaded matrix.

        Parameters
        ----------
        average, intervals
            As in `EvaluationResults.plot`, which has returns and errors.

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
            labels = {name: record.pop(name) for name in names}
            yield {**labels, **value, **record}

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
        """Return captions and tables: systems, agreement, edits or disagreements, strips."""
        parts: list[str] = []
        if self.systems:
            results = comparisons.comparison_results(self.evaluation, averages, texts=per_text)
            parts += _headed(self._caption(averages), results.render(style, look), style)
            if self.evaluation.options.pairs and style != "tsv":
                parts.append(comparisons.pair_table(self.evaluation, averages, look).render(style))
        if self.agreement:
            parts += _agreement_parts(self.agreement, style, look)
        if self._showing.errors:
            parts += self._error_parts(self._showing.errors)
        if self._showing.strips:
            parts.append("".join(f"{line}\n" for line in self._strips(self._showing.strips)))
        return parts

    def _error_parts(self, max_errors: int) -> list[str]:
        """Return the worst texts with their edits, or the worst disagreements of coders."""
        if self.agreement and not self.systems:
            return [coders_agreement.render_disagreements(self.agreement, max_errors)]
        from bitext.reports.segmentation.strips import render

        edits = self._edits(max_errors)
        parts = [render(each, number=k) for k, each in enumerate(edits, start=1)]
        return parts or ["no text differs from the reference\n"]

    def _edits(self, max_errors: int) -> list[TextEdits]:
        """Return the edits of the texts of each system that differ most from the reference."""
        from bitext.reports.segmentation.strips import texts_with_most_edits

        paired, edits = self._compared.paired, []
        units = paired.units()
        for system, hyp in zip(self.systems, paired.hyps, strict=True):
            edits += texts_with_most_edits(
                paired.references[0],
                hyp,
                units,
                system=system,
                most=max_errors,
                shift=self._compared.options.shift,
            )
        return edits

    def _strips(self, most: int) -> Iterator[str]:
        """Return strips of the worst texts, for a terminal, and a key."""
        from bitext.reports.segmentation.strips import can_show

        printed = self._showing.printed
        layout: dict[str, Any] = {
            "width": shutil.get_terminal_size(_DEFAULT_SIZE).columns,
            "colour": printed and wants_colour(),
            "plain": printed and not can_show(sys.stdout.encoding),
        }
        if self.agreement and not self.systems:
            from bitext.reports.segmentation.strips import worst_strips as of_coders

            return of_coders(self.agreement, most, **layout)
        from bitext.reports.segmentation.page import worst_strips

        return worst_strips(
            self.evaluation,
            references=self.references,
            most=most,
            shift=self._compared.options.shift,
            **layout,
        )


def _agreement_parts(agreement: AgreementReport, style: str, look: Look) -> list[str]:
    """Return the tables of agreement; TSV is of pairs of coders, if their metrics are given."""
    reports = coders_agreement
    if style == "tsv":
        flat = reports.pair_table if agreement.metrics_of_pairs else reports.agreement_table
        return [flat(agreement).render(style)]
    table = reports.coefficient_table(agreement, look, grouped=style == "latex")
    parts = _headed(reports.agreement_caption(agreement), table.render(style), style)
    for pairs in agreement.pairs if agreement.shows_pairs else ():
        matrix = reports.matrix_table(agreement, pairs, look).render(style)
        parts += _headed(reports.matrix_note(pairs), matrix, style)
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
        As in `bitext.read_segmentations`.
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
    check_truths(any_units=any_units, closing=closing, pairs=pairs, holm=holm)
    check_truths(agreement=agreement, with_systems=with_systems)
    for option, value, allowed in (
        ("missing", missing, ("leave", "error")),
        ("units", units, UNITS),
        ("segments", segments, (None, *SEGMENTS, "sections")),
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
        shift=whole("shift", shift, "units"),
    )
    options.check_units()
    memory: dict[str, Segmentations] = {}
    reference, systems, ref = by_labels(reference, systems, ref)
    numbered = is_numbered(reference)
    alone = agreement and isinstance(systems, tuple | list | dict) and not systems
    places = references_of(reference, ref, memory, coders=alone)
    named_systems = systems_of(systems, places, memory, none=agreement, numbered=numbered)
    if len(memory) == len(places) + len(named_systems):
        refuse_reading({"from": format, "ref-from": ref_from, "column": column, "texts": texts})
    pairing = SegmentPairing(
        references=places,
        systems=named_systems,
        memory=memory,
        reference_spelling=None if ref_from == "auto" else ref_from or format,
        reference_coders=option_items(ref_coders or coders),
        reading=ReadingOptions(
            spelling=format,
            encoding=check_encoding(encoding),
            column=None if column is None else str(column),
            texts=None if texts is None else str(texts),
            coders=option_items(coders),
            labels=option_items(labels),
            time_units=None if time_units is None else str(time_units),
            sections=segments == "sections",
            split=split_document,
        ),
        any_units=any_units,
        cut_anew=units != "lines",
        missing=missing,
        of_coders=agreement and not (with_systems or metric or baseline or pairs),
    )
    compared = compare_texts(pairing, options)
    return SegmentationResults(compared, Showing(averages=averages), compared.notes())
