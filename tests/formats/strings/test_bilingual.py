"""Strings of programs with both languages in a file, and test sets of WMT in XML."""

import json

import pytest
from translate.storage import ts2

from bitext.errors import FormatError
from bitext.formats.reading import opened
from bitext.formats.registry import sniff
from formats.samples import kinds, read, read_all

QT = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context><name>Main</name>
<message><location filename="a.cpp" line="3"/><source>Open &amp; go</source>
<translation>Öffnen</translation></message>
<message numerus="yes"><source>%n file(s)</source><translation>
<numerusform>%n Datei</numerusform><numerusform>%n Dateien</numerusform></translation></message>
<message id="c"><source>Close</source><comment>verb</comment>
<translation type="unfinished">Schliessen</translation></message>
<message><source>New</source><translation type="unfinished"></translation></message>
<message><source>Old</source><translation type="vanished">Alt</translation></message>
</context></TS>
"""
WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="t"><doc id="d1"><src lang="en"><p><seg id="1">Hello .</seg></p>
<p><seg id="2">Bye</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Hallo</seg><seg id="2">Ade</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">Hallo B</seg><seg id="3">Mehr</seg></p></ref>
<ref lang="fr" translator="A"><p><seg id="1">Salut</seg></p></ref>
<hyp system="X" lang="de"><p><seg id="1">Hallo X</seg></p></hyp></doc>
<doc id="d2"><src lang="en"><p><seg id="1">One</seg></p></src>
<hyp system="X" lang="de"><p><seg id="1">Eins</seg></p></hyp></doc></dataset>
"""


def unit(value, state="translated"):
    return {"stringUnit": {"state": state, "value": value}}


def plural(**forms):
    return {"variations": {"plural": forms}}


CATALOGUE = {
    "sourceLanguage": "en",
    "strings": {
        "Hello": {"localizations": {"de": unit("Hallo")}},
        "boats": {
            "comment": "a count",
            "localizations": {
                "en": plural(one=unit("1 boat"), other=unit("%d boats")),
                "de": plural(one=unit("1 Boot", "needs_review"), other=unit("%d Boote")),
            },
        },
        "x": {"shouldTranslate": False},
        "New": {},
    },
    "version": "1.0",
}


def device(**forms):
    return {"variations": {"device": forms}}


def test_forms_that_the_target_of_a_catalogue_lacks_are_other():
    numbered = {"one": unit("1 tap"), "other": unit("%d taps")}
    strings = {
        "boats": {
            "localizations": {
                "en": plural(one=unit("1 boat"), other=unit("%d boats")),
                "ja": plural(other=unit("船")),
            }
        },
        "taps": {
            "localizations": {
                "en": device(iphone=plural(**numbered), other=unit("clicks")),
                "ja": device(iphone=plural(few=unit("a"), other=unit("b")), other=unit("c")),
            }
        },
        "new": {
            "localizations": {
                "en": plural(**numbered),
                "ja": plural(one=unit("", "new"), other=unit("b")),
            }
        },
    }
    catalogue = {"sourceLanguage": "en", "strings": strings, "version": "1.0"}
    bt = read("xcstrings", json.dumps(catalogue))
    assert list(zip(bt.alignment.attributes["form"], bt.pairs(), strict=True)) == [
        ("one", (["1 boat"], ["船"])),
        ("other", (["%d boats"], ["船"])),
        ("iphone.one", (["1 tap"], ["b"])),
        ("iphone.other", (["%d taps"], ["b"])),
        ("other", (["clicks"], ["c"])),
        ("iphone.few", (["%d taps"], ["a"])),
        ("one", (["1 tap"], [])),
        ("other", (["%d taps"], ["b"])),
    ]
    assert kinds(bt) == {"plural forms that the target lacks, paired with its form 'other'": 2}


def test_an_unfinished_message_with_its_place_in_the_program_is_a_draft():
    place = '<location filename="a.cpp" line="3"/>'
    message = f'<message>{place}<source>Go</source><translation type="unfinished">Los'
    text = f"<TS><context><name>a</name>{message}</translation></message></context></TS>"
    bt = read("qt", text)
    assert bt.pairs() == [(["Go"], [])]
    assert bt.alignment.attributes["draft"] == ["Los"]
    assert bt.alignment.attributes["state"] == ["needs-review-translation"]
    assert read("qt", text, drafts=True).pairs() == [(["Go"], ["Los"])]


def test_forms_of_one_language_stand_beside_the_text_of_all_forms_of_the_other():
    strings = {
        "%d boats": {"localizations": {"de": plural(one=unit("1 Boot"), other=unit("%d Boote"))}},
        "b": {
            "localizations": {
                "en": plural(one=unit("1 day"), other=unit("%d days")),
                "de": {**unit("%#@d@"), "substitutions": {"d": {}}},
            }
        },
    }
    catalogue = {"sourceLanguage": "en", "strings": strings, "version": "1.0"}
    bt = read("xcstrings", json.dumps(catalogue))
    assert bt.pairs() == [
        (["%d boats"], ["1 Boot"]),
        (["%d boats"], ["%d Boote"]),
        (["1 day"], ["%#@d@"]),
        (["%d days"], ["%#@d@"]),
    ]
    assert bt.alignment.attributes["form"] == ["one", "other"] * 2
    assert "strings with substitutions (%#@name@), whose forms are left out" in kinds(bt)


def test_messages_of_qt():
    bt = read("qt", QT)
    assert bt.pairs() == [
        (["Open & go"], ["Öffnen"]),
        (["%n file(s)"], ["%n Datei"]),
        (["%n file(s)"], ["%n Dateien"]),
        (["Close"], []),
        (["New"], []),
    ]
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de-DE")
    columns = bt.alignment.attributes
    assert columns["numerus"] == [None, "0/2", "1/2", None, None]
    assert (columns["draft"][3], columns["state"][3]) == ("Schliessen", "needs-review-translation")
    assert (columns["comment"][3], columns["id"][3], columns["context"][0]) == ("verb", "c", "Main")
    assert kinds(bt)["messages that are no longer in the program, left out"] == 1
    assert read("qt", QT, drafts=True).pairs()[3] == (["Close"], ["Schliessen"])
    assert sniff(QT.encode(), "a.ts").name == "qt"


def test_the_first_variant_of_length_is_read_with_a_note():
    variants = "<lengthvariant>Öffnen</lengthvariant><lengthvariant>Auf</lengthvariant>"
    bt = read("qt", QT.replace("<translation>Öffnen<", f'<translation variants="yes">{variants}<'))
    assert bt.pairs()[0] == (["Open & go"], ["Öffnen"])
    assert kinds(bt)["translations with variants of length, of which the first is read"] == 1


def test_comments_of_qt_are_kept_and_places_counted():
    both = "<extracomment>a</extracomment><translatorcomment>b</translatorcomment>"
    bt = read("qt", QT.replace("<comment>verb<", f"{both}<comment>verb<"))
    columns = bt.alignment.attributes
    assert (columns["note"][3], columns["note#2"][3]) == ("a", "b")
    assert kinds(bt)["elements of messages besides their texts and comments, left out"] == 1


def test_attributes_of_test_sets_are_counted_and_ids_repeat_in_none():
    bt, _ = read_all("wmt", WMT.replace('<doc id="d1"', '<doc id="d1" origlang="en" domain="news"'))
    assert kinds(bt)["attributes of documents, left out"] == 1
    with pytest.raises(FormatError, match=r"line 3: has a second segment '1' in one text"):
        read_all("wmt", WMT.replace('<seg id="2">Bye', '<seg id="1">Bye'))


def test_other_languages_than_asked_for_are_refused():
    assert read("qt", QT, tgt_lang="de").tgt.lang == "de-DE"
    with pytest.raises(FormatError, match="has a text in 'de-DE', and asked for is 'fr'"):
        read("qt", QT, tgt_lang="fr")


def test_a_peer_reads_the_same_messages():
    theirs = [unit.source for unit in ts2.tsfile.parsestring(QT.encode()).units]
    ours = [src[0] for src, _ in read("qt", QT).pairs()]
    assert [*dict.fromkeys(ours), "Old"] == [str(source) for source in theirs]


def test_a_bad_message_is_left_out(tmp_path):
    path, bad = tmp_path / "a.ts", []
    path.write_text(QT.replace("<comment>verb", "<comment>verb & noun"))
    with opened(path, on_bad=bad.append) as reading:
        (bt,) = reading
    assert [error.line for error in bad] == [9]
    assert [src for src, _ in bt.pairs()] == [
        ["Open & go"],
        ["%n file(s)"],
        ["%n file(s)"],
        ["New"],
    ]


def test_test_sets_take_the_first_reference_and_say_so():
    found = read_all("wmt", WMT)
    assert [(bt.name, bt.pairs()) for bt in found] == [
        ("d1", [(["Hello ."], ["Hallo"]), (["Bye"], ["Ade"])]),
        ("d2", [(["One"], ["Eins"])]),
    ]
    columns = found[0].alignment.attributes
    assert (columns["ref:B"], columns["hyp:X"]) == (["Hallo B", None], ["Hallo X", None])
    kind = "documents with several translations, one taken, the others attributes"
    assert {note.kind: note.first for note in found[0].notes}[kind] == (
        "made line 2: ref:A taken, not ref:B"
    )
    french, _ = read_all("wmt", WMT, tgt_lang="fr")
    assert french.pairs() == [(["Hello ."], ["Salut"]), (["Bye"], [])]
    assert sniff(WMT.encode(), "a.xml").name == "wmt"


def test_languages_besides_the_two_of_a_catalogue_are_noted():
    units = {lang: {"stringUnit": {"state": "translated", "value": lang}} for lang in ("de", "it")}
    catalogue = {"sourceLanguage": "en", "strings": {"a": {"localizations": units}}}
    content = json.dumps(catalogue)
    found = read("xcstrings", content, src_lang="en", tgt_lang="de")
    assert kinds(found) == {"languages besides the two, left out": 1}


def test_string_catalogues():
    bt = read("xcstrings", json.dumps(CATALOGUE))
    assert bt.pairs() == [
        (["Hello"], ["Hallo"]),
        (["1 boat"], []),
        (["%d boats"], ["%d Boote"]),
        (["New"], []),
    ]
    assert bt.alignment.attributes["form"] == [None, "one", "other", None]
    assert bt.alignment.attributes["draft"][1] == "1 Boot"
    turned = read("xcstrings", json.dumps(CATALOGUE), src_lang="de", tgt_lang="en")
    assert turned.pairs()[0] == (["Hallo"], ["Hello"])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("xcstrings", "[]", "is it a string catalogue"),
        ("xcstrings", "{", "is not JSON"),
        (
            "xcstrings",
            '{"sourceLanguage": "en", "strings": {"a": 1}}',
            "has the languages|no object",
        ),
        ("qt", "<a/>", "has no element TS"),
        ("wmt", "<dataset><doc id='x'/></dataset>", "its document 'x' has no src"),
    ],
)
def test_faulty_files_are_refused(name, content, told):
    with pytest.raises(FormatError, match=told):
        read(name, content)
