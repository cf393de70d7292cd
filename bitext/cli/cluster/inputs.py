"""What `cluster` and `paraphrase` share: reading clusters, giving them syntax, aligning them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from bitext.cli.common import value
from bitext.cli.console import Progress
from bitext.errors import InputError, OptionError
from bitext.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.words.options import WordOptions
    from bitext.cli.cluster.request import AligningRequest, ClusterRequest
    from bitext.formats.io.source import Notes
    from bitext.model import Cluster, Lattice, Sentence
    from bitext.syntax.parsers import Parser as SyntaxParser

__all__ = [
    "ALIGNING",
    "KINDS",
    "READING",
    "aligned",
    "analysed",
    "check_stdin",
    "chosen",
    "joining",
    "names_of",
    "of_articles",
    "read_clusters",
    "read_lattices",
]

_AT_ONCE = 64  # sentences parsed between two signs of progress

_whole = value(int, "a whole number")

# Those of `bitext.formats.clusters`, which is not imported before it is needed.
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
        "what the files hold (default: told by their names and contents)",
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
        "--figure4",
        {"action": "store_true"},
        "weight 1/2, and positions 0.4 apart do not match, as figure 4 of the paper has it",
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


def parser_of(request: AligningRequest) -> SyntaxParser | None:
    """Return the parser asked for; None where none is wanted."""
    if request.parser == "none":
        if request.parser_option:
            raise OptionError("--parser-option without a parser: leave --parser none out")
        return None
    from bitext.syntax.parsers import parser_named

    given: dict[str, Any] = {}
    for item in request.parser_option:
        key, equals, held = item.partition("=")
        if not equals or not key:
            raise OptionError(f"--parser-option {item!r}: want KEY=VALUE, as model=NAME")
        given[key.replace("-", "_")] = _literal(held)
    return parser_named(request.parser or "english", **given)


def _literal(held: str) -> Any:
    """Return the number or truth value that is written there, or what is written."""
    from ast import literal_eval

    try:
        found = literal_eval(held)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return held
    return found if isinstance(found, int | float | bool) else held


def read_clusters(
    paths: Sequence[str], request: AligningRequest
) -> tuple[list[Cluster], list[str]]:
    """Read one cluster a file, and return them with notes on what was odd."""
    from bitext.model import Lattice

    found, notes = _read_all(paths, request)
    return [one.cluster if isinstance(one, Lattice) else one for one in found], notes


def read_lattices(
    paths: Sequence[str], request: AligningRequest
) -> tuple[list[Lattice], list[str]]:
    """Return the lattices of the files: as they stand there, or of clusters aligned now."""
    from bitext.model import Lattice

    found, notes = _read_all(paths, request)
    clusters = [one for one in found if not isinstance(one, Lattice)]
    if len(clusters) < len(found):
        _refuse_aligning(request)
    ready = iter(analysed(clusters, request))
    lattices = [one if isinstance(one, Lattice) else aligned(next(ready), request) for one in found]
    return lattices, notes


def _refuse_aligning(request: AligningRequest) -> None:
    """Refuse options that would tell how to align what is a lattice already."""
    given = {
        "--preset": request.preset is not None,
        "--forms": request.forms is not None,
        "--borders": request.borders is not None,
        "--stop-words": request.stop_words is not None,
        "--figure4": request.figure4,
        "--order": request.order is not None,
        "--normalise": request.normalise,
        "--trees": request.trees is not None,
        "--parser": request.parser is not None,
    }
    name = next((name for name, there in given.items() if there), None)
    if name is not None:
        raise OptionError(f"{name} is for sentences; a lattice is aligned already: leave it out")


def _read_all(
    paths: Sequence[str], request: AligningRequest
) -> tuple[list[Cluster | Lattice], list[str]]:
    from bitext.formats.clusters import read_comparable
    from bitext.formats.io.source import Notes
    from bitext.model import Cluster

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
    found = [
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
    trees = (s.tree for one in found if isinstance(one, Cluster) for s in one)
    if request.keep_aux and all(tree is None for tree in trees):
        raise OptionError(f"--keep-aux is of trees, and {', '.join(paths)} has none: leave it out")
    bare = [one for one in found if isinstance(one, Cluster)]
    return found, [*told_by(notes), *_not_english(bare, request)]


def _not_english(clusters: Sequence[Cluster], request: AligningRequest) -> list[str]:
    """Return a note where the built-in parser is to read what does not look like English."""
    if request.parser not in {None, "english"} or not chosen(request).syntax:
        return []
    from bitext.align.words.options import looks_english

    bare = dict.fromkeys(s for cluster in clusters for s in cluster if not s.analysed)
    if looks_english(form for sentence in bare for form in sentence.forms):
        return []
    told = "do not look like English, which the built-in parser is for"
    return [
        f"{len(bare):,} sentences {told}: give trees, another --parser, or --preset V1 or V2",
    ]


def told_by(notes: Notes) -> list[str]:
    """Return what a reader found odd, a line a kind."""
    return [f"{note.kind}: {note.count:,}, first {note.first}" for note in notes.all()]


def analysed(
    clusters: list[Cluster], request: AligningRequest, *, wanted: bool = True
) -> list[Cluster]:
    """Give syntax to the sentences that have none, to each once however many clusters it is in.

    Unless it is `wanted` only a parser that was asked for is run.
    """
    parser = parser_of(request)
    bare = list(dict.fromkeys(s for cluster in clusters for s in cluster if not s.analysed))
    if not bare or (not wanted and request.parser is None):
        return clusters
    if parser is None:
        return _without_parser(clusters, request)
    from bitext.model import Cluster
    from bitext.syntax.analysis import analyse

    parts = [bare[k : k + _AT_ONCE] for k in range(0, len(bare), _AT_ONCE)]
    progress = Progress("parsing", len(bare), quiet=request.quiet)
    known: dict[Sentence, Sentence] = {}
    with closing(progress.over(parts, size=len)) as items:
        for part in items:
            known.update(zip(part, analyse(Cluster(part), parser), strict=True))
    return [Cluster([known.get(s, s) for s in cluster], id=cluster.id) for cluster in clusters]


def _without_parser(clusters: list[Cluster], request: AligningRequest) -> list[Cluster]:
    """Return the clusters as they are, if the aligner can do without syntax."""
    if not chosen(request).syntax or request.report:
        return clusters
    for name, cluster in zip(names_of(clusters), clusters, strict=True):
        for place, sentence in zip(cluster.names, cluster, strict=True):
            if not sentence.analysed:
                raise InputError(
                    f"{name}: sentence {place} has no syntax, which {request.preset or 'V4'} "
                    f"needs: leave --parser none out, or give --preset V1, V2 or V3"
                )
    return clusters


def names_of(clusters: Sequence[Cluster]) -> list[str]:
    """Return the name of each cluster, or its number; those that are there already get one more."""
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


def chosen(request: AligningRequest) -> WordOptions:
    """Return the options of the word aligner; a mistake in them is an error."""
    from bitext.align.words.options import choose

    given = {"forms": request.forms, "borders": request.borders}
    asked: dict[str, Any] = {name: held for name, held in given.items() if held is not None}
    asked |= {"figure4": True} if request.figure4 else {}
    if request.stop_words is not None:
        asked["stop_words"] = _words_of(request.stop_words, request.encoding)
    found = choose(request.preset or "V4", **asked)
    # A report is of all presets.
    if (
        request.stop_words is not None
        and "stop-words" not in found.leave_out
        and not request.report
    ):
        raise OptionError(
            f"--stop-words is for presets without stop words, V3 and V4, and --preset "
            f"{request.preset} aligns them: leave it out"
        )
    if request.figure4 and not found.syntax and not request.report:
        raise OptionError(
            f"--figure4 is of words that match by syntax, and those of --preset {request.preset} "
            f"do not: leave it out"
        )
    return found


def _words_of(path: str, encoding: str) -> frozenset[str]:
    """Return the words of a file; lines that begin with # are comments."""
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


def aligned(cluster: Cluster, request: AligningRequest) -> Lattice:
    """Align a cluster as the options say."""
    from bitext.align import align_cluster

    return align_cluster(cluster, preset=chosen(request), **joining(request))


def joining(request: AligningRequest) -> dict[str, Any]:
    """Return how sentences join."""
    return {"order": request.order or "cluster", "normalise": request.normalise}


def of_articles(paths: Sequence[str], request: ClusterRequest) -> tuple[list[Cluster], list[str]]:
    """Find the clusters among the sentences of articles, and return them with notes."""
    from bitext.align.words.event_clusters import documents_of, event_clusters
    from bitext.formats.clusters import read_articles
    from bitext.formats.io.source import Notes

    by = request.by or "term"
    if request.trees is not None:
        raise OptionError("--trees names the trees of one cluster: leave it or --by out")
    if request.keep_aux:
        raise OptionError("--keep-aux is of trees, which articles have not: leave it or --by out")
    notes = Notes()
    articles = read_articles(paths, encoding=request.encoding, notes=notes)
    asked = {
        name: held
        for name in ("min_size", "max_size", "min_documents", "threshold", "most")
        if (held := getattr(request, name)) is not None
    }
    found = event_clusters(documents_of(articles), by=by, **asked)
    if not found:
        less = ": lower --threshold" if by == "overlap" else ""
        articles_told = f"{len(articles)} article{'s' if len(articles) > 1 else ''}"
        raise InputError(
            f"no sentences of {articles_told} go together{less}; want several on one event"
        )
    clusters = [one.cluster for one in found]
    return clusters, [*told_by(notes), *_not_english(clusters, request)]
