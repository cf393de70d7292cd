from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.model import Tree
from bitext.syntax.penn import parse_tree, read_trees, unescape
from reference.draw import SWITCH, up_to

I_LEFT = Tree(["S", "NP", "PRP", "VP", "VBD"], [-1, 0, 1, 0, 3], [None, None, "I", None, "left"])

sign = st.characters(exclude_characters="()", exclude_categories=["Cs"])
sign = sign.filter(lambda char: not char.isspace())
atom = st.text(sign, min_size=1, max_size=4)


# Made once: hypothesis looks into each new strategy, which takes as long as drawing from it.
first_label = st.just("") | atom


@st.composite
def trees(draw):
    """Any tree: each next node stands below one of those that are open."""
    labels, parents, forms = [draw(first_label)], [-1], [None]
    path = [0]
    for _ in range(draw(up_to(12))):
        labels.append(draw(atom))
        # What has no daughter yet has to get one.
        mother = path[-1] if path[-1] == len(labels) - 2 else path[draw(up_to(len(path) - 1))]
        path = path[: path.index(mother) + 1]
        parents.append(mother)
        leaf = draw(SWITCH)
        forms.append(draw(atom) if leaf else None)
        if not leaf:
            path.append(len(labels) - 1)
    if forms[-1] is None:
        labels.append(draw(atom))
        parents.append(len(labels) - 2)
        forms.append(draw(atom))
    return Tree(labels, parents, forms)


def read(text):
    return list(read_trees(text.split("\n"), path="a.mrg"))


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (PRP I)) (VP (VBD left)))",
        "(S(NP(PRP I))(VP(VBD left)))",
        "  ( S ( NP ( PRP  I ) )\t( VP ( VBD left ) ) )  ",
        "(S\n  (NP (PRP I))\n  (VP (VBD left)))",
        "(\nS\n(\nNP\n(\nPRP\nI\n)\n)\n(VP (VBD\nleft)))\n\n",
        "\n\n(S (NP (PRP I)) (VP (VBD left)))\r\n",
    ],
)
def test_white_space_does_not_matter(text):
    assert parse_tree(text) == I_LEFT


def test_outer_brackets_may_have_no_label():
    tree = parse_tree("( (S (NP (PRP I)) (VP (VBD left))) )")
    assert tree.labels[:2] == ("", "S")
    assert str(tree) == "( (S (NP (PRP I)) (VP (VBD left))))"
    assert parse_tree("((UH oh) (. !))").words == ("oh", "!")


def test_a_tree_may_be_a_leaf():
    assert parse_tree("(UH oh)") == Tree(["UH"], [-1], ["oh"])
    assert parse_tree("(UH\noh)") == parse_tree("(UH oh)")


def test_many_trees_are_told_with_the_lines_where_they_begin():
    text = "(A b) (C d)\n\n( (E\n (F g))\n) (H i)"
    found = [(line, str(tree)) for line, tree in read(text)]
    assert found == [(1, "(A b)"), (1, "(C d)"), (3, "( (E (F g)))"), (5, "(H i)")]
    assert read("") == read("\n \n") == []


def test_words_are_any_signs_and_escapes_stay():
    text = "(X (-LRB- -LRB-) (: --) (CD 1\u00a0000) (. ...) (SYM \x00) (NN a\\/b) (XX é_|=))"
    words = ("-LRB-", "--", "1\u00a0000", "...", "\x00", "a\\/b", "é_|=")
    assert parse_tree(text).words == words
    assert parse_tree("(NP|PP (-NONE- *T*-1))").labels == ("NP|PP", "-NONE-")


@pytest.mark.parametrize(
    ("form", "plain"),
    [("-LRB-", "("), ("-RSB-", "]"), ("-LCB-x-RCB-", "{x}"), ("-LXB-", "-LXB-"), ("B-", "B-")],
)
def test_escapes_are_undone(form, plain):
    assert unescape(form) == plain


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("(A b)\n(S (A b)))", "line 2 column 10", "closes a bracket that was never opened"),
        (" )", "line 1 column 2", "closes a bracket that was never opened"),
        ("\n(S\n (NP (A b)\n", "line 4 column 1", r"begins in line 2: 2 brackets are open"),
        ("(S (A b)", "line 1 column 9", "begins in line 1: 1 bracket is open"),
        ("(A b) word (C d)", "line 1 column 7", "'word' stands outside of brackets"),
        ("(S (A b) ((C d)))", "line 1 column 10", "within a tree has no label"),
        ("(S (\n(A b)))", "line 1 column 4", "within a tree has no label"),
        ("()", "line 1 column 2", r"\(\) has neither a word nor daughters"),
        ("(S ( ))", "line 1 column 6", r"\(\) has neither"),
        ("(S (A b) (NP))", "line 1 column 13", r"\(NP\) has neither a word nor daughters"),
        ("(S\n(NN big dog))", "line 2 column 9", "the leaf NN has the words 'big' and 'dog'"),
        ("(S (NN\nbig\ndog))", "line 3 column 1", "the leaf NN has the words 'big' and 'dog'"),
        ("(NN dog (JJ big))", "line 1 column 9", "the leaf NN has the word 'dog' and a daughter"),
        ("(S (A b) c)", "line 1 column 10", "'c' stands beside the daughters of S"),
        ("( (A b) c)", "line 1 column 9", "'c' stands beside the daughters of the root"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_column(text, place, told):
    with pytest.raises(FormatError, match=f"^a.mrg {place}: .*{told}") as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_one_tree_is_one_tree():
    with pytest.raises(FormatError, match="the tree: is empty"):
        parse_tree(" \n")
    with pytest.raises(FormatError, match="line 2: a second tree begins"):
        parse_tree("(A b)\n(C d)")


def test_trees_come_one_at_a_time():
    lines = (f"(A {n})" for n in count())
    found = read_trees(lines, path="endless")
    assert [next(found)[0] for _ in range(3)] == [1, 2, 3]


def test_depth_is_no_limit():
    depth = 100_000
    text = "(X " * depth + "(A b)" + ")" * depth
    tree = parse_tree(text)
    assert len(tree) == depth + 1
    assert str(tree) == text
    assert tree.parents[-1] == depth - 1


@given(trees())
def test_what_is_written_reads_back(tree):
    assert parse_tree(str(tree)) == tree


@given(st.lists(trees(), max_size=4), st.sampled_from([" ", "\n", "\n\n"]))
def test_so_do_many(forest, between):
    assert [tree for _, tree in read(between.join(map(str, forest)))] == forest


@given(st.text("()AB -\n", max_size=30))
def test_any_brackets_give_trees_or_an_error(text):
    try:
        found = read(text)
    except FormatError as error:
        at = (error.line or 0, error.column or 0)
        found = None
    if found is None:
        lines = text.split("\n")
        assert 1 <= at[0] <= len(lines)
        assert 1 <= at[1] <= len(lines[at[0] - 1]) + 1
    else:
        letters = "".join(text.split()).replace("(", "").replace(")", "")
        told = "".join(
            label + (form or "")
            for _, tree in found
            for label, form in zip(tree.labels, tree.forms, strict=True)
        )
        assert told == letters
