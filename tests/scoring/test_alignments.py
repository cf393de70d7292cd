"""`bitext.evaluate`: the figures of `bitext score`, from files and from values in memory."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import bitext
from bitext import Alignment, Bitext, Text, WordLinks, evaluate
from bitext.errors import InputError, OptionError
from bitext.metrics import link_scores

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
COAST = FIXTURES / "coast"
TEXTS = {"src": COAST / "text" / "{name}.en", "tgt": COAST / "text" / "{name}.fr"}
NAMES = ("ferry", "lighthouse", "market")
FEW = {"resamples": 200}


def flat(document, head):
    """Return the figures of a document of `bitext score --json`: one item a figure."""
    names = [n for n in ("precision", "recall", "f1", "f", "aer") if n in document["rows"][0]]
    figures = {}
    for row in document["rows"]:
        for name in names:
            ends = row["intervals"][name] if row["intervals"] else [None, None]
            key = (row["system"], row["text"], row["average"], row[head], name)
            figures[key] = [row[name], *ends, row["undefined"], row["signature"]]
    for row in document.get("similarity", ()):
        key = (row["system"], row["text"], row["average"], row["granularity"], "similarity")
        ends = row["interval"] or [None, None]
        figures[key] = [row["value"], *ends, row["undefined"], row["signature"]]
    tests = {}
    for row in document["differences"]:
        for name in names:
            key = (row["system"], None, row["average"], row[head], name)
            tests[key] = [row["baseline"], row[name], row["p"][name]]
    for row in document.get("similarity_differences", ()):
        key = (row["system"], None, row["average"], row["granularity"], "similarity")
        tests[key] = [row["baseline"], row["value"], row["p"]]
    return figures, tests


def check_rows(results, document, head="granularity"):
    """Check that all rows of results are those of the document, exactly."""
    figures, tests = flat(document, head)
    found, tested = {}, {}
    for row in results.rows(average="both", per_text=True):
        key = tuple(row[n] for n in ("system", "text", "average", head, "figure"))
        found[key] = [row[n] for n in ("value", "low", "high", "undefined", "signature")]
        if row["p"] is not None:
            tested[key] = [row[n] for n in ("baseline", "difference", "p")]
    assert found == figures
    assert tested == tests
    again = {
        (t["system"], None, t["average"], t[head], t["figure"]): [
            t["baseline"],
            t["difference"],
            t["p"],
        ]
        for t in results.tests(average="both")
    }
    assert again == tests


def coast(folder):
    """Return the bitexts of a folder of the coast, text by text."""
    suffix = "ladder" if folder == "beta" else "align"
    return [
        bitext.read(
            COAST / folder / f"{name}.{suffix}",
            src=COAST / "text" / f"{name}.en",
            tgt=COAST / "text" / f"{name}.fr",
        )
        for name in NAMES
    ]


def test_rows_are_the_figures_of_the_command(document):
    options = ("--src", TEXTS["src"], "--tgt", TEXTS["tgt"], "--resamples", 200, "--similarity")
    told = document("score", COAST / "gold", COAST / "alpha", COAST / "beta", *options)
    systems = [COAST / "alpha", str(COAST / "beta")]
    results = bitext.evaluate(COAST / "gold", systems, **TEXTS, **FEW, similarity=True)
    check_rows(results, told)
    assert results.systems == ("alpha", "beta")
    assert results.texts == NAMES
    assert {k: v for k, v in results.to_json().items() if k != "notes"} == {
        k: v for k, v in told.items() if k != "notes"
    }
    assert list(results.notes) == told["notes"]
    first = results.rows()[0]
    assert (first["numerator"], first["denominator"]) == (34, 38)
    assert first["numerator"] / first["denominator"] == first["value"]


def test_texts_in_memory_give_the_figures_of_their_files(document):
    options = ("--src", TEXTS["src"], "--tgt", TEXTS["tgt"], "--resamples", 200)
    told = document("score", COAST / "gold", COAST / "alpha", COAST / "beta", *options)
    gold, alpha, beta = map(coast, ("gold", "alpha", "beta"))
    by_name = dict(zip(NAMES, alpha, strict=True))
    alignments = [each.alignment for each in beta]
    for systems in (
        {"alpha": alpha, "beta": beta},
        {"alpha": by_name, "beta": alignments},
        {"alpha": COAST / "alpha", "beta": beta},
        {"alpha": dict(reversed(by_name.items())), "beta": COAST / "beta"},
    ):
        check_rows(bitext.evaluate(gold, systems, **FEW), told)
    check_rows(
        bitext.evaluate(COAST / "gold", {"alpha": alpha, "beta": beta}, **TEXTS, **FEW), told
    )
    one = bitext.evaluate(gold, beta, **FEW)
    assert one.systems == ("system",)
    assert [r["value"] for r in one.rows()] == [
        r["value"] for r in bitext.evaluate(gold, {"b": COAST / "beta"}, **FEW).rows()
    ]


def test_one_text_is_resampled_in_blocks_as_by_the_command(document):
    gold, hyp = (FIXTURES / "orchard" / n for n in ("orchard.en-fr.align", "orchard.en-fr.align"))
    texts = {"src": FIXTURES / "orchard/orchard.en", "tgt": FIXTURES / "orchard/orchard.fr"}
    told = document(
        "score", gold, hyp, "--src", texts["src"], "--tgt", texts["tgt"], "--resamples", 200
    )
    loaded = bitext.read(gold, **texts)
    check_rows(bitext.evaluate(gold, hyp, **texts, **FEW), told)
    results = bitext.evaluate(loaded, {next(iter(told["systems"])): loaded}, **FEW)
    check_rows(results, told)


@pytest.mark.parametrize("ways", [{}, {"by": "part", "alpha": 0.3}, {"sure_only": True}])
def test_word_links_are_those_of_the_command(document, ways):
    folder = FIXTURES / "links"
    gold, hyps = folder / "gold.pharaoh", [folder / "alpha.talp", folder / "beta.talp"]
    texts = {"src": folder / "gold.en", "tgt": folder / "gold.fr"}
    given = ["--src", texts["src"], "--tgt", texts["tgt"], "--swap", "beta"]
    for name, value in ways.items():
        option = f"--{name.replace('_', '-')}"
        given += [option] if value is True else [option, value]
    told = document("score", gold, *hyps, *given, "--resamples", 200)
    results = bitext.evaluate(gold, hyps, **texts, swap="beta", **ways, **FEW)
    check_rows(results, told, "part")
    assert {row["figure"] for row in results.rows()} >= {"precision", "recall", "aer"}


def test_frames_have_the_rows():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    results = bitext.evaluate(
        coast("gold"), {"alpha": coast("alpha"), "beta": coast("beta")}, **FEW
    )
    rows = results.rows(per_text=True)
    frame = results.to_pandas(per_text=True)
    assert list(frame.columns) == list(rows[0])
    assert frame.astype(object).where(frame.notna(), None).to_dict("records") == rows
    wide = frame[frame["text"].isna()].set_index(["system", "granularity", "figure"])["value"]
    assert wide["alpha", "sentence", "f1"] == pytest.approx(0.9574, abs=1e-4)
    assert results.to_polars(per_text=True).to_dicts() == rows
    assert pl.DataFrame(results).to_dicts() == results.rows()
    assert pa.table(results).to_pylist() == results.rows()
    assert pd.DataFrame.from_arrow(results)["value"].sum() == pytest.approx(
        sum(row["value"] for row in results.rows())
    )


def test_a_system_without_intervals_has_typed_columns():
    import polars as pl

    gold = Alignment([((0,), (0,)), ((1,), (1,))])
    results = bitext.evaluate(gold, {"ours": Alignment([((0,), (0,))])}, resamples=0)
    assert results.tests() == []
    assert results.to_polars().schema["low"] == pl.Float64
    assert results.to_pandas()["p"].dtype == "float64"


def test_tables_and_pages_are_those_of_the_command(command, tmp_path):
    arguments = ("score", COAST / "gold", COAST / "alpha", COAST / "beta", "--src", TEXTS["src"],
                 "--tgt", TEXTS["tgt"], "--resamples", 200, "--average", "both")  # fmt: skip
    results = bitext.evaluate(
        COAST / "gold", [COAST / "alpha", COAST / "beta"], **TEXTS, **FEW, average="both"
    )
    for style in ("table", "tsv", "markdown", "latex"):
        assert results.render(style) == command(*arguments, "--format", style)
    assert results.to_latex() == command(*arguments, "--format", "latex")
    assert results.to_latex(per_text=True) == command(*arguments, "--format", "latex", "--per-text")
    assert repr(results).startswith(command(*arguments, "--format", "table"))
    assert "\nnote: gold: bisegments out of order" in repr(results)
    for place in ("page.html", "pages/"):
        command(*arguments, "--html", f"{tmp_path}/cli-{place}", "--json")
        results.save_html(f"{tmp_path}/{place}")
    pages = [p.relative_to(tmp_path) for p in sorted(tmp_path.rglob("*.html"))]
    ours = [p for p in pages if not str(p).startswith("cli-")]
    assert len(ours) == 5
    for page in ours:
        assert (tmp_path / page).read_bytes() == (tmp_path / f"cli-{page}").read_bytes()


def test_the_figure_is_that_of_the_command(command, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib (the extra figures) is not installed")
    results = bitext.evaluate(COAST / "gold", COAST / "alpha", **TEXTS, **FEW)
    told, figure = tmp_path / "told.pdf", tmp_path / "figure.pdf"
    command("score", COAST / "gold", COAST / "alpha", "--src", TEXTS["src"], "--tgt", TEXTS["tgt"],
            "--resamples", 200, "--no-intervals", "-o", told)  # fmt: skip
    results.save_figure(figure, intervals=False)
    assert figure.read_bytes() == told.read_bytes()
    results.save_figure(tmp_path / "packed.svg.gz")
    assert gzip.decompress((tmp_path / "packed.svg.gz").read_bytes()).startswith(b"<?xml")
    assert [axes.get_xlabel() for axes in results.plot().axes] == ["precision", "recall", "F1"]
    with pytest.raises(OptionError, match=r"figure.eps: figures are .svg, .pdf, .png$"):
        results.save_figure("figure.eps")


def test_the_page_of_one_text_shows_its_alignments(tmp_path):
    gold, hyp = coast("gold")[0], coast("beta")[0]
    results = bitext.evaluate(gold, {"beta": hyp}, **FEW)
    with pytest.raises(OptionError, match=r"page.png'\): has the ending .png"):
        results.save_html(tmp_path / "page.png")
    results.save_html(tmp_path / "page.html")
    assert 'class="ribbon' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_notebook_shows_the_averages_of_the_call():
    results = bitext.evaluate(coast("gold"), {"a": coast("alpha")}, **FEW, average="macro")
    shown = results._repr_html_()
    assert "macro average" in shown
    assert "<bdi>sentence</bdi>" in shown


def test_texts_that_a_system_lacks_are_left_out_or_empty():
    gold, alpha = coast("gold"), coast("alpha")
    fewer = {name: each for name, each in zip(NAMES, alpha, strict=True) if name != "ferry"}
    assert bitext.evaluate(gold, {"a": fewer}, **FEW).texts == NAMES[1:]
    empty = bitext.evaluate(gold, {"a": fewer}, missing="empty", **FEW)
    assert empty.texts == NAMES
    with pytest.raises(InputError, match=r"has no alignment of 'ferry'.*missing='leave'"):
        bitext.evaluate(gold, {"a": fewer}, missing="error", **FEW)


def test_pages_read_the_texts_again_and_leave_the_results_as_they_are(tmp_path):
    one = Bitext(Text(["a", "b"]), Text(["A", "B"]), Alignment([((0,), (0,)), ((1,), (1,))]))
    gold, system = {"t1": one, "t2": one}, {"t2": one, "t3": one}
    results = bitext.evaluate(gold, {"ours": system}, **FEW)
    before = results.to_json()
    lone = {(each["text"], each["extra"]) for each in before["unpaired"]}
    assert lone == {("t1", False), ("t3", True)}
    for _ in range(2):
        results.save_html(f"{tmp_path}/report/")
        assert sorted(path.name for path in (tmp_path / "report/texts").iterdir()) == ["t2.html"]
    assert results.to_json() == before


def test_sides_that_seem_exchanged_are_refused_with_the_argument():
    gold, alpha = coast("gold"), [each.swapped() for each in coast("alpha")]
    bare = [Bitext(None, None, each.alignment) for each in alpha]
    gold = [Bitext(None, None, each.alignment) for each in gold]
    with pytest.raises(InputError, match=r"score it with swap='a', or .* with no_swap_check=True"):
        bitext.evaluate(gold, {"a": bare}, **FEW)
    swapped = bitext.evaluate(gold, {"a": bare}, swap="a", **FEW)
    assert swapped.rows()[0]["value"] == pytest.approx(34 / 38)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"average": "mean"}, "^average='mean' is not known: want one of micro, macro, both"),
        ({"missing": "drop"}, "^missing='drop' is not known: want one of leave, empty, error"),
        ({"granularity": "line"}, "^granularity 'line' is not known: alignment, sentence"),
        ({"alpha": 0.3}, r"^alpha= is for word links.*\(granularity='links'\)"),
        ({"granularity": "links", "similarity": True}, "^similarity= is for bisegments"),
        ({"granularity": "links,word"}, "^granularity='links,word': links are scored by themselv"),
        ({"words": "unicode", "granularity": "strict"}, "^words='unicode' is for the granularity"),
        ({"swap": "b"}, "^swap='b': want one of the systems a$"),
        ({"format": {"b": "tmx"}}, "^format='b': want one of the systems a$"),
        ({"base": {"b": 1}}, "^base='b=1': b is no system: want gold, or one of a"),
        ({"base": 2}, "^base='2': want 0 or 1"),
        ({"resamples": -1}, "^-1 resamples: want 0"),
        ({"test": "z"}, "^test 'z' is not known"),
        ({"baseline": 0}, "^baseline=0: want the name of a system"),
        ({"baseline": "z"}, "^baseline='z': no system has this name; the systems are "),
        ({"pairs": True}, "^pairs=True is between systems, and there is one: give several, or"),
        ({"holm": True}, "^holm=True is between systems, and there is one"),
        ({"test": "t", "resamples": 0}, "^test='t' is for resamples, and resamples=0 makes none"),
        ({"resamples": 1}, "^resamples=1: no interval is made of one"),
        ({"src": "a.en"}, "^src= is the text of a gold standard in a file"),
        ({"columns": "src=1,tgt=2"}, "^columns= is for files, and all texts are in memory"),
        ({"granularity": 3}, "^an option is 3: want a string, or a list of strings"),
        ({"granularity": b"word"}, "^an option is b'word': want a string, or a list of strings"),
    ],
)
def test_options_are_refused_by_their_names(arguments, message):
    alignment = Alignment([((0,), (0,))])
    with pytest.raises(OptionError, match=message):
        bitext.evaluate(alignment, {"a": alignment}, **arguments)


@pytest.mark.parametrize(
    ("gold", "systems", "message"),
    [
        (b"a.xml", {"a": []}, "^the gold standard: has b'a.xml': want a path, a Bitext or an Alig"),
        ([], {"a": []}, "^the gold standard: has no text"),
        (Alignment([]), {}, "^there is no system"),
        (Alignment([]), None, "^the systems are None: want a path, a Bitext"),
        (Alignment([]), {1: Alignment([]), "1": Alignment([])}, "^two are named '1'"),
        (3, {"a": Alignment([])}, "^the gold standard: has 3: want a path, a Bitext"),
        (
            dict.fromkeys("xy", Alignment([])),
            {"a": dict.fromkeys("zw", Alignment([]))},
            "^system a: no text has a partner of the same name .* 'z' against 'x'; .*give lists",
        ),
        (
            [Alignment([])] * 2,
            {"a": dict.fromkeys("xyz", Alignment([]))},
            "^system a: has 3 texts, and the gold",
        ),
        (Alignment([]), {"a": [Text(["Yes."])]}, "^system a: has <Text"),
    ],
)
def test_values_that_are_no_alignments_are_refused(gold, systems, message):
    with pytest.raises(InputError, match=message):
        bitext.evaluate(gold, systems)


@pytest.mark.parametrize("option", ["src", "hyp_tgt"])
def test_texts_of_files_are_named_by_paths(option):
    with pytest.raises(InputError, match="<Text: 1 segment, 4 characters>, of type Text, is no pa"):
        bitext.evaluate(COAST / "gold", {"a": COAST / "alpha"}, **{option: Text(["Yes."])})


def test_positions_in_memory_may_count_from_1():
    gold, from_1 = (Alignment([((k,), (k,)) for k in range(b, b + 12)]) for b in (0, 1))
    with pytest.raises(InputError, match=r"seems to count from 1 \(base='x=1'\)"):
        bitext.evaluate(gold, {"x": from_1}, granularity="alignment", **FEW)
    found = bitext.evaluate(gold, {"x": from_1}, base={"x": 1}, granularity="alignment", **FEW)
    assert [row["value"] for row in found.rows()] == [1, 1, 1]
    found = bitext.evaluate(from_1, {"x": gold}, base=1, granularity="alignment", **FEW)
    assert [row["value"] for row in found.rows()] == [1, 1, 1]
    with pytest.raises(InputError, match=r"^x: .* has the position 0, .*: leave base='x=1' out"):
        bitext.evaluate(gold, {"x": gold}, base={"x": 1}, **FEW)


def test_word_links_in_memory_may_count_from_1():
    pairs = [((k,), (k,)) for k in range(20)]
    gold, from_1 = (
        Alignment(pairs, attributes={"words": [f"{b}-{k + b} {k + b}-{b + 1}" for k in range(20)]})
        for b in (0, 1)
    )
    found = bitext.evaluate(gold, {"x": from_1}, base={"x": 1}, **FEW)
    assert [row["value"] for row in found.rows()] == [1, 1, 1, 0]


def test_texts_without_names_are_taken_in_order_and_not_by_their_numbers():
    right, wrong = Alignment([((0,), (0,))]), Alignment([((0,), (0,)), ((1,), ())])
    gold = {"10": right, "2": wrong}
    found = bitext.evaluate(gold, {"x": [right, wrong]}, granularity="alignment", resamples=0)
    assert [row["value"] for row in found.rows()] == [1, 1, 1]
    with pytest.raises(InputError, match=r"^system x: has 1 text, and the gold standard has 2"):
        bitext.evaluate([right, wrong], {"x": right})


def test_a_text_without_links_may_have_its_words():
    texts = Text(["a b", "c"]), Text(["x", "y z"])
    links = Alignment([((0,), (0,)), ((1,), (1,))], attributes={"words": ["0-0 1-0", "0-1"]})
    bare = Bitext(*texts, Alignment([]))
    for gold in (links, Bitext(Text(["a b", "c"]), Text(["x", "y z"]), links)):
        found = bitext.evaluate(gold, {"x": bare}, missing="empty", granularity="links")
        assert [row["value"] for row in found.rows()] == [None, 0, 0, 1]


def test_the_index_of_a_series_has_the_names_of_texts():
    import pandas as pd

    one, other = Alignment([((0,), (0,))]), Alignment([((0,), (0,)), ((1,), (1, 2))])

    def f1(gold, hyp):
        return bitext.evaluate(gold, {"s": hyp}, granularity="alignment").rows()[2]["value"]

    named = pd.Series({"a": one, "b": other})
    assert f1(named, pd.Series({"b": other, "a": one})) == 1
    assert f1([one, other], pd.Series([one, other])) == 1
    for wrong, message in (({one, other}, "no order"), (named.iloc[[0, 0]], "a name twice")):
        with pytest.raises(InputError, match=message):
            f1(named, wrong)


def test_word_links_in_memory_are_scored():
    gold = WordLinks.parse(["0-0 1-1 2p2", "0-1", ""])
    hyp = WordLinks.parse(["0-0 2-2", "0-0", "1-0"])
    results = evaluate({"x": gold, "y": hyp}, {"a": {"y": gold, "x": hyp}, "b": [gold, hyp]})
    counts = link_scores(gold, hyp) + link_scores(hyp, gold)
    figures = {(row["system"], row["figure"]): row["value"] for row in results.rows()}
    assert [figures["a", "aer"], figures["b", "aer"]] == [counts.aer, 0.0]
    assert evaluate(gold, hyp).rows()[0]["signature"].startswith("word-links:all|")
    with pytest.raises(
        InputError, match=r"1: has word links, .* and no bisegments to score: leave"
    ):
        evaluate(gold, hyp, granularity="sentence")
    with pytest.raises(InputError, match="has word links and 1 has none; give links for all"):
        evaluate(gold, Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match=r"the gold standard 1 has 3 sentence pairs and the hyp"):
        evaluate(gold, gold[:2])


def test_lists_of_paths_have_a_remedy_that_works(write):
    paths = [write(f"{name}.align", "[0]:[0]\n") for name in ("a", "b")]
    for gold, system in ((paths, paths), ("a.align", paths), ({"a": paths[0]}, "a.align")):
        with pytest.raises(
            InputError, match=r"has the path .*a.align: give the folder of its files"
        ):
            evaluate(gold, {"s": system})
    texts = [bitext.read(path) for path in paths]
    assert evaluate(texts, {"s": texts}).rows()[0]["value"] == 1.0


def test_texts_numbered_from_0_are_not_paired_with_texts_numbered_from_1():
    texts = [Alignment([((0,), (k,))]) for k in range(3)]
    from_0, from_1 = dict(enumerate(texts)), dict(enumerate(texts, start=1))
    with pytest.raises(InputError, match="system s: its texts are numbered from 1, and those of t"):
        evaluate(from_0, {"s": from_1})
    with pytest.raises(InputError, match="from 0, and those of the gold standard from 1: want"):
        evaluate(from_1, {"s": from_0})
    for part in ({1: texts[1], 2: texts[2]}, {1: texts[1]}):
        results = evaluate(from_0, {"s": part}, granularity="alignment")
        assert (len(results.texts), results.rows()[0]["value"]) == (len(part), 1.0)
    assert evaluate({1: texts[0]}, {"s": {0: texts[0]}}).texts == ("1",)  # as with other names


def test_files_numbered_from_0_are_not_paired_with_files_numbered_from_1(write, tmp_path):
    for k in range(3):
        write(f"from_0/{k}.align", f"[0]:[{k}]\n")
        write(f"from_1/{k + 1}.align", f"[0]:[{k}]\n")
    rows = [f'{{"src": ["0"], "tgt": ["0"], "document": "{k}"}}\n' for k in range(4)]
    files = write("from_0.jsonl", "".join(rows[:3])), write("from_1.jsonl", "".join(rows[1:]))
    with pytest.raises(InputError, match="system s: its texts are numbered from 1, and those of t"):
        evaluate(files[0], {"s": files[1]})
    one, two = f"{tmp_path}/from_0", f"{tmp_path}/from_1"
    for gold, system, number in ((one, two, 1), (two, one, 0)):
        with pytest.raises(InputError, match=f"system s: its texts are numbered from {number}, "):
            evaluate(gold, {"s": system})
    for k in range(3):
        write(f"ch_0/ch{k:02}.align", f"[0]:[{k}]\n")
        write(f"ch_1/ch{k + 1:02}.align", f"[0]:[{k}]\n")
    with pytest.raises(InputError, match="system s: its texts are numbered from 0, and those of t"):
        evaluate(f"{tmp_path}/ch_1", {"s": f"{tmp_path}/ch_0"})
    (tmp_path / "from_0" / "2.align").rename(tmp_path / "from_0" / "3.align")
    assert evaluate(two, {"s": one}).texts == ("1", "3")  # with those that are in both
    assert evaluate(f"{two}/1.align", {"s": f"{one}/0.align"}).texts == ("1",)


def test_labels_of_series_are_names_where_some_text_is_missing():
    import pandas as pd

    texts = [Alignment([((0,), (k,)), ((1,), ())]) for k in range(3)]
    gold = pd.Series(texts)
    for system in (gold[::-1], gold.drop(1), {2: texts[2], 0: texts[0]}, gold, texts):
        results = evaluate(gold, {"s": system}, granularity="alignment")
        assert (len(results.texts), results.rows()[0]["value"]) == (len(system), 1.0)
    with pytest.raises(InputError, match="the index of a Series has a name twice"):
        evaluate(gold, {"s": gold.iloc[[0, 1, 1]]})
    by_number = dict(enumerate(texts))
    for system in (gold, texts):
        results = evaluate(by_number, {"s": system}, granularity="alignment")
        assert results.rows()[0]["value"] == 1.0
    for system in (by_number, gold.drop(1)):
        with pytest.raises(
            InputError, match=r"system s: some texts are named by numbers, as '[12]'"
        ):
            evaluate(texts, {"s": system}, granularity="alignment")
