"""Words that begin alike, taken together."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.lexical.translation_model import (
    LEAST,
    BeadPoints,
    WordFamilies,
    beginning_of,
    learn,
    learn_families,
    links_of_members,
)
from bitext.align.sentences.lexical.word_links import WordPairs, frequencies
from bitext.align.sentences.texts import SentencePair
from bitext.model import Text

forms = st.lists(st.text("ab", min_size=3, max_size=7), min_size=1, max_size=12, unique=True)


@pytest.mark.parametrize(
    ("word", "beginning"),
    [
        ("haus", "haus"),
        ("häuser", "häus"),
        ("a", "a"),
        ("12345", "12345"),  # numbers are themselves
        ("3.14159", "3.14159"),
        (".", "."),
        ("हिन्दी", "हिन्"),  # with the signs of vowels
        ("정부는", "정부"),  # a sign is a syllable
        ("정부", "정부"),
        ("والكتاب", "كتاب"),  # and the book
        ("بالكتاب", "كتاب"),
        ("للكتاب", "كتاب"),
        ("كتاب", "كتاب"),
        ("الف", "الف"),  # too little is behind what might be an article
    ],
)
def test_what_the_forms_of_a_word_have_in_common(word, beginning):
    assert beginning_of(word) == beginning


@given(forms)
def test_each_word_is_in_the_family_of_its_beginning(words):
    found = WordFamilies.among(words)
    assert len({beginning_of(word) for word in words}) == found.size
    for word, family in zip(words, found.of.tolist(), strict=True):
        for other, own in zip(words, found.of.tolist(), strict=True):
            assert (family == own) == (beginning_of(word) == beginning_of(other))
    order, ptr = found.members()
    for family in range(found.size):
        mine = order[ptr[family] : ptr[family + 1]]
        assert mine.tolist() == np.flatnonzero(found.of == family).tolist()
    counts = np.arange(len(words), dtype=float)
    assert found.sums(counts).sum() == counts.sum()


def learned(families, seed):
    """Return pairs of families with made chances."""
    rng = np.random.default_rng(seed)
    sizes = families[0].size, families[1].size
    there = np.flatnonzero(rng.random(sizes[0] * sizes[1]) < 0.5)
    src, tgt = np.divmod(there, sizes[1])
    return WordPairs(
        src.astype(np.int32),
        tgt.astype(np.int32),
        rng.random(len(there)),
        rng.random(len(there)),
        rng.random(sizes[0]),
        rng.random(sizes[1]),
    )


@given(forms, forms, st.integers(0, 1000))
def test_words_have_what_is_known_of_their_families(src, tgt, seed):
    families = WordFamilies.among(src), WordFamilies.among(tgt)
    rng = np.random.default_rng(seed)
    frequent = rng.random(len(src)) + 0.1, rng.random(len(tgt)) + 0.1
    pairs = learned(families, seed)
    found = links_of_members(pairs, families, frequent)
    told = {
        (s, t): (there, back)
        for s, t, there, back in zip(
            found.src.tolist(), found.tgt.tolist(), found.forward, found.backward, strict=True
        )
    }
    wanted, known = {}, defaultdict(float)
    for f, g, there, back in zip(*(one.tolist() for one in pairs[:4]), strict=True):
        mine = [k for k in range(len(src)) if families[0].of[k] == f]
        others = [k for k in range(len(tgt)) if families[1].of[k] == g]
        if len(mine) * len(others) == 1:
            continue
        for s in mine:
            for t in others:
                wanted[s, t] = (
                    there * frequent[1][t] / sum(frequent[1][k] for k in others),
                    back * frequent[0][s] / sum(frequent[0][k] for k in mine),
                )
                known[0, s], known[1, t] = pairs.known_src[f], pairs.known_tgt[g]
    assert told.keys() == wanted.keys()
    for key, chances in wanted.items():
        assert told[key] == pytest.approx(chances)
    assert found.known_src.tolist() == [known[0, k] for k in range(len(src))]
    assert found.known_tgt.tolist() == [known[1, k] for k in range(len(tgt))]
    assert [*told] == sorted(told)


def test_what_is_made_is_bounded():
    """Names that are marked by thousands begin alike, and are no forms of one word."""
    many = [f"name{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(40)]
    families = (
        WordFamilies.among([*many, "hausen", "hauses"]),
        WordFamilies.among([*many, "maison"]),
    )
    frequent = np.ones(42), np.ones(41)
    pairs = WordPairs.alike((np.arange(2), np.arange(2)), np.full(2, 0.5), sizes=(2, 2))
    found = links_of_members(pairs, families, frequent)
    assert (found.src.tolist(), found.tgt.tolist()) == ([40, 41], [40, 40])


def test_the_largest_families_are_left_out_where_all_are_too_many():
    sizes = np.array([17] * 700 + [2])  # 700 times 289 pairs of words are more than 200,000
    families = (WordFamilies(np.repeat(np.arange(701), sizes), 701),) * 2
    frequent = (np.ones(sizes.sum()),) * 2
    pairs = WordPairs.alike((np.arange(701),) * 2, np.full(701, 0.5), sizes=(701, 701))
    found = links_of_members(pairs, families, frequent)
    number = np.bincount(families[0].of[found.src], minlength=701)
    assert number.tolist() == [289] * 692 + [0] * 8 + [4]


sentences = st.lists(
    st.sampled_from(["dogs", "dogger", "doggy", "cats", "catsy", "a"]), min_size=1, max_size=4
).map(" ".join)


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=8, unique=True))
def test_families_are_learned_as_if_their_words_were_equal(texts):
    pair = SentencePair(Text([s for s, _ in texts]), Text([t for _, t in texts]))
    ends = np.arange(1, len(texts) + 1)
    points = [BeadPoints(ends, ends)]
    sizes = len(pair.src.vocabulary), len(pair.tgt.vocabulary)
    none = WordPairs.alike((np.zeros(0, int), np.zeros(0, int)), np.zeros(0), sizes=sizes)
    families = (
        WordFamilies.among(pair.src.vocabulary.forms),
        WordFamilies.among(pair.tgt.vocabulary.forms),
    )
    frequent = frequencies([pair.src], sizes[0]), frequencies([pair.tgt], sizes[1])
    shares = np.full(sizes[0], 0.1), np.full(sizes[1], 0.1)
    words, members = learn_families(
        [pair], points, none, families, frequent, shares=shares, least=LEAST
    )
    for one, other in zip(words, learn([pair], points, none, shares=shares), strict=True):
        assert one.tolist() == other.tolist()

    cut = [
        [" ".join(map(beginning_of, one.split())) for one in side]
        for side in zip(*texts, strict=True)
    ]
    short = SentencePair(Text(cut[0]), Text(cut[1]))
    names = short.src.vocabulary.forms, short.tgt.vocabulary.forms
    sizes = len(names[0]), len(names[1])
    assert sizes == (families[0].size, families[1].size)
    none = WordPairs.alike((np.zeros(0, int), np.zeros(0, int)), np.zeros(0), sizes=sizes)
    told = learn([short], points, none, shares=(np.full(sizes[0], 0.1), np.full(sizes[1], 0.1)))
    equal = [
        WordFamilies(found.find([*map(beginning_of, whole.forms)]).astype(np.int64), len(found))
        for found, whole in (
            (short.src.vocabulary, pair.src.vocabulary),
            (short.tgt.vocabulary, pair.tgt.vocabulary),
        )
    ]
    for one, other in zip(
        members, links_of_members(told, (equal[0], equal[1]), frequent), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-9)


def inflected(seed, *, count=160):
    """Return a text and its translation, with many forms of each long word; a sixth is left out.

    Sentences are equally long; a number stands in each twentieth.
    """
    rng = np.random.default_rng(seed)
    letters = [*"bdfgklmnprstvz"]

    def stems(number, size):
        return ["".join(rng.choice(letters, size)) for _ in range(number)]

    words = [*zip(stems(60, 4), stems(60, 4), strict=True)]
    short = [*zip(stems(8, 3), stems(8, 3), strict=True)]
    ends = [a + b for a in "aeiou" for b in letters]
    src, tgt, beads = [], [], set()
    for place in range(count):
        some = [words[k] for k in rng.integers(0, len(words), 5)]
        others = [short[k] for k in rng.integers(0, len(short), 3)]
        lines = [
            " ".join(
                [word[side] + str(rng.choice(ends)) for word in some]
                + [word[side] for word in others]
                + ([] if place % 20 else [str(1000 + 7 * place)])
            )
            for side in (0, 1)
        ]
        gone = rng.random() if place % 20 else 0.5
        if gone >= 0.08:
            src.append(lines[0])
        if gone < 0.92:
            tgt.append(lines[1])
        if 0.08 <= gone < 0.92:
            beads.add(((len(src) - 1,), (len(tgt) - 1,)))
    return Text(src), Text(tgt), beads


@pytest.mark.parametrize("seed", range(4))
def test_texts_whose_words_are_inflected_are_aligned(seed):
    src, tgt, beads = inflected(seed)
    found = {(bead.src, bead.tgt) for bead in align_sentences(src, tgt)}
    assert 2 * len(found & beads) / (len(beads) + len(found)) > 0.88


def test_families_that_are_met_by_chance_are_believed_less():
    """Along a wrong path families meet often, and what was learned of them would confirm it."""
    src, tgt, beads = inflected(0)
    right = sorted((s, t) for (s,), (t,) in beads)
    wrong = [(s, t) for (s, _), (_, t) in zip(right, right[9:], strict=False)]

    def learned(places, **least):
        pair = SentencePair(
            Text([src[s].text for s, _ in places]), Text([tgt[t].text for _, t in places])
        )
        ends = np.arange(1, len(places) + 1)
        sizes = len(pair.src.vocabulary), len(pair.tgt.vocabulary)
        none = WordPairs.alike((np.zeros(0, int), np.zeros(0, int)), np.zeros(0), sizes=sizes)
        families = (
            WordFamilies.among(pair.src.vocabulary.forms),
            WordFamilies.among(pair.tgt.vocabulary.forms),
        )
        frequent = frequencies([pair.src], sizes[0]), frequencies([pair.tgt], sizes[1])
        shares = np.full(sizes[0], 0.01), np.full(sizes[1], 0.01)
        how = {"shares": shares, "discount": 0.6, **least}
        found = learn_families([pair], [BeadPoints(ends, ends)], none, families, frequent, **how)
        return len(found[1].src)

    told, misled = learned(right), learned(wrong)
    assert told > 4 * misled
    assert learned(right, least=LEAST) < 1.05 * told
    assert learned(wrong, least=LEAST) > 1.3 * misled
