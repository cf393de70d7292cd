"""Alignments and word links of systems scored against a gold standard: `evaluate`, its results.

`score_texts` does the work for `evaluate` and for the command `bitext score`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import chain
from math import nan
from typing import TYPE_CHECKING, Any, Literal

from bitext.errors import InputError, OptionError, masked, named_by_options, remedy, renamed
from bitext.formats.columns import Columns
from bitext.formats.corpora import aside_notes
from bitext.formats.corpora.pairing import Pairing
from bitext.formats.io.encodings import check_encodings
from bitext.formats.word_links import OF_LINKS, holds_links
from bitext.metrics.evaluation import Options, Sampling
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.model.word_links import COLUMN
from bitext.reports.scores import figures
from bitext.reports.table import beside
from bitext.scoring.common import (
    Average,
    EvaluationResults,
    averages_of,
    check_choice,
    check_sampling,
    flattened,
    items_of,
    unpaired_notes,
)
from bitext.scoring.pages import links_of, write_pages
from bitext.scoring.values import alignments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.corpora.pairing import TextSet
    from bitext.jobs import Failure
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.links import LinkEvaluation, LinkOptions, Misfit
    from bitext.metrics.evaluation.segmentations import SegmentEvaluation
    from bitext.metrics.units import Counter
    from bitext.model import Bitext, Note
    from bitext.reports.results import Results
    from bitext.reports.table import Look, Table
    from bitext.scoring.functions import FunctionScores, Metrics
    from bitext.scoring.values import Corpus

    # Called with each text and its comparisons, of `Evaluation.add`.
    Observer = Callable[[TextSet, Sequence[Comparison]], None]

__all__ = [
    "LINKS",
    "AlignmentResults",
    "ScoredTexts",
    "Scoring",
    "bases_of",
    "document_of",
    "evaluate",
    "score_texts",
    "scores_links",
]

LINKS = "links"  # the granularity of word links

# The terms of figures, and the members of records after them.
_TERMS = {"precision": ("hits", "proposed"), "recall": ("found", "expected")}
_COUNTS = ("hits", "proposed", "expected", "found")
_ENDS = ("undefined", "signature")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The options of scores, of bisegments or of word links; names as on the command line."""

    granularity: tuple[str, ...] | None = None
    alpha: float = 0.5
    sure_only: bool = False
    null: bool = False
    by: str | None = None
    words: Counter = "space"
    characters: Counter = "codepoint"
    also: tuple[str, ...] = ()
    similarity: bool = False
    beads: bool = False
    precision_by_bead: bool = False
    min_matched: float = 0.9
    sampling: Sampling

    def bisegment_options(self) -> Options:
        """Return the options of bisegment scores; refuse those of word links."""
        for option, is_given in (
            ("alpha", self.alpha != 0.5),
            ("sure-only", self.sure_only),
            ("null", self.null),
            ("by", self.by is not None),
        ):
            if is_given:
                raise OptionError(
                    f"{remedy(option)} is for word links, and bisegments are scored: leave it "
                    f"out, or ask for links ({_granularity(LINKS)})"
                )
        return Options(
            measures=self.granularity,
            words=self.words,
            characters=self.characters,
            min_matched=self.min_matched,
            also=self.also,
            **asdict(self.sampling),
        )

    def link_options(self) -> LinkOptions:
        """Return the options of word link scores; refuse those of bisegments."""
        from bitext.metrics.evaluation.links import LinkOptions

        measures = self.granularity or (LINKS,)
        if len(measures) > 1:
            raise OptionError(
                f"{_granularity(','.join(measures))}: links are scored by themselves: give "
                f"{_granularity(LINKS)}"
            )
        for option, is_given in (
            ("words", self.words != "space"),
            ("characters", self.characters != "codepoint"),
            ("also", bool(self.also)),
            ("similarity", self.similarity),
            ("beads", self.beads),
            ("precision-by-bead", self.precision_by_bead),
        ):
            if is_given:
                raise OptionError(
                    f"{remedy(option)} is for bisegments, and word links are scored: leave it out, "
                    f"or {_of_bisegments()}"
                )
        return LinkOptions(
            alpha=self.alpha,
            sure_only=self.sure_only,
            null=self.null,
            by_part=self.by == "part",
            **asdict(self.sampling),
        )

    def check_counters(self) -> None:
        """Refuse `words` and `characters` where no granularity counts them."""
        measures = self.granularity
        if measures is None:
            return
        if self.similarity and not {"sentence", "word", "character"} & {*measures}:
            return  # then similarity is at all granularities, which count words and characters
        for name, given, usual in (
            ("word", self.words, "space"),
            ("character", self.characters, "codepoint"),
        ):
            if given != usual and name not in measures:
                raise OptionError(
                    f"{remedy(f'{name}s {given}')} is for the granularity {name}: add it "
                    f"({_granularity(name)}), or leave {remedy(f'{name}s')} out"
                )


def _granularity(value: str) -> str:
    return f"-g {value}" if named_by_options() else f"granularity={value!r}"


def _of_bisegments() -> str:
    return f"score the bisegments ({_granularity('alignment')}, or another granularity)"


def bases_of(given: Sequence[str], names: Sequence[str]) -> dict[str, int]:
    """Return the first position of word links, 0 or 1, of `gold` and of systems.

    Parameters
    ----------
    given : sequence of str
        `0` or `1` for the gold standard, `NAME=0` or `NAME=1` for a system.
    names : sequence of str
        `gold`, and the names of the systems.

    Raises
    ------
    OptionError
        When a name or a number is not allowed, or a name has two.

    """
    bases: dict[str, int] = {}
    for text in given:
        name, _, base = text.rpartition("=")
        name, option = name or "gold", remedy(f"base {text}")
        if base not in {"0", "1"}:
            raise OptionError(f"{option}: want 0 or 1, or NAME=0 or NAME=1 for one system")
        if name not in names or names.count(name) > 1:
            way = remedy("names", python="a dictionary")
            fault = f"is the gold standard and a system: name the systems ({way})"
            if name not in names:
                fault = f"is no system: want gold, or one of {', '.join(names[1:])}"
            raise OptionError(f"{option}: {name} {fault}")
        if bases.setdefault(name, int(base)) != int(base):
            raise OptionError(f"{remedy('base')}: {name} counts from 0 or from 1: say one")
    return bases


def scores_links(measures: Sequence[str] | None, item: TextSet) -> tuple[bool, list[str]]:
    """Return `True` where word links are scored, not bisegments, and notes on the choice.

    Word links are scored where `measures` names them, or where it is `None` and all files have
    some.

    Raises
    ------
    InputError
        When only some of the files have word links, and one of these is in a format of word links.

    """
    if measures is not None:
        return LINKS in measures, []
    bitexts = (item.gold, *item.hyps)
    having = [each for each in bitexts if holds_links(each)]
    if not having:
        without = [each for each in bitexts if COLUMN in each.alignment.attributes]
        paths = dict.fromkeys(each.meta.get("path") or each.name for each in without)
        return False, [
            f"bisegments are scored: the column {COLUMN} of {path} holds no word links"
            for path in paths
        ]
    lacking = [each for each in bitexts if not holds_links(each) and len(each.alignment)]
    if not lacking:
        if any(each.meta.get("format") not in OF_LINKS for each in bitexts):
            reason = "word links are scored, as every file has some"
            bisegments = _granularity("alignment")
            return True, [f"{reason}; {bisegments} (or another granularity) scores the bisegments"]
        return True, []
    has, has_not = (each[0].meta.get("path") or each[0].name for each in (having, lacking))
    if any(each.meta.get("format") in OF_LINKS for each in having):
        raise InputError(
            f"{has} has word links and {has_not} has none; give links for all, or "
            f"{_of_bisegments()}"
        )
    return False, [
        f"bisegments are scored and word links are not: {has} has some and {has_not} has none"
    ]


@dataclass(slots=True, kw_only=True)
class ScoredTexts:
    """The scores of the texts of a pairing, with the notes of their files.

    Attributes
    ----------
    evaluation : Evaluation
        The counts of all texts.
    pairing : Pairing
        The texts that were scored; its `unpaired` are those without a partner.
    notes : list of str
        The notes on the files.
    aside : mapping of str to sequence of str
        The files of folders that hold no alignment, by folder.
    corpus_notes : sequence of str
        The notes on folders and manifests; empty for shards, as the folders are not read again.

    """

    evaluation: Evaluation
    pairing: Pairing
    notes: Sequence[str]
    aside: Mapping[str, Sequence[str]]
    corpus_notes: Sequence[str]

    def all_notes(
        self, averages: Sequence[str], *, swap_check: bool = True, verbose: bool = False
    ) -> list[str]:
        """Return notes on the files, on the figures, and on texts left out.

        Parameters
        ----------
        averages : sequence of str
            The averages that are shown.
        swap_check : bool
            Whether to refuse systems that fit only with sides exchanged or positions shifted.
        verbose : bool
            Whether each file left aside has a note.

        Raises
        ------
        InputError
            When a system seems to have its sides exchanged, or its positions shifted.

        """
        evaluation, notes = self.evaluation, list(self.notes)
        if swap_check:
            self._refuse_swapped()
            notes += evaluation.shifted_notes()
        notes += evaluation.matched_notes()
        notes += evaluation.sampling_notes(averages)
        missing = self.pairing.missing
        lacking = {"leave": "left out for all systems", "empty": "taken as nothing proposed"}
        notes += unpaired_notes(self.pairing.unpaired, lacking=lacking.get(missing, ""))
        for path, names in self.aside.items():
            if verbose:
                notes += [f"{path}: {name} holds no alignment" for name in names]
            else:
                notes += aside_notes(path, names)
        notes += self.corpus_notes
        if "word" in evaluation.left_out or "character" in evaluation.left_out:
            reason = next(iter(evaluation.left_out.values()))
            notes.append(
                f"word and character granularity left out: {reason} ({remedy('src', 'tgt')})"
            )
        return notes

    def _refuse_swapped(self) -> None:
        evaluation, pairing = self.evaluation, self.pairing
        if (by_links := links_of(evaluation)) is not None:
            self._refuse_misfits(by_links)
            return
        for name, (given, exchanged) in evaluation.swapped_systems().items():
            swap = remedy(f"swap {name}")
            swapped = name in pairing.swapped
            given_as = f"with {remedy('swap')}".rstrip("=") if swapped else "as given"
            other = "without" if swapped else "exchanged"
            way = f"leave {swap} out" if swapped else f"score it with {swap}"
            raise InputError(
                f"{pairing.systems[name]}: source and target seem swapped: sentence F1 is "
                f"{given:.4f} {given_as} and {exchanged:.4f} {other}; {way}, or score it as it is "
                f"with {_as_it_is()}"
            )

    def _refuse_misfits(self, evaluation: LinkEvaluation) -> None:
        """Refuse systems whose links fit only if sides are exchanged or positions shifted.

        Raises
        ------
        InputError
            With both F1 and the options that read the files the other way.

        """
        pairing = self.pairing
        for misfit in evaluation.misfits():
            name = list(pairing.systems)[misfit.system]
            causes, remedies = [], []
            if misfit.shift:
                causes.append("positions count from another base")
                remedies.append(_base_remedy(misfit, name, pairing))
            if misfit.swapped:
                causes.append("source and target seem exchanged")
                swap = remedy(f"swap {name}")
                remedies.append(f"leave {swap} out" if name in pairing.swapped else swap)
            raise InputError(
                f"{pairing.systems[name]}: {' and '.join(causes)} (F1 {misfit.given:.4f} as given, "
                f"{misfit.other:.4f} otherwise): score with {' and '.join(remedies)}, or as they "
                f"are with {_as_it_is()}"
            )


def _as_it_is() -> str:
    return remedy("no-swap-check", python="no_swap_check=True")


def _base_remedy(misfit: Misfit, name: str, pairing: Pairing) -> str:
    """Return the option by which the positions of gold standard and system meet."""
    raised, lowered = ("gold", name) if misfit.shift > 0 else (name, "gold")
    if name == "gold":  # --base gold=1 would be of the gold standard
        way = remedy("names NAME", python="a dictionary of the systems")
        return f"{way} and {_base_remedy(misfit, 'NAME', pairing)}"
    # The positions of `raised` are too high by 1: it counts from 1, unless it has a position 0 or
    # --base said so already. Then --base has lowered the other one wrongly.
    has_zero = misfit.zeros[0 if raised == "gold" else 1]
    said = pairing.bases.get(raised) == 1
    if pairing.bases.get(lowered) == 1 and (has_zero or said):
        return remedy(f"base {lowered}=0")
    return remedy(f"base {raised}=0" if said else f"base {raised}=1")


def score_texts(
    pairing: Pairing,
    scoring: Scoring,
    *,
    detailed: bool = True,
    over: Callable[[Pairing], Iterable[TextSet]] = iter,
    observed: Callable[[Evaluation], Observer] | None = None,
) -> ScoredTexts:
    """Read and score text by text.

    Parameters
    ----------
    pairing : Pairing
        The gold standard and the systems.
    scoring : Scoring
        The options of scores. The first text decides between bisegments and word links where no
        granularity is named.
    detailed : bool
        Whether to collect the breakdown by bead type.
    over : callable
        Yields the texts of the pairing one by one, to show progress.
    observed : callable, optional
        Is called once with the evaluation, before any text is added, and returns a function that
        is called with each text and its comparisons.

    Raises
    ------
    BitextError
        When a file cannot be read, no text can be paired, or options and input do not fit.

    """
    systems = list(pairing.systems)
    notes: dict[str, Note] = {}
    items = iter(over(pairing))
    first = next(items)
    by_links, reading_notes = scores_links(scoring.granularity, first)
    evaluation: Evaluation
    if by_links:
        from bitext.metrics.evaluation.links import LinkEvaluation

        evaluation = LinkEvaluation(systems, scoring.link_options(), missing=pairing.missing)
    else:
        evaluation = Evaluation(
            systems,
            scoring.bisegment_options(),
            detailed=detailed,
            similar=scoring.similarity,
            missing=pairing.missing,
        )
    observe = observed(evaluation) if observed else None
    for item in chain([first], items):
        compared = evaluation.add(item.gold, item.hyps, item.name)
        for role, bitext in zip(("gold", *systems), (item.gold, *item.hyps), strict=True):
            _collect(notes, role, bitext)
        if observe is not None:
            observe(item, compared)
    gold, hyps = pairing.corpora()
    corpora = (gold, *hyps.values())
    return ScoredTexts(
        evaluation=evaluation,
        pairing=pairing,
        notes=[*reading_notes, *map(str, notes.values())],
        aside={corpus.path: corpus.aside for corpus in corpora},
        corpus_notes=[note for corpus in corpora for note in corpus.assumptions],
    )


def _collect(notes: dict[str, Note], role: str, bitext: Bitext) -> None:
    """Add the notes of a text to `notes`, by kind and by role: gold standard or system."""
    for note in bitext.notes:
        kind = f"{role}: {note.kind}"
        known = notes.get(kind)
        count, first = (known.count, known.first) if known else (0, note.first)
        notes[kind] = replace(note, kind=kind, count=count + note.count, first=first)


def document_of(
    scored: ScoredTexts,
    notes: Sequence[str],
    *,
    places: Sequence[Mapping[str, Any]] | None = None,
    failures: Sequence[Failure] = (),
) -> dict[str, Any]:
    """Return the JSON document of scores; `places` are those with errors."""
    pairing = scored.pairing
    systems = {name: masked(path) for name, path in pairing.systems.items()}
    document = {
        **figures.to_json(scored.evaluation),
        "gold": masked(pairing.gold),
        "systems": systems,
    }
    document["unpaired"] = [
        {"text": lone.name, "where": masked(lone.where), "extra": lone.extra}
        for lone in pairing.unpaired
    ]
    document["notes"] = [masked(note) for note in notes]
    if places is not None:
        document["places"] = places
    if failures:
        document["failed"] = [{"text": f.name, "reason": f.reason} for f in failures]
    return document


class AlignmentResults(EvaluationResults):
    """The results of `evaluate`: precision, recall and F1 of alignments, or of word links.

    Rows have the columns `granularity` (of word links: `part`) and `figure`; bisegment similarity
    has the figure `similarity`.

    Attributes
    ----------
    evaluation : Evaluation
        The counts of each text, from which all figures are computed; of word links a
        `LinkEvaluation`.
    functions : SegmentEvaluation or None
        The figures of the functions (`metric`), if any. Pages do not show them.

    """

    def __init__(
        self,
        scored: ScoredTexts,
        scoring: Scoring,
        *,
        averages: Sequence[str] = ("micro",),
        notes: Sequence[str] = (),
        functions: SegmentEvaluation | None = None,
    ) -> None:
        self.functions = functions
        self.evaluation = scored.evaluation
        self.averages = tuple(averages)
        self.notes = tuple(notes)
        self._scored = scored
        self._scoring = scoring

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.evaluation.systems)

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of the scored texts."""
        return tuple(self.evaluation.texts)

    @property
    def signature(self) -> str:
        """Every choice that changes a figure or an interval, and the version."""
        return self.evaluation.signature(self.evaluation.metric, averages=self.averages)

    def bead_types(self) -> list[dict[str, Any]]:
        """Return how many beads of each type are found, and what the missed ones became."""
        return figures.bead_records(self.evaluation)

    def json_parts(self) -> Iterator[str]:
        """Yield the JSON document of `bitext score --json`, as one part."""
        notes = [*self.notes, *figures.left_out_notes(self.evaluation, ("micro", "macro"))]
        document = document_of(self._scored, notes)
        if self.functions is not None:
            from bitext.reports import comparisons

            both = ("micro", "macro")
            records = comparisons.row_records(self.functions, both, texts=True)
            document["metrics"] = list(records)
            differences = comparisons.difference_records(self.functions, both)
            document["metric_differences"] = list(differences)
        yield json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page of `bitext score --html`.

        Parameters
        ----------
        path : str or path
            A file: of one text its alignments laid over each other, of several texts their scores,
            of word links those of all pairs. A folder, or a name that ends with `/`: an index, and
            a page for each text. The texts are read again where a page shows them.

        Raises
        ------
        InputError
            When the file or the folder cannot be written.

        """
        evaluation = self.evaluation
        left = figures.left_out_notes(evaluation, self.averages)
        if self.functions is not None:
            names = ", ".join(metric.label for metric in self.functions.metrics)
            left = [*left, f"figures of functions are in tables, not on pages: {names}"]
        with write_pages(os.fspath(path)) as pages:
            if pages.shows_texts or len(evaluation.texts) == 1 or links_of(evaluation):
                score_texts(
                    self._scored.pairing,
                    self._scoring,
                    observed=lambda again: lambda item, _: pages.add(item, again),
                )
            pages.finish(evaluation, self.averages, [*self.notes, *left])

    def _html(self) -> str:
        from bitext.reports.notebook import scores_html

        shown = scores_html(self.evaluation, self.averages)
        if self.functions is not None:
            from bitext.scoring.functions import figures_html

            shown += figures_html(self.functions, self.averages)
        return shown

    def _rows(self, averages: Sequence[str], *, per_text: bool) -> Iterator[dict[str, Any]]:
        evaluation = self.evaluation
        names = figures.keys(evaluation)
        for record in figures.row_records(evaluation, averages, texts=per_text):
            counts = {name: record[name] for name in _COUNTS}
            members = (*("system", "text", evaluation.head, "average", *names, "intervals"), *_ENDS)
            some = {name: record[name] for name in members}
            for row in flattened(some, names, "value"):
                above, below = _TERMS.get(row["figure"], ("", ""))
                row["numerator"], row["denominator"] = counts.get(above), counts.get(below)
                yield row
        for record in figures.similarity_records(evaluation, averages, texts=per_text):
            low, high = record.pop("interval") or (None, None)
            yield {
                **{name: record[name] for name in ("system", "text", "granularity", "average")},
                "figure": "similarity",
                "value": record["value"],
                "low": low,
                "high": high,
                **{name: record[name] for name in ("numerator", "denominator", *_ENDS)},
            }
        if self.functions is not None:
            from bitext.scoring.functions import figure_rows

            yield from figure_rows(self.functions, averages, evaluation.head, texts=per_text)

    def _tests(self, averages: Sequence[str]) -> Iterator[dict[str, Any]]:
        names = figures.keys(self.evaluation)
        for record in figures.difference_records(self.evaluation, averages):
            yield from flattened(record, names, "difference")
        for record in figures.similarity_difference_records(self.evaluation, averages):
            record["difference"] = record.pop("value")
            yield {"figure": "similarity", **record}
        if self.functions is not None:
            from bitext.scoring.functions import figure_tests

            yield from figure_tests(self.functions, averages, self.evaluation.head)

    def _table(self, averages: Sequence[str], look: Look, *, per_text: bool) -> Table:
        return figures.score_table(self.evaluation, averages, texts=per_text, look=look)

    def _results(self, averages: Sequence[str]) -> Results:
        return figures.score_results(self.evaluation, averages, texts=False)

    def _caption(self, averages: Sequence[str]) -> str:
        return figures.caption(self.evaluation, averages)

    def parts(
        self, style: str, averages: Sequence[str], look: Look, *, per_text: bool
    ) -> list[str]:
        """Return caption and table, and those of bisegment similarity and functions, if any."""
        evaluation = self.evaluation
        further: list[str] = []
        if self.functions is not None:
            from bitext.scoring.functions import figure_parts

            further = figure_parts(self.functions, style, averages, look, texts=per_text)
        if style == "tsv":
            table = figures.flat_table(evaluation, averages, texts=per_text)
            return [table.render(style), *further]
        results = figures.score_results(evaluation, averages, texts=per_text)
        parts = [beside(self._caption(averages), style), results.render(style, look)]
        if evaluation.similar:
            parts.append(beside(figures.similarity_caption(evaluation, averages), style))
            results = figures.similarity_results(evaluation, averages, texts=per_text)
            parts.append(results.render(style, look))
        if evaluation.options.pairs:
            parts.append(figures.pair_table(evaluation, averages, look).render(style))
        return [*parts, *further]


def evaluate(
    gold: Corpus,
    systems: Mapping[str, Corpus] | Sequence[Corpus] | Corpus,
    *,
    src: str | os.PathLike[str] | None = None,
    tgt: str | os.PathLike[str] | None = None,
    hyp_src: str | os.PathLike[str] | None = None,
    hyp_tgt: str | os.PathLike[str] | None = None,
    format: str | Mapping[str, str] | None = None,  # noqa: A002 - the word of the command line
    gold_from: str | None = None,
    roots: str | Sequence[str | os.PathLike[str]] = (),
    columns: str | None = None,
    head: bool | None = None,
    encoding: str = "utf-8",
    swap: str | Iterable[str] = (),
    base: int | str | Sequence[str] | Mapping[str, int] = (),
    no_swap_check: bool = False,
    missing: Literal["leave", "empty", "error"] = "leave",
    partial: bool = False,
    where: str | Sequence[str] = (),
    drafts: bool = False,
    granularity: str | Sequence[str] | None = None,
    metric: Metrics | None = None,
    alpha: float = 0.5,
    sure_only: bool = False,
    null: bool = False,
    by: Literal["part"] | None = None,
    words: Counter = "space",
    characters: Counter = "codepoint",
    also: str | Sequence[str] = (),
    similarity: bool = False,
    min_matched: float = 0.9,
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
) -> AlignmentResults:
    """Score the alignments of systems against a gold standard, or their word links.

    The figures are those of `bitext score` with the options of the same names, which
    `bitext score --help` describes.

    Parameters
    ----------
    gold : path, Bitext, Alignment, or a list or dict of these
        A file, a folder or a manifest; or a text in memory; or several texts in memory, as a list
        or by name.
    systems : dict, list, path, Bitext or Alignment
        What each system proposes, in the forms of `gold`: by the name of the system; or a list of
        systems, of which files are named by their paths; or one system. Texts of lists are paired
        by their names, or in order where no name is in both.
    src, tgt, hyp_src, hyp_tgt : path, optional
        The texts of files that hold positions or identifiers only: a file, a folder, or a pattern
        with `{name}`, of the systems' own texts also with `{system}`.
    format : str or dict, optional
        The format of all files (`--from`), or a dictionary by system. Default: detected.
    gold_from : str, optional
        The format of the gold standard.
    roots, columns, head, encoding, where, drafts, partial
        As of `bitext.read_all` and the command.
    swap : str or iterable of str
        The systems whose source and target are to be exchanged.
    base : int, str, list of str or dict
        The first position of word links: 0 or 1 for the gold standard, `NAME=0` for a system; or
        a dictionary by name, in which `gold` is the gold standard.
    no_swap_check : bool
        Whether to score systems that seem to have their sides exchanged.
    missing : {"leave", "empty", "error"}
        The treatment of a text that a system lacks: leave it out for all, take it as nothing
        proposed, or raise an error.
    granularity : str or list of str, optional
        Of `alignment`, `sentence`, `word`, `character`, `strict` and `lax`; or `links` for word
        links. Default: all that the texts allow; word links where every file has some.
    metric : function, or list of functions, or dict of functions by name, optional
        Functions of two `Bitext`, gold standard and hypothesis of a text, that return a number,
        whose averages are means over texts; or a `Ratio` or `Counts`, which pool. Their rows have
        the name of the function as `figure`.
    alpha, sure_only, null, by
        The options of word links.
    words, characters, also, similarity, min_matched
        The options of bisegments.
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

    Returns
    -------
    AlignmentResults

    Raises
    ------
    OptionError
        When an option has a value that is not allowed, or does not fit the others.
    InputError, FormatError
        When files cannot be read, no text can be paired, or a system seems to have its sides
        exchanged.

    Examples
    --------
    >>> from bitext import Alignment
    >>> results = evaluate(
    ...     Alignment([((0,), (0,)), ((1,), (1, 2))]),
    ...     {"ours": Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))])},
    ... )
    >>> [(row["granularity"], row["value"]) for row in results.rows() if row["figure"] == "f1"]
    [('alignment', 0.4), ('sentence', 0.8), ('strict', 0.4), ('lax', 0.8)]

    """
    averages = averages_of(average)
    check_choice("missing", missing, ("leave", "empty", "error"))
    if by is not None:
        check_choice("by", by, ("part",))
    scoring = Scoring(
        granularity=_measures(granularity),
        alpha=alpha,
        sure_only=sure_only,
        null=null,
        by=by,
        words=words,
        characters=characters,
        also=_measures(also) or (),
        similarity=similarity,
        min_matched=min_matched,
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
    )
    with ExitStack() as stack:
        for name, python in (("swap", "swap="), ("from", "format=")):
            stack.enter_context(renamed(name, python=python))
        scoring.check_counters()
        place, paths, memory = alignments_of(gold, systems)
        check_sampling(scoring.sampling, list(paths))
        if memory.get(place) and (src, tgt) != (None, None):
            option = remedy("src" if src is not None else "tgt")
            raise OptionError(
                f"{option} is the text of a gold standard in a file, and this one is in memory: "
                f"put the text into its Bitext"
            )
        of_systems = dict(format) if isinstance(format, Mapping) else {}
        exchanged = frozenset(items_of(swap))
        for option, named in (("swap", exchanged), ("from", of_systems)):
            _check_systems(option, named, paths)
        known = None if isinstance(format, Mapping) else format
        pairing = Pairing(
            gold=place,
            systems=paths,
            memory=memory,
            src=_path(src),
            tgt=_path(tgt),
            hyp_src=_path(hyp_src),
            hyp_tgt=_path(hyp_tgt),
            gold_format=gold_from or known,
            hyp_format=known,
            formats=of_systems,
            encoding=check_encodings(encoding),
            roots=[os.fspath(root) for root in items_of(roots)],
            swapped=exchanged,
            bases=bases_of(_bases(base), ("gold", *paths)),
            missing=missing,
            partial=partial,
            where=items_of(where),
            drafts=drafts,
            columns=Columns.of(columns, head),
        )
        functions = (
            None if metric is None else _function_scores(metric, list(paths), scoring.sampling)
        )
        observed = None if functions is None else functions.add
        scored = score_texts(pairing, scoring, observed=observed and (lambda _: observed))
        notes = scored.all_notes(averages, swap_check=not no_swap_check)
    return AlignmentResults(
        scored,
        scoring,
        averages=averages,
        notes=notes,
        functions=None if functions is None else functions.evaluation(),
    )


def _check_systems(option: str, named: Iterable[str], systems: Collection[str]) -> None:
    """Refuse an option for a system that is not there."""
    for name in named:
        if name not in systems:
            raise OptionError(
                f"{remedy(f'{option} {name}')}: want one of the systems {', '.join(systems)}"
            )


def _function_scores(given: Metrics, systems: Sequence[str], sampling: Sampling) -> FunctionScores:
    from bitext.scoring.functions import FunctionScores, functions_of

    texts, functions = functions_of(given, over="alignment")
    if texts:
        raise OptionError(
            f"metric={texts[0]!r}: want functions; measures of bitext are named by granularity="
        )
    if taken := next((m.name for m in functions if m.name in {"precision", "recall", "f1"}), None):
        raise OptionError(
            f"metric {taken!r}: is a figure of each granularity; give the function another name"
        )
    return FunctionScores(systems, functions, sampling)


def _measures(given: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the names of an option that repeats or has commas, each once; `None` for `None`."""
    if given is None:
        return None
    parts = (part.strip() for text in items_of(given) for part in text.split(","))
    return tuple(dict.fromkeys(parts))


def _path(value: str | os.PathLike[str] | None) -> str | None:
    return None if value is None else os.fspath(value)


def _bases(given: int | str | Sequence[str] | Mapping[str, int]) -> tuple[str, ...]:
    if isinstance(given, Mapping):
        return tuple(f"{name}={base}" for name, base in given.items())
    return (str(given),) if isinstance(given, int) else items_of(given)
