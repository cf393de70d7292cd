import io
import re

import pytest

from bitext.errors import FormatError
from bitext.formats.cat_tools import FORMAT, sweep
from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import ReadOptions
from formats.samples import kinds
from reference.shared_data import data
from reference.xliff_samples import text_of, tree


def ttx(body, languages='SourceLanguage="EN-US" TargetLanguage="FR-FR"'):
    return (
        f'<TRADOStag Version="2.0"><FrontMatter><UserSettings {languages} '
        f'SourceDocumentPath="a.html"/></FrontMatter><Body><Raw>{body}</Raw></Body></TRADOStag>'
    )


def unit(*sides):
    tuvs = "".join(f'<Tuv Lang="{lang}">{text}</Tuv>' for lang, text in sides)
    return f'<Tu Origin="manual" MatchPercent="9">{tuvs}</Tu>'


def read(content, **options):
    with Source("made", io.BytesIO(content.encode("utf-16"))) as source:
        assert FORMAT.sniff(source.head()) == 95
        (bitext,) = FORMAT.read(source, ReadOptions(**options))
    return bitext


def test_units_codes_and_what_is_outside():
    source = (
        'a <df Bold="on"><ut Type="start" DisplayText="b">&lt;b></ut>c</df>'
        '<ut Type="end" DisplayText="b">&lt;/b></ut><ut Type="end">]</ut><ut>[</ut>'
    )
    units = unit(("FR-FR", "b"), ("EN-US", source)), unit(("EN-US", "d"))
    bt = read(ttx(f'x<ut>y</ut><df Bold="on">z{units[0]}</df>w{units[1]}'))
    assert bt.pairs() == [(["a c"], ["b"]), (["d"], [])]
    assert bt.src.marked[0] == (
        'a <bpt i="1">&lt;df Bold="on"&gt;</bpt><bpt i="2">&lt;b&gt;</bpt>c'
        '<ept i="1">&lt;/df&gt;</ept><ept i="2">&lt;/b&gt;</ept><it pos="end">]</it><ph>[</ph>'
    )
    assert (bt.name, bt.src.lang, bt.tgt.lang) == ("a.html", "EN-US", "FR-FR")
    assert bt.alignment.attributes == {"Origin": ["manual"] * 2, "MatchPercent": ["9"] * 2}
    assert kinds(bt) == {
        "texts outside of units, not segmented, left out": 3,
        "segments with inline codes, which are not text": 1,
        "units without a target, read as 1-0": 1,
    }


def test_languages():
    sides = ("DE-DE", "a"), ("IT-IT", "b"), ("ES-ES", "c")
    bt = read(ttx(unit(*sides)))
    assert bt.pairs() == [(["a"], ["b"])]
    assert len(bt.notes) == 3
    bt = read(ttx(unit(("EN-US", "a"), ("IT-IT", "b")), 'SourceLanguage="EN-US"'))
    assert (bt.notes, bt.tgt.lang) == ((), "IT-IT")
    with pytest.raises(FormatError, match="has no document in en-de, but in EN-US-FR-FR"):
        read(ttx(unit(*sides)), src_lang="en", tgt_lang="de")


def test_another_root():
    with (
        pytest.raises(FormatError, match="has no root element TRADOStag; give a TTX file"),
        Source("made", io.BytesIO(b"<a/>")) as source,
    ):
        list(FORMAT.read(source, ReadOptions()))


def test_real_files():
    paths = sorted(data("formats", "ttx").glob("*.ttx"))
    assert len(paths) == 3
    for path in paths:
        with open_source(path) as source:
            (bt,) = FORMAT.read(source, ReadOptions())
        expected = [
            tuple([text_of(side, {"ut"})] for side in each.iter("Tuv"))
            for each in tree(path).iter("Tu")
        ]
        assert bt.pairs() == expected
        if not expected:
            assert "texts outside of units, not segmented, left out" in kinds(bt)
        native = [re.sub(r"<[^>]*>", "", m) for m in bt.src.marked or () if m]
        assert all("&lt;" in code or "&amp;" in code for code in native)


def test_what_was_read_is_taken_out_of_the_tree():
    from lxml import etree

    raw = etree.fromstring("<Raw><ut/>a<df><ut/><Tu/>b<ut/><Tu/>c</df></Raw>")
    with Source("made", io.BytesIO(b"")) as source:
        sweep(source, raw[1][3])
        assert etree.tostring(raw) == b"<Raw><df><Tu/>c</df></Raw>"
        assert [note.count for note in source.notes.all()] == [2]
