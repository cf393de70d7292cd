"""What the line formats, JSON lines, mALIGNa and Parquet say they keep, and lose, is so."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.errors import InputError
from bitext.formats.io.source import Notes
from bitext.formats.registry import LOSSES, WriteOptions, by_name
from bitext.formats.writing import count_losses
from bitext.formats.xml import FORBIDDEN
from formats.samples import joined, read_all, segment
from reference.draw import sides, some_of

HOLDING_TEXT = ["hunalign-text", "jsonl", "maligna", "moses", "natools", "parquet", "tsv"]
BY_POSITION = ["hunalign-ladder", "vecalign"]

# Made once: hypothesis looks into each new strategy, which takes as long as drawing from it.
indices = sides(4, 3).map(sorted)
beads = st.lists(st.tuples(indices, indices).filter(any), min_size=1, max_size=4)
cell = st.none() | st.text("ab 0😀\u2028\t\r\n")
four = st.lists(segment, min_size=4, max_size=4)
which = some_of([False, True], least=4, most=4)
switch = st.booleans()
langs = st.sampled_from(["", "en", "fi"])
names = some_of(["x", "words", "lang:de"], most=3).map(dict.fromkeys)
cells, scores = (
    [st.lists(each, min_size=n, max_size=n) for n in range(5)] for each in (cell, st.floats())
)
scores = [st.none() | each for each in scores]


@st.composite
def bitexts(draw):
    """Draw a bitext with anything in it that a format may lose."""
    rows = draw(beads)
    if draw(switch):  # what a ladder can say
        rows = [((0,), (0, 1)), ((1, 2), ()), ((3,), (2, 3))]
    texts = []
    for _ in "st":
        held = draw(four)
        marks = [f"<hi>{k}</hi>" if marked else None for k, marked in enumerate(draw(which))]
        texts.append(
            Text(
                held,
                ids=[f"s{k}" for k in range(4)] if draw(switch) else None,
                lang=draw(langs),
                marked=marks if draw(switch) else None,
            )
        )
    count = len(rows)
    alignment = Alignment(
        rows,
        scores=draw(scores[count]),
        attributes={name: draw(cells[count]) for name in sorted(draw(names))},
    )
    return Bitext(*texts, alignment)


def _written(name, *given):
    known = by_name(name)
    made = io.BytesIO if known.binary else io.StringIO
    outs = [made() for _ in range(1 + known.two_files)]
    known.write(given, *outs, options=WriteOptions())
    return [out.getvalue() for out in outs]


def _sides(bt, keeps):
    """Return the segments of each bisegment, as a format that keeps so much has them."""
    found = []
    for pair in bt.pairs():
        sides = []
        for side in pair:
            side = [_flat(s, keeps) for s in side]
            if not keeps.borders and side:
                side = [" ".join(side)]
            if not keeps.empty_segments and side == [""]:
                side = []
            sides.append(side)
        found.append(tuple(sides))
    return found


def _values(column, keeps):
    """Return the values of a column that is kept, as a format that keeps so much has them."""
    held = [None if value is None else _flat(value, keeps) for value in column]
    return held if keeps.empty_values else [value or None for value in held]


def _flat(text, keeps):
    if keeps.breaks:
        return text
    return text.replace("\r\n", " ").translate(str.maketrans("\t\r\n", "   "))


def _order(rows):
    """Return the members of each row by their rank among all that are in one."""
    ranks = {m: k for k, m in enumerate(sorted(set(rows.idx.tolist())))}
    return [[ranks[m] for m in rows.row(k).tolist()] for k in range(len(rows.ptr) - 1)]


def _of_rows(column, kept):
    return [value for value, there in zip(column, kept, strict=True) if there]


def _scores(bt):
    return [np.nan] * len(bt.alignment) if bt.alignment.scores is None else bt.alignment.scores


@pytest.mark.parametrize("name", HOLDING_TEXT)
@given(bt=bitexts(), parts=st.booleans())
def test_what_is_kept_comes_back(name, bt, parts):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    keeps = by_name(name).keeps
    assert keeps.texts
    try:
        contents = _written(name, bt)
    except InputError:
        texts = "".join([*bt.src.segments(), *bt.tgt.segments()])
        assert {"maligna": FORBIDDEN.search(texts), "natools": "$" in texts}.get(name, "~" in texts)
        return
    found = read_all(name, *contents, parts=parts)
    back = found[0] if len(found) == 1 else joined(found)
    sides = _sides(bt, keeps)
    kept = [bool(src or tgt) for src, tgt in sides]
    assert back.pairs() == _of_rows(sides, kept)
    if keeps.scores:
        assert np.array_equal(_scores(back), _of_rows(_scores(bt), kept), equal_nan=True)
    assert keeps.scores or back.alignment.scores is None
    for column, values in bt.alignment.attributes.items():
        kind = {"words": keeps.words, "lang:de": keeps.other_languages}.get(
            column, keeps.attributes
        )
        assert kind or column not in back.alignment.attributes
        if kind:
            void = [None] * len(back.alignment)
            expected = _of_rows(_values(values, keeps), kept)
            assert back.alignment.attributes.get(column, void) == expected
    if keeps.crossings and keeps.gaps and keeps.overlaps:
        for rows, others in (
            (bt.alignment.src, back.alignment.src),
            (bt.alignment.tgt, back.alignment.tgt),
        ):
            assert _order(rows) == _order(others)
    for text, other, rows, others in (
        (bt.src, back.src, bt.alignment.src, back.alignment.src),
        (bt.tgt, back.tgt, bt.alignment.tgt, back.alignment.tgt),
    ):
        assert other.lang == (text.lang if keeps.languages else "")
        if keeps.ids and text.has_ids:
            assert [other.ids[k] for k in others.idx] == [text.ids[k] for k in rows.idx]
        assert keeps.ids or not other.has_ids
        assert keeps.markup or other.marked is None
        if keeps.markup:
            marks = [text.marked[k] if text.marked else None for k in rows.idx]
            assert [other.marked[k] if other.marked else None for k in others.idx] == marks


@pytest.mark.parametrize("name", HOLDING_TEXT)
def test_borders_of_documents(name):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    text = Text(["a", "b"])
    bt = Bitext(text, text, Alignment([((0,), (0,)), ((1,), (1,))]))
    parts = bt, replace(bt, continues=True), bt
    found = read_all(name, *_written(name, *parts))
    assert [len(each.alignment) for each in found] == (
        [4, 2] if by_name(name).keeps.documents else [6]
    )


@pytest.mark.parametrize("name", BY_POSITION)
@given(bt=bitexts())
def test_positions_come_back(name, bt):
    keeps = by_name(name).keeps
    assert not keeps.texts
    try:
        (content,) = _written(name, bt)
    except InputError:
        present = _present(bt, keeps)
        said = {"crossings", "gaps", "overlaps", "uncovered"}
        assert any(kind in present and not getattr(keeps, kind) for kind in said)
        return
    (back,) = read_all(name, content, src=bt.src, tgt=bt.tgt)
    assert list(back.alignment) == list(bt.alignment) or name == "hunalign-ladder"
    assert back.alignment == bt.alignment
    if list(back.alignment) == list(bt.alignment):
        assert np.array_equal(_scores(back), _scores(bt), equal_nan=True)


def _present(bt, keeps):
    """Say in the slow and obvious way what of a bitext may be lost."""
    beads, held = list(bt.alignment), ((bt.src, 0), (bt.tgt, 1))
    found = set()
    for text, side in held:
        rows = [bead[side] for bead in beads]
        members = [m for row in rows for m in row]
        firsts = [row[0] for row in rows if row]
        # Where borders are kept, a side of several segments without characters is no empty side.
        alone = [m for row in rows for m in row if not (keeps.borders and len(row) > 1)]
        segments = list(text.segments())
        told = {
            "texts": True,
            "borders": any(len(row) > 1 for row in rows),
            "empty_sides": any(not row for row in rows),
            "empty_segments": any(not segments[m] for m in alone),
            "crossings": any(b < max(firsts[:k]) for k, b in enumerate(firsts) if k),
            "gaps": any(row[-1] - row[0] >= len(row) for row in rows if row),
            "overlaps": len(set(members)) < len(members),
            "uncovered": len(set(members)) < len(segments),
            "ids": text.has_ids,
            "languages": bool(text.lang),
            "markup": text.marked is not None,
            "breaks": any(sign in segments[m] for m in members for sign in "\t\r\n"),
            "controls": any(FORBIDDEN.search(segments[m]) for m in members),
        }
        found |= {name for name, there in told.items() if there}
    columns = bt.alignment.attributes
    for name, kind in (("x", "attributes"), ("words", "words"), ("lang:de", "other_languages")):
        values = [value for value in columns.get(name, ()) if value is not None]
        kept = getattr(keeps, kind)
        if values and (not kept or (not keeps.empty_values and not all(values))):
            found.add(kind)
        if kept and any(sign in value for value in values for sign in "\t\r\n"):
            found.add("breaks")
    return found | {"scores"} if not np.isnan(_scores(bt)).all() else found


@given(bitexts())
def test_what_is_lost_is_counted(bt):
    for name in [*HOLDING_TEXT, *BY_POSITION]:
        keeps, losses = by_name(name).keeps, Notes()
        present, of_columns = _present(bt, keeps), {"attributes", "words", "other_languages"}
        count_losses(bt, keeps, losses)
        expected = {LOSSES[kind] for kind in present & {*keeps.lost(), *of_columns}}
        assert {note.kind for note in losses.all()} == expected
