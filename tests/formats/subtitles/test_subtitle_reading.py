"""Subtitles: cues with their times."""

from math import nan

import pytest

from bitext.errors import FormatError
from bitext.formats.io.source import open_source
from bitext.formats.subtitles import is_subtitles, read_subtitles

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


@pytest.fixture
def read(tmp_path):
    def read(content, name="a.srt", **options):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8", newline="")
        with open_source(str(path)) as source:
            assert is_subtitles(source.head(), name)
            text = read_subtitles(source, "en", **options)
            read.times = None if text.times is None else text.times.tolist()
            read.notes = {note.kind: note.count for note in source.notes.all()}
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


ASS = r"""[Script Info]
Title: A scene

[V4+ Styles]
Format: Name, Fontname

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\i1}Of course{\i0}, I did.
Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,Not said.
Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ann,0,0,0,,Did you lock\Nthe door?
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\p1}m 0 0 l 1 1
""".replace("\\\\", "\\")


def test_substation_alpha_is_read_in_the_order_of_times(read):
    assert read(ASS, "a.ass") == (["1", "2"], ["Did you lock the door?", "Of course, I did."])
    assert read.times == [[1.0, 2.5], [3.0, 4.0]]
    assert read.notes["comments and drawings of subtitles, left out"] == 2
    with pytest.raises(FormatError, match="line 4: names no fields Start"):
        read("[Script Info]\n\n[Events]\nFormat: Text\nDialogue: x\n", "a.ass")


def test_text_behind_a_drawing_is_read(read):
    drawn = r"{\pos(1,2)\p1}m 0 0{\c&H1&} l 1 1{\an8\p0}The lock"
    assert read(ASS.replace(r"{\p1}m 0 0 l 1 1", drawn), "a.ass")[1][2] == "The lock"
    assert read.notes["comments and drawings of subtitles, left out"] == 2


def test_comments_in_braces_are_no_text_of_substation_alpha(read):
    script = ASS.replace("Did you", r"{He shouts}Did{\i1} you{\i0}").replace(
        "I did", r"{*\an8}I \{did}"
    )
    assert read(script, "a.ass")[1] == ["Did you lock the door?", r"Of course, I \{did}."]
    assert read.notes["comments and drawings of subtitles, left out"] == 4


def test_numbers_that_are_there_twice_are_counted_anew(read):
    assert read(SRT.replace("\n3\n", "\n2\n", 1))[0] == ["1", "2", "3", "4"]
    assert read(SRT.replace("\n3\n", "\n7\n", 1))[0] == ["1", "2", "7", "4"]


TIMES = ["00:01,0 --> 00:02,0", "00:03,0 --> 00:04,0", "00:05,0 --> 00:06,0"]
LINES = ["One.\nAnd more.", "Two.", "Three."]


def test_cues_without_numbers_or_blank_lines(read):
    cues = "\n".join(f"{times}\n{line}" for times, line in zip(TIMES, LINES, strict=True))
    assert read(cues) == (["1", "2", "3"], ["One. And more.", "Two.", "Three."])


def test_cues_with_numbers_and_no_blank_lines(read):
    both = zip("579", TIMES, LINES, strict=True)
    cues = "\n".join(f"{number}\n{times}\n{line}" for number, times, line in both)
    assert read(cues) == (["5", "7", "9"], ["One. And more.", "Two.", "Three."])


@pytest.mark.parametrize("ends", ["\r", "\n\n", "\r\r\n"])
def test_odd_line_ends(read, ends):
    assert read(SRT.replace("\n", ends)) == read(SRT)


@pytest.mark.parametrize("before", ["\u200e", "\ufeff\u200e", "\u200f\u202a", "\u200b"])
def test_characters_without_width_are_no_part_of_numbers_and_times(read, before):
    cues = SRT.replace("\n00", f"\n{before}00").replace("\n2\n", f"\n{before}2\n")
    assert read(before + cues) == read(SRT)
    assert read(SRT.replace("Of course", "\u200eOf course"))[1][1] == "\u200eOf course I did."


@pytest.mark.parametrize(
    "end",
    [
        "4\n00:00:07,000 -->",
        "4\n00:00:07,000 --> 00:0",
        "4\r\n00:00:07,0",
        "4\n00:00:07,000 -",
        "\u200e4\n",
        "4",
    ],
)
def test_a_cue_that_is_cut_short_leaks_nothing(read, end):
    names, cues = read(SRT[: SRT.index("4\n00:00:07")] + end)
    assert cues[:3] == ["- Did you lock - the door?", "Of course I did.", "12"]
    assert names[:3] == ["1", "2", "3"]
    assert not any(cues[3:])
    assert read.notes == {"cues without a whole line of times, as of a file that is cut short": 1}


def test_times_without_an_end_begin_a_cue(read):
    assert read(SRT.replace("00:00:03,000 --> 00:00:04,000", "00:00:03,000 -->"))[1] == read(SRT)[1]
    assert read.times[1] == [3.0, 4.0]
    read(SRT.replace("00:00:03,000 --> 00:00:04,000", "00:00:03,000 -->"))
    assert read.times[1] == [3.0, pytest.approx(nan, nan_ok=True)]


@pytest.mark.parametrize(
    "times", ["00: 00: 03, 000 -> 00: 00: 04, 000", "00:00:03,000 –> 00:00:04,000"]
)
def test_times_that_were_translated_with_the_text_are_times(read, times):
    assert read(SRT.replace("00:00:03,000 --> 00:00:04,000", times))[1] == read(SRT)[1]
    assert read.times[1] == [3.0, 4.0]


def test_hours_beyond_any_film_are_unknown(read):
    read(f"1\n{'9' * 5000}:00:01,000 --> 00:00:02,000\nA.\n")
    assert read.times == [[pytest.approx(nan, nan_ok=True), 2.0]]


def test_names_with_blanks_are_counted(read):
    assert read("WEBVTT\n\nscene 1\n00:01.0 --> 00:02.0\nOne.\n")[0] == ["1"]
    assert read("WEBVTT\n\nscene-1\n00:01.0 --> 00:02.0\nOne.\n")[0] == ["scene-1"]


def test_settings_of_cues_are_noted(read):
    text = "00:01.0 --> 00:02.0 align:start line:0\nOne.\n\n00:03.0 --> 00:04.0 \nTwo.\n"
    assert read(f"WEBVTT\n\n{text}")[1] == ["One.", "Two."]
    assert read.notes == {"cues with settings behind their times (align:start), left out": 1}


def test_blocks_that_are_no_cues_are_of_the_web_only(read):
    text = "00:01.0 --> 00:02.0\nHe wrote:\n\nNOTE to self.\n\n00:03.0 --> 00:04.0\nBye.\n"
    assert read(text)[1] == ["He wrote: NOTE to self.", "Bye."]
    assert read("WEBVTT\n\n" + text)[1] == ["He wrote:", "Bye."]
    assert read.notes == {"comments (NOTE), left out": 1}
    read("WEBVTT - NOTE\n\nSTYLE\nNOTE {}\n\n00:01.0 --> 00:02.0\nBye.\n")
    assert read.notes == {}


def test_markup_is_left_out(read):
    lines = r"{\an8}<i>One</i> <v Bob>two &amp; <00:01.500><c.x>three</c></v>, 1 < 2."
    assert read(f"1\n{TIMES[0]}\n{lines}\n")[1] == ["One two & three, 1 < 2."]
    assert list(read.notes.values()) == [1]


def test_lines_before_the_first_cue_are_told(read):
    assert read("By Bob\n\nhttps://x.y\n\n1\n" + TIMES[0] + "\nOne.\n") == (["1"], ["One."])
    assert read.notes == {"subtitles with lines before the first cue, left out": 1}


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
    assert not is_subtitles(head, "a.txt")


def test_the_name_of_a_file_tells():
    head = b"By Bob\nwho made\nall of these.\n1\n00:00:01,000 --> 00:00:02,500\n"
    told = [is_subtitles(head, name) for name in ("a.srt", "a.VTT.gz", "a.txt")]
    assert told == [True, True, False]


def test_subtitles_in_another_encoding():
    assert is_subtitles(SRT.encode("utf-16"), "a")
    assert is_subtitles(b"\n\n" + SRT.encode("latin-1"), "a", "latin-1")


def test_times_are_seconds(read):
    cues = "01:02:03,450 --> 01:02:04.5\nOne.\n\n00:05,0 --> 0:00:04,0\nTwo.\n"
    read(cues)
    assert read.times == [[3723.45, 3724.5], [5.0, 5.0]]
    assert read.notes == {"cues that end before they begin, taken to end where they begin": 1}


SOUNDS = """1
00:01,0 --> 00:02,0
[door slams]

2
00:02,0 --> 00:03,0
<i>- ANNA: Who (coughs) is it?</i>
- Me.

3
00:03,0 --> 00:04,0
♪ La, la, la ♪
"""


def test_sounds_songs_and_speakers_are_left_out_on_demand(read):
    kind = "cues with sounds, songs or speakers ([door slams], ♪, MAN:), "
    assert read(SOUNDS)[1] == [
        "[door slams]", "- ANNA: Who (coughs) is it? - Me.", "♪ La, la, la ♪",
    ]  # fmt: skip
    assert read.notes[f"{kind}kept (dialogue=: left out)"] == 3
    assert read(SOUNDS, dialogue=True)[1] == ["", "- Who is it? - Me.", ""]
    assert read.notes[f"{kind}these left out"] == 3
    assert len(read.times) == 3


def test_sounds_and_songs_reach_over_the_lines_of_a_cue(read):
    cues = (
        "♪ La, la\nla, la ♪\n- Who?", "♪ La\n♪ la, la", "[door\nslams]\nANNA:\nMe.", ">> Yes.",
    )  # fmt: skip
    content = "".join(f"{k}\n00:0{k},0 --> 00:0{k},9\n{cue}\n\n" for k, cue in enumerate(cues, 1))
    assert read(content, dialogue=True)[1] == ["- Who?", "", "Me.", "Yes."]


def test_lines_of_rolling_captions_are_read_once(read):
    cues = (
        " \nhello<00:00:00.500><c> and</c><c> welcome</c>", "hello and welcome\n ",
        "hello and welcome\nto<c> my</c>", "to my\n ", "to my\nchannel",
    )  # fmt: skip
    times = (f"00:00:0{k}.000 --> 00:00:0{k}.990" for k in range(len(cues)))
    content = "\n\n".join(f"{time}\n{cue}" for time, cue in zip(times, cues, strict=True))
    assert read(f"WEBVTT\n\n{content}\n")[1] == ["hello and welcome", "", "to my", "", "channel"]
    assert read.notes["lines that stay from the cue before, as in rolling captions, left out"] == 4
    twice = "1\n00:01,0 --> 00:02,0\nNo!\n\n2\n00:02,0 --> 00:03,0\nNo!\n"
    assert read(twice)[1] == ["No!", "No!"]


def test_cues_in_another_order_or_two_languages_are_noted(read):
    def cues(*begins, text):
        made = (f"00:{k:02},0 --> 00:{k + 1:02},0\n{text.format(k, k)}\n\n" for k in begins)
        return "".join(made)

    assert read(cues(1, 3, 5, 2, text="{}."))[1] == ["1.", "3.", "5.", "2."]
    assert read.notes == {
        "cues that begin before the cue above them, read in the order of the file": 1
    }
    assert read(cues(*range(5), text="{}.\n{}!"))[1][0] == "0. 0!"
    assert read.notes == {
        "subtitles whose cues have two lines each, read as one text: if these are two languages, "
        "the file alone is an alignment": 1
    }
    read(cues(*range(5), text="{}.\n{}!") + cues(6, text="{}."))
    assert not read.notes
    for text in ("{} went\nhome at {}.", "- {}.\n- {}!"):  # one sentence, and two speakers
        read(cues(*range(5), text=text))
        assert not read.notes


def test_readings_of_ruby_are_left_out(read):
    content = "WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>東京<rt>とうきょう</rt></ruby>だ\n"
    assert read(content)[1] == ["東京だ"]
