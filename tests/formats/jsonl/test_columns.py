"""JSON lines by identifiers: many objects at once, or one by one, come to the same."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats.jsonl.by_ids import are_plain, positions
from bitext.formats.jsonl.by_texts import Block
from formats.samples import kinds, read, read_all
from formats.samples import positions as rows_of
from reference.draw import some_of

NAME = "jsonl"
ODD = [7, True, "x", [1], ["w0"], [None], {}, "high"]


# Made once: hypothesis looks into each new strategy, which takes as long as drawing from it.
COUNTS = st.integers(0, 5)
IDS = some_of(["0", "1", "2", "s3", 1], most=2)
SWITCHES = some_of([False, True], least=5, most=5)
NO_IDS = st.sampled_from([[], None])
VALUES = st.sampled_from([0.5, 1, None, -0.0, "2.5", float("nan"), "v", [1]])
KEYS = some_of(["score", "x", "y"], most=3).map(dict.fromkeys)
DOCUMENTS = st.sampled_from(["a", "b", None])
FAULTS = st.integers(0, 9)
SPELLINGS = st.sampled_from(["{}"] * 8 + ["", "{{", " {}", "[1]"])


@st.composite
def lines(draw):
    """Draw objects that mostly go together, with a value here and there that may not."""
    found = []
    for _ in range(draw(COUNTS)):
        made = {}
        *switches, in_document = draw(SWITCHES)
        for side, cut, marked in (("src", *switches[:2]), ("tgt", *switches[2:])):
            ids = draw(IDS)
            made[side] = ids or draw(NO_IDS)
            made[f"{side}_text"] = " ".join(f"w{name}" for name in ids)
            if len(ids) > 1 or cut:
                made[f"{side}_segments"] = [f"w{name}" for name in ids]
            if marked:
                made[f"{side}_marked"] = [None for _ in ids]
        for key in draw(KEYS):
            made[key] = draw(VALUES)
        if in_document:
            made["document"] = draw(DOCUMENTS)
        if draw(FAULTS) == 0:
            made[draw(st.sampled_from(sorted(made)))] = draw(st.sampled_from(ODD))
        found.append(draw(SPELLINGS).format(json.dumps(made)))
    return "\n".join(found)


def _outcome(content, *, parts):
    bad = []
    try:
        found = read_all(NAME, content, bad=bad, parts=parts, part_size=2, lines=True)
    except ValueError as error:
        return str(error), list(map(str, bad))
    made = []
    for bt in found:
        texts = [
            text and (text.ids, list(text.segments()) if text.has_text else None, text.marked)
            for text in (bt.src, bt.tgt)
        ]
        scores = None if bt.alignment.scores is None else bt.alignment.scores.tobytes()
        columns = bt.alignment.attributes
        made.append((bt.name, texts, rows_of(bt), scores, columns, bt.lines.tolist(), kinds(bt)))
    return made, list(map(str, bad))


@settings(max_examples=200)
@given(lines(), st.sampled_from([0, 0, 198]), st.booleans())
@example('{"src": ["0"], "tgt": ["1"]}\n{"src": ["1"], "tgt": [], "src_text": "x"}', 0, False)
def test_at_once_and_one_by_one(content, before, parts):
    """Objects are parsed in blocks of 200 lines; one by one, where lines end with a blank."""
    if not parts:  # whose blocks are small
        filler = '{{"src": ["f{0}"], "tgt": ["f{0}"], "src_text": "a", "tgt_text": "b"}}\n'
        content = "".join(map(filler.format, range(before))) + content
    blanks = "\n".join(f"{line} " if line[:2] == '{"' else line for line in content.split("\n"))
    assert _outcome(blanks, parts=parts) == _outcome(content, parts=parts)


PLAIN = {"src": ["a"], "tgt": ["b", 1], "src_text": "x", "tgt_text": "y z", "score": 0.5, "n": 1}


@pytest.mark.parametrize(
    ("change", "plain"),
    [
        ({}, True),
        ({"src": None, "src_text": None, "score": None}, True),
        ({"tgt_segments": ["y", "z"], "tgt_marked": [None, "z"], "document": "d"}, True),
        ({"src": [], "tgt": None}, False),
        ({"src": "a"}, False),
        ({"src": [None]}, False),
        ({"src": [True]}, False),
        ({"tgt": ["1", 1]}, False),
        ({"src": []}, False),
        ({"src_text": 5}, False),
        ({"src_segments": ["x", "y"]}, False),
        ({"src_segments": "x"}, False),
        ({"src_marked": [5]}, False),
        ({"score": True}, False),
        ({"score": "0.5"}, False),
        ({"document": 5}, False),
    ],
)
def test_what_is_plain(change, plain):
    changed, lacking = [PLAIN, PLAIN | change, PLAIN], [PLAIN, {"src": ["a"]}]
    assert are_plain(Block(range(len(changed)), changed)) == plain
    assert not are_plain(Block(range(len(lacking)), lacking))


def test_nothing_on_a_side_of_the_first_object():
    content = '{"src": null, "tgt": ["t1"]}\n{"src": ["s1"], "tgt": null}\n'
    assert rows_of(read(NAME, content)) == [([], [0]), ([0], [])]
    assert rows_of(read(NAME, content.replace("}\n", ', "translation": 1}\n'))) == [
        ([], [0]),
        ([0], []),
    ]


def test_a_score_keeps_its_sign():
    content = '{"src": ["a"], "tgt": ["b"], "score": -0.0}\n'
    assert str(read(NAME, content).alignment.scores[0]) == "-0.0"


@given(st.lists(st.text("0123 -_+.٣e", max_size=3), max_size=3))
@example(["0", "999999999999"])
@example(["1000000000000"])
@example(["1" * 5000])
def test_positions(names):
    plain = all(
        name.isascii() and name.isdigit() and (name == "0" or name[0] != "0") and len(name) < 13
        for name in names
    )
    assert positions(names) == ([int(name) for name in names] if plain else None)


@pytest.mark.parametrize("parts", [True, False])
def test_a_file_of_bad_objects_only_is_an_empty_alignment(parts):
    content = '{"src": ["a"], "tgt": [], "score": "high"}\n{"src": ["a", "a"], "tgt": []}\n'
    bad = []
    (bt,) = read_all(NAME, content, bad=bad, parts=parts)
    assert (len(bt.alignment), len(bad)) == (0, 2)


def test_what_some_blocks_lack():
    made = [
        {"src": [str(k)], "tgt": [], "src_text": "a", "tgt_text": ""}
        | ({"x": "y"} if k > 299 else {})
        for k in range(500)
    ]
    content = "".join(f"{json.dumps(each)}\n" for each in made)
    assert read(NAME, content).alignment.attributes == {"x": [None] * 300 + ["y"] * 200}


def test_segments_and_marks_behind_a_cut():
    # The third bisegment lacks a position, so that the part ends behind the second.
    rows = [([0], "a"), ([1, 2], "b"), ([4, 5], "c"), ([3], "d")]
    content = ""
    for ids, text in rows:
        made = {"src": ids, "tgt": [], "tgt_text": ""}
        made["src_segments"] = [f"{text}{name}" for name in ids]
        made["src_marked"] = [f"<hi>{text}{name}</hi>" for name in ids]
        content += f"{json.dumps(made)}\n"
    parts = read_all(NAME, content, parts=True, part_size=3)
    assert [len(part.alignment) for part in parts] == [2, 2]
    assert [list(part.src.segments()) for part in parts] == [["a0", "b1", "b2"], ["d3", "c4", "c5"]]
    assert parts[1].src.marked == [f"<hi>{text}</hi>" for text in ("d3", "c4", "c5")]


@pytest.mark.parametrize("line", ['{"src": ["1"], "tgt": []} {}', '{"src": ["1"], "tgt": []}x'])
def test_a_line_that_goes_on_behind_its_object(line):
    with pytest.raises(FormatError, match=r"made line 2: is not JSON: Extra data"):
        read(NAME, '{"src": ["0"], "tgt": []}\n' + line)
