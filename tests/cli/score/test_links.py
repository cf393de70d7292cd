from __future__ import annotations

import json
import math
import re

import pytest

import bitext as package
from bitext.metrics import link_scores
from bitext.model import WordLinks
from reference.sample_scores import rows_of
from reference.shared_data import data

GOLD = "0-0 1-1 2p2 3-3\n0-0 1p0 1-1\n"
WRONG = "0-3 1-2 2-1 3-0\n0-1 1-0\n"

# AER, precision and recall as published; those in a row of three are of these very files.
PUBLISHED = {
    "enfr.fastalign.talp": (16.4, 80.0, 90.1),
    "enfr.fastalign.reverse.talp": (15.9, 81.3, 88.7),
    "enfr.fastalign.grow-diagonal.talp": (10.5, 90.8, 87.8),
    "enfr.fastalign.grow-diagonal-final.talp": (12.1, 87.7, 88.3),
    "enfr.giza.talp": (8.0, 91.4, 92.9),
    "enfr.giza.reverse.talp": (9.8, 91.6, 88.3),
    "enfr.giza.grow-diagonal.talp": (5.9, 97.5, 89.7),
    "enfr.giza.grow-diagonal-final.talp": (6.2, 95.5, 91.6),
    "enfr.awesome-align.links": ("4.07", 96.3, 95.4),
    "roen.fastalign.talp": (33.8, 71.9, 61.4),
    "roen.fastalign.reverse.talp": (35.6, 70.5, 59.3),
    "roen.fastalign.grow-diagonal.talp": (32.1, 85.1, 56.5),
    "roen.fastalign.grow-diagonal-final.talp": (32.2, 81.4, 58.1),
    "roen.giza.talp": (28.7, 82.7, 62.6),
    "roen.giza.reverse.talp": (32.2, 79.5, 59.1),
    "roen.giza.grow-diagonal.talp": (27.9, 94.0, 58.5),
    "roen.giza.grow-diagonal-final.talp": (26.4, 90.9, 61.8),
    "roen.awesome-align.links": ("20.75", 88.6, 71.7),
}


@pytest.fixture
def links(coast):
    return coast.parent / "links"


@pytest.fixture
def small(tmp_path):
    """The worked example: a gold standard, and links that are wrong."""
    for name, content in (("gold.pharaoh", GOLD), ("wrong.pharaoh", WRONG)):
        (tmp_path / name).write_text(content)
    return tmp_path


def pooled(result, part="all"):
    (found,) = [r for r in rows_of(result) if r["average"] == "micro" and r["part"] == part]
    return found


def test_wrong_links_are_scored_as_links(bitext, small):
    found = pooled(bitext("score", small / "gold.pharaoh", small / "wrong.pharaoh", "--json"))
    assert (found["metric"], round(found["value"], 4)) == ("aer", 0.9091)
    assert (found["precision"], found["recall"], found["f1"]) == (1 / 6, 0, 0)
    assert [found[key] for key in ("hits", "proposed", "expected", "found")] == [1, 6, 5, 0]
    assert found["signature"].startswith("word-links:all|average:micro|texts:1|alpha:0.5|possible:")


@pytest.mark.parametrize("ending", ["naacl", "A3.final", "jsonl", "tsv", "pharaoh"])
def test_every_format_of_word_links_gives_the_same_figures(bitext, small, ending):
    (small / "a.txt").write_text("a b c d\na b\n")
    (small / "b.txt").write_text("A B C D\nA B\n")
    texts = ["--src", small / "a.txt", "--tgt", small / "b.txt"]
    made = small / f"made.{ending}"
    assert bitext("convert", small / "wrong.pharaoh", made, *texts).status == 0
    found = pooled(bitext("score", small / "gold.pharaoh", made, *texts, "--json"))
    assert (round(found["value"], 4), found["precision"]) == (0.9091, 1 / 6)
    if ending != "A3.final":  # has no marks
        gold = small / f"gold2.{ending}"
        assert bitext("convert", small / "gold.pharaoh", gold, *texts).status == 0
        again = pooled(bitext("score", gold, small / "wrong.pharaoh", *texts, "--json"))
        assert again["value"] == found["value"]


def test_a_note_says_that_links_and_not_bisegments_were_scored(bitext, small):
    (small / "a.txt").write_text("a b c d\na b\n")
    texts = ["--src", small / "a.txt", "--tgt", small / "a.txt"]
    made = small / "made.jsonl"
    bitext("convert", small / "wrong.pharaoh", made, *texts)
    result = bitext("score", small / "gold.pharaoh", made, *texts, "--json")
    assert "note: word links are scored, as every file has some; -g alignment" in result.err
    rows = rows_of(bitext("score", made, made, "-g", "alignment", "--json"))
    assert {row["granularity"] for row in rows} == {"alignment"}


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
def test_lines_of_word_links_alone_are_no_bisegments(bitext, small, jobs):
    """The k-th lines always match: every figure would be 1."""
    files = small / "gold.pharaoh", small / "wrong.pharaoh"
    result = bitext("score", *files, "-g", "alignment", *jobs)
    assert result.status == 2
    assert "has word links, a sentence pair a line, and no bisegments to score" in result.err
    assert "(-g links)" in result.err
    assert bitext("score", *files, "-g", "links", *jobs).status == 0


def test_lines_of_links_scored_as_bisegments_are_noted(bitext, write):
    """With texts, line k of the links is a bisegment of line k of both: also bead types are."""
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n")
    types = write("types.txt", "2-1\n1-1\n")
    src, tgt = write("a.en", "a b c\nd e\n"), write("a.fr", "A B C\nD E\n")
    result = bitext("score", gold, types, "--src", src, "--tgt", tgt, "-g", "alignment")
    assert f"note: {types}: lines of word links, each scored as a bisegment" in result.err
    assert "each scored" not in bitext("score", gold, gold, "-g", "alignment").err


def test_links_against_none_are_refused(bitext, small):
    (small / "texts.tsv").write_text("a b c d\tA B C D\na b\tA B\n")
    for pair in (("gold.pharaoh", "texts.tsv"), ("texts.tsv", "gold.pharaoh")):
        result = bitext("score", *(small / name for name in pair))
        assert result.status == 2
        assert "gold.pharaoh has word links and" in result.err
        assert "texts.tsv has none; give links for all, or score the bisegments (-g" in result.err
    result = bitext("score", small / "texts.tsv", small / "texts.tsv", "-g", "links")
    assert "texts.tsv has no word links to score; give links for every system" in result.err


def test_columns_of_links_with_another_name_are_noted_and_their_remedy_works(bitext, write):
    gold = write("gold.csv", "src,tgt,alignment\na b,c d,0-0 1-1\na b,c d,0-0\n")
    hyp = write("hyp.jsonl", '{"src": "a b", "tgt": "c d", "alignment": [[0, 0]]}\n' * 2)
    told = f"the column 'alignment' of {gold} has word links: name the columns (--columns"
    assert told in bitext("score", gold, gold).err
    for files, more in (
        ((gold, gold), ["-g", "links"]),
        ((gold, write("a.pharaoh", "0-0\n\n")), []),
    ):
        result = bitext("score", *files, *more)
        assert (result.status, told in result.err) == (2, True)
    named = ["--columns", "src=src,tgt=tgt,words=alignment", "--json"]
    row = rows_of(bitext("score", gold, hyp, *named))[0]
    assert (row["hits"], row["proposed"], row["expected"]) == (2, 2, 3)


def test_bisegments_that_only_some_have_links_for_are_scored_as_such_with_a_note(bitext, small):
    (small / "a.tsv").write_text("source\ttarget\twords\na b\tA B\t0-0\n")
    (small / "b.tsv").write_text("a b\tA B\n")
    result = bitext("score", small / "a.tsv", small / "b.tsv", "--json")
    assert "note: bisegments are scored and word links are not: " in result.err
    assert {row["granularity"] for row in rows_of(result)} >= {"alignment", "sentence"}


def test_an_unequal_number_of_pairs_is_refused_with_its_place(bitext, small):
    (small / "short.pharaoh").write_text("0-0\n")
    result = bitext("score", small / "gold.pharaoh", small / "short.pharaoh")
    assert result.status == 2
    assert re.search(
        r"has 2 sentence pairs and .*short\.pharaoh has 1: .* before pair 2", result.err
    )


def test_an_empty_file_is_not_taken_as_pairs_without_links(bitext, small):
    (small / "void.pharaoh").write_text("")
    result = bitext("score", small / "gold.pharaoh", small / "void.pharaoh", "--from", "pharaoh")
    assert result.status == 2
    assert re.search(r"has 2 sentence pairs and \S+void\.pharaoh has 0: .* pair 1;", result.err)


def test_a_text_that_a_system_lacks_counts_as_nothing_proposed_where_asked_for(bitext, small):
    for role, texts in (("g", "xy"), ("h", "x")):
        (small / role).mkdir()
        for text in texts:
            (small / role / f"{text}.pharaoh").write_text("0-0 1-1\n")
    found = pooled(bitext("score", small / "g", small / "h", "--missing", "empty", "--json"))
    assert (found["precision"], found["recall"]) == (1, 0.5)
    found = pooled(bitext("score", small / "g", small / "h", "--json"))
    assert (found["precision"], found["recall"]) == (1, 1)


def test_a_column_that_holds_no_links_is_told_of(bitext, small):
    row = {"src": [0], "tgt": [0], "src_text": "a b", "tgt_text": "A B"}
    for name, words in (("odd", ["12"]), ("torn", ["0-0", "0-0 x"])):
        lines = [
            json.dumps({**row, "src": [k], "tgt": [k], "words": w}) for k, w in enumerate(words)
        ]
        (small / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    result = bitext("score", small / "odd.jsonl", small / "odd.jsonl", "--json")
    assert "note: bisegments are scored: the column words of " in result.err
    result = bitext("score", small / "torn.jsonl", small / "torn.jsonl")
    assert result.status == 2
    assert "torn.jsonl: sentence pair 1 (from 0): 'x' is no word link" in result.err


def test_pairs_without_a_value_are_left_out_of_the_gold_standard_with_a_note(bitext, small):
    row = {"src_text": "a b", "tgt_text": "A B"}
    for name, values in (("g", ["0-0", None, "1-1"]), ("h", ["0-0", "0-1", None])):
        rows = [{**row, "src": [k], "tgt": [k], "words": w} for k, w in enumerate(values)]
        (small / f"{name}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    result = bitext("score", small / "g.jsonl", small / "h.jsonl", "--json")
    found = pooled(result)
    assert [found[key] for key in ("hits", "proposed", "expected")] == [1, 1, 2]
    assert "note: gold standard: pairs with no value of word links, left out: 1" in result.err
    assert "note: h: pairs with no value of word links, taken as pairs without" in result.err


def test_an_empty_line_is_a_pair_without_links(bitext, small):
    (small / "half.pharaoh").write_text("0-0 1-1 2-2 3-3\n\n")
    found = pooled(bitext("score", small / "gold.pharaoh", small / "half.pharaoh", "--json"))
    assert (found["precision"], found["recall"]) == (1, 3 / 5)


@pytest.mark.parametrize("form", ["pharaoh", "naacl"])
def test_lines_of_links_are_of_the_bisegments_of_a_gold_standard(bitext, write, form):
    rows = [
        {"src": [0], "tgt": [], "src_text": "Well .", "words": ""},
        {"src": [1, 2], "tgt": [0], "src_text": "It rained . All day .", "words": "0-0 4-2 5-3"},
        {"src": [3], "tgt": [1, 2], "tgt_text": "Er kam . Sie auch .", "words": "0-0 2-5"},
    ]
    joined = {
        1: {
            "tgt_text": "Es regnete den ganzen Tag .",
            "src_segments": ["It rained .", "All day ."],
        },
        2: {"src_text": "Both came .", "tgt_segments": ["Er kam .", "Sie auch ."]},
    }
    gold = write(
        "g.jsonl", "".join(f"{json.dumps(r | joined.get(k, {}))}\n" for k, r in enumerate(rows))
    )
    links = f"{gold}.{form}"
    assert bitext("convert", gold, links, "--to", form).status == 0
    found = bitext("score", gold, links, "--json", "--resamples", 0)
    figures = pooled(found)
    assert (figures["precision"], figures["recall"], figures["found"]) == (1, 1, 5)
    beyond = write("s.pharaoh", "\n6-0\n0-0\n")
    told = "links word 6 (from 0) of source sentence 2, which has 6 words in"
    assert told in bitext("score", gold, beyond).err


def test_possible_links_count_for_precision_only_and_not_at_all_with_sure_only(bitext, small):
    (small / "p.pharaoh").write_text("2-2\n1p0\n")
    arguments = ["score", small / "gold.pharaoh", small / "p.pharaoh", "--json"]
    found = pooled(bitext(*arguments))
    assert (found["hits"], found["proposed"], found["found"]) == (2, 2, 0)
    found = pooled(bitext(*arguments, "--sure-only"))
    assert (found["hits"], found["proposed"], found["found"]) == (0, 2, 0)
    assert "|possible:left-out|" in found["signature"]


def test_alpha_weighs_precision(bitext, links):
    arguments = ["score", links / "gold.pharaoh", links / "alpha.talp", "--base", "1", "--json"]
    found = pooled(bitext(*arguments, "--alpha", "0.2"))
    p, r = found["precision"], found["recall"]
    assert found["f"] == pytest.approx(1 / (0.2 / p + 0.8 / r))
    assert "|alpha:0.2|" in found["signature"]
    assert bitext(*arguments, "--alpha", "2").status == 2


def test_files_that_fit_only_if_shifted_are_refused_and_the_remedy_works(bitext, links):
    files = [links / "gold.pharaoh", links / "alpha.talp"]
    result = bitext("score", *files)
    assert result.status == 2
    assert "positions count from another base" in result.err
    (remedy,) = re.findall(r"--base gold=1", result.err)
    found = pooled(bitext("score", *files, *remedy.split(), "--json"))
    assert round(found["value"], 4) == 0.3203
    assert pooled(bitext("score", *files, "--base", "1", "--json")) == found
    # Told by the texts, with a note.
    result = bitext(
        *("score", *files, "--src", links / "gold.en", "--tgt", links / "gold.fr", "--json")
    )
    assert pooled(result)["value"] == found["value"]
    assert "note: gold: files read as counted from 1, since none is 0" in result.err
    # Also where the system is the one that counts from 1.
    result = bitext("score", links / "alpha.talp", links / "gold.pharaoh")
    assert "score with --names NAME and --base NAME=1, or as they are" in result.err
    swapped = ["score", links / "alpha.talp", links / "gold.pharaoh", "--names", "g", "--json"]
    assert "score with --base g=1, or as they are" in bitext(*swapped).err
    assert pooled(bitext(*swapped, "--base", "g=1"))["hits"] == found["hits"]


def test_a_column_of_links_from_1_is_refused_and_the_remedy_works(bitext, links, tmp_path):
    def from_1(line):
        return re.sub(r"[0-9]+", lambda digits: str(int(digits[0]) + 1), line)

    values = [from_1(line) for line in (links / "alpha.talp").read_text().splitlines()]
    sides = [(links / f"gold.{lang}").read_text().splitlines() for lang in ("en", "fr")]
    head = ["source", "target", "words"]
    rows = [[f"x {src}", f"x {tgt}", v] for src, tgt, v in zip(*sides, values, strict=True)]
    made = tmp_path / "made.tsv"
    made.write_text("".join("\t".join(row) + "\n" for row in [head, *rows]))
    files = ["score", links / "gold.pharaoh", made, "--base", "1", "--json"]
    assert "score with --base made=1, or as they are with" in bitext(*files).err
    assert round(pooled(bitext(*files, "--base", "made=1"))["value"], 4) == 0.3203


def test_a_wrong_base_is_refused(bitext, links):
    files = ["score", links / "gold.pharaoh", links / "alpha.talp"]
    assert "score with --base gold=1, or as they are" in bitext(*files, "--base", "0").err
    result = bitext(*files, "--base", "1", "--base", "alpha=1")
    assert (
        "alpha.talp line 1: links word 0 with word 0, which is not a link where words" in result.err
    )
    assert "(--base alpha=0)" in result.err
    for given, message in (
        ("2", "want 0 or 1"),
        ("x=1", "x is no system: want gold, or one of alpha"),
    ):
        result = bitext(*files, "--base", given)
        assert result.status == 2
        assert message in result.err


def test_exchanged_sides_are_refused_and_the_remedy_works(bitext, links):
    files = ["score", links / "gold.pharaoh", links / "beta.talp", "--base", "1"]
    result = bitext(*files)
    assert result.status == 2
    assert "source and target seem exchanged" in result.err
    assert "score with --swap beta, or as they are with --no-swap-check" in result.err
    found = pooled(bitext(*files, "--swap", "beta", "--json"))
    assert round(found["value"], 4) == 0.0705
    assert pooled(bitext(*files, "--reverse", "beta", "--json")) == found
    assert pooled(bitext(*files, "--no-swap-check", "--json"))["value"] > 0.4


def test_parts_of_the_links_add_up(bitext, links):
    texts = ["--src", links / "gold.en", "--tgt", links / "gold.fr"]
    result = bitext(
        *("score", links / "gold.pharaoh", links / "alpha.talp", *texts, "--by", "part", "--json")
    )
    rows = {r["part"]: r for r in rows_of(result) if r["average"] == "micro"}
    assert list(rows) == ["all", "punctuation", "frequent", "other"]
    for key in ("hits", "proposed", "expected", "found"):
        assert rows["all"][key] == sum(rows[part][key] for part in list(rows)[1:])
    assert min(rows[part]["expected"] for part in rows) > 0
    result = bitext("score", links / "gold.pharaoh", links / "alpha.talp", "--by", "part")
    assert "give the texts, one sentence a line (--src, --tgt)" in result.err


def test_links_to_no_word_count_where_they_are_asked_for(bitext, tmp_path):
    (tmp_path / "g.pharaoh").write_text("0-0\n")
    (tmp_path / "h.pharaoh").write_text("0-0 1-1\n")
    (tmp_path / "t").write_text("a b\n")
    files = ["score", tmp_path / "g.pharaoh", tmp_path / "h.pharaoh", "--json", "--null"]
    found = pooled(bitext(*files, "--src", tmp_path / "t", "--tgt", tmp_path / "t"))
    # In the gold standard both second words are linked to none, which is only possible.
    assert [found[key] for key in ("hits", "proposed", "expected", "found")] == [1, 2, 1, 1]
    assert "give the texts" in bitext(*files).err
    # One that is marked as sure in the gold standard is expected.
    (tmp_path / "g.naacl").write_text("1 1 1 S\n1 2 0 S\n")
    files = ["score", tmp_path / "g.naacl", tmp_path / "h.pharaoh", "--json"]
    texts = ["--src", tmp_path / "t", "--tgt", tmp_path / "t"]
    found = pooled(bitext(*files, "--null", *texts))
    assert [found[key] for key in ("hits", "proposed", "expected", "found")] == [1, 2, 2, 1]
    result = bitext(*files)
    assert pooled(result)["expected"] == 1
    assert "note: links to no word, left out (--null counts them): 1" in result.err


def test_words_and_links_of_the_worst_pairs_are_shown(bitext, links):
    texts = ["--src", links / "gold.en", "--tgt", links / "gold.fr"]
    files = ["score", links / "gold.pharaoh", links / "alpha.talp", *texts]
    result = bitext(*files, "--errors", "1")
    assert "1. alpha, gold, pair 9: 6 missing, 7 wrong, 5 right" in result.out
    assert "  < the captain of the ship , an old man , laughed ." in result.out
    assert "ship=navire (4-3)" in result.out
    places = json.loads(bitext(*files, "--errors", "--json").out)["places"]
    assert [place["pair"] for place in places] == sorted(place["pair"] for place in places)
    assert len(places) > 5
    (worst,) = json.loads(bitext(*files, "--errors", "1", "--json").out)["places"]
    assert worst["weight"] == max(place["weight"] for place in places)


def test_options_of_the_other_kind_are_refused(bitext, links, coast):
    files = ["score", links / "gold.pharaoh", links / "alpha.talp", "--base", "1"]
    own = ["--words", "unicode"], ["--similarity"], ["--beads", "--json"], ["--min-matched", ".5"]
    for option in own:
        result = bitext(*files, *option)
        assert result.status == 2
        assert f"{option[0]} is for bisegments, and word links are scored" in result.err
    result = bitext("score", coast / "gold", coast / "alpha", "--sure-only")
    assert "--sure-only is for word links, and bisegments are scored" in result.err


@pytest.fixture
def folders(links, tmp_path):
    """Folders of three texts, 36 pairs: the gold standard and two systems."""
    for role, file in (("g", "gold.pharaoh"), ("alpha", "alpha.talp"), ("beta", "beta.talp")):
        lines = 3 * (links / file).read_text().splitlines(keepends=True)
        (tmp_path / role).mkdir()
        for k, part in enumerate((lines[:8], lines[8:23], lines[23:])):
            (tmp_path / role / f"t{k}.pharaoh").write_text("".join(part))
    return [tmp_path / role for role in ("g", "alpha", "beta")]


@pytest.fixture
def by_jobs_and_shards(bitext, tmp_path, request):
    """Give what is printed without jobs, by processes, by a journal gone on with, by shards."""
    journal, parts = tmp_path / "j", [tmp_path / f"p{k}" for k in (1, 2)]

    def run(given, shown):
        found = [bitext("score", *given, *shown, *more) for more in ((), ("-j", "2"))]
        request.getfixturevalue("at_hand")  # processes begin once at most
        found += [bitext("score", *given, *shown, "--journal", journal) for _ in range(2)]
        for k, part in enumerate(parts, start=1):
            bitext("score", *given, *shown, "--shard", f"{k}/2", "--journal", part)
        return [*found, bitext("merge", "-", *parts, *shown)]

    return run


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["--sure-only", "--alpha", "0.3", "--average", "micro"],
        ["--errors", "3"],
        ["--errors"],
        ["-g", "links", "--missing", "empty", "--zero-division", "0"],
    ],
)
def test_jobs_and_shards_give_the_same_document(by_jobs_and_shards, folders, given, request):
    if given:  # without, processes begin
        request.getfixturevalue("at_hand")
    (folders[2] / "t1.pharaoh").unlink()
    (folders[1] / "aside.md").write_text("no links\n")
    corpus = [*folders, "--base", "1", "--swap", "beta", *given]
    plain, *others = by_jobs_and_shards(corpus, ["--json"])
    document = json.loads(plain.out)
    assert document["rows"][0]["intervals"] is not None
    assert document["notes"]
    assert bool(document.get("places")) == ("--errors" in given)
    assert [each.out for each in others] == 4 * [plain.out]
    assert "3 documents were done before" in others[2].err


@pytest.mark.usefixtures("at_hand")
def test_jobs_resample_blocks_of_pairs_as_is_done_without(by_jobs_and_shards, tmp_path):
    for role, every in (("g", 3), ("h", 4)):
        (tmp_path / role).mkdir()
        for k in range(2):
            lines = [f"0-0 1-{1 + (n % every == k)}\n" for n in range(1100)]
            (tmp_path / role / f"t{k}.pharaoh").write_text("".join(lines))
    corpus = [tmp_path / "g", tmp_path / "h", "--resamples", "50"]
    plain, *others = by_jobs_and_shards(corpus, ["--format", "table", "-q"])
    assert "2000 blocks of 2200 sentence pairs" in plain.out
    assert [each.out for each in others] == 4 * [plain.out]


@pytest.mark.usefixtures("at_hand")
def test_jobs_score_columns_of_words_as_links_with_the_same_notes(by_jobs_and_shards, tmp_path):
    for role, word, words in (("g", "B", ("0-0 1p1", None)), ("h", "C", ("0-0 1-0", "0-0"))):
        (tmp_path / role).mkdir()
        for k, links in enumerate(words):
            unit = {"source": "a b", "target": f"A {word}", "words": links}
            lines = [
                json.dumps(each) for each in (unit, {**unit, "words": "1-1", "null_links": "0-"})
            ]
            (tmp_path / role / f"t{k}.jsonl").write_text("\n".join(lines) + "\n")
    corpus = [tmp_path / "g", tmp_path / "h"]
    plain, *others = by_jobs_and_shards(corpus, ["--json", "-q"])
    notes = json.loads(plain.out)["notes"]
    for told in (
        "word links are scored, as every file",
        "links to no word, left out",
        "gold standard: pairs with no value of word links, left out: 1",
        "h: words differ from the gold standard's in 2 texts",
    ):
        assert any(told in note for note in notes), told
    assert [each.out for each in others] == 4 * [plain.out]


@pytest.mark.usefixtures("at_hand")
def test_jobs_find_exchanged_sides_and_another_base_over_all_texts(
    by_jobs_and_shards, folders, tmp_path
):
    for given, told in ((["--base", "1"], "score with --swap beta"),
                        (["--swap", "beta"], "score with --base gold=1")):  # fmt: skip
        for place in tmp_path.glob("[jp]*"):
            place.unlink()
        for result in by_jobs_and_shards([*folders, *given], ["--json"]):
            assert result.status == 2
            assert told in result.err


def test_jobs_refuse_what_wants_words_of_all_texts(bitext, folders):
    result = bitext("score", *folders, "--by", "part", "-j", "2")
    assert result.status == 2
    told = "--by part wants the words of all texts, which jobs do not have"
    assert told in result.err


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("place", ["page.html", "pages/"])
def test_jobs_write_the_pages_that_are_written_without(bitext, folders, tmp_path, place):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (folders[2] / "t1.pharaoh").unlink()
    given = [*folders, "--base", "1", "--swap", "beta", "--missing", "empty"]
    assert bitext("score", *given, "--html", f"{tmp_path}/a/{place}", "-q").status == 0
    done = bitext(
        *("score", *given, "--html", f"{tmp_path}/b/{place}", "-q"),
        *("--journal", tmp_path / "journal"),
    )
    assert done.status == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    if place == "pages/":
        index = contents(tmp_path / "a")["pages/index.html"]
        held = index.split('id="texts"')[1].split("</section>")[0]
        rows = [row for row in held.split("<tr>") if "<a href" in row]
        errors = [max(map(float, re.findall(r"\d\.\d{4}", row)[:2])) for row in rows]
        assert len(errors) == 3
        assert errors == sorted(errors, reverse=True)


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.html")
    }


@pytest.mark.usefixtures("at_hand")
def test_a_journal_of_bisegments_is_not_gone_on_with_for_links(bitext, tmp_path):
    for role in ("g", "h"):
        (tmp_path / f"{role}.tsv").write_text("source\ttarget\twords\na b\tA B\t\n")
    given = ["score", tmp_path / "g.tsv", tmp_path / "h.tsv", "--journal", tmp_path / "j"]
    assert bitext(*given).status == 0
    for role in ("g", "h"):
        (tmp_path / f"{role}.tsv").write_text("source\ttarget\na b\tA B\n")
    result = bitext(*given)
    assert result.status == 2
    assert "word links" in result.err


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("alpha", ["0.5", "0.3"])
def test_the_table_of_counts_adds_up_to_the_figures(bitext, folders, tmp_path, alpha):
    files = [*folders, "--base", "1", "--swap", "beta", "--alpha", alpha, "--json"]
    tables = [tmp_path / f"{k}.jsonl" for k in range(2)]
    found = bitext("score", *files, "--store", tables[0])
    bitext("score", *files, "--store", tables[1], "-j", "2")
    assert tables[0].read_text() == tables[1].read_text()
    rows = [json.loads(line) for line in tables[0].read_text().splitlines()]
    assert len(rows) == 6
    f = "f1" if alpha == "0.5" else "f"
    assert list(rows[0]) == ["text", "system", "part", "precision", "recall", f, "aer", "hits",
                             "proposed", "expected", "found", "signature"]  # fmt: skip
    ours = [row for row in rows if row["system"] == "alpha"]
    hits, proposed, expected, right = (
        sum(row[name] for row in ours) for name in ("hits", "proposed", "expected", "found")
    )
    (whole,) = [r for r in rows_of(found) if r["average"] == "micro" and r["system"] == "alpha"]
    assert hits / proposed == whole["precision"]
    assert right / expected == whole["recall"]
    assert 1 - (hits + right) / (proposed + expected) == whole["aer"]


def test_folders_are_scored_text_by_text(bitext, links, tmp_path):
    for role, file in (("g", "gold.pharaoh"), ("h", "alpha.talp")):
        lines = (links / file).read_text().splitlines(keepends=True)
        (tmp_path / role).mkdir()
        for k in range(2):
            (tmp_path / role / f"t{k}.pharaoh").write_text("".join(lines[6 * k : 6 * k + 6]))
    result = bitext("score", tmp_path / "g", tmp_path / "h", "--base", "1", "--json")
    assert round(pooled(result)["value"], 4) == 0.3203
    assert [r["text"] for r in rows_of(result) if r["average"] == "text"] == ["t0", "t1"]


def test_other_words_are_refused_or_noted(bitext, tmp_path):
    head = "source\ttarget\twords\n"
    (tmp_path / "g.tsv").write_text(f"{head}a b\tA B\t0-0\n")
    (tmp_path / "h.tsv").write_text(f"{head}a b c\tA B\t0-0\n")
    (tmp_path / "i.tsv").write_text(f"{head}A b\tA B\t0-0\n")
    result = bitext("score", tmp_path / "g.tsv", tmp_path / "h.tsv")
    assert result.status == 2
    assert "the source sentence of pair 1 has 3 words, and 2 in" in result.err
    result = bitext("score", tmp_path / "g.tsv", tmp_path / "i.tsv")
    assert "i: words differ from the gold standard's in 1 text, first source sentence" in result.err


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_error_rates_are_reproduced_to_the_last_digit(bitext, name):
    file = data("wordlinks", name)
    gold = file.with_name(f"{name[:4]}.gold")
    swap = ["--swap", name.removesuffix(".talp")] if ".reverse." in name else []
    given = ["--from", "pharaoh", "--base", "1", "--resamples", "0", "--json"]
    found = pooled(bitext("score", gold, file, *swap, *given))
    aer, precision, recall = PUBLISHED[name]
    digits = 2 if isinstance(aer, str) else 1
    for value, printed, places in (
        (found["value"], float(aer), digits),
        (found["precision"], precision, 1),
        (found["recall"], recall, 1),
    ):
        exact = 100 * value
        assert math.floor(exact * 10**places + 0.5) / 10**places == printed


def test_published_links_are_refused_as_they_lie(bitext):
    gold, system = data("wordlinks", "enfr.gold"), data("wordlinks", "enfr.giza.talp")
    result = bitext("score", gold, system)
    assert result.status == 2
    assert "positions count from another base" in result.err


def test_links_are_scored_in_python_as_on_the_command_line(links):
    gold = package.read(links / "gold.pharaoh", base=1)
    found = link_scores(gold, package.read(links / "alpha.talp"))
    assert round(found.aer, 4) == 0.3203
    shifted = WordLinks.parse(package.read(links / "gold.pharaoh").alignment.attributes["words"])
    assert link_scores(shifted.shifted(-1, -1), package.read(links / "alpha.talp")) == found


def test_words_of_the_other_side_are_refused_and_the_remedy_works(bitext, write):
    gold = write("gold.tsv", "src\ttgt\twords\na b\tA B\t0-0 1-1\nc d\tC D\t0-0\n")
    hyp = write("hyp.tsv", "src\ttgt\twords\nA B\ta b\t0-0 1-1\nC D\tc d\t1-0\n")
    refused = bitext("score", gold, hyp, "-g", "links")
    assert refused.status == 2
    assert f"hyp.tsv: its source words are the target words of {gold}" in refused.err
    found = pooled(bitext("score", gold, hyp, "-g", "links", "--swap", "hyp", "--json"))
    assert (found["hits"], found["proposed"]) == (2, 3)


def test_naacl_files_that_count_from_0_or_lack_the_last_links_have_remedies_that_work(
    bitext, write
):
    links = [(k, i, 3 * i % 7) for k in range(1, 9) for i in range(7)]
    gold = write("gold.wa", "".join(f"{k} {i + 1} {j + 1} S\n" for k, i, j in links))
    hyp = write("hyp.wa", "".join(f"{k} {i} {j} S\n" for k, i, j in links if i + j))
    refused = bitext("score", gold, hyp)
    assert (refused.status, "score with --base hyp=0, or" in refused.err) == (2, True)
    assert pooled(bitext("score", gold, hyp, "--base", "hyp=0", "--json"))["precision"] == 1
    short = write("short.wa", "".join(f"{k} {i + 1} {j + 1}\n" for k, i, j in links if k < 8))
    refused = bitext("score", gold, short)
    assert "the texts (--src, --tgt) if those at its end have none" in refused.err
    texts = [write(name, "a b c d e f g h\n" * 8) for name in ("a.txt", "b.txt")]
    found = bitext("score", gold, short, "--src", texts[0], "--tgt", texts[1], "--json")
    assert [pooled(found)[key] for key in ("hits", "proposed", "expected")] == [49, 49, 56]


def test_sentence_pairs_that_each_file_leaves_out_have_to_be_the_same(bitext, write):
    gold = write("gold.links", "0-0 1-1\t0.9\n0-0\t0.1\n0-1\t0.8\n")
    same = write("same.links", "0-0\t0.9\n0-0 1-1\t0.2\n0-1\t0.9\n")
    other = write("other.links", "0-0\t0.1\n0-0 1-1\t0.8\n0-1\t0.9\n")
    chosen = ["--where", "score>0.5"]
    row = pooled(bitext("score", gold, same, *chosen, "--json"))
    assert [row[key] for key in ("hits", "proposed", "expected")] == [2, 2, 3]
    refused = bitext("score", gold, other, *chosen)
    assert refused.status == 2
    assert f"{gold} has sentence pair 1 where {other} has 2" in refused.err


def test_lines_of_one_link_each_are_noted_as_they_may_be_bisegments(bitext, tmp_path):
    gold, hyp = tmp_path / "gold.txt", tmp_path / "hyp.txt"
    gold.write_text("0-0\n1-1\n2-2\n3-3\n")
    hyp.write_text("0-0\n1-1\n2-3\n3-2\n")
    assert "every line of the gold standard has one link" in bitext("score", gold, hyp).err
    gold.write_text("0-0\n1-1\n2-2 3-3\n3-3\n")
    assert "one link" not in bitext("score", gold, hyp).err
