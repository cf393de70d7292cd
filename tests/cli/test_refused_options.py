"""Options that do not go together, or with what they are given: one line, with the remedy."""

from __future__ import annotations

import shlex
from zipfile import ZipFile

import pytest

LINKS = """<?xml version="1.0"?><cesAlign version="1.0">
<linkGrp fromDoc="en/a.xml" toDoc="fr/a.xml"><link xtargets="1;1"/></linkGrp></cesAlign>
"""


@pytest.fixture
def files(write, tmp_path, monkeypatch):
    """Small files of each kind, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write("a.en", "One.\nTwo.\n")
    write("a.fr", "Un.\nDeux.\n")
    write("a.tsv", "One.\tUn.\t0.5\nTwo.\tDeux.\thigh\n")
    write("c.txt", "Two men were shot in Milan in May .\nMen were shot near Milan .\n")
    write("ref.masses", "2,3\n")
    write("hyp.masses", "3,2\n")
    write("ref.jsonl", '{"id": "a", "masses": [2, 3]}\n')
    row = '{{"id": "a", "coder": "{}", "masses": [{}]}}\n'
    write("coders.jsonl", row.format("x", "5") + row.format("y", "2, 3"))
    write("p.bitext", "")
    write("doc.txt", "One.\n\nTwo.\n")
    write("no-folder", "x")
    write("c.tsv", "text\tpath\na\tcorpus/a.align\nb\tlost/b.align\n")
    write("corpus.xml", '<?xml version="1.0"?><cesAlign><linkGrp fromDoc="a"/></cesAlign>')
    for name in ("a", "b"):
        write(f"corpus/{name}.align", "[0]:[0]\n[1]:[1]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("align a.en a.fr --explain 1 -o out.tsv", "--explain prints, and -o writes: give one"),
        ("align a.en a.fr -o -", "-o - does not show the format: name it (--to)"),
        ("cluster c.txt --explain 1 2:men", "--explain '1': want SENTENCE:WORD, as 1:4 or 1:Milan"),
        ("cluster c.txt --explain 7:Milan 2:men", "--explain '7:Milan': no sentence '7' of 1 to 2"),
        (
            "cluster c.txt --explain 2:Rome 2:men",
            "no word 'Rome' in sentence 2: Men were shot near",
        ),
        ("cluster c.txt --explain 1:in 2:men", "sentence 1 has it as words 5, 7; give one"),
        ("cluster c.txt --per-cluster", "--per-cluster is for --report: give both"),
        ("cluster c.txt --parser none --parser-option a=b", "leave --parser none out"),
        ("cluster c.txt --parser-option model", "'model': want KEY=VALUE, as model=NAME"),
        ("cluster c.txt --by overlap --trees c.txt", "--trees names the trees of one cluster"),
        ("cluster c.txt --by overlap --threshold 1", "of 1 article go together: lower --threshold"),
        (
            "cluster c.txt --parser command --parser-option command=cat --parser-option timeout=0",
            "parser command: timeout is 0: want a number above 0",
        ),
        (
            "cluster c.txt --parser command --parser-option command=7",
            "parser command: command is 7",
        ),
        ("paraphrase .", ".: is a folder; 'bitext cluster . --by term' finds clusters among"),
        ("compare ref.masses hyp.masses --with-systems", "are for --agreement: give that, too"),
        ("convert a.tsv b.tmx --report r.tsv", "--report lists what --keep-going leaves out"),
        ("convert a.tsv b.tmx --score col3", "want numbers: name another (--score)"),
        ("paragraphs trian", "no task 'trian'; did you mean 'train'? the tasks: "),
        (
            "paragraphs score --methods semi-markov --split 80/20 --tune-offset doc.txt",
            "as 72/21/7",
        ),
        ("paragraphs train doc.txt -o m --features lenght", "'lenght' is none; did you mean"),
        ("show a.tsv --html out.html --beads 7-9", "--beads 7-9: a.tsv: "),
        (
            "convert a.tsv b.xces --write-documents no-folder",
            "is not a folder, and documents are",
        ),
        ("score a.tsv a.tsv --shard 1/2 --journal j -o x.json", "-o x.json: a shard writes its"),
        ("score a.tsv a.tsv --shard 1/2 --journal j --store x.jsonl", "--store x.jsonl: a shard"),
        ("compare ref.masses hyp.masses --shard 1/2 --journal j -o x", "-o x: a shard writes its"),
        ("cluster c.txt --shard 1/2 --journal j -o x.dot", "-o out, and give it to 'bitext merge'"),
        (
            "convert a.tsv out/ --to tsv --keep-going --report r --shard 1/1 --journal j",
            "--report r: a shard writes its part to --journal and no report: leave --report out",
        ),
        (
            "score corpus/ corpus/ --src a.en",
            "--src a.en: is one file, and corpus has 2 texts; give a folder, a pattern with {name}",
        ),
        (
            "score a.tsv a.tsv -g alignment --words unicode",
            "--words unicode is for the granularity word: add it (-g word), or leave --words out",
        ),
        ("score a.tsv a.tsv -g word,lax --characters grapheme", "for the granularity character: "),
        (
            "score a.tsv a.tsv --test bootstrap",
            "--test bootstrap is between systems, and there is one: give",
        ),
        (
            "score a.tsv a.tsv --resamples 0 --seed 3",
            "--seed 3 is for resamples, and --resamples 0",
        ),
        ("score a.tsv a.tsv --resamples 0 --confidence .9", "--confidence 0.9 is for resamples"),
        ("score a.tsv a.tsv --resamples 1", "--resamples 1: no interval is made of one: want more"),
        ("score a.tsv a.tsv --errors 0", "--errors 0: want 1 or more, or no number for all"),
        ("score a.tsv a.tsv --beads --format tsv", "--beads makes a second table, and tsv is one"),
        ("score a.tsv a.tsv --beads -o out.tsv", "give --json or --format table"),
        ("score a.tsv a.tsv -o no/x.tsv", "-o no/x.tsv: there is no folder no; make it"),
        ("sample a.tsv -n 1 -o no/x.tsv", "sample: no/x.tsv: no folder no; make it first"),
        ("convert a.tsv no/x.tsv", "No such file or directory; make the folder no first"),
        ("score a.tsv a.tsv -o corpus", "-o corpus: is a directory; name a file in it"),
        (
            "score corpus c.tsv",
            "c.tsv line 3 names lost/b.align: no such file, nor a folder",
        ),
        (
            "score c.tsv corpus/a.align",
            "c.tsv line 3 names lost/b.align: no such file, nor a folder",
        ),
        ("score c.tsv corpus -j 2 --max-failures 0", "c.tsv line 3 names lost/b.align: no such"),
        (
            "score corpus/a.align corpus/b.align --src corpus.xml",
            "names source segment 0, but corpus.xml has no segment: is it a text?; give the text",
        ),
        ("score corpus/ corpus/ --hyp-tgt a.fr -j 2", "--hyp-tgt a.fr: is one file, and corpus"),
        ("score a.tsv a.tsv --html memory://pages/", "folders of pages are written here: name one"),
    ],
)
@pytest.mark.usefixtures("at_hand")
def test_one_line_tells_the_remedy(bitext, files, command, told):
    before = sorted(files.iterdir())
    found = bitext(*command.split())
    assert (found.status, found.out) == (2, "")
    assert told in found.err
    assert len(found.lines()) == 1
    assert sorted(files.iterdir()) == before  # nothing was written


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("align a.en a.fr --title T", "--title is for a book: name one (-o OUT.epub)"),
        ("align a.en a.fr --columns src=1,tgt=2", "--columns is for a file of alignments as SRC"),
        ("align a.en a.fr --head", "--head is for a file of alignments as SRC, and a.en is a"),
        (
            "align a.en a.fr --learn-only --save-lexicon x --html x.html",
            "--learn-only ignores --html (nothing to do)",
        ),
        (
            "align a.en a.fr --explain 1 --min-score 0.5",
            "is about one bead only: leave --min-score",
        ),
        (
            "align a.en a.fr --learn-only --save-lexicon x --vectors a b",
            "--learn-only ignores --vectors (nothing to do)",
        ),
        (
            "cluster corpus --by overlap --from trees",
            "--from trees is for a cluster, and --by takes",
        ),
        ("compare coders.jsonl --agreement --names A", "--names is for files of one coder, and"),
        ("edit p.bitext --no-server --encoding latin-1", "--encoding is for files that go into a"),
        ("link a.en a.fr --columns src=1,tgt=2", "--columns is for a file of alignments"),
        ("compare ref.jsonl ref.jsonl --column 2", "--column is for files of labels, and there"),
        ("compare ref.jsonl ref.jsonl --texts one", "--texts is for files of labels, and there"),
        ("compare ref.masses hyp.masses --html - --strips 1", "--html - takes standard output"),
        ("score a.tsv a.tsv --html - --json", "--html - takes standard output"),
        ("score a.tsv a.tsv --memory-limit 99999999999999999999", "the memory limit is 9999"),
    ],
)
def test_options_without_an_effect_are_refused(bitext, files, command, told):
    before = sorted(files.iterdir())
    found = bitext(*command.split())
    assert (found.status, found.out) == (2, "")
    assert told in found.err
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("align a.en a.fr", "--drafts --no-head"),
        ("link a.en a.fr", "--drafts --no-head --base 0 --root ."),
        ("edit a.en a.fr --page p.html", "--drafts --no-head --base 0 --root . --port 8000"),
        ("compare ref.masses hyp.masses --html -", "--digits 2 --no-intervals"),
        ("paragraphs train doc.txt -o m --method quotes", "--seed 2 --format tsv"),
    ],
)
@pytest.mark.usefixtures("files")
def test_options_that_change_nothing_are_taken(bitext, command, more):
    usual, found = bitext(*command.split()), bitext(*command.split(), *more.split())
    assert (found.status, found.out) == (0, usual.out), found.err


@pytest.mark.parametrize("command", ["score {0} {0}", "stats {0}", "show {0}", "diff {0} {0}"])
def test_documents_lie_in_a_folder_or_an_archive(bitext, write, tmp_path, command):
    links = write("l.xml", LINKS)
    with ZipFile(tmp_path / "docs.zip", "w") as archive:
        for name in ("en/a.xml", "fr/a.xml"):
            archive.writestr(name, '<?xml version="1.0"?><text><s id="1">One.</s></text>')
    words = command.format(links).split()
    found = bitext(*words, "--root", tmp_path / "docs.zip")
    assert (found.status, "not found" in found.err) == (0, False), found.err
    refused = bitext(*words, "--root", "nowhere")
    assert refused.status == 2
    assert "folder, nor a ZIP archive; name the one where documents lie" in refused.err


@pytest.mark.usefixtures("files")
def test_a_file_that_is_given_twice_is_noted(bitext):
    kind = "files that are given more than once, {} each time: corpus/a.align"
    twice = ["corpus/a.align", "corpus/b.align", "corpus/a.align"]
    found = bitext("combine", *twice, "--by", "vote:2", "-o", "all.align")
    assert (found.status, kind.format("counted") in found.err) == (0, True)
    once = bitext("combine", *twice[:2], "-o", "all.align")
    assert (once.status, "more than once" in once.err) == (0, False)
    drawn = bitext("sample", "a.tsv", "a.tsv", "-n", 3, "-o", "drawn.tsv")
    assert "files that are given more than once, read each time: a.tsv" in drawn.err


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            "a\ta.en\n",
            "line 2: has 2 columns, or an empty one; want a text, its source and its tar",
        ),
        ("a\ta.en\t\n", "line 2: has 3 columns, or an empty one"),
        ("a\ta.en\ta.fr\n\na\ta.en\ta.fr\n", "line 4: names 'a' again; want once"),
    ],
)
def test_lines_of_a_manifest_are_checked(bitext, files, rows, told):
    (files / "list.tsv").write_text(f"text\tsrc\ttgt\n{rows}", encoding="utf-8")
    found = bitext("align", "list.tsv", "-o", "out/", "--to", "tsv")
    assert found.status == 2
    assert told in found.err
    assert not (files / "out").exists() or not list((files / "out").iterdir())


BIG = "9" * 5000


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (f"score corpus corpus --shard 1/{BIG} --journal j", "want I/N, as 1/8 to 8/8"),
        (f"score corpus corpus --resamples {BIG}", "is not a whole number"),
        (f"align a.en a.fr --to tsv --beads {BIG}-1", "want '4-1,1-4,2-2' or 'max 3-3'"),
        (f"align a.en a.fr --to tsv --beads 'max {BIG}-{BIG}'", "want '4-1,1-4,2-2' or 'max 3-3'"),
        (f"align a.en a.fr --explain {BIG}", "is not a whole number"),
        (f"cluster c.txt --explain {BIG}:men 2:men", "no sentence '999"),
        (f"cluster c.txt --explain 1:{BIG} 2:men", "no word '999"),
        (f"show corpus/a.align --beads {BIG}", "want A-B or A, as 120-140"),
        (f"show corpus/a.align --beads 1-{BIG}", "want A-B or A, as 120-140"),
    ],
)
@pytest.mark.usefixtures("files")
def test_numbers_of_five_thousand_digits(bitext, command, told):
    result = bitext(*shlex.split(command))
    assert (result.status, result.out, len(result.lines())) == (2, "", 1)
    assert told in result.err
    assert len(result.err) < 400


@pytest.mark.parametrize(
    "command",
    [
        "align a.en a.fr -o out.tsv",
        "cluster c.txt",
        "compare ref.masses hyp.masses",
        "diff a.tsv a.tsv",
        "paragraphs split doc.txt -o out.txt",
        "score a.tsv a.tsv",
        "show a.tsv",
        "stats a.tsv",
    ],
)
def test_a_page_has_no_name_of_another_format(command, files, bitext):
    for name in ("page.pdf", "page.tsv.gz"):
        refused = bitext(*shlex.split(command), "--html", name)
        assert refused.status == 2
        assert f"--html {name}: has the name of" in refused.lines()[-1]
        assert not (files / name).exists()


def test_agreement_of_files_is_of_other_commands(bitext, tmp_path):
    path = tmp_path / "a.masses"
    path.write_text("5,3\n")
    for given in ([path], [path, path]):
        found = bitext("agreement", *given)
        assert found.status == 2
        assert "files of segmentations: 'bitext compare A B --agreement'" in found.err


@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("stats a.tsv", 1),
        ("sample a.tsv -n 1 --to tsv", 1),
        ("split 50/50 a.tsv -o parts", 1),
        ("link a.tsv", 1),
        ("edit a.tsv --page p.html", 1),
        ("score a.tsv a.tsv -g alignment", 1),
        ("diff a.tsv a.tsv", 2),
        ("combine a.tsv a.tsv -o o.tmx", 2),
        ("diff corpus/a.align a.tsv", 0),
        ("score corpus/a.align a.tsv -g alignment", 0),
    ],
)
@pytest.mark.usefixtures("files")
def test_texts_named_beside_files_that_hold_their_own_are_noted(bitext, command, number):
    found = bitext(*command.split(), "--src", "a.en", "--tgt", "a.fr", "-v")
    note = f"own, not read: {number}, first a.tsv: tsv (--src, --tgt)"
    assert found.status in {0, 1}
    assert (note in found.err) == (number > 0), found.err


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("align a.en a.fr --drafts", "--drafts"),
        ("link a.en a.fr --drafts --root .", "--drafts and --root"),
        ("edit a.en a.fr --page p.html --base 0", "--base"),
        ("align a.tsv --drafts", ""),
        ("edit a.tsv --page p.html --drafts", ""),
    ],
)
@pytest.mark.usefixtures("files")
def test_options_of_alignments_beside_texts_are_noted(bitext, command, named):
    found = bitext(*command.split())
    note = f"note: {named}: for files of alignments, and of no effect on texts"
    assert (found.status, note in found.err) == (0, bool(named)), found.err


@pytest.mark.parametrize(
    ("options", "noted"),
    [("--seed 3", True), ("--seed 3 --interval bootstrap", False), ("--interval bootstrap", False)],
)
@pytest.mark.usefixtures("files")
def test_a_seed_of_agreement_where_nothing_is_drawn_is_noted(bitext, options, noted):
    found = bitext("compare", "coders.jsonl", "--agreement", *options.split())
    assert (found.status, "--seed: no effect, as nothing is drawn" in found.err) == (0, noted)


@pytest.mark.usefixtures("files")
def test_names_of_coders_are_for_files_of_one(bitext):
    given = "compare coders.jsonl --ref hyp.masses --agreement --names A,Bea --json"
    found = bitext(*given.split())
    assert (found.status, '"coders": ["x", "y", "Bea"]' in found.out) == (0, True), found.err


@pytest.mark.usefixtures("files")
def test_options_of_texts_beside_documents_are_noted(bitext, write):
    write("a.html", "<p>One dog barks.</p>")
    found = bitext("align", "a.html", "a.fr", "--dialogue", "-v")
    assert "documents, so --dialogue is of no use: 1, first a.html" in found.err


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("convert a.tsv out/ --to jsonl", ["--format latex", "--digits 2", "--store s.jsonl"]),
        ("stats a.tsv", ["--no-intervals", "--store s.jsonl"]),
        ("diff a.tsv a.tsv", ["--digits 2"]),
    ],
)
@pytest.mark.usefixtures("files", "at_hand")
def test_options_of_merge_that_its_shards_have_no_use_for(bitext, files, command, options):
    assert bitext(*command.split(), "--shard", "1/1", "--journal", "part").status in {0, 1}
    for option in options:
        found = bitext("merge", "whole", "part", *option.split())
        told = f"{option.split()[0]}: 'bitext {command.split()[0]}' has no use for it; leave it out"
        assert (found.status, told in found.err) == (2, True)
    assert not (files / "whole").exists()


@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("show a.tsv", 1),
        ("convert a.tsv o.jsonl", 1),
        ("link a.tsv", 1),
        ("stats a.tsv", 1),
        ("diff a.tsv a.tsv", 2),
        ("score a.tsv a.tsv -g alignment", 1),
        ("diff from1.align a.tsv --src a.en --tgt a.fr", 0),
        ("show links.tsv", 0),
        ("show from1.align --src a.en --tgt a.fr", 0),
        ("show ids.jsonl --src a.en --tgt a.fr", 0),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_base_beside_bisegments_without_positions_is_noted(bitext, write, command, number):
    write("links.tsv", "src\ttgt\twords\nA b\tC d\t1-1 2-2\n")
    write("from1.align", "[1]:[1]\n[2]:[2]\n")
    write("ids.jsonl", '{"src": [1], "tgt": [1]}\n{"src": [2], "tgt": [2]}\n')
    found = bitext(*command.split(), "--base", 1, "-v")
    note = f"without positions, not used: {number}, first a.tsv: tsv (--base)"
    assert found.status in {0, 1}, found.err
    assert (note in found.err) == (number > 0), found.err


@pytest.mark.usefixtures("files")
def test_a_base_without_positions_is_no_fault_of_a_file(bitext):
    found = bitext("check", "a.tsv", "--base", 0)
    assert (found.status, "remark\ta.tsv\t\t1\ta base beside" in found.out) == (0, True)
