"""The minimal automaton against languages that are written out."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.automaton import Automaton, minimise
from bitext.errors import LatticeError, OptionError
from bitext.formats.lattices import automaton_text
from bitext.model import Cluster, Lattice, Sentence, Token
from reference import automaton_slow
from reference.draw_lattices import lattices

KEYS = {
    "form": lambda token: token.form,
    "casefold": lambda token: token.form.casefold(),
}


def lattice(*rows):
    """Make a lattice of sentences whose words are written word=node."""
    split = [[word.split("=") for word in row.split()] for row in rows]
    cluster = Cluster(Sentence(form for form, _ in row) for row in split)
    return Lattice(cluster, [[int(node) for _, node in row] for row in split])


def blow_up(n):
    """Make a lattice of the words in which an `a` stands n words before the end."""
    rows = []
    for before in range(n + 1):
        for sign in "ab":
            front = [f"{sign}={100 * (n - k) + (sign == 'b')}" for k in range(before)]
            back = [f"{sign}={100 * (n + k + 2) + (sign == 'b')}" for k in range(n)]
            rows.append(" ".join([*reversed(front), f"a={100 * (n + 1)}", *back]))
    # Every sign may follow every other.
    for sign, other in ("ab", "ba"):
        signs = [sign if k % 2 else other for k in range(n)]
        front = [f"{s}={100 * (k + 1) + (s == 'b')}" for k, s in enumerate(signs)]
        back = [f"{s}={100 * (n + k + 2) + (s == 'b')}" for k, s in enumerate(signs)]
        rows.append(" ".join([*front, f"a={100 * (n + 1)}", *back]))
    return lattice(*rows)


@given(lattices(sentences=5), st.sampled_from(sorted(KEYS)))
def test_accepts_the_language_of_the_lattice_with_the_fewest_states(drawn, key):
    wanted = automaton_slow.language(drawn, KEYS[key])
    found = minimise(drawn, key)
    assert len(found) == len(automaton_slow.residuals(wanted))
    folded = [tuple(map(str.casefold if key == "casefold" else str, s)) for s in found.sentences()]
    assert len(folded) == len(wanted)
    assert set(folded) == wanted
    assert found.count() == len(wanted)
    assert all(found.accepts(words) for words in wanted)
    for sentence in drawn.cluster:
        assert found.accepts([KEYS[key](token) for token in sentence])


@given(lattices(sentences=5), st.lists(st.sampled_from("abA"), max_size=6))
def test_accepts_nothing_else(drawn, words):
    wanted = automaton_slow.language(drawn, KEYS["form"])
    assert minimise(drawn).accepts(words) == (tuple(words) in wanted)


@given(lattices(sentences=5))
def test_states_ascend_and_a_word_leads_to_one_state(drawn):
    found = minimise(drawn)
    arcs = list(found.arcs())
    assert all(tail < head < len(found) for tail, head, _ in arcs)
    assert len({(tail, word) for tail, _, word in arcs}) == len(arcs)
    assert [tail for tail, _, _ in arcs] == sorted(tail for tail, _, _ in arcs)
    assert {head for _, head, _ in arcs} == set(range(1, len(found)))


def test_one_sentence_is_a_chain():
    found = minimise(lattice("to=1 be=2 or=3 not=4 to=5 be=6"))
    assert (len(found), found.count(), found.accepting) == (7, 1, (6,))


def test_what_starts_another_sentence_accepts_before_the_end():
    found = minimise(lattice("it=1 burns=2", "it=3 burns=4 now=5"))
    assert (len(found), found.accepting) == (4, (2, 3))
    assert list(found.sentences()) == [("it", "burns"), ("it", "burns", "now")]


def test_each_word_of_a_node_is_spelled_unless_the_key_takes_them_for_one():
    drawn = lattice("The=1 dog=2", "the=1 dog=2", "the=1 cat=3")
    assert minimise(drawn).count() == 4
    folded = minimise(drawn, "casefold")
    assert (folded.count(), folded.keys, folded.forms) == (
        2,
        ("cat", "dog", "the"),
        ("cat", "dog", "the"),
    )


def test_a_function_may_be_the_key():
    cluster = Cluster([Sentence([Token("can", "MD")]), Sentence([Token("can", "NN")])])
    drawn = Lattice(cluster, [[1], [2]])
    assert minimise(drawn).count() == 1
    found = minimise(drawn, lambda token: f"{token.form}/{token.pos}")
    assert (found.count(), found.keys, found.forms) == (2, ("can/MD", "can/NN"), ("can", "can"))


def test_counts_are_exact_beyond_64_bits():
    rows = [" ".join(f"{sign}{k}={2 * k + (sign == 'b')}" for k in range(99)) for sign in "ab"]
    mixed = [
        " ".join(f"{'ab'[(k + d) % 2]}{k}={2 * k + (k + d) % 2}" for k in range(99)) for d in (0, 1)
    ]
    assert minimise(lattice(*rows, *mixed)).count() == 2**99


def test_long_sentences_do_not_recurse():
    drawn = Lattice(Cluster([Sentence(["a"] * 5000)]), [range(5000)])
    found = minimise(drawn)
    assert (len(found), len(next(found.sentences()))) == (5001, 5000)


def test_a_blow_up_stops_at_the_limit_and_tells_what_to_do():
    drawn = blow_up(8)
    # A state has to know which of the last eight words were an a.
    assert len(minimise(drawn)) > 2**8
    with pytest.raises(
        LatticeError, match=r"more than 100 states before.* take fewer sentences, or raise"
    ):
        minimise(drawn, limit=100)


def test_the_limit_is_of_states_that_are_needed():
    drawn = lattice("to=1 be=2")
    assert len(minimise(drawn, limit=3)) == 3
    with pytest.raises(LatticeError, match="more than 2 states"):
        minimise(drawn, limit=2)


def test_options_are_checked():
    drawn = lattice("it=1")
    with pytest.raises(OptionError, match=r"key 'lemma' is not known: want form, casefold or a"):
        minimise(drawn, "lemma")
    with pytest.raises(OptionError, match="limit is 0: want the most states, 1 or more"):
        minimise(drawn, limit=0)


def test_equal_automata_are_equal_and_pickle():
    one, other = minimise(lattice("a=1 b=2", "c=3 b=2")), minimise(lattice("c=1 b=2", "a=3 b=4"))
    assert one == other
    assert hash(one) == hash(other)
    assert one != minimise(lattice("a=1 b=2"))
    assert one != "automaton"
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "<Automaton: 3 states, 3 arcs>"


def test_an_automaton_without_words_holds_the_empty_sentence():
    empty = Automaton(1, [], [0], [], [])
    assert (list(empty.sentences()), empty.count(), empty.accepts([])) == ([()], 1, True)


def test_it_is_written():
    found = minimise(lattice('say"=1 it=2', "it=2"))
    assert "".join(automaton_text(found)) == (
        '{"schema": "bitext.automaton/1",\n "states": 3,\n "start": 0,\n "accepting": [2],\n'
        ' "arcs": [\n  [0, 2, "it"],\n  [0, 1, "say\\""],\n  [1, 2, "it"]\n ]}\n'
    )
    assert '0 -> 1 [label="say\\""];' in "".join(automaton_text(found, "dot"))
