"""XML files of which the units that are not well-formed are left out: what, and nothing else."""

import random
import tracemalloc

import pytest

from bitext.errors import FormatError
from bitext.formats.reading import FileOptions, opened

TU = (
    '<tu tuid="{0}"><tuv xml:lang="en"><seg>one {0}</seg></tuv>\n'
    '<tuv xml:lang="fi"><seg>yksi {0}</seg></tuv></tu>\n'
)
HEAD = '<?xml version="1.0" encoding="{}"?>\n<tmx version="1.4"><header srclang="en"/><body>\n'
END = "</body></tmx>\n"
GROUP = '<linkGrp targType="s" fromDoc="en/{0}.xml" toDoc="fi/{0}.xml">\n{1}</linkGrp>\n'
LINK = '<link xtargets="{0};{0}" id="{0}"/>\n'


def tmx(units, encoding="UTF-8"):
    return HEAD.format(encoding) + "".join(units) + END


def units(count):
    return [TU.format(k) for k in range(count)]


def groups(count, links=3):
    return [
        GROUP.format(g, "".join(LINK.format(f"s{g}.{k}") for k in range(links)))
        for g in range(count)
    ]


def xces(parts):
    return f'<cesAlign version="1.0">\n{"".join(parts)}</cesAlign>\n'


@pytest.fixture
def read(tmp_path):
    """Reads a file; returns its beads by `id` or `tuid`, with their documents, and the faults."""

    def make(content, name="a.tmx", block_size=0):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        found, bad = [], []
        with opened(str(path), FileOptions(parts=True), on_bad=bad.append) as reading:
            reading.source.block_size = block_size
            for part in reading:
                columns = part.alignment.attributes
                names = columns.get("tuid") or columns.get("id") or []
                found += [(part.meta.get("src_doc", ""), each) for each in names]
        return found, [(fault.line, fault.message) for fault in bad]

    return make


def names(found):
    return [int(name) for _, name in found]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one 5<", "salt & pepper<"),
        ("one 5<", "a < b<"),
        ("one 5<", "\x01<"),
        ("one 5<", "&nbsp;<"),
        ("one 5<", "<b>bold</seg><"),
        ('tuid="5"', "tuid=5"),
        ('tuid="5"', 'tuid="5'),
        ('tuid="5"', 'tuid="5" tuid="6"'),
        ("yksi 5</seg></tuv></tu>", "yksi 5</seg></tuv>"),
        ("yksi 5</seg></tuv></tu>", "yksi 5</seg>"),
        ('<tu tuid="5">', ""),
        ('<tu tuid="5">', '<t tuid="5">'),
        ('<tu tuid="5">', '<u:tu tuid="5">'),
        ("one 5", "<!-- one 5"),
        ("one 5", "<![CDATA[ one 5"),
        ("one 5", "<? one 5"),
        ("one 5", "one <tu> 5"),
    ],
)
def test_one_bad_unit_costs_itself_alone(read, old, new):
    content = tmx(units(20))
    assert content.count(old) == 1
    found, bad = read(content.replace(old, new))
    assert names(found) == [k for k in range(20) if k != 5]
    # What is left of the unit, where its start tag is gone, may stand in two places.
    assert {line for line, _ in bad} <= {13, 14, 15}
    assert 1 <= len(bad) <= 2


def test_a_byte_of_another_encoding_costs_its_unit(read):
    found, bad = read(tmx(units(20)).encode().replace(b"yksi 7", b"yks\xe4 7"))
    assert names(found) == [k for k in range(20) if k != 7]
    assert [line for line, _ in bad] == [18]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "iso-8859-1"])
def test_files_in_other_encodings(read, encoding):
    content = tmx(units(6), encoding).replace("yksi 4", "yksi & 4").replace("one 2", "öne 2")
    found, bad = read(content.encode(encoding))
    assert names(found) == [0, 1, 2, 3, 5]
    assert [line for line, _ in bad] == [12]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_that_is_only_named_needs_no_byte_order_mark(read, encoding):
    content = tmx(units(6), "utf-16").replace("yksi 4", "yksi & 4")
    found, bad = read(content.encode(encoding))
    assert names(found) == [0, 1, 2, 3, 5]
    assert [line for line, _ in bad] == [12]


def test_units_in_comments_stay_in_them(read):
    content = tmx(units(20))
    content = content.replace('<tu tuid="5">', '<!-- <tu tuid="5">').replace("yksi 9<", "& <")
    content = content.replace("yksi 7</seg></tuv></tu>", "yksi 7</seg></tuv></tu> -->")
    found, bad = read(content)
    assert names(found) == [*range(5), 8, *range(10, 20)]
    assert len(bad) == 1


def test_a_file_that_is_cut_short_gives_its_whole_units(read):
    content = tmx(units(20))
    at = content.index("yksi 9")
    found, bad = read(content[:at])
    assert names(found) == list(range(9))
    assert len(bad) == 1
    found, bad = read(content[: content.index('<tu tuid="9"')])
    assert names(found) == list(range(9))
    assert "it ends before its root element does" in bad[0][1]


def test_a_broken_head_of_a_file_leaves_nothing_to_rely_on(read):
    content = tmx(units(3)).replace('srclang="en"', "srclang=en")
    with pytest.raises(Exception, match="line 2: is not well-formed XML"):
        read(content)


def test_a_comment_in_a_value_of_the_root_is_a_fault_of_the_file(read):
    content = '<cesAlign version="1<!-- c -->.0">\n' + groups(1)[0] + "</cesAlign>\n"
    with pytest.raises(FormatError, match=r"line 1: .*Unescaped '<' not allowed in attributes"):
        read(content)


def test_a_link_that_is_not_closed_costs_itself_alone(read):
    content = xces(groups(3))
    for name in ("s1.0", "s1.1", "s1.2"):
        found, bad = read(content.replace(f'id="{name}"/>', f'id="{name}">'), "a.xces")
        kept = [f"s{g}.{k}" for g in range(3) for k in range(3) if f"s{g}.{k}" != name]
        assert [each for _, each in found] == kept
        assert all(f"en/{name[1]}.xml" == doc for doc, name in found)
        assert len(bad) == 1
        assert "has a link that is not well-formed XML" in bad[0][1]


@pytest.mark.parametrize(
    ("old", "new", "lost", "faults"),
    [
        ('fromDoc="en/1.xml"', 'fromDoc="en/1&.xml"', [1], 4),
        ('<linkGrp targType="s" fromDoc="en/1.xml"', '<linkGrp fromDoc="en/1.xml', [1], 4),
        ('id="s0.2"/>\n</linkGrp>', 'id="s0.2"/>\n</linkGr>', [], 1),
        ('id="s0.2"/>\n</linkGrp>', 'id="s0.2"/>\n&', [], 1),
        ('id="s0.2"/>\n</linkGrp>', 'id="s0.2"/>\n</linkGrp> & ', [], 1),
    ],
)
def test_links_of_a_group_whose_tags_are_broken_go_into_no_other_group(
    read, old, new, lost, faults
):
    found, bad = read(xces(groups(3)).replace(old, new), "a.xces")
    expected = [f"s{g}.{k}" for g in range(3) for k in range(3) if g not in lost]
    assert sorted(name for _, name in found) == expected
    assert all(f"en/{name[1]}.xml" == doc for doc, name in found)
    assert len(bad) == faults


def test_names_in_a_namespace_with_a_prefix(read):
    link = '<x:link xtargets="{0};{0}" id="{0}"/>'
    inside = "".join(link.format(f"s{k}") for k in range(4)).replace('id="s2"', "id=s2")
    group = f'<x:linkGrp fromDoc="en/1.xml" toDoc="fi/1.xml">{inside}</x:linkGrp>'
    found, bad = read(f'<x:cesAlign xmlns:x="urn:x">{group}</x:cesAlign>', "a.xces")
    assert [name for _, name in found] == ["s0", "s1", "s3"]
    assert len(bad) == 1


def test_prefixes_that_a_group_declares_hold_in_it(read):
    content = xces(groups(3)).replace("<linkGrp ", '<linkGrp xmlns:y="urn:y" ')
    content = content.replace('id="s2.1"', 'id="s2.1" y:note="&"').replace("/>", ' y:k="1"/>')
    found, bad = read(content, "a.xces")
    assert [name for _, name in found] == [
        f"s{g}.{k}" for g in range(3) for k in range(3) if (g, k) != (2, 1)
    ]
    assert len(bad) == 1


@pytest.mark.parametrize("size", [1 << 8, 1 << 10, 1 << 18])
def test_what_is_left_out_is_the_same_however_the_file_is_cut_into_pieces(read, size):
    chance = random.Random(size)
    bad = set(chance.sample(range(300), 40))
    many = [
        each.replace("yksi", chance.choice(["&", "<", "</tu>", "<tu>", "\x02"]))
        if k in bad
        else each
        for k, each in enumerate(units(300))
    ]
    found, faults = read(tmx(many), block_size=size)
    assert names(found) == [k for k in range(300) if k not in bad]
    assert len(faults) >= len(bad)


def test_a_sound_file_is_read_as_without(tmp_path):
    path = tmp_path / "a.tmx"
    content = (
        tmx(units(50)).replace("one 7", "<![CDATA[</tu> & <tu>]]>").replace("yksi 9", "&#228;")
    )
    path.write_text(content, encoding="utf-8")
    with opened(str(path)) as reading:
        plain = [pair for part in reading for pair in part.pairs()]
    with opened(str(path), on_bad=[].append) as reading:
        assert [pair for part in reading for pair in part.pairs()] == plain
    assert plain[7] == (["</tu> & <tu>"], ["yksi 7"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<hi>" * 300 + "</hi>" * 300, "nested more than 256 deep"),
        ("<hi>" * 300 + "a > b" + "</hi>" * 300, "nested more than 256 deep"),
        ("<ph x='/>'>" * 300 + "</ph>" * 300, "nested more than 256 deep"),
        ("&nbsp;", "Entity 'nbsp' not defined"),
        ("<ph " + " ".join(f'a{k}="1"' for k in range(300)) + "/>", "300 attributes"),
    ],
)
def test_limits_that_need_a_tree_hold_for_units_among_many_sound_ones(read, text, why):
    # Long pieces are first given to a parser without a tree.
    many = units(600)
    many[500] = TU.format(500).replace("yksi 500", text)
    content = tmx(many).replace("<tmx", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx', 1)
    found, faults = read(content)
    assert names(found) == [k for k in range(600) if k != 500]
    assert len(faults) == 1
    assert why in str(faults[0])


def test_memory_does_not_grow_with_the_file(tmp_path):
    def peak(count):
        path = tmp_path / f"{count}.tmx"
        path.write_text(tmx(units(count)).replace("yksi 77<", "&<"), encoding="utf-8")
        bad = []
        tracemalloc.start()
        with opened(str(path), FileOptions(parts=True), on_bad=bad.append) as reading:
            size = sum(len(part.alignment) for part in reading)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (size, len(bad)) == (count - 1, 1)
        return most

    peak(100)  # modules that are imported late take memory, too
    assert peak(12_000) < 1.15 * peak(2_000)
