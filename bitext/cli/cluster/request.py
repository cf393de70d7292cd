"""The request of `bitext cluster`, and the clusters that it and `bitext paraphrase` read."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import bitext
from bitext.cli.common import Parser, add_output
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs
from bitext.cli.option_tables import add_groups, add_options, option_of, options_of, value
from bitext.cli.request import JobRequest
from bitext.errors import InputError, OptionError
from bitext.paths import files_in, is_folder, no_folder

if TYPE_CHECKING:
    from bitext.align.words.options import WordOptions
    from bitext.formats.clusters import ClusterKind
    from bitext.formats.io.source import Notes
    from bitext.model import Cluster, Lattice, Sentence
    from bitext.syntax.parsers import Parser as SyntaxParser

_OF_SYNTAX = ("trace_weight", "max_distance", "match_threshold")  # options of the syntactic match
_AT_ONCE = 64  # sentences parsed between two updates of the progress; set by hand


def _number(text: str) -> str:
    """Check that a text is a number, `0.5` or `1/2`; return it, for the aligner to read exactly."""
    from fractions import Fraction

    try:
        Fraction(text)
    except ZeroDivisionError:
        raise ValueError from None
    return text


_fraction = value(_number, "a number, as 0.5 or 1/2")

# The kinds of `bitext.formats.clusters`, a module that --help does not import.
KINDS = ("text", "trees", "conll2000", "conll2003", "chunklink", "conllu", "tagged", "json")

READING = [
    *options_of("""
        --trees FILE  the Penn trees of the sentences, one for each
        --parser NAME
            the parser for sentences without syntax: english (built in), one of 'bitext methods', or
            none
        --parser-option KEY=VALUE ...
            an option of the parser, as model=en_core_web_md or command='parse --penn'; repeats
    """),
    option_of(
        "--from",
        "the format of the files (default: from their names and contents)",
        dest="kind",
        choices=KINDS,
    ),
    *options_of("""
        --keep-aux
            keep the tags AUX and AUXG of older parsers (default: those of the Penn treebank)
        --encoding ENCODING  of files that do not declare one
    """),
]
ALIGNING = [
    *options_of("""
        --preset NAME
            V1 words; V2 words, no commas; V3 words, no commas or stop words; V4 syntax, no commas
            or stop words (default); V5 syntax, no commas
        --forms {casefold,exact,porter,snowball}
            the comparison of forms: without case (default), exactly, or by their stems
        --stop-words FILE
            the stop words of V3 and V4, with blanks or line ends between (default: English ones)
        --left-out-gaps  commas and stop words that are left out cost a gap each (default: nothing)
        --figure4  weight 1/2, and positions 0.4 apart do not match, as in figure 4 of the paper
    """),
    option_of(
        "--trace-weight W",
        "the weight of traces in the syntactic match, where chunks weigh 1 (1)",
        type=_fraction,
    ),
    option_of(
        "--max-distance SHARE",
        "the greatest difference of the positions of matching words, as shares of their "
        "sentences (0.4)",
        type=_fraction,
    ),
    option_of(
        "--match-threshold SCORE", "the least score of the syntactic match (0)", type=_fraction
    ),
    *options_of("""
        --borders {free,gap}
            the cost of words before the first match: none (default), or a gap each
        --order {cluster,similarity}  the order in which sentences join (default: as in the cluster)
        --normalise
            compare sentences by similarity for their lengths, so that long ones do not come first
    """),
]


class AligningRequest(JobRequest):
    """The options of reading and aligning comparable sentences."""

    files: tuple[str, ...]
    trees: str | None = None
    kind: ClusterKind | None = None
    keep_aux: bool = False
    parser: str | None = None
    parser_option: tuple[str, ...] = ()
    preset: str | None = None
    forms: str | None = None
    stop_words: str | None = None
    left_out_gaps: bool = False
    figure4: bool = False
    trace_weight: str | None = None
    max_distance: str | None = None
    match_threshold: str | None = None
    borders: str | None = None
    order: str | None = None
    normalise: bool = False
    seed: int = 1
    report: bool = False

    def word_options(self) -> WordOptions:
        """Return the options of the word aligner; refuse those of no use to the preset."""
        from bitext.align.words.options import choose

        given: dict[str, Any] = {
            name: getattr(self, name) for name in ("forms", "borders", *_OF_SYNTAX)
        }
        given = {name: option for name, option in given.items() if option is not None}
        given |= {name: True for name in ("figure4", "left_out_gaps") if getattr(self, name)}
        if self.stop_words is not None:
            given["stop_words"] = _read_words(self.stop_words, self.encoding)
        options = choose(self.preset or "V4", **given)
        if self.report:  # of all presets
            return options
        if self.stop_words is not None and "stop-words" not in options.leave_out:
            raise OptionError(
                f"--stop-words is for presets without stop words, V3 and V4, and --preset "
                f"{self.preset} aligns them: leave it out"
            )
        if self.left_out_gaps and not options.leave_out:
            raise OptionError(
                f"--left-out-gaps is for presets that leave words out, and --preset {self.preset} "
                f"aligns all: leave it out"
            )
        idle = [name for name in ("figure4", *_OF_SYNTAX) if getattr(self, name)]
        if idle and not options.syntax:
            raise OptionError(
                f"--{idle[0].replace('_', '-')} is for words that match by syntax, and those of "
                f"--preset {self.preset} do not: leave it out"
            )
        return options

    def joining(self) -> dict[str, Any]:
        """Return the arguments of `align_cluster` about the order of sentences."""
        return {"order": self.order or "cluster", "normalise": self.normalise}

    def signature_of(self, options: WordOptions) -> str:
        """Return the choices that change a lattice, as one string."""
        normalised = "yes" if self.normalise else "no"
        return f"{options.signature}|order:{self.order or 'cluster'}|normalised:{normalised}"

    def refuse_aligning(self) -> None:
        """Refuse options of alignment, for input that is aligned already."""
        self.refuse(
            "--preset --forms --borders --stop-words --left-out-gaps --figure4 --trace-weight "
            "--max-distance --match-threshold --order --normalise --trees --parser",
            "OPTION is for sentences; a lattice is aligned already: leave it out",
        )


def _read_words(path: str, encoding: str) -> frozenset[str]:
    """Read the words of a file; lines that begin with # are comments."""
    from bitext.formats.io.source import open_source

    if path == "-":
        raise OptionError("--stop-words -: want the name of a file, not standard input")
    with open_source(path, encoding=encoding) as source:
        lines = [line for line in source.lines() if not line.lstrip().startswith("#")]
    words = frozenset(word for line in lines for word in line.split())
    if not words:
        raise InputError(
            f"{path}: has no word: name a file of stop words, with blanks or line ends"
        )
    return words


def make_parser(request: AligningRequest) -> SyntaxParser | None:
    """Return the parser of --parser, English by default; `None` for --parser none."""
    if request.parser == "none":
        if request.parser_option:
            raise OptionError("--parser-option without a parser: leave --parser none out")
        return None
    from bitext.syntax.parsers import parser_named

    options: dict[str, Any] = {}
    for item in request.parser_option:
        key, equals, text = item.partition("=")
        if not equals or not key:
            raise OptionError(f"--parser-option {item!r}: want KEY=VALUE, as model=NAME")
        options[key.replace("-", "_")] = _literal(text)
    return parser_named(request.parser or "english", **options)


def _literal(text: str) -> Any:
    """Return the number or truth value that `text` spells, else `text` itself."""
    try:
        value = literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, int | float | bool) else text


def read_clusters(
    request: AligningRequest, options: WordOptions
) -> tuple[list[Cluster], list[str]]:
    """Read one cluster a file; return the clusters and notes on the files."""
    from bitext.model import Lattice

    inputs, notes = _read_files(request, options)
    return [one.cluster if isinstance(one, Lattice) else one for one in inputs], notes


def read_lattices(
    request: AligningRequest, options: WordOptions
) -> tuple[list[Lattice], list[str | None], list[str]]:
    """Read lattices, and align clusters to lattices; a folder gives the lattices in it.

    Returns the lattices, the signature of the aligner of each (`None` for those of files of
    lattices), and notes on the files.
    """
    from bitext.model import Lattice

    files = [path for given in request.files for path in _lattices_in(given)]
    inputs, notes = _read_files(request.replaced(files=tuple(files)), options)
    clusters = [one for one in inputs if not isinstance(one, Lattice)]
    if len(clusters) < len(inputs):
        request.refuse_aligning()
    parsed = iter(parse(clusters, request, options))
    lattices = [
        one if isinstance(one, Lattice) else align(next(parsed), request, options) for one in inputs
    ]
    signature = request.signature_of(options)
    signatures = [None if isinstance(one, Lattice) else signature for one in inputs]
    return lattices, signatures, notes


def _lattices_in(path: str) -> list[str]:
    """Return the JSON files in a folder, sorted; a file is returned as it is."""
    from bitext.formats.io.compression import unpacked

    if path in {"", "-"} or not is_folder(path):
        return [path]
    inside = [str(file) for file in files_in(path) if unpacked(file.name).endswith(".json")]
    return inside or [path]  # which is refused


def _read_files(
    request: AligningRequest, options: WordOptions
) -> tuple[list[Cluster | Lattice], list[str]]:
    from bitext.formats.clusters import read_comparable
    from bitext.formats.io.source import Notes
    from bitext.model import Cluster

    paths = request.files
    if request.trees is not None and len(paths) != 1:
        raise OptionError("--trees names the trees of one file: give one FILE")
    if "" in paths:
        raise InputError("FILE is empty: want the name of a file, or - for standard input")
    folder = next((path for path in paths if path != "-" and is_folder(path)), None)
    if folder is not None:
        raise InputError(
            f"{folder}: is a folder; 'bitext cluster {folder} --by term' finds clusters among the "
            f"articles in it"
        )
    notes = Notes()
    inputs = [
        one
        for path in paths
        for one in read_comparable(
            path,
            trees=request.trees,
            kind=request.kind,
            encoding=request.encoding,
            aux=not request.keep_aux,
            notes=notes,
        )
    ]
    clusters = [one for one in inputs if isinstance(one, Cluster)]
    if request.keep_aux and all(s.tree is None for cluster in clusters for s in cluster):
        raise OptionError(f"--keep-aux is for trees, and {', '.join(paths)} has none: leave it out")
    return inputs, [*note_lines(notes), *script_notes(clusters, request.parser, options)]


def script_notes(
    clusters: Sequence[Cluster], parser: str | None, options: WordOptions
) -> list[str]:
    """Return notes on text without blanks between words, and text that the parser is not for."""
    from bitext.align.words.options import looks_english
    from bitext.model.languages import lacks_blanks

    bare = _bare_sentences(clusters)
    lines = []
    if lacks_blanks(sentence.text for sentence in bare):
        fault = "have no blanks between words, and are cut at punctuation marks only"
        lines.append(
            f"{len(bare):,} sentences {fault}: give them tokenised, or as columns or trees"
        )
    if parser not in {None, "english"} or not options.syntax:
        return lines
    if not looks_english(form for sentence in bare for form in sentence.forms):
        fault = "do not look like English, which the built-in parser is for"
        lines.append(
            f"{len(bare):,} sentences {fault}: give trees, another --parser, or --preset V1 or V2"
        )
    return lines


def _bare_sentences(clusters: Sequence[Cluster]) -> list[Sentence]:
    """Return the sentences without syntax, each once however many clusters it is in."""
    return list(dict.fromkeys(s for cluster in clusters for s in cluster if not s.analysed))


def note_lines(notes: Notes) -> list[str]:
    """Return the notes of a reader as lines, one a kind."""
    return [f"{note.kind}: {note.count:,}, first {note.first}" for note in notes.all()]


def parse(
    clusters: list[Cluster], request: AligningRequest, options: WordOptions, *, needed: bool = True
) -> list[Cluster]:
    """Parse the sentences without syntax, each once however many clusters it is in.

    If syntax is not `needed`, sentences are parsed only if --parser is given.
    """
    parser = make_parser(request)
    bare = _bare_sentences(clusters)
    if not bare or (not needed and request.parser is None):
        return clusters
    if parser is None:
        if options.syntax and not request.report:
            _refuse_bare(clusters, request.preset or "V4")
        return clusters
    from bitext.model import Cluster
    from bitext.syntax.parsers import analyse

    parts = [bare[k : k + _AT_ONCE] for k in range(0, len(bare), _AT_ONCE)]
    progress = Progress("parsing", len(bare), quiet=request.quiet)
    parsed: dict[Sentence, Sentence] = {}
    with closing(progress.over(parts, size=len)) as items:
        for part in items:
            parsed.update(zip(part, analyse(Cluster(part), parser), strict=True))
    return [Cluster([parsed.get(s, s) for s in cluster], id=cluster.id) for cluster in clusters]


def _refuse_bare(clusters: list[Cluster], preset: str) -> None:
    for name, cluster in zip(names_of(clusters), clusters, strict=True):
        for label, sentence in zip(cluster.names, cluster, strict=True):
            if not sentence.analysed:
                raise InputError(
                    f"{name}: sentence {label} has no syntax, which {preset} needs: leave --parser "
                    f"none out, or give --preset V1, V2 or V3"
                )


def names_of(clusters: Sequence[Cluster]) -> list[str]:
    """Return the name of each cluster, or its number; repeated names get a number."""
    return distinct_names(cluster.id or str(k) for k, cluster in enumerate(clusters, start=1))


def distinct_names(names: Iterable[str], reserved: str = "") -> list[str]:
    """Return names of which those that repeat, or are `reserved`, get a number."""
    taken = {reserved: None}
    for name in names:
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name}-{number}"
        taken[free] = None
    return list(taken)[1:]


def check_stdin(paths: Sequence[str | None]) -> None:
    """Refuse standard input as more than one file."""
    if list(paths).count("-") > 1:
        raise OptionError("standard input (-) can be one file only")


def align(cluster: Cluster, request: AligningRequest, options: WordOptions) -> Lattice:
    """Align a cluster to a lattice."""
    from bitext.align import align_cluster

    return align_cluster(cluster, preset=options, **request.joining())


# The options of `bitext cluster`, its request, and the checks of both.


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

# Endings of the table of a report
_OF_REPORT = {".json", ".tsv", ".csv", ".md", ".tex", ".txt", ""}
DRAWN = {"html": (".html", ".htm"), "svg": (".svg",)}  # kinds of files that show a drawing
_WITH_SYNTAX = {"json", "graphml", "html"}  # kinds of files with the syntax of sentences

_EXCLUDING = {
    "--explain": {"--report", "--json", "--format", "--to", "--html", "--minimise"},
    "--report": {"--to", "--html", "--minimise"},
}
_NEEDING_BY = {
    *("--min-size", "--max-size", "--min-documents", "--most", "--threshold", "--main-text")
}
_NEEDING_EVENTS = {"--events", "--event-threshold"}

_WRITING = options_of("""
    --to {json,dot,graphml,tei,tsv,svg,html}  the output format (default: by the ending of -o)
    --html FILE  also write a page: the lattice drawn, its sources, paraphrases and figures
    --minimise  write the smallest automaton that accepts the same sentences (.json, .dot)
    --seed N:whole  the seed of random draws for --html and --report (1)
""")
_OUTPUT = options_of("""
    -o --output FILE
        write the lattice there: .json .dot .graphml .tei.xml .tsv .svg .html; for several clusters,
        a folder (default: the alignment table on standard output)
""")
_JUDGING = [
    *options_of("""
        --report  the five presets side by side: size, repetition ratio, edgain, novelty
        --gold LATTICE
            with --report: precision, recall and F1 of word links against this lattice (.json), or
            those of a folder, one for each cluster
        --per-cluster  with --report: the figures of every cluster too
    """),
    option_of(
        "--explain",
        "explain the match of two words, or its absence: sentence and word, by number from 1, "
        "or the word itself",
        nargs=2,
        metavar=("S:W", "S:W"),
    ),
]
_GATHERING = options_of("""
    --by {event,term,overlap}
        find clusters among articles: all sentences on one event; sentences of an event that share a
        key term (an entity or a content word); or those that share many n-grams
    --main-text
        for articles in HTML: read the main text, without menus, headers, footers and asides
    --events N:whole
        the number of events that the articles are grouped by (default: by their words)
    --event-threshold SHARE:share  the least mean similarity of articles on one event (0.1)
    --min-size N:whole  the fewest sentences of a cluster (2)
    --max-size N:whole  the most sentences of a cluster (100 around a term; else any number)
    --min-documents N:whole  the fewest articles with sentences in a cluster (1 by overlap, else 2)
    --threshold SHARE:share  the least n-gram overlap of the sentences of a cluster (0.1)
    --most N:whole  the most clusters; by term, of each event
""")


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """The checked values of a request."""

    by_jobs: bool  # whether jobs align the clusters, or shards are merged
    kind: str | None  # the kind of file that lattices are written to; `None` for a table or --json
    style: str  # `json`, or the style of tables
    printed: ClusterRequest  # the request, with the output of tables; a file of a lattice is none
    options: WordOptions  # the options of the word aligner
    needs_syntax: bool  # whether the aligner or a file needs the syntax of sentences
    signature: str  # the choices that change a lattice, as it stands in JSON


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
        by_jobs = self.uses_jobs()
        if by_jobs and (self.explain or self.report):
            raise OptionError(
                "--explain and --report cannot be combined with jobs: leave --jobs and the like out"
            )
        self.refuse_unwritten()
        for place in (self.output, self.html):
            if place is not None:
                _check_place(place)
        kind = self._kind()
        self._check(kind)
        check_stdin([*self.files, self.trees, self.gold])
        self.refuse_streams([*self.files, self.trees], read_here=True)
        # The name of a file of lattices is not to be taken for that of a table.
        printed = self.replaced(output="-" if kind is not None else self.output)
        style = printed.style()
        options = self.word_options()
        kinds = {kind, "json" if self.json else None, "html" if self.html else None}
        needs_syntax = options.syntax or bool(kinds & _WITH_SYNTAX)
        signature = f"{self.signature_of(options)}|bitext:{bitext.__version__}"
        return ClusterPlan(by_jobs, kind, style, printed, options, needs_syntax, signature)

    def names_folder(self, place: str) -> bool:
        """Check whether lattices go to a folder: NAME/, or for many files a bare NAME."""
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
        given_options = self.given(
            *("--preset", "--order", "--normalise", "--explain", "--report", "--json", "--format"),
            *("--to", "--html", "--minimise", "--gold", "--per-cluster", "--min-size"),
            *("--max-size", "--min-documents", "--most", "--threshold", "--events"),
            *("--event-threshold", "--main-text"),
        )
        for first, others in _EXCLUDING.items():
            second = next((name for name in given_options if name in others), None)
            if first in given_options and second is not None:
                raise OptionError(f"{first} and {second} exclude each other: give one")
        if self.report and self.preset is not None:
            raise OptionError(
                "--preset is for one aligner, and the report has all five (--report): leave it out"
            )
        self._check_needs(given_options)
        self.refuse_below(seed=0)
        if self.given("--seed") and not (self.report or self.html or kind == "html"):
            raise OptionError(
                f"--seed {self.seed} is for what is drawn at random, in --html and --report: leave "
                f"it out"
            )
        self._check_limits()
        self._check_output(kind)
        self.refuse_inputs([*self.files, self.trees, self.gold, self.stop_words])

    def _check_needs(self, given_options: Sequence[str]) -> None:
        """Refuse options without the option that they belong to."""
        for name in given_options:
            if name in _NEEDING_BY and not self.by:
                raise OptionError(f"{name} is for --by: give --by term or --by overlap")
            if name in {"--gold", "--per-cluster"} and not self.report:
                raise OptionError(f"{name} is for --report: give both")
            if name in _NEEDING_EVENTS and self.by not in {"event", "term"}:
                raise OptionError(f"{name} is for --by event and --by term: give one of them")
        if self.by and self.kind not in {None, "text"}:
            raise OptionError(
                f"--from {self.kind} is for a cluster, and --by takes articles, which are texts: "
                f"leave it out"
            )
        if self.by in {"event", "term"} and self.threshold is not None:
            raise OptionError("--threshold is for --by overlap: leave it out")
        self.refuse_both("--events", "--event-threshold")

    def _check_limits(self) -> None:
        """Refuse numbers and sizes of clusters that none can have."""
        self.refuse_below(min_size=2, min_documents=1, most=1, events=1)
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
        self.check_page(printed=kind is not None)
        ending = Path(self.output).suffix.lower()
        if self.report and ending not in _OF_REPORT:
            raise OptionError(
                f"-o {self.output}: a report is .json, .tsv, .md, .tex or .txt (or .csv)"
            )


def _check_place(place: str) -> None:
    """Refuse a place that cannot be written to, before the work."""
    if not place.strip():
        raise OptionError("-o or --html names no file: want a name, or - for standard output")
    if place == "-" or place.endswith("/"):
        return
    from bitext.formats.io.remote import local_path

    local = local_path(place)
    if local is not None and not is_folder(local.parent):
        raise no_folder(place, local.parent)


def parser() -> Parser:
    """Return the parser."""
    command_parser = Parser(
        prog="bitext cluster",
        description="Align comparable sentences by form and syntax, to a word lattice.",
        epilog=_EPILOG,
        conflict_handler="resolve",
    )
    command_parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a cluster, or articles with --by"
    )
    add_groups(
        command_parser,
        {
            "reading": READING,
            "aligning": ALIGNING,
            "clusters from articles": _GATHERING,
            "judging": _JUDGING,
            "writing": _WRITING,
        },
    )
    add_output(command_parser)
    add_options(command_parser, _OUTPUT)
    return add_jobs(command_parser)
