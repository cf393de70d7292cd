"""Input of `cluster` and `paraphrase`: reading clusters, parsing and aligning their sentences."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from bitext.cli.common import value
from bitext.cli.console import Progress
from bitext.cli.request import JobRequest
from bitext.errors import InputError, OptionError
from bitext.paths import files_in, is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.words.options import WordOptions
    from bitext.formats.clusters import ClusterKind
    from bitext.formats.io.source import Notes
    from bitext.model import Cluster, Lattice, Sentence
    from bitext.syntax.parsers import Parser as SyntaxParser

__all__ = [
    "ALIGNING",
    "KINDS",
    "READING",
    "AligningRequest",
    "align",
    "check_stdin",
    "make_parser",
    "names_of",
    "not_english_notes",
    "note_lines",
    "parse",
    "read_clusters",
    "read_lattices",
]

_OF_SYNTAX = ("trace_weight", "max_distance", "match_threshold")  # options of the syntactic match
_AT_ONCE = 64  # sentences parsed between two updates of the progress; set by hand

_whole = value(int, "a whole number")


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

READING: list[tuple[str, dict[str, Any], str]] = [
    ("--trees", {"metavar": "FILE"}, "the Penn trees of the sentences, one for each"),
    (
        "--parser",
        {"metavar": "NAME"},
        (
            "what gives syntax to sentences that have none: english (built in), or one of "
            "'bitext methods'; none for none"
        ),
    ),
    (
        "--parser-option",
        {"metavar": "KEY=VALUE", "action": "append", "default": []},
        "an option of the parser, as model=en_core_web_md or command='parse --penn'; repeats",
    ),
    (
        "--from",
        {
            "dest": "kind",
            "choices": KINDS,
        },
        "what the files hold (default: from their names and contents)",
    ),
    (
        "--keep-aux",
        {"action": "store_true"},
        "keep the tags AUX and AUXG of older parsers (default: those of the Penn treebank)",
    ),
    ("--encoding", {"default": "utf-8"}, "of files that do not declare one"),
]
ALIGNING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--preset",
        {"metavar": "NAME"},
        (
            "V1 words; V2 words, no commas; V3 words, no commas or stop words; V4 syntax, no "
            "commas or stop words (default); V5 syntax, no commas"
        ),
    ),
    (
        "--forms",
        {"choices": ("casefold", "exact", "porter", "snowball")},
        "when forms are the same: without case (default), exactly, or by their stems",
    ),
    (
        "--stop-words",
        {"metavar": "FILE"},
        "the stop words of V3 and V4, with blanks or line ends between (default: English ones)",
    ),
    (
        "--left-out-gaps",
        {"action": "store_true"},
        "commas and stop words that are left out cost a gap each (default: nothing)",
    ),
    (
        "--figure4",
        {"action": "store_true"},
        "weight 1/2, and positions 0.4 apart do not match, as figure 4 of the paper has it",
    ),
    (
        "--trace-weight",
        {"type": _fraction, "metavar": "W"},
        "the weight of traces in the syntactic match, where chunks weigh 1 (1)",
    ),
    (
        "--max-distance",
        {"type": _fraction, "metavar": "SHARE"},
        "how far apart words may stand and match, as a share of their sentences (0.4)",
    ),
    (
        "--match-threshold",
        {"type": _fraction, "metavar": "SCORE"},
        "the least score of the syntactic match (0)",
    ),
    (
        "--borders",
        {"choices": ("free", "gap")},
        "whether words before the first match cost nothing (default) or a gap each",
    ),
    (
        "--order",
        {"choices": ("cluster", "similarity")},
        "the order in which sentences join (default: as in the cluster)",
    ),
    (
        "--normalise",
        {"action": "store_true"},
        "compare sentences by similarity for their lengths, so that long ones do not come first",
    ),
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
        for option, is_given in (
            ("--preset", self.preset is not None),
            ("--forms", self.forms is not None),
            ("--borders", self.borders is not None),
            ("--stop-words", self.stop_words is not None),
            ("--left-out-gaps", self.left_out_gaps),
            ("--figure4", self.figure4),
            ("--trace-weight", self.trace_weight is not None),
            ("--max-distance", self.max_distance is not None),
            ("--match-threshold", self.match_threshold is not None),
            ("--order", self.order is not None),
            ("--normalise", self.normalise),
            ("--trees", self.trees is not None),
            ("--parser", self.parser is not None),
        ):
            if is_given:
                raise OptionError(
                    f"{option} is for sentences; a lattice is aligned already: leave it out"
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
    from ast import literal_eval

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

    Returns
    -------
    lattices : list of Lattice
    signatures : list of str or None
        The signature of the aligner of each; None for those of files of lattices.
    notes : list of str
        Notes on the files.

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
    return inputs, [*note_lines(notes), *not_english_notes(clusters, request.parser, options)]


def not_english_notes(
    clusters: Sequence[Cluster], parser: str | None, options: WordOptions
) -> list[str]:
    """Return a note where the parser of English would parse text that does not look English."""
    if parser not in {None, "english"} or not options.syntax:
        return []
    from bitext.align.words.options import looks_english

    bare = _bare_sentences(clusters)
    if looks_english(form for sentence in bare for form in sentence.forms):
        return []
    fault = "do not look like English, which the built-in parser is for"
    return [
        f"{len(bare):,} sentences {fault}: give trees, another --parser, or --preset V1 or V2",
    ]


def _bare_sentences(clusters: Sequence[Cluster]) -> list[Sentence]:
    """Return the sentences without syntax, each once however many clusters it is in."""
    return list(dict.fromkeys(s for cluster in clusters for s in cluster if not s.analysed))


def note_lines(notes: Notes) -> list[str]:
    """Return the notes of a reader as lines, one a kind."""
    return [f"{note.kind}: {note.count:,}, first {note.first}" for note in notes.all()]


def parse(
    clusters: list[Cluster],
    request: AligningRequest,
    options: WordOptions,
    *,
    needed: bool = True,
) -> list[Cluster]:
    """Parse the sentences without syntax, each once however many clusters it is in.

    Where syntax is not `needed`, sentences are parsed only if --parser is given.
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
    """Refuse sentences without syntax for a preset that needs it."""
    for name, cluster in zip(names_of(clusters), clusters, strict=True):
        for label, sentence in zip(cluster.names, cluster, strict=True):
            if not sentence.analysed:
                raise InputError(
                    f"{name}: sentence {label} has no syntax, which {preset} needs: leave --parser "
                    f"none out, or give --preset V1, V2 or V3"
                )


def names_of(clusters: Sequence[Cluster]) -> list[str]:
    """Return the name of each cluster, or its number; repeated names get a number behind."""
    taken: dict[str, None] = {}
    for k, cluster in enumerate(clusters, start=1):
        name = cluster.id or str(k)
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name}-{number}"
        taken[free] = None
    return list(taken)


def check_stdin(paths: Sequence[str | None]) -> None:
    """Refuse standard input as more than one file."""
    if list(paths).count("-") > 1:
        raise OptionError("standard input (-) can be one file only")


def align(cluster: Cluster, request: AligningRequest, options: WordOptions) -> Lattice:
    """Align a cluster to a lattice."""
    from bitext.align import align_cluster

    return align_cluster(cluster, preset=options, **request.joining())
