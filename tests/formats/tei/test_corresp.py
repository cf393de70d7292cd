"""TEI without links: `corresp` as a graph; and what the text of an element is."""

import io

import pytest

from bitext.errors import FormatError
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.formats.tei import FORMAT
from formats.samples import kinds, units

LONELY = "segments without corresp, taken as 1-0 and 0-1"
DOUBT = (
    "bisegments joined of corresp that is not written from each segment to each one opposite "
    "(they may be overlaps)"
)


def read(english, french="", *, between='</div><div xml:lang="fr">', on_bad=None, **options):
    content = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div xml:lang="en">'
        f"{english}{between}{french}</div></body></text></TEI>"
    )
    source = Source("a.tei", io.BytesIO(content.encode()))
    source.on_bad = on_bad
    (found,) = FORMAT.read(source, ReadOptions(**options))
    return found


def s(name, corresp="", text="", *, tag="s", more=""):
    pointers = f' corresp="{" ".join(f"#{k}" for k in corresp.split())}"' if corresp else ""
    return f'<{tag} xml:id="{name}"{pointers}{more}>{text or name}</{tag}>\n'


@pytest.mark.parametrize("tag", ["s", "seg", "ab", "p", "l"])
def test_both_ways_one_way_and_partly(tag):
    def row(*names):
        return "".join(s(*name.split(":"), tag=tag) for name in names)

    expected = [(["e1"], ["f1"]), (["e2", "e3"], ["f2"])]
    both = read(row("e1:f1", "e2:f2", "e3:f2"), row("f1:e1", "f2:e2 e3"))
    assert units(both) == expected
    assert both.notes == ()
    one = read(row("e1:f1", "e2:f2", "e3:f2"), row("f1", "f2"))
    assert units(one) == expected
    assert kinds(one) == {DOUBT: 1}
    other = read(row("e1", "e2", "e3"), row("f1:e1", "f2:e2 e3"))
    assert units(other) == expected
    assert kinds(other) == {DOUBT: 1}
    partly = read(row("e1:f1", "e2", "e3:f2"), row("f1", "f2:e2"))
    assert units(partly) == expected


def test_crossing_and_alone_in_the_order_of_the_texts():
    found = read(
        s("e1", "f3") + s("e2") + s("e3", "f1"), s("f0") + s("f1") + s("f2") + s("f3") + s("f4")
    )
    assert units(found) == [
        ([], ["f0"]),
        (["e1"], ["f3"]),
        ([], ["f4"]),
        (["e2"], []),
        (["e3"], ["f1"]),
        ([], ["f2"]),
    ]
    assert kinds(found)[LONELY] == 4


def test_a_chain_is_one_bisegment_with_a_doubt():
    found = read(s("e1", "f1 f2") + s("e2", "f2 f3"), s("f1", "e1") + s("f2", "e1 e2") + s("f3"))
    assert units(found) == [(["e1", "e2"], ["f1", "f2", "f3"])]
    assert DOUBT in kinds(found)


def test_innermost_corresp_counts():
    english = f'<p xml:id="p1" corresp="#q1">{s("e1", "f1")}</p>'
    found = read(english, f'<p xml:id="q1">{s("f1")}</p>')
    assert units(found) == [(["e1"], ["f1"])]
    assert kinds(found) == {"elements with corresp around others with it, left out": 1}


def test_without_languages_the_direction_tells():
    between = '</div><div xml:lang="en">'
    expected = [(["e1"], ["f1"]), (["e2"], ["f2", "f3"])]
    french = s("f1") + s("f2") + s("f3")
    assert units(read(s("e1", "f1") + s("e2", "f2 f3"), french, between=between)) == expected
    french = s("f1", "e1") + s("f2", "e2") + s("f3", "e2")
    assert units(read(s("e1") + s("e2"), french, between=between)) == expected
    with pytest.raises(FormatError, match="that belong to no known text"):
        read(s("e1", "f1"), s("f1", "e1"), between=between)


def test_elements_without_identifiers_and_other_files():
    found = read('<s corresp="fr.xml#f1">a</s><s corresp="fr.xml#f2">b</s>')
    assert units(found) == [(["s[1]"], ["fr.xml#f1"]), (["s[2]"], ["fr.xml#f2"])]
    assert kinds(found)["segments without xml:id, named by their place"] == 2
    assert found.meta["tgt_doc"] == "fr.xml"


def test_pointers_that_are_wrong():
    with pytest.raises(FormatError, match="line 1: the pointer '#f9' names no element"):
        read(s("e1", "f9") + s("e2", "f1"), s("f1"))
    bad = []
    found = read(s("e1", "f9") + s("e2", "f1"), s("f1"), on_bad=bad.append)
    assert units(found) == [(["e1"], []), (["e2"], ["f1"])]
    assert len(bad) == 1


def test_anchors_begin_segments():
    english = (
        '<p>no <anchor xml:id="e1" corresp="#f1"/>One <hi>here</hi>.\n'
        '<anchor xml:id="e2" corresp="#f2"/>Two.</p><p>not</p>'
    )
    french = '<p><anchor xml:id="f1"/>Un.</p><p>non<anchor xml:id="f2"/>Deux.</p>'
    found = read(english, french)
    assert found.pairs() == [(["One here."], ["Un."]), (["Two."], ["Deux."])]


# Segments of several elements


def test_parts_by_prev_and_next():
    english = (
        s("e1", "f1", "It", more=' next="#e1b"')
        + s("x", text="between")
        + s("e1b", text="rained.", more=' prev="#e1"')
        + s("e2", "f2", "No.")
    )
    found = read(english, s("f1") + s("f2"))
    assert found.src.ids == ["e1", "x", "e2"]
    assert found.src[0].text == "It rained."
    found = read(english.replace('e1" corresp', 'e1" n'), s("f1", "e1b") + s("f2", "e1b"))
    assert units(found)[0] == (["e1", "e2"], ["f1", "f2"])


def test_parts_by_part():
    english = (
        '<s xml:id="e1" part="I">a</s><s part="M">b</s><s part="F" xml:id="z">c</s>'
        '<s part="F" xml:id="lost">d</s><s part="N" xml:id="e2" next="#none">e</s>'
    )
    found = read(english, s("f1", "z") + s("f2", "e2"))
    assert found.pairs()[0] == (["a b c"], ["f1"])
    assert found.src.ids == ["e1", "lost", "e2"]
    assert kinds(found) == {
        "parts of a segment without its beginning, taken as segments": 1,
        "parts of a segment that are not there": 1,
        LONELY: 1,
    }


# The text of an element


def test_tokens_without_the_white_space_of_others_are_noted():
    kind = "tokens (w) without the white space that others have between them, separated too"
    for content, count in (("<w>do</w><w>n't</w> <w>go</w><pc>.</pc>", 1), ("<w>a</w><w>b</w>", 0)):
        found = read(f'<s xml:id="e1" corresp="#f1">{content}</s>', s("f1"))
        assert kinds(found).get(kind, 0) == count


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("  a\n\t b  c ", "a b  c"),
        ("a<hi>b<foreign>c</foreign></hi> d<c/>e", "abc de"),
        ("a<note>no <hi>no</hi></note>b<fw>no</fw>c", "abc"),
        ("<choice><sic>teh</sic><corr>the</corr></choice> end", "the end"),
        ("<choice><abbr>Dr</abbr><expan>Doctor</expan></choice>", "Doctor"),
        ("<app><lem>a</lem><rdg>b</rdg></app> <del>no</del>c", "a c"),
        ("a<index><term>no</term></index> b", "a b"),
        ("one<lb/>two<lb break='no'/>three", "one twothree"),
        ("<w>He</w> <w>left</w><pc>.</pc>", "He left."),
        ("<w>He</w><w>left</w><pc>.</pc>", "He left."),
        ("<w>He</w>\n <w join='right'>left</w>\n <pc>.</pc>", "He left."),
        ("<w>He</w>\n <w>left</w>\n <pc join='left'>.</pc>\n <w>So</w>", "He left. So"),
        ("<pc join='right'>(</pc> <w>a</w> <pc join='both'>-</pc> <w>b</w>", "(a-b"),
        ("<w>a</w><c> </c><w>b</w><c>-</c><w>c</w>", "a b-c"),
        ("<w>It</w><w>rained</w><pc>,</pc><w>and</w><pc>(</pc><w>so</w>", "It rained, and(so"),
        ("<w>a</w> <w>b</w><w>n't</w><pc>'</pc><w>s</w><pc>,</pc><w>c</w>", "a b n't's,c"),
        ("<w><form>He</form><ana>PP</ana></w> <w>left<ana>VV</ana></w>", "He left"),
        ("a &lt;b> &amp; <![CDATA[<c>]]><!-- no --><?no?> &#x1F600;", "a <b> & <c> 😀"),
        ("", ""),
    ],
)
def test_text(content, text):
    found = read(f'<s xml:id="e1" corresp="#f1">{content}</s>', s("f1"))
    assert found.src[0].text == text
    aside = "notes and the like inside segments, not taken as their text"
    assert (aside in kinds(found)) == any(
        tag in content for tag in ("<note", "<fw", "<rdg", "<del", "<sic", "<abbr", "<index")
    )


def test_white_space_that_is_kept():
    found = read(
        '<p xml:space="preserve"><s xml:id="e1" corresp="#f1"> a\n\tb&#13; </s></p>',
        '<s xml:id="f1"> a\n b </s>',
    )
    assert found.pairs() == [([" a\n\tb\r "], ["a b"])]


def test_paragraphs():
    english = f"<p>{s('e1', 'f1')}{s('e2', 'f2')}</p><p>{s('e3', 'f3')}</p>"
    found = read(english, s("f1") + s("f2") + s("f3"))
    assert found.src.paragraphs.masses.tolist() == [2, 1]
    assert found.tgt.paragraphs is None
