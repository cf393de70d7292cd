from __future__ import annotations

from bitext import Alignment, Bitext, Text
from bitext.metrics import arcade
from bitext.metrics.evaluation import worst_places
from bitext.reports.alignment.excerpts import render, view
from bitext.reports.table import width


def place_of(gold, hyp, src=None, tgt=None):
    comparison = arcade(Bitext(src, tgt, gold), Bitext(src, tgt, hyp)).comparison
    return view(comparison, worst_places(comparison, 1)[0], system="s", text="t")


def test_both_sides_are_shown_with_their_texts():
    src, tgt = Text(["One.", "Two."], ids=["a", "b"]), Text(["Un.", "Deux."])
    gold = Alignment([((0,), (0,)), ((1,), (1,))])
    hyp = Alignment([((0, 1), (0, 1))])
    shown = render(place_of(gold, hyp, src, tgt), number=3, columns=41)
    assert shown.splitlines() == [
        "3. s, t: 41 character pairs wrong".replace("41", str(8 * 8 - 4 * 3 - 4 * 5)),
        "gold                 │ proposed",
        "[a : 0]              │ [a b : 0 1]",
        "  < One.             │   < One.",
        "  > Un.              │   < Two.",
        "[b : 1]              │   > Un.",
        "  < Two.             │   > Deux.",
        "  > Deux.            │",
    ]


def test_without_texts_the_indices_are_shown():
    shown = render(
        place_of(Alignment([((0,), (0,))]), Alignment([((0,), (1,))])), number=1, columns=60
    )
    assert "2 sentence pairs wrong" in shown
    assert "[0 : 0]" in shown
    assert "[0 : 1]" in shown


def test_an_empty_side_and_a_missing_family_are_named():
    shown = render(place_of(Alignment([((0,), ())]), Alignment()), number=1, columns=60)
    assert "[0 : nothing]" in shown
    assert "(nothing)" in shown


def test_long_lines_are_cut_to_the_columns():
    src, tgt = Text(["word " * 100]), Text(["語" * 100])
    place = place_of(Alignment([((0,), (0,))]), Alignment([((0,), ())]), src, tgt)
    for columns in (20, 60, 121):
        lines = render(place, number=1, columns=columns).splitlines()[1:]
        assert all(width(line) <= max(columns, 43) for line in lines)
        assert any("…" in line for line in lines)


def test_letters_keep_their_marks_where_a_line_is_cut():
    src, tgt = Text(["कि" * 60]), Text(["e\u0301" * 60])  # the vowel sign takes a column
    place = place_of(Alignment([((0,), (0,))]), Alignment([((0,), ())]), src, tgt)
    for columns in (60, 61, 62, 63):
        shown = render(place, number=1, columns=columns)
        assert shown.count("कि…") == 2
        assert shown.count("e\u0301…") == 1


def test_huge_places_are_cut():
    n = 10_000
    place = place_of(Alignment([(range(n), range(n))]), Alignment([((k,), (k,)) for k in range(n)]))
    assert len(place.gold) == 1
    assert len(place.gold[0].src) + place.gold[0].more[0] == n
    assert len(place.hyp) + place.more[1] == n
    shown = render(place, number=1, columns=80)
    assert len(shown.splitlines()) < 100
    assert "more" in shown
    document = place.to_json()
    assert document["more"] == [0, n - len(place.hyp)]
    assert document["gold"][0]["more"] == list(place.gold[0].more)
    assert "more" not in document["hyp"][0]
