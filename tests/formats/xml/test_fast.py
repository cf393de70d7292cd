"""Regular pieces of XML files: what is handed out, and where the parser takes over."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats.io.source import Source
from bitext.formats.xml import unescape
from bitext.formats.xml.fast import Pieces, are_all_valid

HEAD = '<?xml version="1.0"?>\n<r>\n<b>'
NAMES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
PARTS = [
    "&lt;",
    "&amp;",
    "&quot;",
    "&#38;",
    "&#x26;",
    "&#60;",
    "&#x1F600;",
    "lt;",
    "amp;",
    "#60;",
    "a",
]
BAD = ["&", "&x;", "&#0;", "&#xD800;", "&#x110000;", "&#11;", "&;", "&#;", "&lt"]


def pieces(content, size=32):
    source = Source("made", io.BytesIO(content.encode() if isinstance(content, str) else content))
    return Pieces(source, b"</u>", size=size)


def unescaped_slowly(text):
    out, at = [], 0
    while at < len(text):
        end = text.find(";", at)
        if text[at] == "&":
            name = text[at + 1 : end]
            if name.startswith("#x"):
                out.append(chr(int("0" + name[1:], 16)))
            else:
                out.append(chr(int(name[1:])) if name.startswith("#") else NAMES[name])
            at = end + 1
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_references_are_put_in_once(text):
    assert unescape(text) == unescaped_slowly(text)


@given(st.lists(st.sampled_from(PARTS + BAD), max_size=6), st.sampled_from([0, 2000]))
def test_references_are_valid_or_not_whatever_stands_around(parts, more):
    text = "|".join([*parts, "a" * more])
    assert are_all_valid(text.encode()) == (not any(part in BAD for part in parts))


@given(st.lists(st.text(st.sampled_from("ab\n<é"), max_size=40), max_size=8), st.integers(1, 50))
def test_pieces_are_the_file(texts, size):
    units = "".join(f"<u>{text.replace('<', '&lt;')}</u>" for text in texts)
    given_pieces = pieces(f"{HEAD}{units}</b></r>", size)
    opening = given_pieces.opening(b"<b>")
    found = list(given_pieces)
    assert opening.text + "".join(piece.text for piece in found) == f"{HEAD}{units}</b></r>"
    assert all(piece.text.endswith("</u>") for piece in found[:-1])
    before = opening.text
    for piece in found:
        assert piece.line == 1 + before.count("\n")
        before += piece.text


@pytest.mark.parametrize(
    "odd", ["<!-- c -->", "<![CDATA[x]]>", "<?p i?>", "&x;", "\x01", "]]>", "\ufffe"]
)
def test_what_is_irregular_is_left_to_the_parser(odd):
    regular = pieces(f"{HEAD}<u>1</u>\n<u>2</u>{odd}</b></r>".encode("utf-8", "surrogatepass"), 10)
    regular.opening(b"<b>")
    found = "".join(piece.text for piece in regular)
    assert odd not in found
    assert not regular.regular


@pytest.mark.parametrize("comment", ["<!-- c -->", "\n<!---->\n <!-- </u> a-b -->\r\n"])
def test_comments_of_one_line_between_tags_are_taken_out(comment):
    regular = pieces(f"{HEAD}{comment}<u>1</u>{comment}<u>2</u></b></r>", 1 << 10)
    regular.opening(b"<b>")
    found = "".join(piece.text for piece in regular)
    assert "".join(found.split()) == "<u>1</u><u>2</u></b></r>"
    assert (found.count("\n"), regular.regular) == (2 * comment.count("\n"), True)


@pytest.mark.parametrize(
    "comment", ["<!-- a--b -->", "<!-- a --->", "<!-- é -->", "<!--\n-->", "<!-- c -->x", "<!--"]
)
def test_other_comments_are_left_to_the_parser(comment):
    regular = pieces(f"{HEAD}{comment}<u>1</u><u>2</u></b></r>", 1 << 10)
    regular.opening(b"<b>")
    assert (list(regular), regular.regular) == ([], False)


def test_an_error_names_no_line_of_an_element_that_an_earlier_piece_left_open():
    regular = pieces(f"{HEAD}<u>1</u>\n<v>\n<u>2</u>\n</b></r>", 8)
    regular.opening(b"<b>")
    each = iter(regular)
    assert [next(each).text for _ in range(3)][-1] == "\n</b></r>"
    with pytest.raises(FormatError, match=r"mismatch: v and b"):
        list(regular.rest(end=("u",), inside="<v>"))


def test_the_parser_goes_on_with_the_lines_of_the_file():
    regular = pieces(f"{HEAD}<u>1</u>\n<u>2</u>\n<u><!-- c -->3</u>\n<u>4</u></b></r>", 8)
    regular.opening(b"<b>")
    seen = "".join(piece.text for piece in regular)
    assert re.findall("[0-9]", seen) == ["1", "2"]
    rest = [(element.text, line) for _, element, line in regular.rest(end=("u",))]
    assert rest == [("3", 5), ("4", 6)]


def test_errors_tell_the_lines_of_the_file():
    regular = pieces(f"{HEAD}<u>1</u>\n<u>2</u>\n<!-- c --><u>\n3</v>\n</b></r>", 8)
    regular.opening(b"<b>")
    list(regular)
    with pytest.raises(FormatError, match=r"line 6: .*mismatch: u line 5 and v"):
        list(regular.rest(end=("u",)))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_wide_encodings_are_left_to_the_parser(encoding):
    content = f'<?xml version="1.0" encoding="{encoding}"?><r><b><u>1</u></b></r>'.encode(encoding)
    regular = pieces(content)
    assert regular.opening(b"<b>") is None
    assert list(regular) == []
