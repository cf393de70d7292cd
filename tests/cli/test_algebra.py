"""`bitext combine`, `bitext compose` and `bitext diff`: files of alignments as operands."""

from __future__ import annotations

import gc
import json

import pytest

from bitext import Bitext, read, read_all
from bitext.formats.io.source import Notes
from bitext.formats.reading import FileOptions
from bitext.jobs.operands import Operand, corpora_of, grouped

ONE = "[0]:[0]\n[1]:[1]\n[2]:[2]\n"
TWO = "[0]:[0]\n[1, 2]:[1]\n[]:[2]\n"
THREE = "[0]:[0]\n[1]:[1]\n[]:[2]\n"


@pytest.fixture
def orchard(fixtures):
    return fixtures / "orchard"


@pytest.fixture
def fixtures(coast):
    return coast.parent


@pytest.fixture
def files(write):
    write("a.en", "One.\nTwo.\nThree.\n")
    write("a.fr", "Un.\nDeux.\nTrois.\n")
    return [write(f"{k}.align", text) for k, text in enumerate((ONE, TWO, THREE))]


def texts(folder):
    return ["--src", folder / "a.en", "--tgt", folder / "a.fr"]


def test_a_combination_has_what_most_files_have(bitext, files, tmp_path):
    out = tmp_path / "all.jsonl"
    done = bitext("combine", *files, *texts(tmp_path), "--by", "vote", "-o", out)
    assert done.status == 0
    assert "3 bisegments of 3, 3, 3, 1 of them in all" in done.err
    made = read(out)
    assert list(made.alignment) == [((0,), (0,)), ((1,), (1,)), ((), (2,))]
    assert made.alignment.scores.tolist() == pytest.approx([1, 2 / 3, 2 / 3])
    assert list(made.tgt.segments()) == ["Un.", "Deux.", "Trois."]


def test_scores_that_are_costs_are_no_probabilities_and_those_that_may_be_are_noted(bitext, write):
    bead = "<alignment score='{}'><sourcelist><segment>{}</segment></sourcelist>"
    bead += "<targetlist><segment>{}</segment></targetlist></alignment>"
    inner = bead.format(0.1, "a", "A") + bead.format(0.9, "b", "B")
    costs = write("costs.al", f"<alignmentlist>{inner}</alignmentlist>")
    brackets = [write(f"{k}.align", f"[0]:[0]:0.1\n[1]:[1]:0.{k}\n") for k in (8, 9)]
    assert read(costs).alignment.scores.tolist() == [0.1, 0.9]
    out = ["--to", "vecalign"]
    done = bitext("combine", costs, costs, *out)
    assert done.out == "[0]:[0]:1.000000\n[1]:[1]:1.000000\n"
    assert "path by votes" in done.err
    assert "note: scores of maligna left out: they are costs, lower is better" in done.err
    may = "scores of vecalign taken as probabilities, though they may be costs, lower is better"
    done = bitext("combine", *brackets, *out)
    assert (done.out, f"{may} (--by vote uses none)" in done.err) == ("[1]:[1]:1.000000\n", True)
    assert "may be costs" not in bitext("combine", *brackets, *out, "--by", "vote").err
    assert f"{may} (they are multiplied)" in bitext("compose", *brackets, *out).err
    done = bitext("compose", costs, costs, "--swap", "second", *out)
    assert "scores of maligna left out: they are costs" in done.err


def test_a_file_that_ends_before_the_middle_of_the_others_is_noted(bitext, write):
    def ladder(name, size):
        return write(name, "".join(f"[{k}]:[{k}]\n" for k in range(size)))

    long, half, short = ladder("long.align", 8), ladder("half.align", 4), ladder("s.align", 3)
    note = "note: ends before the middle of the others, and may be cut short: file 2 of 3"
    for by in ("path", "union", "vote"):
        done = bitext("combine", long, short, half, "--to", "vecalign", "--by", by)
        assert (done.status, note in done.err) == (0, True)
    assert "cut short" not in bitext("combine", long, half, "--to", "vecalign").err


def test_ways_and_numbers_of_votes_are_checked(bitext, files):
    for by in ("sum", "vote:0", "vote:4", "path:2", "vote:"):
        done = bitext("combine", *files, "--by", by, "-o", "x.align")
        assert (done.status, "--by" in done.err) == (2, True), by
    assert bitext("combine", *files, "--by", "union").status == 2  # names no format
    assert bitext("combine", *files, "-o", files[0]).status == 2
    assert files[0].read_text("utf-8") == ONE


def test_alignments_of_other_sentences_are_not_combined(bitext, write, tmp_path):
    one = write("one.tsv", "A b.\tX y.\n")
    two = write("two.tsv", "A\tX\nb.\ty.\n")
    done = bitext("combine", one, two, "-o", tmp_path / "out.jsonl")
    assert done.status == 2
    assert "the source segments differ" in done.err
    assert not (tmp_path / "out.jsonl").exists()


def test_a_composition_goes_from_source_to_target(bitext, orchard, tmp_path):
    out = tmp_path / "fr-de.jsonl"
    sides = ["--src", orchard / "orchard.fr", "--tgt", orchard / "orchard.de"]
    done = bitext(
        *("compose", orchard / "orchard.en-fr.align", orchard / "orchard.en-de.align"),
        *("--swap", "first", "--pivot", orchard / "orchard.en", *sides, "-o", out),
    )
    assert done.status == 0
    assert "58 bisegments of 59 and 59" in done.err
    assert "join several bisegments of a file: 6" in done.err
    first = read(out).pairs()[0]
    assert first[0][0].startswith("Le verger")
    assert first[1][0].startswith("Der Obstgarten")


def test_a_pivot_may_be_cut_in_two_ways(bitext, write, tmp_path):
    first = write("a-b.tsv", "Un. Deux.\tOne. Two.\nTrois.\tThree.\n")
    second = write("b-c.tsv", "One.\tEins.\nTwo.\tZwei.\nThree.\tDrei.\n")
    out = tmp_path / "a-c.tsv"
    done = bitext("compose", first, second, "-o", out)
    assert done.status == 0
    assert "the pivot is cut in different ways" in done.err
    pairs = read(out).pairs()
    assert [" ".join(tgt) for _, tgt in pairs] == ["Eins. Zwei.", "Drei."]
    other = write("other.tsv", "Nothing of this kind.\tNichts.\n")
    done = bitext("compose", first, other, "-o", tmp_path / "none.tsv")
    assert done.status == 2
    assert "the pivot texts of" in done.err
    assert "have a text in common" in done.err


def test_positions_are_not_taken_for_those_of_a_memory(bitext, write, tmp_path):
    first = write("a-b.tsv", "Un. Deux.\tOne. Two.\n")
    second = write("b-c.align", "[0]:[0]\n")
    done = bitext("compose", first, second, "-o", tmp_path / "out.align")
    assert done.status == 2
    assert "--pivot" in done.err


def test_a_difference_is_listed_with_its_texts(bitext, files, tmp_path):
    done = bitext("diff", files[0], files[2], *texts(tmp_path), "--format", "tsv")
    assert done.status == 1
    assert [line.split("\t") for line in done.out.splitlines()[1:]] == [
        ["+", "", "2", "0-1", "", "2", "", "Trois.", "moved", "0"],
        ["-", "", "2", "1-1", "2", "2", "Three.", "Trois.", "moved", "0"],
    ]
    assert "2 bisegments in both, 1 in the first alone (-), 1 in the second alone (+)" in done.err


def test_exchanged_sides_of_a_difference_are_noted(bitext, write, tmp_path):
    first = write("a.tsv", "One.\tUn.\nTwo.\tDeux.\nThree.\tTrois.\n")
    second = write("b.tsv", "Un.\tOne.\nDeux.\tTwo.\nQuatre.\tFour.\n")
    told = "2 bisegments of both, with their sides exchanged"
    assert told in bitext("diff", first, second).err
    assert bitext("convert", second, tmp_path / "c.tsv", "--swap").status == 0
    done = bitext("diff", first, tmp_path / "c.tsv")
    assert "2 bisegments in both" in done.err
    assert "exchanged" not in done.err


def test_equal_files_have_no_difference(bitext, files):
    done = bitext("diff", files[0], files[0], "--json")
    assert done.status == 0
    assert json.loads(done.out) == {
        "schema": "bitext.diff/1",
        "common": 3,
        "first_alone": 0,
        "second_alone": 0,
        "changes": {},
        "rows": [],
        "failed": [],
    }


def test_memories_are_compared_by_their_texts(bitext, write):
    one = write("one.tsv", "Yes.\tOui.\nNo.\tNon.\nNo.\tNon.\n")
    two = write("two.tsv", "No.\tNon.\nPerhaps.\tPeut-être.\nYes.\t Oui. \n")
    done = bitext("diff", one, two, "--format", "tsv", "--no-head")
    assert done.status == 1
    signs = [(line[0], line.split("\t")[6]) for line in done.out.splitlines()[1:]]
    assert signs == [("+", "Perhaps."), ("-", "No.")]


def test_document_pairs_are_paired_by_name(bitext, write):
    link = '<linkGrp fromDoc="en/{0}.xml" toDoc="fr/{0}.xml"><link xtargets="{1}"/></linkGrp>'
    head, end = '<?xml version="1.0"?><cesAlign version="1.0">', "</cesAlign>"
    both = [link.format("one", "a;b"), link.format("two", "c;d")]
    first = write("first.xml", head + "".join(both) + end)
    second = write("second.xml", head + "".join(both[::-1]) + end)
    assert bitext("diff", first, second).status == 0
    third = write("third.xml", head + both[0] + end)
    done = bitext("diff", first, third, "--json")
    document = json.loads(done.out)
    assert (done.status, document["common"], document["changes"]) == (1, 1, {"text": 1})
    assert [(row["file"], row["text"]) for row in document["rows"]] == [("-", "{en,fr}/two")]
    out = third.parent / "out.xces"
    done = bitext("combine", first, third, "-o", out)
    assert (done.status, out.exists()) == (2, False)
    assert f"{third} has no text '{{en,fr}}/two', which {first} has" in done.err
    done = bitext("combine", first, third, "-o", out, "--missing", "leave")
    assert (done.status, out.exists()) == (0, True)
    assert "left out: " in done.err


def test_a_sample_has_the_bisegments_without_others(bitext, write, tmp_path):
    table = write("all.tsv", "".join(f"Yes {k}.\tOui {k}.\n" for k in range(20)))
    for name in ("one.tsv", "two.tsv"):
        assert bitext("sample", table, "-n", 5, "--seed", 2, "-o", tmp_path / name).status == 0
    made = read(tmp_path / "one.tsv")
    assert len(made.alignment) == len(made.src) == 5
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    done = bitext("sample", table, "-n", 2, "--first", "--to", "tsv")
    assert [line[:5] for line in done.out.splitlines()[-2:]] == ["Yes 0", "Yes 1"]
    assert "all that there are of 30" in bitext("sample", table, "-n", 30, "--to", "tsv").err


def test_samples_that_mean_nothing_are_refused(bitext, write, tmp_path):
    table = write("all.tsv", "Yes.\tOui.\n")
    for options in (
        ("-n", "0", "--to", "tsv"),
        ("-n", "x", "--to", "tsv"),
        ("-n", "1", "--seed", "-1", "--to", "tsv"),
        ("-n", "1", "--seed", "1", "--first", "--to", "tsv"),
        ("-n", "1", "-o", tmp_path / "out.align"),
        ("-n", "1", "-o", table),
    ):
        assert bitext("sample", table, *options).status == 2, options
    assert table.read_text("utf-8") == "Yes.\tOui.\n"


def test_word_links_are_refused(bitext, fixtures, tmp_path):
    kiln = fixtures / "kiln"
    texts = ["--src", kiln / "kiln.en", "--tgt", kiln / "kiln.fr"]
    both = [kiln / "forward.talp", kiln / "gold.pharaoh"]
    for command, options in (("diff", []), ("combine", ["-o", tmp_path / "out.jsonl"])):
        done = bitext(command, *both, *texts, *options)
        assert (done.status, "holds word links" in done.err) == (2, True)


def test_a_difference_takes_no_positions_for_those_of_a_memory(bitext, write, files):
    memory = write("memory.tsv", "One. Two.\tUn. Deux.\nThree.\tTrois.\n")
    for pair in ([memory, files[0]], [files[0], memory]):
        done = bitext("diff", *pair)
        assert (done.status, "--src" in done.err) == (2, True)


def test_columns_that_a_combination_leaves_out_are_named(bitext, fixtures, tmp_path):
    links = fixtures / "mill/links.xml"
    done = bitext("combine", links, links, "-o", tmp_path / "out.jsonl")
    assert "columns left out: id" in done.err


# Folders and manifests.


@pytest.fixture
def corpora(write, tmp_path, monkeypatch):
    """Three folders of three texts; the second annotator differs in one, the third has two."""
    monkeypatch.chdir(tmp_path)
    for name in ("x", "y", "z"):
        write(f"en/{name}.txt", "One.\nTwo.\nThree.\n")
        write(f"fr/{name}.txt", "Un.\nDeux.\nTrois.\n")
        write(f"one/{name}.align", ONE)
        write(f"two/{name}.align", TWO if name == "y" else ONE)
        if name != "z":
            write(f"three/{name}.align", THREE)
    return ["--src", "en/{name}.txt", "--tgt", "fr/{name}.txt"]


def test_folders_are_combined_into_a_folder_or_a_file(bitext, corpora, tmp_path):
    done = bitext("combine", "one", "two", *corpora, "--to", "jsonl", "-o", "out/", "--json")
    assert done.status == 0, done.err
    assert "9 bisegments of 9, 9 in 3 texts, 7 of them in all; path by votes" in done.err
    document = json.loads(done.out)
    assert document["schema"] == "bitext.combine/1"
    assert [each["output"] for each in document["files"]] == [f"out/{n}.jsonl" for n in "xyz"]
    assert [len(read(tmp_path / f"out/{n}.jsonl").alignment) for n in "xz"] == [3, 3]
    assert bitext("combine", "one", "two", *corpora, "-o", "all.jsonl").status == 0
    assert [each.name for each in read_all(tmp_path / "all.jsonl")] == ["x", "y", "z"]


def test_a_text_without_counterpart_is_named(bitext, corpora, tmp_path):
    three = ["combine", "one", "three", *corpora, "--to", "jsonl", "-o", "out/"]
    done = bitext(*three)
    assert (done.status, (tmp_path / "out").exists()) == (2, False)
    assert "three has no text 'z', which one has; add what is missing, or leave it out" in done.err
    done = bitext(*three, "--missing", "leave")
    assert done.status == 0
    assert "left out: three has no text 'z', which one has" in done.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x.jsonl", "y.jsonl"]
    done = bitext("diff", "one", "three", *corpora, "--json")
    assert done.status == 1
    document = json.loads(done.out)
    assert document["changes"] == {"moved": 2, "text": 1}
    assert document["rows"][-1]["file"] == "-"
    assert document["rows"][-1]["text"] == "z"
    done = bitext("diff", "one/y.align", "two", "--json")
    assert {row["text"] for row in json.loads(done.out)["rows"] if row["bead"] is not None} == {"y"}


@pytest.mark.usefixtures("corpora")
def test_a_manifest_pairs_files_of_other_names(bitext, write):
    write("list.tsv", "text\tpath\nx\ttwo/y.align\n")
    write("names.tsv", "text\tpath\tsrc\ttgt\nx\tone/x.align\ten/x.txt\tfr/x.txt\n")
    done = bitext("diff", "names.tsv", "list.tsv", "--json")
    document = json.loads(done.out)
    assert (done.status, document["first_alone"], document["second_alone"]) == (1, 2, 2)
    assert document["rows"][0]["source"] == "Two."
    write("gone.tsv", "text\tpath\nx\ttwo/none.align\n")
    done = bitext("combine", "one/x.align", "gone.tsv", "--to", "jsonl")
    assert done.status == 2
    assert "gone.tsv line 2 names two/none.align: no such file" in done.err


@pytest.mark.usefixtures("corpora")
def test_folders_are_composed_through_a_pivot(bitext, write, tmp_path):
    for name in ("x", "y", "z"):
        write(f"de/{name}.txt", "Eins.\nZwei.\nDrei.\n")
    texts = ["--src", "fr/{name}.txt", "--pivot", "en/{name}.txt", "--tgt", "de/{name}.txt"]
    done = bitext("compose", "two", "one", "--swap", "first", *texts, "--to", "tsv", "-o", "out/")
    assert done.status == 0, done.err
    assert "9 bisegments of 9 and 9 in 3 texts" in done.err
    assert "Deux.\tZwei. Drei." in (tmp_path / "out/y.tsv").read_text("utf-8")
    done = bitext("compose", "one", "one", "--pivot", "fr/x.txt", "--to", "tsv", "-o", "no/")
    assert (done.status, "--pivot fr/x.txt: is one file" in done.err) == (2, True)


def test_samples_are_of_all_files_or_of_each(bitext, corpora, tmp_path):
    done = bitext("sample", "one", *corpora, "-n", 4, "--to", "tsv")
    assert (done.status, len(done.out.splitlines())) == (0, 4)
    done = bitext("sample", "one", *corpora, "-n", 2, "--each", "--to", "tsv", "-o", "each/")
    assert (done.status, "6 bisegments of 3 files" in done.err) == (0, True)
    assert [len(read(tmp_path / f"each/{n}.tsv").alignment) for n in "xyz"] == [2, 2, 2]
    assert len(bitext("sample", "one", *corpora, "-n", 2, "--each", "--to", "tsv").out.split()) > 6
    done = bitext("sample", "one", *corpora, "-n", 2, "--to", "tsv", "-o", "each/")
    assert (done.status, "--each" in done.err) == (2, True)


def test_document_pairs_are_read_side_by_side(write):
    link = '<linkGrp fromDoc="en/{0}.xml" toDoc="fr/{0}.xml"><link xtargets="a{0};b{0}"/></linkGrp>'
    body = "".join(map(link.format, range(40)))
    text = f'<?xml version="1.0"?><cesAlign version="1.0">{body}</cesAlign>'
    files = [str(write(f"{name}.xml", text)) for name in ("first", "second")]
    (group,), missing = grouped(
        corpora_of(files, None),
        lambda _, __, *both: Operand(both[0], both[1].path, FileOptions()),
    )
    gc.collect()
    gc.freeze()  # what other tests left is not looked through
    pairs = group.texts(Notes(), missing.append)
    for _ in range(20):
        first, second = next(pairs)
    held = sum(isinstance(each, Bitext) for each in gc.get_objects())
    assert held < 20, "40 pairs were read"
    assert first.name == second.name == "{en,fr}/19"
    assert (len(list(pairs)), missing) == (20, [])


def test_normal_forms_are_no_differences(bitext, write, tmp_path):
    one = write("one.tsv", "Caf\u00e9.\tKaffee.\nYes.\tJa.\n")
    two = write("two.tsv", "Cafe\u0301.\tKaffee.\nYes.\tJa.\n")
    three = write("three.tsv", "Cafe\u0301.\tKaffee.\nYes.\tJawohl.\n")
    assert bitext("diff", one, two).status == 0
    done = bitext("diff", one, three, "--format", "tsv")
    assert (done.status, "Caf" in done.out) == (1, False)
    assert bitext("combine", one, two, "-o", tmp_path / "out.tsv").status == 0


def test_files_of_the_same_sentences_are_compared_by_these(bitext, files, tmp_path):
    """Texts that stand twice are told apart then, and changes of boundaries have their names."""
    made = []
    for k in (0, 1):
        made.append(tmp_path / f"{k}.jsonl")
        assert bitext("convert", files[k], made[-1], *texts(tmp_path)).status == 0
    document = json.loads(bitext("diff", *made, "--json").out)
    assert document["changes"] == {"moved": 1}
    assert [row["number"] for row in document["rows"]] == [0, 0, 0, 0]
    document = json.loads(bitext("diff", *made, "--by", "text", "--json").out)
    assert document["changes"] == {"changed": 2}


@pytest.mark.parametrize("command", [["combine", "-o", "-", "--to", "vecalign"], ["diff"]])
def test_positions_of_two_bases_are_refused_and_the_remedies_work(bitext, write, command):
    one = write("one.align", "[0]:[0]\n[1]:[1]\n")
    two = write("two.align", "[1]:[1]\n[2]:[2]\n")
    name, *ways = command
    for both in ((one, two), (two, one)):
        found = bitext(name, *both, *ways)
        assert (found.status, found.out) == (2, "")
        assert f"{two}: has no position 0 and ends one later than {one}: it seems to" in found.err
    found = bitext("convert", two, two.parent / "three.align", "--base", "1")
    assert found.status == 0
    assert bitext(name, one, two.parent / "three.align", *ways).status == 0
    write("a.en", "One.\nTwo.\n")
    write("a.fr", "Un.\nDeux.\n")
    assert bitext(name, one, two, *ways, *texts(one.parent)).status == 0
    other = write("other.align", "[1]:[1]\n[5]:[5]\n")  # ends elsewhere
    assert bitext(name, one, other, *ways).status in {0, 1}
