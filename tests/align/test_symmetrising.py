"""Two directed alignments made one, in Python."""

import pytest

from bitext import WordLinks
from bitext.align import symmetrise
from bitext.errors import InputError, OptionError

FORWARD = WordLinks.parse(["0-0 0-1 3-3", "", "0-0"])
REVERSE = WordLinks.parse(["0-0 1-1 3-4", "1-0", ""])


def test_each_sentence_pair_is_symmetrised_by_itself():
    found = symmetrise(FORWARD, REVERSE, method="grow-diag-final-and")
    assert found.spell() == ["0-0 0-1 1-1 3-3", "1-0", "0-0"]
    assert symmetrise(FORWARD, REVERSE) == found  # the default


def test_a_run_that_is_written_target_first_is_exchanged_by_the_caller():
    written = WordLinks.parse(["0-0 1-1 4-3", "0-1", ""])
    assert symmetrise(FORWARD, written.swapped()) == symmetrise(FORWARD, REVERSE)


def test_marks_and_confidences_are_gone_and_numbers_of_words_stay():
    forward = WordLinks.parse(["0-0p 1-1:0.5"], src_sizes=[2])
    found = symmetrise(forward, WordLinks.parse(["0-0 1-1p"], tgt_sizes=[3]), method="union")
    assert (found.spell(), found.confidences) == (["0-0 1-1"], None)
    assert (found.src_sizes.tolist(), found.tgt_sizes.tolist()) == ([2], [3])


def test_links_to_no_word_do_not_count():
    links = WordLinks([0, 2], [-1, 0], [0, 0])
    assert symmetrise(links, links, method="union").spell() == ["0-0"]


def test_no_sentence_pair_is_none_at_the_end():
    none = WordLinks.parse([])
    assert len(symmetrise(none, none)) == 0
    assert symmetrise(WordLinks.parse([""]), WordLinks.parse([""])).spell() == [""]


def test_as_many_sentence_pairs_and_a_known_method_are_wanted():
    with pytest.raises(InputError, match="forward has 3 sentence pairs and reverse 2"):
        symmetrise(FORWARD, REVERSE[:2])
    with pytest.raises(OptionError, match="'gdfa'; want one of intersection"):
        symmetrise(FORWARD, REVERSE, method="gdfa")


@pytest.mark.parametrize("method", [5, None, ["union"]])
def test_methods_are_names(method):
    links = WordLinks.parse(["0-0"])
    with pytest.raises(OptionError, match="no way to symmetrise called"):
        symmetrise(links, links, method=method)
