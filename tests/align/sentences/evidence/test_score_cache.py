"""What evidence said of short texts is kept while it is asked for again."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import aligner_of, alignment_of, state
from bitext.align.sentences.aligner import SentenceAligner
from bitext.align.sentences.evidence import LengthEvidence, ScoreCache
from bitext.align.sentences.evidence.punctuation import PunctuationEvidence
from bitext.align.sentences.evidence.vectors import EmbeddingEvidence
from bitext.align.sentences.evidence.words import LexicalEvidence
from bitext.kernels.bead_path import Band
from bitext.model import Text
from reference.translated_texts import sentences

BAND = Band(np.zeros(5, dtype=np.int64), 3, 2)


class Counting:
    """Evidence that notes what it is asked for, and says how often that was."""

    def __init__(self):
        self.asked = []

    def block(self, first, last, band):
        self.asked.append((first, last))
        shape = 1, last - first, band.width
        return np.full(shape, len(self.asked), dtype=np.float32)


def _made_once():
    one, made = Counting(), []

    def make():
        made.append(one)
        return one

    return one, made, make


def test_what_was_said_is_not_asked_for_again():
    held, (one, made, make) = ScoreCache(), _made_once()
    first = held.of("a", one, make).block(0, 2, BAND)
    again = held.of("a", one, make)
    assert again.block(0, 2, BAND) is first
    assert len(made) == 1
    assert not first.flags.writeable
    again.block(0, 3, BAND)  # other rows,
    again.block(0, 2, BAND._replace(lo=BAND.lo + 1))  # other columns,
    again.block(0, 2, BAND._replace(width=4))  # and others that matter
    assert one.asked == [(0, 2), (0, 3), (0, 2), (0, 2)]
    held.of("b", one, make).block(0, 2, BAND)
    assert len(one.asked) == 5
    held.clear()
    assert held.of("a", one, make).block(0, 2, BAND)[0, 0, 0] == 6


class Places:
    """Evidence that scores each point by its row and column, and beads apart."""

    def __init__(self):
        self.asked = []

    def block(self, first, last, band):
        self.asked.append((first, last))
        column = band.lo[first:last, None] + np.arange(band.width)
        scores = 100.0 * np.arange(first, last)[:, None] + column
        return np.stack([scores, -scores]).astype(np.float32)


@given(st.lists(st.integers(0, 2), min_size=9, max_size=9), st.data())
def test_part_of_what_was_said_is_not_asked_for_again(steps, data):
    # A band of 9 rows, and one in it: of some rows, each with some of the columns that matter.
    lo = np.cumsum(steps)
    high = np.maximum.accumulate(lo + data.draw(st.integers(0, 6)))
    one = Places()
    held = ScoreCache().of("a", one, lambda: one)
    held.block(1, 8, Band(lo, 8, 40, high))
    first = data.draw(st.integers(1, 7))
    last = data.draw(st.integers(first + 1, 8))
    low = lo + data.draw(st.integers(-1, 3))
    width = data.draw(st.integers(1, 9))
    band = Band(low, width, 40, np.maximum(np.minimum(high, low + width - 1), low))
    found, wanted = held.block(first, last, band), Places().block(first, last, band)
    matters = low[first:last, None] + np.arange(width) <= band.last(np.arange(first, last))[:, None]
    np.testing.assert_array_equal(found[:, matters], wanted[:, matters])
    some = slice(first, last)
    is_part = (low[some] >= lo[some]).all() and (band.hi[some] <= high[some]).all()
    assert len(one.asked) == 2 - is_part


def test_there_is_room_for_what_was_asked_for_lately():
    size = 2 * 3 * 4
    held, (one, _, make) = ScoreCache(2 * size), _made_once()
    for key in ("a", "b", "a", "c", "a", "b"):
        held.of(key, one, make).block(0, 2, BAND)
    assert len(one.asked) == 4  # a and b; c in place of b; b in place of c
    # Nothing is forgotten of what is asked for to keep more of it.
    some = ScoreCache(2 * size).of("a", one, make)
    for first in (0, 1, 2, 0, 1, 2):
        some.block(first, first + 2, BAND)
    assert one.asked[4:] == [(0, 2), (1, 3), (2, 4), (2, 4)]


@pytest.mark.parametrize("all_of_it", [True, False])
def test_what_is_forgotten_while_it_is_asked_takes_no_room(all_of_it):
    held, (one, _, make) = ScoreCache(2 * 3 * 4), _made_once()
    some = held.of("a", one, make)
    some.block(0, 2, BAND)
    if all_of_it:
        held.clear()
    else:
        held.of("b", one, make).block(0, 2, BAND)
    before = len(one.asked)
    for _ in range(2):
        some.block(1, 3, BAND)
    assert len(one.asked) == before + 2
    for _ in range(2):  # there is all the room for others
        held.of("b", one, make).block(0, 2, BAND)
    assert len(one.asked) <= before + 3


def _texts():
    src, tgt = zip(*sentences(90, seed=5, names=0.2), strict=True)
    return Text([*src[:20], *src[45:]]), Text(tgt)


@pytest.mark.parametrize("method", ["lexical", "length-characters", "embedding"])
def test_paths_are_the_same_with_less_asked(method, monkeypatch):
    src, tgt = _texts()
    how = {"method": method}
    if method == "embedding":
        rng = np.random.default_rng(3)
        how["vectors"] = [[rng.normal(size=(len(text), 16)) for text in (src, tgt)]]
    asked = []
    for kind in (LengthEvidence, PunctuationEvidence, LexicalEvidence, EmbeddingEvidence):
        block = kind.block
        monkeypatch.setattr(
            kind, "block", lambda self, *a, block=block: asked.append(type(self)) or block(self, *a)
        )

    def aligned(cache):
        aligner = aligner_of([(src, tgt)], **how)
        aligner = SentenceAligner(replace(aligner.task, cache=cache))
        aligner.run()
        return alignment_of(aligner, 0)

    found = aligned(ScoreCache())
    few = Counter(asked)
    asked.clear()
    assert aligned(ScoreCache(short=0)) == found  # as of a long text
    assert len(few) == {"lexical": 3, "length-characters": 1, "embedding": 4}[method]
    for kind, count in Counter(asked).items():
        assert count > 1.2 * few[kind]


def test_nothing_is_held_of_long_texts_and_after_the_last_round():
    held = []

    class Noted(ScoreCache):
        def of(self, *a):
            held.append(a)
            return super().of(*a)

    task = aligner_of([_texts()]).task
    for short, is_held in ((66 * 91, True), (66 * 91 - 1, False)):
        cache = Noted(short=short)
        SentenceAligner(replace(task, cache=cache)).run()
        assert bool(held) == is_held
        assert cache.size == 0
        held.clear()


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_links_are_made_anew_once_words_were_learned(rounds, monkeypatch):
    made, links_of = [], state.links_of
    monkeypatch.setattr(state, "links_of", lambda *a: made.append(a) or links_of(*a))
    pairs = sentences(40, seed=1, names=0.3)
    texts = [Text([pair[side] for pair in pairs]) for side in (0, 1)]
    aligner_of([texts], rounds=rounds).run()
    assert len(made) == rounds
