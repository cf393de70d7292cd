"""Scores of sentences: steps of their syntax, and what a rank is made of."""

from itertools import pairwise
from math import isnan

import pytest

from bitext.align.words.ngram_model import NgramModel
from bitext.align.words.ranking import RANKS, Transitions, score
from bitext.errors import InputError, OptionError
from bitext.model import Sentence, Token


def token(text):
    form, pos, trace = text.split("|")
    parts = tuple(trace.split("/"))
    return Token(form, pos, parts[-1] if parts[-1][2:] != "S" else "O", parts)


def tokens(text):
    return [token(part) for part in text.split()]


FERRY = tokens("The|DT|B-S/B-NP ferry|NN|I-S/I-NP burns|VBZ|I-S/B-VP .|.|I-S")
BOATS = tokens("Boats|NNS|B-S/B-NP rescued|VBD|I-S/B-VP all|DT|I-S/I-VP/B-NP .|.|I-S")
KNOWN = Transitions([Sentence(FERRY), Sentence(BOATS)])


def test_every_step_of_a_known_sentence_is_consistent():
    assert KNOWN.consistency(FERRY) == KNOWN.consistency(BOATS) == 1.0


def test_a_chunk_that_is_not_open_cannot_go_on():
    # I-NP after B-VP, though a noun after a verb were known.
    assert KNOWN.step(FERRY[2], FERRY[1]) == 0.0
    # After a chunk of the same kind it may: DT NN and their tags are known, S and NP are open.
    deeper = Token("all", "DT", "B-NP", ("I-S", "B-S", "B-NP"))
    assert KNOWN.step(deeper, FERRY[1]) == 1.0


def test_a_step_has_a_third_for_each_of_three():
    # NN VBD is unknown, its constituents go on.
    assert KNOWN.step(FERRY[1], BOATS[1]) == pytest.approx(1 / 3)
    # NN VBZ and the tags are known; S and SBAR are nowhere below S and NP, S alone is.
    lower = Token("burns", "VBZ", "B-VP", ("I-S", "I-SBAR", "B-VP"))
    assert KNOWN.step(FERRY[1], lower) == pytest.approx((2 + 1 / 2) / 3)
    # DT NN with other tags: the tags alone, and all constituents.
    outside = Token("ferry", "NN", "O", ("I-S",))
    assert KNOWN.step(FERRY[0], outside) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        ("B-S/B-NP", "B-S/B-NP", 1),  # nothing goes on
        ("B-S/B-NP", "I-S", 1),
        ("", "I-S/B-VP", 0),
        ("B-S/B-NP", "I-S/I-NP", 1),
        # Of what goes on, half has been there: S and VP, not SBAR and the S above it.
        ("B-S/I-VP", "I-S/I-SBAR/I-S/I-VP/B-NP", 1 / 2),
        # A clause within another: its constituents lie one below another in the same way.
        ("I-S/I-SBAR/I-S/I-VP/B-NP", "I-S/I-VP/B-PP", 1),
        # The noun phrase of an object is not that of a subject.
        ("I-S/I-VP/I-PP/B-NP", "I-S/I-NP", 1 / 2),
        ("B-S", "I-S/I-NP", 1 / 2),
        ("I-S/I-VP", "I-SBAR/I-WHNP", 0),
    ],
)
def test_what_goes_on_has_been_there(left, right, share):
    steps = [Token("a", "X", "O", tuple(trace.split("/"))) for trace in (left, right)]
    assert Transitions([Sentence(FERRY)]).step(*steps) == pytest.approx(share / 3)


def test_a_sentence_cannot_begin_within_a_constituent():
    middle = FERRY[2:]
    steps = [KNOWN.step(left, right) for left, right in pairwise(middle)]
    assert steps == [1.0]
    # Of three steps the first is wrong altogether: no sentence begins with a verb, or within S.
    assert KNOWN.consistency(middle) == pytest.approx(2 / 3)


def test_a_sentence_cannot_end_without_a_finite_verb_if_none_does():
    noun = [FERRY[0], FERRY[1], FERRY[3]]
    # NN and full stop were never seen together: a third for what goes on. And no verb: 0 for 1.
    assert KNOWN.consistency(noun) == pytest.approx((2 + 1 / 3) / 4)
    some = Transitions([Sentence(FERRY), Sentence(BOATS), Sentence(noun)])
    assert some.consistency(noun) == 1.0


def test_what_was_read_before_is_known_beside():
    one = Transitions([Sentence(BOATS)])
    both = Transitions([Sentence(FERRY)], beside=one)
    mixed = [*FERRY[:2], *BOATS[1:]]
    for words in (FERRY, BOATS, mixed, FERRY[2:]):
        assert both.consistency(words) == KNOWN.consistency(words)
    assert one.consistency(FERRY) < 1  # what is beside is not changed
    assert both.has_chunk(("DT", "NN")) and both.has_chunk(("NNS",))  # noqa: PT018 - one thing
    assert not one.has_chunk(("DT", "NN"))
    # A sentence without a finite verb beside lets others have none, too.
    verbless = Transitions([Sentence(FERRY)], beside=Transitions([Sentence(FERRY[:2])]))
    assert verbless.consistency(FERRY[:2]) == 1.0
    nothing = Transitions([], beside=one)
    assert nothing.consistency(BOATS) == 1.0


def test_without_syntax_there_is_no_consistency():
    assert isnan(KNOWN.consistency([Token("The"), *FERRY[1:]]))
    assert isnan(Transitions([Sentence(["The", "ferry"])]).consistency(FERRY))


def test_a_rank_is_made_of_its_parts():
    model = NgramModel([[t.form for t in FERRY], [t.form for t in BOATS]])
    mixed = [*FERRY[:2], *BOATS[1:]]
    found = {
        rank: score([mixed, FERRY], rank=rank, model=model, transitions=KNOWN) for rank in RANKS
    }
    bits = model.per_word([[t.form for t in mixed]])[0]
    share = KNOWN.consistency(mixed)
    assert share == pytest.approx(1 - 2 / 3 / 6)
    assert {rank: scores[0].total for rank, scores in found.items()} == {
        "ngram+syntax": pytest.approx(bits - 8 * (1 - share)),
        "ngram": bits,
        "syntax": share,
        "none": 0.0,
    }
    for scores in found.values():
        assert scores[0][:3] == (bits, share, 0.0)
        assert scores[1].consistency == 1.0


def test_a_fault_costs_what_a_wrong_step_costs():
    model = NgramModel([[t.form for t in FERRY]])
    given = {"model": model, "transitions": KNOWN}
    for rank, cost in (("ngram+syntax", 8 / 5), ("ngram", 0), ("syntax", 1 / 5), ("none", 0)):
        sound, faulty, half = score([FERRY, FERRY, FERRY], rank=rank, faults=[0, 1, 0.5], **given)
        assert sound.total - faulty.total == pytest.approx(cost)
        assert sound.total - half.total == pytest.approx(cost / 2)
        assert (sound.faults, faulty.faults, half.faults) == (0, 1, 0.5)
    # Without syntax, too: a mark left alone is seen there.
    (bare,) = score([[Token("a"), Token("(")]], rank="ngram+syntax", faults=[1], **given)
    assert bare.total == pytest.approx(bare.log2 - 8 / 3)


def test_words_without_syntax_are_ranked_by_the_model():
    model = NgramModel([["a", "b"]])
    asked = [[Token("a"), Token("b")]]
    found = score(asked, rank="ngram+syntax", model=model, transitions=KNOWN)
    assert found[0].total == found[0].log2 == model.per_word([["a", "b"]])[0]
    with pytest.raises(InputError, match="rank 'syntax' needs the syntax of every word"):
        score(asked, rank="syntax", model=model, transitions=KNOWN)
    with pytest.raises(OptionError, match=r"rank 'best' is not known: want one of ngram\+syntax"):
        score(asked, rank="best", model=model, transitions=KNOWN)
