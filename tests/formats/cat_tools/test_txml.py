import io

import pytest

from bitext.errors import FormatError
from bitext.formats.cat_tools import TXML
from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import ReadOptions
from formats.samples import kinds
from reference.shared_data import data
from reference.xliff_samples import text_of, tree


def txml(*segments):
    return (
        '<txml locale="EN" targetlocale="FR" version="1.0"><skeleton>s</skeleton>\n'
        f'<translatable blockId="7">{"".join(segments)}</translatable></txml>'
    )


def read(content, on_bad=None, **options):
    with Source("made", io.BytesIO(content.encode())) as source:
        source.on_bad = on_bad
        (bitext,) = TXML.read(source, ReadOptions(**options))
    return bitext


def test_segments_codes_and_columns():
    bt = read(
        txml(
            '<segment segmentId="1"><ws> <ut x="1">no</ut></ws><source>a <ut type="font" x="2">'
            '&lt;b <sub subId="1"/>></ut>c</source><target score="0">b</target>'
            "<comments><comment>hm</comment></comments></segment>",
            '<segment segmentId="2"><source>d</source><x/></segment>',
        )
    )
    assert bt.pairs() == [(["a c"], ["b"]), (["d"], [])]
    assert bt.src.marked[0] == 'a <ph x="2" type="font">&lt;b &gt;</ph>c'
    assert (bt.src.lang, bt.tgt.lang) == ("EN", "FR")
    assert bt.alignment.attributes == {
        "segmentId": ["1", "2"],
        "blockId": ["7", "7"],
        "note": ["hm", None],
        "tgt.score": ["0", None],
    }
    assert kinds(bt) == {
        "codes with flows of their own, which are segments (sub)": 1,
        "segments with inline codes, which are not text": 1,
        "elements besides the texts of a segment, left out": 1,
        "segments without a target, read as 1-0": 1,
    }


def test_errors_name_the_line():
    with pytest.raises(FormatError, match="made: has no root element txml; give a TXML file"):
        read("<a/>")
    with pytest.raises(FormatError, match="made line 2: has a segment without a source; want one"):
        read(txml("<segment/>"))
    with pytest.raises(FormatError, match="made: has no document in EN-DE, but in EN-FR; ask"):
        read(txml(), src_lang="EN", tgt_lang="DE")
    errors = []
    assert read(txml("<segment/>"), on_bad=errors.append).pairs() == []
    assert len(errors) == 1


def test_real_files():
    paths = sorted(data("formats", "txml").glob("*.txml"))
    assert len(paths) == 3
    for path in paths:
        with open_source(path) as source:
            assert TXML.sniff(source.head()) == 95
            (bt,) = TXML.read(source, ReadOptions())
        expected = [
            tuple(
                [] if side is None else [text_of(side, {"ut"})]
                for side in (each.find("source"), each.find("target"))
            )
            for each in tree(path).iter("segment")
        ]
        assert bt.pairs() == expected


def test_attributes_of_a_source_are_columns_and_those_of_blocks_are_noted():
    content = txml('<segment><source q="1">a</source><target r="2">b</target></segment>')
    bitext = read(content.replace("<translatable", '<translatable z="3"'))
    columns = bitext.alignment.attributes
    assert (columns["src.q"], columns["tgt.r"]) == (["1"], ["2"])
    assert kinds(bitext)["attributes of blocks of segments, left out"] == 1
