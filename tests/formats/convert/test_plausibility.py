"""What is hardly meant, over parts of a file, against plain counting."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.formats.convert.checking import OTHERS, SHOWN, Findings, Plausibility
from formats.samples import inline

REPEATS = "bisegments that repeat the texts of an earlier one"
LENGTHS = "bisegments whose lengths do not fit together"


def looked(parts):
    findings = Findings("made")
    plausible = Plausibility(findings)
    line = 1
    for k, pairs in enumerate(parts):
        lines = np.arange(line, line + len(pairs))
        plausible.look(replace(inline(pairs), lines=lines, continues=k > 0))
        line += len(pairs)
    plausible.finish()
    return findings


side = st.lists(st.sampled_from(["a", "b", "", "a b"]), max_size=2)
pair = st.tuples(side, side).filter(any)


@given(st.lists(st.lists(pair, max_size=4), max_size=4))
def test_repeats_are_found_over_parts(parts):
    findings = looked(parts)
    seen, again = set(), []
    for line, (src, tgt) in enumerate((pair for part in parts for pair in part), 1):
        texts = " ".join(src), " ".join(tgt)
        if src and tgt:
            if texts in seen:
                again.append((line, f"bisegment {line - 1} of the file"))
            seen.add(texts)
    found = [(each.line, each.case) for each, _ in findings.each() if each.kind == REPEATS]
    assert found == again


def test_repeats_beyond_those_shown_are_counted():
    findings = looked([[(["a"], ["b"])] * 30] * 4)
    counts = {finding.kind: count for finding, count in findings.all()}
    assert counts[REPEATS] == 119
    told = [(each.case, count) for each, count in findings.each() if each.kind == REPEATS]
    assert len(told) == SHOWN + 1
    assert told[-1] == (OTHERS, 119 - SHOWN)


def test_lengths_are_told_with_the_number_in_the_file():
    usual = [([f"word {k} and more of it"], [f"mot {k} et plus de cela"]) for k in range(40)]
    odd = (["short but then"], ["bien trop long " * 30])
    findings = looked([[([], ["x"])], usual, [odd]])
    (found,) = [each for each, _ in findings.each() if each.kind == LENGTHS]
    assert (found.line, found.case[:25]) == (42, "bisegment 41 of the file:")
    assert not [each for each, _ in findings.each() if each.kind == REPEATS]


def test_bisegments_of_parts_are_told_by_their_number_in_the_document_pair():
    usual = [([f"word {k}"], [f"mot {k}"]) for k in range(3)]
    findings = looked([usual, [*usual, ([], ["x"])], [(["same"], ["same"])]])
    told = {each.kind: each.case for each, _ in findings.each()}
    assert told["0-1 and 1-0 bisegments"] == "bisegment 6 (0-1)"
    assert told["bisegments with the same text on both sides"] == "bisegment 7 (1-1)"
