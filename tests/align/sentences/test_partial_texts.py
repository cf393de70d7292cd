"""Texts of which one has only a part of the other."""

import numpy as np
import pytest

from bitext.align.sentences import (
    align_corpus,
    align_sentences,
    aligner_of,
)
from bitext.align.sentences.bead_types import letters_of
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.evidence.punctuation import marks_of
from bitext.align.sentences.hard_boundaries import HardBoundaries
from bitext.align.sentences.length_profile import LengthProfile, ProfileModel
from bitext.align.sentences.path_choice import (
    SEARCHED_ROWS,
    SMALL_TABLE,
    Place,
    abridged_space,
    excerpt_place,
    excerpt_spaces,
)
from bitext.align.sentences.search_space import space_of
from bitext.model import Text
from reference.translated_texts import lengths, pair_of, sentences

GREEK = {ord("a") + k: 0x3B1 + k for k in range(26)}


def _texts(kept, *, side, seed=4, count=400, names=0.5, greek=False):
    """Return two texts, of one of which some sentences are left, and the beads of these."""
    pairs = sentences(count, seed=seed, names=names)
    texts = [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    if greek:  # no word is in both
        texts[1] = [line.lower().translate(GREEK) for line in texts[1]]
    texts[side] = [texts[side][k] for k in kept]
    rows = [range(count), range(count)]
    rows[side] = range(len(kept))
    beads = {(rows[0][k if side else n], rows[1][n if side else k]) for n, k in enumerate(kept)}
    return Text(texts[0]), Text(texts[1]), {((i,), (j,)) for i, j in beads}


def _cut_finely(first, last, *, side, seed=2, count=360):
    """Return two texts, of one of which a passage is left, and two of five sentences cut in two."""
    pairs = sentences(count, seed=seed, names=0.0)
    tgt, row = [], []
    for k, (_, words) in enumerate((a, b.split(" ")) for a, b in pairs):
        half = len(words) // 2 if k % 5 < 2 and len(words) > 3 else 0
        parts = [words[:half], words[half:]] if half else [words]
        tgt += [" ".join(part).lower().translate(GREEK) for part in parts]
        row += [k] * len(parts)
    left = range(first, last) if side == 0 else range(count)
    ends = np.searchsorted(row, [first, last]) if side else (0, len(tgt))
    beads = {
        ((k - left[0],), tuple((np.flatnonzero(np.array(row) == k) - ends[0]).tolist()))
        for k in range(first, last)
    }
    return Text([pairs[k][0] for k in left]), Text(tgt[slice(*ends)]), beads


def _f1(alignment, beads):
    found = {(bead.src, bead.tgt) for bead in alignment if bead.src and bead.tgt}
    return 2 * len(found & beads) / (len(found) + len(beads))


@pytest.mark.parametrize(("size", "turned"), [(30, False), (100, True), (600, False)])
def test_the_place_of_an_excerpt(size, turned):
    src, tgt = lengths(4000, 7)
    texts = [src[2000 : 2000 + size], tgt]
    place = excerpt_place(LengthProfile(*(texts[::-1] if turned else texts)))
    assert place.begin <= 2000 < 2000 + size <= place.end
    assert place.end - place.begin < 1.7 * size + 30
    assert place.margin > 20


@pytest.mark.parametrize("seed", range(2))
def test_what_is_in_no_place(seed):
    assert excerpt_place(LengthProfile(lengths(60, seed)[0], lengths(400, seed + 100)[1])) is None


def test_a_text_that_repeats_itself_has_no_place():
    src, tgt = lengths(500, 3)
    assert excerpt_place(LengthProfile(src[100:160], tgt)) is not None
    assert excerpt_place(LengthProfile(src[100:160], np.tile(tgt, 2))) is None


@pytest.mark.parametrize("turned", [False, True])
def test_the_place_of_an_excerpt_of_a_text_that_is_cut_more_finely(turned):
    def place_of(first, last):
        *texts, _ = _cut_finely(first, last, side=0)
        sides = [letters_of(list(text.segments())) for text in texts]
        marks = [marks_of(list(text.segments())) for text in texts]
        order = slice(None, None, -1 if turned else 1)
        return excerpt_place(LengthProfile(*sides[order], tuple(marks[order]))), len(texts[1])

    place, count = place_of(150, 220)
    assert place.begin <= 150 * count / 360 < 220 * count / 360 <= place.end
    assert place.sentence_ratio == pytest.approx(count / 360, abs=0.1)
    assert place.scale == pytest.approx(count / 360, abs=0.2)
    assert place_of(150, 205)[0] is None  # of so few sentences some place fits by accident


def test_a_place_of_alike_texts_says_that_they_are():
    src, tgt = lengths(2000, 0)
    place = excerpt_place(LengthProfile(src[700:900], tgt))
    assert (place.scale, place.sentence_ratio) == (1.0, 1.0)


@pytest.mark.parametrize("turned", [False, True])
def test_what_a_place_tells_of_a_model(turned):
    model = ProfileModel.first(LengthProfile(*lengths(50, 1)))
    told = Place(0, 9, 5.0, 30.0, 1.5, 2.0).adapted(model, turned=turned)
    assert told.scale == pytest.approx(model.scale * (1 / 1.5 if turned else 1.5))
    assert told.sentence_ratio == (0.5 if turned else 2.0)
    alike = Place(0, 9, 5.0, 30.0).adapted(model, turned=turned)
    assert not alike.is_finer
    assert alike.scale == pytest.approx(model.scale)


def test_no_place_where_there_is_nothing_or_too_much_to_look_at():
    src, tgt = lengths(180_000, 3)
    assert excerpt_place(LengthProfile(src[:0], tgt[:500])) is None
    assert excerpt_place(LengthProfile(src[100:300], tgt)) is None


@pytest.mark.parametrize(("size", "ways"), [(300, 0), (140, 0), (130, 2), (30, 2)])
@pytest.mark.parametrize("side", [0, 1])
def test_where_one_text_has_three_times_the_sentences(size, ways, side):
    src, tgt, _ = _texts(range(100, 100 + size), side=side)
    pair = pair_of(src.segments(), tgt.segments())
    marks = marks_of(list(src.segments())), marks_of(list(tgt.segments()))
    found = excerpt_spaces(pair, space_of(pair), marks)
    assert len(found) == ways
    if ways:
        anywhere, placed = found
        assert anywhere.lead == 0 < placed.lead
        assert anywhere.space.corridor.is_whole
        for one in (anywhere, placed):
            long, short = (one.space.expected.src, one.space.expected.tgt)[:: 1 if side else -1]
            assert long > 0.8
            assert short < 0.2
        # Sentences are as long in both texts, whatever the texts are.
        letters = pair.src.letters, pair.tgt.letters
        ratio = letters[1].sum() / letters[0].sum()
        assert ratio * anywhere.space.model.scale == pytest.approx(
            letters[1].mean() / letters[0].mean()
        )


def test_the_numbers_of_pages_of_an_excerpt_stand_alone():
    src, tgt, _ = _texts(range(100, 220), side=1)
    texts = [list(src.segments()), list(tgt.segments())]
    for side, every in ((0, 20), (1, 17)):
        for k in range(every, len(texts[side]) * 20 // 19, every + 1):
            texts[side].insert(k, f"Page {1 + k // every}")
    pair = pair_of(*texts)
    space = space_of(pair)
    ways = [one.space for one in excerpt_spaces(pair, space, None)]
    ways.append(abridged_space(pair, space, None))
    assert len(ways) >= 2
    for way in ways:
        for side, lines in zip(way.omissions, texts, strict=True):
            assert np.flatnonzero(side).tolist() == [
                k for k, line in enumerate(lines) if line.startswith("Page ")
            ]


def test_where_paragraphs_bind_no_place_does():
    src, tgt, _ = _texts(range(100, 130), side=1)
    pair = pair_of(src.segments(), tgt.segments())
    bound = HardBoundaries(np.array([0, 200, 400]), np.array([0, 15, 30]))
    assert len(excerpt_spaces(pair, space_of(pair)._replace(hard_boundaries=bound), None)) == 1


def test_of_a_table_that_is_too_large_only_what_anchors_leave_is_looked_at():
    src, tgt, _ = _texts(range(100, 130), side=1)
    pair = pair_of(src.segments(), tgt.segments())
    space = space_of(pair)
    assert len(excerpt_spaces(pair, space, None, most=400 * 30)) == 1
    row, size = np.arange(400), {"rows": 400, "columns": 30}
    narrow = space._replace(corridor=Corridor.around(row, row * 30 // 400, margin=2, **size))
    found = excerpt_spaces(pair, narrow, None, most=400 * 30)
    assert next(one.space.corridor.cells for one in found) == narrow.corridor.cells


@pytest.mark.parametrize(("size", "side"), [(5, 1), (20, 0), (80, 1)])
def test_a_passage_is_found_in_the_whole_text(size, side):
    src, tgt, beads = _texts(range(170, 170 + size), side=side, count=300)
    assert _f1(align_sentences(src, tgt), beads) > 0.95


def test_a_passage_is_found_by_its_lengths_alone():
    kept, how = range(150, 200), {"names": 0.0, "greek": True}
    src, tgt, beads = _texts(kept, side=0, seed=7, count=260, **how)
    assert _f1(align_sentences(src, tgt), beads) > 0.9


def test_a_passage_is_found_of_a_text_that_is_cut_more_finely():
    src, tgt, beads = _cut_finely(150, 220, side=0)
    assert _f1(align_sentences(src, tgt), beads) > 0.95


def test_sentences_from_all_over_a_text_are_found():
    src, tgt, beads = _texts(range(3, 400, 9), side=1, names=1.0)
    assert _f1(align_sentences(src, tgt), beads) > 0.8


def test_a_chapter_is_found_in_a_long_book():
    # More sentences than are looked for, and a table that is too large to be all looked at.
    src, tgt, beads = _texts(range(900, 1100), side=0, count=1500)
    assert min(len(src), len(tgt)) > SEARCHED_ROWS
    assert len(src) * len(tgt) > SMALL_TABLE
    assert _f1(align_sentences(src, tgt), beads) > 0.95


@pytest.mark.parametrize(("kept", "told"), [(390, False), (300, True), (100, True), (0, False)])
@pytest.mark.parametrize("side", [0, 1])
def test_where_one_text_has_fewer_sentences_and_is_shorter(kept, told, side):
    src, tgt, _ = _texts(range(kept), side=side)
    pair = pair_of(src.segments(), tgt.segments())
    space = space_of(pair)
    found = abridged_space(pair, space, None)
    assert (found is not None) is told
    if found is not None:
        letters = pair.src.letters, pair.tgt.letters
        ratio = letters[1].sum() / letters[0].sum() * found.model.scale
        assert ratio == pytest.approx(letters[1].mean() / letters[0].mean())
        assert found.profiled
        assert found.expected == space.expected  # what is left out is not in one piece


def test_a_text_that_is_cut_more_finely_is_not_abridged():
    pairs = sentences(120, seed=3)
    src = [a for a, _ in pairs]
    tgt = [" ".join(b for _, b in pairs[k : k + 2]) for k in range(0, 120, 2)]
    pair = pair_of(src, tgt)
    assert abridged_space(pair, space_of(pair), None) is None


def test_what_anchors_tell_of_an_abridged_text_stays():
    src, tgt, _ = _texts(range(0, 400, 2), side=1, names=1.0)
    pair = pair_of(src.segments(), tgt.segments())
    space = space_of(pair)._replace(tied=100)
    assert abridged_space(pair, space, None).corridor.is_whole
    narrow = space._replace(
        corridor=Corridor.around(
            np.arange(400), np.arange(400) // 2, rows=400, columns=200, margin=9
        )
    )
    assert abridged_space(pair, narrow, None).corridor.is_whole  # it is small enough to look at
    assert abridged_space(pair, narrow, None, small=1 << 10).corridor is narrow.corridor
    few = abridged_space(pair, narrow._replace(tied=3), None, small=1 << 10)
    assert few.corridor.is_whole  # a few anchors may be there by accident
    none = abridged_space(pair, narrow._replace(tied=0), None, most=1 << 10)
    assert none.corridor is narrow.corridor


def test_an_abridged_text_is_aligned():
    rng = np.random.default_rng(2)
    src, tgt, beads = _texts(
        np.flatnonzero(rng.random(200) < 0.45).tolist(), side=1, names=0.1, seed=6, count=200
    )
    assert _f1(align_sentences(src, tgt), beads) > 0.8


@pytest.mark.parametrize("seed", range(2))
def test_what_says_nothing_for_an_abridged_text_makes_none(seed):
    # Of a text with twice the sentences, some fit others by chance, whatever they say.
    src = Text([a for a, _ in sentences(70, seed=seed, names=0.0)])
    tgt = Text([b.translate(GREEK) for _, b in sentences(160, seed=seed + 50, names=0.0)])
    assert sum(not bead.src for bead in align_sentences(src, tgt)) == 0


def test_an_abridged_source_and_an_abridged_target_in_one_corpus():
    rng = np.random.default_rng(5)
    some = [
        _texts(np.flatnonzero(rng.random(250) < 0.5).tolist(), side=side, seed=side, count=250)
        for side in (0, 1)
    ]
    found = align_corpus([pair[:2] for pair in some])
    assert min(_f1(one, pair[2]) for one, pair in zip(found, some, strict=True)) > 0.9


def test_an_excerpt_among_other_texts():
    some = [_texts(range(120), side=1, seed=seed, count=120) for seed in (8, 9)]
    some.insert(1, _texts(range(60, 75), side=1, seed=10, count=150))
    found = align_corpus([pair[:2] for pair in some])
    assert [_f1(one, pair[2]) > 0.95 for one, pair in zip(found, some, strict=True)] == [True] * 3


@pytest.mark.parametrize(("side", "method"), [(0, "length-characters"), (1, "lexical")])
def test_an_excerpt_is_as_sure_in_one_round(side, method):
    """What was tried and not taken does not tell how sure the path is."""
    src, tgt, _ = _texts(range(110, 160), side=side, count=300)
    sure = []
    for rounds in (1, 2):
        aligner = aligner_of([(src, tgt)], method=method, rounds=rounds)
        aligner.run()
        kinds = np.array(aligner.beads)[aligner.paths[0].kinds]
        sure.append(aligner.posteriors(0)[(kinds > 0).all(axis=1)].mean())
    assert sure[1] > 0.8
    assert sure[0] > 0.5
