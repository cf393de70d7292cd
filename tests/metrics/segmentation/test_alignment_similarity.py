from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import IgnoredTypesWarning, OptionError, SegmentationError
from bitext.metrics import alignment_similarity, segment_alignment
from reference import segments as slow
from reference.draw_segmentations import masses_of, pairs_of_masses, random_masses, random_pairs

# Ocampo Diaz and Ouyang 2022, figures 10, 11, 12 and 16; the last: it is not the same reversed.
PUBLISHED = [
    ((5, 5, 1, 3), (7, 3, 1, 3), Fraction(29, 35)),
    ((5, 5, 1, 3), (5, 4, 1, 4), Fraction(3, 5)),
    ((2, 2, 5, 5), (2, 2, 4, 6), Fraction(109, 120)),
    ((2, 2, 5, 5), (3, 1, 5, 5), Fraction(19, 24)),
    ((9, 5, 1), (5, 9, 1), Fraction(19, 27)),
    ((8, 6, 1), (5, 9, 1), Fraction(55, 72)),
    ((8, 6, 1), (6, 8, 1), Fraction(5, 6)),
    ((7, 7, 1), (6, 8, 1), Fraction(51, 56)),
    ((1, 8, 1), (9, 1), Fraction(2, 3)),
    ((1, 8, 1), (2, 7, 1), Fraction(19, 24)),
    ((1, 8, 1), (3, 6, 1), Fraction(83, 144)),
    ((1, 2, 3), (2, 2, 2), Fraction(11, 24)),
    ((3, 2, 1), (2, 2, 2), Fraction(1, 2)),
]
OPTIONS = [
    {"closeness": c, "weight": w} for c in slow.CLOSENESS for w in ("jaccard", "dice", "overlap")
] + [
    {"scoring": "best"},
    {"scoring": "degree"},
    {"scoring": "growing"},
    {"threshold": 0.5, "scoring": "growing"},
    {"threshold": 0.5},
    {"threshold": 0.5, "penalty": "soft"},
    {"threshold": 0.75, "penalty": "soft", "scoring": "best"},
    {"alignment": "tree"},
    {"alignment": "tree", "scoring": "growing"},
    {"alignment": "tree", "scoring": "best"},
    {"alignment": "tree", "scoring": "degree", "weight": "dice"},
    {"edges": "directed"},
    {"edges": "directed", "weight": "intersect", "threshold": 0.5, "penalty": "soft"},
    {"edges": "directed", "alignment": "tree", "weight": "intersect"},
]
ONE_SIDED = [
    {"edges": "gold"},
    {"edges": "hyp", "weight": "intersect"},
    {"edges": "gold", "alignment": "tree", "closeness": "dice", "weight": "intersect"},
]


@pytest.mark.parametrize(("gold", "hyp", "value"), PUBLISHED)
def test_published_values(gold, hyp, value):
    a, b = Segmentation(gold), Segmentation(hyp)
    assert alignment_similarity(a, b).value == pytest.approx(float(value), abs=1e-15)
    edges = segment_alignment(a, b).edges
    assert sum(Fraction(e.overlap, e.union) for e in edges) / len(edges) == value


def by_definition(pair, options, **more):
    given = {"directions" if name == "edges" else name: v for name, v in options.items()}
    return slow.similarity(*pair, **given, **more)


@given(pairs_of_masses(), st.sampled_from(OPTIONS + ONE_SIDED))
def test_it_is_what_the_definition_says(pair, options):
    found = alignment_similarity(*map(Segmentation, pair), **options)
    total, count = by_definition(pair, options)
    assert found.denominator == count
    assert found.numerator == pytest.approx(float(total), abs=1e-12)


def test_a_segment_of_many_edges_costs_more_than_several_of_a_few():
    units, pairs, one = (Segmentation(masses) for masses in ([1] * 6, [2, 2, 2], [1, 1, 4]))
    found = [alignment_similarity(units, hyp, scoring="growing").value for hyp in (pairs, one)]
    assert found == [0, pytest.approx(-2 / 3)]  # (3 - 3) / 6 and (3 - 7) / 6
    assert alignment_similarity(units, Segmentation([6]), scoring="growing").value == -5
    long = Segmentation([1] * 2000), Segmentation([2000])
    assert alignment_similarity(*long, scoring="growing").value == pytest.approx(-(2**52) / 2000)


@given(pairs_of_masses(), st.sampled_from(list(slow.CLOSENESS)))
def test_edges_are_those_of_the_definition(pair, closeness):
    found = segment_alignment(*map(Segmentation, pair), closeness=closeness).edges
    who = {e: {"gold"} if e.chosen_by == "gold" else {"hyp"} for e in found}
    who |= {e: {"gold", "hyp"} for e in found if e.chosen_by == "both"}
    assert {(e.gold, e.hyp): who[e] for e in found} == slow.edges(*pair, closeness)
    assert [(e.gold, e.hyp) for e in found] == sorted((e.gold, e.hyp) for e in found)


@example(
    ([4, 1, 1, 2, 2, 3, 1, 1, 1, 2], [2, 3, 2, 3, 8]), {"threshold": 0.5, "scoring": "growing"}
)
@given(pairs_of_masses(), st.sampled_from(OPTIONS))
def test_bounds_symmetry_and_identity(pair, options):
    a, b = map(Segmentation, pair)
    found = alignment_similarity(a, b, **options)
    assert found.value <= 1
    assert found.value >= 0 or options.get("scoring") == "growing"
    assert found == alignment_similarity(b, a, **options)
    assert alignment_similarity(a, a, **options).value == 1
    if options.get("weight") not in {"overlap", "intersect"}:
        assert (found.value == 1) == (a == b)


@given(pairs_of_masses(), st.sampled_from(list(slow.CLOSENESS)), st.randoms())
def test_the_maximum_spanning_tree_is_every_overlap(pair, weight, random):
    order = {}
    tree = slow.spanning_tree(
        *pair, weight, rank=lambda edge: order.setdefault(edge, random.random())
    )
    found = segment_alignment(*map(Segmentation, pair), alignment="tree")
    assert {(e.gold, e.hyp) for e in found.edges} == tree
    closest = {(e.gold, e.hyp) for e in segment_alignment(*map(Segmentation, pair)).edges}
    assert closest == {(e.gold, e.hyp) for e in found.edges if e.chosen_by != "neither"}


def test_the_spanning_tree_has_edges_that_no_segment_chose():
    # 1 of 3|3 and 2 of 2|2|2: the middle one goes to the left, so that the right edge is nobody's.
    gold, hyp = Segmentation([3, 3]), Segmentation([2, 2, 2])
    found = segment_alignment(gold, hyp, alignment="tree")
    by = [(e.gold, e.hyp, e.chosen_by) for e in found.edges]
    assert by == [(0, 0, "both"), (0, 1, "hyp"), (1, 1, "neither"), (1, 2, "both")]
    tree = alignment_similarity(gold, hyp, alignment="tree")
    assert tree.value == pytest.approx((2 / 3 + 1 / 4 + 1 / 4 + 2 / 3) / 4)
    assert alignment_similarity(gold, hyp).value == pytest.approx((2 / 3 + 1 / 4 + 2 / 3) / 3)


@given(pairs_of_masses(), st.sampled_from(["intersect", "jaccard"]), st.booleans())
def test_directed_edges_are_the_choices_of_both_sides(pair, weight, spanning):
    a, b = map(Segmentation, pair)
    how = {"alignment": "tree" if spanning else "closest", "weight": weight}
    found = segment_alignment(a, b, **how)
    assert sum(2 if e.chosen_by == "both" or spanning else 1 for e in found.edges) == len(
        found.directed
    )
    if not spanning:
        assert [(e.side, e.segment) for e in found.directed] == [
            *(("gold", k) for k in range(len(a))),
            *(("hyp", k) for k in range(len(b))),
        ]
    for edges in ("directed", "gold", "hyp"):
        mine = [e.weight for e in found.directed if edges in {"directed", e.side}]
        score = alignment_similarity(a, b, edges=edges, **how)
        assert score.value == pytest.approx(sum(mine) / len(mine))
    one, other = (alignment_similarity(x, y, edges="gold", **how) for x, y in ((a, b), (b, a)))
    assert other == alignment_similarity(a, b, edges="hyp", **how)
    both = alignment_similarity(a, b, edges="directed", **how)
    assert both.denominator == one.denominator + other.denominator
    assert both.numerator == pytest.approx(one.numerator + other.numerator)


def test_coverage_of_one_side_worked_by_hand():
    # One half of the text in one segment; on the other side it is cut in two.
    gold, hyp = Segmentation([4, 4]), Segmentation([3, 1, 4])
    found = [
        alignment_similarity(gold, hyp, weight="intersect", edges=edges).value
        for edges in ("gold", "hyp", "directed")
    ]
    assert found == [(3 / 4 + 1) / 2, 1, (3 / 4 + 1 + 3) / 5]


TYPES = st.sets(st.sampled_from(["act", "scene", 3]), min_size=1)
WEIGHTS = st.dictionaries(st.sampled_from(["act", "scene", 3]), st.sampled_from([0.5, 1, 2, 3.5]))


@st.composite
def typed_pairs(draw):
    pair = draw(pairs_of_masses(most=14))
    return pair, [draw(st.lists(TYPES, min_size=len(m) - 1, max_size=len(m) - 1)) for m in pair]


def typed(case):
    return [Segmentation(masses, types=types) for masses, types in zip(*case, strict=True)]


@given(typed_pairs(), WEIGHTS, st.sampled_from([{}, {"edges": "directed"}, ONE_SIDED[2]]))
def test_types_weigh_as_the_definition_says(case, weights, options):
    a, b = typed(case)
    found = alignment_similarity(a, b, type_weights=weights, **options)
    total, whole = by_definition(case[0], options, types=case[1], type_weights=weights)
    assert found.numerator == pytest.approx(float(total))
    assert found.denominator == pytest.approx(float(whole))
    assert 0 <= found.value <= 1 + 1e-12
    assert alignment_similarity(a, a, type_weights=weights, **options).value == pytest.approx(1)
    if not options:
        assert found == alignment_similarity(b, a, type_weights=weights)
        assert (found.value > 1 - 1e-12) == (a == b)


@given(pairs_of_masses(most=14), st.sampled_from([0.5, 1, 3]))
def test_one_type_is_as_none(pair, weight):
    one = typed((pair, [[{"act"}] * (len(masses) - 1) for masses in pair]))
    found = alignment_similarity(*one, type_weights={"act": weight})
    assert found.value == pytest.approx(alignment_similarity(*map(Segmentation, pair)).value)
    bare = alignment_similarity(*map(Segmentation, pair), type_weights={"act": weight})
    assert bare == alignment_similarity(*map(Segmentation, pair))


@given(st.lists(typed_pairs(), max_size=5), st.lists(pairs_of_masses(most=9), max_size=3), WEIGHTS)
def test_many_typed_and_untyped_pairs_are_as_one_by_one(cases, bare, weights):
    family = [typed(case) for case in cases] + [[*map(Segmentation, pair)] for pair in bare]
    golds, hyps = [pair[0] for pair in family], [pair[1] for pair in family]
    each = [alignment_similarity(*pair, type_weights=weights) for pair in family]
    many = alignment_similarity.many(golds, hyps, type_weights=weights)
    for found, alone in zip(many, each, strict=True):
        assert found.numerator == pytest.approx(alone.numerator)
        assert found.denominator == pytest.approx(alone.denominator)


def test_types_worked_by_hand():
    # Right at the first boundary; a section at the second where a chapter is expected.
    gold = Segmentation([2, 2, 2], types=[{"section"}, {"chapter"}])
    hyp = Segmentation([2, 2, 2], types=[{"section"}, {"section"}])
    for chapter in (1, 3):
        right, of = 1 + (1 + 0) / 2 + 0, 1 + (1 + 1 + chapter) / 2 + (1 + chapter)
        found = alignment_similarity(gold, hyp, type_weights={"chapter": chapter})
        assert (found.numerator, found.denominator) == (right, of)
    with pytest.warns(IgnoredTypesWarning, match="^alignment-similarity: types of"):
        assert alignment_similarity(gold, hyp).value == 1


def test_a_type_on_one_side_only_is_refused():
    one, other = Segmentation([1, 2], types=[{"act"}]), Segmentation([1, 2])
    with pytest.raises(SegmentationError, match="boundaries of the hypothesis have no types"):
        alignment_similarity(one, other, type_weights={})
    assert alignment_similarity(one, other).value == 1  # types are ignored


@given(st.lists(pairs_of_masses(), max_size=6), st.sampled_from(OPTIONS + ONE_SIDED))
def test_many_pairs_are_as_one_by_one(family, options):
    golds, hyps = ([Segmentation(pair[k]) for pair in family] for k in (0, 1))
    found = alignment_similarity.many(golds, hyps, **options)
    each = [alignment_similarity(a, b, **options) for a, b in zip(golds, hyps, strict=True)]
    assert list(found) == each


def test_a_function_is_a_closeness():
    a, b = Segmentation([1, 2, 3]), Segmentation([2, 2, 2])
    named = alignment_similarity(a, b, closeness="jaccard", weight="dice")
    assert named == alignment_similarity(
        a,
        b,
        closeness=lambda shared, own, other: shared / (own + other - shared),
        weight=lambda shared, own, other: 2 * shared / (own + other),
    )
    with pytest.raises(OptionError, match="of closeness gives other than one number an edge"):
        alignment_similarity(a, b, closeness=lambda *_: 1.0)
    with pytest.raises(OptionError, match="of weight gives other than one number an edge"):
        alignment_similarity(a, b, weight=lambda shared, *_: shared * np.inf)
    with pytest.raises(OptionError, match="of weight gives no numbers"):
        alignment_similarity(a, b, weight=lambda shared, *_: ["x"] * len(shared))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"closeness": "near"}, "closeness 'near' is not known: want one of intersect, jaccard"),
        ({"closeness": ["near"]}, "closeness .'near'. is not known"),
        ({"weight": "near"}, "weight 'near' is not known"),
        ({"scoring": "sum"}, "scoring 'sum' is not known: want one of edges, best, degree"),
        (
            {"alignment": "bush"},
            "alignment 'bush' is not known: want one of closest, tree",
        ),
        ({"edges": "both"}, "edges 'both' are not known: want one of undirected, directed, gold"),
        ({"edges": "gold", "scoring": "best"}, "edges and scoring='best' exclude each other"),
        ({"type_weights": {"act": 0}}, "type_weights are {'act': 0}: want a weight above 0"),
        ({"type_weights": 3}, "type_weights are 3: want a weight above 0 for each type"),
        (
            {"type_weights": {"act": 2}, "scoring": "growing"},
            "type_weights and scoring='growing' exclude each other",
        ),
        ({"penalty": "no"}, "penalty 'no' is not known: want one of hard, soft"),
        ({"threshold": 2}, "the threshold is 2: want a weight from 0 to 1"),
        ({"threshold": True}, "the threshold is True: want a weight from 0 to 1"),
        ({"threshold": "x"}, "the threshold is 'x': want a weight from 0 to 1"),
        ({"threshold": float("nan")}, "the threshold is nan: want a weight from 0 to 1"),
    ],
)
def test_wrong_options_are_told(options, message):
    with pytest.raises(OptionError, match=message):
        alignment_similarity(Segmentation([1, 2]), Segmentation([2, 1]), **options)


def test_options_may_be_numbers_of_numpy_and_fractions():
    gold, hyp = (Segmentation([2, 2, 2], types=["act", kind]) for kind in ("scene", "act"))
    for share, weight in ((np.float32(0.5), np.int64(3)), (Fraction(1, 2), Fraction(3))):
        options = {"threshold": share, "type_weights": {"act": weight}}
        plain = alignment_similarity(gold, hyp, threshold=0.5, type_weights={"act": 3})
        assert alignment_similarity(gold, hyp, **options) == plain


def test_texts_of_different_length_are_refused():
    with pytest.raises(SegmentationError, match="gold standard has 3 units and the hypothesis 4"):
        alignment_similarity(Segmentation([1, 2]), Segmentation([2, 2]))
    two = [Segmentation([1, 2])] * 2
    with pytest.raises(SegmentationError, match="pair 1: the gold standard has 3 units"):
        alignment_similarity.many(two, [Segmentation([3]), Segmentation([2])])
    with pytest.raises(ValueError, match="2 gold standards and 1 hypotheses: want as many"):
        alignment_similarity.many(two, two[:1])


def test_groups_tell_what_became_of_boundaries():
    gold, hyp = Segmentation([4, 4, 2, 2, 6, 3]), Segmentation([4, 5, 1, 2, 3, 3, 3])
    found = segment_alignment(gold, hyp)
    assert [(g.kind, g.gold, g.hyp, g.missing, g.extra) for g in found.groups] == [
        ("match", range(1), range(1), (), ()),
        ("shift", range(1, 2), range(1, 2), (), ()),
        ("shift", range(2, 3), range(2, 3), (), ()),
        ("match", range(3, 4), range(3, 4), (), ()),
        ("split", range(4, 5), range(4, 6), (), (15,)),
        ("match", range(5, 6), range(6, 7), (), ()),
    ]
    told = [(r.kind, r.gold, r.hyp, r.shift) for r in found.boundaries()]
    assert told == [
        ("match", 4, 4, 0),
        ("shift", 8, 9, 1),
        ("match", 10, 10, 0),
        ("match", 12, 12, 0),
        ("extra", None, 15, 0),
        ("match", 18, 18, 0),
    ]
    merged = segment_alignment(hyp, gold).groups[4]
    assert (merged.kind, merged.missing, merged.start_shift, merged.end_shift) == (
        "merge",
        (15,),
        0,
        0,
    )


@given(pairs_of_masses())
def test_every_boundary_and_segment_is_read_once(pair):
    a, b = map(Segmentation, pair)
    found = segment_alignment(a, b)
    read = found.boundaries()
    assert [r.gold for r in read if r.gold is not None] == a.boundaries.tolist()
    assert [r.hyp for r in read if r.hyp is not None] == b.boundaries.tolist()
    assert [s for g in found.groups for s in g.gold] == list(range(len(a)))
    assert [s for g in found.groups for s in g.hyp] == list(range(len(b)))
    edges = {(e.gold, e.hyp) for e in found.edges}
    inside = {(i, j) for g in found.groups for i in g.gold for j in g.hyp}
    assert edges <= inside
    kinds = {"match": (False, 0), "shift": (False, 1), "missing": (None, 0), "extra": (None, 0)}
    for r in read:
        one_sided, shifted = kinds[r.kind]
        assert (r.gold is None or r.hyp is None) == (one_sided is None)
        assert (r.shift != 0) == bool(shifted)


def test_a_group_may_hold_several_of_both():
    gold, hyp = Segmentation([2, 5, 1]), Segmentation([5, 3])
    found = segment_alignment(gold, hyp)
    (group,) = found.groups
    assert (group.kind, group.missing, group.extra) == ("mixed", (2, 7), (5,))
    assert [r.kind for r in found.boundaries()] == ["missing", "extra", "missing"]


def test_a_long_text_is_no_trouble():
    rng = np.random.default_rng(3)
    cuts = np.unique(rng.integers(1, 10**6, size=10**5))
    long = Segmentation(np.diff(np.concatenate([[0], cuts, [10**6]])))
    shifted = Segmentation(np.concatenate([long.masses[1:], long.masses[:1]]))
    assert alignment_similarity(long, long).value == 1
    assert 0 < alignment_similarity(long, shifted).value < 1
    huge = Segmentation([2**40, 2**41 + 1]), Segmentation([2**40 + 1, 2**41])
    assert 1 - 1e-11 < alignment_similarity(*huge).value < 1


def test_random_pairs_at_full_length():
    rng = np.random.default_rng(5)
    for a, b in random_pairs(7, 15, 200):
        expected = slow.similarity(a, b)
        assert alignment_similarity(a, b).value == pytest.approx(float(expected[0]) / expected[1])
    assert random_masses(rng, 5, 5) == [1] * 5


@given(masses_of(12))
def test_one_segment_against_many(masses):
    found = alignment_similarity(Segmentation([12]), Segmentation(masses))
    assert found.denominator == len(masses)
    assert found.numerator == pytest.approx(1)
