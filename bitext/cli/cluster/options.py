"""The options of `bitext cluster`, its request, and the checks of both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import bitext
from bitext.cli.cluster.inputs import ALIGNING, READING, AligningRequest, check_stdin
from bitext.cli.common import (
    Parser,
    add_groups,
    add_output,
    check_page_name,
    refuse_inputs,
    style_of,
    value,
)
from bitext.cli.job_options import add_jobs, refuse_streams, refuse_unwritten, uses_jobs
from bitext.errors import InputError, OptionError
from bitext.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.words.options import WordOptions

__all__ = ["DRAWN", "ClusterPlan", "ClusterRequest", "parser"]

_EPILOG = """\
FILE holds the sentences of one cluster: plain text with one sentence a line, Penn trees, CoNLL
columns, or JSON. Raw English is parsed by the built-in parser. With --by, FILE are articles, or
folders of them, and clusters are found among their sentences; articles of several events are
grouped by event first. Articles are plain text or documents: HTML, DOCX, ODT, EPUB, PDF and others.

examples:
  bitext cluster news.txt
  bitext cluster news.txt -o lattice.json --html lattice.html
  bitext cluster news.trees --report
  bitext cluster news.trees --explain 1:fire 3:fire
  bitext cluster articles/ --by event --html pages/
  bitext cluster articles/ --by term -o lattices/
  bitext cluster a.html b.html c.docx --by event --main-text
"""

_OF_REPORT = {".json", ".tsv", ".md", ".tex", ".txt", ""}  # endings of the table of a report
DRAWN = {"html": (".html", ".htm"), "svg": (".svg",)}  # kinds of files that show a drawing
_WITH_SYNTAX = {"json", "graphml", "html"}  # kinds of files with the syntax of sentences

_EXCLUDING = {
    "--explain": {"--report", "--json", "--format", "--to", "--html", "--minimise"},
    "--report": {"--to", "--html", "--minimise"},
}
# Options of no use beside the first, and the reason.
_IDLE = {
    "--report": ({"--preset"}, "for one aligner, and the report has all five"),
}
_NEEDING_BY = {
    *("--min-size", "--max-size", "--min-documents", "--most", "--threshold", "--main-text"),
}
_NEEDING_EVENTS = {"--events", "--event-threshold"}

_whole = value(int, "a whole number")
_SEED = 1

_WRITING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--to",
        {"choices": ("json", "dot", "graphml", "tei", "tsv", "svg", "html")},
        "what to write (default: by the ending of -o)",
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
        {"choices": ("event", "term", "overlap")},
        (
            "find clusters among articles: all sentences on one event; sentences of an event that "
            "share a key term (an entity or a content word); or those that share many n-grams"
        ),
    ),
    (
        "--main-text",
        {"action": "store_true"},
        "of articles in HTML: the main text, without menus, headers, footers and asides",
    ),
    (
        "--events",
        {"type": _whole, "metavar": "N"},
        "the number of events that the articles are grouped by (default: by their words)",
    ),
    (
        "--event-threshold",
        {"type": value(float, "a share from 0 to 1"), "metavar": "SHARE"},
        "how similar articles on one event are at least, on average (0.1)",
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
        "the fewest articles that the sentences come from (1 by overlap, else 2)",
    ),
    (
        "--threshold",
        {"type": value(float, "a share from 0 to 1"), "metavar": "SHARE"},
        "how much n-gram overlap sentences of a cluster have at least",
    ),
    ("--most", {"type": _whole, "metavar": "N"}, "the most clusters; by term, of each event"),
]


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """The checked values of a request.

    Attributes
    ----------
    by_jobs : bool
        Whether jobs align the clusters, or shards are merged.
    kind : str or None
        The kind of file that lattices are written to; `None` for a table or --json.
    style : str
        `json`, or the style of tables.
    printed : ClusterRequest
        The request, with the output of tables; a file of a lattice is none.
    options : WordOptions
        The options of the word aligner.
    needs_syntax : bool
        Whether the aligner or a file needs the syntax of sentences.
    signature : str
        The choices that change a lattice, as it stands in JSON.

    """

    by_jobs: bool
    kind: str | None
    style: str
    printed: ClusterRequest
    options: WordOptions
    needs_syntax: bool
    signature: str


class ClusterRequest(AligningRequest):
    """The request of `bitext cluster`; the fields are its options."""

    to: str | None = None
    minimise: bool = False
    gold: str | None = None
    per_cluster: bool = False
    explain: tuple[str, ...] | None = None
    by: Literal["event", "term", "overlap"] | None = None
    main_text: bool = False
    events: int | None = None
    event_threshold: float | None = None
    min_size: int | None = None
    max_size: int | None = None
    min_documents: int | None = None
    threshold: float | None = None
    most: int | None = None

    def resolve(self) -> ClusterPlan:
        """Check options and paths before any work; return the plan."""
        by_jobs = uses_jobs(self)
        if by_jobs and (self.explain or self.report):
            raise OptionError(
                "--explain and --report are not done by jobs: leave --jobs and such out"
            )
        refuse_unwritten(self)
        for place in (self.output, self.html):
            if place is not None:
                _check_place(place)
        kind = self._kind()
        self._check(kind)
        check_stdin([*self.files, self.trees, self.gold])
        refuse_streams([*self.files, self.trees], self, read_here=True)
        # The name of a file of lattices is not to be taken for that of a table.
        printed = self.replaced(output="-" if kind is not None else self.output)
        style = style_of(printed)
        options = self.word_options()
        kinds = {kind, "json" if self.json else None, "html" if self.html else None}
        needs_syntax = options.syntax or bool(kinds & _WITH_SYNTAX)
        signature = f"{self.signature_of(options)}|bitext:{bitext.__version__}"
        return ClusterPlan(by_jobs, kind, style, printed, options, needs_syntax, signature)

    def names_folder(self, place: str) -> bool:
        """Return whether a place of lattices is a folder: NAME/, or NAME of many files."""
        from bitext.formats.io.remote import is_folder_at

        many = bool(self.by) or len(self.files) > 1
        if place == "-":
            return False
        return place.endswith("/") or (many and not Path(place).suffix) or is_folder_at(place)

    def _kind(self) -> str | None:
        if self.to:
            return str(self.to)
        if self.output == "-" or self.report or self.explain:
            return None
        from bitext.formats.io.compression import unpacked
        from bitext.formats.lattices import kind_of

        name = unpacked(self.output).lower()
        drawn = next((kind for kind, ends in DRAWN.items() if name.endswith(ends)), None)
        if drawn:
            return drawn
        known = kind_of(self.output)
        if known:
            return known.name
        if self.json or self.names_folder(self.output):
            return "json"
        if self.format:
            return None
        raise OptionError(
            f"-o {self.output}: the name does not show what to write; want .json, .dot, .graphml, "
            f".tei.xml, .tsv, .svg or .html, or give --to"
        )

    def _check(self, kind: str | None) -> None:
        """Refuse options that do not go together, and outputs that would replace an input."""
        given = {
            "--preset": self.preset is not None,
            "--order": self.order is not None,
            "--normalise": self.normalise,
            "--explain": bool(self.explain),
            "--report": self.report,
            "--json": self.json,
            "--format": self.format is not None,
            "--to": self.to is not None,
            "--html": self.html is not None,
            "--minimise": self.minimise,
            "--gold": self.gold is not None,
            "--per-cluster": self.per_cluster,
            "--min-size": self.min_size is not None,
            "--max-size": self.max_size is not None,
            "--min-documents": self.min_documents is not None,
            "--most": self.most is not None,
            "--threshold": self.threshold is not None,
            "--events": self.events is not None,
            "--event-threshold": self.event_threshold is not None,
            "--main-text": self.main_text,
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
        self._check_needs(there)
        if self.seed < 0:
            raise OptionError(f"--seed {self.seed}: want 0 or more")
        if self.seed != _SEED and not (self.report or self.html or kind == "html"):
            raise OptionError(
                f"--seed {self.seed} is for what is drawn at random, in --html and --report: leave "
                f"it out"
            )
        self._check_limits()
        self._check_output(kind)
        refuse_inputs([*self.files, self.trees, self.gold, self.stop_words], self)

    def _check_needs(self, there: Sequence[str]) -> None:
        """Refuse options without the option that they belong to."""
        for name in there:
            if name in _NEEDING_BY and not self.by:
                raise OptionError(f"{name} is for --by: give --by term or --by overlap")
            if name in {"--gold", "--per-cluster"} and not self.report:
                raise OptionError(f"{name} is for --report: give both")
            if name in _NEEDING_EVENTS and self.by not in {"event", "term"}:
                raise OptionError(f"{name} is for --by event and --by term: give one of them")
        if self.by in {"event", "term"} and self.threshold is not None:
            raise OptionError("--threshold is for --by overlap: leave it out")
        if self.events is not None and self.event_threshold is not None:
            raise OptionError("--events and --event-threshold exclude each other: give one")

    def _check_limits(self) -> None:
        """Refuse numbers and sizes of clusters that none can have."""
        for name, least in (("min_size", 2), ("min_documents", 1), ("most", 1), ("events", 1)):
            held = getattr(self, name)
            if held is not None and held < least:
                raise OptionError(f"--{name.replace('_', '-')} {held}: want {least} or more")
        fewest = 2 if self.min_size is None else self.min_size
        if self.max_size is not None and self.max_size < fewest:
            raise OptionError(f"--max-size {self.max_size}: want {fewest} (--min-size) or more")
        for name in ("threshold", "event_threshold"):
            share = getattr(self, name)
            if share is not None and not 0 < share <= 1:
                option = f"--{name.replace('_', '-')}"
                raise OptionError(f"{option} {share:g}: want above 0, and up to 1")

    def _check_output(self, kind: str | None) -> None:
        if self.json and kind not in {None, "json"}:
            raise OptionError(f"--json and {kind} exclude each other: give one")
        if self.format and kind is not None:
            raise OptionError(f"--format is for tables, and {kind} is written: give one")
        if self.minimise and kind not in {"json", "dot"} and not self.json:
            raise OptionError("--minimise writes .json or .dot: give -o FILE.json or --to dot")
        if self.html is not None and self.html == self.output and self.html != "-":
            raise OptionError(f"-o and --html both name {self.html}: give each a file of its own")
        check_page_name(self)
        if self.html == "-" and (self.json or self.format or kind is not None):
            raise OptionError("--html - takes standard output: name a file for one of the two")
        ending = Path(self.output).suffix.lower()
        if self.report and ending not in _OF_REPORT:
            raise OptionError(f"-o {self.output}: a report is .json, .tsv, .md, .tex or .txt")


def _check_place(place: str) -> None:
    """Refuse a place that cannot be written to, before the work."""
    if not place.strip():
        raise OptionError("-o or --html names no file: want a name, or - for standard output")
    if place == "-" or place.endswith("/"):
        return
    from bitext.formats.io.remote import local_path

    here = local_path(place)
    if here is not None and not is_folder(here.parent):
        raise InputError(f"{place}: no folder {here.parent}; make it first")


def parser() -> Parser:
    """Return the parser."""
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
    return add_jobs(made)
