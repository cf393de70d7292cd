"""Identifiers of OPUS (`.ids`): documents and ids of sentences, a bisegment a line."""

import pytest

import bitext
from bitext.errors import FormatError
from bitext.formats.registry import sniff
from formats.samples import kinds, read, read_all

NAME = "opus-ids"
LINES = (
    "en/a.xml.gz\tfr/a.xml.gz\t1\t1\t0.5\n"
    "en/a.xml.gz\tfr/a.xml.gz\t2 3\t2\t\n"
    "\n"
    "en/b.xml.gz\tfr/b.xml.gz\t\ts1.1 s1.2\n"
)


def ids_of(bt):
    return [
        ([bt.src.ids[k] for k in bead.src], [bt.tgt.ids[k] for k in bead.tgt])
        for bead in bt.alignment
    ]


def test_runs_of_the_same_documents_are_document_pairs():
    one, other = read_all(NAME, LINES)
    assert ids_of(one) == [(["1"], ["1"]), (["2", "3"], ["2"])]
    assert one.alignment.scores.tolist() == pytest.approx([0.5, float("nan")], nan_ok=True)
    assert ids_of(other) == [([], ["s1.1", "s1.2"])]
    assert (one.meta["src_doc"], other.meta["tgt_doc"]) == ("en/a.xml.gz", "fr/b.xml.gz")
    assert (one.name, other.name) == ("{en,fr}/a", "{en,fr}/b")


def test_documents_that_come_again_are_merged():
    again = LINES + "en/a.xml.gz\tfr/a.xml.gz\t4\t3\t1\n"
    one, _ = read_all(NAME, again)
    assert ids_of(one)[-1] == (["4"], ["3"])
    assert "groups of the same two documents, merged" in kinds(one)


def test_documents_are_found_as_those_of_xces(tmp_path):
    for lang, texts in (("en", "One. Two. Three."), ("fr", "Un. Deux.")):
        (tmp_path / lang).mkdir()
        sentences = "".join(f'<s id="{k}">{t}</s>' for k, t in enumerate(texts.split(), 1))
        (tmp_path / lang / "a.xml").write_text(f"<text>{sentences}</text>")
    path = tmp_path / "links.ids"
    path.write_text("".join(LINES.splitlines(keepends=True)[:2]))
    assert bitext.read(path).pairs() == [(["One."], ["Un."]), (["Two.", "Three."], ["Deux."])]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("en/a.xml\tfr/a.xml\t1", "has 3 columns; want two documents"),
        ("en/a.xml\tfr/a.xml\t1\t2\thigh", "has 'high' as its score; want a number"),
        ("en/a.xml\tfr/a.xml\t1\tone", "has 'one' among its ids; want ids of sentences"),
        ("en/a.xml\tfr/a.xml\t1 1\t2", "has '1' twice on a side"),
        ("\tfr/a.xml\t1\t2", "names no document on a side"),
    ],
)
def test_wrong_lines_are_refused_with_their_number(tmp_path, line, told):
    path = tmp_path / "a.ids"
    path.write_text(f"en/a.xml\tfr/a.xml\t7\t7\n{line}\n")
    with pytest.raises(FormatError, match=rf"a\.ids line 2: {told}"):
        bitext.read(path, format=None if line.startswith("en") else NAME)


def test_ids_may_be_numbers_of_paragraphs_and_sentences():
    lines = "en/a.xml\tfr/a.xml\t1.1\t1:1\t0.5\nen/a.xml\tfr/a.xml\t2.1 2.2\t2:1\n"
    assert sniff(lines.encode(), "a").name == NAME
    assert ids_of(read(NAME, lines)) == [(["1.1"], ["1:1"]), (["2.1", "2.2"], ["2:1"])]
    with pytest.raises(FormatError, match=r"has '0\.5' among its ids"):
        read(NAME, "en/a.xml\tfr/a.xml\t1.1\t0.5\n")


def test_parts_have_the_links_of_the_whole():
    lines = "".join(f"en/a.xml\tfr/a.xml\t{k}\t{k}\n" for k in range(1, 40))
    parts = read_all(NAME, lines, parts=True, part_size=10)
    assert len(parts) > 1
    assert [len(part.alignment) for part in parts] == [10] * 3 + [9]
    assert [part.continues for part in parts] == [False, True, True, True]
    assert ids_of(read(NAME, lines))[38] == (["39"], ["39"])
