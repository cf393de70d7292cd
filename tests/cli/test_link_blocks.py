"""`bitext link` by several processes, with a journal, and in shards: the same links always."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal

import numpy as np
import pytest

from bitext.cli.main import main
from reference.killed_runs import small_process

WORDS = ["house", "tree", "road", "river", "bird", "stone", "night", "garden", "water", "bridge"]
MOTS = ["maison", "arbre", "route", "rivière", "oiseau", "pierre", "nuit", "jardin", "eau", "pont"]
SHARDS = 3


CELLS = ["--block-cells", "320"]  # six blocks of some pairs each


def rows(count, seed=3):
    """Pairs of sentences of two to seven words, whose order differs in places."""
    chance = random.Random(seed)
    pairs = []
    for _ in range(count):
        chosen = [chance.randrange(len(WORDS)) for _ in range(chance.randint(2, 7))]
        turned = chosen[::-1] if chance.random() < 0.2 else chosen
        pairs.append((" ".join(WORDS[k] for k in chosen), " ".join(MOTS[k] for k in turned)))
    return pairs


def write_corpus(folder):
    """Write three files, one with an empty side, and one without any link."""
    pairs = rows(80)
    parts = {"a": pairs[:33], "b": [*pairs[33:34], ("", "seul")], "c": pairs[34:]}
    folder.mkdir()
    for name, some in parts.items():
        lines = "".join(f"{s}\t{t}\n" for s, t in some)
        (folder / f"{name}.tsv").write_text(lines, encoding="utf-8")
    return folder


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "in")


def written(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The links of the corpus by one process, without a journal."""
    folder = tmp_path_factory.mktemp("plain")
    given = command(write_corpus(folder / "in"), "-o", f"{folder}/out/", "-q")
    assert main(given) == 0
    links = written(folder / "out")
    assert sum(data.count(b"-") for data in links.values()) > 250
    return links


def command(corpus, *more):
    return ["link", str(corpus), *CELLS, "--to", "jsonl", "--scores", *map(str, more)]


def run_shards(bitext, corpus, tmp_path, *more, of=SHARDS):
    """Run all rounds of all shards, the last shard first; return their journals."""
    parts = [tmp_path / f"part{k}" for k in range(1, of + 1)]
    numbered = [(f"{k}/{of}", part) for k, part in enumerate(parts, 1)][::-1]
    for shard, part in numbered:
        done = bitext(*command(corpus, "--shard", shard, "--journal", part, *more))
        assert (done.status, done.out) == (0, ""), done.err
    assert bitext("merge", tmp_path / "sum.counts", *parts).status == 0
    for shard, part in numbered:
        given = ["--shard", shard, "--journal", part, "--counts", tmp_path / "sum.counts", *more]
        assert bitext(*command(corpus, *given)).status == 0
    return parts


@pytest.fixture
def vectors(tmp_path):
    """Files of vectors, named for what they hold: a table of types, or rows of words."""
    chance = np.random.default_rng(1)
    places = chance.normal(size=(len(WORDS), 6))
    made = {"table": [], "rows": []}
    for side, types in enumerate((WORDS, MOTS)):
        noisy = places + chance.normal(size=places.shape) * 0.3
        lines = [f"{w} {' '.join(map(str, row))}\n" for w, row in zip(types, noisy, strict=True)]
        made["table"].append(tmp_path / f"{side}.vec")
        made["table"][-1].write_text(f"{len(types)} 6\n{''.join(lines)}", encoding="utf-8")
        words = [w for pair in rows(80) for w in pair[side].split()]
        array = places[[types.index(w) for w in words]]
        made["rows"].append(tmp_path / f"{side}.npy")
        np.save(made["rows"][-1], array + chance.normal(size=array.shape) * 0.3)
    return made


def check_vectors(bitext, given, files, tmp_path):
    """Link by one process, with a journal and in shards: the same bytes, other than without."""
    given = [*given, *CELLS, "--to", "jsonl", "--scores"]
    with_vectors = [*given, "--vectors", *files]
    out = tmp_path / "out"

    def links(*command):
        done = bitext(*command)
        assert done.status == 0, done.err
        return written(out) if out.is_dir() else out.read_bytes()

    place = f"{out}/" if given[1].is_dir() else out
    plain = links(*given, "-o", place)
    whole = links(*with_vectors, "-o", place)
    assert whole != plain
    journal = tmp_path / "journal"
    assert links(*with_vectors, "-o", place, "--journal", journal, "-j", 2) == whole
    data = journal.read_bytes()
    for part in (3, 2):
        journal.write_bytes(data[: len(data) * part // 4])
        assert links(*with_vectors, "-o", place, "--journal", journal) == whole
    parts = [tmp_path / f"part{k}" for k in range(1, SHARDS + 1)]
    numbered = [["--shard", f"{k}/{SHARDS}", "--journal", part] for k, part in enumerate(parts, 1)]
    counts = tmp_path / "sum.counts"
    for shard in numbered[::-1]:
        assert bitext(*with_vectors, *shard).status == 0
    assert bitext("merge", counts, *parts).status == 0
    for shard in numbered:
        assert bitext(*with_vectors, *shard, "--counts", counts).status == 0
    assert links("merge", place, *parts) == whole
    data = files[1].read_bytes()  # one digit of a number, or one byte of a fraction
    files[1].write_bytes(data[:-4] + (b"2" if data[-4:-3] == b"1" else b"1") + data[-3:])
    for command in ([*with_vectors, "-o", place, "--journal", journal], ["merge", place, *parts]):
        refused(bitext(*command), "is the journal of another run: vectors was")
    files[1].unlink()
    refused(bitext("merge", place, *parts), f"{files[1]}: there is no such file of vectors")


@pytest.mark.usefixtures("at_hand")
def test_tables_of_vectors_change_no_byte_with_journals_and_shards(
    bitext, corpus, vectors, tmp_path
):
    check_vectors(bitext, ["link", corpus], vectors["table"], tmp_path)


@pytest.mark.usefixtures("at_hand")
def test_rows_of_vectors_change_no_byte_with_journals_and_shards(bitext, write, vectors, tmp_path):
    sides = [write(f"t.{k}", "".join(f"{pair[k]}\n" for pair in rows(80))) for k in (0, 1)]
    check_vectors(bitext, ["link", *sides, "--lines"], vectors["rows"], tmp_path)


@pytest.mark.parametrize("more", [("-j", 2), ("-j", 5), ("--journal",), ("-j", 2, "--journal")])
def test_processes_and_journals_change_no_byte(bitext, corpus, plain, tmp_path, more):
    has_journal = "--journal" in more
    given = [*more, *[tmp_path / "journal"] * has_journal]
    for _ in range(1 + has_journal):  # once more from what the journal holds
        out = tmp_path / "out"
        done = bitext(*command(corpus, "-o", f"{out}/", *given))
        assert (done.status, written(out)) == (0, plain), done.err


@pytest.mark.parametrize("of", [1, 2, 3, 8])
def test_the_links_of_all_shards_are_those_of_one_run(bitext, corpus, plain, tmp_path, of):
    parts = run_shards(bitext, corpus, tmp_path, of=of)
    done = bitext("merge", f"{tmp_path}/out/", *parts)
    assert (done.status, written(tmp_path / "out")) == (0, plain), done.err
    assert "81 pairs" in done.err


def test_shards_work_in_processes_and_go_on_from_their_journals(bitext, corpus, plain, tmp_path):
    parts = run_shards(bitext, corpus, tmp_path, "-j", 2)
    before = [part.read_bytes() for part in parts]
    again = ["--shard", "2/3", "--journal", parts[1], "--counts", tmp_path / "sum.counts"]
    assert bitext(*command(corpus, *again)).status == 0
    assert [part.read_bytes() for part in parts] == before
    assert bitext("merge", f"{tmp_path}/out/", *parts).status == 0
    assert written(tmp_path / "out") == plain


@pytest.fixture(scope="module")
def small():
    with small_process() as runs:
        yield runs


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_and_gives_the_same_bytes(corpus, plain, tmp_path, jobs, small):
    out, journal = tmp_path / "out", tmp_path / "journal"
    given = command(corpus, "-o", f"{out}/", "--journal", journal, "-j", jobs)
    assert small(command(corpus, "-o", f"{tmp_path}/first/")) == 0  # imports, once for all forks

    def finish():
        assert small(given) == 0
        assert written(out) == plain
        shutil.rmtree(out)

    assert small(given, lines=7) == signal.SIGKILL
    finish()
    journal.unlink()
    # One run after another adds a line, and is killed instead of the next.
    for count in range(20):
        status = small(given, lines=min(count, 1))
        if status == 0:
            break
        assert status == signal.SIGKILL
        assert not out.exists()
        lines = journal.read_bytes()
        assert lines.count(b"\n") == 1 + count
        finish()
        journal.write_bytes(lines)
    assert count >= 10
    assert written(out) == plain


def test_a_journal_that_ends_anywhere_is_gone_on_with(bitext, corpus, plain, tmp_path):
    out, journal = tmp_path / "out", tmp_path / "journal"
    given = command(corpus, "-o", f"{out}/", "--journal", journal)
    assert bitext(*given).status == 0
    whole = journal.read_bytes()
    chance = random.Random(11)
    for _ in range(12):
        journal.write_bytes(whole[: chance.randrange(len(whole))])
        assert bitext(*given).status == 0
        assert written(out) == plain
        torn = bytearray(whole)
        torn[chance.randrange(len(whole.split(b"\n", 1)[0]) + 1, len(whole))] ^= 8
        journal.write_bytes(torn)
        assert bitext(*given).status == 0
        assert written(out) == plain


def test_a_manifest_and_two_texts_are_linked_in_shards(bitext, corpus, write, tmp_path):
    listed = "".join(f"{name}\t{corpus / name}.tsv\n" for name in "abc")
    manifest = write("manifest.tsv", f"text\tpath\n{listed}")
    texts = [write(f"t.{end}", "".join(f"{pair[k]}\n" for pair in rows(80))) for k, end in
             enumerate(("en", "fr"))]  # fmt: skip
    for inputs, out in (([manifest], f"{tmp_path}/m/"), ([*texts, "--lines"], tmp_path / "t.tsv")):
        given = ["link", *inputs, *CELLS, "--scores", "--to", "tsv"]
        done = bitext(*given, "-o", out)
        assert done.status == 0, done.err
        place = tmp_path / ("m" if out == f"{tmp_path}/m/" else "t.tsv")
        whole = written(place) if place.is_dir() else place.read_bytes()
        parts = [tmp_path / f"{place.name}{k}" for k in (1, 2)]
        for more in ([], ["--counts", tmp_path / f"{place.name}.counts"]):
            for k, part in enumerate(parts, 1):
                assert bitext(*given, "--shard", f"{k}/2", "--journal", part, *more).status == 0
            if not more:
                assert bitext("merge", tmp_path / f"{place.name}.counts", *parts).status == 0
        merged = tmp_path / "merged" / place.name
        merged.parent.mkdir(exist_ok=True)
        assert bitext("merge", f"{merged}/" if place.is_dir() else merged, *parts).status == 0
        assert (written(merged) if merged.is_dir() else merged.read_bytes()) == whole


@pytest.mark.usefixtures("at_hand")
def test_tables_symmetrised_links_and_documents_are_those_of_one_process(bitext, corpus, tmp_path):
    for more in (["--symmetrise", "grow-diag"], ["--symmetrise", "forward", "--min-score", "0.2"]):
        given = [*command(corpus), *more]
        tables = []
        for name, jobs in (("one", []), ("two", ["-j", 2, "--journal", tmp_path / more[1]])):
            place = tmp_path / f"{more[1]}-{name}"
            saved = ["--save-lexicon", f"{place}.lexicon", "--save-phrases", f"{place}.phrases"]
            assert bitext(*given, *jobs, *saved, "-o", f"{place}/").status == 0
            ends = (".lexicon", ".phrases")
            tables.append([place.with_name(place.name + end).read_bytes() for end in ends])
            tables[-1].append(written(place))
        assert tables[0] == tables[1]
    given = ["link", corpus, *CELLS, "--json", "-q"]
    whole = bitext(*given).out
    for _ in range(2):
        assert bitext(*given, "-j", 2, "--journal", tmp_path / "json").out == whole


def refused(done, *words):
    assert (done.status, len(done.lines())) == (2, 1), done.err
    for word in words:
        assert word in done.err


def test_shards_that_do_not_belong_together_are_refused(bitext, corpus, write, tmp_path):
    parts = run_shards(bitext, corpus, tmp_path)
    counts, out = tmp_path / "sum.counts", f"{tmp_path}/out/"
    first = [*command(corpus), "--shard", "1/3", "--journal"]
    refused(bitext(*first, parts[0], "--min-score", "0.2"), "another run", "min_score")
    refused(bitext(*first, tmp_path / "new", "--counts", counts), "has no counts of shard 1/3")
    for kind in (["--json"], ["--store", tmp_path / "s.jsonl"]):
        refused(bitext("merge", out, *parts, *kind), "leave it out")
    old = parts[2].read_bytes()
    parts[2].unlink()
    third = command(corpus, "--shard", "3/3", "--journal", parts[2])
    assert bitext(*third).status == 0
    refused(bitext("merge", out, *parts), "part3: has the counts of its shard, and others have")
    parts[2].write_bytes(old)
    torn = tmp_path / "torn.counts"
    whole = counts.read_bytes()
    line = whole.index(b"\n") + 1
    flipped = whole[: line + 99] + bytes([whole[line + 99] ^ 1]) + whole[line + 100 :]
    for data in (whole[:-20], flipped, whole[:line]):
        torn.write_bytes(data)
        refused(bitext(*first, parts[0], "--counts", torn), "torn.counts", "merge the shards again")
    refused(bitext(*first, parts[0], "--counts", parts[1]), "is the journal of another run")
    refused(bitext(*first, parts[0], "--counts", corpus / "a.tsv"), "is no journal of bitext")
    refused(bitext(*first, parts[0], "--counts", tmp_path / "none"), "none: cannot be read")
    write("in/c.tsv", "a tree\tun arbre\n")
    refused(bitext("merge", out, *parts), "another run", "texts")
    refused(bitext(*first, parts[0], "--counts", counts), "another run", "texts")
    assert not (tmp_path / "out").exists()


def test_counts_are_merged_to_a_file_of_their_own(bitext, corpus, tmp_path):
    parts = [tmp_path / f"part{k}" for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        assert bitext(*command(corpus, "--shard", f"{k}/2", "--journal", part)).status == 0
    for place in (tmp_path / "links.tsv", "-", f"{tmp_path}/out/"):
        refused(bitext("merge", place, *parts), "the shards have counts, and no links yet")
    refused(bitext("merge", tmp_path / "c", *parts, "--json"), "--json", "leave it out")
    refused(bitext("merge", tmp_path / "c", parts[0]), "2/2", "not given")
    refused(bitext("merge", parts[0], *parts), "part1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "part1", "part2"]


def test_options_that_exclude_each_other_are_refused(bitext, corpus, tmp_path):
    part = ["--shard", "1/2", "--journal", tmp_path / "part"]
    given = command(corpus)
    for more, words in (
        (["--shard", "1/2"], "--journal"),
        (["--counts", "c"], "--shard"),
        ([*part, "-o", tmp_path / "x"], "a shard writes its part to --journal and nothing else"),
        ([*part, "--save-lexicon", tmp_path / "x"], "--save-lexicon is for the links of all"),
        ([*part, "--save-phrases", tmp_path / "x"], "--save-phrases is for the links of all"),
        (["--shard", "3/2", "--journal", "j"], "1/8 to 8/8"),
        (["-j", "0"], "want at least 1"),
        (["--block-cells", "0"], "want 1 or more"),
        (["-o", tmp_path / "x.jsonl", "--journal", tmp_path / "x.jsonl"], "x.jsonl"),
        (["--journal", corpus / "a.tsv", "-o", f"{tmp_path}/o/"], "a.tsv"),
        (["--keep-links", "-j", "2"], "--jobs is for learning"),
        (["--keep-links", "--block-cells", "9"], "--block-cells is for learning"),
    ):
        refused(bitext(*given, *more), words)
    explained = ["link", corpus / "a.tsv", "--explain", "1", "0", "0", *part]
    refused(bitext(*explained), "--explain")
    refused(bitext("link", corpus, "--json", *part), "--json is for the links of all shards")
    refused(
        bitext("link", "-", "--journal", tmp_path / "part"),
        "a journal cannot check whether it has changed",
    )
    refused(bitext("link", corpus, *part), "single block of work", "leave --shard out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "part"]


@pytest.mark.usefixtures("at_hand")
def test_explanations_and_labels_work_with_processes_and_journals(bitext, corpus, tmp_path):
    given = ["link", corpus / "c.tsv", *CELLS, "--explain", "20", "1", "1"]
    whole = bitext(*given).out
    assert whole.count("\n") > 5
    for _ in range(2):
        assert bitext(*given, "-j", "2", "--journal", tmp_path / "j").out == whole


@pytest.mark.usefixtures("at_hand")
def test_pages_are_those_of_one_process_and_have_journals_of_their_own(bitext, corpus, tmp_path):
    given = ["link", corpus, *CELLS, "-q", "--html", "-"]
    whole = bitext(*given).out
    assert '"chances":[[' in whole
    for _ in range(2):
        assert bitext(*given, "-j", 2, "--journal", tmp_path / "page").out == whole
    plain = tmp_path / "plain-journal"
    assert bitext("link", corpus, *CELLS, "-o", f"{tmp_path}/o/", "--to", "tsv", "--journal", plain)
    refused(bitext(*given, "--journal", plain), "journal of another run: directions was False")
    page = tmp_path / "page.html"
    part = ["--shard", "1/2", "--journal", tmp_path / "part", "--html", page]
    refused(bitext("link", corpus, *CELLS, *part), "--html is for the links of all shards")
    assert not page.exists()


def test_merged_links_have_a_page_and_counts_have_none(bitext, corpus, tmp_path):
    page = tmp_path / "page.html"
    parts = [tmp_path / f"p{k}" for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        assert bitext(*command(corpus, "--shard", f"{k}/2", "--journal", part)).status == 0
    refused(bitext("merge", tmp_path / "s.counts", *parts, "--html", page), "no links yet")
    assert not page.exists()
    parts = run_shards(bitext, corpus, tmp_path, of=2)
    assert bitext("merge", f"{tmp_path}/out/", *parts, "--html", page).status == 0
    held = re.search('<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert json.loads(held[1])["scored"] is True


def test_sentences_of_a_thousand_words_and_of_one_have_an_answer(bitext, write):
    chance = random.Random(2)
    long = [chance.randrange(400) for _ in range(1200)]
    sides = [" ".join(f"{letter}{k}" for k in long) for letter in "st"]
    short = [[chance.randrange(400) for _ in range(8)] for _ in range(200)]
    pairs = [tuple(" ".join(f"{letter}{k}" for k in some) for letter in "st") for some in short]
    pairs += [(sides[0], sides[1]), (sides[0], "maison"), ("house", sides[1])]
    given = ["link", write("t.tsv", "".join(f"{s}\t{t}\n" for s, t in pairs)), "--to", "pharaoh"]
    for more in ([], ["--block-cells", "100000", "-j", "2"]):
        done = bitext(*given, *more)
        assert (done.status, done.out.count("\n")) == (0, 203)
        links = [tuple(map(int, link.split("-"))) for link in done.out.splitlines()[200].split()]
        assert sum(src == tgt for src, tgt in links) > 1000
        assert max(max(link) for link in links) < 1200
