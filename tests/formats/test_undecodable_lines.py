"""Lines that are not in their encoding: each costs itself, and all others keep their places."""

import pytest

from bitext.errors import FormatError
from bitext.formats.reading import FileOptions, opened

BAD, GOOD = b"caf\xe9", "café".encode()
SIZE, AT = 2500, 1700  # more than a part; the place of the bad one

PO = b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: fi\\n"\n\n'
GIZA = (
    b"# Sentence pair (%d) source length 2 target length 2 alignment score : 0.1\n"
    b"yksi%d @\nNULL ({ }) one%d ({ 1 }) @ ({ 2 })\n"
)
LINES = {
    "a.tsv": b"one %d @\tyksi %d\t0.5\n",
    "score.tsv": b"one %d\tyksi %d\t@\n",
    "a.jsonl": b'{"src": "one %d", "tgt": "yksi %d @"}\n',
    "ids.jsonl": b'{"src": ["one %d"], "tgt": ["yksi %d"], "key": "@"}\n',
    "a.hunalign": b"one %d ~~~ @\tyksi %d\t0.5\n",
    "a.po": b'#: file @\nmsgid "one %d"\nmsgstr "yksi %d"\n\n',
    "b.po": b'# note @\nmsgid "one %d"\nmsgstr "yksi %d"\n\n',
}


def read(path, **options):
    """Returns the source texts, or the first ids, and the places of the faults."""
    found, bad = [], []
    with opened(str(path), FileOptions(parts=True, **options), on_bad=bad.append) as reading:
        for part in reading:
            assert part.src is not None
            for src, tgt in part.alignment:
                sides = [
                    (text[k[0]].text or text.ids[k[0]])
                    for text, k in ((part.src, src), (part.tgt, tgt))
                ]
                assert sides[0].split()[1] == sides[1].split()[1]  # nothing is shifted
                found.append(int(sides[0].split()[1]))
    return found, [(fault.path.rpartition("/")[2], fault.line) for fault in bad]


@pytest.mark.parametrize("name", LINES)
def test_a_line_costs_itself_or_its_entry(tmp_path, name):
    line = LINES[name]
    text = b"" if name == "score.tsv" else GOOD
    parts = [(line % (k, k)).replace(b"@", BAD if k == AT else text or b"0.5") for k in range(SIZE)]
    head = PO if name.endswith(".po") else b""
    (tmp_path / name).write_bytes(head + b"".join(parts))
    found, bad = read(tmp_path / name)
    assert found == [k for k in range(SIZE) if k != AT]
    before = (head + b"".join(parts)).partition(BAD)[0].count(b"\n")
    assert bad == [(name, before + 1)]
    wrong = r"byte \d+ of the line is 0xe9, which is not utf-8"
    with opened(str(tmp_path / name)) as reading, pytest.raises(FormatError, match=wrong):
        list(reading)


@pytest.mark.parametrize("side", ["a.en", "a.fi"])
@pytest.mark.parametrize("known", ["moses", "natools"])
def test_the_two_sides_stay_in_step(tmp_path, side, known):
    end = b"\n$\n" if known == "natools" else b"\n"
    for name, word in (("a.en", b"one"), ("a.fi", b"yksi")):
        bad = AT if name == side else -1
        lines = [b"%s %d %s%s" % (word, k, BAD if k == bad else GOOD, end) for k in range(SIZE)]
        (tmp_path / name).write_bytes(b"".join(lines))
    found, faults = read(f"{tmp_path}/a.en,{tmp_path}/a.fi", format=known)
    assert found == [k for k in range(SIZE) if k != AT]
    assert [name for name, _ in faults] == [side]


def test_a_sentence_pair_of_giza_costs_itself(tmp_path):
    parts = [(GIZA % (k, k, k)).replace(b"@", GOOD) for k in range(1, 41)]
    parts[9] = parts[9].replace(GOOD, BAD, 1)
    parts[19] = parts[19].partition(b"NULL")[0]  # a line is lost
    parts[29] = b"?" + parts[29]
    (tmp_path / "a.A3.final").write_bytes(b"".join(parts))
    bad = []
    with opened(str(tmp_path / "a.A3.final"), on_bad=bad.append) as reading:
        (found,) = reading
    names = [int(segment.split()[0].removeprefix("one")) for segment in found.src.segments()]
    assert names == [k for k in range(1, 41) if k not in {10, 20, 30}]
    assert [fault.line for fault in bad] == [29, 58, 87]


@pytest.fixture
def texts(tmp_path):
    for name, word in (("t.en", "one"), ("t.fi", "yksi")):
        text = "".join(f"{word} {k} x\n" for k in range(30))
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {"src": str(tmp_path / "t.en"), "tgt": str(tmp_path / "t.fi")}


@pytest.mark.parametrize(
    ("name", "line", "bad", "lost"),
    [
        ("a.pharaoh", "0-0 1-1", "0-0 1-1é", {7}),
        ("a.vecalign", "[{0}]:[{0}]:0.5", "[{0}]:[{0}]:0.5é", {7}),
        ("a.vecalign", "[{0}]:[{0}]:0.5", "[{0}:[{0}]:0.5", {7}),
        ("a.vecalign", "[{0}]:[{0}]", "[{0}, {0}]:[{0}]", {7}),
        ("a.ladder", "{0}\t{0}\t0.5", "{0}\té{0}\t0.5", {6, 7}),
        ("a.ladder", "{0}\t{0}\t0.5", "{0}\t{0}\tx", {6, 7}),
    ],
)
def test_positions_keep_their_places(tmp_path, texts, name, line, bad, lost):
    last = 31 if name == "a.ladder" else 30
    lines = [(bad if k == 7 else line).format(k) for k in range(last)]
    (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="latin-1")
    found, faults = read(tmp_path / name, **texts)
    assert found == [k for k in range(30) if k not in lost]
    assert faults == [(name, 8)]


def test_a_line_of_a_text_costs_the_bisegments_that_name_it(tmp_path, texts):
    content = (tmp_path / "t.fi").read_bytes().replace(b"yksi 7 x", b"yksi 7 \xe9")
    (tmp_path / "t.fi").write_bytes(content)
    (tmp_path / "a.vecalign").write_text("".join(f"[{k}]:[{k}]\n" for k in range(30)))
    found, faults = read(tmp_path / "a.vecalign", **texts)
    assert found == [k for k in range(30) if k != 7]
    assert faults == [("t.fi", 8)]


def test_numbers_in_a_file_that_its_name_tells_are_no_texts(tmp_path, texts):
    path = tmp_path / "a.ladder"
    for content, line in (("0\t0\t1.0\n-5\t3\t1.0\n", 2), ("0\t0\t1\n1\t1\t1\n2\tx\t1\n", 3)):
        path.write_text(content, encoding="utf-8")
        with opened(str(path), FileOptions(**texts)) as reading:
            assert reading.format.name == "hunalign-ladder"
            with pytest.raises(FormatError, match=f"line {line}: is .* want a rung"):
                list(reading)
