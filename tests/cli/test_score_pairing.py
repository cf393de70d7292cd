"""Which files `score` takes for one text: two files each, names that begin alike; formats."""

import json
import re

import pytest

LINKS = "[0]:[0]:0\n"
INTERTEXT = (
    '<linkGrp toDoc="t.fr.xml" fromDoc="t.de.xml">'
    '<link type="1-1" xtargets="1:1;1:1" status="man"/></linkGrp>'
)


@pytest.fixture
def moses(write, tmp_path):
    """Two folders of two texts, each of two files."""
    for folder in ("gold", "hyp"):
        for k in (1, 2):
            write(f"{folder}/t{k}.en", f"One {k}.\nTwo.\n")
            write(f"{folder}/t{k}.fr", f"Un {k}.\nDeux.\n")
    return tmp_path / "gold", tmp_path / "hyp"


def rows(found):
    return {
        row["system"]: row["f1"] for row in json.loads(found.out)["rows"] if row["text"] is None
    }


@pytest.mark.parametrize("ways", [[], ["--from", "moses"], ["--from", "hyp=moses"], ["-j", "2"]])
@pytest.mark.usefixtures("at_hand")
def test_folders_of_two_files_for_each_text_are_scored(bitext, moses, ways):
    gold, hyp = moses
    found = bitext("score", gold, hyp, "-g", "word", "--json", *ways)
    assert rows(found) == {"hyp": 1.0}
    told = f"{hyp}: 2 texts of two files each, en taken as the source and fr as the target"
    assert told in json.loads(found.out)["notes"]


def test_they_are_converted_and_checked_with_the_languages_that_are_asked_for(
    bitext, moses, tmp_path
):
    gold, _ = moses
    ways = ["--to", "tsv", "--src-lang", "fr", "--tgt-lang", "en"]
    assert bitext("convert", gold, f"{tmp_path}/out/", *ways).status == 0
    assert (tmp_path / "out/t2.tsv").read_text() == "Un 2.\tOne 2.\nDeux.\tTwo.\n"
    assert bitext("check", gold).status == 0


def test_a_folder_that_is_named_so_and_is_none_is_refused_with_a_remedy_that_works(
    bitext, moses, write
):
    gold, hyp = moses
    write("gold/notes.txt", "x\n")
    found = bitext("score", gold, hyp, "--from", "moses")
    assert (found.status, "is not a folder of two files for each text" in found.err) == (2, True)
    manifest = write("manifest.tsv", "text\tpath\nt1\tgold/t1.en,gold/t1.fr\n")
    found = bitext("score", manifest, manifest, "--names", "m", "-g", "word", "--json")
    assert rows(found) == {"m": 1.0}


def test_each_system_may_have_a_format_of_its_own(bitext, write):
    gold = write("gold.jsonl", '{"src": "One.", "tgt": "Un."}\n')
    one = write("one", "One.\tUn.\n")
    other = write("other.al", "One.\tUn.\t0.5\n")
    ways = ["--from", "one=tsv", "--from", "two=hunalign-text", "--names", "one,two", "-g", "word"]
    assert rows(bitext("score", gold, one, other, "--json", *ways)) == {"one": 1.0, "two": 1.0}
    for given, told in (
        (["three=tsv"], "--from three=tsv: want one of the systems one, two"),
        (["one=tsv", "one=moses"], "names two formats of system one: tsv and moses"),
        (["one=tvs"], "did you mean 'tsv'?"),
    ):
        ways = [word for each in given for word in ("--from", each)]
        found = bitext("score", gold, one, other, "--names", "one,two", *ways)
        assert (found.status, told in found.err) == (2, True)


@pytest.mark.parametrize("jobs", [(), ("-j", 2)])
@pytest.mark.usefixtures("at_hand")
def test_a_gold_standard_in_the_folder_of_a_system_is_noted(bitext, write, jobs):
    gold = write("one/gold.align", LINKS)
    folder, other = gold.parent, write("two/gold.align", LINKS)
    write("one/other.align", LINKS)
    kind = "scored against themselves: 1, first "
    assert f"{kind}{gold}" in bitext("score", gold, other, folder, *jobs).err
    for pair in ((gold, other.parent), (gold, gold), (folder, folder), (gold, other)):
        assert "themselves" not in bitext("score", *pair, *jobs).err


def test_names_of_intertext_are_paired_with_those_of_their_texts(bitext, write, tmp_path):
    for k in (0, 1):
        write(f"gold/test{k}.de-00.fr-00.alignment.xml", INTERTEXT)
        write(f"hyp/test{k}.vecalign", LINKS)
    gold, hyp = tmp_path / "gold", tmp_path / "hyp"
    found = bitext("score", gold, hyp, "-g", "alignment", "--json")
    assert rows(found) == {"hyp": 1.0}
    told = f"{hyp}: 2 paired by the beginnings of their names: test0 with test0.de-00.fr-00, test1"
    assert any(note.startswith(told) for note in json.loads(found.out)["notes"])


@pytest.mark.parametrize(
    ("golds", "hyps", "pairs"),
    [
        (["a.de-00.fr-00", "b"], ["a.de.fr", "b"], ["a.de.fr with a.de-00.fr-00"]),
        (["t", "t.a"], ["t.de-00.fr-00", "t.a.de-00.fr-00"],
         ["t.a.de-00.fr-00 with t.a", "t.de-00.fr-00 with t"]),
        (["doc_1", "doc_2"], ["doc_1", "doc_3"], []),
        (["doc", "b"], ["doc_1", "doc_2", "b"], []),
        (["doc1", "b"], ["doc10", "b"], []),
    ],
)  # fmt: skip
def test_only_names_of_which_one_begins_the_other_are_paired(
    bitext, write, tmp_path, golds, hyps, pairs
):
    for folder, names in (("gold", golds), ("hyp", hyps)):
        for name in names:
            write(f"{folder}/{name}.vecalign", LINKS)
    found = bitext("score", tmp_path / "gold", tmp_path / "hyp", "-g", "alignment", "-v")
    told = [line for line in found.lines() if "paired by the beginnings" in line]
    assert [line.rpartition("names: ")[2].split(", ") for line in told] == (
        [pairs] if pairs else []
    )
    if not pairs:
        assert "left out" in found.err


XCES = '<cesAlign><linkGrp fromDoc="a.xml" toDoc="b.xml">{}</linkGrp></cesAlign>'
LINK = '<link xtargets="{0};{0}"/>'
TAKEN = "positions taken as places among the identifiers in links"


@pytest.mark.parametrize(
    ("ids", "is_taken"),
    [
        (["1", "2", "3"], True),
        (["s1", "s2", "s3"], True),
        (["s1.1", "s1.2", "s2.1"], True),
        (["d7.s1", "d7.s2", "d7.s3"], True),
        (["0", "1", "2"], True),
        (["1", "2", "4"], False),
        (["2", "3", "4"], False),
        (["1", "3", "2"], False),
        (["s1.1", "s1.3", "s2.1"], False),
        (["s1.1", "s3.1", "s3.2"], False),
        (["a", "b", "c"], False),
        (["s1", "s1.1", "s2"], False),
    ],
)
def test_positions_over_identifiers_with_gaps_are_refused(bitext, write, ids, is_taken):
    gold = write("gold.xml", XCES.format("".join(map(LINK.format, ids))))
    hyp = write("hyp.align", "[0]:[0]\n[1]:[1]\n")
    found = bitext("score", gold, hyp, "-g", "alignment", "--json")
    if is_taken:
        assert rows(found) == {"hyp": 0.8}
        assert any(TAKEN in note for note in json.loads(found.out)["notes"])
    else:
        assert (found.status, found.out) == (2, "")
        assert "known by the identifiers in links only, some of which may be missing" in found.err
        assert "give the source text (--src)" in found.err


@pytest.mark.parametrize(
    ("gold", "hyp", "told"),
    [
        (["s1", "s2"], ["S1", "S2"], "names source segments as 's1' and"),
        (["s1", "s2"], ["s01", "s02"], "and none alike: give the source text that both go over"),
        (["1", "2", "3"], ["0", "1", "2"], "they seem to count from 1 and from 0; give the source"),
        (["0", "1", "2"], ["1", "2", "3"], "they seem to count from 1 and from 0; give the source"),
        (["1", "2", "3"], ["1", "2"], ""),
        (["0", "1"], ["1", "2", "3"], ""),
        (["s1", "s2"], ["s2", "s7"], ""),
        (["s1", "s2"], ["s7", "s8"], ""),
        (["p1.s3", "p2.s1"], ["p1.s1", "p2.s3"], ""),
        (["a"], ["b"], ""),
        (["s1", "s2"], ["p1.s1", "p1.s2"], "names source segments as 's1' and"),
    ],
)
def test_identifiers_that_cannot_be_of_one_text_are_refused(bitext, write, gold, hyp, told):
    paths = [
        write(name, XCES.format("".join(map(LINK.format, ids))))
        for name, ids in (("gold.xml", gold), ("hyp.xml", hyp))
    ]
    found = bitext("score", *paths, "-g", "alignment", "--json")
    assert found.status == (2 if told else 0)
    assert told in found.err


@pytest.mark.parametrize(
    ("ids", "first", "is_refused"),
    [(["1", "2"], 0, True), (["1", "2"], 1, False), (["0", "2"], 0, False), (["2"], 0, True)],
)
def test_numbers_from_1_in_a_text_that_counts_from_0_are_refused(
    bitext, write, ids, first, is_refused
):
    gold = write("gold.xml", XCES.format("".join(map(LINK.format, ids))))
    row = '{{"src": ["{0}"], "tgt": ["{0}"], "src_text": "One.", "tgt_text": "Un."}}\n'
    hyp = write("hyp.jsonl", "".join(row.format(first + k) for k in range(4)))
    found = bitext("score", gold, hyp, "-g", "alignment", "--json")
    assert found.status == (2 if is_refused else 0)
    told = f"names source segments by numbers from {ids[0]}, and those of {hyp} count from 0"
    assert (told in found.err) == is_refused
    src, tgt = write("src", "One.\n" * 4), write("tgt", "Un.\n" * 4)
    if is_refused:
        assert bitext("score", gold, hyp, "--src", src, "--tgt", tgt).status == 0
    # Two files of one format count alike.
    some = write("some.jsonl", "".join(f'{{"src": ["{k}"], "tgt": ["{k}"]}}\n' for k in ids))
    assert bitext("score", some, hyp, "-g", "alignment").status == 0


def test_identifiers_of_the_other_side_are_told(bitext, write):
    link = '<link xtargets="{};{}"/>'
    gold = write("gold.xml", XCES.format(link.format("s1", "t1")))
    hyp = write("hyp.xml", XCES.format(link.format("t1", "s1")))
    found = bitext("score", gold, hyp, "-g", "alignment", "--json")
    assert "and none alike: its other side fits: are the sides swapped (--swap)?" in found.err
    assert rows(bitext("score", gold, hyp, "-g", "alignment", "--json", "--swap", "hyp")) == {
        "hyp": 1.0
    }


GROUP = '<linkGrp fromDoc="{}" toDoc="{}"><link xtargets="{}"/></linkGrp>'
TWO = (("en/d1.xml", "fr/d1.xml", "1;1"), ("en/d2.xml", "fr/d2.xml", "1;1 2"))


def corpus(*groups):
    return f"<cesAlign>{''.join(GROUP.format(*group) for group in groups)}</cesAlign>"


def notes(found):
    return " ".join(json.loads(found.out)["notes"])


@pytest.mark.parametrize(
    ("hyp", "texts"),
    [
        (corpus(*TWO[::-1]), 2),
        (corpus(TWO[1]), 1),
        (corpus(*((f"Books/raw/{a}.gz", f"Books/raw/{b}.gz", x) for a, b, x in TWO)), 2),
        (corpus(("d2.xml.gz", "d2.xml.gz", "1;1 2")), 1),
    ],
)
@pytest.mark.parametrize("is_gold", [False, True])
def test_texts_of_one_file_are_paired_by_their_documents(bitext, write, hyp, texts, is_gold):
    paths = [write("all.xml", corpus(*TWO)), write("other.xml", hyp)]
    found = bitext("score", *paths[:: -1 if is_gold else 1], "-g", "alignment", "--json")
    assert found.status == 0, found.err
    result = json.loads(found.out)
    assert {row["f1"] for row in result["rows"]} == {1.0}
    assert f"|texts:{texts}|" in result["signature"]


@pytest.mark.parametrize("is_gold", [False, True])
def test_documents_are_paired_with_alignments_of_their_names(bitext, write, is_gold):
    """As of systems that align plain text, and are joined from a folder."""
    row = '{{"src": ["1"], "tgt": {}, "document": "{}"}}\n'
    lines = row.format('["1"]', "d1") + row.format('["1", "2"]', "d2")
    one = '{"src": ["1"], "tgt": ["1", "2"]}\n'
    for name, content, texts in (("all.jsonl", lines, 2), ("d2.jsonl", one, 1)):
        paths = [write("all.xml", corpus(*TWO)), write(name, content)]
        found = bitext("score", *paths[:: -1 if is_gold else 1], "-g", "alignment", "--json")
        result = json.loads(found.out)
        assert {row["f1"] for row in result["rows"]} == {1.0}
        assert f"|texts:{texts}|" in result["signature"]


def test_documents_pair_however_their_accents_are_composed(bitext, write):
    row = '{{"src": ["1"], "tgt": ["1"], "document": "{}"}}\n'
    groups = (("en/{}.xml", "fr/{}.xml"), ("en/b.xml", "fr/b.xml"))
    for ending in ("jsonl", "xml"):
        paths = []
        for name in ("caf\u00e9", "cafe\u0301"):
            lines = row.format(name) + row.format("b")
            links = corpus(*((a.format(name), b.format(name), TWO[0][2]) for a, b in groups))
            paths.append(write(f"{len(paths)}.{ending}", lines if ending == "jsonl" else links))
        found = bitext("score", *paths, "-g", "alignment", "--json")
        result = json.loads(found.out)
        assert {row["f1"] for row in result["rows"]} == {1.0}
        assert "|texts:2|" in result["signature"]
        assert "other names" not in found.err


@pytest.mark.parametrize("ways", [[], ["-j", "2"]])
@pytest.mark.usefixtures("at_hand")
def test_documents_of_which_none_is_the_same_are_refused_with_both_names(bitext, write, ways):
    gold = write("all.xml", corpus(*TWO))
    turned = write("turned.xml", corpus(*((b, a, x) for a, b, x in TWO)))
    other = write("other.xml", corpus(*((f"{a}l", f"{b}l", x) for a, b, x in TWO)))
    found = bitext("score", gold, turned, *ways)
    assert found.status == 2
    assert "aligns 'fr/d1.xml' with 'en/d1.xml', and" in found.err
    assert "the other way round; score it with --swap turned" in found.err
    found = bitext("score", gold, other)
    assert (found.status, "'{en,fr}/d1' against '{en,fr}/d1.xmll'" in found.err) == (2, True)


def test_two_documents_that_fit_are_none_of_them(bitext, write):
    gold = write("all.xml", corpus(("a/d.xml", "b/d.xml", "1;1"), ("c/d.xml", "e/d.xml", "1;1")))
    found = bitext("score", gold, write("one.xml", corpus(("d.xml", "d.xml", "1;1"))))
    assert (found.status, "has a partner of the same name" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("documents", "told"),
    [
        (("en/a.xml", "fr/a.xml"), ""),
        (("Books/xml/en/a.xml.gz", "Books/xml/fr/a.xml.gz"), ""),
        (("fr/a.xml", "en/a.xml"), "the other way round (--swap hyp)"),
        (("en/b.xml", "fr/b.xml"), "documents of other names than those of the gold standard"),
    ],
)
def test_documents_of_other_names_are_noted(bitext, write, documents, told):
    gold = write("gold.xml", corpus(("en/a.xml", "fr/a.xml", "1;1")))
    hyp = write("hyp.xml", corpus((*documents, "1;1")))
    found = notes(bitext("score", gold, hyp, "-g", "alignment", "--json"))
    assert told in found
    assert "of other names" in told or "of other names" not in found


def test_exchanged_documents_of_an_exchanged_system_are_no_reason_for_a_note(bitext, write):
    gold = write("gold.xml", corpus(("en/a.xml", "fr/a.xml", "1;1")))
    hyp = write("hyp.xml", corpus(("fr/a.xml", "en/a.xml", "1;1")))
    found = bitext("score", gold, hyp, "-g", "alignment", "--json", "--swap", "hyp")
    assert "other way round" not in notes(found)
    found = bitext("score", gold, gold, "--names", "b", "-g", "alignment", "--json", "--swap", "b")
    assert "the other way round (leave --swap b out)" in notes(found)


@pytest.mark.parametrize(
    ("gold", "hyp", "sides"),
    [
        (corpus(("a", "b", "1;1")), corpus(("a", "b", "2;2")), "source target"),
        (corpus(("a", "b", "1;1")), corpus(("a", "b", "1;2")), "target"),
        (corpus(("a", "b", "1;1")), corpus(("a", "b", "1;1 2")), ""),
        ("[0]:[0]\n[1]:[1]\n", "[7]:[7]\n[8]:[8]\n", "source target"),
        ("[0]:[0]\n[1]:[1]\n", "[1]:[7]\n[8]:[8]\n", "target"),
        ("[0]:[0]\n[1]:[1]\n", "[1]:[0]\n", ""),
    ],
)
def test_files_that_share_no_segment_are_noted(bitext, write, gold, hyp, sides):
    ending = "xml" if gold.startswith("<") else "align"
    paths = write(f"gold.{ending}", gold), write(f"hyp.{ending}", hyp)
    found = notes(bitext("score", *paths, "-g", "alignment", "--json"))
    for side in ("source", "target"):
        note = f"texts of which no {side} segment is in the gold standard, too"
        assert (note in found) == (side in sides.split())


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
def test_bisegments_that_come_again_are_noted(bitext, write, jobs):
    """The same set of segments is the same bisegment, whatever the order of lines and members."""
    group = '<cesAlign version="1.0"><linkGrp fromDoc="a.xml" toDoc="b.xml">{}</linkGrp></cesAlign>'
    one, two = '<link xtargets="s1 s2;t1"/>', '<link xtargets="s3;t2"/>'
    gold = write("gold.xml", group.format(two + two + one + two))
    hyp = write("hyp.xml", group.format(one + '<link xtargets="s3;"/>' + two))
    found = bitext("score", gold, hyp, "-g", "alignment", "--json", *jobs)
    told = [each for each in json.loads(found.out)["notes"] if "repeat an earlier" in each]
    again = "gold: bisegments that repeat an earlier one, counted once: 2"
    assert told == [f"{again}, first {gold}: 's3' with 't2'"]
    assert rows(found) == {"hyp": 0.8}


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ((), "units of the gold standard (--hyp-src, --hyp-tgt): 1, first {}"),
        (("src",), "units of the gold standard (--hyp-tgt): 1, first {}"),
        (("src", "tgt"), ""),
    ],
)
def test_positions_that_count_units_of_a_table_are_noted(bitext, write, given, note):
    gold = write("gold.tsv", "One. Two.\tUn. Deux.\nThree.\tTrois.\nFour.\tQuatre.\n")
    hyp = write("hyp.align", "[0]:[0]\n[1]:[1]\n")
    texts = {"src": "One.\nTwo.\nThree.\nFour.\n", "tgt": "Un.\nDeux.\nTrois.\nQuatre.\n"}
    ways = [way for side in given for way in (f"--hyp-{side}", write(f"a.{side}", texts[side]))]
    found = bitext("score", gold, hyp, "-g", "alignment", "--json", "--no-swap-check", *ways)
    told = json.loads(found.out)["notes"]
    assert [each for each in told if "positions taken" in each] == (
        [f"hyp: positions taken as those of {note.format(hyp)}"] if note else []
    )
    beyond = write("beyond.align", "[0]:[0]\n[3]:[3]\n")
    assert "(--hyp-src)" in bitext("score", gold, beyond, "-g", "alignment").err
    same = write("same.align", "[0]:[0]\n[1]:[1]\n")
    assert "positions taken" not in bitext("score", same, hyp, "-g", "alignment").err


@pytest.mark.parametrize("ways", [("e/{name}.txt", "f/{name}.txt"), ("e", "f")])
@pytest.mark.parametrize("name", ["\u00e9t", "e\u0301t", "\u00e9t/a", "e\u0301t/a"])
def test_texts_are_found_by_composed_and_decomposed_names(bitext, write, tmp_path, ways, name):
    write("gold/\u00e9t/a.align" if "/" in name else "gold/\u00e9t.align", LINKS)
    write(f"hyp/{name}.align", LINKS), write(f"e/{name}.txt", "A\n"), write(f"f/{name}.txt", "B\n")
    src, tgt = (tmp_path / way for way in ways)
    files = tmp_path / "gold", tmp_path / "hyp", "--src", src, "--tgt", tgt
    assert rows(bitext("score", *files, "-g", "word", "--json")) == {"hyp": 1.0}


@pytest.mark.parametrize(
    ("beads", "count"),
    [
        ("[0]:[0]\n[1]:[]\n[2]:[1]\n[3]:[2]\n", 1),
        ("[0, 1]:[0]\n[2]:[1]\n[3]:[2]\n", 1),
        ("[0]:[0]\n[1, 2]:[1]\n[3]:[2]\n", 1),
        ("[0]:[0]\n[1, 2, 3]:[1, 2]\n", 0),
        ("[0]:[0]\n[2]:[1]\n[3]:[2]\n", 0),
    ],
)
def test_bisegments_that_differ_in_empty_lines_alone_are_noted(bitext, write, beads, count):
    texts = "--src", write("a", "One.\n\nTwo.\nThree.\n"), "--tgt", write("b", "A.\nB.\nC.\n")
    gold = write("gold.align", "[0]:[0]\n[2]:[1]\n[3]:[2]\n")
    found = bitext("score", gold, write("hyp.align", beads), "-g", "alignment", *texts).err
    note = (
        "hyp: bisegments that differ from those of the gold standard in empty lines alone, which "
    )
    assert (f"{note}count as wrong: {count}, first " in found) == (count > 0)
    assert (note in found) == (count > 0)


@pytest.mark.parametrize(
    ("omitted", "count"),
    [
        ("[]:[1]\n[]:[2]\n", 2),
        ("[]:[1, 2]\n", 0),
        ("[]:[1]\n", 1),
        ("[]:[1]\n[4]:[]\n", 1),
        ("[4]:[1, 2]\n", 0),
    ],
)
@pytest.mark.parametrize("known", [False, True])
def test_omitted_segments_that_are_divided_otherwise_are_noted(
    bitext, write, omitted, count, known
):
    texts = "--src", write("a", "a\nb\nc\nd\ne\n"), "--tgt", write("b", "A\nB\nC\nD\nE\n")
    gold = write("gold.align", "[0]:[0]\n[]:[1, 2]\n[1]:[3]\n[2, 3]:[4]\n[4]:[]\n")
    hyp = write("hyp.align", f"[0]:[0]\n{omitted}[1]:[3]\n[2, 3]:[4]\n")
    found = bitext("score", gold, hyp, "-g", "alignment", *(texts if known else ())).err
    note = "hyp: bisegments with an empty side that the gold standard divides otherwise"
    assert (note in found) == (count > 0)
    assert (f"which count as wrong: {count}, first {hyp}: target [1]" in found) == (count > 0)


def test_a_ladder_that_ends_before_the_other_file_is_noted(bitext, write):
    whole = write("whole.ladder", "0\t0\t1\n1\t1\t1\n2\t3\t1\n3\t4\t1\n")
    short = write("short.ladder", "0\t0\t1\n1\t1\t1\n2\t3\t1\n")
    part = write("part.align", "[0]:[0]\n[1]:[1, 2]\n")
    for files, told in (((whole, short), True), ((short, whole), True), ((whole, part), False)):
        found = notes(bitext("score", *files, "-g", "alignment", "--json"))
        assert ("ends at (2, 3), others at (3, 4)" in found) == told
    texts = ("--src", write("a.txt", "a\n" * 3), "--tgt", write("b.txt", "b\n" * 4))
    found = bitext("score", whole, short, *texts)
    assert (found.status, "short.ladder" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("hyp", "count"),
    [
        ("[0]:[0]\n[1]:[1]\n[2]:[2]\n[3]:[3, 4]\n", 2),
        ("[0]:[0]\n[1]:[1]\n[2]:[]\n[]:[2]\n", 0),
        ("[0]:[0]\n[1]:[1, 2]\n[2]:[1]\n", 0),
    ],
)
def test_bisegments_behind_a_gold_standard_without_texts_are_noted(bitext, write, hyp, count):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n")
    found = notes(bitext("score", gold, write("hyp.align", hyp), "-g", "alignment", "--json"))
    told = f"behind the end of the gold standard, which count as wrong: {count}, first"
    assert (told in found, "behind the end" in found) == (count > 0, count > 0)


def test_remedies_name_the_format_of_one_file(bitext, write):
    gold = write("gold.align", "[0]:[0]\n[1]:[1]\n")
    hyp = write("hyp.csv", ",src_idx,tgt_idx\n0,[0],[0]\n1,[1],[1]\n")
    assert "(--from hyp=id-pairs)" in bitext("score", gold, hyp).err
    result = bitext("score", gold, hyp, "--from", "hyp=id-pairs", "-g", "alignment", "--json")
    assert json.loads(result.out)["rows"][0]["f1"] == 1
    assert "(--gold-from id-pairs)" in bitext("score", hyp, gold).err


def test_files_of_folders_given_one_by_one_are_noted(bitext, write):
    files = [write(f"{name}.align", "[0]:[0]\n") for name in ("g/a", "g/b", "s/a", "s/b")]
    told = "are two systems (or coders): if they are versions of a text, give folders"
    assert told in bitext("score", *files, "-g", "alignment").err
    assert told not in bitext("score", files[0], *files[2:], "-g", "alignment").err
    masses = [write(f"{name}.masses", "2,3\n") for name in ("g/a", "g/b", "s/a", "s/b")]
    assert told in bitext("compare", *masses, "-m", "pk").err


def test_a_gold_standard_in_the_place_of_a_system_is_noted(bitext, write):
    """Precision and recall are exchanged then, and nothing else tells."""
    gold, one, other = (write(f"{name}/a.align", "[0]:[0]\n") for name in ("gold", "one", "s"))
    score, compare = ("score", "-g", "alignment"), ("compare", "-m", "pk")
    told = "is scored as a system, against"
    assert f"note: {gold} {told} {one}: the gold standard" in bitext(*score, one, other, gold).err
    for files in ((gold, one, other), (gold.parent, gold.parent), (one, other)):
        assert told not in bitext(*score, *files).err
    a, ref = (write(name, "2,3\n") for name in ("a.masses", "reference.masses"))
    assert told in bitext(*compare, a, ref).err
    for given in ((ref, a), (a, a, "--ref", ref), (a, ref, "--agreement")):
        assert told not in bitext(*compare, *given).err


def test_a_folder_and_a_file_of_several_documents_have_a_remedy_that_works(bitext, write, tmp_path):
    lines = "".join(f'{{"src": ["0"], "tgt": ["0"], "document": "{name}"}}\n' for name in "ab")
    folder = {write(f"g/{name}.align", "[0]:[0]\n").parent for name in "ab"}.pop()
    one = write("one.jsonl", lines)
    for files, names in (
        ((folder, one), "'a' against 'one'"),
        ((one, folder), "'one' against 'a'"),
    ):
        result = bitext("score", *files, "-g", "alignment")
        assert names in result.err
        assert f"join {folder} in a file of several documents" in result.err
        assert f"join {folder} in a file of several documents" in bitext("diff", *files).err
    assert bitext("convert", folder, tmp_path / "all.jsonl").status == 0
    result = bitext("score", tmp_path / "all.jsonl", one, "-g", "alignment", "--json")
    assert json.loads(result.out)["rows"][0]["f1"] == 1


def test_a_folder_with_the_folders_of_several_systems_is_told(bitext, write, tmp_path):
    write("gold/t1.align", "[0]:[0]\n")
    systems = [write(f"systems/{name}/t1.align", "[0]:[0]\n").parent for name in "ab"]
    for folder in ("ref", "segmenters/c"):
        for name in ("t1", "t2"):
            write(f"{folder}/{name}.txt", "One.\n\nTwo.\n")
    found = bitext("score", tmp_path / "gold", tmp_path / "systems")
    assert found.err.endswith(f"; its folders a, b may be systems: name each, as {systems[0]}\n")
    assert bitext("score", tmp_path / "gold", *systems).status == 0
    found = bitext("compare", tmp_path / "ref", tmp_path / "segmenters")
    assert (found.status, "its folders c may be systems: name each, as" in found.err) == (2, True)


def test_documents_of_xliff_are_paired_with_those_of_other_files_by_their_names(bitext, write):
    texts = {"a": ("One.", "Un."), "b": ("Two.", "Deux.")}
    rows_of = (
        {"src": [0], "tgt": [0], "src_text": src, "tgt_text": tgt, "document": name}
        for name, (src, tgt) in texts.items()
    )
    lines = write("all.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows_of))
    for version in ("xliff12", "xliff2"):
        file, alone = f"{lines}.{version}", f"{lines}.b.{version}"
        ways = ["--to", version, "--src-lang", "en", "--tgt-lang", "fr"]
        assert bitext("convert", lines, file, *ways).status == 0
        for pair in ((lines, file), (file, lines), (file, file)):
            found = bitext("score", *pair, "-g", "word", "--json", "--names", "s", "--per-text")
            figures = {row["text"]: row["f1"] for row in json.loads(found.out)["rows"]}
            assert figures == {None: 1.0, "a": 1.0, "b": 1.0}
        assert bitext("convert", lines, alone, *ways, "--documents", "b").status == 0
        assert rows(bitext("score", lines, alone, "-g", "word", "--json", "--names", "s")) == {
            "s": 1.0
        }


def _joined_xliff(*documents):
    body = "<body><trans-unit id='1'><source>{}.</source><target>{}.</target></trans-unit></body>"
    langs = "source-language='en' target-language='fr' datatype='plaintext'"
    files = (
        f"<file original='{name}' {langs}>{body.format(a, b)}</file>" for name, a, b in documents
    )
    return f"<xliff version='1.2'>{''.join(files)}</xliff>"


def test_documents_of_joined_xliff_with_one_name_are_paired_by_their_order(bitext, write):
    file = write(
        "a.xlf", _joined_xliff(("a", "One", "Un"), ("b", "Two", "Deux"), ("a", "Six", "Six"))
    )
    lines, again = file.with_name("a.jsonl"), file.with_name("again.xlf")
    for out in (lines, again):
        found = bitext("convert", file, out, "--strict")
        assert (found.status, found.err.count("documents of one name, which are numbered: 1")) == (
            0,
            1,
        )
    assert re.findall('original="(.)"', again.read_text("utf-8")) == ["a", "b", "a"]
    for pair in ((file, again), (lines, file)):
        found = bitext("score", *pair, "-g", "word", "--json", "--names", "s", "--per-text")
        figures = {row["text"]: row["f1"] for row in json.loads(found.out)["rows"]}
        assert figures == {None: 1.0, "a": 1.0, "b": 1.0, "a (2)": 1.0}


@pytest.mark.parametrize(
    ("names", "numbered"),
    [
        (("a", "b", "a", "a"), ["a", "b", "a (2)", "a (3)"]),
        (("a (2)", "a", "a", "b"), ["a (2)", "a", "a (3)", "b"]),
        (("a", "a", "a (2)"), ["a", "a (2)", "a (2) (2)"]),
    ],
)
def test_each_document_of_joined_xliff_has_a_name_of_its_own(bitext, write, names, numbered):
    texts = zip(names, ("One", "Two", "Six", "Ten"), ("Un", "Deux", "Six", "Dix"), strict=False)
    file = write("a.xlf", _joined_xliff(*texts))
    found = bitext("score", file, file, "-g", "word", "--json", "--names", "s", "--per-text")
    figures = {row["text"]: row["f1"] for row in json.loads(found.out)["rows"]}
    assert figures == {None: 1.0, **dict.fromkeys(numbered, 1.0)}


def test_a_file_with_two_documents_of_one_name_is_refused(bitext, write):
    documents = ("a", [0]), ("b", [0]), ("a", [1])
    row = ({"src": place, "tgt": place, "document": name} for name, place in documents)
    again = write("again.jsonl", "".join(f"{json.dumps(each)}\n" for each in row))
    once = write("once.jsonl", '{"src": [0], "tgt": [0], "document": "a"}\n')
    for pair in ((again, again), (once, again), (again, once)):
        found = bitext("score", *pair)
        told = f"{again}: holds several document pairs, and 'a' is the name of two"
        assert (found.status, told in found.err) == (2, True)


def test_documents_of_one_name_that_are_not_paired_are_left_out(bitext, write):
    row = '{{"src": [0], "tgt": [0], "document": "{}"}}\n'
    some = write("some.jsonl", "".join(map(row.format, "ac")))
    more = write("more.jsonl", "".join(map(row.format, "abcb")))
    for pair in ((some, more), (more, some)):
        found = bitext("score", *pair, "--missing", "leave", "--names", "s", "--json")
        assert {row["text"]: row["f1"] for row in json.loads(found.out)["rows"]} == {
            None: 1.0,
            "a": 1.0,
            "c": 1.0,
        }
        assert "left out" in found.err
