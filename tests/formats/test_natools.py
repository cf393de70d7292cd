import io

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import bitext
from bitext.errors import FormatError, InputError
from bitext.formats.registry import by_name
from formats.samples import (
    assert_parts,
    assert_same,
    beads,
    inline,
    joined,
    kinds,
    noted,
    one_line,
    read,
    read_all,
)
from reference.shared_data import data

NAME = "natools"


def _written(*bitexts):
    outs = io.StringIO(), io.StringIO()
    by_name(NAME).write(bitexts, *outs)
    return [out.getvalue() for out in outs]


def test_segments_parted_by_dollar_signs():
    bt = read(NAME, "The house . \n$\n\n$\n$ 5\n$", "La maison .\r\n$\r\nOui .\r\n$\r\n5 $\n$\n")
    assert bt.pairs() == [(["The house . "], ["La maison ."]), ([], ["Oui ."]), (["$ 5"], ["5 $"])]
    assert (bt.src.name, bt.tgt.name) == ("made", "second")
    assert bt.notes == ()


def test_what_is_odd_is_noted():
    bt = read(NAME, "The\nhouse\n$\n$\nYes\n", "La\n\nmaison\n$\n\n$\nOui\n$\n")
    assert bt.pairs() == [(["The house"], ["La maison"]), (["Yes"], ["Oui"])]
    assert kinds(bt) == {
        "segments on several lines, joined by blanks": 2,
        "segments that are empty in both files, left out": 1,
        "last segments without a dollar sign behind them, taken": 1,
    }
    assert "made segment 3" in {note.first for note in bt.notes}


def test_errors():
    with pytest.raises(FormatError, match="made: has 2 segments, and second has 1; want as many"):
        read(NAME, "a\n$\nb\n$\n", "c\n$\n")
    with pytest.raises(InputError, match="natools is two files; name both"):
        read(NAME, "a\n$\n")
    with pytest.raises(InputError, match="bisegment 2 has a side that is a dollar sign alone"):
        _written(inline([(["a"], ["b"])] * 2), inline([(["c"], ["$"])]))


@given(beads)
@example([(["One.", "Two."], ["Yksi\tja\r\nkaksi."]), ([], ["x"])])
@example([(["\ufeffa"], ["\ufeff\ufeff"]), (["\ufeff"], ["b"])])
def test_round_trip(pairs):
    expected = [(one_line(src), one_line(tgt)) for src, tgt in pairs]
    assume(not any(side == ["$"] for pair in expected for side in pair))
    contents = _written(inline(pairs))
    assert read(NAME, *contents).pairs() == [pair for pair in expected if any(pair)]


segments = st.lists(st.sampled_from(["", "a", "b\nc", "$ d"]), max_size=7)


@given(segments, segments, st.integers(1, 4), st.sampled_from([1, 3, 1 << 20]))
def test_parts_are_the_whole(src, tgt, size, block):
    contents = ["".join(f"{segment}\n$\n" for segment in side) for side in (src, tgt)]
    if len(src) != len(tgt):
        with pytest.raises(FormatError, match=f"has {len(src)} segments, .* has {len(tgt)};"):
            read_all(NAME, *contents, parts=True)
        return
    parts = read_all(NAME, *contents, block_size=block, parts=True, part_size=size)
    assert_parts(parts, size)
    whole = read(NAME, *contents)
    assert_same(joined(parts), whole)
    assert noted(parts) == kinds(whole)


def _by_hand(path, encoding):
    content = path.read_bytes().decode(encoding)
    return content.removesuffix("\n$\n").split("\n$\n")


def test_the_real_files():
    paths = data("formats", "natools", "EN-tok"), data("formats", "natools", "PT-tok")
    bt = bitext.read(f"{paths[0]},{paths[1]}", format=NAME)
    src, tgt = (_by_hand(path, "utf-8") for path in paths)
    assert len(src) == len(tgt) == 414
    assert bt.pairs() == [([a], [b]) for a, b in zip(src, tgt, strict=True)]
    assert bt.notes == ()
    told = bitext.read(f"{paths[0]},{paths[1]}", format=NAME, encoding="latin-1").notes
    assert [note.kind.startswith("files that seem to be UTF-8") for note in told] == [True] * 2


def test_moses_tells_that_files_look_like_these():
    paths = data("formats", "natools", "EN-tok"), data("formats", "natools", "PT-tok")
    bt = bitext.read(f"{paths[0]},{paths[1]}", encoding="latin-1")
    assert any("format='natools'" in kind for kind in kinds(bt))
