"""The arguments of `bitext cluster`."""

from __future__ import annotations

from typing import Any

from bitext.cli.common import Parser, add_groups, add_output, value
from bitext.cli.comparable import ALIGNING, READING

__all__ = ["parser"]

_EPILOG = """\
FILE holds the sentences of one cluster: plain text with one sentence a line, Penn trees, CoNLL
columns, or JSON. Raw English is parsed by the built-in parser. With --by, FILE are articles on one
event, or folders of them, and clusters are found among their sentences.

examples:
  bitext cluster news.txt
  bitext cluster news.txt -o lattice.json --html lattice.html
  bitext cluster news.trees --report
  bitext cluster news.trees --explain 1:fire 3:fire
  bitext cluster articles/ --by term -o lattices/
"""

_whole = value(int, "a whole number")

_WRITING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--to",
        {"choices": ("json", "dot", "graphml", "tei", "tsv", "svg", "html")},
        "what to write (default: as the name after -o tells)",
    ),
    (
        "--html",
        {"metavar": "FILE"},
        "write a page too: the lattice drawn, its sources, paraphrases and figures",
    ),
    (
        "--minimise",
        {"action": "store_true"},
        "write the smallest automaton that accepts the same sentences (.json, .dot)",
    ),
    ("--seed", {"type": _whole, "default": 1, "metavar": "N"}, "of what is drawn by chance (1)"),
]
_JUDGING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--report",
        {"action": "store_true"},
        "the five presets side by side: size, repetition ratio, edgain, novelty",
    ),
    (
        "--gold",
        {"metavar": "LATTICE"},
        "with --report: precision, recall and F1 of word links against this lattice (.json)",
    ),
    ("--per-cluster", {"action": "store_true"}, "with --report: the figures of every cluster too"),
    (
        "--explain",
        {"nargs": 2, "metavar": ("S:W", "S:W")},
        "why two words match or not: sentence and word, by number from 1, or the word itself",
    ),
]
_GATHERING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--by",
        {"choices": ("term", "overlap")},
        (
            "find clusters among articles: sentences that share a key term (an entity or a "
            "content word), or that share many n-grams"
        ),
    ),
    (
        "--min-size",
        {"type": _whole, "metavar": "N"},
        "the fewest sentences of a cluster (2)",
    ),
    (
        "--max-size",
        {"type": _whole, "metavar": "N"},
        "the most sentences of a cluster (100 around a term; else any number)",
    ),
    (
        "--min-documents",
        {"type": _whole, "metavar": "N"},
        "the fewest articles that the sentences come from (2 around a term, else 1)",
    ),
    (
        "--threshold",
        {"type": value(float, "a share from 0 to 1"), "metavar": "SHARE"},
        "how much n-gram overlap sentences of a cluster have at least",
    ),
    ("--most", {"type": _whole, "metavar": "N"}, "the most clusters"),
]


def parser() -> Parser:
    """Return the parser of the command."""
    made = Parser(
        prog="bitext cluster",
        description="Align comparable sentences by form and syntax, to a word lattice.",
        epilog=_EPILOG,
        conflict_handler="resolve",
    )
    made.add_argument("files", metavar="FILE", nargs="+", help="a cluster, or articles with --by")
    add_groups(
        made,
        {
            "reading": READING,
            "aligning": ALIGNING,
            "which sentences go together": _GATHERING,
            "judging": _JUDGING,
            "writing": _WRITING,
        },
    )
    add_output(made)
    made.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="write the lattice there: .json .dot .graphml .tei.xml .tsv .svg .html; for several "
        "clusters, a folder (default: the alignment table on standard output)",
    )
    return made
