"""Subtitles, given to `bitext align`."""

import json

import pytest

from bitext.cli.align_subtitles import cue_texts, is_subtitles, read_subtitles
from bitext.formats.opening import open_source

ENGLISH = ["Did you lock the door?", "Of course I did.", "Then why is it open", "<i>wide</i>?"]
GERMAN = ["Hast du die Tür zugemacht?", "Natürlich habe ich das.", "Warum steht sie dann offen?"]

SRT = """\
1
00:00:01,000 --> 00:00:02,500
- Did you lock
- the door?

2
00:00:03,000 --> 00:00:04,000

Of course I did.

3
00:00:04,500 --> 00:00:06,000
12

4
00:00:07,000 --> 00:00:08,000
"""

VTT = """\
WEBVTT - a scene

NOTE what is here
is no cue

STYLE
::cue { color: red }

00:01.000 --> 00:02.500 line:0
Did you lock the door?

door
00:00:03.000 --> 00:00:04.000
Of course I did.
"""


def subtitles(lines, shift=0.0):
    cues = []
    for k, line in enumerate(lines, start=1):
        begin = f"00:00:{2 * k:02},{100 + int(shift * 1000):03}"
        cues.append(f"{k}\n{begin} --> 00:00:{2 * k + 1:02},900\n{line}\n")
    return "\n".join(cues)


@pytest.fixture
def read(write):
    def read(content, name="a.srt"):
        path = write(name, content)
        with open_source(path) as source:
            assert is_subtitles(source.head())
            text = read_subtitles(source, "en")
        return list(text.ids), list(text.segments())

    return read


def test_a_cue_is_a_sentence(read):
    names, cues = read(SRT)
    assert names == ["1", "2", "3", "4"]
    assert cues == ["- Did you lock - the door?", "Of course I did.", "12", ""]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_subtitles_of_the_web(read, end):
    names, cues = read("\ufeff" + VTT.replace("\n", end), "a.vtt")
    assert cues == ["Did you lock the door?", "Of course I did."]
    assert names == ["1", "2"]  # one cue has a name


def test_numbers_that_are_there_twice_are_counted_anew(read):
    assert read(SRT.replace("\n3\n", "\n2\n", 1))[0] == ["1", "2", "3", "4"]
    assert read(SRT.replace("\n3\n", "\n7\n", 1))[0] == ["1", "2", "7", "4"]


def test_cues_without_numbers_or_blank_lines(read):
    names, cues = read("00:01,0 --> 00:02,0\nOne.\nTwo.\n00:03,0 --> 00:04,0\nThree.\n")
    assert (names, len(cues)) == (["1", "2"], 2)
    assert cues[1] == "Three."


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"One --> two.\nThree.\n",
        b"Hello.\nThere.\n1\n00:00:01,000 --> 00:00:02,500\n",
        b"WEBVTT is a format.\nThis is a text on it.\n",
        b"00:00:01,000\n",
    ],
)
def test_what_is_no_subtitles(head):
    assert not is_subtitles(head)


def test_subtitles_in_another_encoding():
    assert is_subtitles(SRT.encode("utf-16"))
    assert is_subtitles(b"\n\n" + SRT.encode("latin-1"), "latin-1")


def test_texts_of_cues(write):
    with open_source(write("a.srt", SRT)) as source:
        assert list(cue_texts(source))[1:3] == ["Of course I did.", "12"]


def test_subtitles_are_aligned(bitext, write):
    files = (
        write("a.en.srt", subtitles(ENGLISH)),
        write("a.de.srt", subtitles(GERMAN, shift=0.2)),
    )
    found = bitext("align", *files, "--json")
    assert found.status == 0
    rows = json.loads(found.out)["rows"]
    assert [(row["src"], row["tgt"]) for row in rows] == [
        (["1"], ["1"]),
        (["2"], ["2"]),
        (["3", "4"], ["3"]),
    ]
    assert rows[2]["src_text"] == ENGLISH[2:]
    split = json.loads(bitext("align", *files, "--split", "--json").out)["rows"]
    assert split[-1]["src_text"] == ["Then why is it open <i>wide</i>?"]


def test_folders_of_subtitles(bitext, write, tmp_path):
    for name in ("one", "two"):
        write(f"films/{name}.en.srt", subtitles(ENGLISH))
        write(f"films/{name}.de.srt", subtitles(GERMAN))
    langs = ("--src-lang", "en", "--tgt-lang", "de")
    found = bitext("align", tmp_path / "films", *langs, "--json")
    assert (found.status, len(json.loads(found.out)["texts"])) == (0, 2)
