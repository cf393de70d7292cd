from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations
from bitext.reports.segmentation.strips import render, texts_with_most_edits

BITS = st.integers(1, 14).flatmap(lambda n: st.tuples(*[st.text("01", min_size=n, max_size=n)] * 2))


def table(*texts):
    return Segmentations.of({f"t{k}": text for k, text in enumerate(texts)})


@given(st.lists(BITS, min_size=1, max_size=6), st.integers(0, 3))
def test_edits_account_for_every_boundary(pairs, shift):
    gold, hyp = (table(*(Segmentation.from_bits(pair[k]) for pair in pairs)) for k in (0, 1))
    found = texts_with_most_edits(gold, hyp, {}, system="s", most=3, shift=shift)
    wrong = {f"t{k}": sum(a != b for a, b in zip(*p, strict=True)) for k, p in enumerate(pairs)}
    ranked = sorted((name for name in wrong if wrong[name]), key=lambda name: -wrong[name])
    assert [text.text for text in found] == ranked[:3]
    for text in found:
        kinds = [edit.kind for edit in text.edits]
        missing, extra, shifted = map(kinds.count, ("missing", "extra", "shifted"))
        assert text.matches + missing + shifted == len(gold[text.text]) - 1
        assert text.matches + extra + shifted == len(hyp[text.text]) - 1
        assert all(0 < abs(e.shift) <= shift for e in text.edits if e.kind == "shifted")


def test_long_texts_and_units_are_cut_and_made_printable():
    gold, hyp = table(Segmentation([1] * 60)), table(Segmentation([60]))
    units = {0: ["long " * 30, "\x1b[31m"] * 30}
    (found,) = texts_with_most_edits(gold, hyp, units, system="s", most=1, shift=1)
    lines = render(found, number=1).splitlines()
    assert lines[0] == "1. s, t0: 59 missing; 0 right"
    assert len(lines) == 22
    assert lines[-1] == "   ... and 39 more"
    assert lines[1].endswith(r"… | \u001b[31m")
    assert len(lines[1]) < 120


def test_types_of_one_side_alone_are_not_compared():
    typed = Segmentation([2, 2, 3], types=[("1",), ("2",)])
    plain, other = Segmentation([2, 2, 3]), Segmentation([2, 2, 3], types=[("1",), ("1",)])
    given = {"system": "s", "most": 3, "shift": 1}
    assert texts_with_most_edits(table(typed), table(plain), {}, **given) == []
    assert texts_with_most_edits(table(plain), table(typed), {}, **given) == []
    (found,) = texts_with_most_edits(table(typed), table(other), {}, **given)
    assert [(edit.kind, edit.type) for edit in found.edits] == [("substituted", "2")]
    moved = table(Segmentation([2, 3, 2]))
    (found,) = texts_with_most_edits(table(typed), moved, {}, **given)
    assert [(edit.kind, edit.shift, edit.type) for edit in found.edits] == [("shifted", 1, None)]
