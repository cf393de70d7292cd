"""Folders of chapters: which files are a pair, what is left over, and the manifest of a dry run."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from bitext import read_all
from reference.job_tasks import AtHand

LANGS = ["--src-lang", "en", "--tgt-lang", "de"]
WORDS = {"mill": "Mühle", "river": "Fluss", "night": "Nacht", "bread": "Brot", "stone": "Stein"}


def chapter(number, *, sentences=14):
    """Two texts of made sentences; some have a year of this chapter."""
    chance = random.Random(number)
    src, tgt = [], []
    for _ in range(sentences):
        words = [chance.choice([*WORDS]) for _ in range(chance.randint(2, 12))]
        year = [f"{1800 + number * 7 + chance.randint(0, 2)}"] if chance.random() < 0.5 else []
        end = chance.choice(".?!")
        src.append(" ".join(["The", *words, *year]) + end)
        tgt.append(" ".join(["Die", *(WORDS[word] for word in words), *year]) + end)
    return ["".join(f"{line}\n" for line in lines) for lines in (src, tgt)]


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Makes files from (folder, name, chapter, side), and goes there."""
    monkeypatch.chdir(tmp_path)

    def make(*rows):
        for folder, name, number, side in rows:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(chapter(number)[side], encoding="utf-8")

    return make


@pytest.fixture
def book(folders):
    """Chapters 1, 2 and 10 in two folders; the target has one more."""
    numbers = [(1, "01"), (2, "02"), (10, "10")]
    folders(
        *[("en", f"Chapter {k}.txt", k, 0) for k, _ in numbers],
        *[("de", f"Kapitel {name}.txt", k, 1) for k, name in numbers],
        ("de", "Kapitel 11.txt", 11, 1),
        ("other", "a.txt", 12, 1),
        ("other", "b.txt", 13, 1),
    )
    return ["en", "de"]


def names(path):
    return [bitext.name for bitext in read_all(path)]


def files(found):
    """The files of each pair, as --json names them."""
    assert found.status == 0, found.err
    return [(text["src"], text["tgt"]) for text in json.loads(found.out)["texts"]]


def test_chapters_are_one_memory_in_their_order(bitext, book):
    found = bitext("align", *book, "-o", "out.jsonl")
    assert found.status == 0
    assert "texts paired by number: 3, first en/Chapter 1.txt and de/Kapitel 01.txt" in found.err
    assert "1 text of de without a partner, left out: Kapitel 11" in found.err
    assert names("out.jsonl") == ["Chapter 1", "Chapter 2", "Chapter 10"]


def test_accents_of_names_may_be_characters_of_their_own(bitext, folders):
    folders(("en", "\u00dcber.txt", 1, 0), ("de", "U\u0308ber.txt", 1, 1))
    (pair,) = json.loads(bitext("align", "en", "de", "--dry-run", "--json").out)["pairs"]
    assert [pair[key] for key in ("src", "tgt", "by")] == [
        "en/\u00dcber.txt",
        "de/U\u0308ber.txt",
        "name",
    ]


def test_a_dry_run_prints_a_manifest_that_gives_the_same(bitext, book):
    assert bitext("align", *book, "-o", "out.jsonl", "-q").status == 0
    first = Path("out.jsonl").read_bytes()
    Path("out.jsonl").unlink()
    shown = bitext("align", *book, "-o", "out.jsonl", "--dry-run")
    assert not Path("out.jsonl").exists()
    assert shown.err.startswith("note: 3 pairs of texts\n")
    rows = [line.split("\t") for line in shown.out.splitlines()]
    assert rows[0] == ["text", "src", "tgt", "by", "probability"]
    assert [row[1] for row in rows[1:]] == [f"en/Chapter {k}.txt" for k in (1, 2, 10)] + [""]
    assert [row[3] for row in rows[1:]] == ["number 1", "number 2", "number 10", "no partner"]
    assert all(float(row[4]) > 0.5 for row in rows[1:4])
    Path("pairs.tsv").write_text(shown.out, encoding="utf-8")
    found = bitext("align", "pairs.tsv", "-o", "out.jsonl")
    assert "1 text of pairs.tsv without a partner, left out: Kapitel 11" in found.err
    assert Path("out.jsonl").read_bytes() == first
    again = bitext("align", "pairs.tsv", "--dry-run")
    assert [line.split("\t")[:3] for line in again.out.splitlines()] == [
        row[:3] for row in rows[:4]
    ]
    edited = shown.out.replace("\t\tde/Kapitel 11", "\ten/Chapter 2.txt\tde/Kapitel 11")
    Path("pairs.tsv").write_text(edited, encoding="utf-8")
    assert bitext("align", "pairs.tsv", "-o", "out.jsonl", "-q").status == 0
    assert names("out.jsonl")[-1] == "Kapitel 11"


def test_a_dry_run_as_a_table_and_as_json(bitext, book):
    table = bitext("align", *book, "--dry-run", "--format", "table").out.splitlines()
    assert table[2].startswith("Chapter 1   en/Chapter 1.txt   de/Kapitel 01.txt  number 1 ")
    document = json.loads(bitext("align", *book, "--dry-run", "--json", "-q").out)
    assert document["schema"] == "bitext.pairs/1"
    assert document["pairs"][2]["src"] == "en/Chapter 10.txt"
    assert document["without_partner"] == [
        {
            "text": "Kapitel 11",
            "src": None,
            "tgt": "de/Kapitel 11.txt",
            "by": "no partner",
            "probability": None,
        }
    ]


def test_names_that_say_nothing_are_paired_by_content(bitext, folders):
    folders(
        *[("en", f"{name}.txt", k, 0) for k, name in enumerate(["mill", "sea", "hill", "end"])],
        *[("de", f"{name}.txt", k, 1) for k, name in ((2, "berg"), (0, "muehle"), (3, "zuletzt"))],
    )
    found = bitext("align", "en", "de", "-o", "out.jsonl", "--json")
    assert "texts paired by content: 3, first" in found.err
    assert "1 text of en without a partner, left out: sea" in found.err
    assert [tgt for _, tgt in files(found)] == [
        "de/zuletzt.txt",
        "de/berg.txt",
        "de/muehle.txt",
    ]


def test_a_way_can_be_named(bitext, folders):
    folders(*[("en", f"{k}.txt", k, 0) for k in (1, 2, 3)])
    folders(*[("de", f"{k % 3 + 1}.txt", k, 1) for k in (1, 2, 3)])
    shown = bitext("align", "en", "de", "--dry-run")
    assert "en/1.txt and de/1.txt are a pair by name, and by content en/1.txt and" in shown.err
    for by, tgt in (("content", "2"), ("order", "1"), ("number", "1"), ("name", "1")):
        rows = bitext("align", "en", "de", "--dry-run", "--pair-by", by, "-q").out.splitlines()
        assert rows[1].split("\t")[:3] == ["1", "en/1.txt", f"de/{tgt}.txt"]
    Path("de/1.txt").unlink()
    found = bitext("align", "en", "de", "--dry-run", "--pair-by", "order")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "--pair-by order: en has 3 texts and de 2: pair them by content" in found.err


def test_folders_that_count_from_0_and_from_1_are_refused_with_the_ways_of_pairing(bitext, folders):
    """Each text but one would get the translation of the next, by its name."""
    folders(*[("en", f"Chapter {k}.txt", k, 0) for k in (1, 2, 3)])
    folders(*[("de", f"kap{k - 1:02}.txt", k, 1) for k in (1, 2, 3)])
    for given in (("en", "de"), ("de", "en")):
        found = bitext("align", *given, "--dry-run")
        assert (
            "de counts its texts from 0, and en from 1: pair them by order (--pair-by order), or"
            in (found.err)
        )
    rows = bitext("align", "en", "de", "--dry-run", "--pair-by", "order", "-q").out.splitlines()
    assert rows[1].split("\t")[:3] == ["Chapter 1", "en/Chapter 1.txt", "de/kap00.txt"]
    found = bitext("align", "en", "de", "--dry-run", "--pair-by", "number")
    assert "left out: Chapter 3" in found.err
    assert "content compares" not in found.err
    Path("de/kap01.txt").unlink()
    assert "by content (--pair-by content), or" in bitext("align", "en", "de", "--dry-run").err
    Path("de/kap00.txt").rename("de/kap03.txt")
    folders(("en", "end.txt", 4, 0), ("de", "zuletzt.txt", 4, 1))
    found = bitext("align", "en", "de", "--dry-run")
    assert "left out: zuletzt; --pair-by content compares all texts" in found.err


def test_a_file_that_repeats_another_one_is_noted(bitext, write, tmp_path, monkeypatch):
    """All its beads may look well: that of another chapter has as many sentences."""
    for k in (1, 2, 3):
        for lang, word in (("en", "mill"), ("de", "Mühle")):
            lines = [f"{word} {number % 7} {'on' * number}." for number in range(k, k + 12)]
            write(f"{lang}/{k}.txt", "\n".join(lines) + "\n")
    given = ("align", tmp_path / "en", tmp_path / "de", "-o", tmp_path / "out.jsonl")
    told = "beside another source (copied by mistake?): 1, first {0}/1.txt and {0}/3.txt"
    assert "by mistake" not in bitext(*given).err
    write("de/3.txt", (tmp_path / "de" / "1.txt").read_text("utf-8"))
    assert told.format(tmp_path / "de") in bitext(*given).err
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    by_jobs = ("--to", "jsonl", "--journal", tmp_path / "j")
    found = bitext(*given[:3], "-o", f"{tmp_path}/out/", *by_jobs)
    assert (found.status, told.format(tmp_path / "de") in found.err) == (0, True)
    write("en/3.txt", (tmp_path / "en" / "1.txt").read_text("utf-8"))  # the pair comes again
    assert "by mistake" not in bitext(*given).err


@pytest.mark.parametrize(
    "names",
    [
        ["1_en.txt", "2_en.txt", "1_de.txt", "2_de.txt"],
        ["1.en.txt", "2.en.txt", "1.de.txt", "2.de.txt"],
        ["Mill (English).txt", "Hill (English).txt", "Mill (Deutsch).txt", "Hill (Deutsch).txt"],
        ["Chapter 1.txt", "Chapter 2.txt", "Kapitel 1.txt", "Kapitel 2.txt"],
    ],
)
def test_one_folder_of_both_sides(bitext, folders, names):
    folders(*[("all", name, k % 2 + 1, k // 2) for k, name in enumerate(names)])
    Path("all/notes.txt").write_text("Rien du tout.\n", encoding="utf-8")
    for path in Path("all").glob("[CK]*.txt"):  # told apart by the words of their languages
        german, english = (
            "Er ging in das Haus und sie sah ihn.\n",
            "And he saw that it was the sea.\n",
        )
        path.write_text(
            path.read_text("utf-8") + (english if path.name[0] == "C" else german) * 9, "utf-8"
        )
    found = bitext("align", "all", *LANGS, "-o", "out.jsonl", "--json")
    assert "1 of the files of all left out, of neither language: notes.txt" in found.err
    expected = [(f"all/{names[k]}", f"all/{names[k + 2]}") for k in (0, 1)]
    assert sorted(files(found)) == sorted(expected)


def test_files_without_text_are_left_out_in_one_note(bitext, book):
    for name in ("~$apter 1.docx", ".DS_Store", ".git/config", "Thumbs.db", "cover.JPG", "a.txt~"):
        path = Path("en") / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\x00")
    found = bitext("align", *book, "-o", "out.jsonl")
    assert "6 files of en left out as no texts (hidden, locks, pictures): .DS_Store" in found.err
    assert found.err.count("left out as no text") == 1
    assert len(names("out.jsonl")) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["en/Chapter 1.txt", "de/Kapitel 01.txt", "--dry-run"], "--dry-run shows the pairs of"),
        (
            ["en/Chapter 1.txt", "de/Kapitel 01.txt", "--pair-by", "name"],
            "--pair-by is for folders",
        ),
        (["en", "other", "--pair-by", "name"], "has a partner of the same name in other: 'Chap"),
        (["en", "other", "--pair-by", "number"], "no text of en has a partner of the same number"),
        (["en", "other", "--pair-by", "content"], "no text of en has a partner with contents that"),
        (["en", "de", "--dry-run", "--explain", "1"], "--explain and --dry-run exclude each other"),
        (["en", "de", "--dry-run", "--json", "--format", "tsv"], "exclude each other"),
    ],
)
@pytest.mark.usefixtures("book")
def test_wrong_options_are_refused_in_one_line(bitext, arguments, message):
    found = bitext("align", *arguments)
    assert (found.status, len(found.lines())) == (2, 1)
    assert message in found.err


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("text\tsrc\ttgt\tby\nA\ten/Chapter 1.txt\n", None),
        ("text\tsrc\ttgt\tsure\nA\tx\ty\tz\n", "the header of the manifest is 'text src tgt sure'"),
        ("text\tsrc\ttgt\tby\nA\t\t\tz\n", "line 2: has 4 columns, or an empty one"),
    ],
)
@pytest.mark.usefixtures("book")
def test_manifests_with_more_columns(bitext, manifest, message):
    Path("m.tsv").write_text(manifest + "B\ten/Chapter 1.txt\tde/Kapitel 01.txt\n", "utf-8")
    found = bitext("align", "m.tsv", "-o", "out.jsonl")
    if message is None:
        assert "1 text of m.tsv without a partner, left out: A" in found.err
        assert names("out.jsonl") == ["B"]
    else:
        assert found.status == 2
        assert message in found.err


def test_a_damaged_chapter_is_named(bitext, book):
    Path("en/Chapter 2.txt").rename("en/Chapter 2.docx")
    Path("en/Chapter 2.docx").write_bytes(b"PK\x03\x04" + b"\x00" * 26 + b"word/document.xml")
    found = bitext("align", *book, "-o", "out.jsonl")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "en/Chapter 2.docx" in found.err
    assert not Path("out.jsonl").exists()
    shown = bitext("align", *book, "--dry-run")
    assert "not compared by content: en/Chapter 2.docx" in shown.err
    assert [line.split("\t")[4] for line in shown.out.splitlines()][2] == ""


def test_a_chapter_in_two_files_is_told_in_a_dry_run(bitext, book):
    lines = Path("de/Kapitel 02.txt").read_text("utf-8").splitlines(keepends=True)
    Path("de/Kapitel 02.txt").write_text("".join(lines[:7]), "utf-8")
    Path("de/Kapitel 02b.txt").write_text("".join(lines[7:]), "utf-8")
    shown = bitext("align", *book, "--dry-run")
    assert "en/Chapter 2.txt fits de/Kapitel 02.txt and de/Kapitel 02b.txt together" in shown.err
    assert "2 texts of de without a partner, left out: Kapitel 02b, Kapitel 11" in shown.err


def test_folders_may_be_remote(bitext, book):
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    for path in Path().glob("*/*.txt"):
        system.pipe_file(f"/chapters/{path}", path.read_bytes())
    system.pipe_file("/chapters/en/cover.png", b"")
    there = [f"memory://chapters/{folder}" for folder in book]
    found = bitext("align", *there, "-o", "out.jsonl", "--json")
    assert "1 file of memory://chapters/en left out as no text" in found.err
    assert [src.rpartition("/")[2] for src, _ in files(found)] == [
        "Chapter 1.txt",
        "Chapter 2.txt",
        "Chapter 10.txt",
    ]


def test_chapters_by_jobs_are_those_in_memory(bitext, book, monkeypatch):
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    outputs = [*book, "--to", "jsonl", "-o"]
    assert bitext("align", *outputs, "one/", "--journal", "j1", "--save-lexicon", "l").status == 0
    for part in ("1/2", "2/2"):
        parts = ["--lexicon", "l", "--shard", part, "--journal", f"s{part[0]}"]
        assert bitext("align", *outputs, "two/", *parts).status == 0
    assert bitext("merge", "merged.json", "s1", "s2").status == 0
    one, two = ({p.name: p.read_bytes() for p in Path(name).iterdir()} for name in ("one", "two"))
    assert one == two
    assert [*sorted(one)] == ["Chapter 1.jsonl", "Chapter 10.jsonl", "Chapter 2.jsonl"]
    Path("en/Chapter 2.txt").write_bytes(b"\xff\xfe\x00")
    found = bitext("align", *outputs, "three/", "--max-failures", "1")
    assert found.status == 1  # some of the texts failed
    assert "failed: Chapter 2: en/Chapter 2.txt" in found.err


@pytest.mark.parametrize("name", ["Chapter\t3.txt", "Chapter 3\n.txt", "Chapter 3\udce9.txt"])
def test_a_manifest_with_names_that_it_cannot_hold_is_refused(bitext, book, name):
    Path("en", name).write_text("One.\n", "utf-8")
    found = bitext("align", *book, "--dry-run", "-q")
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert "which a manifest cannot hold: rename it, or print JSON (--json)" in found.err
    document = json.loads(bitext("align", *book, "--dry-run", "-q", "--json").out)
    assert [row["src"] for row in document["without_partner"]] == [f"en/{name}", None]


def test_empty_sentences_are_not_in_the_mean_of_the_index(bitext, write, tmp_path):
    src = write("a/ferry.en", "The ferry left.\n\n\nIt rained.\n")
    tgt = write("b/ferry.fr", "Le bac partit.\nIl plut.\n")
    index = tmp_path / "report/index.html"
    found = bitext("align", src.parent, tgt.parent, "--html", f"{index.parent}/")
    mean = re.search(r"; mean probability (\S+)", found.err)[1]
    shown = re.search(r'<td class="n"><bdi>(.*?)</bdi>', index.read_text(encoding="utf-8"))[1]
    assert "1-0: 2" in found.err
    assert f"{float(shown):.3f}" == mean


def test_roman_numbers_at_the_end_of_names_are_no_languages(bitext, write):
    for number in ("i", "ii", "iii", "iv", "vi"):
        write(f"en/vol.{number}.txt", f"The mill of volume {number}.\n")
        if number != "ii":
            write(f"de/vol.{number}.txt", f"Die Mühle von Band {number}.\n")
    folders = write("en/vol.i.txt", "The mill.\n").parent, write("de/a.vi.txt", "Muehle.\n").parent
    found = bitext("align", *folders, "--dry-run", "--json")
    pairs = [(row["src"], row["tgt"]) for row in json.loads(found.out)["pairs"]]
    assert [Path(src).name for src, _ in pairs] == [Path(tgt).name for _, tgt in pairs]
    assert len(pairs) == 4


def test_many_warnings_of_a_kind_hide_no_other_note(bitext, folders):
    folders(
        *[(lang, f"{k}.txt", k, side) for k in range(5) for side, lang in enumerate(("en", "de"))]
    )
    for k in range(4):
        Path(f"de/{k}.txt").write_text("", encoding="utf-8")
    given = "align", "en", "de", "-o", "out.tsv"
    four = "note: texts that are empty: 4, first de/0.txt: is empty: no target sentence to align"
    assert four in bitext(*given).lines()
    each = [f"note: de/{k}.txt: is empty: no target sentence to align" for k in range(4)]
    assert [line for line in bitext(*given, "-v").lines() if "is empty" in line] == each
    Path("de/3.txt").write_text(chapter(3)[1], encoding="utf-8")
    assert [line for line in bitext(*given).lines() if "is empty" in line] == each[:3]
