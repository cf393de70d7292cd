"""Scoring a corpus by jobs: the counts of each text travel, and the figures are made of them.

Scores as a table that data tools read without help: Parquet, or JSON lines.

One row a text, system and granularity:

| column | type | unit | meaning |
| --- | --- | --- | --- |
| `text` | string | | the name of the text |
| `system` | string | | the name of the system |
| `granularity` | string | | `alignment`, `sentence`, `word`, `character`, `strict` or `lax` |
| `precision` | float64 | share, 0 to 1 | `hits / proposed`; null where nothing is proposed |
| `recall` | float64 | share, 0 to 1 | `found / expected`; null where nothing is expected |
| `f1` | float64 | share, 0 to 1 | the harmonic mean of both; null where undefined |
| `hits` | float64 | as below | what the system proposes and is right |
| `proposed` | float64 | as below | what the system proposes |
| `expected` | float64 | as below | what the gold standard holds, or what strict and lax leave |
| `found` | float64 | as below | what is expected and was found; `hits`, but for strict and lax |
| `signature` | string | | all options that the figures depend on, and the version |

Counts are in bisegments (`alignment`, `strict`, `lax`), pairs of sentences (`sentence`), pairs of
words (`word`) or of characters (`character`). With `--zero-division` there is its value for null. A
row without counts, as of a granularity that a text was left out of, has null in all numbers. In
Parquet the schema is named in the metadata: `bitext.schema` is `bitext.scores/1`.

Counts add up, so figures of any part of the corpus are sums of columns: precision is
`sum(hits) / sum(proposed)`, recall `sum(found) / sum(expected)`. In DuckDB:

    SELECT system, sum(hits) / sum(proposed) AS precision, sum(found) / sum(expected) AS recall
    FROM 'scores.parquet' WHERE granularity = 'sentence' AND text LIKE 'news/%' GROUP BY system

and in pandas the ten texts on which systems differ most:

    scores = pandas.read_parquet("scores.parquet").query("granularity == 'sentence'")
    scores.pivot(index="text", columns="system", values="f1").std(axis=1).nlargest(10)

Of word links, the column `part` stands for `granularity` (`all`, or with `--by part` each part,
too). F is the column `f` where `--alpha` weighs it, and behind it comes `aer`, the alignment error
rate, from 0 to 1. Counts are links: `hits` of all those of the gold standard, `expected` and
`found` of its sure ones. Precision is `sum(hits) / sum(proposed)`, recall `sum(found) /
sum(expected)`, AER `1 - (sum(hits) + sum(found)) / (sum(proposed) + sum(expected))`. The schema is
`bitext.link-scores/1`.

JSON lines have the same columns: `'scores.jsonl'` in DuckDB, `pandas.read_json(..., lines=True)`,
`polars.read_ndjson`. These guess types, and JSON has few: where the names of all texts look like
numbers or dates, pandas (without `dtype=False`) and DuckDB make such of them; in Parquet they stay
what they are. Rows are by granularity, system and text; where the first ones have null in a column,
a row that has not comes among them, by which readers tell the type.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import OptionError
from bitext.formats.corpora.pairing import Pairing, TextSet, Unpaired
from bitext.formats.io.compression import unpacked
from bitext.formats.io.output import write_whole
from bitext.formats.io.remote import called
from bitext.formats.parquet import import_arrow
from bitext.jobs.task import CommandTask, Document
from bitext.metrics.evaluation.alignments import SHIFTS, Evaluation
from bitext.metrics.evaluation.breakdown import BeadType
from bitext.metrics.evaluation.links import LinkEvaluation, LinkOptions
from bitext.metrics.evaluation.similarities import Similarities
from bitext.model import Counts, Note, Ratio
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.formats.corpora.corpus import Entry
    from bitext.jobs.task import Result
    from bitext.metrics.comparison import Comparison
    from bitext.metrics.evaluation.alignments import Row
    from bitext.metrics.evaluation.options import Options

__all__ = [
    "Gathered",
    "GatheredLinks",
    "ScoreTask",
    "SinglePairing",
    "check_store",
    "columns_of",
    "rows_of",
    "score_documents",
    "write_store",
]


_COUNTS = ("hits", "proposed", "expected", "found")
_GROUP = 1 << 16  # rows of a row group


def check_store(path: str) -> str:
    """Return the kind of a table by its name: `parquet` or `jsonl`.

    Raises
    ------
    OptionError
        When the name tells neither.
    MissingExtraError
        When it is Parquet and pyarrow is not installed.

    """
    named = called(path).lower()
    if unpacked(named).endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if not named.endswith(".parquet"):
        given = remedy(f"store {path}", python=path)
        raise OptionError(f"{given}: want a name that ends with .parquet or .jsonl")
    _arrow()
    return "parquet"


def _arrow() -> tuple[Any, Any]:
    return import_arrow(f"{remedy('store', python='a store')} with Parquet")


def columns_of(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the names of the columns: figures and what they are of depend on what is scored."""
    figures = (name.lower() for name in evaluation.figures)
    return ("text", "system", evaluation.head, *figures, *_COUNTS, "signature")


def rows_of(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield the rows: by granularity, system by system, text by text.

    Where the first rows have null in a column, a row that has not comes among them: readers of JSON
    lines tell the types of columns by a hundred rows or so.
    """

    def rows() -> Iterator[dict[str, Any]]:
        return map(row_of, evaluation.rows(averages=(), texts=True))

    columns = columns_of(evaluation)

    def row_of(row: Row) -> dict[str, Any]:
        counts = row.counts
        numbers: tuple[float | None, ...] = (None,) * len(_COUNTS)
        if counts is not None:
            numbers = (counts.hits, counts.proposed, counts.expected, counts.found)
        figures = (None if isnan(value) else value for value in row.values)
        floats = (None if number is None else float(number) for number in (*figures, *numbers))
        told = (row.text, row.system, row.measure, *floats, row.signature)
        return dict(zip(columns, told, strict=True))

    lacking = set(columns)
    ahead: dict[int, dict[str, Any]] = {}
    for k, row in enumerate(rows()):
        if found := {name for name in lacking if row[name] is not None}:
            ahead[k] = row
            lacking -= found
        if not lacking:
            break
    yield from ahead.values()
    yield from (row for k, row in enumerate(rows()) if k not in ahead)


def write_store(path: str, evaluation: Evaluation) -> int:
    """Write the rows of an evaluation to a table that appears when it is whole; return how many.

    Raises
    ------
    OptionError, MissingExtraError
        As `check_store`.
    InputError
        When the file cannot be written.

    """
    count, rows = 0, rows_of(evaluation)
    if check_store(path) == "jsonl":
        with write_whole(path) as out:
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
                count += 1
        return count
    arrow, parquet = _arrow()
    texts = {"text", "system", evaluation.head, "signature"}
    kinds = [
        (name, arrow.string() if name in texts else arrow.float64())
        for name in columns_of(evaluation)
    ]
    named = "bitext.scores/1" if evaluation.head == "granularity" else "bitext.link-scores/1"
    schema = arrow.schema(kinds, metadata={"bitext.schema": named})
    with write_whole(path, binary=True) as out, parquet.ParquetWriter(out, schema) as writer:
        while group := list(islice(rows, _GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


class SinglePairing(Pairing):
    """A pairing that reads the files of one name."""

    def one(self, name: str, entry: Entry, partners: list[Entry | None]) -> list[TextSet]:
        """Return the texts of these files; `unpaired` are those of them alone."""
        self.unpaired.clear()
        return list(self._entry(name, entry, partners))

    def forget(self) -> None:
        """Forget which files there are."""
        self._corpora = None

    def extra(self) -> list[Unpaired]:
        """Return the texts of the systems that the gold standard has no file of."""
        gold, systems = self.corpora()
        alone = len(gold.entries) == 1
        return [
            Unpaired(name, self.systems[system], extra=True)
            for system, corpus in systems.items()
            if not (alone and len(corpus.entries) == 1)
            for name in corpus.entries
            if name not in gold.entries
        ]

    def nothing(self) -> str:
        """Return what to tell when nothing can be paired."""
        return self._nothing(*self.corpora())


def score_documents(pairing: Pairing) -> Iterator[Document]:
    """Yield the files of each name: a document is what belongs to one file of the gold standard."""
    gold, systems = pairing.corpora()
    alone = len(gold.entries) == 1
    for number, (name, entry) in enumerate(gold.entries.items()):
        partners = [
            next(iter(corpus.entries.values()))
            if alone and len(corpus.entries) == 1
            else corpus.entries.get(name)
            for corpus in systems.values()
        ]
        given = [entry, *(partner for partner in partners if partner is not None)]
        files = [f for each in given for f in (each.path, each.src, each.tgt) if f]
        yield Document(number, name, (name, entry, partners), tuple(files))


class _Ratios(Similarities):
    """Similarities whose sums may come from elsewhere."""

    lone: dict[str, list[list[float]]] | None = None  # units of a text that is the only one

    def sums(self) -> dict[str, list[tuple[str, list[Any]]]]:
        """Return the sums of the one text that was measured, by system."""
        found: dict[str, list[tuple[str, list[Any]]]] = {}
        for (system, granularity), ratios in self._ratios.items():
            r = ratios[-1]
            held = [r.numerator, r.denominator, r.empty, r.reason]
            found.setdefault(str(system), []).append((granularity, held))
        return found

    def take(self, text: str, sums: dict[str, list[tuple[str, list[Any]]]]) -> None:
        """Keep the sums of a text."""
        for system, rows in sums.items():
            for granularity, (above, below, empty, reason) in rows:
                above, below, empty = _numbers((above, below, empty))
                ratio = Ratio(above, below, empty, reason)
                self._ratios.setdefault((int(system), granularity), []).append(ratio)
        self._texts.append(text)

    def units(self, count: int) -> dict[str, list[list[float]]]:
        """Return what is resampled of the only text."""
        return {
            f"{system} {granularity}": self._units(system, granularity, count).tolist()
            for system, granularity in self._ratios
        }

    def _units(self, system: int, granularity: str, count: int) -> NDArray[np.float64]:
        if len(self._texts) == 1 and self.lone is not None:
            return np.array(self.lone[f"{system} {granularity}"], dtype=np.float64)
        return super()._units(system, granularity, count)


class Gathered(Evaluation):
    """An evaluation whose counts come from elsewhere: what it gives is what `Evaluation` gives."""

    _lone: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        """Have similarities that can be gathered, too."""
        self._ratios = _Ratios(self.systems, self.options)
        self._similarities = self._ratios

    def record(self) -> dict[str, Any]:
        """Return the record of the one text that was added."""
        counts: dict[str, list[Any]] = {}
        for (system, measure), (c,) in self._counts.items():
            row = [measure, c.hits, c.proposed, c.expected, c.found]
            counts.setdefault(str(system), []).append(row)
        return {
            "text": self.texts[0],
            "counts": counts,
            "types": {
                str(system): [[t.type, t.expected, t.found, t.became] for t in held[0]]
                for system, held in self._types.items()
            },
            "lacking": self.left_out,
            "matched": [self._matched.shares[k][0] for k in range(len(self.systems))],
            "exchanged": {
                str(system): [_row(one), _row(other)]
                for system, ((one, other),) in self._exchanged.items()
            },
            "shifted": {str(system): hits[0].tolist() for system, hits in self._shifted.items()},
            "similar": self._ratios.sums() if self.similar else {},
        }

    def units_of_one(self) -> dict[str, Any]:
        """Return what is resampled of the only text: its blocks."""
        count = self._block_count()
        measures = self.measures if count else []
        return {
            "blocks": count,
            "units": {
                f"{k} {measure}": self.units(k, measure).tolist()
                for measure in measures
                for k in range(len(self.systems))
            },
            "similar": self._ratios.units(count) if self.similar and count else {},
        }

    def take(self, record: dict[str, Any]) -> None:
        """Add a text by what was kept of it."""
        for system, rows in record["counts"].items():
            for measure, *numbers in rows:
                counts = Counts(*_numbers(numbers))
                self._counts.setdefault((int(system), measure), []).append(counts)
        for system, rows in record["types"].items():
            self._types.setdefault(int(system), []).append([BeadType(*row) for row in rows])
        self._matched.take([_numbers(shares) for shares in record["matched"]])
        for measure, told in record["lacking"].items():
            self.left_out.setdefault(measure, told)
        for system, (one, other) in record["exchanged"].items():
            pair = Counts(*_numbers(one)), Counts(*_numbers(other))
            self._exchanged.setdefault(int(system), []).append(pair)
        for system, hits in record["shifted"].items():
            if len(_numbers(hits)) != len(SHIFTS) + 1:
                raise TypeError(f"want {len(SHIFTS) + 1} numbers, found {len(hits)}")
            self._shifted.setdefault(int(system), []).append(np.array(hits, dtype=np.int64))
        if self.similar:
            self._ratios.take(record["text"], record["similar"])
        self.texts.append(record["text"])
        self._units.clear()

    def take_units(self, lone: dict[str, Any]) -> None:
        """Take what is resampled of a text that is the only one."""
        self._lone = lone
        self._ratios.lone = lone["similar"]

    def _block_count(self) -> int:
        if len(self.texts) == 1 and self._lone is not None:
            return int(self._lone["blocks"])
        return super()._block_count()

    def units(self, system: int, measure: str, *, macro: bool = False) -> NDArray[np.float64]:
        """As of `Evaluation`."""
        if len(self.texts) == 1 and self._lone is not None:
            return np.array(self._lone["units"][f"{system} {measure}"], dtype=np.float64)
        return super().units(system, measure, macro=macro)


class GatheredLinks(LinkEvaluation):
    """An evaluation of word links whose counts come from elsewhere.

    What travels of a text are the counts of each of its sentence pairs, as four columns of whole
    numbers: pairs of all texts are what is resampled. Beside them go the sums that tell whether
    links fit better when they are read otherwise. Words and links stay where they were read, so
    parts of the links, which depend on the words of all texts, cannot be counted.
    """

    def record(self) -> dict[str, Any]:
        """Return the record of the one text that was added."""
        readings: dict[str, list[list[int]]] = {}
        for (system, shift, swapped), sums in self._readings.items():
            row = [shift, int(swapped), *sums.tolist()]
            readings.setdefault(str(system), []).append(row)
        return {
            "text": self.texts[0],
            "pairs": {str(k): counts.T.tolist() for (k, _), (counts,) in self._pairs.items()},
            "readings": readings,
            "zeros": {str(k): has_zero for k, has_zero in self._zeros.items()},
            "differing": {str(k): first for k, (_, first) in self._differing.items()},
            "left_null": self._left_null,
            "no_value": self._no_value,
        }

    def take(self, record: dict[str, Any]) -> None:
        """Add a text by what was kept of it."""
        for system, columns in record["pairs"].items():
            counts = np.array([_numbers(column) for column in columns], dtype=np.int64).T
            total = Counts(*counts.sum(axis=0).tolist())
            self._pairs.setdefault((int(system), "all"), []).append(counts)
            self._counts.setdefault((int(system), "all"), []).append(total)
        for system, rows in record["readings"].items():
            for row in rows:
                shift, swapped, *sums = _numbers(row)
                key = (int(system), shift, bool(swapped))
                known = self._readings.get(key, np.zeros(6, dtype=np.int64))
                self._readings[key] = known + np.array(sums, dtype=np.int64)
        for system, has_zero in record["zeros"].items():
            self._zeros[int(system)] = self._zeros.get(int(system), False) or has_zero is True
        for system, first in record["differing"].items():
            count, known_first = self._differing.get(int(system), (0, first))
            self._differing[int(system)] = (count + 1, known_first)
        for name, count in record["no_value"].items():
            self._no_value[name] = self._no_value.get(name, 0) + _numbers([count])[0]
        self._left_null += _numbers([record["left_null"]])[0]
        self.texts.append(record["text"])
        self._units.clear()


def _numbers(held: Iterable[Any]) -> list[Any]:
    """Return numbers of a journal; anything else raises a `TypeError`."""
    found = list(held)
    if not all(type(each) in {int, float} for each in found):
        raise TypeError(f"want numbers, found {found!r:.60}")
    return found


def _row(counts: Counts) -> list[float]:
    return [counts.hits, counts.proposed, counts.expected, counts.found]


@dataclass(kw_only=True)
class ScoreTask(CommandTask):
    """Scores systems on texts.

    Attributes
    ----------
    pairing : SinglePairing
        What belongs together, and how it is read.
    options : Options
        How to score; `LinkOptions` where word links are scored.
    similar : bool
        Whether to measure the bisegment similarity too.
    run, presentation : dict
        As of `CommandTask`.

    """

    pairing: SinglePairing
    options: Options
    similar: bool = False
    _lone: Any = None
    _text: str = ""

    def __getstate__(self) -> dict[str, Any]:
        """Leave the corpora at home: a worker is told what to read."""
        from copy import copy

        pairing = copy(self.pairing)
        pairing.forget()
        return {**self.__dict__, "pairing": pairing}

    def _evaluation(self) -> Gathered | GatheredLinks:
        systems, missing = list(self.pairing.systems), self.pairing.missing
        if isinstance(self.options, LinkOptions):
            return GatheredLinks(systems, self.options, missing=missing)
        return Gathered(systems, self.options, detailed=True, similar=self.similar, missing=missing)

    def work(self, item: Any) -> Any:
        """Score the texts of a file of the gold standard."""
        texts, notes = [], []
        for one in self.pairing.one(*item):
            evaluation = self._evaluation()
            compared = evaluation.add(one.gold, one.hyps, one.name)
            texts.append({**evaluation.record(), **self.beside(one, compared, evaluation)})
            roles = zip(("gold", *evaluation.systems), (one.gold, *one.hyps), strict=True)
            notes += [[role, n.kind, n.count, n.first] for role, b in roles for n in b.notes]
        unpaired = [[u.name, u.where, u.extra] for u in self.pairing.unpaired]
        return {"texts": texts, "notes": notes, "unpaired": unpaired}

    def beside(
        self, one: TextSet, compared: Sequence[Comparison], evaluation: Gathered | GatheredLinks
    ) -> dict[str, Any]:
        """Return what else is kept of a text: nothing here."""
        del one, compared, evaluation
        return {}

    def take(self, record: dict[str, Any]) -> None:
        """Take what else was kept of a text, in the order of the texts."""

    def assemble(self, results: Iterable[Result]) -> Gathered | GatheredLinks:
        """Return the evaluation; what lacks a partner is put into the pairing."""
        evaluation = self._evaluation()
        self.notes: dict[str, Note] = {}
        unpaired: list[Unpaired] = []
        lone = -1
        for result in results:
            if result.failed:
                continue
            for record in result.value["texts"]:
                evaluation.take(record)
                self.take(record)
                lone = result.number
            for role, kind, count, first in result.value["notes"]:
                self._note(f"{role}: {kind}", count, first)
            unpaired += [Unpaired(*row) for row in result.value["unpaired"]]
        self.unpaired = unpaired
        # Of word links, what is resampled has come with the counts.
        by_blocks = isinstance(evaluation, Gathered) and len(evaluation.texts) == 1
        self._lone = lone if by_blocks else None
        return evaluation

    def _note(self, kind: str, count: int, first: str) -> None:
        known = self.notes.get(kind)
        if known is not None:
            count, first = known.count + count, known.first
        self.notes[kind] = Note(kind, count, first)

    def whole(self) -> Any:
        """Return which texts only systems have, and what is resampled of a text by itself."""
        gold, systems = self.pairing.corpora()
        return {
            "extra": [[u.name, u.where] for u in self.pairing.extra()],
            "aside": [[c.path, name] for c in (gold, *systems.values()) for name in c.aside],
            "lone": self.units_of_one(),
        }

    def units_of_one(self) -> dict[str, Any] | None:
        """Score a text that is the only one again, for its blocks; counts do not tell them."""
        if self._lone is None:
            return None
        document = next(d for d in score_documents(self.pairing) if d.number == self._lone)
        for one in self.pairing.one(*document.item):
            evaluation = self._evaluation()
            evaluation.add(one.gold, one.hyps, one.name)
            if isinstance(evaluation, Gathered):
                return evaluation.units_of_one()
        return None
