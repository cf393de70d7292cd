"""What the tests of the formats share: texts with traps in them, and reading from memory."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.formats.opening import Source
from bitext.formats.registry import ReadOptions, by_name

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

# Line ends that are none, white space, direction marks, beyond the BMP, what formats use.
TRAPS = "ab \t\n\r\x0b\x0c\x1c\x1e\x85\u2028\u2029\u202e\u200f\ufeff\u0301𝄞😀~&<>|\"'\\{}[]"
segment = st.text(
    st.one_of(st.sampled_from(TRAPS), st.characters(exclude_categories=["Cs"])), max_size=8
)
side = st.lists(segment, max_size=3)
beads = st.lists(st.tuples(side, side).filter(any), max_size=6)


def data(*parts):
    path = DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the sample data are not beside the project: {path}")
    return path


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
    out = io.StringIO()
    by_name(name).write(bitexts, out)
    return out.getvalue().encode()


def read_all(name, content, **options):
    content = content.encode() if isinstance(content, str) else content
    with Source("made", io.BytesIO(content)) as source:
        return list(by_name(name).read(source, ReadOptions(**options)))


def read(name, content, **options):
    (bitext,) = read_all(name, content, **options)
    return bitext


def kinds(bitext):
    return {note.kind: note.count for note in bitext.notes}


def positions(bitext):
    return [(list(bead.src), list(bead.tgt)) for bead in bitext.alignment]


def ugly(name):
    """Return the path of an awkward file, its verdict, and the units that it holds."""
    lines = data("formats", "ugly", "expected.jsonl").read_text(encoding="utf-8").split("\n")
    case = next(found for found in map(json.loads, filter(None, lines)) if found["file"] == name)
    return data("formats", "ugly", name), case["verdict"], case["units"]
