from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.books import blocks_of, heading_of


def lines(raw):
    return [f"{line}\n" for line in raw.split("\n")[:-1]] + [raw.split("\n")[-1]] * (
        not raw.endswith("\n")
    )


def shapes(raw, **options):
    return [(block.kind, block.raw) for block in blocks_of(lines(raw), **options)]


@pytest.mark.parametrize(
    "raw",
    [
        "CHAPTER IV",
        "Chapter 4. The Flood",
        "CHAPTER THE LAST.\nIn which it rains",
        "Drittes Kapitel",
        "3. Kapitel.",
        "IX.",
        "IX. The Flood",
        "12",
        "THE FLOOD",
        "THE END.",
        "Epilogue",
        "Chapitre premier",
        "第三章　雨",
        "第廿三回",
        "第壹章 开始",
        "第十章「夜」",
        "第十二回洪水",
        "第1話：何が来るのか？",
        "CHAPTER IIII.",
        "Глава первая",
        "CHAPTER I\nin which it rains.",
        "Chapter 1 in which we meet the hero",
        "Chapter twenty one.",
        "Chapter one hundred and two.",
        "CHAPTER III continued.",
        "Chapter V in which it rains.",
    ],
)
def test_headings(raw):
    assert heading_of(f"{raw}\n") == " ".join(raw.split())


@pytest.mark.parametrize(
    "raw",
    [
        "Part of it was true.",
        "NO!",
        "STOP.",
        "I.e. nothing of the kind.",
        "“III”",
        "ix",
        "Lili.",
        "Did.",
        "Dix.",
        "Lili: Where are you",
        "Part did not survive.",
        "Part one was over.",
        "Chapter two of the first book was worse.",
        "Section 5 applies to all vehicles.",
        "Letter I wrote yesterday!",
        "第二天他回家了。",
        "第一部电影上映了。",
        "1. He came, and she left.",
        "It rained.",
        "* * *",
        "CHAPTER I\nIt rained.\nAnd rained.",
        "V" + "X" * 200,
    ],
)
def test_what_is_no_heading(raw):
    assert heading_of(f"{raw}\n") is None


def test_boundaries_are_blocks_of_their_own():
    assert shapes("a\n* * *\nb\fc\n# doc: Two\nd\n-----\n⁂\n") == [
        ("text", "a\n"),
        ("boundary", "* * *\n"),
        ("text", "b"),
        ("boundary", "\f"),
        ("text", "c\n"),
        ("heading", "# doc: Two\n"),
        ("text", "d\n"),
        ("boundary", "-----\n"),
        ("boundary", "⁂\n"),
    ]


def test_chapters_have_names():
    found = [block.name for block in blocks_of(lines("# doc: Two \nd\n\nII. The\n  Flood\n"))]
    assert found == ["Two", "", "", "II. The Flood"]


@pytest.mark.parametrize("rule", ["　　＊　＊　＊", "※※※", "◇ ◇ ◇"])
def test_rules_of_chinese_and_japanese_books_are_boundaries(rule):
    assert shapes(f"一。\n{rule}\n二。") == [
        ("text", "一。\n"),
        ("boundary", f"{rule}\n"),
        ("text", "二。"),
    ]


def test_a_line_may_be_a_block():
    assert shapes("a.\nb.\n", by_line=True) == [("text", "a.\n"), ("text", "b.\n")]


def test_what_project_gutenberg_adds_is_left_aside():
    book = (
        "The Project Gutenberg eBook of X\n\nCHAPTER I\n*** START OF THE PROJECT GUTENBERG X ***\n"
        "It rained.\n*** END OF THE PROJECT GUTENBERG X ***\nLicence.\n\nMore.\n"
    )
    kinds = [kind for kind, _ in shapes(book)]
    assert kinds == ["aside", "text", "aside"]


def test_a_book_that_names_it_only_is_no_book_of_it():
    book = "I read of Project Gutenberg.\n\nThen I slept.\n"
    assert [kind for kind, _ in shapes(book)] == ["text", "blank", "text"]


def test_long_blocks_come_in_pieces():
    found = list(blocks_of(lines("aaaa\n" * 5 + "\nb\n"), longest=9))
    assert [(block.kind, len(block.raw), block.whole) for block in found] == [
        ("text", 10, False),
        ("text", 10, False),
        ("text", 5, True),
        ("blank", 1, True),
        ("text", 2, True),
    ]


@given(
    st.lists(
        st.sampled_from(
            ["a b", "", " ", "* * *", "\f", "CHAPTER I", "# doc: x", "x\fy", "***", "\r"]
        )
    ),
    st.booleans(),
    st.integers(1, 20),
)
def test_the_blocks_are_the_book(parts, by_line, longest):
    raw = "\n".join(parts)
    blocks = list(blocks_of(lines(raw), by_line=by_line, longest=longest))
    assert "".join(block.raw for block in blocks) == raw
    assert all(block.raw for block in blocks)
