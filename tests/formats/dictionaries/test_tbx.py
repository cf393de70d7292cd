"""Term bases in TBX, as bisegments and as dictionaries."""

import pytest
from translate.storage import tbx

import bitext
from bitext.errors import FormatError
from bitext.formats.dictionaries import read_dictionary
from bitext.formats.reading import opened
from bitext.formats.registry import by_name
from formats.samples import kinds, noted, read, read_all

BASIC = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif SYSTEM "TBXBasiccoreStructV02.dtd">
<martif type="TBX-Basic" xml:lang="en"><martifHeader><fileDesc><sourceDesc><p>Ferry</p>
</sourceDesc></fileDesc></martifHeader><text><body>
<termEntry id="c1">
  <descrip type="subjectField">shipping</descrip>
  <descripGrp><descrip type="definition">a boat for cars</descrip>
    <admin type="source">handbook</admin></descripGrp>
  <transacGrp><transac>origination</transac><date>2026-01-02</date></transacGrp>
  <langSet xml:lang="de">
    <tig><term>Fährschiff</term></tig>
    <tig><term>Fähre</term><termNote type="partOfSpeech">noun</termNote>
      <termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig>
    <tig><term>Autofähre alt</term>
      <termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig>
  </langSet>
  <langSet xml:lang="en"><ntig><termGrp><term>ferry <hi>boat</hi></term>
    <termNote type="partOfSpeech">noun</termNote></termGrp></ntig></langSet>
</termEntry>
<termEntry id="c2"><langSet xml:lang="en"><tig><term>pier</term></tig></langSet></termEntry>
<termEntry id="c3"><langSet xml:lang="en"><tig><term>quay</term></tig></langSet>
  <langSet xml:lang="de"><tig><term>Kai</term></tig></langSet></termEntry>
</body><back/></text></martif>
"""
DCT = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Min" style="dct" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
  xmlns:min="http://www.tbxinfo.net/ns/min"><tbxHeader/><text><body>
<conceptEntry id="k"><min:subjectField>ships</min:subjectField>
  <langSec xml:lang="en-GB"><termSec><term>lorry deck</term></termSec></langSec>
  <langSec xml:lang="en-US"><termSec><term>truck deck</term></termSec></langSec>
  <langSec xml:lang="fr"><termSec><term>pont</term>
    <min:administrativeStatus>supersededTerm-admn-sts</min:administrativeStatus></termSec>
    <termSec><term>pont garage</term><min:partOfSpeech>noun</min:partOfSpeech></termSec></langSec>
  <langSec xml:lang="it"><termSec><term>ponte</term></termSec></langSec>
</conceptEntry></body></text></tbx>
"""


def test_a_concept_is_a_bisegment_with_its_preferred_terms():
    bt = read("tbx", BASIC, lines=True)
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")  # the working language is the source
    assert bt.pairs() == [(["ferry boat"], ["Fähre"]), (["pier"], []), (["quay"], ["Kai"])]
    assert {name: values[0] for name, values in bt.alignment.attributes.items()} == {
        "id": "c1",
        "subjectField": "shipping",
        "definition": "a boat for cars",
        "source": "handbook",
        "src.partOfSpeech": "noun",
        "tgt.partOfSpeech": "noun",
        "tgt.administrativeStatus": "preferredTerm-admn-sts",
        "tgt.synonym": "Fährschiff",
        "tgt.synonym#2": "Autofähre alt",
    }
    assert bt.alignment.attributes["id"] == ["c1", "c2", "c3"]
    assert bt.lines.tolist() == [5, 20, 21]
    assert kinds(bt) == {
        "histories and references of terms, left out": 1,
        "concepts with several terms in a language, the others as synonyms": 1,
        "data categories of synonyms, left out": 1,
        "concepts with terms in one of the two languages only": 1,
    }


def test_categories_as_elements_and_further_languages():
    bt = read("tbx", DCT, src_lang="fr", tgt_lang="en")
    assert (bt.pairs(), bt.tgt.lang) == ([(["pont garage"], ["lorry deck"])], "en")
    attributes = {name: values[0] for name, values in bt.alignment.attributes.items()}
    assert attributes == {
        "id": "k",
        "subjectField": "ships",
        "src.synonym": "pont",
        "src.partOfSpeech": "noun",
        "lang:en-US": "truck deck",
        "lang:it": "ponte",
    }
    assert kinds(bt)["concepts with several variants of a language, the first one taken"] == 1
    bt = read("tbx", DCT, src_lang="en-US", tgt_lang="it")
    assert bt.pairs() == [(["truck deck"], ["ponte"])]


def test_two_languages_have_to_be_chosen_of_several():
    with pytest.raises(FormatError, match="has the languages 'en-GB', 'en-US', 'fr', 'it'; want"):
        read("tbx", DCT)
    with pytest.raises(FormatError, match="asked for are 'fr' and 'sv'"):
        read("tbx", DCT, src_lang="fr", tgt_lang="sv")
    with pytest.raises(FormatError, match="asked for are 'fr'"):
        read("tbx", DCT, src_lang="fr")


def test_concepts_in_parts_are_those_of_the_whole():
    entry = BASIC[BASIC.index("<termEntry id") : BASIC.index('<termEntry id="c2')]
    content = BASIC.replace(entry, entry * 30)
    whole = read("tbx", content)
    for langs in ({}, {"src_lang": "en", "tgt_lang": "de"}):
        parts = read_all("tbx", content, parts=True, part_size=7, **langs)
        assert [pair for part in parts for pair in part.pairs()] == whole.pairs()
        assert noted(parts) == kinds(whole)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<a/>", "has no element martif or tbx"),
        (BASIC[:900], "is not well-formed|ends|Premature"),
        (BASIC.replace(' xml:lang="de"', ""), "line 10: has terms without a language"),
        (BASIC.replace('xml:lang="de"', 'xml:lang="en"'), "has the languages 'en'"),
    ],
)
def test_faulty_term_bases_are_refused(content, told):
    with pytest.raises(FormatError, match=told):
        read("tbx", content)


def test_bad_concepts_are_left_out_where_that_is_wanted(tmp_path):
    bad = []
    path = tmp_path / "terms.tbx"
    path.write_text(BASIC.replace("pier</term>", "pier"), encoding="utf-8")
    with opened(path, on_bad=bad.append) as reading:
        (bt,) = reading
    assert [src for src, _ in bt.pairs()][-1] == ["quay"]
    assert len(bad) == 1


def test_a_term_base_without_concepts_is_empty():
    assert not len(read("tbx", "<martif><text><body/></text></martif>").alignment)


def test_a_dictionary_has_all_pairs_of_terms_that_are_not_deprecated(tmp_path):
    path = tmp_path / "terms.tbx"
    path.write_text(BASIC, encoding="utf-8")
    pairs = [("ferry boat", "Fährschiff", 1.0), ("ferry boat", "Fähre", 1.0), ("quay", "Kai", 1.0)]
    found = read_dictionary(path)
    assert (list(found), found.kind) == (pairs, "tbx")
    assert [note.kind for note in found.notes][:2] == [
        "histories and references of terms, left out",
        "deprecated terms of a term base, skipped",
    ]
    assert list(read_dictionary(path, langs=("de", "en"))) == [(b, a, w) for a, b, w in pairs]
    (tmp_path / "terms.xml").write_text(DCT, encoding="utf-8")
    assert list(read_dictionary(tmp_path / "terms.xml", langs=("it", "fr"))) == [
        ("ponte", "pont garage", 1.0)
    ]
    with pytest.raises(FormatError, match="ask for two"):
        read_dictionary(tmp_path / "terms.xml")


def test_peers_read_the_same_terms():
    """The terms of translate-toolkit are the first ones of each language."""
    theirs = tbx.tbxfile.parsestring(BASIC.encode())
    assert [str(unit.source) for unit in theirs.units][2] == "quay"
    assert [src for src, _ in read("tbx", BASIC, src_lang="en", tgt_lang="de").pairs()][2] == [
        "quay"
    ]
    assert bitext.formats.registry.by_suffix("x.tbx") is by_name("tbx")
