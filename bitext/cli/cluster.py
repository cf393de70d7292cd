"""`bitext cluster`: comparable sentences, aligned to a word lattice."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

from bitext.cli.cluster_files import check_place, kind_asked, write
from bitext.cli.cluster_options import check, parser
from bitext.cli.common import Progress, deliver, style_of, tell
from bitext.cli.comparable import (
    aligned,
    analysed,
    check_stdin,
    chosen,
    names_of,
    of_articles,
    read_clusters,
)
from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.model import Cluster, Lattice

__all__ = ["run"]

_WITH_SYNTAX = {"json", "graphml", "html"}  # kinds of files that hold it


def run(arguments: Sequence[str]) -> int:
    """Align clusters."""
    options = parser().parse_args(arguments)
    target = options.output
    for place in (target, *([options.html] if options.html is not None else [])):
        check_place(place)
    kind = kind_asked(options)
    check(options, kind)
    check_stdin([*options.files, options.trees, options.gold])
    options.output = "-" if kind is not None else target  # a lattice is no table
    style = style_of(options)
    by_words = not chosen(options).syntax
    gather = of_articles if options.by else read_clusters
    clusters, notes = gather(options.files, options)
    if options.explain:
        tell(notes, options)
        deliver(_explained(clusters, options), options)
        return 0
    if options.report:
        from bitext.cli.cluster_report import report

        text = report(clusters, style, options)
        tell(notes, options)
        deliver(text, options)
        return 0
    held = {kind, "json" if options.json else None, "html" if options.html else None}
    clusters = analysed(clusters, options, wanted=not by_words or bool(held & _WITH_SYNTAX))
    progress = Progress("aligning", len(clusters), quiet=options.quiet)
    with closing(progress.over(clusters)) as items:
        lattices = [aligned(cluster, options) for cluster in items]
    tell(notes, options)
    places = [(target, kind)] if kind is not None else []
    places += [(options.html, "html")] if options.html else []
    write(lattices, names_of(clusters), places, options)
    if kind is None and (options.html != "-" or target != "-"):
        deliver(_shown(lattices, style, options), options)
    return 0


def _shown(lattices: Sequence[Lattice], style: str, options: argparse.Namespace) -> str:
    """Return what is printed: JSON, the alignment table of one cluster, or a list of several."""
    several = len(lattices) > 1 or bool(options.by)
    if style == "json":
        return _document(lattices, several=several, minimal=options.minimise)

    from bitext.reports.lattice_tables import alignment_blocks, alignment_table, cluster_table

    if several:
        names = names_of([lattice.cluster for lattice in lattices])
        return cluster_table(names, lattices).render(style)
    if style == "table":
        return alignment_blocks(lattices[0], shutil.get_terminal_size().columns)
    if style == "tsv":
        from bitext.formats.lattices import text_of

        return "".join(text_of(lattices[0], "tsv"))
    return alignment_table(lattices[0]).render(style)


def _document(lattices: Sequence[Lattice], *, several: bool, minimal: bool) -> str:
    """Return one JSON document."""
    if minimal:
        from bitext.align.automaton import minimise
        from bitext.formats.automata import automaton_text

        if several:
            raise OptionError("--minimise --json is for one cluster: name a folder (-o FOLDER/)")
        return "".join(automaton_text(minimise(lattices[0]), "json"))
    from bitext.formats.cluster_json import SEVERAL
    from bitext.formats.lattice_json import json_of, object_of

    if not several:
        return "".join(json_of(lattices[0]))
    held = {
        "schema": SEVERAL,
        "clusters": [object_of(lattice) for lattice in lattices],
    }
    return json.dumps(held, ensure_ascii=False) + "\n"


def _explained(clusters: Sequence[Cluster], options: argparse.Namespace) -> str:
    """Return why two words match or do not."""
    if len(clusters) > 1:
        raise OptionError(f"--explain is for one cluster: {len(clusters)} are given")
    from bitext.align.explanation import explain
    from bitext.model import Cluster

    (a, i), (b, j) = (_place(text, clusters[0]) for text in options.explain)
    if a == b:
        raise OptionError(f"--explain: both words are of sentence {a + 1}; name two sentences")
    if a > b:  # the earlier sentence comes first, as in the lattice
        (a, i), (b, j) = (b, j), (a, i)
    names = clusters[0].names
    pair = Cluster([clusters[0][a], clusters[0][b]], id=clusters[0].id)
    wanted = chosen(options)
    ((first, second),) = analysed([pair], options, wanted=wanted.syntax)
    from bitext.reports.table import printable

    told = explain(first, second, i, j, preset=wanted)
    heads = (
        f"{side}: {printable(name)}: {printable(' '.join(sentence.forms))}\n"
        for side, name, sentence in (("first", names[a], first), ("second", names[b], second))
    )
    return f"{''.join(heads)}{told}\n"


def _place(text: str, cluster: Cluster) -> tuple[int, int]:
    """Return sentence and word of `SENTENCE:WORD`; both by number from 1, or the id or the form."""
    name, colon, word = text.rpartition(":")
    if word == "" and name.endswith(":"):  # the word is a colon
        name, word = name[:-1], ":"
    if not colon or not name or not word:
        raise OptionError(f"--explain {text!r}: want SENTENCE:WORD, as 1:4 or 1:Milan")
    names = cluster.names
    if name in names:
        s = names.index(name)
    elif name.isdecimal() and 1 <= int(name) <= len(cluster):
        s = int(name) - 1
    else:
        raise OptionError(f"--explain {text!r}: no sentence {name!r} of 1 to {len(cluster)}")
    forms = cluster[s].forms
    for normal in (str, str.casefold):
        found = [k for k, form in enumerate(forms) if normal(form) == normal(word)]
        if len(found) > 1:
            numbers = ", ".join(str(k + 1) for k in found)
            raise OptionError(
                f"--explain {text!r}: sentence {name} has it as words {numbers}; give one"
            )
        if found:
            return s, found[0]
    if word.isdecimal() and 1 <= int(word) <= len(forms):
        return s, int(word) - 1
    raise OptionError(
        f"--explain {text!r}: no word {word!r} in sentence {name}: {' '.join(forms):.60}"
    )
