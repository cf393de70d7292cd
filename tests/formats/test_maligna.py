import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
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
    written,
)
from reference.shared_data import data

NAME = "maligna"


def _file(*alignments):
    return f"<alignmentlist>{''.join(alignments)}</alignmentlist>"


def _alignment(src, tgt, score=""):
    lists = (
        f"<{name}>{''.join(f'<segment>{s}</segment>' for s in side)}</{name}>"
        for name, side in (("sourcelist", src), ("targetlist", tgt))
    )
    return f"<alignment{score}>{''.join(lists)}</alignment>"


def test_alignments_scores_and_white_space():
    bt = read(
        NAME,
        _file(
            _alignment(["One. ", "Two."], ["Yksi."], ' score="0.5"'),
            _alignment([], ["Ka\nksi"], ' score=" -INF "'),
            _alignment(["a &lt;b&gt;<![CDATA[<c>]]><!-- no --> d"], []),
        ),
    )
    assert bt.pairs() == [(["One. ", "Two."], ["Yksi."]), ([], ["Ka\nksi"]), (["a <b><c> d"], [])]
    assert bt.alignment.scores.tolist()[:2] == [0.5, float("-inf")]
    assert bt.notes == ()


def test_lists_in_any_order_and_any_namespace():
    content = """<m:alignmentlist xmlns:m="urn:x"><m:alignment>
        <m:targetlist><m:segment>b</m:segment></m:targetlist>
        <m:sourcelist><m:segment>a</m:segment><m:segment/></m:sourcelist>
    </m:alignment></m:alignmentlist>"""
    assert read(NAME, content).pairs() == [(["a", ""], ["b"])]


def test_what_is_odd_is_noted():
    content = _file(
        _alignment(["a"], ["b"]),
        "\n",
        _alignment([], []),
        "<alignment><sourcelist><segment>c <i>d</i> e</segment></sourcelist><x/></alignment>",
    )
    bt = read(NAME, content)
    assert bt.pairs() == [(["a"], ["b"]), (["c d e"], [])]
    assert kinds(bt) == {
        "alignments without any segment, left out": 1,
        "elements that mALIGNa does not have, left out": 1,
        "alignments without a targetlist, taken as empty": 1,
        "elements within a segment, of which the text is kept": 1,
    }
    assert bt.notes[0].first == "made line 2"


@pytest.mark.parametrize(
    ("sides", "noted"),
    [
        ([(["a", "b"], ["c", "d"])], True),
        ([(["a", "b"], []), ([], ["c", "d"])], True),
        ([(["a", "b"], ["c"])], False),
        ([(["a", "b"], ["c", "d"]), (["e"], ["f"])], False),
        ([(["a"], ["b"])], False),
        ([], False),
    ],
)
def test_texts_that_are_not_aligned_yet(sides, noted):
    bt = read(NAME, _file(*(_alignment(*pair) for pair in sides)))
    assert any("not aligned yet" in kind for kind in kinds(bt)) == noted


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<alignments/>", "made: has no root element alignmentlist; give a .al file"),
        (_alignment(["a"], ["b"]), "made: has no root element alignmentlist"),
        (_file("\n", _alignment(["a"], ["b"], ' score="x"')), "made line 2: has the score 'x'"),
        (
            _file("<alignment><sourcelist/><sourcelist/></alignment>"),
            "made line 1: has a second sourcelist in one alignment; want one",
        ),
        (_file("<alignment>"), "made line 1: is not well-formed XML"),
        (_file("&nbsp;"), "made line 1"),
        (
            '<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/hostname">]>' + _file("&x;"),
            "external entity",
        ),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(FormatError, match=message):
        read(NAME, content)


FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@given(beads)
@example([(["One. ", "Two."], ["a\r\nb\rc\td ]]> & <x> \"'"]), ([""], []), ([], ["", "😀"])])
@example([(["\ufeff\x85\u2028"], ["\ufffe"])])
def test_round_trip(pairs):
    if FORBIDDEN.search("".join(s for pair in pairs for side in pair for s in side)):
        with pytest.raises(InputError, match=r"bisegment \d+, (source|target)list: the segment"):
            written(NAME, inline(pairs))
        return
    content = written(NAME, inline(pairs))
    assert read(NAME, content).pairs() == pairs
    assert ET.fromstring(content.decode()).tag == "alignmentlist"


def test_forbidden_characters_name_the_segment():
    message = r"bisegment 1, targetlist: the segment 'd\\x0be' has the character U\+000B, which XML"
    with pytest.raises(InputError, match=message):
        written(NAME, inline([(["a"], ["b"]), (["c"], ["d\x0be"])]))


def test_scores_round_trip():
    scores = [0.1, float("inf"), float("-inf"), float("nan")]
    content = written(NAME, inline([(["a"], ["b"])] * 4, scores=scores))
    assert re.findall(rb'score="(.*?)"', content) == [b"0.1", b"INF", b"-INF"]
    back = read(NAME, content).alignment.scores.tolist()
    assert back[:3] == scores[:3]
    assert back[3] != back[3]


def _by_hand(path):
    found = []
    for alignment in ET.fromstring(path.read_bytes()):
        sides = (alignment.find(name) for name in ("sourcelist", "targetlist"))
        found.append(tuple([segment.text or "" for segment in side] for side in sides))
    return found


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("gpl", ""),
        ("moore--gpl", ""),
        ("poznan-oracle", ""),
        ("poznan", "not aligned yet"),
        ("simpletext", "without any segment"),
        ("split--gpl", "not aligned yet"),
        ("stallman-ch1", "not aligned yet"),
    ],
)
def test_real_files(name, note):
    path = data("formats", "al", f"{name}.al")
    bt = bitext.read(path)
    assert bt.pairs() == [pair for pair in _by_hand(path) if any(pair)]
    assert len(bt.notes) == bool(note)
    assert all(note in kind for kind in kinds(bt))


def test_the_gold_standard_made_of_one():
    # The gold has English on the left, the file Polish.
    bt = bitext.read(data("formats", "al", "gpl.al"))
    gold = bitext.read(data("gold", "maligna", "gpl.align"))
    assert gold.alignment in (bt.alignment, bt.alignment.swapped())


@given(beads, st.integers(3, 5))
def test_parts_are_the_whole(pairs, size):
    pairs = [tuple([FORBIDDEN.sub("", s) for s in side] for side in pair) for pair in pairs]
    content = written(NAME, inline(pairs, scores=range(len(pairs))))
    parts = read_all(NAME, content, parts=True, part_size=size)
    assert_parts(parts, size)
    whole = read(NAME, content)
    assert_same(joined(parts), whole)
    assert len(parts) == max(1, -(-len(pairs) // size))
    assert noted(parts) == kinds(whole)


@pytest.mark.parametrize("parts", [True, False])
def test_bad_alignments_are_left_out_when_they_are_collected(parts):
    content = _file(
        _alignment(["a"], ["b"]) + "\n",
        _alignment(["c"], ["d"], ' score="high"') + "\n",
        "<alignment><sourcelist/><sourcelist/></alignment>\n",
        _alignment(["e"], []),
    )
    bt, bad = read_on(NAME, content, parts=parts)
    assert bt.pairs() == [(["a"], ["b"]), (["e"], [])]
    assert bad == [2, 3]


def test_what_is_in_no_bisegment_may_hold_anything():
    bt = Bitext(Text(["a\0", "<b>"]), Text(["c\0\0"]), Alignment([((1,), ())]))
    assert read(NAME, written(NAME, bt)).pairs() == [(["<b>"], [])]


def test_attributes_that_maligna_does_not_have_are_noted():
    lists = '<sourcelist p="1"><segment q="2">a</segment></sourcelist><targetlist/>'
    for score, count in (('score="1" ', 3), ("", 3)):
        content = f'<alignmentlist><alignment {score}r="3">{lists}</alignment></alignmentlist>'
        found = kinds(read(NAME, content))
        assert found["attributes of alignments, lists and segments, left out"] == count
