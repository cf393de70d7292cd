"""XML documents with identified sentences."""

import gzip
import io

import numpy as np
import pytest

from bitext.errors import FormatError
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.line_files import has_breaks
from bitext.formats.opus_documents import is_document, read_document
from bitext.formats.plain_text import load_text
from bitext.formats.registry import ReadOptions, by_name
from reference.shared_data import data


@pytest.fixture
def read(tmp_path):
    def read(content, *, encoding="utf-8", notes=0):
        path = tmp_path / "doc.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        with open_source(path) as source:
            text = read_document(source)
            assert len(source.notes.all()) == notes, source.notes.all()
            return text

    return read


def texts(text):
    return list(text.segments())


def test_raw_with_paragraphs(read):
    text = read(
        '<text><p id="1"><s id="s1.1">It rained.</s> <s id="s1.2">He left.</s></p>'
        '<p/><head>x</head><p id="2"><s id="s2.1">End.</s></p></text>'
    )
    assert texts(text) == ["It rained.", "He left.", "End."]
    assert list(text.ids) == ["s1.1", "s1.2", "s2.1"]
    assert list(text.paragraphs.masses) == [2, 1]


def test_no_paragraphs_when_a_sentence_lies_outside(read):
    assert read('<d><s id="1">a</s><p><s id="2">b</s></p></d>').paragraphs is None
    assert read('<d><p><s id="1">a</s></p><head><s id="2">b</s></head></d>').paragraphs is None


def test_a_paragraph_in_a_paragraph_is_part_of_it(read):
    text = read('<d><p><s id="1">a</s><p><s id="2">b</s></p></p><p><s id="3">c</s></p></d>')
    assert list(text.paragraphs.masses) == [2, 1]


def test_white_space_of_pretty_printing(read):
    text = read('<d><s id="1">\n  It  rained \t\n  and\r\nrained. </s><s id="2"> \n </s></d>')
    assert texts(text) == ["It  rained and rained.", ""]


def test_other_white_space_is_kept(read):
    assert texts(read('<d><s id="1"> a \t b\u2028c\u00a0</s></d>')) == ["a \t b\u2028c\u00a0"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a&#9;b", "a\tb"), ("a&#x09;b", "a\tb"), ("a&#13;b", "a b"), ("a&#00010;b", "a b"),
        ("a&#xA;b", "a b"), ("&#x20;a&#xd;", "a"), ("&#233;&#x90;", "é\x90"), ("a\tb", "a\tb"),
        ("&#xa0;a\xa0", "\xa0a\xa0"), ("a\nb", "a b"), ("a&#9;", "a"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("other", ["", '<s id="2">\u2003c</s>', '<s id="2"> c </s>'])
def test_references_to_white_space_are_white_space(read, written, text, other):
    found = read(f'<d><s id="1">{written}</s>{other}</d>')
    assert texts(found)[0] == text
    assert found.fact(has_breaks) == has_breaks(texts(found))


def test_inline_elements_and_times(read):
    text = read(
        '<document><s id="1"><time id="T1S" value="00:00:01"/>He <b>was <i>here</i></b>.'
        '<!-- no --><time id="T1E" value="00:00:02"/></s></document>',
        notes=1,
    )
    assert texts(text) == ["He was here."]
    assert text.times.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("irregular", ["", "<i/>"])
def test_times_of_sentences_over_and_in_cues(read, irregular):
    cues = (
        '<s id="1"><time id="T1S" value="00:00:01,000" />He came,</s>\n'
        '<s id="2">saw<time id="T1E" value="00:00:02,000" />'
        '<time id="T2S" value="00:00:03,000" />and <time id="T2E" value="00:00:04,000" /></s>\n'
        '<s id="3">went.</s>\n<s id="4"><time id="T3S" value="0:0:9" /><time id="T3E" value="x" />'
        f"{irregular}Ah.</s>\n"
    )
    text = read(f"<document>\n{cues}</document>", notes=bool(irregular))
    assert np.array_equal(
        text.times, [(1, np.nan), (np.nan, 4), (np.nan, np.nan), (9, np.nan)], equal_nan=True
    )


def test_tokens_are_joined_with_one_blank_and_a_note_tells(read):
    text = read(
        '<d><s id="1">\n <chunk type="NP">\n  <w id="w1">He</w>\n </chunk>\n <w id="w2">left</w>'
        '<w id="w3">.</w>\n</s><s id="2"><w>One</w></s><s id="3"><w/></s></d>',
        notes=1,
    )
    assert texts(text) == ["He left .", "One", ""]


def test_text_beside_tokens_is_text(read):
    assert texts(read('<d><s id="1">(<w>a</w> and <c>so <w>b</w></c> on)</s></d>', notes=1)) == [
        "( a and so b on)"
    ]


def test_tokens_with_spans_are_placed_by_them(read):
    text = read(
        '<d><s id="1"><c><w span="3:2">He</w>\n<w span="6:4">left</w></c>\n<w span="10:1">.</w></s>'
        '<s id="2"><w span="0:1">a</w><w span="900000000000:1">b</w></s></d>'
    )
    assert texts(text) == ["He left.", "a b"]


@pytest.mark.parametrize(
    ("first", "second"), [("0:2", "1:1"), ("0:3", "3:1"), ("0:2", ""), ("0:2", "x:1")]
)
def test_spans_that_cannot_be(read, first, second):
    document = f'<d><s id="1"><w span="{first}">He</w><w span="{second}">.</w></s></d>'
    assert texts(read(document, notes=1)) == ["He ."]


def test_ids_namespaces_and_language(read):
    text = read(
        '<?xml version="1.0"?><!DOCTYPE cesDoc SYSTEM "http://example.org/none.dtd">'
        '<cesDoc xmlns="http://www.xml-ces.org/schema" xml:lang="cs" version="4"><text><body><div>'
        '<p><s xml:id="a">x</s><s id="2:1" xml:id="b">y</s></p></div></body></text></cesDoc>'
    )
    assert list(text.ids) == ["a", "2:1"]
    assert text.lang == "cs"


@pytest.mark.parametrize(
    ("before", "text", "body", "lang"),
    [
        ("", 'xml:lang="cs"', 'lang="de"', "de"),
        ('<!-- <text xml:lang="en"> -->', "", 'n="1"', ""),
        ('<teiHeader><text xml:lang="la"/></teiHeader>', 'n="1" xml:lang="cs"', "", "cs"),
    ],
)
def test_elements_around_the_sentences_may_name_the_language(read, before, text, body, lang):
    inside = '<p xml:lang="fr"><s id="1" xml:lang="fr">x</s></p>'
    document = f"<TEI>{before}<text {text}><body {body}>{inside}</body></text></TEI>"
    assert read(document).lang == lang
    # The language of the root is that of elements without one of their own.
    assert read(document.replace("<TEI>", '<TEI xml:lang="en">')).lang == (lang or "en")
    spelled = document.replace("<TEI>", '<TEI xml:lang="en">').replace(f"<text {text}>", "<text>")
    assert read(spelled.replace(f"<body {body}>", "<body>"), encoding="utf-16").lang == "en"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1250"])
def test_the_declared_encoding(read, encoding):
    document = f'<?xml version="1.0" encoding="{encoding}"?><d><s id="1">häßlich</s></d>'
    assert texts(read(document, encoding=encoding)) == ["häßlich"]


def test_a_document_without_any_text_is_an_empty_text(read):
    assert len(read('<?xml version="1.0"?>\n<text>\n<p id="1"></p><!-- none -->\n</text>\n')) == 0


def test_white_space_that_is_to_be_kept(read):
    text = read('<d><s id="1" xml:space="preserve"> a\n b&#13; </s><s id="2"> c </s></d>')
    assert texts(text) == [" a\n b\r ", "c"]


def test_compressed(tmp_path):
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(b'<d><s id="1">a</s></d>'))
    with open_source(path) as source:
        assert texts(read_document(source)) == ["a"]


def test_of_vertical_text_the_tokens_are_read(read):
    lines = "\nShe\tPP\tshe\ncame\tVV\tcome\n<g/>\n.\tS\t.\n"
    text = read(f'<doc><s id="1">{lines}</s>\n<s id="2">\nYes\tUH\tyes\n</s></doc>', notes=1)
    assert texts(text) == ["She came.", "Yes"]
    first = read(f'<doc><s id="1">\nYes\tUH\tyes\n</s><s id="2">{lines}</s></doc>', notes=1)
    assert texts(first) == ["Yes", "She came."]
    elements = read('<doc><s id="1">\n<w>b\tc</w>\n<w>d\te</w>\n</s></doc>', notes=1)
    assert texts(elements) == ["b\tc d\te"]
    # Neither a list with tabs nor a line alone is vertical text.
    prose = '<doc><s id="1">\n1.\tBread\n</s><s id="2">\na b\tc\nd\te\n</s></doc>'
    assert texts(read(prose)) == ["1.\tBread", "a b\tc d\te"]


def test_what_tei_does_not_count_as_text_is_left_out(read):
    choice = "<choice><sic>teh</sic><corr>the</corr></choice>"
    sentence = f'<s id="1">{choice} <abbr>Dr</abbr><note>a <del>b</del></note> came<lb/>in'
    sentence += '<pb break="no"/>side.</s>'
    assert texts(read(f"<TEI><teiHeader/>{sentence}</TEI>", notes=1)) == ["the Dr came inside."]
    assert texts(read(f"<text>{sentence}</text>")) == ["tehthe Dra b cameinside."]
    of_txm = '<s id="1"><w><form>He</form><ana>PP</ana></w> <w>left<ana>VV</ana></w></s>'
    assert texts(read(f"<TEI>{of_txm}</TEI>", notes=1)) == ["He left"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<w>He</w> <w>left</w><pc>.</pc>", "He left."),
        ("<w>He</w>\n <w join='right'>left</w>\n <pc>.</pc>", "He left."),
        (
            "<pc join='right'>(</pc>\n<w>a</w> <name><w>b</w><pc><c>,</c></pc></name> <w>c</w>",
            "(a b, c",
        ),
        (
            "<w>It</w><w>rained</w><pc><c>,</c></pc><w>and</w><pc>(</pc><w>so</w>",
            "It rained, and(so",
        ),
        ("\n(<w>It</w> and <w>so</w>)\n", "(It and so)"),
    ],
)
def test_tokens_of_tei_are_spaced_as_in_files_of_tei(read, content, text):
    document = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><s id="1">{content}</s></TEI>'
    assert texts(read(document, notes="and <w>" in content)) == [text]
    pair = f'<s xml:id="e" corresp="#f">{content}</s><s xml:id="f">x</s>'
    source = Source(
        "a.tei", io.BytesIO(document.replace(f'<s id="1">{content}</s>', pair).encode())
    )
    (found,) = by_name("tei").read(source, ReadOptions())
    assert found.src[0].text == text


def test_sentences_of_which_none_has_an_id_may_be_counted(tmp_path):
    def counted(content):
        path = tmp_path / "a.xml"
        path.write_text(content)
        notes = Notes()
        return load_text(path, notes=notes), [note.kind for note in notes]

    text, notes = counted('<text><p><s n="7">a</s><s>b</s></p><p><s>c</s></p></text>')
    assert (texts(text), text.has_ids) == (["a", "b", "c"], False)
    assert list(text.paragraphs.masses) == [2, 1]
    assert "sentences have no ids, counted in order" in notes[0]
    head = "<teiHeader><title>It</title></teiHeader><text><!-- It --><head>It</head>"
    text, notes = counted(f"<TEI>{head}<s>rained.</s><s/></text></TEI>")
    assert (texts(text), len(notes)) == (["rained.", ""], 2)
    assert notes[1] == "documents with text outside of sentences (s), left out"
    for mixed, message in (
        ("It rained <s>for days</s>, on and on.", "more text outside of sentences .* 'It rained ,"),
        ('<s>a</s>\n<s id="1">b</s>', "line 2: has the id '1' on .* those before it have none"),
        ('<s id="1">a</s>\n<s>b</s>', "line 2: has a sentence .* without an id"),
    ):
        with pytest.raises(FormatError, match=message):
            counted(f"<text>{mixed}</text>")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ('<d>\n<s id="1">a</s>\n<s>b</s></d>', "line 3: has a sentence .* without an id"),
        ('<d><s id="">b</s></d>', "without an id"),
        ('<d>\n<s id="1"/>\n<s id="1"/></d>', "line 3: has a second sentence with the id '1'"),
        ('<d><s id="1">\n<s id="2"/></s></d>', "line 2: has a sentence .* inside the sentence '1'"),
        ("<d><p>Not split.</p></d>", "holds no sentences"),
        ("<article><p>It.</p></article>", r"holds no sentences .* make a page of HTML of it"),
        ('<d><s id="1">a</d>', "is not well-formed XML"),
        ('<d><p><s id="1">&nbsp;</s></p></d>', "Entity 'nbsp' not defined"),
    ],
)
def test_refused(read, document, message):
    with pytest.raises(FormatError, match=message):
        read(document)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<?xml version='1.0'?>\n<whatever>", True),
        (b"<!DOCTYPE doc SYSTEM 'http://x.org/y.dtd'>\n<doc>", True),
        (b"<text>\n<p><s id='1'>a</s>", True),
        (b"<x:document><x:s>", True),
        (b"<text>\nplain lines in a tag", False),
        (b"<b>bold</b> and <s >struck</s>", False),
        (b"He said: <s>nothing</s>", False),
        (b"plain text", False),
        (b"", False),
    ],
)
def test_told_from_lines(head, expected):
    assert is_document(head) is expected


@pytest.mark.parametrize(
    ("folder", "name", "sentences", "second", "paragraphs"),
    [
        ("xces", "svenprf-src.xml.gz", 288, "Eders Majestäter, Eders Kungliga Högheter", None),
        ("xces", "svenprf-trg.xml.gz", 291, "Your Majesties, Your Royal Highnesses", None),
        ("xces", "1988en.basic.xml", 152, "Your Majesties , Your Royal Highnesses , Mr", 72),
        ("xces", "1988sv.basic.xml", 151, "Eders Majestäter , Eders Kungliga", None),
        ("xces", "1988en.sent.xml", 152, "Your Majesties, Your Royal Highnesses, Mr", 72),
        ("intertext", "Obama-Inauguracni_rec.cs-00.xml", 113, "stojím tu dnes v pokoře před", 33),
        ("intertext", "Obama-Inauguracni_rec.no-00.xml", 131, "Jeg står her i dag, ydmyk av", 40),
    ],
)
def test_published_documents(folder, name, sentences, second, paragraphs):
    path = data("formats", folder, name)
    with open_source(path) as source:
        assert is_document(source.head())
        text = read_document(source)
    raw = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    assert len(text) == raw.count(b"<s id=") == sentences
    assert text[1].text.startswith(second)
    assert (text.paragraphs and len(text.paragraphs)) == paragraphs


def test_a_published_document_without_sentences():
    path = data("formats", "intertext", "Obama-Inauguracni_rec.cs-00.unseg.xml")
    with open_source(path) as source, pytest.raises(FormatError, match="holds no sentences"):
        read_document(source)
