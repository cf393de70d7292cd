"""`bitext formats`: the formats that can be read and written, and what each of them keeps."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, add_output, deliver, style_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.registry import Format
    from bitext.reports.table import Table

__all__ = ["run_formats", "run_methods", "run_metrics"]


# `bitext methods`: the aligners of sentences and of words, and the parsers that there are.

# Of sentence aligners: by lengths, with words, with vectors too.
_OPTIONS = ("beads", "beads, lexicon, dictionary", "beads, lexicon, dictionary, vectors, encoder")


def run_methods(arguments: Sequence[str]) -> int:
    """List the methods."""
    parser = Parser(
        prog="bitext methods",
        description="Aligners of translated texts (--method of align), their encoders "
        "(--encoder), aligners of comparable sentences (--preset of cluster and paraphrase) and "
        "parsers (--parser).",
    )
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.reports.table import Table

    found = [*_sentence_methods(), *_encoders(), *_presets(), *_parsers()]
    if style == "json":
        document = {"schema": "bitext.methods/1", "rows": found}
        deliver(json.dumps(document, ensure_ascii=False) + "\n", options)
        return 0
    table = Table(["for", "name", "what", "options", "needs"], quiet={0})
    for row in found:
        needs = f"bitext[{row['extra']}]" if row["extra"] else "-"
        table.rows.append(
            [str(row["for"]), str(row["name"]), str(row["what"]), str(row["options"]) or "-", needs]
        )
    deliver(table.render(style), options)
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
        what = f"words match by {'form and syntax' if preset.syntax else 'form'}"
        yield {
            "for": "comparable sentences",
            "name": name,
            "what": what + (f", no {left}" if left else ""),
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


# `bitext metrics`: the metrics, their options and their sources.


def run_metrics(arguments: Sequence[str]) -> int:
    """List the metrics."""
    parser = Parser(prog="bitext metrics", description="The metrics, as the registry has them.")
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.metrics.registry import all_metrics
    from bitext.reports.table import Table

    if style == "json":
        rows = [
            {
                "metric": known.name,
                "over": known.over,
                "better": known.better,
                "measures": list(known.measures),
                "options": {name: _value(default) for name, default in known.options.items()},
                "summary": known.summary,
                "source": known.source,
            }
            for known in all_metrics().values()
        ]
        document = {"schema": "bitext.metrics/1", "rows": rows}
        deliver(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n", options)
        return 0
    table = Table(["metric", "over", "better", "measures", "options", "source"])
    for known in all_metrics().values():
        settings = " ".join(f"{name}={default!r}" for name, default in known.options.items())
        measures = " ".join(known.measures)
        table.rows.append([known.name, known.over, known.better, measures, settings, known.source])
    deliver(table.render(style), options)
    return 0


def _value(default: Any) -> Any:
    """Return a default as JSON has it; what JSON has not is told as Python writes it."""
    if isinstance(default, list | tuple):
        return [_value(each) for each in default]
    if default is None or isinstance(default, bool | int | str):
        return default
    return default if isinstance(default, float) and isfinite(default) else repr(default)


# The columns of the table of what is kept: fields of `Capabilities`, and how they are headed.
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
}
_EPILOG = """\
--keeps heads: text: the texts themselves; n-m: borders between the segments of a side; 0-1: empty
sides; empty: segments without characters; cross: the order of the texts where bisegments cross;
gaps: discontinuous bisegments; overlap: segments in several bisegments; bare: segments in none;
ids, score, attr: identifiers, scores, other columns; docs: borders between document pairs;
names: those of documents; lang, 3rd: languages, texts in further ones; marks: inline marks; words:
word links; breaks: tabs and line ends within segments; ctrl: characters that XML forbids; par:
paragraphs. (+) with --beads or --write-documents; some: not all of them.
"""


def run_formats(arguments: Sequence[str]) -> int:
    """List the formats."""
    parser = Parser(
        prog="bitext formats",
        description="The formats, as the registry has them.",
        epilog=_EPILOG,
    )
    parser.add_argument("--keeps", action="store_true", help="what each keeps of a bitext")
    add_output(parser)
    options = parser.parse_args(arguments)
    style = style_of(options)

    from bitext.formats.registry import all_formats

    formats = list(all_formats().values())
    if style == "json":
        document = {"schema": "bitext.formats/1", "rows": list(map(_row, formats))}
        deliver(json.dumps(document, ensure_ascii=False) + "\n", options)
        return 0
    deliver((_kept if options.keeps else _listed)(formats).render(style), options)
    return 0


def _row(known: Format) -> dict[str, object]:
    return {
        "format": known.name,
        "what": known.title,
        "holds": known.holds,
        "endings": list(known.suffixes),
        "read": True,
        "write": known.write is not None,
        "files": 2 if known.two_files else 1,
        "streams": known.streams,
        "extra": known.extra or None,
        "keeps": {name: getattr(known.keeps, name) for name in _HEADS} if known.write else None,
        "columns": sorted(known.keeps.columns),
    }


def _listed(formats: list[Format]) -> Table:
    from bitext.reports.table import Table

    table = Table(["format", "what", "holds", "endings", "written", "memory"])
    for known in formats:
        endings = "two files" if known.two_files else " ".join(known.suffixes)
        written = "yes" if known.write else "no"
        memory = "a part" if known.streams else "a document pair"
        needs = f" (extra {known.extra})" if known.extra else ""
        table.rows.append([known.name, known.title + needs, known.holds, endings, written, memory])
    return table


def _kept(formats: list[Format]) -> Table:
    """Return the table of what is kept: + where it is, nothing where it is lost."""
    from bitext.reports.table import Table

    table = Table(["format", *_HEADS.values()])
    for known in formats:
        if known.write is None:
            continue
        marks = []
        for name in _HEADS:
            more = (known.keeps_in_props, known.keeps_with_documents)
            on_request = any(keeps is not None and getattr(keeps, name) for keeps in more)
            mark = "+" if getattr(known.keeps, name) else "(+)" * on_request
            if name == "document_names" and known.keeps.names:
                mark = "some"
            marks.append(mark)
        table.rows.append([known.name, *marks])
    return table
