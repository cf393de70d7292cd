"""XLIFF read by layouts, against the parser alone: both read the same, or refuse the same line."""

import io
import random

import pytest

from bitext.errors import FormatError
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.formats.xliff import Documents, xliff2, xliff12

WORDS = ["a", "R&amp;D", "&lt;b>", "é😀", " x ", "", "&#233;", "two words", "\n", "&#10;"]
RARE = ["<!-- c -->", "<![CDATA[<]]>", "\r\n", "\r"]
CODES = {
    1: [
        '<x id="1"/>',
        '<g id="2">g</g>',
        '<bpt id="3">&lt;</bpt>',
        '<mrk mtype="seg" mid="1">m</mrk>',
    ],
    2: ['<ph id="1"/>', '<pc id="2">g</pc>', '<sc id="3"/>', '<cp hex="001A"/>', '<cp hex="zz"/>'],
}
# Units as programs write them, with `{id}`, `{a}` and `{b}` for the texts, `{v}` for a value.
LAYOUTS = {
    1: [
        '<trans-unit id="{id}"><source>{a}</source><target>{b}</target></trans-unit>',
        (
            '<trans-unit id="{id}" resname="r{v}">\n <source xml:lang="en">{a}</source>\n'
            ' <target state="translated">{b}</target>\n <note>{v}</note>\n</trans-unit>'
        ),
        (
            '<trans-unit id="{id}"><source>{a}</source><target>{b}</target><context-group'
            ' purpose="information"><context context-type="x-bitext.score">{v}</context>'
            '<context context-type="x-bitext-c">{a}</context></context-group></trans-unit>'
        ),
        (
            '<trans-unit id="{id}" x-bitext.score="0.5"><source>{a}</source><target>{b}</target>'
            "</trans-unit>"
        ),
        '<trans-unit id="{id}" approved="no"><source>{a}</source><target>{b}</target></trans-unit>',
        '<trans-unit><source>{a}</source><target state="new">{b}</target></trans-unit>',
        '<trans-unit id=""><source>{a}</source></trans-unit>',
        '<trans-unit id="{id}"><source xml:lang="de">{a}</source><target>{b}</target></trans-unit>',
    ],
    2: [
        '<unit id="{id}"><segment><source>{a}</source><target>{b}</target></segment></unit>',
        (
            '<unit id="{id}" name="{v}"><segment id="s{v}" state="final">\n <source>{a}</source>\n'
            " <target>{b}</target>\n</segment></unit>"
        ),
        (
            '<unit id="{id}"><mda:metadata><mda:metaGroup category="bitext">'
            '<mda:meta type="score">{v}</mda:meta><mda:meta type="column:c">{a}</mda:meta>'
            "</mda:metaGroup></mda:metadata>"
            "<segment><source>{a}</source><target>{b}</target></segment></unit>"
        ),
        (
            '<unit id="{id}"><notes><note>{v}</note></notes><segment><source>{a}</source>'
            "<target>{b}</target></segment></unit>"
        ),
        (
            '<unit id="{id}"><segment state="initial"><source>{a}</source><target>{b}</target>'
            "</segment></unit>"
        ),
        (
            '<unit id="{id}"><segment><source>{a}</source></segment><segment><source>{b}</source>'
            '<target order="1">{a}</target></segment></unit>'
        ),
    ],
}
LANGS = 'source-language="en" target-language="fr"'
DAMAGE = [
    "<",
    "&",
    '"',
    "</source>",
    "</file>",
    "<group>",
    "</trans-unit>",
    "<unit>",
    "\x01",
    "&x;",
]
OPTIONS = [
    {},
    {"parts": True, "part_size": 7},
    {"drafts": True},
    {"lines": True},
    {"lines": True, "parts": True, "part_size": 3},
    {"src_lang": "en", "tgt_lang": "fr"},
]


def made(draw, version, *, damaged=False):
    """Draw a file; most of its units have one of a few layouts."""
    words = WORDS + draw.choice([[], [], [], RARE])
    codes = draw.choice([0, 0, 0.1])
    layouts = draw.sample(LAYOUTS[version], draw.randint(1, 3))
    joint = draw.choice(["\n", "\n", "", "\n  "])

    def text():
        taken = draw.choices(words, k=draw.randint(0, 3))
        return "".join(taken + [draw.choice(CODES[version])] * (draw.random() < codes))

    def unit(number):
        made_up = draw.choice([number, f"n{number}", f"bitext.{number}", "1", "bitext.1-2.a"])
        name = number if draw.random() < 0.9 else made_up
        value = draw.choice(["0.5", "1", "q", "", "&amp;", "-1e3", "nan"])
        return draw.choice(layouts).format(id=name, a=text(), b=text(), v=value)

    def file(number):
        units = joint.join(unit(k) for k in range(draw.choice([0, 5, 30])))
        if draw.random() < 0.1:
            units += f"{joint}<group>{unit(99)}</group>"
        if version == 2:
            head = draw.choice(["", "<notes><note>h</note></notes>"])
            return f'<file id="f{number}">{head}\n{units}\n</file>'
        head = draw.choice(["", "<header/>", "<header>\n<note>h</note></header>"])
        langs = draw.choice([LANGS, ""])
        return f'<file original="f{number}" {langs}>{head}<body>\n{units}\n</body></file>'

    files = "\n".join(file(k) for k in range(draw.choice([1, 1, 1, 2])))
    root = {
        1: '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">',
        2: '<xliff version="2.0" srcLang="en" trgLang="fr" '
        'xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mda="urn:m">',
    }[version]
    content = f'<?xml version="1.0" encoding="UTF-8"?>\n{root}{files}</xliff>\n'
    if damaged:
        at = draw.randrange(len(content))
        content = content[:at] + draw.choice(DAMAGE) + content[at + draw.randint(0, 3) :]
    return content


def seen(content, version, *, quick, size, **options):
    """Return all that is read of a file, or what is wrong with it."""
    form = {1: xliff12, 2: xliff2}[version].FORMAT
    refused = []
    with Source("a", io.BytesIO(content.encode()), block_size=size, by_parser=not quick) as source:
        source.on_bad = refused.append
        try:
            found = list(form.read(source, ReadOptions(**options)))
        except FormatError as error:
            return str(error)
        left = [str(note) for note in source.notes]
    return [
        (
            [
                (list(text.segments()), text.marked, text.lang, text.name)
                for text in (bt.src, bt.tgt)
            ],
            [text.has_ids and list(text.ids) for text in (bt.src, bt.tgt)],
            [(bead.src, bead.tgt) for bead in bt.alignment],
            repr(bt.alignment.scores),
            [(name, list(column)) for name, column in bt.alignment.attributes.items()],
            (bt.name, bt.meta, bt.continues, bt.lines is not None and bt.lines.tolist()),
            [str(note) for note in bt.notes],
        )
        for bt in found
    ], (left, [str(error) for error in refused])


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("damaged", [False, True])
def test_both_ways_read_the_same(version, damaged):
    draw = random.Random(f"{version} {damaged}")
    for _ in range(150):
        content = made(draw, version, damaged=damaged)
        options = {"size": draw.choice([1 << 16, 200, 1000]), **draw.choice(OPTIONS)}
        by_parser = seen(content, version, quick=False, **options)
        assert seen(content, version, quick=True, **options) == by_parser, content


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_units_of_one_layout_are_not_parsed(version, k, monkeypatch):
    parsed = []
    read_unit = Documents.read_unit
    monkeypatch.setattr(
        Documents, "read_unit", lambda own, unit: parsed.append(unit) or read_unit(own, unit)
    )
    layout = LAYOUTS[version][k]
    units = [layout.format(id=k, a=f"a &amp; {k}", b=f"b{k}", v=f"0.{k}") for k in range(9, 99)]
    units[40] = units[40].replace("b49", CODES[version][0])
    closing = "</body></file></xliff>" if version == 1 else "</file></xliff>"
    opening = made(random.Random(k), version).partition("<file")[0] + f"<file {LANGS}>"
    content = opening + "<body>" * (version == 1) + "\n".join(["", *units, closing])
    ((bitext,), _) = seen(content, version, quick=True, size=1 << 16, lines=True)
    assert len(parsed) == 1
    assert ([bitext], ([], [])) == seen(content, version, quick=False, size=1 << 16, lines=True)


@pytest.mark.parametrize("version", [1, 2])
def test_texts_between_units_are_noted_both_ways(version):
    units = [LAYOUTS[version][0].format(id=k, a=f"a{k}", b="b") for k in range(90)]
    units[40] = f" t {units[40]}<group> u {units[0].replace('a0', 'g')} v </group> w "
    closing = " x </body></file></xliff>" if version == 1 else " x </file></xliff>"
    opening = made(random.Random(1), version).partition("<file")[0] + f"<file {LANGS}>"
    content = opening + "<body>" * (version == 1) + "\n".join(["", *units, closing])
    quick, slow = (
        seen(content, version, quick=quick, size=1 << 10, lines=True) for quick in (True, False)
    )
    assert quick == slow
    ((*_, notes),), _ = quick
    line = 2 + opening.count("\n") + 40
    assert f"texts between units, left out: 5, first a line {line}: t" in notes
