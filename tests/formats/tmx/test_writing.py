"""Writing TMX: valid by its DTD, and read back as it was, as far as the loss table says."""

import math
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

import bitext as package
from bitext import Alignment, Bitext, Text
from bitext.errors import InputError
from bitext.formats.io.source import Notes
from bitext.formats.xml import has_forbidden
from bitext.formats.xml.inline_codes import plain
from formats.samples import beads, inline, kinds, read, read_all, text_written
from reference.draw import SWITCH, few_beads, up_to
from reference.shared_data import data, shared_data

SIGNS = "ab é\u0301𝄞😀\u202eא\u200f\u2028\x85 <>&\"'|~;#[]{}$\\/%\t\n\r"
MARKED = [
    'a<ph x="1">&lt;</ph>b',
    "<hi>x y</hi>",
    '<bpt i="1">q</bpt> z <ept i="1"/>',
    "<ph>a<sub>s</sub></ph>",
]
NAMES = [
    *("tuid", "segtype", "certainty", "words", "srclang", "notes", "ude", "xml:lang", "a b<"),
    *("prop:a", "prop:a#2", "prop:a#1", "prop:a#3", "prop:a@lang", "prop:b@lang#1", "prop:"),
    *("note", "note#2", "note@xml:lang", "src.creationdate", "tgt.note", "src.prop:z"),
    *("lang:de", "lang:de#2", "lang:en-AU", "lang:", "src.lang:de", "src.xml:lang"),
    *("prop:x-score", "prop:x-bitext-name", "prop:x-src-ids", "prop:x-column-b", "x-column-x"),
]
VALUES = ["v", "", "0.5", ' <&"\n\t\r', "sentence", "en", "fr"]
LANGS = [("en", "fr"), ("", ""), ("en", "en-GB"), ("en-GB", "en"), ("fr", "")]
EXAMPLES = settings(suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def dtd():
    return etree.DTD(str(data("formats", "tmx", "tmx14.dtd")))


@pytest.fixture(scope="module")
def valid():
    """Return what tells that a file is valid; without the DTD, that it is well-formed."""
    path = shared_data("formats", "tmx", "tmx14.dtd")
    known = etree.DTD(str(path)) if path.exists() else None

    def check(content):
        root = etree.fromstring(content.encode())
        return known is None or known.validate(root)

    return check


written = partial(text_written, "tmx")


# Made once: hypothesis looks into each new strategy, which takes as long as drawing from it.
CONTENTS = st.text(st.sampled_from(SIGNS), max_size=6)
MARKED_CONTENTS = st.sampled_from(MARKED)
IDS = [
    st.none()
    | st.lists(
        st.text(st.sampled_from("s1 %\n;a"), max_size=3), min_size=n, max_size=n, unique=True
    )
    for n in range(6)
]
BOTH_LANGS = st.sampled_from(LANGS)
COLUMNS = st.lists(st.sampled_from(NAMES), max_size=5, unique=True)
VALUE = st.none() | st.sampled_from(VALUES)
SCORE = st.sampled_from([math.nan, 0.5, -1e-9, math.inf])


@st.composite
def texts(draw, lang, *, ids):
    segments, marked = [], []
    for _ in range(draw(up_to(5))):
        xml = draw(MARKED_CONTENTS) if draw(up_to(5)) == 0 else None
        marked.append(xml)
        drawn = draw(CONTENTS)
        segments.append(drawn if xml is None else plain(xml))
    known = draw(IDS[len(segments)]) if ids and segments else None
    return Text(segments, marked=marked, lang=lang, ids=known)


@st.composite
def bitexts(draw, *, wild):
    """Draw bitexts of single segments in order or, `wild`, with any bisegments, and ids."""
    src, tgt = (draw(texts(lang, ids=wild)) for lang in draw(BOTH_LANGS))
    rows = []
    if wild:
        drawn = draw(few_beads(len(src), len(tgt), most=5))
        rows = [tuple(map(sorted, row)) for row in drawn]
    else:
        for k in range(max(len(src), len(tgt))):
            rows.append(([k] if k < len(src) else [], [k] if k < len(tgt) else []))
    columns = {}
    for name in draw(COLUMNS):
        values = [draw(VALUE) for _ in rows]
        if any(given is not None for given in values):
            columns[name] = values
    scores = None
    if rows and draw(SWITCH):
        scores = [draw(SCORE) for _ in rows]
    return Bitext(src, tgt, Alignment(rows, scores=scores, attributes=columns))


def shown(bt):
    """Return what is kept without props."""
    a = bt.alignment
    scores = [math.nan] * len(a) if a.scores is None else a.scores.tolist()
    columns = {name: list(values) for name, values in a.attributes.items()}
    return bt.pairs(), list(map(repr, scores)), columns, (bt.src.lang, bt.tgt.lang), marks(bt)


def marks(bt):
    return [
        [(text.marked or [None] * len(text))[k] for bead in bt.alignment for k in bead[side]]
        for side, text in enumerate((bt.src, bt.tgt))
    ]


def numbered(bt):
    """Return the marks of segments as they come back that were joined in one segment of a file.

    There a number is that of one pair of codes, so the later ones of a side got the next numbers;
    a segment of several bisegments is as in the last.
    """
    found = []
    for side, text in enumerate((bt.src, bt.tgt)):
        known = {}
        for bead in bt.alignment:
            number = 0
            for k in bead[side]:
                xml = text.marked[k] if text.marked else None
                number += xml is not None and 'i="1"' in xml
                known[k] = xml and xml.replace('i="1"', f'i="{number}"')
        found.append([known[k] for bead in bt.alignment for k in bead[side]])
    return found


def placed(bt):
    """Return what is kept with props beside that."""
    ids = [list(text.ids) if text.has_ids else None for text in (bt.src, bt.tgt)]
    return list(bt.alignment), ids, [list(text.segments()) for text in (bt.src, bt.tgt)]


@EXAMPLES
@given(bitexts(wild=False))
def test_what_is_kept_comes_back_and_is_valid(valid, bt):
    content = written(bt)
    assert valid(content)
    assert shown(read("tmx", content)) == shown(bt)


@EXAMPLES
@given(bitexts(wild=True))
def test_with_props_the_places_of_segments_come_back_and_it_is_valid(valid, bt):
    content = written(bt, beads=True)
    assert valid(content)
    got = read("tmx", content)
    assert (shown(got), placed(got)) == ((*shown(bt)[:-1], numbered(bt)), placed(bt))


def test_pairs_of_codes_of_segments_that_are_joined_get_numbers_of_their_own():
    bold = '<bpt i="1">q</bpt> z <ept i="1"/>'
    tgt = Text([" z ", "a", " z "], marked=[bold, None, bold])
    bt = Bitext(Text(["b"]), tgt, Alignment([((0,), (0, 1, 2))]))
    found = marks(read("tmx", written(bt, beads=True)))[1]
    assert found == [bold, None, bold.replace('i="1"', 'i="2"')]


@EXAMPLES
@given(bitexts(wild=True))
def test_without_props_sides_are_joined_and_it_is_valid(valid, bt):
    content = written(bt)
    assert valid(content)
    joined = [tuple(" ".join(side) if side else None for side in pair) for pair in bt.pairs()]
    got = [
        tuple(side[0] if side else None for side in pair) for pair in read("tmx", content).pairs()
    ]
    assert got == joined


@EXAMPLES
@given(bitexts(wild=True))
def test_what_was_read_is_written_again_the_same(bt):
    once = written(read("tmx", written(bt)))
    assert written(read("tmx", once)) == once


def test_what_it_looks_like():
    alignment = Alignment(
        [((0,), (0,)), ((1,), ())], scores=[0.5, math.nan], attributes={"tuid": ["1", None]}
    )
    bt = Bitext(Text(["R&D", "b"], lang="en"), Text(["x"], lang="fr"), alignment)
    body = written(bt).partition("<body>\n")[2]
    assert body == (
        '<tu tuid="1">\n<prop type="x-score">0.5</prop>\n'
        '<tuv xml:lang="en"><seg>R&amp;D</seg></tuv>\n<tuv xml:lang="fr"><seg>x</seg></tuv>\n'
        "</tu>\n"
        '<tu>\n<tuv xml:lang="en"><seg>b</seg></tuv>\n</tu>\n</body>\n</tmx>\n'
    )


def test_parts_go_on_and_document_pairs_do_not():
    from dataclasses import replace

    first = Bitext(
        Text(["a", "b"], ids=["1", "2"]), Text(["c"]), Alignment([((1,), (0,))]), name="x"
    )
    second = replace(first, continues=True)
    third = Bitext(Text(["d"], ids=["1"]), Text(["e"]), Alignment([((0,), (0,))]), name="y")
    got = read_all("tmx", written(replace(first), third, beads=True))
    assert [bt.name for bt in got] == ["x", "y"]
    assert [placed(bt) for bt in got] == [placed(first), placed(third)]
    parts = Bitext(Text(["a", "b"]), Text(["c"]), Alignment([((1,), (0,))]))
    whole = read("tmx", written(parts, replace(parts, continues=True), beads=True))
    assert positions(whole) == [((1,), (0,)), ((3,), (1,))]
    assert len(read_all("tmx", written(first, second, third))) == 1


def positions(bt):
    return [tuple(bead) for bead in bt.alignment]


def test_places_survive_parts():
    rows = [((k,), (k + (1 if k % 2 == 0 else -1),)) for k in range(4_500)]
    bt = Bitext(Text(map(str, range(4_500))), Text(map(str, range(4_500))), Alignment(rows))
    parts = read_all("tmx", written(bt, beads=True), parts=True)
    assert len(parts) > 1
    assert [pair for part in parts for pair in part.pairs()] == bt.pairs()


@pytest.mark.parametrize("deleted", [1, 2])
def test_beads_are_those_written_where_first_units_were_deleted(deleted):
    bt = inline([(["a", "b"], ["c"]), (["d"], ["e"]), (["f"], ["g", "h"]), (["i"], ["k"])])
    content = written(bt, beads=True)
    begin, *units = content.split("<tu>")
    back = read("tmx", "<tu>".join([begin, *units[deleted:]]))
    assert back.pairs() == bt.pairs()[deleted:]
    kind = "files whose first unit has no x-bitext-name (was one deleted?), read with beads"
    assert kinds(back) == {kind: 1}
    assert kinds(read("tmx", content)) == {}
    other = "<tu>".join([begin.replace("UTF-8", "UTF-16"), *units[deleted:]]).encode("utf-16")
    assert read("tmx", other).pairs() == bt.pairs()[deleted:]


def test_props_that_do_not_fit_are_kept_and_told():
    unit = (
        '<tu><prop type="x-bitext-name">n</prop><prop type="x-src-lengths">1 9</prop>'
        '<prop type="x-src-ids">a b c</prop><prop type="x-src-positions">0 99999999999</prop>'
        '<tuv xml:lang="en"><seg>a b</seg></tuv><tuv xml:lang="fr"><seg>c</seg></tuv></tu>'
    )
    bt = read("tmx", f'<tmx><header srclang="en"/><body>{unit}</body></tmx>')
    assert bt.pairs() == [(["a b"], ["c"])]
    assert set(bt.alignment.attributes) == {
        f"prop:x-src-{what}" for what in ("lengths", "ids", "positions")
    }
    assert len(kinds(bt)) == 3


def test_a_place_far_away_takes_no_memory():
    unit = (
        '<tu><prop type="x-bitext-name">n</prop><prop type="x-src-positions">9999999999</prop>'
        '<tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr"><seg>c</seg></tuv></tu>'
    )
    bt = read("tmx", f'<tmx><header srclang="en"/><body>{unit}</body></tmx>')
    assert positions(bt) == [((0,), (0,))]


def test_forbidden_characters_are_refused_by_name():
    with pytest.raises(InputError, match=r"bisegment 1 has the character U\+0001.*as jsonl"):
        written(inline([(["a"], ["b"]), (["\x01"], ["b"])]))
    with pytest.raises(InputError, match=r"bisegment 0 has the character U\+0000"):
        written(inline([(["a\0"], ["b"])], attributes={"tuid": ["1"]}))


def test_marks_that_are_none_are_refused():
    bt = Bitext(Text(["a"], marked=["<b>a</b>"]), Text(["b"]), Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match="which is no mark of it"):
        written(bt)


def test_carriage_returns_survive_in_marks():
    bt = Bitext(Text(["a\rb"], marked=["a\r<ph/>b"]), Text(["c"]), Alignment([((0,), (0,))]))
    got = read("tmx", written(bt))
    assert (got.src[0].text, got.src.marked) == ("a\rb", ["a&#13;<ph/>b"])


def test_one_language_on_both_sides_is_refused():
    bt = Bitext(Text(["a"], lang="en"), Text(["b"], lang="EN"), Alignment([((0,), (0,))]))
    with pytest.raises(
        InputError, match=r"both texts of the bitext are in the language 'en'.*tgt_lang="
    ):
        written(bt)
    assert read("tmx", written(bt, tgt_lang="en-x-new")).tgt.lang == "en-x-new"


def test_the_header_is_kept_but_for_who_wrote_it(dtd):
    header = (
        '<header creationtool="x" creationtoolversion="1" srclang="en" segtype="block" o-tmf="t" '
        'adminlang="de" datatype="html" o-encoding="latin1" creationdate="20200101T000000Z">'
        '<prop type="p" xml:lang="en">1</prop><note>n</note>'
        '<ude name="u"><map unicode="#xF8FF" code="#xF0"/></ude></header>'
    )
    unit = '<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu>'
    first = read("tmx", f'<tmx version="1.4">{header}<body>{unit}</body></tmx>')
    content = written(first)
    assert dtd.validate(etree.fromstring(content.encode())), dtd.error_log
    again = read("tmx", content)
    assert {**again.meta, "creationtool": "x", "creationtoolversion": "1"} == first.meta


def test_an_empty_file_is_valid(dtd):
    assert dtd.validate(etree.fromstring(written().encode()))


def test_variants_of_a_language_stay_what_they_are():
    unit = (
        '<tu><tuv xml:lang="en-GB"><seg>a</seg></tuv><tuv xml:lang="en-US"><seg>b</seg></tuv>'
        '<tuv xml:lang="fr"><seg>c</seg></tuv></tu>'
    )
    content = f'<tmx><header srclang="en"/><body>{unit}</body></tmx>'
    bt = read("tmx", content, src_lang="en", tgt_lang="fr")
    again = written(bt)
    assert '<tuv xml:lang="en-GB"><seg>a<' in again
    assert '<tuv xml:lang="en-US"><seg>b<' in again
    assert read("tmx", again).pairs() == bt.pairs()


@given(beads, st.data())
def test_units_by_the_column_are_those_one_by_one(pairs, data):
    values = st.none() | st.sampled_from(["a", '<b> & "c"', "sentence", "0.5"])
    names = ["tuid", "note", "prop:x", "segtype", "id", "prop:x-score", "src.note"]
    chosen = data.draw(st.sets(st.sampled_from(names)))
    columns = {
        name: data.draw(st.lists(values, min_size=len(pairs), max_size=len(pairs)))
        for name in sorted(chosen)
    }
    found = inline(pairs, attributes=columns)
    if has_forbidden("".join(text for pair in pairs for side in pair for text in side)):
        return
    # Units with a column of one side are written one by one; without values it adds nothing.
    columns["src.prop:y"] = [None] * len(pairs)
    assert written(inline(pairs, attributes=columns)) == written(found)


def test_notes_and_props_of_the_header_are_lost_in_other_formats(tmp_path):
    content = (
        '<tmx version="1.4"><header srclang="en"><note xml:lang="en">{}</note><prop type="client">'
        'Acme</prop></header><body><tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr">'
        "<seg>b</seg></tuv></tu></body></tmx>"
    )
    first, second = (read("tmx", content.format(note)) for note in ("One.", "Two."))

    def lost(bitexts, name):
        losses = Notes()
        package.write(bitexts, tmp_path / name, losses=losses)
        return {n.kind: n.count for n in losses}.get("notes and props of the header", 0)

    assert (lost(first, "a.tmx"), lost(first, "a.jsonl"), lost([first] * 2, "a.tsv")) == (0, 2, 2)
    assert (lost([first] * 2, "b.tmx"), lost([first, second], "c.tmx")) == (0, 1)
