"""The XML parser: what it gives, and what it refuses."""

import gzip
import io
import json
import resource
import socket
import subprocess
import sys
import textwrap
import time
import tracemalloc
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import all_formats
from bitext.formats.xml import read_prolog, safe


def source(data: bytes | str, encoding="utf-8") -> Source:
    raw = data.encode() if isinstance(data, str) else data
    return Source("made.xml", io.BytesIO(raw), encoding)


def events(data, *, start=(), end=("s",), encoding="utf-8", **options):
    return [
        (event, safe.local_name(element), "".join(element.itertext()))
        for event, element in safe.iterate(source(data, encoding), start=start, end=end, **options)
    ]


def test_local_names_are_compared_without_namespaces():
    data = '<d xmlns="u:1" xmlns:x="u:2"><s>a</s><x:s>b</x:s><y xmlns=""><s>c</s></y></d>'
    assert events(data) == [("end", "s", "a"), ("end", "s", "b"), ("end", "s", "c")]


def test_start_and_end_are_asked_for_apart():
    data = "<d><p><s>a</s></p></d>"
    got = [(event, name) for event, name, _ in events(data, start=("p",), end=("s",))]
    assert got == [("start", "p"), ("end", "s")]


def test_an_element_named_at_its_start_only_keeps_its_content_for_its_parent():
    data = "<d><p><s>a</s><s>b</s></p></d>"
    assert events(data, start=("s",), end=("p",))[-1] == ("end", "p", "ab")


def test_comments_and_instructions_are_left_out_and_cdata_is_text():
    assert events("<d><s>a<!-- c -->b<?pi x?>c<![CDATA[<z>]]></s></d>") == [("end", "s", "abc<z>")]


def test_entities_of_the_file_itself_are_put_in():
    data = '<!DOCTYPE d [<!ENTITY e "&#233;">]><d><s a="&e;">caf&e;</s></d>'
    [(_, element)] = safe.iterate(source(data), end=("s",))
    assert (element.text, element.get("a")) == (None, None)  # given back already: emptied
    assert events(data) == [("end", "s", "café")]


def test_a_named_doctype_is_not_fetched(tmp_path, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    (tmp_path / "d.dtd").write_text('<!ENTITY x "from the file">')
    for system in ("http://127.0.0.1:9/d.dtd", (tmp_path / "d.dtd").as_uri()):
        assert events(f'<!DOCTYPE d SYSTEM "{system}"><d><s>a</s></d>') == [("end", "s", "a")]
        with pytest.raises(FormatError, match="Entity 'x' not defined"):
            events(f'<!DOCTYPE d SYSTEM "{system}"><d><s>&x;</s></d>')


def test_memory_does_not_grow_with_the_file():
    def size_of(count):
        data = b"<d>" + b"<p><s id='x'>some text</s></p> " * count + b"</d>"
        tracemalloc.start()
        seen = sum(1 for _ in safe.iterate(source(data), end=("s", "p")))
        peak = tracemalloc.get_traced_memory()[1] - len(data)
        tracemalloc.stop()
        assert seen == 2 * count
        return peak

    size_of(4)  # modules that are imported late take memory, too
    assert size_of(12_000) < size_of(400) + 300_000


def test_finished_elements_leave_the_tree():
    data = "<d>" + "<s>a</s>\n" * 5_000 + "</d>"
    elements = [element for _, element in safe.iterate(source(data), end=("s",))]
    assert all(element.getparent() is None for element in elements[:-1])
    assert len(elements[-1].getparent()) == 1


def test_lines_beyond_65535_are_told():
    data = "<d>" + "\n" * 100_000 + "<s/></d>"
    [line] = [safe.line_of(element) for _, element in safe.iterate(source(data), end=("s",))]
    assert line == 100_001


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "utf-16", "GB18030", "utf-8"])
def test_declared_encodings_are_read(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><d><s>é</s></d>'
    assert events(text.encode(encoding)) == [("end", "s", "é")]


def test_shift_jis_is_read():
    text = '<?xml version="1.0" encoding="Shift_JIS"?><d><s>日本</s></d>'
    assert events(text.encode("shift_jis")) == [("end", "s", "日本")]


@pytest.mark.parametrize("encoding", ["latin-1", "Latin_1", "iso8859_15", "utf_8", "koi8_r"])
def test_encodings_may_be_declared_by_the_names_that_python_has(encoding):
    text = "ж" if encoding == "koi8_r" else "é"
    data = f'<?xml version="1.0" encoding="{encoding}"?><d><s>{text}</s></d>'
    assert events(data.encode(encoding)) == [("end", "s", text)]


@pytest.mark.parametrize("encoding", ["iso8859-1", "cp1252", "koi8-r", "euc_jp"])
def test_the_encoding_asked_for_counts_where_none_is_declared(encoding):
    text = {"koi8-r": "ж", "euc_jp": "日"}.get(encoding, "é")
    assert events(f"<d><s>{text}</s></d>".encode(encoding), encoding=encoding)[0][2] == text


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252", "UTF-16", "us-ascii"])
def test_a_mark_of_utf_8_has_priority_over_a_declaration(declared):
    text = f'<?xml version="1.0" encoding="{declared}"?><d><s>é</s></d>'
    assert events(text.encode("utf-8-sig")) == [("end", "s", "é")]
    made = source(text.encode("utf-8-sig"))
    assert [*safe.iterate(made, end=("s",))]
    (note,) = made.notes.all()
    assert (
        note.kind == "files with the byte order mark of UTF-8, read in that and not as they declare"
    )
    plain = source(text.replace(declared, "UTF8").encode("utf-8-sig"))
    assert [*safe.iterate(plain, end=("s",))]
    assert not plain.notes.all()


def test_marks_of_utf_8_and_utf_16():
    text = "<d><s>é</s></d>"
    bare = f'<?xml version="1.0"?>{text}'.encode("utf-16-be")
    for data in (b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"), bare):
        assert events(data) == [("end", "s", "é")]


UTF7 = "<d><s>+ADw-b/+AD4-</s></d>"
BOMB = (
    '<!DOCTYPE d [<!ENTITY a0 "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    + "]><d><s>&a9;</s></d>"
)
QUADRATIC = f'<!DOCTYPE d [<!ENTITY a "{"a" * 40_000}">]><d><s>{"&a;" * 4_000}</s></d>'
CROWD = "".join(f' a{k}=""' for k in range(300))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (f'<?xml version="1.0" encoding="UTF-7"?>{UTF7}', "line 1: declares the encoding 'UTF-7'"),
        (
            f'<?xml version="encoding=\'utf-8\'" encoding="UTF-7"?>{UTF7}',
            "broken XML declaration",
        ),
        (f'<?xml version="1.0" encoding="no-such"?>{UTF7}', "declares the encoding 'no-such'"),
        ("\n<?xml version='1.0'?><d/>", "line 1: has white space before the XML declaration"),
        (BOMB, "entities make too much text"),
        (QUADRATIC, "entities make too much text"),
        (BOMB.replace("<s>&a9;</s>", '<s a="&a9;"/>'), "entities make too much text"),
        ("<!DOCTYPE d [\n<!ATTLIST s a CDATA 'x'>]><d/>", "line 1: declares default attributes"),
        ("\n<!DOCTYPE d [<!ENTITY % p 'x'>]><d/>", "line 2: declares a parameter entity"),
        ("<!DOCTYPE d [<!ENTITY a 'x'> %p;]><d/>", "declares a parameter entity"),
        ('<!DOCTYPE d [<!ENTITY a SYSTEM "a.txt">]><d/>', "declares an external entity"),
        ('<!DOCTYPE d [<!ENTITY a PUBLIC "b" "a.txt">]><d/>', "declares an external entity"),
        ("<!DOCTYPE d [<!-- ]> -->\n<!ATTLIST d a CDATA 'x'>]><d/>", "declares default attributes"),
        ("<!DOCTYPE d [<?x ]> ?><!ATTLIST d a CDATA 'x'>]><d/>", "declares default attributes"),
        ("<!DOCTYPE d [<!ENTITY a ']>'><!ATTLIST d a CDATA 'x'>]><d/>", "default attributes"),
        (f"<!--{' ' * 70_000}--><!DOCTYPE d [<!ATTLIST d a CDATA 'x'>]><d/>", "no root element"),
        (f"<d><s{CROWD}/></d>", "element s has 300 attributes, more than the 256"),
        (f"{'<s>' * 300}{'</s>' * 300}", "nested more than 256 deep"),
        ("<d><s>&eacute;</s></d>", "Entity 'eacute' not defined"),
        ("<d>\n<s></d>", "line 2: is not well-formed XML: Opening and ending tag mismatch"),
        ("<d>\n<s>", "is not well-formed XML"),
        ("<d/><d/>", "Extra content at the end"),
        (b"<d><s>\xe9</s></d>", "not well-formed XML: .*declares none.; put .* windows-1252"),
        (" ", "is empty where XML is wanted"),
        ("plain text", "is not XML, or has no root element"),
        (f"<d><s>{'x' * 11_000_000}</s></d>", "is not well-formed XML"),
    ],
)
def test_refused_in_one_line(data, message):
    with pytest.raises(FormatError, match=message) as caught:
        events(data, start=("d",))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("made.xml")


def test_a_local_file_is_never_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    for subset in (
        f'<!ENTITY x SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % x SYSTEM "{secret.as_uri()}"> %x;',
    ):
        with pytest.raises(FormatError, match="document type, which is not read") as caught:
            events(f"<!DOCTYPE d [{subset}]><d><s>&x;</s></d>")
        assert "secret" not in str(caught.value)


def test_xinclude_is_not_followed(tmp_path):
    (tmp_path / "a.txt").write_text("the secret")
    inner = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="a.txt" parse="text"/>'
    assert events(f"<d><s>{inner}</s></d>") == [("end", "s", "")]


@pytest.mark.parametrize(
    ("attribute", "text", "expands"),
    [(0, 1, False), (300, 300, False), (300, 600, True), (600, 0, True)],
)
def test_characters_of_entities_are_counted_by_ourselves_too(attribute, text, expands):
    """A million is free. Attributes count at both tags, so that we stop before libxml2 does."""
    subset = f'<!DOCTYPE d [<!ENTITY a "{"a" * 1000}">]>'
    data = f'{subset}<d><s x="{"&a;" * attribute}">{"&a;" * text}</s></d>'
    if not expands:
        assert events(data, start=("s",))[1][2] == "a" * 1000 * text
        return
    with pytest.raises(FormatError, match="its entities make more than 5 times its size"):
        events(data, start=("s",))


def test_error_while_the_file_is_read_comes_through(tmp_path):
    packed = gzip.compress(b"<d>" + bytes(range(40, 60)) * 9_000 + b"</d>")
    (tmp_path / "a.gz").write_bytes(packed[:-9])
    with (
        open_source(tmp_path / "a.gz") as damaged,
        pytest.raises(FormatError, match="is damaged"),
    ):
        list(safe.iterate(damaged, end=("s",)))


@pytest.mark.parametrize(
    ("head", "root", "declared"),
    [
        (b"<a/>", "a", False),
        (b"<?xml version='1.0'?>\n<!-- <b> --><x:a y='>'>", "x:a", True),
        (b'<!DOCTYPE a PUBLIC "-//x//" "">\n<a>', "a", False),
        (b"text", "", False),
        (b"", "", False),
        (b"<!-- never ends", "", False),
        (b"<!DOCTYPE a [ never ends", "", False),
        (b"<!--" * 16_000, "", False),
        (b"<!DOCTYPE a [" + b"<!--" * 16_000, "", False),
    ],
)
def test_the_prolog(head, root, declared):
    prolog = read_prolog(head)
    assert (prolog.root, prolog.declared) == (root, declared)
    assert prolog.name == root.rpartition(":")[2]


# --- what stands around what is wanted ---

texts = st.sampled_from(["", "t", " ", "uv", "=", "\n"])


def _element(name, inner):
    return st.builds(
        lambda attributes, text, children: (
            f"<{name}{attributes}>{text}"
            + "".join(child + tail for child, tail in children)
            + f"</{name}>"
        ),
        st.sampled_from(["", " x='='", ' a="<!-" '.replace("<", "&lt;")]),
        texts,
        st.lists(st.tuples(inner, texts), max_size=4),
    )


inner = st.recursive(st.just("<i/>"), lambda more: _element("i", more), max_leaves=5)
trees = st.recursive(
    st.one_of(_element("s", inner), inner),
    lambda more: st.one_of(_element("p", more), _element("o", more)),
    max_leaves=12,
)


@given(_element("d", trees), st.integers(1, 40))
def test_trees_are_pruned_around_what_is_wanted_only(data, size):
    source = Source("made", io.BytesIO(data.encode()), block_size=size)
    found = [
        (
            event,
            element.tag,
            "".join(element.itertext()) if event == "end" else dict(element.attrib),
        )
        for event, element in safe.iterate(source, start=("p",), end=("s",))
    ]
    wanted = []
    for event, element in ET.iterparse(io.StringIO(data), events=("start", "end")):
        if event == "start" and element.tag == "p":
            wanted.append((event, "p", dict(element.attrib)))
        if event == "end" and element.tag == "s":
            wanted.append((event, "s", "".join(element.itertext())))
    assert found == wanted


def test_what_is_not_wanted_does_not_stay():
    def size_of(count):
        data = b"<d><o>" + b"<a><b x='y'>text</b>more</a> " * count + b"</o><s>a</s></d>"
        code = """
            import io, resource, sys
            from bitext.formats.xml import safe
            from bitext.formats.io.source import Source, open_source
            data = sys.stdin.buffer.read()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            got = [e.text for _, e in safe.iterate(Source("", io.BytesIO(data)), end=("s",))]
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, len(got))
        """
        command = [sys.executable, "-c", textwrap.dedent(code)]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        grown, seen = map(int, done.stdout.split())
        assert seen == 1
        return grown

    assert size_of(160_000) < size_of(1_600) + 8_000  # KB; the tree would be 40 MB


def test_an_element_of_too_many():
    many = "<a/>" * 20_000
    assert events(f"<d>{many}<s>a</s></d>", most_children=1_000)[0][2] == "a"
    message = "element s has more than 1,000 elements directly in it, and is wanted whole"
    with pytest.raises(FormatError, match=message):
        events(f"<d><s>{many}</s></d>", most_children=1_000)
    with pytest.raises(FormatError, match="element b has more than 1,000 elements"):
        events(f"<d><s><b>{many}</b></s></d>", most_children=1_000)
    entity = f"<!DOCTYPE d [<!ENTITY e '{'<a/>' * 100}'>]>"
    few_bytes = f"{entity}<d><s>{'&e;' * 300}{' ' * 40_000}</s></d>"
    with pytest.raises(FormatError, match="element s has more than 20,000 elements"):
        events(few_bytes, most_children=20_000)
    assert events(few_bytes, most_children=30_000)


def _crowd(count, *, value=""):
    return "".join(f' a{k}="{value}"' for k in range(count))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("before", [0, 32_000, 32_500, 65_400])
@pytest.mark.parametrize("value", ["", "x" * 1_000])
def test_a_crowded_element_inside_of_a_wanted_one(encoding, before, value):
    for count, crowded in ((256, False), (257, True)):
        inside = f"<s><i{_crowd(count, value=value)}/>a</s>"
        data = f"<d><s>{' ' * before}</s>{inside}</d>".encode(encoding)
        if not crowded:
            assert events(data)[1][2] == "a"
            continue
        with pytest.raises(FormatError, match="element i has 257 attributes, more than the 256"):
            events(data)


def test_text_full_of_signs_of_equality_is_no_crowd():
    text = "=" * 100_000
    assert events(f"<d><s>{text}<i x='y'/></s></d>")[0][2] == text


@given(st.integers(257, 400), st.lists(st.integers(1, 4_000)), st.integers(1, 8_000))
def test_many_attributes_are_seen_however_the_file_is_cut(count, gaps, size):
    """The shortest names that so many attributes can have, at any place, in any pieces."""
    crowd = "<i" + _crowd(count) + "/>"
    around = "".join(f"<b>{'x' * gap}</b>" for gap in gaps)
    content = f"<d>{around}<s>{crowd}</s>{around}</d>".encode()
    pieces = Source("made", io.BytesIO(content), block_size=size)
    with pytest.raises(FormatError, match=f"element i has {count} attributes, more than the 256"):
        list(safe.iterate(pieces, end=("s",)))


def test_namespaces_without_number_are_forgotten():
    # The names of 1,024 are remembered.
    data = "<d>" + "".join(f'<s xmlns="u:{k}">{k}</s>' for k in range(3_000)) + "</d>"
    assert [text for _, _, text in events(data)] == [str(k) for k in range(3_000)]


# --- how long it takes, and how much memory ---

MANY = 12_000_000
ATTACKS = {  # before, what is repeated, how often, behind
    "attribute": ("<d><s a='", "x", MANY, "'/></d>"),
    "attribute without end": ("<d><s a='", "x", MANY, ""),
    "large attributes": ("<d><s><i", " a{}='" + "x" * 999 + "'", 300, "/></s></d>"),
    "comment": ("<d><!--", "x", MANY, "--></d>"),
    "instruction": ("<d><?x ", "x", MANY, "?></d>"),
    "section": ("<d><s><![CDATA[", "x", MANY, "]]></s></d>"),
    "name": ("<d><", "x", MANY, "/></d>"),
    "reference": ("<d><s>&", "x", MANY, ";</s></d>"),
    "signs": ("<d><s>", "<", MANY, ""),
    "deep": ("<d>", "<s>", MANY, ""),
    "elements": ("<d><s>", "<i/>", MANY, "</s></d>"),
    "elements around": ("<d>", "<i/>", 3_000_000, ""),
    "attributes": ("<d><s", " a{}=''", 40_000, "/></d>"),
    "inner attributes": ("<d><s><i", " a{}=''", 40_000, "/></s></d>"),
    "line ends": ("<d><s>", "\n", MANY, "</s></d>"),
    "nul": ("<d><s>", "\0", MANY, "</s></d>"),
    "prolog": ("<!--", " ", MANY, "--><d/>"),
    "root": ("<d", " ", MANY, "/>"),
    "declaration": ("<?xml version='1.0'", " ", MANY, "?><d/>"),
    "document type": ("<!DOCTYPE d [", "<!ENTITY e 'x'>", MANY, "]><d/>"),
    "name of the root": ("<", "a", MANY, "/>"),
}
READ = """
    import io, json, resource, sys, time
    from bitext.errors import FormatError
    from bitext.formats.xml import safe
    from bitext.formats.io.source import Source, open_source

    def made(before, unit, count, behind):
        yield before.encode()
        step = 1 if "{}" in unit else 10_000
        for k in range(0, count, step):
            yield unit.format(k).encode() if step == 1 else unit.encode() * step
        yield behind.encode()

    class Made(io.RawIOBase):
        def __init__(self, attack):
            self.parts, self.rest = made(*attack), b""
        def readable(self):
            return True
        def read(self, size):
            self.rest = self.rest or next(self.parts, b"")
            data, self.rest = self.rest[:size], self.rest[size:]
            return data

    from lxml import etree
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, attack in json.loads(sys.argv[1]).items():
        begun = time.process_time()
        said = ""
        try:
            for _ in safe.iterate(Source("made.xml", Made(attack)), start=("d",), end=("s",)):
                pass
        except FormatError as error:
            said = str(error)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(json.dumps([name, said, time.process_time() - begun, grown]))
"""


def test_attacks_take_little_time_and_memory():
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

    command = [sys.executable, "-c", textwrap.dedent(READ), json.dumps(ATTACKS)]
    done = subprocess.run(command, capture_output=True, preexec_fn=limit, check=False)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, *_ in results] == list(ATTACKS), done.stderr.decode()[-500:]
    for name, said, seconds, grown in results:
        assert said.startswith("made.xml"), name
        assert "\n" not in said
        assert len(said) < 400
        assert seconds < 5, name
        assert grown < 250_000, name  # KB: a million elements, each of 100 bytes, and what is read


HEADS = [
    "a",
    "<a",
    "<a ",
    "<",
    "&",
    "\0",
    " ",
    "<!--",
    "<?xml ",
    "<!DOCTYPE a [",
    "<!ENTITY ",
    "%a",
]
HEADS += ["'", '"', "<a '", "1\t", "[", "[1]:", "[1, ", '{"', "a\tb\n", "#", "({ ", "1-", "=", "\n"]
HEADS += [
    "<a b='",
    "0-0 ",
    "<link ",
    "msgid ",
    "~",
    "\r",
    "(",
    "0",
    "0.",
    "-",
    "1 ",
    ":",
    ",",
    "\\",
]


@pytest.mark.parametrize("first", ["", "<!DOCTYPE ", "["])
def test_first_bytes_are_looked_at_in_linear_time(first):
    worst = (0.0, "", "")
    for head in HEADS:
        data = (first + head * (1 << 16)).encode()[: 1 << 16]
        begun = time.process_time()
        read_prolog(data).forbidden()
        worst = max(worst, (time.process_time() - begun, "prolog", head))
        for known in all_formats().values():
            begun = time.process_time()
            known.sniff(data)
            worst = max(worst, (time.process_time() - begun, known.name, head))
    assert worst[0] < 0.5, worst


def test_a_declared_encoding_that_the_file_is_not_in():
    content = b'<?xml version="1.0" encoding="utf-16"?>\n<a>plain</a>'
    with pytest.raises(FormatError, match=r"declares the encoding 'utf-16', but is not written in"):
        list(safe.iterate(Source("a.xml", io.BytesIO(content)), end=("a",)))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_an_encoding_asked_for_that_the_file_does_not_have(encoding):
    """Found by fuzzing: the parser has other names for these."""
    with pytest.raises(FormatError, match=r"made\.xml.* is not well-formed XML"):
        events("<d><s>a</s></d>", encoding=encoding)


class Endless(io.RawIOBase):
    """A file that begins somehow and goes on with letters for ever."""

    def __init__(self, begin):
        self.begin, self.given = begin, 0

    def read(self, size=-1):
        data = self.begin or b"a" * size
        self.begin = b""
        self.given += len(data)
        return data


@pytest.mark.parametrize("begin", [b'<d>\n<s>a</s>\n<s n="', b"<d>\n<s>a</s>\n<s>", b"<d>\n\n<s"])
@pytest.mark.parametrize("leaving_out", [False, True])
def test_what_is_far_too_long_is_refused_before_all_of_it_is_read(begin, leaving_out):
    endless = Endless(begin)
    made = Source("made.xml", endless)
    if leaving_out:
        made.units, made.on_bad = ("s",), print
    with pytest.raises(FormatError, match="longer than 10,000,000 bytes") as told:
        list(safe.iterate(made, end=("s",)))
    assert told.value.line == 3
    assert endless.given < 20_000_000


@pytest.mark.parametrize(
    "message",
    [
        "xmlSAX2Characters: huge text node, line 3, column 9",
        "internal error: Huge input lookup, line 3, column 9",
        "Resource limit exceeded: Text node too long, try XML_PARSE_HUGE, line 3, column 9",
    ],
)
def test_every_version_of_the_parser_says_that_a_text_is_too_long(monkeypatch, message):
    from lxml import etree

    def refuse(*_, **__):
        raise etree.XMLSyntaxError(message, 1, 3, 9)
        yield

    monkeypatch.setattr(etree, "iterparse", refuse)
    with pytest.raises(FormatError, match="longer than 10,000,000 bytes") as refused:
        events("<d><s>a</s></d>")
    assert refused.value.line == 3
