"""Targets: the quick ways through TMX, XLIFF, TEI, XCES and documents, against the parser.

Both give the same, or refuse the same line.
"""

from __future__ import annotations

import io
import random

from bitext.errors import BitextError, FormatError
from bitext.formats.io.source import Source
from bitext.formats.opus_documents import read_document
from bitext.formats.registry import ReadOptions, by_name
from bitext.formats.tei import reading as tei_reading
from bitext.formats.tmx import fast as tmx_fast
from fuzz import samples
from fuzz.formats import ROOTS, told
from fuzz.target import Target, coin
from fuzz.verdict import Wrong, named

_LANGUAGES = ({}, {}, {"src_lang": "en", "tgt_lang": "fr"}, {"src_lang": "fr"})
_SIZES = (40, 150, 600, 1 << 16)  # of the pieces that are read at once


def targets():
    """Return the targets."""
    return [
        Target("quick-tmx", _tmx, lambda: [*_long_tmx(), *samples.of_format("tmx")], "xml"),
        Target("quick-xliff", _xliff, lambda: [*_some_xliff()], "xml"),
        Target("quick-tei", _tei, lambda: [*_long_tei(), *samples.of_format("tei")], "xml"),
        Target("quick-xces", _xces, lambda: [*_long_xces(), *samples.of_format("xces")], "xml"),
        Target("quick-documents", _documents, _some_documents, "xml"),
    ]


def _source(content, *, quick):
    """Open a content to be read in pieces of some size; not quick: by the parser alone."""
    size = _SIZES[coin(content, len(_SIZES), 1)]
    return Source("made", io.BytesIO(content), block_size=size, by_parser=not quick)


def _compared(read, content, **options):
    """Read in both ways; hold them to be equal."""
    found = []
    for quick in (True, False):
        with _source(content, quick=quick) as source, named("made"):
            try:
                found.append(told(list(read(source, ReadOptions(**options)))))
            except FormatError as error:
                # The parser looks further ahead: of two errors it may meet the other one first.
                found.append(told(error)[0])
    if found[0] != found[1]:
        raise Wrong(f"quickly: {_shown(*found)} by the parser: {_shown(*reversed(found))}")


def _shown(one, other):
    """Show one of two answers from where they differ."""
    one, other = repr(one), repr(other)
    at = next((k for k in range(min(len(one), len(other))) if one[k] != other[k]), 0)
    return one[max(0, at - 40) : at + 120]


def _tmx(content):
    _compared(tmx_fast.read, content, **_LANGUAGES[coin(content, len(_LANGUAGES))])


def _xliff(content):
    name = "xliff2" if b"trgLang" in content else "xliff12"
    _compared(by_name(name).read, content, lines=True)


def _tei(content):
    _compared(tei_reading.read_bitexts, content, roots=ROOTS, lines=True)


def _xces(content):
    _compared(by_name("xces").read, content, roots=ROOTS, lines=True)


def _documents(content):
    found = []
    for quick in (True, False):
        with _source(content, quick=quick) as source, named("made"):
            try:
                text = read_document(source)
            except BitextError as error:
                found.append(("refused", getattr(error, "line", None)))
                continue
        paragraphs = text.paragraphs and list(text.paragraphs.masses)
        notes = [(note.kind, note.count, note.first) for note in source.notes.all()]
        found.append((list(text.ids), list(text.segments()), paragraphs, text.lang, notes))
    if found[0] != found[1]:
        raise Wrong(f"quickly: {_shown(*found)} by the parser: {_shown(*reversed(found))}")


# Long enough, and regular enough, for the quick ways to learn what is regular.


def _long_tmx():
    draw = random.Random(1)
    words = ["a", "R&amp;D", "&lt;b>", "é😀", " x ", "", "&#233;", "two words", "\n"]
    shapes = [
        (
            '<tu tuid="{k}"><tuv xml:lang="en"><seg>{a}</seg></tuv><tuv xml:lang="fr"><seg>{b}'
            "</seg></tuv></tu>"
        ),
        (
            '<tu>\n <prop type="x-score">0.{k}</prop>\n <tuv xml:lang="en"><seg>{a}</seg></tuv>\n'
            ' <tuv xml:lang="fr"><seg><bpt i="1">&lt;</bpt>{b}<ept i="1"/></seg></tuv>\n</tu>'
        ),
    ]
    for shape in shapes:
        units = (
            shape.format(k=k, a=draw.choice(words), b=draw.choice(words)) for k in range(1, 30)
        )
        head = '<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="en"/><body>\n'
        yield f"{head}{chr(10).join(units)}\n</body></tmx>\n".encode()


def _some_xliff():
    parts = [
        (
            '<xliff version="1.2"><file source-language="en" target-language="fr"><body>',
            (
                '<trans-unit id="{k}"><source>a{k}</source><target>b</target><context-group '
                'purpose="information"><context context-type="x-bitext.score">0.{k}</context>'
                "</context-group></trans-unit>"
            ),
            "</body></file></xliff>",
        ),
        (
            (
                '<xliff version="2.0" srcLang="en" trgLang="fr" '
                'xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f">'
            ),
            (
                '<unit id="{k}"><notes><note>{k}</note></notes><segment state="final">'
                "<source>a &amp; b</source><target>c</target></segment></unit>"
            ),
            "</file></xliff>",
        ),
    ]
    for opening, unit, closing in parts:
        units = [unit.format(k=k) for k in range(1, 30)]
        yield "\n".join([opening, *units, closing]).encode()
    for name in ("xliff12", "xliff2"):
        yield from samples.of_format(name)


def _long_xces():
    links = "\n".join(f'<link id="L{k}" xtargets="s{k} t{k};{k}" x="y"/>' for k in range(1, 40))
    groups = f'<linkGrp targType="s" fromDoc="a.xml" toDoc="b.xml">\n{links}\n</linkGrp>\n'
    yield f'<?xml version="1.0"?>\n<cesAlign version="1.0">\n{groups * 2}</cesAlign>'.encode()


def _long_tei():
    sides = [
        "\n".join(f'<s xml:id="{side}{k}">{side} &amp; <w>{k}</w></s>' for k in range(1, 25))
        for side in "ef"
    ]
    links = "\n".join(f'<link target="#e{k} #f{k}" cert="0.5"/>' for k in range(1, 25))
    texts = "".join(
        f'<text xml:id="{name}" xml:lang="{name}"><body><p>{side}</p></body></text>'
        for name, side in zip(("en", "fr"), sides, strict=True)
    )
    yield (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><group>{texts}</group><back>'
        f'<linkGrp type="alignment" domains="#en #fr">{links}</linkGrp></back></text></TEI>'
    ).encode()


def _some_documents():
    rows = "\n".join(
        f'<p><s id="s{k}.1">a &lt; {k}</s> <s id="s{k}.2">b</s></p>' for k in range(25)
    )
    words = "\n".join(
        f'<s id="{k}"><w span="0:1" tok="x">a</w> <w span="2:3">bc</w></s>' for k in range(25)
    )
    made = [f"<text>{rows}</text>", f'<?xml version="1.0"?>\n<text lang="en">{words}</text>']
    fixtures = [samples.fixture("mill", lang, "mill.xml") for lang in ("en", "fr")]
    return [text.encode() for text in (*made, *samples.DOCUMENTS)] + fixtures
