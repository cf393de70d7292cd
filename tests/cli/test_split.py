"""`bitext split`: parts by content, the same in any order, and no near-duplicate across."""

import io
import json
import os
import random
import re

import pytest

from bitext import Alignment, Bitext, Text, read_all
from bitext import write as write_file
from reference.job_tasks import AtHand

from .conftest import FIXTURES

MEMORY = FIXTURES / "mill/memory.tmx"


def lines(count, seed=5):
    """Random sentence pairs, a third of them changed copies of earlier ones."""
    rng, made = random.Random(seed), []
    for _ in range(count):
        if made and rng.random() < 0.3:
            src, tgt = (side.split() for side in rng.choice(made).split("\t"))
            src[rng.randrange(len(src))] = f"n{rng.randrange(99)}"
        else:
            src = [f"w{int(rng.paretovariate(0.7))}" for _ in range(rng.randrange(4, 20))]
            tgt = [word.replace("w", "x") for word in src]
        made.append(f"{' '.join(src)}\t{' '.join(tgt)}")
    return made


def table(rows, head="src\ttgt"):
    return "\n".join([head, *rows, ""])


def parts_of(folder):
    """The lines of each part; a header, which tables of two columns lack, is left out."""
    return {
        path.stem: [
            line for line in path.read_text("utf-8").splitlines() if not line.startswith("src\ttgt")
        ]
        for path in sorted(folder.iterdir())
    }


@pytest.fixture
def split(bitext, tmp_path):
    def run(parts, *arguments, to="parts"):
        found = bitext("split", parts, *arguments, "-o", tmp_path / to)
        assert found.status == 0, found.err
        return parts_of(tmp_path / to), found

    return run


def near_pairs(part, other):
    """The number of pairs whose words, sides apart, have four fifths in common."""
    sets = [
        [
            {(side, word) for side, text in enumerate(line.split("\t")) for word in text.split()}
            for line in lines
        ]
        for lines in (part, other)
    ]
    return sum(len(a & b) >= 0.8 * len(a | b) for a in sets[0] for b in sets[1])


def test_no_near_duplicate_is_in_two_parts(split, write):
    rows = lines(400)
    parts, _ = split("60/20/20", write("a.tsv", table(rows)))
    assert list(parts) == ["dev", "test", "train"]
    assert sorted(line for part in parts.values() for line in part) == sorted(rows)
    assert 180 < len(parts["train"]) < 300
    for name, other in (("train", "dev"), ("train", "test"), ("dev", "test")):
        assert not near_pairs(parts[name], parts[other])
    # Without the clusters there are some: the comparison above finds them.
    alone, _ = split("60/20/20", write("a.tsv", table(rows)), "--near", "0", to="alone")
    assert near_pairs(alone["train"], alone["dev"])


def test_parts_do_not_depend_on_order_or_files(split, write):
    rows = lines(80)
    whole, _ = split("80/20", write("a.tsv", table(rows)), "--by", "bead")
    files = write("one.tsv", table(rows[50:])), write("two.tsv", table(rows[:50]))
    apart, _ = split("80/20", *files, "--by", "bead", to="apart")
    assert {k: sorted(v) for k, v in whole.items()} == {k: sorted(v) for k, v in apart.items()}
    again, _ = split("80/20", write("a.tsv", table(rows)), "--by", "bead", "--seed", "1", to="b")
    assert again != whole


def test_sentences_stay_where_they_are_when_the_corpus_grows(split, write):
    rows = [f"sentence {k} w{k}\tphrase {k} x{k}" for k in range(120)]
    small, _ = split("80/20", write("a.tsv", table(rows[:60])))
    large, _ = split("80/20", write("a.tsv", table(rows)), to="large")
    assert all(set(small[name]) <= set(large[name]) for name in small)


def test_parts_with_numbers_of_bisegments(split, write):
    rows = [f"sentence {k} w{k}\tphrase {k} x{k}" for k in range(100)]
    parts, found = split("test=7,dev=5,train=rest", write("a.tsv", table(rows)))
    assert {name: len(part) for name, part in parts.items()} == {"test": 7, "dev": 5, "train": 88}
    assert "test: 7 bisegments (7.0%)" in found.err


def test_strata_have_the_shares_of_all(split, write):
    rows = [f"word{k} a{k}\tmot{k} b{k}\t{'law' if k % 10 else 'news'}" for k in range(200)]
    path = write("a.tsv", table(rows, "src\ttgt\tdomain"))
    parts, _ = split("80/20", path, "--stratify", "domain")
    assert sum("news" in line for line in parts["test"]) == 4
    assert len(parts["test"]) == 40
    parts, _ = split("test=20,train=rest", path, "--stratify", "domain", to="counted")
    assert sum("news" in line for line in parts["test"]) == 2


def test_small_strata_have_the_shares_of_all_together(split, write):
    rows = [f"a{k} b{k} c{k}\td{k} e{k} f{k}\tdomain {k // 4}" for k in range(400)]
    path = write("a.tsv", table(rows, "src\ttgt\tdomain"))
    parts, _ = split("80/10/10", path, "--stratify", "domain", "--near", "0")
    assert all(abs(len(parts[name]) - size) < 15 for name, size in (("dev", 40), ("test", 40)))
    parts, _ = split("dev=30,train=rest", path, "--stratify", "domain", "--near", "0", to="few")
    assert len(parts["dev"]) == 30
    assert sum(int(line.split()[-1]) >= 50 for line in parts["dev"]) > 5  # not the first domains


def test_texts_stay_whole_and_their_near_duplicates_in_one_part(bitext, write, tmp_path):
    names = []
    for k in range(12):
        rows = [f"only {k} here {j} s{k}.{j}\tici {k} seul {j} t{k}.{j}" for j in range(5)]
        names.append(write(f"t{k}.tsv", table([*rows, "Thank you very much.\tMerci beaucoup."])))
    found = bitext("split", "50/50", *names, "-o", tmp_path / "parts", "--json")
    document = json.loads(found.out)
    assert document["by"] == "text"
    parts = parts_of(tmp_path / "parts")
    where = [
        {name for name, part in parts.items() for line in part if re.search(rf"\bs{k}\.", line)}
        for k in range(12)
    ]
    assert all(len(each) == 1 for each in where)
    assert {name for each in where for name in each} == {"train", "test"}
    having = [name for name, part in parts.items() if any("Merci" in line for line in part)]
    assert len(having) == 1
    assert document["left_out"] == 12 - sum("Merci" in line for line in parts[having[0]])
    assert document["bisegments"] == 72 == document["left_out"] + sum(map(len, parts.values()))


def test_other_formats_go_in_and_out(bitext, tmp_path):
    found = bitext("split", "a=1,b=rest", MEMORY, "-o", tmp_path / "tmx", "-q")
    assert (found.status, found.err) == (0, "")
    read = [read_all(tmp_path / "tmx" / f"{name}.tmx") for name in "ab"]
    assert [sum(len(each.alignment) for each in part) for part in read] == [1, 2]
    assert bitext("split", "50/50", MEMORY, "--to", "moses", "-o", tmp_path / "m").status == 0
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == [
        "test.src",
        "test.tgt",
        "train.src",
        "train.tgt",
    ]


def test_segments_in_no_bisegment_are_in_no_part(bitext, tmp_path):
    src, tgt = (
        Text(["a one", "alone", "b two", "c three"]),
        Text(["un a", "seul", "deux b", "trois c"]),
    )
    beads = Alignment([((k,), (k,)) for k in (0, 2, 3)])
    write_file(Bitext(src, tgt, beads), tmp_path / "a.jsonl")
    found = bitext("split", "a=1,b=rest", tmp_path / "a.jsonl", "-o", tmp_path / "parts")
    assert found.status == 0, found.err
    read = [list(read_all(tmp_path / "parts" / f"{name}.jsonl")) for name in "ab"]
    segments = [list(part[0].src.segments()) for part in read]
    assert list(map(len, segments)) == [1, 2]
    assert sorted(segment for each in segments for segment in each) == ["a one", "b two", "c three"]


@pytest.fixture
def _at_hand(monkeypatch):
    """Work in this process: to begin workers takes most of the time."""
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)


@pytest.mark.usefixtures("_at_hand")
def test_jobs_and_shards_make_the_same_parts(bitext, write, tmp_path):
    rows = [f"{row}\t{'law' if k % 3 else ''}" for k, row in enumerate(lines(90))]
    names = [
        write(f"{k}.tsv", table(rows[30 * k : 30 * k + 30], "src\ttgt\tdomain")) for k in range(3)
    ]
    common = ("split", "dev=15,train=rest", *names, "--by", "bead", "--stratify", "domain", "-q")

    def parts(name):
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    assert bitext(*common, "-o", tmp_path / "whole").status == 0
    made = bitext(*common, "-o", tmp_path / "jobs", "-j", "2", "--journal", tmp_path / "j")
    assert made.status == 0, made.err
    assert parts("jobs") == parts("whole")
    again = bitext(*common[:-1], "-o", tmp_path / "again", "--journal", tmp_path / "j")
    assert "3 documents were done before" in again.err
    assert parts("again") == parts("whole")
    journals = [tmp_path / f"j{k}" for k in (1, 2)]
    for k in (1, 2):
        made = bitext(*common, "--shard", f"{k}/2", "--journal", journals[k - 1])
        assert made.status == 0, made.err
    made = bitext("merge", tmp_path / "merged", *journals, "-q")
    assert made.status == 0, made.err
    assert parts("merged") == parts("whole")
    refused = bitext(*common, "-o", tmp_path / "x", "--shard", "1/2", "--journal", journals[0])
    assert "a shard writes its part to --journal and nothing else" in refused.err


@pytest.mark.usefixtures("_at_hand")
@pytest.mark.parametrize("by", ["auto", "bead", "document", "file"])
@pytest.mark.parametrize("several", [False, True])
def test_a_split_in_one_pass_is_that_in_two(bitext, write, tmp_path, by, several):
    rows = [f"{row}\t{f'doc{k // 7}' if k < 70 else ''}" for k, row in enumerate(lines(100))]
    names = [write("a.tsv", table(rows, "src\ttgt\tdocument"))]
    if several:
        names.append(write("b.tsv", table(rows[30:60], "src\ttgt\tdocument")))
    common = ("split", "60/20/20", *names, "--near", "0", "--by", by, "--seed", "3")
    one = bitext(*common, "-o", tmp_path / "one")
    two = bitext(*common, "-o", tmp_path / "two", "-j", "2")  # jobs read the first time
    assert (one.status, one.err.lower()) == (0, two.err.lower())
    read = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    ]
    assert read[0] == read[1]


def test_document_pairs_of_one_file_stay_whole_without_near_duplicates(bitext, tmp_path):
    pairs = [
        Bitext(
            Text([f"{k} {j}" for j in range(9)]),
            Text([f"{k} {j}" for j in range(9)]),
            Alignment([((j,), (j,)) for j in range(9)]),
            name=f"text{k}",
        )
        for k in range(8)
    ]
    write_file(pairs, tmp_path / "a.jsonl")
    common = ("split", "50/50", "--near", "0", "-o", tmp_path / "parts")
    found = bitext(*common, tmp_path / "a.jsonl")
    assert "document pairs were placed whole" in found.err
    read = [list(read_all(tmp_path / "parts" / f"{name}.jsonl")) for name in ("train", "test")]
    assert sum(len(part) for part in read) == 8
    assert all(len(each.alignment) == 9 for part in read for each in part)


def test_standard_input_is_split_where_one_pass_will_do(bitext, write, tmp_path, monkeypatch):
    def piped(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return bitext(*arguments)

    text = table(lines(60))
    kept = bitext("split", "50/50", write("a.tsv", text), "--near", "0", "-o", tmp_path / "file")
    assert kept.status == 0
    common = ("split", "50/50", "-", "-o", tmp_path / "parts")
    found = piped(text, *common, "--near", "0", "--from", "tsv")
    assert found.status == 0, found.err
    assert parts_of(tmp_path / "parts") == parts_of(tmp_path / "file")
    for arguments, message in (
        (("--near", "0"), "name its format (--from), or that of the parts (--to)"),
        (("--from", "tsv"), "files are read more than once, unless"),
        (("--near", "0", "--from", "tsv", "-j", "2"), "files are read more than once, unless"),
    ):
        refused = piped(text, *common, *arguments)
        assert (refused.status, len(refused.lines())) == (2, 1)
        assert message in refused.err
    os.mkfifo(tmp_path / "pipe")
    refused = bitext(*common[:2], tmp_path / "pipe", "--from", "tsv", "-o", tmp_path / "parts")
    assert "pipe: files are read more than once, unless" in refused.err
    two = "".join(
        f'{{"document": "{name}", "src": ["s"], "tgt": ["t"], "src_text": "a", "tgt_text": "b"}}\n'
        for name in "xy"
    )
    refused = piped(two, *common[:-1], tmp_path / "n", "--near", "0", "--from", "jsonl")
    assert (refused.status, len(refused.lines())) == (2, 1)
    assert "has several document pairs" in refused.err
    assert not (tmp_path / "n").exists()


@pytest.mark.usefixtures("_at_hand")
def test_a_file_that_jobs_cannot_read_leaves_no_parts(bitext, write, tmp_path):
    good, bad = write("a.tsv", table(lines(20))), write("b.tmx", "<tmx><body><tu>")
    for jobs in ((), ("-j", "2"), ("--near", "0", "--by", "bead")):
        found = bitext("split", "50/50", good, bad, "-o", tmp_path / "parts", *jobs)
        assert (found.status, len(found.lines())) == (2, 1)
        assert "b.tmx" in found.err
        assert not (tmp_path / "parts").exists()


def test_documents_by_a_column_stay_whole(split, write):
    rows = [f"{row}\t{f'doc{k // 7}' if k < 70 else ''}" for k, row in enumerate(lines(100))]
    path = write("a.tsv", table(rows, "src\ttgt\tdocument"))
    parts, found = split("50/50", path, "--by", "document")
    where = {}
    for name, part in parts.items():
        for line in part:
            where.setdefault(line.split("\t")[2], set()).add(name)
    blank = where.pop("")
    assert blank == {"train", "test"}  # each of them is placed by itself
    assert all(len(names) == 1 for names in where.values())
    assert {name for names in where.values() for name in names} == {"train", "test"}
    assert not near_pairs(
        *([line.rsplit("\t", 1)[0] for line in parts[name]] for name in ("train", "test"))
    )
    assert "left out, near-duplicates of another part" in found.err
    # A document stays in its part when it grows.
    more = [*rows, *(f"new {k} x{k}\tneu {k} y{k}\tdoc{k % 10}" for k in range(20))]
    grown, _ = split("50/50", write("b.tsv", table(more, "src\ttgt\tdocument")), "--by",
                     "document", "--near", "0", to="grown")  # fmt: skip
    for name, part in grown.items():
        assert {line.split("\t")[2] for line in part} - {""} == {
            document for document, names in where.items() if name in names
        }


def test_an_error_of_one_part_ends_all():
    from bitext.formats.convert.splitting import write_parts

    seen = []

    def good(bitexts):
        seen.extend(bitexts)
        seen.append("complete")

    def bad(bitexts):
        next(bitexts)
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        write_parts(((k % 2, k) for k in range(500)), [good, bad])
    assert len(seen) < 500
    assert "complete" not in seen

    def read():
        yield 0, "first"
        raise ValueError("torn")

    seen.clear()
    with pytest.raises(ValueError, match="torn"):
        write_parts(read(), [good, good])
    assert seen == ["first"]


def test_parts_of_an_earlier_split_are_noted(split, write, tmp_path):
    source = write("parts/valid.tsv", table(lines(30)))
    write("parts/corpus.tsv", "of mine")
    _, found = split("80/10/10", source)
    assert "no part of this split" not in found.err
    _, found = split("80/20", source)
    note = f"{tmp_path}/parts: has dev.tsv, no part of this split: if an earlier one left it"
    assert f"note: {note} there, it may share bisegments with these parts" in found.lines()


def test_programs_beside_the_parts_are_no_parts_of_an_earlier_split(split, write):
    source = write("parts/corpus.tsv", table(lines(30)))
    write("parts/test.py", "")
    write("parts/train.sh", "")
    _, found = split("80/20", source)
    assert "no part of this split" not in found.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["90/5"], "add up to 95 %, not to 100"),
        (["a=90,b=10"], "all sizes are counts, which leave the rest in no part: name it, as "),
        (["100"], "want two different ones"),
        (["a=5,A=rest"], "want two different ones"),
        (["a=x,b=rest"], "'x' is no size"),
        (["a.csv"], "want 90/5/5, or train=rest,test=2000, before the files"),
        (["../a=50%,b=50%"], "is no name of a part"),
        (["a=99,b=rest"], "the files have 3 bisegments, and the parts need 99"),
        (["50/50", "--near", "0.3"], "--near 0.3: want more than 0.5"),
        (["50/50", "--stratify", "domain"], "no bisegment has a value in the column 'domain'"),
        (["50/50", "--by", "doc"], "no bisegment has a value in the column 'doc' (--by): name"),
        (["50/50", "--by", ""], "--by: want auto, text, bead, or the name of a column"),
        (["50/50", "--shard", "1/2"], "--shard writes its part to --journal"),
    ],
)
def test_refused_in_one_line(bitext, tmp_path, arguments, message):
    found = bitext("split", arguments[0], MEMORY, *arguments[1:], "-o", tmp_path / "parts")
    assert (found.status, found.out) == (2, "")
    assert message in found.err
    assert len(found.lines()) == 1
    assert not (tmp_path / "parts").exists()


def test_a_new_folder_with_the_name_of_a_file_is_refused(bitext, tmp_path):
    found = bitext("split", "50/50", MEMORY, "-o", tmp_path / "parts.tmx")
    assert found.status == 2
    assert "is the name of a file: name a folder (with / at its end)" in found.err
    assert "--to tmx" in found.err
    assert bitext("split", "50/50", MEMORY, "-o", f"{tmp_path}/parts.tmx/").status == 0
    assert len(list((tmp_path / "parts.tmx").iterdir())) == 2


def test_parts_in_a_folder_that_is_read_are_refused(bitext, write, tmp_path):
    path = write("train.tsv", "src\ttgt\nYes.\tOui.\nNo.\tNon.\n")
    found = bitext("split", "50/50", path, "-o", tmp_path)
    assert found.status == 2
    assert "train.tsv" in found.err
    assert path.read_text("utf-8").startswith("src\ttgt\nYes.")
