"""Multi-parallel texts: rows are the components of the segments that alignments join."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext import Alignment, InputError, Text
from bitext.kernels.arrays import Rows, components
from bitext.model import Link, MultiLink, Multitext, compose, join
from reference.draw import sides

_SIDE = sides(6, 2)
_BEADS = st.lists(st.tuples(_SIDE, _SIDE).filter(any), min_size=1, max_size=6)
_PAIRS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: pair[0] != pair[1]),
    min_size=1,
    max_size=4,
)


def alignment(beads):
    return Alignment([(sorted(src), sorted(tgt)) for src, tgt in beads])


def slow_components(links):
    """Merge the sets of (text, segment) of bisegments until all are disjoint."""
    sets = [
        {(link.src, m) for m in src} | {(link.tgt, m) for m in tgt}
        for link in links
        for src, tgt in link.alignment
    ]
    made = []
    for each in sets:
        own = set(each)
        for other in [one for one in made if one & own]:
            made.remove(other)
            own |= other
        made.append(own)
    return made


@settings(max_examples=15)
@given(st.data(), _PAIRS)
def test_rows_are_the_connected_components(data, pairs):
    links = [Link(a, b, alignment(data.draw(_BEADS))) for a, b in pairs]
    made = join(links, 4)
    rows = [
        frozenset((t, m) for t, each in enumerate(made.rows) for m in each.row(k).tolist())
        for k in range(len(made.rows[0].ptr) - 1)
    ]
    assert len(rows) == len(set(rows))
    assert set(rows) == set(map(frozenset, slow_components(links)))


@given(_BEADS, _BEADS)
def test_a_row_of_two_alignments_of_one_text_has_what_their_composition_has(one, other):
    first, second = alignment(one), alignment(other)
    made = join([Link(1, 0, first), Link(0, 2, second)], 3)
    rows = [
        (set(made.rows[1].row(k).tolist()), set(made.rows[2].row(k).tolist()))
        for k in range(len(made.rows[0].ptr) - 1)
    ]
    for bead in compose(first, second).alignment:
        assert any(src >= set(bead.src) and tgt >= set(bead.tgt) for src, tgt in rows)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=8), st.data())
def test_what_was_joined_comes_apart_again(sizes, data):
    """Alignments that cut the text in common at the same places are not merged."""
    links = []
    for tgt in (1, 2, 3):
        others = [data.draw(st.integers(0, 2)) for _ in sizes]
        src_ends, tgt_ends = np.cumsum([0, *sizes]), np.cumsum([0, *others])
        beads = [
            (range(src_ends[k], src_ends[k + 1]), range(tgt_ends[k], tgt_ends[k + 1]))
            for k in range(len(sizes))
        ]
        links.append(Link(0, tgt, alignment(beads)))
    made = join(links, 4)
    assert made.merged == 0
    texts = tuple(
        Text([f"{code}{k}" for k in range(24)], lang=code) for code in ("de", "en", "fr", "it")
    )
    whole = Multitext(texts, made.rows)
    for link, lang in zip(links, ("en", "fr", "it"), strict=True):
        assert whole.pair("de", lang).alignment == link.alignment
        assert whole.pair(lang, "de").alignment == link.alignment.swapped()


def test_rows_without_the_first_text_follow_the_row_before_in_another():
    first = Alignment([((0,), (0,)), ((1,), (2,))])
    second = Alignment([((0,), (1,)), ((), (0,)), ((), (2,)), ((1,), (3,))])
    made = join([Link(0, 1, first), Link(0, 2, second)], 3)
    assert [rows.idx.tolist() for rows in made.rows] == [[0, 1], [0, 2], [0, 1, 2, 3]]
    assert made.rows[0].lengths.tolist() == [0, 1, 0, 1]


def test_scores_are_multiplied_where_they_are_probabilities():
    first = Alignment([((0,), (0,)), ((1,), (1,))], scores=[0.5, 0.8])
    second = Alignment([((0, 1), (0,))], scores=[0.5])
    made = join([Link(0, 1, first), Link(0, 2, second)], 3)
    assert made.merged == 1
    assert made.scores.tolist() == [pytest.approx(0.2)]
    plain = Alignment([((0, 1), (0,))], scores=[7.0])
    assert join([Link(0, 1, first), Link(0, 2, plain)], 3).scores is None


def test_versions_of_a_text_join_but_make_no_rows():
    first, second = Alignment([((0,), (0,))]), Alignment([((0,), (0,))])
    same = Alignment([((0,), (0,)), ((1,), (1,))])
    made = join([Link(0, 1, first), Link(2, 3, second)], 4, versions=[Link(0, 2, same)])
    assert [rows.idx.tolist() for rows in made.rows] == [[0], [0], [0], [0]]


@given(st.lists(sides(10, 3), max_size=12))
def test_components_of_rows_are_numbered_by_their_first_rows(sets):
    lists = [sorted(each) for each in sets]
    ptr = np.cumsum([0, *map(len, lists)])
    rows = Rows(ptr, np.array([m for each in lists for m in each], dtype=np.int64))
    numbers = components(rows).tolist()
    assert list(dict.fromkeys(numbers)) == list(range(len(set(numbers))))
    for a, one in enumerate(lists):
        for b, other in enumerate(lists):
            if set(one) & set(other):
                assert numbers[a] == numbers[b]


def test_a_multitext_has_languages_that_are_known_and_different():
    rows = Rows(np.array([0, 1]), np.array([0]))
    for langs in (("de", "de"), ("de", ""), ("de",)):
        texts = tuple(Text(["Ja."], lang=lang) for lang in langs)
        with pytest.raises(InputError, match="the languages are"):
            Multitext(texts, (rows,) * len(texts))
    texts = Text(["Ja."], lang="de"), Text(["Yes."], lang="en")
    with pytest.raises(InputError, match="want as many of each text"):
        Multitext(texts, (rows,))
    with pytest.raises(InputError, match="has the segment 1 of the en text"):
        Multitext(texts, (rows, Rows(np.array([0, 1]), np.array([1]))))
    made = Multitext(texts, (rows, rows))
    with pytest.raises(InputError, match="no text is in 'fr'"):
        made.pair("de", "fr")
    with pytest.raises(InputError, match="no alignment to join"):
        join([], 2)


@given(st.data(), st.lists(st.integers(0, 4), min_size=3, max_size=3))
def test_rows_between_several_texts_join_as_their_pairs_do(data, sizes):
    """Rows of three texts are joined as alignments of the first of their texts with each other."""
    count = data.draw(st.integers(1, 5))
    members = [[set() for _ in range(count)] for _ in sizes]
    for text, size in enumerate(sizes):
        for segment in range(size):
            members[text][data.draw(st.integers(0, count - 1))].add(segment)
    full = [k for k in range(count) if all(own[k] for own in members)]
    rows = [[tuple(sorted(own[k])) for k in full] for own in members]
    if not full:
        return
    pairs = [Alignment(list(zip(rows[0], rows[other], strict=True))) for other in (1, 2)]
    whole = MultiLink((0, 1, 2), (pairs[0].src, pairs[0].tgt, pairs[1].tgt))
    made = join([whole], 3)
    apart = join([Link(0, 1, pairs[0]), Link(0, 2, pairs[1])], 3)
    assert [each.idx.tolist() for each in made.rows] == [each.idx.tolist() for each in apart.rows]
    assert [each.ptr.tolist() for each in made.rows] == [each.ptr.tolist() for each in apart.rows]
    assert made.merged == 0


def test_languages_are_added_and_chosen():
    texts = Text(["Ja."], lang="de"), Text(["Yes.", "No."], lang="en")
    rows = Alignment([((0,), (0,)), ((), (1,))])
    both = Multitext(texts, (rows.src, rows.tgt))
    three = both.in_languages(("en", "fr", "de"))
    assert three.languages == ("en", "fr", "de")
    assert three.present.tolist() == [[True, False, True], [True, False, False]]
    alone = both.chosen({"it": None, "de-AT": 0})
    assert (alone.languages, alone.present.tolist()) == (("it", "de-AT"), [[False, True]])
    with pytest.raises(InputError, match="a text is in 'en'"):
        both.in_languages(("de", "fr"))
    assert len(both.select(np.array([False, True]))) == len(both.select([False, True])) == 1
    with pytest.raises(InputError, match="for 2 rows: want a mask of one boolean each"):
        both.select(np.array([0, 1]))


@pytest.mark.parametrize("texts", [(0, -1), (0, 3), (1, 1), ("0", 1), (True, 0)])
def test_joined_alignments_name_different_texts(texts):
    with pytest.raises(InputError, match="want different indices, from 0 to 2"):
        join([Link(*texts, Alignment([((0,), (0,))]))], 3)


@pytest.mark.parametrize("link", [(0, 1, Alignment()), Link(0, 1, None), 5])
def test_joined_alignments_are_links(link):
    with pytest.raises(InputError, match=r"an alignment .*: want Link\(0, 1, alignment\)"):
        join([link], 2)
