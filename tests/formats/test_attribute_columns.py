"""Files with very many names of attributes: refused early, in little memory and time."""

import re
import time
import tracemalloc

import pytest

import bitext
from bitext.errors import BitextError, FormatError
from bitext.formats.beads import AttributeColumns
from bitext.formats.io.source import Source

SIZE = 3000
LINK = '<link xtargets="{0};{0}" a{0}="1"/>\n'
GROUP = '<cesAlign><linkGrp fromDoc="a" toDoc="b">\n{}</linkGrp></cesAlign>'
UNIT = (
    '<tu><prop type="p{0}">1</prop><tuv xml:lang="en"><seg>a</seg></tuv>'
    '<tuv xml:lang="fi"><seg>b</seg></tuv></tu>\n'
)
S = '<s xml:id="e{0}" xml:lang="en">a</s><s xml:id="f{0}" xml:lang="fi">b</s>\n'
TEI_LINK = '<link target="#e{0} #f{0}" a{0}="1"/>\n'


def many(pattern):
    return "".join(pattern.format(k) for k in range(SIZE))


FILES = {
    "a.xces": lambda: GROUP.format(many(LINK)),
    "a.tmx": lambda: f'<tmx version="1.4"><header srclang="en"/><body>{many(UNIT)}</body></tmx>',
    "a.tei": lambda: (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>{many(S)}<linkGrp>\n'
        f"{many(TEI_LINK)}</linkGrp></body></text></TEI>"
    ),
    "texts.jsonl": lambda: many('{{"src": "a", "tgt": "b", "k{0}": "1"}}\n'),
    "ids.jsonl": lambda: many('{{"src": ["{0}"], "tgt": ["{0}"], "k{0}": "1"}}\n'),
}


@pytest.mark.parametrize("name", FILES)
def test_a_name_of_its_own_on_every_bisegment_is_refused_in_little_memory(tmp_path, name):
    (tmp_path / name).write_text(FILES[name](), encoding="utf-8")
    tracemalloc.start()
    with pytest.raises(FormatError, match="different attributes and properties within"):
        bitext.read(tmp_path / name)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 56_000_000


def test_columns_with_few_values_are_kept(tmp_path):
    path = tmp_path / "a.xces"
    links = "".join(LINK.format(k).replace(f" a{k}=", f" a{k % 40}=") for k in range(SIZE))
    path.write_text(GROUP.format(links), encoding="utf-8")
    columns = bitext.read(path).alignment.attributes
    assert len(columns) == 40
    assert [column.count("1") for column in columns.values()] == [SIZE // 40] * 40


def test_old_names_that_come_again_at_the_end_are_refused_before_their_cells_are_made():
    columns = AttributeColumns(Source("a.tmx", open(__file__, "rb")))  # noqa: SIM115, PTH123 - never read
    names = {f"p{k}": "1" for k in range(9_000)}
    columns.put(0, names)
    with pytest.raises(FormatError, match="within 1,000,001 bisegments"):
        columns.put(1_000_000, names)


@pytest.mark.parametrize("kind", ["p{}", "p"])
def test_a_unit_with_thousands_of_props_takes_linear_time(tmp_path, kind):
    props = "".join(f'<prop type="{kind.format(k)}">1</prop>' for k in range(9_000))
    unit = UNIT.format(0).replace('<prop type="p0">1</prop>', props)
    path = tmp_path / "a.tmx"
    path.write_text(f'<tmx version="1.4"><header srclang="en"/><body>{unit}</body></tmx>')
    begin = time.process_time()
    assert len(bitext.read(path).alignment.attributes) == 9_000
    assert time.process_time() - begin < 4  # it was 30


def test_the_columns_of_tsv_are_bounded_before_they_are_named(tmp_path):
    path = tmp_path / "a.tsv"
    for names, width in (("c{}", 36_000), ("c", 36_000)):
        head = "\t".join(names.format(k) for k in range(width))
        path.write_text(f"src\ttgt\t{head}\na\tb{chr(9) * width}\n")
        begin = time.process_time()
        with pytest.raises(FormatError, match="line 1: has more than 10,000 different"):
            bitext.read(path)
        assert time.process_time() - begin < 2  # it was 10


def test_tsv_is_written_with_ten_thousand_columns_at_most(tmp_path):
    for size in (9_000, 10_001):
        keys = {f"k{k}": "1" for k in range(size)}
        half = len(keys) // 2
        objects = [dict(list(keys.items())[:half]), dict(list(keys.items())[half:])]
        texts = [bitext.Bitext(*_one(), alignment=_with(each)) for each in objects]
        if size == 9_000:
            bitext.write(texts, tmp_path / "a.tsv")
            head = (tmp_path / "a.tsv").read_text(encoding="utf-8").split("\n")[0]
            assert head.split("\t") == ["src", "tgt", *keys]
        else:
            wanted = re.escape("more than 10,000; choose a format")
            with pytest.raises(BitextError, match=wanted):
                bitext.write(texts, tmp_path / "b.tsv")


def _one():
    return bitext.Text(["a"]), bitext.Text(["b"])


def _with(values):
    columns = {name: [value] for name, value in values.items()}
    return bitext.Alignment([((0,), (0,))], attributes=columns)
