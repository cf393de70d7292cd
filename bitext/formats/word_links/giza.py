"""GIZA++ (`.A3.final`): three lines for each sentence pair, with text and word links.

    # Sentence pair (1) source length 2 target length 3 alignment score : 0.0012
    das Haus hier
    NULL ({ 3 }) the ({ 1 }) house ({ 2 })

The source is the sentence of the third line: after each of its words come the positions of the
target words (of the second line) linked to the word, from 1; after NULL those of the unlinked ones.
The language of the source depends on the direction of the run (a file `en2de` may have either), so
the sides may have to be exchanged (--swap).

A sentence pair is a 1-1 bisegment, its words joined by one blank, its links in the column `words`,
its score the probability of the alignment. A sentence without words is no segment; a pair of two
empty sentences is left out and noted. Numbers that do not go up by one (files joined from several
processes) are noted, too.

| kept | lost |
| --- | --- |
| text, the words separated by single blanks | tabs, line ends, several blanks in a row |
| word links | marks of possible links, confidences |
| scores; 0-1 pairs | ids, attributes, languages, the borders between segments and documents |

GIZA++ links each target word at most once; but all links of a bitext are written.
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
        pair = _pair(source, header, target, linked, number)
        if pair is None:
            continue
        src, tgt, links = pair
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

    A pair ends where another begins, so that an error affects one pair only.
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
    """Parse the words and links of a sentence pair; return `None` where the pair is refused."""
    tgt = tokens(target)
    words = _words(linked)
    if words is None or not words or words[0][0] != "NULL":
        source.refuse(
            f"is {linked[:40]!r}; want NULL ({{ 3 }}) and each word of the source with the numbers "
            f"of its target words, as house ({{ 1 2 }})",
            number + 2,
        )
        return None
    src = [word for word, _ in words[1:]]
    if (len(src), len(tgt)) != (int(header[2]), int(header[3])):
        source.refuse(
            f"promises {header[2]} source and {header[3]} target words, but its pair has "
            f"{len(src)} and {len(tgt)}; want words separated by blanks, none with a blank in it",
            number,
        )
        return None
    wrong = next((at for _, row in words for at in row if not 0 < at <= len(tgt)), None)
    if wrong is not None:
        source.refuse(
            f"links target word {wrong}, but the target has {len(tgt)} (1 to {len(tgt)})",
            number + 2,
        )
        return None
    links = [Link(k, at - 1) for k, (_, row) in enumerate(words[1:]) for at in row]
    unique = distinct(links)
    if len(unique) < len(links):
        kind = "word links that occur twice in a sentence pair, taken once"
        source.notes.add(kind, f"{source.path} line {number + 2}", len(links) - len(unique))
    return src, tgt, unique


def _words(line: str) -> list[tuple[str, list[int]]] | None:
    """Parse a third line into words, each with the target positions linked to it."""
    line = " ".join(tokens(line))
    words: list[tuple[str, list[int]]] = []
    end = 0
    while end < len(line):
        word = _WORD.match(line, end)  # anchored, so that the cost is linear
        if word is None:
            return None
        words.append((word[1], list(map(int, word[2].split()))))
        end = word.end()
    return words


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - no option applies
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
    """Return the first line of a pair between number and score, and the two lines below."""
    wrong = beyond(links, len(src), len(tgt))
    if wrong is not None:
        raise InputError(
            f"bisegment {k} links words {wrong.src} and {wrong.tgt} (from 0), but its sides have "
            f"{len(src)} and {len(tgt)} words; align the words of these texts"
        )
    rows: list[list[int]] = [[] for _ in src]
    for link in links:
        rows[link.src].append(link.tgt + 1)
    unlinked = np.ones(len(tgt), dtype=np.bool_)
    unlinked[[link.tgt for link in links]] = False
    null = (np.flatnonzero(unlinked) + 1).tolist()
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
