"""Where sentences end: rule by rule, and on whole treebank documents where they are at hand."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.syntax.tokenizer import sentence_spans, split_sentences
from reference.shared_data import data


@pytest.mark.parametrize(
    "sentences",
    [
        ["It burns.", "Help came."],
        ["Why?", "Nobody knows!", "Really?!", "Yes."],
        # abbreviations: never, before a capital, before a word that is hardly a name
        ["Mr. Crane and Gen. Lee met Dr. No. 5 at St. Mary's.", "They spoke."],
        ["It closed at 1.30 p.m. Friday and 2 a.m. EST.", "Ships left at 5 p.m.", "Nobody saw it."],
        [
            "He works for Acme Inc. Chairman Bill Poe in the U.S. Senate.",
            "He left Acme Inc.",
            "The",
        ],
        ["J. R. Poe ate apples, pears, etc.", "Ann had vitamin C.", "It helped."],
        # decimals, and sentences that start with figures or signs
        [
            "It cost 3.5 million.",
            "2002 was worse.",
            "$5 was the price.",
            "(Nobody paid.)",
            "So what.",
        ],
        # what closes belongs to the sentence, and who spoke, too
        ['"Smoke rose."', "(It was black.)", "'Run!'", "He ran."],
        ['"Why?" Mrs. Crane asked.', '"Who?" he said.', '"Run!"', "Edith Crane ran."],
        ["“We saw it.”", "“Nobody did!” police said."],
        # ellipses, and lists
        ["He waited...", "Then he left … for good.", "It went on [...]", "It stopped."],
        ["1. Open the door.", "2.1. Close it.", "A. Go."],
        ["So it goes - on and on.", "- Matthew said so."],
        ["At 5:47p.m. Friday it fell.", "At 6p.m. EST it rose.", "It left at 5:47p.m.", "He ran."],
        ["`` It burns . ''", "`` Run ! ''", "-LRB- He ran . -RRB-", "So did she ."],
        ["e.g. this, i.e. that vs. those.", "All of it."],
    ],
)
def test_sentences_end_where_they_end(sentences):
    assert split_sentences(" ".join(sentences)) == sentences
    assert split_sentences("\n\n".join(sentences)) == sentences


def test_headlines_and_wrapped_lines():
    text = """Fire at Tarnwick grain store kills two

A fire broke out at a grain store in the port of Tarnwick on Friday, killing
two workers. Firefighters needed six hours to put out the fire at the grain
store, officials said.
\t
The harbour master closed the port."""
    assert split_sentences(text) == [
        "Fire at Tarnwick grain store kills two",
        "A fire broke out at a grain store in the port of Tarnwick on Friday, killing two workers.",
        "Firefighters needed six hours to put out the fire at the grain store, officials said.",
        "The harbour master closed the port.",
    ]


def test_a_line_that_stops_early_ends_a_sentence_if_the_next_one_starts_like_one():
    long = "A fire broke out at a grain store in the port of Tarnwick on Friday night, they said"
    assert split_sentences(f"Fire kills two\n{long}\nand so on.") == [
        "Fire kills two",
        f"{long} and so on.",
    ]
    assert split_sentences(f"fire kills\nin two\n{long}") == ["fire kills in two", long]
    assert split_sentences(f"Fire kills,\nOfficials say,\n{long}") == [
        f"Fire kills, Officials say, {long}"
    ]


def test_gaps_that_are_not_seen_are_gaps():
    assert split_sentences("\ufeffIt\u200bburns.\u200b He ran.\ufeff") == ["It burns.", "He ran."]


def test_windows_line_ends_and_no_break_spaces():
    assert split_sentences("One.\r\n\r\nTwo\u00a0three.\r\nFour.") == [
        "One.",
        "Two three.",
        "Four.",
    ]


@pytest.mark.parametrize("text", ["", "  \n\n\t "])
def test_nothing_has_no_sentence(text):
    assert split_sentences(text) == sentence_spans(text) == []


PIECES = st.sampled_from(
    [".", "?", '"', " ", "\n", "\n\n", "A", "b", "Mr.", "1", "(", ")", "…", "—"]
)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("« Oui. » Il part.", ["« Oui. »", "Il part."]),
        ("« Oui\u00a0! » « Non ! » Il part.", ["« Oui ! »", "« Non ! »", "Il part."]),
        ("He said « No. » Then he left.", ["He said « No. »", "Then he left."]),
        ("« Oui. » dit-il. Bon.", ["« Oui. » dit-il.", "Bon."]),
        ("«Oui.» Il part.", ["«Oui.»", "Il part."]),
        # It closes nothing: it opens, as in German.
        ("Er ging. »Nein, danke.«", ["Er ging.", "»Nein, danke.«"]),
        ("It burns. » Next", ["It burns.", "» Next"]),
        ("« It burns. » It sank. » Next", ["« It burns. »", "It sank.", "» Next"]),
    ],
)
def test_a_mark_may_close_after_a_space(text, sentences):
    assert split_sentences(text) == sentences


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join)))
def test_sentences_hold_all_there_is_in_order(text):
    found = sentence_spans(text)
    assert all(start < end for start, end in found)
    assert all(a[1] <= b[0] for a, b in pairwise(found))
    inside = "".join(text[start:end] for start, end in found)
    gap = r"[\s\u200b\ufeff]"
    assert re.sub(gap, "", inside) == re.sub(gap, "", text)


def test_cost_is_linear_in_what_is_long():
    assert len(split_sentences("It burns. " * 5_000)) == 5_000
    assert len(split_sentences("A line\n" * 5_000)) <= 5_000


@pytest.mark.parametrize("piece", ['" ', "» ", "« a »", "« ", "'", "a. » ", "( ", ")"])
def test_runs_of_signs_take_time_in_proportion(piece):
    began = time.process_time()
    assert sentence_spans(piece * 10_000)
    assert time.process_time() - began < 2


def test_news_of_a_treebank_is_cut_as_its_annotators_cut_it():
    from bitext.syntax.penn import read_trees
    from bitext.syntax.tokenizer import detokenize

    right = cut = wanted = 0
    for path in sorted(data("gum").glob("GUM_news_*.ptb"))[:6]:
        lines = path.read_text(encoding="utf-8").splitlines()
        sentences = [detokenize(t.words) for _, t in read_trees(lines, path=path.name)]
        text, ends = "", set()
        for sentence in sentences:
            text += sentence
            stopped = re.search(r"[.?!…][\"”’')\]]*$", sentence)
            ends |= {len(text)} if stopped else set()
            text += " " if stopped else "\n\n"
        found = {end for _, end in sentence_spans(text)}
        found -= {place.start() for place in re.finditer(r"\n\n", text)}
        right, cut, wanted = right + len(found & ends), cut + len(found), wanted + len(ends)
    assert right / cut > 0.95
    assert right / wanted > 0.97
