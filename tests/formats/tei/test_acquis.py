"""JRC-Acquis: alignments with their texts in the links."""

import pytest

import bitext
from bitext.errors import FormatError
from bitext.formats.reading import opened
from bitext.formats.registry import by_name, sniff
from formats.samples import kinds, read, read_all

NAME = "jrc-acquis"
BODY = """<?xml version="1.0" encoding="UTF-8"?>
<TEI.2 id="jrc-en-fr" select="en fr"><teiHeader/><text><body>
<div type="body" n="31958D1127" select="en fr"><p>31958D1127</p>
<linkGrp targType="head p" n="31958D1127" select="en fr" type="n-n">
<link type="1-1" xtargets="1;1"><s1>The <hi>ferry</hi>
left.</s1><s2>Le bac partit.</s2></link>
<link type="1-2" xtargets="2;2 3"><s1>It rained, and cold it was.</s1>
<s2>Il pleuvait.</s2><s2>Il faisait froid.</s2></link>
<link type="0-1" xtargets=";4"><s1></s1><s2>Fin.</s2></link>
<link type="0-0"/></linkGrp></div>
<div type="body" n="31960D0912"><linkGrp n="31960D0912" select="en fr">
<link type="1-1"><s1>Two.</s1><s2>Deux.</s2></link></linkGrp></div></body></text></TEI.2>
"""


def test_groups_are_document_pairs_with_their_texts():
    one, other = read_all(NAME, BODY)
    assert one.pairs() == [
        (["The ferry left."], ["Le bac partit."]),
        (["It rained, and cold it was."], ["Il pleuvait.", "Il faisait froid."]),
        ([], ["Fin."]),
    ]
    assert (one.name, other.name) == ("31958D1127", "31960D0912")
    assert (one.src.lang, one.tgt.lang) == ("en", "fr")
    assert one.alignment.attributes == {"xtargets": ["1;1", "2;2 3", ";4"]}
    assert "links without text, left out" in kinds(one)
    assert other.pairs() == [(["Two."], ["Deux."])]


def test_they_are_told_from_tei_and_from_links_alone(tmp_path):
    assert sniff(BODY.encode(), "a.xml").name == NAME
    bare = BODY.replace("s1>", "x>").replace("s2>", "x>")
    assert sniff(bare.encode(), "a.xml").name == "tei"
    path = tmp_path / "jrc-en-fr.xml"
    path.write_text(BODY, encoding="utf-8")
    assert [len(each.alignment) for each in bitext.read_all(path)] == [3, 1]


def test_damage_costs_its_link(tmp_path):
    path, bad = tmp_path / "a.xml", []
    path.write_text(BODY.replace("<s1>The", "<s1>The & "), encoding="utf-8")
    with opened(str(path), on_bad=bad.append) as reading:
        assert [len(each.alignment) for each in reading] == [2, 1]
    assert [error.line for error in bad] == [5]
    with pytest.raises(FormatError, match="made line 2: is a link outside of a linkGrp"):
        read(NAME, "<TEI.2>\n<link><s1>a</s1><s2>b</s2></link></TEI.2>")


def test_it_is_read_in_parts():
    assert by_name(NAME).streams
    parts = read_all(NAME, BODY, parts=True, part_size=1)
    assert [len(part.alignment) for part in parts] == [1, 1, 1, 1]
