from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from formats.samples import kinds, positions, read, ugly, written
from reference.shared_data import data

NAME = "hunalign-ladder"


def test_a_bead_lies_between_rungs_and_has_the_score_of_the_first():
    bt = read(NAME, "0\t0\t0.3\n2\t1\t-0.5\n2\t2\t1\n3\t2\t9\n")
    assert positions(bt) == [([0, 1], [0]), ([], [1]), ([2], [])]
    assert bt.alignment.scores.tolist() == [0.3, -0.5, 1]
    assert bt.notes == ()


def test_blanks_two_columns_crlf_and_blank_lines():
    bt = read(NAME, "\ufeff0 0\r\n1  1 \r\n\r\n 2\t3\r\n")
    assert positions(bt) == [([0], [0]), ([1], [1, 2])]
    assert bt.alignment.scores is None


def test_scores_on_some_rungs_only():
    scores = read(NAME, "0 0\n1 1 0.5\n2 2\n").alignment.scores
    assert np.array_equal(scores, [np.nan, 0.5], equal_nan=True)


def test_a_rung_twice_is_noted_and_left_out():
    bt = read(NAME, "0 0 1\n1 1 2\n1 1 3\n2 2 4\n2 2 5\n")
    assert positions(bt) == [([0], [0]), ([1], [1])]
    assert bt.alignment.scores.tolist() == [1, 3]
    assert kinds(bt) == {"rungs that repeat the one before, left out": 2}
    assert bt.notes[0].first == "made line 3: 1 1"


@pytest.mark.parametrize("scored", [False, True])
def test_a_ladder_of_many_rungs_is_written_whole(scored):
    every, ends = np.arange(140_000), np.arange(0, 140_001, 2)
    scores = np.arange(70_000) / 8 if scored else None
    alignment = Alignment.from_arrays((ends, every), (ends // 2, every[:70_000]), scores=scores)
    score = [f"\t{k / 8!r}" for k in range(70_000)] if scored else [""] * 70_000
    rungs = [f"{2 * k}\t{k}{score[k]}\n" for k in range(70_000)]
    last = "140000\t70000\t0\n" if scored else "140000\t70000\n"
    whole = "".join([*rungs, last])
    assert written(NAME, Bitext(None, None, alignment)) == whole.encode()


def test_one_rung_is_an_empty_alignment():
    bt = read(NAME, "0 0\n", src=Text([]), tgt=Text([]))
    assert len(bt.alignment) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0 0\n2 2\n1 3\n", r"made line 3: rung 1 3 comes after 2 2; want .* never decrease"),
        ("1 1\n2 2\n", r"made line 1: the first rung is 1 1; want 0 0; if .* counts from 1"),
        ("1 1 1\n1 2 2\n", r"want 0 0; if .*; if these are links of words, give format='naacl'"),
        ("0 0\n1 x\n", r"made line 2: is '1 x'; want a rung"),
        ("0 0\n1\n", r"made line 2: is '1'; want a rung"),
        ("0 0\n-1 2\n", r"made line 2: is '-1 2'"),
        ("0 0\n1 1 high\n", r"made line 2: is '1 1 high'"),
        ("0 0\n1 1 0.5 7\n", r"made line 2"),
        ("0 0\n١ ٢\n", r"made line 2"),
        ("0 0\n999999999999 1\n", r"made line 2: rung 999999999999 1 goes beyond 20000000"),
        ("0 0\n1" + "0" * 400 + " 1\n", r"made line 2: is '1000"),
        ("\n\n", r"holds no rung; want a first line '0 0'"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content)


def test_the_last_rung_is_the_lengths_of_the_texts():
    content = "0 0\n1 1\n1 1\n2 2\n"
    assert len(read(NAME, content, src=Text("ab"[k] for k in range(2)), tgt=Text(["c", "d"])).src)
    cut = "it is cut short, or of other texts; give the whole of it"
    told = rf"made line 4: the ladder ends at \(2, 2\), the texts have 2 and 3: {cut}"
    with pytest.raises(FormatError, match=told):
        read(NAME, content, src=Text(["a", "b"]), tgt=Text(["c", "d", "e"]))
    told = r"made line 4: the ladder ends at \(2, 2\), the source text has 1; give .* \(src=\)"
    with pytest.raises(FormatError, match=told):
        read(NAME, content, src=Text(["a"]))
    told = rf"made line 1: the ladder ends at \(0, 0\), the source text has 1: {cut}"
    with pytest.raises(FormatError, match=told):
        read(NAME, "0 0\n", src=Text(["a"]))


def test_pairs_of_positions_that_seem_to_be_a_ladder_have_a_remedy_that_works():
    texts = {"src": Text(["a", "b"]), "tgt": Text(["c", "d"])}
    with pytest.raises(FormatError, match=r"or, of pairs of positions .*\(format='id-pairs'\)"):
        read(NAME, "0\t0\n1\t1\n", **texts)
    assert len(read("id-pairs", "0\t0\n1\t1\n", **texts).alignment) == 2


def test_exchanged_sides_are_only_told_where_exchanging_them_helps():
    two, three = Text(["a", "b"]), Text(["c", "d", "e"])
    content = "0 0\n1 1\n2 3\n"
    told = r"ends at \(2, 3\), the texts have 3 and 2; with the two sides exchanged it fits"
    with pytest.raises(FormatError, match=told):
        read(NAME, content, src=three, tgt=two)
    assert len(read(NAME, content, src=two, tgt=three).alignment) == 2
    for texts in ((three, two), (two, three)):
        with pytest.raises(FormatError, match=r"ends at \(1, 1\).*it is cut short"):
            read(NAME, "0 0\n1 1\n", src=texts[0], tgt=texts[1])


steps = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), max_size=12)


def _of_steps(sizes, scores=None):
    src, tgt = (np.cumsum([0, *side]) for side in zip((0, 0), *sizes, strict=True))
    return Alignment.from_arrays(
        (src[1:], np.arange(src[-1])), (tgt[1:], np.arange(tgt[-1])), scores=scores
    )


@given(steps, st.data())
def test_round_trip_in_any_order_of_lines(sizes, draw):
    scores = draw.draw(
        st.none() | st.lists(st.floats(allow_nan=False), min_size=len(sizes), max_size=len(sizes))
    )
    alignment = _of_steps(sizes, scores)
    assert np.array_equal(
        read(NAME, written(NAME, Bitext(None, None, alignment))).alignment.src.ptr,
        alignment.src.ptr,
    )
    shuffled = alignment.select(draw.draw(st.permutations(range(len(sizes)))))
    back = read(NAME, written(NAME, Bitext(None, None, shuffled))).alignment
    assert back == alignment
    if scores and shuffled.scores is not None:
        known = dict(zip(shuffled, shuffled.scores.tolist(), strict=True))
        assert {bead: known[bead] for bead in back} == dict(
            zip(back, back.scores.tolist(), strict=True)
        )


def test_a_score_that_is_not_known_keeps_its_column():
    alignment = Alignment([((0,), (0,)), ((1,), (1,))], scores=[np.nan, 0.5])
    assert written(NAME, Bitext(None, None, alignment)) == b"0\t0\tnan\n1\t1\t0.5\n2\t2\t0\n"


@pytest.mark.parametrize(
    ("bisegments", "message"),
    [
        (
            [((1,), (0,)), ((0,), (1,))],
            r"cannot express the bisegment .* wants source segment 0 next",
        ),
        ([((0, 2), (0,)), ((1,), (1,))], r"\[0, 2\]:\[0\]: it wants source segment 1 next"),
        ([((0,), (0,)), ((0, 1), (1,))], r"wants source segment 1 next"),
        ([((0,), (0,)), ((2,), (1,))], r"\[2\]:\[1\]: it wants source segment 1 next.*vecalign"),
        ([((0,), (0,))], r"source segment 1 of 3 is in no bisegment; choose .*vecalign"),
    ],
)
def test_what_a_ladder_cannot_say(bisegments, message):
    bt = Bitext(Text(["a", "b", "c"]), None, Alignment(bisegments))
    with pytest.raises(InputError, match=message):
        written(NAME, bt)


def test_one_document_a_file():
    bt = Bitext(None, None, Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match="one document pair a file, and here are 2"):
        written(NAME, bt, bt)


def test_rungs_go_on_over_parts():
    part = Bitext(Text(["a", "b"]), Text(["x"]), Alignment([((0,), (0,)), ((1,), ())]))
    scored = Alignment([((0, 1), (0,))], scores=[0.5])
    more = replace(part, alignment=scored, continues=True)
    content = written(NAME, part, more, replace(part, continues=True))
    assert content == b"0\t0\n1\t1\n2\t1\t0.5\n4\t2\tnan\n5\t3\tnan\n6\t3\t0\n"
    back = read(NAME, content).alignment
    assert [bead.type for bead in back] == ["1-1", "1-0", "2-1", "1-1", "1-0"]
    assert np.array_equal(back.scores, [np.nan, np.nan, 0.5, np.nan, np.nan], equal_nan=True)


def test_the_awkward_file():
    path, verdict, _ = ugly("decreasing.ladder")
    assert verdict == "refuse"
    with pytest.raises(FormatError, match="line 3: rung 1 3 comes after 2 2"):
        bitext.read(path)


@pytest.mark.parametrize("name", ["demo.manual", "dtm--hand", "steinbeck--auto", "steinbeck--hand"])
def test_real_ladders(name):
    path = data("formats", "hunalign", f"{name}.ladder")
    rungs = [tuple(map(int, line.split())) for line in path.read_text().splitlines()]
    expected = [(list(range(i, k)), list(range(j, m))) for (i, j), (k, m) in pairwise(rungs)]
    assert positions(bitext.read(path)) == expected


def test_a_hand_ladder_is_the_gold_standard_made_of_it():
    ladder = bitext.read(data("formats", "hunalign", "dtm--hand.ladder"))
    gold = data("gold", "hunalign-dtm", "dtm.align")
    texts = {"src": gold.with_suffix(".hu"), "tgt": gold.with_suffix(".en")}
    assert bitext.read(gold, **texts).alignment == ladder.alignment
    assert len(bitext.read(data("formats", "hunalign", "dtm--hand.ladder"), **texts).src) == 581
