"""Edge features of hand-worked texts; every cell against the paragraph that it stands for."""

import numpy as np
import pytest

from bitext.segment.features import columns
from bitext.segment.features.columns import EdgeBlock, EdgeLabels
from bitext.segment.features.text import TextView

TALK = ["He came.", "“One.", "Two.” “Three.”", "“Four,” he said.", "“Five.", "“Six.”", "It rained."]
LONGEST = 4


def cells(ask, sentences=TALK, first=0, last=None):
    """Return what each paragraph is told to be, by its first sentence and its end."""
    view = TextView(sentences, LONGEST)
    end = view.n if last is None else last
    found = {}
    for part in ask(EdgeBlock(view, first, end)):
        values = part.codes if isinstance(part, EdgeLabels) else part.values
        grid = np.broadcast_to(values, (end - first, LONGEST))
        for row in range(end - first):
            for size in range(1, min(LONGEST, first + row + 1) + 1):
                value = grid[row, LONGEST - size]
                told = part.forms[value] if isinstance(part, EdgeLabels) else float(value)
                key = (first + row + 1 - size, first + row + 1)
                found.setdefault(key, []).append(told)
    return found


def test_length_is_in_bins():
    found = cells(columns.edge_length)
    assert found[0, 1] == ["1"]
    assert found[2, 6] == ["4"]
    part = columns.edge_length(EdgeBlock(TextView(["a"] * 40, 30), 0, 40))[0]
    assert [part.forms[k] for k in part.codes[0, ::-1]] == (
        ["1", "2", "3", "4", "5", "7", "7", *["10"] * 3, *["15"] * 5, *["25"] * 10, *["25+"] * 5]
    )


def test_words_are_those_of_the_paragraph():
    found = cells(columns.edge_words)
    assert found[0, 1] == ["5"]  # He came
    assert found[0, 4] == ["10"]  # 2 + 1 + 2 + 3 words


def test_balance_of_quotation():
    found = cells(columns.edge_balance)
    assert found[0, 1] == ["closed-closed-none"]
    assert found[1, 2] == ["closed-open-marks"]
    assert found[2, 3] == ["open-closed-marks"]
    assert found[1, 3] == ["closed-closed-marks"]
    assert found[5, 6] == ["open-closed-marks"]


def test_marks_at_both_ends():
    found = cells(columns.edge_marks)
    assert found[0, 1] == ["plain-plain"]
    assert found[1, 3] == ["opening-closing"]
    assert found[5, 6] == ["again-closing"]
    assert found[0, 3] == ["plain-closing"]
    assert found[3, 4] == ["opening-plain"]
    assert cells(columns.edge_marks, ["—Sí."])[0, 1] == ["dash-plain"]


def test_quotations_and_turns_are_counted():
    assert cells(columns.edge_pairs)[1, 4] == ["3"]
    found = cells(columns.edge_turns)
    assert found[1, 3] == ["0"]
    assert found[1, 4] == ["1"]  # Three.” “Four
    assert found[3, 4] == ["0"]  # its own beginning is not inside


def test_sentences_of_narration():
    found = cells(columns.edge_narration)
    assert found[0, 1] == ["1"]
    assert found[0, 2] == ["1-mixed"]
    assert found[1, 3] == ["0-mixed"]


@pytest.mark.parametrize(
    "ask",
    [
        columns.edge_length,
        columns.edge_words,
        columns.edge_cosine,
        columns.edge_entropy,
        columns.edge_balance,
        columns.edge_marks,
        columns.edge_pairs,
        columns.edge_turns,
        columns.edge_narration,
    ],
)
def test_a_block_says_what_the_whole_says(ask):
    whole = cells(ask)
    part = cells(ask, first=3, last=6)
    assert part == {key: told for key, told in whole.items() if 3 < key[1] <= 6}
