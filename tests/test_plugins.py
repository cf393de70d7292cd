"""Plug-ins of other packages: found when asked for, refused where they are wrong."""

import json
import pickle
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import bitext
from bitext import Counts, OptionError, PluginError, Ratio, Segmentation, SegmentationError
from bitext.cli.main import main
from bitext.formats import all_formats
from bitext.formats.registry import by_name, by_suffix
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


# A metric as a plain function.


def segments(gold, hyp, *, least=0):
    """Count the segments of the hypothesis."""
    del gold
    return max(least, len(hyp.masses))


segments.better = "lower"


def test_a_plain_function_is_a_metric_with_means_intervals_and_tests():
    systems = {"a": HYP, "b": GOLD}
    results = bitext.compare(GOLD, systems, metrics=[segments, "pk(k=2)"], average="both")
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

    results = bitext.compare(GOLD, HYP, metrics=[pool, count])
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
        bitext.compare(GOLD, HYP, metrics=given)


def test_a_text_that_a_plain_function_refuses_can_be_left_out():
    results = bitext.compare(
        GOLD, HYP, metrics={"m": lambda _, hyp: 1 / (len(hyp.masses) - 1)}, refused="leave"
    )
    assert results.rows()[0]["value"] == pytest.approx(0.75)
    assert any("left out of m for all" in note for note in results.notes)
