"""`bitext align` by jobs: the same from one process, two, shards, and runs that were killed."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from bitext.align.sentences.aligner import SentenceAligner
from bitext.align.sentences.options import SentenceOptions
from bitext.cli import align, merge
from bitext.cli.align.corpus import CorpusWorker, learning_groups
from bitext.cli.align.inputs import FilePair, PairStream
from bitext.cli.align.outputs import survey_corpus
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import text_reader
from bitext.errors import FormatError, InputError, JobError, OptionError, by_options
from bitext.formats.io.output import record_reads
from bitext.formats.io.source import Notes
from bitext.jobs import Processes
from bitext.jobs.align_task import LearnTask, Recipe
from bitext.jobs.journal import Journal, run_of
from bitext.model import Text
from reference.job_tasks import AtHand

WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ora", "iku", "ema")]
# Their lengths tell little.
OTHER = {word: word[::-1] + "x" * (k * 7 % 29) for k, word in enumerate(WORDS)}
TEXTS = 9


@pytest.fixture(autouse=True)
def _at_hand(request, monkeypatch):
    """Work in this process but in tests of processes: to begin workers takes most of the time."""
    if "kill" not in request.node.name:
        monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Nine texts of made words and their translations, in a manifest; one is empty on a side."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(5)
    Path("texts").mkdir()
    rows = ["text\tsrc\ttgt\n"]
    for k in range(TEXTS):
        src, tgt = [], []
        for _ in range(chance.randint(8, 14)):
            words = [chance.choice(WORDS) for _ in range(chance.randint(3, 9))]
            src.append(" ".join(words) + ".\n")
            other = " ".join(OTHER[word] for word in words) + "!"
            if chance.random() < 0.2 and tgt:
                tgt[-1] = tgt[-1][:-1] + " "
            tgt.append(other + "\n")
        Path(f"texts/{k}.en").write_text("".join(src), encoding="utf-8")
        Path(f"texts/{k}.fr").write_text("" if k == 4 else "".join(tgt), encoding="utf-8")
        rows.append(f"in/t{k}\ttexts/{k}.en\ttexts/{k}.fr\n")
    Path("corpus.tsv").write_text("".join(rows), encoding="utf-8")
    return ["corpus.tsv", "--to", "jsonl"]


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).rglob("*.jsonl"))}


def told(capsys):
    """Return the document that was printed, without where outputs are."""
    found = json.loads(capsys.readouterr().out)
    for row in found["texts"]:
        row["output"] = Path(row["output"]).name
    return found


def test_processes_shards_and_journals_give_the_same(corpus, capsys):
    whole = [*corpus, "--save-lexicon", "lexicon", "--json"]
    assert align.run([*whole, "-o", "one/", "--max-failures", "0"]) == 0
    wanted, output = told(capsys), files("one")
    assert len(output) == TEXTS == len(wanted["texts"])
    assert "texts that are empty: 1, first texts/4.fr: is empty" in wanted["notes"][0]
    assert align.run([*whole, "-o", "two/", "-j", "2", "--journal", "j"]) == 0
    assert (told(capsys), files("two")) == (wanted, output)
    assert Path("lexicon").read_bytes() == Path("j.lexicon").read_bytes()
    assert sorted(path.name for path in Path().glob("j*")) == ["j", "j.lexicon"]
    Path("two/in/t3.jsonl").unlink()
    Path("lexicon").unlink()
    assert align.run([*whole, "-o", "two/", "-j", "2", "--journal", "j"]) == 0
    assert (told(capsys), files("two")) == (wanted, output)
    assert Path("lexicon").read_bytes() == Path("j.lexicon").read_bytes()
    shards = [*corpus, "--lexicon", "lexicon", "-o", "three/"]
    for k in (2, 1, 3):
        assert align.run([*shards, "--shard", f"{k}/3", "--journal", f"p{k}"]) == 0
    capsys.readouterr()
    assert merge.run(["-", "p3", "p1", "p2"]) == 0
    assert (told(capsys), files("three")) == (wanted, output)


EVERY = ["--learn-from", "40"]  # all texts, in five groups


def test_what_shards_learn_is_what_the_whole_teaches(corpus, capsys):
    learn = [corpus[0], "--learn-only", *EVERY]
    assert align.run([*learn, "--save-lexicon", "whole", "--journal", "j"]) == 0
    assert "learned from 9 of 9 texts" in capsys.readouterr().err
    given = []
    for number in (1, 2):
        for k in (1, 2):
            shard = [*learn, *given, "--shard", f"{k}/2", "--journal", f"p{number}{k}"]
            assert align.run(shard) == 0
            assert re.search(rf"shard {k}/2: [23] groups of texts in p", capsys.readouterr().err)
        assert merge.run([f"lexicon{number}", f"p{number}2", f"p{number}1"]) == 0
        given = ["--lexicon", f"lexicon{number}"]
    assert Path("lexicon1").read_bytes() == Path("whole").read_bytes()
    assert align.run([*learn, "--lexicon", "whole", "--save-lexicon", "more"]) == 0
    assert Path("lexicon2").read_bytes() == Path("more").read_bytes() != Path("whole").read_bytes()
    capsys.readouterr()
    Path("texts/1.fr").unlink()
    assert align.run([*learn, "--save-lexicon", "fewer"]) == 0
    told = capsys.readouterr().err
    assert "learned from 8 of 9 texts" in told
    assert "failed: in/t1: texts/1.fr: no such file" in told
    assert align.run([*learn, "--shard", "1/1", "--journal", "p"]) == 1
    assert "failed: in/t1: texts/1.fr: no such file" in capsys.readouterr().err
    with pytest.raises(InputError, match="p12: is of another run than p21: options lexicon is"):
        merge.run(["other", "p21", "p12"])


def test_texts_that_cannot_be_aligned_together_teach_each_by_itself():
    class Reader:
        def prepare(self):
            """Nothing is prepared."""

        def read(self, item, _notes):
            return item

    class Read(NamedTuple):
        name: str
        src: Text
        tgt: Text

    texts = Text(["One house.", "Two."]), Text(["Une maison.", "Deux."])
    item = [Read("a", *texts), Read("b", Text(["One."]), Text.of_ids(["x"])), Read("c", *texts)]
    recipe = Recipe(method="lexical", options=SentenceOptions())
    task = LearnTask(recipe=recipe, desk=Reader(), run={}, presentation={})
    found = task.work(item)
    assert [lesson["texts"] for lesson in found["lessons"]] == [1, 1]
    ((name, reason),) = found["failed"]
    assert name == "b"
    assert "known by ids only" in reason


def test_a_sample_is_learned_from_whatever_the_shards(corpus, capsys):
    learn = [corpus[0], "--learn-only", "--learn-from", "20", "--save-lexicon", "lexicon"]
    assert align.run(learn) == 0
    first = Path("lexicon").read_bytes()
    assert "learned from 6 of 9 texts" in capsys.readouterr().err
    rows = Path("corpus.tsv").read_text(encoding="utf-8").splitlines()[1:]
    lines = (dict(zip(("text", "src", "tgt"), row.split("\t"), strict=True)) for row in rows)
    Path("corpus.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    assert align.run(["corpus.jsonl", *learn[1:]]) == 0
    assert Path("lexicon").read_bytes() == first


@pytest.mark.parametrize(
    ("texts", "each", "learn_from", "sample"),
    [
        (12, 100, None, 12),  # all of a small corpus
        (80, 500, None, 27),  # a third of 40,000 sentences
        (28, 500, None, 20),  # 10,000 sentences at least
        (400, 500, None, 100),  # 50,000 at most
        (40, 500, 2000, 4),
    ],
)
def test_a_sample_is_a_third_of_the_corpus_within_limits(
    tmp_path, monkeypatch, texts, each, learn_from, sample
):
    monkeypatch.chdir(tmp_path)
    with Path("text").open("wb") as file:
        file.truncate(100 * (each - 1))  # sizes of files tell how many sentences there may be
    rows = "".join(f"t{k}\ttext\ttext\n" for k in range(texts))
    Path("corpus.tsv").write_text(f"text\tsrc\ttgt\n{rows}", encoding="utf-8")
    request = AlignRequest(src="corpus.tsv", learn_from=learn_from)
    pairs = PairStream(request.inputs(text_reader(request)))
    survey = survey_corpus(pairs, None, request, learns=True)
    assert (survey.texts, len(survey.sample)) == (texts, sample)


@pytest.mark.parametrize("sentences", [[10] * 9, [1] * 7, [300, *[5] * 40], [40, 3, 70, 90, 8]])
@pytest.mark.parametrize("wanted", [3, 20, 45, 1000])
def test_groups_to_learn_from_are_of_one_size(tmp_path, sentences, wanted):
    sample = []
    for k, size in enumerate(sentences):
        path = tmp_path / str(k)
        with path.open("wb") as file:
            file.truncate(100 * (size - 1))
        sample.append((k, FilePair(str(k), str(path), "")))
    groups = list(learning_groups(sample, wanted))
    assert [pair for group in groups for pair in group] == [pair for _, pair in sample]
    sizes = [sum(sentences[int(pair.name)] for pair in group) for group in groups]
    if sum(sentences) < 1.5 * wanted:
        assert len(groups) == 1
    elif max(sentences) < wanted:
        assert len(groups) % 2 == 0
        assert max(sizes) < 1.5 * wanted + max(sentences)
        assert max(sizes) - min(sizes) < 2 * max(sentences)
    assert list(learning_groups([], wanted)) == []


def test_a_text_that_was_learned_from_is_aligned_from_what_was_found(corpus, monkeypatch):
    """Not so after it was changed, nor with a lexicon of an earlier version, which has no paths."""
    plain = [*corpus, "--max-failures", "0", "--save-lexicon", "lexicon"]
    assert align.run([*plain, "-o", "one/"]) == 0
    lines = Path("lexicon").read_text(encoding="utf-8").splitlines(keepends=True)
    paths = [line for line in lines if line.startswith("\t\tpath\t")]
    assert len(paths) == TEXTS
    Path("before").write_text(
        "".join(line for line in lines if line not in paths), encoding="utf-8"
    )
    begun = []
    started = SentenceAligner.__init__

    def counted(self, task, *more):
        begun.append(task.pretrained is not None and task.pretrained.path is not None)
        started(self, task, *more)

    monkeypatch.setattr(SentenceAligner, "__init__", counted)
    given = [*corpus, "--max-failures", "0"]
    assert align.run([*given, "-o", "two/", "--lexicon", "lexicon"]) == 0
    assert begun == [True] * TEXTS
    assert files("two") == files("one")
    assert align.run([*given, "-o", "three/", "--lexicon", "before"]) == 0
    assert begun[TEXTS:] == [False] * TEXTS
    Path("texts/3.en").write_text("bora iku.\n", encoding="utf-8")
    assert align.run([*given, "-o", "four/", "--lexicon", "lexicon"]) == 0
    assert begun[2 * TEXTS :].count(False) == 1


@pytest.mark.parametrize(("to", "splits"), [("hunalign-ladder", False), ("jsonl", True)])
def test_texts_are_learned_from_as_they_are_aligned(corpus, to, splits):
    """Running text is split for formats that hold texts, and is taken by lines for the others."""
    chance = random.Random(8)
    for k in (0, 1):
        for end in ("en", "fr"):
            lines = [
                " ".join(chance.choice(WORDS).capitalize() + " " + " ".join(
                    chance.choice(WORDS) for _ in range(6)) + "." for _ in range(5))
                for _ in range(12)
            ]  # fmt: skip
            Path(f"texts/{k}.{end}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    how = [corpus[0], "--to", to, "-o", "out/", "--max-failures", "0", "--save-lexicon", "lexicon"]
    assert align.run(how) == 0
    lines = Path("lexicon").read_text(encoding="utf-8").splitlines()
    paths = [line.split("\t")[4] for line in lines if line.startswith("\t\tpath\t")]
    longest = max(
        sum(int(a) * int(n or 1) for a, _, n in re.findall(r"(\d+)-(\d+)(?:\*(\d+))?", path))
        for path in paths
    )
    assert longest == 60 if splits else 12 <= longest <= 14


def test_texts_that_cannot_be_aligned_are_told_and_left_out(corpus, capsys):
    Path("texts/1.fr").unlink()
    Path("texts/6.en").write_bytes(b"bora\nd\xffku\n")
    assert align.run([*corpus, "-o", "out/", "--json", "--journal", "j"]) == 1
    captured = capsys.readouterr()
    assert "failed: in/t1: texts/1.fr: no such file" in captured.err
    assert "failed: in/t6: texts/6.en line 2: byte 2 of the line is 0xff" in captured.err
    assert "learned from 7 texts" in captured.err
    rows = json.loads(captured.out)["texts"]
    assert [row["text"] for row in rows if "failed" in row] == ["in/t1", "in/t6"]
    assert len(files("out")) == TEXTS - 2
    held = files("out")
    Path("texts/6.en").write_text("bora\ndiku\n", encoding="utf-8")  # what failed is tried again
    assert align.run([*corpus, "-o", "out/", "--journal", "j"]) == 1
    assert "learned before, j.lexicon" in capsys.readouterr().err
    assert {**files("out"), "t6.jsonl": b""} == {**held, "t6.jsonl": b""}
    assert len(files("out")) == TEXTS - 1
    with pytest.raises(JobError, match="1 document failed, more than"):
        align.run([*corpus, "-o", "more/", "--max-failures", "0"])
    for path in Path("texts").iterdir():
        path.unlink()
    with pytest.raises(JobError, match="every document failed: in/t"):
        align.run([*corpus, "-o", "none/", "--journal", "k"])


def test_what_is_asked_for_is_kept(corpus, capsys):
    plain = [*corpus, "--max-failures", "0"]
    align.run([corpus[0], "--learn-only", "--save-lexicon", "lexicon"])
    given = [*plain, "--lexicon", "lexicon"]
    assert align.run([*given, "-o", "some/", "--min-score", "0.9", "--beads", "1-1"]) == 0
    assert "left out: beads less probable than 0.9" in capsys.readouterr().err
    scores = [
        json.loads(line)["score"] for one in files("some").values() for line in one.splitlines()
    ]
    assert min(scores) >= 0.9
    kinds = [
        len(json.loads(line)["src"]) for one in files("some").values() for line in one.splitlines()
    ]
    assert set(kinds) <= {0, 1}
    Path("few").write_text("bora\tnone\t0.1\t0.1\n", encoding="utf-8")  # words only: no lengths
    alone = [*plain, "--lexicon", "few"]
    align.run([*alone, "-o", "without/"])
    Path("own.tsv").write_text("".join(f"{w}\t{o}\n" for w, o in OTHER.items()), encoding="utf-8")
    Path("turned.tsv").write_text(
        "".join(f"{o}\t{w}\n" for w, o in OTHER.items()), encoding="utf-8"
    )
    align.run([*alone, "-o", "own/", "--dictionary", "own.tsv"])
    align.run([*alone, "-o", "turned/", "--dictionary", "turned.tsv"])
    assert files("own") == files("turned")
    assert files("own") != files("without")
    assert "dictionaries in the wrong direction, used exchanged" in capsys.readouterr().err
    Path("reverse").write_text("".join(f"{o}\t{w}\t0.5\t0.5\n" for w, o in OTHER.items()))
    align.run([*plain, "--lexicon", "reverse", "-o", "back/"])
    assert "texts for which the lexicon is in the wrong direction: " in capsys.readouterr().err
    assert align.run([*plain, "-o", "length/", "--method", "length-words"]) == 0
    assert len(files("length")) == TEXTS


def test_a_lexicon_of_another_language_is_noted(corpus, capsys):
    note = "texts with hardly any word of the lexicon: "
    align.run([*corpus, "--save-lexicon", "learned", "-o", "own/", "--max-failures", "0"])
    align.run([*corpus, "--lexicon", "learned", "-o", "again/", "--max-failures", "0"])
    assert note not in capsys.readouterr().err
    third = str.maketrans("abcdefghijklmnopqrstuvwxyz", "нопрстуфхцчшщъыьэюяабвгдеж")
    for path in Path("texts").glob("*.fr"):
        path.write_text(path.read_text("utf-8").translate(third), "utf-8")
    align.run([*corpus, "--lexicon", "learned", "-o", "other/", "--max-failures", "0"])
    told = capsys.readouterr().err
    where = f"{note}4, first texts/0.fr: is the text, or the lexicon, of another language?"
    assert where in told, told
    assert "language of the other side" not in told


def test_a_lexicon_of_few_words_says_nothing_on_languages(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = [f"{chr(97 + k // 26)}{chr(97 + k % 26)}o" for k in range(60)]
    Path("a.en").write_text("".join(f"{word} the.\n" for word in words), encoding="utf-8")
    Path("a.fr").write_text("".join(f"{word}b le.\n" for word in words), encoding="utf-8")
    align.run(["a.en", "a.fr", "--journal", "journal", "-o", "out/", "--to", "jsonl"])
    told = capsys.readouterr().err
    assert "learned from 1 text" in told
    assert "hardly any word of the lexicon" not in told


def test_vectors_are_read_text_by_text(corpus, capsys):
    chance = np.random.default_rng(2)
    for path in sorted(Path("texts").iterdir()):
        rows = path.read_bytes().count(b"\n")
        place = Path("vectors/in", f"t{path.stem}{path.suffix}.npy")
        place.parent.mkdir(parents=True, exist_ok=True)
        np.save(place, chance.normal(size=(rows, 4)).astype(np.float32))
    Path("few").write_text("bora\tnone\t0.1\t0.1\n", encoding="utf-8")
    plain = [*corpus, "--lexicon", "few", "--max-failures", "2"]
    given = ["--vectors", "vectors/{name}.en.npy", "vectors/{name}.fr.npy"]
    assert align.run([*plain, "-o", "without/"]) == 0
    assert align.run([*plain, "-o", "with/", *given]) == 0
    assert files("with") != files("without")
    np.save("vectors/in/t2.en.npy", np.ones((2, 4), dtype=np.float32))
    assert align.run([*plain, "-o", "more/", *given]) == 1
    assert "failed: in/t2: vectors/in/t2.en.npy" in capsys.readouterr().err


@pytest.mark.parametrize(("number", "by_jobs"), [(1000, False), (1001, True)])
def test_more_than_a_thousand_texts_are_aligned_by_jobs(tmp_path, monkeypatch, number, by_jobs):
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    rows = ["text\tsrc\ttgt\n"]
    for k in range(number):
        names = f"texts/{k}.en", f"texts/{k}.fr"
        for name in names:
            Path(name).touch()
        rows.append(f"t{k}\t{names[0]}\t{names[1]}\n")
    Path("corpus.tsv").write_text("".join(rows), encoding="utf-8")
    how = {"to": "jsonl", "output": "out/"}
    for request in (
        AlignRequest(src="corpus.tsv", **how),
        AlignRequest(src="texts", src_lang="en", tgt_lang="fr", **how),
    ):
        files = request.resolve(text_reader(request))  # None: they are aligned by jobs
        assert (files is None) == by_jobs
        assert by_jobs or len(files.pairs) == number


def test_a_folder_has_the_texts_of_its_manifest(corpus, capsys):
    assert align.run([*corpus, "-o", "few/"]) == 0
    assert "learned from" not in capsys.readouterr().err
    by_jobs = ["--max-failures", "0"]
    assert align.run([*corpus, "-o", "many/", *by_jobs]) == 0
    assert "learned from 9 texts" in capsys.readouterr().err
    for k in range(TEXTS):
        Path(f"texts/{k}.en").rename(f"texts/t{k}.en")
        Path(f"texts/{k}.fr").rename(f"texts/t{k}.fr")
    folders = ["texts", "--src-lang", "en", "--tgt-lang", "fr", "--to", "jsonl", "-o", "folder/"]
    assert align.run([*folders, *by_jobs]) == 0
    assert files("folder").keys() == files("many").keys()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["-o", "out.tmx", "--journal", "j"], "name a folder and the format"),
        (["--journal", "j"], "name a folder and the format"),
        (["-o", "out/", "--gold", "corpus.tsv", "--journal", "j"], "bitext score GOLD OUT"),
        (["-o", "out/", "--shard", "1/2", "--journal", "j"], "learn it .--learn-only."),
        (["-o", "out/", "--shard", "1/2"], "--shard writes its part to --journal"),
        (["--learn-only"], "--learn-only writes a lexicon: name a file"),
        (["--learn-only", "-o", "out/", "--save-lexicon", "l"], "aligns nothing"),
        (["--learn-from", "0", "-o", "out/", "--journal", "j"], "want 1 sentence or more"),
        (
            ["-o", "out/", "--engine", "dask", "--scheduler", "x"],
            "name a --journal that they can read",
        ),
        (["-o", "out/", "--scheduler", "tcp://x:1"], "--scheduler is for --engine dask: give both"),
        (["-o", "out/", "--lexicon", "none", "--journal", "j"], "none: no such file"),
        (["-o", "out/", "--encoder", "nanoe6", "--journal", "j"], "encoder 'nanoe6': want one of"),
        (["-o", "out/", "--vectors", "a", "corpus.tsv", "--journal", "j"], "corpus.tsv: is one fi"),
        (
            ["-o", "out/", "--lexicon", "-", "--journal", "j"],
            "standard input and output are not for work by",
        ),
        (
            ["--learn-only", "--dictionary", "-", "--save-lexicon", "l"],
            "input and output are not for work by",
        ),
        (["--learn-only", "--save-lexicon", "none/l"], "none/l: no folder none; make it first"),
    ],
)
def test_options_that_do_not_go_together_are_refused(corpus, given, message):
    with pytest.raises((OptionError, InputError), match=message):
        align.run([*(corpus if "--learn-only" not in given else corpus[:1]), *given])
    assert not Path("out").exists()
    assert not list(Path().glob("j.*")), "nothing was learned"


def test_outputs_that_clash_are_refused_before_the_work(corpus):
    with Path("corpus.tsv").open("a", encoding="utf-8") as out:
        out.write("in/t3\ttexts/0.en\ttexts/0.fr\n")
    with pytest.raises(InputError, match="two texts, 'in/t3' and 'in/t3', would both become"):
        align.run([*corpus, "-o", "out/", "--journal", "j"])
    Path("m.tsv").write_text("text\tsrc\ttgt\n0\ttexts/0.en\ttexts/0.fr\n", encoding="utf-8")
    moses = ["--to", "moses", "--src-lang", "en", "--tgt-lang", "fr", "--journal", "k"]
    with pytest.raises(OptionError, match=r"texts/0.en: is read, and would be written for '0'"):
        align.run(["m.tsv", "-o", "texts/", *moses])
    assert not Path("k").exists()


def test_a_refused_command_kills_the_workers_that_started_ahead(corpus, monkeypatch):
    started = []

    class Watched(Processes):
        def start(self, count, modules):
            super().start(count, modules)
            started.append(self)

    monkeypatch.setattr("bitext.jobs.running.Processes", Watched)
    given = [*corpus, "-o", "out/", "-j", "2", "--journal", "j"]
    with pytest.raises(OptionError, match="want 1 sentence or more"):
        align.run([*given, "--learn-from", "0"])
    assert len(started) == 1
    assert not started[0].pids
    # One that goes on, maybe with nothing left to do, starts none before it is known.
    Path("j").write_text("as of an earlier run")
    with pytest.raises(FormatError, match="j"):
        align.run(given)
    assert len(started) == 1


@pytest.mark.parametrize("how", [["--learn-only"], ["--to", "jsonl", "-o", "out/"]])
def test_a_lexicon_is_written_over_no_text(corpus, how):
    text = Path("texts/0.fr").read_text(encoding="utf-8")
    with pytest.raises(
        OptionError, match=r"--save-lexicon texts/0\.fr: is one of the inputs or outputs"
    ):
        align.run([corpus[0], *how, "--save-lexicon", "texts/0.fr", "--max-failures", "0"])
    assert Path("texts/0.fr").read_text(encoding="utf-8") == text


@by_options()
def test_a_lexicon_of_other_lengths_is_refused(corpus):
    learn = ["--learn-only", "--save-lexicon", "lexicon", "--method", "poisson"]
    assert align.run([corpus[0], *learn]) == 0
    with pytest.raises(OptionError, match="was learned by --method poisson, and this is lexical"):
        align.run([*corpus, "-o", "out/", "--lexicon", "lexicon", "--journal", "j"])
    with Path("lexicon").open("a", encoding="utf-8") as out:
        out.write("\t\tlengths\tx\n")
    with pytest.raises(FormatError, match=r"lexicon line \d+: want what --save-lexicon writes"):
        align.run([*corpus, "-o", "out/", "--lexicon", "lexicon", "--journal", "j"])


def test_kills_lose_nothing(corpus, monkeypatch):
    """Kill workers and then the parent, twice; the outputs are those of a calm run."""
    with monkeypatch.context() as patch:
        patch.setattr("bitext.jobs.running.Processes", AtHand)
        calm = [*corpus, *EVERY, "-o", "calm/", "--save-lexicon", "wanted", "--max-failures", "0"]
        assert align.run(calm) == 0
    torn = [*corpus, *EVERY, "-o", "torn/", "--journal", "j", "-q"]
    with subprocess.Popen([sys.executable, "-m", "bitext", "align", *torn]) as running:
        for journal, lines in (("j.lessons", 3), ("j", 4)):
            _until(lambda: _lines(journal) >= lines, running)  # noqa: B023
            for worker in _children(running.pid):
                os.kill(worker, signal.SIGKILL)
        running.kill()
    assert len(list(Path("torn").rglob("*.jsonl"))) >= 3
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    assert align.run(torn) == 0
    assert files("torn") == files("calm")
    assert Path("j.lexicon").read_bytes() == Path("wanted").read_bytes()


def _until(happened, running):
    while running.poll() is None and not happened():
        time.sleep(0.002)


def _lines(path):
    path = Path(path)
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _children(pid):
    path = Path(f"/proc/{pid}/task")
    if not path.exists():
        pytest.skip("the system does not tell the children of a process")
    return [
        int(child) for each in path.iterdir() for child in (each / "children").read_text().split()
    ]


def test_what_was_learned_is_of_the_same_run(corpus):
    """What stands beside a journal is taken for the same texts, method and sample only."""
    run = [*corpus, "-o", "out/", "--journal", "j", "--learn-from", "50"]
    assert align.run(run) == 0
    learned = Path("j.lexicon").read_bytes()
    assert align.run(run) == 0
    with pytest.raises(InputError, match="learning options learn_from was 50 and is 60"):
        align.run([*run[:-1], "60"])
    learn = [corpus[0], "--learn-only", "--journal", "j", "--save-lexicon", "other"]
    for changed in (["--method", "poisson"], ["--learn-from", "60"], ["--beads", "1-1"]):
        with pytest.raises(InputError, match="j: is the journal of another run"):
            align.run([*learn, *changed])
    assert not Path("other").exists()
    assert not list(Path().glob("j.less*"))
    assert Path("j.lexicon").read_bytes() == learned


def test_to_begin_anew_both_files_of_the_run_have_to_go(corpus):
    run = [*corpus, "-o", "out/", "--journal", "j", "--learn-from", "50"]
    assert align.run(run) == 0
    with pytest.raises(InputError, match=r"or delete this one and j\.lexicon to begin anew"):
        align.run([*run, "--beads", "1-1"])
    Path("j").unlink()
    Path("j.lexicon").unlink()
    assert align.run([*run, "--beads", "1-1"]) == 0


def test_lessons_of_an_earlier_version_are_not_gone_on_with(corpus, monkeypatch):
    """They have no paths, so the texts that they are of would be aligned otherwise."""
    run = [*corpus, *EVERY, "-o", "out/", "--journal", "j"]

    def interrupted(_, results):
        for _ in results:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(LearnTask, "assemble", interrupted)
        with pytest.raises(KeyboardInterrupt):
            align.run(run)
    head = run_of("j.lessons")
    assert head.pop("lessons") == 3
    Path("j.lessons").unlink()
    with Journal("j.lessons", head):
        pass
    with pytest.raises(InputError, match=r"j\.lessons: is the journal of another run: lessons"):
        align.run(run)
    assert not list(Path("out").rglob("*.jsonl"))
    Path("j.lessons").unlink()
    assert align.run(run) == 0


def test_a_run_that_only_learns_leaves_what_it_was_asked_for(corpus):
    learn = [corpus[0], "--learn-only", "--journal", "j", "--save-lexicon", "lexicon"]
    assert align.run(learn) == 0
    assert sorted(path.name for path in Path().glob("j*")) == []
    assert Path("lexicon").read_text(encoding="utf-8").startswith("\t\tmethod\tlexical")


def test_what_stands_beside_a_journal_is_not_written_over(corpus):
    Path("j.lexicon").write_text("mine\n", encoding="utf-8")
    for run in ([*corpus, "-o", "out/"], [corpus[0], "--learn-only", "--save-lexicon", "l"]):
        with pytest.raises(InputError, match=r"j\.lexicon: exists without its journal j"):
            align.run([*run, "--journal", "j"])
    assert Path("j.lexicon").read_text(encoding="utf-8") == "mine\n"


def test_a_journal_that_cannot_be_is_told_before_the_work(corpus):
    Path("notes.txt").write_text("mine\n", encoding="utf-8")
    for name, told in (
        (corpus[0], f"--journal .*{corpus[0]}: is one of the inputs or outputs"),
        ("texts/0.fr", r"--journal .*texts/0\.fr: is one of the inputs or outputs"),
        ("notes.txt", r"notes\.txt line 1: is no journal of bitext"),
        ("no/j", "no/j: no folder no; make it first"),
        ("texts", "texts: is a directory; name a file in it"),
    ):
        there = sorted(Path().rglob("*"))
        with pytest.raises((FormatError, InputError, OptionError), match=told):
            align.run([*corpus, "-o", "out/", "--journal", name])
        assert sorted(Path().rglob("*")) == there
    assert Path("notes.txt").read_text(encoding="utf-8") == "mine\n"


def test_how_much_is_learned_from_is_not_asked_where_it_is_given(corpus):
    given = ["--lexicon", "l", "--learn-from", "50", "--max-failures", "0"]
    with pytest.raises(OptionError, match="--learn-from is of no use with --lexicon"):
        align.run([*corpus, "-o", "out/", *given])


@pytest.mark.parametrize("name", ["j.lexicon", "j.lessons"])
def test_a_link_beside_the_journal_is_refused_before_anything_is_learned(corpus, name):
    Path(name).symlink_to("nowhere")
    for run in ([*corpus, "-o", "out/"], [corpus[0], "--learn-only", "--save-lexicon", "l"]):
        with pytest.raises(InputError, match=f"{name}: is a link to nowhere"):
            align.run([*run, "--journal", "j"])
    assert sorted(path.name for path in Path().glob("j*")) == [name]


def test_texts_that_were_learned_from_are_read_once_for_aligning(corpus):  # noqa: ARG001 - files
    Path("texts/0.en").write_text("One.\n\n\nTwo.\n", encoding="utf-8")
    item = FilePair("t0", "texts/0.en", "texts/0.fr")
    request = AlignRequest(src="corpus.tsv", output="out/")
    learner, aligner = (CorpusWorker(request, place, "jsonl") for place in (None, "out/"))

    def read_by(worker):
        notes = Notes()
        with record_reads() as files:
            return worker.read(item, notes), [str(note) for note in notes], files

    first, again, anew = (read_by(worker) for worker in (learner, aligner, aligner))
    assert again[0].src is first[0].src is not anew[0].src
    assert first[1:] == again[1:] == anew[1:]
    assert first[1]
    assert [*first[2]] == [item.src, item.tgt]
    learned, _, _ = read_by(learner)
    Path("texts/0.en").write_text("Three.\n", encoding="utf-8")
    changed, _, files = read_by(aligner)
    assert [*changed.src.segments()] == ["Three."] != [*learned.src.segments()]
    assert files[item.src][0] == len("Three.\n")
    read_by(learner)
    other = CorpusWorker(request.replaced(split=True), "out/", "jsonl")
    assert read_by(other)[0].split == (True, True)
