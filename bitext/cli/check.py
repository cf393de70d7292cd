"""`bitext check`: is a file of alignments sound? Each finding with its line; mended on request."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    BASE,
    COLUMNS,
    DRAFTS,
    ENCODING,
    WHERE,
    Parser,
    add_groups,
    add_output,
    check_where,
    columns_of,
    deliver,
    outputs_spared,
    refuse_inputs,
    style_of,
    tell,
    value,
)
from bitext.cli.console import Progress
from bitext.errors import BitextError, FormatError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.formats.convert.checking import Findings
    from bitext.formats.corpora.corpus import Corpus, Entry

__all__ = ["run"]

_EPILOG = """\
exit status: 0 nothing found, 1 findings (from warnings on, see --fail-on), 2 it was not checked

examples:
  bitext check links.xml.gz --root corpus/xml
  bitext check memory.tmx --src-lang en --tgt-lang fr --each
  bitext check file.xlf --schema xliff-core-1.2-strict.xsd
  bitext check old.xces.sgm --fix new.xml

memory: 40 bytes a bisegment, some 90 at the end, beside what reading takes
"""
_READING: list[tuple[str, dict[str, Any], str]] = [
    ("--from", {"dest": "known", "metavar": "FORMAT"}, "of the files (default: by their contents)"),
    ("--src", {"metavar": "TEXT"}, "the source text, where the file holds ids or positions"),
    ("--tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--root",
        {"action": "append", "default": [], "metavar": "FOLDER"},
        "where documents lie that the files name (default: the folder of each); repeats",
    ),
    ("--src-lang", {"default": "", "metavar": "CODE"}, "the source language, of several"),
    ("--tgt-lang", {"default": "", "metavar": "CODE"}, "the target language, likewise"),
    *COLUMNS,
    ENCODING,
    BASE,
]
_READING += [*WHERE, *DRAFTS]
_CHECKING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--schema",
        {"default": "", "metavar": "FILE"},
        "hold XML files against it: .xsd, .rng or .dtd (default: ours, for TMX, XCES and mALIGNa)",
    ),
    (
        "--ratio",
        {"type": value(float, "a number"), "default": 6.0, "metavar": "N"},
        "lengths do not go together from N usual spreads on (6)",
    ),
    (
        "--fail-on",
        {"choices": ("error", "warning", "remark"), "default": "warning"},
        "what makes the exit status 1 (warning)",
    ),
    ("--each", {"action": "store_true"}, "up to twenty findings of a kind, not the first alone"),
    (
        "--fix",
        {"metavar": "FILE"},
        "write it anew, in its format, with what has one safe remedy mended, and check that",
    ),
]


def run(arguments: Sequence[str]) -> int:
    """Check files; return 1 if there are findings, 0 otherwise."""
    options = _parser().parse_args(arguments)
    style = style_of(options)
    if options.fix and len(options.files) != 1:
        raise OptionError("--fix writes one file: check one at a time with it")
    if options.fix and options.where:
        raise OptionError("--fix writes the whole file anew: leave --where out, or convert it")
    check_where(options)
    if options.fix == "-":
        raise OptionError("--fix writes a file, which is checked then: name one")
    if options.schema and "-" in options.files:
        raise OptionError("--schema reads a file again: give standard input a name, as a file")
    if not options.ratio > 0:
        raise OptionError("--ratio: want a number above 0")
    _refuse_same(options)
    with outputs_spared(options):
        found = _fixed(options) if options.fix else _each(options)
        # Within, as what reading refuses is a finding of some files.
        deliver(_shown(found, style, options), options)
    from bitext.formats.convert.checking import SEVERITIES

    failing = SEVERITIES[: SEVERITIES.index(options.fail_on) + 1]
    return 1 if any(each.count(level) for each in found for level in failing) else 0


def _refuse_same(options: argparse.Namespace) -> None:
    """Refuse to write, as a report or as what is mended, what is read, or one over the other."""
    from bitext.formats.io.output import refuse_same
    from bitext.formats.io.source import two_files

    given = [options.src, options.tgt, options.schema]
    refuse_inputs(options.files, options, beside=given)
    if options.fix:
        read = [part for name in options.files for part in two_files(name) or (name,)]
        mended = two_files(options.fix) or (options.fix,)
        refuse_same({*read, *filter(None, given)} - {"-"}, mended)
        if options.output != "-":
            refuse_same(mended, [options.output])


def _parser() -> Parser:
    parser = Parser(
        prog="bitext check",
        description="Tell what is wrong with files of alignments, or hardly meant, and where.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or a manifest")
    add_groups(parser, {"reading": _READING, "checking": _CHECKING})
    add_output(parser)
    return parser


def _each(options: argparse.Namespace) -> list[Findings]:
    """Check all files; one that cannot be read does not keep the others from it."""
    made: list[tuple[str, Corpus | FormatError]] = []
    for path in options.files:
        try:
            made.append((path, _corpus(path, options)))
        except FormatError as error:
            if len(options.files) == 1:
                raise
            made.append((path, error))
    corpora = [one for _, one in made if not isinstance(one, FormatError)]
    tell((note for corpus in corpora for note in corpus.notes()), options)
    found = []
    for path, one in made:
        if isinstance(one, FormatError):
            found.append(_unread(path, one))
        else:
            found += [_checked(each, one.kind, options) for each in one.entries.values()]
    return found


def _corpus(path: str, options: argparse.Namespace) -> Corpus:
    from bitext.formats.corpora.corpus import open_corpus
    from bitext.formats.registry import by_name

    known = by_name(options.known) if options.known else None
    return open_corpus(path, known=known, langs=(options.src_lang, options.tgt_lang))


def _unread(path: str, error: BitextError) -> Findings:
    from bitext.formats.convert.checking import Findings

    findings = Findings(path)
    findings.add("error", "files that cannot be checked", str(error))
    return findings


def _reading(entry: Entry, options: argparse.Namespace) -> dict[str, Any]:
    from bitext.formats.corpora.corpus import find_text

    return {
        "src": entry.src or find_text(options.src, entry.name, option="src"),
        "tgt": entry.tgt or find_text(options.tgt, entry.name, option="tgt"),
        "format": options.known,
        "encoding": options.encoding,
        "roots": tuple(map(Path, options.root)),
        "src_lang": options.src_lang,
        "tgt_lang": options.tgt_lang,
        "where": tuple(options.where),
        "base": options.base,
        "drafts": options.drafts,
        "columns": columns_of(options),
    }


def _checked(entry: Entry, kind: str, options: argparse.Namespace) -> Findings:
    from bitext.formats.convert.checking import check

    progress = Progress("bisegments", quiet=options.quiet)
    try:
        return check(
            entry.path,
            reading=_reading(entry, options),
            schema=options.schema,
            ratio=options.ratio,
            on_part=progress.add,
        )
    except BitextError as error:
        if kind == "file" and len(options.files) == 1:
            raise
        return _unread(entry.path, error)
    finally:
        progress.end()


def _fixed(options: argparse.Namespace) -> list[Findings]:
    """Write the file anew, tell what was mended, and check what was written."""
    from bitext.formats.convert.checking import mend
    from bitext.formats.corpora.corpus import Entry

    corpus = _corpus(options.files[0], options)
    tell(corpus.notes(), options)
    entry, *more = corpus.entries.values()
    if more:
        raise OptionError(f"--fix writes one file, and {options.files[0]} holds {len(more) + 1}")
    mended = mend(entry.path, options.fix, reading=_reading(entry, options))
    again = _checked(Entry(entry.name, options.fix, entry.src, entry.tgt), "file", options)
    # What is found again in the new file is as it was.
    found = {finding.kind for finding, _ in again.all()}
    lines = [f"mended: {note}" for note in mended.put_right if note.kind not in found]
    lines += [f"left out: {note}" for note in mended.left_out]
    tell(lines, options, most=len(lines))
    return [mended.unread, again]


def _shown(found: list[Findings], style: str, options: argparse.Namespace) -> str:
    from bitext.reports.table import Table, printable

    rows = [
        (finding, count)
        for findings in found
        for finding, count in (findings.each() if options.each else findings.all())
    ]
    if style == "json":
        document = {
            "schema": "bitext.check/1",
            "rows": [{**asdict(finding), "count": count} for finding, count in rows],
        }
        return json.dumps(document, ensure_ascii=False) + "\n"
    table = Table(["severity", "file", "line", "count", "what", "first"])
    for finding, count in rows:
        line = "" if finding.line is None else str(finding.line)
        shown = [finding.severity, finding.path, line, f"{count}", finding.kind, finding.case]
        table.rows.append([*map(printable, shown)])  # names and texts are as hostile as files are
    if not rows and style == "table":
        return "nothing found\n"
    return table.render(style)
