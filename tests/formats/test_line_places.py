"""The line that the line formats, JSON lines, mALIGNa and Parquet tell of each bisegment."""

import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bitext import Text
from bitext.formats.registry import WriteOptions, by_name
from formats.samples import inline, read, read_all

# The k-th piece of a file of each format: one bisegment with the text `nk`, or nothing that is one.
TSV = ["n{0}\tm{0}\t1\n", "n{0}\t\t2\n", "\tn{0}\t3\n"]
PIECES = {
    "tsv": [*TSV, "\t\t1\n", "\r\n", "alone\n", "a\tb\n"],
    "hunalign-text": [*TSV, "a ~~~ n{0}\tm\n", "\t\t1\n", "\n", "\t\n"],
    "jsonl": [
        '{{"src": "n{0}", "tgt": "m"}}\n',
        '{{"src": "m", "tgt": "n{0}"}}\n',
        '{{"src": "n{0}", "tgt": null}}\n',
        '{{"src": null, "tgt": null}}\n',
        " \n",
        "\r\n",
    ],
    "jsonl by languages": [
        '{{"translation": {{"en": "n{0}", "fi": "m"}}}}\n',
        '{{"translation": {{"fi": "n{0}", "en": ""}}}}\n',
        '{{"translation": {{"fi": "", "en": ""}}}}\n',
        "\n",
    ],
    "jsonl by identifiers": [
        '{{"src": ["a{0}"], "tgt": ["b{0}"], "src_text": "n{0}", "tgt_text": "m{0}"}}\n',
        '{{"src": ["a{0}", "c{0}"], "tgt": [], "src_text": "n{0}", "tgt_text": ""}}\n',
        '{{"src": [], "tgt": [], "src_text": "", "tgt_text": ""}}\n',
        "\n",
    ],
    "maligna": [
        "<alignment>\n<sourcelist/><targetlist>\n<segment>n{0}</segment></targetlist></alignment>",
        "<alignment><sourcelist><segment>n{0}</segment></sourcelist><targetlist/></alignment>\n",
        "<alignment><sourcelist/><targetlist/></alignment>\n",
        "\n<!--\n-->",
    ],
}


def _content(name, chosen):
    made = "".join(PIECES[name][at].format(k) for k, at in enumerate(chosen))
    if name == "maligna":
        return f"<?xml version='1.0'?>\n<alignmentlist>{made}</alignmentlist>"
    return made


def _expected(name, content):
    """Return the number of the line that has each marked segment, or begins its alignment."""
    if name == "maligna":
        pieces = content.split("<alignment>")
        begins = [pieces[0].count("\n") + 1]
        for piece in pieces[1:]:
            begins.append(begins[-1] + piece.count("\n"))
        return [begins[k] for k, piece in enumerate(pieces[1:]) if ">n" in piece]
    numbered = enumerate(content.split("\n"), start=1)
    if name in {"tsv", "hunalign-text"}:
        return [k for k, line in numbered if any(cell[:1] == "n" for cell in _cells(line))]
    return [k for k, line in numbered if '"n' in line.replace("null", "")]


def _cells(line):
    return line.replace(" ~~~ ", "\t").split("\t")


choices = st.lists(st.integers(0, 3), max_size=8)


@pytest.mark.parametrize("name", PIECES)
@given(chosen=choices, parts=st.booleans())
@example(chosen=[0, 3, 1, 2], parts=False)
@example(chosen=[3, 3, 0, 1, 0, 0], parts=True)
def test_the_line_of_each_bisegment(name, chosen, parts):
    content = _content(name, [0, *chosen])  # a first bisegment, which tells the form
    known = name.split()[0]
    found = read_all(known, content, lines=True, parts=parts, part_size=2)
    told = [line for part in found for line in part.lines.tolist()]
    assert told == _expected(name, content)
    assert [len(part.lines) for part in found] == [len(part.alignment) for part in found]
    assert all(part.lines is None for part in read_all(known, content, parts=parts))


@pytest.mark.parametrize("odd", [4, 5, 6])
@pytest.mark.parametrize("name", ["tsv", "hunalign-text"])
def test_lines_that_are_left_out_count(name, odd):
    # Lines with an empty side are left out of a ragged TSV, and of no other file.
    content = _content(name, [0, odd, 0, 0])
    bad = []
    found = read_all(name, content, bad=bad, lines=True)
    told = [line for part in found for line in part.lines.tolist()]
    numbered = enumerate(content.split("\n"), start=1)
    assert [k for k in told if k != 2] == [k for k, line in numbered if "n" in line and k != 2]


def test_a_header_is_the_first_line():
    assert read("tsv", "src\ttgt\nn\tm\n", lines=True).lines.tolist() == [2]


@given(
    st.lists(st.sampled_from([("n", "m"), ("n", ""), ("", "n"), ("", "")]), max_size=8),
    st.booleans(),
)
def test_moses(pairs, parts):
    sides = ["".join(f"{side}\n" for side in column) for column in zip(*pairs, strict=True)]
    found = read_all("moses", *(sides or ["", ""]), lines=True, parts=parts, part_size=2)
    told = [line for part in found for line in part.lines.tolist()]
    assert told == [k for k, pair in enumerate(pairs, start=1) if any(pair)]


@given(
    st.lists(st.tuples(st.sampled_from(["n", "n\nn", ""]), st.sampled_from(["m", ""])), max_size=8),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_natools_tells_the_lines_of_the_first_file(pairs, parts, end):
    sides, begins = ["", ""], []
    for src, tgt in pairs:
        if src or tgt:
            begins.append(sides[0].count("\n") + 1)
        for k, segment in enumerate((src, tgt)):
            sides[k] += f"{segment}\n$\n" if segment else "$\n"
    sides = [side.replace("\n", end) for side in sides]
    found = read_all("natools", *sides, lines=True, parts=parts, part_size=2)
    assert [line for part in found for line in part.lines.tolist()] == begins
    assert read_all("natools", *sides)[0].lines is None


def test_two_files_over_blocks():
    side = "a\n$\nb b b b\nb b b\n$\nc\n$\n"
    assert read("natools", side, side, block_size=5, lines=True).lines.tolist() == [1, 3, 6]
    (bt,) = read_all("moses", side, side, block_size=5, lines=True, parts=True)
    assert bt.lines.tolist() == [1, 2, 3, 4, 5, 6, 7]


TEXTS = {"src": Text(list("abcdef")), "tgt": Text(list("uvwxyz"))}


@pytest.mark.parametrize("options", [{}, {"over_src": TEXTS["src"], "over_tgt": TEXTS["tgt"]}])
@pytest.mark.parametrize(
    "content",
    ["[0]:[0]:0.5\n[1]:[1]:0.5\n[2]:[]:0\n", "[0]:[0]\n\n[]:[]\n [1, 2]:[1]\n\r\n[3]:[2]\n"],
)
def test_vecalign(content, options):
    numbered = enumerate(content.split("\n"), start=1)
    expected = [k for k, line in numbered if any(sign.isdigit() for sign in line)]
    assert read("vecalign", content, lines=True, **options).lines.tolist() == expected
    assert read("vecalign", content, **options).lines is None


@pytest.mark.parametrize("options", [{}, TEXTS])
def test_a_ladder_tells_the_rung_where_a_bisegment_starts(options):
    content = "\n0\t0\t0.1\n0\t0\t0.2\n2\t1\t0.3\n\n2\t1\t0.4\n6\t6\t0\n"
    bt = read("hunalign-ladder", content, lines=True, **options)
    lines = content.split("\n")
    # The score of a bisegment stands where it starts.
    assert [lines[k - 1].split("\t")[2] for k in bt.lines] == ["0.2", "0.4"]
    assert bt.alignment.scores.tolist() == [0.2, 0.4]
    assert bt.lines.tolist() == [3, 6]
    assert read("hunalign-ladder", content, **options).lines is None
    assert read("hunalign-ladder", "0\t0\n", lines=True).lines.tolist() == []


@pytest.mark.parametrize("options", [{}, {"over_src": TEXTS["src"], "over_tgt": TEXTS["tgt"]}])
def test_identifiers_without_texts(options):
    content = '\n{"src": ["1"], "tgt": ["0"]}\n\n{"src": ["0"], "tgt": []}\n'
    assert read("jsonl", content, lines=True, **options).lines.tolist() == [2, 4]


def test_identifiers_in_parts_and_documents():
    lines = []
    for k in range(9):
        found = {"src": [str(k % 5)], "tgt": [str(k % 5)], "src_text": "s", "tgt_text": "t"}
        lines += [json.dumps(found | {"document": "ab"[k // 5]}), ""]
    found = read_all("jsonl", "\n".join(lines), lines=True, parts=True, part_size=2)
    assert len(found) > 2
    assert [line for part in found for line in part.lines.tolist()] == list(range(1, 18, 2))


@pytest.mark.parametrize("parts", [False, True])
def test_parquet_tells_rows(parts):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = ["a", None, None, "d", "e", "f"]
    table = arrow.table(
        {
            "src": texts,
            "tgt": [None, None, "x", "y", "z", ""],
            "document": ["1", "1", "1", "1", "2", "2"],
        }
    )
    out = io.BytesIO()
    parquet.write_table(table, out)
    found = read_all("parquet", out.getvalue(), lines=True, parts=parts, part_size=3)
    assert [line for part in found for line in part.lines.tolist()] == [1, 3, 4, 5, 6]
    assert read_all("parquet", out.getvalue())[0].lines is None


@pytest.mark.parametrize("name", ["tsv", "jsonl", "hunalign-text", "maligna"])
def test_what_is_written_is_found_again(name):
    pairs = [([f"n{k}", f"o{k}"][: 1 + k % 2], [f"m{k}"] * (k % 3 > 0)) for k in range(12)]
    out = io.StringIO()
    by_name(name).write([inline(pairs)], out, options=WriteOptions())
    content = out.getvalue()
    lines = content.split("\n")
    wanted = [next(i for i, line in enumerate(lines, 1) if f"n{k}" in line) for k in range(12)]
    if name == "maligna":
        wanted = [i for i, line in enumerate(lines, 1) if "<alignment>" in line]
    assert read(name, content, lines=True).lines.tolist() == wanted
