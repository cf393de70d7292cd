from functools import cache
from math import isnan, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.errors import InputError
from bitext.formats.io.source import Notes
from bitext.formats.registry import LOSSES
from bitext.formats.writing import count_losses
from bitext.formats.xliff import xliff2, xliff12
from bitext.formats.xml import FORBIDDEN
from formats.samples import beads, inline, read, text_written
from reference.shared_data import data, shared_data
from reference.xliff_samples import contents

FORMATS = {"xliff12": xliff12.FORMAT, "xliff2": xliff2.FORMAT}
SCHEMAS = {
    "xliff12": ("xliff12", "xliff-core-1.2-strict.xsd"),
    "xliff2": ("xliff2", "xliff_core_2.0.xsd"),
}
both = pytest.mark.parametrize("name", list(FORMATS))


@cache
def schema(name):
    from lxml import etree

    class Beside(etree.Resolver):
        # The core schema of 2.0 names its copy of xml.xsd by another path.
        def resolve(self, url, public, context):  # noqa: ARG002 - lxml's own
            if url.endswith("xml.xsd"):
                return self.resolve_filename(str(data("formats", "xliff12", "xml.xsd")), context)
            return None

    parser = etree.XMLParser()
    parser.resolvers.add(Beside())
    path = data("formats", *SCHEMAS[name])
    return etree.XMLSchema(etree.parse(str(path), parser))


def check_valid(name, content):
    """Check what was written by the schema, where that is beside the project."""
    from lxml import etree

    document = etree.fromstring(content.encode())
    if shared_data("formats", *SCHEMAS[name]).exists():
        schema(name).assertValid(document)


@both
def test_files_are_valid_by_the_schema(name):
    data("formats", *SCHEMAS[name])
    check_valid(name, text_written(name))
    check_valid(name, text_written(name, inline([]), inline([([], ["a"]), (["b", ""], ["c"])])))
    assert not schema(name).validate(_wrong(text_written(name)))


def _wrong(content):
    from lxml import etree

    return etree.fromstring(content.replace("<file ", "<fail ").replace("/file", "/fail").encode())


def _allowed(name, pairs):
    text = "".join(s for pair in pairs for side in pair for s in side)
    if name == "xliff2":
        return not any("\ud800" <= c <= "\udfff" for c in text)
    return FORBIDDEN.search(text) is None


@both
@given(pairs=beads)
@example(pairs=[(["One. ", "Two."], ["a\r\nb\rc\td ]]> & <x> \"'"]), ([""], []), ([], ["", "😀"])])
@example(pairs=[([], ["\ufffe\x01"]), (["\ufeff\x85\u2028"], [""])])
def test_texts_and_borders(name, pairs):
    if not _allowed(name, pairs):
        with pytest.raises(InputError, match=r"bisegment \d+: the segment .* XML forbids; take"):
            text_written(name, inline(pairs))
        return
    content = text_written(name, inline(pairs))
    assert read(name, content).pairs() == pairs
    check_valid(name, content)


@both
@given(st.lists(st.tuples(contents(), contents()), min_size=1, max_size=4))
def test_marks(name, pairs):
    sides = [[pair[k] for pair in pairs] for k in (0, 1)]
    texts = [Text([s for s, _ in side], marked=[m for _, m in side]) for side in sides]
    several = Alignment([(range(len(pairs)), range(len(pairs)))])
    each = Alignment([((k,), (k,)) for k in range(len(pairs))])
    crossing = Alignment([((k,), (len(pairs) - 1 - k,)) for k in range(len(pairs))])
    for alignment in (several, each, crossing):
        content = text_written(name, Bitext(*texts, alignment))
        check_valid(name, content)
        back = read(name, content)
        for before, after in zip(texts, (back.src, back.tgt), strict=True):
            assert list(after.segments()) == list(before.segments())
            assert list(after.marked or [None] * len(pairs)) == list(
                before.marked or [None] * len(pairs)
            )


@st.composite
def tangled(draw):
    """Draw texts and bisegments without gaps, overlaps or segments left out, in any order."""
    sizes = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)).filter(any), max_size=6))
    rows = []
    for side in (0, 1):
        order = draw(st.permutations(range(len(sizes))))
        begin, row = 0, [()] * len(sizes)
        for k in order:
            row[k] = tuple(range(begin, begin + sizes[k][side]))
            begin += sizes[k][side]
        rows.append(row)
    texts = [
        Text(f"{'st'[side]}{k}" for k in range(sum(s[side] for s in sizes))) for side in (0, 1)
    ]
    scores = draw(
        st.lists(st.sampled_from([nan, 0.5, -1e30]), min_size=len(sizes), max_size=len(sizes))
    )
    values = st.one_of(st.none(), st.sampled_from(["", "a", " b\t\n<&>\"' ", "yes", "7", "final"]))
    names = st.sampled_from(
        [
            "id",
            "note",
            "note#2",
            "note#3",
            "src.note",
            "tgt.note",
            "lang:de",
            "words",
            "approved",
            "translate",
            "state",
            "subState",
            "segment",
            "mid",
            "resname",
            "prop:x y",
            "x-score",
            "score",
            "context:sourcefile",
            "context:sourcefile#2",
            "context:x-bitext-a",
            "column:a",
            "xml:lang",
            "restype",
            "type",
            "name",
            "tgt.state",
            "meta:a/b",
            "",
            "é_x20_",
        ]
    )
    columns = draw(
        st.dictionaries(
            names, st.lists(values, min_size=len(sizes), max_size=len(sizes)), max_size=6
        )
    )
    alignment = Alignment(zip(*rows, strict=True), scores=scores, attributes=columns)
    return Bitext(*texts, alignment)


def told(bitext):
    """Return the score and the columns of each bisegment."""
    a = bitext.alignment
    scores = [nan] * len(a) if a.scores is None else a.scores.tolist()
    return {
        bead: (
            None if isnan(scores[k]) else scores[k],
            {name: column[k] for name, column in a.attributes.items() if column[k] is not None},
        )
        for k, bead in enumerate(a)
    }


@both
@given(tangled())
def test_crossings_columns_and_scores(name, bitext):
    content = text_written(name, bitext)
    check_valid(name, content)
    back = read(name, content)
    assert back == bitext
    assert told(back) == told(bitext)


@both
def test_the_cost_is_linear(name):
    # Codes that overlap, and many notes: quadratic ways take long here.
    size = 5000
    opened = "".join(f'<bpt i="{k}"/>' for k in range(1, size))
    closed = "".join(f'<ept i="{k}"/>' for k in range(1, size))
    text = Text(["a"], marked=[f"{opened}a{closed}"])
    columns = {f"note#{k}": ["b"] for k in range(2, size)} | {"note": ["b"]}
    bitext = Bitext(text, Text(["b"]), Alignment([((0,), (0,))], attributes=columns))
    back = read(name, text_written(name, bitext))
    assert back.src.marked == text.marked
    assert back.alignment.attributes == columns


@both
def test_one_unit_for_those_that_cross_only(name):
    src, tgt = Text(list("abcde")), Text(list("vwxyz"))
    rows = [((0,), (0,)), ((1,), (2,)), ((2,), (1,)), ((4,), (4,)), ((3,), (3,))]
    content = text_written(name, Bitext(src, tgt, Alignment(rows)))
    assert content.count("<trans-unit " if name == "xliff12" else "<unit ") == 4
    assert read(name, content).alignment == Alignment(rows)


@both
def test_what_is_lost(name):
    src, tgt = Text(["a", "b", "c"], ids=["1", "2", "3"]), Text(["x", "y"])
    bitext = Bitext(src, tgt, Alignment([((0, 2), (0,)), ((1,), (0,))]))
    losses = Notes()
    count_losses(bitext, FORMATS[name].keeps, losses)
    assert {note.kind for note in losses.all()} == {
        LOSSES[kind] for kind in ("gaps", "overlaps", "uncovered", "ids")
    }
    back = read(name, text_written(name, bitext))
    assert back.pairs() == [(["a", "c"], ["x"]), (["b"], ["x"])]
    assert (len(back.src), len(back.tgt), back.src.has_ids) == (3, 2, False)
