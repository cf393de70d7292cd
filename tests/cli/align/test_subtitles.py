"""Subtitles, given to `bitext align`."""

import json

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
    assert "subtitles, aligned by their words: times are columns of the beads" in found.err
    found = bitext("align", *files, "--to", "jsonl", "--split")
    assert "_time" not in found.out
    assert "their times left out (without --split: kept): 2" in found.err


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
