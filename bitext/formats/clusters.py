"""Clusters in files: sentences on one event, in any of the ways in which people have them.

| kind | what it is | what it gives |
| --- | --- | --- |
| `text` | a sentence a line | the text; empty lines are left out, and a note tells |
| `trees` | Penn trees, on one line each or on many | words and syntax |
| `conll2000`, `conll2003`, `chunklink` | columns (`bitext.syntax.columns`) | words and syntax |
| `conllu`, `tagged` | columns, too | words and parts of speech |
| `json` | a cluster, sentences, or a lattice (`cluster_json`) | what it holds |

The kind is told by the name of the file or by its contents (`cluster_kinds`), or by who reads it.
A second file may give the trees, one for each sentence, in order.
Words without syntax get it from `bitext.syntax.analysis`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import FormatError, OptionError
from bitext.formats.cluster_json import read_objects
from bitext.formats.cluster_kinds import KINDS, ClusterKind, as_text, guess
from bitext.formats.cluster_words import Place, Told, sentence_of
from bitext.formats.lines import split_lines
from bitext.formats.opening import open_source
from bitext.formats.packing import unpacked
from bitext.formats.plain_text import foreign_lines
from bitext.model import Cluster, Lattice
from bitext.syntax.column_kinds import exchanged, universal
from bitext.syntax.columns import placed_columns
from bitext.syntax.penn import read_trees

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bitext.formats.opening import Notes, Source

__all__ = ["KINDS", "ClusterKind", "read_cluster", "read_comparable"]

_LOOKED_AT = 200  # lines that tell whether they are text
_MOST = 0.8  # of the lines begin with what is no part of a sentence
# What may stand before each sentence, which other texts than clusters have rightly.
_BEFORE = (
    (re.compile(r"\s*(?:\(?\d+[.)\]:]|[-*\u2022\u2013\u2014])\s+\S"), "a number or mark of a list"),
    (re.compile(r"\s*[^\W\d_][\w. -]{0,19}:\s+\S"), "a name and a colon"),
)
_SENTENCE_END = re.compile(r"[.!?…][\"'’”»)]*\s+(?=\S)|[。！？।۔؟](?=\S)")
_SENTENCES = 2  # that end within the only line of running text
_WHAT: dict[ClusterKind, str] = {"trees": "Penn trees", "json": "JSON"}


def read_cluster(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    aux: bool = True,
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
        One of `KINDS`; by default told by the name or the contents.
    encoding : str
        Of files without a byte order mark.
    aux : bool
        Whether the tags AUX and AUXG of older parsers become those of the Penn treebank, as of
        `bitext.syntax.annotate`.
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
        text, tokens and tree of a sentence disagree. The message has sentence, line and the first
        word that differs.
    InputError
        When a file cannot be read.
    OptionError
        When `kind` or the encoding is not known.

    """
    found = read_comparable(path, trees=trees, kind=kind, encoding=encoding, aux=aux, notes=notes)
    if len(found) > 1:
        raise FormatError(f"holds {len(found)} clusters; want one", path=str(path))
    (made,) = found
    return made.cluster if isinstance(made, Lattice) else made


def read_comparable(
    path: str | os.PathLike[str],
    *,
    trees: str | os.PathLike[str] | None = None,
    kind: ClusterKind | None = None,
    encoding: str = "utf-8",
    aux: bool = True,
    notes: Notes | None = None,
) -> list[Cluster | Lattice]:
    """Read the sentences of a file, or the lattices that it holds, as `read_cluster` does.

    A lattice read with other trees is but its cluster. Only lattices may be several in a file.
    """
    if kind is not None and kind not in KINDS:
        raise OptionError(f"kind {kind!r} is not known: want one of {', '.join(KINDS)}")
    name = None if str(path) == "-" else _bare(Path(path).name)
    with open_source(path, encoding=encoding) as source:
        made = _guessed(source) if kind is None else _read(source, source.plain_text(), kind)
        if notes is not None:
            notes.extend(source.notes)
    if isinstance(made, list):
        if trees is None:
            single = name if len(made) == 1 else None
            return [one if one.cluster.id else _renamed(one, single) for one in made]
        if len(made) > 1:
            raise source.error(f"holds {len(made)} clusters; want one with trees")
        made = _untied(made[0].cluster, Place(source.path))
    cluster_id, told = made
    _check_ids(told)
    if trees is not None:
        told = _with_trees(told, trees, encoding, notes)
    if not told:
        raise source.error("is empty; want at least one sentence")
    sentences = [sentence_of(each, aux=aux) for each in told]
    return [Cluster(sentences, id=name if cluster_id is None else cluster_id)]


def _untied(cluster: Cluster, place: Place) -> tuple[str | None, list[Told]]:
    """Return the id of a cluster and what it tells of its sentences."""
    return cluster.id, [
        Told(_named(s.id, k), place, s.text, analysed=s, id=s.id, source=s.source)
        for k, s in enumerate(cluster, start=1)
    ]


def _renamed(lattice: Lattice, name: str | None) -> Lattice:
    """Return the lattice with a name for its cluster."""
    paths = [lattice.paths.row(s).tolist() for s in range(len(lattice.cluster))]
    return Lattice(Cluster(lattice.cluster.sentences, id=name), paths, lattice.pairs)


def _guessed(source: Source) -> list[Lattice] | tuple[str | None, list[Told]]:
    """Read a file of which nobody told the kind; an error tells for what it was taken."""
    kind, named = guess(source)
    text = source.plain_text()
    try:
        return _read(source, text, kind)
    except FormatError as error:
        if named or kind == "text":
            raise
        raise FormatError(
            f"{error.message}; if it is not {_WHAT.get(kind, f'in columns ({kind})')}, say what it "
            f"is ({as_text()})",
            path=error.path,
            line=error.line,
            column=error.column,
        ) from None


def _read(
    source: Source, text: str, kind: ClusterKind
) -> list[Lattice] | tuple[str | None, list[Told]]:
    if kind == "json":
        return read_objects(text, source.path)
    lines = split_lines(text)
    if kind == "text":
        return None, _read_text(source, lines)
    if kind == "trees":
        return None, [
            Told(f"sentence {number}", Place(source.path, line), tree=tree)
            for number, (line, tree) in enumerate(read_trees(lines, path=source.path), start=1)
        ]
    found = list(placed_columns(lines, path=source.path, kind=kind))
    if kind == "conll2003" and found:
        source.notes.add("names (NER) in columns, left aside", f"{source.path} line {found[0][0]}")
    tokens = [token for _, sentence in found for token in sentence]
    if exchanged([token.form for token in tokens], [token.pos for token in tokens]):
        raise source.error(
            "has tags in the column of words, and words in that of tags: exchange the two columns",
            found[0][0],
        )
    for line, sentence in found:
        if universal([token.pos for token in sentence]):
            source.notes.add(
                "sentences with universal tags, which a parser replaces",
                f"{source.path} line {line}",
            )
    return None, [
        Told(
            _named(sentence.id, number),
            Place(source.path, line),
            sentence.text,
            analysed=sentence,
            id=sentence.id,
            source=sentence.source,
        )
        for number, (line, sentence) in enumerate(found, start=1)
    ]


def _read_text(source: Source, lines: Sequence[str]) -> list[Told]:
    foreign = foreign_lines(lines[:_LOOKED_AT])
    if foreign.startswith("subtitles"):
        raise source.error(f"is {foreign}, and give a sentence a line")
    if foreign:
        source.notes.add(f"lines that seem to be {foreign}; taken as sentences", source.path)
    elif before := _before(lines):
        kind = f"lines with {before} before each sentence: leave it out; taken as words"
        source.notes.add(kind, source.path)
    elif len(lines) == 1 and len(_SENTENCE_END.findall(lines[0])) >= _SENTENCES:
        kind = "one line of several sentences, taken as one sentence: a sentence a line is wanted"
        source.notes.add(kind, source.path)
    found: list[Told] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text:
            place = Place(source.path, number)
            found.append(Told(f"sentence {len(found) + 1}", place, text=text))
        else:
            source.notes.add("empty lines, left out", f"{source.path} line {number}")
    return found


def _before(lines: Sequence[str]) -> str:
    """Return the mark that stands before most sentences and is part of none; empty for none."""
    filled = [line for line in lines[:_LOOKED_AT] if line.strip()]
    for shape, what in _BEFORE:
        if len(filled) > 1 and sum(map(bool, map(shape.match, filled))) > _MOST * len(filled):
            return what
    return ""


def _with_trees(
    told: list[Told], path: str | os.PathLike[str], encoding: str, notes: Notes | None
) -> list[Told]:
    """Give each sentence its tree from a file of trees."""
    with open_source(path, encoding=encoding) as source:
        found = list(read_trees(split_lines(source.plain_text()), path=source.path))
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
    return Path(unpacked(name)).stem or name
