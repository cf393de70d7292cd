"""Paragraphs in every input that `bitext align` reads, and what they bind."""

import itertools
import json
import shlex
import sys

import pytest

from bitext import read
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import running_paragraphs, sentence_lines, text_reader
from reference.translated_texts import sentences

PAIRS = sentences(30, seed=8, names=0.2)
# The source has the 13th sentence as the last of its second part, the target as the first of the
# third; both parts are bound by what is about them.
CUTS = [(8, 13, 20), (8, 12, 20)]


def _parts(side):
    ends = [0, *CUTS[side], 30]
    return [[pair[side] for pair in PAIRS[a:b]] for a, b in itertools.pairwise(ends)]


def _lines(side, mark):
    return f"{mark}".join("".join(f"{line}\n" for line in part) for part in _parts(side))


def _document(side, begin, end, lone=""):
    number = iter(range(100))
    body = "".join(
        begin + "".join(f'<s id="s{next(number)}">{line}</s>\n' for line in part) + end
        for part in _parts(side)
    )
    return f'<?xml version="1.0"?>\n<text>{lone}\n{body}</text>\n'


def _objects(side):
    return "".join(
        json.dumps({"text": line, "paragraph": number}) + "\n"
        for number, part in enumerate(_parts(side))
        for line in part
    )


INPUTS = {
    "blank lines": lambda side: _lines(side, "\n"),
    "hunalign": lambda side: _lines(side, "<p>\n"),
    "europarl": lambda side: _lines(side, '<CHAPTER ID="1">\n<SPEAKER ID=2>\n'),
    "pages": lambda side: _lines(side, "\f"),
    "p": lambda side: _document(side, "<p>", "</p>\n"),
    "div": lambda side: _document(side, "<div>", "</div>\n"),
    "pb": lambda side: _document(side, "<pb/>", ""),
    "head": lambda side: _document(side, "<p>", "</p>", lone='<head><s id="h">Ox.</s></head>'),
    "objects": _objects,
}


def _crossing(bitext, write, tmp_path, form, *options):
    """Return which bead the sentence stands in that is in another part on the other side."""
    for side in (0, 1):
        write(f"a.{side}", INPUTS[form](side))
    out = tmp_path / "out.jsonl"
    found = bitext("align", tmp_path / "a.0", tmp_path / "a.1", "-o", out, *options)
    assert found.status == 0
    bt = read(out)
    at = [line.strip("\f") for line in bt.src.segments()].index(PAIRS[12][0])
    (bead,) = (bead for bead in bt.alignment if at in bead.src)
    return bead, [list(bt.tgt.segments())[k] for k in bead.tgt]


@pytest.mark.parametrize("form", list(INPUTS))
def test_beads_keep_to_paragraphs_where_they_are_asked_for(bitext, write, tmp_path, form):
    if form not in {"blank lines", "hunalign", "europarl"}:  # whose marks are sentences then
        bead, target = _crossing(bitext, write, tmp_path, form)
        assert (len(bead.src), target[0].strip("\f")) == (1, PAIRS[12][1])
    bead, target = _crossing(bitext, write, tmp_path, form, "--paragraphs")
    assert not {PAIRS[12][1], f"\f{PAIRS[12][1]}"} & set(target)


def test_a_side_has_no_paragraphs(bitext, write, tmp_path):
    write("a.0", _lines(0, "\n"))
    write("a.1", _lines(1, ""))
    arguments = ("align", tmp_path / "a.0", tmp_path / "a.1", "-o", tmp_path / "o.align")
    found = bitext(*arguments, "--paragraphs")
    assert found.status == 0
    told = "texts without paragraphs, so --paragraphs is of no use"
    assert f"{told}: 1, first {tmp_path / 'a.1'}" in found.err
    write("a.0", _lines(0, ""))
    assert f"{told}: 2, first {tmp_path / 'a.0'}" in bitext(*arguments, "--paragraphs").err
    assert "without paragraphs" not in bitext(*arguments).err
    told_of_pages = "texts that are no HTML, so --main-text is of no use: 2, first"
    assert told_of_pages in bitext(*arguments, "--main-text").err
    memory = write("a.tsv", "One.\tEins.\nTwo.\tZwei.\n")
    assert f"{told}: 2, first a\n" in bitext("align", memory, "--paragraphs").err


def test_objects_with_paragraphs_and_without(bitext, write):
    lines = _objects(0).splitlines(keepends=True)
    lines[3] = '{"text": "x"}\n'
    found = bitext("align", write("a", "".join(lines)), write("b", _objects(1)))
    assert found.status == 2
    assert "a line 4: has a paragraph where others have none" in found.err


def test_marks_at_the_ends_bound_nothing():
    assert sentence_lines(["<p>", "", "A.", "</p>", "<p>", "B.", "<p>"])[1] == [1]
    assert sentence_lines([]).places.size == 0
    assert sentence_lines(["<p>", ""]).places.size == 0
    raw = ["<p>\n", "One. Two.\n", "Three.\n", "\fFour.\n", "\n", "Five.\n", "</p>\n"]
    assert list(running_paragraphs(iter(raw), by_line=False)) == [
        "One. Two.\nThree.\n",
        "\fFour.\n",
        "Five.\n",
    ]
    assert len(list(running_paragraphs(iter(raw), by_line=True))) == 4


def test_long_texts_keep_their_lines(bitext, tmp_path):
    """They are held as one string, or one a sentence where a rare character makes that smaller."""
    rare = "\N{GRINNING FACE} " + 3000 * "long "
    lines = {
        name: [first, *(f"This is {name} {k}." for k in range(50_000)), "", "Ox."]
        for name, first in {"a": "A.", "b": rare, "c": rare, "d": "A."}.items()
    }
    for name, ends in {"a": "\n", "b": "\r\n", "c": "\n", "d": "\r\n"}.items():
        (tmp_path / name).write_bytes("".join(line + ends for line in lines[name]).encode())
    program = tmp_path / "program.py"
    program.write_text("for k in range(50003):\n    print(f'[{k}]:[{k}]')\n")
    command = [sys.executable, str(program), "{src}", "{tgt}"]
    out, texts = tmp_path / "out.jsonl", (tmp_path / "a", tmp_path / "b")
    method = f"command:{shlex.join(command)}"
    found = bitext("align", *texts, "--method", method, "-o", out)
    assert found.status == 0, found.err
    written = read(out)
    for text, name in ((written.src, "a"), (written.tgt, "b")):
        assert list(text.segments()) == [line for line in lines[name] if line]
    reader = text_reader(AlignRequest(src="c", to="jsonl"))
    for key, name in (("src", "c"), ("tgt", "d")):  # here with the empty line
        assert list(reader(str(tmp_path / name), key, "").segments()) == lines[name]
