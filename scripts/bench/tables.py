"""Measure reading of tables beside the csv module, pandas and polars, in CPU time and memory.

    scripts/bench/tables.py make FOLDER [ROWS]   a table as CSV, TSV, JSON lines, Parquet and XLSX
    scripts/bench/tables.py run FOLDER [TURNS]   all readers by turns; the report on standard output

Each reader runs in a process of its own and counts the rows: `bitext` reads bisegments in parts (or
as a whole, with their texts in memory), the csv module splits cells, pandas and polars make a data
frame, and pandas reads in chunks of a thousand rows, too. Pandas and polars are not installed with
bitext. A reader's own imports count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

_WORDS = 5000  # different words of the texts
_LENGTH = 8  # words of a text

_BITEXT = (
    "import bitext; print(sum(len(b.alignment) for b in bitext.read_all({path!r}, parts=True)))"
)
_WHOLE = "import bitext; print(sum(len(b.alignment) for b in bitext.read_all({path!r})))"
_CSV = "import csv; print(sum(1 for _ in csv.reader(open({path!r}, newline=''), {dialect!r})) - 1)"
_FRAME = "import {module} as m; print(len(m.read_{kind}({path!r}{more})))"
_CHUNKS = "import pandas; print(sum(map(len, pandas.read_csv({path!r}, chunksize=1000))))"
_OPENPYXL = (
    "import openpyxl; b = openpyxl.load_workbook({path!r}, read_only=True); "
    "print(sum(1 for _ in b.active.iter_rows(values_only=True)) - 1)"
)


def make(folder: Path, rows: int) -> None:
    """Write a table of `rows` pairs with a score and an identifier in every format."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    import xlsxwriter

    rng = random.Random(1)  # noqa: S311 - words, no secrets
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(_WORDS)]
    texts = [" ".join(rng.choices(words, k=_LENGTH)) for _ in range(2 * rows)]
    columns = {
        "src": texts[:rows],
        "tgt": texts[rows:],
        "score": [round(rng.random(), 4) for _ in range(rows)],
        "id": [f"s{k}" for k in range(rows)],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, separator in (("csv", ","), ("tsv", "\t")):
        with (folder / f"table.{name}").open("w", encoding="utf-8") as out:
            out.write(separator.join(columns) + "\n")
            for row in zip(*columns.values(), strict=True):
                out.write(separator.join(map(str, row)) + "\n")
    with (folder / "table.jsonl").open("w", encoding="utf-8") as out:
        for row in zip(*columns.values(), strict=True):
            out.write(json.dumps(dict(zip(columns, row, strict=True))) + "\n")
    pq.write_table(pa.table(columns), folder / "table.parquet")
    book = xlsxwriter.Workbook(folder / "table.xlsx", {"constant_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, columns)
    for k, row in enumerate(zip(*columns.values(), strict=True), start=1):
        sheet.write_row(k, 0, row)
    book.close()


def readers(folder: Path) -> dict[tuple[str, str], str]:
    """Return the programs, by format and reader."""
    programs: dict[tuple[str, str], str] = {}
    for name in ("csv", "tsv", "jsonl", "parquet", "xlsx"):
        path = str(folder / f"table.{name}")
        programs[name, "bitext"] = _BITEXT.format(path=path)
        if name in {"csv", "tsv"}:
            programs[name, "bitext, as a whole"] = _WHOLE.format(path=path)
            dialect = "excel" if name == "csv" else "excel-tab"
            programs[name, "csv module"] = _CSV.format(path=path, dialect=dialect)
        kind = {"tsv": "csv", "jsonl": "json", "xlsx": "excel"}.get(name, name)
        more = {"tsv": ", sep='\\t'", "jsonl": ", lines=True"}.get(name, "")
        programs[name, "pandas"] = _FRAME.format(module="pandas", kind=kind, path=path, more=more)
        if name == "csv":
            programs[name, "pandas, in chunks"] = _CHUNKS.format(path=path)
        if name == "xlsx":
            programs[name, "openpyxl, read only"] = _OPENPYXL.format(path=path)
            continue
        kind = {"tsv": "csv", "jsonl": "ndjson"}.get(name, name)
        more = {"tsv": ", separator='\\t'"}.get(name, "")
        programs[name, "polars"] = _FRAME.format(module="polars", kind=kind, path=path, more=more)
    return programs


def measured(program: str) -> tuple[float, float, int]:
    """Run a program; return its CPU seconds, its peak memory in MB, and the number it prints."""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        out = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {program}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, int(out)


def run(folder: Path, turns: int) -> None:
    """Measure all readers by turns, and print a table for each format."""
    programs = readers(folder)
    figures: dict[tuple[str, str], list[tuple[float, float, int]]] = {each: [] for each in programs}
    for _ in range(turns):
        for each, program in programs.items():
            figures[each].append(measured(program))
    print("| format | reader | rows | CPU | to bitext | peak memory |")
    print("| --- | --- | --: | --: | --: | --: |")
    for (name, reader), those in figures.items():
        seconds, memory = (statistics.median(f[k] for f in those) for k in (0, 1))
        ours = statistics.median(f[0] for f in figures[name, "bitext"])
        print(
            f"| {name} | {reader} | {those[0][2]:,} | {seconds:.2f} s | {seconds / ours:.2f} | "
            f"{memory:,.0f} MB |"
        )


def main() -> None:
    """Run one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("part", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("number", type=int, nargs="?")
    given = parser.parse_args()
    if given.part == "make":
        make(given.folder, given.number or 1_000_000)
    else:
        run(given.folder, given.number or 3)


if __name__ == "__main__":
    main()
