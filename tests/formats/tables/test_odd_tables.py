"""Tables as people have them, of which each is read rightly, read with a note, or refused."""

import pytest

import bitext
from bitext.errors import FormatError
from formats.samples import kinds, read
from formats.tables.test_spreadsheets import document, workbook

HOUSE, TREE = (["House"], ["Haus"]), (["Tree"], ["Baum"])
PAIRS = [HOUSE, TREE]
ROWS = "House,Haus\nTree,Baum\n"

# Name, contents, the pairs, and words of the notes besides that on a header.
READ = {
    "a header in two rows": (
        "csv",
        "Source,,Target,\nEN,Note,DE,Note\nHouse,a,Haus,b\nTree,c,Baum,d\n",
        PAIRS,
        ["lines before a table"],
    ),
    "the same names below two sides": (
        "csv",
        "Source,,Target,\nText,Note,Text,Note\nHouse,a,Haus,b\nTree,c,Baum,d\n",
        PAIRS,
        ["second lines of a header"],
    ),
    "two columns of one name": (
        "csv",
        "en,de,note,note\nHouse,Haus,a,b\nTree,Baum,c,d\n",
        PAIRS,
        [],
    ),
    "a table of Markdown": (
        "csv",
        "| en | de |\n|:---|---:|\n| House | Haus |\n| Tree | a \\| b |\n",
        [HOUSE, (["Tree"], ["a | b"])],
        ["tables of Markdown"],
    ),
    "a row of dashes that is no rule": (
        "csv",
        "en|de\nHouse|Haus\n-|-\n",
        [HOUSE, (["-"], ["-"])],
        [],
    ),
    "comments above": ("csv", f"# glossary\n# by us\nen,de\n{ROWS}", PAIRS, ["before a table"]),
    "words that are codes of languages, too": (
        "tsv",
        "Is\tno\nHouse\tit\nTree\tso\n",
        [(["Is"], ["no"]), (["House"], ["it"]), (["Tree"], ["so"])],
        [],
    ),
    "facts above": (
        "csv",
        f"Project:,Ferry\nDate:,2024\n,\nEnglish,German\n{ROWS}",
        PAIRS,
        ["before a table"],
    ),
    "missing values of pandas": (
        "csv",
        "en,de\nHouse,NaN\n#N/A,Baum\n",
        [(["House"], ["NaN"]), (["#N/A"], ["Baum"])],
        ["cells NaN, NULL or #N/A"],
    ),
    "words that are texts as well": ("csv", "en,de\nNone,Keine\n", [(["None"], ["Keine"])], []),
    "empty cells in marks": ("csv", 'en,de\nHouse,""\n', [(["House"], [])], []),
    "blank rows": ("csv", "en,de\n\n,\nHouse,Haus\n,\n\nTree,Baum\n", PAIRS, ["empty lines"]),
    "a separator at the end": ("csv", "en,de,\nHouse,Haus,\nTree,Baum,\n", PAIRS, []),
    "a column of numbers without a name": ("csv", ",en,de\n0,House,Haus\n1,Tree,Baum\n", PAIRS, []),
    "a column of numbers by pandas": (
        "csv",
        "Unnamed: 0,English,German\n0,House,Haus\n1,Tree,Baum\n",
        PAIRS,
        [],
    ),
    "dates between": (
        "csv",
        "made,en,changed,de\n2024-01-02,House,2024-02-03,Haus\n2024-01-02,Tree,2024-02-04,Baum\n",
        PAIRS,
        [],
    ),
    "a mark in a cell without marks": (
        "csv",
        'en,de\n5" disk,5"-Scheibe\n',
        [(['5" disk'], ['5"-Scheibe'])],
        [],
    ),
    "HTML in cells": (
        "csv",
        'en,de\n"<p>House &amp; <b>home</b></p>","<p>Haus</p>"\n',
        [(["<p>House &amp; <b>home</b></p>"], ["<p>Haus</p>"])],
        [],
    ),
    "soft line ends": (
        "csv",
        'en,de\n"Two\u2028lines","a\rb"\n',
        [(["Two\u2028lines"], ["a\rb"])],
        [],
    ),
    "line ends of both kinds": ("csv", "en,de\r\nHouse,Haus\nTree,Baum\r\n", PAIRS, []),
    "line ends in the header": ("csv", f'"English\n(US)","German\n(DE)"\n{ROWS}', PAIRS, []),
    "a decimal comma": ("csv", "en;de;score\nHouse;Haus;0,75\n", [HOUSE], ["a decimal comma"]),
    "points of thousands": (
        "csv",
        "en;de;score\nHouse;Haus;1.000,5\nTree;Baum;0,5\n",
        PAIRS,
        ["columns named score"],
    ),
    "words as scores": ("csv", "en,de,score\nHouse,Haus,high\n", [HOUSE], ["columns named score"]),
    "the header again": (
        "csv",
        "en,de\nHouse,Haus\nen,de\nTree,Baum\n",
        PAIRS,
        ["repeat the header"],
    ),
    "variants of a language": ("csv", "en-GB,en-US\nlorry,truck\n", [(["lorry"], ["truck"])], []),
    "commas of Chinese": (
        "csv",
        "en,zh\nHouse，home,房子，家\n",
        [(["House，home"], ["房子，家"])],
        [],
    ),
    "right to left": ("csv", "en,ar\nHouse,بيت\n", [(["House"], ["بيت"])], []),
    "other directions of rows": (
        "csv",
        "src_lang,src,tgt_lang,tgt\nen,House,de,Haus\nde,Baum,en,Tree\n",
        [HOUSE, (["Baum"], ["Tree"])],
        ["in other languages than the first"],
    ),
    "states of memoQ": (
        "csv",
        "ID;Source;Target;Status\n1;House;Haus;Confirmed\n2;Tree;Baum;Rejected\n",
        [HOUSE, (["Tree"], [])],
        ["not translations by their state"],
    ),
    "ragged rows": (
        "csv",
        "en,de,note\nHouse,Haus\nTree,Baum,x,extra\nCat\n",
        [HOUSE],
        ["lack columns", "more columns", "without a column"],
    ),
    "codes beside the texts": (
        "csv",
        "en,House,de,Haus\nen,Tree,de,Baum\n",
        PAIRS,
        ["without a header"],
    ),
    "tabs within marks in TSV": (
        "tsv",
        'en\tde\n"House\tat sea"\t"Haus"\nTree\tBaum\n',
        [TREE],
        ["as CSV has them", "more columns"],
    ),
    "a mark at the begin in TSV": (
        "tsv",
        'en\tde\n"Tis true\tEs ist wahr\nTree\tBaum\n',
        [(['"Tis true'], ["Es ist wahr"]), TREE],
        [],
    ),
    "a column beyond in TSV": ("tsv", "en\tde\t\nHouse\tHaus\t\nTree\tBaum\t\n", PAIRS, []),
}
REFUSED = {
    "numbers only": ("csv", "en,de\n1,2\n3,4\n", r"below its first row the columns 1 \(numbers\)"),
    "three languages": (
        "csv",
        "en,de,fr\nHouse,Haus,Maison\n",
        "languages 'en', 'de', 'fr'; want two",
    ),
    "a language twice": ("csv", "en,en,de\nHouse,Home,Haus\n", "languages 'en', 'en', 'de'"),
    "keys and texts": (
        "csv",
        "key,value\napp.title,Ferry\napp.open,Open\n",
        r"1 \(keys\), 2 \(texts\), as strings by keys in one language",
    ),
    "keys and texts in TSV": (
        "tsv",
        "menu.open\tÖffnen\nmenu.save\tSichern\n",
        r"1 \(keys\), 2 \(texts\), as strings by keys in one language",
    ),
    "a row a text": (
        "csv",
        "id,lang,text\n1,en,House\n1,de,Haus\n2,en,Tree\n2,de,Baum\n",
        "one column of languages",
    ),
    "a row a text, without identifiers": (
        "csv",
        "text,lang\nHouse,en\nHaus,de\nTree,en\nBaum,de\n",
        r"one column of languages \(2\)",
    ),
    "a row a text, the language first, in TSV": (
        "tsv",
        "language\ttext\nen\tHouse\nde\tHaus\n",
        r"one column of languages \(1\)",
    ),
    "a row a text, with its cluster": (
        "csv",
        "cluster,sentence\n1,It rained.\n1,He came.\n2,She left.\n",
        "of which 'sentence' alone holds texts",
    ),
    "a row a text, with the name of its topic, in TSV": (
        "tsv",
        "topic\ttext\nrain\tIt rained.\nrain\tHe came.\nsnow\tShe left.\n",
        "of which 'text' alone holds texts",
    ),
    "words over a column of numbers": (
        "csv",
        "group,utterance\n1,It rained.\n2,She left.\n",
        r"below its first row the columns 1 \(numbers\), 2 \(texts\)",
    ),
    "a row a text, of one pair": (
        "csv",
        "id;text;lang\n1;House;en\n1;Haus;de\n",
        r"one column of languages \(3\)",
    ),
    "a row a language": (
        "csv",
        "lang,s1,s2,s3\nen,House,Tree,Cat\nde,Haus,Baum,Katze\n",
        "a row for each language .'en', 'de'.",
    ),
    "a translation and a reference": (
        "csv",
        "mt,ref\nHaus,das Haus\n",
        "2 columns that may be the target, 'mt' and 'ref'",
    ),
    "two targets": (
        "csv",
        "source,mt,pe\nHouse,Haus,das Haus\n",
        "2 columns that may be the target",
    ),
    "carriage returns alone": ("csv", "en,de\rHouse,Haus\r", "save the file with line ends"),
    "a mark that is not closed": ("csv", 'en,de\n"House,Haus\nTree,Baum\n', "line 2: .*not closed"),
    "a huge cell": ("csv", f"en,de\n{'x' * 140_000},y\n", "line 2: .*131,072 characters"),
    "a key twice in JSON": ("json", '[{"en": "A", "en": "B", "de": "C"}]', "has a key twice"),
    "a score twice beside identifiers": (
        "jsonl",
        '{"src": ["1"], "tgt": ["1"], "src_text": "a", "tgt_text": "b", "score": 1, "score": 2}\n',
        "has a key twice",
    ),
    "a key twice in JSON lines": (
        "jsonl",
        '{"en": "A", "en": "B", "de": "C"}\n',
        "has a key twice",
    ),
}
HEADER = ("taken as a header",)


@pytest.mark.parametrize("what", READ)
def test_odd_tables_are_read_and_what_is_odd_is_noted(what):
    name, content, pairs, noted = READ[what]
    bt = read(name, content)
    assert bt.pairs() == pairs
    others = [kind for kind in kinds(bt) if not any(word in kind for word in HEADER)]
    for word in noted:
        assert any(word in kind for kind in others), others
    assert bool(others) == bool(noted), others
    if what == "points of thousands":
        assert not any("decimal comma" in kind for kind in others)


@pytest.mark.parametrize("what", REFUSED)
def test_tables_that_may_be_read_wrongly_are_refused(what):
    name, content, told = REFUSED[what]
    with pytest.raises(FormatError, match=told):
        read(name, content)


def test_text_with_what_looks_like_keys_of_json_has_no_key_twice():
    bt = read("jsonl", '{"en": "a \\"b\\": c", "de": "x\\":y"}\n')
    assert bt.pairs() == [(['a "b": c'], ['x":y'])]


def test_a_single_line_with_an_object_beside_the_texts_is_a_pair(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"source": "a", "target": "b", "metadata": {"x": 1}}\n', encoding="utf-8")
    bt = bitext.read(path)
    assert (bt.meta["format"], bt.pairs()) == ("jsonl", [(["a"], ["b"])])


@pytest.mark.parametrize("name", ["xlsx", "ods"])
def test_sheets_with_headers_in_two_rows(name):
    rows = [["Source", "", "Target", ""], ["EN", "Note", "DE", "Note"], ["House", "a", "Haus", "b"]]
    data = workbook(A=rows) if name == "xlsx" else document(("A", rows))
    bt = read(name, data)
    assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([HOUSE], "EN", "DE")


def test_the_header_of_bitext_above_names_of_languages_is_the_header():
    """A pair of two names of languages may follow the header `src,tgt`."""
    assert read("csv", "src,tgt\nEnglish,German\n").pairs() == [(["English"], ["German"])]
    assert read("csv", "Source,Target\nEnglish,Englisch\n").pairs() == [(["English"], ["Englisch"])]


@pytest.mark.parametrize("header", ["en_text,de_text", "text_en,text_de", "en-US text,de text"])
def test_a_word_for_text_is_no_script(header):
    bt = read("csv", f"{header}\nHouse,Haus\n")
    assert (bt.pairs(), bt.src.lang[:2], bt.tgt.lang) == ([HOUSE], "en", "de")
