"""What inputs are made of: files of every kind, from the fixtures and made here."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from contextlib import suppress
from functools import cache
from pathlib import Path

from bitext import Alignment, Bitext, Text
from bitext.errors import BitextError
from bitext.formats.registry import WriteOptions, all_formats

BOTH = b"\0second file\0"  # between the two files of a format of two
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

XLIFF = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"{more}>
<file original="a.html" source-language="en" target-language="fr" datatype="html"><header/><body>
<group id="g"><trans-unit id="u1" resname="r" xml:space="preserve"><source>A <g id="1">ferry</g>
<x id="2"/>left. It <bpt id="3">&lt;b></bpt>rained<ept id="3">&lt;/b></ept>.</source>
<seg-source><mrk mtype="seg" mid="1">A <g id="1">ferry</g> <x id="2"/>left.</mrk>
<mrk mtype="seg" mid="2">It <bpt id="3">&lt;b></bpt>rained<ept id="3">&lt;/b></ept>.</mrk>
</seg-source><target state="final"><mrk mtype="seg" mid="1">Un <g id="1">bac</g> partit.</mrk>
<mrk mtype="seg" mid="2">Il <ph id="4">x<sub>sous</sub></ph>pleuvait.</mrk></target>
<note from="me">n</note><alt-trans match-quality="80%"><target>U</target></alt-trans>{defs}
</trans-unit></group><trans-unit id="u2" translate="no"><source>One</source></trans-unit>
<trans-unit id="u3" approved="yes"><source/><target>Deux</target></trans-unit></body></file></xliff>
"""
SDL = ' xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"'
DEFS = (
    '<sdl:seg-defs><sdl:seg id="1" conf="Draft" percent="9"/><sdl:seg id="2"><sdl:value key="k">v'
    "</sdl:value></sdl:seg></sdl:seg-defs>"
)
XLIFF2 = """<?xml version="1.0"?>
<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="fr">
<file id="f1" original="a"><unit id="u1" name="n"><notes><note category="c">n</note></notes>
<originalData><data id="d1">&lt;b></data><data id="d2">&lt;/b></data></originalData>
<segment id="s1" state="final"><source>A <pc id="1" dataRefStart="d1" dataRefEnd="d2">ferry</pc>
left.</source><target>Un <pc id="1">bac</pc> partit.</target></segment>
<ignorable><source> </source></ignorable><segment id="s2"><source>It <ph id="2" dataRef="d1"/>
<sc id="3"/>rained<ec startRef="3"/>.</source><target order="1">Il <mrk id="m" type="term">pleut
</mrk>.</target></segment></unit><group id="g"><unit id="u2" translate="no"><segment><source>B
<cp hex="0001"/></source></segment></unit></group></file></xliff>
"""
TTX = """<?xml version="1.0"?>
<TRADOStag Version="2.0"><FrontMatter><UserSettings SourceLanguage="EN-US" TargetLanguage="FR-FR"
SourceDocumentPath="a.html"/></FrontMatter><Body><Raw>x<ut>y</ut><df Bold="on">z
<Tu Origin="manual" MatchPercent="9"><Tuv Lang="EN-US">a <df Bold="on"><ut Type="start"
DisplayText="b">&lt;b></ut>c</df><ut Type="end">&lt;/b></ut></Tuv><Tuv Lang="FR-FR">b</Tuv></Tu>
</df>w<Tu><Tuv Lang="EN-US">d</Tuv></Tu></Raw></Body></TRADOStag>
"""
TXML = """<txml locale="EN" targetlocale="FR" version="1.0"><skeleton>s</skeleton>
<translatable blockId="7"><segment segmentId="1"><ws> <ut x="1">no</ut></ws><source>a <ut
type="font" x="2">&lt;b <sub subId="1"/>></ut>c</source><target score="0">b</target><comments>
<comment>hm</comment></comments></segment><segment segmentId="2"><source>d</source></segment>
</translatable></txml>
"""
TMX = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en" segtype="sentence" o-tmf="x" adminlang="en" datatype="x"
creationtool="t" creationtoolversion="1"><prop type="p">v</prop></header><body>
<tu tuid="1" srclang="en"><prop type="x-score">0.5</prop><note>n</note>
<tuv xml:lang="en"><seg>A <bpt i="1" x="1">&lt;b&gt;</bpt>ferry<ept i="1">&lt;/b&gt;</ept></seg>
</tuv><tuv xml:lang="fr" creationid="me"><seg>Un <ph x="2">p<sub>s</sub></ph>bac</seg></tuv></tu>
<tu tuid="2"><tuv xml:lang="en"><seg>It rained</seg></tuv>
<tuv xml:lang="fr"><seg>Il pleut</seg></tuv></tu>
<tu tuid="3"><tuv xml:lang="en"><seg>R&amp;D</seg></tuv>
<tuv xml:lang="fr"><seg>R&#233;D</seg></tuv><tuv xml:lang="de"><seg>FuE</seg></tuv></tu>
</body></tmx>
"""
TEI = """<?xml version="1.0"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><group><text xml:id="en" xml:lang="en"><body>
<p xml:id="p1"><s xml:id="e1">A ferry<note>x</note> left.</s><s xml:id="e2"><w>It</w> <w>rained</w>
<pc>.</pc></s></p><p><s xml:id="e3" part="I">One <lb/>half</s><s xml:id="e4" part="F">more</s></p>
<ab><anchor xml:id="e5"/>Anchored <hi>text</hi><anchor xml:id="e6"/></ab></body></text>
<text xml:id="fr" xml:lang="fr"><body><p><s xml:id="f1">Un bac.</s><seg xml:id="f2"><choice><sic>pl
</sic><corr>Il pleut</corr></choice></seg><s xml:id="f3">Un</s></p></body></text></group>
<back><linkGrp type="alignment" domains="#en #fr"><link target="#e1 #f1" cert="0.9"/>
<link target="#e2 #e3 #f2" xml:id="l2" n="x"/><link target="#e5 #f3"/></linkGrp></back></text></TEI>
"""
TEI_CORRESP = """<TEI.2><text><group><text id="en" lang="en"><body><p id="a1" corresp="b1">A<s
id="e1" corresp="f1 f2">B</s></p></body></text><text id="fr" lang="fr"><body><p id="b1">C
<s id="f1" corresp="e1">D</s><s id="f2">E</s></p></body></text></group></text></TEI.2>
"""
TEI_APART = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><standOff>
<linkGrp type="alignment" domains="#en #fr" corresp="en/mill.xml fr/mill.xml">
<link target="en/mill.xml#s1.1 en/mill.xml#s1.2 fr/mill.xml#s1.1" cert="0.9"/>
<link target="en/mill.xml#s1.3 fr/mill.xml#s1.2"/><link target="#s2.2 #s2.2"/></linkGrp></standOff>
</TEI>
"""
XCES = [
    """<?xml version="1.0"?>
<cesAlign version="1.0"><linkGrp targType="s" fromDoc="en/mill.xml" toDoc="fr/mill.xml">
<link xtargets="s1.1 s1.2;s1.1" certainty="0.9" id="L1"/><link xtargets="s1.3;s1.2"/>
<link xtargets=";s2.3" overlap="1"/></linkGrp><linkGrp fromDoc="x.xml" toDoc="y.xml">
<link xtargets="1;1 2" id="L4"/></linkGrp></cesAlign>
""",
    """<cesAlign type="seg" version="1.6"><cesHeader version="1.0"><translations>
<translation trans.loc="a.en" wsd="U" n="1"/><translation trans.loc="b.fr" n="2"/></translations>
</cesHeader><linkList><linkGrp domains="s.1 s.2"><link><align xlink:href="#s1"/><align
xlink:href="#s2"/></link></linkGrp></linkList></cesAlign>
""",
]
DOCUMENTS = [
    (
        '<?xml version="1.0"?>\n<text><p id="1"><s id="s1.1">It <b>rained</b>.</s>\n'
        '<s id="s1.2"><w span="0:2">He</w>\n<w span="3:4">left</w></s></p><p>'
        '<s id="s2.1">&lt;A&amp;é</s></p></text>'
    ),
    '<cesDoc lang="en"><s id="1">a</s><s id="2"><w>b</w> <w>c</w><w>.</w></s><s id="3"/></cesDoc>',
]
PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: fr\\nPlural-Forms: nplurals=2; plural=(n > 1);\\n"

# c
#. extracted
#: a.c:1
#, fuzzy, c-format
#| msgid "old"
msgctxt "x"
msgid "one\\t\\"two\\""
msgid_plural "several "
"lines\\n"
msgstr[0] "un"
msgstr[1] "deux"

msgid "a"
msgstr "b"

#~ msgid "gone"
#~ msgstr "parti"
"""
JSONL = [
    (
        b'{"translations": {"language": ["en", "fi", "fi"], "translation": ["a", "b", "c"]}, "x":1}'
        b'\n{"translations": {"language": ["fi", "en"], "translation": ["d", null]}}\n'
    ),
    (
        b'{"src": ["e1"], "tgt": ["f1", "f2"], "src_text": "A ferry", "tgt_text": "Un ", '
        b'"score": 0.5, "x": "y"}\n{"src": [], "tgt": ["f3"], "src_text": "", "tgt_text": "Il"}\n'
    ),
    (
        b'{"translation": {"en": "A", "fr": "B"}}\n{"translation": {"en": "C \\ud83d\\ude00", '
        b'"fr": null}, "score": null}\n'
    ),
    b'{"src": "A ferry", "tgt": "Un bac", "x": 1}\n{"src": "b", "tgt": "c"}\n',
    b'{"src": ["0", "1"], "tgt": ["0"], "words": "0-0 1-1p"}\n{"src": ["2"], "tgt": ["1"]}\n',
]
LINES = {
    "fast-align": [b"a b ||| A B\n\n c |||\n||| D\n", b"a ||| b ||| c\n"],
    "hunalign-text": [b"A ~~~ B\tC\t0.5\n\tD\t0\nE\t\t-0.3\n", b"a\tb\n<p>\t<p>\n"],
    "champollion": [b"1 <=> 1\n2,3 <=> omitted\nomitted <=> 2,4\n"],
    "opus-ids": [
        b"en/a.xml\tfr/a.xml\t1\t1\t0.5\nen/a.xml\tfr/a.xml\t2 3\ts2.1\nen/b.xml\tfr/b.xml\t\t4\n",
    ],
    "jrc-acquis": [
        b"""<TEI.2><text><body><div><linkGrp n="d" select="en fr"><link type="1-2"><s1>A <hi>b</hi>
</s1><s2>C</s2><s2>D</s2></link><link><s1/><s2>E</s2></link></linkGrp></div></body></text></TEI.2>""",
    ],
    "id-pairs": [
        b"src_id\ttgt_id\n1 2\t1\n3\t\n",
        b"fr-01\ten-7\t0.5\nfr-02, fr-03\tomitted\t1e3\n",
    ],
    "hunalign-ladder": [b"0\t0\t1\n1\t2\t0.3\n3\t2\t-1e3\n4\t4\t0\n"],
    "tsv": [b"src\ttgt\tscore\nA\tB\t0.5\nC\tD\t\n", b"0.9\tA \tB\n", b"A\tB\tx\ty\n\tC\tx\n"],
    "vecalign": [b"[0]:[0]:0.5\n[1, 2]:[1]:0\n[]:[2]:0.1\n", b"([0, 1], [0])\n([], [1])\n"],
    "pharaoh": [b"0-0 1-2p 3?1\n\n1-1:0.9 2p3\n"],
    "naacl": [b"0001 3 4 S 0.9\n1 1 1\n\n0002 2 1 P\r\n  2\t5 6 0.5 \n"],
    "natools": [b"a b\n$\nc\nd\n$\n$\ne\n"],
    "moses": [b"a\nb c\n\nd\n"],
    "giza": [
        (
            b"# Sentence pair (1) source length 2 target length 3 alignment score : 1.5e-05\n"
            b"das Haus hier \nNULL ({ 3 }) the ({ 1 }) house ({ 1 2 }) \n"
        )
    ],
    "po": [PO.encode()],
}
_CUES = """1
00:00:01,000 --> 00:00:02,500
<i>One</i> &amp; two.
\u00a0

2
00:00:03,000 -->
Three.
{\\an8}Trois.

"""
_MORE = {
    "srt": [_CUES],
    "vtt": ["WEBVTT\n\nNOTE x\n\n" + _CUES.replace(",", ".")],
    "sdlxliff": [XLIFF.format(more=SDL, defs=DEFS)],
    "xliff12": [XLIFF.format(more="", defs="")],
    "xliff2": [XLIFF2],
    "ttx": [TTX],
    "txml": [TXML],
    "tmx": [TMX],
    "tei": [TEI, TEI_CORRESP, TEI_APART],
    "xces": XCES,
}


def sample_bitext():
    """Return a small bitext with all that a format may keep: ids, scores, words, empty sides."""
    src = Text(
        ["A ferry left.", "It rained.", "R&D <1>", "End"],
        ids=["s1", "s2", "s3", "s4"],
        name="en.xml",
        lang="en",
    )
    tgt = Text(["Un bac partit.", "Il pleuvait.", "é 😀"], ids=["t1", "t2", "t3"], lang="fr")
    rows = [((0,), (0,)), ((1, 2), (1,)), ((), (2,)), ((3,), ())]
    columns = {"words": ["0-0 1-1", "0-0p 2-1", None, None], "kind": ["a", None, "b & c", ""]}
    alignment = Alignment(rows, scores=[0.5, -1.25, float("nan"), 1.0], attributes=columns)
    return Bitext(src, tgt, alignment, name="ferry")


def simple_bitext():
    """Return a bitext that every format can hold: pairs of one line, with links of words."""
    src, tgt = Text(["a b", "c", "d e"], lang="en"), Text(["x y", "z", "w"], lang="fr")
    rows = [((0,), (0,)), ((1,), (1,)), ((2,), (2,))]
    return Bitext(src, tgt, Alignment(rows, attributes={"words": ["0-0 1-1", "0-0", "1-0"]}))


@cache
def of_format(name):
    """Return contents in a format; those of a format of two files are pairs joined by `BOTH`."""
    known = all_formats()[name]
    found = []
    if known.write is not None:
        for bitext in (sample_bitext(), simple_bitext()):
            for options in (WriteOptions(), WriteOptions(beads=True)):
                with suppress(BitextError):  # the format cannot hold it
                    found.append(written(known, [bitext], options))
    found += [text.encode() for text in _MORE.get(name, [])]
    found += LINES.get(name, [])
    found += JSONL if name == "jsonl" else []
    found += _read_only().get(name, [])
    found += [path.read_bytes() for path in _fixtures() if _belongs(path, name)]
    return list(dict.fromkeys(found))


@cache
def _read_only():
    """Return contents in the formats that are only read, by format, from the tests of these."""
    from formats.dictionaries import test_tbx as terms
    from formats.document_samples import archive
    from formats.strings import test_bilingual as strings
    from formats.strings import test_keyed as keyed
    from formats.strings import test_pairs as pairs
    from formats.tables import test_in_documents as tables
    from formats.tables.test_spreadsheets import document
    from formats.tables.test_xls import CELLS, container, sheet, stream

    two = {
        "android": [(pairs.ANDROID, pairs.GERMAN)],
        "apple": [(pairs.APPLE, pairs.APPLE), (pairs.DICT, pairs.DICT)],
        "resx": [(pairs.RESX, pairs.RESX)],
        "wmt-sgm": [(pairs.SRC, pairs.REF)],
        "json-strings": [(keyed.ENGLISH, keyed.POLISH)],
        "properties": [(keyed.BUNDLE, keyed.BUNDLE)],
        "yaml-strings": [(keyed.RAILS, keyed.GERMAN)],
    }
    one = {
        "qt": [strings.QT.encode()],
        "tbx": [terms.BASIC.encode(), terms.DCT.encode()],
        "wmt": [strings.WMT.encode()],
        "xcstrings": [json.dumps(strings.CATALOGUE).encode()],
        "xls": [container(stream(sheet(CELLS)))],
        "document-table": [make(tables.ROWS) for make in tables.MAKERS.values()],
        "ods": [document(("A", [["en", "de", "score"], ["a\nb", "c", 0.5]]))],
        "zip": [archive({"c.en-de.en": "A\nb c\n", "c.en-de.de": "x\ny\n"})],
    }
    joined = {
        name: [BOTH.join(part.encode() for part in pair) for pair in each]
        for name, each in two.items()
    }
    return joined | one


def written(known, bitexts, options):
    """Write bitexts in a format; two files are joined by `BOTH`."""
    outs = [io.BytesIO() if known.binary else io.StringIO() for _ in range(1 + known.two_files)]
    known.write(bitexts, *outs, options=options)
    held = [out.getvalue() for out in outs]
    return BOTH.join(
        part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in held
    )


def _fixtures():
    return sorted(path for path in FIXTURES.rglob("*") if path.is_file())


def _belongs(path, name):
    if path.name == "links.xml":
        return name == "xces"
    endings = tuple(all_formats()[name].suffixes)
    return bool(endings) and path.name.endswith(endings) and path.parent.parent.name != "topics"


def packed(content):
    """Return a content in each of the compressions."""
    import zstandard

    return [
        gzip.compress(content, mtime=0),
        bz2.compress(content),
        lzma.compress(content),
        zstandard.compress(content),
        gzip.compress(content, mtime=0) + gzip.compress(b"more\n", mtime=0),
    ]


def fixture(*parts):
    """Return the contents of a fixture."""
    return FIXTURES.joinpath(*parts).read_bytes()
