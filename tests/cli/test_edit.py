"""`bitext edit`: projects of texts, alignments and pages; what is refused; the server it starts."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from bitext.workbench.changes import Splice
from bitext.workbench.exchange import compose_documents
from bitext.workbench.project import Project

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ORCHARD = [FIXTURES / "orchard" / f"orchard.{lang}" for lang in ("en", "fr")]
WAIT = 60  # seconds for a process


@pytest.fixture
def edit(bitext, tmp_path, monkeypatch):
    """Runs the command without a server, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return bitext("edit", *arguments, "--no-server", "--annotator", "anna")

    return run


def opened(name, number=2):
    with Project(name) as project:
        return project.info(number), project.rows(number)[1], project.alignments()


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def confirm_first(name):
    with Project(name) as project:
        bead = project.rows(2)[1]["beads"][0]
        splice = Splice("beads", 0, (bead,), (bead._replace(state="confirmed"),))
        project.change(2, [splice], name="confirm", annotator="anna")


@pytest.mark.usefixtures("edit")
def test_costs_are_no_probabilities_and_scores_that_may_be_are_noted(bitext, write):
    src = "<sourcelist><segment>One.</segment></sourcelist>"
    tgt = "<targetlist><segment>Un.</segment></targetlist>"
    scored = f'<alignment score="0.25">{src}{tgt}</alignment>'
    write("m.al", f"<alignmentlist>{scored}</alignmentlist>")
    write("v.vecalign", "[0]:[0]:0.25\n")
    ways = ["--src", write("a.en", "One.\n"), "--tgt", write("a.fr", "Un.\n")]
    found = bitext("edit", "m.al", "--no-server")
    assert (found.status, "may be costs" in found.err) == (0, False)
    assert opened("m.bitext")[1]["beads"][0].probability is None
    assert bitext("convert", "m.bitext", "back.al").status == 0
    assert 'score="0.25"' in Path("back.al").read_text()
    found = bitext("edit", "v.vecalign", *ways, "--no-server")
    assert "taken as probabilities, though they may be costs (lower is better): 1" in found.err
    assert opened("v.bitext")[1]["beads"][0].probability == 0.25


def test_notes_name_the_command_of_options_that_edit_has_not(edit, write):
    text = "One rose early. Two slept late. Three stayed there.\n" * 2
    made = edit(write("a.en", text), write("a.de", text.replace("One", "Eins")))
    assert "split into sentences (--sentences of bitext align: each line is one)" in made.err


def test_notes_name_options_that_edit_has_as_they_are(edit, write):
    text = write("a.txt", "".join(f"It rained on day {k}.\n" for k in range(9)))
    made = edit("--segment", text, "--from", "text")
    assert "taken as one segment (labels: --from labels)" in made.err
    made = edit(write("t.csv", "English,French\nIt rained.,Il pleuvait.\n"))
    assert "taken as a header (--no-head reads them as texts)" in made.err


def test_an_annotator_who_gets_nothing_without_a_server_is_noted(edit, bitext, write):
    pair = write("a.en", "It rained.\n"), write("a.de", "Es regnete.\n")
    note = "a.bitext: has nothing of ben yet"
    assert "nothing of" not in edit(*pair, "--project", "a.bitext").err
    assert "nothing of" not in edit("a.bitext").err
    for files in (("a.bitext",), (*pair, "--project", "a.bitext")):
        assert note in bitext("edit", *files, "--no-server", "--annotator", "ben").err
    assert "nothing of" not in bitext("edit", "a.bitext", "--no-server").err


def test_a_document_of_a_name_that_is_taken_is_numbered_and_exported(edit, bitext, write):
    """As when a text has changed since, and is added again."""
    for text in ("Es regnete.\n", "Es goss.\n", "Es schüttete.\n"):
        pair = write("a.en", "It rained.\n"), write("a.de", text)
        made = edit(*pair, "--project", "a.bitext")
    assert "the name of another of the project, named anew: 1, first a-en-de: a-en-de-3" in made.err
    assert bitext("convert", "a.bitext", "out/", "--to", "tsv").status == 0
    assert names_in(Path("out")) == ["a-en-de-2.tsv", "a-en-de-3.tsv", "a-en-de.tsv"]
    done = bitext("convert", "a.bitext", "one.tsv", "--documents", "a-en-de-2")
    assert (done.status, "Es goss." in Path("one.tsv").read_text()) == (0, True)


def test_a_file_name_may_have_bytes_that_are_no_utf_8(edit):
    pair = [os.fsdecode(b"caf\xe9.en"), os.fsdecode(b"caf\xe9.de")]
    for name, text in zip(pair, ("It rained.\n", "Es regnete.\n"), strict=True):
        try:
            Path(name).write_text(text)
        except OSError:
            pytest.skip("this system has no such names")
    made = edit(*pair)
    assert (made.status, made.lines()[0].endswith("1 document, annotators: anna")) == (0, True)
    with Project(os.fsdecode(b"caf\xe9-en-de.bitext")) as project:
        assert [project.name, project.info(1).name] == ["caf?-en-de"] * 2


def test_two_texts_are_aligned_into_a_project_and_opened_as_they_were_left(edit):
    made = edit(*ORCHARD)
    assert (made.status, made.out) == (0, "")
    assert made.lines()[0] == "note: orchard-en-fr.bitext: 1 document, annotators: anna"
    assert made.lines()[1].startswith("note: sentences aligned first: 59 beads of 1 text")
    info, rows, _ = opened("orchard-en-fr.bitext")
    assert (info.name, info.annotator) == ("orchard-en-fr", "anna")
    assert rows["beads"][1].probability == pytest.approx(0.98, abs=0.02)
    confirm_first("orchard-en-fr.bitext")
    again = edit(*ORCHARD)
    assert again.status == 0
    assert "is made of these files already, and is opened as it was left" in again.err
    assert opened("orchard-en-fr.bitext")[1]["beads"][0].state == "confirmed"


def test_a_project_that_was_left_empty_as_its_making_was_killed_is_made(edit):
    Project.create("orchard-en-fr.bitext", "orchard-en-fr").close()
    made = edit(*ORCHARD)
    assert (made.status, made.lines()[0].endswith("1 document, annotators: anna")) == (0, True)


def test_texts_that_positions_count_are_files_of_a_project_too(edit, write):
    gold = write("gold.align", "[0]:[0]:0.1\n")
    texts = "--src", write("a.en", "It rained.\n"), "--tgt", write("a.de", "Es regnete.\n")
    assert edit(gold, *texts).status == 0
    assert "made of these files already" in edit(gold, *texts).err
    write("a.de", "Es goss.\n")
    refused = edit(gold, *texts)
    assert (refused.status, "was made of other files" in refused.err) == (2, True)


def test_a_project_that_has_the_name_by_chance_is_not_touched(edit, write):
    edit(*ORCHARD)
    before = Path("orchard-en-fr.bitext").read_bytes()
    others = [write(f"b/orchard.{lang}", "One.\nTwo.\n") for lang in ("en", "fr")]
    refused = edit(*others)
    assert refused.status == 2
    assert "orchard-en-fr.bitext: exists, and was made of other files" in refused.err
    assert Path("orchard-en-fr.bitext").read_bytes() == before
    added = edit(*others, "--project", "orchard-en-fr.bitext")
    assert added.lines()[0] == "note: orchard-en-fr.bitext: 2 documents, annotators: anna"


def test_alignments_folders_and_manifests_become_documents(edit, write):
    gold = FIXTURES / "coast"
    texts = ["--src", f"{gold}/text/{{name}}.en", "--tgt", f"{gold}/text/{{name}}.fr"]
    assert edit(gold / "gold", *texts, "--project", "coast.bitext").status == 0
    _, _, alignments = opened("coast.bitext")
    assert sorted({each.name for each in alignments}) == ["ferry", "lighthouse", "market"]
    table = write("pairs.tsv", "src\ttgt\nIt rained.\tIl pleuvait.\n")
    assert edit(table, "--project", "coast.bitext").status == 0
    assert opened("coast.bitext")[2][-1].name == "pairs"


def test_a_text_is_shared_whichever_side_it_stands_on(edit, write):
    """So that a third text leads from one to another, and a correction shows in both."""
    texts = {"de": "Es regnete.\nWir blieben.\n", "pl": "Padało.\nZostaliśmy.\n",
             "en": "It rained.\nWe stayed.\n"}  # fmt: skip
    names = {lang: write(f"a.{lang}", text) for lang, text in texts.items()}
    for pair in (("de", "pl"), ("pl", "en"), ("en", "de")):
        assert edit(*(names[each] for each in pair), "--project", "a.bitext").status == 0
    _, rows, alignments = opened("a.bitext", 4)
    infos = [each for each in alignments if each.annotator]
    assert [(each.source, each.target) for each in infos] == [(1, 2), (2, 3), (3, 1)]
    assert [row.id for row in rows["source"]] == ["t1", "t2"]  # as in the first alignment
    with Project("a.bitext") as project:
        (old,) = project.rows(infos[1].id)[1]["source"][:1]
        change = [Splice("source", 0, (old,), (old._replace(text="Padał deszcz."),))]
        project.change(infos[1].id, change, name="correct", annotator="anna")
        assert project.rows(infos[0].id)[1]["target"][0].text == "Padał deszcz."
        assert project.rows(compose_documents(project, infos[0].id, infos[1].id))[1]["beads"]
    # The file is no longer what the project has: it is another text, and a note says so.
    pl = write("b/a.pl", "Padało.\nZostaliśmy.\nI poszliśmy.\n")
    cs = write("b/a.cs", "Pršelo.\nZůstali jsme.\nA šli jsme.\n")
    added = edit(pl, cs, "--project", "b.bitext")
    assert "not shared" not in added.err
    write("b/a.pl", "Padało.\nZostaliśmy.\nPotem poszliśmy.\n")
    added = edit(pl, names["de"], "--project", "b.bitext")
    assert (
        "texts that are in the project with other sentences or ids, and are not shared: 1, "
        "first a-pl-de: a.pl" in added.err
    )


def test_folders_and_manifests_of_texts_are_aligned(edit, write):
    for name, sentences in (("one", "One.\nTwo.\n"), ("two", "Three.\nFour.\n")):
        write(f"en/{name}.txt", sentences)
        write(f"fr/{name}.txt", sentences)
    write("en/three.txt", "Nobody has translated it.\n")
    made = edit("en", "fr")
    assert made.lines()[0] == "note: en-fr.bitext: 2 documents, annotators: anna"
    assert "1 text of en without a partner, left out: three" in made.err
    names = [each.name for each in opened("en-fr.bitext")[2] if each.annotator]
    assert names == ["one", "two"]
    table = write("texts.tsv", "text\tsrc\ttgt\nfirst\ten/one.txt\tfr/one.txt\n")
    assert edit(table).status == 0
    assert [each.text for each in opened("texts.bitext")[1]["source"]] == ["One.", "Two."]
    numbered = [write(f"{side}2/{word} 1.txt", "One.\n") for side, word in (("a", "x"), ("b", "y"))]
    paired = edit(numbered[0].parent, numbered[1].parent).err
    assert "--pair-by" not in paired
    assert "'bitext align --dry-run' writes the pairs as a manifest" in paired


@pytest.mark.parametrize(
    ("first", "second", "project"),
    [
        ("a.de.txt", "a.fr.txt", "a-de-fr"),
        ("a b ü.de.txt", "a b ü.fr.txt", "a b ü-de-fr"),
        ("de.txt", "fr.txt", "de-fr"),
        ("a.txt", "a.fr.txt", "a-fr"),
        ("same.txt", "x/same.txt", "same"),
    ],
)
def test_a_project_is_named_after_what_tells_its_files_apart(edit, write, first, second, project):
    made = edit(*(write(name, "One.\nTwo.\n") for name in (first, second)))
    assert made.lines()[0].startswith(f"note: {project}.bitext: 1 document")


def test_a_port_in_use_is_refused_before_the_texts_are_aligned(
    bitext, write, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    texts = [write(name, "One.\nTwo.\n") for name in ("a.en", "a.fr")]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = bitext("edit", *texts, "--no-browser", "--port", str(port))
    assert refused.status == 2
    (line,) = refused.lines()
    assert line.startswith(f"bitext edit: 127.0.0.1 port {port}: Address already in use: end the")
    assert names_in(tmp_path) == ["a.en", "a.fr"]


def test_what_a_project_does_not_keep_is_told(edit, bitext, write):
    seg = "<seg>A <bpt i='1'>b</bpt>ferry<ept i='1'>b</ept></seg>"
    tuvs = "".join(f"<tuv xml:lang='{lang}'>{seg}</tuv>" for lang in ("en", "fr"))
    memory = f"<tmx version='1.4'><header srclang='en'/><body><tu>{tuvs}</tu></body></tmx>"
    made = edit(write("m.tmx", memory))
    assert not [line for line in made.lines() if "not kept" in line]
    paged = bitext("edit", "m.tmx", "--page", "m.html")
    assert paged.lines() == ["note: a page has no inline codes and no times: a project keeps them"]
    linked = edit(write("l.tsv", "src\ttgt\twords\tnull_links\nA b c\tC d\t0-0 1-1\t2-\n"))
    assert "note: bisegments whose links to no word are not kept: 1, first l" in linked.lines()


def test_a_page_is_written_and_comes_back(edit, bitext, write):
    table = write("pairs.tsv", "src\ttgt\nIt <b>rained</b>.\tIl pleuvait.\n")
    assert bitext("edit", table, "--page", "p.html").status == 0
    assert Path("p.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    first = Path("p.html").read_bytes()
    assert edit("p.html", "--project", "back.bitext").status == 0
    _, rows, _ = opened("back.bitext")
    assert rows["source"][0].text == "It <b>rained</b>."
    assert bitext("edit", "back.bitext", "--page", "q.html", "--annotator", "anna").status == 0
    assert len(Path("q.html").read_bytes()) == pytest.approx(len(first), rel=0.01)
    assert not [name for name in names_in(Path()) if name.endswith(("-wal", "-shm"))]


def test_a_page_in_which_changes_were_saved_is_not_written_over(bitext, write):
    table = write("pairs.tsv", "src\ttgt\nIt rained.\tIl pleuvait.\n")
    page = Path(table).with_name("p.html")
    for _ in range(2):  # without changes it is
        assert bitext("edit", table, "--page", str(page)).status == 0
    saved = page.read_text(encoding="utf-8").replace(
        '{"done":[],', '{"done":[{"name":"confirm","splices":[]}],'
    )
    page.write_text(saved, encoding="utf-8")
    done = bitext("edit", table, "--page", str(page))
    assert (done.status, "p.html: has changes that somebody saved" in done.err) == (2, True)
    assert page.read_text(encoding="utf-8") == saved


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "name a project, two texts, or alignments"),
        ("--segment", "name the text"),
        ("--project none.bitext", "none.bitext: no such file; name what it is made of"),
        ("none.bitext", "none.bitext: no such file"),
        ("bad.bitext", "bad.bitext: is no project, or damaged"),
        ("t.tsv p.bitext", "p.bitext: is a project, which is opened, and "),
        ("p.bitext --project q.bitext", "p.bitext: is a project, which is opened, and "),
        ("p.bitext p.bitext", "p.bitext: is named twice"),
        ("p.bitext ./p.bitext", "./p.bitext: is named twice"),
        ("p.bitext q.bitext --src a", "--src is for files that go into a project"),
        ("p.bitext q.bitext --page p.html", "--page is for one document, and there are 2 projects"),
        ("p.bitext bad.bitext", "p.bitext: no such file"),
        ("p.bitext --src a", "--src is for files that go into a project"),
        ("-", "standard input (-) cannot be part of a project: name a file"),
        ("t.tsv --project q.tmx", "--project q.tmx: want a name that ends with .bitext"),
        ("t.tsv --annotator ", "--annotator: want 1 to 200 printable characters"),
        ("t.tsv --port 70000", "--port 70000: want a number from 0 to 65535"),
        ("t.tsv --port x", "--port x: want a number from 0 to 65535"),
        ("t.tsv --host 0.0.0.0", "--host 0.0.0.0: others reach the server there"),
        ("t.tsv --password-file open", "open: others can read it: chmod 600 open"),
        ("t.tsv --password-file none", "none: cannot be read: No such file"),
        ("t.tsv --no-server --port 7", "--no-server: leave --port, --host"),
        ("t.tsv --split --no-server", "--split is for two texts, and t.tsv is read as a file"),
        ("t.tsv --page p.txt", "--page p.txt: want a name that ends with .html"),
        ("t.tsv --page p.html --no-server", "--page needs no server: leave"),
        ("a.en a.fr --columns src=1,tgt=2 --no-server", "--columns is for a file of alignments"),
        ("t.tsv --page p.html --project q.bitext", "--page writes no project"),
        ("t.tsv t2.tsv --page p.html", "--page is for one document, and there are 2"),
        ("gold.align --no-server", "gold: the source text is not known"),
        ("empty.tsv --no-server", "empty.tsv: "),
        ("a.en a.fr --src b --no-server", "--src is for a file of alignments, and a.en is a text"),
        ("t.tsv --project no/where.bitext --no-server", "no/where.bitext: cannot be created"),
        ("a.en a.fx --no-server", "a.fx: no such file; did you mean a.fr?"),
        (
            "a.en --no-server",
            "a.en: is in no format of alignments that bitext recognises; of a text",
        ),
        ("a.en a.fr t.tsv --no-server", "recognises; of texts name two, the source first"),
        ("a.en old.doc --no-server", "old.doc: is an Office document"),
        ("old.doc a.en --no-server", "old.doc: is an Office document"),
        ("a.en t.tsv --no-server", "t.tsv: is a file of alignments (tsv), not a text"),
        ("a.en held --no-server", "held is a folder and a.en a file"),
        ("held --no-server", "held: is a folder of both texts or of one?"),
        (
            "files.tsv --no-server",
            "files.tsv line 1: begins with 'src\\ttgt'; a manifest begins with",
        ),
        ("none.en none.fr --no-server", "none.en: has no sentence, and its translation none"),
        ("dir.bitext --no-server", "dir.bitext: is a directory where a file is wanted"),
        ("bda.bitext --no-server", "bda.bitext: no such file; did you mean bad.bitext?"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_project_is_made(
    bitext, tmp_path, monkeypatch, write, arguments, told
):
    monkeypatch.chdir(tmp_path)
    for name in ("t.tsv", "t2.tsv"):
        write(name, "src\ttgt\nOne.\tUn.\n")
    for name in ("a.en", "a.fr"):
        write(name, "One.\nTwo.\n")
    write("empty.tsv", "")
    write("bad.bitext", "text " * 300)
    write("open", "anna:password\n").chmod(0o644)
    write("gold.align", "[0]:[0]\n")
    write("old.doc", "").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504))
    write("held/a.txt", "One.\n")
    write("files.tsv", "src\ttgt\na.en\ta.fr\n")
    write("none.en", "")
    write("none.fr", "")
    Path("dir.bitext").mkdir()
    before = names_in(tmp_path)
    given = arguments.split(" ") if arguments else []
    refused = bitext("edit", *given)
    assert refused.status == 2
    assert told in refused.err
    assert len(refused.lines()) == 1
    assert names_in(tmp_path) == before


def test_several_projects_and_folders_of_projects_are_opened(edit, write):
    for name in ("one", "two"):
        table = write(f"{name}.tsv", "src\ttgt\nOne.\tUn.\n")
        assert edit(table, "--project", f"{name}.bitext").status == 0
    before = [Path(f"{name}.bitext").read_bytes() for name in ("one", "two")]
    both = edit("one.bitext", "two.bitext")
    assert both.status == 0
    assert [line.split(":")[1] for line in both.lines()] == [" one.bitext", " two.bitext"]
    Path("held").mkdir()
    for name in ("one", "two"):
        Path(f"{name}.bitext").rename(Path("held", f"{name}.bitext"))
    write("held/a.txt", "words")
    folder = edit("held")
    assert folder.status == 0
    names = [line.split(":")[1] for line in folder.lines()]
    assert names == [" held/one.bitext", " held/two.bitext", " held"]
    assert "1 other file or folder in it" in folder.err
    assert [Path("held", f"{name}.bitext").read_bytes() for name in ("one", "two")] == before
    # A folder that is added to a project is read as alignments.
    assert "held" in edit("held", "--project", "p.bitext").err
    mixed = edit("held", "one.tsv")
    assert mixed.status == 2
    assert "one.tsv is not: name projects alone" in mixed.err


def test_a_failed_addition_leaves_the_project_as_it_was(edit, write):
    edit(write("t.tsv", "src\ttgt\nOne.\tUn.\n"), "--project", "p.bitext")
    before = opened("p.bitext")
    bad = edit(write("b.tmx", "<tmx><body>"), "--project", "p.bitext")
    assert bad.status == 2
    assert opened("p.bitext") == before


def test_a_missing_package_is_one_line_with_the_remedy(bitext, tmp_path, monkeypatch, write):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    refused = bitext("edit", write("t.tsv", "src\ttgt\nOne.\tUn.\n"))
    assert refused.status == 2
    told = "the server of bitext edit needs a package that is missing: pip install"
    assert refused.lines() == [f"bitext edit: {told} 'bitext[workbench]'"]
    assert names_in(tmp_path) == ["t.tsv"]


@pytest.mark.skipif(os.name == "nt", reason="Windows renames no file that is open")
@pytest.mark.parametrize("is_moved", [False, True])
def test_a_project_that_was_moved_is_not_said_to_have_every_change(
    bitext, tmp_path, monkeypatch, write, is_moved
):
    monkeypatch.chdir(tmp_path)
    write("t.tsv", "src\ttgt\nOne.\tUn.\n")

    def ended(*_, **__):
        if is_moved:
            Path("t.bitext").rename("u.bitext")
        raise KeyboardInterrupt

    monkeypatch.setattr("bitext.workbench.server.serve", ended)
    found = bitext("edit", "t.tsv", "--annotator", "anna", "--no-browser")
    assert (found.status != 0) is is_moved
    assert ("t.bitext has every change" in found.err) is not is_moved
    assert ("t.bitext: was moved, deleted or replaced" in found.err) is is_moved


def test_the_server_answers_its_link_alone_and_ends_with_ctrl_c(tmp_path, write):
    write("t.tsv", "src\ttgt\nOne.\tUn.\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "bitext", "edit", "t.tsv", "--annotator", "anna", "--no-browser"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(FIXTURES.parent)},
    )
    try:
        link = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}&open=2", link)
        place = link.partition("?")[0]
        with pytest.raises(urllib.error.HTTPError, match="401") as refused:
            urllib.request.urlopen(f"{place}api/project", timeout=WAIT)
        refused.value.close()
        with urllib.request.urlopen(link, timeout=WAIT) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        asked = urllib.request.Request(f"{place}api/project", headers={"Cookie": cookie})
        with urllib.request.urlopen(asked, timeout=WAIT) as answer:
            assert b'"annotator":"anna"' in answer.read()
        # Also while somebody looks on, and others have sent half of a request.
        host = place.split("/")[2]
        head = f"Host: {host}\r\nCookie: {cookie}\r\nX-Bitext: 1\r\nOrigin: {place[:-1]}\r\n"
        head += "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n"
        with ExitStack() as held:
            for begun in (
                f"GET /api/alignments/2/events HTTP/1.1\r\n{head.format(0)}",
                f"POST /api/import HTTP/1.1\r\n{head.format(1000)}{{",
                "GET / HT",
            ):
                at = (host.partition(":")[0], int(host.partition(":")[2]))
                made = held.enter_context(socket.create_connection(at, timeout=WAIT))
                made.sendall(begun.encode())
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=WAIT)
    finally:
        process.kill()
        process.wait(WAIT)
    assert (process.returncode, out) == (0, "")
    assert err.splitlines()[-1] == "note: ended; t.bitext has every change"
    assert "Traceback" not in err
    assert names_in(tmp_path) == ["t.bitext", "t.tsv"]
