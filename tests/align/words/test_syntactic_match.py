from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.aligning import encode, iob_score, trimmed
from bitext.align.words.options import choose
from bitext.errors import InputError
from bitext.model import Sentence, Token, Tree
from reference import word_alignment_slow as slow
from reference.draw_sentences import sentences


def filled(token, length, place, *, pos="NN"):
    """Return a sentence of other words in which a token stands at a place, from 1."""
    others = [Token(f"{id(token)}-{k}", pos, "O", ("I-S",)) for k in range(length)]
    others[place - 1] = token
    return Sentence(others)


def one(iob="B-NP", trace=("B-S", "B-NP"), form="Milan", pos="NNP"):
    return Token(form, pos, iob, tuple(trace))


def match(first, second, *, places=((1, 1), (1, 1)), preset="V5", **options):
    """Return whether two tokens match, at places (place, length of the sentence)."""
    (i, n), (j, m) = places
    both = [filled(first, n, i), filled(second, m, j)]
    words = encode(both, choose(preset, **options))
    return bool(words.match(np.array([i - 1]), np.array([n + j - 1]))[0])


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("B-PP", "B-PP", 1),
        ("B-PP", "I-PP", 0),
        ("B-PP", "B-NP", -1),
        ("O", "O", 1),
        ("O", "B-NP", -1),
        ("O", "I", -1),
    ],
)
def test_two_tags(first, second, score):
    assert iob_score(first, second) == iob_score(second, first) == score


def test_a_trimmed_trace_lacks_both_ends():
    assert trimmed(("B-S", "I-VP", "I-PP", "B-NP")) == ("I-VP", "I-PP")
    assert trimmed(("B-S", "B-NP")) == trimmed(("B-S",)) == trimmed(()) == ()


def test_the_published_pair_by_the_text_and_by_the_figure():
    first, second = one(), one(trace=("I-S", "I-VP", "I-PP", "B-NP"))
    assert slow.syntax_score(first, second, weight=Fraction(1)) == -1
    assert slow.syntax_score(first, second, weight=Fraction(1, 2)) == 0
    # Near enough, the weight alone decides.
    assert not match(first, second)
    assert match(first, second, figure4=True)
    # In the example itself 1/3 is too far from 4/4 also for the figure.
    assert not match(first, second, places=((1, 3), (4, 4)), figure4=True)


def test_positions_exactly_two_fifths_apart():
    places = ((1, 5), (3, 5))
    assert match(one(), one(), places=places)
    assert not match(one(), one(), places=places, figure4=True)
    # 13/30 - 1/30 is 2/5; as floats the difference of some such pairs is above 0.4.
    for n in range(5, 45, 5):
        for i in range(1, n - 2 * n // 5 + 1):
            places = ((i + 2 * n // 5, n), (i, n))
            assert match(one(), one(), places=places)
            assert not match(one(), one(), places=places, figure4=True)
    assert not match(one(), one(), places=((1, 7), (4, 7)))  # 3/7
    assert match(one(), one(), places=((1, 8), (4, 8)))  # 3/8


def test_positions_count_punctuation_and_what_is_left_out():
    src = Sentence([one(), *[Token(",", ",", "O", ("I-S",))] * 3])
    tgt = Sentence([Token(",", ",", "O", ("I-S",))] * 3 + [one()])
    # Without the commas both would be 1/1.
    words = encode([src, tgt], choose("V5"))
    assert words.sizes.tolist() == [1, 1]
    assert not words.match(np.array([0]), np.array([1]))[0]
    assert encode([src, tgt], choose("V2")).match(np.array([0]), np.array([1]))[0]


def test_words_alone_ask_for_no_syntax_and_no_position():
    src, tgt = Sentence(["Milan", "is", "it"]), Sentence(["I", "went", "to", "milan"])
    words = encode([src, tgt], choose("V1"))
    assert words.match(np.array([0]), np.array([6]))[0]
    assert not words.match(np.array([0]), np.array([3]))[0]


def test_chunks_are_compared_and_not_the_ends_of_traces():
    # A possessive: the trace ends in I-NP, the chunk of the next words begins with it.
    first = one(iob="B-NP", trace=("B-S", "I-NP"), form="'s", pos="POS")
    second = one(iob="I-NP", trace=("B-S", "I-NP"), form="'s", pos="POS")
    outside = one(iob="O", trace=("B-S", "I-NP"), form="'s", pos="POS")
    assert match(first, first)
    assert match(first, second)  # 0
    assert not match(first, outside)  # -1, though the traces end alike
    # And ends that differ do no harm where the chunks agree.
    assert match(first, one(iob="B-NP", trace=("B-S", "I-VP"), form="'s", pos="POS"))


def test_words_outside_chunks_agree_with_each_other():
    assert match(one(iob="O", trace=("I-S",)), one(iob="O", trace=("I-S",)))
    # O/O is 1, so it bears one difference in length, and not two.
    assert match(one(iob="O", trace=("I-S",)), one(iob="O", trace=("I-S", "I-VP", "I-NP")))
    assert not match(
        one(iob="O", trace=("I-S",)), one(iob="O", trace=("I-S", "I-VP", "I-VP", "I-NP"))
    )


def test_traces_are_compared_from_the_second_last_element_until_one_ends():
    # From the end: I-PP/I-PP 1, I-VP/I-NP -1; then the shorter one is exhausted. 1 + 0 - 1 = 0.
    first = one(trace=("I-S", "I-VP", "I-PP", "B-NP"))
    second = one(trace=("I-S", "I-SBAR", "I-NP", "I-PP", "B-NP"))
    assert slow.syntax_score(first, second, weight=Fraction(1)) == 0
    assert match(first, second)
    # From the front it would be I-VP/I-SBAR -1, I-PP/I-NP -1: -2.
    third = one(trace=("I-S", "I-NP", "I-PP", "I-SBAR", "B-NP"))
    assert slow.syntax_score(first, third, weight=Fraction(1)) == -2
    assert not match(first, third)
    # The root is not compared: here it differs, and there is nothing else.
    assert match(one(trace=("B-S", "B-NP")), one(trace=("I-FRAG", "B-NP")))


def test_parts_of_speech_have_to_be_the_same():
    assert not match(one(pos="NNP"), one(pos="NN"))


@given(sentences(), sentences(), st.booleans(), st.sampled_from(["V1", "V2", "V4", "V5"]))
def test_every_two_words_match_as_the_slow_version_says(src, tgt, figure4, preset):
    options = choose(preset, figure4=figure4)
    words = encode([src, tgt], options)
    how = {"syntax": options.syntax, "figure4": figure4}
    commas = "commas" in options.leave_out
    listed = options.stop_words if "stop-words" in options.leave_out else ()
    mine, theirs = (
        [k - 1 for k in slow.kept(s, commas=commas, stop_words=listed)] for s in (src, tgt)
    )
    assert words.word.tolist() == mine + theirs
    gains = words.gains(np.array([0]), np.array([1]))(np.array([0]), 0, len(mine))[:, :, 0]
    for a, i in enumerate(mine):
        for b, j in enumerate(theirs):
            expected = slow.matches(src, i + 1, tgt, j + 1, **how)
            assert gains[a, b] == (2 if expected else -1)
            assert words.match(np.array([a]), np.array([len(mine) + b]))[0] == expected


FINE = st.fractions(0, 3, max_denominator=60)


@given(
    sentences(),
    sentences(),
    st.booleans(),
    FINE,
    st.fractions(0, 1, max_denominator=60),
    st.fractions(-3, 3, max_denominator=60),
)
def test_weight_distance_and_threshold_are_exact(src, tgt, figure4, weight, limit, threshold):
    options = choose(
        "V5",
        figure4=figure4,
        trace_weight=weight,
        max_distance=limit,
        match_threshold=threshold,
        leave_out=(),
    )
    words = encode([src, tgt], options)
    for i in range(len(src)):
        for j in range(len(tgt)):
            expected = slow.matches(
                src,
                i + 1,
                tgt,
                j + 1,
                syntax=True,
                figure4=figure4,
                weight=weight,
                limit=limit,
                threshold=threshold,
            )
            assert words.match(np.array([i]), np.array([len(src) + j]))[0] == expected


def test_a_weight_between_those_of_the_text_and_of_the_figure():
    # The published pair scores 1 - 2 * weight.
    first, second = one(), one(trace=("I-S", "I-VP", "I-PP", "B-NP"))
    assert match(first, second, trace_weight="0.5")
    assert match(first, second, trace_weight=0)
    assert not match(first, second, trace_weight="0.51")
    assert match(first, second, trace_weight="0.51", match_threshold=-0.02)
    assert not match(first, second, trace_weight="0.51", match_threshold="-0.019")
    # A threshold that no pair of words reaches aligns nothing, not even a word with itself.
    assert not match(first, first, match_threshold=2)


def test_the_greatest_distance():
    places = ((1, 3), (3, 3))
    assert not match(one(), one(), places=places)
    assert match(one(), one(), places=places, max_distance="2/3")
    assert match(one(), one(), places=places, max_distance=2 / 3)
    assert not match(one(), one(), places=places, max_distance="2/3", figure4=True)
    assert match(one(), one(), places=((1, 50), (50, 50)), max_distance=1)
    assert match(one(), one(), places=((2, 5), (2, 5)), max_distance=0)
    assert not match(one(), one(), places=((2, 5), (3, 5)), max_distance=0)


@given(st.lists(sentences(), min_size=2, max_size=3))
def test_verdicts_without_room_for_a_table_are_the_same(given_sentences):
    options = choose("V5")
    bare = encode(given_sentences, options, table_bytes=0)
    words = encode(given_sentences, options)
    first, second = np.divmod(np.arange(len(words.key) ** 2), max(1, len(words.key)))
    assert words.match(first, second).tolist() == bare.match(first, second).tolist()


def test_forms_are_made_alike_once_each():
    asked = []

    def function(form):
        asked.append(form)
        return form[:3]

    words = encode(
        [Sentence(["towers", "tower", "towels", "towers"])], choose("V1", forms=function)
    )
    assert sorted(asked) == ["towels", "tower", "towers"]
    assert len(set(words.key.tolist())) == 1


def test_a_word_without_syntax_is_refused_with_the_remedy():
    good = Sentence([one()], id="a")
    with pytest.raises(
        InputError,
        match=r"sentence 2 \('b'\) has no part of speech or chunk for word 2, 'fell': "
        r"parse the sentences first with bitext.syntax.analyse, or take a preset without syntax "
        r"\(V1, V2 or V3\)",
    ):
        encode([good, Sentence([one(), "fell"], id="b")], choose("V4"))
    with pytest.raises(InputError, match="sentence 1 has no part of speech or chunk for word 1"):
        encode([Sentence([Token("fell", "VBD")])], choose("V5"))
    tree = Tree(["VP", "VBD"], [-1, 0], [None, "fell"])
    with pytest.raises(
        InputError,
        match="sentence 1 has a tree, but no part of speech or chunk for word 1, 'fell': "
        r"take them from the tree with bitext\.syntax\.analyse",
    ):
        encode([Sentence(["fell"], tree=tree)], choose("V5"))


def test_chunks_without_traces_are_enough():
    # As from a tagger that makes no trees: nothing is added, nothing taken away.
    assert match(one(trace=()), one(trace=()))
    assert not match(one(trace=(), iob="B-VP"), one(trace=()))
    # What is analysed is what can be encoded.
    assert Sentence([one(trace=())]).analysed


def test_very_deep_traces():
    deep, other = ("B-S",) * 5000, ("I-S",) * 5000
    assert match(one(trace=deep), one(trace=deep))
    assert match(one(trace=deep), one(trace=other))  # each 0
    assert not match(one(trace=deep), one(trace=other[:-2]))  # 1 - 2
    assert match(one(trace=deep), one(trace=other[:-2]), figure4=True)  # 1 - 2/2
