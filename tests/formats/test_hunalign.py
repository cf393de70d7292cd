from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext.errors import FormatError, InputError
from formats.samples import (
    assert_parts,
    assert_same,
    beads,
    inline,
    joined,
    kinds,
    noted,
    read,
    read_all,
    read_on,
    ugly,
    written,
)
from reference.shared_data import data

NAME = "hunalign-text"


def test_joined_segments_an_empty_side_and_scores():
    bt = read(NAME, "One . ~~~ Two .\tYksi .\t0.5\r\n\tKaksi .\t-0.3\n")
    assert bt.pairs() == [(["One .", "Two ."], ["Yksi ."]), ([], ["Kaksi ."])]
    assert bt.alignment.scores.tolist() == [0.5, -0.3]
    assert bt.notes == ()


def test_two_columns():
    bt = read(NAME, "a\tb\nc\td")
    assert bt.pairs() == [(["a"], ["b"]), (["c"], ["d"])]
    assert bt.alignment.scores is None


def test_what_is_no_bisegment_is_noted():
    bt = read(NAME, "a\tb\t1\n\t\t0\n\nc\td\t2\n")
    assert bt.pairs() == [(["a"], ["b"]), (["c"], ["d"])]
    assert bt.alignment.scores.tolist() == [1, 2]
    assert kinds(bt) == {"lines with two empty sides, left out": 1, "empty lines, left out": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tb\t1\nalone\n", "made line 2: has 1 column; want source, target and a score"),
        ("a\tb\t1\t2\n", "made line 1: has 4 columns; want"),
        ("a\tb\thigh\n", "made line 1: has 'high' as its score; want a number"),
        ("a\tb\t1_0\n", "made line 1: has '1_0' as its score"),
        ("a\tb\t٣\n", "made line 1: has '٣' as its score"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content)


def _line(side):
    return [s.replace("\r\n", " ").translate(dict.fromkeys(b"\t\n\r", " ")) for s in side]


@given(beads)
@example([(["a ~~~", "b"], ["c"])])
@example([(["", "a", ""], ["", ""])])
@example([(["\ufeffa"], ["\ufeffb"]), (["\ufeff"], ["c"])])
@example([(["x"], ["\u2028\x0b\x0c\x1c\x85\u202e😀"])])
def test_round_trip(pairs):
    shown = [(_line(src), _line(tgt)) for src, tgt in pairs]
    if any(" ~~~ ".join(s).split(" ~~~ ") != s for pair in shown for s in pair if s):
        with pytest.raises(InputError, match="' ~~~ ' in the text"):
            written(NAME, inline(pairs))
        return
    content = written(NAME, inline(pairs))
    back = read(NAME, content)
    alone = [tuple([] if s == [""] else s for s in pair) for pair in shown]
    assert back.pairs() == [pair for pair in alone if any(pair)]


def test_scores_round_trip():
    scores = [0.1, 1e-300, float("-inf"), float("nan")]
    bt = inline([(["a"], ["b"])] * 4, scores=scores)
    back = read(NAME, written(NAME, bt)).alignment.scores.tolist()
    assert back[:3] == scores[:3]
    assert back[3] != back[3]


def test_the_joint_in_a_text_is_an_error():
    with pytest.raises(InputError, match=r"bisegment 1 has ' ~~~ ' in the text .* another format"):
        written(NAME, inline([(["a"], ["b"]), (["c ~~~ d"], ["e"])]))


def test_texts_are_needed_to_write():
    bt = read("vecalign", "[0]:[0]\n")
    with pytest.raises(InputError, match=r"source text is known by positions only; .*\(Bitext.src"):
        written(NAME, bt)


def test_the_awkward_file():
    path, verdict, units = ugly("hunalign.text")
    bt = bitext.read(path)
    assert ([list(pair) for pair in bt.pairs()], bool(bt.notes)) == (units, verdict == "warn")


def test_a_real_file():
    path = data("formats", "hunalign", "dtm--dtm.bi")
    lines = path.read_bytes().decode("iso-8859-2").rstrip("\n").split("\n")
    expected = [tuple(side.split(" ~~~ ") for side in line.split("\t")) for line in lines]
    bt = bitext.read(path, encoding="iso-8859-2")
    assert bt.pairs() == expected
    assert bt.alignment == bitext.read(data("gold", "hunalign-dtm", "dtm.align")).alignment


lines_of_text = st.lists(
    st.sampled_from(["a\tb", "a ~~~ b\tc", "\td", "e\tf\t0.5", "g\t\t-1", "\t", ""]), max_size=9
)


@given(lines_of_text, st.integers(1, 3))
def test_parts_are_the_whole(lines, size):
    content = "".join(f"{line}\n" for line in lines)
    parts = read_all(NAME, content, parts=True, part_size=size)
    assert_parts(parts, size)
    whole = read(NAME, content)
    assert_same(joined(parts), whole)
    assert noted(parts) == kinds(whole)


@pytest.mark.parametrize("parts", [True, False])
def test_bad_lines_are_left_out_when_they_are_collected(parts):
    content = "a\tb\t1\nalone\nc\td\thigh\ne\tf\t2\n"
    bt, bad = read_on(NAME, content, parts=parts)
    assert bt.pairs() == [(["a"], ["b"]), (["e"], ["f"])]
    assert bt.alignment.scores.tolist() == [1, 2]
    assert bad == [2, 3]


def test_bisegments_are_counted_over_parts():
    part = inline([(["a"], ["b"])])
    with pytest.raises(InputError, match="bisegment 1 has"):
        written(NAME, part, replace(inline([(["c ~~~ d"], [])]), continues=True))


@pytest.mark.parametrize(
    "first", ["One. ~~~ " + "Two. " * 20_000, "One.\tEins. ~~~ " + "Zwei. " * 20_000]
)
def test_a_first_line_that_is_longer_than_what_is_looked_at_is_known_by_its_joints(tmp_path, first):
    path = tmp_path / "aligned"
    rest = "" if "\t" in first else "\tEins."
    path.write_text(f"{first}{rest}\t0.5\nThree.\tDrei.\t0.3\n")
    found = bitext.read(str(path))
    assert found.meta["format"] == "hunalign-text"
    assert len(found.alignment) == 2


def test_paragraph_marks_are_noted():
    bt = read("hunalign-text", "A ~~~ B\tC\t0.5\n<p>\t<p>\t0\n")
    assert bt.pairs()[1] == (["<p>"], ["<p>"])
    assert kinds(bt)["paragraph marks of hunalign (<p>), taken as segments"] == 1


@pytest.mark.parametrize(
    ("name", "content", "segments", "noted"),
    [
        ("a.txt", "A ~~~ B\tC\t0.5\n", 2, False),
        ("a.hunalign", "A ~~~ B\tC\n", 2, False),
        ("a.txt", "A ~~~ B\tC\n", 2, True),
        ("a.tsv", "A ~~~ B\tC\t0.5\n", 2, True),
        ("a.tsv", "src\ttgt\nA ~~~ B\tC\n", 1, False),
    ],
)
def test_joints_in_what_may_be_a_table_are_noted(tmp_path, name, content, segments, noted):
    (tmp_path / name).write_text(content)
    bt = bitext.read(tmp_path / name)
    assert len(bt.src) == segments
    told = "lines with ~~~ in a side, taken as the border of two segments (as text: format='tsv')"
    assert ([note.kind for note in bt.notes] == [told]) is noted
    assert len(bitext.read(tmp_path / name, format="tsv").src) == 1


def test_a_table_with_the_joint_in_a_text_is_read_as_it_was_written(tmp_path):
    (tmp_path / "a.tsv").write_text("src\ttgt\nA\tB\nC ~~~ D\tE\n")
    bt = bitext.read(tmp_path / "a.tsv")
    bitext.write(bt, tmp_path / "b.tsv")
    again = bitext.read(tmp_path / "b.tsv")
    assert again.pairs() == bt.pairs() == [(["A"], ["B"]), (["C ~~~ D"], ["E"])]
