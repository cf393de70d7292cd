"""GIZA++ (`.A3.final`): three lines a sentence pair, with its text and the links of its words.

    # Sentence pair (1) source length 2 target length 3 alignment score : 0.0012
    das Haus hier
    NULL ({ 3 }) the ({ 1 }) house ({ 2 })

The source is the sentence of the third line: behind each of its words stand the words of the target
(the second line) that it is linked to, counted from 1; behind NULL those that are linked to none.
Which language that is depends on the direction of the run (a file `en2de` may have either), so
exchange the sides (--swap) where it is the other one.

A sentence pair is a bisegment 1-1, its words joined with one blank, its links in the column
`words`, its score the probability of the alignment. A sentence without words is no segment; a
pair of two such is left out and noted, and so is that numbers do not go up by one (files of
several processes).

| kept | lost |
| --- | --- |
| text, the words parted by single blanks | tabs, line ends, several blanks in a row |
| word links | which of them are only possible, confidences |
| scores; 0-1 pairs | ids, attributes, languages, the borders between segments and documents |

Given links, GIZA++ itself links each target word once at most; all links of a bitext are
written, also where they are more.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import Beads, ChunkPositions, joined_sides
from bitext.formats.columns import SCORE, score_of
from bitext.formats.line_files import no_segment, spell_score
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.word_links import linked_values, links_of
from bitext.model.word_links import COLUMN, Link, beyond, distinct, spell, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_HEADER = re.compile(
    rf"# Sentence pair \((\d{{1,12}})\) source length (\d{{1,12}}) target length (\d{{1,12}}) "
    rf"alignment score : ({SCORE})[ \t]*",
    re.ASCII,
)
_WORD = re.compile(r" *([^ ]+) \(\{((?: +\d{1,9})*) *\}\)", re.ASCII)
_START = b"# Sentence pair ("


def _sniff(head: bytes) -> int:
    return 95 if head.removeprefix(b"\xef\xbb\xbf").startswith(_START) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    expected = 1
    for number, header, target, linked in _triples(source):
        if int(header[1]) != expected:
            kind = "sentence pairs whose numbers do not go up by one"
            source.notes.add(kind, f"{source.path} line {number}: {header[1]}, not {expected}")
        expected = int(header[1]) + 1
        found = _pair(source, header, target, linked, number)
        if found is None:
            continue
        src, tgt, links = found
        if src or tgt:
            score = score_of(header[4])
            beads.line = number
            beads.add(
                [" ".join(src)] * bool(src),
                [" ".join(tgt)] * bool(tgt),
                float("nan") if score is None else score,
                attributes={COLUMN: spell(links)},
            )
            yield from beads.parts()
        else:
            no_segment(source, number)
    yield from beads.rest()


def _triples(source: Source) -> Iterator[tuple[int, re.Match[str], str, str]]:
    """Yield the three lines of each sentence pair, with the number of the first.

    A pair ends where another begins: what is wrong with one is not wrong with the next.
    """
    lines = source.stream_lines()
    ahead = next(lines, None)
    while ahead is not None:
        (number, first), ahead = ahead, next(lines, None)
        header = _HEADER.fullmatch(first)
        if not header and not first.strip():
            source.notes.add("empty lines between pairs, left out", f"{source.path} line {number}")
            continue
        rest: list[str] = []
        while ahead is not None and not _HEADER.fullmatch(ahead[1]):
            if header and len(rest) == 2:
                break
            rest.append(ahead[1])
            ahead = next(lines, None)
        if not header:
            source.refuse(
                f"is {first[:40]!r}; want three lines a pair, the first as '# Sentence pair (1) "
                f"source length 2 target length 3 alignment score : 0.1'",
                number,
            )
        elif len(rest) < 2:
            source.refuse("ends within a sentence pair; want three lines each", number)
        else:
            yield number, header, rest[0], rest[1]


def _pair(
    source: Source, header: re.Match[str], target: str, linked: str, number: int
) -> tuple[list[str], list[str], list[Link]] | None:
    """Return the words of a sentence pair and its links; `None` where it is refused."""
    tgt = tokens(target)
    found = _words(linked)
    if found is None or not found or found[0][0] != "NULL":
        source.refuse(
            f"is {linked[:40]!r}; want NULL ({{ 3 }}) and each word of the source with the numbers "
            f"of its target words, as house ({{ 1 2 }})",
            number + 2,
        )
        return None
    src = [word for word, _ in found[1:]]
    if (len(src), len(tgt)) != (int(header[2]), int(header[3])):
        source.refuse(
            f"tells of {header[2]} source and {header[3]} target words, but its pair has "
            f"{len(src)} and {len(tgt)}; want words parted by blanks, none with a blank in it",
            number,
        )
        return None
    wrong = next((at for _, row in found for at in row if not 0 < at <= len(tgt)), None)
    if wrong is not None:
        source.refuse(
            f"links target word {wrong}, but the target has {len(tgt)} (1 to {len(tgt)})",
            number + 2,
        )
        return None
    links = [Link(k, at - 1) for k, (_, row) in enumerate(found[1:]) for at in row]
    kept = distinct(links)
    if len(kept) < len(links):
        kind = "word links that stand twice in a sentence pair, taken once"
        source.notes.add(kind, f"{source.path} line {number + 2}", len(links) - len(kept))
    return src, tgt, kept


def _words(line: str) -> list[tuple[str, list[int]]] | None:
    """Take a third line apart: words, each with what it is linked to."""
    line = " ".join(tokens(line))
    found: list[tuple[str, list[int]]] = []
    end = 0
    while end < len(line):
        word = _WORD.match(line, end)  # where it stands, so that no line takes long
        if word is None:
            return None
        found.append((word[1], list(map(int, word[2].split()))))
        end = word.end()
    return found


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    before = 0
    places = ChunkPositions()
    for bitext, values in linked_values(iter(bitexts), FORMAT.name):
        first = places.of(bitext).beads
        scores = bitext.alignment.scores
        sides = zip(*joined_sides(bitext, FORMAT.name), strict=True)
        for k, ((src, tgt), value) in enumerate(zip(sides, values, strict=True)):
            score = "" if scores is None else spell_score(scores[k])
            pair = _spell(tokens(src), tokens(tgt), links_of(value, first + k), first + k)
            out.write(f"{_START.decode()}{before + k + 1}) {pair[0]} {score or 'nan'}\n{pair[1]}")
        before += len(values)


def _spell(src: list[str], tgt: list[str], links: list[Link], k: int) -> tuple[str, str]:
    """Return the rest of the first line of a pair, up to its score, and the two lines below."""
    wrong = beyond(links, len(src), len(tgt))
    if wrong is not None:
        raise InputError(
            f"bisegment {k} links words {wrong.src} and {wrong.tgt} (from 0), but its sides have "
            f"{len(src)} and {len(tgt)} words; align the words of these texts"
        )
    rows: list[list[int]] = [[] for _ in src]
    for link in links:
        rows[link.src].append(link.tgt + 1)
    held = np.ones(len(tgt), dtype=np.bool_)
    held[[link.tgt for link in links]] = False
    null = (np.flatnonzero(held) + 1).tolist()
    items = (
        f"{word} ({{ {''.join(f'{at} ' for at in row)}}})"
        for word, row in chain([("NULL", null)], zip(src, rows, strict=True))
    )
    start = f"source length {len(src)} target length {len(tgt)} alignment score :"
    return start, f"{' '.join(tgt)}\n{' '.join(items)}\n"


FORMAT = Format(
    name="giza",
    title="sentence pairs with text and word links (GIZA++ A3)",
    holds="text",
    suffixes=(".a3.final", ".a3"),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities(texts=True, empty_sides=True, scores=True, words=True),
    streams=True,
)
