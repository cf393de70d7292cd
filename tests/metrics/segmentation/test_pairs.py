import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import InputError, Segmentation, SegmentationError
from bitext.metrics import boundary_similarity
from bitext.metrics.segmentation import Pairs
from reference.draw_segmentations import pairs_of_masses


@given(st.lists(pairs_of_masses(), max_size=5))
def test_pairs_stand_one_after_another_on_one_line(family):
    golds, hyps = ([Segmentation(pair[k]) for pair in family] for k in (0, 1))
    pairs = Pairs.of(golds, hyps)
    assert len(pairs) == len(family)
    assert pairs.sizes.tolist() == [gold.n for gold in golds]
    for side, given_ in ((pairs.gold, golds), (pairs.hyp, hyps)):
        assert side.segments.tolist() == [len(s) for s in given_]
        places = [
            int(b) + int(start)
            for s, start in zip(given_, pairs.starts, strict=False)
            for b in s.boundaries
        ]
        assert side.boundaries.tolist() == places
        owners = [p for p, s in enumerate(given_) for _ in s.boundaries]
        assert side.pair_of_boundary.tolist() == owners
        assert [side.boundary_ptr[p] for p in owners] == [owners.index(p) for p in owners]
    swapped = pairs.swapped()
    assert swapped.gold is pairs.hyp
    assert swapped.hyp is pairs.gold


def test_typed_segmentations_stay_at_hand():
    plain, typed = Segmentation([1, 2]), Segmentation([2, 1], types=[{1}])
    assert Pairs.of([plain], [plain]).typed is None
    pairs = Pairs.of([plain, plain], [typed, plain])
    assert pairs.typed == ([plain, plain], [typed, plain])
    assert pairs.swapped().typed == ([typed, plain], [plain, plain])


def test_what_cannot_be_paired_is_told():
    one = Segmentation([3])
    with pytest.raises(InputError, match="1 gold standards and 2 hypotheses: want as many"):
        Pairs.of([one], [one, one])
    with pytest.raises(SegmentationError, match=r"^the gold standard has 3 units and the hyp"):
        Pairs.of([one], [Segmentation([4])])
    with pytest.raises(SegmentationError, match="pair 8: the gold standard has 3 units"):
        Pairs.of([one, one], [one, Segmentation([4])], first=7)


@pytest.mark.parametrize("stranger", [[5, 5, 1, 3], None, {1, 2}, "0010"])
def test_what_is_no_segmentation_is_told(stranger):
    one = Segmentation([14])
    kind = type(stranger).__name__
    with pytest.raises(SegmentationError, match=f"the gold standard is .*, of type {kind}: want a"):
        Pairs.of([stranger], [one])
    with pytest.raises(
        SegmentationError, match=r"pair 1: the hypothesis is .*: want a Segmentatio"
    ):
        Pairs.of([one, one], [one, stranger], first=0)


def test_types_on_one_side_only_name_the_pair_in_every_block():
    plain, typed = Segmentation([3, 3]), Segmentation([3, 3], types=[{1}])
    with pytest.raises(SegmentationError, match="pair 5000: the boundaries of the hypothesis"):
        boundary_similarity.many([plain] * 5000 + [typed], [plain] * 5001)
