"""Plug-ins of other packages: found when asked for, refused where they are wrong."""

import json
import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import bitext
from bitext import (
    Alignment,
    Counts,
    OptionError,
    PluginError,
    Ratio,
    Segmentation,
    SegmentationError,
    Text,
)
from bitext.align import align_sentences
from bitext.cli.main import main
from bitext.formats import all_formats
from bitext.formats.io.source import Notes
from bitext.formats.registry import by_name, by_suffix
from bitext.jobs.command_aligner import CommandAligner
from bitext.metrics.registry import metric, metric_of, parse_metric
from reference.plugin_packages import lay_package

ROOT = Path(__file__).resolve().parent.parent
TOPICS = ROOT / "fixtures" / "topics"
GOLD = [Segmentation([5, 5, 1, 3]), Segmentation([4, 4]), Segmentation([1, 2, 3])]
HYP = [Segmentation([7, 3, 4]), Segmentation([8]), Segmentation([3, 3])]

FAULTY = """\
    def number(gold, hyp):
        return None

    def pk(gold, hyp):
        return 0.0

    number_of_segments = 3
"""


def run(*arguments):
    """Run a command in this process; return its status, output and messages."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages on the path, with faulty plug-ins."""
    folder = lay_package(
        tmp_path / "site",
        "faulty-one",
        FAULTY,
        metrics={
            "pk": "faulty_one:pk",
            "none": "faulty_one:number",
            "no-function": "faulty_one:number_of_segments",
            "no-module": "faulty_two_that_is_missing:f",
            "twice": "faulty_one:number",
        },
        formats={"tmx": "faulty_one:pk", "no-format": "faulty_one:pk"},
    )
    lay_package(folder, "faulty-two", "raise SystemExit(3)", metrics={"twice": "faulty_two:f"})
    lay_package(folder, "faulty-three", "exit()", formats={"leaves": "faulty_three:FORMAT"})
    monkeypatch.syspath_prepend(folder)
    return folder


FAULTS = [
    ("none", None),
    ("no-function", "want a function of (gold, hyp)"),
    ("no-module", "cannot be imported: ModuleNotFoundError: No module named 'faulty_two_that"),
    ("twice", "faulty-two 0.1 has one of the same name; uninstall one of the packages"),
]


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("name", "reason"), FAULTS)
def test_a_faulty_metric_is_an_error_only_where_it_is_named(name, reason):
    if reason is None:
        assert parse_metric(name).metric.package == "faulty-one 0.1"
        return
    with pytest.raises(PluginError) as error:
        parse_metric(name)
    package = f"metric {name!r} of the package faulty-one 0.1 (bitext.metrics: {name} = "
    assert str(error.value).startswith(package)
    assert reason in str(error.value)


@pytest.mark.usefixtures("site")
def test_a_faulty_format_is_an_error_only_where_it_is_named():
    with pytest.raises(PluginError, match=r"no-format = faulty_one:pk\): is <function pk"):
        by_name("no-format")
    with pytest.raises(PluginError, match="cannot be imported: SystemExit"):
        by_name("leaves")
    assert by_suffix("a.leaves") is None
    assert by_name("tmx").package == ""


@pytest.mark.usefixtures("site")
def test_listings_note_each_fault_and_lose_nothing():
    status, out, err = run("metrics", "--json")
    rows = {row["metric"]: row["package"] for row in json.loads(out)["rows"]}
    assert (status, rows["pk"], rows["none"]) == (0, None, "faulty-one 0.1")
    assert "'pk' of the package faulty-one 0.1 (bitext.metrics: pk = faulty_one:pk): bitext" in err
    assert err.count("note: ") == 4
    status, out, err = run("formats", "--json")
    assert {row["format"] for row in json.loads(out)["rows"]} == {*all_formats()}
    assert (status, err.count("note: ")) == (0, 3)


@pytest.mark.usefixtures("site")
def test_a_faulty_plug_in_breaks_no_other_command(tmp_path):
    read, out = tmp_path / "a.tsv", tmp_path / "b.tmx"
    read.write_text("One.\tUn.\n")
    assert run("convert", read, out, "-q") == (0, "", "")
    assert run("compare", TOPICS / "ref", TOPICS / "alpha", "-m", "pk", "-q")[::2] == (0, "")


@pytest.mark.usefixtures("site")
def test_a_metric_that_gives_no_number_is_an_error_with_the_text():
    status, _, err = run("compare", TOPICS / "ref", TOPICS / "alpha", "-m", "none")
    assert status == 2
    assert err.startswith("bitext compare: text 'bakery': none: returns None: want a finite number")
    assert err.rstrip().endswith("; or --refused leave, without such texts")


@pytest.mark.usefixtures("site")
def test_a_name_like_that_of_a_plug_in_is_offered():
    with pytest.raises(OptionError, match="did you mean 'no-function'"):
        parse_metric("no-functoin")
    with pytest.raises(OptionError, match="did you mean 'no-format'"):
        by_name("no-formt")


FAILING = """\
    from bitext.formats.registry import Format

    def _read(source, options):
        yield {}["missing"]

    def _sniff(head):
        return int(head)

    def _write(bitexts, out, *, options):
        out.write(sum(bitexts))

    FORMAT = Format(
        name="fails", title="t", holds="text", suffixes=(".fails",), sniff=_sniff, read=_read,
        write=_write,
    )
"""


def test_a_format_that_fails_names_its_package(tmp_path, monkeypatch):
    formats = {"fails": "failing_one:FORMAT", "other": "failing_one:FORMAT"}
    monkeypatch.syspath_prepend(
        lay_package(tmp_path / "s", "failing-one", FAILING, formats=formats)
    )
    read, table = tmp_path / "a.fails", tmp_path / "a.tsv"
    read.write_text("One.\n")
    table.write_text("One.\tUn.\n")
    place = "format 'fails' of the package failing-one 0.1 (bitext.formats: fails = failing_one:F"
    for given, reason in (
        ([read, tmp_path / "b.tsv"], "a.fails: cannot be read: KeyError: 'missing' ("),
        ([table, tmp_path / "b.fails"], "cannot write: TypeError: unsupported operand"),
    ):
        status, _, err = run("convert", *given)
        assert (status, place in err, reason in err) == (2, True, True), err
    with pytest.raises(PluginError, match="is named 'fails': want the name of the entry point"):
        by_name("other")


# A metric as a plain function.


def segments(gold, hyp, *, least=0):
    """Count the segments of the hypothesis."""
    del gold
    return max(least, len(hyp.masses))


segments.better = "lower"


def test_a_plain_function_is_a_metric_with_means_intervals_and_tests():
    systems = {"a": HYP, "b": GOLD}
    results = bitext.compare(GOLD, systems, metric=[segments, "pk(k=2)"], average="both")
    rows = {(r["metric"], r["system"], r["average"]): r for r in results.rows()}
    assert {metric for metric, _, _ in rows} == {"segments", "pk(k=2)"}
    micro, macro = (rows["segments", "a", average] for average in ("micro", "macro"))
    assert micro["value"] == macro["value"] == 2
    assert micro["low"] == macro["low"] < 2 < micro["high"]
    assert micro["better"] == "lower"
    assert "|average:mean|" in micro["signature"]
    assert "segments: mean over texts" in results.caption()
    assert {test["metric"] for test in results.tests()} == {"segments", "pk(k=2)"}
    texts = [r for r in results.rows(per_text=True) if r["text"] and r["metric"] == "segments"]
    assert [r["value"] for r in texts] == [3, 1, 2, 4, 2, 3]
    assert "segments" in results.to_latex()


def test_a_plain_function_that_counts_pools():
    def pool(gold, hyp):
        return Ratio(len(hyp.masses), len(gold.masses))

    def count(gold, hyp):
        return Counts(1, len(hyp.masses), len(gold.masses))

    results = bitext.compare(GOLD, HYP, metric=[pool, count])
    values = {r["metric"]: r["value"] for r in results.rows()}
    assert values["pool"] == 6 / 9
    assert values["count.precision"] == 3 / 6
    assert "mean over texts" not in results.caption()


def test_many_calls_a_plain_function_for_each_pair():
    plain = metric_of(segments)
    assert plain.many(GOLD, HYP, least=2).values.tolist() == [3, 2, 2]
    assert [*metric_of(segments).many([], [])] == []

    @metric("own", over="segmentation", better="higher", source="here")
    def own(gold, hyp):
        return gold.n / hyp.n

    assert own.many(GOLD, HYP).values.tolist() == [1, 1, 1]


def test_a_plain_function_goes_to_other_processes():
    plain = metric_of(segments)
    again = pickle.loads(pickle.dumps(plain))
    assert (again.name, again(GOLD[0], HYP[0])) == ("segments", 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"m": lambda gold, _: float("nan") if len(gold.masses) == 2 else 1},
            "text '2': m: returns nan",
        ),
        ({"m": lambda _, hyp: 1 / (len(hyp.masses) - 1)}, "text '2': m: fails: ZeroDivisionError"),
        ({"m": lambda *_: "1"}, "text '1': m: returns '1'"),
        (
            {"m": lambda gold, _: Ratio(1, 2) if len(gold.masses) == 3 else 1},
            "m: returns Ratio and numb",
        ),
        ([lambda *_: 1], "'<lambda>': is no name of a metric; give the function by a name"),
        ({"pk": segments}, "bitext has one of this name"),
        ([lambda _: 1], "is no name of a metric"),
        ({"m": lambda _: 1}, r"can be called as f\(gold, hyp\)"),
        ([3], "want a function"),
        ([segments, segments], "'segments' is given twice"),
    ],
)
def test_what_a_plain_function_does_wrong_is_said(given, message):
    with pytest.raises((SegmentationError, OptionError, bitext.InputError), match=message):
        bitext.compare(GOLD, HYP, metric=given)


def test_a_text_that_a_plain_function_refuses_can_be_left_out():
    results = bitext.compare(
        GOLD, HYP, metric={"m": lambda _, hyp: 1 / (len(hyp.masses) - 1)}, refused="leave"
    )
    assert results.rows()[0]["value"] == pytest.approx(0.75)
    assert any("left out of m for all" in note for note in results.notes)


# Functions of two bitexts in `evaluate`.

BEADS = {"a": [((0,), (0,)), ((1, 2), (1,))], "b": [((0,), (0,))]}
PROPOSED = {"a": [((0,), (0,)), ((1,), (1,)), ((2,), ())], "b": [((0,), (0,))]}


def corpus(beads):
    return {name: Alignment(each) for name, each in beads.items()}


def more_beads(gold, hyp):
    return len(hyp.alignment) / len(gold.alignment)


def jaccard(gold, hyp):
    gold, hyp = set(gold.alignment), set(hyp.alignment)
    return Ratio(len(gold & hyp), len(gold | hyp))


def test_functions_of_bitexts_are_figures_beside_those_of_evaluate():
    systems = {"x": corpus(PROPOSED), "y": corpus(BEADS)}
    results = bitext.evaluate(
        corpus(BEADS), systems, granularity="alignment", metric=[more_beads, jaccard]
    )
    rows = {(r["figure"], r["system"]): r for r in results.rows()}
    assert rows["more-beads", "x"]["value"] == (3 / 2 + 1) / 2
    assert rows["jaccard", "x"]["value"] == 2 / 5
    assert rows["jaccard", "x"]["low"] < 2 / 5 < rows["jaccard", "x"]["high"]
    names = {metric.name for metric in results.functions.metrics}
    tested = {r["figure"] for r in results.tests()}
    assert tested == {"precision", "recall", "f1", *names}
    assert "more-beads: mean over texts" in results.render()
    assert results.render("tsv").count("signature") == 2
    assert {row["metric"] for row in results.to_json()["metrics"]} == names
    assert len(results.rows(per_text=True)) == 3 * len(results.rows())
    assert "jaccard" in results._repr_html_()


def test_the_value_of_nothing_over_nothing_does_not_depend_on_the_order_of_texts():
    def ratio(gold, _):
        size = len(gold.alignment if isinstance(gold, bitext.Bitext) else gold)
        return Ratio(0, 0, empty=1.0) if size == 1 else Ratio(1, 2)

    for names in ("ab", "ba"):
        gold = corpus({name: BEADS[name] for name in names})
        results = bitext.evaluate(gold, {"x": corpus(PROPOSED)}, metric=ratio, average="macro")
        assert results.rows()[-1]["value"] == 3 / 4
    texts = [Segmentation([4]), Segmentation([2, 2])]
    for order in (texts, texts[::-1]):
        results = bitext.compare(order, order, metric=ratio, average="macro")
        assert results.rows()[0]["value"] == 3 / 4
    with pytest.raises(bitext.InputError, match="0/0 with different values for different texts"):
        bitext.compare(texts, texts, metric={"r": lambda gold, _: Ratio(0, 0, float(len(gold)))})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"f": lambda *_: None}, "text 'a': f: returns None"),
        ({"f": lambda gold, _: 1 / (len(gold.alignment) - 1)}, "text 'b': f: fails: ZeroDiv"),
        ({"f": lambda gold, _: Counts(1, 1, 1) if len(gold.alignment) == 1 else 1}, "another type"),
        ({"f": lambda gold, _: Ratio(1, 2) if len(gold.alignment) == 1 else 1}, "another type"),
        ({"f": lambda gold, _: Ratio(0, 0, float(len(gold.alignment)))}, "0/0 with different val"),
        (["pk"], "want functions"),
        ([bitext.metrics.pk], "'pk' is over segmentation: want one over alignment"),
        ({"f1": jaccard}, "'f1': is a figure of each granularity"),
        ({"arcade": jaccard}, "bitext has one of this name"),
        ([jaccard, jaccard], "given twice"),
    ],
)
def test_what_a_function_of_bitexts_does_wrong_is_said(given, message):
    with pytest.raises((OptionError, bitext.InputError), match=message):
        bitext.evaluate(corpus(BEADS), {"x": corpus(PROPOSED)}, metric=given)


# Aligners: functions, plug-ins and programs.

SRC = Text(["One.", "Two two.", "Three."], name="a.en")
TGT = Text(["Un.", "Deux.", "Trois."], name="a.fr")

ALIGNERS = """\
    def in_order(src, tgt):
        \"\"\"Align in order.\"\"\"
        return [([k], [k], 0.5) for k in range(min(len(src), len(tgt)))]

    def too_far(src, tgt):
        return [([0], [len(tgt)])]

    def fails(src, tgt):
        return 1 / 0
"""


@pytest.fixture
def aligners(tmp_path, monkeypatch):
    names = ("in_order", "too_far", "fails")
    entries = {name.replace("_", "-"): f"the_aligners:{name}" for name in names}
    own = {"lexical": "the_aligners:fails", "command": "the_aligners:fails"}
    site = lay_package(tmp_path / "site", "the-aligners", ALIGNERS, aligners={**entries, **own})
    monkeypatch.syspath_prepend(site)


@pytest.fixture
def texts(tmp_path):
    """Two files of three sentences."""
    for text in (SRC, TGT):
        (tmp_path / text.name).write_text("".join(f"{line}\n" for line in text.segments()))
    return tmp_path / SRC.name, tmp_path / TGT.name


def test_a_function_aligns():
    assert [*align_sentences(SRC, TGT, method=lambda *_: [([0, 1], [0]), ([2], [2])])] == [
        ((0, 1), (0,)),
        ((2,), (2,)),
    ]
    with pytest.raises(OptionError, match="takes no options of ours"):
        align_sentences(SRC, TGT, method=lambda *_: [], rounds=1)


@pytest.mark.parametrize(
    ("beads", "message"),
    [
        ([([0], [3])], "names target sentence 3, counted from 0, and the text has 3"),
        (None, "returns None: want an Alignment"),
        ([([0],)], r"beads of \[1\] members"),
        ([([0], [-1])], "returns no alignment"),
        ([([0], [0], "x")], "returns no alignment"),
    ],
)
def test_beads_of_a_function_are_checked(beads, message):
    with pytest.raises(bitext.InputError, match=message):
        align_sentences(SRC, TGT, method=lambda *_: beads)


@pytest.mark.usefixtures("aligners")
def test_a_plug_in_aligns_on_the_command_line(texts):
    status, out, err = run("align", *texts, "--method", "in-order", "--json")
    assert (status, [row["score"] for row in json.loads(out)["rows"]]) == (0, [0.5] * 3)
    assert "mean score 0.500" in err
    status, _, err = run("align", *texts, "--method", "too-far")
    package = "method 'too-far' of the package the-aligners 0.1"
    reason = "names target sentence 3, counted from 0, and the text has 3"
    assert (status, err) == (2, f"bitext align: {texts[0]}: {package} {reason}\n")
    assert "fails: ZeroDivisionError" in run("align", *texts, "--method", "fails")[2]
    assert "did you mean 'in-order'" in run("align", *texts, "--method", "in-oder")[2]
    assert (
        "--beads is of no use to --method in-order"
        in run("align", *texts, "--method", "in-order", "--beads", "1-2")[2]
    )


@pytest.mark.usefixtures("aligners")
def test_methods_are_listed_with_their_package():
    status, out, err = run("methods")
    assert "in-order\tAlign in order.\t-\tthe-aligners 0.1\n" in out
    assert (status, err.count("bitext has a method of this name")) == (0, 2)


PROGRAM = """\
import sys, time
kind, src, tgt, output, dictionary, lang = sys.argv[1:]
a, b = (open(path, encoding="utf-8").read().split("\\n")[:-1] for path in (src, tgt))
if kind == "two":
    open(output + "-s", "w").write("".join(f"{x}\\n" for x in a))
    open(output + "-t", "w").write("".join(f"{x}\\n" for x in b))
lines = {
    "ladder": [f"{k}\\t{k}\\t0.5" for k in range(len(a) + 1)],
    "vecalign": [f"[{k}]:[{k}]:0.5" for k in range(len(a))],
    "text": [f"{a[0]} ~~~ {a[1]}\\t{b[0]}\\t0.25", f"{a[2]}\\t{b[2]}\\t0.5"],
    "ids": [f"{a[0]} {a[1]}\\t{b[0]}"],
    "far": ["[0]:[9]:0.5"],
    "foreign": ["Other.\\tAutre."],
    "junk": ["?"],
    "empty": [],
    "given": ["[0]:[0]:1"],
}.get(kind, [])
if kind == "fails":
    sys.exit("no dictionary " + open(dictionary, encoding="utf-8").read() + lang)
if kind == "sleeps":
    time.sleep(60)
out = open(output, "w") if kind == "ladder" else sys.stdout
out.writelines(f"{line}\\n" for line in lines)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return a function that makes the command of a small program; it takes .03 s."""
    path = tmp_path_factory.mktemp("program") / "align it.py"
    path.write_text(PROGRAM)

    def command(kind):
        output = "{output}" if kind in {"ladder", "two"} else "-"
        python = f"{sys.executable} -I -S {shlex.quote(str(path))}"
        return f"{python} {kind} {{src}} {{tgt}} {output} {{dictionary}} '{{src_lang}}'"

    return command


@pytest.mark.parametrize(
    ("kind", "known", "beads"),
    [
        ("ladder", None, [((k,), (k,)) for k in range(3)]),
        ("two", None, [((k,), (k,)) for k in range(3)]),
        ("vecalign", None, [((k,), (k,)) for k in range(3)]),
        ("text", None, [((0, 1), (0,)), ((2,), (2,))]),
        ("ids", "tsv", [((0, 1), (0,))]),
    ],
)
def test_the_output_of_a_program_is_read_in_any_format(program, kind, known, beads):
    notes = Notes()
    aligner = pickle.loads(pickle.dumps(CommandAligner(command=program(kind), format=known)))
    assert [*aligner(SRC, TGT, notes)] == beads
    told = {note.kind for note in notes.all()}
    assert any("read as" in each for each in told) is (known is None)
    assert ("sentences in no bead of the command" in told) is (kind in {"text", "ids"})


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("far", "output line 1: .* names target segment 9, but a.fr has 3"),
        ("foreign", "source text 'Other.' is not one of whole sentences"),
        ("junk", "no format that bitext recognises"),
        ("empty", "its output is empty"),
        ("fails", "exit status 1: no dictionary boat @ Boot de$"),
        ("sleeps", r"no end within 0.2 seconds: give it more time \(timeout=\)"),
    ],
)
def test_what_a_program_does_wrong_is_said(program, kind, message, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    dictionary = tmp_path / "a.tsv"
    dictionary.write_text("Boot\tboat\n")
    aligner = CommandAligner(
        command=program(kind),
        timeout=0.2 if kind == "sleeps" else 60,
        dictionaries=(str(dictionary),),
        src_lang="de",
    )
    with pytest.raises(bitext.InputError, match=message) as error:
        aligner(SRC, TGT)
    assert str(error.value).startswith("a.en: command ")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def test_commands_that_lack_a_place_are_refused(texts):
    for command, message in (
        ("command:hunalign {src}", "with {src} and {tgt} for the files of sentences"),
        ("command:", "want a program and its arguments"),
        ("command:a '{src} {tgt}", "cannot be split into words"),
        ("command:no-such-program {src} {tgt}", "cannot be run: No such file or directory"),
    ):
        status, _, err = run("align", *texts, "--method", command)
        assert (status, message in err) == (2, True), err
    command = "command:a {src} {tgt}"
    for option in (("--dictionary", texts[0]), ("--method-timeout", 0), ("--method-format", "x")):
        assert run("align", *texts, "--method", command, *option)[0] == 2
    assert "--method-format is for" in run("align", *texts, "--method-format", "tmx")[2]


@pytest.mark.usefixtures("at_hand")
def test_a_program_aligns_folders_in_threads_and_by_jobs(program, texts, tmp_path):
    for text, folder in zip(texts, ("en", "fr"), strict=True):
        (tmp_path / folder).mkdir()
        for name in ("a", "b"):
            (tmp_path / folder / f"{name}.{folder}").write_text(text.read_text())
    given = [tmp_path / "en", tmp_path / "fr", "--to", "jsonl", "--method"]
    given.append(f"command:{program('text')}")
    assert run("align", *given, "-o", f"{tmp_path}/1/", "-j", "2")[0] == 0
    assert run("align", *given, "-o", f"{tmp_path}/2/", "--journal", tmp_path / "j")[0] == 0
    for name in ("a.jsonl", "b.jsonl"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_an_interrupt_ends_the_program_and_removes_its_files(program, texts, tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "bitext",
            "align",
            *texts,
            "--method",
            f"command:{program('sleeps')}",
        ],
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    while process.poll() is None and not [*temporary.glob("*/errors")]:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert b"interrupted" in process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert [*temporary.iterdir()] == []


# The package that CONTRIBUTING shows, installed.


@pytest.fixture(scope="module")
def mill(tmp_path_factory):
    """Install the package of CONTRIBUTING into a folder; this takes a second."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    project, site = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("site")
    files = re.findall(r"is `([\w.]+)`:\n\n```\w+\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == ["pyproject.toml", "bitext_mill.py"]
    for name, content in files:
        (project / name).write_text(content, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    pip += ["--no-build-isolation", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", site, project], check=True, capture_output=True)
    return site


@pytest.fixture
def installed(mill, monkeypatch):
    monkeypatch.syspath_prepend(mill)


@pytest.mark.usefixtures("installed")
def test_the_metric_of_the_package_is_used_by_name():
    given = ["compare", TOPICS / "ref", TOPICS / "alpha", "--json", "-q"]
    status, out, _ = run(*given, "-m", "segment-ratio,Segment_Ratio(excess=True)")
    rows = [row for row in json.loads(out)["rows"] if row["average"] == "micro"]
    assert (status, [row["value"] for row in rows]) == (0, [1.0, 0.0])
    assert rows[0]["signature"].startswith("segment-ratio|excess:no|average:mean|texts:5|")
    assert rows[0]["signature"].endswith("|bitext-mill:0.1")
    status, out, err = run("metrics")
    assert "segment-ratio\t\tsegmentation\tlower" in out
    assert "\tbitext-mill 0.1\n" in out
    assert err == ""


def test_the_metric_of_the_package_is_used_by_processes(mill, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(mill)
    given = ["compare", TOPICS / "ref", TOPICS / "alpha", "--json", "-q", "-m", "segment-ratio"]
    status, out, err = run(*given, "-j", "1", "--journal", tmp_path / "j")
    assert (status, json.loads(out)["rows"]) == (0, json.loads(run(*given)[1])["rows"]), err
    assert '"packages": ["bitext-mill 0.1"]' in (tmp_path / "j").read_text()


@pytest.mark.usefixtures("installed")
def test_the_format_of_the_package_is_written_and_read(tmp_path):
    table, made, back = (tmp_path / name for name in ("a.tsv", "a.mill", "b.tsv"))
    table.write_text("the mill\tle moulin\n")
    assert run("convert", table, made, "-q") == (0, "", "")
    assert made.read_text() == "the mill || le moulin\n"
    assert run("convert", made, back, "-q") == (0, "", "")
    assert back.read_text() == table.read_text()
    made.write_text("the mill\n")
    assert run("convert", made, back)[2].endswith(
        "a.mill line 1: want || once, with blanks around it\n"
    )
    assert (
        "mill\tsource || target\ttext\t.mill\tyes\ta part\tbitext-mill 0.1\n" in run("formats")[1]
    )


@pytest.mark.usefixtures("installed")
def test_the_aligner_of_the_package_is_a_method(texts):
    status, out, _ = run("align", *texts, "--method", "in-order", "--json", "-q")
    assert (status, [row["type"] for row in json.loads(out)["rows"]]) == (0, ["1-1"] * 3)
    assert [*align_sentences(SRC, TGT, method="in-order")][2] == ((2,), (2,))
