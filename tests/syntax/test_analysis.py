import pytest

from bitext.errors import FormatError, InputError
from bitext.model import Cluster, Sentence, Token
from bitext.syntax.conversion import annotate
from bitext.syntax.parsers import analyse, parse_cluster, sentence_of_tree
from bitext.syntax.penn import parse_tree


class Recorder:
    """A parser that calls everything fog, and remembers what it was asked."""

    name = "recorder"

    def __init__(self, change=lambda found: found):
        self.asked = []
        self.change = change

    def parse(self, sentences):
        self.asked.append([sentence.text for sentence in sentences])
        made = [
            Sentence(
                [Token(form, "NN", "O", ("I-FOG",)) for form in sentence.forms],
                id=sentence.id,
                text=sentence.text,
                source=sentence.source,
            )
            for sentence in sentences
        ]
        return iter(self.change(made))


TREE = parse_tree("(S (NP (PRP It)) (VP (VBZ burns)))")
BARE = Sentence(["It", "rains"], id="a", text="It  rains", source="a.txt")
DONE = Sentence([Token("It", "XX", "B-NP", ("B-S", "B-NP")), Token("ends", "XX", "O", ("I-S",))])


def test_only_sentences_without_syntax_are_parsed():
    parser = Recorder()
    tagged = Sentence([Token("left", "VBD")])
    found = analyse(Cluster([DONE, BARE, tagged, DONE], id="c"), parser)
    assert parser.asked == [["It  rains", "left"]]
    assert found.id == "c"
    assert found[0] == found[3] == DONE
    assert found[1].tokens[1] == Token("rains", "NN", "O", ("I-FOG",))
    assert (found[1].id, found[1].text, found[1].source) == ("a", "It  rains", "a.txt")
    assert found[2].forms == ("left",)


def test_no_parser_is_asked_when_all_have_syntax():
    parser = Recorder()
    assert analyse(Cluster([DONE]), parser) == Cluster([DONE])
    assert parser.asked == []


def test_a_tree_is_enough():
    sentence = Sentence(["It", "burns"], id="a", tree=TREE)
    parser = Recorder()
    (found,) = analyse(Cluster([sentence]), parser)
    assert parser.asked == []
    assert found.tokens == annotate(TREE)
    assert (found.id, found.tree) == ("a", TREE)


def test_words_are_spelled_as_the_sentence_has_them():
    tree = parse_tree("(NP (`` ``) (NN fog) (-RRB- -RRB-))")
    (found,) = analyse(Cluster([Sentence(['"', "fog", "]"], tree=tree)]))
    assert found.forms == ('"', "fog", "]")


def test_a_tree_with_empty_elements_is_refused():
    tree = parse_tree("(S (NP (-NONE- *)) (VP (VB go)))")
    with pytest.raises(InputError, match="has 2 words, and its tree 1 and empty elements"):
        analyse(Cluster([Sentence(["*", "go"], tree=tree)]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda made: made[:1], "parser recorder: 1 sentences came back for 2"),
        (lambda made: made * 2, "parser recorder: 4 sentences came back for 2"),
        (
            lambda made: [made[0], Sentence(["no"])],
            "parser recorder: sentence 3 came back as 'no', not 'We left'",
        ),
    ],
)
def test_what_a_parser_gives_back_is_checked(change, told):
    cluster = Cluster([BARE, DONE, Sentence(["We", "left"])])
    with pytest.raises(InputError, match=told):
        analyse(cluster, Recorder(change))


def test_the_built_in_parser_is_the_default():
    (found,) = analyse(Cluster([BARE]))
    assert found.analysed
    assert found.forms == BARE.forms
    assert found.tree is not None


def test_texts_become_a_cluster():
    parser = Recorder()
    found = parse_cluster(iter(["It  rains.", "(We left)"]), id="a", parser=parser)
    assert parser.asked == [["It  rains.", "(We left)"]]
    assert found.id == "a"
    assert [sentence.forms for sentence in found] == [
        ("It", "rains", "."),
        ("(", "We", "left", ")"),
    ]
    assert all(sentence.analysed for sentence in found)
    assert all(s.tree is not None for s in parse_cluster(["It rains.", "Yes"]))


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ("It rains.", "the texts are one text; want a list of sentences"),
        (["It rains.", " "], "sentence 2 is ' ', without words: leave it out"),
        (["It rains.", 3], r"sentence 2 is 3 \(int\): want a text"),
        ([], "the cluster has no sentence"),
    ],
)
def test_what_is_no_list_of_texts_is_told(texts, told):
    with pytest.raises(InputError, match=told):
        parse_cluster(texts, parser=Recorder())


def test_a_sentence_of_a_tree():
    found = sentence_of_tree(TREE, id="a", source="b")
    assert (found.tokens, found.tree, found.id, found.source) == (annotate(TREE), TREE, "a", "b")
    assert sentence_of_tree(str(TREE)) == sentence_of_tree(TREE)
    with pytest.raises(InputError, match="the tree has no words, but empty elements"):
        sentence_of_tree("(S (NP (-NONE- *)))")
    with pytest.raises(FormatError, match="is empty"):
        sentence_of_tree("")


def test_traces_come_from_the_tree_where_they_lack():
    tree = parse_tree("(S (NP (NN Fog)) (VP (VBD fell)))")
    bare = Sentence([Token("Fog", "NN", "B-NP"), Token("fell", "VBD", "B-VP")], tree=tree)
    (found,) = analyse(Cluster([bare]))
    assert [token.trace for token in found] == [("B-S", "B-NP"), ("I-S", "B-VP")]
