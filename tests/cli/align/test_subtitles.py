"""Subtitles, given to `bitext align`."""

import json
import re
from pathlib import Path
from statistics import mean

from bitext.formats.subtitles.times import clock

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
ENGLISH = ["Did you lock the door?", "Of course I did.", "Then why is it open", "wide?"]
GERMAN = ["Hast du die Tür zugemacht?", "Natürlich habe ich das.", "Warum steht sie dann offen?"]


def subtitles(lines, shift=0.0):
    cues = []
    for k, line in enumerate(lines, start=1):
        begin = f"00:00:{2 * k:02},{100 + int(shift * 1000):03}"
        cues.append(f"{k}\n{begin} --> 00:00:{2 * k + 1:02},900\n{line}\n")
    return "\n".join(cues)


def test_times_become_columns_and_that_they_are_not_used_is_told(bitext, write):
    files = write("a.en.srt", subtitles(ENGLISH)), write("a.de.srt", subtitles(GERMAN))
    found = bitext("align", *files, "--to", "jsonl")
    rows = [json.loads(line) for line in found.out.splitlines()]
    assert (rows[2]["src"], rows[2]["src_time"]) == (["3", "4"], "00:00:06,100 --> 00:00:09,900")
    assert rows[2]["tgt_time"] == "00:00:06,100 --> 00:00:07,900"
    assert "lost" not in found.err
    assert "do not fit, or are too few: aligned by words" in found.err
    found = bitext("align", *files, "--to", "jsonl", "--split")
    last = json.loads(found.out.splitlines()[-1])
    assert last["src_text"] == "Then why is it open wide?"
    assert last["src_time"] == "00:00:06,100 --> 00:00:09,900"
    assert "cues become sentences, with times by their characters" in found.err


def test_subtitles_are_aligned(bitext, write):
    files = (
        write("a.en.srt", subtitles(ENGLISH)),
        write("a.de.srt", subtitles(GERMAN, shift=0.2)),
    )
    found = bitext("align", *files, "--json")
    assert found.status == 0
    assert "left out" not in found.err
    rows = json.loads(found.out)["rows"]
    assert [(row["src"], row["tgt"]) for row in rows] == [
        (["1"], ["1"]),
        (["2"], ["2"]),
        (["3", "4"], ["3"]),
    ]
    assert rows[2]["src_text"] == ENGLISH[2:]
    split = json.loads(bitext("align", *files, "--split", "--json").out)["rows"]
    assert split[-1]["src_text"] == ["Then why is it open wide?"]


def test_folders_of_subtitles(bitext, write, tmp_path):
    for name in ("one", "two"):
        write(f"films/{name}.en.srt", subtitles(ENGLISH))
        write(f"films/{name}.de.srt", subtitles(GERMAN))
    langs = ("--src-lang", "en", "--tgt-lang", "de")
    found = bitext("align", tmp_path / "films", *langs, "--json")
    assert (found.status, len(json.loads(found.out)["texts"])) == (0, 2)


LOCK = [FIXTURES / "subtitles" / f"lock.{lang}.srt" for lang in ("en", "de")]


def moved(path, change=None, cues=60):
    """The first cues of a file, with other times by a function of their seconds."""

    def shown(match):
        hours, minutes, seconds = match[0].replace(",", ".").split(":")
        time = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        return clock(change(time) if change else time)

    some = path.read_text(encoding="utf-8").split("\n\n")[:cues]
    return re.sub(r"\d\d:\d\d:\d\d,\d\d\d", shown, "\n\n".join(some) + "\n")


def test_times_are_evidence_and_how_they_go_together_is_told(bitext, write):
    def change(time):
        film = (time - 3.5) * 25 * 1001 / 24000  # as it runs in English
        return film * 24 / 25 + 12 + (90 if film > 120 else 0)

    files = write("a.en.srt", moved(LOCK[0])), write("a.de.srt", moved(LOCK[1], change))
    found = bitext("align", *files, "--json")
    told = "the target runs 4.0 % faster, begins 10.4 s later and has 90.0 s more at 00:0"
    assert told in found.err
    plain = bitext("align", *files, "--json", "--no-times")
    assert "evidence for beads" not in plain.err
    sure, unsure = (
        mean(row["score"] for row in json.loads(each.out)["rows"]) for each in (found, plain)
    )
    assert sure > unsure + 0.01


JOINED = """1
00:00:01,000 --> 00:00:02,000
- Are you coming? - I

2
00:00:02,100 --> 00:00:04,100
will be there at

3
00:00:08,000 --> 00:00:09,000
Nobody said when.

4
00:00:09,000 --> 00:00:10,000
[a bell] Ah.
"""


def test_sentences_over_cues_have_times_by_their_characters(bitext, write):
    src = write("a.en.srt", JOINED)
    found = bitext("align", src, src, "--split", "--dialogue", "--to", "jsonl")
    rows = [json.loads(line) for line in found.out.splitlines()]
    assert [(row["src_text"], row["src_time"]) for row in rows] == [
        ("- Are you coming?", "00:00:01,000 --> 00:00:01,810"),
        ("- I will be there at", "00:00:01,857 --> 00:00:04,100"),  # no sentence over a pause
        ("Nobody said when.", "00:00:08,000 --> 00:00:09,000"),
        ("Ah.", "00:00:09,000 --> 00:00:10,000"),
    ]
    other = write("b.en", "Hello.\n")
    told = bitext("align", other, other, "--dialogue").err
    assert "texts that are no subtitles, so --dialogue is of no use: 2" in told


def test_options_of_texts_are_noted_beside_a_file_of_alignments(bitext, write):
    found = bitext("align", write("a.tsv", "One.\tUn.\n"), "--split", "--layout", "lines")
    assert "files of alignments, so --layout is of no use: 1, first" in found.err


def test_a_target_is_retimed_by_command(bitext, write, tmp_path):
    files = write("a.en.srt", subtitles(ENGLISH)), write("a.de.srt", subtitles(GERMAN, shift=0.5))
    table, out = tmp_path / "a.jsonl", tmp_path / "out.srt"
    assert bitext("align", *files, "-o", out, "--retime").status == 0
    cues = out.read_text(encoding="utf-8")
    assert cues.startswith(f"1\n00:00:02,100 --> 00:00:03,900\n{GERMAN[0]}\n\n2\n00:00:04,100 -->")
    assert ENGLISH[0] not in cues
    bitext("align", *files, "-o", table)
    assert bitext("convert", table, out, "--retime").status == 0
    assert out.read_text(encoding="utf-8") == cues
    for command in (("align", *files, "-o", table), ("convert", table, tmp_path / "b.tsv")):
        refused = bitext(*command, "--retime")
        assert refused.status == 2
        assert "--retime is for srt" in refused.err
    assert "give -o OUT.srt or OUT.vtt" in bitext("align", *files, "--retime").err
    write("films/one.en.srt", subtitles(ENGLISH))
    write("films/one.de.srt", subtitles(GERMAN))
    write("films/two.en.srt", subtitles(ENGLISH))
    write("films/two.de.srt", subtitles(GERMAN))
    langs = ("--src-lang", "en", "--tgt-lang", "de")
    many = bitext("align", tmp_path / "films", *langs, "-o", tmp_path / "all.srt")
    assert "srt holds one text, and there are several: name a folder" in many.err


def test_cues_out_of_order_become_sentences(bitext, write):
    cues = "1\n00:00:05,000 --> 00:00:06,000\nHe went\n\n2\n00:00:01,000 --> 00:00:02,000\nhome.\n"
    src = write("a.en.srt", cues)
    found = bitext("align", src, src, "--split", "--to", "jsonl")
    assert json.loads(found.out)["src_time"] == "00:00:05,000 -->"


def test_cues_that_end_amid_sentences_are_told(bitext, write):
    src = write("a.en.srt", subtitles(["He went", "home at", "ten.", "She stayed."]))
    other = write("a.de.srt", subtitles(GERMAN))
    told = bitext("align", src, other).err
    assert "cues that end amid a sentence: --split joins cues to sentences: 2, first" in told
    assert "amid a sentence" not in bitext("align", other, other).err


def test_positions_count_the_cues_of_subtitles(bitext, write):
    sides = write("a.en.srt", subtitles(ENGLISH)), write("a.de.srt", subtitles(GERMAN))
    texts = ["--src", sides[0], "--tgt", sides[1]]
    gold = write("gold", "[0]:[0]\n[1]:[1]\n[2, 3]:[2]\n")
    shown = bitext("show", gold, *texts, "--beads", "2")
    assert "4 wide?" in shown.out
    assert "Warum steht sie dann offen?" in shown.out
    assert "1.0" in bitext("score", gold, gold, *texts).out
    film = bitext("convert", gold, "-", "--to", "srt", *texts).out
    assert "00:00:06,100 --> 00:00:09,900\nThen why is it open wide?\nWarum steht" in film


def test_links_into_subtitles_name_their_cues(bitext, write, tmp_path):
    files = write("a.en.srt", subtitles(ENGLISH)), write("a.de.srt", subtitles(GERMAN))
    links = tmp_path / "links.xml"
    bitext("align", *files, "-o", links, "--to", "xces")
    rows = bitext("convert", links, "-", "--to", "tsv").out.splitlines()
    assert rows[3].startswith("Then why is it open wide?\tWarum steht sie dann offen?\t")


def test_documents_have_no_positions(bitext, write):
    gold = write("gold", "[0]:[0]\n")
    plain = write("a.txt", "One.\n")
    for name, content in (
        ("a.html", "<html><p>One.</html>"),
        ("a.bin", b"%PDF-1.7\n"),
        ("b.txt", "{\\rtf1 One.}"),
    ):
        shown = bitext("score", gold, gold, "--src", write(name, content), "--tgt", plain)
        assert shown.status == 2
        assert "has no segments that positions could count" in shown.err
    shown = bitext("show", gold, "--src", write("a.md", "One.\n"), "--tgt", plain)
    assert "if each line is a segment, name the file .txt" in shown.err


def test_times_of_columns_are_evidence_again_and_become_subtitles(bitext, write, tmp_path):
    files = write("a.en.srt", moved(LOCK[0])), write("a.de.srt", moved(LOCK[1]))
    film = bitext("align", *files, "-o", tmp_path / "film.srt")
    assert "evidence for beads" in film.err
    table = tmp_path / "film.jsonl"
    bitext("align", *files, "-o", table)
    again = bitext("align", table, "-o", tmp_path / "again.srt")
    assert "runs 4.1 % faster" in again.err
    assert "columns of times, read as the times of sentences (--no-times" in again.err
    assert (tmp_path / "again.srt").read_bytes() == (tmp_path / "film.srt").read_bytes()
    memory = tmp_path / "film.tmx"
    bitext("convert", table, memory, "--src-lang", "en", "--tgt-lang", "de")
    shown = bitext("convert", memory, tmp_path / "more.srt")
    assert "src_time" not in shown.err
    assert (tmp_path / "more.srt").read_bytes() == (tmp_path / "film.srt").read_bytes()


def test_columns_of_other_times_are_no_times(bitext, write):
    table = write("a.tsv", "src\ttgt\tsrc_time\nOne.\tEins.\tsoon\nTwo.\tZwei.\t00:00:01,000 -->\n")
    shown = bitext("convert", table, "-", "--to", "srt")
    assert "values of other attributes: 1, first" in shown.err
    assert "00:00:01,000 --> 00:00:02,000\nTwo.\nZwei.\n" in shown.out


def test_substation_alpha_is_aligned(bitext, write):
    events = "".join(
        f"Dialogue: 0,0:00:{2 * k:02}.10,0:00:{2 * k + 1:02}.90,Default,,0,0,0,,{line}\n"
        for k, line in enumerate(GERMAN, start=1)
    )
    head = "[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, "
    ass = write("a.de.ass", f"{head}MarginR, MarginV, Effect, Text\n{events}")
    for options in ([], ["--split"]):
        found = bitext(
            "align", write("a.en.srt", subtitles(ENGLISH)), ass, "--to", "jsonl", *options
        )
        assert found.status == 0
        rows = [json.loads(line) for line in found.out.splitlines()]
        assert [row["tgt_text"] for row in rows] == GERMAN
