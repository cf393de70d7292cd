"""The arguments of `bitext cluster`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.cluster.inputs import ALIGNING, READING
from bitext.cli.common import Parser, add_groups, add_output, refuse_inputs, value
from bitext.errors import OptionError

if TYPE_CHECKING:
    from bitext.cli.cluster.request import ClusterRequest

__all__ = ["check", "parser"]

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

_OF_REPORT = {".json", ".tsv", ".md", ".tex", ".txt", ""}  # endings of the table of a report

_EXCLUDING = {
    "--explain": {"--report", "--json", "--format", "--to", "--html", "--minimise"},
    "--report": {"--to", "--html", "--minimise"},
}
# What is of no use beside the first, and why.
_IDLE = {
    "--report": ({"--preset"}, "for one aligner, and the report has all five"),
}
_NEEDING_BY = {"--min-size", "--max-size", "--min-documents", "--most", "--threshold"}

_whole = value(int, "a whole number")
_SEED = 1

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
    (
        "--seed",
        {"type": _whole, "default": _SEED, "metavar": "N"},
        "of what is drawn by chance, for --html and --report (1)",
    ),
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
        (
            "with --report: precision, recall and F1 of word links against this lattice (.json), "
            "or those of a folder, one for each cluster"
        ),
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


def check(request: ClusterRequest, kind: str | None) -> None:
    """Refuse options that do not go together, before the work.

    Raises
    ------
    OptionError
        Naming the options and what to do.

    """
    given = {
        "--preset": request.preset is not None,
        "--order": request.order is not None,
        "--normalise": request.normalise,
        "--explain": bool(request.explain),
        "--report": request.report,
        "--json": request.json,
        "--format": request.format is not None,
        "--to": request.to is not None,
        "--html": request.html is not None,
        "--minimise": request.minimise,
        "--gold": request.gold is not None,
        "--per-cluster": request.per_cluster,
        "--min-size": request.min_size is not None,
        "--max-size": request.max_size is not None,
        "--min-documents": request.min_documents is not None,
        "--most": request.most is not None,
        "--threshold": request.threshold is not None,
    }
    there = [name for name, is_given in given.items() if is_given]
    for first, others in _EXCLUDING.items():
        second = next((name for name in there if name in others), None)
        if first in there and second is not None:
            raise OptionError(f"{first} and {second} exclude each other: give one")
    for first, (others, why) in _IDLE.items():
        second = next((name for name in there if name in others), None)
        if first in there and second is not None:
            raise OptionError(f"{second} is {why} ({first}): leave it out")
    for name in there:
        if name in _NEEDING_BY and not request.by:
            raise OptionError(f"{name} is for --by: give --by term or --by overlap")
        if name in {"--gold", "--per-cluster"} and not request.report:
            raise OptionError(f"{name} is for --report: give both")
    if request.by == "term" and request.threshold is not None:
        raise OptionError("--threshold is for --by overlap: leave it out")
    if request.seed < 0:
        raise OptionError(f"--seed {request.seed}: want 0 or more")
    if request.seed != _SEED and not (request.report or request.html or kind == "html"):
        raise OptionError(
            f"--seed {request.seed} is of what is drawn by chance, for --html and --report: leave "
            f"it out"
        )
    _check_limits(request)
    _check_output(request, kind)
    refuse_inputs([*request.files, request.trees, request.gold, request.stop_words], request)


def _check_limits(request: ClusterRequest) -> None:
    """Refuse numbers and sizes of clusters that none can have."""
    for name, least in (("min_size", 2), ("min_documents", 1), ("most", 1)):
        held = getattr(request, name)
        if held is not None and held < least:
            raise OptionError(f"--{name.replace('_', '-')} {held}: want {least} or more")
    fewest = 2 if request.min_size is None else request.min_size
    if request.max_size is not None and request.max_size < fewest:
        raise OptionError(f"--max-size {request.max_size}: want {fewest} (--min-size) or more")
    if request.threshold is not None and not 0 < request.threshold <= 1:
        raise OptionError(f"--threshold {request.threshold:g}: want above 0, and up to 1")


def _check_output(request: ClusterRequest, kind: str | None) -> None:
    if request.json and kind not in {None, "json"}:
        raise OptionError(f"--json and {kind} exclude each other: give one")
    if request.format and kind is not None:
        raise OptionError(f"--format is for tables, and {kind} is written: give one")
    if request.minimise and kind not in {"json", "dot"} and not request.json:
        raise OptionError("--minimise writes .json or .dot: give -o FILE.json or --to dot")
    if request.html is not None and request.html == request.output and request.html != "-":
        raise OptionError(f"-o and --html both name {request.html}: give each a file of its own")
    if request.html == "-" and (request.json or request.format or kind is not None):
        raise OptionError("--html - takes standard output: name a file for one of the two")
    ending = Path(request.output).suffix.lower()
    if request.report and ending not in _OF_REPORT:
        raise OptionError(f"-o {request.output}: a report is .json, .tsv, .md, .tex or .txt")
