"""Alignments on a terminal: side by side, and difference by difference."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.kernels.arrays import Rows
from bitext.reports.alignment.page import bead_lines, error_lines, key_line
from bitext.reports.lettering import clipped, shortened, wants_colour, wrapped
from bitext.reports.table import width
from reference.sample_bitexts import ferry, hostile


def test_bisegments_stand_side_by_side():
    bitext, hyps = ferry()
    lines = list(bead_lines(bitext, hyps["ours"], width=80))
    assert lines[:4] == [
        "● 1-1 │ 0  The ferry left the island at    │ 0  Le bac quitta l'île à six",
        "      │    six.                            │    heures.",
        "◑ 2-1 │ 1  It was raining.                 │ 1  Il pleuvait et il n'y avait",
        "      │ 2  Nobody stood on the quay.       │    personne sur le quai.",
    ]
    signs = [line[0] for line in lines if line[0] != " "]
    assert signs == list("●◑◐✕●◑◐○●●●◑◐○✕○")
    assert not any(line.startswith(("●", "○")) for line in bead_lines(bitext))


@pytest.mark.parametrize("columns", [40, 61, 100])
def test_no_line_is_wider_than_the_terminal_and_none_can_steer_it(columns):
    bitext, (hyp,) = hostile()[0], hostile()[1].values()
    lines = [
        *bead_lines(bitext, hyp, width=columns),
        *(line for line in error_lines(bitext, hyp, width=columns) if line.startswith(" ")),
    ]
    assert max(map(width, lines)) <= columns
    assert all(line.replace("\u200d", "").isprintable() for line in lines)


def test_differences_are_told_with_their_place_kind_and_texts():
    bitext, hyps = ferry()
    lines = list(error_lines(bitext, hyps["ours"], name="coast", width=60))
    assert lines[:5] == [
        "coast 1 2 : 1  ◑ partly found 2-1",
        "  < It was raining. Nobody stood on the quay.",
        "  > Il pleuvait et il n'y avait personne sur le quai.",
        "coast 1 : 1  ◐ partly right 1-1",
        "  < It was raining.",
    ]
    assert "coast - : 5  ○ missed 0-1" in lines
    assert sum(line.startswith("coast") for line in lines) == 11
    few = list(error_lines(bitext, hyps["ours"], most=2))
    assert sum(not line.startswith(" ") for line in few) == 3
    assert few[-1] == "... and 9 more"
    assert list(error_lines(bitext, bitext)) == []


def test_a_difference_costs_the_same_however_long_the_text_is(monkeypatch):
    whole, asked = Rows.lengths.fget, []
    monkeypatch.setattr(Rows, "lengths", property(lambda rows: asked.append(1) or whole(rows)))
    counts = []
    for size in (50, 100):
        asked.clear()
        texts = [Text([f"line {k}" for k in range(size)]) for _ in range(2)]
        gold = Bitext(*texts, Alignment([((k,), (k,)) for k in range(size)]))
        hyp = Alignment([((k, k + 1), (k,)) for k in range(0, size, 2)])
        assert len(list(error_lines(gold, hyp))) > 4 * size
        counts.append(len(asked))
    assert counts[0] == counts[1]  # the sizes of all rows were taken for each difference


def test_colours_come_beside_the_signs():
    bitext, hyps = ferry()
    for make in (bead_lines, error_lines):
        plain = "\n".join(make(bitext, hyps["ours"]))
        painted = "\n".join(make(bitext, hyps["ours"], colour=True))
        assert "\x1b" not in plain
        for code in ("31", "33", "34"):
            painted = painted.replace(f"\x1b[{code}m", "")
        assert "\x1b" in painted
        assert painted.replace("\x1b[32m", "").replace("\x1b[0m", "") == plain
    assert key_line(colour=True) != key_line()


def test_identifiers_stand_where_no_text_is_known():
    ids = Bitext(Text.of_ids(["s1"]), Text.of_ids(["t1", "t2"]), Alignment([((0,), (0, 1))]))
    assert [line.rstrip() for line in bead_lines(ids, width=40)] == [
        "1-2 │ s1              │ t1",
        "    │                 │ t2",
    ]
    assert next(iter(error_lines(ids, Alignment()))) == "s1 : t1 t2  ○ missed 1-2"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colours_are_for_terminals_and_not_where_nobody_wants_them():
    assert wants_colour(Terminal(), {})
    assert wants_colour(Terminal(), {"NO_COLOR": "", "TERM": "xterm"})
    assert not wants_colour(Terminal(), {"NO_COLOR": "1"})
    assert not wants_colour(Terminal(), {"TERM": "dumb"})
    assert not wants_colour(io.StringIO(), {})


def test_wide_signs_and_long_words_are_wrapped_and_cut_whole():
    assert wrapped("漢字漢字 ab", 5) == ["漢字", "漢字", "ab"]
    assert wrapped("", 5) == [""]
    assert wrapped("x" * 12, 5) == ["xxxxx", "xxxxx", "xx"]
    assert wrapped("one two three four", 5, most=2) == ["one", "two…"]
    assert shortened("e\u0301" * 9, 4) == "e\u0301" * 3 + "…"
    assert shortened("\u202eab", 20) == "[U+202E]ab"
    assert shortened("word " * 1_000_000, 10) == "word word…"


@given(st.text("a é\u0301\u093f字", max_size=12), st.integers(1, 12))
def test_what_is_clipped_fits_and_nothing_else_is(text, columns):
    found = clipped(text, columns)
    if width(text) <= columns:
        assert found == text
        return
    kept = found.removesuffix("…")
    assert found == f"{kept}…"
    assert text.startswith(kept)
    assert width(found) <= columns
    assert not unicodedata.category(text[len(kept)]).startswith("M") or not kept
