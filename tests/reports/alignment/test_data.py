"""What became of each bisegment, on common segments, and as data for a page."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, InputError, Text
from bitext.metrics import arcade
from bitext.reports.alignment import harmless, levels, overlaid, to_data
from bitext.reports.lettering import visible
from reference.sample_bitexts import GOLD, OURS, ferry

sides = st.sets(st.integers(0, 6), max_size=3)
alignments = st.lists(st.tuples(sides, sides).filter(any), max_size=8).map(Alignment)


def slow_kinds(mine, other, lost):
    """Return the letters by the sets themselves."""
    letters = ""
    for bead in mine:
        pairs = {(s, t) for s in bead.src for t in bead.tgt}
        theirs = {(s, t) for b in other for s in b.src for t in b.tgt}
        letters += "a" if bead in set(other) else "p" if pairs & theirs else lost
    return letters


@given(alignments, alignments)
def test_kinds_are_those_of_the_sets_and_agree_with_strict_and_lax(gold, hyp):
    found = overlaid(Bitext(None, None, gold), {"h": hyp})
    gold, hyp = gold.unique(), hyp.unique()
    assert found.kinds == ((slow_kinds(gold, hyp, "m"), slow_kinds(hyp, gold, "w")),)
    counts = found.counts(1)
    scores = arcade(gold, hyp)
    assert counts["agreed"] == scores["strict"].hits == found.kinds[0][0].count("a")
    assert counts["agreed"] + counts["partly"] == scores["lax"].hits
    assert len(found.differences(1)) == sum(counts.values()) - counts["agreed"]


@given(alignments)
def test_levels_are_the_longest_chain_that_ascends(alignment):
    chain = levels(alignment.src, alignment.tgt)
    points = sorted({(b.src[0], b.tgt[0]) for b in alignment if b.src and b.tgt})
    best = {}
    for s, t in points:
        best[s, t] = 1 + max((n for (p, q), n in best.items() if p < s and q < t), default=0)
    assert len(chain) == max(best.values(), default=0)
    assert set(chain) <= set(points)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(chain))


def test_a_difference_weighs_the_pairs_that_only_its_alignment_links():
    gold = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), ())])
    hyp = Alignment([((0, 1), (0, 1)), ((2,), (2,))])
    found = overlaid(Bitext(None, None, gold), {"h": hyp})
    weights = dict(zip(found.differences(1), found.weights(1), strict=True))
    assert {(d.system, d.bead): weight for d, weight in weights.items()} == {
        (0, 0): 0, (0, 1): 0, (0, 2): 0, (1, 0): 2, (1, 1): 1,
    }  # fmt: skip
    texts = Text(["aa", "b", "cccc"]), Text(["a", "bb", "c"])
    found = overlaid(Bitext(*texts, gold), {"h": hyp})
    assert found.weights(1)[1] == 9 - 2 - 2


def test_every_kind_is_found_in_order():
    bitext, hyps = ferry()
    found = overlaid(bitext, hyps)
    assert found.kinds[0] == ("apapmaaapmm", "apwapaaapw")
    order = [(d.system, d.bead, d.kind) for d in found.differences(1)]
    assert order[:3] == [(0, 1, "p"), (1, 1, "p"), (1, 2, "w")]
    assert found.counts(2) == {"agreed": 9, "partly": 1, "wrong": 0, "found": 2, "missed": 0}


def test_a_bisegment_that_is_repeated_stands_there_once():
    found = overlaid(Bitext(None, None, Alignment([*GOLD, GOLD[0]])), {"h": Alignment(OURS * 2)})
    assert [len(s) for s in found.systems] == [len(GOLD), len(OURS)]


def test_texts_that_are_cut_in_other_ways_meet_in_pieces():
    gold = Bitext(
        Text(["Yes it is.", "No.", "Well then."]),
        Text(["Oui.", "Non.", "Eh bien."]),
        Alignment([((k,), (k,)) for k in range(3)]),
    )
    cut = Bitext(
        Text(["Yes it", "is.", "No. Well", "then."]),
        gold.tgt,
        Alignment([((0, 1), (0,)), ((2,), (1,)), ((3,), (2,))]),
    )
    joined = Bitext(
        Text(["Yes it is. No. Well then."]),
        Text(["Oui. Non.", "Eh bien."]),
        Alignment([((0,), (0, 1))]),
    )
    found = overlaid(gold, {"cut": cut, "joined": joined, "same": gold.alignment})
    assert found.src.texts == ["Yes it", "is.", "No.", "Well", "then."]
    assert found.src.ids == ["0", "0", "1", "2", "2"]
    assert found.src.pieces
    assert found.kinds == (("app", "app"), ("ppp", "p"), ("aaa", "aaa"))
    assert found.systems[2].types == ("1-2",)
    held = to_data(found)
    assert held["systems"][0]["types"] == ["1-1", None, "1-1"]


def test_identifiers_and_positions_meet_over_the_text_that_knows_both():
    src, tgt = Text(["a", "b"], ids=["s1", "s2"]), Text(["c", "d"], ids=["t1", "t2"])
    gold = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), (1,))]))
    by_id = Bitext(Text.of_ids(["s2"]), Text.of_ids(["t2"]), Alignment([((0,), (0,))]))
    by_place = Bitext(None, None, Alignment([((1,), (1,))]))
    found = overlaid(gold, {"id": by_id, "place": by_place})
    assert found.kinds == (("ma", "a"), ("ma", "a"))
    turned = overlaid(Bitext(by_id.src, by_id.tgt, by_id.alignment), {"full": gold})
    assert turned.src.texts == ["a", "b"]
    assert turned.kinds == (("a", "wa"),)


def test_what_has_no_common_ground_is_named():
    bitext, _ = ferry()
    with pytest.raises(InputError, match="far: bisegment 0 has the source index 40"):
        overlaid(bitext, {"far": Alignment([((40,), (0,))])})
    other = Bitext(Text(["Nothing in common"]), bitext.tgt, Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match=r"^other: "):
        overlaid(bitext, {"other": other})
    with pytest.raises(InputError, match="called 'gold' as the gold standard is: rename"):
        overlaid(bitext, {"gold": bitext.alignment})


@given(st.text(max_size=40))
def test_texts_are_made_harmless_as_visible_does(text):
    assert harmless(text) == visible(text)


def test_data_hold_texts_once_scores_rounded_and_ids_only_where_they_say_more():
    gold = Alignment([((0,), (0,)), ((1,), ())], scores=[1 / 3, float("nan")])
    held = to_data(overlaid(Bitext(Text(["a\u202e", "b" * 9_000]), None, gold)))
    assert held["sides"][0]["texts"] == ["a[U+202E]", "b" * 2_000 + "…"]
    assert held["sides"][0]["ids"] is None
    assert held["sides"][1] == {"name": "", "size": 1, "ids": None, "texts": None}
    assert held["systems"][0]["scores"] == [0.333333, None]
    assert held["systems"][0]["types"] is None


def test_positions_far_beyond_the_bisegments_take_no_room_without_a_text():
    far = 10**12
    gold = Bitext(None, None, Alignment([((0,), (0,)), ((far,), (98, far)), ((5,), ())]))
    ours = Alignment([((0,), (0,)), ((far,), (98,)), ((far - 1,), ())])
    found = overlaid(gold, {"ours": ours})
    assert found.src.ids == ["0", "5", str(far - 1), str(far)]
    assert found.tgt.ids == ["0", "98", str(far)]
    assert found.kinds == (("apm", "apw"),)
    assert to_data(found)["sides"][0]["ids"] == found.src.ids


def test_near_positions_without_a_bisegment_are_shown():
    found = overlaid(Bitext(None, None, Alignment([((3,), (700,))])))
    assert (found.src.size, found.tgt.size) == (4, 701)


def test_far_positions_on_one_side_keep_their_names_where_the_other_is_cut_into_pieces():
    far = 10**12
    gold = Bitext(None, Text(["One two.", "Three."]), Alignment([((0,), (0,)), ((far,), (1,))]))
    ours = Bitext(None, Text(["One", "two. Three."]), Alignment([((0,), (0,)), ((far,), (1,))]))
    found = overlaid(gold, {"ours": ours})
    assert found.src.ids == ["0", str(far)]
    assert found.tgt.texts == ["One", "two.", "Three."]


def test_a_position_beyond_the_only_text_is_refused_before_segments_are_made():
    gold = Bitext(None, None, Alignment([((0,), (0,))]))
    given = {
        "far": Alignment([((10**12,), (0,))]),
        "text": Bitext(Text(["One."]), None, Alignment([((0,), (0,))])),
    }
    with pytest.raises(InputError, match=r"no source segment 1000000000000 in .* has 1 seg"):
        overlaid(gold, given)
