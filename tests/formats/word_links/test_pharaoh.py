import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Segmentation, Text
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Source
from bitext.formats.registry import PART, ReadOptions, by_name, sniff
from bitext.formats.word_links import files as pharaoh
from bitext.model import word_links as words
from formats.samples import kinds, positions, read, read_all, ugly, written

NAME = "pharaoh"
EMPTY = "empty lines, taken as sentence pairs without word links"
NO_ZERO = "files without a position 0, read as counted from 0 (base=1 if they count from 1)"
FROM_1 = (
    "files read as counted from 1, since none is 0 and some would lie beyond the last word (base=0 "
    "if they count from 0)"
)
TWICE = "word links that occur twice in a sentence pair, taken once"


def column(bt):
    return list(bt.alignment.attributes[words.COLUMN])


def test_a_line_is_a_pair():
    bt = read(NAME, "0-0 1-1\n0-2 1?0 2p1\n\n3-3:0.5 1-2p\n")
    assert positions(bt) == [([k], [k]) for k in range(4)]
    assert column(bt) == ["0-0 1-1", "0-2 1-0p 2-1p", "", "3-3:0.5 1-2p"]
    assert (bt.src, bt.tgt) == (None, None)
    assert kinds(bt) == {EMPTY: 1}


def test_spellings():
    assert column(read(NAME, "\ufeff 0-0\t1-1 \r\n00-01\n0-10  2-3")) == [
        "0-0 1-1",
        "0-1",
        "0-10 2-3",
    ]
    assert column(read(NAME, "")) == []


def test_over_texts():
    src, tgt = Text(["a b", "c", ""], ids=["s1", "s2", "s3"]), Text(["A", "B C", ""])
    bt = read(NAME, "1-0\n0-1\n\n", src=src, tgt=tgt)
    assert (bt.src, bt.tgt, kinds(bt)) == (src, tgt, {EMPTY: 1})
    # Those of a gold standard serve where none are named.
    assert read(NAME, "1-0\n0-1\n\n", over_src=src).src is src


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0-0\n0-1 2-1\n", "made line 2: links word 2 .* of source sentence 2, which has 2 words"),
        ("0-0\n0-9\n", "made line 2: links word 9 .* of target sentence 2, which has 3 words"),
        ("1-1\n0-3\n", "made line 1: links word 1 .* exchange the sides .* counts from 1"),
        ("0-0\n", "made line 1: has 1 sentence pairs, but the text has 2 segments"),
        ("0-0\n0-0\n0-0\n", "made line 3: has word links of sentence pair 3, but the text has 2"),
        ("0-0\n0-0 x\n", "made line 2: 'x' is no word link; want two positions"),
        ("0-0\n1-1000000000\n", "made line 2: '1-1000000000' is no word link"),
        ("0-0\n1 1\n", "made line 2: '1' is no word link"),
        ("0-0\n1-\n", "made line 2: '1-' is no word link"),
        ("0-0\n0-1-1\n", "made line 2: '0-1-1' is no word link"),
        ("0-0\n-1-1\n", "made line 2: '-1-1' is no word link"),
        ("0-0\n1--1\n", "made line 2: '1--1' is no word link"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content, src=Text(["a", "b c"]), tgt=Text(["A", "B C D"]))


def test_texts_of_other_lengths():
    with pytest.raises(FormatError, match=r"which has 1 segments, and with .* which has 2; want"):
        read(NAME, "0-0\n", src=Text(["a"]), tgt=Text(["A", "B"]))


def test_bad_lines_can_be_left_out_and_the_rest_keep_their_places():
    found = []
    with Source("made", io.BytesIO(b"0-0\nhm\n0-5\n0-1\n")) as source:
        source.on_bad = found.append
        options = ReadOptions(tgt=Text(["A", "B", "C", "D E"]))
        (bt,) = by_name(NAME).read(source, options)
    assert [(error.line, str(error)[:21]) for error in found] == [
        (2, "made line 2: 'hm' is "),
        (3, "made line 3: links wo"),
    ]
    assert positions(bt) == [([0], [0]), ([3], [3])]
    assert column(bt) == ["0-0", "0-1"]


def test_repeats_are_noted():
    bt = read(NAME, "0-0 1p1 1-1\n0-0 0-0 0-0\n")
    assert (column(bt), kinds(bt)) == (["0-0 1-1", "0-0"], {TWICE: 3})


def test_counting_from_1_is_asked_about():
    assert kinds(read(NAME, "1-1 2-2\n1-2\n")) == {NO_ZERO: 1}
    assert kinds(read(NAME, "1-1:0.5 2-2\n1-2\n")) == {NO_ZERO: 1}
    assert kinds(read(NAME, "1-1 2-2\n1-0\n")) == {}
    assert kinds(read(NAME, "1-1 2-2\n1p0\n")) == {}
    assert kinds(read(NAME, "\n")) == {EMPTY: 1}
    texts = {"src": Text(["a b c d", "a b"]), "tgt": Text(["a b c d", "a b c"])}
    assert kinds(read(NAME, "1-1 2-2\n1-2\n", **texts)) == {NO_ZERO: 1}
    assert kinds(read(NAME, "1-1 2-2\n1-2\n", **texts, base=0)) == {}


def test_a_file_that_links_the_last_word_from_1_counts_from_1():
    texts = {"src": Text(["a b", "a b"]), "tgt": Text(["a b c", "a b c d"])}
    bt = read(NAME, "1-1 1p2\n2-4\n", **texts)
    assert (column(bt), kinds(bt)) == (["0-0 0-1p", "1-3"], {FROM_1: 1})
    assert column(read(NAME, "1-1 1p2\n\n2-4:0.5\n", base=1)) == ["0-0 0-1p", "", "1-3:0.5"]
    bt = read(NAME, "1-1 0-2\n2-0\n", base=1)
    assert bt.alignment.attributes["null_links"] == ["-1", "1-"]
    assert (column(bt), kinds(bt)) == (
        ["0-0", ""],
        {"words linked to no word (position 0), in the column null_links": 2},
    )


def test_where_positions_count_from_is_told_late_in_the_file():
    size = PART + 20
    lines = ["1-1"] * size
    text = Text(["a b c"] * size)
    lines[-3] = "3-1"
    assert column(read(NAME, "\n".join(lines), src=text))[-3:] == ["2-0", "0-0", "0-0"]
    lines[-1] = "0-1"
    with pytest.raises(FormatError, match=r"links word 0, and line \d+ links beyond .* \(base=0\)"):
        read(NAME, "\n".join(lines), src=text)


def test_a_score_stands_behind_a_tab_or_bars():
    bt = read(NAME, "0-0 1-1\t-3.2\n\t-1\n0p1 ||| -0.5\n1-0\n")
    assert column(bt) == ["0-0 1-1", "", "0-1p", "1-0"]
    assert [str(score) for score in bt.alignment.scores] == ["-3.2", "-1.0", "-0.5", "nan"]
    assert sniff(b"0-0 1-1\t-3.2\n\t-1\n", "a.txt").name == NAME
    assert read(NAME, "0-0\n").alignment.scores is None


@pytest.mark.parametrize("origin", [0, 1])
def test_pairs_may_have_numbers_before_a_tab(origin):
    lines = ["0-0 1p1", "", "2-1:0.5\t-3"]
    content = "".join(f"{k}\t{line}\n" for k, line in enumerate(lines, origin))
    assert sniff(content.encode(), "align.inter").name == NAME
    bt = read(NAME, content)
    assert column(bt) == ["0-0 1-1p", "", "2-1:0.5"]
    assert bt.alignment.scores.tolist()[2:] == [-3]
    src = Text(["a b", "a", "a b c"])
    assert column(read(NAME, content.replace("0-0", "2-2"), src=src))[0] == "1-1 0-0p"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0\t0-0\n2\t0-0\n", "line 2: begins with '2', where the number of pair 2 is wanted"),
        ("0\t0-0\n0-0\n", "line 2: begins with '0-0', where the number of pair 2"),
        ("7\t0-0\n8\t0-0\n", "line 1: begins with '7', where the number of pair 1"),
    ],
)
def test_numbers_of_pairs_count_the_lines(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content)


item = st.tuples(st.integers(0, 12) | st.integers(0, 10**10), st.integers(0, 12)).map(
    lambda pair: f"{pair[0]}-{pair[1]}"
)
item |= st.sampled_from(["0p1", "1-1p", "1?0", "2-2:0.5", "x", "-", "1-", "00-1", "0-01", "٣-1"])
line = st.tuples(
    st.lists(item, max_size=4), st.sampled_from([" "] * 9 + ["  ", "\t"]), st.sampled_from("  \n\r")
).map(lambda parts: parts[1].join(parts[0]) + parts[2].strip(" "))


def _outcome(content, **options):
    try:
        bt = read(NAME, content, **options)
    except FormatError as error:
        return str(error)
    return positions(bt), column(bt), set(bt.notes)


@given(st.lists(line, max_size=6).map("\n".join), st.booleans())
@example("0-0\n0-1 0-1", False)
@example("00-0\n0-01", False)
@example("1048577-0 0-1", False)
@example("5-0", True)
def test_both_ways_of_reading_agree(content, over):
    options = {"src": Text(["a b c d e"] * (content.count("\n") + 1))} if over else {}
    whole = _outcome(content, **options)
    evenly = pharaoh.plain_links
    pharaoh.plain_links = lambda _: None
    try:
        assert _outcome(content, **options) == whole
    finally:
        pharaoh.plain_links = evenly


position = st.integers(0, 30)
links = st.lists(
    st.builds(words.Link, position, position, st.booleans(), st.none() | st.floats(0, 1)),
    unique_by=lambda link: link[:2],
    max_size=5,
).map(words.spell)


@given(st.lists(links, min_size=1, max_size=6))
def test_round_trip(values):
    rows = [((k,), (k,)) for k in range(len(values))]
    given_ = Bitext(None, None, Alignment(rows, attributes={"words": values}))
    back = read(NAME, written(NAME, given_))
    assert column(back) == values


def test_other_bisegments_are_lines_too():
    rows = [((0, 1), (0,)), ((), (1,)), ((2,), (2,))]
    given_ = Bitext(None, None, Alignment(rows, attributes={"words": ["0-0 3-1p", None, ""]}))
    assert written(NAME, given_, given_) == b"0-0 3p1\n\n\n0-0 3p1\n\n\n"


@pytest.mark.parametrize("content", ["0-0\n\n1-1\n", "0-0\n\n1p1\n"])
def test_lines_are_told(content):
    assert read(NAME, content, lines=True).lines.tolist() == [1, 2, 3]
    assert read(NAME, content).lines is None


def test_nothing_to_write():
    bare = Bitext(None, None, Alignment([((0,), (0,))]), name="it")
    with pytest.raises(InputError, match="it has no word links, which pharaoh is made of; align"):
        written(NAME, bare)
    assert written(NAME, Bitext(None, None, Alignment([]))) == b""
    wrong = Bitext(None, None, Alignment([((0,), (0,))], attributes={"words": ["0-0 x"]}))
    with pytest.raises(InputError, match="bisegment 0, column words: 'x' is no word link"):
        written(NAME, wrong)


def test_parts():
    size = 2 * PART + 10
    lines = [f"{k % 7}-{k % 5}" for k in range(size)]
    src = Text([f"a b c d e f {k}" for k in range(size)], ids=[f"s{k}" for k in range(size)])
    parts = read_all(NAME, "\n".join(lines) + "\n", src=src, parts=True)
    assert [len(part.alignment) for part in parts] == [PART, PART, 10]
    assert [part.continues for part in parts] == [False, True, True]
    assert [x for part in parts for x in column(part)] == lines
    assert [segment.text for part in parts for segment in part.src] == list(src.segments())
    assert [name for part in parts for name in part.src.ids] == list(src.ids)
    assert all(positions(part)[-1] == ([len(part.src) - 1],) * 2 for part in parts)
    assert written(NAME, *parts).decode() == "\n".join(lines) + "\n"


def test_parts_keep_paragraphs():
    src = Text(["a", "b", "c"], paragraphs=Segmentation([2, 1]))
    (part,) = read_all(NAME, "0-0\n0-0\n0-0\n", src=src, parts=True)
    assert part.src.paragraphs.masses.tolist() == [2, 1]


def test_it_is_told_by_its_first_bytes():
    for content in (b"0-0 1-1\n\n0p1 1?0\n", b"0-0", b"1-1:0.5\r\n2-2\r\n", b"0-0 1-1 " * 9999):
        assert sniff(content[: 1 << 16], "made").name == NAME, content[:20]
    for content in (b"0 1\n1 2\n", b"0-0 a\n", b"well-known\n", b"0-0\t1-1 x\n", b"[0]:[1]\n"):
        found = sniff(content, "made")
        assert found is None or found.name != NAME, content


def test_the_awkward_file():
    path, verdict, units = ugly("pharaoh.txt")
    bt = bitext.read(path)
    sure = [[link for link in words.parse(value) if not link.possible] for value in column(bt)]
    assert [[f"{link.src}-{link.tgt}" for link in pair] for pair in sure] == units
    assert column(bt)[2] == "0-1 1-0p 2-3p"
    assert (bool(bt.notes), kinds(bt)) == (verdict == "warn", {EMPTY: 1})


@pytest.mark.parametrize("base", [0, 1])
def test_possible_links_and_another_base_are_read_at_once_as_line_by_line(base):
    lines = "3-1 1p2 2-2p\n\n1-1 2-1\n"
    at_once = read(NAME, lines, base=base)
    by_line = read(NAME, f"{lines}1-1:0.5\n", base=base)  # a confidence is read by itself
    assert column(at_once) == column(by_line)[:3]
    moved = ["2-0 0-1p 1-1p", "", "0-0 1-0"] if base else ["3-1 1-2p 2-2p", "", "1-1 2-1"]
    assert column(at_once) == moved
    assert at_once.alignment.word_links() == by_line.alignment.word_links().take([0, 1, 2])
    assert kinds(at_once) == kinds(by_line)


def test_two_links_with_a_tab_between_are_noted_as_they_may_be_ranges():
    told = "lines of two links with a tab between"
    for content, is_noted in (("0-1\t0-0\n2-2\t1-2\n", True), ("0-1 0-0\n2-2\t1-2\n", False)):
        notes = read("pharaoh", content).notes
        assert any(note.kind.startswith(told) for note in notes) == is_noted
