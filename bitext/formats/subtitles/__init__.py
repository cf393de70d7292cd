r"""Subtitles: cues of text with the times at which they are shown (SubRip, WebVTT).

Subtitles in one language are texts, which `bitext align` reads: a cue a segment, with its times.
A file of this format is in two languages: each cue is a bisegment, of which the first line is the
source and the second the target. A line with nothing but a no-break space is an empty side.

    1
    00:00:41,200 --> 00:00:42,100
    Good morning.
    Guten Morgen.

Cues have the times of the source, from the start of its first segment to the end of its last; where
it has none, those of the target. A bisegment without times is shown between its neighbours, where
there is room, else in a part of the time of one of them. The cues are in order, and overlap only
where those of the source do.

With `WriteOptions.retimed` a file has the text of the target alone, at the times of the source,
wrapped at 42 characters: a text that would be shown for more than seven seconds, or has more than
two lines, is divided among the cues of the source.

| kept | lost |
| --- | --- |
| texts, times, empty sides | borders of segments, inner times, segments without characters |
| the order of bisegments by their times | crossings, gaps, overlaps, uncovered segments |
| characters of any kind | tabs and line ends, inline codes, ids, scores, columns, languages |

What looks like markup of cues (`<i>`, `{\an8}`) is left out on reading; WebVTT escapes it. A
second document pair is refused, as its times begin anew, and so are texts without times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.kernels.arrays import Bools
    from bitext.model import Bitext


def _sniff(head: bytes) -> int:
    from bitext.formats.subtitles.cues import begins_as_webvtt, is_subtitles

    return 80 if is_subtitles(head, "") and not begins_as_webvtt(head) else 0


def _sniff_webvtt(head: bytes) -> int:
    from bitext.formats.subtitles.cues import begins_as_webvtt, is_subtitles

    return 90 if begins_as_webvtt(head) and is_subtitles(head, "") else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.subtitles.cues import read_bilingual

    return read_bilingual(source, options)


def _read_webvtt(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.subtitles.cues import begins_as_webvtt, read_bilingual

    if not begins_as_webvtt(source.head()):
        raise source.error("does not begin with WEBVTT; SubRip has the ending .srt", 1)
    yield from read_bilingual(source, options)


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    from bitext.formats.subtitles.cues import write_cues

    write_cues(bitexts, out, retimed=options.retimed, web=False)


def _write_webvtt(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    from bitext.formats.subtitles.cues import write_cues

    write_cues(bitexts, out, retimed=options.retimed, web=True)


def _unwritten(bitext: Bitext, name: str) -> Bools:
    """Mark the values of a column of times that are no times."""
    import numpy as np

    from bitext.formats.subtitles.times import times_of_column

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

FORMAT = Format(
    name="srt",
    title="subtitles in two languages (SubRip)",
    holds="text",
    suffixes=(".srt",),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=_KEEPS,
    keeps_retimed=_KEEPS,
)
WEBVTT = Format(
    name="vtt",
    title="subtitles in two languages (WebVTT)",
    holds="text",
    suffixes=(".vtt",),
    sniff=_sniff_webvtt,
    read=_read_webvtt,
    write=_write_webvtt,
    keeps=_KEEPS,
    keeps_retimed=_KEEPS,
)
