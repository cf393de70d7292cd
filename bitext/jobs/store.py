"""Scores as a table that data tools read without help: Parquet, or JSON lines.

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
from importlib import import_module
from itertools import islice
from math import isnan
from typing import TYPE_CHECKING, Any

from bitext.errors import MissingExtraError, OptionError
from bitext.formats.packing import unpacked
from bitext.formats.places import called
from bitext.formats.writing import write_whole
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.metrics.evaluation import Evaluation, Row

__all__ = ["check_store", "columns_of", "rows_of", "write_store"]

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
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        store = remedy("store", python="a store")
        raise MissingExtraError(f"{store} with Parquet", extra="table") from None


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
