"""Sections correspond by headings and verses, also where some are missing on one side."""

import pytest

from bitext.align.documents import Heading, heading_number, sections_of_headings, sections_of_verses


def headings(*rows):
    return [Heading(*row) for row in rows]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Chapter 3", (3,)),
        ("Kapitel 12: Die Flut", (12,)),
        ("3.2 The Mill", (3, 2)),
        ("1.10.2", (1, 10, 2)),
        ("2) Water", (2,)),
        ("IV. Flood", (4,)),
        ("Teil XIX", (19,)),
        ("Глава 7", (7,)),
        ("第十二章 水", (12,)),
        ("第3节", (3,)),
        ("第二百零五回", (205,)),
        ("§ 5 Flut", (5,)),
        ("บทที่ ๓", (3,)),
        ("अध्याय १२", (12,)),
        ("第一〇章", (10,)),
        ("第二一话", (21,)),
        ("第十二条", (12,)),
        ("제3장 물", (3,)),
        ("제12조(목적)", (12,)),
        ("The Mill", ()),
        ("I was there", ()),
        ("50 % of all", ()),
        ("IIII. Four", ()),
        ("The 3 mills", (3,)),
        ("", ()),
    ],
)
def test_numbers_begin_headings(text, number):
    assert heading_number(text) == number


def test_headings_of_the_same_levels_correspond_whatever_the_highest_is():
    src = headings((1, 0, "A"), (2, 5, "B"), (1, 9, "C"))
    tgt = headings((2, 1, "a"), (3, 6, "b"), (2, 8, "c"))
    assert sections_of_headings(src, tgt, (12, 12)) == ([0, 5, 9], [1, 6, 8])
    assert sections_of_headings(src, [*tgt, Heading(4, 10, "d")], (12, 12)) == (
        [0, 5, 9],
        [1, 6, 8],
    )


def test_numbers_decide_where_a_heading_is_missing_or_elsewhere():
    src = headings(*((1, 10 * k, f"Chapter {k}") for k in range(1, 6)))
    tgt = [heading._replace(text=heading.text.replace("Chapter", "Kapitel")) for heading in src]
    del tgt[2]
    assert sections_of_headings(src, tgt, (60, 60)) == ([10, 20, 40, 50], [10, 20, 40, 50])
    # As many headings, and not the same ones.
    moved = [*tgt[:3], Heading(1, 47, "Kapitel 9"), tgt[3]]
    assert sections_of_headings(src, moved, (60, 60))[1] == [10, 20, 40, 50]


def test_headings_without_numbers_correspond_between_those_with_numbers():
    src = headings((1, 0, "1 A"), (2, 4, "Mill"), (1, 9, "2 B"), (2, 12, "Rain"), (1, 20, "3 C"))
    tgt = headings((1, 0, "1 a"), (2, 5, "Mühle"), (1, 9, "2 b"), (1, 21, "3 c"))
    assert sections_of_headings(src, tgt, (30, 30)) == ([0, 4, 9, 20], [0, 5, 9, 21])


def test_numbers_that_begin_anew_go_by_their_places():
    src = headings(*((2, 10 * k, f"Chapter {k % 5 + 1}") for k in range(20)))
    tgt = src[7:]
    assert sections_of_headings(src, tgt, (200, 200)) == ([h.first for h in tgt],) * 2


def test_the_aligner_decides_on_headings_that_nothing_else_matches():
    src = headings(*((1, 10 * k, "A") for k in range(8)))
    tgt = [src[k] for k in (0, 1, 2, 4, 5, 6, 7)]
    found = sections_of_headings(src, tgt, (80, 80))
    assert found == ([h.first for h in src], [h.first for h in tgt])
    # As many on both sides, at other levels, or far more on one side: nothing is known.
    levels = headings((1, 0, "A"), (1, 9, "A"), (2, 20, "A"))
    others = headings((2, 0, "A"), (1, 9, "A"), (1, 20, "A"))
    assert sections_of_headings(levels, others, (30, 30)) in (None, ([0, 9], [9, 20]))
    assert sections_of_headings(src, [Heading(1, 0, "A"), Heading(3, 4, "A")], (80, 80)) is None
    assert sections_of_headings([], src, (1, 80)) is None


def test_verses_correspond_by_their_references():
    src = [("1:1", 0), ("1:2", 2), ("1:3a", 3), ("1:3b", 4), ("2:1", 5)]
    tgt = [("1:1-2", 0), ("1:3", 2), ("1:4", 3), ("2:1", 4)]
    assert sections_of_verses(src, tgt) == ([0, 3, 5], [0, 2, 4])
    assert sections_of_verses(src, [("7:1", 0), ("7:2", 1)]) is None
    assert sections_of_verses(src, []) is None
    # A verse out of order makes no border.
    assert sections_of_verses(src, [("1:1", 0), ("2:1", 1), ("1:3", 2)]) == ([0, 5], [0, 1])
    long = f"1:{'9' * 5000}"  # more digits than Python reads
    assert sections_of_verses([*src, (long, 9)], [("1:1", 0), ("1:2", 1), (long, 2)])
