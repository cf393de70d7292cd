"""What the tests of the formats share: texts with traps in them, and reading from memory."""

import io
import json
import math
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions, WriteOptions, by_name
from bitext.formats.segmentations.collecting import ReadingOptions
from reference.shared_data import data

# Line ends that are none, white space, direction marks, beyond the BMP, what formats use.
TRAPS = "ab \t\n\r\x0b\x0c\x1c\x1e\x85\u2028\u2029\u202e\u200f\ufeff\u0301𝄞😀~&<>|\"'\\{}[]"
segment = st.text(
    st.one_of(st.sampled_from(TRAPS), st.characters(exclude_categories=["Cs"])), max_size=8
)
side = st.lists(segment, max_size=3)
beads = st.lists(st.tuples(side, side).filter(any), max_size=6)


def inline(pairs, *, scores=None, attributes=None):
    """Make a bitext of pairs of lists of segments."""
    texts, rows = ([], []), []
    for pair in pairs:
        row = []
        for text, segments in zip(texts, pair, strict=True):
            row.append(range(len(text), len(text) + len(segments)))
            text.extend(segments)
        rows.append(tuple(row))
    alignment = Alignment(rows, scores=scores, attributes=attributes)
    return Bitext(Text(texts[0]), Text(texts[1]), alignment)


def written(name, *bitexts):
    return text_written(name, *bitexts).encode()


def text_written(name, *bitexts, **options):
    out = io.StringIO()
    by_name(name).write(bitexts, out, options=WriteOptions(**options))
    return out.getvalue()


def units(found):
    """Return the ids of each bisegment."""
    src, tgt = found.src.ids, found.tgt.ids
    return [([src[k] for k in b.src], [tgt[k] for k in b.tgt]) for b in found.alignment]


def one_line(side):
    """Return the text of a side in a format of lines: one, or none."""
    text = " ".join(side).replace("\r\n", " ").translate(dict.fromkeys(b"\t\n\r", " "))
    return [text] if text else []


def opened(content, path="made", **options):
    content = content.encode() if isinstance(content, str) else content
    return Source(path, io.BytesIO(content), **options)


def read_all(name, content, second=None, *, bad=None, block_size=0, **options):
    """Read every bitext; `second` is the content of the second file of a format of two.

    The errors of units that cannot be read go to the list `bad`, if there is one.
    """
    sized = {"block_size": block_size}
    with opened(content, **sized) as source, opened(second or "", "second", **sized) as other:
        source.on_bad = None if bad is None else bad.append
        options["second"] = None if second is None else other
        found = list(by_name(name).read(source, ReadOptions(**options)))
        if options.get("parts"):  # what was odd behind the last part
            found[-1] = replace(found[-1], notes=found[-1].notes + source.notes.all())
        return found


def read(name, content, second=None, **options):
    (bitext,) = read_all(name, content, second, **options)
    return bitext


def read_on(name, content, **options):
    """Read a file past its bad units: return the bitext, and the lines of those units."""
    bad = []
    bitext = joined(read_all(name, content, bad=bad, **options))
    return bitext, [error.line for error in bad]


def joined(bitexts):
    """Make one bitext of the parts of a document pair: all their segments, one after another."""
    texts, rows, scores, columns = ([], []), [], [], {}
    for part in bitexts:
        before = len(texts[0]), len(texts[1])
        a = part.alignment
        for name in a.attributes.keys() - columns.keys():
            columns[name] = [None] * len(rows)
        for name, column in columns.items():
            column.extend(a.attributes.get(name, [None] * len(a)))
        scores.extend([math.nan] * len(a) if a.scores is None else a.scores.tolist())
        rows += [
            tuple([k + b for k in side] for side, b in zip(bead, before, strict=True)) for bead in a
        ]
        for text, whole in zip((part.src, part.tgt), texts, strict=True):
            whole.extend(text.segments())
    return inline_of(texts, rows, None if all(map(math.isnan, scores)) else scores, columns)


def inline_of(texts, rows, scores, columns):
    alignment = Alignment(rows, scores=scores, attributes=columns)
    return Bitext(Text(texts[0]), Text(texts[1]), alignment)


def assert_parts(parts, size):
    """Hold parts to be of one document pair, and small."""
    assert [part.continues for part in parts] == [False] + [True] * (len(parts) - 1)
    assert all(len(part.alignment) < 2 * size for part in parts)


def noted(bitexts):
    """Return the notes of all parts by kind, with their counts."""
    found = {}
    for bitext in bitexts:
        for note in bitext.notes:
            found[note.kind] = found.get(note.kind, 0) + note.count
    return found


def assert_same(one, other):
    """Hold two bitexts equal in all that is said of their bisegments."""
    assert one == other
    assert list(one.alignment) == list(other.alignment)
    assert one.alignment.attributes == other.alignment.attributes
    a, b = one.alignment.scores, other.alignment.scores
    assert (a is None) == (b is None)
    assert a is None or np.array_equal(a, b, equal_nan=True)


def kinds(bitext):
    return {note.kind: note.count for note in bitext.notes}


def positions(bitext):
    return [(list(bead.src), list(bead.tgt)) for bead in bitext.alignment]


def ugly(name):
    """Return the path of an awkward file, its verdict, and the units that it holds."""
    lines = data("formats", "ugly", "expected.jsonl").read_text(encoding="utf-8").split("\n")
    case = next(found for found in map(json.loads, filter(None, lines)) if found["file"] == name)
    return data("formats", "ugly", name), case["verdict"], case["units"]


def paired_segmentations(references, systems, **options):
    """Returns the common texts of references and systems; `options` are those of both classes."""
    own = SegmentPairing.__dataclass_fields__.keys()
    reading = ReadingOptions(**{name: options[name] for name in options.keys() - own})
    given = {name: options[name] for name in options.keys() & own}
    return SegmentPairing(references=references, systems=systems, reading=reading, **given).read()
