"""`bitext cluster`: comparable sentences, aligned to a word lattice."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.cli.cluster_options import parser
from bitext.cli.common import Progress, deliver, style_of, tell
from bitext.cli.comparable import aligned, analysed, chosen, of_articles, read_clusters
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.model import Cluster, Lattice

__all__ = ["run"]

_DRAWN = {"html": (".html", ".htm"), "svg": (".svg",)}


def run(arguments: Sequence[str]) -> int:
    """Align clusters."""
    options = parser().parse_args(arguments)
    target = options.output
    kind = _kind(options)
    options.output = "-" if kind is not None else target  # a lattice is not a table
    style = style_of(options)
    chosen(options)  # a mistake in the options is told before the work
    _check(options, kind)
    for place in (target, options.html or "-"):
        _check_place(place)
    gather = of_articles if options.by else read_clusters
    clusters, notes = gather(options.files, options)
    if options.explain:
        tell(notes, options)
        deliver(_explained(analysed(clusters, options), options), options)
        return 0
    clusters = analysed(clusters, options)
    if options.report:
        from bitext.cli.cluster_report import report

        tell(notes, options)
        deliver(report(clusters, style, options), options)
        return 0
    progress = Progress("aligning", len(clusters), quiet=options.quiet)
    with closing(progress.over(clusters)) as items:
        lattices = [aligned(cluster, options) for cluster in items]
    tell(notes, options)
    places = [(target, kind)] if kind is not None else []
    _write(lattices, [*places, *([(options.html, "html")] if options.html else [])], options)
    if kind is None and not (options.html and not options.json and target == "-"):
        deliver(_shown(lattices, style, options), options)
    return 0


def _kind(options: argparse.Namespace) -> str | None:
    """Return the kind of file that lattices are written to; None for a table or --json."""
    if options.to:
        return str(options.to)
    if options.output == "-" or options.report or options.explain:
        return None
    from bitext.formats.lattices import kind_of

    name = options.output.lower()
    drawn = next((kind for kind, ends in _DRAWN.items() if name.endswith(ends)), None)
    told = kind_of(options.output)
    if drawn or told:
        return drawn or (told.name if told else None)
    if options.json or _is_folder(options.output, many=_many(options)):
        return "json"
    if options.format:
        return None
    raise OptionError(
        f"-o {options.output}: the name does not tell what to write; want .json, .dot, .graphml, "
        f".tei.xml, .tsv, .svg or .html, or give --to"
    )


def _check(options: argparse.Namespace, kind: str | None) -> None:
    """Refuse what does not go together, before the work."""
    if options.json and kind not in {None, "json"}:
        raise OptionError(f"--json and {kind} exclude each other: give one")
    if options.minimise and kind not in {"json", "dot"}:
        raise OptionError("--minimise writes .json or .dot: give -o FILE.json or --to dot")
    if options.gold and not options.report:
        raise OptionError("--gold is for --report: give both")
    if options.by == "term" and options.threshold is not None:
        raise OptionError("--threshold is for --by overlap: leave it out")
    if options.seed < 0:
        raise OptionError(f"--seed {options.seed}: want 0 or more")
    if not options.by:
        given = [
            name
            for name in ("min_size", "max_size", "min_documents", "threshold", "most")
            if getattr(options, name) is not None
        ]
        if given:
            name = given[0].replace("_", "-")
            raise OptionError(f"--{name} is for --by: give --by term or --by overlap")


def _is_folder(place: str, *, many: bool) -> bool:
    """Tell whether it names a folder: one that is there, NAME/, or a bare name for many files."""
    if place == "-":
        return False
    return place.endswith("/") or Path(place).is_dir() or (many and not Path(place).suffix)


def _many(options: argparse.Namespace) -> bool:
    return bool(options.by) or len(options.files) > 1


def _check_place(place: str) -> None:
    """Refuse a place that cannot be written to, before the work."""
    if place != "-" and not place.endswith("/") and not Path(place).parent.is_dir():
        raise InputError(f"{place}: no folder {Path(place).parent}; make it first")


def _write(
    lattices: Sequence[Lattice], places: Sequence[tuple[str, str]], options: argparse.Namespace
) -> None:
    """Write lattices to each place as its kind: one to a file, several into a folder.

    All are made before the first is written, so that what cannot be made leaves nothing behind.
    """
    from bitext.formats.opening import write_whole

    made: list[tuple[str, str]] = []
    folders = {place for place, _ in places if _is_folder(place, many=_many(options))}
    for place, kind in places:
        if len(lattices) == 1 and place not in folders:
            made.append((place, _text(lattices[0], kind, options)))
            continue
        if place == "-":
            raise InputError(
                f"{len(lattices)} clusters do not fit one {kind} on standard output: name a folder "
                f"(-o FOLDER/), or give --json"
            )
        if place not in folders:
            raise InputError(
                f"{place}: {len(lattices)} clusters do not fit one file; name a folder, as "
                f"{Path(place).with_suffix('')}/"
            )
        for name, lattice in zip(_file_names(lattices), lattices, strict=True):
            made.append(
                (f"{place.rstrip('/')}/{name}{_ending(kind)}", _text(lattice, kind, options))
            )
    for place in folders:
        _make_folder(place)
    for path, text in made:
        with write_whole(path) as out:
            out.write(text)


def _make_folder(place: str) -> None:
    folder = Path(place)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{place}: cannot be made: {error.strerror or error}") from None


def _ending(kind: str) -> str:
    from bitext.formats.lattices import KINDS

    if kind in _DRAWN:
        return f".{kind}"
    return ".tei.xml" if kind == "tei" else KINDS[kind].suffixes[0]


def _file_names(lattices: Sequence[Lattice]) -> list[str]:
    """Return a name of a file for each cluster: its id in safe characters, and each once."""
    names: dict[str, None] = {}
    for k, lattice in enumerate(lattices, start=1):
        plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in lattice.cluster.id or "")
        plain = plain.strip(".-")[:80] or f"cluster-{k}"
        number, name = 1, plain
        while name.casefold() in names:
            number += 1
            name = f"{plain}-{number}"
        names[name.casefold()] = None
    return list(names)


def _text(lattice: Lattice, kind: str, options: argparse.Namespace) -> str:
    """Return what a file of a lattice holds."""
    if options.minimise and kind in {"json", "dot"}:
        from bitext.align.automaton import minimise
        from bitext.formats.automata import automaton_text

        return "".join(automaton_text(minimise(lattice), kind))
    if kind in _DRAWN:
        return _drawing(lattice, kind, options)
    from bitext.formats.lattices import text_of

    return "".join(text_of(lattice, kind))


def _drawing(lattice: Lattice, kind: str, options: argparse.Namespace) -> str:
    if kind == "svg":
        from bitext.reports.lattice_svg import draw

        return draw(lattice)
    from bitext.align import paraphrases
    from bitext.metrics import lattice_figures
    from bitext.reports.lattice_page import page

    found = paraphrases(lattice, n=20, seed=options.seed)
    figures = [(one.name, one.value) for one in lattice_figures(lattice, seed=options.seed).all()]
    return page(lattice, paraphrases=found.items, figures=figures)


def _shown(lattices: Sequence[Lattice], style: str, options: argparse.Namespace) -> str:
    """Return what is printed: JSON, the alignment table of one cluster, or a list of several."""
    if style == "json":
        from bitext.formats.lattice_json import json_of, object_of

        if len(lattices) == 1:
            return "".join(json_of(lattices[0]))
        held = [object_of(lattice) for lattice in lattices]
        return (
            json.dumps({"schema": "bitext.clusters/1", "clusters": held}, ensure_ascii=False) + "\n"
        )

    from bitext.reports.lattice_tables import alignment_blocks, alignment_table, cluster_table

    if len(lattices) > 1 or options.by:
        return cluster_table(lattices).render(style)
    if style == "table":
        return alignment_blocks(lattices[0], shutil.get_terminal_size().columns)
    return alignment_table(lattices[0]).render(style)


def _explained(clusters: Sequence[Cluster], options: argparse.Namespace) -> str:
    """Return why two words match or do not."""
    if len(clusters) > 1:
        raise OptionError(f"--explain is for one cluster: {len(clusters)} are given")
    from bitext.align.explanation import explain

    (a, i), (b, j) = (_place(text, clusters[0]) for text in options.explain)
    if a == b:
        raise OptionError(f"--explain: both words are of sentence {a + 1}; name two sentences")
    if a > b:  # the earlier sentence comes first, as in the lattice
        (a, i), (b, j) = (b, j), (a, i)
    told = explain(clusters[0][a], clusters[0][b], i, j, preset=chosen(options))
    return f"{told}\n"


def _place(text: str, cluster: Cluster) -> tuple[int, int]:
    """Return sentence and word of `SENTENCE:WORD`; both by number from 1, or the id or the form."""
    name, colon, word = text.partition(":")
    if not colon or not name or not word:
        raise OptionError(f"--explain {text!r}: want SENTENCE:WORD, as 1:4 or 1:Milan")
    ids = [sentence.id for sentence in cluster]
    if name in ids:
        s = ids.index(name)
    elif name.isdecimal() and 1 <= int(name) <= len(cluster):
        s = int(name) - 1
    else:
        raise OptionError(f"--explain {text!r}: no sentence {name!r} of 1 to {len(cluster)}")
    forms = cluster[s].forms
    places = [k for k, form in enumerate(forms) if form == word]
    if len(places) > 1:
        numbers = ", ".join(str(k + 1) for k in places)
        raise OptionError(
            f"--explain {text!r}: sentence {name} has it as words {numbers}; give one"
        )
    if places:
        return s, places[0]
    if word.isdecimal() and 1 <= int(word) <= len(forms):
        return s, int(word) - 1
    raise OptionError(
        f"--explain {text!r}: no word {word!r} in sentence {name}: {' '.join(forms):.60}"
    )
