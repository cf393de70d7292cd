"""Alignments and word links of systems scored against a gold standard: `evaluate`, its results.

`score_corpus` does the work for `evaluate` and for the command `bitext score`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from math import nan
from typing import TYPE_CHECKING, Any, Literal

from bitext.errors import OptionError, check_truths, masked, remedy, renamed
from bitext.formats.columns import Columns
from bitext.formats.corpora.pairing import Pairing, TextSet
from bitext.formats.io.encodings import check_encodings
from bitext.formats.reading import FileOptions
from bitext.metrics.evaluation import Sampling
from bitext.metrics.units import Counter
from bitext.paths import path_name
from bitext.reports import comparisons
from bitext.reports.pages import page_place
from bitext.reports.scores import figures
from bitext.reports.scores.page_writers import Places, add_again, links_of, write_pages
from bitext.reports.table import Look, Results, Table, beside
from bitext.scoring.common import (
    Average,
    EvaluationResults,
    Showing,
    averages_of,
    check_choice,
    check_sampling,
    figure_row,
    flattened,
    items_of,
    refuse_reading,
)
from bitext.scoring.scored_texts import ScoredTexts, Scoring, bases_of, score_texts
from bitext.scoring.values import (
    FunctionScores,
    alignments_of,
    figure_parts,
    figure_rows,
    figure_tests,
    figures_html,
    functions_of,
)

if TYPE_CHECKING:
    import os

    from bitext.jobs import Failure
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.scoring.by_jobs import Jobs
    from bitext.scoring.values import Corpus, Metrics

# The terms of figures, and the members of records after them.
_TERMS = {"precision": ("hits", "proposed"), "recall": ("found", "expected")}
_COUNTS = ("hits", "proposed", "expected", "found")
_ENDS = ("undefined", "signature")
_AVERAGES = ("micro", "macro")


def score_corpus(
    pairing: Pairing,
    scoring: Scoring,
    showing: Showing,
    *,
    over: Callable[[Pairing], Iterable[TextSet]] = iter,
    functions: FunctionScores | None = None,
    jobs: Jobs | None = None,
) -> AlignmentResults:
    """Score the texts of systems, here or by jobs, and write the requested pages.

    `over` yields the texts of the pairing one by one, to show progress. `functions` are those of
    two bitexts that score, too, though not by jobs; `jobs` tells how jobs score the texts, or has
    the shards to merge.

    Raises `BitextError` when a file cannot be read or a page not written, no text can be paired, or
    options and input do not fit.
    """
    places = Places(
        list(pairing.systems),
        showing.errors,
        printed=showing.printed,
        whole=showing.whole,
        min_matched=scoring.min_matched,
    )
    with write_pages(showing.html) as pages:
        if jobs is None:

            def then(item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
                places.add(item, evaluation, compared)
                pages.add(item, evaluation)
                if functions is not None:
                    functions.add(item)

            scored = score_texts(pairing, scoring, detailed=showing.detailed, over=over, then=then)
        else:
            from bitext.scoring.by_jobs import score_by_jobs

            scored = score_by_jobs(pairing, scoring, places, jobs)
            if pages.shows_texts or links_of(scored.evaluation):
                failed = {failure.number for failure in scored.failures}
                add_again(pages, pairing, scored.evaluation, failed)
        results = AlignmentResults(scored, scoring, showing, places, functions)
        shown_notes = [
            *results.notes,
            *figures.left_out_notes(results.evaluation, showing.averages),
        ]
        notes = pages.finish(results.evaluation, showing.averages, shown_notes)
    results.notes += tuple(notes)
    return results


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

    evaluation: Evaluation

    def __init__(
        self,
        scored: ScoredTexts,
        scoring: Scoring,
        showing: Showing,
        places: Places,
        functions: FunctionScores | None = None,
    ) -> None:
        self._scored, self._scoring, self._places = scored, scoring, places
        self.evaluation = scored.evaluation
        self.averages = showing.averages
        self.notes = tuple(scored.all_notes(showing))
        self.functions = None if functions is None else functions.evaluation()

    @property
    def failures(self) -> Sequence[Failure]:
        """The texts that jobs gave up."""
        return self._scored.failures

    @property
    def signature(self) -> str:
        """Every choice that changes a figure or an interval, and the version."""
        return self.evaluation.signature(self.evaluation.metric, averages=self.averages)

    def bead_types(self) -> list[dict[str, Any]]:
        """Count the found beads of each type, and the beads in place of the missed ones."""
        return figures.bead_records(self.evaluation)

    def uncaptioned_notes(self, style: str) -> list[str]:
        """Return the notes that a caption has, for a style without one: `tsv`, `json`."""
        averages = {"json": _AVERAGES, "tsv": self.averages}.get(style, ())
        return figures.left_out_notes(self.evaluation, averages)

    def json_parts(self) -> Iterator[str]:
        """Yield the JSON document of `bitext score --json`, as one part."""
        pairing = self._scored.pairing
        document = {
            **figures.to_json(self.evaluation),
            "gold": masked(pairing.gold),
            "systems": {name: masked(path) for name, path in pairing.systems.items()},
        }
        document["unpaired"] = [unpaired.to_json() for unpaired in pairing.unpaired]
        notes = [*self.notes, *self.uncaptioned_notes("json")]
        document["notes"] = [masked(note) for note in notes]
        if (places := self._places.to_json()) is not None:
            document["places"] = places
        if self.failures:
            document["failed"] = [{"text": f.name, "reason": f.reason} for f in self.failures]
        if self.functions is not None:
            records = comparisons.row_records(self.functions, _AVERAGES, texts=True)
            document["metrics"] = list(records)
            differences = comparisons.difference_records(self.functions, _AVERAGES)
            document["metric_differences"] = list(differences)
        yield json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page of `bitext score --html`.

        Raises `InputError` when the file or the folder cannot be written, and `OptionError` when
        the name has the ending of another kind, as `.pdf`.

        Parameters
        ----------
        path : str or path
            A file: of one text its alignments laid over each other, of several texts their scores,
            of word links those of all pairs. A folder, or a name that ends with `/`: an index, and
            a page for each text. The texts are read again where a page shows them.

        """
        evaluation = self.evaluation
        notes = [*self.notes, *figures.left_out_notes(evaluation, self.averages)]
        if self.functions is not None:
            names = ", ".join(metric.label for metric in self.functions.metrics)
            notes.append(f"figures of functions are in tables, not on pages: {names}")
        with write_pages(page_place(path)) as pages:
            if pages.shows_texts or len(evaluation.texts) == 1 or links_of(evaluation):
                add_again(pages, self._scored.pairing, evaluation)
            pages.finish(evaluation, self.averages, notes)

    def _html(self) -> str:
        from bitext.reports.notebook import scores_html

        html = scores_html(self.evaluation, self.averages)
        if self.functions is not None:
            html += figures_html(self.functions, self.averages)
        return html

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
            yield figure_row(record, "granularity", record["granularity"], "similarity")
        if self.functions is not None:
            yield from figure_rows(self.functions, averages, evaluation.head, texts=per_text)

    def _tests(self, averages: Sequence[str]) -> Iterator[dict[str, Any]]:
        names = figures.keys(self.evaluation)
        for record in figures.difference_records(self.evaluation, averages):
            yield from flattened(record, names, "difference")
        for record in figures.similarity_difference_records(self.evaluation, averages):
            record["difference"] = record.pop("value")
            yield {"figure": "similarity", **record}
        if self.functions is not None:
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
        """Return captions and tables: scores, bisegment similarity, functions, beads, places."""
        evaluation = self.evaluation
        further: list[str] = []
        if self.functions is not None:
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
        parts += further
        if self._scoring.precision_by_bead:
            parts.append(figures.bead_results(evaluation).render(style, look))
        if self._scoring.beads:
            parts.append(figures.bead_table(evaluation).render(style))
        return [*parts, *self._places.rendered()]


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
    gold : path, Bitext, Alignment, WordLinks, or a list or dict of the last three
        A file, a folder or a manifest; or a text in memory; or several texts in memory, as a list
        or by name.
    systems : dict, list, path, Bitext, Alignment or WordLinks
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
        As in `bitext.read_all` and the command.
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
    check_truths(no_swap_check=no_swap_check, partial=partial, drafts=drafts, sure_only=sure_only)
    check_truths(null=null, similarity=similarity, pairs=pairs, holm=holm)
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
        for option, names in (("swap", exchanged), ("from", of_systems)):
            _check_systems(option, names, paths)
        if len(memory) == len(paths) + 1:
            refuse_reading(
                {"from": format, "gold-from": gold_from, "root": roots, "columns": columns}
            )
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
            reading=FileOptions(
                encoding=check_encodings(encoding),
                roots=tuple(map(path_name, items_of(roots))),
                where=items_of(where),
                drafts=drafts,
                columns=Columns.of(columns, head),
            ),
            swapped=exchanged,
            bases=bases_of(_bases(base), ("gold", *paths)),
            missing=missing,
            partial=partial,
        )
        functions = (
            None if metric is None else _function_scores(metric, list(paths), scoring.sampling)
        )
        showing = Showing(averages=averages, swap_check=not no_swap_check)
        return score_corpus(pairing, scoring, showing, functions=functions)


def _check_systems(option: str, names: Iterable[str], systems: Collection[str]) -> None:
    for name in names:
        if name not in systems:
            raise OptionError(
                f"{remedy(f'{option} {name}')}: want one of the systems {', '.join(systems)}"
            )


def _function_scores(
    functions_given: Metrics, systems: Sequence[str], sampling: Sampling
) -> FunctionScores:
    texts, functions = functions_of(functions_given, over="alignment")
    if texts:
        raise OptionError(
            f"metric={texts[0]!r}: want functions; measures of bitext are named by granularity="
        )
    if reserved := next(
        (m.name for m in functions if m.name in {"precision", "recall", "f1"}), None
    ):
        raise OptionError(
            f"metric {reserved!r}: is a figure of each granularity; give the function another name"
        )
    return FunctionScores(systems, functions, sampling)


def _measures(value: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the names of an option that repeats or has commas, each once; `None` for `None`."""
    if value is None:
        return None
    parts = (part.strip() for text in items_of(value) for part in text.split(","))
    return tuple(dict.fromkeys(parts))


def _path(value: str | os.PathLike[str] | None) -> str | None:
    return None if value is None else path_name(value)


def _bases(value: int | str | Sequence[str] | Mapping[str, int]) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        return tuple(f"{name}={base}" for name, base in value.items())
    return (str(value),) if isinstance(value, int) else items_of(value)
