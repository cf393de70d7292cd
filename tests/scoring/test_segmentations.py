"""`bitext.compare`: the figures of `bitext compare`, from files and from values in memory."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

import bitext
from bitext import Segmentation
from bitext.errors import InputError, OptionError
from bitext.model.segmentation import Segmentations

FEW = {"resamples": 200}
REF = {"a": Segmentation([5, 5, 1, 3]), "b": Segmentation([4, 4, 6]), "c": Segmentation([2, 7, 3])}
NEAR = {"a": Segmentation([5, 6, 3]), "b": Segmentation([4, 5, 5]), "c": Segmentation([2, 7, 3])}
FAR = {"a": Segmentation([7, 7]), "b": Segmentation([2, 2, 10]), "c": Segmentation([6, 6])}


def flat(document):
    """Return the figures and the tests of a document of `bitext compare --json`."""
    figures = {
        (r["system"], r["text"], r["average"], r["metric"]): [
            r["value"],
            *(r["interval"] or [None, None]),
            *(r[n] for n in ("better", "numerator", "denominator", "k", "undefined", "signature")),
        ]
        for r in document["rows"]
    }
    tests = {
        (r["system"], None, r["average"], r["metric"]): [r["baseline"], r["value"], r["p"]]
        for r in document["differences"]
    }
    return figures, tests


def check_rows(results, document):
    """Check that all rows of results are those of the document, exactly."""
    figures, tests = flat(document)
    names = ("value", "low", "high", "better", "numerator", "denominator", "k", "undefined")
    found, tested = {}, {}
    for row in results.rows(average="both", per_text=True):
        key = tuple(row[n] for n in ("system", "text", "average", "metric"))
        found[key] = [row[n] for n in (*names, "signature")]
        if row["p"] is not None:
            tested[key] = [row[n] for n in ("baseline", "difference", "p")]
    assert found == figures
    assert tested == tests
    assert len(results.tests(average="both")) == len(tests)


@pytest.fixture
def files(tmp_path):
    """Return a function that writes segmentations to a file and returns its path."""

    def write(name, table):
        lines = (json.dumps({"id": k, "masses": s.masses.tolist()}) for k, s in table.items())
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


METRICS = ["pk", "window-diff(k=3)", "boundary", "B", "A"]


def test_rows_are_the_figures_of_the_command_from_files_and_memory(files, document):
    paths = [files(n, t) for n, t in (("ref", REF), ("near", NEAR), ("far", FAR))]
    given = [x for m in METRICS for x in ("--metric", m)]
    told = document("compare", *paths, *given, "--resamples", 200)
    for reference, systems in (
        (paths[0], paths[1:]),
        (paths[0], {"near": NEAR, "far": Segmentations.of(FAR)}),
        (REF, {"near": paths[1], "far": dict(reversed(FAR.items()))}),
        (Segmentations.of(REF), {"near": NEAR, "far": FAR}),
    ):
        results = bitext.compare(reference, systems, metric=METRICS, **FEW)
        assert results.systems == ("near", "far")
        assert results.texts == ("a", "b", "c")
        check_rows(results, told)
    results = bitext.compare(paths[0], paths[1:], metric=METRICS, **FEW)
    assert results.to_json() == told
    listed = bitext.compare(
        list(REF.values()),
        {"near": [*NEAR.values()], "far": [*FAR.values()]},
        metric=METRICS,
        **FEW,
    )
    assert [r["value"] for r in listed.rows()] == [r["value"] for r in results.rows()]
    assert listed.texts == ("1", "2", "3")
    one = bitext.compare(list(REF.values()), list(NEAR.values()), **FEW)
    assert one.systems == ("system",)


def test_several_references_and_their_agreement_are_those_of_the_command(files, document):
    paths = [files(n, t) for n, t in (("one", REF), ("two", NEAR), ("far", FAR))]
    told = document(
        *("compare", paths[0], paths[2], "--ref", paths[1], "--metric", "wisebe,pk"),
        *("--agreement", "--with-systems", "--observed", "boundaries,S", "--resamples", 200),
    )
    options = {
        "metric": "wisebe,pk",
        "agreement": True,
        "with_systems": True,
        "observed": ["boundaries", "S"],
    }
    for reference, ref in ((paths[0], paths[1]), (paths[:2], ())):
        results = bitext.compare(reference, paths[2], ref=ref, **options, **FEW)
        assert results.references == ("one", "two")
        check_rows(results, told)
        assert results.to_json() == told
    results = bitext.compare({"one": REF, "two": NEAR}, {"far": FAR}, **options, **FEW)
    assert results.references == ("one", "two")
    check_rows(results, told)
    assert results.agreement.coders == ("one", "two", "far")


def test_units_may_be_the_characters_of_texts(tmp_path, document):
    for name, lines in (("ref", "One two.\n\nThree."), ("hyp", "One\n\ntwo. Three.")):
        (tmp_path / f"{name}.txt").write_text(f"{lines}\n", encoding="utf-8")
    paths = [tmp_path / "ref.txt", tmp_path / "hyp.txt"]
    told = document("compare", *paths, "--units", "words", "--resamples", 200)
    results = bitext.compare(*paths, units="words", **FEW)
    check_rows(results, told)
    first = told["notes"][0].replace("--segments lines or", "segments='lines' or")
    assert list(results.notes) == [first, *told["notes"][1:]]


def test_tables_and_pages_are_those_of_the_command(files, command, tmp_path):
    import polars as pl

    paths = [files(n, t) for n, t in (("ref", REF), ("near", NEAR), ("far", FAR))]
    arguments = ("compare", *paths, "--resamples", 200, "--quiet")
    results = bitext.compare(paths[0], paths[1:], **FEW)
    for style in ("table", "tsv", "markdown", "latex"):
        assert results.render(style) == command(*arguments, "--format", style)
    assert results.to_latex(digits=2, intervals=False, per_text=True) == command(
        *arguments, "--format", "latex", "--digits", 2, "--no-intervals", "--per-text"
    )
    if find_spec("matplotlib"):
        command(*arguments, "-o", tmp_path / "told.svg")
        results.save_figure(tmp_path / "figure.svg")
        assert (tmp_path / "figure.svg").read_bytes() == (tmp_path / "told.svg").read_bytes()
    command(*arguments, "--html", tmp_path / "told.html")
    results.save_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "told.html").read_bytes()
    assert repr(results).startswith(command(*arguments, "--format", "table").rstrip())
    assert 'class="strips"' in results._repr_html_()
    assert pl.DataFrame(results).to_dicts() == results.rows()
    assert list(results.to_pandas()["value"]) == [row["value"] for row in results.rows()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"average": "mean"}, "^average='mean' is not known: want one of micro, macro, both"),
        ({"missing": "empty"}, "^missing='empty' is not known: want one of leave, error"),
        ({"units": "letters"}, "^units='letters' is not known: want one of lines, characters"),
        ({"segments": "lines"}, "^segments= is for units='characters' or words"),
        ({"units": "words", "segments": "words"}, "^units='words' and segments='words' make"),
        ({"references": "best"}, "^references= is about several.*give ref=, or"),
        ({"observed": "S"}, "^with_systems=, observed= and matrix= are for agreement=True"),
        (
            {"agreement": True, "metric": "B"},
            r"^agreement= is of one reference: give others \(ref=\), or with_",
        ),
        ({"metric": "wisebe"}, "^wisebe is over several references, and there is one: give ref="),
        ({"metric": "pj"}, "^no metric 'pj'"),
        ({"closing": True, "metric": "pk"}, "^closing= is for wisebe, boundary"),
        ({"metric": 3}, "^the metric is 3: want a name or a function, or several"),
        ({"format": "masses"}, "^format= is for files, and all texts are in memory: leave it out"),
        ({"resamples": -1}, "^-1 resamples: want 0"),
        ({"shift": -1}, "^shift is -1: want a whole number of units, 0 or more"),
        ({"shift": "1"}, "^shift is '1': want a whole number of units"),
    ],
)
def test_options_are_refused_by_their_names(arguments, message):
    with pytest.raises(OptionError, match=message):
        bitext.compare(REF, {"near": NEAR}, **arguments)


@pytest.mark.parametrize(
    ("reference", "systems", "message"),
    [
        (REF, {}, "^there is no system"),
        (REF, (), "^there is no system: give at least one, or agreement=True"),
        (REF, {"x": [3]}, "^system x: has 3: want a path, a Segmentation"),
        (REF, {"x": []}, "^system x: has no text"),
        (REF, {"x": [NEAR["a"], None]}, "^system x: has None: want a path, a Segmentation"),
        (3, {"x": NEAR}, "^3 is no segmentation"),
        (["B", "I", "I"], ["B", "B", "I"], r"reference: 'B' is no path: .*from_labels\(labels\)"),
        (REF["a"], ["B", "B"], r"^the systems: 'B' is no path: .*Segmentation\.from_labels\("),
        ("0010", "0100", r"^the reference: '0010' is no path: .*from_bits\('0010'\)"),
        ([], {"x": NEAR}, "^the reference: has no text"),
        ({}, {"x": NEAR}, "^the reference: has no text"),
        (
            [*REF.values()],
            REF["a"],
            "^system system: has 1 text, and the reference has 3: .*by ref=",
        ),
        (
            Segmentation([5]),
            Segmentation([4]),
            "^system system: text '1' has 4 units, and 5 in reference: want segmentations of the",
        ),
        (REF, {1: NEAR, "1": FAR}, "^two are named '1': want different names"),
        (REF, {"x": Segmentations.of({"z": REF["a"], "y": REF["b"]})}, "has no|no text of"),
    ],
)
def test_values_that_are_no_segmentations_are_refused(reference, systems, message):
    with pytest.raises(InputError, match=message):
        bitext.compare(reference, systems)


def test_a_text_that_a_metric_refuses_is_left_out_where_asked():
    short = {"a": Segmentation([1]), "b": Segmentation([4, 4, 6])}
    with pytest.raises(InputError, match="or refused='leave', without such texts"):
        bitext.compare(short, {"x": short}, metric="pk")
    results = bitext.compare(short, {"x": short}, metric="pk", refused="leave", **FEW)
    assert any("left out of pk for all" in note for note in results.notes)


def test_a_dictionary_of_the_texts_of_the_reference_is_one_system():
    reference = {"a": Segmentation([5, 5]), "b": Segmentation([2, 3, 4])}
    hyp = {"b": Segmentation([2, 7]), "a": Segmentation([4, 6])}
    found = bitext.compare(reference, hyp, metric="pk", resamples=0)
    assert (found.systems, found.texts) == (("system",), ("a", "b"))
    one = bitext.compare({"a": reference["a"]}, {"x": hyp["a"]}, metric="pk", resamples=0)
    assert one.systems == ("x",)


def test_iterators_are_read_once_and_the_value_of_nothing_over_nothing_may_be_an_integer():
    lists = [[*each.values()] for each in (REF, NEAR)]
    listed = bitext.compare(*lists, metric="boundary", resamples=0)
    once = bitext.compare(*map(iter, lists), metric="boundary", resamples=0)
    assert once.rows() == listed.rows()
    bare = {**NEAR, "a": Segmentation([14])}
    means = [
        bitext.compare(
            REF, {"x": bare}, metric="boundary", average="macro", zero_division=zero, **FEW
        )
        for zero in (1, 1.0)
    ]
    assert means[0].rows() == means[1].rows()
    assert means[0].rows()[0]["value"] == pytest.approx((1 + 1 / 2 + 1) / 3)


def test_further_references_of_one_text_are_a_list_and_lists_have_as_many_texts():
    one, two, three = REF["a"], NEAR["a"], FAR["a"]
    found = bitext.compare(one, {"x": three}, ref=[two, three], metric="pk(k=2)", resamples=0)
    assert (found.references, found.texts) == (
        ("reference 1", "reference 2", "reference 3"),
        ("1",),
    )
    each = [bitext.compare(r, {"x": three}, metric="pk(k=2)").rows()[0] for r in (one, two, three)]
    assert found.rows()[0]["value"] == pytest.approx(sum(row["value"] for row in each) / 3)
    with pytest.raises(
        InputError, match=r"^reference 2: has 1 text, and reference 1 has 2: want a"
    ):
        bitext.compare([one, two], {"x": [three, three]}, ref=[two])


def test_coders_of_one_text_are_a_segmentation_each():
    coders = {"anna": Segmentation([5, 5]), "ben": Segmentation([4, 6])}
    kappa = ((7 / 9) - (65 / 81)) / (1 - 65 / 81)
    for given in (coders, [*coders.values()]):
        found = bitext.compare(given, agreement=True)
        assert found.rows()[0]["value"] == pytest.approx(kappa)
    assert bitext.compare(coders, agreement=True).references == ("anna", "ben")


def test_a_name_of_a_file_that_is_none_is_refused():
    found = bitext.compare(REF, {"near": NEAR}, metric="pk", resamples=0)
    for write in (found.save_html, found.save_figure):
        with pytest.raises(InputError, match=r"^3, of type int, is no path"):
            write(3)


def test_a_page_has_no_name_of_another_kind(tmp_path):
    found = bitext.compare(REF, {"near": NEAR}, metric="pk", resamples=0)
    for name in ("page.pdf", "page.SVG", "page.tsv.gz", "page.docx"):
        with pytest.raises(OptionError, match=r"save_html\(.*want a name that ends with .html"):
            found.save_html(tmp_path / name)
    assert not list(tmp_path.iterdir())
    found.save_html(f"{tmp_path}/v1.md/")
    assert (tmp_path / "v1.md/index.html").exists()


def test_the_index_of_a_series_has_the_names_of_texts():
    import pandas as pd

    swapped = pd.Series(dict(reversed(REF.items())))
    assert bitext.compare(pd.Series(REF), {"s": swapped}, metric="pk").rows()[0]["value"] == 0
    listed = pd.Series(list(REF.values()))
    assert bitext.compare(listed, {"s": listed}, metric="pk").rows()[0]["value"] == 0


def test_lists_of_paths_have_a_remedy_that_works(write):
    paths = [write(f"{name}.txt", "One.\n\nTwo.\nThree.\n") for name in ("a", "b")]
    for system in (paths, {"a": paths[0]}):
        with pytest.raises(
            InputError, match=r"system s: has the path .*a\.txt: give the folder of"
        ):
            bitext.compare(paths, {"s": system})
    one, two = map(bitext.read_segmentations, paths)
    results = bitext.compare({**one, **two}, {"s": {**one, **two}}, metric="pk")
    assert (results.texts, results.rows()[0]["value"]) == (("a", "b"), 0.0)


def test_labels_of_series_are_names_where_some_text_is_missing():
    import pandas as pd

    texts = [Segmentation([2, 4]), Segmentation([3, 3]), Segmentation([1, 5])]
    gold = pd.Series(texts)

    def scored(reference, system, **further):
        results = bitext.compare(reference, {"s": system}, metric="boundary", **further)
        return len(results.texts), results.rows()[0]["value"]

    assert scored(gold, gold[::-1]) == (3, 1.0)
    assert scored(gold[::-1], gold) == (3, 1.0)
    assert scored(gold, gold.drop(1)) == scored(gold, {0: texts[0], 2: texts[2]}) == (2, 1.0)
    assert scored(gold, gold, ref=[gold[::-1]]) == (3, 1.0)
    assert scored(gold, texts) == scored(texts, {1: texts[0], 2: texts[1], 3: texts[2]}) == (3, 1.0)
    named = pd.Series(texts, index=["x", "y", "z"])
    assert scored(named, named[1:]) == scored(named, {"y": texts[1], "z": texts[2]}) == (2, 1.0)
    systems = pd.DataFrame({"s": texts})
    found = bitext.compare(gold, systems, ref=gold[::-1], metric="boundary")
    assert (len(found.texts), found.rows()[0]["value"]) == (3, 1.0)
    with pytest.raises(InputError, match="the index of a Series has a name twice"):
        scored(gold, gold.iloc[[0, 1, 1]])  # the second text 1 would take the place of the first


@pytest.mark.parametrize("numbers", [(0, 1, 2), (1, 2), (2, 3, 4)])
def test_texts_by_number_are_not_paired_with_those_of_a_list(numbers):
    texts = [Segmentation([2, 4]), Segmentation([3, 3]), Segmentation([1, 5])]
    by_number = dict(zip(numbers, texts, strict=False))
    message = "some texts are named by numbers, as '[12]', beside texts of a list, which have none"
    for reference, system in ((texts, by_number), (by_number, texts)):
        with pytest.raises(InputError, match=f"system s: {message}"):
            bitext.compare(reference, {"s": system}, metric="boundary")
        with pytest.raises(InputError, match=f"reference 2: {message}"):
            bitext.compare([texts, by_number], {"s": texts}, metric="boundary")


@pytest.mark.parametrize("names", ["0 1 2", "0 2", "2 1 0"])
def test_texts_numbered_from_0_are_not_those_numbered_from_1(write, names):
    from_1 = write("a.masses", "2,4\n3,3\n1,5\n")  # named by their lines
    texts = {name: Segmentation([3, 3]) for name in names.split()}
    from_0 = write("b.jsonl", "".join(f'{{"id": "{k}", "masses": [3, 3]}}\n' for k in texts))
    for one, two in ((from_1, from_0), (from_0, from_1), (from_1, texts)):
        with pytest.raises(InputError, match=r" numbers its texts from 1, and .* from 0: want"):
            bitext.compare(one, {"s": two}, metric="boundary")
    found = bitext.compare(from_1, {"s": {**texts, "3": Segmentation([3, 3])}}, metric="boundary")
    assert found.texts[-1] == "3"


def test_names_of_texts_in_memory_pair_however_their_accents_are_composed(write):
    """As names that macOS lists, beside those of files, which are composed."""
    name, apart = "caf\u00e9", "cafe\u0301"
    path = write(
        "r.jsonl", f'{{"id": "{apart}", "masses": [2, 3]}}\n{{"id": "b", "masses": [2]}}\n'
    )
    for given in (name, apart):
        system = {given: Segmentation([2, 3]), "b": Segmentation([2])}
        found = bitext.compare(path, {"s": system}, metric="boundary", **FEW)
        assert list(found.evaluation.texts) == [name, "b"]
        assert not any("lacks" in note for note in found.notes)
    both = {name: Segmentation([2]), apart: Segmentation([2])}
    with pytest.raises(InputError, match=f"two are named '{name}'"):
        bitext.compare(both, {"s": Segmentation([2])})
