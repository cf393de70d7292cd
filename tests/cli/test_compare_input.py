"""What `bitext compare` makes of files that are not what they seem."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bitext import Segmentation
from bitext.errors import FormatError, InputError
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.segmentations import read_segmentations

REF, HYP = "5,5,1,3\n2,2\n", "5,6,3\n1,3\n"


@pytest.fixture
def compare(bitext, write):
    """Compares files of these contents: r, h and what more there is, by their names."""

    def run(*options, **contents):
        paths = [write(name.replace("_", "."), content) for name, content in contents.items()]
        return bitext("compare", *paths, "--json", "--resamples", 0, *options)

    return run


def refused(result, *messages):
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    for message in messages:
        assert message in result.err


@pytest.mark.skipif(os.name != "posix", reason="closes streams in a shell")
@pytest.mark.parametrize(
    ("arguments", "closed", "told"),
    [
        ('"$0" "$1"', ">&-", "standard output is closed"),
        ('"$0" "$1" --json', ">&-", "standard output is closed"),
        ('"$0" -', "<&-", "standard input is closed"),
    ],
)
def test_closed_streams_are_told(write, arguments, closed, told):
    paths = [write("r.m", REF), write("h.m", HYP)]
    command = f"{sys.executable} -m bitext compare {arguments} --resamples 0 {closed}"
    done = subprocess.run(
        ["/bin/sh", "-c", command, *paths], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bitext compare: {told}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[[5,5,1,3],\n[2,2,1]]\n", "h.m line 2: text '2' has 5 units"),
        ('[{"id": "a", "masses": [5]}]', "no text of "),
        (" [\n[5]]\n", "no text of "),
        ('["a"]\n', "h.m: has arrays of strings, as 'a'"),
        ("[5]\n{}", "h.m: begins as a value of JSON, and others follow; want JSON lines"),
    ],
)
def test_arrays_are_no_text(compare, content, told):
    refused(compare(r_m=REF, h_m=content), told)


def test_a_text_may_begin_with_a_bracket(write):
    found = read_segmentations(write("t", "[Music]\n\nHello.\n"))
    assert list(found.values()) == [Segmentation([1, 1])]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_json_lines_of_two_bytes_a_sign(write, encoding):
    path = write("t", '\ufeff{"id": "é", "masses": [5, 3]}\n'.encode(encoding))
    assert dict(read_segmentations(path)) == {"é": Segmentation([5, 3])}
    path = write("t", '{"id": "é", "masses": [5, 3]}\n'.encode(encoding))
    assert dict(read_segmentations(path, encoding=encoding)) == {"é": Segmentation([5, 3])}


@pytest.mark.parametrize("content", [b"\0\1\2\3", "5,5\n".encode("utf-16-le"), b'{\0"\0'])
def test_bytes_that_are_no_text_are_told(compare, content):
    refused(compare(r_m=REF, h_m=content), "h.m: holds NUL bytes", "--encoding")


def test_a_document_is_told_as_such(compare):
    refused(compare(r_m=REF, h_m=b"PK\x03\x04\0\0"), "h.m: is a ZIP archive", "not text")


def test_the_spelling_is_named_where_nothing_can_be_paired(compare):
    found = compare(r_m=REF, br_m="5;5;x\n2,2\n")
    refused(found, "r.m was read as masses, ", "br.m as text, one unit a line: give --from")
    refused(compare(r_m="5,5\n", h_m="5,5,x\n"), "r.m was read as masses, ", "as text")
    given = compare("--from", "masses", "--ref-from", "masses", r_m=REF, h_m="a\t5\nb\t2\n")
    assert "was read as" not in given.err
    # Two files of masses differ in their names only.
    assert "was read as" not in compare(r_m=REF, h_m="a\t5\nb\t2\n").err


@pytest.mark.parametrize("head", ["path\ttext", "text path", "Text\tPath", "src\ttext\tpath"])
def test_a_head_that_is_almost_one_of_a_manifest(compare, head):
    found = compare(r_m=REF, h_tsv=f"{head}\na\tr.m\n")
    refused(found, "h.tsv line 1: is ", "want 'text' and 'path' first")


def test_empty_names_are_no_folder(bitext, write):
    ref, hyp = write("r.m", REF), write("h.m", HYP)
    refused(bitext("compare", "", hyp), "a name is empty")
    refused(bitext("compare", ref, hyp, "--ref", ""), "a name is empty")
    refused(bitext("compare", ref, hyp, "-o", ""), "-o names no file")


def test_a_text_that_the_reference_lacks_is_missing_too(compare):
    texts = {"r_m": "a\t5\nb\t5\n", "h_m": "a\t5\nb\t5\nc\t3\n"}
    found = compare("--missing", "error", **texts)
    refused(found, "r.m: has no segmentation of 'c', which ", "h.m has")
    assert compare(**texts).status == 0


def test_one_text_each_of_different_names_is_noted(compare):
    texts = {"r_m": "a\t5,3\n", "h_m": "b\t4,4\n"}
    found = compare(**texts)
    assert found.status == 0
    assert "texts of different names, taken for one: 1, first 'a' of " in found.err
    refused(compare("--missing", "error", **texts), "h.m: has no segmentation of 'a'")
    unnamed = compare("--missing", "error", r_m="a\t5,3\n", h_m="4,4\n")
    assert (unnamed.status, unnamed.err) == (0, "")


def pair(write, *, references, systems):
    paths = [
        {name: str(write(name, content)) for name, content in side.items()}
        for side in (references, systems)
    ]
    return SegmentPairing(references=paths[0], systems=paths[1]).read()


def test_units_are_checked_where_the_reference_has_none(write):
    one, other = "a\nb\n\nc\n", "a\n\nX\nc\n"
    with pytest.raises(FormatError, match=r"'X' where .*one line 2 has 'b'") as told:
        pair(write, references={"r": "2,1\n"}, systems={"one": one, "two": other})
    assert (told.value.path.endswith("two"), told.value.line) == (True, 3)
    with pytest.raises(FormatError, match="'X' where"):
        pair(write, references={"r": "2,1\n", "one": one}, systems={"two": other})


def test_where_a_text_breaks_off_is_told(write):
    long, short = "a\nb\n\nc\nd\n", "a\n\nb\n"
    with pytest.raises(InputError, match=r"two line 3: .* 2 units, and 4 .*before 'c' .* line 4\)"):
        pair(write, references={"one": long}, systems={"two": short})
    with pytest.raises(InputError, match=r"two line 4: .* 'c' is the first unit more"):
        pair(write, references={"one": short}, systems={"two": long})


def test_texts_that_only_some_have_in_common(write):
    with pytest.raises(InputError, match=r"no text is in all of .*P1, .*P2, .*P3; "):
        pair(
            write,
            references={"P1": "a\t5\nb\t5\n"},
            systems={"P2": "a\t5\nc\t5\n", "P3": "b\t5\nc\t5\n"},
        )


def test_files_of_a_folder_that_hold_no_text_are_told(bitext, write, tmp_path):
    for name, content in {"a": "5,3\n", "b": "2,2\n", "c": "3,3\n"}.items():
        write(f"ref/{name}.m", content)
    write("hyp/a.m", "5,3\n")
    write("hyp/b.m", "")
    write("hyp/c.m", b"\0\1")
    write("hyp/d.m", "")
    arguments = ["compare", tmp_path / "ref", tmp_path / "hyp", "--json", "--resamples", 0]
    found = bitext(*arguments)
    assert found.status == 0
    (told,) = (line for line in found.lines() if "not read" in line)
    assert told.endswith(f"not read: 2, first {tmp_path}/hyp/b.m is empty")
    refused(bitext(*arguments, "--missing", "error"), "b.m is empty)")


def test_a_name_of_signs_and_nothing_after_it(compare):
    refused(compare(r_m="100\t\n", h_m="3\n"), "line 1: has the name '100' and no signs")


def test_nothing_is_left_out_of_a_line_with_a_key_twice(compare, write):
    twice = '{"id": "a", "masses": [14], "masses": [7, 7]}\n'
    refused(compare(r_m=twice, h_m="14\n"), 'line 1: has "masses" 2 times')
    for line in (
        '{"n": 2, "bits": "0", "n": 2}',
        '{"id": "a", "id": "b", "masses": [1]}',
        '{"id": 7, "id": "a", "masses": [1]}',
        '{"id": "a", "id": 7, "masses": [1]}',
        '{"masses": [1], "masses": [1]}',
    ):
        with pytest.raises(FormatError, match="2 times; want it once"):
            read_segmentations(write("t", line))
    # The same word as a value, or in an object further in, is no key.
    once = '{"id": "masses", "masses": [2], "more": {"masses": 1, "id": 2}}'
    assert dict(read_segmentations(write("t", once))) == {"masses": Segmentation([2])}


@pytest.mark.parametrize("label", ["true", "1.0", "null", "[1]", '{"a": 1}'])
def test_labels_are_texts_or_whole_numbers(write, label):
    with pytest.raises(FormatError, match="want texts or whole numbers"):
        read_segmentations(write("t", f'{{"labels": [1, {label}]}}'))


def test_blanks_that_do_not_break_are_blanks(write):
    found = read_segmentations(write("t", "5,5,1,3\u00a0\n2\u00a02\n"))
    assert [list(one) for one in found.values()] == [[5, 5, 1, 3], [2, 2]]


@pytest.mark.parametrize("content", ["3\n2\n\n3\n", "1\n0\n\n1\n"])
def test_numbers_with_an_empty_line_may_be_a_text(compare, content):
    refused(compare(r_m=content, h_m="3\n"), "--from text", "could be")


def test_too_many_units_are_told_with_their_line(write):
    most = 2**62
    path = write("t", f'{{"masses": [1]}}\n{{"masses": [5, 5, {most}]}}\n')
    with pytest.raises(FormatError, match=r"have 2\*\*60 units or more, 4\.61e\+18") as told:
        read_segmentations(path)
    assert (told.value.path, told.value.line) == (str(path), 2)
    for name in "abc":
        write(f"folder/{name}", f'{{"masses": [{most // 8}]}}\n')
    with pytest.raises(InputError, match=r"folder: the texts have 2\*\*60 units"):
        read_segmentations(path.parent / "folder")


def figures(result):
    assert result.status == 0, result.err
    rows = json.loads(result.out)["rows"]
    return {row["metric"]: row["value"] for row in rows if row["average"] == "micro"}


def test_labels_of_two_coders_are_compared_as_what_they_are(compare):
    a, b = ("\n".join(labels) + "\n" for labels in ("BIIBIBII", "BIBIIBII"))
    found = compare("-m", "pk,boundary-similarity", a_labels=a, b_labels=b)
    assert figures(found) == {"pk": pytest.approx(1 / 3), "boundary-similarity": 0.75}
    assert "taken as BIO labels (as runs of equal labels: --from labels)" in found.err


def test_signs_that_begin_segments_are_asked_for(compare):
    texts = {"g_bits": "10010\n1000100\n1010\n", "h_bits": "10010\n1001000\n1001\n"}
    refused(compare(**texts), "g.bits: has signs that could be bits", "or --from begin-bits")
    found = figures(compare("-m", "boundary", "--from", "begin-bits", **texts))
    assert list(found.values()) == [pytest.approx(1 / 3)] * 3


def test_two_coders_in_a_column_do_not_agree(compare):
    lines = "We met.\t{}\nIt was.\t{}\nThen.\t{}\nNo.\t{}\n"
    texts = {"a_txt": lines.format(*"BIBI"), "b_txt": lines.format(*"BBII")}
    for options in ([], ["--from", "bio"], ["--column", "2"], ["--from", "bio", "--column", "2"]):
        assert figures(compare("-m", "boundary", *options, **texts))["boundary.f1"] == 0.0
    runs = compare("-m", "boundary", "--from", "labels", **texts)
    assert "taken as runs of equal labels (BIO: --from bio)" in runs.err
    texts["b_txt"] = texts["b_txt"].replace("Then.", "Later.")
    refused(compare(**texts), "b.txt line 3: has the unit 'Later.' where", "a.txt line 3 has")


def test_each_side_may_have_its_own_spelling_beside_a_column(compare):
    texts = {"r_m": "2,2\n", "h_tsv": "We met.\tI\nIt was.\tI\nThen.\tB\nNo.\tI\n"}
    found = compare("-m", "boundary", "--column", 2, "--ref-from", "masses", **texts)
    assert figures(found)["boundary.f1"] == 1.0


def test_words_within_lines_are_no_boundaries_of_lines(compare):
    texts = {"g": "hello\nhello\nh ello\n", "s": "hello\nhe llo\nhell o\n"}
    told = "differ in blanks: want texts with separators, or --any-units, or --units characters"
    refused(compare(**texts), "s line 2: has no separator and 'he llo' where", told)
    found = compare("-m", "boundary", "--units", "characters", **texts)
    assert figures(found) == {f"boundary.{name}": 0.0 for name in ("precision", "recall", "f1")}
    (row,) = (
        row
        for row in json.loads(found.out)["rows"]
        if row["average"] == "micro" and row["metric"] == "boundary.recall"
    )
    assert (row["numerator"], row["denominator"]) == (0, 1)
    assert "units:characters" in row["signature"]
    assert "of which the segments are words (others: --segments paragraphs or lines)" in found.err
    lines = compare("-m", "boundary", "--units", "characters", "--segments", "lines", **texts)
    assert figures(lines)["boundary.f1"] == 1.0
    refused(compare("--units", "words", **texts), "differ in blanks alone", "--units characters")


def test_signatures_name_the_segments_units_and_labels(compare, bitext):
    def signatures(*options, **texts):
        found = json.loads(compare("-m", "boundary,pk", *options, **texts).out)
        agreement = found.get("agreement", {"coefficients": [], "pairs": []})
        rows = [*found["rows"], *agreement["coefficients"], *agreement["pairs"]]
        return {found["signature"]} | {row["signature"] for row in rows}

    texts = {"g": "a b\nc\n\nd e f\n", "s": "a b\n\nc\nd e f\n"}
    coders = ("--agreement", "--with-systems", "--matrix", "pk,cohen-kappa")
    for segments in ("lines", "paragraphs"):
        options = ("--units", "characters", "--segments", segments)
        for each in signatures(*options, *coders, **texts):
            assert f"|units:characters|segments:{segments}|" in f"{each}|"
    for each in signatures("--units", "words", **texts):
        assert "|units:words|segments:paragraphs|" in each
    assert not any("segments:" in each for each in signatures(**texts))
    labels = {"g_labels": "A\nA\nB\nC\n", "s_labels": "A\nB\nB\nC\n"}
    for each in signatures("--labels", "A,B", **labels):
        assert "|labels:A,B|" in each
    talk = Path(__file__).parents[2] / "fixtures/coders/talk.TextGrid"
    steps = bitext("compare", talk, talk, "--ref-coders", "ada", "--time-units", "0.5", "--json")
    assert "|time-units:0.5|" in json.loads(steps.out)["signature"]


def test_words_as_units_and_as_lines_are_refused(compare):
    """A line of a transcript is a word: all its segmentations would be equal."""
    texts = {"g": "a b c\nd e f\n", "s": "a b\nc d e f\n"}
    options = ("--from", "transcript", "--units", "words", "-m", "boundary")
    found = compare(*options, "--segments", "lines", **texts)
    refused(found, "--units words and --segments lines make a segment of each unit")
    assert figures(compare(*options, **texts))["boundary.f1"] == 0
    alone = {"g": "a\n", "s": "a\n"}
    assert compare("--units", "words", "--segments", "lines", "-m", "A", **alone).status == 0


@pytest.mark.parametrize("units", ["characters", "words"])
@pytest.mark.usefixtures("at_hand")
def test_lines_that_are_cut_otherwise_are_compared_over_what_they_share(compare, units):
    texts = {"g": "Dr. Smith came.\nHe sat.\n", "s": "Dr.\nSmith came.\nHe sat.\n"}
    result = compare(**texts)
    refused(result, "s line 1: has the unit 'Dr.'", "or --units characters where lines are cut")
    assert "--any-units" not in result.err  # which would not do: the numbers differ
    found = figures(compare("-m", "boundary", "--units", units, **texts))
    assert (found["boundary.precision"], found["boundary.recall"]) == (0.5, 1.0)
    jobs = figures(compare("-m", "boundary", "--units", units, "--jobs", 2, **texts))
    assert jobs == found


def test_running_text_with_other_paragraphs_is_compared_over_characters(compare):
    texts = {
        "g": "It rained all\nday. We stayed in.\n\nThen it\ncleared.\n",
        "s": "It rained all day.\n\nWe stayed in.\n\nThen it cleared.\n",
    }
    found = figures(compare("-m", "boundary", "--units", "characters", **texts))
    assert (found["boundary.precision"], found["boundary.recall"]) == (0.5, 1.0)


def test_texts_without_a_separator_are_noted_where_others_have_some(compare):
    texts = {
        "g": "It rained.\n\nWe stayed in.\nIt cleared.\n",
        "s": "It rained.\nWe stayed in. It cleared.\n",
    }
    told = "s: texts without a separator, taken as one segment (if each line is a segment, put"
    assert told in compare("-m", "boundary", "--units", "words", **texts).err
    lines = compare("-m", "boundary", "--units", "words", "--segments", "lines", **texts)
    assert "without a separator" not in lines.err


@pytest.mark.parametrize("mark", ["b", "T-B", "boundary"])
def test_a_label_that_begins_segments_has_a_remedy_that_works(compare, mark):
    texts = {
        "r": f"{mark}\ni\ni\n{mark}\ni\ni\ni",
        "h": f"{mark}\ni\ni\ni\n{mark}\ni\ni\n",
    }
    refused(compare(**texts), f"if '{mark}' begins or ends segments, --labels {mark} and --from")
    ways = ("--labels", mark, "--from", "begin-bits", "-m", "boundary(tolerance=1)")
    assert figures(compare(*ways, **texts))["boundary(tolerance=1).f1"] == 1


def test_masses_with_tabs_between_are_noted_or_refused_with_their_remedy(compare):
    told = "lines of two numbers, taken as a name and a mass (masses have commas between)"
    assert told in compare("-m", "boundary", r_masses="2\t4\n3\t3\n", h_masses="2\t4\n3\t3\n").err
    named = "1\t2,3\n2\t3\n"
    assert told not in compare("-m", "boundary", r_masses=named, h_masses=named).err
    several = compare(r_masses="5\t5\t1\n", h_masses="5\t5\t1\n")
    refused(several, "line 1: has several tabs", "masses have commas or blanks between")


def test_files_with_the_characters_of_their_units_are_compared_over_characters(compare):
    options = ("-m", "boundary", "--units", "characters")
    ref = "It rained\nall day.\nWe stayed.\n\nThen it cleared.\n"
    paragraphs = "# doc: r\n1\tIt rained all day.\n1\tWe stayed.\n1\tThen it cleared.\n"
    items = {"units": ["It rained all day.", "We stayed.", "Then it cleared."]}
    labels = "B\tIt rained all day.\nB\tWe stayed.\nB\tThen it cleared.\n"
    typed = json.dumps({**items, "types": [["a"], ["b"]]})
    for hyp in (paragraphs, json.dumps({**items, "masses": [1, 1, 1]}), labels, typed):
        found = compare(*options, r=ref, h=hyp)
        values = figures(found)
        assert (values["boundary.precision"], values["boundary.recall"]) == (0.5, 1.0)
        assert ("types of boundaries left aside" in found.err) == (hyp == typed)
    assert "whose types of boundaries are left aside (kept: --units lines): 2" in (
        compare(*options, r=typed, h=typed).err
    )


def test_units_of_characters_want_texts(compare):
    refused(compare("--units", "words", r_m=REF, h_m=HYP), "r.m was read as masses", "give texts")
    refused(compare("--segments", "lines", r_m=REF, h_m=HYP), "--segments is for --units")
    texts = {"g": "It rained.\n", "s": "It snowed at night.\n"}
    refused(compare("--units", "words", **texts), "s (g) differ: ", "90% must")
    found = compare("--units", "words", "--min-matched", 0.1, "-m", "boundary", **texts)
    assert found.status == 0
    assert "texts that differ from the reference's in more than white space: 1" in found.err


def test_agreement_is_over_texts_that_only_some_coders_have(bitext, write):
    texts = {
        "a": "t1\t2,3\nt2\t1,4\nt3\t2,2,1\nt4\t3,3\n",
        "b": "t1\t1,1,3\nt2\t1,4\nt3\t2,3\n",
        "c": "t2\t1,4\nt3\t2,2,1\nt4\t2,1,3\n",
    }
    a, b, c = (write(name, content) for name, content in texts.items())
    command = ["compare", a, "--ref", b, "--ref", c, "--agreement"]
    found = bitext(*command, "--json")
    told = {
        row["coefficient"]: (round(row["value"], 4), row["texts"])
        for row in json.loads(found.out)["agreement"]["coefficients"]
    }
    assert told["krippendorff-alpha"] == (0.6862, 4)
    assert told["fleiss-kappa"] == (0.7, 4)
    assert "1 text without b: t4\n" in found.err
    observed = json.loads(bitext(*command, "--observed", "B", "--json").out)["agreement"]
    assert [row["texts"] for row in observed["coefficients"]] == [2, 2, 4, 2]
    table = bitext(*command, "--observed", "B", "--format", "table")
    assert "observed  chance  texts" in table.out
    assert table.out.startswith("4 texts, 3 coders (2 of the texts lack some); 95% intervals")
    pairs = {(row["coder"], row["other"]): row["texts"] for row in observed["pairs"]}
    assert pairs == {("a", "b"): 3, ("a", "c"): 3, ("b", "a"): 3, ("b", "c"): 2} | {
        ("c", "a"): 3,
        ("c", "b"): 2,
    }
    write("c", texts["c"].replace("t4\t2,1,3", "t4\t2,1,2"))
    refused(bitext(*command), "text 't4' has 6 units in", "and 5 in", "want segmentations of the")


def test_no_text_needs_all_coders(bitext, write):
    one = write("one", "t1\t2,3\nt2\t1,4\nt9\t3\n")
    two, three = write("two", "t1\t2,3\nt3\t2,2\n"), write("three", "t2\t2,3\nt3\t3,1\n")
    found = bitext(
        "compare", one, two, three, "--agreement", "--observed", "boundaries,B", "--json"
    )
    assert "3 texts lack" not in found.err
    assert "1 text of one coder alone, left out" in found.err
    rows = json.loads(found.out)["agreement"]["coefficients"]
    told = {(row["coefficient"], row["on"]): row for row in rows}
    assert told["multi-kappa", "boundaries"]["texts"] == 3
    assert told["krippendorff-alpha", "boundary-similarity"]["value"] is not None
    lacking = told["fleiss-kappa", "boundary-similarity"]
    assert (lacking["value"], lacking["texts"]) == (None, 0)
    assert lacking["undefined"].startswith("no text has all coders, and by a similarity krippend")
    refused(bitext("compare", one, "--ref", two, three), "no text is in all of")


def test_coders_are_named_where_no_file_is_a_system(bitext, write):
    files = [write(f"{name}.masses", "t1\t2,3\nt2\t1,4\n") for name in "abc"]
    command = ["--names", "anna,ben,cleo", "--agreement", "--json"]
    for given in ([*files], [files[0], "--ref", files[1], "--ref", files[2]]):
        found = json.loads(bitext("compare", *given, *command).out)
        assert found["agreement"]["coders"] == ["anna", "ben", "cleo"]
    refused(bitext("compare", *files[:2], *command), "want 2 different names with commas, one for")
    systems = ["compare", files[0], "--ref", files[1], files[2], "--agreement", "--json"]
    assert json.loads(bitext(*systems, "--names", "ours").out)["systems"] == {"ours": str(files[2])}


def test_units_of_texts_that_some_coders_lack_are_checked(bitext, tmp_path):
    texts = {"a": {"t1": "One.\nTwo.\n"}, "b": {"t1": "One.\nTwo.\n"}, "c": {}}
    texts["b"]["t2"] = "One.\n=====\nTwo.\n"
    texts["c"]["t2"] = "One.\n=====\nToo.\n"
    for coder, named in texts.items():
        (tmp_path / coder).mkdir()
        for name, content in named.items():
            (tmp_path / coder / f"{name}.txt").write_text(content, encoding="utf-8")
    command = ["compare", *(tmp_path / coder for coder in texts), "--agreement"]
    refused(bitext(*command), "has the unit 'Too.' where", "want the same units")
    assert bitext(*command, "--any-units").status == 0


def test_units_that_differ_in_the_composition_of_letters_are_told_so(compare):
    found = compare(r_txt="Caf\u00e9.\n\nTea.\n", h_txt="Cafe\u0301.\n\nTea.\n")
    refused(found, "white space apart, in letters composed alike (one is in NFD")


def test_what_few_texts_are_worth_is_told_of_segmentations(bitext, write):
    lines = [f"{k % 4 + 1},{4 - k % 4}\n" for k in range(20)]
    paths = [write(name, "".join(lines[k:])) for k, name in ((0, "r"), (0, "a"), (15, "b"))]
    few = [write(name, "".join(lines[:5])) for name in ("few", "few.a", "few.b")]
    old = ["--interval", "bootstrap", "--test", "randomisation"]
    found = bitext("compare", *few, "-m", "boundary", *old)
    assert (
        "p cannot fall below 0.0625 with 5 texts (randomisation): no difference gets" in found.err
    )
    assert "bootstrap intervals of 5 texts are too narrow: in made corpora" in found.err
    assert bitext("compare", *few, "-m", "boundary").err == ""
    bootstrap = ["-m", "boundary", "--test", "bootstrap"]
    refused(bitext("compare", *few, *bootstrap), "give 20 or more, or leave --test out")
    assert bitext("compare", *paths[:2], paths[1], *bootstrap, "--names", "a,b").status == 0


def test_metrics_that_leave_types_aside_are_named(compare):
    line = '{{"types": [[], [{}], []]}}\n'
    texts = {"r_jsonl": line.format(1), "h_jsonl": line.format(2)}
    found = compare("-m", "pk,boundary-similarity,alignment-similarity", **texts)
    assert figures(found) == {"pk": 0, "boundary-similarity": 0, "alignment-similarity": 1}
    told = "types of boundaries count nothing for pk, alignment-similarity: see boundary-similarity"
    assert told in found.err
    assert "types of boundaries" not in compare("-m", "boundary-confusion", **texts).err


def test_types_are_left_aside_where_the_boundaries_of_another_file_have_none(compare):
    typed, one = '{"types": [[], ["topic"], [], []]}\n', '{"masses": [5]}\n'
    plain, near = '{"masses": [2, 3]}\n', '{"masses": [3, 2]}\n'
    for first, second in ((typed, plain), (plain, typed)):
        found = compare("-m", "boundary-similarity", r_jsonl=first, h_jsonl=second)
        assert figures(found) == {"boundary-similarity": 1}
        assert "types of boundaries left aside, as others have none: 1, first" in found.err
    found = compare("-m", "boundary-similarity", r_jsonl=typed, h_jsonl=near)
    assert figures(found) == {"boundary-similarity": 0.5}
    assert "left aside" not in compare("-m", "boundary-similarity", r_jsonl=typed, h_jsonl=one).err


def test_names_of_texts_pair_however_their_accents_are_composed(compare, bitext, write):
    name, apart = "caf\u00e9", "cafe\u0301"
    lines = '{{"id": "{}", "masses": [2, 3]}}\n{{"id": "b", "masses": [1, 1]}}\n'
    found = compare("-m", "boundary", r_jsonl=lines.format(name), h_jsonl=lines.format(apart))
    assert {row["text"] for row in json.loads(found.out)["rows"]} == {None, name, "b"}
    assert "lacks" not in found.err
    twice = compare(r_jsonl=lines.format(name) + lines.format(apart), h_jsonl=lines.format(name))
    refused(twice, f"is a second text named {name!r}")
    write(f"ref/{apart}.txt", "a\nb\n\nc\n")
    write("ref/b.txt", "a\n\nb\n")
    manifest = write("h.tsv", f"text\tpath\n{apart}\tref/{apart}.txt\nb\tref/b.txt\n")
    folder = Path(manifest).parent / "ref"
    both = bitext("compare", folder, manifest, "-m", "boundary", "--json", "--resamples", 0)
    assert {row["text"] for row in json.loads(both.out)["rows"]} == {None, name, "b"}


def test_types_that_no_two_files_share_are_noted(compare):
    one, other = '{"types": [[], ["topic"], [1]]}\n', '{"types": [[], ["Topic"], ["1"]]}\n'
    found = compare("-m", "boundary-similarity", r_jsonl=one, h_jsonl=other)
    assert figures(found) == {"boundary-similarity": 0}
    kind = "reference and h: no type of a boundary is in both: 1, first 1, '1'"
    assert kind in found.err
    near = '{"types": [[], ["topic"], ["x"]]}\n'
    assert "is in both" not in compare("-m", "B", r_jsonl=one, h_jsonl=near).err


def test_a_page_holds_the_notes(bitext, write, tmp_path):
    paths = [write(name, "B\nI\nB\nI\n") for name in ("r.labels", "h.labels")]
    page = tmp_path / "page.html"
    assert bitext("compare", *paths, "--html", page).status == 0
    assert "labels as B and I, taken as BIO labels" in page.read_text(encoding="utf-8")


def test_a_file_that_is_compared_with_itself_is_noted(bitext, write):
    path = write("a.masses", REF)
    kind = "note: files compared with themselves: 1"
    for others in ([path], [os.path.relpath(path)], [path, "--agreement"]):
        assert kind in bitext("compare", path, *others, "--resamples", 0).err
    assert kind not in bitext("compare", path, write("b.masses", REF), "--resamples", 0).err


def test_units_that_objects_list_are_shown_and_their_differences_noted(compare):
    def lines(*texts):
        return "".join(
            json.dumps({"sentences": units, "masses": masses}) + "\n" for units, masses in texts
        )

    boundary = ("-m", "boundary")
    one, other = (["Oh.", "No."], [1, 1]), (["So.", "Ah."], [2])
    found = json.loads(
        compare(*boundary, "--errors", 1, r=lines(one, other), h=lines(one, one)).out
    )
    (edit,) = found["edits"][0]["edits"]
    assert (edit["before"], edit["after"]) == ("So.", "Ah.")
    assert found["notes"] == [
        "texts whose units differ between files: 1, first '2': 'So.' and 'Oh.'"
    ]
    assert json.loads(compare(*boundary, r=lines(one), h="Oh.\n\nNo.\n").out)["notes"] == []
    three = compare(*boundary, r=lines(one), h="Oh.\n\nNo.\n", x="Oh.\n\nAh.\n")
    refused(three, "has the unit")


def test_units_that_objects_list_tell_what_bits_say(compare):
    text = '{"tokens": ["a", "b", "c"], "bits": "011"}\n'
    refused(compare(r=text, h=text), 'has 3 units and as many "bits"', "--from end-bits")
    text = text.replace("011", "01")
    assert json.loads(compare("-m", "boundary", r=text, h=text).out)["notes"] == []


def test_characters_of_multiword_tokens_are_those_of_the_text(compare):
    def tokens(*forms):
        rows = (f"{k}\t{form}" + "\t_" * 8 for k, form in forms)
        return "\n".join(rows) + "\n\n"

    ref = tokens(("1-2", "Zum"), (1, "Zu"), (2, "dem"), (3, "Haus.")) + tokens((1, "Ja."))
    options = ("-m", "boundary", "--units", "characters")
    found = json.loads(compare(*options, r_conllu=ref, h="Zum Haus.\n\nJa.\n").out)
    assert [row["value"] for row in found["rows"]] == [1.0] * 9
    assert not any("matched" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.align", "[0]:[0]\n[1]:[1, 2]\n", "vecalign"),
        ("a.ladder", "0\t0\t0.3\n1\t2\t0.4\n", "hunalign-ladder"),
        ("a.tmx", '<?xml version="1.0"?>\n<tmx version="1.4">\n<body/>\n</tmx>\n', "tmx"),
    ],
)
def test_alignments_are_sent_to_score_and_segmentations_to_compare(
    bitext, write, name, content, kind
):
    path = write(name, content)
    hint = f"it looks like an alignment ({kind}): compare alignments with"
    refused(bitext("compare", path, path), f"{hint} 'bitext score'")
    with pytest.raises(FormatError, match=r"with bitext\.evaluate$"):
        read_segmentations(path)
    faulty = write("m.bits", "1 0 2 0\n")
    assert "an alignment" not in bitext("compare", faulty, faulty).err
    rules = write("r.seg", "a.\n==========\nb.\n")
    assert "compare it with 'bitext compare'" in bitext("score", rules, rules).err
