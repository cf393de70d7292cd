"""Files of lattices: writing all kinds, reading JSON; and files of word automata.

| kind | contents | readable |
| --- | --- | --- |
| `json` | the complete lattice | yes |
| `dot` | a drawing for Graphviz | no |
| `graphml` | nodes and arcs for graph programs | no |
| `tei` | an apparatus in parallel segmentation | no |
| `tsv` | the alignment table | no |
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from bitext.errors import FormatError, InputError, OptionError, did_you_mean
from bitext.formats.io.compression import unpacked
from bitext.formats.io.output import write_whole
from bitext.formats.io.source import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitext.model import Lattice

__all__ = [
    "KINDS",
    "Kind",
    "WordAutomaton",
    "automaton_text",
    "kind_of",
    "read_lattice",
    "text_of",
    "write_automaton",
    "write_lattice",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that a lattice can be written to.

    Attributes
    ----------
    name : str
        Its name on the command line.
    title : str
        A description in a few words.
    suffixes : tuple of str
        The suffixes of its files, without that of compression; the first is the usual one.
    writer : str
        The module of this package and its function that writes the kind.
    readable : bool
        Whether it can be read back.

    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    writer: str
    readable: bool = False

    def parts(self, lattice: Lattice) -> Iterator[str]:
        """Yield the file in parts."""
        module, _, function = self.writer.partition(":")
        write = getattr(import_module(f"bitext.formats.lattices.{module}"), function)
        return cast("Callable[[Lattice], Iterator[str]]", write)(lattice)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "json",
            "nodes, arcs and word pairs, with all words and their syntax",
            (".json",),
            "reading:json_of",
            readable=True,
        ),
        Kind("dot", "a drawing for Graphviz", (".dot", ".gv"), "drawing:dot_of"),
        Kind(
            "graphml",
            "nodes and arcs for graph programs",
            (".graphml",),
            "drawing:graphml_of",
        ),
        Kind(
            "tei",
            "a TEI apparatus in parallel segmentation",
            (".tei", ".tei.xml", ".xml"),
            "drawing:tei_of",
        ),
        Kind(
            "tsv",
            "the alignment table: a row a sentence, aligned words in one column",
            (".tsv", ".tab"),
            "drawing:table_of",
        ),
    )
}


def kind_of(path: str | os.PathLike[str]) -> Kind | None:
    """Return the kind of the suffix of a file, or None.

    Examples
    --------
    >>> kind_of("milan.tei.xml.gz").name
    'tei'

    """
    name = unpacked(Path(os.fspath(path)).name).lower()
    return next((kind for kind in KINDS.values() if name.endswith(kind.suffixes)), None)


def text_of(lattice: Lattice, kind: str = "json") -> Iterator[str]:
    """Yield the text of a file in parts.

    Parameters
    ----------
    lattice : Lattice
        The lattice to write.
    kind : str
        One of `KINDS`.

    Raises
    ------
    OptionError
        When there is no such kind; the message names the nearest.
    InputError
        When the lattice has a character that the kind cannot hold; the message names the word.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> lattice = Lattice(Cluster([Sentence(["It", "burns"], id="a")]), [[0, 1]])
    >>> print("".join(text_of(lattice, "tsv")), end="")
    a	It	burns

    """
    parts = _known(kind).parts(lattice)
    _check_whole(lattice)
    return parts


def write_lattice(lattice: Lattice, path: str | os.PathLike[str], kind: str | None = None) -> None:
    """Write a lattice to a file, which appears only when complete.

    Parameters
    ----------
    lattice : Lattice
        The lattice to write.
    path : str or path
        The file; `-` is standard output; `.gz`, `.bz2`, `.xz` and `.zst` are compressed.
    kind : str, optional
        One of `KINDS`. Default: that of the suffix; json for standard output.

    Raises
    ------
    OptionError
        When there is no such kind, or none has the suffix.
    InputError
        When the file cannot be written, or the kind cannot hold a character.

    """
    name = os.fspath(path)
    if kind is None:
        known = KINDS["json"] if name == "-" else kind_of(name)
        if known is None:
            endings = ", ".join(each.suffixes[0] for each in KINDS.values())
            raise OptionError(
                f"{name}: the name does not show what to write; want one that ends in {endings}, "
                f"or name the kind: {', '.join(KINDS)}"
            )
        kind = known.name
    parts = text_of(lattice, kind)
    with write_whole(name) as out:
        out.writelines(parts)


def read_lattice(path: str | os.PathLike[str], *, encoding: str = "utf-8") -> Lattice:
    """Read a lattice from its JSON.

    Parameters
    ----------
    path : str or path
        The file; `-` is standard input; compressed files are unpacked.
    encoding : str
        The encoding of a file without a byte order mark.

    Raises
    ------
    FormatError
        When the file is no lattice; the message names the line or the element.
    InputError
        When it cannot be opened.

    """
    from bitext.formats.lattices.reading import read_json

    known = kind_of(path)
    if known is not None and not known.readable:
        raise FormatError(
            f"is {known.name} by its name, which is written only; want json: "
            f"write the lattice as {Path(os.fspath(path)).stem}.json",
            path=os.fspath(path),
        )
    with open_source(path, encoding=encoding) as source:
        return read_json(source)


def _known(kind: str) -> Kind:
    if kind in KINDS:
        return KINDS[kind]
    hint = did_you_mean(kind, KINDS)
    raise OptionError(f"kind {kind!r} is not known; {hint}the kinds: {', '.join(KINDS)}")


def _check_whole(lattice: Lattice) -> None:
    """Refuse half a surrogate pair, which no encoding can represent."""
    cluster = lattice.cluster
    strings = [("the cluster", cluster.id or "")]
    for k, sentence in enumerate(cluster, start=1):
        strings += [
            (f"sentence {k}", each or "") for each in (sentence.id, sentence.source, sentence.text)
        ]
        for place, token in enumerate(sentence, start=1):
            where = f"word {place} of sentence {k}"
            strings += [(where, each) for each in (token.form, token.pos, token.iob, *token.trace)]
        if sentence.tree is not None:
            forms = (form or "" for form in sentence.tree.forms)
            strings += [
                (f"the tree of sentence {k}", each) for each in (*sentence.tree.labels, *forms)
            ]
    try:
        "".join(value for _, value in strings).encode()
    except UnicodeEncodeError:
        where, value = next((w, v) for w, v in strings if any("\ud800" <= c <= "\udfff" for c in v))
        raise InputError(
            f"{where} holds half of a surrogate pair, {value!a:.40}; want whole characters: "
            f"take it out of the text"
        ) from None


# Files of word automata: JSON, and DOT for Graphviz.
#
#     {"schema": "bitext.automaton/1", "states": 3, "start": 0, "accepting": [2],
#      "arcs": [[0, 1, "It"], [1, 2, "burns"]]}
#
# States are integers from 0, the start; an arc is [from, to, word], from a lower to a higher state.

SCHEMA = "bitext.automaton/1"
_KINDS = ("json", "dot")


class WordAutomaton(Protocol):
    """An automaton that can be written: states from 0, words on its arcs."""

    def __len__(self) -> int:
        """The number of states."""

    @property
    def accepting(self) -> Iterable[int]:
        """The states at which a string may end."""

    def arcs(self) -> Iterator[tuple[int, int, str]]:
        """Yield (from, to, word), ascending."""


def automaton_text(automaton: WordAutomaton, kind: str = "json") -> Iterator[str]:
    """Yield the text of a file in parts.

    Parameters
    ----------
    automaton : WordAutomaton
        The automaton to write.
    kind : {"json", "dot"}
        The kind of file.

    Raises
    ------
    OptionError
        When there is no such kind.

    """
    if kind not in _KINDS:
        raise OptionError(f"kind {kind!r} is not known for automata; want {' or '.join(_KINDS)}")
    if kind == "dot":
        from bitext.formats.lattices.drawing import automaton_dot

        return automaton_dot(len(automaton), automaton.accepting, automaton.arcs())
    return _json(automaton)


def _json(automaton: WordAutomaton) -> Iterator[str]:
    yield (
        f'{{"schema": "{SCHEMA}",\n "states": {len(automaton)},\n "start": 0,\n '
        f'"accepting": {list(automaton.accepting)},\n "arcs": ['
    )
    before = "\n  "
    for arc in automaton.arcs():
        yield before + json.dumps(arc, ensure_ascii=False)
        before = ",\n  "
    yield "\n ]}\n"


def write_automaton(
    automaton: WordAutomaton, path: str | os.PathLike[str], kind: str | None = None
) -> None:
    """Write an automaton to a file, which appears only when complete.

    Parameters
    ----------
    automaton : WordAutomaton
        The automaton to write.
    path : str or path
        The file; `-` is standard output; compressed by its suffix.
    kind : {"json", "dot"}, optional
        The kind of file. Default: that of the suffix; json for other suffixes.

    Raises
    ------
    OptionError
        When there is no such kind, or the suffix is that of a kind for lattices only.
    InputError
        When the file cannot be written.

    """
    known = kind_of(path)
    if kind is None and known is not None and known.name not in _KINDS:
        raise OptionError(
            f"{os.fspath(path)}: is {known.name} by its name, which automata are not written in; "
            f"want one that ends in .json or .dot, or name the kind: {', '.join(_KINDS)}"
        )
    parts = automaton_text(automaton, kind or ("json" if known is None else known.name))
    with write_whole(os.fspath(path)) as out:
        out.writelines(parts)
