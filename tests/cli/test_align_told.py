"""What strangers do with `bitext align`: wrong files, names and languages; one clear line each."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bitext.formats.registry import INDEX, by_name
from reference.job_tasks import AtHand

ORCHARD = Path(__file__).resolve().parents[2] / "fixtures" / "orchard"
SIDES = [ORCHARD / "orchard.en", ORCHARD / "orchard.de"]
HEAD = "text\tsrc\ttgt"
XLIFF_2 = (
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">'
    '<file id="f"><unit id="u"><segment><source>One.</source></segment></unit></file></xliff>\n'
)
WORD_LINKS = ["giza", "naacl", "pharaoh"]
SUBTITLES = ["srt", "vtt"]


@pytest.fixture
def refused(bitext):
    """Runs the command with arguments that it refuses; gives the one line."""

    def run(*arguments):
        found = bitext("align", *arguments)
        assert (found.status, found.out, len(found.lines())) == (2, "", 1), found.err
        return found.err

    return run


@pytest.fixture
def manifest(write):
    """Writes two texts, and a manifest of these lines."""

    def make(*lines, name="m.tsv"):
        write("t/one.en", "One.\nTwo.\n")
        write("t/one.de", "Eins.\nZwei.\n")
        return write(name, "".join(f"{line}\n" for line in lines))

    return make


def test_running_text_is_told(bitext, write):
    whole = SIDES[0].read_text(encoding="utf-8")
    path = write("run.en", whole.replace("\n", " "))
    found = bitext("align", path, SIDES[1], "--sentences")
    assert found.status == 0
    assert f"{path}: has 1 line of about" in found.err
    remedy = "or --split for both"
    assert remedy in found.err
    assert remedy in bitext("align", path, path, "--sentences").err
    # One line of many sentences is split.
    found = bitext("align", path, SIDES[1])
    assert "running text, split into sentences" in found.err
    assert remedy not in found.err
    longer = write("one.en", f"{'word ' * 10_000}\n{whole}")
    for other in (SIDES[0], longer):
        assert "is it running text" not in bitext("align", other, SIDES[1]).err


def test_lines_that_end_with_carriage_returns_alone_are_refused(refused, write):
    path = write("cr.en", SIDES[0].read_text(encoding="utf-8").replace("\n", "\r"))
    for more in (["--sentences"], []):
        told = refused(path, SIDES[1], *more)
        assert f"{path}: has carriage returns (CR) alone where lines end" in told


@pytest.mark.parametrize("name", WORD_LINKS)
def test_a_format_of_word_links_is_refused_before_the_work(refused, tmp_path, name):
    told = refused(*SIDES, "-o", tmp_path / "out", "--to", name)
    assert f"{name} holds links of words, and sentences are aligned here" in told


def test_every_other_format_holds_alignments(bitext, write):
    src, tgt = write("a.en", "One.\nTwo.\n"), write("a.de", "Eins.\nZwei.\n")
    for name in sorted(INDEX):
        known = by_name(name)
        if known.write is not None and not known.extra and name not in [*WORD_LINKS, *SUBTITLES]:
            out = src.parent / f"out.{name}"
            files = f"{out}.1,{out}.2" if known.two_files else out
            found = bitext("align", src, tgt, "-o", files, "--to", name)
            assert found.status == 0, found.err


@pytest.mark.parametrize("name", SUBTITLES)
def test_subtitles_of_texts_without_times_are_refused(refused, write, name):
    src, tgt = write("a.en", "One.\nTwo.\n"), write("a.de", "Eins.\nZwei.\n")
    told = refused(src, tgt, "-o", src.parent / f"out.{name}")
    assert "a: has no times, and subtitles need some: align subtitles, or choose" in told
    assert not (src.parent / f"out.{name}").exists()


@pytest.mark.parametrize(("name", "documents"), [("tmx", False), ("tei", False), ("xces", True)])
def test_what_xml_forbids_is_refused_before_the_work(refused, bitext, write, name, documents):
    src, tgt = write("a.en", "One.\nTwo \x0c.\n"), write("a.de", "Eins.\nZwei.\n")
    out = src.parent / "out"
    more = ["--write-documents", src.parent / "documents"] if documents else []
    told = refused(src, tgt, "-o", out, "--to", name, *more)
    assert f"{src} sentence 2: has the character U+000C, which XML forbids" in told
    for other in ("jsonl", "xces"):
        assert bitext("align", src, tgt, "-o", out, "--to", other).status == 0


def test_a_file_is_no_folder_for_outputs(refused, write):
    here = write("out", "mine\n")
    for place in (f"{here}/", f"{here}/further/"):
        told = refused(*SIDES, "-o", place, "--to", "tmx")
        assert f"{here} is a file; name another folder" in told
    assert here.read_text(encoding="utf-8") == "mine\n"


def test_a_name_of_another_format_is_told(bitext, tmp_path):
    out = tmp_path / "out.tmx"
    found = bitext("align", *SIDES, "-o", out, "--to", "jsonl")
    assert "is written as jsonl, and its name says tmx" in found.err
    assert "its name says" not in bitext("align", *SIDES, "-o", out, "--to", "tmx").err


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        (("de", "en"), "the other way round: exchange two of them"),
        (("ne", "de"), "its name says en, and --src-lang ne: is it misspelt?"),
        (("english", "de"), "--src-lang english: is not the code of a language"),
        (("en", "de"), ""),
        (("en-GB", "de"), ""),
        (("eng", "deu"), ""),
    ],
)
def test_languages_that_do_not_fit_are_told(bitext, tmp_path, codes, told):
    langs = ["--src-lang", codes[0], "--tgt-lang", codes[1]]
    found = bitext("align", *SIDES, *langs, "-o", tmp_path / "out.tmx")
    assert found.status == 0
    assert told in found.err
    assert bool(told) == ("-lang" in found.err)


@pytest.mark.parametrize("codes", [("zh", "en"), ("en", "zh"), ("zh-Latn", "en"), ("xx", "en")])
def test_texts_in_the_script_of_another_language_are_told(bitext, write, codes):
    chinese = write("a", "".join(f"今天天气很好，我们去公园散步{k}。\n" for k in "一二三四五六"))
    english = write("b", "The weather is fine today, we walk in the park.\n" * 6)
    langs = ["--src-lang", codes[0], "--tgt-lang", codes[1]]
    found = bitext("align", chinese, english, *langs)
    assert found.err.count("has hardly any letters of") == (2 if codes == ("en", "zh") else 0)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("sr", "Млин је стајао целу годину, а нико није долазио у село."),
        ("sr-RS", "Mlin je stajao celu godinu, a niko nije dolazio u selo."),
        ("uz", "Tegirmon butun yil davomida turdi, qishloqqa hech kim kelmadi."),
        ("kk", "Diirmen bir jyl boiy turdy, aýylǵa eshkim kelmedi."),
        ("pa", "چکی سارا سال کھڑی رہی، پنڈ وچ کوئی نہیں آیا۔"),
        ("yo", "الطاحونة كانت واقفة طوال السنة ولم يأت أحد إلى القرية."),
    ],
)
def test_languages_of_several_scripts_are_not_exchanged(bitext, write, code, sentence):
    texts = write("a", f"{sentence}\n" * 6), write("b", "The mill stood still all year.\n" * 6)
    found = bitext("align", *texts, "--src-lang", code, "--tgt-lang", "en")
    assert found.err.count("has hardly any letters of") == (code == "yo")
    assert "are those of" not in found.err


def test_what_is_no_language_is_refused(refused):
    told = refused(*SIDES, "--src-lang", "d e")
    assert "--src-lang 'd e': want the code of a language" in told


@pytest.mark.parametrize(
    "lines",
    [
        ["text\tsource\ttarget", "one\tt/one.en\tt/one.de"],
        ["text,src,tgt", "one,t/one.en,t/one.de"],
        ["Text\tSrc\tTgt", "one\tt/one.en\tt/one.de"],
        ["t/one.en\tt/one.de"],
        ["one\tt/one.en\tt/one.de"],
        ["name\tsrc\ttgt", "one\tt/one.en\tt/one.de"],
        ["src\ttgt", "t/one.en\tt/one.de"],
        ["source,target", "t/one.en,t/one.de"],
        ["# my pairs", "text\tsrc\ttgt", "one\tt/one.en\tt/one.de"],
        ["", "text\tsrc\ttgt", "one\tt/one.en\tt/one.de"],
    ],
)
def test_what_is_meant_as_a_manifest_is_not_read_as_texts(refused, manifest, lines):
    told = refused(manifest(*lines))
    assert "m.tsv line 1: " in told
    assert "a manifest begins with text, src and tgt, with tabs between" in told


@pytest.mark.parametrize(
    "line",
    [
        '{"src": "t/one.en", "tgt": "t/one.de"}',
        '{"name": "one", "source": "t/one.en", "target": "t/one.de"}',
        '{"text": "one", "src": "t/one.en", "tgt": null}',
    ],
)
def test_objects_that_name_files_are_no_alignments(refused, manifest, line):
    told = refused(manifest(line))
    assert 'm.tsv line 1: names files, and is not an object with "text", "src" and "tgt"' in told


def test_objects_of_sentences_and_of_documents_are_no_manifest(bitext, manifest, write):
    manifest("")
    path = write("m.jsonl", '{"src": "One.", "tgt": "Eins.", "document": "t/one.en"}\n')
    assert "One.\tEins." in bitext("align", path).out


def test_sentences_under_a_head_are_no_manifest(bitext, write):
    path = write("m.tsv", "src\ttgt\nOne.\tEins.\n")
    assert "One.\tEins." in bitext("align", path).out


def test_a_manifest_comes_through_standard_input(bitext, manifest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for content, told in (
        (Path(manifest(HEAD, "one\tt/one.en\tt/one.de")).read_text("utf-8"), "One.\tEins."),
        (f"{HEAD}\none\tt/no.en\tt/one.de\n", "standard input line 2: names t/no.en, and there"),
        (f"{HEAD}\n", "standard input: the manifest names no text"),
        (gzip.compress(f"{HEAD}\none\tt/one.en\tt/one.de\n".encode()), "One.\tEins."),
        ("One.\tEins.\nTwo.\tZwei.\n", "One.\tEins."),
    ):
        data = io.BytesIO(content if isinstance(content, bytes) else content.encode())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data))
        found = bitext("align", "-", "-q")
        assert told in found.out + found.err


def test_a_manifest_comes_through_a_slow_pipe(manifest, tmp_path):
    manifest(HEAD)
    called = [sys.executable, "-m", "bitext", "align", "-", "-q"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(called, cwd=tmp_path, **pipes) as running:
        running.stdin.write(b"text\tsr")
        running.stdin.flush()
        time.sleep(0.5)
        running.stdin.write(b"c\ttgt\none\tt/one.en\tt/one.de\n")
        running.stdin.close()
        assert b"One.\tEins." in running.stdout.read()


def test_a_format_is_that_of_a_file_of_alignments(bitext, refused, manifest, tmp_path):
    path = manifest(HEAD, "one\tt/one.en\tt/one.de")
    assert "not known" in refused(path, "--from", "nonsense")
    assert "text\tsrc\ttgt" not in bitext("align", path, "--from", "tsv").err
    langs = ["--src-lang", "en", "--tgt-lang", "de"]
    told = refused(tmp_path / "t", *langs, "--from", "tmx")
    assert "--from is for a file of alignments, and" in told
    assert "one file of alignments" in refused(
        path, "--from", "tsv", "-o", f"{tmp_path}/out/", "--to", "jsonl", "--max-failures", "0"
    )


def test_columns_of_a_manifest_are_in_any_order(bitext, manifest):
    found = bitext("align", manifest("tgt\tsrc\ttext", "t/one.de\tt/one.en\tone"))
    assert "One.\tEins." in found.out


@pytest.mark.parametrize("name", ["/", ".", "a/.."])
def test_what_can_be_no_file_is_no_name_of_a_text(refused, manifest, tmp_path, name):
    path = manifest(HEAD, f"{name}\tt/one.en\tt/one.de")
    told = refused(path, "-o", f"{tmp_path}/out/", "--to", "jsonl")
    assert f"a text is named {name!r}, which cannot be the name of a file" in told
    path = manifest(HEAD, "a,b\tt/one.en\tt/one.de")
    assert "named with a comma between" in refused(path, "-o", f"{tmp_path}/out/", "--to", "moses")
    assert not any(tmp_path.glob("out*"))


def test_two_names_of_one_file_are_both_told(refused, manifest, tmp_path):
    path = manifest(HEAD, *(f"{name}\tt/one.en\tt/one.de" for name in ("one", "../one")))
    told = refused(path, "-o", f"{tmp_path}/out/", "--to", "jsonl")
    assert "two texts are named 'one' and '../one', and both would become" in told


def test_a_folder_is_told_from_nothing(refused, write):
    folder = write("t/one.en", "One.\n").parent
    assert "/nix: no such file" in refused(folder, "/nix")
    told = refused(folder, "--src-lang", "eng", "--tgt-lang", "fr")
    assert "has no file that ends with .eng; its files end with .en: name that language" in told
    folder = write("u/one.txt", "Одна мельница.\n").parent
    langs = folder, "--src-lang", "en", "--tgt-lang", "fr"
    fault = f"{folder}: has no file that ends with .en"
    assert f"{fault}, nor with another language: name the others so (one.en)" in refused(*langs)
    write("u/one.fr.txt", "Un moulin.\n")
    assert f"{fault}, only with .fr: name the others so (one.en)" in refused(*langs)
    row = '{"src": ["0"], "tgt": ["0"], "src_text": "A mill.", "tgt_text": "Un moulin."}\n'
    one = write("v/one.jsonl", row)
    told = refused(one.parent, *langs[1:])
    assert f"{one}: is a file of alignments (jsonl), not a text" in told
    assert "give it alone to align its texts anew" in told
    write("v/README", "This is the corpus of the mills that are at the river, and it is free.\n")
    assert f"{one}: is a file of alignments (jsonl)" in refused(one.parent, *langs[1:])


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are all UTF-8")
def test_a_name_that_is_no_utf_8_is_told_before_the_work(refused, bitext, write, tmp_path):
    sides = [write(f"t\udcff.{lang}", text) for lang, text in (("en", "One.\n"), ("de", "Eins.\n"))]
    told = refused(*sides, "-o", tmp_path / "out.jsonl")
    assert "t\\xff.en: its name is not UTF-8, and jsonl holds the names of texts" in told
    assert bitext("align", *sides, "-o", tmp_path / "out.tmx").status == 0


def test_columns_of_texts_are_still_texts(bitext, write):
    found = bitext("align", write("m.tsv", "One.\tEins.\nTwo.\tZwei.\n"))
    assert (found.status, found.out.count("1-1")) == (0, 2)


def test_a_file_that_a_manifest_names_in_vain_has_its_line(refused, manifest):
    path = manifest(HEAD, "one\tt/one.en\tt/one.de", "two\tt/two.en\tt/one.de")
    told = refused(path)
    assert "m.tsv line 3: names" in told
    assert "t/two.en, and there is no such file" in told
    told = refused(manifest(HEAD, "one\tt/ones.en\tt/one.de"))
    assert "t/one.en? (names are relative to the folder of the manifest)" in told


@pytest.mark.parametrize("journal", [False, True])
def test_a_manifest_is_not_written_over(refused, manifest, journal):
    path = manifest(HEAD, "m\tt/one.en\tt/one.de")
    kept, folder = path.read_text(encoding="utf-8"), f"{path.parent}/"
    more = ["--journal", f"{folder}j"] if journal else []
    for place in (folder,) if journal else (folder, path):
        refused(path, "-o", place, *more, "--to", "tsv")
        assert path.read_text(encoding="utf-8") == kept


def test_gold_of_a_part_is_told_before_the_work(refused, write):
    gold = write("g.align", "[0]:[0]\n[1]:[1]\n")
    out = gold.parent / "out.tmx"
    told = refused(*SIDES, "--gold", gold, "-o", out)
    assert "aligns nothing after source segment 1, but" in told
    assert "name the gold standard of these two texts" in told
    assert not out.exists()


def test_gold_in_no_format_is_told_the_option_for_it(refused):
    told = refused(*SIDES, "--gold", SIDES[0])
    assert "is in no format that bitext recognises; " in told
    assert "name it (--gold-from), one of" in told


def test_gold_of_another_version_is_told_the_option_for_it(refused, write):
    gold = write("g.xlf", XLIFF_2)
    told = refused(*SIDES, "--gold", gold, "--gold-from", "xliff12")
    assert f"{gold} line 1: is XLIFF '2.0', not 1.x" in told
    assert "read it as another format (--gold-from xliff2)" in told


def test_what_is_odd_in_gold_is_told(bitext, write):
    gold = write("g.align", "".join(f"[{k}]:[{k}]\n" for k in range(60) if k != 30))
    found = bitext("align", *SIDES, "--gold", gold)
    assert found.status == 0
    assert "note: gold standard: source segments in no bisegment" in found.err


def test_a_lexicon_of_the_wrong_direction_is_turned(bitext, tmp_path):
    lexicon = tmp_path / "en-de.lexicon"
    bitext("align", *SIDES, "--save-lexicon", lexicon, "-q")
    right = bitext("align", *SIDES, "--lexicon", lexicon)
    wrong = bitext("align", *SIDES[::-1], "--lexicon", lexicon)
    assert "wrong direction" not in right.err
    assert f"{lexicon}: is in the wrong direction, target to source: " in wrong.err
    assert "it is used exchanged" in wrong.err
    there, back = ([line.split("\t")[1] for line in one.out.splitlines()] for one in (right, wrong))
    assert [kind[::-1] for kind in there[1:]] == back[1:]


def test_a_lexicon_of_other_languages_is_told(bitext, write):
    lexicon = write("other.lexicon", "kissa\tchat\t0.5\t0.5\nkoira\tchien\t0.5\t0.5\n")
    found = bitext("align", *SIDES, "--lexicon", lexicon)
    assert f"note: {lexicon}: no pair of its 2 stands in the texts" in found.err


def test_vectors_of_other_texts_are_told(bitext, tmp_path):
    rng = np.random.default_rng(3)
    for path in SIDES:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        np.save(tmp_path / f"{path.suffix[1:]}.npy", rng.normal(size=(lines, 8)))
    vectors = [tmp_path / "en.npy", tmp_path / "de.npy"]
    found = bitext("align", *SIDES, "--vectors", *vectors)
    assert found.status == 0
    assert f"are {vectors[0]} and {vectors[1]} of these texts, by one encoder?" in found.err


def test_the_format_of_two_texts_is_refused(refused):
    assert "--from is for one file of alignments" in refused(*SIDES, "--from", "tmx")


@pytest.mark.skipif(os.name != "posix", reason="a shell that closes streams")
def test_standard_output_that_is_closed(write):
    one, other = write("a.en", "One.\n"), write("a.de", "Eins.\n")
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m bitext align "$1" "$2" >&-', sys.executable, one, other],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "standard output is closed: open it, or name a file" in done.stderr


def test_links_lose_nothing_that_their_texts_have(bitext, write, tmp_path):
    text = '<text><p><s id="s1">One.</s></p><p><s id="s2">Two.</s></p></text>'
    sides = [write(name, f'<?xml version="1.0"?>\n{text}') for name in ("en.xml", "fr.xml")]
    assert "paragraphs" not in bitext("align", *sides, "-o", tmp_path / "out.xces").err
    assert "lost: paragraphs: 4" in bitext("align", *sides, "-o", tmp_path / "out.tmx").err


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.vtt", "WEBVTT\n\n", "is named as subtitles, or begins so, but has no line of times"),
        ("a.srt", "One.\nTwo.\n", "is named as subtitles, or begins so, but has no line of times"),
        ("a.txt", "WEBVTT\n", "is named as subtitles, or begins so, but has no line of times"),
        ("a.ass", "[Script Info]\nTitle: One\n", "is subtitles of SubStation Alpha: make SubRip"),
        (
            "a.sub",
            "{10}{20}One.\n{21}{30}Two.\n",
            "is subtitles of MicroDVD: make SubRip (.srt) of them",
        ),
        (
            "a.lrc",
            "[ti:Song]\n[00:12.00]One.\n[00:17.20]Two.\n",
            "is subtitles of LRC (lyrics): make",
        ),
        ("a.stl", "850STL25.01" + "0" * 40 + "\n", "is subtitles of EBU (STL): make SubRip"),
        (
            "a.txt",
            "[00:01.000 --> 00:02.000]  One.\n[00:02.000 --> 00:03.000]  Two.\n",
            "is subtitles of Whisper (text): make SubRip",
        ),
        ("a.smi", "<SAMI>\n<BODY>\n", "is subtitles of SAMI: make SubRip"),
        (
            "a.ttml",
            '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>',
            "is subtitles of TTML: make SubRip",
        ),
        ("a.sbv", "0:00:01.000,0:00:02.000\nOne.\n", "is subtitles of SubViewer: make SubRip"),
        ("a.sub", "[INFORMATION]\n[TITLE]Film\n", "is subtitles of SubViewer: make SubRip"),
        ("a.txt", "[10][20]One.\n[21][30]/Two|three.\n", "is subtitles of MPL2: make SubRip"),
        ("a.txt", "00:00:01:One.\n00:00:03:Two|three.\n", "is subtitles of TMPlayer: make"),
        (
            "a.txt",
            "00:00:01:00 , 00:00:03:12 , One.\n00:00:04:00 , 00:00:05:00 , Two.\n",
            "is subtitles of Encore or Spruce: make SubRip",
        ),
        ("a.xml", "<text>\n<p>One.</p>\n</text>\n", "is XML without sentences (elements s with an"),
        ("a.ces", '<TEXT>\n<S ID="1">One.</S>\n</TEXT>\n', "has elements in capitals (<S>)"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--split"]])
def test_what_is_plainly_no_text_is_refused(refused, write, name, content, told, options):
    path = write(name, content)
    assert f"{path} line 1: {told}" in refused(path, SIDES[1], *options)


def test_what_looks_like_markup_may_be_sentences(bitext, write):
    for begin in ("<b>One.</b>", "<html> is the root element.", "{1}{2} One.", "<s>One <S x.</s>"):
        path = write("a.txt", f"{begin}\n[Two.]\n{{3}} Three.\n")
        assert bitext("align", path, path, "-q").out.count("\t1-1\t") == 3


def test_running_text_on_both_sides_is_told(bitext, write):
    sides = [
        write(f"run.{k}", side.read_text(encoding="utf-8").replace("\n", " "))
        for k, side in enumerate(SIDES)
    ]
    found = bitext("align", *sides, "--sentences")
    assert "is it running text? One sentence a line is wanted" in found.err
    found = bitext("align", *sides)
    assert "running text, split into sentences (--sentences: each line is one): 2" in found.err
    assert "is it running text" not in found.err
    long = [write(f"long.{k}", f"{'many a word, ' * 60}and an end.\n") for k in (0, 1)]
    assert "is it running text" not in bitext("align", *long).err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Die M\ufffdhle.", "lines with characters that were lost on the way (U+FFFD): 1, first"),
        ("Die M&uuml;hle.", "lines with references of HTML (&uuml;, &apos;), taken as they are"),
        (
            "Die M\\u00fchle.",
            "lines with escapes of programs (\\u00fc), taken as they are: put the",
        ),
        ("Die M\\xfchle.", "lines with escapes of programs"),
        ("Die Mü@@ hle .", "lines of subwords (BPE, SentencePiece), taken as words: join them: 1"),
        ("\u2581Die \u2581Mühle .", "lines of subwords (BPE, SentencePiece), taken as words"),
        (
            "<title>Die Mühle</title>",
            "lines with nothing but an element of markup (<url>...</url>)",
        ),
        ("AT&T; a@@b; 3 @@ 4; C:\\user", ""),
        ("In Python \\u00fc stands for ü, \\x41 for A.", ""),
        ("[\\u0900-\\u0d7f] are letters of India; C:\\xbeta is a folder.", ""),
    ],
)
@pytest.mark.parametrize("options", [[], ["--split"]])
def test_what_programs_made_of_characters_is_told(bitext, write, line, told, options):
    path = write("a.de.txt", f"Er kam.\n{line}\nSie ging.\n")
    found = bitext("align", path, write("b.en.txt", "He came.\nA mill.\nShe went.\n"), *options)
    assert found.status == 0
    assert told in found.err
    assert ("lines with" in found.err or "lines of" in found.err) == bool(told)


@pytest.mark.parametrize("around", ["", '<doc docid="d">\n<p>\n{}</p>\n</doc>\n'])
def test_lines_within_tags_are_told(bitext, write, around):
    lines = '<seg id="1">It rained.</seg>\n<seg id="2">He came.</seg>\n'
    path = write("a.txt", around.format(lines) or lines)
    found = bitext("align", path, write("b.txt", "Es regnete.\nEr kam.\n"))
    assert "lines that seem to be markup: leave it out; taken as sentences: 1" in found.err


def test_a_sentence_between_lines_of_tags_is_read(bitext, write):
    path = write("a.txt", "<p>\nIt rained.\n</p>\nHe came.\nShe left.\nIt was late.\nHe slept.\n")
    other = write("b.txt", "Es regnete.\nEr kam.\nSie ging.\nEs war spät.\nEr schlief.\n")
    for command in (("align", path, other), ("cluster", path), ("paragraphs", "split", path)):
        assert bitext(*command).status == 0


_QUOTED = {
    "strings in quotation marks (as of jq without -r)": (
        '"It rained."\n"He \\"came\\"."\n"She left."\n',
        "b'It rained.'\nb\"He can't.\"\nb'She left.'\n",
        "['It rained.']\n[\"He can't.\"]\n['She left.']\n",
        "[\n" + '"It rained.",\n' * 9 + '"She left."\n]\n',
        '"It rained."\n' * 20,
    ),
    "cells of CSV, quoted where they have a comma": (
        'It rained.\n"First, he came."\n"No, ""never""."\n"So, so."\n',
    ),
    "a number and a comma before each line": (
        ",text\n" + "".join(f"{k},It rained.\n" for k in range(9)),
    ),
    "": (
        'It rained, as I said.\n"First, he came."\n"No, never."\n"So, so."\n',
        '"Yes," he said.\n"No."\n"Why?" she said.\n',
        "'Yes.'\n'No.'\n'Why?'\n",
        '"Yes."\n"No."\n',
        '"How are you?"\n"I am fine."\n"And you?"\n"Fine, thank you."\n',
        'It rained.\n"Yes, it did."\nHe left.\n"Well, well."\n"So, so."\n',
        "1,200,000 came.\n3,500,000 left.\n2,100,000 stayed.\n",
    ),
}


@pytest.mark.parametrize(("told", "text"), [(k, t) for k, each in _QUOTED.items() for t in each])
def test_lines_that_programs_have_quoted_are_told(bitext, write, told, text):
    other = write("b.txt", "Es regnete.\nEr kam.\nSie ging.\n")
    found = bitext("align", write("a.txt", text), other)
    seem = f"lines that seem to be {told}"
    assert (found.status, seem in found.err) == (0, bool(told))


def test_strings_with_their_keys_are_told(bitext, write):
    path = write("a.properties", "menu.open=Open\nmenu.close=Close it\n")
    found = bitext("align", path, write("b.txt", "Auf\nZu\n"))
    assert "lines that seem to be strings with their keys, as the name of the file" in found.err


def test_lines_of_two_texts_are_told(bitext, write):
    both = write("a.txt", "It rained. ||| Es regnete.\nHe came. ||| Er kam.\n")
    found = bitext("align", both, write("b.txt", "Es regnete.\nEr kam.\n"))
    assert found.status == 0
    assert "lines that seem to be two texts with ||| between: give one of them" in found.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("It\nrained\n.\n\nHe\ncame\n.\n", "words with a line each: join those of a sentence"),
        (
            "# text = It\n1\tIt\tit\tPRON\t_\t_\t0\troot\t_\t_\n",
            "words with their columns (CoNLL-U): give the sentences",
        ),
    ],
)
def test_lines_of_single_words_are_told(bitext, write, content, told):
    found = bitext("align", write("a.en", content), write("b.de", "Es regnete.\nEr kam.\n"))
    assert f"lines that seem to be {told}; taken as sentences" in found.err
    names = write("c.en", "Anna\nBen\nCleo\n")
    assert "a line each" not in bitext("align", names, names).err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{k}\t{said}\n", "a number before each line: leave the numbers out"),
        ("post-{k}\t{said}\n", "columns with tabs between: give the one that is text"),
        ("{said} | {said}\n", "columns with a bar between: give the one that is text"),
        ("1:{k} {said}\n", "a number of a verse before each: leave it out"),
        ("1. Mose 1,{k} {said}\n", "a number of a verse before each: leave it out"),
        ("{said}\t0.9\n", "columns with tabs between: give the one that is text"),
        ('{k},"{said}"\n', "cells of a table with commas: give those that are text"),
    ],
)
def test_lines_of_more_than_a_sentence_are_told(bitext, write, line, told):
    said = ["It rained.", "He came home.", "Nobody was there."]
    table = "".join(line.format(k=k, said=each) for k, each in enumerate(said, start=1))
    found = bitext("align", write("a.txt", table), write("b.txt", "Es regnete.\nEr kam.\n"))
    assert found.status == 0
    assert f"lines that seem to be {told}; taken as sentences" in found.err


@pytest.mark.parametrize("text", ["1,000 people came.\n", "1.5 million.\n", "1,000 a\n2,500 b\n"])
def test_numbers_of_sentences_are_no_numbers_of_verses(bitext, write, text):
    found = bitext("align", write("a.txt", text), write("b.txt", text.replace(",", ".")))
    assert (found.status, "number of a verse" in found.err) == (0, False)


def test_a_file_named_as_a_table_is_told(bitext, write):
    table = write("a.csv", '"It rained."\n"He ""came"" home, then."\n')
    found = bitext("align", table, write("b.txt", "Es regnete.\nEr kam.\n"))
    told = "lines that seem to be cells of a table, as the name of the file has it: give those that"
    assert found.status == 0
    assert f"{told} are text; taken as sentences: 1, first {table}" in found.err
    assert f"{told} are text; taken as sentences: 1" in bitext("cluster", table).err
    assert told not in bitext("align", *[write("c.txt", "It rained.\n")] * 2).err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It rained. The road was wet. Nobody came.\n" * 3, "has 3 lines of about"),
        ("The road was wet, and\nthe mill stood\nstill by the\nriver.\n", "seem to be broken, not"),
    ],
)
def test_short_running_text_is_told(bitext, write, text, told):
    sides = write("a.en", text), write("b.en", text)
    found = bitext("align", *sides, "--sentences")
    assert told in found.err
    assert "is it running text?" in found.err
    assert "running text?" not in bitext("align", *sides, "--split").err
    found = bitext("align", *sides)
    is_clear = "broken" in told
    assert ("running text, split into sentences" in found.err) == is_clear
    assert ("is it running text?" in found.err) != is_clear
    lines = write("c.en", "It rained.\nHe said: “Oh! No.”\nthe road was wet\n")
    assert "running text?" not in bitext("align", lines, lines).err


def test_lines_of_two_sentences_on_both_sides_are_noted(bitext, write):
    lines = "Somebody knocked. Nobody came.\n\n" * 3
    sides = write("a.en", lines), write("b.en", lines)
    told = "a: most lines of both texts have several sentences: is it running text? --split"
    assert told in bitext("align", *sides).err
    for options in (["--sentences"], ["--split"]):
        assert "several sentences" not in bitext("align", *sides, *options).err
    other = write("c.en", "Somebody knocked.\n" * 3)
    assert "several sentences" not in bitext("align", sides[0], other).err


GERMAN = (
    "Der alte Mann ging\nans Meer. Er hatte\nviele Tage keinen\nFisch gefangen. Der\n"
    "Junge war traurig.\n"
)
ENGLISH = (
    "The old man went\nto the sea. He had\nnot caught a fish\nfor many days. The\nboy was sad.\n"
)


@pytest.mark.parametrize("turned", [False, True])
def test_the_translation_of_running_text_is_running_text_on_less_evidence(bitext, write, turned):
    """Lines of German go on in capitals, which alone could begin sentences."""
    sides = [write("a.en", ENGLISH), write("a.de", GERMAN)]
    found = bitext("align", *(sides[::-1] if turned else sides), "-o", "-", "--to", "jsonl")
    texts = [json.loads(line) for line in found.out.splitlines()]
    sides = ("tgt_text", "src_text") if turned else ("src_text", "tgt_text")
    assert [[text[side] for side in sides] for text in texts] == [
        ["The old man went to the sea.", "Der alte Mann ging ans Meer."],
        [
            "He had not caught a fish for many days.",
            "Er hatte viele Tage keinen Fisch gefangen.",
        ],
        ["The boy was sad.", "Der Junge war traurig."],
    ]
    assert "running text, split into sentences (--sentences: each line is one): 2" in found.err


@pytest.mark.parametrize("turned", [False, True])
def test_beside_a_document_a_paragraph_a_line_is_running_text(bitext, write, turned):
    page = write(
        "a.html", "<!DOCTYPE html><p>He came. It rained.</p>" + "<p>She stayed. He left.</p>" * 2
    )
    lines = write("a.de", "Er kam. Es regnete.\n" + "Sie blieb. Er ging.\n" * 2)
    sides = [lines, page] if turned else [page, lines]
    found = bitext("align", *sides, "-o", "-", "--to", "jsonl")
    assert len(found.out.splitlines()) == 6
    assert "running text, split into sentences (--sentences: each line is one): 1" in found.err


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("turned", [False, True])
def test_beside_running_text_a_paragraph_a_line_is_running_text_too(bitext, write, turned, between):
    paragraphs = [
        "I.",
        "Der alte Mann ging ans Meer. Er hatte viele Tage keinen Fisch gefangen.",
        "Der Junge war traurig. Er blieb.",
    ]
    english = f"I.\n\n{ENGLISH}He stayed.\n"
    sides = [write("a.en", english), write("a.de", between.join(paragraphs))]
    found = bitext("align", *(sides[::-1] if turned else sides), "-o", "-", "--to", "tsv")
    german = "src" if turned else "tgt"
    header, *rows = [line.split("\t") for line in found.out.splitlines()]
    assert [row[header.index(german)] for row in rows] == [
        "I.",
        "Der alte Mann ging ans Meer.",
        "Er hatte viele Tage keinen Fisch gefangen.",
        "Der Junge war traurig.",
        "Er blieb.",
    ]
    assert "running text, split into sentences (--sentences: each line is one): 2" in found.err


def test_lines_that_sentences_end_within_are_told(bitext, write):
    side = write("a.de", GERMAN)
    found = bitext("align", side, write("b.de", GERMAN))
    assert "a.de: its lines seem to be broken, not where sentences end" in found.err
    sentences = write("c.en", "One. He came home.\nTwo left.\nThree stayed on.\nFour did.\n")
    assert "broken" not in bitext("align", sentences, sentences).err


def test_hyphens_of_line_ends_that_are_kept_are_told(bitext, write):
    text = "The govern-\nment raised the well-\nknown tax. It was\nbad.\n\n{}\n"
    one = write("a.en", text.format("A well-known tale."))
    both = write("b.en", text.format("Government is well-known."))
    found = bitext("align", one, both, "--split", "-o", "-", "--to", "tsv")
    told = "words divided at line ends, whose hyphens are kept, as nothing shows how they are"
    assert f"{told} spelled: 1, first {one}: govern-ment\n" in found.err
    assert "The govern-ment raised the well-known tax.\tThe government raised the well" in found.out


@pytest.mark.parametrize("split", [[], ["--split"]])
def test_page_numbers_and_the_frame_of_gutenberg_are_told(bitext, write, split):
    pages = write("a.en", "He went to the sea and looked\n\n12\n\nfor his boat. It was there.\n")
    frame = "*** {} OF THE PROJECT GUTENBERG EBOOK X ***"
    book = write("b.en", f"{frame.format('START')}\n\nIt rained.\n\n{frame.format('END')}\n")
    found = bitext("align", pages, book, *split)
    assert "numbers amid sentences, as page numbers are, taken as text: leave them" in found.err
    assert f"1, first {pages}: 12\n" in found.err
    assert "before *** START OF and after *** END OF: 2, first" in found.err
    years = write("c.en", "It was the year\n1984\nIt rained.\n")
    assert "page numbers" not in bitext("align", years, years, *split).err


def test_a_sentence_a_line_is_told_where_running_text_is_asked_for(bitext, write):
    lines = write("a.en", "It rained.\nWe stayed.\nWas it late?\nIt was.\nNobody came.\n")
    told = "texts that seem to have one sentence a line, split as one paragraph"
    assert told in bitext("align", lines, lines, "--split").err


def test_texts_that_are_split_are_told_their_language_by_their_words(bitext, write):
    german = (
        "Er sah z. B. Frau Dr. Berg, und sie war nicht da. Dann kam der Wirt, und es wurde still."
    )
    sides = write("a.txt", german), write("b.txt", german)
    found = bitext("align", *sides, "--split")
    assert "texts split as de, by their words (--src-lang, --tgt-lang): 2" in found.err
    assert "Er sah z. B. Frau Dr. Berg, und sie war nicht da." in found.out
    found = bitext("align", *sides, "--split", "--src-lang", "en")
    assert "texts whose words are those of de, split as en: 1" in found.err


def test_sentences_in_small_letters_are_split_and_told(bitext, write):
    side = write("a.en", "it rained all day. the road was wet. was it late? no one came to us.")
    found = bitext("align", side, side, "--split", "--json")
    assert len(json.loads(found.out)["rows"]) == 4
    assert "texts in lower case only" in found.err


def test_languages_are_those_that_the_names_tell(bitext, write, tmp_path):
    # Too few words to tell the languages.
    few = {SIDES[0]: "One.\nTwo.\n", SIDES[1]: "Eins.\nZwei.\n"}
    for side in SIDES:
        write(f"t/{side.name}", few[side])
    src, tgt = tmp_path / "t" / "orchard.en", tmp_path / "t" / "orchard.de"
    out = tmp_path / "o.tmx"
    for options, langs in (([], "en de"), (["--tgt-lang", "gsw"], "en gsw")):
        assert bitext("align", src, tgt, "-o", out, *options).status == 0
        units = out.read_text(encoding="utf-8")
        assert [f'xml:lang="{lang}"' in units for lang in langs.split()] == [True, True]
    for names in (("x_en.txt", "x_de.txt"), ("en.txt", "de.txt"), ("en/x.txt", "de/x.txt")):
        texts = [write(name, few[side]) for name, side in zip(names, SIDES, strict=True)]
        assert bitext("align", *texts, "-o", out).status == 0
        assert 'xml:lang="de"' in out.read_text(encoding="utf-8")
    texts = [
        write(name, "One.\n") for name in ("old.txt", "new.txt", "a_en", "b_de", "en/x", "xx/x")
    ]
    for k in (0, 2, 4):  # none is known of these
        assert bitext("align", texts[k], texts[k + 1], "-o", out).status == 0
        assert "und-x-src" in out.read_text(encoding="utf-8")
    # Where they tell one language, or one tells none, nothing is known.
    assert bitext("align", src, src, "-o", out).status == 0
    assert "und-x-src" in out.read_text(encoding="utf-8")


def test_sentences_that_are_split_are_kept_by_tei(bitext, write, tmp_path):
    src, tgt = write("a.en", "One. Two.\n"), write("a.de", "Eins. Zwei.\n")
    found = bitext("align", src, tgt, "--split", "-o", tmp_path / "o.tei")
    assert found.status == 0
    assert "Zwei." in (tmp_path / "o.tei").read_text(encoding="utf-8")


def test_texts_are_not_written_among_those_that_are_read(refused, write, tmp_path):
    write("en/a.txt", "One.\n")
    write("de/a.txt", "Eins.\n")
    for folder in ("en", "de/"):
        told = refused(tmp_path / "en", tmp_path / "de", "-o", tmp_path / folder, "--to", "jsonl")
        assert "is a folder of texts, and the output would be one of them" in told
    assert not list(tmp_path.rglob("*.jsonl"))
    told = refused(tmp_path / "en", tmp_path / "de", "-o", f"{tmp_path}/x,y/", "--to", "moses")
    assert "name a folder without one" in told


def test_what_a_format_cannot_hold_is_told_with_its_text(refused, write, tmp_path):
    for k, line in enumerate(["One.", "Two ~~~ three."]):
        write(f"en/k{k}", f"{line}\n")
        write(f"de/k{k}", "Eins.\n")
    told = refused(
        tmp_path / "en", tmp_path / "de", "-o", f"{tmp_path}/o/", "--to", "hunalign-text"
    )
    assert "k1: " in told


def test_one_gold_file_is_of_one_text(refused, write, tmp_path):
    for k in range(2):
        write(f"en/k{k}", "One.\n")
        write(f"de/k{k}", "Eins.\n")
    gold = write("g.align", "[0]:[0]\n")
    told = refused(tmp_path / "en", tmp_path / "de", "--gold", gold)
    assert f"{gold}: is one file, and 2 texts are aligned: name a folder" in told


def test_small_slips_are_told(bitext, refused, write, tmp_path):
    assert "'The orchard of Harrow Hill lies above th'; want" in refused(
        *SIDES, "--dictionary", SIDES[0]
    )
    assert "m.en,: one of the two files has no name" in refused(
        *SIDES, "-o", f"{tmp_path}/m.en,", "--to", "moses"
    )
    empty = write("l", "")
    assert f"{empty}: holds no pair of words" in bitext("align", *SIDES, "--lexicon", empty).err


@pytest.mark.parametrize("alternate", [True, False])
def test_a_text_that_is_partly_in_the_language_of_the_other_is_noted(bitext, write, alternate):
    en, de = (side.read_text(encoding="utf-8").splitlines(keepends=True) for side in SIDES)
    both = [line for pair in zip(en, de, strict=False) for line in pair] if alternate else en + de
    found = bitext("align", write("both.txt", "".join(both)), SIDES[1])
    told = "both.txt: has sentences in en and in de, the language of the other text: is it both"
    assert told in found.err
    assert "has sentences in" not in bitext("align", *SIDES).err


def test_names_of_two_files_are_held_against_the_words_of_the_texts(bitext, tmp_path):
    sides = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for path, side in zip(sides, SIDES, strict=True):
        shutil.copy(side, path)
    for names, told in (("de en", "exchange the two names"), ("en de", ""), ("src trg", "")):
        out = ",".join(f"{tmp_path}/m.{name}" for name in names.split())
        found = bitext("align", *sides, "-o", out, "--to", "moses")
        assert (found.status == 2) == bool(told)
        assert told in found.err
        assert "by their words" not in found.err


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="names are UTF-8")
def test_a_name_that_is_no_utf_8_is_told_by_jobs(bitext, write, tmp_path, monkeypatch):
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    for name in ("a", "b", os.fsdecode(b"x\xff")):
        for side in ("en", "de"):
            write(f"t/{name}.{side}", "One.\nTwo.\n")
    langs = ["--src-lang", "en", "--tgt-lang", "de"]
    found = bitext(
        "align", tmp_path / "t", *langs, "-o", f"{tmp_path}/o/", "--to", "jsonl",
        "--max-failures", "3",
    )  # fmt: skip
    assert "its name is not UTF-8, and jsonl holds the names of texts: rename it" in found.err


def test_documents_that_links_name_are_not_written_over(refused, tmp_path):
    shutil.copytree(ORCHARD.parent / "mill", tmp_path / "mill")
    links, document = tmp_path / "mill" / "links.xml", tmp_path / "mill" / "en" / "mill.xml"
    before = document.read_bytes()
    for more in (
        ["-o", document, "--to", "tmx"],
        ["-o", tmp_path / "o.tmx", "--save-lexicon", document],
    ):
        assert "mill.xml: is the same file as" in refused(links, *more)
        assert document.read_bytes() == before


def test_languages_of_names_are_no_loss(bitext, write, tmp_path):
    write("a.en", "One.\nTwo.\n")
    write("a.de", "Eins.\nZwei.\n")
    texts = tmp_path / "a.en", tmp_path / "a.de"
    told = "texts whose language is not written"
    assert told not in bitext("align", *texts, "-o", tmp_path / "o.tsv").err
    assert told in bitext("align", *texts, "-o", tmp_path / "o.tsv", "--src-lang", "en").err


def test_a_folder_with_folders_of_both_languages(refused, write, tmp_path):
    for lang in ("en", "de"):
        write(f"d/{lang}/a.txt", "One.\n")
        write(f"d/b.{lang}x", "One.\n")
    told = refused(tmp_path / "d", "--src-lang", "en", "--tgt-lang", "de")
    assert "has no file that ends with .en, but a folder en: name the folders of both texts" in told


def test_form_feeds_are_left_out_and_nul_characters_told(bitext, write):
    path, other = (
        write("a.en", "O\u00adne.\n\fTwo.\nThree.\n\0\0\n"),
        write("a.de", "Eins.\nZwei.\nDrei.\n"),
    )
    found = bitext("align", path, other)
    assert "form feeds, as between pages, left out: 1" in found.err
    assert "NUL characters, as damaged files have: leave them out: 1" in found.err
    assert "lines with soft hyphens or ligatures (\ufb01), taken as they are: replace" in found.err
    assert "\t1\t1\tTwo.\tZwei.\n" in found.out


def test_segments_of_an_alignment_that_are_running_text_are_split(bitext, write):
    rows = [["One came. Two went. Three stayed."] * 2, ["Four waited. Five stood. Six slept."] * 2]
    path = write("a.tsv", "".join("\t".join(row) + "\n" for row in rows))
    found = bitext("align", path)
    assert found.out.count("\t1-1\t") == 6
    assert "running text, split into sentences (--sentences: each line is one): 1" in found.err
    assert bitext("align", path, "--sentences").out.count("\t1-1\t") == 2
    assert bitext("align", path, "--split", "--paragraphs").out.count("\t1-1\t") == 6
    codes = '<seg>One <hi type="b">came.</hi> Two went. Three stayed.</seg>'
    units = "".join(f'<tuv xml:lang="{lang}">{codes}</tuv>' for lang in ("en", "de"))
    head = '<tmx version="1.4"><header srclang="en" segtype="paragraph"/><body><tu>'
    memory = write("m.tmx", f"{head}{units}</tu></body></tmx>")
    found = bitext("align", memory, "-o", "-", "--to", "tmx")
    assert found.out.count("came.") == 2
    assert "<seg>One <hi type" in found.out or "<seg>One <bpt" in found.out
