import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext import read as read_file
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Source
from bitext.formats.plain_text import load_text
from bitext.formats.registry import PART, ReadOptions, by_name, sniff
from bitext.model import word_links as words
from formats.samples import kinds, positions, read, read_all, written

NAME = "naacl"
VOID = "sentences without a line, taken as pairs without word links"
NULL = "words linked to no word (position 0), in the column null_links"
TWICE = "word links that occur twice in a sentence pair, taken once"


def column(bt):
    return list(bt.alignment.attributes[words.COLUMN])


def test_a_line_is_a_link():
    bt = read(NAME, "0001 3 4 S 0.9\n1 1 1\n\n0002 2 1 P\r\n  2\t5 6 0.5 \n")
    assert positions(bt) == [([0], [0]), ([1], [1])]
    assert column(bt) == ["2-3:0.9 0-0", "1-0p 4-5:0.5"]
    assert (bt.src, bt.tgt, bt.notes) == (None, None, ())
    assert column(read(NAME, "")) == []


def test_what_is_odd_is_noted_with_its_line():
    bt = read(NAME, "0002 1 0\n2 0 3 P\n0002 1 1\n0002 1 1 P\n0005 2 2\n")
    assert column(bt) == ["", "0-0", "", "", "1-1"]
    assert [str(note) for note in bt.notes] == [
        f"{VOID}: 3, first made line 1: sentence 1",
        f"{TWICE}: 1, first made line 1",
        f"{NULL}: 2, first made line 1",
    ]


def test_over_texts():
    src, tgt = Text(["a b", "", "c", "d"]), Text(["A", "", "B C", "D"])
    bt = read(NAME, "0001 2 1\n0003 1 2\n", src=src, tgt=tgt)
    assert column(bt) == ["1-0", "", "0-1", ""]
    assert (bt.src, bt.tgt, kinds(bt)) == (src, tgt, {VOID: 2})


def test_texts_of_the_shared_task(tmp_path):
    path = tmp_path / "test.e"
    path.write_text("<s snum=0004> the house </s>\n<s snum=0009>it </s>\n<s snum=0010></s>\n")
    options = {"src": load_text(path), "tgt": Text(["a", "b", "c"])}
    bt = read(NAME, "0004 2 1\n0009 1 1 P\n", **options)
    assert list(bt.src.segments()) == ["the house", "it", ""]
    assert column(bt) == ["1-0", "0-0p", ""]
    with pytest.raises(
        FormatError, match=r"line 1: .* sentence 5, but the text has none with snum"
    ):
        read(NAME, "0005 2 1\n", **options)
    other = Text(["<s snum=1> a </s>", "<s snum=2> b </s>", "<s snum=3> c </s>"])
    with pytest.raises(FormatError, match=r"number their sentences .* in different ways"):
        read(NAME, "0004 2 1\n", src=options["src"], tgt=other)
    down = Text(["<s snum=2> a </s>", "<s snum=1> b </s>"])
    with pytest.raises(FormatError, match=r"not numbered .* in ascending order"):
        read(NAME, "1 1 1\n", src=down)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 1 1\n1 1\n", "made line 2: is '1 1'; want the number of a sentence"),
        ("1 1 1\n1 1 1 X\n", "made line 2"),
        ("1 1 1\n1 1 -1\n", "made line 2"),
        ("1 1 1\n1 1 1 S 0.9 7\n", "made line 2"),
        ("1 1 1\n1 1 10000000000\n", "made line 2"),
        ("1 1 1\n1 1 1000000000\n", "made line 2: has word 1000000000; want none beyond"),
        ("2 1 1\n1 1 1\n", "made line 2: has links of sentence 1 after those of 2; .* sort"),
        ("1 1 1\n2 1 1\n1 1 2\n", "made line 3: has links of sentence 1 after those of 2"),
        ("0 1 1\n", "made line 1: has links of sentence 0 after none; want .* numbered from 1"),
        ("1 1 1\n20000 1 1\n", "made line 2: has links of sentence 20000 after 1; want"),
        ("1 1 1\n9 1 1\n", "made line 2: has word links of sentence pair 9, but the text has 3"),
        ("1 1 1\n2 2 2\n2 3 1\n", "made line 2: links word 2 .* source sentence 2, which has 2"),
    ],
)
def test_errors_name_the_line(content, message):
    texts = {} if "20000" in content else {"src": Text(["a", "b c", "d"])}
    with pytest.raises(FormatError, match=message):
        read(NAME, content, **texts)


def test_bad_lines_can_be_left_out():
    found = []
    with Source("made", io.BytesIO(b"1 1 1\n1 x\n2 9 9\n3 1 1\n")) as source:
        source.on_bad = found.append
        (bt,) = by_name(NAME).read(source, ReadOptions(src=Text(["a", "b", "c"])))
    assert [error.line for error in found] == [2, 3]
    assert (positions(bt), column(bt)) == ([([0], [0]), ([2], [2])], ["0-0", "0-0"])


position = st.integers(0, 30)
links = st.lists(
    st.builds(words.Link, position, position, st.booleans(), st.none() | st.floats(0, 1)),
    unique_by=lambda link: link[:2],
    max_size=5,
).map(words.spell)


@given(st.lists(links, max_size=6), st.booleans())
def test_round_trip(values, numbered):
    rows = [((k,), (k,)) for k in range(len(values))]
    alignment = Alignment(rows, attributes={"words": values})
    line = " ".join("a" * 31)
    lines = [f"<s snum={k + 1:04}> {line} </s>" if numbered else line for k in range(len(values))]
    back = read(NAME, written(NAME, Bitext(None, None, alignment)), src=Text(lines))
    assert column(back) == values


def test_lines_are_told():
    bt = read(NAME, "\n2 1 1\n2 1 2\n4 1 1\n", lines=True)
    assert bt.lines.tolist() == [2, 2, 4, 4]


def test_sentences_are_numbered_on():
    one = Bitext(
        None, None, Alignment([((0,), (0,)), ((1,), ())], attributes={"words": ["0-1", None]})
    )
    two = Bitext(None, None, Alignment([((0,), (0,))], attributes={"words": ["1-1p:0.5 0-0"]}))
    assert written(NAME, one, two) == b"0001 1 2 S\n0003 2 2 P 0.5\n0003 1 1 S\n"
    with pytest.raises(InputError, match="the bitext has no word links, which naacl is made of"):
        written(NAME, Bitext(None, None, Alignment([((0,), (0,))])))


def test_parts():
    size = PART + 5
    lines = [f"{k + 1} 1 {k % 3 + 1} S" for k in range(0, size, 2)]
    text = Text([f"a b c {k}" for k in range(size)])
    parts = read_all(NAME, "\n".join(lines), tgt=text, parts=True)
    assert len(parts) > 1
    assert [part.continues for part in parts] == [False] + [True] * (len(parts) - 1)
    assert [segment.text for part in parts for segment in part.tgt] == list(text.segments())
    found = [value for part in parts for value in column(part)]
    assert found == [f"0-{k % 3}" if k % 2 == 0 else "" for k in range(size)]


def test_it_is_told_by_its_first_bytes():
    for content in (b"0001 1 1\n0001 2 2\n", b"1 1 1 S\n2 1 1 P 0.5\n", b"1 1 1\n1 2 2\n"):
        assert sniff(content, "a.wa").name == NAME, content
    for content in (
        b"0 0 0\n1 1 1\n",
        b"0 0 0.3\n1 1 0.3\n",
        b"0 0\n1 2\n",
        b"0-0 1-1\n",
        b"0001 1 a\n",
    ):
        found = sniff(content, "made")
        assert found is None or found.name != NAME, content


@pytest.mark.parametrize("content", ["1 0 1 0\n1 1 0 0\n", "1 0 1 0\n1 1\n", "1 0 1 0 1\n"])
def test_bits_of_segmentations_are_no_links(write, content):
    path = write("a.txt", content)
    with pytest.raises(
        FormatError, match=r"bits of segmentations, compare them with bitext\.compare"
    ):
        read_file(path)
    if content == "1 0 1 0\n1 1 0 0\n":
        assert read_file(path, format="naacl").alignment.attributes["null_links"] == ["-0 0-"]
    assert sniff(b"1 1 1 0\n1 2 1 0\n", "made").name == NAME


@pytest.mark.parametrize("name", ["a.wa", "a.naacl", "a.wa.nonullalign"])
def test_a_ladder_that_is_named_as_links_is_a_question(write, name):
    path = write(name, "0 0 0\n1 1 1\n")
    with pytest.raises(FormatError, match=r"as word links, and begins as a ladder does: .*ladder"):
        read_file(path)
    assert len(read_file(path, format="hunalign-ladder").alignment) == 1
    with pytest.raises(FormatError, match="want sentences numbered from 1"):
        read_file(path, format="naacl")
    assert len(read_file(write(name, "0 0 0.3\n1 1 0.3\n")).alignment) == 1


def test_links_to_no_word_are_kept_and_come_back():
    content = "0001 1 1 S\n0001 2 0 S\n0001 0 2 P\n0003 0 1 S\n"
    bt = read(NAME, content)
    assert column(bt) == ["0-0", "", ""]
    assert list(bt.alignment.attributes["null_links"]) == ["1- -1p", None, "-0"]
    assert written(NAME, bt).decode() == content
    assert list(bt.swapped().alignment.attributes["null_links"]) == ["-1 1-p", None, "0-"]
    links = bt.alignment.word_links(null=True)
    assert (links.src.tolist(), links.tgt.tolist()) == ([-1, 0, 1, -1], [1, 0, -1, 0])
    assert links.sure.tolist() == [False, True, True, True]
    assert bt.alignment.word_links().spell() == ["0-0", "", ""]
    assert kinds(read(NAME, "1 0 0\n1 1 1\n")) == {
        "lines that link no word to no word, left out": 1
    }


def test_words_that_seem_to_count_from_0_have_to_be_said_to():
    content = "1 0 0\n1 1 2\n2 0 0\n"
    with pytest.raises(FormatError, match=r"line 3: links word 0 with word 0, as line 1 .*base=0"):
        read(NAME, content)
    assert column(read(NAME, content, base=0)) == ["0-0 1-2", "0-0"]
    assert column(read(NAME, content, base=1)) == ["0-1", ""]
