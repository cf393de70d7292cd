"""TMX 1.1 to 1.4b: XML with the texts themselves, one `tu` a bisegment, one `tuv` a language.

    <tmx version="1.4"><header srclang="en" .../><body>
     <tu tuid="1"><prop type="x-score">0.9</prop>
      <tuv xml:lang="en"><seg>One <ph x="1">&lt;br/&gt;</ph>two.</seg></tuv>
      <tuv xml:lang="fr"><seg>Un deux.</seg></tuv>
     </tu></body></tmx>

The characters of a segment are its own and those in `hi`. Codes (`bpt`, `ept`, `it`, `ph`, `ut`)
and the flows in them (`sub`) are not text; both are in `Text.marked`. White space is unchanged.

Languages: the user chooses them, and a chosen language that is neither in the header nor in a text
is an error at the end. Else the source is `srclang`, and the target the one other language. Files
with more than two are refused until two are chosen; the others become columns `lang:de`. Where
`srclang` is `*all*`, absent or the language of no text, the first language is the source. Codes are
compared without case; `en` matches `en-GB`. `xml:lang` overrides `lang` (TMX 1.1, 1.2).

| in the file | in the bitext |
| --- | --- |
| several tuv in one language | several bisegments, paired off in order, with a note |
| a unit with one of the two languages | a bisegment with an empty side, with a note |
| a unit with neither | left out, with a note |
| a tuv without a language, a tu within a tu | the unit is refused |
| several seg in a tuv | several segments, with a note |
| a text in a tuv without a seg | a segment, with a note |
| line ends of an indented file in a seg | kept, with a note |
| elements of other vocabularies, `ude` | left out, with a note |

A tuv without characters in its seg is an empty segment, no tuv is no segment.

| | columns, metadata | written |
| --- | --- | --- |
| attributes of `tu` | by their names | as they are; others as props, see below |
| attributes of `tuv` | `src.` or `tgt.` before | likewise; a language of its own as `xml:lang` |
| `prop` | `prop:TYPE`, the second `prop:TYPE#2` | as it was |
| `note` | `note`, `note#2` | as it was |
| attributes of the two | `prop:TYPE@xml:lang` | as they were |
| other columns | | `prop type="x-column-NAME"`, read back as `NAME` |
| score | the `prop` of type `x-score` | the same |
| `header` | metadata, the same way | all but `creationtool`, its version, `ude` |
| target language | `prop type="x-targetlang"` of the header | the same |

A `prop` whose type itself ends like `#2` or `@lang` gets a number, also the first.

The output is TMX 1.4b, of level 2 where there are codes, and without new dates. Lost are the
borders between the segments of a side (joined by a blank), ids, crossings, gaps, overlaps, segments
in no bisegment, and the borders between documents; `WriteOptions.beads` keeps all but the last in
props (see `bitext.formats.tmx.units`), and the names of documents, too. Characters that XML 1.0
forbids cannot be written, nor two texts in one language, nor a second pair of languages.

Units with the same layout are read by regular expressions (see `bitext.formats.tmx.fast`), others
by the parser, with the same results.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.xml import read_prolog

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.formats.multitexts import Multitexts
    from bitext.model import Bitext


_ROOT = re.compile(r"<tmx[\s/>]")


def _sniff(head: bytes) -> int:
    if read_prolog(head).name == "tmx":
        return 95
    text = head[:4096].replace(b"\0", b"").decode("latin-1")
    return 90 if _ROOT.search(text) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    from bitext.formats.tmx.fast import read

    return read(source, options)


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    from bitext.formats.tmx.writing import write

    write(bitexts, out, options)


def _write_multitexts(multitexts: Multitexts, out: IO[str]) -> None:
    from bitext.formats.tmx.writing import write_multitexts

    write_multitexts(multitexts, out)


_KEEPS = Capabilities.of(
    "texts empty_sides empty_segments scores attributes times languages other_languages markup "
    "words breaks"
)
_IN_PROPS = replace(
    _KEEPS,
    borders=True,
    crossings=True,
    gaps=True,
    overlaps=True,
    uncovered=True,
    ids=True,
    documents=True,
    empty_documents=False,
    names=frozenset({"name"}),
)

FORMAT = Format(
    name="tmx",
    title="translation memories (TMX 1.1 to 1.4b)",
    holds="text",
    suffixes=(".tmx",),
    sniff=_sniff,
    names_languages=True,
    read=_read,
    write=_write,
    write_multitexts=_write_multitexts,
    keeps=_KEEPS,
    keeps_in_props=_IN_PROPS,
    streams=True,
    units=("tu",),
    holders=("body",),
)
