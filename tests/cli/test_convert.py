"""`bitext convert`, from the command line."""

import gzip
import json
import os
import re
import subprocess
import sys

import pytest

TSV = "src\ttgt\tscore\nOne.\tUn.\t0.9\nTwo.\tDeux.\t0.2\n\tSeul.\t0.8\n"


def test_one_file_with_its_losses_told(bitext, write, tmp_path):
    path = write(
        "a.jsonl",
        '{"src": ["s1", "s2"], "tgt": ["t1"], "src_text": "A. B.", "tgt_text": "C.", '
        '"src_segments": ["A.", "B."], "score": 0.5}\n',
    )
    out = tmp_path / "a.en", tmp_path / "a.fr"
    found = bitext("convert", path, f"{out[0]},{out[1]}")
    assert found.status == 0
    assert [each.read_text() for each in out] == ["A. B.\n", "C.\n"]
    assert found.lines()[0] == "note: 1 bisegment of 1 document pair from 1 file"
    assert "note: lost: n-m bisegments, the segments of a side joined: 1, first" in found.err
    assert "note: lost: scores: 1" in found.err
    assert "note: lost: identifiers of segments: 3" in found.err


def test_quiet_tells_nothing(bitext, write, tmp_path):
    found = bitext("convert", write("a.tsv", TSV), tmp_path / "a.jsonl", "-q")
    assert (found.status, found.out, found.err) == (0, "", "")


def test_strict_writes_nothing_where_something_is_lost(bitext, write, tmp_path):
    out = tmp_path / "a.hunalign"
    path = write("a.tsv", "src\ttgt\tn\nOne.\tUn.\t7\n")
    found = bitext("convert", path, out, "--strict")
    assert found.status == 2
    assert (
        "a.hunalign: not written, as hunalign-text would lose values of other attributes: 1"
        in found.err
    )
    assert not out.exists()
    found = bitext("convert", path, "-", "--to", "hunalign-text", "--strict")
    assert (found.status, found.out) == (2, "")
    assert bitext("convert", path, tmp_path / "b.jsonl", "--strict").status == 0


def test_filters_are_told(bitext, write, tmp_path):
    found = bitext(
        "convert", write("a.tsv", TSV), tmp_path / "b.tsv", "--min-score", "0.5", "--drop-empty"
    )
    assert (tmp_path / "b.tsv").read_text() == "src\ttgt\tscore\nOne.\tUn.\t0.9\n"
    assert "left out: bisegments with a score below 0.5: 1" in found.err
    assert "left out: bisegments with an empty side: 1" in found.err


def test_standard_input_and_output():
    run = subprocess.run(
        [sys.executable, "-m", "bitext", "convert", "-", "-", "--to", "jsonl", "-q"],
        input=TSV.encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(run.stdout.splitlines()[0])["src_text"] == "One."


def test_compressed_at_both_ends(bitext, tmp_path):
    path = tmp_path / "a.tsv.gz"
    path.write_bytes(gzip.compress(TSV.encode()))
    for packing in ("gz", "xz", "bz2", "zst"):
        assert bitext("convert", path, tmp_path / f"b.tsv.{packing}").status == 0
        assert bitext("convert", tmp_path / f"b.tsv.{packing}", tmp_path / "c.tsv").status == 0
        assert (tmp_path / "c.tsv").read_text() == TSV


def _folder(write):
    for name in ("one", "two", "deep/three"):
        write(f"in/{name}.tsv", TSV)


ENGLISH = "The dog was in the house, and he saw that it was good.\n"
GERMAN = "Der Hund war in dem Haus, und er sah, dass es gut war.\n"
OTHER_LANGUAGE = (
    "texts whose words are those of another language than named (--src-lang, --tgt-lang)"
)


@pytest.mark.usefixtures("at_hand")
def test_a_folder_to_a_folder(bitext, write, tmp_path):
    """By jobs, too, which also note what one process notes."""
    _folder(write)
    given = ["convert", tmp_path / "in", f"{tmp_path}/out/", "--to"]
    names = ["deep/three", "one", "two"]

    def written(kind):
        out = tmp_path / "out"
        return sorted(f"{path.relative_to(out)}" for path in out.rglob(f"*.{kind}"))

    found = bitext(*given, "jsonl", "-j", 1)
    assert found.status == 0, found.err
    assert written("jsonl") == [f"{name}.jsonl" for name in names]
    assert "9 bisegments of 3 document pairs from 3 files" in found.err
    table = write("in/a.tsv", f"{GERMAN[:-1]}\t{ENGLISH}" * 9)
    found = bitext(*given, "tmx", "-j", 2, "--src-lang", "en", "--tgt-lang", "de")
    assert found.status == 0, found.err
    assert written("tmx") == [f"{name}.tmx" for name in ("a", *names)]
    assert "18 bisegments of 4 document pairs from 4 files" in found.err
    assert f"{OTHER_LANGUAGE}: 2, first {table}: source in en, with words of de" in found.err


def test_a_folder_to_two_compressed_files_each(bitext, write, tmp_path):
    _folder(write)
    bitext(
        "convert",
        tmp_path / "in",
        f"{tmp_path}/out/",
        "--to",
        "moses",
        "--src-lang",
        "en",
        "--tgt-lang",
        "fr",
        "--compress",
        "gz",
    )
    assert gzip.decompress((tmp_path / "out" / "deep" / "three.fr.gz").read_bytes()) == (
        b"Un.\nDeux.\nSeul.\n"
    )


def test_a_folder_to_one_file(bitext, write, tmp_path):
    _folder(write)
    found = bitext("convert", tmp_path / "in", tmp_path / "all.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert [row["document"] for row in rows[::3]] == ["deep/three", "one", "two"]
    assert found.status == 0
    bitext("convert", tmp_path / "in" / "one.tsv", tmp_path / "in" / "two.tsv", tmp_path / "x.tsv")
    assert (tmp_path / "x.tsv").read_text().count("One.") == 2


def test_a_manifest_with_texts(bitext, write, tmp_path):
    write("a.align", "[0]:[0, 1]:0.5\n[1]:[]:0\n")
    write("a.en", "One two.\nThree.\n")
    write("a.fr", "Un.\nDeux.\n")
    path = write("list.tsv", "text\tpath\tsrc\ttgt\na\ta.align\ta.en\ta.fr\n")
    assert bitext("convert", path, tmp_path / "o.tsv").status == 0
    assert (tmp_path / "o.tsv").read_text() == (
        "src\ttgt\tscore\nOne two.\tUn. Deux.\t0.5\nThree.\t\t0.0\n"
    )


def test_keep_going_reports_and_goes_on(bitext, write, tmp_path):
    lines = '{"src": ["a"], "tgt": ["b"]}\n{"src": 3}\n{"src": ["c"], "tgt": ["d"]}\n'
    path = write("a.jsonl", lines)
    found = bitext("convert", path, tmp_path / "o.jsonl")
    assert found.status == 2
    assert "a.jsonl line 2" in found.err
    assert not (tmp_path / "o.jsonl").exists()
    report = tmp_path / "bad.jsonl"
    found = bitext("convert", path, tmp_path / "o.jsonl", "--keep-going", "--report", report)
    assert found.status == 1
    assert len((tmp_path / "o.jsonl").read_text().splitlines()) == 2
    (row,) = map(json.loads, report.read_text().splitlines())
    assert (row["file"], row["line"]) == (str(path), 2)
    assert "not read: " in found.err


def test_errors_of_single_units_name_the_way_to_leave_them_out(bitext, write):
    tmx = "<tmx><header/><body><tu><tuv xml:lang='en'><seg>a &  b</seg></tuv></tu></body></tmx>"
    for name, content in (("a.jsonl", '{"src": "a", "tgt": "b"}\n{"src": 3}\n'), ("a.tmx", tmx)):
        found = bitext("convert", write(name, content), "-", "--to", "tsv")
        assert (found.status, found.err.rstrip().endswith("(--keep-going)")) == (2, True)


def test_keep_going_leaves_out_whole_files(bitext, write, tmp_path):
    write("in/good.tsv", TSV)
    write("in/bad.xces", "<cesAlign><linkGrp><link xtargets='a;b'/>")
    found = bitext("convert", tmp_path / "in", tmp_path / "o.jsonl", "--keep-going")
    assert found.status == 1
    assert "bad.xces line 1: is not well-formed XML" in found.err
    assert "One." in (tmp_path / "o.jsonl").read_text()


def test_keep_going_leaves_out_pairs_without_their_documents(bitext, write):
    write("en.xml", '<text><s id="1">One.</s></text>')
    group = '<linkGrp fromDoc="{}" toDoc="en.xml"><link xtargets="1;1"/></linkGrp>'
    groups = "".join(map(group.format, ("lost.xml", "en.xml")))
    path = write("a.xml", f"<cesAlign>{groups}</cesAlign>")
    found = bitext("convert", path, "-", "--to", "tsv", "--keep-going")
    assert (found.status, found.out) == (1, "One.\tOne.\n")
    assert "not read: tsv takes texts, but the source text of " in found.err
    assert "its document 'lost.xml' is not found" in found.err


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("jobs", [1, 2])
def test_one_bad_file_stops_the_others_or_not(bitext, write, tmp_path, jobs):
    write("in/a.tsv", "no tabs here\n" * 3)
    write("in/b.tsv", TSV)
    out = f"{tmp_path}/out/"
    arguments = ("convert", tmp_path / "in", out, "--to", "jsonl", "-j", jobs, "--from", "tsv")
    assert bitext(*arguments).status == jobs % 2 + 1  # by jobs the others go on
    assert (tmp_path / "out" / "b.jsonl").exists() == (jobs > 1)
    found = bitext(*arguments, "--keep-going")
    assert found.status == 1
    assert (tmp_path / "out" / "b.jsonl").exists()


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("more", [["-j", "2"], ["--time-limit", "60"], ["--journal", "j"]])
def test_by_jobs_as_many_may_fail_as_is_said(bitext, write, tmp_path, monkeypatch, more):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "d"):
        write(f"in/{name}.tsv", "no tabs here\n" * 3)
    write("in/c.tsv", TSV)
    arguments = ["convert", "in", "out/", "--to", "jsonl", "--from", "tsv"]
    found = bitext(*arguments, *more, "-q")
    assert (found.status, len(found.lines())) == (1, 3)
    assert all("note: not written: in/" in line for line in found.lines())
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["c.jsonl"]
    assert bitext(*arguments, *more, "-q", "--max-failures", "3").status == 1
    found = bitext(*arguments, *more, "--max-failures", "1")
    assert (found.status, len(found.lines())) == (2, 1)
    told = re.search(
        r"2 documents failed, more than --max-failures 1: out/(\w).jsonl: in/", found.err
    )
    assert told
    assert told[1] in ("ab" if "-j" in more else "a")  # the first of two, whichever came first
    assert f" out/{told[1]}.jsonl: in/{told[1]}.tsv: none of" in found.err
    (tmp_path / "in" / "c.tsv").unlink()
    for each in ([], ["--max-failures", "9"]):
        new = ["new" if word == "j" else word for word in more]
        found = bitext(*arguments, *new, *each)
        assert (found.status, len(found.lines())) == (2, 1)
        assert "every document failed: out/a.jsonl: in/a.tsv: none of" in found.err
        assert "and 2 more" in found.err


def test_a_document_pair_without_bisegments_is_told(bitext, write, tmp_path):
    groups = "".join(
        f'<linkGrp fromDoc="{k}.en" toDoc="{k}.fr">{link}</linkGrp>'
        for k, link in enumerate(['<link xtargets="a;b"/>', "", ""])
    )
    path = write("a.xces", f"<cesAlign>{groups}</cesAlign>")
    out = tmp_path / "b.jsonl"
    told = "document pairs without bisegments, left out: 2, first {1.en,1.fr}"
    assert told in bitext("convert", path, out).err
    out.unlink()
    found = bitext("convert", path, out, "--strict")
    assert (found.status, len(found.lines()), out.exists()) == (2, 1, False)
    assert "jsonl would lose" in found.err
    assert "; document pairs without bisegments, left out: 2; choose" in found.err
    assert "without bisegments" not in bitext("convert", path, tmp_path / "b.xces").err
    last = write("c.xces", f"<cesAlign>{groups.rpartition('<linkGrp')[0]}</cesAlign>")
    assert "left out: 1, first {1.en,1.fr}" in bitext("convert", last, out).err
    first = write("d.xces", '<cesAlign><linkGrp fromDoc="0.en" toDoc="0.fr"></linkGrp></cesAlign>')
    assert f"left out: 1, first {first}" in bitext("convert", first, out).err


def test_an_empty_file_alone_loses_nothing(bitext, write, tmp_path):
    empty = write("in/e.tmx", "<tmx version='1.4'><body/></tmx>")
    found = bitext("convert", empty, tmp_path / "b.jsonl", "--strict")
    assert (found.status, "without bisegments" in found.err) == (0, False)
    write("in/f.tmx", "<tmx version='1.4'><body/></tmx>")
    found = bitext("convert", tmp_path / "in", tmp_path / "c.jsonl", "--strict")
    assert (found.status, "without bisegments, left out: 2" in found.err) == (2, True)
    found = bitext("convert", tmp_path / "in", f"{tmp_path}/out/", "--to", "jsonl", "--strict")
    assert found.status == 0


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("at_hand")
def test_an_empty_file_of_a_folder_is_no_reason_to_leave_it_out(bitext, write, tmp_path, jobs):
    write("in/a.tsv", TSV)
    write("in/b.tmx", "")
    write("in/README", "Read me.\n")
    arguments = ("convert", tmp_path / "in", f"{tmp_path}/out/", "--to", "jsonl", "-j", jobs)
    found = bitext(*arguments)
    assert (found.status, found.err.count("b.tmx: ")) == (jobs % 2 + 1, 1)
    assert "b.tmx: is empty, which no tmx file is" in found.err
    found = bitext(*arguments, "--keep-going")
    assert found.status == 1
    assert "not read: " in found.err
    assert "holds no alignment, ignored: README\n" in found.err
    quiet = bitext(*arguments, "--keep-going", "-q")
    assert quiet.status == 1
    assert quiet.lines() == [line for line in found.lines() if "not read: " in line]


def test_json_says_what_was_done(bitext, write, tmp_path):
    found = bitext(
        "convert",
        write("a.tsv", TSV),
        tmp_path / "o.en,x.fr".replace(",x", f",{tmp_path}/o"),
        "--json",
        "-q",
    )
    document = json.loads(found.out)
    assert document["schema"] == "bitext.convert/1"
    (done,) = document["files"]
    assert (done["formats"], done["to"], done["pairs"], done["bisegments"]) == (
        {"tsv": 1},
        "moses",
        1,
        3,
    )
    assert {"kind", "count", "first"} == set(done["losses"][0])


def test_an_output_of_no_known_name_may_be_in_what_can_be_written(bitext, write, tmp_path):
    found = bitext("convert", write("a.tsv", "a\tb\n"), tmp_path / "o.foo")
    those = found.err.rstrip().rpartition("one of: ")[2].split(", ")
    assert {"tmx", "xces", "tsv"} <= set(those)
    assert not {"sdlxliff", "ttx", "txml"} & set(those)


@pytest.mark.parametrize(
    ("name", "told"), [("en/nope.xml", "'en/nope.xml'"), ("../../etc/passwd", "'../../etc/passwd'")]
)
def test_a_document_that_is_lacking_is_named_with_its_file(bitext, write, tmp_path, name, told):
    write("fr.xml", '<text><s id="s1">a</s></text>')
    group = f'<linkGrp targType="s" fromDoc="{name}" toDoc="fr.xml">'
    path = write("a.xml", f'<cesAlign>{group}<link xtargets="s1;s1"/></linkGrp></cesAlign>')
    found = bitext("convert", path, tmp_path / "o.tsv")
    assert (found.status, len(found.lines())) == (2, 1)
    assert f"the source text of {path} is known by identifiers only, as its document" in found.err
    assert f"{told} is not found; give it (--src), or the folder" in found.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.tsv", "o.xyz"], "its name does not show the format; name it (--to)"),
        (["a.tsv", "o.tsv", "--to", "tmxx"], "did you mean 'tmx'"),
        (["a.tsv", "o.tmxx"], "does not show the format; did you mean .tmx? name it"),
        (["a.tsv", "o.yml"], "does not show the format; name it"),
        (
            ["a.tsv", "o.mqxliff"],
            "a file of memoQ, which takes only its own, and it would be XLIFF 1",
        ),
        (["a.tsv", "o.mxliff.gz"], "a file of Phrase, which takes only its own"),
        (["a.tsv", "o.resx"], "'resx' can be read but not written; choose po or xliff12 or csv"),
        (["a.tsv", "o.zip", "--to", "tmx"], "says zip, and it would be tmx: name it o.tmx, or"),
        (["a.tsv", "o.tmx.zip", "--to", "tmx"], "name it o.tmx, or o.tmx.gz for a compressed one"),
        (["a.tsv", "o.en.zip,o.fr.zip", "--to", "moses"], "says zip, and it would be moses: name"),
        (["a.tsv", "o.en,o.docx", "--to", "moses"], "moses: name it o.txt, or o.txt.gz"),
        (["a.tsv", "o.tar.gz", "--to", "tsv"], "name it o.tsv, or o.tsv.gz for a compressed one"),
        (["a.tsv", "o.zip", "--to", "moses"], "moses is two files: name them as a.en,a.fr"),
        (["a.tsv", "o.docx", "--to", "xlsx"], "says docx, and it would be xlsx: name it o.xlsx"),
        (["a.tsv", "o.tsv", "-j", "2"], "--jobs is for a folder as OUT"),
        (["a.tsv", "o.tsv", "-j", "0"], "want at least 1"),
        (["a.tsv", "o/"], "name the format of its files (--to)"),
        (["a.tsv", "-", "--to", "tsv", "--json"], "both want standard output"),
        (["a.tsv", "o.tsv", "--report", "r"], "--keep-going"),
        (["a.tsv", "o.tsv", "--types", "2"], "'2' is not a bead type"),
        (["a.tsv", "o.tsv", "--min-score", "x"], "'x' is not a number"),
        (["missing.tsv", "o.tsv"], "no such file"),
        (["a.tsv", "o.vecalign/x.tsv"], "cannot be written"),
        (["-", "-", "o.tsv"], "standard input can be read only once"),
        (["a.tsv", "a.tsv"], "a.tsv"),
        (["a.tsv", ""], "a name is empty"),
        (["a.tsv", "one.en", "--to", "moses"], "moses is two files"),
        (["a.tsv", "o.tsv", "--types", " ,"], "names no type"),
        (["a.tsv", "o.tsv", "--types", ""], "names no type"),
        (["a.tsv", "o.tsv", "--min-score", "nan"], "want a number to compare with"),
        (["a.tsv", "o.tsv", "--min-score", "1", "--max-score", "0"], "no score is from 1 to 0"),
        (["a.tsv", "o.tsv", "--max-ratio", "nan"], "want numbers above 0"),
        (["a.tsv", "o.tsv", "--compress", "gz"], "name it with the ending .gz"),
        (["a.tsv", "o.tsv", "--write-documents", "d"], "is for xces, and OUT is tsv"),
        (["a.tsv", "o.xces", "--write-documents", ""], "names no folder"),
        (["a.tsv", "o.tsv", "--beads"], "and OUT is tsv: leave it out"),
        (["a.tsv", "o.tsv", "--root", "a.tsv"], "--root a.tsv: is not a folder"),
        (["a.tsv", "o.tsv", "--root", "none"], "--root none: is not a folder"),
        (["a.tsv", "o.tsv", "--src-lang", "e n"], "'e n': is not the code of a language"),
        (["a.tsv", "o.tsv", "--tgt-lang", "-"], "'-': is not the code of a language"),
        (["a.tsv", "o.tsv", "--keep-going", "--report", "a.tsv"], "same file as a.tsv"),
        (["a.tsv", "o.tsv", "--keep-going", "--report", "./o.tsv"], "same file as o.tsv"),
        (["a.tsv", "-", "--to", "tsv", "--keep-going", "--report", "-"], "--report - wants"),
        (["a.tsv", "out/", "--to", "ttx"], "can be read but not written"),
        (["a.tsv", ".", "--to", "tsv"], "is the same file as a.tsv"),
        (["a.tsv", "./a.tsv", "out/", "--to", "jsonl"], "would both become out/a.jsonl"),
    ],
)
def test_what_cannot_be_done_is_one_line(bitext, write, monkeypatch, tmp_path, arguments, message):
    write("a.tsv", TSV)
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir(tmp_path))  # noqa: PTH208
    found = bitext("convert", *arguments)
    assert found.status == 2
    assert message in found.err
    assert len(found.lines()) == 1
    assert sorted(os.listdir(tmp_path)) == before  # noqa: PTH208
    assert (tmp_path / "a.tsv").read_text() == TSV


def test_ids_without_texts_name_the_options(bitext, write, tmp_path):
    path = write("a.xces", '<cesAlign><linkGrp><link xtargets="a;b"/></linkGrp></cesAlign>')
    found = bitext("convert", path, tmp_path / "o.tsv")
    assert found.status == 2
    assert "--src" in found.err
    assert "--root" in found.err


def test_documents_are_found_under_a_root(bitext, write, tmp_path):
    write("docs/en/a.xml", '<text><s id="s1">One.</s><s id="s2">Two.</s></text>')
    write("docs/fr/a.xml", '<text><s id="s1">Un.</s></text>')
    path = write(
        "a.xces",
        '<cesAlign><linkGrp fromDoc="en/a.xml.gz" toDoc="fr/a.xml">'
        '<link xtargets="s2 s1;s1" certainty="0.5"/></linkGrp></cesAlign>',
    )
    found = bitext("convert", path, tmp_path / "o.tsv", "--root", tmp_path / "docs")
    assert found.status == 0, found.err
    assert (tmp_path / "o.tsv").read_text() == "src\ttgt\tscore\nOne. Two.\tUn.\t0.5\n"


def test_swap(bitext, write, tmp_path):
    bitext("convert", write("a.tsv", TSV), tmp_path / "b.tsv", "--swap")
    assert (tmp_path / "b.tsv").read_text().splitlines()[1] == "Un.\tOne.\t0.9"


def test_languages_that_are_named_go_with_their_sides_when_these_are_swapped(
    bitext, write, tmp_path
):
    path = write("a.tsv", "One.\tUn.\n")
    named = ("--src-lang", "en", "--tgt-lang", "fr", "--swap", "-q")
    assert bitext("convert", path, tmp_path / "b.tmx", *named).status == 0
    written = (tmp_path / "b.tmx").read_text()
    assert 'xml:lang="fr"><seg>Un.' in written
    assert 'xml:lang="en"><seg>One.' in written
    assert 'srclang="fr"' in written
    assert bitext("convert", path, f"{tmp_path}/out/", "--to", "moses", *named).status == 0
    assert (tmp_path / "out/a.fr").read_text() == "Un.\n"
    # What is swapped already is read by the same languages, and turned back.
    again = bitext("convert", tmp_path / "b.tmx", "-", "--to", "jsonl", *named)
    assert json.loads(again.out)["src_lang"] == "fr"


def test_a_report_or_an_output_is_no_text(bitext, write, tmp_path):
    path = write("a.align", "[0]:[0]\n")
    texts = write("a.en", "One.\n"), write("a.fr", "Un.\n")
    arguments = ("convert", path, "--src", texts[0], "--tgt", texts[1])
    found = bitext(*arguments, tmp_path / "o.tsv", "--keep-going", "--report", texts[0])
    assert (found.status, texts[0].read_text()) == (2, "One.\n")
    assert "is the same file as" in found.err
    found = bitext(*arguments, texts[1], "--to", "tsv")
    assert (found.status, texts[1].read_text()) == (2, "Un.\n")
    report = tmp_path / "r.jsonl"
    found = bitext(*arguments, tmp_path / "o.tsv", "--keep-going", "--report", report)
    assert (found.status, report.read_text()) == (0, "")


def test_a_manifest_is_not_overwritten(bitext, write, tmp_path):
    write("one.tsv", TSV)
    path = write("list.tsv", "text\tpath\na\tone.tsv\n")
    assert bitext("convert", path, path).status == 2
    assert bitext("convert", path, tmp_path, "--to", "jsonl").status == 0
    found = bitext(
        "convert", path, tmp_path / "x.tsv", "--keep-going", "--report", tmp_path / "list.tsv"
    )
    assert found.status == 2
    assert path.read_text() == "text\tpath\na\tone.tsv\n"


@pytest.mark.parametrize("more", [[], ["--max-failures", "3"], ["--journal", "j"]])
@pytest.mark.parametrize("output", ["in/", "in", "./in/deep/", "in/all.jsonl"])
def test_what_would_be_an_input_the_next_time_is_refused(
    bitext, write, tmp_path, monkeypatch, output, more
):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        write(f"in/{name}.tsv", TSV)
    before = sorted(tmp_path.rglob("*"))
    for _ in range(2):
        found = bitext("convert", "in/", output, "--to", "jsonl", *more)
        assert (found.status, len(found.lines())) == (2, 1)
        assert "would lie in in/, of which all files are read, and be read, too" in found.err
        assert sorted(tmp_path.rglob("*")) == before
    for beside in (["--report", "in/r.jsonl", "--keep-going"], ["--journal", "in/j.jsonl"]):
        found = bitext("convert", "in/", "out/", "--to", "jsonl", *beside)
        assert (found.status, sorted(tmp_path.rglob("*"))) == (2, before)
    for _ in range(2):  # of files that are named one by one nothing is read twice
        assert bitext("convert", "in/a.tsv", "in/b.tsv", output, "--to", "jsonl").status == 0


def test_a_report_and_a_journal_of_one_name_are_refused_before_the_work(bitext, write, tmp_path):
    path, both = write("a.tsv", TSV), tmp_path / "both"
    more = ["--keep-going", "--report", both, "--journal", both]
    found = bitext("convert", path, f"{tmp_path}/out/", "--to", "jsonl", *more)
    assert (found.status, len(found.lines())) == (2, 1)
    assert "both: is the same file as" in found.err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.tsv"]


def test_two_inputs_of_one_stem_are_refused(bitext, write, tmp_path):
    paths = write("x/a.tsv", TSV), write("y/a.tsv", TSV)
    found = bitext("convert", *paths, f"{tmp_path}/out/", "--to", "jsonl")
    assert found.status == 2
    assert f"{paths[0]} and {paths[1]} would both become {tmp_path}/out/a.jsonl" in found.err
    assert not (tmp_path / "out").exists()


def test_an_output_that_another_task_reads_is_refused(bitext, write, tmp_path):
    rows = '{"src": ["1"], "tgt": ["1"]}\n', '{"src": ["2"], "tgt": ["2"]}\n'
    paths = write("a.jsonl", rows[0]), write("b.jsonl", rows[1])
    manifest = write("list", "text\tpath\na\tb.jsonl\nb\ta.jsonl\n")
    found = bitext("convert", manifest, tmp_path, "--to", "jsonl")
    assert found.status == 2
    assert "name another file to write" in found.err
    assert tuple(path.read_text() for path in paths) == rows


def test_what_is_changed_is_not_told_as_left_out(bitext, write, tmp_path):
    path = write("a.tsv", "src\ttgt\nO\x01ne  two.\tUn.\n")
    found = bitext("convert", path, tmp_path / "a.tmx", "--spaces", "--replace-forbidden")
    assert found.status == 0
    assert "left out: " not in found.err
    assert found.err.count("changed: ") == 2
    assert "O\ufffdne two." in (tmp_path / "a.tmx").read_text(encoding="utf-8")


def test_a_character_that_cannot_be_written_names_its_remedy(bitext, write, tmp_path):
    bad = write("bad.tsv", "src\ttgt\nOne.\tUn.\nO\x01ne.\tUn.\n")
    for name in ("a.tmx", "a.xlf", "a.al", "a.tei"):
        found = bitext("convert", bad, tmp_path / name)
        assert found.status == 2
        assert "--replace-forbidden" in found.err, name
        assert not (tmp_path / name).exists()
    path = write("t.tsv", "src\ttgt\na ~~~ b\tc\n")
    found = bitext("convert", path, tmp_path / "o.hunalign", "--from", "tsv")
    assert "choose another format" in found.err
    assert "--replace-forbidden" not in found.err


@pytest.mark.usefixtures("at_hand")
def test_a_character_that_the_format_cannot_hold_costs_its_unit(bitext, write, tmp_path):
    write(
        "in/bad.tsv",
        "src\ttgt\tnote\nOne.\tUn.\tn\nO\x01ne.\tUn.\tn\nTwo.\tDeux.\t\x02\nSix.\tSix.\tn\n",
    )
    write("in/good.tsv", TSV)
    for jobs in ((), ("-j", "2")):
        out = tmp_path / f"o{len(jobs)}"
        found = bitext("convert", tmp_path / "in", f"{out}/", "--to", "tmx", "--keep-going", *jobs)
        assert found.status == 1
        assert "not read: bad: bisegment 1 (1-1) has a character that tmx cannot hold" in found.err
        assert "bad: bisegment 2 (1-1) has a character" in found.err
        assert "--replace-forbidden replaces" in found.err
        assert sorted(path.name for path in out.iterdir()) == ["bad.tmx", "good.tmx"]
        bitext("convert", out / "bad.tmx", tmp_path / "back.tsv")
        lines = (tmp_path / "back.tsv").read_text(encoding="utf-8").splitlines()
        assert [line.split("\t")[0] for line in lines[1:]] == ["One.", "Six."]


def test_a_score_that_is_nowhere_is_an_error(bitext, write, tmp_path):
    path = write("a.tsv", "src\ttgt\tbicleaner\turl\nOne.\tUn.\t0.7\tu\n")
    out = tmp_path / "o.tsv"
    found = bitext("convert", path, out, "--score", "bicleaner-ai", "--min-score", "0.5")
    assert found.status == 2
    assert (
        "no bisegment read has the column 'bicleaner-ai' (--score); its columns are: " in found.err
    )
    assert "bicleaner, url" in found.err
    assert not out.exists()
    assert bitext("convert", path, "-", "--to", "tsv", "--score", "x").out == ""
    found = bitext("convert", path, out, "--score", "bicleaner", "--min-score", "0.5")
    assert (found.status, "One." in out.read_text()) == (0, True)
    empty = write("e.tsv", "src\ttgt\n")
    assert bitext("convert", empty, out, "--score", "x").status == 0
    assert bitext("convert", empty, path, out, "--score", "bicleaner").status == 0


def test_a_score_is_named_as_it_is_after_the_swap(bitext, write, tmp_path):
    rows = '{"src": ["1"], "tgt": ["1"], "src_text": "a", "tgt_text": "b", "src.q": "0.5"}\n'
    path = write("a.jsonl", rows)
    assert bitext("convert", path, tmp_path / "o.jsonl", "--swap", "--score", "src.q").status == 2
    assert bitext("convert", path, tmp_path / "o.jsonl", "--swap", "--score", "tgt.q").status == 0


def test_a_failed_run_tells_what_was_written(bitext, write, tmp_path):
    write("in/a.tsv", TSV)
    write("in/b.tsv", "no tabs here\n" * 3)
    write("in/c.tsv", TSV)
    out = tmp_path / "out"
    found = bitext("convert", tmp_path / "in", f"{out}/", "--to", "jsonl", "--from", "tsv")
    assert found.status == 2
    assert "1 of 3 files were written before this" in found.err
    assert (out / "a.jsonl").exists()


# Documents


def _sides(path):
    return [line.split("\t")[:2] for line in path.read_text().splitlines()[1:]]


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("jobs", [1, 2])
def test_each_file_of_a_folder_has_documents_of_its_own(bitext, write, tmp_path, jobs):
    for name in ("one", "deep/two"):
        write(f"in/{name}.tsv", f"src\ttgt\tscore\n{name} a\t{name} b\t1\n{name} c\t{name} d\t1\n")
    out = tmp_path / "out"
    found = bitext(
        "convert", tmp_path / "in", f"{out}/", "--to", "xces", "--write-documents", out / "docs",
        "-j", jobs,
    )  # fmt: skip
    assert found.status == 0, found.err
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.*")) == [
        "deep/two.xces",
        "docs/000001/src/000001.xml",
        "docs/000001/tgt/000001.xml",
        "docs/000002/src/000001.xml",
        "docs/000002/tgt/000001.xml",
        "one.xces",
    ]
    assert f"the documents are found with --root {out}\n" in found.err
    back = tmp_path / "back"
    found = bitext("convert", out, f"{back}/", "--from", "xces", "--to", "tsv", "--root", out)
    assert found.status == 0, found.err
    for name in ("one", "deep/two"):
        assert _sides(back / f"{name}.tsv") == [
            [f"{name} a", f"{name} b"],
            [f"{name} c", f"{name} d"],
        ]


def test_documents_beside_the_output_are_found_without_a_root(bitext, write, tmp_path):
    path = write("a.tsv", TSV)
    out = tmp_path / "o" / "a.xces"
    out.parent.mkdir()
    found = bitext("convert", path, out, "--write-documents", out.parent / "docs")
    assert (found.status, "--root" in found.err) == (0, False)
    assert 'fromDoc="docs/src/000001.xml"' in out.read_text()
    assert bitext("convert", out, tmp_path / "back.tsv").status == 0
    assert _sides(tmp_path / "back.tsv") == [["One.", "Un."], ["Two.", "Deux."], ["", "Seul."]]


def test_documents_elsewhere_are_told(bitext, write, tmp_path):
    path, out = write("a.tsv", TSV), tmp_path / "o" / "a.xces"
    out.parent.mkdir()
    found = bitext("convert", path, out, "--write-documents", tmp_path / "docs", "--json")
    assert f"the documents are found with --root {tmp_path / 'docs'}\n" in found.err
    assert json.loads(found.out)["roots"] == [str(tmp_path / "docs")]
    assert bitext("convert", out, tmp_path / "b.tsv").status == 2
    assert bitext("convert", out, tmp_path / "b.tsv", "--root", tmp_path / "docs").status == 0
    assert _sides(tmp_path / "b.tsv")[0] == ["One.", "Un."]


def test_documents_replace_nothing(bitext, write, tmp_path):
    path, docs = write("a.tsv", TSV), tmp_path / "docs"
    assert bitext("convert", path, tmp_path / "o.xces", "--write-documents", docs).status == 0
    before = (docs / "src/000001.xml").read_text()
    other = write("b.tsv", "src\ttgt\nOther.\tAutre.\n")
    found = bitext("convert", other, tmp_path / "p.xces", "--write-documents", docs)
    assert found.status == 2
    assert f"{docs}/src/000001.xml: exists already" in found.err
    assert "name another folder" in found.err
    assert (docs / "src/000001.xml").read_text() == before
    assert not (tmp_path / "p.xces").exists()


def test_a_strict_run_leaves_no_documents(bitext, write, tmp_path):
    path = write(
        "a.jsonl", '{"src": ["1"], "tgt": ["1"], "src_text": "a\\u0001", "tgt_text": "b"}\n'
    )
    tmx = write(
        "m.tmx",
        '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>a<ph x="1"/>'
        '</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu></body></tmx>',
    )
    before = sorted(tmp_path.rglob("*"))
    for given in (path, tmx):
        found = bitext(
            "convert", given, tmp_path / "o.xces", "--write-documents", tmp_path / "x/docs",
            "--strict",
        )  # fmt: skip
        assert found.status == 2
        assert sorted(tmp_path.rglob("*")) == before


def test_one_file_is_not_the_document_of_both_sides(bitext, write, tmp_path):
    assert bitext("convert", write("a.tsv", TSV), tmp_path / "a.xces").status == 0
    written = (tmp_path / "a.xces").read_text()
    assert "<linkGrp" in written
    assert "Doc=" not in written


def test_further_languages_are_left_out_where_both_are_named(bitext, write, tmp_path):
    units = "".join(
        f'<tuv xml:lang="{code}"><seg>{code}</seg></tuv>' for code in ("en", "de", "fr")
    )
    path = write(
        "a.tmx",
        '<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" '
        'o-tmf="x" adminlang="en" srclang="en" datatype="x"/><body><tu>'
        + units
        + "</tu></body></tmx>",
    )
    asked = ("--src-lang", "en", "--tgt-lang", "fr")
    found = bitext("convert", path, tmp_path / "b.tmx", *asked)
    assert "left out: texts in further languages: 1" in found.err
    assert '"de"' not in (tmp_path / "b.tmx").read_text()
    bitext("convert", path, tmp_path / "c.tmx", *asked, "--all-languages")
    assert '<tuv xml:lang="de"><seg>de</seg></tuv>' in (tmp_path / "c.tmx").read_text()


def test_texts_beside_a_file_that_holds_its_own_are_told(bitext, write, tmp_path):
    path, text = write("a.tsv", "One.\tUn.\n"), write("a.en", "One.\n")
    found = bitext("convert", path, tmp_path / "o.jsonl", "--src", text)
    told = f"note: texts named beside a file that holds its own, not read: 1, first {path}: tsv"
    assert (found.status, told in found.err) == (0, True)


def test_a_failed_run_leaves_no_empty_folders(bitext, write, tmp_path):
    write("in/a/one.tsv", "a\tb\n")
    write("in/b/two.tmx", "<tmx><body><tu></body></tmx>")
    out = tmp_path / "new/out"
    for more in ([], ["--keep-going"]):
        assert bitext("convert", tmp_path / "in", f"{out}/", "--to", "jsonl", *more).status
    assert (out / "a").is_dir()
    assert bitext("convert", tmp_path / "in/b", f"{tmp_path}/none/out/", "--to", "jsonl").status
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("out", ["a.en,a.fr", "a.{en,fr}"])
def test_two_files_of_a_format_of_one_are_refused(bitext, write, tmp_path, out):
    path = write("a.tsv", "a\tb\n")
    found = bitext("convert", path, tmp_path / out, "--to", "jsonl")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "names two files, and jsonl is one: name one, or choose a format of two" in found.err
    assert bitext("convert", path, tmp_path / "b,c.tsv", "--to", "tsv").status == 0
    assert (tmp_path / "b,c.tsv").exists()
    (tmp_path / "d,e").mkdir()
    assert bitext("convert", path, tmp_path / "d,e", "--to", "tsv").status == 0


AL = (
    "<alignmentlist>"
    + "".join(
        f'<alignment score="{cost}"><sourcelist><segment>{src}</segment></sourcelist><targetlist>'
        f"<segment>{tgt}</segment></targetlist></alignment>"
        for cost, src, tgt in ((0.1, "Fog.", "Brume."), (9.5, "Sun.", "Pluie."))
    )
    + "</alignmentlist>"
)


def test_a_lowest_score_is_refused_where_scores_are_costs(bitext, write, tmp_path):
    given = "convert", write("a.al", AL), tmp_path / "o.tsv"
    found = bitext(*given, "--min-score", "0.5")
    assert found.status == 2
    assert "scores of maligna are costs, lower is better" in found.err
    assert "give --max-score instead" in found.err
    found = bitext(*given, "--max-score", "0.5")
    assert "left out: bisegments with a score above 0.5: 1" in found.err
    assert "Brume." in (tmp_path / "o.tsv").read_text()
    assert "Pluie." not in (tmp_path / "o.tsv").read_text()


def test_costs_that_go_to_another_format_are_noted(bitext, write, tmp_path):
    path = write("a.al", AL)
    kind = "files whose scores are costs, lower is better, written to tsv as they are"
    assert kind in bitext("convert", path, tmp_path / "o.tsv").err
    assert kind not in bitext("convert", path, tmp_path / "o.al").err
    found = bitext("convert", path, f"{tmp_path / 'o.en'},{tmp_path / 'o.fr'}")
    assert "lower is better" not in found.err  # they are lost, which is noted
    bare = re.sub(' score="[^"]*"', "", AL)
    assert kind not in bitext("convert", write("b.al", bare), tmp_path / "o.tsv").err


def test_scores_that_may_be_costs_or_similarities_are_noted(bitext, write, tmp_path):
    path = write("a.vecalign", "[0]:[0]:0.05\n[1]:[1]:0.9\n")
    found = bitext("convert", path, tmp_path / "o.jsonl", "--min-score", "0.5")
    assert "files whose scores may be costs, lower is better (--max-score)" in found.err
    found = bitext("convert", path, tmp_path / "o.jsonl", "--max-score", "0.5")
    assert "may be costs" not in found.err
    assert '"src": ["0"]' in (tmp_path / "o.jsonl").read_text()


def test_memories_are_joined_by_convert_and_merge_says_so(bitext, write, tmp_path):
    tu = '<tu><tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu>'
    paths = [
        write(
            f"{name}.tmx",
            f'<tmx version="1.4"><header srclang="en"/><body>{tu.format(name)}</body></tmx>',
        )
        for name in "ab"
    ]
    out = tmp_path / "out.tmx"
    found = bitext("merge", out, *paths)
    assert found.status == 2
    command = f"bitext convert {paths[0]} {paths[1]} {out}"
    assert f"memories, and other files of alignments, are joined by: {command}\n" in found.err
    assert not out.exists()
    assert bitext(*command.split()[1:]).status == 0
    assert out.read_text().count("<tu>") == 2


def test_a_file_that_is_no_journal_is_not_to_be_deleted(bitext, write, tmp_path):
    path, text = write("notes.txt", "mine\n"), write("a.txt", "One.\n")
    aligned = ["align", text, text, "-o", f"{tmp_path}/o/", "--to", "tmx", "--journal", path]
    for arguments in (["merge", "-", path], aligned):
        found = bitext(*arguments)
        assert "is no journal of bitext" in found.err
        assert "delete" not in found.err


def test_languages_are_told_by_the_names_of_files_as_in_align(bitext, write, tmp_path):
    one, other = write("a.en", "One.\n"), write("a.fr", "Un.\n")
    out = tmp_path / "m.tmx"
    found = bitext("convert", f"{one},{other}", out)
    assert (
        "languages taken from the names of the texts (name others with --src-lang, --tgt-lang)"
        in found.err
    )
    assert '<tuv xml:lang="fr"><seg>Un.' in out.read_text()
    links = write("a.align", "[0]:[0]:0\n")
    bitext("convert", links, out, "--src", one, "--tgt", other)
    assert '<tuv xml:lang="fr"><seg>Un.' in out.read_text()
    named = bitext("convert", f"{one},{other}", out, "--src-lang", "pt", "--tgt-lang", "it")
    assert "languages" not in named.err
    assert '<tuv xml:lang="it"><seg>Un.' in out.read_text()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a.pt-BR", "pt-BR"),
        ("a.zh_Hant.txt", "zh-Hant"),
        ("a.zh-Hant-TW", "zh-Hant-TW"),
        ("a.es-419.txt", "es-419"),
        ("a.pt", "pt"),
    ],
)
@pytest.mark.parametrize("command", ["align", "convert"])
def test_names_of_files_tell_the_region_and_the_script_too(
    bitext, write, tmp_path, command, name, code
):
    one, other = write("a.en.txt", "One.\n"), write(name, "Um.\n")
    given = [one, other, "-o"] if command == "align" else [f"{one},{other}"]
    found = bitext(command, *given, tmp_path / "m.tmx")
    assert found.status == 0
    held = (tmp_path / "m.tmx").read_text()
    assert f'<tuv xml:lang="{code}"><seg>Um.' in held
    assert '<tuv xml:lang="en"><seg>One.' in held


def test_words_that_a_line_break_parted_are_told_where_codes_are_lost(bitext, write, tmp_path):
    xliff = (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="1">'
        '<source>One<x id="1" ctype="lb"/>two</source><target>Eins <x id="1" ctype="lb"/>zwei'
        '</target></trans-unit><trans-unit id="2"><source>A<ph id="2">&lt;br/&gt;</ph>b<x id="3"/>c'
        "</source><target>D<x id='3'/>e</target></trans-unit><trans-unit id='3'><source>F<ph id='4'"
        '>&lt;mq:ch val="&amp;#10;" /&gt;</ph>g</source><target>H<ph id="4">&lt;mq:ch '
        'val="&amp;#9;" /&gt;</ph>i</target></trans-unit></body></file></xliff>'
    )
    path = write("a.xlf", xliff)
    told = "segments with a line break as an inline code between two words, written together: 3"
    assert (
        f"lost: {told}, first a: source segment 0"
        in bitext("convert", path, tmp_path / "a.tsv", "-v").err
    )
    assert "written together" not in bitext("convert", path, tmp_path / "a.tmx").err
    assert "written together" not in bitext("convert", path, tmp_path / "a.jsonl").err


def test_texts_in_another_language_than_their_names_say_are_noted(bitext, write, tmp_path):
    english, german, told = ENGLISH * 9, GERMAN * 9, OTHER_LANGUAGE
    right = f"{write('a.en', english)},{write('a.de', german)}"
    wrong = f"{write('b.de', english)},{write('b.fr', german)}"
    out = tmp_path / "m.tmx"
    assert told not in bitext("convert", right, out).err
    found = bitext("convert", wrong, out).err
    assert f"{told}: 2, first {wrong}: source in de, with words of en" in found
    assert told not in bitext("convert", wrong, tmp_path / "m.tsv").err  # names no languages
    asked = bitext("convert", right, out, "--src-lang", "en", "--tgt-lang", "fr").err
    assert f"{told}: 1, first {right}: target in fr, with words of de" in asked


@pytest.mark.parametrize(
    ("code", "near"), [("English", "en"), ("germn", "de"), ("zz-Latn", ""), ("de-AT", "")]
)
def test_names_of_languages_given_for_codes_are_noted(bitext, write, tmp_path, code, near):
    names = f"{write('a.en', 'One.' + chr(10))},{write('a.xx', 'Un.' + chr(10))}"
    found = bitext("convert", names, tmp_path / "m.tmx", "--tgt-lang", code, "--src-lang", "en")
    told = f"--tgt-lang {code}: is not the code of a language (did you mean {near!r}?)"
    assert (told in found.err) == bool(near)
    assert ("-lang" in found.err) == bool(near)
    assert "is not the code" not in bitext("convert", names, tmp_path / "m.tsv").err


def test_languages_that_nothing_tells_are_noted(bitext, write, tmp_path):
    one, other = write("one", "One.\n"), write("two", "Un.\n")
    told = "languages that are not known, and are written so: name them (--src-lang, --tgt-lang)"
    assert told in bitext("convert", f"{one},{other}", tmp_path / "m.tmx").err
    assert told in bitext("align", one, other, "-o", tmp_path / "n.tmx").err
    assert told not in bitext("convert", f"{one},{other}", tmp_path / "m.jsonl").err


def test_two_files_of_one_text_are_told_to_be_named_with_a_comma(bitext, write, tmp_path):
    one, other = write("a.en", "One.\n"), write("a.fr", "Un.\n")
    found = bitext("convert", one, other, tmp_path / "out.tmx")
    assert found.status == 2
    assert f"name them with a comma between, {one},{other}" in found.err
    assert bitext("convert", f"{one},{other}", tmp_path / "out.tmx").status == 0
    found = bitext("check", one)
    assert "if it is one of two texts, name both with a comma" in found.err


def test_names_that_tell_the_languages_the_other_way_round_are_noted(bitext, write, tmp_path):
    one, other = write("a.en", "One.\n"), write("a.fr", "Un.\n")
    ways = ["--src-lang", "fr", "--tgt-lang", "en"]
    found = bitext("convert", f"{one},{other}", tmp_path / "out.tmx", *ways)
    assert "texts whose names say the two languages the other way round: exchange two" in found.err


def test_a_file_that_is_given_twice_is_noted(bitext, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"in/{name}.tsv").write_text(f"{name}\tB\n")
    told = "files that are given more than once, read each time: 1, first "
    found = bitext("convert", tmp_path / "in", f"{tmp_path}/in/../in/a.tsv", tmp_path / "o.tsv")
    assert (found.status, told in found.err) == (0, True)
    assert (tmp_path / "o.tsv").read_text() == "a\tB\nb\tB\na\tB\n"
    found = bitext("convert", tmp_path / "in/a.tsv", tmp_path / "in/b.tsv", tmp_path / "o.tsv")
    assert (found.status, told in found.err) == (0, False)
