"""What anchors tell of where the path runs, and what it leaves out."""

import random

import pytest

from bitext.align.sentences import aligner_of, path_choice, state
from bitext.align.sentences import state as path_search
from bitext.align.sentences.lexical.cognates import cognates
from bitext.align.sentences.search_space import space_of
from bitext.model import Text
from reference.translated_texts import pair_of, sentences, word


def _texts(more):
    """Return two texts with names, and amid them so many sentences of a side without any."""
    named = sentences(500, seed=4, names=1.0)
    rest = [sentences(count, seed=9 + side, names=0.0) for side, count in enumerate(more)]
    src = [a for a, _ in named]
    tgt = [b for _, b in named]
    src[250:250] = [a for a, _ in rest[0]]
    tgt[250:250] = [b for _, b in rest[1]]
    return src, tgt


@pytest.mark.parametrize(
    ("more", "unsure"), [((300, 0), False), ((0, 300), False), ((300, 300), True), ((0, 0), False)]
)
def test_a_way_with_hardly_anything_on_a_side_is_not_unsure(more, unsure):
    pair = pair_of(*_texts(more))
    space = space_of(pair, [cognates(pair.src.vocabulary, pair.tgt.vocabulary)])
    assert space.tied > 200
    assert space.unsure is unsure


@pytest.mark.parametrize("side", [0, 1])
def test_what_anchors_show_to_be_left_out_is_not_frequent_elsewhere(side, monkeypatch):
    monkeypatch.setattr(path_search, "doubtful", lambda *_, **__: [])  # nothing else shows it
    src, tgt = _texts((300, 0) if side == 0 else (0, 300))
    aligner = aligner_of([(Text(src), Text(tgt))])
    aligner.run()
    alone = aligner.state.priors[aligner.beads.index((1, 0) if side == 0 else (0, 1))]
    assert alone < 0.1
    assert aligner.space(0).omissions is not None


def _repetitive(equal, *, names=0.04):
    """Return two texts of 24 words, of which so many are equal; few sentences have a name."""
    rng = random.Random(1)
    src, tgt = [], []
    for _ in range(600):
        words = rng.choices(range(24), k=rng.randint(4, 14))
        sides = [[word(f"q{k}" if k < equal else f"{side}{k}") for k in words] for side in "st"]
        rng.shuffle(sides[1])
        name = f" {word(rng.random())}{word(rng.random())}".title() if rng.random() < names else ""
        src.append(f"{' '.join(sides[0])}{name}.")
        tgt.append(f"{' '.join(sides[1])}{name}.")
    del src[100:130], tgt[250:300]
    return Text(src), Text(tgt)


@pytest.mark.parametrize(("equal", "doubted"), [(24, False), (12, True)])
def test_few_anchors_are_doubted_where_beads_do_not_fit(equal, doubted, monkeypatch):
    without = []

    def told(pair, lexicons=(), **how):
        without.append(not lexicons)
        return space_of(pair, lexicons, **how)

    for one in (state, path_choice):
        monkeypatch.setattr(one, "space_of", told)
    aligner = aligner_of([_repetitive(equal)])
    aligner.run()
    assert aligner.space(0).hangs_on_few
    assert any(without) is doubted


def test_where_words_that_were_learned_make_no_anchors_the_path_is_found_near_the_one_before(
    monkeypatch,
):
    searched = []

    def told(beads, scores, corridor, **how):
        searched.append(corridor.cells)
        return sampled(beads, scores, corridor, **how)

    sampled = path_search.sample_along
    monkeypatch.setattr(path_search, "sample_along", told)
    aligner = aligner_of([_repetitive(24, names=0.0)], rounds=4)
    aligner.run()
    assert aligner.space(0).unsure
    *_, learned, near = searched
    assert near < learned * 0.6
