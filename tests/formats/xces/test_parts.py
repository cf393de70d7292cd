"""XCES in parts, with bad links left out, with word links, locators, and documents written."""

import io
import re
import xml.etree.ElementTree as ET
from itertools import chain
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Segmentation, Text
from bitext.errors import FormatError, InputError
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.opus_documents import read_document
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import ReadOptions, WriteOptions, by_name
from bitext.formats.writing import deliver
from formats.samples import beads, inline, units
from reference.shared_data import data

FORMAT = by_name("xces")


def group(links, src="en/a.xml", tgt="fr/a.xml"):
    return f'<linkGrp targType="s" fromDoc="{src}" toDoc="{tgt}">\n{links}</linkGrp>\n'


def align(*groups):
    return f'<cesAlign version="1.0">\n{"".join(groups)}</cesAlign>'


def numbered(first, last):
    return "".join(f'<link xtargets="{k};{k}" certainty="1"/>\n' for k in range(first, last))


def document(*ids):
    return "".join(["<text>", *(f'<s id="{k}">text of {k}</s>' for k in ids), "</text>"])


def read_all(content, *, bad=None, block_size=0, by_parser=False, **options):
    stream = io.BytesIO(content.encode())
    source = Source("a.xces", stream, block_size=block_size, by_parser=by_parser)
    source.on_bad = bad
    return list(FORMAT.read(source, ReadOptions(**options)))


def kinds(found):
    return [note.kind for note in found.notes if "not found" not in note.kind]


# Parts


def test_a_long_group_without_documents_comes_in_parts():
    content = align(group(numbered(1, 3001)), group(numbered(1, 3), "en/b", "fr/b"))
    sizes = {"parts": True, "part_size": 600, "block_size": 1 << 14}
    parts = read_all(content, **sizes)
    assert [part.continues for part in parts[-2:]] == [True, False]
    assert not parts[0].continues
    assert len(parts) > 4
    assert {part.name for part in parts[:-1]} == {"{en,fr}/a"}
    whole, _ = read_all(content)
    assert list(chain(*map(units, parts[:-1]))) == units(whole)
    assert max(len(part.src) for part in parts) < 1300
    by_parser = read_all(content, by_parser=True, **sizes)
    assert list(chain(*map(units, by_parser))) == list(chain(*map(units, parts)))


def test_a_group_with_documents_is_one_bitext(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en/a.xml").write_text(document(*range(1, 600)))
    content = align(group(numbered(1, 600)))
    (found,) = read_all(content, parts=True, part_size=5, roots=(tmp_path,))
    assert len(found.alignment) == 599


def test_in_parts_only_neighbours_are_merged():
    a, b = group(numbered(1, 3)), group(numbered(1, 3), "x", "y")
    found = read_all(align(a, a.replace('"1;1"', '"9;9"'), b, a), parts=True)
    assert [len(part.alignment) for part in found] == [4, 2, 2]
    assert kinds(found[0]) == ["groups of the same two documents, merged"]
    assert kinds(found[2]) == ["groups of the same two documents, too far apart to be merged"]
    assert [part.name for part in found] == ["{en,fr}/a", "{x,y}", "{en,fr}/a#2"]


def test_a_single_pair_keeps_the_name_given():
    assert read_all(align(group(numbered(1, 9))), parts=True, name="given")[0].name == "given"


# Bad links


@pytest.mark.parametrize("before", ["", "<!-- -->"])
def test_bad_links_are_left_out_where_they_are_collected(before, tmp_path):
    links = (
        '<link id="none"/>\n<link xtargets="1;1" id="a"/>\n<link xtargets="1;2;3"/>\n'
        '<link xtargets="2 2;2"/>\n<link xtargets="2;2" id="b"/>\n<link xtargets="9;3"/>\n'
    )
    (tmp_path / "en").mkdir()
    (tmp_path / "en/a.xml").write_text(document(1, 2))
    errors = []
    content = before + align(group(links))
    (found,) = read_all(content, bad=errors.append, roots=(tmp_path,))
    assert units(found) == [(["1"], ["1"]), (["2"], ["2"])]
    assert found.alignment.attributes == {"id": ["a", "b"]}
    assert [error.line for error in errors] == [3, 5, 6, 8]
    assert [str(error).split(": ", 1)[1][:20] for error in errors] == [
        "has a link without x",
        "xtargets is '1;2;3',",
        "xtargets names '2' t",
        "xtargets names the s",
    ]
    with pytest.raises(FormatError, match="line 3: has a link without"):
        read_all(content, roots=(tmp_path,))


def test_a_document_that_cannot_be_read_costs_its_pair_only(tmp_path):
    (tmp_path / "x").write_text("<text><s>no id</s></text>")
    errors = []
    content = align(group(numbered(1, 3), "x", "y"), group(numbered(1, 3)))
    (found,) = read_all(content, bad=errors.append, roots=(tmp_path,))
    assert found.meta["src_doc"] == "en/a.xml"
    assert "without an id" in str(errors[0])
    with pytest.raises(FormatError, match="without an id"):
        read_all(content, roots=(tmp_path,))


def test_names_of_documents_may_be_written_on_windows(tmp_path):
    (tmp_path / "en").mkdir()
    for name in ("en/a.xml", "b.xml"):
        (tmp_path / name).write_text('<text><s id="1">One.</s></text>')
    (found,) = read_all(align(group(numbered(1, 2), r"en\a.xml.gz", "b.xml")), roots=(tmp_path,))
    assert found.src.has_text
    (found,) = read_all(align(group(numbered(1, 2), r"..\en\a.xml", "b.xml")), roots=(tmp_path,))
    assert not found.src.has_text


# Word links

WORDS = (
    '<link xtargets="1;1 2"><wordLink certainty="0.5" xtargets="w1+w2;v1"/>'
    '<wordLink certainty="sure" xtargets="w3;v4"/></link>\n'
)


def tokens(prefix, *given):
    out, n = [], 0
    for k, words in enumerate(given, 1):
        out.append(f'<s id="{k}">')
        for word, span in words:
            n += 1
            out.append(
                f'<w id="{prefix}{n}"{span and f" span={chr(34)}{span}{chr(34)}"}>{word}</w>'
            )
        out.append("</s>")
    return f"<text>{''.join(out)}</text>"


@pytest.fixture
def worded(tmp_path):
    (tmp_path / "a").write_text(tokens("w", [("He", "0:2"), ("left", "3:4"), (".", "7:1")]))
    (tmp_path / "b").write_text(tokens("v", [("Il", ""), ("est", "")], [("parti", ""), (".", "")]))
    return tmp_path


def test_word_links_become_positions(worded):
    (found,) = read_all(align(group(WORDS, "a", "b")), roots=(worded,))
    # The full stop is no word of its own where it stands at one.
    assert found.pairs() == [(["He left."], ["Il est", "parti ."])]
    assert found.alignment.attributes == {"words": ["0-0:0.5 1-0:0.5 1-3"]}
    assert not any("word links" in kind for kind in kinds(found))
    out = io.StringIO()
    FORMAT.write([found], out, options=WriteOptions())
    (again,) = read_all(out.getvalue(), roots=(worded,))
    assert again.alignment.attributes == found.alignment.attributes


@pytest.mark.parametrize("wrong", ["w9;v1", "w1;", ";v1", "w1", "w1;v1;v2"])
def test_word_links_that_cannot_be_resolved_are_noted(worded, wrong):
    links = WORDS.replace("w3;v4", wrong) + '<link xtargets="1;2" words="not such"/>\n'
    (found,) = read_all(align(group(links, "a", "b")), roots=(worded,))
    assert found.alignment.attributes["words"] == ["0-0:0.5 1-0:0.5", None]
    assert found.alignment.attributes["words_"] == [None, "not such"]
    assert "word links inside links, left out" in kinds(found)
    (bare,) = read_all(align(group(links, "a", "c")), roots=(worded,))
    assert "words" not in bare.alignment.attributes


# Locators of XCES 1.0

LOCATORS = (
    '<link certainty="1"><align xlink:href="#1"/><align xlink:href="b.xml#xpointer(id(\'1\'))"/>'
    "</link>\n<link><align xlink:href=\"#xpointer(id('2')/range-to(id('4')))\"/>"
    '<align xlink:href="#"/></link>\n'
)
HEADER = (
    '<cesAlign version="1.0" xmlns="http://www.xces.org/schema/2003" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"><cesHeader><translations>'
    '<translation trans.loc="a" n="1"/><translation trans.loc="b" n="2"/>'
    "</translations></cesHeader>"
)


def located(links):
    return f'{HEADER}<linkList><linkGrp targType="s">\n{links}</linkGrp></linkList></cesAlign>'


def test_locators_are_resolved_in_documents(tmp_path):
    (tmp_path / "a").write_text(document(1, 2, 3, 4))
    (found,) = read_all(located(LOCATORS), roots=(tmp_path,))
    assert units(found) == [(["1"], ["1"]), (["2", "3", "4"], [])]
    assert (found.meta["src_doc"], found.meta["tgt_doc"]) == ("a", "b")


def test_locators_that_need_a_document_say_so(tmp_path):
    with pytest.raises(FormatError, match=r"line 3: has a range from '2' to '4', which only"):
        read_all(located(LOCATORS))
    (tmp_path / "a").write_text(document(1, 4, 3, 2))
    with pytest.raises(FormatError, match="does not have in that order"):
        read_all(located(LOCATORS), roots=(tmp_path,))
    errors = []
    (found,) = read_all(located(LOCATORS), bad=errors.append)
    assert (units(found), len(errors)) == ([(["1"], ["1"])], 1)


@pytest.mark.parametrize("href", ["#xpointer(//s[1])", "a b", "x", "#a;b"])
def test_other_locators_are_refused(href):
    links = f'<link><align xlink:href="{href}"/><align xlink:href="#1"/></link>'
    with pytest.raises(FormatError, match="line 2: has a link whose align elements are"):
        read_all(located(links))


# Documents written


def with_documents(found, folder, *, losses=None, **options):
    out = folder / "links.xml"
    options = WriteOptions(documents=folder / "docs", **options)
    deliver(found, str(out), FORMAT, options=options, losses=losses)
    return list(bitext.read_all(out, roots=[folder / "docs"]))


XML = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
              | st.sampled_from(' \t\n\r&<>"'), max_size=6)  # fmt: skip
SIDES = st.lists(XML, max_size=3)


PAIRS = st.lists(st.tuples(SIDES, SIDES).filter(any), min_size=1, max_size=4)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PAIRS, min_size=1, max_size=2))
def test_texts_come_back_from_documents(tmp_path, given):
    losses = Notes()
    folder = Path(mkdtemp(dir=tmp_path))  # documents replace nothing
    found = with_documents([inline(pairs) for pairs in given], folder, losses=losses)
    assert [each.pairs() for each in found] == [
        [(list(src), list(tgt)) for src, tgt in pairs] for pairs in given
    ]
    assert losses.all() == ()


def test_all_of_a_text_comes_back(tmp_path):
    src = Text(
        list("abcd"), ids=["x", "y&", "z", "s 1"], lang="en", paragraphs=Segmentation([1, 3])
    )
    tgt = Text(["é", ""], ids=["1", "2"], lang="fr")
    beads = Alignment(
        [((1, 2), (1,)), ((0,), ()), ((2,), (0,))],
        scores=[1, np.nan, -2],
        attributes={"prop:x": ["1", None, None], "certainty": [None, "high", None]},
    )
    (found,) = with_documents([Bitext(src, tgt, beads)], tmp_path)
    assert found.src == src
    assert found.tgt == tgt
    assert found.src.paragraphs == src.paragraphs
    assert (found.src.lang, found.tgt.lang) == ("en", "fr")
    assert list(found.alignment) == list(beads)
    assert found.alignment.attributes == beads.attributes
    assert (tmp_path / "docs/en/000001.xml").read_text(encoding="utf-8") == (
        '<?xml version="1.0" encoding="utf-8"?>\n<text xml:lang="en">\n<p id="1">\n'
        '<s id="x">a</s>\n</p>\n<p id="2">\n<s id="y&amp;">b</s>\n<s id="z">c</s>\n'
        '<s id="s 1">d</s>\n</p>\n</text>\n'
    )


def test_parts_go_on_in_their_documents(tmp_path):
    first, more = inline([(["a"], ["b"])]), inline([(["c", "d"], []), ([], ["e"])])
    more = Bitext(more.src, more.tgt, more.alignment, continues=True)
    found = with_documents([first, more, first], tmp_path, src_lang="../x", tgt_lang="en")
    assert [each.pairs() for each in found] == [first.pairs() + more.pairs(), first.pairs()]
    assert sorted(path.name for path in (tmp_path / "docs/src").iterdir()) == [
        "000001.xml",
        "000002.xml",
    ]


def test_documents_are_whole_or_not_there(tmp_path):
    bad = inline([(["a\x01"], ["b"])])
    with pytest.raises(InputError, match=r"segment 0, 'a\\x01', has a character that XML forbids"):
        with_documents([inline([(["a"], ["b"])]), bad], tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/tgt").symlink_to(tmp_path)
    with pytest.raises(InputError, match="is a link where a folder is wanted"):
        with_documents([inline([(["a"], ["b"])])], tmp_path)


def test_what_cannot_be_a_document_is_refused(tmp_path):
    ids = Bitext(Text.of_ids(["a"]), Text(["b"]), Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match="source: there is no text to write as a document"):
        with_documents([ids], tmp_path)
    one = Bitext(Text(["a"], ids=["1"]), Text(["b"]), Alignment([((0,), (0,))]))
    again = Bitext(one.src, one.tgt, one.alignment, continues=True)
    with pytest.raises(InputError, match="the id '1' occurs twice"):
        with_documents([one, again], tmp_path)


@given(beads)
def test_losses_without_documents(pairs):
    losses = Notes()
    found = inline(pairs)
    out = io.StringIO()
    FORMAT.write([found], out, options=WriteOptions())
    src = Text(found.src.segments())
    tgt = Text(found.tgt.segments())
    (again,) = read_all(out.getvalue(), src=src, tgt=tgt)
    assert list(again.alignment) == list(found.alignment)
    from bitext.formats.writing import count_losses

    count_losses(found, FORMAT.keeps, losses)
    assert {note.kind for note in losses.all()} <= {"segments whose text is not written"}


# Published files, by an extraction of their own


@pytest.mark.parametrize(
    "name",
    [
        "1988de.basic.xml",
        "1988en.basic.xml",
        "1988en.sent.xml",
        "1988sv.basic.xml",
        "svenprf-src.xml.gz",
        "svenprf-trg.xml.gz",
    ],
)
def test_published_documents(name):
    with open_source(data("formats", "xces", name)) as source:
        content = source.stream.read()
        wanted = {}
        for sentence in ET.fromstring(content).iter("s"):
            words = list(sentence.iter("w"))
            text = " ".join(word.text.strip() for word in words) or (sentence.text or "").strip()
            if words and words[0].get("span"):
                line, places = [" "] * 10_000, []
                for word in words:
                    begin, size = map(int, word.get("span").split(":"))
                    line[begin : begin + size] = word.text
                    places += range(begin, begin + size)
                if sorted(set(places)) == places:  # else the tokens are joined with blanks
                    text = re.sub(" +", " ", "".join(line).strip())
            wanted[sentence.get("id")] = text
    with open_source(data("formats", "xces", name)) as source:
        text = read_document(source)
    assert dict(zip(text.ids, text.segments(), strict=True)) == wanted


def test_published_links_with_documents():
    path = data("formats", "xces", "svenprf.xces")
    with opened(path, FileOptions(lines=True)) as reading:
        (found,) = reading
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    texts = []
    for side in ("src", "trg"):
        with open_source(path.parent / f"svenprf-{side}.xml.gz") as source:
            texts.append({s.get("id"): s for s in ET.fromstring(source.stream.read()).iter("s")})
    for link, pair in zip(root.iter("link"), found.pairs(), strict=True):
        for half, segments, sentences in zip(
            link.get("xtargets").split(";"), pair, texts, strict=True
        ):
            words = [
                "".join(word.text for word in sentences[name].iter("w")) for name in half.split()
            ]
            assert [segment.replace(" ", "") for segment in segments] == words
    lines = path.read_text(encoding="utf-8").split("\n")
    assert all("<link " in lines[line - 1] for line in found.lines)
