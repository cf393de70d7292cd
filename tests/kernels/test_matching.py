import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels import matching as kernel
from bitext.kernels.matching import match_characters
from reference import kernels as slow

LETTERS = st.text("ab", max_size=12)


def points(text):
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)


def matched(first, second):
    a, b = match_characters(points(first), points(second))
    return a.tolist(), b.tolist()


def assert_sound(first, second):
    a, b = matched(first, second)
    assert a == sorted(set(a))
    assert b == sorted(set(b))
    assert [first[i] for i in a] == [second[j] for j in b]
    return len(a)


@given(LETTERS, LETTERS)
def test_pairs_equal_characters_in_the_order_of_both(first, second):
    size = assert_sound(first, second)
    longest = slow.longest_common(first, second)
    assert size <= longest
    assert bool(size) == bool(longest)


@st.composite
def with_begins(draw):
    """A text, another one, and places in both where segments begin."""
    first = draw(st.text("ab", max_size=12))
    second = draw(st.one_of(st.text("ab", max_size=12), st.just(first + first[::-1])))
    begins = [
        np.array(sorted(draw(st.sets(st.integers(0, len(text))))), dtype=np.int64)
        for text in (first, second)
    ]
    return first, second, begins


@given(with_begins())
def test_beginnings_of_segments_shift_matches_but_lose_none(case):
    first, second, begins = case
    plain = match_characters(points(first), points(second))
    a, b = (x.tolist() for x in match_characters(points(first), points(second), begins=begins))
    assert a == sorted(set(a))
    assert b == sorted(set(b))
    assert [first[i] for i in a] == [second[j] for j in b]
    assert len(a) == plain[0].size


@given(
    st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5),
    st.text("ab", min_size=1, max_size=4),
    st.data(),
)
def test_an_inserted_segment_is_put_where_a_segment_begins(segments, new, data):
    at = data.draw(st.integers(1, len(segments) + 1))
    segments = ["x", *segments, "y"]
    longer = [*segments[:at], new, *segments[at:]]
    lines = ["".join(x) for x in (segments, longer)]
    begins = [np.cumsum([0, *map(len, x)]) for x in (segments, longer)]
    for turned in (False, True):
        texts, places = (lines[::-1], begins[::-1]) if turned else (lines, begins)
        found = match_characters(*map(points, texts), begins=tuple(places))[0 if turned else 1]
        gap = sorted(set(range(len(lines[1]))) - set(found.tolist()))
        assert gap == list(range(gap[0], gap[0] + len(new)))
        assert {gap[0], gap[-1] + 1} <= set(begins[1].tolist())


@given(st.text(max_size=20))
def test_a_text_matches_itself_in_full(text):
    assert matched(text, text) == (list(range(len(text))),) * 2


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.text("xyz", max_size=8))
def test_an_insertion_leaves_the_rest_matched(before, after, inserted):
    assert assert_sound(before + after, before + inserted + after) == len(before + after)


@given(
    st.text("abcdefgh", min_size=30, max_size=60),
    st.lists(st.tuples(st.integers(0, 59), st.sampled_from(["", "x", "xyz"])), max_size=4),
)
def test_edits_in_places_lose_about_what_they_touch(text, edits):
    characters = list(text)
    for at, new in edits:
        characters[at % len(text)] = new
    edited = "".join(characters)
    assert assert_sound(text, edited) >= slow.longest_common(text, edited) - 3 * len(edits)


@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 4, 26]))
def test_long_texts_that_repeat_themselves_are_matched_soundly(seed, letters):
    rng = np.random.default_rng(seed)
    words = ["".join(map(chr, 97 + rng.integers(letters, size=9))) for _ in range(6)]
    first, second = (
        "".join(words[k] for k in rng.integers(6, size=rng.integers(0, 60))) for _ in range(2)
    )
    assert_sound(first, second)


def test_moved_paragraphs_are_not_matched_across():
    rng = np.random.default_rng(3)
    a, b, c = ("".join(map(chr, 97 + rng.integers(26, size=300))) for _ in range(3))
    assert assert_sound(a + b + c, a + c + b) >= 600
    assert assert_sound(a + b, b + a) >= 300


def test_a_digest_that_lies_is_found_out(monkeypatch):
    def lying(text):
        grams = text.size - kernel.GRAM + 1
        return np.arange(grams, dtype=np.uint64), np.arange(grams)

    monkeypatch.setattr(kernel, "unique_grams", lying)
    first = "abcdefghijklmnopqrstuvwxyz" * 2
    assert assert_sound(first, first[5:] + first[:5]) > 0
    assert assert_sound(first, "0123456789" * 5) == 0


def test_the_heaviest_chain_is_kept():
    # (first, second, length): the long block crosses the two short ones.
    blocks = [(0, 50, 40), (100, 0, 20), (150, 20, 15), (200, 100, 16)]
    assert kernel.heaviest_chain(blocks) == [blocks[0], blocks[3]]
    assert kernel.heaviest_chain([]) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), max_size=7))
def test_the_chain_is_as_heavy_as_any(places):
    blocks = [(k, b, length) for k, (b, length) in enumerate(places)]

    def ascends(chain):
        return all(x[1] < y[1] for x, y in itertools.pairwise(chain))

    chains = [
        chain
        for mask in range(2 ** len(blocks))
        if ascends(chain := [b for k, b in enumerate(blocks) if mask >> k & 1])
    ]
    found = kernel.heaviest_chain(blocks)
    assert ascends(found)
    assert sum(b[2] for b in found) == max(sum(b[2] for b in chain) for chain in chains)


@pytest.mark.parametrize("size", [15, 16, 17, 100])
def test_no_warning_at_any_size(size):
    text = "".join(chr(0x4E00 + k) for k in range(size))
    assert assert_sound(text, text[1:]) == size - 1


def test_a_long_text_with_a_typo_every_thousand():
    rng = np.random.default_rng(2)
    first = rng.integers(97, 123, size=300_000).astype(np.uint32)
    second = first.copy()
    second[::1000] = ord("0")
    a, b = match_characters(first, second)
    assert np.array_equal(a, b)
    assert a.size == 299_700


def test_a_million_equal_characters_but_one():
    first = np.full(1_000_000, 97, dtype=np.uint32)
    a, b = match_characters(first, first[1:])
    assert a.size == b.size == 999_999


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_the_longest_ascent_is_as_long_as_any(pairs):
    pairs = sorted(pairs, key=lambda pair: (pair[0], -pair[1]))
    found = kernel.longest_ascent(pairs)
    ascends = [a < b and x < y for (a, x), (b, y) in itertools.pairwise(found)]
    assert set(found) <= set(pairs)
    assert all(ascends)
    size = [1] * len(pairs)
    for k, (a, x) in enumerate(pairs):
        before = [size[j] for j, (b, y) in enumerate(pairs[:k]) if b < a and y < x]
        size[k] += max(before, default=0)
    assert len(found) == max(size, default=0)
