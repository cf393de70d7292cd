"""`bitext link`: labels that links carry over, terms, and links that are kept."""

from pathlib import Path

import pytest

from bitext import read

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "links"

SRC = ["Anna sees the old house .", "The house is old ."]
TGT = ["Anna voit la vieille maison .", "La maison est vieille ."]
LINKS = ["0-0 1-1 2-2 3-3 4-4 5-5", "0-0 1-1p 2-2 3-3 4-4"]
NONE_LOST = "0 cut at a word of others, 0 lost, without a link"
TAGS = ["PROPN VERB DET ADJ NOUN PUNCT", "DET NOUN VERB ADJ PUNCT"]


def lines(rows):
    return "".join(f"{row}\n" for row in rows)


def conllu(sentences, tags):
    """Return CoNLL-U of sentences, with UPOS and names."""
    rows = []
    for n, (sentence, own) in enumerate(zip(sentences, tags, strict=True), 1):
        rows.append(f"# sent_id = s{n}")
        for k, (word, tag) in enumerate(zip(sentence.split(), own.split(), strict=True), 1):
            name = "B-PER" if word == "Anna" else "O"
            rows.append("\t".join((str(k), word, "_", tag, *"_____", f"NER={name}")))
        rows.append("")
    return lines(rows)


@pytest.fixture
def linked(write):
    return write(
        "in.tsv",
        lines(["src\ttgt\twords"])
        + lines("\t".join(row) for row in zip(SRC, TGT, LINKS, strict=True)),
    )


def test_labels_are_carried_over_links_that_the_file_has(bitext, linked, write, tmp_path):
    labels = write("en.conllu", conllu(SRC, TAGS))
    out = tmp_path / "fr.conllu"
    done = bitext(
        "link", linked, "--keep-links", "--project", labels, "--save-projection", out, "--base", 0
    )
    assert done.out.splitlines() == [LINKS[0], LINKS[1].replace("1-1p", "1p1")]
    assert done.lines() == [
        "note: 11 links in 2 pairs; words without a link: 0.0% of the source, 0.0% of the target",
        f"note: {out}: 2 target sentences: 11 of 11 words have the labels of a source word",
        f"note: {out}: 1 span of the source: 1 projected, {NONE_LOST}",
    ]
    assert out.read_text().splitlines()[:5] == [
        "# sent_id = s1",
        "# text = Anna voit la vieille maison .",
        "1\tAnna\t_\tPROPN\t_\t_\t_\t_\t_\tNER=B-PER",
        "2\tvoit\t_\tVERB\t_\t_\t_\t_\t_\tNER=O",
        "3\tla\t_\tDET\t_\t_\t_\t_\t_\tNER=O",
    ]


def test_learned_links_carry_labels_with_their_probabilities(bitext, write, tmp_path):
    src, tgt = write("a.en", lines(SRC * 12)), write("a.fr", lines(TGT * 12))
    labels = write("en.conllu", conllu(SRC * 12, TAGS * 12))
    out = tmp_path / "fr.conllu"
    done = bitext(
        "link", src, tgt, "--lines", "--project", labels, "--save-projection", out, "--scores"
    )
    assert done.status == 0
    rows = [line.split("\t") for line in out.read_text().splitlines() if line[:1].isdigit()]
    assert [row[3] for row in rows[:6]] == TAGS[0].split()
    assert all("Prob=0." in row[9] or "Prob=1" in row[9] for row in rows)
    first = done.out.split()[0].partition(":")[2]
    assert rows[0][9] == f"NER=B-PER|Prob={float(first):.4g}"


def test_running_text_has_labels_of_its_words_and_marks(bitext, write, tmp_path):
    src = write("a.en", lines(["The house, a tree.", "A house.", "The tree, the house."] * 4))
    tgt = write("a.fr", lines(["La maison, un arbre.", "Une maison.", "L'arbre, la maison."] * 4))
    tokens = ["The house , a tree .", "A house .", "The tree , the house ."] * 4
    tags = ["DET NOUN PUNCT DET NOUN PUNCT", "DET NOUN PUNCT", "DET NOUN PUNCT DET NOUN PUNCT"] * 4
    labels = write("en.conllu", conllu(tokens, tags))
    tables = "--project", labels, "--save-projection", tmp_path / "fr.conllu"
    assert bitext("link", src, tgt, "--lines", *tables).status == 0
    text = (tmp_path / "fr.conllu").read_text()
    assert "\tmaison,\t_\tNOUN\t" in text
    assert "\tarbre.\t_\tNOUN\t" in text
    assert bitext("link", src, tgt, "--lines", "--cut", *tables, "--to", "tsv").status == 0
    text = (tmp_path / "fr.conllu").read_text()
    assert "\tmaison\t_\tNOUN\t" in text
    assert "\t,\t_\tPUNCT\t" in text


def test_pairs_of_several_segments_and_segments_in_no_pair(bitext, write, tmp_path):
    src = write("a.en", lines(["Anna waits .", "Nobody comes .", "The house", "is old ."]))
    tgt = write("a.fr", lines(["Anna attend .", "La maison est vieille ."]))
    beads = write("a.align", lines(["[2, 3]:[1]", "[0]:[0]", "[1]:[]"]))
    texts = "--src", src, "--tgt", tgt
    assert bitext("link", beads, *texts, "-o", tmp_path / "l.tsv").status == 0
    sentences = ["Anna waits .", "Nobody comes .", "The house is old ."]
    tags = ["PROPN VERB PUNCT", "PRON VERB PUNCT", "DET NOUN VERB ADJ PUNCT"]
    labels = write("en.conllu", conllu(sentences, tags))
    links = write("l.pharaoh", lines(["0-0", "1-1"]))
    out = tmp_path / "fr.conllu"
    two = write("b.en", lines(["Anna waits .", "The house is old ."]))
    done = bitext(
        "link", links, "--src", two, "--tgt", tgt, "--keep-links", "--base", "0",
        "--project", labels, "--save-projection", out,
    )  # fmt: skip
    assert done.status == 2
    assert "line 7: has a sentence with the word 'Nobody' where source segment 1" in done.err
    assert not out.exists()
    done = bitext("link", beads, *texts, "--project", labels, "--save-projection", out)
    assert done.status == 0
    written = out.read_text().splitlines()
    assert [line for line in written if line.startswith("#")] == [
        "# sent_id = s3",
        "# text = La maison est vieille .",
        "# text = Anna attend .",
    ]


def test_columns_are_written_as_they_are_read(bitext, linked, write, tmp_path):
    rows = [
        f"{word} {tag} {'B-PER' if word == 'Anna' else 'O'}" if word else ""
        for sentence, tags in zip(SRC, TAGS, strict=True)
        for word, tag in [*zip(sentence.split(), tags.split(), strict=True), ("", "")]
    ]
    labels, out = write("en.conll", lines(rows)), tmp_path / "fr.conll"
    command = "link", linked, "--keep-links", "--project", labels, "--save-projection"
    assert bitext(*command, out).status == 0
    assert out.read_text().splitlines()[:3] == ["Anna PROPN B-PER", "voit VERB O", "la DET O"]
    done = bitext(*command, tmp_path / "fr.conllu")
    assert done.status == 2
    assert "has columns, not CoNLL-U: give another name" in done.err


def test_links_that_are_kept_are_filtered_and_stay_possible(bitext, linked, write, tmp_path):
    src, tgt = write("a.en", lines(SRC)), write("a.fr", lines(TGT))
    links = write("a.pharaoh", lines(["0-0:0.9 1-1:0.2", "0-0p"]))
    texts = "--src", src, "--tgt", tgt, "--keep-links"
    assert bitext("link", links, *texts).out.splitlines() == ["0-0 1-1", "0p0"]
    done = bitext("link", links, *texts, "--min-score", "0.5", "-o", tmp_path / "o.tsv")
    assert done.status == 0
    assert read(tmp_path / "o.tsv").alignment.word_links().spell() == ["0-0", "0-0p"]
    lexicon = tmp_path / "lexicon.tsv"
    assert bitext("link", linked, "--keep-links", "--save-lexicon", lexicon).status == 0
    assert "house\tmaison\t1\t1\t2" in lexicon.read_text()


def test_parts_of_speech_over_links_by_hand_are_mostly_those_by_hand(bitext, tmp_path):
    out = tmp_path / "fr.conllu"
    done = bitext(
        "link", FIXTURES / "gold.pharaoh", "--base", "1", "--src", FIXTURES / "gold.en",
        "--tgt", FIXTURES / "gold.fr", "--keep-links", "--project", FIXTURES / "gold.conllu",
        "--save-projection", out,
    )  # fmt: skip
    assert done.status == 0
    text = out.read_text()
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    gold = (FIXTURES / "gold.fr.upos").read_text().split()
    # What differs is grammar: ne, l' and s' have no word of their own in English, tenses differ.
    assert sum(row[3] == tag for row, tag in zip(rows, gold, strict=True)) == 67
    assert len(gold) == 82
    assert "\n6\tMarie\t_\tPROPN\t_\t_\t4\tvocative\t_\tNER=B-PER\n" in text


TERMS = (
    ["the sea bird sings", "a sea bird", "the grey bird", *(f"word{k}" for k in range(12))],
    ["oiseau de mer chante", "un oiseau de mer", "oiseau gris", *(f"mot{k}" for k in range(12))],
    ["1-2 2-0 3-3", "0-0 1-3 2-1", "1-1 2-0", *[""] * 12],
)


def test_terms_are_written_as_tsv_and_tbx_and_are_a_dictionary(bitext, write, tmp_path):
    rows = ["\t".join(row) for row in zip(*TERMS, strict=True)]
    links = write("in.tsv", lines(["src\ttgt\twords", *rows]))
    command = "link", links, "--keep-links", "--save-terms"
    done = bitext(*command, tmp_path / "t.tsv")
    expected = f"note: {tmp_path / 't.tsv'}: 2 pairs of terms, without parts of speech (--project)"
    assert expected in done.lines()
    assert [line.split("\t")[:2] for line in (tmp_path / "t.tsv").read_text().splitlines()] == [
        ["sea bird", "oiseau de mer"],
        ["bird", "oiseau"],
    ]
    done = bitext(*command, tmp_path / "t.tbx", "--src-lang", "en", "--tgt-lang", "fr")
    assert done.status == 0
    base = read(tmp_path / "t.tbx")
    assert list(base.src.segments()) == ["sea bird", "bird"]
    assert list(base.tgt.segments()) == ["oiseau de mer", "oiseau"]
    src, tgt = write("a.en", lines(["bird", "sea bird"])), write("a.fr", lines(["oiseau", "x"]))
    for name in ("t.tsv", "t.tbx"):
        done = bitext("align", src, tgt, "--dictionary", tmp_path / name, "-o", tmp_path / "o.tsv")
        assert done.status == 0
    done = bitext(*command, tmp_path / "u.tbx")
    assert (done.status, done.out) == (2, "")
    assert "TBX names the languages of terms: give them (--src-lang, --tgt-lang)" in done.err


def test_terms_have_a_noun_where_the_source_has_parts_of_speech(bitext, write, tmp_path):
    src = ["the sea bird sings", "a sea bird sings", *(f"word{k}" for k in range(12))]
    tgt = ["l' oiseau de mer chante", "un oiseau de mer chante", *(f"mot{k}" for k in range(12))]
    words = ["0-0 1-3 2-1 3-4"] * 2 + [""] * 12
    rows = ["\t".join(row) for row in zip(src, tgt, words, strict=True)]
    links = write("in.tsv", lines(["src\ttgt\twords", *rows]))
    command = "link", links, "--keep-links", "--save-terms", tmp_path / "t.tsv"
    assert bitext(*command).status == 0
    assert "sea bird sings\t" in (tmp_path / "t.tsv").read_text()
    tags = ["DET NOUN NOUN VERB"] * 2 + ["NOUN"] * 12
    done = bitext(*command, "--project", write("en.conllu", conllu(src, tags)))
    assert f"note: {tmp_path / 't.tsv'}: 1 pair of terms, with nouns of --project" in done.lines()
    assert (tmp_path / "t.tsv").read_text().startswith("sea bird\toiseau de mer\t1\t1\t2\t")
    strange = ["ART N N V"] * 2 + ["N"] * 12
    done = bitext(*command, "--project", write("en.conllu", conllu(src, strange)))
    assert "those of --project are no universal or Penn tags" in done.err


def test_examples_of_terms_are_lines_where_lines_are_pairs(bitext, write, tmp_path):
    src = ["", "grey bird", "", "grey bird", *(f"word{k}" for k in range(12))]
    tgt = ["", "oiseau gris", "", "oiseau gris", *(f"mot{k}" for k in range(12))]
    files = write("a.en", lines(src)), write("a.fr", lines(tgt))
    done = bitext("link", *files, "--lines", "--save-terms", tmp_path / "t.tsv")
    assert done.status == 0
    rows = [line.split("\t") for line in (tmp_path / "t.tsv").read_text().splitlines()]
    assert {row[-1] for row in rows} == {"1 3"}


def test_links_that_are_kept_without_a_probability_are_noted(bitext, write):
    row = "a b\tc d\t"
    some = write("in.tsv", lines(["src\ttgt\twords", f"{row}0-0:0.9 1-1:0.2", f"{row}0-1"]))
    none = write("none.tsv", lines(["src\ttgt\twords", f"{row}0-0 1-1"]))
    kept = "note: links without a probability, which --min-score keeps: "
    for file, out, count in ((some, ["0-0", "0-1"], 1), (none, ["0-0 1-1"], 2)):
        done = bitext("link", file, "--keep-links", "--min-score", "0.5", "--base", 0)
        assert done.out.splitlines() == out
        assert f"{kept}{count}, first {file}" in done.err
        assert kept not in bitext("link", file, "--keep-links", "--base", 0).err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--keep-links", "--cut"], "--keep-links and --cut exclude each other"),
        (["--keep-links", "--lexicon", "l.tsv"], "--keep-links and --lexicon exclude"),
        (["--project", "l.conllu"], "name the file to write, too"),
        (["--save-projection", "o.conllu"], "want the labels of the source text, too"),
        (["--project", "-", "--save-projection", "o"], "only the alignments may be on standard"),
        (["--project", "", "--save-projection", "o"], "--project names no file"),
        (["--project", "l", "--save-projection", "-"], "--save-projection wants a file of its own"),
    ],
)
def test_options_that_do_not_go_together_are_refused(bitext, linked, options, message):
    done = bitext("link", linked, *options)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_files_without_links_and_positions_of_other_texts_are_refused(bitext, write):
    plain = write("p.tsv", lines(["a b\tc d"]))
    done = bitext("link", plain, "--keep-links")
    assert (done.status, done.out) == (2, "")
    assert "p.tsv: has no word links that --keep-links could keep" in done.err
    links = write("q.tsv", lines(["src\ttgt\twords", "a b\tc d\t0-7"]))
    done = bitext("link", links, "--keep-links")
    assert (done.status, done.out) == (2, "")
    assert "target word 7 (from 0)" in done.err


def test_labels_belong_to_one_file_and_are_no_output(bitext, linked, write, tmp_path):
    labels = write("en.conllu", conllu(SRC, TAGS))
    (tmp_path / "out").mkdir()
    project = "--project", labels, "--save-projection"
    done = bitext(
        "link", linked, linked, "-o", tmp_path / "out/", "--to", "pharaoh", *project, "f.conllu"
    )
    assert done.status == 2
    done = bitext("link", linked, *project, labels)
    assert done.status == 2
    assert labels.read_text() == conllu(SRC, TAGS)
