"""Files of word automata: JSON, and DOT for Graphviz.

    {"schema": "bitext.automaton/1", "states": 3, "start": 0, "accepting": [2],
     "arcs": [[0, 1, "It"], [1, 2, "burns"]]}

States are whole numbers from 0, the start; an arc is [from, to, word], from a lower to a higher
state.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Protocol

from bitext.errors import OptionError
from bitext.formats.lattice_dot import automaton_dot
from bitext.formats.lattices import kind_of
from bitext.formats.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["WordAutomaton", "automaton_text", "write_automaton"]

SCHEMA = "bitext.automaton/1"
_KINDS = ("json", "dot")


class WordAutomaton(Protocol):
    """What is written: any automaton with states from 0 and words on its arcs."""

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
        What is written.
    kind : {"json", "dot"}
        What it is written as.

    Raises
    ------
    OptionError
        When there is no such kind.

    """
    if kind not in _KINDS:
        raise OptionError(f"kind {kind!r} is not known for automata; want {' or '.join(_KINDS)}")
    if kind == "dot":
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
    """Write an automaton, whole or not at all.

    Parameters
    ----------
    automaton : WordAutomaton
        What is written.
    path : str or path
        The file; `-` is standard output; packed by its name.
    kind : {"json", "dot"}, optional
        Default: told by the name; json where that tells none.

    Raises
    ------
    OptionError
        When there is no such kind, or the name tells one that automata are not written in.
    InputError
        When the place cannot be written to.

    """
    told = kind_of(path)
    if kind is None and told is not None and told.name not in _KINDS:
        raise OptionError(
            f"{os.fspath(path)}: is {told.name} by its name, which automata are not written in; "
            f"want one that ends in .json or .dot, or name the kind: {', '.join(_KINDS)}"
        )
    parts = automaton_text(automaton, kind or ("json" if told is None else told.name))
    with write_whole(os.fspath(path)) as out:
        out.writelines(parts)
