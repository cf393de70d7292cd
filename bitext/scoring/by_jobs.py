"""Scores of a corpus by jobs: its texts are scored in other processes, or its shards are merged.

The workers import this module to unpickle `PlacesTask`.

Workers return the counts of each text; the figures come from their sums. The table of scores
(`--store`) is Parquet or JSON lines, which data tools read. It has one row per text, system and
granularity:

| column | type | unit | meaning |
| --- | --- | --- | --- |
| `text` | string | | the name of the text |
| `system` | string | | the name of the system |
| `granularity` | string | | `alignment`, `sentence`, `word`, `character`, `strict` or `lax` |
| `precision` | float64 | share, 0 to 1 | `hits / proposed`; null where nothing is proposed |
| `recall` | float64 | share, 0 to 1 | `found / expected`; null where nothing is expected |
| `f1` | float64 | share, 0 to 1 | the harmonic mean of both; null where undefined |
| `hits` | float64 | as below | proposals of the system that are right |
| `proposed` | float64 | as below | proposals of the system |
| `expected` | float64 | as below | units of the gold standard, or those left by strict and lax |
| `found` | float64 | as below | expected units that were found; `hits` unless strict or lax |
| `signature` | string | | all options that the figures depend on, and the version |

Counts are in bisegments (`alignment`, `strict`, `lax`), pairs of sentences (`sentence`), pairs of
words (`word`) or of characters (`character`). With `--zero-division` its value replaces null. A row
without counts, as of a granularity from which a text was left out, has null in all numbers. In
Parquet the metadata name the schema: `bitext.schema` is `bitext.scores/1`.

Counts add up, so figures of any part of the corpus are sums of columns: precision is
`sum(hits) / sum(proposed)`, recall `sum(found) / sum(expected)`. In DuckDB:

    SELECT system, sum(hits) / sum(proposed) AS precision, sum(found) / sum(expected) AS recall
    FROM 'scores.parquet' WHERE granularity = 'sentence' AND text LIKE 'news/%' GROUP BY system

and in pandas the ten texts on which systems differ most:

    scores = pandas.read_parquet("scores.parquet").query("granularity == 'sentence'")
    scores.pivot(index="text", columns="system", values="f1").std(axis=1).nlargest(10)

For word links, the column `part` replaces `granularity` (`all`, and with `--by part` each part).
The column of F is `f` if `--alpha` weighs it, and the next one is `aer`, the alignment error rate,
from 0 to 1. Counts are links: `hits` are of all links of the gold standard, `expected` and `found`
of its sure links. Precision is `sum(hits) / sum(proposed)`, recall `sum(found) /
sum(expected)`, AER `1 - (sum(hits) + sum(found)) / (sum(proposed) + sum(expected))`. The schema is
`bitext.link-scores/1`.

JSON lines have the same columns: `'scores.jsonl'` in DuckDB, `pandas.read_json(..., lines=True)`,
`polars.read_ndjson`. These tools guess types: if the names of all texts look like numbers or dates,
pandas (without `dtype=False`) and DuckDB convert them; in Parquet they remain strings. Rows are in
the order of granularity, system and text; if the first ones have null in a column, a row with a
value precedes them, so that readers can infer the type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from math import isnan
from typing import Any

from bitext.errors import BitextError, InputError, JobError, OptionError, remedy
from bitext.formats.corpora.pairing import Pairing, TextSet, Unpaired
from bitext.formats.io.compression import unpacked
from bitext.formats.io.output import write_whole
from bitext.formats.io.remote import called
from bitext.formats.parquet import import_arrow
from bitext.jobs.journal import Parts
from bitext.jobs.task import CommandTask, Document, Outcome, Result
from bitext.metrics.arcade import Comparison
from bitext.metrics.evaluation import Options
from bitext.metrics.evaluation.alignments import Evaluation, Row
from bitext.metrics.evaluation.links import LinkOptions
from bitext.model import Note
from bitext.reports import links as link_errors
from bitext.reports.scores.page_writers import Places, worst_views
from bitext.scoring.scored_texts import (
    LINKS,
    ScoredTexts,
    Scoring,
    add_note,
    evaluation_of,
    scores_links,
)

_BY_LINKS = "word links"  # key in the head of a journal: the result of `_scores_links`
_COUNTS = ("hits", "proposed", "expected", "found")
_ROW_GROUP = 1 << 16  # rows of a row group in Parquet; set by hand


def check_store(path: str) -> str:
    """Return the format of a table by the name of its file: `parquet` or `jsonl`.

    Raises `OptionError` when the name has the ending of neither, and `MissingExtraError` when the
    format is Parquet and pyarrow is not installed.
    """
    file_name = called(path).lower()
    if unpacked(file_name).endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if not file_name.endswith(".parquet"):
        option = remedy(f"store {path}", python=path)
        raise OptionError(f"{option}: want a name that ends with .parquet or .jsonl")
    _arrow()
    return "parquet"


def _arrow() -> tuple[Any, Any]:
    return import_arrow(f"{remedy('store', python='a store')} with Parquet")


def columns_of(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the names of the columns, which differ for sentences and word links."""
    figures = (name.lower() for name in evaluation.figures)
    return ("text", "system", evaluation.head, *figures, *_COUNTS, "signature")


def rows_of(evaluation: Evaluation, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows by granularity, system and text.

    Rows with the first value of some column precede all others, as readers of JSON lines infer the
    types of columns from the first hundred rows or so.
    """

    def rows() -> Iterator[dict[str, Any]]:
        return map(row_of, evaluation.rows(averages=(), texts=True))

    def row_of(row: Row) -> dict[str, Any]:
        counts = row.counts
        numbers = (None,) * len(_COUNTS) if counts is None else counts.row
        figures = (None if isnan(value) else value for value in row.values)
        floats = (None if number is None else float(number) for number in (*figures, *numbers))
        cells = (row.text, row.system, row.measure, *floats, row.signature)
        return dict(zip(columns, cells, strict=True))

    unfilled = set(columns)
    ahead: dict[int, dict[str, Any]] = {}
    for k, row in enumerate(rows()):
        if filled := {name for name in unfilled if row[name] is not None}:
            ahead[k] = row
            unfilled -= filled
        if not unfilled:
            break
    yield from ahead.values()
    yield from (row for k, row in enumerate(rows()) if k not in ahead)


def write_store(path: str, kind: str, evaluation: Evaluation) -> int:
    """Write the rows of an evaluation to a table of a format of `check_store`; return their number.

    The file appears when it is complete. Raises `InputError` when it cannot be written, and
    `MissingExtraError` as `check_store` does.
    """
    count, columns = 0, columns_of(evaluation)
    rows = rows_of(evaluation, columns)
    if kind == "jsonl":
        with write_whole(path) as out:
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
                count += 1
        return count
    arrow, parquet = _arrow()
    texts = {"text", "system", evaluation.head, "signature"}
    kinds = [(name, arrow.string() if name in texts else arrow.float64()) for name in columns]
    schema_name = "bitext.scores/1" if evaluation.head == "granularity" else "bitext.link-scores/1"
    schema = arrow.schema(kinds, metadata={"bitext.schema": schema_name})
    with write_whole(path, binary=True) as out, parquet.ParquetWriter(out, schema) as writer:
        while group := list(islice(rows, _ROW_GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def score_documents(pairing: Pairing) -> Iterator[Document]:
    """Yield a document for each file of the gold standard, with the files of systems."""
    for number, files in enumerate(pairing.files()):
        name, entry, partners = files
        entries = [entry, *(partner for partner in partners if partner is not None)]
        paths = [f for each in entries for f in (each.path, each.src, each.tgt) if f]
        yield Document(number, name, files, tuple(paths))


@dataclass(kw_only=True)
class ScoreTask(CommandTask):
    """Score systems on texts."""

    pairing: Pairing  # the pairing of the files of the gold standard and of systems
    options: Options  # the options of scoring; `LinkOptions` for word links
    similar: bool = False  # whether to measure the bisegment similarity too
    _block_text: Any = None
    _text: str = ""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the corpora: the items of documents name the files that a worker reads."""
        return {**self.__dict__, "pairing": self.pairing.unread()}

    def _evaluation(self) -> Evaluation:
        return evaluation_of(self.pairing, self.options, similar=self.similar)

    def work(self, item: Any) -> Any:
        """Score the texts of a file of the gold standard; return counts, notes, unpaired texts."""
        texts, notes = [], []
        for one in self.pairing.read(item):
            evaluation = self._evaluation()
            compared = evaluation.add(one.gold, one.hyps, one.name)
            texts.append({**evaluation.state(), **self.beside(one, compared, evaluation)})
            roles = zip(("gold", *evaluation.systems), (one.gold, *one.hyps), strict=True)
            notes += [[role, n.kind, n.count, n.first] for role, b in roles for n in b.notes]
        unpaired = [[u.name, u.where, u.extra] for u in self.pairing.unpaired]
        return {"texts": texts, "notes": notes, "unpaired": unpaired}

    def beside(
        self, one: TextSet, compared: Sequence[Comparison], evaluation: Evaluation
    ) -> dict[str, Any]:
        """Return further fields for the record of a text; none in this class."""
        del one, compared, evaluation
        return {}

    def take(self, record: dict[str, Any]) -> None:
        """Use the further fields of a record; called in the order of the texts."""

    def assemble(self, results: Iterable[Result]) -> Evaluation:
        """Return the evaluation; set `notes` and `unpaired`."""
        evaluation = self._evaluation()
        self.notes: dict[str, Note] = {}
        unpaired: list[Unpaired] = []
        block_text = -1
        for result in results:
            if result.failed:
                continue
            for record in result.value["texts"]:
                evaluation.add_state(record)
                self.take(record)
                block_text = result.number
            for role, kind, count, first in result.value["notes"]:
                add_note(self.notes, f"{role}: {kind}", count, first)
            unpaired += [Unpaired(*row) for row in result.value["unpaired"]]
        self.unpaired = unpaired
        by_blocks = evaluation.resamples_blocks and len(evaluation.texts) == 1
        self._block_text = block_text if by_blocks else None
        return evaluation

    def complete(self, outcome: Outcome, wholes: Sequence[dict[str, Any]]) -> None:
        """Set the texts without a partner, and add the blocks of an only text.

        `outcome` is that of the run, with the evaluation; `wholes` has the values that `whole`
        returned, one for each shard. Raises `JobError` or `InputError` when no text was scored.
        """
        evaluation, pairing = outcome.output, self.pairing
        extra = [Unpaired(name, path, extra=True) for name, path in wholes[0]["extra"]]
        pairing.unpaired[:] = [*self.unpaired, *extra]
        if not evaluation.texts:
            if outcome.failures:
                raise JobError.of_all(outcome.failures)
            first = pairing.unpaired[0].name if pairing.unpaired else ""
            raise InputError(
                f"no text of {pairing.gold} has a partner of the same name in "
                f"{next(iter(pairing.systems.values()))}: {first!r} has none; name the files "
                f"alike, or pair them in manifests"
            )
        # A single text is resampled by blocks.
        if len(evaluation.texts) == 1 and evaluation.resamples_blocks:
            block_text = next(
                (whole["lone"] for whole in wholes if whole["lone"] is not None), None
            )
            if block_text is not None:
                evaluation.add_block_state(block_text)

    def whole(self) -> Any:
        """Return texts of systems alone, files not read, and the blocks of an only text."""
        gold, systems = self.pairing.corpora()
        return {
            "extra": [[u.name, u.where] for u in self.pairing.extra()],
            "aside": [[c.path, name] for c in (gold, *systems.values()) for name in c.aside],
            "lone": self.single_text_blocks(),
        }

    def single_text_blocks(self) -> dict[str, Any] | None:
        """Score an only text again, for the blocks to resample, which its counts lack."""
        if self._block_text is None:
            return None
        document = next(d for d in score_documents(self.pairing) if d.number == self._block_text)
        for one in self.pairing.read(document.item):
            evaluation = self._evaluation()
            evaluation.add(one.gold, one.hyps, one.name)
            return evaluation.block_state()
        return None


@dataclass(kw_only=True)
class PlacesTask(ScoreTask):
    """Scores systems on texts, and returns the worst places, or the worst pairs of word links."""

    most: int = 0  # the most places of a system in a text
    places: Places | None = None  # the collector of places; `None` in workers, and for a shard

    def __getstate__(self) -> dict[str, Any]:
        """Leave the collector out: a worker returns places as records."""
        return {**super().__getstate__(), "places": None}

    def beside(
        self, one: TextSet, compared: Sequence[Comparison], evaluation: Evaluation
    ) -> dict[str, Any]:
        """Return the worst places of a text as records."""
        views = worst_views(one, evaluation, compared, self.most)
        return {"places": [[asdict(view) for view in ranked] for ranked in views]}

    def take(self, record: dict[str, Any]) -> None:
        """Add the worst places of a text to the collector."""
        if self.places is None:
            return
        from bitext.reports.alignment import excerpts as places

        by_links = isinstance(self.options, LinkOptions)
        restored = link_errors.restored if by_links else places.restored
        views = [[restored(place) for place in ranked] for ranked in record["places"]]
        self.places.take(views, by_links=by_links)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """How jobs score the texts."""

    # Runs a task over its documents, or assembles the results of its shards; returns the outcome.
    run: Callable[[ScoreTask], Outcome]
    options: dict[str, Any]  # those that results depend on, with the command
    presentation: dict[str, Any]  # those of the output alone
    parts: Parts | None = None  # the journals of all shards, to be merged


def score_by_jobs(pairing: Pairing, scoring: Scoring, places: Places, jobs: Jobs) -> ScoredTexts:
    """Score a corpus by jobs, or merge its shards; add the places with errors to `places`.

    Raises `BitextError` when no text can be scored, or the shards are not of one corpus.
    """
    task, notes = _prepared(pairing, scoring, jobs, max_places=places.most, places=places)
    outcome = jobs.run(task)
    aside: dict[str, list[str]] | None = None
    if jobs.parts is not None:
        _refuse_changed(jobs.parts)
        aside = {}
        for path, name in jobs.parts.wholes[0]["aside"]:
            aside.setdefault(path, []).append(name)
    task.complete(outcome, [task.whole()] if jobs.parts is None else jobs.parts.wholes)
    return ScoredTexts(
        evaluation=outcome.output,
        pairing=task.pairing,
        notes=[*notes, *(str(note) for note in task.notes.values())],
        failures=outcome.failures,
        aside_by_shards=aside,
    )


def score_shard(pairing: Pairing, scoring: Scoring, most: int, jobs: Jobs) -> Outcome:
    """Score a shard of a corpus, with `most` places of a system; its journal has the results."""
    task, _ = _prepared(pairing, scoring, jobs, max_places=most)
    return jobs.run(task)


def _prepared(
    pairing: Pairing, scoring: Scoring, jobs: Jobs, *, max_places: int, places: Places | None = None
) -> tuple[ScoreTask, list[str]]:
    """Return the task, and notes on the choice of scores."""
    single = pairing.unread()
    by_links, notes = _scores_links(single, scoring.granularity, jobs.parts)
    if by_links and scoring.by is not None:
        raise OptionError(
            f"{remedy(f'by {scoring.by}')} wants the words of all texts, which jobs do not have: "
            f"leave it out, or leave {remedy('jobs')} and the like out"
        )
    options = scoring.link_options() if by_links else scoring.bisegment_options()
    run = dict(jobs.options)
    if by_links or notes:
        # A journal is continued, and shards are merged, only if they have scored the same thing.
        run[_BY_LINKS] = [by_links, notes]
    arguments: dict[str, Any] = {
        "pairing": single,
        "options": options,
        "similar": scoring.similarity,
        "run": run,
        "presentation": jobs.presentation,
    }
    task = (
        PlacesTask(**arguments, most=max_places, places=places)
        if max_places
        else ScoreTask(**arguments)
    )
    return task, notes


def _scores_links(
    pairing: Pairing, measures: Sequence[str] | None, parts: Parts | None
) -> tuple[bool, list[str]]:
    """Return `True` where word links are scored, not bisegments, and notes on the choice.

    The first text that can be read decides for all, as without jobs. Shards have the choice in
    their journals.
    """
    if measures is None and parts is not None:
        by_links, notes = parts.run.get(_BY_LINKS, (False, []))
        return by_links is True, [str(note) for note in notes]
    # Bisegments are refused where the files have none but lines of word links.
    is_undecided = parts is None and (measures is None or LINKS not in measures)
    return scores_links(measures, next(_readable(pairing), None) if is_undecided else None)


def _readable(pairing: Pairing) -> Iterator[TextSet]:
    """Read the texts of the files without errors."""
    for files in pairing.files():
        try:
            texts = pairing.read(files)
        except BitextError:
            continue  # its job reports the error
        yield from texts


def _refuse_changed(parts: Parts) -> None:
    """Refuse shards of a corpus that changed between their runs."""
    for path, head in zip(parts.paths, parts.wholes, strict=True):
        for key in ("extra", "aside"):
            if head[key] != parts.wholes[0][key]:
                raise InputError(
                    f"{path}: read other files than {parts.paths[0]}; run the shards over one "
                    f"corpus"
                )
