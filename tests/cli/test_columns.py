"""`--columns` in every command that reads tables, and sides that are no text, in `check`."""

import json

import pytest

PLAIN = "One.\tEins.\nTwo.\tZwei.\n"
TURNED = "0.9\tEins.\tOne.\n0.8\tZwei.\tTwo.\n"


@pytest.fixture
def turned(write):
    return write("turned.tsv", TURNED)


def test_convert_takes_the_columns_that_are_named(bitext, turned):
    found = bitext("convert", turned, "-", "--to", "tsv", "--columns", "src=3,tgt=2")
    assert found.out == "src\ttgt\tcol1\nOne.\tEins.\t0.9\nTwo.\tZwei.\t0.8\n"
    found = bitext("convert", turned, "-", "--to", "tsv")
    assert (
        "columns detected from their cells (name others with --columns src=2,tgt=3): 1" in found.err
    )


@pytest.mark.usefixtures("at_hand")
def test_jobs_take_the_columns_that_are_named(bitext, write, tmp_path):
    write("in/a.tsv", TURNED)
    write("in/b.tsv", TURNED)
    ways = ["--to", "tsv", "--columns", "score,tgt,src", "--journal", tmp_path / "journal"]
    assert bitext("convert", tmp_path / "in", f"{tmp_path}/out/", *ways).status == 0
    assert (tmp_path / "out/b.tsv").read_text().splitlines()[1] == "One.\tEins.\t0.9"


def test_score_takes_the_columns_that_are_named(bitext, write, turned):
    gold = write("gold.tsv", "1\tEins.\tOne.\n1\tZwei.\tTwo.\n")
    found = bitext("score", gold, turned, "--columns", "src=3,tgt=2", "--json")
    assert json.loads(found.out)["rows"][0]["f1"] == 1
    two = write("two.tsv", "3\tHi\n4\tHo\n")
    refused = bitext("score", two, two)
    assert (refused.status, "--columns src=1,tgt=2" in refused.err) == (2, True)
    assert bitext("score", two, two, "--names", "b", "--columns", "src=1,tgt=2").status == 0


def test_align_takes_the_columns_that_are_named(bitext, turned, tmp_path):
    out = tmp_path / "out.jsonl"
    assert bitext("align", turned, "-o", out, "--columns", "src=3,tgt=2").status == 0
    assert json.loads(out.read_text().splitlines()[0])["src_text"] == "One."


def test_show_takes_the_columns_that_are_named(bitext, turned):
    found = bitext("show", turned, "--columns", "src=3,tgt=2")
    assert found.out.index("One.") < found.out.index("Eins.")


def test_check_warns_of_a_side_of_numbers(bitext, write):
    path = write("a.tsv", "3\tHi\n4\tHo\n")
    found = bitext("check", path, "--columns", "src=1,tgt=2")
    assert found.status == 1
    assert "nothing but numbers as the source text in most bisegments\t2 of 2" in found.out
    found = bitext("check", write("b.tsv", PLAIN))
    assert (found.status, found.out.count("\n")) == (0, 1)


def test_check_warns_of_a_side_of_addresses_and_of_two_that_are_the_same(bitext, write):
    path = write("a.tsv", "Hi\thttp://a.b/c\nHo\thttp://a.b/d\n")
    found = bitext("check", path, "--columns", "src=1,tgt=2")
    assert "nothing but addresses as the target text" in found.out
    found = bitext("check", write("b.tsv", "Hi\tHi\nHo\tHo\n"))
    assert found.status == 1
    assert "the same text on both sides in most bisegments" in found.out
