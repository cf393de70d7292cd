"""Lexicons and phrase tables of word links, against sums by hand and a search of all spans."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.links.terms import lexicon_lines, phrase_lines
from bitext.errors import OptionError
from bitext.model import WordLinks


def table(src, tgt, links, **options):
    rows = phrase_lines([src], [tgt], WordLinks.parse([links]), **options)
    return {tuple(row.split(" ||| ")[:2]): row.split(" ||| ")[2:] for row in rows}


def allowed(links, source, target, most):
    """Return the spans that hold a link and cut none, by trying all."""
    found = set()
    for i, j in product(range(source), range(target)):
        for a, b in product(range(i + 1, source + 1), range(j + 1, target + 1)):
            inside = [i <= x < a and j <= y < b for x, y in links]
            cut = [(i <= x < a) != (j <= y < b) for x, y in links]
            if a - i <= most and b - j <= most and any(inside) and not any(cut):
                found.add((i, a, j, b))
    return found


@settings(max_examples=60)
@given(st.data())
def test_phrase_pairs_are_all_spans_without_a_link_across(data):
    source, target, most = (data.draw(st.integers(1, 5)) for _ in range(3))
    cells = st.tuples(st.integers(0, source - 1), st.integers(0, target - 1))
    links = data.draw(st.sets(cells, max_size=6))
    src, tgt = ([f"{side}{k}" for k in range(n)] for side, n in (("s", source), ("t", target)))
    made = table(src, tgt, " ".join(f"{i}-{j}" for i, j in links), max_words=most)
    assert set(made) == {
        (" ".join(src[i:a]), " ".join(tgt[j:b]))
        for i, a, j, b in allowed(links, source, target, most)
    }


def test_scores_are_those_of_sums_by_hand():
    src, tgt = ["the house", "the house", "the"], ["la maison", "une maison", "la"]
    links = WordLinks.parse(["0-0 1-1", "0-0 1-1", "0-0"])
    rows = [*phrase_lines(src, tgt, links)]
    # the: la twice, une once; la: the only.
    assert "the ||| la ||| 1 1 0.666667 0.666667 ||| 0-0 ||| 2 3 2" in rows
    # One of two pairs of `the house`; p(la|the) p(maison|house) = 2/3.
    assert "the house ||| la maison ||| 1 1 0.5 0.666667 ||| 0-0 1-1 ||| 1 2 1" in rows
    assert "the\tla\t0.666667\t1\t2" in [*lexicon_lines(src, tgt, links)]


def test_a_word_of_two_links_has_their_mean_and_one_without_a_link_its_own_probability():
    made = table("not here", "ne pas ici là", "0-0 0-1 1-2")
    # lex(e|f): ne and pas are 1/2 each given not; là is the only word without a link.
    assert made["not", "ne pas"][0] == "1 1 1 0.25"
    assert made["here", "ici là"][0] == "1 1 0.5 1"
    assert ("not", "ne") not in made


def test_bars_are_escaped_and_sides_without_links_have_no_phrases():
    assert [*table("a|b", "|||", "0-0")] == [("a&#124;b", "&#124;&#124;&#124;")]
    assert table("a", "b", "") == table("", "", "") == {}
    with pytest.raises(OptionError, match="at least 1"):
        table("a", "b", "0-0", max_words=0)
