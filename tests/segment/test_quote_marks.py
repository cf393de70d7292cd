"""Quotation marks of many languages: which open, which close, and what is open between them."""

import numpy as np
import pytest

from bitext.segment.tokens import Tokens, quote_marks


def turns(*sentences):
    """Return the marks of a text with `(`, `+` or `)` for what they do."""
    tokens = Tokens(sentences)
    found = quote_marks(tokens)
    signs = {1: "(", 2: "+", -1: ")"}
    return "".join(
        tokens.line[place] + signs[turn]
        for place, turn in zip(found.places.tolist(), found.turns.tolist(), strict=True)
    )


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["“I said ‘Go’ to him,” she told us."], "“(‘(’)”)"),
        (["»O du meine ›Güte‹«, sagte Frau Dörr.", "»Ja.«"], "»(›(‹)«)»(«)"),
        (["« Venez ! » dit-il.", "« Non. »"], "«(»)«(»)"),
        (["«Venez !» dit-il."], "«(»)"),
        (["„Komm her“, sagte er.", "„Nein.“"], "„(“)„(“)"),
        (["„Chodź” — rzekł."], "„(”)"),
        (["»Kom hit», sade han.", "»Nej.»"], "»(»)»(»)"),
        (["”Tule tänne”, hän sanoi.", "”En.”"], "”(”)”(”)"),
        (['"Come," he said, "and sit."', '"No."'], '"(")"(")"(")'),
        (["他说:「你看『这个』吧。」"], "「(『(』)」)"),
        (["'Come,' he said, 'don't sit.'", "'No.'"], "'(')'(')'(')"),
        (["‘Come,’ he said. ‘It’s late.’"], "‘(’)‘(’)"),
    ],
)
def test_each_language_has_its_own(sentences, expected):
    assert turns(*sentences) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The boys' books weren't here; 'tis a pity, don't you think?",
        "L’été, c’est l’heure qu’il aime.",
        "Hab' ich 'nen Turm geseh'n.",
    ],
)
def test_apostrophes_are_no_quotes(sentence):
    assert turns(sentence) == ""


def test_a_speech_that_goes_on_in_a_new_paragraph_opens_again_and_does_not_nest():
    assert turns("“One day.", "“Another day.", "The end.”", "He rose.") == "“(“+”)"
    found = quote_marks(Tokens(["“One day.", "“Another day.", "The end.”", "He rose."]))
    assert found.depths.tolist() == [1, 1, 0]


def test_a_slip_does_not_turn_the_marks_of_a_text():
    plain = ["“Yes.”", "“No.”", "“Yes.”", "“No.”", "“Yes.”"]
    assert turns(*plain, "Well“ , he said, ”no.")[-4:] == "“(”)"


def test_a_stop_before_one_apostrophe_makes_no_quotation_marks():
    assert turns(*["'Tis 'twas 'twere so."] * 3, "Of no.' they") == ""


def test_an_outer_quotation_that_closes_closes_the_inner_one():
    found = quote_marks(Tokens(["“He said ‘go.”", "“No.”"]))
    assert found.depths.tolist() == [1, 2, 0, 1, 0]


def test_where_nothing_tells_marks_take_turns():
    assert turns('A " B " C " D "') == '"(")"(")'


def test_no_marks():
    found = quote_marks(Tokens(["Nothing here.", ""]))
    assert [len(part) for part in found] == [0, 0, 0]
    assert found.places.dtype == np.int64
