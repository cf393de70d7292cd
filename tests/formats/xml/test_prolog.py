"""The prolog: what is seen of a file before a parser sees it."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from bitext.formats.xml import HEAD, codec_of, read_prolog

MISC = ["", " ", "\n", "<!-- <d> ]> ' -->", '<?x ]> " ?>', "<!--->-->"]
SUBSET = [
    *MISC,
    "<!ENTITY e 'x'>",
    '<!ENTITY f "]>">',
    "<!ENTITY e SYSTEM 'f'>",
    "<!ENTITY g PUBLIC 'a' \"]><d/>\">",
    "<!ENTITY % p 'x'>",
    '<!ENTITY % q SYSTEM "\'">',
    "<!ATTLIST d a CDATA 'x'>",
    '<!ATTLIST d\n b (c|d) "c">',
    "<!ELEMENT d ANY>",
    '<!NOTATION n SYSTEM "<!ATTLIST">',
    ">",
    "]",
    "'",
]
misc = st.lists(st.sampled_from(MISC), max_size=3).map("".join)
subset = st.lists(st.sampled_from(SUBSET), max_size=5).map("".join)
doctypes = st.builds(
    lambda name, system, inner, space: f"<!DOCTYPE {name}{system}{space}{inner}{space}>",
    st.sampled_from(["d", "d ", "a:b"]),
    st.sampled_from(["", " SYSTEM '>'", " PUBLIC \"[\" ''", ' SYSTEM "\'"']),
    st.one_of(st.just(""), subset.map(lambda text: f"[{text}]")),
    st.sampled_from(["", " ", "\n"]),
)
roots = st.sampled_from(["<d/>", "<d x='>'></d>", '<d y="\'/>">&lt;</d>', "<d\n/>", "<d>"])
files = st.tuples(
    st.sampled_from(["", "<?xml version='1.0'?>", "<?xml version='1.0' ?>\n"]),
    misc,
    st.one_of(st.just(""), doctypes),
    misc,
    roots,
).map("".join)


class Declared:
    """Takes from the parser what a document type declares."""

    def __init__(self, data):
        parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
        self.tree = etree.parse(io.BytesIO(data), parser)
        self.dtd = self.tree.docinfo.internalDTD


@given(files)
def test_nothing_is_declared_that_is_not_seen(text):
    """Whatever the parser takes for well-formed: we see its root and what it declares."""
    try:
        declared = Declared(text.encode())
    except etree.XMLSyntaxError:
        return
    prolog, dtd = read_prolog(text.encode()), declared.dtd
    assert prolog.root == declared.tree.getroot().tag
    assert bool(prolog.doctype) == (dtd is not None)
    if dtd is None:
        return
    defaults = any(any(True for _ in one.iterattributes()) for one in dtd.iterelements())
    entities = list(dtd.iterentities())
    assert bool(prolog.forbidden()) >= (defaults or any(one.content is None for one in entities))
    assert ("<!ENTITY" in prolog.doctype) >= bool(entities)


@pytest.mark.parametrize("place", [HEAD - 200, HEAD - 40, HEAD - 20, HEAD - 1, HEAD, HEAD + 1])
def test_a_declaration_at_the_end_of_what_is_looked_at(place):
    """A declaration that the head cuts leaves no root, so the file is refused."""
    before = "<!DOCTYPE d [" + " " * (place - 13)
    prolog = read_prolog(f"{before}<!ATTLIST d a CDATA 'x'>]><d/>".encode()[:HEAD])
    assert prolog.forbidden() or not prolog.root


@pytest.mark.parametrize(
    "name", ["UTF-7", "utf7", "csUnicode11UTF7", "UTF-32", "cp037", "IBM500", "rot13", "hz", ""]
)
def test_encodings_that_are_not_on_the_list(name):
    assert codec_of(name) == ""


@pytest.mark.parametrize("name", ["UTF-8", "utf8", "Latin1", "windows-1252", "Shift_JIS", "Big5"])
def test_encodings_that_are(name):
    assert codec_of(name)


@pytest.mark.parametrize("sign", ["\0", "\x01", "\uffff"])
def test_a_root_has_a_name_of_characters_that_xml_has(sign):
    """Found by fuzzing: lxml has an error of its own for the name."""
    assert read_prolog(f"<{sign}T{sign}E{sign}I a='b'><c/>".encode()).root == ""
