"""Alignments of texts of which parts are left out, turned round, or repeated."""

import numpy as np
import pytest

from bitext.align.sentences import align_sentences
from bitext.model import Segmentation, Text
from reference.translated_texts import sentences


def aligned(src, tgt):
    """Return the beads of two lists of (number, sentence), with numbers for sentences."""
    found = align_sentences(Text([x for _, x in src]), Text([x for _, x in tgt]))
    return [
        (tuple(src[i][0] for i in bead.src), tuple(tgt[j][0] for j in bead.tgt)) for bead in found
    ]


def numbered(count, seed, names=0.4):
    text = sentences(count, seed=seed, names=names)
    return [(k, a) for k, (a, _) in enumerate(text)], [(k, b) for k, (_, b) in enumerate(text)]


def joined_at_times(text, seed):
    """Return numbered sentences of which one in eight is one with the next."""
    draw, found = np.random.default_rng(seed), []
    rest = iter(text)
    for k, sentence in rest:
        more = next(rest, (0, ""))[1] if draw.random() < 0.125 else ""
        found.append((k, f"{sentence} {more}".strip()))
    return found


def right(beads, numbers):
    """Return the share of some sentences that are in a 1-1 bead with their translation."""
    pairs = set(beads)
    return np.mean([((k,), (k,)) in pairs for k in numbers])


def alone(beads, numbers, side):
    """Return the share of some sentences of a side that have no translation."""
    bare = {bead[side][0] for bead in beads if not bead[1 - side]}
    return np.mean([k in bare for k in numbers])


@pytest.mark.parametrize(("begin", "side"), [(0, 0), (100, 1), (200, 0)])
def test_two_hundred_sentences_are_left_out(begin, side):
    sides = numbered(400, 21)
    left = range(begin, begin + 200)
    del sides[side][begin : begin + 200]
    beads = aligned(*sides)
    assert right(beads, [k for k in range(400) if k not in left]) > 0.97
    assert alone(beads, left, 1 - side) > 0.97


def test_chapters_that_are_turned_round_are_gaps():
    src, tgt = numbered(360, 22)
    beads = aligned(src, tgt[120:] + tgt[:120])
    assert right(beads, range(120, 360)) > 0.97
    assert alone(beads, range(120), 0) > 0.97
    assert alone(beads, range(120), 1) > 0.97


def test_a_passage_whose_words_stand_all_over_the_source_does_not_draw_all_to_itself():
    src, tgt = numbered(900, 25, names=0.0)
    for k in range(10):
        src[60 + 85 * k] = 60 + 85 * k, f"{src[60 + 85 * k][1]} Zorga{chr(97 + k) * 4}."
    passage = [(2000 + k, x) for k, (_, x) in enumerate(numbered(80, 26, names=0.0)[0])]
    for k in range(10):
        passage[8 * k] = 2000 + 8 * k, f"{passage[8 * k][1]} Zorga{chr(97 + k) * 4}."
    beads = aligned(src, tgt[:450] + passage + tgt[450:])
    assert right(beads, range(900)) > 0.97


def test_lines_that_each_text_counts_by_itself():
    src, tgt = numbered(300, 31, names=0.2)
    del tgt[100:112]
    src, tgt = ([(k, f"{n}. {x}") for n, (k, x) in enumerate(side, 1)] for side in (src, tgt))
    beads = aligned(src, tgt)
    assert right(beads, [k for k in range(300) if not 100 <= k < 112]) > 0.97


def test_pages_that_each_text_has_of_its_own():
    sides = numbered(540, 32, names=0.0)
    for side, every in zip(sides, (30, 35), strict=True):
        for page in range(540 // every, 0, -1):
            side.insert(page * every, (-page, str(page)))
    beads = aligned(*sides)
    assert right(beads, range(540)) > 0.97
    # Where two pages end at the same place, their numbers may be beside each other.
    assert min(alone(beads, range(-15, 0), side) for side in (0, 1)) > 0.8


@pytest.mark.parametrize("side", [0, 1])
def test_letters_that_stand_apart_are_no_translations(side):
    # A sentence has so many of them that each word beside it seemed to bring some forth.
    sides = [joined_at_times(text, seed) for seed, text in enumerate(numbered(150, 33))]
    sides[side] = [(k, " ".join(x.replace(" ", ""))) for k, x in sides[side]]
    beads = aligned(*sides)
    both = {k for k, _ in sides[0]} & {k for k, _ in sides[1]}
    assert np.mean([any(k in src and k in tgt for src, tgt in beads) for k in both]) > 0.97


def test_other_texts_in_the_middle_are_not_smeared():
    src, tgt = numbered(160, 23)
    other = numbered(160, 24)
    src = src[:80] + [(1000 + k, x) for k, x in other[0][:80]] + src[80:]
    tgt = tgt[:80] + [(2000 + k, x) for k, x in other[1][80:]] + tgt[80:]
    beads = aligned(src, tgt)
    assert right(beads, range(160)) > 0.97
    assert alone(beads, range(1000, 1080), 0) > 0.6


def test_choruses():
    src, tgt = numbered(400, 25)
    refrain = numbered(8, 26, names=1.0)

    def sung(text, chorus):
        found = []
        for k in range(0, 400, 40):
            found += [*text[k : k + 40], *((1000 + k + n, x) for n, x in chorus)]
        return found

    src, tgt = sung(src, refrain[0]), sung(tgt, refrain[1])
    del tgt[200:248]
    numbers = [k for k, _ in tgt]
    assert right(aligned(src, tgt), numbers) > 0.97


def test_all_sentences_alike():
    beads = aligned(
        [(k, "Amen, amen.") for k in range(200)], [(k, "Amen, amen.") for k in range(200)]
    )
    assert right(beads, range(200)) == 1.0


def test_a_text_against_itself_shifted():
    src, _ = numbered(270, 27)
    beads = aligned(src[60:], src[:-60])
    assert right(beads, range(60, 210)) > 0.98


def test_page_numbers_and_running_heads():
    src, tgt = numbered(300, 28)

    def paged(text, size):
        found = []
        for k in range(0, len(text), size):
            page = k // size + 1
            found += [*text[k : k + size], (-2 * page, str(page)), (-2 * page - 1, "Annuario")]
        return found

    assert right(aligned(paged(src, 30), paged(tgt, 34)), range(300)) > 0.93


def test_no_bead_crosses_a_paragraph():
    src, tgt = numbered(120, 29)
    # The fourth sentence of each paragraph is left out of the translation.
    kept = [x for x in tgt if x[0] % 6 != 3]
    sides = [
        Text([x for _, x in side], paragraphs=Segmentation([size] * 20))
        for side, size in ((src, 6), (kept, 5))
    ]
    for bead in align_sentences(*sides):
        assert len({i // 6 for i in bead.src} | {j // 5 for j in bead.tgt}) == 1


def test_paragraphs_of_other_numbers_are_aligned_first():
    src, tgt = numbered(200, 30)
    masses = [5] * 40
    sides = [
        Text([x for _, x in src], paragraphs=Segmentation(masses)),
        Text([x for _, x in tgt], paragraphs=Segmentation([*masses[:20], 10, *masses[22:]])),
    ]
    beads = {(bead.src, bead.tgt) for bead in align_sentences(*sides)}
    assert np.mean([((k,), (k,)) in beads for k in range(200)]) > 0.98


@pytest.mark.parametrize("seed", range(2))
def test_marks_that_agree_by_accident_do_not_lead_astray(seed):
    # Abbreviations have full stops in the one text; in the other those have them that are 30 lines
    # behind, whose translations are left out.
    rng = np.random.default_rng(seed)
    left = range(180, 280)
    src, tgt = [], []
    for k in range(386):
        listed = 140 <= k < 210
        size = rng.integers(3, 40) if listed else round(rng.lognormal(3.0, 0.7)) + 3
        other = size + rng.integers(-1, 2) if listed else round(size * 0.9 * rng.lognormal(0, 0.15))
        words = "".join(rng.choice([*"bcdfglmnaeiou"], size))
        src.append((k, words + "." * (180 <= k < 192 or (k % 3 == 0 and not listed))))
        words = "".join(rng.choice([*"กขคงจฉชซญดตถทธนบปผฝพฟ"], max(other, 2)))
        tgt.append((k, words + "." * (150 <= k < 162)))
    beads = aligned(src, [one for one in tgt if one[0] not in left])
    assert right(beads, [k for k in range(386) if k not in left]) > 0.98
