"""XML: safe reading with lxml, and the subsets of XML that are matched by regular expressions.

lxml reads every XML file (`safe.iterate`). For files as programs write them, four readers are
faster. Each matches a subset of XML by regular expressions, and gives up at anything else; then
lxml reads the same bytes. Tests compare both on random and damaged files (`test_quick.py` of each
format, and `tests/fuzz/two_ways.py`).

| reader | its subset | CPU seconds | with lxml |
| --- | --- | --- | --- |
| `tmx.fast` | units of up to eight shapes that the file shows | 0.45 | 1.9 |
| `xces.links` | links without content, their attributes in double quotes | 0.12 | 0.44 |
| `opus_documents.reading` | sentences of text | 0.38 | 0.82 |
| | sentences of tokens (`w`) like the first one | 1.7 | 6.5 |
| `tei.fast` | segments of text with an `xml:id`, links, plain tags | 0.60 | 1.18 |

The figures are for 60,000 units made by `scripts/bench/convert_made.py`; of TEI, for 60,000 links
between 120,000 sentences. A reader that is less than 1.5 times as fast as lxml would be deleted.

All four rest on `fast.Pieces`, which hands out a piece of a file only if the encoding contains
ASCII, nothing is declared, and the piece has no comment, section or processing instruction, no
entity but the five of XML, and no character that XML forbids.

Three others match tags for other reasons: `syntax.read_prolog`, because an unsafe file is refused
before a parser sees it; `inline_codes`, because a segment with codes is kept as a string of XML;
and `recovery.SoundUnits`, because no parser reports where a malformed unit ends.
"""
