"""TMX by expressions and by a parser: what they read is equal."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats.io.source import Notes, Source
from bitext.formats.registry import ReadOptions
from bitext.formats.tmx.fast import read
from reference import tmx_files

FOREIGN = "elements that are not read, left out"


def shown(content, *, quick, size=0, **options):
    """Read a file; return all that is known of it, or its error."""
    refused, stream = [], io.BytesIO(content.encode("utf-8", "surrogatepass"))
    with Source("made", stream, block_size=size, by_parser=not quick) as source:
        source.on_bad = refused.append
        try:
            found = list(read(source, ReadOptions(lines=True, **options)))
        except FormatError as error:
            return str(error)
    # A parser may tell of an element that is not read as late as at the end of the file, after the
    # part that it stands in, or the last part, was yielded.
    notes = [note for bt in found for note in bt.notes] + list(source.notes)
    foreign = Notes()
    foreign.extend(note for note in notes if note.kind == FOREIGN)
    return [
        (
            [tuple(bead) for bead in bt.alignment],
            bt.lines.tolist(),
            list(bt.src.segments()),
            list(bt.tgt.segments()),
            bt.src.marked,
            bt.tgt.marked,
            (bt.src.lang, bt.tgt.lang),
            {name: list(column) for name, column in bt.alignment.attributes.items()},
            repr(bt.alignment.scores),
            dict(bt.meta),
            sorted(str(note) for note in bt.notes if note.kind != FOREIGN),
        )
        for bt in found
    ], [*map(str, foreign), *map(str, refused)]


LANGS = st.sampled_from([{}, {}, {"src_lang": "en", "tgt_lang": "fr"}, {"src_lang": "fr"}])


SIZES = st.sampled_from([1 << 6, 1 << 8, 1 << 10])  # of pieces: one unit, or several


def both(content, size, langs):
    return shown(content, quick=True, size=size, **langs), shown(content, quick=False, **langs)


@pytest.mark.parametrize("files", [tmx_files.files, tmx_files.damaged])
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data(), langs=LANGS, size=SIZES)
def test_both_ways_read_the_same_and_find_the_same_errors(files, data, langs, size):
    quick, slow = both(data.draw(files()), size, langs)
    assert quick == slow


@pytest.mark.parametrize("files", [tmx_files.files, tmx_files.damaged])
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data(), langs=LANGS, size=SIZES, part=st.integers(1, 5))
def test_both_ways_give_the_same_parts_with_the_same_lines_and_notes(
    files, data, langs, size, part
):
    content = data.draw(files())
    options = {"parts": True, "part_size": part, **langs}
    quick = shown(content, quick=True, size=size, **options)
    assert quick == shown(content, quick=False, **options)


def unit(text, more=""):
    sides = (f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang in ("en", "fr"))
    return f"<tu{more}>{''.join(sides)}</tu>"


@pytest.mark.parametrize("marks", tmx_files.CODES)
def test_marks_in_the_midst_of_regular_units(marks):
    units = [unit("a")] * 12 + [unit(f"b {marks} c")] + [unit("d")] * 12
    content = f'<tmx><header srclang="en"/><body>{"".join(units)}</body></tmx>'
    quick, slow = both(content, 1 << 9, {})
    assert quick == slow


@pytest.mark.parametrize(
    "odd",
    [
        unit("o", ' tuid="1"'),
        unit("o").replace("><tuv", "> <tuv"),
        "<tu></tu>",
        " t ",
        "<tu/>",
        '<tu><tuv xml:lang="fr"><seg>o</seg></tuv></tu>',
        '<tu><tuv xml:lang="en"><seg>o <ph/></seg></tuv></tu><tu><tuv xml:lang="fr"/></tu>',
        '<tu><tuv xml:lang="en"><seg>o</seg></tuv><tuv xml:lang="fr"></tuv></tu>',
    ],
)
def test_other_units_in_the_midst_of_regular_ones(odd):
    units = [unit("a")] * 12 + [odd] + [unit("d")] * 12
    content = f'<tmx><header srclang="en"/><body>{"".join(units)}</body></tmx>'
    quick, slow = both(content, 1 << 9, {})
    assert quick == slow


def test_texts_between_units_are_noted_both_ways():
    units = "".join(f"{'t ' * (k in {0, 13, 14})}{unit('a')}\n" for k in range(24))
    content = f'<tmx><header srclang="en"/><body>\n{units} end</body></tmx>'
    quick, slow = both(content, 1 << 9, {})
    assert quick == slow
    ((*_, notes),), _ = quick
    assert notes == ["texts between units, left out: 4, first made line 2: t"]


@pytest.mark.parametrize(
    "units",
    [
        unit("a").replace("<tuv ", '<tuv type="t" '),
        unit("a", ' type="t"'),
        unit("a", ' xmlns=""'),
        f"{unit('a')}<tu xmlns='urn:other'/>",
        f'{unit("a")}<tu xmlns="urn:other">{unit("b").removeprefix("<tu>")}',
        f"\n{unit('a')}\r{unit('b')}\r\n",
    ],
)
def test_attributes_and_returns_that_programs_rarely_write(units):
    content = f'<tmx><header srclang="en"/><body>{units * 12}</body></tmx>'
    quick, slow = both(content, 1 << 8, {})
    assert quick == slow


def test_comments_in_a_header_are_no_part_of_it():
    header = '<header srclang="en"><!-- c --><prop type="p">a<!-- b --></prop><?x y?></header>'
    quick, slow = both(f"<tmx>{header}<body>{unit('a') * 9}</body></tmx>", 1 << 9, {})
    assert quick == slow
    ((*_, meta, notes),), others = quick
    assert (meta["prop:p"], notes, others) == ("a", [], [])


def test_units_without_one_of_the_two_texts_are_read_without_the_parser(monkeypatch):
    lone = [f'<tu><tuv xml:lang="{x}"><seg>{x} <ph x="1"/></seg></tuv></tu>' for x in ("en", "fr")]
    units = ([unit("a")] * 3 + lone) * 9
    content = f'<tmx><header srclang="en"/><body>\n{chr(10).join(units)}</body></tmx>'
    slow = shown(content, quick=False)
    monkeypatch.setattr("bitext.formats.xml.fast.parse_tree", None)
    assert shown(content, quick=True, size=1 << 9) == slow
    assert "units with a text in one of the two languages only: 18, first made line 5" in str(slow)


def test_columns_are_in_the_order_of_source_and_target_whichever_text_comes_first():
    texts = [
        f'<tuv xml:lang="{lang}" creationid="x"><prop type="p">1</prop><seg>a</seg></tuv>'
        for lang in ("fr", "en")
    ]
    units = f'<tu tuid="1">{"".join(texts)}</tu>' * 20
    content = f'<tmx><header srclang="en"/><body>{units}</body></tmx>'
    for quick in (True, False):
        with Source("made", io.BytesIO(content.encode()), by_parser=not quick) as source:
            (bitext,) = read(source, ReadOptions())
        assert list(bitext.alignment.attributes) == [
            "tuid",
            "src.creationid",
            "src.prop:p",
            "tgt.creationid",
            "tgt.prop:p",
        ]


def test_a_column_may_be_named_as_texts_in_another_language_are():
    props = ("", '<prop type="x-column-lang:de#2"></prop>', "")
    units = [f"{prop}{unit('a')[4:]}" for prop in props * 9]
    content = f'<tmx><header srclang="en"/><body><tu>{"<tu>".join(units)}</body></tmx>'
    quick, slow = both(content, 1 << 9, {})
    assert quick == slow
    assert "'lang:de#2': [None, '', None" in repr(quick)


@pytest.mark.parametrize(
    "head",
    [
        '<header srclang="en"/>',
        "<header srclang='en' a='&amp;'>\n<prop type='x'>1 &lt;</prop><note>n</note></header>",
        '<header srclang="en"><ude name="x" base="y"><map unicode="1"/></ude> t <foo/></header>',
        '<header srclang="en"><note type="x">q</note><prop type="x-targetlang">fr</prop></header>',
        '<header srclang="en" x:a="1" xmlns:x="urn:x"><prop><b/>x</prop></header>',
        '<!-- c --><header srclang="en"/>',
        '<header srclang="en"/><header srclang="fr"/>',
        "t",
        "",
    ],
)
def test_headers_are_read_alike(head):
    content = f'<tmx version="1.4">{head}<body>{unit("a") * 20}</body></tmx>'
    quick, slow = both(content, 1 << 8, {})
    assert quick == slow


@pytest.mark.parametrize("name", ["t", "bod", "x"])
def test_errors_name_the_line_of_an_element_whose_name_begins_one_of_the_opening(name):
    odd = unit("\nb").replace("<tu>", f"<{name}>")
    units = "".join([unit("\na")] * 20)
    content = f'<tmx><header srclang="en"/><body>{units}{odd}</body></tmx>'
    quick, parsed = both(content, 1 << 6, {})
    assert quick == parsed
    assert f"mismatch: {name} line 41 and tu" in quick


@pytest.mark.parametrize("encoding", ["latin-1", "iso-8859-1", "utf_8", "l1", "x-none"])
def test_encodings_are_known_both_ways(encoding):
    """Found by fuzzing: by the names that Python has too, the parser refused what was read."""
    units = "".join([unit("a")] * 20)
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n<tmx><header srclang="en"/>'
    quick, parsed = both(f"{head}<body>{units}</body></tmx>", 1 << 8, {})
    assert quick == parsed
    assert isinstance(quick, str) == (encoding == "x-none")


def test_line_ends_in_types_of_props_mean_blanks():
    """Found by fuzzing: by expressions the column had the line end in its name."""
    texts = "".join(f'<tuv xml:lang="{x}"><seg>a</seg></tuv>' for x in ("en", "fr"))
    units = f'<tu><prop type="x-a\nb">1</prop>{texts}</tu>\n' * 9
    quick, slow = both(f'<tmx><header srclang="en"/><body>{units}</body></tmx>', 1 << 8, {})
    assert quick == slow
    assert "prop:x-a b" in str(quick)
