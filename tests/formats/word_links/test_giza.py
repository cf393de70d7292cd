import io
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext import Text
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Notes, Source
from bitext.formats.registry import PART, ReadOptions, by_name, sniff
from bitext.model import word_links as words
from formats.samples import inline, kinds, read, read_all, written

NAME = "giza"
HEAD = "# Sentence pair ({}) source length {} target length {} alignment score : {}\n"
PAIR = (
    HEAD.format(1, 2, 3, "1.5e-05") + "das Haus hier \nNULL ({ 3 }) the ({ 1 }) house ({ 1 2 }) \n"
)


def column(bt):
    return list(bt.alignment.attributes[words.COLUMN])


def test_three_lines_are_a_pair():
    bt = read(NAME, "\ufeff" + PAIR + HEAD.format(2, 1, 0, 1) + "\nNULL ({ }) yes ({ })\n")
    assert bt.pairs() == [(["the house"], ["das Haus hier"]), (["yes"], [])]
    assert column(bt) == ["0-0 1-0 1-1", ""]
    assert bt.alignment.scores.tolist() == [1.5e-05, 1]
    assert bt.notes == ()


def test_words_that_look_like_marks():
    line = "NULL ({ }) ({ ({ 1 }) }) ({ 2 3 }) NULL ({ }) 7 ({ 4 })"
    bt = read(NAME, HEAD.format(1, 4, 4, 0.5) + "({ }) NULL 7\n" + line)
    assert bt.pairs() == [(["({ }) NULL 7"], ["({ }) NULL 7"])]
    assert column(bt) == ["0-0 1-1 1-2 3-3"]


def test_what_is_odd_is_noted_with_its_line():
    content = HEAD.format(3, 1, 1, 1) + "A\nNULL ({ }) a ({ 1 1 })\n\n"
    content += HEAD.format(4, 0, 0, 1) + "\nNULL ({ })\n"
    bt = read(NAME, content)
    assert (bt.pairs(), column(bt)) == ([(["a"], ["A"])], ["0-0"])
    assert [str(note) for note in bt.notes] == [
        "sentence pairs whose numbers do not go up by one: 1, first made line 1: 3, not 1",
        "word links that occur twice in a sentence pair, taken once: 1, first made line 3",
        "empty lines between pairs, left out: 1, first made line 4",
        "lines with two empty sides, left out: 1, first made line 5",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "".join(HEAD.format(k, 1, 1, 1) + "A\nNULL ({ }) a ({ 1 })\n" for k in (1, 3, 2)),
            "made line 7: has sentence pair 2 after 3, as parts of MGIZA have .* sort the pairs",
        ),
        (PAIR + "das Haus\n", "made line 4: is 'das Haus'; want three lines a pair"),
        (PAIR + HEAD.format(2, 1, 1, "?"), "made line 4: is '# Sentence pair"),
        (PAIR + HEAD.format(2, 1, 1, 1) + "a\n", "made line 4: ends within a sentence pair"),
        (HEAD.format(1, 1, 1, 1) + "A\na ({ 1 })\n", r"made line 3: is 'a .* want NULL \("),
        (HEAD.format(1, 1, 1, 1) + "A\nNULL a ({ 1 })\n", "made line 3: is 'NULL a"),
        (HEAD.format(1, 1, 1, 1) + "A\nNULL ({ }) a ({ 1 }\n", "made line 3: is 'NULL"),
        (HEAD.format(1, 1, 1, 1) + "A\n\n", "made line 3: is ''; want NULL"),
        (HEAD.format(1, 1, 1, 1) + "A\nNULL ({ }) a ({ x })\n", "made line 3: is 'NULL"),
        (HEAD.format(1, 1, 1, 1) + "A\nNULL ({ }) a ({ 2 })\n", "line 3: links target word 2, but"),
        (HEAD.format(1, 1, 1, 1) + "A\nNULL ({ 0 }) a ({ })\n", "line 3: links target word 0, but"),
        (HEAD.format(1, 2, 1, 1) + "A\nNULL ({ }) a ({ })\n", "line 1: promises 2 source and 1"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content)


def test_a_long_word_is_refused_at_once():
    with pytest.raises(FormatError, match="made line 3: is 'NULL"):
        read(NAME, HEAD.format(1, 1, 1, 1) + "A\nNULL ({ }) " + "a" * 1_000_000 + "\n")


def test_bad_pairs_can_be_left_out():
    found = []
    content = HEAD.format(1, 1, 1, 1) + "A\nNULL ({ }) a ({ 2 })\n" + PAIR.replace("(1)", "(2)")
    with Source("made", io.BytesIO(content.encode())) as source:
        source.on_bad = found.append
        (bt,) = by_name(NAME).read(source, ReadOptions())
    assert [error.line for error in found] == [3]
    assert bt.pairs() == [(["the house"], ["das Haus hier"])]


word = st.text("ab({})1\x0b\x85\u00a0\u2028\u3000😀", min_size=1, max_size=3) | st.just("NULL")
sentence = st.lists(word, max_size=4)


@st.composite
def linked(draw):
    src, tgt = draw(st.tuples(sentence, sentence).filter(any))
    pairs = [words.Link(s, t) for s in range(len(src)) for t in range(len(tgt))]
    return src, tgt, [link for link in pairs if draw(st.booleans())]


@given(st.lists(st.tuples(linked(), st.floats(0, 1)), min_size=1, max_size=4))
def test_round_trip(pairs):
    sides = [([" ".join(s)] * bool(s), [" ".join(t)] * bool(t)) for (s, t, _), _ in pairs]
    values = [words.spell(links) for (_, _, links), _ in pairs]
    scores = [score for _, score in pairs]
    given_ = inline(sides, scores=scores, attributes={"words": values})
    back = read(NAME, written(NAME, given_))
    assert (back.pairs(), column(back), back.notes) == (sides, values, ())
    assert back.alignment.scores.tolist() == scores


def test_what_is_written():
    given_ = inline(
        [(["the", "house"], ["das\tHaus  hier"]), (["x"], [])],
        scores=[0.25, float("nan")],
        attributes={"words": ["0-0 1-0 1-1p", None]},
    )
    content = written(NAME, given_, given_).decode()
    first = HEAD.format(1, 2, 3, 0.25) + "das Haus hier\nNULL ({ 3 }) the ({ 1 }) house ({ 1 2 })\n"
    second = HEAD.format(2, 1, 0, "nan") + "\nNULL ({ }) x ({ })\n"
    assert content.startswith(first + second + HEAD.format(3, 2, 3, 0.25))
    back = read(NAME, content)
    assert column(back) == ["0-0 1-0 1-1", ""] * 2
    assert isnan(back.alignment.scores[1])


def test_lines_are_told():
    assert read(NAME, PAIR + PAIR.replace("(1)", "(2)"), lines=True).lines.tolist() == [1, 4]


def test_what_cannot_be_written():
    with pytest.raises(InputError, match="the bitext has no word links, which giza is made of"):
        written(NAME, inline([(["a"], ["b"])]))
    far = inline([(["a"], ["b"])], attributes={"words": ["0-1"]})
    with pytest.raises(InputError, match=r"bisegment 0 links words 0 and 1 \(from 0\), but its"):
        written(NAME, far)
    bare = bitext.Bitext(None, Text(["a"]), far.alignment.select([0]))
    with pytest.raises(InputError):
        written(NAME, bare)


def test_marks_of_links_are_a_loss(tmp_path):
    made = inline([(["a"], ["b"])] * 3, attributes={"words": ["0-0", "0p0", "0-0:0.5"]})
    bitext.write(made, tmp_path / "a.a3", losses=(losses := Notes()))
    assert [(note.count, note.first) for note in losses] == [(2, "the bitext: bisegment 1 (1-1)")]


def test_parts():
    size = PART + 3
    pairs = [PAIR.replace("(1)", f"({k + 1})").replace("hier", f"hier{k}") for k in range(size)]
    parts = read_all(NAME, "".join(pairs), parts=True)
    assert [len(part.alignment) for part in parts] == [PART, 3]
    assert parts[1].pairs()[0][1] == [f"das Haus hier{PART}"]
    again = written(NAME, *parts).decode()
    assert again.count("\n# Sentence pair (") == size - 1
    assert kinds(read(NAME, again)) == {}


def test_it_is_told_by_its_first_bytes():
    assert sniff(PAIR.encode(), "made").name == NAME
    assert sniff(b"# Sentence\n", "made") is None
