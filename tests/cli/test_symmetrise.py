"""`bitext convert --symmetrise`: two files of word links, one of each direction, made one."""

import json
import re

import pytest

from reference.shared_data import data, needs_data

# Over `a b c` and `x y z`: source word 2 goes with target word 1 in both runs.
FORWARD = "0-0 2-1 0-2\n0-0 1-0 2-1\n"
REVERSE = "0-0 2-1 1-1\n0-0 2-1 2-2\n"
UNION = [{"0-0", "2-1", "0-2", "1-1"}, {"0-0", "1-0", "2-1", "2-2"}]


def exchanged(text):
    lines = [[item.split("-") for item in line.split()] for line in text.splitlines()]
    return "".join(" ".join(f"{j}-{i}" for i, j in line) + "\n" for line in lines)


def moved(text, by=1):
    lines = [[map(int, item.split("-")) for item in line.split()] for line in text.splitlines()]
    return "".join(" ".join(f"{i + by}-{j + by}" for i, j in line) + "\n" for line in lines)


@pytest.fixture
def symmetrise(bitext, write, tmp_path):
    """Return what symmetrises two texts of links, and what came of it."""

    def run(forward, reverse, *options, method="union", names=("f.talp", "r.talp")):
        files = [write(name, text) for name, text in zip(names, (forward, reverse), strict=True)]
        out = tmp_path / "out.pharaoh"
        out.unlink(missing_ok=True)
        found = bitext("convert", *files, "-o", out, "--symmetrise", method, *options)
        assert out.exists() == (found.status == 0)
        return found, out.read_text() if out.exists() else None

    return run


def sets(text):
    return [set(line.split()) for line in text.splitlines()]


def test_links_of_both_files_become_one_set(symmetrise):
    for method, links in (
        ("union", UNION),
        ("intersection", [{"0-0", "2-1"}, {"0-0", "2-1"}]),
        ("grow", [UNION[0] - {"0-2"}, UNION[1]]),
        ("grow-diag", UNION),
        ("grow-diag:strict", [{"0-0", "2-1"}, {"0-0", "2-1"}]),
    ):
        found, out = symmetrise(FORWARD, REVERSE, "--reverse", "source-target", method=method)
        assert (found.err.count("note"), sets(out)) == (1, links)


def test_the_output_may_be_named_last(bitext, write, tmp_path):
    files = write("f.talp", FORWARD), write("r.talp", REVERSE)
    ways = [
        (*files, tmp_path / "a.talp", "--symmetrise", "union", "--reverse", "source-target"),
        ("--symmetrise", "union", "--reverse", "source-target", *files, "-o", tmp_path / "b.talp"),
        (*files, "-qo", tmp_path / "c.talp", "--symmetrise", "union", "--reverse", "source-target"),
    ]
    for way in ways:
        assert bitext("convert", *way).status == 0
    assert len({(tmp_path / f"{name}.talp").read_text() for name in "abc"}) == 1


def test_agreement_tells_that_the_second_file_is_written_target_first(symmetrise):
    found, out = symmetrise(FORWARD, exchanged(REVERSE))
    assert sets(out) == UNION
    assert "read as written target-source, the first being source-target (--reverse" in found.err
    assert "r.talp: written target-source, 4 of its links are those of" in found.err
    as_it_is, out = symmetrise(FORWARD, REVERSE)
    assert sets(out) == UNION
    assert "read as written source-target, the first being source-target (--reverse" in as_it_is.err


def test_where_nothing_tells_the_direction_it_is_asked_for(symmetrise):
    found, _ = symmetrise("0-1 1-2\n", "2-0 0-3\n")
    assert found.status == 2
    assert "it is not clear whether its links are written source-target" in found.err
    assert "name the direction (--reverse source-target or --reverse target-source)" in found.err
    for direction, links in (("source-target", "2-0"), ("target-source", "0-2")):
        named, out = symmetrise("0-1 1-2\n", "2-0 0-3\n", "--reverse", direction)
        assert named.status == 0
        assert links in out


def test_links_that_are_the_same_both_ways_round_need_no_direction(symmetrise):
    found, out = symmetrise("0-0 1-1\n", "0-0 2-1 1-2\n")
    assert (found.status, sets(out)) == (0, [{"0-0", "1-1", "1-2", "2-1"}])
    assert "written" not in found.err


def test_two_files_of_the_same_links_are_noted(symmetrise):
    found, out = symmetrise(FORWARD, FORWARD)
    assert sets(out) == sets(FORWARD)
    assert (
        "files with exactly the links of the first (do both have the same direction?): 1"
        in found.err
    )


def test_a_direction_against_the_agreement_is_taken_with_a_note(symmetrise):
    found, out = symmetrise(FORWARD, REVERSE, "--reverse", "target-source")
    assert out.startswith("0-0 0-2 1-1 1-2 2-1\n")
    assert "read as written target-source, against the agreement of their links: 1" in found.err


def test_the_texts_tell_the_direction_by_their_words(symmetrise, write):
    texts = write("a.src", "a b c\n"), write("a.tgt", "x y\n")
    found, out = symmetrise("0-0 1-1\n", "1-2 0-1\n", "--src", texts[0], "--tgt", texts[1])
    assert (found.status, sets(out)) == (0, [{"0-0", "1-1", "2-1", "1-0"}])
    assert "written otherwise, it would link words beyond its sentences" in found.err
    wrong, _ = symmetrise(
        "0-0\n", "2-2\n", "--src", texts[0], "--tgt", texts[1], "--reverse", "source-target"
    )
    assert wrong.status == 2
    assert "r.talp: bisegment 0 links source word 2 and target word 2 (from 0)" in wrong.err


GIZA = (
    "# Sentence pair (1) source length 2 target length 3 alignment score : 0.5\n"
    "x y z\nNULL ({ }) a ({ 1 }) b ({ 2 3 })\n"
)
TURNED = (
    "# Sentence pair (1) source length 3 target length 2 alignment score : 0.25\n"
    "a b\nNULL ({ }) x ({ 1 }) y ({ 1 }) z ({ 2 })\n"
)


def test_two_runs_of_giza_are_told_apart_by_their_texts(symmetrise):
    found, out = symmetrise(GIZA, TURNED, names=("f.A3.final", "r.A3.final"))
    assert (found.status, sets(out)) == (0, [{"0-0", "1-1", "1-2", "0-1"}])
    assert "its texts are those of" in found.err
    assert "lost: scores, which are of one direction: 2" in found.err
    other = TURNED.replace("a b\n", "a c\n")
    found, _ = symmetrise(GIZA, other, names=("f.A3.final", "r.A3.final"))
    assert found.status == 2
    assert "r.A3.final: bisegment 0 has other words than" in found.err
    assert "f.A3.final (line 1)" in found.err


def test_files_that_count_from_0_and_1_are_refused(symmetrise):
    links = "0-0 3-1 1-4\n0-2 3-1\n"
    for forward, reverse, one in (
        (links, moved(links), "r.talp"),
        (moved(links), exchanged(links), "f.talp"),
    ):
        found, _ = symmetrise(forward, reverse)
        assert found.status == 2
        assert f"{one}: has no position 0" in found.err
        assert re.search(rf"say so \(--base \S*{one}=1, or --base 1 if both do\)", found.err)


def test_the_remedies_for_files_that_count_from_1_work(bitext, write, tmp_path):
    texts = ["--src", write("a.en", "a b c\na b c\n"), "--tgt", write("a.fr", "x y z\nx y z\n")]
    forward, reverse = write("f.talp", moved(FORWARD)), write("r.talp", moved(exchanged(REVERSE)))
    way = ["-o", tmp_path / "o.talp", "--symmetrise", "union"]
    refused = bitext("convert", forward, reverse, *texts, *way)
    assert refused.status == 2  # the texts tell of the first only
    assert bitext("convert", forward, reverse, *texts, *way, "--base", "1").status == 0
    assert sets((tmp_path / "o.talp").read_text()) == UNION
    zero = write("z.talp", FORWARD)
    told = re.search(r"--base (\S+=1)", bitext("convert", zero, reverse, *way).err)
    for more in ([told[1]], ["1", "--base", f"{zero}=0"]):
        (tmp_path / "o.talp").unlink()
        mended = bitext("convert", zero, reverse, *way, "--base", *more)
        assert mended.status == 0, mended.err
        assert sets((tmp_path / "o.talp").read_text()) == UNION


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["2"], "--base 2: want 0 or 1, or IN=0 or IN=1 for one file"),
        (["x.talp=1"], "--base x.talp=1: x.talp is not among the files to read"),
        (["1", "--base", "0"], "--base: files count from 0 or from 1: give one of both"),
    ],
)
def test_bases_that_do_not_fit_are_refused(bitext, write, tmp_path, given, told):
    way = ["-o", tmp_path / "o.talp", "--symmetrise", "union", "--base", *given]
    found = bitext("convert", write("f.talp", FORWARD), write("r.talp", REVERSE), *way)
    assert found.status == 2
    assert told in found.err


def test_each_of_several_files_may_have_a_base_of_its_own(bitext, write, tmp_path):
    inputs = [write("a.talp", "0-0 1-1\n"), write("b.talp", "1-1 2-2\n")]
    found = bitext("convert", *inputs, tmp_path / "o.jsonl", "--base", f"{inputs[1]}=1")
    assert found.status == 0, found.err
    assert (tmp_path / "o.jsonl").read_text().count("0-0 1-1") == 2


def test_a_sentence_pair_that_one_file_lacks_is_an_error_with_its_place(symmetrise):
    found, _ = symmetrise(FORWARD, "0-0\n", "--reverse", "source-target")
    assert found.status == 2
    assert "f.talp has 2 sentence pairs" in found.err
    assert "r.talp has 1: line 2 of" in found.err
    found, _ = symmetrise("0-0\n", REVERSE + "0-0\n", "--reverse", "source-target")
    assert "f.talp has 1 sentence pairs" in found.err
    assert "r.talp has 3: bisegment 1 of" in found.err


def test_marks_and_confidences_are_lost_with_a_word(symmetrise):
    found, out = symmetrise("0-0 1p1\n", "0-0:0.5 1-1\n", "--reverse", "source-target")
    assert out == "0-0 1-1\n"
    assert "lost: word links marked as possible, their marks: 1" in found.err
    assert "lost: word links with confidences, which are of one direction: 1" in found.err


def test_links_to_no_word_are_lost_with_a_word(bitext, write, tmp_path):
    files = write("f.naacl", "1 1 1\n1 0 2\n"), write("r.naacl", "1 1 1\n1 2 2\n1 0 3\n")
    out = tmp_path / "o.naacl"
    found = bitext("convert", *files, "-o", out, "--symmetrise", "union")
    assert "lost: bisegments with links to no word, which no method combines: 2" in found.err
    assert out.read_text() == "0001 1 1 S\n0001 2 2 S\n"


def test_strict_refuses_to_lose_marks(bitext, write, tmp_path):
    files = write("f.talp", "0-0 1p1\n"), write("r.talp", "0-0 1-1\n")
    found = bitext(
        "convert", *files, "-o", tmp_path / "o.talp", "--symmetrise", "union", "--strict",
        "--reverse", "source-target",
    )  # fmt: skip
    assert found.status == 2
    assert "would lose word links marked as possible, their marks: 1" in found.err


def test_formats_may_differ(symmetrise):
    reverse = "1 1 1\n1 3 2\n1 2 2\n2 1 1\n2 3 2\n2 3 3\n"  # NAACL counts from 1
    found, out = symmetrise(FORWARD, reverse, names=("f.talp", "r.naacl"))
    assert (found.status, sets(out)) == (0, UNION)


def test_texts_and_columns_are_those_of_the_first_file(bitext, write, tmp_path):
    row = {"src": "a b", "tgt": "x y", "note": "n", "words": "0-0 1-1"}
    other = {"src": "x y", "tgt": "a b", "words": "0-1 1-1"}
    files = write("f.jsonl", json.dumps(row)), write("r.jsonl", json.dumps(other))
    out = tmp_path / "o.jsonl"
    found = bitext("convert", *files, "-o", out, "--symmetrise", "union")
    assert found.status == 0, found.err
    (made,) = map(json.loads, out.read_text().splitlines())
    assert (made["src_text"], made["tgt_text"], made["note"]) == ("a b", "x y", "n")
    assert made["words"] == "0-0 1-0 1-1"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--symmetrise", "gdfa"), "no way to symmetrise called 'gdfa'; want one of intersection"),
        (("--symmetrise", "grow-dag"), "did you mean grow-diag?"),
        (("--reverse", "source-target"), "--reverse is for the second file that --symmetrise"),
        (("--symmetrise", "union", "--keep-going"), "needs each sentence pair of both files"),
    ],
)
def test_options_that_do_not_fit_are_refused(bitext, write, tmp_path, options, told):
    files = write("f.talp", FORWARD), write("r.talp", REVERSE)
    found = bitext("convert", *files, tmp_path / "o.talp", *options)
    assert found.status == 2
    assert told in found.err


def test_one_file_or_three_are_refused(bitext, write, tmp_path):
    path = write("f.talp", FORWARD)
    for files in ((path,), (path, write("g.talp", FORWARD), write("h.talp", FORWARD))):
        found = bitext("convert", *files, "-o", tmp_path / "o.talp", "--symmetrise", "union")
        assert found.status == 2
        assert f"{len(files)} {'are' if len(files) > 1 else 'is'} named as IN" in found.err


def test_files_without_word_links_are_refused(bitext, write, tmp_path):
    files = write("f.tsv", "a\tx\n"), write("r.tsv", "a\tx\n")
    found = bitext("convert", *files, "-o", tmp_path / "o.jsonl", "--symmetrise", "union")
    assert found.status == 2
    assert "have no word links; align their words first" in found.err


@needs_data("wordlinks")
@pytest.mark.parametrize("corpus", ["enfr.fastalign", "enfr.giza", "roen.fastalign", "roen.giza"])
def test_published_reverse_files_are_told_to_be_target_first(bitext, tmp_path, corpus):
    files = [data("wordlinks", f"{corpus}{end}.talp") for end in ("", ".reverse")]
    out = tmp_path / "o.talp"
    found = bitext("convert", *files, "-o", out, "--symmetrise", "union")
    assert "read as written target-source" in found.err
    published = data("wordlinks", f"{corpus}.union.talp").read_text()
    assert sets(out.read_text()) == sets(published)
