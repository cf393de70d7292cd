"""Reading TMX: its traps one by one, awkward files, and files of other makers."""

import gzip
import json
import sys

import pytest

from bitext.errors import FormatError
from bitext.formats.registry import ReadOptions, by_name, sniff
from formats.samples import kinds, opened, read, read_all
from reference import tmx_slow
from reference.shared_data import data, shared_data

HEADER = '<header srclang="en"/>'


def tmx(*units, header=HEADER, root="<tmx>"):
    return f"{root}{header}<body>{''.join(units)}</body></tmx>"


def tu(en="<seg>a</seg>", fr="<seg>b</seg>", attributes="", inside=""):
    sides = (f'<tuv xml:lang="{lang}">{seg}</tuv>' for lang, seg in (("en", en), ("fr", fr)) if seg)
    return f"<tu{attributes}>{inside}{''.join(sides)}</tu>"


def columns(bt):
    return {name: list(values) for name, values in bt.alignment.attributes.items()}


def cases():
    path = shared_data("formats", "ugly", "expected.jsonl")
    if not path.exists():
        return []
    found = map(json.loads, filter(None, path.read_text(encoding="utf-8").split("\n")))
    return [case for case in found if case["format"] == "tmx"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["file"])
def test_awkward_files(case):
    from bitext.formats.io.source import open_source

    options = ReadOptions(src_lang="en", tgt_lang="fr")
    with open_source(data("formats", "ugly", case["file"])) as source:
        if case["verdict"] == "refuse":
            with pytest.raises(FormatError):
                list(by_name("tmx").read(source, options))
            return
        (bt,) = by_name("tmx").read(source, options)
    assert [[src, tgt] for src, tgt in bt.pairs()] == case["units"]
    assert bool(bt.notes) == (case["verdict"] == "warn")


def real_files():
    return sorted(shared_data("formats", "tmx").glob("*.tmx"))


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_files_of_other_makers(path):
    content = path.read_bytes()
    codes = tmx_slow.languages(content)
    assert sniff(content, "x").name == "tmx"
    if not codes:
        assert read("tmx", content).pairs() == []
        return
    src, tgt = codes[:2]
    bt = read("tmx", content, src_lang=src, tgt_lang=tgt)
    assert bt.pairs() == tmx_slow.pairs(content, src, tgt)
    assert (bt.src.lang.lower(), bt.tgt.lang.lower()) >= (src, tgt)


def test_there_are_files_of_other_makers():
    data("formats", "tmx")
    assert len(real_files()) > 30


def test_marks_are_kept_beside_the_text():
    written = "A <bpt i=\"1\">&lt;b></bpt><hi>B</hi><ept i='1'/><ut>{\\i}</ut>."
    bt = read("tmx", tmx(tu(f"<seg>{written}</seg>")))
    assert bt.src[0].text == "A B."
    assert bt.src.marked == ['A <bpt i="1">&lt;b&gt;</bpt><hi>B</hi><ept i="1"/><ph>{\\i}</ph>.']
    assert bt.tgt.marked is None


@pytest.mark.parametrize(
    ("written", "text", "marked"),
    [
        ("<bpt>q</bpt>x", "x", '<it pos="begin">q</it>x'),
        ("<ept>q</ept>x", "x", '<it pos="end">q</it>x'),
        ("<it>q</it>x", "x", "<ph>q</ph>x"),
        ("a<sub>q</sub>x", "ax", "a<ph><sub>q</sub></ph>x"),
        (
            '<g id="1">q</g>x',
            "qx",
            '<bpt i="1">&lt;g id="1"&gt;</bpt>q<ept i="1">&lt;/g&gt;</ept>x',
        ),
        ('<x id="1"/>x', "x", '<ph>&lt;x id="1"/&gt;</ph>x'),
        ("<ph>a<ph>b</ph></ph>x", "x", "<ph>a&lt;ph&gt;b&lt;/ph&gt;</ph>x"),
        ('<ph id="7"/>x', "x", '<ph>&lt;ph id="7"/&gt;</ph>x'),
        (
            '<hi rend="b">q</hi>x',
            "qx",
            '<bpt i="1">&lt;hi rend="b"&gt;</bpt>q<ept i="1">&lt;/hi&gt;</ept>x',
        ),
    ],
)
def test_marks_that_tmx_does_not_have_become_such_and_are_told(written, text, marked):
    bt = read("tmx", tmx(tu(f"<seg>{written}</seg>")))
    assert (bt.src[0].text, bt.src.marked) == (text, [marked])
    assert bt.notes


def test_attributes_props_and_notes_are_columns():
    inside = (
        '<prop type="p">1</prop><note xml:lang="en">n</note><prop type="p">2</prop>'
        '<prop type="x-score">0.25</prop><prop type="q#2">3</prop><prop type="x-column-c">4</prop>'
    )
    unit = tu(
        '<note>m</note><prop type="p">5</prop><seg>a</seg>', attributes=' tuid="7"', inside=inside
    )
    bt = read("tmx", tmx(unit, tu()))
    assert columns(bt) == {
        "tuid": ["7", None],
        "prop:p": ["1", None],
        "prop:p#2": ["2", None],
        "note": ["n", None],
        "note@xml:lang": ["en", None],
        "prop:q#2#1": ["3", None],
        "c": ["4", None],
        "src.note": ["m", None],
        "src.prop:p": ["5", None],
    }
    assert bt.alignment.scores.tolist()[0] == 0.25


def test_a_score_that_is_none_stays_a_prop():
    bt = read("tmx", tmx(tu(inside='<prop type="x-score">good</prop>')))
    assert columns(bt) == {"prop:x-score": ["good"]}
    assert bt.alignment.scores is None


def test_the_header_is_metadata():
    header = (
        '<header srclang="en" segtype="block" o-tmf="t"><prop type="p">1</prop><note>n</note>'
        '<ude name="u"><map unicode="#xF8FF" code="#xF0"/></ude></header>'
    )
    bt = read("tmx", tmx(tu(), header=header, root='<tmx version="1.4">'))
    assert dict(bt.meta) == {
        "srclang": "en",
        "segtype": "block",
        "o-tmf": "t",
        "version": "1.4",
        "prop:p": "1",
        "note": "n",
        "ude": '<ude name="u"><map unicode="#xF8FF" code="#xF0"/></ude>',
    }
    assert not bt.notes


def three(*codes):
    inside = "".join(f'<tuv xml:lang="{code}"><seg>{code}</seg></tuv>' for code in codes)
    return f"<tu>{inside}</tu>"


def test_more_than_two_languages_have_to_be_chosen():
    content = tmx(three("en", "fr", "de"))
    with pytest.raises(FormatError, match=r"3 languages: en, fr, de; choose two \(src_lang= and"):
        read("tmx", content)
    with pytest.raises(FormatError, match=r"choose two \(tgt_lang=\)"):
        read("tmx", content, src_lang="de")
    bt = read("tmx", content, src_lang="de", tgt_lang="fr")
    assert bt.pairs() == [(["de"], ["fr"])]
    assert columns(bt) == {"lang:en": ["en"]}
    assert not bt.notes


def test_a_third_language_that_turns_up_late_is_a_column():
    bt = read("tmx", tmx(three("en", "fr"), three("de", "en", "fr", "de")))
    assert bt.pairs() == [(["en"], ["fr"])] * 2
    assert columns(bt) == {"lang:de": [None, "de"], "lang:de#2": [None, "de"]}
    assert any("appear late" in kind for kind in kinds(bt))


def test_texts_in_another_kind_of_the_language_are_noted_and_the_remedy_works():
    header = '<header srclang="en-US"/>'
    content = tmx(three("en-US", "de-DE"), three("en-GB", "de-DE"), header=header)
    bt = read("tmx", content)
    assert bt.pairs()[1] == ([], ["de-DE"])
    told = "another kind of one of the two languages, read as columns (src_lang='en', tgt_lang='de'"
    assert any(told in kind for kind in kinds(bt))
    bt = read("tmx", content, src_lang="en", tgt_lang="de")
    assert bt.pairs()[1] == (["en-GB"], ["de-DE"])


@pytest.mark.parametrize(("first", "then"), [("iw", "he"), ("he", "iw-IL"), ("no", "nb")])
def test_two_codes_of_one_language_are_one(first, then):
    bt = read("tmx", tmx(three("en", first), three("en", then)))
    assert bt.pairs() == [(["en"], [first]), (["en"], [then])]
    assert bt.tgt.lang == first
    assert any("codes of languages that say more" in kind for kind in kinds(bt))


@pytest.mark.parametrize(
    ("claim", "units", "langs"),
    [
        ("fr", [("en", "fr")], ("fr", "en")),
        ("*all*", [("en", "fr")], ("en", "fr")),
        ("de", [("en", "fr")], ("en", "fr")),
        ("fr", [("en",), ("en", "fr")], ("fr", "en")),
        ("en", [("en",), ("fr",)], ("en", "fr")),
        ("en-us", [("en-gb", "EN-US")], ("EN-US", "en-gb")),
        ("en", [("en-GB", "fr")], ("en-GB", "fr")),
    ],
)
def test_which_language_is_the_source(claim, units, langs):
    content = tmx(*(three(*codes) for codes in units), header=f'<header srclang="{claim}"/>')
    bt = read("tmx", content)
    assert (bt.src.lang, bt.tgt.lang) == langs
    assert len(bt.alignment) == len(units)


def test_a_unit_may_say_its_source_itself():
    unit = three("en-gb", "en-us").replace("<tu>", '<tu srclang="en-us">')
    bt = read("tmx", tmx(unit, header='<header srclang="es"/>'))
    assert bt.pairs() == [(["en-us"], ["en-gb"])]


def test_a_language_of_its_own_is_a_column():
    bt = read("tmx", tmx(three("en-GB", "fr"), three("en-US", "fr")), src_lang="en", tgt_lang="fr")
    assert columns(bt) == {"src.xml:lang": [None, "en-US"]}
    assert bt.src.lang == "en-GB"


def test_one_language_on_both_sides_is_by_order():
    bt = read("tmx", tmx(three("en", "en")), src_lang="en", tgt_lang="en")
    assert bt.pairs() == [(["en"], ["en"])]


def test_variants_pair_off():
    bt = read("tmx", tmx(three("en", "fr", "fr")), src_lang="en", tgt_lang="fr")
    assert len(bt.alignment) == 2
    bt = read("tmx", tmx(three("en", "en", "fr", "fr")), src_lang="en", tgt_lang="fr")
    assert len(bt.alignment) == 2


def test_no_tuv_is_no_segment_and_an_empty_seg_is_one():
    bt = read("tmx", tmx(tu(), tu(fr=None), tu(fr="<seg/>"), tu(en="<seg></seg>")))
    assert bt.pairs() == [(["a"], ["b"]), (["a"], []), (["a"], [""]), ([""], ["b"])]
    assert sum(kinds(bt).values()) == 1


def test_text_without_a_seg_is_one():
    bt = read("tmx", tmx(tu(en="loose")))
    assert bt.pairs() == [(["loose"], ["b"])]
    assert "texts that stand in a tuv without a seg, taken as one" in kinds(bt)


def test_units_that_cannot_be_read_are_refused_or_left_out():
    nested = f"<tu>{tu()}{three('en', 'fr')}</tu>"
    bare = "<tu><tuv><seg>x</seg></tuv></tu>"
    with pytest.raises(FormatError, match="line 1: has a tu within a tu"):
        read("tmx", tmx(nested))
    with pytest.raises(
        FormatError, match='has a tuv without a language; want one, as xml:lang="en"'
    ):
        read("tmx", tmx(bare))
    refused = []
    with opened(tmx(tu(), nested, bare, tu())) as source:
        source.on_bad = refused.append
        (bt,) = by_name("tmx").read(source, ReadOptions())
    assert (len(bt.alignment), len(refused)) == (2, 2)


def test_another_root_is_refused():
    with pytest.raises(FormatError, match="has no root element tmx"):
        read("tmx", "<xliff><body/></xliff>")


def test_a_file_that_ends_too_early_is_refused():
    with pytest.raises(FormatError, match=r"is not well-formed XML: .*get the whole of it"):
        read("tmx", tmx(tu(), tu())[:-30])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_encodings(encoding):
    content = tmx(tu(en="<seg>é 😀</seg>")).encode(encoding)
    assert read("tmx", content).pairs() == [(["é 😀"], ["b"])]


def test_namespaces_on_the_root_do_not_matter():
    bt = read("tmx", tmx(tu(), root='<tmx xmlns="urn:x" xmlns:y="urn:y">'))
    assert (len(bt.alignment), bt.notes) == (1, ())


@pytest.mark.parametrize("unit", [tu(), tu(inside="<!-- c -->")])
def test_long_files_come_in_parts_that_go_on(unit):
    content = tmx(*[unit] * 5_001)
    parts = read_all("tmx", content, parts=True)
    assert len(parts) > 1
    assert sum(len(part.alignment) for part in parts) == 5_001
    assert [part.continues for part in parts] == [False] + [True] * (len(parts) - 1)
    assert {(part.src.lang, part.tgt.lang) for part in parts} == {("en", "fr")}
    assert len(read_all("tmx", content)) == 1


def test_lines_of_units():
    bt = read("tmx", tmx("\n", tu(), "\n\n", tu(), "<!-- c -->\n", tu()), lines=True)
    assert bt.lines.tolist() == [2, 4, 5]


def test_quick_files_need_no_parser(tmp_path):
    import subprocess

    path = tmp_path / "a.tmx.gz"
    inline = '<seg>a <bpt i="1">&lt;b&gt;</bpt>c<ept i="1"/></seg>'
    path.write_bytes(gzip.compress(tmx(*[tu(), tu(inline)] * 3000).encode()))
    code = (
        "import sys\nfrom bitext.formats.io.source import open_source\n"
        "from bitext.formats.registry import ReadOptions\nfrom bitext.formats.tmx import FORMAT\n"
        f"with open_source({str(path)!r}) as source:\n"
        "    print(sum(len(b.alignment) for b in FORMAT.read(source, ReadOptions(parts=True))))\n"
        "print('lxml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["6000", "False"]


def test_attributes_of_segments_are_noted():
    seg = '<tuv xml:lang="{}"><seg q="1">{}</seg></tuv>'
    bt = read("tmx", tmx(f"<tu>{seg.format('en', 'a')}{seg.format('fr', 'b')}</tu>"))
    assert bt.pairs() == [(["a"], ["b"])]
    assert [(n.count, n.first[-3:]) for n in bt.notes if "attributes of seg" in n.kind] == [
        (2, ": q")
    ]
