"""The rule of quotation marks."""

import pytest

from bitext.errors import InputError
from bitext.segment.rivals import QuoteRule
from reference import chain_slow as slow


def broken(*sentences):
    return QuoteRule().boundaries(slow.bare(len(sentences)), text=list(sentences)).tolist()


def test_speech_has_paragraphs_of_its_own():
    assert broken("He came.", "“Sit down,” I said.", "He sat.", "“Thanks.”", "Rain fell.") == [
        *(0, 1, 3, 4),
    ]
    assert broken("Er kam.", "»Setzen Sie sich!«", "Er saß.", "»Danke«, sagte er.", "Gut.") == [
        *(0, 1, 2, 3),
    ]


def test_speech_over_several_sentences_is_one_paragraph():
    assert broken("He rose.", "“I came.", "I saw.", "I won.”", "He sat.") == [0, 1, 4]


def test_a_speech_that_goes_on_in_a_new_paragraph_opens_again():
    assert broken("“I came.", "I saw.", "“I won, too.", "That is all.”") == [0, 2]


def test_quotations_within_others_do_not_count():
    told = ["“I met him.", "‘Good day,’ he said.", "I said ‘Well?’", "He ran.”", "So it was."]
    assert broken(*told) == [0, 4]


def test_a_text_without_quotation_marks_is_one_paragraph():
    assert broken("It rained.", "Nobody came.", "It rained on.") == [0]


def test_it_wants_the_sentences_of_the_features():
    with pytest.raises(InputError, match="the quote rule reads the sentences"):
        QuoteRule().boundaries(slow.bare(2))
    with pytest.raises(InputError, match="3 sentences and its features 2"):
        QuoteRule().boundaries(slow.bare(2), text=["a", "b", "c"])
