"""Word links of the shared task of NAACL 2003: one link a line, with the number of its sentence.

    0001 3 4 S 0.9
    0001 5 4 P

Columns parted by blanks: sentence, source word, target word, all counted from 1; `S` (sure, the
default) or `P` (only possible); a confidence, 1 where none is told. Word 0 is none at all: such a
line goes into the column `null_links`, as `3-` or `-4p` (with `--base 0` words count from 0, and it
is the first).
The lines of a sentence stand together, and sentences ascend, so that a file is read as it comes.

Sentence n is a bisegment 1-1 of segment n of both texts, its links in the column `words`, there
counted from 0. A sentence without lines has no links, which is noted; the file does not say
how many stand at its end, so texts tell that (--src, --tgt). They have one sentence a line, plain
or as in the shared task, where the numbers are those of the file:

    <s snum=0001> the house </s>

| kept | lost |
| --- | --- |
| word links, those only possible, confidences | texts, and that a bisegment is not 1-1 |
| links to no word (position 0) | |
| | pairs without links at the end; whether no links were found or none looked for |
| | ids, scores, attributes, languages, the borders between documents |

On writing, sentences are numbered on over all bisegments of the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.beads import ChunkPositions
from bitext.formats.columns import score_of
from bitext.formats.line_files import MOST_SEGMENTS, head_lines
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.word_links import SentencePairs, linked_values, links_of, named_texts
from bitext.model import Text
from bitext.model.word_links import NULLS, Link, parse_nulls
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_BLANK = r"[ \t]+"
_NUMBER = r"(\d{1,10})"  # bounded before it is made
_CONFIDENCE = r"([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)"
_LINE = re.compile(
    rf"[ \t]*{_NUMBER}{_BLANK}{_NUMBER}{_BLANK}{_NUMBER}(?:{_BLANK}([SP]))?"
    rf"(?:{_BLANK}{_CONFIDENCE})?[ \t]*",
    re.ASCII,
)
_SENTENCE = re.compile(r"\s*<s\s+snum\s*=\s*\"?(\d{1,10})\"?\s*>(.*)</s>\s*", re.ASCII | re.DOTALL)
_GAP = 10_000  # sentences without links in a row, where no text tells how many there are


def _sniff(head: bytes) -> int:
    """Tell by an S or P, or by a number of a sentence with zeros in front."""
    lines = [line for line in head_lines(head) if line.strip()]
    found = [_LINE.fullmatch(line) for line in lines]
    if not found or None in found:
        return 0
    sure = any(line and (line[4] or (line[1][0] == "0" and line[1] != "0")) for line in found)
    return 92 if sure else 35


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    numbers, texts = _texts(source, options)
    pairs = SentencePairs(source, options, texts)
    links: list[Link] = []
    line = 1
    sentence, first, at = -1, 0, 0  # of the links collected: number, line, place among the pairs
    for line, text in source.stream_lines():
        found = _LINE.fullmatch(text)
        if not found:
            if text.strip():
                source.refuse(
                    f"is {text[:40]!r}; want the number of a sentence and those of two words, as "
                    f"0001 3 4, and may be S or P and a confidence",
                    line,
                )
            continue
        if int(found[1]) != sentence:
            if first:
                yield from _put(source, pairs, at, links, first)
            last, sentence, first, links = sentence, int(found[1]), line, []
            at = _place(source, sentence, last, numbers, line)
            if at < pairs.number:
                raise _descends(source, sentence, last, line)
        link = _link(source, found, line, 1 if options.base is None else options.base)
        if link:
            links.append(link)
    if first:
        yield from _put(source, pairs, at, links, first)
    size = pairs.size()
    if size is not None:
        yield from _fill(source, pairs, size, line)
    yield from pairs.rest()


def _link(source: Source, found: re.Match[str], line: int, base: int) -> Link | None:
    """Return the link of a line; `None` where it has none."""
    src, tgt = int(found[2]), int(found[3])
    if base and not (src or tgt):
        source.notes.add(
            "lines that link no word to no word, left out", f"{source.path} line {line}"
        )
        return None
    if max(src, tgt) > MOST_SEGMENTS:
        source.refuse(f"has word {max(src, tgt)}; want none beyond {MOST_SEGMENTS}", line)
        return None
    confidence = score_of(found[5]) if found[5] else None
    if found[5] and confidence is None:
        source.refuse(f"has the confidence {found[5][:40]}, which no number can hold", line)
        return None
    return Link(src - base, tgt - base, possible=found[4] == "P", confidence=confidence)


def _put(
    source: Source, pairs: SentencePairs, at: int, links: list[Link], line: int
) -> Iterator[Bitext]:
    """Add the pair at a place, and those without links before it."""
    pairs.room(at, line)
    yield from _fill(source, pairs, at, line)
    pairs.add(links, line)
    yield from pairs.parts()


def _fill(source: Source, pairs: SentencePairs, end: int, line: int) -> Iterator[Bitext]:
    """Add pairs without links up to a place; where they are missed is on the line given."""
    count = end - pairs.number
    if count <= 0:
        return
    kind = "sentences without a line, taken as pairs without word links"
    source.notes.add(kind, f"{source.path} line {line}: sentence {pairs.number + 1}", count)
    while pairs.number < end:
        void = [""] * min(_GAP, end - pairs.number)
        pairs.extend(void, [line] * len(void))
        yield from pairs.parts()


def _place(
    source: Source, sentence: int, last: int, numbers: dict[int, int] | None, line: int
) -> int:
    """Return the place of a sentence among the pairs, by its number."""
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


def _descends(source: Source, sentence: int, last: int, line: int) -> Exception:
    return source.error(
        f"has links of sentence {sentence} after those of {last}; want the sentences in "
        f"order: sort the lines first (sort -s -n -k1,1)",
        line,
    )


def _texts(
    source: Source, options: ReadOptions
) -> tuple[dict[int, int] | None, tuple[Text | None, Text | None]]:
    """Return the texts, and where they number their sentences the place of each number."""
    numbers: dict[int, int] | None = None
    texts: list[Text | None] = []
    for text in named_texts(options):
        found = None if text is None else _numbered(text)
        if found is None:
            texts.append(text)
            continue
        texts.append(found[0])
        if numbers is not None and numbers != found[1]:
            raise source.error(
                f"goes with two texts that number their sentences (snum) in different ways; give "
                f"the two texts that were aligned ({remedy('src', 'tgt')})"
            )
        numbers = found[1]
        order = list(numbers)
        if len(order) < len(found[0]) or order != sorted(order):
            raise source.error(
                f"goes with {'a text' if text is None else text.name}, whose sentences are not "
                f"numbered "
                f"(snum) in ascending order; sort them, each once"
            )
    return numbers, (texts[0], texts[1])


def _numbered(text: Text) -> tuple[Text, dict[int, int]] | None:
    """Take the marks of the shared task off a text, if it has them on all its lines."""
    if not (len(text) and text.has_text and _SENTENCE.fullmatch(text[0].text or "")):
        return None
    found = [_SENTENCE.fullmatch(segment) for segment in text.segments()]
    known = [sentence for sentence in found if sentence]
    if len(known) < len(found):
        return None
    plain = Text((each[2].strip(" \t") for each in known), name=text.name, lang=text.lang)
    return plain, {int(each[1]): place for place, each in enumerate(known)}


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
        nulls = bitext.alignment.attributes.get(NULLS) or [None] * len(values)
        for k, (value, null) in enumerate(zip(values, nulls, strict=True)):
            for link in (*links_of(value, first + k), *parse_nulls(null or "")):
                confidence = "" if link.confidence is None else f" {float(link.confidence)!r}"
                out.write(
                    f"{before + k + 1:04} {link.src + 1} {link.tgt + 1} "
                    f"{'P' if link.possible else 'S'}{confidence}\n"
                )
        before += len(values)


FORMAT = Format(
    name="naacl",
    title="word links, one a line with its sentence (NAACL 2003 shared task)",
    holds="positions",
    suffixes=(".wa", ".naacl", ".wa.nonullalign", ".wa.nullalign"),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities(words=True, columns=frozenset((NULLS,))),
    streams=True,
    based=True,
)
