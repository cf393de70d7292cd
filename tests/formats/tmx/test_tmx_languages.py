"""Units in several languages: read by their layout as by the parser, and all languages at once."""

from __future__ import annotations

import random

import pytest

from bitext.formats.reading import FileOptions, opened

HEAD = '<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="de"/><body>\n'
SEGMENTS = (
    "Ja &amp; nein.", "Hm.", "", 'A <bpt i="1">x</bpt>b<ept i="1"/>', "<ph>1</ph>", "zwei\nZeilen",
    "a&#10;b",
)  # fmt: skip
WAYS = (
    {"every_language": True},
    {"src_lang": "de", "tgt_lang": "en"},
    {"src_lang": "fr", "tgt_lang": "de"},
)


def unit(draw):
    """Return a unit that lacks some languages, rarely with what the layout does not foresee."""
    langs = [lang for lang in ("de", "en", "fr", "it") if draw.random() < 0.8]
    if draw.random() < 0.3:
        langs = draw.sample(["de", "en", "fr", "en-GB"], draw.choice([0, 1, 2, 3, 4, 4, 4]))
    texts = []
    for lang in langs:
        segment = draw.choice(SEGMENTS if draw.random() < 0.05 else ("Ja.", "Nein &lt;."))
        more = ' creationdate="20200101T000000Z"' if draw.random() < 0.01 else ""
        texts.append(f'<tuv xml:lang="{lang}"{more}><seg>{segment}</seg></tuv>')
    return "<tu>\n" + "\n".join(texts) + "</tu>\n"


def contents(path, *, by_parser=False, block_size=0, **options):
    """Return all rows with their lines, columns and codes, and the notes by kind."""
    rows, notes = [], {}
    reading = FileOptions(parts=True, part_size=50, lines=True, **options)
    with opened(path, reading) as file:
        file.source.by_parser, file.source.block_size = by_parser, block_size
        for bitext in file:
            lines = bitext.lines.tolist()
            columns = bitext.alignment.attributes
            for k, (bead, pair) in enumerate(zip(bitext.alignment, bitext.pairs(), strict=True)):
                own = {name: held[k] for name, held in columns.items() if held[k] is not None}
                codes = [
                    [text.marked[m] for m in side] if text.marked and side else []
                    for text, side in ((bitext.src, bead.src), (bitext.tgt, bead.tgt))
                ]
                rows.append((pair, lines[k], own, [each if any(each) else [] for each in codes]))
            for note in bitext.notes:
                notes[note.kind] = notes.get(note.kind, 0) + note.count
    return rows, notes


@pytest.mark.parametrize("seed", range(40))
def test_units_are_read_by_their_layout_as_by_the_parser(tmp_path, seed):
    draw = random.Random(seed)
    path = tmp_path / "m.tmx"
    units = (unit(draw) for _ in range(draw.choice([30, 150, 400])))
    path.write_text(f"{HEAD}{''.join(units)}</body></tmx>", "utf-8")
    for way in WAYS:
        # Blocks of a kilobyte: layouts are learnt from the first pieces alone.
        quick = contents(path, block_size=1024, **way)
        assert quick == contents(path, by_parser=True, **way)


@pytest.mark.parametrize("text", ["", "x"])
def test_an_empty_segment_with_attributes_is_not_missing(tmp_path, text):
    """Others of the file lack a text, and this one has a variant that says more than its text."""
    path = tmp_path / "m.tmx"
    dated = '<tuv xml:lang="fr" creationdate="20200101T000000Z"><seg>{}</seg></tuv>'
    sides = '<tu><tuv xml:lang="en"><seg>a</seg></tuv>{}</tu>'
    french = ['<tuv xml:lang="fr"><seg>b</seg></tuv>', dated.format("c"), dated.format(text), ""]
    path.write_text(f"{HEAD}{''.join(map(sides.format, french))}</body></tmx>", "utf-8")
    languages = {"every_language": True, "src_lang": "en", "tgt_lang": "fr"}
    rows, _ = quick = contents(path, **languages)
    assert [pair for pair, *_ in rows] == [
        (["a"], [b] if b is not None else []) for b in ("b", "c", text, None)
    ]
    assert quick == contents(path, by_parser=True, **languages)


def test_a_missing_text_is_none_where_no_layout_so_far_has_one_in_its_language(tmp_path):
    """The first unit is parsed; the prop makes the other text of the next one certain."""
    path = tmp_path / "m.tmx"
    english = '<tuv xml:lang="en"><prop type="p">1</prop><seg>a</seg></tuv>'
    first = f'<tu>{english}<tuv xml:lang="de"><seg><ph x="1"/>b</seg></tuv></tu>'
    path.write_text(f"{HEAD}{first}{f'<tu>{english}</tu>' * 2}</body></tmx>", "utf-8")
    languages = {"every_language": True, "src_lang": "en", "tgt_lang": "de"}
    rows, _ = quick = contents(path, block_size=64, **languages)
    assert [pair for pair, *_ in rows] == [(["a"], ["b"]), (["a"], []), (["a"], [])]
    assert quick == contents(path, by_parser=True, **languages)


def test_a_variant_without_a_segment_is_noted_whatever_else_it_has(tmp_path):
    path = tmp_path / "m.tmx"
    german = '<tuv xml:lang="de"><prop type="p">1</prop>{}</tuv>'
    unit = '<tu>{}<tuv xml:lang="en"><seg>b</seg></tuv></tu>'
    german = [german.format("<seg>a</seg>"), german.format("")]
    path.write_text(f"{HEAD}{''.join(map(unit.format, german * 9))}</body></tmx>", "utf-8")
    _, notes = quick = contents(path, block_size=64, every_language=True)
    assert notes == {"tuv without a seg, taken as no segment": 9}
    assert quick == contents(path, by_parser=True, every_language=True)


def test_a_unit_of_further_languages_alone_has_an_empty_source_segment(tmp_path):
    path = tmp_path / "m.tmx"
    texts = {"de": "Ja.", "en": "Yes.", "fr": "Oui."}
    units = (texts, {"fr": "Non."}, {"en": "No."})
    body = "".join(
        "<tu>" + "".join(f'<tuv xml:lang="{a}"><seg>{b}</seg></tuv>' for a, b in each.items())
        + "</tu>"
        for each in units
    )  # fmt: skip
    path.write_text(f"{HEAD}{body}</body></tmx>", "utf-8")
    rows, notes = contents(path, every_language=True)
    assert rows == [
        ((["Ja."], ["Yes."]), 3, {"lang:fr": "Oui."}, [[], []]),
        (([""], []), 3, {"lang:fr": "Non."}, [[], []]),
        (([], ["No."]), 3, {}, [[], []]),
    ]
    assert notes == {}
