"""Each kind of bad input gives one line with the place and the remedy, status 2, and no output."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

from formats.document_samples import archive

GOLD = "[0]:[0]\n[1]:[1]\n[2]:[2, 3]\n"


@pytest.fixture
def gold(write):
    return write("gold.align", GOLD)


@pytest.fixture
def refused(bitext, tmp_path):
    """Runs a score that must fail, and checks everything that holds of all of them."""

    def run(*arguments):
        out = tmp_path / "out.json"
        out.write_text("what was there before", encoding="utf-8")
        result = bitext("score", *arguments, "-o", out)
        assert result.status == 2, result.err or result.out
        assert len(result.lines()) == 1, result.err
        assert result.err.startswith("bitext score: ")
        assert result.out == ""
        assert out.read_text(encoding="utf-8") == "what was there before"
        assert not list(tmp_path.glob(".out.json*"))
        return result.err

    return run


def test_a_missing_file(refused, gold):
    assert "gold.xml: no such file; did you mean" in refused(gold.with_suffix(".xml"), gold)


def test_a_missing_folder(refused, gold):
    assert "nor a folder" in refused(gold, gold.parent / "nowhere" / "hyp.align")


def test_an_empty_file(refused, gold, write):
    assert "hyp.align: is empty" in refused(gold, write("hyp.align", ""))


def test_a_file_of_no_format(refused, gold, write):
    told = refused(gold, write("hyp.txt", "Call me Ishmael. Some years ago\n"))
    assert "hyp.txt: is in no format that bitext recognises; name it (--from), one of:" in told


def test_a_document_that_is_no_alignment(refused, gold, write):
    told = refused(gold, write("hyp.zip", b"PK\x03\x04\x14\x00\x00"))
    assert (
        "hyp.zip: is a ZIP archive, as .docx, .odt, .xlsx and .epub are, not an alignment" in told
    )
    told = refused(gold, write("hyp.docx", b"PK\x03\x04\x14\x00\x00"))
    assert "not an alignment: align it with its translation (bitext align), or give" in told


def test_presentations_are_named_wherever_they_are_refused(bitext, refused, gold, write):
    slides = write("a.pptx", archive({"[Content_Types].xml": "", "ppt/x": ""}))
    assert "a.pptx: is a presentation of PowerPoint, not an alignment" in refused(gold, slides)
    other = write("b.txt", "One.\n")
    text = bitext("convert", f"{slides},{other}", slides.with_name("o.tsv"))
    assert "a.pptx: is a presentation of PowerPoint, not text: save its text as" in text.err


def test_a_wrong_format_by_name(refused, gold, write):
    told = refused(gold, write("hyp.txt", "Call me Ishmael.\n"), "--from", "vecalign")
    assert "hyp.txt line 1: is 'Call me Ishmael.'; want brackets of positions" in told


def test_a_format_that_does_not_exist(refused, gold):
    assert "did you mean 'vecalign'?" in refused(gold, gold, "--from", "vecaling")


def test_an_error_on_a_later_line(refused, gold, write):
    hyp = write("hyp.align", "[0]:[0]\n[1]:[1]\n[2:[2]\n")
    assert "hyp.align line 3: is '[2:[2]'" in refused(gold, hyp)


def test_a_segment_twice_on_one_side(refused, gold, write):
    hyp = write("hyp.align", "[0]:[0]\n[1, 1]:[1]\n")
    assert "hyp.align line 2: has the index 1 twice on a side" in refused(gold, hyp)


def test_an_index_beyond_the_text(refused, write, gold):
    src, tgt = write("a.en", "a\nb\nc\n"), write("a.fr", "a\nb\nc\nd\n")
    hyp = write("hyp.align", "[0]:[0]\n[5]:[1]\n")
    told = refused(gold, hyp, "--src", src, "--tgt", tgt)
    assert "hyp.align line 2:" in told
    assert "names source segment 5" in told
    assert "has 3 (0 to 2)" in told
    assert "--src" in told


def test_an_absurd_position_is_refused_before_anything_is_allocated(refused, write, gold):
    src, tgt = write("a.en", "a\nb\nc\n"), write("a.fr", "a\nb\nc\nd\n")
    for content in ("[99999999999]:[]\n", "[0]:[0]\n[1]:[2, 99999999999]\n"):
        hyp, line = write("hyp.align", content), content.count("\n")
        for texts in ((), ("--src", src, "--tgt", tgt)):
            told = refused(gold, hyp, *texts)
            assert f"hyp.align line {line}: has the position 99999999999" in told


def test_texts_shorter_than_the_alignment(refused, write, gold):
    told = refused(gold, gold, "--src", write("a.en", "a\n"), "--tgt", write("a.fr", "a\n"))
    assert "gold.align line 2:" in told
    assert "give the text that was aligned (--src)" in told


def test_texts_much_longer_than_the_gold_alignment(refused, write, gold):
    src, tgt = write("a.en", "a\n" * 9), write("a.fr", "a\nb\nc\nd\n")
    told = refused(gold, gold, "--src", src, "--tgt", tgt)
    assert "aligns nothing after source segment 2, but" in told
    assert "has 9" in told


def test_texts_of_another_length_than_a_ladder(refused, write):
    ladder = write("gold.ladder", "0\t0\n1\t1\n2\t2\n")
    src, tgt = write("a.en", "a\nb\nc\n"), write("a.fr", "a\nb\n")
    told = refused(ladder, ladder, "--src", src, "--tgt", tgt)
    assert "the ladder ends at (2, 2), the texts have 3 and 2: it is cut short" in told


def test_a_system_with_exchanged_sides_is_told_the_option_that_exchanges_them(
    bitext, refused, write
):
    gold, system = write("gold.ladder", "0\t0\n3\t2\n"), write("a.ladder", "0\t0\n2\t3\n")
    texts = ["--src", write("a.en", "a\nb\nc\n"), "--tgt", write("a.fr", "a\nb\n")]
    told = refused(gold, system, *texts)
    assert "exchange --src and --tgt, or the sides of this system (--swap SYSTEM)" in told
    assert bitext("score", gold, system, *texts, "--swap", "a").status == 0


def test_identifiers_that_the_text_lacks(refused, write):
    document = '<text><s id="s1">a</s><s id="s2">b</s></text>'
    write("en.xml", document), write("fr.xml", document)
    head = '<cesAlign><linkGrp fromDoc="en.xml" toDoc="fr.xml">\n'
    gold = write("gold.xml", head + '<link xtargets="s1;s1"/>\n</linkGrp></cesAlign>')
    hyp = write("hyp.xml", head + '<link xtargets="s1;s7"/>\n</linkGrp></cesAlign>')
    told = refused(gold, hyp)
    assert "hyp.xml line 2" in told
    assert "s7" in told
    assert "fr.xml" in told


def test_the_two_sides_swapped_by_position(refused, bitext, write):
    lines = ["[0]:[0, 1]"] + [f"[{k}]:[{k + 1}]" for k in range(1, 40)]
    gold = write("gold.align", "\n".join(lines) + "\n")
    turned = [":".join(reversed(line.split(":"))) for line in lines]
    hyp = write("hyp.align", "\n".join(turned) + "\n")
    told = refused(gold, hyp)
    assert "seem swapped: sentence F1 is 0.0244 as given and 1.0000 exchanged" in told
    assert "--swap hyp" in told
    assert bitext("score", gold, hyp, "--swap", "hyp", "-g", "alignment").out.count("1.0") >= 3
    assert bitext("score", gold, hyp, "--no-swap-check").status == 0
    turned = write("turned.align", hyp.read_text(encoding="utf-8"))
    told = refused(hyp, turned, "--swap", "turned")
    assert "sentence F1 is 0.0244 with --swap and 1.0000 without; leave --swap turned out" in told


def test_the_two_sides_swapped_beyond_the_text(refused, write):
    gold = write("gold.align", "[0]:[0, 1]\n[1]:[2, 3]\n")
    hyp = write("hyp.align", "[0, 1]:[0]\n[2, 3]:[1]\n")
    src, tgt = write("a.en", "a\nb\n"), write("a.fr", "a\nb\nc\nd\n")
    told = refused(gold, hyp, "--src", src, "--tgt", tgt)
    assert "or the sides of this system (--swap SYSTEM)" in told


def test_texts_that_are_not_the_same(refused, write):
    gold = write("gold.tsv", "One fine day in May\tUn beau jour de mai\n")
    hyp = write("hyp.tsv", "Something else entirely\tUn beau jour de mai\n")
    told = refused(gold, hyp)
    assert "the source texts of" in told
    assert "'One fine day in May' in segment 0 against 'Something else entirely'" in told


def test_texts_on_the_wrong_sides(refused, write):
    gold = write("gold.tsv", "One fine day in May\tUn beau jour de mai\n")
    hyp = write("hyp.tsv", "Un beau jour de mai\tOne fine day in May\n")
    assert "are the sides swapped (--swap)?" in refused(gold, hyp)


def test_undecodable_bytes(refused, write, gold):
    src = write("a.en", "a\nb\ncaf\xe9\n".encode("latin-1"))
    tgt = write("a.fr", "a\nb\nc\nd\n")
    told = refused(gold, gold, "--src", src, "--tgt", tgt)
    assert "a.en line 3: byte 4 of the line is 0xe9, which is not utf-8" in told
    assert "--encoding" in told


def test_an_unknown_encoding(refused, gold):
    assert "encoding 'utf-88' is not known" in refused(gold, gold, "--encoding", "utf-88")
    assert "not for text files" in refused(gold, gold, "--encoding", "utf-7")


def test_a_folder_where_a_file_is_wanted(refused, gold, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    told = refused(gold, gold, "--src", folder, "--tgt", folder)
    assert "has no text named 'gold' for --src; a pattern says where they are" in told


def test_alignments_where_a_text_is_wanted(refused, gold, write, tmp_path):
    text = write("a.txt", "a\nb\n")
    for where in (gold, tmp_path):  # the folder has no other file of this name
        told = refused(gold, gold, "--src", text, "--tgt", where)
        assert "gold.align: is a file of alignments (vecalign), where a text is wanted" in told
        assert "name the text (--tgt)" in told


def test_a_folder_without_alignments(refused, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    assert "is empty: name another folder" in refused(folder, folder)


def test_folders_without_a_common_name(refused, write):
    one, two = write("a/one.align", GOLD).parent, write("b/two.align", GOLD).parent
    write("a/three.align", GOLD)
    told = refused(one, two)
    assert "no text of" in told
    assert "'one' against 'two'" in told


def test_two_files_of_one_name(refused, write):
    folder = write("a/one.align", GOLD).parent
    write("a/one.ladder", "0 0\n1 1\n")
    assert "are both named 'one'" in refused(folder, folder)


def test_a_damaged_archive(refused, gold, write):
    assert "hyp.align.gz: is damaged" in refused(
        gold, write("hyp.align.gz", b"\x1f\x8b\x08\x00xxxx")
    )


def test_a_manifest_with_a_row_too_long(refused, gold, write):
    manifest = write("m.tsv", "text\tpath\na\tgold.align\tb\tc\n")
    assert "m.tsv line 2: has 4 columns" in refused(manifest, gold)


def test_a_manifest_with_an_unknown_column(refused, gold, write):
    assert "a column 'sorce'" in refused(write("m.tsv", "text\tpath\tsorce\n"), gold)


def test_a_manifest_with_nothing_in_it(refused, gold, write):
    assert "the manifest names no text" in refused(write("m.tsv", "text\tpath\n"), gold)


def test_standard_input_twice(refused):
    assert "standard input (-) can be one alignment only" in refused("-", "-")


def test_options_that_cannot_be(refused, gold):
    assert "--confidence" in refused(gold, gold, "--confidence", "much")
    assert "between 0 and 1" in refused(gold, gold, "--confidence", "95")
    assert "want 0 (none) or more" in refused(gold, gold, "--resamples", "-1")
    assert "want 0 or more" in refused(gold, gold, "--seed", "-1")
    assert "--root nowhere: no such folder" in refused(gold, gold, "--root", "nowhere")
    assert "want a number" in refused(gold, gold, "--zero-division", "inf")
    assert "a name is empty: name a file" in refused(gold, gold, "--src", "", "--tgt", "")
    assert "--errors is for reading" in refused(gold, gold, "--errors", "3", "--format", "tsv")
    assert "want one of the systems gold" in refused(gold, gold, "--swap", "nobody")
    assert "counter 'spce' is not known; did you mean 'space'?" in refused(
        gold, gold, "--words", "spce"
    )


def test_word_granularity_without_texts(refused, gold):
    told = refused(gold, gold, "-g", "word")
    assert "word granularity needs the source text and the target text" in told
    assert "--src, --tgt" in told


@pytest.mark.parametrize("place", ["nowhere/out.json", "gold.align/out.json"])
def test_an_output_that_cannot_be_written(bitext, gold, place):
    result = bitext("score", gold, gold, "-o", gold.parent / place)
    assert result.status == 2
    (line,) = result.lines()  # before the work: no notes
    assert "there is no folder" in line


def test_an_output_that_is_a_folder(bitext, gold, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    result = bitext("score", gold, gold, "-q", "-o", folder)
    assert result.status == 2
    assert "is a directory; name a file in it" in result.err


@pytest.mark.parametrize(
    "command", [["stats", "{}", "-o"], ["check", "{}", "-o"], ["check", "{}", "--fix"]]
)
def test_an_output_named_as_a_folder_is_no_file(bitext, tmp_path, command):
    (tmp_path / "a.tsv").write_text("src\ttgt\na\tb\n")
    given = [each.replace("{}", str(tmp_path / "a.tsv")) for each in command]
    result = bitext(*given, f"{tmp_path}/out/")
    assert result.status == 2
    assert "out/: is a directory; name a file in it" in result.err
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name != "posix", reason="limits of file size are of POSIX systems")
def test_a_full_disk_leaves_the_old_file(gold, tmp_path):
    out = tmp_path / "out.json"
    out.write_text("what was there before", encoding="utf-8")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = subprocess.run(
        [sys.executable, "-B", "-m", "bitext", "score", gold, gold, "--json", "-q", "-o", out],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "out.json: cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1
    assert out.read_text(encoding="utf-8") == "what was there before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.align", "out.json"]


def test_hostile_text_does_not_steer_the_terminal(bitext, write, gold):
    src = write("a.en", "a\x1b[31m\nb\u202e\nc\u2028\n")
    tgt = write("a.fr", "a\nb\nc\nd\n")
    hyp = write("hyp.align", "[0, 1, 2]:[0, 1, 2, 3]\n")
    arguments = [*("--src", src, "--tgt", tgt), *("--errors", 1, "--format", "table")]
    result = bitext("score", gold, hyp, *arguments)
    assert result.status == 0
    assert "\\u001b[31m" in result.out
    assert "\\u202e" in result.out
    assert not set(result.out) & set("\x1b\u202e\u2028")


def test_a_pattern_with_another_name(refused, gold):
    told = refused(gold, gold, "--src", f"{gold.parent}/{{nme}}.en")
    assert "no such file; a pattern holds {name}" in told


def test_positions_against_a_text_cut_in_its_own_way(refused, write):
    gold = write("gold.align", "[0, 1]:[0]\n[2]:[1]\n")
    hyp = write("hyp.tsv", "One. Two.\tUn, deux.\nThree.\tTrois.\n")
    told = refused(gold, hyp)
    assert "names source segments by position" in told
    assert "give the source text of the gold standard (--src)" in told


def test_an_empty_argument_too_many(bitext):
    """Found by fuzzing."""
    result = bitext("formats", "--json", "")
    assert result.status == 2
    assert result.err.startswith("bitext formats: unrecognized arguments: ;")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gold", "is a directory; name a file in it"),
        ("new/", "is a directory; name a file in it"),
        ("no/such/page.html", "there is no folder no/such; make it"),
    ],
)
def test_a_page_with_no_place_is_refused_before_the_work(bitext, write, monkeypatch, name, told):
    """Found by fuzzing: the result was printed before."""
    text = write("a.txt", "It rained.\nNobody came.\n")
    (text.parent / "gold").mkdir()
    monkeypatch.chdir(text.parent)
    result = bitext("paragraphs", "split", text, "--lang", "en", "--html", name)
    assert (result.status, result.out) == (2, "")
    assert result.lines() == [f"bitext paragraphs: --html {name}: {told}"]


@pytest.mark.parametrize(
    "command",
    [
        "convert a.tsv ~/b.jsonl",
        "convert a.tsv ~/b/ --to jsonl",
        "convert ~/a.tsv b.jsonl",
        "align a.tsv -o ~/b/ --to tmx",
        "align a.tsv -o ~/b.tmx",
        "score a.tsv a.tsv -o ~/b.tex",
        "score a.tsv a.tsv --html ~/b/",
        "split 50/50 a.tsv -o ~/b/",
        "cluster a.tsv -o ~/b.json",
    ],
)
def test_the_sign_of_the_home_folder_is_no_folder_to_make(bitext, write, monkeypatch, command):
    """A folder `~` would be deleted with `rm -rf ~`."""
    place = write("a.tsv", "It rained.\tEs regnete.\nIt snowed.\tEs schneite.\n").parent
    monkeypatch.chdir(place)
    result = bitext(*command.split())
    assert result.status == 2
    assert "~ is the home folder only for a shell" in result.lines()[-1]
    assert [each.name for each in place.iterdir()] == ["a.tsv"]


def test_names_of_outputs_that_are_too_long(bitext, write):
    """Found by fuzzing: the system has an error of its own for them."""
    gold = write("gold.align", GOLD)
    for option in ("--html", "-o"):
        result = bitext("score", gold, gold, option, "a" * 300)
        assert (result.status, len(result.lines())) == (2, 1)
        assert "File name too long" in result.err


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "a.jsonl",
            '{"src_text": "a", "tgt_text": "b", "score": %s}\n' % ("9" * 5000),
            "a.jsonl line 1: is JSON beyond all limits: it has a number of more than 4,300 digits",
        ),
        (
            "a.jsonl",
            '{"src_text": "a", "tgt_text": "b", "x": %s}\n' % ("[" * 200_000),
            "a.jsonl line 1: is JSON beyond all limits: it is nested too deeply",
        ),
        (
            "a.tmx",
            f'<tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>{"a" * 10_000_001}</seg>',
            "a text, an attribute or a name is longer than 10,000,000 bytes; correct the file",
        ),
    ],
)
def test_what_a_library_says_of_limits_is_said_in_our_words(bitext, write, name, text, told):
    result = bitext("convert", write(name, text), "-", "--to", "tsv")
    assert (result.status, result.out) == (2, "")
    assert told in result.err


@pytest.mark.parametrize(
    "command",
    [
        "score old.pharaoh old.pharaoh",
        "score old.en,old.fr old.en,old.fr",
        "score old.align old.align",
        "convert old.tsv -o out.jsonl",
        "convert old.en,old.fr out.tmx",
        "convert new.align out.tmx --src old.en --tgt old.fr",
        "align old.en old.fr",
        "link old.en,old.fr",
        "cluster old.en",
        "compare old.en old.fr",
        "paragraphs split old.en",
    ],
)
def test_lines_that_end_with_carriage_returns_alone(bitext, write, tmp_path, monkeypatch, command):
    """Such a file would be one line: one pair of sentences, one bead, one sentence."""
    write("new.align", GOLD)
    for name, text in {
        "old.pharaoh": "0-0 1-1\n0-1 1-0\n",
        "old.align": GOLD,
        "old.tsv": "Fog fell.\tLa brume tomba.\nIt rained.\tIl plut.\n",
        "old.en": "Fog fell.\nIt rained.\nWe slept.\n",
        "old.fr": "La brume tomba.\nIl plut.\nOn dormit.\n",
    }.items():
        write(name, text.replace("\n", "\r"))
    monkeypatch.chdir(tmp_path)
    result = bitext(*command.split())
    assert result.status == 2
    assert "has carriage returns (CR) alone where lines end; want LF" in result.err
