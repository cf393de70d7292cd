from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats import vecalign
from bitext.formats.registry import sniff
from formats.samples import kinds, positions, read, ugly, written
from reference.shared_data import data

NAME = "vecalign"


def detected(head, path):
    found = sniff(head, path)
    return found and found.name


def test_sides_and_costs():
    bt = read(NAME, "[0, 1]:[2]:0.12\n[]:[0,1]:-3\n[2]:[]:1e3\n")
    assert positions(bt) == [([0, 1], [2]), ([], [0, 1]), ([2], [])]
    assert bt.alignment.scores.tolist() == [0.12, -3, 1000]


def test_spellings():
    bt = read(NAME, "\ufeff [ 0 , 1 ] : [2] : nan \r\n\n[2]:[ ]:\n[3]:[3]:inf")
    assert positions(bt) == [([0, 1], [2]), ([2], []), ([3], [3])]
    assert np.array_equal(bt.alignment.scores, [np.nan, np.nan, np.inf], equal_nan=True)


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_without_costs(end):
    bt = read(NAME, f"[0]:[0]\n[1]:[1]{end}")
    assert positions(bt) == [([0], [0]), ([1], [1])]
    assert bt.alignment.scores is None


@pytest.mark.parametrize(
    "content",
    [
        "([0, 1], [2])\n([], [0,1])\n",
        "[([0, 1], [2]),\n ([], [0, 1])]\n",
        "([0, 1], [2], 0.5)\n([], [0, 1], 0.25)\n",
        "[([0, 1], [2]), ([], [0, 1])]\n",
        "[[[0, 1], [2]], [[], [0, 1]]]",
        "[[[0,1],[2],0.5],[[],[0,1],0.25]]\n",
        "[[[0, 1], [2]],\n [[], [0, 1]]]\n",
    ],
)
def test_tuples_of_python_as_bertalign_prints_them(content):
    assert detected(content.encode(), "result.txt") == NAME
    assert positions(read(NAME, content)) == [([0, 1], [2]), ([], [0, 1])]


def test_lines_of_sentences_are_left_out_and_noted():
    texts = f"{' ' * 40} SRC:  a), (b\n{' ' * 40} TGT:  \n"
    bt = read(NAME, f"[0, 1]:[2]:0.25\n{texts}[]:[0, 1]:0.0\n{texts}")
    assert positions(bt) == [([0, 1], [2]), ([], [0, 1])]
    assert ("lines of sentences (SRC:, TGT:), left out", 4) in [(n.kind, n.count) for n in bt.notes]
    with pytest.raises(FormatError, match=r"line 1: is 'SRC: a'; want brackets"):
        read(NAME, "SRC: a\n[0]:[0]\n")


def test_what_is_odd_is_noted_with_its_line():
    bt = read(NAME, "[]:[]:0\n[0]:[0]\n[2, 1]:[1]\n\n[5, 3]:[1, 2]\n[4]:[3]\n")
    assert [str(note) for note in bt.notes] == [
        "lines with two empty sides, left out: 1, first made line 1",
        "sides with positions out of order: 2, first made line 3: [2, 1]",
        "discontinuous bisegments: 1, first made line 5: [3, 5]:[1, 2]",
        "target segments in more than one bisegment: 1, first made line 5: target segment 1",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[0]:[0]\n[1]-[1]\n", r"made line 2: is '\[1\]-\[1\]'; want brackets of positions"),
        ("[0]:[0]\n[1]:[1]:high\n", "made line 2"),
        ("[0]:[-1]\n", "made line 1"),
        ("[0]:[1.5]\n", "made line 1"),
        ("[0,]:[1]\n", "made line 1"),
        ("[0]:[1]:0.5:7\n", "made line 1"),
        ("[0]:[٣]\n", "made line 1"),
        ("[0]:[1000000000000]\n", "made line 1"),
        ("[__import__('os')]:[0]\n", "made line 1"),
        ("[0]:[0]\n[2, 1, 2]:[1]\n", "made line 2: has the index 2 twice on a side; want each"),
        ("\n[0]:[1, 1]\n", "made line 2: has the index 1 twice on a side"),
        ("[0]:[0]\n[9]:[0]\n", r"made line 2: \[9\]:\[0\] names source segment 9, but .* has 3"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content, src=Text(["a", "b", "c"]))


number = st.integers(0, 30) | st.integers(0, 10**12)
cost = st.sampled_from(["", ":", ":0.5", ":-1", ":+1.25e-3", ":1e999", ":nan", ": 7", ":1.", ":.5"])
cost |= st.floats(allow_nan=False, allow_infinity=False).map(lambda x: f":{x!r}")
cost |= st.decimals(allow_nan=False, allow_infinity=False).map(lambda x: f":{x}")


@st.composite
def lines(draw):
    comma = draw(st.sampled_from([",", ", ", " , "]))
    ends = st.sampled_from(["\n"] * 8 + ["\r\n", "\n\n", " \n", "x\n"])
    sides = [comma.join(map(str, draw(st.lists(number, max_size=4)))) for _ in "st"]
    colon = draw(st.sampled_from([":"] * 8 + [" : ", "-"]))
    return f"[{sides[0]}]{colon}[{sides[1]}]{draw(cost)}{draw(ends)}"


def _outcome(content):
    try:
        bt = read(NAME, content)
    except (FormatError, InputError) as error:
        return type(error), str(error)
    a = bt.alignment
    parts = [part.tolist() for part in (*a.src, *a.tgt)]
    return parts, None if a.scores is None else a.scores.tobytes(), bt.notes


@given(st.lists(lines(), max_size=6).map("".join))
@example("[0]:[0]:0.1\n[1]:[1]:0.30000000000000004\n")
@example("[0]:[0]\n[1, 2]:[]\n[]:[1]\n")
@example("[0]:[0]:0.1\n[1]:[1]\n")
@example("[2, 1]:[0]\n[0]:[1, 1]\n")
@example("")
@example("[0]:[0]:123456789012345678901234567890.5e-3")
def test_both_ways_of_reading_agree(content):
    whole = _outcome(content)
    evenly = vecalign.read_evenly
    vecalign.read_evenly = lambda _: None
    try:
        assert _outcome(content) == whole
    finally:
        vecalign.read_evenly = evenly


def test_the_usual_spellings_are_read_at_once():
    for content in ("[0, 1]:[2]:0.12\n", "[0]:[0]\n[1,2]:[]\n", "[0]:[12345]:-1e-05\r\n"):
        assert vecalign.read_evenly(content) is not None


indices = st.sets(st.integers(0, 40), max_size=4).map(sorted)


@given(st.lists(st.tuples(indices, indices).filter(any), max_size=8))
def test_round_trip(bisegments):
    scores = [k / 4 for k in range(len(bisegments))] or None
    alignment = Alignment(bisegments, scores=scores)
    back = read(NAME, written(NAME, Bitext(None, None, alignment))).alignment
    assert list(back) == list(alignment)
    assert (back.scores is None) == (scores is None)
    assert scores is None or back.scores.tolist() == scores


def test_one_bead_of_very_many_segments(tmp_path):
    members = list(range(100_000))
    path = tmp_path / "a"
    path.write_text(f"{members}:{members}\n")
    assert positions(bitext.read(path)) == [(members, members)]


def test_one_document_a_file():
    bt = Bitext(None, None, Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match="vecalign holds one document pair a file"):
        written(NAME, bt, bt)


def test_positions_go_on_over_parts():
    part = Bitext(Text(["a", "b", "c"]), Text(["x", "y"]), Alignment([((0, 2), (1,)), ((), (0,))]))
    more = replace(part, alignment=Alignment([((1,), (0,))]), continues=True)
    content = written(NAME, part, more, replace(more, src=None), more)
    assert content == b"[0, 2]:[1]\n[]:[0]\n[4]:[2]\n[7]:[4]\n[9]:[6]\n"


def test_a_score_is_written_whole():
    scores = [0.1 + 0.2, 1e-9, 0.25, np.inf, np.nan]
    bt = Bitext(None, None, Alignment([((k,), (k,)) for k in range(5)], scores=scores))
    assert b"[2]:[2]:0.250000\n" in written(NAME, bt)
    back = read(NAME, written(NAME, bt)).alignment.scores
    assert np.array_equal(back, scores, equal_nan=True)


def test_the_awkward_file():
    path, verdict, units = ugly("vecalign.txt")
    bt = bitext.read(path)
    found = [[list(map(str, side)) for side in pair] for pair in positions(bt)]
    assert (found, bool(bt.notes)) == (units, verdict == "warn")
    assert kinds(bt) == {"bisegments out of order (crossing)": 1}


def _by_hand(path):
    found = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            sides = line.split("]")[:2]
            numbers = (side.partition("[")[2].replace(",", " ").split() for side in sides)
            found.append(tuple(sorted(map(int, side)) for side in numbers))
    return found


@pytest.mark.parametrize(
    "name",
    [
        "bible-enzh/001",
        "champollion/198706005",
        "champollion/930422",
        "champollion/UN19930101_020",
        "hunalign-dtm/dtm",
        "maligna/gpl",
        "maligna/poznan",
        "parice/es_1",
        "parice/u_1",
        "text+berg/dev",
    ],
)
def test_gold_standards(name):
    path = data("gold", f"{name}.align")
    assert positions(bitext.read(path)) == _by_hand(path)


def test_a_real_file():
    path = data("formats", "vecalign", "test0.defr")
    texts = {"src": path.with_suffix(".de"), "tgt": path.with_suffix(".fr")}
    bt = bitext.read(path, **texts)
    assert positions(bt) == _by_hand(path)
    assert kinds(bt) == {
        "discontinuous bisegments": 1,
        "bisegments out of order (crossing)": 5,
    }
    assert bt.src[0].text == path.with_suffix(".de").read_text(encoding="utf-8").split("\n")[0]


FROM_1 = "[1]:[1]\n[2]:[2, 3]\n[3]:[]\n[4]:[4]\n"
BEADS = [([0], [0]), ([1], [1, 2]), ([2], []), ([3], [3])]


def test_texts_tell_that_positions_count_from_1():
    texts = {"src": Text(["a", "b", "c", "d"]), "tgt": Text(["A", "B", "C", "D"])}
    bt = read(NAME, FROM_1, **texts)
    assert positions(bt) == BEADS
    assert ["read as counting from 1" in str(note) for note in bt.notes] == [True]
    with pytest.raises(FormatError, match="names source segment 4, but the source text has 4"):
        read(NAME, FROM_1, **texts, base=0)
    way = r"give the text that was aligned \(src=\), or if it counts from 1, say so \(base=1\)"
    with pytest.raises(FormatError, match=way):
        read(NAME, "[1]:[1]\n[4]:[3]\n", **texts)
    assert positions(read(NAME, "[1]:[1]\n[4]:[3]\n", **texts, base=1)) == [([0], [0]), ([3], [2])]


def test_without_texts_the_base_is_noted_or_said():
    bt = read(NAME, FROM_1)
    assert positions(bt)[0] == ([1], [1])
    assert ["without a position 0, read as counting from 0" in str(n) for n in bt.notes] == [True]
    bt = read(NAME, FROM_1, base=1)
    assert positions(bt) == BEADS
    assert bt.notes == ()
    with pytest.raises(FormatError, match="line 2: has the position 0, so it does not count from"):
        read(NAME, "[1]:[1]\n[2]:[0]\n", base=1)


def test_positions_of_all_segments_from_1_tell_that_they_count_from_1():
    texts = {"src": Text(["a", "b", "c", "d"]), "tgt": Text(["A", "B", "C", "D", "E"])}
    pairs = "[1]:[1]\n[2]:[2, 3]\n[3]:[4]\n"
    bt = read(NAME, pairs + "[]:[5]\n[4]:[]\n", **texts)
    assert positions(bt)[-2:] == [([], [4]), ([3], [])]
    assert ["read as counting from 1" in note.kind for note in bt.notes] == [True]
    for others in ("[]:[5]\n", "[5]:[]\n[]:[5]\n", "[0]:[]\n[4]:[]\n[]:[5]\n"):
        bt = read(NAME, pairs + others, **texts)
        assert positions(bt)[0] == ([1], [1])
        assert any("read as counting from 0" in note.kind for note in bt.notes) == (
            "0" not in others
        )


def test_a_lone_segment_beyond_the_text_tells_no_base():
    texts = {"src": Text(["a", "b"]), "tgt": Text(["A", "B"])}
    bt = read(NAME, "[1]:[1]\n[2]:[]\n[]:[2]\n", **texts)
    assert positions(bt) == [([1], [1]), ([2], []), ([], [2])]
