from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.syntax.adapters.local import chunk

TAGS = """
    NN NNS NNP DT JJ RB VB VBD VBN VBG MD TO IN CC PRP PRP$ POS CD $ # , . : `` '' -LRB- -RRB- WDT
    WP WRB RP UH EX PDT HYPH NFP ADD AFX XX _SP <x> {y}
"""


def chunks(tagged):
    """Cut `word/TAG` apart, and write the chunks with brackets."""
    pairs = [item.rsplit("/", 1) for item in tagged.split()]
    groups = []
    for (word, _), iob in zip(pairs, chunk([tag for _, tag in pairs]), strict=True):
        if iob.startswith("I"):
            groups[-1].append(word)
        else:
            groups.append([iob[2:], word])
    return " ".join(f"[{' '.join(words)}]" if words[0] else words[1] for words in groups)


@pytest.mark.parametrize(
    ("tagged", "want"),
    [
        (
            "The/DT very/RB old/JJ ferry/NN did/VBD not/RB leave/VB Milan/NNP ./.",
            "[NP The very old ferry] [VP did not leave] [NP Milan] .",
        ),
        (
            "He/PRP gave/VBD up/RP the/DT owner/NN 's/POS three/CD boats/NNS",
            "[NP He] [VP gave] [PRT up] [NP the owner] [NP 's three boats]",
        ),
        (
            "It/PRP is/VBZ quite/RB long/JJ and/CC wet/JJ",
            "[NP It] [VP is] [ADJP quite long and wet]",
        ),
        (
            "They/PRP want/VBP to/TO sail/VB to/IN Como/NNP soon/RB",
            "[NP They] [VP want to sail] [PP to] [NP Como] [ADVP soon]",
        ),
        ("All/PDT the/DT crew/NN who/WP sank/VBD", "[NP All the crew] [NP who] [VP sank]"),
        ("$/$ 5/CD million/CD ,/, he/PRP said/VBD", "[NP $ 5 million] , [NP he] [VP said]"),
        ("Oh/UH ,/, why/WRB ?/.", "[INTJ Oh] , [ADVP why] ?"),
        ("a/DT sinking/VBG ship/NN", "[NP a sinking ship]"),
    ],
)
def test_the_grammar(tagged, want):
    assert chunks(tagged) == want


@given(st.lists(st.sampled_from(TAGS.split()), max_size=30), st.data())
def test_chunks_are_well_formed_whatever_the_tags(tags, data):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(tags)))))
    nouns = data.draw(st.sampled_from([None, list(pairwise(cuts))[::2]]))
    found = chunk(tags, nouns=nouns)
    assert len(found) == len(tags)
    before = "O"
    for one in found:
        assert one == "O" or one[:2] in {"B-", "I-"}
        if one.startswith("I-"):
            assert before[2:] == one[2:]
        before = one


def test_known_noun_phrases_are_kept_but_for_marks_and_possessives():
    tags = ["DT", "NN", "POS", "NN", "-LRB-", "DT", "NNP", "-RRB-", "VBD"]
    found = chunk(tags, nouns=[(0, 4), (4, 8)])
    assert found == ["B-NP", "I-NP", "B-NP", "I-NP", "O", "B-NP", "I-NP", "O", "B-VP"]
    assert chunk([",", "."], nouns=[(0, 2)]) == ["O", "O"]


def test_no_words_no_chunks():
    assert chunk([]) == []


@pytest.mark.parametrize("tag", ["JJ", "RB"])
def test_thousands_of_words_of_a_kind(tag):
    assert len(chunk([tag] * 4000)) == 4000


def test_ten_thousand_words():
    assert chunk(["DT", "NN", "VBD", ","] * 2500) == ["B-NP", "I-NP", "B-VP", "O"] * 2500
