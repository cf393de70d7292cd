"""The quick way through XCES files and documents against the parser: what they give is equal."""

import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats.io.source import Source
from bitext.formats.opus_documents import read_document
from bitext.formats.registry import ReadOptions, by_name
from bitext.formats.xml import fast as regular

HEADS = ['<?xml version="1.0" encoding="utf-8"?>\n', "", '<!DOCTYPE cesAlign PUBLIC "-//x" "">\n']


def source_of(content, *, size=0, by_parser=False):
    return Source("a", io.BytesIO(content.encode()), block_size=size, by_parser=by_parser)


def links_of(source, **options):
    """Return all that a reader says of a file, or where and why it refuses it."""
    try:
        found = list(by_name("xces").read(source, ReadOptions(**options)))
    except FormatError as error:
        return "refused", error.line
    out = []
    for bitext in found:
        a = bitext.alignment
        scores = [] if a.scores is None else [None if math.isnan(s) else s for s in a.scores]
        texts = list(bitext.src.ids), list(bitext.tgt.ids)
        beads = [[rows.ptr.tolist(), rows.idx.tolist()] for rows in (a.src, a.tgt)]
        columns = {key: list(column) for key, column in a.attributes.items()}
        notes = [(note.kind, note.count, note.first) for note in bitext.notes]
        lines = None if bitext.lines is None else bitext.lines.tolist()
        out.append((bitext.name, dict(bitext.meta), texts, beads, scores, columns, notes, lines))
    return out


def document_of(source):
    try:
        text = read_document(source)
    except FormatError as error:
        return "refused", error.line
    paragraphs = text.paragraphs and list(text.paragraphs.masses)
    notes = [(note.kind, note.count, note.first) for note in source.notes.all()]
    return list(text.ids), list(text.segments()), paragraphs, text.lang, notes


def both(function, content, size, **options):
    """Return what the quick way gives in pieces of that size, and what the parser gives."""
    quick, parsed = source_of(content, size=size), source_of(content, by_parser=True)
    return function(quick, **options), function(parsed, **options)


SIZE = st.integers(1, 400) | st.just(1 << 19)
PUT = ["", *"<>\"&; \n'é\t", "&amp;", "</p>", "<s>", "<!-- -->", "<link ", "/>", "]]>", "x:"]


def mutated(draw, content):
    """Change a place or two of a text, so that it is often no longer what it was."""
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(content)))
        put = draw(st.sampled_from(PUT))
        content = content[:at] + put + content[at + draw(st.integers(0, 3)) :]
    return content


ids = st.lists(st.sampled_from(["s1", "s2", "3", "a&amp;b", "é", "s1.10"]), max_size=3, unique=True)
values = st.sampled_from(
    ["", "0.5", "-3", "1e3", "nan", "1_0", "high", "R&amp;D", "a b", "x&#10;y", "a\nb", "\t"]
)


@st.composite
def link_files(draw):
    names = draw(st.lists(st.sampled_from(["id", "certainty", "type", "xml:lang"]), unique=True))
    fixed = draw(st.booleans())
    out = [draw(st.sampled_from(HEADS)), '<cesAlign version="1.0">\n']
    for group in range(draw(st.integers(0, 3))):
        out.append(f'<linkGrp targType="s" fromDoc="{group % 2}.en" toDoc="{group % 2}.fr">\n')
        for _ in range(draw(st.integers(0, 6))):
            used = names if fixed else draw(st.permutations(names))[: draw(st.integers(0, 4))]
            halves = ";".join(" ".join(draw(ids)) for _ in "ab")
            pairs = [("xtargets", halves), *((name, draw(values)) for name in used)]
            if not fixed:
                pairs = draw(st.permutations(pairs))
            attributes = "".join(f' {name}="{value}"' for name, value in pairs)
            out.append(f"<link{attributes}{draw(st.sampled_from(['/>', ' />']))}")
            out.append("\n" if fixed else draw(st.sampled_from(["\n", "", " \n\n", " text\n"])))
        out.append("</linkGrp>\n")
    out.append("</cesAlign>\n")
    return mutated(draw, "".join(out))


@given(link_files(), SIZE, st.booleans())
def test_links(content, size, parts):
    quick, parsed = both(links_of, content, size, parts=parts, lines=True)
    # Of a link that is none and bad XML after it, either may be told.
    first = quick[:1] == parsed[:1] == ("refused",) and None not in quick and quick[1] < parsed[1]
    assert first or quick == parsed


sentences = st.lists(
    st.sampled_from(["", "One.", " two  words ", "R&amp;D", "é &#10; x", "a\n  b", "\t", "a > b"]),
    max_size=5,
)
plain_tokens = ["He", "left", ".", "R&amp;D", "&#233;", "x\u00a0y", "a b"]
odd_tokens = [*plain_tokens, " a ", "", "&#10;", "a&#32;", "b\tc", "d\ne"]


@st.composite
def documents(draw):
    kind = draw(st.sampled_from(["plain", "tokens", "spans", "time"]))
    words = st.sampled_from(draw(st.sampled_from([plain_tokens, odd_tokens])))
    tokens = st.lists(words, min_size=draw(st.integers(0, 1)), max_size=4)
    gaps = st.sampled_from(draw(st.sampled_from([["\n "], ["\n ", "", " "]])))
    time = draw(st.sampled_from(["", '<time id="T" value="0" />']))
    out = [draw(st.sampled_from(HEADS)).replace("cesAlign", "text"), "<text>\n"]
    out[1] = draw(st.sampled_from(["<text>\n", '<text xml:lang="en"><body>\n']))
    number = 0
    for _ in range(draw(st.integers(0, 3))):
        wrap = draw(st.sampled_from(["p", "head", "div"]))
        out.append(f'<{wrap} id="1">\n' if draw(st.booleans()) else f"<{wrap}>")
        for text in draw(sentences):
            number += 1
            inner = text
            if kind in {"tokens", "spans"}:
                at, inner = 0, f"\n{time}"
                for word in draw(tokens):
                    span = f' span="{at}:{len(word)}"' if kind == "spans" else ""
                    inner += f'{draw(gaps)}<w{span} id="w{number}.{at}">{word}</w>'
                    at += len(word) + draw(st.integers(0, 1))
            elif kind == "time":
                inner = f'\n <time id="T{number}" value="0" />\n{text}\n'
            out.append(f'<s id="s{number}">{inner}</s>')
            out.append(draw(st.sampled_from(["\n", "", " text "])))
        out.append(f"</{wrap}>\n")
    out.append("</body></text>" if "<body>" in out[1] else "</text>\n")
    content = "".join(out)
    if draw(st.booleans()):  # tokens of TEI have white space of their own
        content = content.replace("<text", "<TEI", 1).replace("</text>", "</TEI>")
    return mutated(draw, content)


@given(documents(), SIZE)
def test_documents(content, size):
    quick, parsed = both(document_of, content, size)
    assert quick == parsed


@pytest.mark.parametrize(
    "broken", ["<w>b</w><w>c", "b</w><w>c</w>", "b</w> <w>c", "<w>b</w><w>", "b</w>"]
)
def test_tokens_that_do_not_begin_or_end_are_refused(broken):
    """Found by fuzzing: they were read as text."""
    whole = '<s id="1"><w>a</w><w>b</w></s>\n<s id="2">{}</s>\n<s id="3"/>'
    quick, parsed = both(document_of, f"<text>\n{whole.format(broken)}</text>", 1 << 19)
    assert quick == parsed == ("refused", 3)
    content = f"<text>\n{whole.format('plain')}</text>"
    assert both(document_of, content, 1 << 19)[0][1] == ["a b", "plain", ""]


def quick_only(monkeypatch):
    def refused(*_args, **_options):
        raise AssertionError("the parser was asked")

    monkeypatch.setattr(regular.Pieces, "rest", refused)


LINK = '<link certainty="0.5" xtargets="s{0} t{0};s{0}" id="SL{0}" />\n'


@pytest.mark.parametrize("size", [30, 100, 1 << 19])
def test_usual_files_need_no_parser(monkeypatch, size):
    quick_only(monkeypatch)
    body = "".join(map(LINK.format, range(9)))
    mixed = '<link xtargets=";s10"/><link id="x" xtargets="s11;" />\n'
    content = (
        f'{HEADS[0]}{HEADS[2]}<cesAlign version="1.0">\n <linkList>\n'
        f'<linkGrp fromDoc="a" toDoc="b">\n{body}</linkGrp>\n'
        f'<linkGrp fromDoc="c" toDoc="d">\n{body}{mixed}</linkGrp></linkList>\n</cesAlign>\n'
    )
    found = links_of(source_of(content, size=size), lines=True)
    assert [len(each[4]) for each in found] == [9, 11]
    assert found[0][-1] == list(range(6, 15))
    sentence = '<s id="{0}">Number {0} &amp; more.</s>\n'
    text = "".join(map(sentence.format, range(50)))
    content = f'<text>\n<p id="1">\n{text}</p>\n</text>\n'
    ids, texts, paragraphs, _, notes = document_of(source_of(content, size=size))
    assert (len(ids), texts[49], paragraphs, notes) == (50, "Number 49 & more.", [50], [])


def test_lines_beyond_65535(monkeypatch):
    body = "".join(map(LINK.format, range(65_600)))
    whole = f'<cesAlign>\n<linkGrp fromDoc="a" toDoc="b">\n{body}'
    refused = source_of(f'{whole}<link xtargets="a"/>\n</linkGrp></cesAlign>')
    assert links_of(refused) == ("refused", 65_603)
    assert links_of(source_of(f"{whole}</linkGrp>\n</cesalign>")) == ("refused", 65_604)
    text = "".join(f'<s id="{k}">a</s>\n' for k in range(65_600))
    refused = source_of(f'<text>\n{text}<s id="7">b</s>\n</text>')
    assert document_of(refused) == ("refused", 65_602)
    quick_only(monkeypatch)
    source = source_of(f"{whole}</linkGrp>\n</cesAlign>", size=1 << 16)
    assert links_of(source, lines=True)[0][-1][-1] == 65_602
