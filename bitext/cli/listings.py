"""`bitext formats`, `bitext metrics` and `bitext methods`: the lists of all registries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, add_output
from bitext.cli.request import OutputRequest, request_of

if TYPE_CHECKING:
    from bitext.formats.registry import Format
    from bitext.metrics.registry import Metric
    from bitext.reports.table import Table

# `bitext methods`: aligners of sentences and words, encoders, and parsers.

# Options of sentence aligners: of those by lengths, with words, and with vectors too.
_OPTIONS = ("beads", "beads, lexicon, dictionary", "beads, lexicon, dictionary, vectors, encoder")


def run_methods(arguments: Sequence[str]) -> int:
    """List the aligners, encoders and parsers; return the exit status."""
    parser = Parser(
        prog="bitext methods",
        description="Aligners of translated texts (--method of align), their encoders "
        "(--encoder), aligners of comparable sentences (--preset of cluster and paraphrase) and "
        "parsers (--parser).",
    )
    add_output(parser)
    request = request_of(OutputRequest, parser, arguments)
    style = request.style()

    from bitext.align.sentences.options import PLUGINS
    from bitext.reports.table import Table

    rows = (_sentence_methods, _external_methods, _encoders, _presets, _parsers)
    methods = [{**row, "package": row.get("package")} for each in rows for row in each()]
    table = Table(["for", "name", "what", "options", "needs"], quiet={0})
    for row in methods:
        needs = f"bitext[{row['extra']}]" if row["extra"] else str(row["package"] or "-")
        table.rows.append(
            [str(row["for"]), str(row["name"]), str(row["what"]), str(row["options"]) or "-", needs]
        )
    return _list(request, style, PLUGINS.faults(), "bitext.methods/1", methods, table)


def _list(
    request: OutputRequest,
    style: str,
    faults: Iterable[str],
    schema: str,
    rows: Iterable[dict[str, Any]],
    table: Table,
) -> int:
    """Print a list as a table, or its rows as JSON, with the faults of plug-ins as notes."""
    request.print_notes(faults, most=100)
    if style == "json":
        request.deliver_json({"schema": schema, "rows": list(rows)}, allow_nan=False)
    else:
        request.deliver(table.render(style))
    return 0


def _sentence_methods() -> Iterator[dict[str, object]]:
    from bitext.align.sentences.options import SENTENCE_METHODS

    for name, method in SENTENCE_METHODS.items():
        yield {
            "for": "translated texts",
            "name": name,
            "what": f"{method.summary} ({method.source})",
            "options": _OPTIONS[method.words + method.vectors],
            "extra": None,
        }


def _external_methods() -> Iterator[dict[str, object]]:
    from bitext.align.sentences.options import PLUGINS

    for name, aligner in PLUGINS.all().items():
        yield {
            "for": "translated texts",
            "name": name,
            "what": aligner.summary,
            "options": "",
            "extra": None,
            "package": aligner.package,
        }
    yield {
        "for": "translated texts",
        "name": "command:PROGRAM",
        "what": "any program: two files of sentences in, an alignment in any format out",
        "options": "method-format, method-timeout, dictionary",
        "extra": None,
    }


def _encoders() -> Iterator[dict[str, object]]:
    from bitext.align.sentences.vectors import ENCODERS

    for name in ENCODERS:
        yield {
            "for": "sentence vectors",
            "name": name,
            "what": "encoder of sentences, for the method embedding",
            "options": ":MODEL",
            "extra": name,
        }


def _presets() -> Iterator[dict[str, object]]:
    from bitext.align.words.options import PRESETS

    for name, preset in PRESETS.items():
        left = " or ".join(preset.leave_out).replace("-", " ")
        criterion = f"words match by {'form and syntax' if preset.syntax else 'form'}"
        yield {
            "for": "comparable sentences",
            "name": name,
            "what": criterion + (f", no {left}" if left else ""),
            "options": preset.signature,
            "extra": None,
        }


def _parsers() -> Iterator[dict[str, object]]:
    from bitext.syntax.parsers import PARSERS

    for name, entry in PARSERS.items():
        yield {
            "for": "parsing",
            "name": name,
            "what": entry.about,
            "options": ", ".join(entry.options),
            "extra": entry.extra,
        }


def run_metrics(arguments: Sequence[str]) -> int:
    """List the metrics; return the exit status."""
    parser = Parser(
        prog="bitext metrics", description="List the metrics, their options and sources."
    )
    add_output(parser)
    request = request_of(OutputRequest, parser, arguments)
    style = request.style()

    from bitext.metrics.registry import PLUGINS, aliases_of, all_metrics
    from bitext.reports.table import Table

    rows = (
        {
            "metric": known.name,
            "aliases": aliases_of(known.name),
            "over": known.over,
            "better": known.better,
            "measures": list(known.measures),
            "options": {name: _value(default) for name, default in known.options.items()},
            "summary": known.summary,
            "source": known.source,
            "package": known.package or None,
        }
        for known in all_metrics().values()
    )
    head = ["metric", "aliases", "over", "better", "measures", "options", "source"]
    table = Table([*head, *_packages(all_metrics().values())])
    for known in all_metrics().values():
        settings = " ".join(f"{name}={default!r}" for name, default in known.options.items())
        measures = " ".join(known.measures)
        names = [known.name, " ".join(aliases_of(known.name))]
        row = [*names, known.over, known.better, measures, settings, known.source]
        table.rows.append(_with_package(row, known.package, table))
    return _list(request, style, PLUGINS.faults(), "bitext.metrics/1", rows, table)


def _packages(known: Iterable[Format | Metric[..., Any]]) -> list[str]:
    """Return the head of the column of packages, where a plug-in has one."""
    return ["package"] if any(each.package for each in known) else []


def _with_package(row: list[str], package: str, table: Table) -> list[str]:
    return [*row, package or "-"] if len(table.head) > len(row) else row


def _value(default: Any) -> Any:
    """Return a default as a JSON value; values that JSON lacks, as Python writes them."""
    if isinstance(default, list | tuple):
        return [_value(each) for each in default]
    if default is None or isinstance(default, bool | int | str):
        return default
    return default if isinstance(default, float) and isfinite(default) else repr(default)


# The columns of `bitext formats --keeps`: fields of `Capabilities`, and their heads.
_HEADS = {
    "texts": "text",
    "borders": "n-m",
    "empty_sides": "0-1",
    "empty_segments": "empty",
    "crossings": "cross",
    "gaps": "gaps",
    "overlaps": "overlap",
    "uncovered": "bare",
    "ids": "ids",
    "scores": "score",
    "attributes": "attr",
    "documents": "docs",
    "document_names": "names",
    "languages": "lang",
    "other_languages": "3rd",
    "markup": "marks",
    "words": "words",
    "breaks": "breaks",
    "controls": "ctrl",
    "paragraphs": "par",
    "times": "times",
}
_EPILOG = """\
--keeps columns: text: the texts themselves; n-m: borders between the segments of a side; 0-1: empty
sides; empty: segments without characters; cross: the order of the texts where bisegments cross;
gaps: discontinuous bisegments; overlap: segments in several bisegments; bare: segments in none;
ids, score, attr: identifiers, scores, other columns; docs: borders between document pairs;
names: those of documents; lang, 3rd: languages, texts in further ones; marks: inline marks; words:
word links; breaks: tabs and line ends within segments; ctrl: characters that XML forbids; par:
paragraphs; times: those of bisegments. (+) with --beads or --write-documents; some: not all.
"""


class FormatsRequest(OutputRequest):
    """The request of `bitext formats`; the fields are its options."""

    keeps: bool = False


def run_formats(arguments: Sequence[str]) -> int:
    """List the formats; return the exit status."""
    parser = Parser(
        prog="bitext formats",
        description="List the formats, and the parts of a bitext that each keeps.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--keeps", action="store_true", help="the parts of a bitext that each format keeps"
    )
    add_output(parser)
    request = request_of(FormatsRequest, parser, arguments)
    style = request.style()

    from bitext.formats.registry import PLUGINS, all_formats

    formats = list(all_formats().values())
    table = _capability_table(formats) if request.keeps else _format_table(formats)
    rows = map(_row, formats)
    return _list(request, style, PLUGINS.faults(), "bitext.formats/1", rows, table)


def _row(known: Format) -> dict[str, object]:
    return {
        "format": known.name,
        "what": known.title,
        "holds": known.holds,
        "endings": list(known.suffixes),
        "read": known.read is not None,
        "write": known.write is not None,
        "files": 2 if known.two_files else 1,
        "streams": known.streams,
        "extra": known.extra or None,
        "keeps": {name: getattr(known.keeps, name) for name in _HEADS} if known.write else None,
        "columns": sorted(known.keeps.columns),
        "package": known.package or None,
    }


def _format_table(formats: list[Format]) -> Table:
    from bitext.reports.table import Table

    head = ["format", "what", "holds", "endings", "written", "memory"]
    table = Table([*head, *_packages(formats)])
    for known in formats:
        endings = "two files" if known.two_files else " ".join(known.suffixes)
        written = "only" if known.read is None else "yes" if known.write else "no"
        memory = "a part" if known.streams else "a document pair"
        needs = f" (extra {known.extra})" if known.extra else ""
        row = [known.name, known.title + needs, known.holds, endings, written, memory]
        table.rows.append(_with_package(row, known.package, table))
    return table


def _capability_table(formats: list[Format]) -> Table:
    """Return the table of capabilities: `+` where a format has one."""
    from bitext.reports.table import Table

    table = Table(["format", *_HEADS.values()])
    for known in formats:
        if known.write is None:
            continue
        marks = []
        for name in _HEADS:
            further = (known.keeps_in_props, known.keeps_with_documents)
            on_request = any(keeps is not None and getattr(keeps, name) for keeps in further)
            mark = "+" if getattr(known.keeps, name) else "(+)" * on_request
            if name == "document_names" and known.keeps.names:
                mark = "some"
            marks.append(mark)
        table.rows.append([known.name, *marks])
    return table
