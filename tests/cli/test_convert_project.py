"""`bitext convert PROJECT.bitext OUT`: the bytes that the page exports, and what is refused."""

from __future__ import annotations

import zipfile

import pytest

from bitext.errors import BitextError
from bitext.workbench.bench import Bench
from bitext.workbench.changes import Bead, Sentence, Splice
from bitext.workbench.exchange import formats
from bitext.workbench.project import Project
from bitext.workbench.segmentations import SegmentText, add_text
from reference.workbench_operations import first_rows

LINKS = (("s1", 0, "t1", 0, "sure", None), ("s1", 1, "t2", 0, "possible", 0.5))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A project of two alignments by two annotators, and of a text with two coders."""
    monkeypatch.chdir(tmp_path)
    rows = first_rows()
    with Project.create("two.bitext", "two", durable=False) as made:
        for name in ("ch1", "ch2"):
            texts = [made.add_text(side, lang, rows[side]) for side, lang in
                     (("source", "en"), ("target", "de"))]  # fmt: skip
            document = made.add_document(name, *texts, rows["beads"])
            for who in ("anna", "ben"):
                number = made.assign(document, who)
                beads = made.rows(number)[1]["beads"]
                done = beads[0]._replace(state="confirmed", words=links_of(beads[0]), linked=True)
                change = [Splice("beads", 0, (beads[0],), (done,))]
                made.change(number, change, name="confirm", annotator=who)
        text = SegmentText("talk", "en", ["One.", "Two.", "Three."], [0, 1, 2],
                           [(), ("topic",), ("paragraph",)])  # fmt: skip
        document = add_text(made, text, ("paragraph", "topic"), "lines")
        for who in ("anna", "cleo"):
            made.assign(document, who)
    return tmp_path / "two.bitext"


def links_of(bead):
    return tuple(each for each in LINKS if each[0] in bead.source and each[2] in bead.target)


def test_out_has_the_bytes_of_the_page_in_every_format(place, bitext):
    with Project(place) as project:
        bench = Bench(project)
        ids = {
            (e.name, e.annotator): e.id for e in (*project.alignments(), *project.segmentations())
        }
        pages = {}
        for document, names in (("ch2", formats()["write"]), ("talk", formats()["segments"])):
            for name in names:
                try:
                    pages[document, name] = bench.export(ids[document, "anna"], name)
                except BitextError as error:
                    pages[document, name] = str(error)
        bench.close()
    refused = 0
    for (document, name), page in pages.items():
        who = [] if name == "segeval" else ["--annotator", "anna"]
        chosen = [place, "--documents", document, *who, "--to", name]
        if isinstance(page, str):
            refused += 1
            done = bitext("convert", *chosen, "out")
            assert done.status == 2, (name, page)
            continue
        own, content, losses = page
        out = own if own.endswith(".zip") else "out"
        done = bitext("convert", *chosen, out)
        assert done.status == 0, (name, done.err)
        assert (place.parent / out).read_bytes() == content, name
        assert [line for line in done.lines() if "lost: " in line] == [
            f"note: lost: {each}" for each in losses
        ]
        (place.parent / out).unlink()
    assert refused < 5


def files_in(folder):
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def test_a_folder_has_a_file_for_each_document_of_each_annotator(place, bitext):
    out = place.parent / "out"
    done = bitext("convert", place, "out/", "--to", "jsonl")
    assert done.lines()[0] == "note: 4 alignments and 2 segmentations in 6 files"
    assert files_in(out) == [
        *("anna/ch1.jsonl", "anna/ch2.jsonl", "anna/talk.jsonl", "ben/ch1.jsonl"),
        *("ben/ch2.jsonl", "cleo/talk.jsonl"),
    ]
    done = bitext("convert", place, "gold/", "--to", "moses", "--annotator", "ben")
    assert done.lines()[0] == "note: 2 alignments in 4 files"
    assert files_in(place.parent / "gold") == ["ch1.de", "ch1.en", "ch2.de", "ch2.en"]
    # Annotators are scored as folders of one gold standard and systems are.
    scored = bitext("score", "out/anna", "out/ben", "--format", "tsv", "-q")
    assert scored.status == 2  # talk is no alignment
    assert "talk" in scored.err
    done = bitext("convert", place, "other/", "--to", "xces")
    assert done.lines()[0] == "note: 2 segmentations left out: no segmentations are written as xces"
    # All coders of a text are in one file of segeval.
    done = bitext("convert", place, "coders/", "--to", "segeval")
    assert files_in(place.parent / "coders") == ["talk.json"]
    done = bitext("convert", place, "topics.masses", "--documents", "talk", "--annotator", "cleo",
                  "--boundaries", "topic")  # fmt: skip
    assert done.status == 0
    assert (place.parent / "topics.masses").read_text() == "1,2\n"


def test_several_files_are_an_archive_or_as_many_names(place, bitext):
    own = ["convert", place, "--documents", "ch1", "--annotator", "anna"]
    assert bitext(*own, "a.zip", "--to", "intertext").status == 0
    with zipfile.ZipFile("a.zip") as archive:
        names = archive.namelist()
        held = [archive.read(name) for name in names]
    assert names == ["ch1.en.xml", "ch1.de.xml", "ch1.en.de.xml"]
    assert bitext(*own, "x.xml,y.xml,z.xml", "--to", "intertext").status == 0
    assert [(place.parent / name).read_bytes() for name in ("x.xml", "y.xml", "z.xml")] == held
    assert bitext(*own, "m.en,m.de").status == 0
    assert len((place.parent / "m.de").read_text().splitlines()) == len(
        (place.parent / "m.en").read_text().splitlines()
    )
    done = bitext(*own, "x.xml", "--to", "intertext")
    assert "ch1 is written as 3 files (ch1.en.xml, ch1.de.xml, ch1.en.de.xml)" in done.err
    assert "(.zip)" in done.err
    assert bitext(*own, "x.tmx", "--src-lang", "fr").status == 0
    assert 'xml:lang="fr"' in (place.parent / "x.tmx").read_text()
    assert "is one file, ch1.tmx" in bitext(*own, "t.zip", "--to", "tmx").err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["out.tmx"], "two.bitext: ch1 of anna, ch1 of ben, ch2 of anna, ch2 of ben are for one"),
        (["out.tmx", "--annotator", "dora"], "dora has none of these documents: want one of anna"),
        (["out.tmx", "--documents", "x*"], "no document is named x*: want one of ch1, ch2, talk"),
        (["out/", "--to", "tmx", "--min-score", "0.5"], "--min-score is for files"),
        (["out/", "--to", "tmx", "--from", "tsv"], "--from is for files"),
        (["out/", "--to", "tmx", "-j", "2"], "--jobs is for files"),
        (["out/"], "OUT is the folder out/: name the format of its files (--to)"),
        (["out/", "--to", "nothing"], "'nothing'"),
        (["out.json", "--to", "segeval", "--annotator", "anna"], "leave --annotator out"),
        (["out.bits", "--documents", "talk"], "name it (--to), one of bits, begin-bits"),
        (["out/", "--to", "tmx", "--boundaries", "topic"], "--boundaries is for segmentations"),
        (["out.masses", "--documents", "talk", "--annotator", "cleo", "--boundaries", "x"],
         "no boundary has the type 'x'"),
        (["out/", "--to", "vecalign", "--strict"], "nothing is written (--strict): lost: "),
        (["two.bitext", "--to", "tmx"], "same file"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_refused_and_nothing_is_written(place, bitext, options, told):
    before = place.read_bytes()
    done = bitext("convert", place, *options)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert place.read_bytes() == before
    assert {each.name for each in place.parent.iterdir()} <= {
        "two.bitext", "two.bitext-wal", "two.bitext-shm",
    }  # fmt: skip


def test_commands_that_read_files_say_that_a_project_is_exported_first(place, bitext, write):
    told = "is a database, as a project of bitext edit: 'bitext convert FILE.bitext OUT' writes"
    for command in (["score", place, place], ["compare", place, place], ["show", place],
                    ["check", place], ["align", place, place, "-o", "x.tmx"]):  # fmt: skip
        assert told in bitext(*command).err
    tsv = write("a.tsv", "One.\tEins.\n")
    told = "'bitext edit FILE --project new.bitext --no-server' makes or adds to"
    assert told in bitext("convert", tsv, "new.bitext").err
    assert "--annotator is for a project" in bitext("convert", tsv, "a.tmx", "--annotator", "a").err
    assert "a.tsv" in bitext("convert", tsv, place, "out/", "--to", "tmx").err


def test_two_documents_of_one_name_do_not_replace_each_other(place, bitext):
    with Project(place, durable=False) as project:
        sides = [[Sentence("x1", "One.", True)], [Sentence("y1", "Eins.", True)]]
        texts = [
            project.add_text("t", lang, rows)
            for lang, rows in zip(("en", "de"), sides, strict=True)
        ]
        project.assign(project.add_document("ch1", *texts, [Bead("b", ("x1",), ("y1",))]), "ben")
    done = bitext("convert", place, "out/", "--to", "tmx", "--annotator", "ben")
    assert "two documents of ben have this name" in done.err
    assert not (place.parent / "out").exists()


@pytest.mark.parametrize("form", ["jsonl", "intertext"])
def test_remarks_and_columns_of_changed_beads_are_losses(bitext, write, tmp_path, form):
    write("a.tsv", "src\ttgt\tclient\nOne.\tUn.\tA\nTwo.\tDeux.\tB\n")
    made = tmp_path / "a.bitext"
    ways = ["--project", made, "--annotator", "anna", "--no-server", "-q"]
    assert bitext("edit", tmp_path / "a.tsv", *ways).status == 0
    with Project(made) as project:
        (number,) = [each.id for each in project.alignments() if each.annotator]
        first, second = project.rows(number)[1]["beads"]
        joined = first._replace(source=first.source + second.source, comment="both?")
        joined = joined._replace(target=first.target + second.target)
        change = [Splice("beads", 0, (first, second), (joined,))]
        project.change(number, change, name="join", annotator="anna")
    done = bitext("convert", made, f"{tmp_path}/out/", "--to", form)
    assert done.status == 0, done.err
    assert "note: lost: comments and bookmarks, left out: 1, first a" in done.err
    assert ("sentences have changed: 2, first a" in done.err) == (form == "jsonl")
