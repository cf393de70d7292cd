import copy
import functools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.model import Tree
from reference.draw import SWITCH, up_to

FOG = Tree(
    ["S", "NP", "NN", "VP", "VBD", "."], [-1, 0, 1, 0, 3, 0], [None, None, "Fog", None, "fell", "."]
)


# Made once: hypothesis looks into each new strategy, which takes as long as drawing from it.
LABELS = st.sampled_from(["S", "NP", "X"])
WORDS = st.sampled_from(["a", "b", "(", "-LRB-"])


@functools.cache
@st.composite
def nested(draw, depth=4):
    """Return a tree as nested lists: [label, daughters] or (label, word)."""
    label = draw(LABELS)
    if not depth or draw(SWITCH):
        return (label, draw(WORDS))
    return [label, [draw(nested(depth - 1)) for _ in range(1 + draw(up_to(2)))]]


def flattened(node, mother=-1, out=None):
    """Return the rows (label, mother, word) of a nested tree in preorder."""
    out = [] if out is None else out
    place = len(out)
    if isinstance(node, tuple):
        out.append((node[0], mother, node[1]))
    else:
        out.append((node[0], mother, None))
        for daughter in node[1]:
            flattened(daughter, place, out)
    return out


def words_of(node):
    return [node[1]] if isinstance(node, tuple) else [w for d in node[1] for w in words_of(d)]


def spans_of(node, start=0):
    if isinstance(node, tuple):
        return []
    out = [(node[0], start, start + len(words_of(node)))]
    for daughter in node[1]:
        out += spans_of(daughter, start)
        start += len(words_of(daughter))
    return out


def tree_of(node):
    return Tree(*zip(*flattened(node), strict=True))


def test_parts_of_a_tree():
    assert FOG.words == ("Fog", "fell", ".")
    assert FOG.tags == ("NN", "VBD", ".")
    assert FOG.children() == [[1, 3, 5], [2], [], [4], [], []]
    assert FOG.spans() == [("S", 0, 3), ("NP", 0, 1), ("VP", 1, 2)]
    assert len(FOG) == 6
    assert str(FOG) == "(S (NP (NN Fog)) (VP (VBD fell)) (. .))"
    assert repr(FOG) == "<Tree (S (NP (NN Fog)) (VP (VBD fell)) (. .))>"


def test_a_leaf_is_a_tree():
    tree = Tree(["UH"], [-1], ["oh"])
    assert (tree.words, tree.spans(), str(tree)) == (("oh",), [], "(UH oh)")


def test_brackets_that_are_words_are_escaped():
    tree = Tree(["X", "(", ")"], [-1, 0, 0], [None, "(", ")"])
    assert str(tree) == "(X (-LRB- -LRB-) (-RRB- -RRB-))"
    assert str(Tree(["UH"], [-1], [":)"])) == "(UH :-RRB-)"


def test_white_space_in_a_word_is_written_so_that_it_stays_one_word():
    assert str(Tree(["NNP"], [-1], ["New \tYork\u00a01"])) == "(NNP New_York\u00a01)"
    assert str(Tree(["SP"], [-1], [" "])) == "(SP _)"


@pytest.mark.parametrize(
    ("labels", "parents", "forms", "told"),
    [
        ([], [], [], "0 labels, 0 mothers and 0 words: want one of each a node, and a node"),
        (["S"], [-1, 0], [None], "1 labels, 2 mothers and 1 words"),
        (["S", "A"], [-1, 0], [None], "2 labels, 2 mothers and 1 words"),
        (["S"], [-1], [None], r"node 0 \(S\) has no daughter: a leaf has a word"),
        (["S", "A", "B"], [-1, 0, 0], [None, None, "b"], r"node 1 \(A\) has no daughter"),
        (["S", "A"], [-1, 0], [None, None], r"node 1 \(A\) has no daughter"),
        (["S"], [0], ["b"], r"node 0 \(S\) has the mother 0: want preorder"),
        (["S", "B"], [-1, -1], ["a", "b"], r"node 1 \(B\) has the mother -1"),
        (["S", "B", "C"], [-1, 0, 1], [None, "b", "c"], r"node 2 \(C\) has the mother 1"),
        (["S", "B", "C"], [-1, 0, 7], [None, "b", "c"], r"node 2 \(C\) has the mother 7"),
        (
            # Daughters of S, of A, and of A again when S has gone on.
            ["S", "A", "B", "C", "D"],
            [-1, 0, 1, 0, 1],
            [None, None, "b", "c", "d"],
            r"node 4 \(D\) has the mother 1: want preorder, each mother a node above",
        ),
    ],
)
def test_what_is_no_tree_in_preorder(labels, parents, forms, told):
    with pytest.raises(InputError, match=told):
        Tree(labels, parents, forms)


def test_equality_is_by_what_it_holds():
    same = Tree(FOG.labels, FOG.parents, FOG.forms)
    assert same == FOG
    assert hash(FOG) == hash(same)
    other = [*FOG.forms[:-1], "!"]
    assert Tree(FOG.labels, FOG.parents, other) != FOG
    assert Tree([*FOG.labels[:-1], ":"], FOG.parents, FOG.forms) != FOG
    assert str(FOG) != FOG


def test_a_tree_does_not_change_and_can_be_copied():
    with pytest.raises(AttributeError, match="Tree does not change: make a new one"):
        FOG.labels = ()
    with pytest.raises(AttributeError, match="does not change"):
        del FOG.forms
    assert pickle.loads(pickle.dumps(FOG)) == FOG
    assert copy.deepcopy(FOG) == FOG


def test_depth_is_no_limit():
    depth = 100_000
    tree = Tree(["X"] * depth + ["A"], range(-1, depth), [None] * depth + ["b"])
    assert len(str(tree)) == len("(X ") * depth + len("(A b)") + depth
    assert tree.spans()[-1] == ("X", 0, 1)
    assert pickle.loads(pickle.dumps(tree)) == tree


@given(nested())
def test_a_tree_is_what_the_nested_lists_are(node):
    tree = tree_of(node)
    assert list(tree.words) == words_of(node)
    assert tree.spans() == spans_of(node)
    assert len(tree.tags) == len(tree.words)
    for mother, daughters in enumerate(tree.children()):
        assert daughters == [n for n, parent in enumerate(tree.parents) if parent == mother]


@given(nested(), st.data())
def test_any_other_mother_is_refused_or_another_tree(node, data):
    """What is accepted is in preorder: writing it and counting brackets gives the mothers back."""
    tree = tree_of(node)
    place = data.draw(st.integers(0, len(tree) - 1))
    parents = list(tree.parents)
    parents[place] = data.draw(st.integers(-1, len(tree)))
    try:
        other = Tree(tree.labels, parents, tree.forms)
    except InputError:
        return
    depth, found, path = 0, [], []
    for piece in str(other).split():
        if piece.startswith("("):
            del path[depth:]
            found.append(path[-1] if path else -1)
            path.append(len(found) - 1)
            depth += 1
        depth -= piece.count(")")
    assert found == parents
