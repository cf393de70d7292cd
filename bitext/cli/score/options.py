"""The options of `bitext score`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    COLUMNS,
    DRAFTS,
    ENCODING,
    SAMPLING,
    SHOWING,
    WHERE,
    Parser,
    add_groups,
    add_output,
    check_page,
    check_sampling,
    refuse_folder,
    refuse_inputs,
    style_of,
    value,
)
from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["ALL", "formats_asked", "measures_asked", "parser", "style_asked"]

ALL = sys.maxsize  # places, where no number is said

_EPILOG = """\
GOLD and HYP are files, folders (texts are paired by their names), or manifests: files of
tab-separated columns under the head 'text path [src tgt]', or of JSON lines with these keys. Two
files, as of Moses, are named 'a.en,a.fr'. All may be places: s3://bucket/gold/.

examples:
  bitext score gold.xml system.xml
  bitext score gold/ vecalign/ bleualign/ --src 'texts/{name}.en' --tgt 'texts/{name}.fr'
  bitext score gold.align hyp.align --src a.en --tgt a.fr --errors 5
  bitext score gold/ vecalign/ bleualign/ --html report/
  bitext score gold.pharaoh fastalign.talp giza.talp --src a.en --tgt a.fr --by part
"""


def formats_asked(
    given: Sequence[str], systems: Sequence[str]
) -> tuple[str | None, dict[str, str]]:
    """Return the format of all alignments, if one is named, and those of single systems.

    Raises
    ------
    OptionError
        When two are named of one, or something is named that is no system.

    """
    found: dict[str, str] = {}
    for text in given:
        system, _, name = text.rpartition("=")
        if system and system not in systems:
            raise OptionError(f"--from {text}: want one of the systems {', '.join(systems)}")
        if found.setdefault(system, name) != name:
            of = f"system {system}" if system else "all"
            raise OptionError(f"--from names two formats of {of}: {found[system]} and {name}")
    return found.pop("", None), found


def parser() -> Parser:
    """Return the parser."""
    made = Parser(
        prog="bitext score",
        description="Precision, recall and F1 of alignments at alignment, sentence, word and "
        "character granularity; of word links precision, recall, F and AER.",
        epilog=_EPILOG,
    )
    made.add_argument("gold", metavar="GOLD", help="the gold standard")
    made.add_argument("hyps", metavar="HYP", nargs="+", help="what the systems propose")
    add_groups(made, {"reading": _READING, "scoring": _SCORING, "showing": _SHOWING})
    add_output(made)
    return made


_share = value(float, "a share from 0 to 1")
_whole = value(int, "a whole number")
_number = value(int, "a whole number: without one, give --errors after the files")
_flag = {"action": "store_true"}

_READING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--src",
        {"metavar": "TEXT"},
        (
            "the source text: a file with one segment a line or an XML document, a folder, or a "
            "pattern with {name}"
        ),
    ),
    ("--tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--hyp-src",
        {"metavar": "TEXT"},
        (
            "the source text that the systems went over, when cut into other segments; "
            "{system} and {name} are filled in"
        ),
    ),
    ("--hyp-tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--from",
        {"action": "append", "default": [], "dest": "formats", "metavar": "[SYSTEM=]FORMAT"},
        "the format of all alignments, or of a system; repeats (default: told by their contents)",
    ),
    ("--gold-from", {"metavar": "FORMAT"}, "the format of the gold standard"),
    (
        "--root",
        {"action": "append", "default": [], "metavar": "FOLDER"},
        "where documents lie that alignments name (default: the folder of each alignment); repeats",
    ),
    *COLUMNS,
    ENCODING,
    ("--names", {"metavar": "A,B"}, "the names of the systems"),
    (
        "--swap --reverse",
        {"dest": "swap", "action": "append", "default": [], "metavar": "SYSTEM"},
        "exchange source and target of a system, as of links written target-source; repeats",
    ),
    (
        "--base",
        {"action": "append", "default": [], "metavar": "[NAME=]0|1"},
        (
            "where positions count from, of a system; without NAME (or of 'gold') of the gold "
            "standard; repeats (default: told by the texts, else by the format)"
        ),
    ),
    ("--no-swap-check", _flag, "score also what seems to have its sides exchanged"),
    (
        "--missing",
        {"choices": ("leave", "empty", "error"), "default": "leave"},
        (
            "a text that a system lacks: leave it out for all (default), take it as nothing "
            "proposed, or refuse"
        ),
    ),
    ("--partial", _flag, "the gold standard may stop long before the end of its texts"),
    *WHERE,
    *DRAFTS,
]
_SCORING: list[tuple[str, dict[str, Any], str]] = [
    (
        "-g --granularity",
        {"action": "append", "metavar": "NAME"},
        (
            "alignment, sentence, word, character, strict, lax; repeats, or with commas (default: "
            "all); links: word links (default where every file has some)"
        ),
    ),
    (
        "--alpha",
        {"type": value(float, "a weight from 0 to 1"), "default": 0.5, "metavar": "WEIGHT"},
        "of word links: how much precision weighs in F (0.5)",
    ),
    ("--sure-only", _flag, "of word links: gold links that are only possible count for nothing"),
    (
        "--null",
        _flag,
        "of word links: count links to no word, one for each word without a link (needs texts)",
    ),
    (
        "--by",
        {"choices": ("part",)},
        "of word links: those of punctuation, of frequent words and the others apart (needs texts)",
    ),
    ("--words", {"default": "space"}, "what a word is: space, unicode, treebank"),
    ("--characters", {"default": "codepoint"}, "codepoint or grapheme"),
    (
        "--similarity",
        _flag,
        (
            "bisegment similarity too, which grades near misses: a second table; in tsv, rows "
            "'similarity-sentence' (-word, -character) with figures in columns at the end"
        ),
    ),
    (
        "--min-matched",
        {"type": _share, "default": 0.9, "metavar": "SHARE"},
        "how much of the texts of gold and hyp must be the same (0.9)",
    ),
    *SAMPLING,
]
_SHOWING: list[tuple[str, dict[str, Any], str]] = [
    *SHOWING,
    ("--beads", _flag, "found and missed by bead type, and what the missed became"),
    (
        "--errors",
        {"type": _number, "metavar": "N", "nargs": "?", "const": ALL},
        (
            "the N worst places (of word links: sentence pairs) of each system, with their texts; "
            "without N every difference, in order"
        ),
    ),
    (
        "--html",
        {"metavar": "FILE"},
        (
            "write a page too: of one text its alignments laid over each other, of several texts "
            "their scores, of word links those of all pairs; FOLDER/: an index, and a page for "
            "each text"
        ),
    ),
]


def style_asked(options: argparse.Namespace) -> str:
    """Return the style of what is printed; refuse options that exclude each other."""
    style = style_of(options)
    if options.errors is not None and options.errors < 1:
        raise OptionError(f"--errors {options.errors}: want 1 or more, or no number for all")
    reading = options.errors or options.beads
    if reading and style == "tsv" and not options.format and options.output == "-":
        style = "table"  # through a pipe as on a terminal: places are for reading
    if options.errors and style not in {"table", "json"}:
        raise OptionError("--errors is for reading: give --format table, or --json")
    if options.beads and style == "tsv":
        raise OptionError(
            "--beads makes a second table, and tsv is one: give --json or --format table"
        )
    check_sampling(options, options.hyps)
    _check_counters(options)
    refuse_folder(options.output, option="-o")
    check_page(options, printed=bool(options.json or options.format or options.errors))
    texts = (options.src, options.tgt, options.hyp_src, options.hyp_tgt)
    refuse_inputs([options.gold, *options.hyps], options, beside=texts)
    return style


def measures_asked(options: argparse.Namespace) -> tuple[str, ...] | None:
    """Return the measures that are asked for, each once; `None` where nothing is said."""
    given = options.granularity
    if given is None:
        return None
    return tuple(dict.fromkeys(part.strip() for text in given for part in text.split(",")))


def _check_counters(options: argparse.Namespace) -> None:
    """Refuse to say what words or characters are where none are counted."""
    asked = measures_asked(options)
    if asked is None or (options.similarity and not {"sentence", "word", "character"} & {*asked}):
        return  # similarities are at all granularities
    for option, usual, granularity in (
        ("words", "space", "word"),
        ("characters", "codepoint", "character"),
    ):
        given = getattr(options, option)
        if given != usual and granularity not in asked:
            raise OptionError(
                f"--{option} {given} is for the granularity {granularity}: add it (-g "
                f"{granularity}), or leave --{option} out"
            )
