"""Files of automata: the kind by the name, and names that tell another kind."""

import json

import pytest

from bitext.errors import OptionError
from bitext.formats.lattices import automaton_text, write_automaton


class Burns:
    """Accepts "It burns"."""

    accepting = (2,)

    def __len__(self):
        return 3

    def arcs(self):
        return iter([(0, 1, "It"), (1, 2, "burns")])


@pytest.mark.parametrize(
    ("name", "kind"),
    [("x.json", "json"), ("x.dot", "dot"), ("x.gv", "dot"), ("x", "json"), ("x.automaton", "json")],
)
def test_the_name_tells_the_kind(name, kind, tmp_path):
    write_automaton(Burns(), tmp_path / name)
    assert (tmp_path / name).read_text() == "".join(automaton_text(Burns(), kind))


@pytest.mark.parametrize("name", ["x.graphml", "x.tei", "x.xml", "x.tsv", "x.tsv.gz"])
def test_a_name_of_another_kind_is_refused(name, tmp_path):
    with pytest.raises(OptionError, match=rf"{name}: is \w+ by its name, .* ends in .json or .dot"):
        write_automaton(Burns(), tmp_path / name)
    assert not list(tmp_path.iterdir())
    # Who names the kind knows better.
    write_automaton(Burns(), tmp_path / "x.tsv", "json")
    assert json.loads((tmp_path / "x.tsv").read_text())["states"] == 3


def test_there_are_two_kinds(tmp_path):
    with pytest.raises(OptionError, match="kind 'tsv' is not known for automata; want json or dot"):
        write_automaton(Burns(), tmp_path / "x.json", "tsv")
