"""Files of the lattices of `bitext cluster`: all are written, or none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.cli.cluster.options import DRAWN
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.cli.cluster.options import ClusterRequest
    from bitext.model import Lattice

__all__ = ["document", "write"]

_INDEX = "index"  # name of the page in a folder that lists the others
_PARAPHRASES = 20  # on the page of a lattice, at most; set by hand
_LONGEST = 80  # characters of the name of a file; set by hand, below the 255 bytes of file systems


def document(lattices: Sequence[Lattice], *, several: bool, minimal: bool) -> str:
    """Return one JSON document of a lattice, or of several."""
    if minimal:
        from bitext.align.words.automaton import minimise
        from bitext.formats.lattices import automaton_text

        if several:
            raise OptionError(
                "--minimise --json is for one cluster: name a folder (-o FOLDER/), without --json"
            )
        return "".join(automaton_text(minimise(lattices[0]), "json"))
    from bitext.formats.clusters.objects import SEVERAL
    from bitext.formats.lattices.reading import json_of, object_of

    if not several:
        return "".join(json_of(lattices[0]))
    whole = {"schema": SEVERAL, "clusters": [object_of(lattice) for lattice in lattices]}
    return json.dumps(whole, ensure_ascii=False) + "\n"


def write(
    lattices: Sequence[Lattice],
    names: Sequence[str],
    places: Sequence[tuple[str, str]],
    request: ClusterRequest,
) -> None:
    """Write lattices to each place in its kind: one to a file, several into a folder.

    A folder of pages has an index. With --json several lattices are one document. All texts are
    made before the first file is written, so that an error leaves no files behind.
    """
    from bitext.formats.io.output import write_whole

    texts: list[tuple[str, str]] = []
    folders = {place for place, _ in places if request.names_folder(place)}
    for place, kind in places:
        if len(lattices) == 1 and place not in folders:
            texts.append((place, _text(lattices[0], kind, request)))
            continue
        if request.json and kind == "json" and place not in folders:
            texts.append((place, document(lattices, several=True, minimal=request.minimise)))
            continue
        if place == "-":
            raise InputError(
                f"{len(lattices)} clusters do not fit one {kind} on standard output: name a folder "
                f"(-o FOLDER/), or give --json"
            )
        if place not in folders:
            raise InputError(
                f"{place}: {len(lattices)} clusters do not fit one file; name a folder, as "
                f"{Path(place).with_suffix('')}/{', or give --json' * (kind == 'json')}"
            )
        files = [f"{name}{_ending(kind)}" for name in _file_names(names)]
        texts += [
            (f"{place.rstrip('/')}/{file}", _text(lattice, kind, request))
            for file, lattice in zip(files, lattices, strict=True)
        ]
        if kind == "html":
            from bitext.reports.lattice.page import index_page

            texts.append((f"{place.rstrip('/')}/{_INDEX}.html", index_page(names, files, lattices)))
    for place in folders:
        _make_folder(place)
    for path, text in texts:
        with write_whole(path) as out:
            out.write(text)


def _make_folder(place: str) -> None:
    from bitext.formats.io.remote import local_path

    here = local_path(place)
    if here is None:
        return  # remote stores have no empty folders
    try:
        here.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{place}: cannot be made: {error.strerror or error}") from None


def _ending(kind: str) -> str:
    from bitext.formats.lattices import KINDS

    if kind in DRAWN:
        return f".{kind}"
    return ".tei.xml" if kind == "tei" else KINDS[kind].suffixes[0]


def _file_names(names: Sequence[str]) -> list[str]:
    """Return distinct names in characters that are safe in the name of a file."""
    taken: dict[str, None] = {_INDEX: None}
    for name in names:
        safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
        safe = safe.strip(".-")[:_LONGEST].casefold() or "cluster"
        number, free = 1, safe
        while free in taken:
            number += 1
            free = f"{safe}-{number}"
        taken[free] = None
    return list(taken)[1:]


def _text(lattice: Lattice, kind: str, request: ClusterRequest) -> str:
    if request.minimise and kind in {"json", "dot"}:
        from bitext.align.words.automaton import minimise
        from bitext.formats.lattices import automaton_text

        return "".join(automaton_text(minimise(lattice), kind))
    if kind in DRAWN:
        return _drawing(lattice, kind, request)
    from bitext.formats.lattices import text_of

    return "".join(text_of(lattice, kind))


def _drawing(lattice: Lattice, kind: str, request: ClusterRequest) -> str:
    """Draw a lattice as SVG, or as a page with paraphrases and figures."""
    if kind == "svg":
        from bitext.reports.lattice.drawing import draw

        return draw(lattice)
    from bitext.align import paraphrases
    from bitext.metrics import lattice_figures
    from bitext.reports.lattice.page import page

    drawn = paraphrases(lattice, n=_PARAPHRASES, seed=request.seed)
    figures = [(one.name, one.value) for one in lattice_figures(lattice, seed=request.seed).all()]
    return page(lattice, paraphrases=drawn.items, figures=figures)
