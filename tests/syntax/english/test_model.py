"""The built-in parser with the model of the package."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError, InputError
from bitext.syntax.english import LONGEST, MODEL, PIECE, EnglishParser
from bitext.syntax.penn import parse_tree
from bitext.syntax.tokenizer import tokenize
from reference.shared_data import data

PARSER = EnglishParser()


def tree_of(text):
    return str(PARSER.parse(tokenize(text)))


def test_plain_sentences_get_the_trees_that_they_should():
    assert tree_of("Milan is beautiful") == (
        "(ROOT (S (NP (NNP Milan)) (VP (VBZ is) (ADJP (JJ beautiful)))))"
    )
    assert tree_of("I went to Milan") == (
        "(ROOT (S (NP (PRP I)) (VP (VBD went) (PP (IN to) (NP (NNP Milan))))))"
    )
    assert tree_of("The crew said that nobody was hurt.") == (
        "(ROOT (S (NP (DT The) (NN crew)) (VP (VBD said) (SBAR (IN that) (S (NP (NN nobody)) "
        "(VP (VBD was) (VP (VBN hurt)))))) (. .)))"
    )


def test_clitics_and_quotes_get_their_tags():
    assert PARSER.tag(tokenize("“We don't know,” he said.")) == [
        *("``", "PRP", "VBP", "RB", "VB", ",", "''", "PRP", "VBD", ".")
    ]


@pytest.mark.parametrize("money", ["£", "€", "¥", "US$", "AU$", "C$", "HK$"])
def test_money_is_money(money):
    text = f"It cost {money}5 million in May, and {money}7 in June."
    tree = PARSER.parse(tokenize(text))
    assert tree.words[2] == money
    assert str(tree).replace(money, "$") == tree_of(text.replace(money, "$"))
    assert tree.tags[2:5] == ("$", "CD", "CD")


@pytest.mark.parametrize("last", ["b", "a", "x", "7"])
def test_no_letter_has_the_tag_of_a_sign(last):
    words = ["He", "saw", "it", last]
    assert PARSER.tag(words)[-1] not in {",", ".", ":", "``", "''"}
    assert PARSER.tag([*words, "."])[-1] == "."


def test_any_apostrophe_is_one():
    tags = PARSER.tag(tokenize("I don't know."))
    assert all(PARSER.tag(tokenize(f"I don{sign}t know.")) == tags for sign in "’`´")


def test_words_come_back_as_they_were():
    words = ["(", "She", "’s", "here", ")", "…"]
    tree = PARSER.parse(words)
    assert tree.words == tuple(words)
    assert str(tree).count("-LRB-") == 2  # the tag, and the word in writing


@given(
    st.lists(
        st.text(min_size=1, max_size=8)
        | st.sampled_from(["the", "IN", "NEW", "3,000", "http://x.org", ")", "''", "\ud800", " "]),
        min_size=1,
        max_size=12,
    )
)
def test_any_tokens_get_a_tree(words):
    tree = PARSER.parse(words)
    assert tree.words == tuple(words)
    assert tree.labels[0] == "ROOT"
    assert tree.tags == tuple(PARSER.tag(words))
    assert sum(parent == 0 for parent in tree.parents) == 1


def test_a_sentence_alone_and_in_a_batch_has_one_tree():
    texts = [
        "A small plane hit a tall building in the centre of the city on Thursday.",
        "Nobody knows.",
        "The pilot, who was alone, had reported a problem before he died, police said.",
    ]
    sentences = [tokenize(text) for text in texts * 3]
    together = list(PARSER.parse_tokens(iter(sentences)))
    assert together == [PARSER.parse(words) for words in sentences]


def test_sentences_are_taken_as_they_come():
    def endless():
        while True:
            yield ["Yes", "."]

    assert next(PARSER.parse_tokens(endless())).words == ("Yes", ".")
    assert list(PARSER.parse_tokens([])) == []
    assert PARSER.tag([]) == []


def test_hundreds_of_words_are_cut_and_parsed():
    words = tokenize("The plane hit the building, and the police said that nobody was hurt; ") * 12
    began = time.process_time()
    tree = PARSER.parse(words)
    assert time.process_time() - began < 10
    assert tree.words == tuple(words)
    pieces = [span for span, parent in zip(tree.spans(), tree.parents, strict=False) if parent == 0]
    assert pieces
    top = [k for k, parent in enumerate(tree.parents) if parent == 0]
    starts = [sum(form is not None for form in tree.forms[:k]) for k in top]
    assert all(b - a <= PIECE for a, b in zip(starts, [*starts[1:], len(words)], strict=True))
    assert all(words[a - 1] == ";" for a in starts[1:])


def test_words_without_any_sign_are_cut_at_the_limit():
    words = ["buffalo"] * (LONGEST + 1)
    tree = PARSER.parse(words)
    assert tree.words == tuple(words)
    tags = PARSER.tag(words)
    pieces = [
        PARSER.parse(words[k : k + PIECE], tags=tags[k : k + PIECE])
        for k in range(0, len(words), PIECE)
    ]
    assert str(tree) == f"(ROOT {' '.join(str(p)[6:-1] for p in pieces)})"


def test_sentences_up_to_the_limit_are_whole():
    words = tokenize("The plane hit the building, and nobody was hurt; ") * 5
    assert PIECE < len(words) <= LONGEST
    tree = PARSER.parse(words)
    assert tree.parents.count(0) == 1
    assert tree.spans()[1][1:] == (0, len(words))


def test_given_tags_are_kept_where_the_model_knows_them_all():
    words = [["Time", "flies"], ["Time", "flies"], ["Yes"], ["Time", "flies"]]
    tags = [["VB", "NNS"], None, ["INTJ"], ("NN", "NNS")]
    found = [tree.tags for tree in PARSER.parse_tokens(iter(words), tags=iter(tags))]
    own = tuple(PARSER.tag(["Time", "flies"]))
    assert found == [("VB", "NNS"), own, ("UH",), ("NN", "NNS")]
    assert PARSER.parse(["Time", "flies"], tags=["VB", "NNS"]).tags == ("VB", "NNS")
    assert list(PARSER.parse_tokens([], tags=[])) == []


def test_tags_beside_one_that_the_model_lacks_are_kept():
    words = [["Time", "flies", "*"], ["Yes"], ["(", "Time", '"', ")"], ["See", "a@b.org"]]
    tags = [["VB", "NNS", "NFP"], ["XX"], ["(", "VB", '"', ")"], ["NN", "ADD"]]
    found = [tree.tags for tree in PARSER.parse_tokens(words, tags=tags)]
    own = PARSER.tag(words[0])
    assert own[:2] != ["VB", "NNS"]
    assert found == [
        ("VB", "NNS", own[2]),
        ("UH",),
        ("-LRB-", "VB", "''", "-RRB-"),
        ("NN", "NN"),
    ]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ([["NN"], ["NN"]], "1 tags for 2 tokens"),
        ([["NN"], "NN"], "2 tags for 2 tokens"),
        ([["NN"]], "the tags end before sentence 2"),
        ([None, None, ["NN"]], "there are tags after those of the last sentence, number 2"),
    ],
)
def test_tags_that_do_not_fit_are_told(tags, message):
    with pytest.raises(InputError, match=message):
        list(PARSER.parse_tokens([["Yes"], ["Time", "flies"]], tags=tags))


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ([], "has no token"),
        (["a", ""], "token 1 of 2 is empty"),
        ("a text", "is one text"),
        ([1], "token 0 of 1 is 1; want text"),
        (["a", None], "token 1 of 2 is None; want text"),
    ],
)
def test_what_is_no_sentence_is_told(sentence, message):
    with pytest.raises(InputError, match=message):
        list(PARSER.parse_tokens([["Yes"], sentence]))


def test_memory_is_bounded_by_words_that_wait():
    taken = 0

    def sentences():
        nonlocal taken
        for _ in range(6):
            taken += 1
            yield ["Yes"] * 7_000

    tags = [["UH"] * 7_000] * 6
    with pytest.MonkeyPatch.context() as patch:  # not to parse, but to see what is parsed together
        patch.setattr(EnglishParser, "parse_together", lambda _, some: [one for one, _ in some])
        found = PARSER.parse_tokens(sentences(), tags=tags)
        next(found)
        assert taken == 3
        assert len(list(found)) == 5


def damaged(name):
    raw = MODEL.read_bytes()
    half = len(raw) // 2
    if name == "flipped":
        return raw[:half] + bytes([raw[half] ^ 255]) + raw[half + 1 :]
    return {"empty": b"", "text": b"hello world\n", "cut": raw[:half]}[name]


@pytest.mark.parametrize("name", ["empty", "text", "cut", "flipped", "array", "others", "short"])
def test_a_damaged_model_is_told(tmp_path, name):
    path = tmp_path / "model.npz"
    if name == "array":
        with path.open("wb") as file:
            np.save(file, np.ones(3))
    elif name in {"others", "short"}:
        with np.load(MODEL) as file:
            arrays = dict(file)
        if name == "short":
            arrays["tagger_columns"] = arrays["tagger_columns"][:-5]
            arrays["forward_own_columns"] = arrays["forward_own_columns"][:-5]
        else:
            arrays = {"one": np.ones(3)}
        np.savez(path, **arrays)
    else:
        path.write_bytes(damaged(name))
    parser = EnglishParser(path)
    # The tagger reads its own arrays alone, which the flipped bits do not touch.
    for ask in [parser.parse] if name == "flipped" else [parser.parse, parser.tag]:
        with pytest.raises(FormatError, match=r"is no model of scripts/train_english.py, or") as e:
            ask(["Hi", "there"])
        assert str(e.value).startswith(str(path))
        assert "\n" not in str(e.value)


def test_a_model_that_unpacks_to_far_more_than_its_size_is_refused_before(tmp_path):
    path = tmp_path / "model.npz"
    np.savez_compressed(path, one=np.zeros(1 << 24))
    with pytest.raises(FormatError, match=r"model\.npz: unpacks to 134,\S+ bytes, more than 200"):
        EnglishParser(path).parse(["Hi", "there"])


def test_a_model_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"there is no model at .*nope\.npz; want a file that"):
        EnglishParser(tmp_path / "nope.npz").tag(["Hi"])


def test_the_model_is_small_and_plain():
    assert MODEL.stat().st_size < 5_000_000
    with np.load(MODEL, allow_pickle=False) as file:
        assert all(file[name].dtype.kind in "iufU" for name in file.files)


def test_nothing_is_loaded_before_it_is_needed():
    script = (
        "import sys, bitext.syntax.english as e; p = e.EnglishParser();"
        "assert e.tagger_of.cache_info().misses == 0;"
        "assert not {'bitext.syntax.english.parser'} & set(sys.modules);"
        "p.tag(['a']); assert e.tagger_of.cache_info().misses == 1;"
        "assert e.parser_of.cache_info().misses == 0"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_trees_made_by_hand_are_found_again():
    trees = [
        parse_tree(sentence["tree"])
        for path in sorted(data("clusters").glob("*.json"))
        for sentence in json.loads(path.read_text("utf-8"))["sentences"]
    ]
    shared = expected = proposed = 0
    for gold, tree in zip(trees, PARSER.parse_tokens(one.words for one in trees), strict=True):
        found = sorted(tree.spans()[1:])
        wanted = [span for span in gold.spans() if span[0]]
        proposed += len(found)
        expected += len(wanted)
        for span in wanted:
            if span in found:
                found.remove(span)
                shared += 1
    assert 2 * shared / (proposed + expected) > 0.7
