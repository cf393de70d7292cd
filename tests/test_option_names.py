"""What messages call remedies: options of the command line, or arguments of the function."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
from pathlib import Path

import pytest

import bitext
from bitext import Alignment, Bitext, Text
from bitext.align import Lexicon
from bitext.cli.align.running import forked_map
from bitext.cli.main import main
from bitext.errors import BitextError, InputError, by_options, remedy, renamed
from bitext.formats.convert.filters import Filters, filtered
from bitext.formats.corpora import find_text
from bitext.formats.corpora.pairing import Pairing
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.dictionaries import read_dictionary
from bitext.formats.io.source import Notes
from bitext.formats.positions import check_coverage
from bitext.jobs import run
from bitext.jobs.running import engine_executor
from bitext.metrics import arcade, bisegment_similarity
from bitext.metrics.evaluation import Options
from bitext.scoring.by_jobs import check_store
from bitext.scoring.segmentations import compare
from bitext.segment import ParagraphSegmenter
from reference.job_tasks import Here, Tries, documents

PACKAGE = Path(bitext.__file__).parent
BEADS = Alignment([((0,), (0,)), ((1,), (1,))])
TWO = Text(["One.", "Two."])


def test_an_option_has_its_value_behind_it():
    assert remedy("src-lang") == "src_lang="
    assert remedy("from bits-final", "to tsv") == "format='bits-final', format='tsv'"
    assert remedy("src 'a b/{name}.txt'") == "src='a b/{name}.txt'"
    assert remedy("fix a.tmx", python="a.tmx") == "a.tmx"
    with by_options():
        assert remedy("src-lang") == "--src-lang"
        assert remedy("where Target lang=de") == "--where 'Target lang=de'"
        for value in ("where score>0.5", "columns src=it's,tgt=b", "columns sheet=A (1); $x"):
            assert shlex.split(remedy(value)) == [f"--{value.split()[0]}", value.split(None, 1)[1]]
        assert remedy("from bits-final", "to tsv") == "--from bits-final, --to tsv"
        assert remedy("src 'a b/{name}.txt'") == "--src 'a b/{name}.txt'"
        assert remedy("keep-going", command="convert") == "--keep-going"
        with by_options(on="convert"):
            assert remedy("keep-going", command="convert align") == "--keep-going"
        with by_options(on="compare"):
            assert remedy("keep-going", command="convert") == "--keep-going of bitext convert"
            assert remedy("src") == "--src"
        with by_options(on=None):
            assert remedy("src") == "src="
        assert remedy("src") == "--src"
    assert remedy("src") == "src="


def test_an_option_may_be_called_otherwise_for_a_while():
    with renamed("from", option="gold-from", python="spelling="):
        assert remedy("from", "from tsv", "to tsv") == "spelling=, spelling='tsv', format='tsv'"
        with by_options():
            assert remedy("from", "from tsv", "to") == "--gold-from, --gold-from tsv, --to"
        with renamed("to", option="into"), by_options():
            assert remedy("from", "to") == "--gold-from, --into"
    with renamed("from", python="spelling="), by_options():
        assert remedy("from tsv") == "--from tsv"
    with pytest.raises(InputError), renamed("from", option="gold-from"):
        raise InputError(remedy("from"))
    assert remedy("from") == "format="


def test_a_command_names_options_for_as_long_as_it_is_at_work(monkeypatch):
    told = []

    def work(arguments):
        told.append(remedy("src"))
        raise arguments[0]

    monkeypatch.setattr("bitext.cli.listings.run_formats", work)
    assert main(["formats", InputError("no")]) == 2
    assert main(["formats", KeyError("a bug")]) == 70
    with pytest.raises(SystemExit):
        main(["formats", SystemExit(0)])
    assert [*told, remedy("src")] == ["--src", "--src", "--src", "src="]


def _file(name, contents):
    Path(name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    return name


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--jobs", "2"], "give the text that was aligned (--src)"),
        (["--time-limit", "0.001"], "raise --time-limit"),
        (["--memory-limit", "100"], "give the text that was aligned (--src)"),
        (["--max-failures", "0"], "more than --max-failures 0: "),
    ],
)
def test_what_works_for_a_command_names_options(more, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for folder, beads in (("gold", "[0]:[0]\n"), ("hyp", "[5]:[0]\n")):
        for name in "abc":
            _file(f"{_folder(folder)}/{name}.txt", beads)
    corpus = ["gold", "hyp", "--src", "{name}.txt", "--tgt", "{name}.txt", "--from", "vecalign"]
    for name in "abc":
        _file(f"{name}.txt", "One.\n")
    assert main(["score", *corpus, *more]) > 0
    assert told in capsys.readouterr().err
    assert remedy("src") == "src="


def test_what_was_forked_for_a_command_names_options():
    with by_options():
        assert list(forked_map(2)(lambda _: remedy("src"), range(3))) == ["--src"] * 3
    assert list(forked_map(2)(lambda _: remedy("src"), range(3))) == ["src="] * 3


def _folder(name):
    Path(name).mkdir(exist_ok=True)
    return name


def _aligned(first, second, **options):
    """Score segmentations of two texts."""
    for folder, contents in (("gold", first), ("hyp", second)):
        _file(f"{_folder(folder)}/a.txt", contents)
    return SegmentPairing(references={"gold": "gold"}, systems={"hyp": "hyp"}, **options).read()


def _paired(**options):
    for folder, names in (("gold", "ab"), ("hyp", "a")):
        _folder(folder)
        for name in names:
            _file(f"{folder}/{name}.txt", "[0]:[0]\n")
    return list(Pairing(gold="gold", systems={"hyp": "hyp"}, **options))


def _texts_of(bt):
    return check_coverage(
        Bitext(TWO, Text([f"{k}" for k in range(9)]), bt, meta={"path": "a", "holds": "positions"})
    )


def _swapped():
    long = [f"Sentence {k} of the long side is here." for k in range(9)]
    other = [f"{k}{k}." for k in range(9)]
    beads = Alignment([((k,), (k,)) for k in range(9)])
    return arcade(Bitext(Text(long), Text(other), beads), Bitext(Text(other), Text(long), beads))


def _by_ids(links):
    ids = Bitext(Text.of_ids("ab"), Text.of_ids("xy"), BEADS, name="g")
    return arcade(ids, links)


def _written(path, **options):
    return bitext.write(Bitext(None, None, BEADS, name="b"), path, **options)


# What is called; the functions whose arguments are named; what is told in Python, and by a command.
ERRORS = [
    (lambda: bitext.read(_file("a", "words\n")), bitext.read, "name it (format=), one of",
     "name it (--from), one of"),
    (lambda: bitext.read(_file("a.tsv", "")), bitext.read, "its format (format='tsv')",
     "its format (--from tsv)"),
    (lambda: bitext.read(_file("a", "a\tb\n".encode("utf-16-le") * 9), format="tsv"), bitext.read,
     "read it with encoding='utf-16-le', or", "read it with --encoding utf-16-le, or"),
    (lambda: bitext.read(_file("a", b"\xff\tb\n"), format="tsv"), bitext.read,
     "encoding of the file (encoding=) or", "encoding of the file (--encoding) or"),
    (lambda: list(bitext.read_all(_file("a", 'msgid ""\nmsgstr "Language: fr\\n"\n'), format="po",
                                  tgt_lang="de")),
     bitext.read_all, "leave the option out (tgt_lang=)", "leave the option out (--tgt-lang)"),
    (lambda: bitext.read(_file("a", "0-0\n0-0\n"), format="pharaoh", src=Text(["a"]),
                         tgt=Text(["b"])),
     bitext.read, "that were aligned (src=, tgt=)", "that were aligned (--src, --tgt)"),
    (lambda: bitext.read(_file("a", "[5]:[0]\n"), format="vecalign", src=TWO, tgt=TWO), bitext.read,
     "text that was aligned (src=)", "text that was aligned (--src)"),
    (lambda: bitext.read(_file("a", "[5]:[0]\n"), format="vecalign", src=TWO,
                         tgt=Text([*"123456"])),
     bitext.read, "exchange src= and tgt=",
     "exchange --src and --tgt"),
    (lambda: _written("a.xyz"), bitext.write, "name it (format=)", "name it (--to)"),
    (lambda: _written("a,b", format="tsv"), bitext.write, "(format='moses', format='natools')",
     "(--to moses, --to natools)"),
    (lambda: _written("a.tsv"), bitext.read,
     "give it (Bitext.src), or the folder of the documents (roots= of bitext.read)",
     "give it (--src), or the folder of the documents (--root)"),
    (lambda: _written("a.tei"), None, "give the text (Bitext.src)", "give the text (--src)"),
    (lambda: bitext.write(Bitext(TWO, TWO, BEADS), "a.tmx", src_lang="en", tgt_lang="en"),
     bitext.write, "name two (src_lang=, tgt_lang=), as", "name two (--src-lang, --tgt-lang), as"),
    (lambda: bitext.read_segmentations(_file("a", "0 1\n\0\n")), bitext.read_segmentations,
     "(encoding=), as utf-16-le", "(--encoding), as utf-16-le"),
    (lambda: bitext.read_segmentations(_file("a", "011\n")), bitext.read_segmentations,
     "format='bits' or format='bits-final'", "--from bits or --from bits-final"),
    (lambda: bitext.read_segmentations(_file("a", "x B\ny I\n\nz B\n")),
     bitext.read_segmentations, "name it (column='2'), or", "name it (--column 2), or"),
    (lambda: bitext.read_cluster(_file("a", "<?xml version='1.0'?>\n")), bitext.read_cluster,
     "say so (kind='text')", "say so (--from text)"),
    (lambda: bitext.read_cluster(_file("a.conll", "a b c d e f g\n")), bitext.read_cluster,
     "say what it is (kind='text')", "say what it is (--from text)"),
    (lambda: bitext.read_cluster(_file("a", b"One.\n\xff\n")), bitext.read_cluster,
     "(encoding=)", "(--encoding)"),
    (lambda: bitext.read_lattice(_file("a.json", b'{"a": "\xff"}')), bitext.read_lattice,
     "(encoding=)", "(--encoding)"),
    (lambda: read_dictionary(_file("a", "a\t\t0.5\n"), kind="tsv"), None,
     "(what Lexicon.save wrote is for Lexicon.load)",
     "(what --save-lexicon wrote is for --lexicon)"),
    (lambda: Lexicon.of_lines(["a\n"]), None, "as Lexicon.save writes",
     "as --save-lexicon writes"),
    (lambda: _by_ids(BEADS), None, "(Bitext.src)", "(--src)"),
    (lambda: arcade(BEADS, BEADS)["word"], None, "give it (Bitext.src, Bitext.tgt)",
     "give it (--src, --tgt)"),
    (lambda: bisegment_similarity(BEADS, BEADS, granularity="word"), None,
     "give it (Bitext.src, Bitext.tgt)", "give it (--src, --tgt)"),
    (_swapped, None, "are the sides swapped (Bitext.swapped)?", "are the sides swapped (--swap)?"),
    (lambda: _texts_of(Alignment([((0,), (0,))])), check_coverage,
     "or with partial=True score", "or with --partial score"),
    (lambda: _paired(missing="error"), Pairing, "(missing='leave', missing='empty')",
     "(--missing leave, --missing empty)"),
    (lambda: _paired(src=_file("lone", "a\n")), Pairing, "src='lone': is one file",
     "--src lone: is one file"),
    (lambda: find_text(_folder("gold/"), "a", option="src"), Pairing,
     "for src=; a pattern says where they are, as src='gold/{name}.txt'",
     "for --src; a pattern says where they are, as --src 'gold/{name}.txt'"),
    (lambda: _paired(src="{x}"), Pairing, "src='{x}': no such file", "--src {x}: no such file"),
    (lambda: _aligned("a\n=====\nb\n", "a\n=====\nc\n"), SegmentPairing, "or any_units=True",
     "or --any-units"),
    (lambda: _aligned("a\n=====\nb\n", "5,3\n"), compare, "(format=, ref_from=)",
     "(--from, --ref-from)"),
    (lambda: _aligned("0101\n", "5\n"), compare,
     "ref_from='bits' or ref_from='bits-final'",
     "--from bits or --from bits-final"),
    (lambda: _aligned("5\n", "0101\n"), compare,
     ": format='bits' or format='bits-final'", "--from bits or --from bits-final"),
    (lambda: Options(min_matched=2), Options, "min_matched is 2: want a share",
     "--min-matched is 2: want a share"),
    (lambda: arcade(BEADS, BEADS, min_matched=2.0), arcade, "min_matched is 2.0: want a share",
     "--min-matched is 2.0: want a share"),
    (lambda: list(filtered([Bitext(None, None, BEADS)], Filters(unique=True), Notes(),
                           whole=False)),
     Filters, "telling repeats (unique=True)", "telling repeats (--unique)"),
    (lambda: run(documents(["fail a"]), Tries(), executor=Here(), max_failures=0), run,
     "more than max_failures=0: d0", "more than --max-failures 0: d0"),
    (lambda: check_store("a.csv"), None, "a.csv: want a name", "--store a.csv: want a name"),
    (lambda: engine_executor("dask", "").__enter__(), engine_executor,
     "the engine dask wants the address of its scheduler, as address='tcp://HOST:8786'",
     "--engine dask wants the address of its scheduler, as --scheduler tcp://HOST:8786"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "function", "python", "command"), ERRORS)
def test_an_error_speaks_to_who_reads_it(call, function, python, command, tmp_path, monkeypatch):
    def message(place):
        place.mkdir()
        monkeypatch.chdir(place)
        with pytest.raises(BitextError) as error:
            call()
        return str(error.value)

    told = message(tmp_path / "python")
    assert python in told
    assert not OPTION.search(told)
    for name in re.findall(r"(\w+)=(?! of bitext\.read)", python):
        assert name in inspect.signature(function).parameters
    with by_options():
        assert command in message(tmp_path / "command")


@pytest.mark.parametrize(("on", "name"), [(None, "longest="), ("paragraphs", "--longest")])
def test_notes_name_what_errors_would(on, name):
    paragraphs = bitext.Segmentation([1] * 20 + [20])
    text = Text([f"Sentence {k} is here." for k in range(40)], paragraphs=paragraphs)
    with by_options(on=on):
        segmenter = ParagraphSegmenter(longest=10, passes=1).fit([text])
    assert any(f"longest paragraph ({name}) keeps" in note for note in segmenter.notes_)


OPTION = re.compile(r"(?<![\w-])--(?!force)[a-z]{2}")  # `--force` is of other programs
# Without any of these no string has one, be it put together: to parse all modules takes seconds.
MAY_SPELL = re.compile(rf"""{OPTION.pattern}|--["'{{\\]|-["']\s+\w*["']-""")


def test_no_message_spells_an_option_itself():
    """But in modules of commands, and in what only we read."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] == "cli" or inside.name == "errors.py":
            continue
        code = path.read_text(encoding="utf-8")
        if not MAY_SPELL.search(code):
            continue
        nodes = [*ast.walk(ast.parse(code))]
        texts = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        pieces = {id(v) for n in nodes if isinstance(n, ast.JoinedStr) for v in n.values}
        for node in nodes:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            spelled = OPTION.search(node.value)
            begun = id(node) in pieces and re.search(r"(^|[ (])--$", node.value)
            if id(node) not in texts and (spelled or begun):
                found.append(f"{inside} line {node.lineno}: {node.value!r}")
    assert found == []
