"""Files of automata, in their two kinds."""

import json

import pytest

from bitext.errors import OptionError
from bitext.formats.lattices import automaton_text


class Burns:
    """Accepts "It burns"."""

    accepting = (2,)

    def __len__(self):
        return 3

    def arcs(self):
        return iter([(0, 1, "It"), (1, 2, "burns")])


def test_an_automaton_in_json_has_its_states_and_arcs():
    automaton = json.loads("".join(automaton_text(Burns(), "json")))
    assert automaton["states"] == 3
    assert automaton["arcs"] == [[0, 1, "It"], [1, 2, "burns"]]


def test_there_are_two_kinds():
    with pytest.raises(OptionError, match="kind 'tsv' is not known for automata; want json or dot"):
        automaton_text(Burns(), "tsv")
