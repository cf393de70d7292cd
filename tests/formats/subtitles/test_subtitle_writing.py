"""Subtitles that are written: valid cues, in both languages or re-timed."""

import io
import re
from itertools import pairwise
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.io.source import Notes
from bitext.formats.registry import WriteOptions, by_name
from formats.samples import read_all

CUE = re.compile(
    r"(\d+)\n(\d\d:\d\d:\d\d[,.]\d\d\d) --> (\d\d:\d\d:\d\d[,.]\d\d\d)\n((?:.+\n)+)\n", re.ASCII
)


def written(item, name="srt", **options):
    out = io.StringIO()
    items = item if isinstance(item, list) else [item]
    by_name(name).write(items, out, options=WriteOptions(**options))
    return out.getvalue()


def parsed(content):
    """Parse a file strictly: (start, end, lines) of each cue, in thousandths."""
    cues, at = [], 0
    body = content.removeprefix("WEBVTT\n\n")
    for match in CUE.finditer(body):
        assert match.start() == at
        at = match.end()
        assert int(match[1]) == len(cues) + 1
        times = []
        for time in (match[2], match[3]):
            hours, minutes, rest = time.split(":")
            assert int(minutes) < 60
            times.append((int(hours) * 60 + int(minutes)) * 60_000 + int(re.sub("[,.]", "", rest)))
        cues.append((*times, match[4].rstrip("\n").split("\n")))
    assert at == len(body)
    return cues


def made(beads, src_times, tgt_times=None):
    """A bitext of beads, as (source texts, target texts)."""
    src = [text for texts, _ in beads for text in texts]
    tgt = [text for _, texts in beads for text in texts]
    rows, i, j = [], 0, 0
    for one, other in beads:
        rows.append((tuple(range(i, i + len(one))), tuple(range(j, j + len(other)))))
        i, j = i + len(one), j + len(other)
    texts = Text(src, times=src_times), Text(tgt, times=tgt_times)
    return Bitext(*texts, Alignment(rows), name="film")


def test_a_cue_has_both_languages_and_the_hull_of_the_times():
    item = made([(["One."], ["Eins."]), (["Two", "three."], ["Zwei, drei."])],
                [(1, 2), (3, 4), (4.5, 6)])  # fmt: skip
    assert parsed(written(item)) == [
        (1000, 2000, ["One.", "Eins."]),
        (3000, 6000, ["Two three.", "Zwei, drei."]),
    ]
    assert written(item, "vtt").startswith("WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nOne.\n")


def test_an_empty_side_is_a_line_that_players_show_as_nothing(tmp_path):
    item = made([(["One."], []), ([], ["Zwei."]), (["Three."], ["Drei."])], [(1, 2), (9, 10)])
    cues = parsed(written(item))
    assert [lines for *_, lines in cues] == [
        ["One.", "\u00a0"], ["\u00a0", "Zwei."], ["Three.", "Drei."],
    ]  # fmt: skip
    assert cues[1][:2] == (2000, 2700)  # in the pause, as long as it takes to read
    path = tmp_path / "film.srt"
    path.write_text(written(item), encoding="utf-8")
    back = bitext.read(path)
    assert back.pairs() == item.pairs()
    assert back.src.times.tolist() == [[1.0, 2.0], [9.0, 10.0]]
    assert back.tgt.times.tolist() == [[2.0, 2.7], [9.0, 10.0]]


def test_without_a_pause_a_cue_shares_the_time_of_the_one_before():
    item = made(
        [(["Yes."], ["Jaja."]), ([], ["Neinneinn"]), (["No."], ["Nein."])], [(1, 2), (2, 3)]
    )
    assert [cue[:2] for cue in parsed(written(item))] == [(1000, 1500), (1500, 2000), (2000, 3000)]
    first = made([([], ["Jaja.jaja"]), (["Yes."], ["Jaja."])], [(0, 2)])
    assert [cue[:2] for cue in parsed(written(first))] == [(0, 1000), (1000, 2000)]


def test_times_of_the_target_are_taken_where_the_source_has_none():
    item = made([(["One."], ["Eins."])], None, [(5, 6)])
    assert parsed(written(item)) == [(5000, 6000, ["One.", "Eins."])]


def test_times_of_the_target_alone_are_lost(tmp_path):
    pairs = [(["One."], ["Eins."]), (["Two."], ["Zwei."]), ([], ["Drei."])]
    item = made(pairs, [(1, 2), (3, 4)], [(1.5, 2), (3, 4.0004), (5, 6)])
    bitext.write(item, tmp_path / "film.jsonl")
    for each in (item, bitext.read(tmp_path / "film.jsonl")):
        losses = Notes()
        bitext.write(each, tmp_path / "film.vtt", losses=losses)
        lost = {note.kind: note.count for note in losses}
        assert lost["bisegments whose target has a time of its own, which is not written"] == 2
    own = [(1, 2), (3, 4), (8, 9)]
    for source in (None, own[:2]):  # on one clock no time is lost, nor moved into a pause
        losses = Notes()
        bitext.write(made(pairs, source, own), tmp_path / "film.srt", losses=losses)
        assert not any("time" in note.kind for note in losses)
        assert [cue[:2] for cue in parsed((tmp_path / "film.srt").read_text("utf-8"))] == [
            (1000 * begin, 1000 * end) for begin, end in own
        ]


def test_times_of_columns_are_those_of_a_table(tmp_path):
    item = made([(["One."], ["Eins."]), (["Two.", "Three."], [])], [(1, 2), (3, 4), (4, 5)])
    table, film = tmp_path / "film.jsonl", tmp_path / "film.srt"
    bitext.write(item, table)
    bitext.write(bitext.read(table), film)
    assert film.read_text(encoding="utf-8") == written(item)


def test_a_retimed_target_stands_in_the_cues_of_the_source():
    item = made([(["One."], ["Eins."]), (["Two."], []), (["Three", "four."], ["Drei, vier."])],
                [(1, 2), (3, 4), (5, 6), (6.5, 8)])  # fmt: skip
    assert parsed(written(item, retimed=True)) == [
        (1000, 2000, ["Eins."]),
        (5000, 8000, ["Drei, vier."]),
    ]


def test_two_speakers_of_a_retimed_cue_have_a_line_each():
    texts = ["– Zur Mühle. – So spät?", "- Ja. Nein - doch.", f"- {'a' * 20}. - {'b' * 42}."]
    item = made([(["One."], [text]) for text in texts], [(1, 2), (3, 4), (5, 6)])
    assert [lines for _, _, lines in parsed(written(item, retimed=True))] == [
        ["– Zur Mühle.", "– So spät?"],
        ["- Ja. Nein - doch."],
        [f"- {'a' * 20}.", f"- {'b' * 42}."],
    ]


def test_retimed_in_python_is_for_subtitles(tmp_path):
    item = made([(["One."], ["Eins."])], [(1, 2)])
    path = tmp_path / "a.srt"
    bitext.write(item, path, retimed=True)
    assert parsed(path.read_text(encoding="utf-8")) == [(1000, 2000, ["Eins."])]
    with pytest.raises(OptionError, match=r"retimed is for srt and vtt, and .* is tsv"):
        bitext.write(item, tmp_path / "a.tsv", retimed=True)


def test_what_is_shown_for_long_is_divided_among_the_cues_of_the_source():
    long = "Er ging hinaus, und dann kam er lange nicht wieder."
    item = made([(["He went out,", "and was long gone."], [long])], [(1, 4), (5, 12)])
    assert parsed(written(item, retimed=True)) == [
        (1000, 4000, ["Er ging hinaus,"]),
        (5000, 12000, ["und dann kam er lange nicht wieder."]),
    ]
    item = made(
        [(["He went out,", "long gone."], ["Er ging.", "Weg.", "Lang."])], [(1, 6), (6, 12)]
    )
    assert [cue[2] for cue in parsed(written(item, retimed=True))] == [["Er ging."], ["Weg. Lang."]]


def test_long_texts_have_lines_that_are_about_as_long():
    text = "The lock-keeper opened the gate, looked at the fog, and shut it again."
    item = made([(["x"], [text])], [(1, 5)])
    ((_, _, lines),) = parsed(written(item, retimed=True))
    assert lines == ["The lock-keeper opened the gate,", "looked at the fog, and shut it again."]


def test_no_text_ends_a_cue_or_begins_one():
    text = "a\n\n2\n00:00:03,000 --> 00:00:04,000\tb & <i>c</i>"
    item = made([(["x"], [text])], [(1, 2)])
    assert parsed(written(item)) == [
        (1000, 2000, ["x", "a  2 00:00:03,000 → 00:00:04,000 b & <i>c</i>"])
    ]
    assert "a  2 00:00:03,000 --&gt; 00:00:04,000 b &amp; &lt;i&gt;c&lt;/i&gt;" in written(
        item, "vtt"
    )


def test_what_cannot_be_subtitles_is_refused():
    item = made([(["One."], ["Eins."])], None)
    with pytest.raises(InputError, match="film: has no times, and subtitles need some"):
        written(item)
    timed = made([(["One."], ["Eins."])], [(1, 2)])
    with pytest.raises(InputError, match="is a second text, and a file of subtitles holds one"):
        written([timed, timed])
    assert written(made([], None)) == ""


def test_subtitles_without_a_cue_lose_no_times(tmp_path):
    (tmp_path / "a.vtt").write_text("WEBVTT\n\nNOTE to be done\n", encoding="utf-8")
    losses = Notes()
    bitext.write(bitext.read(tmp_path / "a.vtt"), tmp_path / "a.csv", losses=losses)
    assert list(losses) == []


def test_subtitles_in_one_language_are_no_alignment(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nHello.\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"cue 1 has 1 line, .*: if these are subtitles in one"):
        bitext.read(path)


def test_a_cue_of_other_lines_costs_no_other():
    cue = "{0}\n00:00:0{0},000 --> 00:00:0{0},900\n{1}\n\n".format
    content = "".join(map(cue, range(1, 4), ("A\nB", "A", "C\nD")))
    bad = []
    (bt,) = read_all("srt", content, bad=bad)
    assert bt.pairs() == [(["A"], ["B"]), (["C"], ["D"])]
    assert "cue 2 has 1 line" in str(bad[0])
    with pytest.raises(FormatError, match="cue 1 has 1 line"):
        read_all("srt", content.replace("A\nB", "A"), bad=bad)


@pytest.mark.parametrize("lines", ["He went\nhome.", "Well,\nhe went."])
def test_cues_of_wrapped_lines_are_told(tmp_path, lines):
    path = tmp_path / "a.srt"
    path.write_text(f"1\n00:00:01,000 --> 00:00:02,000\n{lines}\n", encoding="utf-8")
    (note,) = bitext.read(path).notes
    assert note.kind.startswith("cues whose second line goes on with the first, taken as source")


segment = st.text(st.sampled_from("ab ,"), min_size=1, max_size=90).filter(str.strip)
side = st.lists(segment, max_size=3)
bead = st.tuples(side, side).filter(any)


@given(st.lists(bead, min_size=1, max_size=8), st.data(), st.booleans())
def test_every_file_is_valid(beads, data, retimed):
    count = sum(len(src) for src, _ in beads)
    gaps = data.draw(st.lists(st.integers(0, 9000), min_size=2 * count, max_size=2 * count))
    known = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    times, now = [], 0
    for k in range(count):
        start = now + gaps[2 * k]
        now = start + gaps[2 * k + 1]
        times.append((start / 1000, now / 1000) if known[k] else (nan, nan))
    tgt = sum(len(each) for _, each in beads)
    item = made(beads, times, [(k, k + 0.5) for k in range(tgt)])
    if count and not any(known) and not tgt:
        return
    cues = parsed(written(item, retimed=retimed))
    for cue, after in pairwise(cues):
        assert cue[0] <= after[0]
        assert cue[0] == after[0] or cue[1] <= after[0]
    assert all(cue[0] < cue[1] for cue in cues)
    words = "".join("".join(cue[2]) for cue in cues).replace("\u00a0", "").replace(" ", "")
    texts = [src + tgt if not retimed else tgt for src, tgt in beads]
    assert sorted(words) == sorted("".join("".join(each) for each in texts).replace(" ", ""))
