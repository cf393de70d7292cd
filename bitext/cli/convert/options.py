"""The options of `bitext convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.cli.common import BASE, COLUMNS, DRAFTS, ENCODING, WHERE, Parser, add_groups, value
from bitext.cli.job_options import add_jobs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["parsed"]

_EPILOG = """\
IN is a file, a folder, or a manifest: a file of tab-separated columns under the head
'text path [src tgt]', or of JSON lines with these keys. OUT is a file, or a folder (it is there, or
its name ends with /) that gets one file for each of IN. Two files, as of Moses, are named
'a.en,a.fr'. Names tell formats and compression (.gz .xz .bz2 .zst); `bitext formats` lists what
each format keeps. All may be places: s3://bucket/gold/, https://example.org/memory.tmx.gz.

examples:
  bitext convert memory.tmx corpus.en,corpus.fr --src-lang en --tgt-lang fr
  bitext convert links.xml.gz memory.tmx --root corpus/xml --src-lang en --tgt-lang fr
  bitext convert alignments/ converted/ --to jsonl -j 4 --min-score 0.4 --drop-empty
  bitext convert project.xlf memory.tmx --where state=final,translated
  bitext convert gold.align - --to tsv --src a.en --tgt a.fr | head
  bitext convert forward.talp reverse.talp both.talp --symmetrise grow-diag-final
"""

_flag: dict[str, Any] = {"action": "store_true"}
_number = value(float, "a number")
_whole = value(int, "a whole number")

_READING: list[tuple[str, dict[str, Any], str]] = [
    ("--from", {"dest": "known", "metavar": "FORMAT"}, "of IN (default: told by its contents)"),
    (
        "--src",
        {"metavar": "TEXT"},
        (
            "the source text, where IN holds ids or positions: a file with one segment a line or "
            "an XML document, a folder, or a pattern with {name}"
        ),
    ),
    ("--tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--root",
        {"action": "append", "default": [], "metavar": "FOLDER"},
        (
            "where documents lie that IN names (default: the folder of IN); no others are opened; "
            "repeats"
        ),
    ),
    (
        "--src-lang",
        {"default": "", "metavar": "CODE"},
        "the source language: which to take of several, and what to write",
    ),
    ("--tgt-lang", {"default": "", "metavar": "CODE"}, "the target language, likewise"),
    *COLUMNS,
    ENCODING,
    (
        BASE[0],
        {"action": "append", "default": [], "metavar": "[IN=]0|1"},
        f"{BASE[2]}; of one of several files, IN as named; repeats",
    ),
    (
        "--max-ratio",
        {"type": _number, "default": 200.0, "metavar": "N"},
        "how many bytes a compressed byte may unfold to (200) ...",
    ),
    (
        "--max-size",
        {"type": _whole, "default": 128, "metavar": "MB"},
        "... once a file has unfolded to that much (128)",
    ),
    *DRAFTS,
]
_CHOOSING: list[tuple[str, dict[str, Any], str]] = [
    *WHERE,
    (
        "--min-score",
        {"type": _number, "metavar": "SCORE"},
        "leave out what has a lower score, or none",
    ),
    (
        "--max-score",
        {"type": _number, "metavar": "SCORE"},
        "leave out what has a higher score, or none: for costs, of which lower ones are better",
    ),
    (
        "--score",
        {"default": "", "metavar": "NAME"},
        "the column that is the score, as prop:score-bicleaner",
    ),
    (
        "--types",
        {"metavar": "N-M,..."},
        "leave out other bead types; 1-* is 1 to any",
    ),
    (
        "--documents",
        {"default": "", "metavar": "PATTERN"},
        "leave out document pairs whose names do not match (*, ?, [...])",
    ),
    ("--drop-empty", _flag, "leave out what has nothing, or only white space, on a side"),
    (
        "--unique",
        _flag,
        ("leave out what has the same texts as an earlier one (some 100 bytes of memory for each)"),
    ),
    ("--swap", _flag, "exchange source and target; languages are named as they are in IN"),
    (
        "--all-languages",
        _flag,
        "keep texts in further languages too (default: not, where both languages are named)",
    ),
    ("--spaces", _flag, "make one blank of all white space, none at the ends of segments"),
    (
        "--replace-forbidden",
        _flag,
        "put U+FFFD for characters that XML forbids (default: an error)",
    ),
]
_JOINING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--symmetrise",
        {"default": "", "metavar": "METHOD"},
        (
            "make one set of the word links of two files IN, one of each direction: intersection, "
            "union, grow, grow-diag, grow-diag-final, grow-diag-final-and, grow-diag:strict, "
            "grow-diag-final:strict"
        ),
    ),
    (
        "--reverse",
        {"choices": ("source-target", "target-source"), "default": ""},
        "how links of the second of them are written (default: told by both, and noted)",
    ),
]
_WRITING: list[tuple[str, dict[str, Any], str]] = [
    ("-o --output", {"dest": "into", "metavar": "OUT"}, "what to write; all names are IN then"),
    ("--to", {"default": "", "metavar": "FORMAT"}, "of OUT (default: told by its name)"),
    (
        "--beads",
        _flag,
        "keep ids and the borders of segments in properties, in formats that have them (TMX)",
    ),
    (
        "--write-documents",
        {"metavar": "FOLDER"},
        (
            "with a format of links (XCES): write the texts there, for a folder OUT in a numbered "
            "folder each; nothing is replaced"
        ),
    ),
    ("--compress", {"choices": ("gz", "xz", "bz2", "zst")}, "the files of a folder OUT"),
    ("--strict", _flag, "write nothing where something would be lost"),
    (
        "--keep-going",
        _flag,
        (
            "leave out what cannot be read, a unit, a line or a file, and what has characters that "
            "the format of OUT cannot hold; report it, with status 1"
        ),
    ),
    ("--report", {"metavar": "FILE"}, "what could not be read, as JSON lines: file, line, message"),
    (
        "-j --jobs",
        {"type": _whole, "default": 1, "metavar": "N"},
        "processes, for a folder OUT (1)",
    ),
]


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options that arguments give; OUT is the last of the names, or that of -o."""
    names_output = any(each.startswith(("-o", "--output")) for each in arguments)
    options = add_jobs(_parser(names_output=names_output)).parse_args(arguments)
    if options.into is not None:
        options.inputs += [options.output] if options.output is not None else []
        options.output = options.into
    del options.into
    return options


def _parser(*, names_output: bool) -> Parser:
    made = Parser(
        prog="bitext convert",
        description="Convert alignments from one format to another, and tell what is lost.",
        epilog=_EPILOG,
    )
    made.add_argument("inputs", metavar="IN", nargs="+", help="what to read; - for standard input")
    made.add_argument(
        "output",
        metavar="OUT",
        nargs="?" if names_output else None,
        help="what to write; - for standard output",
    )
    add_groups(made, {"reading": _READING, "choosing": _CHOOSING})
    add_groups(made, {"word links": _JOINING, "writing": _WRITING})
    group = made.add_argument_group("telling")
    group.add_argument("--json", action="store_true", help="print what was done as JSON")
    group.add_argument("-q", "--quiet", action="store_true", help="errors only")
    group.add_argument("-v", "--verbose", action="store_true", help="every note, not a few")
    return made
