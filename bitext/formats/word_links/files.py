"""Files of word links: Pharaoh, the NAACL 2003 shared task, and GIZA++.

Pharaoh: word links, one sentence pair a line.

    0-0 1-1 2p3 3-2:0.9

An item is `i-j`: source word i and target word j, both counted from 0. `ipj` or `i?j` (or `i-jp`)
is a possible link, as in gold standards; `:` and a number after an item is its confidence. Line k
is sentence pair k: a 1-1 bisegment of segment k of both texts, with its links in the column
`words`. An empty line is a pair without links; the number of such pairs is noted.

A number after a tab, or after ` ||| ` as fast_align writes it, is the score of the pair; it is
read and not written. Numbers before a tab in all lines, as SimAlign writes them (`0<tab>0-0 1-1`),
are those of the pairs: from 0 or 1, one by one.

The texts are not in the file. If the user gives them (--src, --tgt, one sentence per line), they
must have as many lines, and no link may lie beyond the words of its sentence, which are separated
by blanks. Some files count from 1, as gold standards of shared tasks do. A file with a position 0
counts from 0; a file without, in which a link would lie just beyond the words of its sentence,
counts from 1, which is noted; any other is read as counting from 0, which is noted, too. `--base`
sets the base. In a file that counts from 1 a position 0 is not a word: such links go into the
column `null_links`. The order of the sides is not in the file either: some tools write the target
first (--swap).

| kept | lost |
| --- | --- |
| word links, marks of possible links, confidences | texts, bead types other than 1-1 |
| a pair without links, as an empty line | the difference between no links and unknown links |
| | ids, scores, attributes, languages, the borders between documents |

On writing, line k is bisegment k, whatever its segments; positions count the words of its side.

Word links of the NAACL 2003 shared task: one link a line, with the number of its sentence.

    0001 3 4 S 0.9
    0001 5 4 P

Columns are separated by blanks: sentence, source word, target word, all counted from 1; `S` (sure,
the default) or `P` (possible); a confidence, by default 1. Word 0 is not a word: such a line goes
into the column `null_links`, as `3-` or `-4p` (with `--base 0` words count from 0, and 0 is the
first). The lines of a sentence are consecutive, and sentences ascend, so that a file is read
sequentially.

Sentence n is a 1-1 bisegment of segment n of both texts, with its links in the column `words`,
where positions count from 0. A sentence without lines has no links, which is noted; the number of
such sentences at the end is known only from the texts (--src, --tgt). These have one sentence a
line, plain or as in the shared task, with the numbers of the file:

    <s snum=0001> the house </s>

| kept | lost |
| --- | --- |
| word links, marks of possible links, confidences | texts, bead types other than 1-1 |
| links to no word (position 0) | |
| | pairs without links at the end; the difference between no links and unknown links |
| | ids, scores, attributes, languages, the borders between documents |

On writing, sentences are numbered consecutively over all bisegments of the file.

GIZA++ (`.A3.final`): three lines for each sentence pair, with text and word links.

    # Sentence pair (1) source length 2 target length 3 alignment score : 0.0012
    das Haus hier
    NULL ({ 3 }) the ({ 1 }) house ({ 2 })

The source is the sentence of the third line: after each of its words come the positions of the
target words (of the second line) linked to the word, from 1; after NULL those of the unlinked ones.
The language of the source depends on the direction of the run (a file `en2de` may have either), so
the sides may have to be exchanged (--swap).

A sentence pair is a 1-1 bisegment, its words joined by one blank, its links in the column `words`,
its score the probability of the alignment. A sentence without words is not a segment; a pair of two
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
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.beads import Beads, joined_sides
from bitext.formats.io.source import Source
from bitext.formats.line_files import MOST_SEGMENTS, flat, head_lines, no_segment, split_lines
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.scores import SCORE, score_of, spell_score
from bitext.formats.word_links import SentencePairs, linked_values, links_of, named_texts
from bitext.kernels.arrays import prefix
from bitext.model import Bitext, Text
from bitext.model.word_links import (
    COLUMN,
    NULLS,
    Link,
    PlainLinks,
    WordLinks,
    beyond,
    distinct,
    parse,
    parse_nulls,
    plain_links,
    spell,
    tokens,
)

_ITEM = r"\d{1,9}[-p?]\d{1,9}p?(?::[-+.\deE]+)?"
_RANGES = re.compile(r"\d+-\d+\t\d+-\d+", re.ASCII)
_SAMPLE = 200  # lines that are examined for ranges of segments; set by hand
_SCORED = rf"(?:(?:\t| \|\|\| )(?:{SCORE}))?"
_LINKS = rf"[ \t]*(?:{_ITEM}(?:[ \t]+{_ITEM})*)?[ \t]*{_SCORED}[ \t]*"
_PHARAOH_LINE = re.compile(_LINKS, re.ASCII)
_NUMBERED_LINE = re.compile(rf"\d{{1,9}}\t{_LINKS}", re.ASCII)
_NUMBERED = re.compile(r"(\d{1,9})\t", re.ASCII)
_SCORE = re.compile(rf"(.*?)(?:\t| ?\|\|\| )({SCORE})[ \t]*", re.ASCII | re.DOTALL)


def _sniff_pharaoh(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip()]
    if len(lines) == 1 and len(head) > 1 << 12:
        lines[0] = lines[0].rpartition(" ")[0]  # the last item may be cut
    linked = any(re.match(rf"(?:\d{{1,9}}\t)?[ \t]*{_ITEM}", line) for line in lines)
    forms = _PHARAOH_LINE, _NUMBERED_LINE
    return 90 if linked and any(all(map(form.fullmatch, lines)) for form in forms) else 0


def _read_pharaoh(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    pairs = _Pairs(source, options)
    waiting: list[tuple[list[str], int]] = []  # lines read before the base is known
    origin: int | None = None  # the number of the first pair, where lines have numbers
    for first, block in source.blocks():
        lines = split_lines(block)
        if first == 1 and (numbered := _NUMBERED.match(next(filter(str.strip, lines), ""))):
            origin = int(numbered[1])
        if origin is not None:
            lines = _without_numbers(source, lines, first, origin)
        if first == 1 and len(lines) > 1 and all(map(_RANGES.fullmatch, lines[:_SAMPLE])):
            way = remedy("from id-pairs", python="format='id-pairs'")
            kind = f"lines of two links with a tab between (ranges of segments are 0,1: {way})"
            source.notes.add(kind, f"{source.path}: {lines[0]!r:.40}")
        for begin in range(0, len(lines), options.part_size):
            waiting.append((lines[begin : begin + options.part_size], first + begin))
            if pairs.detects_base(*waiting[-1]):
                yield from pairs.take_all(waiting)
    pairs.assume_base()
    yield from pairs.take_all(waiting)
    yield from pairs.rest()


def _without_numbers(source: Source, lines: list[str], first: int, origin: int) -> list[str]:
    """Cut the numbers of pairs off lines; refuse numbers that do not count the lines."""
    links = []
    for number, line in enumerate(lines, first):
        match = _NUMBERED.match(line)
        if origin > 1 or not match or int(match[1]) != origin + number - 1:
            raise source.error(
                f"begins with {line.partition(chr(9))[0][:40]!r}, where the number of pair "
                f"{number} is wanted, before a tab as in the first line: number the pairs from 0 "
                f"or 1 one by one, those without links too, or leave the numbers out",
                number,
            )
        links.append(line[match.end() :])
    return links


class _Pairs(SentencePairs):
    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._base = options.base
        self._evidence = ""  # the line that shows that positions count from 1
        self._waiting = 0  # pairs that were examined and not added
        self._first_linked = 0  # the first line with links

    def detects_base(self, lines: list[str], first: int) -> bool:
        """Examine further lines for the base of positions; return True once it is known.

        A position 0 shows base 0, a position equal to the number of words of its sentence base 1.
        """
        if self._base is not None:
            return True
        links = plain_links("\n".join(["", *lines, ""])) or _parsed(lines)
        if links.src.size:
            row = np.repeat(np.arange(links.counts.size), links.counts)
            self._first_linked = self._first_linked or first + int(row[0])
            if not (links.src.all() and links.tgt.all()):
                self._base = 0
            else:
                begin = self.number + self._waiting
                sizes = self.words(len(lines), begin)
                for positions, known in zip((links.src, links.tgt), sizes, strict=True):
                    if known is None or known.size < links.counts.size:
                        continue
                    at = np.flatnonzero(positions == known[row])
                    if at.size:
                        line = first + int(row[at[0]])
                        self._base, self._evidence = 1, f"line {line}"
                        break
        self._waiting += len(lines)
        if self._base == 1:
            kind = (
                "files read as counted from 1, since none is 0 and some would lie beyond the last "
                f"word ({remedy('base 0', python='base=0')} if they count from 0)"
            )
            self._source.notes.add(kind, f"{self._source.path} {self._evidence}")
        # Without texts only a 0 is evidence, and lines before it are read with either base alike.
        return self._base is not None or not any(self.known)

    def assume_base(self) -> None:
        """Assume base 0, and note it, if the base is still unknown."""
        if self._base is None:
            self._base = 0
            if self._first_linked:
                kind = (
                    "files without a position 0, read as counted from 0 "
                    f"({remedy('base 1', python='base=1')} if they count from 1)"
                )
                self._source.note(kind, line=self._first_linked)

    def take_all(self, waiting: list[tuple[list[str], int]]) -> Iterator[Bitext]:
        """Add the pairs of the waiting lines; yield parts."""
        for lines, first in waiting:
            self.take(lines, first)
            yield from self.parts()
        waiting.clear()
        self._waiting = 0

    def take(self, lines: list[str], first: int) -> None:
        """Add the pairs of lines; `first` is the number of the first line."""
        size = self.size()
        last = len(lines) - 1 if size is None else min(len(lines) - 1, size - self.number)
        self.room(self.number + last, first + last)
        if not self._take_evenly(lines, first):
            for number, line in enumerate(lines, first):
                self._take_line(line, number)

    def _take_line(self, line: str, number: int) -> None:
        score = None
        if ("\t" in line or "|||" in line) and (scored := _SCORE.fullmatch(line)):
            line, score = scored[1], score_of(scored[2])
        try:
            links = parse(line)
        except InputError as error:
            self._source.refuse(str(error), number)
            self.skip()
            return
        if not links:
            self._note_empty(number, 1)
        if self._base:
            self.add(self._from_1(links, number), number, score=score)
            return
        swap = remedy("swap", python="src= for tgt=", command="convert score compose")
        advice = (
            f"give the text that was aligned, with the same words, exchange the sides ({swap}) if "
            f"they are exchanged, or say that it counts from 1 "
            f"({remedy('base 1', python='base=1')})"
        )
        self.add(links, number, advice=advice, score=score)

    def _from_1(self, links: list[Link], number: int) -> list[Link]:
        """Convert links from base 1 to base 0; refuse a position 0 that contradicts base 1."""
        none = any(not link.src and not link.tgt for link in links)
        if none or (self._evidence and any(not (link.src and link.tgt) for link in links)):
            reason = "which is not a link where words count from 1"
            if self._evidence:
                reason = f"and {self._evidence} links beyond the last word unless they count from 1"
            raise self._source.error(
                f"links word 0{' with word 0' * none}, {reason}: say where they count from "
                f"({remedy('base 0', python='base=0')})",
                number,
            )
        return [link._replace(src=link.src - 1, tgt=link.tgt - 1) for link in links]

    def _take_evenly(self, lines: list[str], first: int) -> bool:
        """Add lines of plain valid links all at once; return whether that was possible."""
        plain = plain_links("\n".join(["", *lines, ""]))
        if plain is None:
            return False
        values = lines
        if self._base:
            if not (plain.src.all() and plain.tgt.all()):  # links to no word
                return False
            plain = plain._replace(src=plain.src - 1, tgt=plain.tgt - 1)
        if self._base or plain.possible.any():
            values = plain.spell()
        links = WordLinks(prefix(plain.counts), plain.src, plain.tgt, sure=~plain.possible)
        if links.src.size < plain.src.size:  # repeated links
            return False
        for side, sizes in zip((links.src, links.tgt), self.words(len(lines)), strict=True):
            if sizes is not None and (side >= sizes[links.pair]).any():
                return False
        void = np.flatnonzero(plain.counts == 0)
        if void.size:
            self._note_empty(first + int(void[0]), void.size)
        self.extend(values, range(first, first + len(lines)), links)
        return True

    def _note_empty(self, number: int, count: int) -> None:
        kind = "empty lines, taken as sentence pairs without word links"
        self._source.note(kind, line=number, count=count)


def _parsed(lines: list[str]) -> PlainLinks:
    """Return the links of lines in any spelling; an unreadable line has none."""
    rows: list[list[Link]] = []
    for line in lines:
        try:
            scored = _SCORE.fullmatch(line)
            rows.append(parse(scored[1] if scored else line))
        except InputError:
            rows.append([])
    flat = [link for row in rows for link in row]
    src, tgt = (np.array([link[side] for link in flat], dtype=np.int64) for side in (0, 1))
    possible = np.array([link.possible for link in flat], dtype=np.bool_)
    return PlainLinks(np.array([len(row) for row in rows], dtype=np.int64), src, tgt, possible)


def _write_pharaoh(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    for _, first, values in linked_values(bitexts, PHARAOH.name):
        lines = "\n".join(["", *values, ""])
        plain = plain_links(lines)
        if plain is None or plain.possible.any():
            spelled = (
                " ".join(map(_spell_pharaoh, links_of(value, k)))
                for k, value in enumerate(values, first)
            )
            lines = "\n".join(["", *spelled, ""])
        out.write(lines[1:])


def _spell_pharaoh(link: Link) -> str:
    confidence = "" if link.confidence is None else f":{float(link.confidence)!r}"
    return f"{link.src}{'p' if link.possible else '-'}{link.tgt}{confidence}"


PHARAOH = Format(
    name="pharaoh",
    title="word links i-j, one sentence pair a line (Pharaoh)",
    holds="positions",
    suffixes=(".pharaoh", ".gdfa", ".gdf", ".intersect", ".talp"),
    sniff=_sniff_pharaoh,
    read=_read_pharaoh,
    write=_write_pharaoh,
    keeps=Capabilities(words=True, breaks=True, controls=True, unlinked=False),
    streams=True,
    based=True,
)


# Word links of the NAACL 2003 shared task: one link a line, with the number of its sentence.


_BLANK = r"[ \t]+"
_NUMBER = r"(\d{1,10})"  # so few digits that the conversion is cheap
_CONFIDENCE = r"([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)"
_NAACL_LINE = re.compile(
    rf"[ \t]*{_NUMBER}{_BLANK}{_NUMBER}{_BLANK}{_NUMBER}(?:{_BLANK}([SP]))?"
    rf"(?:{_BLANK}{_CONFIDENCE})?[ \t]*",
    re.ASCII,
)
_BITS = re.compile(r"[01](?:[ \t]+[01])+[ \t]*")
_SENTENCE = re.compile(r"\s*<s\s+snum\s*=\s*\"?(\d{1,10})\"?\s*>(.*)</s>\s*", re.ASCII | re.DOTALL)
# Consecutive sentences without links, where no text gives the number of sentences; set by hand.
_GAP = 10_000


def _sniff_naacl(head: bytes) -> int:
    """Detect the format by an S or P, or by a number of a sentence with leading zeros.

    Several lines of zeros and ones, some of them four, are bits, as of a segmentation.
    """
    lines = [line for line in head_lines(head) if line.strip()]
    matches = [_NAACL_LINE.fullmatch(line) for line in lines]
    if not matches or None in matches:
        return 0
    are_bits = len(lines) > 1 and all(map(_BITS.fullmatch, lines))
    if are_bits and any(line and line[5] for line in matches):
        return 0
    sure = any(line and (line[4] or (line[1][0] == "0" and line[1] != "0")) for line in matches)
    return 92 if sure else 35


def _read_naacl(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    numbers, texts = _texts(source, options)
    pairs = SentencePairs(source, options, texts)
    links: list[Link] = []
    line = 1
    sentence, first, at = -1, 0, 0  # of the collected links: sentence, first line, index of pair
    void = 0  # the line of a link of word 0 to word 0
    for line, text in source.stream_lines():
        match = _NAACL_LINE.fullmatch(text)
        if not match:
            if text.strip():
                source.refuse(
                    f"is {text[:40]!r}; want the number of a sentence and those of two words, as "
                    f"0001 3 4, optionally with S or P and a confidence",
                    line,
                )
            continue
        if int(match[1]) != sentence:
            if first:
                yield from _put(source, pairs, at, links, first)
            last, sentence, first, links = sentence, int(match[1]), line, []
            at = _index_of(source, sentence, last, numbers, line)
            if at < pairs.number:
                raise source.error(
                    f"has links of sentence {sentence} after those of {last}; want the sentences "
                    f"in order: sort the lines first (sort -s -n -k1,1)",
                    line,
                )
        if options.base is None and not (int(match[2]) or int(match[3])):
            if void:
                ways = [remedy(f"base {base}", python=f"base={base}") for base in (0, 1)]
                raise source.error(
                    f"links word 0 with word 0, as line {void} does, which is not a link where "
                    f"words count from 1: say where they count from ({ways[0]}; {ways[1]} leaves "
                    f"such lines out)",
                    line,
                )
            void = line
        link = _link(source, match, line, 1 if options.base is None else options.base)
        if link:
            links.append(link)
    if first:
        yield from _put(source, pairs, at, links, first)
    size = pairs.size()
    if size is not None:
        yield from _fill(source, pairs, size, line)
    yield from pairs.rest()


def _link(source: Source, match: re.Match[str], line: int, base: int) -> Link | None:
    """Return the link of a line; `None` if the line is refused or left out."""
    src, tgt = int(match[2]), int(match[3])
    if base and not (src or tgt):
        source.note("lines that link no word to no word, left out", line=line)
        return None
    if max(src, tgt) > MOST_SEGMENTS:
        source.refuse(f"has word {max(src, tgt)}; want none beyond {MOST_SEGMENTS}", line)
        return None
    confidence = score_of(match[5]) if match[5] else None
    if match[5] and confidence is None:
        source.refuse(
            f"has the confidence {match[5][:40]}, which is beyond the range of numbers", line
        )
        return None
    return Link(src - base, tgt - base, possible=match[4] == "P", confidence=confidence)


def _put(
    source: Source, pairs: SentencePairs, at: int, links: list[Link], line: int
) -> Iterator[Bitext]:
    """Add the pair with an index, after the pairs without links before it."""
    pairs.room(at, line)
    yield from _fill(source, pairs, at, line)
    pairs.add(links, line)
    yield from pairs.parts()


def _fill(source: Source, pairs: SentencePairs, end: int, line: int) -> Iterator[Bitext]:
    """Add pairs without links up to the index `end`; note them at a line."""
    count = end - pairs.number
    if count <= 0:
        return
    kind = "sentences without a line, taken as pairs without word links"
    source.note(kind, f"sentence {pairs.number + 1}", line=line, count=count)
    while pairs.number < end:
        void = [""] * min(_GAP, end - pairs.number)
        pairs.extend(void, [line] * len(void))
        yield from pairs.parts()


def _index_of(
    source: Source, sentence: int, last: int, numbers: dict[int, int] | None, line: int
) -> int:
    """Return the index of the pair of a sentence by its number."""
    if numbers is not None:
        if sentence not in numbers:
            raise source.error(
                f"has links of sentence {sentence}, but the text has none with snum={sentence}; "
                f"give the text that was aligned",
                line,
            )
        return numbers[sentence]
    if not 0 < sentence <= MOST_SEGMENTS or sentence - max(last, 0) - 1 > _GAP:
        raise source.error(
            f"has links of sentence {sentence} after {'none' if last < 0 else last}; want "
            f"sentences numbered from 1, without more than {_GAP} in a row that have no links",
            line,
        )
    return sentence - 1


def _texts(
    source: Source, options: ReadOptions
) -> tuple[dict[int, int] | None, tuple[Text | None, Text | None]]:
    """Return the texts, and the index of each sentence by number, where the texts have numbers."""
    numbers: dict[int, int] | None = None
    texts: list[Text | None] = []
    for text in named_texts(options):
        numbered = None if text is None else _numbered(text)
        if numbered is None:
            texts.append(text)
            continue
        texts.append(numbered[0])
        if numbers is not None and numbers != numbered[1]:
            raise source.error(
                f"goes with two texts that number their sentences (snum) in different ways; give "
                f"the two texts that were aligned ({remedy('src', 'tgt')})"
            )
        numbers = numbered[1]
        order = list(numbers)
        if len(order) < len(numbered[0]) or order != sorted(order):
            raise source.error(
                f"goes with {'a text' if text is None else text.name}, whose sentences are not "
                f"numbered "
                f"(snum) in ascending order; sort them, each once"
            )
    return numbers, (texts[0], texts[1])


def _numbered(text: Text) -> tuple[Text, dict[int, int]] | None:
    """Remove the markup of the shared task from a text; `None` if some line has none."""
    if not (len(text) and text.has_text and _SENTENCE.fullmatch(text[0].text or "")):
        return None
    matches = [_SENTENCE.fullmatch(segment) for segment in text.segments()]
    known = [sentence for sentence in matches if sentence]
    if len(known) < len(matches):
        return None
    plain = Text((each[2].strip(" \t") for each in known), name=text.name, lang=text.lang)
    return plain, {int(each[1]): place for place, each in enumerate(known)}


def _write_naacl(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    before = 0
    for bitext, first, values in linked_values(bitexts, NAACL.name):
        nulls = bitext.alignment.attributes.get(NULLS) or [None] * len(values)
        for k, (value, null) in enumerate(zip(values, nulls, strict=True)):
            for link in (*links_of(value, first + k), *parse_nulls(null or "")):
                confidence = "" if link.confidence is None else f" {float(link.confidence)!r}"
                out.write(
                    f"{before + k + 1:04} {link.src + 1} {link.tgt + 1} "
                    f"{'P' if link.possible else 'S'}{confidence}\n"
                )
        before += len(values)


NAACL = Format(
    name="naacl",
    title="word links, one a line with its sentence (NAACL 2003 shared task)",
    holds="positions",
    suffixes=(".wa", ".naacl", ".wa.nonullalign", ".wa.nullalign"),
    sniff=_sniff_naacl,
    read=_read_naacl,
    write=_write_naacl,
    keeps=Capabilities(
        words=True, breaks=True, controls=True, unlinked=False, columns=frozenset((NULLS,))
    ),
    streams=True,
    based=True,
)


# GIZA++ (`.A3.final`): three lines for each sentence pair, with text and word links.


_HEADER = re.compile(
    rf"# Sentence pair \((\d{{1,12}})\) source length (\d{{1,12}}) target length (\d{{1,12}}) "
    rf"alignment score : ({SCORE})[ \t]*",
    re.ASCII,
)
_WORD = re.compile(r" *([^ ]+) \(\{((?: +\d{1,9})*) *\}\)", re.ASCII)
_START = b"# Sentence pair ("


def _sniff_giza(head: bytes) -> int:
    return 95 if head.removeprefix(b"\xef\xbb\xbf").startswith(_START) else 0


def _read_giza(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    beads = Beads(source, options)
    expected = 1
    for number, header, target, linked in _triples(source):
        if 1 < int(header[1]) < expected:  # 1 begins another file, joined to the one before
            raise source.error(
                f"has sentence pair {header[1]} after {expected - 1}, as parts of MGIZA have that "
                f"are joined one after the other: sort the pairs by number",
                number,
            )
        if int(header[1]) != expected:
            kind = "sentence pairs whose numbers do not go up by one"
            source.note(kind, f"{header[1]}, not {expected}", line=number)
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
            source.note("empty lines between pairs, left out", line=number)
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
        source.note(kind, line=number + 2, count=len(links) - len(unique))
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


def _write_giza(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    before = 0
    for bitext, first, values in linked_values(bitexts, GIZA.name):
        scores = bitext.alignment.scores
        sides = zip(*joined_sides(bitext, GIZA.name), strict=True)
        for k, ((src, tgt), value) in enumerate(zip(sides, values, strict=True)):
            score = "" if scores is None else spell_score(scores[k])
            pair = _spell_giza(tokens(src), tokens(tgt), links_of(value, first + k), first + k)
            out.write(f"{_START.decode()}{before + k + 1}) {pair[0]} {score or 'nan'}\n{pair[1]}")
        before += len(values)


def _spell_giza(src: list[str], tgt: list[str], links: list[Link], k: int) -> tuple[str, str]:
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


def _has_more(segment: str) -> bool:
    """Check for blanks besides the single ones between words."""
    return " ".join(tokens(segment)) != flat(segment)


GIZA = Format(
    name="giza",
    title="sentence pairs with text and word links (GIZA++ A3)",
    suffixes=(".a3.final", ".a3"),
    sniff=_sniff_giza,
    read=_read_giza,
    write=_write_giza,
    keeps=Capabilities.of(
        "texts empty_sides scores words controls",
        link_marks=False,
        unlinked=False,
        changed=("segments with several blanks in a row or blanks at an end, left out", _has_more),
    ),
    streams=True,
)
