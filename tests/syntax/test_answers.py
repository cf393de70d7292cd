import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError, MissingExtraError, OptionError, brief, import_extra
from bitext.model import Sentence, Tree
from bitext.syntax import adapters as answers

LEFT = "(S (NP (PRP It)) (VP (VBD left) (NP (NNP Milan))) (. .))"
SENTENCE = Sentence(["It", "left", "Milan", "."], id="a", text="It left Milan.", source="wire")
WORDS = st.text(min_size=1, max_size=8)


@given(WORDS)
def test_an_escaped_word_is_one_word_without_brackets(form):
    found = answers.escaped(form)
    assert found.split() == [found]
    assert not set(found) & set("()[]{}")
    assert answers.escaped(found) == found


@given(st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=8))
def test_plain_undoes_the_escapes_of_words_without_white_space(form):
    if form == answers.plain(form):
        assert answers.plain(answers.escaped(form)) == form


def test_a_lone_surrogate_can_be_written_to_a_program():
    assert answers.escaped("\ud800x").encode() == b"?x"


def test_a_tree_comes_with_what_follows_from_it():
    found = answers.with_tree(SENTENCE, LEFT, place="here")
    assert found.analysed
    assert found.forms == SENTENCE.forms
    assert (found.id, found.text, found.source) == ("a", "It left Milan.", "wire")
    assert found[2].pos == "NNP"
    assert found[2].iob == "B-NP"
    assert found[2].trace == ("I-S", "I-VP", "B-NP")
    assert str(found.tree) == LEFT


@pytest.mark.parametrize(
    ("given_words", "leaves"),
    [
        (["(", "left"], ["-LRB-", "left"]),
        (["-LRB-", "left"], ["(", "left"]),
        (["and/or", "left"], [r"and\/or", "left"]),
        (['"', "left"], ["``", "left"]),
        (["''", "left"], ['"', "left"]),
        ([":-)", "left"], [":--RRB-", "left"]),
    ],
)
def test_the_words_given_are_kept_however_the_parser_spells_them(given_words, leaves):
    tree = Tree(["S", "NN", "VB"], [-1, 0, 0], [None, *leaves])
    found = answers.with_tree(Sentence(given_words), tree, place="here")
    assert found.forms == tuple(given_words)
    assert found.tree.words == tuple(given_words)


def test_a_word_may_come_back_as_it_was_asked():
    tree = "(S (NNP New_York))"
    found = answers.with_tree(Sentence(["New York"]), tree, place="here", sent=["New_York"])
    assert found.tree.words == found.forms == ("New York",)
    with pytest.raises(InputError, match="word 1 is 'New York' in the sentence and 'New_York'"):
        answers.with_tree(Sentence(["New York"]), tree, place="here")


def test_tags_may_come_from_elsewhere():
    found = answers.with_tree(
        Sentence(["It", "left"]),
        "(S (NP (PRON It)) (VP (VERB left)))",
        place="",
        tags=["PRP", "VBD"],
    )
    assert [token.pos for token in found] == ["PRP", "VBD"]
    assert [token.iob for token in found] == ["B-NP", "B-VP"]


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        (LEFT.replace("Milan", "Rome"), "here: word 3 is 'Milan' in the sentence and 'Rome' in"),
        (
            LEFT.replace("(. .)", ""),
            "4 words in the sentence and 3 in the tree: word 4 of the sent",
        ),
        (
            LEFT.replace("(. .)", "(. .) (. !)"),
            "and 5 in the tree: word 5 of the tree, '!', has no",
        ),
        (LEFT[:-1], "here: the answer '.*' is not one Penn tree: "),
        (f"{LEFT} {LEFT}", "is not one Penn tree: "),
        ("", "is not one Penn tree: "),
        ("no tree", "is not one Penn tree: "),
    ],
)
def test_an_answer_over_other_words_is_an_error(tree, told):
    with pytest.raises(InputError, match=told) as error:
        answers.with_tree(SENTENCE, tree, place="here")
    assert "\n" not in str(error.value)


def test_chunks_alone_make_a_trace_of_two():
    found = answers.with_chunks(
        SENTENCE, ["PRP", "VBD", "NNP", ""], ["B-NP", "B-VP", "B-NP", "O"], place="here"
    )
    assert found.analysed
    assert found.tree is None
    assert [token.trace for token in found] == [
        ("B-S", "B-NP"),
        ("I-S", "B-VP"),
        ("I-S", "B-NP"),
        ("I-S",),
    ]
    assert found[3].pos == "XX"
    assert (found.id, found.text, found.source) == ("a", "It left Milan.", "wire")


def test_as_many_tags_as_words():
    with pytest.raises(InputError, match="here: 1 tags and 4 chunks for 4 words"):
        answers.with_chunks(SENTENCE, ["NN"], ["O"] * 4, place="here")


def test_a_package_that_is_there_but_broken_is_told(tmp_path, monkeypatch):
    (tmp_path / "broken_package.py").write_text("raise ImportError('no libgomp\\nat all')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match=r"cannot be imported \(no libgomp at all\): install it"):
        import_extra("broken_package", what="parser x", extra="x")
    with pytest.raises(MissingExtraError, match=r"parser x needs .* pip install 'bitext\[x\]'"):
        import_extra("no_such_package_at_all", what="parser x", extra="x")


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), "2", None, True])
def test_a_time_is_above_0(value):
    with pytest.raises(OptionError, match=r"parser x: timeout is .*: want a number above 0"):
        answers.positive("x", "timeout", value)


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", None, True])
def test_a_batch_is_a_whole_number(value):
    with pytest.raises(OptionError, match=r"parser x: batch is .*: want a whole number from 1"):
        answers.at_least_one("x", "batch", value)


def test_what_others_say_is_put_on_one_line_with_its_end():
    assert brief("a\n b\tc\x1b[0m") == "a b c [0m"
    assert brief("x" * 300 + "end", width=10) == "...xxxxend"
