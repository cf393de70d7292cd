"""Hostile files from end to end: one line, status 2, no output, in little time."""

import bz2
import gzip
import lzma
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import zstandard

from bitext.formats.io import source as opening
from bitext.formats.io.compression import Limits
from bitext.formats.registry import all_formats

SECRET = "the secret of the house"
HEAD = '<?xml version="1.0" encoding="utf-8"?>'
TEMPLATES = {
    "tmx": (
        '<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" '
        'o-tmf="t" adminlang="en" srclang="en" datatype="plaintext"/><body><tu tuid="1"{a}>'
        '<tuv xml:lang="en"><seg>{x}</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu></body>'
        "</tmx>"
    ),
    "xliff12": (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="f" '
        'source-language="en" target-language="fr" datatype="plaintext"><body>'
        '<trans-unit id="1"{a}><source>{x}</source><target>b</target></trans-unit></body></file>'
        "</xliff>"
    ),
    "sdlxliff": (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" '
        'xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"><file original="f" '
        'source-language="en" target-language="fr" datatype="plaintext"><body>'
        '<trans-unit id="1"{a}><source>{x}</source><target>b</target></trans-unit></body></file>'
        "</xliff>"
    ),
    "txml": (
        '<txml locale="EN" targetlocale="FR" version="1.0"><translatable blockId="1">'
        '<segment segmentId="1"{a}><source>{x}</source><target>b</target></segment>'
        "</translatable></txml>"
    ),
    "ttx": (
        '<TRADOStag Version="2.0"><Body><Raw><Tu{a}><Tuv Lang="EN">{x}</Tuv><Tuv Lang="FR">b</Tuv>'
        "</Tu></Raw></Body></TRADOStag>"
    ),
    "xliff2": (
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" '
        'trgLang="fr"><file id="f"><unit id="1"{a}><segment><source>{x}</source>'
        "<target>b</target></segment></unit></file></xliff>"
    ),
    "jrc-acquis": (
        '<TEI.2><text><body><linkGrp n="d" select="en fr"><link{a}><s1>{x}</s1><s2>b</s2></link>'
        "</linkGrp></body></text></TEI.2>"
    ),
    "maligna": (
        '<alignmentlist><alignment score="0"{a}><sourcelist><segment>{x}</segment></sourcelist>'
        "<targetlist><segment>b</segment></targetlist></alignment></alignmentlist>"
    ),
    "xces": (
        '<cesAlign version="1.0"><linkGrp targType="s" fromDoc="en.xml" toDoc="fr.xml">'
        '<link id="l1" xtargets="s1;s1"{a}>{x}</link></linkGrp></cesAlign>'
    ),
    "tei": (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><group><text xml:lang="en"><body><p>'
        '<s xml:id="e1"{a}>{x}</s></p></body></text><text xml:lang="fr"><body><p><s xml:id="f1">b'
        '</s></p></body></text></group><back><linkGrp type="alignment"><link target="#e1 #f1"/>'
        "</linkGrp></back></text></TEI>"
    ),
    "tbx": (
        '<martif type="TBX" xml:lang="en"><text><body><termEntry id="c1"><langSet xml:lang="en">'
        '<tig{a}><term>{x}</term></tig></langSet><langSet xml:lang="fr"><tig><term>b</term></tig>'
        "</langSet></termEntry></body></text></martif>"
    ),
    "qt": (
        '<TS version="2.1" language="fr" sourcelanguage="en"><context><name>n</name><message{a}>'
        "<source>{x}</source><translation>b</translation></message></context></TS>"
    ),
    "wmt": (
        '<dataset id="t"><doc id="d"><src lang="en"><p><seg id="1"{a}>{x}</seg></p></src>'
        '<ref lang="fr"><p><seg id="1">b</seg></p></ref></doc></dataset>'
    ),
    "document": '<text><p><s id="s1"{a}>{x}</s></p></text>',
}
NO_XML = {
    *(
        "champollion",
        "fast-align",
        "giza",
        "id-pairs",
        "hunalign-ladder",
        "hunalign-text",
        "jsonl",
        "moses",
        "naacl",
        "opus-ids",
        "parquet",
        "pharaoh",
    ),
    *("natools", "po", "srt", "tsv", "vecalign", "vtt"),
    "docx",  # an archive of XML: formats/books
    *(
        "arrow",
        "csv",
        "json",
        "xls",
        "xlsx",
        "ods",
        "document-table",
    ),  # archives, or no XML: formats/tables
    *("android", "apple", "resx", "wmt-sgm", "xcstrings", "zip"),
    *("json-strings", "properties", "yaml-strings"),
}
KINDS = sorted(TEMPLATES)

BOMB = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(
    f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10)
)
CROWD = "".join(f' a{k}=""' for k in range(40_000))
LONG = 10_000_001  # characters; libxml2 reads 10 MB
ATTACKS = {  # declarations, attributes of the unit, its text
    "bomb": (BOMB, "", "&a9;"),
    "bomb in an attribute": (BOMB, ' x="&a9;"', "a"),
    "quadratic": (f'<!ENTITY a "{"a" * 40_000}">', "", "&a;" * 4_000),
    "quadratic in an attribute": (f'<!ENTITY a "{"a" * 40_000}">', f' x="{"&a;" * 4_000}"', "a"),
    "default attributes": (f'<!ATTLIST tu x CDATA "{"a" * 9_000}">', "", "a"),
    "external entity": ('<!ENTITY a SYSTEM "{secret}">', "", "&a;"),
    "external entity by a path": ('<!ENTITY a SYSTEM "secret.txt">', "", "&a;"),
    "public entity": ('<!ENTITY a PUBLIC "-//a//b" "{secret}">', "", "&a;"),
    "parameter entity": ('<!ENTITY % a SYSTEM "{secret}"> %a;', "", "a"),
    "entity that is not declared": ("", "", "&eacute;"),
    "too deep": ("", "", "<a>" * 300 + "</a>" * 300),
    "long attribute": ("", f' x="{"a" * LONG}"', "a"),
    "long text": ("", "", "a" * LONG),
    "long comment": ("", "", f"<!--{'a' * LONG}-->"),
    "attributes": ("", CROWD, "a"),
    "attributes inside": ("", "", f"<a{CROWD}/>a"),
    "NUL": ("", "", "a\0b"),
    "control character": ("", "", "a\x1b[31mb"),
    "reference to a character that is none": ("", "", "a&#1;b"),
    "cut": ("", "", "a<"),
}


def made(kind, attack=("", "", "a"), *, head=HEAD):
    declared, attributes, text = attack
    root = TEMPLATES[kind][1:].split(">")[0].split()[0]
    doctype = f"<!DOCTYPE {root} [{declared}]>\n" if declared else ""
    text = "" if kind == "xces" and text == "a" else text
    parts = re.split(r"(\{[ax]\})", TEMPLATES[kind])
    given = {"{a}": attributes, "{x}": text}
    return "".join([head, doctype, *(given.get(part, part) for part in parts)])


@pytest.fixture
def attack(tmp_path, bitext):
    """Converts a file that is made of a template; what came of it."""
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    plain = TEMPLATES["document"].replace("{a}", "").replace("{x}", "a")
    for name in ("en.xml", "fr.xml"):
        (tmp_path / name).write_text(plain)

    def run(kind, content, *options, ending=""):
        if kind == "document":
            (tmp_path / "en.xml").write_bytes(content)
            content, kind = made("xces").encode(), "xces"
        path = tmp_path / f"in.{kind}{ending}"
        path.write_bytes(content)
        out = tmp_path / "out.tsv"
        out.unlink(missing_ok=True)
        begun = time.process_time()
        done = bitext("convert", *options, "--from", kind, path, out)
        assert time.process_time() - begun < 5
        assert SECRET not in done.err + done.out
        assert out.exists() == (done.status in {0, 1})
        assert not out.exists() or SECRET not in out.read_text(encoding="utf-8")
        assert not list(tmp_path.glob(".bitext-*"))
        return done

    run.secret = secret.as_uri()
    return run


def refused(done, command="convert"):
    assert done.status == 2, done
    assert len(done.lines()) == 1
    assert len(done.err) < 500
    assert done.lines()[0].isprintable()
    assert done.err.startswith(f"bitext {command}: ")
    assert done.out == ""
    return done.err


def test_every_format_is_attacked():
    read = {name for name, known in all_formats().items() if known.read is not None}
    assert read <= NO_XML | set(TEMPLATES)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_file_without_an_attack(kind, attack, tmp_path):
    assert attack(kind, made(kind).encode()).status == 0
    last = (tmp_path / "out.tsv").read_text().splitlines()[-1]
    assert last.split("\t")[:2] == ["a", "a" if kind in {"xces", "document"} else "b"]


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("kind", KINDS)
def test_attacks_on_xml(kind, name, attack):
    declared, attributes, text = ATTACKS[name]
    content = made(kind, (declared.replace("{secret}", attack.secret), attributes, text))
    refused(attack(kind, content.encode()))


@pytest.mark.parametrize("kind", KINDS)
def test_encodings_that_hide_markup(kind, attack):
    for encoding in ("UTF-7", "utf7", "unicode-1-1-utf-7", "EBCDIC-CP-US", "rot13", "no-such"):
        head = HEAD.replace("utf-8", encoding)
        assert encoding in refused(attack(kind, made(kind, head=head).encode()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_type_is_named_in_vain(kind, attack, tmp_path):
    (tmp_path / "d.dtd").write_text('<!ENTITY x "from the file">')
    for system in ("http://127.0.0.1:9/d.dtd", (tmp_path / "d.dtd").as_uri(), "d.dtd"):
        head = f'{HEAD}<!DOCTYPE x SYSTEM "{system}">'
        assert attack(kind, made(kind, head=head).encode()).status == 0
        assert "'x'" in refused(attack(kind, made(kind, ("", "", "&x;"), head=head).encode()))


@pytest.mark.parametrize("kind", KINDS)
def test_xinclude_is_not_followed(kind, attack):
    for parse in ("text", "xml"):
        inner = (
            '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" '
            f'href="{attack.secret}" parse="{parse}"/>'
        )
        assert attack(kind, made(kind, ("", "", f"a{inner}")).encode()).status in {0, 1, 2}


@pytest.mark.parametrize("kind", KINDS)
def test_a_prolog_longer_than_what_is_looked_at(kind, attack):
    head = f"{HEAD}<!--{' ' * 70_000}--><!DOCTYPE x [<!ATTLIST x a CDATA 'x'>]>"
    refused(attack(kind, made(kind, head=head).encode()))


PACK = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("kind", ["tmx", "document", "tsv"])
def test_decompression_bombs(kind, ending, attack, monkeypatch):
    filler = "<!-- -->" + " " * 1_200_000 if kind != "tsv" else f"{'a' * 1_000}\tb\n" * 1_200
    content = filler if kind == "tsv" else made(kind, head=HEAD + filler[:8]) + filler[8:]
    packed = PACK[ending](content.encode())
    where = "" if kind == "document" else ending
    for most in (1, 2):
        if kind == "document":  # has limits too, whoever opens it
            limits = Limits(ratio=50, size=most << 20)
            monkeypatch.setattr(opening, "Limits", lambda limits=limits, **_: limits)
        options = ("--max-size", str(most), "--max-ratio", "50")
        done = attack(kind, packed, *options, ending=where)
        if most == 2:
            assert done.status == 0
        else:
            assert "unfolds to more than" in refused(done)
            assert "--max-size" in done.err


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://127.0.0.1:9/en.xml",
        "/dev/zero",
        "../outside.xml",
        "climbs.xml",
        "folder/outside.xml",
        "pipe.xml",
        "endless.xml",
        "down",
        "\\\\host\\en.xml",
        "a&#10;b.xml",
        "a\x7f.xml",
    ],
)
def test_documents_that_are_none_of_ours(name, attack, tmp_path):
    house = tmp_path / "house"
    (house / "down").mkdir(parents=True)
    document = TEMPLATES["document"].replace("{a}", "").replace("{x}", SECRET)
    (tmp_path / "outside.xml").write_text(document)
    (house / "climbs.xml").symlink_to(tmp_path / "outside.xml")
    (house / "folder").symlink_to(tmp_path)
    (house / "endless.xml").symlink_to("/dev/zero")
    os.mkfifo(house / "pipe.xml")
    (house / "fr.xml").write_text(document)
    content = made("xces").replace('"en.xml"', f'"{name}"').encode()
    done = attack("xces", content, "--root", house)
    assert "root:" not in refused(done)


@pytest.mark.parametrize("kind", ["tsv", "tmx"])
def test_what_stands_in_files_does_not_reach_the_terminal(kind, bitext, tmp_path):
    name = "\x1b]0;owned\x07\u202e.tsv"
    path = tmp_path / name
    path.write_bytes(b"\x1b[31m\xff\tb\n" if kind == "tsv" else b"<tmx \x1b[31m")
    for arguments in ((path, tmp_path / "o.tsv"), (tmp_path / f"no{name}", tmp_path / "o.tsv")):
        done = bitext("convert", "--from", kind, *arguments)
        assert "\\x1b" in refused(done)
    good = tmp_path / f"{name}.gz"
    good.write_bytes(b"a\tb\n")  # not compressed: a note
    done = bitext("convert", good, tmp_path / "o.tsv", "-v")
    assert done.status == 0
    assert "note: " in done.err
    assert all(line.isprintable() for line in done.lines())


def test_checking_hostile_files(attack, tmp_path):
    """In a process of its own: what validates as it reads has crashed on entities."""
    for kind in set(KINDS) - {"document"}:
        for name in ("bomb", "external entity", "attributes inside", "cut"):
            declared, attributes, text = ATTACKS[name]
            content = made(kind, (declared.replace("{secret}", attack.secret), attributes, text))
            (tmp_path / f"{kind}.{name}").write_text(content, encoding="utf-8")
        harmless = made(kind, ("<!ENTITY e 'x'>", "", "a&e;"))
        (tmp_path / f"{kind}.entity").write_text(harmless, encoding="utf-8")
    code = """
        import sys
        from pathlib import Path
        from bitext.cli.main import main
        for path in sorted(Path(sys.argv[1]).glob("*.*")):
            if path.suffix not in {".txt", ".xml"}:
                status = main(["check", "-q", "--from", path.stem, str(path)])
                print(f"=== {status} {path.name}", flush=True)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout[-200:]
    statuses = [line.split()[1] for line in done.stdout.decode().splitlines() if line[:3] == "==="]
    assert len(statuses) == 5 * (len(KINDS) - 1)
    assert set(statuses) <= {"0", "1", "2"}
    assert SECRET.encode() not in done.stdout + done.stderr


def test_devices_and_folders_as_inputs(bitext, tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("/dev/zero", "/dev/urandom", tmp_path / "empty"):
        refused(bitext("convert", "--from", "tsv", name, tmp_path / "o.tsv"))
    assert not (tmp_path / "o.tsv").exists()


def test_outputs_that_are_links(bitext, write, tmp_path):
    source, victim = write("a.tsv", "a\tb\n"), write("victim", "old")
    (tmp_path / "o.tsv").symlink_to(victim)
    assert "is a link to" in refused(bitext("convert", source, tmp_path / "o.tsv"))
    assert victim.read_text() == "old"


@pytest.mark.parametrize("name", ["model.tsv", "model.json", "journal", "study"])
def test_models_and_journals_that_are_links(bitext, write, tmp_path, name):
    victim, gold = write("victim", ""), write("gold.align", "[0]:[0]\n")
    path = tmp_path / name / "journal.jsonl" if name == "study" else tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(victim)
    command = {
        "journal": ["score", gold, gold, "--journal", path],
        "study": ["study", "errors", "--to-n", "5", "-o", path.parent],
    }.get(name, ["paragraphs", "export", "en", path])
    assert "is a link to" in refused(bitext(*command), command[0])
    assert (victim.read_text(), path.is_symlink()) == ("", True)


def test_a_model_made_of_its_table_replaces_no_link(bitext, write, tmp_path):
    victim, table = write("victim", "old"), tmp_path / "model.tsv"
    text = write("text", "He said no.\n\nThen a dog came.\n")
    train = ["train", text, "--method", "majority", "--lang", "en", "-o", tmp_path / "small"]
    assert bitext("paragraphs", *train).status == 0
    assert bitext("paragraphs", "export", tmp_path / "small", table).status == 0
    (tmp_path / "model").symlink_to(victim)
    done = bitext("paragraphs", "import", table, tmp_path / "model")
    assert "is a link to" in refused(done, "paragraphs")
    assert (victim.read_text(), (tmp_path / "model").is_symlink()) == ("old", True)


def test_an_output_that_is_the_input(bitext, write, tmp_path):
    source = write("a.tsv", "a\tb\n")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("a.tsv", "./a.tsv", "link/a.tsv"):
        assert "same file" in refused(bitext("convert", source, f"{tmp_path}/{name}"))
    assert "same file" in refused(bitext("convert", source, f"{tmp_path}/x,{tmp_path}/./x"))
    assert source.read_text() == "a\tb\n"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
def test_pipes_on_both_ends():
    command = [
        sys.executable,
        "-m",
        "bitext.cli",
        "convert",
        "-q",
        "--from",
        "tsv",
        "--to",
        "jsonl",
    ]
    command[1:3] = ["-c", "from bitext.cli.main import entry; entry()"]
    for ends in (("-", "-"), ("/dev/stdin", "/dev/stdout")):
        done = subprocess.run(
            [*command, *ends], input=b"a\tb\n", capture_output=True, check=False, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b'"a"' in done.stdout


@pytest.mark.parametrize("option", ["-o", "--html"])
def test_no_command_writes_over_what_it_reads(bitext, harbour, coast, tmp_path, option):
    topics = coast.parent / "topics"
    files = [topics / "beta.jsonl", harbour / "news.txt", coast / "gold/market.align"]
    masses, news, gold = (tmp_path / path.name for path in files)
    for path, copy in zip(files, (masses, news, gold), strict=True):
        copy.write_bytes(path.read_bytes())
    kind = ["--to", "json"] if option == "-o" else []
    sides = ["--src", coast / "text/market.en", "--tgt", coast / "text/market.fr"]
    for command in (
        ["compare", topics / "ref", masses, option, masses],
        ["cluster", news, option, news, *kind],
        ["score", gold, coast / "alpha/market.align", *sides, option, tmp_path / "." / gold.name],
        ["show", gold, *sides, option, gold],
    ):
        result = bitext(*_of_any_ending(command))
        assert (result.status, len(result.lines())) == (2, 1), command
        assert "is the same file as" in result.err
    for path, copy in zip(files, (masses, news, gold), strict=True):
        assert copy.read_bytes() == path.read_bytes()


def _of_any_ending(command):
    """Return a command with the style of its table, which is then written under any name."""
    tables = command[0] in {"check", "compare", "diff", "score", "stats"} or (
        command[:2] == ["paragraphs", "show"]
    )
    return [*command, "--format", "tsv"] if tables and "-o" in command else command


def kept(command, paths, bitext):
    """Asserts that a command is refused in one line and leaves the files as they are."""
    before = [path.read_bytes() for path in paths]
    result = bitext(*_of_any_ending(command))
    assert (result.status, len(result.lines())) == (2, 1), (command, result)
    assert re.search("is the same file as|is in .*, of which all files are read", result.err)
    assert [path.read_bytes() for path in paths] == before


def test_check_writes_over_nothing_that_it_reads(bitext, coast, tmp_path):
    gold, src, tgt = (tmp_path / name for name in ("gold.align", "a.en", "a.fr"))
    gold.write_bytes((coast / "gold/market.align").read_bytes())
    src.write_bytes((coast / "text/market.en").read_bytes())
    tgt.write_bytes((coast / "text/market.fr").read_bytes())
    command = ["check", gold, "--src", src, "--tgt", tgt]
    others = tmp_path / "gold.tsv"
    for more in (
        *(("-o", path) for path in (gold, src, tgt)),
        *(("--fix", path) for path in (gold, src, tgt)),
        ("--fix", others, "-o", others),
    ):
        kept([*command, *more], [gold, src, tgt], bitext)
    assert not others.exists()
    report = tmp_path / "report.tsv"
    assert bitext(*command, "-o", report).status in {0, 1}
    assert bitext(*command, "-o", report).status in {0, 1}  # an old report is no input


def test_paraphrase_writes_over_nothing_that_it_reads(bitext, harbour, tmp_path):
    news, model, trees, lattice = (tmp_path / name for name in ("news", "model", "trees", "l.json"))
    for path in (news, model, trees):
        path.write_bytes((harbour / "news.txt").read_bytes())
    assert bitext("cluster", news, "--parser", "none", "--preset", "V1", "-o", lattice).status == 0
    for command, output in (
        ([news], news),
        ([lattice], lattice),
        ([news, "--model", model], model),
        ([news, "--trees", trees], trees),
    ):
        kept(["paraphrase", *command, "-o", output], [news, model, trees, lattice], bitext)


def test_a_model_is_not_shown_over_itself(bitext, write, tmp_path, monkeypatch):
    model = write("own.model", "a model")
    kept(["paragraphs", "show", model, "-o", model], [model], bitext)
    monkeypatch.chdir(tmp_path)
    assert bitext("paragraphs", "show", "en", "-o", "en").status == 0  # a language is no file


@pytest.mark.parametrize("source", ["links.xml", "links.xml manifest", "folder"])
def test_no_command_writes_over_what_its_input_names(bitext, tmp_path, source):
    mill = Path(__file__).resolve().parents[2] / "fixtures" / "mill"
    here = tmp_path / "mill"
    shutil.copytree(mill, here)
    links, document = here / "links.xml", here / "en" / "mill.xml"
    languages = ["--src-lang", "en", "--tgt-lang", "fr"]
    commands = [
        *(["show", links, option, document] for option in ("-o", "--html")),
        *(["check", links, option, document] for option in ("-o", "--fix")),
        ["check", links, here / "en/mill.xml", "-o", here / "en/../en/mill.xml"],
        ["convert", links, document, "--to", "tmx", *languages],
        ["convert", links, f"{tmp_path}/new,{document}", "--to", "moses", *languages],
    ]
    if source == "links.xml manifest":
        manifest = tmp_path / "all.tsv"
        manifest.write_text("text\tpath\nmill\tmill/links.xml\n")
        commands = [
            ["check", manifest, "-o", document],
            ["check", manifest, links, "-o", document],
            ["convert", manifest, document, "--to", "tmx", *languages],
        ]
    if source == "folder":
        only = tmp_path / "only"
        only.mkdir()
        shutil.copy(links, only)
        commands = [["check", only, "-o", only / "links.xml"]]
        commands += [["check", only, "--root", here, "-o", document]]
    kept_too = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    for command in commands:
        kept(command, kept_too, bitext)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == kept_too


def test_scores_are_not_written_over_what_they_are_of(bitext, tmp_path):
    mill = Path(__file__).resolve().parents[2] / "fixtures" / "mill"
    here = tmp_path / "mill"
    shutil.copytree(mill, here)
    links, document, store = here / "links.xml", here / "en" / "mill.xml", tmp_path / "gold.jsonl"
    assert bitext("convert", links, store).status == 0
    kept_too = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    for command in (
        ["score", links, links, "-o", document],
        ["score", links, links, "--html", document],
        ["score", store, store, "--store", store],
    ):
        kept(command, kept_too, bitext)


@pytest.fixture
def mills(tmp_path):
    """A folder of nine link files, the folder of their documents, and a document of a late one."""
    mill = Path(__file__).resolve().parents[2] / "fixtures" / "mill"
    text = (mill / "links.xml").read_text(encoding="utf-8")
    (tmp_path / "links").mkdir()
    for k in range(9):
        for side in ("en", "fr"):
            shutil.copytree(mill / side, tmp_path / "many" / f"d{k}" / side)
        own = text.replace("en/mill", f"d{k}/en/mill").replace("fr/mill", f"d{k}/fr/mill")
        (tmp_path / "links" / f"l{k}.xml").write_text(own, encoding="utf-8")
    return tmp_path / "links", tmp_path / "many", tmp_path / "many" / "d7" / "en" / "mill.xml"


@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
def test_scores_are_not_written_over_what_other_processes_read(
    bitext, mills, tmp_path, jobs, request
):
    links, many, document = mills
    command = ["score", links, links, "--root", many, *jobs, "-q"]
    for option in ("-o",) if jobs else ("-o", "--html"):  # to begin processes takes its time
        kept([*command, option, document], [document], bitext)
    request.getfixturevalue("at_hand")
    assert bitext(*command, "-o", tmp_path / "new").status == 0
    assert bitext(*command, "-o", tmp_path / "new").status == 0  # an old output is no input


@pytest.mark.usefixtures("at_hand")
def test_scores_are_not_written_over_what_was_read_for_a_journal(bitext, mills, tmp_path):
    links, many, document = mills
    command = ["score", links, links, "--root", many, "--journal", tmp_path / "journal"]
    assert bitext(*command, "-o", tmp_path / "new").status == 0
    for option in ("-o", "--html"):
        kept([*command, option, document], [document, tmp_path / "journal"], bitext)
    texts = ["--src", f"{many}/{{name}}", "--tgt", f"{many}/{{name}}"]
    for name in ("l0", "l1"):
        (tmp_path / "pairs").mkdir(exist_ok=True)
        (tmp_path / "pairs" / f"{name}.txt").write_text("[0]:[0]\n")
        (many / name).write_text("one\n")
    command = ["score", tmp_path / "pairs", tmp_path / "pairs", *texts, "--from", "vecalign"]
    command += ["--journal", tmp_path / "other"]
    assert bitext(*command, "-o", tmp_path / "new").status == 0
    kept([*command, "-o", many / "l1"], [many / "l1"], bitext)
    again = bitext(*command, "-o", tmp_path / "new")
    for count in ("2 documents were", "1 document was"):
        lines = again.err.splitlines()
        assert (again.status, lines) == (0, [f"note: {count} done before, by {command[-1]}"])
        (many / "l1").write_text("one two\n")  # which the journal tells the old figures of
        again = bitext(*command, "-o", tmp_path / "new")


@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
@pytest.mark.usefixtures("at_hand")
def test_a_report_is_not_written_over_what_is_read(bitext, mills, tmp_path, jobs):
    links, many, document = mills
    command = ["convert", links, f"{tmp_path}/out/", "--to", "jsonl", "--root", many, *jobs]
    kept([*command, "--keep-going", "--report", document], [document], bitext)
    report = tmp_path / "report"
    for _ in range(2):
        assert bitext(*command, "--keep-going", "--report", report).status == 0
    own = tmp_path / "own.jsonl"
    lone = ["convert", links / "l7.xml", own, "--root", many, "--keep-going", "--report"]
    kept([*lone, document], [document], bitext)
    assert not own.exists()
    assert bitext(*lone, report).status == 0


@pytest.mark.parametrize("command", ["compare", "cluster"])
def test_what_is_given_to_other_processes_is_not_written_over(bitext, coast, tmp_path, command):
    if command == "compare":
        shutil.copytree(coast.parent / "topics", tmp_path / "topics")
        given = ["compare", tmp_path / "topics" / "ref", tmp_path / "topics" / "beta.jsonl"]
        path = max((tmp_path / "topics" / "ref").iterdir())
    else:
        shutil.copytree(coast.parent / "harbour", tmp_path / "harbour")
        path = tmp_path / "harbour" / "news.txt"
        given = ["cluster", path, "--to", "json"]
    kept([*given, "-j", "2", "-o", path], [path], bitext)


@pytest.mark.parametrize(
    "command", ["convert", "score", "compare", "cluster", "stats", "combine", "diff", "merge"]
)
def test_a_journal_is_no_output(bitext, coast, harbour, tmp_path, command):
    topics = coast.parent / "topics"
    gold, own = coast / "gold/market.align", tmp_path / "own.jsonl"
    arguments = {
        "convert": [["convert", gold, own]],
        "score": [["score", gold, gold, option, own] for option in ("-o", "--html", "--store")],
        "compare": [["compare", topics / "ref", topics / "beta.jsonl", "-o", own]],
        "cluster": [["cluster", harbour / "news.txt", "--to", "json", "-o", own]],
        "stats": [["stats", gold, option, own] for option in ("-o", "--html")],
        "combine": [["combine", gold, gold, "-o", own]],
        "diff": [["diff", gold, gold, option, own] for option in ("-o", "--html")],
        "merge": [["merge", own, own], ["merge", tmp_path / "other", own, "--store", own]],
    }[command]
    for given in arguments:
        if command == "merge":
            own.write_text("a part")
            kept(given, [own], bitext)
        else:
            kept([*given, "--journal", tmp_path / "." / "own.jsonl"], [], bitext)
            assert not own.exists()
    if command == "convert":
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / gold.name).write_bytes(gold.read_bytes())
        journal = tmp_path / "out" / "market.jsonl"
        for of_the_run in (journal, tmp_path / "in" / gold.name):
            given = ["convert", tmp_path / "in", f"{tmp_path}/out/", "--to", "jsonl"]
            kept([*given, "--journal", of_the_run], [tmp_path / "in" / gold.name], bitext)


@pytest.mark.parametrize(
    "command",
    [
        "score",
        "compare",
        "check",
        "paragraphs",
        "stats",
        "sample",
        "combine",
        "compose",
        "join",
        "diff",
    ],
)
def test_a_folder_that_is_read_is_not_written_into(bitext, coast, tmp_path, command):
    """What is written there would be a file of it the next time."""
    read, other, topics = tmp_path / "read", tmp_path / "other", coast.parent / "topics"
    texts = ["--src", coast / "text/{name}.en", "--tgt", coast / "text/{name}.fr"]
    pivot = ["--pivot", texts[3], "--tgt", texts[1]]
    named = [
        f"--text={lang}={coast}/text/{{name}}.{own}"
        for lang, own in (("en", "en"), ("fr", "fr"), ("de", "fr"))
    ]
    held = {"compare": topics / "ref"}
    if command == "paragraphs":
        read.mkdir()
        (read / "a.txt").write_text("One sentence. Another one.\n")
    else:
        shutil.copytree(held.get(command, coast / "gold"), read)
    given = {
        "score": ["score", read, coast / "gold", "-o"],
        "compare": ["compare", held["compare"], read, "-o"],
        "check": ["check", read, "-o"],
        "paragraphs": ["paragraphs", "split", read, "--lang", "en", "--to", "masses", "-o"],
        "stats": ["stats", read, "-o"],
        "sample": ["sample", read, "-n", "1", *texts, "-o"],
        "combine": ["combine", coast / "gold", read, *texts, "-o"],
        "compose": ["compose", coast / "gold", read, "--swap", "second", *texts, *pivot, "-o"],
        "join": ["join", coast / "gold", read, "--langs", "en-fr,en-de", *named, "-o"],
        "diff": ["diff", coast / "gold", read, "-o"],
    }[command]
    before = sorted(read.iterdir())
    for name in ("f.tsv", "below/f.tsv", "../read/f.tsv"):
        (read / "below").mkdir(exist_ok=True)
        found = bitext(*given, read / name)
        assert (found.status, len(found.lines())) == (2, 1)
        assert f"{read / name}: would lie in {read}, of which all files are read" in found.err
        (read / "below").rmdir()
        assert sorted(read.iterdir()) == before
    if command in ("score", "compare", "stats", "diff"):
        for option in ("--html", "--journal"):
            assert "would lie in" in bitext(*given[:-1], option, read / "f").err
    if command in ("combine", "compose", "join"):
        found = bitext(*given, f"{tmp_path}/out/", "--to", "tsv", "--journal", read / "f")
        assert "would lie in" in found.err
        found = bitext(*given, f"{read}/out/", "--to", "tsv")
        assert ("would lie in" in found.err, (read / "out").exists()) == (True, False)
    other.mkdir()
    assert bitext(*given, other / "f.tsv").status in (0, 1)
