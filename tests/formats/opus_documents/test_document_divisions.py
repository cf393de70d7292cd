"""What divides a document beside its paragraphs."""

import pytest

from bitext.formats.io.source import open_source
from bitext.formats.opus_documents import is_document, read_document


@pytest.fixture
def masses(tmp_path):
    def read(body, root="text", *, divisions=True, block_size=0):
        path = tmp_path / "a.xml"
        number = iter(range(1000))
        filled = "".join(
            f'<s id="s{next(number)}">One.</s>\n' if part == "S" else part for part in body
        )
        path.write_text(f'<?xml version="1.0"?>\n<{root}>\n{filled}</{root}>\n', encoding="utf-8")
        with open_source(path) as source:
            source.block_size = block_size
            text = read_document(source, divisions=divisions)
        return None if text.paragraphs is None else text.paragraphs.masses.tolist()

    return read


def test_sentences_beside_paragraphs_are_paragraphs(masses):
    body = ["<div>", "<head>", "S", "</head>\n", "<p>", "S", "S", "</p>\n", "<p>", "S", "</p>\n"]
    body += ["</div>\n", "<div>\n", "<head>", "S", "</head>", "<head>", "S", "</head>", "<p>", "S"]
    body += ["</p>", "</div>\n"]
    assert masses(body) == [1, 2, 1, 1, 1, 1]
    assert masses(body, divisions=False) is None


def test_paragraphs_alone_are_as_ever(masses):
    body = ["<div>", "<p>", "S", "S", '<pb n="1"/>', "</p>\n", "</div>", "<p>", "S", "</p>\n"]
    assert masses(body) == masses(body, divisions=False) == [2, 1]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (["<div>", "S", "S", "</div>\n", "<div>", "S", '<pb n="1"/>', "S", "</div>"], [2, 2]),
        (["S", '<pb n="1"/>\n', "S", "S", "<pb/>", "S"], [1, 2, 1]),
        (["<body>", "<div>", "S", "<pb/>\n", "S", "</div>", "</body>"], [1, 1]),
        (["S", "S"], None),
    ],
)
def test_without_paragraphs_others_divide(masses, body, found):
    assert masses(body) == found


@pytest.mark.parametrize("root", ["text", "div"])
def test_what_is_open_when_the_quick_way_ends_is_no_border(masses, root):
    body = ["<div>", "<p>", *["S"] * 9, "</p>\n", "<p>", *["S"] * 7, "</p>\n", "</div>", "S", "S"]
    assert masses(body, root, block_size=64) == [9, 7, 2]
    body = ["<p>", *["S"] * 30, "<s id='odd'><hi>x</hi></s>", "</p>", "S"]
    assert masses(body, root, block_size=64) == [31, 1]


def test_tei_is_a_document_however_long_its_header_is():
    assert is_document(b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>' + b"x" * 9000)
    assert not is_document(b"<body>no sentence here")
