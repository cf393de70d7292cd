"""The tokenizer: Penn conventions, places in the text, and any text at all."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.syntax.tokenizer import split_sentences, token_spans, tokenize
from reference.shared_data import data

UNSEEN = {0x200B: " ", 0xFEFF: " "}  # they part words as white space does


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I can't, won't and cannot.", "I ca n't , wo n't and can not ."),
        ("They’re John’s, don’t you’d've?", "They ’re John ’s , do n’t you ’d 've ?"),
        ("the students' books", "the students ' books"),
        ("a 417-foot-tall tower, a U.S.-based firm", "a 417-foot-tall tower , a U.S.-based firm"),
        ("At 5:54 p.m. Mr. J. R. Smith", "At 5:54 p.m. Mr. J. R. Smith"),
        ("at 5 p.m., he", "at 5 p.m. , he"),
        ("Is it Vitamin C.", "Is it Vitamin C ."),
        ("See fig. 3 and No. 7; no. It is a fig.", "See fig. 3 and No. 7 ; no . It is a fig ."),
        ("Apple Inc. and e.g. Ph.D. work, etc.", "Apple Inc. and e.g. Ph.D. work , etc."),
        ("It cost $1,000.50 (up 3.5%).", "It cost $ 1,000.50 ( up 3.5 % ) ."),
        ("from US$5 to -5 in 1990–2000, 9/11", "from US$ 5 to -5 in 1990 – 2000 , 9/11"),
        ('"Yes," he said -- "no"...', '" Yes , " he said -- " no " ...'),
        ("“Yes,” he said—‘no’…", "“ Yes , ” he said — ‘ no ’ …"),
        ("and/or the 26th, the ’90s", "and / or the 26th , the ’90s"),
        ("See https://a.b/c?d=e). Or www.x.org/y.", "See https://a.b/c?d=e ) . Or www.x.org/y ."),
        ("me@x.org, @bob #tag #1 @ home", "me@x.org , @bob #tag # 1 @ home"),
        ("O'Reilly's S&M at Metro.us [...]", "O'Reilly 's S&M at Metro.us [...]"),
        ("I'm gonna; gimme 'em; 'tis", "I 'm gon na ; gim me 'em ; 't is"),
        ("Hamlet\"'s Yahoo!'s", "Hamlet \" 's Yahoo ! 's"),
        ("plo- I mean plot :-)", "plo- I mean plot :-)"),
        ("end.The next", "end . The next"),
        ("nai\u0308ve 日本語 👍🏽", "nai\u0308ve 日本語 👍🏽"),
        ("***** ====", "***** ===="),
        ("हिन्दी में, ไม่ดี", "हिन्दी में , ไม่ดี"),
        ("👨\u200d👩\u200d👧👍🏽🇩🇪🇫🇷❤\ufe0f", "👨\u200d👩\u200d👧 👍🏽 🇩🇪 🇫🇷 ❤\ufe0f"),
        ("1\ufe0f\u20e3 #\ufe0f\u20e3", "1\ufe0f\u20e3 #\ufe0f\u20e3"),
        ("\ufeffzero\u200bwidth can't\u200b", "zero width ca n't"),
        ("soft\u00adhyphen word\u2060joiner", "soft\u00adhyphen word\u2060joiner"),
        ("$.50 for a .22-caliber, (.5) or -.5", "$ .50 for a .22-caliber , ( .5 ) or -.5"),
        ("AU$5, CA$.50, HK$ 7, XUS$5", "AU$ 5 , CA$ .50 , HK$ 7 , XUS $ 5"),
        ("3 p.m.-5 p.m., a U.S.-born man", "3 p.m. - 5 p.m. , a U.S.-born man"),
        ("I don`t, he´s; `so` a`b", "I do n`t , he ´s ; ` so ` a ` b"),
        ("`` No , '' he -LRB- Bob -RRB- said", "`` No , '' he -LRB- Bob -RRB- said"),
        ("``No,'' he said -LSB-x-RSB-.", "`` No , '' he said -LSB- x -RSB- ."),
        ("At 5:47p.m. (9 P.M., 10.30a.m.)", "At 5:47 p.m. ( 9 P.M. , 10.30 a.m. )"),
        ("", ""),
        (" \t\n\u00a0", ""),
    ],
)
def test_tokens_are_those_of_penn_treebanks(text, tokens):
    assert tokenize(text) == tokens.split()


@given(st.text() | st.text(alphabet="aB1.'’-,$%@:/#nt() \n"))
def test_tokens_cover_all_but_white_space_in_order(text):
    found = token_spans(text)
    assert [text[a:b] for a, b in found] == tokenize(text)
    assert all(a < b for a, b in found)
    at = 0
    for start, end in [*found, (len(text), len(text))]:
        assert text[at:start].translate(UNSEEN).strip() == ""
        assert start >= at
        at = end
    assert not any(c.isspace() for token in tokenize(text) for c in token)


@given(st.text(alphabet="aB1.'’-, \n"))
def test_white_space_around_a_text_changes_no_token(text):
    assert tokenize(f"\n {text} ") == tokenize(f" {text}  ")


@pytest.mark.parametrize(
    "piece", ["a..", "a.", "a-", "a'", "'", "n't've'd", "1,", "a@", "http://."]
)
def test_long_odd_texts_take_time_in_proportion(piece):
    began = time.process_time()
    assert sum(b - a for a, b in token_spans(piece * 20_000)) == len(piece) * 20_000
    assert time.process_time() - began < 5


def test_clusters_are_cut_as_by_hand():
    back = {"-LRB-": "(", "-RRB-": ")"}
    sentences = [
        sentence
        for path in sorted(data("clusters").glob("*.json"))
        for sentence in json.loads(path.read_text("utf-8"))["sentences"]
    ]
    other = [
        sentence["id"]
        for sentence in sentences
        if tokenize(sentence["text"]) != [back.get(t, t) for t in sentence["tokens"]]
    ]
    # One of them has a quote that sticks to its word: 'The.
    assert len(other) <= 1 < len(sentences)


def test_one_text_at_a_time():
    for cut in (tokenize, split_sentences):
        for text in (["It rained."], None, b"It rained."):
            with pytest.raises(
                InputError, match=r"the text is .*: want a string; of several, each"
            ):
                cut(text)
