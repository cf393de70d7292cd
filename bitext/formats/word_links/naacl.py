"""Word links of the NAACL 2003 shared task: one link a line, with the number of its sentence.

    0001 3 4 S 0.9
    0001 5 4 P

Columns are separated by blanks: sentence, source word, target word, all counted from 1; `S` (sure,
the default) or `P` (possible); a confidence, by default 1. Word 0 is no word: such a line goes into
the column `null_links`, as `3-` or `-4p` (with `--base 0` words count from 0, and 0 is the first).
The lines of a sentence are consecutive, and sentences ascend, so that a file is read sequentially.

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
_NUMBER = r"(\d{1,10})"  # so few digits that the conversion is cheap
_CONFIDENCE = r"([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)"
_LINE = re.compile(
    rf"[ \t]*{_NUMBER}{_BLANK}{_NUMBER}{_BLANK}{_NUMBER}(?:{_BLANK}([SP]))?"
    rf"(?:{_BLANK}{_CONFIDENCE})?[ \t]*",
    re.ASCII,
)
_SENTENCE = re.compile(r"\s*<s\s+snum\s*=\s*\"?(\d{1,10})\"?\s*>(.*)</s>\s*", re.ASCII | re.DOTALL)
# Consecutive sentences without links, where no text gives the number of sentences; set by hand.
_GAP = 10_000


def _sniff(head: bytes) -> int:
    """Detect the format by an S or P, or by a number of a sentence with leading zeros."""
    lines = [line for line in head_lines(head) if line.strip()]
    matches = [_LINE.fullmatch(line) for line in lines]
    if not matches or None in matches:
        return 0
    sure = any(line and (line[4] or (line[1][0] == "0" and line[1] != "0")) for line in matches)
    return 92 if sure else 35


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    numbers, texts = _texts(source, options)
    pairs = SentencePairs(source, options, texts)
    links: list[Link] = []
    line = 1
    sentence, first, at = -1, 0, 0  # of the collected links: sentence, first line, index of pair
    for line, text in source.stream_lines():
        match = _LINE.fullmatch(text)
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
                raise _descends(source, sentence, last, line)
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
    """Return the link of a line; `None` where the line is refused or left out."""
    src, tgt = int(match[2]), int(match[3])
    if base and not (src or tgt):
        source.notes.add(
            "lines that link no word to no word, left out", f"{source.path} line {line}"
        )
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
    source.notes.add(kind, f"{source.path} line {line}: sentence {pairs.number + 1}", count)
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


def _descends(source: Source, sentence: int, last: int, line: int) -> Exception:
    return source.error(
        f"has links of sentence {sentence} after those of {last}; want the sentences in "
        f"order: sort the lines first (sort -s -n -k1,1)",
        line,
    )


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
