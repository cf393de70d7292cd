import io

import pytest

from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import ReadOptions
from bitext.formats.xliff import xliff2, xliff12
from bitext.formats.xliff.xliff12 import SDLXLIFF
from formats.samples import kinds
from reference.shared_data import data
from reference.xliff_samples import text_of, tree

CODES = {"x", "bx", "ex", "bpt", "ept", "it", "ph"}
FILE = b"""<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"
xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"><file original="a" source-language="en"
target-language="fr" datatype="plaintext"><body>
<trans-unit id="u0" translate="no"><source><x id="0"/></source></trans-unit>
<trans-unit id="u1"><source>a b</source>
<seg-source><g id="1"><mrk mtype="seg" mid="7">a</mrk> <mrk mtype="seg" mid="8">b</mrk></g>
</seg-source>
<target><g id="1"><mrk mtype="seg" mid="7">A</mrk> <mrk mtype="seg" mid="8"/></g></target>
<sdl:seg-defs><sdl:seg id="8" conf="Draft"/><sdl:seg id="7" conf="Translated" origin="tm"
percent="99"><sdl:value key="created_by">me</sdl:value></sdl:seg></sdl:seg-defs></trans-unit>
</body></file></xliff>"""


def test_what_is_told_of_segments_are_columns():
    with Source("made", io.BytesIO(FILE)) as source:
        (bt,) = SDLXLIFF.read(source, ReadOptions(lines=True))
    assert bt.pairs() == [(["a"], ["A"]), (["b"], [])]
    assert bt.alignment.attributes == {
        "id": ["u1", "u1"],
        "mid": ["7", "8"],
        "sdl:conf": ["Translated", "Draft"],
        "sdl:origin": ["tm", None],
        "sdl:percent": ["99", None],
        "sdl:created_by": ["me", None],
        "state": ["translated", "needs-translation"],
    }
    assert kinds(bt) == {"units of codes only that are not to be translated, left out": 1}
    assert bt.lines.tolist() == [5, 5]


def test_histories_comments_and_split_segments():
    changed = FILE.replace(b'mid="8"', b'mid="7_x0020_b"').replace(b'id="8"', b'id="7 b"')
    history = b'<sdl:prev-origin origin="mt"/><sdl:value'
    comments = b"<sdl:doc-info><sdl:cmt-defs/></sdl:doc-info><file"
    changed = changed.replace(b"<sdl:value", history).replace(b"<file", comments, 1)
    with Source("made", io.BytesIO(changed)) as source:
        (bt,) = SDLXLIFF.read(source, ReadOptions())
    assert bt.alignment.attributes["sdl:conf"] == ["Translated", "Draft"]
    assert kinds(bt) == {
        "headers, notes and modules of documents and groups, left out": 1,
        "modules and extensions in units, left out": 1,
        "units of codes only that are not to be translated, left out": 1,
    }


def test_segments_that_nobody_began_are_not_translated():
    new = FILE.replace(b' conf="Draft"', b' origin="not-translated"')
    with Source("made", io.BytesIO(new)) as source:
        (bt,) = SDLXLIFF.read(source, ReadOptions())
    assert bt.pairs() == [(["a"], ["A"]), (["b"], [])]
    assert bt.alignment.attributes["state"] == ["translated", "new"]
    filled = new.replace(b'mid="8"/></g></target>', b'mid="8">B</mrk></g></target>')
    with Source("made", io.BytesIO(filled)) as source:
        (bt,) = SDLXLIFF.read(source, ReadOptions())
    assert bt.pairs()[1] == (["b"], ["B"])


DEFINED = b"""<header><tag-defs xmlns="http://sdl.com/FileTypes/SdlXliff/1.0"><tag id="4">
<ph name="br">&lt;br&gt;</ph></tag><tag id="5"><ph name="img">&lt;img/&gt;</ph></tag></tag-defs>
</header><body>"""


@pytest.mark.parametrize("units", [1, 1_500])  # many: read in regular pieces
def test_codes_that_the_header_defines_as_line_breaks_have_their_type(units):
    plain = b'<trans-unit id="p%d"><source>One two.</source><target>Un deux.</target></trans-unit>'
    many = b"\n".join(plain % k for k in range(units))
    broken = FILE.replace(b">a b<", b">ab<").replace(b'"7">a<', b'"7">a<x id="4"/>c<x id="5"/>d<')
    with_breaks = broken.replace(b"<body>", DEFINED + many)
    other = FILE.partition(b"<file")[2].replace(b'"7">A<', b'"7">A<x id="4"/>B<')
    content = with_breaks.replace(b"</xliff>", b"<file" + other)
    with Source("made", io.BytesIO(content)) as source:
        first, second = SDLXLIFF.read(source, ReadOptions())
    assert len(first.alignment) == units + 2
    assert first.src.marked[units] == 'a<ph x="4" type="lb"/>c<ph x="5"/>d'
    assert second.tgt.marked[0] == 'A<ph x="4"/>B'  # its own document defines no code


def test_it_is_told_from_other_xliff():
    plain = FILE.replace(b"http://sdl.com/FileTypes/SdlXliff/", b"urn:x:")
    second = plain.replace(b'version="1.2"', b'version="2.1"')
    sure = [
        [each.FORMAT.sniff(head) for each in (xliff12, xliff2)] + [SDLXLIFF.sniff(head)]
        for head in (FILE, plain, second, b"<tmx/>", FILE.decode().encode("utf-16"))
    ]
    assert sure == [[95, 0, 97], [95, 0, 0], [0, 95, 0], [0, 0, 0], [95, 0, 97]]


def _by_hand(path):
    for unit in tree(path).iter("trans-unit"):
        sides = [
            {
                mark.get("mid"): text_of(mark, CODES)
                for mark in unit.iterfind(f"{name}//mrk")
                if mark.get("mtype") == "seg"
            }
            for name in ("seg-source", "target")
        ]
        for mid, text in sides[0].items():
            yield [text], [sides[1][mid]] if mid in sides[1] else []


def test_real_files():
    paths = sorted(data("formats", "sdlxliff").glob("*.sdlxliff"))
    assert len(paths) == 10
    count = 0
    for path in paths:
        with open_source(path) as source:
            assert SDLXLIFF.sniff(source.head()) == 97
            (bt,) = SDLXLIFF.read(source, ReadOptions(drafts=True))
        assert bt.pairs() == list(_by_hand(path)), path.name
        count += len(bt.alignment)
    assert count > 100
