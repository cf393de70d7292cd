from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.cognates import cognates, sound_alikes
from bitext.model import Text

# One name, or one word that was borrowed, in many scripts.
NAMES = [
    ("indonesian", "इन्डोनेशियन"),
    ("norwegian", "नार्वेजियन"),
    ("bangladesh", "বাংলাদেশ"),
    ("abraham", "אברהם"),
    ("ibrahim", "ابراهيم"),
    ("jerusalem", "ירושלים"),
    ("muhammad", "محمد"),
    ("alexander", "アレクサンドル"),
    ("click", "クリック"),
    ("israel", "이스라엘"),
    ("moskva", "москва"),
    ("abraham", "აბრაამი"),
    ("server", "சர்வர்"),
    ("kannada", "ಕನ್ನಡ"),
]


def found(src, tgt):
    words = Vocabulary(src), Vocabulary(tgt)
    pairs = sound_alikes(*words)
    return {
        (words[0].forms[x], words[1].forms[y]): chance
        for x, y, chance in zip(pairs.src, pairs.tgt, pairs.forward, strict=True)
    }


@pytest.mark.parametrize(("src", "tgt"), NAMES)
def test_what_sounds_alike_is_linked_both_ways(src, tgt):
    there, back = found([src], [tgt]), found([tgt], [src])
    assert there[src, tgt] == back[tgt, src] >= 0.02


@pytest.mark.parametrize(
    ("src", "tgt"),
    [
        ("house", "घर"),
        ("book", "كتاب"),
        ("nation", "natsiya"),  # one script: `cognates` compares letters
        ("moses", "moses"),
        ("ali", "علي"),  # too few consonants
        ("berlin", "柏林"),  # no words
        ("berlin", "เบอร์ลิน"),
        ("12345", "١٢٣٤٥"),
        (".", "।"),
    ],
)
def test_what_does_not_is_not(src, tgt):
    assert not found([src], [tgt])


def test_the_name_itself_is_believed_more_than_what_is_like_it():
    names = ["latvian", "lithuanian", "latin"]
    chances = found(names, ["लात्वियन", "लिथुआनियन", "लैटिन"])
    for name, other in zip(names, ("लात्वियन", "लिथुआनियन", "लैटिन"), strict=True):
        assert max(chances, key=lambda pair: chances[pair] * (pair[0] == name))[1] == other


def test_words_that_sound_the_same_share_their_chance():
    alone = found(["norwegian"], ["नार्वेजियन"])["norwegian", "नार्वेजियन"]
    shared = found(["norwegian", "norvegian"], ["नार्वेजियन"])
    assert 0 < shared["norwegian", "नार्वेजियन"] <= alone / 2


def test_long_words_are_surer_than_short_ones():
    chances = found(["korea", "kannada", "galician"], ["कोरिया", "कन्नड", "गैलिशियन"])
    assert len(chances) == 2  # of korea there are two consonants
    assert chances["galician", "गैलिशियन"] == 0.5 > chances["kannada", "कन्नड"]


@given(
    st.lists(st.sampled_from([word for pair in NAMES for word in pair]), max_size=12),
    st.lists(st.sampled_from([word for pair in NAMES for word in pair]), max_size=12),
)
def test_sides_are_alike_and_chances_bounded(src, tgt):
    there, back = found(src, tgt), found(tgt, src)
    assert there == pytest.approx({(a, b): chance for (b, a), chance in back.items()})
    pairs = sound_alikes(Vocabulary(src), Vocabulary(tgt))
    assert ((pairs.forward >= 0.01) & (pairs.forward <= 0.5)).all()
    keys = pairs.src.astype(int) * 100 + pairs.tgt
    assert (np.diff(keys) > 0).all()
    known = np.zeros(len(pairs.known_src))
    np.maximum.at(known, pairs.src, pairs.forward)
    assert (pairs.known_src == known).all()


def test_they_are_among_the_cognates():
    words = Vocabulary(["mexican", "django"]), Vocabulary(["django", "मेक्सिकन"])
    pairs = cognates(*words)
    assert list(zip(pairs.src.tolist(), pairs.tgt.tolist(), strict=True)) == [(0, 1), (1, 0)]


def test_names_tell_what_lengths_do_not():
    names = [
        ("mexican", "मेक्सिकन"),
        ("indonesian", "इन्डोनेशियन"),
        ("bulgarian", "बल्गेरियन"),
        ("icelandic", "आइसलैंडिक"),
        ("kazakhstan", "कज़ाखस्तान"),
        ("nicaraguan", "निकारागुअन"),
        ("galician", "गैलिशियन"),
        ("esperanto", "एस्पेरान्तो"),
    ]
    # Two names a line, none as in the line before. Both texts leave one out, so that as many of
    # much the same length are there.
    both = [(k, (k + step) % 8) for step in (1, 2) for k in (0, 3, 6, 1, 4, 7, 2, 5)]
    lines = [tuple(", ".join(names[k][side] for k in pair) for side in (0, 1)) for pair in both]
    src, tgt = Text([line for line, _ in lines[1:]]), Text([line for _, line in lines[:-1]])
    beads = {(tuple(bead.src), tuple(bead.tgt)) for bead in align_sentences(src, tgt)}
    assert beads == {((), (0,)), *(((k,), (k + 1,)) for k in range(14)), ((14,), ())}
