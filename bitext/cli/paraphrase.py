"""`bitext paraphrase`: novel sentences from clusters of comparable sentences, or their lattices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from bitext.cli.cluster.request import (
    ALIGNING,
    READING,
    AligningRequest,
    check_stdin,
    names_of,
    read_lattices,
)
from bitext.cli.common import Parser, add_output, json_line
from bitext.cli.console import Progress
from bitext.cli.option_tables import add_groups, options_of
from bitext.cli.request import request_of

if TYPE_CHECKING:
    from bitext.align.words.options import WordOptions
    from bitext.align.words.paraphrases import Paraphrase, Paraphrases
    from bitext.align.words.ranking import LanguageModel
    from bitext.model import Cluster, Lattice

_EPILOG = """\
FILE holds comparable sentences (as for 'bitext cluster'), or a lattice that 'bitext cluster' wrote
as .json, or it is a folder of these lattices. The best sentences come first, by an n-gram model of
the cluster, or of --model, and by the continuity of their syntax.

examples:
  bitext paraphrase news.txt
  bitext paraphrase lattice.json --n 100 --json
  bitext paraphrase lattices/ -n 3 -o new.tsv
  bitext paraphrase news.txt --format tsv | cut -f 2
"""


_DRAWING = options_of("""
    -n --n N:whole  how many sentences, at most (20; in Python 100)
    --walk {arcs,paths}  random walks: every arc equally likely (default), or every path
    --seed N:whole  of the walks (1)
    --keep-repetition  keep sentences that repeat a word which no input repeats
    --keep-inputs  keep sentences that are equal to an input
    --keep-broken
        keep sentences with an unpaired mark, without a finite verb, or with too few or too many
        complements; they come last
    --rank {ngram+syntax,ngram,syntax,none}  the ranking (default: by both)
    --model FILE ...
        text for the n-gram model, one sentence a line, or a model in the ARPA format (default: the
        cluster); repeats
""")


class ParaphraseRequest(AligningRequest):
    """The request of `bitext paraphrase`; the fields are its options."""

    n: int = 20
    walk: str = "arcs"
    keep_repetition: bool = False
    keep_inputs: bool = False
    keep_broken: bool = False
    rank: str = "ngram+syntax"
    model: tuple[str, ...] = ()

    def resolve(self) -> tuple[str, WordOptions]:
        """Check options and paths before any work; return the style, and the aligner's options."""
        style = self.style()
        self.refuse_below(n=1, seed=0)
        options = self.word_options()
        inputs = [*self.files, self.trees, *self.model]
        check_stdin(inputs)
        self.refuse_inputs([*inputs, self.stop_words])
        return style, options


def run(arguments: Sequence[str]) -> int:
    """Draw paraphrases; return the exit status."""
    request = request_of(ParaphraseRequest, _parser(), arguments)
    style, options = request.resolve()
    with request.protected_outputs():
        model = _model(request)
        lattices, signatures, notes = read_lattices(request, options)
    progress = Progress("drawing", len(lattices), quiet=request.quiet)
    with closing(progress.over(lattices)) as items:
        draws = [_draw(lattice, model, request) for lattice in items]
    names = names_of([lattice.cluster for lattice in lattices])
    has_several = len(lattices) > 1
    notes += [
        (f"{name}: " if has_several else "") + drawn.summary
        for name, drawn in zip(names, draws, strict=True)
        if len(drawn) < request.n or request.verbose
    ]
    request.print_notes(notes)
    if style == "json":
        request.deliver(_document(names, lattices, signatures, draws))
    else:
        request.deliver(_table(names, lattices, draws, style))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="bitext paraphrase",
        description="Novel sentences from comparable ones, by random walks over their lattice.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a cluster, a lattice, or a folder of lattices"
    )
    add_groups(parser, {"drawing": _DRAWING, "reading": READING, "aligning": ALIGNING})
    add_output(parser)
    return parser


def _model(request: ParaphraseRequest) -> LanguageModel | None:
    if not request.model:
        return None
    from bitext.align.words.ranking import read_model
    from bitext.formats.io.source import open_source

    def lines() -> Iterator[str]:
        for path in request.model:
            with open_source(path, encoding=request.encoding) as source:
                yield from source.lines()

    return read_model(lines(), path=", ".join(request.model))


def _draw(lattice: Lattice, model: LanguageModel | None, request: ParaphraseRequest) -> Paraphrases:
    from bitext.align import paraphrases

    return paraphrases(
        lattice,
        n=request.n,
        walk=request.walk,
        seed=request.seed,
        repetition=not request.keep_repetition,
        keep_inputs=request.keep_inputs,
        keep_broken=request.keep_broken,
        rank=request.rank,
        model=model,
    )


def _document(
    names: Sequence[str],
    lattices: Sequence[Lattice],
    signatures: Sequence[str | None],
    draws: Sequence[Paraphrases],
) -> str:
    rows = [
        {"cluster": name, **item.record(lattice.cluster)}
        for name, lattice, drawn in zip(names, lattices, draws, strict=True)
        for item in drawn
    ]
    clusters = [
        {
            "cluster": name,
            "paths": drawn.paths,
            "drawn": drawn.drawn,
            "candidates": drawn.candidates,
            "dropped": drawn.dropped,
            "complete": drawn.complete,
            "signature": drawn.signature,
            "aligner": signature,
        }
        for name, signature, drawn in zip(names, signatures, draws, strict=True)
    ]
    document = {"schema": "bitext.paraphrases/1", "clusters": clusters, "rows": rows}
    return json_line(document)


def _table(
    names: Sequence[str], lattices: Sequence[Lattice], draws: Sequence[Paraphrases], style: str
) -> str:
    from bitext.reports.table import Table, number

    table = Table(["cluster", "score", "text", "sources"], right={1}, quiet={0})
    for name, lattice, drawn in zip(names, lattices, draws, strict=True):
        for item in drawn:
            table.rows.append(
                [name, number(item.scores.total, 2), item.text, _sources(item, lattice.cluster)]
            )
    if len(lattices) == 1:
        table = Table(table.head[1:], {0}, rows=[row[1:] for row in table.rows])
    return table.render(style)


def _sources(item: Paraphrase, cluster: Cluster) -> str:
    """Return the spans as ranges of words, each with the sentences that have it: `1-4:s1,s3`."""
    names = cluster.names
    parts = []
    for first, last, among in item.spans:
        words = f"{first + 1}-{last}" if last > first + 1 else str(last)
        few = ",".join(names[s] for s in among[:3]) + (",..." if len(among) > 3 else "")
        parts.append(f"{words}:{few}")
    return " ".join(parts)
