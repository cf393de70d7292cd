"""`bitext convert --clean`: profiles of filters, reports, rejected bisegments."""

import io
import json
import random

import numpy as np
import pytest

from reference.job_tasks import AtHand

TSV = (
    "src\ttgt\nOne bridge.\tUn pont.\nTwo bridges, 12 boats.\t\nSame text.\tSame text.\n"
    "one BRIDGE\tun pont\nSee http://a.example now.\tVoir ici maintenant.\n"
)


def test_a_profile_a_report_and_the_rejected(bitext, write, tmp_path):
    out, rejected, report = (tmp_path / name for name in ("b.tsv", "r.tsv", "r.json"))
    made = bitext(
        *("convert", write("a.tsv", TSV), out, "--clean", "default"),
        *("--keep-rejected", rejected, "--clean-report", report),
    )
    assert made.status == 0
    assert out.read_text() == "One bridge.\tUn pont.\n"
    rows = [line.split("\t") for line in rejected.read_text().splitlines()]
    assert rows[0] == ["src", "tgt", "filter", "value", "place"]
    assert sorted(row[2] for row in rows[1:]) == ["empty", "identical", "near-duplicates", "urls"]
    assert "left out: bisegments with the same text on both sides (identical max 0): 1" in made.err
    assert "; --clean left out 4 of 5 (80.0%)" in made.err
    document = json.loads(report.read_text())
    assert document["schema"] == "bitext.cleaning/1"
    assert sum(row["rejected"] for row in document["filters"]) == 4


def test_a_page_and_a_table(bitext, write, tmp_path):
    path, page, table = write("a.tsv", TSV), tmp_path / "r.html", tmp_path / "r.txt"
    for report in (page, table):
        made = bitext(
            "convert", path, tmp_path / "b.tsv", "--clean", "default", "--clean-report", report
        )
        assert made.status == 0
    assert "4 of 5 bisegments rejected by the profile" in page.read_text()
    assert "identical" in table.read_text()


@pytest.fixture
def _at_hand(monkeypatch):
    """Work in this process: to begin workers takes most of the time."""
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)


REPEATS = """
[[filter]]
name = "duplicates"
[[filter]]
name = "empty"
[[filter]]
name = "near-duplicates"
max = 0.8
"""


@pytest.mark.usefixtures("_at_hand")
def test_duplicates_among_files_are_those_of_one_file(bitext, write, tmp_path):
    more = "src\ttgt\nOne bridge here, and no other!\tUn pont ici, et pas un autre !\n"
    nearly = "src\ttgt\none bridge here and no other one\tun pont ici et pas un autre\n"
    paths = [write("a.tsv", TSV), write("b.tsv", TSV + more[8:]), write("c.tsv", nearly)]
    profile = write("p.toml", REPEATS)
    single = tmp_path / "all.tsv"
    made = bitext("convert", *paths, single, "--clean", profile, "--clean-report", "-")
    assert made.status == 0, made.err
    lines = single.read_text().splitlines()
    assert len(lines) == 4  # of TSV three, and the first of the two that are nearly the same

    def converted(name, *options):
        folder = f"{tmp_path / name}/"
        made = bitext("convert", *paths, folder, "--to", "tsv", "--clean", profile, *options)
        assert made.status == 0, made.err
        assert "duplicates and near-duplicates: among all files; to compare within" in made.err
        files = [(tmp_path / name / f"{each}.tsv").read_text().splitlines() for each in "abc"]
        return [line for file in files for line in file if line != "src\ttgt"]

    reports = [tmp_path / f"{k}.json" for k in (1, 2)]
    assert converted("one", "--clean-report", reports[0]) == lines
    assert converted("two", "-j", "2", "--clean-report", reports[1]) == lines
    filters = [json.loads(report.read_text())["filters"] for report in reports]
    assert filters[0] == filters[1]
    assert [row["rejected"] for row in filters[0]] == [5, 1, 2]


@pytest.mark.usefixtures("_at_hand")
def test_shards_leave_out_the_duplicates_of_each_other(bitext, write, tmp_path):
    paths = [write(f"{name}.tsv", TSV) for name in "abc"]
    single, journals = tmp_path / "all.tsv", [tmp_path / f"j{k}" for k in (1, 2)]
    assert bitext("convert", *paths, single, "--unique").status == 0
    common = ("convert", *paths, f"{tmp_path}/out/", "--to", "tsv", "--unique")
    for k in (1, 2):
        made = bitext(*common, "--shard", f"{k}/2", "--journal", journals[k - 1])
        assert made.status == 0, made.err
    files = [(tmp_path / "out" / f"{name}.tsv").read_text().splitlines() for name in "abc"]
    assert [line for file in files for line in file] == single.read_text().splitlines()
    merged = bitext("merge", "-", *journals)
    counts = [outcome["bisegments"] for outcome in json.loads(merged.out)["files"]]
    assert counts == [5, 0, 0]


def test_options_that_do_not_go_together(bitext, write, tmp_path):
    path, out = write("a.tsv", TSV), tmp_path / "b.tsv"
    made = bitext("convert", path, out, "--keep-rejected", tmp_path / "r.tsv")
    assert "--keep-rejected is for what --clean leaves out: give both" in made.err
    made = bitext("convert", path, out, "--clean", "default", "--keep-rejected", out)
    assert made.status == 2
    made = bitext("convert", path, f"{tmp_path}/x/", "--to", "tsv", "--clean", "default",
                  "--keep-rejected", tmp_path / "r.tsv")  # fmt: skip
    assert "OUT is a folder, and the rejected bisegments of each file of OUT are" in made.err
    made = bitext("convert", path, out, "--clean", "default", "--keep-rejected", f"{tmp_path}/r/")
    assert "OUT is a file, and the rejected" in made.err
    made = bitext("convert", path, out, "--clean", "defualt")
    assert "'defualt' is no profile of filters" in made.err
    assert not out.exists()


def test_check_reports_what_convert_leaves_out(bitext, write, tmp_path):
    path, out = write("a.tsv", TSV), tmp_path / "r.json"
    bitext("convert", path, tmp_path / "b.tsv", "--clean", "default", "--clean-report", out)
    left_out = {row["filter"]: row["rejected"] for row in json.loads(out.read_text())["filters"]}
    made = bitext("check", path, "--clean", "default", "--json")
    assert made.status == 1
    kinds = {row["kind"]: row["count"] for row in json.loads(made.out)["rows"]}
    for name in ("empty", "identical", "urls"):
        (count,) = [count for kind, count in kinds.items() if f"({name} max 0)" in kind]
        assert count == left_out[name]


def test_proposed_bounds_are_a_profile(bitext, write, tmp_path):
    rows = [
        f"The boat {k} is at quay {k % 7}.\tLe bateau {k} est au quai {k % 7}." for k in range(300)
    ]
    path = write("a.tsv", "\n".join([*rows, "x" * 900 + "\ty"]) + "\n")
    profile, page = tmp_path / "p.toml", tmp_path / "p.html"
    assert bitext("check", path, "--suggest", profile).status in {0, 1}
    assert bitext("check", path, "--suggest", page).status in {0, 1}
    assert 'name = "ratio-chars"' in page.read_text()
    assert page.read_text().count("<svg") == profile.read_text().count("[[filter]]") - 1
    out = tmp_path / "b.tsv"
    assert bitext("convert", path, out, "--clean", profile).status == 0
    assert out.read_text().splitlines() == rows
    few = bitext("check", write("b.tsv", TSV), "--suggest", profile)
    assert "bounds are proposed from 100 bisegments" in few.err
    assert "want a name that ends in" in bitext("check", path, "--suggest", "p.json").err


# Filters by a lexicon and by vectors.


def translated(number=260):
    """Return the lines of a corpus of which every tenth has the target of another line."""
    draw = random.Random(3)
    words = ["".join(draw.choices("abcdefghijklm", k=6)) for _ in range(100)]
    lines = [draw.choices(words, k=12) for _ in range(number)]
    other = [line if k % 10 else lines[k - 7] for k, line in enumerate(lines)]
    rows = zip(lines, other, strict=True)
    return [f"{' '.join(a)}\t{' '.join(w[::-1] + 'u' for w in b)}" for a, b in rows]


LEXICON = '[[filter]]\nname = "lexicon"\n'


def test_a_lexicon_that_is_learned_and_one_of_a_file(bitext, write, tmp_path):
    lines = translated()
    path, out = write("a.tsv", "\n".join(lines) + "\n"), tmp_path / "b.tsv"
    made = bitext("convert", path, out, "--clean", write("p.toml", LEXICON))
    assert made.status == 0, made.err
    wanted = [line for k, line in enumerate(lines) if k % 10]
    assert out.read_text().splitlines() == wanted
    assert "hardly translations of each other, by a lexicon (lexicon min 0.5): 26" in made.err
    assert "filter lexicon: learned from 260 bisegments, which are few" in made.err
    assert f"{path} line 1: bisegment 0 (1-1)" in made.err
    words = sorted({word for line in lines for word in line.split("\t")[0].split()})
    write("a.dic", "".join(f"{word[::-1]}u @ {word}\n" for word in words))
    profile = write("q.toml", f'{LEXICON}dictionary = "a.dic"\n')
    found = bitext("check", path, "--clean", profile, "--json")
    counts = [row["count"] for row in json.loads(found.out)["rows"] if "lexicon" in row["kind"]]
    assert 20 <= counts[0] <= 26
    turned = bitext("convert", path, out, "--swap", "--clean", profile)
    assert (turned.status, "is in the wrong direction" in turned.err) == (2, True)


def test_a_lexicon_of_bitext_link_judges_as_a_dictionary_does(bitext, write, tmp_path):
    # It has no shares of words that are explained; with none, all bisegments passed.
    lines = translated()
    path, out = write("a.tsv", "\n".join(lines) + "\n"), tmp_path / "b.tsv"
    table = tmp_path / "a.lexicon"
    sound = write("good.tsv", "".join(f"{line}\n" for k, line in enumerate(lines) if k % 10))
    assert bitext("link", sound, "-o", tmp_path / "l.tsv", "--save-lexicon", table).status == 0
    profile = write("p.toml", f'{LEXICON}lexicon = "a.lexicon"\n')
    made = bitext("convert", path, out, "--clean", profile)
    assert made.status == 0, made.err
    kept = out.read_text().splitlines()
    assert [line for line in lines if line in kept] == kept
    assert {line for k, line in enumerate(lines) if k % 10} <= set(kept)
    assert 20 <= len(lines) - len(kept) <= 26  # as by a dictionary, above


TERMS = """<?xml version="1.0"?><tbx type="TBX-Core" xmlns="urn:iso:std:iso:30042:ed-2"><text><body>
<conceptEntry><langSec xml:lang="en"><termSec><term>mill</term></termSec></langSec>
<langSec xml:lang="fr"><termSec><term>moulin</term></termSec></langSec>
<langSec xml:lang="de"><termSec><term>Mühle</term></termSec></langSec></conceptEntry>
<conceptEntry><langSec xml:lang="en"><termSec><term>house</term></termSec></langSec>
<langSec xml:lang="fr"><termSec><term>maison</term></termSec></langSec></conceptEntry>
</body></text></tbx>
"""


def test_a_term_base_is_read_in_the_direction_of_swapped_texts(bitext, write, tmp_path):
    write("a.tbx", TERMS)
    profile = write("p.toml", f'{LEXICON}dictionary = "a.tbx"\nmin = 0.9\n')
    path, out = write("a.tsv", "the mill\tla maison\n"), tmp_path / "b.tsv"
    for way in ((), ("--swap",)):
        given = ["--clean", profile, "--src-lang", "en", "--tgt-lang", "fr", *way]
        made = bitext("convert", path, out, *given)
        assert (made.status, "left out 1 of 1" in made.err) == (0, True), made.err


def test_a_profile_that_cannot_be_used_is_refused_before_a_file_is_mended(bitext, write, tmp_path):
    write("a.tbx", TERMS)
    profile, fixed = write("p.toml", f'{LEXICON}dictionary = "a.tbx"\n'), tmp_path / "b.tsv"
    refused = bitext("check", write("a.tsv", TSV), "--fix", fixed, "--clean", profile)
    assert (refused.status, fixed.exists()) == (2, False)
    assert "ask for two (--src-lang, --tgt-lang)" in refused.err


def test_filters_take_the_languages_that_options_name(bitext, write, tmp_path):
    profile, out = write("p.toml", '[[filter]]\nname = "script"\n'), tmp_path / "b.tsv"
    path = write("a.tsv", "Hello to all\tПривет всем\n")
    for langs, way, rejected in (
        (("en", "rus"), (), 0),
        (("ru", "en"), (), 1),
        (("en", "rus"), ("--swap",), 0),
    ):
        given = ["--clean", profile, "--src-lang", langs[0], "--tgt-lang", langs[1]]
        made = bitext("convert", path, out, *given, *way)
        assert (made.status, f"left out {rejected} of 1" in made.err) == (0, True), made.err
        checked = bitext("check", path, *given)
        assert ("letters of another script" in checked.out) is bool(rejected)


def test_texts_without_a_word_of_the_dictionary_are_not_judged(bitext, write, tmp_path):
    write("a.dic", "moulin @ mill\n")
    profile = write("p.toml", f'{LEXICON}dictionary = "a.dic"\n')
    given = [write("a.tsv", "abc\tdef\n"), tmp_path / "b.tsv", "--clean", profile]
    made = bitext("convert", *given)
    assert (made.status, "left out 0 of 1" in made.err) == (0, True), made.err


@pytest.mark.parametrize("name", ["r.xlsx", "r.csv", "r.tsv", "r.parquet"])
def test_a_report_is_a_table_json_or_a_page(bitext, write, tmp_path, name):
    given = [write("a.tsv", TSV), tmp_path / "b.tsv", "--clean", "default"]
    made = bitext("convert", *given, "--clean-report", tmp_path / name)
    assert (made.status, (tmp_path / name).exists()) == (2, False)
    assert f"{name}: want a name that ends with .json, .html or .txt" in made.err


def test_lexicons_that_are_refused(bitext, write, tmp_path):
    path, out = write("a.tsv", TSV), tmp_path / "b.tsv"
    profile = write("p.toml", LEXICON)
    for arguments, message in (
        ([path, out], "too few bisegments to learn a lexicon from"),
        (["/dev/fd/0", out, "--from", "tsv"], "save /dev/fd/0 and name that file"),
        (
            [path, f"{tmp_path}/x/", "--to", "tsv", "--engine", "dask", "--scheduler", "tcp://a:1"],
            "--engine dask has workers elsewhere",
        ),
    ):
        made = bitext("convert", *arguments, "--clean", profile)
        assert message in made.err
        assert (made.status, out.exists()) == (2, False)
    for text, message in ((TSV, "line 1: want two words"), ("", "holds no pair of words")):
        write("a.lexicon", text)
        named = write("q.toml", f'{LEXICON}lexicon = "a.lexicon"\n')
        made = bitext("convert", path, out, "--clean", named)
        assert message in made.err
        assert (made.status, out.exists()) == (2, False)


@pytest.mark.usefixtures("at_hand")
def test_a_lexicon_is_learned_for_jobs_and_shards_and_from_standard_input(
    bitext, write, tmp_path, monkeypatch
):
    lines = translated()
    profile = write("p.toml", f'{LEXICON}[[filter]]\nname = "duplicates"\n')
    names = [write(f"{k}.tsv", "\n".join(lines[k::3]) + "\n") for k in range(3)]
    common = ("convert", *names)
    options = ("--to", "tsv", "--clean", profile, "-q")

    def files(name):
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    assert bitext(*common, f"{tmp_path}/whole/", *options).status == 0
    assert sum(text.count(b"\n") for text in files("whole").values()) == 234
    journal = ("--journal", tmp_path / "j")
    made = bitext(*common, f"{tmp_path}/jobs/", *options, "-j", "2", *journal)
    assert made.status == 0, made.err
    assert files("jobs") == files("whole")
    again = bitext(*common, f"{tmp_path}/jobs/", *options[:-1], *journal)
    assert "3 documents were done before" in again.err
    # Another text of one file changes the lexicon of all.
    text = names[2].read_bytes()
    write("2.tsv", "\n".join(translated(300)[2::3]) + "\n")
    more = bitext(*common, f"{tmp_path}/jobs/", *options[:-1], *journal)
    assert more.status == 0, more.err
    assert "done before" not in more.err
    names[2].write_bytes(text)
    for k in (1, 2):
        own = ("--shard", f"{k}/2", "--journal", tmp_path / f"s{k}")
        assert bitext(*common, f"{tmp_path}/shards/", *options, *own).status == 0
    merged = bitext("merge", tmp_path / "merged.json", tmp_path / "s1", tmp_path / "s2", "-q")
    assert merged.status == 0, merged.err
    assert files("shards") == files("whole")
    piped = "\n".join(lines) + "\n"
    for name in (write("a.tsv", piped), "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped.encode())))
        made = bitext(
            "convert", name, tmp_path / f"{name != '-'}.tsv", "--from", "tsv", *options[2:]
        )
        assert made.status == 0, made.err
    assert (tmp_path / "True.tsv").read_bytes() == (tmp_path / "False.tsv").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped.encode())))
    found = bitext("check", "-", "--from", "tsv", "--clean", profile, "--json")
    counts = [row["count"] for row in json.loads(found.out)["rows"] if "lexicon" in row["kind"]]
    assert counts == [26]


VECTORS = '[[filter]]\nname = "vectors"\nsrc = "s.npy"\ntgt = "t.npy"\n'


def test_vectors(bitext, write, tmp_path):
    lines = ["a b\tc d", "e f\tg h", "i j\tk l", "m n\t", "o p\tq r"]
    path, out = write("a.tsv", "\n".join(lines) + "\n"), tmp_path / "b.tsv"
    rows = np.random.default_rng(1).normal(size=(5, 32)).astype(np.float32)
    other = rows[[0, 2, 2, 4]]  # the fourth line has no target segment; that of the second is wrong
    np.save(tmp_path / "s.npy", rows)
    np.save(tmp_path / "t.npy", other)
    profile = write("p.toml", VECTORS)
    made = bitext("convert", path, out, "--clean", profile)
    assert (made.status, out.read_text().splitlines()) == (0, [lines[0], *lines[2:]])
    np.save(tmp_path / "t.npy", rows[[0, 2, 2, 3, 4]])
    out.unlink()
    made = bitext("convert", path, out, "--clean", profile)
    assert "t.npy: 5 rows for 4 segments of the target: want one for each (measure = " in made.err
    assert (made.status, out.exists()) == (2, False)
    by_line = write("q.toml", f'{VECTORS}measure = "bisegments"\n')
    made = bitext("convert", path, out, "--clean", by_line)
    assert (made.status, out.read_text().splitlines()) == (0, [lines[0], *lines[2:]])
    np.save(tmp_path / "t.npy", rows[:2])
    made = bitext("convert", path, out, "--clean", profile)
    assert "t.npy: 2 rows for 4 or more segments of the target" in made.err
    made = bitext("convert", path, out, "--clean", profile, "--keep-going")
    assert "has a row for every segment, and --keep-going leaves some out" in made.err
    piped = write("r.toml", VECTORS.replace("t.npy", "/dev/fd/0"))
    made = bitext("convert", path, out, "--clean", piped)
    assert "/dev/fd/0: is a stream, and vectors are looked up in a file" in made.err
    made = bitext("convert", path, f"{tmp_path}/x/", "--to", "tsv", "--clean", profile)
    assert "is one file, and there is one output for each input: want {name} in it" in made.err


def test_vectors_of_several_files(bitext, write, tmp_path):
    rows = np.random.default_rng(1).normal(size=(3, 32)).astype(np.float32)
    paths = [write(f"{name}.tsv", "a\tb\nc\td\ne\tf\n") for name in "ab"]
    for k, name in enumerate("ab"):
        np.save(tmp_path / f"{name}.src.npy", rows)
        np.save(tmp_path / f"{name}.tgt.npy", rows[[k, 1, 2]])
    profile = write(
        "p.toml", VECTORS.replace("s.npy", "{name}.src.npy").replace("t.npy", "{name}.tgt.npy")
    )
    made = bitext("convert", *paths, f"{tmp_path}/x/", "--to", "tsv", "--clean", profile)
    assert made.status == 0, made.err
    sizes = [len(one.read_text().splitlines()) for one in sorted((tmp_path / "x").iterdir())]
    assert sizes == [3, 2]


@pytest.mark.usefixtures("at_hand")
def test_a_journal_goes_on_unless_vectors_changed(bitext, write, tmp_path):
    rows = np.random.default_rng(1).normal(size=(3, 32)).astype(np.float32)
    path, out = write("a.tsv", "a\tb\nc\td\ne\tf\n"), tmp_path / "x" / "a.tsv"
    for part in "st":
        np.save(tmp_path / f"{part}.a.npy", rows)
    profile = write(
        "p.toml", VECTORS.replace("s.npy", "s.{name}.npy").replace("t.npy", "t.{name}.npy")
    )

    def converted():
        made = bitext("convert", path, f"{tmp_path}/x/", "--to", "tsv", "--clean", profile,
                      "--journal", tmp_path / "j")  # fmt: skip
        assert made.status == 0, made.err
        return len(out.read_text().splitlines())

    assert [converted(), converted()] == [3, 3]
    np.save(tmp_path / "t.a.npy", np.concatenate([rows[[1, 1, 2]]]).astype(np.float64))
    assert converted() == 2
