"""Clusters in files: sentences on one event, in any of the ways in which people have them.

| kind | what it is | what it gives |
| --- | --- | --- |
| `text` | a sentence a line | the text; empty lines are left out, and a note tells |
| `trees` | Penn trees, on one line each or on many | words and syntax |
| `conll2000`, `chunklink`, `conllu` | columns (`bitext.syntax.columns`) | words and their syntax |
| `json` | a cluster, sentences, or a lattice (`cluster_json`) | what it holds |

The kind is told by the contents. A second file may give the trees, one for each sentence, in order.
Words without syntax get it from `bitext.syntax.analysis`.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bitext.errors import OptionError
from bitext.formats.cluster_json import read_objects
from bitext.formats.cluster_words import Place, Told, sentence_of
from bitext.formats.lines import split_lines
from bitext.formats.opening import open_source
from bitext.model import Cluster, Lattice
from bitext.syntax.columns import read_columns, sniff_columns
from bitext.syntax.penn import read_trees

if TYPE_CHECKING:
    import os

    from bitext.formats.opening import Notes, Source

__all__ = ["KINDS", "ClusterKind", "read_cluster", "read_comparable"]

ClusterKind = Literal["text", "trees", "conll2000", "chunklink", "conllu", "json"]
KINDS: tuple[ClusterKind, ...] = ("text", "trees", "conll2000", "chunklink", "conllu", "json")

_JSON = re.compile(r"\{\s*(?:[\"}]|\Z)|\[\s*(?:[\[{\"\]]|\Z)")  # a text may begin with [Music]
# A bracket in a bracket, or the label of a phrase; a text may begin with (Reuters) or (AP).
_TREE = re.compile(
    r"\(\s*(?:[^\s()]*\s*\(|(?:ROOT|TOP|S1?|SINV|SQ|SBARQ|SBAR|FRAG|NP|VP|PP|X)(?:[-=][^\s()]*)?\s)"
)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LOOKED_AT = 200  # lines, to tell the kind
_PACKED = {".gz", ".bz2", ".xz", ".zst"}


def read_cluster(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    notes: Notes | None = None,
) -> Cluster:
    """Read the sentences of a file.

    Parameters
    ----------
    path : str or path
        `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked.
    trees : str or path, optional
        A file with the tree of each sentence, in order.
    kind : str, optional
        One of `KINDS`; by default told by the contents.
    encoding : str
        Of files without a byte order mark.
    notes : Notes, optional
        Takes up what is odd but readable.

    Returns
    -------
    Cluster
        Its id is that of the file of JSON, or else the name of the file without folder and suffix.

    Raises
    ------
    FormatError
        When a file is not what it should be, holds no sentence, or has two with one id; when the
        tree of a sentence disagrees with its text or tokens. The message has sentence, line and
        the first word that differs.
    InputError
        When a file cannot be read.
    OptionError
        When `kind` or the encoding is not known.

    """
    made = read_comparable(path, trees=trees, kind=kind, encoding=encoding, notes=notes)
    return made.cluster if isinstance(made, Lattice) else made


def read_comparable(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    notes: Notes | None = None,
) -> Cluster | Lattice:
    """Read the sentences of a file, or the lattice that it holds, as `read_cluster` does.

    A lattice read with other trees is but its cluster.
    """
    if kind is not None and kind not in KINDS:
        raise OptionError(f"kind {kind!r} is not known: want one of {', '.join(KINDS)}")
    name = None if str(path) == "-" else _bare(Path(path).name)
    with open_source(path, encoding=encoding) as source:
        made = _read(source, kind or _sniff(source))
        if notes is not None:
            notes.extend(source.notes)
    if isinstance(made, Lattice):
        if trees is None:
            return made if made.cluster.id is not None else _renamed(made, name)
        cluster = made.cluster
        place = Place(source.path)
        made = (
            cluster.id,
            [
                Told(_named(s.id, k), place, s.text, analysed=s, id=s.id, source=s.source)
                for k, s in enumerate(cluster, start=1)
            ],
        )
    cluster_id, told = made
    _check_ids(told)
    if trees is not None:
        told = _with_trees(told, trees, encoding, notes)
    if not told:
        raise source.error("is empty; want at least one sentence")
    return Cluster(map(sentence_of, told), id=name if cluster_id is None else cluster_id)


def _renamed(lattice: Lattice, name: str | None) -> Lattice:
    """Return the lattice with a name for its cluster."""
    paths = [lattice.paths.row(s).tolist() for s in range(len(lattice.cluster))]
    return Lattice(Cluster(lattice.cluster.sentences, id=name), paths, lattice.pairs)


def _sniff(source: Source) -> ClusterKind:
    head = source.head()
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    lines = split_lines(head.decode(encoding, "replace"))[:_LOOKED_AT]
    begins = "\n".join(lines).lstrip()
    if _JSON.match(begins):
        return "json"
    if _TREE.match(begins):
        return "trees"
    return sniff_columns(lines) or "text"


def _read(source: Source, kind: ClusterKind) -> Lattice | tuple[str | None, list[Told]]:
    if kind == "json":
        return read_objects(source)
    if kind == "text":
        return None, _read_text(source)
    lines = source.lines()
    if kind == "trees":
        return None, [
            Told(f"sentence {number}", Place(source.path, line), tree=tree)
            for number, (line, tree) in enumerate(read_trees(lines, path=source.path), start=1)
        ]
    found = read_columns(lines, path=source.path, kind=kind)
    return None, [
        Told(
            _named(sentence.id, number),
            Place(source.path),
            sentence.text,
            analysed=sentence,
            id=sentence.id,
            source=sentence.source,
        )
        for number, sentence in enumerate(found, start=1)
    ]


def _read_text(source: Source) -> list[Told]:
    found: list[Told] = []
    for number, line in enumerate(source.lines(), start=1):
        if "\0" in line:
            raise source.error("has NUL bytes, so it is no text: leave it out", number)
        text = line.strip()
        if text:
            place = Place(source.path, number)
            found.append(Told(f"sentence {len(found) + 1}", place, text=text))
        else:
            source.notes.add("empty lines, left out", f"{source.path} line {number}")
    return found


def _with_trees(
    told: list[Told], path: str | os.PathLike[str], encoding: str, notes: Notes | None
) -> list[Told]:
    """Give each sentence its tree from a file of trees."""
    with open_source(path, encoding=encoding) as source:
        found = list(read_trees(source.lines(), path=source.path))
        if notes is not None:
            notes.extend(source.notes)
    if len(found) != len(told):
        line = found[len(told)][0] if len(found) > len(told) else None
        raise source.error(
            f"has {len(found)} trees, and the cluster {len(told)} sentences; want a tree for each",
            line,
        )
    return [
        replace(each, tree=tree, tree_place=Place(source.path, line))
        for each, (line, tree) in zip(told, found, strict=True)
    ]


def _named(name: str | None, number: int) -> str:
    return f"sentence {number}" if name is None else f"sentence {name!r}"


def _check_ids(told: list[Told]) -> None:
    seen: dict[str, Place] = {}
    for each in told:
        if each.id is None:
            continue
        if each.id in seen:
            line = seen[each.id].line
            before = "" if line is None else f", as in line {line}"
            raise each.place.error(
                f"has a second sentence with the id {each.id!r:.40}{before}; give each its own"
            )
        seen[each.id] = each.place


def _bare(name: str) -> str:
    """Return the name of a file without its suffix and what tells of compression."""
    path = Path(name)
    path = Path(path.stem) if path.suffix in _PACKED and path.stem else path
    return path.stem or name
