"""`bitext paraphrase`: novel sentences from clusters of comparable sentences, or their lattices."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from bitext.cli.cluster.inputs import (
    ALIGNING,
    READING,
    check_stdin,
    chosen,
    names_of,
    read_lattices,
)
from bitext.cli.common import (
    Parser,
    add_groups,
    add_output,
    deliver,
    outputs_spared,
    refuse_inputs,
    style_of,
    tell,
    value,
)
from bitext.cli.console import Progress
from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.align.words.paraphrases import Paraphrase, Paraphrases
    from bitext.align.words.ranking import LanguageModel
    from bitext.model import Cluster, Lattice

__all__ = ["run"]

_EPILOG = """\
FILE holds comparable sentences (as for 'bitext cluster'), or a lattice that 'bitext cluster' wrote
as .json, which is taken as it is. Sentences come out the best first: by an n-gram model of
the cluster, or of --model, and by how well their syntax goes on.

examples:
  bitext paraphrase news.txt
  bitext paraphrase lattice.json --n 100 --json
  bitext paraphrase news.txt --format tsv | cut -f 2
"""

_whole = value(int, "a whole number")
_flag = {"action": "store_true"}

_DRAWING: list[tuple[str, dict[str, Any], str]] = [
    ("-n --n", {"type": _whole, "default": 20, "metavar": "N"}, "how many sentences, at most (20)"),
    (
        "--walk",
        {"choices": ("arcs", "paths"), "default": "arcs"},
        "random walks: every arc equally likely (default), or every path",
    ),
    ("--seed", {"type": _whole, "default": 1, "metavar": "N"}, "of the walks (1)"),
    ("--keep-repetition", _flag, "keep sentences that repeat a word which no input repeats"),
    ("--keep-inputs", _flag, "keep sentences that say what an input says"),
    (
        "--rank",
        {"choices": ("ngram+syntax", "ngram", "syntax", "none"), "default": "ngram+syntax"},
        "what they are ranked by (default: both)",
    ),
    (
        "--model",
        {"metavar": "FILE", "action": "append", "default": []},
        (
            "text for the n-gram model, one sentence a line, or a model in the ARPA format "
            "(default: the cluster); repeats"
        ),
    ),
]


def run(arguments: Sequence[str]) -> int:
    """Draw paraphrases."""
    options = _parser().parse_args(arguments)
    style = style_of(options)
    if options.n < 1:
        raise OptionError(f"--n {options.n}: want 1 or more")
    if options.seed < 0:
        raise OptionError(f"--seed {options.seed}: want 0 or more")
    chosen(options)
    inputs = [*options.files, options.trees, *options.model]
    check_stdin(inputs)
    refuse_inputs([*inputs, options.stop_words], options)
    with outputs_spared(options):
        model = _model(options)
        lattices, notes = read_lattices(options.files, options)
    found = []
    progress = Progress("drawing", len(lattices), quiet=options.quiet)
    with closing(progress.over(lattices)) as items:
        found = [_drawn(lattice, model, options) for lattice in items]
    names = names_of([lattice.cluster for lattice in lattices])
    several = len(lattices) > 1
    notes += [
        (f"{name}: " if several else "") + drawn.told
        for name, drawn in zip(names, found, strict=True)
        if len(drawn) < options.n or options.verbose
    ]
    tell(notes, options)
    if style == "json":
        deliver(_document(names, lattices, found), options)
    else:
        deliver(_table(names, lattices, found, style), options)
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="bitext paraphrase",
        description="Novel sentences from comparable ones, by random walks over their lattice.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a cluster, or a lattice")
    add_groups(parser, {"drawing": _DRAWING, "reading": READING, "aligning": ALIGNING})
    add_output(parser)
    return parser


def _model(options: argparse.Namespace) -> LanguageModel | None:
    if not options.model:
        return None
    from bitext.align.words.language_models import read_model
    from bitext.formats.io.source import open_source

    def lines() -> Iterator[str]:
        for path in options.model:
            with open_source(path, encoding=options.encoding) as source:
                yield from source.lines()

    return read_model(lines(), path=", ".join(options.model))


def _drawn(
    lattice: Lattice, model: LanguageModel | None, options: argparse.Namespace
) -> Paraphrases:
    from bitext.align import paraphrases

    return paraphrases(
        lattice,
        n=options.n,
        walk=options.walk,
        seed=options.seed,
        repetition=not options.keep_repetition,
        keep_inputs=options.keep_inputs,
        rank=options.rank,
        model=model,
    )


def _document(
    names: Sequence[str], lattices: Sequence[Lattice], found: Sequence[Paraphrases]
) -> str:
    rows = [
        {"cluster": name, **item.record(lattice.cluster)}
        for name, lattice, drawn in zip(names, lattices, found, strict=True)
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
        }
        for name, drawn in zip(names, found, strict=True)
    ]
    held = {"schema": "bitext.paraphrases/1", "clusters": clusters, "rows": rows}
    return json.dumps(held, ensure_ascii=False) + "\n"


def _table(
    names: Sequence[str], lattices: Sequence[Lattice], found: Sequence[Paraphrases], style: str
) -> str:
    from bitext.reports.table import Table, number

    table = Table(["cluster", "score", "text", "sources"], right={1}, quiet={0})
    for name, lattice, drawn in zip(names, lattices, found, strict=True):
        for item in drawn:
            table.rows.append(
                [name, number(item.scores.total, 2), item.text, _sources(item, lattice.cluster)]
            )
    if len(lattices) == 1:
        table = Table(table.head[1:], {0}, rows=[row[1:] for row in table.rows])
    return table.render(style)


def _sources(item: Paraphrase, cluster: Cluster) -> str:
    """Tell the spans by the numbers of their words, and which sentences have each: `1-4:s1,s3`."""
    names = cluster.names
    parts = []
    for first, last, among in item.spans:
        words = f"{first + 1}-{last}" if last > first + 1 else str(last)
        few = ",".join(names[s] for s in among[:3]) + (",..." if len(among) > 3 else "")
        parts.append(f"{words}:{few}")
    return " ".join(parts)
