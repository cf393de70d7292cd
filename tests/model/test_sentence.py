import copy
import pickle

import pytest

from bitext.errors import InputError
from bitext.model import Cluster, Sentence, Token, Tree
from bitext.model.sentence import is_word

TREE = Tree(["NP", "DT", "NN"], [-1, 0, 0], [None, "the", "sea"])


def test_words_without_syntax():
    sentence = Sentence(["the", "sea"])
    assert sentence.tokens == (Token("the", "", "", ()), Token("sea"))
    assert sentence.forms == ("the", "sea")
    assert (sentence.text, sentence.id, sentence.source, sentence.tree) == (
        "the sea",
        None,
        None,
        None,
    )
    assert list(sentence) == [sentence[0], sentence[1]]
    assert sentence[-1:] == (Token("sea"),)
    assert len(sentence) == 2


def test_what_else_is_known():
    sentence = Sentence(iter(["the", "sea"]), id="a", text="The  sea", source="x.txt", tree=TREE)
    assert (sentence.text, sentence.id, sentence.source) == ("The  sea", "a", "x.txt")
    assert sentence.tree is TREE
    assert repr(sentence) == "<Sentence a: 'The  sea'>"
    assert Sentence(["x"], text="").text == ""
    assert repr(Sentence(["long"] * 20)).endswith("…'>")


@pytest.mark.parametrize(
    ("token", "analysed"),
    [
        (Token("x", "NN", "O", ("B-S",)), True),
        (Token("x", "", "O", ("B-S",)), False),
        (Token("x", "NN", "", ("B-S",)), False),
        (Token("x", "NN", "O"), True),  # an empty trace: nothing is inside
        (Token("x", "", "", ("B-S",)), False),
    ],
)
def test_a_sentence_is_analysed_when_tag_and_chunk_of_every_word_are_known(token, analysed):
    full = Token("y", "NN", "B-NP", ("I-S", "B-NP"))
    assert Sentence([full, token]).analysed is analysed


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Sentence([]), "the sentence has no words: leave it out, or give its words"),
        (lambda: Sentence([], id="a"), "sentence 'a' has no words"),
        (lambda: Sentence(["x", ""]), "word 2 of the sentence is empty: leave it out"),
        (lambda: Sentence([Token("")], id="a"), "word 1 of sentence 'a' is empty"),
        (
            lambda: Sentence(["sea"], tree=TREE),
            "has 1 words and its tree 2: want the tree of these",
        ),
        (
            lambda: Sentence(["the", "Sea"], tree=TREE),
            "word 2 of the sentence is 'Sea', and 'sea' in its tree: want the tree of these",
        ),
        (
            lambda: Sentence(["a"], tree="(NN a)"),
            r"the tree of .* is '\(NN a\)' \(str\): want a Tree",
        ),
        (
            lambda: Sentence("Milan is beautiful"),
            r"the words of the sentence are 'Milan is beautiful' \(str\): want a list of words",
        ),
        (lambda: Sentence(None), r"the words of the sentence are None \(NoneType\): want a list"),
        (
            lambda: Sentence(["a", 2], id="x"),
            r"word 2 of sentence 'x' is 2 \(int\): want a Token, or",
        ),
        (lambda: Sentence([None]), r"word 1 of the sentence is None \(NoneType\)"),
        (lambda: Sentence(["a"], id=3), r"the id of the sentence is 3 \(int\): want a string"),
        (lambda: Sentence(["a"], text=["a"]), r"the text of the sentence is \['a'\] \(list\)"),
        (lambda: Sentence(["a"], source=3), r"the source of the sentence is 3 \(int\)"),
        (lambda: Cluster([]), "the cluster has no sentence: want one or more"),
        (
            lambda: Cluster([Sentence(["a"]), "x y"]),
            r"sentence 2 of the cluster is 'x y' \(str\): want a Sentence; bitext.syntax.parse_clu",
        ),
        (lambda: Cluster("x y"), r"the sentences of the cluster are 'x y' \(str\): want a list of"),
        (lambda: Cluster(3), "the sentences of the cluster are 3"),
        (lambda: Cluster([Sentence(["a"])], id=4), "the id of the cluster is 4"),
        (lambda: Token(3), r"the form of a token is 3 \(int\): want a string"),
        (lambda: Token("a", None), r"the pos of a token is None \(NoneType\): want a string"),
        (lambda: Token("a", "NN", 1), "the iob of a token is 1"),
        (
            lambda: Token("a", trace="B-S"),
            r"the trace of a token is 'B-S': want strings, as \('B-S'",
        ),
        (lambda: Token("a", trace=None), "the trace of a token is None: want strings"),
        (
            lambda: Token("a", trace=("B-S", 1)),
            r"the trace of a token is \('B-S', 1\): want strings",
        ),
        (lambda: Token("a", trace=[1]), r"the trace of a token is \(1,\): want strings"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(InputError, match=told):
        make()


def test_equality_is_by_all_that_is_held():
    base = {"id": "a", "text": "x", "source": "s", "tree": TREE}
    sentence = Sentence(["the", "sea"], **base)
    assert sentence == Sentence(["the", "sea"], **base)
    assert hash(sentence) == hash(Sentence(["the", "sea"], **base))
    for key in base:
        assert sentence != Sentence(["the", "sea"], **{**base, key: None})
    assert sentence != Sentence(["the", Token("sea", "NN")], **base)
    assert sentence != "the sea"
    assert Cluster([sentence], id="c") == Cluster([sentence], id="c")
    assert hash(Cluster([sentence], id="c")) == hash(Cluster([sentence], id="c"))
    assert Cluster([sentence], id="c") != Cluster([sentence])
    assert Cluster([sentence]) != Cluster([sentence, sentence])
    assert Cluster([sentence]) != [sentence]


@pytest.mark.parametrize(
    ("word", "leaf"),
    [
        ("(", "-LRB-"),
        (":-)", ":--RRB-"),
        ("“", "``"),
        ('"', "''"),
        ("’s", "'s"),
        ("—", "--"),
        ("and/or", "and\\/or"),
        ("New York", "New_York"),
        ("-LSB-", "["),
        ("sea", "sea"),
    ],
)
def test_trees_spell_marks_in_their_own_ways(word, leaf):
    tree = Tree(["NP", "DT", "NN"], [-1, 0, 0], [None, "the", leaf])
    assert Sentence(["the", word], tree=tree).tree is tree


@pytest.mark.parametrize(
    ("word", "leaf"), [("see", "sea"), ("Sea", "sea"), ("LRB", "-LRB-"), (".", "sea"), ("1", "2")]
)
def test_trees_over_other_words_are_refused(word, leaf):
    tree = Tree(["NP", "DT", "NN"], [-1, 0, 0], [None, "the", leaf])
    with pytest.raises(InputError, match=r"word 2 of sentence 's' is .* in its tree"):
        Sentence(["the", word], id="s", tree=tree)


def test_traces_become_tuples():
    class Name(str):
        __slots__ = ()

    token = Token(Name("sea"), "NN", "B-NP", ["B-S", "B-NP"])
    assert token.trace == ("B-S", "B-NP")
    assert hash(token) == hash(Token("sea", "NN", "B-NP", ("B-S", "B-NP")))
    assert Token("sea", trace=iter(["B-S"])).trace == ("B-S",)


def test_clusters():
    cluster = Cluster((Sentence([word, "burns"]) for word in ("Milan", "It")), id="milan")
    assert len(cluster) == 2
    assert cluster.words == 4
    assert [sentence.text for sentence in cluster] == ["Milan burns", "It burns"]
    assert cluster[-1].forms == ("It", "burns")
    assert repr(cluster) == "<Cluster 'milan': 2 sentences, 4 words>"
    assert repr(Cluster(cluster.sentences)) == "<Cluster: 2 sentences, 4 words>"


def test_nothing_changes_and_all_can_be_copied():
    sentence = Sentence(["the", Token("sea", "NN", "B-NP", ("B-NP",))], id="a", tree=TREE)
    cluster = Cluster([sentence], id="c")
    for value in (sentence, cluster):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        with pytest.raises(AttributeError, match="does not change"):
            value.id = "b"
    with pytest.raises(AttributeError):
        sentence[0].form = "x"


def test_sentences_are_called_by_their_ids_or_their_numbers():
    named = [Sentence(["a"], id=name) for name in ("post:1", None, "", "x")]
    assert Cluster(named).names == ["post:1", "2", "3", "x"]


def test_a_word_has_a_letter_or_a_figure():
    assert all(map(is_word, ("a", "32-story", "'s", "½", "年")))
    assert not any(map(is_word, (",", "--", "…", "", "$")))


def test_a_cluster_without_a_sentence():
    cluster = Cluster([Sentence([word]) for word in ("one", "two", "three")], id="c")
    for k in range(3):
        rest = [sentence for n, sentence in enumerate(cluster) if n != k]
        assert cluster.without(k) == Cluster(rest, id="c")
    for number in (-1, 3):
        with pytest.raises(InputError, match=f"sentence {number} of 3 cannot be left out"):
            cluster.without(number)
    with pytest.raises(InputError, match="of two or more"):
        Cluster([Sentence(["alone"])]).without(0)


@pytest.mark.parametrize("kind", [set, frozenset, dict.fromkeys])
def test_words_and_sentences_have_an_order(kind):
    with pytest.raises(InputError, match=r"the words of the sentence are .*: want a list of words"):
        Sentence(kind(["a", "b"]))
    with pytest.raises(InputError, match=r"the sentences of the cluster are .*: want a list of"):
        Cluster(kind([Sentence(["a"]), Sentence(["b"])]))
