"""Places: in memory, on a web server, in an S3-compatible store, read and written by commands."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext.cli import align, cluster, compare, convert, main, merge, score, show, stats
from bitext.errors import FormatError, InputError, MissingExtraError, OptionError, masked
from bitext.formats.corpora import find_text, open_corpus
from bitext.formats.io import remote as places
from bitext.formats.io.output import write_together, write_whole
from bitext.formats.io.remote import two_files
from bitext.formats.io.source import open_source
from bitext.formats.writing import sizes_of
from reference.loopback import serving

BEADS = {
    "gold": "".join(f"[{n}]:[{n}]\n" for n in range(9)),
    "hyp": "".join(f"[{n}]:[{n}]\n" for n in range(9) if n % 4),
}
TEXT = "".join(f"a sentence {n}\n" for n in range(9))
LINKS = """<?xml version="1.0" encoding="utf-8"?>
<cesAlign version="1.0"><linkGrp targType="s" fromDoc="en/t.xml" toDoc="fr/t.xml">
<link xtargets="s1;s1 s2" id="L1"/></linkGrp></cesAlign>
"""
DOCUMENT = (
    '<?xml version="1.0" encoding="utf-8"?>\n<text><s id="s1">{}</s><s id="s2">b</s></text>\n'
)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, text in {**BEADS, "texts": TEXT}.items():
        Path(folder, "news").mkdir(parents=True)
        for k in range(3):
            Path(folder, "news", f"t{k}.txt").write_text(text, encoding="utf-8")
    Path("segments").mkdir()
    for k in range(3):
        Path("segments", f"t{k}.txt").write_text(f"{k + 2} 3 4\n", encoding="utf-8")
    for side, text in (("en", "good"), ("fr", "bon")):
        Path("links", side).mkdir(parents=True)
        Path("links", side, "t.xml").write_text(DOCUMENT.format(text), encoding="utf-8")
    Path("links", "t.xces.xml").write_text(LINKS, encoding="utf-8")
    Path("gold", ".hidden").write_bytes(b"x")


@pytest.fixture(scope="module")
def store():
    """Give the address of a bucket in an S3-compatible server."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    with pytest.MonkeyPatch.context() as patch:
        host, port = running.get_host_and_port()
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        import fsspec
        from s3fs import S3FileSystem

        # A worker that comes back to this module has a new server, but the buckets of the process:
        # clients that exist would ask the old server, and the bucket would be there.
        request = Request(f"http://{host}:{port}/moto-api/reset", method="POST")
        with urlopen(request, timeout=30) as answer:
            assert answer.status == 200
        S3FileSystem.clear_instance_cache()
        fsspec.filesystem("s3").mkdir("corpus")
        yield "s3://corpus"
    running.stop()


@pytest.fixture(params=["memory", "file", "s3"])
def root(request, corpus, tmp_path):  # noqa: ARG001 - it lies in the folder
    """Give an address under which the corpus lies, too."""
    fsspec = pytest.importorskip("fsspec")
    if request.param == "file":
        return f"file://{tmp_path}"
    at = request.getfixturevalue("store") if request.param == "s3" else "memory://corpus"
    at += f"/{request.node.name.partition('[')[0]}"
    system, inside = fsspec.core.url_to_fs(at)
    for path in sorted(path for path in Path().rglob("*") if path.is_file()):
        system.pipe_file(f"{inside}/{path}", path.read_bytes())
    return at


@pytest.fixture
def web(corpus):  # noqa: ARG001 - it is what is served
    pytest.importorskip("aiohttp")
    with serving(Path()) as (address, seen):
        yield address, seen


def read(name):
    with open_source(name) as source:
        return source.text()


def rows(path):
    return json.loads(read(path))["rows"]


def test_scores_are_those_of_files_here(root):
    given = ["--from", "vecalign", "--json", "--resamples", "0"]
    texts = [f"--{side}={{}}texts/{{name}}.txt" for side in ("src", "tgt")]
    score.run(["gold", "hyp", *(t.replace("{}", "") for t in texts), *given, "-o", "plain"])
    far = [t.replace("{}", f"{root}/") for t in texts]
    at = [f"{root}/gold", f"{root}/hyp", "--names", "hyp"]
    made = f"{root}/scores.jsonl.gz"
    score.run([*at, *far, *given, "-o", f"{root}/far.json.xz", "--store", made])
    assert rows(f"{root}/far.json.xz") == rows("plain")
    assert len(rows("plain")) > 20
    assert read(made).count("\n") == 3 * 6
    folder = [f"--{side}={root}/texts/" for side in ("src", "tgt")]
    score.run([*at, *folder, *given, "-o", "far", "--errors", "3"])
    assert rows("far") == rows("plain")


def test_folders_are_converted_to_folders(root, capsys, request):
    texts = ["--src={}texts/{name}.txt", "--tgt={}texts/{name}.txt", "--from", "vecalign"]
    here, far = ([t.replace("{}", at) for t in texts] for at in ("", f"{root}/"))
    convert.run(["gold", "made/", "--to", "jsonl", "-q", *here])
    given = [f"{root}/gold", f"{root}/made/", "--to", "jsonl", "--compress", "gz", *far]
    by_jobs = ["--journal", "j"] if root.startswith("s3") else []
    assert convert.run([*given, *by_jobs]) == 0
    for k in range(3):
        name = f"made/news/t{k}.jsonl"
        assert read(f"{root}/{name}.gz") == Path(name).read_text(encoding="utf-8")
    if not by_jobs:
        return
    name = f"{root}/made/news/t1.jsonl.gz"
    system, inside = places.file_system(name)
    system.rm_file(inside)
    capsys.readouterr()
    request.getfixturevalue("at_hand")
    assert convert.run([*given, *by_jobs]) == 0
    assert "2 documents were done before" in capsys.readouterr().err
    assert read(name)


def test_two_files_and_the_documents_of_links(root):
    convert.run([f"{root}/links/t.xces.xml", f"{root}/c.en,{root}/c.fr.bz2", "-q"])
    assert (read(f"{root}/c.en"), read(f"{root}/c.fr.bz2")) == ("good\n", "bon b\n")
    (one,) = bitext.read_all(f"{root}/c.{{en,fr.bz2}}")
    assert list(one.tgt.segments()) == ["bon b"]
    convert.run(["links/t.xces.xml", "c.tsv", "-q", "--root", f"{root}/links"])
    assert "good\tbon b" in read("c.tsv")
    outside = LINKS.replace("en/t.xml", "../links/en/t.xml")
    with write_whole(f"{root}/links/t.xces.xml") as out:
        out.write(outside)
    (one,) = bitext.read_all(f"{root}/links/t.xces.xml")
    assert any("outside the given roots" in note.kind for note in one.notes)


def test_segmentations_are_compared(root):
    given = ["--json", "--resamples", "0", "--metric", "pk"]
    compare.run(["segments", "segments", *given, "-o", "plain"])
    compare.run([f"{root}/segments/", f"{root}/segments", *given, "-o", f"{root}/far.json"])
    assert rows(f"{root}/far.json") == rows("plain")


def test_texts_are_aligned(root):
    for at in ("plain", root):
        for side, text in (("en", TEXT), ("fr", TEXT.replace("sentence", "phrase"))):
            for k in range(2):
                places.make_folder_of(f"{at}/{side}/t{k}.txt")
                with write_whole(f"{at}/{side}/t{k}.txt") as out:
                    out.write(text)
        align.run([f"{at}/en", f"{at}/fr", "-o", f"{at}/aligned/", "--to", "jsonl", "-q"])
        align.run([f"{at}/en/t1.txt", f"{at}/fr/t1.txt", "-o", f"{at}/one.tsv.gz", "-q"])
    for name in ("aligned/t0.jsonl", "aligned/t1.jsonl", "one.tsv.gz"):
        assert read(f"{root}/{name}") == read(f"plain/{name}")


def test_lattices_are_written(root):
    with write_whole(f"{root}/c.txt") as out:
        out.write("a fire broke out\na fire began\n")
    given = ["--parser", "none", "--preset", "V1", "-q"]
    cluster.run([f"{root}/c.txt", "-o", f"{root}/c.json", "--html", f"{root}/c.html", *given])
    assert json.loads(read(f"{root}/c.json"))["nodes"]
    assert "<html" in read(f"{root}/c.html")
    cluster.run([f"{root}/c.txt", "-o", f"{root}/lattices/", "--to", "dot", *given])
    assert "digraph" in read(f"{root}/lattices/c.dot")


def test_manifests_name_places(root):
    given = ["--from", "vecalign", "--json", "--resamples", "0"]
    lines = [{"text": f"t{k}", "path": f"{root}/hyp/news/t{k}.txt"} for k in range(3)]
    Path("hyps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with write_whole(f"{root}/golds.tsv.gz") as out:  # relative to where it is
        out.write("text\tpath\n" + "".join(f"t{k}\tgold/news/t{k}.txt\n" for k in range(3)))
    score.run([f"{root}/golds.tsv.gz", "hyps.jsonl", *given, "-o", "far", "--names", "hyp"])
    score.run(["gold", "hyp", *given, "-o", "plain"])
    assert [row["f1"] for row in rows("far")] == [row["f1"] for row in rows("plain")]
    found = open_corpus(f"{root}/golds.tsv.gz")
    assert found.entries["t1"].path == f"{root}/gold/news/t1.txt"


def test_what_fails_leaves_the_old(root):
    with write_whole(f"{root}/a.txt") as out:
        out.write("old")
    Path("b").write_text("old")
    for names in ([f"{root}/a.txt", "b"], [f"{root}/a.txt", f"{root}/new.txt"]):
        with pytest.raises(KeyError), write_together(names) as outs:
            outs[0].write("new" * 100_000 + {}["none"])
    assert (read(f"{root}/a.txt"), read("b")) == ("old", "old")
    assert sizes_of(f"{root}/a.txt,{root}/new.txt") == [3, -1]
    with pytest.raises(InputError, match=r"new\.txt: .*no such file"):
        open_source(f"{root}/new.txt")
    with pytest.raises(InputError, match="is the same file as"):
        convert.run([f"{root}/a.txt", f"{root}/a.txt", "--to", "tsv"])


def test_a_file_that_cannot_be_sent_stops_those_of_here(monkeypatch, tmp_path):
    def refuse(*_):
        raise InputError("x://y: cannot be written")

    monkeypatch.setattr("bitext.formats.io.output.upload", refuse)
    here = tmp_path / "a"
    with pytest.raises(InputError, match="cannot be written"), write_together([here, "x://y"]):
        pass
    assert not list(tmp_path.iterdir())


def test_web_addresses(web):
    address, seen = web
    given = ["--from", "vecalign", "--json", "--resamples", "0", "--names", "hyp"]
    score.run(["gold", "hyp", *given, "-o", "plain"])
    score.run([f"{address}/gold/", f"{address}/hyp/", *given, "-o", "far"])
    assert [row["f1"] for row in rows("far")] == [row["f1"] for row in rows("plain")]
    assert read(f"{address}/moved/texts/news/t1.txt") == TEXT
    with write_whole(f"{address}/new/t.txt.gz") as out:
        out.write(TEXT * 1000)
    assert gzip.decompress(Path("new/t.txt.gz").read_bytes()).decode() == TEXT * 1000
    assert read(f"{address}/new/t.txt.gz") == TEXT * 1000
    assert read(f"{address}/locked/texts/news/t1.txt?token=open") == TEXT
    assert any("token=open" in each for each in seen)
    found = open_corpus(f"{address}/locked/texts/news/t1.txt?token=open")
    assert list(found.entries) == ["t1"]


def test_what_goes_wrong_on_the_web_is_told(web, monkeypatch):
    address, _ = web
    name = "texts/news/t1.txt"
    with pytest.raises(InputError, match=r"none\.txt: cannot be read: no such file; check the a"):
        open_source(f"{address}/none.txt")
    with pytest.raises(FormatError, match=r"t1\.txt: cannot be read: .*; check the address and"):
        read(f"{address}/cut/{name}")
    with pytest.raises(InputError, match=r"\*\*\*@.*t1\.txt: cannot be read: refused: 403") as told:
        open_source(f"{address.replace('//', '//me:hush@')}/locked/{name}?token=secret1")
    assert "secret1" not in str(told.value)
    assert "hush" not in str(told.value)
    with pytest.raises(InputError, match="cannot be written"), write_whole(f"{address}/readonly"):
        pass
    with pytest.raises(InputError, match=r"nothing/: is empty, or not there|cannot be listed"):
        open_corpus(f"{address}/nothing/")
    system, _ = places.file_system(address)
    assert (system.client_kwargs["timeout"].total, system.client_kwargs["timeout"].sock_read) == (
        None,
        60,
    )
    short = pytest.importorskip("aiohttp").ClientTimeout(sock_read=0.3)
    settings = pytest.importorskip("fsspec.config").conf
    monkeypatch.setitem(settings, "http", {"client_kwargs": {"timeout": short}})
    with pytest.raises(FormatError, match=r"cannot be read: no answer in time; try again"):
        read(f"{address}/slow/{name}")
    with pytest.raises(InputError, match=r"cannot be read: .*; check the address and the network"):
        open_source("http://127.0.0.1:9/x")


def test_pages_of_folders_are_followed_and_their_other_links_are_not(web):
    address, _ = web
    Path("pages/sub").mkdir(parents=True)
    Path("pages/sub/index.html").write_text('<a href="../">../</a><a href="c.txt">c</a>')
    page = """<a href="?C=N;O=D">Name</a><a href="/">Parent Directory</a><a href="#top">top</a>
        <a href="a%20b.txt">a b</a><a href="A&amp;B%23.txt">A&amp;B</a>
        <a href="sub/?C=M">by date</a><a href="sub/">sub</a><a href=".git/">.git</a>
        <a href="mailto:x@y">mail</a>"""
    Path("pages/index.html").write_text(page)
    for name in ("a b.txt", "A&B#.txt", "sub/c.txt"):
        Path("pages", name).write_text(name)
    found = list(places.files_at(f"{address}/pages/"))
    assert [name for name, _ in found] == ["A&B#.txt", "a b.txt", "sub/c.txt"]
    assert [read(url) for _, url in found] == [name for name, _ in found]
    Path("pages/index.html").write_text(page + '<a href="gone/">gone</a>')
    with pytest.raises(InputError, match="pages/gone/: cannot be listed: no such file"):
        list(places.files_at(f"{address}/pages/"))


def test_a_server_that_cannot_answer_has_no_less_files(web):
    address, _ = web
    assert places.size_at(f"{address}/none.txt") is None
    assert places.size_at(f"{address}/locked/none.txt") is None
    with pytest.raises(InputError, match=r"busy/a\.xml: cannot be reached: 503, .*try again"):
        places.size_at(f"{address}/busy/a.xml")
    Path("links/t.xces.xml").write_text(LINKS.replace("en/t.xml", "busy/t.xml"))
    with pytest.raises(InputError, match=r"busy/t\.xml: cannot be reached: 503"):
        list(bitext.read_all("links/t.xces.xml", roots=[address]))


def test_names_of_documents_on_the_web_may_have_marks_of_addresses(web):
    address, _ = web
    Path("links/en/t.xml").rename("links/en/Why? #1.xml")
    Path("links/t.xces.xml").write_text(LINKS.replace("en/t.xml", "en/Why? #1.xml"))
    (one,) = bitext.read_all("links/t.xces.xml", roots=[f"{address}/links"])
    assert list(one.src.segments()) == ["good", "b"]
    pattern = find_text(f"{address}/links/en/{{name}}.xml", "Why? #1", option="src")
    assert "good" in read(pattern)


def test_objects_are_as_large_as_they_are_now(store):
    fsspec = pytest.importorskip("fsspec")
    other = fsspec.filesystem("s3", skip_instance_cache=True)
    for name in ("now/a.txt", "now/folder/"):
        other.pipe_file(f"corpus/{name}", b"a\n" * (name[-1] != "/"))
    assert not places.is_folder_at(f"{store}/now/a.txt")
    assert places.is_folder_at(f"{store}/now")
    assert [name for name, _ in places.files_at(f"{store}/now")] == ["a.txt"]
    other.pipe_file("corpus/now/a.txt", b"a\nb\nc\n")
    assert (places.size_at(f"{store}/now/a.txt"), read(f"{store}/now/a.txt")) == (6, "a\nb\nc\n")
    other.pipe_file("corpus/now/b.txt", b"b\n")
    assert read(f"{store}/now/b.txt") == "b\n"


def test_tables_and_pages_show_no_credentials(web, capsys):
    Path("p.tsv").write_text("Fog fell.\tLe brouillard tombait.\n")
    name = f"{web[0].replace('//', '//me:hush@')}/p.tsv?token=hush"
    for command in (stats, show):
        assert command.run([name, "--html", "page.html"]) == 0
        assert "hush" not in Path("page.html").read_text(encoding="utf-8")
    assert stats.run([name, "--json"]) == 0
    assert "/p.tsv" in (out := capsys.readouterr().out)
    assert "hush" not in out


def test_a_file_that_changes_while_it_is_read_is_named_so():
    class Changed:
        def read(self, _):
            raise OSError(16, "The remote file no longer exists.")

        def close(self):
            pass

    with pytest.raises(FormatError, match="x: cannot be read: the file changed while it was read"):
        places.RemoteReader(Changed(), "x").read(5)


def test_a_short_file_is_no_end():
    class Short:
        size = 10

        def read(self, _):
            return b""

    with pytest.raises(FormatError, match=r"x: ends after 0 of 10 bytes; try again"):
        places.RemoteReader(Short(), "x").read(5)


def test_what_is_wrong_with_a_place_is_told(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match=r"memory://nowhere: cannot be read: no such file"):
        open_corpus("memory://nowhere")
    with pytest.raises(InputError, match="cannot be reached"):
        open_corpus("quux://x")
    with (
        pytest.raises(InputError, match="is a folder; name a file in it"),
        write_whole("memory:///"),
    ):
        pass
    with pytest.raises(InputError, match="a journal is added to line by line"):
        score.run(["gold", "hyp", "--journal", "memory://j"])
    with pytest.raises(InputError, match="the journals of shards are read here"):
        merge.run(["-", "memory://j"])
    with pytest.raises(OptionError, match="folders of pages are written here"):
        score.run(["gold", "hyp", "--html", "memory://pages/"])
    with pytest.raises(InputError, match="documents are written here only"):
        convert.run(["a", "b.xces.xml", "--write-documents", "memory://d"])
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "told"), [
    ('{"text": "a", "path": "b", "odd": 1}\n', r"line 1: the manifest has a column 'odd'; want te"),
    (f"text\tpath\t{'odd' * 999}\n", r"line 1: the manifest has a column 'odd\w{1,57}; want text"),
    ('{"text": "a", "path": "b"}\n[]\n', "line 2: is not a JSON object"),
    ('{"text": "a", "path": ["b"]}\n', "line 1: has 'path' that is not a string"),
    ('{"text": "a", "path": ""}\n', "line 1: lacks its text or its path"),
    ("text\tpath\na\tb\na\tc\n", "line 3: names 'a' again"),
    ("text\tpath\n", "the manifest names no text; want a line each"),
    ("text\tpath\na\tb\tc\n", "line 2: has 3 columns; the first line names 2"),
])  # fmt: skip
def test_a_manifest_that_is_none_is_refused(tmp_path, name, told):
    path = tmp_path / "m"
    path.write_text(name, encoding="utf-8")
    for where in (str(path), f"file://{path}"):
        with pytest.raises(FormatError, match=f"m:? ?{told}"):
            open_corpus(where)


@pytest.mark.parametrize(("name", "package", "extra"), [
    ("s3://bucket/gold/", "fsspec", "places"),
    ("http://127.0.0.1:9/x", "aiohttp", "places"),
    ("s3a://bucket/gold/", "s3fs", "s3"),  # the package for s3:// may have been imported by then
])  # fmt: skip
def test_the_missing_package_is_named(monkeypatch, capsys, name, package, extra):
    pytest.importorskip("fsspec")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'bitext\[{extra}\]'"):
        open_corpus(name)
    assert main.main(["convert", name, "-", "--to", "tsv"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_address_is_two_only_where_both_are_addresses():
    assert two_files("s3://b/c.{en,fr}.gz") == ("s3://b/c.en.gz", "s3://b/c.fr.gz")
    assert two_files("s3://b/c.en,s3://b/c.fr") == ("s3://b/c.en", "s3://b/c.fr")
    assert two_files("here.en,s3://b/c.fr") == ("here.en", "s3://b/c.fr")
    assert two_files("https://example.org/a,b.txt") is None


SAFE = st.text(st.sampled_from("abXY09_-./~%+="), min_size=1, max_size=12)


@given(user=SAFE, key=SAFE, query=SAFE, before=SAFE, after=SAFE)
def test_no_message_holds_what_an_address_hides(user, key, query, before, after):
    hidden = [f"<{part.replace('/', '')}>" for part in (user, key, query)]
    address = f"s3://{hidden[0]}:{hidden[1]}@b/{before}?t={hidden[2]}"
    for told in (str(InputError(f"{address}: {after}")), masked(f"'{address}' {address}\n{after}")):
        assert not any(part in told for part in hidden)
        assert told.endswith(after)
    error = FormatError(f"{address} is it", path=address)
    assert not any(part in f"{error} {error.path} {error.message}" for part in hidden)
    assert masked(f"no address: {before}?{after}") == f"no address: {before}?{after}"


def test_documents_told_as_json_hide_it(web, capsys):
    address, _ = web
    at = f"{address}/locked/gold/news/t1.txt?token=open"
    main.main(["score", at, at, "--names", "a", "--json", "--from", "vecalign", "--store",
               "s.jsonl", "-v", "-o", "out"])  # fmt: skip
    main.main(["convert", at, "c.jsonl", "--from", "vecalign", "--json", "--keep-going"])
    told = capsys.readouterr()
    held = told.out + told.err + read("out") + read("s.jsonl")
    assert "locked" in held
    assert "open" not in held.replace("opened", "")


def test_nothing_is_imported_for_files_of_here(tmp_path):
    import subprocess

    (tmp_path / "g").write_text(BEADS["gold"])
    code = (
        "import sys; from bitext.cli import main; "
        "main.main(['score', 'g', 'g', '--from', 'vecalign', '-o', 'out']); "
        "sys.exit('fsspec' in sys.modules)"
    )
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, cwd=tmp_path, env=os.environ, check=False).returncode == 0
