"""Initial paths that fit so well that no other priors are tried."""

import numpy as np
import pytest

from bitext.align.sentences import align_sentences, path_choice
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.omissions import Omissions
from bitext.align.sentences.options import SENTENCE_METHODS, SentenceOptions
from bitext.align.sentences.path_choice import InitialPaths
from bitext.align.sentences.search_space import SearchSpace
from bitext.align.sentences.state import PairPath, find_paths, first_state, prepare_task
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.bead_path import BeadPath
from bitext.model import Text
from reference.translated_texts import sentences

BEADS = [(1, 1), (1, 0), (0, 1)]


def _start(kinds, score, passages=None):
    kinds = np.array(kinds, dtype=np.int64)
    row, column = np.cumsum(np.array([(0, 0), *BEADS])[kinds + 1], axis=0).T
    path = BeadPath(0, kinds, row, column, 0.5)
    space = SearchSpace(Corridor.whole(100, 100), None, None, passages=passages)
    return InitialPaths(np.ones(3) / 3, {0: PairPath(path, None, space)}, {0: score})


@pytest.mark.parametrize(
    ("kinds", "each", "fits"),
    [
        ([0] * 100, 1.1, True),
        ([0] * 100, 0.9, False),
        ([0] * 98 + [1, 2], 2.5, True),
        ([0] * 98 + [1, 2], 2.3, False),
        ([0] * 96 + [1, 2] * 2, 50.0, False),
        ([], 0.0, False),
        ([-1] * 50 + [0] * 50, 0.6, True),
        ([-1] * 50 + [0] * 50, 0.4, False),
    ],
)
def test_what_fits(kinds, each, fits):
    start = _start(kinds, round(each * len(kinds) * 1024))
    assert start.fits(BEADS, unit=1024.0) == fits


def test_of_two_starts_the_paths_that_clearly_score_better():
    first = _start([0] * 9, 50)._replace(found={k: k for k in range(3)}, scores={0: 5, 1: 5, 2: 5})
    other = first._replace(found={k: -k for k in range(3)}, scores={0: 9, 1: 8, 2: 4})
    better = first.with_better(other, unit=1.0)
    assert (better.found, better.scores) == ({0: 0, 1: 1, 2: 2}, {0: 9, 1: 5, 2: 5})
    assert better.score == 19
    assert first.with_better(other, unit=2.0) == first


def test_some_paths_of_a_start_and_back():
    first = _start([0] * 9, 50)._replace(found={k: k for k in range(3)}, scores={0: 5, 1: 6, 2: 7})
    some = first.of([2, 0])
    assert (some.found, some.scores, some.score) == ({2: 2, 0: 0}, {2: 7, 0: 5}, 12)
    joined = first.joined(some._replace(found={2: -2, 0: 0}, scores={2: 9, 0: 5}))
    assert (joined.found, joined.scores) == ({0: 0, 1: 1, 2: -2}, {0: 5, 1: 6, 2: 9})


def test_what_speaks_for_a_path_beside_its_score():
    first = _start([0] * 9, 50)._replace(found={k: k for k in range(3)}, scores={0: 5, 1: 5, 2: 5})
    other = first._replace(found={0: -0.5, 2: -2.5}, scores={0: 8, 2: 4})
    assert first.with_better(other, unit=1.0) == first
    assert first.with_better(other, unit=1.0, leads={0: 0.5}).found == {0: -0.5, 1: 1, 2: 2}
    assert first.with_better(other, unit=1.0, leads={0: 0.5, 2: 4.5}).found == {
        0: -0.5,
        1: 1,
        2: -2.5,
    }
    every = first._replace(found=dict.fromkeys(range(3), 9), scores=dict.fromkeys(range(3), 9))
    assert first.with_better(every, unit=1.0) is every


def test_paths_whose_beads_say_too_little_for_each_other_are_left_aside():
    one = _start([0] * 40 + [1] * 60, -20)
    two = one._replace(found={**one.found, 1: one.found[0]}, scores={0: -20, 1: -21})
    assert two.telling(BEADS, least=-0.5) == one  # of 40 beads with both sides
    assert two.telling(BEADS, least=-0.6) == two
    assert two.telling(BEADS, least=0.0).found == {}
    assert one.with_better(two.telling(BEADS, least=0.0), unit=1.0) == one


@pytest.mark.parametrize(
    ("beads", "score", "lead"), [(100, 1, -10), (100, -1, -10), (900, 1, -50), (900, 0, -90)]
)
def test_what_speaks_against_texts_of_a_rare_kind(beads, score, lead):
    one = _start([0] * beads + [-1] * 7, score)
    assert one.rarity_penalty() == {0: pytest.approx(lead)}


def test_a_path_that_leaves_passages_out_is_held_against_another():
    left_out = Omissions(np.ones(100), np.zeros(100))
    assert _start([0] * 100, 9000).fits(BEADS, unit=1.0)
    assert not _start([0] * 100, 9000, left_out).fits(BEADS, unit=1.0)


@pytest.mark.parametrize(("left", "marked"), [(0, [True]), (9, [True, True, False])])
def test_only_where_the_first_start_does_not_fit_others_are_tried(monkeypatch, left, marked):
    tried = []
    found = path_choice.find_paths

    def noted(task, state, *how, **more):
        tried.append(state.with_punctuation)
        return found(task, state, *how, **more)

    monkeypatch.setattr(path_choice, "find_paths", noted)
    pairs = sentences(300, seed=5, names=1.0)
    src = Text([a for k, (a, _) in enumerate(pairs) if not left or k % left])
    tgt = Text([b for k, (_, b) in enumerate(pairs) if not left or k % left != 4])
    align_sentences(src, tgt)
    assert tried == marked


@pytest.mark.parametrize("each", [map, lambda work, numbers: map(work, [*numbers])])
def test_of_a_long_text_as_many_rows_are_sampled_as_are_wanted_whoever_does_the_work(each):
    texts = (Text(list(side)) for side in zip(*sentences(2500, seed=4, names=1.0), strict=True))
    pairs = [SentencePair(*texts)]
    task = prepare_task(pairs, SENTENCE_METHODS["lexical"], SentenceOptions())
    found = dict(find_paths(task, first_state(task), [0], each, last=False, rows=1000))
    assert 800 < found[0].beads < 1200
