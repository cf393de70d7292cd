"""Texts of which one is cut more finely than the other: verses beside sentences."""

import numpy as np
import pytest

from bitext.align.sentences import (
    align_corpus,
    align_sentences,
    aligner_of,
    alignment_of,
)
from bitext.align.sentences.bead_types import DEFAULT_BEADS
from bitext.align.sentences.corpus import (
    CorpusStatistics,
    pretrained_aligner,
    text_statistics,
)
from bitext.align.sentences.evidence.vectors import CorpusVectors
from bitext.align.sentences.knowledge import (
    LexiconIndex,
)
from bitext.align.sentences.options import SentenceOptions, named
from bitext.align.sentences.texts import SentencePair
from bitext.model import Text
from reference.translated_texts import sentences


def _verses(count, *, seed, turned=False, long=(), names=0.0):
    """Return a text whose sentences are verses, the same by sentences, and the beads."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4], count, p=[0.2, 0.35, 0.25, 0.2])
    sizes[10 : 10 + 5 * len(long) : 5] = long
    ends = np.cumsum(sizes)
    pairs = sentences(int(ends[-1]), seed=seed, names=names)
    begins = (ends - sizes).tolist()
    verses = [
        " ".join(a.rstrip(".") for a, _ in pairs[begin:end]) + "."
        for begin, end in zip(begins, ends.tolist(), strict=True)
    ]
    beads = {
        ((k,), tuple(range(begin, end)))
        for k, (begin, end) in enumerate(zip(begins, ends.tolist(), strict=True))
    }
    texts = Text(verses), Text([b for _, b in pairs])
    if turned:
        return texts[1], texts[0], {(b, a) for a, b in beads}
    return *texts, beads


@pytest.mark.parametrize(
    ("count", "turned", "method"),  # of 130 there are anchors, too
    [
        (90, False, "lexical"),
        (90, True, "length-characters"),
        (130, False, "length-characters"),
        (130, True, "lexical"),
    ],
)
def test_a_text_that_is_cut_more_finely_than_the_other(count, turned, method):
    # If both were taken to be cut alike, most of the longer one would be held to be left out.
    src, tgt, beads = _verses(count, seed=count, turned=turned)
    found = {(b.src, b.tgt) for b in align_sentences(src, tgt, method=method)}
    assert len(found & beads) / len(beads) > (0.95 if method == "lexical" else 0.7)


@pytest.mark.parametrize("turned", [False, True])
def test_verses_of_up_to_eight_sentences_are_beads(turned):
    src, tgt, beads = _verses(70, seed=9, turned=turned, long=range(5, 9), names=0.6)
    long = {(a, b) for a, b in beads if max(len(a), len(b)) > 4}
    assert len(long) == 4
    found = {(b.src, b.tgt) for b in align_sentences(src, tgt)}
    assert len(found & long) >= 3


def test_verses_have_no_beads_beside_those_that_are_asked_for():
    src, tgt, _ = _verses(60, seed=9, long=range(5, 9), names=0.6)
    asked = align_sentences(src, tgt, beads=[bead for bead in DEFAULT_BEADS if bead != (3, 2)])
    assert max(max(len(b.src), len(b.tgt)) for b in asked) == 4


def test_large_beads_are_learned_of_a_corpus():
    src, tgt, _ = _verses(90, seed=9, long=range(5, 9), names=0.6)
    aligner = aligner_of([(src, tgt)])
    aligner.run()
    learner = CorpusStatistics("lexical", named("lexical"), SentenceOptions())
    learner.add(text_statistics(aligner))
    known = learner.learned()
    assert sum(known.beads[1, k] for k in range(5, 9)) >= 3
    pair = SentencePair(src, tgt)
    options = SentenceOptions().for_texts([(src, tgt)])
    index = LexiconIndex(known.lexicon)
    taught = pretrained_aligner(pair, named("lexical"), options, known=known, lexicon=index)
    taught.run()
    assert {a - b for a, b in (taught.beads[k] for k in taught.paths[0].kinds)} & {-5, -6, -7}


def _aligners_taught(texts, some=slice(None)):
    """Yield what has aligned some of the texts with what all of them taught, one by one."""
    learner = CorpusStatistics("lexical", named("lexical"), SentenceOptions())
    for pair in texts:
        aligner = aligner_of([pair], rounds=1)
        aligner.run()
        learner.add(text_statistics(aligner))
    known = learner.learned()
    index = LexiconIndex(known.lexicon)
    for pair in texts[some]:
        options = SentenceOptions().for_texts([pair])
        one = SentencePair(*pair)
        taught = pretrained_aligner(one, named("lexical"), options, known=known, lexicon=index)
        taught.run()
        yield taught


def _taught(texts):
    return [alignment_of(aligner, 0) for aligner in _aligners_taught(texts)]


def _with_a_plain_corpus(src, tgt, *, turned):
    """Return ten texts and their translations, and the given ones in the middle."""
    plain = [sentences(80, seed=20 + k, names=0.3) for k in range(10)]
    sides = [[Text([pair[side] for pair in one]) for side in (0, 1)] for one in plain]
    others = [(b, a) if turned else (a, b) for a, b in sides]
    return [*others[:5], (src, tgt), *others[5:]]


@pytest.mark.parametrize(("align", "turned"), [(align_corpus, True), (_taught, False)])
def test_one_text_of_a_corpus_is_cut_more_finely(turned, align):
    """Of eleven texts one is in verses, of up to eight sentences: it is as by itself."""
    src, tgt, beads = _verses(60, seed=9, turned=turned, long=range(5, 9), names=0.3)
    found = align(_with_a_plain_corpus(src, tgt, turned=turned))
    assert len({(b.src, b.tgt) for b in found[5]} & beads) > 0.9 * len(beads)
    ones = {((k,), (k,)) for k in range(80)}
    for one in (*found[:5], *found[6:]):
        assert len({(b.src, b.tgt) for b in one} & ones) > 75


@pytest.mark.parametrize("turned", [False, True])
def test_two_lists_do_not_make_a_text_one_that_is_cut_finely(turned):
    """Of eleven texts one leaves out forty sentences, and makes one sentence each of 6 and of 7.

    If beads of 5 to 8 sentences were allowed in it, they would be put in place of what is left out.
    """
    pairs, lists = sentences(110, seed=9, names=0.3), {10: 6, 80: 7}
    left_out, listed = range(30, 70), {k + j for k, n in lists.items() for j in range(n)}
    begins = [k for k in range(110) if k not in left_out and (k in lists or k not in listed)]
    src = Text([" ".join(a for a, _ in pairs[k : k + lists.get(k, 1)]) for k in begins])
    tgt = Text([b for _, b in pairs])
    if turned:
        src, tgt = tgt, src
    (aligner,) = _aligners_taught(_with_a_plain_corpus(src, tgt, turned=turned), slice(5, 6))
    large = [k for k, bead in enumerate(aligner.beads) if bead not in DEFAULT_BEADS]
    assert len(large) == 4
    assert aligner.priors(0)[large].sum() < 1e-9
    alone = [bead for bead in alignment_of(aligner, 0) if not (bead.src and bead.tgt)]
    found = {k for bead in alone for k in (bead.src if turned else bead.tgt)}
    assert found >= set(left_out)


@pytest.mark.parametrize("finer", [1, 4])
def test_large_beads_are_for_those_texts_of_a_corpus_that_are_cut_finely(finer):
    """Where other texts have them, too, they hide what is left out: where most have, all may."""
    odd = [_verses(60, seed=k, long=range(5, 9), names=0.3)[:2] for k in range(finer)]
    made = [sentences(60, seed=20 + k, names=0.3) for k in range(4 if finer == 1 else 1)]
    plain = [(Text([a for a, _ in one]), Text([b for _, b in one])) for one in made]
    aligner = aligner_of([*odd, *plain])
    aligner.run()
    large = [k for k, bead in enumerate(aligner.beads) if bead not in DEFAULT_BEADS]
    assert len(large) == 4
    chances = [aligner.priors(k)[large].sum() for k in range(len(aligner.pairs))]
    assert min(chances[:finer]) > 0.01
    assert (max(chances[finer:]) < 1e-9) == (finer == 1)


def test_beads_for_a_corpus_are_those_that_any_text_may_need():
    some = Text([f"{k} and more." for k in range(40)])
    double, short = Text([f"{k}." for k in range(80)]), Text([f"{k}" for k in range(20)])

    def more(*pairs):
        return set(SentenceOptions().for_texts(pairs).kinds) - set(DEFAULT_BEADS)

    plain = [(some, some)] * 9
    assert more(*plain) == set()
    assert more(*plain, (some, double)) == {(1, k) for k in range(5, 9)}
    assert more(*plain, (some, double), (double, some)) == {
        bead for k in range(5, 9) for bead in ((1, k), (k, 1))
    }
    long = Text([f"{k} and some more of it." for k in range(80)])
    assert more(*plain, (some, long)) == set(), "the first is abridged"
    assert more(*plain, (short, Text(list(short.segments())[:12]))) == set(), "too short to tell"


def test_vectors_are_of_the_beads_that_texts_need():
    src, tgt, beads = _verses(120, seed=9, long=range(5, 9))
    rng = np.random.default_rng(1)
    verse = rng.normal(size=(len(src), 48))
    own = np.repeat(np.arange(len(src)), [len(b) for _, b in sorted(beads)])
    vectors = verse, verse[own] + 0.3 * rng.normal(size=(len(tgt), 48))
    found = {(b.src, b.tgt) for b in align_sentences(src, tgt, vectors=vectors)}
    assert len(found & beads) > 0.95 * len(beads)
    # Evidence that is made before is of the beads that were asked for.
    more = CorpusVectors.of_texts(SentenceOptions().kinds, [(src, tgt)], [vectors])
    made = aligner_of([(src, tgt)], method="embedding", more=more)
    made.run()
    assert made.beads == SentenceOptions().kinds


def test_a_text_of_very_long_sentences_is_no_whole_of_which_the_other_is_an_excerpt():
    src = [f"{a} {b}" for a, b in sentences(90, seed=7, names=1.0)]
    long = Text([" ".join(src[k : k + 15]) for k in range(0, 90, 15)])
    options = SentenceOptions().for_texts([(Text(src), long)])
    assert (8, 1) in options.kinds
    excerpt = SentenceOptions().for_texts([(Text(src), Text(src[:6]))])
    assert excerpt.kinds == SentenceOptions().kinds
