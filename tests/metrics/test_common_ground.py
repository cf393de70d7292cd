import math
import re
from random import Random
from string import ascii_lowercase
from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.metrics import arcade
from bitext.metrics.arcade import MEASURES
from bitext.metrics.common_ground import common_ground, common_pivot, version_links
from bitext.metrics.common_line import Line, matches
from bitext.model import Alignment, Bitext, Counts, Text, compose
from reference import draw, measures
from reference import ground as slow


def bitext(src, tgt, beads):
    return Bitext(*(Text(x) if isinstance(x, list) else x for x in (src, tgt)), Alignment(beads))


def counted(scores):
    return {m: (c.hits, c.proposed, c.expected, c.found) for m, c in scores.items()}


def pieces(side):
    return [side.segment(k) for k in range(side.size)]


# Different segmentations of one text.


@st.composite
def recut_cases(draw_):
    """Gold and hyp over texts with the same characters, cut and blanked differently."""
    gold_texts = [draw_(draw.segments(1 + draw_(draw.up_to(4)))) for _ in range(2)]
    hyp_texts = [draw_(draw.recut(parts)) for parts in gold_texts]
    gold, hyp = (draw_(draw.alignments(*map(len, texts))) for texts in (gold_texts, hyp_texts))
    return gold, hyp, gold_texts, hyp_texts


@settings(max_examples=100)
@given(recut_cases())
@example(([((0,), (0,))], [((0, 1), (0,))], (["ab cd"], ["x"]), (["a", "b cd"], ["x"])))
def test_different_segmentations_are_compared_character_by_character(case):
    gold, hyp, gold_texts, hyp_texts = case
    scores = arcade(bitext(*gold_texts, gold), bitext(*hyp_texts, hyp))
    assert counted(scores) == slow.all_counts(gold, hyp, gold_texts, hyp_texts)


@given(recut_cases())
def test_exchanging_gold_and_hyp_exchanges_precision_and_recall_on_atoms_too(case):
    gold, hyp, gold_texts, hyp_texts = case
    one = arcade(bitext(*gold_texts, gold), bitext(*hyp_texts, hyp))
    two = arcade(bitext(*hyp_texts, hyp), bitext(*gold_texts, gold))
    for m in ("alignment", "sentence"):
        assert (one[m].hits, one[m].proposed, one[m].expected) == (
            two[m].hits,
            two[m].expected,
            two[m].proposed,
        )


def test_an_alignment_is_perfect_over_a_finer_text():
    gold = bitext(["He came. He saw.", "He won."], ["Il vint, vit, vainquit."], [((0, 1), (0,))])
    hyp = bitext(
        ["He came.", "He saw.", "He won."], ["Il vint, ", "vit, vainquit."], [((0, 1, 2), (0, 1))]
    )
    scores = arcade(gold, hyp)
    assert {scores[m].f1 for m in MEASURES} == {1.0}
    ground = scores.comparison.ground
    assert pieces(ground.src) == ["He came.", "He saw.", "He won."]
    assert pieces(ground.tgt) == ["Il vint,", "vit, vainquit."]
    assert ground.src.atoms
    assert ground.src.matched == 1


def test_white_space_inside_an_atom_counts_and_at_its_ends_does_not():
    gold = bitext(["a b  c"], ["x"], [((0,), (0,))])
    hyp = bitext(["a b", "c"], ["x"], [((0, 1), (0,))])
    scores = arcade(gold, hyp)
    assert counted(scores)["character"] == (4, 4, 4, 4)
    assert counted(scores)["word"] == (3, 3, 3, 3)


def test_a_boundary_within_a_word_cuts_it():
    gold = bitext(["abcd ef"], ["x"], [((0,), (0,))])
    hyp = bitext(["ab", "cd ef"], ["x"], [((0,), (0,))])
    scores = arcade(gold, hyp)
    assert pieces(scores.comparison.ground.src) == ["ab", "cd ef"]
    assert counted(scores)["word"] == (1, 1, 3, 1)
    assert counted(scores)["character"] == (2, 2, 7, 2)


def test_a_boundary_between_letter_and_combining_mark_and_beside_astral_characters():
    gold = bitext(["e\u0301\U0001d49c", "b"], ["x"], [((0,), (0,)), ((1,), ())])
    hyp = bitext(["e", "\u0301\U0001d49cb"], ["x"], [((0,), (0,)), ((1,), ())])
    scores = arcade(gold, hyp)
    assert pieces(scores.comparison.ground.src) == ["e", "\u0301\U0001d49c", "b"]
    assert counted(scores)["character"] == (1, 1, 3, 1)
    assert counted(scores)["alignment"] == (0, 2, 2, 0)


def test_empty_segments_have_no_place_on_the_line():
    gold = bitext(["ab", "", "cd"], ["x"], [((0,), (0,)), ((1,), ()), ((2,), ())])
    hyp = bitext(["", "a", "b", "cd", " "], ["x"], [((1, 2), (0,)), ((0, 4), ()), ((3,), ())])
    scores = arcade(gold, hyp)
    assert counted(scores)["alignment"] == (2, 2, 2, 2)
    assert pieces(scores.comparison.ground.src) == ["a", "b", "cd"]


def test_texts_without_a_character_have_nothing_to_compare():
    gold = bitext(["", " "], ["\t"], [((0, 1), (0,))])
    hyp = bitext([" "], ["", ""], [((0,), (0, 1))])
    assert counted(arcade(gold, hyp))["alignment"] == (0, 0, 0, 0)


@given(draw.compared(), st.data())
def test_white_space_alone_makes_no_atoms(case, data):
    n_src, n_tgt, gold, hyp = case
    src, tgt = data.draw(draw.segments(n_src)), data.draw(draw.segments(n_tgt))
    blank = data.draw(st.sampled_from(draw.BLANKS))
    spaced = [[blank + blank.join(x.split()) + blank for x in side] for side in (src, tgt)]
    scores = arcade(bitext(src, tgt, gold), bitext(*spaced, hyp))
    ground = scores.comparison.ground
    assert {ground.src.atoms, ground.tgt.atoms} == {False}
    assert counted(scores) == measures.all_counts(gold, hyp, src, tgt)


# Positions and identifiers.


def test_identifiers_meet_by_name_whatever_their_order():
    gold = Bitext(Text.of_ids("abc"), Text.of_ids("xy"), Alignment([((0, 1), (0,)), ((2,), (1,))]))
    hyp = Bitext(Text.of_ids("cab"), Text.of_ids("yx"), Alignment([((2, 1), (1,)), ((0,), (0,))]))
    scores = arcade(gold, hyp)
    assert {scores[m].f1 for m in scores} == {1.0}
    src = scores.comparison.ground.src
    assert [src.label(k) for k in range(src.size)] == list("abc")


@given(draw.compared(), st.data())
def test_identifiers_in_any_order_score_as_positions_do(case, data):
    n_src, n_tgt, gold, hyp = case
    new = [data.draw(st.permutations(range(n))) for n in (n_src, n_tgt)]

    def named(beads, order):
        ids = [[f"s{p}" for p in sorted(range(len(o)), key=o.__getitem__)] for o in order]
        moved = [
            tuple([o[k] for k in side] for o, side in zip(order, b, strict=True)) for b in beads
        ]
        return Bitext(Text.of_ids(ids[0]), Text.of_ids(ids[1]), Alignment(moved))

    still = [range(n_src), range(n_tgt)]
    scores = arcade(named(gold, still), named(hyp, new))
    assert counted(scores) == measures.all_counts(gold, hyp)
    assert counted(arcade(named(gold, new), named(hyp, still))) == counted(scores)


def test_identifiers_that_only_one_has_are_segments_too():
    gold = Bitext(Text.of_ids("ab"), Text.of_ids("x"), Alignment([((0, 1), (0,))]))
    hyp = Bitext(Text.of_ids("bc"), Text.of_ids("x"), Alignment([((0, 1), (0,))]))
    assert counted(arcade(gold, hyp))["sentence"] == (1, 2, 2, 1)


@pytest.mark.parametrize("turned", [False, True])
def test_identifiers_meet_documents_that_know_them(turned):
    whole = Bitext(
        Text(["a b", "c"], ids=["s1", "s2"]),
        Text(["x", "y"], ids=["t1", "t2"]),
        Alignment([((0,), (0,)), ((1,), (1,))]),
    )
    bare = Bitext(Text.of_ids(["s2"]), Text.of_ids(["t2", "t1"]), Alignment([((0,), (0, 1))]))
    scores = arcade(bare, whole) if turned else arcade(whole, bare)
    assert scores["character"].hits == 1
    assert {scores["character"].proposed, scores["character"].expected} == {4, 2}
    assert scores.comparison.ground.src.label(1) == "s2"


@pytest.mark.parametrize("ids", [["s1", "s2"], []])
def test_an_identifier_that_the_document_lacks_is_named(ids):
    whole = Bitext(Text(["a"] * len(ids), ids=ids, name="a.xml"), Text(["x"]), Alignment())
    bare = Bitext(
        Text.of_ids(["s9"]), Text.of_ids(["0"]), Alignment([((0,), (0,))]), meta={"path": "h.xces"}
    )
    span = "'s1' to 's2'" if ids else "none"
    with pytest.raises(
        InputError,
        match=rf"^h\.xces names source segment 's9', which a\.xml lacks .*{span}.*Bitext.swapped",
    ):
        arcade(whole, bare)


def test_positions_meet_a_document():
    whole = bitext(["a b", "c"], ["x", "y"], [((0,), (0,)), ((1,), (1,))])
    scores = arcade(whole, Alignment([((0,), (0,)), ((1,), ())]))
    assert scores["character"].hits == 3
    assert scores["word"].expected == 3


def test_a_position_beyond_the_document_is_named():
    whole = Bitext(Text(["a"], name="a.txt"), Text(["x"]), Alignment([((0,), (0,))]), name="gold")
    with pytest.raises(
        InputError, match=r"names source segment 1, but a\.txt of gold has 1 \(0 to 0\): were both"
    ):
        arcade(whole, Alignment([((1,), (0,))]))
    with pytest.raises(InputError, match=r"names target segment 7, but the text of gold has 1"):
        arcade(Alignment([((0,), (7,))]), whole)


def test_a_text_without_a_segment_has_none():
    empty = Bitext(Text([]), Text(["x"]), Alignment(), name="gold")
    with pytest.raises(InputError, match=r"the text of gold has none: were both made over"):
        arcade(empty, Alignment([((0,), (0,))]))


def test_what_is_no_alignment_is_refused():
    one = Alignment([((0,), (0,))])
    with pytest.raises(InputError, match=r"^gold is 1, of type int: want a Bitext, as of bitext\."):
        arcade(1, one)
    with pytest.raises(InputError, match=r"^hyp is \[\(\(0,\), .*, of type list: .* an Alignment$"):
        arcade(one, [((0,), (0,))])


def test_positions_and_bare_identifiers_have_no_common_ground():
    bare = Bitext(Text.of_ids("ab"), Text.of_ids("x"), Alignment([((0, 1), (0,))]), name="g")
    with pytest.raises(
        InputError, match=r"names source segments by position and g by id.*\(Bitext\.src\)"
    ):
        arcade(bare, Alignment([((0,), (0,))]))
    half = Bitext(None, Text.of_ids("x"), Alignment([((0,), (0,))]), name="g")
    with pytest.raises(InputError, match=r"target segments by position and g .*\(Bitext\.tgt\)"):
        arcade(half, Alignment([((0,), (0,))]))


def test_far_positions_keep_their_names():
    far = Alignment([((5_000_000,), (7,)), ((6_000_000,), (8,))])
    side = common_ground(far, far).src
    assert side.size == 2
    assert [side.label(k) for k in range(2)] == ["5000000", "6000000"]


def test_a_segment_has_the_characters_that_are_known():
    text = bitext(["a b"], ["x"], [((0,), (0,))])
    assert common_ground(text, text).src.segment(0) == "a b"
    assert common_ground(text.alignment, text.alignment).src.segment(0) == ""


# Texts that differ.

LETTERS = [
    "It was a bright cold day in April, and the clocks were striking thirteen.",
    "Winston Smith, his chin nuzzled into his breast, slipped quickly through the doors.",
    "Outside, even through the shut window-pane, the world looked cold.",
    "There was of course no way of knowing whether you were being watched.",
]
OTHER = ["Eins.", "Zwei.", "Drei.", "Vier."]
ONE_TO_ONE = [((k,), (k,)) for k in range(4)]


QUOTED = [
    "The old man went to the market early.",
    '"Nobody is here yet," he said to his dog, "nobody at all."',
    "They waited until the clock struck nine.",
    "Then they went home.",
]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"', "\u201d"),
        ('"', "''"),
        ('"', ""),
        ('"', "\u00bb-"),
        (".", "\u3002"),
        (".", "..."),
        (".", ""),
        ("The", "the"),
        ("They", "'They"),
    ],
)
def test_characters_that_only_one_text_has_do_not_tell_segments_apart(old, new, turned):
    other = [segment.replace(old, new) for segment in QUOTED]
    both = (bitext(QUOTED, OTHER, ONE_TO_ONE), bitext(other, OTHER, ONE_TO_ONE))
    scores = arcade(*both[:: -1 if turned else 1])
    assert {scores[m].f1 for m in MEASURES} == {1.0}
    ground = scores.comparison.ground
    assert pieces(ground.src) == (other if turned else QUOTED)


def test_a_quotation_mark_of_the_one_and_of_the_other_segment_is_no_difference():
    gold = ["He came, he said.", '"And he saw what there was.']
    hyp = ["He came, he said.\u201d", "And he saw what there was."]
    beads = [((0,), (0,)), ((1,), (1,))]
    scores = arcade(bitext(gold, OTHER, beads), bitext(hyp, OTHER, beads))
    assert {scores[m].f1 for m in MEASURES} == {1.0}
    same = [hyp[0].replace("\u201d", '"'), hyp[1]]
    assert arcade(bitext(gold, OTHER, beads), bitext(same, OTHER, beads))["alignment"].hits == 0


def test_segments_that_were_replaced_are_the_same_in_their_order():
    gold, hyp = ([LETTERS[0], *two, LETTERS[3]] for two in (["--", "Uh."], ["\u2014", "\u2026"]))
    scores = arcade(bitext(gold, OTHER, ONE_TO_ONE), bitext(hyp, OTHER, ONE_TO_ONE))
    assert {scores[m].f1 for m in MEASURES} == {1.0}
    assert pieces(scores.comparison.ground.src) == gold


WORDS = ["One day it rained.", "Nobody came.", "She sold apples.", "Yes!", "Yes.", "He left."]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("texts", "hits"),
    [
        ({1: "She sold apples."}, 5),  # stands twice, and `Nobody came.` is lost
        ({0: "He left.", 5: "One day it rained."}, 4),
        ({0: "He left.", 5: "Nobody came."}, 4),
        ({1: "NOBODY CAME", 3: "Yes."}, 6),  # versions, though another segment has `Yes.`
        ({1: "No one was there."}, 6),  # stands nowhere else, so it may be a version
    ],
)
def test_another_segment_in_the_place_of_one_is_no_version_of_it(texts, hits, turned):
    beads = [((k,), (k,)) for k in range(6)]
    hyp = [texts.get(k, segment) for k, segment in enumerate(WORDS)]
    both = [bitext(WORDS, text, beads) for text in (WORDS, hyp)]
    scores = arcade(*both[:: -1 if turned else 1], min_matched=0.3)
    for measure in ("alignment", "sentence", "strict", "lax"):
        counts = scores[measure]
        assert (counts.hits, counts.proposed, counts.expected) == (hits, 6, 6)


@pytest.mark.parametrize("turned", [False, True])
def test_segments_that_only_one_text_has_stand_by_themselves(turned):
    gold = [*LETTERS[:2], "Uh.", "\u2014", *LETTERS[2:]]
    hyp = [*LETTERS[:2], "***", *LETTERS[2:]]
    both = [bitext(gold, OTHER, []), bitext(hyp, OTHER, [])]
    side = common_ground(*both[:: -1 if turned else 1]).src
    lone = ["***", "Uh.", "\u2014"] if turned else ["Uh.", "\u2014", "***"]
    assert pieces(side) == [*LETTERS[:2], *lone, *LETTERS[2:]]


def test_a_text_that_is_not_cut_where_the_other_has_other_characters_is_cut_in_proportion():
    hyp = [LETTERS[0], "Zwei drei.", "Vier!", LETTERS[1]]
    gold = [f"{LETTERS[0]} {'x' * 9}{'y' * 5} {LETTERS[1]}"]
    side = common_ground(bitext(gold, OTHER, []), bitext(hyp, OTHER, []), min_matched=0).src
    assert pieces(side) == [LETTERS[0], "x" * 9, "y" * 5, LETTERS[1]]
    bare = [f"{LETTERS[0]} {LETTERS[1]}"]
    side = common_ground(bitext(bare, OTHER, []), bitext(hyp, OTHER, []), min_matched=0).src
    assert pieces(side) == hyp


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC"), ("NFC", "NFKC")])
def test_composed_and_decomposed_characters_are_the_same(forms):
    text = ["Él comió, ¿no?", "ệ한국어가", "Å\u212b"]
    one, two = ([normalize(form, segment) for segment in text] for form in forms)
    assert one != two or forms[1] == "NFKC"
    again = ["".join(two[:2]), two[2]]
    gold = bitext(one, OTHER, [((0, 1), (0,)), ((2,), (1,))])
    scores = arcade(gold, bitext(again, OTHER, [((0,), (0,)), ((1,), (1,))]))
    assert {scores[m].f1 for m in MEASURES} == {1.0}
    assert scores.comparison.ground.src.matched == 1
    assert pieces(scores.comparison.ground.src) == one


def test_a_cut_between_letter_and_mark_leaves_a_composed_character_to_the_first_piece():
    gold, hyp = ["caf\u00e9 noir"], ["cafe", "\u0301 noir"]
    side = common_ground(bitext(gold, OTHER, []), bitext(hyp, OTHER, [])).src
    assert pieces(side) == ["caf\u00e9", "noir"]
    side = common_ground(bitext(hyp, OTHER, []), bitext(gold, OTHER, [])).src
    assert pieces(side) == ["cafe", "\u0301 noir"]


@st.composite
def edited_cases(draw_):
    """As `recut_cases`, with characters put in, left out and replaced in the texts of hyp."""
    gold, hyp, gold_texts, hyp_texts = draw_(recut_cases())
    edited = []
    for text in hyp_texts:
        parts = list(text)
        for _ in range(draw_(st.integers(0, 3))):
            k = draw_(st.integers(0, len(parts) - 1))
            at = draw_(st.integers(0, len(parts[k])))
            new = draw_(st.sampled_from(["", '"', "q", "zz", "a", "."]))
            parts[k] = parts[k][:at] + new + parts[k][at + draw_(st.integers(0, 2)) :]
        edited.append(parts)
    return gold, hyp, gold_texts, edited


def lines_cells(one, other):
    first, second = (Line(Text(parts), decomposed=True) for parts in (one, other))
    plain = ["".join(map(chr, line.points.tolist())) for line in (first, second)]
    cut = [
        [text[i:j] for i, j in zip(line.begins(), line.ends(), strict=True)]
        for text, line in zip(plain, (first, second), strict=True)
    ]
    return slow.cells(*cut, list(zip(*(x.tolist() for x in matches(first, second)), strict=True)))


@settings(max_examples=100)
@given(edited_cases())
def test_texts_that_differ_are_compared_place_by_place(case):
    gold, hyp, gold_texts, hyp_texts = case
    scores = arcade(bitext(*gold_texts, gold), bitext(*hyp_texts, hyp), min_matched=0)
    sides = list(zip(gold_texts, hyp_texts, strict=True))
    if any(slow.alike(*side) for side in sides):
        return  # segments without a character count there
    want = slow.counts_of_cells(gold, hyp, [lines_cells(*side) for side in sides])
    assert {m: counted(scores)[m] for m in want} == want


@given(edited_cases())
def test_exchanging_gold_and_hyp_exchanges_precision_and_recall_where_texts_differ(case):
    gold, hyp, gold_texts, hyp_texts = case
    one = arcade(bitext(*gold_texts, gold), bitext(*hyp_texts, hyp), min_matched=0)
    two = arcade(bitext(*hyp_texts, hyp), bitext(*gold_texts, gold), min_matched=0)
    for m in ("alignment", "sentence"):
        assert one[m] == Counts(two[m].hits, two[m].expected, two[m].proposed, two[m].hits)


def test_a_typo_costs_nothing():
    typed = [LETTERS[0].replace("bright", "brihgt"), *LETTERS[1:]]
    scores = arcade(bitext(LETTERS, OTHER, ONE_TO_ONE), bitext(typed, OTHER, ONE_TO_ONE))
    assert {scores[m].f1 for m in MEASURES} == {1.0}
    assert 0.95 < scores.comparison.ground.src.matched < 1


def test_an_inserted_sentence_is_a_segment_of_the_hypothesis_alone():
    longer = [*LETTERS[:2], "Xyz!", *LETTERS[2:]]
    hyp = [((0,), (0,)), ((1,), (1,)), ((2, 3), (2,)), ((4,), (3,))]
    scores = arcade(bitext(LETTERS, OTHER, ONE_TO_ONE), bitext(longer, OTHER, hyp))
    assert counted(scores)["alignment"] == (3, 4, 4, 3)
    assert counted(scores)["sentence"] == (4, 5, 4, 4)
    assert counted(scores)["word"] == tuple(
        sum(len(x.split()) for x in texts) for texts in (LETTERS, longer, LETTERS, LETTERS)
    )


def test_an_inserted_sentence_left_unaligned_takes_nothing_from_the_rest():
    longer = [*LETTERS[:2], "Xyz!", *LETTERS[2:]]
    hyp = [((0,), (0,)), ((1,), (1,)), ((3,), (2,)), ((4,), (3,))]
    scores = arcade(bitext(LETTERS, OTHER, ONE_TO_ONE), bitext(longer, OTHER, hyp))
    assert {scores[m].f1 for m in MEASURES} == {1.0}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("new", ["It was.", "Xyz thirteen.", "Winston came.", "See the doors."])
def test_an_inserted_sentence_that_begins_or_ends_like_its_neighbour_takes_nothing(new, turned):
    longer = bitext(
        [LETTERS[0], new, *LETTERS[1:]], OTHER, [((k + (k > 0),), (k,)) for k in range(4)]
    )
    both = (bitext(LETTERS, OTHER, ONE_TO_ONE), longer)
    scores = arcade(*both[:: -1 if turned else 1])
    assert {scores[m].f1 for m in MEASURES} == {1.0}


def test_a_missing_sentence_is_a_segment_of_the_gold_standard_alone():
    shorter = [*LETTERS[:1], *LETTERS[2:]]
    hyp = [((0,), (0,)), ((1,), (2,)), ((2,), (3,))]
    scores = arcade(
        bitext(LETTERS, OTHER, ONE_TO_ONE), bitext(shorter, OTHER, hyp), min_matched=0.7
    )
    assert counted(scores)["alignment"] == (3, 3, 4, 3)
    assert counted(scores)["sentence"] == (3, 3, 4, 3)


def test_texts_that_differ_too_much_are_refused_with_the_first_difference():
    changed = [LETTERS[0], "Nothing at all to do with it.", *["Nor this one."] * 2]
    gold = Bitext(Text(LETTERS), Text(OTHER), Alignment(ONE_TO_ONE), name="gold")
    hyp = Bitext(Text(changed), Text(OTHER), Alignment(ONE_TO_ONE), meta={"path": "hyp.txt"})
    with pytest.raises(
        InputError,
        match=r"^the source texts of gold and hyp\.txt differ: \d\d\.\d% of their characters "
        r"match, white space apart, and 90% must; the first difference is "
        r"'Winston Smith.*' in segment 1 against 'Nothing at all.*' in segment 1; "
        r"score alignments of the same text$",
    ):
        arcade(gold, hyp)


def test_texts_that_leave_segments_out_have_their_remedy_and_it_works():
    """As the output of Bleualign, which has the aligned sentences alone, and mined pairs."""
    some = Bitext(Text(LETTERS[:1]), Text(OTHER[:1]), Alignment([((0,), (0,))]))
    gold = Bitext(Text(LETTERS), Text(OTHER), Alignment(ONE_TO_ONE))
    with pytest.raises(
        InputError, match=r"same text \(min_matched=(0\.\d) where one leaves"
    ) as told:
        arcade(gold, some)
    share = float(re.search(r"min_matched=(0\.\d)", str(told.value))[1])
    score = arcade(gold, some, min_matched=share)["alignment"]
    assert (score.precision, score.recall) == (1, 1 / len(ONE_TO_ONE))


def test_segments_in_another_order_are_told():
    turned = Bitext(Text(LETTERS[::-1]), Text(OTHER[::-1]), Alignment(ONE_TO_ONE))
    gold = Bitext(Text(LETTERS), Text(OTHER), Alignment(ONE_TO_ONE))
    with pytest.raises(InputError, match="its segments are in another order: sort them as those"):
        arcade(gold, turned)


def test_the_first_difference_may_be_the_end():
    gold, hyp = (bitext(x, OTHER, []) for x in (LETTERS, LETTERS[:2]))
    with pytest.raises(InputError, match=r"is 'Outside.*' in segment 2 against 'the end' in seg"):
        arcade(gold, hyp)


def test_exchanged_sides_are_advised_of():
    gold, hyp = bitext(LETTERS, OTHER, ONE_TO_ONE), bitext(OTHER, LETTERS, ONE_TO_ONE)
    with pytest.raises(
        InputError, match=r"its other side fits better: are the sides swapped \(Bitext"
    ):
        arcade(gold, hyp)


def test_how_much_must_match_is_an_option():
    changed = [*LETTERS[:3], "Something else."]
    gold, hyp = (bitext(x, OTHER, ONE_TO_ONE) for x in (LETTERS, changed))
    with pytest.raises(InputError, match=r"and 90% must"):
        arcade(gold, hyp)
    assert arcade(gold, hyp, min_matched=0.5)["alignment"].proposed == 4


@given(recut_cases(), st.lists(st.tuples(st.integers(0, 40), st.sampled_from("qz ")), max_size=3))
def test_ratios_stay_sound_where_texts_differ(case, edits):
    gold, hyp, gold_texts, hyp_texts = case
    edited = list(hyp_texts[0])
    for at, new in edits:
        k = at % len(edited)
        edited[k] = edited[k][: at // 2] + new + edited[k][at // 2 :]
    one, two = bitext(*gold_texts, gold), bitext(edited, hyp_texts[1], hyp)
    for counts in arcade(one, two, min_matched=0).values():
        assert 0 <= counts.hits <= counts.proposed
        assert 0 <= counts.found <= counts.expected


RANDOM = Random(0)
SENTENCES = [
    " ".join("".join(RANDOM.choices(ascii_lowercase, k=6)) for _ in range(4)) for _ in range(40)
]


@st.composite
def versions(draw_of):
    """Two versions of a text, each without some sentences and with some of them joined."""
    made = []
    for _ in range(2):
        left_out = draw_of(st.sets(st.integers(0, 39), max_size=4))
        joined = draw_of(st.sets(st.integers(0, 39), max_size=12))
        segments: list[list[int]] = []
        for k in range(40):
            if k in left_out:
                continue
            if segments and k in joined:
                segments[-1].append(k)
            else:
                segments.append([k])
        made.append(segments)
    return made


@given(versions())
def test_versions_of_a_text_are_linked_where_they_have_sentences_in_common(both):
    texts = [Text([" ".join(SENTENCES[k] for k in own) for own in each]) for each in both]
    none = Alignment([])
    first, second = Bitext(None, texts[0], none), Bitext(texts[1], None, none)
    made, share = version_links(first, second, min_matched=0)
    assert {(bead.src[0], bead.tgt[0]) for bead in made} == {
        (s, t)
        for s, one in enumerate(both[0])
        for t, other in enumerate(both[1])
        if set(one) & set(other)
    }
    assert share > 0.75
    turned, _ = version_links(
        Bitext(None, texts[1], none), Bitext(texts[0], None, none), min_matched=0
    )
    assert set(turned) == set(made.swapped())


def test_versions_of_different_texts_are_refused():
    none = Alignment([])
    first, second = Text(SENTENCES[:10]), Text(SENTENCES[20:30])
    with pytest.raises(InputError, match="have a text in common"):
        version_links(Bitext(None, first, none), Bitext(second, None, none))
    with pytest.raises(InputError, match="give the characters of both"):
        version_links(Bitext(first, None, none), Bitext(second, None, none))


def test_short_sentences_that_are_joined_in_one_version_are_linked():
    none = Alignment([])
    first, second = Text(["Yes. No.", "So it is."]), Text(["Yes.", "No.", "So it is."])
    made, share = version_links(Bitext(None, first, none), Bitext(second, None, none))
    assert [(bead.src, bead.tgt) for bead in made] == [((0,), (0,)), ((0,), (1,)), ((1,), (2,))]
    assert share == 1


@given(versions())
def test_alignments_are_composed_over_the_sentences_that_both_versions_of_the_pivot_have(both):
    """An alignment of each segment with itself: the composition has what the versions share."""
    texts = [Text([" ".join(SENTENCES[k] for k in own) for own in each]) for each in both]
    selves = [Alignment([((k,), (k,)) for k in range(len(text))]) for text in texts]
    first, second = Bitext(None, texts[0], selves[0]), Bitext(texts[1], None, selves[1])
    to_pivot, from_pivot, side = common_pivot(first, second, min_matched=0)
    made = compose(
        Alignment.from_arrays(selves[0].src, to_pivot),
        Alignment.from_arrays(from_pivot, selves[1].tgt),
    )
    for bead in made.alignment:
        sentences = [
            {k for s in members for k in own[s]} for own, members in zip(both, bead, strict=True)
        ]
        assert sentences[0] & sentences[1]
    shared = {k for own in both[0] for k in own} & {k for own in both[1] for k in own}
    kept = {k for bead in made.alignment for s in bead.src for k in both[0][s]}
    assert shared <= kept
    assert made.uncovered_first == sum(not shared & set(own) for own in both[0])
    assert side.size >= max(map(len, both))


def test_other_sentences_in_one_place_of_a_pivot_are_not_joined():
    first, second = SENTENCES[:20] + SENTENCES[21:], SENTENCES[:21] + SENTENCES[22:]
    each = Alignment([((k,), (k,)) for k in range(39)])
    to, of, side = common_pivot(Bitext(None, Text(first), each), Bitext(Text(second), None, each))
    made = compose(Alignment.from_arrays(each.src, to), Alignment.from_arrays(of, each.tgt))
    assert len(made.alignment) == 38
    assert (made.uncovered_first, made.uncovered_second, made.merged) == (1, 1, 0)
    assert side.atoms
    assert 0.9 < side.matched < 1


@pytest.mark.parametrize("form", ["en-00000000{}", "('en-00000000{}'", " 'x000000000{}')"])
def test_characters_of_identifiers_are_not_matched(form):
    """They are alike: `en-000000001` has all but one of those of `en-000000002`."""
    one = [form.format(k) for k in (1, 2, 3, 4)]
    two = [form.format(k) for k in (1, 2, 4, 5)]
    beads = [((k,), (k,)) for k in range(4)]
    gold = bitext(one, one, beads)
    assert arcade(gold, bitext(one, one, beads))["alignment"].f1 == 1
    with pytest.raises(InputError, match=r"seem to be identifiers, as .*two columns .*id-pairs"):
        arcade(gold, bitext(two, two, beads))
    by_ids = bitext(Text.of_ids(one), Text.of_ids(one), beads)
    with pytest.raises(InputError, match=r"lacks .*: its texts seem to be identifiers, as "):
        arcade(by_ids, gold)
    words = [[f"{each} ." for each in text] for text in (one, two)]
    texts = (bitext(text, text, beads) for text in words)
    found = arcade(*texts, min_matched=0.5)
    assert found["alignment"].proposed == 4


@pytest.mark.parametrize("share", ["0.9", 90, math.nan, None])
def test_the_least_share_is_a_number(share):
    one = Alignment([((0,), (0,))])
    with pytest.raises(OptionError, match=f"^min_matched is {share!r}: want a share from 0 to 1$"):
        common_ground(one, one, min_matched=share)


def test_bitexts_without_names_are_named_by_their_roles():
    def bitext(tgt, name=""):
        return Bitext(Text(["It rained."]), Text([tgt]), Alignment([((0,), (0,))]), name=name)

    for name, roles in (
        ("", "gold standard and the hypothesis"),
        ("a", "standard a and the hyp.* a"),
    ):
        with pytest.raises(InputError, match=f"the target texts of the .*{roles} differ"):
            common_ground(bitext("Il pleuvait.", name), bitext("On dort.", name))
