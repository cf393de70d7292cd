"""Where the lattices of `bitext cluster` go: kinds of files, places, and writing all or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import InputError, OptionError
from bitext.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.cli.cluster.request import ClusterRequest
    from bitext.model import Lattice

__all__ = ["check_place", "document", "drawing", "kind_asked", "write"]

_INDEX = "index"  # the page of a folder that lists the others
_DRAWN = {"html": (".html", ".htm"), "svg": (".svg",)}


def kind_asked(request: ClusterRequest) -> str | None:
    """Return the kind of file that lattices are written to; None for a table or --json."""
    if request.to:
        return str(request.to)
    if request.output == "-" or request.report or request.explain:
        return None
    from bitext.formats.io.compression import unpacked
    from bitext.formats.lattices import kind_of

    name = unpacked(request.output).lower()
    drawn = next((kind for kind, ends in _DRAWN.items() if name.endswith(ends)), None)
    if drawn:
        return drawn
    told = kind_of(request.output)
    if told:
        return told.name
    if request.json or _is_folder(request.output, request):
        return "json"
    if request.format:
        return None
    raise OptionError(
        f"-o {request.output}: the name does not tell what to write; want .json, .dot, .graphml, "
        f".tei.xml, .tsv, .svg or .html, or give --to"
    )


def check_place(place: str) -> None:
    """Refuse a place that cannot be written to, before the work."""
    if not place.strip():
        raise OptionError("-o or --html names no file: want a name, or - for standard output")
    if place == "-" or place.endswith("/"):
        return
    from bitext.formats.io.remote import local_path

    here = local_path(place)
    if here is not None and not is_folder(here.parent):
        raise InputError(f"{place}: no folder {here.parent}; make it first")


def document(lattices: Sequence[Lattice], *, several: bool, minimal: bool) -> str:
    """Return one JSON document: of a lattice, or of several."""
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
    held = {
        "schema": SEVERAL,
        "clusters": [object_of(lattice) for lattice in lattices],
    }
    return json.dumps(held, ensure_ascii=False) + "\n"


def write(
    lattices: Sequence[Lattice],
    names: Sequence[str],
    places: Sequence[tuple[str, str]],
    request: ClusterRequest,
) -> None:
    """Write lattices to each place as its kind: one to a file, several into a folder.

    A folder of pages has an index.

    With --json several are one document.

    All are made before the first is written, so that what cannot be made leaves nothing behind.
    """
    from bitext.formats.io.output import write_whole

    made: list[tuple[str, str]] = []
    folders = {place for place, _ in places if _is_folder(place, request)}
    for place, kind in places:
        if len(lattices) == 1 and place not in folders:
            made.append((place, _text(lattices[0], kind, request)))
            continue
        if request.json and kind == "json" and place not in folders:
            made.append((place, document(lattices, several=True, minimal=request.minimise)))
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
        made += [
            (f"{place.rstrip('/')}/{file}", _text(lattice, kind, request))
            for file, lattice in zip(files, lattices, strict=True)
        ]
        if kind == "html":
            from bitext.reports.lattice.page import index_page

            made.append((f"{place.rstrip('/')}/{_INDEX}.html", index_page(names, files, lattices)))
    for place in folders:
        _make_folder(place)
    for path, text in made:
        with write_whole(path) as out:
            out.write(text)


def _is_folder(place: str, request: ClusterRequest) -> bool:
    """Tell whether it names a folder: one that is there, NAME/, or a bare name for many files."""
    from bitext.formats.io.remote import is_folder_at

    many = bool(request.by) or len(request.files) > 1
    if place == "-":
        return False
    return place.endswith("/") or (many and not Path(place).suffix) or is_folder_at(place)


def _make_folder(place: str) -> None:
    from bitext.formats.io.remote import local_path

    here = local_path(place)
    if here is None:
        return  # there are no empty folders in stores
    try:
        here.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{place}: cannot be made: {error.strerror or error}") from None


def _ending(kind: str) -> str:
    from bitext.formats.lattices import KINDS

    if kind in _DRAWN:
        return f".{kind}"
    return ".tei.xml" if kind == "tei" else KINDS[kind].suffixes[0]


def _file_names(names: Sequence[str]) -> list[str]:
    """Return the names in characters that are safe in a file, and each once."""
    taken: dict[str, None] = {_INDEX: None}
    for name in names:
        safe = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name)
        safe = safe.strip(".-")[:80].casefold() or "cluster"
        number, free = 1, safe
        while free in taken:
            number += 1
            free = f"{safe}-{number}"
        taken[free] = None
    return list(taken)[1:]


def _text(lattice: Lattice, kind: str, request: ClusterRequest) -> str:
    """Return what a file of a lattice holds."""
    if request.minimise and kind in {"json", "dot"}:
        from bitext.align.words.automaton import minimise
        from bitext.formats.lattices import automaton_text

        return "".join(automaton_text(minimise(lattice), kind))
    if kind in _DRAWN:
        return drawing(lattice, kind, request)
    from bitext.formats.lattices import text_of

    return "".join(text_of(lattice, kind))


def drawing(lattice: Lattice, kind: str, request: ClusterRequest) -> str:
    """Return a lattice drawn: as SVG, or as a page with paraphrases and figures."""
    if kind == "svg":
        from bitext.reports.lattice.drawing import draw

        return draw(lattice)
    from bitext.align import paraphrases
    from bitext.metrics import lattice_figures
    from bitext.reports.lattice.page import page

    found = paraphrases(lattice, n=20, seed=request.seed)
    figures = [(one.name, one.value) for one in lattice_figures(lattice, seed=request.seed).all()]
    return page(lattice, paraphrases=found.items, figures=figures)
