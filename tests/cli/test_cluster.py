"""`bitext cluster` from the outside."""

from __future__ import annotations

import json
import re

import pytest

from reference.lattice_files import accepted, is_acyclic

WORDS = ["--parser", "none", "--preset", "V1"]  # to parse takes most of the time of a test
FIRE = "A fire broke out in Tarnwick .\nThe fire in Tarnwick broke out .\n"


@pytest.fixture
def news(harbour):
    return harbour / "news.trees"


def test_a_lattice_is_written_by_the_name_of_the_file(bitext, news, tmp_path):
    for name, begins in {
        "a.json": '{"schema": "bitext.cluster/1"',
        "a.dot": "digraph",
        "a.graphml": "<?xml",
        "a.tei.xml": "<?xml",
        "a.tsv": "1\tA\tfire",
        "a.svg": "<svg",
        "a.html": "<!DOCTYPE html>",
    }.items():
        result = bitext("cluster", news, "-o", tmp_path / name)
        assert (result.status, result.out, result.err) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").lower().startswith(begins.lower())


@pytest.mark.parametrize("preset", ["V1", "V2", "V3", "V4", "V5"])
def test_every_input_is_a_path_and_there_is_no_cycle(bitext, news, preset):
    held = json.loads(bitext("cluster", news, "--preset", preset, "--json").out)
    assert is_acyclic(held)
    assert all(accepted(held, s) for s in range(len(held["tokens"])))
    members = [tuple(m) for node in held["nodes"] for m in node["members"]]
    assert sorted(members) == [
        (s, w) for s, words in enumerate(held["tokens"]) for w in range(len(words))
    ]


def test_the_milan_example_both_ways(bitext, published):
    milan = published / "milan" / "sentences.trees"
    by_words = json.loads(bitext("cluster", milan, "--preset", "V1", "--json").out)
    assert by_words["pairs"] == [[[0, 0], [1, 3]]]
    shared = [node for node in by_words["nodes"] if len(node["members"]) > 1]
    assert [(node["form"], node["members"]) for node in shared] == [("Milan", [[0, 0], [1, 3]])]
    by_syntax = json.loads(bitext("cluster", milan, "--json").out)
    assert by_syntax["pairs"] == []
    assert all(len(node["members"]) < 2 for node in by_syntax["nodes"])


def test_clusters_of_one_name_are_told_apart(bitext, published, write):
    milan = published / "milan" / "sentences.trees"
    again = write("sentences.txt", FIRE)
    held = json.loads(bitext("cluster", milan, again, "--report", "--json").out)
    assert {row["cluster"] for row in held["rows"]} - {None} == {"sentences", "sentences-2"}


def test_the_signature_of_a_report_tells_the_choices(bitext, news):
    told = bitext(
        "cluster", news, "--report", "--figure4", "--order", "similarity", "--format", "table"
    )
    assert (
        "syntax|leave-out:commas|forms:casefold|borders:free|figure4|order:similarity" in told.out
    )
    assert "parser:given" in told.out


def test_words_alone_are_not_parsed_for_a_table(bitext, harbour, monkeypatch):
    from bitext.syntax.adapters.local import BuiltinParser

    monkeypatch.delattr(BuiltinParser, "parse")
    assert bitext("cluster", harbour / "news.txt", "--preset", "V1").status == 0


def test_the_page_and_a_table(bitext, news, tmp_path):
    page = tmp_path / "a.html"
    assert "\tTarnwick" in bitext("cluster", news, "--html", page).out
    assert "Tarnwick*" in bitext("cluster", news, "--html", page, "--format", "table").out
    assert bitext("cluster", news, "--html", "-").out.startswith("<!DOCTYPE html>")
    assert bitext("cluster", news, "-o", tmp_path / "a.svg.gz").status == 0
    assert (tmp_path / "a.svg.gz").read_bytes().startswith(b"\x1f\x8b")


def test_the_automaton_on_standard_output(bitext, news):
    held = json.loads(bitext("cluster", news, "--minimise", "--json").out)
    assert held["schema"] == "bitext.automaton/1"


def test_explain_tells_the_worked_trace(bitext, published):
    milan = published / "milan" / "sentences.trees"
    told = bitext("cluster", milan, "--explain", "1:Milan", "2:4").out
    assert "score: 1 + 1 * (0) - 1 * 2 = -1" in told
    assert "no match: the score -1 is below 0" in told
    told = bitext("cluster", milan, "--figure4", "--explain", "1:Milan", "2:Milan").out
    assert "= 0" in told
    assert "positions: 1/3 and 1, 2/3 apart" in told


def test_weight_distance_and_threshold_of_the_match(bitext, published):
    milan = published / "milan" / "sentences.trees"
    # By the text Milan scores -1, and stands 2/3 from Milan.
    near = ("--max-distance", "0.7", "--match-threshold", "-1")
    for more, pairs in (
        ((), 0),
        (("--max-distance", "0.7"), 0),
        (("--match-threshold", "-1"), 0),
        (near, 1),
        (("--max-distance", "0.7", "--trace-weight", "1/2"), 1),
    ):
        held = json.loads(bitext("cluster", milan, "--json", *more).out)
        assert len(held["pairs"]) == pairs
    held = json.loads(bitext("cluster", milan, "--json", *near).out)
    assert "|max-distance:7/10|match-threshold:-1|order:cluster|" in held["signature"]
    told = bitext("cluster", milan, *near, "--explain", "1:Milan", "2:Milan").out
    assert "2/3 apart; want at most 7/10" in told
    assert "match: forms, parts of speech, syntax and positions agree" in told
    report = bitext("cluster", milan, *near, "--report", "--format", "table").out
    assert "signature of V1: words|leave-out:nothing|forms:casefold|borders:free|order" in report
    assert "borders:free|max-distance:7/10|match-threshold:-1|order" in report


def test_left_out_words_as_gaps(bitext, write):
    text = "tower of of of of the the storm\ntower fell storm\n"
    cluster = write("c", text)
    for more, pairs in (([], [0, 7]), (["--left-out-gaps"], [7])):
        held = json.loads(bitext("cluster", cluster, "--preset", "V3", "--json", *more).out)
        assert [word for (_, word), _ in held["pairs"]] == pairs
    assert "leave-out:commas,stop-words(gaps)|" in held["signature"]
    assert sum(len(node["members"]) for node in held["nodes"]) == len(text.split())


def test_files_of_lattices_have_the_signature_of_their_aligner(bitext, news, tmp_path):
    lattice = tmp_path / "a.json"
    bitext("cluster", news, "--preset", "V5", "--normalise", "-o", lattice)
    held = json.loads(lattice.read_text(encoding="utf-8"))
    assert list(held)[:2] == ["schema", "signature"]
    assert held["signature"].startswith(
        "syntax|leave-out:commas|forms:casefold|borders:free|order:cluster|normalised:yes|bitext:"
    )
    assert bitext("paraphrase", lattice).status == 0
    several = json.loads(bitext("cluster", news, news, "--json").out)
    assert several["signature"].startswith("syntax|leave-out:commas,stop-words|")


def test_stop_words_may_be_named(bitext, write):
    cluster = write("c", "la casa es grande\nla torre es alta\n")
    words = write("stop.txt", "# articles\nla las\nel\n")
    for more, shared in (([], ["la", "es"]), (["--stop-words", words], ["es"])):
        held = json.loads(bitext("cluster", cluster, "--preset", "V3", "--json", *more).out)
        assert [n["form"] for n in held["nodes"] if len(n["members"]) == 2] == shared
    report = bitext("cluster", cluster, "--report", "--stop-words", words, "--parser", "none").out
    assert "stop-words(3 of the user's)" in report
    found = bitext("cluster", cluster, "--preset", "V3", "--stop-words", words, "-o", words)
    assert found.status == 2


def test_two_sentences_are_joined_at_least(bitext, write):
    text = "Police said at least two men were hurt.\nPolice say at least three men were killed.\n"
    told = bitext("cluster", write("c", text), "--explain", "1:least", "2:least").out
    assert "  match: " in told


def test_explain_tells_of_the_lattice_and_not_of_two_sentences_alone(bitext, write):
    cluster = write("c.txt", "hello wrld how are you\nhello world how r you\nhello world are you\n")
    told = bitext("cluster", cluster, "--preset", "V1", "--explain", "2:world", "3:world").out
    assert "aligned with each other, the two sentences by themselves" in told
    assert (
        "in the lattice: two nodes: sentence 2 joins through 1, where its word 2 is aligned with "
        "no word, and sentence 3 joins through 1"
    ) in told
    told = bitext("cluster", cluster, "--preset", "V1", "--explain", "1:how", "2:how").out
    assert "in the lattice: one node" in told
    order = ["--order", "similarity", "--normalise"]
    told = bitext("cluster", cluster, "--preset", "V1", "--explain", "1:are", "3:are", *order).out
    assert "in the lattice: one node" in told


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (["1", "2:1"], "'1': want SENTENCE:WORD"),
        (["9:1", "2:1"], "no sentence '9' of 1 to 8"),
        (["1:99", "2:1"], "no word '99' in sentence 1"),
        (["1:a", "2:fyre"], "no word 'fyre' in sentence 2"),
        (["1:1", "1:2"], "both words are of sentence 1"),
        (["8:was", "5:were"], "sentence 5 has it as words 3, 8"),
    ],
)
def test_places_that_are_none_are_told(bitext, news, places, message):
    result = bitext("cluster", news, "--explain", *places)
    assert result.status == 2
    assert message in result.err


def test_the_report_has_the_five_presets(bitext, news):
    rows = bitext("cluster", news, "--report", "--format", "table").out.splitlines()
    head = next(row for row in rows if row.startswith("figure"))
    assert head.split() == ["figure", "V1", "V2", "V3", "V4", "V5"]
    named = {row.split()[0] for row in rows if row and row[0].islower()}
    assert {"repetition-ratio", "edgain", "compression", "paths", "trigram-novelty"} <= named
    held = json.loads(bitext("cluster", news, "--report", "--json").out)
    assert held["schema"] == "bitext.lattices/1"
    assert {row["system"] for row in held["rows"]} == {"V1", "V2", "V3", "V4", "V5"}


def test_the_report_scores_word_links_against_a_lattice(bitext, news, tmp_path):
    bitext("cluster", news, "-o", tmp_path / "gold.json", "--preset", "V5")
    held = json.loads(
        bitext("cluster", news, "--report", "--gold", tmp_path / "gold.json", "--json").out
    )
    f1 = {r["system"]: r["value"] for r in held["rows"] if r["figure"] == "link-f1"}
    assert f1["V5"] == 1.0
    assert 0 < f1["V1"] < 1.0


def test_gold_lattices_of_several_clusters_add_up(bitext, news, published, tmp_path):
    milan = published / "milan" / "sentences.trees"
    golds = tmp_path / "gold"
    assert bitext("cluster", news, milan, "--preset", "V1", "-o", golds).status == 0
    held = json.loads(bitext("cluster", milan, news, "--report", "--gold", golds, "--json").out)
    f1 = {(r["system"], r["cluster"]): r["value"] for r in held["rows"] if r["figure"] == "link-f1"}
    assert f1["V1", None] == f1["V1", "news"] == f1["V1", "sentences"] == 1.0
    assert f1["V4", "sentences"] in {0.0, None}
    assert 0 < f1["V4", None] < 1
    result = bitext("cluster", news, "--report", "--gold", golds)
    assert result.status == 2
    assert "holds 2 lattices for 1 clusters; want one for each" in result.err


def test_a_gold_lattice_of_other_sentences_is_refused(bitext, news, published, tmp_path):
    milan = published / "milan" / "sentences.trees"
    bitext("cluster", milan, "-o", tmp_path / "gold.json")
    result = bitext("cluster", news, "--report", "--gold", tmp_path / "gold.json")
    assert result.status == 2
    assert "has 2 sentences, the cluster 8; want a lattice of the same sentences" in result.err


def test_words_alone_need_no_parser(bitext, write):
    path = write("news.txt", FIRE)
    result = bitext("cluster", path, "--parser", "none", "--preset", "V1", "--json")
    assert json.loads(result.out)["pairs"]
    result = bitext("cluster", path, "--parser", "none")
    assert result.status == 2
    assert "V1" in result.err


GERMAN = """\
Der Brand im Hafen von Tarnwick ist gelöscht , sagte der Direktor .
Der Direktor sagte , der Brand im alten Hafen von Tarnwick sei gelöscht .
"""
ENGLISH = """\
A fire broke out in the port of Tarnwick , the director said .
The director said : a fire that broke out in the port has been put out .
"""


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("пожар в порту\nв порту был пожар\n", False),
        ("港で火事が起きた。\n火事が港で起きた。\n", False),
        (GERMAN, False),
        ("Hafen brennt\nBrand im Hafen\n", True),  # too few words to tell
        (ENGLISH, True),
    ],
)
def test_what_is_no_english_is_told_where_english_is_parsed(bitext, write, text, english):
    path = write("news.txt", text)
    told = "2 sentences do not look like English" in bitext("cluster", path).err
    assert told is not english
    assert "English" not in bitext("cluster", path, "--preset", "V1").err


def test_raw_text_is_parsed_by_the_built_in_parser(bitext, write):
    held = json.loads(bitext("cluster", write("news.txt", FIRE), "--json").out)
    assert held["nodes"][1]["pos"] == "DT"
    assert held["syntax"][0][1][1] == "I-NP"


def test_articles_become_clusters_around_terms(bitext, harbour, tmp_path):
    out = tmp_path / "lattices"
    result = bitext(
        "cluster", harbour / "articles", "--by", "term", "--most", 3, "-o", f"{out}/", "--html", out
    )
    assert (result.status, result.err) == (0, "")
    assert sorted(path.name for path in out.iterdir()) == [
        *("fire.html", "fire.json", "grain.html", "grain.json", "index.html"),
        *("store.html", "store.json"),
    ]
    index = (out / "index.html").read_text(encoding="utf-8")
    for name in ("fire", "grain", "store"):
        assert f'<a href="{name}.html"><bdi>{name}</bdi></a>' in index
        page = (out / f"{name}.html").read_text(encoding="utf-8")
        assert '<a href="index.html">All texts</a>' in page
        compression = re.search(r"compression</bdi></th><td><bdi>([\d.]+)", page)[1]
        assert f'<td class="n"><bdi>{compression}</bdi>' in index
    shares = [float(n) for n in re.findall(r'</th>\s*<td class="n"><bdi>(0\.\d+)<', index)]
    assert len(shares) == 3
    assert shares == sorted(shares)
    held = json.loads((out / "fire.json").read_text(encoding="utf-8"))
    assert {s["source"] for s in held["sentences"]} == {"courier", "herald", "post"}
    listed = bitext(
        "cluster", harbour / "articles", "--by", "overlap", "--parser", "none", "--preset", "V1"
    )
    assert listed.out.splitlines()[0].startswith("cluster\tsentences\tsources")


@pytest.fixture
def events(harbour):
    return harbour.parent / "events" / "articles"


def test_pages_are_articles_whose_clusters_are_those_of_the_texts(bitext, events, tmp_path):
    texts = [path for path in sorted(events.iterdir()) if path.name.startswith("blaze")]
    for path in texts:
        title, *rest = path.read_text("utf-8").split("\n\n")
        body = f"<h1>{title}</h1>" + "".join(f"<p>{part}</p>" for part in rest)
        page = f"<!doctype html><nav><a href=x>News</a></nav><main>{body}</main>"
        (tmp_path / f"{path.stem}.html").write_text(page, "utf-8")
    pages = sorted(tmp_path.iterdir())
    options = ["--by", "event", *WORDS, "--json"]
    assert (
        json.loads(bitext("cluster", *pages, "--main-text", *options).out)["clusters"]
        == (json.loads(bitext("cluster", *texts, *options).out)["clusters"])
    )
    for command in ("cluster", "paraphrase"):
        found = bitext(command, pages[0])
        assert found.status == 2
        assert "is an HTML page, not one sentence a line: 'bitext cluster FILES --by" in found.err
    found = bitext("cluster", pages[0], "--from", "text", *WORDS, "--format", "tsv")
    assert len(found.out.splitlines()) == 4  # the menu, the headline and two paragraphs


def test_articles_on_several_events_become_a_cluster_each(bitext, events, tmp_path):
    pages = tmp_path / "pages"
    command = ["cluster", events, "--by", "event", *WORDS, "--html", f"{pages}/"]
    result = bitext(*command, "--format", "tsv")
    assert result.status == 0
    assert "note: 15 articles: 13 on 4 events (4, 4, 3, 2), 2 alone; --events N sets" in result.err
    names = [line.split("\t")[0] for line in result.out.splitlines()[1:]]
    assert names == [
        "leak-forces-corvale-villagers-from-their-homes",
        "thieves-take-golden-bowl-from-brenholt-museum",
        "warehouse-burns-at-port-askew",
        "tram-drivers-in-lindmark-stop-work",
    ]
    assert sorted(path.stem for path in pages.iterdir()) == sorted(["index", *names])
    index = (pages / "index.html").read_text(encoding="utf-8")
    assert all(f'<a href="{name}.html"><bdi>{name}</bdi></a>' in index for name in names)
    assert "<bdi>Warehouse burns at Port Askew</bdi>" in index
    # Again, with fewer: the index is of this run, and what is left of the other is told.
    again = bitext(*command, "--most", 2)
    assert again.status == 0
    assert (
        f"note: {pages}/: pages of an earlier run are left, beside the index: {names[3]}.html, "
        f"{names[2]}.html" in again.err
    )
    assert names[3] not in (pages / "index.html").read_text(encoding="utf-8")


def test_lattices_of_an_earlier_run_are_noted(bitext, news, tmp_path, write):
    folder = tmp_path / "lattices"
    folder.mkdir()
    (folder / "mine.json").write_text("{}", encoding="utf-8")
    (folder / "folder.json").mkdir()
    other = write("other.txt", news.read_text("utf-8"))
    given = "cluster", "-o", f"{folder}/", "--to", "json", "--preset", "V1", news
    assert "earlier run" not in bitext(*given, other).err
    left = f"note: {folder}/: lattices of an earlier run are left, beside these: other.json"
    assert left in bitext(*given).lines()
    assert "earlier run" not in bitext(*given, other).err


def test_the_index_of_somebody_else_is_not_replaced(bitext, news, tmp_path):
    index = tmp_path / "index.html"
    index.write_text("<title>Home</title>", encoding="utf-8")
    result = bitext("cluster", news, "--html", f"{tmp_path}/")
    assert result.status == 2
    assert f"{index}: is no index of lattices, and would be replaced" in result.err
    assert index.read_text(encoding="utf-8") == "<title>Home</title>"


def test_terms_are_sought_in_each_event(bitext, events):
    command = ["cluster", events, *WORDS, "--most", 2, "--json", "--by"]
    result = bitext(*command, "term")
    held = json.loads(result.out)["clusters"]
    assert [one["id"] for one in held][::2] == ["corvale", "bowl", "warehouse", "drivers"]
    for one in held:
        assert len({s["source"].split("-")[0] for s in one["sentences"]}) == 1
    assert "4 events" in result.err
    one = bitext(*command, "term", "--events", 1)
    assert (len(json.loads(one.out)["clusters"]), one.err) == (2, "")
    none = bitext(*command, "event", "--event-threshold", "0.99")
    assert none.status == 2
    assert "15 in fewer than 2 documents (min_documents)" in none.err


def test_the_table_marks_what_is_aligned(bitext, news, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = bitext("cluster", news, "--format", "table").out
    assert "Tarnwick*" in told
    assert max(map(len, told.splitlines())) <= 80
    flat = bitext("cluster", news, "--format", "tsv").out.splitlines()
    assert len(flat) == 8
    assert len({line.count("\t") for line in flat}) == 1


def test_the_automaton_accepts_the_inputs(bitext, news, tmp_path):
    assert bitext("cluster", news, "--minimise", "-o", tmp_path / "a.json").status == 0
    held = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert held["schema"] == "bitext.automaton/1"
    lattice = json.loads(bitext("cluster", news, "--json").out)
    assert held["states"] < len(lattice["nodes"])
    for words in lattice["tokens"]:
        states = {held["start"]}
        for word in words:
            states = {to for a, to, form in held["arcs"] if a in states and form == word}
        assert states & set(held["accepting"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x.docx"], "the name does not show what to write"),
        (["--figure4", "--preset", "V1"], "--figure4 is for words that match by syntax"),
        (["--keep-aux", "--by", "term"], "--keep-aux is for trees, which articles do not have"),
        (["--stop-words", "-"], "--stop-words -: want the name of a file"),
        (["--stop-words", "none.txt"], "none.txt: no such file"),
        (["--preset", "V5", "--stop-words", __file__], "--stop-words is for presets without stop"),
        (["--preset", "V1", "--left-out-gaps"], "--left-out-gaps is for presets that leave words"),
        (["--preset", "V1", "--trace-weight", "2"], "--trace-weight is for words that match by s"),
        (["--trace-weight", "two"], "'two' is not a number, as 0.5 or 1/2"),
        (["--max-distance", "1/0"], "'1/0' is not a number, as 0.5 or 1/2"),
        (["--max-distance", "2"], "--max-distance is '2': want a number from 0 to 1"),
        (["--match-threshold=-1001"], "--match-threshold is '-1001': want a number from -1000 to"),
        (["--preset", "V6"], "preset 'V6' is not known: want one of V1, V2, V3, V4, V5"),
        (["--parser", "spacey"], "did you mean 'spacy'"),
        (["--parser-option", "model"], "want KEY=VALUE"),
        (["--min-size", "3"], "--min-size is for --by"),
        (["--gold", "x.json"], "--gold is for --report"),
        (["--minimise", "-o", "x.svg"], "--minimise writes .json or .dot"),
        (["--json", "--to", "dot"], "--json and dot exclude each other"),
        (["--trees", "none.trees"], "no such file"),
        (["--threshold", "0.2", "--by", "term"], "--threshold is for --by overlap"),
        (["--events", "3"], "--events is for --by event and --by term: give one of them"),
        (["--by", "overlap", "--event-threshold", ".2"], "--event-threshold is for --by event and"),
        (["--by", "event", "--threshold", "0.2"], "--threshold is for --by overlap"),
        (["--by", "event", "--events", "0"], "--events 0: want 1 or more"),
        (["--by", "event", "--events", "9"], "--events is 9: want 1 to 1, the articles"),
        (["--by", "event", "--event-threshold", "2"], "--event-threshold 2: want above 0, and up"),
        (
            ["--by", "event", "--events", "1", "--event-threshold", ".1"],
            "--events and --event-threshold exclude each other",
        ),
        (["--seed", "-1"], "--seed -1: want 0 or more"),
        (["--seed", "3"], "--seed 3 is for what is drawn at random, in --html and --report"),
        (["--report", "--preset", "V1"], "the report has all five (--report): leave it out"),
        (["--by", "term", "--min-size", "1"], "--min-size 1: want 2 or more"),
        (["--by", "term", "--max-size", "1"], "--max-size 1: want 2 (--min-size) or more"),
        (["--by", "term", "--min-documents", "0"], "--min-documents 0: want 1 or more"),
        (["--by", "term", "--most", "0"], "--most 0: want 1 or more"),
        (["--by", "overlap", "--threshold", "nan"], "--threshold nan: want above 0, and up to 1"),
        (["-o", ""], "-o or --html names no file"),
        (["--report", "--html", "x.html"], "--report and --html exclude each other"),
        (["--report", "-o", "x.svg"], "a report is .json, .tsv, .md, .tex or .txt"),
        (["--explain", "1:1", "2:1", "--json"], "--explain and --json exclude each other"),
        (["--per-cluster"], "--per-cluster is for --report"),
        (["--format", "markdown", "--to", "dot"], "--format is for tables"),
        (["--html", "x.html", "-o", "x.html"], "-o and --html both name x.html"),
        (["--html", "-", "--json"], "--html - takes standard output"),
        (["-", "--trees", "-"], "standard input (-) can be one file only"),
        (["-o", "none/x.json"], "none/x.json: no folder none; make it first"),
    ],
)
def test_mistakes_are_one_line(bitext, news, arguments, message):
    result = bitext("cluster", news, *arguments)
    assert result.status == 2
    assert message in result.err
    assert len(result.lines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.trees",
            "(S (NP (NN fire))\n(S (NN x))\n",
            "a.trees line 2 column 11: ends within the tree that begins in line 1",
        ),
        ("a.trees", "(S (NN fire)))\n", "a.trees line 1 column 14"),
        ("a.json", '{"sentences": [{"text": ""}]}', "a.json"),
        ("a.json", '{"sentences": []}', "a.json"),
        ("a.json", '{"sentences": [', "a.json line 1"),
        ("a.txt", "", "is empty; want at least one sentence"),
        ("a.txt", "\n\n", "is empty; want at least one sentence"),
    ],
)
def test_bad_files_are_one_line_with_the_place(bitext, write, name, content, message):
    result = bitext("cluster", write(name, content), "-o", "-", "--to", "json")
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert len(result.lines()) == 1


def test_trees_of_another_text_are_refused(bitext, harbour, write):
    trees = write("a.trees", (harbour / "news.trees").read_text().replace("Tarnwick", "Harwick", 1))
    result = bitext("cluster", harbour / "news.txt", "--trees", trees)
    assert result.status == 2
    assert "Harwick" in result.err
    assert "line 1" in result.err


def test_odd_clusters_have_an_answer(bitext, write):
    one = write("one.txt", "Fires broke out .\n")
    held = json.loads(bitext("cluster", one, "--json").out)
    assert (held["pairs"], len(held["nodes"])) == ([], 6)
    twice = write("twice.txt", "Fires broke out .\nFires broke out .\n")
    held = json.loads(bitext("cluster", twice, "--preset", "V1", "--json").out)
    assert len(held["nodes"]) == 6
    blanks = write("blanks.txt", f"\n{FIRE}\n")
    result = bitext("cluster", blanks, "--json")
    assert len(json.loads(result.out)["tokens"]) == 2
    assert "empty lines, left out: 2" in result.err


def test_a_page_on_standard_output_stands_beside_a_file(bitext, write, tmp_path):
    one, out = write("one.txt", "Fires broke out .\n"), tmp_path / "one.json"
    result = bitext("cluster", one, "-o", out, "--html", "-")
    assert (result.status, result.out[:9].lower(), out.exists()) == (0, "<!doctype", True)
    twice = bitext("cluster", one, one, "--html", "-")
    assert "do not fit one html on standard output: name a folder (--html FOLDER/)" in twice.err


def test_several_clusters_want_a_folder(bitext, news, write, tmp_path):
    short = write("news.txt", FIRE)
    result = bitext("cluster", news, short, "--to", "json")
    assert result.status == 2
    assert "2 clusters do not fit one json on standard output" in result.err
    result = bitext("cluster", news, short, "-o", f"{tmp_path}/out/")
    assert result.status == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "news-2.json",
        "news.json",
    ]
    held = json.loads(bitext("cluster", news, short, "--json").out)
    assert [len(one["tokens"]) for one in held["clusters"]] == [8, 2]
    both = tmp_path / "both.json"
    bitext("cluster", news, short, "--json", "-o", both)
    assert json.loads(both.read_text(encoding="utf-8")) == held
    assert bitext("paraphrase", both, "-n", 2, "--format", "tsv").out.count("\n") == 5


def test_several_clusters_do_not_become_a_folder_with_the_name_of_a_file(
    bitext, news, harbour, tmp_path
):
    result = bitext("cluster", news, harbour / "news.txt", "-o", tmp_path / "out.json")
    assert result.status == 2
    assert f"name a folder, as {tmp_path}/out/" in result.err
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written_leaves_nothing_behind(bitext, write, tmp_path):
    good, bad = write("in/a.txt", FIRE), write("in/b.txt", "Fires \x07 broke out\n")
    result = bitext(
        "cluster",
        good,
        bad,
        "--parser",
        "none",
        "--preset",
        "V1",
        "--to",
        "tei",
        "-o",
        tmp_path / "out/",
    )
    assert result.status == 2
    assert not (tmp_path / "out").exists()
    result = bitext(
        "cluster", good, "-o", tmp_path / "a.json", "--html", tmp_path / "none" / "a.html"
    )
    assert result.status == 2
    assert not (tmp_path / "a.json").exists()


def test_a_sentence_in_many_clusters_is_parsed_once(bitext, harbour, monkeypatch):
    from bitext.syntax.adapters.local import BuiltinParser

    seen = []
    parse = BuiltinParser.parse

    def counted(self, sentences):
        seen.extend(sentence.forms for sentence in sentences)
        return parse(self, sentences)

    monkeypatch.setattr(BuiltinParser, "parse", counted)
    assert bitext("cluster", harbour / "articles", "--by", "term").status == 0
    assert len(seen) == len(set(seen)) > 10


def test_a_cluster_is_no_gold_lattice(bitext, news, write):
    gold = write("gold.json", '{"sentences": ["It burned."]}')
    result = bitext("cluster", news, "--report", "--gold", gold)
    assert result.status == 2
    assert "holds no lattice; want what 'bitext cluster FILE -o NAME.json' writes" in result.err


def test_the_kind_of_a_file_can_be_told(bitext, write):
    from bitext.cli.cluster import request as comparable
    from bitext.formats.clusters import KINDS

    assert comparable.KINDS == KINDS
    path = write("a.txt", "(NN dog)\n")
    as_text = json.loads(bitext("cluster", path, "--from", "text", "--json").out)
    as_tree = json.loads(bitext("cluster", path, "--from", "trees", "--json").out)
    assert (as_text["tokens"], as_tree["tokens"]) == ([["(", "NN", "dog", ")"]], [["dog"]])


def test_tags_of_older_parsers_are_kept_when_asked(bitext, write):
    path = write("a.trees", "(S1 (S (NP (PRP It)) (VP (AUX was) (VP (VBN burned)))))\n")
    held = [
        json.loads(bitext("cluster", path, *more, "--json").out)["syntax"][0][1][:2]
        for more in ([], ["--keep-aux"])
    ]
    assert held == [["VBD", "B-VP"], ["AUX", "O"]]
    result = bitext("cluster", write("news.txt", FIRE), "--keep-aux")
    assert (result.status, len(result.lines())) == (2, 1)
    assert "news.txt has none: leave it out" in result.err


def test_no_parser_and_no_syntax_is_told_with_the_remedy(bitext, write):
    result = bitext("cluster", write("news.txt", FIRE), "--parser", "none")
    assert result.status == 2
    assert "news: sentence 1 has no syntax, which V4 needs" in result.err


def test_a_folder_without_by_tells_the_way(bitext, harbour):
    result = bitext("cluster", harbour / "articles")
    assert result.status == 2
    assert "--by term" in result.err


def test_a_cluster_that_is_called_index_leaves_the_index_its_name(bitext, write, tmp_path):
    files = [write("index.txt", FIRE), write("other.txt", FIRE)]
    assert bitext("cluster", *files, "--preset", "V1", "--html", f"{tmp_path}/out/").status == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["index-2.html", "index.html", "other.html"]
    index = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert '<a href="index-2.html"><bdi>index</bdi></a>' in index


SAID = ("A fire broke out in the port.", "The fire was put out by noon.", "Nobody was hurt.")


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("{k}. ", "lines with a number or mark of a list before each sentence"),
        ("({k}) ", "lines with a number or mark of a list before each sentence"),
        ("- ", "lines with a number or mark of a list before each sentence"),
        ("Harbour Post: ", "lines with a name and a colon before each sentence"),
        ("", ""),
    ],
)
def test_what_stands_before_each_sentence_is_told(bitext, write, before, told):
    lines = [before.format(k=k) + said for k, said in enumerate(SAID, start=1)]
    found = bitext("cluster", write("c.txt", "\n".join(lines) + "\n"))
    assert found.status == 0
    assert told in found.err if told else found.err == ""


def test_characters_of_programs_and_scripts_without_blanks_are_told(bitext, write):
    escaped = "<P>\nThe &quot;fire&quot; broke out.\nA &quot;fire&quot; came.\n"
    found = bitext("cluster", write("c.txt", escaped)).err
    assert "lines with references of HTML" in found
    assert "lines that are a tag alone, taken as sentences: leave them out: 1" in found
    chinese = "旧桥星期一在检查后关闭。\n旧桥星期一关闭。\n"
    no_blanks = "2 sentences have no blanks between words"
    assert no_blanks in bitext("cluster", write("zh.txt", chinese), "--preset", "V1").err
    cut = "旧桥 星期一 在 检查 后 关闭 。\n旧桥 星期一 关闭 。\n"
    assert bitext("cluster", write("zh.txt", cut), "--preset", "V1").err == ""


def test_a_drawing_of_a_lattice_is_no_text(bitext, news, tmp_path):
    drawing = tmp_path / "a.svg"
    assert bitext("cluster", news, "-o", drawing).status == 0
    found = bitext("paraphrase", drawing)
    assert (found.status, found.out) == (2, "")
    assert "begins with '<svg', so it holds no sentences" in found.err


def test_words_with_tags_of_marks_are_told(bitext, write):
    tagged = "A/DET fire/NOUN broke/VERB out/PART ./.\nThe/DET fire/NOUN ends/VERB ./PUNCT\n"
    assert "words with their tags" in bitext("cluster", write("c.txt", tagged)).err


def test_cells_with_commas_are_told(bitext, write):
    cells = "".join(f'{k},"{said}"\n' for k, said in enumerate(SAID))
    assert "cells of a table with commas" in bitext("cluster", write("c.txt", cells)).err


def test_sentences_of_several_clusters_are_refused(bitext, write):
    rows = [json.dumps({"cluster_id": k // 2, "text": said}) for k, said in enumerate(SAID)]
    found = bitext("cluster", write("c.jsonl", "\n".join(rows)))
    assert found.status == 2
    assert (
        'c.jsonl line 3: has sentences with "cluster_id" 0 and 1; want one cluster a' in found.err
    )
    assert bitext("cluster", write("one.jsonl", "\n".join(rows[:2]))).status == 0


def test_columns_with_tags_before_words_are_refused(bitext, write):
    rows = "DT The B-NP\nNN fire I-NP\nVBD broke B-VP\n. . O\n"
    found = bitext("cluster", write("c.conll", rows))
    assert found.status == 2
    assert "c.conll line 1: has tags in the column of words, and words in that of tags" in found.err
