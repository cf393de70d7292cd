"""`bitext link`: the words of translated sentences, from any file with texts."""

from __future__ import annotations

import json
import os
import re
import threading
from pathlib import Path

import pytest

from bitext import read

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SRC = ["the house", "the big house", "a house", "the big tree", "a tree ."] * 3
TGT = ["la maison", "la grande maison", "une maison", "le grand arbre", "un arbre ."] * 3
LINKS = ["0-0 1-1", "0-0 1-1 2-2", "0-0 1-1", "0-0 1-1 2-2", "0-0 1-1 2-2"] * 3
RUNNING = ["The house, a tree.", "A house.", "The tree, the house."] * 4
AUTRES = ["La maison, un arbre.", "Une maison.", "L'arbre, la maison."] * 4


def lines(rows):
    return "".join(f"{row}\n" for row in rows)


@pytest.fixture
def tokens(write):
    return write("t.txt", lines(f"{s} ||| {t}" for s, t in zip(SRC, TGT, strict=True)))


def test_each_pair_has_a_line_of_links_on_standard_output(bitext, tokens):
    done = bitext("link", tokens)
    assert (done.status, done.out.splitlines()) == (0, LINKS)
    assert done.lines()[0].startswith("note: 39 links in 15 pairs; words without a link: 0.0% of")
    assert len(done.lines()) == 1
    assert bitext("link", tokens, "-q").err == ""


def test_standard_input_is_linked(bitext, tokens, monkeypatch):
    with tokens.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": stream})())
        assert bitext("link", "-").out.splitlines() == LINKS


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
@pytest.mark.parametrize("name", ["-", "pipe"])
def test_one_of_two_texts_may_come_through_a_pipe(bitext, write, monkeypatch, tmp_path, name):
    src, tgt = write("a.en", lines(SRC)), write("a.fr", lines(TGT))
    if name == "pipe":
        name = str(tmp_path / name)
        os.mkfifo(name)
        threading.Thread(target=Path(name).write_bytes, args=(src.read_bytes(),)).start()
    with src.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": stream})())
        assert bitext("link", name, tgt).out.splitlines() == LINKS


@pytest.mark.parametrize("name", ["out.tsv", "out.jsonl", "out.tmx", "out.a3", "out.naacl"])
def test_formats_with_word_links_have_them(bitext, tokens, tmp_path, name):
    languages = ["--src-lang", "en", "--tgt-lang", "fr"]
    assert bitext("link", tokens, "-o", tmp_path / name, *languages).status == 0
    assert [each.spell() for each in read(tmp_path / name).alignment.word_links()] == [
        [line] for line in LINKS
    ]


def test_scores_are_written_where_they_are_asked_for_only(bitext, tokens, tmp_path):
    out = bitext("link", tokens, "--scores", "--min-score", "0.5").out.split()
    assert out
    assert all(0.5 <= float(item.partition(":")[2]) <= 1 for item in out)
    assert bitext("link", tokens, "--scores", "-o", tmp_path / "x.a3").status == 2


def test_links_of_one_direction_and_symmetrised_ones(bitext, tokens, tmp_path):
    found = {
        name: bitext("link", tokens, "--symmetrise", name, "-q").out.splitlines()
        for name in ("product", "forward", "backward", "union", "grow-diag-final-and")
    }
    assert found["product"] == LINKS
    for way in ("forward", "backward"):
        (tmp_path / f"{way}.talp").write_text(lines(found[way]))
    both = [tmp_path / "forward.talp", tmp_path / "backward.talp", "-", "--to", "pharaoh", "-q"]
    both += ["--reverse", "source-target"]
    for name in ("union", "grow-diag-final-and"):
        combined = bitext("convert", *both, "--symmetrise", name).out.splitlines()
        assert found[name] == combined
    refused = bitext("link", tokens, "--symmetrise", "grow-dig")
    assert refused.status == 2
    assert "--symmetrise: there is no way to symmetrise called 'grow-dig'; did you" in refused.err


def test_a_bisegment_of_several_segments_is_one_pair_and_an_empty_side_has_no_links(bitext, write):
    texts = [write("a.en", lines(SRC)), write("a.fr", lines(TGT))]
    beads = ["[0, 1]:[0, 1]", "[2]:[]", "[]:[2]"]
    beads += [f"[{k}]:[{k}]" for k in range(3, 15)]
    links = write("a.align", lines(beads))
    out = bitext("link", links, "--src", texts[0], "--tgt", texts[1]).out.splitlines()
    assert len(out) == len(beads)
    assert out[:3] == ["0-0 1-1 2-2 3-3 4-4", "", ""]
    assert out[3:] == LINKS[3:]


def test_lines_without_text_keep_their_lines_of_links(bitext, write, monkeypatch):
    texts = ["", *SRC[:4], "", *SRC[4:], "", ""], ["", *TGT[:4], "", *TGT[4:], "", ""]
    expected = ["", *LINKS[:4], "", *LINKS[4:], "", ""]
    src, tgt = write("v.en", lines(texts[0])), write("v.fr", lines(texts[1]))
    for given in ([src, tgt], [f"{src},{tgt}"]):
        done = bitext("link", *given)
        assert done.out == lines(expected)
        assert "lines without text, written as pairs without links: 4" in done.err
    both = write("v.txt", lines(f"{s} ||| {t}" if s else "" for s, t in zip(*texts, strict=True)))
    assert bitext("link", both).out == lines(expected)
    assert bitext("link", both, "--to", "naacl").out.splitlines()[0] == "0002 1 1 S"
    with both.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": stream})())
        assert bitext("link", "-").out == lines(expected)


def test_two_texts_line_by_line_and_two_that_have_as_many_lines_by_chance(bitext, write):
    done = bitext("link", write("a.en", lines(SRC)), write("a.fr", lines(TGT)))
    assert done.out.splitlines() == LINKS
    assert "line k is read as the translation of line k (--align aligns" in done.err
    orchard = FIXTURES / "orchard"
    texts = orchard / "orchard.en", orchard / "orchard.fr"
    done = bitext("link", *texts)
    assert len(done.out.splitlines()) == 59
    assert "sentences aligned first: 59 beads" in done.err
    assert "(--lines: line k translates line k)" in done.err
    assert len(bitext("link", *texts, "--lines").out.splitlines()) == 61


def test_lines_without_a_translation_count_alike_on_both_sides(bitext, write):
    full, gaps = write("a.en", lines(SRC)), write("a.fr", lines(["", "", "", *TGT[3:]]))
    for texts in ((full, gaps), (gaps, full)):
        assert "sentences aligned first" in bitext("link", *texts).err
        assert "sentences aligned first" not in bitext("link", *texts, "--lines").err


def test_texts_of_other_lengths_are_aligned_unless_lines_are_asked_for(bitext, write):
    texts = write("a.en", lines(SRC)), write("a.fr", lines(TGT[:-1]))
    told = bitext("link", *texts).err
    assert ("sentences aligned first" in told, "--lines" in told) == (True, False)
    done = bitext("link", *texts, "--lines")
    assert (done.status, "has 15 lines" in done.err) == (2, True)


def test_subtitles_documents_and_running_text_are_aligned_first(bitext, write):
    subtitles = [FIXTURES / "subtitles" / f"lock.{lang}.srt" for lang in ("en", "de")]
    done = bitext("link", *subtitles)
    assert "sentences aligned first: 212 beads" in done.err
    assert "--no-times of bitext align" in done.err
    assert "(--lines" not in done.err
    document = FIXTURES / "mill" / "en" / "mill.xml", FIXTURES / "mill" / "fr" / "mill.xml"
    assert "sentences aligned first: 4 beads" in bitext("link", *document).err
    done = bitext("link", *document, "--split", "--to", "xces")
    assert (done.status, len(done.lines())) == (2, 1)
    done = bitext("link", *document, "--lines")
    assert (done.status, "--lines is for plain texts" in done.err) == (2, True)
    texts = write("r.en", " ".join(RUNNING)), write("r.fr", " ".join(AUTRES))
    done = bitext("link", *texts)
    assert len(done.out.splitlines()) == 12
    assert "(--lines: line k translates line k)" in done.err


def test_positions_in_running_text_count_what_blanks_divide(bitext, write):
    texts = write("a.en", lines(RUNNING * 2)), write("a.fr", lines(AUTRES * 2))
    done = bitext("link", *texts)
    assert done.out.splitlines()[:2] == ["0-0 1-1 2-2 3-3", "0-0 1-1"]
    assert "running text: positions count what blanks divide" in done.err


def test_running_text_is_cut_and_written_so_where_it_is_asked_for(bitext, write, tmp_path):
    texts = write("a.en", lines(RUNNING)), write("a.fr", lines(AUTRES))
    assert bitext("link", *texts, "--cut", "-o", tmp_path / "o.jsonl").status == 0
    cut = read(tmp_path / "o.jsonl")
    assert cut.src[0].text == "The house , a tree ."
    assert cut.tgt[2].text == "L' arbre , la maison ."
    assert cut.alignment.word_links()[0].spell() == ["0-0 1-1 2-2 3-3 4-4 5-5"]
    assert "as cut, which pharaoh does not hold" in bitext("link", *texts, "--cut").err


def test_tokens_are_never_cut(bitext, tokens, tmp_path):
    done = bitext("link", tokens, "--cut", "-o", tmp_path / "o.tsv")
    assert "both texts are tokenised: nothing was cut" in done.err
    assert list(read(tmp_path / "o.tsv").tgt.segments()) == TGT


def test_text_without_blanks_is_cut_or_refused(bitext, write, tmp_path):
    texts = write("a.en", "He came.\nI saw him.\n"), write("a.zh", "他来了。\n我看见了他。\n")
    done = bitext("link", *texts)
    assert (done.status, len(done.lines())) == (2, 1)
    assert "a.zh: the target text has no blanks between words" in done.err
    assert "--cut" in done.err
    assert bitext("link", *texts, "--cut", "-o", tmp_path / "o.tsv").status == 0
    assert read(tmp_path / "o.tsv").tgt[0].text == "他 来 了 。"


def test_files_are_learned_from_together_and_written_under_their_names(bitext, tokens, write):
    write("in/one.tsv", lines(f"{s}\t{t}" for s, t in zip(SRC[:2], TGT[:2], strict=True)))
    folder = tokens.parent
    done = bitext("link", tokens, folder / "in", "-o", f"{folder}/out/", "--to", "pharaoh")
    assert done.status == 0
    assert (folder / "out" / "one.pharaoh").read_text().splitlines() == LINKS[:2]
    assert (folder / "out" / "t.pharaoh").read_text().splitlines() == LINKS
    done = bitext("link", tokens, folder / "in", "-o", folder / "x.pharaoh")
    assert (done.status, "2 files are linked" in done.err) == (2, True)
    assert not (folder / "x.pharaoh").exists()


def test_a_lexicon_is_matched_with_tokens(bitext, write):
    file = write("t.txt", "他们 喜欢 音乐 ||| they like music\n")
    wrong = "no pair of its 1 stands in the texts"
    for row, is_told in (("他们\tthey", False), ("我们\twe", True)):
        lexicon = write("l.tsv", f"{row}\t1\t1\t5\n")
        assert (wrong in bitext("link", file, "--lexicon", lexicon).err) == is_told


def test_a_lexicon_has_probabilities_both_ways_and_is_read_again(bitext, tokens, write, tmp_path):
    lexicon = tmp_path / "lexicon.tsv"
    assert bitext("link", tokens, "--save-lexicon", lexicon).status == 0
    rows = [line.split("\t") for line in lexicon.read_text("utf-8").splitlines()]
    assert ["the", "la", "0.666667", "1", "6"] in rows
    assert rows == sorted(rows, key=lambda row: (row[0], -int(row[4]), row[1]))
    texts = write("a.en", lines(SRC)), write("a.fr", lines(TGT))
    for option in ("--lexicon", "--dictionary"):
        done = bitext("align", *texts, option, lexicon, "-o", tmp_path / f"{option}.tsv")
        assert done.status == 0, done.err


def test_a_dictionary_links_words_that_the_sentences_leave_open(bitext, write):
    pair = write("one.txt", "red house big ||| grande maison rouge\n")
    terms = write("d.tsv", "red\trouge\nhouse\tmaison\nbig\tgrande\n")
    assert bitext("link", pair, "--dictionary", terms).out == "0-2 1-1 2-0\n"
    turned = write("t.tsv", lines(f"{t}\t{s}" for s, t in [("red", "rouge")] * 9))
    assert bitext("link", pair, "--dictionary", turned).status == 0
    done = bitext("link", pair, "--lexicon", pair)
    assert (done.status, len(done.lines())) == (2, 1)
    done = bitext("link", pair, "--lexicon", write("l.tsv", "red\trouge\t1\t1\t5\n"))
    assert "0-2" in done.out
    assert bitext("link", pair, "--dictionary", "-").status == 2
    assert bitext("link", pair, "--dictionary", terms, "-o", terms).status == 2


def test_a_folder_that_is_read_is_not_written_into(bitext, write):
    one = write("in/one.tsv", lines(f"{s}\t{t}" for s, t in zip(SRC, TGT, strict=True)))
    for place in ("", "below/"):
        done = bitext("link", one.parent, "-o", f"{one.parent}/{place}", "--to", "pharaoh")
        assert (done.status, len(done.lines())) == (2, 1)
        assert "of which all files are read" in done.err
    assert [path.name for path in one.parent.iterdir()] == ["one.tsv"]


def test_a_phrase_table_has_what_the_links_allow(bitext, tokens, tmp_path):
    done = bitext("link", tokens, "--save-phrases", tmp_path / "phrases")
    rows = (tmp_path / "phrases").read_text("utf-8").splitlines()
    assert "phrases: " in done.err
    assert "the big ||| la grande ||| 1 1 0.5 0.333333 ||| 0-0 1-1 ||| 3 6 3" in rows
    assert rows == sorted(rows)


def test_word_links_of_the_file_are_replaced(bitext, write, tmp_path):
    rows = [{"src_text": s, "tgt_text": t, "words": "0-1"} for s, t in zip(SRC, TGT, strict=True)]
    old = write("old.jsonl", lines(map(json.dumps, rows)))
    done = bitext("link", old, "-o", tmp_path / "new.jsonl")
    assert "word links are replaced: 15" in done.err
    assert read(tmp_path / "new.jsonl").alignment.word_links()[0].spell() == LINKS[:1]


def test_one_pair_the_same_text_and_texts_of_nothing_have_an_answer(bitext, write):
    assert bitext("link", write("one.txt", "hello ||| hello\n")).out == "0-0\n"
    same = write("a.en", lines(SRC))
    assert "both sides of all pairs are the same text" in bitext("link", same, same).err
    done = bitext("link", write("void.en", ""), write("void.fr", "un\n"))
    assert (done.status, done.out) == (0, "\n")
    strange = write("odd.txt", "a b c d ||| v w x y z\ne f g h i ||| p q r s\n")
    assert "most words have no link" in bitext("link", strange).err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--min-score", "0"], "--min-score 0: want a number above 0, up to 1"),
        (["--min-score", "nan"], "--min-score nan"),
        (["--align"], "--align is for two texts"),
        (["--lines", "--align"], "--lines and --align exclude each other"),
        (["-o", "o.align", "--to", "vecalign"], "vecalign holds no word links"),
        (["--cut", "--to", "xces"], "--cut: xces points into texts that are not cut"),
        (["-o", "o/"], "is a folder: name the format of its files"),
        (["--save-lexicon", "-"], "--save-lexicon wants a file of its own"),
        (["--save-lexicon", "t.txt"], "is the same file as"),
        (["-o", "t.txt", "--to", "tsv"], "is the same file as"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(bitext, tokens, monkeypatch, options, message):
    monkeypatch.chdir(tokens.parent)
    before = sorted(tokens.parent.iterdir())
    done = bitext("link", "t.txt", *options)
    assert (done.status, len(done.lines()), done.out) == (2, 1, "")
    assert message in done.err
    assert sorted(tokens.parent.iterdir()) == before


def test_positions_without_texts_cannot_be_linked(bitext):
    done = bitext("link", FIXTURES / "orchard" / "orchard.en-fr.align")
    assert (done.status, len(done.lines())) == (2, 1)
    assert "holds positions and no text" in done.err


def test_a_link_is_explained_and_so_is_a_missing_one(bitext, tokens):
    done = bitext("link", tokens, "--explain", 3, 1, 1, "--explain", 3, 1, 0)
    assert done.status == 0
    linked, missing = done.out.split("\n\npair ")
    assert linked.startswith("pair 3, source word 1 (big), target word 1 (grand): linked, score 0.")
    assert missing.startswith("3, source word 1 (big), target word 0 (le): not linked, score 0.")
    assert "its score is at least 0.3, and at least 0.5 times the best of either word" in linked
    assert "its score is below" in missing
    for part in (
        "grand given big",
        "translation, by prior alone",
        "no link",
        "big – grand: ",
        "families, big – grand",
        "letters: ",
        "source word after: 2 is linked with target word 2",
        "other target words for big",
    ):
        assert part in linked
    assert "39 links in 15 pairs" in done.err


def test_explanations_as_a_document(bitext, tokens):
    options = ["--explain", 3, 1, 1, "--symmetrise", "forward", "--min-score", 0.2]
    document = json.loads(bitext("link", tokens, *options, "--json").out)
    (row,) = document["rows"]
    assert document["schema"] == "bitext.link-explanation/1"
    assert document["settings"] == {"min_score": 0.2, "symmetrise": "forward"}
    assert (row["pair"], row["src"], row["tgt"], row["linked"]) == (3, 1, 1, True)
    assert row["decision"] == "the most probable source word, with at least 0.2"
    assert 0.2 <= row["forward"]["posterior"] <= 1
    assert row["counts"]["together"] == 3


def test_pairs_to_explain_count_lines_and_go_on_in_the_next_file(bitext, write):
    src, tgt = write("v.en", lines(["", *SRC])), write("v.fr", lines(["", *TGT]))
    out = bitext("link", src, tgt, "--explain", 4, 1, 1).out
    assert out.startswith("pair 4, source word 1 (big), target word 1 (grand): linked")
    assert bitext("link", src, tgt).out.splitlines()[4] == LINKS[3]
    done = bitext("link", src, tgt, "--explain", 0, 0, 0)
    assert (done.status, done.out) == (2, "")
    assert "--explain 0: line 0 (from 0) has no text" in done.err
    first = write("one.txt", lines(f"{s} ||| {t}" for s, t in zip(SRC[:3], TGT[:3], strict=True)))
    rest = write("two.txt", lines(f"{s} ||| {t}" for s, t in zip(SRC[3:], TGT[3:], strict=True)))
    out = bitext("link", first, rest, "--explain", 3, 1, 1).out
    assert out.startswith("pair 3 of two, source word 1 (big), target word 1 (grand): linked")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--explain", 15, 0, 0], "--explain 15: there are pairs 0 to 14"),
        (["--explain", 3, 3, 0], "--explain 3 3 0: the pair has source words 0 to 2"),
        (["--explain", 3, 0, 9], "--explain 3 0 9: the pair has target words 0 to 2"),
        (["--explain", 3, -1, 0], "'-1' is not a whole number from 0"),
        (["--explain", 3, 1], "expected 3 arguments"),
        (["--explain", 3, 1, 1, "-o", "x.pharaoh"], "--explain prints, and -o is for links"),
        (["--explain", 3, 1, 1, "--scores"], "--explain prints, and --scores is for links"),
        (["--json", "--to", "tsv"], "--json prints all figures of each link, and --to is for a"),
    ],
)
def test_options_and_words_that_do_not_fit_are_refused(bitext, tokens, options, message):
    done = bitext("link", tokens, *options)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert len(done.lines()) == 1


def test_the_document_has_the_words_and_links_of_each_pair(bitext, tokens):
    done = bitext("link", tokens, "--json", "--symmetrise", "grow-diag")
    document = json.loads(done.out)
    assert document["schema"] == "bitext.link/1"
    assert document["settings"] == {
        "min_score": 0.3,
        "symmetrise": "grow-diag",
        "cut": False,
        "dictionary": [],
        "lexicon": None,
        "vectors": [],
        "encoder": None,
        "layer": None,
        "extract": None,
    }
    rows, totals = document["rows"], document["totals"]
    assert [row["pair"] for row in rows] == list(range(15))
    assert [" ".join(row["src"]) for row in rows] == SRC
    assert [" ".join(row["tgt"]) for row in rows] == TGT
    plain = bitext("link", tokens, "-q", "--symmetrise", "grow-diag", "--scores").out.splitlines()
    for row, line in zip(rows, plain, strict=True):
        links = row["links"]
        assert " ".join(f"{each['src']}-{each['tgt']}:{each['score']}" for each in links) == line
        for each in links:
            mean = (each["forward"] * each["backward"]) ** 0.5
            assert each["score"] == pytest.approx(mean, abs=2e-4)
    assert totals["links"] == sum(len(row["links"]) for row in rows)
    assert (totals["pairs"], totals["src_words"]) == (15, sum(len(s.split()) for s in SRC))
    assert f"note: {document['notes'][0]}" in done.err
    assert document["texts"][0]["pairs"] == 15


def test_the_document_beside_files_names_them(bitext, tokens, tmp_path):
    out = tmp_path / "links.pharaoh"
    document = json.loads(bitext("link", tokens, "-o", out, "--json").out)
    assert out.read_text().splitlines() == LINKS
    assert document["outputs"] == [str(out)]
    assert "rows" not in document
    several = json.loads(bitext("link", tokens, tokens, "--json").out)
    assert len(several["texts"]) == 2
    assert len(several["rows"]) == 30


def test_the_document_counts_lines_without_text(bitext, write):
    src, tgt = write("v.en", lines(["", *SRC])), write("v.fr", lines(["", *TGT]))
    document = json.loads(bitext("link", src, tgt, "--json").out)
    assert [row["pair"] for row in document["rows"]] == list(range(1, 16))
    assert not any("written as pairs" in note for note in document["notes"])


def test_a_page_has_the_links_the_lexicon_and_the_notes(bitext, tokens, tmp_path):
    done = bitext("link", tokens, "--html", tmp_path / "page.html")
    assert done.out.splitlines() == LINKS
    html = (tmp_path / "page.html").read_text()
    held = json.loads(
        re.search('<script type="application/json" id="data">(.*?)</script>', html)[1]
    )
    assert [" ".join(pair["src"]) for pair in held["pairs"]] == SRC
    assert all(len(chances) == 3 for pair in held["pairs"] for chances in pair["chances"])
    assert "39 links in 15 pairs" in html
    assert re.search(r"<bdi>house</bdi>.*?<bdi>maison</bdi>.*?1\.0000.*?9", html, re.DOTALL)
    alone = bitext("link", tokens, "--html", "-")
    assert alone.out == html
    assert "39 links in 15 pairs" in alone.err


def test_the_page_is_drawn_by_show_as_well(bitext, tokens, tmp_path):
    bitext("link", tokens, "-o", tmp_path / "links.tsv", "--scores")
    shown = bitext("show", tmp_path / "links.tsv", "--html", "-").out
    held = json.loads(
        re.search('<script type="application/json" id="data">(.*?)</script>', shown)[1]
    )
    assert (held["scored"], len(held["pairs"])) == (True, 15)
    lines_of = bitext("show", tmp_path / "links.tsv", "--pairs", 3).out
    assert lines_of.startswith("bisegment 3: 3 and 3 words, 3 links")
    bitext("link", tokens, "-o", tmp_path / "links.pharaoh")
    src, tgt = tmp_path / "a.en", tmp_path / "a.fr"
    src.write_text(lines(SRC))
    tgt.write_text(lines(TGT))
    positions = bitext(
        "show", tmp_path / "links.pharaoh", "--src", src, "--tgt", tgt, "--html", "-"
    )
    assert '"src":["the","big","tree"]' in positions.out
    assert '"scored"' not in positions.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--html", ""], "--html names no file"),
        (["--html", "-", "--json"], "--html - takes standard output"),
        (["--html", "-", "--scores"], "--html - prints all figures of each link, and --scores"),
        (["--html", "page.html", "-o", "page.html", "--to", "tsv"], "both name page.html"),
        (["--html", "none/page.html"], "there is no folder none"),
        (["--html", "."], "is a directory"),
        (["--html", "p.html", "--explain", 0, 0, 0], "--explain prints, and --html is for links"),
    ],
)
def test_pages_that_cannot_be_are_refused(bitext, tokens, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = bitext("link", tokens, *options)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.txt"]


def test_the_document_has_words_as_they_are_and_null_for_what_is_not_known(bitext, write):
    word = "https://me:secret@mill.example/?token=1"
    rows = [f"a {word}\tb c\t0-0:0.9 1-1", "a\t\t", "\tb\t"]
    file = write("k.tsv", lines(["src\ttgt\twords", *rows]))
    document = json.loads(bitext("link", file, "--keep-links", "--json").out)
    first, second, third = document["rows"]
    assert first["src"] == ["a", word]
    assert [each["score"] for each in first["links"]] == [0.9, None]
    assert (second["src"], second["tgt"], second["links"]) == (["a"], [], [])
    assert (third["src"], third["tgt"], third["links"]) == ([], ["b"], [])
    totals = document["totals"]
    assert (totals["src_words"], totals["src_unlinked"], totals["tgt_unlinked"]) == (3, 1, 1)
    assert document["settings"]["min_score"] is None
    explained = json.loads(bitext("link", file, "--explain", 0, 1, 1, "--json").out)
    assert explained["rows"][0]["src_word"] == word
    done = bitext("link", file, "--explain", 1, 0, 0)
    assert "--explain 1 0 0: the pair has no target word" in done.err


@pytest.mark.parametrize(
    ("option", "name", "told"),
    [
        ("--save-lexicon", "t.csv", "has the name of csv, and is written as TSV: give another"),
        ("--save-lexicon", "t.tbx", "has the name of tbx, and is written as TSV: give another"),
        ("--save-phrases", "t.html", "has the name of a page, and is written as a phrase table"),
        ("--save-terms", "t.xlsx", "has the name of xlsx, and is written as TSV, or TBX by a name"),
    ],
)
def test_tables_do_not_have_the_names_of_other_formats(bitext, write, tmp_path, option, name, told):
    texts = write("a.en", "the house\n"), write("a.fr", "la maison\n")
    made = bitext("link", *texts, "--lines", "-o", tmp_path / "o.tsv", option, tmp_path / name)
    assert (made.status, made.out, (tmp_path / name).exists()) == (2, "", False)
    assert f"{option} {tmp_path / name}: {told}" in made.err
