"""`--where` and `--drafts`: which bisegments of a file are read, and which are translations."""

import json

import pytest

import bitext as package

PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: de\\n"

msgctxt "menu"
msgid "Open"
msgstr "Öffnen"

msgctxt "menu"
msgid "Close"
msgstr "Schließen"

msgid "Yes"
msgstr "Ja"
"""


def test_convert_leaves_out_the_other_bisegments(bitext, write, tmp_path):
    found = bitext("convert", write("a.po", PO), tmp_path / "b.tsv", "--where", "msgctxt=menu")
    assert found.status == 0
    assert (tmp_path / "b.tsv").read_text().splitlines()[1:] == [
        "Open\tÖffnen\tmenu",
        "Close\tSchließen\tmenu",
    ]
    assert "note: left out: bisegments that are not msgctxt=menu: 1, first" in found.err


@pytest.mark.usefixtures("at_hand")
def test_files_of_a_folder_are_looked_at_one_by_one(bitext, write, tmp_path):
    write("in/a.po", PO)
    write("in/b.po", PO.replace('msgctxt "menu"\n', ""))
    found = bitext(
        "convert", tmp_path / "in", f"{tmp_path}/out/", "--to", "tsv", "--where", "msgctxt=menu",
        "--keep-going", "-j", "2",
    )  # fmt: skip
    assert found.status == 1
    assert len((tmp_path / "out/a.tsv").read_text().splitlines()) == 3
    assert "b.po: no bisegment has the column 'msgctxt' (--where 'msgctxt=menu')" in found.err


def test_check_looks_at_the_others_only_and_says_so(bitext, write):
    path = write("a.po", PO.replace('"Yes"', '""\n"  "'))
    assert bitext("check", path).status == 1
    found = bitext("check", path, "--where", "msgctxt=menu")
    assert found.status == 0
    assert "bisegments that are not msgctxt=menu, left out" in found.out


def test_check_does_not_mend_a_part_of_a_file(bitext, write, tmp_path):
    found = bitext("check", write("a.po", PO), "--fix", tmp_path / "b.po", "--where", "msgctxt=a")
    assert (found.status, "--fix writes the whole file anew" in found.err) == (2, True)


def test_align_takes_only_those_of_a_file(bitext, write, tmp_path):
    out = tmp_path / "b.jsonl"
    assert bitext("align", write("a.po", PO), "-o", out, "--where", "msgctxt!=menu").status == 0
    assert [json.loads(line)["src_text"] for line in out.read_text().splitlines()] == ["Yes"]


def test_align_has_no_columns_of_two_texts(bitext, write):
    text = write("a.txt", "One.\n")
    found = bitext("align", text, write("b.txt", "Eins.\n"), "--where", "x=1")
    assert (found.status, "a.txt is a text: leave it out" in found.err) == (2, True)


GOLD = """\
<cesAlign version="1.0"><linkGrp fromDoc="a.xml" toDoc="b.xml">
<link xtargets="1;1" status="man"/><link xtargets="2;2" status="auto"/></linkGrp></cesAlign>
"""


@pytest.mark.parametrize("jobs", [[], ["--journal", "j"]])
@pytest.mark.usefixtures("at_hand")
def test_score_filters_what_has_the_column(bitext, write, tmp_path, monkeypatch, jobs):
    monkeypatch.chdir(tmp_path)
    hyp = GOLD.replace(' status="man"', "").replace(' status="auto"', "")
    gold, hyp = write("gold.xces", GOLD), write("hyp.xces", hyp)
    found = bitext("score", gold, hyp, "-g", "alignment", "--json", "--where", "status=man", *jobs)
    row = json.loads(found.out)["rows"][0]
    assert (row["hits"], row["proposed"], row["expected"]) == (1, 2, 1)
    assert any("status=man" in note for note in json.loads(found.out)["notes"])


@pytest.mark.parametrize("bound", ["0.5", "9"])
def test_score_names_systems_without_the_column_and_a_condition_that_no_value_meets(
    bitext, write, bound
):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n")
    scored = write("scored.align", "[0]:[0]:0.9\n[1]:[1]:0.1\n")
    bare = write("bare.align", "[0]:[0]\n[1]:[1]\n")
    found = bitext("score", gold, scored, bare, "--where", f"score>={bound}", "-g", "alignment")
    assert (
        f"bare: files without the column 'score', not filtered by it: 1, first {bare}" in found.err
    )
    assert "gold: " not in found.err
    unmet = "scored: files without any bisegment that is score>=9: 1, first "
    assert (f"{unmet}{scored}: values of 'score': 0.1, 0.9" in found.err) == (bound == "9")


def test_signatures_of_scores_name_the_bisegments_that_count(bitext, write):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n")
    scored = write("scored.align", "[0]:[0]:0.9\n[1]:[1]:0.1\n")
    links = [write(name, "0-0 1-1\n") for name in ("gold.pharaoh", "a.pharaoh")]

    def signature(*arguments):
        return json.loads(bitext("score", *arguments, "--json").out)["signature"]

    kept = ["--where", "score>=0.5", "--where", "score!=2"]
    assert "|where:score>=0.5|where:score!=2|drafts:yes|" in signature(
        gold, scored, *kept, "--drafts"
    )
    assert "|drafts:yes|" in signature(*links, "--drafts")
    plain = signature(gold, scored)
    assert "where" not in plain
    assert "drafts" not in plain


def test_score_refuses_a_column_that_nothing_has(bitext, write):
    gold = write("gold.xces", GOLD)
    found = bitext("score", gold, gold, "--where", "statu=man")
    assert found.status == 2
    assert "did you mean 'status'?" in found.err


def test_in_python(write):
    path = write("a.po", PO)
    found = package.read(path, where="msgctxt=menu")
    assert len(found.alignment) == 2
    assert any("not msgctxt=menu, left out" in note.kind for note in found.notes)
    assert len(package.read(path, where=["msgctxt=menu", "msgctxt!=menu"]).alignment) == 0


DRAFT = """\
<xliff version="1.2"><file original="a" source-language="en" target-language="de"
datatype="plaintext"><body>
<trans-unit id="1"><source>Share</source><target state="needs-translation">Share</target>
</trans-unit>
<trans-unit id="2"><source>Open</source><target state="final">Auf</target></trans-unit>
</body></file></xliff>
"""


def test_what_is_no_translation_by_its_state_is_told_and_taken_with_an_option(bitext, write):
    path = write("a.xlf", DRAFT)
    found = bitext("convert", path, "-", "--to", "tsv")
    assert "Share\t\t1\tneeds-translation\tShare" in found.out
    assert "(state=needs-translation), read as not translated" in found.err
    assert "(--drafts reads them as translations): 1, first" in found.err
    found = bitext("convert", path, "-", "--to", "tsv", "--drafts")
    assert "Share\tShare\t1\tneeds-translation" in found.out
    assert "read as translations (--drafts): 1, first" in found.err
    assert bitext("convert", path, "-", "--to", "tsv", "--where", "state=final").out == (
        "src\ttgt\tid\tstate\tdraft\nOpen\tAuf\t2\tfinal\t\n"
    )
    found = bitext("check", path)
    assert found.status == 1
    assert "warning" in found.out
    assert "(state=needs-translation), read as not translated" in found.out
    assert "1-0" in bitext("show", path).out
    assert "1-0" not in bitext("show", path, "--drafts").out
    found = bitext("score", path, path, "-g", "alignment", "--json", "--drafts")
    assert json.loads(found.out)["rows"][0]["expected"] == 2
    assert bitext("align", path, "-o", path.parent / "b.tmx", "--drafts").status == 0
