from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.metrics.coder_differences import CodedTexts, disagreements
from bitext.reports.segmentation import ShownText
from bitext.reports.segmentation.strips import (
    can_show,
    coder_key,
    coder_strips,
    key_line,
    segment_strips,
)
from bitext.reports.table import width as columns_of


def strips(golds, hyp, **options):
    text = ShownText("dome", tuple(map(Segmentation, golds)), (Segmentation(hyp),))
    return list(segment_strips(text, **options))


def test_each_kind_of_boundary_has_a_sign_at_its_place():
    assert strips([[2, 3, 4, 3]], [2, 1, 1, 5, 3], names=("gold", "mine")) == [
        "dome: 1 extra, 1 shifted, 2 right",
        "      0         5         10",
        "gold  ├───┼─────┼───────┼─────┤",
        "mine  ├───┼─┼─┼─────────┼─────┤",
        "          · ✕ ◀─○       ·",
    ]


def test_the_votes_of_references_stand_in_the_windows():
    lines = strips([[2, 8], [3, 7], [3, 6, 1]], [2, 3, 5])
    assert lines[2] == "votes          [1 2]         (1)"
    assert lines[3].index("┼") == lines[2].index("1")
    many = strips([[2, 2]] * 12, [1, 3])
    assert "(+)" in many[2]


def test_ascii_and_colours():
    lines = strips([[2, 3, 4, 3]], [2, 1, 1, 5, 3], plain=True)
    assert "\n".join(lines).isascii()
    assert lines[-1].split() == [".", "x", "<-o", "."]
    coloured = strips([[2, 3, 4, 3]], [2, 1, 1, 5, 3], colour=True)
    assert "\x1b[31m✕\x1b[0m" in coloured[-1]
    bare = [re.sub(r"\x1b\[\d+m", "", line) for line in coloured]
    assert bare == strips([[2, 3, 4, 3]], [2, 1, 1, 5, 3])
    assert key_line(plain=True) == (
        ". right   v missing   x extra   o-> shifted   # of another type"
    )
    assert not can_show("latin-1")


def test_rows_without_an_error_are_left_out_and_very_many_are_counted():
    gold = [1000]
    hyp = [500, 500]
    lines = strips([gold], hyp, width=60)
    assert len(lines) == 5
    assert lines[1].split()[0] == "485"
    assert "✕" in lines[-1]
    lines = strips([[2000]], [1] * 2000, width=60)
    assert lines[-1] == f"... and {1999 - 8 * 23:,} more"
    assert len(lines) == 1 + 8 * 4 + 1


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=12),
    st.lists(st.integers(1, 30), min_size=1, max_size=12),
    st.integers(1, 120),
    st.integers(0, 3),
)
def test_lines_are_no_wider_than_the_terminal(masses, others, width, shift):
    n = max(sum(masses), sum(others))
    sides = [Segmentation([*m, *([n - sum(m)] if n > sum(m) else [])]) for m in (masses, others)]
    text = ShownText("name " * 30, (sides[0], sides[1]), (sides[1],))
    lines = segment_strips(text, names=("r" * 40, "漢" * 40), shift=shift, width=width)
    for number, line in enumerate(lines):
        assert columns_of(line) <= max(width, 40) + (number == 0) * 200


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_an_arrow_goes_from_where_it_should_be_to_where_it_is(shift):
    (line,) = strips([[5, 5]], [5 + shift, 5 - shift], shift=3)[-1:]
    arrow = line.strip()
    assert arrow == "○" + "─" * (2 * shift - 1) + "▶"
    head = strips([[5, 5]], [5 + shift, 5 - shift], shift=3)[3]
    assert head.index("┼") == line.index("▶")


def test_a_text_of_very_many_units_has_the_rows_with_errors_alone():
    far = 10**12
    lines = strips([[far, 2]], [1, far + 1], names=("gold", "mine"))
    assert lines[0] == "dome: 1 missing, 1 extra, 0 right"
    assert len(lines) == 9


def test_coders_stand_over_each_other_with_marks_of_their_differences():
    row = (Segmentation([2, 2, 1, 3]), None, Segmentation([2, 3, 3]), Segmentation([3, 2, 3]))
    coded = CodedTexts(("anna", "ben", "cleo", "dora"), ("t",), (row,))
    places = disagreements(coded)
    assert list(coder_strips(coded, 0, places)) == [
        "t: 1 where some coders have no boundary, 1 near miss; 1 boundary of all",
        "      0         5",
        "anna  ├───┼───┼─┼─────┤",
        "cleo  ├───┼─────┼─────┤",
        "dora  ├─────┼───┼─────┤",
        "          ◆   ✕ ·",
    ]
    assert coder_key(plain=True) == ". all coders   # near miss   x full miss"
    long = (Segmentation([4] * 100), Segmentation([200, 200]))
    many = CodedTexts(("a", "b"), ("long",), (long,))
    lines = list(coder_strips(many, 0, disagreements(many), width=60, plain=True))
    assert lines[-1] == "... and 45 more"
