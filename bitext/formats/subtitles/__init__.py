r"""Subtitles: cues of text with the times at which they are shown (SubRip, WebVTT).

Subtitles in one language are texts, which `bitext align` reads: each cue is a segment, with its
times. A file of this format is in two languages: each cue is a bisegment, with the source in the
first line and the target in the second. A line with nothing but a no-break space is an empty side.

    1
    00:00:41,200 --> 00:00:42,100
    Good morning.
    Guten Morgen.

Cues have the times of the source, from the start of its first segment to the end of its last, or
those of the target if the source has none; where both have the same times, a bisegment without a
source has that of its target. A bisegment without times is shown between its
neighbours, if there is room, else in a part of the time of one of them. The cues are in order, and
overlap only where cues of the source overlap.

With `WriteOptions.retimed` a file has the text of the target alone, at the times of the source,
wrapped at 42 characters: a text that would be shown for more than seven seconds, or has more than
two lines, is divided among the cues of the source.

| kept | lost |
| --- | --- |
| texts, times, empty sides | borders of segments, inner times, segments without characters |
| the order of bisegments by their times | crossings, gaps, overlaps, uncovered segments |
| characters of any kind | tabs and line ends, inline codes, ids, scores, columns, languages |
| | white space at an end of a segment, and in it what looks like markup |

What looks like markup of cues (`<i>`, `{\an8}`) is left out on reading; WebVTT escapes it. A
second document pair is refused, as its times begin again, and so are texts without times.
"""

from __future__ import annotations

import html
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice, pairwise
from typing import IO, NamedTuple

import numpy as np

from bitext.errors import InputError, many, remedy
from bitext.formats.beads import Beads, name_of
from bitext.formats.io.compression import HEAD, unpacked
from bitext.formats.io.encodings import mark_of
from bitext.formats.io.source import Source
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.subtitles.times import clock, cue_times, no_times, seconds, times_of_column
from bitext.formats.xml import COMMENTS
from bitext.kernels.arrays import Bools
from bitext.lazy import late_pattern
from bitext.model import Bitext, Text

# Subtitles in formats that are not read, by their first bytes.

_OTHER_SUBTITLES = (
    ("SubStation Alpha", late_pattern(rb"\[Script Info\]", re.IGNORECASE)),
    ("MicroDVD", late_pattern(rb"(?:\{\d+\}\{\d+\}[^\r\n]*[\r\n]+){2}")),
    ("MPL2", late_pattern(rb"(?:\[\d+\]\[\d+\][^\r\n]*[\r\n]+){2}")),
    (
        "SubViewer",
        late_pattern(
            rb"\[INFORMATION\]\s*\[TITLE\]|\d+:\d\d:\d\d\.\d+,\d+:\d\d:\d\d\.\d+\s*[\r\n]"
        ),
    ),
    (
        "Encore or Spruce",  # the times of beginning and end, with frames
        late_pattern(
            rb"(?:(?:\d+[ \t]+)?\d\d:\d\d:\d\d[:;]\d\d[ \t,]+\d\d:\d\d:\d\d[:;]\d\d[ \t,]"
            rb"[^\r\n]*[\r\n]+){2}"
        ),
    ),
    ("TMPlayer", late_pattern(rb"(?:\d{1,2}:\d\d:\d\d(?:[:=]|,\d=)[^\r\n]*[\r\n]+){2}")),
    ("EBU (STL)", late_pattern(rb"\d{3}STL\d\d\.\d\d")),
    ("Whisper (text)", late_pattern(rb"(?:\[[\d:.]+ --> [\d:.]+\][^\r\n]*[\r\n]+){2}")),
    ("TTML", late_pattern(rb"(?:<\?xml[^<>]*>\s*)?" + COMMENTS + rb"<(?:\w+:)?tt[\s>]")),
    ("SAMI", late_pattern(rb"<SAMI[\s>]", re.IGNORECASE)),
    (
        "LRC (lyrics)",
        late_pattern(
            rb"(?:\[[a-z#]{2,6}:[^\]\r\n]*\]\s*)*"
            rb"(?:\[\d{1,3}:\d\d(?:[.:]\d{1,3})?\][^\r\n]*[\r\n]+){2}"
        ),
    ),
)
_FIRST_OF_OTHERS = b"[{<0123456789"  # the first character of each of these


def refuse_other_subtitles(source: Source) -> None:
    """Refuse subtitles in formats that are not read, with a remedy."""
    head = source.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if head[:1] not in _FIRST_OF_OTHERS:  # most texts
        return
    for called, begins in _OTHER_SUBTITLES:
        if begins.match(head):
            raise source.error(f"is subtitles of {called}: make SubRip (.srt) of them", 1)


# Reading of subtitles: SubRip, WebVTT and SubStation Alpha, a cue a segment, with its times.

_ENDINGS = (".srt", ".vtt")
_TIME = r"(?:\d+ ?: ?)?\d{1,2} ?: ?\d{2}(?: ?[.,] ?\d{1,3})?"
_ARROW = r"(?:-- ?>|[–—]>)"  # translated files have arrows with blanks and dashes
_TIMES = late_pattern(rf"({_TIME})\s*(?:{_ARROW}|->)\s*({_TIME})(?:\s.*)?")
_HALF_TIMES = late_pattern(rf"({_TIME})\s*{_ARROW}.*")
_CUT_TIME = late_pattern(r"\d+:[\d:]*(?:[.,]\d*)?\s*[-–—]*")
# White space, and characters of no width: marks of text direction, and the byte order mark.
_UNSEEN = (
    " \t\r\u00a0\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068"
    "\u2069\ufeff"
)
_SCRIPT = late_pattern(r"\[script info\]", re.IGNORECASE)  # begins SubStation Alpha (ASS, SSA)
_COMMENTS = "comments and drawings of subtitles, left out"
_BRACED = late_pattern(r"(?<!\\)\{(?!\\)[^{}]*\}")  # `{a comment}`, and no `{\i1}`
# A drawing, up to `{\p0}` or the end
_DRAWING = late_pattern(r"\{[^{}]*\\p[1-9][^{}]*+\}[^{}]*+(?:\{(?![^{}]*\\p0)[^{}]*+\}[^{}]*+|)*+")
_ONE_LANGUAGE = (
    "cues whose second line goes on with the first, taken as source and target: subtitles in one "
    "language are a text, for bitext align"
)
_HALF = "cues without a whole line of times, as of a file that is cut short"
_BACKWARDS = "cues that end before they begin, taken to end where they begin"
_EARLY = "cues that begin before the cue above them, read in the order of the file"
_TWO_LANGUAGES = (
    "subtitles whose cues have two lines each, read as one text: if these are two languages, the "
    "file alone is an alignment"
)
_FEWEST_IN_ORDER = 3  # cues, fewer of which are in no order
_FEWEST_PAIRED = 5  # cues that all have two lines
_DASHES = frozenset("-‐–—")
# The blank between two speakers: `- Yes? - No.`
_TURNS = late_pattern(r"(?<=[.!?…♪\"'”»’)\]]) (?=[-‐–—] ?[^\s\d-])")
_SETTINGS = "cues with settings behind their times (align:start), left out"
_BEFORE = "subtitles with lines before the first cue, left out"
_WEB = late_pattern(r"WEBVTT(?:\s.*)?")
_BESIDE = late_pattern(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s.*)?")  # blocks that are no cues
_UNDECODED = late_pattern("[\udc80-\udcff]")  # see `Source.undecodable`
_NUMBER = late_pattern(r"\d+")
# Markup of cues: `<i>`, `</font>`, `<v Bob>`, `<00:01.500>`, `{\an8}`, and readings of ruby
_MARKUP = late_pattern(r"<rt>[^<>]*</rt>|</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
# Sounds in brackets, and songs between notes or, as the BBC has them, between number signs; a song
# without a note at its end ends with the line.
_SOUND = late_pattern(
    r"\[[^\[\]]*\]|\([^()]*\)|（[^（）]*）|［[^［］]*］|^\s*#[^#]*#\s*$|"
    r"[♪♫♬](?:[^♪♫♬]*(?<!\n)(?<!\n- )[♪♫♬]+|[^♪♫♬\n]*)",
    re.MULTILINE,
)
_SPEAKER = late_pattern(r"(\s*[-‐–—]?\s*)([^\W\d_][^:\n]{0,30}):(?:\s+|$)")
_TURN = late_pattern(r"^\s*>>+\s*")  # a change of speakers in captions of television
_KEPT = "cues with sounds, songs or speakers ([door slams], ♪, MAN:), kept"
_LEFT_OUT = "cues with sounds, songs or speakers ([door slams], ♪, MAN:), these left out"
_ROLLING = "lines that stay from the cue before, as in rolling captions, left out"
_FEWEST_ROLLING = 3  # cues with such lines, at least; set by hand
_PAUSE = 3.0  # seconds between two cues over which no sentence goes on, set by hand
_BEGINNING = 1 << 10  # bytes of a file that tell SubStation Alpha
_BLANK = late_pattern(r"[\s;]")  # not allowed in ids of XCES


class _Cue(NamedTuple):
    name: str
    begin: float
    end: float
    lines: list[str]


def is_subtitles(head: bytes, path: str, encoding: str = "utf-8") -> bool:
    r"""Recognise subtitles by the first bytes and the name of a file.

    Subtitles have a line of times among the first two lines that are not empty. In a file that
    begins as WebVTT, or whose name ends with `.srt` or `.vtt`, any line of `head` may have times.
    SubStation Alpha begins with `[Script Info]`, and has lines `Dialogue:`.

    Examples
    --------
    >>> is_subtitles(b"1\n00:00:01,000 --> 00:00:02,500\nHello.\n", "a"), is_subtitles(b"A.\n", "a")
    (True, False)

    """
    bom, known = mark_of(head, encoding)
    # Of most texts only the first two lines are examined.
    lines = re.finditer(r"[^\r\n]+", head[len(bom) :].decode(known, "replace"))
    rest = filter(None, (line[0].strip(_UNSEEN) for line in lines))
    first = list(islice(rest, 2))
    if first and _SCRIPT.fullmatch(first[0]):
        events = any(line.lower().startswith("dialogue:") for line in chain(first, rest))
        return events or len(head) >= HEAD  # fonts may stand before the events
    named = unpacked(path).lower().endswith(_ENDINGS) or _WEB.fullmatch("".join(first[:1]))
    return any(map(_TIMES.fullmatch, chain(first, rest) if named else first))


def read_subtitles(source: Source, lang: str, *, dialogue: bool | None = False) -> Text:
    """Read one cue a segment, with the number or the name of the cue as id, and its times.

    The lines of a cue are joined by blanks, and its markup is left out, with a note. Cues are
    numbered from 1 where a name is missing, has a blank, or occurs twice.

    `lang` is the code of the language; it may be empty. With `dialogue` sounds, songs and the names
    of speakers are left out. With `None` they are not looked for, as the reader has no such option.
    """
    head = source.head()
    first = head[:_BEGINNING].decode(mark_of(head, source.encoding)[1], "replace")
    is_script = _SCRIPT.match(first.lstrip(f"{_UNSEEN}\n")) is not None
    cues = list(_script_cues(source) if is_script else _cues(source))
    for cue in cues:
        if any(map(_MARKUP.search, cue.lines)):
            source.note("cues with markup (<i>, {\\an8}), left out")
    names = [cue.name for cue in cues]
    if len({*names}) < len(names) or not all(names) or any(map(_BLANK.search, names)):
        names = [str(k) for k in range(1, len(cues) + 1)]
    times = [(cue.begin, cue.end) for cue in cues]
    if backwards := [k for k, (begin, end) in enumerate(times) if end < begin]:
        source.note(_BACKWARDS, names[backwards[0]], count=len(backwards))
        for k in backwards:
            times[k] = times[k][0], times[k][0]
    early = [k for k in range(1, len(times)) if times[k][0] < times[k - 1][0]]
    if early and len(times) >= _FEWEST_IN_ORDER:
        source.note(_EARLY, names[early[0]], count=len(early))
    lines = _without_rolling(source, [_plain(cue.lines) for cue in cues])
    if len(lines) >= _FEWEST_PAIRED and all(len(each) in {2, 4} for each in lines):
        # Halves in one language are the lines of a sentence, or two speakers.
        halves = [(each[len(each) // 2 - 1], each[len(each) // 2]) for each in lines]
        together = sum(
            _goes_on(upper, lower) or _DASHES.issuperset((upper[0], lower[0]))
            for upper, lower in halves
        )
        if together * 2 <= len(lines):
            source.note(_TWO_LANGUAGES)
    texts = [" ".join(each) for each in lines]
    spoken = texts
    if dialogue is not None:
        spoken = [" ".join(_dialogue("\n".join(each)).split()) for each in lines]
    if different := [
        k for k, (one, other) in enumerate(zip(texts, spoken, strict=True)) if one != other
    ]:
        kept = f"{_KEPT} ({remedy('dialogue')}: left out)"
        source.note(_LEFT_OUT if dialogue else kept, names[different[0]], count=len(different))
    texts = spoken if dialogue else texts
    return Text(texts, ids=names, name=source.path, lang=lang, times=times)


def begins_as_webvtt(head: bytes) -> bool:
    """Recognise the first line of WebVTT."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    return first.split()[:1] == [b"WEBVTT"]


def read_bilingual(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    """Read cues of two lines, the source and the target, as bisegments with the times of both.

    Raises `FormatError` when a cue has another number of lines.
    """
    beads = Beads(source, options)
    times: tuple[list[tuple[float, float]], ...] = ([], [])
    goes_on = 0  # cues whose second line seems to go on with the first
    for number, cue in enumerate(_cues(source), start=1):
        lines = [line for line in cue.lines if line.strip(" \t\r\ufeff")]
        if source.undecodable and any(map(_UNDECODED.search, lines)):  # reported by the source
            continue
        if len(lines) != 2:
            message = (
                f"cue {cue.name or number} has {many(len(lines), 'line')}, and a bisegment has "
                f"two, the source and the target: if these are subtitles in one language, give "
                f"both files to bitext align"
            )
            if not len(beads):
                raise source.error(message)
            source.refuse(message)
            continue
        if any(map(_MARKUP.search, lines)):
            source.note("cues with markup (<i>, {\\an8}), left out")
        sides = [[text] if (text := _without_markup(line)) else [] for line in lines]
        if not any(sides):
            source.note("cues without characters, left out")
            continue
        for side, held in zip(sides, times, strict=True):
            held += [(cue.begin, max(cue.end, cue.begin))] * len(side)
        goes_on += all(sides) and _goes_on(sides[0][0], sides[1][0])
        beads.add(sides[0], sides[1])
    if goes_on * 2 > len(beads):
        source.note(_ONE_LANGUAGE, count=goes_on)
    for bitext in beads.rest():
        texts = [
            None if text is None else text.with_times(held)
            for text, held in zip((bitext.src, bitext.tgt), times, strict=True)
        ]
        yield replace(bitext, src=texts[0], tgt=texts[1])


def _without_markup(line: str) -> str:
    return html.unescape(_MARKUP.sub("", line)).strip()


def _goes_on(line: str, after: str) -> bool:
    """Check whether a line ends in mid-sentence and the next line continues it."""
    return (line[-1].isalnum() or line[-1] in ",;:-–") and after[:1].islower()


def _plain(lines: Iterable[str]) -> list[str]:
    plain = (" ".join(html.unescape(_MARKUP.sub("", line)).split()) for line in lines)
    return list(filter(None, plain))


def _without_rolling(source: Source, cues: list[list[str]]) -> list[list[str]]:
    """Leave out the lines that stay from the cue before, if most cues begin with such lines."""
    stay = [0]
    for before, lines in pairwise(cues):
        most = min(len(before), len(lines))
        stay.append(next((k for k in range(most, 0, -1) if before[-k:] == lines[:k]), 0))
    rolling = len(stay) - stay.count(0)
    if rolling < max(_FEWEST_ROLLING, len(cues) / 2):
        return cues
    source.note(_ROLLING, count=rolling)
    return [lines[k:] for k, lines in zip(stay, cues, strict=True)]


def _dialogue(cue: str) -> str:
    r"""Return the spoken words of a cue, without sounds, songs and the names of speakers.

    Examples
    --------
    >>> cues = ["[door slams] Who is it?", "- MAN: Me. (laughs)", "♪ La, la ♪", "Note: 3 (three)"]
    >>> list(map(_dialogue, cues))
    [' Who is it?', '- Me. ', '', 'Note: 3 ']
    >>> _dialogue("♪ La,\nla ♪\n>> MAN:\nYes. [door\nslams]")
    '\n\nYes. '

    """
    lines = []
    for line in _SOUND.sub("", cue).split("\n"):
        spoken = _TURN.sub("", line)
        speaker = _SPEAKER.match(spoken)
        if speaker is not None and speaker[2].isupper():
            spoken = speaker[1] + spoken[speaker.end() :]
        lines.append(spoken if spoken.strip(" -‐–—\t") else "")
    return "\n".join(lines)


def runs_of_speech(cues: Text) -> list[tuple[int, int]]:
    """Divide cues at pauses of three seconds, and around those with sounds or songs alone.

    Examples
    --------
    >>> from bitext.model import Text
    >>> cues = Text(["He went", "home.", "[door]", "Oh?"], times=[(1, 2), (2, 3), (3, 4), (9, 9)])
    >>> runs_of_speech(cues)
    [(0, 2), (2, 3), (3, 4)]

    """
    sounds = [bool(text) and not _dialogue(text).strip() for text in cues.segments()]
    ends = [k for k in range(1, len(cues)) if sounds[k - 1] or sounds[k]]
    if cues.times is not None:
        pauses = cues.times[1:, 0] - cues.times[:-1, 1]
        ends += [k + 1 for k, pause in enumerate(pauses.tolist()) if pause >= _PAUSE]
    borders = [0, *sorted({*ends}), len(cues)]
    return list(pairwise(borders)) if len(cues) else []


def _script_cues(source: Source) -> Iterator[_Cue]:
    """Yield the cues of SubStation Alpha (ASS, SSA), in the order of their times.

    The line `Format:` of the events names their fields, of which the text is the last.
    """
    cues: list[_Cue] = []
    fields = ["", "start", "end", *[""] * 6, "text"]
    in_events = False
    for number, line in source.stream_lines(bare_returns=True):
        key, colon, rest = line.strip(_UNSEEN).partition(":")
        if key.startswith("["):
            in_events = key.lower() == "[events]"
        elif in_events and key.lower() == "format":
            fields = [name.strip().lower() for name in rest.split(",")]
            if not {"start", "end", "text"} <= {*fields}:
                raise source.error("names no fields Start, End and Text of the events", number)
        elif in_events and key.lower() == "dialogue" and colon:
            values = rest.split(",", len(fields) - 1)
            if len(values) < len(fields):
                source.note(_HALF)
                continue
            row = dict(zip(fields, map(str.strip, values), strict=True))
            text, drawings = _DRAWING.subn("", row["text"])
            text, comments = _BRACED.subn("", text)
            if drawings or comments:
                source.note(_COMMENTS, count=drawings + comments)
            if drawings and not _MARKUP.sub("", text).strip():
                continue
            text = text.replace("\\N", "\n").replace("\\n", "\n").replace("\\h", " ")
            times = seconds(row["start"]), seconds(row["end"])
            cues.append(_Cue("", *times, text.split("\n")))
        elif in_events and key.lower() == "comment":
            source.note(_COMMENTS)
    return iter(sorted(cues, key=lambda cue: 0.0 if math.isnan(cue.begin) else cue.begin))


def _cues(source: Source) -> Iterator[_Cue]:
    """Yield the cues.

    The lines of a cue reach to the next line of times, since an empty line may stand within a cue.
    The line before times names its cue if it is a number, or follows an empty line, or precedes the
    first cue.
    """
    cue: _Cue | None = None
    lines: list[str] = []  # since the last times
    web: bool | None = None  # not known before the first line that is not empty
    beside = False  # in a block of WebVTT that is no cue
    for _, line in source.stream_lines(bare_returns=True):
        # A carriage return alone ends lines, too.
        for plain in line.rstrip("\r\n").split("\r"):
            bare = plain.strip(_UNSEEN)
            if web is None and bare:
                web = _WEB.fullmatch(bare) is not None
            if times := _TIMES.fullmatch(bare) or _HALF_TIMES.fullmatch(bare):
                name = _pop_name(lines, opens=cue is None)
                if cue is not None:
                    cue.lines.extend(lines)
                    yield cue
                elif _is_filled(lines):
                    source.note(_BEFORE)
                _note_times(source, times)
                begin, end = map(seconds, (*times.groups(), "")[:2])
                cue, lines, beside = _Cue(name, begin, end, []), [], False
            elif beside or (web and not _is_filled(lines[-1:]) and _BESIDE.fullmatch(bare)):
                if not beside and bare.startswith("NOTE"):
                    source.note("comments (NOTE), left out")
                beside = bool(bare)
            else:
                lines.append(plain)
    if cue is not None:
        if _pop_cut_cue(lines, cue.name):
            source.note(_HALF)
        cue.lines.extend(lines)
        yield cue


def _note_times(source: Source, times: re.Match[str]) -> None:
    if len(times.groups()) == 1:  # the half of them
        source.note(_HALF)
    elif times[0][times.end(2) :].strip():
        source.note(_SETTINGS)


def _pop_cut_cue(lines: list[str], name: str) -> bool:
    """Remove the beginning of one more cue from the last lines; return whether there is one.

    A file that is cut short ends with the next number after an empty line, and maybe with a part
    of the times.
    """
    filled = [k for k, line in enumerate(lines) if line.strip(_UNSEEN)]
    if not name.isdecimal() or not filled:
        return False
    first = filled[-1]
    if _CUT_TIME.fullmatch(lines[first].strip(_UNSEEN)) and len(filled) > 1:
        first = filled[-2]
    if lines[first].strip(_UNSEEN) != str(int(name) + 1) or (
        first and _is_filled([lines[first - 1]])
    ):
        return False
    if first == 0 and first == filled[-1]:
        return False  # the text of the cue itself
    del lines[first:]
    return True


def _pop_name(lines: list[str], *, opens: bool) -> str:
    """Remove the number or the name of the next cue from the lines before its times; return it."""
    last = max((k for k, line in enumerate(lines) if line.strip(_UNSEEN)), default=None)
    if last is None:
        return ""
    behind = opens if last == 0 else not lines[last - 1].strip(_UNSEEN)
    at_times = last == len(lines) - 1
    name = lines[last].strip(_UNSEEN)
    if not (behind and at_times) and not (_NUMBER.fullmatch(name) and (behind or at_times)):
        return ""
    del lines[last:]
    return name


def _is_filled(lines: list[str]) -> bool:
    return any(line.strip(_UNSEEN) for line in lines)


# Writing of subtitles: cues for bisegments, in order, with times for all of them.


EMPTY = "\u00a0"  # the line of an empty side: players show nothing, and the cue does not end

# By the guides of broadcasters (BBC, Netflix): a cue has two lines of 42 characters at most, and is
# shown for seven seconds at most; 15 characters are read in a second.
_LINE = 42  # characters
_LONGEST = 7.0  # seconds
_SPEED = 15.0  # characters a second
_MIN_SECONDS = 0.7  # seconds of a cue that is put between two others
_STEP = 0.001  # seconds, in which times are written

_BREAK = late_pattern("\r\n|[\t\r\n]")


class _WrittenCue(NamedTuple):
    """A cue: start and end in seconds, `nan` if they are not known; and its lines."""

    start: float
    end: float
    lines: tuple[str, ...]

    @property
    def size(self) -> int:
        return max(1, sum(len(line.strip()) for line in self.lines))


def write_cues(
    bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions, web: bool
) -> None:
    """Write a document pair, or the parts of one, as cues, numbered from 1.

    With `options.retimed` only the target is written, at the times of the source. The file is
    WebVTT with `web`, else SubRip.

    Raises `InputError` when there is a second document pair, or one without times.
    """
    cues: list[_WrittenCue] = []
    name = ""
    for bitext in bitexts:
        if not bitext.continues and name:
            raise InputError(
                f"{name_of(bitext)}: is a second text, and a file of subtitles holds one: name a "
                f"folder for a file each"
            )
        name = name_of(bitext) or "the text"
        cues += _retimed(bitext) if options.retimed else _bilingual(bitext)
    if cues and not any(map(_is_timed, cues)):
        raise no_times(name)
    if web:
        out.write("WEBVTT\n\n")
    shown = (cue for cue in _with_times(cues) if cue.lines)
    for number, cue in enumerate(_in_order(shown), start=1):
        mark = "." if web else ","
        times = f"{clock(cue.start, mark=mark)} --> {clock(cue.end, mark=mark)}"
        lines = "\n".join(_spelled(line, web=web) for line in cue.lines)
        out.write(f"{number}\n{times}\n{lines}\n\n")


def _spelled(line: str, *, web: bool) -> str:
    """Return a line that ends no cue and begins none."""
    line = _BREAK.sub(" ", line)
    if web:
        line = html.escape(line, quote=False)
    elif "-->" in line:
        line = line.replace("-->", "→")
    return line if line.strip(" ") else EMPTY


_MAY_CHANGE = late_pattern(r"[<{&]|-->|^\s|\s\Z")  # without any of these, nothing changes


def _is_changed(segment: str, *, web: bool) -> bool:
    """Check whether a segment is not read as it was written, besides its tabs and line ends."""
    if not _MAY_CHANGE.search(segment):
        return False
    return _without_markup(_spelled(segment, web=web)) != _BREAK.sub(" ", segment)


def _is_timed(cue: _WrittenCue) -> bool:
    return not math.isnan(cue.start)


# The cues of bisegments.


def _sides(bitext: Bitext) -> tuple[list[str], list[str]]:
    texts = [text for text in (bitext.src, bitext.tgt) if text is not None and text.has_text]
    if len(texts) < 2:
        raise InputError(f"{name_of(bitext)}: holds positions or ids only; subtitles need texts")
    return list(texts[0].segments()), list(texts[1].segments())


def _bilingual(bitext: Bitext) -> list[_WrittenCue]:
    src, tgt = _sides(bitext)
    return [
        _WrittenCue(
            start, end, (" ".join(src[k] for k in bead.src), " ".join(tgt[k] for k in bead.tgt))
        )
        for bead, (start, end) in zip(bitext.alignment, cue_times(bitext).tolist(), strict=True)
    ]


def _retimed(bitext: Bitext) -> list[_WrittenCue]:
    """Return cues of the target, at the times of the source."""
    _, tgt = _sides(bitext)
    cues: list[_WrittenCue] = []
    inner = None if bitext.src is None else bitext.src.times
    for bead, (start, end) in zip(bitext.alignment, cue_times(bitext).tolist(), strict=True):
        texts = [_BREAK.sub(" ", tgt[k]).strip() for k in bead.tgt]
        times = [(start, end)]
        if inner is not None and len(bead.src) > 1 and not np.isnan(inner[list(bead.src)]).any():
            times = [(float(inner[k, 0]), float(inner[k, 1])) for k in bead.src]
        # A cue without lines gives its time to its neighbours, and is not written.
        given = list(filter(None, texts))
        cues += _divided(given, times) if given else [_WrittenCue(start, end, ())]
    return cues


def _divided(texts: list[str], times: list[tuple[float, float]]) -> list[_WrittenCue]:
    """Divide the texts of a bisegment among the cues of its source, where one would be too long."""
    whole = " ".join(texts)
    start, end = times[0][0], times[-1][1]
    if len(times) < 2 or (end - start <= _LONGEST and len(whole) <= 2 * _LINE):
        return [_WrittenCue(start, end, _lines(whole))]
    lengths = np.array([max(until - begin, _STEP) for begin, until in times])
    ends = np.cumsum(lengths / lengths.sum())
    if len(texts) < len(times):
        parts = _cut(whole, ends[:-1].tolist())
    else:
        # Each segment goes to the cue in whose share of the time its middle is.
        sizes = np.array([len(text) for text in texts])
        middles = (np.cumsum(sizes) - sizes / 2) / sizes.sum()
        cue = np.searchsorted(ends[:-1], middles).tolist()
        parts = [
            " ".join(text for text, place in zip(texts, cue, strict=True) if place == k)
            for k in range(len(times))
        ]
    return [
        _WrittenCue(*span, _lines(part)) for span, part in zip(times, parts, strict=True) if part
    ]


def _cut(text: str, shares: list[float]) -> list[str]:
    """Cut a text at blanks near some shares of its length, after punctuation if there is some."""
    parts: list[str] = []
    begin = 0
    for share in shares:
        at = share * len(text)
        blanks = [k for k in range(begin + 1, len(text)) if text[k] == " "]
        if not blanks:
            break
        # Punctuation is worth a sixth of the text.
        bonus = len(text) / 6
        best = min(blanks, key=lambda k: (abs(k - at) - (text[k - 1] in ".,;:!?…–—") * bonus, k))
        parts.append(text[begin:best].strip())
        begin = best + 1
    parts.append(text[begin:].strip())
    return parts + [""] * (len(shares) + 1 - len(parts))


def _lines(text: str) -> tuple[str, ...]:
    """Wrap a text in lines of at most 42 characters that are about as long, if it has blanks.

    Two speakers, each behind a dash, have a line each.
    """
    turns = _TURNS.split(text) if text[:1] in _DASHES else []
    if len(turns) == 2 and max(map(len, turns)) <= _LINE:
        return tuple(turns)
    number = -(-len(text) // _LINE)
    if number < 2:
        return (text,)
    parts = _cut(text, [k / number for k in range(1, number)])
    return tuple(filter(None, parts))


# Times for cues that have none, and their order.


def _with_times(cues: list[_WrittenCue]) -> list[_WrittenCue]:
    """Return cues with times: those without are between their neighbours, or share their time."""
    result: list[_WrittenCue] = []
    waiting: list[_WrittenCue] = []
    for cue in cues:
        if not _is_timed(cue):
            waiting.append(cue)
            continue
        if math.isnan(cue.end):
            cue = cue._replace(end=cue.start + max(1.0, cue.size / _SPEED))
        if waiting:
            before = result.pop() if result else None
            result += _placed(before, waiting, cue)
            cue, waiting = result.pop(), []
        result.append(cue)
    if waiting:
        result += _placed(result.pop(), waiting, None)
    return result


def _placed(
    before: _WrittenCue | None, waiting: list[_WrittenCue], after: _WrittenCue | None
) -> list[_WrittenCue]:
    """Return two neighbours with the cues between them, whose times are not known."""
    wanted = sum(max(_MIN_SECONDS, cue.size / _SPEED) for cue in waiting)
    ends = [] if after is None else [after]
    begins = [] if before is None else [before]
    if before is None and after is not None:
        end = after.start
        start = max(0.0, end - wanted)
    else:
        start = before.end if before is not None else 0.0
        end = start + wanted if after is None else min(after.start, start + wanted)
    if end - start >= _MIN_SECONDS * len(waiting):
        return [*begins, *_shared(waiting, start, end), *ends]
    if before is not None:
        # As much of the pause as there is belongs to the time that they share.
        return [*_shared([before, *waiting], before.start, max(before.end, end)), *ends]
    if after is None:
        return waiting
    return _shared([*waiting, after], start, after.end)


def _shared(cues: list[_WrittenCue], start: float, end: float) -> list[_WrittenCue]:
    """Divide a time among cues by their lengths."""
    shares = np.cumsum([0, *(cue.size for cue in cues)]) / sum(cue.size for cue in cues)
    borders = (start + (end - start) * shares).tolist()
    return [
        cue._replace(start=begin, end=until)
        for cue, begin, until in zip(cues, borders[:-1], borders[1:], strict=True)
    ]


def _in_order(cues: Iterable[_WrittenCue]) -> list[_WrittenCue]:
    """Sort cues by their starts; a cue ends where the next begins, unless both begin together."""
    ordered = sorted(
        (cue._replace(start=round(cue.start, 3), end=round(cue.end, 3)) for cue in cues),
        key=lambda cue: cue.start,
    )
    starts = [cue.start for cue in ordered]
    for k, cue in enumerate(ordered):
        following = bisect_right(starts, cue.start)
        later = starts[following] if following < len(starts) else math.inf
        ordered[k] = cue._replace(end=min(max(cue.end, cue.start + _STEP), later))
    return ordered


def _read_webvtt(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    if not begins_as_webvtt(source.head()):
        raise source.error("does not begin with WEBVTT; SubRip has the ending .srt", 1)
    yield from read_bilingual(source, options)


def _unwritten(bitext: Bitext, name: str) -> Bools:
    """Mark the values of a column of times that are not times."""
    column = bitext.alignment.attributes[name]
    filled = np.array([value is not None for value in column], dtype=bool)
    return filled & np.isnan(times_of_column(column)).all(axis=1)


_KEEPS = Capabilities(
    texts=True,
    empty_sides=True,
    controls=True,
    times=True,
    columns=frozenset({"src_time", "tgt_time"}),
    empty_values=True,
    unwritten=_unwritten,
)

_CHANGED = "segments with white space at an end, or what reads as markup of cues (<i>), changed"

FORMAT = Format(
    name="srt",
    title="subtitles in two languages (SubRip)",
    holds="text",
    suffixes=(".srt",),
    sniff=lambda head: 80 if is_subtitles(head, "") and not begins_as_webvtt(head) else 0,
    read=read_bilingual,
    write=partial(write_cues, web=False),
    keeps=replace(_KEEPS, one_time=True, changed=(_CHANGED, partial(_is_changed, web=False))),
    keeps_retimed=_KEEPS,
)
WEBVTT = Format(
    name="vtt",
    title="subtitles in two languages (WebVTT)",
    holds="text",
    suffixes=(".vtt",),
    sniff=lambda head: 90 if begins_as_webvtt(head) and is_subtitles(head, "") else 0,
    read=_read_webvtt,
    write=partial(write_cues, web=True),
    keeps=replace(_KEEPS, one_time=True, changed=(_CHANGED, partial(_is_changed, web=True))),
    keeps_retimed=_KEEPS,
)
